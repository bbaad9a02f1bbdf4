"""Ratings: one number a bot for its strength, from many match-ups, with errors by deal and places as sets.

Two seats: the model of Bradley and Terry (1952) with Davidson's ties (1970) and a term for going first. For worths
w = exp(theta), of the bot that goes first times exp(gamma), the odds of win, tie and loss are w_i : nu sqrt(w_i w_j) :
w_j. More seats: the model of Plackett (1975) and Luce (1959) on the whole final ranking, with a term for each place in
turn order: the best is drawn in proportion to worth, then the next of the rest, and so on. A shared place counts as the
mean over all orders of those who share it (their mean log-likelihood), so a tie is split as it is in a win share.

Both are sums of logit choices between a few alternatives, so one Newton iteration fits them. The fit weighs every game
alike. Errors are of the sandwich kind with the deal as the cluster (Liang and Zeger 1986): all games of one deal,
whoever played them, hang together, and the model need not be true for them. A rating is the difference to a bot that
is named, the anchor, on the Elo scale: 400 points are odds of 10 to 1.

A finite rating exists only within a group of bots in which everyone is ahead of everyone else over some chain of
results (Ford 1957; Hunter 2004). Bots that won everything against that group, or lost everything, get a bound on one
side, from "zero of n deals". Bots that did not meet are refused. No result is invented to avoid either.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.stats import Estimate
from simcore.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

ELO = 400 / math.log(10)
"""Points of the Elo scale for odds of e to 1."""
STEPS, CLOSE = 100, 1e-8
"""At most so many Newton steps, until they are this small. On the way to infinity a step is about 1, however far."""
FAR = 30.0
"""A term beyond this (odds of e^30 to 1) is on its way to infinity."""

RATED, WON_ALL, LOST_ALL = "rated", "won everything", "lost everything"


# --- results ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """Results of games, a row for all games of a deal that went alike.

    Seats are in turn order: `bots` (rows, seats) are indices into `names`, `ranks` (rows, seats) are places in the
    final ranking (1 is best, ties share the better place). `deals` (rows) are the units of errors: deals, or batches of
    them. `games` (rows) is how many games a row stands for, `sizes` (rows) how many deals of the unit its line-up has
    played; line-ups play the same deals, so those of a unit are the most that any of them has.
    """

    names: tuple[str, ...]
    bots: Ints
    ranks: Ints
    deals: Ints
    games: Ints
    sizes: Ints

    @classmethod
    def of_games(cls, names: Sequence[str], bots: Ints, ranks: Ints, deals: Ints) -> Results:
        """A row a game."""
        ones = np.ones(len(deals), dtype=np.int64)
        return cls(tuple(names), bots, ranks, deals, ones, ones)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(self.bots.shape[1])

    def where(self, rows: NDArray[np.bool_]) -> Results:
        """Only some rows."""
        arrays = (self.bots, self.ranks, self.deals, self.games, self.sizes)
        return Results(self.names, *(array[rows] for array in arrays))

    def take(self, chosen: Collection[int]) -> Results:
        """The games in which only these bots play."""
        return self.where(np.asarray(np.isin(self.bots, list(chosen)).all(axis=1)))

    @property
    def size(self) -> tuple[int, int]:
        """The number of deals and games."""
        units, at = np.unique(self.deals, return_inverse=True)
        deals = np.zeros(len(units), dtype=np.int64)
        np.maximum.at(deals, at, self.sizes)
        return int(deals.sum()), int(self.games.sum())


def join(parts: Sequence[Results]) -> Results:
    """Results of the same names as one. Raises ValueError for none."""
    rows = [(part.bots, part.ranks, part.deals, part.games, part.sizes) for part in parts]
    return Results(parts[0].names, *(np.concatenate(arrays) for arrays in zip(*rows, strict=True)))


@dataclass(frozen=True)
class _Patterns:
    """The different games that occur: `bots` and `ranks` (patterns, seats), `counts` (patterns), and the pattern of
    each row (rows).
    """

    bots: Ints
    ranks: Ints
    counts: Floats
    of_row: Ints


def _patterns(results: Results) -> _Patterns:
    rows = np.hstack([results.bots, results.ranks]).astype(np.int16)
    keys = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
    counts = np.bincount(of_row, weights=results.games).astype(float)
    return _Patterns(results.bots[first], results.ranks[first], counts, of_row.astype(np.int64))


# --- choices ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Choices:
    """A log-likelihood as a sum over choices: alternatives with features x (choices, alternatives, terms), one of them
    open where `open` (choices, alternatives), chosen with the weights `chosen` (choices, alternatives).

    `pattern` (choices) says of which pattern of games a choice is a part.
    """

    x: Floats
    open: NDArray[np.bool_]
    chosen: Floats
    pattern: Ints

    def likelihood(self, terms: Floats, counts: Floats) -> float:
        """The log-likelihood of patterns that occur `counts` times."""
        eta, total = self._eta(terms)
        each = (self.chosen * np.where(self.open, eta, 0.0)).sum(axis=1) - self.chosen.sum(axis=1) * total
        return float(each @ counts[self.pattern])

    def scores(self, terms: Floats) -> tuple[Floats, Floats, Floats]:
        """The score of each choice (choices, terms), and the means of the features (choices, terms) and the
        probabilities (choices, alternatives) behind it.
        """
        eta, total = self._eta(terms)
        p = np.where(self.open, np.exp(eta - total[:, None]), 0.0)
        mean = np.einsum("sa,sap->sp", p, self.x)
        return np.einsum("sa,sap->sp", self.chosen, self.x) - self.chosen.sum(axis=1)[:, None] * mean, mean, p

    def information(self, mean: Floats, p: Floats, counts: Floats) -> Floats:
        """Minus the second derivative (terms, terms)."""
        weight = self.chosen.sum(axis=1) * counts[self.pattern]
        flat = self.x.reshape(-1, self.x.shape[2])
        inner = flat.T @ (flat * (p * weight[:, None]).ravel()[:, None])
        return np.asarray(inner - mean.T @ (mean * weight[:, None]))

    def _eta(self, terms: Floats) -> tuple[Floats, Floats]:
        eta = np.where(self.open, self.x @ terms, -np.inf)
        top = eta.max(axis=1)
        return eta, top + np.log(np.exp(eta - top[:, None]).sum(axis=1))


@dataclass(frozen=True)
class _Terms:
    """Which term stands where: the worths of the bots but the anchor, then (with `places`) the places in turn order but
    the last, then (with `ties`, of two seats) the logarithm of nu.
    """

    bots: tuple[int, ...]
    anchor: int
    seats: int
    ties: bool
    places: bool = True

    @property
    def rated(self) -> tuple[int, ...]:
        """The bots with a term of their own."""
        return tuple(bot for bot in self.bots if bot != self.anchor)

    @property
    def first_place(self) -> int:
        """The index of the first place's term."""
        return len(self.bots) - 1

    @property
    def count(self) -> int:
        """The number of terms."""
        return self.first_place + (self.seats - 1) * self.places + self.ties

    def seats_of(self, bots: Ints) -> Floats:
        """The features (patterns, seats, terms) of who sits where in turn order."""
        x = np.zeros((*bots.shape, self.count))
        for i, bot in enumerate(self.rated):
            x[:, :, i] = bots == bot
        for place in range((self.seats - 1) * self.places):
            x[:, place, self.first_place + place] = 1
        return x


