"""Playing: a shard of a plan at full speed, or one game decision by decision."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from simcore import bots as bot_registry
from simcore import game as games
from simcore import records
from simcore.bots import Bot
from simcore.cardset import CardSet
from simcore.engine import Engine, engine
from simcore.errors import JobError
from simcore.game import Game, LoggedCard
from simcore.loop import OUT, refused
from simcore.plan import Plan, Shard
from simcore.random import CHANCE, NOISE, let_words_wrap
from simcore.traces import EVENTS, SILENT, log_record, log_type, row_type, stamp_columns, stamp_width

Frames = dict[str, pl.DataFrame]

PIECE = 128  # rows that are transposed in one go


class Table:
    """A game with its card set, seats and bots (by name, or themselves), and every buffer that a kernel borrows. One
    per thread.
    """

    def __init__(self, game: str, card_set: CardSet, seats: int, bots: Sequence[str | Bot], seed: int) -> None:
        let_words_wrap()
        self.engine: Engine = engine(game)
        self.game: Game = self.engine.game
        self.seats = seats
        self.seed = seed
        self.bots: tuple[Bot, ...] = tuple(bot if isinstance(bot, Bot) else bot_registry.get(game, bot) for bot in bots)
        self.card_set = card_set
        self.cards = _parameters(game, card_set, seats)
        self.policies = self.engine.policies(self.bots)
        self.state, self.options = records.zero(self.game.state), records.zero(self.game.options)
        self.chance, self.out = records.zero(CHANCE), records.zero(OUT)
        self.chance.seed = np.uint64(seed)
        self.noise = np.zeros(self.game.most_seats, NOISE)
        self.minds = np.zeros(self.game.most_seats, self.game.mind)
        self._traces: dict[str | None, Any] = {}
        self.rooms = [self._furnish(mind, bot) for mind, bot in zip(self.minds, self.bots, strict=False)]

    def _furnish(self, mind: Any, bot: Bot) -> Any:
        """Give a bot its weights and, where it searches, its room."""
        weights = bot.weights_for(self.seats)
        mind["weights"][: len(weights)] = weights
        mind["tremble"] = round(bot.tremble * 2**32)
        if not bot.playouts:
            return None
        room = np.zeros(1, self.engine.room)
        room["minds"]["weights"][..., : len(weights)] = weights
        room["playouts"], room["reward"] = bot.playouts, bot.reward
        room["hidden"] = sum(1 << self.game.decisions.index(name) for name in self.game.hidden)
        mind["room"] = room.ctypes.data
        return room

    def intervene(self, fields: Iterable[tuple[str, int]] = ()) -> None:
        """From now on play with these fields of the parameter record (an `Intervention`'s); without any, by the card
        set alone.
        """
        cards = np.zeros(1, self.game.cards)  # of this very dtype: numba takes another one like it for a new type
        cards[0] = _parameters(self.game.name, self.card_set, self.seats)
        for name, value in fields:
            cards[name] = value
        cards.flags.writeable = False
        self.cards = cards[0]

    @cached_property
    def words(self) -> Any:
        """The words of the game for this card set, as replays use them."""
        return self.game.words(self.card_set)

    def play(self, first: int, last: int, log: str | None = None) -> Iterator["Played"]:
        """Play the blocks first..last-1, in one go or, with a full log, in several. `log` None is silent.

        The moves of a part are overwritten when more is played.
        Raises JobError for an illegal move of a bot, with seed and deal.
        """
        trace = self._trace(log)
        listener = log_type(self.game) if log else SILENT
        loop = self.engine.loop(listener)
        stamped = log in ("cards", "moves")
        width = stamp_width(self.game, self._card_log) if stamped else 0
        while first < last:
            games = (last - first) * self.seats
            rows = np.zeros(games, row_type(self.game, listener))
            height = games * self.seats * self.game.rounds_of(self.card_set) if stamped else 0
            stamps = np.zeros((height, width), np.uint8)
            if log:
                trace.moves, trace.number = 0, 0
            buffers = (self.state, self.cards, self.options, self.chance, self.noise, self.minds, self.policies)
            done = loop(*buffers, trace, self.out, rows, stamps, first, last)
            rows = rows[: (done - first) * self.seats]
            self._check(rows, first)
            yield Played(first, rows, stamps, trace.move[: trace.moves] if log == "moves" else None)
            first = done

    @cached_property
    def _card_log(self) -> tuple[LoggedCard, ...]:
        return self.game.log_cards(self.card_set, self.seats)

    def _trace(self, log: str | None) -> Any:
        """The listener of a level, made when it is first asked for: a log's is large."""
        if log not in self._traces:
            self._traces[log] = log_record(self.game, log, self._card_log) if log else records.zero(SILENT)
        return self._traces[log]

    def _check(self, rows: NDArray[Any], first: int) -> None:
        bad = np.flatnonzero(rows["status"])
        if len(bad):
            deal, rotation = divmod(int(bad[0]), self.seats)
            names = ", ".join(bot.name for bot in self.bots)
            raise JobError(
                f"a bot of the line-up {names} chose action {refused(int(rows['status'][bad[0]]))}, which is not legal "
                f"(seed {self.seed}, deal {first + deal}, rotation {rotation})"
            )

    def steps(self, deal: int, rotation: int) -> Iterator["Step"]:
        """One game decision by decision, with everything that happens. The first step is the set-up: no decision.

        The records of the table change with every step: read them before the next one.
        """
        trace = records.zero(EVENTS)
        begin, step = self.engine.begin(), self.engine.step()
        begin(self.state, self.cards, self.chance, self.noise, self.minds, trace, deal, rotation)
        public, policies = self.state.public, self.engine.addresses(self.policies)
        yield Step(-1, -1, -1, (), drain(trace), public.copy())
        while public.actor >= 0:
            seat, decision, before = int(public.actor), int(public.decision), public.copy()
            buffers = (self.state, self.cards, self.options, self.chance, self.noise, self.minds, policies)
            status = step(*buffers, trace, self.out)
            if status:
                place = int(self.chance.place[seat])
                raise JobError(
                    f"bot {self.bots[place].name} chose action {refused(status)}, which is not legal "
                    f"(seed {self.seed}, deal {deal}, rotation {rotation})"
                )
            yield Step(seat, decision, int(trace.action), listed(self.options), drain(trace), before)


@dataclass(frozen=True)
class Step:
    """One decision: who, what kind, the action, its alternatives, and the notes (kind, time, seat, value) it made.

    `public` is a copy of what everyone saw before the decision (after the set-up, in the first step).
    """

    seat: int
    decision: int
    action: int
    options: tuple[int, ...]
    events: tuple[tuple[int, int, int, int], ...]
    public: Any


@dataclass(frozen=True)
class Played:
    """What the loop wrote: a row a game from block `first` on, stamps a row a seat and round, moves."""

    first: int
    rows: NDArray[Any]
    stamps: NDArray[np.uint8]
    moves: NDArray[Any] | None


def drain(trace: Any) -> tuple[tuple[int, int, int, int], ...]:
    """The notes (kind, time, seat, value) of an events trace, which is then empty."""
    found = tuple((int(row.kind), int(row.time), int(row.seat), int(row.value)) for row in trace.row[: trace.count])
    trace.count = 0
    return found


def listed(options: Any) -> tuple[int, ...]:
    """The legal actions, in ascending order."""
    masks = options.mask.tolist()
    words = range(int(options.start), int(options.stop))
    return tuple(64 * word + bit for word in words for bit in range(64) if masks[word] >> bit & 1)


@lru_cache(maxsize=16)
def _parameters(game: str, card_set: CardSet, seats: int) -> Any:
    """The parameter record, shared by all tables of a process and not to be written."""
    cards = np.array([games.get(game).parameters(card_set, seats)])
    cards.flags.writeable = False
    return cards[0]


def play_shard(shard: Shard) -> Frames:
    """The tables of a shard, by the schemas of `simcore.tables`. Raises JobError for an illegal move of a bot."""
    plan = shard.plan
    table = Table(plan.game, plan.card_set, plan.seats, shard.names, plan.seed)
    pieces = [_frames(shard, table, played) for played in table.play(shard.first, shard.last, plan.log)]
    if len(pieces) == 1:
        return pieces[0]
    return {name: pl.concat([piece[name] for piece in pieces]) for name in pieces[0]}


def _frames(shard: Shard, table: Table, played: Played) -> Frames:
    plan, game, rows = shard.plan, table.game, played.rows
    number = np.arange(len(rows), dtype=np.uint32)
    deal = played.first + number // plan.seats
    rotation = (number % plan.seats).astype(np.uint8)
    number += np.uint32(shard.first_game + (played.first - shard.first) * plan.seats)
    keys: dict[str, NDArray[Any]] = {
        "game": number,
        "line_up": np.full(len(rows), shard.line_up, np.uint16),
        "deal": deal.astype(np.uint32),
        "rotation": rotation,
    }
    share = _win_shares(rows["winners"], plan.seats)
    frames = {"games": _games(keys, rows), "seats": _seats(shard, game, keys, rows, share)}
    if plan.log != "games":
        frames["cards"] = _cards(plan, game, keys, played, share)
    if played.moves is not None:
        frames["moves"] = _moves(played.moves, number)
    return frames


def _win_shares(winners: NDArray[np.uint16], seats: int) -> NDArray[np.float32]:
    """(games, seats): 1 for a win alone, split among the winners of a tie."""
    won = (winners[:, None] >> np.arange(seats)) & 1
    share: NDArray[np.float32] = (won / won.sum(axis=1, keepdims=True)).astype(np.float32)
    return share


def _games(keys: Mapping[str, NDArray[Any]], rows: NDArray[Any]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            **keys,
            "turns": rows["turns"].astype(np.uint16),
            "decisions": rows["decisions"].copy(),
            "rounds": rows["rounds"].copy(),
            "end": rows["end"].copy(),
            "truncated": rows["truncated"].astype(bool),
            "winners": rows["winners"].copy(),
            "lead_changes": rows["lead_changes"].copy(),
            "last_lead_change": rows["last_lead_change"].copy(),
            "play_hash": rows["play_hash"].copy(),
        }
    )


