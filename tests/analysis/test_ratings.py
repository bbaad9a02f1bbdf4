"""Ratings: known answers, planted strengths, ties, turn order, several seats, and what cannot be rated."""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from analysis import ratings
from analysis.ratings import ELO, Results, join, rate
from simcore.errors import InputError
from tests.analysis.fake_games import FakeGames, pairings, play

# Wins of the row against the column: American League, Eastern Division, 1987 (Agresti, Categorical Data Analysis).
BASEBALL = {
    "Milwaukee": (0, 7, 9, 7, 7, 9, 11),
    "Detroit": (6, 0, 7, 5, 11, 9, 9),
    "Toronto": (4, 6, 0, 7, 7, 8, 12),
    "New York": (6, 8, 6, 0, 6, 7, 10),
    "Boston": (6, 2, 6, 7, 0, 7, 12),
    "Cleveland": (4, 4, 5, 6, 6, 0, 6),
    "Baltimore": (2, 4, 1, 3, 1, 7, 0),
}
PUBLISHED = {
    "Milwaukee": 1.581,
    "Detroit": 1.436,
    "Toronto": 1.294,
    "New York": 1.248,
    "Boston": 1.108,
    "Cleveland": 0.684,
}


def games(names, rows):
    """Results from rows (first bot, second bot, …, ranks)."""
    table = np.array(rows)
    seats = table.shape[1] // 2
    return Results.of_games(tuple(names), table[:, :seats], table[:, seats:], np.arange(len(rows)))


def baseball():
    rows = []
    for i, wins in enumerate(BASEBALL.values()):
        for j, count in enumerate(wins):
            # Every result once at home and once away, so that there is no term for going first.
            rows += [(i, j, 1, 2), (j, i, 2, 1)] * count
    return games(BASEBALL, rows)


def test_the_published_baseball_ratings_come_out():
    found = rate(baseball(), ["Baltimore"])
    assert found.anchor == "Baltimore"
    for team, value in PUBLISHED.items():
        assert found.of(team).estimate.value / ELO == pytest.approx(value, abs=0.004)
    assert found.of("Baltimore").estimate.value == 0
    assert found.first.value == pytest.approx(0)
    assert [rating.name for rating in found.bots] == list(BASEBALL)


def dummies(results, anchor):
    """(games, bots but the anchor): the first bot's less the second's."""
    others = [bot for bot in range(len(results.names)) if bot != anchor]
    return np.stack([(results.bots[:, 0] == b).astype(float) - (results.bots[:, 1] == b) for b in others], axis=1)


def test_without_ties_it_is_the_logit_regression_of_statsmodels_with_errors_by_deal():
    import statsmodels.api as sm

    made = play(FakeGames((0, 150, -80), places=(50,), deals=150), 3)
    x = np.column_stack([dummies(made, 0), np.ones(len(made.deals))])
    won = (made.ranks[:, 0] == 1).astype(float)
    model = sm.GLM(won, x, family=sm.families.Binomial())
    wanted = model.fit(cov_type="cluster", cov_kwds={"groups": made.deals, "use_correction": False})
    found = rate(made, ["bot0"])
    correction = math.sqrt(150 / (150 - 3))
    for i, name in enumerate(("bot1", "bot2")):
        e = found.of(name).estimate
        assert e.value == pytest.approx(ELO * wanted.params[i], rel=1e-6)
        assert e.se == pytest.approx(ELO * wanted.bse[i] * correction, rel=1e-6)
        assert (e.n, e.games) == (150, 600)
    assert found.first.value == pytest.approx(ELO * wanted.params[2], rel=1e-6)
    assert found.first.se == pytest.approx(ELO * wanted.bse[2] * correction, rel=1e-6)
    assert found.ties is None


