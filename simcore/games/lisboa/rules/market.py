"""Lisboa: ships and Sell Goods (L-8)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit, lowest
from simcore.games.lisboa.rules.denials import BLANK_SHIP, printed_ship
from simcore.games.lisboa.rules.events import Event, tell
from simcore.games.lisboa.rules.frames import GOES_ON, ask, clockwise, finish
from simcore.games.lisboa.rules.goods import held, unload
from simcore.games.lisboa.rules.influence import gain_wigs
from simcore.games.lisboa.rules.numbers import SINGLE, ZERO
from simcore.games.lisboa.state import GOODS, SELL_STOP, SHIP, SLOTS, Decision, Power

DOCK_CODES = SLOTS * GOODS  # local indices of SELL a seat


@njit
def sellable(public, cards, seat):
    """L-8.4: the options of SELL without `stop`. Docks are turned so that those of the seller come first."""
    goods = held(public, seat)
    if goods == NONE or public.docks == NONE:
        return NONE
    turn, all_docks = np.uint64(SLOTS * seat), np.uint64(SLOTS * cards.seats)
    docks = (public.docks >> turn | public.docks << (all_docks - turn)) & ((ONE << all_docks) - ONE)
    options = NONE
    while docks != NONE:
        options |= goods << np.uint64(GOODS * lowest(docks))
        docks &= docks - ONE
    return options


@njit
def step_sell(public, cards, frame, news):
    """L-8.4: another good, or the end of the sale."""
    seat, sold = frame.seat, frame.left
    options = sellable(public, cards, seat)
    if options != NONE:
        return ask(public, seat, Decision.SELL, options | (np.uint64(sold > 0) << np.uint64(SELL_STOP)))
    end_sale(public, cards, seat, sold, news)
    return GOES_ON


@njit
def end_sale(public, cards, seat, sold, news):
    """L-8.4: after the last good."""
    if sold > 0:
        public.reais[seat] += public.power[seat, Power.SALE_FLAT]
        tell(news, ZERO, Event.SALES, seat, SINGLE)
        tell(news, ZERO, Event.GOODS_SOLD, seat, sold)
        tell(news, ZERO, Event.REAIS_EARNED, seat, public.power[seat, Power.SALE_FLAT])
    finish(public)


@njit
def sell(public, cards, frame, choice, news):
    """SELL: a good goes aboard, or `stop`."""
    seat = frame.seat
    if choice == SELL_STOP:
        end_sale(public, cards, seat, frame.left, news)
        return
    owner = clockwise(cards, seat, choice // DOCK_CODES)
    slot, good = choice % DOCK_CODES // GOODS, choice % GOODS
    ship = public.top[owner, slot] - SHIP
    earned = cards.price[public.price[good]] + cards.modifier[ship] + public.power[seat, Power.SALE_BONUS + good]
    frame.left += 1
    public.goods[seat, good] -= 1
    public.cargo[owner, slot, good] += 1
    public.reais[seat] += earned
    tell(news, ZERO, Event.REAIS_EARNED, seat, earned)
    set_sail(public, cards, owner, slot, ship, news)


@njit
def set_sail(public, cards, owner, slot, ship, news):
    """L-8.5: a full ship sails, and its owner gains a wig for each good aboard."""
    aboard = 0
    for good in range(GOODS):
        aboard += public.cargo[owner, slot, good]
    if aboard < cards.hull[ship]:
        return
    public.at_sea[owner, slot] = 1
    public.docks &= ~bit(SLOTS * owner + slot)
    tell(news, ZERO, Event.SHIPS_SAILED, owner, SINGLE)
    if printed_ship(public, owner, ship) != BLANK_SHIP:
        gain_wigs(public, cards, owner, aboard + public.power[owner, Power.SAIL_WIGS], Event.SAILING, news)


@njit
def dock_ships(public, seat):
    """L-4.2: ships that are at sea come back empty."""
    for slot in range(SLOTS):
        if public.at_sea[seat, slot] == 1:
            public.at_sea[seat, slot] = 0
            public.docks |= bit(SLOTS * seat + slot)
            unload(public, seat, slot)
