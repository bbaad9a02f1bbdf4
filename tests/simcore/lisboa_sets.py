"""Random valid card sets of Lisboa, each from a number: edits of the shipped set, from small ones to wild ones."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from simcore import cardset
from simcore.cardset import CardSet, Column, Scalar, build
from simcore.games.lisboa.cardset import SCHEMA
from simcore.games.lisboa.state import BUILDINGS, CARDS, CLERGY, DECREES, DISPLAY, INFLUENCE, LEVELS, PILE, PLANS
from simcore.games.lisboa.vocabulary import (
    ARCHITECTS,
    BOTTOMS,
    CARD_TYPES,
    DISPLAY_DECKS,
    EFFECTS,
    EVENTS,
    GOODS,
    HAND_DECKS,
    HOUSE_GROUPS,
    METRICS,
    NOBLES,
    PENALTIES,
    PERMANENT,
    PLACE_REWARDS,
    REWARDS,
    STORE_TYPE,
    SYMBOLS,
    TREASURY,
)
from simcore.random import CAPACITY

SEATS = 4
STEPS = 16
CHURCH = 6  # slots for Clergy tiles, and stations

Rows = list[dict[str, Any]]
Tables = dict[str, Rows]


@cache
def shipped(name: str = "standard") -> CardSet:
    return cardset.load(SCHEMA, name)


def edited(name: str = "standard", /, tables: Tables | None = None, **scalars: Any) -> CardSet:
    """A shipped set with other scalars and, if given, other tables."""
    base = shipped(name)
    return build(SCHEMA, "edited", base.scalars | scalars, inputs(base) | (tables or {}))


def inputs(card_set: CardSet) -> Tables:
    """The tables without notes and what follows from them."""
    return {
        table.name: [{column.name: row[column.name] for column in table.inputs} for row in card_set.tables[table.name]]
        for table in SCHEMA.tables
    }


def random_set(seed: int) -> CardSet:
    """The valid edited set of this number, playable with 2, 3 and 4 seats."""
    rng = Random(seed)
    base = shipped(rng.choice(SCHEMA.shipped))
    scalars, tables = dict(base.scalars), inputs(base)
    edits = (
        _rules,
        _numbers,
        _places,
        _tracks,
        _bottoms,
        _treasury_cards,
        _decks,
        _clergy,
        _decrees,
        _plans,
        _buildings,
        _houses,
        _rubble,
        _players,
        _orders,
    )
    share = rng.choice([0.3, 0.7])
    for edit in [edit for edit in edits if rng.random() < share] or edits:
        edit(rng, scalars, tables)
    _make_playable(rng, scalars, tables)
    return build(SCHEMA, f"random_{seed}", scalars, tables)


def card_sets() -> st.SearchStrategy[CardSet]:
    """For hypothesis."""
    return st.integers(0, 2**32).map(random_set)


def _drawn(rng: Random, field: Scalar) -> Any:
    """A value that the schema allows."""
    if field.choices:
        return rng.choice(field.choices)
    return rng.randint(field.minimum or 0, field.maximum or 0)


def _changed(rng: Random, field: Scalar, value: int, wild: float = 0.1) -> int:
    """A number near the one that stands there, or any that is allowed."""
    near = max(field.minimum or 0, min(field.maximum or 0, value + rng.randint(-2, 2)))
    return _drawn(rng, field) if rng.random() < wild else near


def _columns(table: str) -> dict[str, Column]:
    return {column.name: column for each in SCHEMA.tables if each.name == table for column in each.columns}


def _change(rng: Random, rows: Rows, table: str, names: Sequence[str], share: float, wild: float = 0.1) -> None:
    """Other numbers in some cells of some columns."""
    fields = _columns(table)
    for row in rows:
        for name in names:
            if row[name] is not None and rng.random() < share:
                row[name] = _changed(rng, fields[name], row[name], wild)


# --- rules and numbers -----------------------------------------------------------------------------------------------


def _rules(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    share, wild = rng.choice([0.2, 0.5]), rng.choice([0.1, 0.5])
    for scalar in SCHEMA.scalars:
        if rng.random() < share:
            value = scalars[scalar.name]
            scalars[scalar.name] = _drawn(rng, scalar) if scalar.choices else _changed(rng, scalar, value, wild)


def _numbers(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Costs, values, counts: a bit more or less, or anything that is allowed."""
    share = rng.choice([0.2, 0.6])
    copies = ("copies_2p", "copies_3p", "copies_4p")
    places = ("first_wigs", "second_wigs", "third_wigs")
    numbers = {
        "ships": ("hull_size", "goods_cost_types", "influence", "price_modifier_reais", *copies),
        "rubble_kinds": ("cost_reais",),
        "goods": ("token_count",),
        "city_tiles": ("count", "display_spaces"),
        "store_columns": ("fixed_wigs",),
        "scoring_tiles": ("wigs_per_store",),
        "store_majority": places,
        "endgame_scoring": ("wigs_per_unit", *places, "first_wigs_2p", "second_wigs_2p"),
        "royal_favors": ("count_in_play_per_player",),
        "clergy_tiles": ("back_wigs",),
    }
    for table, names in numbers.items():
        _change(rng, tables[table], table, names, share)
    next(row for row in tables["endgame_scoring"] if row["scoring_id"] == "reais")["wigs_per_unit"] = 1
    nobles = [row for row in tables["political_cards"] if row["card_type"] != TREASURY]
    _change(rng, nobles, "political_cards", ("influence",), share)
    for row in tables["goods"]:
        if rng.random() < share / 2:
            row["noble_id"] = rng.choice(["any", *NOBLES])


