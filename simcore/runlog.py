"""The run folder: how a run is written, so that a crash loses only the shards in flight, and how it is read.

    RUN/manifest.json               what is played (simcore.manifest); it is there from the start
    RUN/shards.jsonl                a line for each finished shard: its blocks, and rows, size and checksum of its files
    RUN/cardset/                    the exact card set that was played
    RUN/<table>/part-000000.parquet the rows of a table from one shard (simcore.tables), named by the shard's number
    RUN/stopped.json                where a run was ended on purpose before its plan: after how many blocks, and why
    RUN/lock                        while a process writes: which one

A shard counts when its line is in shards.jsonl, and its line is written when its files are. A temporary file or a part
without a line is a leftover of a crash, which `resume` removes or writes again. Shards finish in any order; readers go
by their numbers. A run may lie in a store, as s3://bucket/run (simcore.places): there the lines of shards.jsonl lie in
segments (simcore.shardlog).
"""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from simcore import cardset, tables
from simcore import manifest as manifests
from simcore.cardset import CardSet
from simcore.errors import InputError, JobError
from simcore.files import LOCK, TEMPORARY, folder_lock, refusals, write_file
from simcore.manifest import Manifest
from simcore.places import Address, address, on_this_machine, parquet, place
from simcore.plan import Plan, Shard
from simcore.shardlog import SHARDS, ShardLog
from simcore.store_lock import store_lock

MANIFEST = "manifest.json"
CARD_SET = "cardset"
STOPPED = "stopped.json"
# What a run that was stopped before its first shard may have left, besides temporary files.
_BEGINNINGS = {LOCK, SHARDS}


@dataclass(frozen=True)
class PartEntry:
    """What shards.jsonl says about one file of a shard."""

    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class ShardEntry:
    """A line of shards.jsonl: a finished shard, which holds the blocks first to last - 1 of a line-up (index)."""

    shard: int
    line_up: int
    first: int
    last: int
    tables: Mapping[str, PartEntry]

    def encode(self) -> bytes:
        """The line, with its line end."""
        content = {
            "shard": self.shard,
            "line_up": self.line_up,
            "first": self.first,
            "last": self.last,
            "tables": {name: vars(part) for name, part in self.tables.items()},
        }
        return (json.dumps(content) + "\n").encode()

    @classmethod
    def decode(cls, line: bytes, manifest: Manifest) -> "ShardEntry | None":
        """The entry of a line, or None if it is torn or not a shard of the run."""
        try:
            content: dict[str, Any] = json.loads(line)
            parts = {name: PartEntry(**part) for name, part in content.pop("tables").items()}
            entry = cls(tables=parts, **content)
            cut = manifests.cut(manifest)
            fits = 0 <= entry.shard < cut.shards and cut.blocks_of(entry.shard) == (
                entry.line_up,
                entry.first,
                entry.last,
            )
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        return entry if fits and tuple(parts) == tables.TABLES_OF_LOG[manifest["log"]] else None


Entries = Mapping[str, PartEntry]  # what the log says of a shard's files, by table


def part_path(folder: Path, table: str, shard: int) -> Path:
    """The file of a shard's rows of a table."""
    return folder / table / f"part-{shard:06d}.parquet"


@dataclass(frozen=True)
class Stop:
    """A run that was ended on purpose, as its question was answered: after so many blocks of each line-up, and why."""

    blocks: int
    why: str


