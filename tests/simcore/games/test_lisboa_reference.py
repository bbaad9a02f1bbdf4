"""The kernels of Lisboa against the plain Python reference, move by move: all of the state, the options, the end.

What is compared stands in tests/reference/lisboa_agreement.py; benchmarks/studies/reference_agreement.py does the same
with thousands of games.
"""

from copy import deepcopy
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import bots, records
from simcore.cardset import CardSet
from simcore.games.lisboa import state
from simcore.play import Table
from tests.reference.lisboa import Match, referee
from tests.reference.lisboa_agreement import GAME, Disagreement, Witness, coding_of, rules_of
from tests.reference.lisboa_records import private_fields, public_fields
from tests.reference.lisboa_seen import VISIBLE, Observer, observe
from tests.reference.lisboa_selfplay import play_game
from tests.reference.lisboa_state import OF_THE_HAND, BrokenRule, Event
from tests.reference.lisboa_tables import CLOSED_ROW, COLUMNS, NOBLES, RUBBLE, Rules
from tests.simcore.lisboa_sets import edited, inputs, random_set, shipped

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
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.sampled_from(SEATS), st.integers(0, 2**32))
def test_edited_sets(number: int, seats: int, deal: int) -> None:
    play_along(random_set(number), line_up(seats, *BOTS[:2]), deal, rotation=deal % seats)


@pytest.mark.engine
@pytest.mark.parametrize("seats", SEATS)
def test_a_game_of_the_shipped_set(seats: int) -> None:
    play_along(shipped(), line_up(seats, "uniform"), deal=3)


@pytest.mark.engine
@pytest.mark.parametrize("seats", SEATS)
def test_an_edited_set(seats: int) -> None:
    for seed in range(seats, 12, 6):
        play_along(random_set(seed), line_up(seats, "uniform"), deal=seed, rotation=seed % seats)


# ------------------------------------------------------------------------------------------------- sets at the limits


def with_rewards(table: str, *rewards: tuple[str, str | None, int]) -> dict[str, Any]:
    """Blocks, sites or noble cards with these rewards in turn."""
    rows = inputs(shipped())[table]
    chosen = [row for row in rows if row["reward_code"] and row.get("bottom_kind") != "penalty"]
    for number, row in enumerate(chosen):
        code, argument, amount = rewards[number % len(rewards)]
        row.update(reward_code=code, reward_arg=argument, reward_amount=amount)
    return {table: rows}


def with_rows(table: str, **values: Any) -> dict[str, Any]:
    """All rows of a table with other values."""
    return {table: [row | values for row in inputs(shipped())[table]]}


def with_permanents(*effects: tuple[str, str | None, int]) -> dict[str, Any]:
    """Clergy tiles with these effects in turn, a kind each."""
    rows = inputs(shipped())["clergy_tiles"]
    for number, row in enumerate(rows):
        code, argument, amount = effects[number % len(effects)]
        row.update(permanent_code=code, permanent_arg=argument, permanent_amount=amount)
        row["clergy_kind"] = f"K{number % len(effects)}"
    return {"clergy_tiles": rows}


def more_for_hands() -> list[dict[str, Any]]:
    """Two thirds of the display's cards are dealt to hands."""
    rows = inputs(shipped())["political_cards"]
    for number, row in enumerate(rows):
        if number % 3:
            row["deck"] = {"red": "blue", "brown": "purple"}.get(row["deck"], row["deck"])
    return rows


