"""How many games an effect needs: published figures, deals made by hand, and whether planned tests keep their word."""

import math
import re

import numpy as np
import pytest

from analysis import stats
from analysis.blocks import line_ups
from analysis.planning import (
    CARD,
    FIRST,
    LEAD,
    SCORE,
    SHARE,
    STRATEGY,
    Question,
    Wish,
    changed,
    game_values,
    measured,
    need,
    planning,
)
from analysis.planning_verdicts import sentences
from tests.analysis.fake_run import FakeBot, FakeRun, write

WISH = Wish({SHARE: 0.01, "points": 1.0}, 0.8, 20_000)


@pytest.fixture(scope="module")
def arms(tmp_path_factory):
    """Going first is worth 3 points, in the second arm 5; the second bot repeats itself in both games of a deal."""
    bots = (FakeBot("weak", "random"), FakeBot("strong", "expert", 9.0, deterministic=True))
    found = []
    for first_points in (3.0, 5.0):
        fake = FakeRun(blocks=1500, bots=bots, first_points=first_points)
        found.append(write(tmp_path_factory.mktemp("pilot"), fake))
    return found


def asked(sd, unit=SHARE, confidence=0.95, arms=1, apart=None):
    return Question("a against itself", FIRST, "it", unit, sd, 0.9 * sd, 1.1 * sd, apart, 1, arms, confidence)


@pytest.mark.parametrize(("effect", "games"), [(0.05, 785), (0.02, 4906), (0.01, 19_623), (0.005, 78_490)])
def test_one_rate_against_a_half_without_pairing(effect, games):
    found = need(asked(0.5, apart=0.5), Wish({SHARE: effect}, 0.8), 1, 1.0)
    assert found.games == found.unpaired == pytest.approx(games, abs=1)  # the figures round z to two places
    assert found.saved == 1


def test_a_pilot_tells_those_figures_too(arms):
    told = dict(planning(arms[:1], 1.0, 1, WISH).plain)
    assert told == pytest.approx({0.05: 785, 0.02: 4906, 0.01: 19_623, 0.005: 78_490}, abs=1)


def test_what_is_needed_and_what_can_be_detected_are_each_others_inverse():
    found = need(asked(0.4, apart=0.6), Wish({SHARE: 0.02}, 0.9, 2 * 1000), 2, 100.0)
    z = 1.959964 + 1.281552
    assert found.games == 2 * math.ceil((z * 0.4 / 0.02) ** 2)
    assert found.games_low == 2 * math.ceil((z * 0.36 / 0.02) ** 2)
    assert found.games_high == 2 * math.ceil((z * 0.44 / 0.02) ** 2)
    assert found.seconds == pytest.approx(found.games / 100)
    assert found.detectable == pytest.approx(z * 0.4 / math.sqrt(1000), rel=1e-6)
    again = need(asked(0.4), Wish({SHARE: found.detectable}, 0.9), 2, 100.0)
    assert again.games == pytest.approx(2000, abs=2)


def test_few_deals_are_never_enough_and_what_never_varied_tells_nothing():
    assert need(asked(0.001), WISH, 2, 1.0).games == 2 * stats.FEWEST
    nothing = need(asked(0.0), WISH, 2, 1.0)
    assert (nothing.games, nothing.seconds, nothing.saved, nothing.detectable) == (None, None, None, None)


def test_two_card_sets_take_twice_the_time_and_a_card_among_many_more_games():
    one, two = (need(asked(0.4, arms=k), WISH, 2, 100.0) for k in (1, 2))
    assert two.seconds == pytest.approx(2 * one.seconds)
    assert need(asked(0.4, confidence=1 - 0.05 / 50), WISH, 2, 1.0).games > 1.5 * one.games


def test_the_spread_is_that_of_deals_and_of_single_games():
    values = np.array([[0, 1], [1, 0], [1, 1], [0, 0], [1, 0], [0, 1]], dtype=float)
    found = measured("a", FIRST, "it", SHARE, values)
    assert found.sd == pytest.approx(np.std([0.5, 0.5, 1, 0, 0.5, 0.5], ddof=1))
    assert found.apart_sd == pytest.approx(0.5)
    assert found.sd_low < found.sd < found.sd_high
    # A deal whose two games mirror each other leaves no chance at all.
    assert measured("a", FIRST, "it", SHARE, values[:2]).sd == 0


def test_the_same_deals_cancel_between_two_card_sets():
    rng = np.random.default_rng(1)
    luck = rng.normal(0, 10, (4000, 1))
    old, new = (luck + rng.normal(0, 1, (4000, 2)) for _ in range(2))
    found = changed("a", SCORE, "it", "points", old, new)
    assert found.sd == pytest.approx(1, rel=0.05)
    assert found.apart_sd == pytest.approx(math.sqrt(2 * (100 + 0.5)), rel=0.05)
    assert need(found, Wish({"points": 0.1}, 0.8), 2, 1.0).saved > 150
    assert changed("a", SCORE, "it", "points", old, old).sd == 0


def test_values_of_games_are_those_of_the_log(arms):
    values = game_values(arms[0], line_up(arms[0], 2))
    seats = arms[0].scan("seats", 2).collect()
    assert values[SCORE].shape == (1500, 2)
    first = seats.filter(order=0)
    assert values[FIRST].ravel().tolist() == first["win_share"].to_list()
    assert values[SCORE].mean() == pytest.approx(seats["score"].mean())
    of_other = game_values(arms[0], line_up(arms[0], 1))
    weak = arms[0].scan("seats", 1).collect().filter(bot=0)
    assert of_other[STRATEGY].ravel().tolist() == weak["win_share"].to_list()


