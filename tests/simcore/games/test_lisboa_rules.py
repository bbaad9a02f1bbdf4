"""The rules of Lisboa one by one, on positions that are set up. L-... are ids of the rules page.

Every step here is taken by the kernels and by the plain Python reference, and compared (see lisboa_positions.py). The
worked examples of the page stand in test_lisboa_examples.py.
"""

from collections import Counter
from typing import Any

import pytest

from tests.reference.lisboa_state import majority
from tests.reference.lisboa_tables import BLOCKS, GOODS, NOBLES, SITES, STORE_SITES, STREETS_OF_COLUMN, TILES
from tests.simcore.games.lisboa_positions import DULL_HAND, Position
from tests.simcore.lisboa_sets import edited, inputs, shipped

pytestmark = pytest.mark.engine

SEATS = (2, 3, 4)
PRODUCE_CARD, PLAN_CARD, CARDINAL_CARD, RECRUIT_CARD = "red_marquis_4", "red_builder_4", "red_king_4", "red_builder_3"


def last_turn(position: Position) -> Position:
    """The turn that begins is the last one of the game, by empty decks."""
    position.table.period, position.table.countdown, position.table.end = 2, 1, "decks"
    return position


def wigs(position: Position) -> list[int]:
    return [player.wigs for player in position.table.players]


def parts(position: Position, name: str) -> list[int]:
    """A part of the final scores."""
    return [part[name] for part in position.table.parts()]


# ---------------------------------------------------------------------------------------------------------- the pieces


def test_components() -> None:
    """L-1.1, L-1.2, L-15.1, L-14.8: how many there are of each."""
    tables = {name: list(rows) for name, rows in shipped().tables.items()}
    decks = Counter(row["deck"] for row in tables["political_cards"])
    assert decks == {"blue": 21, "red": 20, "purple": 21, "brown": 20}
    assert Counter(row["is_starting"] for row in tables["plans"]) == {0: 16, 1: 4}
    assert Counter(row["architect"] for row in tables["plans"]) == {"blue": 10, "green": 10}
    sizes = {"decrees": 70, "clergy_tiles": 37, "public_buildings": 32, "house_groups": 8, "scoring_tiles": 4}
    assert {name: len(tables[name]) for name in sizes} == sizes
    assert {row["token_count"] for row in tables["goods"]} == {17}
    assert {row["cube_count"] for row in tables["rubble_kinds"]} == {21}
    assert sum(row["count"] for row in tables["city_tiles"]) == 27
    assert {row["copies_4p"] for row in tables["ships"]} == {3}
    assert len({row["clergy_kind"] for row in tables["clergy_tiles"]}) == 19


def test_map() -> None:
    """L-1.3, L-1.4, L-0.5: 25 blocks, 14 sites; which streets the blocks of a column face."""
    assert (len(BLOCKS), len(SITES), len(STORE_SITES)) == (25, 14, 40)
    assert STREETS_OF_COLUMN == {
        "1": ("gold",),
        "2": ("gold", "cloth"),
        "3": ("cloth", "books"),
        "4": ("books", "tools"),
        "5": ("tools",),
    }
    position = Position(seats=4)
    position.money(0, 99, influence=10)
    position.hand(0, "blue_builder_1")
    position.begin().do("court:blue_builder_1", "stop")
    assert position.options == [f"{block}:{good}" for block, good in STORE_SITES]


# ------------------------------------------------------------------------------------------------------------- a turn


def test_turns_go_clockwise() -> None:
    """L-4.1, L-16.2: also over the end of the first period."""
    position = Position(seats=3)
    position.cubes(1, 2, 2, 2)
    position.begin()
    for _ in range(6):
        position.end_turn()
    assert [event["turn_end"] for event in position.of_kind("turn_end")] == [0, 1, 2, 0, 1, 2]
    ends = [next(iter(event)) for event in position.events if "turn_end" in event or "period_end" in event]
    assert ends[:2] == ["turn_end", "period_end"]


def test_dock() -> None:
    """L-4.2, L-8.6: one's own ships come back empty; those of others stay at sea and take nothing."""
    position = Position()
    for seat in (0, 1):
        position.top(seat, "ship_blue")
        position.load(seat, 0, "cloth")
    bank = position.table.bank["cloth"]
    position.hand(0, "blue_king_4")
    position.begin()
    assert not position.player().ships[0].at_sea
    assert position.table.bank["cloth"] == bank + 1
    position.do("portfolio:blue_king_4", "sell")
    assert {word.split(":")[0] for word in position.options} == {"seat0"}


def test_one_card() -> None:
    """L-4.3, L-4.4, L-4.5, L-4.10, L-7.5: the card leaves the game; gold is a good, not money."""
    position = Position()
    position.goods(0, gold=1)
    reais = position.player().reais
    position.begin()
    assert position.decision == "MAIN"
    assert {word.split(":")[1] for word in position.options} == set(DULL_HAND)
    position.do("gold:blue_king_5")
    assert position.player().goods["gold"] == 2
    assert position.player().reais == reais
    assert "blue_king_5" not in position.player().hand
    assert position.decision == "DRAW"


def test_gold_with_a_full_warehouse() -> None:
    """L-4.5, L-5.2: legal, and it gains nothing."""
    position = Position()
    position.goods(0, gold=2)
    position.begin().do("gold:blue_king_5")
    assert position.player().goods["gold"] == 2


def test_gold_that_the_bank_does_not_have() -> None:
    """L-7.6, L-4.5."""
    position = Position()
    position.table.bank["gold"] = 0
    position.begin().do("gold:blue_king_5")
    assert position.player().goods["gold"] == 1


def test_portfolio_needs_an_action() -> None:
    """L-4.4, L-4.6: with nothing to sell and to trade only cards that bring goods can be tucked."""
    position = Position()
    position.goods(0)
    position.hand(0, "blue_king_4", "blue_king_1", "blue_treasury_2")
    position.begin()
    assert [word for word in position.options if word.startswith("portfolio")] == ["portfolio:blue_king_1"]
    position.do("portfolio:blue_king_1")
    assert position.asked() == (0, "PORTFOLIO_ACTION", ["trade"])


