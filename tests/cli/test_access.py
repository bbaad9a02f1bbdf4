"""`fairdeal access`: what it plays, prints, leaves and refuses, and how it stops."""

import json
from pathlib import Path

import pytest

from analysis.studies import access as studies
from simcore import cardset
from simcore.cardset import CardSet
from tests.cli import call
from tests.simcore.conftest import bids  # noqa: F401  # a fixture: the toy game, which this module alone knows

STUDY = ("access", "bids", "--seats", "2", "--bots", "greedy,dice", "--games", "60")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(bids: CardSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.chdir(tmp_path)


def test_access_plays_in_memory_writes_the_report_and_prints_the_verdict() -> None:
    result = call(*STUDY, "--out", "out", "--threads", "2")
    assert result.exit_code == 0, result.output
    *verdict, last = result.stdout.splitlines()
    assert 3 <= len(verdict) <= 8
    assert any(line.startswith(("Being denied the a ", "Denied one at a time")) for line in verdict)
    assert last == f"Report: {Path('out/report.html')}"
    assert "bids, card set standard, bots greedy, dice: 27 arms of 60 games with 2 seats, seed 0" in result.stderr
    assert "Played 1,620 games in " in result.stderr
    assert sorted(path.name for path in Path("out").iterdir()) == ["report.html", "report.json", "report.md"]

    told = json.loads(Path("out/report.json").read_text(encoding="utf-8"))
    assert told["format"] == "fairdeal-access-report/1"
    assert {row["kind"] for row in told["table"]} == {"ban", "blank"}
    assert [verdict["text"] for verdict in told["verdicts"]] == verdict


def test_a_kind_alone_as_json_and_quiet() -> None:
    words = ("--kind", "ban", "--format", "md", "--json", "--quiet", "--out", "out")
    result = call(*STUDY, *words)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    told = json.loads(result.stdout)
    assert {row["kind"] for row in told["table"]} == {"ban"}
    assert [path.name for path in Path("out").iterdir()] == ["report.md"]
    again = call(*STUDY, *words, "--threads", "1")
    assert again.exit_code == 2
    assert "out holds a report already (report.md). Choose another folder." in again.stderr
    assert call(*STUDY, *words[:-1], "elsewhere", "--threads", "1").stdout == result.stdout


def test_a_few_cards_alone() -> None:
    words = ("--only", "a 1", "--only", "VALUE-2", "--kind", "ban", "--format", "json", "--out", "out")
    result = call(*STUDY, *words)
    assert result.exit_code == 0, result.output
    assert "3 arms of 60 games" in result.stderr
    assert "As asked, 2 of 26 ways to deny a card were tried. Nothing is said of the other 24: " in result.stdout
    told = json.loads(Path("out/report.json").read_text(encoding="utf-8"))
    assert {row["label"] for row in told["table"]} == {"a 1", "a 2"}
    assert told["coverage"] == [
        {"group": "cards", "kind": "ban", "tried": 2, "left_out": 11},
        {"group": "cards", "kind": "blank", "tried": 0, "left_out": 13},
    ]


def test_two_card_sets_tell_what_an_edit_does(bids: CardSet) -> None:  # noqa: F811
    cardset.export(bids, "mine", "mine")
    cards = Path("mine/cards.csv")
    cards.write_text(cards.read_text(encoding="utf-8").replace(",12", ",30"), encoding="utf-8")
    sets = ("--cards", "standard", "--cards", "mine")
    result = call(*STUDY, *sets, "--kind", "blank", "--format", "json", "--out", "out")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("What changed from standard to mine: cards C11: value 12 -> 30; ")
    assert "card sets standard and mine" in result.stderr
    told = json.loads(Path("out/report.json").read_text(encoding="utf-8"))
    # 12 and 30 are no copies of each other, so only the values that both sets have are compared.
    assert sorted({row["type"] for row in told["table"]}) == sorted(f"value-{value}" for value in range(12))


def test_a_folder_of_its_own_by_default() -> None:
    result = call(*STUDY, "--kind", "ban", "--format", "json")
    (folder,) = Path("fairdeal-runs").iterdir()
    assert folder.name.startswith("bids-")
    assert result.stdout.splitlines()[-1] == f"Report: {folder / 'report.json'}"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("access", "bids"), "say how many seats (--seats)"),
        ((*STUDY, "--cards", "standard", "--cards", "standard", "--cards", "standard"), "one card set or two, not 3"),
        ((*STUDY, "--cards", "no-such-set"), "no-such-set"),
        ((*STUDY, "--kind", "burn"), "'burn' is not one of"),
        ((*STUDY, "--only", "clergy"), "unknown card or group 'clergy'. Known: cards, a 0, a 1, "),
        ((*STUDY, "--games", "0"), "at least 1"),
        ((*STUDY, "--margin-points", "0"), "0.0 is not in the range"),
        ((*STUDY, "--bots", "a,b,c"), "3 are named"),
    ],
)
def test_mistakes_are_one_message_and_status_2(words: tuple[str, ...], message: str) -> None:
    result = call(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert not Path("fairdeal-runs").exists()


def test_ctrl_c_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(studies, "play", stopped)
    result = call(*STUDY, "--out", "out")
    assert result.exit_code == 130
    assert "Stopped." in result.stderr
    assert not Path("out").exists()
