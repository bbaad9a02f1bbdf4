"""Valletta: the rules as kernels, in the order of rules.md."""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, ONE, bit, flag, lowest, popcount
from simcore.game import Note
from simcore.games.valletta.state import (
    BRICK,
    BUILDINGS,
    COLOURS,
    DISMISS,
    GOLD,
    GOODS,
    HIRE,
    LOCATIONS,
    NO,
    NOBODY,
    NOTHING,
    PLAYS,
    PUBLIC,
    STATE,
    STONE,
    WOOD,
    Colour,
    Decision,
    Effect,
    End,
)
from simcore.random import shuffle, shuffle_pile

# Purposes of the deal's luck (VT-3.13); a draw pile of seat s is shuffled with PILES + s.
BARRELS_LAID, COLOURS_DRAWN, CITY_SHUFFLED, PILES = 1, 2, 5, 6

UPGRADED_SIDE = 64  # in the log building b is code 64 + b, its upgraded side 128 + b
BARE = np.uint64(BUILDINGS)
YES = 1
USED, DECLINED = np.bool_(False), np.bool_(True)
MATERIALS = np.uint64(1 << WOOD | 1 << STONE | 1 << BRICK)
ALL_GOODS = np.uint64((1 << GOODS) - 1)


class Event(IntEnum):
    """What a trace hears of (kinds of `game.note`)."""

    OFFERED = Note.GAIN  # a building is in the city, to every seat
    UPGRADED = Note.GAIN + 1  # the upgraded side of an own building is up
    BUILT = Note.FATE
    LOST = Note.FATE + 1  # somebody else has built it
    # Parts of the score: the printed points of basic sides by colour, then the others.
    COLOUR = Note.PART
    UPGRADES = Note.PART + COLOURS
    AREA = Note.PART + COLOURS + 1
    PAID = Note.PART + COLOURS + 2
    COUNTED = Note.PART + COLOURS + 3
    FIXED = Note.PART + COLOURS + 4
    GOODS = Note.PART + COLOURS + 5
    # Counters.
    HOUSES = Note.COUNT
    UPGRADE = Note.COUNT + 1
    TURNS = Note.COUNT + 2
    FINAL_TURNS = Note.COUNT + 3
    JEAN_STEPS = Note.COUNT + 4
    JEAN_SPACE = Note.COUNT + 5
    AREA_BONUSES = Note.COUNT + 6
    HIRES = Note.COUNT + 7
    DISMISSALS = Note.COUNT + 8
    COPIES = Note.COUNT + 9
    DECLINED = Note.COUNT + 10
    SUBSTITUTED = Note.COUNT + 11
    RECEIVED = Note.COUNT + 12
    SHORT = Note.COUNT + 13
    TAKEN = Note.COUNT + 14  # by good
    CARDS = Note.COUNT + 14 + GOODS
    TRIGGERED = Note.COUNT + 15 + GOODS
    TRIGGER_TURN = Note.COUNT + 16 + GOODS
    # What happens to characters.
    PLAYED = Note.TALLY
    COPIED = Note.TALLY + 1
    GAINED = Note.TALLY + 2  # with its building
    HIRED = Note.TALLY + 3
    DISMISSED = Note.TALLY + 4
    # For replays.
    LOCATION = Note.OTHER  # a building is laid at the next location
    DEALT = Note.OTHER + 1
    DRAWN = Note.OTHER + 2
    BARREL = Note.OTHER + 3  # time: the space; value: the good
    FINAL_PHASE = Note.OTHER + 4
    TURN_POINTS = Note.OTHER + 5  # value: a seat's points from play
    TURN_END = Note.OTHER + 6


# --- Setup (VT-3) ----------------------------------------------------------------------------------------------------


@njit
def setup(state, cards, chance, trace):
    """VT-3: barrels, the city, the general supplies, then every seat."""
    public = state.public
    public.turns, public.rounds = 0, 0
    public.end, public.truncated = 0, 0
    public.final, public.triggered = 0, NOBODY
    public.jean = 0  # VT-3.9
    for seat in range(cards.seats):  # before a card is noted: to the log the round begins here
        game.note(trace, 0, Note.ROUND_ORDER, seat, seat)
    shuffle(chance, BARRELS_LAID, cards.barrel_deck, state.secret.barrel)  # VT-3.1
    deal_city(state, cards, chance, trace)
    for good in range(GOODS):
        public.supply[good] = cards.pieces[good]
        public.turned[good] = 0
    public.pooled = NONE
    for character in range(public.pool.shape[0]):  # VT-3.6
        public.pool[character] = cards.pool[character]
        public.pooled |= bit(character) & flag(cards.pool[character] > 0)
    for seat in range(cards.seats):
        prepare_seat(state, cards, seat, chance, trace)
    clear_turn(public)
    clear_effect(public)
    public.active = NOBODY
    public.actor, public.decision = cards.seats - 1, np.int64(Decision.SETUP_GOOD)
    public.aside = ALL_GOODS  # VT-3.11
    if not cards.extra:
        begin_play(public)


@njit
def deal_city(state, cards, chance, trace):
    """VT-3.2, VT-3.3: so many buildings of each colour, shuffled together and laid on the locations 0, 1, 2, ..."""
    public, order = state.public, state.secret.deck[0]  # its room is not used yet
    drawn = NONE
    for colour in range(COLOURS):
        shuffle(chance, COLOURS_DRAWN + colour, cards.colour_deck[colour], order)
        for i in range(cards.drawn[colour]):
            drawn |= bit(order[i])
    shuffle(chance, CITY_SHUFFLED, cards.city_deck, order)
    location = 0
    for i in range(cards.city_deck.count):
        if drawn & bit(order[i]) != NONE:
            public.building[location] = order[i]
            location += 1
            game.note(trace, 0, Event.LOCATION, 0, np.int64(order[i]))
            for seat in range(cards.seats):
                game.note(trace, 0, Event.OFFERED, seat, UPGRADED_SIDE + np.int64(order[i]))
    for unused in range(location, LOCATIONS):
        public.building[unused] = 0
    public.free = bit(location) - ONE
    public.upgraded = NONE


