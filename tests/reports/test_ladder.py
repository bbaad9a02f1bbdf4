"""The ladder report: self-contained, complete, readable, whoever plays."""

import dataclasses
import json
import os
import re
from pathlib import Path

import pytest

from analysis.ladder import analyse
from reports import ladder, page
from reports.parts import ladder as parts
from simcore.errors import InputError
from tests.analysis.fake_ladder import QUICK, FakeLadder, write
from tests.analysis.fake_run import FakeBot
from tests.reports.reading import read
from tests.reports.test_balance import numbers
from tests.reports.test_sweep import whole

GOLDEN = Path(__file__).parent / "golden_ladder.md"
EIGHT = tuple(FakeBot(f"bot_{i}", ("random", "simple", "expert", "trained")[i % 4], 3.0 * i) for i in range(8))
ODD = {
    "two bots": FakeLadder(quick=QUICK[:2], search=None, blocks=60),
    "one deal": FakeLadder(quick=QUICK[:2], search=None, blocks=1),
    "one always wins": FakeLadder(
        quick=(FakeBot("a", "random", -900.0), FakeBot("b", "expert", 900.0)), search=None, blocks=40
    ),
    "one loses and one wins everything": FakeLadder(
        quick=(FakeBot("low", "random", -900.0), *QUICK[1:], FakeBot("high", "trained", 900.0)), search=None, blocks=60
    ),
    "one quick bot and a search bot": FakeLadder(quick=QUICK[:1], blocks=30, few=30),
    "three seats": FakeLadder(seats=3, blocks=60, few=30),
    "eight bots": FakeLadder(quick=EIGHT, blocks=30, few=10),
    "unfinished": FakeLadder(quick=QUICK[:2], search=None, blocks=60, shards=5),
    "names like markup": FakeLadder(
        quick=(FakeBot("<b>a|b</b>", "random"), FakeBot("*b*_&amp;`c`", "expert", 2.0)), search=None, blocks=60
    ),
}


@pytest.fixture(scope="module")
def typical(tmp_path_factory):
    return analyse(write(tmp_path_factory.mktemp("ladder"), FakeLadder()))


@pytest.fixture(scope="module")
def html(typical):
    return ladder.render_html(typical)


@pytest.fixture(scope="module")
def tree(html):
    return read(html)


@pytest.mark.parametrize("name", ODD)
def test_odd_ladders_give_whole_pages(name, tmp_path):
    made = analyse(write(tmp_path, ODD[name]))
    whole(ladder.render_html(made))
    assert json.loads(ladder.render_json(made)) == json.loads(json.dumps(made.to_dict()))
    assert "nan" not in ladder.render_markdown(made)


def test_sections_open_with_a_sentence_and_say_how_they_were_made(tree):
    (main,) = tree.find("main")
    sections = [child for child in main.children if child.tag == "section"]
    assert [s.attributes["id"] for s in sections] == [
        "verdict", "ratings", "rungs", "pairs", "skill", "speed", "method",
    ]  # fmt: skip
    for section in sections[1:]:
        first = section.children[1]
        assert first.tag == "p"
        assert re.search(r"\.$", first.words()), first.words()
        assert section.find("p", class_="how")[0].words().startswith("How this was made. ")
        assert section.find("table")


def test_page_one_has_the_verdict_the_ratings_and_the_match_ups(html, tree, typical):
    whole(html)
    items = tree.find("ul", class_="verdicts")[0].find("li")
    assert 5 <= len(items) <= 8
    for item, verdict in zip(items, typical.verdicts, strict=True):
        assert page.minus(verdict.text) in item.words()
    assert [f.attributes["id"] for f in tree.find("section", id="verdict")[0].find("figure")] == [
        "ratings-figure", "match-ups",
    ]  # fmt: skip


def test_the_ratings_are_drawn_with_interval_name_and_colour(html, tree):
    (figure,) = tree.find("figure", id="ratings-figure")
    words = [text.words() for text in figure.find("text")]
    assert "0 (the anchor)" in words
    assert "uniform, place 5" in words
    assert sum(word.endswith("place 3 to 4") for word in words) == 2
    start = html.index('<figure id="ratings-figure"')
    drawn = html[start : html.index("</figure>", start)]
    for bot in range(5):
        assert f"var(--bot-{bot})" in drawn


