"""The balance report: self-contained, complete, readable, the same for the same run, whatever the run is like."""

import dataclasses
import hashlib
import json
import math
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from analysis import figures
from analysis.scores import Named
from reports import balance, page
from reports.parts import common, scores
from simcore.errors import FairdealError, InputError
from tests.analysis.fake_run import FakeBot, FakeRun
from tests.reports.conftest import ODD, TYPICAL
from tests.reports.reading import Element, read

GOLDEN = Path(__file__).parent / "golden.md"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def html(page_of):
    return page_of(TYPICAL)


@pytest.fixture(scope="module")
def tree(html):
    return read(html)


def numbers(value, found=None):
    """All numbers in plain JSON data."""
    found = set() if found is None else found
    if isinstance(value, dict):
        for key, item in value.items():
            numbers(item, found)
            if re.fullmatch(r"-?\d+(\.\d+)?", key):
                found.add(float(key))
    elif isinstance(value, list):
        for item in value:
            numbers(item, found)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        found.add(float(value))
    return found


def visible(tree: Element) -> str:
    return " ".join(tree.find("body")[0].words().split())


def test_the_page_needs_no_other_file_and_no_network(html, tree):
    assert "http:" not in html
    assert "https:" not in html
    assert "//" not in re.sub(r"<script>.*</script>", "", html, flags=re.S)
    assert not re.search(r"@import|url\((?!#)|\bsrc=|fetch\(|XMLHttpRequest", html)
    for link in [*tree.find("a"), *tree.find("link"), *tree.find("use")]:
        target = link.attributes.get("href") or link.attributes["xlink:href"]
        assert target.startswith(("#", "data:,"))
    (policy,) = tree.find("meta", http_equiv="Content-Security-Policy")
    assert "default-src 'none'" in policy.attributes["content"]


def test_ids_are_there_once_and_every_reference_finds_its_own(html):
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)|aria-labelledby="([^"]+)"', html)
    assert used
    assert {name for names in used for name in names if name} <= set(ids)


def test_the_page_is_small(html):
    assert len(html.encode()) < 2_000_000


def test_every_section_is_there_opens_with_a_sentence_and_says_how_it_was_made(tree):
    (main,) = tree.find("main")
    sections = [child for child in main.children if child.tag == "section"]
    assert [s.attributes["id"] for s in sections] == [
        "verdict", "turn-order", "scores", "strategies", "cards", "groups", "feel", "convergence", "method",
    ]  # fmt: skip
    for section in sections[1:]:
        first = section.children[1]
        assert first.tag == "p"
        assert re.search(r"\d.*\.$", first.words()), first.words()
        assert section.find("p", class_="how")[0].words().startswith("How this was made. ")
        assert section.find("table")
        if section.attributes["id"] != "method":
            assert section.find("figure")


def test_page_one_has_the_verdict_in_order_with_its_tone(tree, typical):
    items = tree.find("ul", class_="verdicts")[0].find("li")
    assert 5 <= len(items) <= 8
    assert len(items) == len(typical.verdicts)
    for item, verdict in zip(items, typical.verdicts, strict=True):
        assert page.minus(verdict.text) in item.words()
        assert balance.TONES[verdict.tone][1] in item.words()
    assert len(tree.find("section", id="verdict")[0].find("figure")) == 2


def test_figures_have_titles_that_state_a_finding_and_alternative_texts(tree, typical):
    found = tree.find("figure")
    assert len(found) >= 9
    for figure in found:
        (svg,) = figure.find("svg")
        assert svg.attributes["role"] == "img"
        assert len(svg.attributes["aria-label"]) > 60
        title = figure.find("figcaption")[0].words()
        assert re.search(r" (is|are|beats|end|ends|average|wins|point|costs|makes) ", title), title
    key = tree.find("figure", id="key-turn-order")[0].find("figcaption")[0].words()
    assert key == "Going first is worth more than your margin (expert against itself)"
    assert tree.find("figure", id="key-cards")[0].find("figcaption")[0].words() == (
        "yellow 10 and red wager are stronger and blue 2 is weaker than the rest by more than your margin"
    )


