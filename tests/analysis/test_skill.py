"""Skill and luck: games of one thing only, planted parts, none, and the results behind them."""

import dataclasses
import math

import numpy as np
import polars as pl
import pytest
from scipy import special

from analysis import stats
from analysis.skill import AGAIN, COMPONENTS, SELF_PLAY, games_to_lead, read_pair, skill
from simcore.errors import InputError
from tests.analysis.fake_pair import FakePair, make, pair, results
from tests.analysis.fake_run import FakeBot, FakeRun, write


def shares(found):
    return {part.name: part.share.value for part in found.components}


def only(found, name):
    """Whether a part is all there is, for certain."""
    rest = [part for part in found.components if part.name != name]
    one = found.of(name).share
    assert (one.value, one.low, one.high) == pytest.approx((1, 1, 1))
    assert [part.share.value for part in rest] == pytest.approx([0] * len(rest))
    assert [part.shown for part in found.components] == [part.name == name for part in found.components]


# --- games of one thing only -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_without_luck_is_skill(seats):
    found = skill(pair(np.full((50, 1, seats), 1 - 1 / seats), np.zeros(50), SELF_PLAY))
    only(found, "skill")
    assert found.total == pytest.approx((1 - 1 / seats) ** 2)
    assert found.lead.value == 1


def test_a_game_that_the_first_wins_is_seat():
    only(skill(pair(np.tile([0.5, -0.5], (50, 1, 1)), np.zeros(50), SELF_PLAY)), "seat")


def test_identical_play_is_all_deal():
    # In the mirrored leg the other bot makes the very same moves: what one wins here, it loses there.
    coin = np.random.default_rng(1).permutation([0.5, -0.5] * 400)
    found = skill(pair(np.stack([coin, -coin], axis=1)[:, None], np.zeros(800), SELF_PLAY))
    assert (found.edge.value, found.of("skill").size, found.of("skill x deal").size) == (0, 0, 0)
    assert found.of("deal").share.value == pytest.approx(1, abs=0.003)
    assert not found.of("skill").shown
    assert not found.of("seat").shown
    assert found.lead.value == math.inf


@pytest.mark.parametrize("repeats", [1, 2])
def test_a_coin_flip_has_no_skill(repeats):
    names = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        flips = rng.integers(0, 2, (400, repeats, 2)) - 0.5
        again = rng.integers(0, 2, (400, 2, 2)) - 0.5
        told = flips if repeats > 1 else again
        found = skill(pair(flips, told.var(axis=1, ddof=1).mean(axis=1), AGAIN), samples=200)
        assert abs(found.of("skill").share.value) < 0.02
        assert found.of("rest").share.value == pytest.approx(1, abs=0.2)
        names += [part.name for part in found.components if part.shown]
    for name in COMPONENTS[:-1]:
        low, _ = stats.clopper_pearson(names.count(name), 100, 0.99)
        assert low <= 0.05, name
    assert names.count("rest") == 100


def test_an_edge_of_a_coin_is_a_small_part():
    # A bot that wins 55 %: its edge squared over a quarter is one per cent of what happens.
    rng = np.random.default_rng(3)
    flips = (rng.random((40_000, 2, 2)) < 0.55) - 0.5
    found = skill(pair(flips, flips.var(axis=1, ddof=1).mean(axis=1), AGAIN), samples=200)
    part = found.of("skill").share
    assert part.low < 0.01 < part.high
    assert part.value == pytest.approx(0.01, abs=0.002)
    assert found.lead.low < 269 < found.lead.high


