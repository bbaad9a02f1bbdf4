"""Bids: bots, some of them bad."""

import numpy as np
from numba import njit

from simcore.bots import Bot
from simcore.game import nth_option
from simcore.random import below
from tests.simcore.toygame.state import PAY, REFUSE, Decision


@njit
def dice(public, me, cards, options, noise, mind):
    """Counts its decisions and answers by its first weight."""
    mind.memory[0] += np.uint64(1)
    if public.decision == Decision.ANSWER:
        return PAY if mind.weights[0] > 0.0 else REFUSE
    return nth_option(options, below(noise, options.count))


@njit
def greedy(public, me, cards, options, noise, mind):
    """Bids its last card in the order of the table, names the first other seat, refuses."""
    if public.decision == Decision.ANSWER:
        return REFUSE
    return nth_option(options, options.count - 1 if public.decision == Decision.BID else 0)


@njit
def negative(public, me, cards, options, noise, mind):
    return -1


@njit
def huge(public, me, cards, options, noise, mind):
    return (1 << 32) - 1


@njit
def absent(public, me, cards, options, noise, mind):
    """From trick 2 of round 2 on it bids a card that it does not hold."""
    if public.rounds == 1 and public.trick == 1 and public.decision == Decision.BID:
        return nth_option(options, 0) + 1
    return nth_option(options, 0)


@njit
def fraction(public, me, cards, options, noise, mind):
    return 8.5


BOTS = (
    Bot("dice", "bids", "random", "Chooses at random, refuses to pay.", dice, (0.0, 1.0)),
    Bot("payer", "bids", "simple", "Chooses at random, pays.", dice, (1.0,)),
    Bot("greedy", "bids", "expert", "Bids its last card.", greedy),
)
BAD_BOTS = tuple(
    Bot(policy.__name__, "bids", "random", "Plays against the rules.", policy)
    for policy in (negative, huge, absent, fraction)
)
