"""Valletta: what a seat can work out from what it sees."""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, first, flag, lowest, popcount
from simcore.games.valletta import rules
from simcore.games.valletta.state import GOLD, GOODS, NOBODY, NOTHING, Effect

TARGETS_WANTED = 2.0  # a seat wants goods for so many targets of the mean cost


@njit
def way_left(public, cards):
    """The part of the way to the nearest trigger of the final phase that is left (VT-13.1): 1 at the start, 0 after it.

    The seat that has come furthest counts.
    """
    if public.triggered != NOBODY:
        return 0.0
    way = public.jean / cards.spaces
    for seat in range(cards.seats):
        way = max(way, 1.0 - public.houses[seat] / cards.houses, public.points[seat] / cards.trigger_points)
    return max(1.0 - way, 0.0)


@njit
def cards_of(public, seat):
    """The number of a seat's cards, wherever they are."""
    number = public.hand[seat] + public.deck[seat] + public.discards[seat]
    return number + public.plays * np.int64(seat == public.active)


@njit
def lead(public, cards, seat):
    """A seat's points less the most that another has, goods left over included as they are."""
    own, best = np.int64(0), np.int64(-1)
    for other in range(cards.seats):
        points = public.standing[other] + rules.goods_points(public, cards, other)
        if other == seat:
            own = points
        else:
            best = max(best, points)
    return own - best


# --- Goods -----------------------------------------------------------------------------------------------------------


@njit
def count_wanted(public, cards, seat, wanted):
    """By good, into wanted[0..3]: what TARGETS_WANTED targets cost on average, discounts of cards left aside.

    Targets are free locations, while the seat has houses, and its own basic sides.
    """
    for good in range(GOODS):
        wanted[good] = 0.0
    left = targets_left(public, seat)
    number = popcount(left)
    while left != NONE:
        location = lowest(left)
        left ^= first(left)
        for good in range(GOODS):
            wanted[good] += TARGETS_WANTED * price(public, cards, seat, location, NOTHING, good) / number


@njit
def targets_left(public, seat):
    """The set of the locations that a seat could build or upgrade, whatever they cost."""
    return (public.free & flag(public.houses[seat] > 0)) | (public.own[seat] & ~public.upgraded)


@njit
def price(public, cards, seat, location, character, good):
    """VT-7.3 to VT-7.7: what a location costs a seat of a good with a character; NOTHING: with one without discount."""
    cost = cards.cost[np.int64(public.building[location]), good]
    less = np.int64(0)
    if good == GOLD:
        if public.free & bit(location) == NONE:
            return np.int64(0)
        less = popcount(cards.near[location] & public.own[seat])
    elif character != NOTHING:
        less = cards.discount[character, good]
    return max(cost - less, 0)


@njit
def use_of(held, wanted):
    """How many of the goods of a kind count as wanted: nearly all of a few, never more than are wanted."""
    return wanted * held / (wanted + held) if held > 0.0 and wanted > 0.0 else 0.0


@njit
def use_gained(public, wanted, seat, good, amount):
    """What the use of a good grows by when a seat takes so many of it, or with a minus sign gives them."""
    held = public.goods[seat, good]
    return use_of(np.float64(held + amount), wanted[good]) - use_of(np.float64(held), wanted[good])


# --- Cards -----------------------------------------------------------------------------------------------------------


@njit
def goods_given(public, cards, seat, character):
    """How many goods a play of a character brings with the buildings there are now, less those that it costs.

    What others give counts as if all had to; points that are bought count in `points_given`.
    """
    effect, amount = cards.effect[character], cards.amount[character]
    if effect == Effect.GAIN_CHOICE or effect == Effect.NUN:
        return amount
    if effect == Effect.TRADER:
        return amount - cards.trader_pays
    if effect == Effect.MERCHANT:
        return 3 * amount - asked(cards, character)
    if effect == Effect.JEAN:
        return np.int64(1)
    if effect == Effect.MENDICANT or effect == Effect.HOST or effect == Effect.TAX_COLLECTOR:
        return amount * (cards.seats - 1 + np.int64(cards.seats == 2))
    if effect == Effect.GAIN_ICONS_CHOICE:
        most = np.int64(0)
        for good in range(GOODS):
            most = max(most, public.icons[seat, good])
        return most
    if effect == Effect.GAIN_FIXED or effect == Effect.GAIN_ICONS or effect == Effect.GAIN_PER_GREEN:
        return rules.gain_of(public, cards, seat, character)
    if effect == Effect.PAY_CHOICE_FOR_POINTS:
        return -amount
    if effect == Effect.PAY_FOR_POINTS:
        return -asked(cards, character)
    return np.int64(0)


@njit
def asked(cards, character):
    """The goods of the payment printed on a character."""
    total = np.int64(0)
    for good in range(GOODS):
        total += cards.pay[character, good]
    return total


@njit
def points_given(public, cards, seat, character):
    """The points that a play of a character brings with the buildings there are now, if it can be paid."""
    effect, points = cards.effect[character], cards.points[character]
    if effect == Effect.POINTS_PER_BLUE or effect == Effect.POINTS_PER_GREEN or effect == Effect.POINTS_PER_UPGRADED:
        return points * rules.counted(public, seat, effect)
    return points  # 0 where the effect gives none


@njit
def is_blanked(public, seat, character):
    """Whether a character does nothing for a seat, in studies of access."""
    return public.blanked[seat] & bit(character) != NONE


@njit
def count_cards(public, cards, seat, effect):
    """The cards of a seat with an effect."""
    number = np.int64(0)
    for character in range(cards.characters):
        if cards.effect[character] == effect:
            number += np.int64(public.owned[seat, character])
    return number
