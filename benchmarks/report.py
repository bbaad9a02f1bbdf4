"""What does a report take, against a bare polars pass over the same files?

    python benchmarks/report.py [--games 10M] [--repeats 3] [--folder DIRECTORY]

It plays so many games of three line-ups with the cards log (10 million take some 2 GB, thrown away afterwards), then
analyses and reports them, each time in a fresh process, in turns with a scan that takes the mean of every column.
"""

import argparse
import tempfile
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


def report(run: Path, folder: Path) -> None:
    """Analyse a run and write its report in all formats."""
    from analysis.balance import analyse
    from reports import balance

    balance.write(analyse(open_run(run)), folder)


def bare(run: Path) -> None:
    """The mean of every column of every table."""
    opened = open_run(run)
    for table in opened.tables:
        opened.scan(table).select(pl.all().mean()).collect(engine="streaming")


def measure(run: Path, scratch: Path, repeats: int) -> dict[str, list[Use]]:
    """What report and bare pass use, turn by turn."""
    return in_turns({"report": partial(apart, report, run, scratch), "bare": partial(apart, bare, run)}, repeats)


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
        uses = measure(run, Path(folder) / "report", arguments.repeats)
        size = sum(file.stat().st_size for file in run.rglob("*.parquet"))
    seconds = {name: [use.seconds for use in found] for name, found in uses.items()}
    cpu = {name: [use.cpu for use in found] for name, found in uses.items()}
    memory = max(use.memory for use in uses["report"])
    findings = Findings(f"The report of {plan.games:,} games in {size / GIB:.2f} GiB of files: medians over the turns")
    findings.add("analysis and report / bare pass, by the clock", ratio(seconds["report"], seconds["bare"]), at_most=20)
    findings.add("analysis and report / bare pass, CPU time", ratio(cpu["report"], cpu["bare"]), at_most=20)
    findings.add("analysis and report, by the clock", median(seconds["report"]), "s")
    findings.add("its peak memory", memory / GIB, "GiB", at_most=3)
    findings.add("peak memory / the bare pass's", memory / max(use.memory for use in uses["bare"]))
    findings.show()


if __name__ == "__main__":
    main()
