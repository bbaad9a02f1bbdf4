"""The worked examples of the rules page of Lisboa, on positions that are set up.

Every step here is taken by the kernels and by the plain Python reference, and compared (see lisboa_positions.py).
"""

from collections.abc import Sequence

import pytest

from tests.reference.lisboa_state import majority
from tests.reference.lisboa_tables import NOBLES
from tests.simcore.games.lisboa_positions import Position

pytestmark = pytest.mark.engine

CARDINAL_CARD, RECRUIT_CARD, FAVOR_CARD, PRODUCE_CARD = "red_king_4", "red_builder_3", "red_king_3", "red_marquis_4"


def wigs(position: Position) -> list[int]:
    return [player.wigs for player in position.table.players]


def last_turn(position: Position) -> Position:
    """The turn that begins is the last one of the game, by empty decks."""
    position.table.period, position.table.countdown, position.table.end = 2, 1, "decks"
    return position


def test_visit() -> None:
    """EX-1; L-10.2, L-10.3, L-6.7, L-10.5: influence first, the rest in wigs; the decree cannot be declined."""
    position = Position(seats=4)
    position.hand(0, "blue_marquis_1")
    position.money(0, 10, influence=4, wigs=5)
    assert position.table.offices["marquis"] == [1, 1, 1, 1]
    position.begin().do("court:blue_marquis_1")
    assert (position.player().influence, position.player().wigs) == (0, 4)
    position.do("stop")
    assert position.decision == "DECREE_PICK"
    assert len(position.options) == 8


def store_of_gold(reais: int) -> Position:
    """A visit of the Builder that is paid with all influence, and cheap blocks in row C."""
    position = Position()
    position.money(0, reais, influence=2)
    position.hand(0, "blue_builder_1")
    for zone in position.table.zones:
        position.rubble(zone)
    position.rubble("A", "earthquake", "fire", "fire")
    position.rubble("1", "fire", "tsunami", "tsunami")
    return position.begin().do("court:blue_builder_1", "stop")


@pytest.mark.parametrize(("cube", "cost", "left"), [("row:earthquake", 11, 4), ("column:tsunami", 13, 2)])
def test_store(cube: str, cost: int, left: int) -> None:
    """EX-2; L-11.4, L-11.5, L-11.6, L-11.7: first the reward, then the cube, then the payment."""
    position = store_of_gold(10).do("A1:gold")
    assert position.player().reais == 15
    assert position.options == ["row:earthquake", "row:fire", "column:fire", "column:tsunami"]
    position.do(cube)
    assert (position.decision, position.table.cost, position.options) == ("PAYMENT", cost, ["0"])
    position.do("0")
    assert position.player().reais == left


def test_cheapest_store() -> None:
    """EX-2; L-11.2, L-11.7."""
    assert "A1:gold" not in store_of_gold(5).options
    position = store_of_gold(6).do("A1:gold")
    assert position.asked() == (0, "STORE_CUBE", ["row:earthquake"])


@pytest.mark.parametrize(("produced", "space"), [(2, 7), (6, 0)])
def test_influence_as_money(produced: int, space: int) -> None:
    """EX-3; L-6.5, L-6.6."""
    position = Position()
    position.table.treasury = 6
    position.money(0, 6, influence=9)
    position.hand(0, "blue_treasury_2")
    position.begin().do("court:blue_treasury_2")
    assert position.asked() == (0, "PAYMENT", ["0", "1", "2", "3", "4", "5", "6"])
    position.do(str(produced))
    assert (position.player().influence, position.player().reais) == (space, produced)


def test_sale() -> None:
    """EX-4; L-8.2, L-8.3, L-8.4, L-8.5, L-8.7."""
    position = Position()
    position.hand(0, "blue_king_4")
    position.goods(0, cloth=2)
    position.bottom(0, "blue_treasury_4")
    position.top(1, "ship_red")
    before = wigs(position)
    reais, prices = position.player().reais, dict(position.table.prices)
    position.begin().do("portfolio:blue_king_4", "sell")
    assert position.options == ["seat1:dock0:cloth"]
    position.do("seat1:dock0:cloth").do("seat1:dock0:cloth")
    assert position.player().reais == reais + 12
    assert wigs(position) == [before[0], before[1] + 2]
    assert position.player(1).ships[0].at_sea
    assert position.table.prices == prices
    assert position.decision == "DRAW"


