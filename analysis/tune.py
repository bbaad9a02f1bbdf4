"""A card set that was tuned: what a candidate costs, the finalists, and what fresh deals say of the best of them.

The *miss* of a candidate is how far the ends of the intervals of the targets' figures (`analysis.check`) lie beyond
their limits, added up, in margins: a margin is half the width of the limits, or where one side is open the size of the
other limit. It is never about the figure itself: an interval twice as wide as that of the proof will be has to be
inside, as a target is met only where the proof's is. So the miss has a slope wherever a target is not met, and is 0
where the proof will likely find all of them met. The *price* is small beside it and grows with each value that
is edited and with how far: of two candidates that meet the targets, the one with fewer and smaller edits costs less.
Where the targets that the card set misses name a card, editing another one costs more: a strong card can often be put
right by weakening those that are played beside it, but that is not what is wrong.

The candidate that won a search won by luck, too. So finalists are chosen again on fresh deals, the best of them is
judged on deals that chose nothing, and its *optimism* is the mean of its miss in fresh games, as many as in the search,
minus what it was in the search. Where the winner had bad luck in the search, that is negative.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from analysis import stats
from analysis.balance import plain_data
from analysis.check import Check, Figure
from analysis.stats import Estimate

EDIT = 0.02
"""The price of an edited value, in margins …"""
SIZE = 0.02
"""… and of moving it over all that it may be."""
BYSTANDER = 0.02
"""The price on top for a row that no missed target names, where another that may vary is named: more than SIZE, so that
the smallest such edit costs as much as the largest of a row that is named.
"""
UNJUDGED = 1.0
"""The miss of a target or figure of which the games tell nothing."""
DIGITS = 9  # of a miss: what is beyond may depend on the order in which threads add up


@dataclass(frozen=True)
class Range:
    """A value that may vary: its path, the values that it may have (ascending) and the one that it has now."""

    path: str
    values: tuple[int, ...]
    base: int


@dataclass(frozen=True)
class Trial:
    """What a candidate came to in the search: its values, its price, and its miss in `part` of the deals.

    `on_the_way` are the misses after the parts before, and `named` the cards that are beyond a limit. Where `part` is
    below 1, the candidate was given up, and `miss` is what it likely has in all deals. A card set that the game refuses
    has an infinite one, and none of the deals.
    """

    values: tuple[int, ...]
    price: float
    miss: float
    part: float
    on_the_way: tuple[float, ...] = ()
    named: tuple[str, ...] = ()

    @property
    def cost(self) -> float:
        """What the search lowers."""
        return self.miss + self.price

    @property
    def whole(self) -> bool:
        """Whether all deals were played."""
        return self.part == 1


@dataclass(frozen=True)
class Finalist:
    """A candidate of the last choice: its values and edits in words, its price, its miss in the search and on fresh
    deals, who played there, its folder in that of the tuning, and whether it is known there to meet all targets.
    """

    values: tuple[int, ...]
    edits: tuple[str, ...]
    price: float
    searched: float
    fresh: float
    bots: tuple[str, ...]
    folder: str
    passed: bool

    @property
    def cost(self) -> float:
        """Its miss on fresh deals and its price."""
        return self.fresh + self.price

    @property
    def rank(self) -> tuple[bool, float]:
        """What the choice lowers: first of all whether a target is not known to be met, then the cost."""
        return not self.passed, self.cost


@dataclass(frozen=True)
class Tuning:
    """The result. `finalists` come in the order of their rank on fresh deals, the first is the winner; `check` is what
    its proof came to, and `optimism` how much the search promised too much, in margins.

    `games` a line-up were played of a candidate of the search, `fresh_games` of a finalist and of the proof.
    `candidates` were played, of which `given_up` were not played to the end; `refused` card sets cannot be played.
    `base` is the card set as it was. `retrained` are the bots whose weights were fitted to each finalist, and
    `out_of_time` says that the clock ended the search.
    """

    game: str
    card_set: str
    card_set_hash: str
    ranges: tuple[Range, ...]
    seed: int
    games: int
    fresh_games: int
    candidates: int
    given_up: int
    refused: int
    out_of_time: bool
    bots: tuple[str, ...]
    retrained: tuple[str, ...]
    base: Trial
    finalists: tuple[Finalist, ...]
    optimism: Estimate
    check: Check

    @property
    def winner(self) -> Finalist:
        """The finalist that the proof judges."""
        return self.finalists[0]

    @property
    def passed(self) -> bool:
        """Whether all targets are known to be met on fresh deals."""
        return self.check.passed(strict=True)

    def to_dict(self) -> dict[str, Any]:
        """The whole result in plain JSON types."""
        plain: dict[str, Any] = plain_data(dataclasses.replace(self, check=dataclasses.replace(self.check, results=())))
        return {"format": "fairdeal-tuning/1", "passed": self.passed} | plain | {"check": self.check.to_dict()}


# --- what a candidate costs ------------------------------------------------------------------------------------------


def price(ranges: Sequence[Range], values: Sequence[int], bystanders: Container[str] = ()) -> float:
    """The price of the edits that give these values, in margins: see EDIT, SIZE and, for the paths of `bystanders`,
    BYSTANDER.
    """
    return math.fsum(
        EDIT + BYSTANDER * (one.path in bystanders) + SIZE * abs(value - one.base) / (one.values[-1] - one.values[0])
        for one, value in zip(ranges, values, strict=True)
        if value != one.base
    )


def miss(check: Check, reach: float = 1.0) -> float:
    """How far the ends of the figures' intervals, `reach` times as wide, lie beyond their limits, in margins."""
    found = [_beyond(figure, reach) for result in check.results for figure in result.figures]
    found += [UNJUDGED for result in check.results if not result.figures]
    return round(math.fsum(found), DIGITS)


def named(check: Check) -> tuple[str, ...]:
    """The types of the cards whose figures are beyond a limit."""
    figures = [figure for result in check.results for figure in result.figures]
    return tuple(sorted({figure.card for figure in figures if figure.card and figure.outside}))


def _beyond(figure: Figure, reach: float) -> float:
    """How far the ends of the interval, `reach` times as wide, lie beyond the limits, in margins; UNJUDGED where there
    is none.
    """
    e = figure.estimate
    low, high = e.value - reach * (e.value - e.low), e.value + reach * (e.high - e.value)
    if math.isnan(low) or math.isnan(high):
        return UNJUDGED
    return max(0.0, figure.low - low, high - figure.high) / margin(figure)


def margin(figure: Figure) -> float:
    """Half the width of the limits; where one side is open or they are one number, its size; 1 where that is 0."""
    if math.isfinite(figure.low) and math.isfinite(figure.high) and figure.low < figure.high:
        return (figure.high - figure.low) / 2
    return abs(figure.low if math.isfinite(figure.low) else figure.high) or 1.0


def optimism(searched: float, fresh: Sequence[float], games: int) -> Estimate:
    """How much the miss in the search was below the mean of those in equally many `fresh` games, with the t interval of
    that mean (at least two are needed). What was searched is a number that was promised, without an error of its own.
    """
    count = len(fresh)
    mean = math.fsum(fresh) / count
    se = math.sqrt(math.fsum((one - mean) ** 2 for one in fresh) / (count - 1) / count)
    half = float(stats.t_value(count - 1)) * se
    value = mean - searched
    return Estimate(value, value - half, value + half, count, games, "margins", se)
