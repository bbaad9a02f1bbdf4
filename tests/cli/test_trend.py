"""`fairdeal trend`: an edit that breaks a target is found at its version; forms and refusals."""

import json
from pathlib import Path

import pytest

import fairdeal
from tests.cli import GAME, call

PLAY = ("balance", GAME, "--bots", "uniform,heuristic", "--games", "1000", "--format", "json", "--quiet")
TARGETS = """
[scores]
kind = "score"
at_most = 100

[no_draws]
kind = "draws"
at_most = 0.2
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of three versions: in the third one expeditions cost nothing, so that scores are high."""
    folder = tmp_path_factory.mktemp("trend")
    assert call("cards", "export", GAME, "base", folder / "cheap").exit_code == 0
    rules = folder / "cheap" / "rules.toml"
    text = rules.read_text(encoding="utf-8").replace("expedition_cost = 20", "expedition_cost = 0")
    rules.write_text(text.replace('name = "base"', 'name = "cheap"'), encoding="utf-8")
    (folder / "targets.toml").write_text(TARGETS, encoding="utf-8")
    for i, (cards, seed) in enumerate((("base", 0), ("base", 1), (str(folder / "cheap"), 1)), start=1):
        done = call(*PLAY, "--cards", cards, "--seed", str(seed), "--out", folder / f"run-{i}")
        assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(autouse=True)
def _in_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


RUNS = ("run-1", "run-2", "run-3")


def test_the_version_that_broke_a_target_is_named_and_the_status_is_0() -> None:
    result = call("trend", *RUNS, "--targets", "targets.toml", "--out", "out")
    assert result.exit_code == 0, result.output
    first, second, *_, last = result.stdout.splitlines()
    assert first.startswith("cheap: 1 of 2 targets met and 1 missed. Since base (run-1), one turned from met to missed")
    assert second.startswith("scores turned from met to missed at cheap. cheap: the mean score of heuristic ")
    assert "From base (run-2) to cheap, the mean score of heuristic: +" in second
    assert second.endswith("on the same deals), that is sure.")
    assert last == f"Report: {Path('out/report.html')}"
    assert "Analysing 9,000 games of 3 versions." in result.stderr
    assert sorted(path.name for path in Path("out").iterdir()) == ["report.html", "report.json", "report.md"]


def test_json_quiet_and_from_python() -> None:
    words = ("--targets", "targets.toml", "--format", "md", "--json", "--quiet", "--out", "other")
    result = call("trend", *RUNS, *words)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    told = json.loads(result.stdout)
    assert [version["folders"] for version in told["versions"]] == [["run-1"], ["run-2"], ["run-3"]]
    paired = [[change["paired"] for change in changes] for changes in told["series"][0]["changes"]]
    assert paired == [[False], [True]]  # another seed, then the same one
    assert [path.name for path in Path("other").iterdir()] == ["report.md"]
    assert fairdeal.trend(RUNS, "targets.toml").to_dict()["series"] == told["series"]


def test_by_time_they_are_ordered_by_when_they_were_begun() -> None:
    words = ("--targets", "targets.toml", "--format", "md", "--json", "--quiet", "--out", "other")
    result = call("trend", *reversed(RUNS), "--by-time", *words)
    assert [version["folders"] for version in json.loads(result.stdout)["versions"]] == [[run] for run in RUNS]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ((), ["at least two versions"]),
        (("run-1",), ["at least two versions"]),
        (("run-1", "run-1"), ["run-1 is named twice"]),
        (("run-1", "no-run"), ["no-run", "no such folder"]),
        (("run-1", "run-2", "--targets", "no.toml"), ["no.toml does not exist"]),
        (("run-1", "run-2", "--format", "pdf"), ["'pdf'"]),
    ],
)
def test_mistakes_are_one_message_and_status_2(words: tuple[str, ...], parts: list[str]) -> None:
    result = call("trend", *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("Error: ") == 1
    for part in parts:
        assert part in result.stderr


def test_runs_that_differ_in_more_than_the_cards_are_refused() -> None:
    assert call("simulate", GAME, "--bots", "uniform", "--games", "40", "--out", "alone").exit_code == 0
    result = call("trend", "run-1", "alone")
    assert result.exit_code == 2
    assert "alone has other bots (uniform) than run-1 (uniform, heuristic)" in result.stderr
