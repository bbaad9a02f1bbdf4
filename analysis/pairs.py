"""One pass over two runs of the same deals: moments of both arms and of their differences, as sums over blocks.

The line-up's shards are read piece by piece, a piece being a range of deals that one shard of each run holds. From a
piece both arms make their block rows (`analysis.blocks`); what is kept are the moments of every column for either arm
and for the difference of the two by block, and sums by batches of deals for what is bootstrapped. So memory does not
grow with the number of games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.blocks import BlockReader, LineUp, in_order
from analysis.cards import MOST_BATCHES, CardReader, CardSums
from analysis.market import MarketReader, MarketSums
from analysis.pieces import Piece, Source, pieces
from analysis.tallies import TallyReader, TallySums
from simcore.runlog import Run

Array = NDArray[Any]

BASE, VARIANT, DIFFERENCE = range(3)


def _pieces(base: Run, variant: Run, line_up: LineUp, blocks: int | None) -> list[Piece]:
    return pieces([Source(base, line_up.index), Source(variant, line_up.index)], blocks)


def batch_size(found: Sequence[Piece]) -> int:
    """Deals in a batch, so that there are at most MOST_BATCHES of them."""
    return max(1, math.ceil(sum(piece.deals for piece in found) / MOST_BATCHES))


class PairedMoments:
    """Means and variances of two arms and of their difference, of rows that come in pieces (Chan, Golub, LeVeque 1983).

    `mean` and `squares` (sums of squared deviations) are (3, columns): base, variant, difference. `differs` (columns)
    says whether any block differs between the arms.
    """

    def __init__(self, columns: int) -> None:
        self.n = 0
        self.mean = np.zeros((3, columns))
        self.squares = np.zeros((3, columns))
        self.differs = np.zeros(columns, dtype=bool)

    def add(self, base: Array, variant: Array) -> None:
        """Take more blocks of both arms: (columns, blocks), the same deals in the same order."""
        other = PairedMoments(len(base))
        other.n = base.shape[1]
        for i in range(len(base)):
            difference = variant[i] - base[i]
            other.differs[i] = bool(difference.any())
            for arm, values in enumerate((base[i], variant[i], difference)):
                mean = values.mean()
                other.mean[arm, i] = mean
                centred = values - mean
                other.squares[arm, i] = centred @ centred
        self.merge(other)

    def merge(self, other: PairedMoments) -> None:
        """Join what another accumulator has seen."""
        n = self.n + other.n
        if n == 0:
            return
        step = other.mean - self.mean
        self.squares = self.squares + other.squares + step * step * (self.n * other.n / n)
        self.mean = self.mean + step * (other.n / n)
        self.differs = self.differs | other.differs
        self.n = n

    @property
    def variance(self) -> Array:
        """(3, columns) sample variances over blocks; NaN for fewer than two."""
        return self.squares / (self.n - 1) if self.n > 1 else np.full_like(self.squares, np.nan)


@dataclass
class LineUpPairs:
    """What one line-up's pass over two runs has found; `names` are the columns of `moments`.

    `sums[name]` (2 arms, batches) are sums over the blocks of a batch, `sizes` (batches) its blocks. `identical` games
    were played identically in both arms, `alike` ones scored the same for every seat.
    """

    line_up: LineUp
    names: tuple[str, ...]
    moments: PairedMoments
    sums: dict[str, Array]
    sizes: Array
    games: int
    identical: int
    alike: int
    _column: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Index the columns."""
        self._column = {name: i for i, name in enumerate(self.names)}

    def column(self, name: str) -> int:
        """The index of a column."""
        return self._column[name]


def kept_sums(line_up: LineUp) -> list[str]:
    """The columns whose sums by batch are kept: what standard deviations over games are made of."""
    return [f"bot{b}.{what}" for b in line_up.distinct for what in ("score", "score2", "margin", "margin2")]


