"""What happens to a machine while a run is played: the disk, the folder, its permissions, the power, the clock."""

import errno
import multiprocessing
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from simcore import files, runlog, shardlog
from simcore.errors import FairdealError, InputError, JobError
from tests.simcore import toy
from tests.simcore.kills import assert_same_tables


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return toy.play(toy.a_plan(), tmp_path_factory.mktemp("whole") / "run", threads=1)


def small_plan(**changes):
    """Two shards of one line-up, with two tables."""
    return toy.a_plan(**{"line_ups": ((0, 1),), "blocks_per_shard": 10, "log": "games", **changes})


def at_shard(number, fault):
    """An engine that has an accident just before this shard."""

    def play(shard):
        if shard.number == number:
            fault()
        return toy.play_shard(shard)

    return play


def noting(begun):
    """An engine that notes which shards it plays."""

    def play(shard):
        begun.append(shard.number)
        return toy.play_shard(shard)

    return play


# The disk.


class Disk:
    """Refuses the flush number `fails_at` (from 0): a full or dying disk is noticed there at the latest."""

    def __init__(self, fails_at, code):
        self.fails_at, self.code = fails_at, code
        self.flushes = 0

    def fsync(self, descriptor):
        self.flushes += 1
        if self.flushes == self.fails_at + 1:
            raise OSError(self.code, os.strerror(self.code))


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS])
def test_a_disk_that_refuses_any_one_write_loses_nothing_that_was_finished(tmp_path, monkeypatch, code):
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    whole = toy.play(small_plan(), tmp_path / "whole")
    sound = Disk(-1, code)
    monkeypatch.setattr(os, "fsync", sound.fsync)
    toy.play(small_plan(), tmp_path / "counted", threads=1)
    assert sound.flushes > 15  # the manifest, the card set, the tables of two shards, their lines, and names of all
    # The lines of shards that finish at one time are flushed together, so the last flush need not come.
    for number in range(sound.flushes - 1):
        out = tmp_path / str(number)
        monkeypatch.setattr(os, "fsync", Disk(number, code).fsync)
        with pytest.raises(FairdealError, match=rf"{out}.* cannot be written: {os.strerror(code)}"):
            toy.play(small_plan(), out, threads=1)
        assert not list(out.rglob("part*.tmp"))
        monkeypatch.setattr(os, "fsync", lambda descriptor: None)
        lines = (out / runlog.SHARDS).read_bytes().count(b"\n") if (out / runlog.SHARDS).exists() else 0
        begun = []
        run = toy.play(small_plan(), out, resume=True, play=noting(begun))
        assert len(begun) == 2 - lines
        run.verify()
        assert_same_tables(run, whole)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of processes there")
def test_a_write_that_the_disk_takes_in_part_is_undone(tmp_path):
    limited = """
import resource, sys
from simcore.errors import JobError
from tests.simcore import test_faults, toy
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
try:
    toy.play(test_faults.small_plan(blocks_per_shard=20), sys.argv[1], threads=1)
except JobError as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", limited, str(tmp_path / "run")], capture_output=True, text=True)
    assert "part-000000.parquet cannot be written: File too large. Make room on the disk" in told.stdout, told.stderr
    assert not list(tmp_path.rglob("*.tmp"))
    toy.play(small_plan(blocks_per_shard=20), tmp_path / "run", resume=True).verify()


# The folder.


def remove(path):
    """Take a file or folder away at once, also while it is written to."""
    path.rename(path.with_name("gone"))
    shutil.rmtree(path.with_name("gone"), ignore_errors=True)


def test_a_folder_that_is_removed_while_it_is_written_is_a_job_error(tmp_path):
    out = tmp_path / "run"
    with pytest.raises(JobError, match="run has been removed or replaced by another"):
        toy.play(toy.a_plan(), out, threads=1, play=at_shard(6, lambda: remove(out)))
    assert not out.exists()


def test_a_folder_that_another_run_has_taken_is_left_to_it(tmp_path):
    out = tmp_path / "run"
    other = toy.a_plan(seed=8)

    def replace():
        out.rename(tmp_path / "old")
        out.mkdir()
        with runlog.writing(tmp_path / "new", other, toy.manifest(other), resume=False):
            shutil.copytree(tmp_path / "new", out, dirs_exist_ok=True)

    with pytest.raises(JobError, match="run has been removed or replaced by another"):
        toy.play(toy.a_plan(), out, threads=1, play=at_shard(6, replace))
    assert not runlog.open_run(out).shards
    assert runlog.open_run(tmp_path / "old").shards


@pytest.mark.parametrize("what", ["seats", runlog.SHARDS])
def test_a_part_of_the_folder_that_is_removed_while_it_is_written_is_a_job_error(tmp_path, whole, what):
    path = tmp_path / "run" / what
    message = rf"{what}.* cannot be written: No such file .* its permissions have changed since, or files were removed"
    with pytest.raises(JobError, match=message):
        toy.play(toy.a_plan(), tmp_path / "run", threads=1, play=at_shard(6, lambda: remove(path)))
    with pytest.raises(InputError, match=rf"{what}.* is missing.*--resume"):
        runlog.open_run(tmp_path / "run")
    run = toy.play(toy.a_plan(), tmp_path / "run", resume=True)
    run.verify()
    assert_same_tables(run, whole)


NOBODY = 65534
AS_NOBODY = """
import os, pathlib, sys
from simcore.errors import JobError
from tests.simcore import test_faults, toy
out = pathlib.Path(sys.argv[1])
if os.geteuid() == 0:  # nothing is forbidden to root
    toy.play(toy.a_plan(), out.with_name("first"))  # loads what others may not read
    os.setuid(int(sys.argv[2]))
