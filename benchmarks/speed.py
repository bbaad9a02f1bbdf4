"""How fast are silent games, against hand-tuned C++ (yardstick/) and OpenSpiel, on one thread?

    python benchmarks/speed.py [--repeats 9] [--open-spiel PYTHON]

Single rounds of Lost Cities through the generic loop, with bots by pointer and keyed deals. All contestants take turns;
the ratio of rates is taken turn by turn. Then: what the long game costs, and where the nanoseconds go.

OpenSpiel may be installed apart from fairdeal: --open-spiel, or OPEN_SPIEL in the environment, names the Python of that
place.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from benchmarks.timing import Findings, Times, command, cpu, in_turns, ratio
from simcore import cardset, game, loop
from simcore.play import Table
from simcore.traces import SILENT

HERE = Path(__file__).parent
# Those of the yardstick's README.
FLAGS = "-O3 -march=native -mtune=haswell -fno-tree-vectorize -fno-tree-slp-vectorize -std=c++17 -pthread"
SHARD = 8192  # blocks that are played in one go, as in a run
POLICIES = {"uniform": "random", "heuristic": "heuristic"}  # the yardstick's name of each bot
OPEN_SPIEL = ("hearts", "euchre", "crazy_eights")
SCHEMA = game.get("lost-cities").schema


class Sitting:
    """Contestants, and what they measured: CPU nanoseconds a round or, for OpenSpiel, an action."""

    def __init__(self, blocks: int) -> None:
        self.blocks = blocks
        self.contestants: dict[str, Callable[[], float]] = {}
        self.decisions: dict[str, float] = {}  # of a round
        self.times: dict[str, Times] = {}

    def add(self, name: str, table: Table, log: str | None = None) -> None:
        """Let a table play, always the same deals."""
        # A turn is a card action and a draw; one-turn rounds are short, so they play more of them.
        turns = np.mean([played.rows["turns"].mean() for played in table.play(0, 2000)])
        self.decisions[name] = 2 * float(turns)
        blocks = self.blocks if turns > 1 else 5 * self.blocks

        def play() -> None:
            for first in range(0, blocks, SHARD):
                for _ in table.play(first, min(first + SHARD, blocks), log):
                    pass

        self.contestants[name] = lambda: cpu(play) / (blocks * table.seats) * 1e9

    def per_decision(self, name: str) -> Times:
        """Nanoseconds a decision, forced ones included, the round's own costs spread over them."""
        return [time / self.decisions[name] for time in self.times[name]]


def table_of(bot: str, card_set: str = "single_round", **scalars: int) -> Table:
    """A bot against itself, with some numbers of the card set changed."""
    cards = cardset.load(SCHEMA, card_set)
    if scalars:
        cards = cardset.build(SCHEMA, "changed", {**cards.scalars, **scalars}, cards.tables)
    return Table("lost-cities", cards, 2, (bot, bot), seed=1)


def inlined(table: Table) -> Table:
    """The same table, with its bot compiled into the loop instead of called by pointer."""
    policy = njit(table.bots[0].policy.py_func)
    table.policies = (policy, policy)
    compiled = njit(nogil=True)(loop.play)
    ordinary = table.engine

    class Inlined:
        def loop(self, trace: np.dtype[Any]) -> Any:
            return compiled if trace == SILENT else ordinary.loop(trace)

    table.engine = Inlined()  # type: ignore[assignment]
    return table


def yardstick(folder: Path) -> Path | None:
    """Build the yardstick; None, with a word why, where that cannot be done."""
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None:
        print("No C++ compiler (g++, or what CXX names): there is no yardstick to compare with.")
        return None
    program = folder / "lc_yardstick"
    build = [compiler, *FLAGS.split(), "-o", str(program), str(HERE / "yardstick/lc_yardstick.cpp")]
    done = subprocess.run(build, capture_output=True, text=True)
    if done.returncode:
        print(f"The yardstick cannot be built here (it needs an x86-64 processor with BMI2):\n{done.stderr}")
        return None
    return program


