"""Valletta: what an action and a position mean, in numbers that a bot can weigh.

"Own" is of the one to decide. WAY is the part of the way to the final phase that is left (`seen.way_left`), USE what
goods count as wanted (`seen.use_of`). Features that stand for the same thing in several decisions are shared: what is
gained counts up, what is given up counts down. All amounts, effects and numbers are those of the card set.
"""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, bit, first, lowest, popcount
from simcore.games.valletta import rules
from simcore.games.valletta.seen import (
    cards_of,
    count_cards,
    count_wanted,
    goods_given,
    is_blanked,
    lead,
    points_given,
    price,
    use_gained,
    way_left,
)
from simcore.games.valletta.state import DISMISS, GOLD, GOODS, HIRE, NO, PUBLIC, WOOD, Decision, Effect


class F(IntEnum):
    """The features of an action. Those of another kind of decision are 0."""

    # What an action gives at once: of a card that is played as far as it can be told, the good of choice that adds most
    # to the use. An Apprentice gives what it copies.
    USE = 0  # what the use of the own goods grows by
    GOODS = 1  # goods
    POINTS = 2  # points from play, and printed ones
    ENDS = 3  # the own lead (`seen.lead`) before it, where the final phase is triggered
    ENDING = 4  # 1 there
    DECLINE = 5  # 1 for declining an effect
    # Playing a card.
    PLAY_BUILD = 6  # for a card that builds: the most points that a target would bring that can be paid for, or 0
    PLAY_NEW = 7  # for a card that builds: 1 where a new building can be paid for
    PLAY_EARLY = 8  # for a card that builds: 1 where other plays follow in this turn
    PLAY_IDLE_BUILD = 9  # for a card that builds: 1 without a target
    PLAY_IDLE_COPY = 10  # for an Apprentice: 1 with nothing to copy
    PLAY_COPIED = 11  # the use that a card brings, where an Apprentice in hand can copy it
    PLAY_BUILD_COPIED = 12  # the same with PLAY_BUILD
    PLAY_JEAN = 13  # for Jean: 1
    PLAY_JEAN_LEFT = 14  # for Jean: WAY
    # Building and upgrading.
    NEW = 15  # 1 for a new building
    NEW_LEFT = 16  # WAY for one
    UPGRADE_LATER = 17  # for a new building: WAY times what its upgraded side adds to its points
    NEAR = 18  # for a new building: WAY times its free neighbours
    GREEN = 19  # for a new building of this colour: WAY
    BLUE = 20
    YELLOW = 21
    GROW_GOODS = 22  # WAY times the goods that plays of all own cards bring more
    GROW_POINTS = 23  # the same of points
    # A character that comes to the own cards, by its building or hired; one that leaves counts with a minus sign.
    CARD = 24  # WAY for any
    CARD_GOODS = 25  # WAY times the goods that a play brings (`seen.goods_given`)
    CARD_POINTS = 26  # WAY times the points that a play brings (`seen.points_given`)
    CARD_ONCE = 27  # these points
    CARD_BUILD = 28  # WAY for a card that builds
    CARD_DISCOUNT = 29  # WAY times its discounts
    CARD_COPY = 30  # WAY for an Apprentice
    # Substitution, Jean.
    SUBSTITUTE = 31  # 1 for substituting an item that could be paid
    DISMISS = 32  # 1
    DISMISS_LEFT = 33  # WAY
    DISMISS_CARDS = 34  # WAY times the own cards that are not starting cards
    HIRE = 35  # 1
    HIRE_LEFT = 36  # WAY
    HIRE_BUILD = 37  # WAY where the general supply holds a card that builds


class V(IntEnum):
    """The features of a position, to a seat. Those of the others are means."""

    LEAD = 0  # own points, goods left over included as they are, less the mean of the others'
    BEHIND_BEST = 1  # the most that another has, less the own
    LEFT = 2  # WAY
    FINAL = 3  # 1 once the final phase is triggered
    GOODS = 4  # goods held
    THEIR_GOODS = 5
    USE = 6  # the use of the goods held
    THEIR_USE = 7
    HOUSES = 8  # houses built
    THEIR_HOUSES = 9
    BASIC = 10  # what the own basic sides would add if they were all upgraded
    THEIR_BASIC = 11
    CARDS = 12  # cards owned
    THEIR_CARDS = 13
    BUILDERS = 14  # own cards that build
    THEIR_BUILDERS = 15
    CARD_GOODS = 16  # WAY times the goods that the own cards bring, a play on average
    THEIR_CARD_GOODS = 17
    CARD_POINTS = 18  # the same of points
    THEIR_CARD_POINTS = 19
    TO_PLAY = 20  # in the final phase: cards that are still to be played
    THEIR_TO_PLAY = 21


