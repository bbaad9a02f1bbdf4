"""The game that the choice of a bot is: does everything have a counter, which bots survive against all others, and what
beats each of them.

All of this rests on one matrix: e(i, j), the win share of bot i alone in a field of bot j (with two seats: i against
j), by deal. With two seats e(j, i) = 1 - e(i, j). With more, e(i, j) and e(j, i) are two things that are measured
apart, and mixed fields (i among j and k) are not in the matrix: nothing here speaks of them. The *edge* of i over j is
e(i, j) - e(j, i): by how much more the one wins alone among the others than the other way round. It is antisymmetric,
so it is a fair game of two who each name a bot and are paid the edge, whatever the number of seats.

Intervals and probabilities are over bootstrap samples of the deals. The same deals are drawn for all cells, since all
pairs play the same deals; deals that only some pairs have played (the few of search bots) are drawn among themselves.

Bots whose results are the same deal by deal, and even against each other, are clones: they count as one strategy, which
they share evenly. So a clone changes nothing for the rest. A bot that plays alike with luck of its own is no clone in
that sense: the sum of the Nash masses of the two is the one's, up to sampling error, but which of them is included is a
matter of luck, and alpha-rank, whose mutations draw from the list of bots, gives the two more room than the one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import linalg, optimize, special

from analysis import stats
from analysis.blocks import LineUp, line_ups, read_part, shards_of
from analysis.cards import MOST_BATCHES
from analysis.stats import Estimate
from simcore.errors import InputError
from simcore.runlog import Run

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

POPULATION = 50
"""The population of alpha-rank, as in its paper."""
ALPHAS = tuple(np.geomspace(0.1, 1e5, 31).tolist())
"""The intensities of selection of the sweep. An edge of 0.1 pp needs about 5,000 to be selected for surely."""
SETTLED = 0.01
"""A distribution is settled where it stays within so much (total variation) of its last one, for a decade at least."""
INCLUDED = 0.01
"""A bot is included from this mass on."""
SAME = 1e-9
"""Results, or rounding errors of a matrix, that differ by less are equal."""
STEPS = 2000
"""At most so many steps to the ratings that explain rare pairs best."""


# --- results ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """Results of every bot alone in a field of every other one, summed over the deals of a unit of the bootstrap.

    `sums` (units, bots, bots) are sums over deals of the win share of the row's bot in its games of the deal, `deals`
    (units, bots, bots) how many deals that are, `strata` (units) among which units a unit is drawn. A bot against
    itself has no deals.
    """

    names: tuple[str, ...]
    seats: int
    sums: Floats
    deals: Floats
    strata: Ints

    @property
    def played(self) -> Floats:
        """(bots, bots): deals of each cell."""
        return np.asarray(self.deals.sum(axis=0))

    def shares(self, weights: Floats | None = None) -> Floats:
        """The matrix e (bots, bots), or (samples, bots, bots) of samples with weights (samples, units)."""
        if weights is None:
            return self._over(self.sums.sum(axis=0), self.played)
        bots = len(self.names)
        sums, deals = (np.reshape(weights @ x.reshape(len(x), -1), (-1, bots, bots)) for x in (self.sums, self.deals))
        return self._over(sums, deals)

    def _over(self, sums: Floats, deals: Floats) -> Floats:
        even = np.full(sums.shape, 1 / self.seats)
        return np.asarray(np.divide(sums, deals, out=even, where=deals > 0))

    def influence(self) -> Floats:
        """(units, bots, bots): what each unit adds to the error of a cell. Sums of their products over the units are
        the covariances of the cells.
        """
        away = (self.sums - self.shares() * self.deals) / np.maximum(1.0, self.played)
        n = len(self.strata)
        return np.asarray(away * math.sqrt(n / (n - 1))) if n > 1 else np.full(away.shape, np.nan)

    def errors(self) -> Floats:
        """(bots, bots): the standard errors of the shares."""
        return np.asarray(np.sqrt((self.influence() ** 2).sum(axis=0)))

    def resampling(self, samples: int) -> Floats:
        """Weights (samples, units) of bootstrap samples, drawn within the strata."""
        weights = np.zeros((samples, len(self.strata)))
        for stratum in np.unique(self.strata).tolist():
            where = np.flatnonzero(self.strata == stratum)
            weights[:, where] = stats.resampling(len(where), samples, seed=stratum)
        return weights

    def take(self, bots: Sequence[int]) -> Field:
        """Only some of the bots."""
        cells = np.ix_(range(len(self.strata)), bots, bots)
        return Field(tuple(self.names[b] for b in bots), self.seats, self.sums[cells], self.deals[cells], self.strata)


def field(names: Sequence[str], seats: int, results: pl.DataFrame) -> Field:
    """The results of a frame with the columns bot, opponent (indices into names), deal, share and deals: a row a deal
    of a bot alone in a field of another, share the mean of its win share over the games of that deal, deals 1. Instead
    of a deal it may be a batch of them, with sums over so many deals.

    Raises InputError for fewer than two bots, and where two bots have not met.
    """
    count = len(names)
    if count < 2:
        raise InputError("strategies are compared with each other, but there is only one bot.")
    numbers, deal = np.unique(results["deal"].to_numpy(), return_inverse=True)
    cell = results["bot"].to_numpy().astype(np.int64) * count + results["opponent"].to_numpy()
    share, deals = (np.zeros((len(numbers), count * count)) for _ in range(2))
    share[deal, cell], deals[deal, cell] = results["share"].to_numpy(), results["deals"].to_numpy()
    there = deals > 0
    met = there.any(axis=0).reshape(count, count) | np.eye(count, dtype=bool)
    if not met.all():
        bot, opponent = np.argwhere(~met)[0]
        raise InputError(
            f"{names[bot]} has not played alone against {names[opponent]} yet. Play all pairs of the bots."
        )
    _, strata = np.unique(np.packbits(there, axis=1), axis=0, return_inverse=True)
    units = np.zeros(len(numbers), dtype=np.int64)
    kinds: list[int] = []
    for stratum in range(int(strata.max()) + 1):
        mine = np.flatnonzero(strata == stratum)
        size = math.ceil(len(mine) / stats.MOST_UNITS)
        units[mine] = len(kinds) + np.arange(len(mine)) // size
        kinds += [stratum] * math.ceil(len(mine) / size)
    order = np.argsort(units, kind="stable")
    starts = np.searchsorted(units[order], np.arange(len(kinds)))
    sums, deals = (np.add.reduceat(x[order], starts, axis=0, dtype=float) for x in (share, deals))
    shape = (len(kinds), count, count)
    return Field(tuple(names), seats, sums.reshape(shape), deals.reshape(shape), np.array(kinds))


def read_field(runs: Iterable[Run]) -> Field:
    """The results of all line-ups, in runs of one game, in which one bot is alone in a field of another.

    Raises InputError as `field` does.
    """
    runs = list(runs)
    names = tuple(dict.fromkeys(bot["name"] for run in runs for bot in run.manifest["bots"]))
    seats = runs[0].manifest["seats"]
    batch = max(1, math.ceil(max(run.blocks for run in runs) / MOST_BATCHES))
    frames = [
        _alone(run, line_up, bot, batch).select(
            bot=pl.lit(names.index(told[bot]), dtype=pl.Int64),
            opponent=pl.lit(names.index(told[other]), dtype=pl.Int64),
            deal="unit",
            share="share",
            deals="deals",
        )
        for run in runs
        for told in [[entry["name"] for entry in run.manifest["bots"]]]
        for line_up in line_ups(run.manifest)
        if len(line_up.distinct) == 2
        for bot, other in (line_up.distinct, line_up.distinct[::-1])
        if line_up.bots.count(bot) == 1
    ]
    schema = {"bot": pl.Int64, "opponent": pl.Int64, "deal": pl.UInt32, "share": pl.Float64, "deals": pl.Int64}
    results = pl.concat([pl.DataFrame(schema=schema), *frames])
    played = sorted({*results["bot"], *results["opponent"]})
    index = {bot: i for i, bot in enumerate(played)}
    # Several line-ups of two bots are played on the same deals: their mean is one result.
    mean, most = pl.col("share").sum() / pl.col("deals").sum(), pl.col("deals").max()
    by_unit = results.group_by("bot", "opponent", "deal", maintain_order=True).agg(share=mean * most, deals=most)
    renamed = by_unit.with_columns(pl.col("bot", "opponent").replace_strict(index, return_dtype=pl.Int64))
    return field([names[bot] for bot in played], seats, renamed)


def _alone(run: Run, line_up: LineUp, bot: int, batch: int) -> pl.DataFrame:
    """Of a bot that is alone in a line-up, by batches of so many deals: unit, deals, and share, the sum over the deals
    of its mean win share.
    """
    parts = [pl.DataFrame(schema={"unit": pl.UInt32, "share": pl.Float64, "deals": pl.Int64})]
    n = run.manifest["seats"]
    for shard in shards_of(run, line_up.index):
        frame = read_part(run, "seats", shard, ["deal", "bot", "win_share"]).filter(pl.col("bot") == bot)
        share = pl.col("win_share").cast(pl.Float64).sum() / n
        deals = (pl.len() // n).cast(pl.Int64)
        parts.append(
            frame.group_by(unit=pl.col("deal") // batch, maintain_order=True).agg(share=share, deals=deals)
        )
    return pl.concat(parts).group_by("unit", maintain_order=True).sum()


def clones(found: Field) -> Ints:
    """(bots): for each bot the first one with the same results, deal by deal, against everyone and in every field, and
    even results between the two: itself, if it is nobody's clone.
    """
    bots = len(found.names)
    even = np.abs(found.sums - found.deals / found.seats).max(axis=0) < SAME
    first = np.arange(bots)
    for i in range(bots):
        for j in range(i):
            others = [k for k in range(bots) if k not in (i, j)]
            rows = _equal(found, np.s_[:, i, others], np.s_[:, j, others])
            columns = _equal(found, np.s_[:, others, i], np.s_[:, others, j])
            if rows and columns and even[i, j] and even[j, i]:
                first[i] = first[j]
                break
    return first


def _equal(found: Field, one: Any, other: Any) -> bool:
    return all(np.abs(x[one] - x[other]).max(initial=0.0) < SAME for x in (found.sums, found.deals))


def edges(shares: Floats) -> Floats:
    """The edges e(i, j) - e(j, i) of matrices of shares (…, bots, bots)."""
    return shares - np.swapaxes(shares, -1, -2)


# --- intransitivity --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Intransitivity:
    """The intransitive share of the match-ups: 0 where one rating a bot explains them, 1 where nothing but cycles does.

    The noise of sampling is taken out of `share`, so it may come out a little below 0; it is NaN where nothing but
    noise is to be seen. `p` is the p-value of "no cycles at all", NaN where no cycle can be tested. `rare` are the
    pairs that one bot won or lost nearly always: of these only the interval of their odds is used, so that `share` is
    the least that fits it, and `p` leaves them out.
    """

    share: Estimate
    p: float
    rare: tuple[tuple[str, str], ...]


def log_odds(shares: Floats) -> Floats:
    """Log-odds L (…, bots, bots) of matrices of shares: half of logit e(i, j) - logit e(j, i).

    In the model of Plackett and Luce, e(i, j) = w_i / (w_i + (n - 1) w_j), so L is the difference of the logarithms of
    the worths: no cycles.
    """
    odds = special.logit(shares)
    return np.asarray((odds - np.swapaxes(odds, -1, -2)) / 2)


def cyclic(log_odds: Floats) -> Floats:
    """The part of log-odds (…, bots, bots) that no ratings explain: L(i, j) - (s_i - s_j) with s the means of rows.

    That is the curl of the Hodge split of a flow on the complete graph (Jiang, Lim, Yao and Ye 2011): the gradient
    s_i - s_j fits L best by least squares, every pair of bots weighed alike, and the two parts are orthogonal.
    """
    return log_odds - _gradient(log_odds)


def _gradient(log_odds: Floats) -> Floats:
    s = log_odds.mean(axis=-1)
    return np.asarray(s[..., :, None] - s[..., None, :])


def filled(log_odds: Floats, low: Floats, high: Floats) -> Floats:
    """Log-odds (…, bots, bots) with those between `low` and `high` (bots, bots; equal where they are known) that
    ratings explain best: in turns the ratings of the log-odds and the log-odds of the ratings, as near as their limits
    allow.
    """
    open_ = low < high
    out = np.where(open_, np.clip(0.0, low, high), log_odds)
    for _ in range(STEPS if open_.any() else 0):
        better = np.where(open_, np.clip(_gradient(out), low, high), out)
        moved = np.abs(better - out).max()
        out = better
        if moved < SAME:
            break
    return out


def intransitivity(found: Field, samples: int = stats.RESAMPLES) -> Intransitivity | None:
    """The share of the sum of squares of the log-odds that is cyclic, with its interval; None for fewer than three
    bots.

    Noise alone makes cycles: E|C'|² = |C|² + tr cov C', and the same for L. Both traces are subtracted, estimated from
    the deals; from bootstrap samples, which have the noise twice, twice of them. The test is Hotelling's: C' in as many
    coordinates as the pairs have independent cycles, over their covariance.
    """
    bots = len(found.names)
    if bots < 3:
        return None
    shares, pairs = found.shares(), np.triu_indices(bots, 1)
    low, high = _limits(found)
    rare = low < high
    safe = np.where(rare, 0.5, shares)
    flow = np.where(rare, 0.0, found.influence()) / (safe * (1 - safe))
    flow = ((flow - np.swapaxes(flow, 1, 2)) / 2)[:, *pairs]
    measured = filled(log_odds(safe), low, high)
    # A rare pair within its limits says nothing about cycles.
    bound = np.abs(cyclic(measured)) > SAME
    noise_all = float((flow**2).sum())
    noise_cyclic = float(((flow @ _cycles((bound | ~rare)[pairs], bots)) ** 2).sum())

    def share(of: Floats, times: int) -> Floats:
        parts = ((cyclic(of), noise_cyclic), (of, noise_all))
        over, under = ((x[..., *pairs] ** 2).sum(axis=-1) - times * noise for x, noise in parts)
        # Ratings that explain everything leave rounding errors, which are no cycles.
        return np.asarray(np.where(under > 0, np.round(over / np.where(under > 0, under, 1.0), 12), np.nan))

    drawn = np.where(rare, 0.5, found.shares(found.resampling(samples)))
    ends = stats.percentiles(share(filled(log_odds(drawn), low, high), 2))
    n, games = int(found.played[pairs].min()), int(found.played[pairs].sum()) * found.seats
    tested = _cycles(~rare[pairs], bots)
    return Intransitivity(
        share=Estimate(float(share(measured, 1)), float(ends[0]), float(ends[1]), n, games, "share"),
        p=_hotelling(measured[pairs] @ tested, flow @ tested),
        rare=tuple((found.names[i], found.names[j]) for i, j in zip(*pairs, strict=True) if rare[i, j]),
    )


def _limits(found: Field) -> tuple[Floats, Floats]:
    """The limits (bots, bots) of the log-odds of rare pairs, by the intervals of their shares; 0 and 0 for others.

    A cell is rare with fewer than 30 events, or non-events, in effect, as in `stats.share_interval`.
    """
    bots, shares, deals = len(found.names), found.shares(), found.played
    errors = found.errors()
    low, high = np.zeros((bots, bots)), np.zeros((bots, bots))
    for i, j in zip(*np.triu_indices(bots, 1), strict=True):
        cells = [(float(shares[c]), float(errors[c]), int(deals[c])) for c in ((i, j), (j, i))]
        if any(stats.rare(*cell) for cell in cells):
            (one, other), (two, three) = (special.logit(stats.share_interval(*cell)) for cell in cells)
            low[i, j], high[i, j] = (one - three) / 2, (other - two) / 2
            low[j, i], high[j, i] = -high[i, j], -low[i, j]
    return low, high


def _cycles(there: NDArray[np.bool_], bots: int) -> Floats:
    """A basis (pairs, cycles) of the flows over some of the pairs of bots that go round in cycles."""
    i, j = np.triu_indices(bots, 1)
    edges = np.flatnonzero(there)
    incidence = np.zeros((bots, len(edges)))
    incidence[i[edges], np.arange(len(edges))] = 1
    incidence[j[edges], np.arange(len(edges))] = -1
    round_ = linalg.null_space(incidence) if len(edges) else np.zeros((0, 0))
    basis = np.zeros((len(i), round_.shape[1]))
    basis[edges] = round_
    return basis


def _hotelling(value: Floats, influence: Floats) -> float:
    """P-value of a vector's being 0, from the influence (units, coordinates) of units on it; NaN for too few units."""
    units = len(influence)
    if not value.size:
        return math.nan
    _, sizes, axes = np.linalg.svd(influence, full_matrices=False)
    if not sizes.max(initial=0.0) > 0:
        return math.nan
    keep = sizes > sizes[0] * 1e-9
    rank = int(keep.sum())
    if units <= rank + 1:
        return math.nan
    distance = float((((axes[keep] @ value) / sizes[keep]) ** 2).sum())
    return float(special.fdtrc(rank, units - rank, distance * (units - rank) / (rank * (units - 1))))


