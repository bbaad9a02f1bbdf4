"""The ladder of made-up bots: ratings, rungs, match-ups, labels, sentences; and its folder."""

import dataclasses
import json

import pytest

from analysis import ladder as ladders
from analysis import ladder_folder, tiers
from analysis.ladder import analyse, rung_wording
from analysis.ladder_folder import open_ladder
from analysis.ladder_verdicts import sentences
from analysis.ratings import LOST_ALL, RATED
from analysis.stats import Estimate
from simcore.errors import InputError
from tests.analysis.fake_ladder import QUICK, FakeLadder, write
from tests.analysis.fake_run import FakeBot


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("ladder")


@pytest.fixture(scope="module")
def typical(folder):
    return analyse(write(folder, FakeLadder()))


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    return analyse(write(tmp_path_factory.mktemp("many"), FakeLadder(seats=3, blocks=300, few=50)))


def text(ladder):
    return " ".join(verdict.text for verdict in sentences(ladder))


def test_bots_stand_from_strong_to_weak_with_places_as_sets(typical):
    assert typical.names[-1] == "uniform"
    assert set(typical.names[2:4]) == {"heuristic", "expert~10"}
    places = {rating.name: rating.places for rating in typical.ratings.bots}
    assert places["heuristic"] == places["expert~10"] == (3, 4)
    assert places["uniform"] == (5, 5)
    assert typical.ratings.anchor == "expert"
    assert typical.ratings.of("search:50").estimate.n == 60
    assert typical.ratings.of("uniform").estimate.n == 600
    assert all(rating.status == RATED for rating in typical.ratings.bots)


def test_facts_are_those_of_both_runs(typical):
    assert typical.facts.games == 2 * (10 * 600 + 5 * 60)
    assert [bot.name for bot in typical.facts.bots] == ["uniform", "heuristic", "expert~10", "expert", "search:50"]
    assert typical.budgets == {"cheap": (1200, 600), "dear": (120, 60)}
    strength = {bot.name: bot.strength for bot in typical.facts.bots}
    assert strength["uniform"] < 0.5 < strength["expert"]
    assert typical.facts.complete


def test_a_rung_rests_on_the_games_of_its_two_bots(typical):
    assert [(rung.upper, rung.lower) for rung in typical.rungs] == list(
        zip(typical.names, typical.names[1:], strict=False)
    )
    rung = next(r for r in typical.rungs if {r.upper, r.lower} == {"heuristic", "expert~10"})
    cell = typical.match(rung.upper, rung.lower)
    assert rung.wording == ladders.NOT_SHOWN
    assert rung.share.value == cell.share.value
    assert rung.share.high - rung.share.low > cell.share.high - cell.share.low, "all rungs hold together"
    assert typical.rungs[-1].wording == ladders.SURE
    assert rung.back is None
    assert rung.ahead is not None


@pytest.mark.parametrize(
    ("share", "back", "wording"),
    [
        ((0.52, 0.60), None, ladders.SURE),
        ((0.48, 0.60), None, ladders.NOT_SHOWN),
        ((0.40, 0.49), None, ladders.LOSES),
        ((0.45, 0.60), (0.35, 0.45), ladders.SURE),
        ((0.52, 0.60), (0.52, 0.60), ladders.DEPENDS),
        ((0.40, 0.45), (0.40, 0.45), ladders.DEPENDS),
        ((0.40, 0.60), (0.52, 0.60), ladders.LOSES),
        ((0.40, 0.60), (0.40, 0.60), ladders.NOT_SHOWN),
    ],
)
def test_what_the_shares_of_a_rung_say(share, back, wording):
    def estimate(interval):
        return None if interval is None else Estimate(sum(interval) / 2, *interval, 100, 200, "share")

    assert rung_wording(estimate(share), estimate(back), 0.5) == wording


