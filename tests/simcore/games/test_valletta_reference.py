"""The kernels of Valletta against the plain Python reference, move by move: all of the state, the options, the end.

What is compared stands in tests/reference/valletta_agreement.py; benchmarks/studies/reference_agreement.py does the
same with thousands of games.
"""

from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import bots, records
from simcore.cardset import CardSet
from simcore.game import Note
from simcore.games.valletta import state
from simcore.play import Table
from tests.reference.valletta import DISMISS_CARD, PLAY_CARD, BrokenRule, Event, Match, Rules, referee
from tests.reference.valletta_agreement import GAME, Disagreement, Witness, coding_of, rules_of
from tests.reference.valletta_records import DECISIONS, private_fields, public_fields
from tests.reference.valletta_seen import View, observe
from tests.reference.valletta_selfplay import next_event
from tests.simcore.valletta_sets import card_sets, edited, inputs, random_set, shipped

BOTS = [bot.name for bot in bots.available(GAME) if bot.cost == "cheap"]
SEATS = (2, 3, 4)
SEED = 20_250_401


def line_up(seats: int, *names: str) -> tuple[str, ...]:
    """These bots, repeated."""
    return tuple(names[seat % len(names)] for seat in range(seats))


@lru_cache(maxsize=64)
def table_of(card_set: CardSet, names: tuple[str, ...], seed: int) -> Table:
    """Kept, so that a game meets in the record what the game before has left there."""
    return Table(GAME, card_set, len(names), names, seed)


def play_along(card_set: CardSet, names: tuple[str, ...], deal: int, rotation: int = 0, seed: int = SEED) -> Witness:
    """One game, everything compared after every move."""
    witness = Witness(table_of(card_set, names, seed))
    for _ in witness.follow(deal, rotation):
        pass
    return witness


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(BOTS)), ids=BOTS)
@pytest.mark.parametrize("seats", SEATS)
def test_the_shipped_set(seats: int, number: int) -> None:
    """Each bot against the next one of the list, in all rotations."""
    names = line_up(seats, BOTS[number], BOTS[(number + 1) % len(BOTS)])
    for rotation in range(seats):
        play_along(shipped(), names, deal=number, rotation=rotation)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(card_sets(), st.sampled_from(SEATS), st.integers(0, 2**32))
def test_edited_sets(card_set: CardSet, seats: int, deal: int) -> None:
    play_along(card_set, line_up(seats, *BOTS[:2]), deal, rotation=deal % seats)


@pytest.mark.engine
@pytest.mark.parametrize("seats", SEATS)
def test_a_game_of_the_shipped_set(seats: int) -> None:
    witness = play_along(shipped(), line_up(seats, "uniform"), deal=3)
    assert not witness.match.table.result()["truncated"]


@pytest.mark.engine
@pytest.mark.parametrize("seats", SEATS)
def test_an_edited_set(seats: int) -> None:
    for seed in range(seats, 12, 6):
        play_along(random_set(seed), line_up(seats, "uniform"), deal=seed, rotation=seed % seats)


# ------------------------------------------------------------------------------------------------- sets at the limits


def with_setup(**values: int) -> list[dict[str, Any]]:
    """The set-up of all numbers of players with other values."""
    return [row | values for row in inputs(shipped())["setup"]]


def with_characters(*effects: dict[str, Any]) -> list[dict[str, Any]]:
    """The characters, those of the starting set with these effects, all of which can be copied."""
    rows = inputs(shipped())["characters"]
    blank = {"good": None, "n": 0, "points": 0, "copyable_by_apprentice": 1}
    blank |= {name: 0 for name in rows[0] if name.startswith(("discount", "pay"))}
    return [row | blank | effect for row, effect in zip(rows, effects, strict=False)] + rows[len(effects) :]


def few_turns(**scalars: Any) -> dict[str, Any]:
    return {"turn_cap": 8, **scalars}


