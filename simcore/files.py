"""Files and folders, which may come from strangers: reading within bounds, and writing so that nothing is ever
half-written under its final name, nothing lands elsewhere by way of a link, and no two processes write in one folder.
"""

import errno
import os
import secrets
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from simcore.errors import FairdealError, InputError, JobError
from simcore.places import address

TEMPORARY = ".tmp"
_PROCESS = secrets.token_hex(4)  # a process's number may be that of another machine's, too

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
_WRONG_PATH = {errno.ENOTDIR, errno.EEXIST, errno.EISDIR, errno.ENAMETOOLONG, errno.ENOENT, errno.EINVAL, errno.ELOOP}

# Opening does not wait for the other end of a pipe, and follows no link (on Windows only `is_link` tells).
_NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def is_link(path: Path) -> bool:
    """Whether a path is a symbolic link, or a junction of Windows; also one that leads nowhere. A store has none."""
    if address(path):
        return False
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return False
    return stat.S_ISLNK(found.st_mode) or bool(getattr(found, "st_reparse_tag", 0))


def refuse_links(*paths: Path) -> None:
    """Raise InputError where one of the paths is a link: what a folder holds is read and written there alone."""
    for path in paths:
        if is_link(path):
            raise InputError(f"{path} is a link, which could lead anywhere. Put what it leads to in its place.")


def read_bytes(path: Path, most: int, links: bool = False) -> bytes:
    """The content of a file of at most `most` bytes; `links`: it may be a link to one.

    Raises InputError for what is no plain file (a pipe, a device, a link) and for a larger one, which is not read; the
    system's OSError where there is none, or it cannot be read.
    """
    if address(path):
        size = path.stat().st_size
        return _within(path, path.read_bytes() if size <= most else b"", size, most)
    if not links:
        refuse_links(path)
    descriptor = os.open(path, os.O_RDONLY | _NO_WAITING | (0 if links else _NO_LINK))
    with open(descriptor, "rb") as file:  # noqa: PTH123 # of a descriptor
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise InputError(f"{path} is no file.")
        data = file.read(most + 1)
    return _within(path, data, len(data), most)


def _within(path: Path, data: bytes, size: int, most: int) -> bytes:
    if size > most:
        raise InputError(f"{path} is larger than {most:,} bytes, which nothing of its kind is.")
    return data


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses while `path` is written into one message that says what to do about it."""
    try:
        yield
    except OSError as error:
        raise _refusal(path, error) from error


def _refusal(path: Path, error: OSError) -> FairdealError:
    why = error.strerror or str(error)
    if error.errno in _FULL:
        return JobError(
            f"{path} cannot be written: {why}. Make room on the disk and try again; nothing that was finished is lost."
        )
    if error.errno in _FORBIDDEN:
        return InputError(f"{path} cannot be written: {why}. Choose a folder that you may write to.")
    if error.errno in _WRONG_PATH:
        return InputError(f"{path} cannot be written: {why}. Choose another folder.")
    return JobError(f"{path} cannot be written: {why}.")


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: to a temporary name beside it, flushed to the disk, then renamed.

    Workers of a cluster may write the same file at the same time, so that name is a thread's own. When this returns,
    the file outlasts a loss of power. Raises InputError or JobError, with the path, where the operating system or the
    store refuses.
    """
    write_files({path: data})


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write several files, each as `write_file` does; none gets its name before all are on the disk.

    The names are flushed after all files are renamed: that makes one commit of the file system, not one a file.
    """
    stored = {path: data for path, data in files.items() if address(path)}
    for path, data in stored.items():
        with refusals(path):
            path.write_bytes(data)
    own = f".{_PROCESS}-{threading.get_ident()}{TEMPORARY}"
    temporaries = {path: path.with_name(path.name + own) for path in files if path not in stored}
    try:
        for path, temporary in temporaries.items():
            with refusals(path):
                temporary.unlink(missing_ok=True)  # what is there is a leftover, or a link that somebody has laid
            with refusals(path), temporary.open("xb") as file:
                file.write(files[path])
                file.flush()
                os.fsync(file.fileno())
        for path, temporary in temporaries.items():
            with refusals(path):
                temporary.replace(path)
        for folder in dict.fromkeys(path.parent for path in temporaries):
            with refusals(folder):
                sync_folder(folder)
    except BaseException:
        for temporary in temporaries.values():
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        raise


def make_folder(folder: Path) -> None:
    """Make a folder with its parents, where they are missing, so that they outlast a loss of power."""
    if address(folder):  # a store has no folders
        return
    missing = [level for level in (folder, *folder.parents) if not level.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for level in missing:
        sync_folder(level.parent)


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk: without that, a loss of power can undo that files were made or renamed.

    Windows keeps names in order by itself, and cannot open a folder.
    """
    if sys.platform == "win32":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder that one may write to but not list
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some network file systems cannot flush a folder
            raise
    finally:
        os.close(descriptor)