def test_matches_are_seen_from_both_sides_and_predicted(typical):
    assert len(typical.matches) == 20
    assert len(typical.selves) == 5
    for match in typical.matches:
        other = typical.match(match.opponent, match.bot)
        assert match.share.value + other.share.value == pytest.approx(1)
        assert match.predicted + other.predicted == pytest.approx(1)
        assert abs(match.share.value - match.predicted) < 0.1
    assert not any(match.misfit for match in typical.matches)


def test_match_ups_against_the_ratings_are_spoken_of(typical):
    odd = Estimate(0.71, 0.66, 0.76, 600, 1200, "share", 0.025)
    matches = tuple(
        dataclasses.replace(m, share=odd, misfit=True) if (m.bot, m.opponent) == ("uniform", "expert") else m
        for m in typical.matches
    )
    said = {v.topic: v.text for v in sentences(dataclasses.replace(typical, matches=matches))}
    assert "uniform is rated below expert and yet wins 71.0 %" in said["against the order"]
    assert "do not predict 1 of 20 match-ups" in said["fit"]
    assert "played 71.0 % (95 % interval 66.0 to 76.0; 1,200 games)" in said["fit"]


def test_labels_are_those_of_the_quick_bots_and_once_more_with_search(typical):
    assert typical.mirrors == tuple(name for name in reversed(typical.names) if name != "search:50")
    assert typical.mirrors_all == tuple(reversed(typical.names))
    labels = {number.name: number for number in typical.labels}
    assert labels["score"].label == tiers.GROWS
    assert labels["length"].label == tiers.SHRINKS
    assert labels["ties"].label == tiers.STABLE
    assert [e.n for _, _, e in labels["score"].tiers] == [600] * 4
    every = next(number for number in typical.labels_all if number.name == "score")
    assert sorted(e.n for _, _, e in every.tiers) == [60, 600, 600, 600, 600]


def test_page_one(typical):
    said = [verdict.topic for verdict in typical.verdicts]
    assert said[0] == "top"
    assert {"rungs", "going first", "skill", "search", "fit"} <= set(said)
    assert "The others: " in text(typical)
    assert "of 10 other headline numbers change from uniform to" in text(typical)
    assert "nan" not in text(typical)


def test_who_is_strongest_may_be_unsure(tmp_path):
    equal = dataclasses.replace(QUICK[3], name="twin")
    found = analyse(write(tmp_path, FakeLadder(quick=(*QUICK, equal), search=None)))
    (verdict,) = [verdict for verdict in found.verdicts if verdict.topic == "top"]
    assert verdict.tone == "unsure"
    assert "Who is the strongest of 5 bots is not sure: " in verdict.text
    assert found.labels_all == ()
    assert found.mirrors_all == ()
    assert "search" not in [v.topic for v in found.verdicts]


def test_a_simple_bot_above_an_expert_is_an_upset(tmp_path):
    bots = (FakeBot("greedy", "simple", 9.0), FakeBot("expert", "expert", 0.0))
    found = analyse(write(tmp_path, FakeLadder(quick=bots, search=None)))
    (verdict,) = [verdict for verdict in found.verdicts if verdict.topic == "upset"]
    assert verdict.text.startswith("greedy (simple) stands surely above expert (expert)")
    assert found.rungs[0].wording == ladders.SURE


def test_a_bot_that_lost_everything_is_said_to_have_no_rating(tmp_path):
    bots = (FakeBot("hopeless", "random", -900.0), *QUICK[1:])
    found = analyse(write(tmp_path, FakeLadder(quick=bots, search=None)))
    rating = found.ratings.of("hopeless")
    assert rating.status == LOST_ALL
    assert (
        f"hopeless lost everything against the rated ones, so its rating is at most {rating.estimate.high:+,.0f}"
        in (text(found))
    )
    assert found.match("hopeless", "expert").predicted is None
    assert json.loads(json.dumps(found.to_dict()))["ratings"]["bots"][-1]["estimate"]["low"] is None


