"""Imagined states of Lisboa: they fit what the seat knows, and follow the law of the deal (L-3.1)."""

from collections import Counter
from itertools import pairwise
from math import comb, factorial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import records
from simcore.cardset import CardSet
from simcore.games.lisboa.state import CARDS, DECREES, KINDS, STATE, Phase
from simcore.play import Table
from tests.simcore import imagining
from tests.simcore.imagining import even, find, imagined, noise_of, play_on, positions
from tests.simcore.lisboa_sets import card_sets, shipped

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

GAME = "lisboa"
SEATS = (2, 3, 4)
DRAWS = 3_000
BLUE, RED, PURPLE, BROWN = range(4)  # decks


def table_of(card_set: CardSet, seats: int) -> Table:
    return imagining.table_of(GAME, card_set, seats)


def members(words: Any, capacity: int) -> set[int]:
    """The members of a set of cards or decrees."""
    return {code for code in range(capacity) if int(words[code // 64]) >> code % 64 & 1}


def hand(state: Any, seat: int) -> list[int]:
    return [int(card) for card in state.private[seat].hand[: state.public.hand[seat]]]


def display(state: Any, kind: int) -> list[int]:
    return [int(card) for card in state.secret.deck[kind][: state.public.deck[kind]]]


def stack(state: Any, architect: int) -> list[int]:
    return [int(building) for building in state.secret.stack[architect][: state.public.stack[architect]]]


def bag(state: Any) -> list[int]:
    return [int(tile) for tile in state.secret.bag[: int(state.public.bag).bit_count()]]


def decrees(state: Any) -> list[int]:
    return [int(decree) for decree in state.secret.decree[: state.public.decree_deck]]


def check_fit(table: Table, seat: int, state: Any) -> None:
    """What a seat sees is as it is; what it cannot see is all the rest, and as much of it as there is."""
    real, public = table.state, state.public
    assert public.tobytes() == real.public.tobytes()
    assert state.private[seat].tobytes() == real.private[seat].tobytes()
    assert state.secret.news.count == 0
    if public.phase == Phase.SETUP:  # nothing else has been dealt
        return
    check_cards(table, seat, state)
    assert sorted(bag(state)) == sorted(bag(real))
    assert sorted(decrees(state)) == sorted(decrees(real)) == sorted(members(public.decrees_left, DECREES))
    for architect in range(2):
        assert stack(state, architect)[-2:] == stack(real, architect)[-2:]
    assert sorted(stack(state, 0) + stack(state, 1)) == sorted(stack(real, 0) + stack(real, 1))


def check_cards(table: Table, seat: int, state: Any) -> None:
    """Hands and the display."""
    real, public, origin = table.state, state.public, table.cards.origin
    seen = members(public.seen, CARDS)
    for other in range(table.seats):
        cards = hand(state, other)
        assert [origin[card] for card in cards] == [origin[card] for card in hand(real, other)]
        assert [card for card in cards if origin[card] in (RED, BROWN)] == list(
            public.open[other][: public.opened[other]]
        )
        assert {card for card in cards if origin[card] in (BLUE, PURPLE)}.isdisjoint(seen)
        assert not state.private[other].hand[public.hand[other] :].any()
    for kind in range(KINDS):
        assert sorted(display(state, kind)) == sorted(display(real, kind))
        if public.face[kind] >= 0:
            assert display(state, kind)[-1] == public.face[kind]
    everywhere = [card for other in range(table.seats) for card in hand(state, other)]
    everywhere += [card for kind in range(KINDS) for card in display(state, kind)]
    assert len(set(everywhere)) == len(everywhere)


@pytest.mark.parametrize("seats", SEATS)
def test_what_a_seat_knows_is_as_it_is(seats: int) -> None:
    """L-3.1: every card drawn from the display was seen, and everybody remembers it."""
    table, state = table_of(shipped(), seats), records.zero(STATE)
    opened = 0
    for number in positions(table, 1):
        if number % 3 == 0:
            for seat in range(seats):
                check_fit(table, seat, imagined(table, seat, noise_of(number), state))
        opened += int(table.state.public.opened.sum())
    assert opened > 0


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
    table = table_of(shipped(), seats)
    for number in positions(table, 4):
        if number % 41 == 0:
            playout = table_of(shipped(), seats)
            playout.state = imagined(table, int(table.state.public.actor), noise_of(number))
            play_on(playout)
            assert playout.state.public.phase == Phase.OVER
            assert playout.state.public.turns % seats == 0


# --- The law ---------------------------------------------------------------------------------------------------------


def test_hands_of_others() -> None:
    """Every hand that fits is alike: any of the unseen blue cards."""
    table = table_of(shipped(), 2)
    find(table, lambda public: public.turns == 8 and public.dealt[0][0] == 2 and public.period == 0)
    public, noise, state = table.state.public, noise_of(1), records.zero(STATE)
    own, seen = set(hand(table.state, 1)), members(public.seen, CARDS)
    deck = table.cards.hand_deck[0]
    unknown = {int(card) for card in deck.code[: deck.count]} - own - seen
    hands: Counter[tuple[int, ...]] = Counter()
    for _ in range(DRAWS):
        imagined(table, 1, noise, state)
        hands[tuple(sorted(unknown & set(hand(state, 0))))] += 1
    even(hands, comb(len(unknown), 2))


def test_what_lies_face_down_lies_in_any_order() -> None:
    """L-3.1: the decks of the display, below the card that is face up, and the bag."""
    table = table_of(shipped(), 3)
    find(table, lambda public: public.deck[0] == 4 and public.face[0] >= 0 and int(public.bag).bit_count() > 3)
    noise, state = noise_of(2), records.zero(STATE)
    orders: Counter[tuple[int, ...]] = Counter()
    firsts: Counter[int] = Counter()
    for _ in range(DRAWS):
        imagined(table, 0, noise, state)
        orders[tuple(display(state, 0)[:-1])] += 1
        firsts[bag(state)[-1]] += 1
    even(orders, factorial(3))
    even(firsts, int(table.state.public.bag).bit_count())


def test_public_buildings_below_the_next_one_may_be_any() -> None:
    """L-2.1 c: two of each stack are seen; the others lie in either stack."""
    table = table_of(shipped(), 2)
    find(table, lambda public: public.turns == 6)
    noise, state = noise_of(3), records.zero(STATE)
    lowest: Counter[int] = Counter()
    for _ in range(DRAWS):
        imagined(table, 0, noise, state)
        lowest[stack(state, 0)[0]] += 1
    even(lowest, sum(len(stack(table.state, architect)) - 2 for architect in range(2)))


def test_a_hand_keeps_its_order() -> None:
    """Cards of the purple deck lie between those of the red and the brown decks."""
    table = table_of(shipped(), 2)

    def wanted(public: Any) -> bool:
        return bool(public.period == 1 and public.dealt[0][1] > 0 and public.opened[0] > 1)

    find(table, wanted)
    state = imagined(table, 1, noise_of(4))
    decks = [int(table.cards.origin[card]) for card in hand(state, 0)]
    assert all(first <= second for first, second in pairwise(decks))
