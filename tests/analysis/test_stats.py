import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from analysis import stats

# --- shares ----------------------------------------------------------------------------------------------------------


def test_wilson_of_97_wins_in_156_games():
    assert stats.wilson(97, 156) == pytest.approx((0.544, 0.694), abs=5e-4)


@pytest.mark.parametrize(("x", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (97, 156), (3, 100_000)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_share_intervals_agree_with_statsmodels(x, n, confidence):
    wilson = proportion_confint(x, n, 1 - confidence, method="wilson")
    exact = proportion_confint(x, n, 1 - confidence, method="beta")
    assert stats.wilson(x, n, confidence) == pytest.approx(wilson, abs=1e-12)
    assert stats.clopper_pearson(x, n, confidence) == pytest.approx(exact, abs=1e-12)


def test_no_trials_say_nothing():
    assert stats.wilson(0, 0) == stats.clopper_pearson(0, 0) == (0.0, 1.0)
    assert stats.rule_of_three(0) == 1.0


def test_zero_of_n_seen_is_at_most_3_of_n():
    assert stats.rule_of_three(1000) == 0.003
    assert stats.share_interval(0.0, 0.0, 1000) == (0.0, 0.003)
    assert stats.share_interval(1.0, 0.0, 1000) == (0.997, 1.0)
    # It is the one-sided exact bound of 95 %, rounded up.
    assert stats.clopper_pearson(0, 1000, 0.90)[1] == pytest.approx(0.003, rel=5e-3)


def test_cases_of_a_deal_are_not_independent():
    # 900 of 500 deals played twice: each leg of a deal may be the other one played again.
    assert stats.independent(900, 2, 500) == 450
    # Several copies of a card in one deal: a deal is one trial at the most.
    assert stats.independent([3000, 30, 1, 0], 2, 500).tolist() == [500, 15, 1, 0]


def test_a_common_share_has_the_normal_interval_and_a_rare_one_the_exact_one():
    p, n = 0.4, 10_000
    se = math.sqrt(p * (1 - p) / n)
    assert stats.share_interval(p, se, n) == pytest.approx((p - 1.96 * se, p + 1.96 * se), abs=1e-6)
    p = 5 / n
    se = math.sqrt(p * (1 - p) / n)
    assert stats.share_interval(p, se, n) == pytest.approx(stats.clopper_pearson(5, n), rel=1e-9)


def test_sidak_makes_all_intervals_hold_together():
    assert stats.sidak(0.95, 3) ** 3 == pytest.approx(0.95)
    assert stats.sidak(0.95, 1) == 0.95


# --- moments and blocks ----------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.lists(st.floats(-1e4, 1e4), min_size=3, max_size=3), min_size=2, max_size=40),
    st.lists(st.integers(0, 40), max_size=4),
)
def test_moments_of_pieces_are_the_moments_of_the_whole(rows, cuts):
    x = np.array(rows)
    moments = stats.Moments(3)
    for piece in np.split(x, sorted(min(c, len(x)) for c in cuts)):
        moments.add(piece)
    assert moments.n == len(x)
    assert moments.mean == pytest.approx(x.mean(axis=0), rel=1e-9, abs=1e-9)
    assert moments.covariance == pytest.approx(np.cov(x.T), rel=1e-6, abs=1e-4)


def test_one_row_has_no_spread():
    moments = stats.Moments(2)
    moments.add(np.ones((1, 2)))
    assert np.isnan(moments.covariance).all()
    assert math.isnan(moments.delta([1, 0]))


def test_block_means_take_the_error_from_the_blocks():
    # Two games of a block that always end alike carry the information of one.
    x = np.random.default_rng(1).normal(size=1000)
    mean, se = stats.block_means(np.column_stack([x, x]))
    assert mean == pytest.approx(x.mean())
    assert se == pytest.approx(x.std(ddof=1) / math.sqrt(1000))


def test_the_error_of_a_ratio_is_that_of_the_delta_method():
    rng = np.random.default_rng(2)
    moments = stats.Moments(2)
    n = 4000
    x = rng.gamma(4, size=(n, 2))
    x[:, 0] += x[:, 1]
    moments.add(x)
    value, gradient = stats.ratio_gradient(2, [0], [1], moments.mean)
    r = x[:, 0].sum() / x[:, 1].sum()
    assert value == pytest.approx(r)
    by_hand = (x[:, 0] - r * x[:, 1]).std(ddof=1) / x[:, 1].mean() / math.sqrt(n)
    assert moments.delta(gradient) == pytest.approx(by_hand, rel=1e-9)


def test_a_ratio_over_nothing_does_not_exist():
    value, _ = stats.ratio_gradient(2, [0], [1], np.array([1.0, 0.0]))
    assert math.isnan(value)


# --- quantiles -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "ranks"), [(10, (2, 9)), (20, (6, 15)), (100, (40, 61))])
def test_ranks_of_the_median_are_those_of_the_tables(n, ranks):
    assert stats.order_ranks(n) == ranks


@pytest.mark.parametrize("n", [1, 2, 5, 6, 17, 1000, 123_457])
@pytest.mark.parametrize("q", [0.05, 0.5, 0.95])
def test_ranks_follow_from_the_binomial_law(n, q):
    low, high = stats.order_ranks(n, q)
    law = scipy_stats.binom(n, q)
    assert low == 1 or law.cdf(low - 1) <= 0.025 < law.cdf(low)
    assert high == n or law.cdf(high - 1) >= 0.975 > law.cdf(high - 2)


def test_the_quantile_of_nothing_does_not_exist():
    assert all(math.isnan(x) for x in stats.quantile_interval(np.zeros((0, 2))))


def test_equal_values_have_a_sure_median():
    assert stats.quantile_interval(np.full((50, 2), 7)) == (7.0, 7.0, 7.0)


@pytest.mark.parametrize("legs", ["independent", "the same", "opposite"])
def test_the_median_of_blocks_is_covered(legs):
    rng = np.random.default_rng(3)
    hits = []
    for _ in range(2000):
        first = rng.normal(2.0, 5, 300)
        second = {"independent": rng.normal(2.0, 5, 300), "the same": first, "opposite": 4 - first}[legs]
        _, low, high = stats.quantile_interval(np.column_stack([first, second]))
        hits.append(low <= 2.0 <= high)
    # 2,000 replicates: two standard errors are 1 point. Opposite legs know the median exactly; that may cover more.
    assert np.mean(hits) >= 0.93
    assert np.mean(hits) <= 0.97 or legs == "opposite"


# --- verdicts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "se", "wording"),
    [
        (3.0, 0.5, stats.MATTERS),
        (-3.0, 0.5, stats.MATTERS),
        (1.5, 0.5, stats.UNCLEAR),
        (-0.9, 0.2, stats.UNCLEAR),
        (0.5, 0.1, stats.NEGLIGIBLE),
        (0.1, 0.2, stats.EQUIVALENT),
        (0.0, 0.59, stats.EQUIVALENT),  # the 90 % interval is inside ±1, the 95 % one is not
        (0.0, 0.62, stats.UNKNOWN),
        (0.9, 0.5, stats.UNKNOWN),
        (0.0, 0.0, stats.EQUIVALENT),
        (0.5, 0.0, stats.NEGLIGIBLE),
        (2.0, 0.0, stats.MATTERS),
    ],
)
def test_verdicts_within_a_margin_of_1(value, se, wording):
    assert stats.judge(value, se, 1000, 1.0).wording == wording


