"""Valletta: capacities, enums and records. VT-… are ids of rules.md.

A character is known by its place in the table characters, 0..63; cards of one character are alike, so a pile is a count
a character (section 0.3, VT-5.5). A building is known by its place in the table buildings, 0..63, a location by its
number (VT-2.2). Sets are words with a bit for each.
"""

from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simcore import records
from simcore.random import CAPACITY, Deck

SEATS = 4
GOODS = 4
GOLD, WOOD, STONE, BRICK = range(GOODS)
COLOURS = 3  # of buildings: green, blue, yellow
CHARACTERS = 64
BUILDINGS = 64
LOCATIONS = 40
BARRELS = 64
CARDS = CAPACITY  # cards in a game; no pile can be larger
PLAYS = 5  # room for the cards that are played in a turn
TURN_CAP = 100  # turns of each seat in the normal phase (VT-13.11)
TURNS = TURN_CAP * SEATS + CARDS  # in the final phase a turn plays at least one card
NOBODY = -1
NOTHING = -1
NO = 63  # the item of every decision that declines or is done

MEMORY = 32
FEATURES = 128
WEIGHTS = 4096
UNITS = 32
SCRATCH = 256


class Decision(IntEnum):
    """What is to be decided (section 19). The actions of decision d are the codes 64 d + item."""

    SETUP_GOOD = 0  # item: the good
    PLAY_CARD = 1  # item: the character
    USE_EFFECT = 2  # item: 0 no, 1 yes
    PICK_GOOD = 3  # item: the good, NO
    BUILD_TARGET = 4  # item: the location, NO
    SUBSTITUTE = 5  # item: the good, NO when done
    SUBSTITUTE_PAY = 6  # item: the good
    JEAN_MODE = 7  # item: 0 dismiss, 1 hire, NO
    DISMISS_CARD = 8  # item: the character
    HIRE_CARD = 9  # item: the character
    GIVE_GOOD = 10  # item: the good; the one who decides is not the active player


DISMISS, HIRE = 0, 1


class Effect(IntEnum):
    """What a character does (`effect` in characters.csv, sections 8 to 11)."""

    GAIN_FIXED = 0
    GAIN_CHOICE = 1
    BUILD = 2
    COPY_PREVIOUS = 3
    JEAN = 4
    GAIN_ICONS = 5
    MENDICANT = 6
    TRADER = 7
    MERCHANT = 8
    GAIN_PER_GREEN = 9
    NUN = 10
    GAIN_ICONS_CHOICE = 11
    HOST = 12
    TAX_COLLECTOR = 13
    PAY_CHOICE_FOR_POINTS = 14
    PAY_FOR_POINTS = 15
    POINTS_PER_BLUE = 16
    POINTS_PER_GREEN = 17
    POINTS_PER_UPGRADED = 18
    POINTS_FIXED = 19


class Colour(IntEnum):
    """The colours of buildings (section 0.3)."""

    GREEN = 0
    BLUE = 1
    YELLOW = 2


class End(IntEnum):
    """What triggered the final phase (VT-13.1, VT-13.11)."""

    JEAN = 0
    POINTS = 1
    HOUSES = 2
    CAP = 3


