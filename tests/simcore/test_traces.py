from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import game as games
from simcore import records, traces
from simcore.cardset import CardSet
from simcore.game import Note
from simcore.plan import make_plan
from simcore.play import Table
from tests.simcore.games.lost_cities_stacked import edited, shipped
from tests.simcore.lost_cities_sets import card_sets
from tests.simcore.retold import check, retell
from tests.simcore.toygame.game import GAME as BIDS
from tests.simcore.toygame.game import parameters as bids_parameters

pytestmark = pytest.mark.engine

LOST_CITIES = games.get("lost-cities")
BOTS = ("uniform", "heuristic")
LINE_UPS = ((0, 1), (0, 0))


# --- The tables against the steps ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["base", "long", "single_round", "long_single_round"])
def test_the_tables_tell_what_happened(name: str) -> None:
    check(make_plan("lost-cities", shipped(name), 2, BOTS, LINE_UPS, games=2, seed=3, log="moves"))


@pytest.mark.parametrize("log", ["games", "cards"])
def test_lower_log_levels_tell_the_same(log: str) -> None:
    check(make_plan("lost-cities", shipped("single_round"), 2, BOTS, LINE_UPS, games=2, seed=4, log=log))  # type: ignore[arg-type]


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(card_sets().filter(lambda card_set: card_set.scalars["rounds"] <= 3), st.integers(0, 2**64 - 1))
def test_the_tables_tell_what_happened_with_edited_sets(card_set: CardSet, seed: int) -> None:
    check(make_plan("lost-cities", card_set, 2, BOTS, ((0, 1),), games=2, seed=seed, log="moves"))


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_copies_that_come_back(copies: int) -> None:
    """Few cards, so that the same ones are discarded and taken again and again."""
    faces = [f"a-{value}" for value in (1, 2, 3)] * copies + ["b-wager"] * copies
    card_set = edited("base", faces, hand_size=1, rounds=2, max_turns=40)
    check(make_plan("lost-cities", card_set, 2, ("uniform",), ((0, 0),), games=30, seed=5, log="moves"))


def test_games_in_turn_leave_nothing_behind() -> None:
    """The trace is one for a shard: the last game's row is the same as in a shard of its own."""
    plan = make_plan("lost-cities", shipped("base"), 2, BOTS, ((0, 1),), games=6, seed=8, log="moves")
    check(plan)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_tables_of_another_game(bids: CardSet, seats: int) -> None:
    bots, line_up = ("dice", "payer", "greedy"), tuple(place % 3 for place in range(seats))
    check(make_plan("bids", bids, seats, bots, (line_up,), games=2 * seats, seed=6, log="moves"))


# --- Stamps, event by event ------------------------------------------------------------------------------------------

DEALT, DRAWN, TAKEN, PLAYED, DISCARDED = 1, 2, 3, 4, 5


class Stamper:
    """The log's trace of a set with one card `a-1`, two of `a-2` and three wagers, told of events directly."""

    def __init__(self) -> None:
        faces = ["a-1", "a-2", "a-2", "a-wager", "a-wager", "a-wager"]
        self.cards = LOST_CITIES.log_cards(edited("base", faces, hand_size=1), 2)
        self.trace = traces.log_record(LOST_CITIES, "cards", self.cards)
        traces.note_log(self.trace, 0, int(Note.START), 0, 0)
        traces.note_log(self.trace, 0, int(Note.ROUND_ORDER), 0, 0)

    def tell(self, card: str, *events: tuple[int, int]) -> list[tuple[int, int, int]]:
        """(gain, fate, when) of the copies of a card after these (kind, turn)."""
        codes = [logged.code for logged in self.cards if logged.type == card]
        for number, (kind, turn) in enumerate(events):
            traces.note_log(self.trace, turn, kind, 0, codes[number % len(codes)])  # it does not matter which is named
        stamps = [int(stamp) for stamp in self.trace.stamp[0, 0, sorted(codes)]]
        return sorted(((stamp >> 6, stamp >> 4 & 3, stamp & 15) for stamp in stamps), reverse=True)


@pytest.mark.parametrize(
    ("events", "stamp"),
    [
        ((), (0, 0, 0)),
        (((DEALT, 0),), (1, 0, 0)),
        (((DRAWN, 7),), (2, 0, 0)),
        (((DRAWN, 8),), (2, 0, 1)),
        (((TAKEN, 17), (PLAYED, 33)), (3, 1, 4)),
        (((DEALT, 0), (DISCARDED, 12)), (1, 2, 1)),
        (((DEALT, 0), (DISCARDED, 12), (TAKEN, 24)), (1, 0, 3)),
        (((DEALT, 0), (DISCARDED, 12), (TAKEN, 24), (PLAYED, 119)), (1, 1, 14)),
        (((DEALT, 0), (PLAYED, 10_000)), (1, 1, 15)),
    ],
)
def test_the_first_gain_and_the_latest_fate_of_a_card(
    events: tuple[tuple[int, int], ...], stamp: tuple[int, int, int]
) -> None:
    assert Stamper().tell("a-1", *events) == [stamp]