def test_with_ties_it_is_the_log_linear_model_of_statsmodels():
    """Davidson's model is a Poisson regression of the counts, with a mean of its own for each pair and order (Fienberg
    and Larntz 1976).
    """
    import statsmodels.api as sm

    made = play(FakeGames((0, 150, -80), places=(50,), ties=0.4, deals=300), 4)
    rows, counts = [], []
    for number, (i, j) in enumerate(itertools.permutations(range(3), 2)):
        here = (made.bots == (i, j)).all(axis=1)
        first, second = made.ranks[here].T
        strength = np.zeros((2, 3))
        strength[0, i] = strength[1, j] = 1
        cell = np.eye(6)[number]
        for result, weight, going, tie in ((first < second, (1, 0), 1, 0), (first > second, (0, 1), 0, 0),
                                           (first == second, (0.5, 0.5), 0.5, 1)):  # fmt: skip
            rows.append([*(np.array(weight) @ strength)[1:], going, tie, *cell])
            counts.append(result.sum())
    wanted = sm.GLM(np.array(counts), np.array(rows), family=sm.families.Poisson()).fit().params
    found = rate(made, ["bot0"])
    assert found.of("bot1").estimate.value == pytest.approx(ELO * wanted[0], rel=1e-5)
    assert found.of("bot2").estimate.value == pytest.approx(ELO * wanted[1], rel=1e-5)
    assert found.first.value == pytest.approx(ELO * wanted[2], rel=1e-5)
    nu = math.exp(wanted[3])
    assert found.ties is not None
    assert found.ties.value == pytest.approx(nu / (2 + nu), rel=1e-5)


def test_more_seats_are_the_stratified_cox_regression_of_statsmodels():
    """A ranking of Plackett and Luce is a stratum of Cox's regression in which the best is the first to go."""
    from statsmodels.duration.hazard_regression import PHReg

    made = play(FakeGames((0, 150, -80), seats=3, places=(50, -20), deals=40), 5)
    seats = made.bots.size
    x = np.column_stack([
        (made.bots == 1).ravel(), (made.bots == 2).ravel(), np.tile([1, 0, 0], len(made.deals)),
        np.tile([0, 1, 0], len(made.deals)),
    ]).astype(float)  # fmt: skip
    model = PHReg(made.ranks.ravel(), x, status=np.ones(seats), strata=np.repeat(np.arange(len(made.deals)), 3))
    wanted = model.fit().params * ELO
    found = rate(made, ["bot0"])
    assert found.of("bot1").estimate.value == pytest.approx(wanted[0], rel=1e-4)
    assert found.of("bot2").estimate.value == pytest.approx(wanted[1], rel=1e-4)
    places = np.array([wanted[2], wanted[3], 0.0])
    assert [order.value for order in found.orders] == pytest.approx(list(places - places.mean()), rel=1e-3)
    assert found.first.value == pytest.approx(places[0] - places[1:].mean(), rel=1e-3)


@pytest.mark.parametrize("ranks", [(1, 1, 1, 1), (1, 2, 2, 4), (1, 1, 3, 3), (1, 1, 1, 4), (3, 1, 1, 3), (1, 2, 3, 4)])
def test_a_shared_place_is_the_mean_over_all_orders(ranks):
    eta = np.array([0.3, -0.9, 1.4, 0.1])
    orders = [
        order
        for order in itertools.permutations(range(4))
        if all(ranks[a] <= ranks[b] for a, b in itertools.pairwise(order))
    ]
    wanted = np.mean([
        sum(eta[order[k]] - np.log(np.exp(eta[list(order[k:])]).sum()) for k in range(4)) for order in orders
    ])  # fmt: skip
    found = 0.0
    for open_, chosen in ratings._stages(ranks):
        found += float(chosen @ eta - chosen.sum() * np.log(np.exp(eta[open_]).sum()))
    assert found == pytest.approx(wanted)


CASES = {
    "ties and turn order": (FakeGames((0, 120, 200, -300), places=(60,), ties=0.3, deals=150), 300),
    "one bot with few games": (FakeGames((0, 120, 200), places=(60,), deals=400, few=(2, 100)), 250),
    "three seats": (FakeGames((0, 120, -100), seats=3, places=(60, 20), deals=60), 150),
    "four seats": (FakeGames((0, 150), seats=4, places=(60, 20, 0), deals=60), 250),
}