def test_one_of_both_is_compulsory() -> None:
    """L-4.6."""
    position = Position()
    position.top(1, "ship_brown")
    position.hand(0, "blue_king_4")
    position.begin().do("portfolio:blue_king_4")
    assert position.asked() == (0, "PORTFOLIO_ACTION", ["sell", "trade"])


def test_draw() -> None:
    """L-4.7, L-4.8: of the decks that are not empty; the card comes last, and the next one is turned up."""
    position = Position()
    position.display(builder="red_builder_1")
    position.table.decks["king"].face = None
    position.table.decks["king"].under = set()
    position.begin().do("gold:blue_king_5")
    assert position.options == ["builder", "marquis", "treasury"]
    position.do("builder")
    assert position.player().hand[-1] == "red_builder_1"
    assert [event["deck"] for event in position.of_kind("card_reveal")] == ["builder"]


def test_nothing_to_draw() -> None:
    """L-4.7, L-16.7, L-19.7: skipped; three empty decks end the period at the end of this very turn."""
    position = last_turn(Position(active=1))
    for deck in position.table.decks.values():
        deck.face, deck.under = None, set()
    position.begin().do("gold:blue_king_5")
    assert position.actor == -1


@pytest.mark.parametrize("left", [0, 1])
def test_third_empty_deck(left: int) -> None:
    """L-19.7, L-16.1, L-4.9."""
    position = Position()
    for name in ("marquis", "king"):
        position.table.decks[name].face, position.table.decks[name].under = None, set()
    deck = position.table.decks["builder"]
    deck.under = set(sorted(deck.under)[:left])
    position.begin().do("gold:blue_king_5", "builder")
    assert [event["reason"] for event in position.of_kind("period_end")] == ["decks"] * (1 - left)


def test_maintenance() -> None:
    """L-4.8: the Church, then the decrees, lowest first; nothing is refilled before the end of the turn (L-12.4)."""
    position = Position()
    position.table.slots[4] = position.table.slots[1] = None
    position.money(0, 10, influence=9)
    position.hand(0, "blue_marquis_1")
    position.begin().do("court:blue_marquis_1", "stop")
    taken = position.options[3]
    position.do(taken)
    assert position.table.decrees[3] is None
    position.do("king")
    names = [event["chance"] for event in position.events if "chance" in event]
    assert names == ["card_reveal", "clergy_refill", "clergy_refill", "decree_reveal"]
    assert [event["slot"] for event in position.of_kind("clergy_refill")] == [1, 4]
    assert [event["position"] for event in position.of_kind("decree_reveal")] == [3]
    assert position.player().decrees == [taken]


def test_nothing_left_to_refill() -> None:
    """L-19.2."""
    position = Position()
    position.table.slots[0] = None
    position.table.bag = set()
    position.table.decrees[2] = None
    position.table.decree_deck = set()
    position.begin().end_turn()
    assert position.table.slots[0] is None
    assert position.table.decrees[2] is None


# ------------------------------------------------------------------------------------------------------- the portfolio


def test_full_half() -> None:
    """L-5.3, L-5.1: one of that half; cargo returns to the bank, also that of a ship at sea."""
    position = Position()
    position.cubes(0, 4, 4, 4)
    position.top(0, "blue_king_1", "ship_red", "blue_king_2")
    position.load(0, 1, "books")
    position.bottom(0, "blue_treasury_1")
    bank = position.table.bank["books"]
    position.hand(0, "blue_king_4")
    position.begin().do("portfolio:blue_king_4")
    assert position.asked() == (0, "PORTFOLIO_DISCARD", ["top0", "top1", "top2"])
    position.do("top1")
    assert [card and card.id for card in position.player().top] == ["blue_king_1", "blue_king_4", "blue_king_2"]
    assert position.table.bank["books"] == bank + 1


def test_full_portfolio() -> None:
    """L-5.3, L-5.1: any card when the portfolio is at its capacity; the new one takes the lowest empty slot."""
    position = Position()
    position.top(0, "blue_king_1")
    position.bottom(0, "blue_treasury_1")
    position.hand(0, "blue_king_4")
    position.begin().do("portfolio:blue_king_4")
    assert position.options == ["top0", "bottom0"]
    position.do("bottom0")
    assert [card and card.id for card in position.player().top] == ["blue_king_1", "blue_king_4", None]
    assert position.player().bottom == [None, None, None]


def test_room_that_the_reward_brings() -> None:
    """L-5.3, L-5.4, L-19.1: the reward comes first, so nothing must go."""
    tables = inputs(shipped())
    card = next(row for row in tables["political_cards"] if row["card_id"] == "blue_king_4")
    card.update(reward_code="gain_rubble", reward_amount=1)
    position = Position(card_set=edited(tables=tables))
    position.cubes(0, 1, 1, 0)
    position.top(0, "blue_king_1", "blue_king_2")
    position.table.pile.update(tsunami=1)
    position.hand(0, "blue_king_4")
    position.begin().do("portfolio:blue_king_4", "tsunami")
    assert position.decision == "PORTFOLIO_ACTION"


@pytest.mark.parametrize(
    ("card", "what", "left"), [("red_builder_5", "reais", 0), ("red_king_5", "wigs", 0), ("blue_builder_2", "reais", 3)]
)
def test_bottom_of_a_noble_card(card: str, what: str, left: int) -> None:
    """L-5.4, L-6.8: a penalty is paid as far as one can, and no influence is converted for it."""
    position = Position()
    position.money(0, 1, influence=9, wigs=1)
    position.hand(0, card)
    position.begin().do(f"portfolio:{card}")
    assert getattr(position.player(), what) == left
    assert position.player().influence == 9


def test_penalty_in_goods() -> None:
    """L-5.4, L-15.5: of one's choice, as far as there are any."""
    position = Position()
    position.goods(0, gold=1)
    position.hand(0, "brown_marquis_5")
    position.begin().do("portfolio:brown_marquis_5").force()
    assert position.player().goods["gold"] == 0
    assert [event["options"] for event in position.of_kind("PAY_GOOD")] == [["gold"]]
    assert position.decision == "DRAW"


def test_treasury_card() -> None:
    """L-5.5, L-7.2, L-7.4: the Treasury value, then one step down; the permanent effect holds for this very sale."""
    position = Position()
    position.clergy(0, "clergy_09")  # subsidy_bonus 2
    position.money(0, 0)
    position.goods(0, cloth=1)
    position.top(0, "ship_red")
    position.hand(0, "blue_treasury_4")
    position.begin().do("portfolio:blue_treasury_4")
    assert (position.player().reais, position.table.treasury) == (3 + 2, 2)
    position.do("sell").force()
    assert position.player().reais == 5 + 4 + 1 + 1