class Public:
    """What everyone at the table sees (VT-15.1), and can remember. Entries for seats that do not play are not used.

    Between two effects the fields from `resolving` on have their neutral values, which stand beside them.
    """

    actor: int  # the seat to decide, -1 when the game is over
    decision: int
    turns: int  # turns finished, of all seats together
    rounds: int  # 0, and 1 when the game is over: to the log a game is one round
    end: int  # what triggered the final phase; before that 0
    truncated: int  # 1 where the cap did (VT-13.11)
    order: Annotated[NDArray[np.int64], SEATS]  # the seat itself (VT-3.10)
    standing: Annotated[NDArray[np.int64], SEATS]  # points from play, and the printed points of the own buildings
    points: Annotated[NDArray[np.int64], SEATS]  # points from play (VT-12.4)
    goods: Annotated[NDArray[np.int64], SEATS, GOODS]
    supply: Annotated[NDArray[np.int64], GOODS]  # in the set-up the goods set aside are still in it
    aside: np.uint64  # set of the goods that are still set aside (VT-3.11); 0 from the first turn on
    houses: Annotated[NDArray[np.int64], SEATS]  # houses left
    building: Annotated[NDArray[np.uint8], LOCATIONS]  # the building at each location; unused ones hold 0
    free: np.uint64  # set of the locations without a house
    own: Annotated[NDArray[np.uint64], SEATS]  # set of the locations with a house of the seat
    upgraded: np.uint64  # set of the locations whose upgraded side is up
    icons: Annotated[NDArray[np.int64], SEATS, GOODS]  # icons of each good on the own buildings, on the side that is up
    colours: Annotated[NDArray[np.int64], SEATS, COLOURS]  # own buildings of each colour
    upgrades: Annotated[NDArray[np.int64], SEATS]  # own buildings that are upgraded
    jean: int  # Jean's space, 0 the tower (VT-2.6); as many barrels have been turned up
    turned: Annotated[NDArray[np.int64], GOODS]  # barrels of each good turned up
    hand: Annotated[NDArray[np.int64], SEATS]  # cards in each hand
    deck: Annotated[NDArray[np.int64], SEATS]  # cards in each draw pile
    discards: Annotated[NDArray[np.int64], SEATS]  # cards in each discard pile
    discard: Annotated[NDArray[np.uint8], SEATS, CHARACTERS]
    discarded: Annotated[NDArray[np.uint64], SEATS]  # set of the characters there
    owned: Annotated[NDArray[np.uint8], SEATS, CHARACTERS]  # hand, draw pile, discard pile and slots (VT-15.2)
    known: Annotated[NDArray[np.uint8], SEATS, CHARACTERS]  # cards that everyone can tell to be in that hand:
    #     taken into it in the open and not played since, and the whole hand when its draw pile runs out
    pool: Annotated[NDArray[np.uint8], CHARACTERS]  # the general character supply
    pooled: np.uint64  # set of the characters there
    reshuffles: Annotated[NDArray[np.int64], SEATS]  # draw piles formed so far, the one of the set-up included
    active: int  # the seat whose turn it is; in the set-up -1, at the end the seat of the last turn
    plays: int  # cards played in this turn, 0..PLAYS
    slot: Annotated[NDArray[np.int64], PLAYS]  # these cards in the order of play; empty slots hold -1
    previous: int  # the character that an Apprentice would copy now, -1 for none (VT-8.13)
    final: int  # 1 in the final phase
    triggered: int  # the seat that triggered the final phase, -1 before
    banned: Annotated[NDArray[np.uint64], SEATS]  # set of the buildings that the seat may not build or upgrade, 0 but
    #                                               for studies of access
    blanked: Annotated[NDArray[np.uint64], SEATS]  # set of the characters that do nothing for it, as above
    bare: Annotated[NDArray[np.uint64], SEATS]  # set of the buildings without icons and points for it, as above
    resolving: int  # -1; the character whose effect is carried out, for an Apprentice the copied one
    picks: int  # 0; goods still to be picked by the active player, the one asked for now included
    victims: np.uint64  # 0; seats that still have to give, the one asked now included
    gifts: int  # 0; goods that the seat asked now still has to give, the one asked for now included
    extra: int  # 0; 1 at the extra for two players (VT-10.2, VT-10.12, VT-10.13)
    targets: np.uint64  # 0; locations that can be built or upgraded now; once one is chosen 0 again
    target: int  # -1; the location chosen
    cost: Annotated[NDArray[np.int64], GOODS]  # 0; reduced cost of the target (VT-7.8)
    substituted: Annotated[NDArray[np.int64], GOODS]  # 0; items substituted (VT-7.12)
    last: int  # 0; the good chosen last in the loop of section 15.7, gold at the start of each
    fillers: int  # 0; goods still to be paid for substituted items