def test_more_seats_are_played_by_one_alone_among_the_others(many):
    assert many.ratings.seats == 3
    assert len(many.ratings.orders) == 3
    assert many.ratings.ties is None
    assert many.names[-1] == "uniform"
    for rung in many.rungs:
        assert rung.back is not None
    assert many.rungs[-1].wording == ladders.SURE
    alone = [match for match in many.matches if match.alone]
    assert len(alone) == len(many.matches) / 2
    assert "alone against" in text(many)
    together = sum(match.share.value * match.table.count(match.bot) for match in many.matches)
    assert together == pytest.approx(len(many.matches) / 2)


def test_ratings_are_those_of_the_games_in_the_files(folder, typical):
    """Once more by hand: two bots' wins, from the table itself."""
    run = open_ladder(folder).runs["cheap"]
    seats = run.scan("seats").collect()
    names = [bot["name"] for bot in run.manifest["bots"]]
    line_up = run.manifest["line_ups"].index([names.index("uniform"), names.index("expert")])
    shares = seats.filter((seats["line_up"] == line_up) & (seats["bot"] == names.index("expert")))["win_share"]
    assert typical.match("expert", "uniform").share.value == pytest.approx(shares.mean())


def test_to_dict_is_plain(typical):
    content = typical.to_dict()
    assert content["format"] == "fairdeal-ladder-report/1"
    assert json.loads(json.dumps(content, allow_nan=False)) == content


def test_an_unfinished_ladder_is_analysed_where_all_have_met_and_else_refused(tmp_path):
    bots = (FakeBot("a", "simple", 0.0), FakeBot("b", "expert", 3.0))
    enough = analyse(write(tmp_path / "enough", FakeLadder(quick=bots, search=None, shards=5)))
    assert not enough.facts.complete
    assert enough.verdicts[0].topic == "unfinished"
    with pytest.raises(InputError, match="--resume"):
        analyse(write(tmp_path / "selves", FakeLadder(quick=bots, search=None, shards=4)))
    with pytest.raises(InputError, match="no finished games yet"):
        analyse(write(tmp_path / "nothing", FakeLadder(quick=bots, search=None, shards=0)))
    # Six mirrors' shards, then a against b, a against c; d has met nobody.
    four = tuple(FakeBot(name, "simple", i) for i, name in enumerate("abcd"))
    some = write(tmp_path / "some", FakeLadder(quick=four, search=None, shards=10))
    found = analyse(some)
    assert set(found.names) == {"a", "b"}


def test_a_folder_that_is_no_ladder(tmp_path, folder):
    with pytest.raises(InputError, match="no such folder"):
        open_ladder(tmp_path / "nothing")
    with pytest.raises(InputError, match="has no run quick or search"):
        open_ladder(tmp_path)
    write(tmp_path / "one", FakeLadder(quick=QUICK[:2], blocks=10, few=4))
    write(tmp_path / "two", FakeLadder(quick=QUICK[:2], blocks=10, few=4, seed=2))
    (tmp_path / "one" / "search").rename(tmp_path / "away")
    (tmp_path / "two" / "search").rename(tmp_path / "one" / "search")
    with pytest.raises(InputError, match="no ladder"):
        open_ladder(tmp_path / "one")


def test_the_speed_file_may_be_missing_but_not_damaged(tmp_path):
    made = write(tmp_path, FakeLadder(quick=QUICK[:2], search=None, blocks=20))
    assert set(made.speed) == {"uniform", "heuristic", "expert~10", "expert"}
    assert set(analyse(made).speed) == {"uniform", "heuristic"}
    (tmp_path / ladder_folder.SPEED).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"speed\.json is damaged"):
        open_ladder(tmp_path)
    (tmp_path / ladder_folder.SPEED).unlink()
    assert analyse(open_ladder(tmp_path)).speed == {}


def test_margins_must_be_positive(folder):
    with pytest.raises(InputError, match="margin"):
        analyse(open_ladder(folder), margin_share=0.0)