@pytest.mark.parametrize(
    ("truth", "wrong"),
    [
        (0.0, {stats.MATTERS, stats.UNCLEAR, stats.NEGLIGIBLE}),  # all say that there is an effect
        (0.5, {stats.MATTERS}),
        (1.0, {stats.EQUIVALENT, stats.NEGLIGIBLE, stats.MATTERS}),  # all say that it is not the margin itself
        (2.0, {stats.EQUIVALENT, stats.NEGLIGIBLE}),
    ],
)
@pytest.mark.parametrize("se", [0.1, 0.3, 0.5, 1.0])
def test_verdicts_are_wrong_in_five_percent_at_the_most(truth, wrong, se):
    """At the margin itself one test of 5 % or one of 2.5 % can be wrong on either side, so 7.5 % there."""
    seen = np.random.default_rng(9).normal(truth, se, 10_000)
    share = np.mean([stats.judge(value, se, 1000, 1.0).wording in wrong for value in seen])
    assert share <= (0.075 if truth == 1.0 else 0.05) + 0.006


def test_an_unknown_effect_is_decided_by_the_deals_that_were_asked_for():
    for value in (0.0, 0.3, 0.6, 0.95):
        se, n = 0.8, 400
        finding = stats.judge(value, se, n, 1.0)
        assert finding.wording == stats.UNKNOWN
        total = n + finding.more
        assert stats.judge(value, se * math.sqrt(n / total), total, 1.0).wording != stats.UNKNOWN
        assert stats.judge(value, se * math.sqrt(n / (total - 2)), total - 2, 1.0).wording == stats.UNKNOWN
        assert f"{finding.more:,} more deals" in str(finding)


