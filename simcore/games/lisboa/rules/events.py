"""Lisboa: what a news hears of."""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore import game
from simcore.game import Note
from simcore.games.lisboa.state import ACTIONS, NOBLES

# Codes of the card log. Kinds of decree and of Clergy tile are tallied, the others stamped.
CLERGY_CODE = 64
CARD_CODE = 128
BLOCK_CODE = 256
PLAN_CODE = 288
BUILDING_CODE = 320
SHIP_CODE = 384  # 16 copies of each kind
SHIP_COPIES = 16
CODES = 448


class Event(IntEnum):
    """Kinds of `game.note`."""

    DEALT = Note.GAIN  # a card in a hand
    DRAWN = Note.GAIN + 1  # from the display into the hand
    TAKEN = Note.GAIN + 2  # a block, a plan, a public building, a ship
    PORTFOLIO = Note.FATE
    COURT = Note.FATE + 1
    GOLD = Note.FATE + 2
    # Parts of the score. The last seven are the final scoring (L-17).
    START = Note.PART
    STORE_CUSTOMERS = Note.PART + 1
    BUILDING_CUSTOMERS = Note.PART + 2
    STORE_BONUS = Note.PART + 3
    PLACES = Note.PART + 4
    CARDS = Note.PART + 5
    SAILING = Note.PART + 6
    SURRENDERED = Note.PART + 7
    PERIOD_SETS = Note.PART + 8
    INFLUENCE = Note.PART + 9
    SPENT = Note.PART + 10
    FINAL_SHIPS = Note.PART + 11
    FINAL_SETS = Note.PART + 12
    FINAL_STORES = Note.PART + 13
    FINAL_REAIS = Note.PART + 14
    FINAL_DECREES = Note.PART + 15
    FINAL_OFFICIALS = Note.PART + 16
    FINAL_FAVORS = Note.PART + 17
    # Counters.
    TURNS = Note.COUNT
    FIRST_TURNS = Note.COUNT + 1
    PERIOD_BY_SETS = Note.COUNT + 2
    PERIOD_BY_DECKS = Note.COUNT + 3
    END_BY_SETS = Note.COUNT + 4
    END_BY_DECKS = Note.COUNT + 5
    TUCKED = Note.COUNT + 6
    GOLDS = Note.COUNT + 7
    EVENTS = Note.COUNT + 8
    VISITS = Note.COUNT + 9  # by noble
    FOLLOWS = Note.COUNT + 9 + NOBLES  # by noble
    STATE_ACTIONS = Note.COUNT + 9 + 2 * NOBLES  # by State action
    SALES = Note.COUNT + 9 + 2 * NOBLES + ACTIONS
    GOODS_SOLD = Note.COUNT + 10 + 2 * NOBLES + ACTIONS
    REAIS_EARNED = Note.COUNT + 11 + 2 * NOBLES + ACTIONS
    GOODS_PRODUCED = Note.COUNT + 12 + 2 * NOBLES + ACTIONS
    SHIPS_SAILED = Note.COUNT + 13 + 2 * NOBLES + ACTIONS
    STORES = Note.COUNT + 14 + 2 * NOBLES + ACTIONS
    DECREES = Note.COUNT + 15 + 2 * NOBLES + ACTIONS
    BUILDINGS = Note.COUNT + 16 + 2 * NOBLES + ACTIONS
    NOBLE_ACTIONS_LOST = Note.COUNT + 17 + 2 * NOBLES + ACTIONS
    OFFICIALS_PLACED = Note.COUNT + 18 + 2 * NOBLES + ACTIONS
    OFFICIALS_HIRED = Note.COUNT + 19 + 2 * NOBLES + ACTIONS
    CARDINAL_STEPS = Note.COUNT + 20 + 2 * NOBLES + ACTIONS
    TILES_SURRENDERED = Note.COUNT + 21 + 2 * NOBLES + ACTIONS
    SETS = Note.COUNT + 22 + 2 * NOBLES + ACTIONS
    MARKERS_SPENT = Note.COUNT + 23 + 2 * NOBLES + ACTIONS
    VISIT_INFLUENCE = Note.COUNT + 24 + 2 * NOBLES + ACTIONS
    VISIT_WIGS = Note.COUNT + 25 + 2 * NOBLES + ACTIONS
    VISIT_REAIS = Note.COUNT + 26 + 2 * NOBLES + ACTIONS
    COINS_PRODUCED = Note.COUNT + 27 + 2 * NOBLES + ACTIONS
    REAIS_LEFT = Note.COUNT + 28 + 2 * NOBLES + ACTIONS
    DISCARDED = Note.COUNT + 29 + 2 * NOBLES + ACTIONS
    # What happens to decrees and Clergy tiles.
    KIND_TAKEN = Note.TALLY
    KIND_SCORED = Note.TALLY + 1
    # For replays.
    START_PLAYER = Note.OTHER
    STACKED = Note.OTHER + 1  # time: the architect; value: the public building, top first
    SPACE = Note.OTHER + 2  # value: the scoring tile of the next space
    OFFERED = Note.OTHER + 3  # value: the Clergy tile
    FAVOR_DRAWN = Note.OTHER + 4  # value: the noble
    PLAN_DRAWN = Note.OTHER + 5  # value: the plan
    CHURCH_TILE = Note.OTHER + 6  # value: the Clergy tile of the next slot
    CARD_REVEALED = Note.OTHER + 7  # time: the deck; value: the card
    DECREE_REVEALED = Note.OTHER + 8  # time: the position; value: the decree
    RUBBLE_LAID = Note.OTHER + 9  # time: a zone, SITES_LAID + site, PILE_LAID, BOX_LAID; value: the kind
    TILE_REFILLED = Note.OTHER + 10  # time: the slot; value: the Clergy tile
    SHOWN_WIGS = Note.OTHER + 11  # value: a seat's wigs
    SHOWN_INFLUENCE = Note.OTHER + 12
    SHOWN_REAIS = Note.OTHER + 13
    TURN_END = Note.OTHER + 14
    PERIOD_END = Note.OTHER + 15  # value: the reason
    FINAL_ROUNDS = Note.OTHER + 16  # value: the reason
    CARD_DISCARDED = Note.OTHER + 17  # value: the card


SITES_LAID, PILE_LAID, BOX_LAID = 10, 24, 25


@njit
def tell(news, time, kind, seat, value):
    """Something has happened: it is put down, and told to the trace when the decision has been carried out.

    So the kernels know nothing of traces, and are compiled once for all of them.
    """
    row = news.row[news.count]
    row.kind, row.time, row.seat, row.value = np.int64(kind), time, seat, value
    news.count += 1


@njit
def pass_on(news, trace):
    """Tell the trace what has been put down."""
    for i in range(news.count):
        row = news.row[i]
        game.note(trace, row.time, row.kind, row.seat, row.value)
    news.count = 0
