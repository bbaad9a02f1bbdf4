"""Balance as a test: made-up games whose truth is known, and figures made by hand."""

import dataclasses
import json
import math

import pytest

from analysis import stats
from analysis.balance import analyse
from analysis.blocks import line_ups
from analysis.cards import card_impact
from analysis.check import MET, MISSED, UNKNOWN, Figure, Result, judge
from analysis.check_verdicts import sentence, summary, warnings
from analysis.stats import Estimate
from analysis.targets import Target, Targets
from simcore.errors import InputError
from tests.analysis import fake_market
from tests.analysis.fake_run import FakeBot, FakeRun, forget_rows, write
from tests.analysis.test_cards import permuted

INF = math.inf
BOTS = (FakeBot("weak", "random"), FakeBot("fair", "expert", 8.0), FakeBot("strong", "expert", 12.0))
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@pytest.fixture(scope="module")
def balance(tmp_path_factory):
    """Going first is worth 3 points, yellow 10 is worth 5, green 2 is never played, games are hardly ever cut off."""
    fake = FakeRun(
        blocks=4000, bots=BOTS, line_ups=PAIRS, first_points=3.0, effects={"yellow-10": 5.0}, dead=("green-2",),
        luck_sd=5.0, noise_sd=6.0, cut_off=0.01,
    )  # fmt: skip
    return analyse(write(tmp_path_factory.mktemp("run"), fake))


def check(balance, kind, low=-INF, high=INF, measure="", **others):
    (result,) = judge([balance], Targets("mine", "", (), (Target("a", kind, measure, low, high, **others),))).results
    return result


def figure(value, half, low=-INF, high=INF, n=1000, unit="points", wider=1.0):
    e = Estimate(value, value - half, value + half, n, n, unit)
    return Figure("it", e, (value - wider * half, value + wider * half), low, high)


def result(*figures):
    target = Target("a", "card_impact", "points", figures[0].low, figures[0].high)
    return Result(target, 2, "a against itself", 2000, 1000, "points", "", figures)


def warned(balance, *bots, kind="draws"):
    return warnings(judge([balance], Targets("mine", "", bots, (Target("a", kind, "", -INF, 0.9),))))


# --- verdicts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "half", "verdict"),
    [(0, 0.5, MET), (0, 1, MET), (0, 1.5, UNKNOWN), (0.9, 0.2, UNKNOWN), (1.3, 0.2, MISSED), (1.3, 0.4, UNKNOWN)],
)
def test_a_figure_is_judged_by_where_its_interval_lies(value, half, verdict):
    for sign in (1, -1):
        assert figure(sign * value, half, -1, 1).verdict == verdict
    assert figure(value, half, -1, 1, n=stats.FEWEST - 1).verdict == UNKNOWN
    assert figure(value, math.nan, -1, 1).verdict == UNKNOWN


def test_a_family_is_missed_by_the_joint_interval_and_met_by_the_own_ones():
    assert result(figure(1.3, 0.2, -1, 1, wider=2)).verdict == UNKNOWN
    assert result(figure(0.7, 0.2, -1, 1, wider=2)).verdict == MET
    assert result(figure(0, 0.2, -1, 1), figure(1.3, 0.2, -1, 1)).verdict == MISSED
    assert result(figure(0, 0.2, -1, 1), figure(0.9, 0.2, -1, 1)).verdict == UNKNOWN


def test_more_games_are_those_that_bring_the_interval_to_the_limit():
    # Inside by 0.5, half width 1: four times as many deals. Beyond by 0.1, half width jointly 0.4: sixteen times.
    assert result(figure(0.5, 1, -2, 1)).more_games == 2 * 3000
    assert result(figure(1.1, 0.2, -2, 1, wider=2)).more_games == 2 * 15_000
    assert result(figure(0.5, 1, -2, 1), figure(1.1, 0.2, -2, 1, wider=2)).more_games == 2 * 15_000
    assert result(figure(1, 1, -2, 1)).more_games is None
    assert result(figure(0, 1, -2, 1)).more_games is None
    # Nothing seen: at most 3 of n.
    unseen = Figure("it", Estimate(0, 0, 0.003, 1000, 1000, "share"), (0, 0.003), -INF, 0.001)
    assert result(unseen).more_games == 2 * 2000


