"""Lisboa: what actions are worth to a seat, for the expert: sales, trades, State and Noble actions, visits, cards.

An action is taken to be carried out as well as it can be, its own choices by their worth now; what cannot be performed
is worth NEVER. L-... are ids of the rules page.
"""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit, lowest
from simcore.games.lisboa.rules.church import cardinal_steps
from simcore.games.lisboa.rules.denials import BLANK_SHIP, open_blocks, printed_card, printed_ship, printed_tile
from simcore.games.lisboa.rules.goods import held
from simcore.games.lisboa.rules.influence import influence_gained, money
from simcore.games.lisboa.rules.noble_actions import (
    least_cost,
    officials_missing,
    pairs_of,
    plan_money,
    reais_of,
    store_cost,
)
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE, ZERO
from simcore.games.lisboa.rules.state_actions import can_act, next_ship, ship_cost
from simcore.games.lisboa.rules.visits import sponsor_cost, visit_cost
from simcore.games.lisboa.seen import (
    building_customers,
    customers,
    decree_promise,
    officials_majority,
    sites_beside,
    store_majority,
)
from simcore.games.lisboa.state import (
    ACTIONS,
    ALL,
    ANY,
    BUILDER,
    COLUMNS,
    CUBES,
    DECREE_DISPLAY,
    FIRST_EAST,
    FIRST_NORTH,
    GOODS,
    GROUPS,
    KING,
    MARQUIS,
    NOBLES,
    NOTHING,
    ROWS,
    SHIP,
    SLOTS,
    STATIONS,
    TREASURY,
    Bottom,
    Effect,
    Metric,
    Power,
    StateAction,
    Symbol,
)
from strategies.lisboa_worth import (
    ACTION,
    LATER,
    LEFT,
    METRIC,
    NEVER,
    NOBLE,
    PROMISE,
    ROOM,
    SELL,
    SPACE,
    SPARES,
    STOCK,
    TRADE,
    VALUE,
    P,
    best_good_gain,
    bottom_worth,
    cube_gain,
    cubes_gain,
    good_gain,
    goods_worth,
    influence_gain,
    influence_worth,
    lasting_worth,
    least_good,
    least_tile,
    official_gain,
    payment_loss,
    plan_worth,
    reais_gain,
    tile_worth,
    top_worth,
)

ALL_ACTIONS = np.int64(ACTIONS)

# How fast what decrees count grows, a turn of a seat that does a bit of everything. Store types, rows and goods share.
GROWTH = np.zeros(len(Metric))
GROWTH[Metric.STORES_GOLD : Metric.STORES_TOTAL] = 0.08
GROWTH[Metric.STORES_TOTAL] = 0.3
GROWTH[Metric.STORE_TYPES] = 0.2
GROWTH[Metric.STORES_ROW_A : Metric.BUILDINGS_BLUE] = 0.06
GROWTH[Metric.BUILDINGS_BLUE : Metric.BUILDINGS_TOTAL] = 0.1
GROWTH[Metric.BUILDINGS_TOTAL] = 0.2
GROWTH[Metric.OFFICIALS_IN_BUILDINGS] = 0.35
GROWTH[Metric.OFFICIALS_IN_OFFICES] = 0.1
GROWTH[Metric.OFFICIALS_IN_COURTYARD] = 0.03
GROWTH[Metric.SHIPS_IN_PORTFOLIO] = 0.08
GROWTH[Metric.SHIP_HULL_TOTAL] = 0.2
GROWTH[Metric.BUILDER_CARDS_IN_PORTFOLIO : Metric.CLERGY_TILES] = 0.05
GROWTH[Metric.CLERGY_TILES] = 0.1
GROWTH[Metric.ROYAL_FAVORS] = 0.1
GROWTH[Metric.RUBBLE_SETS] = 0.2
GROWTH[Metric.RUBBLE_CUBES] = 0.7
GROWTH[Metric.GOODS_TOTAL] = 0.1


# --- Goods: sales and trades (L-8, L-9.1) ----------------------------------------------------------------------------


