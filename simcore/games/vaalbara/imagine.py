"""Vaalbara: a full state that fits what a seat knows (section 9 of rules.md, VB-9.1, VB-9.2)."""

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, bit, kth, lowest, popcount
from simcore.games.vaalbara.rules import playable, showable
from simcore.games.vaalbara.state import NOBODY, STATE, UNKNOWN, Decision
from simcore.random import below


@njit
def imagine(state, public, me, seat, cards, noise):
    """Fill `state`: the table as it is, the seat's own hand and choice, the rest by the law of the deal.

    Of another clan the characters that all have seen, on its discard pile or known in its hand, are where they are; the
    others are alike to the seat: every way to share them out between hand and clan deck has the same probability. A
    choice that has been made in secret is any card of that hand that may be played. Lands that nobody has seen lie in
    any order (VB-9.2).
    """
    state.public = public
    state.private[seat] = me
    for other in range(cards.seats):
        if other != seat:
            imagine_hand(state, public, other, cards, noise)
        imagine_clan_deck(state, public, other, cards, noise)
    imagine_land_deck(state, public, cards, noise)


@njit
def unseen_characters(public, cards, seat):
    """The characters of a seat that may be in its hand, unknown to the others, or in its clan deck."""
    seen = public.discard[seat] | public.known[seat]
    if public.revealed[seat] != NOBODY:
        seen |= bit(public.revealed[seat])
    return cards.everyone & ~seen


@njit
def imagine_hand(state, public, seat, cards, noise):
    """The hand of another seat, and its secret choice where it has made one (VB-3.1)."""
    hidden = unseen_characters(public, cards, seat)
    hand, fighters = public.known[seat], showable(public, cards, seat)
    if public.decision == Decision.SHOW_FIGHTER and public.actor == seat and hand & fighters == NONE:
        hand |= draw_from(hidden & fighters, noise)  # it is asked because it holds one
        hidden &= ~hand
    for _ in range(public.hand[seat] - popcount(hand)):
        card = draw_from(hidden, noise)
        hand |= card
        hidden ^= card
    chosen = np.int64(NOBODY)
    if public.decision == Decision.CHARACTER and seat < public.actor:
        card = draw_from(playable(public, seat, hand), noise)
        hand ^= card
        chosen = np.int64(lowest(card))
    state.private[seat].hand, state.private[seat].chosen = hand, chosen


@njit
def draw_from(some, noise):
    """One of a set, each alike, as a set of one."""
    return bit(kth(some, below(noise, popcount(some))))


@njit
def imagine_clan_deck(state, public, seat, cards, noise):
    """What is neither in a seat's hand nor face up lies in its clan deck, in any order."""
    me = state.private[seat]
    seen = public.discard[seat] | me.hand
    if public.revealed[seat] != NOBODY:
        seen |= bit(public.revealed[seat])
    if me.chosen != NOBODY:
        seen |= bit(me.chosen)
    left = cards.everyone & ~seen
    deck = state.secret.clan_deck[seat]
    for i in range(public.clan_deck[seat]):
        card = draw_from(left, noise)
        deck[i] = lowest(card)
        left ^= card


@njit
def imagine_land_deck(state, public, cards, noise):
    """The lands that lie nowhere in sight, in any order; top and bottom as far as they are known (VB-6.7, VB-6.11b)."""
    deck = state.secret.land_deck
    count = list_unseen_lands(public, cards, deck)
    for i in range(count - 1, 0, -1):
        spot = below(noise, i + 1)
        code = deck[spot]
        deck[spot] = deck[i]
        deck[i] = code
    if public.bottom != UNKNOWN:
        for i in range(count, 0, -1):
            deck[i] = deck[i - 1]
        deck[0] = public.bottom
    if public.top != UNKNOWN:
        deck[public.deck - 1] = public.top


@njit
def list_unseen_lands(public, cards, out):
    """The codes of the lands whose place nobody knows, into `out`; returns their number."""
    low, high = NONE, NONE  # what is in sight, in two words
    for row in range(public.count.shape[0]):
        for i in range(public.count[row]):
            low, high = plus(low, high, public.row[row, i])
    for seat in range(cards.seats):
        for i in range(public.lands[seat]):
            low, high = plus(low, high, public.realm[seat, i])
    if public.top != UNKNOWN:
        low, high = plus(low, high, public.top)
    if public.bottom != UNKNOWN:
        low, high = plus(low, high, public.bottom)
    count = 0
    for i in range(cards.land_deck.count):
        code = cards.land_deck.code[i]
        word = low if code < 64 else high
        if word & bit(code & 63) == NONE:
            out[count] = code
            count += 1
    return count


@njit
def plus(low, high, code):
    """A set of lands in two words with one more."""
    if code < 64:
        return low | bit(code), high
    return low, high | bit(code & 63)


game.implement(imagine=(STATE, imagine))