def test_joint_intervals():
    assert stats.of_many(1, (0, 3), 1) == (0, 3)
    wider = stats.z_value(0.95 ** (1 / 50)) / stats.z_value()
    assert stats.of_many(1, (0, 3), 50) == pytest.approx((1 - wider, 1 + 2 * wider))
    low, high = stats.of_many(0.3, (0.29, 0.31), 50, share=True)
    assert (low, high) == pytest.approx((0.3 - 0.01 * wider, 0.3 + 0.01 * wider), abs=3e-4)
    # Rare ones: at least as wide as the exact interval of the joint confidence.
    for seen in (1, 5, 20):
        own = stats.clopper_pearson(seen, 1000)
        exact = stats.clopper_pearson(seen, 1000, stats.sidak(0.95, 50))
        assert stats.of_many(seen / 1000, own, 50, share=True)[1] >= exact[1]
    assert stats.of_many(0, (0, 0.003), 50, share=True)[1] >= -math.log(0.05 / 50) / 1000


# --- the kinds -------------------------------------------------------------------------------------------------------


def test_seat_share(balance):
    r = check(balance, "seat_share", -0.01, 0.01)
    assert r.verdict == MISSED
    assert [f.what for f in r.figures] == ["place 1 in turn order", "place 2 in turn order"]
    assert (r.figures[0].low, r.figures[0].high) == pytest.approx((0.49, 0.51))
    assert r.figures[0].estimate == balance.main.turn_order.orders[0].share
    assert check(balance, "seat_share", -0.3, 0.3).verdict == MET
    advantage = balance.main.turn_order.advantage.value
    assert check(balance, "seat_share", -advantage, advantage).verdict == UNKNOWN


def test_score_and_its_spread(balance):
    bot = balance.main.scores.bots[0]
    for measure, e in (
        ("mean", bot.score), ("spread", bot.sd), ("winning", balance.main.scores.winning),
        ("losing", balance.main.scores.losing),
    ):  # fmt: skip
        assert check(balance, "score", e.low, e.high, measure).verdict == MET
        assert check(balance, "score", e.high + 0.1, INF, measure).verdict == MISSED
        assert check(balance, "score", e.value, INF, measure).verdict == UNKNOWN
        assert check(balance, "score", e.low, e.high, measure).figures[0].estimate == e


def test_length(balance):
    for measure, e in (
        ("median", balance.main.tempo.length_median), ("p95", balance.main.tempo.length_p95),
        ("mean", balance.main.tempo.length),
    ):  # fmt: skip
        assert check(balance, "length", e.low, e.high, measure).verdict == MET
        assert check(balance, "length", -INF, e.low - 1, measure).verdict == MISSED


def test_card_impact(balance):
    missed = check(balance, "card_impact", -3, 3, "points")
    assert missed.verdict == MISSED
    assert [f.what for f in missed.decisive] == ["yellow 10"]
    assert len(missed.figures) == 50
    assert "for all 50 together), in the opening hand, against an average card" in sentence(missed)
    assert check(balance, "card_impact", -3, 3, "points", excepted=("yellow 10",)).verdict == MET
    assert check(balance, "card_impact", -3, 3, "points", cards=("yellow-10", "blue 5")).verdict == MISSED
    assert len(check(balance, "card_impact", -3, 3, "points", cards=("yellow-10", "blue 5")).figures) == 2
    assert check(balance, "card_impact", -6, 6, "points").verdict == MET
    assert check(balance, "card_impact", -0.1, 0.1, "wins").verdict == MISSED
    assert check(balance, "card_impact", -5, 5, "points").verdict == UNKNOWN
    assert check(balance, "card_impact", -5, 5, "points").more_games > 0
    with pytest.raises(InputError, match=r"target a: unknown card 'yelow 10'\. Did you mean yellow 10"):
        check(balance, "card_impact", -3, 3, "points", cards=("yelow 10",))