@pytest.mark.parametrize(
    ("card", "events", "stamps"),
    [
        ("a-wager", ((DEALT, 0), (TAKEN, 8)), [(3, 0, 1), (1, 0, 0), (0, 0, 0)]),
        ("a-wager", ((DEALT, 0), (PLAYED, 8), (DRAWN, 16), (DISCARDED, 24)), [(2, 2, 3), (1, 1, 1), (0, 0, 0)]),
        ("a-2", ((DEALT, 0), (DRAWN, 8), (PLAYED, 16), (PLAYED, 24)), [(2, 1, 3), (1, 1, 2)]),
        # All copies have been held; the one that was discarded comes back, not the one that was played.
        ("a-2", ((DEALT, 0), (DEALT, 0), (PLAYED, 8), (DISCARDED, 16), (TAKEN, 24)), [(1, 1, 1), (1, 0, 3)]),
        ("a-2", ((DEALT, 0), (DEALT, 0), (DISCARDED, 8), (PLAYED, 16), (TAKEN, 24)), [(1, 1, 2), (1, 0, 3)]),
    ],
)
def test_copies_share_the_events(
    card: str, events: tuple[tuple[int, int], ...], stamps: list[tuple[int, int, int]]
) -> None:
    assert Stamper().tell(card, *events) == stamps


# --- Tallies ---------------------------------------------------------------------------------------------------------


def tallying(log: str) -> tuple[Any, tuple[games.LoggedCard, ...]]:
    """The log's trace of a game with the tallies `shown` and `best`, and its cards: one stamped and two tallied."""
    cards = (
        games.LoggedCard(0, "C00", "C00", "C00", "cards"),
        games.LoggedCard(1, "any1", "any 1", "any-1", "values", tallied=True),
        games.LoggedCard(3, "any3", "any 3", "any-3", "values", tallied=True),
    )
    trace = traces.log_record(BIDS, log, cards)
    traces.note_tallying_log(trace, 0, int(Note.START), 0, 0)
    traces.note_tallying_log(trace, 0, int(Note.ROUND_ORDER), 1, 0)
    return trace, cards


def test_tallies_count_up_to_a_bound() -> None:
    trace, _ = tallying("cards")
    for times, code in ((1, 1), (254, 2), (255, 3), (300, 0)):
        for _ in range(times):
            traces.note_tallying_log(trace, 0, Note.TALLY + 1, 1, code)
    assert trace.tally[0, 1, 1, :5].tolist() == [255, 1, 254, 255, 0]
    assert not trace.tally[0, 1, 0].any()
    assert not trace.tally[:, 0].any()


def test_tallies_of_a_round_begin_at_zero() -> None:
    trace, _ = tallying("cards")
    for code in (1, 3):
        traces.note_tallying_log(trace, 0, int(Note.TALLY), 1, code)
    traces.note_tallying_log(trace, 1, int(Note.ROUND_ORDER), 1, 0)
    traces.note_tallying_log(trace, 1, int(Note.TALLY), 1, 1)
    assert trace.tally[:2, 1, 0, :4].tolist() == [[0, 1, 0, 1], [0, 1, 0, 0]]
    traces.note_tallying_log(trace, 0, int(Note.ROUND_ORDER), 1, 0)
    assert trace.tally[:2, 1, 0, :4].tolist() == [[0, 0, 0, 0], [0, 1, 0, 0]]


def test_tallies_belong_to_the_card_log() -> None:
    trace, _ = tallying("games")
    traces.note_tallying_log(trace, 0, int(Note.TALLY), 1, 1)
    assert not trace.tally.any()


def test_a_tallied_card_has_a_column_for_each_tally_and_no_stamp() -> None:
    trace, cards = tallying("cards")
    assert trace.tallied == 4
    assert not trace.copies[1:].any()
    assert traces.stamp_columns(BIDS, cards) == [
        ("C00", 0),
        ("any1_shown", BIDS.codes + 1),
        ("any1_best", BIDS.codes + 5),
        ("any3_shown", BIDS.codes + 3),
        ("any3_best", BIDS.codes + 7),
    ]
    assert traces.stamp_width(BIDS, cards) == BIDS.codes + 8


def test_a_game_without_tallies_has_no_room_for_them() -> None:
    plain = replace(BIDS, tallies=())
    assert "tally" not in (traces.log_type(plain).names or ())
    tallied = games.LoggedCard(1, "any1", "any 1", "any-1", "values", tallied=True)
    with pytest.raises(ValueError, match="bids: cards are tallied, but no tallies are declared"):
        traces.log_record(plain, "cards", (tallied,))


