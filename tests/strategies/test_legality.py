"""Every bot of Lost Cities plays every card set by the rules, and the same game whenever it is asked to."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import bots, cardset
from simcore.cardset import CardSet
from simcore.games.lost_cities.cardset import SCHEMA
from simcore.play import Table
from tests.simcore.lost_cities_sets import card_sets

GAME = "lost-cities"
SHIPPED = ("base", "long", "single_round", "long_single_round")
BOTS = [bot.name for bot in bots.available(GAME) if bot.cost == "cheap"]
RANDOM = {bot.name for bot in bots.available(GAME) if bot.tier == "random"} | {"expert-noisy"}


def outcomes(card_set: CardSet, pair: tuple[str, str], first: int, last: int, seed: int = 5) -> list[tuple[int, ...]]:
    """Turns and points of the games of some blocks. The play loop raises for an action that is not legal."""
    rows = next(Table(GAME, card_set, 2, pair, seed).play(first, last)).rows
    return [(int(row["turns"]), *map(int, row["seat"]["points"])) for row in rows]


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("bot", BOTS)
def test_shipped_sets(bot: str, name: str) -> None:
    card_set = cardset.load(SCHEMA, name)
    for other in ("uniform", bot):
        assert len(outcomes(card_set, (bot, other), 0, 20)) == 40


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(card_sets(), st.tuples(st.sampled_from(BOTS), st.sampled_from(BOTS)), st.integers(0, 2**40))
def test_edited_sets(card_set: CardSet, pair: tuple[str, str], deal: int) -> None:
    assert len(outcomes(card_set, pair, deal, deal + 3)) == 6


@pytest.mark.engine
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(card_sets().filter(lambda card_set: card_set.scalars["rounds"] == 1), st.sampled_from(["expert", "linear"]))
def test_a_few_edited_sets(card_set: CardSet, bot: str) -> None:
    assert len(outcomes(card_set, (bot, "heuristic"), 0, 1)) == 2


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_table_plays_the_same_games(bot: str) -> None:
    """Also when other games were played before them: nothing is carried from game to game."""
    card_set = cardset.load(SCHEMA, "base")
    assert outcomes(card_set, (bot, "uniform"), 0, 12)[10:] == outcomes(card_set, (bot, "uniform"), 5, 12)


@pytest.mark.parametrize("bot", [bot for bot in BOTS if bot not in RANDOM])
def test_a_bot_without_noise_plays_one_game_in_both_seats(bot: str) -> None:
    card_set = cardset.load(SCHEMA, "single_round")
    games = outcomes(card_set, (bot, bot), 0, 50)
    assert games[::2] == games[1::2]
