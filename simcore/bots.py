"""Bots by name, so that a worker can turn a plan's words into policies.

Packages register theirs through the entry-point group `fairdeal.bots`: each point is a function without arguments that
calls `register`. A policy is an `@njit` function (public, me, cards, options, noise, mind) -> action. It is given what
its seat may see and nothing else, and returns one of the legal actions as an integer.

Beside the names of registered bots there are names that make a variant of one, or a bot from a file:

    expert~10           the expert, with one decision in ten at random (10 %)
    search:200          the search bot with 200 playouts a decision
    mine.py:cautious    the bot `cautious` of a Python file of the user's
    mine.toml           the bot whose weights are in that file (`simcore.weights`)

A Python file is run only by `admit`, for a name that the user has given, never because a run folder names it. A file of
weights is data, so `get` reads it too. Each file is read again when the user names it again, not in between.
"""

import hashlib
import importlib.util
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from simcore import weights as weights_files
from simcore.errors import InputError, shown
from simcore.game import unknown
from simcore.given import told
from simcore.once import once
from simcore.places import on_disk

TIERS = ("random", "simple", "noisy", "expert", "trained", "search")  # from weak to strong
COSTS = ("cheap", "dear")  # dear: a search bot, a thousand times slower than the others


@dataclass(frozen=True)
class Bot:
    """A named policy. `game` is the one game that it can play, None for a policy that plays any.

    `weights` go into `mind.weights` in this order; where a number of seats has weights of its own, in `seat_weights`,
    those do. `parameters` are their names. `text` says in a sentence what the bot does. A bot that searches has a
    budget of `playouts` a decision and a `reward` (`strategies.search.Reward`); its weights are those of the policy
    that plays in its playouts. `tremble` is the share of decisions that are random. `source` is a hash of the user's
    file that the bot comes from, else empty.
    """

    name: str
    game: str | None
    tier: str
    text: str
    policy: Callable[..., Any]
    weights: tuple[float, ...] = ()
    cost: str = "cheap"
    seat_weights: Mapping[int, tuple[float, ...]] = field(default_factory=dict, hash=False)
    playouts: int = 0
    reward: int = 0
    tremble: float = 0.0
    source: str = ""
    parameters: tuple[str, ...] = ()

    def weights_for(self, seats: int) -> tuple[float, ...]:
        """The weights at a table of so many seats."""
        return self.seat_weights.get(seats, self.weights)

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names of the weights: those of the parameters, or numbers from 0 where they have no names."""
        return self.parameters or tuple(map(str, range(len(self.weights))))

    @property
    def hash(self) -> str:
        """A short hash of what tells this bot from another of its name: policy and all weights."""
        words = f"{self.policy.__module__}.{self.policy.__qualname__}"
        content = words.encode() + np.asarray(self.weights, np.float64).tobytes()
        for seats, weights in sorted(self.seat_weights.items()):
            content += f" {seats} ".encode() + np.asarray(weights, np.float64).tobytes()
        if self.playouts:
            content += f" {self.playouts} playouts, reward {self.reward}".encode()
        if self.tremble:
            content += f" {self.tremble} at random".encode()
        content += self.source.encode()
        return hashlib.sha256(content).hexdigest()[:16]


_bots: dict[tuple[str | None, str], Bot] = {}
_admitted: dict[str, Bot] = {}


def register(bot: Bot) -> None:
    """Make a bot known. Raises ValueError for a name that is taken or a tier that does not exist."""
    if bot.tier not in TIERS or bot.cost not in COSTS:
        raise ValueError(f"bot {bot.name}: the tier is one of {TIERS}, the cost one of {COSTS}")
    if bot.parameters and any(len(bot.parameters) != len(found) for found in _all_weights(bot)):
        raise ValueError(f"bot {bot.name}: it names {len(bot.parameters)} parameters and has other numbers of weights")
    for game, name in _bots:
        if name == bot.name and (game is None or bot.game in (None, game)):
            raise ValueError(f"there already is a bot {name} for {game or 'every game'}")
    _bots[bot.game, bot.name] = bot


def _all_weights(bot: Bot) -> tuple[tuple[float, ...], ...]:
    return tuple(found for found in (bot.weights, *bot.seat_weights.values()) if found)


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
    """The bot of this name for a game: a registered one, a variant of one, one of a weights file, or one from a Python
    file that was admitted.

    Raises InputError for an unknown name, with the nearest known ones, for a variant that makes no sense, and for a
    weights file that cannot be used.
    """
    known = {bot.name: bot for bot in available(game)}
    if name in known:
        return known[name]
    base, playouts, percent = _parts(name)
    if base != name:
        if _parts(base)[0] != base:
            raise InputError(f"bot {name}: a budget and a percentage stand there once each, as in search:200~5.")
        return _variant(get(game, base), name, playouts, percent)
    if _is_weights(name) and name not in _admitted:
        _admitted[name] = _from_weights(game, name)
    if _is_weights(name) and _admitted[name].game != game:
        raise InputError(f"weights file {name} is for {_admitted[name].game}, not for {game}.")
    if name in _admitted and _admitted[name].game in (None, game):
        return _admitted[name]
    if _file_of(name):
        raise InputError(f"bot {name} comes from a file, which is run only if you name the bot yourself with --bots.")
    raise InputError(f"{unknown('bot', name, list(known))} {told(name)}".rstrip())


def admit(game: str, name: str) -> Bot:
    """As `get`, for a name that the user has given: a file that it names is run, or read anew.

    Raises InputError as `get` does, and for a file that cannot be read or run, or holds no such bot.
    """
    base, _, _ = _parts(name)
    if _file_of(base):
        _admitted[base] = _from_file(game, *_file_of(base))
    if _is_weights(base):
        _admitted[base] = _from_weights(game, base)
    return get(game, name)


# --- Variants --------------------------------------------------------------------------------------------------------

# Digits in groups as Python reads them, and no more than any budget has.
_VARIANT = re.compile(
    r"(?P<base>.+?)(:(?P<playouts>[0-9]{1,18}(_[0-9]{1,18}){,5}))?(~(?P<percent>[0-9.]+))?", re.DOTALL
)
MOST_PLAYOUTS = 1_000_000
LONGEST_NAME = 4_096  # letters; a name can be a path


def _parts(name: str) -> tuple[str, str | None, str | None]:
    """The name of the bot, and as they are written a budget of playouts and a percentage of random decisions.

    Raises InputError for what can be no name.
    """
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(f"{shown(name)} is no name of a bot: at most {LONGEST_NAME:,} letters that can be printed.")
    found = _VARIANT.fullmatch(name)
    assert found is not None or not name
    return (found["base"], found["playouts"], found["percent"]) if found else (name, None, None)


def _variant(bot: Bot, name: str, playouts: str | None, percent: str | None) -> Bot:
    text, tier, budget, tremble = bot.text, bot.tier, bot.playouts, bot.tremble
    if playouts is not None:
        if not bot.playouts:
            raise InputError(f"bot {name}: {bot.name} does not search, so it has no budget of playouts.")
        budget = int(playouts)
        if not 1 <= budget <= MOST_PLAYOUTS:
            raise InputError(f"bot {name}: a budget is 1 to {MOST_PLAYOUTS:,} playouts a decision, not {budget:,}.")
        text = f"{text} Here at most {budget:,}."
    if percent is not None:
        share = _percent(percent)
        if share is None:
            raise InputError(f"bot {name}: what stands after ~ is a percentage above 0, 100 at most, not {percent}.")
        tremble, tier = share, "noisy"
        text = f"{text} {percent} % of its decisions are random."
    return replace(bot, name=name, text=text, tier=tier, playouts=budget, tremble=tremble)


def _percent(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value / 100 if 0 < value <= 100 else None


# --- Bots from a user's file -----------------------------------------------------------------------------------------


def bot(text: str, game: str | None = None, tier: str = "simple", weights: tuple[float, ...] = ()) -> Any:
    """Decorate a policy in a file of your own: `--bots mine.py:cautious` then plays the function `cautious`.

    `text` says in a sentence what the bot does; without a `game` it plays any. The function is compiled by numba, as
    `numba.njit` does; what it calls is best kept in the same file, since the compiled code is kept until that changes.
    Raises ValueError for a tier that does not exist.
    """
    if tier not in TIERS:
        raise ValueError(f"the tier of a bot is one of {TIERS}, not {tier!r}")

    def decorate(policy: Callable[..., Any]) -> Bot:
        return Bot(policy.__name__, game, tier, text, njit(policy), weights)

    return decorate


def _file_of(name: str) -> tuple[str, ...]:
    """The path and the bot's own name, of a name that stands for a bot from a file; else nothing."""
    path, _, attribute = name.rpartition(":")
    return (path, attribute) if path.endswith(".py") else ()


