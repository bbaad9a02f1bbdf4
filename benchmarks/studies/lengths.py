"""Do a million games of Lisboa among random players end in time, with equal turns, and without a dead end?

    python benchmarks/studies/lengths.py [--games 1000000]

A third of the games has 2, 3 and 4 seats each. What the rules promise (INV-20): with the shipped decks the first period
has at most 19 turns, the game at most 19 + 19 + (2n - 1), and everybody has as many turns as the others. A decision
without a legal option is a dead end; the loop refuses to play on then. Exits with 1 where a promise is broken.
"""

import argparse
import sys
from dataclasses import dataclass

from simcore import request
from simcore.play import Table

GAME = "lisboa"
PERIOD = 19  # the most turns of a period (INV-20)
SEED = 2024


@dataclass
class Lengths:
    """What the games of one number of seats have shown: the longest game and first period, and the faults."""

    games: int = 0
    longest: int = 0
    longest_period: int = 0
    unequal: int = 0
    cut_off: int = 0


def play(seats: int, games: int) -> Lengths:
    """Play so many games, rounded up to whole blocks. Raises JobError at a dead end."""
    table = Table(GAME, request.load_cards(GAME), seats, ("uniform",) * seats, SEED)
    names = [measure.name for measure in table.game.counters]
    turns_of, first_turns = names.index("turns"), names.index("first_turns")
    found, blocks = Lengths(), -(-games // seats)
    for first in range(0, blocks, 10_000):
        for part in table.play(first, min(blocks, first + 10_000), "games"):
            rows = part.rows
            counters = rows["seat"]["counter"][:, :seats]
            turns = counters[:, :, turns_of]
            found.games += len(rows)
            found.longest = max(found.longest, int(rows["turns"].max()))
            found.longest_period = max(found.longest_period, int(counters[:, :, first_turns].sum(axis=1).max()))
            found.unequal += int((turns != turns[:, :1]).any(axis=1).sum())
            found.cut_off += int(rows["truncated"].sum())
    return found


def main() -> int:
    """Play, print, and say by the exit status whether all held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    games, good = parser.parse_args().games, True
    numbers = (2, 3, 4)
    for seats in numbers:
        found, bound = play(seats, -(-games // len(numbers))), 2 * PERIOD + 2 * seats - 1
        kept = found.longest <= bound and found.longest_period <= PERIOD and not found.unequal and not found.cut_off
        good &= kept
        print(
            f"{seats} seats, {found.games:,} games, no dead end: longest game {found.longest} turns ({bound} at most), "
            f"longest first period {found.longest_period} ({PERIOD} at most), {found.unequal} with unequal turns, "
            f"{found.cut_off} cut off: {'kept' if kept else 'BROKEN'}",
            flush=True,
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
