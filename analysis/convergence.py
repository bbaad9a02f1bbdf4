"""How an estimate settled as deals came in: the running mean with its plain interval and with a band that may be
watched.
"""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from analysis import stats

FIRST_LOOK = 256
"""Fewer blocks than this say nothing: both intervals lean on the normal law."""
POINTS = 60


def running(values: ArrayLike, games_per_block: int, points: int = POINTS) -> pl.DataFrame:
    """The running mean of block values (in the order of the deals) at about `points` numbers of blocks, evenly spread
    on a log scale.

    Columns: blocks, games, value, low, high (95 % at this one look), anytime_low, anytime_high (95 % for all looks
    together, see `stats.anytime_radius`). Runs shorter than the first look of 256 blocks have one row, at their end.
    """
    x = np.asarray(values)
    total = len(x)
    if total < 2:
        return pl.DataFrame(schema=dict.fromkeys(["blocks", "games"], pl.Int64) | dict.fromkeys(_BANDS, pl.Float64))
    looks = np.unique(np.geomspace(min(FIRST_LOOK, total), total, points).round().astype(int))
    between = (x[first:last].astype(float) for first, last in itertools.pairwise([0, *looks.tolist()]))
    sums, squares = np.cumsum([[part.sum(), part @ part] for part in between], axis=0).T
    mean = sums / looks
    sd = np.sqrt(np.maximum(0.0, (squares - looks * mean**2) / (looks - 1)))
    half = stats.z_value() * sd / np.sqrt(looks)
    band = stats.anytime_radius(sd, looks, total)
    columns = [mean, mean - half, mean + half, mean - band, mean + band]
    return pl.DataFrame({"blocks": looks, "games": looks * games_per_block} | dict(zip(_BANDS, columns, strict=True)))


_BANDS = ("value", "low", "high", "anytime_low", "anytime_high")
