"""Lisboa: what things are worth to a seat, for the expert. All worths are in wigs.

A wig at the end is a wig. What can be spent (money, influence, goods) is worth what it pays at the end, and beyond that
what it helps to do in the turns that are left, the first units more than the next ones. Everything is read from the
card set: a thing is known by its effect and its amount. L-... are ids of the rules page.
"""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit, lowest
from simcore.games.lisboa.rules.denials import printed_card, printed_ship, printed_tile
from simcore.games.lisboa.rules.noble_actions import treasury_value
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE
from simcore.games.lisboa.rules.portfolio import portfolio_capacity
from simcore.games.lisboa.rules.scoring import metric
from simcore.games.lisboa.seen import decree_step, turns_left
from simcore.games.lisboa.state import (
    CUBES,
    GOODS,
    NOBLES,
    NOTHING,
    SHIP,
    SLOTS,
    WORDS,
    Metric,
    Power,
)


class P(IntEnum):
    """Parameters, in wigs unless it says otherwise. LATER is the part of a long game that is left, 0..1 (`LATER`)."""

    HORIZON = 0  # turns: with so many left LATER is a half
    # What can be spent.
    REAL = 1  # a real beyond what it pays at the end, times LATER
    WANT_REAIS = 2  # reais: with so many the next one is worth half as much
    POINT = 3  # the same for influence
    WANT_POINTS = 4
    GOOD = 5  # and for a good of each type
    WANT_GOODS = 6
    SALE = 7  # the part of its price that a good is worth
    # Rubble.
    PERIOD = 8  # the part of the wigs for a set at the end of the first period that is expected
    CAPACITY = 9  # the room that a set gives, times LATER
    MARKER = 10  # a set marker that is not spent, times LATER
    CUBE = 11  # the part of a set that the kinds lacking for it count, all together
    SPARE = 12  # the part of a set that a further cube counts, times LATER
    # Officials, plans, favors, influence.
    OFFICIAL = 13  # an official in an office, times LATER
    WANT_OFFICIALS = 14  # officials: with so many, and those that own plans require, the next one is worth half
    DETER = 15  # an official where a rival visits, times LATER
    PLAN = 16  # a plan held, times LATER
    REQUIRED = 17  # each official that it requires, times LATER
    FAVOR = 18  # a favor in hand beyond the end, times LATER
    ICON = 19  # an influence number in the portfolio, times turns left
    SLOT = 20  # taking a free slot, times LATER
    # Lasting effects: how often in a turn things happen that they help with.
    STORES = 21
    BUILDINGS = 22
    EVENTS = 23
    VISITS = 24
    SALES = 25  # goods sold
    RECRUITS = 26
    SHIPS = 27
    GAINS = 28  # times that influence is gained
    PRODUCES = 29
    DECREES = 30
    # Final scoring.
    DECREE = 31  # the part of a decree's promise that counts
    GROWTH = 32  # how fast metrics grow, as a part of what is set down in GROWTH
    HELD = 33  # the part of what decrees held add that counts
    MAJORITY = 34  # the part of a store majority that counts
    OFFICIALS = 35  # the part of the officials majority that counts
    PROSPECT = 36  # a free site beside a store, times the value of its column and LATER
    CUSTOMER = 37  # a free block that a public building would serve, likewise
    RIVAL = 38  # wigs of the others, each of them
    TILE = 39  # the part of the wigs on the back of a tile
    SURRENDER = 40  # the same when it is surrendered
    TREASURY = 41  # a step of the Treasury up
    # What a plan likes or dislikes.
    LIKE_STORE = 42
    LIKE_BUILDING = 43
    LIKE_DECREE = 44
    LIKE_SHIP = 45
    LIKE_SALE = 46  # a good sold
    LIKE_TILE = 47
    LIKE_FAVOR = 48
    LIKE_FOLLOW = 49
    LIKE_EVENT = 50
    LIKE_TUCK = 51
    LIKE_SET = 52
    # The hand.
    VARIETY = 53  # a card of a kind that the hand lacks
    POTENTIAL = 54  # the part of what a card gives if played now
    FRESH = 55  # a new card of the second period
    KEEP = 56  # the part of what a card gives that is lost when it is played


