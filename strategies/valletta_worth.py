"""Valletta: what the expert thinks that goods, cards and buildings are worth, in points.

A good is worth HIGH as long as buildings are wanted that cost it, and what it pays at the end beyond that. A card is
worth what a play of it gives; a card that is gained is worth that for each time that it will be played, less the mean
of the own cards, whose plays it takes. A building is worth its printed points, its character, and what its icons and
its colour add to the own cards.
"""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, first, lowest, popcount
from simcore.games.valletta import rules
from simcore.games.valletta.state import GOLD, GOODS, NOBODY, NOTHING, Colour, Effect


class P(IntEnum):
    """Places of the parameters in `mind.weights`."""

    TURNS = 0  # turns of each seat until the final phase, at the start
    PACE = 1  # turns left are those times what is left of the way to the nearest trigger to the power of this
    HORIZON = 2  # turns before the final phase from which on goods lose worth
    GOLD = 3  # worth of a gold that is wanted
    MATERIAL = 4  # the same of a material
    LEAST = 5  # factor on what a good pays at the end, for one that is not wanted
    WANT = 6  # goods wanted, in mean costs of the best targets
    FINAL = 7  # in the final phase: part of the worth of a wanted good while there is a card to spend it
    KEEP = 8  # part of what a card is worth that is lost when it is played rather than kept
    BUILD = 9  # worth of a play of a card that builds, early
    BUILD_FINAL = 10  # the same in the final phase
    CROWD = 11  # how fast that falls with further cards that build
    COPY = 12  # worth of a copy, as part of the best card that can be copied
    JEAN = 13  # worth of a play of Jean beyond the good
    GROWTH = 14  # own buildings of a colour that come on average while a card is used that counts them
    ICONS = 15  # the same for icons of a good
    PASSES = 16  # factor on the plays of a gained card before the final phase
    LAST = 17  # factor on its play in the final phase
    ICON = 18  # factor on what icons and colours of a building add to the own cards
    PAYMENT = 19  # part of what is left over when points are bought that a card is worth which sells them
    VICTIM = 20  # chance that an opponent has to give
    GIFT = 21  # part of what the others get that counts as a loss
    GREEN = 22  # for a new building of a colour
    BLUE = 23
    YELLOW = 24
    UPGRADE = 25  # for an upgrade
    PROSPECT = 26  # part of what an upgrade would add later
    ADJACENT = 27  # for each free neighbour of a new building
    AREA = 28  # factor on Jean's bonus
    END = 29  # for triggering the final phase, for each point of the own lead
    ENDING = 30  # for triggering it
    PROGRESS = 31  # for being so near to the best target
    MISSING = 32  # part of that which each missing good takes
    DISMISS = 33  # factor on what dismissing a card gives
    HIRE = 34  # factor on what hiring a card gives
    MODE = 35  # points that dismissing or hiring must give
    LEAD = 36  # the mean worth of a card that a lead is counted with, for each card that is still to be played


# Places in `mind.scratch`, filled for one decision.
WANTED = 0  # by good: how many are wanted
PRICE = 4  # by good: what one is worth that is wanted
LOW = 8  # what a good is worth that is not
LEFT = 9  # turns of each seat that are left before the final phase
OFTEN = 10  # plays of a gained card in them
MEAN = 11  # the mean worth of an own card that is played
ENDS = 12  # what triggering the final phase is worth
MODES = 13  # what dismissing or hiring is worth
ITEMS = 14  # cards at CARD
TARGETS = 15  # targets at TARGET
DEPTH = 16  # plays looked ahead
FIRST = 17  # the first card of the best order
BUILDERS = 18  # own cards that build
PLAIN = 19  # sets of items, see valletta_plan
COPIERS = 20
CARD = 24  # characters of the cards that can be played, then those gained on the way
WORTH = 40  # by character: what a play gives
TARGET = 104  # TARGET_SIZE * number: the best targets, and room for one more
NODE = 176  # NODE_SIZE * plays ahead: see valletta_plan
ICONS_ADD = 240  # by good: what one more icon adds to the own cards
COLOURS_ADD = 244  # by colour: what one more building adds to them
UPGRADES_ADD = 247  # what one more upgrade adds to them

# Fields of a target: its location, what it is worth, its cost in each good, the character that comes with it, and what
# it is worth when it is paid for.
WORTH_OF, COST, COMES, NET, TARGET_SIZE = 1, 2, 6, 7, 8
MOST_TARGETS = 8


@njit
def look(public, cards, mind):
    """Fill `mind.scratch` up to the best targets, for the one to decide."""
    look_at_time(public, cards, mind)
    look_at_cards(public, cards, mind)
    look_at_targets(public, cards, mind)


# --- Time and goods --------------------------------------------------------------------------------------------------


