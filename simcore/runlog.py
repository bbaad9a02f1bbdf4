"""The run folder: how a run is written, so that a crash loses only the shards in flight, and how it is read.

    RUN/manifest.json               what is played (simcore.manifest); it is there from the start
    RUN/shards.jsonl                a line for each finished shard: its blocks, and rows, size and checksum of its files
    RUN/cardset/                    the exact card set that was played
    RUN/<table>/part-000000.parquet the rows of a table from one shard (simcore.tables), named by the shard's number
    RUN/stopped.json                where a run was ended on purpose before its plan: after how many blocks, and why
    RUN/lock                        while a process writes: which one

A shard counts when its line is in shards.jsonl, and its line is written when its files are on the disk. A temporary
file or a part without a line is a leftover of a crash, which `resume` removes or writes again. Shards finish in any
order; readers go by their numbers. Any of the plan's shards may be there: a part of a plan that one of several machines
has played is a run like another (simcore.merge puts them together). A run may lie in a store, as s3://bucket/run
(simcore.places): there the lines of shards.jsonl lie in segments (simcore.shardlog).

Manifest, lines and stopped.json carry their checksums (simcore.sealed). That of a line is made with the manifest's
fingerprint, so a line counts in the run that wrote it and in no other.
"""

import hashlib
import io
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import cast

import polars as pl

from simcore import cardset, given, sealed, tables
from simcore import manifest as manifests
from simcore.cardset import CardSet
from simcore.errors import DamagedError, InputError, JobError, shown
from simcore.files import (
    LOCK,
    TEMPORARY,
    folder_lock,
    make_folder,
    read_bytes,
    refusals,
    refuse_links,
    sync_folder,
    write_file,
    write_files,
)
from simcore.manifest import Manifest
from simcore.parquet import refuse_unsound
from simcore.places import Address, address, on_this_machine, parquet, place
from simcore.plan import Cut, Plan, Shard
from simcore.shardlog import MOST_BYTES, SHARDS, ShardLog
from simcore.store_lock import store_lock

MANIFEST = "manifest.json"
CARD_SET = "cardset"
STOPPED = "stopped.json"
LONGEST_LINE = 4096  # bytes of a line of shards.jsonl, and of stopped.json
LONGEST_REASON = 300  # letters of what the reader of Parquet files says
# What a run that was stopped before its first shard may have left, besides temporary files.
_BEGINNINGS = {LOCK, SHARDS}


# Entries have slots: a run may have a million of them.


@dataclass(frozen=True, slots=True)
class PartEntry:
    """What shards.jsonl says about one file of a shard."""

    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ShardEntry:
    """A line of shards.jsonl: a finished shard, which holds the blocks first to last - 1 of a line-up (index)."""

    shard: int
    line_up: int
    first: int
    last: int
    tables: Mapping[str, PartEntry]

    def encode(self, fingerprint: str) -> bytes:
        """The line, with its line end, in the run whose manifest has this fingerprint."""
        content = {
            "shard": self.shard,
            "line_up": self.line_up,
            "first": self.first,
            "last": self.last,
            "tables": {name: asdict(part) for name, part in self.tables.items()},
        }
        return sealed.seal(content, fingerprint)


