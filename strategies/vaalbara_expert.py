"""Vaalbara: the expert.

Everything is counted in victory points. A land is worth what it pays now and what it makes later lands pay: more
Fields and Rivers, a step towards the second or fourth Mountain, a new type for Villages and for the bonus at the end.
How much comes later goes with the rounds that are left and with the lands that are still to come.

A character is worth what its effect is expected to give in this round, and the land that it is expected to get, less
what it is worth if it is kept. What it gives and gets goes with who acts before: every other seat plays any card that
it may hold, known ones more likely, and those who act before take the lands that are worth most to them. All sets of
seats that may act before are gone through.

Of what it may do it takes what is worth most. Amounts, effects and numbers come from the card set.
"""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, first, lowest, popcount
from simcore.bots import Bot
from simcore.games.vaalbara.rules import different, effect_of, is_open, playable, turn_key
from simcore.games.vaalbara.seen import (
    carpenters_left,
    chance_before,
    chance_odd,
    fighters_expected,
    kept_cards,
    others_later,
    pays,
    pays_at,
    rounds_left,
)
from simcore.games.vaalbara.state import (
    FIRST,
    ROW,
    SEATS,
    SECOND,
    TYPES,
    UNKNOWN,
    Decision,
    Effect,
    Reward,
    Type,
)
from strategies.vaalbara import DECIDE


class P(IntEnum):
    """Places of the parameters in `mind.weights`."""

    FUTURE = 0  # factor on what a land makes later lands pay
    FOLLOW = 1  # lands of a type that a seat gets, for each that falls to it by its share of the lands to come
    FOLLOW_SEATS = 2  # what each seat beyond the second adds to that: a longer row is a wider choice
    MOUNTAINS = 3  # the same for types that pay by milestones, as a factor on both
    BONUS = 4  # chance in a round to get a certain missing type
    MEADOW_GIFT = 5  # part of a neighbour's gain by one's own Meadow that counts as a loss
    CARPENTER_AHEAD = 6  # chance that a Carpenter that is left meets a Forest taken now
    THEIR_FUTURE = 7  # FUTURE as the others are thought to count
    DENY = 8  # part of what the others get that counts as a loss, taken together
    WANTED = 9  # the same at the choice of the character, for their mean worth of the land
    NEXT = 10  # weight of what lies in the second row, in differences between one's own worth and theirs
    KEEP = 11  # factor on what a kept character is worth
    KEEP_EARLY = 12  # VP for each other seat that a kept character is expected to act before
    # What an effect is worth that is kept: a part of its full amount, or VP.
    KEEP_FIGHTER = 13  # VP
    KEEP_BARD = 14  # part
    KEEP_HUNTER = 15  # part
    KEEP_ORACLE = 16  # part
    KEEP_CARPENTER = 17  # part, for the Forests there are and expected
    KEEP_FALCONER = 18  # part
    KEEP_TRACKER = 19  # VP
    KEEP_MIDWIFE = 20  # VP
    KEEP_RIDER = 21  # VP
    KEEP_ARTISAN = 22  # part
    KEEP_PIONEER = 23  # part of what a land pays on average
    KEEP_FARMER = 24  # part of what the best land in sight pays
    KEEP_GROWTH = 25  # VP that this best land gains in each round that is left
    TRACKER = 26  # part of the gain by an unknown land that counts, when a Tracker is chosen
    RIDER = 27  # the same for a Rider
    PIONEER = 28  # the same for a Pioneer
    MIDWIFE = 29  # part of the worth of the best character that can be brought back


