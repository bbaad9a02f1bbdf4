"""Lost Cities: the rules as kernels, in the order of rules.md.

The card action and the draw have no branch on what was chosen: a mispredicted one costs as much as the rest of a move.
Masks of ones or zeros take their place. A kernel reads what it needs before it writes: records may overlap for all that
the compiler knows, so it would read again after every write.
"""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, ONE, bit, first, flag, popcount
from simcore.game import Note
from simcore.games.lost_cities.state import (
    DECK,
    DISCARD,
    DRAW,
    DRAW_WORD,
    PILES,
    PUBLIC,
    SEATS,
    STATE,
    Decision,
    End,
)
from simcore.random import keyed_below, shuffle

STARTER = 15  # purpose of the deal's luck that draws the starter; round r is shuffled with purpose r


class Event(IntEnum):
    """What a trace hears of (kinds of `game.note`)."""

    DEALT = Note.GAIN
    DRAWN = Note.GAIN + 1
    TAKEN = Note.GAIN + 2
    PLAYED = Note.FATE
    DISCARDED = Note.FATE + 1
    NUMBERS = Note.PART
    COSTS = Note.PART + 1
    BONUSES = Note.PART + 2
    COLUMNS = Note.COUNT
    STARTS = Note.OTHER


# --- Setup (LC-2) ----------------------------------------------------------------------------------------------------


@njit
def setup(state, cards, chance, trace):
    """LC-2, LC-2.4: a match; the starter of round 1 is drawn at random."""
    public = state.public
    public.turns, public.rounds, public.end, public.truncated = 0, 0, 0, 0
    public.starter = keyed_below(chance, STARTER, 0, SEATS)
    for seat in range(SEATS):
        public.total[seat] = 0
        public.standing[seat] = 0
        public.order[seat] = (seat - public.starter) & 1
        is_banned, is_blank = flag(chance.place[seat] == cards.ban_place), flag(chance.place[seat] == cards.blank_place)
        for word in range(cards.words):
            public.board[seat].banned[word] = cards.copies[cards.ban_code, word] & is_banned
            public.board[seat].blanked[word] = cards.copies[cards.blank_code, word] & is_blank
    game.note(trace, 0, Event.STARTS, public.starter, 0)
    deal_round(state, cards, chance, trace)


@njit
def deal_round(state, cards, chance, trace):
    """LC-2.1, LC-2.3: shuffle, deal the hands, clear the table. Hands come from the two ends of the deck."""
    public, secret = state.public, state.secret
    shuffle(chance, public.rounds, cards.deck, secret.deck)
    secret.end[0], secret.end[1] = 0, cards.count - 1
    for seat in range(SEATS):
        board, me = public.board[seat], state.private[seat]
        for word in range(cards.words):
            board.played[word] = NONE
            board.blocked[word] = board.banned[word]
            board.known[word] = NONE
            me.hand[word] = NONE
        for colour in range(PILES):
            board.length[colour] = 0
            board.wagers[colour] = 0
        game.note(trace, public.rounds, Note.ROUND_ORDER, seat, (seat - public.starter) & 1)
        step = 1 - 2 * seat
        end = secret.end[seat]
        for i in range(cards.hand):
            code = np.int64(secret.deck[end + i * step])
            word = code >> 6
            me.hand[word] |= next_copy(cards.copies[code, word], me.hand[word])
            game.note(trace, 0, Event.DEALT, seat, code)
        secret.end[seat] = end + cards.hand * step
    for pile in range(PILES):
        public.count[pile] = 0
    public.count[DECK] = cards.count - SEATS * cards.hand
    public.open, public.closed = bit(DECK), NONE
    public.round_turns = 0
    public.actor, public.decision = public.starter, np.int64(Decision.CARD)


# --- The codes of actions ---------------------------------------------------------------------------------------------


@njit(forceinline=True)
def play_action(code):
    """Play the card of this code."""
    return (code & 64) << 1 | code & 63


@njit(forceinline=True)
def discard_action(code):
    """Discard the card of this code."""
    return play_action(code) | DISCARD


@njit(forceinline=True)
def card_of(action):
    """The code of the card that is played or discarded."""
    return (action >> 1 & 64) | (action & 63)


# --- What may be done (LC-3, LC-4, LC-D1, LC-D2) ---------------------------------------------------------------------