# --- Nash ------------------------------------------------------------------------------------------------------------


def nash(edges: Floats) -> Floats:
    """The Nash equilibrium (bots) of the largest entropy of the game of naming a bot, from its edges (bots, bots).

    The mixtures x >= 0 against which no bot gains, edges x <= 0, form a cone. One linear program finds which bots any
    of them names: maximise sum z with z <= x, z <= 1, as all can be large at once (Goldman and Tucker 1956). Among
    those bots nobody gains or loses, edges x = 0, which leaves one mixture in general, else a flat set in which the
    entropy -sum x ln x has one maximum (Ortiz, Schapire and Kakade 2007; Balduzzi, Tuyls, Perolat and Graepel 2018).
    """
    bots = len(edges)
    size = float(np.abs(edges).max())
    if size == 0:
        return np.full(bots, 1 / bots)
    # Who gains against everyone is the only answer, and most games have such a one: it needs no program.
    winners = ((edges > 0) | np.eye(bots, dtype=bool)).all(axis=1)
    if winners.any():
        return winners.astype(float)
    game, one, none = edges / size, np.eye(bots), np.zeros((bots, bots))
    rows = np.block([[game, none], [-one, one]])
    limits = [(0, None)] * bots + [(0, 1)] * bots
    solved = optimize.linprog(np.repeat([0.0, -1.0], bots), rows, np.zeros(2 * bots), bounds=limits)
    mixtures, large = np.split(np.asarray(solved.x), 2)
    named = large > 0.5
    mixture = np.zeros(bots)
    basis = linalg.null_space(game[np.ix_(named, named)], rcond=1e-9)
    start = mixtures[named]
    if basis.shape[1] == 1:
        mixture[named] = np.abs(basis[:, 0])
    elif basis.shape[1] > 1:
        mixture[named] = _most_even(basis, game[np.ix_(~named, named)], start / start.sum())
    else:  # rounding: the program's own answer
        mixture[named] = start
    return np.asarray(mixture / mixture.sum())


