"""Vaalbara: what an action and a position mean, in numbers that a bot can weigh.

"Own" is of the one to decide. The PROMISE of a land to a seat is what it would pay in that seat's turn now, undoubled,
with its growth (`seen.growth`): what it makes later lands pay. All amounts, effects and numbers are those of the card
set; effects and rewards are known by their codes.
"""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, bit, popcount
from simcore.games.vaalbara.rules import bonus, different, effect_of, is_open
from simcore.games.vaalbara.seen import (
    carpenters_left,
    chance_before,
    chance_odd,
    count_falls,
    fighters_expected,
    growth,
    is_denied,
    kept_cards,
    others_later,
    pays,
    pays_unseen,
    promise,
    rounds_left,
    village_growth,
)
from simcore.games.vaalbara.state import FIRST, PUBLIC, ROW, SECOND, TYPES, UNKNOWN, Decision, Effect, Reward, Type


class F(IntEnum):
    """The features of an action. Those of another kind of decision are 0."""

    # VB-D1. What a character is expected to give in this round. E is the expected part of the others that act before.
    BEFORE = 0  # E
    LAND = 1  # the highest promise in the first row, with this initiative
    LAND_SPREAD = 2  # E times the highest promise less the mean one
    FARMER = 3  # for a Farmer: what it adds to the highest pay in the first row
    FARMER_SPREAD = 4  # for a Farmer: E times what it adds to the highest pay less the mean one
    FIGHTER = 5  # for a Fighter: its amount for each Fighter that the others are expected to hold, a seat
    FIGHTER_PAID = 6  # for a Fighter: its amount where its owner is paid
    BARD = 7  # for a Bard: its amount
    HUNTER = 8  # for a Hunter: its amount times the chance that no neighbour acts before
    ORACLE = 9  # for an Oracle: its amount for each neighbour's chance of an odd initiative
    CARPENTER = 10  # for a Carpenter: its amount for each own Forest
    FALCONER = 11  # for a Falconer: its amount times the chance that somebody acts before
    TRACKER = 12  # for a Tracker: 1
    MIDWIFE = 13  # for a Midwife: 1 where there is somebody to recover
    RIDER = 14  # for a Rider: how far the highest promise in the second row exceeds that in the first, or 0
    ARTISAN = 15  # for an Artisan: its amount times the chance that all neighbours act before
    PIONEER = 16  # for a Pioneer, with a Realm: what an unseen land pays on average
    # VB-D1, and with a minus sign VB-D5: what is given up by playing a character. All with the chance that a card that
    # is kept will be played: rounds left for each other card of hand and clan deck that is not banned, at most 1.
    KEEP_EARLY = 17  # the part of the other characters that have a higher initiative
    KEEP_FIGHTER = 18  # 1 for the effect
    KEEP_BARD = 19  # its amount
    KEEP_HUNTER = 20  # its amount
    KEEP_ORACLE = 21  # its amount for each neighbour
    KEEP_CARPENTER = 22  # its amount for each own Forest
    KEEP_FORESTS = 23  # for a Carpenter: its amount for each Forest that falls to a seat
    KEEP_FALCONER = 24  # its amount
    KEEP_TRACKER = 25  # 1
    KEEP_MIDWIFE = 26  # 1
    KEEP_RIDER = 27  # 1
    KEEP_ARTISAN = 28  # its amount
    KEEP_PIONEER = 29  # what an unseen land pays on average
    KEEP_FARMER = 30  # what it would add to the highest pay in both rows
    KEEP_FARMER_LATER = 31  # for a Farmer: 1 for each round left
    # VB-D8. Taking a land.
    PAYS = 32  # what it pays, undoubled
    DOUBLED = 33  # what a Farmer adds
    FIELD = 34  # growth of a type that pays by Fields, without what a new type makes Villages pay
    MEADOW = 35  # the same for Meadows
    RIVER = 36  # the same for Rivers
    MOUNTAIN_FIRST = 37  # the same for the first land of a type that pays by milestones
    MOUNTAIN_SECOND = 38  # for the second
    MOUNTAIN_THIRD = 39  # for the third
    FOREST = 40  # for a Forest: VP a Forest of the own Carpenters that are left, if there are rounds left
    NEW_TYPE = 41  # for a type new to the Realm: what it makes later Villages pay
    NEW_TYPE_BONUS = 42  # for a new type: what the bonus rises at once
    NEW_TYPE_WAY = 43  # for a new type: the bonus for six for each round left and type that still lacks, or 0
    DENY = 44  # its promise to the seats that have still to act in this round, for each other seat
    DENY_MEADOW = 45  # growth of a type that pays by Meadows, for each neighbour a seat
    # VB-D2, VB-D3.
    SHOW = 46  # for showing a Fighter: the amount
    GIVE = 47  # for the seat that is given: its standing less the others' mean one, without the own
    # VB-D4. The land that is replaced.
    TRACK_ROW = 48  # 1 for the first row
    TRACK_OWN = 49  # for the first row: its own promise
    TRACK_BEST = 50  # for the first row: how far its own promise exceeds that of the best other one there, or 0
    TRACK_OTHERS = 51  # for the first row: the mean of its promise to the others
    TRACK_NEXT = 52  # for the second row: its own promise less the mean of that to the others
    # VB-D6.
    RIDE_BEST = 53  # the highest promise in the first row after it
    RIDE_NEXT = 54  # own promise, less the mean of that to the others, of the land that goes to the second row
    RIDE_TAKEN = 55  # the same of the land that comes from there
    # VB-D7. The land that is given.
    SETTLE_PAYS = 56  # what a land from the bottom pays on average, or does where it is known
    SETTLE_LOSS = 57  # the growth of a land of the given type, if it were not there
    SETTLE_FOREST = 58  # for a Forest: VP a Forest of the own Carpenters that are left
    SETTLE_LAST = 59  # 1 for the last of its type


