"""From a person's words to a plan: names of bots become line-ups, a name or a folder a card set, counts a plan.

The command line and the Python face both go this way, so equal words give equal plans.
"""

import itertools
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from simcore import bots as bot_registry
from simcore import cardset
from simcore import game as game_registry
from simcore.cardset import CardSet
from simcore.errors import InputError
from simcore.plan import Cost, LogLevel, Plan, PlanPart, make_plan

if TYPE_CHECKING:
    from simcore.batch import Progress
    from simcore.bots import Bot
    from simcore.game import Game
    from simcore.runlog import Run

Names = str | Sequence[str]  # "a,b" or ("a", "b")
Cards = str | os.PathLike[str] | CardSet  # a shipped set's name, a path, or a set that is loaded already

RUNS = "fairdeal-runs"
# Games per line-up where none are asked for; a search bot is a thousand times slower than the others.
GAMES: dict[Cost, int] = {"cheap": 200_000, "dear": 2_000}
# A balance report shows how a verdict changes with skill, so by default one bot of each of these tiers plays: the first
# that its game or package has registered. Search bots are too slow to be a default.
TIERS_OF_BALANCE = ("random", "simple", "expert", "trained")
MOST_LOOK_SHARDS = 256  # shards of a line-up in a run that is looked at on the way


def describe_games() -> list[dict[str, object]]:
    """What can be played, a plain dict a game: name, title, seats, card sets (the default first), bots."""
    return [_described(game_registry.get(name)) for name in game_registry.names()]


def _described(game: "Game") -> dict[str, object]:
    bots = [{"name": bot.name, "tier": bot.tier, "text": bot.text} for bot in bot_registry.available(game.name)]
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "card_sets": card_set_names(game),
        "bots": bots,
    }


def card_set_names(game: "Game") -> list[str]:
    """The names of a game's shipped card sets, the default one first."""
    return sorted(game.schema.shipped, key=lambda name: name != game.default_card_set)


def load_cards(game: str, cards: Cards | None = None) -> CardSet:
    """A card set of a game: a shipped one by name (the default one if none is given), or a folder or
    a workbook by its path.

    Raises InputError for an unknown game, CardSetError with all problems of the card set.
    """
    declared = game_registry.get(game)
    if isinstance(cards, CardSet):
        if cards.game != declared.name:
            raise InputError(f"{cards.name} is a card set of {cards.game}, not of {declared.name}.")
        return cards
    return cardset.load(declared.schema, declared.default_card_set if cards is None else cards)


def simulation_plan(
    game: str,
    bots: Names,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
    log: LogLevel = "cards",
) -> Plan:
    """The plan in which the named bots meet: two names play each other, one name or the same name twice plays itself,
    and of more names every pair plays.

    `games` counts per line-up and is rounded up to whole blocks; without it they are 200,000,
    or 2,000 where a search bot plays.
    Raises InputError for anything that the game does not know or allow.
    """
    declared = game_registry.get(game)
    names = tuple(dict.fromkeys(split_names(bots)))
    places = seats_of(declared, seats)
    line_ups = pairings(names, places) if len(names) > 1 else [names * places]
    return _plan(declared, line_ups, games, cards, places, seed, log)


def balance_plan(
    game: str,
    bots: Names | None = None,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
    log: LogLevel = "cards",
) -> Plan:
    """The plan of a balance report: each bot against itself, and every pair. Without names, `default_bots` play.

    `games` and errors as for `simulation_plan`.
    """
    declared = game_registry.get(game)
    names = tuple(dict.fromkeys(split_names(default_bots(game) if bots is None else bots)))
    places = seats_of(declared, seats)
    line_ups = [(name,) * places for name in names] + pairings(names, places)
    return _plan(declared, line_ups, games, cards, places, seed, log)


def balance_plans(
    game: str,
    bots: Names | None = None,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
) -> tuple[Plan, ...]:
    """The plans of a balance report for every number of seats that the game allows, or for `seats` alone.

    Each is that of `balance_plan`, which says what the arguments mean and what errors are raised.
    """
    card_set = load_cards(game, cards)
    return tuple(balance_plan(game, bots, games, card_set, count, seed) for count in seat_counts(game, seats))


