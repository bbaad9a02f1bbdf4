"""Lisboa: the expert, and bots that follow one plan each.

Every decision goes the same way: what things are worth now (lisboa_worth), then what each option gives, what follows it
included (lisboa_actions). The bots differ in their parameters.
"""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit, lowest
from simcore.bots import Bot
from simcore.games.lisboa.rules.denials import printed_card
from simcore.games.lisboa.rules.influence import influence_gained
from simcore.games.lisboa.rules.noble_actions import officials_missing, store_cost
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE, ZERO
from simcore.games.lisboa.rules.visits import follow_cost
from simcore.games.lisboa.state import (
    ACTION_STOP,
    COLUMNS,
    COURTYARD,
    CUBES,
    DECLINE,
    GOLD,
    GOODS,
    LIST_STOP,
    NOBLE_ACTION,
    OFFICE_STOP,
    PLAY_GOLD,
    PLAY_PORTFOLIO,
    ROWS,
    SELL_STOP,
    SELLING,
    SLOTS,
    SPEND,
    TRADE_STOP,
    Bottom,
    Decision,
    Metric,
)
from strategies.lisboa_actions import (
    ALL_ACTIONS,
    best_site,
    card_worth,
    completion_worth,
    court_worth,
    dock_sale,
    favor_worth,
    good_sale,
    house_worth,
    look_at_actions,
    look_at_all,
    look_at_decrees,
    look_at_docks,
    noble_worth,
    pair_worth,
    pile_worth,
    price_worth,
    reward_worth,
    side_worth,
    site_worth,
    steps_worth,
    surrender_worth,
    tuck_worth,
    visit_loss,
)
from strategies.lisboa_worth import (
    ACTION,
    LATER,
    METRIC,
    NEVER,
    NOBLE,
    PROMISE,
    SELL,
    SPACE,
    STOCK,
    TRADE,
    P,
    cube_gain,
    good_gain,
    influence_gain,
    influence_worth,
    look,
    official_gain,
    payment_loss,
    reais_worth,
    spot_worth,
    tile_worth,
)

PARAMETERS = {
    P.HORIZON: 3.0,
    P.REAL: 0.3,
    P.WANT_REAIS: 12.0,
    P.POINT: 0.8,
    P.WANT_POINTS: 5.0,
    P.GOOD: 1.0,
    P.WANT_GOODS: 1.5,
    P.SALE: 0.5,
    P.PERIOD: 0.7,
    P.CAPACITY: 1.0,
    P.MARKER: 2.0,
    P.CUBE: 0.8,
    P.SPARE: 0.1,
    P.OFFICIAL: 0.5,
    P.WANT_OFFICIALS: 2.0,
    P.DETER: 0.2,
    P.PLAN: 2.0,
    P.REQUIRED: 0.5,
    P.FAVOR: 1.0,
    P.ICON: 0.15,
    P.SLOT: 0.5,
    P.STORES: 0.3,
    P.BUILDINGS: 0.2,
    P.EVENTS: 0.15,
    P.VISITS: 0.5,
    P.SALES: 0.8,
    P.RECRUITS: 0.2,
    P.SHIPS: 0.1,
    P.GAINS: 0.3,
    P.PRODUCES: 0.2,
    P.DECREES: 0.3,
    P.DECREE: 0.9,
    P.GROWTH: 1.0,
    P.HELD: 0.9,
    P.MAJORITY: 0.6,
    P.OFFICIALS: 0.5,
    P.PROSPECT: 0.15,
    P.CUSTOMER: 0.1,
    P.RIVAL: 0.3,
    P.TILE: 0.5,
    P.SURRENDER: 1.0,
    P.TREASURY: 0.0,
    P.LIKE_STORE: 0.0,
    P.LIKE_BUILDING: 0.0,
    P.LIKE_DECREE: 0.0,
    P.LIKE_SHIP: 0.0,
    P.LIKE_SALE: 0.0,
    P.LIKE_TILE: 0.0,
    P.LIKE_FAVOR: 0.0,
    P.LIKE_FOLLOW: 0.0,
    P.LIKE_EVENT: 0.0,
    P.LIKE_TUCK: 0.0,
    P.LIKE_SET: 0.0,
    P.VARIETY: 0.5,
    P.POTENTIAL: 0.5,
    P.FRESH: 3.0,
    P.KEEP: 0.1,
}


