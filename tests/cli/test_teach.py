"""`fairdeal teach`: what it prints and writes, how it goes on, what it refuses."""

import tomllib
from pathlib import Path

import pytest

from cli.teach import in_words
from strategies.course import Progress
from tests.cli import call

pytestmark = pytest.mark.jitted

WORDS = ("teach", "lost-cities", "--cards", "single_round", "--lessons", "300", "--games", "40", "--seed", "3")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_teach_writes_weights_that_can_be_played_and_taught_on() -> None:
    result = call(*WORDS, "--out", "mine.toml")
    assert result.exit_code == 0, result.output
    learned, simple, expert, start, last = result.stdout.splitlines()
    assert learned.startswith("Taught by ")
    assert " lessons. An option is taken from " in learned or "no stronger" in learned
    assert simple.startswith("Over heuristic at 2 seats: ")
    assert expert.startswith("Over expert at 2 seats: ")
    assert "95 % interval" in expert
    assert start.startswith("Over its start at 2 seats: ")
    assert last == "Weights: mine.toml"
    assert "teaching trained, 300 lessons, seed 3, into mine.toml" in result.stderr

    fitted = tomllib.loads(Path("mine.toml").read_text(encoding="utf-8"))["fitted"]
    assert (fitted["card_set"], fitted["seats"], fitted["seed"], fitted["lessons"]) == ("single_round", [2], 3, 300)
    assert [one["opponent"] for one in fitted["measured"]] == ["heuristic", "expert", "trained"]
    played = call("simulate", "lost-cities", "--bots", "mine.toml,uniform", "--games", "20", "--out", "run", "--quiet")
    assert played.exit_code == 0, played.output

    assert call(*WORDS, "--out", "mine.toml").exit_code == 2
    again = call(*WORDS, "--out", "mine.toml", "--resume", "--threads", "1", "--quiet")
    assert again.exit_code == 0, again.output
    assert again.stderr == ""
    assert again.stdout == result.stdout
    on = call(*WORDS, "--bot", "mine.toml", "--out", "more.toml", "--quiet")
    assert on.exit_code == 0, on.output


def test_an_expert_that_was_fitted_is_taught() -> None:
    text = Path("expert.toml")
    fitted = call("train", "lost-cities", "--bot", "expert", "--against", "heuristic", "--generations", "1",
                  "--population", "4", "--deals", "4", "--games", "4", "--out", "expert.toml", "--quiet")  # fmt: skip
    assert fitted.exit_code == 0, fitted.output
    result = call(*WORDS, "--expert", "expert.toml", "--out", "mine.toml", "--quiet")
    assert result.exit_code == 0, result.output
    mine, expert = (tomllib.loads(path.read_text(encoding="utf-8")) for path in (Path("mine.toml"), text))
    assert mine["weights"]["expert_pace"] == expert["weights"]["pace"]
    assert mine["fitted"]["expert"] == "expert.toml"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--resume",), "name its weights file with --out"),
        (("--out", "mine.json"), "the name of a weights file ends with .toml"),
        (("--bot", "linear"), "bot linear has no net that could be taught"),
        (("--bot", "mine.toml"), "weights file mine.toml does not exist"),
        (("--expert", "linear"), "bot linear is no expert with other weights"),
        (("--seats", "3"), "Lost Cities cannot be played with 3 seats"),
        (("--lessons", "0"), "not a whole number of at least 1"),
        (("--minutes", "0"), "not in the range"),
        (("--threads", "0"), "at least 1"),
    ],
)
def test_mistakes_have_messages(words: tuple[str, ...], message: str) -> None:
    result = call(*WORDS, *words)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_what_is_taught_is_not_fitted() -> None:
    result = call("train", "lost-cities", "--bot", "trained", "--out", "mine.toml")
    assert result.exit_code == 2
    assert "bot trained is taught by search: fairdeal teach" in result.stderr


def test_progress_in_words() -> None:
    assert in_words(Progress(1200, 60_000, 0, 12.0, 100.0)) == "1,200 of 60,000 lessons; 100 lessons/s, 9 min 48 s left"
    assert in_words(Progress(60_010, 60_000, 7, 700.0, 90.0)) == (
        "60,010 of 60,000 lessons; teaching, step 7 of about 300"
    )
