"""Lisboa: goods in warehouses and in the bank (L-5.2, L-7.6)."""

import numpy as np
from numba import njit

from simcore.bits import NONE
from simcore.games.lisboa.state import GOODS, Power


@njit
def warehouse(public, cards, seat):
    """L-5.2: the room for each type of good."""
    return cards.warehouse_base + public.sets[seat] + public.power[seat, Power.WAREHOUSE_BONUS]


@njit
def held(public, seat):
    """The set of the goods in a warehouse."""
    goods = NONE
    for good in range(GOODS):
        goods |= np.uint64(public.goods[seat, good] > 0) << np.uint64(good)
    return goods


@njit
def gainable(public, cards, seat):
    """The set of the goods for which there are room and stock."""
    room, goods = warehouse(public, cards, seat), NONE
    for good in range(GOODS):
        fits = public.goods[seat, good] < room and public.bank[good] > 0
        goods |= np.uint64(fits) << np.uint64(good)
    return goods


@njit
def own_types(public, seat):
    """The set of the goods that a seat's stores make."""
    goods = NONE
    for good in range(GOODS):
        goods |= np.uint64(public.stores[seat, good] > 0) << np.uint64(good)
    return goods


@njit
def gain_goods(public, cards, seat, good, amount):
    """L-5.2, L-7.6: from the bank, as far as room and stock go. Returns how many."""
    gained = min(amount, min(warehouse(public, cards, seat) - public.goods[seat, good], public.bank[good]))
    gained = max(gained, 0)
    public.goods[seat, good] += gained
    public.bank[good] -= gained
    return gained


@njit
def return_good(public, seat, good):
    """To the bank."""
    public.goods[seat, good] -= 1
    public.bank[good] += 1


@njit
def drop_surplus(public, cards, seat):
    """L-5.2, L-5.7: what no longer fits returns to the bank."""
    room = warehouse(public, cards, seat)
    for good in range(GOODS):
        over = public.goods[seat, good] - room
        if over > 0:
            public.goods[seat, good] -= over
            public.bank[good] += over


@njit
def unload(public, seat, slot):
    """The cargo of a dock returns to the bank."""
    for good in range(GOODS):
        public.bank[good] += public.cargo[seat, slot, good]
        public.cargo[seat, slot, good] = 0
