"""Where a run lies: a folder of this machine, or an address as s3://bucket/run of a store that fsspec reaches.

An address has those methods of `pathlib.Path` that run folders and reports use, so the same code reads and writes both.
A store has no folders, only names with slashes: making one does nothing, and one is there when something lies in it. It
writes a file whole or not at all, and cannot append to one. Errors are those of the operating system, whatever library
speaks with the store.
"""

import errno
import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, cast

from simcore.errors import InputError

SIGN = "://"


class Stat(NamedTuple):
    """What a store knows about a file: bytes, and when it was written (seconds since the epoch)."""

    st_size: int
    st_mtime: float


@dataclass(frozen=True, order=True)
class Address:
    """A file or folder of a store. Plain data, to be sent to a worker."""

    text: str

    def __str__(self) -> str:
        return self.text

    def __truediv__(self, name: str) -> "Address":
        found = self
        for part in str(name).split("/"):
            found = found.parent if part == ".." else Address(f"{found.text}/{part}") if part else found
        return found

    @property
    def name(self) -> str:
        """The last part."""
        return self.text.rpartition("/")[2]

    @property
    def parent(self) -> "Address":
        """The folder that holds it."""
        return Address(self.text.rpartition("/")[0])

    def with_name(self, name: str) -> "Address":
        """Another name in the same folder."""
        return self.parent / name

    def absolute(self) -> "Address":
        """Itself: an address depends on no current folder."""
        return self

    def resolve(self) -> "Address":
        """Itself: an address has no links."""
        return self

    def exists(self) -> bool:
        """Whether there is such a file, or anything in such a folder."""
        with self._reached() as (store, path):
            return bool(store.exists(path))

    def is_file(self) -> bool:
        """Whether there is such a file."""
        with self._reached() as (store, path):
            return bool(store.isfile(path))

    def is_dir(self) -> bool:
        """Whether anything lies in such a folder."""
        with self._reached() as (store, path):
            return bool(store.isdir(path))

    def stat(self) -> Stat:
        """Size and time of a file."""
        with self._reached() as (store, path):
            return Stat(int(store.size(path)), store.modified(path).timestamp())

    def read_bytes(self) -> bytes:
        """The content of a file."""
        with self._reached() as (store, path):
            return bytes(store.cat_file(path))

    def write_bytes(self, data: bytes) -> int:
        """Write a file, whole or not at all."""
        with self._reached() as (store, path):
            store.pipe_file(path, data)
        return len(data)

    def create(self, data: bytes) -> None:
        """Write a file that is not there yet. Raises FileExistsError where it is, also if it was written just now."""
        with self._reached() as (store, path):
            store.pipe_file(path, data, mode="create")

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove a file."""
        try:
            with self._reached() as (store, path):
                store.rm_file(path)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        """Do nothing: a store has no empty folders."""

    def iterdir(self) -> "Iterator[Address]":
        """What lies in a folder."""
        return (self / name for name in self.sizes())

    def glob(self, pattern: str) -> "Iterator[Address]":
        """The files whose path below this folder fits the pattern, in order."""
        with self._reached() as (store, path):
            found = sorted(store.glob(f"{path}/{pattern}"))
        return (self / one.removeprefix(f"{path}/") for one in found)

    def sizes(self) -> dict[str, int]:
        """Bytes by name of what lies in a folder, 0 for folders in it; nothing where there is no such folder. One
        request serves a thousand files.
        """
        try:
            with self._reached() as (store, path):
                listed = store.ls(path, detail=True)
        except FileNotFoundError:
            return {}
        entries = ((PurePosixPath(entry["name"]).name, int(entry["size"] or 0)) for entry in listed)
        return dict(sorted(entries))

    def read_all(self, names: list[str]) -> dict[str, bytes]:
        """The contents of files of a folder by name, asked for at the same time."""
        with self._reached() as (store, path):
            found = store.cat([f"{path}/{name}" for name in names]) if names else {}
        return {PurePosixPath(one).name: data for one, data in found.items()}

    @contextmanager
    def _reached(self) -> Iterator[tuple[Any, str]]:
        """The store and the path in it. What goes wrong is raised as the system's error that it amounts to."""
        store = _store(self.text.partition(SIGN)[0])
        try:
            yield store, store._strip_protocol(self.text)
        except OSError as error:
            number = error.errno or _NUMBERS.get(type(error), errno.EIO)
            raise OSError(number, str(error), self.text) from error
        except Exception as error:  # libraries of stores have errors of their own: no such host, no credentials
            raise OSError(errno.EIO, f"{type(error).__name__}: {error}", self.text) from error


_NUMBERS = {FileNotFoundError: errno.ENOENT, PermissionError: errno.EACCES, FileExistsError: errno.EEXIST}


@cache
def _store(protocol: str) -> Any:
    """The file system of a protocol. Raises InputError where the packages that speak it are not installed."""
    try:
        import fsspec

        # What a store lists is never kept: workers write there meanwhile.
        return fsspec.filesystem(protocol, use_listings_cache=False)
    except ImportError as error:
        raise InputError(
            f"{protocol}{SIGN} addresses need packages that are not installed ({error}). Those of s3{SIGN} come with:\n"
            "  pip install 'fairdeal[cloud]'\nOther stores need their own package of fsspec, too."
        ) from error
    except ValueError as error:
        raise InputError(f"{protocol}{SIGN} is no protocol that fsspec knows ({error}).") from error


def place(where: "str | Path | Address") -> Path:
    """The folder or file that a person names: a path of this machine, or the address of a store.

    An address has the methods of a path that are used here, so it goes by that type.
    """
    if isinstance(where, str) and SIGN in where:
        return cast(Path, Address(where.rstrip("/")))
    return cast(Path, where) if isinstance(where, Address) else Path(where)


def on_disk(where: "str | os.PathLike[str]", what: str) -> Path:
    """The file or folder of this machine that a person names; `what` says in messages what it is, as in "a card set".

    Raises InputError for an address: as a path it would be a folder here that is called like the protocol.
    """
    if SIGN in str(where):
        raise InputError(f"{where} is an address, and {what} must lie on this machine. Allowed: a path.")
    return Path(where)


def address(path: Path) -> Address | None:
    """The path as an address, None for one of this machine."""
    return path if isinstance(cast(object, path), Address) else None  # type: ignore[return-value]


def parquet(path: Path) -> Path | io.BytesIO:
    """What polars reads the file of a table from."""
    return io.BytesIO(path.read_bytes()) if address(path) else path


@contextmanager
def on_this_machine(folder: Path) -> Iterator[Path]:
    """A folder of files as one of this machine: itself, or a copy for as long as it is needed."""
    store = address(folder)
    if store is None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as copy:
        for name, data in store.read_all(list(store.sizes())).items():
            (Path(copy) / name).write_bytes(data)
        yield Path(copy)