FEATURES = tuple(feature.name.lower() for feature in F)
VALUE_FEATURES = tuple(feature.name.lower() for feature in V)


@njit
def features(public, me, cards, action, mind):
    """The features F of one of the own actions, into mind.features; the rest of it is 0."""
    f, wanted, seat = mind.features, mind.scratch, np.int64(public.actor)
    for i in range(f.shape[0]):
        f[i] = 0.0
    decision, item = action >> 6, action & 63
    count_wanted(public, cards, seat, wanted)
    if decision == Decision.PLAY_CARD:
        play_features(public, me, cards, wanted, seat, item, f)
    elif decision == Decision.DISMISS_CARD:  # with HIRE_CARD before NO, which is the number of the 64th character too
        card_features(public, cards, seat, item, -1.0, f)
    elif decision == Decision.HIRE_CARD:
        card_features(public, cards, seat, item, 1.0, f)
    elif item == NO or (decision == Decision.USE_EFFECT and item == 0):
        f[F.DECLINE] = decision != Decision.SUBSTITUTE
    elif decision == Decision.USE_EFFECT:
        give_features(public, cards, wanted, seat, np.int64(public.resolving), f)
    elif decision == Decision.PICK_GOOD:
        pick_features(public, cards, wanted, seat, np.int64(public.resolving), item, f)
    elif decision == Decision.BUILD_TARGET:
        build_features(public, cards, wanted, seat, item, f)
    elif decision == Decision.SUBSTITUTE:
        f[F.SUBSTITUTE] = 1.0
    elif decision == Decision.JEAN_MODE:
        mode_features(public, cards, seat, item, f)
    else:
        change_goods(public, wanted, seat, item, 1 if decision == Decision.SETUP_GOOD else -1, f)


# --- What is gained at once ------------------------------------------------------------------------------------------


@njit
def change_goods(public, wanted, seat, good, amount, f):
    """So many of a good come, or with a minus sign go."""
    f[F.USE] += use_gained(public, wanted, seat, good, amount)
    f[F.GOODS] += amount


@njit
def score_features(public, cards, seat, points, f):
    """Points from play, which may trigger the final phase (VT-13.1)."""
    f[F.POINTS] += points
    before = public.points[seat]
    if before < cards.trigger_points and before + points >= cards.trigger_points:
        end_features(public, cards, seat, f)


@njit
def end_features(public, cards, seat, f):
    """The final phase is triggered."""
    if public.triggered < 0:
        f[F.ENDS] = lead(public, cards, seat)
        f[F.ENDING] = 1.0


@njit
def give_features(public, cards, wanted, seat, character, f):
    """What an effect without a choice gives, where it can be used; Jean's good is unknown."""
    effect, amount = cards.effect[character], cards.amount[character]
    if is_blanked(public, seat, character):
        return
    if effect == Effect.JEAN:
        f[F.GOODS] = 1.0
    elif effect == Effect.MENDICANT or effect == Effect.HOST or effect == Effect.TAX_COLLECTOR:
        number = popcount(rules.victims(public, cards, seat, character)) + np.int64(cards.seats == 2)
        f[F.GOODS] = amount * number
    elif effect == Effect.MERCHANT or effect == Effect.PAY_FOR_POINTS:
        if rules.can_pay(public, cards, seat, character):
            exchange_features(public, cards, wanted, seat, character, f)
    elif effect == Effect.POINTS_FIXED or is_counting(effect):
        score_features(public, cards, seat, points_given(public, cards, seat, character), f)
    elif effect == Effect.GAIN_FIXED or effect == Effect.GAIN_ICONS or effect == Effect.GAIN_PER_GREEN:
        good = cards.good[character]
        taken = min(rules.gain_of(public, cards, seat, character), public.supply[good])
        change_goods(public, wanted, seat, good, taken, f)


@njit
def is_counting(effect):
    """Effects that give points for own buildings."""
    return effect == Effect.POINTS_PER_BLUE or effect == Effect.POINTS_PER_GREEN or effect == Effect.POINTS_PER_UPGRADED


