"""VB-I1 to VB-I14 of the rules page, read off the kernels' record at every move of random games.

Nothing here asks the reference for an answer: a position is what the record says, and what happened is what the replay
says.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from statistics import mean, stdev
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore import replay
from simcore.cardset import CardSet
from simcore.play import Table
from tests.reference.vaalbara import CLANS, TYPES, Event, Rules
from tests.reference.vaalbara_agreement import GAME, coding_of
from tests.reference.vaalbara_records import Coding, Kernel
from tests.simcore.vaalbara_sets import card_sets, shipped

pytestmark = pytest.mark.engine

SEATS = (2, 3, 4, 5)
DEFAULT = shipped("default")
SHOWN = ("default", "alt_no_5plus")


@dataclass(frozen=True)
class Position:
    """The record after a step, and the step: events in the words of a replay."""

    public: dict[str, Any]
    hands: tuple[int, ...]  # sets of characters, without the secret choices
    chosen: tuple[int, ...]
    clan_decks: tuple[int, ...]
    land_deck: tuple[int, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Game:
    """A game that the kernels have played."""

    rules: Rules
    coding: Coding
    positions: tuple[Position, ...]
    scores: tuple[int, ...]

    @property
    def seats(self) -> range:
        return range(self.rules.seats)

    @property
    def moves(self) -> Iterator[tuple[Position, Position]]:
        """(before, after) of each step."""
        return pairwise(self.positions)

    def events(self) -> list[Event]:
        return [event for position in self.positions for event in position.events]


@lru_cache(maxsize=64)
def game(card_set: CardSet, seats: int, deal: int) -> Game:
    table = Table(GAME, card_set, seats, ("uniform",) * seats, seed=17)
    coding = coding_of(table)
    kernel, positions = Kernel(coding, table.state), []
    for step in table.steps(deal, 0):
        events = tuple(replay.in_events(table, (step,)))
        private = kernel.privates()
        positions.append(
            Position(
                kernel.public_fields(),
                tuple(each["hand"] for each in private),
                tuple(each["chosen"] for each in private),
                tuple(kernel.clan_decks()),
                tuple(kernel.land_deck()),
                events,
            )
        )
    return Game(coding.rules, coding, tuple(positions), tuple(table.out.points[:seats].tolist()))


def shipped_games() -> Iterator[Game]:
    for name in SHOWN:
        for seats in SEATS:
            for deal in range(3):
                yield game(shipped(name), seats, deal)


any_game = st.builds(game, card_sets(), st.sampled_from(SEATS), st.integers(0, 1000))
on_any_game = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def lying(position: Position) -> list[int]:
    """The codes of all lands, wherever they lie."""
    rows_and_realms = [*position.public["row"], *position.public["realm"]]
    return [*position.land_deck, *(code for lands in rows_and_realms for code in lands)]


@on_any_game
@given(any_game)
def test_every_land_is_somewhere_exactly_once(played: Game) -> None:
    """VB-I1, VB-2.1; in edited sets too."""
    lands = sorted(played.coding.land.values())
    for position in played.positions:
        assert sorted(lying(position)) == lands


def test_lands_of_the_shipped_sets() -> None:
    """VB-I1: 10n+1 of them, but for the other reading with four."""
    for played in shipped_games():
        kept = len(played.rules.lands)
        assert kept == 10 * played.rules.seats + 1 or (kept, played.rules.seats) == (51, 4)


@on_any_game
@given(any_game)
def test_realms_and_rows_grow_and_shrink_by_one_a_turn(played: Game) -> None:
    """VB-I2, VB-I3, VB-3.5, VB-3.6: a Pioneer leaves the size of its Realm unchanged."""
    seats = played.rules.seats
    for position in played.positions:
        public = position.public
        acted, first = public["acted"], public["row"][0]
        over = public["actor"] < 0
        assert len(first) == seats - acted.bit_count()
        before = public["played_rounds"] - over
        assert [len(realm) for realm in public["realm"]] == [before + (acted >> seat & 1) for seat in played.seats]
    assert not played.positions[-1].public["row"][0]
    assert played.positions[-1].public["turns"] == seats * played.rules.rounds


@on_any_game
@given(any_game)
def test_size_of_the_land_deck(played: Game) -> None:
    """VB-I4, VB-3.7, VB-3.8, VB-3.10, VB-2.5."""
    kept, seats, rounds = len(played.rules.lands), played.rules.seats, played.rules.rounds
    for position in played.positions:
        done = min(position.public["played_rounds"], rounds - 1)
        assert len(position.land_deck) == position.public["deck"] == max(1, kept - 2 * seats - done * seats)


@on_any_game
@given(any_game)
def test_every_character_is_somewhere_exactly_once(played: Game) -> None:
    """VB-I5, VB-2.4, VB-3.9: in hand, clan deck, discard, chosen or revealed and not yet discarded."""
    everyone = (1 << len(played.rules.characters)) - 1
    for position in played.positions:
        for seat in played.seats:
            public = position.public
            places = [position.hands[seat], position.clan_decks[seat], public["discard"][seat]]
            if position.chosen[seat] >= 0:
                places.append(1 << position.chosen[seat])
            waiting = public["revealed"][seat]
            if waiting >= 0 and not public["acted"] >> seat & 1 and not public["discard"][seat] >> waiting & 1:
                places.append(1 << waiting)
            assert sum(places) == everyone
            assert not any(one & other for one, other in combinations(places, 2))


@on_any_game
@given(any_game)
def test_size_of_a_hand_when_choosing(played: Game) -> None:
    """VB-I6, VB-3.11: with the default 5 and 12, min(5, 13 - r + m) in round r."""
    size, all_characters = played.rules.hand_size, len(played.rules.characters)
    for position in played.positions:
        public = position.public
        if public["decision"] == 0:
            done = public["played_rounds"]
            expected = [min(size, all_characters - done + public["recovered"][seat]) for seat in played.seats]
            assert public["hand"] == expected
            held = [
                hand.bit_count() + (chosen >= 0) for hand, chosen in zip(position.hands, position.chosen, strict=True)
            ]
            assert held == expected


def test_hands_of_the_shipped_sets() -> None:
    """VB-I6, VB-6.8c: m is 0 or 1."""
    for played in shipped_games():
        assert set(played.positions[-1].public["recovered"]) <= {0, 1}


def changes(before: Position, after: Position) -> list[int]:
    return [now - then for then, now in zip(before.public["standing"], after.public["standing"], strict=True)]


@on_any_game
@given(any_game)
def test_points_never_get_lost(played: Game) -> None:
    """VB-I7, VB-I8, VB-6.6a: nobody has less than none; only a Falconer takes, and its player gains just that."""
    most = max(character.amount for character in played.rules.characters)
    thieves = [code for code, each in enumerate(played.rules.characters) if each.effect == "STEAL_PREVIOUS"]
    for before, after in played.moves:
        change = changes(before, after)
        assert min(after.public["standing"]) >= 0
        assert sum(change) >= 0
        for points in change:
            if points < 0:
                assert -points <= most
                assert after.public["revealed"][after.public["active"]] in thieves


def reckoned(played: Game) -> list[int]:
    """Final scores by an account of its own, from the events of the default set alone."""
    rules, seats = played.rules, played.seats
    clans: list[str] = []
    realms: list[list[str]] = [[] for _ in seats]
    points = [2 for _ in seats]
    choices: list[str] = []
    order: list[int] = []
    out: dict[int, int] = {}

    def enter(seat: int, land: str, initiative: int, factor: int, place: int | None = None) -> None:
        realms[seat].insert(len(realms[seat]) if place is None else place, land)
        kinds = [rules.land[each].type for each in realms[seat]]
        kind = rules.land[land].type
        own = kinds.count(kind)
        near = {(seat + 1) % len(seats), (seat - 1) % len(seats)}
        beside = sum(rules.land[each].type == "meadow" for other in near for each in realms[other])
        gain = {
            "meadow": own + beside,
            "field": 2 * own,
            "forest": rules.land[land].value,
            "village": 2 * len(set(kinds)),
            "mountain": {2: 10, 4: 20}.get(own, 0),
            "river": min(6, initiative) * own,
        }[kind]
        points[seat] += factor * gain

    def act(seat: int) -> None:
        """The effects without a question, when a seat's turn begins."""
        key = choices[seat]
        near = {(seat + 1) % len(seats), (seat - 1) % len(seats)}
        if key == "hunter" and not near & set(order):
            points[seat] += 3
        elif key == "oracle":
            points[seat] += 2 * sum(rules.character[choices[other]].initiative % 2 for other in near)
        elif key == "carpenter":
            points[seat] += 3 * sum(rules.land[each].type == "forest" for each in realms[seat])
        elif key == "falconer" and order:
            stolen = min(2, points[order[-1]])
            points[order[-1]] -= stolen
            points[seat] += stolen
        elif key == "artisan" and near <= set(order):
            points[seat] += 5

    begun: set[int] = set()
    for event in played.events():
        seat = event.get("seat", -1)
        if event.get("chance") == "clans":
            clans = list(event["clans"])
        elif event.get("decision") == "CHARACTER":
            if len(choices) == len(seats):
                choices, order, begun = [], [], set()
            choices.append(event["action"])
        elif event.get("decision") == "SHOW_FIGHTER":
            points[seat] += event["action"] == "yes"
        elif "decision" in event:
            if seat not in begun:
                begun.add(seat)
                act(seat)
            if event["decision"] == "BARD":
                points[int(event["action"][4:])] += 2
            elif event["decision"] == "PIONEER":
                out = {seat: realms[seat].index(event["action"])}
                del realms[seat][out[seat]]
            elif event["decision"] == "TAKE":
                initiative = rules.character[choices[seat]].initiative
                enter(seat, event["action"], initiative, 2 if choices[seat] == "farmer" else 1)
                order.append(seat)
                out = {}
        elif event.get("chance") == "land" and out:
            [(pioneer, place)] = out.items()
            enter(pioneer, event["land"], 11, 1, place)
            out = {}
        elif "round" in event:
            assert event["order"] == order
            assert event["points"] == points
    assert sorted(clans) == sorted(set(clans))
    bonus = {5: 5, 6: 10}
    return [
        total + bonus.get(len({rules.land[each].type for each in realm}), 0)
        for total, realm in zip(points, realms, strict=True)
    ]