# Fitted by play on common deals at three seats: CMA-ES on the mean margin over greedy_land and the fit's own earlier
# states, 48 generations of 14 candidates, 100 deals each,
#   fairdeal train vaalbara --bot expert --cards default --seats 3 --against greedy_land --generations 48
#     --population 14 --deals 100 --step 0.25
# from guesses. These beat the guesses at tables that the fit has not played at: by 3.1, 3.0 and 2.6 points a game with
# 2, 4 and 5 seats (standard errors 0.4, 0.3, 0.2; 400 deals in all seats).
PARAMETERS = {
    P.FUTURE: 1.019,
    P.FOLLOW: 0.9539,
    P.FOLLOW_SEATS: -0.0196,
    P.MOUNTAINS: 1.561,
    P.BONUS: 0.7779,
    P.MEADOW_GIFT: 0.1897,
    P.CARPENTER_AHEAD: 0.5535,
    P.THEIR_FUTURE: 0.6293,
    P.DENY: 0.5253,
    P.WANTED: 0.06489,
    P.NEXT: 0.1694,
    P.KEEP: 0.4833,
    P.KEEP_EARLY: -0.3769,
    P.KEEP_FIGHTER: -0.4504,
    P.KEEP_BARD: -0.7033,
    P.KEEP_HUNTER: 0.2291,
    P.KEEP_ORACLE: 0.08618,
    P.KEEP_CARPENTER: 1.641,
    P.KEEP_FALCONER: 0.3408,
    P.KEEP_TRACKER: 0.1252,
    P.KEEP_MIDWIFE: 2.111,
    P.KEEP_RIDER: 1.467,
    P.KEEP_ARTISAN: -0.06003,
    P.KEEP_PIONEER: 2.081,
    P.KEEP_FARMER: 0.6126,
    P.KEEP_GROWTH: 0.4393,
    P.TRACKER: 1.532,
    P.RIDER: 0.7777,
    P.PIONEER: 0.8745,
    P.MIDWIFE: 1.196,
}

# Places in `mind.scratch`, filled for one decision.
COMING = 0  # by type: its share of the lands that are still to come
AHEAD = 8  # 8 * seat + type: what a further land of the type makes later lands pay; 0 where it is banned
WORTH = 48  # 8 * seat + place: what a land of the first row is worth to a seat
NEXT_WORTH = 88  # by place: what a land of the second row is worth to the one to decide
NEXT_WANTED = 96  # by place: the mean of what it is worth to the others
VALUE = 104  # by place: what a land of the first row is worth with a character
LEFT = 112  # by set of seats: the lands that these leave in the first row, as a set of places
MEAN = 144  # what a land pays on average, and the best in sight
BEST = 145
RANDOM = 146  # what an unseen land is worth to the one to decide, and to the others
RANDOM_THEIRS = 147
BEFORE = 148  # by seat: the chance that it acts before


@njit
def expert(public, me, cards, options, noise, mind):
    """The option that is worth most; of equals, the first."""
    decision = public.decision
    if decision == Decision.SHOW_FIGHTER:
        return DECIDE * Decision.SHOW_FIGHTER + np.int64(cards.amount[public.revealed[public.active]] > 0)
    if decision == Decision.BARD:
        return DECIDE * Decision.BARD + last_of_others(public, cards)
    look(public, cards, mind)
    if decision == Decision.TAKE:
        return choose_land(public, cards, mind)
    look_at_pay(public, cards, mind)
    if decision == Decision.CHARACTER:
        return choose_character(public, me, cards, mind)
    if decision == Decision.MIDWIFE:
        return choose_recovered(public, cards, options, mind)
    if decision == Decision.PIONEER:
        return choose_pioneer(public, cards, mind)
    look_further(public, cards, mind)
    if decision == Decision.RIDER:
        return choose_ride(public, cards, mind)
    return choose_track(public, cards, mind)


@njit
def last_of_others(public, cards):
    """The other seat with the fewest points: what it is given helps it least."""
    chosen = -1
    for seat in range(cards.seats):
        if seat != public.actor and (chosen < 0 or public.standing[seat] < public.standing[chosen]):
            chosen = seat
    return chosen


# --- What is to come -------------------------------------------------------------------------------------------------


@njit
def look(public, cards, mind):
    """Fill COMING, AHEAD and WORTH for this position."""
    count_coming(public, cards, mind)
    for seat in range(cards.seats):
        types = different(public, seat)
        for kind in range(TYPES):
            own = public.have[seat, kind]
            points = ahead(public, cards, mind, seat, kind, own, types)
            mind.scratch[AHEAD + 8 * seat + kind] = points * is_open(public, seat, kind)
        for place in range(public.count[FIRST]):
            mind.scratch[WORTH + 8 * seat + place] = worth(public, cards, mind, seat, public.row[FIRST, place])


