import math

import numpy as np
import pytest

from analysis import sequential, stats
from analysis.sequential import MarginSequence, Sprt, State, next_look
from simcore.errors import InputError

LOOKS = np.arange(256, 20_001, 256)


@pytest.mark.parametrize(
    ("counts", "elo", "expected"),
    [
        ((365, 16618, 36229, 16974, 390), (0.0, 2.0), 2.25),
        ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), 3.01),
    ],
)
def test_normalised_elo_vectors(counts, elo, expected):
    t0, t1 = (sequential.normalised(e) for e in elo)
    assert round(sequential.normalised_llr(*sequential.pentanomial(counts), t0, t1), 2) == expected


def test_logistic_elo_vector():
    n, mean, variance = sequential.pentanomial((223, 9863, 21279, 10037, 246))
    s0, s1 = (sequential.elo_share(e) for e in (0.5, 2.5))
    assert round(sequential.mean_llr(n, mean, variance, s0, s1), 2) == -3.07


def test_an_empty_cell_counts_a_thousandth():
    n, mean, variance = sequential.pentanomial((0, 0, 100, 0, 0))
    assert n == pytest.approx(100.004)
    assert mean == pytest.approx(0.5)
    assert 0 < variance < 1e-4


def test_bounds_of_wald():
    assert sequential.bounds(0.05, 0.05) == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert sequential.bounds(0.01, 0.10) == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


@pytest.mark.parametrize(("mean", "expected"), [(0.0, State.H0), (0.2, State.H1), (0.05, State.RUNNING)])
def test_sprt_decides_by_its_bounds(mean, expected):
    assert Sprt(10_000, s0=0.0, s1=0.1).look(2000, mean, 1.0) is expected


def test_no_look_counts_before_the_first():
    test = Sprt(10_000, s0=0.0, s1=1.0)
    assert test.look(255, 1.0, 0.01) is State.RUNNING
    assert test.look(256, 1.0, 0.01) is State.H1


@pytest.mark.parametrize("test", [Sprt(1000, s0=0.0, s1=0.1), MarginSequence(1000, margin=0.1)])
def test_budget_without_an_answer_is_undecided(test):
    assert test.look(999, 0.05, 1.0) is State.RUNNING
    assert test.look(1000, 0.05, 1.0) is State.UNDECIDED
    assert test.look(1_000_000, 9.0, 1.0) is State.UNDECIDED
    assert test.stop() is State.UNDECIDED


@pytest.mark.parametrize("test", [Sprt(1000, s0=0.0, s1=0.1), MarginSequence(1000, margin=0.1)])
def test_stopped_by_the_user_is_no_verdict(test):
    assert test.stop() is State.STOPPED
    assert test.look(999, 9.0, 1.0) is State.STOPPED
    if isinstance(test, MarginSequence):
        assert test.wording == stats.UNKNOWN


def test_what_is_decided_stays_decided():
    test = MarginSequence(10_000, margin=0.1)
    assert test.look(2000, 1.0, 1.0) is State.H1
    assert test.stop() is State.H1
    assert test.look(3000, 0.0, 1.0) is State.H1


def test_looks_go_forward_and_budgets_reach_the_first_one():
    test = MarginSequence(10_000)
    test.look(500, 0.0, 1.0)
    with pytest.raises(ValueError, match="fewer blocks"):
        test.look(400, 0.0, 1.0)
    with pytest.raises(InputError, match="255 deals is too small"):
        MarginSequence(255)


@pytest.mark.parametrize(
    ("mean", "state", "wording"),
    [
        (0.0, State.H0, stats.EQUIVALENT),
        (0.05, State.H0, stats.NEGLIGIBLE),
        (-0.3, State.H1, stats.MATTERS),
        (0.1, State.RUNNING, stats.UNKNOWN),
    ],
)
def test_margin_wordings(mean, state, wording):
    test = MarginSequence(100_000, margin=0.1)
    assert test.look(50_000, mean, 1.0) is state
    assert test.wording == wording
    half = float(stats.anytime_radius(1.0, 50_000, 6250))
    assert test.interval == pytest.approx((mean - half, mean + half))


def test_what_has_not_shown_yet_is_not_impossible():
    # No deal of 256 differs: a difference in 1 % of the deals would show nothing so far once in 13 times.
    assert MarginSequence(100_000, margin=0.01, rare=1.0, planned=256).look(256, 0.0, 0.0) is State.RUNNING
    assert MarginSequence(100_000, margin=0.01, rare=1.0, planned=256).look(1024, 0.0, 0.0) is State.H0


def test_looks_grow_up_to_the_budget():
    assert next_look(0, 10_000) == 256
    assert next_look(1000, 10_000) == 1250
    assert next_look(9999, 10_000) == 10_000


def simulated(mean: float, runs: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Running means and variances (runs, looks) of differences of win shares: mostly 0, else a half or a whole one."""
    rng = np.random.default_rng(seed)
    p = np.array([0.01, 0.09, 0.8, 0.09, 0.01])
    values = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
    p = p + np.array([0, -mean, 0, mean, 0])
    counts = rng.multinomial(256, p, (runs, len(LOOKS))).cumsum(axis=1)
    means = counts @ values / LOOKS
    return means, counts @ values**2 / LOOKS - means**2


def final(make, means, variances):
    """The state in which each run ends."""
    found = []
    for mean, variance in zip(means.tolist(), variances.tolist(), strict=True):
        test = make()
        for look in zip(LOOKS.tolist(), mean, variance, strict=True):
            if test.look(*look).final:
                break
        found.append(test.state)
    return found


def not_more_than_five_percent(wrong: int, runs: int) -> bool:
    return stats.clopper_pearson(wrong, runs, 0.99)[0] <= 0.05


@pytest.mark.parametrize(("mean", "wrong"), [(0.0, State.H1), (0.02, State.H0)])
def test_error_rates_of_the_sprt(mean, wrong):
    ends = final(lambda: Sprt(int(LOOKS[-1]), s0=0.0, s1=0.02), *simulated(mean, 2000, 1))
    assert not_more_than_five_percent(ends.count(wrong), 2000)
    right = State.H0 if wrong is State.H1 else State.H1
    assert ends.count(right) >= 0.9 * 2000


@pytest.mark.parametrize("mean", [0.0, 0.01, 0.02, 0.03])
def test_error_rates_of_the_margin(mean):
    # At the margin itself (0.02) either answer is wrong; away from it one of them.
    ends = final(lambda: MarginSequence(int(LOOKS[-1]), margin=0.02, rare=1.0), *simulated(mean, 2000, 2))
    wrong = {0.0: [State.H1], 0.01: [State.H1], 0.02: [State.H0, State.H1], 0.03: [State.H0]}[mean]
    assert not_more_than_five_percent(sum(ends.count(state) for state in wrong), 2000)
    if mean == 0.0:
        assert ends.count(State.H0) >= 0.99 * 2000
