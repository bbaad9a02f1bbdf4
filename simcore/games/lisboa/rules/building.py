"""Lisboa: Open a Public Building (L-13)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit, lowest
from simcore.games.lisboa.rules.effects import begin_effect
from simcore.games.lisboa.rules.events import BUILDING_CODE, Event, tell
from simcore.games.lisboa.rules.frames import ASKED, GOES_ON, ask, finish
from simcore.games.lisboa.rules.influence import affords, ask_payment, gain_wigs, money
from simcore.games.lisboa.rules.noble_actions import (
    best_site_reais,
    officials_missing,
    own_officials,
    plan_money,
    reais_of,
)
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE, ZERO
from simcore.games.lisboa.rules.portfolio import gain_cube
from simcore.games.lisboa.rules.store import serves
from simcore.games.lisboa.state import (
    COLUMNS,
    COURTYARD,
    CUBES,
    FIRST_EAST,
    FIRST_NORTH,
    NOBLES,
    NOBODY,
    NOTHING,
    ROWS,
    Decision,
    Power,
)

PLAN, SITE, REWARD, OFFICIALS, PAYMENT = range(5)  # stages of Task.BUILDING


@njit
def step_building(state, cards, frame, news):
    """L-13.2: plan, site, cubes, reward, tile, officials, wigs."""
    public, seat = state.public, frame.seat
    if frame.stage == PLAN:
        return ask(public, seat, Decision.BUILDING_PLAN, plans_possible(public, cards, seat, frame.price))
    if frame.stage == SITE:
        missing = officials_missing(public, cards, seat, frame.what)
        return ask(public, seat, Decision.BUILDING_SITE, sites_payable(public, cards, seat, missing * frame.price))
    if frame.stage == REWARD:
        place_building(state, cards, frame, news)
        frame.stage = OFFICIALS
    if frame.stage == OFFICIALS:
        if frame.left > 0:
            return ask(public, seat, Decision.BUILDING_OFFICIAL, officials_at(public, seat))
        frame.stage = PAYMENT
        if ask_payment(public, cards, seat, frame.hired * frame.price, news):
            return ASKED
    hire(public, cards, seat, frame.hired, news)
    score_visitors(public, cards, frame.place, news)
    finish(public)
    return GOES_ON


# --- Plan and site (L-13.3, L-13.4) ----------------------------------------------------------------------------------


@njit
def plans_possible(public, cards, seat, price):
    """L-13.1: positions of the plans that can be completed now."""
    purse, best, plans = money(public, cards, seat), best_site_reais(public, cards), NONE
    for i in range(public.plans[seat]):
        needed = plan_money(public, cards, seat, public.plan[seat, i], price, best)
        plans |= bit(i) & affords(needed, purse)
    return plans


@njit
def sites_payable(public, cards, seat, cost):
    """L-13.4: the open sites with which the hiring can be paid."""
    purse, sites, payable = money(public, cards, seat), public.free_sites, NONE
    while sites != NONE:
        site = lowest(sites)
        sites &= sites - ONE
        payable |= bit(site) & affords(cost - reais_of(cards.site_reward[site]), purse)
    return payable


@njit
def choose_plan(public, frame, position):
    """BUILDING_PLAN."""
    frame.stage, frame.what = SITE, public.plan[frame.seat, position]


@njit
def choose_site(public, cards, frame, site, news):
    """BUILDING_SITE, L-13.9: officials are counted, then come both cubes and the reward."""
    seat = frame.seat
    frame.place, frame.stage = site, REWARD
    required = max(cards.plan_officials[frame.what] - public.power[seat, Power.OFFICIALS_DISCOUNT], 1)
    frame.left = min(required, own_officials(public, seat))
    frame.hired = required - frame.left
    for kind in range(CUBES):
        for _ in range(public.site_cubes[site, kind]):
            gain_cube(public, cards, seat, kind, news)
        public.site_cubes[site, kind] = 0
    begin_effect(public, cards, seat, cards.site_reward[site], MINUS, Event.PLACES, news)


@njit
def place_building(state, cards, frame, news):
    """L-13.6, L-13.7: the tile on the site, the plan completed, the next tile the current one."""
    public, seat, plan, site = state.public, frame.seat, frame.what, frame.place
    architect = cards.plan_architect[plan]
    building = public.building[architect, 0]
    public.site_building[site], public.site_side[site] = building, architect
    public.free_sites &= ~bit(site)
    public.stack[architect] -= 1
    show_buildings(state, architect)
    i = 0
    while public.plan[seat, i] != plan:
        i += 1
    public.plans[seat] -= 1
    for later in range(i, public.plans[seat]):
        public.plan[seat, later] = public.plan[seat, later + 1]
    public.plan[seat, public.plans[seat]] = 0
    public.completed[seat] |= bit(plan)
    public.completions[seat, architect] += 1
    public.required[seat] += cards.plan_officials[plan]
    tell(news, public.turns, Event.TAKEN, seat, BUILDING_CODE + building)
    tell(news, ZERO, Event.BUILDINGS, seat, SINGLE)


@njit
def show_buildings(state, architect):
    """L-2.1 c: the current building of a stack and the next one."""
    public = state.public
    for i in range(2):
        place = public.stack[architect] - 1 - i
        public.building[architect, i] = NOTHING if place < 0 else np.int64(state.secret.stack[architect, place])


# --- Officials (L-13.5, L-13.11) -------------------------------------------------------------------------------------


@njit
def officials_at(public, seat):
    """L-13.5: where a seat has officials to reassign."""
    places = np.uint64(public.courtyard[seat] > 0) << np.uint64(COURTYARD)
    for noble in range(NOBLES):
        places |= np.uint64(public.office[noble, seat] > 0) << np.uint64(noble)
    return places


@njit
def reassign(public, frame, place):
    """BUILDING_OFFICIAL."""
    seat = frame.seat
    frame.left -= 1
    public.serving[seat] += 1
    if place == COURTYARD:
        public.courtyard[seat] -= 1
    else:
        public.office[place, seat] -= 1


@njit
def hire(public, cards, seat, hired, news):
    """L-13.11: those hired come from the board, as long as there are any."""
    moved = min(hired, public.board[seat])
    public.board[seat] -= moved
    public.serving[seat] += moved
    tell(news, ZERO, Event.OFFICIALS_HIRED, seat, hired)


# --- Customers (L-13.8) ----------------------------------------------------------------------------------------------


@njit
def score_visitors(public, cards, site, news):
    """L-13.8: every matching store earns its owner the value of its column."""
    if site >= FIRST_NORTH and site < FIRST_EAST:
        for row in range(ROWS):
            for column in range(COLUMNS):
                if public.block_good[COLUMNS * row + column] == site - FIRST_NORTH:
                    score_store(public, cards, site, COLUMNS * row + column, news)
    else:
        row = site if site < FIRST_NORTH else site - FIRST_EAST
        for column in range(COLUMNS):
            if public.block_owner[COLUMNS * row + column] != NOBODY:
                score_store(public, cards, site, COLUMNS * row + column, news)


@njit
def score_store(public, cards, site, block, news):
    """L-13.8: one store."""
    wigs = public.column_value[block % COLUMNS] * serves(public, cards, site, public.block_good[block])
    gain_wigs(public, cards, public.block_owner[block], wigs, Event.BUILDING_CUSTOMERS, news)