def _davidson(patterns: _Patterns, terms: _Terms) -> _Choices:
    """Two seats: a choice between the win of the first, the win of the second and, where ties occur, a tie."""
    seat = terms.seats_of(patterns.bots)
    first, second = patterns.ranks[:, 0], patterns.ranks[:, 1]
    results = [first < second, first > second]
    x = [seat[:, 0], seat[:, 1]]
    if terms.ties:
        tie = (seat[:, 0] + seat[:, 1]) / 2
        tie[:, -1] = 1
        x.append(tie)
        results.append(first == second)
    features, chosen = np.stack(x, axis=1), np.stack(results, axis=1).astype(float)
    return _Choices(features, np.ones(chosen.shape, dtype=bool), chosen, np.arange(len(first)))


def _plackett_luce(patterns: _Patterns, terms: _Terms) -> _Choices:
    """More seats: the best of all is chosen, then the next of the rest. Of a shared place, the mean over all orders:
    every set of m of those who share it is left over, with all behind them, in 1 / C(k, m) of the orders of k.
    """
    x, seats = terms.seats_of(patterns.bots), terms.seats
    kept: list[tuple[Ints, NDArray[np.bool_], Floats]] = []
    codes, first = np.unique(patterns.ranks, axis=0, return_inverse=True)
    for number, ranks in enumerate(codes):
        where = np.flatnonzero(first.ravel() == number)
        for open_, chosen in _stages(tuple(ranks.tolist())):
            shape = (len(where), seats)
            kept.append((where, np.broadcast_to(open_, shape), np.broadcast_to(chosen, shape)))
    pattern = np.concatenate([where for where, _, _ in kept])
    open_all = np.concatenate([open_ for _, open_, _ in kept])
    return _Choices(x[pattern], open_all, np.concatenate([chosen for _, _, chosen in kept]), pattern)