# Places in mind.scratch.
LEFT = 0  # turns left
LATER = 1
VALUE = 2  # of the Treasury
SET = 3  # the next set
ROOM = 4  # the loss for a card that comes to the top half of the portfolio; ROOM + 1: to the bottom half
METRIC = 8  # by metric: what one more brings through the decrees held
ACTION = 40  # by State action: what it is worth, NEVER where it cannot be performed
NOBLE = 48  # by noble: what the Noble action is worth, likewise
SELL = 52  # the best sale, NEVER likewise
TRADE = 53  # the best trade
PROMISE = 56  # by position: what a decree of the display is worth
STOCK = 68  # by good: what is left in a sale or trade under consideration
SPACE = 72  # by dock, from the own ones on: its free space
SPARES = 88  # room for a choice of some

NEVER = -1e9
METRICS = len(Metric)


@njit
def look(public, cards, mind, seat):
    """Fill LEFT to METRIC, for a seat."""
    s, w = mind.scratch, mind.weights
    left = turns_left(public, cards)
    s[LEFT] = left
    s[LATER] = left / (left + max(w[P.HORIZON], 0.1))
    s[VALUE] = treasury_value(public, cards)
    look_at_decrees_held(public, cards, mind, seat)
    s[SET] = cards.wigs_per_set + s[METRIC + np.int64(Metric.RUBBLE_SETS)] + w[P.CAPACITY] * s[LATER] + w[P.LIKE_SET]
    if public.sets[seat] < cards.set_markers:
        s[SET] += w[P.MARKER] * s[LATER]
    if public.period == 0:
        s[SET] += w[P.PERIOD] * cards.period_wigs_per_set
    look_at_room(public, cards, mind, seat)


@njit
def look_at_decrees_held(public, cards, mind, seat):
    """METRIC."""
    s = mind.scratch
    for which in range(METRICS):
        s[METRIC + which] = 0.0
    for word in range(WORDS):
        decrees = public.decrees[seat, word]
        while decrees != NONE:
            kind = cards.decree_kind[64 * word + lowest(decrees)]
            decrees &= decrees - ONE
            which = cards.metric[kind]
            step = decree_step(public, cards, seat, kind, metric(public, cards, seat, which))
            s[METRIC + which] += mind.weights[P.HELD] * step


# --- What can be spent -----------------------------------------------------------------------------------------------


@njit
def growing_less(number, price, want):
    """So many of a thing of which the first is worth `price`, and with `want` of them the next one half as much."""
    return price * want * number / (abs(want) + number + 1e-9)


@njit
def reais_worth(cards, mind, reais):
    """L-17.4, and what they pay before."""
    s, w = mind.scratch, mind.weights
    return reais / cards.reais_per_wig + growing_less(reais, w[P.REAL] * s[LATER], w[P.WANT_REAIS])


@njit
def influence_worth(cards, mind, points):
    """The coins below it at the end, and visits before."""
    s, w = mind.scratch, mind.weights
    worth = growing_less(points, w[P.POINT] * s[LATER], w[P.WANT_POINTS])
    if cards.count_coins == 1:
        worth += cards.coins[points] / cards.reais_per_wig
    return worth


@njit
def reais_gain(public, cards, mind, seat, amount):
    """So many reais come, or with a minus sign go."""
    s, reais = mind.scratch, public.reais[seat]
    gained = reais_worth(cards, mind, max(reais + amount, 0)) - reais_worth(cards, mind, reais)
    return gained + amount * s[METRIC + np.int64(Metric.REAIS)] * (1.0 - s[LATER])


@njit
def influence_gain(public, cards, mind, seat, points):
    """L-6.1, L-6.3: one gain event."""
    if points <= 0:
        return 0.0
    s, now = mind.scratch, public.influence[seat]
    space = min(now + points, cards.influence_max)
    gained = influence_worth(cards, mind, space) - influence_worth(cards, mind, now)
    return gained + cards.space_wigs[space] + (space - now) * s[METRIC + np.int64(Metric.INFLUENCE)] * (1.0 - s[LATER])


