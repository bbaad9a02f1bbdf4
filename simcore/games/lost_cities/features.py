"""Lost Cities: what an action and a position mean, in numbers that a bot can weigh.

"Own" is of the one to decide. A card FITS a seat that may still play it and for which it is no blank; its points there
are its value times the wagers of the column plus one. All values, prices and lengths are those of the card set.
"""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, bit, popcount
from simcore.games.lost_cities.rules import card_of, top_copy
from simcore.games.lost_cities.seen import idle, total, turns_left, unseen, word_of
from simcore.games.lost_cities.state import DECK, DISCARD, DRAW, PUBLIC


class F(IntEnum):
    """The features of an action. Those of another kind of action are 0."""

    # Playing a card.
    PLAY = 0  # 1
    POINTS = 1  # what it adds to a column that is begun: its points, less a wager's price, with the bonus
    HURRY = 2  # POINTS for each of the own turns left, this one included, times held cards that fit begun columns
    SKIPPED_HELD = 3  # points of held cards that do not fit any more
    SKIPPED_UNSEEN = 4  # the same of unseen cards
    SKIPPED_WAGERS = 5  # held wagers that do not fit any more
    OPEN = 6  # 1 where it begins a column
    OPEN_HELD = 7  # for a column begun: points of held cards that fit then, this one included, less the price
    OPEN_UNSEEN = 8  # the same of unseen cards, without the price
    OPEN_LATE = 9  # the price for each own turn left, this one included
    WAGER = 10  # 1 for a wager
    WAGER_HELD = 11  # for a wager: values of held cards that fit, less the price
    WAGER_LATE = 12  # for a wager: the price for each own turn left, this one included
    # Discarding a card.
    LOST = 13  # points that it would have been worth on an own column that is begun
    LOST_NEW = 14  # its value where its column is not begun
    LOST_NEW_HELD = 15  # values of the other held cards of that colour
    LOST_WAGER = 16  # 1 for a wager that fits
    DEAD = 17  # 1 where it does not fit
    GIFT = 18  # points that it is worth on a column that the opponent has begun
    GIFT_NEW = 19  # its value where the opponent has not begun the colour
    GIFT_WAGER = 20  # 1 for a wager that fits the opponent
    # Drawing.
    DECK = 21  # 1 for the deck
    DECK_BEHIND = 22  # for the deck: held cards that fit begun columns, less the own turns left after it
    DECK_LATE = 23  # for the deck: 1 for each own turn left after it, plus one
    TAKE = 24  # points of a taken card on an own column that is begun
    TAKE_NEW = 25  # its value where the column is not begun
    TAKE_NEW_HELD = 26  # values of held cards of that colour
    TAKE_WAGER = 27  # 1 for a wager that fits
    TAKE_DEAD = 28  # 1 where it does not fit
    DENY = 29  # points that it would have been worth on a column that the opponent has begun
    UNCOVER = 30  # the same of the card below it


class V(IntEnum):
    """The features of a position, to a seat."""

    LEAD = 0  # own standing less the opponent's
    TURNS = 1  # own turns left, this one included, if all draw from the deck
    THEIR_TURNS = 2
    COLUMNS = 3  # own columns begun
    THEIR_COLUMNS = 4
    HELD = 5  # points of held cards that fit own columns that are begun
    HELD_CARDS = 6  # how many they are
    HELD_NEW = 7  # values of held cards of colours not begun
    HELD_NEW_BEST = 8  # the most of them in one colour
    HELD_WAGERS = 9  # held wagers that fit
    UNSEEN = 10  # points of unseen cards that fit own columns that are begun
    THEIR_UNSEEN = 11
    THEIR_KNOWN = 12  # points of known cards of the opponent that fit its columns
    BONUSES = 13  # own columns that are long enough for the bonus
    NEAR_BONUSES = 14  # own columns that lack at most as many cards as held and fit


