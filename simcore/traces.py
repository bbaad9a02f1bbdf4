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
from simcore.bits import NONE, first, flag, lowest
from simcore.game import Game, Note, implement, verb
from simcore.once import once
from simcore.random import mix
from simcore.tables import tally_column

MOVES = 1 << 20  # rows of the moves buffer
KINDS = Note.ROUND_ORDER  # kinds that are counted per seat
LAST_GAIN = Note.FATE - 1
LAST_CARD_KIND = Note.PART - 1
FATES = 3  # ways that a card can leave a hand

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
    """A row of the moves log. It is as long as its fields: numpy spells padding out, byte by byte, each time that a
    kernel is given the record which holds MOVES of them, and that took milliseconds.
    """

    game: np.uint32
    number: np.uint16
    seat: np.uint8
    decision: np.uint8
    options: np.uint16
    action: np.uint16
    forced: np.uint32


SILENT, EVENTS, MOVE = records.dtype(Silent), records.dtype(Events), records.dtype(Move)


@cache
def row_type(game: Game, trace: np.dtype[Any]) -> np.dtype[Any]:
    """The row that the loop writes for a game. A silent run's holds the result and no more: millions are written."""
    return _silent_row(game) if trace == SILENT else _logged_row(game)


def _silent_row(game: Game) -> np.dtype[Any]:
    most_seats = game.most_seats

    class SeatResult:
        points: np.int32
        order: np.uint8
        rank: np.uint8

    class Result:
        status: int  # 0, or the refusal of an action that was not legal (simcore.loop)
        turns: np.uint32
        rounds: np.uint8
        end: np.uint8
        truncated: np.uint8
        winners: np.uint32  # numba needs the seats at a multiple of four
        seat: Annotated[list[SeatResult], most_seats]

    return records.dtype(Result)


