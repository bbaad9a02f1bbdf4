"""Lost Cities: a full state that fits what a seat knows (LC-8.1, LC-8.2)."""

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, popcount
from simcore.games.lost_cities.rules import next_copy
from simcore.games.lost_cities.state import DECK, SEATS, STATE, Decision
from simcore.random import below


@njit
def imagine(state, public, me, seat, cards, noise):
    """Fill `state`: the table as it is, the seat's own hand, the rest by the law of the deal.

    The cards that the seat has not seen are alike to it: every way to share them out between the other hand, beside
    what is known of it, and the deck has the same probability (LC-8.2).
    """
    state.public = public
    state.private[seat] = me
    other = 1 - seat
    theirs, deck = state.private[other], state.secret.deck
    unseen = list_unseen(public, me, other, cards, deck)
    missing = cards.hand - np.int64(public.actor == other and public.decision == Decision.DRAW)
    for word in range(cards.words):
        theirs.hand[word] = public.board[other].known[word]
        missing -= popcount(theirs.hand[word])
    for _ in range(missing):
        spot = below(noise, unseen)
        unseen -= 1
        code = np.int64(deck[spot])
        deck[spot] = deck[unseen]
        word = code >> 6
        theirs.hand[word] |= next_copy(cards.copies[code, word], theirs.hand[word])
    for i in range(unseen - 1, 0, -1):
        spot = below(noise, i + 1)
        code = deck[spot]
        deck[spot] = deck[i]
        deck[i] = code
    state.secret.end[0], state.secret.end[1] = 0, public.count[DECK] - 1


@njit
def list_unseen(public, me, other, cards, out):
    """The codes of the cards that may be in the other hand or the deck, into `out`; returns their number."""
    piled_low, piled_high = piled(public, cards)
    unseen = 0
    for word in range(cards.words):
        held, gone = me.hand[word], piled_low if word == 0 else piled_high
        known = public.board[other].known[word]
        for bit in range(64):
            code = 64 * word + bit
            if cards.copies[code, word] == NONE or cards.type[code] != code:
                continue
            copies = cards.copies[code, word]
            left = popcount(copies) - popcount(held & copies) - popcount(gone & copies) - popcount(known & copies)
            for player in range(SEATS):
                left -= popcount(public.board[player].played[word] & copies)
            for _ in range(left):
                out[unseen] = code
                unseen += 1
    return unseen


@njit
def piled(public, cards):
    """The set of all cards on the piles."""
    low, high = NONE, NONE
    for colour in range(cards.colours):
        for i in range(public.count[colour]):
            code = np.int64(public.pile[colour, i])
            if code < 64:
                low |= next_copy(cards.copies[code, 0], low)
            else:
                high |= next_copy(cards.copies[code, 1], high)
    return low, high


game.implement(imagine=(STATE, imagine))