@njit
def prepare_seat(state, cards, seat, chance, trace):
    """VT-3.5, VT-3.7, VT-3.8: houses, goods, the shuffled starting set and a hand from it."""
    public, me = state.public, state.private[seat]
    public.order[seat] = seat
    public.standing[seat], public.points[seat] = 0, 0
    public.houses[seat] = cards.houses
    public.own[seat] = NONE
    public.upgrades[seat] = 0
    for colour in range(COLOURS):
        public.colours[seat, colour] = 0
    for good in range(GOODS):
        public.goods[seat, good] = cards.start[good]
        public.supply[good] -= cards.start[good]
        public.icons[seat, good] = 0
    public.discarded[seat] = NONE
    for character in range(me.hand.shape[0]):
        me.hand[character] = 0
        public.known[seat, character] = 0
        public.owned[seat, character] = cards.starting[character]
        public.discard[seat, character] = cards.starting[character]
        public.discarded[seat] |= bit(character) & flag(cards.starting[character] > 0)
    me.held = NONE
    public.hand[seat], public.discards[seat], public.reshuffles[seat] = 0, cards.starting_cards, 0
    banned = chance.place[seat] == cards.ban_place
    public.banned[seat] = cards.banned & flag(banned)
    public.blanked[seat] = cards.blanked & flag(banned)
    public.bare[seat] = cards.bare & flag(banned)
    form_pile(state, cards, seat, chance)
    draw_up(state, cards, seat, Event.DEALT, chance, trace)


@njit
def choose_extra(public, good, trace):
    """VT-3.11: each seat picks one of the goods set aside, seat n-1 first and seat 0 last."""
    take(public, public.actor, good, 1, trace)
    public.aside ^= bit(good)
    public.actor -= 1
    if public.actor < 0:
        begin_play(public)


@njit
def begin_play(public):
    """VT-3.10, VT-3.11: goods left over are back in the supply, and seat 0 begins."""
    public.aside = NONE
    begin_turn(public, np.int64(0))


# --- The turn (VT-4) -------------------------------------------------------------------------------------------------


@njit(forceinline=True)
def begin_turn(public, seat):
    """VT-4.1: the seat is to play its first card."""
    public.active = seat
    public.actor, public.decision = seat, np.int64(Decision.PLAY_CARD)


@njit(forceinline=True)
def own_turn(public, cards):
    """The number of the active seat's turn, from 0: the time of what is logged."""
    return public.turns // cards.seats


@njit
def play_card(state, cards, character, chance, trace):
    """VT-4.3: a card goes from the hand into the next slot; then its effect is carried out."""
    public = state.public
    seat = public.active
    leave_hand(state, seat, character)
    public.slot[np.uint64(public.plays)] = character
    public.plays += 1
    game.note(trace, own_turn(public, cards), Event.PLAYED, seat, character)
    resolved = character
    if cards.effect[character] == Effect.COPY_PREVIOUS:
        # VT-8.7, VT-8.8, VT-8.12: nothing to copy, nothing to do.
        resolved = public.previous if public.blanked[seat] & bit(character) == NONE else NOTHING
        if resolved != NOTHING:
            game.note(trace, own_turn(public, cards), Event.COPIED, seat, resolved)
            game.note(trace, own_turn(public, cards), Event.COPIES, seat, 1)
    if resolved == NOTHING or not begin_effect(state, cards, resolved, trace):
        end_effect(state, cards, USED, chance, trace)


@njit
def end_effect(state, cards, declined, chance, trace):
    """VT-8.13: what the next Apprentice would copy; then the next card, or the end of the turn (VT-4.2, VT-4.6)."""
    public = state.public
    played = np.uint64(public.slot[np.uint64(public.plays - 1)])
    counts = not declined or cards.copies_declined == 1  # VT-8.9
    if cards.effect[played] == Effect.COPY_PREVIOUS:
        counts &= cards.chain == 1
    else:
        counts &= cards.copyable[played] == 1
        public.previous = np.int64(played)
    if not counts:
        public.previous = NOTHING
    if declined:
        game.note(trace, own_turn(public, cards), Event.DECLINED, public.active, 1)
    clear_effect(public)
    if public.plays < cards.plays and public.hand[np.uint64(public.active)] > 0:
        public.actor, public.decision = public.active, np.int64(Decision.PLAY_CARD)
    else:
        end_turn(state, cards, chance, trace)


@njit
def clear_effect(public):
    """No effect is being carried out."""
    public.resolving = NOTHING
    public.picks, public.gifts, public.extra = 0, 0, 0
    public.victims, public.targets = NONE, NONE
    public.target = NOTHING
    for good in range(GOODS):
        public.cost[good] = 0
        public.substituted[good] = 0
    public.last, public.fillers = 0, 0


@njit
def clear_turn(public):
    """Empty slots."""
    for i in range(PLAYS):
        public.slot[i] = NOTHING
    public.plays = 0
    public.previous = NOTHING


