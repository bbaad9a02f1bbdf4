"""What do the reports of a run take, against a bare polars pass over the same files?

    python benchmarks/report.py [--games 10M] [--repeats 3] [--folder DIRECTORY]

It plays so many games of three line-ups with the cards log (10 million take some 2 GB, thrown away afterwards), then
analyses them and writes each kind of report, each time in a fresh process, in turns with a scan that takes the mean of
every column.
"""

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import polars as pl

from benchmarks.timing import GIB, Findings, Use, apart, in_turns, ratio
from cli.options import Count
from simcore import batch, request
from simcore.runlog import open_run

BOTS = "uniform,heuristic"  # each against itself, and both: three line-ups
LINE_UPS = 3


def balance_report(run: Path, folder: Path) -> None:
    """Analyse a run and write its balance report in all formats."""
    from analysis.balance import analyse
    from reports import balance

    balance.write(analyse(open_run(run)), folder)


def strategy_report(run: Path, folder: Path) -> None:
    """Analyse the strategies of a run and write that report in all formats."""
    from analysis.strategy import analyse
    from reports import strategy

    strategy.write(analyse(open_run(run)), folder)


REPORTS: dict[str, Callable[[Path, Path], None]] = {"balance": balance_report, "strategy": strategy_report}


def bare(run: Path) -> None:
    """The mean of every column of every table."""
    for table in open_run(run).tables:
        pl.scan_parquet(run / table / "*.parquet").select(pl.all().mean()).collect(engine="streaming")


def measure(run: Path, scratch: Path, repeats: int) -> dict[str, list[Use]]:
    """What each report and the bare pass use, turn by turn."""
    works = {name: partial(apart, write, run, scratch / name) for name, write in REPORTS.items()}
    return in_turns({**works, "bare": partial(apart, bare, run)}, repeats)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    count = partial(Count().convert, param=None, ctx=None)
    parser.add_argument("--games", type=count, default=count("10M"))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", help="where the run is kept while this works; by default the system's own choice")
    arguments = parser.parse_args()
    plan = request.balance_plan("lost-cities", BOTS, arguments.games // LINE_UPS, "single_round")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        run = Path(folder) / "run"
        batch.run(plan, run)
        uses = measure(run, Path(folder) / "reports", arguments.repeats)
        size = sum(file.stat().st_size for file in run.rglob("*.parquet"))
    findings = Findings(f"Reports of {plan.games:,} games in {size / GIB:.2f} GiB of files: medians over the turns")
    passes = uses["bare"]
    for name in REPORTS:
        mine = uses[name]
        clocks, cpu = ([getattr(use, what) for use in mine] for what in ("seconds", "cpu"))
        findings.add(
            f"{name}: report / bare pass, by the clock", ratio(clocks, [use.seconds for use in passes]), at_most=20
        )
        findings.add(f"{name}: report / bare pass, CPU time", ratio(cpu, [use.cpu for use in passes]), at_most=20)
        findings.add(f"{name}: by the clock", median(clocks), "s")
        findings.add(f"{name}: peak memory", max(use.memory for use in mine) / GIB, "GiB", at_most=4)
    findings.add("bare pass: peak memory", max(use.memory for use in passes) / GIB, "GiB")
    findings.show()


if __name__ == "__main__":
    main()