# --- planted parts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fake",
    [
        FakePair(),
        FakePair(repeats=2),
        FakePair(places=(3.0, 0.0, -3.0)),
        FakePair(edge=1.5, places=(1.0, 0.0, 1.0, -2.0), skill_deal=4.0),
    ],
)
def test_intervals_hold_planted_parts(fake):
    values, hits = [], []
    for seed in range(400):
        found = skill(make(fake, seed), samples=200)
        values.append(list(shares(found).values()))
        hits.append([part.share.low <= fake.truth[part.name] <= part.share.high for part in found.components])
    error = np.std(values, axis=0) / np.sqrt(len(values))
    assert (np.abs(np.mean(values, axis=0) - list(fake.truth.values())) < 4 * error + 0.002).all()
    assert (np.mean(hits, axis=0) > 0.90).all()


def test_what_does_not_exist_comes_out_around_zero():
    fake = FakePair(edge=0.0, places=(0.0, 0.0, 0.0), deal=0.0, skill_deal=0.0, deals=100)
    found = [skill(make(fake, seed), samples=150) for seed in range(200)]
    for name in COMPONENTS[:-1]:
        sizes = [one.of(name).size for one in found]
        assert np.mean(sizes) == pytest.approx(0, abs=4 * np.std(sizes) / math.sqrt(200))
        assert min(sizes) < 0  # unbiased, so some are below 0
        low, _ = stats.clopper_pearson(sum(one.of(name).shown for one in found), 200, 0.99)
        assert low <= 0.05, name


def test_the_parts_add_up_to_the_mean_square():
    for fake in (FakePair(deals=60), FakePair(places=(1.0, 2.0, -3.0), deals=40)):
        found = skill(make(fake, 1), samples=20)
        assert sum(part.size for part in found.components) == pytest.approx(found.total)
        assert found.total == pytest.approx((results(fake, 1)[0] ** 2).mean())
        assert sum(shares(found).values()) == pytest.approx(1)


def test_without_dice_that_are_told_deals_hold_the_rest():
    y, *rest = results(FakePair(deals=4000), 1)
    found = skill(pair(y, None, None, "margin"), samples=50)
    told = skill(pair(y, *rest, "margin"), samples=50)
    assert found.of("rest") is None
    assert found.of("skill").size == told.of("skill").size
    for name in ("deal", "skill x deal"):
        assert found.of(name).size == pytest.approx(told.of(name).size + told.of("rest").size / 2)


def test_two_seats_by_half_sums_and_differences():
    y, dice, rest_from = results(FakePair(deals=90), 4)
    first, second = y[:, 0].T
    h, g, n, rest = (first + second) / 2, (first - second) / 2, 90, dice.mean()
    expected = {
        "skill": h.mean() ** 2 - h.var(ddof=1) / n,
        "seat": g.mean() ** 2 - g.var(ddof=1) / n,
        "deal": g.var(ddof=1) - rest / 2,
        "skill x deal": h.var(ddof=1) - rest / 2,
        "rest": rest,
    }
    found = skill(pair(y, dice, rest_from, "margin"), samples=10)
    assert {part.name: part.size for part in found.components} == pytest.approx(expected)


def test_more_deals_than_units_are_drawn_in_batches():
    y, rest, _ = results(FakePair(deals=3000), 5)
    found = skill(pair(y, rest, SELF_PLAY, "margin"), samples=400)
    for part in found.components:
        brute = [
            shares(skill(pair(y[rows], rest[rows], SELF_PLAY, "margin"), samples=2))[part.name]
            for rows in np.random.default_rng(1).integers(0, 3000, (60, 3000))
        ]
        wide = (part.share.high - part.share.low) / (2 * 1.96)
        assert wide == pytest.approx(np.std(brute), rel=0.35)


def test_one_deal_says_nothing():
    with pytest.raises(ValueError, match="one deal"):
        skill(make(FakePair(deals=1), 1))


# --- games until the better one leads --------------------------------------------------------------------------------


