"""The card set of Lisboa as plain values, for the plain Python reference. L-... are ids of the rules page.

What is fixed by the board stands here as constants: the names of L-0.5, the map of L-1.3 and L-1.4, the ring of L-14.1.
Every number comes from the tables.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

# L-0.5
GOODS = ("gold", "cloth", "books", "tools")
RUBBLE = ("earthquake", "fire", "tsunami")
NOBLES = ("builder", "marquis", "king")
RECRUIT, PLAN, SHIP, PRODUCE, CARDINAL, FAVOR = "recruit", "plan", "ship", "produce", "cardinal", "favor"
STATE_ACTIONS = (RECRUIT, PLAN, SHIP, PRODUCE, CARDINAL, FAVOR)
STORE, DECREE, BUILDING = "store", "decree", "building"
ARCHITECTS = ("blue", "green")
ROWS = "ABCDE"
COLUMNS = "12345"
NARROW_COLUMN = "5"  # without a scoring tile, L-1.5
GROUPS = ("shipping", "court", "workshop")
TREASURY = "treasury"
DECKS = (*NOBLES, TREASURY)  # of the display, in the order of DRAW

# L-9.2, L-10.4, L-10.5
STATE_ACTIONS_OF = {"builder": (RECRUIT, PLAN), "marquis": (SHIP, PRODUCE), "king": (CARDINAL, FAVOR)}
NOBLE_OF = {action: noble for noble, actions in STATE_ACTIONS_OF.items() for action in actions}
NOBLE_ACTION_OF = {"builder": STORE, "marquis": DECREE, "king": BUILDING}

# L-1.3, L-1.4
BLOCKS = tuple(row + column for row in ROWS for column in COLUMNS)
STREETS_OF_COLUMN = {
    "1": ("gold",),
    "2": ("gold", "cloth"),
    "3": ("cloth", "books"),
    "4": ("books", "tools"),
    "5": ("tools",),
}
NORTH_SITES = {"N1": "gold", "N2": "cloth", "N3": "books", "N4": "tools"}  # the street of each
SITES = (*("W" + row for row in ROWS), *NORTH_SITES, *("E" + row for row in ROWS))
ZONES = (*ROWS, *COLUMNS)  # rows and columns with cubes
CLOSED_ROW = "E"  # with 2 players, L-18.1

# L-11.2
TILE_OF_GOOD = {"gold": "yellow", "cloth": "pink", "books": "brown", "tools": "blue"}
SMALL_TILE = "blue_small"
TILES = (*TILE_OF_GOOD.values(), SMALL_TILE)
STORE_SITES = tuple((block, good) for block in BLOCKS for good in STREETS_OF_COLUMN[block[1]])

SHIPYARD = {"ship_blue": (1, 1), "ship_red": (1, 2), "ship_purple": (2, 1), "ship_brown": (2, 2)}  # L-2.5, L-16.4

STATIONS = 6  # L-14.1
CHURCH_SCORING, CHURCH_TREASURY = "church_scoring", "church_treasury"
MOST_STEPS = 4  # L-9.9


class Effect(NamedTuple):
    """A row's effect; the argument is empty where there is none."""

    code: str
    arg: str
    amount: int

    def fits(self, what: str) -> bool:
        """Whether a permanent effect concerns this good or noble ("Table notes")."""
        return self.arg in ("", "any", what)


class Political(NamedTuple):
    """A political card (L-15.1); what it does not have is None."""

    id: str
    deck: str
    type: str
    influence: int
    bottom_kind: str
    bottom: Effect | None
    permanent: Effect | None
    event: Effect | None


class ShipKind(NamedTuple):
    """L-8.3."""

    id: str
    period: int
    stack_order: int
    hull: int
    cost: int  # different goods
    influence: int
    modifier: int
    copies: int


class Tile(NamedTuple):
    """A Clergy tile (L-14.8)."""

    id: str
    permanent: Effect
    back_wigs: int