EVERY_CHOICE = (
    ("gain_good", "any", 3),
    ("gain_rubble", None, 3),
    ("price_up", "any", 2),
    ("state_action_any", None, 3),
    ("state_action", "ship", 1),
    ("gain_influence", None, 2),
    ("state_action", "cardinal", 1),
)
LIMITS = {
    "choices within choices": edited(tables=with_rewards("political_cards", *EVERY_CHOICE), warehouse_base=4),
    "rewards of places": edited(
        tables=with_rewards("downtown_blocks", *EVERY_CHOICE[:3]) | with_rewards("public_sites", *EVERY_CHOICE[:3]),
    ),
    "many tiles": edited(
        tables=with_permanents(
            ("cardinal_extra_step", None, 3),
            ("warehouse_bonus", None, 2),
            ("recruit_bonus", None, 3),
            ("decree_bonus", None, 8),
            ("visit_reais", "any", 9),
            ("produce_bonus", None, 3),
        ),
        clergy_limit_per_player=8,
        influence_per_tile="yes",
    ),
    "one tile": edited(
        tables=with_permanents(("warehouse_bonus", None, 1), ("cardinal_extra_step", None, 1)),
        clergy_limit_per_player=1,
        warehouse_base=1,
    ),
    "long hands, long trades": edited(
        tables={"political_cards": more_for_hands()}, hand_size=7, trade_max_goods=6, recruit_max_officials=3
    ),
    "short hands, one deck": edited(hand_size=2, end_trigger_empty_decks=1),
    "all decks": edited(end_trigger_empty_decks=4, period_1_end_sets=9, game_end_sets=9),
    "one set": edited(period_1_end_sets=1, game_end_sets=1, set_marker_decrees=3, decree_markers_per_turn=2),
    "narrow boards": edited(
        portfolio_base=1,
        portfolio_top_slots=1,
        portfolio_bottom_slots=1,
        warehouse_base=1,
        plan_limit_per_player=1,
        office_capacity=4,
        decree_display=1,
        max_rubble_per_kind=1,
        set_markers_per_player=0,
    ),
    "the other rulings": edited(
        auto_payment="yes",
        north_site_colours="yes",
        hiring="no",
        influence_per_tile="yes",
        free_follows="yes",
        end_count_influence_coins="no",
    ),
    "few goods": edited(
        tables={
            "goods": [row | {"token_count": 4, "noble_id": "any"} for row in inputs(shipped())["goods"]],
            "player_setup": [
                row | {"reais_start": 60, "influence_start": 10} for row in inputs(shipped())["player_setup"]
            ],
        },
    ),
    "many favors": edited(
        tables=with_rows("royal_favors", count_in_play_per_player=3),
        royal_favor_limit_per_noble=3,
    ),
}


@pytest.mark.engine
@pytest.mark.jitted
@pytest.mark.parametrize("name", LIMITS)
def test_sets_at_the_limits(name: str) -> None:
    """L-5.2, L-5.3, L-7.6, L-7.7, L-9.4, L-9.9, L-10.9, L-12.3, L-14.4, L-15.5 and more, turned to extremes."""
    seats = 2 + list(LIMITS).index(name) % 3
    play_along(LIMITS[name], line_up(seats, "uniform"), deal=1)


# ------------------------------------------------------------------------------------------------------------ set-up


@pytest.mark.engine
@pytest.mark.parametrize("seats", SEATS)
def test_set_up(seats: int) -> None:
    """L-2.1 to L-2.6, L-18.1 to L-18.3: over a few deals everything comes everywhere."""
    table = table_of(shipped(), line_up(seats, "uniform"), 1)
    starters, stacks, spaces, kept, favors = set(), set(), set(), set(), set()
    for deal in range(12):
        events = set_up_events(table, deal)
        starters.add(events["start_player"][0]["seat"])
        stacks.add(tuple(events["building_stacks"][0]["blue"]))
        spaces.add(tuple(events["scoring_tiles"][0]["spaces"]))
        kept |= {tile for offer in events["clergy_offer"] for tile in offer["tiles"]}
        favors |= {(event["seat"], event["noble"]) for event in events["favor_draw"]}
        check_set_up(events, seats)
    assert starters == set(range(seats))
    assert len(stacks) == 12
    assert len(spaces) > 6
    assert len(kept) > 18
    assert len(favors) > 2 * seats


def set_up_events(table: Table, deal: int) -> dict[str, list[Event]]:
    """The chance events before the first turn, by name; the table is left at its first decision."""
    witness = up_to_the_first_turn(table, deal)
    found: dict[str, list[Event]] = {}
    for event in witness.events:
        found.setdefault(event.get("chance", event.get("decision", "")), []).append(event)
    check_players(witness)
    return found


def up_to_the_first_turn(table: Table, deal: int) -> Witness:
    witness = Witness(table)
    for _ in witness.follow(deal):
        if witness.match.decision == "MAIN":
            break
    return witness


def check_set_up(events: dict[str, list[Event]], seats: int) -> None:
    order = [(events["start_player"][0]["seat"] + place) % seats for place in range(seats)]
    for name in ("clergy_offer", "CLERGY_KEEP", "favor_draw", "start_plan", "hand"):
        assert [event["seat"] for event in events[name]] == order, name
    assert [event["deck"] for event in events["card_reveal"]] == ["builder", "marquis", "king", "treasury"]
    assert len(events["church_tiles"][0]["tiles"]) == 6
    positions = [event["position"] for event in events["decree_reveal"]]
    assert sorted(set(positions)) == list(range(8))
    rubble = events["rubble"][0]
    assert (CLOSED_ROW in rubble["rows"]) == (seats > 2)
    assert {len(kinds) for kinds in rubble["rows"].values()} == {3}
    assert [len(rubble["columns"][column]) for column in COLUMNS] == [3, 3, 3, 3, 2]
    assert {len(kinds) for kinds in rubble["sites"].values()} == {2}
    assert (len(rubble["pile"]), len(rubble["box"])) == (6, 7 if seats == 2 else 0)


