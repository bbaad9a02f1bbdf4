"""A user's mistake gives one message that says what is right, its exit status, and nothing else."""

import errno
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from simcore import sealed
from tests.cli import GAME, call, command

PLAY = ("simulate", GAME, "--bots", "uniform", "--games", "100", "--out", "run")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def fails(result: Result, status: int, *parts: str) -> None:
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1, result.stderr
    for part in parts:
        assert part in result.stderr
    assert "Traceback" not in result.stderr


USAGE = {
    "a command": (["simulat"], ["'simulat'", "'simulate'"]),
    "a flag": (["simulate", GAME, "--gmes", "5"], ["'--gmes'", "'--games'"]),
    "no game": (["simulate"], ["GAME"]),
    "no bots": (["simulate", GAME], ["--bots"]),
    "a word too many": (["games", "now"], ["now"]),
    "bots without a comma": (["balance", GAME, "--bots", "a", "b"], ["(b). Names belong to flags", "--bots NAME,NAME"]),
    "sets without a flag": (["compare", GAME, "base", "long"], ["(base long). Names belong to flags", "--cards SET"]),
    "a flag without a value": (["simulate", GAME, "--bots"], ["--bots"]),
    "a count": (["simulate", GAME, "--bots", "uniform", "--games", "lots"], ["--games", "'lots'", "200k"]),
    "no games": (["simulate", GAME, "--bots", "uniform", "--games", "0"], ["--games", "at least 1"]),
    "no threads": (["simulate", GAME, "--bots", "uniform", "--threads", "0"], ["--threads", "at least 1"]),
    "a seed": (["simulate", GAME, "--bots", "uniform", "--seed", "x"], ["--seed", "'x'"]),
    "a log level": (["simulate", GAME, "--bots", "uniform", "--log", "all"], ["'all'", "games", "cards", "moves"]),
    "a format": (["balance", GAME, "--format", "pdf"], ["'pdf'", "html", "json", "md"]),
    "a margin": (["balance", GAME, "--margin-share", "2"], ["--margin-share", "2"]),
    "a margin that is no number": (["balance", GAME, "--margin-points", "nan"], ["--margin-points", "nan", "x>0"]),
    "an endless margin": (["sweep", GAME, "--vary", "rules.rounds=1", "--margin-points", "inf"], ["inf", "x>0"]),
    "a share that is no number": (["compare", GAME, "--margin-share", "nan"], ["--margin-share", "nan", "0<x<=1"]),
    "a blank folder": (["simulate", GAME, "--bots", "uniform", "--out", ""], ["--out", "blank"]),
    "a blank folder for a report": (["report", "balance", "run", "--out", " "], ["--out", "blank"]),
    "resume nothing": (["simulate", GAME, "--bots", "uniform", "--resume"], ["--resume", "--out"]),
    "a game number": (["replay", "run", "one"], ["GAME_NUMBER", "'one'"]),
}


@pytest.mark.parametrize("case", USAGE)
def test_usage(case: str) -> None:
    words, parts = USAGE[case]
    fails(call(*words), 2, *parts, "--help")


INPUT = {
    "a game": (["simulate", "lost-citis", "--bots", "uniform"], ["'lost-citis'", "Did you mean lost-cities?"]),
    "another game": (["balance", "chess"], ["'chess'", "Known: lost-cities"]),
    "a bot": (["simulate", GAME, "--bots", "uniform,heuristc"], ["'heuristc'", "Did you mean heuristic"]),
    "a bot of balance": (["balance", GAME, "--bots", "unifrm"], ["'unifrm'", "Did you mean uniform"]),
    "an empty name": (["simulate", GAME, "--bots", "uniform,,"], ["uniform,expert"]),
    "a card set": (["balance", GAME, "--cards", "bas"], ["bas", "nearest: base", "long"]),
    "a blank card set": (["balance", GAME, "--cards", " "], ["is blank", "a folder, or a workbook", "base"]),
    "too long a name": (["cards", "export", GAME, "x" * 300 + ".xlsx"], ["xxx.xlsx", "too long"]),
    "seats": (["simulate", GAME, "--bots", "uniform", "--seats", "3"], ["3 seats", "Allowed: 2"]),
    "a negative seed": (["simulate", GAME, "--bots", "uniform", "--seed", "-1"], ["seed", "2**64"]),
    "too many games": (["simulate", GAME, "--bots", "uniform", "--games", "5000M"], ["4,294,967,296"]),
    "no run": (["report", "balance", "no-run"], ["no-run", "no such folder"]),
    "no run to replay": (["replay", "no-run", "1"], ["no-run", "no such folder"]),
    "cards of no game": (["cards", "check", "chess", "base"], ["'chess'"]),
    "cards to check": (["cards", "check", GAME, "bas"], ["nearest: base"]),
    "cards to nowhere": (["cards", "export", GAME, "base"], ["say where to write", "base my-set.xlsx"]),
    "cards to two places": (["cards", "export", GAME, "base", "a", "b"], ["too many words: base a b"]),
    "cards to a strange file": (["cards", "export", GAME, "a.xls"], ["a.xls", "not written as .xls", ".xlsx or .ods"]),
    "cards to compare": (["cards", "diff", GAME, "base", "lang"], ["nearest: long"]),
}


@pytest.mark.parametrize("case", INPUT)
def test_input(case: str) -> None:
    words, parts = INPUT[case]
    fails(call(*words), 2, *parts)
    assert list(Path().iterdir()) == []


