"""The kernels of Lost Cities against the plain Python reference, move by move: all of the state, the options, the end.

What is compared stands in tests/reference/lost_cities_agreement.py; benchmarks/studies/reference_agreement.py does the
same with 20,000 games.
"""

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import bots
from simcore.cardset import CardSet
from simcore.games.lost_cities import state
from simcore.play import Table
from tests.reference.lost_cities import SEATS, BrokenRule, Match, observe, referee
from tests.reference.lost_cities_agreement import GAME, Disagreement, Witness, rules_of
from tests.reference.lost_cities_records import Coding, public_fields
from tests.simcore.games.lost_cities_stacked import edited, shipped
from tests.simcore.lost_cities_sets import card_sets

SHIPPED = ("base", "long", "single_round", "long_single_round")
BOTS = [bot.name for bot in bots.available(GAME) if bot.cost == "cheap"]
SEED = 20_240_901


@lru_cache(maxsize=64)
def table_of(card_set: CardSet, pair: tuple[str, str], seed: int) -> Table:
    """Kept, so that a game meets in the record what the game before has left there."""
    return Table(GAME, card_set, 2, pair, seed)


def play_along(card_set: CardSet, pair: tuple[str, str], deal: int, rotation: int, seed: int = SEED) -> Witness:
    """One game, everything compared after every move."""
    witness = Witness(table_of(card_set, pair, seed))
    for _ in witness.follow(deal, rotation):
        pass
    return witness


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(BOTS)), ids=BOTS)
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_sets(name: str, number: int) -> None:
    """Each bot against the next one of the list, and against itself."""
    bot, other = BOTS[number], BOTS[(number + 1) % len(BOTS)]
    play_along(shipped(name), (bot, other), deal=number, rotation=0)
    play_along(shipped(name), (bot, other), deal=number, rotation=1)
    play_along(shipped(name), (bot, bot), deal=100 + number, rotation=0)


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(card_sets(), st.tuples(st.sampled_from(BOTS), st.sampled_from(BOTS)), st.integers(0, 2**32), st.integers(0, 1))
def test_edited_sets(card_set: CardSet, pair: tuple[str, str], deal: int, rotation: int) -> None:
    for number in range(2):
        play_along(card_set, pair, deal + number, rotation)


@pytest.mark.engine
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(card_sets().filter(lambda card_set: card_set.scalars["rounds"] <= 2), st.integers(0, 1000))
def test_a_few_edited_sets(card_set: CardSet, deal: int) -> None:
    for number in range(2):
        play_along(card_set, ("uniform", "heuristic"), deal + number, rotation=deal % 2)


@pytest.mark.engine
@pytest.mark.parametrize("name", SHIPPED)
def test_a_game_of_each_shipped_set(name: str) -> None:
    witness = play_along(shipped(name), ("heuristic", "uniform"), deal=3, rotation=0)
    assert not witness.match.table.truncated


@pytest.mark.engine
@pytest.mark.parametrize(
    "card_set",
    [
        edited("single_round", [f"{colour}-{face}" for colour in "abcdef" for face in ["wager"] * 3 + [*range(1, 18)]]),
        edited("single_round", ["a-wager"] * 20 + ["b-1"] * 20 + ["c-99"] * 3, hand_size=20),
        edited("single_round", ["a-1", "a-2", "a-3"], hand_size=1, rounds=9),
        edited("long", hand_size=1, max_turns=1, rounds=9),
        edited("base", expedition_cost=200, bonus_min_cards=1, bonus_points=-200, max_turns=20),
    ],
    ids=["120 cards", "only copies", "3 cards", "rounds of one turn", "dear"],
)
def test_sets_at_the_limits(card_set: CardSet) -> None:
    for deal in range(3):
        play_along(card_set, ("uniform", "uniform"), deal, rotation=0)


@pytest.mark.engine
def test_what_lies_above_a_count_means_nothing() -> None:
    """Wild bytes above the piles' counts and outside the deck's ends change neither decisions nor results."""
    games = []
    for wild in (False, True):
        table = Table(GAME, shipped("single_round"), 2, ("heuristic", "uniform"), SEED)
        steps = []
        for step in table.steps(11, 0):
            steps.append((step.seat, step.action, step.options))
            if wild:
                spoil(table.state)
        games.append((steps, table.out.points.tolist()))
    assert games[0] == games[1]


def spoil(record: object) -> None:
    public, secret = record.public, record.secret  # type: ignore[attr-defined]
    places = np.arange(state.CARDS)
    for pile, count in enumerate(public["count"]):
        public.pile[pile, places >= count] = 255
    low, high = secret.end.tolist()
    secret.deck[:low] = 255
    secret.deck[high + 1 :] = 255


