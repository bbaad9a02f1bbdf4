"""Versions against the same targets: made-up runs whose truth is known, and verdicts made by hand."""

import dataclasses
import math
import os

import pytest

from analysis import stats
from analysis.check import MET, MISSED, UNKNOWN, Figure, Result
from analysis.stats import Estimate
from analysis.studies.trend import open_versions, study
from analysis.targets import Target
from analysis.trend import Series, version_names
from analysis.trend_verdicts import course, of_series, page_one
from simcore.errors import InputError
from tests.analysis import fake_trend
from tests.analysis.fake_run import FakeBot, edit_cards, edit_manifest, forget_rows
from tests.analysis.fake_trend import PLAIN, write, write_targets, write_version


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("trend")


@pytest.fixture(scope="module")
def runs(folder):
    return write(folder)


@pytest.fixture(scope="module")
def trend(folder, runs):
    return study([run.path for run in runs], write_targets(folder))


def series(trend, name):
    (found,) = (one for one in trend.series if one.target.name == name)
    return found


def test_each_target_is_judged_at_each_version(trend):
    verdicts = {one.target.name: [result.verdict for result in one.results] for one in trend.series}
    assert verdicts == {
        "going_first": [MET, MET, MISSED],
        "no_card_too_strong": [MET, MET, MISSED],
        "length": [MET, MET, MET],
        "scores": [MISSED, MISSED, MISSED],
        "draws": [MET, MET, MET],
    }
    turn = series(trend, "going_first").turns[0]
    assert (turn.old, turn.new, turn.version) == (MET, MISSED, 2)
    assert series(trend, "scores").turns == ()


def test_page_one_names_the_targets_that_turned_and_when(trend):
    first, *others = [verdict.text for verdict in page_one(trend)]
    turned = "two turned from met to missed (going_first, no_card_too_strong)"
    assert first == f"v3: 2 of 5 targets met and 3 missed. Since v1, {turned}."
    assert others[0].startswith("going_first turned from met to missed at v3. v3: 2 of 2 surely outside: place ")
    assert "From v2 to v3, yellow 10: +" in others[1]
    assert others[1].endswith("of independent runs), that is sure.")
    assert others[3].endswith("From v2 to v3, the median length stayed the same.")


def test_means_on_the_same_deals_are_paired_and_their_intervals_smaller(trend):
    (change,) = series(trend, "scores").changes[1]
    old, new = (result.figures[0].estimate for result in series(trend, "scores").results[1:])
    assert change.paired
    assert change.sure
    assert change.difference.value == pytest.approx(new.value - old.value)
    apart = stats.difference_interval(old, new)
    assert apart[0] < change.difference.low < change.difference.high < apart[1]
    assert change.difference.high - change.difference.low < (apart[1] - apart[0]) / 3


def test_cards_and_medians_are_compared_by_their_own_intervals(trend):
    cards = series(trend, "no_card_too_strong")
    strong = cards.change(2, "yellow 10")
    assert not strong.paired
    assert strong.sure
    assert strong.difference.low < 4 < strong.difference.high
    assert strong.together[0] < strong.difference.low
    assert not cards.change(2, "blue 2").sure
    assert cards.change(0, "yellow 10") is None
    assert sum(change.sure for change in cards.changes[1]) == 1


def test_a_card_is_followed_under_one_name_whatever_edits_make_of_it(folder, tmp_path):
    runs = write(tmp_path)
    edit_cards(runs[1], Y10="yellow 14")
    edit_cards(runs[2], Y10="yellow 20")
    cards = series(study([run.path for run in runs], write_targets(folder)), "no_card_too_strong")
    assert cards.change(1, "yellow 10 (now 20)") is not None
    assert cards.change(2, "yellow 10 (now 20)").sure
    assert cards.tracked[0] == "yellow 10 (now 20)"
    assert [len(changes) for changes in cards.changes] == [50, 50]


