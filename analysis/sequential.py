"""Tests that may look at the games while they are played, and stop as soon as the question is answered.

Everything counts whole blocks (one deal under all rotations), of which only the number, the mean and the variance are
needed. Two kinds of question:

`MarginSequence` asks whether a difference lies beyond the designer's margin or within it. At each look it forms an
interval that holds at all looks together (`analysis.stats.anytime_radius`; Waudby-Smith et al. 2024), and stops when
the interval lies beyond ±m or inside ±m. A wrong answer needs an interval that misses the truth, so all wrong answers
together have at most 5 %, whatever the effect, and any effect but exactly ±m is decided in the end. A pair of SPRTs
would have to leave effects between their two hypotheses open.

`Sprt` asks which of two values is nearer the truth (Wald 1945): "is the new bot stronger by 2 Elo, or not at all?". Its
two error rates hold at the two values, and it is the quickest test there.

An estimate at the moment of stopping is biased away from 0; the anytime-valid interval allows for that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from analysis import stats
from analysis.stats import Interval
from simcore.errors import InputError

FIRST_LOOK = 256
"""Blocks before the first look: with fewer the variance itself is not known, and the laws used here need it."""
EMPTY_CELL = 0.001
"""What is put into a cell of a pentanomial that was never seen, so that no variance is zero."""
PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Mean results of a pair of games: two losses, loss and draw, even, win and draw, two wins."""


class State(StrEnum):
    """What a sequential test knows. The last two are no verdict."""

    RUNNING = "running"
    H0 = "H0 accepted"
    H1 = "H1 accepted"
    UNDECIDED = "undecided at the budget"
    STOPPED = "stopped by the user"

    @property
    def final(self) -> bool:
        """Whether there is nothing more to look at."""
        return self is not State.RUNNING


# --- log-likelihood ratios -------------------------------------------------------------------------------------------


