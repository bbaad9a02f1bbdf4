"""Figures alone, as a notebook uses them: they take a frame and axes, and return the axes."""

import polars as pl
import pytest
from matplotlib.figure import Figure

from analysis import figures
from reports import svg


@pytest.fixture
def ax():
    return Figure().add_subplot()


def marks(*rows, **more):
    frame = pl.DataFrame(rows, schema=["value", "low", "high"], orient="row", strict=False)
    return frame.with_columns(**{name: pl.Series(values) for name, values in more.items()})


def test_intervals_keep_the_order_and_hold_zero_and_margin(ax):
    frame = marks((3.0, 2.0, 4.0), (5.0, None, None), name=["a", "b"], text=["3", "5"], colour=["#000000"] * 2)
    assert figures.intervals(frame, ax, xlabel="points", margin=1.0) is ax
    low, high = ax.get_xlim()
    assert low < -1
    assert high > 5
    top, bottom = (t.get_position()[1] for t in ax.texts if t.get_text() in "ab")
    assert ax.transData.transform((0, top))[1] > ax.transData.transform((0, bottom))[1]


def test_forest_does_not_let_one_wide_interval_squeeze_the_others(ax):
    rows = [(0.1 * i, 0.1 * i - 1, 0.1 * i + 1) for i in range(9)] + [(0.0, -500.0, 500.0)]
    frame = marks(*rows, label=list("abcdefghij"), colour=["#000000"] * 10, strong=[False] * 10, gap=[False] * 10)
    assert figures.forest(frame, ax, xlabel="points", margin=1.0) is ax
    assert ax.get_xlim()[1] < 5


def test_side_by_side_has_a_row_a_label_and_a_mark_a_bot(ax):
    rows = [(3.0, 2.0, 4.0), (5.0, 4.0, 6.0), (1.0, None, None), (2.0, 1.0, 3.0)]
    frame = marks(*rows, label=["a", "a", "b", "b"], colour=["#000000", "#0072b2"] * 2)
    assert figures.side_by_side(frame, ax, xlabel="points", heading="On average") is ax
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]
    heights = [line.get_ydata()[0] for line in ax.lines if line.get_marker() == "o"]
    assert heights == sorted(heights)
    assert sum(heights[:2]) / 2 == pytest.approx(0)
    assert sum(heights[2:]) / 2 == pytest.approx(1)
    assert heights[1] - heights[0] == pytest.approx(figures.SIDE / figures.row_height(2))


def test_names_are_broken_into_lines_that_have_room(ax):
    names = ["expert", "a name of some length", "b"]
    frame = figures.name_lines(names, ["#000000"] * 3, 150)
    assert frame["line"].to_list() == [0, 1, 1]
    assert (frame["left"] < 1).all()
    assert figures.names_of(frame, ax) is ax
    assert [text.get_text() for text in ax.texts] == names
    assert figures.name_lines(["x" * 90], ["#000000"], 150)["line"].to_list() == [0]


def test_ridges_leave_out_only_the_last_thousandth(ax):
    shapes = pl.DataFrame({"name": "a", "x": [0, 50, 100, 9000], "fraction": [0.3, 0.4, 0.2995, 0.0005]})
    frame = marks((50.0, 49.0, 51.0), name=["a"], text=["50"], colour=["#000000"])
    assert figures.ridges(shapes, frame, ax, xlabel="points", zero=True) is ax
    assert 100 <= ax.get_xlim()[1] < 150


def test_ridges_of_one_value(ax):
    shapes = pl.DataFrame({"name": "a", "x": [7], "fraction": [1.0]})
    figures.ridges(shapes, marks((7.0, 7.0, 7.0), name=["a"], text=["7"], colour=["#000000"]), ax, xlabel="turns")
    assert ax.get_xlim()[0] < 7 < ax.get_xlim()[1]


@pytest.mark.parametrize("size", [1e-4, 0.3, 1, 9, 77, 4e5])
def test_running_has_a_few_round_numbers_at_the_side(ax, size):
    frame = pl.DataFrame({"games": [512, 1024, 40_000], "value": [0.0] * 3}).with_columns(
        low=pl.lit(-size), high=pl.lit(size), anytime_low=pl.lit(-3 * size), anytime_high=pl.lit(3 * size)
    )
    assert figures.running(frame, ax, xlabel="games", ylabel="points", margin=None) is ax
    assert 3 <= len(ax.get_yticks()) <= 9
    assert [t.get_text() for t in ax.get_xticklabels()] == ["1,000", "3,000", "10,000", "30,000"]


def test_stacked_bars_end_at_a_hundred_and_name_only_parts_with_room(ax):
    frame = pl.DataFrame(
        {"name": ["a"] * 3 + ["b"] * 3, "part": ["x", "y", "z"] * 2, "value": [70.0, 28.0, 2.0, 0.0, 50.0, 50.0]}
    )
    assert figures.stacked(frame, ax, parts=["x", "y", "z"]) is ax
    said = [text.get_text() for text in ax.texts]
    assert [word for word in said if word.endswith("%")] == ["70 %", "28 %", "50 %", "50 %"]
    assert {"a", "b"} <= set(said)
    assert max(bar.get_x() + bar.get_width() for bar in ax.patches) == pytest.approx(100)


def test_the_key_of_stacked_bars_names_every_part(ax):
    figures.key(ax, ["the last house", "the points"])
    assert [text.get_text() for text in ax.texts] == ["the last house", "the points"]
    assert len(ax.patches) == 2


def test_a_long_label_is_cut_at_its_colon_else_with_an_ellipsis():
    assert figures.shorten("blue treasury 2: rubble discount 2; noble action decree 1", 26) == "blue treasury 2"
    assert figures.shorten("ship blue: hull 1", 26) == "ship blue: hull 1"
    assert figures.shorten("Grand Master residence of Malta", 12) == "Grand Maste…"


def test_names_are_wrapped_at_their_joints():
    assert figures.wrapped("uniform_card_then_deck", 12) == ["uniform_", "card_then_", "deck"]
    assert figures.wrapped("expert", 12) == ["expert"]
    assert figures.shorten("abcdef", 4) == "abc…"
    assert figures.shorten("abcd", 4) == "abcd"


def test_colours_come_again_after_eight_bots():
    assert len({figures.colour(i) for i in range(8)}) == 8
    assert figures.colour(8) == figures.colour(0)


def test_a_drawing_says_what_it_shows_even_in_awkward_words():
    panel = svg.Panel(0, 0, 10, 10, lambda ax: ax)
    drawn = svg.Drawing("x", 10, 10, [panel], 'a "b" <c> & d').svg
    assert 'aria-label="a &quot;b&quot; &lt;c&gt; &amp; d"' in drawn
