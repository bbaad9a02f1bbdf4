"""The strategy report: self-contained, complete, readable, whoever plays and whatever the run lacks."""

import dataclasses
import json
import os
import re
from pathlib import Path

import pytest

from analysis.strategy import analyse
from reports import by_seats, page, strategy
from reports.parts import strategy as parts
from simcore.errors import InputError
from tests.analysis.fake_run import FakeBot, FakeRun, write
from tests.reports.conftest import ODD
from tests.reports.reading import read
from tests.reports.test_balance import numbers
from tests.reports.test_sweep import whole

GOLDEN = Path(__file__).parent / "golden_strategy.md"
BOTS = (
    FakeBot("uniform", "random", 0.0, turns=143.0),
    FakeBot("heuristic", "simple", 6.0, turns=45.0),
    FakeBot("expert", "expert", 9.0, turns=47.0),
)
TYPICAL = FakeRun(blocks=400, bots=BOTS, line_ups=((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)), first_points=2.0)
THREE = dataclasses.replace(
    TYPICAL, blocks=60, seats=3,
    line_ups=((0, 1, 1), (1, 0, 0), (0, 2, 2), (2, 0, 0), (1, 2, 2), (2, 1, 1), (1, 1, 1), (2, 2, 2)),
)  # fmt: skip
MORE = {
    "three seats": THREE,
    "not all have met": dataclasses.replace(TYPICAL, blocks=40, line_ups=((0, 1), (1, 2)), log="games"),
    "strangers": FakeRun(blocks=20, bots=(*BOTS, FakeBot("new", "trained")), line_ups=((0, 1), (2, 3)), log="games"),
    "one always wins": FakeRun(
        blocks=40, bots=(FakeBot("a", "random", -900.0), FakeBot("b", "expert", 900.0)), line_ups=((0, 1),)
    ),
}


@pytest.fixture(scope="module")
def typical(tmp_path_factory):
    return analyse(write(tmp_path_factory.mktemp("run"), TYPICAL))


@pytest.fixture(scope="module")
def html(typical):
    return strategy.render_html(typical)


@pytest.fixture(scope="module")
def tree(html):
    return read(html)


@pytest.mark.parametrize("name", [*ODD, *MORE])
def test_odd_runs_give_whole_pages(name, tmp_path):
    made = analyse(write(tmp_path, (ODD | MORE)[name]))
    text = strategy.render_html(made)
    whole(text)
    assert json.loads(strategy.render_json(made)) == json.loads(json.dumps(made.to_dict()))
    assert "nan" not in strategy.render_markdown(made)
    for section in parts.sections(made):
        assert section.sentences, section.name
        assert all(sentence.endswith(".") for sentence in section.sentences)
    said = read(text).words()
    for missing in made.missing:
        assert page.minus(" ".join(missing.text.split())) in said


def test_page_one_has_the_verdict_the_match_ups_and_what_wins_are_made_of(html, tree, typical):
    whole(html)
    items = tree.find("ul", class_="verdicts")[0].find("li")
    assert 5 <= len(items) <= 8
    for item, verdict in zip(items, typical.verdicts, strict=True):
        assert page.minus(verdict.text) in item.words()
    figures = [f.attributes["id"] for f in tree.find("section", id="verdict")[0].find("figure")]
    assert figures == ["match-ups", "luck-figure"]


def test_sections_open_with_a_sentence_and_say_how_they_were_made(tree):
    (main,) = tree.find("main")
    sections = [child for child in main.children if child.tag == "section"]
    assert [s.attributes["id"] for s in sections] == [
        "verdict", "ratings", "pairs", "meta", "profiles", "luck", "feel", "method",
    ]  # fmt: skip
    for section in sections[1:]:
        first = section.children[1]
        assert first.tag == "p"
        assert re.search(r"\.$", first.words()), first.words()
        assert section.find("p", class_="how")[0].words().startswith("How this was made. ")
        assert section.find("table")


