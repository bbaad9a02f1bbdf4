"""Lisboa: capacities, enums and records. L-… are ids of rules.md.

Things are known by numbers: a political card, a decree, a Clergy tile, a plan, a public building by its place in its
table; goods, rubble, nobles, State actions as on the page (L-0.5); a block by 5 * row + column; a site and a pair of
block and store by its index in its table. A set of up to 64 of them is a word with a bit for each, a set of cards or
decrees two words: code c is bit c % 64 of word c // 64.

Unless a comment says otherwise, a list ends at its count, and what lies behind is 0.
"""

from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simcore import records
from simcore.random import Deck

SEATS = 4
GOODS = 4
GOLD, CLOTH, BOOKS, TOOLS = range(GOODS)
CUBES = 3  # kinds of rubble: earthquake, fire, tsunami
NOBLES = 3
BUILDER, MARQUIS, KING = range(NOBLES)
TREASURY = 3  # the fourth kind of political card, and its deck on the display
KINDS = 4  # of political cards
ACTIONS = 6  # State actions; action a is the noble a // 2's
ROWS, COLUMNS = 5, 5
BLOCKS = ROWS * COLUMNS
ZONES = ROWS + COLUMNS  # of rubble: the rows A..E, then the columns 1..5
SITES = 14  # WA..WE, N1..N4, EA..EE: the north site of street g is 5 + g, the east site of row r is 9 + r
FIRST_NORTH, FIRST_EAST = 5, 9
STORE_SITES = 40
TILES = 5  # kinds of city tile: yellow, pink, brown, blue, small blue
ARCHITECTS = 2
BLUE, GREEN = range(ARCHITECTS)
SHIPS = 4  # kinds
YARD = 32  # ships in the shipyard
CARDS = 128  # political cards of all decks
DISPLAY = 16  # cards of a deck on the display
HAND = 8
DECREES, DECREE_KINDS, DECREE_DISPLAY = 128, 64, 8
CLERGY, CLERGY_KINDS, CLERGY_HELD = 64, 64, 8
STATIONS = 6  # of the Cardinal; slot i of the Church lies between the stations i and i + 1 (L-14.1)
OFFER = 4  # Clergy tiles offered to a seat in the set-up
PLANS, PLANS_HELD, PILE = 32, 8, 16
BUILDINGS, BUILDING_STACK = 32, 16
GROUPS, LEVELS = 3, 8  # of houses: shipping, court, workshop
SLOTS = 3  # in each half of a portfolio
INFLUENCE = 16  # spaces of the influence track
STEPS = 17  # room for the steps 1..16 of Treasury and prices
SPACES = 4  # for scoring tiles
WORDS = 2  # of a set of cards or decrees
NEWS = 512  # notes of one decision, the set-up included
DEPTH = 8  # activities within each other
TURNS = CARDS + 2 * SEATS  # a turn draws a card, but for those of the last two rounds
SHIP = CARDS  # in a top slot: a ship of kind k is SHIP + k
NOBODY = -1
NOTHING = -1

MEMORY = 32
FEATURES = 256
WEIGHTS = 4096
UNITS = 32
SCRATCH = 512


class Decision(IntEnum):
    """What is to be decided ("Decision model"). The actions of decision d are the codes 64 d + local index."""

    CLERGY_KEEP = 0  # position in the offer
    MAIN = 1  # 3 * hand slot + mode
    PORTFOLIO_DISCARD = 2  # top slots 0..2, bottom slots 3..5
    PORTFOLIO_ACTION = 3  # SELLING, TRADING
    SELL = 4  # 12 * seat offset (clockwise from the seller) + 4 * dock + good, SELL_STOP
    TRADE = 5  # 4 * State action + good, TRADE_STOP
    STATE_ACTION_PICK = 6  # State action, ACTION_STOP
    OFFICE = 7  # noble, OFFICE_STOP
    ARCHITECT = 8  # architect
    SHIP_GOOD = 9  # good
    CARDINAL_STEPS = 10  # steps - 1
    CARDINAL_TILE = 11  # 0 the slot behind the station, 1 the one ahead
    CLERGY_OVERFLOW = 12  # position in the list of tiles
    FAVOR_NOBLE = 13  # noble
    STORE_SITE = 14  # pair of block and store
    PAYMENT = 15  # reais produced from influence
    STORE_CUBE = 16  # 3 * (0 row, 1 column) + kind
    DECREE_PICK = 17  # position on the display
    DECREE_MARKER = 18  # SPEND, KEEP
    BUILDING_PLAN = 19  # position in the list of plans
    BUILDING_SITE = 20  # site
    BUILDING_OFFICIAL = 21  # noble's office, COURTYARD
    FOLLOW = 22  # State action 1, State action 2, NOBLE_ACTION, DECLINE
    SURRENDER = 23  # position in the list of tiles, LIST_STOP
    DRAW = 24  # deck: builder, marquis, king, treasury
    PERIOD_DISCARD = 25  # hand slot, LIST_STOP
    GOOD_PICK = 26  # good
    PAY_GOOD = 27  # good
    PRICE_PICK = 28  # good
    RUBBLE_PICK = 29  # kind
    HOUSE_GROUP = 30  # group
    VISIT_REAIS = 31  # reais