FEATURES = tuple(feature.name.lower() for feature in F)
VALUE_FEATURES = tuple(feature.name.lower() for feature in V)


# --- What an action means --------------------------------------------------------------------------------------------


@njit
def features(public, me, cards, action, mind):
    """The features F of one of the own actions, into mind.features; the rest of it is 0."""
    f = mind.features
    for i in range(f.shape[0]):
        f[i] = 0.0
    if action >= DRAW:
        draw_features(public, me, cards, action - DRAW, f)
    elif action & DISCARD:
        discard_features(public, me, cards, card_of(action), f)
    else:
        play_features(public, me, cards, card_of(action), f)


@njit
def play_features(public, me, cards, code, f):
    """Of playing a card."""
    board = public.board[public.actor]
    colour, word, value = cards.colour[code], code >> 6, cards.value[code]
    wager, length = cards.is_wager[code], board.length[colour]
    times = board.wagers[colour] + wager + 1
    fits = cards.of_colour[colour, word] & ~idle(board, word)
    shut = fits & cards.below[code, word]
    held = rest_of(me.hand[word], code, word, cards) & fits
    hidden = unseen(public, me, cards, public.actor, colour) & fits
    turns = 1.0 + turns_left(public, cards, public.count[DECK] - 1)[0]
    stays = total(held & ~shut, word, cards) * times

    f[F.PLAY] = 1.0
    f[F.SKIPPED_HELD] = total(held & shut, word, cards) * times
    f[F.SKIPPED_UNSEEN] = total(hidden & shut, word, cards) * times
    f[F.SKIPPED_WAGERS] = popcount(held & shut & cards.wagers[word])
    if board.blanked[word] & bit(code & 63) != NONE:
        return
    if length == 0:
        f[F.OPEN] = 1.0
        f[F.OPEN_HELD] = stays + (value - cards.cost) * times
        f[F.OPEN_UNSEEN] = total(hidden & ~shut, word, cards) * times
        f[F.OPEN_LATE] = cards.cost * times / turns
    else:
        points = value * times - cards.cost * wager
        points += cards.bonus * (length + 1 == cards.bonus_min)
        f[F.POINTS] = points
        f[F.HURRY] = points * fitting(public, me, cards) / turns
    if wager:
        f[F.WAGER] = 1.0
        f[F.WAGER_HELD] = total(held, word, cards) - cards.cost
        f[F.WAGER_LATE] = cards.cost / turns


@njit
def discard_features(public, me, cards, code, f):
    """Of discarding a card."""
    board, theirs = public.board[public.actor], public.board[1 - public.actor]
    colour, word, value = cards.colour[code], code >> 6, cards.value[code]
    dead = idle(board, word)
    if dead & bit(code & 63) != NONE:
        f[F.DEAD] = 1.0
    elif cards.is_wager[code]:
        f[F.LOST_WAGER] = 1.0
    elif board.length[colour] > 0:
        f[F.LOST] = value * (board.wagers[colour] + 1)
    else:
        f[F.LOST_NEW] = value
        f[F.LOST_NEW_HELD] = total(me.hand[word] & cards.of_colour[colour, word] & ~dead, word, cards) - value
    if idle(theirs, word) & bit(code & 63) == NONE:
        if cards.is_wager[code]:
            f[F.GIFT_WAGER] = 1.0
        elif theirs.length[colour] > 0:
            f[F.GIFT] = value * (theirs.wagers[colour] + 1)
        else:
            f[F.GIFT_NEW] = value