try:
    toy.play(toy.a_plan(), out, threads=1, play=test_faults.at_shard(6, lambda: (out / "games").chmod(0o500)))
except JobError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are other ones there")
def test_a_permission_that_is_lost_while_a_run_is_written_is_a_job_error(tmp_path_factory, whole):
    home = pathlib.Path(tmp_path_factory.mktemp("open"))
    for folder in (home, *home.parents):  # so that others may enter
        if os.geteuid() == 0 and pathlib.Path(tempfile.gettempdir()) in folder.parents:
            folder.chmod(0o777)
    out = home / "run"
    told = subprocess.run([sys.executable, "-c", AS_NOBODY, str(out), str(NOBODY)], capture_output=True, text=True)
    assert "cannot be written: Permission denied." in told.stdout, told.stderr
    assert "its permissions have changed since" in told.stdout
    assert len(runlog.open_run(out).shards) >= 4
    (out / "games").chmod(0o700)
    assert_same_tables(toy.play(toy.a_plan(), out, resume=True), whole)


# The power.


class Power:
    """What a loss of power would leave below a folder: contents and names count as they were when they were flushed."""

    def __init__(self, base):
        self.base = base
        self.contents, self.names = {}, set()

    def fsync(self, descriptor):
        path = pathlib.Path(f"/proc/self/fd/{descriptor}").readlink()
        if path.is_dir():
            self.names |= {self._name(entry) for entry in path.iterdir()}
        else:
            self.contents[path.stat().st_ino] = path.read_bytes()

    def content(self, path):
        """The content of a file after a loss of power, None if it is not there."""
        levels = [path, *path.parents]
        there = all(self._name(level) in self.names for level in levels[: levels.index(self.base)])
        return self.contents.get(path.stat().st_ino) if there else None

    @staticmethod
    def _name(path):
        return path.parent.stat().st_ino, path.name, path.stat().st_ino


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc what is flushed")
def test_what_a_line_tells_outlasts_a_loss_of_power(tmp_path, monkeypatch):
    power = Power(tmp_path)
    monkeypatch.setattr(os, "fsync", power.fsync)
    out = tmp_path / "deep" / "run"
    append, lines = files.append_line, []

    def look(path, line):
        named = [*out.glob("*/part-*"), *(out / runlog.CARD_SET).iterdir(), out / runlog.MANIFEST, out / runlog.SHARDS]
        assert len(named) >= 2 * (len(lines) + line.count(b"\n")) + 4
        for file in named:
            assert power.content(file) == file.read_bytes(), f"{file} would be lost"
        append(path, line)
        lines.extend(line.splitlines())
        assert power.content(path) == path.read_bytes()

    monkeypatch.setattr(shardlog, "append_line", look)
    toy.play(small_plan(), out, threads=1)
    assert len(lines) == 2


# The clock.


def test_a_clock_that_jumps_changes_nothing(tmp_path, whole, monkeypatch):
    jumps = iter(range(0, -(10**9), -(10**5)))
    monkeypatch.setattr(time, "time", lambda: next(jumps))
    reports = []
    run = toy.play(toy.a_plan(), tmp_path / "run", threads=2, progress=reports.append)
    assert [report.seconds for report in reports] == sorted(report.seconds for report in reports)
    for file in run.path.rglob("*"):
        os.utime(file, (2**33, 2**33) if file.suffix == ".parquet" else (0, 0))
    assert toy.play(toy.a_plan(), run.path, resume=True, play=at_shard(0, pytest.fail)) == run
    assert_same_tables(run, whole)


# The workers.


def test_polars_knows_numpy_before_threads_play():
    code = "import simcore.batch, polars._dependencies as known; print(hasattr(known.numpy, '__lazy__'))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


def die_once(shard):
    """Play, but let the system kill the worker at shard 6, as it does when memory runs out."""
    if shard.number == 6:
        os.kill(os.getpid(), signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    return toy.play_shard(shard)


def test_a_worker_that_is_killed_is_one_message_and_loses_no_finished_shard(tmp_path, whole):
    with (
        ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor,
        pytest.raises(JobError, match=r"^a worker process has ended before shard \d+ .*memory ran out") as error,
    ):
        toy.play(toy.a_plan(), tmp_path / "run", executor=executor, play=die_once)
    assert len(str(error.value).splitlines()) == 1
    assert len(runlog.open_run(tmp_path / "run").shards) >= 3  # of the seven begun, at most four were under way
    assert_same_tables(toy.play(toy.a_plan(), tmp_path / "run", resume=True), whole)


def test_the_error_of_one_shard_does_not_lose_another_that_has_finished_with_it(tmp_path):
    class AllAtOnce(ThreadPoolExecutor):
        """Every future has its result as soon as it is made."""

        def submit(self, fn, /, *args, **kwargs):
            future = Future()
            try:
                future.set_result(fn(*args, **kwargs))
            except ZeroDivisionError as error:
                future.set_exception(error)
            return future

    def fail():
        raise ZeroDivisionError("no luck")

    with pytest.raises(JobError, match=r"shard 2 .* no luck"):
        toy.play(toy.a_plan(), tmp_path / "run", executor=AllAtOnce(), threads=3, play=at_shard(2, fail))
    assert sorted(runlog.open_run(tmp_path / "run").shards) == [0, 1, 3, 4, 5]
