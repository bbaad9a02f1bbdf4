"""A ladder in one call: bots of all tiers play each other and themselves, and their games are analysed.

Quick bots and search bots have a plan each, so that the many games of the quick ones do not wait for the dear ones.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from analysis import ladder_folder
from analysis.ladder import Ladder, analyse
from analysis.ladder_folder import SpeedEntry, open_ladder
from simcore import batch, request
from simcore import bots as bot_registry
from simcore import game as game_registry
from simcore.batch import Progress
from simcore.bots import Bot
from simcore.cardset import CardSet
from simcore.errors import InputError
from simcore.places import place
from simcore.plan import Cost, Plan, make_plan
from simcore.play import Table
from simcore.request import Cards, Names

GAMES = 10_000
"""Games of a line-up of quick bots where none are asked for."""
SHARE, FEWEST = 100, 100
"""A line-up with a search bot plays the hundredth part of that, and at least a hundred games where so many are asked
for: a search bot is a thousand times slower and more.
"""
TREMBLE, PLAYOUTS = 10, 50
"""By default the expert also plays with so many per cent of random decisions, and the search bot with so many playouts
a decision.
"""
SHARDS = 25
"""A line-up with a search bot is cut into so many shards at least: its games take seconds, and a stop should lose few.
"""
LONG_ENOUGH = 0.2
"""Seconds of CPU time over which a bot's decisions are timed."""


@dataclass(frozen=True)
class LadderPlan:
    """What a ladder plays: a plan for line-ups of quick bots, and one for those with a search bot, by cost; only those
    that have line-ups. `bots` are all names, weak tiers first.
    """

    bots: tuple[str, ...]
    plans: dict[Cost, Plan]

    @cached_property
    def first(self) -> Plan:
        """A plan, for what all have in common."""
        return next(iter(self.plans.values()))

    @property
    def games(self) -> int:
        """The number of games of all plans."""
        return sum(plan.games for plan in self.plans.values())


def default_bots(game: str) -> tuple[str, ...]:
    """The bots of a game's ladder: of each tier the first that is registered, and all simple ones; the expert with a
    trembling hand is the noisy one, and the search bot has a small budget.
    """
    by_tier: dict[str, list[Bot]] = {}
    for bot in bot_registry.available(game):
        by_tier.setdefault(bot.tier, []).append(bot)

    def first(tier: str) -> list[str]:
        return [bot.name for bot in by_tier.get(tier, [])[:1]]

    return (
        *first("random"),
        *(bot.name for bot in by_tier.get("simple", [])),
        *(f"{name}~{TREMBLE}" for name in first("expert")),
        *first("expert"),
        *first("trained"),
        *(f"{name}:{PLAYOUTS}" for name in first("search")),
    )


