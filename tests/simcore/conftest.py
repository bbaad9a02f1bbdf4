"""The game of `toygame`, as a plug-in makes it known: one declaration and its bots."""

from collections.abc import Iterator

import pytest

from simcore import bots, cardset, game
from simcore.cardset import CardSet
from tests.simcore.toygame.bots import BAD_BOTS, BOTS
from tests.simcore.toygame.game import GAME

pytest.register_assert_rewrite("tests.simcore.retold")


@pytest.fixture(scope="module")
def bids() -> Iterator[CardSet]:
    """Its card set; the game is known within this module of tests only, so that those of all games do not meet it."""
    game.add(GAME)
    for bot in (*BOTS, *BAD_BOTS):
        bots.register(bot)
    yield cardset.load(GAME.schema, "standard")
    del game._games[GAME.name]
    for bot in (*BOTS, *BAD_BOTS):
        del bots._bots[bot.game, bot.name]