def test_a_card_is_named_by_its_row_too(balance):
    for name in ("Y10", "cards.Y10"):
        assert check(balance, "card_impact", -3, 3, "points", excepted=(name,)).verdict == MET
        (one,) = check(balance, "card_impact", -3, 3, "points", cards=(name,)).figures
        assert one.what == "yellow 10"
    # A row that shares its card with others stands for that card.
    (one,) = check(balance, "card_impact", -3, 3, "points", cards=("YW2",)).figures
    assert one.what == "yellow wager"
    assert check(balance, "dead_cards", 0.02, INF, "held", excepted=("G02",)).verdict == MET


def test_a_run_that_does_not_name_its_rows_is_judged_by_label(tmp_path):
    old = analyse(forget_rows(write(tmp_path, FakeRun(blocks=400))))
    assert old.facts.rows == {}
    assert len(check(old, "card_impact", -30, 30, "points", cards=("yellow 10",)).figures) == 1
    with pytest.raises(InputError, match=r"unknown card 'Y10'.* A card is named by its label, as in blue wager\.$"):
        check(old, "card_impact", -30, 30, "points", cards=("Y10",))


def test_a_row_without_a_figure_is_not_called_unknown(tmp_path):
    rare = analyse(write(tmp_path, FakeRun(blocks=400, undealt=("yellow-10",))))
    with pytest.raises(InputError, match=r"target a: card 'Y10' has no figure here"):
        check(rare, "card_impact", -30, 30, "points", cards=("Y10",))


def test_dominance(balance):
    r = check(balance, "dominance", -INF, 0.6, "each")
    assert [f.what for f in r.figures] == ["weak against strong", "fair against strong", "strong against fair"]
    assert (r.verdict, [f.what for f in r.decisive]) == (MISSED, ["strong against fair"])
    assert r.line_up == "weak, fair, strong against each other"
    assert r.games == 3 * 8000
    assert check(balance, "dominance", -INF, 0.8, "each").verdict == MET
    field = check(balance, "dominance", -INF, 0.7, "field")
    assert (field.verdict, [f.what for f in field.decisive]) == (MISSED, ["strong against the others"])
    experts = check(balance, "dominance", -INF, 0.8, "field", tier="expert")
    assert [f.what for f in experts.figures] == ["fair against the others", "strong against the others"]
    assert experts.figures[1].estimate.value == pytest.approx(r.figures[2].estimate.value)
    pair = check(balance, "dominance", -INF, 0.7, "field", bots=("weak", "strong"))
    assert (pair.verdict, [f.what for f in pair.decisive]) == (MISSED, ["strong against the others"])


def test_dead_cards(balance):
    r = check(balance, "dead_cards", 0.02, INF, "every")
    assert (r.verdict, [f.what for f in r.decisive]) == (MISSED, ["green 2 (played of the times held)"])
    assert check(balance, "dead_cards", 0.02, INF, "held", excepted=("green 2",)).verdict == MET
    with pytest.raises(InputError, match="this game logs no cards that are offered"):
        check(balance, "dead_cards", 0.02, INF, "offered")


def test_cut_offs_and_draws(balance):
    for kind, e in (("cut_offs", balance.main.tempo.cut_off), ("draws", balance.main.tempo.ties)):
        assert check(balance, kind, -INF, e.high).verdict == MET
        assert check(balance, kind, -INF, e.value).verdict == UNKNOWN
        assert check(balance, kind, -INF, e.low / 2).verdict == MISSED


def test_a_market_is_judged_by_what_lies_on_the_table(tmp_path):
    found = analyse(fake_market.write(tmp_path, fake_market.FakeMarket()))
    r = check(found, "card_impact", -50, 50, "points")
    assert r.verdict == MET
    assert r.basis.startswith("on the table")
    rows = found.main.market.presence.filter(outcome="score")
    assert [f.estimate.value for f in r.figures] == rows["value"].to_list()
    uses = check(found, "dead_cards", 0.0001, INF, "offered")
    assert {f.what.partition(" (")[2] for f in uses.figures} == {"built in games where it lies on the table)"}
    with pytest.raises(InputError, match='Use measure = "points", or leave this target out'):
        check(found, "card_impact", -1, 1, "wins")


