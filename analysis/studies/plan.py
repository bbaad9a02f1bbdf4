"""How many games does an effect need? Bots play a pilot, whose deals tell; its folder is thrown away."""

import math
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.planning import SHARE, Planning, Wish, planning
from analysis.studies.compare import ARMS
from simcore import batch, request
from simcore import bots as bot_registry
from simcore import game as game_registry
from simcore.batch import Progress
from simcore.errors import InputError
from simcore.plan import FEWEST_SHARDS, Cost, Plan
from simcore.request import Cards, Names

DEALS: dict[Cost, int] = {"cheap": 2_000, "dear": 100}
"""Deals of a pilot where none are asked for: 2,000 tell a standard deviation to about 3 %."""
FEWEST_DEALS = 100
"""A smaller pilot is refused: it would say next to nothing."""
USUAL = {SHARE: 0.01, "points": 1.0}
"""The effects where none are asked for: the margins of a report."""

_EFFECT = re.compile(r"\s*(\d+\.?\d*|\.\d+)\s*(\S.*?)\s*")
_OF_SHARES = ("pp", "percentage point", "percentage points")


def study(
    game: str,
    cards: Cards | Sequence[Cards] | None = None,
    bots: Names | None = None,
    seats: int | None = None,
    effects: str | Sequence[str] = (),
    power: float = 0.9,
    games: int | None = None,
    deals: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Planning:
    """How many games it takes to find effects of a size, as in plan("lost-cities", effects=["0.5pp", "2 points"]), and
    what so many `games` a line-up would find.

    A pilot of so many `deals` is played, each bot against itself and every pair as in a balance report, with one card
    set, or with cards=[A, B] both on the same deals. Effects are percentage points of the wins or points of score; by
    default one of each. Raises InputError as `wish_of` and `plans` do, and JobError as `simcore.batch.run`.
    """
    wish = wish_of(game, effects, power, games)
    return result(plans(game, cards, bots, seats, deals, seed), wish, threads, progress)


def wish_of(game: str, effects: str | Sequence[str] = (), power: float = 0.9, games: int | None = None) -> Wish:
    """What is asked. Raises InputError for an unknown game, an effect that is no number with a unit, two of the same
    unit, a power outside 0.5 to 1, and a number of games below 1.
    """
    unit = game_registry.get(game).score_unit
    if not 0.5 <= power < 1:
        raise InputError(f"the power is from 0.5 to below 1, as in 0.9 (found nine times of ten), not {power}.")
    if games is not None and games < 1:
        raise InputError(f"the number of games must be at least 1, not {games}.")
    words = [effects] if isinstance(effects, str) else list(effects)
    found: dict[str, float] = {}
    for word in words:
        of, size = _effect(word, unit)
        if of in found:
            raise InputError(f"two effects have one unit ({', '.join(words)}). Allowed: one in pp, one in {unit}.")
        found[of] = size
    return Wish(found or {SHARE: USUAL[SHARE], unit: USUAL["points"]}, power, games)


def _effect(word: str, unit: str) -> tuple[str, float]:
    """The unit ("share" or that of the score) and the size of an effect."""
    match = _EFFECT.fullmatch(word)
    size = float(match[1]) if match else math.nan
    of_score = {unit, unit.removesuffix("s"), "point", "points"}
    if match and match[2] in _OF_SHARES and 0 < size <= 100:
        return SHARE, size / 100
    if match and match[2] in of_score and 0 < size < math.inf:
        return unit, size
    raise InputError(
        f"{word!r} is no effect. Allowed: a number above 0 with its unit, 1pp (percentage points of the wins, at most "
        f"100) or 0.5{'' if unit == 'points' else ' ' + unit + ' or 0.5'} points."
    )


def plans(
    game: str,
    cards: Cards | Sequence[Cards] | None = None,
    bots: Names | None = None,
    seats: int | None = None,
    deals: int | None = None,
    seed: int = 0,
) -> tuple[Plan, ...]:
    """The pilot: a plan of a balance report (`simcore.request.balance_plan`), or two that differ in their card set.

    Raises InputError as it does, for another number of card sets, and for a pilot of too few deals.
    """
    chosen = list(cards) if isinstance(cards, Sequence) and not isinstance(cards, str) else [cards]
    if not 1 <= len(chosen) <= 2:
        raise InputError(f"a pilot is of one card set, or of two that are compared, not of {len(chosen)}.")
    if deals is not None and deals < FEWEST_DEALS:
        raise InputError(f"a pilot of {deals} deals is too small. Allowed: at least {FEWEST_DEALS}.")
    places = request.seats_of(game_registry.get(game), seats)
    first = request.balance_plan(game, bots, places, chosen[0], places, seed)
    dear = any(bot_registry.admit(game, bot).cost == "dear" for bot in first.bots)
    wanted = deals or DEALS["dear" if dear else "cheap"]
    sets = [request.load_cards(game, one) for one in chosen]
    made = (request.balance_plan(game, bots, wanted * places, one, places, seed) for one in sets)
    # Small enough shards that all threads have work with any number of line-ups: the rate is measured.
    size = max(1, wanted // FEWEST_SHARDS)
    return tuple(replace(plan, blocks_per_shard=min(plan.blocks_per_shard, size)) for plan in made)


def result(
    made: tuple[Plan, ...], wish: Wish, threads: int | None = None, progress: Callable[[Progress], None] | None = None
) -> Planning:
    """Play a pilot in a temporary folder, and what it says. Raises InputError and JobError as `simcore.batch.run`."""
    games = sum(plan.games for plan in made)

    def get_ready(now: Progress) -> None:
        if progress is not None:
            progress(Progress(0, games, 0, now.seconds))

    workers = threads or batch.processors()
    with tempfile.TemporaryDirectory(prefix="fairdeal-plan-") as name:
        folder = Path(name)
        # One deal first: compiling the game is no part of the rate.
        warm = replace(made[0], games_per_line_up=made[0].seats, blocks_per_shard=1)
        batch.run(warm, folder / "warm", threads=threads, progress=get_ready)
        total = batch.Total(games, progress)
        begin, runs = time.perf_counter(), []
        for arm, plan in zip(ARMS, made, strict=False):
            runs.append(batch.run(plan, folder / arm, threads=threads, progress=total.note))
            total.finish(plan.games)
        rate = games / (time.perf_counter() - begin)
        return planning(runs, rate, workers, wish)
