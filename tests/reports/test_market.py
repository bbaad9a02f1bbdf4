"""The balance report of a game with cards on the table and tallied cards, and of one without."""

import json

import pytest

from analysis.balance import Balance, analyse
from reports import balance
from reports.page import table_of
from reports.parts import cards, feel, market, tallies
from tests.analysis import fake_run
from tests.analysis.fake_market import FakeBot, FakeMarket, write
from tests.reports.reading import read
from tests.reports.test_balance import numbers

BOTS = (FakeBot("uniform", "random", 0.0), FakeBot("greedy", "simple", 3.0), FakeBot("expert", "expert", 6.0))
FAKE = FakeMarket(
    blocks=1000, bots=BOTS, line_ups=((0, 0), (0, 2), (1, 1), (2, 2)), presence={"E": -4.0}, for_first={"D": 5.0},
    turns={"B": 8.0}, building={"F": 0.01, "A": 0.9}, eager=True,
)  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Balance:
    return analyse(write(tmp_path_factory.mktemp("built"), FAKE))


def test_page_one_tells_what_nobody_builds(built: Balance) -> None:
    said = {verdict.topic: verdict for verdict in built.verdicts}
    text = said["unbuilt"].text
    assert text.startswith("Nobody builds House F: built in ")
    assert "% of the games in which it lies on the table (95 % interval" in text
    assert "2,000 games, expert against itself), and so at every skill. It is dead, or its price is too high." in text
    assert said["unplayed"].text.startswith("Bard is hardly ever played: by 0.0 % of the players of a game")


def test_page_one_tells_what_ends_the_games(built: Balance) -> None:
    (verdict,) = (verdict for verdict in built.verdicts if verdict.topic == "endings")
    assert verdict.text.startswith("The last house ends ")
    assert ", the points " in verdict.text
    assert verdict.text.endswith("Hardly ever: the cap.")


def test_page_one_tells_what_lying_there_does(built: Balance) -> None:
    said = {verdict.topic: verdict.text for verdict in built.verdicts}
    assert "moves everybody's score by more than your margin of 1 point: House E -" in said["presence"]
    assert "Chance decides what lies there" in said["presence"]


def test_sections_are_there_for_such_a_game_alone(built: Balance) -> None:
    names = [part.NAME for part in balance.parts_of(built)]
    assert names == ["turn-order", "scores", "strategies", "cards", "groups", "market", "tallies", "feel", "method"]


def test_another_game_has_none_of_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    other = analyse(fake_run.write(tmp_path_factory.mktemp("other"), fake_run.FakeRun(blocks=60)))
    assert not {market.NAME, tallies.NAME} & {part.NAME for part in balance.parts_of(other)}
    assert feel.key_figure(other) is None
    assert market.key_figure(other) is None
    assert not {"unbuilt", "builds", "presence", "endings"} & {verdict.topic for verdict in other.verdicts}
    assert "pace" not in {table.name for table in feel.section(other).tables}


def test_the_section_on_cards_says_where_cards_are_told_of(built: Balance) -> None:
    section = cards.section(built)
    assert section.tables == ()
    assert section.sentences[-1] == (
        "No cards are dealt to a hand at random in this game. So the deal does not show what holding a card is worth; "
        "what is known of the cards stands under “On the table” and “How often”."
    )


def test_every_number_of_the_page_is_in_the_json(built: Balance) -> None:
    known = numbers(json.loads(balance.render_json(built)))
    tree = read(balance.render_html(built))
    cells = [float(e.attributes["data-v"]) for tag in ("td", "th") for e in tree.find(tag) if "data-v" in e.attributes]
    assert len(cells) > 500
    assert set(cells) <= known


def test_figures_have_their_alternative_text(built: Balance) -> None:
    for part in (market, tallies, feel):
        for figure in part.section(built).figures:
            assert 'aria-label="' in figure.svg
            assert figure.title
    assert "House F: " in market.section(built).figures[0].svg
    assert "expert against itself: the last house" in feel.section(built).figures[1].svg


def test_what_is_refused_and_what_is_sure_can_be_told_apart(built: Balance) -> None:
    section = market.section(built)
    by_instrument = table_of(section, "market-built")
    assert by_instrument is not None
    weak = {row[0].text for row in by_instrument.rows if row[3].text == "too weak"}
    assert "House F" in weak
    assert "House A" not in weak
    bots = table_of(section, "market-bots")
    assert bots is not None
    favoured = next(row for row in bots.rows if row[0].text == "House D")
    assert favoured[1].strong


def test_paces_are_per_own_turn(built: Balance) -> None:
    table = table_of(feel.section(built), "pace")
    assert table is not None
    assert [column.head for column in table.columns[2:]] == ["uniform", "greedy", "expert"]
    houses = built.main.scores.bots[0].counters[0].mean.value
    turns = built.main.tempo.length.value / 2
    assert table.rows[0][4].raw[0] == pytest.approx(houses / turns)


def test_few_deals_are_no_reason_to_fail(tmp_path_factory: pytest.TempPathFactory) -> None:
    few = analyse(write(tmp_path_factory.mktemp("few"), FakeMarket(blocks=4, blocks_per_shard=2)))
    assert "What lying on the table does is not known. Too few deals: 4." in balance.render_html(few)
    assert balance.render_markdown(few)
    assert balance.render_json(few)


def test_without_a_card_log_the_page_is_whole(tmp_path_factory: pytest.TempPathFactory) -> None:
    blind = analyse(write(tmp_path_factory.mktemp("blind"), FakeMarket(blocks=40, log="games")))
    assert market.NAME not in [part.NAME for part in balance.parts_of(blind)]
    assert "kept no card log" in balance.render_html(blind)
