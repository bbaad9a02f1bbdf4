"""Lisboa: activities within each other (`Frame`), and the question that the game waits for."""

import numpy as np
from numba import njit

from simcore.bits import NONE

ASKED, GOES_ON = np.bool_(True), np.bool_(False)  # what the step of an activity returns


@njit
def begin(public, task, seat, what, left):
    """An activity begins within the present one."""
    frame = public.frame[public.depth]
    frame.task, frame.seat = np.int64(task), seat
    frame.what, frame.left = what, left
    public.depth += 1


@njit
def finish(public):
    """The innermost activity is complete. Unused frames are 0 throughout."""
    public.depth -= 1
    frame = public.frame[public.depth]
    frame.task, frame.seat, frame.stage = 0, 0, 0
    frame.what, frame.place, frame.left = 0, 0, 0
    frame.price, frame.hired = 0, 0
    frame.done = NONE


@njit
def ask(public, seat, decision, legal):
    """A seat has to decide, unless no option is legal. Returns ASKED or GOES_ON."""
    if legal == NONE:
        return GOES_ON
    public.actor, public.decision, public.legal = seat, np.int64(decision), legal
    return ASKED


@njit
def clockwise(cards, seat, places):
    """The seat so many places on, at most once round."""
    other = seat + places
    return other - cards.seats if other >= cards.seats else other
