"""What the bots of Vaalbara choose: the exact policies by the page, the expert and the linear bot by what they win."""

import inspect
import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from simcore import bots
from simcore.cardset import CardSet
from simcore.play import Table
from tests.reference.vaalbara import FIRST
from tests.reference.vaalbara_agreement import GAME, Witness
from tests.reference.vaalbara_features import Looker
from tests.simcore.vaalbara_sets import edited, inputs, shipped

BLOCKS = 150
Interval = tuple[float, float]


# --- The exact policies (section 12 of the rules page) ---------------------------------------------------------------


@pytest.mark.engine
@pytest.mark.parametrize(("bot", "seats"), [("greedy_land", 2), ("greedy_land", 5), ("uniform_show", 3)])
def test_exact_policies(bot: str, seats: int) -> None:
    """Fighters are always shown; greedy_land takes the highest reward before doubling, of equals the leftmost."""
    kernels, seen = Table(GAME, shipped("default"), seats, (bot,) * seats, 3), set()
    for deal in range(3):
        witness, expected = Witness(kernels), None
        for step in witness.follow(deal):
            assert step.action == expected or expected is None
            expected = expected_action(witness, bot)
            if expected is not None:
                seen.add(witness.match.table.expects)
    assert seen >= {"TAKE" if bot == "greedy_land" else "SHOW_FIGHTER"}


def expected_action(witness: Witness, bot: str) -> int | None:
    """What the page says, None where it says: at random."""
    table, seat = witness.match.table, witness.match.actor
    if table.expects == "SHOW_FIGHTER":
        return witness.coding.action(table, "SHOW_FIGHTER", "yes")
    if table.expects != "TAKE" or bot != "greedy_land":
        return None
    looker = Looker(table, seat, witness.match.hands[seat])
    pays = [looker.pays(seat, land, table.revealed[seat].initiative) for land in table.rows[FIRST]]
    return witness.coding.action(table, "TAKE", table.rows[FIRST][pays.index(max(pays))].id)


# --- All bots --------------------------------------------------------------------------------------------------------


def test_a_bot_is_given_what_its_seat_sees_and_nothing_else() -> None:
    for bot in bots.available(GAME):
        policy = getattr(bot.policy, "py_func", bot.policy)
        assert list(inspect.signature(policy).parameters) == ["public", "me", "cards", "options", "noise", "mind"]


ALL = ("expert", "linear", "expert-noisy", "greedy_land", "uniform_show")
HASHES = (
    "from tests.strategies.test_vaalbara_bots import ALL, hashes; import json, sys; json.dump(hashes(ALL), sys.stdout)"
)


def hashes(line_up: tuple[str, ...]) -> list[str]:
    """The play hashes of the games of one block."""
    table = Table(GAME, shipped("default"), len(line_up), line_up, 8)
    return [str(row["play_hash"]) for played in table.play(2, 3, "games") for row in played.rows]


@pytest.mark.jitted
def test_plain_python_plays_the_same_games() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "."}
    done = subprocess.run([sys.executable, "-c", HASHES], capture_output=True, text=True, env=environment, check=True)
    assert json.loads(done.stdout) == hashes(ALL)


# --- Strength --------------------------------------------------------------------------------------------------------


@cache
def rows(line_up: tuple[str, ...], card_set: CardSet, blocks: int) -> NDArray[np.void]:
    played = Table(GAME, card_set, len(line_up), line_up, 2024).play(0, blocks)
    return np.concatenate([part.rows for part in played])


def shares(bot: str, other: str, seats: int, card_set: CardSet | None = None, blocks: int = BLOCKS) -> Interval:
    """The part of the games that a bot wins alone in a field of another, less and more four standard errors."""
    games = rows((bot, *[other] * (seats - 1)), card_set or shipped("default"), blocks)
    number = np.arange(len(games))
    won = games["winners"] >> (-number % seats) & 1  # the first of the line-up sits in seat -rotation
    won = won.reshape(-1, seats).mean(axis=1)
    error = 4 * won.std() / np.sqrt(len(won))
    return float(won.mean() - error), float(won.mean() + error)


@pytest.mark.jitted
@pytest.mark.parametrize(
    ("bot", "other", "seats", "share"),
    [
        ("expert", "greedy_land", 2, 0.9),
        ("expert", "greedy_land", 3, 0.85),
        ("expert", "greedy_land", 4, 0.8),
        ("expert", "greedy_land", 5, 0.75),
        ("linear", "greedy_land", 2, 0.75),
        ("linear", "greedy_land", 3, 0.65),
        ("linear", "greedy_land", 4, 0.55),
        ("linear", "greedy_land", 5, 0.5),
        ("greedy_land", "uniform_show", 2, 0.5),
    ],
)
def test_who_wins(bot: str, other: str, seats: int, share: float) -> None:
    assert shares(bot, other, seats)[0] > share


@pytest.mark.jitted
@pytest.mark.parametrize(
    "scalars",
    [
        {"river_cap": 20},
        {"mountain_second": 0, "mountain_fourth": 100},
        {"farmer_factor": 10},
        {"hand_size": 12},
        {"hand_size": 1},
        {"five_types_bonus": 100, "six_types_bonus": 0},
        {"rounds": 3},
    ],
    ids=str,
)
def test_the_expert_reads_the_card_set(scalars: dict[str, int]) -> None:
    """It is ahead of greedy_land, which plans nothing, wherever amounts and sizes have changed."""
    assert shares("expert", "greedy_land", 3, edited("default", None, **scalars), 100)[0] > 1 / 3


@pytest.mark.jitted
def test_characters_are_known_by_their_effect() -> None:
    """With their rows turned round the expert plays the same games, but where two are worth the same."""
    base = shipped("default")
    tables = inputs(base)
    turned = edited("default", {"characters": tables["characters"][::-1]})
    line_up = ("expert", "expert", "expert")
    points = [rows(line_up, card_set, 50)["seat"]["points"] for card_set in (base, turned)]
    assert (points[0] == points[1]).all(axis=1).mean() > 0.9
