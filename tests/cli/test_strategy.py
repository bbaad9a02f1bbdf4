"""`fairdeal report strategy`: what it prints and leaves, what a run with moves tells, and how it is refused."""

import json
from pathlib import Path

import pytest

import fairdeal
from tests.cli import GAME, call
from tests.cli.test_input import fails

BOTS = ("--bots", "uniform,heuristic,expert")
PLAYED = (GAME, *BOTS, "--cards", "single_round", "--games", "80", "--out", "r", "--quiet")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_report_of_a_balance_run_stands_beside_that_of_the_balance() -> None:
    assert call("balance", *PLAYED).exit_code == 0
    result = call("report", "strategy", "r")
    assert result.exit_code == 0, result.output
    assert result.stderr == "Analysing 480 games.\n"
    *verdict, last = result.stdout.splitlines()
    assert last == f"Report: {Path('r/strategy/report.html')}"
    assert verdict[0].startswith(("By the results of all, ", "Who is the strongest of 3 bots is not sure"))
    assert 5 <= len(verdict) <= 8
    assert {entry.name for entry in Path("r/strategy").iterdir()} == {"report.html", "report.json", "report.md"}
    assert Path("r/report/report.html").exists()

    again = call("report", "strategy", "r", "--format", "json", "--out", "elsewhere", "--quiet")
    assert (again.exit_code, again.stderr) == (0, "")
    assert again.stdout.splitlines() == [*verdict, f"Report: {Path('elsewhere/report.json')}"]
    content = json.loads(Path("elsewhere/report.json").read_text(encoding="utf-8"))
    assert content["format"] == "fairdeal-strategy-report/1"
    assert {row["kind"] for row in content["profiles"][0]["differences"]} == {"score", "counter", "card", "time"}
    assert [missing["section"] for missing in content["missing"]] == ["feel"]


def test_a_run_with_moves_tells_which_decisions_matter() -> None:
    assert call("simulate", *PLAYED, "--log", "moves").exit_code == 0
    strategy = fairdeal.analyse_strategy(fairdeal.open_run("r"))
    assert strategy.lacks("feel") == ()
    assert all(one.choices and one.meaningful is not None for one in strategy.feels)
    assert not any(profile.mirrors for profile in strategy.profiles)
    (page, *_) = fairdeal.write_strategy(strategy, "report")
    assert "Which decisions matter" in page.read_text(encoding="utf-8")


def test_a_report_of_what_is_no_run() -> None:
    fails(call("report", "strategy", "nothing"), 2, "nothing")
