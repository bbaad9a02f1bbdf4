"""How well the bots of Lost Cities play, with margins of at least four standard errors."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from simcore import cardset
from simcore.games.lost_cities.cardset import SCHEMA
from simcore.play import Table
from tests.simcore.games.lost_cities_stacked import edited

GAME = "lost-cities"
BLOCKS = 3000
pytestmark = pytest.mark.jitted


@cache
def rows(bot: str, other: str, name: str = "single_round") -> NDArray[np.void]:
    played = Table(GAME, cardset.load(SCHEMA, name), 2, (bot, other), 2024).play(0, BLOCKS)
    return np.concatenate([part.rows for part in played])


def margins(bot: str, other: str, name: str = "single_round") -> NDArray[np.float64]:
    """What a bot is ahead of another in each block, points a game."""
    points = rows(bot, other, name)["seat"]["points"].astype(np.float64)
    lead = points[:, 0] - points[:, 1]
    return np.asarray((lead[::2] - lead[1::2]) / 2)


def least(values: NDArray[np.float64]) -> float:
    return float(values.mean() - 4 * values.std() / np.sqrt(len(values)))


@pytest.mark.parametrize(
    ("bot", "other", "name", "points"),
    [
        ("expert", "heuristic", "single_round", 15),
        ("expert", "heuristic", "long_single_round", 20),
        ("expert", "linear", "single_round", 0),
        ("expert", "expert-noisy", "single_round", 0),
        ("linear", "heuristic", "single_round", 10),
        ("linear", "heuristic", "long_single_round", 12),
        ("heuristic", "uniform", "single_round", 100),
    ],
)
def test_margins(bot: str, other: str, name: str, points: float) -> None:
    assert least(margins(bot, other, name)) > points


@pytest.mark.parametrize("name", ["single_round", "long_single_round"])
def test_the_expert_against_itself(name: str) -> None:
    """A strong score, not above 50 as if the two helped each other, and no stalling."""
    played = rows("expert", "expert", name)
    points = played["seat"]["points"][::2].astype(np.float64)
    assert least(points.mean(axis=1)) > 30
    assert points.mean() < 50
    assert 20 < points.std() < 40
    deck = {"single_round": 44, "long_single_round": 56}[name]
    assert played["turns"].mean() < 1.2 * deck
    assert played["turns"].max() < 2 * deck + 10
    assert not played["truncated"].any()


@pytest.mark.parametrize("other", ["uniform", "discard_only_then_deck", "linear"])
def test_the_expert_never_stalls(other: str) -> None:
    played = rows("expert", other)
    assert not played["truncated"].any()
    assert played["turns"].max() < 250


@pytest.mark.parametrize(
    "scalars",
    [
        {"expedition_cost": 0},
        {"expedition_cost": 40},
        {"bonus_points": 100, "bonus_min_cards": 5},
        {"bonus_points": -100},
        {"hand_size": 5},
        {"hand_size": 14},
        {"max_turns": 25},
    ],
    ids=str,
)
def test_the_expert_reads_the_card_set(scalars: dict[str, int]) -> None:
    """It is ahead of the heuristic, which does not, wherever prices, bonuses and sizes have changed."""
    played = next(Table(GAME, edited("single_round", **scalars), 2, ("expert", "heuristic"), 7).play(0, 1000)).rows
    lead = played["seat"]["points"].astype(np.float64)
    lead = lead[:, 0] - lead[:, 1]
    assert least((lead[::2] - lead[1::2]) / 2) > 3


def test_points_are_counted_in_the_card_sets_own_units() -> None:
    """With all values, prices and bonuses doubled the expert plays the same games."""
    base = cardset.load(SCHEMA, "single_round")
    scalars = base.scalars | {name: 2 * base.scalars[name] for name in ("expedition_cost", "bonus_points")}
    cards = [
        {"id": card["id"], "color": card["color"], "kind": card["kind"], "value": 2 * card["value"]}
        for card in base.tables["cards"]
    ]
    large = cardset.build(SCHEMA, "large", scalars, {"cards": cards})
    tables = [Table(GAME, card_set, 2, ("expert", "expert"), 7) for card_set in (base, large)]
    small_rows, large_rows = (next(table.play(0, 300)).rows for table in tables)
    same = (2 * small_rows["seat"]["points"] == large_rows["seat"]["points"]).all(axis=1)
    assert same.mean() > 0.98  # not all: `hope` has a constant that keeps a price of 0 from dividing