LIMITS = {
    "gifts, one by one": edited(
        tables={
            "characters": with_characters(
                {"effect": "MENDICANT", "n": 3},
                {"effect": "HOST", "good": "stone", "n": 2},
                {"effect": "TAX_COLLECTOR", "n": 3},
                {"effect": "GAIN_CHOICE", "n": 4},
            ),
        },
        **few_turns(mendicant_holding=1, host_holding=1, collector_holding=1),
    ),
    "a supply that runs short": edited(
        tables={
            "setup": with_setup(pieces_gold=5, pieces_wood=5, pieces_stone=6, pieces_brick=5),
            "characters": with_characters(
                {"effect": "NUN", "n": 3},
                {"effect": "MERCHANT", "n": 2, "pay_stone": 1},
                {"effect": "TRADER", "good": "gold", "n": 9},
                {"effect": "GAIN_CHOICE", "n": 5},
            ),
        },
        **few_turns(nun_others=2, trader_pays=2),
    ),
    "costly substitution": edited(
        tables={"setup": with_setup(start_wood=6, start_brick=7, houses=3)},
        **few_turns(substitution_rate=2, gold_fills="no"),
    ),
    "cheap substitution": edited(tables={"setup": with_setup(start_stone=7)}, **few_turns(substitution_rate=1)),
    "Apprentices": edited(
        tables={
            "characters": with_characters(
                {"effect": "COPY_PREVIOUS"},
                {"effect": "COPY_PREVIOUS"},
                {"effect": "JEAN"},
                {"effect": "POINTS_FIXED", "points": 2},
                {"effect": "PAY_CHOICE_FOR_POINTS", "n": 1, "points": 3},
            ),
        },
        **few_turns(copies_declined="no"),
    ),
    "no chain, points hit exactly": edited(
        tables={
            "setup": with_setup(trigger_points=4, area_bonus=1),
            "characters": with_characters(
                {"effect": "COPY_PREVIOUS"}, {"effect": "COPY_PREVIOUS"}, {"effect": "POINTS_FIXED", "points": 3}
            ),
        },
        **few_turns(apprentice_chain="no", passing_triggers="no", copies_declined="no"),
    ),
    "large hands, all known": edited(tables={"setup": with_setup(hand_size=12, plays_per_turn=5)}, **few_turns()),
    "a hand of one": edited(tables={"setup": with_setup(hand_size=1, plays_per_turn=1)}, **few_turns(turn_cap=20)),
    "one column, narrow areas": edited(
        tables={"setup": with_setup(columns=1, start_gold=8, start_wood=5, start_stone=5, start_brick=5)},
        **few_turns(area_spaces=3),
    ),
    "one turn each": edited(turn_cap=1),
}


@pytest.mark.engine
@pytest.mark.parametrize("name", LIMITS)
def test_sets_at_the_limits(name: str) -> None:
    """VT-6.4, VT-6.5, VT-7.10 to VT-7.13, VT-8.9, VT-8.12, VT-10.1, VT-13.2, VT-13.11 and more, turned to extremes."""
    seats = 2 + list(LIMITS).index(name) % 3
    play_along(LIMITS[name], line_up(seats, "uniform"), deal=1)


# -------------------------------------------------------------------------------------------------------- what is seen


@pytest.mark.engine
def test_a_seat_knows_all_that_its_bot_is_given() -> None:
    """VT-15.1, VT-15.2: rebuilt from scratch, from nothing but the events that the seat may see."""
    witness = Witness(table_of(LIMITS["large hands, all known"], line_up(3, "uniform"), SEED))
    for number, _ in enumerate(witness.follow(5)):
        if number % 25 == 0:
            for seat in range(3):
                observer = observe(witness.rules, witness.events, seat)
                assert private_fields(witness.coding, observer.hand) == witness.kernel.privates()[seat]
                assert public_fields(witness.coding, observer.match) == witness.kernel.public_fields()


@pytest.mark.engine
def test_nothing_secret_is_seen() -> None:
    """VT-15.1: not the hands of others, nor the cards that they draw, nor those among which they choose."""
    witness = play_along(LIMITS["one turn each"], line_up(3, "uniform"), deal=1)
    for seat in range(3):
        seen = [View(seat).of(event) for event in witness.events]
        for event in seen:
            if event.get("seat", seat) != seat:
                assert not {"options", "cards", "card", "forced"} & set(event)
        drawn = [event for event in seen if event.get("chance") == "draw"]
        assert {event["seat"] for event in drawn} == {0, 1, 2}
        own = [event for event in seen if event.get("decision") in (PLAY_CARD, DISMISS_CARD) and "options" in event]
        assert {event["seat"] for event in own} == {seat}


