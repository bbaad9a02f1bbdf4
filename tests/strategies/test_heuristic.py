"""The heuristic of Lost Cities against a twin in plain Python, decision by decision."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore.cardset import CardSet
from tests.reference.lost_cities_heuristic import action
from tests.simcore.games.lost_cities_stacked import shipped
from tests.simcore.lost_cities_sets import card_sets
from tests.strategies.positions import positions


def agrees(card_set: CardSet, bots: tuple[str, str], deal: int) -> int:
    """Plays a game; every decision of a heuristic in it is the twin's. Returns how many there were."""
    seats = {seat for seat, bot in enumerate(bots) if bot == "heuristic"}
    expected, taken, found = "", None, 0
    for position, next_taken in positions(card_set, bots, deal):
        if expected:
            assert position.coding.word(taken[0]) == expected
            found += 1
        taken = next_taken
        expected = action(position.table, position.seat, position.hand) if position.seat in seats else ""
    return found


@pytest.mark.engine
@pytest.mark.parametrize("name", ["single_round", "long_single_round"])
@pytest.mark.parametrize("other", ["heuristic", "uniform"])
def test_single_rounds(name: str, other: str) -> None:
    assert agrees(shipped(name), ("heuristic", other), 1) > 30


@pytest.mark.jitted
@pytest.mark.parametrize("name", ["base", "long"])
def test_matches(name: str) -> None:
    for deal in range(10):
        assert agrees(shipped(name), ("uniform", "heuristic"), deal) > 100
        assert agrees(shipped(name), ("heuristic", "heuristic"), deal) > 200


@pytest.mark.jitted
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(card_sets().filter(lambda card_set: card_set.scalars["rounds"] <= 2), st.integers(0, 1000))
def test_edited_sets(card_set: CardSet, deal: int) -> None:
    agrees(card_set, ("heuristic", "uniform"), deal)
