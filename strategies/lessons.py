"""Lessons: what a search finds out about the options of a decision. From them a net is taught (`strategies.teaching`).

The expert plays against itself. At some of its decisions all options are tried in the same imagined worlds with the
same dice, as in a flat search, playouts by the expert: FEW worlds for all, then MANY for the best CONTENDERS, the
expert's own choice among them. What is learned is by how much an option ends ahead of the expert's choice. The game
goes on with that choice, or now and then with a random option, so that positions are met that the expert does not seek.
"""

import io
import struct
import threading
import tokenize
import zipfile
import zlib
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from simcore import records
from simcore.bots import Bot
from simcore.cardset import CardSet
from simcore.errors import InputError
from simcore.files import read_bytes
from simcore.game import Game, nth_option, value_features
from simcore.play import Step, Table
from simcore.random import below, draw_word
from simcore.rooms import room_of
from strategies.imitation import describe
from strategies.search import bring_best, enlist, try_all
from strategies.trained import expert, forget

FEW, MANY, CONTENDERS = 4, 16, 4
SHARE = 0.3  # of the decisions that become lessons
ASTRAY = 0.1  # of the moves that are random
MOST = 1 << 12  # options of a decision, more than any has

Array = NDArray[Any]


@njit
def lesson(public, me, cards, options, noise, mind):
    """The expert's choice, or a random option. If the decision became a lesson, the room says so: `nodes` is the number
    of arms; of each arm, `ahead` is the sum of its leads over arm 0, the expert's choice, and `visits` in how many
    worlds.
    """
    room, seat = room_of(public, mind), np.int64(public.actor)
    forget(options, mind)
    own = expert(public, me, cards, options, noise, mind)
    room.nodes = 0
    if options.count > 1 and draw_word(noise) < np.uint64(SHARE * 2**32):
        room.nodes = try_out(room, public, me, cards, options, noise, seat, own)
    if draw_word(noise) < np.uint64(ASTRAY * 2**32):
        return nth_option(options, below(noise, options.count))
    return np.int64(own)


@njit
def try_out(room, public, me, cards, options, noise, seat, own):
    """Try all options; returns their number."""
    arms = enlist(room, options, own)
    word = draw_word(noise) << np.uint64(32) | draw_word(noise)
    for number in range(FEW):
        try_all(room, public, me, cards, seat, word, number, arms, False)
    kept = min(arms, CONTENDERS)
    bring_best(room, arms, kept)
    for arm in range(arms):
        room.visits[arm] = MANY if arm < kept else FEW
    for arm in range(kept):  # how they were chosen must not make them look better
        room.ahead[arm] = 0.0
    for number in range(FEW, FEW + MANY):
        try_all(room, public, me, cards, seat, word, number, kept, False)
    return arms


@njit
def describe_position(state, cards, options, mind, rows):
    """The features of the position to the one to decide, in the first row."""
    public = state.public
    value_features(public, state.private[public.actor], cards, mind)
    for i in range(rows.shape[1]):
        rows[0, i] = mind.features[i]
    return 1


MOST_BYTES = 1 << 28  # of a file, packed and unpacked
# What numpy and zipfile raise of a file that is no archive of arrays.
_DAMAGES = (OSError, ValueError, KeyError, TypeError, EOFError, MemoryError, RuntimeError, SyntaxError,
            zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError)  # fmt: skip