def with_stores(good_of: dict[str, str]) -> Position:
    """Seat 0 has these stores."""
    position = Position()
    for block, good in good_of.items():
        position.store(0, block, good)
    return position


def test_produce() -> None:
    """EX-5; L-9.8, L-8.2, L-5.2."""
    position = with_stores({"A2": "cloth", "A3": "cloth", "A4": "books"})
    position.goods(0, cloth=1, books=2)
    position.hand(0, PRODUCE_CARD)
    position.begin().do(f"portfolio:{PRODUCE_CARD}")
    assert position.player().goods == {"gold": 0, "cloth": 2, "books": 2, "tools": 0}
    assert position.table.prices == {"gold": 5, "cloth": 3, "books": 4, "tools": 3}


def test_cardinal() -> None:
    """EX-6; L-14.1, L-14.2, L-14.5, L-9.9."""
    position = Position()
    position.table.cardinal = 5
    position.hand(0, CARDINAL_CARD)
    position.begin().do(f"portfolio:{CARDINAL_CARD}")
    assert position.options == ["1", "2"]
    position.do("2")
    assert (position.table.cardinal, position.table.scoring) == (1, 0)
    assert position.options == position.table.slots[:2]


def test_gain_influence() -> None:
    """EX-7; L-6.2, L-6.3, L-6.1: a wig each time that the marker ends on 10, and no more than one."""
    position = Position()
    position.money(0, 20, influence=9)
    position.top(0, "blue_king_1", "ship_blue")
    position.hand(0, "blue_treasury_6", "purple_treasury_6", "blue_king_1")
    position.begin()
    for number, card in enumerate(("blue_treasury_6", "purple_treasury_6"), 1):
        position.do(f"court:{card}", "0")
        assert (position.player().influence, position.player().wigs) == (10, 5 + number)
        position.end_turn().end_turn()


def opening() -> Position:
    """Three players; the first has a gold store on A1, the second a cloth store on A2, the third wants to build."""
    position = Position(seats=3, active=2)
    position.column_values(3, 1, 4, 2)
    position.store(0, "A1", "gold")
    position.store(1, "A2", "cloth")
    position.on_top("blue", "PB01")
    position.money(2, 99, influence=10)
    position.player(2).plans = ["plan_blue_1"]
    return position


def test_opening() -> None:
    """EX-8; L-13.8, L-1.5: the owner of each matching store, by the column of the store."""
    position = opening()
    position.hand(2, "blue_king_1")
    before = wigs(position)
    position.begin().do("court:blue_king_1", "stop", "WA").end_turn()
    gained = [now - was for was, now in zip(before, wigs(position), strict=True)]
    assert gained == [3, 1, 0]


@pytest.mark.parametrize(("good", "gain"), [("cloth", 4), ("books", 0)])
def test_store_beside_a_building(good: str, gain: int) -> None:
    """EX-8; L-11.8: customers who are there already."""
    position = opening()
    position.building("WA", "PB01", "blue")
    position.hand(2, "blue_builder_1")
    position.begin().do("court:blue_builder_1", "stop", f"A3:{good}")
    before = wigs(position)
    while position.decision != "DRAW" and position.actor == 2:
        position.do(position.options[0])
    assert wigs(position)[2] == before[2] + gain


def test_building_on_a_north_site() -> None:
    """EX-8; L-13.8: every cloth store in any row, whatever the colours."""
    position = opening()
    position.store(0, "C2", "cloth")
    position.store(0, "D3", "cloth")
    position.store(1, "D4", "books")
    position.on_top("blue", "PB03")
    position.hand(2, "blue_king_1")
    before = wigs(position)
    position.begin().do("court:blue_king_1", "stop", "N2").end_turn()
    gained = [now - was for was, now in zip(before, wigs(position), strict=True)]
    assert gained == [1 + 4, 1, 0]


def test_majorities() -> None:
    """EX-9; L-17.8: tied players share the places that they take together, rounded down."""
    assert majority([4, 4, 1, 0], (15, 10, 5)) == [12, 12, 5, 0]
    assert majority([2, 2, 1], (9, 6, 3)) == [7, 7, 3]
    assert majority([3, 0], (9, 6, 3)) == [9, 0]
    assert majority([1, 1, 1, 0], (6, 3, 1)) == [3, 3, 3, 0]


