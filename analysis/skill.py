"""Skill and luck: of what the results of a pair of bots are made, and how many games tell who is better.

A bot sits alone in a field of another (with two seats: against it), once at each place in turn order of every deal. Its
result y is its win share less 1/n, or its margin, so 0 is even. Over deals d and places o

    y = skill + seat(o) + skill x deal(d) + deal(d, o) + rest

- skill: the mean of all games, what it is worth to be this bot;
- seat: what a place in turn order is worth, whatever the deal; these sum to 0 over the places;
- deal: what the cards of this deal are worth to this place beyond that, whoever sits there; they too sum to 0;
- skill x deal: how much more, or less, it is worth to be this bot on this deal;
- rest: what differs between two games of the same deal and places: the bots' own dice.

The mean square of y is the sum of the mean squares of the five, and their shares of it are what is told. The squares
are unbiased: what sampling adds to one is subtracted, so that it may come out below 0, where there is nothing or too
little to be seen. A coin flip has no skill, and a game without luck that the better bot always wins is all skill.

With two seats: of the half sum h and half difference g of the two legs of a deal, skill² = mean(h)², seat² =
mean(g)², skill x deal = var h - rest/2, deal = var g - rest/2. With n seats h is the mean over the places and rest/2 is
rest/n and (n - 1)/n rest: the analysis of variance of a deal by place table (Scheffé 1959, ch. 4 and 7).

The rest is seen only where a deal is played again by the same bots at the same places with other dice. The line-ups
(a, b) and (b, a) of one run do that. Else it is taken from self-play, in which the rotations of a deal do it, as the
mean of the two bots' by seats. That is an assumption: wins between unequal bots hang less on dice than wins between
equal ones (at a win share of 0.8, twice the true rest would be taken), so it is made for margins and for win shares
within 0.1 of an even one only. Deterministic bots have no rest, which their self-play shows by repeating itself. Where
nothing tells the rest, what is called deal and skill x deal holds it too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from analysis import stats
from analysis.blocks import LineUp, line_ups
from analysis.stats import Estimate
from simcore.errors import InputError
from simcore.runlog import Run

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
What = Literal["share", "margin"]

COMPONENTS = ("skill", "seat", "deal", "skill x deal", "rest")
AGAIN, SELF_PLAY = "repeated games", "self-play"
"""Where the rest was measured."""
LIKE = 0.1
"""Bots are of like strength where the win share is within this of an even one."""


# --- results ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """Results of `bot` alone in a field of `opponent`.

    `results` (deals, repeats, places in turn order) are win shares less 1/n, or margins in `unit`. `rest` (deals) is an
    unbiased estimate of the variance of games that differ by the bots' dice only, measured where `rest_from` says; None
    where nothing tells it. `ties` is the share of shared wins.
    """

    bot: str
    opponent: str
    what: What
    unit: str
    results: Floats
    rest: Floats | None
    rest_from: str | None
    ties: float


def read_pair(runs: Sequence[Run], bot: str, opponent: str, what: What = "share") -> Pair:
    """The results of a bot alone in a field of another, over the deals that all line-ups that tell of them have played.

    `runs` are of one game and seed. Raises InputError where the two have not met so.
    """
    seats, unit = runs[0].manifest["seats"], runs[0].manifest["score_unit"]
    # A line-up of two runs is the same games twice, so each counts once.
    played = {line_up.names: (run, line_up) for run in runs for line_up in line_ups(run.manifest)}.values()
    tables = [_alone(*each, bot, what) for each in played if _is_alone(each[1], bot, opponent)]
    found = [table for table in tables if table.height]
    if not found:
        raise InputError(f"{bot} has not played alone against {opponent} yet. Play that line-up.")
    twins: list[pl.DataFrame] = []
    if len(found) == 1:
        selves = {line_up.names[0]: _twins(run, line_up, what) for run, line_up in played if line_up.mirror}
        twins = [selves[name] for name in (bot, opponent) if name in selves and selves[name].height]
    frames = [*found, *twins] if len(twins) == 2 else found
    deals = frames[0].select("deal").unique()
    for frame in frames[1:]:
        deals = deals.join(frame.select("deal").unique(), on="deal", how="semi")
    deals = deals.sort("deal")
    results = np.stack([_array(frame, deals, (seats,)) for frame in found], axis=1)
    rest, rest_from = None, None
    if len(found) > 1:
        rest, rest_from = results.var(axis=1, ddof=1).mean(axis=1), AGAIN
    elif len(twins) == 2:
        one, other = (_array(frame, deals, (seats, seats)).var(axis=1, ddof=1).mean(axis=1) for frame in twins)
        dice = (one + (seats - 1) * other) / seats
        if what == "margin" or abs(results.mean()) <= LIKE or not dice.any():
            rest, rest_from = dice, SELF_PLAY
    return Pair(
        bot=bot,
        opponent=opponent,
        what=what,
        unit="share" if what == "share" else unit,
        results=results,
        rest=rest,
        rest_from=rest_from,
        ties=float(pl.concat(found)["tie"].mean() or 0.0),  # type: ignore[arg-type]
    )


def _is_alone(line_up: LineUp, bot: str, opponent: str) -> bool:
    return set(line_up.names) == {bot, opponent} and line_up.names.count(bot) == 1 and bot != opponent


def _results(run: Run, line_up: LineUp, what: What) -> pl.LazyFrame:
    """Every seat of a line-up: deal, rotation, order, bot, y (win share less 1/n, or margin), tie."""
    n = run.manifest["seats"]
    share, score = pl.col("win_share").cast(pl.Float64), pl.col("score").cast(pl.Float64)
    margin = (n * score - score.sum().over("game")) / (n - 1)
    tie = (share > 0) & (share < 1)
    y = share - 1 / n if what == "share" else margin
    return run.scan("seats", line_up.index).select("deal", "rotation", "order", "bot", y=y, tie=tie)


def _alone(run: Run, line_up: LineUp, bot: str, what: What) -> pl.DataFrame:
    """The results of the one bot: a row a deal and place in turn order."""
    index = line_up.bots[line_up.names.index(bot)]
    return _results(run, line_up, what).filter(pl.col("bot") == index).sort("deal", "order").collect()


def _twins(run: Run, line_up: LineUp, what: What) -> pl.DataFrame:
    """The results of self-play: a row a deal, rotation and place in turn order."""
    return _results(run, line_up, what).sort("deal", "rotation", "order").collect()


def _array(frame: pl.DataFrame, deals: pl.DataFrame, shape: tuple[int, ...]) -> Floats:
    """The results of some deals (deals, *shape)."""
    return frame.join(deals, on="deal", how="semi", maintain_order="left")["y"].to_numpy().reshape(-1, *shape)


# --- components ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Component:
    """A part of the results: its mean square, in squares of the unit, and its share of that of the results.

    `shown` says that its interval excludes 0; where `size` is not above 0, nothing at all of it is to be seen.
    """

    name: str
    size: float
    share: Estimate
    shown: bool


@dataclass(frozen=True)
class Skill:
    """Of what the results of a bot alone in a field of another are made.

    `edge` is the mean result. `components` are skill, seat, deal, skill x deal and rest; where nothing tells the rest,
    it is left out, and deal and skill x deal hold it too. `lead` is after how many games the better one is ahead with
    95 % probability (`games_to_lead`), None for margins; its interval reaches to infinity where it is not sure which of
    the two is better.
    """

    bot: str
    opponent: str
    what: What
    unit: str
    edge: Estimate
    total: float
    components: tuple[Component, ...]
    rest_from: str | None
    lead: Estimate | None

    def of(self, name: str) -> Component | None:
        """A component by its name."""
        return next((part for part in self.components if part.name == name), None)


def skill(pair: Pair, samples: int = stats.RESAMPLES, confidence: float = stats.CONFIDENCE) -> Skill:
    """The components of a pair's results, with intervals from bootstrap samples of the deals.

    Raises ValueError for fewer than two deals.
    """
    deals, repeats, seats = pair.results.shape
    if deals < 2:
        raise ValueError("one deal says nothing about how deals differ")
    sums, sizes = _sums(pair)
    weights = stats.resampling(len(sizes), samples)
    measured = _squares(sums.sum(axis=0), float(deals), repeats, pair.rest is not None, 1)
    # A bootstrap sample has the noise of the deals twice.
    drawn = _squares(weights @ sums, weights @ sizes, repeats, pair.rest is not None, 2)
    total = float(measured.sum())
    over = drawn.sum(axis=-1, keepdims=True)
    low, high = stats.percentiles(np.divide(drawn, over, out=np.full(drawn.shape, np.nan), where=over > 0), confidence)
    games = pair.results.size
    components = tuple(
        Component(
            name=name,
            size=size,
            share=Estimate(size / total if total > 0 else math.nan, bottom, top, deals, games, "share"),
            shown=bottom > stats.ROUNDING,
        )
        for name, size, bottom, top in zip(COMPONENTS, measured.tolist(), low.tolist(), high.tolist(), strict=False)
    )
    edge = _edge(pair, confidence)
    lead = _lead(edge, pair.ties, seats) if pair.what == "share" else None
    return Skill(pair.bot, pair.opponent, pair.what, pair.unit, edge, total, components, pair.rest_from, lead)


def _sums(pair: Pair) -> tuple[Floats, Floats]:
    """Sums over the deals of a unit of the bootstrap: (units, 3 + places) of h², the mean square within the deal, the
    rest, h and the result at each place less h; and the deals of each unit (units).
    """
    y = pair.results.mean(axis=1)
    h = y.mean(axis=1, keepdims=True)
    away = y - h
    rest = np.zeros(len(y)) if pair.rest is None else pair.rest
    rows = np.column_stack([h**2, (away**2).mean(axis=1), rest, h, away])
    starts = np.arange(0, len(rows), math.ceil(len(rows) / stats.MOST_UNITS))
    return np.add.reduceat(rows, starts, axis=0), np.diff(np.append(starts, len(rows))).astype(float)


def _squares(sums: Floats, deals: Floats | float, repeats: int, told: bool, times: int) -> Floats:
    """The mean squares (…, components) from sums over deals (…, columns of `_sums`).

    `times` is how often sampling has added its noise to the squares of means: once, or twice in a bootstrap sample.
    """
    n = np.asarray(deals)
    square, within, rest, h, *places = np.moveaxis(sums / n[..., None], -1, 0)
    seats = len(places)
    seat = np.mean(np.square(places), axis=0)
    spread_h = (square - h**2) * n / (n - 1)
    spread_within = (within - seat) * n / (n - 1)
    out = [
        h**2 - times * spread_h / n,
        seat - times * spread_within / n,
        spread_within - (seats - 1) / seats * rest / repeats,
        spread_h - rest / seats / repeats,
        rest,
    ]
    return np.stack(out if told else out[:-1], axis=-1)


def _edge(pair: Pair, confidence: float) -> Estimate:
    deals, _, seats = pair.results.shape
    value, se = stats.block_means(pair.results.reshape(deals, -1))
    if pair.what == "share":
        low, high = (x - 1 / seats for x in stats.share_interval(value + 1 / seats, se, deals, confidence))
    else:
        low, high = stats.normal_interval(value, se, confidence)
    return Estimate(value, low, high, deals, pair.results.size, pair.unit, se)


# --- games until the better one leads --------------------------------------------------------------------------------


def games_to_lead(share: float, seats: int = 2, ties: float = 0.0, confidence: float = stats.CONFIDENCE) -> float:
    """The fewest games after which a bot with this win share (ties split) is ahead with the given probability; infinite
    for one that is not better than even.

    Two seats: the smallest n with P(X > n/2) >= confidence for X binomial(n, p) wins. It is odd, as an even number of
    games may end level, and for n = 2m - 1 that is the incomplete beta function I_p(m, m). A share of 0.55 needs 269
    (the normal approximation z² p (1 - p) / (p - 1/2)², z one-sided, says 268). Games that are tied decide nothing:
    with t of them, p = (share - t/2) / (1 - t), and n / (1 - t) games. More seats: ahead is who has won more than an
    even share 1/k of the games, by the normal approximation z² p (1 - p) / (p - 1/k)².
    """
    if not share > 1 / seats:
        return math.inf
    if seats > 2:
        z = float(special.ndtri(confidence))
        return float(max(1, math.ceil(z * z * share * (1 - share) / (share - 1 / seats) ** 2)))
    p = min(1.0, (share - ties / 2) / (1 - ties)) if ties < 1 else 1.0

    def sure(m: int) -> bool:
        return bool(special.betainc(m, m, p) >= confidence)

    high = 1
    while not sure(high):
        high *= 2
    low = high // 2  # the halves below have all failed
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sure(middle) else (middle, high)
    return float(math.ceil((2 * high - 1) / (1 - ties)))


def _lead(edge: Estimate, ties: float, seats: int) -> Estimate:
    """The games until the better one leads. With two seats that may be the opponent; with more, it is asked of the bot
    alone only.
    """
    turn = -1 if seats == 2 and edge.value < 0 else 1
    ends = sorted((turn * edge.low, turn * edge.high))
    worst, likely, best = (games_to_lead(x + 1 / seats, seats, ties) for x in (ends[0], turn * edge.value, ends[1]))
    return Estimate(likely, best, worst, edge.n, edge.games, "games")
