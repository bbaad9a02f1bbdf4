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
"""The parts of the final scoring, in the order of L-17.1 to L-17.7."""
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


class EffectKind(NamedTuple):
    """What an effect does with its amount, the words that its argument may be (none: it has no argument), and from
    where to where its amount goes.
    """

    meaning: str
    arguments: tuple[str, ...]
    least: int
    most: int


INSTANT: dict[str, EffectKind] = {
    "gain_reais": EffectKind("take so many reais", (), 0, 99),
    "pay_reais": EffectKind("pay so many reais, or all there are", (), 0, 99),
    "gain_wigs": EffectKind("gain so many wigs", (), 0, 50),
    "pay_wigs": EffectKind("lose so many wigs, or all there are", (), 0, 50),
    "gain_good": EffectKind(
        "gain so many goods: of one type, each of any type, or of the type of the new store",
        (*GOODS, ANY, STORE_TYPE),
        1,
        9,
    ),
    "pay_good": EffectKind("return so many goods of any types, or all there are", (ANY,), 1, 9),
    "gain_influence": EffectKind("Gain Influence so many times (L-6.2)", (), 1, 3),
    "gain_influence_points": EffectKind("raise influence by so much", (), 0, 15),
    "state_action": EffectKind("perform that State action", STATE_ACTIONS, 1, 1),
    "state_action_any": EffectKind("perform up to so many different State actions", (), 1, 6),
    "noble_action": EffectKind("perform that Noble action so many times, or take so many decrees", NOBLE_ACTIONS, 1, 3),
    "gain_rubble": EffectKind("take so many cubes from the rubble pile", (), 1, 9),
    "price_up": EffectKind(
        "raise the price of a good, of one good of your choice (any) or of all goods by so many steps",
        (ANY, ALL, *GOODS),
        1,
        15,
    ),
}
PERMANENT: dict[str, EffectKind] = {
    "land_discount": EffectKind("the land of a store costs so much less (L-11.5)", (), 0, 20),
    "rubble_discount": EffectKind("the rubble of a store costs so much less (L-11.5)", (), 0, 50),
    "sponsor_discount": EffectKind("sponsoring an event costs so much less (L-15.2)", (), 0, 20),
    "sale_bonus": EffectKind("so many reais more for each good of the type that is sold (L-8.4)", (*GOODS, ANY), 0, 20),
    "sale_flat": EffectKind("so many reais more for each sale (L-8.4)", (), 0, 50),
    "warehouse_bonus": EffectKind("room for so many more goods of each type (L-5.2)", (), 0, 9),
    "subsidy_bonus": EffectKind("so many reais more for a treasury card that is tucked (L-5.5)", (), 0, 50),
    "visit_discount": EffectKind("visiting that noble costs so much less (L-10.2)", NOBLES, 0, 20),
    "ignore_rival_officials": EffectKind("1: rivals' officials do not raise the cost of visits (L-10.2)", (ANY,), 0, 1),
    "officials_discount": EffectKind("public buildings need so many officials less, at least 1 (L-13.5)", (), 0, 8),
    "recruit_bonus": EffectKind("recruit so many officials more (L-9.4)", (), 0, 8),
    "ship_goods_discount": EffectKind("ships cost so many goods less (L-9.7)", (), 0, 4),
    "price_hold": EffectKind("1: producing does not lower prices (L-9.8)", (), 0, 1),
    "cardinal_extra_step": EffectKind(
        "the Cardinal may move so many stations more, at most 4 in all (L-9.9)", (), 0, 3
    ),
    "trade_wild": EffectKind("1: every noble accepts every good (L-9.2)", (), 0, 1),
    "influence_bonus": EffectKind("so much more whenever you Gain Influence (L-6.2)", (), 0, 9),
    "store_wigs": EffectKind("so many wigs for each store that you build (L-11.8)", (), 0, 50),
    "sail_wigs": EffectKind("so many wigs when a ship of yours sets sail (L-8.5)", (), 0, 50),
    "decree_bonus": EffectKind("so many decrees more whenever you take any (L-12.2)", (), 0, 8),
    "visit_reais": EffectKind("so many points of a visit's cost can be paid in reais (L-10.9)", (ANY,), 0, 15),
    "produce_bonus": EffectKind("so many goods more when you produce (L-9.8)", (), 0, 9),
}
EFFECTS = INSTANT | PERMANENT
PENALTIES = tuple(code for code in INSTANT if code.startswith("pay_"))
EVENTS = tuple(code for code in INSTANT if code not in PENALTIES)
REWARDS = tuple(code for code in EVENTS if code != "noble_action")
PLACE_REWARDS = tuple(code for code in REWARDS if not code.startswith("state_action"))
"""What blocks and sites may give: nothing that begins an action within the action that is going on."""
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
