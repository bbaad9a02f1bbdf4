"""Made-up results of round robins whose strengths are known: the laws of `analysis.ratings`, with games of a deal that
hang together.

Every game follows the law of Davidson (two seats) or of Plackett and Luce (more) exactly, but its dice are mixed from
those of its deal and its own, so that `luck` of the variance is shared by all games of a deal, whoever plays.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from analysis.ratings import Results, join

ELO = 400 / math.log(10)


@dataclass(frozen=True)
class FakeGames:
    """What to make up: strengths on the Elo scale; what the places in turn order are worth (the first alone, for two);
    nu of Davidson's ties; deals a line-up, for all or for those that bot `few` takes part in.
    """

    elo: tuple[float, ...]
    seats: int = 2
    places: tuple[float, ...] = (0.0,)
    ties: float = 0.0
    luck: float = 0.5
    deals: int = 200
    few: tuple[int, int] | None = None  # a bot, and the deals of its line-ups
    round_to: float = 0.0  # seats within the same step of so much of their latent score share a place


def pairings(bots: int, seats: int) -> list[tuple[int, ...]]:
    """Every bot alone in a field of every other one."""
    pairs = itertools.combinations(range(bots), 2) if seats == 2 else itertools.permutations(range(bots), 2)
    return [(one, *[other] * (seats - 1)) for one, other in pairs]


def play(fake: FakeGames, seed: int, line_ups: Sequence[tuple[int, ...]] = ()) -> Results:
    """Results of the line-ups, by default of `pairings`; the same deals for all."""
    rng = np.random.default_rng(seed)
    n = fake.seats
    luck, starter = rng.normal(size=(fake.deals, n)), rng.integers(0, n, fake.deals)
    parts = []
    for line_up in line_ups or pairings(len(fake.elo), n):
        deals = fake.few[1] if fake.few and fake.few[0] in line_up else fake.deals
        for rotation in range(n):
            bot = np.array([line_up[(seat + rotation) % n] for seat in range(n)])
            turn = (starter[:deals, None] + np.arange(n)) % n  # seats in turn order
            own = rng.normal(size=(deals, n))
            dice = np.take_along_axis(
                math.sqrt(fake.luck) * luck[:deals] + math.sqrt(1 - fake.luck) * own, turn, axis=1
            )
            worth = np.array(fake.elo)[bot[turn]] / ELO + np.resize([*fake.places, *[0.0] * n], n) / ELO
            ranks = _two(worth, dice, fake.ties) if n == 2 else _more(worth, dice, fake.round_to)
            names = [f"bot{i}" for i in range(len(fake.elo))]
            parts.append(Results.of_games(names, bot[turn], ranks, np.arange(deals)))
    return join(parts)


def _two(worth: np.ndarray, dice: np.ndarray, ties: float) -> np.ndarray:
    w = np.exp(worth)
    tie = ties * np.sqrt(w.prod(axis=1))
    total = w.sum(axis=1) + tie
    u = special.ndtr((dice[:, 0] - dice[:, 1]) / math.sqrt(2))
    lost, level = u < w[:, 1] / total, u < (w[:, 1] + tie) / total
    return np.stack([np.where(lost, 2, 1), np.where(lost | level, 1, 2)], axis=1)


def _more(worth: np.ndarray, dice: np.ndarray, round_to: float) -> np.ndarray:
    latent = worth - np.log(-np.log(special.ndtr(dice)))
    if round_to:
        latent = np.floor(latent / round_to)
    return 1 + (latent[:, None, :] > latent[:, :, None]).sum(axis=2)