def test_tables_have_captions_and_heads_with_scope(tree):
    tables = tree.find("table")
    assert len(tables) >= 15
    for table in tables:
        assert table.find("caption")[0].words()
        heads = table.find("thead")[0].find("th")
        assert all(head.attributes["scope"] == "col" and head.words() for head in heads)
        for row in table.find("tbody")[0].find("tr"):
            assert row.children[0].tag == "th"
            assert row.children[0].attributes["scope"] == "row"
            assert len(row.children) == len(heads)


def test_headings_go_down_step_by_step(tree):
    levels = [int(e.tag[1]) for tag in ("h1", "h2", "h3") for e in tree.find(tag)]
    assert levels.count(1) == 1
    assert set(levels) == {1, 2}
    assert tree.find("html", lang="en")


def test_every_number_of_the_page_is_in_the_json(tree, typical):
    known = numbers(json.loads(balance.render_json(typical)))
    cells = [float(e.attributes["data-v"]) for tag in ("td", "th") for e in tree.find(tag) if "data-v" in e.attributes]
    assert len(cells) > 500
    assert set(cells) <= known
    raws = {
        x
        for part in balance.parts_of(typical)
        for table in part.section(typical).tables
        for row in table.rows
        for cell in row
        for x in cell.raw
        if math.isfinite(x)
    }
    assert raws <= known


def test_a_cell_with_an_interval_shows_value_and_interval(tree, typical):
    (table,) = tree.find("div", id="turn-order-line-ups")
    row = table.find("tbody")[0].find("tr")[-1]
    assert row.children[0].words() == "expert against itself"
    e = typical.line_ups[-1].turn_order.advantage
    text = f"{e.value * 100:+.1f} {e.low * 100:+.1f} to {e.high * 100:+.1f}"
    assert row.children[2].words() == page.minus(text)
    assert float(row.children[2].attributes["data-v"]) == e.value


def test_the_json_is_the_balance(typical):
    text = balance.render_json(typical)
    assert json.loads(text) == json.loads(json.dumps(typical.to_dict()))
    assert max(map(len, text.splitlines())) < 1000


def test_dark_and_print_have_their_own_rules(html):
    style = re.findall(r"<style>(.*?)</style>", html, re.S)[0]
    assert "@media screen and (prefers-color-scheme: dark)" in style
    assert "@media print" in style
    assert style.count("{") == style.count("}")
    drawn = "".join(re.findall(r"<svg.*?</svg>", html, re.S))
    assert not re.findall(r"#[0-9a-f]{6}\b", drawn), "a colour that does not follow the page"
    assert "<style" not in drawn
    for variable in set(re.findall(r"var\((--[\w-]+)\)", html)) - {"--c"}:
        light, dark = style.split("@media screen and (prefers-color-scheme: dark)")
        assert f"{variable}:" in light
        assert f"{variable}:" in dark


def test_text_in_figures_is_text(html):
    drawn = "".join(re.findall(r"<svg.*?</svg>", html, re.S))
    assert ">expert against itself</text>" in drawn
    assert "font-family" not in drawn


def test_a_bot_keeps_its_colour(html, tree, typical):
    for i, bot in enumerate(typical.facts.bots):
        named = [e for e in tree.find("span", class_="bot") if e.words().split(" ")[0] == bot.name]
        assert named
        assert {e.attributes["style"] for e in named} == {f"--c:var(--bot-{i})"}
        (result,) = (r for r in typical.line_ups if r.mirror and r.bots[0] == bot.name)
        assert common.tint(typical, result) == figures.colour(i)
    (key,) = tree.find("figure", id="key-turn-order")
    drawn = html[html.index('id="key-turn-order"') :]
    order = re.findall(r"stroke: var\(--bot-(\d)\); stroke-width: 2.2", drawn[: drawn.index("</figure>")])
    assert order == ["2", "1", "0"], key.words()