@dataclass(frozen=True)
class Lines:
    """Reads the lines of shards.jsonl of a run. `strict`: only those that are proved to be of this run."""

    manifest: Manifest
    strict: bool = False

    def decode(self, line: bytes) -> ShardEntry | None:
        """The entry of a line, or None if it is torn or not a shard of the run."""
        try:
            content = sealed.unseal(line, self._fingerprint, self.strict)
            told = content.pop("tables")
            parts = {name: PartEntry(**told.pop(name)) for name in self._tables}
            entry = ShardEntry(tables=parts, **content)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        return entry if not told and self._fits(entry) else None

    def _fits(self, entry: ShardEntry) -> bool:
        """Whether it is a shard of the run, with as many rows as its games have."""
        numbers = [entry.shard, entry.line_up, entry.first, entry.last]
        numbers += [number for part in entry.tables.values() for number in (part.rows, part.bytes)]
        if any(type(number) is not int or number < 0 for number in numbers):
            return False
        blocks, seats = (entry.line_up, entry.first, entry.last), self.manifest["seats"]
        if entry.shard >= self._cut.shards or self._cut.blocks_of(entry.shard) != blocks:
            return False
        games = (entry.last - entry.first) * seats
        return all(tables.can_have(table, part.rows, games, seats) for table, part in entry.tables.items())

    @cached_property
    def _tables(self) -> tuple[str, ...]:
        return tables.TABLES_OF_LOG[self.manifest["log"]]

    @cached_property
    def _fingerprint(self) -> str:
        return manifests.fingerprint(self.manifest)

    @cached_property
    def _cut(self) -> Cut:
        return manifests.cut(self.manifest)


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
    _checked: set[tuple[str, int, str]] = field(default_factory=set, init=False, repr=False, compare=False)

    @property
    def blocks(self) -> int:
        """The blocks of each line-up, finished or not: those of the plan, or up to where the run was ended."""
        return self.stopped.blocks if self.stopped else manifests.cut(self.manifest).blocks

    @property
    def complete(self) -> bool:
        """Whether all shards are finished, and no others are there."""
        cut = manifests.cut(self.manifest)
        parts = cut.parts(self.blocks)
        return len(self.shards) == cut.line_ups * parts and all(
            number % cut.shards_per_line_up < parts for number in self.shards
        )

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
        if address(self.path):
            return _scan_store([partial(self._part, table, number) for number in numbers], schema)
        return pl.scan_parquet([cast(Path, self._part(table, number)) for number in numbers], schema=schema)

    @property
    def card_set_folder(self) -> AbstractContextManager[Path]:
        """The folder with the card set that was played; of a run in a store, a copy of it on this machine."""
        return on_this_machine(self.path / CARD_SET)

    def read_part(self, table: str, shard: int, columns: Sequence[str]) -> pl.DataFrame:
        """Some columns of a table of one shard. Raises InputError where its file cannot be read, or holds what no run
        has.
        """
        path, source = part_path(self.path, table, shard), self._part(table, shard)
        with _damaged(path):
            self._check_keys(source, table, shard)
            frame = pl.read_parquet(source, columns=list(columns))
            wrong = tables.impossible(frame, self.manifest)
            if wrong:
                raise ValueError(f"the values of {', '.join(wrong[:5])} are not of this run")
        return frame

    def _check_keys(self, source: Path | io.BytesIO, table: str, shard: int) -> None:
        """Raise ValueError where the rows of a part are not those of its games; once for each part."""
        if (table, shard, "keys") in self._checked:
            return
        names = [column.name for column in self.columns[table] if column.name in tables.KEY_NAMES]
        keys, entry = pl.read_parquet(source, columns=names), self.shards[shard]
        if not tables.keys_fit(table, keys, self.manifest, entry.line_up, entry.first, entry.last):
            raise ValueError("its rows are not those of its games")
        self._checked.add((table, shard, "keys"))

    def _part(self, table: str, shard: int) -> Path | io.BytesIO:
        """What polars reads a table of one shard from, once that was found to be sound and of the size that
        shards.jsonl says, with the table's columns and so many rows: a file from a stranger is no larger in memory than
        the games of a shard are. Raises InputError.
        """
        path, entry = part_path(self.path, table, shard), self.shards[shard].tables[table]
        if (table, shard, "file") in self._checked:
            return parquet(path)
        with _damaged(path):
            source = parquet(path)
            size = len(source.getbuffer()) if isinstance(source, io.BytesIO) else _size(path)
            if size != entry.bytes:
                raise ValueError(f"it has {size} bytes instead of {entry.bytes}")
            refuse_unsound(source, tables.schema(self.columns[table]), entry.rows)
        if isinstance(source, io.BytesIO):
            source.seek(0)
        self._checked.add((table, shard, "file"))
        return source

    def damages(self, full: bool) -> dict[int, list[str]]:
        """What is wrong with the files of finished shards, by shard: what is missing or has another size.

        `full` reads every file and compares its checksum too, at about a gigabyte a second.
        """
        found = {}
        refuse_links(*(self.path / table for table in self.tables))
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


