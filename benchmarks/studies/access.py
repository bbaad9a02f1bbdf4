"""Does the value of access find a card that is planted too strong, and leave the others alone?

    python benchmarks/studies/access.py [--game valletta] [--bots uniform,greedy,expert] [--seats 2] [--seeds 100]
                                        [--games GAMES]

In each study one type of card is planted, another one from seed to seed: a building of Valletta prints 3 points more on
both sides, a decree of Lisboa pays double. A player is denied each type in turn, with the planted and the standard set
on the same deals: the value of access of the planted type should rise above all others with q <= 0.05. What is null
among the others is not obvious. A player who is
denied a type builds more of the planted one instead, so the type is worth less than before, by truth and not by chance,
even with bots that look at no points; those that do also build it instead of others. Such spill-over is found with
enough games. So beside the rates of the others stand those of their own null, in which the sign of every block is drawn
anew, and what is left on average over all studies. A set beside its copy must give exactly 0, and the table of the
standard set alone, with signs drawn anew, must find nothing more often than it may.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import access, stats
from analysis.access import AccessSums, Piece
from analysis.blocks import line_ups
from analysis.studies import access as studies
from analysis.studies.access import AccessPlan
from analysis.tallies import tallies
from benchmarks.studies.analysis_statistics import say
from simcore import game as registry
from simcore import request
from simcore.cardset import CardSet, vary

RARE = 0.02  # of a tallied card, times a game and player
PILOT = 4_000  # games that tell what is rare
POINTS = 3  # that a planted building of Valletta prints more, on both sides of all copies
FLIPS = 10  # null tables from each study
OUTCOME = "margin"
Array = NDArray[Any]


@dataclass(frozen=True)
class Planting:
    """How a game's cards are planted.

    `column` of `table` names the types; the cells in `columns` of a type become `stronger`. `prefix` and the type make
    the name in the table of access. `budgets`: for each bot the games of an arm, about the fewest that find the planted
    type in nine studies of ten, and the number of studies. Where there is a `tally`, only types are planted of which
    the bot has at least RARE a game and player with the standard set: what a card brings that hardly ever counts is the
    same with any print on it.
    """

    table: str
    column: str
    columns: tuple[str, ...]
    stronger: Callable[[int], int]
    words: str
    prefix: str
    budgets: dict[str, tuple[int, int]]
    tally: str = ""

    def types(self, card_set: CardSet, bot: str, seats: int) -> list[str]:
        """The names of the types that are planted, in the order of the table, without what is not in the game for so
        many seats.
        """
        there = {one.type.lower() for one in registry.get(card_set.game).interventions(card_set, seats)}
        if self.tally:
            there &= {kind.lower() for kind in often(card_set, bot, seats, self.tally)}
        names = dict.fromkeys(row[self.column] for row in card_set.tables[self.table])
        return [name for name in names if self.type_of(name) in there]

    def type_of(self, name: str) -> str:
        """The type in the card log, in lower case."""
        return f"{self.prefix}_{name}".lower()

    def planted(self, card_set: CardSet, name: str) -> CardSet:
        """The card set in which all copies of a type are stronger."""
        paths = [vary.Path(self.table, name, column) for column in self.columns]
        return vary.edited(card_set, {path: self.stronger(int(vary.value_of(card_set, path) or 0)) for path in paths})


PLANTINGS = {
    "valletta": Planting(
        table="buildings",
        column="letter",
        columns=("points_basic", "points_upgraded"),
        stronger=lambda points: points + POINTS,
        words=f"types of buildings, planted +{POINTS} points",
        prefix="building",
        budgets={"uniform": (240, 100), "greedy": (1_500, 100), "expert": (1_200, 23)},  # the expert: each type once
    ),
    "lisboa": Planting(
        table="decrees",
        column="decree_kind",
        columns=("wigs", "max_wigs"),
        stronger=lambda wigs: 2 * wigs,
        words="kinds of decrees, planted double wigs",
        prefix="decree",
        budgets={"uniform": (1_000, 100), "greedy": (3_000, 30)},  # greedy: each kind once
        tally="scored",
    ),
}


@dataclass(frozen=True)
class Found:
    """One study: the planted type, its table, and for each null table how many other types it flags."""

    planted: str
    table: pl.DataFrame
    null_others: tuple[int, ...]
    null_tables: tuple[int, ...]
    seconds: float

    @property
    def own(self) -> dict[str, Any]:
        """The row of the planted type."""
        return self.table.row(by_predicate=pl.col("type") == self.planted, named=True)

    @property
    def others(self) -> pl.DataFrame:
        """The rows of the other types."""
        return self.table.filter(pl.col("type") != self.planted)

    @property
    def tops(self) -> bool:
        """Whether the planted type stands first in the table and is flagged."""
        return self.table["type"][0] == self.planted and bool(self.table["flagged"][0])


def often(card_set: CardSet, bot: str, seats: int, tally: str) -> list[str]:
    """The types of tallied cards that are not rare where a bot plays itself."""
    with tempfile.TemporaryDirectory() as folder:
        run = request.simulate(card_set.game, bot, PILOT, card_set, seats, out=f"{folder}/run")
        found = tallies(run, line_ups(run.manifest)[0])
    assert found is not None
    return found.rates.filter(pl.col("tally") == tally, pl.col("value") >= RARE)["type"].to_list()


def study(game: str, bot: str, seats: int, games: int, name: str, seed: int) -> Found:
    """The study of one seed, with a planted type."""
    begin = time.perf_counter()
    standard, planting = request.load_cards(game), PLANTINGS[game]
    made = studies.plan(game, [standard, planting.planted(standard, name)], bot, games, seats, seed, "ban")
    pieces = list(studies.pieces(made))
    place = [one.type.lower() for one in made.interventions].index(planting.type_of(name))
    kind = made.interventions[place].type
    rng = np.random.default_rng(seed)
    both = [_flagged(made, [flipped(piece, rng, place) for piece in pieces]) for _ in range(FLIPS)]
    alone = dataclasses.replace(made, plans=made.plans[:1])
    single = [_first_set(piece) for piece in pieces]
    nulls = [_flagged(alone, [flipped(piece, rng) for piece in single]) for _ in range(FLIPS)]
    return Found(
        planted=kind,
        table=_table(made, pieces),
        null_others=tuple(len(found - {kind}) for found in both),
        null_tables=tuple(len(found) for found in nulls),
        seconds=time.perf_counter() - begin,
    )


def _table(made: AccessPlan, pieces: Sequence[Piece]) -> pl.DataFrame:
    sums = AccessSums(len(made.interventions))
    for piece in pieces:
        sums.add(piece)
    return access.tabulate(made.interventions, sums, made.plans[0].seats)[0].filter(outcome=OUTCOME)


def _flagged(made: AccessPlan, pieces: Sequence[Piece]) -> set[str]:
    return set(_table(made, pieces).filter("flagged")["type"])


def _first_set(piece: Piece) -> Piece:
    return dataclasses.replace(piece, results=piece.results[:1])


def flipped(piece: Piece, rng: np.random.Generator, but: int | None = None) -> Piece:
    """A piece under the null: the difference of a block has either sign, the same for all types; `but` one type (its
    number), which keeps its own.
    """
    base, variant = piece.pairs()
    outcomes = piece.results.shape[2]
    difference = np.swapaxes((variant - base).reshape(outcomes, -1, base.shape[1]), 0, 1)
    signs = np.where(rng.random(base.shape[1]) < 0.5, -1, 1)
    null = difference * signs
    if but is not None:
        null[but] = difference[but]
    free = np.zeros_like(null[:1])
    return dataclasses.replace(piece, results=np.concatenate([free, -null])[None].astype(np.int64))


def copies(game: str, bot: str, seats: int) -> bool:
    """A set beside its copy."""
    standard = request.load_cards(game)
    copy = dataclasses.replace(standard, name="copy")
    table = studies.study(game, [standard, copy], bot, 40, seats, kind="ban").table
    largest = float(table["value"].abs().max())  # type: ignore[arg-type]  # of floats
    return say(f"{bot}: a set beside its copy, the largest value of {len(table)}", f"{largest}", "0", largest == 0)


def report(game: str, bot: str, seats: int, games: int, found: Sequence[Found]) -> bool:
    """Print what the studies of a bot say; whether all is as it should be."""
    count, types = len(found), len(found[0].table)
    deals, arms = -(-games // seats), 2 * (1 + types)
    seconds = sum(one.seconds for one in found)
    print(
        f"\n{bot} against itself, {seats} seats, {deals:,} deals: {deals * seats:,} games of each of {arms} arms; "
        f"{count} studies, each of {types} types; {seconds / count:.1f} s a study"
    )
    own = [one.own for one in found]
    worth = np.mean([row["value"] for row in own])
    tops = sum(one.tops for one in found)
    good = say(
        "the planted type tops the table with q <= 0.05", _rate(tops, count), "90 % at least", tops >= 0.9 * count
    )
    print(f"    its value rises by {worth:.2f} points on average, error {np.mean([row['se'] for row in own]):.2f}")
    missed = [f"{one.own['label']} ({one.own['value']:.2f}, q {one.own['q']:.3f})" for one in found if not one.tops]
    print(f"    missed: {', '.join(missed) or 'none'}")

    flagged = [int(one.others["flagged"].sum()) for one in found]
    null = [n for one in found for n in one.null_others]
    rate = sum(flagged) / (count * (types - 1))
    good &= say("others that are flagged", _rate(sum(flagged), count * (types - 1)), "5 % at most", rate <= 0.05)
    print(f"    their null: {_rate(sum(null), len(null) * (types - 1))}")
    print(f"    studies that flag any other type: {_rate(sum(n > 0 for n in flagged), count)}")
    print(f"    their null: {_rate(sum(n > 0 for n in null), len(null))}")
    proportion = np.array([n / max(1, n + one.own["flagged"]) for n, one in zip(flagged, found, strict=True)])
    low, high = stats.normal_interval(proportion.mean(), _error(proportion))
    print(f"    others among what is flagged: {proportion.mean():.1%} (95 % interval {low:.1%} to {high:.1%})")
    others = pl.concat([one.others for one in found])
    inside = int(((others["low"] <= 0) & (others["high"] >= 0)).sum())
    print(f"    intervals of other types that hold 0: {_rate(inside, len(others))}")
    means = np.array([one.others["value"].mean() for one in found])
    print(f"    spill-over, mean over other types: {means.mean():+.3f} points, error {_error(means):.3f}")

    wrong, of = sum(n > 0 for one in found for n in one.null_tables), count * FLIPS
    low, _ = stats.clopper_pearson(wrong, of, 0.99)
    return good & say(
        "null tables of the standard set that flag any type", _rate(wrong, of), "down to 5 %", low <= 0.05
    )


def _error(values: Array) -> float:
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan


def _rate(hits: int, of: int) -> str:
    low, high = stats.clopper_pearson(hits, of)
    return f"{hits} of {of:,}, {hits / of:.1%} (95 % interval {low:.1%} to {high:.1%})"


def main() -> int:
    """Run the studies; 1 if anything was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(PLANTINGS), default="valletta")
    parser.add_argument("--bots", help="with commas; all that have a budget, if left out")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seeds", type=int, help="studies, instead of the usual number")
    parser.add_argument("--games", type=int, help="games of an arm, instead of the usual number")
    arguments = parser.parse_args()
    good = True
    game, budgets = arguments.game, PLANTINGS[arguments.game].budgets
    for bot in arguments.bots.split(",") if arguments.bots else budgets:
        games, seeds = budgets[bot]
        games, seeds = arguments.games or games, arguments.seeds or seeds
        good &= copies(game, bot, arguments.seats)
        types = PLANTINGS[game].types(request.load_cards(game), bot, arguments.seats)
        print(f"\n{bot}: {len(types)} {PLANTINGS[game].words}")
        found = [study(game, bot, arguments.seats, games, types[seed % len(types)], seed) for seed in range(seeds)]
        good &= report(game, bot, arguments.seats, games, found)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