def file_in(name: str) -> str:
    """The path of the user's file that the bot of this name comes from, as the name gives it; empty if from none."""
    base, _, _ = _parts(name)
    return base if _is_weights(base) else "".join(_file_of(base)[:1])


def _from_file(game: str, path: str, attribute: str) -> Bot:
    """The bot of a file, named by its path and its own name. Running the file is what the user asked for."""
    name, file = f"{path}:{attribute}", on_disk(path, "the file of a bot")
    try:
        source = file.read_bytes()
    except OSError as error:
        raise InputError(f"bot {name}: {path} cannot be read ({error.strerror}).") from error
    found = vars(_module(file, source))
    made = {key: value for key, value in found.items() if isinstance(value, Bot)}
    if not made:
        raise InputError(f"bot {name}: {path} holds no bot. Decorate a function with fairdeal.bot.")
    if attribute not in made:
        raise InputError(f"{path}: {unknown('bot', attribute, list(made))}")
    if made[attribute].game not in (None, game):
        raise InputError(f"bot {name} plays {made[attribute].game}, not {game}.")
    return replace(made[attribute], name=name, source=digest(source))


def digest(source: bytes) -> str:
    """A short hash of a user's file."""
    return hashlib.sha256(source).hexdigest()[:16]


def _module(file: Path, source: bytes) -> Any:
    """The module of a file, run once for each content of it."""
    name = f"fairdeal_bots_{digest(str(file.resolve()).encode() + source)}"
    if name not in sys.modules:
        specification = importlib.util.spec_from_file_location(name, file)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        sys.modules[name] = module
        try:
            specification.loader.exec_module(module)
        except Exception as error:
            del sys.modules[name]
            raise InputError(f"{file} cannot be run as Python: {type(error).__name__}: {error}") from error
    return sys.modules[name]


# --- Bots of a weights file ------------------------------------------------------------------------------------------


def _is_weights(name: str) -> bool:
    return name.endswith(weights_files.SUFFIX)


def _from_weights(game: str, path: str) -> Bot:
    """The bot whose weights a file gives. Its name is the path as it was given."""
    file = weights_files.read(path)
    if file.game != game:
        raise InputError(f"weights file {path} is for {file.game}, not for {game}.")
    if _is_weights(file.bot):
        raise InputError(f"weights file {path}: bot is the bot whose policy plays, not another file.")
    try:
        base = get(game, file.bot)
    except InputError as error:
        raise InputError(f"weights file {path}: {error}") from error
    if not base.weights:
        raise InputError(f"weights file {path}: the bot {file.bot} has no weights.")
    names = base.parameter_names
    common = weights_files.in_order(path, "weights", file.weights, names)
    seats = {
        number: weights_files.in_order(path, f"seats.{number}", weights, names)
        for number, weights in file.seats.items()
    }
    text = f"{base.text} Here with the weights of {path}."
    tier = "trained" if base.cost == "cheap" else base.tier
    return replace(base, name=path, text=text, tier=tier, weights=common, seat_weights=seats)