@pytest.mark.parametrize("case", CASES)
def test_intervals_cover_the_truth(case):
    # The long version is benchmarks/studies/ratings.py.
    fake, replicates = CASES[case]
    hits = [covered(fake, seed) for seed in range(replicates)]
    assert 0.93 <= np.mean(hits) <= 0.97


def covered(fake, seed):
    """Of each planted number, whether its interval holds it."""
    found = rate(play(fake, seed), ["bot0"])
    pairs = [(found.of(f"bot{i}").estimate, value) for i, value in enumerate(fake.elo) if i]
    pairs.append((found.first, fake.places[0] - sum(fake.places[1:]) / (fake.seats - 1)))
    if found.ties:
        pairs.append((found.ties, fake.ties / (2 + fake.ties)))
    return [e.low <= value <= e.high for e, value in pairs]


def test_errors_know_that_games_of_a_deal_hang_together():
    """With all luck in the deal more deals are worth more than more games of one."""
    shared = rate(play(FakeGames((0, 100), luck=1.0, deals=200), 6)).first
    own = rate(play(FakeGames((0, 100), luck=0.0, deals=200), 6)).first
    assert shared.se != pytest.approx(own.se, rel=0.1)


def test_places_are_sets():
    fake = FakeGames((0, 5, 200, 210, -300), deals=200)
    found = rate(play(fake, 7), ["bot0"])
    places = {rating.name: rating.places for rating in found.bots}
    assert places["bot4"] == (5, 5)
    assert places["bot2"] == places["bot3"] == (1, 2)
    assert places["bot0"] == places["bot1"] == (3, 4)
    assert ("bot2", "bot4") in found.above
    assert ("bot3", "bot2") not in found.above


def test_places_hold_together():
    """Of equal bots, nobody is said to be above anybody in 95 % of the round robins."""
    equal = FakeGames((0, 0, 0, 0), deals=80)
    wrong = sum(bool(rate(play(equal, seed)).above) for seed in range(200))
    assert wrong / 200 <= 0.08


@pytest.mark.parametrize("seats", [2, 3])
def test_a_clone_changes_nothing_for_the_rest(seats):
    fake = FakeGames((0, 150, -80), seats=seats, places=(40,), deals=300)
    alone = rate(play(fake, 8), ["bot0"])
    with_clone = rate(play(dataclasses.replace(fake, elo=(0, 150, -80, 150)), 8), ["bot0"])
    for name in ("bot1", "bot2"):
        before, after = alone.of(name).estimate, with_clone.of(name).estimate
        assert abs(after.value - before.value) < 2 * before.se
    twin, clone = with_clone.of("bot1"), with_clone.of("bot3")
    assert abs(twin.estimate.value - clone.estimate.value) < 3 * twin.estimate.se
    assert twin.places == clone.places == (1, 2)


def test_bots_that_never_met_are_refused():
    first, second = (play(FakeGames((0, 50, 0, 50), deals=20), 9, [line_up]) for line_up in ((0, 1), (2, 3)))
    with pytest.raises(InputError, match=r"groups that never met: bot0, bot1; bot2, bot3\. Let bots of different"):
        rate(join([first, second]))


def test_bots_of_which_only_a_third_one_knows_are_refused():
    rows = [(1, 2, 1, 2), (1, 2, 2, 1)] + [(0, 1, 1, 2)] * 9 + [(0, 3, 1, 2)] * 9
    with pytest.raises(InputError, match=r"d cannot be rated on one scale with b, c: .*no chain of results"):
        rate(games("abcd", rows))


def test_who_lost_all_to_the_only_rated_one_is_below_it():
    found = rate(games("abc", [(0, 1, 1, 2)] * 9 + [(0, 2, 1, 2)] * 9), ["a"])
    assert [rating.places for rating in found.bots] == [(1, 1), (2, 3), (2, 3)]


def test_one_bot_alone_is_refused():
    mirror = play(FakeGames((0, 0), deals=5), 1, [(0, 0)])
    with pytest.raises(InputError, match="no two of them"):
        rate(mirror)


def test_games_of_a_bot_against_itself_do_not_count():
    fake = FakeGames((0, 150, -80), deals=50)
    pairs = pairings(3, 2)
    assert rate(play(fake, 8, [*pairs, (0, 0), (1, 1)])).bots == rate(play(fake, 8, pairs)).bots


