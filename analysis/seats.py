"""Seats and turn order: is going first an advantage, how sure is that, and what would make it fair?

`order` is the place in turn order (0 = first), `seat` the place at the table. Where the rules draw the starter at
random, a seat's share is 1/n by construction and only `order` says something.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from analysis import stats
from analysis.blocks import Array, Blocks
from analysis.stats import Estimate, Finding

POWER = 0.9
TRIED = 3
"""Compensations up to this many points on either side of the median are listed with what they would do."""


@dataclass(frozen=True)
class Place:
    """How one place did (a place in turn order, or a seat), over all deals: win share (intervals hold for all places
    together), margin, score.
    """

    place: int
    share: Estimate
    margin: Estimate
    score: Estimate


@dataclass(frozen=True)
class Compensation:
    """Points for the one who does not go first that would make the game even, for two seats.

    `points` is the k with P(win) + P(tie)/2 = 1/2 for the first player of margin M once k is taken off: the median of
    M, with an interval by order statistics. `tried` pairs whole and half points k with the first player's share that
    these games predict. A k is best on the deals that it was chosen on, so `checked` is a trial on fresh ones: `k` is
    the median of the first half of the deals, and `checked` the first player's share in the other half with k taken
    off. Both are None for fewer than two deals a half. The bots knew of no compensation in any of these games.
    """

    points: Estimate
    tried: tuple[tuple[float, float], ...]
    k: float | None
    checked: Estimate | None


@dataclass(frozen=True)
class TurnOrder:
    """Turn order and seats of one line-up.

    `advantage` is the win share of the first player minus 1/n, `advantage_points` its margin; each with its finding in
    the designer's margin. `detectable` is the smallest advantage in win share that as many deals find with a power of
    0.9. `compensation` is None for more than two seats. `duplicates` are games that repeated another game of their deal
    move by move (equal deterministic bots in mirrored legs): they are counted once. `order_is_seat` says that the first
    seat always starts.
    """

    orders: tuple[Place, ...]
    seats: tuple[Place, ...]
    advantage: Estimate
    finding: Finding
    advantage_points: Estimate
    finding_points: Finding
    compensation: Compensation | None
    detectable: float
    duplicates: int
    order_is_seat: bool


def turn_order(blocks: Blocks, margin_share: float, margin_points: float, unit: str = "points") -> TurnOrder:
    """Analyse turn order and seats of one line-up within the designer's margins (win share, and points of score)."""
    n = blocks.seats
    advantage = blocks.mean("order0.share", "share", minus=1 / n)
    points = blocks.mean("order0.margin", unit)
    return TurnOrder(
        orders=tuple(_place(blocks, "order", i, unit) for i in range(n)),
        seats=tuple(_place(blocks, "seat", i, unit) for i in range(n)),
        advantage=advantage,
        finding=stats.judge(advantage.value, advantage.se, advantage.n, margin_share),
        advantage_points=points,
        finding_points=stats.judge(points.value, points.se, points.n, margin_points),
        compensation=compensation(blocks, unit) if n == 2 and blocks.line_up.mirror else None,
        detectable=stats.minimal_detectable_effect(blocks.sd("order0.share"), blocks.blocks, power=POWER),
        duplicates=blocks.games - blocks.distinct,
        order_is_seat=blocks.order_is_seat,
    )


def _place(blocks: Blocks, kind: str, i: int, unit: str) -> Place:
    # The shares of n places sum to 1; with two there is only one comparison.
    together = stats.sidak(stats.CONFIDENCE, blocks.seats if blocks.seats > 2 else 1)
    return Place(
        i,
        blocks.share(f"{kind}{i}.share", together),
        blocks.mean(f"{kind}{i}.margin", unit),
        blocks.mean(f"{kind}{i}.score", unit),
    )


def compensation(blocks: Blocks, unit: str = "points") -> Compensation:
    """The points that make the game even for two seats: see `Compensation`."""
    value, low, high = stats.quantile_interval(blocks.first_margin, 0.5)
    points = Estimate(value, low, high, blocks.blocks, blocks.distinct, unit)
    middle = math.floor(value)
    tried = tuple((k, share_after(blocks, k)) for k in np.arange(middle - TRIED, middle + TRIED + 0.5, 0.5).tolist())
    return Compensation(points, tried, *_checked(blocks.first_margin))


def _checked(margins: Array) -> tuple[float, Estimate] | tuple[None, None]:
    """The compensation by the first half of the deals, and what it does to the first player's share in the other."""
    chosen, fresh = np.array_split(margins, 2)
    if len(fresh) < 2:
        return None, None
    k, _, _ = stats.quantile_interval(chosen, 0.5)
    below, se = stats.share_below(fresh, k)
    share = 1 - below
    low, high = stats.share_interval(share, se, len(fresh))
    return k, Estimate(share, low, high, len(fresh), fresh.size, "share", se)


def share_after(blocks: Blocks, k: float) -> float:
    """Share of the first player if k points were taken off its logged margins: P(M > k) + P(M = k)/2."""
    return 1 - stats.share_below(blocks.first_margin, k)[0]
