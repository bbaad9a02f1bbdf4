"""`fairdeal simulate --part` and `fairdeal merge`: two machines play one plan."""

from pathlib import Path

import pytest

import fairdeal
from simcore import runlog
from simcore.runlog import open_run
from tests.cli import GAME, call
from tests.simcore.kills import assert_same_tables

PLAN = ("simulate", GAME, "--bots", "uniform,heuristic", "--games", "2000")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(part: int) -> None:
    result = call(*PLAN, "--part", f"{part}/3", "--out", f"part-{part}")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"part-{part}\n"
    assert f"This is part {part}/3 of the plan. `fairdeal merge` makes one run of the parts." in result.stderr


def test_parts_become_the_run_that_one_machine_would_have_played() -> None:
    for part in (1, 2, 3):
        play(part)
    merged = call("merge", "part-1", "part-3", "--out", "run")
    assert (merged.exit_code, merged.stdout) == (0, "run\n")
    absent = sorted(open_run("part-2").shards)
    assert f"It is not finished: of the plan, shards {absent[0]} to {absent[-1]} are missing." in merged.stderr
    assert call("merge", "part-2", "--out", "run").exit_code == 2
    again = call("merge", "part-2", "--out", "run", "--resume")
    assert (again.exit_code, again.stdout) == (0, "run\n")
    assert "not finished" not in again.stderr
    assert "2,000 games in" in again.stderr
    assert call(*PLAN, "--out", "whole").exit_code == 0
    assert_same_tables(open_run("run"), open_run("whole"))
    assert_same_tables(fairdeal.merge(["part-3", "part-1", "part-2"], "run-too"), open_run("whole"))


def test_what_cannot_be_merged_is_told() -> None:
    play(1)
    call(*PLAN, "--part", "2/3", "--seed", "5", "--out", "other")
    result = call("merge", "part-1", "other", "--out", "run")
    assert result.exit_code == 2
    assert "What differs: seed (part-1 has 0, other 5)" in result.stderr
    assert not Path("run").exists()
    runlog.part_path(Path("part-1"), "games", 0).unlink()
    result = call("merge", "part-1", "--out", "run")
    assert result.exit_code == 2
    assert "part-000000.parquet is missing" in result.stderr


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("2", "'2' names no part of a plan. Allowed: 2/5"),
        ("a/3", "'a/3' names no part"),
        ("4/3", "there is no part 4 of 3"),
        ("1/1000", "Choose at most"),
    ],
)
def test_a_part_that_there_is_not_is_told(part: str, message: str) -> None:
    result = call(*PLAN, "--part", part, "--out", "run")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not Path("run").exists()
