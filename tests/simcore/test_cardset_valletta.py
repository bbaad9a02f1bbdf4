"""Valletta's card sets: the shipped set against the rules page, every form, what is checked, random sets."""

import csv
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from simcore.cardset import CardSet, CardSetError, Problem, build, diff, document, export, load
from simcore.games.valletta import cardset as valletta
from simcore.games.valletta.cardset import ARGUMENTS, COLOURS, GOODS, SCHEMA
from simcore.games.valletta.state import BARRELS, BUILDINGS, CARDS, CHARACTERS, LOCATIONS, Effect
from tests.simcore.valletta_sets import edited, inputs, random_set, shipped

DATA = Path(__file__).parents[1] / "data" / "valletta"  # the page's tables, with derived columns
TABLES = ("characters", "buildings", "barrels", "setup")
FORMS = ("", ".xlsx", ".ods")
SETS = 300


def bytes_of(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()} if path.is_dir() else {"": path.read_bytes()}


def page_set(name: str = "page") -> CardSet:
    """The tables of the rules page, with their derived columns."""
    tables = {}
    for table in TABLES:
        with (DATA / f"{table}.csv").open(newline="", encoding="utf-8") as lines:
            tables[table] = [*csv.DictReader(lines)]
    return build(SCHEMA, name, shipped().scalars, tables)


# ------------------------------------------------------------------------------------------------------ shipped sets


def test_the_shipped_set_is_what_the_rules_page_says() -> None:
    """VT-1.1 to VT-1.4, VT-2.1, VT-2.5, VT-3.2, VT-3.5 to VT-3.8, VT-7.10, VT-7.16, VT-13.1, VT-14.2, section 17.1."""
    assert SCHEMA.shipped == ("standard",)
    tables = shipped().tables
    assert Counter(row["colour"] for row in tables["buildings"]) == {"green": 12, "blue": 15, "yellow": 10}
    assert Counter(row["good"] for row in tables["barrels"]) == {"gold": 7, "wood": 6, "stone": 6, "brick": 6}
    assert [row["letter"] for row in tables["buildings"]] == list("AAABBBCCCDDDEFFGHIJJKLMNOOPQQRRSSTUVW")
    assert [sum(row[f"cost_{good}"] for row in tables["buildings"]) for good in GOODS[1:]] == [45, 46, 46]
    starting = [row["code"] for row in tables["characters"] if row["start_copies_per_player"]]
    assert starting == [
        "SHOPKEEPER",
        "LUMBERJACK",
        "STONE_SCULPTOR",
        "BRICK_WORKER",
        "MAID",
        "BUILDER",
        "APPRENTICE",
        "JEAN",
    ]
    assert {row["code"]: row["supply_copies"] for row in tables["characters"] if row["supply_copies"]} == {"BUILDER": 4}
    for row, city in zip(tables["setup"], [(6, 8, 6), (8, 10, 7), (10, 12, 8)], strict=True):
        assert tuple(row[colour] for colour in COLOURS) == city
        assert [row[f"start_{good}"] for good in GOODS] == [1, 1, 1, 1]
        assert [row[f"pieces_{good}"] for good in GOODS] == [42, 30, 30, 30]
        assert (row["columns"], row["hand_size"], row["plays_per_turn"], row["houses"]) == (5, 5, 3, 8)
        assert (row["trigger_points"], row["goods_per_point"], row["area_bonus"], row["extra_goods"]) == (25, 3, 2, 1)


def test_the_scalars_are_the_rulings_of_the_page() -> None:
    """VT-2.5, VT-7.10, VT-7.11, VT-8.9, VT-8.12, VT-10.1, VT-10.6, VT-10.9, VT-10.12, VT-10.13, VT-13.2, VT-13.11."""
    assert shipped().scalars == {
        "substitution_rate": 3,
        "gold_fills": "yes",
        "mendicant_holding": 4,
        "host_holding": 2,
        "collector_holding": 3,
        "nun_others": 1,
        "trader_pays": 1,
        "area_spaces": 5,
        "turn_cap": 100,
        "copies_declined": "yes",
        "apprentice_chain": "yes",
        "passing_triggers": "yes",
    }


def test_the_tables_of_the_rules_page_are_a_card_set() -> None:
    """With their derived columns, which agree with what follows from the others: 73 character cards, 37 buildings."""
    page = page_set()
    assert page.hash == shipped().hash
    assert sum(row["total_copies"] for row in page.tables["characters"]) == 73
    assert sum(row["paired_copies"] for row in page.tables["characters"]) == len(page.tables["buildings"]) == 37
    assert [(row["buildings"], row["rows_above"], row["rows_below"]) for row in page.tables["setup"]] == [
        (20, 2, 2),
        (25, 3, 2),
        (30, 3, 3),
    ]