@pytest.mark.engine
def test_what_everybody_can_tell_is_in_the_hand() -> None:
    """VT-15.2: `known`, in every position of a game."""
    witness = Witness(table_of(shipped(), line_up(2, "uniform"), SEED))
    fullest = 0
    for _ in witness.follow(7):
        table = witness.match.table
        for seat in table.seats:
            hand = table.hands[seat]
            assert hand is not None
            assert table.known[seat] <= hand
            fullest = max(fullest, table.known[seat].total())
    assert fullest == 5


@pytest.mark.engine
def test_cards_are_counted_a_seat() -> None:
    """The codes that the log counts plays by are those of the reference, and all plays are there."""
    card_set = LIMITS["one turn each"]
    table = Table(GAME, card_set, 3, line_up(3, "uniform"), SEED)
    coding, played, noted = coding_of(table), [], []
    for step in table.steps(2, 0):
        if step.seat >= 0 and DECISIONS[step.decision] == PLAY_CARD:
            played.append((step.seat, coding.word(step.action)))
        noted += [(seat, value) for kind, _, seat, value in step.events if kind == Note.TALLY]
    assert [(seat, coding.rules.characters[value].code) for seat, value in noted] == played


@pytest.mark.engine
def test_what_lies_above_a_count_means_nothing() -> None:
    """Wild bytes above all counts change neither decisions nor results."""
    games = []
    for wild in (False, True):
        table = Table(GAME, edited(turn_cap=4), 3, line_up(3, "uniform"), SEED)
        steps = []
        for step in table.steps(11, 0):
            steps.append((step.seat, step.action, step.options))
            if wild:
                spoil(table.state, table.seats)
        games.append((steps, table.out.points[: table.seats].tolist()))
    assert games[0] == games[1]


def spoil(record: Any, seats: int) -> None:
    public, secret = record.public, record.secret
    for seat in range(state.SEATS):
        secret.deck[seat, public.deck[seat] if seat < seats else 0 :] = 255
    public.goods[seats:] = -7
    public.hand[seats:] = 3
    public.discard[seats:] = 9
    public.owned[seats:] = 9


# --------------------------------------------------------------------------------------------- the judge is no pushover


