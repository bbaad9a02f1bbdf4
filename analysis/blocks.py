"""One pass over the tables `games` and `seats` of a run: all that is later asked of a line-up, as sums over blocks.

`read_blocks` reads a line-up shard by shard. From each shard it makes one row a block (a deal under all rotations of
the line-up) with a column for every quantity of the table below, and adds the rows to streaming moments; the shard is
then forgotten. A mean, a share or a ratio of means, with its block-level error, can be asked of the result by the names
of the columns. Names:

    order<o>.share .margin .score   the seat that was o-th in turn order (0 = first)
    seat<s>.share  .margin .score   the seat s of the table
    bot<b>.share   .margin .score   the places of the bot with index b in the manifest; also .score2 .share2 .margin2
                                    (squares of a game's), .share.block2 .margin.block2 (squares of the block's),
                                    .decisions .options .forced, .part.<name>, .count.<name>
    games.<x>                       turns, decisions, rounds, cut_off, end<i>, lead_changes, changed, last_change (0 in
                                    games without a change), tie, winning, losing (the best and the worst score;
                                    winning2, losing2 their squares), close<k>, behind<i>.seats, behind<i>.share; for
                                    three and more also ahead<i>.seats, ahead<i>.share, ahead.half, ahead.final
    lead.<x>                        the winner's lead in score, part.<name> or count.<name>; none of these where the
                                    game declares neither parts nor counters, or is for one

share = win share (ties split), margin = own score minus the mean of the others' scores, the winner's lead in x = the
winner's x minus the mean of the others' x (mean of the winners' where several share the win): with w the win shares of
n seats, n / (n - 1) (sum w x - mean x). Where parts add up to the score, so do the leads in them.
"""

from __future__ import annotations

import itertools
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from analysis import stats
from analysis.stats import Estimate
from simcore.manifest import Manifest
from simcore.runlog import Run

Array = NDArray[Any]
T = TypeVar("T")

CLOSE = (0, 1, 2, 5, 10, 20, 40, 80)
"""k of the closeness P(|margin| <= k), in the unit of the score."""
BEHIND = (1, 3, 6, 11, 21, 41, 81)
"""Lower ends of the classes of "behind (or ahead) by d at half time": 1 to 2, 3 to 5, …, 81 and more."""


@dataclass(frozen=True)
class LineUp:
    """A line-up: its index in the manifest and the bots by place, as indices and names."""

    index: int
    bots: tuple[int, ...]
    names: tuple[str, ...]

    @property
    def mirror(self) -> bool:
        """Whether all places are held by one bot: self-play."""
        return len(set(self.bots)) == 1

    @property
    def distinct(self) -> tuple[int, ...]:
        """Indices of the bots that take part, each once, in the order of their first place."""
        return tuple(dict.fromkeys(self.bots))

    def __str__(self) -> str:
        """As a sentence says it: "expert against itself", "expert against heuristic", "1 expert against 3 uniform"."""
        if self.mirror:
            return f"{self.names[0]} against itself"
        counts = Counter(self.names)
        if len(counts) == len(self.names):
            return " against ".join([self.names[0], ", ".join(self.names[1:])])
        first, *others = [f"{count} {name}" for name, count in counts.items()]
        return f"{first} against {', '.join(others)}"


def line_ups(manifest: Manifest) -> tuple[LineUp, ...]:
    """The line-ups of a run, in the order of the manifest."""
    names = [bot["name"] for bot in manifest["bots"]]
    return tuple(LineUp(i, tuple(bots), tuple(names[b] for b in bots)) for i, bots in enumerate(manifest["line_ups"]))


# --- files -----------------------------------------------------------------------------------------------------------


def shards_of(run: Run, line_up: int) -> list[int]:
    """Numbers of the line-up's finished shards, in the order of the games."""
    return [number for number, entry in run.shards.items() if entry.line_up == line_up]


def read_part(run: Run, table: str, shard: int, columns: Sequence[str]) -> pl.DataFrame:
    """Columns of one shard's table. Raises InputError where the file cannot be read."""
    return run.read_part(table, shard, columns)