def test_the_shipped_set_is_written_as_export_writes_it(tmp_path: Path) -> None:
    export(shipped(), tmp_path / "set")
    for file in ("rules.toml", *(f"{table}.csv" for table in TABLES)):
        stands = (SCHEMA.card_sets / "standard" / file).read_bytes().replace(b"\r\n", b"\n")  # git on Windows
        assert (tmp_path / "set" / file).read_bytes() == stands


def test_hashes_stay_what_they_are() -> None:
    """Runs refer to card sets by their hash, so a change here is a change of the format."""
    assert shipped().hash == "d6556c10980ff90e060d5cd30693cfe90593b8bb714b81f22767a576dc12c0ab"


def test_every_effect_has_its_arguments() -> None:
    assert set(ARGUMENTS) == {effect.name for effect in Effect}
    columns = {column.name for column in valletta.CHARACTER_TABLE.columns}
    assert {name for names in ARGUMENTS.values() for name in names} == {"good", *valletta.NUMBERS}
    assert {"good", *valletta.NUMBERS} <= columns


# ------------------------------------------------------------------------------------------------------------- forms


@pytest.mark.parametrize("ending", FORMS)
@pytest.mark.parametrize("source", [shipped, page_set, lambda: random_set(3), lambda: random_set(4)])
def test_a_set_comes_back_from_every_form(tmp_path: Path, ending: str, source: Callable[[], CardSet]) -> None:
    card_set = source()
    first, second = tmp_path / f"first{ending}", tmp_path / f"second{ending}"
    export(card_set, first)
    again = load(SCHEMA, first)
    assert again == card_set
    assert diff(again, card_set) == []
    export(again, second)
    assert bytes_of(first) == bytes_of(second)
    export(again, tmp_path / "folder")
    assert load(SCHEMA, tmp_path / "folder") == card_set


def test_the_schema_as_a_page_explains_copies() -> None:
    page = document(SCHEMA)
    assert "`--vary buildings.LETTER.COLUMN=…` changes all of them." in page
    for table in SCHEMA.tables:
        assert f"## {table.name}.csv" in page


def test_differences_are_told_once_for_all_copies() -> None:
    tables = inputs(shipped())
    for row in tables["buildings"]:
        row["cost_gold"] += row["letter"] in ("A", "E")
    tables["buildings"][36]["letter"] = "X"
    tables["setup"][0]["houses"] = 7
    assert diff(shipped(), edited(tables=tables)) == [
        "buildings A: cost_gold 2 -> 3",
        "buildings E: cost_gold 3 -> 4",
        "buildings 36: letter W -> X",
        "setup 2: houses 8 -> 7",
    ]


# ---------------------------------------------------------------------------------------------------------- mistakes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    export(shipped(), folder, "mine")
    for table in TABLES:
        shutil.copy(DATA / f"{table}.csv", folder)
    load(SCHEMA, folder)
    return folder


def problems_of(folder: Path) -> list[str]:
    with pytest.raises(CardSetError) as caught:
        load(SCHEMA, folder)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("table", TABLES)
def test_a_table_that_is_missing_is_all_that_is_told(folder: Path, table: str) -> None:
    (folder / f"{table}.csv").unlink()
    assert problems_of(folder) == [f"{table}.csv: is missing in the folder"]


