"""Bots by name, so that a worker can turn a plan's words into policies.

Packages register theirs through the entry-point group `fairdeal.bots`: each point is a function without arguments that
calls `register`. A policy is an `@njit` function (public, me, cards, options, noise, mind) -> action. It is given what
its seat may see and nothing else, and returns one of the legal actions as an integer.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Any

import numpy as np

from simcore.errors import InputError
from simcore.game import unknown
from simcore.once import once

TIERS = ("random", "simple", "expert", "trained", "search")  # from weak to strong
COSTS = ("cheap", "dear")  # dear: a search bot, a thousand times slower than the others


@dataclass(frozen=True)
class Bot:
    """A named policy. `game` is the one game that it can play, None for a policy that plays any.

    `weights` go into `mind.weights` in this order; where a number of seats has weights of its own, in `seat_weights`,
    those do. `text` says in a sentence what the bot does.
    """

    name: str
    game: str | None
    tier: str
    text: str
    policy: Callable[..., Any]
    weights: tuple[float, ...] = ()
    cost: str = "cheap"
    seat_weights: Mapping[int, tuple[float, ...]] = field(default_factory=dict, hash=False)

    def weights_for(self, seats: int) -> tuple[float, ...]:
        """The weights at a table of so many seats."""
        return self.seat_weights.get(seats, self.weights)

    @property
    def hash(self) -> str:
        """A short hash of what tells this bot from another of its name: policy and all weights."""
        words = f"{self.policy.__module__}.{self.policy.__qualname__}"
        content = words.encode() + np.asarray(self.weights, np.float64).tobytes()
        for seats, weights in sorted(self.seat_weights.items()):
            content += f" {seats} ".encode() + np.asarray(weights, np.float64).tobytes()
        return hashlib.sha256(content).hexdigest()[:16]


_bots: dict[tuple[str | None, str], Bot] = {}


def register(bot: Bot) -> None:
    """Make a bot known. Raises ValueError for a name that is taken or a tier that does not exist."""
    if bot.tier not in TIERS or bot.cost not in COSTS:
        raise ValueError(f"bot {bot.name}: the tier is one of {TIERS}, the cost one of {COSTS}")
    for game, name in _bots:
        if name == bot.name and (game is None or bot.game in (None, game)):
            raise ValueError(f"there already is a bot {name} for {game or 'every game'}")
    _bots[bot.game, bot.name] = bot


@once
def _load() -> None:
    for point in entry_points(group="fairdeal.bots"):
        point.load()()


def available(game: str) -> tuple[Bot, ...]:
    """All bots that can play a game, weakest tier first, in the order of registration within a tier."""
    _load()
    mine = [bot for (owner, _), bot in _bots.items() if owner in (None, game)]
    return tuple(sorted(mine, key=lambda bot: TIERS.index(bot.tier)))


def get(game: str, name: str) -> Bot:
    """The bot of this name for a game. Raises InputError for an unknown name, with the nearest known ones."""
    known = {bot.name: bot for bot in available(game)}
    if name not in known:
        raise InputError(unknown("bot", name, list(known)))
    return known[name]