@njit
def payment_loss(public, cards, mind, seat, cost):
    """L-6.6: reais first, and what is missing from influence."""
    reais, now = public.reais[seat], public.influence[seat]
    paid = min(cost, reais)
    loss = -reais_gain(public, cards, mind, seat, -paid)
    missing = min(cost - paid, cards.coins[now])
    if missing > 0:
        loss += influence_worth(cards, mind, now) - influence_worth(cards, mind, cards.space_after[now, missing])
    return loss


@njit
def goods_worth(public, cards, mind, seat, good, held):
    """So many of a good: what they fetch, and what they do for trades and ships."""
    s, w = mind.scratch, mind.weights
    soon = s[LEFT] / (s[LEFT] + 0.5)
    price = cards.price[public.price[good]] + public.power[seat, Power.SALE_BONUS + good]
    sale = w[P.SALE] * soon * price * (1.0 / cards.reais_per_wig + 0.5 * w[P.REAL] * s[LATER])
    worth = sale * held + growing_less(held, w[P.GOOD] * s[LATER], w[P.WANT_GOODS])
    return worth + held * s[METRIC + np.int64(Metric.GOODS_TOTAL)] * (1.0 - s[LATER])


@njit
def good_gain(public, cards, mind, seat, good, amount):
    """So many of a good come, as far as there are room and stock, or with a minus sign go."""
    held = public.goods[seat, good]
    if amount > 0:
        room = cards.warehouse_base + public.sets[seat] + public.power[seat, Power.WAREHOUSE_BONUS]
        amount = max(min(amount, min(room - held, public.bank[good])), 0)
    after = max(held + amount, 0)
    return goods_worth(public, cards, mind, seat, good, after) - goods_worth(public, cards, mind, seat, good, held)


@njit
def best_good_gain(public, cards, mind, seat):
    """A good of choice."""
    best = 0.0
    for good in range(GOODS):
        best = max(best, good_gain(public, cards, mind, seat, good, SINGLE))
    return best


@njit
def least_good(public, cards, mind, seat, goods):
    """Of a set of goods held the one that is missed least; NOTHING for none."""
    chosen, least = np.int64(NOTHING), 0.0
    for good in range(GOODS):
        if goods & bit(good) != NONE:
            loss = -good_gain(public, cards, mind, seat, good, MINUS)
            if chosen < 0 or loss < least:
                chosen, least = np.int64(good), loss
    return chosen


# --- Rubble ----------------------------------------------------------------------------------------------------------


@njit
def cubes_gain(public, cards, mind, seat, a, b, c):
    """L-5.5, L-5.6: so many cubes of the three kinds; of those that have no place nothing remains."""
    cubes, most = public.cubes[seat], cards.most_cubes
    a, b, c = min(cubes[0] + a, most[0]), min(cubes[1] + b, most[1]), min(cubes[2] + c, most[2])
    more = a + b + c - cubes[0] - cubes[1] - cubes[2]
    counted = more * mind.scratch[METRIC + np.int64(Metric.RUBBLE_CUBES)]
    return rubble_worth(cards, mind, a, b, c) - rubble_worth(cards, mind, cubes[0], cubes[1], cubes[2]) + counted


@njit
def rubble_worth(cards, mind, a, b, c):
    """Cubes of the three kinds: full sets, kinds of the next one, and the others."""
    s, w = mind.scratch, mind.weights
    sets = min(a, min(b, c))
    kinds = np.int64(a > sets) + np.int64(b > sets) + np.int64(c > sets)
    spare = a + b + c - CUBES * sets - kinds
    part = w[P.CUBE] * kinds / CUBES + w[P.SPARE] * s[LATER] * spare
    return s[SET] * (sets + part)


@njit
def cube_gain(public, cards, mind, seat, kind):
    """One cube."""
    return cubes_gain(public, cards, mind, seat, np.int64(kind == 0), np.int64(kind == 1), np.int64(kind == 2))


# --- Officials and plans ---------------------------------------------------------------------------------------------


