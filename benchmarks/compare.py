"""What does a comparison of two card sets take, against simulating its games alone?

    python benchmarks/compare.py [--games 1M] [--repeats 3] [--folder DIRECTORY]

It plays so many games with each of two card sets of Lost Cities (the base game, and an expedition cost of 18; three
line-ups, the cards log), once only that and once as `fairdeal compare` does, with analysis and report, each time in a
fresh process, in turns.
"""

import argparse
import shutil
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.timing import GIB, Findings, Use, apart, in_turns, ratio
from cli.options import Count
from simcore import batch, cardset, request
from simcore.plan import Plan

GAME = "lost-cities"
BOTS = "uniform,heuristic"  # each against itself, and both: three line-ups of the fastest bots, the hardest case
LINE_UPS = 3


def plans(games: int) -> tuple[Plan, Plan]:
    """The plans of a comparison with so many games for each card set."""
    base = request.load_cards(GAME)
    edited = cardset.build(base.schema, "cheaper", {**base.scalars, "expedition_cost": 18}, base.tables)
    return request.comparison_plans(GAME, (base, edited), BOTS, games // LINE_UPS)


def simulate(games: int, scratch: Path) -> None:
    """Play both runs, nothing else."""
    shutil.rmtree(scratch, ignore_errors=True)
    for plan in plans(games):
        batch.run(plan, scratch / plan.card_set.name)


def compare(games: int, scratch: Path) -> None:
    """Play both runs, compare them, and write the report in all formats."""
    from analysis.studies import compare as studies
    from reports import comparison

    shutil.rmtree(scratch, ignore_errors=True)
    runs = studies.play(plans(games), scratch)
    comparison.write(studies.between(*runs), scratch / "report")


def measure(games: int, scratch: Path, repeats: int) -> dict[str, list[Use]]:
    """What the two use, turn by turn."""
    work = {"simulate": simulate, "compare": compare}
    return in_turns({name: partial(apart, function, games, scratch / name) for name, function in work.items()}, repeats)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    count = partial(Count().convert, param=None, ctx=None)
    parser.add_argument("--games", type=count, default=count("1M"))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", help="where the runs are kept while this works; by default the system's own choice")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        uses = measure(arguments.games, Path(folder), arguments.repeats)
    seconds = {name: [use.seconds for use in found] for name, found in uses.items()}
    cpu = {name: [use.cpu for use in found] for name, found in uses.items()}
    findings = Findings(f"A comparison of 2 x {arguments.games:,} games with its report: medians over the turns")
    findings.add("compare / simulate alone, by the clock", ratio(seconds["compare"], seconds["simulate"]), at_most=2)
    findings.add("compare / simulate alone, CPU time", ratio(cpu["compare"], cpu["simulate"]), at_most=2)
    findings.add("compare, by the clock", median(seconds["compare"]), "s")
    findings.add("its peak memory", max(use.memory for use in uses["compare"]) / GIB, "GiB")
    findings.show()


if __name__ == "__main__":
    main()
