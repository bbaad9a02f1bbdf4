"""Folders of several runs, and targets, from strangers: nothing elsewhere is read, and no file of Python is run."""

import json
from pathlib import Path
from typing import Any

import pytest

from analysis import ladder_folder, seats_folder, sweep_folder, targets, tune_folder
from analysis.studies import check
from simcore import weights
from simcore.bots import admit
from simcore.errors import InputError
from tests.analysis import fake_sweep
from tests.analysis.fake_run import FakeRun, write

FEW = FakeRun(blocks=4, log="games", line_ups=((0, 1),))


@pytest.fixture
def swept(tmp_path: Path) -> Path:
    axes = [fake_sweep.axis("rules.x", [1, 2], 1)]
    fake_sweep.write(tmp_path / "sweep", axes, {(1,): FEW, (2,): FEW})
    return tmp_path / "sweep"


def edit(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


@pytest.mark.parametrize("folder", ["../elsewhere", "/etc", "points/001/..", "points/1"])
def test_a_point_of_a_sweep_lies_in_its_own_folder(swept: Path, folder: str) -> None:
    points = json.loads((swept / sweep_folder.FILE).read_text())["points"]
    points[1]["folder"] = folder
    edit(swept / sweep_folder.FILE, points=points)
    with pytest.raises(InputError, match="the folder of a point is not its own"):
        sweep_folder.open_sweep(swept)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"base": 9}, "the base is no point"),
        ({"base": -1}, "the base is no point"),
        ({"axes": []}, "one or two values are varied"),
        ({"points": []}, "the points are not the values that are varied"),
        ({"game": "a\x07"}, "a text cannot be printed"),
        ({"format": ["x"] * 10_000}, r"its format is \['x', "),
    ],
)
def test_a_sweep_that_contradicts_itself(swept: Path, changes: dict[str, Any], what: str) -> None:
    edit(swept / sweep_folder.FILE, **changes)
    with pytest.raises(InputError, match=what) as caught:
        sweep_folder.open_sweep(swept)
    assert len(str(caught.value)) < 600


def test_a_link_in_place_of_a_run_is_not_followed(swept: Path, tmp_path: Path) -> None:
    (swept / "points/001").rename(tmp_path / "elsewhere")
    (swept / "points/001").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is a link"):
        sweep_folder.open_sweep(swept)
    write(tmp_path / "played", FEW)
    for folder, name in ((tmp_path / "seats", "2-seats"), (tmp_path / "ladder", "quick")):
        folder.mkdir()
        (folder / name).symlink_to(tmp_path / "played")
    with pytest.raises(InputError, match="2-seats is a link"):
        seats_folder.open_runs(tmp_path / "seats")
    with pytest.raises(InputError, match="quick is a link"):
        ladder_folder.open_ladder(tmp_path / "ladder")


@pytest.mark.parametrize("time", ["1e999", "NaN", "-1", "0", "true", '"1"', "1e300"])
def test_a_time_that_no_decision_takes(tmp_path: Path, time: str) -> None:
    entry = f'{{"microseconds": {time}, "decisions": 1}}'
    (tmp_path / "speed.json").write_text(f'{{"format": "{ladder_folder.FORMAT}", "bots": {{"a": {entry}}}}}')
    with pytest.raises(InputError, match=r"speed\.json is damaged"):
        ladder_folder.read_speed(tmp_path)


@pytest.mark.parametrize("line", ["{}", "[]", "1", "[" * 9_999, '{"values": ["a"], "price": 0, "miss": 0, "part": 1}'])
def test_a_line_of_a_tuning_that_is_no_candidate(tmp_path: Path, line: str) -> None:
    settings = {"format": tune_folder.FORMAT}
    (tmp_path / tune_folder.LOG).write_text(f"{json.dumps(settings)}\n{line}\n")
    with pytest.raises(InputError, match=r"candidates\.jsonl is damaged"):
        tune_folder._read(tmp_path / tune_folder.LOG, settings)


def test_a_file_of_python_is_run_only_where_a_person_names_it(tmp_path: Path) -> None:
    """Targets and weights files can name a bot of such a file, and must not run it."""
    bots = tmp_path / "mine.py"
    bots.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    name = f"{bots}:cautious"
    for told in (f"bots = [{name!r}]\n[draws]\nkind = 'draws'\nat_most = 0.1\n",
                 f"[draws]\nkind = 'draws'\nat_most = 0.1\nbots = {name!r}\n"):  # fmt: skip
        (tmp_path / "targets.toml").write_text(told)
        with pytest.raises(InputError, match="is run only if you name the bot yourself with --bots"):
            check.plans("lost-cities", targets.read(tmp_path / "targets.toml"), games=2)
    (tmp_path / "w.toml").write_text(f"game = 'lost-cities'\nbot = {name!r}\n[weights]\nplay = 1\n")
    assert weights.read(tmp_path / "w.toml").bot == name
    with pytest.raises(InputError, match="is run only if you name the bot yourself with --bots"):
        admit("lost-cities", str(tmp_path / "w.toml"))
    assert not (tmp_path / "ran").exists()