def append_line(path: Path, line: bytes) -> None:
    """Append a line (with its line end) to a file and flush it to the disk; where that fails, the file is cut back.

    Raises InputError or JobError, with the path, where the operating system refuses or the file is not there any more,
    and InputError for a link.
    """
    refuse_links(path)
    with refusals(path), path.open("r+b", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        try:
            rest = line
            while rest:  # an unbuffered write may take less than it is given
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):
                file.truncate(end)
            raise


LOCK = "lock"
# Where the lock lies in the file on Windows: behind the text, because a locked byte cannot be read by others there.
_LOCKED_BYTE = 1 << 30
# Locks of the operating system are a process's; this set keeps apart two runs in threads of one process.
_held: set[Path] = set()
_held_guard = threading.Lock()


@contextmanager
def folder_lock(folder: Path) -> Iterator[Callable[[], bool]]:
    """Hold the only right to write in a folder; what it gives tells whether that is so still, as somebody may have
    removed the folder and begun another. Raises InputError, with the holder's process number, if it is taken.

    The lock is the operating system's, on the file `lock` in the folder, so it ends with its process however that
    dies; the file that a dead process leaves is taken over. On POSIX systems it is a record lock, which forked workers
    do not inherit.
    """
    with _hold(folder.resolve() / LOCK, folder) as is_held:
        yield is_held


@contextmanager
def file_lock(file: Path) -> Iterator[None]:
    """Hold the only right to write a file, as `folder_lock` does for a folder, by a lock beside it."""
    with _hold(file.resolve().with_name(f"{file.name}.{LOCK}"), file):
        yield


@contextmanager
def _hold(path: Path, target: Path) -> Iterator[Callable[[], bool]]:
    """Hold the lock `path` on a folder or file."""
    with _held_guard:
        if path in _held:
            raise InputError(f"this process is already writing in {target}. Wait for it, or choose another place.")
        _held.add(path)
    try:
        with refusals(path):
            descriptor = _acquire(path, target)
        try:
            yield lambda: _is_still(path, descriptor)
        finally:
            _release(path, descriptor)
    finally:
        with _held_guard:
            _held.discard(path)


def _acquire(path: Path, target: Path) -> int:
    refuse_links(path)
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINK | _NO_WAITING, 0o666)
        try:
            if not _lock(descriptor):
                holder = os.read(descriptor, 200).decode(errors="replace").strip() or "starting just now"
                raise InputError(
                    f"another process ({holder}) is writing in {target}. Wait until it has finished, or choose another "
                    "place."
                )
            if _is_still(path, descriptor):
                os.truncate(descriptor, 0)
                os.lseek(descriptor, 0, os.SEEK_SET)
                os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # its last holder has just removed it: try again with a new one


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except (FileNotFoundError, NotADirectoryError):
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

    def _release(path: Path, descriptor: int) -> None:
        os.close(descriptor)
        with suppress(OSError):  # an open file cannot be removed: then somebody else has it already
            path.unlink()

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN):
                return False
            raise
        return True

    def _release(path: Path, descriptor: int) -> None:
        with suppress(OSError):  # a folder that has become read-only must not hide what went wrong before
            path.unlink()
        os.close(descriptor)