@njit(forceinline=True)
def legal(public, me, cards, options):
    """LC-D1: play what the columns allow (LC-4.1, LC-4.2), discard anything (LC-3.2). LC-D2: deck or an open pile."""
    if public.decision == Decision.CARD:
        board = public.board[np.uint64(public.actor)]
        plays = me.hand[0] & ~board.blocked[0]
        options.mask[0], options.mask[1] = plays, me.hand[0]
        options.count = popcount(plays) + popcount(me.hand[0])
        options.start, options.stop = 0, 2
        if cards.words == 2:
            plays = me.hand[1] & ~board.blocked[1]
            options.mask[2], options.mask[3] = plays, me.hand[1]
            options.count += popcount(plays) + popcount(me.hand[1])
            options.stop = 4
    else:
        draws = public.open & ~public.closed
        options.mask[DRAW_WORD] = draws
        options.count = popcount(draws)
        options.start, options.stop = DRAW_WORD, DRAW_WORD + 1


@njit(forceinline=True)
def apply(state, cards, action, chance, trace):
    """LC-3: a card action, or the draw that ends the turn."""
    if action < DRAW:
        act_card(state, cards, action, trace)
    else:
        draw_card(state, cards, action, chance, trace)


@njit(forceinline=True)
def act_card(state, cards, action, trace):
    """LC-3.1: one card of the hand goes to the own column or, face up, on the pile of its colour."""
    public = state.public
    seat = np.uint64(public.actor)
    me, board = state.private[seat], public.board[seat]
    code = np.uint64(card_of(action))
    colour = np.uint64(cards.colour[code])
    discarded = np.int64((action & DISCARD) != 0)
    played = discarded - 1  # all ones or 0

    put_down(me, board, cards, code, np.uint64(played), 0)
    if cards.words == 2:
        put_down(me, board, cards, code, np.uint64(played), 1)
    count_points(public, board, cards, seat, code, colour, played)

    count, card = public.count[colour], cards.type[code]
    closed = np.uint64(discarded) << colour  # LC-3.4
    public.count[colour] = count + discarded
    public.pile[colour, np.uint64(count)] = card  # above the top when played: no meaning there
    public.closed = closed
    public.open |= closed
    public.decision = np.int64(Decision.DRAW)
    kind = np.int64(Event.DISCARDED) if discarded else np.int64(Event.PLAYED)
    game.note(trace, public.round_turns, kind, np.int64(seat), np.int64(code))


@njit(forceinline=True)
def put_down(me, board, cards, code, played, word):
    """The sets of one word: out of the hand, and into the column where `played` is a mask of ones (LC-4.1, LC-4.2)."""
    copies, below, stride = cards.copies[code, word], cards.below[code, word], np.uint64(cards.stride)
    hand, known = me.hand[word] & copies, board.known[word] & copies
    column, blocked = board.played[word], board.blocked[word]
    me.hand[word] ^= top_copy(hand, stride)
    board.known[word] ^= top_copy(known, stride)
    board.played[word] = column | (next_copy(copies, column) & played)
    board.blocked[word] = blocked | (below & played)


@njit(forceinline=True)
def top_copy(held, stride):
    """Of the copies of one card in a set, the one that leaves first: the highest. No bit where there is none."""
    return held & ~(held >> stride)


@njit(forceinline=True)
def next_copy(copies, held):
    """Of the copies of one card, the one that comes next into a set: the lowest missing."""
    return first(copies & ~held)


@njit(forceinline=True)
def count_points(public, board, cards, seat, code, colour, played):
    """LC-6.2, LC-6.3, LC-I10: what the card adds to its column's score, where `played` is -1 (all ones) and not 0.

    A number adds itself times (wagers + 1); opening costs the price of the expedition, each wager once more. A blank
    card adds nothing, is no wager and does not count.
    """
    is_blank = (board.blanked[code >> np.uint64(6)] >> (code & np.uint64(63))) & ONE
    played &= np.int64(is_blank) - 1
    length, wagers, wager = board.length[colour], board.wagers[colour], cards.is_wager[code]
    points = cards.value[code] * (wagers + 1)
    points -= cards.cost * (np.int64(length == 0) + wager)
    points += cards.bonus * np.int64(length + 1 == cards.bonus_min)
    public.standing[seat] += points & played
    board.length[colour] = length - played
    board.wagers[colour] = wagers + (wager & played)