def yardstick_round(program: Path, policy: str, rounds: int) -> float:
    """CPU nanoseconds a round of the yardstick, by its own clock: one thread, one round at a time."""
    printed = command([str(program), policy, str(rounds), "1", "1", "1", "1"]).result
    found = re.search(r"cpu s: median ([\d.]+)", printed)
    assert found, printed
    return float(found[1]) / rounds * 1e9


def has_open_spiel(python: str) -> bool:
    """Whether that Python can import OpenSpiel; says so where it cannot."""
    found = subprocess.run([python, "-c", "import pyspiel"], capture_output=True).returncode == 0
    if not found:
        print(f"{python} has no OpenSpiel (pip install open_spiel, anywhere): no comparison with it.")
    return found


def open_spiel_action(python: str, name: str) -> float:
    """CPU nanoseconds an applied action, chance included, of OpenSpiel's C++ loop."""
    found = json.loads(command([python, str(HERE / "frameworks/open_spiel_rollouts.py"), name, "0.5"]).result)
    return float(found["cpu"] / found["actions"] * 1e9)


def findings(sitting: Sitting, has_yardstick: bool, peers: bool) -> Findings:
    """What was found, in ratios; nanoseconds beside them."""
    times, each = sitting.times, sitting.per_decision
    table = Findings("Speed, one thread, silent: median over the turns, CPU time")
    for bot in POLICIES if has_yardstick else ():
        other = times[f"yardstick, {bot}"]
        table.add(f"{bot}: rate of rounds / yardstick's", ratio(other, times[bot]), at_least=0.35)
        table.add(f"{bot}: the same, best turn of each", min(other) / min(times[bot]))
    for bot in POLICIES:
        found = ratio(each(bot), each(f"{bot}, long game"))
        table.add(f"{bot}: rate of decisions, long game / base game", found, at_least=0.7)
    for bot in POLICIES:
        table.add(f"{bot}: a decision", float(np.median(each(bot))), "ns")
    if peers:
        for name in OPEN_SPIEL:
            found = ratio(times[name], each("uniform"))
            table.add(f"uniform: rate of decisions / OpenSpiel's of actions, {name}", found, at_least=20)
    return table


def nanoseconds(sitting: Sitting) -> Findings:
    """Where the time goes: one change at a time, as a share of a bot's ordinary time for a round."""
    times = sitting.times
    table = Findings("Where the time goes: one change at a time, CPU time of a round / that of the ordinary one")
    for bot in POLICIES:
        ordinary = times[bot]
        table.add(f"{bot}: deal, score and row alone (a round of one turn)", ratio(times[f"{bot}, one turn"], ordinary))
        table.add(f"{bot}: bot compiled into the loop, no pointer", ratio(times[f"{bot}, inlined"], ordinary))
        for log in ("games", "cards", "moves"):
            table.add(f"{bot}: listening for the {log} log", ratio(times[f"{bot}, {log}"], ordinary))
    return table


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--rounds", type=int, default=200_000, help="rounds of a turn")
    elsewhere = os.environ.get("OPEN_SPIEL", sys.executable)
    parser.add_argument("--open-spiel", default=elsewhere, metavar="PYTHON")
    arguments = parser.parse_args()
    sitting = Sitting(arguments.rounds // 2)
    for bot in POLICIES:
        sitting.add(bot, table_of(bot))
        sitting.add(f"{bot}, long game", table_of(bot, "long_single_round"))
        sitting.add(f"{bot}, one turn", table_of(bot, max_turns=1))
        sitting.add(f"{bot}, inlined", inlined(table_of(bot)))
        for log in ("games", "cards", "moves"):
            sitting.add(f"{bot}, {log}", table_of(bot), log)
    with tempfile.TemporaryDirectory() as folder:
        program = yardstick(Path(folder))
        if program is not None:
            for bot, policy in POLICIES.items():
                sitting.contestants[f"yardstick, {bot}"] = partial(yardstick_round, program, policy, arguments.rounds)
        peers = has_open_spiel(arguments.open_spiel)
        if peers:
            for name in OPEN_SPIEL:
                sitting.contestants[name] = partial(open_spiel_action, arguments.open_spiel, name)
        sitting.times = in_turns(sitting.contestants, arguments.repeats)
    findings(sitting, program is not None, peers).show()
    nanoseconds(sitting).show()


if __name__ == "__main__":
    main()
