"""What shuffled decks must look like: chi-square tests of where cards lie, of hands, and of orders of cards.

`benchmarks/studies/deals.py` makes the same tests with a million deals.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import stats

from simcore import records
from simcore.play import _parameters
from simcore.random import CHANCE, shuffle
from tests.simcore.games.lost_cities_stacked import shipped

Places = NDArray[np.uint8]


@dataclass(frozen=True)
class Check:
    """A chi-square test: its statistic has this many degrees of freedom if the law holds."""

    name: str
    statistic: float
    freedom: int

    @property
    def p(self) -> float:
        return float(stats.chi2.sf(self.statistic, self.freedom))


def places(card_set: str, seed: int, deals: int, purpose: int = 0) -> Places:
    """The place in the deck of each card of a shipped set of Lost Cities, an array (deals, cards)."""
    deck = _parameters("lost-cities", shipped(card_set), 2).deck.copy()
    for i in range(deck.count):
        deck.code[i] = i
    chance = records.zero(CHANCE)
    chance.seed = seed
    out = np.zeros((deals, int(deck.count)), np.uint8)
    _deal(chance, purpose, deck, np.zeros(128, np.uint8), out)
    return out


@njit
def _deal(chance, purpose, deck, order, out):  # type: ignore[no-untyped-def]
    for deal in range(out.shape[0]):
        chance.deal = np.uint64(deal)
        shuffle(chance, purpose, deck, order)
        for i in range(deck.count):
            out[deal, order[i]] = i


def checks(place: Places, hand: int = 8) -> Iterator[Check]:
    """All tests; a deck has at least 12 cards, the first and the last `hand` of a deck are the hands."""
    deals, cards = place.shape
    yield _positions(place)
    yield _hands(place < hand, "cards of the first hand")
    yield _hands(place >= cards - hand, "cards of the second hand")
    for name, group in (("first twelve", slice(12)), ("every fifth", slice(None, None, 5))):
        held = (place[:, group] < hand).sum(axis=1)
        law = stats.hypergeom(cards, place[0, group].size, hand)
        yield _frequencies(held, law.pmf(np.arange(hand + 1)) * deals, f"number of the {name} in a hand")
    yield _orders(place)
    yield _pairs(place)
    yield _independent(place[:-1, 0], place[1:, 0], cards, "a card in successive deals")
    yield _independent(place[:, 0], place[:, 1], cards, "two cards of a deal", exclusive=True)


def _positions(place: Places) -> Check:
    """Every card at every place alike. Of sums of random permutation matrices, n - 1 over n of the usual statistic has
    (n - 1)^2 degrees of freedom."""
    deals, cards = place.shape
    counts = np.stack([np.bincount(place[:, card], minlength=cards) for card in range(cards)])
    expected = deals / cards
    statistic = ((counts - expected) ** 2 / expected).sum() * (cards - 1) / cards
    return Check("places of cards", float(statistic), (cards - 1) ** 2)


def _hands(held: NDArray[np.bool_], name: str) -> Check:
    """Every card in a hand of h cards alike: counts of a sample without replacement, with n - 1 degrees of freedom."""
    deals, cards = held.shape
    share = held[0].sum() / cards
    variance = deals * share * (1 - share) * cards / (cards - 1)
    statistic = ((held.sum(axis=0) - deals * share) ** 2).sum() / variance
    return Check(name, float(statistic), cards - 1)


def _frequencies(values: NDArray[np.integer], expected: NDArray[np.float64], name: str) -> Check:
    """Rare values at the end count as one."""
    counts = np.bincount(values, minlength=len(expected)).astype(float)
    last = int(np.flatnonzero(expected >= 20)[-1])
    counts = np.append(counts[:last], counts[last:].sum())
    expected = np.append(expected[:last], expected[last:].sum())
    return Check(name, float(((counts - expected) ** 2 / expected).sum()), last)


def _orders(place: Places) -> Check:
    """All 120 orders of five cards alike."""
    five = place[:, :: place.shape[1] // 5][:, :5]
    order = np.argsort(five, axis=1) @ 5 ** np.arange(5)
    counts = np.unique(order, return_counts=True)[1]
    expected = len(place) / 120
    missing = (120 - len(counts)) * expected
    return Check("orders of five cards", float(((counts - expected) ** 2 / expected).sum() + missing), 119)


def _pairs(place: Places) -> Check:
    """Which card of a pair comes first tells nothing about another pair: the sum over all pairs of 8 disjoint pairs."""
    first = np.stack([place[:, 2 * i] < place[:, 2 * i + 1] for i in range(8) if 2 * i + 1 < place.shape[1]], axis=1)
    sign = 2.0 * first - 1.0
    products = [(sign[:, a] * sign[:, b]).sum() for a, b in combinations(range(sign.shape[1]), 2)]
    single = sign.sum(axis=0)
    statistic = (np.square(products).sum() + np.square(single).sum()) / len(place)
    return Check("orders of pairs", float(statistic), len(products) + len(single))


def _independent(a: Places, b: Places, cards: int, name: str, exclusive: bool = False) -> Check:
    """Whether two cards lie in the same sixth of the deck is by chance alone."""
    bins = 6
    width = cards // bins
    table = np.bincount(bins * (a // width) + b // width, minlength=bins * bins).reshape(bins, bins)
    expected = np.full((bins, bins), width * width)
    if exclusive:
        expected -= width * np.eye(bins, dtype=int)
    expected = expected / expected.sum() * len(a)
    return Check(name, float(((table - expected) ** 2 / expected).sum()), bins * bins - 1)
