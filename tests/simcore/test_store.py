"""Runs in an object store: written, resumed, read and analysed as on a disk."""

import itertools
import json
import signal
import subprocess
import sys
import threading
import time

import polars as pl
import pytest

import analysis
from analysis.balance import analyse, plain_data
from simcore import batch, request, runlog, shardlog, store_lock
from simcore.errors import InputError, JobError
from simcore.places import Address, address, place
from simcore.shardlog import ShardLog
from tests.simcore import toy
from tests.simcore.kills import assert_same_tables
from tests.simcore.stores import a_bucket


@pytest.fixture(scope="module")
def bucket():
    with a_bucket() as where:
        yield where


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    return toy.play(toy.a_plan(), tmp_path_factory.mktemp("reference") / "run", threads=1)


NUMBERS = itertools.count()


@pytest.fixture
def out(bucket, tmp_path):
    return f"{bucket}/runs/{tmp_path.name}"


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(store_lock, "BEAT", 0.05)
    monkeypatch.setattr(store_lock, "PATIENCE", 0.5)


class StoppedError(Exception):
    pass


def stop_after(games):
    def stop(progress):
        if progress.new >= games:
            raise StoppedError

    return stop


def lines(out):
    return ShardLog(place(out)).read(1 << 20).count(b"\n")


# Addresses.


def test_an_address_has_the_parts_of_a_path():
    run = place("s3://bucket/runs/one/")
    assert address(run) == Address("s3://bucket/runs/one")
    assert (str(run / "games"), run.name, str(run.parent)) == ("s3://bucket/runs/one/games", "one", "s3://bucket/runs")
    assert str(run / "../two/report") == "s3://bucket/runs/two/report"
    assert str(run.with_name("two")) == "s3://bucket/runs/two"
    assert run.absolute() == run.resolve() == run
    assert address(place("runs/one")) is None


def test_files_of_a_store_are_written_listed_and_removed(out):
    folder = place(out)
    assert not folder.exists()
    (folder / "a.txt").write_bytes(b"one")
    (folder / "b" / "c.txt").write_bytes(b"three")
    assert (folder.exists(), folder.is_dir(), (folder / "a.txt").is_file()) == (True, True, True)
    assert address(folder).sizes() == {"a.txt": 3, "b": 0}
    assert address(folder / "b").read_all(["c.txt"]) == {"c.txt": b"three"}
    assert [str(path) for path in folder.glob("*/c.txt")] == [f"{out}/b/c.txt"]
    (folder / "a.txt").unlink()
    with pytest.raises(FileNotFoundError):
        (folder / "a.txt").read_bytes()
    with pytest.raises(FileExistsError):
        address(folder / "b" / "c.txt").create(b"another")


def test_a_store_that_cannot_be_used_is_one_message(bucket):
    with pytest.raises(InputError, match=r"s3://no-bucket/run/lock cannot be written: .*Choose another folder"):
        toy.play(toy.a_plan(), "s3://no-bucket/run")
    with pytest.raises(InputError, match="s3://bucket/nothing is not a run folder: there is no such folder"):
        runlog.open_run("s3://bucket/nothing")
    with pytest.raises(InputError, match="gopher:// is no protocol"):
        runlog.open_run("gopher://bucket/run")


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(InputError, match=r"pip install 'fairdeal\[cloud\]'"):
        runlog.open_run("gs://bucket/run")


# Runs.


def test_a_run_in_a_store_holds_the_same_rows_and_bytes(out, reference):
    run = toy.play(toy.a_plan(), out, threads=3)
    assert_same_tables(run, reference)
    for number, table in itertools.product(run.shards, run.tables):
        parts = [runlog.part_path(one.path, table, number).read_bytes() for one in (run, reference)]
        assert parts[0] == parts[1]
    run.verify()
    assert not (place(out) / "lock").exists()


def test_queries_on_a_store_see_what_those_on_a_disk_see(out, reference):
    run = toy.play(toy.a_plan(), out)
    for ask in (
        lambda rows: rows.filter(pl.col("deal") == 7).select("game", "turns"),
        lambda rows: rows.head(13),
        lambda rows: rows.group_by("line_up").agg(pl.col("turns").sum()).sort("line_up"),
    ):
        assert ask(run.scan("games")).collect().equals(ask(reference.scan("games")).collect())
    assert run.scan("seats", line_up=1).collect().equals(reference.scan("seats", line_up=1).collect())


