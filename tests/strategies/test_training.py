"""Fitting weights: the search finds a minimum, imitation explains a bot, the same command gives the same weights."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simcore import bots
from strategies import train


@pytest.mark.jitted
@pytest.mark.slow
def test_imitation_comes_near_its_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "DECISIONS", 2000)
    court = train.Court("lost-cities", "linear", "single_round", 3, 2)
    weights, sizes = train.imitate([court], "heuristic")
    assert (sizes > 0).all()
    assert court.margins(weights, "uniform", 0, 300).mean() > 60


@pytest.mark.jitted
def test_margins_are_the_candidates_and_of_blocks() -> None:
    court = train.Court("lost-cities", "linear", "single_round", 3, 2)
    weights = np.array(bots.get("lost-cities", "linear").weights)
    assert court.margins(weights, "uniform", 0, 50).mean() > 60
    assert court.margins(weights, weights, 0, 50).tolist() == [0.0] * 50
    assert court.margins(weights, -weights, 0, 50).mean() > 60


@pytest.mark.jitted
@pytest.mark.slow
def test_the_command_gives_the_same_weights_again(tmp_path: Path) -> None:
    sizes = {"--generations": "2", "--population": "6", "--blocks": "20", "--judge": "50"}
    found = []
    for name in ("a.json", "b.json"):
        words = [word for pair in (sizes | {"--out": str(tmp_path / name)}).items() for word in pair]
        done = subprocess.run([sys.executable, "-m", "strategies.train", "lost-cities", *words], capture_output=True)
        assert done.returncode == 0, done.stderr
        found.append(json.loads((tmp_path / name).read_text(encoding="utf-8")))
    assert found[0]["weights"] == found[1]["weights"]
    assert found[0]["fitted"]["results"] == found[1]["fitted"]["results"]
    assert set(found[0]["fitted"]["results"]) == {"heuristic", "itself"}


@pytest.mark.jitted
def test_an_unknown_bot_is_a_message() -> None:
    words = [sys.executable, "-m", "strategies.train", "lost-cities", "--bot", "linaer"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("error: unknown bot 'linaer'. Did you mean linear")
