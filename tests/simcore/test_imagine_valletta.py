"""Imagined states of Valletta: they fit what the seat knows, and follow the law of the deal (VT-15.2, VT-19.7)."""

from collections import Counter
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import records
from simcore.cardset import CardSet
from simcore.games.valletta.state import STATE
from simcore.play import Table
from tests.simcore import imagining
from tests.simcore.imagining import even, find, imagined, noise_of, play_on, positions
from tests.simcore.valletta_sets import card_sets, shipped

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

GAME = "valletta"
SEATS = (2, 3, 4)
DRAWS = 3_000


def table_of(card_set: CardSet, seats: int) -> Table:
    return imagining.table_of(GAME, card_set, seats)


def cards_of(counts) -> Counter[int]:  # type: ignore[no-untyped-def]
    return Counter({character: int(count) for character, count in enumerate(counts) if count})


def pile(state, seat: int) -> list[int]:  # type: ignore[no-untyped-def]
    return [int(card) for card in state.secret.deck[seat][: state.public.deck[seat]]]


def check_fit(table: Table, seat: int, state) -> None:  # type: ignore[no-untyped-def]
    """What a seat sees is as it is; what it cannot see is all the rest, and as much of it as there is."""
    real, public = table.state, state.public
    assert public.tobytes() == real.public.tobytes()
    assert state.private[seat].tobytes() == real.private[seat].tobytes()
    for other in range(table.seats):
        me = state.private[other]
        hand = cards_of(me.hand)
        slots = [int(card) for card in public.slot[: public.plays]] if other == public.active else []
        assert hand.total() == public.hand[other]
        assert {character for character in range(64) if int(me.held) >> character & 1} == set(hand)
        assert cards_of(public.known[other]) <= hand
        laid = hand + Counter(pile(state, other)) + cards_of(public.discard[other]) + Counter(slots)
        assert laid == cards_of(public.owned[other])
    left = [int(good) for good in state.secret.barrel[public.jean : table.cards.spaces]]
    turned = Counter({good: int(count) for good, count in enumerate(public.turned) if count})
    deck = table.cards.barrel_deck
    assert Counter(left) + turned == Counter(int(good) for good in deck.code[: deck.count])


@pytest.mark.parametrize("seats", SEATS)
def test_what_a_seat_knows_is_as_it_is(seats: int) -> None:
    """VT-15.1, VT-15.2: everybody remembers what went where in the open."""
    table, state = table_of(shipped("standard"), seats), records.zero(STATE)
    known = 0
    for number in positions(table, 1):
        if number % 3 == 0:
            for seat in range(seats):
                check_fit(table, seat, imagined(table, seat, noise_of(number), state))
        known += int(table.state.public.known.sum())
    assert known > 0


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(card_sets(), st.sampled_from(SEATS), st.integers(0, 1000))
def test_what_a_seat_knows_is_as_it_is_with_edited_sets(card_set: CardSet, seats: int, deal: int) -> None:
    table = table_of(card_set, seats)
    for number in positions(table, deal):
        if number % 17 == 0:
            check_fit(table, number % seats, imagined(table, number % seats, noise_of(number)))


@pytest.mark.parametrize("seats", SEATS)
def test_an_imagined_game_can_be_played_to_its_end(seats: int) -> None:
    """Search does nothing else."""
    table = table_of(shipped("standard"), seats)
    for number in positions(table, 4):
        if number % 101 == 0:
            playout = table_of(shipped("standard"), seats)
            playout.state = imagined(table, int(table.state.public.actor), noise_of(number))
            play_on(playout)
            assert playout.state.public.final == 1
            assert list(playout.state.public.hand[:seats]) == [0] * seats


# --- The law ---------------------------------------------------------------------------------------------------------


def hidden(table: Table, seat: int) -> Counter[int]:
    """The cards of a seat that are in its hand or draw pile for all that others know."""
    public = table.state.public
    slots = public.slot[: public.plays] if seat == public.active else []
    seen = cards_of(public.discard[seat]) + cards_of(public.known[seat]) + Counter(int(card) for card in slots)
    return cards_of(public.owned[seat]) - seen


def test_hands_of_others() -> None:
    """VT-19.7: every hand that fits is alike; what everyone can tell to be in it is in it."""
    table = table_of(shipped("standard"), 3)

    def wanted(public) -> bool:  # type: ignore[no-untyped-def]
        unknown = hidden(table, 0)
        return bool(
            public.active == 2 and public.known[0].any() and unknown.total() == len(unknown) > public.deck[0] > 1
        )

    find(table, wanted)
    public, noise, state = table.state.public, noise_of(1), records.zero(STATE)
    known, unknown = cards_of(public.known[0]), hidden(table, 0)
    missing = int(public.hand[0]) - known.total()
    assert missing > 0
    hands: Counter[tuple[int, ...]] = Counter()
    for _ in range(DRAWS):
        imagined(table, 2, noise, state)
        hands[tuple(sorted((cards_of(state.private[0].hand) - known).elements()))] += 1
    even(hands, comb(len(unknown), missing))


def test_the_own_draw_pile_lies_in_any_order() -> None:
    """VT-5.5: not even its owner knows the order."""
    table = table_of(shipped("standard"), 2)
    find(table, lambda public: public.deck[0] == 3 == len(set(pile(table.state, 0))))
    noise, state = noise_of(2), records.zero(STATE)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(DRAWS):
        imagined(table, 0, noise, state)
        orders[tuple(pile(state, 0))] += 1
    even(orders, factorial(3))


def test_barrels_lie_in_any_order() -> None:
    """VT-3.1, VT-15.1: those that have not been turned up."""
    table = table_of(shipped("standard"), 4)
    find(table, lambda public: public.jean == 22)
    noise, state = noise_of(3), records.zero(STATE)
    left = Counter(int(good) for good in table.state.secret.barrel[22:25])
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(DRAWS):
        imagined(table, 0, noise, state)
        orders[tuple(int(good) for good in state.secret.barrel[22:25])] += 1
    repeated = 1
    for copies in left.values():
        repeated *= factorial(copies)
    even(orders, factorial(3) // repeated)


@pytest.mark.jitted
def test_real_hands_are_as_often_as_imagined_ones() -> None:
    """Players who choose at random hold each hidden card as often as `imagine` says: h copies in u for a hand with h
    hidden ones of u.
    """
    table = table_of(shipped("standard"), 2)
    surplus, variance = np.zeros(64), np.zeros(64)
    for deal in range(30):
        for _ in positions(table, deal):
            public = table.state.public
            if public.active != 0 or public.plays != 0 or public.aside != 0 or public.final:
                continue
            unknown = hidden(table, 1)
            hand = cards_of(table.state.private[1].hand) - cards_of(public.known[1])
            if not unknown or not hand:
                continue
            p = hand.total() / unknown.total()
            for character, copies in unknown.items():
                surplus[character] += hand[character] - p * copies
                variance[character] += copies * p * (1 - p)
    seen = variance > 10
    assert seen.sum() > 8
    # Positions of one game go together: the real spread is at most that of turns that are all alike.
    assert (np.abs(surplus[seen]) < 4 * np.sqrt(8 * variance[seen])).all()
