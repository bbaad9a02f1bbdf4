"""What does a cluster cost against threads of one process, and what does a lost worker change?

    python benchmarks/cluster.py [--minutes 1] [--repeats 3] [--workers 2]

The same run is played in turns by so many threads, and by so many worker processes of one thread each on a Dask cluster
of this machine; what is compared are seconds by the clock, from the plan to the finished run. The size of the run is
chosen so that threads take so many minutes. Then the cluster plays it once more, and one of its workers is killed half
way: rows are compared, table by table. The kernels are compiled before.
"""

import argparse
import os
import signal
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from distributed import LocalCluster

from benchmarks.timing import Findings, in_turns, ratio
from simcore import batch, request
from simcore.batch import Progress
from simcore.cluster import cluster
from simcore.plan import Plan
from simcore.runlog import Run

GAME, BOTS = "lost-cities", "expert,heuristic"
TRIAL = 100_000  # games that tell how fast this machine is


def plan_of(games: int) -> Plan:
    """So many games of two bots against each other, with the card log."""
    return request.simulation_plan(GAME, BOTS, games)


def clock(play: Callable[[Path], object]) -> float:
    """Seconds to play into a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        play(Path(folder) / "run")
        return time.perf_counter() - begin


def killed(plan: Plan, out: Path, workers: LocalCluster) -> tuple[Run, float]:
    """The run of a cluster that loses a worker half way, and its seconds."""
    victims = [next(iter(workers.workers.values())).pid]

    def kill(progress: Progress) -> None:
        if victims and progress.played > progress.games / 2:
            os.kill(victims.pop(), signal.SIGKILL)

    begin = time.perf_counter()
    run = batch.run(plan, out, progress=kill)
    return run, time.perf_counter() - begin


def differing(one: Run, other: Run) -> int:
    """How many tables differ in any row."""
    return sum(
        not one.scan(table, line_up).collect().equals(other.scan(table, line_up).collect())
        for table in one.tables
        for line_up in range(len(one.manifest["line_ups"]))
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0, help="of the run with threads")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    threads = arguments.workers
    clock(lambda out: batch.run(plan_of(2_000), out, threads=threads))  # compiles
    rate = TRIAL / clock(lambda out: batch.run(plan_of(TRIAL), out, threads=threads))
    plan = plan_of(round(rate * 60 * arguments.minutes))
    print(f"{plan.games:,} games in {plan.cut.shards} shards, {threads} threads or workers")
    with LocalCluster(n_workers=threads, threads_per_worker=1, dashboard_address=None) as workers:

        def on_cluster(out: Path) -> None:
            with cluster(workers.scheduler_address):
                batch.run(plan, out)

        contestants = {
            "threads": lambda: clock(lambda out: batch.run(plan, out, threads=threads)),
            "cluster": lambda: clock(on_cluster),
        }
        times = in_turns(contestants, arguments.repeats)
        with tempfile.TemporaryDirectory() as folder, cluster(workers.scheduler_address):
            lossy, seconds = killed(plan, Path(folder) / "lossy", workers)
            with ThreadPoolExecutor(threads) as pool:
                other = differing(lossy, batch.run(plan, Path(folder) / "threads", executor=pool))
    table = Findings(f"A cluster of {threads} workers against {threads} threads, {arguments.minutes:g} min of work")
    table.add("seconds by the clock: cluster / threads", ratio(times["cluster"], times["threads"]), at_most=1.1)
    for name, seconds_ in times.items():
        table.add(f"{name}: a run", min(seconds_), "s at best")
    table.add("cluster that loses a worker half way: a run", seconds, "s")
    table.add("the same: tables that differ from those of threads", other, at_most=0)
    table.show()


if __name__ == "__main__":
    main()
