"""Environments for learning programs: any game as a PettingZoo environment. PettingZoo is optional: `fairdeal[env]`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from simcore import bots as bot_registry
from simcore import game as games
from simcore.errors import InputError
from simcore.observation import Layout
from simcore.request import Cards, load_cards, seats_of

if TYPE_CHECKING:
    from pettingzoo import AECEnv

Reward = Literal["margin", "wins", "points"]
PLACEHOLDER = "uniform"  # sits in for an agent, and is never asked


def env(
    game: str,
    seats: int | None = None,
    cards: Cards | None = None,
    bots: Mapping[int, str] | None = None,
    reward: Reward = "margin",
    seed: int = 0,
) -> "AECEnv":
    """A game as a PettingZoo AEC environment, with an agent `seat_N` in each seat that has none of the `bots`.

    An observation is {"observation": what the seat knows, a number each of `observation_names(game)`, int32;
    "action_mask": 1 for each legal action, int8}. Decisions without a choice are made for the agents, as they are for
    bots. At the end of a game each agent is given its reward: `margin`, its points less the mean of the others';
    `wins`, its share of the win (1, 0, or a part of a tie); `points`. An illegal action ends the game with -1 for who
    chose it and 0 for the others.

    `reset()` deals the next deal of the seed; `reset(seed=S)` deal 0 of another seed;
    `options={"deal": D, "rotation": R}` that deal, with the bots' dice of that rotation: the luck is that of
    `fairdeal simulate`.

    Raises InputError for what the game does not know or allow, and where PettingZoo is not installed.
    """
    declared = games.get(game)
    card_set, places = load_cards(game, cards), seats_of(declared, seats)
    named = dict(bots or {})
    for seat, name in named.items():
        if seat not in range(places):
            raise InputError(f"bot {name} cannot sit in seat {seat!r}: the seats are 0 to {places - 1}.")
        bot_registry.admit(game, name)
    if len(named) == places:
        raise InputError("there is a bot in every seat: leave at least one seat for an agent.")
    if reward not in get_args(Reward):
        raise InputError(games.unknown("reward", str(reward), list(get_args(Reward))))
    try:
        from simcore.aec import wrapped
    except ImportError as error:
        raise InputError(f"environments need PettingZoo: pip install 'fairdeal[env]' ({error}).") from error
    line_up = [named.get(seat, PLACEHOLDER) for seat in range(places)]
    agents = [seat for seat in range(places) if seat not in named]
    return wrapped(game, card_set, line_up, agents, reward, seed)


def observation_names(game: str) -> tuple[str, ...]:
    """What each number of an observation is: a field of the game's records, as `simcore/games/GAME/state.py` tells.

    A set of things is a number a thing, 0 or 1, named with a colon. Raises InputError for an unknown game.
    """
    return Layout(games.get(game)).names


def action_count(game: games.Game) -> int:
    """The actions of a game, legal or not: 64 a word of its options."""
    field: Any = game.options.fields
    return int(64 * np.prod(field["mask"][0].shape))
