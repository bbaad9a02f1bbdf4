"""One writer at a time in a folder of a store, where the operating system has no locks.

The lock is a file that its holder creates, on condition that there is none, and writes anew every few seconds. A holder
that dies leaves it; whoever comes then watches it for a while and takes it over if nobody writes it. A holder that was
merely cut off finds that out, and stops. Stores without conditional writes have no exact lock; what two writers of one
run could still do to each other is bounded: equal shards are equal bytes, and neither can lose lines of the other's log
(simcore.shardlog).
"""

import os
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from simcore.errors import InputError
from simcore.files import refusals
from simcore.places import Address, place

BEAT = 5.0  # seconds between two writes of the holder
PATIENCE = 30.0  # seconds without one, after which the holder counts as dead


class StoreLock:
    """A lock; `lost` says whether another process has taken it over."""

    def __init__(self, file: Address, folder: Address) -> None:
        self._file = file
        self._folder = folder
        self._owner = f"process {os.getpid()} on {socket.gethostname()}, {secrets.token_hex(8)}"
        self._beats = 0
        self.lost = False
        self._stop = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="lock", daemon=True)

    def acquire(self) -> None:
        """Take the lock, after watching one that is there. Raises InputError where its holder is alive."""
        with refusals(place(self._file)):
            while not self._create():
                self._wait_for_death()
        self._heart.start()

    def _content(self) -> bytes:
        return f"{self._owner}, {self._beats}\n".encode()

    def _create(self) -> bool:
        try:
            self._file.create(self._content())
        except FileExistsError:
            return False
        return True

    def _wait_for_death(self) -> None:
        """Remove the lock of a dead process. Raises InputError if it is written while it is watched."""
        with suppress(FileNotFoundError):
            seen = self._file.read_bytes()
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                time.sleep(BEAT / 5)
                if self._file.read_bytes() != seen:
                    holder = seen.decode(errors="replace").rpartition(",")[0].rpartition(",")[0]
                    raise InputError(
                        f"another process ({holder}) is writing in {self._folder}. Wait until it has finished, or "
                        "choose another place."
                    )
            self._file.unlink(missing_ok=True)

    def _beat(self) -> None:
        while not self._stop.wait(BEAT):
            with suppress(OSError):  # a store that cannot be reached now may be so at the next beat
                if not self._is_mine():
                    self.lost = True
                    return
                self._beats += 1
                self._file.write_bytes(self._content())

    def _is_mine(self) -> bool:
        try:
            return self._file.read_bytes().decode(errors="replace").startswith(self._owner)
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let go of the lock."""
        self._stop.set()
        self._heart.join()
        with suppress(OSError):
            if self._is_mine():
                self._file.unlink(missing_ok=True)


@contextmanager
def store_lock(folder: Address, name: str) -> Iterator[StoreLock]:
    """Hold the only right to write in a folder of a store. Raises InputError, with its holder, if it is taken."""
    lock = StoreLock(folder / name, folder)
    lock.acquire()
    try:
        yield lock
    finally:
        lock.release()
