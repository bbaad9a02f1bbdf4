"""Valletta: the expert, and three bots that follow one plan each.

Every decision goes the same way: what things are worth (valletta_worth), then the best order of plays for the rest of
the turn (valletta_plan) after each option. The bots differ in their parameters.
"""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, first, lowest
from simcore.bots import Bot
from simcore.games.valletta.state import DISMISS, GOODS, HIRE, NO, NOTHING, Decision, Effect
from strategies.valletta_plan import (
    ANY,
    MOST_ITEMS,
    NODE_SIZE,
    begin,
    build,
    carry_out,
    copy_node,
    explore,
    is_sure,
    scored,
)
from strategies.valletta_worth import (
    CARD,
    FIRST,
    MOST_TARGETS,
    NODE,
    PRICE,
    TARGET,
    TARGET_SIZE,
    TARGETS,
    P,
    dismissed_worth,
    hired_worth,
    look,
    look_at_modes,
    set_target,
    target_worth,
    worth_of_goods,
)

# Fitted by play on common deals in two steps, each by CMA-ES on the mean margin with 2, 3 and 4 seats in turn, 25 deals
# a generation in every seat: 60 generations of 12 candidates over greedy, from guesses; then 30 of 14 over greedy and
# over the result of the first. The command that fits in the same way, but with all numbers of seats in a generation:
#   fairdeal train valletta --bot expert --seats 2,3,4 --cards standard --against greedy
PARAMETERS = {
    P.TURNS: 17.88,
    P.PACE: 2.592,
    P.HORIZON: 8.493,
    P.GOLD: 1.886,
    P.MATERIAL: 1.479,
    P.LEAST: 0.3817,
    P.WANT: 7.922,
    P.FINAL: 0.2177,
    P.KEEP: 0.06348,
    P.BUILD: 4.753,
    P.BUILD_FINAL: 0.5933,
    P.CROWD: 0.8945,
    P.COPY: 0.4177,
    P.JEAN: 1.308,
    P.GROWTH: 0.6949,
    P.ICONS: 0.8648,
    P.PASSES: 0.7866,
    P.LAST: 0.5686,
    P.ICON: 0.2129,
    P.PAYMENT: -0.1452,
    P.VICTIM: -0.2027,
    P.GIFT: -0.1103,
    P.GREEN: 1.483,
    P.BLUE: 0.4336,
    P.YELLOW: 0.805,
    P.UPGRADE: -0.8843,
    P.PROSPECT: 0.8403,
    P.ADJACENT: 0.1014,
    P.AREA: 2.045,
    P.END: 0.05678,
    P.ENDING: 1.134,
    P.PROGRESS: 0.7992,
    P.MISSING: 0.746,
    P.DISMISS: 1.146,
    P.HIRE: -0.1835,
    P.MODE: 0.3498,
    P.LEAD: 1.417,
}


@njit
def expert(public, me, cards, options, noise, mind):
    """The option that is worth most; of equals, the first."""
    decision, resolving = public.decision, np.int64(public.resolving)
    if decision == Decision.SUBSTITUTE:
        return 64 * decision + NO
    if decision == Decision.USE_EFFECT and is_sure(public, cards, resolving):
        return 64 * decision + 1
    look(public, cards, mind)
    item = np.int64(-1)
    if decision == Decision.SETUP_GOOD or decision == Decision.GIVE_GOOD or decision == Decision.SUBSTITUTE_PAY:
        item = choose_good(public, options, mind)
    else:
        look_at_modes(public, me, mind)
        if decision == Decision.JEAN_MODE:
            item = choose_mode(public, me, mind)
        elif decision == Decision.DISMISS_CARD:
            item = choose_dismissed(me, mind)
        elif decision == Decision.HIRE_CARD:
            item = choose_hired(public, mind)
        elif decision == Decision.PLAY_CARD:
            begin(public, me, cards, mind, cards.plays - public.plays)
            explore(public, cards, mind, np.int64(0), np.int64(0))
            item = np.int64(mind.scratch[FIRST])
        else:
            item = choose_ahead(public, me, cards, options, mind)
    return 64 * decision + item


# --- Goods -----------------------------------------------------------------------------------------------------------