def in_order(work: Callable[[T], Any], items: Iterable[T], threads: int | None) -> Iterator[Any]:
    """Map over items with threads, results in the order of the items, with only a few items in flight.

    BLAS keeps to one thread each meanwhile: its own would stand in our threads' way, and wait for each other by
    spinning, which on a busy machine took half to two thirds of the time of a pass.
    """
    workers = threads or os.cpu_count() or 1
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(workers) as pool:
        pending: list[Any] = []
        for item in items:
            pending.append(pool.submit(work, item))
            if len(pending) > 2 * workers:
                yield pending.pop(0).result()
        for future in pending:
            yield future.result()


# --- the pass --------------------------------------------------------------------------------------------------------


@dataclass
class Blocks:
    """What one line-up's pass has found; `names` are the columns of `moments`.

    `turns` (blocks, games), `first_margin` (blocks, games; the margin of the seat that was first in turn order) and
    `first_share` (blocks; its mean win share) are kept game by game for quantiles and running estimates. `scores[b]`
    counts the scores of bot b, `results` those of the winning and the losing seat: {score: seats}. `distinct` is the
    number of games that were played differently from the others of their deal.
    """

    line_up: LineUp
    seats: int
    names: tuple[str, ...]
    moments: stats.Moments
    turns: Array
    first_margin: Array
    first_share: Array
    scores: dict[int, dict[int, int]]
    results: dict[str, dict[int, int]]
    distinct: int
    order_is_seat: bool
    _column: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Index the columns."""
        self._column = {name: i for i, name in enumerate(self.names)}

    @property
    def blocks(self) -> int:
        """Number of deals."""
        return self.moments.n

    @property
    def games(self) -> int:
        """Number of games that were logged."""
        return self.blocks * self.seats

    def has(self, name: str) -> bool:
        """Whether there is a column of this name."""
        return name in self._column

    def value(self, name: str) -> float:
        """The plain mean of a column."""
        return float(self.moments.mean[self._column[name]])

    def sd(self, name: str) -> float:
        """Standard deviation of a column over blocks."""
        i = self._column[name]
        return math.sqrt(float(self.moments.covariance[i, i])) if self.blocks > 1 else math.nan

    def mean(self, name: str, unit: str, confidence: float = stats.CONFIDENCE, minus: float = 0.0) -> Estimate:
        """Mean of a column less a constant, with its block-level interval."""
        return self.combine({name: 1.0}, unit, confidence, minus)

    def combine(
        self, weights: dict[str, float], unit: str, confidence: float = stats.CONFIDENCE, minus: float = 0.0
    ) -> Estimate:
        """A weighted sum of column means less a constant, with its block-level interval."""
        gradient = np.zeros(len(self.names))
        for name, weight in weights.items():
            gradient[self._column[name]] += weight
        se = self.moments.delta(gradient)
        return self._estimate(float(gradient @ self.moments.mean) - minus, se, unit, confidence)

    def share(self, name: str, confidence: float = stats.CONFIDENCE) -> Estimate:
        """Mean of a column that is a share of games: the interval stays within 0 and 1 and holds for rare events."""
        found = self.mean(name, "share")
        low, high = stats.share_interval(found.value, found.se, self.blocks, confidence)
        return Estimate(found.value, low, high, found.n, found.games, "share", found.se)

    def ratio(self, over: Sequence[str], under: Sequence[str], unit: str) -> Estimate:
        """Ratio of two sums of columns, with the error of the delta method. NaN where nothing stands below."""
        value, gradient = stats.ratio_gradient(
            len(self.names),
            [self._column[name] for name in over],
            [self._column[name] for name in under],
            self.moments.mean,
        )
        return self._estimate(value, math.nan if math.isnan(value) else self.moments.delta(gradient), unit)

    def share_of(self, over: Sequence[str], under: Sequence[str]) -> Estimate:
        """Ratio of two sums of columns that is a share of cases (seats, games): the interval stays within 0 and 1 and
        holds for rare events too.
        """
        found = self.ratio(over, under, "share")
        cases = round(sum(self.value(name) for name in under) * self.games)
        trials = int(stats.independent(cases, self.seats, self.blocks))
        low, high = stats.share_interval(found.value, found.se, trials)
        return Estimate(found.value, low, high, found.n, found.games, "share", found.se)

    def delta(self, value: float, gradient: dict[str, float], unit: str) -> Estimate:
        """Any smooth function of the column means, given its value and its gradient there."""
        g = np.zeros(len(self.names))
        for name, slope in gradient.items():
            g[self._column[name]] += slope
        return self._estimate(value, self.moments.delta(g), unit)

    def _estimate(self, value: float, se: float, unit: str, confidence: float = stats.CONFIDENCE) -> Estimate:
        half = stats.z_value(confidence) * se
        return Estimate(value, value - half, value + half, self.blocks, self.distinct, unit, se)


def read_blocks(run: Run, line_up: LineUp, threads: int | None = None) -> Blocks | None:
    """Read a line-up's games and seats, shard by shard. None where no shard of it is finished."""
    shards = shards_of(run, line_up.index)
    if not shards:
        return None
    reader = BlockReader(run, line_up)
    total: _Shard | None = None
    turns, margins, shares = [], [], []
    for shard in in_order(reader.read, shards, threads):
        turns.append(shard.turns)
        margins.append(shard.first_margin)
        shares.append(shard.first_share)
        if total is None:
            total = shard
        else:
            total.merge(shard)
    assert total is not None
    return Blocks(
        line_up=line_up,
        seats=run.manifest["seats"],
        names=total.names,
        moments=total.moments,
        turns=np.concatenate(turns),
        first_margin=np.concatenate(margins),
        first_share=np.concatenate(shares),
        scores=total.scores,
        results=total.results,
        distinct=total.distinct,
        order_is_seat=total.order_is_seat,
    )


