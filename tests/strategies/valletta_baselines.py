"""What the bots of Valletta win against each other, as measured at many games, and the same measured anew.

Nothing is published about bots of this game but the plausibility check of section 17.4 of the rules page, by bots
that are not given there. So these figures hold what was measured when the bots were fitted: a change in them is one
of the play, whether it was meant or not.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from simcore import cardset, game
from simcore.play import Table
from tests.strategies.baselines import Comparison

GAME = game.get("valletta")
BLOCKS_AT_ONCE = 5_000


@dataclass(frozen=True)
class Figure:
    """The share of games that one `bot` wins in a field of `other`, a shared win counted by its part."""

    bot: str
    other: str
    seats: int
    share: float
    games: int

    @property
    def name(self) -> str:
        return f"{self.bot} in {self.other}, {self.seats} seats"


MEASURED = (
    Figure("expert", "greedy", 2, 0.898, 600),
    Figure("expert", "greedy", 3, 0.891, 900),
    Figure("expert", "greedy", 4, 0.865, 1200),
    Figure("greedy", "expert", 2, 0.098, 400),
    Figure("greedy", "expert", 3, 0.068, 600),
    Figure("greedy", "expert", 4, 0.051, 800),
    Figure("linear", "greedy", 2, 0.696, 400),
    Figure("linear", "greedy", 3, 0.545, 600),
    Figure("linear", "greedy", 4, 0.568, 800),
    Figure("linear", "expert", 3, 0.120, 300),
    Figure("expert", "rush", 3, 0.416, 600),
    Figure("expert", "yellow", 3, 0.531, 600),
    Figure("expert", "engine", 3, 0.443, 600),
    Figure("rush", "greedy", 3, 0.654, 450),
    Figure("yellow", "greedy", 3, 0.670, 450),
    Figure("engine", "greedy", 3, 0.806, 450),
    Figure("rush", "engine", 3, 0.363, 450),
    Figure("yellow", "rush", 3, 0.254, 450),
    Figure("engine", "yellow", 3, 0.316, 450),
)


def shares(bot: str, other: str, seats: int, games: int, seed: int) -> tuple[float, float]:
    """The share of wins and its standard error over blocks."""
    table = Table(GAME.name, cardset.load(GAME.schema, "standard"), seats, (bot, *[other] * (seats - 1)), seed)
    found = []
    blocks = max(games // seats, 2)
    for first in range(0, blocks, BLOCKS_AT_ONCE):
        for played in table.play(first, min(blocks, first + BLOCKS_AT_ONCE)):
            winners = played.rows["winners"]
            number = np.arange(len(winners))
            won = winners >> (-number % seats) & 1  # the first of the line-up sits in seat -rotation
            found.append((won / np.bitwise_count(winners)).reshape(-1, seats).mean(axis=1))
    won = np.concatenate(found)
    return float(won.mean()), float(won.std() / sqrt(len(won)))


def compare(figure: Figure, games: int, seed: int) -> Comparison:
    """Measure a figure anew; the error is that of the difference of the two samples."""
    share, error = shares(figure.bot, figure.other, figure.seats, games, seed)
    theirs = sqrt(figure.share * (1 - figure.share) / figure.games)
    return Comparison(figure.name, f"{figure.share:.4f}", share, sqrt(error**2 + theirs**2))
