"""The comparison report: self-contained, complete, readable, the same for the same runs, whatever they are like."""

import dataclasses
import json
import math
import os
import re
from pathlib import Path

import polars as pl
import pytest

from analysis import answer, stats
from analysis.comparison import IDENTICAL, compare
from analysis.verdicts import more_games
from reports import comparison, page
from reports.parts.comparison import cards as card_part
from simcore import manifest as manifests
from simcore import runlog, tables
from simcore.errors import InputError
from simcore.runlog import Stop
from tests.analysis.fake_run import FakeBot, FakeRun, edit_cards, edit_manifest, write
from tests.reports.conftest import BOTS, TYPICAL
from tests.reports.reading import read
from tests.reports.test_balance import numbers

GOLDEN = Path(__file__).parent / "golden_comparison.md"
CHANGES = ("rules: expedition_cost 20 -> 18", "cards Y10: value 10 -> 12")
BASE = dataclasses.replace(TYPICAL, blocks=500, effects={}, dead=(), trap=(), cut_off=0.0)
EDITED = dataclasses.replace(BASE, first_points=12.0, effects={"yellow-10": 25.0})
MARKUP = (FakeBot("<b>a|b</b>", "random"), FakeBot("*b*_&amp;`c`", "expert"))
ODD = {
    "one bot alone": FakeRun(blocks=60, bots=(FakeBot("expert", "expert"),), line_ups=((0, 0),)),
    "no self-play": FakeRun(blocks=60, line_ups=((0, 1),)),
    "no card log": FakeRun(blocks=60, log="games"),
    "four seats and two rounds": FakeRun(blocks=60, seats=4, rounds=2, line_ups=((0, 0, 0, 0), (0, 1, 1, 1))),
    "one deal": FakeRun(blocks=1),
    "names like markup": FakeRun(blocks=40, log="games", bots=MARKUP),
}


def renamed(run, name):
    """The run with another name for its card set."""
    return edit_manifest(run, card_set={"name": name, "hash": name.encode().hex().ljust(64, "0")[:64]})


def edit_files(run, table, **columns):
    """Change columns of a table in the files of a run, and what its shards say of them; the run as it is then."""
    shards = {}
    for number, shard in run.shards.items():
        path = runlog.part_path(run.path, table, number)
        part = tables.encode(table, pl.read_parquet(path).with_columns(**columns), run.columns[table])
        path.write_bytes(part.data)
        entry = runlog.PartEntry(part.rows, len(part.data), part.sha256)
        shards[number] = dataclasses.replace(shard, tables={**shard.tables, table: entry})
    fingerprint = manifests.fingerprint(run.manifest)
    (run.path / runlog.SHARDS).write_bytes(b"".join(shard.encode(fingerprint) for shard in shards.values()))
    return runlog.open_run(run.path)


def answered(folder, base, variant, changes=CHANGES, names=("base", "cheap")):
    fakes = zip("ab", (base, variant), names, strict=True)
    runs = [renamed(write(folder / arm, fake), name) for arm, fake, name in fakes]
    if base != variant:  # the bots of the made-up game are told of the edit
        runs[1] = edit_files(runs[1], "games", play_hash=pl.col("play_hash") ^ 1)
    return answer.answer(compare(*runs), changes, *runs)


@pytest.fixture(scope="module")
def typical(tmp_path_factory):
    return answered(tmp_path_factory.mktemp("typical"), BASE, EDITED)


@pytest.fixture(scope="module")
def html(typical):
    return comparison.render_html(typical)


@pytest.fixture(scope="module")
def tree(html):
    return read(html)


# --- what is said ----------------------------------------------------------------------------------------------------


def test_the_first_sentence_says_what_was_edited_and_the_next_what_matters(typical):
    first, *others = typical.verdicts
    assert first.text == f"What changed from base to cheap: {CHANGES[0]}; {CHANGES[1]}."
    assert 4 <= len(others) <= 7
    seats = next(verdict for verdict in others if verdict.section == "seats")
    row = typical.rows("order_share")[0]
    assert row["wording"] == stats.MATTERS
    assert seats.tone == "bad"
    assert re.fullmatch(
        r"Going first is worth \+\S+ instead of \+\S+ percentage points of wins: \+\S+ \(95 % interval \+\S+ to \+\S+; "
        r"1,000 games with each set, expert against itself\)\. That is more than your margin of 1 percentage point\.",
        seats.text,
    )