def read_pairs(
    base: Run, variant: Run, line_up: LineUp, blocks: int | None = None, threads: int | None = None
) -> LineUpPairs | None:
    """Read a line-up of two comparable runs. None where they have no finished deal in common."""
    found = _pieces(base, variant, line_up, blocks)
    if not found:
        return None
    reader = _PairReader((base, variant), line_up, batch_size(found))
    batches = math.ceil(found[-1].last / reader.batch)
    total: LineUpPairs | None = None
    sums = {name: np.zeros((2, batches)) for name in kept_sums(line_up)}
    sizes = np.zeros(batches)
    for pairs, first_batch in in_order(reader.read, found, threads):
        where = slice(first_batch, first_batch + len(pairs.sizes))
        sizes[where] += pairs.sizes
        for name, values in pairs.sums.items():
            sums[name][:, where] += values
        if total is None:
            total = pairs
        else:
            total.moments.merge(pairs.moments)
            total.games += pairs.games
            total.identical += pairs.identical
            total.alike += pairs.alike
    assert total is not None
    played = sizes > 0  # an unfinished run has holes
    total.sizes = sizes[played]
    total.sums = {name: values[:, played] for name, values in sums.items()}
    return total


class _PairReader:
    """Reads a piece from both runs."""

    def __init__(self, runs: tuple[Run, Run], line_up: LineUp, batch: int) -> None:
        self.readers = [BlockReader(run, line_up) for run in runs]
        self.line_up = line_up
        self.batch = batch

    def read(self, piece: Piece) -> tuple[LineUpPairs, int]:
        """What a piece gives, and the number of its first batch."""
        tables = [self._arrays(arm, piece) for arm in (BASE, VARIANT)]
        rows = [reader.columns(*arrays) for reader, arrays in zip(self.readers, tables, strict=True)]
        names = tuple(rows[BASE])
        moments = PairedMoments(len(names))
        base, variant = (np.array([row[name] for name in names]) for row in rows)
        moments.add(base, variant)
        batch_of = np.arange(piece.first, piece.last) // self.batch
        starts = np.flatnonzero(np.diff(batch_of, prepend=-1))
        kept = kept_sums(self.line_up)
        sums = {name: np.stack([np.add.reduceat(row[name], starts) for row in rows]) for name in kept}
        (games, seats), (games2, seats2) = tables
        same_play = games["play_hash"] == games2["play_hash"]
        same_score = (seats["score"] == seats2["score"]).all(axis=2)
        sizes = np.diff(np.append(starts, len(batch_of)))
        pairs = LineUpPairs(
            self.line_up, names, moments, sums, sizes, same_play.size, int(same_play.sum()), int(same_score.sum())
        )
        return pairs, int(batch_of[0])

    def _arrays(self, arm: int, piece: Piece) -> tuple[dict[str, Array], dict[str, Array]]:
        """The piece's part of the shard of one arm."""
        entry = piece.shards[arm]
        games, seats = self.readers[arm].arrays(entry.shard)
        inside = slice(piece.first - entry.first, piece.last - entry.first)
        return {k: v[inside] for k, v in games.items()}, {k: v[inside] for k, v in seats.items()}


# --- cards -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CardPairs:
    """Sums of the card logs of both arms over the same batches of deals, each with the reader that knows its types."""

    readers: tuple[CardReader, CardReader]
    association: tuple[Array, Array]
    xx: tuple[Array, Array]
    xy: tuple[Array, Array]
    deals: int


def read_card_pairs(
    base: Run, variant: Run, line_up: LineUp, blocks: int | None = None, threads: int | None = None
) -> CardPairs | None:
    """Read the card logs of a line-up of two comparable runs.

    None where a run has no card log or stamps no card, or they have no finished deal in common.
    """
    found = _pieces(base, variant, line_up, blocks)
    if not found or any("cards" not in run.tables for run in (base, variant)):
        return None
    batch = batch_size(found)
    readers = (CardReader(base, line_up, batch), CardReader(variant, line_up, batch))
    if not all(reader.types.names for reader in readers):
        return None
    sums = list(in_order(partial(_card_sums, readers), found, threads))

    def joined(name: str) -> tuple[Array, Array]:
        both = [np.concatenate([getattr(piece[arm], name) for piece in sums]) for arm in (BASE, VARIANT)]
        return both[0], both[1]

    return CardPairs(
        readers, joined("association"), joined("xx"), joined("xy"), sum(piece[BASE].deals for piece in sums)
    )


