"""`fairdeal sweep`: what it plays, what it leaves, how it is refused, and how it goes on."""

import json
import shlex
from pathlib import Path

import pytest

import fairdeal
from analysis.sweep_folder import open_sweep
from simcore import batch
from simcore.runlog import open_run
from tests.cli import GAME, call
from tests.cli.test_input import fails

VARY = ("--vary", "rules.expedition_cost=15,25")
SWEEP = ("sweep", GAME, *VARY, "--bots", "uniform", "--cards", "single_round", "--games", "200", "--out", "s")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_sweep_plays_its_points_and_prints_the_verdict() -> None:
    result = call(*SWEEP)
    assert result.exit_code == 0, result.output
    assert "expedition_cost is 20 in the card set single_round: this value is played too" in result.stderr
    assert "3 points, at each 1 line-up of 200 games" in result.stderr
    assert "Played 600 games" in result.stderr
    *verdict, last = result.stdout.splitlines()
    assert last == f"Report: {Path('s/report/report.html')}"
    assert 3 <= len(verdict) <= 7
    assert sorted(entry.name for entry in Path("s").iterdir()) == ["points", "report", "sweep.json"]
    described = json.loads(Path("s/sweep.json").read_text(encoding="utf-8"))
    assert [point["values"] for point in described["points"]] == [[15], [20], [25]]
    assert described["base"] == 1
    assert described["axes"][0]["base_added"]
    assert {entry.suffix for entry in Path("s/report").iterdir()} == {".html", ".json", ".md"}

    again = call("report", "sweep", "s", "--format", "md", "--out", "elsewhere", "--quiet")
    assert again.stderr == ""
    assert again.stdout.splitlines() == [*verdict, f"Report: {Path('elsewhere/report.md')}"]
    content = json.loads(call("report", "sweep", "s", "--json", "--quiet").stdout)
    assert content["format"] == "fairdeal-sweep-report/1"


def test_the_same_deals_are_played_at_every_point() -> None:
    """A bot that does not look at the value plays every game move by move the same; only the scores differ."""
    result = call(*SWEEP)
    assert "No bot reacted to expedition_cost" in result.stdout
    hashes = [run.scan("games").collect()["play_hash"].to_list() for run in open_sweep("s").runs.values()]
    assert hashes[0] == hashes[1] == hashes[2]
    scores = [run.scan("seats").collect()["score"].sum() for run in open_sweep("s").runs.values()]
    assert scores[0] > scores[1] > scores[2]


def test_a_point_equals_a_plain_run_of_the_edited_set_row_for_row() -> None:
    assert call(*SWEEP).exit_code == 0
    base = fairdeal.load_cards(GAME, "single_round")
    fairdeal.export_cards(base, "edited")
    rules = Path("edited/rules.toml")
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("expedition_cost = 20", "expedition_cost = 15"), encoding="utf-8")
    words = ["simulate", GAME, "--bots", "uniform", "--games", "200", "--log", "games", "--cards", "edited"]
    assert call(*words, "--out", "plain").exit_code == 0
    plain, point = open_run("plain"), open_sweep("s").runs[0]
    assert point.manifest["card_set"]["hash"] == plain.manifest["card_set"]["hash"]
    assert point.manifest["card_set"]["name"] == "single_round, rules.expedition_cost=15"
    for table in ("games", "seats"):
        assert point.scan(table).collect().equals(plain.scan(table).collect())


def test_what_was_stopped_goes_on_with_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = batch.run, []

    def stops(*words: object, **more: object) -> object:
        calls.append(words)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*words, **more)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(batch, "run", stops)
        result = call(*SWEEP)
    assert result.exit_code == 130
    assert shlex.split(result.stderr.splitlines()[-1]) == ["fairdeal", *SWEEP, "--resume"]
    stopped = open_sweep("s")
    assert list(stopped.runs) == [1], "the card set's own value is played first"
    shards = Path("s/points/001/shards.jsonl").read_bytes()

    unfinished = call("report", "sweep", "s")
    assert unfinished.exit_code == 0
    assert "1 of 3 points" in unfinished.stderr
    assert "not finished" in unfinished.stdout

    done = call(*SWEEP, "--resume")
    assert done.exit_code == 0, done.output
    assert "Played 400 games" in done.stderr
    assert Path("s/points/001/shards.jsonl").read_bytes() == shards
    assert open_sweep("s").complete
    again = call(*SWEEP, "--resume")
    assert again.exit_code == 0
    assert "played already" in again.stderr
    assert again.stdout == done.stdout