def test_rubble_limit() -> None:
    """L-5.5: what cannot be placed goes to the box."""
    position = Position()
    position.cubes(0, 5, 0, 0)
    position.money(0, 10)
    position.table.pile = Counter(earthquake=1)
    lost = position.table.out["earthquake"]
    position.hand(0, "red_treasury_5")
    position.begin().do("court:red_treasury_5", "0", "earthquake")
    assert position.player().cubes["earthquake"] == 5
    assert position.table.out["earthquake"] == lost + 1


def test_permanent_effects_add_up() -> None:
    """L-5.7: cards, tiles and houses."""
    position = Position()
    position.clergy(0, "clergy_23", "clergy_24")  # ship_goods_discount 1 each
    position.house(0, "shipping")
    position.table.period, position.table.shipyard = 2, ["ship_brown"]
    position.goods(0, cloth=1, books=1)
    position.hand(0, "blue_king_4")
    position.begin().do("portfolio:blue_king_4", "trade", "ship:books")
    assert position.asked() == (0, "SHIP_GOOD", ["cloth"])  # 4 - 3


# -------------------------------------------------------------------------------------------------- influence, Treasury


def test_where_influence_is_spent() -> None:
    """L-6.4, L-6.8: only visits and payments take it; wigs never fall below 0."""
    position = Position()
    position.money(0, 10, influence=5, wigs=2)
    position.hand(0, "red_king_5")  # a penalty of 2 wigs
    position.begin().do("portfolio:red_king_5").end_turn()
    assert (position.player().influence, position.player().wigs) == (5, 0)


@pytest.mark.parametrize(("step", "card", "now"), [(1, "blue_treasury_1", 1), (8, "ship", 8), (3, "ship", 4)])
def test_ends_of_the_treasury_track(step: int, card: str, now: int) -> None:
    """L-7.1, L-7.3, L-7.4."""
    position = Position()
    position.table.treasury = step
    position.hand(0, "blue_treasury_1", "blue_king_4")
    if card == "ship":
        position.begin().do("portfolio:blue_king_4", "trade", "ship:books").do("cloth")
    else:
        position.begin().do("portfolio:blue_treasury_1")
    assert position.table.treasury == now


def test_value_of_an_action_that_goes_on() -> None:
    """L-7.7: land is paid by the value of the beginning; L-7.2: its price is the Treasury value."""
    position = Position()
    position.money(0, 60)
    for zone in position.table.zones:
        position.rubble(zone)
    position.hand(0, "blue_treasury_1")
    position.begin().do("court:blue_treasury_1", "0", "A3:cloth")
    assert position.table.cost == position.rules.treasury_value[3]


# -------------------------------------------------------------------------------------------------------- market, ships


def test_selling_to_several_ships() -> None:
    """L-8.4, L-8.6, L-8.7: one's own and rivals' in any order; a ship that is not full waits."""
    position = Position()
    position.goods(0, gold=2, cloth=1)
    position.bottom(0, "red_treasury_5")  # sale_flat 3
    position.top(0, "ship_brown")
    position.top(1, "ship_blue")
    position.cubes(0, 1, 1, 1)
    reais, before = position.player().reais, wigs(position)
    position.hand(0, "blue_king_4")
    position.begin().do("portfolio:blue_king_4", "sell")
    assert "stop" not in position.options
    position.do("seat1:dock0:cloth", "seat0:dock0:gold")
    assert position.options == ["seat0:dock0:gold", "stop"]
    position.do("stop")
    assert position.player().reais == reais + 4 + (5 + 2) + 3
    assert wigs(position) == [before[0], before[1] + 1]
    assert not position.player().ships[0].at_sea
    assert position.player().goods["gold"] == 1


def test_wigs_for_sailing() -> None:
    """L-8.5: the bonus of the owner of the ship."""
    position = Position()
    position.clergy(1, "clergy_35")  # sail_wigs 1
    position.top(1, "ship_blue")
    before = wigs(position)
    position.hand(0, "blue_king_4")
    position.begin().do("portfolio:blue_king_4", "sell", "seat1:dock0:gold")
    assert wigs(position)[1] == before[1] + 1 + 1


def test_prices() -> None:
    """L-8.1, L-8.2: not below the lowest step, and up by effects only, one good for all steps."""
    position = Position()
    position.store(0, "A2", "cloth")
    position.table.prices.update(cloth=1, gold=6, books=5)
    position.hand(0, PRODUCE_CARD, "red_marquis_3")
    position.begin().do(f"portfolio:{PRODUCE_CARD}")
    assert position.table.prices["cloth"] == 1
    position.end_turn().end_turn()
    position.do("portfolio:red_marquis_3")
    assert position.asked() == (0, "PRICE_PICK", ["cloth", "books", "tools"])
    position.do("books")
    assert position.table.prices["books"] == 6


# --------------------------------------------------------------------------------------------------------------- trade


def test_trade() -> None:
    """L-9.1, L-9.2: two goods, each State action once; every noble takes gold."""
    position = Position()
    position.goods(0, gold=1, tools=2)
    position.hand(0, "blue_king_4")
    position.begin().do("portfolio:blue_king_4", "trade")
    assert "stop" not in position.options
    assert {word for word in position.options if word.endswith("tools")} == {"recruit:tools", "plan:tools"}
    assert {word.split(":")[0] for word in position.options if word.endswith("gold")} == {
        *("recruit", "plan", "ship", "cardinal", "favor"),
    }
    position.do("plan:tools", "blue")
    assert not [word for word in position.options if word.startswith("plan")]
    assert position.options[-1] == "stop"
    position.do("recruit:tools", "king", "stop")
    assert position.decision == "DRAW"
    assert position.player().goods == {"gold": 1, "cloth": 0, "books": 0, "tools": 0}


def test_trade_by_another_good() -> None:
    """L-9.2: `trade_wild`."""
    position = Position()
    position.goods(0, cloth=1)
    position.clergy(0, "clergy_29")
    position.hand(0, "blue_king_4")
    position.begin().do("portfolio:blue_king_4", "trade")
    assert "recruit:cloth" in position.options


