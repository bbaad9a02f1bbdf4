"""What does the log cost: in time, in threads, in memory?

    python benchmarks/log_cost.py [--repeats 3] [--games 10M]

A logged run is all of `batch.run` on one thread: playing, tables, encoding, writing. An unlogged one only plays.
"""

import argparse
import io
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.timing import GIB, Findings, Times, apart, cpu, in_turns, ratio
from cli.options import Count
from simcore import batch, bots, game, request, tables
from simcore.manifest import make_manifest
from simcore.plan import LogLevel, Plan
from simcore.play import Table, play_shard

GAME = "lost-cities"
CARDS = "single_round"
LEVELS: tuple[LogLevel, ...] = ("games", "cards")  # moves are for a look at a few games
TRIAL = 2_000  # games that are played before a measurement: they load the compiled code


def plan_of(bot: str, games: int, log: LogLevel) -> Plan:
    """A bot against itself."""
    return request.simulation_plan(GAME, bot, games, CARDS, log=log)


def unlogged(plan: Plan) -> None:
    """Play all shards of a plan and keep nothing."""
    for shard in plan.shards():
        for _ in Table(plan.game, plan.card_set, plan.seats, shard.names, plan.seed).play(shard.first, shard.last):
            pass


def logged(plan: Plan, threads: int = 1) -> None:
    """Play a plan into a run folder that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        batch.run(plan, Path(folder) / "run", threads=threads)


def rates(bot: str, games: int, repeats: int) -> tuple[dict[str, Times], Times]:
    """CPU seconds of the logged runs by level, and of the unlogged one."""
    plans = {level: plan_of(bot, games, level) for level in LEVELS}
    contestants: dict[str, Callable[[], float]] = {
        level: partial(cpu, partial(logged, plan)) for level, plan in plans.items()
    }
    contestants["none"] = partial(cpu, partial(unlogged, plans["games"]))
    times = in_turns(contestants, repeats)
    return times, times.pop("none")


def encoding(repeats: int) -> dict[str, Times]:
    """CPU seconds to encode a shard's tables, and of polars writing the same tables to memory with its own settings."""
    plan = plan_of("uniform", 200_000, "cards")
    found = make_manifest(plan, game.get(GAME), [bots.get(GAME, name) for name in plan.bots])
    columns = tables.tables(found)
    frames = play_shard(plan.shard(0))

    def ours() -> None:
        for table, frame in frames.items():
            tables.encode(table, frame, columns[table])

    def bare(**settings: object) -> None:
        for frame in frames.values():
            frame.write_parquet(io.BytesIO(), **settings)

    like_ours = {"compression": "zstd", "compression_level": 1, "statistics": False}
    contestants = {"ours": ours, "bare": bare, "bare, our settings": partial(bare, **like_ours)}
    return in_turns({name: partial(cpu, work) for name, work in contestants.items()}, repeats)


def seconds(bot: str, games: int, threads: int) -> float:
    """Seconds by the clock of a run with the games log, once the compiled code is loaded."""
    logged(plan_of(bot, TRIAL, "games"))
    begin = time.perf_counter()
    logged(plan_of(bot, games, "games"), threads)
    return time.perf_counter() - begin


def add_threads(findings: Findings, games: int, repeats: int) -> None:
    """How much faster two threads are than one.

    Polars has a pool of threads of its own, by default one a processor: there it helps the one thread to encode. A
    pool of one shows what the threads do.
    """
    for pool, mark in (("1", 1.9), (None, None)):
        environment = {"POLARS_MAX_THREADS": pool} if pool else {}
        contestants = {str(threads): partial(in_process, environment, "uniform", games, threads) for threads in (1, 2)}
        times = in_turns(contestants, repeats)
        what = f"two threads against one, by the clock, polars' own pool {pool or 'as it is by default'}"
        findings.add(what, ratio(times["1"], times["2"]), "times", at_least=mark)


def in_process(environment: dict[str, str], *arguments: object) -> float:
    """`seconds` in a process of its own: polars reads the environment once."""
    return float(apart(seconds, *arguments, environment=environment).result)


def add_memory(findings: Findings, games: int) -> None:
    """The peak memory of a long run against that of one a tenth as long."""
    short, long = (apart(seconds, "uniform", count, 2).memory for count in (games // 10, games))
    findings.add(f"peak memory of {games // 10:,} games", short / GIB, "GiB")
    findings.add(f"peak memory of {games:,} games / the same", long / short, at_most=1.2)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    count = partial(Count().convert, param=None, ctx=None)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rate-games", type=count, default=count("100k"), help="games of a turn for rates")
    parser.add_argument("--games", type=count, default=count("10M"), help="games of the long run for memory")
    arguments = parser.parse_args()
    findings = Findings("The log: medians over the turns, CPU time unless said otherwise")
    marks = {("expert", "games"): 0.85, ("expert", "cards"): 0.65}
    for bot in ("expert", "uniform"):
        games = arguments.rate_games // (4 if bot == "expert" else 1)  # it thinks longer
        times, silent = rates(bot, games, arguments.repeats)
        for level, logged_times in times.items():
            found = ratio(silent, logged_times)
            findings.add(f"{bot}: rate with the {level} log / unlogged", found, at_least=marks.get((bot, level)))
    times = encoding(3 * arguments.repeats)
    findings.add("uniform: encoding / bare write_parquet", ratio(times["ours"], times["bare"]), at_most=1.3)
    bare = times["bare, our settings"]
    findings.add("uniform: encoding / bare write_parquet with our settings", ratio(times["ours"], bare), at_most=1.3)
    add_threads(findings, 5 * arguments.rate_games, arguments.repeats)
    add_memory(findings, arguments.games)
    findings.show()


if __name__ == "__main__":
    main()