PLAY_GOLD, PLAY_PORTFOLIO, PLAY_COURT = range(3)  # modes of MAIN
SELLING, TRADING = range(2)
SELL_STOP, TRADE_STOP, ACTION_STOP, OFFICE_STOP = 48, 24, 6, 3
SPEND, KEEP = range(2)
COURTYARD = 3
NOBLE_ACTION, DECLINE = 2, 3
LIST_STOP = 8  # one code for hands and tiles: the page's 4 and 5 are positions where an edited set allows longer lists


class StateAction(IntEnum):
    """L-9."""

    RECRUIT = 0
    PLAN = 1
    SHIP = 2
    PRODUCE = 3
    CARDINAL = 4
    FAVOR = 5


class Effect(IntEnum):
    """effect_codes.csv: first what happens at once, then what lasts."""

    GAIN_REAIS = 0
    PAY_REAIS = 1
    GAIN_WIGS = 2
    PAY_WIGS = 3
    GAIN_GOOD = 4  # of a good, ANY or STORE_TYPE
    PAY_GOOD = 5
    GAIN_INFLUENCE = 6
    GAIN_INFLUENCE_POINTS = 7
    STATE_ACTION = 8  # of a State action
    STATE_ACTION_ANY = 9
    NOBLE_ACTION = 10  # of a noble: builder store, marquis decree, king building
    GAIN_RUBBLE = 11
    PRICE_UP = 12  # of a good, ANY or ALL
    LAND_DISCOUNT = 13
    RUBBLE_DISCOUNT = 14
    SPONSOR_DISCOUNT = 15
    SALE_BONUS = 16  # of a good or ANY
    SALE_FLAT = 17
    WAREHOUSE_BONUS = 18
    SUBSIDY_BONUS = 19
    VISIT_DISCOUNT = 20  # of a noble or ANY
    IGNORE_RIVAL_OFFICIALS = 21
    OFFICIALS_DISCOUNT = 22
    RECRUIT_BONUS = 23
    SHIP_GOODS_DISCOUNT = 24
    PRICE_HOLD = 25
    CARDINAL_EXTRA_STEP = 26
    TRADE_WILD = 27
    INFLUENCE_BONUS = 28
    STORE_WIGS = 29
    SAIL_WIGS = 30
    DECREE_BONUS = 31
    VISIT_REAIS = 32
    PRODUCE_BONUS = 33


ANY, STORE_TYPE, ALL = -1, -2, -3  # arguments of effects beside goods, nobles and State actions; ANY also for none


class Power(IntEnum):
    """What lasting effects add up to, per seat (`Public.power`, L-5.7); a bonus for one of the goods or nobles has a
    place for each, and one without an argument, or with `any`, counts in all of them.
    """

    LAND_DISCOUNT = 0
    RUBBLE_DISCOUNT = 1
    SPONSOR_DISCOUNT = 2
    SALE_BONUS = 3  # 3..6, by good
    SALE_FLAT = 7
    WAREHOUSE_BONUS = 8
    SUBSIDY_BONUS = 9
    VISIT_DISCOUNT = 10  # 10..12, by noble
    IGNORE_RIVAL_OFFICIALS = 13
    OFFICIALS_DISCOUNT = 14
    RECRUIT_BONUS = 15
    SHIP_GOODS_DISCOUNT = 16
    PRICE_HOLD = 17
    CARDINAL_EXTRA_STEP = 18
    TRADE_WILD = 19
    INFLUENCE_BONUS = 20
    STORE_WIGS = 21
    SAIL_WIGS = 22
    DECREE_BONUS = 23
    VISIT_REAIS = 24
    PRODUCE_BONUS = 25


POWERS = len(Power) + (GOODS - 1) + (NOBLES - 1)