@njit
def count_coming(public, cards, mind):
    """COMING: of the lands for the rounds that are left, the second row counts as it lies, the rest by its chance."""
    s = mind.scratch
    unseen = 0.0
    for kind in range(TYPES):
        left = np.float64(cards.kept[kind])
        for seat in range(cards.seats):
            left -= public.have[seat, kind]
        s[COMING + kind] = left
    for row in range(2):
        for place in range(public.count[row]):
            s[COMING + cards.type[public.row[row, place]]] -= 1.0
    for kind in range(TYPES):
        unseen += s[COMING + kind]
    wanted = np.float64(cards.seats * rounds_left(public, cards))
    share = max(wanted - public.count[SECOND], 0.0) / max(unseen, 1.0)
    for kind in range(TYPES):
        s[COMING + kind] *= share
    for place in range(public.count[SECOND]):
        s[COMING + cards.type[public.row[SECOND, place]]] += 1.0
    for kind in range(TYPES):
        s[COMING + kind] /= max(wanted, 1.0)


@njit
def look_at_pay(public, cards, mind):
    """MEAN, BEST and RANDOM."""
    s, seat = mind.scratch, public.actor
    initiative = own_initiative(public, cards, seat)
    total, best = 0.0, 0.0
    for row in range(2):
        for place in range(public.count[row]):
            points = np.float64(pays(public, cards, seat, public.row[row, place], initiative))
            total += points
            best = max(best, points)
    s[MEAN], s[BEST] = total / max(1, public.count[FIRST] + public.count[SECOND]), best
    s[RANDOM] = unseen_worth(public, cards, mind, seat)


@njit
def unseen_worth(public, cards, mind, seat):
    """What an unseen land is worth to a seat, the types by COMING."""
    total, weight = 0.0, 0.0
    for kind in range(TYPES):
        chance = mind.scratch[COMING + kind]
        total += chance * worth_of_kind(public, cards, mind, seat, kind)
        weight += chance
    return total / max(weight, 1e-9)


@njit
def look_further(public, cards, mind):
    """NEXT_WORTH, NEXT_WANTED and RANDOM_THEIRS."""
    s, seat = mind.scratch, public.actor
    for place in range(public.count[SECOND]):
        code = public.row[SECOND, place]
        s[NEXT_WORTH + place] = worth(public, cards, mind, seat, code)
        s[NEXT_WANTED + place] = wanted_by_others(public, cards, mind, code)
    theirs = 0.0
    for other in range(cards.seats):
        if other != seat:
            theirs += unseen_worth(public, cards, mind, other)
    s[RANDOM_THEIRS] = theirs / (cards.seats - 1)


@njit
def own_initiative(public, cards, seat):
    """The initiative that a seat's Rivers count with: that of its character, else the mean one."""
    if public.revealed[seat] >= 0:
        return cards.initiative[public.revealed[seat]]
    return np.int64(cards.mean_river + 0.5)


@njit
def worth(public, cards, mind, seat, code):
    """What a land is worth to a seat in its turn of this round: nothing where its type is banned."""
    points = np.float64(pays(public, cards, seat, code, own_initiative(public, cards, seat)))
    character = public.revealed[seat]
    if character >= 0 and effect_of(public, cards, seat, character) == Effect.DOUBLE_LAND:
        points *= cards.farmer_factor
    future = mind.weights[P.FUTURE] if seat == public.actor else mind.weights[P.THEIR_FUTURE]
    return points + future * mind.scratch[AHEAD + 8 * seat + cards.type[code]]


@njit
def worth_of_kind(public, cards, mind, seat, kind):
    """The same of a land of a type, whatever it prints."""
    if not is_open(public, seat, kind):
        return 0.0
    own = public.have[seat, kind]
    points = expected_pay(public, cards, mind, seat, kind, own + 1, different(public, seat) + np.int64(own == 0))
    future = mind.weights[P.FUTURE] if seat == public.actor else mind.weights[P.THEIR_FUTURE]
    return points + future * mind.scratch[AHEAD + 8 * seat + kind]


