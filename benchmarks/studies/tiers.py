"""Is each tier of bots stronger than the one below it, in every game and with every number of seats?

    python benchmarks/studies/tiers.py [--game NAME] [--seats 3] [--blocks 2000] [--search 100] [--search-blocks 50]
                                       [--threads 2]

For each game and number of seats the first bot of each tier (random, simple, expert, trained, and search with so many
playouts a decision) sits alone in a field of the tier below, on the same deals in every seat. Printed: its share of
wins and its margin with 95 % intervals over deals, and decisions a second of the whole table. Exits with 1 where a tier
is not surely stronger than the one below.
"""

import argparse
import sys
from itertools import pairwise

from search import Result, margin, play, share

from simcore import bots as bot_registry
from simcore import game as games

TIERS = ("random", "simple", "expert", "trained")


def is_ahead(found: Result, seats: int) -> bool:
    """Whether the share of wins is surely above an equal one, and the margin above 0."""
    excess = (found.shares - 1 / seats, found.margins)
    return all(bool(part.mean() > 1.96 * part.std(ddof=1) / len(part) ** 0.5) for part in excess)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(games.BUILT_IN))
    parser.add_argument("--seats", type=int)
    parser.add_argument("--blocks", type=int, default=2000)
    parser.add_argument("--search", type=int, default=100, help="playouts; 0 leaves search out")
    parser.add_argument("--search-blocks", type=int, default=50)
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    good = True
    for name in [asked.game] if asked.game else list(games.BUILT_IN):
        first = {bot.tier: bot.name for bot in reversed(bot_registry.available(name))}
        ladder = [first[tier] for tier in TIERS] + ([f"search:{asked.search}"] if asked.search else [])
        for seats in [asked.seats] if asked.seats else games.get(name).seats:
            cards = "single_round" if name == "lost-cities" else None
            for below, bot in pairwise(ladder):
                blocks = asked.search_blocks if bot.startswith("search") else asked.blocks
                found = play(name, cards, (bot, *[below] * (seats - 1)), blocks, asked.threads)
                sure = is_ahead(found, seats)
                good &= sure
                print(
                    f"{name}, {seats} seats, {bot} in a field of {below}: wins {share(found.shares)} "
                    f"(equal: {100 / seats:.1f}), margin {margin(found.margins)}, {blocks:,} "
                    f"deals, {found.decisions / found.seconds:,.0f} decisions a second"
                    f"{'' if sure else '  NOT SURELY AHEAD'}",
                    flush=True,
                )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