def test_a_card_set_with_mistakes_lists_them_all() -> None:
    assert call("cards", "export", GAME, "base", "mine").exit_code == 0
    cards = Path("mine/cards.csv")
    lines = cards.read_text(encoding="utf-8").splitlines()
    lines[2], lines[5] = lines[2].replace(lines[2].split(",")[0], lines[1].split(",")[0]), lines[5] + ",,5"
    cards.write_text("\n".join(lines), encoding="utf-8")
    rules = Path("mine/rules.toml")
    rules.write_text(re.sub(r"hand_size = \d+", "hand_size = -8", rules.read_text(encoding="utf-8")), encoding="utf-8")
    for words in (["cards", "check", GAME, "mine"], ["balance", GAME, "--cards", "mine", "--out", "run"]):
        fails(call(*words), 2, "cards.csv, row 3", "cards.csv, row 6", "hand_size")
    assert not Path("run").exists()


@pytest.mark.parametrize(
    "words", [PLAY, ("balance", GAME, "--games", "100", "--out", "run")], ids=["simulate", "balance"]
)
def test_an_output_folder_that_cannot_be_used(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    run = Path("run")
    run.write_text("a file")
    fails(call(*words), 2, "run", "file")
    run.unlink()

    run.mkdir()
    (run / "diary.txt").write_text("mine")
    fails(call(*words), 2, "run", "not empty", "diary.txt")
    fails(call(*words, "--resume"), 2, "run", "not empty", "diary.txt")
    assert [entry.name for entry in run.iterdir()] == ["diary.txt"]
    (run / "diary.txt").unlink()
    run.rmdir()

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "mkdir", refuse)
    fails(call(*words), 2, "run", "Read-only file system", "may write")


def test_a_folder_that_already_holds_a_run_is_only_resumed() -> None:
    assert call(*PLAY).exit_code == 0
    fails(call(*PLAY), 2, "already holds a run", "--resume")
    again = call(*PLAY, "--resume")
    assert again.exit_code == 0
    assert "played already" in again.stderr
    fails(call(*PLAY, "--seed", "2", "--resume"), 2, "another plan", "seed")


def test_a_damaged_run_is_named() -> None:
    assert call(*PLAY).exit_code == 0
    manifest = Path("run/manifest.json")
    text = manifest.read_bytes()
    manifest.write_bytes(sealed.seal(sealed.unseal(text) | {"format": "fairdeal-run/9"}))
    for words in (["report", "balance", "run"], ["replay", "run", "0"]):
        fails(call(*words), 2, "manifest.json", "fairdeal-run/9")
    manifest.write_bytes(text)
    part = next(Path("run/games").iterdir())
    part.write_bytes(part.read_bytes()[:-7])
    for words in (["report", "balance", "run"], ["replay", "run", "0"]):
        fails(call(*words), 2, part.name)


def _full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_a_failed_job_that_can_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", _full)
        fails(call(*PLAY), 1, "run", "No space left", "go on with", "--out run --resume")
    assert call(*PLAY, "--resume").exit_code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_stdout_that_is_full() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 # a device, not a file of the tests
        done = subprocess.run(command("games"), stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert done.returncode == 1
    assert done.stderr == "Error: standard output: No space left on device.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_a_stream_that_is_closed_is_no_error(closed: str) -> None:
    line = f"{shlex.join(command(*PLAY))} {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert call("replay", "run", "0").exit_code == 0


def test_a_damaged_table_is_named_by_replay() -> None:
    assert call(*PLAY).exit_code == 0
    (part, *_) = sorted(Path("run", "games").iterdir())
    data = part.read_bytes()
    part.write_bytes(data[:4] + bytes(len(data) - 12) + data[-8:])
    fails(call("replay", "run", "0"), 2, str(Path("run", "games")), "cannot be read", "--resume")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way")
@pytest.mark.parametrize("words", [["games", "--format", "json"], ["--help"]], ids=["games", "help"])
def test_a_reader_that_has_seen_enough(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command(*words), stdout=writing, stderr=subprocess.PIPE, check=False, text=True)
    os.close(writing)
    assert done.stderr == ""


def test_a_terminal_that_cannot_show_every_sign_is_no_error() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command("cards", "check", GAME, "→"), env=environment, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"card set ?" in done.stderr


def test_a_file_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "somewhere")

    monkeypatch.setattr("simcore.request.describe_games", refuse)
    fails(call("games"), 1, "somewhere: Permission denied")


def test_a_mistake_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Callable[[], None]:
        raise AssertionError("a bug")

    monkeypatch.setattr("simcore.request.describe_games", fail)
    assert isinstance(call("games").exception, AssertionError)


def test_another_thing_than_a_run_or_a_card_set_is_answered_with_what_it_is() -> None:
    assert call(*PLAY).exit_code == 0
    fails(call("balance", GAME, "--cards", "run"), 2, "is no card set. It is a run", "nearest: run/cardset")
    fails(call("report", "balance", "run/cardset"), 2, "run/cardset is not a run folder. It is a card set.")
    fails(call("report", "sweep", "run"), 2, "is not the folder of a sweep: it has no sweep.json. It is a run.")
    fails(call("report", "ladder", "run"), 2, "is not the folder of a ladder", "It is a run.")
    Path("t.toml").write_text('[a]\nkind = "draws"\nat_most = 0.1\n', encoding="utf-8")
    fails(call("balance", GAME, "--bots", "t.toml"), 2, "t.toml is no weights file: it is a targets file")
    fails(call("check", "t.toml"), 2, "unknown game 't.toml'", "It is a targets file")
    fails(call("check", "run", "--targets", "run"), 2, "targets file run is a folder")
    fails(call("check", "run", "--targets", "run/cardset/rules.toml"), 2, "it is a file of a card set")
    fails(call("balance", "t.toml"), 2, "unknown game 't.toml'", "It is a targets file")
    fails(call("balance", GAME, "--bots", "run"), 2, "unknown bot 'run'", "It is a run.")