def _logged_row(game: Game) -> np.dtype[Any]:
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
        status: int  # as above
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
    words = -(-codes // 64)

    class Log:
        stamping: int  # 1: stamp cards
        recording: int  # 1: record moves
        room: int  # the most moves that are kept when another block begins
        number: int  # of the game within the rows
        round_number: int
        decisions: int
        hash: np.uint64
        turn: int  # the last turn that was looked at
        leader: int  # the last strict leader of `standing`, -1 before there was one
        lead_changes: int
        last_lead_change: int
        decided: Annotated[NDArray[np.int64], seats]  # decisions, forced ones too
        forced: Annotated[NDArray[np.int64], seats]
        options: Annotated[NDArray[np.int64], seats]  # of all these decisions
        total: Annotated[NDArray[np.int64], seats, KINDS]  # sums of parts and counters, counts of gains and fates
        round_points: Annotated[NDArray[np.int64], seats, rounds]
        round_order: Annotated[NDArray[np.int64], seats, rounds]
        counter_kind: Annotated[NDArray[np.int64], max(1, len(game.counters))]
        # For stamps: sets of cards, a bit a card, in words of 64 codes.
        copies: Annotated[NDArray[np.uint64], codes]  # the copies of a card, itself too
        held: Annotated[NDArray[np.uint64], seats, words]  # what a seat has held in this round
        left: Annotated[NDArray[np.uint64], seats, words, FATES]  # and what has left it, by the latest way
        when: Annotated[NDArray[np.uint8], game.turns + 1]  # a stamp's time, by the turn of the round
        stamp: Annotated[NDArray[np.uint8], rounds, seats, codes]
        standing: Annotated[NDArray[np.int32], game.turns + 1, seats]  # after each turn
        moves: int
        move: Annotated[list[Move], MOVES]

    class TallyingLog(Log):
        tallied: int  # the codes from 0 on that tallies are kept of
        tally: Annotated[NDArray[np.uint8], rounds, seats, max(1, len(game.tallies)), codes]

    kind = records.dtype(TallyingLog if game.tallies else Log)
    _implement_log(kind)
    return kind


@once
def _implement_log(kind: np.dtype[Any]) -> None:
    """Register the log's kernels for a record type, which games of the same sizes share."""
    tallying = "tally" in (kind.names or ())
    implement(
        heard_note=(kind, note_tallying_log if tallying else note_log),
        heard=(kind, heard_log),
        saw=(kind, saw_log),
        write=(kind, write_tallying_log if tallying else write_log),
        is_full=(kind, is_log_full),
    )


def log_record(game: Game, log: str, log_cards: Any) -> Any:
    """A log trace for one of the levels games, cards, moves. It is large; pages that are not touched cost nothing.

    Raises ValueError for cards that a game with these declarations cannot log.
    """
    trace = records.zero(log_type(game))
    trace.stamping, trace.recording = int(log != "games"), int(log == "moves")
    trace.room = MOVES - game.most_decisions * game.most_seats
    trace.counter_kind[: len(game.counter_kinds)] = game.counter_kinds
    trace.when[:] = np.minimum(15, np.arange(game.turns + 1) // game.when_unit)
    stamped = [card for card in log_cards if not card.tallied]
    for card in stamped:
        copies = [other.code for other in stamped if other.type == card.type]
        if any(code // 64 != card.code // 64 for code in copies):
            raise ValueError(f"{game.name}: the copies of {card.label} are not in one word of 64 codes: {copies}")
        trace.copies[card.code] = sum(1 << code % 64 for code in copies)
    tallied = _tallied_codes(log_cards)
    if game.tallies:
        trace.tallied = tallied
    elif tallied:
        raise ValueError(f"{game.name}: cards are tallied, but no tallies are declared")
    return trace


def _tallied_codes(log_cards: Any) -> int:
    """How many codes from 0 on tallies are kept of."""
    return 1 + max((card.code for card in log_cards if card.tallied), default=-1)


def stamp_columns(game: Game, log_cards: Any) -> list[tuple[str, int]]:
    """The columns of cards in the log, in their order: the name, and the place in a row of stamps.

    A row holds a byte for each code, its stamp, and then for each tally a byte for each code that is tallied.
    """
    tallied, columns = _tallied_codes(log_cards), []
    for card in log_cards:
        if card.tallied:
            for i, tally in enumerate(game.tallies):
                columns.append((tally_column(card.id, tally), game.codes + i * tallied + card.code))
        else:
            columns.append((card.id, card.code))
    return columns


def stamp_width(game: Game, log_cards: Any) -> int:
    """The bytes in a row of stamps."""
    return game.codes + len(game.tallies) * _tallied_codes(log_cards)


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
    heard_note=(SILENT, note_nothing),
    heard=(SILENT, heard_nothing),
    saw=(SILENT, saw_nothing),
    write=(SILENT, write_nothing),
    is_full=(SILENT, never_full),
)
implement(heard_note=(EVENTS, note_event), heard=(EVENTS, heard_action), saw=(EVENTS, saw_nothing))


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
            forget(trace, time, seat)
    elif kind == Note.ROUND_POINTS:
        trace.round_points[seat, time] = value


@njit
def clear(trace):
    """A new game: nothing has been seen."""
    trace.decisions, trace.hash = 0, np.uint64(0)
    trace.turn, trace.leader, trace.lead_changes, trace.last_lead_change = 0, -1, 0, 0
    for seat in range(trace.decided.shape[0]):
        trace.decided[seat] = 0
        trace.forced[seat] = 0
        trace.options[seat] = 0
        trace.standing[0, seat] = 0
        for kind in range(KINDS):
            trace.total[seat, kind] = 0


@njit
def forget(trace, round_number, seat):
    """A new round: the seat has held nothing."""
    for code in range(trace.stamp.shape[2]):
        trace.stamp[round_number, seat, code] = 0
    for word in range(trace.held.shape[1]):
        trace.held[seat, word] = NONE
        for fate in range(FATES):
            trace.left[seat, word, fate] = NONE


@njit
def stamp(trace, time, kind, seat, code):
    """A byte a card: bits 7-6 the first way it came, bits 5-4 the latest way it left, bits 3-0 when that was.

    Copies of a type share the events out: a gain goes to a copy not held before, else to one that has left, in
    the last of the declared ways that there is; a fate to one that is held. Which it is cannot be foreseen, and a
    mispredicted branch costs more than all of this, so sets and masks decide.
    """
    seat, word = np.uint64(seat), np.uint64(code) >> np.uint64(6)
    copies, held, left = trace.copies[np.uint64(code)], trace.held[seat, word], trace.left[seat, word]
    if kind <= LAST_GAIN:
        new = copies & ~held
        back = copies & left[0]
        for fate in range(1, FATES):
            latest = copies & left[fate]
            back = latest | (back & flag(latest == NONE))
        card = first(new | (back & flag(new == NONE)))
        trace.held[seat, word] = held | card
        for fate in range(FATES):
            left[fate] &= ~card
        event = kind << 6 & -np.int64(new != NONE)
    else:
        card = copies & held
        for fate in range(FATES):
            card &= ~left[fate]
        card = first(card)
        left[np.uint64(kind - Note.FATE)] |= card
        event = (kind - Note.FATE + 1) << 4
    spot = word << np.uint64(6) | np.uint64(lowest(card))
    stamps = trace.stamp[np.uint64(trace.round_number), seat]
    stamps[spot] = (stamps[spot] & np.uint8(0xC0)) | np.uint8(event) | trace.when[np.uint64(time)]


@njit
def hashed(word, action):
    """The play hash, which starts at 0, after another decision."""
    return mix(word + np.uint64(action + 1))


@njit
def heard_log(trace, public, seat, options, action):
    """Count the decision, hash it, and record it where moves are asked for."""
    seat = np.uint64(seat)
    forced = options.count == 1
    trace.forced[seat] += np.int64(forced)
    trace.decided[seat] += 1
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
    turn = trace.turn
    while turn < public.turns:  # several turns may end at once
        turn += 1
        for seat in range(trace.standing.shape[1]):  # a constant number, so that the loop is unrolled
            trace.standing[np.uint64(turn), np.uint64(seat)] = public.standing[np.uint64(seat)]
    trace.turn = turn
    best, leader = public.standing[0], 0
    for seat in range(1, trace.standing.shape[1]):
        points, plays = public.standing[np.uint64(seat)], seat < cards.seats
        ahead, level = plays & (points > best), plays & (points == best)
        leader = seat if ahead else -1 if level else leader
        best = points if ahead else best
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
        forced = trace.forced[seat]
        asked = trace.decided[seat] - forced
        mine.decisions, mine.forced, mine.options = asked, forced, trace.options[seat] - forced
        row.decisions += asked
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
                for code in range(trace.stamp.shape[2]):
                    stamps[spot, code] = trace.stamp[r, seat, code]
    trace.number = game + 1


# --- The log of a game with tallies ----------------------------------------------------------------------------------


@njit
def note_tallying_log(trace, time, kind, seat, value):
    """As `note_log`, and count what is tallied."""
    if kind >= Note.TALLY and kind < Note.OTHER:
        if trace.stamping:
            counts = trace.tally[trace.round_number, seat, kind - Note.TALLY]
            counts[value] += np.uint8(counts[value] < 255)
        return
    note_log(trace, time, kind, seat, value)
    if kind == Note.ROUND_ORDER and trace.stamping:
        for tally in range(trace.tally.shape[2]):
            for code in range(trace.tallied):
                trace.tally[time, seat, tally, code] = 0


@njit
def write_tallying_log(trace, public, cards, row, stamps, game):
    """As `write_log`, and the tallies behind the stamps."""
    write_log(trace, public, cards, row, stamps, game)
    if trace.stamping:
        for seat in range(cards.seats):
            for r in range(public.rounds):
                spot = (game * cards.seats + seat) * public.rounds + r
                for tally in range(trace.tally.shape[2]):
                    first = trace.stamp.shape[2] + tally * trace.tallied
                    for code in range(trace.tallied):
                        stamps[spot, first + code] = trace.tally[r, seat, tally, code]