def test_where_going_first_decides_all_it_has_no_worth_and_nobody_is_above():
    found = rate(games("ab", [(0, 1, 1, 2), (1, 0, 1, 2)] * 20))
    assert math.isnan(found.first.value)
    assert all(math.isnan(order.value) for order in found.orders)
    assert found.of("b").estimate.value == pytest.approx(0)
    assert found.above == ()
    once = rate(games("ab", [(0, 1, 1, 2), (1, 0, 2, 1)] * 20 + [(1, 0, 1, 2)]), ["a"])
    assert once.of("b").estimate.value == pytest.approx(400 * math.log10(1 / 40))


def test_who_lost_or_won_everything_has_a_bound_on_one_side():
    made = play(FakeGames((0, 100, -6000, 6000), deals=200, places=(30,)), 10)
    found = rate(made, ["bot0"])
    assert [(rating.name, rating.status) for rating in found.bots] == [
        ("bot3", ratings.WON_ALL), ("bot1", ratings.RATED), ("bot0", ratings.RATED), ("bot2", ratings.LOST_ALL),
    ]  # fmt: skip
    bottom, top = found.of("bot2"), found.of("bot3")
    assert math.isnan(bottom.estimate.value)
    assert bottom.estimate.low == -math.inf
    # At most 1.8 % of 200 deals, (1 - s)^200 = 0.025: odds of 1 to 53.7, below the anchor.
    assert bottom.estimate.high == pytest.approx(-400 * math.log10(1 / (1 - 0.025 ** (1 / 200)) - 1))
    assert bottom.estimate.n == 200
    assert top.estimate.high == math.inf
    assert top.estimate.low > found.of("bot1").estimate.low + 600
    assert (top.places, bottom.places) == ((1, 1), (4, 4))
    assert found.of("bot1").ahead is not None
    assert found.of("bot0").ahead is None


def test_the_bound_holds_where_the_truth_is_near_it():
    """Of bots so weak that many lose everything, at most 5 % of those who do are above their bound."""
    fake = FakeGames((0, -700), deals=50)
    lost = [
        found
        for seed in range(300)
        if (found := rate(play(fake, seed), ["bot0"])).of("bot1").status == ratings.LOST_ALL
    ]
    assert len(lost) > 30
    assert sum(found.of("bot1").estimate.high < -700 for found in lost) <= 0.05 * 300


def test_two_bots_of_which_one_always_wins():
    found = rate(games("ab", [(0, 1, 1, 2), (1, 0, 2, 1)] * 20))
    assert found.bots[0].name == "a"
    assert found.above == (("a", "b"),)
    assert math.isnan(found.first.value)
    few = rate(games("ab", [(0, 1, 1, 2)] * 3))
    assert few.above == (), "three deals are no proof"
    assert few.bots[0].places == (1, 2)


def test_predictions_are_the_shares_of_the_model():
    made = play(FakeGames((0, 150, -80), places=(50,), ties=0.3, deals=2000), 11)
    found = rate(made, ["bot0"])
    for i, j in pairings(3, 2):
        table = (f"bot{i}", f"bot{j}")
        both = ((made.bots == (i, j)) | (made.bots == (j, i))).all(axis=1)
        own = made.bots[both] == i
        share = np.where(made.ranks[both][:, 0] == made.ranks[both][:, 1], 0.5, made.ranks[both].T[0] == 1)
        seen = np.where(own[:, 0], share, 1 - share).mean()
        predicted = found.predicted(table, table[0])
        assert predicted == pytest.approx(seen, abs=0.02)
        assert predicted + found.predicted(table, table[1]) == pytest.approx(1)
    assert found.predicted(("bot0", "nobody"), "bot0") is None


def test_several_seats_predict_shares_that_sum_to_one():
    found = rate(play(FakeGames((0, 150), seats=3, places=(50, 10), deals=80, round_to=0.5), 12), ["bot0"])
    for table in {p.table for p in found.predictions}:
        assert sum(found.predicted(table, bot) for bot in table) == pytest.approx(1)
