"""Valletta: the simple policy, which looks at what a card gives now.

Everything is counted in points. A good of which more is needed is worth GOOD, one beyond that what it pays at the end;
needed is what the buildings cost on average that the seat could build or upgrade, twice over. All amounts, effects and
numbers come from the card set.
"""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, first, lowest, popcount
from simcore.bots import Bot
from simcore.games.valletta import rules
from simcore.games.valletta.state import GOODS, HIRE, NO, Decision, Effect

GOOD = 0.6  # points for a good that is needed: it buys a building, which prints about half a point for each of them
HOUSE = 2.5  # points for a new building beyond the printed ones, for the character that comes with it
SLOT = 1.0  # points that a card must give to be hired: it takes the place of another one in the hand
WANTED = 2.0  # buildings whose cost a seat would like to hold


@njit
def greedy(public, me, cards, options, noise, mind):
    """The option that gives most now; of equals, the first."""
    decision = public.decision
    best, most = -1, 0.0
    mask = options.mask[np.uint64(decision)]
    count_needed(public, cards, mind)
    while mask != NONE:
        item = lowest(mask)
        mask ^= first(mask)
        points = gain(public, cards, decision, item, mind)
        if best < 0 or points > most:
            best, most = item, points
    return 64 * decision + best


@njit
def count_needed(public, cards, mind):
    """By good, into mind.scratch: how many of it the one to decide would like to hold."""
    needed = mind.scratch
    for good in range(GOODS):
        needed[good] = 0.0
    seat = np.uint64(public.actor)
    left = public.free | (public.own[seat] & ~public.upgraded)
    buildings = max(popcount(left), 1)
    while left != NONE:
        cost = cards.cost[np.uint64(public.building[np.uint64(lowest(left))])]
        left ^= first(left)
        for good in range(GOODS):
            needed[good] += WANTED * cost[good] / buildings


@njit
def gain(public, cards, decision, item, mind):
    """What an option of the one to decide gives now; of something that is given up, what is lost with a minus sign."""
    if decision == Decision.PLAY_CARD or decision == Decision.HIRE_CARD:
        return card_gain(public, cards, mind, item)
    if decision == Decision.DISMISS_CARD:
        return -card_gain(public, cards, mind, item)
    if decision == Decision.USE_EFFECT:
        return item * effect_gain(public, cards, mind, np.uint64(public.resolving))
    if decision == Decision.SUBSTITUTE:
        return np.float64(item == NO)
    if decision == Decision.SUBSTITUTE_PAY or decision == Decision.GIVE_GOOD:
        return goods_gain(public, mind, cards, np.uint64(item), -1)
    if item == NO:
        return 0.0
    if decision == Decision.BUILD_TARGET:
        return build_gain(public, cards, mind, np.uint64(public.resolving), np.uint64(item))
    if decision == Decision.PICK_GOOD:
        return pick_gain(public, cards, mind, np.uint64(public.resolving), np.uint64(item))
    if decision == Decision.JEAN_MODE:
        return best_hire(public, cards, mind) if item == HIRE else -1.0
    return goods_gain(public, mind, cards, np.uint64(item), 1)


# --- Goods -----------------------------------------------------------------------------------------------------------


@njit
def goods_gain(public, mind, cards, good, amount):
    """Points for taking so many of a good, or with a negative amount for giving them."""
    held = public.goods[np.uint64(public.actor), good]
    return worth(cards, mind, good, held + amount) - worth(cards, mind, good, held)


@njit
def worth(cards, mind, good, held):
    """Points for so many of a good: GOOD for the first ones, down to what each pays at the end."""
    least = 1.0 / cards.goods_per_point
    needed = mind.scratch[good]
    return least * held + (GOOD - min(least, GOOD)) * needed * held / (needed + held + 1e-9)


# --- Cards -----------------------------------------------------------------------------------------------------------


@njit
def card_gain(public, cards, mind, character):
    """What a card gives if it is played next."""
    played = np.int64(character)
    if cards.effect[np.uint64(character)] == Effect.COPY_PREVIOUS:
        played = np.int64(public.previous)
    if played < 0 or public.blanked[np.uint64(public.actor)] & bit(played) != NONE:
        return 0.0
    return effect_gain(public, cards, mind, np.uint64(played))


@njit
def best_hire(public, cards, mind):
    """The most that a card of the general supply gives; hired for nothing else, it only makes the own pile thicker."""
    best, pool = 0.0, public.pooled
    while pool != NONE:
        best = max(best, card_gain(public, cards, mind, lowest(pool)))
        pool ^= first(pool)
    return best - SLOT


