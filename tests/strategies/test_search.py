"""Search bots: they know what their seat knows, repeat themselves, find what is plainly better, allocate nothing."""

from collections.abc import Iterator
from dataclasses import replace
from math import exp
from typing import Any

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from simcore import bots, game, records, request
from simcore.play import Table
from simcore.rooms import NODES, room_type
from strategies.search import SOFT, SURE_WORLDS, Reward, give_up, reward
from tests.simcore.imagining import noise_of

SINGLE = "single_round"
KINDS = ("search", "search-tree")


def table_of(name: str, line_up: tuple[str, ...], cards: str | None = None, seed: int = 3) -> Table:
    return Table(name, request.load_cards(name, cards), len(line_up), line_up, seed)


def margins(table: Table, blocks: int) -> np.ndarray:
    """The first bot's margin in each block of a table for two."""
    points = np.concatenate([played.rows["seat"]["points"][:, :2] for played in table.play(0, blocks)]).astype(float)
    own = points[:, 0] - points[:, 1]
    return np.asarray((own[::2] - own[1::2]) / 2)


def choices(table: Table, seat: int, deal: int, most: int) -> Iterator[tuple[int, ...]]:
    """What the seat chose in its first decisions that were put to it, and what it chose from."""
    for step in table.steps(deal, 0):
        if step.seat == seat and len(step.options) > 1:
            yield (step.action, *step.options)
            most -= 1
            if not most:
                return


@pytest.mark.parametrize("bot", KINDS)
@pytest.mark.parametrize("name", game.BUILT_IN)
def test_decisions_are_legal_and_repeat(name: str, bot: str) -> None:
    """The same stream gives the same decisions, whatever was decided before. The loop raises for an illegal one."""
    line_up = (f"{bot}:12", "uniform")
    fresh, used = table_of(name, line_up), table_of(name, line_up)
    list(choices(used, 0, deal=8, most=3))
    assert list(choices(fresh, 0, deal=9, most=4)) == list(choices(used, 0, deal=9, most=4))


@pytest.mark.engine
@pytest.mark.parametrize("bot", KINDS)
def test_a_small_search_in_every_mode(bot: str) -> None:
    """Compiled or as plain Python: the same first decisions of a deal."""
    table = table_of("lost-cities", (f"{bot}:6", "uniform"), SINGLE)
    assert len(list(choices(table, 0, deal=2, most=2))) == 2


@pytest.mark.parametrize("bot", KINDS)
def test_what_is_hidden_makes_no_difference(bot: str) -> None:
    """The same decision at tables that differ only in what the seat cannot see."""
    table = table_of("lost-cities", (f"{bot}:20", "uniform"), SINGLE)
    found = 0
    for _ in table.steps(5, 0):
        public = table.state.public
        if public.actor != 0:
            continue
        chosen = set()
        for world in range(3):
            state = records.zero(table.game.state)
            game.imagine(state, public, table.state.private[0], 0, table.cards, noise_of(world))
            game.legal(state.public, state.private[0], table.cards, table.options)
            if table.options.count > 1:
                policy = table.bots[0].policy
                arguments = (state.public, state.private[0], table.cards, table.options, noise_of(99), table.minds[0])
                chosen.add(int(policy(*arguments)))
        assert len(chosen) <= 1
        found += len(chosen)
        if found == 4:
            break
    assert found == 4


@pytest.mark.jitted
@pytest.mark.parametrize("name", KINDS)
def test_it_beats_the_policy_of_its_playouts(name: str) -> None:
    """The expert here weighs nothing by what it is worth, so it leaves a lot to be found."""
    searcher, dull = (bots.get("lost-cities", bot) for bot in (f"{name}:100", "expert"))
    line_up = (replace(searcher, weights=(0.0,) * 18 + searcher.weights[18:]), replace(dull, weights=(0.0,) * 18))
    found = margins(Table("lost-cities", request.load_cards("lost-cities", SINGLE), 2, line_up, 3), 8)
    assert found.mean() > 4 * found.std() / np.sqrt(len(found))


