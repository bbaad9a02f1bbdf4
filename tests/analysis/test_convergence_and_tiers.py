import math

import numpy as np
import pytest

from analysis import stats, tiers
from analysis.convergence import FIRST_LOOK, POINTS, running
from analysis.stats import Estimate


def test_the_running_mean_ends_in_the_mean():
    x = np.random.default_rng(1).normal(0.1, 1, 5000)
    table = running(x, 2)
    last = table.row(-1, named=True)
    assert len(table) <= POINTS
    assert (table["blocks"][0], last["blocks"], last["games"]) == (FIRST_LOOK, 5000, 10_000)
    assert last["value"] == pytest.approx(x.mean())
    assert (last["high"] - last["low"]) / 2 == pytest.approx(1.96 * x.std(ddof=1) / math.sqrt(5000), rel=1e-4)
    row = table.row(len(table) // 2, named=True)
    assert row["value"] == pytest.approx(x[: row["blocks"]].mean())


def test_the_band_that_may_be_watched_is_wider():
    table = running(np.random.default_rng(2).normal(size=4000), 2)
    assert (table["anytime_low"] < table["low"]).all()
    assert (table["anytime_high"] > table["high"]).all()


def test_the_band_holds_at_all_looks():
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(300):
        table = running(rng.normal(0, 2, 3000), 2)
        wrong += bool(((table["anytime_low"] > 0) | (table["anytime_high"] < 0)).any())
    assert stats.clopper_pearson(wrong, 300, 0.99)[0] <= 0.05


@pytest.mark.parametrize(("n", "rows"), [(0, 0), (1, 0), (2, 1), (100, 1), (256, 1)])
def test_short_runs_have_one_row_or_none(n, rows):
    assert len(running(np.arange(n, dtype=float), 2)) == rows


def estimate(value, se=0.1):
    return Estimate(value, value - 1.96 * se, value + 1.96 * se, 100, 200, "points", se)


@pytest.mark.parametrize(
    ("values", "margin", "label"),
    [
        ([1.0], 0.5, tiers.ONE_TIER),
        ([1.0, math.nan], 0.5, tiers.ONE_TIER),
        ([1.0, 1.1], 0.5, tiers.STABLE),
        ([1.0, 1.4], 0.5, tiers.STABLE),  # a sure change, but inside the margin
        ([1.0, 3.0], 0.5, tiers.GROWS),
        ([-1.0, -3.0], 0.5, tiers.GROWS),  # its size grows
        ([3.0, 2.0, 1.0], 0.5, tiers.SHRINKS),
        ([1.0, 0.0, -1.0], 0.5, tiers.FLIPS),
        ([-1.0, 1.0], 5.0, tiers.FLIPS),
        ([143.0, 47.0], None, tiers.SHRINKS),
        ([50.0, 51.0], None, tiers.STABLE),  # two per cent
    ],
)
def test_labels(values, margin, label):
    assert tiers.label([estimate(v) for v in values], margin) == label


def test_equal_tiers_are_seldom_said_to_differ():
    rng = np.random.default_rng(4)
    for truth in (0.0, 3.0):
        labels = [tiers.label([estimate(value) for value in rng.normal(truth, 0.1, 3)], 0.0) for _ in range(2000)]
        wrong = sum(label != tiers.STABLE for label in labels)
        assert stats.clopper_pearson(wrong, 2000, 0.99)[0] <= 0.05


def test_a_number_that_is_no_effect_cannot_flip():
    assert tiers.label([estimate(-35.0), estimate(30.0)], 1.0, effect=False) == tiers.GROWS
    assert tiers.label([estimate(-5.0), estimate(-30.0)], 1.0, effect=False) == tiers.SHRINKS


def test_what_is_not_sure_is_called_stable():
    assert tiers.label([estimate(0.0, 2.0), estimate(3.0, 2.0)], 0.5) == tiers.STABLE


def test_a_share_of_which_nothing_was_seen_is_not_known_for_sure():
    seen, none = (
        Estimate(0.023, 0.016, 0.033, 600, 1200, "share", 0.004),
        Estimate(0.0, 0.0, 0.05, 60, 120, "share", 0.0),
    )
    assert tiers.label([seen, none], 0.01, effect=False) == tiers.STABLE
    surely_none = Estimate(0.0, 0.0, 0.0005, 6000, 12_000, "share", 0.0)
    assert tiers.label([seen, surely_none], 0.01, effect=False) == tiers.SHRINKS
