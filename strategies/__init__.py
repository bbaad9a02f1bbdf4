"""The bots: policies that see what their seat may see, and the door through which they register."""


def register() -> None:
    """Register every shipped bot with `simcore.bots`; called through the entry-point group `fairdeal.bots`."""
    from simcore import bots
    from strategies import (
        linear,
        lisboa,
        lisboa_expert,
        lost_cities,
        lost_cities_expert,
        noisy,
        search,
        trained,
        uniform,
        vaalbara,
        vaalbara_expert,
        valletta,
        valletta_expert,
    )

    modules = (
        uniform,
        lost_cities,
        lost_cities_expert,
        vaalbara,
        vaalbara_expert,
        valletta,
        valletta_expert,
        lisboa,
        lisboa_expert,
        noisy,
        trained,
        linear,
        search,
    )
    for module in modules:
        for bot in module.BOTS:
            bots.register(bot)