def _scan_store(parts: Sequence[Callable[[], Path | io.BytesIO]], schema: pl.Schema) -> pl.LazyFrame:
    """The rows of files in a store, each fetched by a call, one after the other when the query asks for them."""
    from polars.io.plugins import register_io_source

    def read(
        columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, batch: int | None
    ) -> Iterator[pl.DataFrame]:
        for fetch in parts:
            if rows == 0:
                return
            frame = pl.scan_parquet(fetch(), schema=schema)
            frame = frame if predicate is None else frame.filter(predicate)
            frame = frame if columns is None else frame.select(columns)
            found = (frame if rows is None else frame.head(rows)).collect()
            rows = None if rows is None else rows - found.height
            yield found

    return register_io_source(read, schema=schema)


@contextmanager
def _damaged(path: Path) -> Iterator[None]:
    """Turn what is found wrong with a part while it is read into one message that says what to do about it."""
    try:
        yield
    except (OSError, ValueError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        why = " ".join(str(error).split())[:LONGEST_REASON]
        raise InputError(f"{path} cannot be read: {why}. Resume the run (--resume) to play it again.") from error


def _sizes(folder: Path, names: Sequence[str]) -> Callable[[Path], int]:
    """A function that tells the bytes of a part. Of a store it asks for lists, not for each file, of which there may be
    a million.
    """
    store = address(folder)
    if store is None:
        return _size
    listed = {table: (store / table).sizes() for table in names}

    def size_of(path: Path) -> int:
        try:
            return listed[path.parent.name][path.name]
        except KeyError as error:
            raise FileNotFoundError(str(path)) from error

    return size_of


def _size(path: Path) -> int:
    """The bytes of a file of this machine. Raises OSError for what is none, as a link."""
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, "it is a link, or no file")
    return found.st_size


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


def read_parts(run: Run, shard: int) -> dict[str, tables.Part]:
    """The files of a finished shard, as they were written, by table. Raises InputError if one is damaged."""
    parts, problems = {}, []
    for table, entry in run.shards[shard].tables.items():
        path = part_path(run.path, table, shard)
        try:
            data = path.read_bytes()
        except OSError as error:
            problems.append(f"{path} cannot be read ({error.strerror})")
            continue
        if hashlib.sha256(data).hexdigest() != entry.sha256:
            problems.append(f"{path} does not match its checksum")
        parts[table] = tables.Part(data, entry.rows, entry.sha256)
    _refuse_damages({shard: problems})
    return parts


def open_run(path: str | Path, checksums: bool = True) -> Run:
    """Open a run folder, finished or not, also while it is being written.

    Every file is read and compared with its checksum, at about a gigabyte a second; without `checksums`, and in a
    store, it need only be there with its size, at some 50,000 files a second. Raises InputError, which names the file
    and says what to do, if the folder is no run, is damaged, or was written in another format.
    """
    folder = place(path)
    manifest = _manifest(folder)
    shards, bad_lines = _read_shards(folder, Lines(manifest))
    if bad_lines:
        raise InputError(
            f"{folder / SHARDS} is damaged in line {bad_lines[0]}. Resume the run (--resume) to play what is lost."
        )
    refuse_links(folder / CARD_SET)
    if not (folder / CARD_SET).is_dir():
        raise InputError(f"{folder / CARD_SET} is missing. Resume the run (--resume) to write it again.")
    run = Run(folder, manifest, shards, _read_stop(folder / STOPPED, manifests.cut(manifest).blocks))
    # A store keeps what it was given, and whoever reads a file of it gets it whole.
    _refuse_damages(run.damages(full=checksums and not address(folder)))
    return run


