"""Lisboa: what an action and a position mean, in numbers that a bot can weigh.

"Own" is of the one to decide. WAY is the part of a game that is left (`way_left`). Features that stand for the same
thing in several decisions are shared: what is gained counts up, what is given up counts down. Of what an action brings
about only later, as the store of a visit, the best choice counts. All amounts and effects are those of the card set.
L-... are ids of rules.md.
"""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, ONE, bit, lowest, popcount
from simcore.games.lisboa.rules.denials import BLANK_SHIP, open_blocks, printed_card, printed_ship, printed_tile
from simcore.games.lisboa.rules.goods import gainable, held, own_types
from simcore.games.lisboa.rules.influence import influence_gained, money
from simcore.games.lisboa.rules.market import sellable
from simcore.games.lisboa.rules.noble_actions import (
    least_cost,
    officials_missing,
    own_officials,
    pairs_of,
    plan_money,
    treasury_value,
)
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE, TOP
from simcore.games.lisboa.rules.portfolio import portfolio_capacity
from simcore.games.lisboa.rules.scoring import final_wigs
from simcore.games.lisboa.rules.state_actions import can_act, next_ship, ship_cost
from simcore.games.lisboa.rules.visits import follow_cost, sponsor_cost, visit_cost
from simcore.games.lisboa.seen import (
    building_customers,
    customers,
    decree_gain,
    decree_promise,
    officials_majority,
    sites_beside,
    store_majority,
    turns_left,
)
from simcore.games.lisboa.state import (
    ACTION_STOP,
    ALL,
    ANY,
    ARCHITECTS,
    BUILDER,
    COLUMNS,
    COURTYARD,
    CUBES,
    DECLINE,
    DECREE_DISPLAY,
    GOLD,
    GOODS,
    LIST_STOP,
    MARQUIS,
    NOBLE_ACTION,
    NOBLES,
    NOTHING,
    OFFICE_STOP,
    PLAY_GOLD,
    PLAY_PORTFOLIO,
    PUBLIC,
    SELL_STOP,
    SELLING,
    SHIP,
    SLOTS,
    SPEND,
    STATIONS,
    STORE_TYPE,
    TRADE_STOP,
    TREASURY,
    WORDS,
    Bottom,
    Decision,
    Effect,
    Metric,
    Power,
    StateAction,
    Symbol,
)

FULL_WAY = 12.0  # turns left at which WAY is 1
CARD_MODES = 3  # of MAIN


class F(IntEnum):
    """The features of an action. Those of another kind of decision are 0."""

    # What comes, or with a minus sign goes.
    WIGS = 0  # at once
    FINAL = 1  # what the final scoring as it stands grows by; of a decree's next unit or threshold, the part
    REAIS = 2
    REAIS_LATER = 3  # WAY times as much
    INFLUENCE = 4
    INFLUENCE_LATER = 5  # likewise
    GOODS = 6
    GOODS_LATER = 7
    PRICES = 8  # the prices of these goods
    CUBES = 9
    NEEDED = 10  # cubes of a kind that lacks for the next set
    SETS = 11  # sets completed
    OFFICIALS = 12  # officials in offices and courtyard, times WAY
    PLANS = 13  # plans held, times WAY
    REQUIRED = 14  # officials that these require, times WAY
    ICONS = 15  # influence numbers in the portfolio, times WAY
    HULLS = 16  # hulls there, times WAY
    BUILD_POWER = 17  # lasting effects for stores, officials and events, times WAY
    VISIT_POWER = 18  # for visits
    SALE_POWER = 19  # for sales
    OTHER_POWER = 20  # others
    TILES = 21  # wigs on the back of Clergy tiles, times WAY
    FAVORS = 22  # favors, times WAY
    DECREES = 23  # the most that decrees taken can give, times WAY
    TREASURY = 24  # steps of the Treasury up
    RIVALS = 25  # wigs that the others gain at once
    STORES = 26  # stores built, times WAY
    PROSPECTS = 27  # for a store: the value of its column times the free sites beside it, times WAY
    # State actions, by what they bring where it is not told above: 1 for each.
    RECRUIT = 28
    PLAN = 29
    SHIP = 30
    PRODUCE = 31
    CARDINAL = 32
    FAVOR = 33
    SCORING = 34  # own tiles, where the Cardinal brings about a Church Scoring
    # Cards: 1 for each, and the wigs of the best choice that follows.
    GOLD = 35
    TUCK = 36
    FULL = 37  # for a card or ship that comes into a full portfolio
    SALES = 38  # for a card into the portfolio: the reais that one of each good held fetches, if any can be sold
    TRADES = 39  # for a card into the portfolio: State actions that a good held pays for, at most those of a trade
    BUILDER = 40  # for a Noble action
    MARQUIS = 41
    KING = 42
    STORE_WIGS = 43  # the most wigs of a store (`store_wigs`)
    DECREE_WIGS = 44  # the most wigs of a decree
    BUILDING_WIGS = 45  # the most wigs of a public building
    EVENT = 46
    FOLLOW = 47
    STOP = 48  # for stopping, declining, keeping
    SELL = 49
    TRADE = 50
    SAME = 51  # for a card drawn: cards of its kind in the hand
    CARD_KIND = 52  # for a treasury card drawn
    DISCARD = 53  # for a card of the hand discarded at the end of the first period
    SAIL = 54  # for a good: 1 where a ship of the own sails with it
    DETERS = 55  # for an official in an office: WAY times officials of the others there


