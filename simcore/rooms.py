"""Rooms: the memory of a search bot, laid out for its game.

A room holds a table to imagine on (states, options, dice, minds for all seats) and a tree. It is large, so a mind holds
only its address: other bots pay nothing for it, and their types stay small. `room_of(public, mind)` gives the record,
in jitted code and in plain Python.
"""

import ctypes
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from simcore.game import Game, implement, verb
from simcore.loop import OUT
from simcore.random import CHANCE, NOISE
from simcore.traces import SILENT

NODES = 1 << 14
"""Nodes of a tree. Each playout adds one; when all are in use the tree grows no more."""
DEPTH = 1 << 12
"""Decisions from the root of a tree to its deepest leaf, more than a game has above the node that is added last."""

room_of = verb("room_of", "(public, mind)", "the room of a search bot")


def room_type(game: Game) -> np.dtype[Any]:
    """The record of a game's room.

    `world` is a state as the seat imagines it, `trial` the one that is played on. `minds` are those of the policy that
    plays all seats in playouts. `playouts` is the budget of a decision, `hidden` the set of the kinds of decisions
    (bits by number) that others do not see before they choose themselves, `reward` one of `strategies.search.Reward`.
    `played` counts the playouts of all decisions.

    Arms are the options of a flat search: `ahead` and `square` are the sums of their leads over the policy's own
    choice, and of the squares, `top` is the node of the arm. Nodes are those of a tree: `action_of` is the action that
    led to the node, `mover` who took it, `offered` how often it was among the options, `child` its first child,
    `sibling` the next child of its parent (0: none), `worth` the sum of what its mover got. `average` and `variance`
    are of what the seat that decides got.
    """
    arms = 64 * game.options.fields["mask"][0].shape[0]  # type: ignore[index]
    fields: list[tuple[Any, ...]] = [
        ("world", game.state),
        ("trial", game.state),
        ("options", game.options),
        ("chance", CHANCE),
        ("out", OUT),
        ("noise", NOISE),
        ("silent", SILENT),
        ("minds", game.mind, (game.most_seats,)),
        ("playouts", np.int64),
        ("played", np.int64),
        ("hidden", np.int64),
        ("reward", np.int64),
        ("gain", np.float64, (game.most_seats,)),
        ("action", np.int32, (arms,)),
        ("ahead", np.float64, (arms,)),
        ("square", np.float64, (arms,)),
        ("top", np.int32, (arms,)),
        ("nodes", np.int64),
        ("action_of", np.int32, (NODES,)),
        ("mover", np.int8, (NODES,)),
        ("child", np.int32, (NODES,)),
        ("sibling", np.int32, (NODES,)),
        ("visits", np.int32, (NODES,)),
        ("offered", np.int32, (NODES,)),
        ("worth", np.float64, (NODES,)),
        ("path", np.int32, (DEPTH,)),
        ("average", np.float64),
        ("variance", np.float64),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def furnish(game: Game) -> np.dtype[Any]:
    """Give `room_of` its meaning for a game; returns the record of its rooms."""
    room = room_type(game)
    implement(room_of=(game.public, _plain(room) if numba.config.DISABLE_JIT else _jitted(room)))
    return room


def _plain(room: np.dtype[Any]) -> Any:
    def kernel(public: Any, mind: Any) -> Any:
        memory = (ctypes.c_byte * room.itemsize).from_address(int(mind.room))
        return np.frombuffer(memory, room)[0]  # type: ignore[call-overload]  # ctypes arrays are buffers

    return kernel


def _jitted(room: np.dtype[Any]) -> Any:
    record = numba.from_dtype(room)

    @intrinsic  # type: ignore[untyped-decorator]
    def at(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(record))

        return record(types.uint64), generate

    @numba.njit
    def kernel(public, mind):  # type: ignore[no-untyped-def]
        return at(mind.room)

    return kernel