def test_trade_pays_first() -> None:
    """L-9.3: the only good is paid, and none is left for the ship."""
    position = Position()
    position.goods(0, books=1)
    position.hand(0, "blue_king_4")
    position.begin()
    assert not [word for word in position.options if word.startswith("portfolio")]


def test_recruit() -> None:
    """L-9.4: two different offices, then with the bonus any office."""
    position = Position()
    position.clergy(0, "clergy_21")
    position.hand(0, RECRUIT_CARD)
    position.begin().do(f"portfolio:{RECRUIT_CARD}")
    assert position.options == ["builder", "marquis", "king"]
    position.do("king")
    assert position.options == ["builder", "marquis", "stop"]
    position.do("builder")
    assert position.options == ["builder", "marquis", "king", "stop"]
    position.do("king")
    assert position.player().officials == 7 - 3
    assert position.table.offices["king"][0] == 2


def test_no_official_on_the_board() -> None:
    """L-19.5, L-9.4."""
    position = Position()
    position.player().officials = 0
    position.hand(0, RECRUIT_CARD)
    position.begin().do(f"portfolio:{RECRUIT_CARD}", "trade")
    assert not [word for word in position.options if word.startswith("recruit")]


def test_full_office() -> None:
    """L-9.5: everybody with the most officials there sends one to the courtyard."""
    position = Position(seats=4)
    position.offices(builder=[2, 2, 1, 1], marquis=[0] * 4, king=[0] * 4)
    position.hand(0, RECRUIT_CARD)
    position.begin().do(f"portfolio:{RECRUIT_CARD}", "builder", "stop")
    assert position.table.offices["builder"] == [2, 1, 1, 1]
    assert [player.courtyard for player in position.table.players] == [1, 1, 0, 0]


def test_plan() -> None:
    """L-9.6: the top one of either pile, up to the limit."""
    position = Position(card_set=edited(plan_limit_per_player=1))
    position.hand(0, PLAN_CARD)
    position.begin().do(f"portfolio:{PLAN_CARD}", "green")
    assert position.player().plans == ["plan_green_1"]
    position.do("trade")
    assert not [word for word in position.options if word.startswith("plan")]


def test_ship() -> None:
    """L-9.7, L-6.4, L-7.3: different goods; the Gain Influence counts the new ship, which is docked and empty."""
    position = Position()
    position.table.shipyard = ["ship_red"]
    position.money(0, 0, influence=1)
    position.top(0, "blue_king_5")  # influence 2
    position.hand(0, "blue_king_4")
    position.begin().do("portfolio:blue_king_4", "trade", "ship:books")
    assert position.options == ["gold", "cloth", "tools"]
    position.do("gold")
    assert position.options == ["cloth", "tools"]
    position.do("cloth")
    assert position.decision == "PORTFOLIO_DISCARD"
    position.do("top1")
    assert position.table.treasury == 4
    assert position.player().influence == 1 + 1 + 3  # a reward of 1 point; a card with 2, the ship with 1
    ship = position.player().ships[0]
    assert (ship.id, ship.at_sea, ship.cargo.total()) == ("ship_red", False, 0)
    assert position.table.shipyard == []


# --------------------------------------------------------------------------------------------------------------- visits


def test_visit_that_cannot_be_paid() -> None:
    """L-10.1, L-6.7: neither with influence nor with wigs."""
    position = Position(seats=4)
    position.money(0, 50, influence=2, wigs=2)
    position.hand(0, "blue_marquis_1")
    position.begin()
    assert position.options == ["gold:blue_marquis_1", "portfolio:blue_marquis_1"]


def test_visit_without_a_noble_action() -> None:
    """L-10.1, L-13.1: without a plan no visit of the King, though a State action is possible."""
    position = Position()
    position.money(0, 50, influence=10)
    position.hand(0, "blue_king_4")
    position.begin()
    assert "court:blue_king_4" not in position.options


@pytest.mark.parametrize(("influence", "legal"), [(6, False), (7, True)])
def test_visit_that_spends_the_money(influence: int, legal: bool) -> None:
    """L-10.1: 3 points for the visit, and what is left must produce 3 reais: below 4 there are 3 coins, below 3 two."""
    position = Position()
    position.offices(builder=[0, 1], marquis=[0, 0], king=[0, 0])
    for zone in position.table.zones:
        position.rubble(zone)
    for block in BLOCKS:
        if block[1] != "5":  # whose reward is no money
            position.store(1, block, "gold")
    position.money(0, 0, influence=influence)
    position.hand(0, "blue_builder_1")
    position.begin()
    assert ("court:blue_builder_1" in position.options) == legal


def test_state_action_of_a_visit() -> None:
    """L-10.4, L-10.8: one of the noble's two, without a good; the card's reward is not used."""
    position = Position()
    position.money(0, 10, influence=10)
    position.hand(0, "blue_marquis_1")
    goods = dict(position.player().goods)
    position.store(0, "A2", "cloth")
    position.begin().do("court:blue_marquis_1")
    assert position.options == ["ship", "produce", "stop"]
    position.do("produce")
    assert position.player().goods == goods | {"cloth": 2}
    assert position.decision == "DECREE_PICK"


def test_no_state_action_is_possible() -> None:
    """L-10.4: not asked."""
    position = Position()
    position.goods(0)
    position.money(0, 10, influence=10)
    position.hand(0, "blue_marquis_1")
    position.begin().do("court:blue_marquis_1")
    assert position.decision == "DECREE_PICK"


def test_noble_action_that_becomes_impossible() -> None:
    """L-10.5: it is lost when the Cardinal has raised the price of officials."""
    position = Position()
    position.money(0, 3, influence=2)
    position.table.cardinal = 2
    position.player().plans = ["plan_blue_1"]
    position.offices(builder=[0, 0], marquis=[0, 0], king=[0, 0])
    position.hand(0, "blue_king_1")
    for site in position.rules.sites:
        if site != "WB":  # whose reward is no money
            position.building(site, "PB01", "blue")
    position.begin().do("court:blue_king_1", "cardinal", "1", position.table.tiles_beside(3)[0])
    assert position.table.treasury == 4
    assert position.decision == "DRAW"


