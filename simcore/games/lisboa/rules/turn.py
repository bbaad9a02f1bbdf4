"""Lisboa: the turn and its phases (L-4)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit
from simcore.games.lisboa.rules.church import ask_church, begin_church
from simcore.games.lisboa.rules.denials import BLANK_CARD, blank_card
from simcore.games.lisboa.rules.display import (
    ask_draw,
    leave_hand,
    refill_church,
    refill_decrees,
    refill_tiles,
    reveal_card,
)
from simcore.games.lisboa.rules.events import CARD_CODE, Event, tell
from simcore.games.lisboa.rules.frames import ASKED, GOES_ON, clockwise
from simcore.games.lisboa.rules.goods import gain_goods
from simcore.games.lisboa.rules.market import dock_ships, sellable
from simcore.games.lisboa.rules.numbers import SINGLE, ZERO
from simcore.games.lisboa.rules.periods import ask_discard, begin_period, end_period, game_ends, period_ends
from simcore.games.lisboa.rules.scoring import end_game
from simcore.games.lisboa.rules.setup import ask_keep, complete_setup
from simcore.games.lisboa.rules.state_actions import tradable
from simcore.games.lisboa.rules.tucking import tuck
from simcore.games.lisboa.rules.visits import ask_follow, begin_follows, can_sponsor, can_visit, sponsor, visit
from simcore.games.lisboa.state import (
    GOLD,
    NOBODY,
    NOTHING,
    PLAY_COURT,
    PLAY_GOLD,
    PLAY_PORTFOLIO,
    SEATS,
    TREASURY,
    Bottom,
    Decision,
    Effect,
    Phase,
)

MODES = 3
GOLD_MODE = np.uint64(1 << PLAY_GOLD)


# --- Phase B: a card (L-4.3 to L-4.6) --------------------------------------------------------------------------------


@njit
def main_options(public, me, cards):
    """MAIN, L-4.4: each card of the hand in each mode."""
    seat = public.actor
    tucks = sellable(public, cards, seat) != NONE or tradable(public, cards, seat, NONE) != NONE
    asked, visits = NONE, NONE  # nobles for whom the test has been made, and those who can be visited
    options, blank = NONE, blank_card(public, seat)
    for slot in range(public.hand[seat]):
        card = me.hand[slot]
        kind, row = cards.kind[card], BLANK_CARD if card == blank else card
        if kind == TREASURY:
            is_court = can_sponsor(public, cards, seat, row)
        else:
            if asked & bit(kind) == NONE:
                asked |= bit(kind)
                visits |= np.uint64(can_visit(public, cards, seat, kind)) << np.uint64(kind)
            is_court = visits & bit(kind) != NONE
        is_tuck = tucks or gives_good(cards, row)
        modes = GOLD_MODE | np.uint64(is_tuck) << np.uint64(PLAY_PORTFOLIO)
        options |= (modes | np.uint64(is_court) << np.uint64(PLAY_COURT)) << np.uint64(MODES * slot)
    return options


@njit
def gives_good(cards, row):
    """L-4.4: a noble card, by its row, whose reward is a good."""
    return cards.bottom[row] == Bottom.REWARD and cards.reward[row].code == Effect.GAIN_GOOD


@njit
def play_card(state, cards, choice, news):
    """MAIN: a card in a mode; it leaves the hand (L-4.10)."""
    public = state.public
    seat, mode = public.actor, choice % MODES
    card = leave_hand(state, cards, seat, choice // MODES)
    if mode == PLAY_GOLD:  # L-4.5
        tell(news, public.turns, Event.GOLD, seat, CARD_CODE + card)
        tell(news, ZERO, Event.GOLDS, seat, SINGLE)
        gain_goods(public, cards, seat, np.int64(GOLD), SINGLE)
    elif mode == PLAY_PORTFOLIO:
        tuck(public, cards, seat, card, news)
    else:
        tell(news, public.turns, Event.COURT, seat, CARD_CODE + card)
        if cards.kind[card] == TREASURY:
            sponsor(public, cards, seat, card, news)
        else:
            visit(public, cards, seat, card, news)


# --- Phases ----------------------------------------------------------------------------------------------------------


@njit
def begin_turn(public, cards, seat):
    """L-4.2, L-4.3: ships dock; the seat is to play a card. A hand is empty only with edited decks."""
    public.active = seat
    public.phase = np.int64(Phase.CARD)
    for other in range(SEATS):
        public.markers_spent[other] = 0
    dock_ships(public, seat)
    if public.hand[seat] == 0:
        return GOES_ON
    public.actor, public.decision, public.legal = seat, np.int64(Decision.MAIN), NONE
    return ASKED


@njit
def step_phase(state, cards, chance, news):
    """No activity is in progress: ask the question that is next in this phase, or go to the next one."""
    public = state.public
    phase = public.phase
    if phase == Phase.SETUP:
        if ask_keep(public, cards):
            return ASKED
        complete_setup(state, cards, chance, news)
        return begin_turn(public, cards, public.starter)
    if phase == Phase.CARD:
        if public.visited != NOTHING:
            begin_follows(public, cards)
        else:
            public.phase = np.int64(Phase.DRAW)
    elif phase == Phase.FOLLOW:
        if ask_follow(public, cards):
            return ASKED
        public.phase = np.int64(Phase.DRAW)
    elif phase == Phase.DRAW:
        if public.drawn == NOTHING and ask_draw(public):
            return ASKED
        if public.scoring == NOBODY:
            return end_turn(state, cards, chance, news)
        begin_church(public, cards)
        public.phase = np.int64(Phase.CHURCH)
    elif phase == Phase.CHURCH:
        if ask_church(public, cards, news):
            return ASKED
        return end_turn(state, cards, chance, news)
    elif phase == Phase.DISCARD:
        if ask_discard(public, cards):
            return ASKED
        if public.scoring == NOBODY:
            begin_period(state, cards, chance, news)
            return begin_turn(public, cards, clockwise(cards, public.active, SINGLE))
        begin_church(public, cards)
        public.phase = np.int64(Phase.LAST_CHURCH)
    else:
        if ask_church(public, cards, news):
            return ASKED
        begin_period(state, cards, chance, news)
        return begin_turn(public, cards, clockwise(cards, public.active, SINGLE))
    return GOES_ON


# --- Phases D and E (L-4.8, L-4.9) -----------------------------------------------------------------------------------


@njit
def end_turn(state, cards, chance, news):
    """L-4.8, L-4.9: maintenance, then the next turn, the end of the period, or the end of the game."""
    public = state.public
    seat = public.active
    if public.drawn != NOTHING:
        reveal_card(state, public.drawn, news)
        public.drawn = NOTHING
    refill_church(state, Event.TILE_REFILLED, news)
    refill_decrees(state, cards, news)
    refill_tiles(public, cards)
    tell(news, ZERO, Event.TURNS, seat, SINGLE)
    tell(news, ZERO, Event.FIRST_TURNS, seat, 1 - public.period)
    for other in range(cards.seats):
        tell(news, ZERO, Event.SHOWN_WIGS, other, public.standing[other])
        tell(news, ZERO, Event.SHOWN_INFLUENCE, other, public.influence[other])
        tell(news, ZERO, Event.SHOWN_REAIS, other, public.reais[other])
    tell(news, ZERO, Event.TURN_END, seat, ZERO)
    public.turns += 1
    if public.period == 0:
        if period_ends(public, cards):
            end_period(public, cards, news)
            return GOES_ON
    elif game_ends(public, cards, news):
        end_game(public, cards, news)
        return ASKED
    return begin_turn(public, cards, clockwise(cards, seat, SINGLE))
