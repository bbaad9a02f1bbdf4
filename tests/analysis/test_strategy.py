"""The strategies of a run: what is found in made-up runs whose truth is known, and what is said to be missing."""

import dataclasses
import json

import numpy as np
import polars as pl
import pytest

from analysis import meta, skill, strategy, strategy_verdicts
from analysis.stats import Estimate
from analysis.strategy import Strategy, analyse
from simcore.errors import InputError
from tests.analysis.fake_field import ROCK_PAPER_SCISSORS, from_strengths, made
from tests.analysis.fake_pair import FakePair, make
from tests.analysis.fake_run import FakeBot, FakeRun, write

BOTS = (
    FakeBot("weak", "random", 0.0),
    FakeBot("middle", "simple", 8.0),
    FakeBot("strong", "expert", 16.0),
)
SELVES, PAIRS = ((0, 0), (1, 1), (2, 2)), ((0, 1), (0, 2), (1, 2))
RUN = FakeRun(blocks=400, bots=BOTS, line_ups=(*SELVES, *PAIRS), log="games")


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> Strategy:
    return analyse(write(tmp_path_factory.mktemp("run"), RUN))


def said(of: Strategy, topic: str) -> str:
    return next(verdict.text for verdict in strategy_verdicts.sentences(of) if verdict.topic == topic)


# --- all together ----------------------------------------------------------------------------------------------------


def test_the_strong_bot_is_the_favourite_and_nothing_beats_it(found):
    assert found.favourite == "strong"
    assert found.names == ("strong", "middle", "weak")
    assert found.cycle is None
    assert [verdict.topic for verdict in found.verdicts] == [
        "top", "cycles", "meta", "counter", "luck", "differs", "length",
    ]  # fmt: skip
    assert found.verdicts[0].text.startswith("By the results of all, strong is the strongest of 3 bots.")
    assert said(found, "counter").startswith("Nothing here beats strong: its best counter, middle, has ")
    assert said(found, "meta").startswith("The meta is strong alone")
    assert "rock-paper-scissors" in said(found, "cycles")


def test_a_profile_is_the_difference_from_the_favourite_in_self_play(found):
    assert [(profile.bot, profile.other, profile.mirrors) for profile in found.profiles] == [
        ("middle", "strong", True), ("weak", "strong", True),
    ]  # fmt: skip
    # Of the score all but a constant is in the one part, and the bots differ by their skill alone.
    for profile, apart in zip(found.profiles, (-8.0, -16.0), strict=True):
        row = profile.differences.filter(what="expeditions").row(0, named=True)
        assert row["low"] < apart < row["high"]
        assert row["value"] == pytest.approx(row["own"] - row["other"])
        assert row["flagged"]
        assert row["n"] == RUN.blocks
    assert said(found, "differs").startswith("What middle does otherwise than strong: -")


def test_without_self_play_a_profile_is_that_of_the_games_against_the_favourite(tmp_path):
    found = analyse(write(tmp_path, dataclasses.replace(RUN, line_ups=PAIRS)))
    middle, weak = found.profiles
    assert not middle.mirrors
    row = weak.differences.filter(what="expeditions").row(0, named=True)
    assert row["low"] < -16 < row["high"]
    assert "in their games against each other" in strategy_verdicts.apart(weak)


def test_skill_is_told_of_every_pair_in_wins_and_in_points(found):
    pairs = [("strong", "middle"), ("strong", "weak"), ("middle", "weak")]
    assert [(one.bot, one.opponent) for one in found.skills] == pairs * 2
    assert [one.what for one in found.skills] == ["share"] * 3 + ["margin"] * 3
    margin = found.skill_of("strong", "weak", "margin")
    assert margin is not None
    assert margin.edge.low < 16 < margin.edge.high
    assert found.skill_of("weak", "strong") is None


