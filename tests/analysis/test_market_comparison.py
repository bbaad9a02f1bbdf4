"""What an edit changed on the table and of tallied cards: two made-up runs on the same deals."""

import polars as pl
import pytest

from analysis import answer, stats
from analysis.comparison import IDENTICAL, MEASURES, compare
from reports import comparison as report
from reports.page import table_of
from reports.parts.comparison import cards
from tests.analysis.fake_market import FakeMarket, write

BASE = FakeMarket(blocks=800, building={"A": 0.5, "F": 0.2}, played={"maid": 2.0, "baker": 0.5, "bard": 0.1})
VARIANT = FakeMarket(
    blocks=800, building={"A": 0.5, "F": 0.7}, played={"maid": 2.0, "baker": 1.5, "bard": 0.1}, blocks_per_shard=300
)


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    return write(tmp_path_factory.mktemp("a"), BASE), write(tmp_path_factory.mktemp("b"), VARIANT)


@pytest.fixture(scope="module")
def found(pair):
    return compare(*pair)


@pytest.fixture(scope="module")
def told(pair, found):
    return answer.answer(found, ["buildings F: cost 3 -> 1"], *pair)


def row(comparison, measure, subject, line_up=2):
    return comparison.rows.filter(measure=measure, subject=subject, line_up=line_up).row(0, named=True)


def test_what_is_built_more_is_found(found):
    assert set(found.rows["measure"]) <= set(MEASURES)
    changed = row(found, "market_built", "house_F")
    assert changed["difference"] == pytest.approx(0.5, abs=0.06)
    assert changed["wording"] == stats.MATTERS
    assert changed["q"] <= 0.05
    others = found.rows.filter(pl.col("subject") != "house_F", measure="market_built", line_up=2)
    assert len(others) == 8
    assert (others["q"] > 0.001).all()
    assert row(found, "market_improved", "house_A")["base"] == pytest.approx(0.4, abs=0.05)


def test_what_is_built_is_what_each_run_says(pair, found):
    from analysis.blocks import line_ups
    from analysis.market import market

    for arm, run in zip(("base", "variant"), pair, strict=True):
        types = market(run, line_ups(run.manifest)[2]).types
        for kind, once in types.select("type", "once").iter_rows():
            assert row(found, "market_built", kind)[arm] == pytest.approx(once)


def test_tallied_cards_are_compared(found):
    changed = row(found, "tally_times", "baker")
    assert (changed["base"], changed["variant"]) == pytest.approx((0.5, 1.5), abs=0.08)
    assert (changed["unit"], changed["wording"]) == ("times", stats.MATTERS)
    assert changed["label"] == "times that Baker is played"
    assert row(found, "tally_times", "bard")["wording"] == stats.UNKNOWN


def test_nothing_is_asked_about_holding_what_lies_on_the_table(found):
    assert not found.rows["measure"].is_in(["card_held", "card_played", "card_effect_points"]).any()


def test_a_run_against_itself_is_identical(pair):
    same = compare(pair[0], pair[0])
    of_cards = same.rows.filter(pl.col("measure").is_in(["market_built", "market_improved", "tally_times"]))
    assert set(of_cards["wording"]) == {IDENTICAL}


def test_only_the_deals_of_both_are_compared(pair):
    some = compare(*pair, blocks=250)
    assert set(some.rows.filter(measure="market_built")["n"]) == {250}


def test_page_one_names_what_changed(told):
    (said,) = (verdict.text for verdict in told.verdicts if verdict.topic == "cards")
    built = "One card is built more often when on the table than before, surely by more than your margin of 1"
    assert f"{built} percentage point: House F +" in said
    assert "One card is played more often than before, surely by more than 5 % of it: Baker +" in said


def test_the_section_on_cards_shows_both(told):
    section = cards.section(told)
    assert [figure.name for figure in section.figures] == ["cards-forest", "tallies-forest"]
    table, tallied = table_of(section, "cards-table"), table_of(section, "tallies-table")
    assert table.rows[0][0].text == "House F"
    assert {r[0].text for r in tallied.rows} == {"Maid", "Baker", "Bard"}
    assert {r[0].text for r in table.rows} == {f"House {letter}" for letter in "ABCDEFGHI"}
    assert report.render_html(told)
    assert report.render_markdown(told)
    assert report.render_json(told)