def _manifest(folder: Path) -> Manifest:
    """The manifest in the folder. Raises InputError, where the plan alone is enough to write it again DamagedError."""
    path = folder / MANIFEST
    try:
        return manifests.decode(read_bytes(path, manifests.MOST_BYTES), str(path))
    except (FileNotFoundError, NotADirectoryError) as error:
        if (folder / SHARDS).is_file():
            raise DamagedError(
                f"{path} is missing. Resume the run (--resume), which writes it again, or restore the file from a copy."
            ) from error
        what = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such folder"
        found = given.told(folder)
        instead = f". {found}" if found else f": {what}. Name the folder of a run that was simulated."
        raise InputError(f"{folder} is not a run folder{instead}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error


def _read_shards(folder: Path, reader: Lines) -> tuple[dict[int, ShardEntry], list[int]]:
    """The finished shards as shards.jsonl tells them, and the numbers (from 1) of its unreadable lines.

    What follows the last line end is a line that is being written or was torn by a crash; it does not count as damage.
    """
    try:
        # Of each shard one line, and one more where it was damaged and played again.
        most = LONGEST_LINE * (2 * manifests.cut(reader.manifest).shards + 2)
        *lines, _torn = ShardLog(folder).read(min(most, MOST_BYTES)).split(b"\n")
    except FileNotFoundError as error:
        raise InputError(
            f"{folder / SHARDS} is missing, without which the run's tables cannot be trusted. Restore the file from a "
            "copy, or resume the run (--resume) to play it again."
        ) from error
    except OSError as error:
        raise InputError(f"{folder / SHARDS} cannot be read: {error.strerror}.") from error
    shards, bad_lines = {}, []
    for number, line in enumerate(lines, start=1):
        entry = reader.decode(line)
        if entry is None:
            bad_lines.append(number)
        else:
            shards[entry.shard] = entry
    return dict(sorted(shards.items())), bad_lines


def _read_stop(path: Path, most: int) -> Stop | None:
    """Where the run was ended, of at most so many blocks; None where it was not. Raises DamagedError."""
    restore = "Resume the run (--resume), which then goes on to its plan, or restore the file from a copy."
    try:
        stop = Stop(**sealed.unseal(read_bytes(path, LONGEST_LINE)))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError) as error:
        raise DamagedError(f"{path} is damaged ({error}). {restore}") from error
    sound = type(stop.blocks) is int and isinstance(stop.why, str) and stop.why.isprintable()
    if not sound or not 1 <= stop.blocks <= most:
        raise DamagedError(f"{path} is damaged: {shown(vars(stop))}. {restore}")
    return stop


def end(path: str | Path, stop: Stop) -> Run:
    """End a run before its plan: from now on it is complete with the first blocks of each line-up, which are played.

    Raises InputError where those blocks are not all there, others are there as well, or the run was ended elsewhere;
    JobError for a full disk.
    """
    folder = place(path)
    run = open_run(folder, checksums=False)
    if run.stopped == stop:
        return run
    ended = replace(run, stopped=stop)
    if run.stopped is not None or not ended.complete:
        raise InputError(
            f"{folder} cannot be ended after {stop.blocks:,} deals of each line-up: it does not hold exactly those. "
            "It was played for another question or other margins: ask for the same ones, or choose another folder."
        )
    write_file(folder / STOPPED, sealed.seal(vars(stop)))
    return ended


