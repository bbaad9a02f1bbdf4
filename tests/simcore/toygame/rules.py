"""Bids: the kernels."""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, bit, first, flag, lowest, popcount
from simcore.game import Note
from simcore.random import keyed_below, shuffle
from tests.simcore.toygame.state import CARD_WORDS, PAY, PUBLIC, REFUSE, SEAT, STATE, STRIDE, Decision, End

STARTER = 15


class Event(IntEnum):
    DEALT = Note.GAIN
    DRAWN = Note.GAIN + 1
    SHOWN = Note.FATE
    TRICKS = Note.PART
    FINES = Note.PART + 1
    WON = Note.COUNT
    PAID = Note.COUNT + 1
    TALLY_SHOWN = Note.TALLY
    TALLY_BEST = Note.TALLY + 1


@njit
def setup(state, cards, chance, trace):
    public = state.public
    public.turns, public.rounds, public.end, public.truncated = 0, 0, 0, 0
    public.first = keyed_below(chance, STARTER, 0, cards.seats)
    for seat in range(cards.seats):
        public.order[seat] = (seat - public.first) % cards.seats
        public.standing[seat] = 0
        public.total[seat] = 0
        public.tricks[seat] = 0
        denied = flag(chance.place[seat] == cards.ban_place)
        public.banned[seat], public.blanked[seat] = cards.banned & denied, cards.blanked & denied
    deal_round(state, cards, chance, trace)


@njit
def deal_round(state, cards, chance, trace):
    public, secret = state.public, state.secret
    shuffle(chance, public.rounds, cards.deck, secret.deck)
    secret.top, public.left = 0, cards.count
    public.trick, public.bids, public.winner, public.named = 0, 0, -1, -1
    for seat in range(cards.seats):
        state.private[seat].hand, state.private[seat].bid = NONE, -1
        public.shown[seat] = -1
        game.note(trace, public.rounds, Note.ROUND_ORDER, seat, (seat - public.first) % cards.seats)
        for _ in range(cards.hand):
            draw(state, seat, Event.DEALT, trace)
    public.actor, public.decision = public.first, np.int64(Decision.BID)


@njit
def draw(state, seat, event, trace):
    public, secret = state.public, state.secret
    code = np.int64(secret.deck[secret.top])
    state.private[seat].hand |= bit(code)
    secret.top += 1
    public.left -= 1
    game.note(trace, public.trick, np.int64(event), seat, code)


@njit
def legal(public, me, cards, options):
    for word in range(CARD_WORDS + 1):
        options.mask[word] = NONE
    if public.decision == Decision.BID:
        left = me.hand & ~public.banned[public.actor]
        left = me.hand if left == NONE else left
        options.start, options.stop, options.count = 0, CARD_WORDS, popcount(left)
        while left != NONE:
            action = STRIDE * lowest(left)
            options.mask[action >> 6] |= bit(action & 63)
            left ^= first(left)
    elif public.decision == Decision.NAME:
        options.start, options.stop, options.count = CARD_WORDS, CARD_WORDS + 1, cards.seats - 1
        options.mask[CARD_WORDS] = (bit(cards.seats) - np.uint64(1)) ^ bit(public.actor)
    else:
        options.start, options.stop, options.count = CARD_WORDS, CARD_WORDS + 1, 2
        options.mask[CARD_WORDS] = bit(PAY - SEAT) | bit(REFUSE - SEAT)


@njit
def apply(state, cards, action, chance, trace):
    public = state.public
    if public.decision == Decision.BID:
        me = state.private[public.actor]
        me.bid = action // STRIDE
        me.hand ^= bit(me.bid)
        public.bids += 1
        public.actor = (public.actor + 1) % cards.seats
        if public.bids == cards.seats:
            reveal(state, cards, trace)
    elif public.decision == Decision.NAME:
        public.named = action - SEAT
        public.actor, public.decision = public.named, np.int64(Decision.ANSWER)
    else:
        if action == PAY:
            fine(public, public.named, -1, trace)
            fine(public, public.winner, 1, trace)
            game.note(trace, public.trick, np.int64(Event.PAID), public.named, 1)
        end_trick(state, cards, action == REFUSE, chance, trace)


@njit
def reveal(state, cards, trace):
    """All seats' turns end at once."""
    public = state.public
    best = -1
    for i in range(cards.seats):
        seat = (public.first + i) % cards.seats
        code = state.private[seat].bid
        public.shown[seat], state.private[seat].bid = code, -1
        game.note(trace, public.trick, np.int64(Event.SHOWN), seat, code)
        game.note(trace, public.trick, np.int64(Event.TALLY_SHOWN), seat, cards.value[code])
        value = 0 if public.blanked[seat] & bit(code) != NONE else cards.value[code]
        if value > best:
            best, public.winner = value, seat
    public.standing[public.winner] += best
    public.tricks[public.winner] += 1
    public.turns += cards.seats
    public.bids = 0
    game.note(trace, public.trick, np.int64(Event.TRICKS), public.winner, best)
    game.note(trace, public.trick, np.int64(Event.WON), public.winner, 1)
    game.note(trace, public.trick, np.int64(Event.TALLY_BEST), public.winner, best)
    public.actor, public.decision = public.winner, np.int64(Decision.NAME)


@njit
def fine(public, seat, points, trace):
    public.standing[seat] += points
    game.note(trace, public.trick, np.int64(Event.FINES), seat, points)


@njit
def end_trick(state, cards, refused, chance, trace):
    public = state.public
    empty = False
    for seat in range(cards.seats):
        if public.left > 0 and not (refused and seat == public.named):
            draw(state, seat, Event.DRAWN, trace)
        empty |= state.private[seat].hand == NONE
    public.trick += 1
    public.first = public.winner
    if empty or public.trick == cards.cap:
        end_round(state, cards, empty, chance, trace)
    else:
        public.actor, public.decision = public.first, np.int64(Decision.BID)


@njit
def end_round(state, cards, empty, chance, trace):
    public = state.public
    public.end = np.int64(End.HANDS) if empty else np.int64(End.CAP)
    public.truncated |= np.int64(not empty)
    for seat in range(cards.seats):
        game.note(trace, public.rounds, Note.ROUND_POINTS, seat, public.standing[seat] - public.total[seat])
        public.total[seat] = public.standing[seat]
    public.rounds += 1
    if public.rounds == cards.rounds:
        public.actor = -1
    else:
        deal_round(state, cards, chance, trace)


@njit
def score(public, privates, cards, out):
    for seat in range(cards.seats):
        out.points[seat], out.tie_break[seat] = public.standing[seat], public.tricks[seat]


game.implement(setup=(STATE, setup), legal=(PUBLIC, legal), apply=(STATE, apply), score=(PUBLIC, score))