def _most_even(basis: Floats, others: Floats, start: Floats) -> Floats:
    """The mixture of the largest entropy in the span of a basis (bots, dimensions), against which the other bots
    (others, bots: their edges) do not gain, from one that is inside.
    """

    def sizes(t: Floats) -> Floats:
        return np.asarray(np.maximum(basis @ t, 1e-300))

    def order(t: Floats) -> float:
        return float((sizes(t) * np.log(sizes(t))).sum())

    def slope(t: Floats) -> Floats:
        return np.asarray(basis.T @ (np.log(sizes(t)) + 1))

    least = np.concatenate([basis, -others @ basis])
    limits = [
        optimize.LinearConstraint(basis.sum(axis=0)[None], 1, 1),
        optimize.LinearConstraint(least, np.zeros(len(least)), np.full(len(least), np.inf)),
    ]
    found = optimize.minimize(
        order, basis.T @ start, jac=slope, constraints=limits, method="SLSQP", options={"ftol": 1e-14, "maxiter": 500}
    )
    return np.asarray(np.maximum(basis @ found.x, 0.0))


# --- alpha-rank ------------------------------------------------------------------------------------------------------


def alpha_rank(edges: Floats, alpha: float, population: int = POPULATION) -> Floats:
    """The stationary distribution (…, bots) of alpha-rank for edges (…, bots, bots): Omidshafiei et al. 2019, one
    population of which each member names a bot.

    A population that names i is taken over by a mutant that names j in proportion to rho(u) = (1 - e^-u) / (1 - e^-mu),
    u = alpha edge(j, i), and mutants of all bots are equally frequent. Rates are kept as logarithms, and the chain is
    solved by the elimination of Grassmann, Taksar and Heyman (1985), which subtracts nothing: so e^(-mu) of any size
    does no harm.
    """
    rate = _log_fixation(alpha * np.swapaxes(edges, -1, -2), population)
    bots = rate.shape[-1]
    for last in range(bots - 1, 0, -1):
        rate[..., :last, last] -= special.logsumexp(rate[..., last, :last], axis=-1)[..., None]
        around = rate[..., :last, last, None] + rate[..., None, last, :last]
        rate[..., :last, :last] = np.logaddexp(rate[..., :last, :last], around)
    mass = np.zeros(rate.shape[:-1])
    for bot in range(1, bots):
        mass[..., bot] = special.logsumexp(mass[..., :bot] + rate[..., :bot, bot], axis=-1)
    return np.asarray(special.softmax(mass, axis=-1))


