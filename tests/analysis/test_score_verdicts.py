"""What scores are made of, the account of the winner's lead, families of counters and what bots live from."""

import math
import re

import numpy as np
import polars as pl
import pytest

from analysis import score_verdicts
from analysis.balance import analyse
from analysis.blocks import line_ups, read_blocks
from analysis.score_verdicts import families, members, profiles, sure
from analysis.scores import Named, apart, scores
from analysis.stats import Estimate
from simcore import manifest as manifests
from tests.analysis import fake_run
from tests.analysis.fake_run import FakeBot, FakeRun, write_frames

EXPERT = FakeBot("expert", "expert", 12.0)
OTHER = FakeBot("plan", "simple", 12.0)
FLEET, TOWN = "fleet", "town"
VISITS = [{"name": f"visits_{who}", "unit": "times", "text": f"Visits of the {who}."} for who in ("king", "builder")]


def write(folder, fake, fleet=None, eager=0.0):
    """A made-up run whose score has two parts: the fleet, a whole number of each seat around the mean that `fleet`
    gives its bot (by index), and the town, which is the rest. The counter visits_king goes with winning: a winner has
    one more with the chance `eager`; visits_builder does not.
    """
    described = fake_run.manifest(fake)
    described["parts"] = [
        {"name": name, "unit": "points", "text": f"What the {name} brings."} for name in (TOWN, FLEET)
    ]
    described["counters"] = [visit | {"family": "visits"} for visit in VISITS]
    means = np.array([(fleet or {}).get(b, 5.0) for b in range(len(fake.bots))])

    def frames(number):
        line_up, first, last = manifests.cut(described).blocks_of(number)
        made = fake_run.shard(fake, line_up, first // fake.blocks_per_shard, first, last)
        seats, dice = made["seats"], np.random.default_rng([fake.seed, 5, number])
        ships = np.rint(dice.normal(means[seats["bot"].to_numpy()], 3.0)).astype(np.int32)
        won = dice.random(len(seats)) < eager * seats["win_share"].to_numpy()
        made["seats"] = seats.drop("part_expeditions", "part_bonus", "count_wagers_played").with_columns(
            pl.Series(f"part_{TOWN}", seats["score"].to_numpy() - ships, dtype=pl.Int32),
            pl.Series(f"part_{FLEET}", ships),
            pl.Series("count_visits_king", dice.poisson(2.0, len(seats)) + won, dtype=pl.UInt16),
            pl.Series("count_visits_builder", dice.poisson(1.0, len(seats)), dtype=pl.UInt16),
        )
        return made

    return write_frames(folder, described, frames, manifests.cut(described).shards)


def found(run, line_up=0):
    return scores(read_blocks(run, line_ups(run.manifest)[line_up]), run.manifest)


# --- the winner's lead -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("run_name", ["two_seats", "three_seats"])
def test_leads_are_those_of_the_log(run_name, request):
    run = request.getfixturevalue(run_name)
    n = run.manifest["seats"]
    blocks = read_blocks(run, line_ups(run.manifest)[1])
    log = run.scan("seats").filter(pl.col("line_up") == 1).collect()
    for name, column in (("part.expeditions", "part_expeditions"), ("count.wagers_played", "count_wagers_played")):
        x, w = pl.col(column).cast(pl.Float64), pl.col("win_share").cast(pl.Float64)
        winner = (w * x).sum()
        by_game = log.group_by("game").agg(pl.col("deal").first(), lead=winner - (x.sum() - winner) / (n - 1))
        by_deal = by_game.group_by("deal").agg(pl.col("lead").mean())["lead"]
        got = blocks.mean(f"lead.{name}", "points")
        assert got.value == pytest.approx(by_deal.mean(), abs=1e-6)
        assert got.se == pytest.approx(by_deal.std() / math.sqrt(len(by_deal)), rel=1e-5)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_leads_in_the_parts_add_up_to_the_lead_in_score(tmp_path, seats):
    run = write(tmp_path, FakeRun(blocks=300, seats=seats, line_ups=((0,) * seats, (1,) * seats)))
    of = found(run, 1)
    assert sum(part.mean.value for part in of.part_leads) == pytest.approx(of.lead.value, abs=1e-6)
    assert of.lead.value > 0


def test_a_constant_part_brings_no_lead(two_seats):
    of = found(two_seats)
    bonus = of.part_leads[1].mean
    assert (bonus.value, bonus.low, bonus.high) == pytest.approx((0, 0, 0), abs=1e-6)
    assert of.part_leads[0].mean.value == pytest.approx(of.lead.value, abs=1e-6)


def test_a_planted_counter_is_led_in_and_another_is_not(tmp_path):
    run = write(tmp_path, FakeRun(blocks=4000, bots=(EXPERT,), line_ups=((0, 0),), log="games"), eager=0.4)
    king, builder = (counter.mean for counter in found(run).counter_leads)
    # Ties split the win, so a little less than the chance.
    assert king.low < 0.4 < king.high + 0.02
    assert king.low > 0.3
    assert builder.low < 0 < builder.high
    assert [item.name for item in sure(found(run).counter_leads)] == ["visits_king"]


def test_no_counter_is_led_in_where_none_is_planted(tmp_path):
    run = write(tmp_path, FakeRun(blocks=3000, bots=(EXPERT,), line_ups=((0, 0),), log="games", seed=3))
    assert sure(found(run).counter_leads) == []


def test_intervals_of_a_lead_of_zero_hold_it(tmp_path):
    inside = 0
    for seed in range(60):
        run = write(
            tmp_path / str(seed), FakeRun(blocks=120, bots=(EXPERT,), line_ups=((0, 0),), log="games", seed=seed)
        )
        e = found(run).counter_leads[1].mean
        inside += e.low <= 0 <= e.high
    assert inside >= 52  # of 60 at 95 %: fewer once in a thousand


def test_a_game_for_one_has_no_leads(tmp_path):
    of = found(write(tmp_path, FakeRun(blocks=60, seats=1, line_ups=((0,),), bots=(EXPERT,), log="games")))
    assert of.lead is None
    assert of.part_leads == of.counter_leads == ()


# --- bots apart ------------------------------------------------------------------------------------------------------


def test_parts_that_differ_between_bots_are_found_and_equal_ones_are_not(tmp_path):
    fake = FakeRun(blocks=1500, bots=(OTHER, EXPERT), line_ups=((0, 0), (1, 1)), log="games")
    run = write(tmp_path, fake, fleet={0: 9.0})
    items = {item.name: item for item in apart(found(run, 0).bots[0], found(run, 1).bots[0])}
    assert items[FLEET].difference.low < 4 < items[FLEET].difference.high
    assert items[FLEET].q < 0.001
    assert items[TOWN].difference.low < -4 < items[TOWN].difference.high
    same = write(tmp_path / "same", fake)
    assert all(item.q > 0.05 for item in apart(found(same, 0).bots[0], found(same, 1).bots[0]))


def test_a_part_that_is_the_same_in_all_games_is_no_question(two_seats):
    bots = found(two_seats).bots
    assert math.isnan(next(item.q for item in apart(bots[0], bots[0]) if item.name == "bonus"))


# --- sentences -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def balance(tmp_path_factory):
    fake = FakeRun(
        blocks=1500, bots=(OTHER, EXPERT), line_ups=((0, 0), (0, 1), (1, 1)), log="games", luck_sd=4.0, noise_sd=4.0
    )
    return analyse(write(tmp_path_factory.mktemp("run"), fake, fleet={0: 9.0}, eager=0.4))


def test_page_one_says_what_a_score_is_made_of_and_what_wins(balance):
    (said,) = (verdict for verdict in balance.verdicts if verdict.topic == "score parts")
    main = balance.main.scores
    assert said.text.startswith(f"The {main.bots[0].score.value:.1f} points of {main.bots[0].bot} are made of town ")
    assert f"of the winner's lead of {main.lead.value:.1f} (interval " in said.text
    assert f"+{main.part_leads[0].mean.value:.1f} (interval +" in said.text
    assert ") come from town" in said.text
    assert said.section == "scores"


def test_a_family_is_told_with_its_leads(balance):
    (said,) = (verdict for verdict in balance.verdicts if verdict.topic == "family visits")
    assert said.text.startswith("Of the visits, king is the most frequent with 2.")
    assert "builder the rarest with 1.0" in said.text or "builder the rarest with 0.9" in said.text
    assert "; the winner has more or fewer than the others (an association): king +0." in said.text
    assert "builder +" not in said.text.partition("association")[2]


def test_without_anything_planted_the_family_says_so(tmp_path):
    quiet = analyse(write(tmp_path, FakeRun(blocks=1500, bots=(EXPERT,), line_ups=((0, 0),), log="games", seed=4)))
    (said,) = score_verdicts.of_families(quiet)
    assert "the winner surely has no more and no fewer of any of them than the others" in said.text


def test_each_bot_is_said_to_live_from_something(balance):
    first, second = profiles(balance)
    main = balance.main.scores.bots[0].bot
    other = ({"plan", "expert"} - {main}).pop()
    assert first.startswith(f"{main} has most of its score from town (")
    assert second.startswith(f"{other} has most of its score from town (")
    assert f"; it differs from {main} most in " in second
    assert re_number(second) == pytest.approx(4.0, abs=0.5)


def test_a_part_that_brings_next_to_nothing_is_not_what_a_bot_lives_from(tmp_path):
    fake = FakeRun(blocks=60, bots=(OTHER, EXPERT), line_ups=((0, 0), (1, 1)), log="games")
    small = profiles(analyse(write(tmp_path, fake, fleet={0: 1.0, 1: 30.0})))
    (plan,) = [said for said in small if said.startswith("plan")]
    (expert,) = [said for said in small if said.startswith("expert")]
    assert re.match(r"plan has most of its score from town \([^)]*\)[; ]", plan)
    assert re.match(r"expert has most of its score from \w+ \([^)]*\) and \w+ \(", expert)


def re_number(text):
    """The size of the difference in a profile."""
    return abs(float(text.partition(" most in ")[2].split(" ")[1]))


def test_one_bot_alone_is_compared_with_nobody(tmp_path):
    alone = analyse(write(tmp_path, FakeRun(blocks=60, bots=(EXPERT,), line_ups=((0, 0),), log="games")))
    assert profiles(alone) == ()


def test_members_are_named_without_what_all_share():
    assert members(["visits_king", "visits_builder"]) == ["king", "builder"]
    assert members(["gold_taken", "wood_taken"]) == ["gold", "wood"]
    assert members(["forests", "fields"]) == ["forests", "fields"]
    assert members(["a_king_x", "a_old_king_x"]) == ["king", "old king"]
    assert members(["a_b", "a_b"]) == ["b", "b"]


def test_families_are_those_with_two_members():
    e = Estimate(1.0, 0.9, 1.1, 10, 10, "times", 0.05)
    named = [Named("visits_king", "", e, "visits"), Named("golds", "", e), Named("visits_builder", "", e, "visits")]
    assert families([*named, Named("alone", "", e, "lonely")]) == {"visits": [0, 2]}
