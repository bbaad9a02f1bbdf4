"""Runs on a Dask cluster: its workers play the shards and write their files, this process alone keeps the log.

    with cluster("tcp://head-node:8786"):
        batch.run(plan, "/shared/run")          or any study that plays

The folder of a run must be one that all workers see under the same name: a shared folder, or an address of a store.
Jobs that write no files need none: what their pieces come to is returned (batch.in_order). Every worker, also one that
joins later, first shows that it sees the folder, and that it plays the same: versions and code are compared. Pieces
(of a run: shards) of a worker that is lost are done again elsewhere, and one that takes far longer than the others is
done a second time. It does not matter which attempt wins, or that both write: equal shards are equal bytes. Addresses,
TLS and timeouts are those of Dask's own configuration.
"""

import logging
import secrets
import statistics
import sys
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Generic

from platformdirs import user_cache_path

from simcore import batch, bots
from simcore import game as games
from simcore.batch import SHARDS_PER_WORKER, P, T, Task, result_of
from simcore.errors import FairdealError, InputError, JobError
from simcore.files import TEMPORARY, write_file
from simcore.manifest import version

PACKAGES = ("numba", "llvmlite", "numpy", "polars", "distributed")  # whose versions must be those of this machine
CONNECT = 20.0  # seconds until the scheduler must have answered
NO_WORKERS = 60.0  # seconds for which a cluster may be without workers
RECOUNT = 5.0  # seconds between two looks at how many workers there are
RETRIES = 2  # of a shard whose worker fails in a way that nobody foresaw
MOST_LOSSES = 3  # times that a shard is begun again after its workers have died; each time Dask itself tries four
LATE = 3.0  # times the usual time of a shard, after which it is played a second time …
LATE_AT_LEAST = 2.0  # … but not before so many seconds
KEPT_ORDERS = 16  # orders that a worker remembers to have prepared


# --- What workers are told, and do ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """What a worker is told once for a job. `expected` are versions and code of this machine, `token` is a file in the
    job's folder, if it has one, and `secret` its content, `files` the user's files that bots come from, by their path
    in the name.
    """

    number: str
    job: Task[Any, Any]
    expected: Mapping[str, str]
    token: Path | None
    secret: bytes
    files: Mapping[str, bytes]


@dataclass(frozen=True)
class Refusal:
    """An error of fairdeal's at a worker: a result like another, since trying again would not help."""

    worker: str
    message: str
    is_input: bool

    def error(self, where: str) -> FairdealError:
        """The error, to be raised by the one who asked."""
        return (InputError if self.is_input else JobError)(f"{where}: {self.message}")


_prepared: OrderedDict[str, Task[Any, Any]] = OrderedDict()
_preparing = threading.RLock()


def play(order: Order, number: int) -> Any:
    """Do a piece of the job at a worker, of a run a shard: what it comes to, or a Refusal."""
    try:
        job = _prepare(order)
        return job.done(job.piece(number))
    except FairdealError as error:
        from distributed import get_worker

        return Refusal(get_worker().address, str(error), isinstance(error, InputError))


def examine(order: Order) -> Refusal | None:
    """Whether a worker can play an order: None if so."""
    try:
        _prepare(order)
    except FairdealError as error:
        return Refusal("", str(error), isinstance(error, InputError))  # who asks knows whom
    return None


def _prepare(order: Order) -> Task[Any, Any]:
    """The job as this worker plays it. The first time, raises InputError where the worker is not fit for the order."""
    with _preparing:
        if order.number not in _prepared:
            _compare(order)
            _see_folder(order)
            _prepared[order.number] = _with_files(order)
            while len(_prepared) > KEPT_ORDERS:
                _prepared.popitem(last=False)
        return _prepared[order.number]


