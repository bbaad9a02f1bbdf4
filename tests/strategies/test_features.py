"""The features of Lost Cities against plain Python, and the weights that belong to every game's."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import bots, game, records, weights
from simcore.cardset import CardSet
from simcore.games.lost_cities.state import MIND
from strategies import linear
from tests.reference.lost_cities_features import Looker
from tests.simcore.games.lost_cities_stacked import shipped
from tests.simcore.lost_cities_sets import card_sets
from tests.strategies.positions import Position, positions

GAME = game.get("lost-cities")


def named(names: tuple[str, ...], mind: Any) -> dict[str, float]:
    """The features that are not 0. Nothing stands beyond the named ones."""
    values = mind.features.tolist()
    assert not any(values[len(names) :])
    return {name: value for name, value in zip(names, values, strict=False) if value}


def compare(position: Position) -> None:
    mind = records.zero(MIND)
    looker = Looker(position.table, position.seat, position.hand)
    public, me, cards = position.public, position.me, position.kernels.cards
    options = records.zero(GAME.options)
    game.legal(public, me, cards, options)
    for word in range(options.start, options.stop):
        for bit in range(64):
            if int(options.mask[word]) >> bit & 1:
                mind.features[:] = np.nan
                game.features(public, me, cards, 64 * word + bit, mind)
                expected = looker.action(position.coding.word(64 * word + bit))
                assert named(GAME.features, mind) == pytest.approx(expected)
    mind.features[:] = np.nan
    game.value_features(public, me, cards, mind)
    assert named(GAME.value_features, mind) == pytest.approx(looker.position())


@pytest.mark.engine
@pytest.mark.parametrize("name", ["single_round", "long_single_round"])
def test_shipped_sets(name: str) -> None:
    for position, _ in positions(shipped(name), ("heuristic", "uniform"), 4):
        compare(position)


@pytest.mark.jitted
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(card_sets(), st.sampled_from([("uniform", "expert"), ("linear", "uniform")]), st.integers(0, 1000))
def test_edited_sets(card_set: CardSet, pair: tuple[str, str], deal: int) -> None:
    for number, (position, _) in enumerate(positions(card_set, pair, deal)):
        if number % 7 == deal % 7:
            compare(position)
        if number > 300:
            break


def test_the_shipped_weights_are_those_of_the_features() -> None:
    for path in linear.WEIGHTS.glob("*.toml"):
        file = weights.read(path)
        declared = game.get(file.game)
        assert file.bot == "linear"
        assert tuple(file.weights) == declared.features
        assert file.fitted
        _, _, seats = path.stem.removeprefix(declared.name).rpartition("-")
        assert path.stem == declared.name + (f"-{seats}" if seats else "")
        shipped = bots.get(declared.name, "linear").weights_for(int(seats or min(declared.seats)))
        assert shipped == tuple(file.weights.values())


@pytest.mark.jitted
def test_linear_takes_the_option_of_the_highest_score() -> None:
    weights = np.array(bots.get(GAME.name, "linear").weights)
    mind, options = records.zero(MIND), records.zero(GAME.options)
    expected, taken = None, []
    for position, next_taken in positions(shipped("single_round"), ("linear", "linear"), 2):
        if expected is not None:
            assert taken[0] == expected
        taken, scores = next_taken, {}
        public, me, cards = position.public, position.me, position.kernels.cards
        game.legal(public, me, cards, options)
        for word in range(options.start, options.stop):
            for bit in range(64):
                if int(options.mask[word]) >> bit & 1:
                    game.features(public, me, cards, 64 * word + bit, mind)
                    scores[64 * word + bit] = round(float(weights @ mind.features[: len(weights)]), 9)
        expected = max(scores, key=lambda action: scores[action])  # of equals the first