class Private:
    """What a seat alone sees."""

    hand: Annotated[NDArray[np.uint8], CHARACTERS]
    held: np.uint64  # set of the characters in the hand


class Secret:
    """What nobody sees."""

    deck: Annotated[NDArray[np.uint8], SEATS, CARDS]  # draw piles; the next card is the last of `public.deck`
    barrel: Annotated[NDArray[np.uint8], BARRELS]  # the good under each space, that of space 1 first


class State:
    """A game."""

    public: Public
    private: Annotated[list[Private], SEATS]
    secret: Secret


class Cards:
    """The parameter record: an edited card set changes values, never the type."""

    seats: int
    locations: int
    spaces: int  # barrels (VT-3.1)
    hand: int
    plays: int
    houses: int
    extra: int  # 1: the extra good of VT-3.11
    trigger_points: int
    goods_per_point: int
    area_bonus: int
    turn_cap: int
    start: Annotated[NDArray[np.int64], GOODS]
    pieces: Annotated[NDArray[np.int64], GOODS]
    rate: int  # goods for a substituted item (VT-7.10)
    filling: np.uint64  # set of the goods that may be paid for it (VT-7.11)
    copies_declined: int  # 1: VT-8.9
    chain: int  # 1: VT-8.12
    passing: int  # 1: VT-13.2
    holding: Annotated[NDArray[np.int64], 3]  # what Mendicant, Host, Tax Collector ask for (VT-10.1, 10.12, 10.13)
    nun_others: int  # VT-10.9
    trader_pays: int  # VT-10.6
    characters: int
    effect: Annotated[NDArray[np.int64], CHARACTERS]
    good: Annotated[NDArray[np.int64], CHARACTERS]
    amount: Annotated[NDArray[np.int64], CHARACTERS]  # column n
    points: Annotated[NDArray[np.int64], CHARACTERS]
    discount: Annotated[NDArray[np.int64], CHARACTERS, GOODS]
    pay: Annotated[NDArray[np.int64], CHARACTERS, GOODS]
    copyable: Annotated[NDArray[np.int64], CHARACTERS]
    starting: Annotated[NDArray[np.uint8], CHARACTERS]  # cards of the starting set of a seat
    starting_cards: int
    pool: Annotated[NDArray[np.uint8], CHARACTERS]
    salt: Annotated[NDArray[np.uint32], CHARACTERS]  # the identity of a character in shuffles
    cost: Annotated[NDArray[np.int64], BUILDINGS, GOODS]
    icon: Annotated[NDArray[np.int64], BUILDINGS]  # the good
    icons: Annotated[NDArray[np.int64], BUILDINGS + 1, 2]  # basic, upgraded; the last row is that of a bare building
    printed: Annotated[NDArray[np.int64], BUILDINGS + 1, 2]  # points: basic, upgraded; likewise
    colour: Annotated[NDArray[np.int64], BUILDINGS]
    character: Annotated[NDArray[np.int64], BUILDINGS]
    drawn: Annotated[NDArray[np.int64], COLOURS]  # buildings of each colour in the city (VT-3.2)
    near: Annotated[NDArray[np.uint64], LOCATIONS]  # set of the adjacent locations (VT-2.4)
    area: Annotated[NDArray[np.uint64], BARRELS]  # set of the locations in Jean's area on space 1 + i (VT-2.5, VT-2.6)
    ban_place: int  # the place in the line-up that the next three apply to
    banned: np.uint64  # buildings that it may not build or upgrade
    blanked: np.uint64  # characters that do nothing for it
    bare: np.uint64  # buildings without icons and points for it
    colour_deck: Annotated[list[Deck], COLOURS]  # the buildings of each colour
    city_deck: Deck  # all buildings
    barrel_deck: Deck


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