# --- whose games -----------------------------------------------------------------------------------------------------


def test_the_line_up_is_the_one_that_is_named(balance):
    assert check(balance, "draws", -INF, 1).line_up == "strong against itself"
    assert check(balance, "draws", -INF, 1, bots=("weak",)).line_up == "weak against itself"
    assert check(balance, "draws", -INF, 1, bots=("strong", "fair")).line_up == "fair against strong"
    assert check(balance, "draws", -INF, 1, tier="random").line_up == "weak against itself"
    with pytest.raises(InputError, match=r"target a: unknown bot 'week'\. Did you mean weak.*Only these played"):
        check(balance, "draws", -INF, 1, bots=("week",))
    with pytest.raises(InputError, match=r"no bots of tier search met each other\. Those that did: random, expert"):
        check(balance, "draws", -INF, 1, tier="search")


def test_without_a_name_the_strongest_of_the_files_own_bots_is_judged(balance):
    def judged(kind, *players, **others):
        target = Target("a", kind, "each" if kind == "dominance" else "", -INF, 1, **others)
        targets = Targets("mine", "", players, (target,))
        (r,) = judge([balance], targets).results
        return r.line_up

    assert judged("draws") == "strong against itself"
    assert judged("draws", "weak", "fair") == "fair against itself"
    assert judged("draws", "weak", "fair", bots=("weak",)) == "weak against itself"
    assert judged("draws", "weak", "fair", tier="expert") == "strong against itself"
    assert judged("draws", "stranger") == "strong against itself"
    assert judged("dominance", "weak", "fair") == "weak, fair against each other"
    assert judged("dominance", "weak") == "weak, fair, strong against each other"


def test_what_was_not_played_or_not_logged_cannot_be_judged(tmp_path):
    plain = analyse(write(tmp_path, FakeRun(blocks=100, bots=BOTS, line_ups=((0, 1),), log="games")))
    with pytest.raises(InputError, match=r"weak against itself was not played\. There is: weak against fair"):
        check(plain, "draws", -INF, 1, bots=("weak",))
    for kind, measure in (("card_impact", "points"), ("dead_cards", "every")):
        with pytest.raises(InputError, match=r"no log of cards\. Play it with --log cards"):
            check(plain, kind, -1, 1, measure)
    with pytest.raises(InputError, match=r"these were not played by weak, fair, strong"):
        check(plain, "dominance", -INF, 0.6, "each")


def test_few_deals_leave_everything_open(tmp_path):
    few = analyse(write(tmp_path, FakeRun(blocks=20, bots=BOTS, line_ups=((1, 1),))))
    assert check(few, "length", 0, 1000, "median").verdict == UNKNOWN
    r = check(few, "card_impact", -1, 1, "points")
    assert (r.verdict, r.figures, r.more_games) == (UNKNOWN, (), None)
    assert sentence(r).startswith("nothing to judge: Too few deals: 20.")


def test_numbers_of_seats_and_targets_that_are_left_out(balance, three_seats):
    both = [balance, analyse(three_seats)]
    targets = (
        Target("all", "draws", "", -INF, 1.0), Target("three", "seat_share", "", -0.5, 0.5, seats=(3,)),
        Target("four", "draws", "", -INF, 1.0, seats=(4,)),
    )  # fmt: skip
    found = judge(both, Targets("mine", "", (), targets))
    assert [(r.target.name, r.seats) for r in found.results] == [("all", 2), ("all", 3), ("three", 3)]
    assert [f.high for f in found.results[2].figures] == pytest.approx([1 / 3 + 0.5] * 3)
    assert found.left_out == ("four",)
    assert summary(found) == "Passed: 3 of 3 targets met."