def _log_fixation(u: Floats, population: int) -> Floats:
    """Logarithms: ln rho(u) = g(|u|) - (m - 1) max(-u, 0), g(x) = ln(1 - e^-x) - ln(1 - e^-mx), g(0) = -ln m."""
    size = np.abs(u)
    safe = np.where(size > 0, size, 1.0)
    inside = np.log(-np.expm1(-safe)) - np.log(-np.expm1(-population * safe))
    return np.asarray(np.where(size > 0, inside, -math.log(population)) - (population - 1) * np.maximum(-u, 0.0))


def settled_from(alphas: Sequence[float], masses: Floats) -> float | None:
    """The alpha from which on the distributions (alphas, bots) of a sweep stay within SETTLED of the last one; None
    where that is less than a decade before the end, as they may move on then.
    """
    away = np.abs(masses - masses[-1]).sum(axis=1) / 2
    first = int(np.flatnonzero(away > SETTLED)[-1]) + 1 if (away > SETTLED).any() else 0
    return float(alphas[first]) if alphas[first] * 10 <= alphas[-1] else None


# --- counters --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counter:
    """What beats a bot best.

    `share` is the win share of `counter` alone in a field of `bot`. It is the best of several, so its interval is one
    of all candidates together: it holds though the best was chosen. `beats` says that the interval is above an even
    share, `best` in which share of the bootstrap samples this counter is the best one.
    """

    bot: str
    counter: str
    share: Estimate
    beats: bool
    best: float