class Plan(NamedTuple):
    id: str
    architect: str
    starting: bool
    pile_order: int
    officials: int


class DecreeCard(NamedTuple):
    """L-12.5."""

    id: str
    metric: str
    mode: str
    unit: int
    wigs: int
    max_wigs: int
    not_with_two: bool


class Start(NamedTuple):
    """What the player of a place in turn order has at the start (L-2.3)."""

    influence: int
    wigs: int
    reais: int
    goods: int
    officials: int
    in_marquis_office: int
    offered: int  # Clergy tiles
    favors: int
    plans: int


@dataclass(frozen=True)
class Rules:
    """A card set for a number of seats."""

    seats: int
    numbers: Mapping[str, int]  # of rules.toml
    switches: Mapping[str, bool]  # of rules.toml
    start: tuple[Start, ...]  # by place in turn order
    cards: Mapping[str, Political]
    ships: Mapping[str, ShipKind]
    tiles: Mapping[str, Tile]
    plans: Mapping[str, Plan]
    decrees: Mapping[str, DecreeCard]
    serves: Mapping[tuple[str, str], frozenset[str]]  # goods shown, by tile and side
    price_start: Mapping[str, int]
    tokens: Mapping[str, int]  # goods of each type
    prices: Mapping[int, int]  # reais by step
    treasury_value: Mapping[int, int]  # by step
    influence_cost: Mapping[int, int]  # by step
    treasury_start: int  # step
    influence_max: int
    coins: frozenset[int]  # spaces of the influence track
    wig_spaces: frozenset[int]
    symbols: Mapping[int, str]  # by station
    cardinal_start: int
    accepted: Mapping[str, frozenset[str]]  # goods that a noble takes
    block_reward: Mapping[str, Effect | None]
    site_reward: Mapping[str, Effect | None]
    zone_cubes: Mapping[str, int]  # rows, columns and the pile
    site_cubes: Mapping[str, int]
    rubble_cost: Mapping[str, int]
    cube_count: Mapping[str, int]
    tile_count: Mapping[str, int]  # city tiles of each kind
    tile_spaces: Mapping[str, int]  # of each kind on the display
    scoring_tiles: Mapping[str, int]  # wigs of each
    printed_value: int  # of the column without a scoring tile
    house_groups: Mapping[str, tuple[Effect, ...]]  # the ability of each level
    favors_each: Mapping[str, int]  # tiles of a noble in play for each player
    store_places: Mapping[str, tuple[int, ...]]  # wigs of the places in each majority
    official_places: tuple[int, ...]
    wigs_each: Mapping[str, int]  # for each unit in the final scoring

    # --------------------------------------------------------------------------------------------------------- the map

    @cached_property
    def rows(self) -> str:
        """The open rows (L-2.1 g, L-18.1)."""
        return "".join(row for row in ROWS if self.seats > 2 or row != CLOSED_ROW)

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        return tuple(block for block in BLOCKS if block[0] in self.rows)

    @cached_property
    def sites(self) -> tuple[str, ...]:
        return tuple(site for site in SITES if site in NORTH_SITES or site[1] in self.rows)

    @cached_property
    def zones(self) -> tuple[str, ...]:
        return (*self.rows, *COLUMNS)

    # ------------------------------------------------------------------------------------------------------- the cards

    def of_deck(self, deck: str, card_type: str | None = None) -> list[str]:
        """The cards of a deck, of one type if that is given."""
        return [card.id for card in self.cards.values() if card.deck == deck and card_type in (None, card.type)]

    def shipyard(self, period: int) -> list[str]:
        """The ships of a period, the top one first (L-2.5, L-16.4)."""
        kinds = sorted(
            (ship for ship in self.ships.values() if ship.period == period), key=lambda ship: ship.stack_order
        )
        return [ship.id for ship in kinds for _ in range(ship.copies)]

    def pile(self, architect: str) -> list[str]:
        """The plans of an architect, the top one first (L-2.1 d)."""
        plans = [plan for plan in self.plans.values() if plan.architect == architect and not plan.starting]
        return [plan.id for plan in sorted(plans, key=lambda plan: plan.pile_order)]

    @cached_property
    def houses(self) -> int:
        """Of each player (L-11.10)."""
        return sum(len(levels) for levels in self.house_groups.values())

    @cached_property
    def buildings(self) -> list[str]:
        """The tiles, each with two sides."""
        return list(dict.fromkeys(tile for tile, _ in self.serves))

    @cached_property
    def rubble(self) -> Counter[str]:
        return Counter(self.cube_count)

    @classmethod
    def of(cls, scalars: Mapping[str, Any], tables: Mapping[str, Iterable[Mapping[str, Any]]], seats: int) -> "Rules":
        """From the values of rules.toml and the rows of the tables."""
        rows = {name: [dict(row) for row in table] for name, table in tables.items()}
        final = {row["scoring_id"]: row for row in rows["endgame_scoring"]}
        start = sorted(rows["player_setup"], key=lambda row: row["seat"])[:seats]
        return cls(
            seats,
            numbers={name: value for name, value in scalars.items() if not isinstance(value, str)},
            switches={name: value == "yes" for name, value in scalars.items() if isinstance(value, str)},
            start=tuple(_start(row) for row in start),
            cards={row["card_id"]: _political(row) for row in rows["political_cards"]},
            ships={row["ship_id"]: _ship(row, seats) for row in rows["ships"]},
            tiles={row["clergy_tile_id"]: _tile(row) for row in rows["clergy_tiles"]},
            plans={row["plan_id"]: _plan(row) for row in rows["plans"]},
            decrees={row["decree_id"]: _decree(row) for row in rows["decrees"]},
            serves={(row["public_building_id"], row["side"]): _serves(row) for row in rows["public_buildings"]},
            price_start=_column(rows["goods"], "good_id", "price_start"),
            tokens=_column(rows["goods"], "good_id", "token_count"),
            prices=_column(rows["price_track"], "step", "price_reais"),
            treasury_value=_column(rows["treasury_track"], "step", "treasury_value_reais"),
            influence_cost=_column(rows["treasury_track"], "step", "influence_cost"),
            treasury_start=next(row["step"] for row in rows["treasury_track"] if row["is_start"]),
            influence_max=max(row["space"] for row in rows["influence_track"]),
            coins=frozenset(row["space"] for row in rows["influence_track"] if row["coin_icon"]),
            wig_spaces=frozenset(row["space"] for row in rows["influence_track"] if row["wig_icon"]),
            symbols=_column(rows["church_track"], "station", "symbol"),
            cardinal_start=next(row["station"] for row in rows["church_track"] if row["is_start"]),
            accepted={noble: _accepted(rows["goods"], noble) for noble in NOBLES},
            block_reward={row["block_id"]: _effect(row, "reward") for row in rows["downtown_blocks"]},
            site_reward={row["site_id"]: _effect(row, "reward") for row in rows["public_sites"]},
            zone_cubes={_zone(row["zone_id"]): row["cubes_at_setup"] for row in rows["rubble_zones"]},
            site_cubes=_column(rows["public_sites"], "site_id", "rubble_cubes"),
            rubble_cost=_column(rows["rubble_kinds"], "rubble_id", "cost_reais"),
            cube_count=_column(rows["rubble_kinds"], "rubble_id", "cube_count"),
            tile_count=_column(rows["city_tiles"], "city_tile_id", "count"),
            tile_spaces=_column(rows["city_tiles"], "city_tile_id", "display_spaces"),
            scoring_tiles=_column(rows["scoring_tiles"], "scoring_tile_id", "wigs_per_store"),
            printed_value=next(row["fixed_wigs"] for row in rows["store_columns"] if row["fixed_wigs"] is not None),
            house_groups={group: _levels(rows["house_groups"], group) for group in GROUPS},
            favors_each={noble: _favors_each(rows["royal_favors"], noble) for noble in NOBLES},
            store_places={row["good_id"]: _places(row) for row in rows["store_majority"]},
            official_places=_official_places(final["officials_majority"], seats),
            wigs_each={name: row["wigs_per_unit"] for name, row in final.items()},
        )


