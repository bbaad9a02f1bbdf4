"""Lisboa: the Church (L-9.9, L-14)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit
from simcore.games.lisboa.rules.denials import printed_tile
from simcore.games.lisboa.rules.events import CLERGY_CODE, Event, tell
from simcore.games.lisboa.rules.frames import GOES_ON, ask, clockwise, finish
from simcore.games.lisboa.rules.influence import gain_influence, gain_wigs
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE, ZERO
from simcore.games.lisboa.rules.portfolio import change_power
from simcore.games.lisboa.state import LIST_STOP, NOBODY, NOTHING, STATIONS, Decision, Power, Symbol

STEPS, TILE, OVERFLOW = range(3)  # stages of Task.CARDINAL
MOST_STEPS = 4
MAY_STOP = np.uint64(1 << LIST_STOP)


# --- Meet the Cardinal (L-9.9) ---------------------------------------------------------------------------------------


@njit
def near_slots(public, station):
    """L-14.1: which of the slots behind (bit 0) and ahead (bit 1) of a station hold a tile."""
    behind, ahead = public.slot[(station + STATIONS - 1) % STATIONS], public.slot[station]
    return np.uint64(behind != NOTHING) | np.uint64(ahead != NOTHING) << ONE


@njit
def cardinal_steps(public, cards, seat):
    """L-9.9: the legal numbers of steps, from 1 on."""
    most = min(cards.cardinal_steps + public.power[seat, Power.CARDINAL_EXTRA_STEP], MOST_STEPS)
    steps = NONE
    for i in range(most):
        is_near = near_slots(public, (public.cardinal + i + 1) % STATIONS) != NONE
        steps |= np.uint64(is_near) << np.uint64(i)
    return steps


@njit
def step_cardinal(public, cards, frame):
    """L-9.9."""
    seat = frame.seat
    if frame.stage == STEPS:
        return ask(public, seat, Decision.CARDINAL_STEPS, cardinal_steps(public, cards, seat))
    if frame.stage == TILE:
        return ask(public, seat, Decision.CARDINAL_TILE, near_slots(public, public.cardinal))
    if public.tiles_held[seat] > cards.clergy_limit:
        return ask(public, seat, Decision.CLERGY_OVERFLOW, bit(public.tiles_held[seat]) - ONE)
    finish(public)
    return GOES_ON


@njit
def move_cardinal(public, cards, frame, steps, news):
    """L-14.2, L-14.5: symbols count where he lands on or passes them."""
    frame.stage = TILE
    tell(news, ZERO, Event.CARDINAL_STEPS, frame.seat, steps)
    for _ in range(steps):
        public.cardinal = (public.cardinal + 1) % STATIONS
        symbol = cards.symbol[public.cardinal]
        if symbol == Symbol.CHURCH_TREASURY:
            public.treasury = min(public.treasury + 1, cards.treasury_last)
        elif symbol == Symbol.CHURCH_SCORING and public.scoring == NOBODY:
            public.scoring = frame.seat


@njit
def take_tile(public, cards, frame, side, news):
    """L-14.3: CARDINAL_TILE."""
    slot = (public.cardinal + STATIONS - 1 + side) % STATIONS
    frame.stage = OVERFLOW
    hold_tile(public, cards, frame.seat, public.slot[slot], news)
    public.slot[slot] = NOTHING


@njit
def hold_tile(public, cards, seat, tile, news):
    """L-14.3: its effect lasts from now on."""
    public.clergy[seat, public.tiles_held[seat]] = tile
    public.tiles_held[seat] += 1
    change_power(public, cards, seat, cards.clergy_power[printed_tile(public, cards, seat, tile)], SINGLE)
    tell(news, ZERO, Event.KIND_TAKEN, seat, CLERGY_CODE + cards.clergy_kind[tile])


@njit
def give_up_tile(public, cards, seat, position):
    """L-14.4, L-14.6: out of the game. Returns the tile."""
    tile = public.clergy[seat, position]
    public.tiles_held[seat] -= 1
    for i in range(position, public.tiles_held[seat]):
        public.clergy[seat, i] = public.clergy[seat, i + 1]
    public.clergy[seat, public.tiles_held[seat]] = 0
    change_power(public, cards, seat, cards.clergy_power[printed_tile(public, cards, seat, tile)], MINUS)
    return tile


# --- Church Scoring (L-14.6) -----------------------------------------------------------------------------------------


@njit
def begin_church(public, cards):
    """L-14.6: the mover is asked first."""
    public.asked, public.to_ask = public.scoring, cards.seats
    public.scoring = NOBODY


@njit
def ask_church(public, cards, news):
    """L-14.6: ask the next seat that has a tile. Returns whether one is asked."""
    while public.to_ask > 0:
        seat = public.asked
        if public.tiles_held[seat] > 0:
            tiles = bit(public.tiles_held[seat]) - ONE
            return ask(public, seat, Decision.SURRENDER, tiles | MAY_STOP)
        end_surrender(public, cards, news)
    public.asked = NOBODY
    return GOES_ON


@njit
def surrender(public, cards, position, news):
    """SURRENDER: a tile, or `stop`."""
    if position == LIST_STOP:
        end_surrender(public, cards, news)
        return
    seat = public.asked
    tile = give_up_tile(public, cards, seat, position)
    public.surrendered += 1
    wigs = cards.back_wigs[printed_tile(public, cards, seat, tile)]
    gain_wigs(public, cards, seat, wigs, Event.SURRENDERED, news)
    tell(news, ZERO, Event.TILES_SURRENDERED, seat, SINGLE)
    tell(news, ZERO, Event.KIND_SCORED, seat, CLERGY_CODE + cards.clergy_kind[tile])
    if cards.influence_per_tile == 1:
        gain_influence(public, cards, seat, news)


@njit
def end_surrender(public, cards, news):
    """L-14.6: one Gain Influence for a seat that has surrendered a tile."""
    if public.surrendered > 0 and cards.influence_per_tile == 0:
        gain_influence(public, cards, public.asked, news)
    public.surrendered = 0
    public.asked = clockwise(cards, public.asked, SINGLE)
    public.to_ask -= 1