class Metric(IntEnum):
    """What a decree counts ("Table notes"); names in small letters are those of decrees.csv."""

    STORES_GOLD = 0
    STORES_CLOTH = 1
    STORES_BOOKS = 2
    STORES_TOOLS = 3
    STORES_TOTAL = 4
    STORE_TYPES = 5
    STORES_ROW_A = 6
    STORES_ROW_B = 7
    STORES_ROW_C = 8
    STORES_ROW_D = 9
    STORES_ROW_E = 10
    BUILDINGS_BLUE = 11
    BUILDINGS_GREEN = 12
    BUILDINGS_TOTAL = 13
    OFFICIALS_IN_BUILDINGS = 14
    OFFICIALS_IN_OFFICES = 15
    OFFICIALS_IN_COURTYARD = 16
    SHIPS_IN_PORTFOLIO = 17
    SHIP_HULL_TOTAL = 18
    BUILDER_CARDS_IN_PORTFOLIO = 19
    MARQUIS_CARDS_IN_PORTFOLIO = 20
    KING_CARDS_IN_PORTFOLIO = 21
    TREASURY_CARDS_IN_PORTFOLIO = 22
    CLERGY_TILES = 23
    ROYAL_FAVORS = 24
    PLANS_HELD = 25
    RUBBLE_SETS = 26
    RUBBLE_CUBES = 27
    GOODS_TOTAL = 28
    GOODS_FULL_SETS = 29
    REAIS = 30
    INFLUENCE = 31


class Bottom(IntEnum):
    """What the bottom of a card holds (`bottom_kind`)."""

    NONE = 0
    REWARD = 1
    PENALTY = 2


class Symbol(IntEnum):
    """What a station of the Church shows (L-14.1)."""

    NONE = 0
    CHURCH_SCORING = 1
    CHURCH_TREASURY = 2


class End(IntEnum):
    """What triggered the end (L-16.6)."""

    SETS = 0
    DECKS = 1


class Phase(IntEnum):
    """Where the turn is (L-4)."""

    SETUP = 0  # Clergy tiles are offered (L-2.3)
    CARD = 1  # a card is to be played, or is being carried out (L-4.4)
    FOLLOW = 2  # rivals are asked whether they follow, or do (L-10.7)
    DRAW = 3  # L-4.7
    CHURCH = 4  # Church Scoring at the end of the turn (L-14.6)
    DISCARD = 5  # hands at the end of the first period (L-16.4)
    LAST_CHURCH = 6  # Church Scoring caused by that (L-16.8)
    OVER = 7


class Task(IntEnum):
    """An activity in progress (`Frame`). Of a frame's fields those that are named here are used, beside `task` and
    `seat`; the others are 0. `stage` is the step in progress, numbered as here. A step within which nothing is decided
    is never seen. An activity stands until it is complete, so those within it stand above it.
    """

    NONE = 0  # unused frames
    TUCK = 1  # L-5.4, L-5.5. what: the card. 0 its reward or penalty, 1 making room, 2 PORTFOLIO_ACTION, 3 that action
    VISIT = 2  # L-10. what: the noble. 0 VISIT_REAIS, 1 STATE_ACTION_PICK, 2 that State action, 3 the Noble action
    FOLLOW = 3  # L-10.7, from the choice of the action on. what: the noble. left: 0, 1 State action, 2 Noble action.
    #             0 VISIT_REAIS, 1 that action
    EVENT = 4  # L-15.2. what: the card. 0 PAYMENT, 1 the event
    GAIN_GOODS = 5  # gain_good any. left: goods to pick, the one asked for included
    PAY_GOODS = 6  # pay_good. left: as above
    RAISE_PRICE = 7  # price_up any. left: the steps
    GAIN_RUBBLE = 8  # left: cubes to pick, the one asked for included
    ACTIONS = 9  # state_action_any. left: actions that may still be chosen, the one asked for or in progress included.
    #              done: set of those chosen. 0 STATE_ACTION_PICK, 1 that action
    REPEAT = 10  # noble_action store or building. what: the noble. left: how often, the one in progress included
    SELL = 11  # L-8.4. left: goods sold so far
    TRADE = 12  # L-9.1. left: goods that may still be placed, the one asked for or in progress included.
    #             done: set of the State actions chosen. 0 TRADE, 1 that action
    RECRUIT = 13  # L-9.4. left: officials that may still be placed, whatever the board holds, the one asked for
    #               included. what: officials placed. done: set of the offices chosen
    PLAN = 14  # L-9.6
    SHIP = 15  # L-9.7. left: goods still to pay. done: set of the goods paid. 0 SHIP_GOOD, 1 making room
    PRODUCE = 16  # L-9.8. left: extra goods to pick, the one asked for included. done: set of the goods gained
    CARDINAL = 17  # L-9.9. 0 CARDINAL_STEPS, 1 CARDINAL_TILE, 2 CLERGY_OVERFLOW
    FAVOR = 18  # L-9.10
    STORE = 19  # L-11. price: the Treasury value when it began (L-7.7). place: the pair of block and store, from stage
    #             1 on. 0 STORE_SITE, 1 the reward, 2 STORE_CUBE, 3 PAYMENT, 4 HOUSE_GROUP
    DECREE = 20  # L-12. left: decrees to take, the one asked for included. 0 DECREE_PICK, 1 DECREE_MARKER
    BUILDING = 21  # L-13. price: the Treasury value when it began. what: the plan, from stage 1 on; from stage 2 on
    #                place: the site, left: own officials to move, hired: officials to hire.
    #                0 BUILDING_PLAN, 1 BUILDING_SITE, 2 the reward, 3 BUILDING_OFFICIAL, 4 PAYMENT