def test_many_edits_are_told_in_short(typical):
    added = tuple(f"cards: PW{i} added (kind wager, value 0)" for i in range(1, 6))
    a = dataclasses.replace(typical, changes=(*added, "cards: Y02 removed", *CHANGES, "rules: hand_size 8 -> 7"))
    assert answer.edit(a).text == (
        "What changed from base to cheap: cards: PW1, PW2, PW3 and 2 more added; cards: Y02 removed; "
        f"{CHANGES[0]}; and 2 more changes, which the report lists."
    )


def test_every_sentence_about_a_change_has_effect_interval_games_and_bots(typical):
    for verdict in answer.sentences(typical):
        if verdict.section in ("seats", "scores", "strategies", "length") and "exactly the same" not in verdict.text:
            assert re.search(r"(95 % interval|interval) \S+ to \S+", verdict.text), verdict.text
            assert "1,000 games with each set" in verdict.text
            assert any(bot.name in verdict.text for bot in BOTS)


def test_the_card_that_was_edited_is_named(typical):
    (said,) = (verdict for verdict in typical.verdicts if verdict.section == "cards")
    assert said.tone == "bad"
    assert said.text.startswith("One card is worth more in an opening hand than before, surely by more than")
    assert "yellow 10 +" in said.text


def of_renamed(folder, **names):
    """A comparison in which the edit has renamed some cards of the variant."""
    runs = [renamed(write(folder / arm, fake), name) for arm, fake, name in (("a", BASE, "base"), ("b", EDITED, "new"))]
    runs[1] = edit_cards(runs[1], **names)
    return answer.answer(compare(*runs), CHANGES, *runs)


def test_a_card_that_was_renamed_is_told_with_both_names_and_not_as_gone_and_new(tmp_path):
    a = of_renamed(tmp_path, Y10="yellow 14")
    (said,) = (verdict for verdict in a.verdicts if verdict.section == "cards")
    assert said.text.startswith("One card is worth more in an opening hand than before, surely by more than")
    assert "yellow 10 (now 14) +" in said.text
    tree = read(comparison.render_html(a))
    (table,) = tree.find("div", id="cards-table")
    assert "yellow 10 (now 14) 1 1" in " ".join(table.words().split())
    assert not {"gone", "new"} & set(table.words().split())
    (figure,) = tree.find("figure", id="cards-forest")
    assert "yellow 10 (now 14)" in figure.find("svg")[0].words()


def test_rows_that_became_another_card_are_told_where_cards_are_told_of(tmp_path):
    (said,) = (v for v in of_renamed(tmp_path / "one", YW3="yellow 14").verdicts if v.section == "cards")
    assert said.text.startswith(
        "Cards: yellow 14 is new. The row YW3 (yellow wager, now 14) has become another card, which is not compared "
        "with the old one, as the two do not stand for the same rows. "
    )
    many = dict.fromkeys(("Y02", "Y03", "Y04", "Y05"), "yellow 10")
    (said,) = (v for v in of_renamed(tmp_path / "many", **many).verdicts if v.section == "cards")
    assert said.text.startswith(
        "Cards: yellow 2, yellow 3, yellow 4 and 1 more are gone. The rows Y02 (yellow 2, now 10), Y03 (yellow 3, now "
        "10), Y04 (yellow 4, now 10) and 1 more have become other cards, which are not compared with the old ones, "
    )


def test_a_match_up_that_turned_is_said(typical):
    turned = (pl.col("measure") == "bot_share") & (pl.col("subject") == "uniform") & (pl.col("line_up") == 1)
    rows = typical.comparison.rows.with_columns(variant=pl.when(turned).then(0.6).otherwise("variant"))
    assert rows.filter(turned)["wording"].item() == stats.MATTERS
    a = dataclasses.replace(typical, comparison=dataclasses.replace(typical.comparison, rows=rows))
    (said,) = (verdict for verdict in answer.sentences(a) if verdict.section == "strategies")
    assert said.text.endswith(" uniform now wins more than an even share in uniform against heuristic.")
    (before,) = (verdict for verdict in answer.sentences(typical) if verdict.section == "strategies")
    assert "now wins" not in before.text


def test_the_variance_ratio_is_said(typical):
    (said,) = (verdict for verdict in answer.sentences(typical) if verdict.topic == "pairing")
    ratio = typical.rows("score")[0]["variance_ratio"]
    assert f"would need {ratio:.1f} times as many" in said.text


def test_what_is_not_known_says_how_many_games_would_tell(tmp_path):
    few = dataclasses.replace(BASE, blocks=60, luck_sd=60.0, noise_sd=90.0, noise_seed=0, log="games")
    a = answered(tmp_path, few, dataclasses.replace(few, noise_seed=1))
    row = a.rows("score")[0]
    assert row["wording"] == stats.UNKNOWN
    (said,) = (verdict for verdict in a.verdicts if verdict.topic == "score")
    assert said.tone == "unsure"
    assert said.text.endswith(more_games(row["more_deals"], 2, "a line-up with each set"))


