"""What the bots of Valletta choose, and what they win."""

import inspect
import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from simcore import bots, game
from simcore.cardset import CardSet
from simcore.play import Table
from tests.simcore.valletta_sets import edited, inputs, shipped

GAME = "valletta"
BLOCKS = 150
PLANS = ("rush", "yellow", "engine")
Interval = tuple[float, float]


# --- All bots --------------------------------------------------------------------------------------------------------


def test_a_bot_is_given_what_its_seat_sees_and_nothing_else() -> None:
    for bot in bots.available(GAME):
        policy = getattr(bot.policy, "py_func", bot.policy)
        assert list(inspect.signature(policy).parameters) == ["public", "me", "cards", "options", "noise", "mind"]


LINE_UPS = (("expert", "linear", "expert-noisy", "greedy"), ("rush", "yellow", "engine"))
HASHES = (
    "from tests.strategies.test_valletta_bots import LINE_UPS, hashes; import json, sys;"
    "json.dump([hashes(line_up) for line_up in LINE_UPS], sys.stdout)"
)


def short() -> CardSet:
    """The shipped set, but the game ends with the third house."""
    return edited("standard", {"setup": [row | {"houses": 3} for row in inputs(shipped())["setup"]]})


def hashes(line_up: tuple[str, ...]) -> list[str]:
    """The play hashes of the games of one block."""
    table = Table(GAME, short(), len(line_up), line_up, 8)
    return [str(row["play_hash"]) for played in table.play(2, 3, "games") for row in played.rows]


@pytest.mark.jitted
def test_plain_python_plays_the_same_games() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "."}
    done = subprocess.run([sys.executable, "-c", HASHES], capture_output=True, text=True, env=environment, check=True)
    assert json.loads(done.stdout) == [hashes(line_up) for line_up in LINE_UPS]


# --- Strength --------------------------------------------------------------------------------------------------------


@cache
def rows(line_up: tuple[str, ...], card_set: CardSet, blocks: int) -> NDArray[np.void]:
    played = Table(GAME, card_set, len(line_up), line_up, 2024).play(0, blocks, "games")
    return np.concatenate([part.rows for part in played])


def shares(bot: str, other: str, seats: int, card_set: CardSet | None = None, blocks: int = BLOCKS) -> Interval:
    """The part of the games that a bot wins or shares in a field of another, less and more four standard errors."""
    games = rows((bot, *[other] * (seats - 1)), card_set or shipped(), blocks)
    number = np.arange(len(games))
    won = games["winners"] >> (-number % seats) & 1  # the first of the line-up sits in seat -rotation
    won = won.reshape(-1, seats).mean(axis=1)
    error = 4 * won.std() / np.sqrt(len(won))
    return float(won.mean() - error), float(won.mean() + error)


@pytest.mark.jitted
@pytest.mark.parametrize(
    ("bot", "other", "seats", "share"),
    [
        ("expert", "greedy", 2, 0.75),
        ("expert", "greedy", 3, 0.75),
        ("expert", "greedy", 4, 0.7),
        ("expert", "uniform", 3, 0.99),
        ("linear", "greedy", 2, 0.5),
        ("linear", "greedy", 3, 0.4),
        ("linear", "greedy", 4, 0.35),
        ("greedy", "uniform", 2, 0.95),
    ],
)
def test_who_wins(bot: str, other: str, seats: int, share: float) -> None:
    assert shares(bot, other, seats)[0] > share


@pytest.mark.jitted
@pytest.mark.parametrize("plan", PLANS)
def test_the_expert_beats_each_plan(plan: str) -> None:
    """It wins more in a field of a plan than a plan does in a field of experts, and more than its part."""
    assert sum(shares("expert", plan, 3)) / 2 > 1 / 3 > sum(shares(plan, "expert", 3)) / 2


@pytest.mark.jitted
@pytest.mark.parametrize(
    "scalars",
    [
        {"substitution_rate": 1},
        {"gold_fills": "no"},
        {"nun_others": 0},
        {"area_spaces": 2},
        {"copies_declined": "no", "apprentice_chain": "no", "passing_triggers": "no"},
    ],
    ids=str,
)
def test_the_expert_reads_the_card_set(scalars: dict[str, Any]) -> None:
    """It is ahead of greedy, which plans nothing, wherever rules have changed."""
    assert shares("expert", "greedy", 3, edited("standard", None, **scalars), 100)[0] > 1 / 3


@pytest.mark.jitted
def test_characters_are_known_by_their_effect() -> None:
    """With their rows turned round the expert plays as well, whatever is worth the same."""
    turned = edited("standard", {"characters": inputs(shipped())["characters"][::-1]})
    means = [rows(("expert",) * 3, card_set, 50)["seat"]["points"][:, :3].mean() for card_set in (shipped(), turned)]
    assert means[0] == pytest.approx(means[1], abs=2)


# --- The plans can be told apart -------------------------------------------------------------------------------------


def counters(bot: str) -> dict[str, float]:
    """The mean of each counter and part in games of a bot against the three plans, a seat."""
    line_up = (bot, *[plan for plan in PLANS if plan != bot])
    games = rows(line_up, shipped(), 100)
    number = np.arange(len(games))
    seat = games["seat"][number, -number % len(line_up)]
    valletta = game.get(GAME)
    named = [("part", valletta.parts), ("counter", valletta.counters)]
    return {
        measure.name: float(seat[field][..., i].reshape(len(games), -1).sum(axis=1).mean())
        for field, measures in named
        for i, measure in enumerate(measures)
    }


SHOWN = {
    "rush": ("houses", "dismissals", "triggered"),
    "yellow": ("yellow", "upgrades", "fixed"),
    "engine": ("green", "goods"),
}


@pytest.mark.jitted
def test_the_plans_show_in_their_counters() -> None:
    """Each has more than the other two of what it is after."""
    found = {plan: counters(plan) for plan in PLANS}
    for plan, names in SHOWN.items():
        for name in names:
            assert all(found[plan][name] > found[other][name] for other in PLANS if other != plan), name