class Frame:
    """An activity in progress; which fields are used `Task` says."""

    task: int
    seat: int  # who acts
    stage: int
    what: int
    place: int
    left: int
    price: int
    hired: int
    done: np.uint64


class Public:
    """What everyone at the table sees (L-3.1), and can remember. Entries for seats that do not play are not used.

    The decisions of the set-up come before L-2.3 R4: until the last CLERGY_KEEP what is set up from there on (favors
    and plans of seats, hands, the Church, displays of cards and decrees, rubble) is 0, sets are empty, and slots, cards
    face up and the display of decrees hold -1.
    """

    # The game and the turn.
    actor: int  # the seat to decide, -1 when the game is over
    decision: int  # kept when the game is over
    legal: np.uint64  # set of the local indices that are legal; 0 where they depend on a hand (MAIN, PERIOD_DISCARD),
    #                   and when the game is over
    turns: int  # turns finished, of all seats together
    rounds: int  # 0, and 1 when the game is over: to the log a game is one round
    end: int  # what triggered the end (`End`); before that 0
    truncated: int  # 0
    order: Annotated[NDArray[np.int64], SEATS]  # place in turn order, 0 for the starting player
    standing: Annotated[NDArray[np.int64], SEATS]  # wigs; with the final scoring not in them when the game is over
    period: int  # 0, 1: the first, the second; it changes directly after L-16.3
    phase: int  # `Phase`
    active: int  # the seat whose turn it is; in the set-up the starting player; within L-16.4 still the last turn's
    starter: int  # the starting player
    countdown: int  # turns still to be played, -1 before the end is triggered (L-16.6)
    visited: int  # -1; the noble, from the court card played to the last follow of that visit
    asked: int  # -1; in FOLLOW, CHURCH, DISCARD, LAST_CHURCH the seat whose turn in that round of questions it is
    first: int  # -1; from L-16.4 to L-16.5 the seat that discards first
    to_ask: int  # 0; seats of that round of questions from `asked` on, `asked` included
    surrendered: int  # 0; in CHURCH, LAST_CHURCH tiles that `asked` has surrendered in this scoring
    rewarded: np.uint64  # 0; in DISCARD the nobles of whom `asked` has discarded a card with a reward
    drawn: int  # -1; from DRAW to the end of Phase D the deck drawn from
    scoring: int  # seat of the mover while a Church Scoring is pending, else -1 (L-14.5); -1 once it has begun
    cost: int  # 0; at PAYMENT the reais to be paid, at VISIT_REAIS the cost of the visit or follow
    depth: int  # activities in progress
    frame: Annotated[list[Frame], DEPTH]  # the outermost first; unused ones are 0 throughout
    # Tracks.
    treasury: int  # step of the Treasury (L-7)
    price: Annotated[NDArray[np.int64], GOODS]  # step of each price (L-8)
    influence: Annotated[NDArray[np.int64], SEATS]
    reais: Annotated[NDArray[np.int64], SEATS]
    # Goods.
    bank: Annotated[NDArray[np.int64], GOODS]
    goods: Annotated[NDArray[np.int64], SEATS, GOODS]  # in warehouses
    # Cards.
    face: Annotated[NDArray[np.int64], KINDS]  # card face up on each display deck; -1: none, or drawn in this turn
    deck: Annotated[NDArray[np.int64], KINDS]  # cards on each display deck, the one face up included
    hand: Annotated[NDArray[np.int64], SEATS]  # cards in each hand
    dealt: Annotated[NDArray[np.int64], SEATS, 2]  # cards in the hand that were dealt from the blue, the purple deck
    open: Annotated[NDArray[np.int64], SEATS, HAND]  # the others, which were drawn in the open, in that order
    opened: Annotated[NDArray[np.int64], SEATS]  # how many those are
    seen: Annotated[NDArray[np.uint64], WORDS]  # set of the cards that have been face up: on the display, played,
    #                                             discarded from a hand
    # Portfolios.
    top: Annotated[NDArray[np.int64], SEATS, SLOTS]  # a noble card, SHIP + kind, -1
    bottom: Annotated[NDArray[np.int64], SEATS, SLOTS]  # a treasury card, -1
    cargo: Annotated[NDArray[np.int64], SEATS, SLOTS, GOODS]  # goods at the dock of each top slot, 0 without a ship
    at_sea: Annotated[NDArray[np.int64], SEATS, SLOTS]  # 1 for a ship at sea
    docks: np.uint64  # set of the docks with a ship that takes goods: bit 3 * seat + slot
    tucked: Annotated[NDArray[np.int64], SEATS]  # cards and ships in the portfolio
    icons: Annotated[NDArray[np.int64], SEATS]  # influence numbers of its top slots together (L-6.2)
    power: Annotated[NDArray[np.int64], SEATS, POWERS]  # sums of lasting effects, at the places that `Power` tells
    shipyard: int  # ships left in it
    # Officials (L-9.5).
    board: Annotated[NDArray[np.int64], SEATS]
    office: Annotated[NDArray[np.int64], NOBLES, SEATS]
    courtyard: Annotated[NDArray[np.int64], SEATS]
    serving: Annotated[NDArray[np.int64], SEATS]  # on public buildings
    # Plans and public buildings.
    pile: Annotated[NDArray[np.int64], ARCHITECTS]  # plans left in each pile
    plan: Annotated[NDArray[np.int64], SEATS, PLANS_HELD]  # held and not completed, oldest first
    plans: Annotated[NDArray[np.int64], SEATS]  # how many those are
    completed: Annotated[NDArray[np.uint64], SEATS]  # set of completed plans
    completions: Annotated[NDArray[np.int64], SEATS, ARCHITECTS]  # how many those are, by architect
    required: Annotated[NDArray[np.int64], SEATS]  # sum of their `officials_required` (L-17.6)
    stack: Annotated[NDArray[np.int64], ARCHITECTS]  # public buildings left in each stack
    building: Annotated[NDArray[np.int64], ARCHITECTS, 2]  # current one and the next, -1 (L-2.1 c); the others of the
    #                                                        stack are hidden
    site_building: Annotated[NDArray[np.int64], SITES]  # -1; the public building
    site_side: Annotated[NDArray[np.int64], SITES]  # -1; the architect whose side is up
    free_sites: np.uint64  # set of the open sites without a building
    # Downtown.
    block_owner: Annotated[NDArray[np.int64], BLOCKS]  # -1; the seat
    block_good: Annotated[NDArray[np.int64], BLOCKS]  # -1; the good of its store
    free_blocks: np.uint64  # set of the open blocks without a store
    stores: Annotated[NDArray[np.int64], SEATS, GOODS]
    row_stores: Annotated[NDArray[np.int64], SEATS, ROWS]
    tiles: Annotated[NDArray[np.int64], TILES]  # city tiles of each kind on the display
    tile_pile: Annotated[NDArray[np.int64], TILES]  # and in the piles
    column_value: Annotated[NDArray[np.int64], COLUMNS]  # L-1.5
    houses: Annotated[NDArray[np.int64], SEATS]  # left, a store counts from HOUSE_GROUP on
    group: Annotated[NDArray[np.int64], SEATS, GROUPS]  # houses taken from each group
    # Rubble.
    zone: Annotated[NDArray[np.int64], ZONES, CUBES]
    zone_value: Annotated[NDArray[np.int64], ZONES]  # value of its cubes together (L-11.5)
    zone_dearest: Annotated[NDArray[np.int64], ZONES]  # value of the dearest of them, 0 for none
    site_cubes: Annotated[NDArray[np.int64], SITES, CUBES]
    cube_pile: Annotated[NDArray[np.int64], CUBES]
    lost: Annotated[NDArray[np.int64], CUBES]  # in the box
    cubes: Annotated[NDArray[np.int64], SEATS, CUBES]
    sets: Annotated[NDArray[np.int64], SEATS]  # L-5.6
    markers: Annotated[NDArray[np.int64], SEATS]  # on the portrait of the Marquis, unspent
    markers_spent: Annotated[NDArray[np.int64], SEATS]  # in this turn (L-12.3)
    # Favors.
    favors: Annotated[NDArray[np.int64], NOBLES]  # left on each stack; in the set-up the whole pool
    favor: Annotated[NDArray[np.int64], SEATS, NOBLES]  # held
    # Church.
    cardinal: int  # station
    slot: Annotated[NDArray[np.int64], STATIONS]  # tile in each slot of the track, -1
    offer: Annotated[NDArray[np.int64], SEATS, OFFER]  # tiles offered in the set-up; -1 where none is on offer, and
    #                                                    everywhere after the last CLERGY_KEEP
    clergy: Annotated[NDArray[np.int64], SEATS, CLERGY_HELD + 1]  # tiles held, oldest first; one too many at
    #                                                               CLERGY_OVERFLOW
    tiles_held: Annotated[NDArray[np.int64], SEATS]  # how many those are
    bag: np.uint64  # set of the Clergy tiles in the bag, which everyone can tell; tiles on offer are not in it
    # Decrees.
    decree: Annotated[NDArray[np.int64], DECREE_DISPLAY]  # on the display, -1
    decree_deck: int  # cards left in the deck
    decrees_left: Annotated[NDArray[np.uint64], WORDS]  # set of those cards, which everyone can tell
    decrees: Annotated[NDArray[np.uint64], SEATS, WORDS]  # set of the decrees held
    # Studies of access: codes of the card log, -1 for none (`rules.denials`).
    banned: Annotated[NDArray[np.int64], SEATS]  # what the seat may not take
    closed: Annotated[NDArray[np.uint64], SEATS]  # of that the blocks, as a set
    blanked: Annotated[NDArray[np.int64], SEATS]  # what does nothing for it