def elo_share(elo: float) -> float:
    """Expected result of a game at a difference in (logistic) Elo: 1 / (1 + 10^(-elo/400))."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def normalised(elo: float, games_per_block: int = 2) -> float:
    """The mean above one half in standard deviations of a block, at a difference in normalised Elo.

    t = nElo ln(10)/800 for a game, times sqrt(games) for the mean of a block, as if its games were independent.
    """
    return elo * math.log(10) / 800 * math.sqrt(games_per_block)


def mean_llr(n: float, mean: float, variance: float, s0: float, s1: float) -> float:
    """Log-likelihood ratio of a mean s1 against s0: N (s1 - s0)(2 mu - s0 - s1) / (2 v), for N blocks of variance v."""
    return n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)


def normalised_llr(n: float, mean: float, variance: float, t0: float, t1: float) -> float:
    """Log-likelihood ratio of a normalised mean t1 against t0, the variance being unknown.

    t = (mu - 1/2)/sqrt(v), LLR = (N/2) ln[(1 + (t - t0)²)/(1 + (t - t1)²)].
    """
    t = (mean - 0.5) / math.sqrt(variance)
    return n / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))


def pentanomial(counts: ArrayLike) -> tuple[float, float, float]:
    """Number, mean and variance (over N, not N - 1) of the results of pairs, given their counts (LL, LD, even, WD, WW).

    Empty cells count as 0.001.
    """
    filled = np.asarray(counts, dtype=float)
    filled = np.where(filled > 0, filled, EMPTY_CELL)
    values, n = np.array(PENTANOMIAL), float(filled.sum())
    mean = float(filled @ values) / n
    return n, mean, float(filled @ (values - mean) ** 2) / n


def bounds(alpha: float = 0.05, beta: float = 0.05) -> Interval:
    """Wald's bounds of the log-likelihood ratio: H0 is accepted below ln(beta/(1 - alpha)), H1 above ln((1 -
    beta)/alpha).
    """
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


# --- tests -----------------------------------------------------------------------------------------------------------


@dataclass
class _Looks:
    """What both tests share: the order of looks, the first one, the budget (in blocks), and the end."""

    budget: int
    first_look: int = FIRST_LOOK
    n: int = 0
    state: State = State.RUNNING

    def __post_init__(self) -> None:
        """Check the budget."""
        if self.budget < self.first_look:
            raise InputError(
                f"A budget of {self.budget:,} deals is too small: the first look is after {self.first_look:,} deals."
            )

    def take(self, n: int) -> bool:
        """Note a look after n blocks; whether it is one to decide at."""
        if self.state.final:
            return False
        if n < self.n:
            raise ValueError("a look at fewer blocks than before")
        self.n = n
        return n >= self.first_look

    def close(self, state: State) -> State:
        """The state after a look, given what it found."""
        if not self.state.final:
            self.state = State.UNDECIDED if state is State.RUNNING and self.n >= self.budget else state
        return self.state

    def stop(self) -> State:
        """End without a verdict because the user wants to; what was decided before stays decided."""
        if not self.state.final:
            self.state = State.STOPPED
        return self.state


@dataclass
class Sprt(_Looks):
    """Sequential probability ratio test of two means of the block results, or of two normalised means.

    H0: the mean is s0; H1: it is s1. With `by_sd` both are in standard deviations of a block above one half (see
    `normalised`). `llr` is the ratio at the last look.
    """

    s0: float = 0.0
    s1: float = 0.0
    alpha: float = 0.05
    beta: float = 0.05
    by_sd: bool = False
    llr: float = 0.0

    def look(self, n: int, mean: float, variance: float) -> State:
        """What is known after n blocks of this mean and variance. A variance of 0 says nothing yet."""
        if not self.take(n) or not variance > 0:
            return self.close(self.state)
        ratio = normalised_llr if self.by_sd else mean_llr
        self.llr = ratio(n, mean, variance, self.s0, self.s1)
        low, high = bounds(self.alpha, self.beta)
        return self.close(State.H1 if self.llr >= high else State.H0 if self.llr <= low else State.RUNNING)


@dataclass
class MarginSequence(_Looks):
    """Is a difference within the margin (H0: |d| < m) or beyond it (H1: |d| > m)?

    `planned` is the number of blocks at which the interval is to be narrowest; by default a sixteenth of the budget,
    since an interval that is used later than planned is hardly wider, one that is used far earlier much. `rare` is the
    largest difference that one deal can bring (1 for a win share): the variance is taken to be at least that of one
    such deal among those that were seen, so that a difference which has not shown yet is not thought impossible.
    `interval` is that of the last look, and holds at all looks together.
    """

    margin: float = 0.01
    planned: int | None = None
    rare: float = 0.0
    confidence: float = stats.CONFIDENCE
    interval: Interval = (-math.inf, math.inf)

    def look(self, n: int, mean: float, variance: float) -> State:
        """What is known after n blocks, given mean and variance of the differences of the arms by block."""
        if not self.take(n):
            return self.close(self.state)
        planned = self.planned or max(self.first_look, self.budget // 16)
        sd = math.sqrt(max(variance, self.rare**2 / n))
        half = float(stats.anytime_radius(sd, n, planned, self.confidence))
        low, high = self.interval = (mean - half, mean + half)
        if low > self.margin or high < -self.margin:
            return self.close(State.H1)
        inside = -self.margin < low and high < self.margin
        return self.close(State.H0 if inside else State.RUNNING)

    @property
    def wording(self) -> str:
        """The verdict in the words of `analysis.stats`: "matters", "real but negligible", "equivalent", or "not yet
        known" where nothing was decided.
        """
        if self.state is State.H1:
            return stats.MATTERS
        if self.state is State.H0:
            excludes = self.interval[0] > 0 or self.interval[1] < 0
            return stats.NEGLIGIBLE if excludes else stats.EQUIVALENT
        return stats.UNKNOWN


def next_look(n: int, budget: int, growth: float = 1.25) -> int:
    """Blocks of the look after the one at n: a quarter more, at least FIRST_LOOK, at most the budget.

    The tests allow for a look after every block; looks that grow with n make their cost a fixed part of the playing.
    """
    return min(budget, max(FIRST_LOOK, math.ceil(n * growth)))
