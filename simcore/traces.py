"""What listens to a game: nothing, the log, or a list of all events.

A kernel calls `game.note`; the loop calls the verbs of this module. All are resolved by the type of the trace, so a
silent game pays for none of it.
"""

from functools import cache
from typing import Annotated, Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from simcore import records
from simcore.game import Game, Note, implement, verb
from simcore.once import once
from simcore.random import mix

MOVES = 1 << 20  # rows of the moves buffer
KINDS = Note.ROUND_ORDER  # kinds that are counted per seat
LAST_GAIN = Note.FATE - 1
LAST_CARD_KIND = Note.PART - 1

# The loop's own verbs.
heard = verb("heard", "(trace, public, seat, options, action)", "a decision is about to be carried out")
saw = verb("saw", "(trace, public, cards)", "a decision has been carried out")
write = verb("write", "(trace, public, cards, row, stamps, game)", "the game is over")
is_full = verb("is_full", "(trace)", "whether there is no room for another block")


class Silent:
    """Hears nothing."""

    unused: int


class Event:
    """One note."""

    kind: int
    time: int
    seat: int
    value: int


class Events:
    """Every note since `count` was last set to 0. One decision makes at most as many as the deals of a game's cards."""

    action: int  # the last decision's
    count: int
    row: Annotated[list[Event], 512]


class Move:
    """A row of the moves log."""

    game: np.uint32
    number: np.uint16
    seat: np.uint8
    decision: np.uint8
    options: np.uint16
    action: np.uint16
    forced: np.uint8


SILENT, EVENTS, MOVE = records.dtype(Silent), records.dtype(Events), records.dtype(Move)


@cache
def row_type(game: Game) -> np.dtype[Any]:
    """The row that the loop writes for a game.

    A silent run fills the fields above `decisions` and the seats' points, order and rank.
    """
    most_seats, most_rounds = game.most_seats, game.rounds

    class SeatRow:
        points: np.int32
        order: np.uint8
        rank: np.uint8
        decisions: np.uint32
        forced: np.uint32
        options: np.uint32
        standing_half: np.int32
        part: Annotated[NDArray[np.int32], max(1, len(game.parts))]
        counter: Annotated[NDArray[np.uint16], max(1, len(game.counters))]

    class Row:
        status: int  # 0, or the refusal of an action that was not legal (simcore.loop)
        turns: np.uint32
        rounds: np.uint8
        end: np.uint8
        truncated: np.uint8
        winners: np.uint16
        decisions: np.uint32
        lead_changes: np.uint16
        last_lead_change: np.uint16
        play_hash: np.uint64
        seat: Annotated[list[SeatRow], most_seats]
        round_points: Annotated[NDArray[np.int32], most_seats, most_rounds]
        round_order: Annotated[NDArray[np.uint8], most_seats, most_rounds]

    return records.dtype(Row)


@once
def log_type(game: Game) -> np.dtype[Any]:
    """The trace that fills a run's log; its kernels are registered."""
    seats, rounds, codes = game.most_seats, game.rounds, game.codes

    class Log:
        stamping: int  # 1: stamp cards
        recording: int  # 1: record moves
        room: int  # the most moves that are kept when another block begins
        when_unit: int  # turns of a step of a stamp's time
        number: int  # of the game within the rows
        round_number: int
        decisions: int
        hash: np.uint64
        turn: int  # the last turn that was looked at
        leader: int  # the last strict leader of `standing`, -1 before there was one
        lead_changes: int
        last_lead_change: int
        asked: Annotated[NDArray[np.int64], seats]
        forced: Annotated[NDArray[np.int64], seats]
        options: Annotated[NDArray[np.int64], seats]
        total: Annotated[NDArray[np.int64], seats, KINDS]  # sums of parts and counters, counts of gains and fates
        round_points: Annotated[NDArray[np.int64], seats, rounds]
        round_order: Annotated[NDArray[np.int64], seats, rounds]
        counter_kind: Annotated[NDArray[np.int64], max(1, len(game.counters))]
        next_copy: Annotated[NDArray[np.int64], codes]  # the next copy of a card's type, -1 after the last
        first_copy: Annotated[NDArray[np.int64], codes]
        stamp: Annotated[NDArray[np.uint8], rounds, seats, codes]
        standing: Annotated[NDArray[np.int32], game.turns + 1, seats]  # after each turn
        moves: int
        move: Annotated[list[Move], MOVES]

    kind = records.dtype(Log)
    _implement_log(kind)
    return kind