@njit
def good_sale(public, cards, mind, seat, good, stock):
    """What selling one of so many of a good brings, without what the dock adds."""
    earned = cards.price[public.price[good]] + public.power[seat, Power.SALE_BONUS + good]
    loss = goods_worth(public, cards, mind, seat, good, stock) - goods_worth(public, cards, mind, seat, good, stock - 1)
    return reais_gain(public, cards, mind, seat, earned) - loss + mind.weights[P.LIKE_SALE]


@njit
def dock_sale(public, cards, mind, seat, owner, slot, space, stock):
    """What a dock adds for a good, of so many held: its price, and the wigs of its owner, so far as it fills."""
    ship = public.top[owner, slot] - SHIP
    earned = reais_gain(public, cards, mind, seat, cards.modifier[ship])
    if printed_ship(public, owner, ship) == BLANK_SHIP:
        return earned
    wigs = 1.0 + public.power[owner, Power.SAIL_WIGS] / cards.hull[ship]
    if space > stock:
        wigs *= 0.4
    return earned + (wigs if owner == seat else -mind.weights[P.RIVAL] * wigs)


@njit
def look_at_docks(public, cards, mind, seat):
    """STOCK and SPACE, as they are. Returns the goods held."""
    s, total = mind.scratch, 0.0
    for good in range(GOODS):
        s[STOCK + good] = public.goods[seat, good]
        total += s[STOCK + good]
    for turn in range(cards.seats):
        owner = (seat + turn) % cards.seats
        for slot in range(SLOTS):
            dock = SPACE + SLOTS * turn + slot
            s[dock] = 0.0
            if public.docks & bit(SLOTS * owner + slot) != NONE:
                s[dock] = cards.hull[public.top[owner, slot] - SHIP]
                for good in range(GOODS):
                    s[dock] -= public.cargo[owner, slot, good]
    return total


