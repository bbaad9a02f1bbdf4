"""The features of Valletta against plain Python."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from simcore import game, records
from simcore.cardset import CardSet
from simcore.games.valletta.state import MIND
from simcore.play import Table
from tests.reference.valletta_agreement import GAME, Witness
from tests.reference.valletta_features import Looker
from tests.simcore.valletta_sets import random_set, shipped

VALLETTA = game.get(GAME)


def same(names: tuple[str, ...], mind: Any, expected: dict[str, float]) -> None:
    """The features in `mind` are the expected ones, 0 where they are not named. Nothing stands beyond."""
    values = mind.features.tolist()
    assert not any(values[len(names) :])
    assert set(expected) <= set(names)
    found = dict(zip(names, values, strict=False))
    assert found == pytest.approx(dict.fromkeys(names, 0.0) | expected, abs=1e-9)


def compare(witness: Witness, mind: Any, options: Any) -> None:
    """Of all options of the one to decide, and of the position to it."""
    match, kernels = witness.match, witness.kernels
    seat = match.actor
    public, me, cards = kernels.state.public, kernels.state.private[seat], kernels.cards
    looker = Looker(match)
    game.legal(public, me, cards, options)
    for word in range(options.start, options.stop):
        for bit in range(64):
            if int(options.mask[word]) >> bit & 1:
                action = 64 * word + bit
                mind.features[:] = np.nan
                game.features(public, me, cards, action, mind)
                same(VALLETTA.features, mind, looker.action(witness.coding.word(action)))
    mind.features[:] = np.nan
    game.value_features(public, me, cards, mind)
    same(VALLETTA.value_features, mind, looker.position())


def compare_game(card_set: CardSet, line_up: tuple[str, ...], deal: int, every: int = 1) -> None:
    mind, options = records.zero(MIND), records.zero(VALLETTA.options)
    witness = Witness(Table(GAME, card_set, len(line_up), line_up, 11))
    for number, _ in enumerate(witness.follow(deal)):
        if witness.match.actor >= 0 and number % every == deal % every:
            compare(witness, mind, options)


@pytest.mark.engine
@pytest.mark.parametrize("seats", [2, *(pytest.param(more, marks=pytest.mark.jitted) for more in (3, 4))])
def test_shipped_set(seats: int) -> None:
    compare_game(shipped(), ("uniform", *["greedy"] * (seats - 1)), 4)


@pytest.mark.jitted
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.sampled_from(["uniform", "greedy", "expert"]), st.integers(2, 4), st.integers(0, 1000))
@example(9_373_790, "uniform", 2, 0)  # 64 characters, and the last of them is hired
def test_edited_sets(number: int, bot: str, seats: int, deal: int) -> None:
    compare_game(random_set(number), ("uniform", *[bot] * (seats - 1)), deal, every=5)