@dataclass(frozen=True)
class MarketPairs:
    """Counts of what lies on the table (`analysis.market.MarketSums.counts`) in both arms, over the same batches."""

    readers: tuple[MarketReader, MarketReader]
    counts: tuple[Array, Array]
    deals: int


@dataclass(frozen=True)
class TallyPairs:
    """Tallies of both arms over the same batches: times (batches, tallies, types) of all seats, and seats (batches)."""

    readers: tuple[TallyReader, TallyReader]
    times: tuple[Array, Array]
    seats: tuple[Array, Array]
    deals: int


def read_market_pairs(
    base: Run, variant: Run, line_up: LineUp, blocks: int | None = None, threads: int | None = None
) -> MarketPairs | None:
    """Read what lies on the table in a line-up of two comparable runs.

    None where a run has no card log or offers nothing, or they have no finished deal in common.
    """
    found = _pieces(base, variant, line_up, blocks)
    batch = batch_size(found) if found else 1
    readers = (MarketReader(base, line_up, batch), MarketReader(variant, line_up, batch))
    if not found or any("cards" not in run.tables for run in (base, variant)):
        return None
    if not all(reader.types.names for reader in readers):
        return None
    sums: list[tuple[MarketSums, MarketSums]] = list(in_order(partial(_both, readers), found, threads))
    first, second = (np.concatenate([piece[arm].counts for piece in sums]) for arm in (BASE, VARIANT))
    return MarketPairs(readers, (first, second), sum(piece[BASE].deals for piece in sums))


def read_tally_pairs(
    base: Run, variant: Run, line_up: LineUp, blocks: int | None = None, threads: int | None = None
) -> TallyPairs | None:
    """Read the tallied cards of a line-up of two comparable runs; None as in `read_market_pairs`."""
    found = _pieces(base, variant, line_up, blocks)
    batch = batch_size(found) if found else 1
    readers = (TallyReader(base, line_up, batch), TallyReader(variant, line_up, batch))
    if not found or any("cards" not in run.tables for run in (base, variant)):
        return None
    if not all(reader.types.names for reader in readers):
        return None
    sums: list[tuple[TallySums, TallySums]] = list(in_order(partial(_both, readers), found, threads))
    times, seats = [], []
    for arm in (BASE, VARIANT):
        times.append(np.concatenate([piece[arm].counts[..., 0].sum(axis=1) for piece in sums]))
        seats.append(np.concatenate([piece[arm].turns[..., 1].sum(axis=1) for piece in sums]))
    return TallyPairs(readers, (times[0], times[1]), (seats[0], seats[1]), sum(piece[BASE].deals for piece in sums))


def _both(
    readers: tuple[MarketReader, MarketReader] | tuple[TallyReader, TallyReader], piece: Piece
) -> tuple[Any, Any]:
    """The sums of a piece in both arms."""
    both: list[Any] = []
    for arm, entry in enumerate(piece.shards):
        reader: MarketReader | TallyReader = readers[arm]
        frames = reader.frames(entry.shard)
        if (entry.first, entry.last) != (piece.first, piece.last):
            inside = pl.col("deal").is_between(piece.first, piece.last, closed="left")
            frames = (frames[0].filter(inside), frames[1].filter(inside))
        both.append(reader.sums(*frames))
    return both[0], both[1]


def _card_sums(readers: tuple[CardReader, CardReader], piece: Piece) -> tuple[CardSums, CardSums]:
    both = []
    for reader, entry in zip(readers, piece.shards, strict=True):
        frame = reader.frame(entry.shard)
        if (entry.first, entry.last) != (piece.first, piece.last):
            frame = frame.filter(frame["deal"].is_between(piece.first, piece.last, closed="left"))
        both.append(reader.sums(frame))
    return both[0], both[1]