@dataclass
class _Shard:
    names: tuple[str, ...]
    moments: stats.Moments
    turns: Array
    first_margin: Array
    first_share: Array
    scores: dict[int, dict[int, int]]
    results: dict[str, dict[int, int]]
    distinct: int
    order_is_seat: bool

    def merge(self, other: _Shard) -> None:
        self.moments.merge(other.moments)
        self.distinct += other.distinct
        self.order_is_seat = self.order_is_seat and other.order_is_seat
        for b, counts in other.scores.items():
            _add_counts(self.scores.setdefault(b, {}), counts)
        for who, counts in other.results.items():
            _add_counts(self.results[who], counts)


class BlockReader:
    """Makes block rows of one line-up; arrays are (blocks, rotations, seats) for seats, (blocks, rotations) for
    games.
    """

    def __init__(self, run: Run, line_up: LineUp) -> None:
        manifest = run.manifest
        self.run = run
        self.seats = manifest["seats"]
        self.line_up = line_up
        self.parts = [part["name"] for part in manifest["parts"]]
        self.counters = [counter["name"] for counter in manifest["counters"]]
        self.ends = len(manifest["ends"])
        n = self.seats
        # In rotation r, seat s is played by place (s + r) % n.
        self.cells = {
            b: [(r, s) for r in range(n) for s in range(n) if line_up.bots[(s + r) % n] == b] for b in line_up.distinct
        }

    def read(self, shard: int) -> _Shard:
        """One shard's share of everything."""
        n = self.seats
        g, s = self.arrays(shard)
        columns = self.columns(g, s)
        first = s["order"] == 0
        moments = stats.Moments(len(columns))
        moments.add(np.array(list(columns.values())).T)
        return _Shard(
            names=tuple(columns),
            moments=moments,
            turns=g["turns"],
            first_margin=_pick(s["margin"], first).astype(np.float32),
            first_share=columns["order0.share"].astype(np.float32),
            scores={b: _counts(np.stack([s["score"][:, r, k] for r, k in cells])) for b, cells in self.cells.items()},
            results={"winning": _counts(_best(s["score"])), "losing": _counts(-_best(-s["score"]))},
            distinct=_distinct(g["play_hash"]),
            order_is_seat=bool((s["order"] == np.arange(n)).all()),
        )

    def arrays(self, shard: int) -> tuple[dict[str, Array], dict[str, Array]]:
        """One shard's tables `games` and `seats`: an array for each column, and the margins of the seats."""
        n = self.seats
        games = read_part(self.run, "games", shard, _GAME_COLUMNS)
        extra = [f"part_{name}" for name in self.parts] + [f"count_{name}" for name in self.counters]
        seats = read_part(self.run, "seats", shard, [*_SEAT_COLUMNS, *extra])
        g = {name: games[name].to_numpy().reshape(-1, n) for name in games.columns}
        s = {name: seats[name].to_numpy().reshape(-1, n, n) for name in seats.columns}
        s["margin"] = _margin(s["score"])
        return g, s

    def columns(self, g: dict[str, Array], s: dict[str, Array]) -> dict[str, Array]:
        """The block rows of some blocks of `arrays`: the columns of the table at the top, a value a block."""
        columns: dict[str, Array] = {}
        self._by_order_and_seat(columns, s)
        self._by_bot(columns, s)
        self._leads(columns, s)
        self._by_game(columns, g, s)
        return columns

    def _by_order_and_seat(self, columns: dict[str, Array], s: dict[str, Array]) -> None:
        n = self.seats
        for what in ("share", "margin", "score"):
            values = s["win_share" if what == "share" else what]
            for o in range(n):
                columns[f"order{o}.{what}"] = _over_games(_pick(values, s["order"] == o))
            for seat in range(n):
                columns[f"seat{seat}.{what}"] = _over(values, [(r, seat) for r in range(n)])

    def _by_bot(self, columns: dict[str, Array], s: dict[str, Array]) -> None:
        for b, cells in self.cells.items():
            take = f"bot{b}."
            for what in ("score", "decisions", "options", "forced"):
                columns[take + what] = _over(s[what], cells)
            columns[take + "score2"] = _over(s["score"], cells, square=True)
            for what, values in (("share", s["win_share"]), ("margin", s["margin"])):
                columns[take + what] = _over(values, cells)
                # Squares of a game's and of a block's result, from which the worth of mirrored blocks is computed.
                columns[take + what + "2"] = _over(values, cells, square=True)
                columns[take + what + ".block2"] = columns[take + what] ** 2
            for name in self.parts:
                columns[take + f"part.{name}"] = _over(s[f"part_{name}"], cells)
            for name in self.counters:
                columns[take + f"count.{name}"] = _over(s[f"count_{name}"], cells)

    def _leads(self, columns: dict[str, Array], s: dict[str, Array]) -> None:
        n = self.seats
        named = [f"part_{name}" for name in self.parts] + [f"count_{name}" for name in self.counters]
        if n == 1 or not named:
            return
        weight = (n * s["win_share"].astype(float) - 1) / (n - 1) / n  # the last n: a mean over the rotations
        cells = weight.reshape(len(weight), -1)
        for column in ("score", *named):
            values = s[column].reshape(len(weight), -1)
            columns["lead." + column.replace("_", ".", 1)] = np.einsum("ij,ij->i", cells, values)

    def _by_game(self, columns: dict[str, Array], g: dict[str, Array], s: dict[str, Array]) -> None:
        def put(name: str, values: Array) -> None:
            columns[f"games.{name}"] = _over_games(values)

        put("turns", g["turns"])
        put("decisions", g["decisions"])
        put("rounds", g["rounds"])
        put("cut_off", g["truncated"])
        for i in range(self.ends):
            put(f"end{i}", g["end"] == i)
        put("lead_changes", g["lead_changes"])
        changed = g["last_lead_change"] > 0
        put("changed", changed)
        put("last_change", np.where(changed, g["last_lead_change"] / np.maximum(1, g["turns"]), 0.0))
        score = s["score"]
        put("tie", (g["winners"] & (g["winners"] - 1)) != 0)
        for name, best in (("winning", _best(score)), ("losing", -_best(-score))):
            put(name, best)
            put(name + "2", best.astype(float) ** 2)
        gap = _gap(score)
        for k in CLOSE:
            put(f"close{k}", gap <= k)
        behind = _behind(s["standing_half"])
        self._by_class(columns, s, "behind", behind)
        if self.seats > 2:  # of two, who is ahead is not the one who is behind
            self._by_class(columns, s, "ahead", -behind)
            for name, standing in (("half", s["standing_half"]), ("final", score)):
                columns[f"games.ahead.{name}"] = _sum(_margin(standing) * (behind < 0))

    def _by_class(self, columns: dict[str, Array], s: dict[str, Array], name: str, by: Array) -> None:
        """How many seats are behind, or ahead, by how much (a game's mean), and what they win."""
        for i, (low, high) in enumerate(itertools.pairwise((*BEHIND, None))):
            assert low is not None
            inside = by >= low if high is None else (by >= low) & (by < high)
            columns[f"games.{name}{i}.seats"] = _sum(inside)
            columns[f"games.{name}{i}.share"] = _sum(inside * s["win_share"])


