"""Do time and memory per shard stay the same however many shards a run has? From 1 to 1,000,000 of them.

    python benchmarks/studies/many_shards.py [--most 1M] [--folder DIR]

Each run has so many shards of one block, with two tables whose files hold a few bytes, in a folder of memory where
there is one (/dev/shm), so that the disk is not what is measured. The files are made beforehand; measured are, per
shard: writing one more of them with all that makes it last (files, line, checksums), opening the run with sizes only
and with checksums, resuming it when nothing is missing, and the peak of memory while it is opened. Each size is
measured in a process of its own. Exits with 1 where something grows from 10,000 shards on, by more than GROWTH.
"""

import argparse
import hashlib
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from cli.options import Count
from simcore import batch, game, request, runlog
from simcore import manifest as manifests
from simcore.bots import available
from simcore.manifest import Manifest
from simcore.plan import Plan
from simcore.runlog import PartEntry, ShardEntry
from simcore.tables import Part

SIZES = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
FEW, GROWTH = 10_000, 1.5  # caches of the processor cost more than nothing, so fewer shards are no measure
WRITTEN = 200  # shards that are written to measure it
DATA = b"a table of a few bytes"
FILE = "all-parts"  # every file of a table is a link to it: a million files of their own would fill the memory
ROWS = {"games": 2, "seats": 4}
PARTS = {table: Part(DATA, rows, hashlib.sha256(DATA).hexdigest()) for table, rows in ROWS.items()}
COLUMNS = ("write", "open, sizes", "open, checksums", "resume", "memory")


def plan(shards: int) -> Plan:
    """A plan with so many shards of one block, and WRITTEN more."""
    return replace(
        request.simulation_plan("lost-cities", "uniform", 2 * (shards + WRITTEN), log="games"), blocks_per_shard=1
    )


def manifest(its_plan: Plan) -> Manifest:
    """Its manifest."""
    bots = {bot.name: bot for bot in available(its_plan.game)}
    return manifests.make_manifest(its_plan, game.get(its_plan.game), [bots[name] for name in its_plan.bots])


def make(folder: Path, its_plan: Plan, shards: int) -> None:
    """The folder as it is when so many shards have been written."""
    described = manifest(its_plan)
    with runlog.writing(folder, its_plan, described, resume=False):
        pass
    for table in ROWS:
        (folder / table / FILE).write_bytes(DATA)
    fingerprint = manifests.fingerprint(described)
    tables = {table: PartEntry(part.rows, len(DATA), part.sha256) for table, part in PARTS.items()}
    with (folder / runlog.SHARDS).open("ab") as log:
        for number in range(shards):
            for table in tables:
                os.link(folder / table / FILE, runlog.part_path(folder, table, number))
            log.write(ShardEntry(number, *its_plan.cut.blocks_of(number), tables).encode(fingerprint))


def seconds(work: Callable[[], object]) -> float:
    """How much processor time it takes; there is no disk to wait for."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(home: str, shards: int) -> tuple[float, ...]:
    """COLUMNS of a run of so many shards: microseconds of processor time, and for memory bytes, per shard."""
    folder = Path(home) / str(shards)
    its_plan = plan(shards)
    make(folder, its_plan, shards)
    before = peak()
    opened = seconds(lambda: runlog.open_run(folder, checksums=False))
    memory = peak() - before
    checked = seconds(lambda: runlog.open_run(folder))
    # All the blocks that are asked for are there, so nothing is played.
    resumed = seconds(lambda: batch.run(its_plan, folder, threads=1, resume=True, blocks=shards))
    with runlog.writing(folder, its_plan, manifest(its_plan), resume=True) as writer:
        assert len(writer.finished) == shards
        new = [its_plan.shard(shards + number) for number in range(WRITTEN)]
        written = seconds(lambda: [writer.write([(shard, PARTS)]) for shard in new])
    shutil.rmtree(folder)
    return 1e6 * written / WRITTEN, *(1e6 * each / shards for each in (opened, checked, resumed)), memory / shards


def main() -> int:
    """Measure each size, print a row each. The number of columns that grow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=partial(Count().convert, param=None, ctx=None), default=SIZES[-1])
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm") if Path("/dev/shm").is_dir() else None)
    arguments = parser.parse_args()
    rows = {}
    print("shards, then per shard: " + ", ".join(f"{name} ({'B' if name == 'memory' else 'µs'})" for name in COLUMNS))
    for shards in (size for size in SIZES if size <= arguments.most):
        with (
            tempfile.TemporaryDirectory(dir=arguments.folder) as home,
            ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as alone,
        ):
            rows[shards] = alone.submit(measure, home, shards).result()
        print(f"{shards:>9,}: " + ", ".join(f"{value:,.1f}" for value in rows[shards]), flush=True)
    grown = [
        name
        for at, name in enumerate(COLUMNS)
        if FEW in rows and any(row[at] > GROWTH * rows[FEW][at] for size, row in rows.items() if size > FEW)
    ]
    print(f"grows with the number of shards: {', '.join(grown) or 'nothing'}")
    return len(grown)


if __name__ == "__main__":
    sys.exit(main() > 0)
