"""Fitting weights: the search finds a planted optimum, a race lets only the hopeless go, a fit that was stopped ends as
one that was not, imitation explains a bot.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simcore import bots, cardset, game, weights
from simcore.errors import InputError
from simcore.files import file_lock
from strategies import imitation, linear, train
from strategies.court import Court, Match, Outcome, Reward, play_all
from strategies.train import Progress, Settings, fit, race

SCHEMA = game.get("lost-cities").schema
SINGLE = cardset.load(SCHEMA, "single_round")
SETTINGS = Settings("lost-cities", "expert", SINGLE, (2,), ("heuristic",), population=10, deals=12)
LUCK = np.random.default_rng(5).normal(size=(50_000, 2))
BEST = np.array(bots.get("lost-cities", "expert").weights) * np.linspace(0.7, 1.4, 18)


class Hill:
    """A court whose candidates score less the farther they are from the planted optimum, and with luck by deal."""

    seats = 2

    def __init__(self, luck: float = 1.0) -> None:
        self.luck = luck

    def warm_up(self, opponents: object) -> None:
        pass

    def play(self, weights: np.ndarray, opponent: object, first: int, last: int) -> Outcome:
        height = -100 * (((weights - BEST) / BEST) ** 2).mean()
        words = int(abs(weights[0]) * 1e9) % 5000
        luck, common = LUCK[words + first : words + last], 20 * LUCK[10_000 + first : 10_000 + last]
        own = height + self.luck * luck + common
        return Outcome(own, np.zeros_like(own), np.zeros_like(own), (own > 0).astype(float))


@pytest.fixture
def _hill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "_court", lambda settings, seats, purpose: Hill())


# --- The fit on a made-up court --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_hill")
def test_a_planted_optimum_is_found() -> None:
    found = fit(replace(SETTINGS, population=14), 120)
    assert found.chosen > 100
    assert np.abs(found.weights / BEST - 1).max() < 0.1
    assert np.abs(found.start / BEST - 1).max() > 0.25


@pytest.mark.usefixtures("_hill")
def test_any_number_of_threads_and_any_interruption_give_the_same_weights(tmp_path: Path) -> None:
    whole = fit(SETTINGS, 13, threads=1)
    assert fit(SETTINGS, 13, threads=3).weights.tolist() == whole.weights.tolist()
    log = tmp_path / "weights.toml.fit"

    def stop(progress: Progress) -> None:
        if progress.generation == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(SETTINGS, 13, log=log, progress=stop)
    with log.open("ab") as file:
        file.write(b'{"generation": 8, "costs": [1.0, 2')  # a kill in the middle of a line
    fit(SETTINGS, 9, log=log, resume=True)
    seen: list[int] = []
    resumed = fit(SETTINGS, 13, log=log, resume=True, threads=2, progress=lambda now: seen.append(now.generation))
    assert min(seen) == 9
    assert resumed.weights.tolist() == whole.weights.tolist()
    assert resumed.chosen == whole.chosen
    again = fit(SETTINGS, 13, log=log, resume=True)  # all has been played
    assert again.weights.tolist() == whole.weights.tolist()
    assert [json.loads(line)["generation"] for line in log.read_text().splitlines()[1:]] == list(range(1, 14))


@pytest.mark.usefixtures("_hill")
def test_the_clock_stops_between_generations_and_tells_which(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100_000))
    monkeypatch.setattr(train.time, "perf_counter", lambda: float(next(clock)))
    stopped = fit(SETTINGS, None, minutes=2)
    assert stopped.out_of_time
    assert 0 < stopped.generations < 60
    monkeypatch.undo()
    monkeypatch.setattr(train, "_court", lambda settings, seats, purpose: Hill())
    repeated = fit(SETTINGS, stopped.generations)
    assert not repeated.out_of_time
    assert repeated.weights.tolist() == stopped.weights.tolist()


@pytest.mark.usefixtures("_hill")
def test_a_log_of_another_fit_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "weights.toml.fit"
    fit(SETTINGS, 2, log=log)
    with pytest.raises(InputError, match=r"is there already: the log of another fit\. Go on with it \(--resume\)"):
        fit(SETTINGS, 2, log=log)
    with file_lock(log), pytest.raises(InputError, match="is already writing in"):
        fit(SETTINGS, 3, log=log, resume=True)
    with pytest.raises(InputError, match="is of another fit: its seed is 0, not 4"):
        fit(replace(SETTINGS, seed=4), 2, log=log, resume=True)
    lines = log.read_text().splitlines()
    log.write_text("\n".join([lines[0], lines[1].replace('"mark": "', '"mark": "0'), ""]))
    with pytest.raises(InputError, match="arithmetic is not the same"):
        fit(SETTINGS, 3, log=log, resume=True)
    log.write_text("\n".join([lines[0], lines[2], ""]))
    with pytest.raises(InputError, match="line 2 is not of generation 1"):
        fit(SETTINGS, 3, log=log, resume=True)
    log.write_text("nonsense\n")
    with pytest.raises(InputError, match="is damaged in line 1"):
        fit(SETTINGS, 3, log=log, resume=True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bot": "heuristic"}, "bot heuristic has no weights that could be fitted. Bots with weights: expert"),
        ({"bot": "search"}, "bot search searches"),
        ({"bot": "exprt"}, "Did you mean expert"),
        ({"seats": (2, 3)}, "cannot be played with 2, 3 seats. Allowed: 2"),
        ({"against": ("heurstic",)}, "Did you mean heuristic"),
        ({"against": (), "earlier": False}, "needs somebody to play against"),
        ({"imitate": "heuristic"}, "does not weigh the features of Lost Cities"),
        ({"population": 2}, "at least 4 candidates"),
    ],
)
def test_settings_that_cannot_be(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit(replace(SETTINGS, **changes), 1)  # type: ignore[arg-type]


# --- A generation ----------------------------------------------------------------------------------------------------


def test_a_race_lets_the_hopeless_go_and_keeps_the_order() -> None:
    candidates = [BEST * factor for factor in (1.0, 1.01, 1.02, 1.03, 2.0, 3.0)]
    with ThreadPoolExecutor(2) as pool:
        found = race(pool, [Hill(0.01)], candidates, {"somebody": "somebody"}, {}, Reward("points"), 0, 80)  # type: ignore[list-item]
    assert np.argsort(found.costs).tolist() == [0, 1, 2, 3, 4, 5]
    assert found.games == 2 * (3 * 80 + 3 * 20)  # the worse half plays the first part only
    assert found.clear


def test_luck_that_hides_the_order_is_noticed() -> None:
    candidates = [BEST * (1 + 1e-4 * i) for i in range(8)]
    with ThreadPoolExecutor(1) as pool:
        found = race(pool, [Hill(30.0)], candidates, {"somebody": "somebody"}, {}, Reward("points"), 0, 40)  # type: ignore[list-item]
    assert not found.clear


def test_even_opponents_count_most() -> None:
    assert train.evenness(0.5, [2]) == train.evenness(0.25, [4]) == pytest.approx(1)
    assert train.evenness(0.7, [2]) == pytest.approx(0.84)
    assert train.evenness(1.0, [2]) == train.evenness(0.0, [5]) == train.LEAST_WORTH


def test_the_goal_of_wins_counts_leads_smoothly() -> None:
    own = np.array([[0.0, 10.0], [-10.0, 1e6]])
    outcome = Outcome(own, np.zeros((2, 2)), np.zeros((2, 2)), (own > 0).astype(float))
    assert Reward("wins", 10.0).of(outcome) == pytest.approx([(0.5 + 0.7311) / 2, (0.2689 + 1) / 2], abs=1e-4)
    assert Reward("points").of(outcome).tolist() == outcome.margin.tolist() == [5.0, 499995.0]


# --- Real games ------------------------------------------------------------------------------------------------------


@pytest.mark.jitted
def test_margins_are_the_candidates_and_of_blocks() -> None:
    court = Court("lost-cities", "linear", SINGLE, 2, 3)
    weights = np.array(bots.get("lost-cities", "linear").weights)
    strong = court.play(weights, "uniform", 0, 50)
    assert strong.margin.mean() > 60
    assert strong.wins.mean() > 0.95
    assert (strong.lead == strong.own - strong.others).all()
    assert court.play(weights, weights, 0, 50).margin.tolist() == [0.0] * 50
    assert court.play(weights, -weights, 0, 50).margin.mean() > 60
    with ThreadPoolExecutor(2) as pool:
        (parted,) = play_all(pool, [Match(court, weights, "uniform", 0, 600)])
    assert parted.own[:50].tolist() == strong.own.tolist()
    assert len(parted.margin) == 600


@pytest.mark.jitted
def test_a_fit_is_the_same_for_one_and_two_threads() -> None:
    settings = replace(SETTINGS, bot="linear", population=6, deals=8, goal="wins")
    one, two = (fit(settings, 2, threads=threads) for threads in (1, 2))
    assert one.weights.tolist() == two.weights.tolist()
    assert one.explained != one.explained  # nobody was imitated


@pytest.mark.jitted
@pytest.mark.slow
def test_imitation_comes_near_its_model() -> None:
    weights, sizes, explained = imitation.imitate("lost-cities", SINGLE, (2,), "heuristic", 3, decisions=2000)
    assert (sizes > 0).all()
    assert explained > 0.5
    assert Court("lost-cities", "linear", SINGLE, 2, 3).play(weights, "uniform", 0, 300).margin.mean() > 60


@pytest.mark.jitted
def test_candidates_sit_alone_in_a_field() -> None:
    """At three seats: equal weights are level in every block, the expert's own are ahead of a simple bot."""
    default = cardset.load(game.get("vaalbara").schema, "default")
    court = Court("vaalbara", "expert", default, 3, 3)
    weights = np.array(bots.get("vaalbara", "expert").weights_for(3))
    assert court.play(weights, weights, 0, 10).margin == pytest.approx(np.zeros(10))
    assert court.play(weights, "greedy_land", 0, 30).margin.mean() > 15
    assert court.play(weights, 0 * weights, 0, 30).margin.mean() > 5
    assert court.play(weights, "expert", 0, 10).margin == pytest.approx(np.zeros(10))  # the named bot has its own
    both = Settings("vaalbara", "expert", default, (2, 3), ("greedy_land",), population=6, deals=8)
    assert fit(both, 1).weights.tolist() == fit(both, 1, threads=1).weights.tolist()


# --- Shipped weights -------------------------------------------------------------------------------------------------


def test_weights_of_numbers_of_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file for each number of seats, one for the others; the bot's hash hangs on all of them."""
    monkeypatch.setattr(linear, "WEIGHTS", tmp_path)
    for name, weight in (("toy.toml", 1.0), ("toy-3.toml", 3.0)):
        weights.write(tmp_path / name, weights.Weights("toy", "linear", {"pays": weight}))
    (bot,) = linear.shipped()
    assert [bot.weights_for(seats) for seats in (2, 3, 4)] == [(1.0,), (3.0,), (1.0,)]
    assert bot.parameters == ("pays",)
    assert bot.hash != replace(bot, seat_weights={}).hash
    assert bot.hash != replace(bot, seat_weights={4: (3.0,)}).hash
