"""Playing a plan: shards go to a team of workers, and what comes back finished is written into the run's log. Other
jobs that are done piece by piece go to the same workers (`in_order`).

The workers are threads of this process by default (kernels release the interpreter's lock), or those of any other
`concurrent.futures` executor; they return encoded tables, which are written here. Where the run lies in a store, and on
a cluster (simcore.cluster), workers write the tables themselves. What is played depends on the plan alone, so the
tables are the same whoever works on it.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import polars as pl

from simcore import runlog, tables
from simcore.errors import FairdealError, InputError, JobError
from simcore.manifest import Manifest, make_manifest
from simcore.places import address, place
from simcore.plan import Plan, PlanPart, Shard

Play = Callable[[Shard], Mapping[str, pl.DataFrame]]
Columns = Mapping[str, tuple[tables.Column, ...]]
Encoded = dict[str, tables.Part]
Result = Encoded | runlog.Entries  # tables to be written, or what the log says of those that the worker has written

SHARDS_PER_WORKER = 2  # in flight: one is played, one waits, so that nobody idles while results are written
HEARTBEAT = 0.25  # seconds between two looks at the clock and at Ctrl-C while shards are being played


class Piece(Protocol):
    """A numbered piece of a job. Its text names it in messages."""

    @property
    def number(self) -> int:
        """Its number, from 0."""


P = TypeVar("P", bound=Piece)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


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

    executor: who plays; by default the cluster of a `simcore.cluster.cluster` around the call, else threads of our own.
        Processes must be spawned: forking breaks polars.
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
    manifest = manifest or declared(plan)
    columns = tables.tables(manifest)
    with runlog.writing(out, plan, manifest, resume) as writer:
        first = plan.cut.first_shards(_blocks(plan, blocks, writer))
        wanted = [number for number in first if mine is None or number in mine]
        missing = [number for number in wanted if number not in writer.finished]
        if missing:
            games = sum(plan.shard(number).games for number in wanted)
            job = Job(plan, place(out).absolute(), columns, play)  # workers elsewhere have another current folder
            # Writing to a store takes long and no work, so there the workers do it side by side.
            work: Callable[[Shard], Result] = job.done if address(job.folder) else job.encoded
            with _team(job, work, executor, workers) as team:
                _play(plan, missing, games, team, writer, progress or _silent)
    return runlog.open_run(out, checksums=False)  # what was there is verified, the rest is new


def in_order(job: "Task[P, T]", count: int, threads: int | None = None) -> Iterator[T]:
    """What the pieces 0 to count - 1 of a job come to, in their order, while others are under way: done by the cluster
    of a `simcore.cluster.cluster` around the call, else by threads of our own, by default one a processor.

    Raises InputError and JobError for what goes wrong, with the piece. However it ends, no piece is left waiting.
    """
    ahead, waiting, done = iter(range(count)), 0, dict[int, T]()
    with _team(job, job.done, None, _workers(None, threads)) as team:
        while waiting < count:
            while team.has_room() and (number := next(ahead, None)) is not None:
                team.begin(job.piece(number))
            done.update((piece.number, result) for piece, result in team.finished(HEARTBEAT))
            while waiting in done:
                yield done.pop(waiting)
                waiting += 1


class Task(Protocol[P, T_co]):
    """What workers need to know to do a job piece by piece, on other machines too: plain data, until it is begun."""

    @property
    def game(self) -> str | None:
        """The registered game that is played, whose code must be the same everywhere; None for an engine of its own."""

    @property
    def bots(self) -> tuple[str, ...]:
        """Who plays."""

    @property
    def folder(self) -> Path | None:
        """Where workers write, a folder or store that all of them see; None where they only return what is done."""

    def with_bots(self, bots: tuple[str, ...]) -> "Task[P, T_co]":
        """The same job where the bots' files have other names."""

    def piece(self, number: int) -> P:
        """A piece by its number."""

    def done(self, piece: P) -> T_co:
        """Do a piece; what it comes to. Any thread may ask."""


@dataclass(frozen=True)
class Job:
    """The task of playing the shards of a run: plain data, but for `play`, which is a function of a module, or None for
    the games that are registered.
    """

    plan: Plan
    folder: Path
    columns: Columns
    play: Play | None

    @property
    def game(self) -> str | None:
        """The game, where no other engine plays."""
        return None if self.play else self.plan.game

    @property
    def bots(self) -> tuple[str, ...]:
        """Who plays."""
        return self.plan.bots

    def with_bots(self, bots: tuple[str, ...]) -> "Job":
        """The same job where the bots' files have other names."""
        return replace(self, plan=replace(self.plan, bots=bots))

    def piece(self, number: int) -> Shard:
        """A shard by its number."""
        return self.plan.shard(number)

    def done(self, piece: Shard) -> runlog.Entries:
        """Play a shard and write its files; the caller writes its line."""
        return runlog.write_parts(self.folder, piece, self.encoded(piece))

    def encoded(self, shard: Shard) -> Encoded:
        """Play a shard and encode its tables."""
        frames = (self.play or _engine())(shard)
        if set(frames) != set(self.columns):
            raise JobError(f"the engine made the tables {sorted(frames)} instead of {sorted(self.columns)}")
        return {table: tables.encode(table, frames[table], columns) for table, columns in self.columns.items()}