# --- Leads -----------------------------------------------------------------------------------------------------------


def lead(standings: list[list[int]], game: games.Game, cards, jumps: int = 1):  # type: ignore[no-untyped-def]
    """(lead changes, last of them) of a log that is shown these standings at the ends of turns 1, 2, …"""
    trace = traces.log_record(game, "games", ())
    public = records.zero(game.public)
    traces.note_log(trace, 0, int(Note.START), 0, 0)
    traces.saw_log(trace, public, cards)
    for turn, standing in enumerate(standings, start=1):
        public.standing[: len(standing)] = [99 - points for points in standing]
        traces.saw_log(trace, public, cards)  # in the middle of a turn
        public.turns = turn * jumps
        public.standing[: len(standing)] = standing
        traces.saw_log(trace, public, cards)
        traces.saw_log(trace, public, cards)  # a decision after it that ends no turn
    return int(trace.lead_changes), int(trace.last_lead_change)


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        ([[0, 0], [0, 0]], (0, 0)),
        ([[3, 0], [3, 3], [4, 3], [4, 4]], (0, 0)),  # caught up, never passed
        ([[3, 0], [3, 3], [3, 4], [3, 3], [4, 3]], (2, 5)),  # passed by way of a tie
        ([[0, -20], [-40, -20], [-40, -41], [-40, -41]], (2, 3)),
        ([[-20, 0], [0, 0], [0, 0], [1, 0], [1, 0], [1, 0]], (1, 4)),
    ],
)
def test_lead_changes_of_two(standings: list[list[int]], expected: tuple[int, int]) -> None:
    cards = LOST_CITIES.parameters(shipped("base"), 2)
    assert lead(standings, LOST_CITIES, cards) == expected


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        ([[5, 5, 7], [5, 5, 5], [6, 7, 7], [8, 7, 7]], (1, 4)),
        ([[1, 0, 0], [1, 2, 2], [1, 2, 3], [3, 2, 3], [3, 4, 3]], (2, 5)),
        ([[0, 0, 1], [0, 0, 2], [2, 2, 2], [2, 2, 3]], (0, 0)),
    ],
)
def test_lead_changes_of_three(bids: CardSet, standings: list[list[int]], expected: tuple[int, int]) -> None:
    cards = bids_parameters(bids, 3)
    assert lead(standings, BIDS, cards) == expected


def test_turns_that_end_at_once_have_one_standing(bids: CardSet) -> None:
    changes, last = lead([[1, 0, 0], [1, 2, 0]], BIDS, bids_parameters(bids, 3), jumps=3)
    assert (changes, last) == (1, 6)


def test_half_time_is_never_that_of_another_game(bids: CardSet) -> None:
    """All turns of a trick end at once, so half time may fall on a turn that had no end of its own."""
    plan = make_plan("bids", bids, 5, ("dice",), ((0,) * 5,), games=25, seed=1, log="games")
    check(plan)


# --- Hashes ----------------------------------------------------------------------------------------------------------


def test_equal_hashes_mean_equal_decisions() -> None:
    """So few cards that many games are played alike."""
    card_set = edited("base", ["a-1", "a-2", "a-3", "a-4"], hand_size=1, rounds=1)
    table = Table("lost-cities", card_set, 2, ("uniform", "uniform"), 9)
    deals = 60
    hashes = np.concatenate([played.rows["play_hash"] for played in table.play(0, deals, "games")]).tolist()
    actions = []
    for game in range(2 * deals):
        told = retell(table, table.steps(*divmod(game, 2)))
        actions.append(tuple(move[4] for move in told.moves))
        assert hashes[game] == told.play_hash
    assert 2 < len(set(actions)) < len(actions)
    assert len(set(zip(actions, hashes, strict=True))) == len(set(actions)) == len(set(hashes))


def test_forced_decisions_are_part_of_the_hash_and_of_the_moves() -> None:
    """Seats with one card that fits nowhere: only what is asked tells games apart, but all is hashed in its order."""
    words = [np.uint64(0)]
    for action in (3, 3, 0, 255):
        words.append(np.uint64(traces.hashed(words[-1], action)))
    assert len({int(word) for word in words}) == len(words)
    assert traces.hashed(words[0], 0) != words[0]


# --- Games that share a layout ---------------------------------------------------------------------------------------


def test_games_of_the_same_sizes_share_the_log() -> None:
    twin = replace(LOST_CITIES, name="twin", most_decisions=7)
    assert traces.log_type(twin) == traces.log_type(LOST_CITIES)
    room = [int(traces.log_record(game, "moves", ()).room) for game in (twin, LOST_CITIES)]
    assert room == [traces.MOVES - 14, traces.MOVES - 2 * LOST_CITIES.most_decisions]