def test_a_stopped_run_goes_on_and_keeps_what_was_finished(out, reference):
    with pytest.raises(StoppedError):
        toy.play(toy.a_plan(), out, threads=2, progress=stop_after(30))
    kept = lines(out)
    assert 0 < kept < 12
    with pytest.raises(InputError, match="already holds a run"):
        toy.play(toy.a_plan(), out)
    played = []
    run = toy.play(toy.a_plan(), out, resume=True, progress=lambda now: played.append(now.new))
    assert_same_tables(run, reference)
    assert played[-1] == sum((entry.last - entry.first) * 2 for entry in run.shards.values()) - games_of(run, kept)
    assert len(address(place(out) / shardlog.SEGMENTS).sizes()) == 2


def games_of(run, lines):
    """The games in the first shards of the log, as so many lines tell them."""
    first = (Address(f"{run.path}/{shardlog.SEGMENTS}/000000.jsonl")).read_bytes().splitlines()
    assert len(first) == lines
    found = [json.loads(line) for line in first]
    return sum((entry["last"] - entry["first"]) * 2 for entry in found)


def test_a_killed_run_is_taken_over_and_loses_nothing(out, reference, impatient):
    process = subprocess.Popen([sys.executable, "-m", "tests.simcore.toy", out, "2"])
    while lines(out) < 3:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (place(out) / "lock").exists()
    assert_same_tables(toy.play(toy.a_plan(), out, resume=True), reference)


def test_a_lost_file_is_noticed_and_played_again(out, reference):
    run = toy.play(toy.a_plan(), out)
    runlog.part_path(run.path, "seats", 5).unlink()
    with pytest.raises(InputError, match=r"part-000005\.parquet is missing"):
        runlog.open_run(out)
    assert_same_tables(toy.play(toy.a_plan(), out, resume=True), reference)


def test_a_run_that_was_copied_from_a_disk_goes_on_in_the_store_and_back(out, reference, tmp_path):
    with pytest.raises(StoppedError):
        toy.play(toy.a_plan(), tmp_path / "run", threads=1, progress=stop_after(50))
    for path in (tmp_path / "run").rglob("*"):
        if path.is_file():
            (place(out) / path.relative_to(tmp_path / "run").as_posix()).write_bytes(path.read_bytes())
    run = toy.play(toy.a_plan(), out, resume=True)
    assert_same_tables(run, reference)
    for path in place(out).glob("**"):
        if path.is_file():
            back = tmp_path / "back" / str(path).removeprefix(f"{out}/")
            back.parent.mkdir(parents=True, exist_ok=True)
            back.write_bytes(path.read_bytes())
    assert_same_tables(runlog.open_run(tmp_path / "back"), reference)


def test_the_analysis_of_lost_cities_in_a_store_is_that_of_a_local_run(out, tmp_path):
    plan = request.balance_plan("lost-cities", "uniform,heuristic", games=400)
    found = [plain_data(analyse(batch.run(plan, where))) for where in (out, tmp_path / "run")]
    assert found[0] == found[1]
    logs = [analysis.load(where).seats.collect() for where in (out, tmp_path / "run")]
    assert logs[0].equals(logs[1])


# The log in segments, and the lock.


def test_lines_lie_in_segments_that_are_written_until_they_are_full(out, monkeypatch):
    monkeypatch.setattr(shardlog, "FULL", 40)
    log = ShardLog(place(out))
    for number in range(10):
        log.append(f"line {number:06d}\n".encode())
    assert len(address(place(out) / shardlog.SEGMENTS).sizes()) == 4
    assert log.read(1 << 20) == b"".join(f"line {number:06d}\n".encode() for number in range(10))
    log.keep(b"line 000003\nline 000009\n")
    assert log.read(1 << 20) == b"line 000003\nline 000009\n"


def test_two_writers_lose_no_line_of_each_other(out):
    one, other = ShardLog(place(out)), ShardLog(place(out))
    for number in range(3):
        one.append(f"one {number}\n".encode())
        other.append(f"other {number}\n".encode())
    assert sorted(one.read(1 << 20).splitlines()) == sorted(
        f"{who} {number}".encode() for who in ("one", "other") for number in range(3)
    )


def test_a_second_writer_is_refused_while_the_first_lives(out, impatient):
    with runlog.only_writer(place(out)), pytest.raises(InputError, match=r"process \d+ on .* is writing in s3"):
        toy.play(toy.a_plan(), out)
    toy.play(toy.a_plan(), out)


def test_a_writer_whose_lock_was_taken_over_stops(out, impatient):
    def steal(progress):
        if progress.new:
            (place(out) / "lock").write_bytes(b"somebody else, 7\n")
            stolen.wait(0.5)

    stolen = threading.Event()
    with pytest.raises(JobError, match="another process has taken over"):
        toy.play(toy.a_plan(), out, threads=1, progress=steal)
    (place(out) / "lock").unlink()