def test_a_card_that_gets_its_old_name_back_is_told_from_one_that_had_it_meanwhile(folder, tmp_path):
    runs = write(tmp_path)
    edit_cards(runs[1], Y10="yellow 14", Y09="yellow 10")
    cards = series(study([run.path for run in runs], write_targets(folder)), "no_card_too_strong")
    for version in (1, 2):
        assert cards.change(version, "yellow 10 (yellow 14 for a time)") is not None
        assert cards.change(version, "yellow 9 (yellow 10 for a time)") is not None
        assert cards.change(version, "yellow 10") is None


def test_versions_that_do_not_name_their_rows_are_followed_by_name(folder, tmp_path):
    runs = write(tmp_path)
    forget_rows(runs[0])
    edit_cards(runs[1], Y10="yellow 14")
    edit_cards(runs[2], Y10="yellow 14")
    cards = series(study([run.path for run in runs], write_targets(folder)), "no_card_too_strong")
    assert cards.change(1, "yellow 14") is None
    assert cards.change(2, "yellow 14") is not None


def test_places_are_paired_by_turn_order(trend):
    first, second = series(trend, "going_first").changes[1]
    assert first.paired
    assert first.difference.value == pytest.approx(-second.difference.value)
    assert first.together == (first.difference.low, first.difference.high)  # two places are one question


def test_other_deals_are_independent_runs(tmp_path):
    versions = [("v1", PLAIN), ("v2", dataclasses.replace(PLAIN, seed=2))]
    found = study([run.path for run in write(tmp_path, versions)], write_targets(tmp_path))
    assert not any(change.paired for one in found.series for changes in one.changes for change in changes)
    assert [one.changes[0][0].sure for one in found.series if one.target.name != "no_card_too_strong"] == [False] * 4


def test_the_same_deals_of_a_set_with_itself_change_nothing(tmp_path):
    versions = [("v1", PLAIN), ("v2", PLAIN)]
    found = study([run.path for run in write(tmp_path, versions)], write_targets(tmp_path))
    (change,) = series(found, "scores").changes[0]
    assert (change.difference.value, change.difference.low, change.difference.high, change.sure) == (0, 0, 0, False)


# --- verdicts made by hand -------------------------------------------------------------------------------------------


def at(verdict, name="it"):
    low, high = {MET: (-0.5, 0.5), MISSED: (2, 3), UNKNOWN: (0.5, 1.5)}[verdict]
    e = Estimate((low + high) / 2, low, high, 1000, 1000, "points")
    figure = Figure(name, e, (low, high), -math.inf, 1)
    return Result(Target("a", "score", "mean", -math.inf, 1), 2, "a itself", 2000, 1000, "points", "", (figure,))


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [
        ((MET, MET, MET), "is met at every version"),
        ((UNKNOWN, UNKNOWN, UNKNOWN), "is not yet known at any version"),
        ((MET, UNKNOWN, UNKNOWN), "is met at v1 and not yet known at v2 and v3"),
        ((MET, UNKNOWN, MISSED), "turned from met to missed at v3"),
        ((MISSED, MET, UNKNOWN), "turned from missed to met at v2"),
        ((MET, MISSED, MET), "turned from met to missed at v2 and from missed to met at v3"),
    ],
)
def test_the_course_of_a_target(trend, verdicts, text):
    made = Series(tuple(map(at, verdicts)), ((), ()))
    assert course(trend, made) == text


def test_where_others_are_judged_no_change_is_told(trend):
    results = (at(MET), at(MET), dataclasses.replace(at(MISSED), line_up="b against itself"))
    told = of_series(trend, Series(results, ((), ()))).text
    assert told.endswith("others are the strongest (a itself, then b against itself), so no change is told.")


def test_the_figures_of_any_version_are_followed():
    made = Series((at(MISSED, "x"), at(MET, "y"), at(MET, "z")), ((), ()))
    assert made.tracked == ("z", "y", "x")
    assert made.figure(1, "x") is None


# --- runs and their names --------------------------------------------------------------------------------------------