def test_three_seats_are_told_both_ways_with_kingmaking(tmp_path):
    line_ups = tuple((a, b, b) for a in range(3) for b in range(3))
    found = analyse(write(tmp_path, dataclasses.replace(RUN, blocks=60, seats=3, line_ups=line_ups)))
    assert len(found.skills) == 2 * 6
    assert {one.instead for one in found.kingmaking} == {"strong"}
    assert {one.bot for one in found.kingmaking} == {"middle", "weak"}
    assert "Who leads alone at half time wins" in said(found, "runaway")
    assert "among 2 middle" in said(found, "luck")


def test_everything_becomes_plain_json(found):
    content = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert content["format"] == "fairdeal-strategy-report/1"
    assert content["favourite"] == "strong"
    assert len(content["meta"]["nash"]) == 3
    assert content["profiles"][0]["differences"][0]["kind"] == "score"


def test_margins_must_be_above_zero(tmp_path):
    with pytest.raises(InputError, match="margin"):
        analyse(write(tmp_path, dataclasses.replace(RUN, blocks=4)), margin_points=0)


# --- rock-paper-scissors ---------------------------------------------------------------------------------------------


def replayed(found: Strategy, shares: np.ndarray) -> Strategy:
    """The same bots with other match-ups: `shares` in the order of found.names."""
    assert found.ladder is not None
    at = {name: i for i, name in enumerate(found.names)}

    def match(m):
        p = float(shares[at[m.bot], at[m.opponent]])
        return dataclasses.replace(m, share=Estimate(p, p - 0.02, p + 0.02, 2000, 4000, "share", 0.01))

    told = dataclasses.replace(found.ladder, matches=tuple(match(m) for m in found.ladder.matches))
    results = made(shares, 2000, seed=1)
    results = dataclasses.replace(results, names=found.names)
    return dataclasses.replace(
        found, ladder=told, meta=meta.meta(results, samples=40, alphas=(1.0, 1e4)), cycle=strategy._cycle(told)
    )


def test_rock_paper_scissors_is_found_and_told(found):
    circle = replayed(found, ROCK_PAPER_SCISSORS)
    assert circle.cycle == ("strong", "weak", "middle")
    text = said(circle, "cycles")
    assert text.startswith("There is rock-paper-scissors: strong beats weak with 64.6 %")
    assert "p below 0.001 for no cycles" in text
    assert said(circle, "meta").startswith("The meta (Nash equilibrium of choosing a bot) is ")
    assert said(circle, "counter").startswith("strong has a counter: middle, with ")


def test_a_line_of_strength_has_no_cycle(found):
    line = replayed(found, from_strengths([1.0, 0.5, 0.0]))
    assert line.cycle is None
    assert "o rock-paper-scissors" in said(line, "cycles")


def test_two_bots_cannot_play_rock_paper_scissors(tmp_path):
    found = analyse(write(tmp_path, FakeRun(blocks=60, log="games")))
    assert "`fairdeal balance made-up --bots expert,uniform,another` asks it." in said(found, "cycles")


def test_cycles_that_surely_are_small_are_not_called_cycles(found):
    assert found.meta is not None
    assert found.meta.intransitivity is not None
    share = Estimate(0.001, 0.0005, 0.002, 400, 2400, "share")
    tiny = dataclasses.replace(found.meta, intransitivity=meta.Intransitivity(share, 0.0001, ()))
    assert said(dataclasses.replace(found, meta=tiny), "cycles").startswith(
        "There is no rock-paper-scissors to speak of"
    )
    large = dataclasses.replace(
        tiny, intransitivity=meta.Intransitivity(dataclasses.replace(share, high=0.3), 0.01, ())
    )
    assert "does not explain who wins" in said(dataclasses.replace(found, meta=large), "cycles")
    lopsided = meta.Intransitivity(Estimate(0.0, 0.0, 0.0, 400, 2400, "share"), float("nan"), (("strong", "weak"),))
    untold = dataclasses.replace(found, meta=dataclasses.replace(tiny, intransitivity=lopsided))
    assert "1 of them are so one-sided" in said(untold, "cycles")


# --- words -----------------------------------------------------------------------------------------------------------