def test_intervals_zero_and_margin_are_drawn(html):
    for name in ("key-turn-order", "first-points", "cards-forest", "running"):
        start = html.index(f'<figure id="{name}"')
        drawn = html[start : html.index("</figure>", start)]
        assert "stroke: var(--ink); stroke-width: 0.9" in drawn, f"{name}: no line at zero"
        assert "fill: var(--band)" in drawn, f"{name}: no margin"
        if name != "running":
            assert re.search(r"stroke: var\(--(bot-\d|ink|muted)\); stroke-width: 2.2", drawn), f"{name}: no interval"


def test_the_sign_alarm_is_flagged_in_the_figure_and_the_table(tree):
    assert "⚠ red wager" in tree.find("figure", id="cards-forest")[0].find("svg")[0].words()
    (table,) = tree.find("div", id="cards-table")
    flagged = [r for r in table.find("tbody")[0].find("tr") if "⚠" in r.words()]
    assert [r.children[0].words() for r in flagged] == ["red wager"]


def test_a_score_part_and_a_counter_of_the_same_name_keep_their_numbers(typical):
    part = typical.main.scores.bots[0].parts[0]
    counter = Named(part.name, "How often.", dataclasses.replace(part.mean, value=-123.0, unit="times"))

    def counted(result):
        bots = tuple(dataclasses.replace(bot, counters=(counter,)) for bot in result.scores.bots)
        return dataclasses.replace(result, scores=dataclasses.replace(result.scores, bots=bots))

    made = dataclasses.replace(typical, line_ups=tuple(map(counted, typical.line_ups)))
    (made_of,) = (table for table in scores.section(made).tables if table.name == "score-parts")
    assert made_of.columns[2].head == typical.main.bots[0]
    values = {row[1].text: row[2].raw[0] for row in made_of.rows}
    assert values[f"{part.text.rstrip('.')} ({part.mean.unit})"] == part.mean.value
    assert values["How often (times)"] == -123.0


def test_the_heat_map_has_interval_and_n_in_every_cell(tree, typical):
    words = [e.words() for e in tree.find("figure", id="match-ups")[0].find("text")]
    assert sum(w.endswith(" games") for w in words) == 9
    assert sum(" to " in w for w in words) == 6  # against itself the share is even by construction
    assert sum(w.endswith(" %") for w in words) == 9