@njit
def end_turn(state, cards, chance, trace):
    """VT-4.8, VT-4.10: the played cards are discarded, the hand is filled up, and the next seat's turn begins.

    VT-13.3: also where the final phase was triggered in this turn.
    """
    public = state.public
    seat = np.uint64(public.active)
    for i in range(public.plays):
        character = np.uint64(public.slot[i])
        public.discard[seat, character] += np.uint8(1)
        public.discarded[seat] |= bit(character)
    public.discards[seat] += public.plays
    clear_turn(public)
    draw_up(state, cards, np.int64(seat), Event.DRAWN, chance, trace)
    game.note(trace, 0, Event.TURNS, np.int64(seat), 1)
    game.note(trace, 0, Event.FINAL_TURNS, np.int64(seat), public.final)
    public.turns += 1
    for other in range(cards.seats):
        game.note(trace, 0, Event.TURN_POINTS, other, public.points[other])
    game.note(trace, 0, Event.TURN_END, np.int64(seat), 0)
    if public.triggered == NOBODY and public.turns == cards.turn_cap * cards.seats:  # VT-13.11
        public.truncated = 1
        trigger(public, cards, End.CAP, trace)
    if public.triggered != NOBODY and not public.final:
        begin_final_phase(state, cards, chance)
    begin_next_turn(state, cards, trace)


@njit
def begin_next_turn(state, cards, trace):
    """VT-4.1, VT-13.8, VT-13.10: clockwise; without a card in any hand the game is over."""
    public = state.public
    seat = public.active
    for _ in range(cards.seats):
        seat += 1
        if seat == cards.seats:
            seat = 0
        if public.hand[np.uint64(seat)] > 0:
            begin_turn(public, seat)
            return
    end_game(public, cards, trace)


# --- Hand, draw pile, discard pile (VT-5) ----------------------------------------------------------------------------


@njit(forceinline=True)
def put_in_hand(state, seat, character):
    """A card comes into a hand."""
    me = state.private[np.uint64(seat)]
    me.hand[np.uint64(character)] += np.uint8(1)
    me.held |= bit(character)
    state.public.hand[np.uint64(seat)] += 1


@njit(forceinline=True)
def leave_hand(state, seat, character):
    """A card leaves a hand in the open."""
    public, me = state.public, state.private[np.uint64(seat)]
    left = np.int64(me.hand[np.uint64(character)]) - 1
    me.hand[np.uint64(character)] = left
    me.held &= ~(bit(character) & flag(left == 0))
    public.hand[np.uint64(seat)] -= 1
    known = np.int64(public.known[np.uint64(seat), np.uint64(character)])
    public.known[np.uint64(seat), np.uint64(character)] = known - np.int64(known > 0)


@njit
def take_openly(state, seat, character):
    """A card joins the seat's own, into the hand and seen by all (VT-4.7)."""
    public = state.public
    put_in_hand(state, np.int64(seat), character)
    public.owned[np.uint64(seat), np.uint64(character)] += np.uint8(1)
    public.known[np.uint64(seat), np.uint64(character)] += np.uint8(1)


@njit
def draw_up(state, cards, seat, event, chance, trace):
    """VT-5.1 to VT-5.4, VT-4.9: up to a full hand; the discard pile becomes a draw pile only when a card is missing.

    VT-13.5: in the final phase it never does.
    """
    public = state.public
    deck = state.secret.deck[seat]
    while public.hand[seat] < cards.hand:
        if public.deck[seat] == 0:
            if public.final or public.discards[seat] == 0:
                break
            tell_hand(state, seat)
            form_pile(state, cards, seat, chance)
        public.deck[seat] -= 1
        character = np.int64(deck[np.uint64(public.deck[seat])])
        put_in_hand(state, seat, character)
        game.note(trace, 0, event, seat, character)
    if public.deck[seat] == 0:
        tell_hand(state, seat)


@njit
def tell_hand(state, seat):
    """Without a draw pile everyone can tell the hand: what the seat owns and does not lie face up (VT-15.2)."""
    hand, known = state.private[seat].hand, state.public.known[seat]
    for character in range(hand.shape[0]):
        known[character] = hand[character]


@njit
def form_pile(state, cards, seat, chance):
    """VT-5.1: the discard pile, shuffled, becomes the draw pile."""
    public = state.public
    discard = public.discard[seat]
    shuffle_pile(
        chance,
        PILES + seat,
        public.reshuffles[seat],
        discard,
        public.discarded[seat],
        cards.salt,
        state.secret.deck[seat],
    )
    for character in range(discard.shape[0]):
        discard[character] = 0
    public.reshuffles[seat] += 1
    public.discarded[seat] = NONE
    public.deck[seat] = public.discards[seat]
    public.discards[seat] = 0


# --- Goods (VT-6) ----------------------------------------------------------------------------------------------------


@njit
def take(public, seat, good, amount, trace):
    """VT-6.1, VT-6.4: from the general supply, as far as it goes."""
    seat, good = np.uint64(seat), np.uint64(good)
    taken = min(amount, public.supply[good])
    public.goods[seat, good] += taken
    public.supply[good] -= taken
    game.note(trace, 0, Event.TAKEN + np.int64(good), np.int64(seat), taken)
    game.note(trace, 0, Event.SHORT, np.int64(seat), amount - taken)


@njit(forceinline=True)
def pay(public, seat, good, amount):
    """VT-6.1: to the general supply."""
    public.goods[np.uint64(seat), np.uint64(good)] -= amount
    public.supply[np.uint64(good)] += amount


@njit
def give(public, giver, receiver, good, amount, trace):
    """A good changes hands by a card (VT-6.6)."""
    public.goods[np.uint64(giver), np.uint64(good)] -= amount
    public.goods[np.uint64(receiver), np.uint64(good)] += amount
    game.note(trace, 0, Event.RECEIVED, receiver, amount)


@njit(forceinline=True)
def at_least(amounts, least):
    """The set of the goods of which there are so many."""
    goods = NONE
    for good in range(GOODS):
        goods |= np.uint64(amounts[np.uint64(good)] >= least) << np.uint64(good)
    return goods


@njit(forceinline=True)
def in_supply(public):
    """VT-6.5: the set of the goods that can be chosen from the supply."""
    return at_least(public.supply, 1)


# --- Building and upgrading (VT-7) -----------------------------------------------------------------------------------


@njit(forceinline=True)
def reduced(cost, discount):
    """VT-7.6, VT-7.7: never below 0."""
    return max(cost - discount, 0)


