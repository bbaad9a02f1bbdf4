"""VT-18.1 to VT-18.18 of the rules page, read off the kernels' record at every move of random games.

Nothing here asks the reference for an answer: a position is what the record says, and what happened is what the replay
says. Games of edited sets are kept short by a low cap.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from simcore import replay
from simcore.cardset import CardSet, build
from simcore.games.valletta.cardset import SCHEMA
from simcore.play import Table
from tests.reference.valletta import ALL_GOODS, GOLD, MATERIALS, Event, Goods, Rules
from tests.reference.valletta_agreement import GAME, coding_of
from tests.reference.valletta_records import Kernel
from tests.simcore.games.valletta_positions import Luck, Position
from tests.simcore.valletta_sets import inputs, random_set, shipped

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

SEATS = (2, 3, 4)
EDITED = range(12)
LONGEST = 5  # turns of each seat in the games of edited sets


@dataclass(frozen=True)
class Moment:
    """The record after a step, and the step: events in the words of a replay."""

    public: dict[str, Any]
    hands: list[list[int]]
    decks: list[Counter[str]]
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Game:
    """A game that the kernels have played."""

    card_set: CardSet
    rules: Rules
    moments: tuple[Moment, ...]
    scores: tuple[int, ...]

    @property
    def seats(self) -> range:
        return range(self.rules.seats)

    @property
    def moves(self) -> Iterator[tuple[Moment, Moment]]:
        """(before, after) of each step."""
        return pairwise(self.moments)

    @cached_property
    def events(self) -> list[Event]:
        return [event for moment in self.moments for event in moment.events]

    def kinds(self, effect: str) -> list[str]:
        """The characters with an effect."""
        return [character.code for character in self.rules.characters if character.effect == effect]


@lru_cache(maxsize=64)
def game(card_set: CardSet, seats: int, deal: int) -> Game:
    table = Table(GAME, card_set, seats, ("uniform",) * seats, seed=17)
    coding = coding_of(table)
    kernel, moments = Kernel(coding, table.state), []
    for step in table.steps(deal, 0):
        events = tuple(replay.in_events(table, (step,)))
        hands = [private["hand"] for private in kernel.privates()]
        moments.append(Moment(kernel.public_fields(), hands, kernel.decks(), events))
    return Game(card_set, coding.rules, tuple(moments), tuple(table.out.points[:seats].tolist()))


def shipped_games() -> list[Game]:
    return [game(shipped(), seats, deal=seats) for seats in SEATS]


def short(card_set: CardSet) -> CardSet:
    """The set with fewer turns."""
    scalars = card_set.scalars | {"turn_cap": min(LONGEST, card_set.scalars["turn_cap"])}
    return build(SCHEMA, card_set.name, scalars, inputs(card_set))


def all_games() -> list[Game]:
    return [*shipped_games(), *(game(short(random_set(seed)), SEATS[seed % 3], deal=seed) for seed in EDITED)]


def members(bits: int) -> list[int]:
    return [place for place in range(64) if bits >> place & 1]


def test_goods_are_conserved() -> None:
    """VT-18.1, VT-6.1, VT-6.3."""
    for played in all_games():
        for moment in played.moments:
            public = moment.public
            for good in ALL_GOODS:
                held = sum(goods[good] for goods in public["goods"])
                assert held + public["supply"][good] == played.rules.pieces[good] + public["turned"][good]
            assert min(min(goods) for goods in [*public["goods"], public["supply"]]) >= 0


def test_jean_and_his_barrels() -> None:
    """VT-18.2, VT-8.21: by one a card that moves him, and each barrel is turned up once."""
    for played in all_games():
        movers = {*played.kinds("JEAN"), *played.kinds("COPY_PREVIOUS")}
        for before, after in played.moves:
            step = after.public["jean"] - before.public["jean"]
            assert 0 <= step <= 1
            assert sum(after.public["turned"]) == after.public["jean"] <= len(played.rules.barrels)
            if step:
                assert after.events[0]["action"] in movers
        spaces = [event["space"] for event in played.events if event.get("chance") == "barrel"]
        assert spaces == list(range(1, len(spaces) + 1))


def cards_somewhere(played: Game, moment: Moment) -> Counter[str]:
    """All character cards of the game, wherever they are."""
    public, codes = moment.public, [character.code for character in played.rules.characters]
    counts = Counter[str]()
    for row in [*moment.hands, *public["discard"], public["pool"]]:
        counts.update(dict(zip(codes, row, strict=False)))
    for deck in moment.decks:
        counts += deck
    counts.update(codes[code] for code in public["slot"] if code >= 0)
    for place in members(public["free"]):  # VT-18.9: it lies there exactly while there is no house
        counts[played.rules.buildings[public["building"][place]].character] += 1
    return +counts


def test_character_cards_are_conserved() -> None:
    """VT-18.3, VT-18.9, VT-3.4: of each type as many as at the start."""
    for played in all_games():
        cards = cards_somewhere(played, played.moments[0])
        for moment in played.moments[1:]:
            assert cards_somewhere(played, moment) == cards
    totals = [cards_somewhere(played, played.moments[-1]).total() for played in shipped_games()]
    assert totals == [40, 53, 66]


def test_what_a_seat_owns() -> None:
    """VT-18.3, VT-15.2: hand, draw pile, discard pile and slots, by type and in all."""
    for played in all_games():
        codes = [character.code for character in played.rules.characters]
        for moment in played.moments[::5]:
            public = moment.public
            for seat in played.seats:
                deck = [moment.decks[seat][code] for code in codes]
                rows = [moment.hands[seat], public["discard"][seat], deck]
                lying = Counter(public["slot"] if seat == public["active"] else [])
                for place, number in enumerate(public["owned"][seat][: len(codes)]):
                    assert number == sum(row[place] for row in rows) + lying[place]
                sizes = public["hand"][seat], public["discards"][seat], public["deck"][seat]
                assert sizes == tuple(map(sum, rows))


def test_everybody_has_one_jean() -> None:
    """VT-18.4, VT-8.25."""
    for played in shipped_games():
        jean = next(place for place, character in enumerate(played.rules.characters) if character.code == "JEAN")
        for moment in played.moments:
            assert [owned[jean] for owned in moment.public["owned"]] == [1] * len(played.seats)
            assert moment.public["pool"][jean] == 0


def test_size_of_hands() -> None:
    """VT-18.5, VT-4.9: no more than the size of a hand; one less while the effect of a card is carried out."""
    for played in all_games():
        size = played.rules.hand_size
        for moment in played.moments:
            assert max(moment.public["hand"]) <= size
            if moment.events[0].get("decision") == "PLAY_CARD" and moment.public["resolving"] >= 0:
                assert moment.public["hand"][moment.public["active"]] <= size - 1


def test_after_a_draw() -> None:
    """VT-18.6, VT-4.8, VT-5.3: a full hand, or all the cards that the player has; no card in a slot."""
    for played in all_games():
        for moment in played.moments:
            for event in moment.events:
                if "turn_end" in event:
                    public, seat = moment.public, event["turn_end"]
                    assert public["slot"] == [-1] * 5
                    if not public["final"]:
                        assert public["hand"][seat] == min(played.rules.hand_size, sum(public["owned"][seat]))


def test_houses() -> None:
    """VT-18.7, VT-1.5."""
    for played in all_games():
        for moment in played.moments:
            public = moment.public
            own = [members(places) for places in public["own"]]
            assert [houses + len(places) for houses, places in zip(public["houses"], own, strict=True)] == [
                played.rules.houses for _ in played.seats
            ]
            assert min(public["houses"]) >= 0
            everything = sorted([*members(public["free"]), *(place for places in own for place in places)])
            assert everything == list(played.rules.locations)


def test_owners_and_upgrades_stay() -> None:
    """VT-18.8, VT-7.4, VT-7.18."""
    for played in all_games():
        for before, after in played.moves:
            for was, now in zip(before.public["own"], after.public["own"], strict=True):
                assert was & now == was
            assert before.public["upgraded"] & after.public["upgraded"] == before.public["upgraded"]
            assert after.public["upgraded"] & after.public["free"] == 0
            assert before.public["building"] == after.public["building"]


def test_points_never_fall() -> None:
    """VT-18.10, VT-12.3; in the shipped set at most 8 a card and 24 a turn."""
    for played in all_games():
        for before, after in played.moves:
            was, now = before.public["points"], after.public["points"]
            assert all(a <= b for a, b in zip(was, now, strict=True))
    for played in shipped_games():
        for cards in turns(played):
            gains = [points_gained(played, each) for each in cards]
            assert max(gains) <= 8
            assert sum(gains) <= 24


Span = tuple[Event, Moment, Moment]  # a card played, the record before it and the one after its effect


def plays(played: Game) -> list[Span]:
    """Each card that was played, with the record before and the one after its effect."""
    starts = [i for i, moment in enumerate(played.moments) if moment.events[0].get("decision") == "PLAY_CARD"]
    ends = [*starts[1:], len(played.moments)]
    return [
        (played.moments[start].events[0], played.moments[start - 1], played.moments[end - 1])
        for start, end in zip(starts, ends, strict=True)
    ]


def turns(played: Game) -> list[list[Span]]:
    """The same, turn by turn."""
    found: list[list[Span]] = []
    for span in plays(played):
        if span[1].public["plays"] == 0:
            found.append([])
        found[-1].append(span)
    return found


def points_gained(played: Game, span: Span) -> int:
    event, before, after = span
    return int(after.public["points"][event["seat"]] - before.public["points"][event["seat"]])


def held_by_all(moment: Moment) -> Goods:
    gold, wood, stone, brick = map(sum, zip(*moment.public["goods"], strict=True))
    return gold, wood, stone, brick


def test_costs_and_payments() -> None:
    """VT-18.11, VT-7.3, VT-7.5: reduced costs, and goods paid in all."""
    paid = Counter[bool]()
    for played in all_games():
        rate = played.rules.rate
        start = cost = substituted = None
        for before, after in played.moves:
            public = after.public
            if after.events[0].get("decision") == "BUILD_TARGET" and public["target"] >= 0:
                start, cost = held_by_all(before), public["cost"]
                printed = played.rules.buildings[public["building"][public["target"]]].cost
                assert all(0 <= number <= most for number, most in zip(cost, printed, strict=True))
                if not public["free"] >> public["target"] & 1:
                    assert cost[GOLD] == 0
            if start is not None and public["target"] >= 0:
                substituted = public["substituted"]
                assert all(0 <= number <= most for number, most in zip(substituted, cost or [], strict=True))
            elif start is not None and cost is not None and substituted is not None:
                assert sum(start) - sum(held_by_all(after)) == sum(cost) + (rate - 1) * sum(substituted)
                paid[any(substituted)] += 1
                start = None
    assert min(paid[True], paid[False]) > 20


def test_what_effects_do_to_all_goods_together() -> None:
    """VT-18.13: gifts keep the goods of all players together, payments lower them, two traders exchange."""
    seen = Counter[str]()
    giving = ("MENDICANT", "HOST", "TAX_COLLECTOR")
    paying = ("BUILDER", "BRICKLAYER", "STONE_MASON", "CARPENTER", "LAPARELLI", "GRAND_BAILIFF", "DEL_MONTE")
    for played in shipped_games():
        for event, before, after in plays(played):
            was, now = held_by_all(before), held_by_all(after)
            change = [b - a for a, b in zip(was, now, strict=True)]
            code = event["action"]
            if code in giving:
                extra = len(played.seats) == 2
                assert 0 <= sum(change) <= extra
                assert min(change) >= 0
            elif code in paying:
                assert max(change) <= 0
            elif code == "TRADER" and any(change):
                assert 0 <= change[GOLD] <= 3
                assert sorted(change[good] for good in MATERIALS) == [-1, 0, 0]
            elif code == "MERCHANT" and any(change):
                assert change[GOLD] == -1
                assert all(0 <= change[good] <= 1 for good in MATERIALS)
            else:
                continue
            seen[code] += any(change)
    assert seen["BUILDER"] > 10
    assert sum(seen[code] for code in ("TRADER", "MERCHANT")) > 0


def test_the_final_phase_uses_up_the_cards() -> None:
    """VT-18.14, VT-18.15, VT-13.4 to VT-13.8: piles, plays, and what is gained and dismissed."""
    for played in all_games():
        start = next(i for i, moment in enumerate(played.moments) if moment.public["final"])
        begun = played.moments[start].public
        assert begun["discards"] == [0 for _ in played.seats]
        left = [hand + deck for hand, deck in zip(begun["hand"], begun["deck"], strict=True)]
        for before, after in pairwise(played.moments[start:]):
            piles = zip(before.public["discards"], after.public["discards"], strict=True)
            assert all(was <= now for was, now in piles)
            event = after.events[0]
            seat, decision = event["seat"], event["decision"]
            public, was = after.public, before.public
            change = [public["hand"][s] + public["deck"][s] - was["hand"][s] - was["deck"][s] for s in played.seats]
            built = was["houses"][seat] - public["houses"][seat]
            gained = built + (decision == "HIRE_CARD")
            lost = (decision == "PLAY_CARD") + (decision == "DISMISS_CARD")
            assert change == [(gained - lost) * (other == seat) for other in played.seats]
            left[seat] += gained - lost
        assert left == [0 for _ in played.seats]


def test_one_hire_each_in_the_final_phase() -> None:
    """VT-18.14: Jean is played once there."""
    for played in shipped_games():
        start = next(i for i, moment in enumerate(played.moments) if moment.public["final"])
        final = [moment.events[0] for moment in played.moments[start + 1 :]]
        for name, word in (("PLAY_CARD", "JEAN"), ("JEAN_MODE", "hire")):
            times = Counter(event["seat"] for event in final if (event["decision"], event["action"]) == (name, word))
            assert max(times.values(), default=0) <= 1


def test_final_scores() -> None:
    """VT-18.16, VT-14.1, VT-14.2, VT-14.3: by the record of the last position and the tables."""
    for played in all_games():
        public = played.moments[-1].public
        rows = played.card_set.tables["buildings"]
        for seat in played.seats:
            printed = sum(
                rows[public["building"][place]][
                    "points_upgraded" if public["upgraded"] >> place & 1 else "points_basic"
                ]
                for place in members(public["own"][seat])
            )
            goods = sum(public["goods"][seat]) // played.rules.goods_per_point
            assert played.scores[seat] == public["points"][seat] + printed + goods
            assert public["standing"][seat] == public["points"][seat] + printed


def test_one_final_phase() -> None:
    """VT-18.17, VT-4.10, VT-13.3, VT-13.5, VT-13.10."""
    for played in all_games():
        triggers = [event["final_phase"] for event in played.events if "final_phase" in event]
        assert len(triggers) == 1
        switches = [(a, b) for a, b in played.moves if b.public["final"] != a.public["final"]]
        assert len(switches) == 1
        _, after = switches[0]
        names = [next(iter(event)) for event in after.events if "turn_end" in event or "final_phase" in event]
        assert names[0] == "turn_end" or names == ["final_phase", "turn_end"]
        assert after.public["triggered"] == triggers[0]
        ended = next(event["turn_end"] for event in after.events if "turn_end" in event)
        assert ended == triggers[0]
        left = (triggers[0] + 1) % len(played.seats)
        if after.public["hand"][left]:
            assert after.public["actor"] == left
        last = played.moments[-1].public
        assert last["actor"] == -1
        assert last["hand"] == last["deck"] == [0 for _ in played.seats]


def test_turns_of_the_normal_phase_go_round() -> None:
    """VT-4.1, VT-3.10, VT-4.2."""
    for played in all_games():
        ends = [event["turn_end"] for event in played.events if "turn_end" in event]
        trigger = next(i for i, event in enumerate(played.events) if "final_phase" in event)
        normal = sum("turn_end" in event for event in played.events[:trigger])
        assert ends[:normal] == [number % len(played.seats) for number in range(normal)]
        assert all(1 <= len(cards) <= played.rules.plays for cards in turns(played))


# -------------------------------------------------------------------------------------------------- seats are alike


HANDS = (
    ["JEAN", "BUILDER", "MENDICANT", "MAID", "APPRENTICE"],
    ["NUN", "HOST", "BUILDER", "BUILDER", "KARL_V"],
    ["TAX_COLLECTOR", "JEAN", "MAID", "FOREMAN", "BUILDER"],
    ["SEAMSTRESS", "TRADER", "MERCHANT", "BUILDER", "LAPARELLI"],
)
DECKS = (["BUILDER", "NUN", "MAID"] * 4, ["HOST", "MENDICANT", "JEAN"] * 4, ["MAID", "BUILDER"] * 6, ["JEAN"] * 12)
HOLDINGS: tuple[Goods, ...] = ((5, 4, 3, 2), (2, 6, 1, 5), (4, 4, 4, 4), (7, 1, 3, 3))


def turned(lists: Sequence[Any], seats: int, by: int) -> list[Any]:
    """What seat s had goes to seat s + by."""
    return [lists[(seat - by) % seats] for seat in range(seats)]


def outcome(seats: int, by: int) -> list[Any]:
    """What each player has after three rounds of the same choices, when all sit `by` seats further."""
    luck = Luck(
        seats=seats,
        active=by,
        hands=turned(HANDS, seats, by),
        decks=turned(DECKS, seats, by),
        goods=turned(HOLDINGS, seats, by),
        own=turned([[0, 7], [1, 2], [3], [4, 9]], seats, by),
        jean=2,
    )
    position, rng = Position(luck), Random(seats)
    while position.table.turns < 3 * seats:
        position.do(rng.choice(position.options))
    found = [
        (position.goods(seat), position.points(seat), position.hand(seat), position.table.own(seat))
        for seat in range(seats)
    ]
    return turned(found, seats, -by)


@pytest.mark.parametrize("seats", SEATS)
def test_seats_are_alike(seats: int) -> None:
    """VT-18.18: the same luck and choices, with all players and the first one further round the table."""
    outcomes = [outcome(seats, by) for by in range(seats)]
    assert all(other == outcomes[0] for other in outcomes)