@njit
def exchange_features(public, cards, wanted, seat, character, f):
    """The printed payment, and what comes for it (VT-10.7, VT-11.2, VT-11.3)."""
    for good in range(GOODS):
        change = -cards.pay[character, good]
        if cards.effect[character] == Effect.MERCHANT and good != GOLD:
            change += min(cards.amount[character], public.supply[good] - change)
        change_goods(public, wanted, seat, good, change, f)
    if cards.effect[character] == Effect.PAY_FOR_POINTS:
        score_features(public, cards, seat, cards.points[character], f)


@njit
def pick_features(public, cards, wanted, seat, character, good, f):
    """What picking a good gives."""
    effect, amount = cards.effect[character], cards.amount[character]
    if effect == Effect.TRADER:
        change_goods(public, wanted, seat, good, -cards.trader_pays, f)
        change_goods(public, wanted, seat, cards.good[character], amount, f)
    elif effect == Effect.PAY_CHOICE_FOR_POINTS:
        change_goods(public, wanted, seat, good, -amount, f)
        score_features(public, cards, seat, cards.points[character], f)
    else:
        taken = picked(public, cards, seat, character, good)
        change_goods(public, wanted, seat, good, min(taken, public.supply[good]), f)


@njit
def picked(public, cards, seat, character, good):
    """How many of a good that is picked a seat takes, as far as the supply goes."""
    effect = cards.effect[character]
    if effect == Effect.NUN:
        return cards.amount[character]
    if effect == Effect.GAIN_ICONS_CHOICE:
        return public.icons[seat, good]
    return np.int64(1)


# --- Playing a card --------------------------------------------------------------------------------------------------


@njit
def play_features(public, me, cards, wanted, seat, character, f):
    """Of playing a card."""
    effect, resolved = cards.effect[character], np.int64(character)
    if effect == Effect.COPY_PREVIOUS:
        resolved = np.int64(public.previous)
        if resolved < 0 or is_blanked(public, seat, character):
            f[F.PLAY_IDLE_COPY] = 1.0
            return
    if effect == Effect.JEAN:
        f[F.PLAY_JEAN] = 1.0
        f[F.PLAY_JEAN_LEFT] = way_left(public, cards)
        if public.jean + 1 == cards.spaces:
            end_features(public, cards, seat, f)
    follows = cards.plays - public.plays > 1 and public.hand[seat] > 1
    if cards.effect[resolved] == Effect.BUILD:
        best_build_features(public, cards, seat, resolved, f)
        f[F.PLAY_EARLY] = follows
    elif rules.is_pick(cards.effect[resolved]):
        best_pick_features(public, cards, wanted, seat, resolved, f)
    else:
        give_features(public, cards, wanted, seat, resolved, f)
    if follows and cards.copyable[character] == 1 and holds_copier(me, cards):
        f[F.PLAY_COPIED] = f[F.USE]
        f[F.PLAY_BUILD_COPIED] = f[F.PLAY_BUILD]


@njit
def holds_copier(me, cards):
    """Whether an Apprentice is in the hand."""
    held = me.held
    while held != NONE:
        if cards.effect[lowest(held)] == Effect.COPY_PREVIOUS:
            return True
        held ^= first(held)
    return False


@njit
def best_build_features(public, cards, seat, character, f):
    """What a card that builds could do now."""
    targets = NONE
    if not is_blanked(public, seat, character):
        targets = rules.affordable_targets(public, cards, seat, character)
    f[F.PLAY_IDLE_BUILD] = targets == NONE
    f[F.PLAY_NEW] = targets & public.free != NONE
    best = np.int64(0)
    while targets != NONE:
        best = max(best, printed_gain(public, cards, seat, lowest(targets)) + area_gain(public, cards, lowest(targets)))
        targets ^= first(targets)
    f[F.PLAY_BUILD] = best


@njit
def best_pick_features(public, cards, wanted, seat, character, f):
    """What the good brings that adds most to the use, of equals the first."""
    effect = cards.effect[character]
    if is_blanked(public, seat, character):
        return
    best, most = -1, 0.0
    for good in range(GOODS):
        if can_pick(public, cards, seat, character, good):
            f[F.USE] = 0.0
            pick_features(public, cards, wanted, seat, character, good, f)
            if best < 0 or f[F.USE] > most:
                best, most = good, f[F.USE]
    for i in range(F.ENDING + 1):
        f[i] = 0.0
    if best < 0:
        return
    pick_features(public, cards, wanted, seat, character, np.int64(best), f)
    if effect == Effect.GAIN_CHOICE:
        f[F.USE] *= cards.amount[character]
        f[F.GOODS] *= cards.amount[character]


