"""Published figures of the exact policies of Vaalbara, and what the bots here make of them.

Sources: tests/data/vaalbara/random_baseline.csv (1,000,000 games a row, another program) and the checks of section 12
of the rules page that do not depend on the reconstructed lands.
"""

import csv
from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simcore import cardset
from simcore.games.vaalbara.cardset import TYPES
from simcore.games.vaalbara.game import GAME
from simcore.play import Table
from tests.strategies.baselines import WITHIN, Comparison

DATA = Path(__file__).parents[1] / "data" / "vaalbara" / "random_baseline.csv"
POLICIES = {"uniform": "uniform_show", "greedy_land": "greedy_land"}  # the page's names and the bots'
BLOCKS_AT_ONCE = 5_000
TOLERANCE = 0.005  # of the checks that do not depend on the data
NOT_COMPARED = {"variant", "players", "policy", "games", "source", "se_mean", "min_seen", "max_seen", "sd_score"}

PART = [part.name for part in GAME.parts]
COUNTER = [counter.name for counter in GAME.counters]

Totals = NDArray[np.float64]
Row = dict[str, str]


def published() -> list[Row]:
    """The rows of the file."""
    with DATA.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def compare(row: Row, games: int, seed: int) -> list[Comparison]:
    """Play so many games and set every published figure of a row against the measured one.

    A figure is a ratio of two sums over games. Its standard error here is that of blocks, the published sample's that
    of its games, with the spread that is measured here.
    """
    seats = int(row["players"])
    totals = sampled(row["variant"], POLICIES[row["policy"]], seats, games, seed)
    found = [
        _comparison(name, row[name], *totals[name], seats, int(row["games"]))
        for name in row
        if name not in NOT_COMPARED and row[name]
    ]
    mean, square = totals["mean_score"], totals["square"]
    sd = sqrt(square[0].sum() / square[1].sum() - (mean[0].sum() / mean[1].sum()) ** 2)
    slope = 1 / (2 * sd)  # of the square root of the variance
    centred = square[0] - 2 * mean[0] * mean[0].sum() / mean[1].sum()
    spread = _comparison("sd_score", row["sd_score"], centred, mean[1], seats, int(row["games"]))
    found.append(Comparison("sd_score", row["sd_score"], sd, spread.error * slope))
    return found


def _comparison(name: str, figure: str, top: Totals, bottom: Totals, seats: int, theirs: int) -> Comparison:
    ratio = top.sum() / bottom.sum()
    rest = (top - ratio * bottom) / bottom.mean()
    by_block = rest.reshape(-1, seats).mean(axis=1)
    error = sqrt(by_block.var() / len(by_block) + rest.var() / theirs)
    return Comparison(name, figure, float(ratio), error)


def sampled(card_set: str, bot: str, seats: int, games: int, seed: int) -> dict[str, tuple[Totals, Totals]]:
    """By figure: for each game the sums whose ratio is the figure."""
    parts = [_sums(rows, seats) for rows in play(card_set, (bot,) * seats, games // seats, seed)]
    return {
        name: tuple(np.concatenate([part[name][side] for part in parts]) for side in (0, 1))  # type: ignore[misc]
        for name in parts[0]
    }


def play(card_set: str, bots: tuple[str, ...], blocks: int, seed: int) -> Iterator[NDArray[np.void]]:
    """The rows of the games."""
    table = Table("vaalbara", cardset.load(GAME.schema, card_set), len(bots), bots, seed)
    for first in range(0, blocks, BLOCKS_AT_ONCE):
        for played in table.play(first, min(blocks, first + BLOCKS_AT_ONCE), "games"):
            yield played.rows


def _sums(rows: NDArray[np.void], seats: int) -> dict[str, tuple[Totals, Totals]]:
    seat = rows["seat"][:, :seats]
    points = seat["points"].astype(np.float64)
    part = {name: seat["part"][:, :, i].sum(axis=1, dtype=np.float64) for i, name in enumerate(PART)}
    count = {name: seat["counter"][:, :, i].sum(axis=1, dtype=np.float64) for i, name in enumerate(COUNTER)}
    types = seat["counter"][:, :, COUNTER.index("types")]
    ranked = np.sort(points, axis=1)
    game, place = np.ones(len(rows)), np.full(len(rows), float(seats))
    return {
        "mean_score": (points.sum(axis=1), place),
        "square": ((points**2).sum(axis=1), place),
        "mean_winner": (ranked[:, -1], game),
        "mean_margin": (ranked[:, -1] - ranked[:, -2], game),
        "tie_for_first_rate": ((ranked[:, -1] == ranked[:, -2]).astype(np.float64), game),
        "initiative_tie_round_rate": (count["ties"], 9 * game),
        "p_5_types": ((types == 5).sum(axis=1, dtype=np.float64), place),
        "p_6_types": ((types == 6).sum(axis=1, dtype=np.float64), place),
        "hunter_fires": (count["hunters_paid"], count["hunters"]),
        "artisan_fires": (count["artisans_paid"], count["artisans"]),
        "falconer_victim": (part["falconer"], 2 * count["falconers"]),  # almost always 2 VP are there
        **{
            f"{name}_mean_vp": (part[name], count[f"{name}s"])
            for name in ("oracle", "carpenter", "falconer", "pioneer")
        },
        **{f"{kind}_mean": (part[f"{kind}s"], count[f"{kind}s"]) for kind in TYPES},
    }


def check_without_data(seats: int, games: int, seed: int) -> list[Comparison]:
    """The figures of section 12 that do not depend on the lands; within their tolerance, or the error of fewer games.

    They hold for players who play each character equally often.
    """
    pays = 19 / 24 if seats == 2 else 0.75**2 + 2 * 0.75 / 12 / 2 + (1 / 12) ** 2 / 3
    figures = {
        "hunter_fires": pays,
        "artisan_fires": pays,
        "oracle_mean_vp": 1.0 if seats == 2 else 2.0,
        "initiative_tie_round_rate": {2: 1 / 12, 3: 17 / 72, 4: 0.4271, 5: 0.6181}[seats],
    }
    if seats == 2:
        figures["falconer_victim"] = 5 / 12 + 1 / 24
    totals = sampled("default", POLICIES["uniform"], seats, games, seed)
    found = [_comparison(name, f"{figure:.4f}", *totals[name], seats, games) for name, figure in figures.items()]
    return [replace(row, error=max(TOLERANCE / WITHIN, row.error)) for row in found]
