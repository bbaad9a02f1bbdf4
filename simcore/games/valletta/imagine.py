"""Valletta: a full state that fits what a seat knows, by the right law (VT-15.2, VT-19.7)."""

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, bit
from simcore.games.valletta.state import GOODS, STATE
from simcore.random import below


@njit
def imagine(state, public, me, seat, cards, noise):
    """Fill `state`: the table as it is, the seat's own hand, the rest by the law of the deal.

    VT-15.2: which cards a seat owns is public, and of its hand those of `public.known`. Of the others, every way to
    share them out between hand and draw pile has the same probability, as has every order of a pile and of the barrels.
    """
    state.public = public
    for other in range(cards.seats):
        mine = state.private[other]
        if other == seat:
            state.private[other] = me
            imagine_pile(state, public, other, me.hand, noise)
        else:
            mine.held = NONE
            for character in range(mine.hand.shape[0]):
                mine.hand[character] = 0
                add(mine, character, public.known[other, character])
            unseen = imagine_pile(state, public, other, mine.hand, noise)
            pile = state.secret.deck[other]
            for i in range(public.deck[other], unseen):
                add(mine, np.int64(pile[i]), 1)
    imagine_barrels(state, public, cards, noise)


@njit
def add(me, character, copies):
    """So many copies of a card more in a hand."""
    me.hand[character] += np.uint8(copies)
    if copies > 0:
        me.held |= bit(character)


@njit
def imagine_pile(state, public, seat, placed, noise):
    """The cards of a seat that lie neither face up nor among those `placed` in its hand, in any order, into its draw
    pile; returns how many there are. What is beyond the draw pile's size is in the hand.
    """
    pile = state.secret.deck[seat]
    count = 0
    for character in range(placed.shape[0]):
        left = np.int64(public.owned[seat, character]) - public.discard[seat, character] - placed[character]
        if seat == public.active:
            for i in range(public.plays):
                left -= np.int64(public.slot[i] == character)
        for _ in range(left):
            pile[count] = character
            count += 1
    shuffle_freely(pile, count, noise)
    return count


@njit
def imagine_barrels(state, public, cards, noise):
    """The barrels that have not been turned up (VT-15.1); those turned up are out of play, and their order is past."""
    barrel = state.secret.barrel
    deck = cards.barrel_deck
    left = np.int64(0)
    for good in range(GOODS):
        copies = -public.turned[good]
        for i in range(deck.count):
            copies += np.int64(deck.code[i] == good)
        for _ in range(copies):
            barrel[left] = good
            left += 1
    shuffle_freely(barrel, left, noise)
    for i in range(left - 1, -1, -1):
        barrel[public.jean + i] = barrel[i]


@njit
def shuffle_freely(cards, count, noise):
    """The first `count` of an array in any order (Fisher and Yates)."""
    for i in range(count - 1, 0, -1):
        spot = below(noise, i + 1)
        card = cards[spot]
        cards[spot] = cards[i]
        cards[i] = card


game.implement(imagine=(STATE, imagine))