def test_discounts_of_a_visit() -> None:
    """L-10.2: rivals' officials ignored, cost not below 0."""
    position = Position(seats=4)
    position.money(0, 10, influence=5)
    position.clergy(0, "clergy_17")
    position.hand(0, "blue_marquis_1")
    position.begin().do("court:blue_marquis_1")
    assert position.player().influence == 5 - 2
    position = Position()
    position.money(0, 10, influence=5)
    position.clergy(0, "clergy_13", "clergy_14")
    position.hand(0, "blue_marquis_1")
    position.begin().do("court:blue_marquis_1")
    assert position.player().influence == 5


def following() -> Position:
    """Four players, of whom the third and the second have a favor of the Marquis, visited by the first."""
    position = Position(seats=4)
    for seat in range(4):
        position.money(seat, 10, influence=9)
    for seat in (1, 2):
        position.player(seat).favors["marquis"] = 1
    position.table.favors["marquis"] = 2
    position.hand(0, "blue_marquis_1")
    return position


def test_follow_in_order() -> None:
    """L-10.7: clockwise, one of three actions or none; a follow does not trigger further ones."""
    position = following()
    position.begin().do("court:blue_marquis_1", "stop", position.table.shown_decrees()[0])
    assert position.asked() == (1, "FOLLOW", ["ship", "decree", "decline"])
    position.do("decline")
    assert (position.actor, position.decision) == (2, "FOLLOW")
    position.do("decree")
    assert position.player(2).influence == 9 - 5
    assert (position.player(2).favors["marquis"], position.table.favors["marquis"]) == (0, 3)
    assert position.decision == "DECREE_PICK"
    position.do(position.options[0])
    assert (position.actor, position.decision) == (0, "DRAW")


def test_follow_that_cannot_be_paid() -> None:
    """L-10.7: a rival without a legal action is not asked."""
    position = following()
    position.money(1, 10, influence=3, wigs=1)
    position.begin().do("court:blue_marquis_1", "stop", position.table.shown_decrees()[0])
    assert position.actor == 2


def test_free_follows() -> None:
    """L-10.7, as it might be."""
    position = Position(card_set=edited(free_follows="yes"))
    position.money(0, 10, influence=9)
    position.money(1, 10, influence=0, wigs=0)
    position.player(1).favors["marquis"] = 1
    position.hand(0, "blue_marquis_1")
    position.begin().do("court:blue_marquis_1", "stop", position.table.shown_decrees()[0], "decree")
    assert (position.player(1).influence, position.player(1).wigs) == (0, 0)


def test_courtier_has_no_effect() -> None:
    """L-10.6: a second visit of the same noble costs what the first one cost."""
    position = Position()
    position.money(0, 10, influence=10)
    position.hand(0, "blue_marquis_1", "blue_marquis_2")
    position.begin()
    for card, left in (("blue_marquis_1", 7), ("blue_marquis_2", 4)):
        position.do(f"court:{card}")
        assert position.player().influence == left
        position.end_turn().end_turn()


# --------------------------------------------------------------------------------------------------------------- stores


def test_no_house_left() -> None:
    """L-11.1, L-19.5."""
    position = Position()
    position.money(0, 99, influence=10)
    position.player().houses = 0
    position.hand(0, "blue_builder_1")
    position.begin()
    assert "court:blue_builder_1" not in position.options


def test_store_belongs_to_its_street() -> None:
    """L-11.3, L-11.9, L-11.4: the good of the reward is that of the store."""
    position = Position()
    position.money(0, 99, influence=10)
    position.goods(0)
    position.hand(0, "blue_builder_1")
    position.begin().do("court:blue_builder_1", "stop", "B2:cloth")
    assert position.player().goods["cloth"] == 2
    while position.decision != "DRAW":
        position.do(position.options[0])
    assert (position.table.owner["B2"], position.table.good_of["B2"]) == (0, "cloth")
    assert position.player().houses == 7
    position.end_turn().end_turn().end_turn()
    assert position.table.owner["B2"] == 0


def test_discounts_of_a_store() -> None:
    """L-11.5, L-11.8: each part by itself, not below 0; `store_wigs`."""
    position = Position()
    position.money(0, 50, influence=10)
    for zone in position.table.zones:
        position.rubble(zone)
    position.rubble("A", "fire", "fire")
    position.clergy(0, "clergy_01", "clergy_02", "clergy_03", "clergy_33")
    position.hand(0, "blue_builder_1")
    position.begin().do("court:blue_builder_1", "stop", "A3:cloth", "row:fire")
    assert position.decision == "HOUSE_GROUP"  # 3 - 4 and 2 - 3: nothing is to be paid
    before = wigs(position)[0]
    position.do("court")
    assert position.player().houses_taken["court"] == 1
    assert wigs(position)[0] == before + 2


# -------------------------------------------------------------------------------------------------------------- decrees


def test_decree() -> None:
    """L-12.1, L-12.2, L-12.4: one of the display, one more by the bonus."""
    position = Position()
    position.money(0, 10, influence=10)
    position.clergy(0, "clergy_37")
    position.hand(0, "blue_marquis_1")
    position.begin().do("court:blue_marquis_1", "stop")
    first = position.options[5]
    position.do(first)
    assert position.decision == "DECREE_PICK"
    assert first not in position.options
    assert len(position.options) == 7
    position.do(position.options[0])
    assert position.decision == "DRAW"


def test_no_decree_on_display() -> None:
    """L-12.1."""
    position = Position()
    position.money(0, 10, influence=10)
    position.table.decrees = [None] * 8
    position.hand(0, "blue_marquis_1")
    position.begin()
    assert "court:blue_marquis_1" not in position.options


def test_values_of_decrees() -> None:
    """L-12.5, L-17.5: by threshold, and per unit up to the most."""
    position = last_turn(Position(active=1))
    for block in ("A1", "A2", "B1", "B2"):
        position.store(0, block, "gold")
    position.player(0).decrees = ["decree_01", "decree_09", "decree_15", "decree_63"]
    position.player(1).decrees = ["decree_01"]
    position.goods(0, gold=3)
    position.begin().do("gold:blue_king_5").finish()
    assert parts(position, "decrees") == [6 + 0 + 4 + 1, 0]


# ----------------------------------------------------------------------------------------------------- public buildings