def _tracks(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Longer and shorter tracks, with other values, coins, wigs, symbols and starts."""
    if rng.random() < 0.7:
        size = rng.choice([1, 2, 4, 6, 9, STEPS])
        tables["price_track"] = [{"step": step, "price_reais": rng.randint(0, step + 1)} for step in range(1, size + 1)]
    if rng.random() < 0.7:
        size = rng.choice([1, 2, 5, 8, STEPS])
        start = rng.randint(1, size)
        tables["treasury_track"] = [_treasury_step(rng, step, start) for step in range(1, size + 1)]
    if rng.random() < 0.7:
        size, coins = rng.choice([2, 5, 11, INFLUENCE]), rng.choice([0.1, 0.5, 1])
        tables["influence_track"] = [
            {
                "space": space,
                "coin_icon": int(rng.random() < coins),
                "wig_icon": int(space == size - 1 or rng.random() < 0.1),
            }
            for space in range(size)
        ]
    start = rng.randrange(CHURCH)
    for row in tables["church_track"]:
        row["symbol"] = rng.choice([row["symbol"], *SYMBOLS])
        row["is_start"] = int(row["station"] == start)


def _treasury_step(rng: Random, step: int, start: int) -> dict[str, Any]:
    value, cost = rng.randint(0, step + 1), rng.randint(0, 1 + step // 2)
    return {"step": step, "treasury_value_reais": value, "influence_cost": cost, "is_start": int(step == start)}


# --- effects ---------------------------------------------------------------------------------------------------------


def _effect(rng: Random, name: str, codes: Sequence[str], at_block: bool = False) -> dict[str, Any]:
    """An effect with arguments, small ones mostly."""
    code = rng.choice(codes)
    scope = EFFECTS[code]
    words = [word for word in scope.arguments if at_block or word != STORE_TYPE]
    amount = rng.randint(scope.least, scope.most if rng.random() < 0.1 else min(scope.most, scope.least + 3))
    return {f"{name}_code": code, f"{name}_arg": rng.choice(words) if words else None, f"{name}_amount": amount}


def _nothing(name: str) -> dict[str, Any]:
    return dict.fromkeys([f"{name}_code", f"{name}_arg", f"{name}_amount"])


def _places(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Other rewards of blocks and sites, or none."""
    share = rng.choice([0.2, 0.6, 1])
    for table in ("downtown_blocks", "public_sites"):
        for row in tables[table]:
            if rng.random() < share:
                reward = _effect(rng, "reward", PLACE_REWARDS, table == "downtown_blocks")
                row |= reward if rng.random() < 0.9 else _nothing("reward")


def _bottoms(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Other rewards and penalties of noble cards, or none."""
    share = rng.choice([0.2, 0.5, 1])
    for row in tables["political_cards"]:
        if row["card_type"] != TREASURY and rng.random() < share:
            row |= _bottom(rng)


def _bottom(rng: Random) -> dict[str, Any]:
    kind = rng.choice(["reward", "reward", "reward", *BOTTOMS])
    if kind == "none":
        return {"bottom_kind": kind, **_nothing("reward")}
    return {"bottom_kind": kind, **_effect(rng, "reward", PENALTIES if kind == "penalty" else REWARDS)}


def _treasury_cards(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Other effects in the portfolio and at the court."""
    share = rng.choice([0.3, 1])
    for row in tables["political_cards"]:
        if row["card_type"] == TREASURY and rng.random() < share:
            row |= _effect(rng, "permanent", [*PERMANENT])
            row |= _effect(rng, "event", EVENTS)


# --- cards and tiles -------------------------------------------------------------------------------------------------


def _decks(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Small hands, small decks of the display, cards of other types, new cards."""
    rows = tables["political_cards"]
    if rng.random() < 0.5:
        scalars["hand_size"] = rng.choice([2, 3, 4])
    for deck in DISPLAY_DECKS:
        for card_type in CARD_TYPES:
            if rng.random() < 0.4:
                own = [row for row in rows if (row["deck"], row["card_type"]) == (deck, card_type)]
                gone = rng.sample(own, rng.randint(0, len(own) - 1))
                rows[:] = [row for row in rows if row not in gone]
    for _ in range(rng.choice([0, 1, 5, 40])):
        if len(rows) < CARDS:
            rows.append(_political_card(rng, len(rows), rng.choice([*HAND_DECKS, *DISPLAY_DECKS])))


def _political_card(rng: Random, number: int, deck: str, card_type: str = "") -> dict[str, Any]:
    card_type = card_type or rng.choice(CARD_TYPES)
    row = {"card_id": f"new_{number}", "deck": deck, "card_type": card_type, "influence": 0, "bottom_kind": "none"}
    if card_type == TREASURY:
        return row | _nothing("reward") | _effect(rng, "permanent", [*PERMANENT]) | _effect(rng, "event", EVENTS)
    row["influence"] = rng.choice([0, 1, 2, 3])
    return row | _bottom(rng) | _nothing("permanent") | _nothing("event")


def _clergy(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Fewer tiles, new ones, other effects of a kind."""
    rows = tables["clergy_tiles"]
    rng.shuffle(rows)
    del rows[rng.choice([len(rows), rng.randint(SEATS + CHURCH, len(rows))]) :]
    for kind in dict.fromkeys(row["clergy_kind"] for row in rows):
        if rng.random() < 0.4:
            effect = _effect(rng, "permanent", [*PERMANENT])
            for row in rows:
                row |= effect if row["clergy_kind"] == kind else {}
    for number in range(rng.choice([0, 1, CLERGY])):
        if len(rows) < CLERGY:
            new = {"clergy_tile_id": f"new_{number}", "clergy_kind": f"new_{number}", "back_wigs": rng.randint(0, 5)}
            rows.append(new | _effect(rng, "permanent", [*PERMANENT]))


def _decrees(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Fewer decrees, other values, new kinds."""
    rows = tables["decrees"]
    kinds = [*dict.fromkeys(row["decree_kind"] for row in rows)]
    gone = rng.sample(kinds, rng.choice([0, 0, 5, 30]))
    rows[:] = [row for row in rows if row["decree_kind"] not in gone]
    for kind in kinds:
        if rng.random() < 0.5:
            values = _decree(rng)
            for row in rows:
                row |= values if row["decree_kind"] == kind else {}
    for number in range(rng.choice([0, 3, 20])):
        values = {"decree_kind": f"new_{number}"} | _decree(rng)
        for copy in range(rng.randint(1, 3)):
            if len(rows) < DECREES:
                rows.append({"decree_id": f"new_{number}_{copy}"} | values)


def _decree(rng: Random) -> dict[str, Any]:
    return {
        "metric": rng.choice(METRICS),
        "mode": rng.choice(["threshold", "per"]),
        "unit_or_threshold": rng.choice([1, 1, 2, 3, rng.randint(1, 99)]),
        "wigs": rng.choice([0, 1, 2, 4, 7]),
        "max_wigs": rng.choice([0, 4, 6, 99]),
        "remove_in_2p": rng.choice([0, 0, 0, 1]),
    }


def _plans(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Other numbers of officials, fewer plans, more of them, other architects; the piles are put in order later."""
    rows = tables["plans"]
    _change(rng, rows, "plans", ("officials_required",), 0.4)
    for row in rows:
        if rng.random() < 0.2:
            row["architect"] = rng.choice(ARCHITECTS)
    gone = rng.sample(range(len(rows)), rng.choice([0, 0, 3, 12]))
    rows[:] = [row for place, row in enumerate(rows) if place not in gone]
    for number in range(rng.choice([0, 2, PLANS])):
        if len(rows) < PLANS:
            new = {
                "plan_id": f"new_{number}",
                "architect": rng.choice(ARCHITECTS),
                "is_starting": rng.choice([0, 0, 1]),
            }
            rows.append(new | {"pile_order": 0, "officials_required": rng.randint(1, 8)})


def _buildings(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Other colours, fewer tiles, more of them."""
    rows = tables["public_buildings"]
    tiles = [*dict.fromkeys(row["public_building_id"] for row in rows)]
    size = rng.choice([2, 6, len(tiles), len(tiles), BUILDINGS])
    kept = (rng.sample(tiles, len(tiles)) + [f"new_{number}" for number in range(BUILDINGS)])[:size]
    rows[:] = [row for row in rows if row["public_building_id"] in kept]
    rows += [_side(rng, tile, side) for tile in kept if tile not in tiles for side in ARCHITECTS]
    for row in rows:
        if rng.random() < 0.3:
            row |= {f"serves_{good}": rng.randint(0, 1) for good in GOODS}


def _side(rng: Random, tile: str, side: str) -> dict[str, Any]:
    shown = {f"serves_{good}": rng.randint(0, 1) for good in GOODS}
    return {"building_side": f"{tile}_{side}", "public_building_id": tile, "side": side} | shown


def _houses(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Groups of other sizes, with other abilities."""
    rows = []
    for group in HOUSE_GROUPS:
        for level in range(1, rng.choice([0, 1, 2, 3, 3, LEVELS]) + 1):
            house = {"house_id": f"{group}_{level}", "group_id": group, "level": level}
            rows.append(house | _effect(rng, "ability", [*PERMANENT]))
    if rows:
        tables["house_groups"] = rows


def _rubble(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """More and fewer cubes, on the map and in the game."""
    wild = rng.choice([0, 0.1])
    _change(rng, tables["rubble_zones"], "rubble_zones", ("cubes_at_setup",), 0.4, wild)
    _change(rng, tables["public_sites"], "public_sites", ("rubble_cubes",), 0.4, wild)
    if rng.random() < 0.3:  # none on some places
        for row in rng.sample(tables["rubble_zones"], 4):
            row["cubes_at_setup"] = 0
    for row in tables["rubble_kinds"]:
        row["cube_count"] = rng.choice([row["cube_count"], rng.randint(0, 30)])


# --- set-up ----------------------------------------------------------------------------------------------------------


def _players(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Other starts, the same for all players or different ones; scarce goods; prices that start elsewhere."""
    rows, share = tables["player_setup"], rng.choice([0.2, 0.6])
    names = [name for name, column in _columns("player_setup").items() if column.role == "input" and name != "seat"]
    for name in names:
        if rng.random() < share:
            _change(rng, rows, "player_setup", [name], 1)
            if rng.random() < 0.5:
                for row in rows:
                    row[name] = rows[0][name]
    for row in tables["goods"]:
        if rng.random() < 0.3:
            row["token_count"] = rng.randint(1, 9)  # raised to what the players start with
        row["price_start"] = rng.choice([row["price_start"], rng.randint(1, STEPS)])


def _orders(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Rows in another order."""
    for rows in tables.values():
        rng.shuffle(rows)


# --- what makes a set valid ------------------------------------------------------------------------------------------


def _make_playable(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Repair what the edits have broken between them."""
    _fit_starts(scalars, tables)
    _fit_decks(rng, scalars, tables["political_cards"])
    _fit_tiles(rng, tables)
    _fit_plans(tables)
    _fit_decrees(scalars, tables["decrees"])
    _fit_cubes(rng, tables)


def _fit_starts(scalars: dict[str, Any], tables: Tables) -> None:
    """Within the tracks, the warehouse, the office and the bank."""
    players, goods = tables["player_setup"], tables["goods"]
    for row in players:
        row["influence_start"] = min(row["influence_start"], len(tables["influence_track"]) - 1)
        row["goods_each_type_start"] = min(row["goods_each_type_start"], scalars["warehouse_base"])
        row["officials_in_marquis_office"] = min(row["officials_in_marquis_office"], row["officials"])
    for row in goods:
        row["price_start"] = min(row["price_start"], len(tables["price_track"]))
        row["token_count"] = max(row["token_count"], sum(each["goods_each_type_start"] for each in players))
    for row in tables["city_tiles"]:
        row["display_spaces"] = min(row["display_spaces"], row["count"])
    inside = sum(row["officials_in_marquis_office"] for row in players)
    scalars["office_capacity"] = max(scalars["office_capacity"], inside)


def _fit_decks(rng: Random, scalars: dict[str, Any], rows: Rows) -> None:
    """Full hands, and 1 to 16 cards on each deck of the display; smaller hands where there is no room in the table."""
    for deck in DISPLAY_DECKS:
        for card_type in CARD_TYPES:
            own = [row for row in rows if (row["deck"], row["card_type"]) == (deck, card_type)]
            rows[:] = [row for row in rows if row not in own[DISPLAY:]]
    while sum(max(0, SEATS * scalars["hand_size"] - _size(rows, deck)) for deck in HAND_DECKS) + len(rows) > CARDS:
        scalars["hand_size"] -= 1
    for deck in HAND_DECKS:
        while _size(rows, deck) < SEATS * scalars["hand_size"]:
            rows.append(_political_card(rng, 1000 + len(rows), deck))


def _size(rows: Rows, deck: str) -> int:
    return sum(row["deck"] == deck for row in rows)


def _fit_tiles(rng: Random, tables: Tables) -> None:
    """Enough Clergy tiles for the offers."""
    rows, offered = tables["clergy_tiles"], sum(row["clergy_drawn"] for row in tables["player_setup"])
    for number in range(max(0, offered - len(rows))):
        name = f"more_{number}"
        new = {"clergy_tile_id": name, "clergy_kind": name, "back_wigs": 1}
        rows.append(new | _effect(rng, "permanent", [*PERMANENT]))


def _fit_plans(tables: Tables) -> None:
    """Enough starting plans, piles that are not too high, fewest officials on top."""
    rows = tables["plans"]
    needed = sum(row["starting_plans"] for row in tables["player_setup"])
    while sum(row["is_starting"] for row in rows) < needed:
        next(row for row in rows if not row["is_starting"])["is_starting"] = 1
    for architect in ARCHITECTS:
        pile = [row for row in rows if row["architect"] == architect and not row["is_starting"]]
        for row in pile[PILE:]:
            row["is_starting"] = 1
        pile = sorted(pile[:PILE], key=lambda row: row["officials_required"])
        for order, row in enumerate(pile, 1):
            row["pile_order"] = order
    for row in rows:
        row["pile_order"] *= 1 - row["is_starting"]


def _fit_decrees(scalars: dict[str, Any], rows: Rows) -> None:
    """A full display with two players too."""
    for row in rows:
        if sum(1 - each["remove_in_2p"] for each in rows) < scalars["decree_display"]:
            for copy in rows:
                copy["remove_in_2p"] *= copy["decree_kind"] != row["decree_kind"]
    scalars["decree_display"] = min(scalars["decree_display"], len(rows))


def _fit_cubes(rng: Random, tables: Tables) -> None:
    """Enough cubes for the map, and not more than can be shuffled."""
    zones, sites, kinds = tables["rubble_zones"], tables["public_sites"], tables["rubble_kinds"]
    cells = [(row, "cubes_at_setup") for row in zones] + [(row, "rubble_cubes") for row in sites]
    while sum(row[name] for row, name in cells) > CAPACITY:
        row, name = rng.choice([cell for cell in cells if cell[0][cell[1]]])
        row[name] -= 1
    while (short := sum(row[name] for row, name in cells) - sum(row["cube_count"] for row in kinds)) > 0:
        rng.choice(kinds)["cube_count"] += rng.randint(1, short)
    while sum(row["cube_count"] for row in kinds) > CAPACITY:
        max(kinds, key=lambda row: int(row["cube_count"]))["cube_count"] -= 1
