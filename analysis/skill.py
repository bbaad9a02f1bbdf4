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
from numpy.typing import NDArray
from scipy import special

from analysis import stats
from analysis.blocks import LineUp, line_ups
from analysis.pieces import Piece, Source, UnitSums, pieces
from analysis.stats import Estimate
from simcore.errors import InputError
from simcore.runlog import Run

Floats = NDArray[np.float64]
Array = NDArray[Any]
What = Literal["share", "margin"]

COMPONENTS = ("skill", "seat", "deal", "skill x deal", "rest")
AGAIN, SELF_PLAY = "repeated games", "self-play"
"""Where the rest was measured."""
SQUARE, WITHIN, REST, EDGE, PLACES = range(5)
"""Columns of `rows`; those of the places are the last ones."""
LIKE = 0.1
"""Bots are of like strength where the win share is within this of an even one."""


# --- results ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """Results of `bot` alone in a field of `opponent`: win shares less 1/n, or margins in `unit`.

    `sums` are those of `rows` over the deals, each of which was played `repeats` times. `rest_from` says where the rest
    was measured, None where nothing tells it. `ties` is the share of shared wins.
    """

    bot: str
    opponent: str
    what: What
    unit: str
    sums: UnitSums
    repeats: int
    rest_from: str | None
    ties: float

    @property
    def deals(self) -> int:
        """The number of deals."""
        return int(self.sums.deals.sum())

    @property
    def places(self) -> int:
        """The places in turn order: the seats."""
        return self.sums.sums.shape[1] - PLACES


def rows(results: Floats, rest: Floats | None = None) -> Floats:
    """A row a deal (deals, PLACES + places) of results (deals, repeats, places in turn order): h², the mean square
    within the deal, the rest (0 where nothing tells it), h and the result at each place less h. `rest` (deals) is an
    unbiased estimate of the variance of games that differ by the bots' dice only.
    """
    y = results.mean(axis=1)
    h = y.mean(axis=1, keepdims=True)
    away = y - h
    told = np.zeros(len(y)) if rest is None else rest
    return np.column_stack([h**2, (away**2).mean(axis=1), told, h, away])


def read_pair(runs: Sequence[Run], bot: str, opponent: str, what: What = "share") -> Pair:
    """The results of a bot alone in a field of another, over the deals that all line-ups that tell of them have played.

    `runs` are of one game and seed. Raises InputError where the two have not met so, and for files that cannot be read.
    """
    seats, unit = runs[0].manifest["seats"], runs[0].manifest["score_unit"]
    # A line-up of two runs is the same games twice, so each counts once.
    played = {up.names: _Played(run, up) for run in runs for up in line_ups(run.manifest)}.values()
    begun = [each for each in played if each.source.shards]
    met = [each for each in begun if _is_alone(each.line_up, bot, opponent)]
    if not met:
        raise InputError(f"{bot} has not played alone against {opponent} yet. Play that line-up.")
    mirrors = {each.line_up.names[0]: each for each in begun if each.line_up.mirror}
    selves = [mirrors[name] for name in (bot, opponent) if name in mirrors]
    twins = selves if len(met) == 1 and len(selves) == 2 else []
    read = pieces([each.source for each in (*met, *twins)])
    if not read:
        twins, read = [], pieces([each.source for each in met])
    sums = UnitSums(sum(piece.deals for piece in read), PLACES + seats)
    ties = 0
    for piece in read:
        tables = [each.alone(piece, i, bot, what) for i, each in enumerate(met)]
        results = np.stack([y for y, _ in tables], axis=1)
        ties += sum(shared for _, shared in tables)
        rest = results.var(axis=1, ddof=1).mean(axis=1) if len(met) > 1 else None
        if twins:
            one, other = (each.dice(piece, i, what) for i, each in enumerate(twins, start=len(met)))
            rest = (one + (seats - 1) * other) / seats
        sums.add(rows(results, rest))
    games = seats * len(met) * int(sums.deals.sum())
    rest_from = AGAIN if len(met) > 1 else SELF_PLAY if twins and _is_like(sums, what) else None
    if rest_from is None:
        sums.sums[:, REST] = 0.0
    unit = "share" if what == "share" else unit
    return Pair(bot, opponent, what, unit, sums, len(met), rest_from, ties / max(1, games))


def _is_like(sums: UnitSums, what: What) -> bool:
    """Whether the rest of self-play may stand for that of the pair (see the top of this page)."""
    edge = float(sums.sums[:, EDGE].sum() / max(1.0, sums.deals.sum()))
    return what == "margin" or abs(edge) <= LIKE or not sums.sums[:, REST].any()


def _is_alone(line_up: LineUp, bot: str, opponent: str) -> bool:
    return set(line_up.names) == {bot, opponent} and line_up.names.count(bot) == 1 and bot != opponent


@dataclass(frozen=True)
class _Played:
    """A line-up of a run. Arrays are (deals, rotations, seats)."""

    run: Run
    line_up: LineUp

    @property
    def source(self) -> Source:
        return Source(self.run, self.line_up.index)

    def alone(self, piece: Piece, number: int, bot: str, what: What) -> tuple[Floats, int]:
        """The results of the one bot (deals, places in turn order), and how many wins were shared."""
        y, order, who, tie = self._results(piece, number, what)
        seat = (who == self.line_up.bots[self.line_up.names.index(bot)]).argmax(axis=2)[:, :, None]
        mine, place, shared = (np.take_along_axis(x, seat, axis=2)[:, :, 0] for x in (y, order, tie))
        return np.asarray(np.take_along_axis(mine, place.argsort(axis=1), axis=1)), int(shared.sum())

    def dice(self, piece: Piece, number: int, what: What) -> Floats:
        """(deals): the variance of the games of self-play, of which a deal's differ by the dice only."""
        y, order, _, _ = self._results(piece, number, what)
        by_place = np.take_along_axis(y, order.argsort(axis=2), axis=2)
        return np.asarray(by_place.var(axis=1, ddof=1).mean(axis=1))

    def _results(self, piece: Piece, number: int, what: What) -> tuple[Array, Array, Array, Array]:
        """Win shares less 1/n or margins, places in turn order, bots, and whether the win is shared."""
        n = self.run.manifest["seats"]
        frame = piece.rows(number, self.run, "seats", ["order", "bot", "win_share", "score"])
        order, who, share, score = (
            frame[name].to_numpy().reshape(-1, n, n) for name in ("order", "bot", "win_share", "score")
        )
        tie = (share > 0) & (share < 1)
        wide = score.astype(float)
        y = share - 1 / n if what == "share" else (n * wide - wide.sum(axis=2, keepdims=True)) / (n - 1)
        return y, order, who, tie


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
    deals, sums, sizes = pair.deals, pair.sums.sums, pair.sums.deals
    if deals < 2:
        raise ValueError("one deal says nothing about how deals differ")
    weights = stats.resampling(len(sizes), samples)
    told = pair.rest_from is not None
    measured = _squares(sums.sum(axis=0), float(deals), pair.repeats, told, 1)
    # A bootstrap sample has the noise of the deals twice.
    drawn = _squares(weights @ sums, weights @ sizes, pair.repeats, told, 2)
    total = float(measured.sum())
    over = drawn.sum(axis=-1, keepdims=True)
    low, high = stats.percentiles(np.divide(drawn, over, out=np.full(drawn.shape, np.nan), where=over > 0), confidence)
    games = deals * pair.repeats * pair.places
    components = tuple(
        Component(
            name=name,
            size=size,
            share=Estimate(size / total if total > 0 else math.nan, bottom, top, deals, games, "share"),
            shown=bottom > stats.ROUNDING,
        )
        for name, size, bottom, top in zip(COMPONENTS, measured.tolist(), low.tolist(), high.tolist(), strict=False)
    )
    edge = _edge(pair, games, confidence)
    lead = _lead(edge, pair.ties, pair.places) if pair.what == "share" else None
    return Skill(pair.bot, pair.opponent, pair.what, pair.unit, edge, total, components, pair.rest_from, lead)


def _squares(sums: Floats, deals: Floats | float, repeats: int, told: bool, times: int) -> Floats:
    """The mean squares (…, components) from sums over deals (…, columns of `rows`).

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


def _edge(pair: Pair, games: int, confidence: float) -> Estimate:
    n = pair.deals
    square, value = (float(pair.sums.sums[:, column].sum()) / n for column in (SQUARE, EDGE))
    se = math.sqrt(max(0.0, square - value * value) / (n - 1))
    if pair.what == "share":
        low, high = (x - 1 / pair.places for x in stats.share_interval(value + 1 / pair.places, se, n, confidence))
    else:
        low, high = stats.normal_interval(value, se, confidence)
    return Estimate(value, low, high, n, games, pair.unit, se)


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
