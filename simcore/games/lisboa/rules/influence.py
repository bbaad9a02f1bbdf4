"""Lisboa: wigs, influence and money (L-6)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit
from simcore.games.lisboa.rules.events import Event, tell
from simcore.games.lisboa.rules.frames import ask
from simcore.games.lisboa.rules.numbers import ZERO
from simcore.games.lisboa.state import Decision, Power


@njit
def gain_wigs(public, cards, seat, wigs, part, news):
    """Wigs for a part of the score."""
    public.standing[seat] += wigs
    tell(news, ZERO, np.int64(part), seat, wigs)


@njit
def lose_wigs(public, cards, seat, wigs, news):
    """L-6.8: as far as there are any. Returns how many."""
    lost = min(wigs, public.standing[seat])
    public.standing[seat] -= lost
    tell(news, ZERO, Event.SPENT, seat, -lost)
    return lost


@njit
def raise_influence(public, cards, seat, points, news):
    """L-6.1, L-6.3: one gain event. The marker ends on a space, which may show a wig."""
    if points > 0:
        space = min(public.influence[seat] + points, cards.influence_max)
        public.influence[seat] = space
        if cards.space_wigs[space] > 0:
            gain_wigs(public, cards, seat, cards.space_wigs[space], Event.INFLUENCE, news)


@njit
def influence_gained(public, seat):
    """L-6.2: the size of a Gain Influence."""
    return public.icons[seat] + public.power[seat, Power.INFLUENCE_BONUS]


@njit
def gain_influence(public, cards, seat, news):
    """L-6.2."""
    raise_influence(public, cards, seat, influence_gained(public, seat), news)


@njit
def money(public, cards, seat):
    """L-6.6: reais, and the coins below the influence marker."""
    return public.reais[seat] + cards.coins[public.influence[seat]]


@njit
def ask_payment(public, cards, seat, cost, news):
    """L-6.6: ask how many of the reais to produce from influence. Without a choice (nothing to pay, or more than there
    is, L-7.7) it is paid at once. Returns whether it is asked.
    """
    reais, coins = public.reais[seat], cards.coins[public.influence[seat]]
    least, most = max(cost - reais, 0), min(cost, coins)
    if cost <= 0 or least > most:
        pay(public, cards, seat, min(cost, reais + coins), min(least, coins), news)
        return False
    public.cost = cost
    counts = bit(least)
    if cards.auto_payment == 0:
        counts = (bit(most + 1) - ONE) & ~(bit(least) - ONE)
    return ask(public, seat, Decision.PAYMENT, counts)


@njit
def pay(public, cards, seat, cost, coins, news):
    """L-6.5: so many reais, `coins` of them produced from influence."""
    public.reais[seat] -= cost - coins
    public.influence[seat] = cards.space_after[public.influence[seat], coins]
    public.cost = 0
    tell(news, ZERO, Event.COINS_PRODUCED, seat, coins)


@njit
def affords(cost, purse):
    """`NONE` or all ones: for masks."""
    return NONE - np.uint64(cost <= purse)
