"""Addresses of a store on the command line: what lies there is made and read as in a folder; the rest is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simcore.places import place
from tests.cli import GAME, call
from tests.simcore.stores import a_bucket

pytestmark = pytest.mark.jitted

PLAY = ("--bots", "uniform", "--games", "100", "--quiet")
FORMAT = ("--format", "md")
VARY = ("--vary", "rules.bonus_points=0,40")
COMMANDS = {
    "check": ("check", GAME, *PLAY, "--targets", "targets.toml"),
    "compare": ("compare", GAME, *PLAY, *FORMAT, "--cards", "long"),
    "sweep": ("sweep", GAME, *PLAY, *FORMAT, *VARY),
    "access": ("access", GAME, *PLAY, *FORMAT, "--kind", "ban"),
}


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with a_bucket() as where:
        yield where


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("targets.toml").write_text('[points]\nkind = "score"\nat_least = -1000\nat_most = 1000\n', encoding="utf-8")


def told(*words: str) -> str:
    """What a command that succeeds prints."""
    result = call(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_played_into_a_store_is_told_as_of_a_folder(command: str, bucket: str) -> None:
    there = f"{bucket}/{command}"
    here = told(*COMMANDS[command], "--out", "here")
    assert told(*COMMANDS[command], "--out", there).replace(there, "here") == here
    if command != "access":
        assert told(*COMMANDS[command], "--out", there, "--resume").replace(there, "here") == here
    assert not list(Path().glob("s3*"))


def test_a_ladder_in_a_store_is_reported_from_there(bucket: str) -> None:
    words = ("--bots", "uniform,heuristic", "--games", "100", "--quiet", *FORMAT)
    first = told("ladder", GAME, *words, "--out", f"{bucket}/ladder")
    assert told("report", "ladder", f"{bucket}/ladder", "--quiet", *FORMAT) == first
    assert first.endswith(f"Report: {bucket}/ladder/report/report.md\n")


def test_parts_in_a_store_are_merged_and_the_run_is_checked_replayed_and_reported(bucket: str) -> None:
    play = ("simulate", GAME, "--bots", "uniform,heuristic", "--games", "400", "--quiet")
    parts = [f"{bucket}/part-{number}" for number in (1, 2)]
    for number, part in enumerate(parts, start=1):
        told(*play, "--part", f"{number}/2", "--out", part)
    run = f"{bucket}/merged"
    assert told("merge", parts[1], "--out", run, "--quiet") == told(
        "merge", *parts, "--out", run, "--resume", "--quiet"
    )
    told(*play, "--out", "whole")
    targets = ("--targets", "targets.toml")
    assert told("check", run, *targets) == told("check", "whole", *targets)
    assert told("replay", run, "3") == told("replay", "whole", "3")
    for kind in ("balance", "strategy"):
        report = told("report", kind, run, "--quiet", *FORMAT)
        assert report.replace(run, "whole") == told("report", kind, "whole", "--quiet", *FORMAT)
    both = told("report", "comparison", run, "whole", "--quiet", "--out", f"{bucket}/both", *FORMAT)
    assert both.endswith(f"Report: {bucket}/both/report.md\n")
    trend = told("trend", run, "whole", *targets, "--quiet", "--out", f"{bucket}/trend", *FORMAT)
    assert trend.endswith(f"Report: {bucket}/trend/report.md\n")
    assert (place(bucket) / "trend" / "report.md").is_file()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tune", GAME, *VARY, "--out", "s3://b/t"), "s3://b/t is an address, and this command writes to folders only"),
        (("exploit", GAME, "--against", "uniform", "--out", "s3://b/e"), "this command writes to folders only"),
        (("train", GAME, "--out", "s3://b/w.toml"), "s3://b/w.toml is an address, and a weights file must lie on this"),
        (("teach", GAME, "--out", "s3://b/w.toml"), "s3://b/w.toml is an address, and a weights file must lie on this"),
        (("cards", "export", GAME, "s3://b/set"), "s3://b/set is an address, and a card set must lie on this machine"),
        (("balance", GAME, "--cards", "s3://b/set"), "s3://b/set is an address, and a card set must lie on this"),
        (("check", GAME, "--targets", "s3://b/t.toml"), "s3://b/t.toml is an address, and a targets file must lie on"),
        (("check", GAME, "--to", "s3://b/check.xml"), "Allowed: a file in a folder that is there"),
        (("balance", GAME, "--bots", "s3://b/w.toml"), "s3://b/w.toml is an address, and a weights file must lie on"),
        (
            ("balance", GAME, "--bots", "s3://b/my.py:a"),
            "s3://b/my.py is an address, and the file of a bot must lie",
        ),
        (("balance", GAME, "--out", "s3://"), "s3:// names no place in a store, as s3://bucket/my-run does"),
    ],
)
def test_what_cannot_lie_in_a_store_is_refused_before_anything_is_played(words: tuple[str, ...], message: str) -> None:
    result = call(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert [path.name for path in Path().iterdir()] == ["targets.toml"]