def test_opening_a_building() -> None:
    """L-13.1 to L-13.4, L-13.6, L-13.7, L-13.9, L-13.10: the whole sequence."""
    position = Position()
    position.money(0, 10, influence=10)
    position.player().plans = ["plan_start_1", "plan_green_2"]
    position.player().courtyard = 2
    position.on_top("green", "PB05")
    position.on_top("blue", "PB04")
    position.building("WA", "PB06", "blue")
    position.rubble("EA", "tsunami", "earthquake")
    position.hand(0, "blue_king_1")
    position.begin().do("court:blue_king_1", "stop")
    assert position.options == ["plan_start_1", "plan_green_2"]
    position.do("plan_green_2")
    assert position.options == [site for site in position.rules.sites if site != "WA"]
    before = wigs(position)[0]
    second = position.table.stacks["green"][1]
    position.do("EA")
    assert position.player().cubes == {"tsunami": 1, "earthquake": 1}
    assert wigs(position)[0] == before + 2  # the site's reward
    assert position.table.built["EA"] == ("PB05", "green")
    assert position.table.stacks["green"][0] == second
    assert (position.player().plans, position.player().completed) == (["plan_start_1"], ["plan_green_2"])
    position.do("marquis", "courtyard")
    assert position.player().on_buildings == 2
    assert position.decision == "DRAW"


def test_officials_discount() -> None:
    """L-13.5: at least one."""
    position = Position()
    position.money(0, 10, influence=10)
    position.clergy(0, "clergy_19", "clergy_20")
    position.player().plans = ["plan_blue_1"]
    position.hand(0, "blue_king_1")
    position.begin().do("court:blue_king_1", "stop", "EA").force()
    assert position.player().on_buildings == 1


def test_no_officials_for_hire() -> None:
    """L-13.11: costs the same when the board is empty; and as it might be, without hiring."""
    for hiring in ("yes", "no"):
        position = Position(card_set=edited(hiring=hiring))
        position.money(0, 10, influence=10)
        position.player().plans = ["plan_blue_1"]
        position.player().officials = 0
        position.offices(builder=[0, 0], marquis=[0, 0], king=[0, 0])
        position.hand(0, "blue_king_1")
        position.begin()
        assert ("court:blue_king_1" in position.options) == (hiring == "yes")
        if hiring == "yes":
            position.do("court:blue_king_1", "stop", "EA", "0")
            assert (position.player().reais, position.player().on_buildings) == (10 - 3, 0)


def test_reward_that_pays_for_officials() -> None:
    """L-13.1, L-13.4: 4 reais on WA."""
    position = Position()
    position.money(0, 0, influence=2)
    position.player().plans = ["plan_blue_1"]
    position.offices(builder=[0, 0], marquis=[0, 0], king=[0, 0])
    position.hand(0, "blue_king_1")
    position.begin().do("court:blue_king_1", "stop")
    assert position.of_kind("BUILDING_PLAN") == []
    position.do("plan_blue_1")
    assert position.options == ["WA", "ED"]


def test_no_building_left() -> None:
    """L-13.1, L-13.3: of the plan's architect."""
    position = Position()
    position.money(0, 10, influence=10)
    position.player().plans = ["plan_blue_1"]
    position.table.stacks["blue"] = []
    position.hand(0, "blue_king_1")
    position.begin()
    assert "court:blue_king_1" not in position.options


def test_colours_on_north_sites() -> None:
    """L-13.8, as it might be."""
    for switch, gain in (("no", 2), ("yes", 0)):
        position = Position(card_set=edited(north_site_colours=switch))
        position.column_values(1, 2, 3, 4)
        position.money(0, 10, influence=10)
        position.player().plans = ["plan_blue_1"]
        position.on_top("blue", "PB12")  # books and tools
        position.store(1, "A2", "cloth")
        position.hand(0, "blue_king_1")
        before = wigs(position)[1]
        position.begin().do("court:blue_king_1", "stop", "N2").end_turn()
        assert wigs(position)[1] == before + gain


# ----------------------------------------------------------------------------------------------------------- the Church


def test_clergy_tile() -> None:
    """L-14.3, L-10.5: active at once; L-14.5: passing the Treasury raises it."""
    position = Position()
    position.money(0, 50, influence=10)
    position.player().plans = ["plan_blue_2"]
    position.player().courtyard = 1
    position.offices(builder=[0, 0], marquis=[0, 0], king=[0, 0])
    position.table.cardinal = 2
    position.table.slots[4] = "clergy_19"
    position.hand(0, "blue_king_1")
    position.begin().do("court:blue_king_1", "cardinal", "2", "clergy_19", "EA").force()
    assert position.table.treasury == 4
    assert position.player().on_buildings == 1  # one official less, and nobody hired
    assert position.player().reais == 50


def test_clergy_limit() -> None:
    """L-14.4: one of the five leaves the game, perhaps the new one; surplus goods go."""
    position = Position()
    held = ("clergy_07", "clergy_01", "clergy_02", "clergy_03")
    position.clergy(0, *held)
    position.goods(0, gold=3, cloth=1)
    position.table.slots[1] = "clergy_12"
    position.hand(0, CARDINAL_CARD)
    position.begin().do(f"portfolio:{CARDINAL_CARD}", "1", "clergy_12")
    assert position.asked() == (0, "CLERGY_OVERFLOW", [*held, "clergy_12"])
    position.do("clergy_07")
    assert position.player().clergy == ["clergy_01", "clergy_02", "clergy_03", "clergy_12"]
    assert position.player().goods["gold"] == 2


def church_scoring(**switches: Any) -> Position:
    """The third of three players lets the Cardinal pass the Church Scoring."""
    position = Position(seats=3, active=2, card_set=edited(**switches))
    position.table.cardinal = 5
    position.table.slots[0] = "clergy_30"
    position.clergy(0, "clergy_21", "clergy_22")
    position.clergy(1, "clergy_25")
    for seat in range(3):
        position.top(seat, "blue_king_1")
        position.money(seat, 10, influence=1)
    position.hand(2, CARDINAL_CARD)
    return position