@njit
def expert(public, me, cards, options, noise, mind):
    """The option that is worth most; of equals, the first."""
    decision, seat = public.decision, np.int64(public.actor)
    look(public, cards, mind, seat)
    look_further(public, cards, mind, seat, decision)
    best, most = np.int64(-1), 0.0
    mask = options.mask[decision]
    while mask != NONE:
        item = np.int64(lowest(mask))
        mask &= mask - ONE
        worth = option_worth(public, me, cards, mind, seat, decision, item)
        mind.estimates[64 * decision + item] = worth
        if best < 0 or worth > most:
            best, most = item, worth
    return 64 * decision + best


@njit
def look_further(public, cards, mind, seat, decision):
    """Fill what the options of a decision are weighed by."""
    if decision == Decision.MAIN or decision == Decision.DRAW or decision == Decision.PERIOD_DISCARD:
        look_at_all(public, cards, mind, seat)
    elif decision == Decision.PORTFOLIO_ACTION:
        look_at_all(public, cards, mind, seat)
    elif decision == Decision.TRADE or decision == Decision.STATE_ACTION_PICK:
        look_at_actions(public, cards, mind, seat, ZERO, ALL_ACTIONS)
    elif decision == Decision.FOLLOW:
        noble = public.visited
        look_at_actions(public, cards, mind, seat, 2 * noble, 2 * noble + 2)
        mind.scratch[NOBLE + noble] = noble_worth(public, cards, mind, seat, noble, SINGLE)
    elif decision == Decision.SELL:
        look_at_docks(public, cards, mind, seat)
    elif decision == Decision.DECREE_PICK or decision == Decision.DECREE_MARKER:
        look_at_decrees(public, cards, mind, seat)


