"""Playing a plan: shards go to the workers of an executor, and come back as encoded tables that are written one by one.

Workers are threads of this process by default (kernels release the interpreter's lock); any other `concurrent.futures`
executor does as well. What is played depends on the plan alone, so the tables are the same whoever works on it.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl

from simcore import runlog, tables
from simcore.errors import FairdealError, InputError, JobError
from simcore.manifest import Manifest, make_manifest
from simcore.plan import Plan, PlanPart, Shard

Play = Callable[[Shard], Mapping[str, pl.DataFrame]]
Columns = Mapping[str, tuple[tables.Column, ...]]
Encoded = dict[str, tables.Part]
Submit = Callable[[Shard], Future[Encoded]]

SHARDS_PER_WORKER = 2  # in flight: one is played, one waits, so that nobody idles while results are written
HEARTBEAT = 0.25  # seconds between two looks at the clock and at Ctrl-C while shards are being played


@dataclass(frozen=True)
class Progress:
    """How far a run is. `played` of its `games` are in the log, `new` of them since this call began, `seconds` ago."""

    played: int
    games: int
    new: int
    seconds: float

    @property
    def rate(self) -> float:
        """Games per second in this call."""
        return self.new / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """The time that the rest takes at this rate, None before the first shard is finished."""
        return (self.games - self.played) / self.rate if self.rate > 0 else None


class Total:
    """The progress of several runs, played one after the other, as one: `note` takes that of the run under way.

    `games` are those of all runs together.
    """

    def __init__(self, games: int, show: Callable[[Progress], None] | None) -> None:
        self.games = games
        self.show = show
        self._finished = self._new = self._new_here = 0
        self._begin = time.perf_counter()

    def note(self, now: Progress) -> None:
        """Show how far all is, given how far this run is."""
        self._new_here = now.new
        if self.show is not None:
            seconds = time.perf_counter() - self._begin
            self.show(Progress(self._finished + now.played, self.games, self._new + now.new, seconds))

    def finish(self, games: int) -> None:
        """Note that this run, of so many games, is finished."""
        self._finished += games
        self._new += self._new_here
        self._new_here = 0

    def go_on(self, games: int) -> None:
        """Begin with the first run again: all are to reach so many games now."""
        self.games, self._finished = games, 0


def run(
    plan: Plan,
    out: str | Path,
    executor: Executor | None = None,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    *,
    blocks: int | None = None,
    part: PlanPart | None = None,
    play: Play | None = None,
    manifest: Manifest | None = None,
) -> runlog.Run:
    """Play what is missing of a plan into the run folder `out` and return the run, which then is complete.

    executor: who plays; by default threads of our own. Processes must be spawned: forking breaks polars.
    threads: the number of workers, by default one a processor, or what `executor` has. At most twice as many shards are
        under way, which bounds the memory.
    resume: go on with the run of the same plan that `out` may hold; shards with damaged files are played again.
    progress: called at the start, after each shard, and a few times a second. An exception from it cancels the run.
    blocks: play only the shards with the first so many blocks of each line-up: the run can go on later, or be ended
        there (runlog.end).
    part: play only the shards of this part of the plan; `simcore.merge` puts the parts together.
    play: plays a shard, a function of a module if the workers are processes; by default simcore.play.play_shard.
    manifest: describes game and bots in the run folder; by default that of the registered ones.

    Raises InputError if `out` cannot be used (see runlog.writing), `threads` is not positive, the plan has no such
    part, or more blocks are asked of a run that was ended; JobError for a full disk and for an error while playing,
    with shard and seed. After these, Ctrl-C or a kill, finished shards are kept and `resume` plays the rest.
    """
    workers = _workers(executor, threads)
    mine = None if part is None else plan.cut.shards_of_part(part)
    manifest = manifest or _declared(plan)
    columns = tables.tables(manifest)
    with runlog.writing(out, plan, manifest, resume) as writer:
        first = plan.cut.first_shards(_blocks(plan, blocks, writer))
        wanted = [number for number in first if mine is None or number in mine]
        missing = [number for number in wanted if number not in writer.finished]
        if missing:
            work = partial(_work, play or _engine(), columns)
            with _pool(executor, workers) as pool:
                games = sum(plan.shard(number).games for number in wanted)
                _play(plan, missing, games, partial(pool.submit, work), workers, writer, progress or _silent)
    return runlog.open_run(out, checksums=False)  # what was there is verified, the rest is new


def _blocks(plan: Plan, blocks: int | None, writer: runlog.Writer) -> int:
    """How many blocks of each line-up are to be played; a run that was ended is repaired, not played on."""
    stop = writer.stopped
    if stop is None:
        return plan.blocks if blocks is None else blocks
    if blocks is not None and blocks > stop.blocks:
        raise InputError(
            f"{writer.folder} was ended after {stop.blocks:,} deals of each line-up ({stop.why}), so it is complete as "
            "it stands. To play more, choose another folder."
        )
    return stop.blocks


def _silent(_: Progress) -> None:
    pass


# The engine is imported when it is asked for: it brings numba, and workers of another engine need neither.


def _engine() -> Play:
    from simcore.play import play_shard

    return play_shard


def _declared(plan: Plan) -> Manifest:
    from simcore import bots, game

    return make_manifest(plan, game.get(plan.game), [bots.get(plan.game, name) for name in plan.bots])


def _workers(executor: Executor | None, threads: int | None) -> int:
    if threads is not None and threads < 1:
        raise InputError(f"the number of threads must be at least 1, not {threads}")
    # Pools of the standard library know their size, under this name only.
    return threads or getattr(executor, "_max_workers", None) or processors()


def processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _pool(executor: Executor | None, workers: int) -> Iterator[Executor]:
    """The given executor, which stays open, or threads of our own, which have ended on the way out."""
    if executor is not None:
        yield executor
        return
    pool = ThreadPoolExecutor(workers, thread_name_prefix="shard")
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _work(play: Play, columns: Columns, shard: Shard) -> Encoded:
    """What a worker does: play a shard and encode its tables."""
    frames = play(shard)
    if set(frames) != set(columns):
        raise JobError(f"the engine made the tables {sorted(frames)} instead of {sorted(columns)}")
    return {table: tables.encode(table, frames[table], its_columns) for table, its_columns in columns.items()}


def _play(
    plan: Plan,
    missing: list[int],
    games: int,
    submit: Submit,
    workers: int,
    writer: runlog.Writer,
    progress: Callable[[Progress], None],
) -> None:
    """Play the missing shards of so many games and write them as they come. However it ends, no shard is left waiting
    in the pool.
    """
    begin = time.perf_counter()
    resumed = games - sum(plan.shard(number).games for number in missing)
    new = 0
    waiting = iter(missing)
    under_way: dict[Future[Encoded], Shard] = {}
    try:
        while True:
            progress(Progress(resumed + new, games, new, time.perf_counter() - begin))
            while len(under_way) < SHARDS_PER_WORKER * workers and (number := next(waiting, None)) is not None:
                shard = plan.shard(number)
                under_way[_submitted(submit, shard)] = shard
            if not under_way:
                return
            done, _ = wait(under_way, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
            shards = sorted(((under_way.pop(future), future) for future in done), key=_sound_ones_first)
            for shard, future in shards:
                writer.write(shard, _result(shard, future))
                new += shard.games
    finally:
        for future in under_way:
            future.cancel()


def _sound_ones_first(pair: tuple[Shard, Future[Encoded]]) -> tuple[bool, int]:
    """The order in which finished shards are written: the error of one must not lose another."""
    shard, future = pair
    return future.cancelled() or future.exception() is not None, shard.number


def _submitted(submit: Submit, shard: Shard) -> Future[Encoded]:
    try:
        return submit(shard)
    except BrokenExecutor as error:
        raise _lost(shard) from error


def _lost(shard: Shard) -> JobError:
    return JobError(
        f"a worker process has ended before {shard} was finished: the system has killed it, most often because memory "
        "ran out. What was finished is kept. Play with fewer workers (--threads)."
    )


def _result(shard: Shard, future: Future[Encoded]) -> Encoded:
    """The tables of a finished shard. A worker's error is raised with shard and seed, so that it can be repeated."""
    try:
        return future.result()
    except FairdealError as error:
        kind = InputError if isinstance(error, InputError) else JobError
        raise kind(f"{shard}: {error}") from error
    except BrokenExecutor as error:
        raise _lost(shard) from error
    except Exception as error:
        raise JobError(f"{shard} failed: {type(error).__name__}: {error}") from error
