"""Vaalbara: capacities, enums and records. VB-… are ids of rules.md.

A character is known by its place in the card set's table, 0..15, the same for every clan; a set of characters is a word
with a bit for each. A land is known by its code (parameters.py gives them out). Lands of one type and value are
different cards, each with a back of its own.
"""

from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simcore import records
from simcore.random import Deck

SEATS = 5
CLANS = 5
ROUNDS = 9
TURNS = ROUNDS * SEATS
CHARACTERS = 16
TYPES = 6
LANDS = 80
CODES = 128  # characters 0..15, then lands
ROW = 8  # room in a row of lands; as many as seats are used
ROWS = 2
FIRST, SECOND = 0, 1  # rows: the one that lands are taken from, and the preview
REALM = 9
NOBODY = -1
UNKNOWN = -1

MEMORY = 16
FEATURES = 96
WEIGHTS = 4096
UNITS = 32
SCRATCH = 160


class Decision(IntEnum):
    """What is to be decided. The actions of decision d are the codes 64 d + item."""

    CHARACTER = 0  # VB-D1; item: the character
    SHOW_FIGHTER = 1  # VB-D2; item: 0 no, 1 yes
    BARD = 2  # VB-D3; item: the seat
    TRACKER = 3  # VB-D4; item: 8 * row + place in the row
    MIDWIFE = 4  # VB-D5; item: the character
    RIDER = 5  # VB-D6; item: 8 * place in the first row + place in the second
    PIONEER = 6  # VB-D7; item: place in the own Realm
    TAKE = 7  # VB-D8; item: place in the first row


class Effect(IntEnum):
    """What a character does (`effect_code` in characters.csv, VB-6)."""

    NONE = 0
    OTHERS_REVEAL_FIGHTER = 1
    GIVE_OTHER = 2
    BEFORE_NEIGHBOURS = 3
    ODD_NEIGHBOURS = 4
    PER_FOREST = 5
    STEAL_PREVIOUS = 6
    SWAP_ROW_DECKTOP = 7
    RECOVER_CHARACTER = 8
    SWAP_ROWS = 9
    AFTER_NEIGHBOURS = 10
    SWAP_REALM_DECKBOTTOM = 11
    DOUBLE_LAND = 12


class Type(IntEnum):
    """The types of land (VB-1.1), in the order of land_types.csv."""

    MEADOW = 0
    FIELD = 1
    FOREST = 2
    VILLAGE = 3
    MOUNTAIN = 4
    RIVER = 5


class Reward(IntEnum):
    """What a land pays (`reward_code` in land_types.csv, VB-5)."""

    PER_MEADOW_SELF_AND_NEIGHBOURS = 0
    PER_FIELD = 1
    PRINTED = 2
    PER_DISTINCT_TYPE = 3
    MILESTONE_2_4 = 4
    INITIATIVE_TIMES_RIVERS = 5


class End(IntEnum):
    """What ended the game (VB-7.1)."""

    ROUNDS = 0


class Public:
    """What everyone at the table sees, and can remember (VB-9.1). Entries for seats that do not play are not used.

    Slots at and above a count mean nothing.
    """

    actor: int  # the seat to decide, -1 when the game is over
    decision: int
    turns: int  # turns of players finished, all rounds together
    rounds: int  # 0, and 1 when the game is over: to the log a game is one round
    end: int
    truncated: int  # always 0: a game has a fixed length
    order: Annotated[NDArray[np.int64], SEATS]  # the seat itself: there is no first player (VB-2.9)
    standing: Annotated[NDArray[np.int64], SEATS]  # victory points, without the bonus at the end (VB-7.2)
    clan: Annotated[NDArray[np.int64], SEATS]
    played_rounds: int  # finished rounds, 0..9
    omens: Annotated[NDArray[np.int64], CLANS]  # place of each clan in the current omens, 0 the best (VB-2.6)
    ranking: Annotated[NDArray[np.int64], CLANS]  # the omens that decide ties in this round: `omens`, or, without
    #                                               VB-4.3 (switch tracker_reorders), those at the reveal
    deck: int  # lands in the Land deck
    top: int  # code of the land on top of it where all know it (VB-6.7, VB-9.2), else -1
    bottom: int  # code of the land at its bottom where all know it (VB-6.11b), else -1; with one land left as `top`
    count: Annotated[NDArray[np.int64], ROWS]  # lands in each row
    row: Annotated[NDArray[np.uint8], ROWS, ROW]  # codes, left to right; a gap is closed from the right
    lands: Annotated[NDArray[np.int64], SEATS]  # lands in each Realm
    realm: Annotated[NDArray[np.uint8], SEATS, REALM]  # codes; a new land comes last, the Pioneer's takes the old place
    have: Annotated[NDArray[np.int64], SEATS, TYPES]  # how many of each type a Realm has
    hand: Annotated[NDArray[np.int64], SEATS]  # cards in each hand; a secret choice counts until it is revealed
    clan_deck: Annotated[NDArray[np.int64], SEATS]  # cards in each face-down clan deck
    discard: Annotated[NDArray[np.uint64], SEATS]  # the set of characters on each discard pile
    known: Annotated[NDArray[np.uint64], SEATS]  # characters that all know to be in that hand: recovered or shown
    #                                              (of several Fighters the first of the table is the one that is shown)
    recovered: Annotated[NDArray[np.int64], SEATS]  # characters taken back so far (VB-6.8)
    # What a study of access denies the seat, else 0:
    banned: Annotated[NDArray[np.uint64], SEATS]  # set of characters that it plays only where it has no other
    blanked: Annotated[NDArray[np.uint64], SEATS]  # set of characters that do nothing when it plays or holds them
    banned_types: Annotated[NDArray[np.uint64], SEATS]  # set of types of land: it takes them only where there is no
    #                                                     other, and they pay it nothing
    barred: np.uint64  # for the one to take a land: set of the places of the first row that are banned to it
    revealed: Annotated[NDArray[np.int64], SEATS]  # the character played in this round, -1 before the reveal
    active: int  # the seat whose turn it is, -1 before the reveal; in SHOW_FIGHTER another seat is `actor`
    #             at the end of a game the seat of its last turn
    acted: np.uint64  # set of seats that have finished their turn in this round
    sequence: Annotated[NDArray[np.int64], SEATS]  # these seats in the order of their turns; slots beyond mean nothing


