"""The experts with a trembling hand, nearly as strong: they show how finely two bots can be told apart."""

from dataclasses import replace

from simcore.bots import Bot
from strategies import lisboa_expert, lost_cities_expert, vaalbara_expert, valletta_expert

# One decision in a hundred is random. In Lost Cities one in ten would lose 26 points a round, this loses 2.5.
TREMBLE = 0.01


def _noisy(expert: Bot) -> Bot:
    return replace(
        expert, name="expert-noisy", text="The expert, but one decision in a hundred is random.", tremble=TREMBLE
    )


BOTS = tuple(
    _noisy(module.BOTS[0]) for module in (lost_cities_expert, vaalbara_expert, valletta_expert, lisboa_expert)
)