def _compare(order: Order) -> None:
    mine = fingerprint(order.job.game)
    differences = [
        f"{what} is {mine.get(what, 'missing')} there and {wanted} here"
        for what, wanted in order.expected.items()
        if mine.get(what) != wanted
    ]
    if differences:
        raise InputError(
            f"the worker would not play the same: {'; '.join(differences)}. Install the same versions on all machines, "
            "and start the worker again."
        )


def _see_folder(order: Order) -> None:
    if order.token is None:
        return
    folder = order.job.folder
    advice = "A run on a cluster needs a folder that all machines share under one name, or a store, as s3://bucket/run."
    try:
        found = order.token.read_bytes()
    except OSError as error:
        raise InputError(f"the worker does not see the run's folder {folder} ({error.strerror}). {advice}") from error
    if found != order.secret:
        raise InputError(f"the worker sees another folder under the name {folder}. {advice}")
    probe = order.token.with_name(f"{order.token.name.removesuffix(TEMPORARY)}-{secrets.token_hex(4)}{TEMPORARY}")
    write_file(probe, b"")
    with suppress(OSError):
        probe.unlink(missing_ok=True)


def _with_files(order: Order) -> Task[Any, Any]:
    """The job with the user's files of bots laid down here, and named as they lie here."""
    job = order.job
    names = list(job.bots)
    for path, content in order.files.items():
        digest = bots.digest(content)
        here = user_cache_path("fairdeal") / "bots" / digest / Path(path).name
        here.parent.mkdir(parents=True, exist_ok=True)
        write_file(here, content)
        names = [name.replace(path, str(here), 1) if bots.file_in(name) == path else name for name in names]
    for name in names:
        if job.game and bots.file_in(name):
            bots.admit(job.game, name)
    return job.with_bots(tuple(names))


def fingerprint(game: str | None) -> dict[str, str]:
    """What must be the same wherever shards of a run are played: versions, and the code of the game with its bots."""
    return {**_versions(), **({"the code of the game and its bots": _code(game)} if game else {})}


@cache
def _versions() -> dict[str, str]:
    return {
        "fairdeal": version(),
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        **{package: metadata.version(package) for package in PACKAGES},
    }


@cache
def _code(game: str) -> str:
    from simcore.engine import code_hash

    return code_hash(games.get(game))[:16]


def _same(order: Order) -> Order:
    """An order as a task of the cluster: workers hand it on, and it is made anew where all who have it are lost."""
    return order


# --- The cluster as this process sees it ----------------------------------------------------------------------------


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """Let the runs of this block be played by the Dask cluster whose scheduler has this address.

    It is asked for when it is first needed. Then InputError is raised where `distributed` is not installed, no
    scheduler answers, or a worker is not fit; JobError where scheduler or workers are lost for good.
    """
    crew = Cluster(address)
    try:
        with batch.played_by(crew):
            yield
    finally:
        crew.close()