@njit
def draw_features(public, me, cards, pile, f):
    """Of drawing from a pile."""
    if pile == DECK:
        turns = turns_left(public, cards, public.count[DECK] - 1)[0]
        f[F.DECK] = 1.0
        f[F.DECK_BEHIND] = fitting(public, me, cards) - turns
        f[F.DECK_LATE] = 1.0 / (1.0 + turns)
        return
    board, theirs = public.board[public.actor], public.board[1 - public.actor]
    count = public.count[pile]
    code = np.int64(public.pile[pile, count - 1])
    word, value = code >> 6, cards.value[code]
    dead = idle(board, word)
    if dead & bit(code & 63) != NONE:
        f[F.TAKE_DEAD] = 1.0
    elif cards.is_wager[code]:
        f[F.TAKE_WAGER] = 1.0
    elif board.length[pile] > 0:
        f[F.TAKE] = value * (board.wagers[pile] + 1)
    else:
        f[F.TAKE_NEW] = value
        f[F.TAKE_NEW_HELD] = total(me.hand[word] & cards.of_colour[pile, word] & ~dead, word, cards)
    f[F.DENY] = points_for(theirs, code, cards)
    if count > 1:
        f[F.UNCOVER] = points_for(theirs, np.int64(public.pile[pile, count - 2]), cards)


@njit
def rest_of(hand, code, word, cards):
    """A hand without one copy of a card."""
    return hand ^ top_copy(hand & cards.copies[code, word], np.uint64(cards.stride))


@njit
def points_for(board, code, cards):
    """The points of a card on a seat's column where that is begun and the card fits, else 0."""
    colour, word = cards.colour[code], code >> 6
    if board.length[colour] == 0 or idle(board, word) & bit(code & 63) != NONE:
        return 0
    return cards.value[code] * (board.wagers[colour] + 1)


@njit
def fitting(public, me, cards):
    """How many held cards fit own columns that are begun."""
    board, found = public.board[public.actor], 0
    for colour in range(cards.colours):
        if board.length[colour] > 0:
            word = word_of(colour, cards)
            found += popcount(me.hand[word] & cards.of_colour[colour, word] & ~idle(board, word))
    return found


# --- What a position means -------------------------------------------------------------------------------------------


@njit
def value_features(public, me, cards, mind):
    """The features V of a position to the one to decide, into mind.features; the rest of it is 0."""
    f = mind.features
    for i in range(f.shape[0]):
        f[i] = 0.0
    seat = public.actor
    board, theirs = public.board[seat], public.board[1 - seat]
    own_turns, their_turns = turns_left(public, cards, public.count[DECK] - 1)
    f[V.LEAD] = public.standing[seat] - public.standing[1 - seat]
    f[V.TURNS], f[V.THEIR_TURNS] = own_turns + 1, their_turns
    for colour in range(cards.colours):
        word = word_of(colour, cards)
        members = cards.of_colour[colour, word]
        held = me.hand[word] & members & ~idle(board, word)
        hidden = unseen(public, me, cards, seat, colour)
        f[V.HELD_WAGERS] += popcount(held & cards.wagers[word])
        if board.length[colour] > 0:
            f[V.COLUMNS] += 1
            f[V.HELD] += total(held, word, cards) * (board.wagers[colour] + 1)
            f[V.HELD_CARDS] += popcount(held)
            f[V.UNSEEN] += total(hidden & ~idle(board, word), word, cards) * (board.wagers[colour] + 1)
            lacking = cards.bonus_min - board.length[colour]
            f[V.BONUSES] += lacking <= 0
            f[V.NEAR_BONUSES] += 0 < lacking <= popcount(held)
        else:
            f[V.HELD_NEW] += total(held, word, cards)
            f[V.HELD_NEW_BEST] = max(f[V.HELD_NEW_BEST], total(held, word, cards))
        if theirs.length[colour] > 0:
            free = members & ~idle(theirs, word)
            times = theirs.wagers[colour] + 1
            f[V.THEIR_COLUMNS] += 1
            f[V.THEIR_UNSEEN] += total(hidden & free, word, cards) * times
            f[V.THEIR_KNOWN] += total(theirs.known[word] & free, word, cards) * times


game.implement(features=(PUBLIC, features), value_features=(PUBLIC, value_features))