def line_up(run, index):
    return line_ups(run.manifest)[index]


def test_three_seats(three_seats):
    of_field = game_values(three_seats, line_up(three_seats, 1))
    seats = three_seats.scan("seats", 1).collect().filter(bot=1)
    assert of_field[STRATEGY].ravel().tolist() == pytest.approx(seats["win_share"].to_list())
    found = planning([three_seats], 10.0, 1, WISH)
    assert {need.question.topic for need in found.needs} >= {FIRST, LEAD, SCORE, STRATEGY, CARD}
    assert all(need.games is None or need.games % 3 == 0 for need in found.needs)


def test_a_pilot_asks_every_line_up_and_a_pair_of_pilots_the_change(arms):
    one, two = planning(arms[:1], 1000.0, 2, WISH), planning(arms, 1000.0, 2, WISH)
    assert len(two.needs) == len(one.needs) + 3 + 2 + 3
    assert {need.question.arms for need in two.needs} == {1, 2}
    assert one.needs == two.needs[: len(one.needs)]
    repeated = [n for n in one.needs if n.question.line_up == "strong against itself" and n.question.topic == SCORE]
    assert repeated[0].saved == pytest.approx(0.5, abs=0.01)  # it plays each deal twice the same
    changes = [n for n in two.needs if n.question.arms == 2 and n.games is not None]
    assert all(need.saved is not None and need.saved > 1.5 for need in changes)
    told = sentences(two)
    assert told[0].startswith("Change of the win share of the first in turn order, ")
    assert re.search(r"[\d,]+ games a line-up and card set \([\d,]+ deals\); on different deals", told[0])
    assert any("of 50" in text and "opening hand" in text for text in told)


def test_without_cards_a_sentence_says_so(tmp_path):
    run = write(tmp_path / "run", FakeRun(blocks=200, log="games"))
    found = planning([run], 1.0, 1, Wish({"points": 1.0}, 0.8))
    assert found.notes == ("No games are told for a card in the opening hand. Its cards are not logged.",)
    assert {need.question.unit for need in found.needs} == {"points"}


# --- are the numbers kept? -------------------------------------------------------------------------------------------


def shares(rng, deals, shift, heavy=0.0):
    """Win shares (replicates, deals) of two games a deal that hang together; some deals are decided by luck alone."""
    luck = rng.normal(0, 1, (*deals, 1))
    won = luck + rng.normal(0, 1, (*deals, 2)) > -shift
    values = won.mean(axis=-1)
    return np.where(rng.random(deals) < heavy, 0.5, values)


@pytest.mark.parametrize("heavy", [0.0, 0.8])
def test_the_interval_of_the_spread_covers_it(heavy):
    rng = np.random.default_rng(2)
    truth = shares(rng, (1, 2_000_000), 0.0, heavy).std()
    inside = 0
    for values in shares(rng, (2000, 400), 0.0, heavy):
        low, high = stats.sd_interval(float(values.std(ddof=1)), stats.variance_degrees(values))
        inside += low <= truth <= high
    assert 0.93 <= inside / 2000 <= 0.97


def test_of_normal_values_the_interval_is_the_classical_one():
    low, high = stats.sd_interval(2.0, 19)
    assert (low, high) == pytest.approx((2 * math.sqrt(19 / 32.852), 2 * math.sqrt(19 / 8.907)), rel=1e-3)
    values = np.random.default_rng(3).normal(0, 1, 100_000)
    assert stats.variance_degrees(values) == pytest.approx(99_999, rel=0.05)


def test_planned_games_find_the_effect_with_the_power_and_nothing_with_5_percent():
    rng = np.random.default_rng(4)
    shift = 0.15
    effect = shares(rng, (1, 2_000_000), shift).mean() - 0.5
    pilot = measured("a", FIRST, "it", SHARE, shares(rng, (2000, 1), 0.0))
    deals = need(pilot, Wish({SHARE: effect}, 0.9), 1, 1.0).games
    for planted, least, most in ((shift, 0.88, 0.92), (0.0, 0.04, 0.06)):
        values = shares(rng, (4000, deals), planted) - 0.5
        t = values.mean(axis=1) / (values.std(axis=1, ddof=1) / math.sqrt(deals))
        assert least <= (np.abs(t) > stats.z_value()).mean() <= most


def test_the_difference_of_independent_estimates():
    def e(value, low, high):
        return stats.Estimate(value, low, high, 100, 100, "points")

    low, high = stats.difference_interval(e(1, 0.7, 1.3), e(3, 2.6, 3.4))
    assert (low, high) == pytest.approx((1.5, 2.5))
    # Lopsided: the lower end depends on the new one's low and the old one's high.
    assert stats.difference_interval(e(1, 1, 1.3), e(3, 2.6, 3.0)) == pytest.approx((1.5, 2.0))
    # Rare shares keep about their confidence.
    rng, hits = np.random.default_rng(5), 0
    for x, y in zip(rng.binomial(1000, 0.004, 2000), rng.binomial(1000, 0.01, 2000), strict=True):
        old, new = (e(k / 1000, *stats.clopper_pearson(k, 1000)) for k in (x, y))
        low, high = stats.difference_interval(old, new)
        hits += low <= 0.006 <= high
    assert hits / 2000 >= 0.945