# --- the whole -------------------------------------------------------------------------------------------------------


def test_the_check_passes_or_fails_and_is_plain_json(balance):
    targets = (
        Target("met", "draws", "", -INF, 0.5),
        Target("open", "draws", "", -INF, balance.main.tempo.ties.value),
        Target("missed", "draws", "", -INF, 0.0001),
    )
    found = judge([balance], Targets("mine", "", (), targets))
    assert [r.verdict for r in found.results] == [MET, UNKNOWN, MISSED]
    assert summary(found) == "Failed: 1 of 3 targets met, 1 missed, 1 not yet known."
    assert not found.passed()
    better = dataclasses.replace(found, results=found.results[:2])
    assert better.passed()
    assert not better.passed(strict=True)
    assert summary(better, strict=True) == "Failed: 1 of 2 targets met, 1 not yet known, which counts as missed."
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["format"] == "fairdeal-check/1"
    assert [r["verdict"] for r in told["results"]] == [MET, UNKNOWN, MISSED]
    assert told["results"][2]["figures"][0]["high"] == 0.0001
    assert {"value", "low", "high", "n"} <= set(told["results"][0]["figures"][0]["estimate"])


def test_outcomes_permuted_over_deals_miss_nothing_too_often(tmp_path, monkeypatch):
    """With a margin of nothing every card is at the limit; what is missed is a false alarm, of one of 50 cards."""
    run = write(tmp_path, FakeRun(blocks=500, bots=BOTS[:1], line_ups=((0, 0),), effects={"yellow-10": 4.0}))
    balance = analyse(run, threads=1)
    runs, missed, single = 40, 0, 0
    for seed in range(runs):
        null = card_impact(permuted(run, monkeypatch, seed), line_ups(run.manifest)[0], threads=1)
        monkeypatch.undo()
        line_up = dataclasses.replace(balance.line_ups[0], cards=null)
        r = check(dataclasses.replace(balance, line_ups=(line_up,)), "card_impact", -1e-9, 1e-9, "points")
        missed += r.verdict == MISSED
        single += sum(f.estimate.low > 0 or f.estimate.high < 0 for f in r.figures)
    assert stats.clopper_pearson(missed, runs, 0.99)[0] <= 0.05
    assert single / runs / 50 == pytest.approx(0.05, abs=0.02)  # so many would be false alarms one by one


def test_the_spread_of_scores_has_its_interval(balance):
    e = balance.main.scores.bots[0].sd
    assert e.high - e.low == pytest.approx(2 * stats.z_value() * e.se)
    # The error of a normal law's deviation is sd / sqrt(2 n); of n seats that share some luck, 4,000 to 16,000.
    assert e.value / math.sqrt(2 * 16_000) <= e.se <= e.value / math.sqrt(2 * 4_000)


def test_a_warning_says_which_bots_of_the_file_did_not_play_and_who_is_judged_instead(balance):
    assert warned(balance) == warned(balance, "strong") == warned(balance, "weak", "fair") == ()
    (text,) = warned(balance, "mild", "wild")
    assert text == (
        "The targets name mild and wild, which did not play; weak, fair and strong did. Not judged by the bots that "
        "the targets mean, but by strong against itself: a. Play mild, wild (--bots), or name in the targets file "
        "those that are to be judged."
    )
    (text,) = warned(balance, "mild", "fair")
    assert text.startswith("The targets name mild, which did not play; weak, fair and strong did. Only those of")
    own = Target("a", "draws", "", -INF, 0.9, bots=("fair",))
    (text,) = warnings(judge([balance], Targets("mine", "", ("mild",), (own,))))
    assert "Not judged" not in text


def test_a_warning_says_where_the_named_bots_never_played_themselves(tmp_path):
    run = write(tmp_path / "run", FakeRun(blocks=40, bots=BOTS, line_ups=((0, 1), (1, 2), (0, 2))))
    (text,) = warned(analyse(run), "weak", "strong")
    assert text.startswith("Not judged by the bots that the targets mean, but by ")