@njit
def affordable_targets(public, cards, seat, character):
    """VT-7.2, VT-7.4, VT-7.13: the locations that the seat can build or upgrade, and pay for, with this character."""
    seat = np.uint64(seat)
    own = public.own[seat]
    candidates = (public.free & flag(public.houses[seat] > 0)) | (own & ~public.upgraded)
    gold, wood, stone, brick = (
        public.goods[seat, 0],
        public.goods[seat, 1],
        public.goods[seat, 2],
        public.goods[seat, 3],
    )
    discount = cards.discount[np.uint64(character)]
    less_wood, less_stone, less_brick = discount[1], discount[2], discount[3]
    gold_fills = np.int64(cards.filling & ONE)
    targets = NONE
    while candidates != NONE:
        location = np.uint64(lowest(candidates))
        candidates &= candidates - ONE
        building = np.uint64(public.building[location])
        cost = cards.cost[building]
        is_new = np.int64((public.free >> location) & ONE)
        to_gold = is_new * reduced(cost[0], popcount(cards.near[location] & own))  # VT-7.5, VT-7.6
        over_gold = gold - to_gold
        over_wood = wood - reduced(cost[1], less_wood)
        over_stone = stone - reduced(cost[2], less_stone)
        over_brick = brick - reduced(cost[3], less_brick)
        missing = -(min(over_gold, 0) + min(over_wood, 0) + min(over_stone, 0) + min(over_brick, 0))
        spare = max(over_gold, 0) * gold_fills + max(over_wood, 0) + max(over_stone, 0) + max(over_brick, 0)
        targets |= np.uint64(spare >= cards.rate * missing) << location
    return targets & ~banned_locations(public, seat)


@njit
def banned_locations(public, seat):
    """For studies of access: the locations that the seat must leave alone."""
    if public.banned[seat] == NONE:
        return NONE
    locations = NONE
    for location in range(LOCATIONS):
        locations |= ((public.banned[seat] >> np.uint64(public.building[location])) & ONE) << np.uint64(location)
    return locations


@njit
def choose_target(public, cards, location):
    """VT-7.8: what it costs; the items that the seat cannot pay itself are substituted (VT-7.13)."""
    seat, location = np.uint64(public.active), np.uint64(location)
    cost = cards.cost[np.uint64(public.building[location])]
    discount = cards.discount[np.uint64(public.resolving)]
    is_new = np.int64((public.free >> location) & ONE)
    public.target = np.int64(location)
    public.targets = NONE
    public.cost[GOLD] = is_new * reduced(cost[GOLD], popcount(cards.near[location] & public.own[seat]))
    for good in range(WOOD, GOODS):
        public.cost[good] = reduced(cost[good], discount[good])
    for good in range(GOODS):
        public.substituted[good] = max(public.cost[good] - public.goods[seat, good], 0)
    public.decision = np.int64(Decision.SUBSTITUTE)


@njit
def substitutable(public, cards):
    """VT-7.10 to VT-7.12, section 15.7: the goods of which one more item can be substituted."""
    goods = public.goods[np.uint64(public.active)]
    items, spare = 0, 0
    for good in range(GOODS):
        items += public.substituted[good]
        spare += fills(public, cards, good) * (goods[good] - public.cost[good])
    options = NONE
    for good in range(public.last, GOODS):
        # With its first substituted item a good stops being one of those that fill in.
        lost = fills(public, cards, good) * (goods[good] - public.cost[good])
        if public.substituted[good] < public.cost[good] and spare - lost >= cards.rate * (items + 1):
            options |= bit(good)
    return options


@njit(forceinline=True)
def fills(public, cards, good):
    """VT-7.11, VT-7.12: 1 where the good may be paid for substituted items, else 0."""
    return np.int64(public.substituted[good] == 0) * np.int64((cards.filling >> np.uint64(good)) & ONE)


@njit
def pay_direct(state, cards, chance, trace):
    """VT-7.9: what is not substituted; then the goods that fill in are chosen one by one."""
    public = state.public
    items = 0
    for good in range(GOODS):
        pay(public, public.active, good, public.cost[good] - public.substituted[good])
        items += public.substituted[good]
    public.last = 0
    public.fillers = cards.rate * items
    game.note(trace, own_turn(public, cards), Event.SUBSTITUTED, public.active, items)
    if public.fillers == 0:
        build(state, cards, trace)
        end_effect(state, cards, USED, chance, trace)
    else:
        public.decision = np.int64(Decision.SUBSTITUTE_PAY)


@njit
def filling(public, cards):
    """Section 15.7: the goods that can fill in next, so that the ones after them suffice for the rest."""
    goods = public.goods[np.uint64(public.active)]
    options, left = NONE, 0
    for i in range(GOODS - public.last):
        good = GOODS - 1 - i
        left += fills(public, cards, good) * goods[good]
        if fills(public, cards, good) == 1 and goods[good] > 0 and left >= public.fillers:
            options |= bit(good)
    return options


@njit
def fill_in(state, cards, good, chance, trace):
    """VT-7.10: one of the goods paid for substituted items."""
    public = state.public
    pay(public, public.active, good, 1)
    public.fillers -= 1
    public.last = good
    if public.fillers == 0:
        build(state, cards, trace)
        end_effect(state, cards, USED, chance, trace)


@njit
def build(state, cards, trace):
    """VT-7.14 to VT-7.16: after paying."""
    public = state.public
    seat, location = np.uint64(public.active), np.uint64(public.target)
    building = np.uint64(public.building[location])
    if public.free & bit(location) != NONE:
        place_house(state, cards, seat, location, building, trace)
    else:
        turn_over(public, cards, seat, location, building, trace)
    if public.jean >= 1 and cards.area[np.uint64(public.jean - 1)] & bit(location) != NONE:  # VT-2.6
        score_points(public, cards, cards.area_bonus, Event.AREA, trace)
        game.note(trace, own_turn(public, cards), Event.AREA_BONUSES, np.int64(seat), 1)