class Cluster:
    """A Dask cluster."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._client: Any = None
        self._log = logging.getLogger("distributed.client")
        self._log_level = self._log.level

    @property
    def client(self) -> Any:
        """The connection, made when it is first asked for."""
        if self._client is None:
            self._client = self._connected()
        return self._client

    def _connected(self) -> Any:
        # A scheduler that is gone is one message of ours; the library tells it with tracebacks of its coroutines.
        self._log.setLevel(logging.CRITICAL + 1)
        try:
            return _connect(self.address)
        except ImportError as error:
            raise InputError(
                f"a cluster needs the package distributed, which is not installed ({error}). Install it with:\n"
                "  pip install 'fairdeal[cluster]'"
            ) from error
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            raise InputError(
                f"no Dask scheduler can be reached at {self.address} ({error}). Allowed is the address that the "
                "scheduler tells when it starts, as tcp://host:8786, or tls://host:8786 with Dask's TLS settings."
            ) from error

    def close(self) -> None:
        """Let go of the connection. The cluster goes on."""
        if self._client is not None:
            self._client.close(timeout=2)
        self._log.setLevel(self._log_level)

    @contextmanager
    def team(self, job: Task[P, T]) -> Iterator["ClusterTeam[P, T]"]:
        """The workers as a team for a job, after a check that each is fit for it."""
        number, secret = secrets.token_hex(8), secrets.token_hex(16).encode()
        token = None if job.folder is None else job.folder / f"seen-{number}{TEMPORARY}"
        files = {path: _read(path) for name in job.bots if (path := bots.file_in(name))}
        order = Order(number, job, fingerprint(job.game), token, secret, files)
        if token is not None:
            write_file(token, secret)
        try:
            self._check(order)
            team: ClusterTeam[P, T] = ClusterTeam(self, order)
            try:
                yield team
            finally:
                team.leave()
        finally:
            if token is not None:
                with suppress(OSError):
                    token.unlink(missing_ok=True)

    def _check(self, order: Order) -> None:
        """See that there are workers and each is fit for an order. Raises InputError that names those that are not."""
        with self.losses():
            with suppress(TimeoutError):
                self.client.wait_for_workers(1, timeout=NO_WORKERS)
            answers = self.client.run(examine, order, on_error="return")
        if not answers:
            raise InputError(f"the cluster at {self.address} has no workers. Start some: dask worker {self.address}")
        found = [(worker, answer) for worker, answer in sorted(answers.items()) if answer is not None]
        if not found:
            return
        worker, answer = found[0]
        others = f" (and {len(found) - 1} more of {len(answers)} workers)" if len(found) > 1 else ""
        if isinstance(answer, Refusal):
            raise answer.error(f"worker {worker}{others}")
        raise InputError(
            f"worker {worker}{others} cannot play ({type(answer).__name__}: {answer}). Install fairdeal {version()} "
            "there, and start the worker again."
        )

    @contextmanager
    def losses(self) -> Iterator[None]:
        """Turn what `distributed` raises when the scheduler is gone into one message."""
        try:
            yield
        except (OSError, TimeoutError, CancelledError) as error:
            raise self.gone() from error

    def gone(self) -> JobError:
        """The error for a scheduler that does not answer any more."""
        return JobError(f"the Dask scheduler at {self.address} has gone.")


def _connect(address: str) -> Any:
    """A client of the scheduler at an address; one that cannot connect is closed.

    Else the garbage collector closes it, at any moment: also while the next client starts and holds a lock that closing
    waits for, in the same thread, so for ever.
    """
    from distributed import Client

    class Connecting(Client):  # type: ignore[misc]  # the library is not typed
        def start(self, **arguments: Any) -> None:
            try:
                super().start(**arguments)
            except BaseException:
                with suppress(OSError, TimeoutError):
                    self.close()
                raise

    return Connecting(address, timeout=CONNECT, set_as_default=False, name="fairdeal")


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"bot file {path} cannot be read ({error.strerror}).") from error


@dataclass
class Attempt(Generic[P]):
    """A piece that is under way at some worker: the task's key, and when it was handed over."""

    piece: P
    key: tuple[str, str, int, int]
    since: float = field(default_factory=time.monotonic)


