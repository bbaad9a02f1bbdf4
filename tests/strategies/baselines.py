"""Published figures of exact policies of Lost Cities, and what the bots here make of them.

Sources: tests/data/lost_cities/random_baseline.csv (1,000,000 rounds a row, another program) and the yardstick's page
(benchmarks/yardstick/README.md). The yardstick's programs number the three wagers of a colour and the heuristic's ties
go by that number; here equal cards are equal. Its figures are met with `NUMBERED` wagers, that is with a parameter
record in which every card is a type of its own; with equal ones the heuristic makes slightly fewer turns and points.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simcore import cardset
from simcore.games.lost_cities.cardset import SCHEMA
from simcore.games.lost_cities.state import CODES
from simcore.play import Table

GAME = "lost-cities"
DATA = Path(__file__).parents[1] / "data" / "lost_cities" / "random_baseline.csv"
CARD_SETS = {"base": "single_round", "long": "long_single_round"}
POLICIES = (
    "uniform",
    "uniform_card_then_deck",
    "play_first_then_deck",
    "discard_only_then_deck",
    "heuristic",
)
BLOCKS_AT_ONCE = 20_000
WITHIN = 4  # standard errors of the difference, and half a unit of the last decimal of what is published

Sample = NDArray[np.float64]


@dataclass(frozen=True)
class Baseline:
    """A line-up with its published figures."""

    card_set: str
    bots: tuple[str, str]
    rounds: int
    figures: dict[str, str]  # by name, as published
    numbered: bool = False

    @property
    def name(self) -> str:
        return f"{self.card_set}: {' / '.join(self.bots)}{' (wagers numbered)' if self.numbered else ''}"


@dataclass(frozen=True)
class Comparison:
    figure: str
    published: str
    measured: float
    error: float  # standard error of the difference

    @property
    def difference(self) -> float:
        return self.measured - float(self.published)

    @property
    def is_met(self) -> bool:
        decimals = len(self.published.partition(".")[2])
        return abs(self.difference) <= WITHIN * self.error + 0.5 * 10.0**-decimals + 1e-9


YARDSTICK = Baseline(
    card_set="single_round",
    bots=("heuristic", "heuristic"),
    rounds=4_000_000,
    figures={
        "turns_mean": "44.9793",
        "starter_mean": "18.323",
        "second_mean": "17.429",
        "starter_win": "0.5061",
        "second_win": "0.4766",
        "tie": "0.0173",
    },
    numbered=True,
)
FIGURES = (
    *("mean_a", "mean_b", "sd_a", "sd_b", "sd_difference", "win_a", "win_b", "tie", "turns_mean", "turns_sd"),
    *("starter_mean", "second_mean", "starter_win", "second_win"),
)


@cache
def published() -> tuple[Baseline, ...]:
    """The rows of the file whose two policies are exact ones, and the yardstick's."""
    with DATA.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if {row["policy_a"], row["policy_b"]} <= set(POLICIES)]
    return (
        *(
            Baseline(
                CARD_SETS[row["variant"]],
                (row["policy_a"], row["policy_b"]),
                int(row["rounds"]),
                {name: row[name] for name in FIGURES if row[name]},
            )
            for row in rows
        ),
        YARDSTICK,
    )


def compare(baseline: Baseline, rounds: int, seed: int) -> list[Comparison]:
    """Play so many rounds, each deal in both seats, and set every published figure against the measured one.

    Standard errors are of blocks (both games of a deal); the published sample's is that of its rounds, with the spread
    that is measured here.
    """
    blocks = -(-rounds // 2)
    samples = [sampled(rows) for rows in play(baseline, blocks, seed)]
    sample = {name: np.concatenate([part[name] for part in samples]) for name in samples[0]}
    found = []
    for name, figure in baseline.figures.items():
        if name.startswith("sd_") or name == "turns_sd":
            values = sample["turns" if name == "turns_sd" else name.removeprefix("sd_")]
            centred = (values - values.mean()) ** 2
            measured = sqrt(centred.mean())
            scale = 1 / (2 * measured) if measured else 0.0  # the slope of the square root
        else:
            centred = sample[name.removesuffix("_mean") if name == "turns_mean" else name]
            measured, scale = float(centred.mean()), 1.0
        ours = centred.reshape(blocks, 2).mean(axis=1).std() / sqrt(blocks)
        theirs = centred.std() / sqrt(baseline.rounds)
        found.append(Comparison(name, figure, measured, scale * sqrt(ours**2 + theirs**2)))
    return found


def play(baseline: Baseline, blocks: int, seed: int) -> Iterator[NDArray[np.void]]:
    """The rows of the games."""
    table = Table(GAME, cardset.load(SCHEMA, baseline.card_set), 2, baseline.bots, seed)
    if baseline.numbered:
        number_the_copies(table)
    for first in range(0, blocks, BLOCKS_AT_ONCE):
        for played in table.play(first, min(blocks, first + BLOCKS_AT_ONCE)):
            yield played.rows


def number_the_copies(table: Table) -> None:
    """Make every card a type of its own, in a copy of the table's parameter record."""
    table.cards = table.cards.copy()
    for code in range(CODES):
        word, bit = divmod(code, 64)
        if table.cards.copies[code].any():
            table.cards.copies[code] = 0
            table.cards.copies[code, word] = np.uint64(1) << np.uint64(bit)
            table.cards.type[code] = code


def sampled(rows: NDArray[np.void]) -> dict[str, Sample]:
    """What each game says to each figure. Bot a sits in seat 0 in a block's first game, in seat 1 in its second."""
    points = rows["seat"]["points"].astype(np.float64)
    order = rows["seat"]["order"]
    a = np.arange(len(rows)) % 2
    game = np.arange(len(rows))
    mean_a, mean_b = points[game, a], points[game, 1 - a]
    first = (order[:, 1] == 0).astype(int)
    starter, second = points[game, first], points[game, 1 - first]
    return {
        "turns": rows["turns"].astype(np.float64),
        "mean_a": mean_a,
        "mean_b": mean_b,
        "a": mean_a,
        "b": mean_b,
        "difference": mean_a - mean_b,
        "win_a": (mean_a > mean_b).astype(np.float64),
        "win_b": (mean_b > mean_a).astype(np.float64),
        "tie": (mean_a == mean_b).astype(np.float64),
        "starter_mean": starter,
        "second_mean": second,
        "starter_win": (starter > second).astype(np.float64),
        "second_win": (second > starter).astype(np.float64),
    }
