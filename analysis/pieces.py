"""Reading several line-ups side by side: the deals that all of them have played, range by range.

A line-up's shards may have other limits in another run, and an unfinished run has holes. A `Piece` is a range of deals
that lies in one shard of each; what is read from it is small, so whatever is compared deal by deal is read piece by
piece and added up, and memory does not grow with the number of games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import stats
from analysis.blocks import read_part
from simcore.runlog import Run, ShardEntry


@dataclass(frozen=True)
class Source:
    """A line-up of a run, by its index."""

    run: Run
    line_up: int

    @property
    def shards(self) -> list[ShardEntry]:
        """Its finished shards in the order of the deals."""
        mine = (entry for entry in self.run.shards.values() if entry.line_up == self.line_up)
        return sorted(mine, key=lambda entry: entry.first)


@dataclass(frozen=True)
class Piece:
    """The deals first to last - 1, and the shard of each source that holds them."""

    first: int
    last: int
    shards: tuple[ShardEntry, ...]

    @property
    def deals(self) -> int:
        """The number of deals."""
        return self.last - self.first

    def rows(self, source: int, run: Run, table: str, columns: Sequence[str]) -> pl.DataFrame:
        """The rows of the piece's deals in a table of a source, which has the column `deal`, in the order of the games.

        Raises InputError where the file cannot be read.
        """
        entry = self.shards[source]
        frame = read_part(run, table, entry.shard, list(dict.fromkeys(("deal", *columns))))
        whole = (entry.first, entry.last) == (self.first, self.last)
        return frame if whole else frame.filter(pl.col("deal").is_between(self.first, self.last - 1))


def pieces(sources: Sequence[Source], blocks: int | None = None) -> list[Piece]:
    """The deals that all sources have finished, in order; only those below `blocks` where it is given."""
    limit = math.inf if blocks is None else blocks
    queues = [source.shards for source in sources]
    at = [0] * len(queues)
    found = []
    while all(i < len(queue) for i, queue in zip(at, queues, strict=True)):
        now = tuple(queue[i] for i, queue in zip(at, queues, strict=True))
        first, last = max(entry.first for entry in now), min(*(entry.last for entry in now), limit)
        if first < last:
            found.append(Piece(first, int(last), now))
        ends = min(entry.last for entry in now)
        at = [i + (entry.last == ends) for i, entry in zip(at, now, strict=True)]
    return found


class UnitSums:
    """Sums of rows by unit of the bootstrap: a deal, or, of many deals, one of at most MOST_UNITS batches of them.

    Rows come in the order of the deals. `sums` (units, columns) and `deals` (units) are what has come so far.
    """

    def __init__(self, deals: int, columns: int) -> None:
        self._size = max(1, math.ceil(deals / stats.MOST_UNITS))
        units = math.ceil(deals / self._size)
        self._seen = 0
        self.sums = np.zeros((units, columns))
        self.deals = np.zeros(units)

    def add(self, rows: NDArray[np.floating]) -> None:
        """Take (deals, columns) more."""
        unit = np.arange(self._seen, self._seen + len(rows)) // self._size
        starts = np.flatnonzero(np.diff(unit, prepend=-1))
        where = unit[starts]
        self.sums[where] += np.add.reduceat(rows, starts, axis=0, dtype=float)
        self.deals[where] += np.diff(np.append(starts, len(rows)))
        self._seen += len(rows)
