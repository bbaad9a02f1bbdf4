"""What the bots of Lisboa win against each other, as measured at many games, and the same measured anew.

Nothing is published about bots of this game. So these figures hold what was measured when the bots were written: a
change in them is one of the play, whether it was meant or not.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from simcore import cardset, game
from simcore.play import Table
from tests.strategies.baselines import Comparison

GAME = game.get("lisboa")
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
    Figure("expert", "greedy", 2, 0.897, 400),
    Figure("expert", "greedy", 3, 0.727, 600),
    Figure("expert", "greedy", 4, 0.619, 800),
    Figure("expert", "streets", 3, 0.303, 360),
    Figure("expert", "fleet", 3, 0.408, 360),
    Figure("expert", "decrees", 3, 0.550, 360),
    Figure("expert", "church", 3, 0.567, 360),
    Figure("streets", "expert", 3, 0.339, 360),
    Figure("fleet", "expert", 3, 0.244, 360),
    Figure("decrees", "expert", 3, 0.147, 360),
    Figure("church", "expert", 3, 0.100, 360),
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