class Private:
    """What a seat alone sees."""

    hand: Annotated[NDArray[np.int64], HAND]  # the cards in the order in which they came, as many as `public.hand` says


class News:
    """Something that has happened, for the trace (kinds are those of `rules.events`)."""

    kind: np.int32
    time: np.int32
    seat: np.int32
    value: np.int32


class AllNews:
    """What has happened since the last decision; empty when somebody has to decide."""

    count: int
    row: Annotated[list[News], NEWS]


class Secret:
    """What nobody sees."""

    deck: Annotated[NDArray[np.uint8], KINDS, DISPLAY]  # display decks; the card face up is the last of `public.deck`
    bag: Annotated[NDArray[np.uint8], CARDS]  # the tiles of `public.bag`; the last one is drawn first
    decree: Annotated[NDArray[np.uint8], DECREES]  # the next decree is the last of `public.decree_deck`
    stack: Annotated[NDArray[np.uint8], ARCHITECTS, BUILDING_STACK]  # the current building is the last of
    #                                                                   `public.stack`
    room: Annotated[NDArray[np.uint8], CARDS]  # for a shuffle that is dealt out at once; nothing that lasts
    news: AllNews


class State:
    """A game."""

    public: Public
    private: Annotated[list[Private], SEATS]
    secret: Secret


