"""Sweeps: levels and paired changes of made-up runs, shapes, even values, sentences, and the folder."""

import dataclasses
import json
import re

import pytest

from analysis import stats, sweep_verdicts
from analysis.balance import analyse as analyse_run
from analysis.comparison import IDENTICAL
from analysis.sweep import AS_IT_IS, DIPS, FALLS, FLAT, MIXED, PEAKS, RISES, analyse, meets
from analysis.sweep_folder import open_sweep, writing
from simcore.errors import InputError
from simcore.runlog import open_run
from tests.analysis.fake_run import FakeBot, FakeRun, edit_manifest
from tests.analysis.fake_sweep import axis, write

BOTS = (FakeBot("weak", "random", 0.0, turns=90.0), FakeBot("strong", "expert", 5.0, turns=60.0))
LINE_UPS = ((0, 0), (1, 1), (0, 1))
VALUES = [0, 10, 20, 30]


def at(first_points: float, skill: float = 5.0) -> FakeRun:
    bots = (BOTS[0], dataclasses.replace(BOTS[1], skill=skill))
    return FakeRun(blocks=3000, bots=bots, line_ups=LINE_UPS, first_points=first_points, log="games")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Going first is worth 3 points at 0 and 2.3 points less with every 10, the strong bot's skill grows."""
    points = {(value,): at(3 - 0.23 * value, 3.0 + value / 10) for value in VALUES}
    return write(tmp_path_factory.mktemp("sweep"), [axis("rules.cost", VALUES, 10)], points)


@pytest.fixture(scope="module")
def sweep(runs):
    return analyse(runs)


def row(sweep, point, line_up, measure, subject=""):
    (found,) = sweep.rows.filter(point=point, line_up=line_up, measure=measure, subject=subject).to_dicts()
    return found


def test_at_the_base_point_every_change_is_exactly_zero(sweep):
    base = sweep.rows.filter(point=sweep.base)
    assert len(base) > 50
    assert set(base["change"]) == {0.0}
    assert set(base["wording"]) == {AS_IT_IS}
    assert sweep.played.filter(point=sweep.base)["identical"].min() == 1.0
    assert not sweep.played.filter(point=sweep.base)["no_reaction"].any()


def test_levels_are_those_of_a_balance_of_the_same_run(runs, sweep):
    for point, run in runs.runs.items():
        for line_up in analyse_run(run).line_ups:
            found = row(sweep, point, line_up.index, "order_share", "0")
            share = line_up.turn_order.orders[0].share
            assert found["value"] == pytest.approx(share.value)
            assert (found["low"], found["high"]) == pytest.approx((share.low, share.high))
            for bot in line_up.scores.bots:
                found = row(sweep, point, line_up.index, "score", bot.bot)
                assert found["value"] == pytest.approx(bot.score.value)
                assert (found["low"], found["high"]) == pytest.approx((bot.score.low, bot.score.high))


def test_planted_changes_are_found_with_a_narrower_interval_than_the_level(sweep):
    for point, value in enumerate(VALUES):
        found = row(sweep, point, 1, "order_margin", "0")
        truth = -0.23 * (value - 10)
        if point == sweep.base:
            continue
        assert found["change_low"] - 0.05 <= truth <= found["change_high"] + 0.05
        assert found["change_high"] - found["change_low"] < 0.5 * (found["high"] - found["low"])
        assert found["variance_ratio"] > 4


def test_the_headline_is_the_strongest_bot_against_itself(sweep):
    assert str(sweep.main) == "strong against itself"
    assert sweep.facts.card_set == "base"
    assert sweep.complete


def test_shapes(sweep):
    shapes = {(r["line_up"], r["measure"], r["subject"]): r["shape"] for r in sweep.responses.to_dicts()}
    assert shapes[1, "order_margin", "0"] == FALLS
    assert shapes[2, "bot_share", "strong"] == RISES
    assert shapes[2, "bot_share", "weak"] == FALLS
    assert shapes[1, "cut_off", ""] == FLAT


@pytest.mark.parametrize(
    ("skills", "shape"), [((3, 9, 3), PEAKS), ((9, 3, 9), DIPS), ((3, 9, 15), RISES), ((9, 9, 9), FLAT)]
)
def test_peaks_and_dips_are_meant_at_the_base(tmp_path, skills, shape):
    points = {(i,): dataclasses.replace(at(0, skill), blocks=400) for i, skill in enumerate(skills)}
    found = analyse(write(tmp_path, [axis("rules.cost", [0, 1, 2], 1)], points)).responses
    assert found.filter(line_up=2, measure="bot_share", subject="strong")["shape"].item() == shape


def test_even_values_are_found(sweep):
    """First points are 3 - 0.23 x, so turn order is even at 13.04."""
    (found,) = sweep.crossings.filter(line_up=1, measure="order_share").to_dicts()
    assert found["low"] < 13.04 < found["high"]
    assert found["at"] == pytest.approx(13.04, abs=3)
    assert found["target"] == 0.5
    assert not len(sweep.crossings.filter(measure="bot_share"))