@njit
def look_at_time(public, cards, mind):
    """LEFT, PRICE, LOW, ENDS."""
    s, w, seat = mind.scratch, mind.weights, np.int64(public.actor)
    way = public.jean / cards.spaces
    for other in range(cards.seats):
        way = max(way, 1.0 - public.houses[other] / cards.houses, public.points[other] / cards.trigger_points)
    left = 0.0
    if public.final == 0 and public.triggered == NOBODY:
        left = w[P.TURNS] * max(1.0 - way, 0.0) ** w[P.PACE]
    s[LEFT] = left
    s[LOW] = w[P.LEAST] / cards.goods_per_point
    share = min(1.0, (left + 1.0) / w[P.HORIZON])
    if public.final == 1:
        share = w[P.FINAL] * np.float64(spends(public, cards, seat))
    for good in range(GOODS):
        s[PRICE + good] = share * (w[P.GOLD] if good == GOLD else w[P.MATERIAL])
    s[ENDS] = ends(public, cards, mind, seat)


@njit
def spends(public, cards, seat):
    """Whether there is a card that spends goods among those that a seat has still to play in the final phase."""
    for character in range(cards.characters):
        effect = cards.effect[character]
        if effect == Effect.BUILD or effect == Effect.PAY_FOR_POINTS or effect == Effect.PAY_CHOICE_FOR_POINTS:
            if public.owned[seat, character] > public.discard[seat, character]:
                return True
    return False


@njit
def ends(public, cards, mind, seat):
    """What it is worth to trigger the final phase: the own lead counts, with the cards that are still to be played."""
    if public.triggered != NOBODY:
        return 0.0
    w, own, best = mind.weights, 0.0, -1e18
    for other in range(cards.seats):
        total = np.float64(public.standing[other] + rules.goods_points(public, cards, other))
        total += w[P.LEAD] * cards_of(public, other)
        if other == seat:
            own = total
        else:
            best = max(best, total)
    return w[P.END] * (own - best) + w[P.ENDING]


@njit
def cards_of(public, seat):
    """The number of a seat's cards."""
    number = public.hand[seat] + public.deck[seat] + public.discards[seat]
    return number + (public.plays if seat == public.active else 0)


@njit
def worth_of_goods(mind, good, held):
    """What so many of a good are worth."""
    s = mind.scratch
    wanted = s[WANTED + good]
    extra = max(s[PRICE + good] - s[LOW], 0.0)
    return held * (s[LOW] + extra * wanted / (wanted + held + 1e-9))


# --- Cards -----------------------------------------------------------------------------------------------------------


@njit
def look_at_cards(public, cards, mind):
    """WORTH, MEAN, OFTEN."""
    s, w, seat = mind.scratch, mind.weights, np.int64(public.actor)
    builders, best = 0, 0.0
    for character in range(cards.characters):
        if cards.effect[character] == Effect.BUILD:
            builders += np.int64(public.owned[seat, character])
    s[BUILDERS] = builders
    for character in range(cards.characters):
        points = play_worth(public, cards, mind, seat, character)
        s[WORTH + character] = points
        if cards.copyable[character] == 1 and public.owned[seat, character] > 0:
            best = max(best, points)
    total, number, least, second = 0.0, 0, 1e18, 1e18
    for character in range(cards.characters):
        if cards.effect[character] == Effect.COPY_PREVIOUS:
            s[WORTH + character] = w[P.COPY] * best
        own = np.int64(public.owned[seat, character])
        if own > 0:
            points = s[WORTH + character]
            total, number = total + own * points, number + own
            if points < least:
                least, second = points, (points if own > 1 else least)
            else:
                second = min(second, points)
    spare = min(max(cards.hand - cards.plays, 0), 2)  # the worst cards stay in the hand
    if spare >= 1 and number > cards.plays:
        total, number = total - least, number - 1
    if spare >= 2 and number > cards.plays:
        total, number = total - second, number - 1
    s[MEAN] = total / max(number, 1)
    s[OFTEN] = s[LEFT] * w[P.PASSES] * cards.plays / max(number + 1, cards.plays)
    look_at_growth(public, cards, mind, seat)


@njit
def look_at_growth(public, cards, mind, seat):
    """ICONS_ADD, COLOURS_ADD, UPGRADES_ADD."""
    s = mind.scratch
    for i in range(ICONS_ADD, UPGRADES_ADD + 1):
        s[i] = 0.0
    factor = mind.weights[P.ICON] * (s[OFTEN] + 1.0)
    for character in range(cards.characters):
        own = np.int64(public.owned[seat, character])
        if own == 0:
            continue
        effect, good, add = cards.effect[character], cards.good[character], factor * own
        points = add * cards.points[character]
        if effect == Effect.GAIN_ICONS:
            s[ICONS_ADD + good] += add * s[PRICE + good]
        elif effect == Effect.GAIN_ICONS_CHOICE:
            for other in range(GOODS):
                s[ICONS_ADD + other] += 0.5 * add * s[PRICE + other]
        elif effect == Effect.GAIN_PER_GREEN:
            s[COLOURS_ADD + np.int64(Colour.GREEN)] += add * s[PRICE + good]
        elif effect == Effect.POINTS_PER_GREEN:
            s[COLOURS_ADD + np.int64(Colour.GREEN)] += points
        elif effect == Effect.POINTS_PER_BLUE:
            s[COLOURS_ADD + np.int64(Colour.BLUE)] += points
        elif effect == Effect.POINTS_PER_UPGRADED:
            s[UPGRADES_ADD] += points