@dataclass(frozen=True)
class Run:
    """A run folder that has been opened for reading: its manifest, and the shards that are finished, by number.

    `stopped` tells where the run was ended before its plan; it is complete with the blocks up to there.
    """

    path: Path
    manifest: Manifest
    shards: Mapping[int, ShardEntry]
    stopped: Stop | None = None

    @property
    def blocks(self) -> int:
        """The blocks of each line-up, finished or not: those of the plan, or up to where the run was ended."""
        return self.stopped.blocks if self.stopped else manifests.cut(self.manifest).blocks

    @property
    def complete(self) -> bool:
        """Whether all shards are finished."""
        return self.shards.keys() == set(manifests.cut(self.manifest).first_shards(self.blocks))

    @property
    def games(self) -> int:
        """The number of games in the finished shards."""
        return sum((entry.last - entry.first) * self.manifest["seats"] for entry in self.shards.values())

    @cached_property
    def columns(self) -> dict[str, tuple[tables.Column, ...]]:
        """The tables of the run, each with its documented columns."""
        return tables.tables(self.manifest)

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables of the run."""
        return tuple(self.columns)

    def scan(self, table: str, line_up: int | None = None) -> pl.LazyFrame:
        """The rows of a table from all finished shards, or those of one line-up (index), in the order of the games.

        Raises InputError if the run does not log this table.
        """
        if table not in self.columns:
            raise InputError(
                f"{self.path} has no table {table}: it was logged at level {self.manifest['log']!r}, with "
                f"{', '.join(self.tables)}. Play it again with a higher level (games < cards < moves)."
            )
        schema = tables.schema(self.columns[table])
        numbers = [number for number, entry in self.shards.items() if line_up in (None, entry.line_up)]
        if not numbers:
            return pl.LazyFrame(schema=schema)
        paths = [part_path(self.path, table, number) for number in numbers]
        return _scan_store(paths, schema) if address(self.path) else pl.scan_parquet(paths, schema=schema)

    @property
    def card_set_folder(self) -> AbstractContextManager[Path]:
        """The folder with the card set that was played; of a run in a store, a copy of it on this machine."""
        return on_this_machine(self.path / CARD_SET)

    def damages(self, full: bool) -> dict[int, list[str]]:
        """What is wrong with the files of finished shards, by shard: what is missing or has another size.

        `full` reads every file and compares its checksum too, at about a gigabyte a second.
        """
        found = {}
        size_of = _sizes(self.path, self.tables)
        for number, entry in self.shards.items():
            problems = [
                problem
                for table, part in entry.tables.items()
                if (problem := _damage(part_path(self.path, table, number), part, size_of, full))
            ]
            if problems:
                found[number] = problems
        return found

    def verify(self) -> None:
        """Read every file and compare its checksum. Raises InputError that names the damaged ones."""
        _refuse_damages(self.damages(full=True))

    def plan(self, card_set: CardSet) -> Plan:
        """The plan that the run was made from, given the card set of its folder `cardset`.

        Raises InputError if this is not the card set that was played.
        """
        told = self.manifest
        if card_set.hash != told["card_set"]["hash"]:
            raise InputError(
                f"{self.path / CARD_SET} is not the card set that this run was played with: it has been edited. "
                "Restore it from a copy, or play a new run with the edited set."
            )
        return Plan(
            game=told["game"],
            card_set=card_set,
            seats=told["seats"],
            bots=tuple(bot["name"] for bot in told["bots"]),
            line_ups=tuple(tuple(line_up) for line_up in told["line_ups"]),
            games_per_line_up=told["games_per_line_up"],
            blocks_per_shard=told["blocks_per_shard"],
            seed=told["seed"],
            log=told["log"],
        )


def _scan_store(paths: Sequence[Path], schema: pl.Schema) -> pl.LazyFrame:
    """The rows of files in a store, fetched one after the other when the query asks for them."""
    from polars.io.plugins import register_io_source

    def read(
        columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, batch: int | None
    ) -> Iterator[pl.DataFrame]:
        for path in paths:
            if rows == 0:
                return
            frame = pl.scan_parquet(parquet(path), schema=schema)
            frame = frame if predicate is None else frame.filter(predicate)
            frame = frame if columns is None else frame.select(columns)
            found = (frame if rows is None else frame.head(rows)).collect()
            rows = None if rows is None else rows - found.height
            yield found

    return register_io_source(read, schema=schema)


def _sizes(folder: Path, names: Sequence[str]) -> Callable[[Path], int]:
    """A function that tells the bytes of a part. Of a store it asks for lists, not for each file, of which there may be
    a million.
    """
    store = address(folder)
    if store is None:
        return lambda path: path.stat().st_size
    listed = {table: (store / table).sizes() for table in names}

    def size_of(path: Path) -> int:
        try:
            return listed[path.parent.name][path.name]
        except KeyError as error:
            raise FileNotFoundError(str(path)) from error

    return size_of


def _digest(path: Path) -> str:
    """SHA-256 (hex) of a file."""
    if address(path):
        return hashlib.sha256(path.read_bytes()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _damage(path: Path, part: PartEntry, size_of: Callable[[Path], int], full: bool) -> str | None:
    try:
        size = size_of(path)
        if size != part.bytes:
            return f"{path} has {size} bytes instead of {part.bytes}"
        if full and _digest(path) != part.sha256:
            return f"{path} does not match its checksum"
    except FileNotFoundError:
        return f"{path} is missing"
    except OSError as error:
        return f"{path} cannot be read ({error.strerror})"
    return None


def _refuse_damages(damages: Mapping[int, list[str]]) -> None:
    problems = [problem for shard in damages.values() for problem in shard]
    if problems:
        more = f" and {len(problems) - 5} more" if len(problems) > 5 else ""
        raise InputError(
            f"this run is damaged: {'; '.join(problems[:5])}{more}. Resume the run (--resume) to play the "
            f"{len(damages)} damaged shard(s) again."
        )


def open_run(path: str | Path) -> Run:
    """Open a run folder, finished or not, also while it is being written.

    Files must be there with their sizes; `Run.verify` compares their checksums. Raises InputError, which names the file
    and says what to do, if the folder is no run, is damaged, or was written in another format.
    """
    folder = place(path)
    run, bad_lines = _read(folder)
    if bad_lines:
        raise InputError(
            f"{folder / SHARDS} is damaged in line {bad_lines[0]}. Resume the run (--resume) to play what is lost."
        )
    if not (folder / CARD_SET).is_dir():
        raise InputError(f"{folder / CARD_SET} is missing. Resume the run (--resume) to write it again.")
    _refuse_damages(run.damages(full=False))
    return run


def _read(folder: Path) -> tuple[Run, list[int]]:
    """The run as its files tell it, unchecked, and the numbers (from 1) of the unreadable lines of shards.jsonl.

    What follows the last line end is a line that is being written or was torn by a crash; it does not count as damage.
    """
    path = folder / MANIFEST
    try:
        manifest = manifests.decode(path.read_bytes(), str(path))
    except (FileNotFoundError, NotADirectoryError) as error:
        what = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such folder"
        raise InputError(
            f"{folder} is not a run folder: {what}. Name the folder of a run that was simulated."
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        *lines, _torn = ShardLog(folder).read().split(b"\n")
    except FileNotFoundError as error:
        raise InputError(
            f"{folder / SHARDS} is missing, without which the run's tables cannot be trusted. Restore the file from a "
            "copy, or play the run again in another folder."
        ) from error
    except OSError as error:
        raise InputError(f"{folder / SHARDS} cannot be read: {error.strerror}.") from error
    entries = [ShardEntry.decode(line, manifest) for line in lines]
    bad_lines = [number for number, entry in enumerate(entries, start=1) if entry is None]
    shards = {entry.shard: entry for entry in entries if entry is not None}
    return Run(folder, manifest, dict(sorted(shards.items())), _read_stop(folder / STOPPED)), bad_lines


def _read_stop(path: Path) -> Stop | None:
    try:
        content: dict[str, Any] = json.loads(path.read_bytes())
        stop = Stop(**content)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error}). Restore it from a copy, or play the run again.") from error
    if not isinstance(stop.blocks, int) or stop.blocks < 1 or not isinstance(stop.why, str):
        raise InputError(f"{path} is damaged: {content}. Restore it from a copy, or play the run again.")
    return stop


def end(path: str | Path, stop: Stop) -> Run:
    """End a run before its plan: from now on it is complete with the first blocks of each line-up, which are played.

    Raises InputError where those blocks are not all there, others are there as well, or the run was ended elsewhere;
    JobError for a full disk.
    """
    folder = place(path)
    run = open_run(folder)
    if run.stopped == stop:
        return run
    ended = replace(run, stopped=stop)
    if run.stopped is not None or not ended.complete:
        raise InputError(
            f"{folder} cannot be ended after {stop.blocks:,} deals of each line-up: it does not hold exactly those. "
            "It was played for another question or other margins: ask for the same ones, or choose another folder."
        )
    write_file(folder / STOPPED, (json.dumps(vars(stop), ensure_ascii=False) + "\n").encode())
    return ended


class Writer:
    """Writes the shards of one run. `writing` makes it; `finished` are the numbers of the shards that are there, and
    `stopped` tells whether the run was ended before its plan.
    """

    def __init__(
        self, folder: Path, finished: frozenset[int], stopped: Stop | None, is_held: Callable[[], bool]
    ) -> None:
        self.folder = folder
        self.finished = finished
        self.stopped = stopped
        self._is_held = is_held
        self._log = ShardLog(folder)

    def write(self, finished: Iterable[tuple[Shard, Mapping[str, tables.Part | PartEntry]]]) -> int:
        """Write the files of shards, where their workers have not, then their lines. Returns the number of games.

        Raises InputError or JobError where the system refuses, JobError where another process took over the folder.
        """
        if not self._is_held():
            raise JobError(f"another process has taken over {self.folder}, which could not be reached for a while.")
        lines, games = [], 0
        try:
            for shard, parts in finished:
                entries = write_parts(self.folder, shard, parts)
                lines.append(ShardEntry(shard.number, shard.line_up, shard.first, shard.last, entries).encode())
                games += shard.games
        finally:  # the error of one shard loses none that came before it
            if lines:
                self._log.append(b"".join(lines))
        return games


def write_parts(folder: Path, shard: Shard, parts: Mapping[str, tables.Part | PartEntry]) -> Entries:
    """Write the files of a shard, which several workers may do at the same time, and return what the log says of them.

    Raises InputError or JobError where the system refuses.
    """
    entries = {}
    for table, part in parts.items():
        if isinstance(part, PartEntry):
            entries[table] = part
        else:
            write_file(part_path(folder, table, shard.number), part.data)
            entries[table] = PartEntry(part.rows, len(part.data), part.sha256)
    return entries


@contextmanager
def writing(path: str | Path, plan: Plan, manifest: Manifest, resume: bool) -> Iterator[Writer]:
    """Begin a run in a new or empty folder, or go on with the run of an equal plan that is there (`resume`).

    Going on also repairs: leftovers of a crash are removed, and shards with a damaged file or line count as unplayed.
    The folder is locked for other processes meanwhile. Raises InputError if it holds other things, a run although
    `resume` is not set, or another plan's run, or if it may not be written to; JobError for a full disk.
    """
    folder = place(path)
    _refuse(folder, resume)  # before anything is written there, and again when nobody else can write there
    with refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with only_writer(folder) as is_held:
        _refuse(folder, resume)
        if (folder / MANIFEST).exists():
            run = _repaired(folder, manifest)
        else:
            ShardLog(folder).begin()
            write_file(folder / MANIFEST, manifests.encode(manifest))
            run = Run(folder, manifest, {})
        _store_card_set(plan.card_set, folder / CARD_SET)
        for table in run.tables:
            with refusals(folder / table):
                (folder / table).mkdir(exist_ok=True)
        yield Writer(folder, frozenset(run.shards), run.stopped, is_held)


@contextmanager
def only_writer(folder: Path) -> Iterator[Callable[[], bool]]:
    """Hold the only right to write in a folder; the function tells whether it is held still.

    Raises InputError, with the holder, if it is taken.
    """
    store = address(folder)
    if store is None:
        with folder_lock(folder):
            yield lambda: True
    else:
        with store_lock(store, LOCK) as lock:
            yield lambda: not lock.lost


def _refuse(folder: Path, resume: bool) -> None:
    """Raise InputError if no run can begin or go on in the folder."""
    with refusals(folder):
        if not folder.exists():
            return
        if not folder.is_dir():
            raise InputError(f"{folder} is a file. Choose a folder for the run.")
        names = {entry.name for entry in folder.iterdir()}
    if MANIFEST in names:
        if not resume:
            raise InputError(f"{folder} already holds a run. Resume it (--resume), or choose another folder.")
        return
    others = sorted(name for name in names - _BEGINNINGS if not name.endswith(TEMPORARY))
    if others or (SHARDS in names and (folder / SHARDS).stat().st_size > 0):
        raise InputError(
            f"{folder} is not empty and holds no run ({', '.join(others or [SHARDS])}). Choose a new or empty folder."
        )


def _repaired(folder: Path, manifest: Manifest) -> Run:
    """The run in the folder with its sound shards only, after the leftovers of a crash have been removed."""
    run, _ = _read(folder)
    differences = manifests.differences(run.manifest, manifest)
    if differences:
        raise InputError(
            f"{folder} holds the run of another plan, so it cannot be resumed with this one. What differs: "
            f"{'; '.join(differences)}. Ask for the same plan, or choose another folder."
        )
    # A store keeps what it was given, and reading all of it back would take longer than most runs.
    damaged = run.damages(full=not address(folder))
    sound = {number: entry for number, entry in run.shards.items() if number not in damaged}
    ShardLog(folder).keep(b"".join(entry.encode() for entry in sound.values()))
    with refusals(folder):
        for table in ("", *run.tables) if address(folder) is None else ():  # a store has no temporary files
            for leftover in (folder / table).glob(f"*{TEMPORARY}"):
                if leftover.is_file():
                    leftover.unlink()
    return replace(run, shards=sound)


def _store_card_set(card_set: CardSet, folder: Path) -> None:
    """Write the card set, whole or not at all, unless the folder holds just that; what was edited there is replaced."""
    store = address(folder)
    if store is not None:
        _upload_card_set(card_set, store)
        return
    temporary = folder.with_name(folder.name + TEMPORARY)
    with refusals(folder):
        shutil.rmtree(temporary, ignore_errors=True)
        cardset.export(card_set, temporary)
        if folder.exists() and _same_files(folder, temporary):
            shutil.rmtree(temporary)
            return
        shutil.rmtree(folder, ignore_errors=True)
        temporary.replace(folder)


def _upload_card_set(card_set: CardSet, folder: Address) -> None:
    """Write the card set into a store, file by file, and remove what else lies there."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as scratch, refusals(place(folder)):
        made = Path(scratch) / CARD_SET
        cardset.export(card_set, made)
        files = {path.name: path.read_bytes() for path in made.iterdir()}
        for name, data in files.items():
            (folder / name).write_bytes(data)
        for name in folder.sizes().keys() - files.keys():
            (folder / name).unlink(missing_ok=True)


def _same_files(a: Path, b: Path) -> bool:
    names = sorted(path.name for path in a.iterdir())
    return names == sorted(path.name for path in b.iterdir()) and all(
        (a / name).is_file() and (a / name).read_bytes() == (b / name).read_bytes() for name in names
    )
