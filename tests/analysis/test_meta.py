"""The game of choosing a bot: known games, planted ones, none, clones, and the results behind it."""

import numpy as np
import polars as pl
import pytest

from analysis import stats
from analysis.meta import (
    ALPHAS,
    alpha_rank,
    clones,
    counters,
    cyclic,
    edges,
    field,
    filled,
    intransitivity,
    log_odds,
    meta,
    nash,
    read_field,
    settled_from,
)
from simcore.errors import InputError
from tests.analysis.fake_field import ROCK_PAPER_SCISSORS, frame, from_log_odds, from_strengths, made
from tests.analysis.fake_run import FakeBot, FakeRun, write

CYCLE = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / 5
WEIGHTED = np.array([[0, -1, 2], [1, 0, -3], [-2, 3, 0]]) / 10
RANDOM = [(x - x.T) / 10 for x in np.random.default_rng(1).normal(size=(20, 8, 8))]


def grown(game, like):
    """A game with a clone of one of its bots at the end."""
    again = [*range(len(game)), like]
    return game[np.ix_(again, again)]


# --- known games -----------------------------------------------------------------------------------------------------


def test_nash_of_known_games():
    assert nash(CYCLE) == pytest.approx([1 / 3] * 3)
    assert nash(WEIGHTED) == pytest.approx([3 / 6, 2 / 6, 1 / 6])
    assert nash(edges(from_strengths([3, 2, 1, 0]))) == pytest.approx([1, 0, 0, 0])
    assert nash(np.zeros((4, 4))) == pytest.approx([1 / 4] * 4)
    assert nash(WEIGHTED * 1e-6) == pytest.approx([3 / 6, 2 / 6, 1 / 6])


@pytest.mark.parametrize("game", RANDOM)
def test_nobody_gains_against_nash(game):
    mixture = nash(game)
    assert mixture.sum() == pytest.approx(1)
    assert mixture.min() >= 0
    assert (game @ mixture).max() < 1e-12
    assert (mixture > 0).sum() % 2 == 1  # as in every such game without ties (Kaplansky 1945)


def test_of_several_equilibria_nash_is_the_most_even():
    game = np.zeros((4, 4))
    game[:3, :3] = CYCLE
    assert nash(game) == pytest.approx([1 / 4] * 4, abs=1e-6)  # any part for the last one would do
    # A fifth bot loses 0.1 to the cycle and wins 0.4 of the fourth, so the fourth may have a fifth at most.
    game = np.pad(game, ((0, 1), (0, 1)))
    game[4], game[:, 4] = [-0.1, -0.1, -0.1, 0.4, 0], [0.1, 0.1, 0.1, -0.4, 0]
    assert nash(game) == pytest.approx([0.8 / 3] * 3 + [0.2, 0], abs=1e-6)


@pytest.mark.parametrize("game", [CYCLE, WEIGHTED, *RANDOM[:5]])
def test_a_clone_shares_the_nash_mass_of_the_one(game):
    alone, more = nash(game), nash(grown(game, 0))
    assert more[1:-1] == pytest.approx(alone[1:], abs=1e-7)
    assert more[0] == pytest.approx(more[-1], abs=1e-6)
    assert more[0] + more[-1] == pytest.approx(alone[0], abs=1e-7)