def check_players(witness: Witness) -> None:
    """L-2.3."""
    table = witness.match.table
    for place, seat in enumerate(table.clockwise(table.starter)):
        player = table.players[seat]
        assert (player.influence, player.wigs, player.reais) == (4 + place, 5, 10)
        assert (player.officials, table.offices["marquis"][seat], player.houses, player.markers) == (7, 1, 8, 5)
        assert set(player.goods.values()) == {1}
        assert (len(player.hand), len(player.clergy), len(player.plans), player.favors.total()) == (5, 1, 1, 1)
    assert (table.treasury, table.cardinal, table.period) == (3, 0, 1)
    assert table.prices == {"gold": 5, "cloth": 4, "books": 4, "tools": 3}
    assert table.favors == {noble: len(table.seats) - sum(p.favors[noble] for p in table.players) for noble in NOBLES}


@pytest.mark.engine
def test_there_may_be_only_as_many_starting_plans_as_players_who_get_one() -> None:
    """L-2.3, R5: where places before do without, the last place gets one of them all the same."""
    base = inputs(shipped())
    plans = [row for row in base["plans"] if not row["is_starting"]]
    plans += [row for row in base["plans"] if row["is_starting"]][:2]
    players = [row | {"starting_plans": int(row["seat"] in (1, 4))} for row in base["player_setup"]]
    card_set = edited(tables={"plans": plans, "player_setup": players})
    for deal in range(3):
        witness = up_to_the_first_turn(table_of(card_set, line_up(4, "uniform"), SEED), deal)
        given = sorted(plan for player in witness.match.table.players for plan in player.plans)
        assert given == sorted(row["plan_id"] for row in plans if row["is_starting"])


# -------------------------------------------------------------------------------------------------------- what is seen


@pytest.mark.engine
def test_a_seat_knows_all_that_its_bot_is_given() -> None:
    """L-3.1: rebuilt from scratch, from nothing but the events that the seat may see."""
    witness = Witness(table_of(shipped(), line_up(3, "uniform"), SEED))
    for number, _ in enumerate(witness.follow(5)):
        if number % 40 == 0:
            for seat in range(3):
                observer = observe(witness.rules, witness.events, seat)
                assert private_fields(witness.coding, observer.hand) == witness.kernel.privates()[seat]
                assert public_fields(witness.coding, observer.match) == witness.kernel.public_fields()


def test_nothing_secret_is_seen() -> None:
    """L-3.1, L-2.1: not the cards dealt to others, nor those among which they choose, nor the depths of stacks."""
    rules = rules_of(shipped(), 3)
    observers = [Observer(rules, seat) for seat in range(3)]
    for _, event in play_game(rules, Random(5)):
        for observer in observers:
            seen = observer.view.of(event)
            if event.get("chance") == "hand" and event["seat"] != observer.seat:
                assert set(seen["cards"]) <= {None}
            if event.get("decision") in OF_THE_HAND and event["seat"] != observer.seat:
                assert set(seen) == {"seat", "decision", "action"}
            observer.see(event)
            table = observer.match.table
            assert all(None not in stack[:VISIBLE] for stack in table.stacks.values())
            for seat, player in enumerate(table.players):
                hidden = [card for card in player.hand if card is None]
                assert len(hidden) == (0 if seat == observer.seat else player.dealt.total())


@pytest.mark.engine
def test_what_lies_above_a_count_means_nothing() -> None:
    """Wild bytes in what nobody reads change neither decisions nor results."""
    games = []
    for wild in (False, True):
        table = Table(GAME, shipped(), 3, line_up(3, "uniform"), SEED)
        steps = []
        for step in table.steps(11, 0):
            steps.append((step.seat, step.action, step.options))
            if wild:
                table.state.secret.room[:] = 255
                table.state.public.reais[3:] = -7
                table.state.public.hand[3:] = 3
        games.append((steps, table.out.points[: table.seats].tolist()))
    assert games[0] == games[1]


# --------------------------------------------------------------------------------------------- the judge is no pushover


