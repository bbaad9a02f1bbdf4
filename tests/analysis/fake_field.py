"""Made-up results of bots alone in fields of each other, from a matrix of win shares that is known."""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy import special

from analysis.meta import Field, field


def frame(
    shares: np.ndarray, deals: int, seed: int, seats: int = 2, few: tuple[int, int] | None = None
) -> pl.DataFrame:
    """Results by deal; half of the luck of a game is the deal's, the same for all pairs. `few` are a bot and the deals
    of its pairs, where they are fewer.
    """
    rng = np.random.default_rng(seed)
    luck = rng.normal(size=(deals, seats))
    rows = []
    for i in range(len(shares)):
        for j in range(len(shares)):
            if i == j or (seats == 2 and i > j):
                continue
            n = few[1] if few and few[0] in (i, j) else deals
            dice = (luck[:n] - luck[:n].mean(axis=1, keepdims=True)) + rng.normal(size=(n, seats))
            won = special.ndtr(dice / np.sqrt(2 - 1 / seats)) < shares[i, j]
            rows.append((i, j, won.mean(axis=1)))
            if seats == 2:
                rows.append((j, i, 1 - won.mean(axis=1)))
    columns = {"bot": pl.Int64, "opponent": pl.Int64, "deal": pl.Int64, "share": pl.Float64, "deals": pl.Int64}
    return pl.concat(
        pl.DataFrame(
            {"bot": i, "opponent": j, "deal": np.arange(len(share)), "share": share, "deals": 1},
            schema_overrides=columns,
        )
        for i, j, share in rows
    )


def made(shares: np.ndarray, deals: int, seed: int, seats: int = 2, few: tuple[int, int] | None = None) -> Field:
    names = [f"bot{i}" for i in range(len(shares))]
    return field(names, seats, frame(shares, deals, seed, seats, few))


def from_log_odds(log_odds: np.ndarray, seats: int = 2) -> np.ndarray:
    """Win shares of bots alone in a field, odds of 1 to (seats - 1) times these."""
    return special.expit(log_odds - np.log(seats - 1))


def from_strengths(strengths: list[float], seats: int = 2) -> np.ndarray:
    return from_log_odds(np.subtract.outer(strengths, strengths), seats)


ROCK_PAPER_SCISSORS = from_log_odds(0.6 * np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]))