def test_majority_of_officials() -> None:
    """EX-9; L-17.6, L-17.8."""
    position = last_turn(Position(seats=4, active=3))
    plans: Sequence[Sequence[str]] = (["plan_blue_8"], ["plan_blue_7", "plan_blue_1"], ["plan_green_1"], [])
    for seat, completed in enumerate(plans):
        position.player(seat).completed = list(completed)
    position.begin().do("gold:blue_king_5").finish()
    parts = position.table.parts()
    assert [part["officials_majority"] for part in parts] == [12, 12, 5, 0]


@pytest.mark.parametrize(
    ("stores", "wigs_of"),
    [
        ({"A2": 0, "A3": 0, "B2": 1, "B3": 1, "C2": 2}, [7, 7, 3]),
        ({"A2": 0, "A3": 0, "B2": 0}, [9, 0]),
    ],
)
def test_majority_of_stores(stores: dict[str, int], wigs_of: list[int]) -> None:
    """EX-9; L-17.3, L-18.1: cloth stores; no store, no place."""
    seats = len(wigs_of)
    position = last_turn(Position(seats=seats, active=seats - 1))
    for block, seat in stores.items():
        position.store(seat, block, "cloth")
    position.begin().do("gold:blue_king_5").finish()
    assert [part["store_majority"] for part in position.table.parts()] == wigs_of


def test_sets() -> None:
    """EX-10; L-5.6, L-5.1, L-5.2."""
    position = Position()
    position.cubes(0, earthquake=1, fire=1)
    position.money(0, 10)
    position.table.pile.clear()
    position.table.pile["tsunami"] = 1
    position.hand(0, "red_treasury_5")
    position.begin().do("court:red_treasury_5", "tsunami")
    table = position.table
    assert (position.player().sets, table.portfolio_capacity(0), table.warehouse_capacity(0)) == (1, 3, 3)
    assert (position.player().portrait, position.player().markers) == (1, 4)


def test_sponsoring_a_store() -> None:
    """EX-11; L-15.2, L-11.5: the Treasury value is paid twice."""
    position = Position()
    position.table.treasury = 4
    position.money(0, 50)
    for zone in position.table.zones:
        position.rubble(zone)
    position.rubble("C", "earthquake", "earthquake", "earthquake", "tsunami")
    position.hand(0, "blue_treasury_1")
    position.begin().do("court:blue_treasury_1")
    assert (position.decision, position.table.cost) == ("PAYMENT", 4)
    position.do("0", "C5:tools", "row:tsunami")
    assert (position.decision, position.table.cost) == ("PAYMENT", 4 + 9)


@pytest.mark.parametrize(("sets", "ends"), [(1, False), (2, True)])
def test_end_of_period(sets: int, ends: bool) -> None:
    """EX-12; L-16.1, L-16.3."""
    position = Position(seats=3)
    position.cubes(1, sets, sets, sets + 1)
    position.cubes(2, 1, 1, 1)
    before = wigs(position)
    position.begin().do("gold:blue_king_5", "builder")
    notes = [(note["reason"], note["seat"], note["wigs"]) for note in position.of_kind("period_end")]
    after = [before[0], before[1] + 6, before[2] + 3]
    assert notes == ([("sets", 1, after)] if ends else [])
    assert wigs(position) == (after if ends else before)


def test_hiring() -> None:
    """EX-13; L-13.5, L-13.11, L-17.6."""
    position = Position()
    position.table.treasury = 4
    position.money(0, 9, influence=2)
    position.player().plans = ["plan_green_5"]
    position.player().officials, position.player().courtyard = 6, 1
    position.offices(builder=[0, 0], marquis=[0, 0], king=[1, 0])
    position.hand(0, "blue_king_1")
    position.begin().do("court:blue_king_1", "stop", "EA")
    assert position.asked() == (0, "BUILDING_OFFICIAL", ["king", "courtyard"])
    position.do("king").do("courtyard").do("0")
    player = position.player()
    assert (player.reais, player.officials, player.on_buildings) == (5, 5, 3)
    assert position.table.officials_counted(0) == 3