def _column(rows: Iterable[Mapping[str, Any]], key: str, value: str) -> dict[Any, Any]:
    return {row[key]: row[value] for row in rows}


def _effect(row: Mapping[str, Any], what: str) -> Effect | None:
    """The effect in the columns of this name, None where there is none."""
    code = row[f"{what}_code"]
    return Effect(code, row[f"{what}_arg"] or "", row[f"{what}_amount"]) if code else None


def _start(row: Mapping[str, Any]) -> Start:
    return Start(
        row["influence_start"],
        row["wigs_start"],
        row["reais_start"],
        row["goods_each_type_start"],
        row["officials"],
        row["officials_in_marquis_office"],
        row["clergy_drawn"],
        row["royal_favors_start"],
        row["starting_plans"],
    )


def _political(row: Mapping[str, Any]) -> Political:
    effects = (_effect(row, what) for what in ("reward", "permanent", "event"))
    return Political(row["card_id"], row["deck"], row["card_type"], row["influence"], row["bottom_kind"], *effects)


def _ship(row: Mapping[str, Any], seats: int) -> ShipKind:
    return ShipKind(
        row["ship_id"],
        *SHIPYARD[row["ship_id"]],
        row["hull_size"],
        row["goods_cost_types"],
        row["influence"],
        row["price_modifier_reais"],
        row[f"copies_{seats}p"],
    )


