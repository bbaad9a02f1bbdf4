"""The sweep report: self-contained, complete, readable, whatever was varied."""

import dataclasses
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from analysis.sweep import Sweep, analyse, crossings
from analysis.sweep_verdicts import page_one
from reports import page, sweep
from reports.parts import sweep as parts
from simcore.errors import InputError
from tests.analysis.fake_run import FakeBot, FakeRun
from tests.analysis.fake_sweep import axis, write
from tests.reports.reading import read
from tests.reports.test_balance import numbers, visible

GOLDEN = Path(__file__).parent / "golden_sweep.md"
BOTS = (
    FakeBot("uniform", "random", 0.0, turns=143.0),
    FakeBot("heuristic", "simple", 6.0, turns=45.0),
    FakeBot("expert", "expert", 8.0, deterministic=True, turns=47.0),
)


def at(first_points: float, skill: float = 8.0, **changes: object) -> FakeRun:
    bots = (*BOTS[:2], dataclasses.replace(BOTS[2], skill=skill))
    line_ups = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    fake = FakeRun(blocks=1500, bots=bots, line_ups=line_ups, first_points=first_points, log="games")
    return dataclasses.replace(fake, **changes)


def one_axis(values, runs):
    return [axis("rules.cost", values, values[0])], {(value,): run for value, run in zip(values, runs, strict=True)}


def three_seats():
    line_ups = ((0, 0, 0), (1, 1, 1), (0, 1, 1), (1, 0, 0))
    return at(3.0, blocks=100, seats=3, rounds=2, bots=BOTS[:2], line_ups=line_ups)


TYPICAL = (
    [axis("rules.cost", [0, 10, 20, 30], 10)],
    {(value,): at(3 - 0.23 * value, 6 + value / 10) for value in (0, 10, 20, 30)},
)
PAIRS = (
    [axis("rules.a", [0, 2, 4], 2), axis("characters.hunter.vp_amount", [1, 2], 1, "")],
    {(a, b): at(a * b - 2.0, blocks=200) for a in (0, 2, 4) for b in (1, 2)},
)
few = at(1.0, blocks=40)
ODD = {
    "words": (
        [axis("rules.mode", ["few", "many", "so_many"], "few", "")],
        {(w,): at(p, blocks=200) for w, p in (("few", 3.0), ("many", -3.0), ("so_many", 0.0))},
    ),
    "nothing changes": one_axis([1, 2], [few, few]),
    "one point": one_axis([1], [few]),
    "one deal": one_axis([1, 2], [at(1.0, blocks=1), at(3.0, blocks=1)]),
    "one bot": one_axis([1, 2], [at(p, blocks=40, line_ups=((2, 2),)) for p in (1.0, 2.0)]),
    "no self-play": one_axis([1, 2], [at(p, blocks=40, line_ups=((1, 2),)) for p in (1.0, 2.0)]),
    "three seats": one_axis([1, 2, 3], [three_seats()] * 3),
    "an empty cell": one_axis([None, 2], [few, few]),
    "many values": one_axis(list(range(14)), [few] * 14),
    "names like markup": (
        [axis("cards.<b>a|b</b>.v", [1, 2], 1)],
        {(v,): at(1.0 + v, blocks=40, bots=(FakeBot("<i>", "random"), *BOTS[1:])) for v in (1, 2)},
    ),
}


@pytest.fixture(scope="module")
def sweep_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Sweep]:
    known: dict[int, Sweep] = {}

    def make(case) -> Sweep:
        if id(case) not in known:
            known[id(case)] = analyse(write(tmp_path_factory.mktemp("sweep"), *case))
        return known[id(case)]

    return make


@pytest.fixture(scope="module")
def typical(sweep_of):
    return sweep_of(TYPICAL)


@pytest.fixture(scope="module")
def html(typical):
    return sweep.render_html(typical)


@pytest.fixture(scope="module")
def tree(html):
    return read(html)


