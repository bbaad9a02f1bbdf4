"""Random valid card sets of Valletta, each from a number: edits of the shipped set, from small ones to wild ones."""

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from simcore import cardset
from simcore.cardset import CardSet, Scalar, build
from simcore.games.valletta.cardset import (
    ARGUMENTS,
    BUILDING_TABLE,
    CARD_COLOURS,
    CHARACTER_TABLE,
    COLOURS,
    GOODS,
    NUMBERS,
    SCHEMA,
    SETUP_TABLE,
)
from simcore.games.valletta.state import BARRELS, BUILDINGS, CARDS, CHARACTERS, LOCATIONS

FEWEST_BUILDINGS = 3
COSTS = tuple(f"cost_{good}" for good in GOODS)
DRIVING = ("BUILD", "JEAN")  # effects without which most games come to their end by the cap only
SIDES = ("icon_good", "icons_basic", "icons_upgraded", "points_basic", "points_upgraded")

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
        _prices,
        _effects,
        _more_characters,
        _fewer_buildings,
        _more_buildings,
        _barrels,
        _players,
        _starts,
    )
    share = rng.choice([0.3, 0.7])
    for edit in [edit for edit in edits if rng.random() < share] or edits:
        edit(rng, scalars, tables)
    _make_playable(rng, tables)
    return build(SCHEMA, f"random_{seed}", scalars, tables)


def card_sets() -> st.SearchStrategy[CardSet]:
    """For hypothesis."""
    return st.integers(0, 2**32).map(random_set)


def _drawn(rng: Random, field: Scalar) -> Any:
    """A value that the schema allows."""
    if field.choices:
        return rng.choice(field.choices)
    return rng.randint(field.minimum or 0, field.maximum or 0)


