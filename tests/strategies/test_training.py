"""Fitting weights: the search finds a minimum, imitation explains a bot, the same command gives the same weights."""

import json
import subprocess
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simcore import bots
from strategies import linear, train


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


@pytest.mark.jitted
def test_candidates_sit_alone_in_a_field() -> None:
    """At three seats: equal weights are level in every block, the expert's own are ahead of a simple bot."""
    court = train.Court("vaalbara", "expert", "default", 3, 3)
    weights = np.array(bots.get("vaalbara", "expert").weights_for(3))
    assert court.margins(weights, weights, 0, 10) == pytest.approx(np.zeros(10))
    assert court.margins(weights, "greedy_land", 0, 30).mean() > 15
    assert court.margins(weights, 0 * weights, 0, 30).mean() > 5
    assert court.margins(weights, "expert", 0, 10) == pytest.approx(np.zeros(10))  # the named bot has its own weights


@pytest.mark.jitted
def test_a_fit_at_three_seats_goes_uphill() -> None:
    courts = [train.Court("vaalbara", "expert", "default", 3, 3)]
    start = 0.2 * np.array(bots.get("vaalbara", "expert").weights_for(3))
    sizes = Namespace(generations=4, population=6, blocks=10, sigma=0.4, seed=1)
    found = train.improve(courts, start, np.ones(len(start)), ["greedy_land"], sizes)
    assert found.tolist() == train.improve(courts, start, np.ones(len(start)), ["greedy_land"], sizes).tolist()
    assert train.mean_margin(courts, found, start, 100, 200) > 0


def test_a_number_of_seats_that_the_game_has_not_is_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["train", "vaalbara", "--seats", "3,6", "--cards", "default"])
    assert train.main() == 2
    assert capsys.readouterr().err == "error: --seats 3,6: Vaalbara is for 2, 3, 4, 5 seats\n"


def test_weights_of_numbers_of_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file for each number of seats, one for the others; the bot's hash hangs on all of them."""
    monkeypatch.setattr(linear, "WEIGHTS", tmp_path)
    for seats, weight in ((None, 1.0), (3, 3.0)):
        file = {"game": "toy", "weights": {"pays": weight}, "fitted": {}} | ({"seats": seats} if seats else {})
        (tmp_path / f"toy-{seats}.json").write_text(json.dumps(file), encoding="utf-8")
    (bot,) = linear.shipped()
    assert [bot.weights_for(seats) for seats in (2, 3, 4)] == [(1.0,), (3.0,), (1.0,)]
    assert bot.hash != replace(bot, seat_weights={}).hash
    assert bot.hash != replace(bot, seat_weights={4: (3.0,)}).hash
