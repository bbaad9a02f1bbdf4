"""The worked examples of the rules page of Valletta, and its rules one by one, on positions that are set up.

Every step here is taken by the kernels and by the plain Python reference, and compared (see valletta_positions.py).
"""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from simcore.errors import JobError
from simcore.play import Table
from tests.reference.valletta import ALL_GOODS, GOODS, MATERIALS, Goods, Rules
from tests.reference.valletta_agreement import GAME, Witness, rules_of
from tests.simcore.games.valletta_positions import RESTING, Luck, Position
from tests.simcore.valletta_sets import edited, shipped

pytestmark = pytest.mark.engine

SEATS = (2, 3, 4)
RICH: Goods = (9, 9, 9, 9)
NOTHING = [0, 0, 0, 0]
REST = [RESTING] * 5


def turns_of(position: Position) -> list[list[str]]:
    """The cards played in each finished turn."""
    turns: list[list[str]] = [[]]
    for event in position.events:
        if event.get("decision") == "PLAY_CARD":
            turns[-1].append(event["action"])
        elif "turn_end" in event:
            turns.append([])
    return turns[:-1]


# -------------------------------------------------------------------------------------------------- worked examples


def test_bank() -> None:
    """VT-16.1; VT-7.1, VT-7.3, VT-7.5, VT-7.9, VT-7.14, VT-7.15, VT-8.6, VT-4.7."""
    position = Position(Luck(hands=[["BUILDER", "BUILDER"]], goods=[(2, 2, 2, 2)], city={0: "A"}))
    supply = position.supply
    position.do("BUILDER", "loc0", "no")
    assert position.goods() == [0, 1, 1, 1]
    assert position.supply == [supply[0] + 2, *(left + 1 for left in supply[1:])]
    assert position.hand() == ["BUILDER", "BANKER"]
    assert position.houses() == 7
    assert position.table.own(0) == [0]
    position.do("BUILDER")
    assert position.options == ["loc0", "no"]
    position.do("loc0")
    position.force()
    assert position.goods() == NOTHING
    assert position.table.upgraded[0]
    assert "BANKER" not in position.hand()  # forced to be played as the last card; no other came
    assert position.houses() == 7


def adjacent(goods: Goods) -> Luck:
    """A building for 4/3/1/1 at location 2, own ones at 1 and 12, and at 13, which touches it only diagonally."""
    return Luck(hands=[["BUILDER"]], goods=[goods], city={2: "U"}, own=[[1, 12, 13]], upgraded=[1])


def test_adjacent_houses() -> None:
    """VT-16.2; VT-7.6, VT-7.8, VT-2.4: upgraded or not."""
    position = Position(adjacent((2, 3, 1, 1)))
    position.do("BUILDER", "loc2")
    position.do("no")
    assert position.goods() == NOTHING
    poor = Position(adjacent((1, 3, 1, 1)))
    poor.do("BUILDER")
    assert "loc2" not in poor.options


def test_substitution() -> None:
    """VT-16.3; VT-7.8, VT-7.10, VT-7.12."""
    position = Position(adjacent((2, 5, 0, 2)))
    position.do("BUILDER", "loc2")
    assert position.table.substituted == [0, 0, 1, 0]
    assert position.options == ["no"]
    position.do("no", "wood", "wood", "brick")
    assert position.goods() == NOTHING
    assert 2 in position.table.own(0)


def test_bricklayer() -> None:
    """VT-16.4; VT-7.5, VT-7.7, VT-10.3."""
    position = Position(Luck(hands=[["BRICKLAYER"]], goods=[(0, 0, 1, 1)], city={3: "N"}, own=[[3]]))
    position.do("BRICKLAYER", "loc3", "no")
    assert position.goods() == NOTHING
    assert position.table.upgraded[3]


def test_maid_and_apprentice() -> None:
    """VT-16.5; VT-8.5, VT-8.7, VT-19.1: all choices are made anew."""
    position = Position(Luck(hands=[["MAID", "APPRENTICE"]]))
    position.do("MAID", "stone", "APPRENTICE")
    assert position.decision == "PICK_GOOD"
    assert position.options == ["gold", "wood", "stone", "brick", "no"]
    position.do("gold")
    assert position.goods() == [1, 0, 1, 0]


def test_banker() -> None:
    """VT-16.6; VT-9.1, VT-9.2: what the buildings cost does not count."""
    luck = Luck(hands=[["BANKER"]], city={0: "A", 1: "A", 2: "A", 3: "Q"}, own=[[0, 1, 2, 3]], upgraded=[2])
    position = Position(luck)
    position.do("BANKER", "yes")
    assert position.goods() == [4, 0, 0, 0]


def test_foreman() -> None:
    """VT-16.7; VT-10.11: also a good without an icon may be chosen; then nothing is taken."""
    luck = Luck(hands=[["FOREMAN"]], city={0: "B", 1: "B"}, own=[[0, 1]], upgraded=[1])
    for good, goods in (("wood", [0, 3, 0, 0]), ("gold", NOTHING), ("no", NOTHING)):
        position = Position(luck)
        position.do("FOREMAN")
        assert position.options == [*GOODS, "no"]
        position.do(good)
        assert position.goods() == goods


def test_mendicant() -> None:
    """VT-16.8; VT-10.1: clockwise from the left of the active player, who chooses nothing but to use the card."""
    goods: list[Goods] = [(0, 0, 0, 0), (3, 2, 0, 0), (1, 1, 0, 0), (2, 2, 2, 3)]
    position = Position(Luck(seats=4, hands=[["MENDICANT"]], goods=goods))
    position.do("MENDICANT", "yes")
    assert (position.actor, position.decision, position.options) == (1, "GIVE_GOOD", ["gold", "wood"])
    position.do("wood")
    assert (position.actor, position.decision, position.options) == (3, "GIVE_GOOD", list(GOODS))
    position.do("brick")
    assert [position.goods(seat) for seat in range(4)] == [[0, 1, 0, 1], [3, 1, 0, 0], [1, 1, 0, 0], [2, 2, 2, 2]]


def test_tax_collector() -> None:
    """VT-16.9; VT-10.13, VT-10.14."""
    for extra, more in (("wood", [0, 1, 0, 0]), ("no", NOTHING)):
        position = Position(Luck(hands=[["TAX_COLLECTOR"]], goods=[(0, 0, 0, 0), (5, 2, 3, 5)]))
        position.do("TAX_COLLECTOR", "yes")
        assert position.goods() == [0, 0, 1, 1]
        assert position.goods(1) == [5, 2, 2, 4]
        assert position.options == ["wood", "stone", "brick", "no"]
        position.do(extra)
        assert position.goods() == [more[0], more[1], 1 + more[2], 1 + more[3]]


def last_cards(**luck: Any) -> Luck:
    """The last turns of a game: each seat has one card that does nothing."""
    seats = luck.get("seats", 2)
    return Luck(hands=[[RESTING]] * seats, decks=[[]] * seats, trigger="jean", turns=seats, jean=25, **luck)


def test_printed_points() -> None:
    """VT-16.10; VT-14.1, VT-14.3: by the side that is up."""
    city = dict(enumerate("FEQRTAS"))  # 2, 3, 4, 4, 3, 1 and, upgraded, 8
    position = Position(last_cards(city=city, own=[range(7)], upgraded=[6], points=[10]))
    position.finish()
    assert position.scores == [10 + 25, 0]
    parts = position.table.parts(0)
    assert [parts[name] for name in ("green", "blue", "yellow", "upgrades", "fixed")] == [1, 5, 15, 4, 10]


def test_goods_left_over() -> None:
    """VT-16.11; VT-14.2: all types together, rounded down."""
    position = Position(last_cards(goods=[(4, 1, 2, 0), (1, 1, 0, 0)]))
    position.finish()
    assert position.scores == [2, 0]
    assert position.table.parts(0)["goods"] == 2


