"""The court of a fit: it plays candidates for a bot's weights against opponents, on common deals and in every seat."""

import hashlib
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from simcore.cardset import CardSet
from simcore.play import Table

Vector = NDArray[np.float64]
Opponent = str | Vector  # a bot by its name, or the fitted bot with other weights
Goal = Literal["points", "wins"]

ITSELF = ""  # the name of the tables where the fitted bot meets itself with other weights
BLOCKS_PER_JOB = 256  # played in one go: long beside what a call costs, soon over when a fit is stopped


def seed_of(purpose: str, seed: int) -> int:
    """The seed of the deals for a purpose. They are none of the deals of ordinary runs, nor of another purpose."""
    return int.from_bytes(hashlib.sha256(f"fairdeal fit, {purpose}, {seed}".encode()).digest()[:8])


@dataclass(frozen=True)
class Outcome:
    """Games of one place of a line-up against a field, block by block, in every rotation; arrays (blocks, rotations).

    `own` are its points, `others` the mean of the others' and `best` the highest of them; `share` is its win share.
    """

    own: Vector
    others: Vector
    best: Vector
    share: Vector

    @property
    def margin(self) -> Vector:
        """(blocks): the mean margin, own points less the mean of the others'."""
        return np.asarray((self.own - self.others).mean(axis=1), np.float64)

    @property
    def wins(self) -> Vector:
        """(blocks): the mean win share."""
        return np.asarray(self.share.mean(axis=1), np.float64)

    @property
    def lead(self) -> Vector:
        """(blocks, rotations): own points less the best of the others'."""
        return self.own - self.best

    @staticmethod
    def joined(parts: Sequence["Outcome"]) -> "Outcome":
        """Parts one after the other."""
        return Outcome(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in ("own", "others", "best", "share"))
        )


class Court:
    """Tables for one number of seats, one a thread and opponent. Any thread may call `play`; kernels run at once."""

    def __init__(self, game: str, bot: str, card_set: CardSet, seats: int, seed: int) -> None:
        self.game, self.bot, self.card_set, self.seats, self.seed = game, bot, card_set, seats, seed
        self._mine = threading.local()

    def _table(self, name: str) -> Table:
        tables: dict[str, Table] = self._mine.__dict__.setdefault("tables", {})
        if name not in tables:
            line_up = (self.bot, *[name or self.bot] * (self.seats - 1))
            tables[name] = Table(self.game, self.card_set, self.seats, line_up, self.seed)
        return tables[name]

    def warm_up(self, opponents: Iterable[Opponent]) -> None:
        """Compile what will be played, so that threads need not wait for each other."""
        for opponent in opponents:
            self._table(opponent if isinstance(opponent, str) else ITSELF)

    def play(self, weights: Vector, opponent: Opponent, first: int, last: int) -> Outcome:
        """The bot with these weights alone in a field of the opponent, deals first..last-1 in every rotation."""
        named = isinstance(opponent, str)
        table = self._table(opponent if isinstance(opponent, str) else ITSELF)
        table.minds[0]["weights"][: len(weights)] = weights
        if not named:
            table.minds["weights"][1 : self.seats, : len(opponent)] = opponent
        rows = np.concatenate([played.rows for played in table.play(first, last)])
        return self._outcome(rows)

    def _outcome(self, rows: NDArray[np.void]) -> Outcome:
        points = rows["seat"]["points"][:, : self.seats].astype(np.float64)
        game = np.arange(len(points))
        seat = -game % self.seats  # in rotation r the first of the line-up sits in seat -r
        own = points[game, seat]
        others = (points.sum(axis=1) - own) / (self.seats - 1)
        points[game, seat] = -np.inf
        winners = (rows["winners"][:, None].astype(np.int64) >> np.arange(self.seats)) & 1
        share = winners[game, seat] / winners.sum(axis=1)
        shape = (-1, self.seats)
        return Outcome(*(part.reshape(shape) for part in (own, others, points.max(axis=1), share)))


@dataclass(frozen=True)
class Match:
    """Weights against an opponent at a court, deals first..last-1."""

    court: Court
    weights: Vector
    opponent: Opponent
    first: int
    last: int

    def pieces(self) -> list["Match"]:
        """The match in jobs for threads; they depend on the match alone."""
        edges = [*range(self.first, self.last, BLOCKS_PER_JOB), self.last]
        return [Match(self.court, self.weights, self.opponent, a, b) for a, b in pairwise(edges)]

    def play(self) -> Outcome:
        """What comes of it."""
        return self.court.play(self.weights, self.opponent, self.first, self.last)


def play_all(pool: Executor, matches: Sequence[Match]) -> list[Outcome]:
    """The outcomes of matches, in their order, whoever has played them."""
    pieces = [match.pieces() for match in matches]
    played = pool.map(Match.play, [piece for part in pieces for piece in part])
    return [Outcome.joined([next(played) for _ in part]) for part in pieces]


@dataclass(frozen=True)
class Reward:
    """What a fit raises. "points": the margin. "wins": a smooth win share, in which a lead of a `scale` counts 73 %."""

    goal: Goal
    scale: float = 1.0

    def of(self, outcome: Outcome) -> Vector:
        """(blocks): the mean reward."""
        if self.goal == "points":
            return outcome.margin
        return np.asarray(expit(outcome.lead / self.scale).mean(axis=1), np.float64)
