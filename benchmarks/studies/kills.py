"""Does a run survive being killed? Twenty times `kill -9` at random moments, each resumed with another thread count.

    python benchmarks/studies/kills.py [--kills 20] [--games 1M]

A real `fairdeal simulate lost-cities` is killed and resumed until it is finished; its tables must equal those of a run
that nobody killed, row for row. Exits with 1 where they do not.
"""

import argparse
import os
import random
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.timing import FAIRDEAL
from cli.options import Count
from simcore import runlog
from tests.simcore.kills import assert_same_tables, seconds_of, survivors

SEED = 7


def command(games: int, threads: int, out: Path, attempt: int) -> list[str]:
    """Begin or resume the run in `out`; each attempt has another number of threads than the one before."""
    words = [
        FAIRDEAL,
        "simulate",
        "lost-cities",
        "--bots",
        "uniform,heuristic",
        "--games",
        str(games),
        "--log",
        "cards",
    ]
    threads = 1 + (threads - 1 + attempt) % 4
    return [*words, "--seed", str(SEED), "--out", str(out), "--threads", str(threads), "--resume", "--quiet"]


def main() -> int:
    """Kill, resume, compare. The number of runs that came out otherwise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--games", type=partial(Count().convert, param=None, ctx=None), default=1_000_000)
    arguments = parser.parse_args()
    line = partial(command, arguments.games, os.cpu_count() or 1)
    with tempfile.TemporaryDirectory() as folder:
        seconds_of(command(2, 1, Path(folder) / "compiled", 0))  # so that no kill falls into compiling
        longest = seconds_of(line(Path(folder) / "whole", 0))
        whole = runlog.open_run(Path(folder) / "whole")
        print(f"{whole.games:,} games in {len(whole.shards)} shards, {longest:.1f} s uninterrupted", flush=True)
        runs, finished = survivors(line, folder, arguments.kills, longest, random.Random(SEED))
        print(f"killed {len(finished)} times, with so many shards finished: {', '.join(map(str, finished))}")
        wrong = sum(not same(run, whole) for run in runs)
    print(f"{len(runs)} runs were killed and finished; {len(runs) - wrong} equal the uninterrupted one row for row")
    return wrong


def same(run: runlog.Run, whole: runlog.Run) -> bool:
    """Whether a run's files are sound and its tables are those of the other."""
    run.verify()
    try:
        assert_same_tables(run, whole)
    except AssertionError as difference:
        print(f"{run.path.name}: {difference}")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main() > 0)