def whole(text: str) -> None:
    """What holds for every page."""
    tree = read(text)
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(ids) == len(set(ids))
    used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)|aria-labelledby="([^"]+)"', text)
    assert {name for names in used for name in names if name} <= set(ids)
    for word in ("http:", "https:"):
        assert word not in text
    words = visible(tree)
    for odd in ("nan", "inf", "None"):
        assert odd not in re.split(r"[\s(),;]+", words)
    assert "+nan" not in words
    for figure in tree.find("figure"):
        (svg,) = figure.find("svg")
        assert svg.attributes["role"] == "img"
        assert len(svg.attributes["aria-label"]) > 40
        assert "nan" not in svg.attributes["aria-label"]
        assert figure.find("figcaption")[0].words()
    drawn = "".join(re.findall(r"<svg.*?</svg>", text, re.S))
    assert not re.findall(r"#[0-9a-f]{6}\b", drawn), "a colour that does not follow the page"


@pytest.mark.parametrize("name", ODD)
def test_odd_sweeps_give_whole_pages(name, sweep_of):
    made = sweep_of(ODD[name])
    whole(sweep.render_html(made))
    assert json.loads(sweep.render_json(made)) == json.loads(json.dumps(made.to_dict()))
    assert "nan" not in sweep.render_markdown(made)


def test_sections_open_with_a_sentence_and_say_how_they_were_made(tree):
    (main,) = tree.find("main")
    sections = [child for child in main.children if child.tag == "section"]
    assert [s.attributes["id"] for s in sections] == [
        "verdict", "turn-order", "strategies", "scores", "feel", "points", "method",
    ]  # fmt: skip
    for section in sections[1:]:
        first = section.children[1]
        assert first.tag == "p"
        assert re.search(r"\d.*\.$", first.words()), first.words()
        assert section.find("p", class_="how")[0].words().startswith("How this was made. ")
        assert section.find("table")


def test_page_one_has_the_verdict_and_two_figures(html, tree, typical):
    whole(html)
    items = tree.find("ul", class_="verdicts")[0].find("li")
    assert 4 <= len(items) <= 7
    for item, verdict in zip(items, typical.verdicts, strict=True):
        assert page.minus(verdict.text) in item.words()
    assert [f.attributes["id"] for f in tree.find("section", id="verdict")[0].find("figure")] == [
        "first-share", "pairings",
    ]  # fmt: skip
    title = tree.find("figure", id="first-share")[0].find("figcaption")[0].words()
    assert title.startswith("The first player's share falls as cost grows, by more than your margin, most at 30: −")


def test_curves_have_their_bands_the_base_the_even_line_and_the_bots_colours(html, typical):
    start = html.index('<figure id="first-share"')
    drawn = html[start : html.index("</figure>", start)]
    for bot in range(3):
        assert len(re.findall(rf"fill: var\(--bot-{bot}\); fill-opacity: 0.22", drawn)) == 2, "level and change"
    assert drawn.count("stroke: var(--ink); stroke-width: 0.9") >= 2, "even share above, zero below"
    assert "fill: var(--band)" in drawn
    assert "▲ as it is: 10" in drawn
    names = re.findall(r">(expert|heuristic|uniform)</text>", drawn)
    assert sorted(names) == sorted(["expert", "heuristic", "uniform"] * 2)


def test_a_panel_shows_both_bands(html):
    start = html.index('<figure id="pairings"')
    drawn = html[start : html.index("</figure>", start)]
    assert len(re.findall(r"fill-opacity: 0.22", drawn)) % 2 == 0
    assert ">expert against heuristic</text>" in drawn


def test_alternative_texts_tell_levels_and_changes(tree):
    alt = tree.find("figure", id="first-share")[0].find("svg")[0].attributes["aria-label"]
    assert re.search(r"expert: at 0 \d\d\.\d \(\d\d\.\d to \d\d\.\d\), change [+-]\d", alt)
    assert "at 10" in alt


def test_every_number_of_the_page_is_in_the_json(tree, typical):
    known = numbers(json.loads(sweep.render_json(typical)))
    raws = {
        x
        for section in parts.sections(typical)
        for table in section.tables
        for row in table.rows
        for cell in row
        for x in cell.raw
    }
    counted = {float(len(typical.played.filter(point=p, no_reaction=True))) for p in range(len(typical.points))}
    assert len(raws) > 300
    assert {x for x in raws if x == x} - counted <= known