@njit
def choose_good(public, options, mind):
    """The good that is worth most to take, or that is missed least. Fillers are chosen in ascending order."""
    decision = public.decision
    mask = options.mask[decision]
    if decision == Decision.SUBSTITUTE_PAY:
        return choose_filler(public, mask, mind)
    sign = 1 if decision == Decision.SETUP_GOOD else -1
    best, most = np.int64(-1), 0.0
    while mask != NONE:
        good = lowest(mask)
        mask ^= first(mask)
        held = public.goods[public.actor, good]
        points = worth_of_goods(mind, good, held + sign) - worth_of_goods(mind, good, held)
        mind.estimates[64 * decision + good] = points
        if best < 0 or points > most:
            best, most = good, points
    return best


@njit
def choose_filler(public, mask, mind):
    """The first of the goods that are missed least, taken together."""
    held = mind.scratch[NODE : NODE + GOODS]
    for good in range(GOODS):
        held[good] = public.goods[public.actor, good]
    lowest_chosen = np.int64(GOODS)
    for _ in range(public.fillers):
        least, loss = np.int64(-1), 1e18
        for good in range(public.last, GOODS):
            can_fill = mask & bit(good) != NONE or (good > lowest(mask) and public.substituted[good] == 0)
            if can_fill and held[good] > 0.0:
                missed = worth_of_goods(mind, good, held[good]) - worth_of_goods(mind, good, held[good] - 1.0)
                if missed < loss:
                    least, loss = good, missed
        if least < 0:
            break
        held[least] -= 1.0
        lowest_chosen = min(lowest_chosen, least)
    if lowest_chosen < GOODS and mask & bit(lowest_chosen) != NONE:
        return lowest_chosen
    return np.int64(lowest(mask))


# --- Jean ------------------------------------------------------------------------------------------------------------


@njit
def choose_dismissed(me, mind):
    """The card whose leaving is worth most."""
    best, most, held = np.int64(-1), 0.0, me.held
    while held != NONE:
        points = dismissed_worth(mind, lowest(held))
        mind.estimates[64 * Decision.DISMISS_CARD + lowest(held)] = points
        if best < 0 or points > most:
            best, most = lowest(held), points
        held ^= first(held)
    return best


@njit
def choose_hired(public, mind):
    """The card of the general supply whose coming is worth most."""
    best, most, pool = np.int64(-1), 0.0, public.pooled
    while pool != NONE:
        points = hired_worth(mind, lowest(pool))
        mind.estimates[64 * Decision.HIRE_CARD + lowest(pool)] = points
        if best < 0 or points > most:
            best, most = lowest(pool), points
        pool ^= first(pool)
    return best


@njit
def choose_mode(public, me, mind):
    """VT-8.22: what is worth most, if it is worth something."""
    best, most = np.int64(NO), 0.0
    if me.held != NONE:
        points = dismissed_worth(mind, choose_dismissed(me, mind))
        mind.estimates[64 * Decision.JEAN_MODE + DISMISS] = points
        if points > most:
            best, most = np.int64(DISMISS), points
    if public.pooled != NONE:
        points = hired_worth(mind, choose_hired(public, mind))
        mind.estimates[64 * Decision.JEAN_MODE + HIRE] = points
        if points > most:
            best = np.int64(HIRE)
    mind.estimates[64 * Decision.JEAN_MODE + NO] = 0.0
    return best


# --- Looking ahead ---------------------------------------------------------------------------------------------------


@njit
def choose_ahead(public, me, cards, options, mind):
    """BUILD_TARGET, PICK_GOOD, USE_EFFECT: what is worth most with the best plays after it."""
    begin(public, me, cards, mind, cards.plays - public.plays + 1)
    mask = options.mask[public.decision]
    if public.decision == Decision.BUILD_TARGET:
        mask = best_targets(mask, mind)
    best, most = np.int64(-1), 0.0
    while mask != NONE:
        item = lowest(mask)
        mask ^= first(mask)
        copy_node(mind, np.int64(0))
        points = take_option(public, cards, mind, item)
        points += explore(public, cards, mind, np.int64(1), np.int64(0))
        mind.estimates[64 * public.decision + item] = points
        if best < 0 or points > most:
            best, most = item, points
    return best


