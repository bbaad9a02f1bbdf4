"""The bots of Lisboa play every card set with every number of seats by the rules, and always the same games."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import bots, game
from simcore.cardset import CardSet
from simcore.play import Table
from tests.simcore.lisboa_sets import random_set, shipped

pytestmark = pytest.mark.jitted

GAME = "lisboa"
SEATS = game.get(GAME).seats
BOTS = [bot.name for bot in bots.available(GAME) if bot.cost == "cheap"]
RANDOM = {bot.name for bot in bots.available(GAME) if bot.tier == "random"} | {"expert-noisy"}

Outcome = tuple[int, ...]


def outcomes(card_set: CardSet, line_up: tuple[str, ...], first: int, last: int, seed: int = 5) -> list[Outcome]:
    """The hash of the play and the points of each game. The play loop raises for an action that is not legal."""
    table = Table(GAME, card_set, len(line_up), line_up, seed)
    rows = np.concatenate([played.rows for played in table.play(first, last, "games")])
    return [(int(row["play_hash"]), *map(int, row["seat"]["points"][: len(line_up)])) for row in rows]


def field(bot: str, other: str, seats: int) -> tuple[str, ...]:
    return (bot, *[other] * (seats - 1))


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("bot", BOTS)
def test_the_shipped_set(bot: str, seats: int) -> None:
    for other in ("uniform", bot):
        assert len(outcomes(shipped(), field(bot, other, seats), 0, 6)) == 6 * seats


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(0, 2**32), st.sampled_from(BOTS), st.sampled_from(BOTS), st.sampled_from(SEATS), st.integers(0, 2**40)
)
def test_edited_sets(number: int, bot: str, other: str, seats: int, deal: int) -> None:
    assert len(outcomes(random_set(number), field(bot, other, seats), deal, deal + 2)) == 2 * seats


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_table_plays_the_same_games(bot: str) -> None:
    """Also when other games were played before them: nothing is carried from game to game."""
    card_set, line_up = shipped(), field(bot, "uniform", 3)
    assert outcomes(card_set, line_up, 0, 12)[30:] == outcomes(card_set, line_up, 10, 12)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("bot", [bot for bot in BOTS if bot not in RANDOM])
def test_a_bot_without_noise_plays_one_game_in_all_rotations(bot: str, seats: int) -> None:
    games = outcomes(shipped(), (bot,) * seats, 0, 8)
    for block in range(8):
        assert len(set(games[seats * block : seats * (block + 1)])) == 1
