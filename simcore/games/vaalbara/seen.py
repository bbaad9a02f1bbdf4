"""Vaalbara: what a seat can work out from what it sees."""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, first, popcount
from simcore.games.vaalbara.imagine import unseen_characters
from simcore.games.vaalbara.rules import different, is_open, neighbours_have, showable
from simcore.games.vaalbara.state import FIRST, TYPES, Effect, Reward


@njit
def pays(public, cards, seat, code, initiative):
    """VB-5: what a land would pay a seat that took it now, before any doubling, with a character of this initiative."""
    kind = np.uint64(cards.type[np.uint64(code)])
    own = public.have[np.uint64(seat), kind]
    types = different(public, np.uint64(seat)) + np.int64(own == 0)
    beside = neighbours_have(public, cards, np.uint64(seat), kind)
    points = pays_at(cards, kind, cards.printed[np.uint64(code)], own + 1, beside, types, initiative)
    return points * is_open(public, np.uint64(seat), kind)


@njit
def pays_at(cards, kind, printed, own, beside, types, initiative):
    """VB-5: the reward of a land of type `kind` by what it depends on.

    `own` lands of the type in the Realm and `beside` in those of the neighbours, `types` in the Realm, the new land
    counted.
    """
    unit, rule = cards.unit[np.uint64(kind)], cards.reward[np.uint64(kind)]
    if rule == Reward.PER_FIELD:
        return unit * own
    if rule == Reward.PRINTED:
        return printed
    if rule == Reward.MILESTONE_2_4:
        return cards.second * np.int64(own == 2) + cards.fourth * np.int64(own == 4)
    if rule == Reward.PER_MEADOW_SELF_AND_NEIGHBOURS:
        return unit * (own + beside)
    if rule == Reward.PER_DISTINCT_TYPE:
        return unit * types
    return unit * min(initiative, cards.river_cap) * own


# --- What is to come -------------------------------------------------------------------------------------------------


@njit
def rounds_left(public, cards):
    """Rounds after the present one."""
    return cards.rounds - public.played_rounds - 1


@njit
def count_falls(public, cards, falls):
    """By type, into falls[0..5]: the lands that fall to each seat in the rounds left, were they shared out evenly.

    Lands in no Realm and not in the first row are alike here, those of the second row too.
    """
    total = 0.0
    for kind in range(TYPES):
        falls[kind] = cards.kept[kind]
        for seat in range(cards.seats):
            falls[kind] -= public.have[seat, kind]
    for place in range(public.count[FIRST]):
        falls[cards.type[public.row[FIRST, place]]] -= 1.0
    for kind in range(TYPES):
        total += falls[kind]
    for kind in range(TYPES):
        falls[kind] *= rounds_left(public, cards) / max(total, 1.0)


@njit
def growth(public, cards, falls, seat, kind, own, known):
    """What a land of a type makes later lands pay to a seat that has `own` of it, by `falls` of `count_falls`.

    Later lands of banned types pay nothing. `known` is 0 where the type is new to the Realm: every later Village pays
    for it. A milestone counts with the chance that the lands that it lacks then fall to the seat.
    """
    rule, points = cards.reward[kind], 0.0
    later = falls[kind] * is_open(public, seat, kind)
    if rule == Reward.PER_FIELD or rule == Reward.PER_MEADOW_SELF_AND_NEIGHBOURS:
        points = cards.unit[kind] * later
    elif rule == Reward.INITIATIVE_TIMES_RIVERS:
        points = cards.unit[kind] * later * cards.mean_river
    elif rule == Reward.MILESTONE_2_4 and own < 3:
        missing = 1 if own != 1 else 2
        prize = cards.second if own == 0 else cards.fourth
        points = prize * min(1.0, later / missing) ** missing
    if known == 0:
        points += village_growth(public, cards, falls, seat)
    return points


@njit
def village_growth(public, cards, falls, seat):
    """What a further type makes later Villages pay."""
    points = 0.0
    for kind in range(TYPES):
        if cards.reward[kind] == Reward.PER_DISTINCT_TYPE:
            points += cards.unit[kind] * falls[kind] * is_open(public, seat, kind)
    return points