def counters(found: Field, samples: int = stats.RESAMPLES) -> tuple[Counter, ...]:
    """The best counter of each bot."""
    bots, shares = len(found.names), found.shares()
    errors = found.errors()
    drawn = found.shares(found.resampling(samples))
    itself = np.arange(bots)
    for x in (shares, drawn):
        x[..., itself, itself] = -np.inf
    together = stats.sidak(stats.CONFIDENCE, bots - 1)
    out = []
    for bot, counter in enumerate(shares.argmax(axis=0).tolist()):
        n, value, se = int(found.played[counter, bot]), float(shares[counter, bot]), float(errors[counter, bot])
        low, high = stats.share_interval(value, se, n, together)
        out.append(
            Counter(
                bot=found.names[bot],
                counter=found.names[counter],
                share=Estimate(value, low, high, n, n * found.seats, "share", se),
                beats=low > 1 / found.seats,
                best=float((drawn[:, :, bot].argmax(axis=1) == counter).mean()),
            )
        )
    return tuple(out)


# --- all together ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Meta:
    """What a matrix of match-ups says.

    `nash` has the columns bot, mass (of the matrix as measured), low, high (over bootstrap samples), included (share of
    the samples in which its mass is at least 0.01: the probability that it belongs to the equilibrium). `alpha_rank`
    has the same for each alpha of the sweep; `settled` is the alpha from which on its distribution no longer changes,
    None where the sweep does not reach that. `clones` are groups of bots that count as one strategy.
    """

    names: tuple[str, ...]
    seats: int
    intransitivity: Intransitivity | None
    nash: pl.DataFrame
    alpha_rank: pl.DataFrame
    settled: float | None
    counters: tuple[Counter, ...]
    clones: tuple[tuple[str, ...], ...]