def _stages(ranks: tuple[int, ...]) -> list[tuple[NDArray[np.bool_], Floats]]:
    """The choices of one ranking: who was open to be chosen, and with which weights who was."""
    stages = []
    seats = range(len(ranks))
    for place in sorted(set(ranks)):
        sharing = [s for s in seats if ranks[s] == place]
        behind = [s for s in seats if ranks[s] > place]
        for size in range(len(sharing), 0, -1):
            if size + len(behind) == 1:
                continue  # the last of all has no alternative
            sets = list(itertools.combinations(sharing, size))
            for left in sets:
                open_, chosen = np.zeros(len(ranks), dtype=bool), np.zeros(len(ranks))
                open_[[*left, *behind]] = True
                # Among those who are left, each is the next to go in equally many orders.
                chosen[list(left)] = 1 / size / len(sets)
                stages.append((open_, chosen))
    return stages


@dataclass(frozen=True)
class _Fitted:
    """Terms with their covariance (terms, terms)."""

    terms: Floats
    covariance: Floats


def _fit(choices: _Choices, patterns: _Patterns, results: Results, count: int) -> _Fitted | None:
    """The most likely terms, by Newton's method, and their covariance by deals. None where a term runs to infinity."""
    terms = np.zeros(count)
    counts = patterns.counts
    likelihood = choices.likelihood(terms, counts)
    for _ in range(STEPS):
        scores, mean, p = choices.scores(terms)
        score = scores.T @ counts[choices.pattern]
        information = choices.information(mean, p, counts)
        if np.abs(terms).max(initial=0.0) > FAR or np.linalg.cond(information) > 1e12:
            return None
        step = np.linalg.solve(information, score)
        if np.abs(step).max(initial=0.0) < CLOSE:
            return _Fitted(terms, _sandwich(choices, scores, information, patterns, results))
        size, least = 1.0, likelihood - 1e-12 * abs(likelihood)  # less than that is rounding
        while (new := choices.likelihood(terms + size * step, counts)) < least and size > CLOSE:
            size /= 2
        terms, likelihood = terms + size * step, new
    return None


def _sandwich(
    choices: _Choices, scores: Floats, information: Floats, patterns: _Patterns, results: Results
) -> Floats:
    """Covariance of the terms with the deal as the cluster: c I^-1 (sum of s s') I^-1 with c = G / (G - terms)."""
    of_pattern = np.zeros((len(patterns.counts), scores.shape[1]))
    np.add.at(of_pattern, choices.pattern, scores)
    _, cluster = np.unique(results.deals, return_inverse=True)
    clusters = int(cluster.max()) + 1
    if clusters <= scores.shape[1]:
        return np.full_like(information, np.nan)
    by_row = of_pattern[patterns.of_row] * results.games[:, None]
    sums = np.stack([np.bincount(cluster, weights=by_row[:, i]) for i in range(scores.shape[1])], axis=1)
    bread = np.linalg.inv(information)
    return np.asarray(clusters / (clusters - scores.shape[1]) * bread @ (sums.T @ sums) @ bread)


