"""Lisboa: the end of the first period, and what ends the game (L-16)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit
from simcore.games.lisboa.rules.denials import printed_card
from simcore.games.lisboa.rules.display import deal_hand, lay_display, leave_hand, refill_church, refill_decrees
from simcore.games.lisboa.rules.effects import begin_effect
from simcore.games.lisboa.rules.events import Event, tell
from simcore.games.lisboa.rules.frames import ASKED, GOES_ON, clockwise
from simcore.games.lisboa.rules.influence import gain_wigs
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE, ZERO
from simcore.games.lisboa.state import KINDS, LIST_STOP, NOBODY, NOTHING, Bottom, Decision, End, Phase

MAY_STOP = np.uint64(1 << LIST_STOP)

# --- Triggers (L-16.1, L-16.6) ---------------------------------------------------------------------------------------


@njit
def seat_with_sets(public, cards, sets):
    """The first seat clockwise from the active player, himself first, with so many sets; NOBODY for none."""
    for i in range(cards.seats):
        seat = clockwise(cards, public.active, i)
        if public.sets[seat] >= sets:
            return seat
    return np.int64(NOBODY)


@njit
def are_decks_out(public, cards):
    """Whether so many display decks are empty that the period ends."""
    empty = 0
    for kind in range(KINDS):
        empty += public.deck[kind] == 0
    return empty >= cards.empty_decks


@njit
def period_ends(public, cards):
    """L-16.1."""
    return seat_with_sets(public, cards, cards.period_end_sets) != NOBODY or are_decks_out(public, cards)


@njit
def game_ends(public, cards, news):
    """L-16.6, at the end of a turn of the second period: the trigger, and whether the last turn is over.

    The round is finished, and one more is played.
    """
    if public.countdown > 0:
        public.countdown -= 1
        return public.countdown == 0
    has_sets = seat_with_sets(public, cards, cards.game_end_sets) != NOBODY
    if has_sets or are_decks_out(public, cards):
        end = End.SETS if has_sets else End.DECKS
        public.end = np.int64(end)
        public.countdown = 2 * cards.seats - 1 - public.order[public.active]
        tell(news, ZERO, Event.FINAL_ROUNDS, ZERO, public.end)
        for seat in range(cards.seats):
            tell(news, ZERO, Event.END_BY_SETS + public.end, seat, SINGLE)
    return False


# --- The end of the period (L-16.2 to L-16.5) ------------------------------------------------------------------------


@njit
def end_period(public, cards, news):
    """L-16.3, L-16.4: wigs for sets; the display and the shipyard are cleared, and hands may be discarded."""
    seat = seat_with_sets(public, cards, cards.period_end_sets)
    reason = np.int64(End.DECKS) if seat == NOBODY else np.int64(End.SETS)
    public.first = public.active if seat == NOBODY else seat
    for other in range(cards.seats):
        wigs = cards.period_wigs_per_set * public.sets[other]
        gain_wigs(public, cards, other, wigs, Event.PERIOD_SETS, news)
        tell(news, ZERO, Event.SHOWN_WIGS, other, public.standing[other])
        tell(news, ZERO, Event.PERIOD_BY_SETS + reason, other, SINGLE)
    tell(news, ZERO, Event.PERIOD_END, public.first, reason)
    public.period = 1
    public.shipyard = cards.yard_size[1]
    for kind in range(KINDS):
        public.face[kind], public.deck[kind] = NOTHING, 0
    public.phase = np.int64(Phase.DISCARD)
    public.asked, public.to_ask = public.first, cards.seats


@njit
def ask_discard(public, cards):
    """L-16.4: ask the next seat that has a card. Returns whether one is asked."""
    while public.to_ask > 0:
        seat = public.asked
        if public.hand[seat] > 0:
            public.actor, public.decision, public.legal = seat, np.int64(Decision.PERIOD_DISCARD), NONE
            return ASKED
        end_discard(public, cards)
    public.asked = NOBODY
    return GOES_ON


@njit
def discard_options(public):
    """PERIOD_DISCARD: any card, or `stop`."""
    return (bit(public.hand[public.actor]) - ONE) | MAY_STOP


@njit
def discard(state, cards, slot, news):
    """PERIOD_DISCARD, L-16.4: of each noble the first card with a reward pays; penalties do not count."""
    public = state.public
    if slot == LIST_STOP:
        end_discard(public, cards)
        return
    seat = public.asked
    card = leave_hand(state, cards, seat, slot)
    tell(news, ZERO, Event.CARD_DISCARDED, seat, card)
    tell(news, ZERO, Event.DISCARDED, seat, SINGLE)
    noble, row = bit(cards.kind[card]), printed_card(public, seat, card)
    if cards.bottom[row] == Bottom.REWARD and public.rewarded & noble == NONE:
        public.rewarded |= noble
        begin_effect(public, cards, seat, cards.reward[row], MINUS, Event.CARDS, news)


@njit
def end_discard(public, cards):
    """A seat has discarded what it wants to."""
    public.rewarded = NONE
    public.asked = clockwise(cards, public.asked, SINGLE)
    public.to_ask -= 1


@njit
def begin_period(state, cards, chance, news):
    """L-16.5: hands from the purple deck, the brown decks, Church and decrees."""
    public = state.public
    for i in range(cards.seats):
        deal_hand(state, cards, clockwise(cards, public.first, i), chance, news)
    public.first = NOBODY
    lay_display(state, cards, chance, news)
    refill_church(state, Event.TILE_REFILLED, news)
    refill_decrees(state, cards, news)