class V(IntEnum):
    """The features of a position, to a seat."""

    LEAD = 0  # own standing, with the bonus as it is now, less the mean of the others'
    BEHIND_BEST = 1  # the best of the others' standings with bonus, less the own
    ROUNDS = 2  # rounds left after this one
    TO_ACT = 3  # 1 if the own turn of this round has not been finished
    THEIR_TO_ACT = 4  # the part of the others of whom the same holds
    TYPES = 5  # types in the own Realm
    THEIR_TYPES = 6  # the mean of the others
    VILLAGES = 7  # own types times what a further one makes later Villages pay
    THEIR_VILLAGES = 8
    GROWTH = 9  # own lands times the growth of a further one, of types that pay by Fields, Meadows and Rivers
    THEIR_GROWTH = 10
    MOUNTAINS = 11  # what the milestone ahead pays, with its chance, for each type that pays by milestones
    THEIR_MOUNTAINS = 12
    FORESTS = 13  # own Forests times VP a Forest of own Carpenters that are left
    THEIR_FORESTS = 14
    FARMERS = 15  # own Farmers that are left in hand and clan deck
    THEIR_FARMERS = 16
    BEST_NOW = 17  # the highest own promise in the first row, if the own turn has not been finished
    BEST_NEXT = 18  # the highest own promise in the second row
    CARDS = 19  # cards in hand and clan deck
    THEIR_CARDS = 20


FEATURES = tuple(feature.name.lower() for feature in F)
VALUE_FEATURES = tuple(feature.name.lower() for feature in V)


