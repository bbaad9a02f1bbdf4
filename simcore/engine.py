"""Compiling a game: its loops and policies, each once, kept on disk in a folder that any change of a source renames.

numba's own cache does not notice an edit in a function that a cached one calls. So the disk cache is opened late, when
a game is first played, in a folder named by a hash of all sources that its code comes from, plug-ins' too.
"""

import hashlib
import shutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import njit, types
from numba.core.errors import NumbaExperimentalFeatureWarning
from platformdirs import user_cache_path

from simcore import bots as bot_registry
from simcore import game as games
from simcore.bots import Bot
from simcore.game import Game, nth_option
from simcore.loop import OUT, begin, list_options, one_action, one_step, play
from simcore.once import once
from simcore.random import CHANCE, NOISE, below, draw_word
from simcore.rooms import furnish
from simcore.traces import EVENTS, row_type

# Functions by pointer are what lets any line-up run without compiling; numba calls them experimental at every use.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

KEPT_FOLDERS = 6  # folders of compiled code that are kept for a game; older ones are removed
_compiling = threading.RLock()


class Engine:
    """The compiled loops and policies of one game. Without jit (NUMBA_DISABLE_JIT=1) they are the plain functions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.room = furnish(game)
        self._functions: dict[Any, Any] = {}

    def loop(self, trace: np.dtype[Any]) -> Any:
        """`loop.play` for a trace: SILENT or the game's log."""
        rows = types.Array(numba.from_dtype(row_type(self.game, trace)), 1, "C")
        stamps = types.Array(types.uint8, 2, "C")
        return self._compiled(
            play, lambda: types.int64(*self._arguments(trace), rows, stamps, types.int64, types.int64), trace
        )

    def begin(self) -> Any:
        """`loop.begin` with the events trace."""
        state, cards, _, chance, noise, minds, _, trace, _ = self._arguments(EVENTS)
        return self._compiled(
            begin, lambda: types.void(state, cards, chance, noise, minds, trace, types.int64, types.int64)
        )

    def step(self) -> Any:
        """`loop.one_step` with the events trace."""
        return self._compiled(one_step, lambda: types.int64(*self._arguments(EVENTS)))

    def options(self) -> Any:
        """`loop.list_options`."""
        state, cards, options, *_ = self._arguments(EVENTS)
        return self._compiled(list_options, lambda: types.void(state, cards, options))

    def action(self) -> Any:
        """`loop.one_action` with the events trace."""
        state, cards, _, chance, _, _, _, trace, out = self._arguments(EVENTS)
        return self._compiled(one_action, lambda: types.void(state, cards, types.int64, chance, trace, out))

    def policies(self, bots: Iterable[Bot]) -> tuple[Any, ...]:
        """The bots' policies as pointers, padded to the most seats of the game.

        Raises ValueError for a policy that does not return an integer.
        """
        found = [self._policy(bot) for bot in bots]
        return tuple(found + found[:1] * (self.game.most_seats - len(found)))

    def addresses(self, policies: tuple[Any, ...]) -> tuple[Any, ...]:
        """The same pointers as bare addresses, for a driver that calls often.

        numba takes stock of a dispatcher anew whenever it is passed, which takes longer than a hundred decisions. Calls
        through an address are slower in turn.
        """
        if numba.config.DISABLE_JIT:
            return policies
        return tuple(types.CompileResultWAP(policy.get_compile_result(self._policy_type)) for policy in policies)

    def _policy(self, bot: Bot) -> Any:
        chosen = trembling(bot.policy) if bot.tremble else bot.policy
        # Compiled for a declared return type, a policy that returns a float would be truncated silently.
        policy = self._compiled(chosen, lambda: self._policy_type.args)
        if numba.config.DISABLE_JIT:
            return policy
        result = policy.nopython_signatures[0].return_type
        if not isinstance(result, types.Integer):
            raise ValueError(f"bot {bot.name}: a policy returns an integer action, this one returns {result}")
        if result == types.int64:
            return policy
        return self._compiled(chosen, lambda: self._policy_type, key="as int64")

    @cached_property
    def _policy_type(self) -> Any:
        game = self.game
        kinds = (game.public, game.private, game.cards, game.options, NOISE, game.mind)
        return types.int64(*(numba.from_dtype(kind) for kind in kinds))

    def _arguments(self, trace: np.dtype[Any]) -> tuple[Any, ...]:
        """The types of (state, cards, options, chance, noise, minds, bots, trace, out)."""
        game, record = self.game, numba.from_dtype
        noise, minds = (types.Array(record(kind), 1, "C") for kind in (NOISE, game.mind))
        pointers = types.UniTuple(types.FunctionType(self._policy_type), game.most_seats)
        head = (record(game.state), record(game.cards), record(game.options), record(CHANCE))
        return (*head, noise, minds, pointers, record(trace), record(OUT))

    def describer(self, function: Any) -> Any:
        """A function (state, cards, options, mind, rows) of the caller's, compiled for this game's records; `rows` is a
        matrix of float64. It is kept on disk as the game's own kernels are.
        """
        game, record = self.game, numba.from_dtype
        records = (record(game.state), record(game.cards), record(game.options), record(game.mind))
        return self._compiled(function, lambda: types.int64(*records, types.Array(types.float64, 2, "C")))

    def _compiled(self, function: Any, signature: Callable[[], Any], key: Any = None) -> Any:
        """A dispatcher of this game's own for a function, compiled for one signature or taken from the disk."""
        plain = getattr(function, "py_func", function)
        if numba.config.DISABLE_JIT:
            return plain
        with _compiling:
            if (plain, key) not in self._functions:
                dispatcher = njit(nogil=True)(plain)
                _keep_on_disk(dispatcher, self.game)
                dispatcher.compile(signature())
                # Else a mixed line-up would be typed anew instead of taken as a tuple of pointers.
                dispatcher.disable_compile()
                self._functions[plain, key] = dispatcher
            return self._functions[plain, key]