def test_area_of_jean() -> None:
    """VT-16.12; VT-7.16, VT-2.5, VT-12.1."""
    hand = ["BUILDER", "BUILDER", "BUILDER", "JEAN"]
    position = Position(Luck(hands=[hand], goods=[RICH], jean=5, setup={"plays_per_turn": 4}))
    position.do("BUILDER", "loc0", "no")
    assert position.points() == 2
    position.do("JEAN", "no")
    position.do("BUILDER", "loc5", "no")
    assert position.points() == 2
    position.do("BUILDER", "loc1", "no")
    assert position.points() == 4


def test_neighbours_of_a_location() -> None:
    """VT-16.13; VT-2.4: nothing is adjacent across the street."""
    near = kernel_neighbours(4)
    assert near[7] == [6, 8, 17]
    assert 2 not in near[7]
    assert rules_of(shipped(), 4).adjacent[7] == near[7]


def kernel_neighbours(seats: int) -> list[list[int]]:
    table = Table(GAME, shipped(), seats, ("uniform",) * seats, 0)
    sets = table.cards.near[: int(table.cards.locations)].tolist()
    return [members(bits) for bits in sets]


def members(bits: int) -> list[int]:
    return [place for place in range(64) if bits >> place & 1]


@pytest.mark.parametrize("used", [True, False])
def test_rekuk(used: bool) -> None:
    """VT-16.14; VT-11.7, VT-12.2, VT-13.1, VT-13.2, VT-15.5: 26 points, a plain sum; space 25 is jumped over."""
    position = Position(Luck(hands=[["REKUK"]], points=[24]))
    position.do("REKUK", "yes" if used else "no")
    assert position.points() == (26 if used else 24)
    assert [event["final_phase"] for event in position.of_kind("final_phase")] == ([0] if used else [])
    assert position.table.end == ("points" if used else "")


def test_cards_of_the_final_phase() -> None:
    """VT-16.15; VT-13.5, VT-13.6, VT-13.7, VT-13.8, VT-13.10: a seat without cards is skipped."""
    cards = ["SHOPKEEPER", "LUMBERJACK", "MAID", "STONE_SCULPTOR", "BRICK_WORKER", *["APPRENTICE"] * 8]
    luck = Luck(hands=[cards[:5], []], decks=[cards[5:], []], discards=[["BUILDER"]], trigger="houses", turns=8)
    position = Position(luck)
    position.finish()
    turns = turns_of(position)
    assert [len(turn) for turn in turns] == [3, 3, 3, 3, 1]
    assert Counter(card for turn in turns for card in turn) == Counter(cards)
    assert {event["turn_end"] for event in position.of_kind("turn_end")} == {0}


def test_a_hand_that_runs_out() -> None:
    """VT-16.16; VT-4.6, VT-5.3, VT-8.23, VT-8.26: three cards in all, one of them dismissed without its effect."""
    position = Position(Luck(hands=[["JEAN", "BUILDER", "MAID"]], decks=[[]], discards=[[]]))
    position.do("JEAN", "dismiss")
    assert position.options == ["MAID", "BUILDER"]
    position.do("MAID")
    position.force()  # the Builder; without goods it does nothing
    assert turns_of(position)[0] == ["JEAN", "BUILDER"]
    assert position.hand() == ["BUILDER", "JEAN"]
    assert position.table.pool == Counter(BUILDER=4, MAID=1)
    assert position.goods() == [1, 0, 0, 0]  # of Jean's first barrel


def test_apprentice_after_trader_and_before() -> None:
    """VT-16.17; VT-8.7, VT-8.8, VT-8.10: a copied Builder is a whole one."""
    hand = ["BUILDER", "TRADER", "APPRENTICE"]
    position = Position(Luck(hands=[hand], goods=[RICH], jean=1))
    position.do("BUILDER", "loc0", "no", "TRADER", "wood")
    position.do("APPRENTICE")
    assert position.decision == "PLAY_CARD"  # the next turn
    assert position.actor == 1
    position = Position(Luck(hands=[hand], goods=[RICH], jean=1))
    position.do("BUILDER", "loc0", "no", "APPRENTICE")
    assert position.decision == "BUILD_TARGET"
    held = position.goods()
    position.do("loc10", "no")
    assert position.table.own(0) == [0, 10]
    cost = position.table.city[10].cost
    assert [before - after for before, after in zip(held, position.goods(), strict=True)] == [cost[0] - 1, *cost[1:]]
    assert position.points() == 4
    position.do("TRADER", "wood")


def test_nun() -> None:
    """VT-16.18; VT-10.9: the active player first, then clockwise; for the others it is automatic."""
    position = Position(Luck(seats=3, active=1, hands=[REST, ["NUN"]], supply=(9, 9, 9, 4)))
    position.do("NUN", "brick")
    assert [position.goods(seat)[3] for seat in (1, 2, 0)] == [3, 1, 0]
    assert position.supply == [9, 9, 9, 0]


# ---------------------------------------------------------------------------------------------------------- the city