def _seats(
    shard: Shard, game: Game, keys: Mapping[str, NDArray[Any]], rows: NDArray[Any], share: NDArray[np.float32]
) -> pl.DataFrame:
    plan = shard.plan
    seats = rows["seat"][:, : plan.seats].reshape(-1)
    seat = np.tile(np.arange(plan.seats, dtype=np.uint8), len(rows))
    columns = {name: np.repeat(column, plan.seats) for name, column in keys.items()}
    line_up = np.array(plan.line_ups[shard.line_up], np.uint8)
    columns |= {
        "seat": seat,
        "order": seats["order"].copy(),
        "bot": line_up[(seat + columns["rotation"]) % plan.seats],
        "score": seats["points"].copy(),
        "rank": seats["rank"].copy(),
        "win_share": share.reshape(-1),
        "decisions": seats["decisions"].astype(np.uint16),
        "forced": seats["forced"].astype(np.uint16),
        "options": seats["options"].copy(),
        "standing_half": seats["standing_half"].copy(),
    }
    columns |= {f"part_{part.name}": seats["part"][:, i].copy() for i, part in enumerate(game.parts)}
    columns |= {f"count_{counter.name}": seats["counter"][:, i].copy() for i, counter in enumerate(game.counters)}
    return pl.DataFrame(columns)


