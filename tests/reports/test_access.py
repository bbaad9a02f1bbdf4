"""The access report: self-contained, complete, readable, whatever the study is like."""

import json
import os
import re
from pathlib import Path

import pytest

from reports import access, page
from reports.parts import access as parts
from simcore.errors import InputError
from tests.analysis.fake_access import FakeAccess, interventions
from tests.reports.reading import read
from tests.reports.test_balance import numbers
from tests.reports.test_sweep import whole

GOLDEN = Path(__file__).parent / "golden_access.md"
MANY = tuple(f"Card {i}" for i in range(70))
EDIT = ("characters BANK: points 1 -> 4",)
TYPICAL = FakeAccess(kinds=("ban", "blank"))
TWO = FakeAccess(worth=({"Bank": 1.0, "Inn": 2.0}, {"Bank": 4.0, "Inn": 2.0}), changes=EDIT)
ODD = {
    "two card sets": TWO,
    "a set beside itself": FakeAccess(worth=({"Bank": 1.0},) * 2, apart=0.0, reacted=0.0),
    "one deal": FakeAccess(blocks=1),
    "nothing matters": FakeAccess(worth=({},)),
    "one card": FakeAccess(names=("Bank",)),
    "many cards": FakeAccess(names=MANY, worth=(dict.fromkeys(MANY, 0.5),), blocks=200),
    "some left out": FakeAccess(left_out=interventions(("Mill", "Gate"), ("ban", "blank"))),
    "four seats and two bots": FakeAccess(seats=4, blocks=300, bots=(("expert", "expert"), ("uniform", "random"))),
    "names like markup": FakeAccess(
        names=("<b>a|b</b>", "*b*_&amp;`c`"), worth=({"<b>a|b</b>": 3.0},), bots=(("<i>", "random"),), blocks=100
    ),
}


@pytest.fixture(scope="module")
def typical():
    return TYPICAL.made()


@pytest.fixture(scope="module")
def html(typical):
    return access.render_html(typical)


@pytest.fixture(scope="module")
def tree(html):
    return read(html)


@pytest.mark.parametrize("name", ODD)
def test_odd_studies_give_whole_pages(name):
    a = ODD[name].made()
    whole(access.render_html(a))
    assert json.loads(access.render_json(a)) == json.loads(json.dumps(a.to_dict()))
    assert "nan" not in access.render_markdown(a)


def test_page_one_has_the_verdict_and_a_sorted_figure(html, tree, typical):
    whole(html)
    items = tree.find("ul", class_="verdicts")[0].find("li")
    assert 4 <= len(items) <= 8
    for item, verdict in zip(items, typical.verdicts, strict=True):
        assert page.minus(verdict.text) in item.words()
    (figure,) = tree.find("section", id="verdict")[0].find("figure")
    assert figure.find("figcaption")[0].words() == "Bank and Inn are worth more than your margin of 1 point"
    alt = figure.find("svg")[0].attributes["aria-label"]
    assert re.search(r"Bank: \+\d.*; Inn: \+\d.*; Nun: .*; Maid: .*; Quarry: −\d", alt)


def test_zero_and_the_margin_are_drawn(html):
    start = html.index('<figure id="key-cards"')
    drawn = html[start : html.index("</figure>", start)]
    assert "fill: var(--band)" in drawn
    assert "stroke: var(--ink); stroke-width: 0.9" in drawn


def test_each_kind_has_a_section_that_says_how_it_was_made(tree):
    (main,) = tree.find("main")
    sections = [child for child in main.children if child.tag == "section"]
    assert [s.attributes["id"] for s in sections] == ["verdict", "cards-ban", "cards-blank", "method"]
    for section in sections[1:]:
        assert section.children[1].tag == "p"
        assert section.find("p", class_="how")[0].words().startswith("How this was made. ")
        assert section.find("table")


def test_a_card_that_changed_nothing_says_so(tree):
    (table,) = tree.find("div", id="ban-table")
    (row,) = [row for row in table.find("tr") if row.words().startswith("Maid")]
    assert "changed nothing" in row.words()


def test_every_number_of_the_page_is_in_the_json(typical):
    known = numbers(json.loads(access.render_json(typical)))
    raws = {
        x
        for section in parts.sections(typical)
        for table in section.tables
        for row in table.rows
        for cell in row
        for x in cell.raw
    }
    assert len(raws) > 80
    assert {x for x in raws if x == x} <= known


def test_many_cards_are_drawn_from_both_ends():
    a = ODD["many cards"].made()
    tree = read(access.render_html(a))
    (key,) = tree.find("figure", id="key-cards")
    assert key.find("svg")[0].attributes["aria-label"].count("Card ") == 2 * parts.KEY_CARDS
    (table,) = tree.find("div", id="ban-table")
    assert len(table.find("tr")) == 71


def test_two_sets_show_the_worth_with_each():
    a = TWO.made()
    tree = read(access.render_html(a))
    assert tree.find("h1")[0].words() == "Made Up: what cards are worth, from standard to edited"
    (table,) = tree.find("div", id="ban-table")
    heads = [head.words() for head in table.find("th", scope="col")]
    assert "Worth with standard points" in heads
    assert "Worth with edited points" in heads
    assert "Bank gains more than your margin of 1 point" in tree.find("figure", id="key-cards")[0].words()


def test_names_that_look_like_markup_are_shown_as_they_are():
    tree = read(access.render_html(ODD["names like markup"].made()))
    assert not tree.find("b")
    assert not tree.find("i")


def test_what_was_left_out_stands_on_the_page_and_in_markdown():
    a = ODD["some left out"].made()
    text = "cards (2 by ban); cards (2 by blank)"
    assert f"Left out, as asked {text}" in read(access.render_html(a)).find("div", id="run")[0].words()
    assert f"left out, as asked: {text};" in access.render_markdown(a)


def test_equal_studies_give_equal_pages(html):
    assert access.render_html(TYPICAL.made()) == html


def test_markdown_is_as_it_was(typical):
    # After a change on purpose: FAIRDEAL_NEW_GOLDEN=1 pytest tests/reports, and read the difference.
    text = access.render_markdown(typical)
    if os.environ.get("FAIRDEAL_NEW_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_write_makes_the_files_that_are_asked_for(typical, html, tmp_path):
    assert [p.name for p in access.write(typical, tmp_path / "r", ["html"])] == ["report.html"]
    assert (tmp_path / "r" / "report.html").read_text(encoding="utf-8") == html
    with pytest.raises(InputError, match="no report format 'pdf'"):
        access.write(typical, tmp_path / "r", ["pdf"])
