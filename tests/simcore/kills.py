"""Killing runs at random moments: the helpers serve any engine whose runs can be started by a command."""

import subprocess
import time
from pathlib import Path

from polars.testing import assert_frame_equal

from simcore import runlog


def assert_same_tables(one, other):
    """Two complete runs hold the same rows in the same order."""
    assert one.complete
    assert other.complete
    assert one.tables == other.tables
    for table in one.tables:
        assert_frame_equal(one.scan(table).collect(), other.scan(table).collect())


def seconds_of(command):
    """Run a command to its end; how long it took."""
    begin = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - begin


def survivors(command, folder, kills, longest, rng):
    """Runs that were killed `kills` times in all, and the numbers of shards that they had finished at each kill.

    command: a function (out, attempt) -> command line that begins or resumes the run in `out`; attempts count from 0.
    longest: seconds of an uninterrupted run; the moments of the kills are drawn up to it.
    A run that gets finished before it is killed often enough is kept, and a new one is begun for the rest of the kills.
    """
    runs, finished = [], []
    attempt = 0
    while len(finished) < kills:
        out = Path(folder) / f"run-{len(runs)}"
        while True:
            process = subprocess.Popen(command(out, attempt))
            attempt += 1
            try:
                patience = rng.uniform(0, longest) if len(finished) < kills else None
                assert process.wait(patience) == 0
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                shards = out / runlog.SHARDS
                finished.append(shards.read_bytes().count(b"\n") if shards.exists() else 0)
        runs.append(runlog.open_run(out))
    return runs, finished