@njit
def officials_worth(public, cards, mind, seat, number):
    """So many officials in the offices and the courtyard: each saves the hire of one."""
    s, w = mind.scratch, mind.weights
    want = w[P.WANT_OFFICIALS]
    for i in range(public.plans[seat]):
        want += cards.plan_officials[public.plan[seat, i]]
    return growing_less(number, (w[P.OFFICIAL] + s[VALUE] / cards.reais_per_wig) * s[LATER], want)


@njit
def own_officials(public, seat):
    """Those in the offices and the courtyard."""
    number = public.courtyard[seat]
    for noble in range(NOBLES):
        number += public.office[noble, seat]
    return number


@njit
def official_gain(public, cards, mind, seat, more):
    """So many more in offices."""
    now = own_officials(public, seat)
    gained = officials_worth(public, cards, mind, seat, now + more) - officials_worth(public, cards, mind, seat, now)
    return gained + more * mind.scratch[METRIC + np.int64(Metric.OFFICIALS_IN_OFFICES)]


@njit
def plan_worth(cards, mind, plan, rank):
    """A plan held, so many others being there: it is completed later, or never."""
    s, w = mind.scratch, mind.weights
    worth = (w[P.PLAN] + w[P.REQUIRED] * cards.plan_officials[plan]) * s[LATER]
    return worth / (1.0 + rank) + s[METRIC + np.int64(Metric.PLANS_HELD)]


# --- Lasting effects -------------------------------------------------------------------------------------------------


@njit
def lasting_worth(public, cards, mind, seat, lasting):
    """A lasting effect, for the turns that are left."""
    total = 0.0
    for place in range(lasting.first, lasting.last):
        total += power_worth(public, cards, mind, seat, place)
    return total * lasting.amount * mind.scratch[LEFT]


@njit
def power_worth(public, cards, mind, seat, place):
    """One more at a place of `Public.power`, a turn."""
    s, w = mind.scratch, mind.weights
    real = 1.0 / cards.reais_per_wig + 0.5 * w[P.REAL] * s[LATER]
    point = 0.5 * w[P.POINT] * s[LATER] + 0.1
    good = 0.5 * w[P.GOOD] * s[LATER] + 0.2
    if place == Power.LAND_DISCOUNT or place == Power.RUBBLE_DISCOUNT:
        return real * w[P.STORES]
    if place == Power.SPONSOR_DISCOUNT:
        return real * w[P.EVENTS]
    if place == Power.SUBSIDY_BONUS:
        return real * w[P.EVENTS]
    if place >= Power.SALE_BONUS and place < Power.SALE_FLAT:
        return real * w[P.SALES] / GOODS
    if place == Power.SALE_FLAT:
        return real * w[P.SALES] / 3.0
    if place == Power.WAREHOUSE_BONUS:
        return good * w[P.PRODUCES]
    if place >= Power.VISIT_DISCOUNT and place < Power.IGNORE_RIVAL_OFFICIALS:
        return point * w[P.VISITS] / NOBLES
    if place == Power.IGNORE_RIVAL_OFFICIALS:
        return point * w[P.VISITS] * rival_officials(public, cards, seat) / NOBLES
    if place == Power.VISIT_REAIS:
        return max(point - real, 0.0) * w[P.VISITS] * 0.5
    if place == Power.OFFICIALS_DISCOUNT:
        return (w[P.OFFICIAL] + s[VALUE] * real) * w[P.BUILDINGS]
    if place == Power.RECRUIT_BONUS:
        return (w[P.OFFICIAL] + 0.2) * w[P.RECRUITS]
    if place == Power.SHIP_GOODS_DISCOUNT:
        return good * w[P.SHIPS]
    if place == Power.PRODUCE_BONUS:
        return good * w[P.PRODUCES]
    if place == Power.PRICE_HOLD or place == Power.TRADE_WILD or place == Power.CARDINAL_EXTRA_STEP:
        return 0.5 * good * w[P.PRODUCES]
    if place == Power.INFLUENCE_BONUS:
        return point * w[P.GAINS]
    if place == Power.STORE_WIGS:
        return w[P.STORES]
    if place == Power.SAIL_WIGS:
        return w[P.SHIPS]
    return w[P.DECREES]  # DECREE_BONUS


