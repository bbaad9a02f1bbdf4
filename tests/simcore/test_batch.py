import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from simcore import batch, runlog
from simcore.errors import InputError, JobError
from tests.simcore import toy
from tests.simcore.kills import assert_same_tables, seconds_of, survivors


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    return toy.play(toy.a_plan(), tmp_path_factory.mktemp("reference") / "run", threads=1)


class Lazy(Executor):
    """Plays the shard that was submitted last first, when somebody waits; counts how many are under way."""

    def __init__(self):
        self.jobs = []
        self.most = 0
        threading.Thread(target=self.work, daemon=True).start()

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.jobs.append((future, fn, args, kwargs))
        self.most = max(self.most, len(self.jobs))
        return future

    def work(self):
        while True:
            time.sleep(0.01)
            if self.jobs:
                future, fn, args, kwargs = self.jobs.pop()
                future.set_result(fn(*args, **kwargs))


def fail_at_5(shard):
    if shard.number == 5:
        raise ZeroDivisionError("no luck")
    return toy.play_shard(shard)


def complain_at_5(shard):
    if shard.number == 5:
        raise InputError("no such bot")
    return toy.play_shard(shard)


def die(shard):
    os._exit(3)


# The same tables, whoever plays.


@pytest.mark.parametrize("threads", [1, 2, 3, 8, 16])
def test_the_number_of_threads_does_not_matter(tmp_path, reference, threads):
    assert_same_tables(toy.play(toy.a_plan(), tmp_path / "run", threads=threads, play=toy.play_slowly), reference)


def test_processes_play_the_same_tables(tmp_path, reference):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        assert_same_tables(toy.play(toy.a_plan(), tmp_path / "run", executor=executor), reference)


def test_any_executor_and_order_plays_the_same_tables(tmp_path, reference):
    run = toy.play(toy.a_plan(), tmp_path / "run", executor=Lazy(), threads=2)
    finished = [json.loads(line)["shard"] for line in (run.path / runlog.SHARDS).read_text().splitlines()]
    assert finished != sorted(finished)
    assert_same_tables(run, reference)


def test_the_size_of_shards_does_not_matter(tmp_path, reference):
    run = toy.play(toy.a_plan(blocks_per_shard=20), tmp_path / "run")
    assert_same_tables(run, reference)


def test_a_given_executor_stays_open(tmp_path):
    with ThreadPoolExecutor(2) as executor:
        toy.play(toy.a_plan(), tmp_path / "run", executor=executor)
        assert executor.submit(int, "3").result() == 3


# Resources, progress, resume.


def test_few_shards_are_under_way_at_once(tmp_path):
    executor = Lazy()
    toy.play(toy.a_plan(), tmp_path / "run", executor=executor, threads=3)
    assert executor.most == 3 * batch.SHARDS_PER_WORKER


def test_no_threads_are_an_input_error(tmp_path):
    with pytest.raises(InputError, match="threads must be at least 1, not 0"):
        toy.play(toy.a_plan(), tmp_path / "run", threads=0)
    assert not (tmp_path / "run").exists()


def test_progress_counts_games_from_the_first_to_the_last(tmp_path):
    reports = []
    toy.play(toy.a_plan(), tmp_path / "run", threads=2, progress=reports.append)
    assert (reports[0].played, reports[0].games, reports[0].seconds_left) == (0, 120, None)
    assert (reports[-1].played, reports[-1].new, reports[-1].seconds_left) == (120, 120, 0)
    assert [report.played for report in reports] == sorted(report.played for report in reports)


def test_the_first_blocks_can_be_played_alone_and_the_others_later(tmp_path, reference):
    reports = []
    toy.play(toy.a_plan(), tmp_path / "run", blocks=7, progress=reports.append)
    assert (reports[0].games, reports[-1].played) == (72, 72)
    assert_same_tables(toy.play(toy.a_plan(), tmp_path / "run", resume=True), reference)


def test_the_progress_of_several_runs_is_shown_as_one():
    reports = []
    total = batch.Total(200, reports.append)
    total.note(batch.Progress(played=60, games=100, new=20, seconds=1.0))
    total.note(batch.Progress(played=100, games=100, new=60, seconds=2.0))
    total.finish(100)
    total.note(batch.Progress(played=30, games=100, new=30, seconds=0.5))
    assert [(now.played, now.games, now.new) for now in reports] == [(60, 200, 20), (100, 200, 60), (130, 200, 90)]
    assert [now.seconds for now in reports] == sorted(now.seconds for now in reports)
    total.finish(100)
    total.go_on(300)
    total.note(batch.Progress(played=110, games=150, new=10, seconds=0.5))
    assert (reports[-1].played, reports[-1].games, reports[-1].new) == (110, 300, 100)


def test_progress_tells_rate_and_time_left():
    progress = batch.Progress(played=500, games=2000, new=300, seconds=2.0)
    assert progress.rate == 150
    assert progress.seconds_left == 10


def test_progress_comes_while_a_long_shard_is_played(tmp_path):
    reports = []
    enough = threading.Event()

    def look(progress):
        reports.append(progress)
        if len(reports) == 5:
            enough.set()

    def play(shard):
        enough.wait()
        return toy.play_shard(shard)

    toy.play(toy.a_plan(), tmp_path / "run", threads=2, progress=look, play=play)
    assert [report.played for report in reports[:5]] == [0] * 5


