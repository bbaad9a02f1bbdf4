"""Lisboa: the set-up (L-2, L-18), in the order of "Replay words"."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit
from simcore.game import Note
from simcore.games.lisboa.rules.building import show_buildings
from simcore.games.lisboa.rules.church import hold_tile
from simcore.games.lisboa.rules.denials import deny
from simcore.games.lisboa.rules.display import deal_hand, lay_display, refill_church, refill_decrees
from simcore.games.lisboa.rules.events import BOX_LAID, PILE_LAID, SITES_LAID, Event, pass_on, tell
from simcore.games.lisboa.rules.frames import GOES_ON, ask, clockwise
from simcore.games.lisboa.rules.influence import gain_wigs
from simcore.games.lisboa.rules.numbers import ZERO
from simcore.games.lisboa.rules.state_actions import hold_plan
from simcore.games.lisboa.rules.store import dearest
from simcore.games.lisboa.state import (
    ARCHITECTS,
    BLOCKS,
    CLERGY_HELD,
    COLUMNS,
    CUBES,
    DECREE_DISPLAY,
    DEPTH,
    GOODS,
    GROUPS,
    HAND,
    KINDS,
    MARQUIS,
    NOBLES,
    NOBODY,
    NOTHING,
    OFFER,
    PLANS_HELD,
    POWERS,
    ROWS,
    SITES,
    SLOTS,
    STATIONS,
    TILES,
    WORDS,
    ZONES,
    Decision,
    Phase,
    Task,
)
from simcore.random import keyed_below, shuffle

# Purposes of the deal's luck. Hands and displays of the second period have the number after that of the first.
STARTER, BUILDINGS, SPACES, OFFERS, FAVORS, PLANS, BAG, DECREES, RUBBLE = range(1, 10)


@njit
def setup(state, cards, chance, trace):
    """L-2: up to the first decision, on the Clergy tiles offered (R3)."""
    prepare(state, cards, chance)
    pass_on(state.secret.news, trace)


@njit
def prepare(state, cards, chance):
    """L-2, likewise."""
    public, news = state.public, state.secret.news
    news.count = 0
    clear_game(public)
    clear_board(public, cards)
    public.starter = keyed_below(chance, np.int64(STARTER), np.int64(0), cards.seats)  # R0
    public.active = public.starter
    for seat in range(cards.seats):  # before a card is noted: to the log the round begins here
        public.order[seat] = clockwise(cards, seat, cards.seats - public.starter)
        tell(news, ZERO, np.int64(Note.ROUND_ORDER), seat, public.order[seat])
    tell(news, ZERO, Event.START_PLAYER, public.starter, ZERO)
    for seat in range(cards.seats):
        prepare_seat(state, cards, seat, chance.place[seat], news)
    stack_buildings(state, cards, chance, news)
    lay_scoring_tiles(state, cards, chance, news)
    offer_tiles(state, cards, chance, news)


@njit
def clear_game(public):
    """The game and the turn."""
    public.turns, public.rounds, public.end, public.truncated = 0, 0, 0, 0
    public.period, public.phase, public.countdown = 0, np.int64(Phase.SETUP), -1
    public.visited, public.asked, public.first = NOTHING, NOBODY, NOBODY
    public.to_ask, public.surrendered, public.rewarded = 0, 0, NONE
    public.drawn, public.scoring, public.cost = NOTHING, NOBODY, 0
    public.depth = 0
    for i in range(DEPTH):
        frame = public.frame[i]
        frame.task, frame.seat, frame.stage = np.int64(Task.NONE), 0, 0
        frame.what, frame.place, frame.left = 0, 0, 0
        frame.price, frame.hired, frame.done = 0, 0, NONE


@njit
def clear_board(public, cards):
    """L-2.1, L-2.4: the board without what chance lays on it."""
    public.treasury, public.cardinal = cards.treasury_start, cards.cardinal_start
    public.bag, public.docks, public.shipyard = NONE, NONE, cards.yard_size[0]
    public.free_blocks, public.free_sites = cards.open_blocks, cards.open_sites
    for good in range(GOODS):
        public.price[good], public.bank[good] = cards.price_start[good], cards.tokens[good]
    for block in range(BLOCKS):
        public.block_owner[block], public.block_good[block] = NOBODY, NOTHING
    for site in range(SITES):
        public.site_building[site], public.site_side[site] = NOTHING, NOTHING
    for kind in range(TILES):
        public.tiles[kind] = min(cards.tile_spaces[kind], cards.tile_count[kind])
        public.tile_pile[kind] = cards.tile_count[kind] - public.tiles[kind]
    for kind in range(KINDS):
        public.face[kind], public.deck[kind] = NOTHING, 0
    for slot in range(STATIONS):
        public.slot[slot] = NOTHING
    for position in range(DECREE_DISPLAY):
        public.decree[position] = NOTHING
    public.decree_deck = 0
    for word in range(WORDS):
        public.seen[word], public.decrees_left[word] = NONE, NONE
    for architect in range(ARCHITECTS):
        public.pile[architect] = cards.pile_size[architect]
    for noble in range(NOBLES):
        public.favors[noble] = cards.favors[noble]
    clear_rubble(public)


@njit
def clear_rubble(public):
    """No cube lies anywhere."""
    for zone in range(ZONES):
        public.zone_value[zone], public.zone_dearest[zone] = 0, 0
        for kind in range(CUBES):
            public.zone[zone, kind] = 0
    for kind in range(CUBES):
        public.cube_pile[kind], public.lost[kind] = 0, 0
        for site in range(SITES):
            public.site_cubes[site, kind] = 0


@njit
def prepare_seat(state, cards, seat, place, news):
    """L-2.3: what a seat begins with; `place` is its place in the line-up."""
    public, order = state.public, state.public.order[seat]
    clear_seat(public, seat)
    for i in range(HAND):
        state.private[seat].hand[i] = 0
    gain_wigs(public, cards, seat, cards.wigs_start[order], Event.START, news)
    public.influence[seat], public.reais[seat] = cards.influence_start[order], cards.reais_start[order]
    public.houses[seat] = cards.houses[order]
    in_office = cards.officials_in_office[order]
    public.board[seat], public.office[MARQUIS, seat] = cards.officials[order] - in_office, in_office
    for good in range(GOODS):
        public.goods[seat, good] = cards.goods_start[order]
        public.bank[good] -= cards.goods_start[order]
    deny(public, cards, seat, place == cards.ban_place)


@njit
def clear_seat(public, seat):
    """A seat without anything."""
    public.standing[seat], public.tucked[seat], public.icons[seat] = 0, 0, 0
    public.hand[seat], public.dealt[seat, 0], public.dealt[seat, 1], public.opened[seat] = 0, 0, 0, 0
    public.courtyard[seat], public.serving[seat], public.tiles_held[seat] = 0, 0, 0
    public.plans[seat], public.completed[seat], public.required[seat] = 0, NONE, 0
    public.sets[seat], public.markers[seat], public.markers_spent[seat] = 0, 0, 0
    for i in range(HAND):
        public.open[seat, i] = 0
    for i in range(POWERS):
        public.power[seat, i] = 0
    for i in range(PLANS_HELD):
        public.plan[seat, i] = 0
    for i in range(CLERGY_HELD + 1):
        public.clergy[seat, i] = 0
    for i in range(OFFER):
        public.offer[seat, i] = NOTHING
    for word in range(WORDS):
        public.decrees[seat, word] = NONE
    for architect in range(ARCHITECTS):
        public.completions[seat, architect] = 0
    for row in range(ROWS):
        public.row_stores[seat, row] = 0
    for good in range(GOODS):
        public.stores[seat, good] = 0
    for i in range(NOBLES):
        public.office[i, seat], public.favor[seat, i] = 0, 0
    for i in range(CUBES):
        public.cubes[seat, i] = 0
    for group in range(GROUPS):
        public.group[seat, group] = 0
    clear_portfolio(public, seat)


@njit
def clear_portfolio(public, seat):
    """Empty slots."""
    for slot in range(SLOTS):
        public.top[seat, slot], public.bottom[seat, slot], public.at_sea[seat, slot] = NOTHING, NOTHING, 0
        for good in range(GOODS):
            public.cargo[seat, slot, good] = 0


# --- R1 to R3 --------------------------------------------------------------------------------------------------------


@njit
def stack_buildings(state, cards, chance, news):
    """R1: half of the public buildings become the blue stack, the others the green one."""
    public, order = state.public, state.secret.room  # its room is not used yet
    count = cards.building_deck.count
    shuffle(chance, np.int64(BUILDINGS), cards.building_deck, order)
    public.stack[0], public.stack[1] = count // 2, count - count // 2
    for architect in range(ARCHITECTS):
        size = public.stack[architect]
        for i in range(size):
            building = order[architect * public.stack[0] + i]
            state.secret.stack[architect, size - 1 - i] = building
            tell(news, architect, Event.STACKED, ZERO, np.int64(building))
        show_buildings(state, architect)


@njit
def lay_scoring_tiles(state, cards, chance, news):
    """R2, L-1.5."""
    public, order = state.public, state.secret.room
    shuffle(chance, np.int64(SPACES), cards.scoring_deck, order)
    for column in range(COLUMNS):
        space = cards.column_space[column]
        public.column_value[column] = cards.column_wigs[column] if space < 0 else cards.tile_wigs[order[space]]
    for space in range(cards.scoring_deck.count):
        tell(news, ZERO, Event.SPACE, ZERO, np.int64(order[space]))


@njit
def offer_tiles(state, cards, chance, news):
    """R3: all offers are drawn before the first is decided."""
    public, order = state.public, state.secret.room
    shuffle(chance, np.int64(OFFERS), cards.clergy_deck, order)
    for i in range(cards.clergy_deck.count):
        public.bag |= bit(order[i])
    drawn = 0
    for place in range(cards.seats):
        seat = clockwise(cards, public.starter, place)
        for i in range(cards.offered[place]):
            tile = np.int64(order[drawn])
            drawn += 1
            public.offer[seat, i] = tile
            public.bag &= ~bit(tile)
            tell(news, ZERO, Event.OFFERED, seat, tile)
    ask_keep(public, cards)


@njit
def ask_keep(public, cards):
    """R3: in turn order. Returns whether a seat is asked."""
    for place in range(cards.seats):
        seat = clockwise(cards, public.starter, place)
        if public.tiles_held[seat] == 0:
            return ask(public, seat, Decision.CLERGY_KEEP, bit(cards.offered[place]) - ONE)
    return GOES_ON


@njit
def keep_tile(public, cards, position, news):
    """CLERGY_KEEP."""
    seat = public.actor
    hold_tile(public, cards, seat, public.offer[seat, position], news)
    public.offer[seat, position] = NOTHING


@njit
def return_offers(public, cards):
    """R3: the tiles not kept return to the bag when all have decided."""
    for seat in range(cards.seats):
        for i in range(OFFER):
            if public.offer[seat, i] != NOTHING:
                public.bag |= bit(public.offer[seat, i])
                public.offer[seat, i] = NOTHING


# --- R4 to R10 -------------------------------------------------------------------------------------------------------


@njit
def complete_setup(state, cards, chance, news):
    """R4 to R10, when all Clergy tiles are chosen."""
    public = state.public
    return_offers(public, cards)
    draw_favors(state, cards, chance, news)
    draw_plans(state, cards, chance, news)
    for place in range(cards.seats):
        deal_hand(state, cards, clockwise(cards, public.starter, place), chance, news)
    fill_bag(state, cards, chance)
    refill_church(state, Event.CHURCH_TILE, news)
    lay_display(state, cards, chance, news)
    shuffle_decrees(state, cards, chance)
    refill_decrees(state, cards, news)
    lay_rubble(state, cards, chance, news)


@njit
def draw_favors(state, cards, chance, news):
    """R4: from the pool of all tiles; the others are stacked by noble."""
    public, order = state.public, state.secret.room
    shuffle(chance, np.int64(FAVORS), cards.favor_deck, order)
    for place in range(cards.seats):
        if cards.favors_start[place] == 1:
            seat, noble = clockwise(cards, public.starter, place), np.int64(order[place])
            public.favors[noble] -= 1
            public.favor[seat, noble] += 1
            tell(news, ZERO, Event.FAVOR_DRAWN, seat, noble)


@njit
def draw_plans(state, cards, chance, news):
    """R5."""
    public, order = state.public, state.secret.room
    shuffle(chance, np.int64(PLANS), cards.plan_deck, order)
    drawn = 0  # not the place: a card set may have only as many starting plans as places that get one
    for place in range(cards.seats):
        if cards.plans_start[place] == 1:
            seat, plan = clockwise(cards, public.starter, place), np.int64(order[drawn])
            drawn += 1
            hold_plan(public, cards, seat, plan, news)
            tell(news, ZERO, Event.PLAN_DRAWN, seat, plan)


@njit
def fill_bag(state, cards, chance):
    """R7: the tiles in the bag, in the order in which they are drawn from the end of the list."""
    public, bag, order = state.public, state.secret.bag, state.secret.decree  # its room is not used yet
    shuffle(chance, np.int64(BAG), cards.clergy_deck, order)
    count = 0
    for i in range(cards.clergy_deck.count):
        if public.bag & bit(order[i]) != NONE:
            bag[count] = order[i]
            count += 1


@njit
def shuffle_decrees(state, cards, chance):
    """R9: the next decree is the last."""
    public = state.public
    shuffle(chance, np.int64(DECREES), cards.decree_deck, state.secret.decree)
    public.decree_deck = cards.decree_deck.count
    for i in range(public.decree_deck):
        decree = np.int64(state.secret.decree[i])
        public.decrees_left[decree // 64] |= bit(decree % 64)


@njit
def lay_rubble(state, cards, chance, news):
    """R10: rows, columns, sites, pile; what is left over goes to the box."""
    public, order = state.public, state.secret.room
    shuffle(chance, np.int64(RUBBLE), cards.cube_deck, order)
    laid = 0
    for zone in range(ZONES):
        laid = lay_cubes(public.zone[zone], order, laid, cards.zone_cubes[zone], zone, news)
        public.zone_dearest[zone] = dearest(cards, public.zone[zone])
        for kind in range(CUBES):
            public.zone_value[zone] += public.zone[zone, kind] * cards.cube_value[kind]
    for site in range(SITES):
        laid = lay_cubes(public.site_cubes[site], order, laid, cards.site_cubes[site], SITES_LAID + site, news)
    laid = lay_cubes(public.cube_pile, order, laid, cards.pile_cubes, np.int64(PILE_LAID), news)
    lay_cubes(public.lost, order, laid, cards.cube_deck.count - laid, np.int64(BOX_LAID), news)


@njit
def lay_cubes(cubes, order, laid, count, where, news):
    """The next cubes onto a place. Returns how many have been laid in all."""
    for i in range(laid, laid + count):
        kind = np.int64(order[i])
        cubes[kind] += 1
        tell(news, where, Event.RUBBLE_LAID, ZERO, kind)
    return laid + count
