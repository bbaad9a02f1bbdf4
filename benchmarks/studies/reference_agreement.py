"""Do the kernels of a game and its plain Python reference agree on every move of 20,000 random games?

A quarter of the games is played with the shipped card sets, the rest with random edited ones (200, or --sets);
line-ups of cheap bots take turns: all pairs, in Vaalbara at 2 to 5 seats, in Valletta and Lisboa at 2 to 4. After every
move all of the record, the legal options and the scores are compared, and what each seat's bot is given is rebuilt from
the events that the seat may see (tests/reference/lost_cities_agreement.py, vaalbara_agreement.py,
valletta_agreement.py, lisboa_agreement.py). Exits with 1 at a disagreement. Without --game all games are studied.

    python benchmarks/studies/reference_agreement.py --game vaalbara --games 20000 --sets 200 --processes 2
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from multiprocessing import get_context
from time import perf_counter
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from simcore import bots, cardset
from simcore.cardset import CardSet, Schema
from simcore.errors import FairdealError
from simcore.games.lisboa.cardset import SCHEMA as LISBOA
from simcore.games.lost_cities.cardset import SCHEMA as LOST_CITIES
from simcore.games.vaalbara.cardset import SCHEMA as VAALBARA
from simcore.games.valletta.cardset import SCHEMA as VALLETTA
from simcore.play import Table
from tests.reference import (
    lisboa,
    lisboa_agreement,
    lost_cities,
    lost_cities_agreement,
    vaalbara,
    vaalbara_agreement,
    valletta,
    valletta_agreement,
)
from tests.reference.lost_cities_agreement import Disagreement
from tests.simcore import lisboa_sets, lost_cities_sets, vaalbara_sets, valletta_sets

SHARE_OF_SHIPPED_SETS = 0.25
GAMES_OF_A_TASK = 2
SEED = 2024


BrokenRules = (lost_cities.BrokenRule, vaalbara.BrokenRule, valletta.BrokenRule, lisboa.BrokenRule)


@dataclass(frozen=True)
class Study:
    """What a game adds: its card sets, `edited_sets(number)`, its line-ups, and who follows a game of its kernels."""

    schema: Schema
    seats: tuple[int, ...]
    edited_sets: Callable[[int], list[CardSet]]
    witness: Callable[[Table], Any]

    @property
    def line_ups(self) -> list[tuple[str, ...]]:
        """Two bots taking turns along the seats, with each number of seats."""
        names = [bot.name for bot in bots.available(self.schema.game) if bot.cost == "cheap"]
        return [(pair * 3)[:seats] for pair in product(names, names) for seats in self.seats]


@dataclass(frozen=True)
class Task:
    """A few games of one line-up with one card set, numbered over the whole study."""

    card_set: CardSet
    bots: tuple[str, ...]
    games: range


@dataclass(frozen=True)
class Outcome:
    """What was compared, and what differed."""

    name: str
    games: int
    decisions: int
    capped: int
    disagreements: tuple[str, ...]


def edited_lost_cities(number: int) -> list[CardSet]:
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
    @given(lost_cities_sets.card_sets())
    def collect(card_set: CardSet) -> None:
        found.setdefault(card_set.hash, card_set)

    collect()
    return list(found.values())[:number]


def edited_vaalbara(number: int) -> list[CardSet]:
    """Random valid sets, the same in every run of the study."""
    return [vaalbara_sets.random_set(seed) for seed in range(number)]


def edited_valletta(number: int) -> list[CardSet]:
    """Random valid sets, the same in every run of the study."""
    return [valletta_sets.random_set(seed) for seed in range(number)]


def edited_lisboa(number: int) -> list[CardSet]:
    """Random valid sets, the same in every run of the study."""
    return [lisboa_sets.random_set(seed) for seed in range(number)]


STUDIES = {
    lost_cities_agreement.GAME: Study(LOST_CITIES, (2,), edited_lost_cities, lost_cities_agreement.Witness),
    vaalbara_agreement.GAME: Study(VAALBARA, (2, 3, 4, 5), edited_vaalbara, vaalbara_agreement.Witness),
    valletta_agreement.GAME: Study(VALLETTA, (2, 3, 4), edited_valletta, valletta_agreement.Witness),
    lisboa_agreement.GAME: Study(LISBOA, (2, 3, 4), edited_lisboa, lisboa_agreement.Witness),
}


def tasks(study: Study, games: int, sets: int) -> list[Task]:
    """The whole study: card sets, so many of them edited, and line-ups in turn."""
    shipped = [cardset.load(study.schema, name) for name in study.schema.shipped]
    border = int(games * SHARE_OF_SHIPPED_SETS)
    return [
        *_tasks(range(border), shipped, study.line_ups),
        *_tasks(range(border, games), study.edited_sets(sets), study.line_ups),
    ]


def _tasks(games: range, sets: list[CardSet], line_ups: list[tuple[str, ...]]) -> Iterator[Task]:
    for number, start in enumerate(games[::GAMES_OF_A_TASK]):
        line_up = line_ups[(number // len(sets) + number) % len(line_ups)]
        yield Task(sets[number % len(sets)], line_up, range(start, min(start + GAMES_OF_A_TASK, games.stop)))


def check(task: Task) -> Outcome:
    """Play and compare the games of a task."""
    game_name, seats = task.card_set.game, len(task.bots)
    table = Table(game_name, task.card_set, seats, task.bots, SEED)
    decisions, capped, disagreements = 0, 0, []
    for game in task.games:
        deal, rotation = divmod(game, seats)
        witness = STUDIES[game_name].witness(table)
        try:
            for _ in witness.follow(deal, rotation):
                decisions += 1
            capped += witness.match.table.result()["truncated"]
        except (Disagreement, FairdealError, *BrokenRules) as difference:
            where = (
                f"{task.card_set.name}, {' against '.join(task.bots)}, seed {SEED}, deal {deal}, rotation {rotation}"
            )
            disagreements.append(f"{where}, after {len(witness.events)} events:\n{difference}")
    return Outcome(task.card_set.name, len(task.games), decisions - len(task.games), capped, tuple(disagreements))


def report(outcomes: Iterable[Outcome], shipped: tuple[str, ...], expected: int) -> int:
    """Print the sums as they come and, at the end, the result. Returns the number of disagreements."""
    games, decisions, capped, found = Counter[str](), Counter[str](), Counter[str](), 0
    begin = last = perf_counter()
    for outcome in outcomes:
        name = outcome.name if outcome.name in shipped else "edited"
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
        capped_games = f", {capped[name]:,} games with a capped round" if capped.total() else ""
        print(f"{name}: {games[name]:,} games, {decisions[name]:,} decisions{capped_games}")
    seconds = perf_counter() - begin
    print(f"all: {games.total():,} games, {decisions.total():,} decisions, {found} disagreements ({seconds:.0f} s)")
    return found


def main() -> int:
    """Run the study; 1 if anything differed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(STUDIES), help="the game to study; all if left out")
    parser.add_argument("--games", type=int, default=20_000, help="how many of each game")
    parser.add_argument("--sets", type=int, default=200, help="how many edited card sets of each game")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    names = [arguments.game] if arguments.game else list(STUDIES)
    return int(sum(run(STUDIES[name], arguments) for name in names) > 0)


def run(study: Study, asked: argparse.Namespace) -> int:
    """One game's study. Returns the number of disagreements."""
    work = tasks(study, asked.games, asked.sets)
    sets = len({task.card_set.hash for task in work})
    line_ups = len({task.bots for task in work})
    print(f"{study.schema.title}: {sets} card sets, {line_ups} line-ups", flush=True)
    check(work[0])  # compiles, so that the workers find the code on disk
    with ProcessPoolExecutor(asked.processes, get_context("spawn")) as pool:
        return report(pool.map(check, work, chunksize=5), study.schema.shipped, asked.games)


if __name__ == "__main__":
    sys.exit(main())