def test_a_verdict_needs_two_deals():
    assert stats.judge(5.0, math.nan, 1, 1.0).wording == stats.UNKNOWN
    assert stats.judge(5.0, 0.0, 5, 1.0) == stats.Finding(stats.UNKNOWN, 1.0, 25)


# --- many tests ------------------------------------------------------------------------------------------------------


def test_benjamini_hochberg_agrees_with_statsmodels():
    p = np.random.default_rng(4).uniform(size=60) ** 2
    assert stats.benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1])


def test_benjamini_hochberg_passes_over_what_was_not_tested():
    q = stats.benjamini_hochberg([0.01, math.nan, 0.04])
    assert q[[0, 2]] == pytest.approx([0.02, 0.04])
    assert math.isnan(q[1])
    assert len(stats.benjamini_hochberg([])) == 0


def test_noise_is_shrunk_to_nothing_and_signal_is_kept():
    rng = np.random.default_rng(5)
    noise = rng.normal(0, 1, 200)
    assert stats.shrink(noise * 0.9, np.ones(200)).spread < 0.3
    signal = rng.normal(0, 50, 200)
    shrunk = stats.shrink(signal + noise, np.ones(200))
    assert shrunk.spread == pytest.approx(50, rel=0.15)
    assert shrunk.value == pytest.approx(signal + noise, rel=0.01)


def test_effects_without_an_error_are_left_alone():
    shrunk = stats.shrink([1.0, math.nan, 2.0], [0.0, 1.0, math.nan])
    assert shrunk.value[[0, 2]] == pytest.approx([1.0, 2.0])
    assert np.isnan(shrunk.se).all()


@pytest.mark.parametrize(("noise", "covered"), [(1.5, 0.915), (0.5, 0.945)])
def test_shrunk_effects_are_nearer_to_the_truth_and_their_intervals_cover_it(noise, covered):
    rng = np.random.default_rng(6)
    truth = rng.normal(0, 1, (200, 50))
    seen = truth + rng.normal(0, noise, truth.shape)
    shrunk = [stats.shrink(row, np.full(50, noise)) for row in seen]
    value, se = np.array([s.value for s in shrunk]), np.array([s.se for s in shrunk])
    assert ((value - truth) ** 2).mean() < ((seen - truth) ** 2).mean() / (1 + noise**2 / 2)
    assert (np.abs(value - truth) <= 1.96 * se).mean() == pytest.approx(covered, abs=0.01)


# --- regression ------------------------------------------------------------------------------------------------------


def clustered_data(seed=7, clusters=120, zero_sum=False):
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(clusters), rng.integers(1, 5, clusters))
    x = rng.integers(-2, 3, (len(groups), 4)).astype(float)
    if zero_sum:
        x[:, 3] = -x[:, :3].sum(axis=1)
    y = x @ [1.0, -0.5, 0.2, 0.3] + rng.normal(0, 1, clusters)[groups] + rng.normal(0, 1, len(groups))
    y = np.column_stack([y, y**2])
    xx = np.stack([x[groups == g].T @ x[groups == g] for g in range(clusters)])
    xy = np.stack([x[groups == g].T @ y[groups == g] for g in range(clusters)])
    return groups, x, y, xx, xy