class V(IntEnum):
    """The features of a position, to a seat. Those of the others are means."""

    LEAD = 0  # own wigs, the final scoring as it stands included, less the mean of the others'
    BEHIND_BEST = 1  # the most that another has, less the own
    LEFT = 2  # WAY
    PERIOD = 3  # 1 in the second period
    REAIS = 4
    THEIR_REAIS = 5
    INFLUENCE = 6
    THEIR_INFLUENCE = 7
    GOODS = 8
    THEIR_GOODS = 9
    CUBES = 10
    THEIR_CUBES = 11
    SETS = 12
    THEIR_SETS = 13
    OFFICIALS = 14  # in offices and courtyard
    THEIR_OFFICIALS = 15
    PLANS = 16
    THEIR_PLANS = 17
    ICONS = 18
    THEIR_ICONS = 19
    STORES = 20
    THEIR_STORES = 21
    TILES = 22
    THEIR_TILES = 23
    FAVORS = 24
    THEIR_FAVORS = 25
    MARKERS = 26
    THEIR_MARKERS = 27
    DECREES = 28  # decrees held
    THEIR_DECREES = 29


FEATURES = tuple(feature.name.lower() for feature in F)
VALUE_FEATURES = tuple(feature.name.lower() for feature in V)


@njit
def way_left(public, cards):
    """The part of a game that is left: 1 with FULL_WAY turns of each seat or more, 0 in the last turn."""
    return min(turns_left(public, cards) / FULL_WAY, 1.0)