EFFECTS = ", ".join(ARGUMENTS)
MISTAKES = {
    "a value that is no number": (
        "buildings.csv",
        ("12,4,E,1,Almshouse,blue,3,", "12,4,E,1,Almshouse,blue,ten,"),
        'row 14, column cost_gold: "ten" is not a whole number; allowed: a whole number from 0 to 9',
    ),
    "a cost out of range": (
        "buildings.csv",
        ("12,4,E,1,Almshouse,blue,3,", "12,4,E,1,Almshouse,blue,10,"),
        'row 14, column cost_gold: "10" is more than 9; allowed: a whole number from 0 to 9; nearest: 9',
    ),
    "a good misspelt": (
        "barrels.csv",
        ("0,gold,0", "0,glod,0"),
        'row 2, column good: "glod" is not one of the choices; allowed: gold, wood, stone, brick; nearest: gold',
    ),
    "an effect misspelt": (
        "characters.csv",
        (",GAIN_CHOICE,,2", ",GAIN_CHOISE,,2"),
        f'row 21, column effect: "GAIN_CHOISE" is not one of the choices; allowed: {EFFECTS}; nearest: GAIN_CHOICE',
    ),
    "an argument misspelt": (
        "characters.csv",
        ("GAIN_FIXED,gold", "GAIN_FIXED,golden"),
        'row 2, column good: "golden" is not one of the choices; allowed: gold, wood, stone, brick, or blank; '
        "nearest: gold",
    ),
    "an argument missing": (
        "characters.csv",
        ("GAIN_FIXED,gold", "GAIN_FIXED,"),
        "row 2, column good: is blank, but GAIN_FIXED is about one good; allowed: gold, wood, stone, brick",
    ),
    "a good that is not used": (
        "characters.csv",
        ("GAIN_CHOICE,,2", "GAIN_CHOICE,wood,2"),
        'row 21, column good: "wood" cannot stand with GAIN_CHOICE, which has no good; allowed: blank',
    ),
    "a number that is not used": (
        "characters.csv",
        ("GAIN_ICONS,gold,0,", "GAIN_ICONS,gold,2,"),
        'row 10, column n: "2" cannot stand with GAIN_ICONS, which does not use it; allowed: 0; nearest: 0',
    ),
    "a discount that is not used": (
        "characters.csv",
        ("POINTS_FIXED,,0,0,", "POINTS_FIXED,,0,2,"),
        'row 32, column discount_wood: "2" cannot stand with POINTS_FIXED, which does not use it; allowed: 0; '
        "nearest: 0",
    ),
    "a code twice": (
        "characters.csv",
        (",LUMBERJACK,", ",SHOPKEEPER,"),
        'row 3, column code: "SHOPKEEPER" stands in row 2 already; allowed: each code once',
    ),
    "codes alike but for capital letters": (
        "characters.csv",
        (",LUMBERJACK,", ",Shopkeeper,"),
        'row 3, column code: "Shopkeeper" differs from SHOPKEEPER only in capital letters; allowed: a code of its own; '
        "nearest: Shopkeeper_2",
    ),
    "a code like a building": (
        "characters.csv",
        (",LUMBERJACK,", ",Upgrade_W,"),
        'row 3, column code: "Upgrade_W" is a name of building W in the card log; allowed: a code of its own; '
        "nearest: Upgrade_W_2",
    ),
    "a copy that differs": (
        "buildings.csv",
        ("1,0,A,2,Bank,green,2,", "1,0,A,2,Bank,green,3,"),
        'row 3, column cost_gold: "3" differs from row 2, a copy of the same card (letter A); allowed: the same value '
        "in all rows with letter A; nearest: 2",
    ),
    "the first copy differs": (
        "buildings.csv",
        ("0,0,A,1,Bank,", "0,0,A,1,Banc,"),
        'row 2, column label: "Banc" differs from row 3, a copy of the same card (letter A); allowed: the same value '
        "in all rows with letter A; nearest: Bank",
    ),
    "one of two copies differs": (
        "buildings.csv",
        ("14,5,F,2,Tiler yard,blue,3", "14,5,F,2,Tiler yard,blue,4"),
        'row 16, column cost_gold: "4" differs from row 15, a copy of the same card (letter F); allowed: the same '
        "value in all rows with letter F; nearest: 3",
    ),
    "a copy with another character": (
        "buildings.csv",
        (
            "14,5,F,2,Tiler yard,blue,3,2,2,0,brick,1,2,2,4,13,BRICKLAYER",
            "14,5,F,2,Tiler yard,blue,3,2,2,0,brick,1,2,2,4,13,X",
        ),
        'row 16, column character_code: "X" differs from row 15, a copy of the same card (letter F); allowed: the same '
        "value in all rows with letter F; nearest: BRICKLAYER",
    ),
    "a label of two letters": (
        "buildings.csv",
        ("Almshouse", "Bank"),
        'row 14, column label: "Bank" is the label of A already, and this is E; allowed: a label for each letter; '
        "nearest: Bank E",
    ),
    "a character misspelt": (
        "buildings.csv",
        (",MENDICANT,", ",MENDICAN,"),
        'row 14, column character_code: "MENDICAN" is no code of the table characters; allowed: a code of the table '
        "characters; nearest: MENDICANT",
    ),
    "a character without a building": (
        "buildings.csv",
        (",MENDICANT,", ",MAID,"),
        'row 14, column character_code: "MAID" is red, and no building is; allowed: a green, blue or yellow character',
    ),
    "a building of another colour": (
        "buildings.csv",
        ("Almshouse,blue", "Almshouse,green"),
        'row 14, column colour: "green" is not the colour of its character MENDICANT; allowed: blue; nearest: blue',
    ),
    "too many to draw": (
        "setup.csv",
        ("4,10,12,8,", "4,13,12,8,"),
        'row 4, column green: "13" is more than the 12 green cards of the table buildings; allowed: at most 12; '
        "nearest: 12",
    ),
    "a row that is not full": (
        "setup.csv",
        ("2,6,8,6,", "2,7,8,6,"),
        'row 2, column columns: "5" does not divide the 21 buildings of the city into full rows; allowed: 1, 3 or 7 '
        "columns, or 20 or 25 buildings; nearest: 20 buildings",
    ),
    "a city without buildings": (
        "setup.csv",
        ("2,6,8,6,", "2,0,0,0,"),
        'row 2, column green: "0" makes a city of 0 buildings; allowed: 1 to 40 buildings, all colours together',
    ),
    "too few pieces": (
        "setup.csv",
        ("1,1,1,1,1,42,30,30,30", "1,1,1,1,1,42,30,2,30"),
        'row 2, column pieces_stone: "2" is too few: 2 players take 1 each and 1 set aside; allowed: at least 3; '
        "nearest: 3",
    ),
    "too many players": (
        "setup.csv",
        ("3,8,10,7,", "5,8,10,7,"),
        'row 3, column players: "5" is more than 4; allowed: a whole number from 2 to 4; nearest: 4',
    ),
    "a number of players twice": (
        "setup.csv",
        ("3,8,10,7,", "2,8,10,7,"),
        'row 3, column players: "2" stands in row 2 already; allowed: each players once',
    ),
    "more plays than slots": (
        "setup.csv",
        ("20,4,2,2,5,5,3,", "20,4,2,2,5,5,6,"),
        'row 2, column plays_per_turn: "6" is more than 5; allowed: a whole number from 1 to 5; nearest: 5',
    ),
    "a switch": (
        "rules.toml",
        ('gold_fills = "yes"', 'gold_fills = "ye"'),
        'line 9, gold_fills: "ye" is not one of the choices; allowed: yes, no; nearest: yes',
    ),
    "a rate": (
        "rules.toml",
        ("substitution_rate = 3", "substitution_rate = 0"),
        'line 6, substitution_rate: "0" is less than 1; allowed: a whole number from 1 to 5; nearest: 1',
    ),
    "a derived column out of date": (
        "barrels.csv",
        ("3,gold,0", "3,gold,1"),
        'row 5, column good_id: "1" does not follow from the other columns; allowed: what follows from the other '
        "columns, or no such column; nearest: 0",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_one_mistake_gives_one_message(folder: Path, mistake: str) -> None:
    """Also where derived columns stand in the tables (VT-1.9, VT-1.10)."""
    name, (old, new), message = MISTAKES[mistake]
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert problems_of(folder) == [f"{name}, {message}"]


def test_mistakes_in_a_workbook_name_the_cell(tmp_path: Path) -> None:
    export(shipped(), tmp_path / "mine.xlsx", "mine")
    book = openpyxl.load_workbook(tmp_path / "mine.xlsx")
    book["buildings"]["E3"] = 3
    book.save(tmp_path / "mine.xlsx")
    assert problems_of(tmp_path / "mine.xlsx") == [
        'mine.xlsx, sheet buildings, cell E3 (cost_gold): "3" differs from row 2, a copy of the same card (letter A); '
        "allowed: the same value in all rows with letter A; nearest: 2"
    ]


def problems_with(**tables: list[dict[str, Any]]) -> list[Problem]:
    with pytest.raises(CardSetError) as caught:
        edited(tables=tables)
    return list(caught.value.problems)


def test_a_letter_that_is_a_number_of_a_card() -> None:
    rows = inputs(shipped())["buildings"]
    rows[22]["letter"] = "3"
    (problem,) = problems_with(buildings=rows)
    assert str(problem) == (
        'buildings.csv, row 24, column letter: "3" is the building_id of row 5; '
        "allowed: a letter that is no building_id"
    )


def test_a_number_of_players_that_is_missing() -> None:
    (problem,) = problems_with(setup=inputs(shipped())["setup"][:1])
    assert str(problem) == "setup.csv: has no row for 3, 4 players; allowed: a row for each of 2, 3, 4"


def test_nobody_has_a_card() -> None:
    rows = [row | {"start_copies_per_player": 0} for row in inputs(shipped())["characters"]]
    (problem,) = problems_with(characters=rows)
    assert str(problem) == (
        "characters.csv, column start_copies_per_player: is 0 in all rows, so that nobody has a card to begin with; "
        "allowed: a starting set of some cards"
    )


def test_more_cards_than_a_pile_holds() -> None:
    """Four starting sets of 23, 4 Builders and 30 buildings are 126 cards; one card a set more is too many."""
    rows = inputs(shipped())["characters"]
    rows[4]["start_copies_per_player"], rows[3]["start_copies_per_player"] = 9, 8
    assert edited(tables={"characters": rows}).tables["characters"][4]["start_copies_per_player"] == 9
    rows[2]["start_copies_per_player"] = 2
    (problem,) = problems_with(characters=rows)
    assert str(problem) == (
        'setup.csv, row 4, column players: "4" makes a game of 4 * 24 + 4 + 30 = 130 character cards; '
        "allowed: at most 128 cards: starting sets, supply and a card a building"
    )


def test_a_city_of_more_buildings_than_locations() -> None:
    tables = inputs(shipped())
    tables["buildings"] += [tables["buildings"][0] | {"building_id": 100 + number} for number in range(20)]
    tables["setup"][2]["green"] = 20
    assert edited(tables=tables).tables["setup"][2]["green"] == 20
    tables["setup"][2]["green"] = 25
    (problem,) = problems_with(**tables)
    assert str(problem) == (
        'setup.csv, row 4, column green: "25" makes a city of 45 buildings; allowed: 1 to 40 buildings, all colours '
        "together"
    )


def many(table: str, size: int) -> list[dict[str, Any]]:
    rows = inputs(shipped())[table]
    key = next(each.key for each in SCHEMA.tables if each.name == table)
    more = [rows[-1] | {key: f"more{number}" if key == "code" else 100 + number} for number in range(size - len(rows))]
    return [*rows, *more]


@pytest.mark.parametrize(
    ("table", "most", "key"),
    [("characters", CHARACTERS, "more33"), ("buildings", BUILDINGS, "127"), ("barrels", BARRELS, "139")],
)
def test_tables_that_are_too_long(table: str, most: int, key: str) -> None:
    assert len(edited(tables={table: many(table, most)}).tables[table]) == most
    (problem,) = problems_with(**{table: many(table, most + 1)})
    assert (problem.value, problem.row, problem.allowed) == (key, most + 2, f"at most {most} rows")
    assert problem.what == f"is row number {most + 1} of {most + 1}"


# ------------------------------------------------------------------------------------------------------- random sets


@pytest.fixture(scope="module")
def random_sets() -> list[CardSet]:
    return [random_set(seed) for seed in range(SETS)]


def test_random_sets_are_different_and_the_same_for_a_number(random_sets: list[CardSet]) -> None:
    assert len({card_set.hash for card_set in random_sets}) >= SETS - 5
    assert all(random_set(seed) == random_sets[seed] for seed in range(0, SETS, 25))


def test_random_sets_are_playable_with_every_number_of_seats(random_sets: list[CardSet]) -> None:
    for card_set in random_sets:
        characters = card_set.tables["characters"]
        starting = sum(row["start_copies_per_player"] for row in characters)
        supply = sum(row["supply_copies"] for row in characters)
        for row in card_set.tables["setup"]:
            city = sum(row[colour] for colour in COLOURS)
            assert 1 <= starting <= row["players"] * starting + supply + city <= CARDS
            assert 1 <= city <= LOCATIONS
            assert city % row["columns"] == 0


def test_random_sets_show_everything_that_a_designer_may_edit(random_sets: list[CardSet]) -> None:
    """Every effect in hands and on buildings, every switch both ways, short and long streets, scarce pieces, small
    starting sets, new letters, new characters.
    """
    started, built = set(), set()
    for card_set in random_sets:
        paired = {row["character_code"] for row in card_set.tables["buildings"]}
        started |= {row["effect"] for row in card_set.tables["characters"] if row["start_copies_per_player"]}
        built |= {row["effect"] for row in card_set.tables["characters"] if row["code"] in paired}
    assert started == built == set(ARGUMENTS)
    for scalar in SCHEMA.scalars:
        values = {card_set.scalars[scalar.name] for card_set in random_sets}
        assert values == set(scalar.choices) or len(values) >= 4
    streets = {len(card_set.tables["barrels"]) for card_set in random_sets}
    assert {1, BARRELS} <= streets
    assert any(row["pieces_gold"] < 5 for card_set in random_sets for row in card_set.tables["setup"])
    sizes = [sum(row["start_copies_per_player"] for row in each.tables["characters"]) for each in random_sets]
    assert min(sizes) == 1
    assert max(sizes) > 8
    letters = {row["letter"] for card_set in random_sets for row in card_set.tables["buildings"]}
    codes = {row["code"] for card_set in random_sets for row in card_set.tables["characters"]}
    assert letters > set("ABCDEFGHIJKLMNOPQRSTUVW")
    assert any(code.startswith("New_") for code in codes)