def factors(x, clusters, p):
    return math.sqrt((clusters - 1) / (clusters - p) * (len(x) - p) / (len(x) - 1))


def test_clustered_regression_agrees_with_statsmodels():
    groups, x, y, xx, xy = clustered_data()
    fit = stats.clustered_ols(xx, xy)
    # Another factor for small samples: G/(G-p) instead of G/(G-1) (N-1)/(N-p).
    factor = factors(x, len(xx), 4)
    for k in range(2):
        known = sm.OLS(y[:, k], x).fit(cov_type="cluster", cov_kwds={"groups": groups})
        assert fit.coefficients[:, k] == pytest.approx(known.params)
        assert fit.se()[:, k] == pytest.approx(known.bse * factor)


def test_effects_that_sum_to_zero_are_the_same_contrasts():
    groups, x, y, xx, xy = clustered_data(zero_sum=True)
    weights = np.array([3.0, 1.0, 1.0, 2.0])
    assert stats.clustered_ols(xx, xy) is None  # without the constraint it is singular
    fit = stats.clustered_ols(xx, xy, weights)
    assert weights @ fit.coefficients == pytest.approx([0, 0], abs=1e-9)
    # Drop the last column instead: the differences between coefficients are the same, with the same errors.
    known = sm.OLS(y[:, 0], x[:, :3]).fit(cov_type="cluster", cov_kwds={"groups": groups})
    assert fit.coefficients[:3, 0] - fit.coefficients[3, 0] == pytest.approx(known.params)
    contrast = np.array([1.0, 0, 0, -1])
    assert math.sqrt(contrast @ fit.covariance[0] @ contrast) == pytest.approx(known.bse[0] * factors(x, len(xx), 3))


def test_several_sets_that_each_sum_to_the_same_number():
    """Two sets of columns whose sums are fixed, beside an intercept: the contrasts within a set are those of dropping
    a column of each.
    """
    rng = np.random.default_rng(3)
    first = np.stack([rng.permutation([1, 1, 0]) for _ in range(200)])
    second = np.stack([rng.permutation([2, 1, 0]) for _ in range(200)])
    x = np.column_stack([np.ones(200), first, second]).astype(float)
    y = x @ [5.0, 1.0, 0.0, -1.0, 0.5, 0.0, 0.0] + rng.normal(size=200)
    xx, xy = x[:, :, None] * x[:, None, :], (x * y[:, None])[:, :, None]
    weights = np.array([[0, 2.0, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1.0, 1, 3]])
    assert stats.clustered_ols(xx, xy, weights[0]) is None  # one constraint leaves the other set open
    fit = stats.clustered_ols(xx, xy, weights)
    assert weights @ fit.coefficients == pytest.approx(np.zeros((2, 1)), abs=1e-9)
    kept = [0, 1, 2, 4, 5]
    known = sm.OLS(y, x[:, kept]).fit(cov_type="HC0")
    b = fit.coefficients[:, 0]
    assert [b[1] - b[3], b[2] - b[3], b[4] - b[6], b[5] - b[6]] == pytest.approx(known.params[1:])
    contrast = np.array([0, 1.0, 0, -1, 0, 0, 0])
    se = math.sqrt(contrast @ fit.covariance[0] @ contrast)
    assert se == pytest.approx(known.bse[1] * math.sqrt(200 / 195))


def test_too_few_clusters_give_no_regression():
    _, _, _, xx, xy = clustered_data()
    assert stats.clustered_ols(xx[:4], xy[:4]) is None


