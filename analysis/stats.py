"""Small pure functions of statistics: intervals, corrections, verdicts, clustered regression, sample sizes.

Everything here takes and returns numbers and arrays and knows no file and no game. Notation: the *block* (one deal
under all rotations of a line-up) is the unit of every error bar, because the games of one deal are not independent. So
`n` is a number of independent units, which for a run means deals, unless a docstring says otherwise. Confidence is 0.95
where nothing else is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Floats = NDArray[np.float64]
Interval = tuple[float, float]

CONFIDENCE = 0.95
RARE = 30.0  # fewer expected events (or non-events) than this: a normal interval of a share is no longer trusted


@dataclass(frozen=True)
class Estimate:
    """One number with its interval.

    `n` counts the independent units behind it (deals), `games` the games that were played differently from each other,
    `se` is the standard error (NaN where the interval comes from ranks or a binomial law), `unit` is a word such as
    "share", "points" or "turns". `low` and `high` are NaN where no interval exists (fewer than two deals).
    """

    value: float
    low: float
    high: float
    n: int
    games: int
    unit: str
    se: float = math.nan

    def to_dict(self) -> dict[str, object]:
        """Plain JSON types; a number that does not exist becomes None."""
        return {
            "value": plain(self.value),
            "low": plain(self.low),
            "high": plain(self.high),
            "n": self.n,
            "games": self.games,
            "unit": self.unit,
        }


def plain(value: float) -> float | None:
    """A float for JSON: None for NaN and infinities, which JSON has no word for."""
    return float(value) if math.isfinite(value) else None


# --- quantiles of the normal law -------------------------------------------------------------------------------------


def z_value(confidence: float = CONFIDENCE) -> float:
    """The z with P(|Z| <= z) = confidence for a standard normal Z: 1.96 for 0.95."""
    return float(special.ndtri(0.5 + confidence / 2))


def sidak(confidence: float, comparisons: int) -> float:
    """Confidence of each of k intervals so that all hold together: confidence^(1/k) (Sidak 1967, independent
    intervals).
    """
    return float(confidence ** (1 / max(1, comparisons)))


def of_many(value: float, interval: Interval, comparisons: int, share: bool = False) -> Interval:
    """The interval of one of k figures that holds for all of them together (`sidak`), from its own one of 95 %.

    Each end moves away from the value by z_k / z, z_k being that of the Sidak confidence; those of a `share` on the
    scale of arcsin sqrt p, on which how wide an interval is does not depend on the share (Anscombe 1948).
    """
    if comparisons <= 1 or math.isnan(value):
        return interval
    wider = z_value(sidak(CONFIDENCE, comparisons)) / z_value()
    if not share:
        low, high = (value + wider * (end - value) for end in interval)
        return low, high
    middle, *ends = (math.asin(math.sqrt(min(1.0, max(0.0, p)))) for p in (value, *interval))
    low, high = (middle + wider * (end - middle) for end in ends)
    return math.sin(max(0.0, low)) ** 2, math.sin(min(math.pi / 2, high)) ** 2


# --- shares ----------------------------------------------------------------------------------------------------------


def wilson(successes: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval of a share of n independent trials (Wilson 1927).

    (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n). 97 of 156 gives [0.544, 0.694].
    """
    if n <= 0:
        return 0.0, 1.0
    z = z_value(confidence)
    p = successes / n
    middle = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def clopper_pearson(successes: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """Exact interval of a share of n independent trials (Clopper and Pearson 1934), by quantiles of the beta law.

    low = Beta(a/2; x, n-x+1), high = Beta(1-a/2; x+1, n-x). Takes fractional x and n too (see `korn_graubard`).
    """
    if n <= 0:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = 0.0 if successes <= 0 else float(special.betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes >= n else float(special.betaincinv(successes + 1, n - successes, 1 - tail))
    return low, high


def rule_of_three(n: float) -> float:
    """Largest share that still fits "zero of n seen" with 95 % confidence: 3/n (Hanley and Lippman-Hand 1983)."""
    return min(1.0, 3 / n) if n > 0 else 1.0


def share_interval(share: float, se: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Interval of a share whose standard error was measured over n blocks.

    Normal while at least 30 events and 30 non-events stand behind it. For rarer ones Clopper-Pearson with the effective
    number of trials n* = p(1-p)/se² (Korn and Graubard 1998); for none at all the rule of three.
    """
    if n <= 0 or math.isnan(share):
        return math.nan, math.nan
    if share <= 0:
        return 0.0, rule_of_three(n)
    if share >= 1:
        return 1 - rule_of_three(n), 1.0
    effective = _effective(share, se, n)
    if rare(share, se, n):
        return clopper_pearson(share * effective, effective, confidence)
    half = z_value(confidence) * se
    return max(0.0, share - half), min(1.0, share + half)


def independent(cases: ArrayLike, legs: int, deals: int) -> Floats:
    """Independent trials among cases (copies held, seats behind …) of some deals: what is n in "zero of n seen".

    The games of a deal may be one game played `legs` times, and what is the case for several seats or copies of a deal
    hangs together: a case counts once for all legs, and a deal is one trial at the most.
    """
    counts = np.asarray(cases, dtype=float)
    return np.asarray(np.minimum(np.ceil(counts / legs), deals))


def rare(share: float, se: float, n: int) -> bool:
    """Whether fewer than 30 events, or non-events, stand behind a share, counted in independent trials."""
    return _effective(share, se, n) * min(share, 1 - share) < RARE


def _effective(share: float, se: float, n: int) -> float:
    """Independent trials with the standard error that a share has: p(1-p)/se²."""
    return share * (1 - share) / (se * se) if se > 0 else float(n)


# --- streaming moments -----------------------------------------------------------------------------------------------


class Moments:
    """Mean vector and covariance of rows that arrive in pieces (Chan, Golub and LeVeque 1983).

    One row a block, one column a quantity. `add` takes (rows, columns); `merge` joins two accumulators. Adding pieces
    in one order always gives the same bits.
    """

    def __init__(self, columns: int) -> None:
        self.n = 0
        self.mean: Floats = np.zeros(columns)
        self._m2: Floats = np.zeros((columns, columns))

    def add(self, rows: NDArray[np.floating]) -> None:
        """Take (rows, columns) more observations."""
        if len(rows) == 0:
            return
        other = Moments(rows.shape[1])
        other.n = len(rows)
        other.mean = rows.mean(axis=0, dtype=float)
        centred = rows - other.mean
        other._m2 = centred.T @ centred
        self.merge(other)

    def merge(self, other: Moments) -> None:
        """Join what another accumulator has seen."""
        n = self.n + other.n
        if n == 0:
            return
        step = other.mean - self.mean
        self._m2 = self._m2 + other._m2 + np.outer(step, step) * (self.n * other.n / n)
        self.mean = self.mean + step * (other.n / n)
        self.n = n

    @property
    def covariance(self) -> Floats:
        """(columns, columns) sample covariance with n - 1; NaN for fewer than two rows."""
        if self.n < 2:
            return np.full_like(self._m2, np.nan)
        return self._m2 / (self.n - 1)

    def delta(self, gradient: ArrayLike) -> float:
        """Standard error of a smooth function of the means: sqrt(g' S g / n), g its gradient there (the delta
        method).
        """
        g = np.asarray(gradient, dtype=float)
        return math.sqrt(max(0.0, float(g @ self.covariance @ g)) / self.n) if self.n >= 2 else math.nan


def block_means(values: ArrayLike) -> tuple[float, float]:
    """Mean and standard error of values (blocks, games of the block): the error is that of the block means, sd /
    sqrt(blocks).
    """
    means = np.asarray(values, dtype=float).mean(axis=1)
    se = float(means.std(ddof=1)) / math.sqrt(len(means)) if len(means) > 1 else math.nan
    return float(means.mean()), se


# --- bootstrap -------------------------------------------------------------------------------------------------------

RESAMPLES = 1000
"""Bootstrap samples, where nothing else is said."""
MOST_UNITS = 500
"""Of more deals than this, batches are drawn where sums of each deal would be too many."""


def resampling(units: int, samples: int = RESAMPLES, seed: int = 0) -> Floats:
    """How often each of some independent units (deals, or batches of them) is drawn in each bootstrap sample, (samples,
    units): always the same numbers for the same arguments (Efron 1979).
    """
    drawn = np.random.default_rng(seed).integers(0, units, (samples, units))
    drawn += np.arange(samples)[:, None] * units
    return np.bincount(drawn.ravel(), minlength=samples * units).reshape(samples, units).astype(float)


def percentiles(samples: ArrayLike, confidence: float = CONFIDENCE) -> tuple[Floats, Floats]:
    """The interval between the two tails of bootstrap samples (samples, …): low and high (…), NaN samples left out."""
    values = np.asarray(samples, dtype=float)
    tail = (1 - confidence) / 2
    if np.isnan(values).all():
        return np.full(values.shape[1:], np.nan), np.full(values.shape[1:], np.nan)
    low, high = np.nanquantile(values, [tail, 1 - tail], axis=0)
    return low, high


# --- quantiles by order statistics -----------------------------------------------------------------------------------


def order_ranks(n: int, q: float = 0.5, confidence: float = CONFIDENCE) -> tuple[int, int]:
    """Ranks (1-based) of the order statistics that enclose the q-quantile of n independent values (Conover 1999, 3.2).

    The largest r and smallest s with P(B < r) <= a/2 and P(B >= s) <= a/2 for B binomial(n, q). n = 20, median: 6 and
    15. Clipped to 1 and n where n is too small for the confidence.
    """
    tail = (1 - confidence) / 2
    lower = int(special.bdtrik(tail, n, q)) if special.bdtr(0, n, q) <= tail else -1
    # The float inverse may land on either side of a whole number: correct by the law itself.
    while lower >= 0 and special.bdtr(lower, n, q) > tail:
        lower -= 1
    while lower + 1 < n and special.bdtr(lower + 1, n, q) <= tail:
        lower += 1
    upper = math.ceil(special.bdtrik(1 - tail, n, q)) if n else 0
    while upper > 0 and special.bdtr(upper - 1, n, q) >= 1 - tail:
        upper -= 1
    while upper < n and special.bdtr(upper, n, q) < 1 - tail:
        upper += 1
    return max(1, lower + 1), min(n, upper + 1)


def quantile_interval(values: ArrayLike, q: float = 0.5, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """The q-quantile of values (blocks, games of the block) and its interval by order statistics.

    With one game a block these are the classical ranks of `order_ranks`. Games of one block are not independent, so the
    ranks are those of n* = q(1-q)/se² values, se being the block-level error of the share of values below the quantile
    (Woodruff 1952).
    """
    blocks = np.asarray(values)
    if blocks.ndim == 1:
        blocks = blocks[:, None]
    flat = np.sort(blocks, axis=None)
    total = len(flat)
    if total == 0:
        return math.nan, math.nan, math.nan
    value = _at(flat, q)
    if blocks.shape[1] == 1:
        effective = total
    else:
        se = share_below(blocks, value)[1]
        # Never more than independent games would give: the tie at the quantile would pretend so.
        effective = min(total, round(q * (1 - q) / (se * se))) if se > 0 else total
    effective = max(1, effective)
    low_rank, high_rank = order_ranks(effective, q, confidence)
    low = flat[max(0, math.floor(low_rank / effective * total) - 1)]
    high = flat[min(total - 1, math.ceil(high_rank / effective * total) - 1)]
    return value, float(low), float(high)


def _at(ordered: NDArray[Any], q: float) -> float:
    """The median-unbiased q-quantile of sorted values (Hyndman and Fan 1996, definition 8). numpy's would copy them."""
    n = len(ordered)
    at = min(max((n + 1 / 3) * q + 1 / 3, 1.0), float(n)) - 1
    i = math.floor(at)
    low, high = float(ordered[i]), float(ordered[min(i + 1, n - 1)])
    return low + (at - i) * (high - low)


def share_below(values: NDArray[Any], limit: float) -> tuple[float, float]:
    """The share of values (blocks, games of the block) below a limit, those at it by half, and its block-level error.

    The blocks are taken some at a time, for there may be a hundred million games.
    """
    moments = Moments(1)
    for first in range(0, len(values), _AT_A_TIME):
        some = values[first : first + _AT_A_TIME]
        below = np.count_nonzero(some < limit, axis=1) + np.count_nonzero(some == limit, axis=1) / 2
        moments.add(below[:, None] / some.shape[1])
    return float(moments.mean[0]), moments.delta([1.0])


_AT_A_TIME = 1_000_000

# --- verdicts --------------------------------------------------------------------------------------------------------

MATTERS = "matters"
UNCLEAR = "real, size unclear"
NEGLIGIBLE = "real but negligible"
EQUIVALENT = "equivalent"
UNKNOWN = "not yet known"


FEWEST = 30
"""With fewer deals than this nothing is judged."""


@dataclass(frozen=True)
class Finding:
    """What an effect means beside the designer's margin: one of the five wordings; `more` deals would decide an unknown
    one.
    """

    wording: str
    margin: float
    more: int = 0

    def __str__(self) -> str:
        """The wording as it is printed."""
        return f"{self.wording}, about {self.more:,} more deals needed" if self.wording == UNKNOWN else self.wording

    def to_dict(self) -> dict[str, object]:
        """Plain JSON types."""
        return {"wording": self.wording, "margin": self.margin, "more_deals": self.more}


ROUNDING = 1e-9
"""What is exactly 0 may be this far from it in floats, as the mean of thousands of thirds less a third."""


def judge(value: float, se: float, n: int, margin: float) -> Finding:
    """Judge an effect within a margin of ±m.

    "matters": the 95 % interval lies entirely beyond ±m. "real, size unclear": it excludes 0 and straddles m. "real but
    negligible": it excludes 0 and lies inside ±m. "equivalent": it includes 0 and the 90 % interval lies inside ±m (two
    one-sided tests of 5 %, Schuirmann 1987). Else "not yet known", with the deals still needed if the effect stays
    where it is. Fewer than FEWEST deals say nothing yet: their spread itself is not known.
    """
    return judge_interval(value, se, n, margin, normal_interval(value, se), normal_interval(value, se, 0.90))


def normal_interval(value: float, se: float, confidence: float = CONFIDENCE) -> Interval:
    """The interval value ± z se of the normal law."""
    half = z_value(confidence) * se
    return value - half, value + half


def judge_interval(
    value: float, se: float, n: int, margin: float, wide: Interval, narrow: Interval, z: float | None = None
) -> Finding:
    """As `judge`, from the 95 % and the 90 % interval themselves, where they are not normal ones.

    `z` is what |effect| / se must reach to exclude 0, where it is more than 1.96 (many tests at once).
    """
    if n < FEWEST or math.isnan(se):
        return Finding(UNKNOWN, margin, max(0, FEWEST - n))
    size = abs(value)
    real = (wide[0] > 0 or wide[1] < 0 or se == 0) and size > ROUNDING and (z is None or size >= z * se)
    if real and (wide[0] > margin or wide[1] < -margin):
        return Finding(MATTERS, margin)
    if real:
        return Finding(NEGLIGIBLE if -margin < wide[0] and wide[1] < margin else UNCLEAR, margin)
    if (-margin < narrow[0] and narrow[1] < margin) or (se == 0 and size <= margin):
        return Finding(EQUIVALENT, margin)
    return Finding(UNKNOWN, margin, max(1, _deals_to_decide(size, se, n, margin, z or z_value()) - n))


def _deals_to_decide(size: float, se: float, n: int, margin: float, least: float) -> int:
    """Deals until the nearer of two verdicts: "equivalent" (gap m - |effect|) or "excludes 0" (gap |effect|)."""
    sd = se * math.sqrt(n)
    gaps = [(z_value(0.90), margin - size), (least, size)]
    needed = [(z * sd / gap) ** 2 for z, gap in gaps if gap > 0]
    return math.ceil(min(needed)) if needed else n


# --- many tests at once ----------------------------------------------------------------------------------------------


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Adjusted p-values q: rejecting where q <= x keeps the false discovery rate at x (Benjamini and Hochberg 1995).

    q_(i) = min over j >= i of p_(j) m / j, in the order of the p-values. NaN stays NaN and counts as no test.
    """
    values = np.asarray(p, dtype=float)
    out = np.full(values.shape, np.nan)
    known = np.flatnonzero(~np.isnan(values))
    if len(known) == 0:
        return out
    order = known[np.argsort(values[known], kind="stable")]
    scaled = values[order] * len(order) / np.arange(1, len(order) + 1)
    out[order] = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    return out


SPREADS = 400
"""Points of the grid over the spread of the true effects."""


@dataclass(frozen=True)
class Shrunk:
    """Effects after shrinkage: `value` and `se` per effect, `spread` the estimated sd of the true effects around
    `centre`.
    """

    value: Floats
    se: Floats
    spread: float
    centre: float


def shrink(effects: ArrayLike, ses: ArrayLike, centre: float = 0.0) -> Shrunk:
    """Empirical-Bayes shrinkage of effects towards a centre c under a normal law of the true effects, of spread t.

    Given t, an effect x with error s becomes c + (1 - B)(x - c) with error s sqrt(1 - B), B = s²/(s² + t²) (Efron and
    Morris 1975). t is itself estimated, so both are averaged over its likelihood, the product of normal densities of x
    around c with variance s² + t², under a flat prior (Gelman 2006), on a grid. Where noise hides the spread the
    interval of the shrunk effect is still narrow (about 91 % instead of 95 % at s = 1.5 t and 50 effects): it is for
    ranking, and verdicts rest on the effects as measured. An effect without error or value stays as it is, with NaN for
    its error.
    """
    x, s = np.asarray(effects, dtype=float), np.asarray(ses, dtype=float)
    known = np.isfinite(x) & np.isfinite(s) & (s > 0)
    value, se = x.copy(), np.full_like(x, np.nan)
    if not known.any():
        return Shrunk(value, se, 0.0, centre)
    away, noise = x[known] - centre, s[known] ** 2
    t = np.linspace(0.0, 1.5 * float(np.abs(away).max()) + float(s[known].min()), SPREADS)
    variance = noise[:, None] + t**2
    log_likelihood = -0.5 * (np.log(variance) + away[:, None] ** 2 / variance).sum(axis=0)
    weight = np.exp(log_likelihood - log_likelihood.max())
    weight /= weight.sum()
    kept = 1 - noise[:, None] / variance
    moved = kept * away[:, None]
    mean = moved @ weight
    value[known] = centre + mean
    se[known] = np.sqrt((kept * noise[:, None] + (moved - mean[:, None]) ** 2) @ weight)
    return Shrunk(value, se, float(t @ weight), centre)


# --- regression with errors clustered by block -----------------------------------------------------------------------


CLUSTERS_AT_ONCE = 500
"""So many X'X are held in double precision at a time."""


@dataclass(frozen=True)
class Fit:
    """Coefficients (parameters, outcomes), their covariance (outcomes, parameters, parameters), and the degrees of
    freedom (parameters) of the t law of a coefficient over its error.

    `influence` (outcomes, clusters, parameters) is what each cluster adds to a coefficient's error: the covariance is
    `correction` times the sum over clusters of its outer products.
    """

    coefficients: Floats
    covariance: Floats
    degrees: Floats
    clusters: int
    influence: Floats
    correction: float

    def se(self) -> Floats:
        """Standard errors (parameters, outcomes)."""
        return np.sqrt(np.maximum(0.0, np.diagonal(self.covariance, axis1=1, axis2=2))).T


def clustered_ols(xx: NDArray[np.floating], xy: NDArray[np.floating], zero_sum: ArrayLike | None = None) -> Fit | None:
    """Least squares with errors clustered by block, from sums kept per cluster.

    `xx` (clusters, p, p) and `xy` (clusters, p, outcomes) hold X'X and X'y of each cluster. With b = (X'X)^-1 X'y, cov
    b = c (X'X)^-1 (sum of s s') (X'X)^-1 from the scores s = X'y - X'X b of a cluster (Liang and Zeger 1986). Keeping
    X'X per cluster gives the scores exactly in one pass over the data.

    c = G/(G - p) for G clusters: the games of a deal share their hands, so a cluster is worth one row, and the usual
    factor (N-1)/(N-p) of N rows corrects too little. A coefficient is judged by the t law with (sum w)² / sum w²
    degrees of freedom, w its share of a cluster in (X'X)^-1 X'X (X'X)^-1 (Bell and McCaffrey 2002; Imbens and Kolesár
    2016): a card is in few opening hands, so its error is known less well than the number of deals suggests, and among
    many cards it is the tail that counts.

    `zero_sum` (p) are weights w of a constraint w'b = 0, or (constraints, p) of several. One is needed where the
    columns it names always sum to zero (own cards minus the opponent's of equally large hands), and says to what the
    effects are relative: to their w-average. Adding w w' to X'X then solves the constrained problem exactly. Returns
    None where the system is singular all the same, or has no more clusters than parameters.
    """
    total, moments = xx.sum(axis=0, dtype=float), xy.sum(axis=0, dtype=float)
    clusters, p = len(xx), total.shape[0]
    constraints = np.zeros((0, p)) if zero_sum is None else np.atleast_2d(np.asarray(zero_sum, dtype=float))
    free = p - len(constraints)
    if clusters <= p:
        return None
    for w in constraints:
        total = total + np.outer(w, w) * (np.trace(total) / p / float(w @ w))
    if np.linalg.cond(total) > 1e12:
        return None
    inverse = np.linalg.inv(total)
    b = inverse @ moments
    scores = np.empty((b.shape[1], clusters, p))
    weight = np.empty((clusters, p))
    wanted = np.hstack([b, inverse])
    for first in range(0, clusters, CLUSTERS_AT_ONCE):
        piece = slice(first, first + CLUSTERS_AT_ONCE)
        # Both the scores and the weights need X'X of each cluster times something: one flat product for all.
        right = (xx[piece].reshape(-1, p).astype(float) @ wanted).reshape(-1, p, wanted.shape[1])
        scores[:, piece] = np.moveaxis(xy[piece] - right[:, :, : b.shape[1]], 2, 0)
        weight[piece] = np.einsum("ij,gij->gj", inverse, right[:, :, b.shape[1] :])
    influence = scores @ inverse
    correction = clusters / (clusters - free)
    covariance = np.stack([correction * (s.T @ s) for s in influence])
    squares = (weight**2).sum(axis=0)
    # A column that is zero in all clusters (a deck of equal cards) is fixed by the constraint alone, for certain.
    degrees = np.divide(weight.sum(axis=0) ** 2, squares, out=np.full(p, float(clusters)), where=squares > 0)
    return Fit(b, covariance, degrees, clusters, influence, correction)


def t_value(degrees: ArrayLike, confidence: float = CONFIDENCE) -> Floats:
    """The t with P(|T| <= t) = confidence for Student's T."""
    return np.asarray(special.stdtrit(np.asarray(degrees, dtype=float), 0.5 + confidence / 2))


def two_sided_p(t: ArrayLike, degrees: ArrayLike) -> Floats:
    """P(|T| >= |t|) for Student's T."""
    return np.asarray(2 * special.stdtr(np.asarray(degrees, dtype=float), -np.abs(np.asarray(t, dtype=float))))


# --- before a run, and while it is watched ---------------------------------------------------------------------------


def minimal_detectable_effect(sd: float, n: float, confidence: float = CONFIDENCE, power: float = 0.8) -> float:
    """Smallest true effect that a test finds with the given power: (z(1-a/2) + z(power)) sd / sqrt(n), sd and n of
    blocks.
    """
    return (z_value(confidence) + float(special.ndtri(power))) * sd / math.sqrt(n) if n > 0 else math.inf


def units_needed(effect: float, sd: float, confidence: float = CONFIDENCE, power: float = 0.8) -> int:
    """Units for an effect to be found: ((z(1-a/2) + z(power)) sd / effect)², rounded up.

    For one rate against 50 % without pairing sd = 0.5: 5, 2, 1, 0.5 percentage points need 785, 4,906, 19,623, 78,490
    games. The default power is 0.8, that of these figures.
    """
    return math.ceil(((z_value(confidence) + float(special.ndtri(power))) * sd / effect) ** 2)


def variance_degrees(values: ArrayLike) -> float:
    """Degrees of freedom k of the chi-square law that k s²/sigma² follows about, s² the variance of n values.

    k = 2 / (2/(n-1) + g/n), with the excess kurtosis g of the values, so that the law has the variance of s² (Box
    1953); n - 1 for a normal law. Shares of wins have light tails, so their spread is known better than that, and what
    varies seldom has heavy ones.
    """
    x = np.asarray(values, dtype=float)
    n, centred = len(x), x - x.mean()
    m2 = float((centred**2).mean())
    excess = float((centred**4).mean()) / (m2 * m2) - 3 if m2 > 0 else 0.0
    return 2 / (2 / (n - 1) + excess / n)


def sd_interval(sd: float, degrees: float, confidence: float = CONFIDENCE) -> Interval:
    """Interval of a standard deviation with so many degrees of freedom k: sd sqrt(k / chi²), chi² the quantiles
    (1+confidence)/2 and (1-confidence)/2 of the chi-square law with k.
    """
    tail = (1 - confidence) / 2
    low, high = (sd * math.sqrt(degrees / float(special.chdtri(degrees, p))) for p in (tail, 1 - tail))
    return low, high


def difference_interval(old: Estimate, new: Estimate) -> Interval:
    """95 % interval of new - old of two independent estimates, from their own intervals (Zou and Donner 2008):

    d - sqrt((new - its low)² + (old's high - old)²) to d + sqrt((its high - new)² + (old - old's low)²). For normal
    intervals these are d ± z sqrt(se² + se²); it holds for lopsided ones too, of rare shares and of quantiles.
    """
    d = new.value - old.value
    return (
        d - math.hypot(new.value - new.low, old.high - old.value),
        d + math.hypot(new.high - new.value, old.value - old.low),
    )


def anytime_radius(sd: ArrayLike, t: ArrayLike, planned: float, confidence: float = CONFIDENCE) -> Floats:
    """Half width of an interval that may be looked at after every block (Waudby-Smith et al. 2024, asymptotic).

    sd sqrt( 2 (t r² + 1)/(t² r²) ln( sqrt(t r² + 1)/a ) ), with r² = (-2 ln a + ln(1 - 2 ln a)) / planned, which makes
    it narrowest near t = planned blocks.
    """
    alpha = 1 - confidence
    r2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / planned
    time = np.asarray(t, dtype=float)
    inside = 2 * (time * r2 + 1) / (time**2 * r2) * np.log(np.sqrt(time * r2 + 1) / alpha)
    return np.asarray(np.asarray(sd, dtype=float) * np.sqrt(inside), dtype=float)


def ratio_gradient(columns: int, over: Sequence[int], under: Sequence[int], mean: Floats) -> tuple[float, Floats]:
    """Ratio of two sums of means and its gradient: (1/U at `over`, -O/U² at `under`), for `Moments.delta`."""
    top, bottom = float(mean[list(over)].sum()), float(mean[list(under)].sum())
    gradient = np.zeros(columns)
    if bottom == 0:
        return math.nan, gradient
    gradient[list(over)] += 1 / bottom
    gradient[list(under)] -= top / bottom**2
    return top / bottom, gradient