def test_a_set_against_itself_is_identical_in_all_it_says(tmp_path):
    a = answered(tmp_path, BASE, BASE, changes=())
    assert a.verdicts[0].text == (
        "base and cheap are the same in all that is played, and each of 6,000 games came out the same."
    )
    assert set(a.comparison.rows["wording"]) == {IDENTICAL}
    assert {verdict.tone for verdict in a.verdicts} <= {"good", "plain"}
    assert "identical" in comparison.render_html(a)


def test_the_warning_that_nobody_reacted_comes_where_it_is_due(tmp_path, typical):
    assert not any(verdict.topic == "no reaction" for verdict in answer.sentences(typical))

    def warned(no_reaction):
        played = typical.comparison.played.with_columns(no_reaction=pl.Series(no_reaction))
        a = dataclasses.replace(typical, comparison=dataclasses.replace(typical.comparison, played=played))
        (said,) = (verdict for verdict in answer.sentences(a) if verdict.topic == "no reaction")
        return said

    everywhere = warned([True] * 6)
    assert everywhere.tone == "warning"
    assert everywhere.weight > typical.verdicts[1].weight
    assert everywhere.text.startswith("Scored differently, played identically: no bot reacted")
    assert "re-tune" in everywhere.text
    elsewhere = warned([True, *[False] * 5])
    assert "uniform did not react" in elsewhere.text
    assert elsewhere.weight < 50


def test_an_edit_that_only_changes_scores_is_told_as_that(tmp_path):
    runs = [write(tmp_path / name, BASE) for name in "ab"]
    runs[1] = edit_files(runs[1], "seats", score=pl.col("score") + 1)
    a = answer.answer(compare(*runs), CHANGES, *runs)
    assert a.verdicts[1].topic == "no reaction"


def test_why_play_ended_is_said_and_shown(typical):
    why = "mean score of a: matters beside 1 point, +2 to +3 at 256 deals; wins of place 1: equivalent"
    a = dataclasses.replace(typical, stopped=why)
    (said,) = (verdict for verdict in answer.sentences(a) if verdict.topic == "ended")
    assert said.text.startswith("Play ended after 500 deals of each line-up, as soon as the two questions")
    (table,) = read(comparison.render_html(a)).find("div", id="ended")
    assert "mean score of a" in table.words()


def test_a_run_that_is_not_finished_is_said(tmp_path):
    runs = [write(tmp_path / "a", BASE), write(tmp_path / "b", BASE, shards=5)]
    a = answer.answer(compare(*runs), (), *runs)
    assert any(verdict.topic == "unfinished" for verdict in a.verdicts)


def test_a_run_that_was_ended_on_purpose_is_finished(tmp_path):
    fake = dataclasses.replace(BASE, blocks=100, blocks_per_shard=50, log="games")
    runs = []
    for name in "ab":
        run = write(tmp_path / name, fake)
        fingerprint = manifests.fingerprint(run.manifest)
        half = {n: e for n, e in run.shards.items() if e.first < 50}
        (run.path / runlog.SHARDS).write_bytes(b"".join(entry.encode(fingerprint) for entry in half.values()))
        runs.append(runlog.end(run.path, Stop(50, "score: known")))
    a = answer.answer(compare(*runs), (), *runs)
    assert a.stopped == "score: known"
    assert not any(verdict.topic == "unfinished" for verdict in answer.sentences(a))


def test_where_nobody_is_first_by_the_rules_places_are_seats(typical):
    a = dataclasses.replace(typical, first_player=False)
    text = " ".join(verdict.text for verdict in answer.sentences(a))
    assert "Seat 0 wins" in text
    assert "Going first" not in text
    a = dataclasses.replace(a, verdicts=answer.sentences(a)[: answer.MOST])
    assert "oing first" not in read(comparison.render_html(a)).find("main")[0].words()


# --- the page --------------------------------------------------------------------------------------------------------


def test_the_page_needs_no_other_file_and_no_network(html, tree):
    assert "http:" not in html
    assert "https:" not in html
    assert not re.search(r"@import|url\((?!#)|\bsrc=|fetch\(|XMLHttpRequest", html)
    for link in [*tree.find("a"), *tree.find("link"), *tree.find("use")]:
        target = link.attributes.get("href") or link.attributes["xlink:href"]
        assert target.startswith(("#", "data:,"))
    assert len(html.encode()) < 2_000_000


