"""Lisboa: Take a Decree (L-12)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit
from simcore.games.lisboa.rules.events import Event, tell
from simcore.games.lisboa.rules.frames import GOES_ON, ask, finish
from simcore.games.lisboa.rules.noble_actions import decrees_offered
from simcore.games.lisboa.rules.numbers import SINGLE, ZERO
from simcore.games.lisboa.state import NOTHING, SPEND, Decision

PICK, MARKER = range(2)  # stages of Task.DECREE


@njit
def step_decree(public, cards, frame):
    """L-12.2, L-12.3: the decrees, as far as the display lasts, then more for a marker."""
    seat = frame.seat
    offered = decrees_offered(public, cards, seat)
    if frame.stage == PICK and frame.left > 0 and offered != NONE:
        return ask(public, seat, Decision.DECREE_PICK, offered)
    frame.stage, frame.left = MARKER, 0
    spendable = public.markers[seat] > 0 and public.markers_spent[seat] < cards.markers_per_turn
    if spendable and offered != NONE:
        return ask(public, seat, Decision.DECREE_MARKER, np.uint64(3))
    finish(public)
    return GOES_ON


@njit
def take_decree(public, cards, frame, position, news):
    """DECREE_PICK."""
    seat, decree = frame.seat, public.decree[position]
    frame.left -= 1
    public.decree[position] = NOTHING
    public.decrees[seat, decree // 64] |= bit(decree % 64)
    tell(news, ZERO, Event.DECREES, seat, SINGLE)
    tell(news, ZERO, Event.KIND_TAKEN, seat, cards.decree_kind[decree])


@njit
def answer_marker(public, cards, frame, answer, news):
    """DECREE_MARKER."""
    if answer != SPEND:
        finish(public)
        return
    seat = frame.seat
    public.markers[seat] -= 1
    public.markers_spent[seat] += 1
    frame.stage, frame.left = PICK, cards.set_marker_decrees
    tell(news, ZERO, Event.MARKERS_SPENT, seat, SINGLE)