@pytest.mark.parametrize("seats", SEATS)
def test_scores_are_the_sum_of_what_was_gained(seats: int) -> None:
    """VB-I9, VB-I7, section 5, section 6, VB-7.2: by an account of its own, the thief's and its victim's too."""
    for deal in range(10):
        played = game(DEFAULT, seats, deal)
        assert reckoned(played) == list(played.scores)


def test_bounds_of_rewards_and_scores() -> None:
    """VB-I10, VB-I11."""
    allowed = {
        "meadow": range(1, 10),
        "field": range(2, 19),
        "forest": range(3, 7),
        "village": range(2, 13),
        "mountain": (0, 10, 20),
        "river": range(1, 49),
    }
    seen = Counter[str]()
    for played in shipped_games():
        assert all(0 <= score <= 568 for score in played.scores)
        for before, after in played.moves:
            decision = after.events[0]
            if decision.get("decision") != "TAKE":
                continue
            # The seat that took; what comes to it besides stems from the next seat's character.
            seat = decision["seat"]
            own = played.rules.characters[before.public["revealed"][seat]]
            following = after.public["active"]
            if own.effect != "DOUBLE_LAND" and following in (seat, -1):
                kind = played.rules.land[decision["action"]].type
                assert changes(before, after)[seat] in allowed[kind]
                seen[kind] += 1
    assert set(seen) == set(TYPES)