class ClusterTeam(Generic[P, T]):
    """A team (simcore.batch): the workers of a cluster, as many as there are at any time."""

    def __init__(self, crew: Cluster, order: Order) -> None:
        self._crew, self._order = crew, order
        self._executor = crew.client.get_executor(pure=False, retries=RETRIES)
        self._sent = crew.client.submit(_same, order, key=("fairdeal-order", order.number))
        self._attempts: dict[Future[T | Refusal], Attempt[P]] = {}
        self._begun: Counter[int] = Counter()  # attempts of each piece that is under way
        self._losses: Counter[int] = Counter()
        self._seconds: deque[float] = deque(maxlen=256)  # that the latest pieces took
        self._threads, self._counted, self._seen = 0, -RECOUNT, time.monotonic()

    def has_room(self) -> bool:
        """Whether another piece should be begun now."""
        self._recount()
        return len(self._under_way()) < SHARDS_PER_WORKER * self._threads

    def _under_way(self) -> set[int]:
        return {attempt.piece.number for attempt in self._attempts.values()}

    def _recount(self) -> None:
        """Count the workers' threads, now and then. Raises JobError if there have been none for long."""
        now = time.monotonic()
        if now < self._counted + RECOUNT:
            return
        with self._crew.losses():
            self._threads = sum(self._crew.client.nthreads().values())
        self._counted = now
        if self._threads:
            self._seen = now
        elif now > self._seen + NO_WORKERS:
            raise JobError(f"the cluster at {self._crew.address} has lost all its workers.")

    def begin(self, piece: P) -> None:
        """Take a piece on."""
        self._submit(piece)

    def _submit(self, piece: P, **where: Any) -> None:
        key = ("fairdeal-play", self._order.number, piece.number, self._begun[piece.number])
        with self._crew.losses():
            future = self._executor.submit(play, self._sent, piece.number, key=key, **where)
        self._begun[piece.number] += 1
        self._attempts[future] = Attempt(piece, key)

    def busy(self) -> bool:
        """Whether pieces are under way."""
        return bool(self._attempts)

    def finished(self, seconds: float) -> Iterator[tuple[P, T]]:
        """Wait for so long, or until pieces are finished; those, by number, with what they come to.

        Begins others again, where their workers are lost, or once more, where they take far too long.
        """
        done, _ = wait(self._attempts, timeout=seconds, return_when=FIRST_COMPLETED)
        for future in sorted(done, key=lambda future: self._attempts[future].piece.number):
            attempt = self._attempts.pop(future, None)
            if attempt is None:  # the other attempt at it was first
                continue
            piece = attempt.piece
            if _is_lost(future):
                self._begin_again(piece)
                continue
            result = result_of(piece, future)
            if isinstance(result, Refusal):
                raise result.error(f"{piece} at worker {result.worker}")
            self._seconds.append(time.monotonic() - attempt.since)
            self._forget(piece)
            yield piece, result
        self._play_late_ones_twice()

    def _begin_again(self, piece: P) -> None:
        """Begin a piece again whose worker was lost, unless another attempt is under way."""
        if self._crew.client.status != "running":
            raise self._crew.gone()
        self._losses[piece.number] += 1
        if self._losses[piece.number] > MOST_LOSSES:
            raise JobError(f"{piece}: every worker that began it has died. Most often, memory ran out.")
        if piece.number not in self._under_way():
            self._submit(piece)

    def _forget(self, piece: P) -> None:
        """Forget a finished piece, and call off the other attempt at it."""
        others = [future for future, attempt in self._attempts.items() if attempt.piece.number == piece.number]
        for future in others:
            del self._attempts[future]
            future.cancel()
        del self._begun[piece.number]
        self._losses.pop(piece.number, None)

    def _play_late_ones_twice(self) -> None:
        """Once no more pieces wait than there is room for, begin those anew, elsewhere, that take far too long."""
        if not self._seconds or not self.has_room():
            return
        now, longest = time.monotonic(), max(LATE_AT_LEAST, LATE * statistics.median(self._seconds))
        counts = Counter(attempt.piece.number for attempt in self._attempts.values())
        late = [a for a in self._attempts.values() if now - a.since > longest and counts[a.piece.number] == 1]
        if not late:
            return
        with self._crew.losses():
            working = self._crew.client.processing()
        for attempt in late:
            others = [worker for worker, keys in working.items() if attempt.key not in keys]
            if others:
                self._submit(attempt.piece, workers=others, allow_other_workers=True)

    def leave(self) -> None:
        """Call off what is under way."""
        for future in self._attempts:
            future.cancel()
        self._sent.release()


def _is_lost(future: Future[Any]) -> bool:
    """Whether the cluster has given a task up, because of its workers or of itself."""
    if future.cancelled():
        return True
    from distributed.scheduler import KilledWorker, NoWorkerError

    return isinstance(future.exception(), KilledWorker | NoWorkerError | CancelledError)