def _tile(row: Mapping[str, Any]) -> Tile:
    permanent = _effect(row, "permanent")
    assert permanent is not None
    return Tile(row["clergy_tile_id"], permanent, row["back_wigs"])


def _plan(row: Mapping[str, Any]) -> Plan:
    return Plan(
        row["plan_id"], row["architect"], bool(row["is_starting"]), row["pile_order"], row["officials_required"]
    )


def _decree(row: Mapping[str, Any]) -> DecreeCard:
    return DecreeCard(
        row["decree_id"],
        row["metric"],
        row["mode"],
        row["unit_or_threshold"],
        row["wigs"],
        row["max_wigs"],
        bool(row["remove_in_2p"]),
    )


def _serves(row: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(good for good in GOODS if row[f"serves_{good}"])


def _levels(rows: Iterable[Mapping[str, Any]], group: str) -> tuple[Effect, ...]:
    """The abilities of a house group, level by level (L-11.10)."""
    levels = sorted((row for row in rows if row["group_id"] == group), key=lambda row: row["level"])
    return tuple(Effect(row["ability_code"], row["ability_arg"] or "", row["ability_amount"]) for row in levels)


def _accepted(rows: Iterable[Mapping[str, Any]], noble: str) -> frozenset[str]:
    """L-9.2."""
    return frozenset(row["good_id"] for row in rows if row["noble_id"] in (noble, "any"))


def _favors_each(rows: Iterable[Mapping[str, Any]], noble: str) -> int:
    return next(row["count_in_play_per_player"] for row in rows if row["favor_id"] == f"favor_{noble}")


def _zone(zone_id: str) -> str:
    """The letter of a row, the number of a column, or `pile`."""
    return zone_id.removeprefix("row_").removeprefix("col_")


def _places(row: Mapping[str, Any]) -> tuple[int, ...]:
    return row["first_wigs"], row["second_wigs"], row["third_wigs"]


def _official_places(row: Mapping[str, Any], seats: int) -> tuple[int, ...]:
    """L-17.6."""
    return (row["first_wigs_2p"], row["second_wigs_2p"]) if seats == 2 else _places(row)
