"""The features of Lisboa against plain Python."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import game, records
from simcore.cardset import CardSet
from simcore.games.lisboa.state import MIND
from simcore.play import Table
from tests.reference.lisboa_agreement import GAME, Witness
from tests.reference.lisboa_features import Looker
from tests.simcore.lisboa_sets import random_set, shipped

LISBOA = game.get(GAME)


def same(names: tuple[str, ...], mind: Any, expected: dict[str, float]) -> None:
    """The features in `mind` are the expected ones, 0 where they are not named. Nothing stands beyond."""
    values = mind.features.tolist()
    assert not any(values[len(names) :])
    assert set(expected) <= set(names)
    found = dict(zip(names, values, strict=False))
    assert found == pytest.approx(dict.fromkeys(names, 0.0) | expected, abs=1e-9)


def compare(witness: Witness, mind: Any) -> None:
    """Of all options of the one to decide, and of the position to it."""
    match, kernels = witness.match, witness.kernels
    seat = match.actor
    public, me, cards = kernels.state.public, kernels.state.private[seat], kernels.cards
    looker = Looker(match)
    for word in match.options() or ():
        action = witness.coding.action(match.table, seat, match.decision, word)
        mind.features[:] = np.nan
        game.features(public, me, cards, action, mind)
        same(LISBOA.features, mind, looker.action(word))
    mind.features[:] = np.nan
    game.value_features(public, me, cards, mind)
    same(LISBOA.value_features, mind, looker.position())


def compare_game(card_set: CardSet, line_up: tuple[str, ...], deal: int, every: int = 1) -> None:
    mind = records.zero(MIND)
    witness = Witness(Table(GAME, card_set, len(line_up), line_up, 11))
    for number, _ in enumerate(witness.follow(deal)):
        if witness.match.actor >= 0 and number % every == deal % every:
            compare(witness, mind)


@pytest.mark.jitted
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_shipped_set(seats: int) -> None:
    compare_game(shipped(), ("uniform", *["greedy"] * (seats - 1)), 4)


@pytest.mark.jitted
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.sampled_from(["uniform", "greedy"]), st.integers(2, 4), st.integers(0, 1000))
def test_edited_sets(number: int, bot: str, seats: int, deal: int) -> None:
    compare_game(random_set(number), ("uniform", *[bot] * (seats - 1)), deal, every=5)