def _rules(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    for scalar in SCHEMA.scalars:
        if rng.random() < 0.5:
            scalars[scalar.name] = _drawn(rng, scalar)
    for holding in ("mendicant_holding", "host_holding", "collector_holding"):
        if rng.random() < 0.5:
            scalars[holding] = rng.randint(1, 5)  # rather than what nobody ever holds


def _prices(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """What some letters cost, show and count: a bit more or less, or anything that is allowed."""
    for letter in dict.fromkeys(row["letter"] for row in tables["buildings"]):
        if rng.random() < 0.5:
            _change_letter(tables, letter, _printed(rng, wild=rng.random() < 0.2))


def _change_letter(tables: Tables, letter: str, changes: dict[str, Any]) -> None:
    for row in tables["buildings"]:
        if row["letter"] == letter:
            row.update(changes)


def _printed(rng: Random, wild: bool) -> dict[str, Any]:
    """Cost, icons and points of a building."""
    fields = {column.name: column for column in BUILDING_TABLE.columns}
    printed = {name: _drawn(rng, fields[name]) for name in (*COSTS, *SIDES)}
    if not wild:
        printed |= {name: rng.randint(0, 4) for name in COSTS}
        printed |= {name: rng.randint(0, 3) for name in ("icons_basic", "icons_upgraded")}
        printed |= {name: rng.randint(0, 8) for name in ("points_basic", "points_upgraded")}
    return printed


def _effects(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Other effects or other arguments, for some characters or for all; other characters that can be copied."""
    share = rng.choice([0.2, 0.2, 0.5, 1])
    for row in tables["characters"]:
        if rng.random() < share * (0.4 if row["effect"] in DRIVING else 1):
            row.update(_effect(rng, rng.choice([row["effect"], *ARGUMENTS])))
        if rng.random() < share / 4:
            row["copyable_by_apprentice"] = 1 - row["copyable_by_apprentice"]


def _effect(rng: Random, effect: str) -> dict[str, Any]:
    """An effect with arguments, small ones mostly."""
    used = ARGUMENTS[effect]
    fields = {column.name: column for column in CHARACTER_TABLE.columns}
    row: dict[str, Any] = {"effect": effect, "good": rng.choice(GOODS) if "good" in used else None}
    for name in NUMBERS:
        small, any_number = rng.choice([0, 1, 1, 2, 3]), _drawn(rng, fields[name])
        row[name] = (any_number if rng.random() < 0.1 else small) if name in used else 0
    return row


def _more_characters(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """New characters, in starting sets, in the supply, or with a building of their own."""
    for _ in range(rng.choice([1, 2, 5, CHARACTERS])):
        _add_character(rng, tables, rng.choice(CARD_COLOURS))
    if rng.random() < 0.5:
        rng.shuffle(tables["characters"])


def _add_character(rng: Random, tables: Tables, colour: str) -> str | None:
    """The code of a new character, where there is room for one."""
    rows = tables["characters"]
    if len(rows) >= CHARACTERS:
        return None
    code = f"New_{len(rows)}"
    copies = {"start_copies_per_player": rng.choice([0, 0, 1]), "supply_copies": rng.choice([0, 0, 1, 3])}
    row = {"code": code, "name": f"New {len(rows)}", "colour": colour, "copyable_by_apprentice": rng.randint(0, 1)}
    rows.append(row | copies | _effect(rng, rng.choice([*ARGUMENTS])))
    if colour in COLOURS and rng.random() < 0.7:
        _add_letter(rng, tables, code)
    return code


def _fewer_buildings(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Cards and letters removed, the rest in another order and with other numbers."""
    rows = tables["buildings"]
    gone = rng.sample(sorted({row["letter"] for row in rows}), rng.randint(0, 12))
    rows[:] = [row for row in rows if row["letter"] not in gone]
    rng.shuffle(rows)
    del rows[rng.randint(FEWEST_BUILDINGS, len(rows)) :]
    for row, number in zip(rows, rng.sample(range(1000), len(rows)), strict=True):
        row["building_id"] = number


def _more_buildings(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """More copies, and new letters whose characters are new or known."""
    rows = tables["buildings"]
    for row in rng.sample(rows, rng.randint(0, 3)):
        if len(rows) < BUILDINGS:
            rows.append(row | {"building_id": _free_number(rows)})
    for _ in range(rng.choice([0, 1, 3, 30])):
        known = [row["code"] for row in tables["characters"] if row["colour"] in COLOURS]
        new = _add_character(rng, tables, rng.choice(COLOURS)) if rng.random() < 0.5 else None
        _add_letter(rng, tables, new or rng.choice(known))


def _add_letter(rng: Random, tables: Tables, code: str) -> None:
    """Copies of a new building with this character."""
    rows = tables["buildings"]
    colour = next(row["colour"] for row in tables["characters"] if row["code"] == code)
    taken = {row["letter"] for row in rows}
    letter = next(name for name in (f"L{number}" for number in range(BUILDINGS + 1)) if name not in taken)
    shared = {"letter": letter, "label": f"House {letter}", "colour": colour, "character_code": code}
    shared |= _printed(rng, wild=rng.random() < 0.2)
    for _ in range(min(rng.choice([1, 1, 2, 4]), BUILDINGS - len(rows))):  # none where the table is full
        rows.append({"building_id": _free_number(rows), **shared})


def _free_number(rows: Rows) -> int:
    taken = {row["building_id"] for row in rows}
    return next(number for number in range(1000) if number not in taken)


def _barrels(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Longer and shorter streets, with other goods."""
    size = rng.choice([1, rng.randint(1, 25), rng.randint(26, BARRELS), BARRELS])
    goods = rng.sample(GOODS, rng.randint(1, len(GOODS)))
    tables["barrels"] = [{"tile_id": 3 * number, "good": rng.choice(goods)} for number in range(size)]


def _players(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Other cities, hands, houses, stocks, ends: for some numbers of players, near the printed values or anywhere."""
    rng.shuffle(tables["setup"])
    share = rng.choice([0.2, 0.6])
    for row in tables["setup"]:
        for column in SETUP_TABLE.inputs:
            if column.name != SETUP_TABLE.key and rng.random() < share:
                near = max(column.minimum or 0, min(column.maximum or 0, row[column.name] + rng.randint(-2, 2)))
                row[column.name] = rng.choice([near, near, _drawn(rng, column)])
        if rng.random() < 0.3:
            row |= {f"pieces_{good}": rng.randint(0, 3) for good in GOODS}  # raised to what the start takes


def _starts(rng: Random, scalars: dict[str, Any], tables: Tables) -> None:
    """Small and strange starting sets, another supply."""
    share = rng.choice([0, 0.1, 0.3])
    for row in tables["characters"]:
        if rng.random() < (0.3 if row["effect"] in DRIVING else 0.7):
            row["start_copies_per_player"] = rng.choice([1, 1, 2]) if rng.random() < share else 0
        if rng.random() < 0.2:
            row["supply_copies"] = rng.choice([0, 1, 2, 20])


# --- what makes a set valid ------------------------------------------------------------------------------------------


def _make_playable(rng: Random, tables: Tables) -> None:
    """A card to begin with, cities that the buildings allow, room for all cards, enough pieces for the start."""
    characters = tables["characters"]
    if not any(row["start_copies_per_player"] for row in characters):
        rng.choice(characters)["start_copies_per_player"] = 1
    have = Counter(row["colour"] for row in tables["buildings"])
    for row in tables["setup"]:
        _fill_rows(rng, row, have)
        for good in GOODS:
            least = row["players"] * row[f"start_{good}"] + row["extra_goods"]
            row[f"pieces_{good}"] = max(least, row[f"pieces_{good}"])
    while any(_cards(row, characters) > CARDS for row in tables["setup"]):
        row = rng.choice(characters)
        row["supply_copies"] = 0
        if sum(other["start_copies_per_player"] for other in characters if other is not row):
            row["start_copies_per_player"] = 0


def _fill_rows(rng: Random, row: dict[str, Any], have: Counter[str]) -> None:
    """Take buildings out of the city until the table has them all, and they fill its rows."""
    for colour in COLOURS:
        row[colour] = min(row[colour], have[colour])
    if not any(row[colour] for colour in COLOURS):
        row[rng.choice([colour for colour in COLOURS if have[colour]])] = 1
    row["columns"] = min(row["columns"], sum(row[colour] for colour in COLOURS))
    while (total := sum(row[colour] for colour in COLOURS)) > LOCATIONS or total % row["columns"]:
        row[rng.choice([colour for colour in COLOURS if row[colour]])] -= 1


def _cards(row: dict[str, Any], characters: Rows) -> int:
    starting = sum(each["start_copies_per_player"] for each in characters)
    supply = sum(each["supply_copies"] for each in characters)
    return int(row["players"] * starting + supply + sum(row[colour] for colour in COLOURS))