def test_of_skill_and_luck_only_what_is_seen_is_numbered():
    text = strategy_verdicts.luck_of(skill.skill(make(FakePair(edge=6.0, places=(0.0, 0.0), skill_deal=0.0), 3)), 2)
    assert "is skill (interval" in text
    assert "Nothing is surely seen of" in text
    assert "going first or later" in text.partition("Nothing is surely seen of")[2]


def test_where_nobody_is_better_no_number_of_games_tells(tmp_path):
    equal = (FakeBot("one", "expert"), FakeBot("other", "expert"))
    found = analyse(write(tmp_path, FakeRun(blocks=30, bots=equal, line_ups=((0, 1),), log="games")))
    text = said(found, "luck")
    assert " and more)" in text or "No number of games" in text


def test_one_card_is_named_once():
    row = {"kind": "card", "flagged": True, "unit": "times a game", "low": 0.1, "high": 0.9, "n": 9}
    rows = [
        row | {"what": "bard", "label": "Bard", "event": "played", "value": 0.7},
        row | {"what": "bard", "label": "Bard", "event": "kept", "value": -0.6},
        row | {"what": "king", "label": "King", "event": "played", "value": 0.5},
    ]
    text = strategy_verdicts.apart(strategy.Profile("a", "b", True, pl.DataFrame(rows)))
    assert "Bard is played more often" in text
    assert "King is played more often" in text
    assert "kept" not in text


# --- what is missing -------------------------------------------------------------------------------------------------


def lacking(found: Strategy) -> set[str]:
    return {missing.section for missing in found.missing}


def test_a_run_of_one_bot_lacks_all_comparisons(tmp_path):
    found = analyse(write(tmp_path, FakeRun(blocks=40, bots=BOTS[:1], line_ups=((0, 0),))))
    assert found.ladder is found.meta is found.cycle is None
    assert found.skills == found.profiles == ()
    assert {"ratings", "meta", "luck", "feel"} <= lacking(found)
    assert said(found, "nothing").startswith("Only weak has played, against itself")
    assert "`fairdeal balance made-up --bots weak,another`" in said(found, "nothing")


def test_without_a_log_of_cards_or_moves_the_command_is_named(found):
    (cards,) = [missing.text for missing in found.missing if missing.section == "profiles"]
    assert "`fairdeal balance made-up --bots weak,middle,strong` writes one." in cards
    (moves,) = found.lacks("feel")
    assert "`fairdeal simulate made-up --bots weak,middle,strong --log moves --games 2k`" in moves


def test_where_not_all_have_met_there_is_no_meta(tmp_path):
    found = analyse(write(tmp_path, dataclasses.replace(RUN, blocks=40, line_ups=((0, 1), (1, 2)))))
    assert found.meta is None
    assert found.ladder is not None
    assert "plays all pairs." in found.lacks("meta")[0]
    assert len(found.skills) == 4


def test_strangers_are_not_rated(tmp_path):
    four = (*BOTS, FakeBot("new", "trained"))
    found = analyse(write(tmp_path, dataclasses.replace(RUN, blocks=20, bots=four, line_ups=((0, 1), (2, 3)))))
    assert found.ladder is None
    assert "groups that never met" in found.lacks("ratings")[0]
    assert str(tmp_path) not in found.lacks("ratings")[0]


def test_an_unfinished_run_says_so_first(tmp_path):
    cut = dataclasses.replace(RUN, blocks=80, blocks_per_shard=40)
    found = analyse(write(tmp_path, cut, shards=9))
    assert found.verdicts[0].topic == "unfinished"
    assert found.meta is None
    assert "--resume" in found.lacks("meta")[0]


def test_a_few_deals_tell_neither_luck_nor_a_meta(tmp_path):
    found = analyse(write(tmp_path, dataclasses.replace(RUN, blocks=4)))
    assert found.skills == ()
    assert found.meta is None
    for section in ("meta", "luck"):
        assert found.lacks(section)[0].startswith("4 deals do not tell how deals differ")