@njit
def expected_pay(public, cards, mind, seat, kind, own, types):
    """What a land of a type pays, with its mean print, when there are so many of it and so many types."""
    if cards.reward[kind] == Reward.PRINTED:
        return cards.mean_printed[kind]
    beside = 0
    for other in range(cards.seats):
        if cards.neighbours[seat] & bit(other) != NONE:
            beside += public.have[other, kind]
    initiative = own_initiative(public, cards, seat)
    return np.float64(pays_at(cards, kind, 0, own, beside, types, initiative))


@njit
def wanted_by_others(public, cards, mind, code):
    """The mean of what a land is worth to the others."""
    total = 0.0
    for seat in range(cards.seats):
        if seat != public.actor:
            total += worth(public, cards, mind, seat, code)
    return total / (cards.seats - 1)


# --- What a land makes later lands pay -------------------------------------------------------------------------------


@njit
def expected_takes(public, cards, mind, seat, kind):
    """How many lands of a type a seat that wants them may expect to get after this round: none of a banned one."""
    weights = mind.weights
    follow = weights[P.FOLLOW] + weights[P.FOLLOW_SEATS] * (cards.seats - 2)
    return follow * mind.scratch[COMING + kind] * rounds_left(public, cards) * is_open(public, seat, kind)


@njit
def ahead(public, cards, mind, seat, kind, own, types):
    """What one more land of a type makes later lands pay to a seat with `own` of it and so many types."""
    weights, rule, unit = mind.weights, cards.reward[kind], cards.unit[kind]
    takes = expected_takes(public, cards, mind, seat, kind)
    points = 0.0
    if rule == Reward.PER_FIELD:
        points = unit * takes
    elif rule == Reward.INITIATIVE_TIMES_RIVERS:
        points = unit * takes * cards.mean_river
    elif rule == Reward.PER_MEADOW_SELF_AND_NEIGHBOURS:
        points = unit * takes * (1.0 - weights[P.MEADOW_GIFT] * popcount(cards.neighbours[seat]) / (cards.seats - 1))
    elif rule == Reward.MILESTONE_2_4:
        points = milestones_ahead(public, cards, mind, takes, own + 1)
        points -= milestones_ahead(public, cards, mind, takes, own)
    if own == 0:
        points += new_type_ahead(public, cards, mind, seat, types)
    if kind == Type.FOREST:
        points += carpenter_ahead(public, cards, mind, seat)
    return points


@njit
def milestones_ahead(public, cards, mind, takes, own):
    """VB-5.5: what the second and the fourth may be expected to pay when there are `own` now."""
    left = rounds_left(public, cards)
    chance = min(0.95, mind.weights[P.MOUNTAINS] * takes / max(left, 1))
    points = 0.0
    if own < 2:
        points += cards.second * at_least(2 - own, left, chance)
    if own < 4:
        points += cards.fourth * at_least(4 - own, left, chance)
    return points


@njit
def at_least(wanted, tries, chance):
    """The probability of so many successes or more."""
    if wanted > tries:
        return 0.0
    fail = 1.0 - chance
    term = fail**tries
    below = 0.0
    for found in range(wanted):
        below += term
        term *= chance / fail * (tries - found) / (found + 1)
    return 1.0 - below


@njit
def new_type_ahead(public, cards, mind, seat, types):
    """VB-5.4, VB-7.2: a further type counts in every later Village, and brings the bonus nearer."""
    points = bonus_ahead(public, cards, mind, types + 1) - bonus_ahead(public, cards, mind, types)
    for kind in range(TYPES):
        if cards.reward[kind] == Reward.PER_DISTINCT_TYPE:
            points += cards.unit[kind] * expected_takes(public, cards, mind, seat, kind)
    return points


@njit
def bonus_ahead(public, cards, mind, types):
    """The bonus that may be expected when there are so many types now."""
    left = rounds_left(public, cards)
    all_six = collects(mind, TYPES - types, left)
    five = collects(mind, TYPES - 1 - types, left) - all_six
    return cards.six_types * all_six + cards.five_types * five


@njit
def collects(mind, missing, left):
    """The chance to get so many certain types in so many rounds."""
    if missing <= 0:
        return 1.0
    if missing > left:
        return 0.0
    return (1.0 - (1.0 - mind.weights[P.BONUS]) ** (left - missing + 1)) ** missing


