"""Lost Cities: capacities, enums and records. LC-… are ids of rules.md.

A card is a bit in a word. A colour's cards stand in slots in the order of their rank (wagers, then numbers), copies
side by side, and each colour has at most SLOTS of them. Where all colours fit one word, card code = slot * colours +
colour; else word w holds the colours 3w, 3w + 1, 3w + 2 and code = 64 * w + slot * 3 + colour % 3. `cards.stride` is
the step from a slot to the next, so the lowest bit of a word is its lowest card, and "one slot up" is a shift by the
stride.

Copies of a card (three wagers of a colour) look alike at the table. So that no one can tell them apart here either, a
set of cards always holds the lowest copies of a type: two of the three wagers are always the first and the second.
"""

from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simcore import records
from simcore.random import Deck

SEATS = 2
NOBODY = -1
COLOURS = 6
SLOTS = 20
WORDS = 2
CODES = 128
CARDS = COLOURS * SLOTS
DECK = 6  # the pile to draw from that is the face-down deck; piles 0..5 are the colours
PILES = 8
ROUNDS = 9
TURNS = 16384  # rounds * max_turns of a card set

# Action codes: play card c of word w: 128 w + c; discard it: 128 w + 64 + c; draw from pile p: 256 + p.
DISCARD = 64
DRAW = 256
DRAW_WORD = DRAW // 64
ACTION_WORDS = DRAW_WORD + 1

GAPS = 4
MEMORY = 24
SCRATCH = 16
FEATURES = 32
WEIGHTS = 4096
UNITS = 32


class Decision(IntEnum):
    """What is to be decided."""

    CARD = 0  # LC-D1
    DRAW = 1  # LC-D2


class End(IntEnum):
    """What ended the last round (LC-5.1, LC-5.4)."""

    DECK = 0
    CAP = 1


class Board:
    """What lies before a seat, and what everyone knows of it."""

    played: Annotated[NDArray[np.uint64], WORDS]  # its columns
    blocked: Annotated[NDArray[np.uint64], WORDS]  # cards too low for its columns (LC-4.1, LC-4.2), or banned
    banned: Annotated[NDArray[np.uint64], WORDS]  # cards that a study of access keeps it from playing
    blanked: Annotated[NDArray[np.uint64], WORDS]  # cards that a study of access lets add nothing to its columns
    known: Annotated[NDArray[np.uint64], WORDS]  # cards of its hand that everyone saw it take from a pile (LC-8.2)
    length: Annotated[NDArray[np.int64], PILES]  # cards in each column, without blank ones, as the next
    wagers: Annotated[NDArray[np.int64], PILES]  # wagers in each column


class Public:
    """What everyone at the table sees."""

    actor: int  # the seat to decide, -1 when the match is over
    decision: int
    turns: int  # turns of the match so far, both players together
    round_turns: int  # turns of this round so far
    rounds: int  # rounds finished
    starter: int  # who started this round
    end: int
    truncated: int  # 1 when a round reached its cap (LC-5.4)
    order: Annotated[NDArray[np.int64], SEATS]  # place in turn order, in round 1
    standing: Annotated[NDArray[np.int64], SEATS]  # points of the match so far, this round's columns as they lie
    total: Annotated[NDArray[np.int64], SEATS]  # points of the finished rounds
    closed: np.uint64  # bit of the pile just discarded on (LC-3.4), 0 when it is not time to draw
    open: np.uint64  # bits of the piles that are not empty, the deck's too
    count: Annotated[NDArray[np.int64], PILES]  # cards in each pile, the deck too (LC-5.5)
    pile: Annotated[NDArray[np.uint8], PILES, CARDS]  # bottom first; bytes at and above the count mean nothing
    board: Annotated[list[Board], SEATS]


class Private:
    """What a seat alone sees."""

    hand: Annotated[NDArray[np.uint64], WORDS]


class Secret:
    """The deck has two ends: seat 0 draws upwards from `end[0]`, seat 1 downwards from `end[1]`."""

    end: Annotated[NDArray[np.int64], SEATS]
    deck: Annotated[NDArray[np.uint8], CODES]


class State:
    """A match."""

    public: Public
    private: Annotated[list[Private], SEATS]
    secret: Secret


class Cards:
    """The parameter record: an edited card set changes values, never the type."""

    seats: int
    count: int
    colours: int
    words: int
    stride: int
    hand: int
    cost: int
    bonus: int
    bonus_min: int
    rounds: int
    cap: int
    deck: Deck
    # Of each card, by its code. A mask has a word for each word of the codes.
    colour: Annotated[NDArray[np.int64], CODES]
    value: Annotated[NDArray[np.int64], CODES]  # 0 for a wager
    is_wager: Annotated[NDArray[np.int64], CODES]  # 0 or 1
    type: Annotated[NDArray[np.uint8], CODES]  # the code of the first copy
    copies: Annotated[NDArray[np.uint64], CODES, WORDS]  # the card and its copies
    below: Annotated[NDArray[np.uint64], CODES, WORDS]  # what it makes unplayable (LC-4.1, LC-4.2)
    near: Annotated[NDArray[np.uint64], GAPS, CODES, WORDS]  # what may follow it and skips at most g values
    # Sets of cards.
    present: Annotated[NDArray[np.uint64], WORDS]
    wagers: Annotated[NDArray[np.uint64], WORDS]
    of_colour: Annotated[NDArray[np.uint64], PILES, WORDS]
    ban_place: int  # the place in the line-up that may not play cards of the next code, -1 for none
    ban_code: int
    blank_place: int  # the place for which cards of the next code are blank, -1 for none
    blank_code: int


class Options:
    """The legal actions."""

    count: int
    start: int  # the first mask word in use
    stop: int
    mask: Annotated[NDArray[np.uint64], ACTION_WORDS]  # bit b of word w is action 64 * w + b


class Mind:
    """What a bot carries: its weights, room for features, for what it thinks of each action (`estimates`) and for
    arithmetic, a memory that is zero when a game starts, the share of its decisions that are random, in 2**32nds, and
    the address of its room for searching, 0 without one (`simcore.rooms`).
    """

    weights: Annotated[NDArray[np.float64], WEIGHTS]
    features: Annotated[NDArray[np.float64], FEATURES]
    estimates: Annotated[NDArray[np.float64], 64 * ACTION_WORDS]
    shared: Annotated[NDArray[np.float64], UNITS]  # for the arithmetic of a net, as is the next
    units: Annotated[NDArray[np.float64], UNITS]
    memory: Annotated[NDArray[np.uint64], MEMORY]
    scratch: Annotated[NDArray[np.int64], SCRATCH]  # for the arithmetic within one call
    tremble: np.uint64
    room: np.uint64


STATE, PUBLIC, PRIVATE, CARD_SET, OPTIONS, MIND = (
    records.dtype(declaration) for declaration in (State, Public, Private, Cards, Options, Mind)
)