class Team(Protocol[P, T_co]):
    """Who does the pieces of a job."""

    def has_room(self) -> bool:
        """Whether another piece should be begun now."""

    def begin(self, piece: P) -> None:
        """Take a piece on. Raises JobError where nobody is left to do it."""

    def busy(self) -> bool:
        """Whether pieces are under way."""

    def finished(self, seconds: float) -> Iterator[tuple[P, T_co]]:
        """Wait for so long, or until pieces are finished; those, by number.

        Raises InputError and JobError for what went wrong, with the piece (of a run: shard and seed).
        """


class Crew(Protocol):
    """Workers that outlast a run, as those of a cluster."""

    def team(self, job: Task[P, T]) -> AbstractContextManager[Team[P, T]]:
        """A team for a job. When the block ends, no piece is left waiting."""


_crew: ContextVar[Crew | None] = ContextVar("crew", default=None)


@contextmanager
def played_by(crew: Crew) -> Iterator[None]:
    """Let the runs of this block that name no executor be played by a crew."""
    before = _crew.set(crew)
    try:
        yield
    finally:
        _crew.reset(before)


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


def declared(plan: Plan) -> Manifest:
    """The manifest of a plan whose game and bots are registered."""
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
def _team(
    job: Task[P, T], work: Callable[[P], T_co], executor: Executor | None, workers: int
) -> Iterator[Team[P, T | T_co]]:
    """The given executor, which stays open, or the crew of the block, or threads of our own, which have ended on the
    way out; the crew does the job's pieces, others `work`. However it ends, no piece is left waiting.
    """
    crew = _crew.get()
    if executor is None and crew is not None:
        with crew.team(job) as team:
            yield team
        return
    pool = executor or ThreadPoolExecutor(workers, thread_name_prefix="shard")
    mine = _Pool(work, pool, workers)
    try:
        yield mine
    finally:
        for future in mine.under_way:
            future.cancel()
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)


@dataclass
class _Pool(Generic[P, T]):
    """A team: the workers of an executor."""

    work: Callable[[P], T]
    pool: Executor
    workers: int
    under_way: dict[Future[T], P] = field(default_factory=dict)

    def has_room(self) -> bool:
        return len(self.under_way) < SHARDS_PER_WORKER * self.workers

    def begin(self, piece: P) -> None:
        try:
            self.under_way[self.pool.submit(self.work, piece)] = piece
        except BrokenExecutor as error:
            raise _lost(piece) from error

    def busy(self) -> bool:
        return bool(self.under_way)

    def finished(self, seconds: float) -> Iterator[tuple[P, T]]:
        done, _ = wait(self.under_way, timeout=seconds, return_when=FIRST_COMPLETED)
        pieces = sorted(((self.under_way.pop(future), future) for future in done), key=_sound_ones_first)
        for piece, future in pieces:
            yield piece, result_of(piece, future)


def _sound_ones_first(pair: tuple[Piece, Future[T]]) -> tuple[bool, int]:
    """The order in which finished shards are written: the error of one must not lose another."""
    piece, future = pair
    return future.cancelled() or future.exception() is not None, piece.number


def _play(
    plan: Plan,
    missing: list[int],
    games: int,
    team: Team[Shard, Result],
    writer: runlog.Writer,
    progress: Callable[[Progress], None],
) -> None:
    """Play the missing shards of so many games and write them as they come."""
    begin = time.perf_counter()
    resumed = games - sum(plan.shard(number).games for number in missing)
    new = 0
    waiting = iter(missing)
    while True:
        progress(Progress(resumed + new, games, new, time.perf_counter() - begin))
        while team.has_room() and (number := next(waiting, None)) is not None:
            team.begin(plan.shard(number))
        if not team.busy():
            return
        new += writer.write(team.finished(HEARTBEAT))


def _lost(piece: Piece) -> JobError:
    return JobError(
        f"a worker process has ended before {piece} was finished: the system has killed it, most often because memory "
        "ran out. What was finished is kept. Play with fewer workers (--threads)."
    )


def result_of(piece: Piece, future: Future[T]) -> T:
    """What a finished piece has come to. A worker's error is raised with the piece (of a run: shard and seed), so that
    it can be repeated.
    """
    try:
        return future.result()
    except FairdealError as error:
        kind = InputError if isinstance(error, InputError) else JobError
        raise kind(f"{piece}: {error}") from error
    except BrokenExecutor as error:
        raise _lost(piece) from error
    except Exception as error:
        raise JobError(f"{piece} failed: {type(error).__name__}: {error}") from error