class Writer:
    """Writes the shards of one run. `writing` makes it; `finished` are the numbers of the shards that are there, and
    `stopped` tells whether the run was ended before its plan.
    """

    def __init__(self, run: Run, is_held: Callable[[], bool]) -> None:
        self.folder = run.path
        self.finished = frozenset(run.shards)
        self.stopped = run.stopped
        self._fingerprint = manifests.fingerprint(run.manifest)
        self._is_held = is_held
        self._log = ShardLog(run.path)

    def write(self, finished: Iterable[tuple[Shard, Mapping[str, tables.Part | PartEntry]]]) -> int:
        """Write the files of shards, where their workers have not, and then, when these outlast a loss of power, their
        lines. Returns the number of games.

        Raises JobError where the system refuses, or where the folder was removed or taken by another run meanwhile.
        """
        self._see_that_it_is_held()
        lines, games = [], 0
        try:
            for shard, parts in finished:
                with self._writable():
                    entries = write_parts(self.folder, shard, parts)
                entry = ShardEntry(shard.number, shard.line_up, shard.first, shard.last, entries)
                lines.append(entry.encode(self._fingerprint))
                games += shard.games
        finally:  # the error of one shard loses none that came before it
            if lines:
                with self._writable():
                    self._log.append(b"".join(lines))
        return games

    @contextmanager
    def _writable(self) -> Iterator[None]:
        """What the system refuses now is no fault of what was asked: the folder could be written to at first."""
        try:
            yield
        except InputError as error:
            self._see_that_it_is_held()
            raise JobError(
                f"{error} It could be written to when the run began: its permissions have changed since, or files "
                "were removed."
            ) from error

    def _see_that_it_is_held(self) -> None:
        if not self._is_held():
            raise JobError(
                f"{self.folder} has been removed or replaced by another, or another process has taken over, while this "
                "run was written to it."
            )


def write_parts(folder: Path, shard: Shard, parts: Mapping[str, tables.Part | PartEntry]) -> Entries:
    """Write the files of a shard, which several workers may do at the same time, and return what the log says of them.

    Raises InputError or JobError where the system refuses.
    """
    new = {table: part for table, part in parts.items() if not isinstance(part, PartEntry)}
    write_files({part_path(folder, table, shard.number): part.data for table, part in new.items()})
    written = {table: PartEntry(part.rows, len(part.data), part.sha256) for table, part in new.items()}
    return {table: part if isinstance(part, PartEntry) else written[table] for table, part in parts.items()}


@contextmanager
def writing(path: str | Path, plan: Plan, manifest: Manifest, resume: bool) -> Iterator[Writer]:
    """Begin a run in a new or empty folder, or go on with the run of an equal plan that is there (`resume`).

    Going on also repairs: leftovers of a crash are removed, shards with a damaged file or line count as unplayed, and
    manifest, card set and stopped.json are made good. The folder is locked for other processes meanwhile. Raises
    InputError if it holds other things, a run although `resume` is not set, or another plan's run, or if it may not be
    written to; JobError for a full disk.
    """
    folder = place(path)
    _refuse(folder, resume)  # before anything is written there, and again when nobody else can write there
    with refusals(folder):
        make_folder(folder)
    with only_writer(folder) as is_held:
        _refuse(folder, resume)
        if (folder / MANIFEST).exists() or _has_lines(folder):
            run = _repaired(folder, manifest)
        else:
            ShardLog(folder).begin()
            write_file(folder / MANIFEST, manifests.encode(manifest))
            run = Run(folder, manifest, {})
        _store_card_set(plan.card_set, folder / CARD_SET)
        for table in run.tables:
            with refusals(folder / table):
                (folder / table).mkdir(exist_ok=True)
        refuse_links(*(folder / table for table in run.tables))
        if address(folder) is None:
            with refusals(folder):
                sync_folder(folder)
        yield Writer(run, is_held)