def ahead(n, p):
    return 1 - special.bdtr(n // 2, n, p)


def test_games_until_the_better_one_leads():
    assert games_to_lead(0.55) == 269
    for p in (0.51, 0.52, 0.6, 0.65, 0.7, 0.8, 0.9, 0.96):
        assert games_to_lead(p) == next(n for n in range(1, 10_000) if ahead(n, p) >= 0.95)
    assert games_to_lead(1.0) == 1
    assert games_to_lead(0.5) == games_to_lead(0.4) == math.inf
    z = float(special.ndtri(0.95))
    assert games_to_lead(0.5001) == pytest.approx((z / 2 / 0.0001) ** 2, rel=1e-4)


def test_tied_games_decide_nothing():
    # 40 % won, 30 % lost: of the decided games 4 of 7 are won, and there are 0.7 of them.
    assert games_to_lead(0.55, ties=0.3) == math.ceil(games_to_lead(4 / 7) / 0.7)


def test_games_until_the_better_one_leads_at_a_table():
    n = int(games_to_lead(0.40, seats=3))
    assert n == 147
    won = np.random.default_rng(1).binomial(n, 0.40, 20_000)
    assert (won > n / 3).mean() == pytest.approx(0.95, abs=0.02)
    assert games_to_lead(1 / 3, seats=3) == math.inf


# --- the results behind it -------------------------------------------------------------------------------------------

A, B = FakeBot("a", "simple", 4.0), FakeBot("b", "expert", 0.0)


def test_parts_of_a_run(tmp_path):
    ups = ((0, 0), (0, 1), (1, 1))
    fake = FakeRun(blocks=3000, bots=(A, B), line_ups=ups, first_points=3.0, luck_sd=5.0, noise_sd=6.0, log="games")
    run = write(tmp_path, fake)
    made = read_pair([run], "a", "b", "margin")
    assert made.rest_from == SELF_PLAY
    log = run.scan("seats").filter(line_up=1).collect()
    other = log.filter(bot=1).with_columns(other=pl.col("score")).select("game", "other")
    mine = log.filter(bot=0).join(other, on="game").sort("deal", "order")
    brute = (mine["score"] - mine["other"]).to_numpy().astype(float).reshape(-1, 1, 2)
    found = skill(made, samples=200)
    told = skill(pair(brute, None, None, "margin"), samples=200)
    assert (found.edge.value, found.edge.se) == pytest.approx((told.edge.value, told.edge.se))
    assert found.of("skill").share.low == pytest.approx(told.of("skill").share.low)
    assert (found.edge.n, found.edge.games) == (3000, 6000)
    rest = 2 * (6.0**2 + 1 / 12)
    expected = {"skill": 16, "seat": 9, "deal": 2 * 5.0**2, "skill x deal": 0, "rest": rest}
    total = sum(expected.values())
    for part in found.components:
        assert part.share.value == pytest.approx(expected[part.name] / total, abs=0.04)
        assert part.share.low <= expected[part.name] / total + 0.005
    assert found.lead is None
    wins = read_pair([run], "a", "b")
    assert skill(wins, samples=2).edge.value == pytest.approx(mine["win_share"].mean() - 0.5)
    assert wins.ties == pytest.approx((mine["win_share"] == 0.5).mean())
    lead = skill(wins, samples=20).lead
    assert lead.low <= games_to_lead(float(special.ndtr(4 / math.sqrt(2 * 61))), ties=wins.ties) <= lead.high


def test_both_line_ups_of_two_bots_repeat_the_deal(tmp_path):
    fake = FakeRun(blocks=2000, bots=(A, B), line_ups=((0, 1), (1, 0)), luck_sd=5.0, noise_sd=6.0, log="games")
    made = read_pair([write(tmp_path, fake)], "a", "b", "margin")
    assert (made.deals, made.repeats, made.places) == (2000, 2, 2)
    assert made.rest_from == AGAIN
    found = shares(skill(made, samples=50))
    total = 16 + 50 + 2 * (36 + 1 / 12)
    assert found["deal"] == pytest.approx(50 / total, abs=0.03)
    assert found["rest"] == pytest.approx((total - 66) / total, abs=0.03)
    assert found["skill x deal"] == pytest.approx(0, abs=0.02)


def test_parts_of_a_run_of_three_seats(tmp_path):
    ups = ((0, 0, 0), (1, 1, 1), (0, 1, 1))
    fake = FakeRun(blocks=2000, bots=(A, B), line_ups=ups, seats=3, luck_sd=5.0, noise_sd=6.0, log="games")
    run = write(tmp_path, fake)
    made = read_pair([run], "a", "b", "margin")
    assert (made.deals, made.repeats, made.places) == (2000, 1, 3)
    found = {part.name: part.size for part in skill(made, samples=20).components}
    # A margin over the mean of two others: 1 + 1/2 of the variance of a seat.
    expected = {"skill": 16, "seat": 0, "deal": 1.5 * 25, "skill x deal": 0, "rest": 1.5 * (36 + 1 / 12)}
    assert found == pytest.approx(expected, abs=3.0)
    with pytest.raises(InputError, match="b has not played alone against a"):
        read_pair([run], "b", "a")


STRONG = FakeBot("strong", "expert", 9.0)


def with_self_play(folder, bots):
    return write(folder, FakeRun(blocks=300, bots=bots, line_ups=((0, 0), (0, 1), (1, 1)), log="games"))


def test_the_rest_is_that_of_both_bots(tmp_path):
    still = FakeBot("still", "expert", deterministic=True)
    run = with_self_play(tmp_path, (B, still))
    made = read_pair([run], "b", "still")
    assert made.rest_from == SELF_PLAY
    mine = run.scan("seats").filter(line_up=0, order=0).sort("deal", "rotation").collect()["win_share"]
    # Only one of the bots rolls dice, so half of its rest is that of the pair.
    brute = mine.to_numpy().reshape(-1, 2).astype(float).var(axis=1, ddof=1).mean() / 2
    assert skill(made, samples=2).of("rest").size == pytest.approx(brute)


def test_wins_between_unequal_bots_are_not_like_self_play(tmp_path):
    run = with_self_play(tmp_path, (STRONG, FakeBot("weak", "random", -9.0)))
    assert read_pair([run], "strong", "weak", "margin").rest_from == SELF_PLAY
    assert skill(read_pair([run], "strong", "weak"), samples=2).of("rest") is None


def test_deterministic_bots_have_no_rest(tmp_path):
    still = [FakeBot(name, "expert", skill, deterministic=True) for name, skill in (("one", 9.0), ("two", -9.0))]
    made = read_pair([with_self_play(tmp_path, tuple(still))], "one", "two")
    found = skill(made, samples=2)
    assert found.edge.value > 0.2
    assert (found.rest_from, found.of("rest").size) == (SELF_PLAY, 0)


def test_a_line_up_of_two_runs_counts_once(tmp_path):
    runs = [with_self_play(tmp_path / name, (B, STRONG)) for name in ("1", "2")]
    made = read_pair(runs, "b", "strong", "margin")
    assert (made.deals, made.repeats, made.places) == (300, 1, 2)


def test_shards_with_other_limits_and_deals_that_only_one_line_up_has(tmp_path):
    ups = ((0, 1), (1, 0))
    runs = [
        write(tmp_path / f"{size}", FakeRun(blocks=90, bots=(A, B), line_ups=(up,), blocks_per_shard=size, log="games"))
        for up, size in zip(ups, (40, 25), strict=True)
    ]
    whole = read_pair(runs, "a", "b", "margin")
    assert (whole.deals, whole.repeats) == (90, 2)
    # Without the second run's first shard, the deals from 25 on are left.
    less = dataclasses.replace(runs[1], shards={k: v for k, v in runs[1].shards.items() if v.first >= 25})
    part = read_pair([runs[0], less], "a", "b", "margin")
    assert part.deals == 65
    assert part.sums.sums == pytest.approx(whole.sums.sums[25:])
