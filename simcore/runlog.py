"""The run folder: how a run is written, so that a crash loses only the shards in flight, and how it is read.

    RUN/manifest.json               what is played (simcore.manifest); it is there from the start
    RUN/shards.jsonl                a line for each finished shard: its blocks, and rows, size and checksum of its files
    RUN/cardset/                    the exact card set that was played
    RUN/<table>/part-000000.parquet the rows of a table from one shard (simcore.tables), named by the shard's number
    RUN/stopped.json                where a run was ended on purpose before its plan: after how many blocks, and why
    RUN/lock                        while a process writes: which one

A shard counts when its line is in shards.jsonl, and its line is written when its files are. A temporary file or a part
without a line is a leftover of a crash, which `resume` removes or writes again. Shards finish in any order; readers go
by their numbers.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from simcore import cardset, strict_json, tables
from simcore import manifest as manifests
from simcore.cardset import CardSet
from simcore.errors import InputError, shown
from simcore.files import (
    LOCK,
    TEMPORARY,
    append_line,
    folder_lock,
    is_link,
    read_bytes,
    refusals,
    refuse_links,
    write_file,
)
from simcore.manifest import Manifest
from simcore.plan import Plan, Shard

MANIFEST = "manifest.json"
SHARDS = "shards.jsonl"
CARD_SET = "cardset"
STOPPED = "stopped.json"
LONGEST_LINE = 4096  # bytes of a line of shards.jsonl, and of stopped.json
MOST_BYTES = 1 << 30  # of shards.jsonl
LONGEST_REASON = 300  # letters of what the reader of Parquet files says
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
            content: dict[str, Any] = strict_json.loads(line)
            parts = {name: PartEntry(**part) for name, part in content.pop("tables").items()}
            entry = cls(tables=parts, **content)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        return entry if entry._fits(manifest) else None

    def _fits(self, manifest: Manifest) -> bool:
        """Whether it is a shard of the run, with as many rows as its games have."""
        numbers = [self.shard, self.line_up, self.first, self.last]
        numbers += [number for part in self.tables.values() for number in (part.rows, part.bytes)]
        if any(type(number) is not int or number < 0 for number in numbers):
            return False
        cut, games = manifests.cut(manifest), (self.last - self.first) * manifest["seats"]
        if self.shard >= cut.shards or cut.blocks_of(self.shard) != (self.line_up, self.first, self.last):
            return False
        return tuple(self.tables) == tables.TABLES_OF_LOG[manifest["log"]] and all(
            tables.can_have(table, part.rows, games, manifest["seats"]) for table, part in self.tables.items()
        )


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
    _checked: set[tuple[Path, str]] = field(default_factory=set, init=False, repr=False, compare=False)

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
        for number in numbers:
            self.check_part(table, number)
        return pl.scan_parquet([part_path(self.path, table, number) for number in numbers], schema=schema)

    def read_part(self, table: str, shard: int, columns: Sequence[str]) -> pl.DataFrame:
        """Some columns of a table of one shard. Raises InputError where its file cannot be read, or holds what no run
        has.
        """
        path = self.check_part(table, shard)
        with _damaged(path):
            self._check_keys(path, table, self.shards[shard])
            frame = pl.read_parquet(path, columns=list(columns))
            wrong = tables.impossible(frame, self.manifest)
            if wrong:
                raise ValueError(f"the values of {', '.join(wrong[:5])} are not of this run")
        return frame

    def _check_keys(self, path: Path, table: str, entry: ShardEntry) -> None:
        """Raise ValueError where the rows of a part are not those of its games; once for each part."""
        if (path, "keys") in self._checked:
            return
        names = [column.name for column in self.columns[table] if column.name in tables.KEY_NAMES]
        keys = pl.read_parquet(path, columns=names)
        if not tables.keys_fit(table, keys, self.manifest, entry.line_up, entry.first, entry.last):
            raise ValueError("its rows are not those of its games")
        self._checked.add((path, "keys"))

    def check_part(self, table: str, shard: int) -> Path:
        """The file of a table of one shard, once it was found to be what shards.jsonl says, with the table's columns
        and so many rows: a file from a stranger is no larger in memory than a shard's games are. Raises InputError.
        """
        path, entry = part_path(self.path, table, shard), self.shards[shard].tables[table]
        if (path, "file") in self._checked:
            return path
        problem = _damage(path, entry, full=True)
        if problem:
            _refuse_damages({shard: [problem]})
        with _damaged(path):
            if pl.read_parquet_schema(path) != tables.schema(self.columns[table]):
                raise ValueError("its columns are not those of the table")
            rows = pl.scan_parquet(path).select(pl.len()).collect().item()
            if rows != entry.rows:
                raise ValueError(f"it has {rows:,} rows, not {entry.rows:,}")
        self._checked.add((path, "file"))
        return path

    def damages(self, full: bool) -> dict[int, list[str]]:
        """What is wrong with the files of finished shards, by shard: what is missing or has another size.

        `full` reads every file and compares its checksum too, at about a gigabyte a second.
        """
        found = {}
        for number, entry in self.shards.items():
            problems = [
                problem
                for table, part in entry.tables.items()
                if (problem := _damage(part_path(self.path, table, number), part, full))
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


@contextmanager
def _damaged(path: Path) -> Iterator[None]:
    """Turn what is found wrong with a part while it is read into one message that says what to do about it."""
    try:
        yield
    except (OSError, ValueError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        why = " ".join(str(error).split())[:LONGEST_REASON]
        raise InputError(f"{path} cannot be read: {why}. Resume the run (--resume) to play it again.") from error


def _damage(path: Path, part: PartEntry, full: bool) -> str | None:
    try:
        if is_link(path.parent) or is_link(path) or not path.is_file():
            return f"{path} is missing" if not path.exists() else f"{path} is a link, or no file"
        size = path.stat().st_size
        if size != part.bytes:
            return f"{path} has {size} bytes instead of {part.bytes}"
        if full:
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != part.sha256:
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
    folder = Path(path)
    run, bad_lines = _read(folder)
    if bad_lines:
        raise InputError(
            f"{folder / SHARDS} is damaged in line {bad_lines[0]}. Resume the run (--resume) to play what is lost."
        )
    refuse_links(folder / CARD_SET)
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
        manifest = manifests.decode(read_bytes(path, manifests.MOST_BYTES), str(path))
    except (FileNotFoundError, NotADirectoryError) as error:
        what = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such folder"
        raise InputError(
            f"{folder} is not a run folder: {what}. Name the folder of a run that was simulated."
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        # Of each shard one line, and one more where it was damaged and played again.
        most = LONGEST_LINE * (2 * manifests.cut(manifest).shards + 2)
        *lines, _torn = read_bytes(folder / SHARDS, min(most, MOST_BYTES)).split(b"\n")
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
    stop = _read_stop(folder / STOPPED)
    if stop is not None and stop.blocks > manifests.cut(manifest).blocks:
        raise InputError(f"{folder / STOPPED} is damaged: the run's plan has fewer deals than {shown(stop.blocks)}.")
    return Run(folder, manifest, dict(sorted(shards.items())), stop), bad_lines


def _read_stop(path: Path) -> Stop | None:
    try:
        content: dict[str, Any] = strict_json.loads(read_bytes(path, LONGEST_LINE))
        stop = Stop(**content)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error}). Restore it from a copy, or play the run again.") from error
    sound = type(stop.blocks) is int and stop.blocks >= 1 and isinstance(stop.why, str) and stop.why.isprintable()
    if not sound:
        raise InputError(f"{path} is damaged: {shown(content)}. Restore it from a copy, or play the run again.")
    return stop


def end(path: str | Path, stop: Stop) -> Run:
    """End a run before its plan: from now on it is complete with the first blocks of each line-up, which are played.

    Raises InputError where those blocks are not all there, others are there as well, or the run was ended elsewhere;
    JobError for a full disk.
    """
    folder = Path(path)
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

    def __init__(self, folder: Path, finished: frozenset[int], stopped: Stop | None = None) -> None:
        self.folder = folder
        self.finished = finished
        self.stopped = stopped

    def write(self, shard: Shard, parts: Mapping[str, tables.Part]) -> None:
        """Write the files of a shard, then its line. Raises InputError or JobError where the system refuses."""
        for table, part in parts.items():
            write_file(part_path(self.folder, table, shard.number), part.data)
        entries = {table: PartEntry(part.rows, len(part.data), part.sha256) for table, part in parts.items()}
        entry = ShardEntry(shard.number, shard.line_up, shard.first, shard.last, entries)
        append_line(self.folder / SHARDS, entry.encode())


@contextmanager
def writing(path: str | Path, plan: Plan, manifest: Manifest, resume: bool) -> Iterator[Writer]:
    """Begin a run in a new or empty folder, or go on with the run of an equal plan that is there (`resume`).

    Going on also repairs: leftovers of a crash are removed, and shards with a damaged file or line count as unplayed.
    The folder is locked for other processes meanwhile. Raises InputError if it holds other things, a run although
    `resume` is not set, or another plan's run, or if it may not be written to; JobError for a full disk.
    """
    folder = Path(path)
    _refuse(folder, resume)  # before anything is written there, and again when nobody else can write there
    with refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with folder_lock(folder):
        _refuse(folder, resume)
        if (folder / MANIFEST).exists():
            run = _repaired(folder, manifest)
        else:
            write_file(folder / SHARDS, b"")
            write_file(folder / MANIFEST, manifests.encode(manifest))
            run = Run(folder, manifest, {})
        _store_card_set(plan.card_set, folder / CARD_SET)
        for table in run.tables:
            with refusals(folder / table):
                (folder / table).mkdir(exist_ok=True)
        refuse_links(*(folder / table for table in run.tables))
        yield Writer(folder, frozenset(run.shards), run.stopped)


def _refuse(folder: Path, resume: bool) -> None:
    """Raise InputError if no run can begin or go on in the folder."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is a file. Choose a folder for the run.")
    with refusals(folder):
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
    refuse_links(*(folder / table for table in run.tables))
    damaged = run.damages(full=True)
    sound = {number: entry for number, entry in run.shards.items() if number not in damaged}
    kept = b"".join(entry.encode() for entry in sound.values())
    with refusals(folder):
        log = (folder / SHARDS).read_bytes()
    if len(log) != len(kept) or set(log.split(b"\n")) != set(
        kept.split(b"\n")
    ):  # lines stand in the order of finishing
        write_file(folder / SHARDS, kept)
    with refusals(folder):
        for table in ("", *run.tables):
            for leftover in (folder / table).glob(f"*{TEMPORARY}"):
                if leftover.is_file():
                    leftover.unlink()
    return replace(run, shards=sound)


def _store_card_set(card_set: CardSet, folder: Path) -> None:
    """Write the card set, whole or not at all, unless the folder holds just that; what was edited there is replaced."""
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


def _same_files(a: Path, b: Path) -> bool:
    names = sorted(path.name for path in a.iterdir())
    return names == sorted(path.name for path in b.iterdir()) and all(
        (a / name).is_file() and (a / name).read_bytes() == (b / name).read_bytes() for name in names
    )