@njit
def play_worth(public, cards, mind, seat, character):
    """What a play of a card gives on average."""
    s, w = mind.scratch, mind.weights
    effect, amount, points = cards.effect[character], cards.amount[character], np.float64(cards.points[character])
    if public.blanked[seat] & bit(character) != NONE:
        return 0.0
    if effect == Effect.BUILD:
        return builder_worth(public, cards, mind, seat, character)
    later = min(1.0, s[LEFT] / w[P.TURNS])
    if effect == Effect.GAIN_ICONS:
        good = cards.good[character]
        return (public.icons[seat, good] + w[P.ICONS] * later) * s[PRICE + good]
    if effect == Effect.GAIN_FIXED:
        return amount * s[PRICE + cards.good[character]]
    price = max(s[PRICE + GOLD], s[PRICE + 1])
    if effect == Effect.GAIN_CHOICE:
        return amount * price
    if effect == Effect.JEAN:
        return price + w[P.JEAN] * later
    if effect == Effect.MENDICANT or effect == Effect.HOST or effect == Effect.TAX_COLLECTOR:
        several = 2 if effect == Effect.TAX_COLLECTOR else 1
        return amount * price * (w[P.VICTIM] * several * (cards.seats - 1) + np.float64(cards.seats == 2))
    if effect == Effect.TRADER:
        return max(amount * s[PRICE + cards.good[character]] - cards.trader_pays * s[LOW], 0.0)
    if effect == Effect.MERCHANT:
        return max(3 * amount * s[PRICE + 1] - paid(cards, mind, character), 0.0)
    if effect == Effect.GAIN_PER_GREEN:
        return (public.colours[seat, np.int64(Colour.GREEN)] + w[P.GROWTH] * later) * s[PRICE + cards.good[character]]
    if effect == Effect.NUN:
        return amount * price - w[P.GIFT] * cards.nun_others * price
    if effect == Effect.GAIN_ICONS_CHOICE:
        most = 0
        for good in range(GOODS):
            most = max(most, public.icons[seat, good])
        return (most + w[P.ICONS] * later) * price
    if effect == Effect.PAY_CHOICE_FOR_POINTS:
        return max(points - amount * s[LOW], 0.0) * w[P.PAYMENT]
    if effect == Effect.PAY_FOR_POINTS:
        return max(points - paid(cards, mind, character), 0.0) * w[P.PAYMENT]
    if effect == Effect.POINTS_FIXED:
        return points
    if is_count(effect):
        return points * (rules.counted(public, seat, effect) + w[P.GROWTH] * later)
    return 0.0


@njit
def is_count(effect):
    """Effects that give points for own buildings."""
    return effect == Effect.POINTS_PER_BLUE or effect == Effect.POINTS_PER_GREEN or effect == Effect.POINTS_PER_UPGRADED


@njit
def paid(cards, mind, character):
    """What the price printed on a card is worth, of goods that are not wanted."""
    total = 0
    for good in range(GOODS):
        total += cards.pay[character, good]
    return mind.scratch[LOW] * total


@njit
def builder_worth(public, cards, mind, seat, character):
    """What a play of a card that builds is worth: less with further ones, more with a discount."""
    s, w = mind.scratch, mind.weights
    share = min(1.0, s[LEFT] / w[P.TURNS])
    points = w[P.BUILD] * share + w[P.BUILD_FINAL] * (1.0 - share)
    if public.houses[seat] == 0 and public.own[seat] & ~public.upgraded == NONE:
        return 0.0
    points /= 1.0 + w[P.CROWD] * max(s[BUILDERS] - 1.0, 0.0)
    for good in range(1, GOODS):
        points += min(cards.discount[character, good], 2) * s[PRICE + good]
    return points


@njit
def gained_worth(mind, character):
    """What it is worth that a card joins the own ones."""
    s, w = mind.scratch, mind.weights
    points = s[WORTH + character]
    return s[OFTEN] * (points - s[MEAN]) + w[P.LAST] * points


@njit
def dismissed_worth(mind, character):
    """What it is worth that a card leaves the own ones."""
    s, w = mind.scratch, mind.weights
    points = s[WORTH + character]
    return w[P.DISMISS] * (s[OFTEN] * (s[MEAN] - points) - w[P.LAST] * points) - w[P.MODE]


