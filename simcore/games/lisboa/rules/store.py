"""Lisboa: Build a Store (L-11)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit, lowest
from simcore.games.lisboa.rules.denials import open_blocks
from simcore.games.lisboa.rules.effects import begin_effect
from simcore.games.lisboa.rules.events import BLOCK_CODE, Event, tell
from simcore.games.lisboa.rules.frames import ASKED, GOES_ON, ask, finish
from simcore.games.lisboa.rules.influence import affords, ask_payment, gain_wigs, money
from simcore.games.lisboa.rules.noble_actions import least_cost, pairs_of, reais_of, store_cost
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE, ZERO
from simcore.games.lisboa.rules.portfolio import change_power, gain_cube
from simcore.games.lisboa.state import (
    COLUMNS,
    CUBES,
    FIRST_EAST,
    FIRST_NORTH,
    GROUPS,
    NOTHING,
    ROWS,
    Decision,
    Power,
)

SITE, REWARD, CUBE, PAYMENT, HOUSE = range(5)  # stages of Task.STORE


@njit
def step_store(public, cards, frame, news):
    """L-11: site, reward, tile, cube, payment, house, wigs."""
    seat = frame.seat
    if frame.stage == SITE:
        return ask(public, seat, Decision.STORE_SITE, store_sites(public, cards, seat, frame.price))
    block = cards.store_block[frame.place]
    row, column = block // COLUMNS, ROWS + block % COLUMNS
    if frame.stage == REWARD:
        place_tile(public, cards, seat, frame.place, news)
        frame.stage = CUBE
        if ask(public, seat, Decision.STORE_CUBE, cubes_payable(public, cards, seat, row, column, frame.price)):
            return ASKED
    if frame.stage == CUBE:
        frame.stage = PAYMENT
        cost = store_cost(public, seat, frame.price, public.zone_value[row] + public.zone_value[column])
        if ask_payment(public, cards, seat, cost, news):
            return ASKED
    if frame.stage == PAYMENT:
        frame.stage = HOUSE
        if ask(public, seat, Decision.HOUSE_GROUP, groups_left(public, cards, seat)):
            return ASKED
        take_house(public, cards, frame, MINUS, news)
    finish(public)
    return GOES_ON


# --- Site and reward (L-11.2 to L-11.4) ------------------------------------------------------------------------------


@njit
def store_sites(public, cards, seat, value):
    """L-11.2: the pairs of block and store whose least cost the seat can pay with the help of the block's reward."""
    purse, options, blocks = money(public, cards, seat), NONE, open_blocks(public, seat)
    while blocks != NONE:
        block = lowest(blocks)
        blocks &= blocks - ONE
        cost = least_cost(public, cards, seat, block, value) - reais_of(cards.block_reward[block])
        options |= pairs_of(public, cards, block) & affords(cost, purse)
    return options


@njit
def choose_store(public, cards, frame, pair, news):
    """STORE_SITE: the tile leaves the display, and the block's reward comes first (L-11.4)."""
    frame.place, frame.stage = pair, REWARD
    public.tiles[cards.store_tile[pair]] -= 1
    reward = cards.block_reward[cards.store_block[pair]]
    begin_effect(public, cards, frame.seat, reward, cards.store_good[pair], Event.PLACES, news)


@njit
def place_tile(public, cards, seat, pair, news):
    """L-11.3: after the reward."""
    block, good = cards.store_block[pair], cards.store_good[pair]
    public.block_owner[block], public.block_good[block] = seat, good
    public.free_blocks &= ~bit(block)
    public.stores[seat, good] += 1
    public.row_stores[seat, block // COLUMNS] += 1
    tell(news, public.turns, Event.TAKEN, seat, BLOCK_CODE + block)
    tell(news, ZERO, Event.STORES, seat, SINGLE)


# --- Cube and payment (L-11.5 to L-11.7) -----------------------------------------------------------------------------


@njit
def cubes_payable(public, cards, seat, row, column, price):
    """L-11.7: zone and kind of the cubes after whose removal the seat can pay."""
    purse, options = money(public, cards, seat), NONE
    rubble = public.zone_value[row] + public.zone_value[column]
    for kind in range(CUBES):
        cost = store_cost(public, seat, price, rubble - cards.cube_value[kind])
        is_paid = affords(cost, purse)
        options |= (np.uint64(public.zone[row, kind] > 0) << np.uint64(kind)) & is_paid
        options |= (np.uint64(public.zone[column, kind] > 0) << np.uint64(CUBES + kind)) & is_paid
    return options


@njit
def take_cube(public, cards, frame, choice, news):
    """STORE_CUBE: row or column, and kind."""
    block, kind = cards.store_block[frame.place], choice % CUBES
    zone = block // COLUMNS if choice < CUBES else ROWS + block % COLUMNS
    cubes = public.zone[zone]
    cubes[kind] -= 1
    public.zone_value[zone] -= cards.cube_value[kind]
    public.zone_dearest[zone] = dearest(cards, cubes)
    gain_cube(public, cards, frame.seat, kind, news)


@njit
def dearest(cards, cubes):
    """The value of the dearest of some cubes, 0 for none."""
    most = np.int64(0)
    for kind in range(CUBES):
        if cubes[kind] > 0:
            most = max(most, cards.cube_value[kind])
    return most


# --- House and customers (L-11.8, L-11.10) ---------------------------------------------------------------------------


@njit
def groups_left(public, cards, seat):
    """L-11.10: the groups with a house left."""
    groups = NONE
    for group in range(GROUPS):
        groups |= np.uint64(public.group[seat, group] < cards.group_size[group]) << np.uint64(group)
    return groups


@njit
def take_house(public, cards, frame, group, news):
    """HOUSE_GROUP, L-11.10, L-11.8: the house, then wigs; what the house allows begins after that."""
    seat = frame.seat
    public.houses[seat] -= 1
    score_customers(public, cards, seat, frame.place, news)
    if group != NOTHING:
        change_power(public, cards, seat, cards.house_power[group, public.group[seat, group]], SINGLE)
        public.group[seat, group] += 1


@njit
def score_customers(public, cards, seat, pair, news):
    """L-11.8: for each public building that is relevant to the new store."""
    block, good = cards.store_block[pair], cards.store_good[pair]
    row, column = block // COLUMNS, block % COLUMNS
    relevant = serves(public, cards, row, good)
    relevant += serves(public, cards, FIRST_NORTH + good, good)
    relevant += serves(public, cards, FIRST_EAST + row, good)
    wigs = public.column_value[column] * relevant
    gain_wigs(public, cards, seat, wigs, Event.STORE_CUSTOMERS, news)
    gain_wigs(public, cards, seat, public.power[seat, Power.STORE_WIGS], Event.STORE_BONUS, news)


@njit
def serves(public, cards, site, good):
    """L-13.8: 1 where the building on a site is relevant to stores of a good that lie right for the site, else 0."""
    building = public.site_building[site]
    if building == NOTHING:
        return np.int64(0)
    is_north = site >= FIRST_NORTH and site < FIRST_EAST
    if is_north and cards.north_site_colours == 0:
        return np.int64(1)
    return np.int64(cards.serves[building, public.site_side[site]] & bit(good) != NONE)
