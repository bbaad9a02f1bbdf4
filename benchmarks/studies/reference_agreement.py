"""Do the kernels of Lost Cities and the plain Python reference agree on every move of 20,000 random games?

A quarter of the games is played with the shipped card sets, the rest with 200 random edited ones; all pairs of cheap
bots take turns. After every move all of the record, the legal options and the scores are compared, and what each seat's
bot is given is rebuilt from the events that the seat may see (tests/reference/lost_cities_agreement.py). Exits with 1
at a disagreement.

    python benchmarks/studies/reference_agreement.py --games 20000 --processes 2
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from multiprocessing import get_context
from time import perf_counter

from hypothesis import HealthCheck, Phase, given, settings

from simcore import bots, cardset
from simcore.cardset import CardSet
from simcore.errors import FairdealError
from simcore.games.lost_cities.cardset import SCHEMA
from simcore.play import Table
from tests.reference.lost_cities import BrokenRule
from tests.reference.lost_cities_agreement import GAME, Disagreement, Witness
from tests.simcore.lost_cities_sets import card_sets

EDITED_SETS = 200
SHARE_OF_SHIPPED_SETS = 0.25
GAMES_OF_A_TASK = 10
SEED = 2024


@dataclass(frozen=True)
class Task:
    """A few games of one line-up with one card set, numbered over the whole study."""

    card_set: CardSet
    bots: tuple[str, str]
    games: range


@dataclass(frozen=True)
class Outcome:
    """What was compared, and what differed."""

    name: str
    games: int
    decisions: int
    capped: int
    disagreements: tuple[str, ...]


def edited_sets(number: int) -> list[CardSet]:
    """Random valid sets of 1 to 6 colours and up to 20 cards a colour, the same in every run of the study."""
    found: dict[str, CardSet] = {}

    @settings(
        max_examples=2 * number,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(card_sets())
    def collect(card_set: CardSet) -> None:
        found.setdefault(card_set.hash, card_set)

    collect()
    return list(found.values())[:number]


def tasks(games: int) -> list[Task]:
    """The whole study: card sets and line-ups in turn."""
    names = [bot.name for bot in bots.available(GAME) if bot.cost == "cheap"]
    pairs = list(product(names, names))
    shipped = [cardset.load(SCHEMA, name) for name in SCHEMA.shipped]
    border = int(games * SHARE_OF_SHIPPED_SETS)
    return [
        *_tasks(range(border), shipped, pairs),
        *_tasks(range(border, games), edited_sets(EDITED_SETS), pairs),
    ]


def _tasks(games: range, sets: list[CardSet], pairs: list[tuple[str, str]]) -> Iterator[Task]:
    for number, start in enumerate(games[::GAMES_OF_A_TASK]):
        pair = pairs[(number // len(sets) + number) % len(pairs)]
        yield Task(sets[number % len(sets)], pair, range(start, min(start + GAMES_OF_A_TASK, games.stop)))


def check(task: Task) -> Outcome:
    """Play and compare the games of a task."""
    table = Table(GAME, task.card_set, 2, task.bots, SEED)
    decisions, capped, disagreements = 0, 0, []
    for game in task.games:
        deal, rotation = divmod(game, 2)
        witness = Witness(table)
        try:
            for _ in witness.follow(deal, rotation):
                decisions += 1
            capped += witness.match.table.truncated
        except (Disagreement, BrokenRule, FairdealError) as difference:
            where = (
                f"{task.card_set.name}, {' against '.join(task.bots)}, seed {SEED}, deal {deal}, rotation {rotation}"
            )
            disagreements.append(f"{where}, after {len(witness.events)} events:\n{difference}")
    return Outcome(task.card_set.name, len(task.games), decisions - len(task.games), capped, tuple(disagreements))


def report(outcomes: Iterable[Outcome], expected: int) -> int:
    """Print the sums as they come and, at the end, the result. Returns the number of disagreements."""
    games, decisions, capped, found = Counter[str](), Counter[str](), Counter[str](), 0
    begin = last = perf_counter()
    for outcome in outcomes:
        name = outcome.name if outcome.name in SCHEMA.shipped else "edited"
        games[name] += outcome.games
        decisions[name] += outcome.decisions
        capped[name] += outcome.capped
        found += len(outcome.disagreements)
        for text in outcome.disagreements[:1]:
            print(text, flush=True)
        if perf_counter() - last > 60:
            last = perf_counter()
            print(f"{games.total():,} of {expected:,} games, {found} disagreements", flush=True)
    for name in games:
        print(
            f"{name}: {games[name]:,} games, {decisions[name]:,} decisions, {capped[name]:,} games with a capped round"
        )
    seconds = perf_counter() - begin
    print(f"all: {games.total():,} games, {decisions.total():,} decisions, {found} disagreements ({seconds:.0f} s)")
    return found


def main() -> int:
    """Run the study; 1 if anything differed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    work = tasks(arguments.games)
    sets = len({task.card_set.hash for task in work})
    print(f"{sets} card sets, {len({task.bots for task in work})} line-ups", flush=True)
    check(work[0])  # compiles, so that the workers find the code on disk
    with ProcessPoolExecutor(arguments.processes, get_context("spawn")) as pool:
        return int(report(pool.map(check, work), arguments.games) > 0)


if __name__ == "__main__":
    sys.exit(main())
