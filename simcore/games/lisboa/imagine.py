"""Lisboa: a full state that fits what a seat knows, by the right law (L-3.1)."""

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, ONE, bit, lowest
from simcore.games.lisboa.state import (
    ARCHITECTS,
    HAND,
    KINDS,
    NOTHING,
    STATE,
    WORDS,
)
from simcore.random import below


@njit
def imagine(state, public, me, seat, cards, noise):
    """Fill `state`: the table as it is, the seat's own hand, the rest by the law of the deal.

    Everyone knows the cards of a hand that were drawn in the open, and how many of the others came from which deck of
    hands. Those are any of the cards of that deck that have not been seen. Every order of what lies face down is alike.
    """
    state.public = public
    for other in range(cards.seats):
        if other == seat:
            state.private[other] = me
    for period in range(public.period + 1):
        imagine_dealt(state, public, me, seat, cards, period, noise)
    for other in range(cards.seats):
        if other != seat:
            merge_open(state.private[other].hand, public, other, cards)
    imagine_display(state, public, cards, noise)
    imagine_bag(state, public, noise)
    imagine_decrees(state, public, noise)
    imagine_stacks(state, public, cards, noise)
    state.secret.news.count = 0


# --- Hands -----------------------------------------------------------------------------------------------------------


@njit
def imagine_dealt(state, public, me, seat, cards, period, noise):
    """Cards of a deck of hands into the other hands; what was dealt first lies first."""
    room, deck, count = state.secret.room, cards.hand_deck[period], np.int64(0)
    for i in range(deck.count):
        card = np.int64(deck.code[i])
        is_unknown = public.seen[card // 64] & bit(card % 64) == NONE
        for slot in range(public.hand[seat]):
            is_unknown &= me.hand[slot] != card
        if is_unknown:
            room[count] = card
            count += 1
    shuffle_freely(room, count, noise)
    for other in range(cards.seats):
        if other != seat:
            hand, first = state.private[other].hand, public.dealt[other, 0] * period
            for slot in range(first, first + public.dealt[other, period]):
                count -= 1
                hand[slot] = room[count]


@njit
def merge_open(hand, public, seat, cards):
    """Between the cards dealt, those drawn in the open: all from the red decks came before the purple deck's, all from
    the brown ones after them.
    """
    first, second = public.dealt[seat, 0], public.dealt[seat, 1]
    red = np.int64(0)
    for i in range(public.opened[seat]):
        red += np.int64(cards.origin[public.open[seat, i]] == 1)
    for i in range(second - 1, -1, -1):
        hand[first + red + i] = hand[first + i]
    for i in range(public.opened[seat]):
        hand[first + i + second * np.int64(i >= red)] = public.open[seat, i]
    for slot in range(public.hand[seat], HAND):
        hand[slot] = 0


# --- What lies face down ---------------------------------------------------------------------------------------------


@njit
def imagine_display(state, public, cards, noise):
    """The display decks of the period; the card face up is the last one."""
    deck, room = cards.display_deck[public.period], state.secret.room
    for kind in range(KINDS):
        count = np.int64(0)
        for i in range(deck.count):
            card = np.int64(deck.code[i])
            if cards.kind[card] == kind and public.seen[card // 64] & bit(card % 64) == NONE:
                room[count] = card
                count += 1
        shuffle_freely(room, count, noise)
        hidden = public.deck[kind] - np.int64(public.face[kind] != NOTHING)
        for i in range(hidden):
            state.secret.deck[kind, i] = room[i]
        if public.face[kind] != NOTHING:
            state.secret.deck[kind, hidden] = public.face[kind]


@njit
def imagine_bag(state, public, noise):
    """The Clergy tiles in the bag."""
    left, count = public.bag, np.int64(0)
    while left != NONE:
        state.secret.bag[count] = lowest(left)
        left &= left - ONE
        count += 1
    shuffle_freely(state.secret.bag, count, noise)


@njit
def imagine_decrees(state, public, noise):
    """The deck of decrees."""
    count = np.int64(0)
    for word in range(WORDS):
        left = public.decrees_left[word]
        while left != NONE:
            state.secret.decree[count] = 64 * word + lowest(left)
            left &= left - ONE
            count += 1
    shuffle_freely(state.secret.decree, count, noise)


@njit
def imagine_stacks(state, public, cards, noise):
    """Public buildings: the current one and the next of each stack are seen, as are those on the map."""
    placed, room, count = NONE, state.secret.room, np.int64(0)
    for site in range(public.site_building.shape[0]):
        if public.site_building[site] != NOTHING:
            placed |= bit(public.site_building[site])
    for architect in range(ARCHITECTS):
        for i in range(min(public.stack[architect], 2)):
            placed |= bit(public.building[architect, i])
    for i in range(cards.building_deck.count):
        building = np.int64(cards.building_deck.code[i])
        if placed & bit(building) == NONE:
            room[count] = building
            count += 1
    shuffle_freely(room, count, noise)
    for architect in range(ARCHITECTS):
        size = public.stack[architect]
        for i in range(size - 2):
            count -= 1
            state.secret.stack[architect, i] = room[count]
        for i in range(min(size, 2)):
            state.secret.stack[architect, size - 1 - i] = public.building[architect, i]


@njit
def shuffle_freely(things, count, noise):
    """The first `count` of an array in any order (Fisher and Yates)."""
    for i in range(count - 1, 0, -1):
        spot = below(noise, i + 1)
        thing = things[spot]
        things[spot] = things[i]
        things[i] = thing


game.implement(imagine=(STATE, imagine))