def self_played(rules: Rules, seed: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A game that the reference has played with itself: events and result."""
    events, match = [], None
    for match, event in play_game(rules, Random(seed)):  # noqa: B007  # the match is read at the end
        events.append(deepcopy(dict(event)))
    assert match is not None
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


def test_random_games_are_as_long_as_the_page_says() -> None:
    """INV-20: the means of decisions are 221, 234 and 249 on the page, of its own trial games."""
    for seats, mean in ((2, 221), (3, 234), (4, 249)):
        rules = rules_of(shipped(), seats)
        numbers = [sum("decision" in event for _, event in play_game(rules, Random(seed))) for seed in range(30)]
        assert sum(numbers) / len(numbers) == pytest.approx(mean, abs=15)


CHANGES = (
    *(
        "options",
        "action",
        "hand",
        "stacks",
        "reveal",
        "wigs",
        "reais",
        "result",
        "winners",
        "parts",
        "missing",
        "seat",
    ),
    *("twice", "forced", "final rounds", "no final rounds", "early turn end", "decision", "rubble", "period", "tile"),
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
    return next(i for i, event in enumerate(events) if name in (event.get("decision"), event.get("chance"), *event))


def spoiled(events: list[dict[str, Any]], result: dict[str, Any], change: str) -> None:
    decisions = [event for event in events if "decision" in event]
    if change == "options":
        decisions[7]["options"] = decisions[7]["options"][:-1]
    elif change == "action":
        decisions[7]["action"] = "loc99"
    elif change == "hand":
        of_chance(events, "hand")[1]["cards"][0] = of_chance(events, "hand")[0]["cards"][1]
    elif change == "stacks":
        of_chance(events, "building_stacks")[0]["blue"][3] = of_chance(events, "building_stacks")[0]["green"][4]
    elif change == "reveal":
        of_chance(events, "card_reveal")[2]["card"] = "red_builder_1"
    elif change in ("wigs", "reais"):
        next(event for event in events if "turn_end" in event)[change][1] += 1
    elif change == "result":
        result["scores"][0] += 1
    elif change == "winners":
        result["winners"] = [(result["winners"][0] + 1) % 3]
    elif change == "parts":
        result["parts"][1]["decrees"] += 1
    elif change == "missing":
        del events[30]
    elif change == "seat":
        decisions[5]["seat"] = (decisions[5]["seat"] + 1) % 3
    elif change == "twice":
        events.insert(30, events[30])
    elif change == "forced":
        decisions[0]["forced"] = True
    elif change == "final rounds":
        events[place_of(events, "final_rounds")]["final_rounds"] = "sets"
    elif change == "no final rounds":
        del events[place_of(events, "final_rounds")]
    elif change == "early turn end":
        events.insert(place_of(events, "DRAW"), events[place_of(events, "turn_end")])
    elif change == "decision":
        events[place_of(events, "SELL")]["decision"] = "TRADE"
    elif change == "rubble":
        pile = of_chance(events, "rubble")[0]["pile"]
        pile[0] = RUBBLE[RUBBLE.index(pile[0]) - 1]
    elif change == "period":
        events[place_of(events, "period_end")]["seat"] += 1
    else:
        of_chance(events, "clergy_offer")[1]["tiles"][0] = of_chance(events, "clergy_offer")[0]["tiles"][0]


FIELDS = tuple(name for name in state.PUBLIC.names or () if name not in ("decision", "frame"))
HIDDEN = ("secret deck", "secret bag", "secret decree", "secret stack")


@pytest.fixture(scope="module")
def halfway() -> Witness:
    """A game before a turn in the middle of it."""
    witness = Witness(Table(GAME, shipped(), 3, line_up(3, "uniform"), SEED))
    for _ in witness.follow(0):
        if witness.match.table.turns == 20 and witness.match.decision == "MAIN":
            break
    return witness


@pytest.mark.engine
@pytest.mark.parametrize("field", [*FIELDS, "private hand", *HIDDEN])
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
    for other in record.dtype.names:
        record[other] = before[other]


def test_events_are_those_of_the_words() -> None:
    """An event of an unknown kind is no event."""
    event: Event = {"chance": "weather"}
    with pytest.raises(BrokenRule):
        Match(rules_of(shipped(), 2)).apply(event)


def test_the_records_are_those_that_are_described() -> None:
    """Every field of `Public` and `Private` is compared."""
    table = Table(GAME, shipped(), 2, line_up(2, "uniform"), SEED)
    witness = Witness(table)
    next(witness.follow(0))
    assert set(public_fields(witness.coding, witness.match)) == set(records.zero(state.PUBLIC).dtype.names)
    assert set(private_fields(coding_of(table), [])) == set(state.PRIVATE.names or ())