@njit
def option_worth(public, me, cards, mind, seat, decision, item):
    """What an option gives."""
    s = mind.scratch
    if decision == Decision.MAIN:
        return play_worth(public, me, cards, mind, seat, item)
    if decision == Decision.SELL:
        return sell_worth(public, cards, mind, seat, item)
    if decision == Decision.TRADE:
        if item == TRADE_STOP:
            return 0.0
        return s[ACTION + item // GOODS] + good_gain(public, cards, mind, seat, item % GOODS, MINUS)
    if decision == Decision.STATE_ACTION_PICK:
        return 0.0 if item == ACTION_STOP else s[ACTION + item]
    if decision == Decision.STORE_SITE:
        return pair_worth(public, cards, mind, seat, item, public.frame[public.depth - 1].price)
    if decision == Decision.DECREE_PICK:
        return s[PROMISE + item]
    if decision == Decision.DRAW:
        return draw_worth(public, me, cards, mind, seat, item)
    if decision == Decision.PORTFOLIO_ACTION:
        return s[SELL] if item == SELLING else s[TRADE]
    if decision == Decision.PAYMENT:
        return paid_worth(public, cards, mind, seat, item)
    if decision == Decision.STORE_CUBE:
        return taken_cube_worth(public, cards, mind, seat, item)
    if decision == Decision.OFFICE:
        return 0.0 if item == OFFICE_STOP else office_worth(public, cards, mind, seat, item)
    if decision == Decision.FOLLOW:
        return follow_worth(public, cards, mind, seat, item)
    if decision == Decision.HOUSE_GROUP:
        return house_worth(public, cards, mind, seat, item)
    if decision == Decision.BUILDING_PLAN:
        return chosen_plan_worth(public, cards, mind, seat, item)
    if decision == Decision.BUILDING_SITE:
        architect = cards.plan_architect[public.frame[public.depth - 1].what]
        goods = cards.serves[public.building[architect, 0], architect]
        return site_worth(public, cards, mind, seat, item, goods)
    if decision == Decision.BUILDING_OFFICIAL:
        return moved_worth(public, mind, seat, item)
    return rare_worth(public, me, cards, mind, seat, decision, item)


@njit
def rare_worth(public, me, cards, mind, seat, decision, item):
    """The same of the other decisions."""
    s, w = mind.scratch, mind.weights
    if decision == Decision.ARCHITECT:
        return pile_worth(public, cards, mind, seat, item)
    if decision == Decision.SHIP_GOOD or decision == Decision.PAY_GOOD:
        return good_gain(public, cards, mind, seat, item, MINUS)
    if decision == Decision.GOOD_PICK:
        return good_gain(public, cards, mind, seat, item, SINGLE)
    if decision == Decision.CARDINAL_STEPS:
        return steps_worth(public, cards, mind, seat, item + 1)
    if decision == Decision.CARDINAL_TILE:
        return side_worth(public, cards, mind, seat, public.cardinal, item)
    if decision == Decision.CLERGY_OVERFLOW:
        return -tile_worth(public, cards, mind, seat, public.clergy[seat, item])
    if decision == Decision.CLERGY_KEEP:
        return tile_worth(public, cards, mind, seat, public.offer[seat, item])
    if decision == Decision.SURRENDER:
        return given_up_worth(public, cards, mind, seat, item)
    if decision == Decision.FAVOR_NOBLE:
        return favor_worth(public, cards, mind, seat, item)
    if decision == Decision.DECREE_MARKER:
        return spent_marker_worth(public, mind) if item == SPEND else w[P.MARKER] * s[LATER]
    if decision == Decision.PERIOD_DISCARD:
        return discarded_worth(public, me, cards, mind, seat, item)
    if decision == Decision.PORTFOLIO_DISCARD:
        return -spot_worth(public, cards, mind, seat, item)
    if decision == Decision.PRICE_PICK:
        return price_worth(public, cards, mind, seat, item)
    if decision == Decision.RUBBLE_PICK:
        return cube_gain(public, cards, mind, seat, item)
    return visited_worth(public, cards, mind, seat, item)  # VISIT_REAIS


# --- Cards -----------------------------------------------------------------------------------------------------------


@njit
def play_worth(public, me, cards, mind, seat, item):
    """MAIN: a card in a mode, less what it could give later."""
    s, w = mind.scratch, mind.weights
    card, mode = me.hand[item // 3], item % 3
    later = w[P.KEEP] * card_worth(public, cards, mind, seat, card)
    if mode == PLAY_GOLD:
        return good_gain(public, cards, mind, seat, np.int64(GOLD), SINGLE) - later
    if mode == PLAY_PORTFOLIO:
        return tuck_worth(public, cards, mind, seat, card) + max(s[SELL], s[TRADE], 0.0) - later
    return court_worth(public, cards, mind, seat, card) - later


@njit
def draw_worth(public, me, cards, mind, seat, kind):
    """DRAW: the card face up, and more if it is the only one of its kind."""
    w = mind.weights
    worth = w[P.POTENTIAL] * card_worth(public, cards, mind, seat, public.face[kind])
    for slot in range(public.hand[seat]):
        if cards.kind[me.hand[slot]] == kind:
            return worth
    return worth + w[P.VARIETY]


@njit
def discarded_worth(public, me, cards, mind, seat, item):
    """PERIOD_DISCARD: a new card for an old one, and the reward of the first one of its noble."""
    w = mind.weights
    if item == LIST_STOP:
        return 0.0
    card = me.hand[item]
    worth = w[P.FRESH] - w[P.POTENTIAL] * card_worth(public, cards, mind, seat, card)
    row = printed_card(public, seat, card)
    if cards.bottom[row] == Bottom.REWARD and public.rewarded & bit(cards.kind[card]) == NONE:
        worth += reward_worth(public, cards, mind, seat, cards.reward[row])
    return worth


@njit
def follow_worth(public, cards, mind, seat, item):
    """FOLLOW: an action for its cost and the favor."""
    if item == DECLINE:
        return 0.0
    s, noble = mind.scratch, public.visited
    gain = s[NOBLE + noble] if item == NOBLE_ACTION else s[ACTION + 2 * noble + item]
    cost = visit_loss(public, cards, mind, seat, follow_cost(public, cards, seat, noble))
    return gain - cost - favor_worth(public, cards, mind, seat, noble) + mind.weights[P.LIKE_FOLLOW]


# --- Money -----------------------------------------------------------------------------------------------------------


@njit
def sell_worth(public, cards, mind, seat, item):
    """SELL: a good at a dock; `stop` where nothing brings more."""
    s = mind.scratch
    if item == SELL_STOP:
        return 0.0
    dock, good = item // GOODS, item % GOODS
    stock = 0.0
    for other in range(GOODS):
        stock += s[STOCK + other]
    owner = (seat + dock // SLOTS) % cards.seats
    worth = dock_sale(public, cards, mind, seat, owner, dock % SLOTS, s[SPACE + dock], stock)
    return worth + good_sale(public, cards, mind, seat, good, s[STOCK + good])


@njit
def paid_worth(public, cards, mind, seat, coins):
    """PAYMENT: what is left of reais and influence."""
    left = public.reais[seat] - public.cost + coins
    return reais_worth(cards, mind, left) + influence_worth(
        cards, mind, cards.space_after[public.influence[seat], coins]
    )


@njit
def visited_worth(public, cards, mind, seat, reais):
    """VISIT_REAIS: what is left of reais, influence and wigs."""
    points = min(public.cost - reais, public.influence[seat])
    left = reais_worth(cards, mind, public.reais[seat] - reais)
    left += influence_worth(cards, mind, public.influence[seat] - points)
    return left - (public.cost - reais - points)


# --- Other choices ---------------------------------------------------------------------------------------------------


@njit
def taken_cube_worth(public, cards, mind, seat, item):
    """STORE_CUBE: the cube, less the cost that it leaves."""
    frame = public.frame[public.depth - 1]
    block, kind = cards.store_block[frame.place], item % CUBES
    rubble = public.zone_value[block // COLUMNS] + public.zone_value[ROWS + block % COLUMNS]
    cost = store_cost(public, seat, frame.price, rubble - cards.cube_value[kind])
    return cube_gain(public, cards, mind, seat, kind) - payment_loss(public, cards, mind, seat, cost)


@njit
def office_worth(public, cards, mind, seat, noble):
    """OFFICE: an official, who makes visits dearer for the others; the first ones there do it for longest."""
    s = mind.scratch
    deters = mind.weights[P.DETER] * s[LATER] / (1.0 + public.office[noble, seat])
    return official_gain(public, cards, mind, seat, SINGLE) + deters


@njit
def moved_worth(public, mind, seat, place):
    """BUILDING_OFFICIAL: those in the courtyard deter nobody."""
    s = mind.scratch
    if place == COURTYARD:
        return -s[METRIC + np.int64(Metric.OFFICIALS_IN_COURTYARD)]
    deters = mind.weights[P.DETER] * s[LATER] / (1.0 + public.office[place, seat])
    return -s[METRIC + np.int64(Metric.OFFICIALS_IN_OFFICES)] - deters


@njit
def chosen_plan_worth(public, cards, mind, seat, position):
    """BUILDING_PLAN: the plan with the best site."""
    plan, price = public.plan[seat, position], public.frame[public.depth - 1].price
    architect = cards.plan_architect[plan]
    goods = cards.serves[public.building[architect, 0], architect]
    hired = officials_missing(public, cards, seat, plan)
    worth = completion_worth(public, cards, mind, seat, plan, price)
    return worth + best_site(public, cards, mind, seat, goods, hired * price)


@njit
def given_up_worth(public, cards, mind, seat, item):
    """SURRENDER: a tile, and influence for the first one (L-14.6)."""
    if item == LIST_STOP:
        return 0.0
    worth = surrender_worth(public, cards, mind, seat, item)
    if public.surrendered == 0 or cards.influence_per_tile == 1:
        worth += influence_gain(public, cards, mind, seat, influence_gained(public, seat))
    return worth


@njit
def spent_marker_worth(public, mind):
    """DECREE_MARKER: the best decree of the display."""
    best = NEVER
    for position in range(len(public.decree)):
        best = max(best, mind.scratch[PROMISE + position])
    return best


GAME = "lisboa"

# What each plan likes beyond what it brings, in wigs.
STREETS = {P.LIKE_STORE: 4.0, P.LIKE_BUILDING: 4.0, P.PROSPECT: 0.6, P.CUSTOMER: 0.5, P.LIKE_DECREE: -1.5}
FLEET = {P.LIKE_SHIP: 6.0, P.LIKE_SALE: 1.2, P.WANT_GOODS: 3.0, P.PRODUCES: 0.6, P.LIKE_BUILDING: -2.0}
DECREES = {P.LIKE_DECREE: 3.0, P.LIKE_SET: 3.0, P.LIKE_SHIP: -2.0, P.LIKE_TILE: -1.0}
CHURCH = {P.LIKE_TILE: 3.0, P.LIKE_FAVOR: 2.0, P.LIKE_FOLLOW: 3.0, P.TILE: 1.0, P.LIKE_STORE: -2.0}


def _plan(name: str, text: str, likes: dict[P, float]) -> Bot:
    weights = PARAMETERS | likes
    values, names = tuple(weights[parameter] for parameter in P), tuple(parameter.name.lower() for parameter in P)
    return Bot(name, GAME, "expert", text, expert, values, parameters=names)


BOTS = (
    _plan("expert", "Weighs every option by the wigs that it brings now and later, what follows it included.", {}),
    _plan("streets", "As the expert, but wants stores, and public buildings that bring them customers.", STREETS),
    _plan("fleet", "As the expert, but wants ships, goods to fill them, and sales.", FLEET),
    _plan("decrees", "As the expert, but wants decrees, and rubble sets for more of them.", DECREES),
    _plan("church", "As the expert, but wants Clergy tiles to surrender, Royal Favors, and to follow visits.", CHURCH),
)
