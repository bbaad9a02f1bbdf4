"""Are a million deals what the law of a well-shuffled deck says, and do they survive an edit of the card set?

First the chi-square tests of tests/simcore/deal_laws.py. Then Lost Cities is played with the base set and with a card
less, on the same deals: the correlation of a seat's margin between the two says how much noise a comparison of two card
sets is spared. Beside it stands a plain seeded shuffle, which orders the places of the deck, not the cards.
Exits with 1 if a test fails.

    python benchmarks/studies/deals.py --deals 1000000
"""

import argparse
import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from simcore import bots, cardset
from simcore.cardset import CardSet
from simcore.games.lost_cities.cardset import SCHEMA
from simcore.play import Table
from tests.simcore.deal_laws import checks, places

GAME = "lost-cities"
SEED = 2024
LEAST_P = 1e-4  # of some thirty tests
LEAST_CORRELATION = {"uniform": 0.6, "heuristic": 0.7}
DECKS = (("base", 0), ("base", 1), ("long", 0))
REMOVED = (0, 30, 59)  # rows of the table


def main() -> int:
    """Print both parts; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1_000_000, help="deals of each deck that is tested")
    parser.add_argument("--blocks", type=int, default=20_000, help="deals played with and without a card")
    asked = parser.parse_args()
    failed = [*law(asked.deals), *comparisons(asked.blocks)]
    for failure in failed:
        print("FAILED:", failure)
    return 1 if failed else 0


def law(deals: int) -> Iterator[str]:
    """Print every test of every deck; yield those that fail."""
    print(f"{'deck':<8}{'round':>6}  {'what':<40}{'chi-square':>12}{'freedom':>9}{'p':>10}   ({deals:,} deals)")
    for name, purpose in DECKS:
        for check in checks(places(name, SEED, deals, purpose)):
            print(
                f"{name:<8}{purpose + 1:>6}  {check.name:<40}{check.statistic:>12.1f}{check.freedom:>9}{check.p:>10.4f}"
            )
            if check.p <= LEAST_P:
                yield f"{check.name} of the deck {name}: p = {check.p:.2g}, at least {LEAST_P} is asked"


def comparisons(blocks: int) -> Iterator[str]:
    """Print how alike the games with and without a card are, for every cheap bot; yield what is less than asked."""
    base = cardset.load(SCHEMA, "single_round")
    print(f"\n{'bot':<24}{'without':<9}{'keyed':>8}{'plain':>8}   correlation of margins, {blocks:,} deals")
    for bot in (bot.name for bot in bots.available(GAME) if bot.cost == "cheap"):
        margin = margins(base, bot, blocks)
        if margin.std() == 0.0:
            print(f"{bot:<24}always a draw")
            continue
        found = []
        for row in REMOVED:
            keyed, plain = without(base, row)
            found.append(correlation(margin, margins(keyed, bot, blocks)))
            card = base.tables["cards"][row]["id"]
            print(f"{bot:<24}{card:<9}{found[-1]:>8.3f}{correlation(margin, margins(plain, bot, blocks)):>8.3f}")
        least, average = LEAST_CORRELATION.get(bot, -1.0), float(np.mean(found))
        if average < least:
            yield f"{bot}: correlations of {average:.3f} on average, at least {least} is asked"


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


if __name__ == "__main__":
    sys.exit(main())