def test_resume_of_a_complete_run_plays_nothing(tmp_path, reference):
    begun = []
    run = toy.play(toy.a_plan(), reference.path, resume=True, progress=begun.append, play=fail_at_5)
    assert run == reference
    assert not begun


def test_resume_plays_the_missing_shards_only(tmp_path, reference):
    with pytest.raises(JobError):
        toy.play(toy.a_plan(), tmp_path / "run", threads=1, play=fail_at_5)
    there = set(runlog.open_run(tmp_path / "run").shards)
    assert 5 not in there
    played = []

    def play(shard):
        played.append(shard.number)
        return toy.play_shard(shard)

    reports = []
    run = toy.play(toy.a_plan(), tmp_path / "run", resume=True, play=play, progress=reports.append)
    assert sorted(played) == sorted(set(range(12)) - there)
    assert reports[0].played == sum(toy.a_plan().shard(number).games for number in there)
    assert_same_tables(run, reference)


def test_resume_begins_a_run_that_is_not_there(tmp_path, reference):
    assert_same_tables(toy.play(toy.a_plan(), tmp_path / "deep" / "run", resume=True), reference)


# What goes wrong.


def test_an_error_while_playing_names_shard_and_seed(tmp_path):
    message = r"shard 5 \(ann, bob; deals 6 to 11; seed 7\) failed: ZeroDivisionError: no luck"
    with pytest.raises(JobError, match=message):
        toy.play(toy.a_plan(), tmp_path / "run", threads=2, play=fail_at_5)
    assert runlog.open_run(tmp_path / "run").shards


def test_an_input_error_while_playing_stays_one(tmp_path):
    with pytest.raises(InputError, match=r"shard 5 \(.*\): no such bot"):
        toy.play(toy.a_plan(), tmp_path / "run", play=complain_at_5)


def test_an_engine_that_forgets_a_table_is_refused(tmp_path):
    def play(shard):
        frames = toy.play_shard(shard)
        del frames["cards"]
        return frames

    with pytest.raises(JobError, match=r"shard \d+ .*: the engine made the tables \['games', 'moves', 'seats'\]"):
        toy.play(toy.a_plan(), tmp_path / "run", play=play)


def test_workers_that_have_ended_are_a_job_error(tmp_path):
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        with pytest.raises(JobError, match=r"shard \d+"):
            toy.play(toy.a_plan(), tmp_path / "run", executor=executor, play=die)
        with pytest.raises(JobError, match="a worker process has ended before shard 0"):
            toy.play(toy.a_plan(), tmp_path / "run", executor=executor, resume=True)


def test_ctrl_c_leaves_a_run_that_can_be_resumed(tmp_path, reference):
    def interrupt(progress):
        if progress.new:
            raise KeyboardInterrupt

    begun = []

    def play(shard):
        begun.append(shard.number)
        return toy.play_slowly(shard)

    with pytest.raises(KeyboardInterrupt):
        toy.play(toy.a_plan(), tmp_path / "run", threads=2, progress=interrupt, play=play)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("shard")]
    assert len(begun) < 12
    assert 0 < len(runlog.open_run(tmp_path / "run").shards) < 12
    assert not list((tmp_path / "run").rglob("*.tmp"))
    assert_same_tables(toy.play(toy.a_plan(), tmp_path / "run", resume=True), reference)


def toy_command(out, attempt):
    return [sys.executable, "-m", "tests.simcore.toy", str(out), str(1 + attempt % 4)]


# A process that a script has put into the background ignores Ctrl-C, and so would its children. This one does not, and
# goes on as the command. (A function for the new process to begin with, preexec_fn, may hang where there are threads.)
HEARING = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be sent Ctrl-C alone there")
def test_ctrl_c_from_outside_ends_the_process(tmp_path, reference):
    out = tmp_path / "run"
    command = [sys.executable, "-c", HEARING, *toy_command(out, 0)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        log = out / runlog.SHARDS
        while not (log.exists() and log.stat().st_size):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode in (1, 130, -signal.SIGINT)
    assert errors.strip().endswith(b"KeyboardInterrupt")
    assert not (out / "lock").exists()
    assert_same_tables(toy.play(toy.a_plan(), out, resume=True), reference)


def test_kills_at_random_moments_lose_nothing(tmp_path, reference):
    longest = seconds_of(toy_command(tmp_path / "whole", 0))
    runs, finished = survivors(toy_command, tmp_path, kills=6, longest=longest, rng=random.Random(1))
    assert len(finished) == 6
    for run in runs:
        run.verify()
        assert_same_tables(run, reference)


# Other jobs.


@dataclass(frozen=True)
class Number:
    number: int

    def __str__(self):
        return f"number {self.number}"


class Squares:
    """A task whose earlier pieces take longer than those that follow them."""

    game, bots, folder = None, (), None

    def piece(self, number):
        return Number(number)

    def done(self, piece):
        time.sleep(0.05 if piece.number % 3 == 0 else 0)
        if piece.number == 7:
            raise ZeroDivisionError("no luck")
        return piece.number**2


@pytest.mark.parametrize("threads", [1, 3])
def test_what_the_pieces_of_a_job_come_to_is_told_in_their_order(threads):
    assert list(batch.in_order(Squares(), 7, threads)) == [0, 1, 4, 9, 16, 25, 36]


def test_an_error_of_a_piece_names_it():
    with pytest.raises(JobError, match="number 7 failed: ZeroDivisionError: no luck"):
        list(batch.in_order(Squares(), 20, 2))