class Instant:
    """What happens at once: a row's code, argument and amount."""

    code: int  # `Effect`, -1 for none
    arg: int  # a good, a noble (of a Noble action), a State action; ANY (also where there is none), STORE_TYPE, ALL
    amount: int


class Lasting:
    """What lasts: so much more at the places first..last-1 of `Public.power`; both 0 for none."""

    first: int
    last: int
    amount: int


class Cards:
    """The parameter record: an edited card set changes values, never the type. Names in brackets: table and column.

    The tables of what ships, political cards and Clergy tiles do for their owner have one row more: that of a blank,
    which does nothing (`rules.denials`).
    """

    seats: int
    # Scalars and switches (rules.toml, from parameters.csv); a switch is 1 for yes.
    portfolio_base: int
    top_slots: int  # [portfolio_top_slots] at most SLOTS
    bottom_slots: int  # [portfolio_bottom_slots] at most SLOTS
    warehouse_base: int
    set_markers: int  # [set_markers_per_player]
    hand_size: int  # at most HAND - 1
    decree_display: int  # at most DECREE_DISPLAY
    influence_max: int  # below INFLUENCE
    treasury_first: int  # [treasury_min_step] at least 1
    treasury_last: int  # [treasury_max_step] below STEPS
    treasury_start: int  # [treasury_start_step]
    price_first: int  # [price_min_step] at least 1
    price_last: int  # [price_max_step] below STEPS
    trade_goods: int  # [trade_max_goods]
    recruit_officials: int  # [recruit_max_officials]
    office_capacity: int
    plan_limit: int  # [plan_limit_per_player] at most PLANS_HELD
    cardinal_steps: int  # [cardinal_max_steps]
    clergy_limit: int  # [clergy_limit_per_player] 1..CLERGY_HELD
    period_end_sets: int  # [period_1_end_sets]
    game_end_sets: int
    empty_decks: int  # [end_trigger_empty_decks] 1..4
    period_wigs_per_set: int  # [wigs_per_set] L-16.3
    set_marker_decrees: int
    favor_limit: int  # [royal_favor_limit_per_noble]
    markers_per_turn: int  # [decree_markers_per_turn]
    visit_reais_max: int  # at most 63
    reais_per_wig: int  # [end_reais_per_wig] at least 1
    count_coins: int  # [end_count_influence_coins] 1: L-17.4
    auto_payment: int  # L-6.6
    north_site_colours: int  # L-13.8
    hiring: int  # L-13.11
    influence_per_tile: int  # L-14.6
    free_follows: int  # L-10.7
    # Set-up, by place in turn order [player_setup].
    influence_start: Annotated[NDArray[np.int64], SEATS]
    wigs_start: Annotated[NDArray[np.int64], SEATS]
    reais_start: Annotated[NDArray[np.int64], SEATS]
    goods_start: Annotated[NDArray[np.int64], SEATS]  # of each type
    houses: Annotated[NDArray[np.int64], SEATS]
    officials: Annotated[NDArray[np.int64], SEATS]  # all of a seat's, those in the Marquis' office included
    officials_in_office: Annotated[NDArray[np.int64], SEATS]  # [officials_in_marquis_office]
    offered: Annotated[NDArray[np.int64], SEATS]  # [clergy_drawn] 1..OFFER; one is kept
    favors_start: Annotated[NDArray[np.int64], SEATS]  # [royal_favors_start] 0 or 1
    plans_start: Annotated[NDArray[np.int64], SEATS]  # [starting_plans] 0 or 1
    # Tracks.
    treasury_value: Annotated[NDArray[np.int64], STEPS]  # [treasury_track] by step
    influence_cost: Annotated[NDArray[np.int64], STEPS]  # by step
    price: Annotated[NDArray[np.int64], STEPS]  # [price_track] reais, by step
    coins: Annotated[NDArray[np.int64], INFLUENCE]  # [influence_track] coins on the spaces below this one (L-6.5)
    space_after: Annotated[NDArray[np.int64], INFLUENCE, INFLUENCE]  # [space, k] where the marker is after k coins
    space_wigs: Annotated[NDArray[np.int64], INFLUENCE]  # [wig_icon] wigs for ending on a space (L-6.3)
    symbol: Annotated[NDArray[np.int64], STATIONS]  # [church_track] `Symbol`
    cardinal_start: int  # station
    # Goods and rubble.
    tokens: Annotated[NDArray[np.int64], GOODS]  # [goods.token_count]
    price_start: Annotated[NDArray[np.int64], GOODS]  # step
    accepted: Annotated[NDArray[np.uint64], NOBLES]  # set of the goods that each noble takes (L-9.2)
    majority: Annotated[NDArray[np.int64], GOODS, 3]  # [store_majority] first, second, third wigs
    cube_value: Annotated[NDArray[np.int64], CUBES]  # [rubble_kinds.cost_reais]
    most_cubes: Annotated[NDArray[np.int64], CUBES]  # most of a kind that a seat can hold (L-5.5)
    zone_cubes: Annotated[NDArray[np.int64], ZONES]  # [rubble_zones] at setup; 0 for those closed for so many seats
    site_cubes: Annotated[NDArray[np.int64], SITES]  # [public_sites.rubble_cubes] as above
    pile_cubes: int
    cube_deck: Deck  # code: the kind
    # Favors.
    favors: Annotated[NDArray[np.int64], NOBLES]  # tiles of each noble in the game, for so many seats (L-18.3)
    favor_wigs: Annotated[NDArray[np.int64], NOBLES]  # [royal_favors.end_wigs_each]
    favor_deck: Deck  # code: the noble; all those tiles
    # Downtown.
    open_blocks: np.uint64  # set of the blocks in the game for so many seats
    open_sites: np.uint64  # likewise
    block_reward: Annotated[list[Instant], BLOCKS]  # never a Noble action
    site_reward: Annotated[list[Instant], SITES]  # likewise
    store_block: Annotated[NDArray[np.int64], STORE_SITES]  # [store_sites]
    store_good: Annotated[NDArray[np.int64], STORE_SITES]
    store_tile: Annotated[NDArray[np.int64], STORE_SITES]  # kind of city tile
    tile_count: Annotated[NDArray[np.int64], TILES]  # [city_tiles]
    tile_spaces: Annotated[NDArray[np.int64], TILES]  # [display_spaces]
    column_space: Annotated[NDArray[np.int64], COLUMNS]  # [store_columns] scoring space, -1 for a fixed value
    column_wigs: Annotated[NDArray[np.int64], COLUMNS]  # [fixed_wigs], 0 with a space
    tile_wigs: Annotated[NDArray[np.int64], SPACES]  # [scoring_tiles.wigs_per_store] by tile
    scoring_deck: Deck  # code: the tile; SPACES of them
    group_size: Annotated[NDArray[np.int64], GROUPS]  # [house_groups] levels
    house_power: Annotated[list[Lasting], GROUPS, LEVELS]  # what level l + 1 of a group adds
    # Ships.
    hull: Annotated[NDArray[np.int64], SHIPS + 1]  # [ships.hull_size] at least 1, of a blank 0
    ship_goods: Annotated[NDArray[np.int64], SHIPS]  # [goods_cost_types] at most GOODS
    ship_influence: Annotated[NDArray[np.int64], SHIPS + 1]
    modifier: Annotated[NDArray[np.int64], SHIPS]  # [price_modifier_reais]
    yard: Annotated[NDArray[np.int64], 2, YARD]  # by period: the kinds in the shipyard, the top one first
    yard_size: Annotated[NDArray[np.int64], 2]  # by period: how many those are, for so many seats
    # Plans and public buildings.
    plan_officials: Annotated[NDArray[np.int64], PLANS]  # [plans.officials_required] at least 1
    plan_architect: Annotated[NDArray[np.int64], PLANS]
    pile: Annotated[NDArray[np.int64], ARCHITECTS, PILE]  # the plans of each pile, the top one first
    pile_size: Annotated[NDArray[np.int64], ARCHITECTS]
    plan_deck: Deck  # code: the plan; the starting plans
    serves: Annotated[NDArray[np.uint64], BUILDINGS, ARCHITECTS]  # [public_buildings] goods that a side shows
    building_deck: Deck  # code: the public building; the first half of the shuffle is the blue stack
    # Political cards.
    kind: Annotated[NDArray[np.int64], CARDS]  # [card_type] BUILDER, MARQUIS, KING, TREASURY
    origin: Annotated[NDArray[np.int64], CARDS]  # [deck] 0 blue, 1 red, 2 purple, 3 brown
    influence: Annotated[NDArray[np.int64], CARDS + 1]  # 0 for treasury cards
    bottom: Annotated[NDArray[np.int64], CARDS + 1]  # `Bottom`
    reward: Annotated[list[Instant], CARDS + 1]  # reward or penalty; code -1 for treasury cards
    lasting: Annotated[list[Lasting], CARDS + 1]  # of treasury cards in a portfolio
    event: Annotated[list[Instant], CARDS + 1]  # of treasury cards; code -1 for nobles
    hand_deck: Annotated[list[Deck], 2]  # by period: blue, purple; at least hand_size cards for each seat
    display_deck: Annotated[list[Deck], 2]  # by period: red, brown; the cards of the four decks together
    # Clergy.
    clergy_power: Annotated[list[Lasting], CLERGY + 1]
    back_wigs: Annotated[NDArray[np.int64], CLERGY + 1]
    clergy_kind: Annotated[NDArray[np.int64], CLERGY]  # 0..63, in the order of first appearance
    clergy_deck: Deck  # code: the tile
    # Decrees.
    decree_kind: Annotated[NDArray[np.int64], DECREES]  # 0..63, in the order of first appearance
    metric: Annotated[NDArray[np.int64], DECREE_KINDS]  # `Metric`
    is_threshold: Annotated[NDArray[np.int64], DECREE_KINDS]  # [mode] 1 threshold, 0 per
    unit: Annotated[NDArray[np.int64], DECREE_KINDS]  # [unit_or_threshold] at least 1
    decree_wigs: Annotated[NDArray[np.int64], DECREE_KINDS]  # [wigs]
    decree_most: Annotated[NDArray[np.int64], DECREE_KINDS]  # [max_wigs]
    removed: Annotated[NDArray[np.int64], DECREES]  # 1: goes to the box when it turns up, with so many seats (L-18.1)
    decree_deck: Deck  # code: the decree
    # Final scoring [endgame_scoring], for so many seats.
    wigs_per_hull: int
    wigs_per_set: int  # L-17.2
    officials_wigs: Annotated[NDArray[np.int64], 3]  # first, second, third; 0 for a place that is not scored
    # Studies of access.
    ban_place: int  # the place in the line-up that the next two apply to, -1 for none
    banned: int  # code in the card log of what it may not take, -1 for none
    blanked: int  # and of what does nothing for it


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