def test_ids_are_there_once_and_every_reference_finds_its_own(html):
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)|aria-labelledby="([^"]+)"', html)
    assert {name for names in used for name in names if name} <= set(ids)


def test_every_section_is_there_opens_with_a_sentence_and_says_how_it_was_made(tree):
    (main,) = tree.find("main")
    sections = [child for child in main.children if child.tag == "section"]
    assert [s.attributes["id"] for s in sections] == [
        "verdict", "edit", "seats", "scores", "length", "strategies", "cards", "method",
    ]  # fmt: skip
    for section in sections[1:]:
        first = section.children[1]
        assert first.tag == "p"
        assert re.search(r"\d.*\.$", first.words()), first.words()
        assert section.find("p", class_="how")[0].words().startswith("How this was made. ")
        assert section.find("table")
        if section.attributes["id"] not in ("edit", "method"):
            assert section.find("figure")


def test_page_one_has_the_verdict_in_order_with_its_tone_and_two_figures(tree, typical):
    items = tree.find("ul", class_="verdicts")[0].find("li")
    assert 5 <= len(items) == len(typical.verdicts) <= 8
    for item, verdict in zip(items, typical.verdicts, strict=True):
        assert page.minus(verdict.text) in item.words()
        assert comparison.TONES[verdict.tone][1] in item.words()
    assert len(tree.find("section", id="verdict")[0].find("figure")) == 2


def test_the_edit_is_a_table(tree):
    (table,) = tree.find("div", id="changes")
    rows = [[cell.words() for cell in row.children] for row in table.find("tbody")[0].find("tr")]
    assert rows == [["rules", "expedition_ cost 20 -> 18"], ["cards Y10", "value 10 -> 12"]]  # a line may end after _


def test_figures_have_titles_that_state_a_finding_and_alternative_texts(tree):
    found = tree.find("figure")
    assert len(found) == 7
    for figure in found:
        (svg,) = figure.find("svg")
        assert svg.attributes["role"] == "img"
        assert len(svg.attributes["aria-label"]) > 60
        title = figure.find("figcaption")[0].words()
        assert re.search(r" (moves|is|changes) ", title), title
    key = tree.find("figure", id="key-seats")[0].find("figcaption")[0].words()
    assert re.fullmatch(
        r"The edit moves the worth of going first by \+\S+ percentage points, more than your margin of 1 percentage "
        r"point \(expert against itself\)", key,
    )  # fmt: skip


def test_intervals_zero_and_margin_are_drawn_in_colours_of_the_page(html):
    drawn = "".join(re.findall(r"<svg.*?</svg>", html, re.S))
    assert not re.findall(r"#[0-9a-f]{6}\b", drawn), "a colour that does not follow the page"
    for name in ("seats-changes", "score-changes", "length-changes", "match-up-changes", "cards-forest"):
        start = html.index(f'<figure id="{name}"')
        figure = html[start : html.index("</figure>", start)]
        assert "stroke: var(--ink); stroke-width: 0.9" in figure, f"{name}: no line at zero"
        assert "fill: var(--band)" in figure, f"{name}: no margin"
        assert re.search(r"stroke: var\(--(bot-\d|ink)\); stroke-width: 2.2", figure), f"{name}: no interval"


def test_tables_have_captions_and_heads_with_scope(tree):
    for table in tree.find("table"):
        assert table.find("caption")[0].words()
        heads = table.find("thead")[0].find("th")
        assert all(head.attributes["scope"] == "col" and head.words() for head in heads)
        for row in table.find("tbody")[0].find("tr"):
            assert row.children[0].attributes["scope"] == "row"
            assert len(row.children) == len(heads)


def test_every_number_of_the_page_is_in_the_json(tree, typical):
    known = numbers(json.loads(comparison.render_json(typical)))
    known |= {deals * typical.comparison.seats for deals in typical.comparison.rows["more_deals"].drop_nulls()}
    cells = [float(e.attributes["data-v"]) for tag in ("td", "th") for e in tree.find(tag) if "data-v" in e.attributes]
    assert len(cells) > 500
    assert set(cells) <= known
    sections = [*(section(typical) for section in comparison.SECTIONS), comparison.method.section(typical)]
    raws = {x for s in sections for t in s.tables for row in t.rows for cell in row for x in cell.raw}
    assert {x for x in raws if math.isfinite(x)} <= known


def test_the_json_is_the_answer(typical):
    text = comparison.render_json(typical)
    told = json.loads(text)
    assert told == json.loads(json.dumps(typical.to_dict()))
    assert told["format"] == answer.FORMAT
    assert len(told["comparison"]["rows"]) == len(typical.comparison.rows)
    assert max(map(len, text.splitlines())) < 1500


