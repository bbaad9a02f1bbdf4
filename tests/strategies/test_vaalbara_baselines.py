"""The exact policies of Vaalbara meet the published figures (section 12 of the rules page)."""

import pytest

from tests.strategies.vaalbara_baselines import check_without_data, compare, published

pytestmark = pytest.mark.jitted

GAMES = 30_000
ROWS = [row for row in published() if (row["variant"], row["players"]) != ("default", "3")]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['variant']}-{row['players']}-{row['policy']}" for row in ROWS])
def test_published_figures_are_met(row: dict[str, str]) -> None:
    """VB-I14, and in the figures every rule of play; a million games: benchmarks/studies/baselines.py."""
    missed = [comparison for comparison in compare(row, GAMES, seed=11) if not comparison.is_met]
    assert not missed


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_figures_that_do_not_depend_on_the_lands(seats: int) -> None:
    """VB-4.2, VB-6.3, VB-6.4, VB-6.6, VB-6.10."""
    missed = [comparison for comparison in check_without_data(seats, GAMES, seed=12) if not comparison.is_met]
    assert not missed