def _cards(
    plan: Plan, game: Game, keys: Mapping[str, NDArray[Any]], played: Played, share: NDArray[np.float32]
) -> pl.DataFrame:
    rows, rounds = played.rows, game.rounds_of(plan.card_set)
    each = plan.seats * rounds
    columns = {name: np.repeat(column, each) for name, column in keys.items()}
    shape = (slice(None), slice(plan.seats), slice(rounds))
    columns |= {
        "seat": np.tile(np.repeat(np.arange(plan.seats, dtype=np.uint8), rounds), len(rows)),
        "round": np.tile(np.arange(rounds, dtype=np.uint8), len(rows) * plan.seats),
        "order": rows["round_order"][shape].reshape(-1),
        "points": rows["round_points"][shape].reshape(-1),
        "win_share": np.repeat(share, rounds, axis=1).reshape(-1),
    }
    stamps = _transposed(played.stamps[: len(rows) * each])
    columns |= {name: stamps[spot] for name, spot in stamp_columns(game, game.log_cards(plan.card_set, plan.seats))}
    return pl.DataFrame(columns)


def _transposed(table: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Columns as rows. Piece by piece it stays in the processor's cache: twice as fast as taking each column."""
    out = np.empty(table.shape[::-1], np.uint8)
    for first in range(0, len(table), PIECE):
        out[:, first : first + PIECE] = table[first : first + PIECE].T
    return out


def _moves(moves: NDArray[Any], number: NDArray[np.uint32]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "game": number[moves["game"]],
            "number": moves["number"].copy(),
            "seat": moves["seat"].copy(),
            "decision": moves["decision"].copy(),
            "options": moves["options"].copy(),
            "action": moves["action"].copy(),
            "forced": moves["forced"].astype(bool),
        }
    )