@on_any_game
@given(any_game)
def test_order_of_a_round(played: Game) -> None:
    """VB-I12, VB-4.1: a permutation of the players; initiatives along it never fall."""
    choices: list[str] = []
    for event in played.events():
        if event.get("decision") == "CHARACTER":
            choices.append(event["action"])
        elif "round" in event:
            assert sorted(event["order"]) == list(played.seats)
            along = [played.rules.character[choices[seat]].initiative for seat in event["order"]]
            assert along == sorted(along)
            choices = []


def effects_paid(played: Game) -> dict[tuple[int, int], int]:
    """What (round, seat) gained when its turn began, when its character has a say and no land of its own yet."""
    found = {}
    for before, after in played.moves:
        seat = after.public["active"]
        if after.public["actor"] >= 0 and seat >= 0 and seat != before.public["active"]:
            found[after.public["played_rounds"], seat] = changes(before, after)[seat]
    return found


def test_neighbours_do_not_both_gain() -> None:
    """VB-I13, VB-6.3, VB-6.10: of two neighbouring Hunters or Artisans at most one is paid."""
    twins = 0
    for played in shipped_games():
        paid = effects_paid(played)
        revealed = {
            position.public["played_rounds"]: [
                played.rules.characters[code].key for code in position.public["revealed"]
            ]
            for position in played.positions
            if position.public["actor"] >= 0 and position.public["revealed"][0] >= 0
        }
        for number, keys in revealed.items():
            for seat in played.seats:
                other = (seat + 1) % played.rules.seats
                if keys[seat] == keys[other] in ("hunter", "artisan"):
                    twins += 1
                    gains = sorted([paid[number, seat], paid[number, other]])
                    assert gains in ([0, 0], [0, 3 if keys[seat] == "hunter" else 5])
    assert twins > 10


def test_omens_are_fair() -> None:
    """VB-I14, VB-1.3: in each tier every clan takes every place, and precedes every other, equally often, but for one
    spare card."""
    rows = DEFAULT.tables["lands"]
    backs = {row["id"]: [row[f"rank{place}"] for place in range(1, 6)] for row in DEFAULT.tables["omens"]}
    assert len({tuple(back) for back in backs.values()}) == len(backs) == 51
    for seats in SEATS:
        tier = [backs[row["omen_id"]] for row in rows if row["min_players"] == seats]
        spare = len(tier) % 10
        assert spare == (1 if seats == 2 else 0)
        for place in range(5):
            times = Counter(back[place] for back in tier)
            assert max(times.values()) - min(times[clan] for clan in CLANS) <= spare
        for one, other in combinations(CLANS, 2):
            above = sum(back.index(one) < back.index(other) for back in tier)
            assert abs(2 * above - len(tier)) <= spare


@pytest.mark.jitted
@pytest.mark.parametrize("seats", SEATS)
def test_seats_and_clans_are_alike(seats: int) -> None:
    """VB-I14: with equal bots every seat wins equally often; within 4 standard errors."""
    table = Table(GAME, DEFAULT, seats, ("uniform",) * seats, seed=5)
    winners = [played.rows["winners"] for played in table.play(0, 4000)]
    for seat in range(seats):
        # A block's rotations are games of one deal: one observation.
        wins = [mean((int(winner) >> seat & 1) for winner in block) for block in winners[0].reshape(-1, seats)]
        assert abs(mean(wins) - 1 / seats) < 4 * stdev(wins) / len(wins) ** 0.5