class Private:
    """What a seat alone sees. Its clan deck is what is neither here nor face up, in an order that it does not know."""

    hand: np.uint64  # set of characters, without the secret choice
    chosen: int  # the secret choice until the reveal, else -1 (VB-3.1)


class Secret:
    """What nobody sees."""

    clan_deck: Annotated[NDArray[np.uint8], SEATS, CHARACTERS]  # the next card is the last of `public.clan_deck`
    land_deck: Annotated[NDArray[np.uint8], CODES]  # codes from the bottom up; the top is the last of `public.deck`


class State:
    """A game."""

    public: Public
    private: Annotated[list[Private], SEATS]
    secret: Secret


class Cards:
    """The parameter record: an edited card set changes values, never the type."""

    seats: int
    rounds: int
    start: int  # VP at the start (VB-2.3)
    hand: int  # size of a hand
    second: int  # a second Mountain, and a fourth (VB-5.5)
    fourth: int
    river_cap: int
    five_types: int  # the bonuses of VB-7.2
    six_types: int
    farmer_factor: int
    tracker_reorders: int  # 1: VB-4.3
    fighter_pays_owner: int  # 0: VB-6.1a
    characters: int
    everyone: np.uint64  # the set of all characters
    fighters: np.uint64  # those that can be shown (VB-6.1)
    midwives: np.uint64  # those that cannot be recovered (VB-6.8)
    initiative: Annotated[NDArray[np.int64], CHARACTERS]
    effect: Annotated[NDArray[np.int64], CHARACTERS]
    amount: Annotated[NDArray[np.int64], CHARACTERS]
    neighbours: Annotated[NDArray[np.uint64], SEATS]  # a set of seats for each (VB-2.7)
    lands: int
    type: Annotated[NDArray[np.int64], CODES]  # of each land, by its code
    printed: Annotated[NDArray[np.int64], CODES]  # what it prints (VB-5.3), else 0
    place: Annotated[NDArray[np.int64], CODES, CLANS]  # of each clan on its back, 0 the best (VB-1.3)
    reward: Annotated[NDArray[np.int64], TYPES]
    unit: Annotated[NDArray[np.int64], TYPES]  # VP a unit
    kept: Annotated[NDArray[np.int64], TYPES]  # lands of each type in play
    mean_printed: Annotated[NDArray[np.float64], TYPES]  # what these print on average
    mean_river: float  # the mean over the characters of what a first River pays a unit (VB-5.6)
    clan_deck: Deck  # a clan's characters
    land_deck: Deck  # the lands kept for so many seats (VB-2.1)
    clans: Deck
    ban_place: int  # the place in the line-up that is denied what follows (a study of access), -1 for none
    banned: np.uint64  # characters
    blanked: np.uint64  # characters
    banned_types: np.uint64  # types of land


class Options:
    """The legal actions."""

    count: int
    start: int  # the mask word in use: that of the decision
    stop: int
    mask: Annotated[NDArray[np.uint64], len(Decision)]  # bit b of word w is action 64 * w + b


class Mind:
    """What a bot carries: its weights, room for features, for what it thinks of each action (`estimates`) and for
    arithmetic, a memory that is zero when a game starts, the share of its decisions that are random, in 2**32nds, and
    the address of its room for searching, 0 without one (`simcore.rooms`).
    """

    weights: Annotated[NDArray[np.float64], WEIGHTS]
    features: Annotated[NDArray[np.float64], FEATURES]
    estimates: Annotated[NDArray[np.float64], 64 * len(Decision)]
    shared: Annotated[NDArray[np.float64], UNITS]  # for the arithmetic of a net, as is the next
    units: Annotated[NDArray[np.float64], UNITS]
    memory: Annotated[NDArray[np.uint64], MEMORY]
    scratch: Annotated[NDArray[np.float64], SCRATCH]  # for the arithmetic within one call
    tremble: np.uint64
    room: np.uint64


STATE, PUBLIC, PRIVATE, CARD_SET, OPTIONS, MIND = (
    records.dtype(declaration) for declaration in (State, Public, Private, Cards, Options, Mind)
)