@njit(forceinline=True)
def draw_card(state, cards, action, chance, trace):
    """LC-3.3: the top card of the deck or of an open pile comes to the hand; the turn is over (LC-5.1, LC-5.4)."""
    public, secret = state.public, state.secret
    seat = np.uint64(public.actor)
    me, board = state.private[seat], public.board[seat]
    pile = np.uint64(action - DRAW)
    from_deck = np.int64(action == DRAW + DECK)
    left, end = public.count[pile] - 1, secret.end[seat]
    drawn, taken = np.int64(secret.deck[np.uint64(end)]), np.int64(public.pile[pile, np.uint64(left)])
    code = np.uint64(drawn if from_deck else taken)
    pick_up(me, board, cards, code, np.uint64(from_deck - 1), 0)
    if cards.words == 2:
        pick_up(me, board, cards, code, np.uint64(from_deck - 1), 1)
    secret.end[seat] = end + from_deck * (1 - 2 * np.int64(seat))
    public.count[pile] = left
    public.open &= ~(np.uint64(left == 0) << pile)
    game.note(
        trace, public.round_turns, np.int64(Event.DRAWN if from_deck else Event.TAKEN), np.int64(seat), np.int64(code)
    )

    turns = public.round_turns + 1
    public.turns += 1
    public.round_turns = turns
    public.closed = NONE
    public.actor = 1 - np.int64(seat)
    public.decision = np.int64(Decision.CARD)
    if public.count[DECK] == 0 or turns >= cards.cap:
        end_round(state, cards, chance, trace)


@njit(forceinline=True)
def pick_up(me, board, cards, code, taken, word):
    """The sets of one word: into the hand, and into what all know of it where `taken` is a mask of ones (LC-8.2)."""
    copies, hand, known = cards.copies[code, word], me.hand[word], board.known[word]
    me.hand[word] = hand | next_copy(copies, hand)
    board.known[word] = known | (next_copy(copies, known) & taken)


# --- End of a round, match (LC-5, LC-6, LC-7) ------------------------------------------------------------------------


@njit
def end_round(state, cards, chance, trace):
    """LC-5, LC-7: score the round as it stands; the match is over or the next round is dealt."""
    public = state.public
    capped = public.count[DECK] != 0
    public.end = np.int64(End.CAP) if capped else np.int64(End.DECK)
    public.truncated |= np.int64(capped)
    for seat in range(SEATS):
        tell_parts(public, cards, seat, trace)
        game.note(trace, public.rounds, Note.ROUND_POINTS, seat, public.standing[seat] - public.total[seat])
        public.total[seat] = public.standing[seat]
    public.rounds += 1
    if public.rounds == cards.rounds:
        public.actor = -1
        return
    if public.total[0] != public.total[1]:  # LC-2.5
        public.starter = np.int64(public.total[1] > public.total[0])
    else:  # LC-2.6
        public.starter = 1 - public.starter
    deal_round(state, cards, chance, trace)


@njit
def tell_parts(public, cards, seat, trace):
    """LC-6.2, LC-6.3: the parts of a round's score. With a silent trace the compiler drops all of this."""
    board = public.board[seat]
    bonuses, opened, costs = 0, 0, 0
    for colour in range(cards.colours):
        if board.length[colour] > 0:
            opened += 1
            costs += cards.cost * (board.wagers[colour] + 1)
        if board.length[colour] >= cards.bonus_min:
            bonuses += cards.bonus
    points = public.standing[seat] - public.total[seat]
    game.note(trace, public.round_turns, Event.NUMBERS, seat, points + costs - bonuses)
    game.note(trace, public.round_turns, Event.COSTS, seat, -costs)
    game.note(trace, public.round_turns, Event.BONUSES, seat, bonuses)
    game.note(trace, public.round_turns, Event.COLUMNS, seat, opened)


@njit
def score(public, privates, cards, out):
    """LC-7.2: the higher total wins; equal totals are a draw (LC-7.3)."""
    for seat in range(SEATS):
        out.points[seat] = public.standing[seat]
        out.tie_break[seat] = 0


game.implement(setup=(STATE, setup), legal=(PUBLIC, legal), apply=(STATE, apply), score=(PUBLIC, score))
