"""Environments: PettingZoo's own tests, what an agent sees, and that the games are those of fairdeal."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from simcore import game as games
from simcore import records, request
from simcore.environment import env, observation_names
from simcore.errors import InputError
from simcore.play import Table
from simcore.random import NOISE, seed_noise

GAME = "lost-cities"
SEATS = {"lost-cities": 2, "vaalbara": 5, "valletta": 3, "lisboa": 4}
EXPECTED = (  # what api_test says of every game whose observations are a dict, but for those that it knows by name
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)
pytestmark = [pytest.mark.filterwarnings(line) for line in EXPECTED]


def quick(**more: Any) -> Any:
    return env(GAME, cards="single_round", **more)


def play_out(environment: Any, choose: Callable[[Any], int] | None = None) -> dict[str, float]:
    """To the end, with the first legal action unless told otherwise; the rewards."""
    rewards = {}
    for agent in environment.agent_iter():
        seen, reward, terminated, truncated, _ = environment.last()
        assert not truncated
        if terminated:
            rewards[agent] = reward
            environment.step(None)
        else:
            environment.step(choose(environment) if choose else int(np.flatnonzero(seen["action_mask"])[0]))
    return rewards


# --- PettingZoo's own tests ------------------------------------------------------------------------------------------


@pytest.mark.jitted
@pytest.mark.parametrize("game", games.BUILT_IN)
def test_the_interface_is_that_of_pettingzoo(game: str) -> None:
    api_test(env(game, seats=SEATS[game]), num_cycles=60)


@pytest.mark.jitted
def test_the_interface_with_bots_and_whole_games() -> None:
    api_test(quick(bots={1: "heuristic"}), num_cycles=200)


@pytest.mark.jitted
@pytest.mark.parametrize("game", games.BUILT_IN)
def test_a_seed_gives_one_game(game: str) -> None:
    seed_test(lambda: env(game, seats=SEATS[game]), num_cycles=20)


# --- What an agent sees ----------------------------------------------------------------------------------------------


@pytest.mark.jitted
@pytest.mark.parametrize("game", games.BUILT_IN)
def test_an_observation_does_not_depend_on_what_is_hidden(game: str) -> None:
    """In another world that fits what the seat knows it sees the same, in every number."""
    environment = env(game, seats=SEATS[game])
    environment.reset(seed=3)
    rng, sitting = np.random.default_rng(1), environment.unwrapped.sitting
    table, noise, world = sitting._table, records.zero(NOISE), records.zero(sitting.game.state)
    differ = 0
    for number in range(60):
        agent = environment.agent_selection
        seat = int(agent.removeprefix("seat_"))
        seed_noise(noise, np.uint64(77), np.uint64(number), 0)
        imagine_another(world, sitting, seat, noise)
        seen, saved = environment.observe(agent), sitting.save()
        for name in table.state.dtype.names:
            table.state[name] = world[name]
        sitting._listed = False
        other = environment.observe(agent)
        assert np.array_equal(seen["observation"], other["observation"])
        assert np.array_equal(seen["action_mask"], other["action_mask"])
        differ += saved.state.tobytes() != world.tobytes()
        sitting.restore(saved)
        environment.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    assert differ > 30


def imagine_another(world: Any, sitting: Any, seat: int, noise: Any) -> None:
    games.imagine(world, sitting.public, sitting.private[seat], seat, sitting._table.cards, noise)


@pytest.mark.parametrize("game", games.BUILT_IN)
def test_every_number_has_a_name_of_its_own(game: str) -> None:
    names = observation_names(game)
    assert len(set(names)) == len(names)
    assert names[:3] == ("seat", "public.actor", "public.decision")
    declared = games.get(game)
    fields = {name.split(".")[1].split("[")[0].split(":")[0] for name in names[1:]}
    assert fields == {*declared.public.names, *declared.private.names}


def test_the_numbers_are_those_of_the_records() -> None:
    environment = quick()
    environment.reset(seed=8)
    sitting, agent = environment.unwrapped.sitting, environment.agent_selection
    names = observation_names(GAME)
    for _ in range(40):
        agent = environment.agent_selection
        seen = environment.observe(agent)
        row = dict(zip(names, seen["observation"].tolist(), strict=True))
        seat = int(agent[-1])
        assert row["seat"] == row["public.actor"] == seat == sitting.actor
        assert row["public.decision"] == sitting.public.decision
        assert row["public.count[6]"] == sitting.public["count"][6]
        assert row["public.board[1].length[2]"] == sitting.public.board[1].length[2]
        assert [row[f"public.standing[{other}]"] for other in (0, 1)] == sitting.public.standing.tolist()
        hand = sum(row[f"private.hand[0]:{bit}"] << bit for bit in range(64))
        assert hand == int(sitting.private[seat].hand[0])
        assert tuple(np.flatnonzero(seen["action_mask"])) == sitting.options()
        assert environment.observation_space(agent).contains(seen)
        environment.step(sitting.options()[-1])


def test_who_does_not_decide_sees_neither_who_does_nor_what() -> None:
    environment = quick()
    environment.reset(seed=8)
    names = observation_names(GAME)
    (other,) = {"seat_0", "seat_1"} - {environment.agent_selection}
    seen = environment.observe(other)
    row = dict(zip(names, seen["observation"].tolist(), strict=True))
    assert (row["public.actor"], row["public.decision"]) == (-1, -1)
    assert not seen["action_mask"].any()


def test_the_position_in_words() -> None:
    environment = quick()
    environment.reset(seed=8)
    assert "your hand: " in environment.render()


# --- Games, rewards, bots --------------------------------------------------------------------------------------------


def test_rewards() -> None:
    found = {}
    for reward in ("points", "margin", "wins"):
        environment = quick(reward=reward)
        environment.reset(seed=8)
        found[reward] = play_out(environment)
    points = found["points"]
    assert found["margin"] == {
        "seat_0": points["seat_0"] - points["seat_1"],
        "seat_1": points["seat_1"] - points["seat_0"],
    }
    assert found["wins"] == {agent: float(points[agent] == max(points.values())) for agent in points}


def test_agents_that_do_as_a_bot_does_play_the_games_of_a_run() -> None:
    table = Table(GAME, request.load_cards(GAME, "single_round"), 2, ("heuristic", "heuristic"), 5)
    for bots, rotation in (({1: "heuristic"}, 0), ({0: "heuristic"}, 1)):
        environment = quick(bots=bots, reward="points")
        (agent,) = environment.possible_agents
        environment.reset(seed=5, options={"deal": 2, "rotation": rotation})
        steps = [step for step in table.steps(2, rotation) if f"seat_{step.seat}" == agent and len(step.options) > 1]
        actions = iter([step.action for step in steps])
        rewards = play_out(environment, lambda _, actions=actions: next(actions))
        assert rewards == {agent: float(table.out.points[int(agent[-1])])}


def test_each_reset_deals_the_next_deal() -> None:
    environment = quick(seed=5)
    hands = []
    for _ in range(3):
        environment.reset()
        hands.append(environment.unwrapped.sitting.private[0].hand.tolist())
    assert hands[0] != hands[1] != hands[2]
    environment.reset(options={"deal": 1})
    assert environment.unwrapped.sitting.private[0].hand.tolist() == hands[1]
    environment.reset(seed=5)
    assert environment.unwrapped.sitting.private[0].hand.tolist() == hands[0]


@pytest.mark.filterwarnings("ignore:.*Illegal move made")
def test_an_illegal_action_ends_the_game() -> None:
    environment = quick()
    environment.reset(seed=8)
    agent = environment.agent_selection
    (other,) = {"seat_0", "seat_1"} - {agent}
    environment.step(262)  # drawing before a card is played
    assert environment.terminations == {agent: True, other: True}
    assert environment.rewards[agent] == -1
    assert environment.rewards[other] == 0


def test_without_its_wrappers_it_refuses_an_illegal_action() -> None:
    environment = quick().unwrapped
    environment.reset(seed=8)
    with pytest.raises(InputError, match="not one of the options"):
        environment.step(262)


# --- Mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"seats": 3}, "cannot be played with 3 seats"),
        ({"bots": {2: "uniform"}}, "the seats are 0 to 1"),
        ({"bots": {0: "nobody"}}, "unknown bot"),
        ({"bots": {0: "uniform", 1: "uniform"}}, "leave at least one seat"),
        ({"reward": "glory"}, "unknown reward"),
    ],
)
def test_mistakes(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        env(GAME, **wrong)


@pytest.mark.parametrize("options", [{"deal": -1}, {"rotation": 2}, {"deal": "x"}])
def test_mistakes_in_a_reset(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="option "):
        quick().reset(options=options)


def test_without_pettingzoo_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "simcore.aec", raising=False)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(InputError, match=r"pip install 'fairdeal\[env\]'"):
        env(GAME)
