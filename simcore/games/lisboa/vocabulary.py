"""Lisboa: the words of its tables, in the order of the engine's numbers, and what each effect may do. L-... are ids of
rules.md.
"""

from typing import NamedTuple

GOODS = ("gold", "cloth", "books", "tools")
RUBBLE = ("earthquake", "fire", "tsunami")
NOBLES = ("builder", "marquis", "king")
TREASURY = "treasury"
CARD_TYPES = (*NOBLES, TREASURY)
STATE_ACTIONS = ("recruit", "plan", "ship", "produce", "cardinal", "favor")
NOBLE_ACTIONS = ("store", "decree", "building")
ARCHITECTS = ("blue", "green")
HAND_DECKS = ("blue", "purple")  # of period 1 and period 2
DISPLAY_DECKS = ("red", "brown")
DECKS = ("blue", "red", "purple", "brown")
HOUSE_GROUPS = ("shipping", "court", "workshop")
SYMBOLS = ("none", "church_scoring", "church_treasury")
BOTTOMS = ("none", "reward", "penalty")
SHIPS = ("ship_blue", "ship_red", "ship_purple", "ship_brown")
CITY_TILES = ("yellow", "pink", "brown", "blue", "blue_small")
FAVORS = tuple(f"favor_{noble}" for noble in NOBLES)
SCORINGS = ("ships", "rubble_sets", "store_majority", "reais", "decrees", "officials_majority", "royal_favors")
"""The parts of the final scoring, in the order of section L-17."""
YES, NO = "yes", "no"
ANY, ALL, STORE_TYPE = "any", "all", "store_type"

# --- the map (L-1.3, L-1.4) ------------------------------------------------------------------------------------------

ROWS = ("A", "B", "C", "D", "E")
CLOSED_ROW = "E"
COLUMNS = (1, 2, 3, 4, 5)
NARROW = 5  # the column of the small tiles
STREETS: dict[int, tuple[str, ...]] = {
    1: ("gold",),
    2: ("gold", "cloth"),
    3: ("cloth", "books"),
    4: ("books", "tools"),
    NARROW: ("tools",),
}
"""The streets that the blocks of a column face, from west to east."""
BLOCKS = tuple(f"{row}{column}" for row in ROWS for column in COLUMNS)
SITES = (
    *(f"W{row}" for row in ROWS),
    *(f"N{street + 1}" for street in range(len(GOODS))),
    *(f"E{row}" for row in ROWS),
)
NORTH = "N"
ROW_ZONES = tuple(f"row_{row}" for row in ROWS)
COLUMN_ZONES = tuple(f"col_{column}" for column in COLUMNS)
RUBBLE_PILE = "pile"
ZONES = (*ROW_ZONES, *COLUMN_ZONES, RUBBLE_PILE)
CLOSED = (
    f"row_{CLOSED_ROW}",
    *(f"{CLOSED_ROW}{column}" for column in COLUMNS),
    f"W{CLOSED_ROW}",
    f"E{CLOSED_ROW}",
)
"""The zone, the blocks and the sites that are closed with two players (L-18.1)."""

# --- effects (L-5.7, L-15.5) -----------------------------------------------------------------------------------------


class Scope(NamedTuple):
    """What may stand beside the code of an effect: the words of its argument (none: it has no argument), and from where
    to where its amount goes.
    """

    arguments: tuple[str, ...]
    least: int
    most: int


INSTANT: dict[str, Scope] = {
    "gain_reais": Scope((), 0, 99),
    "pay_reais": Scope((), 0, 99),
    "gain_wigs": Scope((), 0, 50),
    "pay_wigs": Scope((), 0, 50),
    "gain_good": Scope((*GOODS, ANY, STORE_TYPE), 1, 9),
    "pay_good": Scope((ANY,), 1, 9),
    "gain_influence": Scope((), 1, 3),
    "gain_influence_points": Scope((), 0, 15),
    "state_action": Scope(STATE_ACTIONS, 1, 1),
    "state_action_any": Scope((), 1, 6),
    "noble_action": Scope(NOBLE_ACTIONS, 1, 3),
    "gain_rubble": Scope((), 1, 9),
    "price_up": Scope((ANY, ALL, *GOODS), 1, 15),
}
PERMANENT: dict[str, Scope] = {
    "land_discount": Scope((), 0, 20),
    "rubble_discount": Scope((), 0, 50),
    "sponsor_discount": Scope((), 0, 20),
    "sale_bonus": Scope((*GOODS, ANY), 0, 20),
    "sale_flat": Scope((), 0, 50),
    "warehouse_bonus": Scope((), 0, 9),
    "subsidy_bonus": Scope((), 0, 50),
    "visit_discount": Scope(NOBLES, 0, 20),
    "ignore_rival_officials": Scope((ANY,), 0, 1),
    "officials_discount": Scope((), 0, 8),
    "recruit_bonus": Scope((), 0, 8),
    "ship_goods_discount": Scope((), 0, 4),
    "price_hold": Scope((), 0, 1),
    "cardinal_extra_step": Scope((), 0, 3),
    "trade_wild": Scope((), 0, 1),
    "influence_bonus": Scope((), 0, 9),
    "store_wigs": Scope((), 0, 50),
    "sail_wigs": Scope((), 0, 50),
    "decree_bonus": Scope((), 0, 8),
    "visit_reais": Scope((ANY,), 0, 15),
    "produce_bonus": Scope((), 0, 9),
}
EFFECTS = INSTANT | PERMANENT
PENALTIES = tuple(code for code in INSTANT if code.startswith("pay_"))
EVENTS = tuple(code for code in INSTANT if code not in PENALTIES)
REWARDS = tuple(code for code in EVENTS if code != "noble_action")
PLACE_REWARDS = tuple(code for code in REWARDS if not code.startswith("state_action"))
"""What blocks and sites may give: nothing that begins an action within the action that is going on."""
EFFECT_ARGUMENTS = tuple(dict.fromkeys(word for scope in EFFECTS.values() for word in scope.arguments))

METRICS = (
    *(f"stores_{good}" for good in GOODS),
    "stores_total",
    "store_types",
    *(f"stores_row_{row}" for row in ROWS),
    *(f"buildings_{architect}" for architect in ARCHITECTS),
    "buildings_total",
    "officials_in_buildings",
    "officials_in_offices",
    "officials_in_courtyard",
    "ships_in_portfolio",
    "ship_hull_total",
    *(f"{card_type}_cards_in_portfolio" for card_type in CARD_TYPES),
    "clergy_tiles",
    "royal_favors",
    "plans_held",
    "rubble_sets",
    "rubble_cubes",
    "goods_total",
    "goods_full_sets",
    "reais",
    "influence",
)
"""What a decree may count (L-12.5)."""