@pytest.mark.parametrize(("switch", "influence"), [("no", 2), ("yes", 3)])
def test_church_scoring(switch: str, influence: int) -> None:
    """L-14.6, L-14.5: after the draw, from the mover on; wigs by tile, influence once or, as it might be, each time."""
    position = church_scoring(influence_per_tile=switch)
    position.begin().do(f"portfolio:{CARDINAL_CARD}", "1", "clergy_30", "trade")
    position.do(position.options[0])
    while position.decision != "DRAW":
        position.do(position.options[-1])
    assert position.table.scoring == 2
    position.do("king")
    assert position.asked() == (2, "SURRENDER", ["clergy_30", "stop"])
    position.do("stop")
    assert position.asked() == (0, "SURRENDER", ["clergy_21", "clergy_22", "stop"])
    position.do("clergy_22", "clergy_21")
    assert (position.player(0).wigs, position.player(0).influence) == (5 + 3 + 4, influence)
    position.do("stop")
    assert (position.player(1).wigs, position.player(1).influence) == (5, 1)


# -------------------------------------------------------------------------------------------------------------- effects


def test_event_without_followers() -> None:
    """L-15.3, L-15.4: a Noble action alone, and nobody follows."""
    position = Position()
    position.money(0, 20, influence=10)
    position.money(1, 20, influence=10)
    position.player(1).favors.update(NOBLES)
    position.hand(0, "blue_treasury_2")
    position.begin().do("court:blue_treasury_2", "0")
    assert position.decision == "DECREE_PICK"
    position.do(position.options[0])
    assert position.asked()[:2] == (0, "DRAW")


def test_event_that_cannot_be_performed() -> None:
    """L-15.7, L-15.2: nothing to gain, nothing to do, no money left."""
    position = Position()
    position.money(0, 3)
    position.player().top = [None, None, None]
    position.table.pile.clear()
    position.hand(0, "blue_treasury_6", "red_treasury_5", "blue_treasury_3", "blue_treasury_2")
    position.begin()
    assert [word for word in position.options if word.startswith("court")] == ["court:blue_treasury_2"]


def test_sponsor_discount() -> None:
    """L-15.2: nothing is asked when nothing is to be paid."""
    position = Position()
    position.table.treasury = 2
    position.bottom(0, "red_treasury_3")
    position.hand(0, "blue_treasury_2")
    position.begin().do("court:blue_treasury_2")
    assert position.decision == "DECREE_PICK"


def test_state_actions_of_an_event() -> None:
    """L-15.5: different ones, up to so many, stop allowed."""
    position = Position()
    position.money(0, 20)
    position.goods(0)
    position.hand(0, "blue_treasury_4")
    position.begin().do("court:blue_treasury_4", "0")
    assert position.asked() == (0, "STATE_ACTION_PICK", ["recruit", "plan", "cardinal", "favor", "stop"])
    position.do("plan", "blue")
    assert position.options == ["recruit", "cardinal", "favor", "stop"]
    position.do("favor", "king")
    assert position.decision == "DRAW"


def test_goods_of_choice() -> None:
    """L-15.5: one by one, only types with room and stock."""
    position = Position()
    position.goods(0, gold=2, cloth=1)
    position.table.bank["tools"] = 0
    position.hand(0, "purple_king_1")
    position.begin().do("portfolio:purple_king_1")
    assert position.asked() == (0, "GOOD_PICK", ["cloth", "books"])
    position.do("cloth")
    assert position.asked() == (0, "GOOD_PICK", ["books"])


def test_deep_first() -> None:
    """L-19.1: a reward that is a State action is finished before the card is tucked."""
    position = Position()
    position.hand(0, RECRUIT_CARD)
    position.begin().do(f"portfolio:{RECRUIT_CARD}")
    assert position.player().top == [None, None, None]
    position.do("king", "stop")
    assert position.player().top[0] is not None


# ------------------------------------------------------------------------------------------------ the end of the period


def period_end(seats: int = 2) -> Position:
    """The turn of the last seat; two sets of it end the period."""
    position = Position(seats=seats, active=seats - 1)
    position.cubes(seats - 1, 2, 2, 2)
    return position


def test_discards() -> None:
    """L-16.4: the first card with a reward of each noble pays; penalties are ignored."""
    position = period_end()
    position.hand(1, "blue_king_5", "blue_builder_2", "blue_builder_4", "blue_marquis_5", "blue_treasury_1")
    position.money(1, 0, wigs=5)
    position.display(king="red_king_5")
    position.begin().do("gold:blue_king_5", "king")
    assert position.asked()[:2] == (1, "PERIOD_DISCARD")
    position.do("blue_builder_2", "blue_builder_4", "blue_marquis_5", "blue_treasury_1", "red_king_5")
    assert position.player(1).reais == 2
    assert position.player(1).wigs == 5 + 6
    assert position.player(1).goods == {"gold": 2, "cloth": 1, "books": 1, "tools": 1}
    assert (position.actor, position.decision) == (0, "PERIOD_DISCARD")


def test_new_period() -> None:
    """L-16.5, L-16.2, L-16.4: hands of five, brown decks, the ships of the second period; the rest stays."""
    position = period_end(3)
    position.hand(0, "blue_builder_1", "blue_marquis_4", "blue_king_1", "blue_treasury_1", "blue_treasury_2")
    position.money(1, 7, influence=6)
    treasury = position.table.treasury
    position.begin().do("gold:blue_king_5", "king", "stop")
    position.do("blue_treasury_1", "blue_builder_1", "stop", "stop")
    table = position.table
    assert [(event["seat"], len(event["cards"])) for event in position.of_kind("hand")] == [(0, 2)]
    assert all(card.startswith("purple") for card in position.player(0).hand[-2:] if card)
    assert [deck.face and deck.face[:5] for deck in table.decks.values()] == ["brown"] * 4
    assert table.shipyard == ["ship_purple"] * 2 + ["ship_brown"] * 2
    assert (table.treasury, position.player(1).reais, position.player(1).influence) == (treasury, 7, 6)
    assert position.asked()[:2] == (0, "MAIN")


def test_church_scoring_of_discards() -> None:
    """L-16.8: when all have discarded, before the new hands."""
    position = period_end()
    position.table.cardinal = 5
    position.clergy(0, "clergy_01")
    position.hand(1, "blue_king_5", CARDINAL_CARD)
    position.begin().do("gold:blue_king_5", "king", CARDINAL_CARD, "1")
    tile = position.options[0]
    position.do(tile, "stop")
    assert (position.actor, position.decision) == (0, "PERIOD_DISCARD")
    position.do("stop")
    assert position.asked() == (1, "SURRENDER", [tile, "stop"])
    assert not position.of_kind("hand")
    position.do("stop", "clergy_01")
    assert position.player(0).wigs == 5 + 2
    assert position.of_kind("hand")


