"""What is it worth to play two card sets on the same deals, and is it said where no bot reacted to the edit?

First Lost Cities with a card less, for every bot (search with few playouts, on fewer deals): the correlation of a
seat's margin between the two arms says how much noise a comparison of two card sets is spared. Beside it stands a plain
seeded shuffle, which orders the places of the deck, not the cards. Then three edits, for four bots against themselves,
through `analysis.comparison`: the variance ratio is how many times as many deals independent arms would need for the
same interval. Exits with 1 if a correlation is less than asked, or not above the plain one, or if the warning "played
identically" does not come exactly where every game has the same play_hash in both arms and the scores differ: at least
for `uniform`, which looks at no score, where only scores were edited, and for nobody where cards were taken away.

    python benchmarks/studies/pairing.py --games 40000
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.comparison import Comparison, compare
from simcore import batch, bots, cardset
from simcore.cardset import CardSet
from simcore.games.lost_cities.cardset import SCHEMA
from simcore.plan import make_plan
from simcore.play import Table
from simcore.runlog import Run

GAME = "lost-cities"
SEED = 2024
LEAST_CORRELATION = {"uniform": 0.6, "heuristic": 0.7}
REMOVED = (0, 30, 59)  # rows of the table
PLAYOUTS = 20  # of a search bot
BOTS = ("uniform", "heuristic", "expert", "linear")
ASKED = (("score", "score"), ("order_margin", "first's margin"), ("order_share", "first's wins"))


def main() -> int:
    """Print both parts; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=20_000, help="deals played with and without a card")
    parser.add_argument("--search-blocks", type=int, default=100, help="the same for search bots")
    parser.add_argument("--games", type=int, default=40_000, help="games of each bot with each edit")
    asked = parser.parse_args()
    failed = [*comparisons(asked.blocks, asked.search_blocks), *ratios(asked.games)]
    for failure in failed:
        print("FAILED:", failure)
    return 1 if failed else 0


def comparisons(blocks: int, search_blocks: int) -> Iterator[str]:
    """Print how alike the games with and without a card are, for every bot; yield what is less than asked."""
    base = cardset.load(SCHEMA, "single_round")
    print(f"\n{'bot':<24}{'deals':>7}  {'without':<9}{'keyed':>24}{'plain':>24}   correlation of margins")
    for bot in bots.available(GAME):
        cheap = bot.cost == "cheap"
        name, deals = (bot.name, blocks) if cheap else (f"{bot.name}:{PLAYOUTS}", search_blocks)
        margin = margins(base, name, deals)
        if margin.std() == 0.0:
            print(f"{name:<24}{deals:>7,}  always a draw")
            continue
        found = []
        for row in REMOVED:
            sets = without(base, row)
            found.append([correlation(margin, margins(card_set, name, deals)) for card_set in sets])
            card = base.tables["cards"][row]["id"]
            keyed, plain = (interval(r, deals) for r in found[-1])
            print(f"{name:<24}{deals:>7,}  {card:<9}{keyed:>24}{plain:>24}", flush=True)
        keyed_mean, plain_mean = np.mean(found, axis=0)
        print(f"{name:<24}{deals:>7,}  {'mean':<9}{keyed_mean:>24.2f}{plain_mean:>24.2f}", flush=True)
        if keyed_mean < LEAST_CORRELATION.get(name, plain_mean):
            yield f"{name}: correlations of {keyed_mean:.3f} on average, those of a plain shuffle of {plain_mean:.3f}"


def interval(r: float, deals: int) -> str:
    """A correlation with its 95 % interval by Fisher's z over deals, whose two games count as one."""
    low, high = np.tanh(np.arctanh(r) + np.array([-1.96, 1.96]) / np.sqrt(deals - 3))
    return f"{r:.3f} ({low:.3f} to {high:.3f})"


def without(card_set: CardSet, row: int) -> tuple[CardSet, CardSet]:
    """The set without a card; then the same with the ids, by which a shuffle goes, moved up to close the gap."""
    rows = card_set.tables["cards"]
    inputs = ("id", "color", "kind", "value")
    left = [{name: card[name] for name in inputs} for card in [*rows[:row], *rows[row + 1 :]]]
    moved = [{**card, "id": place["id"]} for card, place in zip(left, rows, strict=False)]
    keyed, plain = (cardset.build(SCHEMA, "without", card_set.scalars, {"cards": cards}) for cards in (left, moved))
    return keyed, plain


