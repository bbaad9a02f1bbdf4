"""`fairdeal plan`: what it plays, prints and refuses."""

import json
import re
from pathlib import Path

import pytest

import fairdeal
from analysis.studies import plan as studies
from tests.cli import GAME, call

PLAN = ("plan", GAME, "--bots", "uniform,heuristic", "--pilot", "300", "--threads", "1")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_pilot_tells_people_what_an_effect_takes_and_leaves_nothing() -> None:
    result = call(*PLAN, "--games", "2000")
    assert result.exit_code == 0, result.output
    assert "a pilot of 300 deals with 2 seats, seed 0" in result.stderr
    assert "Played 1,800 games in " in result.stderr
    lines = result.stdout.splitlines()
    assert re.match(r"Win share of the first in turn order, .*: an effect of 1 percentage point takes \d", lines[0])
    assert "Games a line-up, with power 90 %:" in lines
    (head,) = (line for line in lines if line.endswith("2,000 games find"))
    assert head.split()[:5] == ["effect", "games", "interval", "time", "unpaired"]
    assert lines.count("heuristic against itself") == 1
    assert any(re.match(r"  mean score of a seat +1 point +[\d,]+ +[\d,]+ to [\d,]+ ", line) for line in lines)
    assert "5 pp 1,051, 2 pp 6,568" in lines[-1]
    assert all(line == line.rstrip() for line in lines)
    assert list(Path().iterdir()) == []


def test_json_for_one_effect_and_two_card_sets() -> None:
    words = ("--cards", "base", "--cards", "single_round", "--effect", "2 points", "--power", "0.8")
    result = call(*PLAN, *words, "--format", "json", "--quiet")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    told = json.loads(result.stdout)
    assert told["format"] == "fairdeal-plan/1"
    assert (told["card_sets"], told["deals"], told["games"]) == (["base", "single_round"], 300, 2 * 3 * 600)
    assert {need["effect"] for need in told["needs"]} == {2.0}
    changes = [need for need in told["needs"] if need["question"]["arms"] == 2]
    assert len(changes) == 2 + 2 + 1
    for need in changes:
        assert need["games_low"] <= need["games"] <= need["games_high"]
        assert need["saved"] == pytest.approx(need["unpaired"] / need["games"])
    assert told["sentences"]


def test_from_python_the_same_words_give_the_same_numbers() -> None:
    words = {"bots": "uniform,heuristic", "deals": 300, "threads": 1}
    found = fairdeal.plan(GAME, effects="0.5pp", **words)
    told = json.loads(call(*PLAN, "--effect", "0.5 pp", "--format", "json").stdout)
    assert [need.games for need in found.needs] == [need["games"] for need in told["needs"]]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("--effect", "1"), ["'1' is no effect", "1pp", "0.5 points"]),
        (("--effect", "0pp"), ["'0pp'", "above 0"]),
        (("--effect", "200pp"), ["at most 100"]),
        (("--effect", "1pp", "--effect", "2pp"), ["1pp, 2pp", "one in pp, one in points"]),
        (("--power", "1"), ["--power", "0.5<=x<1"]),
        (("--power", "nan"), ["--power"]),
        (("--pilot", "20"), ["20 deals", "at least 100"]),
        (("--cards", "bas"), ["nearest: base"]),
        (("--cards", "base",) * 3, ["not of 3"]),
        (("--seats", "3"), ["Allowed: 2"]),
        (("--bots", "unifrm"), ["Did you mean uniform"]),
    ],
)  # fmt: skip
def test_mistakes_are_one_message_and_status_2(words: tuple[str, ...], parts: list[str]) -> None:
    result = call(*PLAN, *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("Error: ") == 1
    for part in parts:
        assert part in result.stderr


def test_seats_are_asked_for_where_there_are_several() -> None:
    result = call("plan", "valletta")
    assert result.exit_code == 2
    assert "say how many seats (--seats)" in result.stderr


def test_a_scores_own_unit_is_understood() -> None:
    assert studies.wish_of("lisboa", ["3 wigs"]).effects == {"wigs": 3.0}
    assert studies.wish_of("lisboa", ["3points", ".5pp"]).effects == {"wigs": 3.0, "share": 0.005}
    assert studies.wish_of("vaalbara").effects == {"VP": 1.0, "share": 0.01}
    with pytest.raises(fairdeal.InputError, match="the power is from"):
        studies.wish_of(GAME, power=0.2)
    with pytest.raises(fairdeal.InputError, match="at least 1, not 0"):
        studies.wish_of(GAME, games=0)


def test_ctrl_c_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(studies, "result", stopped)
    result = call(*PLAN)
    assert result.exit_code == 130
    assert "Stopped." in result.stderr