def test_set_of_a_follower() -> None:
    """L-16.1, L-19.3: it ends the period and discards first; a set grows in another player's turn."""
    position = Position(seats=3)
    position.cubes(2, 2, 2, 1)
    position.money(0, 30, influence=10)
    position.money(2, 30, influence=10)
    for seat in (0, 2):
        position.player(seat).plans = ["plan_blue_1"]
    position.player(2).favors["king"] = 1
    position.rubble("EA", "tsunami", "fire")
    position.rubble("WA", "fire", "fire")
    position.hand(0, "blue_king_1")
    position.begin().do("court:blue_king_1", "stop", "WA").do("building", "EA").do("king")
    assert position.table.portfolio_capacity(2) == 4
    assert [event["seat"] for event in position.of_kind("period_end")] == [2]


def test_last_rounds() -> None:
    """L-16.6, L-16.7: the round is finished, and one more is played."""
    position = Position(seats=3, active=1)
    position.table.period = 2
    position.cubes(1, 4, 4, 4)
    position.begin().end_turn()
    assert [event["final_rounds"] for event in position.of_kind("final_rounds")] == ["sets"]
    position.finish()
    assert [event["turn_end"] for event in position.of_kind("turn_end")] == [1, 2, 0, 1, 2]


def test_sets_before_the_second_period() -> None:
    """L-16.6: four sets at the end of period 1 trigger at the end of the first turn of period 2."""
    position = Position()
    position.cubes(0, 4, 4, 4)
    position.begin().end_turn()
    assert position.of_kind("period_end")
    while position.decision == "PERIOD_DISCARD":
        position.do("stop")
    assert not position.of_kind("final_rounds")
    position.end_turn()
    names = [next(iter(event)) for event in position.events if "turn_end" in event or "final_rounds" in event]
    assert names == ["turn_end", "turn_end", "final_rounds"]


# -------------------------------------------------------------------------------------------------------- final scoring


def test_final_scoring() -> None:
    """L-17.1, L-17.2, L-17.7, L-17.10, L-14.7: hulls also at sea, sets again, favors; nothing for the rest."""
    position = last_turn(Position(active=1))
    position.cubes(0, 3, 2, 2)
    position.top(0, "ship_brown", "ship_blue", "blue_king_1")
    position.load(0, 1, "gold")
    position.player(0).favors.update(["king", "builder"])
    position.clergy(1, "clergy_30")
    position.goods(1, gold=2, cloth=2)
    position.player(1).plans = ["plan_blue_8"]
    position.money(1, 4)
    position.begin().do("gold:blue_king_5").finish()
    assert parts(position, "ships") == [5, 0]
    assert parts(position, "rubble_sets") == [6, 0]
    assert parts(position, "royal_favors") == [4, 0]
    assert position.table.scores()[1] == 5


def tie(seats: int = 2) -> Position:
    position = last_turn(Position(seats=seats, active=seats - 1))
    for seat in range(seats):
        position.money(seat, 0, wigs=20)
    return position


def test_shared_victory() -> None:
    """L-17.9."""
    position = tie(3).begin()
    position.do("gold:blue_king_5").finish()
    assert position.table.winners() == [0, 1, 2]


@pytest.mark.parametrize("number", range(4))
def test_tie_break(number: int) -> None:
    """L-17.9: sets, stores, completed plans, money; the second player has more of what comes later."""
    position = tie()
    first, second = position.player(0), position.player(1)
    if number == 0:
        position.cubes(0, 1, 1, 1)
        position.store(1, "A1", "gold")
    elif number == 1:
        position.store(0, "A1", "gold")
        second.completed = ["plan_blue_1"]
    elif number == 2:
        first.completed, second.completed = ["plan_blue_1", "plan_green_1"], ["plan_blue_8"]
        second.reais = 4
    else:
        first.reais, second.reais = 4, 3
    lead = position.table.scores()[0] - position.table.scores()[1]
    second.wigs += lead
    position.begin().do("gold:blue_king_5").finish()
    scores = position.table.scores()
    assert scores[0] == scores[1]
    assert position.table.winners() == [0]


def test_places_of_majorities() -> None:
    """L-17.3, L-17.6, L-17.8: nobody without a store; three who share two places."""
    assert majority([0, 0, 0], (9, 6, 3)) == [0, 0, 0]
    assert majority([2, 2, 2, 5], (15, 10, 5)) == [5, 5, 5, 15]
    assert majority([1, 1], (15, 5)) == [10, 10]


# -------------------------------------------------------------------------------------------------- number of players


@pytest.mark.parametrize("seats", SEATS)
def test_number_of_players(seats: int) -> None:
    """L-18.1, L-18.2, L-18.3, L-2.1, L-2.2: row E, ships, favors, city tiles."""
    position = Position(seats=seats)
    table = position.table
    assert ("E" in position.rules.rows) == (seats > 2)
    assert (len(position.rules.blocks), len(position.rules.sites)) == ((20, 12) if seats == 2 else (25, 14))
    assert table.shipyard == ["ship_blue"] * (seats - 1) + ["ship_red"] * (seats - 1)
    assert table.favors == dict.fromkeys(NOBLES, seats)
    assert table.city_display == dict.fromkeys(TILES, 1)
    assert sum(table.out[kind] for kind in position.rules.cube_count) == (7 if seats == 2 else 0)
    assert position.rules.official_places == ((15, 5) if seats == 2 else (15, 10, 5))
    position.money(0, 99, influence=10)
    position.hand(0, "blue_builder_1")
    position.begin().do("court:blue_builder_1", "stop")
    assert ("E1:gold" in position.options) == (seats > 2)
    assert set(GOODS) == {word.split(":")[1] for word in position.options}


def test_decrees_without_row_e() -> None:
    """L-18.1: with two players they go to the box, and others take their places."""
    position = Position()
    position.table.decrees[0] = None
    position.table.decree_deck = {"decree_23", "decree_24", "decree_01"}
    position.begin().end_turn()
    assert position.table.decrees[0] == "decree_01"
    assert {event["position"] for event in position.of_kind("decree_reveal")} == {0}
