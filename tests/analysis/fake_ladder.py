"""Folders of ladders whose truth is known: made-up runs (tests.analysis.fake_run) of quick bots and of a search bot."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis import ladder_folder
from analysis.ladder_folder import LadderRuns, SpeedEntry, open_ladder
from tests.analysis.fake_run import FakeBot, FakeRun
from tests.analysis.fake_run import write as write_run

QUICK = (
    FakeBot("uniform", "random", 0.0, turns=143.0),
    FakeBot("heuristic", "simple", 6.0, turns=45.0),
    FakeBot("expert~10", "noisy", 6.2, turns=60.0),
    FakeBot("expert", "expert", 12.0, turns=47.0),
)
SEARCH = FakeBot("search:50", "search", 14.0, turns=46.0)
SPEED: dict[str, SpeedEntry] = {
    "uniform": {"microseconds": 0.05123, "decisions": 4_000_000},
    "heuristic": {"microseconds": 0.0612, "decisions": 3_000_000},
    "expert~10": {"microseconds": 0.8, "decisions": 300_000},
    "expert": {"microseconds": 0.9, "decisions": 300_000},
    "search:50": {"microseconds": 4321.0, "decisions": 120},
}


@dataclass(frozen=True)
class FakeLadder:
    """What to make up: blocks of a line-up of quick bots, and of one with the search bot (None for no such bot)."""

    quick: tuple[FakeBot, ...] = QUICK
    search: FakeBot | None = SEARCH
    blocks: int = 600
    few: int = 60
    seats: int = 2
    first_points: float = 2.0
    seed: int = 1
    shards: int | None = None  # only the first so many shards of each run are finished


def write(folder: Path, fake: FakeLadder, speed: Mapping[str, SpeedEntry] = SPEED) -> LadderRuns:
    """Write the folder of a ladder and open it."""
    runs = {"cheap": _run(fake, fake.quick, _line_ups(range(len(fake.quick)), fake.seats), fake.blocks)}
    if fake.search is not None:
        bots = (*fake.quick, fake.search)
        mine = [up for up in _line_ups(range(len(bots)), fake.seats) if len(fake.quick) in up]
        runs["dear"] = _run(fake, bots, mine, fake.few)
    for cost, run in runs.items():
        write_run(folder / ladder_folder.RUNS[cost], run, fake.shards)  # type: ignore[index]
    ladder_folder.write_speed(folder, {name: entry for name, entry in speed.items() if fake.search or ":" not in name})
    return open_ladder(folder)


def _run(fake: FakeLadder, bots: Sequence[FakeBot], line_ups: Sequence[tuple[int, ...]], blocks: int) -> FakeRun:
    return FakeRun(
        blocks=blocks, bots=tuple(bots), line_ups=tuple(line_ups), seats=fake.seats, first_points=fake.first_points,
        seed=fake.seed, blocks_per_shard=max(1, blocks // 2), log="games",
    )  # fmt: skip


def _line_ups(bots: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    pairs = itertools.combinations(bots, 2) if seats == 2 else itertools.permutations(bots, 2)
    return [*((bot,) * seats for bot in bots), *((one, *[other] * (seats - 1)) for one, other in pairs)]