@pytest.mark.parametrize("seats", SEATS)
def test_geometry(seats: int) -> None:
    """VT-2.1, VT-2.2, VT-2.3, VT-2.4, VT-18.12: rows of five, alternately above and below; neighbours by number."""
    locations = {2: 20, 3: 25, 4: 30}[seats]
    near = kernel_neighbours(seats)
    assert len(near) == locations
    for i in range(locations):
        column = i % 5
        expected = [i - 10] if i >= 10 else []
        expected += [i - 1] if column > 0 else []
        expected += [i + 1] if column < 4 else []
        expected += [i + 10] if i + 10 < locations else []
        assert near[i] == expected
        assert all(i in near[j] for j in near[i])
        rows_of_the_side = (locations // 5 + 1 - i // 5 % 2) // 2
        assert len(near[i]) in (range(2, 4) if rows_of_the_side == 2 else range(2, 5))


def test_areas() -> None:
    """VT-2.5, VT-2.6: column c and spaces 5c+1 to 5c+5."""
    table = Table(GAME, shipped(), 4, ("uniform",) * 4, 0)
    for space in range(1, 26):
        area = members(int(table.cards.area[space - 1]))
        assert area == [place for place in range(30) if place % 5 == (space - 1) // 5]


@pytest.mark.parametrize(
    ("jean", "place", "points"), [(0, 0, 0), (0, 4, 0), (1, 0, 2), (1, 5, 2), (10, 16, 2), (11, 1, 0)]
)
def test_bonus_on_both_sides_of_the_street(jean: int, place: int, points: int) -> None:
    """VT-7.16, VT-2.6: the tower is in no area; also for an upgrade."""
    for own in ([], [place]):
        position = Position(Luck(hands=[["BUILDER"]], goods=[RICH], jean=jean, own=[own]))
        position.do("BUILDER", f"loc{place}", "no")
        assert position.points() == points


# ------------------------------------------------------------------------------------------------------- the set-up


@pytest.mark.parametrize("seats", SEATS)
def test_set_up(seats: int) -> None:
    """VT-3.2 to VT-3.10, VT-1.1, VT-1.4, VT-1.5, VT-1.6: over a few deals everything comes everywhere."""
    table = Table(GAME, shipped(), seats, ("uniform",) * seats, 1)
    colours = {2: (6, 8, 6), 3: (8, 10, 7), 4: (10, 12, 8)}[seats]
    cities, barrels, held, cities_seen = set(), set(), Counter[str](), set()
    deals = 40
    for deal in range(deals):
        witness = Witness(table)
        next(witness.follow(deal))
        seen, public = witness.match.table, table.state.public
        found = Counter(building.colour for building in seen.city)
        assert (found["green"], found["blue"], found["yellow"]) == colours
        assert len({building.id for building in seen.city}) == sum(colours)
        cities |= {(place, building.id) for place, building in enumerate(seen.city)}
        cities_seen.add(tuple(building.id for building in seen.city))
        under = witness.kernel.barrels()
        barrels |= set(enumerate(under))
        assert [under.count(good) for good in ALL_GOODS] == [7, 6, 6, 6]
        assert public.jean == 0
        assert members(int(public.free)) == list(range(sum(colours)))
        assert public.upgraded == 0
        assert seen.pool == Counter(BUILDER=4)
        for seat in range(seats):
            hand = seen.hands[seat]
            assert hand is not None
            assert (hand.total(), public.deck[seat], public.discards[seat]) == (5, 3, 0)
            assert hand + witness.kernel.decks()[seat] == witness.rules.starting_set
            assert public.houses[seat] == 8
            assert (public.points[seat], public.standing[seat]) == (0, 0)
            assert public.goods[seat].tolist() == [1, 1, 1, 1]
            held += hand
        assert public.supply.tolist() == [42 - seats, 30 - seats, 30 - seats, 30 - seats]
    assert len(cities_seen) == deals
    assert len(cities) > 0.5 * 37 * sum(colours)
    assert len(barrels) == 25 * 4
    share = {card: number / (deals * seats) for card, number in held.items()}
    assert all(0.625 - 0.2 < value < 0.625 + 0.2 for value in share.values())  # VT-5.5: five of eight
    assert set(held) == {
        "SHOPKEEPER",
        "LUMBERJACK",
        "STONE_SCULPTOR",
        "BRICK_WORKER",
        "MAID",
        "BUILDER",
        "APPRENTICE",
        "JEAN",
    }


@pytest.mark.parametrize("seats", SEATS)
def test_extra_good(seats: int) -> None:
    """VT-3.11, VT-3.12, VT-3.10, VT-4.1: from the last seat to the first, which then begins; the rest goes back."""
    table = Table(GAME, shipped(), seats, ("uniform",) * seats, 1)
    witness = Witness(table)
    steps = witness.follow(4)
    next(steps)
    left, asked, supply = list(GOODS), [], table.state.public.supply.tolist()
    for _ in range(seats):
        hands = [hand.total() for hand in witness.match.table.hands if hand is not None]
        assert hands == [5] * seats
        next(steps)
        event = witness.events[-1]
        assert event["decision"] == "SETUP_GOOD"
        assert event["options"] == left
        assert event["forced"] == (len(left) == 1)
        left.remove(event["action"])
        asked.append(event["seat"])
        supply[GOODS.index(event["action"])] -= 1
    assert asked == list(reversed(range(seats)))
    assert table.state.public.supply.tolist() == supply
    assert table.state.public.aside == 0
    assert (witness.match.actor, witness.match.decision) == (0, "PLAY_CARD")
    turns = []
    for _ in steps:
        if witness.match.table.turns > len(turns):
            turns.append(witness.match.table.active)
        if len(turns) == 2 * seats:
            break
    assert len(turns) == 2 * seats


def test_a_deal_is_always_the_same() -> None:
    """VT-3.13: what is dealt depends on seed and deal only, not on who plays what."""
    table, games = Table(GAME, edited(turn_cap=10), 2, ("uniform",) * 2, 5), []
    for rotation in (0, 1):
        witness = Witness(table)
        for _ in witness.follow(3, rotation):
            pass
        games.append(witness.events)
    assert games[0] != games[1]
    dealt = [[event for event in events if event.get("chance") in ("city", "hand", "barrel")] for events in games]
    both = min(map(len, dealt))
    assert both > 5
    assert dealt[0][:both] == dealt[1][:both]


# --------------------------------------------------------------------------------------------------------- the turn


def test_three_cards_of_the_hand() -> None:
    """VT-4.2, VT-4.3, VT-4.8, VT-4.9: no passing; slots in order; afterwards they lie on the discard pile."""
    hand = ["SHOPKEEPER", "LUMBERJACK", "STONE_SCULPTOR", "MAID", "MAID"]
    position = Position(Luck(hands=[hand], decks=[["BUILDER", "JEAN", "REKUK", "NUN"]]))
    public, place = position.kernels.state.public, position.witness.coding.place
    assert position.options == ["SHOPKEEPER", "LUMBERJACK", "STONE_SCULPTOR", "MAID"]
    position.do("STONE_SCULPTOR")
    assert position.decision == "USE_EFFECT"
    assert public.slot.tolist() == [place["STONE_SCULPTOR"], -1, -1, -1, -1]
    position.do("yes", "MAID")
    assert public.slot.tolist()[:2] == [place["STONE_SCULPTOR"], place["MAID"]]
    position.do("gold", "MAID", "wood")
    assert public.slot.tolist() == [-1] * 5
    assert position.actor == 1
    assert position.table.discard[0] == Counter(STONE_SCULPTOR=1, MAID=2)
    assert position.hand() == sorted([*hand[:2], "BUILDER", "JEAN", "REKUK"], key=place.__getitem__)
    assert position.goods() == [1, 1, 1, 0]


def test_a_full_hand_draws_nothing() -> None:
    """VT-4.9, VT-4.7: as many cards came as were played."""
    luck = Luck(
        hands=[["BUILDER", "BUILDER", "BUILDER", "MAID", "MAID"]], goods=[(30, 30, 30, 30)], decks=[["NUN"] * 3]
    )
    position = Position(luck)
    for place in range(3):
        position.do("BUILDER", f"loc{place}", "no")
    assert not position.of_kind("draw")
    assert len(position.hand()) == 5


def test_turns_go_clockwise() -> None:
    """VT-4.1."""
    position = Position(Luck(seats=4, active=2))
    for _ in range(6):
        position.end_turn()
    assert [event["turn_end"] for event in position.of_kind("turn_end")] == [2, 3, 0, 1, 2, 3]


@pytest.mark.parametrize("word", ["yes", "no"])
def test_effects_are_optional_and_whole(word: str) -> None:
    """VT-4.4, VT-4.5, VT-8.4: yes or no, and nothing between."""
    position = Position(Luck(hands=[["BRICK_WORKER"]], characters={"BRICK_WORKER": {"n": 3}}))
    position.do("BRICK_WORKER")
    assert (position.decision, position.options) == ("USE_EFFECT", ["no", "yes"])
    position.do(word)
    assert position.goods() == ([0, 0, 0, 3] if word == "yes" else NOTHING)


def test_a_gained_card_is_played_in_the_same_turn() -> None:
    """VT-4.7, VT-8.24: a built and a hired one."""
    luck = Luck(hands=[["BUILDER", "JEAN", *["MAID"] * 3]], goods=[RICH], city={0: "W"}, pool=["NUN", "KARL_V"])
    position = Position(luck)
    position.do("BUILDER", "loc0", "no", "REKUK", "yes")
    assert position.points() == 2
    position.do("JEAN", "hire")
    assert position.options == ["NUN", "KARL_V"]
    position.do("NUN")
    assert "NUN" in position.hand()
    assert position.table.pool == Counter(KARL_V=1)


# ------------------------------------------------------------------------------------------------------------- piles


def test_reshuffle() -> None:
    """VT-5.1, VT-5.2: when a card must be drawn and none is left, with the three cards just played."""
    luck = Luck(hands=[["MAID", "MAID", "MAID", "NUN", "NUN"]], decks=[["REKUK"]], discards=[["BUILDER"]])
    position = Position(luck)
    for _ in range(3):
        position.do("MAID", "gold")
    draws = [event["card"] for event in position.of_kind("draw")]
    assert draws[0] == "REKUK"
    assert Counter(draws[1:]) <= Counter(MAID=3, BUILDER=1)
    assert len(draws) == 3
    public = position.kernels.state.public
    assert (public.deck[0], public.discards[0]) == (2, 0)


def test_no_reshuffle_before_it_is_needed() -> None:
    """VT-5.1: the draw pile is used up, and the discard pile stays."""
    position = Position(Luck(hands=[["MAID"] * 5], decks=[["REKUK"] * 3], discards=[["BUILDER"]]))
    for _ in range(3):
        position.do("MAID", "gold")
    public = position.kernels.state.public
    assert (public.deck[0], public.discards[0]) == (0, 4)


def test_reshuffled_cards_come_in_any_order() -> None:
    """VT-5.5: over many reshuffles of one pile every card comes first."""
    table = Table(GAME, shipped(), 2, ("uniform",) * 2, 9)
    first = Counter[str]()
    for deal in range(25):
        witness = Witness(table)
        steps, formed = witness.follow(deal), [1, 1]
        for _ in steps:
            piles = table.state.public.reshuffles[:2].tolist()
            if piles != formed:
                first.update(event["card"] for event in witness.events[-3:-1] if event.get("chance") == "draw")
                break
    assert len(first) >= 7


# ------------------------------------------------------------------------------------------------------------ goods


def test_a_barrel_stands_for_its_good() -> None:
    """VT-6.2, VT-6.3, VT-8.21: with no stone in the supply, Jean brings one all the same."""
    position = Position(Luck(hands=[["JEAN", "JEAN"]], supply=(0, 5, 0, 5), barrels=["stone", "gold"]))
    position.do("JEAN", "no")
    assert position.goods() == [0, 0, 1, 0]
    position.do("JEAN", "no")
    assert position.goods() == [1, 0, 1, 0]
    assert position.supply == [0, 5, 0, 5]


def test_a_short_supply() -> None:
    """VT-6.4, VT-6.5, VT-6.1: what is there is taken, and only what is there can be chosen."""
    luck = Luck(hands=[["SEAMSTRESS", "TRADER", "MAID"]], goods=[(0, 1, 0, 0)], supply=(1, 0, 2, 0))
    position = Position(luck)
    position.do("TRADER", "wood")
    assert position.goods() == [1, 0, 0, 0]  # one gold instead of three
    position.do("SEAMSTRESS")
    assert position.options == ["wood", "stone", "no"]
    position.do("stone")
    assert position.options == ["wood", "stone"]
    position.do("stone")
    assert position.goods() == [1, 0, 2, 0]
    position.do("MAID")
    assert position.options == ["wood", "no"]
    position.do("wood")


def test_an_empty_supply_asks_nothing() -> None:
    """VT-6.5, VT-15.4."""
    cards = ["MAID", "SHOPKEEPER", "NUN", "FOREMAN", "SEAMSTRESS"]
    luck = Luck(hands=[cards], supply=(0, 0, 0, 0), own=[[0]], setup={"plays_per_turn": 5})
    position = Position(luck)
    for card in cards:
        position.do(card)
    assert position.actor == 1
    assert position.goods() == NOTHING


# --------------------------------------------------------------------------------------------------------- building


def test_what_may_be_built() -> None:
    """VT-7.2, VT-7.4, VT-19.2: every free building, and own ones on their basic side; none of another player."""
    luck = Luck(hands=[["BUILDER"]], goods=[(50, 50, 50, 50)], own=[[0, 1], [2, 3]], upgraded=[0, 2])
    position = Position(luck)
    position.do("BUILDER")
    assert position.options == [*(f"loc{place}" for place in range(20) if place not in (0, 2, 3)), "no"]
    with pytest.raises(JobError, match="not legal"):
        position.do_action(64 * 4 + 2)


def test_without_houses() -> None:
    """VT-7.17, VT-7.2: only upgrades."""
    position = Position(Luck(hands=[["BUILDER"]], goods=[RICH], own=[[0, 5]], houses=[0]))
    position.do("BUILDER")
    assert position.options == ["loc0", "loc5", "no"]
    position.do("loc5", "no")
    assert position.table.upgraded[5]
    assert position.houses() == 0


def test_an_upgrade_in_the_same_turn() -> None:
    """VT-7.4, VT-7.15, VT-7.18: once only, without a character, and the house stays."""
    position = Position(Luck(hands=[["BUILDER"] * 3], goods=[RICH], city={0: "A"}))
    position.do("BUILDER", "loc0", "no", "BUILDER", "loc0", "no", "BUILDER")
    assert "loc0" not in position.options
    assert position.hand() == ["BANKER"]
    assert position.table.own(0) == [0]
    position.do("no")
    assert position.houses() == 7


@pytest.mark.parametrize(
    ("code", "cost"),
    [
        pytest.param("BUILDER", (4, 3, 3, 3), id="VT-8.6"),
        pytest.param("BRICKLAYER", (4, 3, 3, 1), id="VT-10.3"),
        pytest.param("STONE_MASON", (4, 3, 1, 3), id="VT-10.4"),
        pytest.param("CARPENTER", (4, 1, 3, 3), id="VT-10.5"),
    ],
)
def test_discounts(code: str, cost: Goods) -> None:
    """VT-7.7: for building and upgrading alike, beside adjacent houses (VT-7.6)."""
    prices = {"cost_gold": 4, "cost_wood": 3, "cost_stone": 3, "cost_brick": 3}
    for own, gold in (([], 4), ([1], 3), ([0], 0)):
        luck = Luck(hands=[[code]], goods=[RICH], city={0: "W"}, own=[own], buildings={"W": prices})
        position = Position(luck)
        position.do(code, "loc0", "no")
        assert position.goods() == [9 - gold, *(9 - number for number in cost[1:])]


def test_nothing_is_paid_out_for_a_discount() -> None:
    """VT-7.7, VT-7.6: costs do not fall below 0."""
    prices = {"cost_gold": 1, "cost_wood": 1, "cost_stone": 0, "cost_brick": 0}
    luck = Luck(hands=[["CARPENTER"]], city={2: "W"}, own=[[1, 3, 12]], buildings={"W": prices})
    position = Position(luck)
    position.do("CARPENTER", "loc2")
    assert (position.decision, position.options) == ("SUBSTITUTE", ["no"])
    position.do("no")
    assert position.goods() == NOTHING
    assert 2 in position.table.own(0)


def test_substitution_of_what_one_has() -> None:
    """VT-7.10, VT-7.11, VT-7.12: gold too, for several items; not with goods of the types that they replace."""
    luck = Luck(hands=[["BUILDER"]], goods=[(3, 7, 2, 1)], city={0: "A"})  # the Bank: 2/1/1/1
    position = Position(luck)
    position.do("BUILDER", "loc0")
    assert position.options == ["gold", "stone", "brick", "no"]  # without wood only two goods are left over
    position.do("gold")
    assert position.options == ["gold", "stone", "brick", "no"]
    position.do("stone")
    assert position.options == ["no"]  # the six wood that are left over are needed
    position.do("no")
    assert position.goods() == [2, 6, 2, 0]
    for _ in range(6):
        assert (position.decision, position.options) == ("SUBSTITUTE_PAY", ["wood"])
        position.do("wood")
    assert position.goods() == [2, 0, 2, 0]


def test_goods_are_picked_in_one_order() -> None:
    """VT-7.12: substitutions and fillers never go back to an earlier good, so that a payment is named once."""
    luck = Luck(hands=[["BUILDER"]], goods=[(9, 9, 9, 9)], city={0: "A"})
    position = Position(luck)
    position.do("BUILDER", "loc0", "stone")
    assert position.options == ["brick", "no"]
    position.do("no", "wood")
    assert position.options == ["wood", "brick"]
    position.do("brick")
    assert position.options == ["brick"]


@pytest.mark.parametrize(("gold_fills", "gold", "affordable"), [("yes", 5, True), ("yes", 4, False), ("no", 9, False)])
def test_gold_among_the_fillers(gold_fills: str, gold: int, affordable: bool) -> None:
    """VT-7.11, and the other reading (section 17.2)."""
    luck = Luck(hands=[["BUILDER"]], goods=[(gold, 1, 1, 0)], city={0: "A"}, scalars={"gold_fills": gold_fills})
    position = Position(luck)
    position.do("BUILDER")
    assert ("loc0" in position.options) == affordable


@pytest.mark.parametrize("rate", [1, 2, 5])
def test_rate_of_substitution(rate: int) -> None:
    """VT-7.10 with another number, of an edited set."""
    luck = Luck(hands=[["BUILDER"]], goods=[(2, 1 + rate, 1, 0)], city={0: "A"}, scalars={"substitution_rate": rate})
    position = Position(luck)
    position.do("BUILDER", "loc0")
    position.force()
    assert position.goods() == NOTHING


def payments(cost: Goods, held: Goods, rate: int, gold_fills: bool) -> Iterator[Goods]:
    """Everything that may be paid, by trying all: for each substituted item goods of other types."""
    fillers = [good for good in ALL_GOODS if gold_fills or good]
    bundles: list[list[Goods]] = []
    for item in ALL_GOODS:
        others = [good for good in fillers if good != item]
        bundles.append([tuple(map(mix.count, ALL_GOODS)) for mix in product(others, repeat=rate)])  # type: ignore[misc]
    partial: set[Goods] = {(0, 0, 0, 0)}
    for item in ALL_GOODS:
        for _ in range(cost[item]):
            direct: Goods = tuple(int(good == item) for good in ALL_GOODS)  # type: ignore[assignment]
            ways = {direct, *bundles[item]}
            sums = {tuple(a + b for a, b in zip(paid, way, strict=True)) for paid in partial for way in ways}
            partial = {paid for paid in sums if all(a <= b for a, b in zip(paid, held, strict=True))}  # type: ignore[misc]
    yield from partial


def test_affordability_by_trying_all_payments() -> None:
    """VT-7.13, VT-7.12: on random costs and holdings."""
    rng, answers = Random(1), Counter[bool]()
    sets = [
        (rate, fills, rules_of(edited(substitution_rate=rate, gold_fills="yes" if fills else "no"), 2))
        for rate in (1, 2, 3)
        for fills in (True, False)
    ]
    for _ in range(150):
        rate, fills, rules = rng.choice(sets)
        cost: Goods = tuple(rng.randint(0, 2) for _ in ALL_GOODS)  # type: ignore[assignment]
        held: Goods = tuple(rng.randint(0, 3) for _ in ALL_GOODS)  # type: ignore[assignment]
        missing = [max(0, cost[good] - held[good]) for good in ALL_GOODS]
        affordable = any(True for _ in payments(cost, held, rate, fills))
        assert rules.payable(cost, held, missing) == affordable
        answers[affordable] += 1
    assert min(answers.values()) > 20


def test_the_last_house() -> None:
    """VT-7.17, VT-7.16, VT-13.1, VT-13.9: it triggers before Jean's bonus, which then triggers nothing."""
    luck = Luck(hands=[["BUILDER", "MAID", "MAID"]], goods=[RICH], houses=[1], points=[24], jean=1)
    position = Position(luck)
    position.do("BUILDER", "loc0", "no")
    assert position.points() == 26
    assert position.table.end == "houses"
    assert len(position.of_kind("final_phase")) == 1
    assert position.decision == "PLAY_CARD"  # VT-13.3: the turn goes on
    assert position.actor == 0


# ----------------------------------------------------------------------------------------- red and purple characters


@pytest.mark.parametrize(
    ("code", "good"),
    [
        pytest.param("SHOPKEEPER", 0, id="VT-8.1"),
        pytest.param("LUMBERJACK", 1, id="VT-8.2"),
        pytest.param("STONE_SCULPTOR", 2, id="VT-8.3"),
        pytest.param("BRICK_WORKER", 3, id="VT-8.4"),
    ],
)
def test_one_good(code: str, good: int) -> None:
    position = Position(Luck(hands=[[code]]))
    supply = position.supply
    position.do(code, "yes")
    assert position.goods() == [int(other == good) for other in ALL_GOODS]
    assert position.supply == [left - (other == good) for other, left in enumerate(supply)]  # VT-6.1


@pytest.mark.parametrize("before", ["", "JEAN", "NUN", "REKUK", "TREASURER"])
def test_an_apprentice_with_nothing_to_copy(before: str) -> None:
    """VT-8.8: first of a turn, after purple, blue, yellow."""
    position = Position(Luck(hands=[["MAID", "APPRENTICE", before or "MAID"]]))
    if before:
        position.do(before)
        while position.decision != "PLAY_CARD":
            position.do(position.options[0])
    held = position.goods()
    position.do("APPRENTICE")
    assert position.decision == "PLAY_CARD"
    assert position.goods() == held
    assert position.kernels.state.public.previous == -1


@pytest.mark.parametrize(("switch", "copied"), [("yes", True), ("no", False)])
def test_a_copy_of_a_declined_effect(switch: str, copied: bool) -> None:
    """VT-8.9, and the other reading (section 17.2)."""
    position = Position(Luck(hands=[["MAID", "APPRENTICE", "NUN"]], scalars={"copies_declined": switch}))
    position.do("MAID", "no", "APPRENTICE")
    assert (position.decision == "PICK_GOOD") == copied


def test_what_counts_as_declined() -> None:
    """VT-8.9: a skipped effect was not declined, nor a card of which only the extra is."""
    declining = {"copies_declined": "no"}
    copied = {"HOST": {"copyable_by_apprentice": 1}, "MENDICANT": {"copyable_by_apprentice": 1}}
    goods: list[Goods] = [(0, 0, 0, 0), (5, 0, 0, 0)]
    luck = Luck(hands=[["HOST", "APPRENTICE", "NUN"]], goods=goods, scalars=declining, characters=copied)
    position = Position(luck)
    position.do("HOST", "yes", "no", "APPRENTICE")
    assert position.decision == "USE_EFFECT"
    position = Position(luck)
    position.do("HOST", "no", "APPRENTICE")
    assert position.decision == "PLAY_CARD"
    luck = Luck(hands=[["MENDICANT", "APPRENTICE", "NUN"]], scalars=declining, characters=copied)
    position = Position(luck)
    position.do("MENDICANT", "no", "APPRENTICE")  # without a victim the extra is all there is
    assert position.decision == "PICK_GOOD"
    luck = Luck(hands=[["BUILDER", "MERCHANT", "APPRENTICE"]], scalars=declining)
    position = Position(luck)
    position.do("BUILDER")  # nothing to pay with
    assert position.kernels.state.public.previous == position.witness.coding.place["BUILDER"]


@pytest.mark.parametrize(("switch", "gold"), [("yes", 3), ("no", 2)])
def test_a_chain_of_apprentices(switch: str, gold: int) -> None:
    """VT-8.12, VT-8.13, and the other reading (section 17.2)."""
    hand = ["SHOPKEEPER", "APPRENTICE", "APPRENTICE", "NUN"]
    position = Position(Luck(hands=[hand], scalars={"apprentice_chain": switch}))
    previous = [position.kernels.state.public.previous.item()]
    for card in hand[:3]:
        position.do(card)
        if position.decision == "USE_EFFECT":
            position.do("yes")
        previous.append(position.kernels.state.public.previous.item())
    assert position.goods() == [gold, 0, 0, 0]
    code = position.witness.coding.place["SHOPKEEPER"]
    assert previous == [-1, code, code if switch == "yes" else -1, -1]  # at the end of the turn it is forgotten


def test_a_copied_green_card() -> None:
    """VT-8.7, VT-8.11, VT-9.1."""
    position = Position(Luck(hands=[["QUARRYMAN", "APPRENTICE"]], city={0: "C", 1: "C"}, own=[[0, 1]], upgraded=[0]))
    position.do("QUARRYMAN", "no", "APPRENTICE", "yes")
    assert position.goods() == [0, 0, 3, 0]


def test_jean() -> None:
    """VT-8.20, VT-8.21, VT-8.22, VT-4.4: he always moves; then one of two things, or nothing."""
    position = Position(Luck(hands=[["JEAN", "JEAN", "JEAN", "MAID"]], jean=3, barrels=["brick", "wood", "gold"]))
    position.do("JEAN")
    assert position.kernels.state.public.jean == 4
    assert position.goods() == [0, 0, 0, 1]
    assert position.events[-1] | {"text": ""} == {"chance": "barrel", "space": 4, "good": "brick", "text": ""}
    assert (position.decision, position.options) == ("JEAN_MODE", ["dismiss", "hire", "no"])
    position.do("no", "JEAN", "dismiss")
    assert position.options == ["MAID", "JEAN"]  # not the one just played, which lies in its slot
    position.do("MAID")
    position.do("JEAN")
    assert position.options == ["hire", "no"]  # VT-8.22: nothing is left to dismiss
    position.do("hire")
    assert position.options == ["MAID", "BUILDER"]  # VT-8.24
    position.do("MAID")
    assert position.table.pool == Counter(BUILDER=4)
    assert position.goods() == [1, 1, 0, 1]


def test_jean_at_the_end_of_the_street() -> None:
    """VT-8.21, VT-8.22, VT-13.9: he stays, and one may dismiss or hire."""
    luck = Luck(hands=[["JEAN", "MAID"]], jean=25, trigger="jean", turns=2)
    position = Position(luck)
    position.do("JEAN")
    assert not position.of_kind("barrel")
    assert position.options == ["dismiss", "hire", "no"]
    position.do("hire", "BUILDER")
    assert position.kernels.state.public.jean == 25
    assert not position.of_kind("final_phase")


def test_jean_with_nothing_to_choose() -> None:
    """VT-8.22, VT-15.4: no card in hand, none in the supply."""
    position = Position(Luck(hands=[["JEAN"]], pool=[]))
    position.do("JEAN")
    assert not position.of_kind("JEAN_MODE")
    assert position.actor == 1


def test_cards_of_all_sets_can_be_hired() -> None:
    """VT-8.24, VT-8.25: also those that another player has dismissed; a Jean of the shipped set is never among them."""
    position = Position(Luck(hands=[["JEAN", "REKUK"], ["JEAN", "MAID"]]))
    position.do("JEAN", "dismiss", "REKUK")
    assert position.actor == 1
    position.do("JEAN", "hire", "REKUK", "REKUK", "yes")
    assert position.points(1) == 2
    assert position.table.pool == Counter(BUILDER=4)


# ------------------------------------------------------------------------------------------------- green characters


@pytest.mark.parametrize(
    ("code", "letter", "good"),
    [("BANKER", "A", 0), ("WOODWORKER", "B", 1), ("QUARRYMAN", "C", 2), ("BRICK_MAKER", "D", 3)],
)
def test_green_characters(code: str, letter: str, good: int) -> None:
    """VT-9.1, VT-9.2, VT-9.3: own buildings of every colour, the side that is up; without an icon no question."""
    yellow = {"W": {"icon_good": GOODS[good]}}
    city = {0: letter, 1: letter, 2: "W", 3: letter}
    luck = Luck(hands=[[code, "MAID", "MAID"]], city=city, own=[[0, 1, 2], [3]], upgraded=[1], buildings=yellow)
    position = Position(luck)
    position.do(code, "yes")
    assert position.goods() == [4 * (other == good) for other in ALL_GOODS]
    position = Position(Luck(hands=[[code, "MAID", "MAID"]], city=city, own=[[], [0, 3]], buildings=yellow))
    position.do(code)
    assert position.decision == "PLAY_CARD"
    assert position.goods() == NOTHING


# -------------------------------------------------------------------------------------------------- blue characters


@pytest.mark.parametrize(("held", "gives"), [(4, True), (3, False)])
def test_mendicant_of_two_players(held: int, gives: bool) -> None:
    """VT-10.1, VT-10.2, VT-10.14: the gift first; then one from the supply, also where nobody had to give."""
    for extra in ("brick", "no"):
        position = Position(Luck(hands=[["MENDICANT"]], goods=[(0, 0, 0, 0), (0, held, 0, 0)]))
        position.do("MENDICANT", *(["yes"] if gives else []))
        position.force()  # the gift: the opponent has wood only
        assert position.goods(1) == [0, held - gives, 0, 0]
        assert (position.actor, position.decision) == (0, "PICK_GOOD")
        assert position.options == [*GOODS, "no"]
        position.do(extra)
        assert position.goods() == [0, int(gives), 0, int(extra == "brick")]


def test_a_declined_mendicant() -> None:
    """VT-10.14, VT-4.5: the whole card is declined; no opponent can be spared."""
    position = Position(Luck(hands=[["MENDICANT"]], goods=[(0, 0, 0, 0), (9, 0, 0, 0)]))
    position.do("MENDICANT", "no")
    assert position.actor == 1
    assert position.goods() == NOTHING


def test_each_gift_is_seen_by_the_next_opponent() -> None:
    """VT-10.1, VT-10.14: who has to give is settled when the effect starts."""
    goods: list[Goods] = [(0, 0, 0, 0), (4, 1, 0, 0), (2, 2, 0, 0)]
    position = Position(Luck(seats=3, hands=[["MENDICANT"]], goods=goods))
    position.do("MENDICANT", "yes")
    assert members(int(position.kernels.state.public.victims)) == [1, 2]
    position.do("gold")
    assert members(int(position.kernels.state.public.victims)) == [2]
    position.do("wood")
    assert position.goods() == [1, 1, 0, 0]


def test_trader() -> None:
    """VT-10.6, VT-10.15: one material, not gold; asked also when no gold is left to take."""
    luck = Luck(hands=[["TRADER", "TRADER", "MAID"]], goods=[(5, 1, 0, 1)], supply=(3, 0, 0, 0))
    position = Position(luck)
    position.do("TRADER")
    assert position.options == ["wood", "brick", "no"]
    position.do("brick")
    assert position.goods() == [8, 1, 0, 0]
    position.do("TRADER")
    assert position.options == ["wood", "no"]
    position.do("wood")
    assert position.goods() == [8, 0, 0, 0]
    assert position.supply == [0, 1, 0, 1]


def test_trader_takes_what_he_returned() -> None:
    """VT-10.15: the good is back in the supply before goods are taken; of an edited set."""
    trader = {"TRADER": {"good": "stone", "n": 2}}
    position = Position(Luck(hands=[["TRADER"]], goods=[(0, 0, 1, 0)], supply=(0, 0, 1, 0), characters=trader))
    position.do("TRADER", "stone")
    assert position.goods() == [0, 0, 2, 0]


def test_merchant() -> None:
    """VT-10.7, VT-10.15, VT-11.8: a gold for a wood, a stone and a brick; without gold no question."""
    position = Position(Luck(hands=[["MERCHANT", "MERCHANT", "MAID"]], goods=[(1, 9, 9, 9)]))
    position.do("MERCHANT", "yes")
    assert position.goods() == [0, 10, 10, 10]
    position.do("MERCHANT")
    assert position.decision == "PLAY_CARD"


def test_treasurer() -> None:
    """VT-10.8: a gold for each own green building, upgraded or not."""
    city = {0: "A", 1: "B", 2: "W", 3: "C"}
    position = Position(Luck(hands=[["TREASURER"]], city=city, own=[[0, 1, 2], [3]], upgraded=[1]))
    position.do("TREASURER", "yes")
    assert position.goods() == [2, 0, 0, 0]


def test_nun_with_enough() -> None:
    """VT-10.9: three for the active player, one for each other."""
    position = Position(Luck(seats=4, hands=[["NUN"]]))
    position.do("NUN")
    assert position.options == [*GOODS, "no"]
    position.do("wood")
    assert [position.goods(seat)[1] for seat in range(4)] == [3, 1, 1, 1]


def test_seamstress() -> None:
    """VT-10.10, VT-4.5: two goods, alike or different; only the first can be declined."""
    for words, goods in ((["gold", "brick"], [1, 0, 0, 1]), (["wood", "wood"], [0, 2, 0, 0]), (["no"], NOTHING)):
        position = Position(Luck(hands=[["SEAMSTRESS"]]))
        position.do("SEAMSTRESS")
        assert position.options == [*GOODS, "no"]
        position.do(words[0])
        if len(words) == 2:
            assert position.options == list(GOODS)
            position.do(words[1])
        assert position.goods() == goods


def test_foreman_without_icons() -> None:
    """VT-10.11, VT-15.4: skipped where no good has both an icon and a supply."""
    position = Position(Luck(hands=[["FOREMAN"]], city={0: "A"}, own=[[0]], supply=(0, 9, 9, 9)))
    position.do("FOREMAN")
    assert position.actor == 1


@pytest.mark.parametrize("seats", [2, 3])
def test_host(seats: int) -> None:
    """VT-10.12, VT-10.14: from two gold on; the extra is for two players only."""
    goods: list[Goods] = [(0, 0, 0, 0), (2, 0, 0, 0), (1, 9, 9, 9)]
    position = Position(Luck(seats=seats, hands=[["HOST", "MAID", "MAID"]], goods=goods[:seats]))
    position.do("HOST", "yes")
    assert position.goods() == [1, 0, 0, 0]
    assert position.goods(1) == [1, 0, 0, 0]
    if seats == 2:
        assert (position.decision, position.table.extra) == ("USE_EFFECT", True)
        position.do("yes")
        assert position.goods() == [2, 0, 0, 0]
    else:
        assert position.goods(2) == [1, 9, 9, 9]
    assert position.decision == "PLAY_CARD"


def test_tax_collector_of_three_players() -> None:
    """VT-10.13: at most one of each material of each opponent, never gold."""
    goods: list[Goods] = [(0, 0, 0, 0), (9, 3, 4, 5), (9, 2, 3, 0)]
    position = Position(Luck(seats=3, hands=[["TAX_COLLECTOR"]], goods=goods))
    position.do("TAX_COLLECTOR", "yes")
    assert [position.goods(seat) for seat in range(3)] == [[0, 1, 2, 1], [9, 2, 3, 4], [9, 2, 2, 0]]
    assert position.actor == 1


# ------------------------------------------------------------------------------------------------ yellow characters


def test_laparelli() -> None:
    """VT-11.1, VT-11.9: four of one material, not gold; both copies can be used."""
    position = Position(Luck(hands=[["LAPARELLI", "LAPARELLI", "MAID"]], goods=[(9, 4, 5, 3)]))
    position.do("LAPARELLI")
    assert position.options == ["wood", "stone", "no"]
    position.do("stone", "LAPARELLI")
    assert position.options == ["wood", "no"]
    position.do("wood")
    assert position.points() == 8
    assert position.goods() == [9, 0, 1, 3]


@pytest.mark.parametrize(
    ("code", "pay", "points"),
    [
        pytest.param("GRAND_BAILIFF", (4, 0, 0, 0), 4, id="VT-11.2"),
        pytest.param("DEL_MONTE", (1, 1, 1, 1), 5, id="VT-11.3"),
    ],
)
def test_payments_for_points(code: str, pay: Goods, points: int) -> None:
    """VT-11.8, VT-12.1: exactly, without substitution."""
    position = Position(Luck(hands=[[code, "MAID", "MAID"]], goods=[pay]))
    position.do(code, "yes")
    assert position.points() == points
    assert position.goods() == NOTHING
    poor = Position(Luck(hands=[[code, "MAID", "MAID"]], goods=[(pay[0] - 1, 20, 20, 20)]))
    poor.do(code)
    assert poor.decision == "PLAY_CARD"


@pytest.mark.parametrize(
    ("code", "points"),
    [
        pytest.param("KARL_V", 2, id="VT-11.4"),
        pytest.param("PHILIP_II", 3, id="VT-11.5"),
        pytest.param("PIUS_V", 4, id="VT-11.6"),
    ],
)
def test_counting_characters(code: str, points: int) -> None:
    """Own buildings, upgraded or not; upgraded ones of any colour."""
    city = dict(enumerate("EFABCWTD"))  # two blue, three green, two yellow; a green one of the opponent
    luck = Luck(hands=[[code, "MAID", "MAID"]], city=city, own=[[*range(7)], [7]], upgraded=[0, 2, 3, 5, 7])
    position = Position(luck)
    position.do(code, "yes")
    assert position.points() == points
    nothing = Position(Luck(hands=[[code, "MAID", "MAID"]]))
    nothing.do(code)
    assert nothing.decision == "PLAY_CARD"  # VT-15.4


# ------------------------------------------------------------------------------------------------- points, the end


def test_points_without_limit() -> None:
    """VT-1.7, VT-12.2, VT-12.4, VT-6.7: a plain sum, seen by all."""
    position = Position(Luck(hands=[["REKUK"]], points=[998], setup={"trigger_points": 999}))
    position.do("REKUK", "yes")
    assert position.points() == 1000
    assert position.table.end == "points"


@pytest.mark.parametrize(
    ("passing", "points", "triggered"), [("yes", 23, True), ("yes", 24, True), ("no", 23, True), ("no", 24, False)]
)
def test_reaching_the_points(passing: str, points: int, triggered: bool) -> None:
    """VT-13.2, and the other reading (section 17.2)."""
    position = Position(Luck(hands=[["REKUK"]], points=[points], scalars={"passing_triggers": passing}))
    position.do("REKUK", "yes")
    assert bool(position.of_kind("final_phase")) == triggered


def test_jean_triggers() -> None:
    """VT-8.27, VT-13.1, VT-13.3: after his barrel, before the rest of the turn."""
    position = Position(Luck(hands=[["JEAN", "MAID", "MAID", "MAID"]], jean=24))
    position.do("JEAN")
    assert [next(iter(event)) for event in position.events] == ["seat", "chance", "final_phase"]
    position.do("no", "MAID", "gold", "MAID", "gold")
    assert len(turns_of(position)[0]) == 3
    assert position.table.end == "jean"


def test_the_final_phase_begins() -> None:
    """VT-13.3, VT-13.4, VT-4.10: the turn is finished with the draw and its reshuffle, then all piles are merged."""
    luck = Luck(
        seats=3,
        active=1,
        hands=[["MAID"] * 5, ["REKUK", "MAID", "MAID"], ["NUN", "NUN"]],
        decks=[["BUILDER"] * 2, ["NUN"], []],
        discards=[["JEAN"], ["BUILDER", "JEAN"], ["MAID"]],
        points=[0, 24, 0],
    )
    position = Position(luck)
    public = position.kernels.state.public
    position.do("REKUK", "yes")
    assert not public.final
    position.do("MAID", "gold", "MAID", "gold")
    assert public.final
    assert public.triggered == 1
    assert public.hand[:3].tolist() == [5, 5, 2]
    assert public.deck[:3].tolist() == [3, 1, 1]
    assert public.discards[:3].tolist() == [0, 0, 0]
    drawn = [event["card"] for event in position.of_kind("draw")]
    assert drawn[0] == "NUN"
    assert len(drawn) == 5  # reshuffled
    assert position.actor == 2  # VT-13.5: the next player


def test_no_new_draw_pile_in_the_final_phase() -> None:
    """VT-5.4, VT-13.5, VT-13.7, VT-13.8."""
    luck = Luck(hands=[["MAID"] * 5], decks=[["NUN"]], discards=[["JEAN"] * 9], trigger="points", turns=2)
    position = Position(luck)
    for _ in range(3):
        position.do("MAID", "gold")
    assert position.hand() == ["MAID", "MAID", "NUN"]
    position.end_turn()
    position.end_turn()
    assert position.hand() == []
    position.finish()
    assert [len(turn) for turn in turns_of(position)][:3] == [3, 3, 3]


def test_cards_gained_in_the_final_phase_are_played() -> None:
    """VT-13.6, VT-13.10: a built card and a hired one, in the last turn."""
    luck = Luck(
        hands=[["BUILDER", "JEAN"], []],
        decks=[[], []],
        goods=[RICH],
        city={0: "W"},
        pool=["MAID"],
        trigger="houses",
        turns=8,
    )
    position = Position(luck)
    position.do("JEAN", "hire")
    position.do("BUILDER", "loc0", "no")
    position.finish()
    assert [Counter(turn) for turn in turns_of(position)] == [
        Counter(["JEAN", "BUILDER", turns_of(position)[0][2]]),
        Counter({"REKUK", "MAID"} - {turns_of(position)[0][2]}),
    ]


def test_later_triggers_have_no_effect() -> None:
    """VT-13.9, VT-13.10: the game is over when all have played all their cards; the trigger takes part."""
    luck = Luck(hands=[["REKUK", "MAID"], ["MAID"]], decks=[[], []], points=[24, 25], trigger="jean", jean=25, turns=2)
    position = Position(luck)
    position.do("REKUK", "yes")
    assert not position.of_kind("final_phase")
    position.finish()
    assert position.table.end == "jean"
    assert position.scores[0] == 26


@pytest.mark.parametrize("seats", SEATS)
def test_length_cap(seats: int) -> None:
    """VT-13.11: at the end of a turn, by the seat that has just played; the game is flagged."""
    witness = Witness(Table(GAME, edited(turn_cap=2), seats, ("uniform",) * seats, 3))
    for _ in witness.follow(0):
        pass
    triggers = [i for i, event in enumerate(witness.events) if "final_phase" in event]
    assert len(triggers) == 1
    assert witness.events[triggers[0]]["final_phase"] == seats - 1
    assert witness.events[triggers[0] - 1]["turn_end"] == seats - 1
    ends = [event for event in witness.events[: triggers[0]] if "turn_end" in event]
    assert len(ends) == 2 * seats
    public = witness.kernels.state.public
    assert (public.truncated, public.end) == (1, 3)


def test_a_tie() -> None:
    """VT-14.4: more houses built win, otherwise the win is shared."""
    city = {0: "A", 1: "A", 2: "F"}  # 1 and 1 against 2
    position = Position(last_cards(seats=3, city=city, own=[[2], [0, 1]]))
    position.finish()
    assert position.scores == [2, 2, 0]
    assert position.table.result()["win_share"] == [0, 1, 0]
    position = Position(last_cards(seats=3, city=city, own=[[0], [1]]))
    position.finish()
    assert position.table.result()["win_share"] == [0.5, 0.5, 0]
    ties = position.kernels.out.tie_break[:3].tolist()
    assert ties[0] == ties[1]


# ------------------------------------------------------------------------------------------------ questions and bots


def test_a_single_option_is_not_asked() -> None:
    """VT-15.3: the bot's answer does not matter."""
    position = Position(Luck(hands=[["REKUK"]]))
    position.do_action(999)
    assert position.decision == "USE_EFFECT"
    assert position.events[-1]["forced"]
    with pytest.raises(JobError, match="not legal"):
        position.do_action(999)


def test_what_changes_nothing_is_not_asked() -> None:
    """VT-15.4: no icon, nothing to pay with, no victim, nothing to count."""
    cards = ["BANKER", "MERCHANT", "TRADER", "LAPARELLI", "BUILDER"]
    cards += ["HOST", "TAX_COLLECTOR", "MENDICANT", "KARL_V", "DEL_MONTE"]
    for few in (cards[:5], cards[5:]):
        position = Position(Luck(seats=3, hands=[few], setup={"plays_per_turn": 5}))
        for card in few:
            position.do(card)
        assert {event["decision"] for event in position.events if "decision" in event} == {"PLAY_CARD"}


def test_declining_stands_among_the_first_choices() -> None:
    """VT-15.5, VT-4.4: for effects with a choice of their own; USE_EFFECT for the others."""
    rich: list[Goods] = [RICH, RICH]
    firsts = {
        **dict.fromkeys(("MAID", "SEAMSTRESS", "NUN", "FOREMAN", "TRADER", "LAPARELLI"), "PICK_GOOD"),
        **dict.fromkeys(("SHOPKEEPER", "BANKER", "MERCHANT", "TREASURER", "HOST", "TAX_COLLECTOR"), "USE_EFFECT"),
        **dict.fromkeys(("MENDICANT", "GRAND_BAILIFF", "DEL_MONTE", "KARL_V", "PHILIP_II", "PIUS_V"), "USE_EFFECT"),
        **dict.fromkeys(("REKUK",), "USE_EFFECT"),
        **dict.fromkeys(("BUILDER", "BRICKLAYER", "STONE_MASON", "CARPENTER"), "BUILD_TARGET"),
        "JEAN": "JEAN_MODE",
    }
    for card, decision in firsts.items():
        luck = Luck(hands=[[card, "MAID"]], goods=rich, city={0: "A", 1: "F"}, own=[[0, 1]], upgraded=[0])
        position = Position(luck)
        before = position.goods(), position.points()
        position.do(card)
        assert position.decision == decision
        assert "no" in position.options
        position.do("no")
        if card != "JEAN":
            assert (position.goods(), position.points()) == before
        assert position.decision == "PLAY_CARD"


def test_goods_lie_open_and_stay_with_their_owner() -> None:
    """VT-6.6, VT-6.7: outside of effects nothing changes hands; every change is one that an effect makes."""
    witness = Witness(Table(GAME, edited(turn_cap=5), 4, ("uniform",) * 4, 8))
    before: list[list[int]] = []
    changing = set()
    for step in witness.follow(2):
        goods = witness.kernels.state.public.goods.tolist()
        if before and goods != before:
            changing.add(witness.kernels.game.decisions[step.decision])
        before = goods
    assert changing <= {
        "SETUP_GOOD",
        "PLAY_CARD",
        "USE_EFFECT",
        "PICK_GOOD",
        "GIVE_GOOD",
        "SUBSTITUTE",
        "SUBSTITUTE_PAY",
    }
    played = [event["action"] for event in witness.events if event.get("decision") == "PLAY_CARD"]
    assert "JEAN" in played  # the only card that brings a good as it is played


def test_rules_of_the_shipped_set() -> None:
    """The reference reads the tables: VT-1.3, VT-1.4, VT-2.3, VT-7.10, VT-10.6."""
    rules: Rules = rules_of(shipped(), 3)
    assert rules.starting_set.total() == 8
    assert rules.pieces == (42, 30, 30, 30)
    assert len(rules.locations) == 25
    assert (rules.rate, rules.trader_pays, list(MATERIALS)) == (3, 1, [1, 2, 3])
