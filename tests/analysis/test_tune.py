"""What a candidate of a tuning costs, and which edits its search tries."""

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis import tune
from analysis.check import Check, Figure, Result
from analysis.stats import Estimate
from analysis.studies import tune as study
from analysis.targets import Target
from analysis.tune import BYSTANDER, EDIT, SIZE, Finalist, Range, Trial
from analysis.tune_folder import Log
from analysis.tune_search import Point, Search


def figure(value: float, half: float, low: float, high: float) -> Figure:
    ends = (value - half, value + half)
    return Figure("a figure", Estimate(value, *ends, 1000, 1000, "points"), ends, low, high)


def check_of(*figures: Figure) -> Check:
    target = Target("t", "score", "mean", -1, 1)
    result = Result(target, 2, "a", 1000, 1000, "points", "", figures, None if figures else "no reason")
    return Check("g", "G", "set", "hash", ("a",), 0, "0", True, "targets", "points", (result,))


def test_a_miss_is_told_in_margins_from_the_end_of_the_interval() -> None:
    assert tune.miss(check_of(figure(0, 1, -2, 2))) == 0
    assert tune.miss(check_of(figure(4, 1, -2, 2))) == 1.5
    assert tune.miss(check_of(figure(-4, 1, -2, 2)), reach=0.5) == 1.25
    assert tune.miss(check_of(figure(4, 1, -2, 2), figure(3, 0, -2, 2))) == 2.0
    assert tune.miss(check_of(figure(12, 0, -math.inf, 10))) == pytest.approx(0.2)
    assert tune.miss(check_of(figure(3, 0, 0, math.inf))) == 0
    assert tune.miss(check_of(figure(-3, 0, 0, math.inf))) == 3
    assert tune.miss(check_of(figure(math.nan, 1, -2, 2))) == tune.UNJUDGED
    assert tune.miss(check_of()) == tune.UNJUDGED


def test_a_miss_has_a_slope_wherever_there_is_one() -> None:
    misses = [tune.miss(check_of(figure(value, 1, -2, 2))) for value in (9, 7, 5, 3, 1.5)]
    assert misses == sorted(misses, reverse=True)
    assert len(set(misses)) == len(misses)


def test_a_price_grows_with_the_number_of_edits_and_their_size() -> None:
    ranges = [Range("a", tuple(range(11)), 5), Range("b", (0, 10, 20), 10)]
    assert tune.price(ranges, (5, 10)) == 0
    assert tune.price(ranges, (6, 10)) == pytest.approx(EDIT + SIZE / 10)
    assert tune.price(ranges, (0, 20)) == pytest.approx(2 * EDIT + SIZE)


def test_an_edit_of_a_card_that_nothing_names_costs_more_than_any_of_one_that_is_named() -> None:
    ranges = [Range("cards.a.value", tuple(range(11)), 5), Range("cards.b.value", tuple(range(11)), 5)]
    assert tune.price(ranges, (6, 5), {"cards.b.value"}) == tune.price(ranges, (6, 5))
    assert tune.price(ranges, (5, 6), {"cards.b.value"}) == pytest.approx(EDIT + BYSTANDER + SIZE / 10)
    assert tune.price(ranges, (5, 6), {"cards.b.value"}) > tune.price(ranges, (0, 5))


def test_named_are_the_cards_beyond_a_limit() -> None:
    beyond, within = (dataclasses.replace(figure(value, 1, -2, 2), card=f"c{value}") for value in (3, 1))
    assert tune.named(check_of(beyond, within, beyond, figure(9, 1, -2, 2))) == ("c3",)
    assert tune.named(check_of()) == ()


@pytest.mark.parametrize(
    ("named", "others"),
    [
        (("yellow-10",), {"cards.B10.value", "rules.bonus_points"}),
        (("white-10", "yellow-10"), {"cards.B10.value", "rules.bonus_points"}),
        (("white-10",), set()),
        ((), set()),
    ],
)
def test_bystanders_are_what_no_missed_target_names(tmp_path: Path, named: tuple[str, ...], others: set[str]) -> None:
    words = ["cards.Y10.value=5:12", "cards.B10.value=5:12", "rules.bonus_points=0:40:20"]
    made = study.plan("lost-cities", words, games=200)
    tuner = study._Tuner(made, tmp_path, Log(tmp_path / "log", []), 1, 1, None, lambda progress: None)
    assert tuner._bystanders(Trial((10, 10, 20), 0.0, 1.0, 1.0, named=named)) == others