@njit
def hired_worth(mind, character):
    """What hiring a card is worth."""
    return mind.weights[P.HIRE] * gained_worth(mind, character) - mind.weights[P.MODE]


@njit
def look_at_modes(public, me, mind):
    """MODES: the most that a Jean can make of the hand and of the general supply beside his good; not below 0."""
    s, best = mind.scratch, 0.0
    held, pool = me.held, public.pooled
    while held != NONE:
        best = max(best, dismissed_worth(mind, lowest(held)))
        held ^= first(held)
    while pool != NONE:
        best = max(best, hired_worth(mind, lowest(pool)))
        pool ^= first(pool)
    s[MODES] = best


# --- Targets ---------------------------------------------------------------------------------------------------------


@njit
def look_at_targets(public, cards, mind):
    """TARGET, TARGETS, WANTED: the locations that are worth most when they are paid for, the best first."""
    s, seat = mind.scratch, np.int64(public.actor)
    own = public.own[seat]
    left = own & ~public.upgraded
    if public.houses[seat] > 0:
        left |= public.free
    left &= ~rules.banned_locations(public, seat)
    number = np.int64(0)
    while left != NONE:
        location = lowest(left)
        left ^= first(left)
        points = target_worth(public, cards, mind, seat, location)
        net = points - price_of(public, cards, mind, seat, location)
        if number == MOST_TARGETS and net <= s[TARGET + TARGET_SIZE * (MOST_TARGETS - 1) + NET]:
            continue
        place = number if number < MOST_TARGETS else np.int64(MOST_TARGETS - 1)
        while place > 0 and s[TARGET + TARGET_SIZE * (place - 1) + NET] < net:
            move_target(mind, place)
            place -= 1
        set_target(public, cards, mind, place, location, points)
        s[TARGET + TARGET_SIZE * place + NET] = net
        number = min(number + 1, np.int64(MOST_TARGETS))
    s[TARGETS] = number
    for good in range(GOODS):
        total = 0.0
        for i in range(number):
            total += s[TARGET + TARGET_SIZE * i + COST + good]
        s[WANTED + good] = mind.weights[P.WANT] * total / max(number, 1)


@njit
def move_target(mind, place):
    """A target makes room for a better one: it goes to the place from the one before."""
    s, target = mind.scratch, TARGET + TARGET_SIZE * place
    for i in range(target, target + TARGET_SIZE):
        s[i] = s[i - TARGET_SIZE]


@njit
def set_target(public, cards, mind, place, location, points):
    """Note a target at a place of TARGET."""
    s, seat = mind.scratch, np.int64(public.actor)
    target = TARGET + TARGET_SIZE * place
    s[target], s[target + WORTH_OF] = location, points
    for good in range(GOODS):
        s[target + COST + good] = cost_of(public, cards, seat, location, good)
    is_new = public.free & bit(location) != NONE
    s[target + COMES] = cards.character[np.int64(public.building[location])] if is_new else NOTHING


@njit
def cost_of(public, cards, seat, location, good):
    """What a location costs the seat of a good, without a card's discount."""
    price = cards.cost[np.int64(public.building[location]), good]
    if good != GOLD:
        return price
    if public.free & bit(location) == NONE:
        return np.int64(0)
    return max(price - popcount(cards.near[location] & public.own[seat]), 0)


@njit
def price_of(public, cards, mind, seat, location):
    """What is paid for a location, in points."""
    total = 0.0
    for good in range(GOODS):
        total += cost_of(public, cards, seat, location, good) * mind.scratch[PRICE + good]
    return total


@njit
def target_worth(public, cards, mind, seat, location):
    """What building or upgrading a location is worth."""
    s, w, building = mind.scratch, mind.weights, np.int64(public.building[location])
    points = 0.0
    if public.jean >= 1 and cards.area[public.jean - 1] & bit(location) != NONE:
        points += w[P.AREA] * cards.area_bonus
    row = rules.printed_row(public, seat, building)
    good, side, printed = cards.icon[building], cards.icons[row], cards.printed[row]
    added = np.float64(printed[1] - printed[0])
    if public.free & bit(location) == NONE:
        points += added + w[P.UPGRADE] + s[UPGRADES_ADD]
        return points + (side[1] - side[0]) * s[ICONS_ADD + good]
    colour = cards.colour[building]
    points += np.float64(printed[0]) + w[P.PROSPECT] * added * min(1.0, s[LEFT] / 4.0)
    points += gained_worth(mind, cards.character[building]) + side[0] * s[ICONS_ADD + good]
    points += w[P.ADJACENT] * popcount(cards.near[location] & public.free) * s[LEFT]
    return points + w[P.GREEN + colour] + s[COLOURS_ADD + colour]