@njit
def promise(public, cards, falls, seat, code, initiative):
    """What a land would pay a seat that took it now, undoubled, and its `growth`; 0 where its type is banned."""
    kind = cards.type[code]
    if not is_open(public, seat, kind):
        return 0.0
    own = public.have[seat, kind]
    return pays(public, cards, seat, code, initiative) + growth(public, cards, falls, seat, kind, own, own)


@njit
def pays_unseen(public, cards, seat, kind, given, initiative):
    """What a land of a type with the mean print would pay, when one of type `given` (-1: none) has left the Realm."""
    if not is_open(public, seat, kind):
        return 0.0
    if cards.reward[kind] == Reward.PRINTED:
        return cards.mean_printed[kind]
    types = different(public, seat)
    own = public.have[seat, kind]
    if given >= 0:
        types -= np.int64(public.have[seat, given] == 1)
        own -= np.int64(kind == given)
    beside = neighbours_have(public, cards, seat, kind)
    return np.float64(pays_at(cards, kind, 0, own + 1, beside, types + np.int64(own == 0), initiative))


# --- What the others may hold ----------------------------------------------------------------------------------------


@njit
def expected_held(public, cards, seat, some):
    """How many of a set of characters another seat may be expected to hold: those that all know to be in its hand, and
    of the unseen ones its share.
    """
    known, hidden = public.known[seat], unseen_characters(public, cards, seat)
    chance = (public.hand[seat] - popcount(known)) / max(popcount(hidden), 1)
    held = 0.0
    some &= known | hidden
    while some != NONE:
        held += 1.0 if first(some) & known != NONE else chance
        some ^= first(some)
    return held


@njit
def chance_before(public, cards, seat, key):
    """The chance that another seat, playing any card of its hand alike, acts before a key of `rules.turn_key`."""
    tie, some = public.ranking[public.clan[seat]], NONE
    for character in range(cards.characters):
        if cards.initiative[character] * 8 + tie < key:
            some |= bit(character)
    return chance_played(public, cards, seat, some)


@njit
def chance_odd(public, cards, seat):
    """The chance that another seat, playing any card of its hand alike, plays an odd initiative."""
    some = NONE
    for character in range(cards.characters):
        if cards.initiative[character] & 1:
            some |= bit(character)
    return chance_played(public, cards, seat, some)


@njit
def chance_played(public, cards, seat, some):
    """The chance that another seat, playing any card of its hand alike, plays one of a set of characters.

    Those that are banned it may hold, but not play.
    """
    banned = public.banned[seat]
    choices = np.float64(public.hand[seat])
    if banned != NONE:
        choices -= expected_held(public, cards, seat, banned)
    return expected_held(public, cards, seat, some & ~banned) / max(choices, 1.0)


@njit
def is_denied(public, seat, character):
    """Whether a character is banned to a seat, or blank."""
    return (public.banned[seat] | public.blanked[seat]) & bit(character) != NONE


@njit
def kept_cards(public, me, seat):
    """The cards of a seat's own hand and clan deck that it may play in rounds to come, as far as it knows."""
    banned = public.banned[seat] & ~public.discard[seat]
    if public.revealed[seat] >= 0:
        banned &= ~bit(public.revealed[seat])
    return popcount(me.hand) + public.clan_deck[seat] - popcount(banned)


@njit
def fighters_expected(public, cards):
    """How many Fighters the others may be expected to hold."""
    found = 0.0
    for seat in range(cards.seats):
        if seat != public.actor:
            found += expected_held(public, cards, seat, showable(public, cards, seat))
    return found


@njit
def carpenters_left(public, cards, seat):
    """VP a Forest of the Carpenters that a seat has still to play."""
    points = 0
    for character in range(cards.characters):
        if cards.effect[character] == Effect.PER_FOREST and not is_denied(public, seat, character):
            played = public.revealed[seat] == character or public.discard[seat] & bit(character) != NONE
            points += 0 if played else cards.amount[character]
    return points


@njit
def others_later(cards, character):
    """The part of the other characters that have a higher initiative."""
    later = 0
    for other in range(cards.characters):
        later += np.int64(cards.initiative[other] > cards.initiative[character])
    return later / max(cards.characters - 1, 1)