@once
def _implement_log(kind: np.dtype[Any]) -> None:
    """Register the log's kernels for a record type, which games of the same sizes share."""
    implement(
        note=(kind, note_log),
        heard=(kind, heard_log),
        saw=(kind, saw_log),
        write=(kind, write_log),
        is_full=(kind, is_log_full),
    )


def log_record(game: Game, log: str, log_cards: Any) -> Any:
    """A log trace for one of the levels games, cards, moves. It is large; pages that are not touched cost nothing."""
    trace = records.zero(log_type(game))
    trace.stamping, trace.recording = int(log != "games"), int(log == "moves")
    trace.room = MOVES - game.most_decisions * game.most_seats
    trace.when_unit = game.when_unit
    trace.counter_kind[: len(game.counter_kinds)] = game.counter_kinds
    trace.next_copy[:] = -1
    trace.first_copy[:] = np.arange(game.codes)
    last: dict[str, int] = {}
    for card in sorted(log_cards, key=lambda card: card.code):
        if card.type in last:
            trace.next_copy[last[card.type]] = card.code
            trace.first_copy[card.code] = trace.first_copy[last[card.type]]
        last[card.type] = card.code
    return trace


# --- Silent ----------------------------------------------------------------------------------------------------------


@njit
def note_nothing(trace, time, kind, seat, value):
    """Hear nothing."""


@njit
def heard_nothing(trace, public, seat, options, action):
    """Hear nothing."""


@njit
def saw_nothing(trace, public, cards):
    """Hear nothing."""


@njit
def write_nothing(trace, public, cards, row, stamps, game):
    """Hear nothing."""


@njit
def never_full(trace):
    """There is always room for nothing."""
    return False


# --- All events ------------------------------------------------------------------------------------------------------


@njit
def note_event(trace, time, kind, seat, value):
    """Keep the note."""
    row = trace.row[trace.count]
    row.kind, row.time, row.seat, row.value = kind, time, seat, value
    trace.count += 1


@njit
def heard_action(trace, public, seat, options, action):
    """Keep the action."""
    trace.action = action


implement(
    note=(SILENT, note_nothing),
    heard=(SILENT, heard_nothing),
    saw=(SILENT, saw_nothing),
    write=(SILENT, write_nothing),
    is_full=(SILENT, never_full),
)
implement(note=(EVENTS, note_event), heard=(EVENTS, heard_action), saw=(EVENTS, saw_nothing))


# --- The log ---------------------------------------------------------------------------------------------------------


@njit
def is_log_full(trace):
    """Whether the moves of another block might not fit."""
    return trace.moves > trace.room


@njit
def note_log(trace, time, kind, seat, value):
    """Count and sum what happens to each seat, and stamp the cards."""
    if kind == Note.START:
        clear(trace)
    elif kind <= LAST_CARD_KIND:
        trace.total[seat, kind] += 1
        if trace.stamping:
            stamp(trace, time, kind, seat, value)
    elif kind < Note.ROUND_ORDER:
        trace.total[seat, kind] += value
    elif kind == Note.ROUND_ORDER:
        trace.round_number = time
        trace.round_order[seat, time] = value
        if trace.stamping:
            for code in range(trace.stamp.shape[2]):
                trace.stamp[time, seat, code] = 0
    elif kind == Note.ROUND_POINTS:
        trace.round_points[seat, time] = value


@njit
def clear(trace):
    """A new game: nothing has been seen."""
    trace.decisions, trace.hash = 0, np.uint64(0)
    trace.turn, trace.leader, trace.lead_changes, trace.last_lead_change = 0, -1, 0, 0
    for seat in range(trace.asked.shape[0]):
        trace.asked[seat] = 0
        trace.forced[seat] = 0
        trace.options[seat] = 0
        trace.standing[0, seat] = 0
        for kind in range(KINDS):
            trace.total[seat, kind] = 0