@njit
def rival_officials(public, cards, seat):
    """Officials of the others in all offices."""
    number = np.int64(0)
    for noble in range(NOBLES):
        for rival in range(cards.seats):
            number += public.office[noble, rival]
        number -= public.office[noble, seat]
    return number


# --- Clergy tiles ----------------------------------------------------------------------------------------------------


@njit
def tile_worth(public, cards, mind, seat, tile):
    """A Clergy tile held: its effect, and what it brings when it is surrendered."""
    s, w = mind.scratch, mind.weights
    row = printed_tile(public, cards, seat, tile)
    worth = lasting_worth(public, cards, mind, seat, cards.clergy_power[row])
    chance = s[LEFT] / (s[LEFT] + 1.0)
    return worth + w[P.TILE] * chance * cards.back_wigs[row] + s[METRIC + np.int64(Metric.CLERGY_TILES)]


@njit
def least_tile(public, cards, mind, seat):
    """The tile held that is worth least; NOTHING without tiles."""
    chosen, least = np.int64(NOTHING), 0.0
    for i in range(public.tiles_held[seat]):
        worth = tile_worth(public, cards, mind, seat, public.clergy[seat, i])
        if chosen < 0 or worth < least:
            chosen, least = np.int64(i), worth
    return chosen


# --- The portfolio ---------------------------------------------------------------------------------------------------


@njit
def top_worth(public, cards, mind, seat, card):
    """A noble card or a ship in a top slot."""
    s, w = mind.scratch, mind.weights
    if card < SHIP:
        metric = np.int64(Metric.BUILDER_CARDS_IN_PORTFOLIO) + cards.kind[card]
        return w[P.ICON] * s[LEFT] * cards.influence[printed_card(public, seat, card)] + s[METRIC + metric]
    row = printed_ship(public, seat, card - SHIP)
    hull = cards.hull[row]
    worth = cards.wigs_per_hull * hull + hull * s[METRIC + np.int64(Metric.SHIP_HULL_TOTAL)]
    worth += s[METRIC + np.int64(Metric.SHIPS_IN_PORTFOLIO)] + w[P.ICON] * s[LEFT] * cards.ship_influence[row]
    return worth + w[P.SHIPS] * s[LEFT] * hull


@njit
def bottom_worth(public, cards, mind, seat, card):
    """A treasury card in a bottom slot."""
    metric = mind.scratch[METRIC + np.int64(Metric.TREASURY_CARDS_IN_PORTFOLIO)]
    return lasting_worth(public, cards, mind, seat, cards.lasting[printed_card(public, seat, card)]) + metric


@njit
def spot_worth(public, cards, mind, seat, spot):
    """What lies in a slot, as PORTFOLIO_DISCARD counts them."""
    if spot < SLOTS:
        return top_worth(public, cards, mind, seat, public.top[seat, spot])
    return bottom_worth(public, cards, mind, seat, public.bottom[seat, spot - SLOTS])


@njit
def look_at_room(public, cards, mind, seat):
    """ROOM: what is lost for a card that comes to the top half, or the bottom half (L-5.3)."""
    s = mind.scratch
    top, bottom = 1e9, 1e9  # the least that lies in a half
    tops, bottoms = 0, 0
    for slot in range(SLOTS):
        if public.top[seat, slot] != NOTHING:
            tops += 1
            top = min(top, top_worth(public, cards, mind, seat, public.top[seat, slot]))
        if public.bottom[seat, slot] != NOTHING:
            bottoms += 1
            bottom = min(bottom, bottom_worth(public, cards, mind, seat, public.bottom[seat, slot]))
    room = mind.weights[P.SLOT] * s[LATER]
    if public.tucked[seat] >= portfolio_capacity(public, cards, seat):
        room = min(top, bottom)
    s[ROOM] = top if tops >= cards.top_slots else room
    s[ROOM + 1] = bottom if bottoms >= cards.bottom_slots else room