@pytest.mark.parametrize(("official", "cost"), [("marquis", 4), ("king", 3)])
def test_follow(official: str, cost: int) -> None:
    """EX-14; L-10.7, L-19.4: the cost is that of a visit, at the moment of the question."""
    position = Position(seats=3)
    position.offices(builder=[0, 0, 0], marquis=[1, 1, 1], king=[1, 2, 1])
    position.money(0, 10, influence=8)
    position.money(1, 10, influence=8)
    position.player(0).plans = ["plan_blue_1"]
    position.player(1).favors["king"] = 1
    stack = position.table.favors["king"]
    position.hand(0, "blue_king_1")
    position.begin().do("court:blue_king_1")
    assert position.player().influence == 8 - 5
    position.do("stop", "EA", official)
    assert (position.actor, position.decision) == (1, "FOLLOW")
    position.do("favor")
    assert position.player(1).influence == 8 - cost
    assert (position.player(1).favors["king"], position.table.favors["king"]) == (0, stack + 1)


def test_final_money() -> None:
    """EX-15; L-17.4."""
    position = last_turn(Position(active=1))
    position.money(0, 13, influence=6)
    position.begin().do("gold:blue_king_5").finish()
    assert position.table.final_money(0) == 17
    assert position.table.parts()[0]["reais"] == 3


def test_favors() -> None:
    """EX-16; L-9.10."""
    position = Position()
    position.player().favors["builder"] = 1
    position.table.favors = {"builder": 1, "marquis": 1, "king": 2}
    position.hand(0, FAVOR_CARD)
    position.begin().do(f"portfolio:{FAVOR_CARD}")
    assert position.options == ["marquis", "king"]


def test_all_favors() -> None:
    """EX-16; L-9.3, L-9.10: the action is illegal, the reward is skipped."""
    position = Position()
    position.player().favors.update(NOBLES)
    position.hand(0, FAVOR_CARD)
    position.begin().do(f"portfolio:{FAVOR_CARD}", "trade")
    assert not [word for word in position.options if word.startswith("favor")]


@pytest.mark.parametrize(("paid", "left"), [("2", (10, 0, 10)), ("0", (12, 0, 8))])
def test_reais_for_influence(paid: str, left: tuple[int, int, int]) -> None:
    """EX-17; L-10.9, L-11.10."""
    position = Position(seats=4)
    position.money(0, 12, influence=3, wigs=10)
    position.house(0, "court")
    position.hand(0, "blue_marquis_1")
    position.begin().do("court:blue_marquis_1")
    assert position.asked() == (0, "VISIT_REAIS", ["0", "1", "2"])
    position.do(paid)
    player = position.player()
    assert (player.reais, player.influence, player.wigs) == left


def test_extra_goods() -> None:
    """EX-18; L-9.8, L-11.10."""
    position = with_stores({"A2": "cloth", "A3": "cloth", "A4": "books"})
    position.goods(0, cloth=1, gold=1)
    position.house(0, "workshop")
    position.hand(0, PRODUCE_CARD)
    position.begin().do(f"portfolio:{PRODUCE_CARD}")
    assert position.asked() == (0, "GOOD_PICK", ["books"])
    position.do("books")
    assert position.player().goods == {"gold": 1, "cloth": 2, "books": 2, "tools": 0}
    assert position.table.prices == {"gold": 5, "cloth": 3, "books": 3, "tools": 3}


def test_decrees() -> None:
    """EX-19; L-15.6, L-12.3: the second marker stays."""
    position = Position()
    position.cubes(0, 2, 2, 2)
    position.money(0, 20)
    position.hand(0, "purple_treasury_4")
    position.begin().do("court:purple_treasury_4", "0")
    for _ in range(2):
        position.do(position.options[0])
    assert position.asked() == (0, "DECREE_MARKER", ["spend", "keep"])
    position.do("spend").do(position.options[0])
    assert position.decision == "DRAW"
    player = position.player()
    assert (len(player.decrees), player.portrait, player.spent) == (3, 1, 1)


def test_city_display() -> None:
    """EX-20; L-11.2, L-19.6, L-4.8: the display is refilled at the end of the turn."""
    position = Position()
    position.money(0, 50, influence=10)
    position.money(1, 50, influence=10)
    position.player(1).favors["builder"] = 1
    position.hand(0, "blue_builder_1")
    position.begin().do("court:blue_builder_1", "stop", "A2:cloth")
    while position.decision != "FOLLOW":
        position.do(position.options[0])
    position.do("store")
    goods = {word.split(":")[1] for word in position.options}
    assert goods == {"gold", "books", "tools"}
    while position.actor == 1 and position.decision != "MAIN":
        position.do(position.options[0])
    position.end_turn()
    assert set(position.table.city_display.values()) == {1}
