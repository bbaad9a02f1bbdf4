"""Does a search bot gain from more playouts, and how many does it play a second?

    python benchmarks/studies/search.py [--game lost-cities] [--bot search] [--against expert] [--seats 2]
                                        [--budgets 100,1000,10000] [--blocks 100] [--cards single_round]
                                        [--threads 2]

For each budget the search bot sits alone in a field of another bot, on the same deals in every seat. Printed: its share
of wins and its margin with 95 % intervals over deals, the gain over the budget before on these deals, how many playouts
a decision took on average, and playouts a second of one thread (all time of the table is counted, the field's too).
Exits with 1 where a larger budget is surely worse than a smaller one.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from simcore import request
from simcore.play import Table

SEED = 2024
Array = NDArray[Any]


@dataclass(frozen=True)
class Result:
    """What the first bot of a line-up achieves: share of wins and margin of each block; its decisions and playouts, the
    decisions of the whole table, and seconds of all threads together.
    """

    shares: Array
    margins: Array
    own: int
    playouts: int
    decisions: int
    seconds: float


def play(game: str, cards: str | None, line_up: tuple[str, ...], blocks: int, threads: int = 1) -> Result:
    """Blocks 0..blocks-1 of a line-up."""
    bounds = np.linspace(0, blocks, threads + 1).astype(int)
    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(lambda part: _part(game, cards, line_up, *map(int, part)), pairwise(bounds)))
    rows = np.concatenate([part[0] for part in parts])
    seats = len(line_up)
    index = np.arange(len(rows))
    seat = -index % seats  # in rotation r the first of the line-up sits in seat -r
    points = rows["seat"]["points"][:, :seats].astype(float)
    own = points[index, seat]
    margins = (seats * own - points.sum(axis=1)) / max(1, seats - 1)
    won = (rows["winners"][:, None] >> np.arange(seats)) & 1
    shares = won[index, seat] / won.sum(axis=1)
    decisions = rows["seat"]["decisions"]
    return Result(
        shares.reshape(-1, seats).mean(axis=1),
        margins.reshape(-1, seats).mean(axis=1),
        int(decisions[index, seat].sum()),
        sum(part[1] for part in parts),
        int(decisions[:, :seats].sum()),
        sum(part[2] for part in parts),
    )


def _part(game: str, cards: str | None, line_up: tuple[str, ...], first: int, last: int) -> tuple[Array, int, float]:
    """The rows of some blocks, how many playouts the first bot needed, and the seconds."""
    table = Table(game, request.load_cards(game, cards), len(line_up), line_up, SEED)
    for _ in table.play(last + 1, last + 2, "games"):  # compiles
        pass
    room = table.rooms[0]
    before = 0 if room is None else int(room["played"][0])
    begin = time.perf_counter()
    rows = np.concatenate([part.rows for part in table.play(first, last, "games")])
    seconds = time.perf_counter() - begin
    return rows, 0 if room is None else int(room["played"][0]) - before, seconds


def margin(values: Array) -> str:
    """The mean of block values in points, in words."""
    low, high = stats.normal_interval(float(values.mean()), _error(values))
    return f"{values.mean():+.2f} ({low:+.2f} to {high:+.2f})"


def share(values: Array) -> str:
    """The mean share of blocks, in words."""
    low, high = stats.share_interval(float(values.mean()), _error(values), len(values))
    return f"{100 * values.mean():.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _error(values: Array) -> float:
    return float(values.std(ddof=1)) / len(values) ** 0.5


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lost-cities")
    parser.add_argument("--bot", default="search")
    parser.add_argument("--against", default="expert")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--budgets", default="100,1000,10000")
    parser.add_argument("--blocks", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cards", help="a card set; for Lost Cities single_round")
    asked = parser.parse_args()
    cards = asked.cards or ("single_round" if asked.game == "lost-cities" else None)
    before: Result | None = None
    good = True
    print(f"{asked.game}, {asked.bot} in a field of {asked.against}, {asked.seats} seats, {asked.blocks} deals")
    for budget in map(int, asked.budgets.split(",")):
        line_up = (f"{asked.bot}:{budget}", *[asked.against] * (asked.seats - 1))
        found = play(asked.game, cards, line_up, asked.blocks, asked.threads)
        gain = ""
        if before is not None:
            step = found.margins - before.margins
            good &= bool(step.mean() > -2 * step.std(ddof=1) / len(step) ** 0.5)
            gain = f"; over the budget before {margin(step)}"
        print(
            f"{budget:>7,} playouts: wins {share(found.shares)}, margin {margin(found.margins)}"
            f"{gain}; {found.playouts / found.own:,.0f} playouts a decision, {found.playouts / found.seconds:,.0f} a "
            "second",
            flush=True,
        )
        before = found
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
