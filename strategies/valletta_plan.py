"""Valletta: the expert looks ahead over the plays of its turn.

A node is what it would hold after some plays. All orders of the cards in hand are gone through, those that come with a
building on the way included; of targets the best that can be paid for is taken, of other choices what looks best.
Goods of choice are counted apart until something is paid for.
"""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, first, lowest
from simcore.games.valletta import rules
from simcore.games.valletta.state import GOLD, GOODS, NOTHING, Decision, Effect
from strategies.valletta_worth import (
    CARD,
    COMES,
    COPIERS,
    COST,
    DEPTH,
    ENDS,
    FIRST,
    ITEMS,
    LOW,
    MODES,
    NET,
    NODE,
    PLAIN,
    PRICE,
    TARGET,
    TARGET_SIZE,
    TARGETS,
    WORTH,
    WORTH_OF,
    P,
    is_count,
    worth_of_goods,
)

# Fields of a node: its goods, then these.
ANY = 4  # goods of choice
PREVIOUS = 5  # what an Apprentice would copy
BUILT = 6  # targets that are built or upgraded, as a set of their numbers
HOUSES = 7
POINTS = 8
LAST = 9  # the item played last, if it was a plain one
NODE_SIZE = 12
MOST_ITEMS = 6  # cards of the hand that are gone through
MOST_DEPTH = 4  # plays looked ahead


@njit
def begin(public, me, cards, mind, plays):
    """The first node, as things are, and the cards of the hand; so many plays are left."""
    s, seat = mind.scratch, np.int64(public.actor)
    for good in range(GOODS):
        s[NODE + good] = public.goods[seat, good]
    s[NODE + ANY] = 0.0
    s[NODE + PREVIOUS] = next_previous(public, cards)
    s[NODE + BUILT] = 0.0
    s[NODE + HOUSES] = public.houses[seat]
    s[NODE + POINTS] = public.points[seat]
    s[NODE + LAST] = NOTHING
    s[DEPTH] = min(plays, MOST_DEPTH)
    s[ITEMS] = 0.0
    held = me.held
    while held != NONE:
        character = lowest(held)
        held ^= first(held)
        for _ in range(min(np.int64(me.hand[character]), cards.plays)):
            add_item(mind, character)
    sort_out(cards, mind)


@njit
def sort_out(cards, mind):
    """PLAIN and COPIERS: the items whose place in the order matters to an Apprentice alone, and the Apprentices."""
    s, plain, copiers = mind.scratch, 0, 0
    for i in range(np.int64(s[ITEMS])):
        effect = cards.effect[np.int64(s[CARD + i])]
        copies = effect == Effect.COPY_PREVIOUS
        pays = effect == Effect.TRADER or effect == Effect.MERCHANT
        pays |= effect == Effect.PAY_CHOICE_FOR_POINTS or effect == Effect.PAY_FOR_POINTS
        copiers |= np.int64(copies) << i
        plain |= np.int64(not (copies or pays or effect == Effect.BUILD)) << i
    s[PLAIN], s[COPIERS] = plain, copiers


@njit
def next_previous(public, cards):
    """VT-8.13: what an Apprentice would copy as the next card, after the effect that is being carried out."""
    if public.resolving < 0:
        return np.int64(public.previous)
    played = np.int64(public.slot[public.plays - 1])
    if cards.effect[played] == Effect.COPY_PREVIOUS:
        return np.int64(public.previous) if cards.chain == 1 else np.int64(NOTHING)
    return played if cards.copyable[played] == 1 else np.int64(NOTHING)


@njit
def add_item(mind, character):
    """One more card; where there is no room, it takes the place of the one that is worth least."""
    s = mind.scratch
    number = np.int64(s[ITEMS])
    if number < MOST_ITEMS:
        s[CARD + number] = character
        s[ITEMS] = number + 1.0
        return
    least = 0
    for i in range(1, MOST_ITEMS):
        if s[WORTH + np.int64(s[CARD + i])] < s[WORTH + np.int64(s[CARD + least])]:
            least = i
    if s[WORTH + character] > s[WORTH + np.int64(s[CARD + least])]:
        s[CARD + least] = character