@njit
def can_pick(public, cards, seat, character, good):
    """VT-6.5, VT-10.6, VT-11.1: whether a good can be picked with a character."""
    effect = cards.effect[character]
    if effect == Effect.TRADER:
        return good >= WOOD and public.goods[seat, good] >= cards.trader_pays
    if effect == Effect.PAY_CHOICE_FOR_POINTS:
        return good >= WOOD and public.goods[seat, good] >= cards.amount[character]
    return public.supply[good] > 0


# --- Building and upgrading ------------------------------------------------------------------------------------------


@njit
def printed_gain(public, cards, seat, location):
    """The printed points that building or upgrading a location brings."""
    printed = cards.printed[rules.printed_row(public, seat, np.int64(public.building[location]))]
    return printed[0] if public.free & bit(location) != NONE else printed[1] - printed[0]


@njit
def area_gain(public, cards, location):
    """VT-7.16: Jean's bonus."""
    if public.jean >= 1 and cards.area[public.jean - 1] & bit(location) != NONE:
        return cards.area_bonus
    return np.int64(0)


@njit
def build_features(public, cards, wanted, seat, location, f):
    """Of building or upgrading a location; items that must be substituted count as goods, not in the use."""
    building, way = np.int64(public.building[location]), way_left(public, cards)
    missing = np.int64(0)
    for good in range(GOODS):
        cost = price(public, cards, seat, location, np.int64(public.resolving), good)
        paid = min(cost, public.goods[seat, good])
        missing += cost - paid
        change_goods(public, wanted, seat, good, -paid, f)
    f[F.GOODS] -= cards.rate * missing
    score_features(public, cards, seat, area_gain(public, cards, location), f)
    f[F.POINTS] += printed_gain(public, cards, seat, location)
    row = rules.printed_row(public, seat, building)
    printed, icons, good = cards.printed[row], cards.icons[row], cards.icon[building]
    if public.free & bit(location) == NONE:
        more = points_of_cards(public, cards, seat, np.int64(Effect.POINTS_PER_UPGRADED))
        f[F.GROW_POINTS] = way * more
        f[F.GROW_GOODS] = way * (icons[1] - icons[0]) * icon_cards(public, cards, seat, good)
        return
    if public.houses[seat] == 1:
        end_features(public, cards, seat, f)
    f[F.NEW] = 1.0
    f[F.NEW_LEFT] = way
    f[F.UPGRADE_LATER] = way * (printed[1] - printed[0])
    f[F.NEAR] = way * popcount(cards.near[location] & public.free)
    grow_features(public, cards, seat, building, way, f)
    card_features(public, cards, seat, cards.character[building], 1.0, f)


@njit
def grow_features(public, cards, seat, building, way, f):
    """What a new building makes the own cards bring more."""
    colour = cards.colour[building]
    f[F.GREEN + colour] = way
    icons = cards.icons[rules.printed_row(public, seat, building), 0]
    goods = icons * icon_cards(public, cards, seat, cards.icon[building])
    if F.GREEN + colour == F.GREEN:
        goods += count_cards(public, cards, seat, np.int64(Effect.GAIN_PER_GREEN))
        f[F.GROW_POINTS] = way * points_of_cards(public, cards, seat, np.int64(Effect.POINTS_PER_GREEN))
    elif F.GREEN + colour == F.BLUE:
        f[F.GROW_POINTS] = way * points_of_cards(public, cards, seat, np.int64(Effect.POINTS_PER_BLUE))
    f[F.GROW_GOODS] = way * goods


@njit
def icon_cards(public, cards, seat, good):
    """The own cards that count the icons of a good, a free choice of the good included."""
    number = count_cards(public, cards, seat, np.int64(Effect.GAIN_ICONS_CHOICE))
    for character in range(cards.characters):
        if cards.effect[character] == Effect.GAIN_ICONS and cards.good[character] == good:
            number += np.int64(public.owned[seat, character])
    return number