def test_a_curve_meets_a_target_on_a_straight_line_and_its_band_tells_how_sure_that_is():
    x, value = [0.0, 10.0, 20.0], [0.6, 0.5, 0.3]
    low, high = [v - 0.05 for v in value], [v + 0.05 for v in value]
    (found,) = meets(x, value, low, high, 0.45)
    assert found == pytest.approx((12.5, 10.0, 15.0))
    (found,) = meets(x, value, low, high, 0.5)
    assert found == pytest.approx((10.0, 5.0, 12.5))
    assert meets(x, value, low, high, 0.7) == []
    ((at, start, end),) = meets(x, value, low, high, 0.32)
    assert at == pytest.approx(19)
    assert start is not None
    assert end is None  # the band holds the target up to the last value
    ((at, start, end),) = meets([0.0, 1.0], [0.0, 1.0], [-9.0, -9.0], [9.0, 9.0], 0.5)
    assert (at, start, end) == (0.5, None, None)
    assert meets([0.0, 1.0], [0.2, 0.5], [0.1, 0.4], [0.3, 0.6], 0.5)[0][0] == 1.0
    assert meets([3.0], [0.5], [0.4], [0.6], 0.5) == []
    assert len(meets([0, 1, 2, 3], [0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 0, 1], 0.5)) == 3


def test_sentences_name_effect_interval_games_and_bots(sweep):
    verdicts = sweep.verdicts
    assert 4 <= len(verdicts) <= 7
    assert [v.weight for v in verdicts] == sorted((v.weight for v in verdicts), reverse=True)
    by_topic = {v.topic: v for v in sweep_verdicts.sentences(sweep)}
    first = by_topic["going first"].text
    for part in ("cost 10, as it is", "interval", "6,000 games at each value", "strong against itself", "at 0 ("):
        assert part in first
    assert "percentage points" in first
    assert "Going first is worth nothing at cost 1" in by_topic["fair values"].text
    assert "strong" in by_topic["strategies"].text
    assert re.match(
        r"The one pairing of bots (surely changes|does not surely change) by more than your margin\. \w+ against \w+: ",
        by_topic["strategies"].text,
    )
    assert "same 3,000 deals" in by_topic["precision"].text


def test_a_value_that_changes_nothing_is_said_so(tmp_path):
    fake = dataclasses.replace(at(1.0), blocks=60)
    sweep = analyse(write(tmp_path, [axis("rules.cost", [1, 2], 1)], {(1,): fake, (2,): fake}))
    assert set(sweep.responses["wording"]) == {IDENTICAL}
    assert sweep.verdicts[0].topic == "nothing"
    assert "changes nothing" in sweep.verdicts[0].text
    assert "no reaction" not in [v.topic for v in sweep.verdicts]


def test_bots_that_do_not_react_are_named(tmp_path):
    """The made-up play hashes do not depend on the points, so all is played identically and scored differently."""
    points = {(0,): dataclasses.replace(at(0.0), blocks=60), (1,): dataclasses.replace(at(4.0), blocks=60)}
    sweep = analyse(write(tmp_path, [axis("rules.cost", [0, 1], 0)], points))
    (found,) = [v for v in sweep.verdicts if v.topic == "no reaction"]
    assert "scored differently, played identically" in found.text
    assert "strong against itself" in found.text


def test_words_have_no_straight_line_between_them(tmp_path):
    points = {(w,): dataclasses.replace(at(p), blocks=400) for w, p in (("few", 3.0), ("many", -3.0), ("some", 0.0))}
    sweep = analyse(write(tmp_path, [axis("rules.mode", ["few", "many", "some"], "few", "")], points))
    assert not len(sweep.crossings)
    assert set(sweep.responses["shape"]) <= {MIXED, FLAT}
    assert "at many" in " ".join(v.text for v in sweep.verdicts)


def test_two_axes_have_curves_through_the_base_and_crossings_on_each(tmp_path):
    points = {(a, b): dataclasses.replace(at(a + b - 3.0), blocks=1500) for a in (0, 2, 4) for b in (0, 1, 2)}
    sweep = analyse(write(tmp_path, [axis("rules.a", [0, 2, 4], 2), axis("rules.b", [0, 1, 2], 1)], points))
    assert [sweep.points[p].values for p in sweep.along(0)] == [(0, 1), (2, 1), (4, 1)]
    assert [sweep.points[p].values for p in sweep.along(1)] == [(2, 0), (2, 1), (2, 2)]
    assert set(sweep.crossings["axis"]) == {0, 1}
    assert "(4, 2)" in " ".join(v.text for v in sweep.verdicts)


