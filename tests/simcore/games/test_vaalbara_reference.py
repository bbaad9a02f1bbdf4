"""The kernels of Vaalbara against the plain Python reference, move by move: all of the state, the options, the end.

What is compared stands in tests/reference/vaalbara_agreement.py; benchmarks/studies/reference_agreement.py does the
same with 20,000 games.
"""

from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import bots
from simcore.cardset import CardSet
from simcore.games.vaalbara import state
from simcore.play import Table
from tests.reference.vaalbara import (
    CHARACTER,
    SHOW_FIGHTER,
    BrokenRule,
    Event,
    Match,
    referee,
)
from tests.reference.vaalbara_agreement import GAME, Disagreement, Witness, coding_of, rules_of
from tests.reference.vaalbara_records import private_fields, public_fields
from tests.reference.vaalbara_seen import View, observe, views
from tests.simcore.vaalbara_sets import card_sets, edited, inputs, random_set, shipped

SHIPPED = ("default", "alt_no_5plus")
BOTS = [bot.name for bot in bots.available(GAME) if bot.cost == "cheap"]
SEATS = (2, 3, 4, 5)
SEED = 20_250_301


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
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_sets(name: str, seats: int, number: int) -> None:
    """Each bot against the next one of the list, in all rotations."""
    names = line_up(seats, BOTS[number], BOTS[(number + 1) % len(BOTS)])
    for rotation in range(seats):
        play_along(shipped(name), names, deal=number, rotation=rotation)


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(card_sets(), st.sampled_from(SEATS), st.integers(0, 2**32))
def test_edited_sets(card_set: CardSet, seats: int, deal: int) -> None:
    for number in range(2):
        play_along(card_set, line_up(seats, *BOTS[:2]), deal + number, rotation=deal % seats)


@pytest.mark.engine
@pytest.mark.parametrize("seats", SEATS)
def test_a_few_edited_sets(seats: int) -> None:
    for seed in range(seats, 20, 4):
        play_along(random_set(seed), line_up(seats, "uniform"), deal=seed, rotation=seed % seats)


@pytest.mark.engine
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("name", SHIPPED)
def test_a_game_of_each_shipped_set(name: str, seats: int) -> None:
    witness = play_along(shipped(name), line_up(seats, "uniform"), deal=3)
    assert witness.match.table.turns == 9 * seats


def with_characters(*effects: tuple[str, int, int], **scalars: Any) -> CardSet:
    """A set whose characters have just these effects, initiatives and amounts."""
    rows = [
        {"key": f"c{number}", "initiative": initiative, "effect_code": effect, "vp_amount": amount}
        for number, (effect, initiative, amount) in enumerate(effects)
    ]
    return edited(tables={"characters": rows}, **scalars)


@pytest.mark.engine
@pytest.mark.parametrize(
    "card_set",
    [
        with_characters(*[("OTHERS_REVEAL_FIGHTER", 1, 20)] * 16, fighter_pays_owner="yes"),
        with_characters(*[("RECOVER_CHARACTER", 7, 0)] * 8, ("NONE", 20, 0), hand_size=1),
        with_characters(*[("SWAP_REALM_DECKBOTTOM", 3, 0)] * 5, *[("SWAP_ROW_DECKTOP", 3, 0)] * 7),
        with_characters(*[("STEAL_PREVIOUS", 5, 20)] * 9, start_vp=0, tracker_reorders="no"),
        with_characters(*[("SWAP_ROWS", 2, 0)] * 4, *[("GIVE_OTHER", 2, 0)] * 4, ("DOUBLE_LAND", 1, 0), hand_size=12),
        edited(rounds=1, hand_size=1),
        edited(rounds=9, farmer_factor=10, river_cap=20, mountain_second=100, mountain_fourth=0),
    ],
    ids=["Fighters", "Midwives", "Pioneers and Trackers", "Falconers", "Riders and Bards", "one round", "high numbers"],
)
@pytest.mark.parametrize("seats", [2, 5])
def test_sets_at_the_limits(card_set: CardSet, seats: int) -> None:
    """VB-6.1c, VB-6.8c, VB-4.4, VB-6.6a and others, where every turn is about them; VB-1.6: no supply is too small."""
    for deal in range(3):
        play_along(card_set, line_up(seats, "uniform"), deal)


@pytest.mark.engine
def test_a_deck_that_is_used_up() -> None:
    """VB-3.8: with just as many lands as the rounds need, the last second rows are short or empty."""
    rows = inputs(shipped("default"))["lands"]
    for number, row in enumerate(rows):
        row["min_players"] = 2 if number < 19 else 3 if number < 28 else 4 if number < 37 else 5
    card_set = edited(tables={"lands": rows[:46]})
    for seats in SEATS:
        table = table_of(card_set, line_up(seats, "uniform"), SEED)
        witness, lengths = Witness(table), set()
        for _ in witness.follow(0):
            lengths.add(int(table.state.public["count"][1]))
        assert lengths == {0, seats}
        assert table.state.public.deck == 1