@njit
def points_of_cards(public, cards, seat, effect):
    """The sum of the points of the own cards with an effect."""
    points = np.int64(0)
    for character in range(cards.characters):
        if cards.effect[character] == effect:
            points += np.int64(public.owned[seat, character]) * cards.points[character]
    return points


@njit
def card_features(public, cards, seat, character, sign, f):
    """A character comes to the own cards; with sign -1 it leaves them."""
    way, effect = sign * way_left(public, cards), cards.effect[character]
    f[F.CARD] = way
    if is_blanked(public, seat, character):
        return
    points = points_given(public, cards, seat, character)
    f[F.CARD_GOODS] = way * goods_given(public, cards, seat, character)
    f[F.CARD_POINTS] = way * points
    f[F.CARD_ONCE] = sign * points
    if effect == Effect.BUILD:
        f[F.CARD_BUILD] = way
        for good in range(WOOD, GOODS):
            f[F.CARD_DISCOUNT] += way * cards.discount[character, good]
    elif effect == Effect.COPY_PREVIOUS:
        f[F.CARD_COPY] = way


# --- Jean ------------------------------------------------------------------------------------------------------------


@njit
def mode_features(public, cards, seat, mode, f):
    """Of dismissing or hiring (VT-8.22)."""
    way = way_left(public, cards)
    if mode == DISMISS:
        f[F.DISMISS] = 1.0
        f[F.DISMISS_LEFT] = way
        f[F.DISMISS_CARDS] = way * (cards_of(public, seat) - cards.starting_cards)
    elif mode == HIRE:
        f[F.HIRE] = 1.0
        f[F.HIRE_LEFT] = way
        pool = public.pooled
        while pool != NONE:
            if cards.effect[lowest(pool)] == Effect.BUILD:
                f[F.HIRE_BUILD] = way
            pool ^= first(pool)


# --- What a position means -------------------------------------------------------------------------------------------


@njit
def value_features(public, me, cards, mind):
    """The features V of a position to the one to decide, into mind.features; the rest of it is 0."""
    f, wanted, seat = mind.features, mind.scratch, np.int64(public.actor)
    for i in range(f.shape[0]):
        f[i] = 0.0
    f[V.BEHIND_BEST] = -lead(public, cards, seat)
    f[V.LEFT] = way_left(public, cards)
    f[V.FINAL] = public.triggered >= 0
    for other in range(cards.seats):
        share = 1.0 if other == seat else 1.0 / (cards.seats - 1)
        total = public.standing[other] + rules.goods_points(public, cards, other)
        f[V.LEAD] += total if other == seat else -share * total
        add_goods(public, cards, wanted, other, share, np.int64(other != seat), f)
        add_cards(public, cards, other, share, np.int64(other != seat), f)


@njit
def add_goods(public, cards, wanted, seat, share, beyond, f):
    """A seat's goods and buildings; features of others lie `beyond` the own ones and are means, so have a `share`."""
    count_wanted(public, cards, seat, wanted)
    for good in range(GOODS):
        held = public.goods[seat, good]
        f[V.GOODS + beyond] += share * held
        f[V.USE + beyond] -= share * use_gained(public, wanted, seat, good, -held)
    f[V.HOUSES + beyond] += share * popcount(public.own[seat])
    basic = public.own[seat] & ~public.upgraded
    while basic != NONE:
        f[V.BASIC + beyond] += share * printed_gain(public, cards, seat, lowest(basic))
        basic ^= first(basic)


@njit
def add_cards(public, cards, seat, share, beyond, f):
    """A seat's cards, as above."""
    goods, points = np.int64(0), np.int64(0)
    for character in range(cards.characters):
        own = np.int64(public.owned[seat, character])
        if own > 0:
            goods += own * goods_given(public, cards, seat, character)
            points += own * points_given(public, cards, seat, character)
    number = cards_of(public, seat)
    part = share * way_left(public, cards) / max(number, 1)
    f[V.CARDS + beyond] += share * number
    f[V.BUILDERS + beyond] += share * count_cards(public, cards, seat, np.int64(Effect.BUILD))
    f[V.CARD_GOODS + beyond] += part * goods
    f[V.CARD_POINTS + beyond] += part * points
    if public.final == 1:
        f[V.TO_PLAY + beyond] += share * (public.hand[seat] + public.deck[seat])


game.implement(features=(PUBLIC, features), value_features=(PUBLIC, value_features))