def test_bots_beyond_the_edge_are_arrows(tmp_path):
    made = analyse(write(tmp_path, ODD["one loses and one wins everything"]))
    tree = read(ladder.render_html(made))
    (figure,) = tree.find("figure", id="ratings-figure")
    words = [text.words() for text in figure.find("text")]
    assert any(word.startswith("at most −") for word in words)
    assert any(word.startswith("at least +") for word in words)
    assert "An arrow points to a bot beyond the edge." in figure.words()
    table = tree.find("div", id="ratings-table")[0].words()
    assert "at most −" in table


def test_a_bot_far_below_does_not_squeeze_the_others(typical):
    ratings = typical.ratings
    *others, last = ratings.bots
    far = dataclasses.replace(
        last, estimate=dataclasses.replace(last.estimate, value=-3000.0, low=-3400.0, high=-2600.0)
    )
    made = dataclasses.replace(typical, ratings=dataclasses.replace(ratings, bots=(*others, far)))
    assert parts._shown(made) == {rating.name for rating in others}
    assert "−3,000" in parts.rating_figure(made).svg


def test_every_number_of_the_page_is_in_the_json(typical):
    known = numbers(json.loads(ladder.render_json(typical)))
    raws = {
        x
        for section in parts.sections(typical)
        for table in section.tables
        for row in table.rows
        for cell in row
        for x in cell.raw
    }
    assert len(raws) > 200
    assert {x for x in raws if x == x} <= known


def test_the_time_of_a_decision_is_told_with_three_figures(tree):
    words = tree.find("div", id="speed-table")[0].words()
    for time in ("0.0512", "0.800", "4,320"):
        assert time in words
    assert "4,321" not in words


def test_without_times_there_is_no_section_about_them(typical):
    made = dataclasses.replace(typical, speed={})
    assert "speed" not in [section.name for section in parts.sections(made)]


def test_more_seats_show_both_ways_and_the_places(tmp_path):
    made = analyse(write(tmp_path, ODD["three seats"]))
    tree = read(ladder.render_html(made))
    assert "Lower wins" in tree.find("div", id="rungs-table")[0].words()
    assert "1st" in tree.find("div", id="orders")[0].words()
    assert "Plackett" in tree.find("section", id="ratings")[0].words()
    words = [text.words() for text in tree.find("figure", id="match-ups")[0].find("text")]
    assert words.count("33.3 %") >= 5, "against itself"
    assert "How many of it" in tree.find("div", id="match-ups-table")[0].words()


def test_names_that_look_like_markup_are_shown_as_they_are(tmp_path):
    tree = read(ladder.render_html(analyse(write(tmp_path, ODD["names like markup"]))))
    assert not tree.find("b")
    assert "<b>a|b</b>" in tree.find("div", id="ratings-table")[0].words()


def test_equal_ladders_give_equal_pages(html, typical):
    assert ladder.render_html(typical) == html


def test_markdown_is_as_it_was(typical):
    # After a change on purpose: FAIRDEAL_NEW_GOLDEN=1 pytest tests/reports, and read the difference.
    text = ladder.render_markdown(typical)
    if os.environ.get("FAIRDEAL_NEW_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_write_makes_the_files_that_are_asked_for(typical, html, tmp_path):
    assert [p.name for p in ladder.write(typical, tmp_path / "r", ["html"])] == ["report.html"]
    assert (tmp_path / "r" / "report.html").read_text(encoding="utf-8") == html
    with pytest.raises(InputError, match="no report format 'pdf'"):
        ladder.write(typical, tmp_path / "r", ["pdf"])


def test_the_sample_tells_the_same_in_all_forms():
    folder = Path(__file__).parents[2] / "reports" / "examples" / "lost-cities-ladder"
    html, markdown, content = (folder.joinpath(f"report.{name}").read_text("utf-8") for name in ("html", "md", "json"))
    whole(html)
    said = read(html).find("section", id="verdict")[0].words()
    made = json.loads(content)
    assert len(made["names"]) == 6
    for verdict in made["verdicts"]:
        assert page.minus(verdict["text"]) in said
        assert page.markdown(verdict["text"]) in markdown