@njit
def printed_row(public, seat, building):
    """The row of a building's icons and points to a seat, for studies of access."""
    return BARE if public.bare[seat] & bit(building) != NONE else np.uint64(building)


@njit
def place_house(state, cards, seat, location, building, trace):
    """VT-7.14, VT-7.17: the character comes into the hand, a house on the building."""
    public = state.public
    row = printed_row(public, seat, building)
    character = cards.character[building]
    take_openly(state, public.active, character)
    public.free ^= bit(location)
    public.own[seat] |= bit(location)
    public.houses[seat] -= 1
    colour = cards.colour[building]
    public.colours[seat, np.uint64(colour)] += 1
    public.icons[seat, np.uint64(cards.icon[building])] += cards.icons[row, 0]
    public.standing[seat] += cards.printed[row, 0]
    now, code = own_turn(public, cards), UPGRADED_SIDE + np.int64(building)
    for other in range(cards.seats):
        game.note(trace, now, Event.BUILT if other == np.int64(seat) else Event.LOST, other, code)
    game.note(trace, now, Event.GAINED, np.int64(seat), character)
    game.note(trace, now, Event.HOUSES, np.int64(seat), 1)
    game.note(trace, now, Event.COLOUR + colour, np.int64(seat), cards.printed[row, 0])
    if public.houses[seat] == 0:
        trigger(public, cards, End.HOUSES, trace)


@njit
def turn_over(public, cards, seat, location, building, trace):
    """VT-7.15: the upgraded side is up."""
    public.upgraded |= bit(location)
    public.upgrades[seat] += 1
    row = printed_row(public, seat, building)
    public.icons[seat, np.uint64(cards.icon[building])] += cards.icons[row, 1] - cards.icons[row, 0]
    added = cards.printed[row, 1] - cards.printed[row, 0]
    public.standing[seat] += added
    now = own_turn(public, cards)
    game.note(trace, now, Event.UPGRADED, np.int64(seat), 2 * UPGRADED_SIDE + np.int64(building))
    game.note(trace, now, Event.UPGRADE, np.int64(seat), 1)
    game.note(trace, now, Event.UPGRADES, np.int64(seat), added)


# --- Characters (VT-8 to VT-11) --------------------------------------------------------------------------------------


@njit(forceinline=True)
def ask(public, decision):
    """The active player has to decide."""
    public.decision = np.int64(decision)
    return True


@njit
def begin_effect(state, cards, character, trace):
    """VT-4.3, VT-15.3 to VT-15.5: begin the effect of a character. Returns whether there is something to decide."""
    public = state.public
    seat = public.active
    public.resolving = character
    if public.blanked[np.uint64(seat)] & bit(character) != NONE:
        return False
    effect, amount = cards.effect[np.uint64(character)], cards.amount[np.uint64(character)]
    if effect == Effect.BUILD:  # VT-8.6, VT-10.3 to VT-10.5
        public.targets = affordable_targets(public, cards, seat, character)
        return public.targets != NONE and ask(public, Decision.BUILD_TARGET)
    if effect == Effect.JEAN:
        advance_jean(state, cards, trace)
        movable = public.hand[np.uint64(seat)] > 0 or public.pooled != NONE
        return movable and ask(public, Decision.JEAN_MODE)
    if effect == Effect.MENDICANT or effect == Effect.HOST or effect == Effect.TAX_COLLECTOR:
        public.victims = victims(public, cards, seat, character)
        if amount > 0 and public.victims != NONE:
            return ask(public, Decision.USE_EFFECT)
        public.victims = NONE
        return ask_extra(public, cards)
    if is_pick(effect):
        public.picks = picks_of(cards, character)
        return worth_a_pick(public, cards, seat, character) and ask(public, Decision.PICK_GOOD)
    return is_useful(public, cards, seat, character) and ask(public, Decision.USE_EFFECT)


@njit
def is_pick(effect):
    """Effects that begin with the choice of a good."""
    return (
        effect == Effect.GAIN_CHOICE
        or effect == Effect.NUN
        or effect == Effect.GAIN_ICONS_CHOICE
        or effect == Effect.TRADER
        or effect == Effect.PAY_CHOICE_FOR_POINTS
    )


@njit
def picks_of(cards, character):
    """How many goods are picked one after another."""
    effect = cards.effect[np.uint64(character)]
    several = effect == Effect.GAIN_CHOICE or effect == Effect.MENDICANT or effect == Effect.TAX_COLLECTOR
    return cards.amount[np.uint64(character)] if several else 1


@njit
def pickable(public, cards):
    """The goods that can be picked now."""
    seat, character = np.uint64(public.active), np.uint64(public.resolving)
    effect = cards.effect[character]
    if effect == Effect.TRADER:  # VT-10.6
        return at_least(public.goods[seat], cards.trader_pays) & MATERIALS
    if effect == Effect.PAY_CHOICE_FOR_POINTS:  # VT-11.1
        return at_least(public.goods[seat], cards.amount[character]) & MATERIALS
    if effect == Effect.TAX_COLLECTOR:  # VT-10.13
        return in_supply(public) & MATERIALS
    return in_supply(public)


@njit
def worth_a_pick(public, cards, seat, character):
    """VT-15.4: whether some pick changes something."""
    goods = pickable(public, cards)
    effect, amount = cards.effect[np.uint64(character)], cards.amount[np.uint64(character)]
    if effect == Effect.GAIN_ICONS_CHOICE:
        return goods & at_least(public.icons[np.uint64(seat)], 1) != NONE
    if effect == Effect.NUN:
        return goods != NONE and (amount > 0 or cards.nun_others > 0)
    if effect == Effect.PAY_CHOICE_FOR_POINTS:
        return goods != NONE and (amount > 0 or cards.points[np.uint64(character)] > 0)
    return goods != NONE and public.picks > 0


