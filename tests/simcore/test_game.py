import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Annotated

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from simcore import bots, game, records
from simcore.bots import Bot
from simcore.errors import InputError
from simcore.game import is_legal, nth_option
from tests.simcore.toygame import rules
from tests.simcore.toygame.bots import dice
from tests.simcore.toygame.game import GAME
from tests.simcore.toygame.state import STATE

# --- The registry of games -------------------------------------------------------------------------------------------


def test_built_in_games_are_known() -> None:
    assert "lost-cities" in game.names()
    assert game.get("lost-cities").title == "Lost Cities"
    assert game.get("lost-cities") is game.get("lost-cities")


def test_an_unknown_game_is_refused_with_the_nearest_words() -> None:
    with pytest.raises(InputError, match=r"unknown game 'lost-city'\. Did you mean lost-cities\? Known: .*lost-cities"):
        game.get("lost-city")
    with pytest.raises(InputError, match=r"unknown game 'chess'\. Known:"):
        game.get("chess")


def test_a_game_can_be_added_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "_games", dict(game._games))
    game.add(GAME)
    assert game.get("bids") is GAME
    assert "bids" in game.names()
    with pytest.raises(ValueError, match="there already is a game bids"):
        game.add(GAME)
    with pytest.raises(ValueError, match="there already is a game lost-cities"):
        game.add(replace(GAME, name="lost-cities"))


def test_a_plug_in_brings_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entry points `fairdeal.games`: the name of the point is the game's, the object its declaration."""
    point = SimpleNamespace(name="bids", load=lambda: GAME)

    def entry_points(group: str, name: str | None = None) -> list[SimpleNamespace]:
        return [point] if group == "fairdeal.games" and name in (None, "bids") else []

    monkeypatch.setattr(game, "_games", {})
    monkeypatch.setattr(game, "entry_points", entry_points)
    assert game.names() == (*game.BUILT_IN, "bids")
    assert game.get("bids") is GAME
    with pytest.raises(ValueError, match="there already is a game bids"):
        game.add(GAME)
    with pytest.raises(InputError, match="Did you mean bids"):
        game.get("bid")


def test_most_seats_are_those_that_records_are_sized_for() -> None:
    assert GAME.most_seats == 5
    assert replace(GAME, seats=(3, 2)).most_seats == 3


def test_a_game_declares_no_more_than_notes_can_tell_apart() -> None:
    with pytest.raises(ValueError, match="at most 24 score parts and 56 counters"):
        replace(GAME, parts=GAME.parts[:1] * 25)
    with pytest.raises(ValueError, match="at most 24 score parts and 56 counters"):
        replace(GAME, counters=GAME.counters[:1] * 57)
    with pytest.raises(ValueError, match="at most 6 tallies, each with a name of its own"):
        replace(GAME, tallies=tuple("abcdefg"))
    with pytest.raises(ValueError, match="at most 6 tallies, each with a name of its own"):
        replace(GAME, tallies=("played", "played"))


def test_words_for_endings_are_as_many_as_the_endings() -> None:
    assert replace(GAME, endings=("no card left", "the cap")).endings[0] == "no card left"
    with pytest.raises(ValueError, match="2 reasons to end, and words for 1"):
        replace(GAME, endings=("no card left",))


# --- Verbs -----------------------------------------------------------------------------------------------------------


def test_a_record_type_has_one_kernel_for_a_verb() -> None:
    with pytest.raises(ValueError, match="the verb setup already has a kernel for this record type"):
        game.implement(setup=(STATE, rules.setup))


# --- The registry of bots --------------------------------------------------------------------------------------------


@pytest.fixture
def own_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    bots.available("lost-cities")
    monkeypatch.setattr(bots, "_bots", dict(bots._bots))


BOT = Bot("dice", "bids", "random", "Rolls dice.", dice)


@pytest.mark.usefixtures("own_bots")
def test_bots_of_a_game_and_of_every_game_are_available_weakest_first() -> None:
    bots.register(replace(BOT, name="strong", tier="expert"))
    bots.register(BOT)
    names = [bot.name for bot in bots.available("bids")]
    assert names == ["uniform", "dice", "strong"]
    assert "dice" not in [bot.name for bot in bots.available("lost-cities")]
    assert bots.get("bids", "dice") is BOT


@pytest.mark.usefixtures("own_bots")
def test_an_unknown_bot_is_refused_with_the_nearest_words() -> None:
    bots.register(BOT)
    with pytest.raises(InputError, match=r"unknown bot 'unifrom'\. Did you mean uniform\? Known: uniform, dice\."):
        bots.get("bids", "unifrom")


@pytest.mark.usefixtures("own_bots")
def test_a_name_means_one_bot() -> None:
    bots.register(BOT)
    bots.register(replace(BOT, game="other"))
    with pytest.raises(ValueError, match="there already is a bot dice for bids"):
        bots.register(BOT)
    with pytest.raises(ValueError, match="there already is a bot dice for bids"):
        bots.register(replace(BOT, game=None))
    with pytest.raises(ValueError, match="there already is a bot uniform for every game"):
        bots.register(replace(BOT, name="uniform"))


@pytest.mark.usefixtures("own_bots")
@pytest.mark.parametrize("wrong", [{"tier": "strong"}, {"cost": "free"}])
def test_a_bot_of_no_tier_or_cost_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="bot dice: the tier is one of"):
        bots.register(replace(BOT, **wrong))


def test_the_hash_tells_bots_of_one_name_apart() -> None:
    assert BOT.hash == replace(BOT, text="Other words.").hash
    others = [replace(BOT, weights=(1.0,)), replace(BOT, weights=(2.0,)), replace(BOT, policy=rules.setup)]
    assert len({BOT.hash, *(other.hash for other in others)}) == 4


# --- Options ---------------------------------------------------------------------------------------------------------


class Options:
    count: int
    start: int
    stop: int
    mask: Annotated[NDArray[np.uint64], 8]


OPTIONS = records.dtype(Options)


@njit
def nth(options, k):  # type: ignore[no-untyped-def]
    return nth_option(options, k)


@njit
def among(options, action):  # type: ignore[no-untyped-def]
    return is_legal(options, action)


def random_options(dice: random.Random, start: int, words: int):  # type: ignore[no-untyped-def]
    """Options in `words` words from `start` on, some of them empty; the words outside hold what is left of others."""
    options = records.zero(OPTIONS)
    for word in range(8):
        some, one = dice.getrandbits(64) & dice.getrandbits(64), 1 << dice.randrange(64)
        options.mask[word] = dice.choice((0, some, some, one, 2**64 - 1))
    options.start, options.stop = start, start + words
    used = range(64 * start, 64 * (start + words))
    actions = [action for action in used if int(options.mask[action // 64]) >> action % 64 & 1]
    options.count = len(actions)
    return options, actions


@pytest.mark.engine
@pytest.mark.parametrize("words", range(1, 7))
def test_options_are_counted_in_the_order_of_the_actions(words: int) -> None:
    dice = random.Random(words)
    for start in range(9 - words):
        for _ in range(6):
            options, actions = random_options(dice, start, words)
            assert [nth(options, k) for k in range(len(actions))] == actions


@pytest.mark.engine
@pytest.mark.parametrize("words", [1, 2, 5])
def test_an_action_is_legal_if_it_is_an_option(words: int) -> None:
    dice = random.Random(words)
    for start in (0, 3):
        options, actions = random_options(dice, start, words)
        outside = [-1, -64, -(2**40), 512, 513, 2**40, 2**63 - 1, -(2**63)]
        for action in (*range(512), *outside):
            assert bool(among(options, action)) == (action in actions)
