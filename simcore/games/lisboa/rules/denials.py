"""Lisboa: what a study of access denies a seat (`public.banned`, `public.blanked`): one card, by its code in the log.

A blank has a row of its own in the tables of ships, political cards and Clergy tiles, that after the last one: the
functions `printed_...` tell which row a seat is to read for a thing that is or may become its own.
"""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit
from simcore.games.lisboa.rules.events import BLOCK_CODE, CARD_CODE, CLERGY_CODE, SHIP_CODE, SHIP_COPIES
from simcore.games.lisboa.state import BLOCKS, CARDS, CLERGY, NOTHING, SHIPS

BLANK_CARD, BLANK_TILE, BLANK_SHIP = np.int64(CARDS), np.int64(CLERGY), np.int64(SHIPS)


@njit
def deny(public, cards, seat, is_denied):
    """The set-up of a seat that is denied a card, if one is, or of another seat."""
    block = cards.banned - BLOCK_CODE
    public.banned[seat], public.blanked[seat], public.closed[seat] = NOTHING, NOTHING, NONE
    if is_denied:
        public.banned[seat], public.blanked[seat] = cards.banned, cards.blanked
        if block >= 0 and block < BLOCKS:
            public.closed[seat] = bit(block)


@njit(forceinline=True)
def blank_card(public, seat):
    """The political card that is a blank, if a card with this number is one."""
    return public.blanked[seat] - CARD_CODE


@njit(forceinline=True)
def printed_card(public, seat, card):
    """The row of a political card."""
    return BLANK_CARD if card == blank_card(public, seat) else np.int64(card)


@njit(forceinline=True)
def printed_tile(public, cards, seat, tile):
    """The row of a Clergy tile."""
    return BLANK_TILE if public.blanked[seat] == CLERGY_CODE + cards.clergy_kind[tile] else np.int64(tile)


@njit(forceinline=True)
def printed_ship(public, seat, kind):
    """The row of a kind of ship. It is about what a ship does for its owner: the dock is there for all."""
    return BLANK_SHIP if public.blanked[seat] == SHIP_CODE + SHIP_COPIES * kind else np.int64(kind)


@njit(forceinline=True)
def open_blocks(public, seat):
    """The set of the free blocks on which the seat may build."""
    return public.free_blocks & ~public.closed[seat]