_GAME_COLUMNS = (
    "turns", "decisions", "rounds", "truncated", "end", "winners", "lead_changes", "last_lead_change", "play_hash",
)  # fmt: skip
_SEAT_COLUMNS = ("order", "score", "win_share", "decisions", "forced", "options", "standing_half")


def _over(values: Array, cells: Sequence[tuple[int, int]], square: bool = False) -> Array:
    """Mean over some (rotation, seat) cells of every block, in floats."""
    total: Array = np.zeros(len(values))
    for rotation, seat in cells:
        cell = values[:, rotation, seat].astype(float)
        total += cell * cell if square else cell
    return np.asarray(total / len(cells))


def _sum(values: Array) -> Array:
    """Sum over the seats of a game, the mean over the games of every block."""
    n = values.shape[2]
    return np.asarray(n * _over(values, [(rotation, seat) for rotation in range(n) for seat in range(n)]))


def _over_games(values: Array) -> Array:
    total: Array = np.zeros(len(values))
    for rotation in range(values.shape[1]):
        total += values[:, rotation]
    return np.asarray(total / values.shape[1])


def _pick(values: Array, where: Array) -> Array:
    """The values (blocks, rotations) of the one seat of every game that `where` marks."""
    out = np.zeros(values.shape[:2], dtype=values.dtype)
    for seat in range(values.shape[2]):
        np.copyto(out, values[:, :, seat], where=where[:, :, seat])
    return out


