"""The analysis of a large run against a bare polars pass over the same files, and its memory.

    python benchmarks/analysis_speed.py [RUN]

Without a run folder one of 10,000,000 made-up games is written to a temporary folder: a few different shards, each
linked many times, as the time depends on the number of rows and not on what they say.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

from analysis.balance import analyse
from simcore import manifest as manifests
from simcore import runlog, tables
from simcore.runlog import Run, open_run, part_path
from tests.analysis.fake_run import FakeBot, FakeRun, manifest, shard

MOST_RATIO, MOST_GIB = 20, 3
BOTS = (FakeBot("uniform", "random"), FakeBot("expert", "expert", 20.0))


def linked_run(folder: Path, games: int = 10_000_000, different: int = 4) -> Run:
    """A run of so many games in two line-ups; shards of one length repeat after a few."""
    fake = FakeRun(blocks=games // 4, bots=BOTS, line_ups=((0, 0), (1, 1)), blocks_per_shard=8192, first_points=1.0)
    described = manifest(fake)
    columns, cut = tables.tables(described), manifests.cut(described)
    (folder / runlog.CARD_SET).mkdir(parents=True)
    for table in columns:
        (folder / table).mkdir()
    (folder / runlog.MANIFEST).write_bytes(manifests.encode(described))
    made: dict[tuple[int, int, int], tuple[int, dict[str, runlog.PartEntry]]] = {}
    lines = []
    for number in range(cut.shards):
        line_up, first, last = cut.blocks_of(number)
        key = (line_up, last - first, number % different)
        if key in made:
            for table in columns:
                os.link(part_path(folder, table, made[key][0]), part_path(folder, table, number))
        else:
            frames, entries = shard(fake, line_up, number, first, last), {}
            for table, its_columns in columns.items():
                part = tables.encode(table, frames[table], its_columns)
                part_path(folder, table, number).write_bytes(part.data)
                entries[table] = runlog.PartEntry(part.rows, len(part.data), part.sha256)
            made[key] = number, entries
        lines.append(runlog.ShardEntry(number, line_up, first, last, made[key][1]).encode())
    (folder / runlog.SHARDS).write_bytes(b"".join(lines))
    return open_run(folder)


def bare_pass(run: Run) -> float:
    """Seconds for the sum of every column of every table."""
    start = time.perf_counter()
    for table in run.tables:
        run.scan(table).select(pl.all().sum()).collect(engine="streaming")
    return time.perf_counter() - start


def peak_gib() -> float:
    """Peak memory of this process in GiB; NaN where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**30


def measure(run: Run) -> int:
    """Print the measures; 1 if one is missed."""
    bare = min(bare_pass(run) for _ in range(3))
    start = time.perf_counter()
    analyse(run)
    taken = time.perf_counter() - start
    print(
        f"{run.games:,} games; bare pass {bare:.1f} s; analysis {taken:.1f} s, {taken / bare:.1f} times as long; ",
        end="",
    )
    print(f"peak memory {peak_gib():.2f} GiB (wanted: at most {MOST_RATIO} times, {MOST_GIB} GiB)")
    return int(taken > MOST_RATIO * bare or peak_gib() > MOST_GIB)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(measure(open_run(sys.argv[1])))
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(measure(linked_run(Path(temporary) / "run")))