@pytest.mark.engine
def test_a_seat_knows_all_that_its_bot_is_given() -> None:
    """Rebuilt at every move of a game from scratch, from nothing but the events that the seat may see."""
    table = Table(GAME, shipped("single_round"), 2, ("heuristic", "heuristic"), SEED)
    witness = Witness(table)
    for number, _ in enumerate(witness.follow(5, 0)):
        if number % 10 == 0:
            for seat in SEATS:
                observer = observe(witness.rules, witness.events, seat)
                assert public_fields(witness.coding, observer.table) == witness.kernel.public_fields()
                assert witness.coding.held(observer.hand) == witness.kernel.hands()[seat]


@pytest.mark.engine
def test_the_opponents_secrets_change_nothing_that_a_seat_knows() -> None:
    """The rebuild gives the same if the opponent's cards in hand and to come were others."""
    witness = play_along(shipped("single_round"), ("uniform", "uniform"), deal=1, rotation=0)
    rules, coding = witness.rules, witness.coding
    masked = [
        {**event, "cards": []} if event.get("chance") == "hand" and event["seat"] == 1 else event
        for event in witness.events
    ]
    masked = [
        {**event, "card": ""} if event.get("chance") == "draw" and event["seat"] == 1 else event for event in masked
    ]
    honest, blind = (observe(rules, events, seat=0) for events in (witness.events, masked))
    assert public_fields(coding, honest.table) == public_fields(coding, blind.table)
    assert honest.hand == blind.hand


@pytest.mark.engine
def test_codes_are_those_of_the_card_log() -> None:
    """state.py's description of the codes, as the reference reads it, against what the game declares."""
    for card_set in (
        shipped("base"),
        shipped("long"),
        edited("base", ["b-3", "a-wager", "b-1", "a-7", "b-3"], hand_size=1),
    ):
        coding = Coding(rules_of(card_set))
        table = Table(GAME, card_set, 2, ("uniform", "uniform"), 0)
        declared = {card.code: card.type for card in table.game.log_cards(card_set, 2)}
        assert {code: card.word for code, card in coding.cards.items()} == declared


# --------------------------------------------------------------------------------------------- the judge is no pushover


def replayed(**changes: object) -> dict[str, object]:
    witness = play_along(shipped("single_round"), ("uniform", "uniform"), deal=2, rotation=0)
    return {"events": witness.events, "result": witness.match.table.result(), **changes}


def test_the_referee_follows_a_replay() -> None:
    match = referee(rules_of(shipped("single_round")), replayed())
    assert isinstance(match, Match)


@pytest.mark.parametrize("change", ["options", "action", "card", "scores", "result", "missing", "seat", "twice"])
def test_the_referee_finds_what_is_wrong(change: str) -> None:
    replay = replayed()
    events = [dict(event) for event in replay["events"]]  # type: ignore[attr-defined]
    result = dict(replay["result"])  # type: ignore[call-overload]
    decisions = [event for event in events if "decision" in event]
    if change == "options":
        decisions[4]["options"] = decisions[4]["options"][:-1]
    elif change == "action":
        decisions[4]["action"] = "play:mauve-3"
    elif change == "card":
        draws = [event for event in events if event.get("chance") == "draw"]
        draws[3]["card"] = draws[2]["card"]
        assert draws[2]["card"] != "red-wager"
    elif change == "scores":
        events[-1]["scores"] = [0, 0]
    elif change == "result":
        result["turns"] += 1
    elif change == "missing":
        del events[10]
    elif change == "seat":
        decisions[0]["seat"] = 1 - decisions[0]["seat"]
    else:
        events.insert(20, events[20])
    with pytest.raises(BrokenRule):
        referee(rules_of(shipped("single_round")), {"events": events, "result": result})


@pytest.mark.engine
@pytest.mark.parametrize("field", ["standing", "open", "closed", "turns", "count", "known", "blocked", "hand", "deck"])
def test_a_wrong_record_is_noticed(field: str) -> None:
    """A change of any part of the record by one is a disagreement."""
    table = Table(GAME, shipped("base"), 2, ("heuristic", "uniform"), SEED)
    steps = table.steps(0, 0)
    witness = Witness(table)
    moves = witness.retell(steps)
    for _ in range(50):
        next(moves)
    record = table.state
    if field in ("known", "blocked"):
        record.public.board[0][field][0] ^= np.uint64(2)
    elif field in ("standing", "count"):
        record.public[field][1] += 1
    elif field == "hand":
        record.private[1].hand[0] ^= np.uint64(4)
    elif field == "deck":
        record.secret.end[0] += 1
    else:
        record.public[field] ^= record.public[field].dtype.type(1)

    def go_on() -> None:
        witness.compare()
        next(moves)

    with pytest.raises(Disagreement):
        go_on()
