"""The trend report: self-contained, complete, readable, whatever the versions are called."""

import dataclasses
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.studies.trend import study
from analysis.trend import Trend
from analysis.trend_verdicts import page_one
from reports import page, trend
from simcore.errors import InputError
from tests.analysis.fake_run import FakeBot, FakeRun
from tests.analysis.fake_trend import PLAIN, TARGETS, VERSIONS, write, write_targets
from tests.reports.reading import read
from tests.reports.test_sweep import whole

GOLDEN = Path(__file__).parent / "golden_trend.md"

few = dataclasses.replace(PLAIN, blocks=200)
three = FakeRun(blocks=100, bots=PLAIN.bots, seats=3, rounds=2, line_ups=((0,) * 3, (1,) * 3, (0, 1, 1), (1, 0, 0)))
markup = dataclasses.replace(few, bots=(FakeBot("<i>", "random"), FakeBot("*b*_&amp;`c`", "expert")))
ODD: dict[str, tuple[list[tuple[str, FakeRun]], str]] = {
    "few deals": ([("v1", few), ("v2", few)], TARGETS),
    "one deal": ([(f"v{i}", dataclasses.replace(few, blocks=1)) for i in range(2)], TARGETS),
    "three seats": ([("v1", three), ("v2", three)], TARGETS),
    "many versions of one name": ([("a set with a rather long name", few)] * 9, TARGETS),
    "names like markup": (
        [("<b>a|b</b>", markup), ("*c*", markup)],
        '["<u>x|y</u>"]\nkind = "seat_share"\nwithin = 0.01\n[t]\nkind = "dead_cards"\nat_least = 0.1\n',
    ),
    "bots against each other": (
        [("v1", few), ("v2", dataclasses.replace(few, seed=3))], '[d]\nkind = "dominance"\nat_most = 0.6\n',
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def trend_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Trend]:
    def make(versions: list[tuple[str, FakeRun]], targets: str) -> Trend:
        folder = tmp_path_factory.mktemp("trend")
        paths = [run.path for run in write(folder, versions)]
        return dataclasses.replace(study(paths, write_targets(folder, targets)), targets="targets.toml")

    return make


@pytest.fixture(scope="module")
def typical(trend_of):
    return trend_of(VERSIONS, TARGETS)


@pytest.fixture(scope="module")
def html(typical):
    return trend.render_html(typical)


@pytest.fixture(scope="module")
def tree(html):
    return read(html)


@pytest.mark.parametrize("name", ODD)
def test_odd_trends_give_whole_pages(name, trend_of):
    made = trend_of(*ODD[name])
    whole(trend.render_html(made))
    told = json.loads(trend.render_json(made))
    assert [verdict["text"] for verdict in told["verdicts"]] == [verdict.text for verdict in page_one(made)]
    assert "nan" not in trend.render_markdown(made)


def test_page_one_is_the_verdict_in_words(html, tree, typical):
    whole(html)
    items = tree.find("ul", class_="verdicts")[0].find("li")
    for item, verdict in zip(items, page_one(typical), strict=True):
        assert page.minus(verdict.text) in item.words()
    assert "v1 → v2 → v3" in tree.find("p", class_="facts")[0].words()


def test_every_target_has_a_figure_whose_title_says_what_became_of_it(tree):
    titles = [figure.find("figcaption")[0].words() for figure in tree.find("section", id="targets")[0].find("figure")]
    assert titles == [
        "going_first turned from met to missed at v3",
        "no_card_too_strong turned from met to missed at v3",
        "length is met at every version",
        "scores is missed at every version",
        "draws is met at every version",
    ]


def test_alternative_texts_tell_every_interval_and_the_limits(tree):
    (svg,) = tree.find("figure", id="target-1")[0].find("svg")
    told = svg.attributes["aria-label"]
    assert told.startswith("no_card_too_strong, allowed: -4 to 4 points. yellow 10 at v1: ")
    assert all(f"yellow 10 at v{i}: " in told for i in (1, 2, 3))


def test_sections_open_with_a_sentence_and_say_how_they_were_made(tree):
    (main,) = tree.find("main")
    sections = [child for child in main.children if child.tag == "section"]
    assert [s.attributes["id"] for s in sections] == ["verdict", "targets", "changes", "method"]
    for section in sections[1:]:
        assert section.children[1].tag == "p"
        assert section.find("p", class_="how")[0].words().startswith("How this was made. ")
        assert section.find("table")


def test_changes_say_whether_deals_were_paired(tree):
    rows = [row.words() for row in tree.find("div", id="changes-table")[0].find("tr")]
    (score,) = (row for row in rows if row.startswith("the mean score of expert scores v2 v3"))
    assert score.endswith("points yes on the same deals")
    assert any(row.startswith("yellow 10") and row.endswith("yes of independent runs") for row in rows)


def test_names_that_look_like_markup_are_shown_as_they_are(trend_of):
    made = trend_of(*ODD["names like markup"])
    tree = read(trend.render_html(made))
    for tag in ("b", "i", "u"):
        assert not tree.find(tag)
    assert "<b>a|b</b> → *c*" in tree.find("p", class_="facts")[0].words()
    assert "<u>x|y</u>" in tree.find("figcaption")[0].words()
    text = trend.render_markdown(made)
    assert "<b>" not in text
    assert "&lt;u&gt;x\\|y&lt;/u&gt;" in text


def test_json_has_every_figure_and_change(typical):
    told = json.loads(trend.render_json(typical))
    assert told["format"] == "fairdeal-trend/1"
    assert [version["name"] for version in told["versions"]] == ["v1", "v2", "v3"]
    assert [(version["met"], version["missed"]) for version in told["versions"]] == [(4, 1), (4, 1), (2, 3)]
    for series in told["series"]:
        assert len(series["at"]) == 3
        assert len(series["changes"]) == 2
    assert told["series"][0]["turns"] == [{"old": "met", "new": "missed", "version": 2}]


def test_equal_trends_give_equal_pages(html, typical):
    assert trend.render_html(typical) == html


def test_markdown_is_as_it_was(typical):
    # After a change on purpose: FAIRDEAL_NEW_GOLDEN=1 pytest tests/reports, and read the difference.
    text = trend.render_markdown(typical)
    if os.environ.get("FAIRDEAL_NEW_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_write_makes_the_files_that_are_asked_for(typical, html, tmp_path):
    assert [p.name for p in trend.write(typical, tmp_path / "r", ["html"])] == ["report.html"]
    assert (tmp_path / "r" / "report.html").read_text(encoding="utf-8") == html
    with pytest.raises(InputError, match="no report format 'pdf'"):
        trend.write(typical, tmp_path / "r", ["pdf"])
