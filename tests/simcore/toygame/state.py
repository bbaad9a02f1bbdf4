"""Bids: records and constants."""

from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simcore import records
from simcore.random import Deck

SEATS = 5
CODES = 48
ROUNDS = 3
TURNS = 300

# Actions: card c is 8 c, so that hands spread over six mask words; then a seat, or the answer to it.
STRIDE = 8
SEAT = CODES * STRIDE
PAY, REFUSE = SEAT + 32, SEAT + 33
CARD_WORDS = SEAT // 64


class Decision(IntEnum):
    BID = 0
    NAME = 1
    ANSWER = 2


class End(IntEnum):
    HANDS = 0
    CAP = 1


class Public:
    actor: int
    decision: int
    turns: int
    rounds: int
    end: int
    truncated: int
    order: Annotated[NDArray[np.int64], SEATS]
    standing: Annotated[NDArray[np.int64], SEATS]
    total: Annotated[NDArray[np.int64], SEATS]
    tricks: Annotated[NDArray[np.int64], SEATS]
    shown: Annotated[NDArray[np.int64], SEATS]  # the cards of the last trick
    first: int  # who bids first
    bids: int  # cards that lie face down
    trick: int  # of the round
    winner: int
    named: int
    left: int  # cards in the deck
    banned: Annotated[NDArray[np.uint64], SEATS]  # cards that the seat bids only if it has no other
    blanked: Annotated[NDArray[np.uint64], SEATS]  # cards that are worth nothing for it


class Private:
    hand: np.uint64
    bid: int  # the card that lies face down


class Secret:
    deck: Annotated[NDArray[np.uint8], CODES]
    top: int


class State:
    public: Public
    private: Annotated[list[Private], SEATS]
    secret: Secret


class Cards:
    seats: int
    hand: int
    rounds: int
    cap: int
    count: int
    deck: Deck
    ban_place: int  # the place in the line-up that the next two are about
    banned: np.uint64
    blanked: np.uint64
    value: Annotated[NDArray[np.int64], CODES]


class Options:
    count: int
    start: int
    stop: int
    mask: Annotated[NDArray[np.uint64], CARD_WORDS + 1]


class Mind:
    weights: Annotated[NDArray[np.float64], 2]
    features: Annotated[NDArray[np.float64], 2]
    memory: Annotated[NDArray[np.uint64], 2]
    tremble: np.uint64
    room: np.uint64


STATE, PUBLIC, PRIVATE, CARD_SET, OPTIONS, MIND = (
    records.dtype(declaration) for declaration in (State, Public, Private, Cards, Options, Mind)
)
