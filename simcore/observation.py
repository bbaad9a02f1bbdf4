"""What a seat knows as one row of numbers of fixed length: every field of `public` and of its own `private`, by type.

Nothing else goes in, so a learning program cannot peek, as a bot cannot. The row does not depend on the card set or on
the number of seats.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.game import Game

BITS = 64
OWN = ("actor", "decision")  # of public: for the seat to decide only


@dataclass(frozen=True)
class _Leaf:
    """A number of a record: its name, where it lies, in bytes, and its type."""

    name: str
    offset: int
    kind: np.dtype[Any]


def _leaves(kind: np.dtype[Any], name: str, offset: int) -> Iterator[_Leaf]:
    if kind.subdtype is not None:
        element, shape = kind.subdtype
        for position, index in enumerate(np.ndindex(shape)):
            where = f"{name}[{','.join(map(str, index))}]"
            yield from _leaves(element, where, offset + position * element.itemsize)
    elif kind.names is not None and kind.fields is not None:
        for field in kind.names:
            inner, start = kind.fields[field][:2]
            yield from _leaves(inner, f"{name}.{field}", offset + start)
    else:
        yield _Leaf(name, offset, kind)


class _Part:
    """How a record becomes numbers."""

    def __init__(self, kind: np.dtype[Any], name: str) -> None:
        """Raises ValueError for a field that holds neither whole numbers nor a set."""
        self.names: list[str] = []
        numbers: dict[np.dtype[Any], list[tuple[int, int]]] = {}
        sets: list[tuple[int, int]] = []
        for leaf in _leaves(kind, name, 0):
            if leaf.kind == np.uint64:
                sets.append((len(self.names), leaf.offset))
                self.names += [f"{leaf.name}:{bit}" for bit in range(BITS)]
            elif leaf.kind.kind in "iu":
                numbers.setdefault(leaf.kind, []).append((len(self.names), leaf.offset // leaf.kind.itemsize))
                self.names.append(leaf.name)
            else:
                raise ValueError(f"{leaf.name} is of type {leaf.kind}, which is no whole number")
        self.low = np.full(len(self.names), np.iinfo(np.int32).min, np.int32)
        self.high = np.full(len(self.names), np.iinfo(np.int32).max, np.int32)
        self._numbers = [(number, *np.array(places, np.intp).T) for number, places in numbers.items()]
        for number, to, _ in self._numbers:
            if number.itemsize < 4:
                self.low[to], self.high[to] = np.iinfo(number).min, np.iinfo(number).max
        starts, offsets = np.array(sets, np.intp).reshape(-1, 2).T
        self._bits = (starts[:, None] + np.arange(BITS)).reshape(-1)
        self._bytes = (offsets[:, None] + np.arange(BITS // 8)).reshape(-1)
        self.low[self._bits], self.high[self._bits] = 0, 1

    def write(self, record: Any, row: NDArray[np.int32]) -> None:
        """The numbers of a record into a row of as many."""
        memory = np.frombuffer(record.tobytes(), np.uint8)
        for number, to, source in self._numbers:
            whole = memory[: len(memory) // number.itemsize * number.itemsize].view(number)
            row[to] = whole[source]
        row[self._bits] = np.unpackbits(memory[self._bytes], bitorder="little")


class Layout:
    """The layout of a game's observations, and how they are made.

    A row holds, in this order: the seat; every number of `public` and of `private[seat]`, in the order in which the
    game declares them; a set (a field of type uint64) as 64 numbers, 0 or 1. `public.actor` and `public.decision` are
    -1 while another seat decides: that somebody was asked can be a secret.
    """

    def __init__(self, game: Game) -> None:
        self._public, self._private = _Part(game.public, "public"), _Part(game.private, "private")
        self._own = [1 + self._public.names.index(f"public.{name}") for name in OWN]
        self.size = 1 + len(self._public.names) + len(self._private.names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A name for each number: `seat`, `public.board[1].length[3]`; `private.held:5` is whether 5 is in the set."""
        return ("seat", *self._public.names, *self._private.names)

    def bounds(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The least and the highest value of each number, those of its type where the game declares no more."""
        seat = (np.zeros(1, np.int32), np.full(1, np.iinfo(np.int8).max, np.int32))
        low = np.concatenate([seat[0], self._public.low, self._private.low])
        high = np.concatenate([seat[1], self._public.high, self._private.high])
        return low, high

    def row(self, public: Any, me: Any, seat: int) -> NDArray[np.int32]:
        """What a seat knows, given what all see and what it alone sees: int32, as many as there are names."""
        row = np.empty(self.size, np.int32)
        row[0] = seat
        split = 1 + len(self._public.names)
        self._public.write(public, row[1:split])
        self._private.write(me, row[split:])
        if int(public.actor) != seat:
            row[self._own] = -1
        return row
