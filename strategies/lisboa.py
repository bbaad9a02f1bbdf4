"""Lisboa: the simple policy, which takes what gives most at once.

It weighs what the game's features say that an option brings, by a rate for each of them in wigs, set by hand: a wig is
a wig, five reais one more, and so on. What is not named here does not count.
"""

from simcore.bots import Bot
from simcore.games.lisboa.features import FEATURES, F
from strategies.linear import linear

RATES = {
    F.WIGS: 1.0,
    F.FINAL: 0.7,  # others catch up
    F.REAIS: 0.2,
    F.INFLUENCE: 0.3,
    F.GOODS: 0.5,
    F.PRICES: 0.05,
    F.CUBES: 0.3,
    F.NEEDED: 1.0,
    F.SETS: 1.5,
    F.OFFICIALS: 0.6,
    F.PLANS: 1.0,
    F.ICONS: 0.8,
    F.BUILD_POWER: 0.4,
    F.VISIT_POWER: 0.4,
    F.SALE_POWER: 0.4,
    F.OTHER_POWER: 0.8,
    F.TILES: 0.5,
    F.FAVORS: 0.5,
    F.RIVALS: -0.3,
    F.FULL: -1.0,
    F.SALES: 0.15,
    F.TRADES: 0.8,
    F.BUILDER: 3.0,  # cubes, goods to come
    F.KING: 3.0,
    F.STORE_WIGS: 0.7,
    F.DECREE_WIGS: 0.7,
    F.BUILDING_WIGS: 0.7,
    F.SAME: -0.3,
}

BOTS = (
    Bot(
        "greedy",
        "lisboa",
        "simple",
        "Takes the option that brings most at once, each thing at a fixed rate in wigs.",
        linear,
        tuple(RATES.get(feature, 0.0) for feature in F),
        parameters=FEATURES,
    ),
)
