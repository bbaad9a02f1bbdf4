"""How fast are the other games, against Lost Cities in the same sitting? Silent uniform play on one thread.

    python benchmarks/games.py [--repeats 9]

The unit is a decision that was put to the bot: forced ones are not counted. All contestants take turns; the ratio of
rates is taken turn by turn.
"""

import argparse
from collections.abc import Callable

import numpy as np

from benchmarks.timing import Findings, cpu, in_turns, ratio
from simcore import cardset
from simcore import game as games
from simcore.play import Table

BASE = ("lost-cities", 2)
CONTESTANTS = {  # and the least ratio that is asked for
    **{("vaalbara", seats): 0.20 for seats in (2, 3, 4, 5)},
    **{("valletta", seats): 0.12 for seats in (2, 3, 4)},
    **{("lisboa", seats): 0.05 for seats in (2, 3, 4)},
}
ASKED = 4_000_000  # decisions of a turn
SHARD = 4096  # blocks that are played in one go
PILOT = 200  # blocks that tell how many decisions a block has


def table_of(name: str, seats: int) -> Table:
    """The uniform bot against itself with the game's default card set."""
    game = games.get(name)
    return Table(name, cardset.load(game.schema, game.default_card_set), seats, ("uniform",) * seats, seed=1)


def contestant(table: Table, asked: int) -> Callable[[], float]:
    """Plays about so many asked decisions, always the same deals; returns CPU nanoseconds a decision."""
    pilot = np.concatenate([played.rows["decisions"] for played in table.play(0, PILOT, "games")])
    blocks = round(asked / (pilot.mean() * table.seats))

    def play() -> None:
        for first in range(0, blocks, SHARD):
            for _ in table.play(first, min(first + SHARD, blocks)):
                pass

    return lambda: cpu(play) / (blocks * table.seats * pilot.mean()) * 1e9


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--decisions", type=int, default=ASKED, help="asked decisions of a turn")
    arguments = parser.parse_args()
    each = {key: contestant(table_of(*key), arguments.decisions) for key in (BASE, *CONTESTANTS)}
    times = in_turns({f"{name}, {seats} seats": play for (name, seats), play in each.items()}, arguments.repeats)
    base = times["{}, {} seats".format(*BASE)]
    table = Findings("Asked decisions per CPU second against Lost Cities, uniform play: median over the turns")
    for (name, seats), least in CONTESTANTS.items():
        mine = times[f"{name}, {seats} seats"]
        table.add(f"{name}, {seats} seats: rate / Lost Cities'", ratio(base, mine), at_least=least)
        table.add(f"{name}, {seats} seats: a decision", float(np.median(mine)), "ns")
    table.show()


if __name__ == "__main__":
    main()