@njit
def explore(public, cards, mind, depth, used):
    """The most that can come of a node: the best order of the cards that are left. The first card is left in FIRST."""
    s, w = mind.scratch, mind.weights
    if depth >= s[DEPTH]:
        return leaf(mind, depth)
    best, chosen, tried = -1e18, NOTHING, NONE
    node, plain = NODE + NODE_SIZE * (depth + 1), np.int64(s[PLAIN])
    least = np.int64(s[node - NODE_SIZE + LAST])  # plain cards in one order only, if no Apprentice can follow
    if np.int64(s[COPIERS]) & ~used != 0:
        least = np.int64(NOTHING)
    for i in range(MOST_ITEMS + depth):
        if (used >> i) & 1 or (i < MOST_ITEMS and i >= s[ITEMS]) or (i < least and (plain >> i) & 1):
            continue
        character = np.int64(s[CARD + i])
        if character < 0 or tried & bit(character) != NONE:
            continue
        tried |= bit(character)
        copy_node(mind, depth)
        s[node + LAST] = i if (plain >> i) & 1 else NOTHING
        s[CARD + MOST_ITEMS + depth] = NOTHING
        points = play(public, cards, mind, depth, character) - w[P.KEEP] * s[WORTH + character]
        points += explore(public, cards, mind, depth + 1, used | (np.int64(1) << i))
        if depth == 0:
            mind.estimates[64 * Decision.PLAY_CARD + character] = points
        if points > best:
            best, chosen = points, character
    if chosen == NOTHING:
        return leaf(mind, depth)
    if depth == 0:
        s[FIRST] = chosen
    return best


@njit
def copy_node(mind, depth):
    """The next node starts like this one."""
    s = mind.scratch
    node = NODE + NODE_SIZE * depth
    for i in range(node, node + NODE_SIZE):
        s[i + NODE_SIZE] = s[i]


@njit
def leaf(mind, depth):
    """What the goods of a node are worth, and being near to the best target."""
    s, w = mind.scratch, mind.weights
    node = NODE + NODE_SIZE * depth
    total = 0.0
    for good in range(GOODS):
        total += worth_of_goods(mind, good, s[node + good])
    if s[node + ANY] > 0.0:
        most = 0.0
        for good in range(GOODS):
            held = s[node + good]
            most = max(most, worth_of_goods(mind, good, held + 1.0) - worth_of_goods(mind, good, held))
        total += s[node + ANY] * most
    return total + w[P.PROGRESS] * nearest(mind, node)


@njit
def nearest(mind, node):
    """The most that a target is worth when it is paid for, less MISSING for each good that a node lacks."""
    s, best, built = mind.scratch, 0.0, np.int64(mind.scratch[node + BUILT])
    for i in range(np.int64(s[TARGETS])):
        target = TARGET + TARGET_SIZE * i
        if s[target + NET] <= best:
            break  # the best come first
        if (built >> i) & 1:
            continue
        missing = -s[node + ANY]
        for good in range(GOODS):
            missing += max(s[target + COST + good] - s[node + good], 0.0)
        best = max(best, s[target + NET] - mind.weights[P.MISSING] * max(missing, 0.0))
    return best


# --- A play ----------------------------------------------------------------------------------------------------------


@njit
def play(public, cards, mind, depth, character):
    """Play a card into the next node; returns the points that it gives at once, and what a building is worth."""
    s = mind.scratch
    node = NODE + NODE_SIZE * (depth + 1)
    if cards.effect[character] == Effect.COPY_PREVIOUS:
        copied = np.int64(s[node + PREVIOUS])
        if cards.chain == 0:
            s[node + PREVIOUS] = NOTHING
        return carry_out(public, cards, mind, depth, copied) if copied >= 0 else 0.0
    s[node + PREVIOUS] = character if cards.copyable[character] == 1 else NOTHING
    return carry_out(public, cards, mind, depth, character)