@njit
def carpenter_ahead(public, cards, mind, seat):
    """What a Forest adds to the Carpenters that a seat has not played."""
    if rounds_left(public, cards) == 0:
        return 0.0
    return mind.weights[P.CARPENTER_AHEAD] * carpenters_left(public, cards, seat)


# --- The character (VB-D1) -------------------------------------------------------------------------------------------


@njit
def choose_character(public, me, cards, mind):
    """The character that gives most in this round, less what it is worth if it is kept."""
    foresee_rows(public, cards, mind)
    best, most = -1, 0.0
    hand = playable(public, public.actor, me.hand)
    while hand != NONE:
        character = lowest(hand)
        hand ^= first(hand)
        points = round_worth(public, me, cards, mind, character) - kept_worth(public, me, cards, mind, character)
        mind.estimates[DECIDE * Decision.CHARACTER + character] = points
        if best < 0 or points > most:
            best, most = character, points
    return DECIDE * Decision.CHARACTER + best


@njit
def foresee_rows(public, cards, mind):
    """LEFT: for every set of other seats, the lands that are left when each has taken what is worth most to it."""
    s = mind.scratch
    s[LEFT] = np.float64((1 << public.count[FIRST]) - 1)
    for seats in range(1, 1 << cards.seats):
        last = cards.seats - 1
        while not (seats >> last) & 1:
            last -= 1
        before = np.int64(s[LEFT + (seats ^ (1 << last))])
        s[LEFT + seats] = np.float64(before & ~(1 << favourite(public, mind, last, before)))


@njit
def favourite(public, mind, seat, left):
    """The place of the land that is worth most to a seat among those left; 0 where there are none."""
    best, most = 0, -1e18
    for place in range(public.count[FIRST]):
        points = mind.scratch[WORTH + 8 * seat + place]
        if (left >> place) & 1 and points > most:
            best, most = place, points
    return best


@njit
def round_worth(public, me, cards, mind, character):
    """What a character is expected to give in this round: its effect, and its land."""
    seat = public.actor
    effect, amount = effect_of(public, cards, seat, character), cards.amount[character]
    value_lands(public, cards, mind, character)
    key = cards.initiative[character] * 8 + public.ranking[public.clan[seat]]
    s = mind.scratch
    chances = s[BEFORE : BEFORE + SEATS]
    for other in range(cards.seats):
        chances[other] = 0.0 if other == seat else chance_before(public, cards, other, key)
    neighbours = np.int64(cards.neighbours[seat])
    points = 0.0
    for seats in range(1 << cards.seats):
        if (seats >> seat) & 1:
            continue
        chance = 1.0
        for other in range(cards.seats):
            if other != seat:
                chance *= chances[other] if (seats >> other) & 1 else 1.0 - chances[other]
        if chance == 0.0:
            continue
        gained = land_worth(public, cards, mind, effect, np.int64(s[LEFT + seats]))
        if effect == Effect.BEFORE_NEIGHBOURS:
            gained += amount * np.int64(seats & neighbours == 0)
        elif effect == Effect.AFTER_NEIGHBOURS:
            gained += amount * np.int64(seats & neighbours == neighbours)
        elif effect == Effect.STEAL_PREVIOUS:
            gained += amount * np.int64(seats != 0) * (1.0 + mind.weights[P.DENY] / (cards.seats - 1))
        points += chance * gained
    return points + sure_worth(public, me, cards, mind, character)


@njit
def value_lands(public, cards, mind, character):
    """VALUE, and NEXT_WORTH: what each land is worth with a character."""
    s, seat = mind.scratch, public.actor
    times = cards.farmer_factor if effect_of(public, cards, seat, character) == Effect.DOUBLE_LAND else 1
    future, initiative = mind.weights[P.FUTURE], cards.initiative[character]
    for place in range(public.count[FIRST]):
        code = public.row[FIRST, place]
        reward = np.float64(times * pays(public, cards, seat, code, initiative))
        s[VALUE + place] = reward + future * s[AHEAD + 8 * seat + cards.type[code]]
    for place in range(public.count[SECOND]):
        code = public.row[SECOND, place]
        reward = np.float64(times * pays(public, cards, seat, code, initiative))
        s[NEXT_WORTH + place] = reward + future * s[AHEAD + 8 * seat + cards.type[code]]