@pytest.mark.engine
def test_what_lies_above_a_count_means_nothing() -> None:
    """Wild bytes above all counts change neither decisions nor results."""
    games = []
    for wild in (False, True):
        table = Table(GAME, shipped("default"), 3, line_up(3, "uniform"), SEED)
        steps = []
        for step in table.steps(11, 0):
            steps.append((step.seat, step.action, step.options))
            if wild:
                spoil(table.state, table.seats)
        games.append((steps, table.out.points[: table.seats].tolist()))
    assert games[0] == games[1]


def spoil(record: Any, seats: int) -> None:
    public, secret = record.public, record.secret
    for row, count in enumerate(public["count"]):
        public.row[row, count:] = 255
    for seat in range(state.SEATS):
        public.realm[seat, public.lands[seat] if seat < seats else 0 :] = 255
        secret.clan_deck[seat, public.clan_deck[seat] if seat < seats else 0 :] = 255
    secret.land_deck[public.deck :] = 255
    public.sequence[int(public.acted).bit_count() :] = 99


@pytest.mark.engine
def test_a_seat_knows_all_that_its_bot_is_given() -> None:
    """VB-9.1, VB-9.2: rebuilt from scratch, from nothing but the events that the seat may see."""
    table = Table(GAME, shipped("default"), 4, line_up(4, "uniform"), SEED)
    witness = Witness(table)
    for number, _ in enumerate(witness.follow(5, 0)):
        actor = witness.match.actor
        if number % 10 == 0 and actor >= 0:
            for seat in range(4):
                observer = observe(witness.rules, witness.events, seat)
                for seen in View(witness.rules, seat).decides(actor, witness.match.table.expects):
                    observer.see(seen)
                private = private_fields(witness.coding, observer.hand, observer.choice)
                assert private == witness.kernel.privates()[seat]
                if witness.match.table.expects != SHOW_FIGHTER or actor == seat:
                    assert public_fields(witness.coding, observer.table, actor) == witness.kernel.public_fields()


@pytest.mark.engine
def test_nothing_secret_is_seen() -> None:
    """VB-3.1, VB-6.1d, section 9 "hidden": hands, draws, choices before the reveal, questions answered with no."""
    effects = [("OTHERS_REVEAL_FIGHTER", 4, 1), ("RECOVER_CHARACTER", 6, 0), ("SWAP_ROW_DECKTOP", 5, 0)] * 4
    witness = play_along(with_characters(*effects), line_up(3, "uniform"), deal=1)
    seen = [[*views(witness.rules, witness.events, seat)] for seat in range(3)]
    for seat, events in enumerate(seen):
        for event in events:
            if event.get("seat", seat) != seat:
                assert not {"options", "cards", "card"} & set(event)
                assert "action" not in event or event["decision"] != CHARACTER
                assert event.get("decision") != SHOW_FIGHTER or event["action"] == "yes"
            if event.get("decision") == SHOW_FIGHTER and "decides" in event:
                assert event["decides"] == seat
    answers = Counter(event["action"] for event in witness.events if event.get("decision") == SHOW_FIGHTER)
    assert answers["no"]
    assert answers["yes"]


@pytest.mark.engine
def test_the_reveal_comes_after_all_choices() -> None:
    """VB-3.1."""
    witness = play_along(shipped("default"), line_up(3, "uniform"), deal=2)
    events = [*views(witness.rules, witness.events, 0)]
    for number, event in enumerate(events):
        if "reveal" in event:
            before = [other for other in events[number - 6 : number] if other.get("decision") == CHARACTER]
            assert [other.get("seat") for other in before if "seat" in other] == [0, 1, 2]
            assert [("action" in other) for other in before if "seat" in other] == [True, False, False]


@pytest.mark.engine
def test_codes_are_those_of_the_card_log() -> None:
    """state.py's description of the codes, against what the game declares: characters first, then lands."""
    for card_set in (shipped("default"), random_set(3)):
        table = Table(GAME, card_set, 2, line_up(2, "uniform"), 0)
        coding = coding_of(table)
        declared = {card.id: card.code for card in table.game.log_cards(card_set, 2)}
        assert {character.key: place for character, place in coding.place.items()}.items() <= declared.items()
        assert all(state.CHARACTERS <= code < state.CODES for code in coding.land.values())
        assert len(set(declared.values())) == len(declared)


# --------------------------------------------------------------------------------------------- the judge is no pushover


def replayed() -> tuple[list[dict[str, Any]], dict[str, Any]]:
    witness = play_along(shipped("default"), line_up(4, "uniform"), deal=4)
    return [dict(event) for event in witness.events], witness.match.table.result()


def judge(events: list[dict[str, Any]], result: dict[str, Any]) -> Match:
    return referee(rules_of(shipped("default"), 4), {"events": events, "result": result})