def _margin(score: Array) -> Array:
    """Own score minus the mean of the others'."""
    n = score.shape[2]
    wide = score.astype(float)
    if n == 1:
        return wide
    total = wide.sum(axis=2, keepdims=True)
    return np.asarray((wide * n - total) / (n - 1))


def _best(score: Array) -> Array:
    """The highest of the seats' scores, (blocks, rotations). Reducing over so short an axis is slow, hence the loop."""
    best = score[:, :, 0]
    for seat in range(1, score.shape[2]):
        best = np.maximum(best, score[:, :, seat])
    return best


def _gap(score: Array) -> Array:
    """How far the best score is ahead of the second best."""
    if score.shape[2] == 1:
        return np.zeros(score.shape[:2])
    if score.shape[2] == 2:
        return np.asarray(np.abs(score[:, :, 0] - score[:, :, 1]))
    top = np.partition(score, -2, axis=2)
    return np.asarray(top[:, :, -1] - top[:, :, -2])


def _behind(standing: Array) -> Array:
    """How far every seat is behind the leader of the others; negative for the one in front."""
    n = standing.shape[2]
    out = np.empty(standing.shape, dtype=np.int64)
    for seat in range(n):
        others = [standing[:, :, k] for k in range(n) if k != seat] or [standing[:, :, seat]]
        out[:, :, seat] = np.max(others, axis=0) - standing[:, :, seat]
    return out


def _distinct(play_hash: Array) -> int:
    """Games that were played differently from every earlier game of their block."""
    count = len(play_hash)
    for r in range(1, play_hash.shape[1]):
        new = np.ones(len(play_hash), dtype=bool)
        for earlier in range(r):
            new &= play_hash[:, r] != play_hash[:, earlier]
        count += int(new.sum())
    return count


def _counts(values: Array) -> dict[int, int]:
    flat = values.ravel().astype(np.int64)
    if len(flat) == 0:
        return {}
    low = int(flat.min())
    counts = np.bincount(flat - low)
    return {low + int(i): int(counts[i]) for i in np.flatnonzero(counts)}


def _add_counts(to: dict[int, int], other: dict[int, int]) -> None:
    for value, count in other.items():
        to[value] = to.get(value, 0) + count