def comparison_plans(
    game: str,
    cards: Sequence[Cards],
    bots: Names | None = None,
    games: int | None = None,
    seats: int | None = None,
    seed: int = 0,
    log: LogLevel = "cards",
    first_look: int | None = None,
) -> tuple[Plan, Plan]:
    """The two plans of a comparison, equal but for the card set: those of `balance_plan`.

    `cards` are two sets, or one to be compared with the game's first. `first_look`: the plans are to be looked at on
    the way, for the first time after so many blocks, so their shards are small enough for that. Raises InputError as
    `balance_plan` does, and for any other number of sets.
    """
    if not 1 <= len(cards) <= 2:
        raise InputError(
            f"A comparison is of two card sets, not {len(cards)}: --cards A --cards B, or --cards B to compare it with "
            "the game's first."
        )
    sets = [load_cards(game, one) for one in (cards if len(cards) == 2 else (None, *cards))]
    base, variant = (balance_plan(game, bots, games, one, seats, seed, log) for one in sets)
    if first_look is not None:
        size = min(base.blocks_per_shard, max(first_look, -(-base.blocks // MOST_LOOK_SHARDS)))
        base, variant = (replace(plan, blocks_per_shard=size) for plan in (base, variant))
    return base, variant


def simulate(
    game: str,
    bots: Names,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
    log: LogLevel = "cards",
    out: str | Path | None = None,
    threads: int | None = None,
    resume: bool = False,
    progress: "Callable[[Progress], None] | None" = None,
    part: str | None = None,
) -> "Run":
    """Play the plan of `simulation_plan` into the run folder `out`, by default a new one under fairdeal-runs.

    `part` is that of `plan_part`: "2/5" plays the second of five ranges of deals. `threads`, `resume` and `progress`
    are those of `simcore.batch.run`. Raises InputError and JobError as both do.
    """
    from simcore import batch  # polars: what only makes plans need not wait for it

    plan = simulation_plan(game, bots, games, cards, seats, seed, log)
    folder = new_run_folder(plan.game) if out is None else out
    its_part = None if part is None else plan_part(part)
    return batch.run(plan, folder, threads=threads, resume=resume, progress=progress, part=its_part)


def plan_part(words: str) -> PlanPart:
    """The part of a plan that "2/5" names: the second of five ranges of its deals. Raises InputError for others."""
    number, slash, parts = words.partition("/")
    if not (slash and number.strip().isdecimal() and parts.strip().isdecimal()):
        raise InputError(f"{words!r} names no part of a plan. Allowed: 2/5, for the second of five parts.")
    return int(number), int(parts)


def _plan(
    game: "Game",
    line_ups: Sequence[tuple[str, ...]],
    games: int | None,
    cards: Cards | None,
    seats: int,
    seed: int,
    log: LogLevel,
) -> Plan:
    names = tuple(dict.fromkeys(name for line_up in line_ups for name in line_up))
    cost: Cost = "dear" if any(_bot(game, name).cost == "dear" for name in names) else "cheap"
    return make_plan(
        game=game.name,
        card_set=load_cards(game.name, cards),
        seats=seats,
        bots=names,
        line_ups=tuple(tuple(names.index(name) for name in line_up) for line_up in line_ups),
        games=GAMES[cost] if games is None else games,
        seed=seed,
        log=log,
        cost=cost,
    )


def _bot(game: "Game", name: str) -> "Bot":
    return bot_registry.admit(game.name, name)


def default_bots(game: str) -> tuple[str, ...]:
    """The bots of a balance report: the first registered one of each tier but search, weakest first."""
    first: dict[str, str] = {}
    for bot in bot_registry.available(game):
        first.setdefault(bot.tier, bot.name)
    return tuple(first[tier] for tier in TIERS_OF_BALANCE if tier in first)


def split_names(names: Names) -> tuple[str, ...]:
    """The names in "a,b", or in a list of them. Raises InputError for an empty one."""
    words = names.split(",") if isinstance(names, str) else names
    stripped = tuple(word.strip() for word in words)
    if not stripped or not all(stripped):
        raise InputError(f"bots are named with commas between them, as in uniform,expert; not {names!r}.")
    return stripped


def opponents(game: str, names: Names, others: int) -> tuple[str, ...]:
    """Who sits in the other seats: one name for all of them, or one for each.

    Raises InputError for any other number of names, and for a bot that the game does not know.
    """
    named = split_names(names)
    if len(named) not in (1, others):
        allowed = "one bot" if others == 1 else f"one bot, or {others}"
        raise InputError(f"{len(named)} bots are named against you. Allowed: {allowed}.")
    for name in named:
        bot_registry.admit(game, name)
    return named if len(named) == others else named * others


def seats_of(game: "Game", seats: int | None) -> int:
    """The number of seats to play with.

    Raises InputError if the game does not allow it, or allows several and none is given.
    """
    *few, most = map(str, game.seats)
    allowed = f"{', '.join(few)} or {most}" if few else most
    if seats is None:
        if len(game.seats) > 1:
            raise InputError(f"{game.title} is played by {allowed}: say how many seats (--seats).")
        return game.seats[0]
    if seats not in game.seats:
        raise InputError(f"{game.title} cannot be played with {seats} seats. Allowed: {allowed}.")
    return seats


def seat_counts(game: str, seats: int | None) -> tuple[int, ...]:
    """The numbers of seats to play with: the one that is given, else all that the game allows."""
    return game_registry.get(game).seats if seats is None else (seats,)


def pairings(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """The line-ups in which every two of the names (all different) meet.

    With two seats a block plays both ways round, so a pair is one line-up. With more, each of the two is once alone
    in a field of the other; the rotations of a block bring the one to every seat.
    """
    line_ups: list[tuple[str, ...]] = []
    for one, other in itertools.combinations(names, 2):
        line_ups.append((one, *[other] * (seats - 1)))
        if seats > 2:
            line_ups.append((other, *[one] * (seats - 1)))
    return line_ups


def new_run_folder(game: str) -> Path:
    """A folder under fairdeal-runs that does not exist yet, named by the game and the time."""
    stem = Path(RUNS) / f"{game}-{datetime.now():%Y-%m-%d-%H%M%S}"
    later = (stem.with_name(f"{stem.name}-{number}") for number in itertools.count(2))
    return next(folder for folder in itertools.chain([stem], later) if not folder.exists())