@pytest.mark.engine
def test_the_referee_follows_a_replay() -> None:
    assert isinstance(judge(*replayed()), Match)


@pytest.mark.engine
def test_chance_events_of_one_moment_may_come_in_any_order() -> None:
    """The first omens last in the set-up, and new ones after the row that uncovered them."""
    events, result = replayed()
    begin, end = 1, next(i for i, event in enumerate(events) if event.get("chance") == "omens")
    events[begin:end] = reversed(events[begin:end])
    report = next(i for i, event in enumerate(events) if "round" in event)
    begin = max(i for i in range(report + 1) if "decision" in events[i]) + 1
    end = next(i for i in range(report, len(events)) if "decision" in events[i])
    row = next(event for event in events[begin:end] if event.get("chance") == "row")
    others = [event for event in events[begin:end] if event is not row]
    events[begin:end] = [row, *reversed(others)]
    judge(events, result)


CHANGES = (
    *("options", "action", "hand", "draw", "points", "order", "result", "missing", "seat", "twice", "omens", "row"),
    *("land", "show", "forced", "early omens", "clans"),
)


@pytest.mark.engine
@pytest.mark.parametrize("change", CHANGES)
def test_the_referee_finds_what_is_wrong(change: str) -> None:
    events, result = replayed()
    spoiled(events, result, change)
    with pytest.raises(BrokenRule):
        judge(events, result)


def of_chance(events: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [event for event in events if event.get("chance") == name]


def spoiled(events: list[dict[str, Any]], result: dict[str, Any], change: str) -> None:
    decisions = [event for event in events if "decision" in event]
    reports = [event for event in events if "round" in event]
    if change == "options":
        decisions[7]["options"] = decisions[7]["options"][:-1]
    elif change == "action":
        decisions[7]["action"] = "L99"
    elif change == "hand":
        of_chance(events, "hand")[1]["cards"].append("midwife")
    elif change == "draw":
        first, second = [event for event in of_chance(events, "draw") if event["seat"] == 0][:2]
        second["card"] = first["card"]
    elif change == "points":
        reports[2]["points"] = [0, 0, 0, 0]
    elif change == "order":
        reports[2]["order"] = reports[2]["order"][::-1]
    elif change == "result":
        result["scores"][0] += 1
    elif change == "missing":
        del events[10]
    elif change == "seat":
        decisions[5]["seat"] = (decisions[5]["seat"] + 1) % 4
    elif change == "twice":
        events.insert(30, events[30])
    elif change == "omens":
        of_chance(events, "omens")[3]["ranking"] = of_chance(events, "omens")[3]["ranking"][::-1]
    elif change == "row":
        of_chance(events, "row")[3]["lands"] = of_chance(events, "row")[2]["lands"]
    elif change == "land":
        of_chance(events, "land")[0]["land"] = of_chance(events, "row")[0]["lands"][0]
    elif change == "show":
        number = next(i for i, event in enumerate(events) if event.get("decision") == SHOW_FIGHTER)
        del events[number]
    elif change == "forced":
        decisions[0]["forced"] = True
    elif change == "early omens":
        events.insert(1, events.pop(next(i for i, event in enumerate(events) if event.get("chance") == "omens")))
    else:
        events[0]["clans"] = ["red"] * 4


FIELDS = (
    *("standing", "omens", "ranking", "deck", "top", "bottom", "count", "row", "lands", "realm", "have", "hand"),
    *("clan_deck", "discard", "known", "recovered", "revealed", "active", "acted", "sequence", "turns", "actor"),
    *("played_rounds", "clan", "rounds", "private hand", "chosen", "secret clan deck", "secret land deck"),
)


@pytest.mark.engine
@pytest.mark.parametrize("field", FIELDS)
def test_a_wrong_record_is_noticed(field: str) -> None:
    """A change of any part of the record by one is a disagreement."""
    table = Table(GAME, shipped("default"), 3, line_up(3, "uniform"), SEED)
    witness = Witness(table)
    for _ in witness.follow(0):
        public = table.state.public
        if public.played_rounds == 2 and int(public.acted).bit_count() == 1:
            break
    witness.compare()
    record = table.state
    name = {"private hand": "hand", "secret clan deck": "clan_deck", "secret land deck": "land_deck"}.get(field, field)
    if field in ("private hand", "chosen"):
        part = record.private[1]
    elif field.startswith("secret"):
        part = record.secret
    else:
        part = public
    if part[name].shape:
        values = part[name].reshape(-1)
        values[0] ^= values.dtype.type(1)
    else:
        part[name] ^= np.asarray(part[name]).dtype.type(1)
    with pytest.raises(Disagreement):
        witness.compare()


def test_events_are_those_of_the_words() -> None:
    """An event of an unknown kind is no event."""
    event: Event = {"chance": "weather"}
    with pytest.raises(BrokenRule):
        Match(rules_of(shipped("default"), 2)).apply(event)