@njit
def carry_out(public, cards, mind, depth, character):
    """The effect of a card, in the next node."""
    s, seat = mind.scratch, np.int64(public.active)
    if public.blanked[seat] & bit(character) != NONE:
        return 0.0
    node = NODE + NODE_SIZE * (depth + 1)
    effect, amount = cards.effect[character], cards.amount[character]
    if effect == Effect.BUILD:
        return build_best(cards, mind, depth, character)
    if effect == Effect.JEAN:
        s[node + ANY] += 1.0
        reaches = public.jean + 1 == cards.spaces
        return s[MODES] - 0.1 + (s[ENDS] if reaches else 0.0)
    if effect == Effect.GAIN_CHOICE:
        s[node + ANY] += amount
        return 0.0
    if effect == Effect.MENDICANT or effect == Effect.HOST or effect == Effect.TAX_COLLECTOR:
        return collect(public, cards, mind, node, seat, character)
    if effect == Effect.NUN or effect == Effect.GAIN_ICONS_CHOICE:
        return take_best(public, cards, mind, node, seat, character)
    if effect == Effect.TRADER:
        return exchange_one(cards, mind, node, character)
    if effect == Effect.MERCHANT or effect == Effect.PAY_FOR_POINTS:
        return exchange(cards, mind, node, character)
    if effect == Effect.PAY_CHOICE_FOR_POINTS:
        return exchange_one(cards, mind, node, character)
    if effect == Effect.POINTS_FIXED:
        return scored(cards, mind, node, np.float64(cards.points[character]))
    if is_count(effect):
        number = rules.counted(public, seat, effect)
        return scored(cards, mind, node, np.float64(cards.points[character] * number))
    good = cards.good[character]
    s[node + good] += min(rules.gain_of(public, cards, seat, character), public.supply[good])
    return 0.0


@njit
def is_sure(public, cards, character):
    """Effects that only give, so that they are always used; not where points may trigger the final phase."""
    effect = cards.effect[character]
    if effect == Effect.MERCHANT or effect == Effect.PAY_FOR_POINTS:
        return False
    points = np.int64(0)
    if effect == Effect.POINTS_FIXED:
        points = cards.points[character]
    elif is_count(effect):
        points = cards.points[character] * rules.counted(public, np.int64(public.active), effect)
    return public.triggered >= 0 or public.points[public.active] + points < cards.trigger_points


@njit
def scored(cards, mind, node, points):
    """Points from play, and what the final phase is worth if they trigger it."""
    s = mind.scratch
    before = s[node + POINTS]
    s[node + POINTS] = before + points
    if before < cards.trigger_points and before + points >= cards.trigger_points:
        points += s[ENDS]
        return max(points, 0.0)  # the effect can be declined
    return points


@njit
def collect(public, cards, mind, node, seat, character):
    """What the others give, and the extra for two players."""
    s = mind.scratch
    effect, amount = cards.effect[character], cards.amount[character]
    number = 0
    for other in range(cards.seats):
        if other == seat:
            continue
        goods = public.goods[other]
        if effect == Effect.MENDICANT:
            number += np.int64(goods[0] + goods[1] + goods[2] + goods[3] >= cards.holding[0])
        elif effect == Effect.HOST:
            number += np.int64(goods[cards.good[character]] >= cards.holding[1])
        else:
            for good in range(1, GOODS):
                gives = np.int64(goods[good] >= cards.holding[2])
                number += gives
                s[node + good] += amount * gives
    taken = 0.0
    if effect == Effect.HOST:
        s[node + cards.good[character]] += amount * (number + np.int64(cards.seats == 2))
    else:
        taken = amount * (number if effect == Effect.MENDICANT else 0)
        s[node + ANY] += taken + amount * np.int64(cards.seats == 2)
    return mind.weights[P.GIFT] * amount * number * s[LOW]


@njit
def take_best(public, cards, mind, node, seat, character):
    """NUN and GAIN_ICONS_CHOICE: the good that adds most."""
    s = mind.scratch
    is_nun = cards.effect[character] == Effect.NUN
    best, most, number = 0, 0.0, 0.0
    for good in range(GOODS):
        taken = cards.amount[character] if is_nun else public.icons[seat, good]
        taken = min(taken, public.supply[good])
        held = s[node + good]
        points = worth_of_goods(mind, good, held + taken) - worth_of_goods(mind, good, held)
        if points > most:
            best, most, number = good, points, np.float64(taken)
    s[node + best] += number
    return -mind.weights[P.GIFT] * cards.nun_others * s[PRICE + best] if is_nun and most > 0.0 else 0.0


@njit
def exchange_one(cards, mind, node, character):
    """TRADER and PAY_CHOICE_FOR_POINTS: the material that is missed least, where that is worth it."""
    s = mind.scratch
    is_trader = cards.effect[character] == Effect.TRADER
    number = cards.trader_pays if is_trader else cards.amount[character]
    least, loss = 0, 1e18
    for good in range(1, GOODS):
        held = s[node + good]
        if held >= number:
            missed = worth_of_goods(mind, good, held) - worth_of_goods(mind, good, held - number)
            if missed < loss:
                least, loss = good, missed
    if least == 0:
        return 0.0
    if is_trader:
        gold = cards.good[character]
        held = s[node + gold]
        if worth_of_goods(mind, gold, held + cards.amount[character]) - worth_of_goods(mind, gold, held) < loss:
            return 0.0
        s[node + gold] += cards.amount[character]
        s[node + least] -= number
        return 0.0
    points = np.float64(cards.points[character])
    if points < loss:
        return 0.0
    s[node + least] -= number
    return scored(cards, mind, node, points)