@njit
def land_worth(public, cards, mind, effect, left):
    """The best of the lands left, with what a Rider or a Tracker may make of the row."""
    s, best = mind.scratch, -1e18
    for place in range(public.count[FIRST]):
        if (left >> place) & 1:
            best = max(best, s[VALUE + place])
    if effect == Effect.SWAP_ROWS:
        other = best
        for place in range(public.count[SECOND]):
            other = max(other, s[NEXT_WORTH + place])
        return best + mind.weights[P.RIDER] * (other - best)
    if effect == Effect.SWAP_ROW_DECKTOP:
        return best + mind.weights[P.TRACKER] * max(s[RANDOM] - best, 0.0)
    return best


@njit
def sure_worth(public, me, cards, mind, character):
    """What an effect gives whoever acts first."""
    seat, amount = public.actor, cards.amount[character]
    effect = effect_of(public, cards, seat, character)
    loss = mind.weights[P.DENY] / (cards.seats - 1)
    if effect == Effect.OTHERS_REVEAL_FIGHTER:
        return amount * (cards.fighter_pays_owner - loss * fighters_expected(public, cards))
    if effect == Effect.GIVE_OTHER:
        return -loss * amount
    if effect == Effect.ODD_NEIGHBOURS:
        points = 0.0
        for other in range(cards.seats):
            if cards.neighbours[seat] & bit(other) != NONE:
                points += amount * chance_odd(public, cards, other)
        return points
    if effect == Effect.PER_FOREST:
        return np.float64(amount * public.have[seat, Type.FOREST])
    if effect == Effect.RECOVER_CHARACTER:
        return mind.weights[P.MIDWIFE] * best_recovered(public, me, cards, mind)
    if effect == Effect.SWAP_REALM_DECKBOTTOM and public.lands[seat] > 0:
        return mind.weights[P.PIONEER] * best_settling(public, cards, mind)
    return 0.0


# --- What a character is worth that is kept --------------------------------------------------------------------------


@njit
def kept_worth(public, me, cards, mind, character):
    """What is given up by playing a character now: its worth later, with the chance that it will be played."""
    left = rounds_left(public, cards)
    chance = min(1.0, left / max(kept_cards(public, me, public.actor) - 1, 1))
    return mind.weights[P.KEEP] * chance * later_worth(public, cards, mind, character)


@njit
def later_worth(public, cards, mind, character):
    """What a character is worth in a round to come."""
    w, s, seat = mind.weights, mind.scratch, public.actor
    effect, amount = effect_of(public, cards, seat, character), cards.amount[character]
    points = w[P.KEEP_EARLY] * (cards.seats - 1) * others_later(cards, character)
    if effect == Effect.OTHERS_REVEAL_FIGHTER:
        return points + w[P.KEEP_FIGHTER] + amount * cards.fighter_pays_owner
    if effect == Effect.GIVE_OTHER:
        return points + w[P.KEEP_BARD] * amount
    if effect == Effect.BEFORE_NEIGHBOURS:
        return points + w[P.KEEP_HUNTER] * amount
    if effect == Effect.ODD_NEIGHBOURS:
        return points + w[P.KEEP_ORACLE] * amount * popcount(cards.neighbours[seat])
    if effect == Effect.PER_FOREST:
        forests = public.have[seat, Type.FOREST] + expected_takes(public, cards, mind, seat, Type.FOREST) / 2
        return points + w[P.KEEP_CARPENTER] * amount * forests
    if effect == Effect.STEAL_PREVIOUS:
        return points + w[P.KEEP_FALCONER] * amount
    if effect == Effect.SWAP_ROW_DECKTOP:
        return points + w[P.KEEP_TRACKER]
    if effect == Effect.RECOVER_CHARACTER:
        return points + w[P.KEEP_MIDWIFE]
    if effect == Effect.SWAP_ROWS:
        return points + w[P.KEEP_RIDER]
    if effect == Effect.AFTER_NEIGHBOURS:
        return points + w[P.KEEP_ARTISAN] * amount
    if effect == Effect.SWAP_REALM_DECKBOTTOM:
        return points + w[P.KEEP_PIONEER] * s[MEAN]
    if effect == Effect.DOUBLE_LAND:
        growth = w[P.KEEP_GROWTH] * rounds_left(public, cards)
        return points + w[P.KEEP_FARMER] * (cards.farmer_factor - 1) * (s[BEST] + growth)
    return points