def margins(card_set: CardSet, bot: str, blocks: int) -> NDArray[np.int64]:
    """Points of seat 0 minus those of seat 1, a number a game."""
    table = Table(GAME, card_set, 2, (bot, bot), SEED)
    points = np.concatenate([played.rows["seat"]["points"] for played in table.play(0, blocks)]).astype(np.int64)
    return points[:, 0] - points[:, 1]


def correlation(a: NDArray[np.int64], b: NDArray[np.int64]) -> float:
    """Pearson's, over games."""
    return float(np.corrcoef(a, b)[0, 1])


def edits(base: CardSet) -> dict[str, CardSet]:
    """The edited sets by what was edited."""
    rows = [{name: card[name] for name in ("id", "color", "kind", "value")} for card in base.tables["cards"]]
    wagers = {card["color"]: i for i, card in enumerate(rows) if card["kind"] == "wager"}  # the last of each colour
    fewer = [card for i, card in enumerate(rows) if i not in wagers.values()]
    return {
        "cost 20 -> 18": _build(base.scalars | {"expedition_cost": 18}, rows),
        "bonus 20 -> 0": _build(base.scalars | {"bonus_points": 0}, rows),
        "a wager fewer": _build(base.scalars, fewer),
    }


def _build(scalars: Any, cards: list[dict[str, Any]]) -> CardSet:
    return cardset.build(SCHEMA, "edited", scalars, {"cards": cards})


def ratios(games: int) -> Iterator[str]:
    """Print the worth of pairing for each edit and bot; yield what is wrong about the warning."""
    base = cardset.load(SCHEMA, "single_round")
    names = "".join(f"{name:>16}" for _, name in ASKED)
    print(f"\nvariance ratio against independent arms (correlation of the arms), {games // 2:,} deals")
    print(f"{'edit':<16}{'bot':<12}{names}{'same play':>12}  warning")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        plain = _play(home / "base", base, games)
        for edit, edited in edits(base).items():
            run = _play(home / edit, edited, games)
            found = compare(plain, run)
            for line_up, bot in enumerate(BOTS):
                played = found.played.row(line_up, named=True)
                values = "".join(f"{_worth(found, measure, line_up):>16}" for measure, _ in ASKED)
                warning = "no bot reacted" if played["no_reaction"] else ""
                print(f"{edit:<16}{bot:<12}{values}{played['identical']:>12.1%}  {warning}")
                if played["no_reaction"] != _due(plain, run, line_up):
                    yield f"{edit}, {bot}: the warning is {'' if played['no_reaction'] else 'not '}given"
                if edit == "a wager fewer" and played["no_reaction"]:
                    yield f"{edit}, {bot}: the warning is given although cards are gone"
            if edit != "a wager fewer" and not found.played["no_reaction"][0]:
                yield f"{edit}: no warning for {BOTS[0]}, which looks at no score"


def _play(folder: Path, card_set: CardSet, games: int) -> Run:
    line_ups = tuple((bot, bot) for bot in range(len(BOTS)))
    return batch.run(make_plan(GAME, card_set, 2, BOTS, line_ups, games, SEED, "games"), folder)


def _worth(found: Comparison, measure: str, line_up: int) -> str:
    """The variance ratio and the correlation of the first row of a measure."""
    row = found.rows.filter(measure=measure, line_up=line_up).row(0, named=True)
    if row["variance_ratio"] is None or row["correlation"] is None:
        return "none differs" if row["wording"] == "identical" else "no noise"
    return f"{row['variance_ratio']:.1f} ({row['correlation']:.2f})"


def _due(base: Run, variant: Run, line_up: int) -> bool:
    """Whether all games were played identically and any was scored differently, from the tables themselves."""

    def column(run: Run, table: str, name: str) -> pl.Series:
        return run.scan(table, line_up).select(name).collect()[name]

    same_play = column(base, "games", "play_hash").equals(column(variant, "games", "play_hash"))
    return same_play and not column(base, "seats", "score").equals(column(variant, "seats", "score"))


if __name__ == "__main__":
    sys.exit(main())