@njit
def is_useful(public, cards, seat, character):
    """VT-15.4: whether an effect without a choice of its own would change something."""
    character = np.uint64(character)
    effect, amount, points = cards.effect[character], cards.amount[character], cards.points[character]
    if effect == Effect.MERCHANT:
        takes = amount > 0 and in_supply(public) & MATERIALS != NONE
        return can_pay(public, cards, seat, character) and (is_priced(cards, character) or takes)
    if effect == Effect.PAY_FOR_POINTS:
        return can_pay(public, cards, seat, character) and (is_priced(cards, character) or points > 0)
    if effect == Effect.POINTS_FIXED:
        return points > 0
    if effect == Effect.POINTS_PER_BLUE or effect == Effect.POINTS_PER_GREEN or effect == Effect.POINTS_PER_UPGRADED:
        return points * counted(public, seat, effect) > 0
    good = np.uint64(cards.good[character])
    return public.supply[good] > 0 and gain_of(public, cards, seat, character) > 0


@njit
def can_pay(public, cards, seat, character):
    """VT-11.8: exactly what the card asks for."""
    payable = True
    for good in range(GOODS):
        payable &= public.goods[np.uint64(seat), good] >= cards.pay[character, good]
    return payable


@njit
def is_priced(cards, character):
    """Whether the card asks for a payment."""
    price = 0
    for good in range(GOODS):
        price += cards.pay[character, good]
    return price > 0


@njit
def gain_of(public, cards, seat, character):
    """VT-8.1 to VT-8.4, VT-9.1, VT-10.8: how many of its good a card brings, where it is given without a choice."""
    effect = cards.effect[character]
    if effect == Effect.GAIN_ICONS:
        return public.icons[np.uint64(seat), np.uint64(cards.good[character])]
    if effect == Effect.GAIN_PER_GREEN:
        return public.colours[np.uint64(seat), np.uint64(Colour.GREEN)]
    return cards.amount[character]


@njit
def counted(public, seat, effect):
    """VT-11.4 to VT-11.6: the own buildings that a card counts."""
    seat = np.uint64(seat)
    if effect == Effect.POINTS_PER_BLUE:
        return public.colours[seat, np.uint64(Colour.BLUE)]
    if effect == Effect.POINTS_PER_GREEN:
        return public.colours[seat, np.uint64(Colour.GREEN)]
    return public.upgrades[seat]


@njit
def use_effect(state, cards, chance, trace):
    """Carry out an effect that was only to be used or declined."""
    public = state.public
    seat, character = public.active, np.uint64(public.resolving)
    effect, amount, points = cards.effect[character], cards.amount[character], cards.points[character]
    if effect == Effect.MENDICANT:
        ask_to_give(state, cards, chance, trace)
        return
    if effect == Effect.HOST and public.extra:  # VT-10.12
        take(public, seat, cards.good[character], amount, trace)
    elif effect == Effect.HOST or effect == Effect.TAX_COLLECTOR:
        collect(public, cards, seat, character, trace)
        if ask_extra(public, cards):
            return
    elif effect == Effect.MERCHANT:  # VT-10.7, VT-10.15
        pay_price(public, cards, seat, character)
        for good in range(WOOD, GOODS):
            take(public, seat, good, amount, trace)
    elif effect == Effect.PAY_FOR_POINTS:  # VT-11.2, VT-11.3
        pay_price(public, cards, seat, character)
        score_points(public, cards, points, Event.PAID, trace)
    elif effect == Effect.POINTS_FIXED:  # VT-11.7
        score_points(public, cards, points, Event.FIXED, trace)
    elif (
        effect == Effect.POINTS_PER_BLUE or effect == Effect.POINTS_PER_GREEN or effect == Effect.POINTS_PER_UPGRADED
    ):  # VT-11.4 to VT-11.6
        score_points(public, cards, points * counted(public, seat, effect), Event.COUNTED, trace)
    else:  # VT-8.1 to VT-8.4, VT-9.2, VT-10.8
        take(public, seat, cards.good[character], gain_of(public, cards, seat, character), trace)
    end_effect(state, cards, USED, chance, trace)


@njit
def pay_price(public, cards, seat, character):
    """VT-11.8: the payment printed on the card."""
    for good in range(GOODS):
        pay(public, seat, good, cards.pay[character, good])


@njit
def pick(state, cards, good, chance, trace):
    """A good was chosen, and its effect follows."""
    public = state.public
    seat, character = public.active, np.uint64(public.resolving)
    effect, amount = cards.effect[character], cards.amount[character]
    if effect == Effect.TRADER:  # VT-10.6, VT-10.15
        pay(public, seat, good, cards.trader_pays)
        take(public, seat, cards.good[character], amount, trace)
    elif effect == Effect.PAY_CHOICE_FOR_POINTS:  # VT-11.1
        pay(public, seat, good, amount)
        score_points(public, cards, cards.points[character], Event.PAID, trace)
    elif effect == Effect.NUN:  # VT-10.9
        take(public, seat, good, amount, trace)
        for i in range(1, cards.seats):
            take(public, (seat + i) % cards.seats, good, cards.nun_others, trace)
    elif effect == Effect.GAIN_ICONS_CHOICE:  # VT-10.11
        take(public, seat, good, public.icons[np.uint64(seat), np.uint64(good)], trace)
    else:  # VT-8.5, VT-10.10, and the extras of VT-10.2 and VT-10.13
        take(public, seat, good, 1, trace)
    public.picks -= 1
    if public.picks == 0 or pickable(public, cards) == NONE:  # VT-6.5
        end_effect(state, cards, USED, chance, trace)


# --- Jean (VT-8.20 to VT-8.27) ---------------------------------------------------------------------------------------