def test_a_rare_column_has_few_degrees_of_freedom():
    # Two independent columns, one of which is seen in 20 of 400 clusters of one row.
    x = np.zeros((400, 2))
    x[:, 0] = np.where(np.arange(400) % 2, 1, -1)
    x[::20, 1] = np.where(np.arange(20) % 2, 1, -1)
    y = np.random.default_rng(1).normal(size=(400, 1))
    fit = stats.clustered_ols(x[:, :, None] * x[:, None, :], x[:, :, None] * y[:, None, :])
    assert fit.degrees == pytest.approx([400, 20], rel=0.02)


def test_student_has_heavier_tails():
    assert stats.t_value([10.0, 1e9]) == pytest.approx([2.2281, 1.95996], abs=1e-4)
    assert stats.two_sided_p([2.2281], [10.0]) == pytest.approx([0.05], abs=1e-5)


# --- planning and watching -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("effect", "games"), [(0.05, 785), (0.02, 4906), (0.01, 19_623), (0.005, 78_490)])
def test_games_for_an_effect_on_one_rate(effect, games):
    # The published figures round z to two places; one game in 78,490 is that.
    assert abs(stats.units_needed(effect, 0.5) - games) <= 1
    assert stats.minimal_detectable_effect(0.5, games) == pytest.approx(effect, rel=1e-3)


def test_the_detectable_effect_of_no_games_is_infinite():
    assert stats.minimal_detectable_effect(0.5, 0) == math.inf


def test_an_interval_that_is_watched_holds_at_every_look():
    rng = np.random.default_rng(8)
    planned, runs = 20_000, 400
    looks = np.arange(400, planned + 1, 400)
    anytime = plain = 0
    for _ in range(runs):
        x = rng.normal(0, 1, planned)
        mean = np.cumsum(x)[looks - 1] / looks
        anytime += bool((np.abs(mean) > stats.anytime_radius(1.0, looks, planned)).any())
        plain += bool((np.abs(mean) > stats.z_value() / np.sqrt(looks)).any())
    assert stats.clopper_pearson(anytime, runs, 0.99)[0] <= 0.05
    assert plain / runs > 0.2  # which is why the plain one must not be watched


def test_numbers_that_do_not_exist_are_null_in_json():
    estimate = stats.Estimate(1.0, math.nan, math.inf, 3, 6, "points")
    assert estimate.to_dict() == {"value": 1.0, "low": None, "high": None, "n": 3, "games": 6, "unit": "points"}


def test_a_column_that_is_always_zero_has_an_effect_of_zero_for_certain():
    rng = np.random.default_rng(5)
    y = rng.normal(size=50)
    x = np.stack([np.zeros(50), np.ones(50)], axis=1)  # a deck of equal cards: both hands hold the same
    fit = stats.clustered_ols(x[:, :, None] * x[:, None, :], (x * y[:, None])[:, :, None], [1.0, 0.0])
    assert fit is not None
    assert fit.coefficients[:, 0] == pytest.approx([0.0, y.mean()])
    assert fit.se()[0, 0] == 0
    assert np.isfinite(stats.t_value(fit.degrees)).all()


def test_a_rounding_error_is_no_effect() -> None:
    """The mean of many thirds, less a third, with an error of the same size."""
    assert stats.judge(5.6e-17, 1e-18, 1000, 0.01).wording == stats.EQUIVALENT
    assert stats.judge(-5.6e-17, 0.0, 1000, 0.01).wording == stats.EQUIVALENT


def test_quantiles_are_those_of_numpy():
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 10, 1001):
        values = rng.integers(0, 30, n).astype(np.uint16)
        for q in (0.01, 0.5, 0.95, 0.999):
            value = stats.quantile_interval(values, q)[0]
            assert value == pytest.approx(np.quantile(values, q, method="median_unbiased"))


def test_a_share_below_takes_the_blocks_in_pieces(monkeypatch):
    values = np.random.default_rng(2).integers(0, 5, (1000, 2))
    whole = stats.share_below(values, 2)
    means = ((values < 2) + (values == 2) / 2).mean(axis=1)
    assert whole == pytest.approx((means.mean(), means.std(ddof=1) / math.sqrt(1000)))
    monkeypatch.setattr(stats, "_AT_A_TIME", 300)
    assert stats.share_below(values, 2) == pytest.approx(whole)
