"""Where scores come from, families of counters and groups of cards on the page."""

import dataclasses
import re

import pytest

from analysis.balance import analyse
from reports import balance as report
from reports.parts import groups, scores, sources, strategies
from tests.analysis.fake_run import FakeBot, FakeRun
from tests.analysis.test_groups import NEVER, city
from tests.analysis.test_score_verdicts import EXPERT, OTHER, write
from tests.reports.reading import read


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    fake = FakeRun(blocks=500, bots=(OTHER, EXPERT), line_ups=((0, 0), (0, 1), (1, 1)), log="games", luck_sd=4.0)
    return analyse(write(tmp_path_factory.mktemp("parts"), fake, fleet={0: 9.0}, eager=0.4))


@pytest.fixture(scope="module")
def grouped(tmp_path_factory):
    return analyse(city(tmp_path_factory.mktemp("city"), eager=0.6, blocks=500, luck_sd=4.0))


def cells(table, first):
    (row,) = [row for row in table.rows if row[0].text == first]
    return row


def test_score_parts_stand_side_by_side_with_the_winner_s_lead(made):
    section = scores.section(made)
    figure = next(figure for figure in section.figures if figure.name == "score-sources")
    main = made.main.scores.bots[0].bot
    assert figure.title.startswith(f"The largest part of the score of {main} is town, and of the winner’s lead too")
    assert figure.svg.count(">plan<") == figure.svg.count(">expert<") == 1  # the key
    assert "The winner’s lead." in figure.svg
    table = next(table for table in section.tables if table.name == "score-parts")
    assert [column.head for column in table.columns[2:]] == [main, *({"plan", "expert"} - {main}), "The winner’s lead"]
    leads = {part.name: part.mean.value for part in made.main.scores.part_leads}
    assert cells(table, "fleet")[-1].raw[0] == leads["fleet"]
    assert sum(cells(table, name)[-1].raw[0] for name in ("town", "fleet")) == pytest.approx(
        made.main.scores.lead.value
    )


def test_a_family_has_a_figure_of_its_own(made):
    (figure,) = sources.family_figures(made)
    assert figure.name == "family-visits"
    assert re.match(
        r"Of the visits, king is the most frequent \(2\.\d+ a game and player\), builder the rarest", figure.title
    )
    assert ">king<" in figure.svg
    assert ">builder<" in figure.svg


def test_what_each_bot_lives_from_stands_with_the_strategies(made):
    said = strategies.section(made).sentences
    assert sum("has most of its score from town (" in sentence for sentence in said) == 2


def test_without_self_play_the_bots_of_page_one_stand_side_by_side(tmp_path):
    fake = FakeRun(blocks=100, bots=(OTHER, EXPERT), line_ups=((0, 1),), log="games")
    balance = analyse(write(tmp_path, fake))
    assert [bot.head for bot in sources.shown(balance)] == [f"{b} in plan against expert" for b in ("plan", "expert")]
    assert sources.parts_figure(balance) is not None


def test_a_game_for_one_shows_its_parts_without_a_lead(tmp_path):
    balance = analyse(write(tmp_path, FakeRun(blocks=60, seats=1, line_ups=((0,),), bots=(EXPERT,), log="games")))
    figure = sources.parts_figure(balance)
    assert "The winner’s lead" not in figure.svg
    assert figure.note == ""
    assert "The winner’s lead" not in {column.head for column in sources.table(balance).columns}


def test_a_game_with_one_part_has_no_figure_of_its_parts(made):
    alone = dataclasses.replace(made.main.scores.bots[0], parts=made.main.scores.bots[0].parts[:1])
    lone = dataclasses.replace(made.main.scores, bots=(alone,), part_leads=made.main.scores.part_leads[:1])
    result = dataclasses.replace(made.main, scores=lone)
    assert sources.parts_figure(dataclasses.replace(made, line_ups=(result,), headline=0)) is None


def test_groups_show_what_the_winner_has_more_of_and_what_nobody_takes(grouped):
    section = groups.section(grouped)
    leads, types = section.figures
    assert leads.title.startswith("The winner is farthest from the others in row A (+0.")
    assert types.title.endswith("block B3 least (0 %; expert against itself)")
    table = next(table for table in section.tables if table.name == "groups-table")
    (row_a,) = [row for row in table.rows if row[0].text == "row A" and row[2].text == "held"]
    assert row_a[-1].strong
    (never,) = [
        row
        for row in next(t for t in section.tables if t.name == "groups-types-table").rows
        if row[0].text.startswith(NEVER.replace("_", " "))
    ]
    assert never[-1].text == "0.0"
    assert never[-1].strong


def test_the_page_with_groups_is_whole(grouped):
    page = read(report.render_html(grouped))
    (section,) = page.find("section", id="groups")
    assert len(section.find("figure")) == 2
    assert "None" not in section.words()
    ids = re.findall(r' id="([^"]*)"', report.render_html(grouped))
    assert len(ids) == len(set(ids))


def test_without_any_sure_lead_the_title_says_so(tmp_path):
    quiet = analyse(city(tmp_path, blocks=60, bots=(FakeBot("expert", "expert"),)))
    figure = groups.section(quiet).figures[0]
    sure = quiet.main.groups.leads.filter("flagged")
    assert figure.title.startswith("Of no group the winner has surely more cards") == (len(sure) == 0)