def test_a_bot_keeps_its_colour_in_every_figure_of_the_choice_of_bots(html):
    for figure in ("nash", "alpha-rank", "ratings-figure"):
        start = html.index(f'<figure id="{figure}"')
        drawn = html[start : html.index("</figure>", start)]
        for bot in range(3):
            assert f"var(--bot-{bot})" in drawn, figure


def test_the_meta_has_masses_probabilities_and_counters(tree):
    (table,) = tree.find("div", id="meta-table")
    assert "Included" in table.words()
    rows = tree.find("div", id="counters")[0].find("tr")[1:]
    assert len(rows) == 3
    assert rows[0].words().startswith("expert heuristic")


def test_every_number_of_the_page_but_those_of_the_balance_report_is_in_the_json(typical):
    known = numbers(json.loads(strategy.render_json(typical)))
    raws = {
        x
        for section in parts.sections(typical)
        for table in section.tables
        if table.name != "use" and section.name != "method"
        for row in table.rows
        for cell in row
        for x in cell.raw
    }
    assert len(raws) > 200
    assert {x for x in raws if x == x} <= known


def test_without_logs_the_sections_say_which_command_writes_them(tmp_path):
    made = analyse(write(tmp_path, dataclasses.replace(TYPICAL, blocks=40, log="games")))
    tree = read(strategy.render_html(made))
    assert (
        "`fairdeal balance made-up --bots uniform,heuristic,expert` writes one"
        in tree.find("section", id="profiles")[0].words()
    )
    assert "--log moves" in tree.find("section", id="feel")[0].words()
    assert not tree.find("div", id="use")


def test_one_bot_has_nobody_to_be_compared_with(tmp_path):
    made = analyse(write(tmp_path, ODD["one line-up of one bot"]))
    tree = read(strategy.render_html(made))
    assert not tree.find("figure", id="match-ups")
    for name in ("ratings", "meta", "luck"):
        assert "--bots expert,another" in tree.find("section", id=name)[0].words()
    assert "Only expert has played" in strategy.render_markdown(made)


def test_three_seats_have_runaway_leaders_and_kingmaking(tmp_path):
    tree = read(strategy.render_html(analyse(write(tmp_path, THREE))))
    assert "Do leaders run away?" in tree.find("div", id="runaway")[0].words()
    assert "heuristic expert" in tree.find("div", id="kingmaking")[0].words()
    assert "How many of it" in tree.find("div", id="match-ups-table")[0].words()


def test_names_that_look_like_markup_are_shown_as_they_are(tmp_path):
    made = analyse(write(tmp_path, ODD["names like markup"]))
    tree = read(strategy.render_html(made))
    assert not tree.find("b")
    assert "<b>a|b</b>" in tree.find("div", id="meta-table")[0].words()
    assert "<b>" not in strategy.render_markdown(made)


def test_by_seats_a_page_leads_to_the_reports(typical, tmp_path):
    both = by_seats.BySeats((typical,), full=by_seats.STRATEGIES_BESIDE)
    files = by_seats.write(both, tmp_path / "strategy")
    assert (tmp_path / "2-seats" / "strategy" / "report.html").exists()
    html = files[0].read_text("utf-8")
    whole(html)
    assert "../2-seats/strategy" in html
    assert json.loads(files[1].read_text("utf-8"))["format"] == "fairdeal-strategy-by-seats/1"


def test_equal_runs_give_equal_pages(html, typical):
    assert strategy.render_html(typical) == html


def test_markdown_is_as_it_was(typical):
    # After a change on purpose: FAIRDEAL_NEW_GOLDEN=1 pytest tests/reports, and read the difference.
    text = strategy.render_markdown(typical)
    if os.environ.get("FAIRDEAL_NEW_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_write_makes_the_files_that_are_asked_for(typical, html, tmp_path):
    assert [p.name for p in strategy.write(typical, tmp_path / "r", ["html"])] == ["report.html"]
    assert (tmp_path / "r" / "report.html").read_text(encoding="utf-8") == html
    with pytest.raises(InputError, match="no report format 'pdf'"):
        strategy.write(typical, tmp_path / "r", ["pdf"])
