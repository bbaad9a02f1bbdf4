"""A sitting: one game in which somebody outside decides, a person or a learning program, for some seats or for all.

A seat is shown what its rules let it see and nothing else: `simcore.play.Step` and replays know all, a sitting tells a
seat only what happens in the open or to it alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore import records
from simcore.cardset import CardSet
from simcore.errors import InputError, JobError
from simcore.game import Game
from simcore.loop import refused
from simcore.play import Table, drain, listed
from simcore.traces import EVENTS
from simcore.words import Words

Notes = tuple[tuple[int, int, int, int], ...]
SET_UP = -1  # the action before all actions


@dataclass(frozen=True)
class Line:
    """A sentence about what has happened. `seat` is the only one that may read it, None where all may."""

    text: str
    seat: int | None = None


@dataclass(frozen=True)
class Saved:
    """A position to come back to: copies of the records, and how much had happened."""

    state: Any
    chance: Any
    noise: NDArray[Any]
    minds: NDArray[Any]
    actions: int


class Sitting:
    """A game with its card set, a bot in every seat, and the position of the game that is being played.

    The bot of a seat decides only when it is told to (`let_bot_decide`), and can be asked what it would do (`advice`).
    """

    def __init__(self, game: str, card_set: CardSet, bots: Sequence[str], seed: int = 0) -> None:
        """`bots` names one for each seat. Raises InputError for a name that the game does not know."""
        self._table = Table(game, card_set, len(bots), tuple(bots), seed)
        self.game: Game = self._table.game
        self.seats = len(bots)
        self.public: Any = self._table.state.public
        """What everyone sees, a record of the game's type; it changes with every decision."""
        self.private: tuple[Any, ...] = tuple(self._table.state.private[: self.seats])
        """What each seat alone sees, likewise."""
        self._listed = False  # whether the table's options are those of the position
        self._trace = records.zero(EVENTS)
        self._policies = self._table.engine.addresses(self._table.policies)
        self._begin, self._step = self._table.engine.begin(), self._table.engine.step()
        self._options, self._action = self._table.engine.options(), self._table.engine.action()
        self._told: list[tuple[int, Any, Notes]] = []

    def begin(self, deal: int = 0, rotation: int = 0, seed: int | None = None) -> None:
        """Deal a game. The dice of the bots are those of this rotation of a block: the bot of seat s has those of place
        s + rotation of a line-up. A new `seed` holds for the deals after this one too.
        """
        table, chance = self._table, self._table.chance
        if seed is not None:
            chance.seed = np.uint64(seed)
            chance.kept_deal[:] = 0
        self._begin(table.state, table.cards, chance, table.noise, table.minds, self._trace, deal, rotation)
        chance.place[: self.seats] = np.arange(self.seats)  # from now on the bot of a seat is asked, whatever its dice
        self._listed = False
        self._told = [(SET_UP, None, drain(self._trace))]

    # --- The position ------------------------------------------------------------------------------------------------

    @property
    def actor(self) -> int:
        """The seat to decide, -1 when the game is over."""
        return int(self.public["actor"])

    def options(self) -> tuple[int, ...]:
        """The legal actions of the seat to decide, in ascending order; none when the game is over."""
        return listed(self.legal()) if self.actor >= 0 else ()

    def legal(self) -> Any:
        """The same as a record of the game's type (`Game.options`). There is a seat to decide."""
        if not self._listed:
            self._options(self._table.state, self._table.cards, self._table.options)
            self._listed = True
        return self._table.options

    @property
    def points(self) -> tuple[int, ...]:
        """The final scores by seat, once the game is over."""
        return tuple(int(points) for points in self._table.out.points[: self.seats])

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that win, once the game is over: the most points, then the higher tie-break key."""
        out = self._table.out
        results = [(int(out.points[seat]), int(out.tie_break[seat])) for seat in range(self.seats)]
        return tuple(seat for seat, result in enumerate(results) if result == max(results))

    # --- Deciding ----------------------------------------------------------------------------------------------------

    def act(self, action: int) -> None:
        """Decide for the seat whose turn it is. Raises InputError for an action that is not legal; nothing happens
        then.
        """
        if action not in self.options():
            raise InputError(f"action {action} is not one of the options of seat {self.actor}: {self.options()}.")
        before, table = self.public.copy(), self._table
        self._action(table.state, table.cards, action, table.chance, self._trace, table.out)
        self._listed = False
        self._told.append((action, before, drain(self._trace)))

    def let_bot_decide(self) -> int:
        """Let the bot of the seat decide, or nobody where there is no choice. Returns the action."""
        before = self.public.copy()
        action = self._bot_decides()
        self._told.append((action, before, drain(self._trace)))
        return action

    def advice(self) -> int:
        """What the bot of the seat to decide would do. Nothing changes."""
        saved = self.save()
        action = self._bot_decides()
        self._trace.count = 0
        self.restore(saved)
        return action

    def _bot_decides(self) -> int:
        table, actor = self._table, self.actor
        buffers = (table.state, table.cards, table.options, table.chance, table.noise, table.minds, self._policies)
        status = self._step(*buffers, self._trace, table.out)
        self._listed = False
        if status:
            raise JobError(f"bot {table.bots[actor].name} chose action {refused(status)}, which is not legal.")
        return int(self._trace.action)

    def save(self) -> Saved:
        """The position as it is, to come back to."""
        table = self._table
        return Saved(
            table.state.copy(), table.chance.copy(), table.noise.copy(), table.minds.copy(), len(self._told)
        )

    def restore(self, saved: Saved) -> None:
        """Go back to a position of this game that was saved: what has been decided since never happened."""
        table = self._table
        for record, copy in ((table.state, saved.state), (table.chance, saved.chance)):
            for name in record.dtype.names:
                record[name] = copy[name]
        table.noise[:], table.minds[:] = saved.noise, saved.minds
        self._listed = False
        del self._told[saved.actions :]

    # --- In words ----------------------------------------------------------------------------------------------------

    def sentences(self) -> dict[int, str]:
        """The options of the seat to decide, and what each of them means."""
        words = self._words()
        self._tell(words)  # some words are learnt from what has happened
        return {action: _sentence(words, action, self.public) for action in self.options()}

    def position(self, seat: int) -> list[str]:
        """The position as a seat sees it, line by line.

        Raises InputError where the game has no words for it.
        """
        return self._words().position(self.public, self.private[seat], seat, self.seats)

    def told(self, seat: int) -> list[str]:
        """All that has happened in this game, as a seat has seen it.

        A secret choice of another seat is told once all have chosen. Raises InputError where the game has no words.
        """
        return [line.text for line in self._tell(self._words()) if line.seat in (None, seat)]

    def _words(self) -> Words:
        words = self.game.words(self._table.card_set)
        if not isinstance(words, Words):
            raise InputError(f"{self.game.title} has no words for positions, so it cannot be played at a terminal.")
        return words

    def _tell(self, words: Words) -> list[Line]:
        lines: list[Line] = []
        secret: list[Line] = []
        hidden = {self.game.decisions.index(name) for name in self.game.hidden}
        after = [before for _, before, _ in self._told[1:]] + [self.public]
        for (action, before, notes), then in zip(self._told, after, strict=True):
            if action != SET_UP:
                seat, decision = int(before.actor), int(before.decision)
                word = words.action(action, before)
                is_open = decision not in hidden and not words.is_unnoticed(decision, word)
                lines.append(Line(words.sentence(seat, decision, word, before), None if is_open else seat))
                if decision in hidden:
                    others = (other for other in range(self.seats) if other != seat)
                    secret += [Line(words.revealed(seat, word), other) for other in others]
            if then.actor < 0 or int(then.decision) not in hidden:
                lines, secret = lines + secret, []
            for event in words.events(notes):
                if event.get("chance") not in words.secret:
                    lines.append(Line(event["text"], event["seat"] if event.get("chance") in words.private else None))
        return lines


def _sentence(words: Words, action: int, public: Any) -> str:
    seat, decision = int(public.actor), int(public.decision)
    return words.sentence(seat, decision, words.action(action, public), public)
