"""Lisboa: what a seat can work out from what it sees. L-... are ids of rules.md."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit, lowest
from simcore.games.lisboa.rules.scoring import metric, share
from simcore.games.lisboa.rules.store import serves
from simcore.games.lisboa.state import (
    COLUMNS,
    CUBES,
    FIRST_EAST,
    FIRST_NORTH,
    KINDS,
    NOBODY,
    ROWS,
    WORDS,
    Phase,
)

# The length of games, as bots play them that know what they do.
CARDS_LEFT = 1.5  # cards left on each display deck that is not empty when empty decks end a period
TURNS_PER_CUBE = 1.3  # own turns in which the seat that is ahead gains a cube that it needs for its sets
LAST_TURNS = 1.5  # own turns from the trigger of the end to the end (L-16.6), on average


# --- Time ------------------------------------------------------------------------------------------------------------


@njit
def turns_left(public, cards):
    """About how many turns a seat will have after the one under way."""
    if public.phase == Phase.OVER:
        return 0.0
    if public.countdown > 0:
        return (public.countdown - 1) / cards.seats
    if public.period == 0:
        second = (cards.display_deck[1].count - CARDS_LEFT * (KINDS - cards.empty_decks)) / cards.seats
        further = max(cards.game_end_sets - cards.period_end_sets, 0) * CUBES * TURNS_PER_CUBE
        return to_trigger(public, cards, cards.period_end_sets) + min(second, further) + LAST_TURNS
    return to_trigger(public, cards, cards.game_end_sets) + LAST_TURNS


@njit
def to_trigger(public, cards, sets):
    """About how many own turns it takes until a seat has so many sets, or the decks are out (L-16.1, L-16.6)."""
    drawn = 0.0
    for kind in range(KINDS):
        drawn += public.deck[kind]
    drawn = max(drawn - CARDS_LEFT * (KINDS - cards.empty_decks), 0.0) / cards.seats
    if public.phase == Phase.DISCARD or public.phase == Phase.LAST_CHURCH:  # the decks are not laid out yet
        drawn = cards.display_deck[1].count / cards.seats
    for seat in range(cards.seats):
        missing = np.int64(0)
        for kind in range(CUBES):
            missing += max(sets - public.cubes[seat, kind], 0)
        drawn = min(drawn, TURNS_PER_CUBE * missing)
    return drawn


# --- Stores and public buildings -------------------------------------------------------------------------------------


@njit
def customers(public, cards, pair):
    """L-11.8: the wigs that the public buildings give a store when it is built."""
    block, good = cards.store_block[pair], cards.store_good[pair]
    row = block // COLUMNS
    relevant = serves(public, cards, row, good) + serves(public, cards, FIRST_NORTH + good, good)
    return public.column_value[block % COLUMNS] * (relevant + serves(public, cards, FIRST_EAST + row, good))


@njit
def sites_beside(public, cards, pair):
    """The free sites of a pair's row and street: buildings there may be customers later."""
    block, good = cards.store_block[pair], cards.store_good[pair]
    row = block // COLUMNS
    sites = public.free_sites >> np.uint64(row) & ONE
    sites += public.free_sites >> np.uint64(FIRST_EAST + row) & ONE
    return np.int64(sites + (public.free_sites >> np.uint64(FIRST_NORTH + good) & ONE))


@njit
def is_customer(cards, site, goods, block, good):
    """L-13.8: whether a building on a site that shows some goods is a customer of a store."""
    if site >= FIRST_NORTH and site < FIRST_EAST:
        return good == site - FIRST_NORTH and (cards.north_site_colours == 0 or goods & bit(good) != NONE)
    row = site if site < FIRST_NORTH else site - FIRST_EAST
    return block // COLUMNS == row and goods & bit(good) != NONE


@njit
def building_customers(public, cards, seat, site, goods):
    """L-13.8: what the seat's stores and those of the others earn when a building that shows some goods opens."""
    own, others = np.int64(0), np.int64(0)
    first, last = 0, ROWS * COLUMNS
    if site < FIRST_NORTH or site >= FIRST_EAST:
        first = COLUMNS * (site if site < FIRST_NORTH else site - FIRST_EAST)
        last = first + COLUMNS
    for block in range(first, last):
        owner = public.block_owner[block]
        if owner != NOBODY and is_customer(cards, site, goods, block, public.block_good[block]):
            wigs = public.column_value[block % COLUMNS]
            own += wigs * np.int64(owner == seat)
            others += wigs * np.int64(owner != seat)
    return own, others


# --- Final scoring ---------------------------------------------------------------------------------------------------


@njit
def store_majority(public, cards, seat, good, own):
    """L-17.3: what the seat gets for a good if it has `own` stores of it, the others those that they have."""
    ahead, level = 0, 1
    for other in range(cards.seats):
        if other != seat:
            ahead += public.stores[other, good] > own
            level += public.stores[other, good] == own
    return share(cards.majority[good], ahead, level) if own > 0 else np.int64(0)


@njit
def officials_majority(public, cards, seat, own):
    """L-17.6: what the seat gets if its completed plans require `own` officials, those of the others as they are."""
    ahead, level = 0, 1
    for other in range(cards.seats):
        if other != seat:
            ahead += public.required[other] > own
            level += public.required[other] == own
    return share(cards.officials_wigs, ahead, level) if own > 0 else np.int64(0)


@njit
def decree_gain(public, cards, seat, which, more):
    """What so many more of a metric bring through the seat's decrees, at the rate of the next one; less, lose."""
    total = 0.0
    for word in range(WORDS):
        held = public.decrees[seat, word]
        while held != NONE:
            kind = cards.decree_kind[64 * word + lowest(held)]
            held &= held - ONE
            if cards.metric[kind] == which:
                total += decree_step(public, cards, seat, kind, metric(public, cards, seat, which))
    return more * total


@njit
def decree_step(public, cards, seat, kind, counted):
    """What one more of its metric adds to a decree: a part of the wigs for the next unit or for the threshold."""
    if public.blanked[seat] == kind:
        return 0.0
    unit, wigs, most = cards.unit[kind], cards.decree_wigs[kind], cards.decree_most[kind]
    if cards.is_threshold[kind] == 1:
        return min(wigs, most) / (unit - counted) if counted < unit else 0.0
    return min(wigs, max(most - wigs * (counted // unit), 0)) / unit


@njit
def decree_promise(public, cards, seat, kind, growth):
    """What a decree will give a seat if its metric grows by so much: of a threshold that is missed, a part."""
    if public.blanked[seat] == kind:
        return 0.0
    counted = metric(public, cards, seat, cards.metric[kind]) + growth
    unit, wigs, most = cards.unit[kind], cards.decree_wigs[kind], cards.decree_most[kind]
    if cards.is_threshold[kind] == 1:
        reached = min(counted / unit, 1.0)
        return reached * reached * reached * min(wigs, most)
    return min(wigs * counted / unit, np.float64(most))