def test_the_cards_table_has_the_changed_card_on_top(tree, typical):
    (table,) = tree.find("div", id="cards-table")
    rows = table.find("tbody")[0].find("tr")
    assert len(rows) == len(typical.comparison.cards)
    assert rows[0].children[0].words() == "yellow 10"
    assert "beyond margin" in rows[0].words()


def test_cards_that_are_new_or_gone_come_first(typical):
    more = [
        {"type": "x", "label": "the Joker", "group": "x", "base": 0, "variant": 2, "change": "added"},
        {"type": "y", "label": "the Fool", "group": "y", "base": 1, "variant": 0, "change": "removed"},
    ]
    frame = typical.comparison.cards.vstack(pl.DataFrame(more, schema=typical.comparison.cards.schema))
    a = dataclasses.replace(typical, comparison=dataclasses.replace(typical.comparison, cards=frame))
    (table,) = card_part.section(a).tables
    assert [[cell.text for cell in row[:4]] for row in table.rows[:2]] == [
        ["the Joker", "x", "new", "2"], ["the Fool", "y", "1", "gone"],
    ]  # fmt: skip
    (said,) = (verdict for verdict in answer.sentences(a) if verdict.section == "cards")
    assert said.text.startswith("Cards: the Fool is gone; the Joker is new. ")


@pytest.mark.parametrize(
    ("dealt", "said"),
    [
        ((True, True), "2 of 50 cards reach the players more or less often than before"),
        ((False, False), "2 of 50 cards are taken by the players more or less often than before"),
        ((True, False), "2 of 50 cards come to the players more or less often than before"),
    ],
)
def test_what_is_dealt_reaches_the_players_and_what_is_chosen_they_take(typical, dealt, said):
    changed = dict(zip(("yellow-10", "blue-2"), dealt, strict=True))
    moved = pl.col("subject").is_in(list(changed))
    sign = pl.when(pl.col("subject") == "blue-2").then(-1.0).otherwise(1.0)
    rows = typical.comparison.rows.filter(measure="card_held").with_columns(
        wording=pl.when(moved).then(pl.lit(stats.MATTERS)).otherwise(pl.lit(stats.EQUIVALENT)), difference=sign
    )
    frame = typical.comparison.cards.with_columns(in_hand=pl.col("type").replace_strict(changed, default=True))
    a = dataclasses.replace(typical, comparison=dataclasses.replace(typical.comparison, cards=frame, rows=rows))
    assert answer.cards(a).text.startswith(said)


def test_markdown_is_as_it_was(typical):
    # After a change on purpose: FAIRDEAL_NEW_GOLDEN=1 pytest tests/reports, and read the difference.
    text = comparison.render_markdown(typical)
    if os.environ.get("FAIRDEAL_NEW_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ODD)
def test_odd_runs_make_whole_pages(tmp_path, name):
    fake = ODD[name]
    a = answered(tmp_path, fake, dataclasses.replace(fake, first_points=5.0), names=("<i>old</i>", "new & *x*"))
    tree = read(comparison.render_html(a))
    assert not tree.find("b")
    assert not tree.find("i")
    assert "<i>old</i>" in tree.find("h1")[0].words()
    assert json.loads(comparison.render_json(a))
    lines = comparison.render_markdown(a).splitlines()
    assert not any(line.startswith("|") and len(re.findall(r"(?<!\\)\|", line)) < 3 for line in lines)
    for table in tree.find("table"):
        heads = len(table.find("thead")[0].find("th"))
        assert all(len(row.children) == heads for row in table.find("tbody")[0].find("tr"))


def test_write_makes_the_files_that_are_asked_for(typical, tmp_path):
    assert comparison.write(typical, tmp_path, ["md"]) == [tmp_path / "report.md"]
    assert [p.name for p in tmp_path.iterdir()] == ["report.md"]
    with pytest.raises(InputError, match=r"no report format 'pdf'. Allowed: html, json, md"):
        comparison.write(typical, tmp_path, ["pdf"])


def test_the_sample_tells_the_same_in_all_forms():
    folder = Path(comparison.__file__).parent / "examples" / "lost-cities-comparison"
    told = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    said = read((folder / "report.html").read_text(encoding="utf-8")).find("section", id="verdict")[0].words()
    markdown = (folder / "report.md").read_text(encoding="utf-8")
    assert told["format"] == answer.FORMAT
    assert told["changes"] == ["rules: expedition_cost 20 -> 18"]
    assert len(told["verdicts"]) >= 5
    for verdict in told["verdicts"]:
        assert page.minus(verdict["text"]) in said
        assert page.markdown(verdict["text"]) in markdown