@njit
def advance_jean(state, cards, trace):
    """VT-8.21, VT-6.3: Jean moves on, and the player takes the good under his new space."""
    public = state.public
    if public.jean == cards.spaces:
        return
    good = np.uint64(state.secret.barrel[np.uint64(public.jean)])
    public.jean += 1
    public.turned[good] += 1
    public.supply[good] += 1
    game.note(trace, public.jean, Event.BARREL, 0, np.int64(good))
    game.note(trace, 0, Event.JEAN_STEPS, public.active, 1)
    take(public, public.active, good, 1, trace)
    if public.jean == cards.spaces:  # VT-8.27
        trigger(public, cards, End.JEAN, trace)


@njit
def choose_mode(state, cards, mode, chance, trace):
    """VT-8.22: dismiss, hire, or nothing."""
    public = state.public
    if mode == DISMISS:
        public.decision = np.int64(Decision.DISMISS_CARD)
    elif mode == HIRE:
        public.decision = np.int64(Decision.HIRE_CARD)
    else:
        end_effect(state, cards, USED, chance, trace)


@njit
def dismiss(state, cards, character, chance, trace):
    """VT-8.23: a card of the hand goes to the general character supply."""
    public = state.public
    seat = public.active
    leave_hand(state, seat, character)
    public.owned[np.uint64(seat), np.uint64(character)] -= np.uint8(1)
    public.pool[np.uint64(character)] += np.uint8(1)
    public.pooled |= bit(character)
    game.note(trace, own_turn(public, cards), Event.DISMISSED, seat, character)
    game.note(trace, own_turn(public, cards), Event.DISMISSALS, seat, 1)
    end_effect(state, cards, USED, chance, trace)


@njit
def hire(state, cards, character, chance, trace):
    """VT-8.24: a card of the general character supply comes into the hand."""
    public = state.public
    seat = public.active
    public.pool[np.uint64(character)] -= np.uint8(1)
    if public.pool[np.uint64(character)] == 0:
        public.pooled ^= bit(character)
    take_openly(state, seat, character)
    game.note(trace, own_turn(public, cards), Event.HIRED, seat, character)
    game.note(trace, own_turn(public, cards), Event.HIRES, seat, 1)
    end_effect(state, cards, USED, chance, trace)


# --- What others give (VT-10.1, VT-10.2, VT-10.12 to VT-10.14) -------------------------------------------------------


@njit
def victims(public, cards, seat, character):
    """VT-10.14: the set of the opponents who have to give, found when the effect starts."""
    effect = cards.effect[np.uint64(character)]
    found = NONE
    for other in range(cards.seats):
        goods = public.goods[other]
        if effect == Effect.MENDICANT:  # VT-10.1
            gives = goods[GOLD] + goods[WOOD] + goods[STONE] + goods[BRICK] >= cards.holding[0]
        elif effect == Effect.HOST:  # VT-10.12
            gives = goods[np.uint64(cards.good[np.uint64(character)])] >= cards.holding[1]
        else:  # VT-10.13
            gives = at_least(goods, cards.holding[2]) & MATERIALS != NONE
        found |= bit(other) & flag(gives)
    return found & ~bit(seat)


@njit
def collect(public, cards, seat, character, trace):
    """VT-10.12, VT-10.13: Host and Tax Collector; what they take is not chosen."""
    effect, amount = cards.effect[character], cards.amount[character]
    for other in range(cards.seats):
        if public.victims & bit(other) == NONE:
            continue
        for good in range(GOODS):
            holds = public.goods[np.uint64(other), np.uint64(good)]
            if effect == Effect.HOST:
                gives = good == cards.good[character]
            else:
                gives = good != GOLD and holds >= cards.holding[2]
            if gives:
                give(public, other, seat, good, min(amount, holds), trace)
    public.victims = NONE


@njit
def ask_to_give(state, cards, chance, trace):
    """VT-10.1: the next opponent, clockwise from the active player's left, chooses what to give; then the extra."""
    public = state.public
    if public.victims == NONE:
        public.actor = public.active
        if not ask_extra(public, cards):
            end_effect(state, cards, USED, chance, trace)
        return
    other = public.active
    while public.victims & bit(other) == NONE:
        other = (other + 1) % cards.seats
    public.actor, public.decision = other, np.int64(Decision.GIVE_GOOD)
    public.gifts = cards.amount[np.uint64(public.resolving)]


@njit
def give_good(state, cards, good, chance, trace):
    """VT-10.1: the good that an opponent has chosen."""
    public = state.public
    giver = np.uint64(public.actor)
    give(public, public.actor, public.active, good, 1, trace)
    public.gifts -= 1
    if public.gifts == 0 or at_least(public.goods[giver], 1) == NONE:
        public.gifts = 0
        public.victims ^= bit(giver)
        ask_to_give(state, cards, chance, trace)


@njit
def ask_extra(public, cards):
    """VT-10.2, VT-10.12, VT-10.13: what the active player may take in addition in a game of two."""
    if cards.seats != 2:
        return False
    character = np.uint64(public.resolving)
    effect, amount = cards.effect[character], cards.amount[character]
    if effect == Effect.HOST:
        is_there = public.supply[np.uint64(cards.good[character])] > 0
    else:
        is_there = pickable(public, cards) != NONE
    if amount == 0 or not is_there:
        return False
    public.extra = 1
    if effect == Effect.HOST:
        return ask(public, Decision.USE_EFFECT)
    public.picks = amount
    return ask(public, Decision.PICK_GOOD)


# --- Points and the final phase (VT-12, VT-13) -----------------------------------------------------------------------


