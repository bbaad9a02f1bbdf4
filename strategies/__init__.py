"""The bots: policies that see what their seat may see, and the door through which they register."""


def register() -> None:
    """Register every shipped bot with `simcore.bots`; called through the entry-point group `fairdeal.bots`."""
    from simcore import bots
    from strategies import linear, lost_cities, lost_cities_expert, noisy, uniform

    for bot in (*uniform.BOTS, *lost_cities.BOTS, *lost_cities_expert.BOTS, *noisy.BOTS, *linear.BOTS):
        bots.register(bot)