# --- who can be rated ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Meetings:
    """(bots, bots): in how many deals two bots met, and in how many comparisons the one was ahead of the other, or
    level with it.
    """

    met: Ints
    ahead: Floats
    level: Floats

    @property
    def holds(self) -> NDArray[np.bool_]:
        """(bots, bots): whether the one was ever ahead of the other, or level with it."""
        return (self.ahead + self.level) > 0

    def fewest(self, bot: int, group: Sequence[int]) -> float:
        """In how many comparisons with a group a bot was ahead, or behind, whichever is less; half for a tie."""
        others = list(group)
        level = float(self.level[bot, others].sum()) / 2
        return min(float(self.ahead[bot, others].sum()), float(self.ahead[others, bot].sum())) + level


def _meetings(results: Results, patterns: _Patterns) -> _Meetings:
    count = len(results.names)
    met = np.zeros((count, count), dtype=np.int64)
    ahead, level = np.zeros((count, count)), np.zeros((count, count))
    for i, j in itertools.permutations(range(results.seats), 2):
        one, other = patterns.bots[:, i], patterns.bots[:, j]
        np.add.at(ahead, (one, other), patterns.counts * (patterns.ranks[:, i] < patterns.ranks[:, j]))
        np.add.at(level, (one, other), patterns.counts * (patterns.ranks[:, i] == patterns.ranks[:, j]))
    for matrix in (ahead, level):
        np.fill_diagonal(matrix, 0.0)
    present = np.stack([(patterns.bots == bot).any(axis=1) for bot in range(count)])
    for i, j in itertools.combinations(range(count), 2):
        together = (present[i] & present[j])[patterns.of_row]
        met[i, j] = met[j, i] = results.where(together).size[0]
    return _Meetings(met, ahead, level)


def _group(names: Sequence[str], meetings: _Meetings, anchors: Sequence[str]) -> tuple[int, ...]:
    """The largest group in which finite ratings exist; of equally large ones that of the first anchor, else the one
    that met others in most deals. Raises InputError for bots that nothing compares.
    """
    from scipy.sparse import csgraph  # a good part of a second, and reports of other kinds need it not

    _refuse_strangers(names, csgraph.connected_components(meetings.met > 0, directed=False)[1])
    labels = csgraph.connected_components(meetings.holds, directed=True, connection="strong")[1]
    groups = [tuple(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)]
    preferred = [names.index(anchor) for anchor in anchors if anchor in names]

    def rank(group: tuple[int, ...]) -> tuple[int, int, int]:
        first = next((i for i, bot in enumerate(preferred) if bot in group), len(preferred))
        return len(group), -first, int(meetings.met[list(group)].sum())

    return max(groups, key=rank)


def _refuse_strangers(names: Sequence[str], labels: NDArray[Any]) -> None:
    """Raise InputError where some bots never met the others, not even by way of a third one."""
    groups = [[name for name, label in zip(names, labels, strict=True) if label == k] for k in np.unique(labels)]
    if len(groups) > 1:
        said = "; ".join(", ".join(group) for group in groups)
        raise InputError(
            f"these bots cannot be rated on one scale, because there are groups that never met: {said}. Let bots of "
            "different groups play each other."
        )