@njit
def stamp(trace, time, kind, seat, code):
    """A byte a card: bits 7-6 the first way it came, bits 5-4 the latest way it left, bits 3-0 when that was.

    Copies of a type share the events out: a gain goes to a copy not held before, else to one that has left, in
    the last of the declared ways that there is; a fate to one that is held.
    """
    cards = trace.stamp[trace.round_number, seat]
    when = np.uint8(min(15, time // trace.when_unit))
    code = trace.first_copy[code]
    if kind <= LAST_GAIN:
        spot = code
        while cards[spot] & np.uint8(0xC0) and trace.next_copy[spot] >= 0:
            spot = trace.next_copy[spot]
        if cards[spot] & np.uint8(0xC0):  # every copy has been here before: one that has left comes back
            spot, other = code, trace.next_copy[code]
            while other >= 0:
                if cards[other] & np.uint8(0x30) > cards[spot] & np.uint8(0x30):
                    spot = other
                other = trace.next_copy[other]
            cards[spot] = (cards[spot] & np.uint8(0xC0)) | when
        else:
            cards[spot] = np.uint8(kind << 6) | when
    else:
        spot = code
        while (cards[spot] & np.uint8(0x30) or not cards[spot] & np.uint8(0xC0)) and trace.next_copy[spot] >= 0:
            spot = trace.next_copy[spot]
        cards[spot] = (cards[spot] & np.uint8(0xC0)) | np.uint8((kind - Note.FATE + 1) << 4) | when


@njit
def hashed(word, action):
    """The play hash, which starts at 0, after another decision."""
    return mix(word + np.uint64(action + 1))


@njit
def heard_log(trace, public, seat, options, action):
    """Count the decision, hash it, and record it where moves are asked for."""
    forced = options.count == 1
    if forced:
        trace.forced[seat] += 1
    else:
        trace.asked[seat] += 1
        trace.options[seat] += options.count
    trace.hash = hashed(trace.hash, action)
    if trace.recording:
        move = trace.move[trace.moves]
        move.game, move.number, move.seat, move.decision = trace.number, trace.decisions, seat, public.decision
        move.options, move.action, move.forced = options.count, action, forced
        trace.moves += 1
    trace.decisions += 1


@njit
def saw_log(trace, public, cards):
    """At the end of a turn: the running scores, and whether the lead has changed hands (ties are skipped)."""
    if public.turns == trace.turn:
        return
    for turn in range(trace.turn + 1, public.turns + 1):  # several turns may end at once
        for seat in range(cards.seats):
            trace.standing[turn, seat] = public.standing[seat]
    trace.turn = public.turns
    best, leader = public.standing[0], 0
    for seat in range(1, cards.seats):
        points = public.standing[seat]
        if points > best:
            best, leader = points, seat
        elif points == best:
            leader = -1
    if leader >= 0 and leader != trace.leader:
        if trace.leader >= 0:
            trace.lead_changes += 1
            trace.last_lead_change = trace.turn
        trace.leader = leader


@njit
def write_log(trace, public, cards, row, stamps, game):
    """The game's row, and its stamps: one row of `stamps` a seat and round, seat by seat."""
    row.play_hash, row.lead_changes, row.last_lead_change = trace.hash, trace.lead_changes, trace.last_lead_change
    row.decisions = 0
    half = trace.standing[public.turns // 2]
    for seat in range(cards.seats):
        mine = row.seat[seat]
        mine.decisions, mine.forced, mine.options = trace.asked[seat], trace.forced[seat], trace.options[seat]
        row.decisions += trace.asked[seat]
        mine.standing_half = half[seat]
        for i in range(mine.part.shape[0]):
            mine.part[i] = trace.total[seat, Note.PART + i]
        for i in range(mine.counter.shape[0]):
            mine.counter[i] = trace.total[seat, trace.counter_kind[i]]
        for r in range(public.rounds):
            row.round_points[seat, r] = trace.round_points[seat, r]
            row.round_order[seat, r] = trace.round_order[seat, r]
    if trace.stamping:
        for seat in range(cards.seats):
            for r in range(public.rounds):
                spot = (game * cards.seats + seat) * public.rounds + r
                for code in range(stamps.shape[1]):
                    stamps[spot, code] = trace.stamp[r, seat, code]
    trace.number = game + 1