@dataclass(frozen=True)
class Lessons:
    """Decisions, and their options in rows, decision by decision.

    Of a decision: its `deal`, the number of its options (`count`), the place of the expert's choice among them
    (`own`), its `kind`, the features of the position. Of an option: its features, the expert's `estimate` (UNKNOWN
    where it made none), its mean `lead` over the expert's choice in points, and the number of `worlds` it was tried in.
    """

    deal: Array
    count: Array
    own: Array
    kind: Array
    position: Array
    features: Array
    estimate: Array
    lead: Array
    worlds: Array

    @staticmethod
    def joined(parts: Sequence["Lessons"]) -> "Lessons":
        """Parts one after the other."""
        return Lessons(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(Lessons)))

    def encode(self) -> bytes:
        """The content of a file of lessons."""
        file = io.BytesIO()
        np.savez(file, **{one.name: getattr(self, one.name) for one in fields(Lessons)})
        return file.getvalue()

    @staticmethod
    def read(path: Path, game: Game) -> "Lessons":
        """The lessons of a file about a game. Raises InputError for one that is damaged: kernels ask no more."""
        try:
            file = io.BytesIO(read_bytes(path, MOST_BYTES))
            with zipfile.ZipFile(file) as packed:
                if sum(part.file_size for part in packed.infolist()) > MOST_BYTES:
                    raise ValueError("it is too large, unpacked")
            with np.load(file, allow_pickle=False) as content:
                lessons = Lessons(**{one.name: content[one.name] for one in fields(Lessons)})
            lessons.check(game)
        except _DAMAGES as error:
            raise InputError(f"{path} is damaged ({error}). Remove it; the lessons are then taken anew.") from error
        return lessons

    def check(self, game: Game) -> None:
        """Raise ValueError where the arrays are not those of decisions of the game and their options."""
        blank = _blank(len(game.value_features), len(game.features))
        for one in fields(Lessons):
            array, like = getattr(self, one.name), getattr(blank, one.name)
            if not isinstance(array, np.ndarray):  # numpy gives the bytes of what is no file of an array
                raise ValueError(f"{one.name} is no array")
            if array.dtype != like.dtype or array.shape[1:] != like.shape[1:] or array.ndim != like.ndim:
                raise ValueError(f"{one.name} is of another type or size")
        decisions = [self.deal, self.count, self.own, self.kind, self.position]
        options = [self.features, self.estimate, self.lead, self.worlds]
        if len({len(array) for array in decisions}) != 1 or len({len(array) for array in options}) != 1:
            raise ValueError("its arrays are not of one length")
        most = len(self.features)
        if not ((self.count >= 1) & (self.count <= most)).all() or int(self.count.sum()) != most:
            raise ValueError("its decisions have other numbers of options")
        if not ((self.own >= 0) & (self.own < self.count)).all():
            raise ValueError("a choice is none of the options")
        if not ((self.kind >= 0) & (self.kind < len(game.decisions))).all():
            raise ValueError("a decision is of no kind of the game")


class School:
    """Plays deals and takes down lessons, for one number of seats; a table for each thread."""

    def __init__(self, bot: Bot, card_set: CardSet, seats: int, seed: int) -> None:
        self.bot, self.card_set, self.seats, self.seed = bot, card_set, seats, seed
        self._mine = threading.local()

    def deal(self, deal: int) -> Lessons:
        """The lessons of one deal."""
        if not hasattr(self._mine, "desk"):
            self._mine.desk = _Desk(self)
        found: Lessons = self._mine.desk.lessons(deal)
        return found

    def deals(self, pool: Executor, first: int, last: int) -> Lessons:
        """Those of the deals first..last-1, whoever plays them."""
        return Lessons.joined(list(pool.map(self.deal, range(first, last))))


class _Desk:
    """A table at which lessons are taken down."""

    def __init__(self, school: School) -> None:
        teacher = replace(school.bot, policy=lesson, playouts=MOST)
        assert teacher.game is not None
        self.table = table = Table(teacher.game, school.card_set, school.seats, (teacher,) * school.seats, school.seed)
        self.mind = records.zero(table.game.mind)
        self.describe = table.engine.describer(describe), table.engine.describer(describe_position)
        self.options = np.zeros((64 * len(table.options.mask), len(table.game.features)))
        self.position = np.zeros((1, len(table.game.value_features)))

    def lessons(self, deal: int) -> Lessons:
        table, rotation = self.table, deal % self.table.seats
        pages: list[Lessons] = [_blank(len(table.game.value_features), len(table.game.features))]
        for step in table.steps(deal, rotation):
            if step.seat >= 0 and len(step.options) > 1:  # else no bot was asked
                place = (step.seat + rotation) % table.seats
                if table.rooms[place]["nodes"][0]:
                    pages.append(self._page(deal, step, table.rooms[place][0], table.minds[place]["estimates"]))
            if table.state.public.actor >= 0:
                for kernel, rows in zip(self.describe, (self.options, self.position), strict=True):
                    kernel(table.state, table.cards, table.options, self.mind, rows)
        return Lessons.joined(pages)

    def _page(self, deal: int, step: Step, room: Any, estimates: Array) -> Lessons:
        count = len(step.options)
        arm_of = {int(action): arm for arm, action in enumerate(room["action"][:count])}
        arms = [arm_of[action] for action in step.options]
        worlds = room["visits"][arms]
        return Lessons(
            deal=np.array([deal]),
            count=np.array([count]),
            own=np.array([arms.index(0)]),
            kind=np.array([step.decision]),
            position=self.position.astype(np.float32),
            features=self.options[:count].astype(np.float32),
            estimate=estimates[list(step.options)],
            lead=(room["ahead"][arms] / worlds).astype(np.float32),
            worlds=worlds.astype(np.float32),
        )


def _blank(positions: int, features: int) -> Lessons:
    whole, real = np.zeros(0, np.int64), np.zeros(0, np.float32)
    return Lessons(
        whole,
        whole,
        whole,
        whole,
        np.zeros((0, positions), np.float32),
        np.zeros((0, features), np.float32),
        np.zeros(0),
        real,
        real,
    )