def plan(
    game: str,
    bots: Names | None = None,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
) -> LadderPlan:
    """What a ladder plays: every two of the bots, and each against itself; line-ups as in `simcore.request.pairings`.

    `games` counts for line-ups of quick bots; those with a search bot play the hundredth part, but a hundred games at
    least, or `games` where that is less. Raises InputError for anything that the game does not know or allow, and for
    fewer than two bots.
    """
    declared = game_registry.get(game)
    card_set = request.load_cards(game, cards)
    places = request.seats_of(declared, seats)
    names = tuple(dict.fromkeys(request.split_names(default_bots(declared.name) if bots is None else bots)))
    found = {name: bot_registry.admit(declared.name, name) for name in names}
    if len(names) < 2:
        raise InputError(f"a ladder needs at least two different bots, not {', '.join(names)} alone.")
    if places < 2:
        raise InputError(f"{declared.title} with one seat has no ladder: its bots never meet.")
    asked = GAMES if games is None else games
    counts: dict[Cost, int] = {"cheap": asked, "dear": max(asked // SHARE, min(asked, FEWEST))}
    order = sorted(names, key=lambda name: bot_registry.TIERS.index(found[name].tier))
    line_ups = [(name,) * places for name in order] + request.pairings(order, places)
    plans: dict[Cost, Plan] = {}
    for cost, count in counts.items():
        mine = [line_up for line_up in line_ups if _cost(line_up, found) == cost]
        if mine:
            plans[cost] = _plan(card_set, places, mine, count, seed, cost)
    return LadderPlan(tuple(order), plans)


def _cost(line_up: Iterable[str], bots: Mapping[str, Bot]) -> Cost:
    return "dear" if any(bots[name].cost == "dear" for name in line_up) else "cheap"


def _plan(
    card_set: CardSet, seats: int, line_ups: Sequence[tuple[str, ...]], games: int, seed: int, cost: Cost
) -> Plan:
    names = tuple(dict.fromkeys(name for line_up in line_ups for name in line_up))
    made = make_plan(
        game=card_set.game,
        card_set=card_set,
        seats=seats,
        bots=names,
        line_ups=tuple(tuple(names.index(name) for name in line_up) for line_up in line_ups),
        games=games,
        seed=seed,
        log="games",
        cost=cost,
    )
    if cost == "cheap":
        return made
    return replace(made, blocks_per_shard=min(made.blocks_per_shard, max(1, made.blocks // SHARDS)))


def play(
    made: LadderPlan,
    out: str | Path,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Path:
    """Play what is missing of a ladder into the folder `out` and return it; then time the decisions of its bots.

    `threads`, `resume` and `progress` are as in `simcore.batch.run`; the progress is that of one run after the other,
    as they take such different times, and in the end that of all. Raises InputError and JobError as it does, and
    InputError if `out` holds other things.
    """
    folder = place(out)
    ladder_folder.refuse(folder, made.plans)
    folders = {cost: folder / ladder_folder.RUNS[cost] for cost in made.plans}
    # Whatever cannot be written or gone on with is refused before anything is played.
    for cost, plan_ in made.plans.items():
        batch.run(plan_, folders[cost], resume=resume, blocks=0)
    begin, new = time.perf_counter(), 0
    for cost, plan_ in made.plans.items():
        last = _Last(progress)
        batch.run(plan_, folders[cost], threads=threads, resume=True, progress=last.note)
        new += last.new
    if new and progress is not None:
        progress(Progress(made.games, made.games, new, time.perf_counter() - begin))
    known = ladder_folder.read_speed(folder)
    missing = [name for name in made.bots if name not in known]
    if missing:
        ladder_folder.write_speed(folder, known | {name: speed(made.first, name) for name in missing})
    return folder


class _Last:
    """Hands on the progress of a run, and keeps how many games are new."""

    def __init__(self, show: Callable[[Progress], None] | None) -> None:
        self.show = show
        self.new = 0

    def note(self, now: Progress) -> None:
        """Take the progress."""
        self.new = now.new
        if self.show is not None:
            self.show(now)


def speed(plan_: Plan, bot: str) -> SpeedEntry:
    """How long a decision of a bot takes in self-play, rules of the game included: CPU time of this thread, at a table
    that has played already.
    """
    table = Table(plan_.game, plan_.card_set, plan_.seats, (bot,) * plan_.seats, plan_.seed)
    next(table.play(0, 1, "games"))
    decisions, seconds, first, blocks = 0, 0.0, 1, 1
    while seconds < LONG_ENOUGH:
        begin = time.thread_time()
        played = list(table.play(first, first + blocks, "games"))
        seconds += time.thread_time() - begin
        decisions += sum(int(part.rows["decisions"].sum()) for part in played)
        first, blocks = first + blocks, 2 * blocks
    return {"microseconds": seconds / max(1, decisions) * 1e6, "decisions": decisions}


@dataclass(frozen=True)
class LadderStudy:
    """A ladder's folder and its analysis."""

    folder: Path
    ladder: Ladder

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in plain sentences, the most important first."""
        return tuple(verdict.text for verdict in self.ladder.verdicts)


def study(
    game: str,
    bots: Names | None = None,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    margin_points: float = 1.0,
    margin_share: float = 0.01,
) -> LadderStudy:
    """Play every two bots of a game against each other into `out`, by default a new folder under fairdeal-runs, and say
    who is stronger and what of the balance changes with skill.

    Arguments as for `plan` and `play`; the margins say up to where a difference does not matter to the designer: points
    of score, and a share of the wins. Raises InputError and JobError as these do.
    """
    made = plan(game, bots, games, cards, seats, seed)
    folder = play(made, request.new_run_folder(game) if out is None else out, threads, resume, progress)
    return LadderStudy(folder, analyse(open_ladder(folder), margin_points, margin_share, threads))
