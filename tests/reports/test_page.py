"""Small parts of pages: numbers, minus signs, Markdown."""

import math

import pytest

from analysis.stats import Estimate
from reports import numbers, page
from reports.page import Cell, Column, Table


def test_numbers_show_as_many_digits_as_they_deserve():
    assert numbers.amount(Estimate(0.526, 0.521, 0.531, 9, 9, "share")) == Cell(
        "52.6", "52.1 to 53.1", (0.526, 0.521, 0.531), 9
    )
    assert numbers.effect(Estimate(0.02, 0.01, 0.03, 9, 9, "share")).text == "+2.0"
    assert numbers.effect(Estimate(-0.0001, -0.02, 0.02, 9, 9, "points")) == Cell(
        "0.00", "-0.02 to +0.02", (-0.0001, -0.02, 0.02), 9
    )
    assert numbers.amount(Estimate(math.nan, math.nan, math.nan, 9, 9, "points")).text == "–"
    assert numbers.amount(Estimate(3.0, math.nan, math.nan, 1, 1, "points")) == Cell(
        "3.0", "", pytest.approx((3.0, math.nan, math.nan), nan_ok=True), 1
    )
    assert numbers.percent(None) == numbers.plain(math.nan) == numbers.NONE
    assert numbers.count(1234567).text == "1,234,567"


def test_only_negative_numbers_get_a_minus_sign():
    assert page.minus("-3.4 points (interval -3.9 to -2.8)") == "−3.4 points (interval −3.9 to −2.8)"
    assert page.minus("no_cap-2 and 2-5 and 1–-2") == "no_cap-2 and 2-5 and 1–-2"


def test_lists_in_words():
    assert [numbers.listed(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_markdown_takes_nothing_for_markup():
    assert page.markdown("a_b *c* <d> [e] | `f`\ng") == r"a_b \*c\* &lt;d&gt; \[e\] \| \`f\` g"
    assert page.markdown("_a_") == r"\_a\_"


def test_markdown_shows_the_short_version_of_a_table():
    columns = (Column("A|", numeric=False, short=True), Column("B"), Column("C", "%", short=True))
    table = Table("t", "T", columns, ((Cell("x"), Cell("1"), Cell("2", "1 to 3")),))
    assert page.markdown_table(table) == [r"| A\| | C (%) |", "| --- | ---: |", "| x | 2 (1 to 3) |"]


def test_cells_sort_by_their_raw_number():
    assert Cell("12.3 %", raw=(0.123, 0.1, 0.2)).key == "0.123"
    assert Cell("expert").key is None