def test_two_values_make_a_map_with_undecided_cells_and_two_curves(sweep_of):
    made = sweep_of(PAIRS)
    text = sweep.render_html(made)
    whole(text)
    tree = read(text)
    assert "what a and hunter.vp_amount do" in tree.find("h1")[0].words()
    (figure,) = tree.find("figure", id="first-share")
    words = [e.words() for e in figure.find("text")]
    assert sum(bool(re.fullmatch(r"(\? )?\d\d\.\d+", w)) for w in words) == 6
    assert "as it is" in words
    assert "?" in figure.words()
    for i, name in enumerate(("a", "hunter.vp_amount")):
        assert name in tree.find("figure", id=f"first-share-{i}")[0].find("figcaption")[0].words()


def test_words_are_not_joined_by_lines(sweep_of):
    text = sweep.render_html(sweep_of(ODD["words"]))
    start = text.index('<figure id="first-share"')
    drawn = text[start : text.index("</figure>", start)]
    assert "fill-opacity: 0.22" not in drawn
    assert ">so_many</text>" in drawn


def test_an_even_value_that_may_be_anywhere_is_not_named(typical):
    anywhere = typical.crossings.with_columns(low=pl.lit(None, pl.Float64), high=pl.lit(None, pl.Float64))
    assert len(anywhere)
    text = " ".join(verdict.text for verdict in page_one(dataclasses.replace(typical, crossings=anywhere)))
    assert "Going first is worth nothing at" in " ".join(verdict.text for verdict in page_one(typical))
    assert "Going first is worth nothing at" not in text
    assert "Where going first is worth nothing is not known at all yet" in text


def test_where_nobody_goes_first_scores_stand_on_page_one(typical):
    facts = dataclasses.replace(typical.facts, first_player=False)
    made = dataclasses.replace(typical, facts=facts)
    made = dataclasses.replace(made, crossings=crossings(made), verdicts=page_one(made))
    text = sweep.render_html(made)
    whole(text)
    tree = read(text)
    assert [f.attributes["id"] for f in tree.find("section", id="verdict")[0].find("figure")] == ["score", "pairings"]
    assert not tree.find("section", id="turn-order")
    assert "first player" not in " ".join(verdict.text for verdict in made.verdicts)
    assert "the mean score" in " ".join(verdict.text for verdict in made.verdicts)


def test_names_that_look_like_markup_are_shown_as_they_are(sweep_of):
    made = sweep_of(ODD["names like markup"])
    tree = read(sweep.render_html(made))
    assert not tree.find("b")
    assert not tree.find("i")
    assert "<b>a|b</b>.v" in tree.find("h1")[0].words()


def test_equal_sweeps_give_equal_pages(html, typical):
    assert sweep.render_html(typical) == html


def test_markdown_is_as_it_was(typical):
    # After a change on purpose: FAIRDEAL_NEW_GOLDEN=1 pytest tests/reports, and read the difference.
    text = sweep.render_markdown(typical)
    if os.environ.get("FAIRDEAL_NEW_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_write_makes_the_files_that_are_asked_for(typical, html, tmp_path):
    assert [p.name for p in sweep.write(typical, tmp_path / "r", ["html"])] == ["report.html"]
    assert (tmp_path / "r" / "report.html").read_text(encoding="utf-8") == html
    with pytest.raises(InputError, match="no report format 'pdf'"):
        sweep.write(typical, tmp_path / "r", ["pdf"])


def test_the_sample_tells_the_same_in_all_forms():
    folder = Path(__file__).parents[2] / "reports" / "examples" / "lost-cities-sweep"
    html, markdown, content = (folder.joinpath(f"report.{name}").read_text("utf-8") for name in ("html", "md", "json"))
    whole(html)
    said = read(html).find("section", id="verdict")[0].words()
    made = json.loads(content)
    assert made["axes"][0]["values"] == [10, 15, 20, 25, 30]
    for verdict in made["verdicts"]:
        assert page.minus(verdict["text"]) in said
        assert page.markdown(verdict["text"]) in markdown