@pytest.mark.parametrize("alpha", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("game", [WEIGHTED, RANDOM[0]])
def test_alpha_rank_is_the_stationary_law_of_its_chain(game, alpha):
    bots, m = len(game), 50
    chain = np.zeros((bots, bots))
    for i in range(bots):
        for j in range(bots):
            u = alpha * game[j, i]
            if i != j:
                chain[i, j] = (1 / m if u == 0 else (1 - np.exp(-u)) / (1 - np.exp(-m * u))) / (bots - 1)
        chain[i, i] = 1 - chain[i].sum()
    mass = alpha_rank(game, alpha)
    assert mass.sum() == pytest.approx(1)
    assert mass @ chain == pytest.approx(mass, rel=1e-9)


def test_alpha_rank_of_known_games():
    for alpha in ALPHAS:
        assert alpha_rank(CYCLE, alpha) == pytest.approx([1 / 3] * 3)
    # Two bots: the chain is reversible, with odds of e^((m - 1) alpha edge).
    two = np.array([[0, 0.02], [-0.02, 0]])
    assert alpha_rank(two, 0.5)[0] == pytest.approx(1 / (1 + np.exp(-49 * 0.5 * 0.02)))
    assert alpha_rank(edges(from_strengths([3, 2, 1, 0])), 1e5) == pytest.approx([1, 0, 0, 0])
    assert alpha_rank(np.zeros((4, 4)), 1e5) == pytest.approx([1 / 4] * 4)
    # Who loses to everyone has nothing, and the rest is as without it.
    worst = np.pad(CYCLE, ((0, 1), (0, 1)))
    worst[3, :3], worst[:3, 3] = -0.3, 0.3
    assert alpha_rank(worst, 1e3) == pytest.approx([1 / 3] * 3 + [0], abs=1e-9)


def test_alpha_rank_takes_matrices_at_once():
    many = alpha_rank(np.array(RANDOM), 20.0)
    assert many == pytest.approx(np.array([alpha_rank(game, 20.0) for game in RANDOM]))


def test_alpha_rank_gives_a_second_bot_of_the_same_play_more_room():
    # Mutants draw from the list of bots, so rock has two of four tickets: this is why clones count as one in `meta`.
    assert alpha_rank(grown(CYCLE, 0), 1e4) == pytest.approx([0.2, 0.4, 0.2, 0.2])


def test_a_sweep_is_settled_where_it_stays():
    alphas = [1.0, 10.0, 100.0, 1000.0]
    assert settled_from(alphas, np.array([[0.5, 0.5], [0.9, 0.1], [1, 0], [1, 0]])) == 100
    assert settled_from(alphas, np.array([[0.5, 0.5], [0.5, 0.5], [0.9, 0.1], [1, 0]])) is None
    assert settled_from(alphas, np.full((4, 2), 0.5)) == 1


def test_ratings_leave_no_cycles_and_cycles_no_ratings():
    strengths = np.array([1.0, 0.3, -0.2, 2.0])
    for seats in (2, 3, 4):
        shares = from_strengths(strengths, seats)
        found = log_odds(shares)
        assert found == pytest.approx(np.subtract.outer(strengths, strengths))
        assert cyclic(found) == pytest.approx(np.zeros((4, 4)), abs=1e-12)
    assert cyclic(CYCLE) == pytest.approx(CYCLE)
    for game in RANDOM:
        curl = cyclic(game)
        assert (curl**2).sum() + ((game - curl) ** 2).sum() == pytest.approx((game**2).sum())
        assert curl.sum(axis=1) == pytest.approx(np.zeros(len(game)))


# --- planted truths --------------------------------------------------------------------------------------------------


def test_rock_paper_scissors():
    found = meta(made(ROCK_PAPER_SCISSORS, 4000, 1), samples=200)
    share = found.intransitivity.share
    assert share.value == pytest.approx(1, abs=0.02)
    assert 0.97 < share.low < 1 < share.high
    assert found.intransitivity.p < 1e-9
    assert found.settled is not None
    last = found.alpha_rank.filter(alpha=found.settled)
    for table in (found.nash, last):
        for row in table.iter_rows(named=True):
            assert row["low"] <= 1 / 3 <= row["high"]
            assert row["mass"] == pytest.approx(1 / 3, abs=0.05)
            assert row["included"] == 1
    assert [(c.bot, c.counter, c.beats, c.best) for c in found.counters] == [
        ("bot0", "bot1", True, 1.0),
        ("bot1", "bot2", True, 1.0),
        ("bot2", "bot0", True, 1.0),
    ]
    assert found.clones == ()


def test_a_ladder():
    found = meta(made(from_strengths([0.0, 0.6, -0.6, 0.3]), 2000, 1), samples=100)
    assert abs(found.intransitivity.share.value) < 0.02
    assert found.nash["included"].to_list() == [0, 1, 0, 0]
    assert found.nash["mass"].to_list() == pytest.approx([0, 1, 0, 0])
    last = found.alpha_rank.filter(alpha=found.settled)
    assert last["mass"].to_list() == pytest.approx([0, 1, 0, 0], abs=0.011)
    best = found.counters[1]
    assert (best.bot, best.beats) == ("bot1", False)
    assert best.share.value < 0.5


def test_what_is_not_known_is_included_with_a_probability():
    # Two equal bots far above a third: which of the two is the equilibrium is luck.
    shares = []
    for seed in range(30):
        found = meta(made(from_strengths([0.5, 0.5, -0.5]), 300, seed), samples=40, alphas=[10.0, 1e3, 1e5])
        assert found.nash["included"][2] == 0
        shares.append(found.nash["included"].to_list()[:2])
    assert np.sum(shares, axis=1) == pytest.approx(np.ones(30), abs=0.3)
    assert np.mean(shares) == pytest.approx(0.5, abs=0.1)
    assert (np.array(shares) > 0.05).all(axis=1).mean() > 0.75


def test_intransitivity_of_none_and_some():
    """At most 5 % of ladders are called cyclic, and the interval of a planted share covers it."""
    ladder, mixed = np.subtract.outer([0.5, 0.2, 0, -0.4], [0.5, 0.2, 0, -0.4]), np.zeros((4, 4))
    mixed[:3, :3] = CYCLE * 2
    truth = (cyclic(ladder + mixed) ** 2).sum() / ((ladder + mixed) ** 2).sum()
    p, values, hits = [], [], []
    for seed in range(5000, 5200):
        none, some = (intransitivity(made(from_log_odds(x), 400, seed), 200) for x in (ladder, ladder + mixed))
        p.append(none.p)
        values.append((none.share.value, some.share.value))
        hits.append((none.share.low <= 0 <= none.share.high, some.share.low <= truth <= some.share.high))
    low, high = stats.clopper_pearson(sum(x < 0.05 for x in p), len(p), 0.99)
    assert low <= 0.05 <= high
    assert np.mean(values, axis=0) == pytest.approx([0, truth], abs=0.015)  # the noise is taken out
    assert 0.91 < np.mean(hits, axis=0)[1] < 0.99
    assert np.mean(hits, axis=0)[0] > 0.93


def test_bots_that_always_win_are_no_cycle():
    # The odds of the first two pairs are beyond what can be seen, so they say nothing against ratings.
    for strengths in ([0.0, 20.0, 22.0], [0.0, 20.0, 40.0], [0.0, 0.5, 6.0, 12.0, 12.5]):
        found = intransitivity(made(from_strengths(strengths), 1000, 1), 50)
        assert found.share.value == pytest.approx(0, abs=0.001)
        assert found.share.low <= found.share.value <= found.share.high < 0.01
        assert np.isnan(found.p)
        assert ("bot0", "bot2") in found.rare


def test_a_cycle_that_is_always_won_is_one():
    found = intransitivity(made(from_log_odds(CYCLE * 200), 200, 1), 50)
    assert (found.share.value, found.share.low, found.share.high) == pytest.approx((1, 1, 1))
    assert len(found.rare) == 3
    # Beside an ordinary bot: a cycle that is nearly always won is still seen, within limits.
    odds = np.zeros((4, 4))
    odds[:3, :3] = CYCLE * 40
    assert intransitivity(made(from_log_odds(odds), 1000, 1), 50).share.value == pytest.approx(1, abs=0.01)


def test_rare_pairs_are_filled_by_ratings_within_their_limits():
    known = np.array([[0, 1.0, 0], [-1.0, 0, 2.0], [0, -2.0, 0]])
    low, high = np.zeros((3, 3)), np.zeros((3, 3))
    for limits, expected in (((0.5, 9.0), 3.0), ((4.0, np.inf), 4.0), ((-9.0, 1.5), 1.5)):
        low[0, 2], high[0, 2] = limits
        low[2, 0], high[2, 0] = -high[0, 2], -low[0, 2]
        assert filled(known, low, high)[0, 2] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seats", [2, 3])
def test_of_equal_bots_a_counter_is_seldom_found(seats):
    wrong = [
        c.beats for seed in range(100) for c in counters(made(from_strengths([0] * 5, seats), 300, seed, seats), 20)
    ]
    low, _ = stats.clopper_pearson(sum(wrong) / 5, len(wrong) / 5, 0.99)
    assert low <= 0.05


def test_more_seats_are_about_edges():
    # Alone, each wins more than a third among the others: what decides is who wins more.
    shares = np.array([[1 / 3, 0.45], [0.35, 1 / 3]])
    found = meta(made(shares, 3000, 1, seats=3), samples=50)
    assert found.nash["mass"].to_list() == [1, 0]
    assert [c.beats for c in found.counters] == [True, True]
    assert found.intransitivity is None


# --- clones ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_a_clone_changes_nothing_for_the_rest(seats):
    shares = from_log_odds(WEIGHTED * 3, seats)
    results = frame(shares, 500, 1, seats)
    copies = [
        results.filter(pl.col(column) == 0, pl.col(other) != 0).with_columns(pl.lit(3, dtype=pl.Int64).alias(column))
        for column, other in (("bot", "opponent"), ("opponent", "bot"))
    ]
    even = [
        pl.DataFrame(
            {"bot": i, "opponent": j, "deal": np.arange(500), "share": 1 / seats, "deals": 1},
            schema_overrides=results.schema,
        )
        for i, j in ((0, 3), (3, 0))
    ]
    both = pl.concat([results, *copies, *even])
    three, four = (
        meta(field([f"bot{i}" for i in range(n)], seats, rows), samples=30, alphas=[1.0, 100.0, 1e4])
        for n, rows in ((3, results), (4, both))
    )
    assert four.clones == (("bot0", "bot3"),)
    assert four.intransitivity == three.intransitivity
    assert four.settled == three.settled
    for alone, more in ((three.nash, four.nash), (three.alpha_rank, four.alpha_rank)):
        rest = more.filter(~pl.col("bot").is_in(["bot0", "bot3"]))
        assert rest.equals(alone.filter(pl.col("bot") != "bot0"))
        halves = more.filter(pl.col("bot").is_in(["bot0", "bot3"]))
        one = alone.filter(bot="bot0")
        assert halves["mass"].sum() == pytest.approx(one["mass"].sum())
        assert halves.filter(bot="bot0")["included"].to_list() == one["included"].to_list()


def test_two_clones_are_one_strategy():
    even = pl.DataFrame(
        {"bot": [0, 1] * 40, "opponent": [1, 0] * 40, "deal": np.repeat(np.arange(40), 2), "share": 0.5, "deals": 1}
    )
    found = meta(field(["a", "b"], 2, even), samples=10, alphas=[1.0, 100.0])
    assert found.clones == (("a", "b"),)
    for table in (found.nash, found.alpha_rank):
        assert table["mass"].unique().to_list() == [0.5]
        assert table["included"].unique().to_list() == [1.0]
    assert found.intransitivity is None
    assert [(c.share.value, c.beats) for c in found.counters] == [(0.5, False)] * 2


def test_equal_play_with_luck_of_its_own_is_no_clone():
    found = made(from_log_odds(grown(WEIGHTED * 3, 0)), 3000, 2)
    assert clones(found).tolist() == [0, 1, 2, 3]
    mass = meta(found, samples=60, alphas=[1.0, 100.0]).nash["mass"].to_list()
    assert mass[0] + mass[3] == pytest.approx(0.5, abs=0.06)


# --- the results behind it -------------------------------------------------------------------------------------------


def test_shares_and_errors_of_deals_that_only_some_have_played():
    shares = from_strengths([0.4, 0.0, -0.3])
    results = frame(shares, 900, 3, few=(2, 60))
    found = field(["a", "b", "c"], 2, results)
    assert found.played.tolist() == [[0, 900, 60], [900, 0, 60], [60, 60, 0]]
    mean = results.group_by("bot", "opponent").agg(pl.col("share").mean(), sd=pl.col("share").std(), n=pl.len())
    errors = np.sqrt((found.influence() ** 2).sum(axis=0))
    drawn = found.shares(found.resampling(400)).std(axis=0)
    for row in mean.iter_rows(named=True):
        cell = row["bot"], row["opponent"]
        assert found.shares()[cell] == pytest.approx(row["share"])
        # With batches of deals the error is itself measured less well.
        assert errors[cell] == pytest.approx(row["sd"] / np.sqrt(row["n"]), rel=0.12)
        assert drawn[cell] == pytest.approx(row["sd"] / np.sqrt(row["n"]), rel=0.15)
    assert np.diag(found.shares()) == pytest.approx([0.5] * 3)


def test_pairs_on_the_same_deals_are_drawn_together():
    found = made(from_strengths([0, 0, 0]), 400, 1)
    weights = found.resampling(300)
    assert (weights.sum(axis=1) == 400).all()
    drawn = found.shares(weights)
    assert drawn[:, 0, 1] == pytest.approx(1 - drawn[:, 1, 0])
    brute = np.array([(weights[7] @ found.sums[:, 0, 1]) / 400, (weights[7] @ found.sums[:, 2, 1]) / 400])
    assert drawn[7, [0, 2], [1, 1]] == pytest.approx(brute)


def test_the_results_of_a_run(two_seats):
    found = read_field([two_seats])
    assert found.names == ("weak", "strong")
    log = two_seats.scan("seats").filter(pl.col("line_up") == 1, pl.col("bot") == 0).collect()
    assert found.shares()[0, 1] == pytest.approx(log["win_share"].mean())
    assert found.shares()[1, 0] == pytest.approx(1 - log["win_share"].mean())
    assert found.played[0, 1] == 900


def test_who_was_never_alone_has_not_met_a_field(three_seats):
    with pytest.raises(InputError, match="weak has not played alone against strong"):
        read_field([three_seats])


def test_runs_with_other_bots_are_joined(tmp_path):
    a, b, c = FakeBot("a", "expert", 3.0), FakeBot("b", "simple"), FakeBot("c", "search", 5.0)
    one = FakeRun(blocks=60, bots=(a, b), line_ups=((0, 0), (0, 1)), log="games")
    two = FakeRun(blocks=20, bots=(c, a, b), line_ups=((0, 1), (0, 2), (2, 0)), log="games")
    runs = [write(tmp_path / str(i), fake) for i, fake in enumerate((one, two))]
    found = read_field(runs)
    assert found.names == ("a", "b", "c")
    assert found.played.tolist() == [[0, 60, 20], [60, 0, 20], [20, 20, 0]]
    # Two line-ups of b and c are one cell.
    both = runs[1].scan("seats").filter(pl.col("line_up") > 0, pl.col("bot") == 0).collect()
    assert found.shares()[2, 1] == pytest.approx(both["win_share"].mean())


def test_one_bot_has_nobody_to_be_compared_with():
    with pytest.raises(InputError, match="only one bot"):
        field(["a"], 2, pl.DataFrame({"bot": [], "opponent": [], "deal": [], "share": [], "deals": []}))