@njit
def exchange(cards, mind, node, character):
    """MERCHANT and PAY_FOR_POINTS: where the printed price can be paid and is worth it."""
    s = mind.scratch
    takes = cards.amount[character] if cards.effect[character] == Effect.MERCHANT else np.int64(0)
    points = np.float64(cards.points[character])
    change, lacking = 0.0, 0.0
    for good in range(GOODS):
        held, price = s[node + good], np.float64(cards.pay[character, good])
        lacking += max(price - held, 0.0)
        after = max(held - price, 0.0) + (takes if good != GOLD else 0)
        change += worth_of_goods(mind, good, after) - worth_of_goods(mind, good, held)
    if lacking > s[node + ANY] or points + change - lacking * s[PRICE] < 0.0:
        return 0.0
    s[node + ANY] -= lacking
    for good in range(GOODS):
        s[node + good] = max(s[node + good] - cards.pay[character, good], 0.0) + (takes if good != GOLD else 0)
    return scored(cards, mind, node, points) if points > 0.0 else 0.0


# --- Building --------------------------------------------------------------------------------------------------------


@njit
def build_best(cards, mind, depth, character):
    """Build or upgrade the best target that the next node can pay for."""
    s = mind.scratch
    node = NODE + NODE_SIZE * (depth + 1)
    chosen, best = -1, 0.0
    for i in range(np.int64(s[TARGETS])):
        target = TARGET + TARGET_SIZE * i
        if (np.int64(s[node + BUILT]) >> i) & 1 or (s[target + COMES] >= 0 and s[node + HOUSES] < 1):
            continue
        if not can_pay(cards, mind, node, target, character):
            continue
        net = s[target + WORTH_OF]
        for good in range(GOODS):
            net -= max(s[target + COST + good] - cards.discount[character, good], 0.0) * s[PRICE + good]
        if chosen < 0 or net > best:
            chosen, best = i, net
    return build(cards, mind, depth, character, chosen) if chosen >= 0 else 0.0


@njit
def build(cards, mind, depth, character, chosen):
    """Pay for a target in the next node; returns what it is worth, the final phase included if it triggers that."""
    s = mind.scratch
    node, target = NODE + NODE_SIZE * (depth + 1), TARGET + TARGET_SIZE * chosen
    pay(cards, mind, node, target, character)
    s[node + BUILT] += np.float64(np.int64(1) << chosen)
    points = s[target + WORTH_OF]
    if s[target + COMES] >= 0:
        s[CARD + MOST_ITEMS + depth] = s[target + COMES]
        s[node + HOUSES] -= 1.0
        if s[node + HOUSES] == 0.0:
            points += s[ENDS]
    return points


@njit
def can_pay(cards, mind, node, target, character):
    """VT-7.13, with goods of choice."""
    s = mind.scratch
    missing, spare = -s[node + ANY], 0.0
    for good in range(GOODS):
        over = s[node + good] - max(s[target + COST + good] - cards.discount[character, good], 0.0)
        missing -= min(over, 0.0)
        spare += max(over, 0.0) * np.float64((cards.filling >> np.uint64(good)) & np.uint64(1))
    return missing <= 0.0 or cards.rate * missing <= spare


@njit
def pay(cards, mind, node, target, character):
    """Pay for a target; substituted items take from all spare goods alike."""
    s = mind.scratch
    missing, spare = 0.0, 0.0
    for good in range(GOODS):
        over = s[node + good] - max(s[target + COST + good] - cards.discount[character, good], 0.0)
        missing -= min(over, 0.0)
        s[node + good] = max(over, 0.0)
        spare += max(over, 0.0)
    chosen = min(missing, s[node + ANY])
    s[node + ANY] -= chosen
    missing -= chosen
    if missing > 0.0:
        left = max(1.0 - cards.rate * missing / max(spare, 1e-9), 0.0)
        for good in range(GOODS):
            s[node + good] *= left
