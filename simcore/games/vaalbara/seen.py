"""Vaalbara: what a seat can work out from what it sees."""

import numpy as np
from numba import njit

from simcore.games.vaalbara.rules import different, neighbours_have
from simcore.games.vaalbara.state import Reward


@njit
def pays(public, cards, seat, code, initiative):
    """VB-5: what a land would pay a seat that took it now, before any doubling, with a character of this initiative."""
    kind = np.uint64(cards.type[np.uint64(code)])
    own = public.have[np.uint64(seat), kind]
    types = different(public, np.uint64(seat)) + np.int64(own == 0)
    beside = neighbours_have(public, cards, np.uint64(seat), kind)
    return pays_at(cards, kind, cards.printed[np.uint64(code)], own + 1, beside, types, initiative)


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