def test_versions_are_named_by_set_then_hash_then_folder(tmp_path):
    one, two = (dataclasses.replace(fake_trend.PLAIN, blocks=40, seed=s) for s in (1, 2))
    made = write(tmp_path, [("a", one), ("b", one), ("b", two), ("c", one), ("c", one)])
    names = version_names([(run,) for run in made])
    assert names[0] == "a"
    assert names[1].startswith("b ")
    assert len(set(names[1:3])) == 2
    assert names[3:] == ["c (run-3)", "c (run-4)"]


def test_a_version_may_have_a_run_for_each_number_of_seats(tmp_path):
    two = dataclasses.replace(PLAIN, blocks=200)
    three = dataclasses.replace(two, seats=3, line_ups=((0,) * 3, (1,) * 3, (0, 1, 1), (1, 0, 0)))
    for name in ("v1", "v2"):
        for seats, fake in ((2, two), (3, three)):
            write_version(tmp_path / name / f"{seats}-seats", name, fake, digest=name * 32)
    text = '[places]\nkind = "seat_share"\nwithin = 0.2\n[length]\nkind = "length"\nat_most = 60\nseats = 3'
    found = study([tmp_path / "v1", tmp_path / "v2"], write_targets(tmp_path, text))
    assert [found.name(one) for one in found.series] == ["places, 2 seats", "places, 3 seats", "length, 3 seats"]
    assert [len(one.changes[0]) for one in found.series] == [2, 3, 1]
    assert found.series[1].changes[0][0].paired
    with pytest.raises(InputError, match=r"other numbers of seats \(2\)"):
        open_versions([tmp_path / "v1", tmp_path / "v2" / "2-seats"])


def test_order_as_given_or_by_time(runs):
    for age, run in zip((5, 20, 10), runs, strict=True):
        os.utime(run.path / "manifest.json", (1e9 - age, 1e9 - age))
    paths = [run.path for run in runs]
    assert [version[0].path for version in open_versions(paths)] == paths
    assert [version[0].path for version in open_versions(paths, by_time=True)] == [paths[1], paths[2], paths[0]]


def test_what_cannot_be_followed_is_refused(tmp_path, runs):
    path = runs[0].path
    few = dataclasses.replace(PLAIN, blocks=40)
    others = {
        "other bots": dataclasses.replace(few, bots=(FakeBot("heuristic", "simple"), FakeBot("strong", "expert"))),
        "other line-ups": dataclasses.replace(few, line_ups=((0, 0), (1, 1))),
        "other numbers of seats": dataclasses.replace(few, seats=3, line_ups=((0,) * 3, (1,) * 3, (0, 1, 1))),
    }
    for i, (message, fake) in enumerate(others.items()):
        other = write_version(tmp_path / str(i), "v2", fake)
        with pytest.raises(InputError, match=message):
            open_versions([path, other.path])
    with pytest.raises(InputError, match="at least two versions"):
        open_versions([path])
    with pytest.raises(InputError, match="named twice"):
        open_versions([path, runs[1].path, path])


def test_a_bot_of_other_weights_and_unfinished_runs_are_told(tmp_path):
    few = dataclasses.replace(PLAIN, blocks=200, blocks_per_shard=100)
    made = write(tmp_path, [("v1", few), ("v2", few)])
    one, other = made[1].manifest["bots"]
    edit_manifest(made[1], bots=[one, {**other, "hash": "f" * 64}], version="9.9")
    shards = made[1].path / "shards.jsonl"
    shards.write_text("".join(shards.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")
    found = study([run.path for run in made], write_targets(tmp_path))
    assert len(found.notes) == 3
    assert found.notes[0].startswith("From v1 to v2 also the code or the weights of expert changed")
    assert found.notes[1].startswith("v1 and v2 were played by different versions of fairdeal (0.1.0 and 9.9)")
    assert found.notes[2] == "Not finished, and judged as far as they are played: v2."
    assert not any(change.paired for one in found.series for changes in one.changes for change in changes)
    assert [v.text for v in page_one(found)][1:4] == list(found.notes)
