"""Lisboa: slots of portfolios, lasting effects, rubble (L-5)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit
from simcore.games.lisboa.rules.denials import printed_card, printed_ship
from simcore.games.lisboa.rules.events import Event, tell
from simcore.games.lisboa.rules.frames import ask
from simcore.games.lisboa.rules.goods import drop_surplus, unload
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE, ZERO
from simcore.games.lisboa.state import CUBES, NOTHING, SHIP, SLOTS, Decision, Power

# --- Slots (L-5.1, L-5.3) --------------------------------------------------------------------------------------------


@njit
def portfolio_capacity(public, cards, seat):
    """L-5.1."""
    return min(cards.portfolio_base + public.sets[seat], cards.top_slots + cards.bottom_slots)


@njit
def taken_slots(slots):
    """The set of the slots of a half that hold something."""
    taken = NONE
    for slot in range(SLOTS):
        taken |= np.uint64(slots[slot] != NOTHING) << np.uint64(slot)
    return taken


@njit
def ask_room(public, cards, seat, is_top):
    """L-5.3: ask what to discard, where a card does not fit."""
    top, bottom = taken_slots(public.top[seat]), taken_slots(public.bottom[seat])
    below = bottom << np.uint64(SLOTS)
    legal = NONE
    if is_top and top == bit(cards.top_slots) - ONE:
        legal = top
    elif not is_top and bottom == bit(cards.bottom_slots) - ONE:
        legal = below
    elif public.tucked[seat] >= portfolio_capacity(public, cards, seat):
        legal = top | below
    return ask(public, seat, Decision.PORTFOLIO_DISCARD, legal)


@njit
def place_top(public, cards, seat, card):
    """L-5.3: a noble card or a ship, into the lowest empty slot."""
    slot = 0
    while public.top[seat, slot] != NOTHING:
        slot += 1
    public.top[seat, slot] = card
    public.tucked[seat] += 1
    if card >= SHIP:
        public.icons[seat] += cards.ship_influence[printed_ship(public, seat, card - SHIP)]
        public.docks |= bit(SLOTS * seat + slot)
    else:
        public.icons[seat] += cards.influence[printed_card(public, seat, card)]


@njit
def place_bottom(public, cards, seat, card):
    """L-5.3: a treasury card, into the lowest empty slot."""
    slot = 0
    while public.bottom[seat, slot] != NOTHING:
        slot += 1
    public.bottom[seat, slot] = card
    public.tucked[seat] += 1
    change_power(public, cards, seat, cards.lasting[printed_card(public, seat, card)], SINGLE)


@njit
def discard_slot(public, cards, seat, spot):
    """L-5.3: PORTFOLIO_DISCARD; top slots come first."""
    public.tucked[seat] -= 1
    if spot >= SLOTS:
        slot = spot - SLOTS
        row = printed_card(public, seat, public.bottom[seat, slot])
        change_power(public, cards, seat, cards.lasting[row], MINUS)
        public.bottom[seat, slot] = NOTHING
        return
    card = public.top[seat, spot]
    public.top[seat, spot] = NOTHING
    if card < SHIP:
        public.icons[seat] -= cards.influence[printed_card(public, seat, card)]
        return
    public.icons[seat] -= cards.ship_influence[printed_ship(public, seat, card - SHIP)]
    public.docks &= ~bit(SLOTS * seat + spot)
    public.at_sea[seat, spot] = 0
    unload(public, seat, spot)


# --- Lasting effects (L-5.7) -----------------------------------------------------------------------------------------


@njit
def change_power(public, cards, seat, lasting, sign):
    """A lasting effect comes to a seat, or with sign -1 leaves it."""
    for i in range(lasting.first, lasting.last):
        public.power[seat, i] += sign * lasting.amount
    if sign < 0 and lasting.first == Power.WAREHOUSE_BONUS:
        drop_surplus(public, cards, seat)


# --- Rubble (L-5.5, L-5.6) -------------------------------------------------------------------------------------------


@njit
def gain_cube(public, cards, seat, kind, news):
    """L-5.5: a cube that the seat cannot place goes to the box. L-5.6: a new set brings a marker to the portrait."""
    cubes = public.cubes[seat]
    if cubes[kind] >= cards.most_cubes[kind]:
        public.lost[kind] += 1
        return
    cubes[kind] += 1
    sets = cubes[0]
    for other in range(1, CUBES):
        sets = min(sets, cubes[other])
    if sets > public.sets[seat]:
        public.sets[seat] = sets
        public.markers[seat] += np.int64(sets <= cards.set_markers)
        tell(news, ZERO, Event.SETS, seat, SINGLE)
