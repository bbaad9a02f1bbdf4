"""What do a million games cost, in CPU time and on the disk, and what a billion and a trillion of them?

    python benchmarks/scale.py [--game lost-cities] [--seconds 20]

Each game is played with its fewest and its most seats by a bot that costs little (uniform) and by its expert, at each
level of the log, each time in a fresh process with one thread. The number of games is chosen so that a case takes about
so many seconds. It prints the table of docs/scale.md. CPU seconds are those of a whole call of `batch.run`: playing,
encoding, writing and flushing.
"""

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.timing import apart
from simcore import batch, game, request
from simcore.plan import LogLevel

BOTS = ("uniform", "expert")
LEVELS: tuple[LogLevel, ...] = ("games", "cards", "moves")
PROBE = 256
MILLION = 1_000_000


@dataclass(frozen=True)
class Cost:
    """CPU seconds and bytes of a game, at a level of the log."""

    cpu: float
    size: float


def play(name: str, bot: str, seats: int, games: int, level: LogLevel, folder: str) -> int:
    """Play games of a bot against itself into a run folder; the bytes of its tables."""
    plan = request.simulation_plan(name, [bot, bot], games, seats=seats, log=level)
    run = batch.run(plan, Path(folder) / "run", threads=1)
    return sum(part.bytes for entry in run.shards.values() for part in entry.tables.values())


def used(*case: object) -> tuple[float, int]:
    """CPU seconds of playing in a fresh process, and bytes on the disk."""
    with tempfile.TemporaryDirectory() as folder:
        use = apart(play, *case, folder)
    return use.cpu, use.result


def cost(name: str, bot: str, seats: int, level: LogLevel, seconds: float) -> Cost:
    """What a game costs, beyond what a run costs before its first game."""
    start, _ = used(name, bot, seats, PROBE, level)
    some, _ = used(name, bot, seats, PROBE * 9, level)
    per_game = max(1e-6, (some - start) / (PROBE * 8))
    games = max(PROBE * 16, min(MILLION, int(seconds / per_game)))
    cpu, size = used(name, bot, seats, games, level)
    return Cost(max(0.0, cpu - start) / games, size / games)


def main() -> None:
    """Measure and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="only this game; may stand several times")
    parser.add_argument("--seconds", type=float, default=20.0)
    arguments = parser.parse_args()
    print("| game | seats | bot | log | CPU s a million games | GB a million games |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in arguments.game or game.BUILT_IN:
        title, seats = game.get(name).title, game.get(name).seats
        for players in sorted({min(seats), max(seats)}):
            for bot in BOTS:
                used(name, bot, players, PROBE, "moves")  # compiles
                for level in LEVELS:
                    found = cost(name, bot, players, level, arguments.seconds)
                    row = (title, players, bot, level, f"{found.cpu * MILLION:,.0f}", f"{found.size / 1000:.2f}")
                    print(f"| {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main()
