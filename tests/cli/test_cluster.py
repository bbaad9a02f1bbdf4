"""`--cluster`: what each command tells is what it tells of games that this machine has played."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from simcore import bots, cluster, weights
from tests.cli import GAME, call
from tests.simcore.clusters import local_cluster

# What the library leaves behind when processes of a cluster end.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.jitted]

PLAY = ("--bots", "uniform", "--games", "200", "--quiet")
POINTS = '[points]\nkind = "score"\nat_least = -1000\nat_most = 1000\n'
COMMANDS = {
    "check": ("check", GAME, *PLAY, "--targets", "targets.toml", "--format", "json"),
    "compare": ("compare", GAME, *PLAY, "--cards", "long", "--json"),
    "sweep": ("sweep", GAME, *PLAY, "--vary", "rules.bonus_points=0,40", "--json"),
    "tune": ("tune", GAME, *PLAY, "--vary", "rules.bonus_points=0,40", "--targets", "targets.toml", "--json"),
    "access": ("access", GAME, "--bots", "mine.toml", *PLAY[2:], "--kind", "ban", "--json"),
}


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with local_cluster() as found:
        yield found.scheduler_address


def told(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> Result:
    """What a command comes to in a folder of its own, with results in a relative one there."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("targets.toml").write_text(POINTS, encoding="utf-8")
    linear = bots.get(GAME, "linear")
    values = dict(zip(linear.parameter_names, linear.weights, strict=True))
    weights.write("mine.toml", weights.Weights(GAME, "linear", values))
    return call(*COMMANDS[command], "--out", "mine", *more)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_tells_of_a_cluster_what_it_tells_of_this_machine(
    command: str, scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = told(command, tmp_path / "here", monkeypatch)
    there = told(command, tmp_path / "there", monkeypatch, "--cluster", scheduler)
    assert here.exit_code == there.exit_code == 0, there.output
    assert here.stdout == there.stdout != ""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_plays_nothing_where_its_cluster_is_not_there(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    result = told(command, tmp_path / "here", monkeypatch, "--cluster", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "no Dask scheduler can be reached at tcp://127.0.0.1:1" in result.stderr
    assert not list(tmp_path.rglob("*.parquet"))
