"""The uniform policy: every legal option alike. It plays any game."""

from numba import njit

from simcore.bots import Bot
from simcore.game import nth_option
from simcore.random import below


@njit
def uniform(public, me, cards, options, noise, mind):
    """Every legal option with the same probability; equal cards are options of their own."""
    return nth_option(options, below(noise, options.count))


BOTS = (Bot("uniform", None, "random", "Chooses every legal option with the same probability.", uniform),)
