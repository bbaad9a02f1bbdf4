"""The page about several numbers of seats: self-contained but for links to full reports, complete, each id once."""

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.balance import Balance
from reports import balance, by_seats, comparison, page
from reports.by_seats import BySeats
from simcore.errors import InputError
from tests.analysis.fake_run import FakeRun
from tests.reports import test_comparison as comparisons
from tests.reports.conftest import ODD, TYPICAL
from tests.reports.reading import read


@pytest.fixture(scope="module")
def two_and_four(balance_of: Callable[[FakeRun], Balance]) -> BySeats:
    return BySeats((balance_of(TYPICAL), balance_of(ODD["four seats and a match of two rounds"])))


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> BySeats:
    fakes = (comparisons.BASE, comparisons.ODD["four seats and two rounds"])
    return BySeats(tuple(comparisons.answered(tmp_path_factory.mktemp("compared"), fake, fake) for fake in fakes))


@pytest.fixture(params=["two_and_four", "compared"])
def either(request: pytest.FixtureRequest) -> BySeats:
    """A page of balances, and one of comparisons."""
    made: BySeats = request.getfixturevalue(request.param)
    return made


def test_a_section_has_the_verdict_the_key_figures_and_the_way_to_the_full_report(either: BySeats) -> None:
    tree = read(by_seats.render_html(either))
    sections = tree.find("section")
    assert [section.attributes["id"] for section in sections] == ["2-seats", "4-seats"]
    for section, one in zip(sections, either.results, strict=True):
        text = " ".join(section.words().split())
        for verdict in one.verdicts:
            assert " ".join(page.minus(verdict.text).split()) in text
        report = balance if isinstance(one, Balance) else comparison
        assert len(section.find("figure")) == len(report.key_figures(one))
        (link,) = (a for a in section.find("a") if not a.attributes["href"].startswith("#"))
        assert link.attributes["href"] == f"../{section.attributes['id']}/report/report.html"


def test_ids_are_there_once_and_every_reference_finds_its_own(either: BySeats) -> None:
    html = by_seats.render_html(either)
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)|aria-labelledby="([^"]+)"', html)
    assert {name for names in used for name in names if name} <= set(ids)


def test_the_page_needs_no_network_and_is_the_same_each_time(either: BySeats) -> None:
    html = by_seats.render_html(either)
    assert not re.search(r"https?:|@import|\bsrc=", html)
    assert html == by_seats.render_html(either)


def test_every_format_leads_to_full_reports_of_its_own(either: BySeats, tmp_path: Path) -> None:
    files = by_seats.write(either, tmp_path / "report")
    assert [file.name for file in files] == ["report.html", "report.json", "report.md"]
    html, data, text = (file.read_text(encoding="utf-8") for file in files)
    links = [link for link in re.findall(r'href="([^"#][^"]*)"', html) if not link.startswith("data:")]
    links += [section["report"] for section in json.loads(data)["sections"]]
    links += re.findall(r"\]\(([^)]*)\)", text)
    assert len(links) == 6
    for link in links:
        assert (tmp_path / "report" / link).is_file()
    below = dataclasses.replace(either, full=by_seats.BELOW)
    by_seats.write(below, tmp_path / "elsewhere", ["md"])
    assert (tmp_path / "elsewhere/4-seats/report.md").is_file()


def test_what_is_not_played_yet_is_said(two_and_four: BySeats) -> None:
    unfinished = dataclasses.replace(two_and_four, unplayed=(3, 5))
    said = "No game with 3 and 5 seats is finished yet."
    assert said in by_seats.render_html(unfinished)
    assert said in by_seats.render_markdown(unfinished)
    assert json.loads(by_seats.render_json(unfinished))["unplayed"] == [3, 5]
    assert said not in by_seats.render_html(two_and_four)


def test_names_like_markup_stay_text(balance_of: Callable[[FakeRun], Balance]) -> None:
    odd = BySeats((balance_of(ODD["names like markup"]),))
    assert "<b>a|b</b>" not in by_seats.render_html(odd)
    assert "<b>" not in by_seats.render_markdown(odd)


def test_an_unknown_format_is_refused(two_and_four: BySeats, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Allowed: html, json, md"):
        by_seats.write(two_and_four, tmp_path / "report", ["pdf"])