@contextmanager
def only_writer(folder: Path) -> Iterator[Callable[[], bool]]:
    """Hold the only right to write in a folder; the function tells whether it is held still.

    Raises InputError, with the holder, if it is taken.
    """
    store = address(folder)
    if store is None:
        with folder_lock(folder) as is_held:
            yield is_held
    else:
        with store_lock(store, LOCK) as lock:
            yield lambda: not lock.lost


def _has_lines(folder: Path) -> bool:
    """Whether shards have been finished in the folder, as far as that can be seen without a manifest."""
    return ShardLog(folder).has_lines()


def _refuse(folder: Path, resume: bool) -> None:
    """Raise InputError if no run can begin or go on in the folder."""
    with refusals(folder):
        if not folder.exists():
            return
        if not folder.is_dir():
            raise InputError(f"{folder} is a file. Choose a folder for the run.")
        names = {entry.name for entry in folder.iterdir()}
    if MANIFEST in names or (resume and _has_lines(folder)):
        if not resume:
            raise InputError(f"{folder} already holds a run. Resume it (--resume), or choose another folder.")
        return
    others = sorted(name for name in names - _BEGINNINGS if not name.endswith(TEMPORARY))
    if others or _has_lines(folder):
        raise InputError(
            f"{folder} is not empty and holds no run ({', '.join(others or [SHARDS])}). Choose a new or empty folder."
        )


def _repaired(folder: Path, manifest: Manifest) -> Run:
    """The run in the folder with its sound shards only, after the leftovers of a crash have been removed."""
    manifest = _repair_notes(folder, manifest)
    shards, _ = _read_shards(folder, Lines(manifest))
    run = Run(folder, manifest, shards, _read_stop(folder / STOPPED, manifests.cut(manifest).blocks))
    # A store keeps what it was given, and reading all of it back would take longer than most runs.
    damaged = run.damages(full=not address(folder))
    sound = {number: entry for number, entry in run.shards.items() if number not in damaged}
    fingerprint = manifests.fingerprint(manifest)
    ShardLog(folder).keep(b"".join(entry.encode(fingerprint) for entry in sound.values()))
    with refusals(folder):
        for table in ("", *run.tables) if address(folder) is None else ():  # a store has no temporary files
            for leftover in (folder / table).glob(f"*{TEMPORARY}"):
                if leftover.is_file():
                    leftover.unlink()
    return replace(run, shards=sound)


def _repair_notes(folder: Path, manifest: Manifest) -> Manifest:
    """See that the folder holds the run of this manifest, and make good what is damaged beside its shards; the manifest
    that the run goes on with, which of a run of an older version names no rows.

    Without a sound manifest the lines of shards.jsonl tell whose they are: one that matches is enough.
    """
    try:
        there = _manifest(folder)
        if there == manifests.without_rows(manifest):
            manifest = there
        differences = manifests.differences(there, manifest)
    except DamagedError as damage:
        if _has_lines(folder) and not _read_shards(folder, Lines(manifest, strict=True))[0]:
            raise InputError(
                f"{damage} This plan is not the one of the run's shards, or they are damaged, too."
            ) from damage
        write_file(folder / MANIFEST, manifests.encode(manifest))
        differences = []
    if differences:
        raise InputError(
            f"{folder} holds the run of another plan, so it cannot be resumed with this one. What differs: "
            f"{'; '.join(differences)}. Ask for what that run has to go on with it, or choose another folder (--out)."
        )
    if not _has_lines(folder):
        ShardLog(folder).begin()
    try:
        _read_stop(folder / STOPPED, manifests.cut(manifest).blocks)
    except DamagedError:
        with refusals(folder / STOPPED):
            (folder / STOPPED).unlink()
    return manifest


def _store_card_set(card_set: CardSet, folder: Path) -> None:
    """Write the card set, whole or not at all, unless the folder holds just that; what was edited there is replaced."""
    store = address(folder)
    if store is not None:
        _upload_card_set(card_set, store)
        return
    temporary = folder.with_name(folder.name + TEMPORARY)
    refuse_links(folder, temporary)
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