@njit
def best_recovered(public, me, cards, mind):
    """What the best character is worth that a Midwife could bring back, with the chance that it will be played."""
    seat = public.actor
    left = rounds_left(public, cards)
    chance = min(1.0, left / max(kept_cards(public, me, seat), 1))
    found, best = public.discard[seat] & ~cards.midwives, 0.0
    while found != NONE:
        best = max(best, later_worth(public, cards, mind, lowest(found)))
        found ^= first(found)
    return chance * best


@njit
def choose_recovered(public, cards, options, mind):
    """VB-D5: the character that will be worth most."""
    found, chosen, most = options.mask[Decision.MIDWIFE], -1, 0.0
    while found != NONE:
        character = lowest(found)
        found ^= first(found)
        points = later_worth(public, cards, mind, character)
        mind.estimates[DECIDE * Decision.MIDWIFE + character] = points
        if chosen < 0 or points > most:
            chosen, most = character, points
    return DECIDE * Decision.MIDWIFE + chosen


# --- The land (VB-D8) ------------------------------------------------------------------------------------------------


@njit
def choose_land(public, cards, mind):
    """The land that is worth most, less what the seats after it then get."""
    best, most = -1, 0.0
    everything = (1 << public.count[FIRST]) - 1
    for place in range(public.count[FIRST]):
        if public.barred & bit(place) != NONE:
            continue
        points = mind.scratch[WORTH + 8 * public.actor + place]
        points -= loss_to_others(public, cards, mind, everything & ~(1 << place))
        mind.estimates[DECIDE * Decision.TAKE + place] = points
        if best < 0 or points > most:
            best, most = place, points
    return DECIDE * Decision.TAKE + best


@njit
def loss_to_others(public, cards, mind, left):
    """What counts as a loss of what the seats that have still to act get, each taking what is worth most to it."""
    if left == 0:
        return 0.0
    total, passed = 0.0, public.acted | bit(public.actor)
    for _ in range(cards.seats - popcount(passed)):
        seat = next_seat(public, cards, passed)
        passed |= bit(seat)
        place = favourite(public, mind, seat, left)
        total += mind.scratch[WORTH + 8 * seat + place]
        left &= ~(1 << place)
    return mind.weights[P.DENY] * total / (cards.seats - 1)


@njit
def next_seat(public, cards, passed):
    """VB-4.3: the next to act when those in a set have."""
    best, chosen = np.int64(1) << 62, 0
    for seat in range(cards.seats):
        key = turn_key(public, cards, seat)
        if passed & bit(seat) == NONE and key < best:
            best, chosen = key, seat
    return chosen


# --- Rider, Tracker, Pioneer (VB-D4, VB-D6, VB-D7) -------------------------------------------------------------------


@njit
def best_but(public, mind, without):
    """What the best land of the first row is worth to the one to decide, one place left out."""
    best = -1e18
    for place in range(public.count[FIRST]):
        if place != without:
            best = max(best, mind.scratch[WORTH + 8 * public.actor + place])
    return best


@njit
def edge(public, cards, mind, place):
    """What a land of the first row is worth to the one to decide beyond what it is worth to the others."""
    return mind.scratch[WORTH + 8 * public.actor + place] - wanted_by_others(
        public, cards, mind, public.row[FIRST, place]
    )