def self_played(rules: Rules, seed: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A game that the reference has played with itself: events and result."""
    match, rng, events = Match(rules), Random(seed), []
    while not match.table.is_over:
        event = next_event(match, rng)
        events.append(dict(event))
        match.apply(event)
    return events, match.table.result()


@pytest.mark.parametrize("seats", SEATS)
def test_the_reference_plays_by_itself(seats: int) -> None:
    """Parts add up to scores, and the referee follows."""
    for card_set in (shipped(), *map(random_set, range(4))):
        rules = rules_of(card_set, seats)
        events, result = self_played(rules, seed=seats)
        assert [sum(parts.values()) for parts in result["parts"]] == result["scores"]
        assert sum(result["win_share"]) == pytest.approx(1)
        assert isinstance(referee(rules, {"events": events, "result": result}), Match)


CHANGES = (
    *("options", "action", "hand", "city", "draw", "barrel", "space", "points", "result", "winners", "missing", "seat"),
    *("twice", "forced", "final phase", "no final phase", "early turn end", "decision", "colours", "skipped question"),
)


@pytest.mark.parametrize("change", CHANGES)
def test_the_referee_finds_what_is_wrong(change: str) -> None:
    rules = rules_of(shipped(), 3)
    events, result = self_played(rules, seed=9)
    spoiled(events, result, change)
    with pytest.raises(BrokenRule):
        referee(rules, {"events": events, "result": result})


def of_chance(events: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [event for event in events if event.get("chance") == name]


def place_of(events: list[dict[str, Any]], name: str) -> int:
    return next(i for i, event in enumerate(events) if name in (event.get("decision"), *event))


def spoiled(events: list[dict[str, Any]], result: dict[str, Any], change: str) -> None:
    decisions = [event for event in events if "decision" in event]
    if change == "options":
        decisions[7]["options"] = decisions[7]["options"][:-1]
    elif change == "action":
        decisions[7]["action"] = "loc99"
    elif change == "hand":
        of_chance(events, "hand")[1]["cards"][0] = of_chance(events, "hand")[1]["cards"][1]
    elif change == "city":
        events[0]["buildings"][3] = events[0]["buildings"][4]
    elif change == "colours":
        spare = [row for row in rules_of(shipped(), 3).buildings if row.id not in events[0]["buildings"]]
        green = next(row.id for row in spare if row.colour == "green")
        blue = next(i for i, number in enumerate(events[0]["buildings"]) if 12 <= number <= 26)
        events[0]["buildings"][blue] = green
    elif change == "draw":
        of_chance(events, "draw")[2]["card"] = "REKUK"
    elif change == "barrel":
        for event in of_chance(events, "barrel"):
            event["good"] = "gold"
    elif change == "space":
        of_chance(events, "barrel")[1]["space"] = 1
    elif change == "points":
        next(event for event in events if "turn_end" in event)["points"] = [0, 1, 0]
    elif change == "result":
        result["scores"][0] += 1
    elif change == "winners":
        result["winners"] = [(result["winners"][0] + 1) % 3]
    elif change == "missing":
        del events[10]
    elif change == "seat":
        decisions[5]["seat"] = (decisions[5]["seat"] + 1) % 3
    elif change == "twice":
        events.insert(30, events[30])
    elif change == "forced":
        decisions[0]["forced"] = True
    elif change == "final phase":
        events.insert(place_of(events, "turn_end"), {"final_phase": 0})
    elif change == "no final phase":
        del events[place_of(events, "final_phase")]
    elif change == "early turn end":
        events.insert(20, events[place_of(events, "turn_end")])
    elif change == "decision":
        events[place_of(events, "USE_EFFECT")]["decision"] = "PICK_GOOD"
    else:
        del events[place_of(events, "SUBSTITUTE")]


FIELDS = tuple(name for name in state.PUBLIC.names or () if name != "decision")


@pytest.fixture(scope="module")
def halfway() -> Witness:
    """A game between two turns in the middle of it."""
    witness = Witness(Table(GAME, shipped(), 3, line_up(3, "uniform"), SEED))
    for _ in witness.follow(0):
        if witness.match.table.turns == 20 and not witness.match.table.slots:
            break
    return witness


@pytest.mark.engine
@pytest.mark.parametrize("field", [*FIELDS, "private hand", "private held", "secret deck", "secret barrel"])
def test_a_wrong_record_is_noticed(halfway: Witness, field: str) -> None:
    """A change of any part of the record by one is a disagreement."""
    record, name = halfway.kernels.state, field.split()[-1]
    part = {"private": record.private[1], "secret": record.secret}.get(field.split()[0], record.public)
    before = record.copy()
    halfway.compare()
    if part[name].shape:
        values = part[name].reshape(-1)
        values[0] ^= values.dtype.type(1)
    else:
        part[name] ^= np.asarray(part[name]).dtype.type(1)
    with pytest.raises(Disagreement):
        halfway.compare()
    restore(record, before)


def restore(record: Any, before: Any) -> None:
    for name in record.dtype.names:
        record[name] = before[name]


def test_events_are_those_of_the_words() -> None:
    """An event of an unknown kind is no event."""
    event: Event = {"chance": "weather"}
    with pytest.raises(BrokenRule):
        Match(rules_of(shipped(), 2)).apply(event)


def test_the_records_are_those_that_are_described() -> None:
    """Every field of `Public` and `Private` is compared."""
    table = Table(GAME, shipped(), 2, line_up(2, "uniform"), SEED)
    coding = coding_of(table)
    match = Match(coding.rules)
    assert set(public_fields(coding, match)) == set(records.zero(state.PUBLIC).dtype.names)
    assert set(private_fields(coding, observe(coding.rules, [], 0).hand)) == set(state.PRIVATE.names or ())
