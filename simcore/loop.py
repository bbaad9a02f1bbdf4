"""The one play loop. It knows no game: the verbs are resolved by the types of the records, bots are pointers."""

from typing import Annotated, Any

import numpy as np
from numba import njit
from numba.extending import overload
from numpy.typing import NDArray

from simcore import records
from simcore.game import Note, apply, is_legal, legal, note, nth_option, score, setup
from simcore.random import SEATS, seed_noise
from simcore.traces import heard, is_full, saw, write


class Out:
    """What `score` fills."""

    points: Annotated[NDArray[np.int64], SEATS]
    tie_break: Annotated[NDArray[np.int64], SEATS]  # the higher wins between equal points


OUT = records.dtype(Out)


def ask(bots: Any, place: Any, *arguments: Any) -> Any:
    """What the bot at a place of the line-up chooses."""
    return bots[place](*arguments)


@overload(ask)
def _ask(bots, place, *arguments):
    """A chain of comparisons: numba's own index into a tuple is a jump table, slower than the rest of a decision."""
    if bots.count == 2:
        return lambda bots, place, *arguments: bots[0](*arguments) if place == 0 else bots[1](*arguments)
    if bots.count == 4:
        return lambda bots, place, *arguments: (
            (bots[0](*arguments) if place == 0 else bots[1](*arguments))
            if place < 2
            else (bots[2](*arguments) if place == 2 else bots[3](*arguments))
        )
    return lambda bots, place, *arguments: (
        (bots[0](*arguments) if place == 0 else bots[1](*arguments))
        if place < 2
        else (bots[2](*arguments) if place == 2 else bots[3](*arguments) if place == 3 else bots[4](*arguments))
    )


@njit
def begin(state, cards, chance, noise, minds, trace, deal, rotation):
    """Deal a game: in rotation r seat s is played by place (s + r) % seats of the line-up."""
    seats = cards.seats
    chance.deal = np.uint64(deal)
    for seat in range(seats):
        place = (seat + rotation) % seats
        chance.place[seat] = place
        seed_noise(noise[seat], chance.seed, chance.deal, place)
        memory = minds[seat].memory
        for i in range(memory.shape[0]):
            memory[i] = 0
    note(trace, 0, Note.START, 0, deal)
    setup(state, cards, chance, trace)


@njit
def refusal(action):
    """An illegal action as a status, which is never 0; `refused` gives the action back."""
    return action + np.int64(action >= 0)


def refused(status: int) -> int:
    """The action that a refusal is about."""
    return status - (status > 0)


@njit(forceinline=True)
def step(state, cards, options, noise, minds, bots, chance, trace):
    """One decision. Returns 0, or a refusal where a bot chose an action that is not legal; nothing is played then."""
    public = state.public
    seat = np.uint64(public.actor)
    me = state.private[seat]
    legal(public, me, cards, options)
    if options.count == 1:
        action = nth_option(options, 0)
    else:
        place = np.uint64(chance.place[seat])
        action = ask(bots, place, public, me, cards, options, noise[seat], minds[place])
        if not is_legal(options, action):
            return refusal(action)
    heard(trace, public, np.int64(seat), options, action)
    apply(state, cards, action, chance, trace)
    saw(trace, public, cards)
    return 0


@njit
def rank(out, seats, row):
    """Places by points, then by tie-break key, and the winners as a bit mask of seats."""
    row.winners = 0
    for seat in range(seats):
        better = 0
        for other in range(seats):
            ahead = out.points[other] > out.points[seat]
            ahead |= out.points[other] == out.points[seat] and out.tie_break[other] > out.tie_break[seat]
            better += ahead
        row.seat[seat].rank = better + 1
        row.seat[seat].points = out.points[seat]
        if better == 0:
            row.winners |= 1 << seat


def play(state, cards, options, chance, noise, minds, bots, trace, out, rows, stamps, first, last):
    """Play the blocks first..last-1, every deal under each rotation of the line-up, a row a game.

    Returns the first block that was not played: `last`, or an earlier one where the trace is full.
    """
    public = state.public
    seats = cards.seats
    game = 0
    for deal in range(first, last):
        if is_full(trace):
            return deal
        for rotation in range(seats):
            row = rows[game]
            begin(state, cards, chance, noise, minds, trace, deal, rotation)
            status = 0
            while public.actor >= 0 and status == 0:
                status = step(state, cards, options, noise, minds, bots, chance, trace)
            score(public, state.private, cards, out)
            row.status, row.turns, row.rounds = status, public.turns, public.rounds
            row.end, row.truncated = public.end, public.truncated
            rank(out, seats, row)
            for seat in range(seats):
                row.seat[seat].order = public.order[seat]
            write(trace, public, cards, row, stamps, game)
            game += 1
    return last


def one_step(state, cards, options, chance, noise, minds, bots, trace, out):
    """`step` for a driver in Python; the final scores are in `out` when the game is over."""
    status = step(state, cards, options, noise, minds, bots, chance, trace)
    if state.public.actor < 0:
        score(state.public, state.private, cards, out)
    return status


def list_options(state, cards, options):
    """`legal` for the seat to decide, for a driver in Python."""
    public = state.public
    legal(public, state.private[np.uint64(public.actor)], cards, options)


def one_action(state, cards, action, chance, trace, out):
    """A legal action of the seat to decide, for a driver in Python; the final scores are in `out` when it ends the
    game.
    """
    apply(state, cards, action, chance, trace)
    if state.public.actor < 0:
        score(state.public, state.private, cards, out)
