"""Vaalbara: the exact policies of the rules page (section 12)."""

from numba import njit

from simcore.bots import Bot
from simcore.game import is_legal, nth_option
from simcore.games.vaalbara.seen import pays
from simcore.games.vaalbara.state import FIRST, Decision
from simcore.random import below

DECIDE = 64  # the actions of decision d are the codes 64 d + item


@njit
def uniform_show(public, me, cards, options, noise, mind):
    """Every option alike, equal lands not merged, but a Fighter is always shown."""
    if public.decision == Decision.SHOW_FIGHTER:
        return DECIDE * Decision.SHOW_FIGHTER + 1
    return nth_option(options, below(noise, options.count))


@njit
def greedy_land(public, me, cards, options, noise, mind):
    """As `uniform_show`, but takes the land with the highest reward now, before doubling; of equals the leftmost."""
    if public.decision != Decision.TAKE:
        return uniform_show(public, me, cards, options, noise, mind)
    initiative = cards.initiative[public.revealed[public.actor]]
    best, most = 0, -1
    for place in range(public.count[FIRST]):
        reward = pays(public, cards, public.actor, public.row[FIRST, place], initiative)
        better = is_legal(options, DECIDE * Decision.TAKE + place) and reward > most
        best, most = place if better else best, reward if better else most
    return DECIDE * Decision.TAKE + best


GAME = "vaalbara"
BOTS = (
    Bot(
        "uniform_show",
        GAME,
        "random",
        "Chooses every legal option with the same probability, but always shows a Fighter.",
        uniform_show,
    ),
    Bot("greedy_land", GAME, "simple", "Takes the land with the highest reward now, all else at random.", greedy_land),
)