def test_a_finalist_that_meets_all_targets_comes_before_a_cheaper_one_that_does_not() -> None:
    met = Finalist((10,), ("10",), 0.03, 0.0, 0.18, ("a",), "met", True)
    cheaper = dataclasses.replace(met, fresh=0.15, passed=False)
    assert min(cheaper, met, key=lambda one: one.rank) is met
    assert min(met, dataclasses.replace(met, fresh=0.1), key=lambda one: one.rank).fresh == 0.1


def test_the_optimism_is_the_mean_of_fresh_misses_over_the_searched_one() -> None:
    found = tune.optimism(0.1, [0.2, 0.4], 500)
    assert found.value == pytest.approx(0.2)
    assert found.high - found.value == pytest.approx(12.706 * 0.1, rel=1e-4)  # t with one degree of freedom
    assert (found.n, found.games) == (2, 500)


# --- the search ------------------------------------------------------------------------------------------------------


def run(axes: int, miss: Callable[[Point], float], most: int = 10_000, seed: int = 1) -> tuple[Search, list[Point]]:
    """Search `axes` values from 0 to 10, all 5 as they are; the candidates that were asked for."""
    ranges = [Range("v", tuple(range(11)), 5)] * axes
    search = Search([11] * axes, (5,) * axes, lambda point: tune.price(ranges, point), seed)
    asking, asked = search.run(), []
    try:
        point = next(asking)
        while len(asked) < most:
            asked.append(point)
            point = asking.send(miss(point) + search.price(point))
    except StopIteration:
        pass
    return search, asked


def test_one_edit_is_found_among_twenty_values() -> None:
    search, asked = run(20, lambda point: max(0, abs(point[13] - 9) - 1))
    assert search.best == (*[5] * 13, 8, *[5] * 6)
    assert search.met
    assert len(asked) < 60


def test_one_edit_is_preferred_to_two_that_do_the_same() -> None:
    """Both values lower the miss, either of them alone far enough."""
    search, _ = run(5, lambda point: max(0, 3 - (point[1] - 5) - (point[3] - 5)))
    assert search.met
    assert sorted(search.best) == [5, 5, 5, 5, 8]


def test_edits_that_are_not_needed_are_taken_back() -> None:
    """Value 0 helps, but once value 1 is where it should be it does not matter any more."""

    def miss(point: Point) -> float:
        away = abs(point[1] - 10)
        return away + min(away, 0.5) * abs(point[0] - 8) / 10

    search, _ = run(3, miss)
    assert search.best == (5, 10, 5)


def test_edits_that_only_help_together_are_found() -> None:
    """Along each axis alone everything is worse: the valley lies across."""

    def miss(point: Point) -> float:
        a, b = point[0] - 5, point[1] - 5
        return 0.3 * abs(4 - (a + b) / 2) + 2 * abs(a - b)

    search, _ = run(2, miss)
    assert search.best == (9, 9)


def test_nothing_is_tried_where_the_targets_are_met() -> None:
    search, asked = run(4, lambda point: 0.0)
    assert asked == [(5, 5, 5, 5)]
    assert search.best == asked[0]


def test_no_candidate_is_asked_twice_and_equal_seeds_ask_the_same() -> None:
    def miss(point: Point) -> float:
        return 1 + sum((value - 7.3) ** 2 for value in point) / 100

    _, asked = run(4, miss, 200)
    assert len(set(asked)) == len(asked)
    assert run(4, miss, 200)[1] == asked
    assert run(4, miss, 200, seed=2)[1] != asked


def test_card_sets_that_cannot_be_played_are_passed_over() -> None:
    search, _ = run(2, lambda point: math.inf if point[0] > 7 else 1 + abs(point[0] - 9) + abs(point[1] - 6))
    assert search.best == (7, 6)