@njit
def choose_ride(public, cards, mind):
    """The pair that leaves the best land to take, and the best second row."""
    s, best, most = mind.scratch, -1, 0.0
    for place in range(public.count[FIRST]):
        rest, given = best_but(public, mind, place), edge(public, cards, mind, place)
        for other in range(public.count[SECOND]):
            change = given - (s[NEXT_WORTH + other] - s[NEXT_WANTED + other])
            points = max(rest, s[NEXT_WORTH + other]) + mind.weights[P.NEXT] * change
            points -= mind.weights[P.WANTED] * (s[NEXT_WANTED + other] if rest > s[NEXT_WORTH + other] else 0.0)
            mind.estimates[DECIDE * Decision.RIDER + ROW * place + other] = points
            if best < 0 or points > most:
                best, most = ROW * place + other, points
    return DECIDE * Decision.RIDER + best


@njit
def choose_track(public, cards, mind):
    """The land to be replaced by an unseen one."""
    s, best, most = mind.scratch, -1, 0.0
    mine, theirs = s[RANDOM], s[RANDOM_THEIRS]
    if public.top != UNKNOWN:
        mine = worth(public, cards, mind, public.actor, public.top)
        theirs = wanted_by_others(public, cards, mind, public.top)
    for place in range(public.count[FIRST]):
        rest = best_but(public, mind, place)
        wanted = wanted_by_others(public, cards, mind, public.row[FIRST, place])
        points = max(rest, mine) + mind.weights[P.WANTED] * (wanted - theirs)
        mind.estimates[DECIDE * Decision.TRACKER + place] = points
        if best < 0 or points > most:
            best, most = place, points
    rest = best_but(public, mind, -1)
    for place in range(public.count[SECOND]):
        change = (mine - theirs) - (s[NEXT_WORTH + place] - s[NEXT_WANTED + place])
        points = rest + mind.weights[P.NEXT] * change
        mind.estimates[DECIDE * Decision.TRACKER + ROW + place] = points
        if points > most:
            best, most = ROW + place, points
    return DECIDE * Decision.TRACKER + best


@njit
def settling(public, cards, mind, kind):
    """VB-6.11: what giving a land of a type for the one at the bottom of the Land deck is worth."""
    seat, future = public.actor, mind.weights[P.FUTURE]
    own = public.have[seat, kind]
    types = different(public, seat) - np.int64(own == 1)
    points = -future * ahead(public, cards, mind, seat, kind, own - 1, types)
    if public.bottom != UNKNOWN:
        new = cards.type[public.bottom]
        return points + arrival(public, cards, mind, kind, new, types, cards.printed[public.bottom])
    total, weight = 0.0, 0.0
    for new in range(TYPES):
        chance = mind.scratch[COMING + new] + 1e-6
        printed = cards.mean_printed[new]
        total += chance * arrival(public, cards, mind, kind, new, types, printed)
        weight += chance
    return points + total / weight


@njit
def arrival(public, cards, mind, given, kind, types, printed):
    """What a land of a type is worth that comes when one of another has gone; `types` are those without it."""
    seat = public.actor
    own = public.have[seat, kind] - np.int64(kind == given)
    if not is_open(public, seat, kind):
        return 0.0
    after = types + np.int64(own == 0)
    pay = printed
    if cards.reward[kind] != Reward.PRINTED:
        pay = expected_pay(public, cards, mind, seat, kind, own + 1, after)
    return pay + mind.weights[P.FUTURE] * ahead(public, cards, mind, seat, kind, own, types)


@njit
def best_settling(public, cards, mind):
    """The most that a Pioneer can be expected to give."""
    best = -1e18
    for kind in range(TYPES):
        if public.have[public.actor, kind] > 0:
            best = max(best, settling(public, cards, mind, kind))
    return best


@njit
def choose_pioneer(public, cards, mind):
    """The land that is given."""
    best, most = -1, 0.0
    for place in range(public.lands[public.actor]):
        points = settling(public, cards, mind, cards.type[public.realm[public.actor, place]])
        mind.estimates[DECIDE * Decision.PIONEER + place] = points
        if best < 0 or points > most:
            best, most = place, points
    return DECIDE * Decision.PIONEER + best


BOTS = (
    Bot(
        "expert",
        "vaalbara",
        "expert",
        "Weighs what each character and land is expected to give now and later.",
        expert,
        tuple(PARAMETERS[parameter] for parameter in P),
        parameters=tuple(parameter.name.lower() for parameter in P),
    ),
)
