"""Tallied cards: how often things happen with cards that come and go, by bot. One pass over the card log.

A tallied card has a count for each of the game's tallies (played, hired …) a seat and round. From these:

- *rates*: times a game and seat, the share of seats with which it happens at all, and times per own turn (the turns of
  a game are shared evenly among its seats);
- *association* (tier a, confounded): how the margin goes with one time more than the others at the table, as the slope
  of the margin on own minus the others' mean count. What players choose is confounded with how the game goes: these
  numbers describe, they do not explain.

Sums are kept by batches of whole deals, as in `analysis.cards`, so errors are clustered by deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import stats
from analysis.blocks import LineUp, in_order, read_part, shards_of
from analysis.cards import FALSE_DISCOVERIES, deals_in_batch, error, error_of_cases, ratio, share_bounds
from simcore.manifest import CardEntry, Manifest
from simcore.runlog import Run
from simcore.tables import tally_column

Array = NDArray[Any]


@dataclass(frozen=True)
class Tallies:
    """Tallied cards of one line-up. What does not exist is null.

    `rates`, a row a type, tally and bot: type, label, group, tally, bot, value (times a game and seat), low, high,
    share (of seats with which it happened at least once) with share_low, share_high, turn (times per own turn) with
    turn_low, turn_high, n (deals).

    `association` (confounded), a row a type and tally: type, tally, value (points of margin for one time more than the
    others), low, high, p, q (Benjamini-Hochberg over the types of a tally), flagged, n. A slope is null where it never
    happened.

    `tallies` are the names of the tallies that happened at all, in the order of the declaration.
    """

    rates: pl.DataFrame
    association: pl.DataFrame
    tallies: tuple[str, ...]
    n: int


@dataclass(frozen=True)
class TalliedTypes:
    """The types of tallied cards, each with its cards (ids)."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    groups: tuple[str, ...]
    ids: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, manifest: Manifest) -> TalliedTypes:
        """The manifest's tallied cards by type, in the order of their first card."""
        found: dict[str, list[CardEntry]] = {}
        for card in manifest["cards"]:
            if card["tallied"]:
                found.setdefault(card["type"], []).append(card)
        return cls(
            tuple(found),
            tuple(cards[0]["label"] for cards in found.values()),
            tuple(cards[0]["group"] for cards in found.values()),
            tuple(tuple(card["id"] for card in cards) for cards in found.values()),
        )


def tallies(run: Run, line_up: LineUp, threads: int | None = None) -> Tallies | None:
    """The tallied cards of one line-up; None without a card log, tallied cards, or a finished shard of it."""
    shards = shards_of(run, line_up.index) if "cards" in run.tables else []
    reader = TallyReader(run, line_up)
    if not shards or not reader.types.names:
        return None
    sums = [part for part in in_order(reader.read, shards, threads) if part is not None]
    if not sums:
        return None
    deals = sum(part.deals for part in sums)
    counts, slopes = (np.concatenate([getattr(part, name) for part in sums]) for name in ("counts", "slopes"))
    turns = np.concatenate([part.turns for part in sums])
    names = [bot["name"] for bot in run.manifest["bots"]]
    happened = counts[:, :, :, :, 0].sum(axis=(0, 1, 3)) > 0
    return Tallies(
        rates=_rates(counts, turns, reader, names, deals),
        association=_association(slopes, reader, deals),
        tallies=tuple(tally for tally, ever in zip(reader.tallies, happened.tolist(), strict=True) if ever),
        n=deals,
    )


# --- the pass --------------------------------------------------------------------------------------------------------


@dataclass
class TallySums:
    """Sums of one shard by batch of whole deals: `counts` (batches, bots, tallies, types, 2) of times, and of seats
    with any; `turns` (batches, bots, 2) of own turns, and of seats; `slopes` (batches, tallies, types, 2) of d m and
    d d, d being own minus the others' mean count, and m the margin.
    """

    counts: Array
    turns: Array
    slopes: Array
    deals: int