def _trembling(public, me, cards, options, noise, mind):  # type: ignore[no-untyped-def]
    """A policy of which a share is random; `steady` is the policy itself."""
    if draw_word(noise) < mind.tremble:
        return nth_option(options, below(noise, options.count))
    return steady(public, me, cards, options, noise, mind)  # type: ignore[name-defined]  # noqa: F821


@cache
def trembling(policy: Any) -> Any:
    """A policy whose decisions are random for a share of `mind.tremble`. (The loop has no time to ask about that.)

    It knows the policy as a global of its own and is named after it: what a function encloses, numba cannot tell from
    process to process when it looks for compiled code on the disk.
    """
    plain = getattr(policy, "py_func", policy)
    steady = plain if numba.config.DISABLE_JIT else policy
    made = FunctionType(_trembling.__code__, {**globals(), "steady": steady})
    made.__qualname__ = f"trembling.{plain.__module__}.{plain.__qualname__}"
    return made


@once
def engine(game: str) -> Engine:
    """The engine of a game, one for the whole process."""
    return Engine(games.get(game))


def _keep_on_disk(dispatcher: Any, game: Game) -> None:
    folder = cache_folder(game)
    is_typed_in = not Path(dispatcher.py_func.__code__.co_filename).is_file()  # at a prompt or in a notebook
    if folder is None or is_typed_in:
        return
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        dispatcher.enable_caching()
    finally:
        numba.config.CACHE_DIR = before


@cache
def cache_folder(game: Game) -> Path | None:
    """Where the game's compiled code lies: a folder of the user's cache, named by a hash of all sources it comes from.

    None where no such folder can be written to: then everything compiles anew. (numba would turn to folders of its own,
    that no change of a callee renames.)
    """
    root = user_cache_path("fairdeal") / game.name
    folder = root / source_hash(game)[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        folder.touch()
        others = [path for path in root.iterdir() if path.is_dir() and path != folder]  # times of one moment are equal
        others.sort(key=lambda path: path.stat().st_mtime)
    except OSError:
        return None
    for old in others[: 1 - KEPT_FOLDERS]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def source_hash(game: Game) -> str:
    """A hash of numba's version and mode, and of all source files of the engine, the game and the bots that play it."""
    stamp = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
    for file in sorted(_files(game)):
        stamp.update(str(file).encode() + file.read_bytes())
    return stamp.hexdigest()


def code_hash(game: Game) -> str:
    """A hash of the same source files that is equal on every machine, wherever they lie there."""
    files = sorted((file.parent.name, file.name, file.read_bytes()) for file in _files(game))
    stamp = hashlib.sha256()
    for folder, name, content in files:
        stamp.update(f"{folder}/{name} {len(content)} ".encode() + content)
    return stamp.hexdigest()


def _files(game: Game) -> set[Path]:
    """All source files of the engine, the game and the bots that play it."""
    files = set(Path(__file__).parent.glob("*.py")) | set(game.folder.rglob("*.py"))
    for bot in bot_registry.available(game.name):
        files |= _sources(bot.policy.__module__)
    return files


def _sources(module: str) -> set[Path]:
    """The files of the package that a module belongs to; where it stands alone, it and those beside it."""
    top = sys.modules[module.partition(".")[0]]
    if hasattr(top, "__path__"):
        return {file for folder in top.__path__ for file in Path(folder).rglob("*.py")}
    own = getattr(top, "__file__", None)  # none at a prompt or in a notebook
    return set(Path(own).parent.glob("*.py")) if own else set()
