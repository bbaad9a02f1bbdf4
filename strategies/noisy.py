"""Lost Cities: the expert with a trembling hand, nearly as strong: it shows how finely two bots can be told apart."""

from numba import njit

from simcore.bots import Bot
from simcore.game import nth_option
from simcore.random import below
from strategies import lost_cities_expert
from strategies.lost_cities_expert import expert

TREMBLE = 100  # one decision in so many is random; at 10 it would lose 26 points a round, at 100 it loses 2.5


@njit
def expert_noisy(public, me, cards, options, noise, mind):
    """The expert's action, or with probability 1 / TREMBLE any option alike."""
    if below(noise, TREMBLE) == 0:
        return nth_option(options, below(noise, options.count))
    return expert(public, me, cards, options, noise, mind)


BOTS = (
    Bot(
        "expert-noisy",
        "lost-cities",
        "expert",
        "The expert, but one decision in a hundred is random.",
        expert_noisy,
        lost_cities_expert.BOTS[0].weights,
    ),
)
