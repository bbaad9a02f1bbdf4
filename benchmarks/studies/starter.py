"""Is going first an advantage between experts, and what are mirrored blocks worth?

    python benchmarks/studies/starter.py [--deals 1M] [--pair-deals 100k]

The first question is asked of the expert against itself, over so many deals of single rounds; games that repeat another
of their deal are counted once. The second of the expert against the heuristic and against a noisy expert: how many
times as many unpaired games would give the same interval as mirrored ones.
"""

import argparse
import tempfile
from functools import partial
from pathlib import Path

from analysis.blocks import Blocks, line_ups, read_blocks
from analysis.matchups import cells
from analysis.seats import turn_order
from analysis.stats import Estimate
from cli.options import Count
from simcore import batch, request

GAME = "lost-cities"
CARDS = "single_round"
MARGIN_SHARE, MARGIN_POINTS = 0.01, 1.0  # the default margins of a balance report
OPPONENTS = ("heuristic", "expert-noisy")


def blocks_of(line_up: str, deals: int) -> tuple[Blocks, list[str]]:
    """Play one line-up with the games log; its blocks, and the names of its bots."""
    with tempfile.TemporaryDirectory() as folder:
        run = batch.run(request.simulation_plan(GAME, line_up, 2 * deals, CARDS, log="games"), Path(folder) / "run")
        blocks = read_blocks(run, line_ups(run.manifest)[0])
    assert blocks is not None
    return blocks, [bot["name"] for bot in run.manifest["bots"]]


def say(what: str, found: Estimate | None, factor: float = 1, digits: int = 2) -> None:
    """A line with the number and its interval."""
    if found is None:
        print(f"  {what}: does not vary")
        return
    value, low, high = (f"{factor * x:.{digits}f}" for x in (found.value, found.low, found.high))
    print(f"  {what}: {value} (95 % interval {low} to {high})", flush=True)


def starter(deals: int) -> None:
    """The advantage of going first."""
    blocks, _ = blocks_of("expert", deals)
    order = turn_order(blocks, MARGIN_SHARE, MARGIN_POINTS)
    distinct = f"{blocks.distinct:,} of {blocks.games:,} games, the others being repetitions"
    print(f"expert against itself, {blocks.blocks:,} deals ({distinct}):")
    say("win share of the one who begins, above one half (percentage points)", order.advantage, 100)
    say("points ahead of the other's", order.advantage_points)
    for place in order.orders:
        say(f"score of the {'first' if place.place == 0 else 'second'} player", place.score)
    if order.compensation is not None:
        say("points for the second player that would make it even", order.compensation.points, digits=1)


def worth(opponent: str, deals: int) -> None:
    """What mirroring saves for the expert against this opponent."""
    blocks, names = blocks_of(f"expert,{opponent}", deals)
    cell = next(cell for cell in cells(blocks, names) if cell.bot == "expert")
    print(f"expert against {opponent}, {blocks.blocks:,} deals:")
    say("win share of the expert (%)", cell.share, 100)
    say("points ahead", cell.margin)
    say("unpaired games for the same interval of the win share, times as many", cell.saved_share)
    say("unpaired games for the same interval of the points, times as many", cell.saved_margin)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    count = partial(Count().convert, param=None, ctx=None)
    parser.add_argument("--deals", type=count, default=1_000_000)
    parser.add_argument("--pair-deals", type=count, default=100_000)
    arguments = parser.parse_args()
    for opponent in OPPONENTS:
        worth(opponent, arguments.pair_deals)
    starter(arguments.deals)


if __name__ == "__main__":
    main()
