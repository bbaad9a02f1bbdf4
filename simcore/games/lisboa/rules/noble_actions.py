"""Lisboa: when a Noble action is possible, and its beginning (L-11.1, L-12.1, L-13.1)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, lowest
from simcore.games.lisboa.rules.denials import open_blocks
from simcore.games.lisboa.rules.frames import begin
from simcore.games.lisboa.rules.numbers import ZERO
from simcore.games.lisboa.state import (
    ARCHITECTS,
    BUILDER,
    COLUMNS,
    DECREE_DISPLAY,
    MARQUIS,
    NOBLES,
    NOTHING,
    ROWS,
    Effect,
    Power,
    Task,
)

IMPOSSIBLE = np.int64(1 << 40)  # no money is enough


@njit
def treasury_value(public, cards):
    """L-7.2."""
    return cards.treasury_value[public.treasury]


@njit
def money_needed(public, cards, seat, noble, enough):
    """The least money (L-6.6) with which a seat can perform a noble's action now; IMPOSSIBLE where it cannot at all.

    Where `enough` would do, any number up to it, which is found sooner: give ZERO to know exactly.
    """
    if noble == BUILDER:
        return store_money(public, cards, seat, enough)
    if noble == MARQUIS:
        return np.int64(0) if decrees_offered(public, cards, seat) != NONE else IMPOSSIBLE
    return building_money(public, cards, seat)


@njit
def begin_noble_action(public, cards, seat, noble, decrees):
    """A Noble action that is possible begins; `decrees` are those of a Take a Decree, without the bonus."""
    if noble == BUILDER:
        begin(public, Task.STORE, seat, ZERO, ZERO)
    elif noble == MARQUIS:
        begin(public, Task.DECREE, seat, ZERO, decrees + public.power[seat, Power.DECREE_BONUS])
        return
    else:
        begin(public, Task.BUILDING, seat, ZERO, ZERO)
    public.frame[public.depth - 1].price = treasury_value(public, cards)  # L-7.7


@njit
def reais_of(reward):
    """What a reward brings towards a payment: reais alone count (L-11.2, L-13.1)."""
    return reward.amount if reward.code == Effect.GAIN_REAIS else np.int64(0)


# --- Build a Store ---------------------------------------------------------------------------------------------------


@njit
def first_pair(block):
    """The first pair of block and store of a block; blocks in the outer columns have one, the others two."""
    row, column = block // COLUMNS, block % COLUMNS
    return 2 * (COLUMNS - 1) * row + max(2 * column - 1, 0)


@njit
def pairs_of(public, cards, block):
    """The pairs of a block whose kind of city tile lies on the display (L-11.2)."""
    pair, column = first_pair(block), block % COLUMNS
    pairs = np.uint64(public.tiles[cards.store_tile[pair]] > 0)
    if column > 0 and column < COLUMNS - 1:
        pairs |= np.uint64(public.tiles[cards.store_tile[pair + 1]] > 0) << ONE
    return pairs << np.uint64(pair)


@njit
def least_cost(public, cards, seat, block, value):
    """L-11.2: the cost of a store with the dearest cube of row and column taken away."""
    row, column = block // COLUMNS, ROWS + block % COLUMNS
    dearest = max(public.zone_dearest[row], public.zone_dearest[column])
    rubble = public.zone_value[row] + public.zone_value[column] - dearest
    return store_cost(public, seat, value, rubble)


@njit
def store_cost(public, seat, value, rubble):
    """L-11.5: land and rubble."""
    land = max(value - public.power[seat, Power.LAND_DISCOUNT], 0)
    return land + max(rubble - public.power[seat, Power.RUBBLE_DISCOUNT], 0)


@njit
def store_money(public, cards, seat, enough):
    """L-11.1, L-11.2; `enough` as above."""
    least = IMPOSSIBLE
    if public.houses[seat] == 0:
        return least
    value, blocks = treasury_value(public, cards), open_blocks(public, seat)
    while blocks != NONE and least > enough:
        block = lowest(blocks)
        blocks &= blocks - ONE
        if pairs_of(public, cards, block) != NONE:
            cost = least_cost(public, cards, seat, block, value) - reais_of(cards.block_reward[block])
            least = min(least, max(cost, 0))
    return least


# --- Take a Decree ---------------------------------------------------------------------------------------------------


@njit
def decrees_offered(public, cards, seat):
    """L-12.2: the positions of the display with a decree that the seat may take."""
    positions, banned = NONE, public.banned[seat]
    for position in range(DECREE_DISPLAY):
        decree = public.decree[position]
        if decree != NOTHING:
            is_free = cards.decree_kind[decree] != banned
            positions |= np.uint64(is_free) << np.uint64(position)
    return positions


# --- Open a Public Building ------------------------------------------------------------------------------------------


@njit
def own_officials(public, seat):
    """L-13.5: a seat's officials in the offices and the courtyard."""
    there = public.courtyard[seat]
    for noble in range(NOBLES):
        there += public.office[noble, seat]
    return there


@njit
def officials_missing(public, cards, seat, plan):
    """L-13.5, L-13.11: how many officials a seat has to hire for a plan."""
    required = max(cards.plan_officials[plan] - public.power[seat, Power.OFFICIALS_DISCOUNT], 1)
    return max(required - own_officials(public, seat), 0)


@njit
def best_site_reais(public, cards):
    """The most reais that an open site gives; -1 without an open site."""
    most, sites = np.int64(-1), public.free_sites
    while sites != NONE:
        most = max(most, reais_of(cards.site_reward[lowest(sites)]))
        sites &= sites - ONE
    return most


@njit
def plan_money(public, cards, seat, plan, value, best):
    """L-13.1: the money needed to complete a plan, IMPOSSIBLE where it cannot be completed."""
    missing = officials_missing(public, cards, seat, plan)
    if public.stack[cards.plan_architect[plan]] == 0 or (missing > 0 and cards.hiring == 0):
        return IMPOSSIBLE
    return max(missing * value - best, 0)


@njit
def building_money(public, cards, seat):
    """L-13.1."""
    least = IMPOSSIBLE
    stacked = 0
    for architect in range(ARCHITECTS):
        stacked += public.stack[architect]
    best = best_site_reais(public, cards)
    if best >= 0 and stacked > 0:
        value = treasury_value(public, cards)
        for i in range(public.plans[seat]):
            least = min(least, plan_money(public, cards, seat, public.plan[seat, i], value, best))
    return least
