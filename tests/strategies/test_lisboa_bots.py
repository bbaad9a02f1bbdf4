"""What the bots of Lisboa choose, and what they win."""

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
from tests.simcore.lisboa_sets import edited, inputs, random_set, shipped

GAME = "lisboa"
BLOCKS = 120
PLANS = ("streets", "fleet", "decrees", "church")
Interval = tuple[float, float]


# --- All bots --------------------------------------------------------------------------------------------------------


def test_a_bot_is_given_what_its_seat_sees_and_nothing_else() -> None:
    for bot in bots.available(GAME):
        policy = getattr(bot.policy, "py_func", bot.policy)
        assert list(inspect.signature(policy).parameters) == ["public", "me", "cards", "options", "noise", "mind"]


LINE_UPS = (("expert", "greedy"), ("church", "expert-noisy"))
HASHES = (
    "from tests.strategies.test_lisboa_bots import LINE_UPS, hashes; import json, sys;"
    "json.dump([hashes(line_up) for line_up in LINE_UPS], sys.stdout)"
)


def hashes(line_up: tuple[str, ...]) -> list[str]:
    """The play hashes of the games of one block of the shipped set and one of an edited set."""
    tables = [Table(GAME, card_set, len(line_up), line_up, 8) for card_set in (shipped(), random_set(7))]
    return [str(row["play_hash"]) for table in tables for played in table.play(2, 3, "games") for row in played.rows]


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
        ("expert", "greedy", 3, 0.55),
        ("expert", "greedy", 4, 0.45),
        ("expert", "uniform", 2, 0.99),
        ("expert", "uniform", 4, 0.99),
        ("greedy", "uniform", 2, 0.99),
        ("greedy", "uniform", 4, 0.99),
    ],
)
def test_who_wins(bot: str, other: str, seats: int, share: float) -> None:
    assert shares(bot, other, seats)[0] > share


@pytest.mark.jitted
@pytest.mark.parametrize("plan", [plan for plan in PLANS if plan != "streets"])
def test_the_expert_beats_the_other_plans(plan: str) -> None:
    """More wins in a field of a plan than a plan has in a field of experts; streets are as good a plan as its own."""
    assert sum(shares("expert", plan, 3)) / 2 > 1 / 3 > sum(shares(plan, "expert", 3)) / 2


@pytest.mark.jitted
@pytest.mark.parametrize(
    "scalars",
    [
        {"hiring": "no", "auto_payment": "yes"},
        {"free_follows": "yes", "influence_per_tile": "yes", "north_site_colours": "yes"},
        {"portfolio_base": 4, "warehouse_base": 4},
        {"period_1_end_sets": 1, "game_end_sets": 2},
    ],
    ids=str,
)
def test_the_expert_reads_the_card_set(scalars: dict[str, Any]) -> None:
    """It is ahead of greedy, which plans nothing, wherever rules have changed."""
    assert shares("expert", "greedy", 3, edited("standard", None, **scalars), 80)[0] > 1 / 3


@pytest.mark.jitted
def test_decrees_are_known_by_what_they_count() -> None:
    """With their rows turned round the expert scores as much."""
    turned = edited("standard", {"decrees": inputs(shipped())["decrees"][::-1]})
    means = [rows(("expert",) * 3, card_set, 60)["seat"]["points"][:, :3].mean() for card_set in (shipped(), turned)]
    assert means[0] == pytest.approx(means[1], rel=0.06)


# --- The plans can be told apart -------------------------------------------------------------------------------------


@cache
def counters(bot: str) -> dict[str, float]:
    """The mean of each counter and part in games of a bot against the other plans, a seat."""
    line_up = (bot, *[plan for plan in PLANS if plan != bot])
    games = rows(line_up, shipped(), 60)
    number = np.arange(len(games))
    seat = games["seat"][number, -number % len(line_up)]
    lisboa = game.get(GAME)
    named = [("part", lisboa.parts), ("counter", lisboa.counters)]
    return {
        measure.name: float(seat[field][..., i].reshape(len(games), -1).sum(axis=1).mean())
        for field, measures in named
        for i, measure in enumerate(measures)
    }


SHOWN = {
    "streets": ("stores", "buildings", "building_customers", "officials_majority"),
    "fleet": ("action_ship", "goods_sold", "reais_earned"),
    "decrees": ("decrees", "decrees_taken", "markers_spent"),
    "church": ("action_cardinal", "tiles_surrendered", "action_favor", "follows_builder"),
}


@pytest.mark.jitted
@pytest.mark.parametrize("plan", PLANS)
def test_the_plans_show_in_their_counters(plan: str) -> None:
    """Each has more than the others of what it is after."""
    found = counters(plan)
    for name in SHOWN[plan]:
        assert all(found[name] > counters(other)[name] for other in PLANS if other != plan), name
