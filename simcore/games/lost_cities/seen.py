"""Lost Cities: what a seat can work out from what it sees (LC-8.2), for features and bots."""

import numpy as np
from numba import njit

from simcore.bits import NONE, first, lowest
from simcore.games.lost_cities.rules import next_copy


@njit(forceinline=True)
def word_of(colour, cards):
    """The word that holds a colour's cards."""
    return 0 if cards.words == 1 else colour // cards.stride


@njit(forceinline=True)
def idle(board, word):
    """The cards that can add nothing to a seat's columns: too low, banned or blank."""
    return board.blocked[word] | board.blanked[word]


@njit
def unseen(public, me, cards, seat, colour):
    """The cards of a colour that may be in the deck or, unknown, in the other hand: a set in the colour's word."""
    word = word_of(colour, cards)
    members = cards.of_colour[colour, word]
    mine, theirs = public.board[seat], public.board[1 - seat]
    found = me.hand[word] & members
    found = plus(found, mine.played[word] & members, word, cards)
    found = plus(found, theirs.played[word] & members, word, cards)
    found = plus(found, theirs.known[word] & members, word, cards)
    for i in range(public.count[colour]):
        found |= next_copy(cards.copies[np.int64(public.pile[colour, i]), word], found)
    return members & ~found


@njit(forceinline=True)
def plus(some, more, word, cards):
    """Two sets put together, equal cards counted: like both, it holds the lowest copies of each type."""
    twice = some & more
    some |= more
    while twice != NONE:
        some |= next_copy(cards.copies[64 * word + lowest(twice), word], some)
        twice ^= first(twice)
    return some


@njit
def total(some, word, cards):
    """The sum of the values of a set in a word."""
    points = 0
    while some != NONE:
        points += cards.value[64 * word + lowest(some)]
        some ^= first(some)
    return points


@njit(forceinline=True)
def turns_left(public, cards, deck):
    """(own turns after this one, the opponent's) if this turn leaves so many cards in the deck and all draw from it.

    The round ends with the deck (LC-5.1) or at its cap (LC-5.4).
    """
    rest = min(deck, cards.cap - public.round_turns - 1)
    return rest // 2, (rest + 1) // 2