@njit
def score_points(public, cards, points, part, trace):
    """VT-12.1, VT-13.2: the active player's figure advances, and may trigger the final phase."""
    seat = np.uint64(public.active)
    before = public.points[seat]
    public.points[seat] = before + points
    public.standing[seat] += points
    game.note(trace, own_turn(public, cards), part, public.active, points)
    goal = cards.trigger_points
    reached = before < goal and (before + points == goal or (cards.passing == 1 and before + points > goal))
    if reached:
        trigger(public, cards, End.POINTS, trace)


@njit
def trigger(public, cards, end, trace):
    """VT-13.1, VT-13.9: the first trigger counts."""
    if public.triggered == NOBODY:
        public.triggered = public.active
        public.end = np.int64(end)
        game.note(trace, 0, Event.FINAL_PHASE, public.active, np.int64(end))
        game.note(trace, 0, Event.TRIGGERED, public.active, 1)
        for seat in range(cards.seats):
            # The turn under way counts; at the cap there is none.
            game.note(trace, 0, Event.TRIGGER_TURN, seat, own_turn(public, cards) + np.int64(public.plays > 0))


@njit
def begin_final_phase(state, cards, chance):
    """VT-13.4: everyone shuffles draw pile and discard pile together; hands are kept."""
    public = state.public
    public.final = 1
    for seat in range(cards.seats):
        deck = state.secret.deck[seat]
        for i in range(public.deck[seat]):
            character = np.uint64(deck[i])
            public.discard[seat, character] += np.uint8(1)
            public.discarded[seat] |= bit(character)
        public.discards[seat] += public.deck[seat]
        form_pile(state, cards, seat, chance)


# --- End of the game (VT-14) -----------------------------------------------------------------------------------------


@njit
def end_game(public, cards, trace):
    """VT-13.10: all have played all their cards."""
    public.actor = NOBODY
    public.rounds = 1
    for seat in range(cards.seats):
        game.note(trace, 0, Event.GOODS, seat, goods_points(public, cards, seat))
        game.note(trace, 0, Event.JEAN_SPACE, seat, public.jean)
        game.note(trace, 0, Event.CARDS, seat, public.discards[seat])
        game.note(trace, 0, Note.ROUND_POINTS, seat, public.standing[seat] + goods_points(public, cards, seat))


@njit
def goods_points(public, cards, seat):
    """VT-14.2: for the goods left over, all types counted together."""
    left = 0
    for good in range(GOODS):
        left += public.goods[seat, good]
    return left // cards.goods_per_point


@njit
def score(public, privates, cards, out):
    """VT-14.1 to VT-14.4: `standing` holds the points from play and the printed ones; then the houses built."""
    for seat in range(cards.seats):
        out.points[seat] = public.standing[seat] + goods_points(public, cards, seat)
        out.tie_break[seat] = popcount(public.own[seat])


# --- Decisions (section 19) ------------------------------------------------------------------------------------------


@njit
def legal(public, me, cards, options):
    """The options of VT-19, kinds 0 to 10."""
    decision = public.decision
    if decision == Decision.PLAY_CARD or decision == Decision.DISMISS_CARD:
        mask = me.held
    elif decision == Decision.USE_EFFECT:
        mask = np.uint64(3)
    elif decision == Decision.PICK_GOOD:
        is_first = public.picks == picks_of(cards, public.resolving)
        mask = pickable(public, cards) | (bit(NO) & flag(is_first))
    elif decision == Decision.BUILD_TARGET:
        mask = public.targets | bit(NO)
    elif decision == Decision.SUBSTITUTE:
        mask = substitutable(public, cards) | bit(NO)
    elif decision == Decision.SUBSTITUTE_PAY:
        mask = filling(public, cards)
    elif decision == Decision.JEAN_MODE:
        dismissing = bit(DISMISS) & flag(public.hand[np.uint64(public.actor)] > 0)
        mask = dismissing | (bit(HIRE) & flag(public.pooled != NONE)) | bit(NO)
    elif decision == Decision.HIRE_CARD:
        mask = public.pooled
    elif decision == Decision.GIVE_GOOD:
        mask = at_least(public.goods[np.uint64(public.actor)], 1)
    else:
        mask = public.aside
    options.mask[np.uint64(decision)] = mask
    options.count = popcount(mask)
    options.start, options.stop = decision, decision + 1


@njit
def apply(state, cards, action, chance, trace):
    """One decision; its actions are the codes 64 * decision + item."""
    public = state.public
    decision, item = action >> 6, action & 63
    if decision == Decision.PLAY_CARD:
        play_card(state, cards, item, chance, trace)
    elif decision == Decision.USE_EFFECT:
        if item == YES:
            use_effect(state, cards, chance, trace)
        else:
            end_effect(state, cards, public.extra == 0, chance, trace)
    elif decision == Decision.PICK_GOOD:
        if item == NO:
            end_effect(state, cards, public.extra == 0, chance, trace)
        else:
            pick(state, cards, item, chance, trace)
    elif decision == Decision.BUILD_TARGET:
        if item == NO:
            end_effect(state, cards, DECLINED, chance, trace)
        else:
            choose_target(public, cards, item)
    elif decision == Decision.SUBSTITUTE:
        if item == NO:
            pay_direct(state, cards, chance, trace)
        else:
            public.substituted[np.uint64(item)] += 1
            public.last = item
    elif decision == Decision.SUBSTITUTE_PAY:
        fill_in(state, cards, item, chance, trace)
    elif decision == Decision.JEAN_MODE:
        choose_mode(state, cards, item, chance, trace)
    elif decision == Decision.DISMISS_CARD:
        dismiss(state, cards, item, chance, trace)
    elif decision == Decision.HIRE_CARD:
        hire(state, cards, item, chance, trace)
    elif decision == Decision.GIVE_GOOD:
        give_good(state, cards, item, chance, trace)
    else:
        choose_extra(public, item, trace)


game.implement(setup=(STATE, setup), legal=(PUBLIC, legal), apply=(STATE, apply), score=(PUBLIC, score))
