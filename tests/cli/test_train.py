"""`fairdeal train`: what it prints and writes, how it goes on, what it refuses."""

import tomllib
from pathlib import Path

import pytest

from cli.fit import in_words
from strategies.train import Progress
from tests.cli import call

pytestmark = pytest.mark.jitted

WORDS = (
    "train", "lost-cities", "--cards", "single_round", "--against", "heuristic", "--held-out", "expert",
    "--population", "6", "--deals", "8", "--games", "40", "--seed", "3",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_train_writes_weights_that_can_be_played() -> None:
    result = call(*WORDS, "--generations", "2", "--out", "mine.toml")
    assert result.exit_code == 0, result.output
    ended, league, apart, start, last = result.stdout.splitlines()
    assert ended.startswith("Played 2 generations. ")
    assert league.startswith("Over heuristic, of the league, at 2 seats: ")
    assert apart.startswith("Over expert, which the fit never met, at 2 seats: ")
    assert "95 % interval" in apart
    assert "The fit brought " in apart
    assert start.startswith("Over its start at 2 seats: ")
    assert last == "Weights: mine.toml"
    assert "League: heuristic, earlier states of the fit. Held out: expert." in result.stderr

    fitted = tomllib.loads(Path("mine.toml").read_text(encoding="utf-8"))["fitted"]
    assert (fitted["card_set"], fitted["seats"], fitted["seed"], fitted["generations"]) == ("single_round", [2], 3, 2)
    assert [(one["opponent"], one["role"], one["games"]) for one in fitted["measured"]] == [
        ("heuristic", "league", 40),
        ("expert", "held out", 40),
        ("linear", "start", 40),
    ]
    played = call("simulate", "lost-cities", "--bots", "mine.toml,uniform", "--games", "20", "--out", "run", "--quiet")
    assert played.exit_code == 0, played.output
    assert '"name": "mine.toml"' in Path("run/manifest.json").read_text(encoding="utf-8")

    assert call(*WORDS, "--generations", "2", "--out", "mine.toml").exit_code == 2
    more = call(*WORDS, "--generations", "3", "--out", "mine.toml", "--resume", "--threads", "1", "--quiet")
    assert more.exit_code == 0, more.output
    assert more.stderr == ""
    whole = call(*WORDS, "--generations", "3", "--out", "whole.toml", "--quiet")
    assert whole.stdout.splitlines()[:-1] == more.stdout.splitlines()[:-1]
    _, _, mine = Path("mine.toml").read_text(encoding="utf-8").partition("\n")
    _, _, other = Path("whole.toml").read_text(encoding="utf-8").partition("\n")
    assert mine == other


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--resume",), "name its weights file with --out"),
        (("--out", "mine.json"), "the name of a weights file ends with .toml, as in weights.toml; not mine.json"),
        (("--held-out", "heuristic"), "heuristic cannot be in the league and held out"),
        (("--bot", "heuristic"), "bot heuristic has no weights that could be fitted"),
        (("--bot", "mine.toml"), "weights file mine.toml does not exist"),
        (("--seats", "two"), "'two' is not a valid integer"),
        (("--seats", "3"), "Lost Cities cannot be played with 3 seats"),
        (("--against", "heurstic"), "Did you mean heuristic"),
        (("--minutes", "0"), "not in the range"),
        (("--threads", "0"), "at least 1"),
    ],
)
def test_mistakes_have_messages(words: tuple[str, ...], message: str) -> None:
    result = call(*WORDS, *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_progress_in_words() -> None:
    now = Progress(12, 60, 90_000, 30.0, 95.0, 0.1234, 200, {"heuristic": 3.456, "its start": -0.5})
    assert in_words(now) == (
        "generation 12 of 60; +3.46 over heuristic, -0.50 over its start; step 0.123, 200 deals; 3,000 games/s, "
        "1 min 35 s left"
    )
    assert in_words(Progress(0, None, 0, 0.0, None, 0.2, 200, {})) == "generation 0; step 0.200, 200 deals"