def _closure(relation: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The transitive closure of a relation (n, n)."""
    out = relation.copy()
    for k in range(len(out)):
        out |= out[:, k : k + 1] & out[k]
    return out


# --- ratings ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rating:
    """A bot's rating: points of the Elo scale above the anchor, whose own rating is 0 without an interval.

    `status` is "rated", "won everything" or "lost everything", against those who are rated. The latter two have no
    finite rating (NaN), but a bound of 95 % confidence: `low` for the one that won everything, `high` for the one that
    lost everything; the other side is infinite, and both are where it met none of the rated. `places` are the first and
    the last place among all bots that are possible: only who is surely above, or below, is counted, and all these
    comparisons hold together with 95 % confidence. `ahead` is the lead over the next bot of the list, None where either
    is not rated. `scarce`: it was ahead of the rated ones, or behind them, in fewer than 30 comparisons, so that the
    interval is rough.
    """

    name: str
    status: str
    estimate: Estimate
    places: tuple[int, int]
    ahead: Estimate | None
    scarce: bool


@dataclass(frozen=True)
class Prediction:
    """The share of wins that the ratings predict for a bot among `table`, the names of all seats in alphabetical order
    (of several equal bots, of each).
    """

    table: tuple[str, ...]
    bot: str
    share: float


@dataclass(frozen=True)
class Ratings:
    """Ratings of bots, the strongest first.

    `first` is what going first is worth and `orders` what each place in turn order is worth, above the mean of all, on
    the Elo scale, the same for all bots (NaN where it is infinite, as it decides nearly every game). `ties` is the
    share of ties between two equal bots, None for more seats or where none occurred. `above` are all pairs (upper,
    lower) of which the order is sure, all together with 95 % confidence.
    """

    seats: int
    anchor: str
    bots: tuple[Rating, ...]
    first: Estimate
    orders: tuple[Estimate, ...]
    ties: Estimate | None
    above: tuple[tuple[str, str], ...]
    predictions: tuple[Prediction, ...]

    def of(self, name: str) -> Rating:
        """The rating of a bot."""
        return next(rating for rating in self.bots if rating.name == name)

    def predicted(self, table: Iterable[str], bot: str) -> float | None:
        """The predicted share of wins of a bot in a line-up (names of all seats), None where someone is not rated."""
        wanted = tuple(sorted(table))
        return next((p.share for p in self.predictions if p.table == wanted and p.bot == bot), None)


def rate(results: Results, anchors: Sequence[str] = (), confidence: float = stats.CONFIDENCE) -> Ratings:
    """Rate the bots of some results; games of one bot alone say nothing about who is stronger and do not count.

    The anchor is the first of `anchors` that has a finite rating, else the first of the bots that have one. Raises
    InputError for fewer than two bots and for bots that nothing compares.
    """
    results = _without_mirrors(results)
    patterns = _patterns(results)
    meetings = _meetings(results, patterns)
    group = _group(results.names, meetings, anchors)
    names = results.names
    anchor = next((names.index(a) for a in anchors if a in names and names.index(a) in group), group[0])
    scale = _Scale.of(results.take(group), group, anchor)
    status = _status(names, group, meetings.holds)
    above = _above(scale, meetings, confidence)
    order = _order(scale, meetings, status)
    bots = []
    for at, bot in enumerate(order):
        places = (1 + int(above[:, bot].sum()), len(names) - int(above[bot].sum()))
        if status[bot] == RATED:
            estimate = scale.difference(bot, anchor, confidence)
        else:
            estimate = _bound(scale, meetings, bot, status[bot], confidence)
        below = order[at + 1] if at + 1 < len(order) else bot
        ahead = scale.difference(bot, below, confidence) if below != bot and {bot, below} <= set(group) else None
        bots.append(Rating(names[bot], status[bot], estimate, places, ahead, meetings.fewest(bot, group) < stats.RARE))
    return Ratings(
        seats=results.seats,
        anchor=names[anchor],
        bots=tuple(bots),
        first=scale.first(confidence),
        orders=tuple(scale.order(place, confidence) for place in range(results.seats)),
        ties=scale.tie(confidence),
        above=tuple((names[i], names[j]) for i in order for j in order if above[i, j]),
        predictions=scale.predictions(),
    )


def _without_mirrors(results: Results) -> Results:
    """The games of at least two bots, and the names of those who play in them."""
    mixed = (results.bots != results.bots[:, :1]).any(axis=1)
    kept = results.where(mixed)
    if len(kept.bots) == 0:
        raise InputError("ratings compare bots, but no two of them have played each other yet.")
    there, index = np.unique(kept.bots, return_inverse=True)
    names = tuple(results.names[i] for i in there)
    return replace(kept, names=names, bots=index.reshape(kept.bots.shape))


@dataclass(frozen=True)
class _Scale:
    """The fitted terms of a group: what each bot's worth is, in natural logarithms."""

    results: Results
    patterns: _Patterns
    terms: _Terms
    fitted: _Fitted

    @classmethod
    def of(cls, results: Results, group: Sequence[int], anchor: int) -> _Scale:
        """Fit the games of a group."""
        patterns = _patterns(results)
        ties = results.seats == 2 and bool((results.ranks[:, 0] == results.ranks[:, 1]).any())
        terms = _Terms(tuple(group), anchor, results.seats, ties)
        if len(group) == 1:  # nobody to compare with: the anchor alone, at 0
            unknown = np.full((terms.count, terms.count), np.nan)
            return cls(results, patterns, terms, _Fitted(np.full(terms.count, np.nan), unknown))
        # Where going first decides (nearly) every game, its worth is infinite: then the places say nothing.
        for tried in (terms, replace(terms, places=False)):
            choices = (_davidson if results.seats == 2 else _plackett_luce)(patterns, tried)
            fitted = _fit(choices, patterns, results, tried.count)
            if fitted is not None:
                return cls(results, patterns, tried, fitted)
        said = ", ".join(results.names[bot] for bot in group)
        raise InputError(f"{said} cannot be rated: their results fit no finite ratings. Play more games.")

    def worth(self, bot: int) -> float:
        """The logarithm of a bot's worth above the anchor's."""
        return 0.0 if bot == self.terms.anchor else float(self.fitted.terms[self.terms.rated.index(bot)])

    def difference(self, one: int, other: int, confidence: float) -> Estimate:
        """How far one bot is above another; n and games are those of the one of them that played fewer."""
        gradient = np.zeros(self.terms.count)
        for bot, sign in ((one, 1.0), (other, -1.0)):
            if bot != self.terms.anchor:
                gradient[self.terms.rated.index(bot)] += sign
        return self._estimate(gradient, min(self.took_part[one], self.took_part[other]), confidence)

    @cached_property
    def took_part(self) -> dict[int, tuple[int, int]]:
        """In how many deals and games each bot took part."""
        return {bot: self.results.where((self.results.bots == bot).any(axis=1)).size for bot in self.terms.bots}

    def first(self, confidence: float) -> Estimate:
        """What going first is worth against the mean of the other places."""
        n = self.terms.seats
        return self._places(np.array([1.0, *[-1 / (n - 1)] * (n - 1)]), confidence)

    def order(self, place: int, confidence: float) -> Estimate:
        """What a place in turn order is worth above the mean of all places."""
        weights = np.full(self.terms.seats, -1 / self.terms.seats)
        weights[place] += 1
        return self._places(weights, confidence)

    def _places(self, weights: Floats, confidence: float) -> Estimate:
        if not self.terms.places:
            return Estimate(math.nan, math.nan, math.nan, 0, 0, "Elo")
        gradient = np.zeros(self.terms.count)
        begin = self.terms.first_place
        gradient[begin : begin + self.terms.seats - 1] = weights[:-1]
        return self._estimate(gradient, self.results.size, confidence)

    def tie(self, confidence: float) -> Estimate | None:
        """The share of ties of two equal bots, without the term for going first: nu / (2 + nu)."""
        if not self.terms.ties:
            return None
        nu = math.exp(float(self.fitted.terms[-1]))
        value, slope = nu / (2 + nu), 2 * nu / (2 + nu) ** 2
        se = slope * math.sqrt(float(self.fitted.covariance[-1, -1]))
        low, high = stats.share_interval(value, se, self.results.size[0], confidence)
        return Estimate(value, low, high, *self.results.size, "share", se)

    def _estimate(self, gradient: Floats, size: tuple[int, int], confidence: float) -> Estimate:
        value, se, low, high = 0.0, 0.0, 0.0, 0.0
        if gradient.any():
            value = ELO * float(gradient @ self.fitted.terms)
            se = ELO * math.sqrt(max(float(gradient @ self.fitted.covariance @ gradient), 0.0))
            low, high = stats.normal_interval(value, se, confidence)
        return Estimate(value, low, high, *size, "Elo", se)

    def predictions(self) -> tuple[Prediction, ...]:
        """What the ratings predict for every table that was played."""
        shares = self._shares()
        tables: dict[tuple[str, ...], dict[str, list[float]]] = {}
        for bots, count, row in zip(self.patterns.bots.tolist(), self.patterns.counts.tolist(), shares, strict=True):
            names = [self.results.names[bot] for bot in bots]
            sums = tables.setdefault(tuple(sorted(names)), {})
            for name, share in zip(names, row.tolist(), strict=True):
                total = sums.setdefault(name, [0.0, 0.0])
                total[0] += count * share
                total[1] += count
        return tuple(
            Prediction(table, name, won / seats)
            for table, sums in sorted(tables.items())
            for name, (won, seats) in sums.items()
        )

    def _shares(self) -> Floats:
        """(patterns, seats): the share of wins that is predicted for each seat, ties split."""
        eta = self.terms.seats_of(self.patterns.bots) @ self.fitted.terms
        weight = np.exp(eta - eta.max(axis=1, keepdims=True))
        if not self.terms.ties:
            return np.asarray(weight / weight.sum(axis=1, keepdims=True))
        tie = math.exp(float(self.fitted.terms[-1])) * np.sqrt(weight.prod(axis=1, keepdims=True))
        return np.asarray((weight + tie / 2) / (weight.sum(axis=1, keepdims=True) + tie))


def _status(names: Sequence[str], group: Sequence[int], holds: NDArray[np.bool_]) -> list[str]:
    """For every bot: rated, or how it stands to those who are. Raises InputError for one that nothing compares."""
    reach = _closure(holds)
    one = group[0]
    status = []
    for bot, name in enumerate(names):
        if bot in group:
            status.append(RATED)
        elif reach[bot, one] or reach[one, bot]:
            status.append(WON_ALL if reach[bot, one] else LOST_ALL)
        else:
            said = ", ".join(names[i] for i in group)
            raise InputError(
                f"{name} cannot be rated on one scale with {said}: they never met, and no chain of results compares "
                "them. Let them play each other."
            )
    return status


def _above(scale: _Scale, meetings: _Meetings, confidence: float) -> NDArray[np.bool_]:
    """(bots, bots): whether the one is surely above the other, all statements together with the given confidence.

    Every pair is one comparison at the level of Sidak (1967). Two rated bots: the interval of the difference of their
    ratings excludes 0. Else: the one was ahead in all games of so many deals that chance alone, one half a deal, would
    not do it. What follows from these (above one who is above a third) is sure too.
    """
    count = len(meetings.met)
    together = stats.sidak(confidence, count * (count - 1) // 2)
    above = np.zeros((count, count), dtype=bool)
    for i, j in itertools.permutations(range(count), 2):
        if {i, j} <= set(scale.terms.bots):
            above[i, j] = scale.difference(i, j, together).low > 0
        else:
            won_all = meetings.met[i, j] > 0 and not meetings.holds[j, i]
            above[i, j] = won_all and 0.5 ** float(meetings.met[i, j]) <= 1 - together
    return _closure(above)


def _order(scale: _Scale, meetings: _Meetings, status: Sequence[str]) -> list[int]:
    """The bots, strongest first: who won everything, the rated, who lost everything; the former and the latter by how
    many of their comparisons they won.
    """
    won = meetings.ahead.sum(axis=1) + meetings.level.sum(axis=1) / 2
    all_ = won + meetings.ahead.sum(axis=0) + meetings.level.sum(axis=0) / 2
    level = (LOST_ALL, RATED, WON_ALL)

    def strength(bot: int) -> tuple[int, float]:
        return level.index(status[bot]), scale.worth(bot) if status[bot] == RATED else won[bot] / all_[bot]

    return sorted(range(len(status)), key=strength, reverse=True)


def _bound(scale: _Scale, meetings: _Meetings, bot: int, status: str, confidence: float) -> Estimate:
    """The bound on the rating of a bot that won or lost everything.

    It met the nearest of the rated in n deals and was never ahead of it, so it is ahead in at most a share s of them,
    (1 - s)^n = a/2; its rating is at most that of the other plus 400 log10(s / (1 - s)). The other half of the error a
    is left for the interval of the other's rating.
    """
    sign = 1 if status == WON_ALL else -1
    met = [other for other in scale.terms.bots if meetings.met[bot, other]]
    if not met:
        return Estimate(math.nan, -math.inf, math.inf, 0, 0, "Elo")
    near = max(met, key=lambda other: sign * scale.worth(other))
    deals = int(meetings.met[bot, near])
    share = 1 - ((1 - confidence) / 2) ** (1 / deals)
    apart = ELO * math.log((1 - share) / share)
    known = scale.difference(near, scale.terms.anchor, confidence)
    games = int(meetings.ahead[bot, near] + meetings.ahead[near, bot])
    low, high = (known.low + apart, math.inf) if sign > 0 else (-math.inf, known.high - apart)
    return Estimate(math.nan, low, high, deals, games, "Elo")