@njit
def best_dock(public, cards, mind, seat, stock):
    """The dock that adds most for one of so many goods held: its place in SPACE, NOTHING for none; SPARES its worth."""
    s, chosen = mind.scratch, np.int64(NOTHING)
    for dock in range(SLOTS * cards.seats):
        space = s[SPACE + dock]
        if space > 0.0:
            owner = (seat + dock // SLOTS) % cards.seats
            worth = dock_sale(public, cards, mind, seat, owner, dock % SLOTS, space, stock)
            if chosen < 0 or worth > s[SPARES]:
                chosen, s[SPARES] = np.int64(dock), worth
    return chosen


@njit
def best_good(public, cards, mind, seat):
    """The good of STOCK that is best to sell, NOTHING for none; SPARES + 1 its worth."""
    s, chosen = mind.scratch, np.int64(NOTHING)
    for good in range(GOODS):
        if s[STOCK + good] > 0.0:
            worth = good_sale(public, cards, mind, seat, good, s[STOCK + good])
            if chosen < 0 or worth > s[SPARES + 1]:
                chosen, s[SPARES + 1] = np.int64(good), worth
    return chosen


@njit
def sale_worth(public, cards, mind, seat):
    """The best sale: goods as long as they bring something, at least one (L-8.4)."""
    s = mind.scratch
    stock, total, sold = look_at_docks(public, cards, mind, seat), 0.0, 0
    while stock > 0.0:
        dock, good = best_dock(public, cards, mind, seat, stock), best_good(public, cards, mind, seat)
        if dock < 0 or (sold > 0 and s[SPARES] + s[SPARES + 1] <= 0.0):
            break
        total += s[SPARES] + s[SPARES + 1]
        s[SPACE + dock] -= 1.0
        s[STOCK + good] -= 1.0
        stock -= 1.0
        sold += 1
    if sold == 0:
        return NEVER
    return total + reais_gain(public, cards, mind, seat, public.power[seat, Power.SALE_FLAT])


@njit
def accepted_goods(public, cards, seat, action):
    """L-9.2: the goods held that pay for a State action."""
    goods = held(public, seat)
    return goods if public.power[seat, Power.TRADE_WILD] > 0 else goods & cards.accepted[action // 2]


@njit
def trade_gain(public, cards, mind, seat, action):
    """A State action for the good that is missed least; ACTION is known."""
    gain = mind.scratch[ACTION + action]
    good = least_good(public, cards, mind, seat, accepted_goods(public, cards, seat, action))
    if gain == NEVER or good < 0:
        return NEVER
    return gain + good_gain(public, cards, mind, seat, good, MINUS)


@njit
def trade_worth(public, cards, mind, seat):
    """L-9.1: the best State actions, for as many goods as may be placed."""
    s, total, done = mind.scratch, NEVER, NONE
    for number in range(cards.trade_goods):
        best, chosen = NEVER, -1
        for action in range(ACTIONS):
            if done & bit(action) == NONE:
                gain = trade_gain(public, cards, mind, seat, action)
                if gain > best:
                    best, chosen = gain, action
        if chosen < 0 or (number > 0 and best <= 0.0):
            break
        total = best if number == 0 else total + best
        done |= bit(chosen)
    s[TRADE] = total
    return total


# --- State actions (L-9) ---------------------------------------------------------------------------------------------


@njit
def look_at_actions(public, cards, mind, seat, first, last):
    """ACTION, of the State actions first..last-1."""
    s = mind.scratch
    for action in range(first, last):
        s[ACTION + action] = NEVER
        if can_act(public, cards, seat, action):
            s[ACTION + action] = action_worth(public, cards, mind, seat, action)


@njit
def action_worth(public, cards, mind, seat, action):
    """A State action that can be performed."""
    s, w = mind.scratch, mind.weights
    if action == StateAction.RECRUIT:
        most = cards.recruit_officials + public.power[seat, Power.RECRUIT_BONUS]
        number = min(most, public.board[seat])
        return official_gain(public, cards, mind, seat, number) + w[P.DETER] * s[LATER] * number
    if action == StateAction.PLAN:
        best = 0.0
        for architect in range(2):
            best = max(best, pile_worth(public, cards, mind, seat, architect))
        return best
    if action == StateAction.SHIP:
        return ship_worth(public, cards, mind, seat)
    if action == StateAction.PRODUCE:
        return produce_worth(public, cards, mind, seat)
    if action == StateAction.CARDINAL:
        best = NEVER
        steps = cardinal_steps(public, cards, seat)
        while steps != NONE:
            best = max(best, steps_worth(public, cards, mind, seat, lowest(steps) + 1))
            steps &= steps - ONE
        return best
    best = 0.0
    for noble in range(NOBLES):
        if public.favors[noble] > 0 and public.favor[seat, noble] < cards.favor_limit:
            best = max(best, favor_worth(public, cards, mind, seat, noble))
    return best + w[P.LIKE_FAVOR]


@njit
def pile_worth(public, cards, mind, seat, architect):
    """L-9.6: the top plan of a pile, 0 without one."""
    left = public.pile[architect]
    if left == 0 or public.stack[architect] == 0:
        return 0.0
    return plan_worth(cards, mind, cards.pile[architect, cards.pile_size[architect] - left], public.plans[seat])


@njit
def favor_worth(public, cards, mind, seat, noble):
    """L-17.7, L-10.7: a favor in hand."""
    s, w = mind.scratch, mind.weights
    worth = np.float64(cards.favor_wigs[noble]) + s[METRIC + np.int64(Metric.ROYAL_FAVORS)]
    return worth + w[P.FAVOR] * s[LATER]


@njit
def ship_worth(public, cards, mind, seat):
    """L-9.7: goods for a ship, which goes into the portfolio and raises Treasury and influence."""
    s, w = mind.scratch, mind.weights
    ship, goods, loss = next_ship(public, cards), held(public, seat), 0.0
    for _ in range(ship_cost(public, cards, seat)):
        good = least_good(public, cards, mind, seat, goods)
        if good < 0:
            return NEVER
        loss -= good_gain(public, cards, mind, seat, good, MINUS)
        goods &= ~bit(good)
    worth = top_worth(public, cards, mind, seat, SHIP + ship) - s[ROOM] - loss
    worth += w[P.TREASURY] * s[LATER] + w[P.LIKE_SHIP]
    gained = influence_gained(public, seat) + cards.ship_influence[printed_ship(public, seat, ship)]
    return worth + influence_gain(public, cards, mind, seat, gained)


@njit
def produce_worth(public, cards, mind, seat):
    """L-9.8: goods of the own stores, and what their prices lose."""
    total = 0.0
    falls = 0.0 if public.power[seat, Power.PRICE_HOLD] > 0 else 1.0
    for good in range(GOODS):
        number = public.stores[seat, good]
        if number > 0:
            gained = good_gain(public, cards, mind, seat, good, number)
            total += gained
            if gained > 0.0 and public.price[good] > cards.price_first:
                total -= falls * price_worth(public, cards, mind, seat, good)
    return total + public.power[seat, Power.PRODUCE_BONUS] * 0.8 * best_good_gain(public, cards, mind, seat)


@njit
def price_worth(public, cards, mind, seat, good):
    """A step of a price, for the goods that are there and those that come."""
    s, w = mind.scratch, mind.weights
    real = 1.0 / cards.reais_per_wig + 0.5 * w[P.REAL] * s[LATER]
    return w[P.SALE] * real * (public.goods[seat, good] + 0.5 * s[LATER] * public.stores[seat, good])


@njit
def steps_worth(public, cards, mind, seat, steps):
    """L-9.9: the Cardinal goes so many steps; then the better tile."""
    s, w = mind.scratch, mind.weights
    best = NEVER
    for side in range(2):
        best = max(best, side_worth(public, cards, mind, seat, (public.cardinal + steps) % STATIONS, side))
    if best == NEVER:
        return NEVER
    for i in range(1, steps + 1):
        symbol = cards.symbol[(public.cardinal + i) % STATIONS]
        if symbol == Symbol.CHURCH_TREASURY:
            best += w[P.TREASURY] * s[LATER]
        elif symbol == Symbol.CHURCH_SCORING and public.scoring == NOTHING:
            best += scoring_worth(public, cards, mind, seat)
    return best


@njit
def side_worth(public, cards, mind, seat, station, side):
    """The tile behind a station (0) or ahead of it (1), NEVER for none; a tile too many drives out the least one."""
    tile = public.slot[(station + STATIONS - 1 + side) % STATIONS]
    if tile == NOTHING:
        return NEVER
    worth = tile_worth(public, cards, mind, seat, tile) + mind.weights[P.LIKE_TILE]
    if public.tiles_held[seat] >= cards.clergy_limit:
        least = public.clergy[seat, least_tile(public, cards, mind, seat)]
        worth -= min(tile_worth(public, cards, mind, seat, least), worth)
    return worth


@njit
def scoring_worth(public, cards, mind, seat):
    """L-14.6: a Church Scoring now, to a seat; what rivals gain counts as on average."""
    total = 0.0
    for i in range(public.tiles_held[seat]):
        total += max(surrender_worth(public, cards, mind, seat, i), 0.0)
    if total > 0.0:
        total += influence_gain(public, cards, mind, seat, influence_gained(public, seat))
    rivals = 0.0
    for rival in range(cards.seats):
        if rival != seat:
            rivals += public.tiles_held[rival]
    return total - mind.weights[P.RIVAL] * rivals


@njit
def surrender_worth(public, cards, mind, seat, position):
    """L-14.6: the wigs of a tile now, less what it is worth to keep it."""
    tile = public.clergy[seat, position]
    kept = tile_worth(public, cards, mind, seat, tile)
    return mind.weights[P.SURRENDER] * cards.back_wigs[printed_tile(public, cards, seat, tile)] - kept


# --- Build a Store (L-11) --------------------------------------------------------------------------------------------


@njit
def pair_worth(public, cards, mind, seat, pair, value):
    """A pair of block and store: what comes with it, less its cost with the best cube."""
    s, w = mind.scratch, mind.weights
    block, good = cards.store_block[pair], cards.store_good[pair]
    row, column = block // COLUMNS, block % COLUMNS
    worth = customers(public, cards, pair) + public.power[seat, Power.STORE_WIGS] + w[P.LIKE_STORE]
    worth += w[P.PROSPECT] * s[LATER] * public.column_value[column] * sites_beside(public, cards, pair)
    own = public.stores[seat, good]
    before = store_majority(public, cards, seat, good, own)
    worth += w[P.MAJORITY] * (store_majority(public, cards, seat, good, own + 1) - before)
    worth += s[METRIC + good] + s[METRIC + np.int64(Metric.STORES_TOTAL)]
    worth += s[METRIC + np.int64(Metric.STORES_ROW_A) + row]
    if own == 0:
        worth += s[METRIC + np.int64(Metric.STORE_TYPES)]
    worth += w[P.PRODUCES] * s[LEFT] * 0.5 * (w[P.GOOD] * s[LATER] + 0.2) / (1.0 + own)
    reward = cards.block_reward[block]
    if reward.code != Effect.GAIN_REAIS:  # reais help to pay
        worth += effect_worth(public, cards, mind, seat, reward, good)
    return worth + best_cube(public, cards, mind, seat, block, value)


@njit
def best_cube(public, cards, mind, seat, block, value):
    """L-11.4, L-11.5, L-11.7: the best cube of row and column, less the cost that it leaves after the block's reais."""
    row, column = block // COLUMNS, ROWS + block % COLUMNS
    rubble, reais = public.zone_value[row] + public.zone_value[column], reais_of(cards.block_reward[block])
    purse = money(public, cards, seat) + reais
    best = NEVER
    for kind in range(CUBES):
        if public.zone[row, kind] + public.zone[column, kind] > 0:
            cost = store_cost(public, seat, value, rubble - cards.cube_value[kind])
            if cost <= purse:
                gain = cube_gain(public, cards, mind, seat, kind)
                best = max(best, gain - payment_loss(public, cards, mind, seat, cost - reais))
    if best == NEVER:
        best = -payment_loss(public, cards, mind, seat, store_cost(public, seat, value, rubble) - reais)
    return best


@njit
def best_store(public, cards, mind, seat):
    """L-11.1: the best store that can be built now, its house included."""
    value, purse, best = np.int64(mind.scratch[VALUE]), money(public, cards, seat), NEVER
    if public.houses[seat] == 0:
        return NEVER
    blocks = open_blocks(public, seat)
    while blocks != NONE:
        block = lowest(blocks)
        blocks &= blocks - ONE
        reward = reais_of(cards.block_reward[block])
        if least_cost(public, cards, seat, block, value) - reward <= purse:
            pairs = pairs_of(public, cards, block)
            while pairs != NONE:
                best = max(best, pair_worth(public, cards, mind, seat, lowest(pairs), value))
                pairs &= pairs - ONE
    if best == NEVER:
        return NEVER
    return best + best_house(public, cards, mind, seat)


@njit
def house_worth(public, cards, mind, seat, group):
    """L-11.10: what the next house of a group adds."""
    return lasting_worth(public, cards, mind, seat, cards.house_power[group, public.group[seat, group]])


@njit
def best_house(public, cards, mind, seat):
    """The same of the best group with a house left."""
    best = 0.0
    for group in range(GROUPS):
        if public.group[seat, group] < cards.group_size[group]:
            best = max(best, house_worth(public, cards, mind, seat, group))
    return best


# --- Take a Decree (L-12) --------------------------------------------------------------------------------------------


@njit
def look_at_decrees(public, cards, mind, seat):
    """PROMISE."""
    s, w = mind.scratch, mind.weights
    banned = public.banned[seat]
    for position in range(DECREE_DISPLAY):
        decree = public.decree[position]
        s[PROMISE + position] = NEVER
        if decree != NOTHING and cards.decree_kind[decree] != banned:
            kind = cards.decree_kind[decree]
            growth = w[P.GROWTH] * GROWTH[cards.metric[kind]] * s[LEFT]
            promise = decree_promise(public, cards, seat, kind, growth)
            s[PROMISE + position] = w[P.DECREE] * promise + w[P.LIKE_DECREE]


@njit
def best_decrees(public, cards, mind, seat, number):
    """L-12.2, L-12.3: the best decrees, with the bonus and a marker; PROMISE is known."""
    s, w = mind.scratch, mind.weights
    taken, total = NONE, NEVER
    marker = public.markers[seat] > 0 and public.markers_spent[seat] < cards.markers_per_turn
    most = number + public.power[seat, Power.DECREE_BONUS]
    for i in range(most + cards.set_marker_decrees * np.int64(marker)):
        best, chosen = NEVER, -1
        for position in range(DECREE_DISPLAY):
            if taken & bit(position) == NONE and s[PROMISE + position] > best:
                best, chosen = s[PROMISE + position], position
        if chosen < 0 or (i >= most and best < w[P.MARKER] * s[LATER]):
            break
        total = best if i == 0 else total + best
        if i >= most:
            total -= w[P.MARKER] * s[LATER] / cards.set_marker_decrees
        taken |= bit(chosen)
    return total


# --- Open a Public Building (L-13) -----------------------------------------------------------------------------------


@njit
def site_worth(public, cards, mind, seat, site, goods):
    """A building that shows some goods on a site: cubes, reward, customers."""
    s, w = mind.scratch, mind.weights
    cubes = public.site_cubes[site]
    worth = cubes_gain(public, cards, mind, seat, cubes[0], cubes[1], cubes[2])
    worth += effect_worth(public, cards, mind, seat, cards.site_reward[site], MINUS)
    own, others = building_customers(public, cards, seat, site, goods)
    worth += own - w[P.RIVAL] * others
    return worth + w[P.CUSTOMER] * s[LATER] * free_customers(public, cards, seat, site, goods)


@njit
def free_customers(public, cards, seat, site, goods):
    """The values of the columns of blocks open to the seat whose stores the building would serve, by the part of their
    goods.
    """
    total = 0.0
    if site >= FIRST_NORTH and site < FIRST_EAST:
        return total
    row, blocks = site if site < FIRST_NORTH else site - FIRST_EAST, open_blocks(public, seat)
    for column in range(COLUMNS):
        if blocks & bit(COLUMNS * row + column) != NONE:
            west, east = max(column - 1, 0), min(column, GOODS - 1)
            served = (goods >> np.uint64(west) & ONE) + (goods >> np.uint64(east) & ONE)
            total += 0.5 * np.int64(served) * public.column_value[column]
    return total


@njit
def best_site(public, cards, mind, seat, goods, cost):
    """The most that a building brings on a free site where so many reais for officials can be paid."""
    purse, best, sites = money(public, cards, seat), NEVER, public.free_sites
    while sites != NONE:
        site = lowest(sites)
        sites &= sites - ONE
        if cost - reais_of(cards.site_reward[site]) <= purse:
            best = max(best, site_worth(public, cards, mind, seat, site, goods))
    return best


@njit
def completion_worth(public, cards, mind, seat, plan, value):
    """L-13: a plan completed, without what the site brings."""
    s, w = mind.scratch, mind.weights
    required, architect = cards.plan_officials[plan], cards.plan_architect[plan]
    own = public.required[seat]
    before = officials_majority(public, cards, seat, own)
    worth = w[P.OFFICIALS] * (officials_majority(public, cards, seat, own + required) - before)
    worth += s[METRIC + np.int64(Metric.BUILDINGS_BLUE) + architect] + s[METRIC + np.int64(Metric.BUILDINGS_TOTAL)]
    worth += required * (s[METRIC + np.int64(Metric.OFFICIALS_IN_BUILDINGS)] + 0.5 * w[P.REQUIRED])
    worth -= plan_worth(cards, mind, plan, public.plans[seat] - 1)
    missing = officials_missing(public, cards, seat, plan)
    moved = max(required - public.power[seat, Power.OFFICIALS_DISCOUNT], 1) - missing
    worth += official_gain(public, cards, mind, seat, -moved)
    return worth - payment_loss(public, cards, mind, seat, missing * value)


@njit
def best_building(public, cards, mind, seat):
    """L-13.1: the best public building that can be opened now."""
    value, total = np.int64(mind.scratch[VALUE]), NEVER
    purse = money(public, cards, seat)
    for architect in range(2):
        if public.stack[architect] == 0:
            continue
        goods, best, hired = cards.serves[public.building[architect, 0], architect], NEVER, np.int64(0)
        for i in range(public.plans[seat]):
            plan = public.plan[seat, i]
            if cards.plan_architect[plan] == architect and plan_money(public, cards, seat, plan, value, ZERO) <= purse:
                worth = completion_worth(public, cards, mind, seat, plan, value)
                if worth > best:
                    best, hired = worth, officials_missing(public, cards, seat, plan)
        if best > NEVER:
            site = best_site(public, cards, mind, seat, goods, hired * value)
            if site > NEVER:
                total = max(total, best + site)
    return total + mind.weights[P.LIKE_BUILDING] if total > NEVER else NEVER


# --- Noble actions and effects ---------------------------------------------------------------------------------------


@njit
def noble_worth(public, cards, mind, seat, noble, number):
    """A Noble action; of a decree so many."""
    if noble == BUILDER:
        return best_store(public, cards, mind, seat)
    if noble == KING:
        return best_building(public, cards, mind, seat)
    look_at_decrees(public, cards, mind, seat)
    return best_decrees(public, cards, mind, seat, number)


@njit
def effect_worth(public, cards, mind, seat, effect, store_good):
    """An effect of a card, a block or a site that takes no action (L-15); `store_good` is that of a store."""
    code, arg, amount = effect.code, effect.arg, effect.amount
    if code == Effect.GAIN_REAIS:
        return reais_gain(public, cards, mind, seat, amount)
    if code == Effect.PAY_REAIS:
        return reais_gain(public, cards, mind, seat, -amount)
    if code == Effect.GAIN_WIGS:
        return np.float64(amount)
    if code == Effect.PAY_WIGS:
        return -np.float64(min(amount, public.standing[seat]))
    if code == Effect.GAIN_GOOD:
        if arg == ANY:
            return amount * best_good_gain(public, cards, mind, seat)
        return good_gain(public, cards, mind, seat, arg if arg >= 0 else store_good, amount)
    if code == Effect.PAY_GOOD:
        good = least_good(public, cards, mind, seat, held(public, seat))
        return amount * good_gain(public, cards, mind, seat, good, MINUS) if good >= 0 else 0.0
    if code == Effect.GAIN_INFLUENCE:
        return amount * influence_gain(public, cards, mind, seat, influence_gained(public, seat))
    if code == Effect.GAIN_INFLUENCE_POINTS:
        return influence_gain(public, cards, mind, seat, amount)
    if code == Effect.GAIN_RUBBLE:
        return amount * best_rubble(public, cards, mind, seat)
    if code == Effect.PRICE_UP:
        total = 0.0
        for good in range(GOODS):
            worth = amount * price_worth(public, cards, mind, seat, good)
            if arg == good or arg == ALL:
                total += worth
            elif arg == ANY:
                total = max(total, worth)
        return total
    return 0.0


@njit
def best_rubble(public, cards, mind, seat):
    """The best cube of the pile."""
    best = 0.0
    for kind in range(CUBES):
        if public.cube_pile[kind] > 0:
            best = max(best, cube_gain(public, cards, mind, seat, kind))
    return best


@njit
def reward_worth(public, cards, mind, seat, effect):
    """An effect of a card, State actions included; ACTION is known."""
    s = mind.scratch
    if effect.code == Effect.STATE_ACTION:
        return max(s[ACTION + effect.arg], 0.0)
    return effect_worth(public, cards, mind, seat, effect, MINUS)


@njit
def event_worth(public, cards, mind, seat, effect):
    """An event, NEVER for that of a blank; ACTION and NOBLE are known."""
    s = mind.scratch
    if effect.code == NOTHING:
        return NEVER
    if effect.code == Effect.NOBLE_ACTION:
        if effect.arg == MARQUIS:
            look_at_decrees(public, cards, mind, seat)
            return best_decrees(public, cards, mind, seat, effect.amount)
        return s[NOBLE + effect.arg]
    if effect.code == Effect.STATE_ACTION_ANY:
        total, done = 0.0, NONE
        for _ in range(effect.amount):
            best, chosen = 0.0, -1
            for action in range(ACTIONS):
                if done & bit(action) == NONE and s[ACTION + action] > best:
                    best, chosen = s[ACTION + action], action
            if chosen >= 0:
                total += best
                done |= bit(chosen)
        return total
    return reward_worth(public, cards, mind, seat, effect)


# --- Visits and cards ------------------------------------------------------------------------------------------------


@njit
def visit_loss(public, cards, mind, seat, cost):
    """L-10.3: influence, and wigs for what is missing."""
    now = public.influence[seat]
    points = min(cost, now)
    loss = influence_worth(cards, mind, now) - influence_worth(cards, mind, now - points)
    return loss + cost - points


@njit
def visit_worth(public, cards, mind, seat, noble):
    """L-10: a State action if it brings something, and the Noble action; ACTION and NOBLE are known."""
    s = mind.scratch
    cost = visit_cost(public, cards, seat, noble)
    action = max(s[ACTION + 2 * noble], s[ACTION + 2 * noble + 1], 0.0)
    return action + s[NOBLE + noble] - visit_loss(public, cards, mind, seat, cost)


@njit
def tuck_worth(public, cards, mind, seat, card):
    """L-5.4, L-5.5: a card into the portfolio, without the sale or trade after it; ACTION is known."""
    s, w = mind.scratch, mind.weights
    if cards.kind[card] == TREASURY:
        earned = np.int64(s[VALUE]) + public.power[seat, Power.SUBSIDY_BONUS]
        worth = reais_gain(public, cards, mind, seat, earned) - s[ROOM + 1] - w[P.TREASURY] * s[LATER]
        return worth + bottom_worth(public, cards, mind, seat, card) + w[P.LIKE_TUCK]
    worth = top_worth(public, cards, mind, seat, card) - s[ROOM] + w[P.LIKE_TUCK]
    row = printed_card(public, seat, card)
    if cards.bottom[row] != Bottom.NONE:
        worth += reward_worth(public, cards, mind, seat, cards.reward[row])
    return worth


@njit
def court_worth(public, cards, mind, seat, card):
    """L-10, L-15.2: a card to the Royal Court; NEVER where that cannot be done."""
    s = mind.scratch
    kind = cards.kind[card]
    if kind != TREASURY:
        return visit_worth(public, cards, mind, seat, kind) if s[NOBLE + kind] > NEVER else NEVER
    worth = event_worth(public, cards, mind, seat, cards.event[printed_card(public, seat, card)])
    if worth <= NEVER:
        return NEVER
    loss = payment_loss(public, cards, mind, seat, sponsor_cost(public, cards, seat))
    return worth - loss + mind.weights[P.LIKE_EVENT]


@njit
def look_at_all(public, cards, mind, seat):
    """ACTION, NOBLE, SELL, TRADE: what a card can be played for."""
    s = mind.scratch
    look_at_actions(public, cards, mind, seat, ZERO, ALL_ACTIONS)
    for noble in range(NOBLES):
        s[NOBLE + noble] = noble_worth(public, cards, mind, seat, noble, SINGLE)
    s[SELL] = sale_worth(public, cards, mind, seat)
    s[TRADE] = trade_worth(public, cards, mind, seat)


@njit
def card_worth(public, cards, mind, seat, card):
    """The most that a card gives if it is played now, in any mode."""
    s = mind.scratch
    worth = tuck_worth(public, cards, mind, seat, card) + max(s[SELL], s[TRADE], 0.0)
    return max(worth, court_worth(public, cards, mind, seat, card))
