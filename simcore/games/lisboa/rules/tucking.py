"""Lisboa: a card into the portfolio (L-4.6, L-5.4, L-5.5)."""

import numpy as np
from numba import njit

from simcore.bits import NONE
from simcore.games.lisboa.rules.denials import printed_card
from simcore.games.lisboa.rules.effects import begin_effect
from simcore.games.lisboa.rules.events import CARD_CODE, Event, tell
from simcore.games.lisboa.rules.frames import ASKED, GOES_ON, ask, begin, finish
from simcore.games.lisboa.rules.market import sellable
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE, ZERO
from simcore.games.lisboa.rules.portfolio import ask_room, place_bottom, place_top
from simcore.games.lisboa.rules.state_actions import tradable
from simcore.games.lisboa.state import SELLING, TRADING, TREASURY, Bottom, Decision, Power, Task

REWARD, ROOM, CHOICE, ACTION = range(4)  # stages of Task.TUCK


@njit
def tuck(public, cards, seat, card, news):
    """L-4.6: the card comes from the hand."""
    tell(news, public.turns, Event.PORTFOLIO, seat, CARD_CODE + card)
    tell(news, ZERO, Event.TUCKED, seat, SINGLE)
    begin(public, Task.TUCK, seat, card, ZERO)
    if cards.kind[card] == TREASURY:
        public.reais[seat] += cards.treasury_value[public.treasury] + public.power[seat, Power.SUBSIDY_BONUS]
        public.treasury = max(public.treasury - 1, cards.treasury_first)
        return
    row = printed_card(public, seat, card)
    if cards.bottom[row] != Bottom.NONE:
        begin_effect(public, cards, seat, cards.reward[row], MINUS, Event.CARDS, news)


@njit
def step_tuck(public, cards, frame, news):
    """L-5.4, L-5.5: after the reward or penalty."""
    seat, card = frame.seat, frame.what
    if frame.stage == REWARD:
        frame.stage = ROOM
    if frame.stage == ROOM:
        is_top = cards.kind[card] != TREASURY
        if ask_room(public, cards, seat, is_top):
            return ASKED
        if is_top:
            place_top(public, cards, seat, card)
        else:
            place_bottom(public, cards, seat, card)
        frame.stage = CHOICE
        return ask(public, seat, Decision.PORTFOLIO_ACTION, sell_or_trade(public, cards, seat))
    finish(public)
    return GOES_ON


@njit
def sell_or_trade(public, cards, seat):
    """L-4.6: which of the two is possible."""
    sells = np.uint64(sellable(public, cards, seat) != NONE) << np.uint64(SELLING)
    return sells | np.uint64(tradable(public, cards, seat, NONE) != NONE) << np.uint64(TRADING)


@njit
def choose_sell_or_trade(public, cards, frame, choice):
    """PORTFOLIO_ACTION."""
    frame.stage = ACTION
    if choice == SELLING:
        begin(public, Task.SELL, frame.seat, ZERO, ZERO)
    else:
        begin(public, Task.TRADE, frame.seat, ZERO, cards.trade_goods)