def test_a_folder_is_not_written_over() -> None:
    assert call(*SWEEP).exit_code == 0
    fails(call(*SWEEP), 2, "already holds a sweep", "--resume")
    fails(call(*SWEEP, "--seed", "3", "--resume"), 2, "another sweep", "seed (the folder has 0, this sweep 3). Ask")
    other = [word.replace("15,25", "15,30") for word in SWEEP]
    fails(call(*other, "--resume"), 2, "what is varied", "rules.expedition_cost=15,20,25")
    Path("diary").mkdir()
    Path("diary/mine.txt").touch()
    fails(call(*SWEEP[:-1], "diary"), 2, "not empty", "mine.txt")
    fails(call(*SWEEP[:-2], "--resume"), 2, "--resume", "--out")


MISTAKES = {
    "no path": (["--vary", "rules.expedition_cost"], ["TABLE.ROW.COLUMN=1,2,5", "rules.NAME"]),
    "a scalar": (["--vary", "rules.expedition_cst=1"], ["nearest: expedition_cost"]),
    "a table": (["--vary", "card.Y02.value=1"], ["nearest: cards"]),
    "row and column": (["--vary", "cards.Y99.valu=1"], ["nearest: Y09", "nearest: value"]),
    "a value": (["--vary", "rules.hand_size=8,99"], ["more than 20", "from 1 to 20"]),
    "an empty range": (["--vary", "rules.hand_size=9:7"], ["empty range", "7:9"]),
    "too many values": (["--vary", "rules.max_turns=1:9000"], ["at most 100"]),
    "too many points": (
        ["--vary", "rules.bonus_points=1:30", "--vary", "rules.expedition_cost=1:30"], ["30 x 30", "at most 100"],
    ),
    "three values": (
        [*VARY, "--vary", "rules.hand_size=7,8", "--vary", "rules.bonus_points=0,20"], ["one or two values, not 3"],
    ),
    "only what is there already": (["--vary", "rules.expedition_cost=20"], ["already", "another value"]),
    "one path twice": ([*VARY, *VARY], ["varied already"]),
    "an edited set that cannot be played": (
        ["--vary", "rules.rounds=2,9", "--vary", "rules.max_turns=16000"],
        ["rules.rounds=2", "rules.rounds=9", "rounds * max_turns at most 16384"],
    ),
    "a game": (["--vary", "rules.x=1", "--cards", "bas"], ["nearest: base"]),
    "a bot": ([*VARY, "--bots", "unifrm"], ["Did you mean uniform"]),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case: str) -> None:
    words, parts = MISTAKES[case]
    fails(call("sweep", GAME, *words, "--out", "s"), 2, *parts)
    assert list(Path().iterdir()) == [], "nothing is written, nothing is played"


def test_a_report_of_what_is_no_sweep() -> None:
    fails(call("report", "sweep", "nothing"), 2, "nothing", "no such folder")
    fails(call("sweep", GAME), 2, "--vary")


def test_two_values_from_a_notebook() -> None:
    study = fairdeal.sweep(
        GAME,
        ["rules.expedition_cost=10,20", "cards.Y02.color=blue"],
        bots="uniform",
        cards="single_round",
        games=40,
        out="s",
    )
    assert study.folder == Path("s")
    assert [point.values for point in study.sweep.points] == [
        (10, "yellow"), (10, "blue"), (20, "yellow"), (20, "blue"),
    ]  # fmt: skip
    assert study.sentences
    (page, *_) = fairdeal.write_sweep(study.sweep, "report")
    assert page.name == "report.html"
    with pytest.raises(fairdeal.InputError, match="nearest: expedition_cost"):
        fairdeal.sweep(GAME, "rules.expedition_cots=1")