def test_what_is_finished_of_a_sweep_is_analysed_and_said(tmp_path):
    points = {(value,): dataclasses.replace(at(1.0), blocks=40) for value in (0, 1, 2)}
    runs = write(tmp_path, [axis("rules.cost", [0, 1, 2], 0)], points, unplayed=1)
    assert not runs.complete
    sweep = analyse(runs)
    assert (len(sweep.points), sweep.asked) == (2, 3)
    assert sweep.verdicts[0].topic == "unfinished"
    assert "2 of 3 values" in sweep.verdicts[0].text


def test_without_the_base_point_there_is_nothing_to_compare_with(tmp_path):
    points = {(value,): dataclasses.replace(at(1.0), blocks=40) for value in (0, 1)}
    with pytest.raises(InputError, match="--resume"):
        write(tmp_path, [axis("rules.cost", [0, 1], 1)], points, unplayed=1)


def test_a_lone_point_is_no_error(tmp_path):
    points = {(0,): dataclasses.replace(at(1.0), blocks=40)}
    sweep = analyse(write(tmp_path, [axis("rules.cost", [0], 0)], points))
    assert not len(sweep.responses)
    json.dumps(sweep.to_dict(), allow_nan=False)


def test_all_of_it_is_plain_json(sweep):
    content = json.loads(json.dumps(sweep.to_dict(), allow_nan=False))
    assert content["format"] == "fairdeal-sweep-report/1"
    assert len(content["rows"]) == len(sweep.rows)
    assert content["axes"][0]["path"] == "rules.cost"
    assert content["points"][0]["folder"] == "points/000"


def test_a_margin_must_be_positive(runs):
    with pytest.raises(InputError, match="above 0"):
        analyse(runs, margin_points=0)


def test_the_margin_decides(runs):
    wide = analyse(runs, margin_share=0.5, margin_points=1000.0)
    assert stats.MATTERS not in wide.responses.filter(unit="share")["wording"].to_list()
    (found,) = [v for v in wide.verdicts if v.topic == "fair values"]
    assert "fair at every value" in found.text


# --- the folder ------------------------------------------------------------------------------------------------------


def test_a_folder_that_is_no_sweep_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        open_sweep(tmp_path / "nothing")
    with pytest.raises(InputError, match=r"it has no sweep\.json"):
        open_sweep(tmp_path)
    (tmp_path / "sweep.json").write_text("{")
    with pytest.raises(InputError, match="not JSON"):
        open_sweep(tmp_path)
    (tmp_path / "sweep.json").write_text('{"format": "fairdeal-sweep/9"}')
    with pytest.raises(InputError, match="fairdeal-sweep/9"):
        open_sweep(tmp_path)
    (tmp_path / "sweep.json").write_text('{"format": "fairdeal-sweep/1"}')
    with pytest.raises(InputError, match=r"damaged.*axes"):
        open_sweep(tmp_path)


def test_a_point_of_another_plan_is_refused(runs, tmp_path):
    points = {(value,): dataclasses.replace(at(1.0), blocks=40) for value in (0, 1)}
    write(tmp_path, [axis("rules.cost", [0, 1], 0)], points)
    edit_manifest(open_run(tmp_path / "points" / "001"), plan_hash="1" * 64)
    with pytest.raises(InputError, match="not the run that"):
        open_sweep(tmp_path)


def test_only_an_equal_sweep_goes_on(runs, tmp_path):
    entry = runs.entry
    with writing(tmp_path / "a", entry, resume=False):
        pass
    with pytest.raises(InputError, match=r"already holds a sweep.*--resume"), writing(tmp_path / "a", entry, False):
        pass
    with writing(tmp_path / "a", entry, resume=True):
        pass
    other = {**entry, "axes": [{**entry["axes"][0], "values": [10, 20]}]}
    what = r"what is varied \(the folder has rules.cost=0,10,20,30, you ask"
    with pytest.raises(InputError, match=what), writing(tmp_path / "a", other, resume=True):
        pass
    seed = {**entry, "points": [{**point, "plan_hash": "2" * 64} for point in entry["points"]]}
    what = "who plays, how many games, or the seed"
    with pytest.raises(InputError, match=what), writing(tmp_path / "a", seed, resume=True):
        pass
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "diary.txt").touch()
    with pytest.raises(InputError, match=r"not empty.*diary.txt"), writing(tmp_path / "b", entry, False):
        pass
    (tmp_path / "c").touch()
    with pytest.raises(InputError, match="is a file"), writing(tmp_path / "c", entry, False):
        pass


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("rules.expedition_cost", "expedition_cost"),
        ("characters.hunter.vp_amount", "hunter.vp_amount"),
        ("setup.2.houses", "setup.2.houses"),
        ("buildings.A.cost_gold", "buildings.A.cost_gold"),
        ("rules.x", "x"),
    ],
)
def test_a_varied_value_has_a_name_that_says_what_it_is(path: str, name: str) -> None:
    assert sweep_verdicts.axis_name(axis(path, [1, 2], 1)) == name
