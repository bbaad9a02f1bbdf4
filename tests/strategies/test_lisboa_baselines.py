"""The bots of Lisboa win what they won when they were written."""

import pytest

from tests.strategies.lisboa_baselines import MEASURED, Figure, compare

pytestmark = pytest.mark.jitted

GAMES = 2_000


@pytest.mark.parametrize("figure", MEASURED, ids=[figure.name for figure in MEASURED])
def test_shares_of_wins_are_met(figure: Figure) -> None:
    """More games: benchmarks/studies/baselines.py."""
    assert compare(figure, GAMES, seed=11).is_met