@njit
def effect_gain(public, cards, mind, character):
    """What an effect gives, the best choices made."""
    seat, effect = np.uint64(public.actor), cards.effect[character]
    amount, points = cards.amount[character], np.float64(cards.points[character])
    if effect == Effect.BUILD:
        return best_build(public, cards, mind, character)
    if effect == Effect.JEAN:
        return GOOD
    if effect == Effect.MENDICANT or effect == Effect.HOST or effect == Effect.TAX_COLLECTOR:
        return GOOD * amount * (popcount(rules.victims(public, cards, np.int64(seat), character)) + (cards.seats == 2))
    if rules.is_pick(effect):
        best = 0.0
        for good in range(GOODS):
            if allows(public, cards, character, np.uint64(good)):
                best = max(best, pick_gain(public, cards, mind, character, np.uint64(good)))
        return best * (amount if effect == Effect.GAIN_CHOICE else 1)
    if effect == Effect.MERCHANT or effect == Effect.PAY_FOR_POINTS:
        return exchange_gain(public, cards, mind, character)
    if effect == Effect.POINTS_FIXED:
        return points
    if effect == Effect.POINTS_PER_BLUE or effect == Effect.POINTS_PER_GREEN or effect == Effect.POINTS_PER_UPGRADED:
        return points * rules.counted(public, np.int64(seat), effect)
    taken = min(
        rules.gain_of(public, cards, np.int64(seat), character), public.supply[np.uint64(cards.good[character])]
    )
    return goods_gain(public, mind, cards, np.uint64(cards.good[character]), taken)


@njit
def exchange_gain(public, cards, mind, character):
    """MERCHANT and PAY_FOR_POINTS: what comes less what is paid; 0 where the seat cannot pay."""
    seat, points = np.int64(public.actor), np.float64(cards.points[character])
    if not rules.can_pay(public, cards, seat, character):
        return 0.0
    takes = cards.effect[character] == Effect.MERCHANT
    for good in range(GOODS):
        change = -cards.pay[character, np.uint64(good)]
        if takes and good > 0:
            change += min(cards.amount[character], public.supply[np.uint64(good)] - change)
        points += goods_gain(public, mind, cards, np.uint64(good), change)
    return points


@njit
def allows(public, cards, character, good):
    """Whether a good can be picked with a card: held where it is paid, there where it is taken."""
    held, effect = public.goods[np.uint64(public.actor), good], cards.effect[character]
    if effect == Effect.TRADER:
        return good > 0 and held >= cards.trader_pays
    if effect == Effect.PAY_CHOICE_FOR_POINTS:
        return good > 0 and held >= cards.amount[character]
    return public.supply[good] > 0


@njit
def pick_gain(public, cards, mind, character, good):
    """What picking a good gives."""
    effect, amount = cards.effect[character], cards.amount[character]
    if effect == Effect.TRADER:
        got = goods_gain(public, mind, cards, np.uint64(cards.good[character]), amount)
        return got + goods_gain(public, mind, cards, good, -cards.trader_pays)
    if effect == Effect.PAY_CHOICE_FOR_POINTS:
        return np.float64(cards.points[character]) + goods_gain(public, mind, cards, good, -amount)
    taken = 1
    if effect == Effect.NUN:
        taken = amount
    elif effect == Effect.GAIN_ICONS_CHOICE:
        taken = public.icons[np.uint64(public.actor), good]
    return goods_gain(public, mind, cards, good, min(taken, public.supply[good]))


# --- Building --------------------------------------------------------------------------------------------------------


@njit
def best_build(public, cards, mind, character):
    """The most that can be built or upgraded with a card; 0 where that is nothing."""
    best, targets = 0.0, rules.affordable_targets(public, cards, np.int64(public.actor), np.int64(character))
    while targets != NONE:
        best = max(best, build_gain(public, cards, mind, character, np.uint64(lowest(targets))))
        targets ^= first(targets)
    return best


@njit
def build_gain(public, cards, mind, character, location):
    """Printed points, the character and Jean's bonus, less what is paid."""
    seat, building = np.uint64(public.actor), np.uint64(public.building[location])
    is_new = public.free & bit(location) != NONE
    printed = cards.printed[rules.printed_row(public, seat, building)]
    points = np.float64(printed[0]) + HOUSE
    if not is_new:
        points = np.float64(printed[1] - printed[0])
    if public.jean >= 1 and cards.area[np.uint64(public.jean - 1)] & bit(location) != NONE:
        points += cards.area_bonus
    for good in range(GOODS):
        less = cards.discount[character, np.uint64(good)]
        price = rules.reduced(cards.cost[building, np.uint64(good)], less)
        if good == 0:
            beside = popcount(cards.near[location] & public.own[seat])
            price = np.int64(is_new) * rules.reduced(price, beside)
        points += goods_gain(public, mind, cards, np.uint64(good), -price)
    return points


GAME = "valletta"
BOTS = (
    Bot(
        "greedy",
        GAME,
        "simple",
        "Plays and chooses what gives most now, in points and in goods that it needs.",
        greedy,
    ),
)