class TallyReader:
    """Turns shards of the card log and the games into sums by batch."""

    def __init__(self, run: Run, line_up: LineUp, batch: int | None = None) -> None:
        """`batch` is the number of deals in a batch, where it is to be the same in several runs."""
        self.run = run
        self.types = TalliedTypes.of(run.manifest)
        self.tallies = list(run.manifest["tallies"])
        self.seats = run.manifest["seats"]
        self.line_up = line_up
        self.batch = batch or deals_in_batch(run)

    def read(self, shard: int) -> TallySums | None:
        """One shard's sums."""
        frame, games = self.frames(shard)
        return self.sums(frame, games) if len(games) else None

    def frames(self, shard: int) -> tuple[pl.DataFrame, pl.DataFrame]:
        """One shard's card log and games."""
        columns = [tally_column(card, tally) for ids in self.types.ids for card in ids for tally in self.tallies]
        return (
            read_part(self.run, "cards", shard, ["deal", "points", *columns]),
            read_part(self.run, "games", shard, ["deal", "rotation", "turns"]),
        )

    def sums(self, frame: pl.DataFrame, games: pl.DataFrame) -> TallySums:
        """The sums of whole deals, at least one. Arrays are (games, seats)."""
        n, bots = self.seats, self.line_up.distinct
        deal = games["deal"].to_numpy()
        deals = np.flatnonzero(np.diff(deal, prepend=np.int64(-1)))
        starts = deals[:: self.batch]
        rotation = games["rotation"].to_numpy()
        # In rotation r, seat s is played by place (s + r) % n.
        bot = np.array(self.line_up.bots)[(np.arange(n) + rotation[:, None]) % n]
        mine = np.stack([bot == b for b in bots]).astype(np.float32)
        # The card log has a row a seat and round, seat by seat; what is asked is of the game.
        rounds = len(frame) // (n * len(games))
        margin = self._contrast(self._by_game(frame["points"], rounds).astype(np.float32))
        own = np.broadcast_to(games["turns"].to_numpy()[:, None] / n, bot.shape)
        turns = np.stack([np.stack([(own * of).sum(axis=1), of.sum(axis=1)]) for of in mine])
        shape = (len(starts), len(self.tallies), len(self.types.names))
        counts, slopes = np.zeros((*shape, len(bots), 2)), np.zeros((*shape, 2))
        for t, ids in enumerate(self.types.ids):
            for k, tally in enumerate(self.tallies):
                times = np.zeros(bot.shape, dtype=np.float32)
                for card in ids:
                    times += self._by_game(frame[tally_column(card, tally)], rounds)
                more = self._contrast(times)
                rows = [(more * margin).sum(axis=1), (more * more).sum(axis=1)]
                for of in mine:
                    rows += [(times * of).sum(axis=1), ((times > 0) * of).sum(axis=1)]
                added = np.add.reduceat(np.stack(rows), starts, axis=1, dtype=float).T
                slopes[:, k, t] = added[:, :2]
                counts[:, k, t] = added[:, 2:].reshape(len(starts), len(bots), 2)
        by_batch = np.add.reduceat(turns, starts, axis=2, dtype=float).transpose(2, 0, 1)
        return TallySums(counts.transpose(0, 3, 1, 2, 4), by_batch, slopes, len(deals))

    def _by_game(self, column: pl.Series, rounds: int) -> Array:
        """A column of the card log summed over the rounds, (games, seats)."""
        values = column.to_numpy().reshape(-1, self.seats, rounds)
        return values[:, :, 0] if rounds == 1 else values.sum(axis=2, dtype=np.int64)

    def _contrast(self, values: Array) -> Array:
        """Each seat's own value minus the mean of the others'."""
        n = self.seats
        return values if n == 1 else np.asarray((values * n - values.sum(axis=1, keepdims=True)) / (n - 1))


# --- tables ----------------------------------------------------------------------------------------------------------


def _rates(counts: Array, turns: Array, reader: TallyReader, names: Sequence[str], deals: int) -> pl.DataFrame:
    z = stats.z_value()
    frames = []
    for i, b in enumerate(reader.line_up.distinct):
        own_turns, seats = turns[:, i, 0, None], turns[:, i, 1, None]
        for k, tally in enumerate(reader.tallies):
            times, ever = counts[:, i, k, :, 0], counts[:, i, k, :, 1]
            value, share, turn = (_with_error(*pair) for pair in ((times, seats), (ever, seats), (times, own_turns)))
            trials = stats.independent(seats.sum(), reader.seats, deals)
            low, high = share_bounds(*share, np.full(share[0].shape, trials))
            columns = {
                "type": list(reader.types.names),
                "label": list(reader.types.labels),
                "group": list(reader.types.groups),
                "tally": tally,
                "bot": names[b],
                "value": value[0],
                "low": value[0] - z * value[1],
                "high": value[0] + z * value[1],
                "share": share[0],
                "share_low": low,
                "share_high": high,
                "turn": turn[0],
                "turn_low": turn[0] - z * turn[1],
                "turn_high": turn[0] + z * turn[1],
                "n": deals,
            }
            frames.append(pl.DataFrame(columns).with_columns(pl.col("n").cast(pl.Int64)))
    return pl.concat(frames).with_columns(pl.col(pl.Float64).fill_nan(None))


def _with_error(over: Array, under: Array) -> tuple[Array, Array]:
    """A ratio of sums over batches and its error."""
    value, influence = ratio(over, under)
    return value, error(influence)


def _association(slopes: Array, reader: TallyReader, deals: int) -> pl.DataFrame:
    frames = []
    for k, tally in enumerate(reader.tallies):
        value, influence = ratio(slopes[:, k, :, 0], slopes[:, k, :, 1])
        se, free = error_of_cases(influence, (slopes[:, k, :, 1] > 0).sum(axis=0))
        with np.errstate(invalid="ignore", divide="ignore"):
            p = stats.two_sided_p(value / se, free)
        q, half = stats.benjamini_hochberg(p), stats.t_value(free) * se
        columns = {
            "type": list(reader.types.names), "tally": tally, "value": value, "low": value - half,
            "high": value + half, "p": p, "q": q, "flagged": q <= FALSE_DISCOVERIES, "n": deals,
        }  # fmt: skip
        frames.append(pl.DataFrame(columns).with_columns(pl.col("n").cast(pl.Int64)))
    return pl.concat(frames).with_columns(pl.col(pl.Float64).fill_nan(None))
