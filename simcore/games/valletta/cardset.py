"""Valletta: the schema of its card sets, and what it checks beyond the schema. VT-... are ids of rules.md.

The tables of the rules page can be used as they are.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from simcore.cardset import CardSet, Column, Problem, Scalar, Schema, Table, Value, derived_problems, nearest
from simcore.cardset.problems import show
from simcore.games.valletta.state import (
    BARRELS,
    BUILDINGS,
    CARDS,
    CHARACTERS,
    LOCATIONS,
    PLAYS,
    SEATS,
    TURN_CAP,
    Colour,
    Effect,
)

PLAYERS = tuple(range(2, SEATS + 1))
GOODS = ("gold", "wood", "stone", "brick")
MATERIALS = GOODS[1:]
COLOURS = tuple(colour.name.lower() for colour in Colour)
CARD_COLOURS = ("red", "purple", *COLOURS)
YES, NO = "yes", "no"
WIDEST = 10  # columns of the city
DISCOUNTS = tuple(f"discount_{good}" for good in MATERIALS)
PAYMENTS = tuple(f"pay_{good}" for good in GOODS)
NUMBERS = ("n", *DISCOUNTS, *PAYMENTS, "points")
ARGUMENTS: dict[str, tuple[str, ...]] = {
    Effect.GAIN_FIXED.name: ("good", "n"),
    Effect.GAIN_CHOICE.name: ("n",),
    Effect.BUILD.name: DISCOUNTS,
    Effect.COPY_PREVIOUS.name: (),
    Effect.JEAN.name: (),
    Effect.GAIN_ICONS.name: ("good",),
    Effect.MENDICANT.name: ("n",),
    Effect.TRADER.name: ("good", "n"),
    Effect.MERCHANT.name: ("n", *PAYMENTS),
    Effect.GAIN_PER_GREEN.name: ("good",),
    Effect.NUN.name: ("n",),
    Effect.GAIN_ICONS_CHOICE.name: (),
    Effect.HOST.name: ("good", "n"),
    Effect.TAX_COLLECTOR.name: ("n",),
    Effect.PAY_CHOICE_FOR_POINTS.name: ("n", "points"),
    Effect.PAY_FOR_POINTS.name: (*PAYMENTS, "points"),
    Effect.POINTS_PER_BLUE.name: ("points",),
    Effect.POINTS_PER_GREEN.name: ("points",),
    Effect.POINTS_PER_UPGRADED.name: ("points",),
    Effect.POINTS_FIXED.name: ("points",),
}
"""The columns of characters.csv that each effect reads."""
LOGGED = ("building", "upgrade")
"""What the card log calls the two sides of a building, before its number or its letter."""

Row = Mapping[str, Value]
Rows = Sequence[Row]


def check(card_set: CardSet) -> list[Problem]:
    """What the schema cannot say: sizes, arguments of effects, pairs of buildings and characters, a city and pieces for
    every number of players; where all that is right, derived columns.
    """
    tables = card_set.tables
    characters, buildings, barrels, setup = (tables[table.name] for table in SCHEMA.tables)
    problems = [
        *_check_size("characters", characters, CHARACTERS),
        *_check_size("buildings", buildings, BUILDINGS),
        *_check_size("barrels", barrels, BARRELS),
        *_check_codes(characters, buildings),
        *_check_arguments(characters),
        *_check_start(characters),
        *_check_labels(buildings),
        *_check_pairs(buildings, characters),
        *_check_players(setup),
        *_check_cities(setup, buildings),
        *_check_pieces(setup),
        *_check_capacity(setup, characters),
    ]
    return problems or [*_check_derived(tables)]


def _check_size(table: str, rows: Rows, most: int) -> Iterator[Problem]:
    if len(rows) > most:
        key = next(each.key for each in SCHEMA.tables if each.name == table)
        what = f"is row number {most + 1} of {len(rows)}"
        yield Problem.of_cell(table, most, key, rows[most][key], what, f"at most {most} rows")


# --- characters ------------------------------------------------------------------------------------------------------


def _check_codes(rows: Rows, buildings: Rows) -> Iterator[Problem]:
    """In the card log, codes stand in small letters beside the names of the buildings."""
    taken = {
        f"{kind}_{show(row[name])}".lower(): f"building {show(row[name])}"
        for row in buildings
        for name in ("building_id", "letter")
        for kind in LOGGED
    }
    first: dict[str, Value] = {}
    for position, row in enumerate(rows):
        code = row["code"]
        lower = show(code).lower()
        if code is not None and lower in taken:
            what = f"is a name of {taken[lower]} in the card log"
            yield Problem.of_cell("characters", position, "code", code, what, "a code of its own", f"{code}_2")
        elif code is not None and first.setdefault(lower, code) != code:
            what = f"differs from {first[lower]} only in capital letters"
            yield Problem.of_cell("characters", position, "code", code, what, "a code of its own", f"{code}_2")


def _check_arguments(rows: Rows) -> Iterator[Problem]:
    for position, row in enumerate(rows):
        effect, good = row["effect"], row["good"]
        if effect is None:
            continue
        used = ARGUMENTS[str(effect)]
        if "good" in used and good is None:
            what = f"is blank, but {effect} is about one good"
            yield Problem.of_cell("characters", position, "good", good, what, ", ".join(GOODS))
        if "good" not in used and good is not None:
            what = f"cannot stand with {effect}, which has no good"
            yield Problem.of_cell("characters", position, "good", good, what, "blank")
        for name in NUMBERS:
            if name not in used and row[name] not in (0, None):
                what = f"cannot stand with {effect}, which does not use it"
                yield Problem.of_cell("characters", position, name, row[name], what, "0", "0")


def _check_start(rows: Rows) -> Iterator[Problem]:
    copies = [row["start_copies_per_player"] for row in rows]
    if rows and all(number == 0 for number in copies):
        what = "is 0 in all rows, so that nobody has a card to begin with"
        yield Problem(what, "characters.csv", column="start_copies_per_player", allowed="a starting set of some cards")


# --- buildings -------------------------------------------------------------------------------------------------------


def _check_labels(rows: Rows) -> Iterator[Problem]:
    """Different letters have different labels; copies have the same one anyway (VT-1.9)."""
    letter_of: dict[Value, Value] = {}
    for position, row in _types(rows, "label"):
        letter, label = row["letter"], row["label"]
        owner = letter_of.setdefault(label, letter)
        if label is not None and owner != letter:
            what, near = f"is the label of {owner} already, and this is {letter}", f"{label} {letter}"
            yield Problem.of_cell("buildings", position, "label", label, what, "a label for each letter", near)


def _check_pairs(rows: Rows, characters: Rows) -> Iterator[Problem]:
    """The character of each letter, and its colour (VT-1.10)."""
    colours = {str(row["code"]): row["colour"] for row in characters if row["code"] is not None}
    for position, row in _types(rows, "character_code"):
        code = row["character_code"]
        if code is None or not colours:  # without a table of characters, that is what is wrong
            continue
        if code not in colours:
            what, allowed = "is no code of the table characters", "a code of the table characters"
            near = nearest(str(code), colours)
            yield Problem.of_cell("buildings", position, "character_code", code, what, allowed, near)
        elif colours[str(code)] not in (*COLOURS, None):
            what, allowed = f"is {colours[str(code)]}, and no building is", f"a {_any_of(COLOURS)} character"
            yield Problem.of_cell("buildings", position, "character_code", code, what, allowed)
    for position, row in _types(rows, "colour"):
        wanted, colour = colours.get(str(row["character_code"])), row["colour"]
        if colour is not None and wanted in COLOURS and wanted != colour:
            what = f"is not the colour of its character {row['character_code']}"
            yield Problem.of_cell("buildings", position, "colour", colour, what, str(wanted), str(wanted))


def _types(rows: Rows, column: str) -> Iterator[tuple[int, Row]]:
    """The first row of each letter whose copies agree in a column."""
    values: dict[Value, set[Value]] = {}
    for row in rows:
        values.setdefault(row["letter"], set()).add(row[column])
    seen: set[Value] = {None}
    for position, row in enumerate(rows):
        if row["letter"] not in seen and len(values[row["letter"]]) == 1:
            yield position, row
        seen.add(row["letter"])


# --- numbers of players ----------------------------------------------------------------------------------------------


def _check_players(rows: Rows) -> Iterator[Problem]:
    present = {row["players"] for row in rows}
    missing = [str(players) for players in PLAYERS if players not in present]
    if missing and rows and None not in present and len(present) == len(rows):
        what = f"has no row for {', '.join(missing)} players"
        yield Problem(what, "setup.csv", allowed=f"a row for each of {', '.join(map(str, PLAYERS))}")


def _check_cities(rows: Rows, buildings: Rows) -> Iterator[Problem]:
    """Enough buildings of each colour (VT-3.2), not too many for the table, in full rows (VT-2.1)."""
    have = Counter(row["colour"] for row in buildings)
    for position, row in enumerate(rows):
        drawn = {colour: row[colour] for colour in COLOURS}
        if buildings and None not in have:
            scarce = [(colour, show(have[colour])) for colour, count in drawn.items() if _number(count) > have[colour]]
            for colour, most in scarce:
                what = f"is more than the {most} {colour} cards of the table buildings"
                yield Problem.of_cell("setup", position, colour, drawn[colour], what, f"at most {most}", most)
            if scarce:
                continue
        total, columns = _total([*drawn.values()]), row["columns"]
        if total is not None and not 0 < total <= LOCATIONS:
            what, allowed = f"makes a city of {total} buildings", f"1 to {LOCATIONS} buildings, all colours together"
            yield Problem.of_cell("setup", position, COLOURS[0], drawn[COLOURS[0]], what, allowed)
        elif total is not None and isinstance(columns, int) and total % columns:
            yield _uneven(position, total, columns)


def _uneven(position: int, total: int, columns: int) -> Problem:
    """A last row of the city that is not full."""
    full = [size for size in (total - total % columns, total - total % columns + columns) if 0 < size <= LOCATIONS]
    widths = [width for width in range(1, WIDEST + 1) if total % width == 0]
    what = f"does not divide the {total} buildings of the city into full rows"
    allowed = f"{_any_of(widths)} columns, or {_any_of(full)} buildings"
    near = min(full, key=lambda size: abs(size - total))
    return Problem.of_cell("setup", position, "columns", columns, what, allowed, f"{near} buildings")


def _check_pieces(rows: Rows) -> Iterator[Problem]:
    """What the players start with is there, and what is set aside for them to choose from (VT-3.8, VT-3.11)."""
    for position, row in enumerate(rows):
        players, aside = row["players"], row["extra_goods"]
        for good in GOODS:
            pieces, start = row[f"pieces_{good}"], row[f"start_{good}"]
            if not (isinstance(pieces, int) and isinstance(start, int)):
                continue
            if not (isinstance(players, int) and isinstance(aside, int)):
                continue
            if pieces < players * start + aside:
                extra = f" and {aside} set aside" if aside else ""
                what = f"is too few: {players} players take {start} each{extra}"
                least = str(players * start + aside)
                yield Problem.of_cell("setup", position, f"pieces_{good}", pieces, what, f"at least {least}", least)


def _check_capacity(rows: Rows, characters: Rows) -> Iterator[Problem]:
    """All character cards of a game fit a pile."""
    starting = _total([row["start_copies_per_player"] for row in characters])
    supply = _total([row["supply_copies"] for row in characters])
    for position, row in enumerate(rows):
        players, city = row["players"], _total([row[colour] for colour in COLOURS])
        if starting is None or supply is None or city is None or not isinstance(players, int):
            continue
        cards = players * starting + supply + city
        if cards > CARDS:
            what = f"makes a game of {players} * {starting} + {supply} + {city} = {cards} character cards"
            allowed = f"at most {CARDS} cards: starting sets, supply and a card a building"
            yield Problem.of_cell("setup", position, "players", players, what, allowed)


def _total(values: Sequence[Value]) -> int | None:
    numbers = [value for value in values if isinstance(value, int)]
    return sum(numbers) if len(numbers) == len(values) else None


def _any_of(values: Sequence[object]) -> str:
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}" if others else last


# --- derived columns -------------------------------------------------------------------------------------------------


def _check_derived(tables: Mapping[str, Rows]) -> Iterator[Problem]:
    """The derived columns, where everything could be read: they follow from other tables too."""
    if not all(_was_read(table, tables[table.name]) for table in SCHEMA.tables):
        return
    if not {row["character_code"] for row in tables["buildings"]} <= {row["code"] for row in tables["characters"]}:
        return
    yield from derived_problems("characters", tables["characters"], _derived_of_characters(tables))
    yield from derived_problems("buildings", tables["buildings"], _derived_of_buildings(tables))
    goods: list[Value] = [GOODS.index(str(row["good"])) for row in tables["barrels"]]
    yield from derived_problems("barrels", tables["barrels"], {"good_id": goods})
    yield from derived_problems("setup", tables["setup"], _derived_of_setup(tables))


def _was_read(table: Table, rows: Rows) -> bool:
    required = [column.name for column in table.inputs if not column.optional]
    return bool(rows) and all(row[name] is not None for row in rows for name in required)


def _derived_of_characters(tables: Mapping[str, Rows]) -> dict[str, list[Value]]:
    rows, letters = tables["characters"], _letters(tables)
    letter_of: dict[Value, Value] = {}
    for building in tables["buildings"]:
        letter_of.setdefault(building["character_code"], building["letter"])
    paired = Counter(building["character_code"] for building in tables["buildings"])
    starting = [SEATS * _number(row["start_copies_per_player"]) for row in rows]
    return {
        "character_id": [*range(len(rows))],
        "letter": [letter_of.get(row["code"]) for row in rows],
        "building_type_id": [letters.get(letter_of.get(row["code"]), -1) for row in rows],
        "start_copies": [*starting],
        "paired_copies": [paired[row["code"]] for row in rows],
        "total_copies": [
            start + _number(row["supply_copies"]) + paired[row["code"]]
            for start, row in zip(starting, rows, strict=True)
        ],
    }


def _derived_of_buildings(tables: Mapping[str, Rows]) -> dict[str, list[Value]]:
    rows, letters = tables["buildings"], _letters(tables)
    position_of = {row["code"]: position for position, row in enumerate(tables["characters"])}
    copies: Counter[Value] = Counter()
    numbers: list[Value] = []
    for row in rows:
        copies[row["letter"]] += 1
        numbers.append(copies[row["letter"]])
    return {
        "type_id": [letters[row["letter"]] for row in rows],
        "copy": numbers,
        "character_id": [position_of[row["character_code"]] for row in rows],
    }


def _letters(tables: Mapping[str, Rows]) -> dict[Value, int]:
    """The number of each letter, in the order in which they first appear."""
    return {letter: number for number, letter in enumerate(dict.fromkeys(row["letter"] for row in tables["buildings"]))}


def _derived_of_setup(tables: Mapping[str, Rows]) -> dict[str, list[Value]]:
    rows, characters = tables["setup"], tables["characters"]
    cities = [sum(_number(row[colour]) for colour in COLOURS) for row in rows]
    lines = [city // _number(row["columns"]) for city, row in zip(cities, rows, strict=True)]
    builders = sum(_number(row["supply_copies"]) for row in characters if row["effect"] == Effect.BUILD.name)
    return {
        "buildings": [*cities],
        "rows": [*lines],
        "rows_above": [(line + 1) // 2 for line in lines],
        "rows_below": [line // 2 for line in lines],
        "deck_size": [sum(_number(row["start_copies_per_player"]) for row in characters)] * len(rows),
        "barrels": [len(tables["barrels"])] * len(rows),
        "supply_builders": [builders] * len(rows),
    }


def _number(value: Value) -> int:
    """A value that is known to be one."""
    return int(value or 0)


# --- the schema ------------------------------------------------------------------------------------------------------


def _note(name: str, meaning: str) -> Column:
    return Column(name, "text", meaning, role="note")


def _derived(name: str, meaning: str, unit: str = "") -> Column:
    return Column(name, "int", meaning, unit, 0, role="derived")


CHARACTER_TABLE = Table(
    name="characters",
    key="code",
    meaning=f"The characters, one row each (VT-1.3, sections 8 to 11): at most {CHARACTERS}. The columns from good to "
    "points are arguments of the effect; those that it does not use are blank or 0.",
    columns=(
        Column("code", "id", "name of the character in buildings.csv, logs and replays"),
        Column("name", "text", "the English name"),
        Column("colour", "choice", "its colour; that of its building (VT-1.10)", choices=CARD_COLOURS),
        Column("start_copies_per_player", "int", "copies in each starting set (VT-3.5)", "cards", 0, 9),
        Column("supply_copies", "int", "copies in the general character supply (VT-3.6)", "cards", 0, 20),
        Column("effect", "choice", "what it does (sections 8 to 11)", choices=tuple(ARGUMENTS)),
        Column("good", "choice", "the good of the effect", choices=GOODS, optional=True),
        Column("n", "int", "how many goods: gained, given, taken, or paid by PAY_CHOICE_FOR_POINTS", "goods", 0, 9),
        *(
            Column(name, "int", f"{good} off the cost of a building or an upgrade (VT-7.7)", "goods", 0, 9)
            for name, good in zip(DISCOUNTS, MATERIALS, strict=True)
        ),
        *(
            Column(name, "int", f"{good} that is paid (VT-10.7, VT-11.2, VT-11.3)", "goods", 0, 9)
            for name, good in zip(PAYMENTS, GOODS, strict=True)
        ),
        Column("points", "int", "points scored, or points for each thing counted (section 11)", "points", 0, 20),
        Column("copyable_by_apprentice", "int", "1 where an Apprentice copies it (VT-8.7)", "", 0, 1),
        _derived("character_id", "place in the table, from 0"),
        Column("letter", "word", "the letter of its first building; blank without one", role="derived"),
        Column("building_type_id", "int", "number of that letter, -1 without a building", minimum=-1, role="derived"),
        _derived("start_copies", "copies in four starting sets", "cards"),
        _derived("paired_copies", "buildings that bring it", "cards"),
        _derived("total_copies", "all copies", "cards"),
        _note("source_effect", "where the effect is documented"),
        _note("source_copies", "where the number of copies is documented"),
    ),
)

BUILDING_TABLE = Table(
    name="buildings",
    key="building_id",
    meaning=f"The buildings, one row a card (VT-1.2, VT-1.9): at most {BUILDINGS}, and of each colour enough for every "
    "number of players.",
    columns=(
        Column("building_id", "int", "number of the card in logs and replays", "", 0, 999),
        Column("letter", "word", "the letter that it shares with its character (VT-1.8)"),
        Column("label", "text", "the name, one for each letter"),
        Column("colour", "choice", "its colour, that of its character (VT-1.10)", choices=COLOURS),
        *(Column(f"cost_{good}", "int", f"{good} that it costs (VT-7.3, VT-7.5)", "goods", 0, 9) for good in GOODS),
        Column("icon_good", "choice", "the good of its icons (VT-9.1)", choices=GOODS),
        Column("icons_basic", "int", "icons on the basic side", "icons", 0, 9),
        Column("icons_upgraded", "int", "icons on the upgraded side", "icons", 0, 9),
        Column("points_basic", "int", "points at the end for the basic side (VT-14.1)", "points", 0, 50),
        Column("points_upgraded", "int", "points at the end for the upgraded side (VT-14.1)", "points", 0, 50),
        Column("character_code", "id", "the character that it brings, a row of the table characters"),
        _derived("type_id", "number of the letter, in the order of the first rows, from 0"),
        _derived("copy", "number among the copies of the letter, from 1"),
        _derived("character_id", "place of its character in the table characters"),
        _note("source", "where the card is documented"),
        _note("source_letter", "where the letter is documented"),
        _note("source_colour", "where the colour is documented"),
        _note("source_copies", "where the number of copies is documented"),
        _note("source_cost", "where the cost is documented"),
        _note("source_icon", "where the icons are documented"),
        _note("source_points", "where the points are documented"),
        _note("note", "more about the sources"),
    ),
    copies="letter",
)

BARREL_TABLE = Table(
    name="barrels",
    key="tile_id",
    meaning=f"The barrels, one row a tile (VT-1.1): Jean's street has as many spaces, at most {BARRELS}.",
    columns=(
        Column("tile_id", "int", "number of the tile", "", 0, 999),
        Column("good", "choice", "the good on its back", choices=GOODS),
        _derived("good_id", "number of the good, from 0"),
        _note("source", "where the tile is documented"),
    ),
)

SETUP_TABLE = Table(
    name="setup",
    key="players",
    meaning="The set-up and the end, one row a number of players (section 3).",
    columns=(
        Column("players", "int", "the number of players", "players", min(PLAYERS), max(PLAYERS)),
        *(
            Column(colour, "int", f"{colour} buildings in the city (VT-3.2)", "cards", 0, LOCATIONS)
            for colour in COLOURS
        ),
        Column("columns", "int", "buildings in a row of the city (VT-2.1)", "cards", 1, WIDEST),
        Column("hand_size", "int", "cards to which a hand is filled up (VT-3.5, VT-4.8)", "cards", 1, 12),
        Column("plays_per_turn", "int", "cards played in a turn (VT-4.2)", "cards", 1, PLAYS),
        Column("houses", "int", "houses of each player (VT-3.7); the last one ends the game", "houses", 1, 40),
        *(Column(f"start_{good}", "int", f"{good} at the start (VT-3.8)", "goods", 0, 99) for good in GOODS),
        Column("extra_goods", "int", "1 where each player picks a good that is set aside (VT-3.11)", "goods", 0, 1),
        *(Column(f"pieces_{good}", "int", f"{good} in the game (VT-1.4)", "goods", 0, 9999) for good in GOODS),
        Column("trigger_points", "int", "points that end the game (VT-13.1)", "points", 1, 999),
        Column("goods_per_point", "int", "goods left over that make a point (VT-14.2)", "goods", 1, 99),
        Column("area_bonus", "int", "points for building where Jean stands (VT-7.16)", "points", 0, 20),
        _derived("buildings", "buildings in the city", "cards"),
        _derived("rows", "rows of the city", "rows"),
        _derived("rows_above", "rows above the street", "rows"),
        _derived("rows_below", "rows below the street", "rows"),
        _derived("deck_size", "cards in a starting set", "cards"),
        _derived("barrels", "spaces of Jean's street", "spaces"),
        _derived("supply_builders", "cards in the general character supply that build", "cards"),
        _note("source", "where the numbers are documented"),
    ),
)

SCHEMA = Schema(
    game="valletta",
    title="Valletta",
    package="simcore.games.valletta",
    scalars=(
        Scalar("substitution_rate", "int", "Goods paid for an item that is substituted, VT-7.10", "goods", 1, 5),
        Scalar(
            "gold_fills",
            "choice",
            "Whether gold may be among the goods paid for an item, VT-7.11 (a doubtful ruling)",
            choices=(YES, NO),
        ),
        Scalar(
            "mendicant_holding", "int", "Goods from which on an opponent gives to a MENDICANT, VT-10.1", "goods", 1, 99
        ),
        Scalar(
            "host_holding",
            "int",
            "Goods of one kind from which on an opponent gives to a HOST, VT-10.12",
            "goods",
            1,
            99,
        ),
        Scalar(
            "collector_holding",
            "int",
            "Goods of a material from which on an opponent gives to a TAX_COLLECTOR, VT-10.13",
            "goods",
            1,
            99,
        ),
        Scalar("nun_others", "int", "What each other player takes with a NUN, VT-10.9", "goods", 0, 9),
        Scalar("trader_pays", "int", "Material returned for a TRADER, VT-10.6", "goods", 1, 9),
        Scalar("area_spaces", "int", "Spaces of the street in each of Jean's areas, VT-2.5", "spaces", 1, BARRELS),
        Scalar(
            "turn_cap", "int", "Turns of each player after which the final phase begins, VT-13.11", "turns", 1, TURN_CAP
        ),
        Scalar(
            "copies_declined",
            "choice",
            "Whether an Apprentice copies a card whose player declined the effect, VT-8.9 (a doubtful ruling)",
            choices=(YES, NO),
        ),
        Scalar(
            "apprentice_chain",
            "choice",
            "Whether an Apprentice after an Apprentice copies what that one copied, VT-8.12 (a doubtful ruling)",
            choices=(YES, NO),
        ),
        Scalar(
            "passing_triggers",
            "choice",
            "Whether more points than trigger_points trigger the final phase too, VT-13.2 (a doubtful ruling)",
            choices=(YES, NO),
        ),
    ),
    tables=(CHARACTER_TABLE, BUILDING_TABLE, BARREL_TABLE, SETUP_TABLE),
    check=check,
)