@njit
def features(public, me, cards, action, mind):
    """The features F of one of the own actions, into mind.features; the rest of it is 0."""
    f, falls = mind.features, mind.scratch
    for i in range(f.shape[0]):
        f[i] = 0.0
    count_falls(public, cards, falls)
    decision, item = action >> 6, action & 63
    if decision == Decision.CHARACTER:
        row_features(public, cards, falls, item, f)
        effect_features(public, cards, falls, item, f)
        keep_features(public, cards, falls, item, kept_cards(public, me, public.actor) - 1, 1.0, f)
    elif decision == Decision.TAKE:
        take_features(public, cards, falls, public.row[FIRST, item], f)
    elif decision == Decision.SHOW_FIGHTER:
        f[F.SHOW] = item * cards.amount[public.revealed[public.active]]
    elif decision == Decision.BARD:
        f[F.GIVE] = public.standing[item] - mean_standing(public, cards)
    elif decision == Decision.TRACKER:
        track_features(public, cards, falls, item // ROW, item % ROW, f)
    elif decision == Decision.MIDWIFE:
        keep_features(public, cards, falls, item, kept_cards(public, me, public.actor), -1.0, f)
    elif decision == Decision.RIDER:
        ride_features(public, cards, falls, item // ROW, item % ROW, f)
    else:
        settle_features(public, cards, falls, cards.type[public.realm[public.actor, item]], f)


# --- Characters (VB-D1, VB-D5) ---------------------------------------------------------------------------------------


@njit
def part_before(public, cards, key):
    """The expected part of the others that act before a key of `rules.turn_key`."""
    total = 0.0
    for seat in range(cards.seats):
        if seat != public.actor:
            total += chance_before(public, cards, seat, key)
    return total / (cards.seats - 1)


@njit
def key_of(public, cards, character):
    """The own key of turn order with a character."""
    return cards.initiative[character] * 8 + public.ranking[public.clan[public.actor]]


@njit
def row_features(public, cards, falls, character, f):
    """What a character promises of the first row."""
    seat, initiative = public.actor, cards.initiative[character]
    before = part_before(public, cards, key_of(public, cards, character))
    best, total, best_pay, total_pay = 0.0, 0.0, 0.0, 0.0
    count = public.count[FIRST]
    for place in range(count):
        code = public.row[FIRST, place]
        points, pay = promise(public, cards, falls, seat, code, initiative), pays(public, cards, seat, code, initiative)
        best, total = max(best, points), total + points
        best_pay, total_pay = max(best_pay, pay), total_pay + pay
    f[F.BEFORE] = before
    f[F.LAND] = best
    f[F.LAND_SPREAD] = before * (best - total / count)
    effect = effect_of(public, cards, seat, character)
    if effect == Effect.DOUBLE_LAND:
        f[F.FARMER] = (cards.farmer_factor - 1) * best_pay
        f[F.FARMER_SPREAD] = (cards.farmer_factor - 1) * before * (best_pay - total_pay / count)
    elif effect == Effect.SWAP_ROWS:
        f[F.RIDER] = max(best_promise(public, cards, falls, SECOND, initiative) - best, 0.0)


@njit
def best_promise(public, cards, falls, row, initiative):
    """The highest own promise in a row; 0 where it is empty."""
    best = 0.0
    for place in range(public.count[row]):
        best = max(best, promise(public, cards, falls, public.actor, public.row[row, place], initiative))
    return best


@njit
def effect_features(public, cards, falls, character, f):
    """What a character's effect is expected to give."""
    seat, amount = public.actor, cards.amount[character]
    effect = effect_of(public, cards, seat, character)
    if effect == Effect.OTHERS_REVEAL_FIGHTER:
        f[F.FIGHTER] = amount * fighters_expected(public, cards) / (cards.seats - 1)
        f[F.FIGHTER_PAID] = amount * cards.fighter_pays_owner
    elif effect == Effect.GIVE_OTHER:
        f[F.BARD] = amount
    elif effect == Effect.PER_FOREST:
        f[F.CARPENTER] = amount * public.have[seat, Type.FOREST]
    elif effect == Effect.SWAP_ROW_DECKTOP:
        f[F.TRACKER] = 1.0
    elif effect == Effect.RECOVER_CHARACTER:
        f[F.MIDWIFE] = public.discard[seat] & ~cards.midwives != NONE
    elif effect == Effect.SWAP_REALM_DECKBOTTOM and public.lands[seat] > 0:
        f[F.PIONEER] = unseen_pays(public, cards, falls, -1)
    else:
        timing_features(public, cards, character, f)


@njit
def timing_features(public, cards, character, f):
    """What the effects give that look at what the others play."""
    seat, amount = public.actor, cards.amount[character]
    effect = effect_of(public, cards, seat, character)
    key = key_of(public, cards, character)
    no_neighbour, every_neighbour, nobody, odd = 1.0, 1.0, 1.0, 0.0
    for other in range(cards.seats):
        if other != seat:
            chance = chance_before(public, cards, other, key)
            nobody *= 1.0 - chance
            if cards.neighbours[seat] & bit(other) != NONE:
                no_neighbour *= 1.0 - chance
                every_neighbour *= chance
                odd += chance_odd(public, cards, other)
    if effect == Effect.BEFORE_NEIGHBOURS:
        f[F.HUNTER] = amount * no_neighbour
    elif effect == Effect.AFTER_NEIGHBOURS:
        f[F.ARTISAN] = amount * every_neighbour
    elif effect == Effect.STEAL_PREVIOUS:
        f[F.FALCONER] = amount * (1.0 - nobody)
    elif effect == Effect.ODD_NEIGHBOURS:
        f[F.ORACLE] = amount * odd


@njit
def keep_features(public, cards, falls, character, others, sign, f):
    """What a character is worth in hand, times `sign`; `others` are the other cards of hand and clan deck."""
    seat, amount = public.actor, cards.amount[character]
    effect = effect_of(public, cards, seat, character)
    left = rounds_left(public, cards)
    chance = sign * min(1.0, left / max(others, 1))
    f[F.KEEP_EARLY] = chance * others_later(cards, character)
    if effect == Effect.OTHERS_REVEAL_FIGHTER:
        f[F.KEEP_FIGHTER] = chance
    elif effect == Effect.GIVE_OTHER:
        f[F.KEEP_BARD] = chance * amount
    elif effect == Effect.BEFORE_NEIGHBOURS:
        f[F.KEEP_HUNTER] = chance * amount
    elif effect == Effect.ODD_NEIGHBOURS:
        f[F.KEEP_ORACLE] = chance * amount * popcount(cards.neighbours[seat])
    elif effect == Effect.PER_FOREST:
        f[F.KEEP_CARPENTER] = chance * amount * public.have[seat, Type.FOREST]
        f[F.KEEP_FORESTS] = chance * amount * falls[np.int64(Type.FOREST)]
    elif effect == Effect.STEAL_PREVIOUS:
        f[F.KEEP_FALCONER] = chance * amount
    elif effect == Effect.SWAP_ROW_DECKTOP:
        f[F.KEEP_TRACKER] = chance
    elif effect == Effect.RECOVER_CHARACTER:
        f[F.KEEP_MIDWIFE] = chance
    elif effect == Effect.SWAP_ROWS:
        f[F.KEEP_RIDER] = chance
    elif effect == Effect.AFTER_NEIGHBOURS:
        f[F.KEEP_ARTISAN] = chance * amount
    elif effect == Effect.SWAP_REALM_DECKBOTTOM:
        f[F.KEEP_PIONEER] = chance * unseen_pays(public, cards, falls, -1)
    elif effect == Effect.DOUBLE_LAND:
        f[F.KEEP_FARMER] = chance * (cards.farmer_factor - 1) * best_pay_in_sight(public, cards)
        f[F.KEEP_FARMER_LATER] = chance * left


@njit
def river_initiative(public, cards, seat):
    """The initiative of a seat's character in this round, before the reveal the mean that counts for Rivers."""
    if public.revealed[seat] >= 0:
        return cards.initiative[public.revealed[seat]]
    return np.int64(cards.mean_river + 0.5)


@njit
def best_pay_in_sight(public, cards):
    """The highest that a land of both rows would pay, undoubled."""
    seat, best = public.actor, 0
    initiative = river_initiative(public, cards, seat)
    for row in range(2):
        for place in range(public.count[row]):
            best = max(best, pays(public, cards, seat, public.row[row, place], initiative))
    return best


@njit
def unseen_pays(public, cards, falls, given):
    """What a land pays on average, the types by `falls`, when a land of type `given` (-1: none) has left the Realm.

    Without rounds left all types count alike.
    """
    seat, total, weight = public.actor, 0.0, 0.0
    initiative = river_initiative(public, cards, seat)
    for kind in range(TYPES):
        chance = falls[kind] + 1e-6
        total += chance * pays_unseen(public, cards, seat, kind, given, initiative)
        weight += chance
    return total / weight


# --- Lands (VB-D8) ---------------------------------------------------------------------------------------------------


@njit
def take_features(public, cards, falls, code, f):
    """Of taking a land."""
    seat = public.actor
    kind = cards.type[code]
    own, rule, left = public.have[seat, kind], cards.reward[kind], rounds_left(public, cards)
    character = public.revealed[seat]
    points = pays(public, cards, seat, code, cards.initiative[character])
    f[F.PAYS] = points
    doubles = effect_of(public, cards, seat, character) == Effect.DOUBLE_LAND
    f[F.DOUBLED] = (cards.farmer_factor - 1) * points * doubles
    later = growth(public, cards, falls, seat, kind, own, 1)
    if rule == Reward.PER_FIELD:
        f[F.FIELD] = later
    elif rule == Reward.PER_MEADOW_SELF_AND_NEIGHBOURS:
        f[F.MEADOW] = later
        f[F.DENY_MEADOW] = later * popcount(cards.neighbours[seat]) / (cards.seats - 1)
    elif rule == Reward.INITIATIVE_TIMES_RIVERS:
        f[F.RIVER] = later
    elif rule == Reward.MILESTONE_2_4 and own < 3:
        f[F.MOUNTAIN_FIRST + own] = later
    if kind == Type.FOREST and left > 0:
        f[F.FOREST] = carpenters_left(public, cards, seat)
    if own == 0:
        types = different(public, seat) + 1
        f[F.NEW_TYPE] = village_growth(public, cards, falls, seat)
        f[F.NEW_TYPE_BONUS] = bonus_of(cards, types) - bonus_of(cards, types - 1)
        f[F.NEW_TYPE_WAY] = cards.six_types * max(left - (TYPES - types), 0) / cards.rounds
    f[F.DENY] = deny(public, cards, falls, code)


@njit
def bonus_of(cards, types):
    """VB-7.2: the bonus for so many types."""
    return cards.five_types * np.int64(types == 5) + cards.six_types * np.int64(types == 6)


@njit
def deny(public, cards, falls, code):
    """The promise of a land to the seats that have still to act in this round, for each other seat."""
    total = 0.0
    for seat in range(cards.seats):
        if seat != public.actor and public.acted & bit(seat) == NONE:
            total += promise(public, cards, falls, seat, code, river_initiative(public, cards, seat))
    return total / (cards.seats - 1)


# --- Bard, Tracker, Rider, Pioneer (VB-D3, VB-D4, VB-D6, VB-D7) ------------------------------------------------------


@njit
def mean_standing(public, cards):
    """The mean of the others' points."""
    total = 0
    for seat in range(cards.seats):
        if seat != public.actor:
            total += public.standing[seat]
    return total / (cards.seats - 1)


@njit
def own_promise(public, cards, falls, row, place):
    """The promise of a land of a row to the one to decide."""
    seat = public.actor
    return promise(public, cards, falls, seat, public.row[row, place], river_initiative(public, cards, seat))


@njit
def others_promise(public, cards, falls, row, place):
    """The mean of the promise of a land of a row to the others."""
    total = 0.0
    for seat in range(cards.seats):
        if seat != public.actor:
            total += promise(public, cards, falls, seat, public.row[row, place], river_initiative(public, cards, seat))
    return total / (cards.seats - 1)


@njit
def best_of_rest(public, cards, falls, without):
    """The highest own promise in the first row but for one place; 0 where there is none."""
    best = 0.0
    for place in range(public.count[FIRST]):
        if place != without:
            best = max(best, own_promise(public, cards, falls, FIRST, place))
    return best


@njit
def track_features(public, cards, falls, row, place, f):
    """Of replacing a land by the top card of the Land deck."""
    own, others = own_promise(public, cards, falls, row, place), others_promise(public, cards, falls, row, place)
    if row == FIRST:
        f[F.TRACK_ROW] = 1.0
        f[F.TRACK_OWN] = own
        f[F.TRACK_BEST] = max(own - best_of_rest(public, cards, falls, place), 0.0)
        f[F.TRACK_OTHERS] = others
    else:
        f[F.TRACK_NEXT] = own - others


@njit
def ride_features(public, cards, falls, place, other, f):
    """Of exchanging a land of the first row for one of the second."""
    given, taken = own_promise(public, cards, falls, FIRST, place), own_promise(public, cards, falls, SECOND, other)
    f[F.RIDE_BEST] = max(taken, best_of_rest(public, cards, falls, place))
    f[F.RIDE_NEXT] = given - others_promise(public, cards, falls, FIRST, place)
    f[F.RIDE_TAKEN] = taken - others_promise(public, cards, falls, SECOND, other)


@njit
def settle_features(public, cards, falls, kind, f):
    """Of giving a land of a type for the bottom card of the Land deck."""
    seat = public.actor
    own = public.have[seat, kind] - 1
    if public.bottom == UNKNOWN:
        f[F.SETTLE_PAYS] = unseen_pays(public, cards, falls, kind)
    else:
        f[F.SETTLE_PAYS] = known_pays(public, cards, kind)
    f[F.SETTLE_LOSS] = growth(public, cards, falls, seat, kind, own, own)
    if kind == Type.FOREST:
        f[F.SETTLE_FOREST] = carpenters_left(public, cards, seat)
    f[F.SETTLE_LAST] = own == 0


@njit
def known_pays(public, cards, given):
    """What the land at the bottom of the Land deck pays when one of type `given` has left the Realm."""
    seat, kind = public.actor, cards.type[public.bottom]
    if cards.reward[kind] == Reward.PRINTED:
        return np.float64(cards.printed[public.bottom] * is_open(public, seat, kind))
    return pays_unseen(public, cards, seat, kind, given, river_initiative(public, cards, seat))


# --- What a position means -------------------------------------------------------------------------------------------


@njit
def value_features(public, me, cards, mind):
    """The features V of a position to the one to decide, into mind.features; the rest of it is 0."""
    f, falls, seat = mind.features, mind.scratch, public.actor
    for i in range(f.shape[0]):
        f[i] = 0.0
    count_falls(public, cards, falls)
    best = np.int64(-1)
    for other in range(cards.seats):
        share = 1.0 if other == seat else 1.0 / (cards.seats - 1)
        total = public.standing[other] + bonus(public, cards, other)
        f[V.LEAD] += total if other == seat else -share * total
        best = best if other == seat else max(best, total)
        add_realm(public, cards, falls, other, share, np.int64(other != seat), f)
    f[V.BEHIND_BEST] = best - public.standing[seat] - bonus(public, cards, seat)
    f[V.ROUNDS] = rounds_left(public, cards)
    initiative = river_initiative(public, cards, seat)
    f[V.BEST_NOW] = f[V.TO_ACT] * best_promise(public, cards, falls, FIRST, initiative)
    f[V.BEST_NEXT] = best_promise(public, cards, falls, SECOND, initiative)


@njit
def add_realm(public, cards, falls, seat, share, beyond, f):
    """A seat's part of the features; those of others lie `beyond` the own ones and are means, so have a `share`."""
    f[V.TO_ACT + beyond] += share * (public.acted & bit(seat) == NONE)
    types = different(public, seat)
    f[V.TYPES + beyond] += share * types
    f[V.VILLAGES + beyond] += share * types * village_growth(public, cards, falls, seat)
    f[V.FORESTS + beyond] += share * public.have[seat, Type.FOREST] * carpenters_left(public, cards, seat)
    f[V.FARMERS + beyond] += share * farmers_left(public, cards, seat)
    f[V.CARDS + beyond] += share * (public.hand[seat] + public.clan_deck[seat])
    for kind in range(TYPES):
        own = public.have[seat, kind]
        if cards.reward[kind] == Reward.MILESTONE_2_4:
            if own > 0:
                f[V.MOUNTAINS + beyond] += share * growth(public, cards, falls, seat, kind, own - 1, 1)
        else:
            f[V.GROWTH + beyond] += share * own * growth(public, cards, falls, seat, kind, own, 1)


@njit
def farmers_left(public, cards, seat):
    """A seat's characters that double and have not been played."""
    found = 0
    for character in range(cards.characters):
        if cards.effect[character] == Effect.DOUBLE_LAND and not is_denied(public, seat, character):
            played = public.revealed[seat] == character or public.discard[seat] & bit(character) != NONE
            found += 0 if played else 1
    return found


game.implement(features=(PUBLIC, features), value_features=(PUBLIC, value_features))