@njit
def features(public, me, cards, action, mind):
    """The features F of one of the own actions, into mind.features; the rest of it is 0."""
    f, seat = mind.features, np.int64(public.actor)
    for i in range(f.shape[0]):
        f[i] = 0.0
    decision, item = action >> 6, action & 63
    if decision == Decision.MAIN:
        main_features(public, me, cards, seat, item, f)
    elif is_stop(decision, item):
        f[F.STOP] = 1.0
    elif decision == Decision.SELL:
        sell_features(public, cards, seat, item, f)
    elif decision == Decision.TRADE:
        change_goods(public, cards, seat, item % GOODS, MINUS, f)
        action_features(public, cards, seat, item // GOODS, f)
    elif decision == Decision.STATE_ACTION_PICK:
        action_features(public, cards, seat, item, f)
    elif decision == Decision.PORTFOLIO_ACTION:
        if item == SELLING:
            f[F.SELL] = 1.0
            sale_features(public, cards, seat, f)
        else:
            f[F.TRADE] = 1.0
            trade_features(public, cards, seat, f)
    elif decision == Decision.PORTFOLIO_DISCARD:
        slot_features(public, cards, seat, item, f)
    elif decision == Decision.DRAW:
        draw_features(public, me, cards, seat, item, f)
    elif decision == Decision.PERIOD_DISCARD:
        discard_features(public, me, cards, seat, item, f)
    elif decision == Decision.FOLLOW:
        follow_features(public, cards, seat, item, f)
    else:
        choice_features(public, cards, seat, decision, item, f)
    finish(public, cards, f)


@njit
def is_stop(decision, item):
    """Stopping, declining, keeping a marker: what stands for nothing further."""
    if decision == Decision.SELL:
        return item == SELL_STOP
    if decision == Decision.TRADE:
        return item == TRADE_STOP
    if decision == Decision.STATE_ACTION_PICK:
        return item == ACTION_STOP
    if decision == Decision.OFFICE:
        return item == OFFICE_STOP
    if decision == Decision.DECREE_MARKER:
        return item != SPEND
    if decision == Decision.FOLLOW:
        return item == DECLINE
    return (decision == Decision.SURRENDER or decision == Decision.PERIOD_DISCARD) and item == LIST_STOP


@njit
def finish(public, cards, f):
    """What counts in full and times WAY is added up in one place only; so are things that WAY alone weighs."""
    way = way_left(public, cards)
    f[F.REAIS_LATER] = way * f[F.REAIS]
    f[F.INFLUENCE_LATER] = way * f[F.INFLUENCE]
    f[F.GOODS_LATER] = way * f[F.GOODS]
    for i in range(F.OFFICIALS, F.TREASURY):
        f[i] *= way
    f[F.STORES] *= way
    f[F.PROSPECTS] *= way
    f[F.DETERS] *= way


@njit
def choice_features(public, cards, seat, decision, item, f):
    """The decisions within an action."""
    frame = public.frame[max(public.depth - 1, 0)]
    if decision == Decision.STORE_SITE:
        store_features(public, cards, seat, item, frame.price, f)
    elif decision == Decision.STORE_CUBE:
        cube_features(public, cards, seat, item % CUBES, SINGLE, f)
        f[F.REAIS] += cards.cube_value[item % CUBES]
    elif decision == Decision.PAYMENT:
        f[F.REAIS] += item
        f[F.INFLUENCE] += cards.space_after[public.influence[seat], item] - public.influence[seat]
    elif decision == Decision.VISIT_REAIS:
        f[F.REAIS] -= item
        pay_features(public, seat, public.cost - item, f)
    elif decision == Decision.HOUSE_GROUP:
        lasting_features(cards.house_power[item, public.group[seat, item]], SINGLE, f)
    elif decision == Decision.DECREE_PICK:
        decree_features(public, cards, seat, public.decree[item], f)
    elif decision == Decision.BUILDING_PLAN:
        plan_features(cards, public.plan[seat, item], MINUS, f)
        completion_features(public, cards, seat, public.plan[seat, item], frame.price, f)
    elif decision == Decision.BUILDING_SITE:
        architect = cards.plan_architect[frame.what]
        goods = cards.serves[public.building[architect, 0], architect]
        site_features(public, cards, seat, item, goods, f)
    elif decision == Decision.BUILDING_OFFICIAL:
        official_features(public, cards, seat, item, MINUS, f)
    elif decision == Decision.OFFICE:
        official_features(public, cards, seat, item, SINGLE, f)
    else:
        simple_features(public, cards, seat, decision, item, f)


@njit
def simple_features(public, cards, seat, decision, item, f):
    """Goods, cubes, tiles, favors, plans."""
    if decision == Decision.GOOD_PICK:
        change_goods(public, cards, seat, item, SINGLE, f)
    elif decision == Decision.PAY_GOOD or decision == Decision.SHIP_GOOD:
        change_goods(public, cards, seat, item, MINUS, f)
    elif decision == Decision.RUBBLE_PICK:
        cube_features(public, cards, seat, item, SINGLE, f)
    elif decision == Decision.PRICE_PICK:
        f[F.PRICES] += public.goods[seat, item] + public.stores[seat, item]
    elif decision == Decision.CARDINAL_STEPS:
        steps_features(public, cards, seat, item + 1, f)
    elif decision == Decision.CARDINAL_TILE:
        tile_features(public, cards, seat, public.slot[(public.cardinal + STATIONS - 1 + item) % STATIONS], SINGLE, f)
    elif decision == Decision.CLERGY_KEEP:
        tile_features(public, cards, seat, public.offer[seat, item], SINGLE, f)
    elif decision == Decision.CLERGY_OVERFLOW:
        tile_features(public, cards, seat, public.clergy[seat, item], MINUS, f)
    elif decision == Decision.SURRENDER:
        tile_features(public, cards, seat, public.clergy[seat, item], MINUS, f)
        f[F.WIGS] += cards.back_wigs[printed_tile(public, cards, seat, public.clergy[seat, item])]
        if public.surrendered == 0 or cards.influence_per_tile == 1:
            influence_features(public, cards, seat, influence_gained(public, seat), f)
    elif decision == Decision.FAVOR_NOBLE:
        favor_features(public, cards, seat, item, SINGLE, f)
    elif decision == Decision.ARCHITECT:
        plan = cards.pile[item, cards.pile_size[item] - public.pile[item]]
        plan_features(cards, plan, SINGLE, f)
        f[F.FINAL] += decree_gain(public, cards, seat, np.int64(Metric.PLANS_HELD), SINGLE)
    elif decision == Decision.DECREE_MARKER:
        f[F.DECREE_WIGS] = best_decree(public, cards, seat)


# --- What can be spent, and rubble -----------------------------------------------------------------------------------


@njit
def change_goods(public, cards, seat, good, amount, f):
    """So many of a good come, as far as there are room and stock, or with a minus sign go."""
    if amount > 0:
        room = cards.warehouse_base + public.sets[seat] + public.power[seat, Power.WAREHOUSE_BONUS]
        amount = max(min(amount, min(room - public.goods[seat, good], public.bank[good])), 0)
    f[F.GOODS] += amount
    f[F.PRICES] += amount * cards.price[public.price[good]]


@njit
def influence_features(public, cards, seat, points, f):
    """L-6.1, L-6.3: one gain event."""
    if points > 0:
        space = min(public.influence[seat] + points, cards.influence_max)
        f[F.INFLUENCE] += space - public.influence[seat]
        f[F.WIGS] += cards.space_wigs[space]


@njit
def pay_features(public, seat, cost, f):
    """L-10.3: influence, and wigs for what is missing."""
    points = min(cost, public.influence[seat])
    f[F.INFLUENCE] -= points
    f[F.WIGS] -= cost - points


@njit
def cube_features(public, cards, seat, kind, number, f):
    """L-5.5, L-5.6: so many cubes of a kind, what they do for the next set alone."""
    number = min(number, cards.most_cubes[kind] - public.cubes[seat, kind])
    if number <= 0:
        return
    f[F.CUBES] += number
    f[F.FINAL] += decree_gain(public, cards, seat, np.int64(Metric.RUBBLE_CUBES), number)
    if public.cubes[seat, kind] > public.sets[seat]:
        return
    lacking = np.int64(0)
    for other in range(CUBES):
        lacking += public.cubes[seat, other] == public.sets[seat]
    f[F.NEEDED] += 1
    if lacking == 1:
        f[F.SETS] += 1
        f[F.FINAL] += cards.wigs_per_set + decree_gain(public, cards, seat, np.int64(Metric.RUBBLE_SETS), SINGLE)


# --- Tiles, favors, plans, officials, lasting effects ----------------------------------------------------------------


@njit
def lasting_features(lasting, sign, f):
    """A lasting effect, at all its places."""
    for place in range(lasting.first, lasting.last):
        which = F.OTHER_POWER
        if place <= Power.SPONSOR_DISCOUNT or place == Power.OFFICIALS_DISCOUNT:
            which = F.BUILD_POWER
        elif place <= Power.SUBSIDY_BONUS and place != Power.WAREHOUSE_BONUS:
            which = F.SALE_POWER
        elif (place >= Power.VISIT_DISCOUNT and place <= Power.IGNORE_RIVAL_OFFICIALS) or place == Power.VISIT_REAIS:
            which = F.VISIT_POWER
        f[which] += sign * lasting.amount


@njit
def tile_features(public, cards, seat, tile, sign, f):
    """A Clergy tile."""
    row = printed_tile(public, cards, seat, tile)
    lasting_features(cards.clergy_power[row], sign, f)
    f[F.TILES] += sign * cards.back_wigs[row]
    f[F.FINAL] += decree_gain(public, cards, seat, np.int64(Metric.CLERGY_TILES), sign)


@njit
def favor_features(public, cards, seat, noble, sign, f):
    """A Royal Favor."""
    f[F.FAVORS] += sign
    f[F.FINAL] += sign * cards.favor_wigs[noble] + decree_gain(public, cards, seat, np.int64(Metric.ROYAL_FAVORS), sign)


@njit
def plan_features(cards, plan, sign, f):
    """A plan held."""
    f[F.PLANS] += sign
    f[F.REQUIRED] += sign * cards.plan_officials[plan]


@njit
def official_features(public, cards, seat, place, sign, f):
    """An official in an office or the courtyard."""
    f[F.OFFICIALS] += sign
    metric = Metric.OFFICIALS_IN_COURTYARD if place == COURTYARD else Metric.OFFICIALS_IN_OFFICES
    f[F.FINAL] += decree_gain(public, cards, seat, np.int64(metric), sign)
    if place != COURTYARD:
        for rival in range(cards.seats):
            f[F.DETERS] += sign * public.office[place, rival]
        f[F.DETERS] -= sign * public.office[place, seat]


@njit
def steps_features(public, cards, seat, steps, f):
    """L-9.9: what the Cardinal passes, and the wigs on the better tile."""
    f[F.CARDINAL] = 1.0
    for i in range(1, steps + 1):
        symbol = cards.symbol[(public.cardinal + i) % STATIONS]
        f[F.TREASURY] += symbol == Symbol.CHURCH_TREASURY
        if symbol == Symbol.CHURCH_SCORING:
            f[F.SCORING] = public.tiles_held[seat]
    station = (public.cardinal + steps) % STATIONS
    for side in range(2):
        tile = public.slot[(station + STATIONS - 1 + side) % STATIONS]
        if tile != NOTHING:
            f[F.TILES] = max(f[F.TILES], cards.back_wigs[printed_tile(public, cards, seat, tile)])


# --- State actions ---------------------------------------------------------------------------------------------------


@njit
def action_features(public, cards, seat, action, f):
    """L-9: a State action; what is chosen within it is not told."""
    f[F.RECRUIT + action] = 1.0
    if action == StateAction.RECRUIT:
        most = cards.recruit_officials + public.power[seat, Power.RECRUIT_BONUS]
        f[F.OFFICIALS] += min(most, public.board[seat])
    elif action == StateAction.PLAN:
        f[F.PLANS] += 1
    elif action == StateAction.SHIP:
        ship = next_ship(public, cards)
        f[F.GOODS] -= ship_cost(public, cards, seat)
        card_features(public, cards, seat, SHIP + ship, SINGLE, f)
        f[F.FULL] = is_full(public, cards, seat, TOP)
        f[F.TREASURY] += 1
        gained = influence_gained(public, seat) + cards.ship_influence[printed_ship(public, seat, ship)]
        influence_features(public, cards, seat, gained, f)
    elif action == StateAction.PRODUCE:
        for good in range(GOODS):
            change_goods(public, cards, seat, good, public.stores[seat, good], f)
        if gainable(public, cards, seat) & own_types(public, seat) != NONE:
            f[F.GOODS] += public.power[seat, Power.PRODUCE_BONUS]
    elif action == StateAction.FAVOR:
        f[F.FAVORS] += 1
        f[F.FINAL] += decree_gain(public, cards, seat, np.int64(Metric.ROYAL_FAVORS), SINGLE)


# --- The portfolio ---------------------------------------------------------------------------------------------------


@njit
def card_features(public, cards, seat, card, sign, f):
    """A card or a ship in the portfolio."""
    if card >= SHIP:
        row = printed_ship(public, seat, card - SHIP)
        hull = cards.hull[row]
        f[F.ICONS] += sign * cards.ship_influence[row]
        f[F.HULLS] += sign * hull
        f[F.FINAL] += sign * cards.wigs_per_hull * hull
        f[F.FINAL] += decree_gain(public, cards, seat, np.int64(Metric.SHIP_HULL_TOTAL), sign * hull)
        f[F.FINAL] += decree_gain(public, cards, seat, np.int64(Metric.SHIPS_IN_PORTFOLIO), sign)
        return
    row = printed_card(public, seat, card)
    if cards.kind[card] == TREASURY:
        lasting_features(cards.lasting[row], sign, f)
    f[F.ICONS] += sign * cards.influence[row]
    metric = np.int64(Metric.BUILDER_CARDS_IN_PORTFOLIO) + cards.kind[card]
    f[F.FINAL] += decree_gain(public, cards, seat, metric, sign)


@njit
def is_full(public, cards, seat, is_top):
    """L-5.3: whether something must be discarded."""
    number = np.int64(0)
    for slot in range(SLOTS):
        card = public.top[seat, slot] if is_top else public.bottom[seat, slot]
        number += card != NOTHING
    slots = cards.top_slots if is_top else cards.bottom_slots
    return number >= slots or public.tucked[seat] >= portfolio_capacity(public, cards, seat)


@njit
def slot_features(public, cards, seat, spot, f):
    """PORTFOLIO_DISCARD."""
    card = public.top[seat, spot] if spot < SLOTS else public.bottom[seat, spot - SLOTS]
    card_features(public, cards, seat, card, MINUS, f)


# --- Stores, decrees, public buildings -------------------------------------------------------------------------------


@njit
def store_features(public, cards, seat, pair, value, f):
    """L-11: a pair of block and store; the cost is the least one, the cube is not told."""
    block, good = cards.store_block[pair], cards.store_good[pair]
    f[F.WIGS] += customers(public, cards, pair) + public.power[seat, Power.STORE_WIGS]
    f[F.FINAL] += store_final(public, cards, seat, pair)
    f[F.STORES] += 1
    f[F.PROSPECTS] += public.column_value[block % COLUMNS] * sites_beside(public, cards, pair)
    effect_features(public, cards, seat, cards.block_reward[block], good, f)
    f[F.REAIS] -= least_cost(public, cards, seat, block, value)


@njit
def store_final(public, cards, seat, pair):
    """What a store adds to the final scoring as it stands: majority and decrees."""
    good, own = cards.store_good[pair], public.stores[seat, cards.store_good[pair]]
    wigs = store_majority(public, cards, seat, good, own + 1) - store_majority(public, cards, seat, good, own)
    total = wigs + decree_gain(public, cards, seat, good, SINGLE)
    total += decree_gain(public, cards, seat, np.int64(Metric.STORES_TOTAL), SINGLE)
    row = cards.store_block[pair] // COLUMNS
    total += decree_gain(public, cards, seat, np.int64(Metric.STORES_ROW_A) + row, SINGLE)
    if own == 0:
        total += decree_gain(public, cards, seat, np.int64(Metric.STORE_TYPES), SINGLE)
    return total


@njit
def store_wigs(public, cards, seat, pair, value):
    """Wigs of a store at once and in the final scoring as it stands, less its least cost as money left would count."""
    block = cards.store_block[pair]
    cost = np.float64(least_cost(public, cards, seat, block, value))
    if cards.block_reward[block].code == Effect.GAIN_REAIS:
        cost -= cards.block_reward[block].amount
    wigs = customers(public, cards, pair) + store_final(public, cards, seat, pair)
    return wigs - cost / cards.reais_per_wig


@njit
def best_store(public, cards, seat):
    """The most that `store_wigs` is among the pairs whose tile lies on the display; 0 without one."""
    best, found, blocks = 0.0, False, open_blocks(public, seat)
    value = treasury_value(public, cards)
    while blocks != NONE:
        pairs = pairs_of(public, cards, lowest(blocks))
        blocks &= blocks - ONE
        while pairs != NONE:
            wigs = store_wigs(public, cards, seat, lowest(pairs), value)
            best = wigs if not found else max(best, wigs)
            found = True
            pairs &= pairs - ONE
    return best


@njit
def decree_features(public, cards, seat, decree, f):
    """L-12: a decree."""
    kind = cards.decree_kind[decree]
    f[F.FINAL] += decree_promise(public, cards, seat, kind, 0.0)
    if public.blanked[seat] != kind:
        f[F.DECREES] += cards.decree_most[kind]


@njit
def best_decree(public, cards, seat):
    """The most that a decree of the display promises."""
    best, banned = 0.0, public.banned[seat]
    for position in range(DECREE_DISPLAY):
        decree = public.decree[position]
        if decree != NOTHING and cards.decree_kind[decree] != banned:
            best = max(best, decree_promise(public, cards, seat, cards.decree_kind[decree], 0.0))
    return best


@njit
def completion_final(public, cards, seat, plan):
    """What a completed plan adds to the final scoring as it stands: majority and decrees."""
    required, own = cards.plan_officials[plan], public.required[seat]
    wigs = officials_majority(public, cards, seat, own + required) - officials_majority(public, cards, seat, own)
    total = wigs + decree_gain(public, cards, seat, np.int64(Metric.OFFICIALS_IN_BUILDINGS), required)
    total += decree_gain(public, cards, seat, np.int64(Metric.BUILDINGS_TOTAL), SINGLE)
    return total + decree_gain(
        public, cards, seat, np.int64(Metric.BUILDINGS_BLUE) + cards.plan_architect[plan], SINGLE
    )


@njit
def completion_features(public, cards, seat, plan, value, f):
    """L-13: a plan completed, without what the site brings."""
    f[F.FINAL] += completion_final(public, cards, seat, plan)
    hired = officials_missing(public, cards, seat, plan)
    f[F.REAIS] -= hired * value
    f[F.OFFICIALS] -= max(cards.plan_officials[plan] - public.power[seat, Power.OFFICIALS_DISCOUNT], 1) - hired


@njit
def site_features(public, cards, seat, site, goods, f):
    """L-13.8, L-13.9: cubes, reward, customers."""
    for kind in range(CUBES):
        cube_features(public, cards, seat, kind, public.site_cubes[site, kind], f)
    effect_features(public, cards, seat, cards.site_reward[site], MINUS, f)
    own, others = building_customers(public, cards, seat, site, goods)
    f[F.WIGS] += own
    f[F.RIVALS] += others


@njit
def best_building(public, cards, seat):
    """Of the plans that can be completed the most in customers and in the final scoring as it stands."""
    best = 0.0
    value, purse = treasury_value(public, cards), money(public, cards, seat)
    for architect in range(ARCHITECTS):
        most = 0.0
        for i in range(public.plans[seat]):
            plan = public.plan[seat, i]
            if cards.plan_architect[plan] == architect and plan_money(public, cards, seat, plan, value, 0) <= purse:
                most = max(most, completion_final(public, cards, seat, plan))
        if most > 0.0:
            goods = cards.serves[public.building[architect, 0], architect]
            sites, served = public.free_sites, 0.0
            while sites != NONE:
                own, _ = building_customers(public, cards, seat, lowest(sites), goods)
                served = max(served, np.float64(own))
                sites &= sites - ONE
            best = max(best, most + served)
    return best


@njit
def noble_features(public, cards, seat, noble, f):
    """A Noble action: the most wigs that it can bring."""
    f[F.BUILDER + noble] = 1.0
    if noble == BUILDER:
        f[F.STORE_WIGS] = best_store(public, cards, seat)
    elif noble == MARQUIS:
        f[F.DECREE_WIGS] = best_decree(public, cards, seat)
    else:
        f[F.BUILDING_WIGS] = best_building(public, cards, seat)


# --- Effects (L-15) --------------------------------------------------------------------------------------------------


@njit
def effect_features(public, cards, seat, effect, store_good, f):
    """An effect that happens at once; goods of choice count with the price of the dearest one that can be gained."""
    code, arg, amount = effect.code, effect.arg, effect.amount
    if code == Effect.GAIN_REAIS:
        f[F.REAIS] += amount
    elif code == Effect.PAY_REAIS:
        f[F.REAIS] -= min(amount, public.reais[seat])
    elif code == Effect.GAIN_WIGS:
        f[F.WIGS] += amount
    elif code == Effect.PAY_WIGS:
        f[F.WIGS] -= min(amount, public.standing[seat])
    elif code == Effect.GAIN_GOOD:
        if arg == ANY:
            any_features(public, cards, gainable(public, cards, seat), amount, f)
        else:
            change_goods(public, cards, seat, store_good if arg == STORE_TYPE else arg, amount, f)
    elif code == Effect.PAY_GOOD:
        any_features(public, cards, held(public, seat), -amount, f)
    elif code == Effect.GAIN_INFLUENCE:
        for _ in range(amount):
            influence_features(public, cards, seat, influence_gained(public, seat), f)
    elif code == Effect.GAIN_INFLUENCE_POINTS:
        influence_features(public, cards, seat, amount, f)
    elif code == Effect.STATE_ACTION:
        if can_act(public, cards, seat, arg):
            action_features(public, cards, seat, arg, f)
    elif code == Effect.STATE_ACTION_ANY:
        f[F.TRADES] += amount
    elif code == Effect.GAIN_RUBBLE:
        f[F.CUBES] += amount
    elif code == Effect.PRICE_UP:
        most = np.int64(0)
        for good in range(GOODS):
            counted = amount * (public.goods[seat, good] + public.stores[seat, good])
            if arg == ALL or arg == good:
                most += counted
            elif arg == ANY:
                most = max(most, counted)
        f[F.PRICES] += most


@njit
def any_features(public, cards, goods, amount, f):
    """Goods of choice, of a set of goods: the dearest ones come, the cheapest ones go."""
    if goods == NONE:
        return
    price = cards.price[public.price[lowest(goods)]]
    for good in range(GOODS):
        if goods & bit(good) != NONE:
            other = cards.price[public.price[good]]
            price = max(price, other) if amount > 0 else min(price, other)
    f[F.GOODS] += amount
    f[F.PRICES] += amount * price


# --- Cards -----------------------------------------------------------------------------------------------------------


@njit
def main_features(public, me, cards, seat, item, f):
    """MAIN: a card in a mode."""
    card, mode = me.hand[item // CARD_MODES], item % CARD_MODES
    if mode == PLAY_GOLD:
        f[F.GOLD] = 1.0
        change_goods(public, cards, seat, GOLD, SINGLE, f)
    elif mode == PLAY_PORTFOLIO:
        tuck_features(public, cards, seat, card, f)
        sale_features(public, cards, seat, f)
        trade_features(public, cards, seat, f)
    elif cards.kind[card] == TREASURY:
        f[F.EVENT] = 1.0
        f[F.REAIS] -= sponsor_cost(public, cards, seat)
        effect = cards.event[card]
        if effect.code == Effect.NOBLE_ACTION:
            noble_features(public, cards, seat, effect.arg, f)
        else:
            effect_features(public, cards, seat, effect, MINUS, f)
    else:
        noble = cards.kind[card]
        pay_features(public, seat, visit_cost(public, cards, seat, noble), f)
        noble_features(public, cards, seat, noble, f)
        f[F.TRADES] = can_act(public, cards, seat, 2 * noble) or can_act(public, cards, seat, 2 * noble + 1)


@njit
def tuck_features(public, cards, seat, card, f):
    """L-5.4, L-5.5: a card into the portfolio."""
    f[F.TUCK] = 1.0
    is_treasury = cards.kind[card] == TREASURY
    f[F.FULL] = is_full(public, cards, seat, not is_treasury)
    card_features(public, cards, seat, card, SINGLE, f)
    if is_treasury:
        f[F.REAIS] += treasury_value(public, cards) + public.power[seat, Power.SUBSIDY_BONUS]
        f[F.TREASURY] -= 1
        return
    row = printed_card(public, seat, card)
    if cards.bottom[row] != Bottom.NONE:
        effect_features(public, cards, seat, cards.reward[row], MINUS, f)


@njit
def sale_features(public, cards, seat, f):
    """L-8.4: what one of each good held would fetch, if a dock takes goods."""
    if sellable(public, cards, seat) != NONE:
        for good in range(GOODS):
            if public.goods[seat, good] > 0:
                f[F.SALES] += cards.price[public.price[good]] + public.power[seat, Power.SALE_BONUS + good]


@njit
def trade_features(public, cards, seat, f):
    """L-9.1: the State actions that a good held pays for."""
    goods, number, is_wild = held(public, seat), np.int64(0), public.power[seat, Power.TRADE_WILD] > 0
    for noble in range(NOBLES):
        if is_wild or goods & cards.accepted[noble] != NONE:
            number += can_act(public, cards, seat, 2 * noble)
            number += can_act(public, cards, seat, 2 * noble + 1)
    f[F.TRADES] += min(number, min(cards.trade_goods, popcount(goods)))


@njit
def draw_features(public, me, cards, seat, kind, f):
    """DRAW: the card face up, as if it came into the portfolio."""
    tuck_features(public, cards, seat, public.face[kind], f)
    f[F.TUCK] = 0.0
    f[F.CARD_KIND] = kind == TREASURY
    for slot in range(public.hand[seat]):
        f[F.SAME] += cards.kind[me.hand[slot]] == kind


@njit
def discard_features(public, me, cards, seat, slot, f):
    """PERIOD_DISCARD, L-16.4: a card goes, for the reward of the first one of its noble."""
    card = me.hand[slot]
    row = printed_card(public, seat, card)
    f[F.DISCARD] = 1.0
    f[F.ICONS] -= cards.influence[row]
    if cards.bottom[row] == Bottom.REWARD and public.rewarded & bit(cards.kind[card]) == NONE:
        effect_features(public, cards, seat, cards.reward[row], MINUS, f)


@njit
def follow_features(public, cards, seat, item, f):
    """FOLLOW, L-10.7: an action for its cost and the favor."""
    noble = public.visited
    f[F.FOLLOW] = 1.0
    if item == NOBLE_ACTION:
        noble_features(public, cards, seat, noble, f)
    else:
        action_features(public, cards, seat, 2 * noble + item, f)
    favor_features(public, cards, seat, noble, MINUS, f)
    pay_features(public, seat, follow_cost(public, cards, seat, noble), f)


@njit
def sell_features(public, cards, seat, item, f):
    """SELL, L-8.4: a good at a dock."""
    dock, good = item // GOODS, item % GOODS
    owner = (seat + dock // SLOTS) % cards.seats
    ship, aboard = public.top[owner, dock % SLOTS] - SHIP, np.int64(1)
    for other in range(GOODS):
        aboard += public.cargo[owner, dock % SLOTS, other]
    price = cards.price[public.price[good]]
    f[F.SELL] = 1.0
    f[F.REAIS] += price + cards.modifier[ship] + public.power[seat, Power.SALE_BONUS + good]
    f[F.GOODS] -= 1
    f[F.PRICES] -= price
    if aboard == cards.hull[ship] and printed_ship(public, owner, ship) != BLANK_SHIP:
        wigs = aboard + public.power[owner, Power.SAIL_WIGS]
        f[F.WIGS if owner == seat else F.RIVALS] += wigs
        f[F.SAIL] = owner == seat


# --- What a position means -------------------------------------------------------------------------------------------


@njit
def value_features(public, me, cards, mind):
    """The features V of a position to the one to decide, into mind.features; the rest of it is 0."""
    f, seat = mind.features, np.int64(public.actor)
    for i in range(f.shape[0]):
        f[i] = 0.0
    f[V.LEFT] = way_left(public, cards)
    f[V.PERIOD] = public.period
    own, best = final_wigs(public, cards, seat), np.int64(-(1 << 40))
    f[V.LEAD] = own
    for other in range(cards.seats):
        if other != seat:
            wigs = final_wigs(public, cards, other)
            best = max(best, wigs)
            f[V.LEAD] -= wigs / (cards.seats - 1)
        share = 1.0 if other == seat else 1.0 / (cards.seats - 1)
        add_seat(public, cards, other, share, np.int64(other != seat), f)
    f[V.BEHIND_BEST] = best - own


@njit
def add_seat(public, cards, seat, share, beyond, f):
    """What a seat has; features of others lie `beyond` the own ones and are means, so have a `share`."""
    f[V.REAIS + beyond] += share * public.reais[seat]
    f[V.INFLUENCE + beyond] += share * public.influence[seat]
    for good in range(GOODS):
        f[V.GOODS + beyond] += share * public.goods[seat, good]
        f[V.STORES + beyond] += share * public.stores[seat, good]
    for kind in range(CUBES):
        f[V.CUBES + beyond] += share * public.cubes[seat, kind]
    f[V.SETS + beyond] += share * public.sets[seat]
    f[V.OFFICIALS + beyond] += share * own_officials(public, seat)
    f[V.PLANS + beyond] += share * public.plans[seat]
    f[V.ICONS + beyond] += share * public.icons[seat]
    f[V.TILES + beyond] += share * public.tiles_held[seat]
    for noble in range(NOBLES):
        f[V.FAVORS + beyond] += share * public.favor[seat, noble]
    f[V.MARKERS + beyond] += share * public.markers[seat]
    for word in range(WORDS):
        f[V.DECREES + beyond] += share * popcount(public.decrees[seat, word])


game.implement(features=(PUBLIC, features), value_features=(PUBLIC, value_features))
