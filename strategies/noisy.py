"""The experts with a trembling hand, nearly as strong: they show how finely two bots can be told apart."""

from typing import Any

from numba import njit

from simcore.bots import Bot
from simcore.game import nth_option
from simcore.random import below
from strategies import lisboa_expert, lost_cities_expert, vaalbara_expert, valletta_expert
from strategies.lost_cities_expert import expert

# One decision in so many is random. In Lost Cities at 10 it would lose 26 points a round, at 100 it loses 2.5.
TREMBLE = 100


@njit
def expert_noisy(public, me, cards, options, noise, mind):
    """The expert's action, or with probability 1 / TREMBLE any option alike."""
    if below(noise, TREMBLE) == 0:
        return nth_option(options, below(noise, options.count))
    return expert(public, me, cards, options, noise, mind)


@njit
def vaalbara_expert_noisy(public, me, cards, options, noise, mind):
    """The same with the expert of Vaalbara."""
    if below(noise, TREMBLE) == 0:
        return nth_option(options, below(noise, options.count))
    return vaalbara_expert.expert(public, me, cards, options, noise, mind)


@njit
def valletta_expert_noisy(public, me, cards, options, noise, mind):
    """The same with the expert of Valletta."""
    if below(noise, TREMBLE) == 0:
        return nth_option(options, below(noise, options.count))
    return valletta_expert.expert(public, me, cards, options, noise, mind)


@njit
def lisboa_expert_noisy(public, me, cards, options, noise, mind):
    """The same with the expert of Lisboa."""
    if below(noise, TREMBLE) == 0:
        return nth_option(options, below(noise, options.count))
    return lisboa_expert.expert(public, me, cards, options, noise, mind)


def _bot(game: str, policy: Any, expert_bot: Bot) -> Bot:
    text = "The expert, but one decision in a hundred is random."
    seat_weights = expert_bot.seat_weights
    return Bot("expert-noisy", game, "expert", text, policy, expert_bot.weights, seat_weights=seat_weights)


BOTS = (
    _bot("lost-cities", expert_noisy, lost_cities_expert.BOTS[0]),
    _bot("vaalbara", vaalbara_expert_noisy, vaalbara_expert.BOTS[0]),
    _bot("valletta", valletta_expert_noisy, valletta_expert.BOTS[0]),
    _bot("lisboa", lisboa_expert_noisy, lisboa_expert.BOTS[0]),
)