def meta(found: Field, samples: int = stats.RESAMPLES, alphas: Sequence[float] = ALPHAS) -> Meta:
    """The game of choosing a bot, from the results of all match-ups."""
    first = clones(found)
    kept = sorted(set(first.tolist()))
    strategies = found.take(kept)
    measured, drawn = edges(strategies.shares()), edges(strategies.shares(strategies.resampling(samples)))
    group = np.array([kept.index(bot) for bot in first])
    size = np.bincount(group)[group]

    def shared(masses: Floats) -> Floats:
        """Masses of strategies (…, strategies) as masses of bots, clones sharing evenly."""
        return np.asarray(masses[..., group] / size)

    equilibria = np.array([nash(sample) for sample in drawn])
    sweep = np.array([alpha_rank(measured, alpha) for alpha in alphas])
    ranked = [
        _masses(found.names, shared(mass), shared(alpha_rank(drawn, alpha)), size).insert_column(
            0, pl.lit(alpha).alias("alpha")
        )
        for alpha, mass in zip(alphas, sweep, strict=True)
    ]
    return Meta(
        names=found.names,
        seats=found.seats,
        intransitivity=intransitivity(strategies, samples),
        nash=_masses(found.names, shared(nash(measured)), shared(equilibria), size),
        alpha_rank=pl.concat(ranked),
        settled=settled_from(alphas, sweep),
        counters=counters(found, samples),
        clones=tuple(
            tuple(found.names[b] for b in np.flatnonzero(first == one)) for one in kept if (first == one).sum() > 1
        ),
    )


def _masses(names: Sequence[str], measured: Floats, drawn: Floats, size: Ints) -> pl.DataFrame:
    """The frame of masses (bots) and those of bootstrap samples (samples, bots); of clones (so many as `size`), all
    are included where they are together.
    """
    low, high = stats.percentiles(drawn)
    included = (drawn * size >= INCLUDED).mean(axis=0)
    return pl.DataFrame({"bot": list(names), "mass": measured, "low": low, "high": high, "included": included})
