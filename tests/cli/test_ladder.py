"""`fairdeal ladder`: what it plays, what it leaves, how it is refused, and how it goes on."""

import json
import shlex
from pathlib import Path

import pytest

import fairdeal
from analysis.ladder_folder import open_ladder, read_speed
from analysis.studies import ladder as studies
from simcore import batch
from tests.cli import GAME, call
from tests.cli.test_input import fails

BOTS = ("--bots", "heuristic,uniform,expert~50")
LADDER = ("ladder", GAME, *BOTS, "--cards", "single_round", "--games", "200", "--out", "l")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(studies, "LONG_ENOUGH", 0.001)


def test_a_ladder_plays_every_two_and_prints_the_verdict() -> None:
    result = call(*LADDER)
    assert result.exit_code == 0, result.output
    assert "bots uniform, heuristic, expert~50" in result.stderr, "weak tiers first"
    assert "6 quick line-ups of 200 games" in result.stderr
    assert "Played 1,200 games" in result.stderr
    *verdict, last = result.stdout.splitlines()
    assert last == f"Report: {Path('l/report/report.html')}"
    assert verdict[0].startswith(("By the results of all, heuristic is the strongest", "Who is the strongest of 3"))
    assert sorted(entry.name for entry in Path("l").iterdir()) == ["quick", "report", "speed.json"]
    assert {entry.suffix for entry in Path("l/report").iterdir()} == {".html", ".json", ".md"}
    speed = read_speed(Path("l"))
    assert list(speed) == ["uniform", "heuristic", "expert~50"]
    assert all(entry["microseconds"] > 0 and entry["decisions"] > 0 for entry in speed.values())

    again = call("report", "ladder", "l", "--format", "md", "--out", "elsewhere", "--quiet")
    assert again.stderr == ""
    assert again.stdout.splitlines() == [*verdict, f"Report: {Path('elsewhere/report.md')}"]
    content = json.loads(call("report", "ladder", "l", "--json", "--quiet").stdout)
    assert content["format"] == "fairdeal-ladder-report/1"
    assert {bot["name"] for bot in content["ratings"]["bots"]} == {"uniform", "heuristic", "expert~50"}


def test_search_bots_have_a_run_of_their_own_on_the_same_deals() -> None:
    words = [*LADDER, "--games", "8"]
    words[3] = "uniform,search:1,heuristic"
    result = call(*words)
    assert result.exit_code == 0, result.output
    assert "Playouts of search:1 for a decision: at most 1" in result.stderr
    assert "3 quick line-ups of 8 games" in result.stderr
    assert "3 search line-ups of 8 games" in result.stderr
    runs = open_ladder("l").runs
    assert runs["cheap"].manifest["seed"] == runs["dear"].manifest["seed"]
    assert [bot["name"] for bot in runs["dear"].manifest["bots"]] == ["search:1", "uniform", "heuristic"]


def test_line_ups_with_a_search_bot_play_the_hundredth_part() -> None:
    def counts(games: int | None) -> dict[str, int]:
        made = studies.plan(GAME, "uniform,expert,search:5", games)
        return {cost: plan.games_per_line_up for cost, plan in made.plans.items()}

    assert counts(None) == {"cheap": 10_000, "dear": 100}
    assert counts(200_000) == {"cheap": 200_000, "dear": 2_000}
    assert counts(5_000) == {"cheap": 5_000, "dear": 100}
    assert counts(40) == {"cheap": 40, "dear": 40}


def test_by_default_all_tiers_play() -> None:
    assert studies.plan(GAME).bots == ("uniform", "heuristic", "expert~10", "expert", "trained", "search:50")
    assert studies.plan("vaalbara", seats=3).plans["cheap"].games_per_line_up == 10_002
    assert len(studies.plan("vaalbara", seats=3).plans["dear"].line_ups) == 1 + 2 * 5


def test_what_was_stopped_goes_on_with_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = batch.run, []

    def stops(*words: object, **more: object) -> object:
        calls.append(more)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*words, **more)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(batch, "run", stops)
        result = call(*LADDER)
    assert result.exit_code == 130
    assert shlex.split(result.stderr.splitlines()[-1]) == ["fairdeal", *LADDER, "--resume"]
    fails(call("report", "ladder", "l"), 2, "no finished games yet", "--resume")
    done = call(*LADDER, "--resume")
    assert done.exit_code == 0, done.output
    assert "Played 1,200 games" in done.stderr
    speed = Path("l/speed.json").read_bytes()
    again = call(*LADDER, "--resume")
    assert "played already" in again.stderr
    assert again.stdout == done.stdout
    assert Path("l/speed.json").read_bytes() == speed, "decisions are timed once"


def test_a_folder_is_not_written_over() -> None:
    assert call(*LADDER).exit_code == 0
    fails(call(*LADDER), 2, "--resume")
    fails(call(*LADDER, "--seed", "3", "--resume"), 2, "seed")
    Path("diary").mkdir()
    Path("diary/mine.txt").touch()
    fails(call(*LADDER[:-1], "diary"), 2, "other things than a ladder", "mine.txt")
    fails(call(*LADDER[:-2], "--resume"), 2, "--resume", "--out")


MISTAKES = {
    "one bot": (["--bots", "uniform"], ["at least two different bots", "uniform alone"]),
    "the same twice": (["--bots", "uniform,uniform"], ["at least two different bots"]),
    "a bot": (["--bots", "unifrm,expert"], ["Did you mean uniform"]),
    "a budget": (["--bots", "uniform,expert:5"], ["expert does not search"]),
    "a card set": (["--cards", "bas"], ["nearest: base"]),
    "seats": (["--seats", "3"], ["cannot be played with 3 seats"]),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case: str) -> None:
    words, parts = MISTAKES[case]
    fails(call("ladder", GAME, *words, "--out", "l"), 2, *parts)
    assert list(Path().iterdir()) == [], "nothing is written, nothing is played"


def test_seats_must_be_said_where_there_are_several() -> None:
    fails(call("ladder", "valletta", "--out", "l"), 2, "--seats")


def test_a_report_of_what_is_no_ladder() -> None:
    fails(call("report", "ladder", "nothing"), 2, "nothing", "no such folder")


def test_a_ladder_from_a_notebook() -> None:
    study = fairdeal.ladder(GAME, bots=["uniform", "heuristic"], cards="single_round", games=60, out="l")
    assert study.folder == Path("l")
    assert study.sentences
    assert study.ladder.names == ("heuristic", "uniform")
    assert fairdeal.analyse_ladder(fairdeal.open_ladder("l")).ratings == study.ladder.ratings or any(
        rating.estimate.value != rating.estimate.value for rating in study.ladder.ratings.bots
    ), "equal but for NaN"
    (page, *_) = fairdeal.write_ladder(study.ladder, "report")
    assert page.name == "report.html"