def test_a_tree_leaves_hidden_choices_of_others_to_the_policy() -> None:
    """In Vaalbara nobody sees the others' characters before all have chosen: they cannot answer mine in the tree."""
    table = table_of("vaalbara", ("search-tree:300", "uniform", "uniform"))
    hidden = table.game.decisions.index("CHARACTER")
    for _ in choices(table, 0, deal=1, most=1):
        break
    room = table.rooms[0][0]
    used = int(room["nodes"])
    movers, actions = room["mover"][1:used], room["action_of"][1:used]
    assert used > 100
    assert set(movers) > {0}  # others' decisions are in the tree,
    assert not (actions[movers > 0] // 64 == hidden).any()  # but not these


def test_a_tree_that_is_full_grows_no_more() -> None:
    table = table_of("lost-cities", (f"search-tree:{2 * NODES}", "uniform"), SINGLE)
    room = table.rooms[0][0]
    for _ in choices(table, 0, deal=1, most=5):
        if room["nodes"] == NODES:
            break
    assert room["played"] > NODES == room["nodes"]


def arms_of(leads: np.ndarray) -> Any:
    """A room whose arms are ahead of the policy's own by these leads: of shape (worlds, arms), the first of them 0."""
    room = np.zeros(1, room_type(game.get("lost-cities")))[0]
    room.ahead[: leads.shape[1]], room.square[: leads.shape[1]] = leads.sum(axis=0), (leads**2).sum(axis=0)
    room.action[: leads.shape[1]] = np.arange(leads.shape[1])
    return room


@pytest.mark.engine
def test_only_what_is_surely_behind_is_given_up() -> None:
    """Planted arms, in 40 worlds: as good as the policy's own, half a deviation better, a whole one worse."""
    draws = np.random.default_rng(4).normal(size=(300, 40, 4))
    draws[:, :, 0] = 0.0
    means = np.array([0.0, 0.0, 0.5, -1.0])
    kept = np.zeros(4)
    for leads in draws + means:
        room = arms_of(leads)
        kept[room.action[: give_up(room, 40, 4)]] += 1
    assert kept[0] == kept[2] == 300
    assert kept[1] >= 297
    assert kept[3] <= 3


@pytest.mark.engine
def test_nothing_is_given_up_before_there_are_worlds_enough() -> None:
    room = arms_of(np.full((SURE_WORLDS, 3), [0.0, -50.0, -60.0]) + np.linspace(0, 1, SURE_WORLDS)[:, None] * [0, 1, 1])
    assert give_up(room, SURE_WORLDS - 1, 3) == 3
    assert give_up(room, SURE_WORLDS, 3) == 1


def test_a_search_ends_when_nothing_is_left_to_find_out() -> None:
    """A decision takes at most the budget. Many need it, in the beginning of a round most; many are plain soon."""
    budget = 1000
    table = table_of("lost-cities", (f"search:{budget}", "uniform"), SINGLE)
    room, spent, before = table.rooms[0][0], [], 0
    for _ in choices(table, 0, deal=1, most=40):
        spent.append(int(room["played"]) - before)
        before = int(room["played"])
    assert 0.99 * budget < max(spent) <= budget
    assert sorted(spent)[len(spent) // 4] < 0.7 * budget


@pytest.mark.jitted
@pytest.mark.parametrize("bot", KINDS)
def test_nothing_is_allocated(bot: str) -> None:
    _nrt_python.memsys_enable_stats()
    try:
        table = table_of("lost-cities", (f"{bot}:10", "uniform"), SINGLE)

        def allocated(blocks: int) -> int:
            before = rtsys.get_allocation_stats().mi_alloc
            list(table.play(0, blocks))
            return int(rtsys.get_allocation_stats().mi_alloc - before)

        assert allocated(1) == allocated(4)
    finally:
        _nrt_python.memsys_disable_stats()


@pytest.mark.engine
def test_rewards() -> None:
    """The margin over the mean of the others, or a share of wins that is 73 % with a lead of SOFT."""
    table = table_of("vaalbara", ("search:5", "uniform", "uniform"))
    room = table.rooms[0]
    room["out"]["points"][0, :3] = 40, 28, 16
    found = {}
    for kind in Reward:
        room["reward"] = kind
        reward(room[0], table.cards)
        found[kind] = room["gain"][0, :3].tolist()
    assert found[Reward.POINTS] == [18, 0, -18]
    assert found[Reward.WINS] == pytest.approx([1 / (1 + exp(-lead / SOFT)) for lead in (12, -12, -24)])


def test_budget_and_reward_make_another_bot() -> None:
    points = bots.get("lost-cities", "search")
    hashes = {points.hash, replace(points, reward=Reward.WINS).hash, bots.get("lost-cities", "search:200").hash}
    assert len(hashes) == 3