@njit
def best_targets(mask, mind):
    """The options among the best targets, and `no`; all options where none of them can be paid for."""
    s, found = mind.scratch, NONE
    for i in range(np.int64(s[TARGETS])):
        found |= bit(np.int64(s[TARGET + TARGET_SIZE * i]))
    found &= mask
    return found | bit(NO) if found != NONE else mask


@njit
def take_option(public, cards, mind, item):
    """Take an option into the second node; returns what it gives at once."""
    s, decision, character = mind.scratch, public.decision, np.int64(public.resolving)
    s[CARD + MOST_ITEMS] = NOTHING
    if item == NO or (decision == Decision.USE_EFFECT and item == 0):
        return 0.0
    if decision == Decision.USE_EFFECT:
        return carry_out(public, cards, mind, np.int64(0), character)
    if decision == Decision.BUILD_TARGET:
        return build(cards, mind, np.int64(0), character, number_of(public, cards, mind, item))
    return take_pick(public, cards, mind, character, item)


@njit
def number_of(public, cards, mind, location):
    """The number of a location among the targets; one that is not among the best becomes the last."""
    s = mind.scratch
    for i in range(np.int64(s[TARGETS])):
        if s[TARGET + TARGET_SIZE * i] == location:
            return i
    points = target_worth(public, cards, mind, np.int64(public.actor), location)
    set_target(public, cards, mind, np.int64(MOST_TARGETS), location, points)
    return np.int64(MOST_TARGETS)


@njit
def take_pick(public, cards, mind, character, good):
    """Take a picked good into the second node."""
    s, node = mind.scratch, NODE + NODE_SIZE
    effect, amount, supply = cards.effect[character], cards.amount[character], public.supply[good]
    if effect == Effect.TRADER:
        s[node + good] -= cards.trader_pays
        s[node + cards.good[character]] += amount
    elif effect == Effect.PAY_CHOICE_FOR_POINTS:
        s[node + good] -= amount
        return scored(cards, mind, node, np.float64(cards.points[character]))
    elif effect == Effect.NUN:
        s[node + good] += min(amount, supply)
        return -mind.weights[P.GIFT] * cards.nun_others * s[PRICE + good]
    elif effect == Effect.GAIN_ICONS_CHOICE:
        s[node + good] += min(public.icons[public.actor, good], supply)
    else:
        s[node + good] += 1.0
        s[node + ANY] += public.picks - 1
    return 0.0


NAME = "valletta"

# What each plan thinks otherwise than the expert.
RUSH = {
    P.GREEN: 4.5,
    P.BLUE: 3.4,
    P.YELLOW: 3.6,
    P.UPGRADE: -4.0,
    P.PROSPECT: 0.0,
    P.BUILD: 4.0,
    P.CROWD: 0.3,
    P.DISMISS: 3.0,
    P.MODE: 0.0,
    P.ENDING: 6.0,
}
YELLOW = {
    P.GREEN: 0.0,
    P.BLUE: -1.0,
    P.YELLOW: 5.0,
    P.UPGRADE: 2.0,
    P.PROSPECT: 2.5,
    P.AREA: 3.5,
}
ENGINE = {
    P.GREEN: 5.0,
    P.BLUE: 1.0,
    P.YELLOW: -1.0,
    P.ICON: 0.5,
    P.ICONS: 1.5,
    P.GROWTH: 2.0,
    P.PAYMENT: 0.5,
    P.ENDING: -2.0,
}


NAMES = tuple(parameter.name.lower() for parameter in P)


def _plan(name: str, text: str, otherwise: dict[P, float]) -> Bot:
    weights = PARAMETERS | otherwise
    return Bot(name, NAME, "expert", text, expert, tuple(weights[parameter] for parameter in P), parameters=NAMES)


BOTS = (
    Bot(
        "expert",
        NAME,
        "expert",
        "Weighs goods, cards and buildings by what they are expected to give, and looks ahead over its turn.",
        expert,
        tuple(PARAMETERS[parameter] for parameter in P),
        parameters=NAMES,
    ),
    _plan("rush", "As the expert, but builds houses wherever it can and dismisses cards, for an early end.", RUSH),
    _plan("yellow", "As the expert, but wants yellow buildings, upgrades and Jean's bonus.", YELLOW),
    _plan("engine", "As the expert, but wants green buildings and icons first, for goods that buy points.", ENGINE),
)