def test_markdown_is_as_it_was(typical):
    # After a change on purpose: FAIRDEAL_NEW_GOLDEN=1 pytest tests/reports, and read the difference.
    text = balance.render_markdown(typical)
    if os.environ.get("FAIRDEAL_NEW_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_markdown_tables_are_whole(typical):
    lines = balance.render_markdown(typical).splitlines()
    for i, line in enumerate(lines):
        if line.startswith("| ---"):
            width = line.count("|")
            j = i
            while j < len(lines) and lines[j].startswith("|"):
                assert len(re.findall(r"(?<!\\)\|", lines[j])) == width
                j += 1


@pytest.mark.parametrize("name", ODD)
def test_odd_runs_give_whole_pages(name, balance_of, page_of):
    made = balance_of(ODD[name])
    text = page_of(ODD[name])
    tree = read(text)
    seen = visible(tree)
    assert "nan" not in seen.split()
    assert "+nan" not in seen
    assert "None" not in seen
    assert "inf" not in seen.split()
    assert len(re.findall(r' id="([^"]*)"', text)) == len(set(re.findall(r' id="([^"]*)"', text)))
    assert all(s.find("h2") for s in tree.find("main")[0].children if s.tag == "section")
    json.loads(balance.render_json(made))
    assert "nan" not in balance.render_markdown(made)


def test_without_a_card_log_the_section_says_so(balance_of, page_of):
    made = balance_of(ODD["no card log"])
    (section,) = read(page_of(ODD["no card log"])).find("section", id="cards")
    assert "kept no card log" in section.words()
    assert not section.find("table")
    assert "kept no card log" in balance.render_markdown(made)


def test_cards_that_no_first_hand_holds_are_counted_and_the_others_judged(balance_of, page_of):
    later = tuple(f"red-{value}" for value in range(3, 11))
    fake = FakeRun(
        blocks=1200, bots=(FakeBot("expert", "expert"),), line_ups=((0, 0),), undealt=later, seldom=("red-wager",)
    )
    made = balance_of(fake)
    (section,) = read(page_of(fake)).find("section", id="cards")
    assert "8 are left out here of the 50 kinds of cards that come to hands, as no first hand holds" in section.words()
    assert "Effects are against the average of the 41 others (expert against itself)." in section.words()
    assert (
        "1 is left out here of the 50 kinds of cards that come to hands, as it is dealt too rarely" in section.words()
    )
    assert len(made.main.cards.effects.filter(outcome="margin")) == 41
    (table,) = section.find("div", id="cards-table")
    assert len(table.find("tbody")[0].find("tr")) == 50


def test_more_than_two_seats_have_a_figure_of_places(page_of):
    tree = read(page_of(ODD["four seats and a match of two rounds"]))
    words = tree.find("figure", id="places")[0].words()
    assert "4th in turn order" in words
    assert "1st in turn order" in words
    assert not tree.find("div", id="compensation")
    assert "over all rounds of the match" in tree.find("section", id="scores")[0].words()


def test_names_that_look_like_markup_are_shown_as_they_are(balance_of):
    made = balance_of(ODD["names like markup"])
    facts = dataclasses.replace(made.facts, title="Fish & <i>Chips</i>", card_set='"base"')
    made = dataclasses.replace(made, facts=facts)
    text = balance.render_html(made)
    tree = read(text)
    assert not tree.find("b")
    assert not tree.find("i")
    assert tree.find("h1")[0].words() == "Fish & <i>Chips</i>"
    assert "<b>a|b</b> against itself" in visible(tree)
    assert "*b*_&amp;`c`" in visible(tree)
    markdown = balance.render_markdown(made)
    assert "Fish &amp; &lt;i&gt;Chips&lt;/i&gt;" in markdown
    assert "&lt;b&gt;a\\|b&lt;/b&gt;" in markdown


def test_card_labels_that_look_like_markup_are_shown_as_they_are(typical):
    cards = typical.main.cards
    label = "<b>$1 & </b>{{ 7 * 7 }}"
    renamed = pl.when(pl.col("type") == "yellow-10").then(pl.lit(label)).otherwise("label").alias("label")
    types = cards.types.with_columns(renamed)
    main = dataclasses.replace(typical.main, cards=dataclasses.replace(cards, types=types))
    line_ups = tuple(main if r is typical.main else r for r in typical.line_ups)
    tree = read(balance.render_html(dataclasses.replace(typical, line_ups=line_ups)))
    assert not tree.find("b")
    assert label in tree.find("div", id="cards-table")[0].words()
    assert label in tree.find("figure", id="key-cards")[0].find("svg")[0].words()


def test_equal_balances_give_equal_bytes_in_any_process(typical, html, tmp_path):
    stored = tmp_path / "balance"
    stored.write_bytes(pickle.dumps(typical))
    program = (
        "import hashlib, pickle, sys; from pathlib import Path; from reports import balance\n"
        "made = pickle.loads(Path(sys.argv[1]).read_bytes())\n"
        "balance.render_markdown(made)\n"
        "print(hashlib.sha256(balance.render_html(made).encode()).hexdigest())"
    )
    environment = os.environ | {"PYTHONHASHSEED": "77", "PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program, str(stored)], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.strip() == hashlib.sha256(html.encode()).hexdigest()


def test_write_makes_the_files_that_are_asked_for_and_nothing_else(typical, html, tmp_path):
    folder = tmp_path / "a" / "b"
    assert balance.write(typical, folder, ["md"]) == [folder / "report.md"]
    assert [p.name for p in folder.iterdir()] == ["report.md"]
    paths = balance.write(typical, folder)
    assert [p.name for p in paths] == ["report.html", "report.json", "report.md"]
    assert sorted(p.name for p in folder.iterdir()) == ["report.html", "report.json", "report.md"]
    assert (folder / "report.html").read_text(encoding="utf-8") == html


def test_what_cannot_be_written_is_said_in_one_message(typical, tmp_path):
    with pytest.raises(InputError, match=r"no report format 'pdf'. Allowed: html, json, md"):
        balance.write(typical, tmp_path, ["pdf"])
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(FairdealError, match="file"):
        balance.write(typical, file, ["md"])
    assert file.read_text() == ""
