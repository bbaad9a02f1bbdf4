"""Lisboa's card sets: the shipped set against the rules page, every form, what is checked, random sets, parameters."""

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from simcore.cardset import CardSet, CardSetError, Problem, build, diff, document, export, load, vary
from simcore.games.lisboa.cardset import SCHEMA
from simcore.games.lisboa.checks import FIXED_ROWS, SIZES
from simcore.games.lisboa.parameters import log_cards, parameters
from simcore.games.lisboa.state import CARDS, CLERGY, DECREES, INFLUENCE, PLANS, Effect, Metric, Power, Symbol
from simcore.games.lisboa.vocabulary import (
    BLOCKS,
    CARD_TYPES,
    DISPLAY_DECKS,
    EFFECTS,
    EVENTS,
    GOODS,
    HAND_DECKS,
    METRICS,
    PENALTIES,
    PERMANENT,
    PLACE_REWARDS,
    REWARDS,
    SYMBOLS,
)
from tests.simcore.lisboa_sets import edited, inputs, random_set, shipped

DATA = Path(__file__).parents[1] / "data" / "lisboa"  # the page's tables, with derived columns
TABLES = tuple(table.name for table in SCHEMA.tables)
KEYS = {
    "house_groups": ("house_id", "group_id", "level"),
    "public_buildings": ("building_side", "public_building_id", "side"),
}
"""The keys that two tables of the page lack, and the columns that they are made of."""
FORMS = ("", ".xlsx", ".ods")
SETS = 120


def bytes_of(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()} if path.is_dir() else {"": path.read_bytes()}


def page_rows(table: str) -> list[dict[str, Any]]:
    """A table of the rules page, with a key."""
    with (DATA / f"{table}.csv").open(newline="", encoding="utf-8") as lines:
        rows = [*csv.DictReader(lines)]
    if table in KEYS:
        key, first, second = KEYS[table]
        rows = [{key: f"{row[first]}_{row[second]}"} | row for row in rows]
    return rows


def page_set(name: str = "page") -> CardSet:
    """The tables of the rules page, with their derived columns."""
    return build(SCHEMA, name, shipped().scalars, {table: page_rows(table) for table in TABLES})


# ------------------------------------------------------------------------------------------------------ shipped sets


def test_the_tables_of_the_rules_page_are_the_shipped_set() -> None:
    """With their derived columns, which agree with what follows from the others (L-0.6)."""
    assert SCHEMA.shipped == ("standard",)
    assert page_set().hash == shipped().hash


@pytest.mark.parametrize("table", TABLES)
def test_every_number_of_the_page_stands_in_its_place(table: str) -> None:
    """Every cell, as text; what follows from other columns and changes with them is left out."""
    for row, printed in zip(shipped().tables[table], page_rows(table), strict=True):
        assert {name: "" if value is None else str(value) for name, value in row.items()}.items() <= printed.items()
    missing = {name for name in page_rows(table)[0] if name not in shipped().tables[table][0]}
    assert missing <= {column.name for each in SCHEMA.tables for column in each.columns if column.role == "derived"}


def test_the_shipped_set_is_what_the_rules_page_says() -> None:
    """L-1.1, L-1.2, L-1.5, L-2.5, L-2.6, L-7.1, L-8.3, L-11.10, L-17.3, L-17.6."""
    tables = shipped().tables
    assert Counter(row["deck"] for row in tables["political_cards"]) == {
        "blue": 21,
        "red": 20,
        "purple": 21,
        "brown": 20,
    }
    assert [len(tables[table]) for table in ("decrees", "clergy_tiles", "plans", "public_buildings")] == [
        70,
        37,
        20,
        32,
    ]
    assert Counter(row["decree_kind"] for row in tables["decrees"]) == {f"DK{kind:02}": 2 for kind in range(1, 36)}
    assert sum(row["cube_count"] for row in tables["rubble_kinds"]) == 63
    on_map = sum(row["cubes_at_setup"] for row in tables["rubble_zones"])
    assert on_map + sum(row["rubble_cubes"] for row in tables["public_sites"]) == 63
    assert [row["hull_size"] for row in tables["ships"]] == [1, 2, 3, 4]
    assert [[row[f"copies_{seats}p"] for seats in (2, 3, 4)] for row in tables["ships"]] == [[1, 2, 3]] * 4
    assert Counter(row["group_id"] for row in tables["house_groups"]) == {"shipping": 2, "court": 3, "workshop": 3}
    assert sum(row["coin_icon"] for row in tables["influence_track"]) == 6
    assert [row["influence_start"] for row in tables["player_setup"]] == [4, 5, 6, 7]
    officials = tables["endgame_scoring"][5]
    assert [officials[name] for name in ("first_wigs", "second_wigs", "third_wigs")] == [15, 10, 5]


def test_the_scalars_are_the_parameters_of_the_page() -> None:
    """L-5.1, L-5.2, L-5.5, L-5.6, L-9.1, L-9.4, L-9.5, L-9.6, L-9.9, L-9.10, L-10.9, L-12.3, L-14.4, L-16.1, L-16.6,
    L-17.4; the rulings L-6.6, L-10.7, L-13.8, L-13.11, L-14.6.
    """
    assert shipped().scalars == {
        "portfolio_base": 2,
        "portfolio_top_slots": 3,
        "portfolio_bottom_slots": 3,
        "warehouse_base": 2,
        "max_rubble_per_kind": 5,
        "set_markers_per_player": 5,
        "hand_size": 5,
        "decree_display": 8,
        "trade_max_goods": 2,
        "recruit_max_officials": 2,
        "office_capacity": 6,
        "plan_limit_per_player": 8,
        "cardinal_max_steps": 2,
        "clergy_limit_per_player": 4,
        "royal_favor_limit_per_noble": 1,
        "period_1_end_sets": 2,
        "game_end_sets": 4,
        "end_trigger_empty_decks": 3,
        "end_reais_per_wig": 5,
        "set_marker_decrees": 1,
        "decree_markers_per_turn": 1,
        "visit_reais_max": 6,
        "end_count_influence_coins": "yes",
        "auto_payment": "no",
        "north_site_colours": "no",
        "hiring": "yes",
        "influence_per_tile": "no",
        "free_follows": "no",
    }


def test_the_shipped_set_is_written_as_export_writes_it(tmp_path: Path) -> None:
    export(shipped(), tmp_path / "set")
    for file in ("rules.toml", *(f"{table}.csv" for table in TABLES)):
        stands = (SCHEMA.card_sets / "standard" / file).read_bytes().replace(b"\r\n", b"\n")  # git on Windows
        assert (tmp_path / "set" / file).read_bytes() == stands


def test_hashes_stay_what_they_are() -> None:
    """Runs refer to card sets by their hash, so a change here is a change of the format."""
    assert shipped().hash == "cd2057424dfd436a39a6d47c8fc577d72f0400d9145eda4622d790bee80836e5"


def test_the_words_of_the_tables_are_those_of_the_engine() -> None:
    """L-5.7, L-12.5, L-14.1, L-15.5."""
    assert [*EFFECTS] == [effect.name.lower() for effect in Effect]
    assert [metric.upper() for metric in METRICS] == [metric.name for metric in Metric]
    assert [*SYMBOLS] == [symbol.name.lower() for symbol in Symbol]
    assert not set(PLACE_REWARDS) & {"state_action", "state_action_any", "noble_action", *PENALTIES}


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


def test_the_schema_as_a_page_explains_every_table() -> None:
    page = document(SCHEMA)
    assert "`--vary decrees.DECREE_KIND.COLUMN=…` changes all of them." in page
    for table in SCHEMA.tables:
        assert f"## {table.name}.csv" in page


def test_every_table_has_free_rows_fixed_rows_or_is_a_track() -> None:
    tracks = {"price_track", "treasury_track", "influence_track"}
    assert {*SIZES, *FIXED_ROWS, *tracks} == set(TABLES)
    for table in SCHEMA.tables:
        assert {**SIZES, **FIXED_ROWS}.get(table.name, (table.key,))[0] == table.key


def test_differences_are_told_once_for_all_copies() -> None:
    tables = inputs(shipped())
    for row in tables["decrees"]:
        row["wigs"] += row["decree_kind"] == "DK05"
    tables["clergy_tiles"][3]["back_wigs"] = 5
    tables["house_groups"][4]["ability_amount"] = 3
    assert diff(shipped(), edited(tables=tables, hand_size=4)) == [
        "rules: hand_size 5 -> 4",
        "decrees DK05: wigs 5 -> 6",
        "clergy_tiles clergy_04: back_wigs 2 -> 5",
        "house_groups court_3: ability_amount 2 -> 3",
    ]


@pytest.mark.parametrize(
    ("word", "values"),
    [
        ("decrees.DK05.wigs=3,5", (3, 5)),
        ("house_groups.court_1.ability_amount=0:2", (0, 1, 2)),
        ("public_buildings.PB01_blue.serves_gold=0,1", (0, 1)),
        ("political_cards.blue_builder_2.reward_amount=1,4", (1, 2, 4)),
        ("treasury_track.3.influence_cost=1:3", (1, 2, 3)),
        ("endgame_scoring.rubble_sets.wigs_per_unit=2:4", (2, 3, 4)),
        ("rules.hiring=yes,no", ("yes", "no")),
    ],
)
def test_values_are_varied(word: str, values: tuple[object, ...]) -> None:
    (axis,) = vary.read(shipped(), [word])
    assert axis.values == values
    for value in axis.values:
        assert vary.value_of(vary.edited(shipped(), {axis.path: value}), axis.path) == value


# ---------------------------------------------------------------------------------------------------------- mistakes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The page's tables, with derived columns."""
    export(page_set(), tmp_path / "mine", "mine")
    return tmp_path / "mine"


def problems_of(folder: Path) -> list[str]:
    with pytest.raises(CardSetError) as caught:
        load(SCHEMA, folder)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("table", TABLES)
def test_a_table_that_is_missing_is_all_that_is_told(folder: Path, table: str) -> None:
    (folder / f"{table}.csv").unlink()
    assert problems_of(folder) == [f"{table}.csv: is missing in the folder"]


REWARD_OR_PENALTY = ", ".join([*REWARDS, *PENALTIES])
REWARD_CODES = ", ".join(REWARDS)
EVENT_CODES = ", ".join(EVENTS)
PLACE_CODES = ", ".join(PLACE_REWARDS)
METRIC_WORDS = ", ".join(METRICS)
LASTING = ", ".join(PERMANENT)
BLOCK_IDS = ", ".join(BLOCKS)

MISTAKES = {
    "an effect misspelt": (
        "political_cards.csv",
        ("reward,gain_reais,,2", "reward,gain_reals,,2"),
        'political_cards.csv, row 3, column reward_code: "gain_reals" is not one of the choices; allowed: '
        f"{REWARD_OR_PENALTY}, or blank; nearest: gain_reais",
    ),
    "an effect that is missing": (
        "political_cards.csv",
        ("reward,gain_reais,,2", "reward,,,"),
        "political_cards.csv, row 3, column reward_code: is blank, but the bottom_kind is reward; allowed: the "
        "code of an effect",
    ),
    "an effect without its code": (
        "political_cards.csv",
        ("reward,gain_reais,,2", "reward,,,2"),
        "political_cards.csv, row 3, column reward_code: is blank, but reward_amount is 2; allowed: the code of "
        "an effect, or all blank",
    ),
    "an amount that is missing": (
        "political_cards.csv",
        ("reward,gain_reais,,2", "reward,gain_reais,,"),
        "political_cards.csv, row 3, column reward_amount: is blank, but gain_reais has an amount; allowed: a "
        "whole number from 0 to 99; nearest: 0",
    ),
    "an amount that is no number": (
        "political_cards.csv",
        ("reward,gain_reais,,2", "reward,gain_reais,,two"),
        'political_cards.csv, row 3, column reward_amount: "two" is not a whole number; allowed: a whole number '
        "from 0 to 99, or blank",
    ),
    "an amount that is too large": (
        "political_cards.csv",
        ("state_action,recruit,1", "state_action,recruit,2"),
        'political_cards.csv, row 4, column reward_amount: "2" is more than state_action allows; allowed: 1; '
        "nearest: 1",
    ),
    "an amount that is too small": (
        "political_cards.csv",
        ("reward,gain_good,tools,1", "reward,gain_good,tools,0"),
        'political_cards.csv, row 2, column reward_amount: "0" is less than gain_good allows; allowed: a whole '
        "number from 1 to 9; nearest: 1",
    ),
    "an argument that is missing": (
        "political_cards.csv",
        ("reward,gain_good,tools,1", "reward,gain_good,,1"),
        "political_cards.csv, row 2, column reward_arg: is blank, but gain_good needs an argument; allowed: "
        "gold, cloth, books, tools, any, store_type",
    ),
    "an argument misspelt": (
        "political_cards.csv",
        ("reward,gain_good,tools,1", "reward,gain_good,tool,1"),
        'political_cards.csv, row 2, column reward_arg: "tool" is not one of the choices; allowed: gold, cloth, '
        "books, tools, any, recruit, plan, ship, produce, cardinal, favor, all, or blank; nearest: tools",
    ),
    "an argument of another effect": (
        "political_cards.csv",
        ("reward,gain_good,tools,1", "reward,gain_good,favor,1"),
        'political_cards.csv, row 2, column reward_arg: "favor" cannot stand with gain_good; allowed: gold, '
        "cloth, books, tools, any, store_type",
    ),
    "an argument of blocks only": (
        "political_cards.csv",
        ("reward,gain_good,tools,1", "reward,gain_good,store_type,1"),
        'political_cards.csv, row 2, column reward_arg: "store_type" is not one of the choices; allowed: gold, '
        "cloth, books, tools, any, recruit, plan, ship, produce, cardinal, favor, all, or blank",
    ),
    "an argument that is not used": (
        "political_cards.csv",
        ("reward,gain_reais,,2", "reward,gain_reais,gold,2"),
        'political_cards.csv, row 3, column reward_arg: "gold" cannot stand with gain_reais, which has no '
        "argument; allowed: blank",
    ),
    "the only argument missing": (
        "house_groups.csv",
        ("visit_reais,any,2", "visit_reais,,2"),
        "house_groups.csv, row 4, column ability_arg: is blank, but visit_reais needs an argument; allowed: any; "
        "nearest: any",
    ),
    "a penalty as a reward": (
        "political_cards.csv",
        ("reward,gain_reais,,2", "reward,pay_reais,,2"),
        f'political_cards.csv, row 3, column reward_code: "pay_reais" is no reward; allowed: {REWARD_CODES}; '
        "nearest: gain_reais",
    ),
    "a reward as a penalty": (
        "political_cards.csv",
        ("penalty,pay_reais,,2", "penalty,gain_reais,,2"),
        'political_cards.csv, row 6, column reward_code: "gain_reais" is no penalty; allowed: pay_reais, '
        "pay_wigs, pay_good; nearest: pay_reais",
    ),
    "a reward that stands beside none": (
        "political_cards.csv",
        ("reward,gain_reais,,2", "none,gain_reais,,2"),
        'political_cards.csv, row 3, column reward_code: "gain_reais" must not be there: the bottom_kind is '
        "none; allowed: blank",
    ),
    "a penalty as an event": (
        "political_cards.csv",
        ("gain_influence,,1", "pay_wigs,,1"),
        'political_cards.csv, row 22, column event_code: "pay_wigs" is not one of the choices; allowed: '
        f"{EVENT_CODES}, or blank; nearest: gain_wigs",
    ),
    "an event that lasts": (
        "political_cards.csv",
        ("gain_influence,,1", "store_wigs,,1"),
        'political_cards.csv, row 22, column event_code: "store_wigs" is not one of the choices; allowed: '
        f"{EVENT_CODES}, or blank",
    ),
    "a permanent effect of a noble card": (
        "political_cards.csv",
        ("gain_reais,,2,,,,,,,", "gain_reais,,2,store_wigs,,2,,,,"),
        'political_cards.csv, row 3, column permanent_code: "store_wigs" must not be there: only treasury cards '
        "have one; allowed: blank",
    ),
    "a treasury card without an event": (
        "political_cards.csv",
        ("sale_bonus,tools,1,state_action_any,,2", "sale_bonus,tools,1,,,"),
        "political_cards.csv, row 21, column event_code: is blank, but a treasury card has one at the Royal "
        "Court; allowed: the code of an effect",
    ),
    "a treasury card with influence": (
        "political_cards.csv",
        ("treasury,1,0,none", "treasury,1,1,none"),
        'political_cards.csv, row 17, column influence: "1" is the influence of a treasury card, which counts '
        "nowhere; allowed: 0; nearest: 0",
    ),
    "a treasury card with a kind of bottom": (
        "political_cards.csv",
        ("treasury,1,0,none,,,", "treasury,1,0,reward,,,"),
        'political_cards.csv, row 17, column bottom_kind: "reward" is the bottom of a treasury card, which has '
        "none; allowed: none; nearest: none",
    ),
    "a card of two names alike": (
        "political_cards.csv",
        ("blue_builder_2,", "Blue_Builder_1,"),
        'political_cards.csv, row 3, column card_id: "Blue_Builder_1" has the same name in the card log as '
        "blue_builder_1 (blue_builder_1); allowed: a card_id of its own; nearest: Blue_Builder_1_2",
    ),
    "a card named like a plan": (
        "political_cards.csv",
        ("blue_builder_2,", "plan_blue_3,"),
        'plans.csv, row 8, column plan_id: "plan_blue_3" has the same name in the card log as plan_blue_3 of '
        "political_cards.csv (plan_blue_3); allowed: a plan_id of its own; nearest: plan_blue_3_2",
    ),
    "a card named like a ship": (
        "political_cards.csv",
        ("blue_builder_2,", "ship_red_2,"),
        'political_cards.csv, row 3, column card_id: "ship_red_2" has the same name in the card log as ship_red '
        "of ships.csv (ship_red_2); allowed: a card_id of its own; nearest: ship_red_2_2",
    ),
    "a card twice": (
        "political_cards.csv",
        ("blue_builder_2,", "blue_builder_1,"),
        'political_cards.csv, row 3, column card_id: "blue_builder_1" stands in row 2 already; allowed: each '
        "card_id once",
    ),
    "a role out of date": (
        "political_cards.csv",
        ("1755-1757,hand,builder,1", "1755-1757,display,builder,1"),
        'political_cards.csv, row 2, column role: "display" does not follow from the other columns; allowed: '
        "what follows from the other columns, or no such column; nearest: hand",
    ),
    "a price of a block": (
        "downtown_blocks.csv",
        ("gain_reais,,5", "pay_reais,,5"),
        'downtown_blocks.csv, row 2, column reward_code: "pay_reais" is not one of the choices; allowed: '
        f"{PLACE_CODES}, or blank; nearest: gain_reais",
    ),
    "the type of a store at a site": (
        "public_sites.csv",
        ("gain_good,any,1", "gain_good,store_type,1"),
        'public_sites.csv, row 3, column reward_arg: "store_type" is not one of the choices; allowed: gold, '
        "cloth, books, tools, any, all, or blank",
    ),
    "a block that is not on the map": (
        "downtown_blocks.csv",
        ("A1,", "A6,"),
        f'downtown_blocks.csv, row 2, column block_id: "A6" is not one of the choices; allowed: {BLOCK_IDS}',
    ),
    "a street moved": (
        "downtown_blocks.csv",
        ("A1,0,A,1,gold,", "A1,0,A,1,cloth,"),
        'downtown_blocks.csv, row 2, column street_1: "cloth" does not follow from the other columns; allowed: '
        "what follows from the other columns, or no such column; nearest: gold",
    ),
    "a block closed": (
        "downtown_blocks.csv",
        ("gain_reais,,5,0", "gain_reais,,5,1"),
        'downtown_blocks.csv, row 2, column closed_in_2p: "1" does not follow from the other columns; allowed: '
        "what follows from the other columns, or no such column; nearest: 0",
    ),
    "a site twice": (
        "public_sites.csv",
        ("WB,", "WA,"),
        'public_sites.csv, row 3, column site_id: "WA" stands in row 2 already; allowed: each site_id once',
    ),
    "a north site in a row": (
        "public_sites.csv",
        ("N1,5,N,,gold", "N1,5,N,A,gold"),
        'public_sites.csv, row 7, column row: "A" does not follow from the other columns; allowed: what follows '
        "from the other columns, or no such column",
    ),
    "a copy of a decree that differs": (
        "decrees.csv",
        ("decree_02,DK01,stores_gold,per,1,2", "decree_02,DK01,stores_gold,per,1,3"),
        'decrees.csv, row 3, column wigs: "3" differs from row 2, a copy of the same card (decree_kind DK01); '
        "allowed: the same value in all rows with decree_kind DK01; nearest: 2",
    ),
    "a metric misspelt": (
        "decrees.csv",
        ("decree_01,DK01,stores_gold", "decree_01,DK01,store_gold"),
        f'decrees.csv, row 2, column metric: "store_gold" is not one of the choices; allowed: {METRIC_WORDS}; '
        "nearest: stores_gold",
    ),
    "a threshold of nothing": (
        "decrees.csv",
        ("clergy_tiles,threshold,3", "clergy_tiles,threshold,0"),
        'decrees.csv, row 52, column unit_or_threshold: "0" is less than 1; allowed: a whole number from 1 to '
        "99; nearest: 1",
    ),
    "a tile of another kind": (
        "clergy_tiles.csv",
        ("clergy_02,CK01,land_discount,,2", "clergy_02,CK01,land_discount,,3"),
        'clergy_tiles.csv, row 3, column permanent_amount: "3" differs from clergy_01, a tile of the same kind '
        "(CK01); allowed: the same value in all rows with clergy_kind CK01; nearest: 2",
    ),
    "a tile of a kind with another effect": (
        "clergy_tiles.csv",
        ("clergy_12,CK06,visit_discount,builder", "clergy_12,CK06,visit_discount,king"),
        'clergy_tiles.csv, row 13, column permanent_arg: "king" differs from clergy_11, a tile of the same kind '
        "(CK06); allowed: the same value in all rows with clergy_kind CK06; nearest: builder",
    ),
    "a permanent effect misspelt": (
        "clergy_tiles.csv",
        ("clergy_12,CK06,visit_discount,", "clergy_12,CK06,visit_discuont,"),
        'clergy_tiles.csv, row 13, column permanent_code: "visit_discuont" is not one of the choices; allowed: '
        f"{LASTING}; nearest: visit_discount",
    ),
    "an instant effect of a tile": (
        "clergy_tiles.csv",
        ("clergy_37,CK19,decree_bonus,,1", "clergy_37,CK19,gain_wigs,,1"),
        'clergy_tiles.csv, row 38, column permanent_code: "gain_wigs" is not one of the choices; allowed: '
        f"{LASTING}; nearest: sail_wigs",
    ),
    "a plan order with a gap": (
        "plans.csv",
        ("plan_blue_3,blue,0,3,", "plan_blue_3,blue,0,9,"),
        'plans.csv, row 9, column pile_order: "4" is place 3 of the blue pile, counted from the top; allowed: 1, '
        "2, 3 ... in each pile, each once; nearest: 3",
    ),
    "a plan order twice": (
        "plans.csv",
        ("plan_blue_3,blue,0,3,", "plan_blue_3,blue,0,2,"),
        'plans.csv, row 8, column pile_order: "2" is place 3 of the blue pile, counted from the top; allowed: 1, '
        "2, 3 ... in each pile, each once; nearest: 3",
    ),
    "a starting plan in a pile": (
        "plans.csv",
        ("plan_start_2,green,1,0", "plan_start_2,green,1,1"),
        'plans.csv, row 3, column pile_order: "1" is the place of a starting plan, which lies in no pile; '
        "allowed: 0; nearest: 0",
    ),
    "a pile that is not sorted": (
        "plans.csv",
        ("plan_green_2,green,0,2,2", "plan_green_2,green,0,2,4"),
        'plans.csv, row 16, column officials_required: "2" is less than the 4 of plan_green_2, which lies above '
        "it; allowed: at least 4, or another pile_order: fewest officials on top; nearest: 4",
    ),
    "a plan without officials": (
        "plans.csv",
        ("plan_green_1,green,0,1,1", "plan_green_1,green,0,1,0"),
        'plans.csv, row 14, column officials_required: "0" is less than 1; allowed: a whole number from 1 to 8; '
        "nearest: 1",
    ),
    "too few starting plans": (
        "plans.csv",
        ("plan_start_1,blue,1,0,2", "plan_start_1,blue,0,9,4"),
        "plans.csv, column is_starting: has 3 starting plans, and 4 players get one; allowed: at least 4 "
        "starting plans",
    ),
    "a side twice": (
        "public_buildings.csv",
        ("PB01_green,PB01,green", "PB01_green,PB01,blue"),
        'public_buildings.csv, row 3, column side: "blue" is the blue side of PB01 again; allowed: each side of '
        "a tile once; nearest: green",
    ),
    "a tile with one side": (
        "public_buildings.csv",
        ("PB01_green,PB01,green,0,0,1,1,reconstructed\n", ""),
        'public_buildings.csv, row 2, column public_building_id: "PB01" has no row for its green side; allowed: '
        "a blue and a green side for each tile",
    ),
    "an odd number of tiles": (
        "public_buildings.csv",
        ("PB01_blue,PB01,blue,1,1,0,0,reconstructed\nPB01_green,PB01,green,0,0,1,1,reconstructed\n", ""),
        "public_buildings.csv, column public_building_id: has 15 tiles, which two stacks cannot share; allowed: "
        "an even number of tiles",
    ),
    "a level twice": (
        "house_groups.csv",
        ("court_2,court,1,2", "court_2,court,1,1"),
        'house_groups.csv, row 5, column level: "1" is house number 2 of the group court, by level; allowed: 1, '
        "2, 3 ... in each group, each once; nearest: 2",
    ),
    "a level with a gap": (
        "house_groups.csv",
        ("court_3,court,1,3", "court_3,court,1,4"),
        'house_groups.csv, row 6, column level: "4" is house number 3 of the group court, by level; allowed: 1, '
        "2, 3 ... in each group, each once; nearest: 3",
    ),
    "a house too few": (
        "house_groups.csv",
        ("court_3,court,1,3,visit_reais,any,2,reconstructed\n", ""),
        'player_setup.csv, row 2, column houses: "8" does not follow from the other columns (4 wrong cells in '
        "this column); allowed: what follows from the other columns, or no such column; nearest: 7",
    ),
    "a ship without a hull": (
        "ships.csv",
        ("ship_blue,blue,1,1,1,1", "ship_blue,blue,1,1,0,1"),
        'ships.csv, row 2, column hull_size: "0" is less than 1; allowed: a whole number from 1 to 9; nearest: 1',
    ),
    "more copies than are in the box": (
        "ships.csv",
        ("1,0,3,1,2,3,", "1,0,3,1,2,4,"),
        'ships.csv, row 2, column copies_total: "3" does not follow from the other columns; allowed: what '
        "follows from the other columns, or no such column; nearest: 4",
    ),
    "a ship that is missing": (
        "ships.csv",
        ("ship_brown,brown,2,2,4,4,3,2,3,1,2,3,rulebook,reconstructed\n", ""),
        "ships.csv, column ship_id: has no row for ship_brown; allowed: a row for each of ship_blue, ship_red, "
        "ship_purple, ship_brown",
    ),
    "a price off the track": (
        "goods.csv",
        ("any,0,5,", "any,0,7,"),
        'goods.csv, row 2, column price_start: "7" is more than 6, the last step of price_track.csv; allowed: at '
        "most 6; nearest: 6",
    ),
    "too few goods": (
        "goods.csv",
        ("yellow,17,", "yellow,3,"),
        'goods.csv, row 2, column token_count: "3" is too few: the players start with 4 in all; allowed: at '
        "least 4; nearest: 4",
    ),
    "a price track with a gap": (
        "price_track.csv",
        ("4,4,reconstructed\n", ""),
        "price_track.csv, column step: has no step 4, though it goes on to 6; allowed: each step from 1 on, "
        "without a gap",
    ),
    "a step twice": (
        "price_track.csv",
        ("4,4,", "3,4,"),
        'price_track.csv, row 5, column step: "3" stands in row 4 already; allowed: each step once',
    ),
    "a second start": (
        "treasury_track.csv",
        ("5,5,3,0", "5,5,3,1"),
        'treasury_track.csv, row 6, column is_start: "1" is a second start beside step 3; allowed: 1 in exactly '
        "one row; nearest: 0",
    ),
    "no start": (
        "treasury_track.csv",
        ("3,3,2,1", "3,3,2,0"),
        "treasury_track.csv, column is_start: is 1 in no row; allowed: 1 in exactly one row",
    ),
    "no station of the Cardinal": (
        "church_track.csv",
        ("0,church_scoring,5,0,1", "0,church_scoring,5,0,0"),
        "church_track.csv, column is_start: is 1 in no row; allowed: 1 in exactly one row",
    ),
    "a slot out of place": (
        "church_track.csv",
        ("1,none,0,1,0", "1,none,1,1,0"),
        'church_track.csv, row 3, column clergy_slot_left: "1" does not follow from the other columns; allowed: '
        "what follows from the other columns, or no such column; nearest: 0",
    ),
    "an influence track with a gap": (
        "influence_track.csv",
        ("5,1,0,reconstructed\n", ""),
        "influence_track.csv, column space: has no space 5, though it goes on to 10; allowed: each space from 0 "
        "on, without a gap",
    ),
    "influence off the track": (
        "player_setup.csv",
        ("4,7,5,", "4,11,5,"),
        'player_setup.csv, row 5, column influence_start: "11" is more than 10, the last space of '
        "influence_track.csv; allowed: at most 10; nearest: 10",
    ),
    "a hand of another size": (
        "player_setup.csv",
        ("1,1,1,5,seed", "1,1,1,6,seed"),
        'player_setup.csv, row 2, column hand_size: "6" does not follow from the other columns; allowed: what '
        "follows from the other columns, or no such column; nearest: 5",
    ),
    "more goods than a warehouse holds": (
        "player_setup.csv",
        ("1,4,5,10,1,", "1,4,5,10,3,"),
        'player_setup.csv, row 2, column goods_each_type_start: "3" is more than 2, warehouse_base, the room for '
        "a type; allowed: at most 2; nearest: 2",
    ),
    "more officials in the office than there are": (
        "player_setup.csv",
        ("1,4,5,10,1,8,8,1", "1,4,5,10,1,8,2,3"),
        'player_setup.csv, row 2, column officials_in_marquis_office: "3" is more than the 2 officials of the '
        "player; allowed: at most 2; nearest: 2",
    ),
    "a place that is missing": (
        "player_setup.csv",
        ("4,7,5,10,1,8,8,1,2,1,1,1,5,seed\n", ""),
        "player_setup.csv, column seat: has no row for 4; allowed: a row for each of 1, 2, 3, 4",
    ),
    "too few cubes": (
        "rubble_kinds.csv",
        ("brown,3,21,", "brown,3,20,"),
        "rubble_kinds.csv, column cube_count: is 62 for all kinds together, and the map takes 35 + 28 cubes; "
        "allowed: at least 63 cubes, or fewer of them in rubble_zones.csv or public_sites.csv",
    ),
    "too many cubes": (
        "rubble_kinds.csv",
        ("brown,3,21,", "brown,3,121,"),
        "rubble_kinds.csv, column cube_count: is 163 for all kinds together; allowed: at most 128 cubes",
    ),
    "more cubes on the map than there are": (
        "rubble_zones.csv",
        ("row_A,0,row,A,3", "row_A,0,row,A,4"),
        "rubble_kinds.csv, column cube_count: is 63 for all kinds together, and the map takes 36 + 28 cubes; "
        "allowed: at least 64 cubes, or fewer of them in rubble_zones.csv or public_sites.csv",
    ),
    "a limit of cubes in another table": (
        "rubble_kinds.csv",
        ("3,21,5", "3,21,6"),
        'rubble_kinds.csv, row 2, column max_per_player: "6" does not follow from the other columns; allowed: '
        "what follows from the other columns, or no such column; nearest: 5",
    ),
    "more tiles on display than there are": (
        "city_tiles.csv",
        ("gold,large,7,1", "gold,large,7,8"),
        'city_tiles.csv, row 2, column display_spaces: "8" is more than the 7 tiles of the kind; allowed: at '
        "most 7; nearest: 7",
    ),
    "a printed value under a tile": (
        "store_columns.csv",
        ("2,1,1,,", "2,1,1,3,"),
        'store_columns.csv, row 3, column fixed_wigs: "3" stands in column 2, whose value lies on its scoring '
        "tile; allowed: blank",
    ),
    "no printed value": (
        "store_columns.csv",
        ("5,4,,2,", "5,4,,,"),
        "store_columns.csv, row 6, column fixed_wigs: is blank, but column 5 has no scoring tile; allowed: a "
        "whole number from 0 to 20",
    ),
    "a scoring tile too few": (
        "scoring_tiles.csv",
        ("S4,4,reconstructed\n", ""),
        "scoring_tiles.csv: has 3 rows, and there are 4 spaces; allowed: 4 scoring tiles",
    ),
    "a scoring tile too many": (
        "scoring_tiles.csv",
        ("S4,4,reconstructed\n", "S4,4,reconstructed\nS5,5,mine\n"),
        'scoring_tiles.csv, row 6, column scoring_tile_id: "S5" is row number 5 of 5; allowed: at most 4 rows',
    ),
    "wigs for what is not scored so": (
        "endgame_scoring.csv",
        ("decrees,5,per_card,,", "decrees,5,per_card,2,"),
        'endgame_scoring.csv, row 6, column wigs_per_unit: "2" cannot stand with decrees, which does not use it; '
        "allowed: blank",
    ),
    "a place that is blank": (
        "endgame_scoring.csv",
        (",15,10,5,15,5,", ",15,10,,15,5,"),
        "endgame_scoring.csv, row 7, column third_wigs: is blank, but officials_majority has it; allowed: a "
        "number of wigs",
    ),
    "another number of wigs for money": (
        "endgame_scoring.csv",
        ("reais,4,per_unit,1,", "reais,4,per_unit,2,"),
        'endgame_scoring.csv, row 5, column wigs_per_unit: "2" is not 1, the wig for so many reais; allowed: 1, '
        "with another end_reais_per_wig in the rules; nearest: 1",
    ),
    "wigs of favors in another table": (
        "royal_favors.csv",
        ("4,1,2,", "4,1,3,"),
        'royal_favors.csv, row 2, column end_wigs_each: "3" does not follow from the other columns; allowed: '
        "what follows from the other columns, or no such column; nearest: 2",
    ),
    "a small office": (
        "rules.toml",
        ("office_capacity = 6", "office_capacity = 3"),
        'rules.toml, line 36, office_capacity: "3" is less than the 4 officials that start in the Marquis\' '
        "office; allowed: at least 4; nearest: 4",
    ),
    "a hand of one card": (
        "rules.toml",
        ("hand_size = 5", "hand_size = 1"),
        'rules.toml, line 24, hand_size: "1" is less than 2; allowed: a whole number from 2 to 7; nearest: 2',
    ),
    "a switch": (
        "rules.toml",
        ('hiring = "yes"', 'hiring = "ye"'),
        'rules.toml, line 81, hiring: "ye" is not one of the choices; allowed: yes, no; nearest: yes',
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_one_mistake_gives_one_message(folder: Path, mistake: str) -> None:
    """Also where derived columns stand in the tables."""
    name, (old, new), message = MISTAKES[mistake]
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert problems_of(folder) == [message]


def test_mistakes_in_a_workbook_name_the_cell(tmp_path: Path) -> None:
    export(shipped(), tmp_path / "mine.xlsx", "mine")
    book = openpyxl.load_workbook(tmp_path / "mine.xlsx")
    book["clergy_tiles"]["E3"] = 3
    book.save(tmp_path / "mine.xlsx")
    assert problems_of(tmp_path / "mine.xlsx") == [
        'mine.xlsx, sheet clergy_tiles, cell E3 (permanent_amount): "3" differs from clergy_01, a tile of the same '
        "kind (CK01); allowed: the same value in all rows with clergy_kind CK01; nearest: 2"
    ]


def problems_with(tables: dict[str, list[dict[str, Any]]], **scalars: Any) -> list[Problem]:
    with pytest.raises(CardSetError) as caught:
        edited(tables=tables, **scalars)
    return list(caught.value.problems)


def said(tables: dict[str, list[dict[str, Any]]], **scalars: Any) -> list[str]:
    return [str(problem) for problem in problems_with(tables, **scalars)]


def without(table: str, count: int, **values: Any) -> list[dict[str, Any]]:
    """The rows of a table without the first ones that have these values, as many as `count` says."""
    rows = inputs(shipped())[table]
    gone = [row for row in rows if values.items() <= row.items()][:count]
    return [row for row in rows if row not in gone]


def test_hands_that_the_decks_cannot_fill() -> None:
    """L-2.3, L-16.5: both decks, by four players."""
    assert said({}, hand_size=6) == [
        f"political_cards.csv, column deck: has 21 {deck} cards, and 4 players are dealt 6 each; "
        f"allowed: at least 24 {deck} cards, or a smaller hand_size"
        for deck in HAND_DECKS
    ]
    assert edited(tables={"political_cards": without("political_cards", 5, deck="blue")}, hand_size=4).scalars


def test_display_decks_have_a_card_and_not_too_many() -> None:
    """L-2.5, L-16.5."""
    rows = without("political_cards", 4, deck="red", card_type="king")
    assert edited(tables={"political_cards": rows}).name == "edited"
    none = without("political_cards", 5, deck="red", card_type="king")
    assert said({"political_cards": none}) == [
        "political_cards.csv, column card_type: has 0 red cards of the type king; allowed: 1 to 16 of them"
    ]
    more = [row | {"card_id": f"more_{number}"} for number, row in enumerate(rows[-1:] * 12)]
    assert said({"political_cards": [*rows, *more]}) == [
        "political_cards.csv, column card_type: has 17 brown cards of the type treasury; allowed: 1 to 16 of them"
    ]


def test_decrees_for_two_players() -> None:
    """L-2.5, L-18.1."""
    rows = inputs(shipped())["decrees"][:24]
    for row in rows[:16]:
        row["remove_in_2p"] = 1
    assert said({"decrees": rows}) == [
        "decrees.csv, column remove_in_2p: has 6 decrees for two players, and 8 are on display; allowed: at least 8 of "
        "them, or a smaller decree_display"
    ]
    assert edited(tables={"decrees": rows}, decree_display=6).scalars["decree_display"] == 6


def test_clergy_tiles_for_the_offers_and_the_church() -> None:
    """L-2.3, L-2.4: a tile for each player and six, or as many as are on offer."""
    rows, players = inputs(shipped())["clergy_tiles"], inputs(shipped())["player_setup"]
    assert len(edited(tables={"clergy_tiles": rows[:10]}).tables["clergy_tiles"]) == 10
    few = "clergy_tiles.csv: has {} tiles, too few for the offers to 4 players and the Church after them; "
    few += "allowed: at least {} tiles"
    assert said({"clergy_tiles": rows[:9]}) == [few.format(9, 10)]
    for row in players:
        row["clergy_drawn"] = 4
    assert said({"clergy_tiles": rows[:10], "player_setup": players}) == [few.format(10, 16)]


def test_starting_plans_are_needed_by_those_who_get_one() -> None:
    """L-2.3."""
    tables = {"plans": without("plans", 1, is_starting=1), "player_setup": inputs(shipped())["player_setup"]}
    assert said(tables) == [
        "plans.csv, column is_starting: has 3 starting plans, and 4 players get one; allowed: at least 4 starting plans"
    ]
    tables["player_setup"][3]["starting_plans"] = 0
    assert len(edited(tables=tables).tables["plans"]) == 19


def test_a_pile_that_is_too_high() -> None:
    rows = inputs(shipped())["plans"]
    more = [rows[11] | {"plan_id": f"more_{number}", "pile_order": 9 + number} for number in range(9)]
    assert said({"plans": [*rows, *more]}) == [
        'plans.csv, row 30, column pile_order: "17" is place 17 of 17 in the blue pile; allowed: at most 16 plans in a '
        "pile"
    ]


def test_too_many_kinds() -> None:
    """The card log has room for 64 kinds of decrees, and of Clergy tiles."""
    row = inputs(shipped())["decrees"][0]
    rows = [row | {"decree_id": f"decree_{number}", "decree_kind": f"K{number}"} for number in range(65)]
    assert said({"decrees": rows}) == [
        'decrees.csv, row 66, column decree_kind: "K64" is kind number 65 of 65; allowed: at most 64 kinds'
    ]


@pytest.mark.parametrize(
    ("table", "most"),
    [("political_cards", CARDS), ("decrees", DECREES), ("clergy_tiles", CLERGY), ("plans", PLANS)],
)
def test_tables_that_are_too_long(table: str, most: int) -> None:
    key, rows = SIZES[table][0], inputs(shipped())[table]
    rows += [rows[0] | {key: f"more_{number}"} for number in range(most - len(rows))]
    assert len(edited(tables={table: rows}).tables[table]) == most
    (problem,) = problems_with({table: [*rows, rows[0] | {key: "one_more"}]})
    assert (problem.value, problem.row, problem.allowed) == ("one_more", most + 2, f"at most {most} rows")


def test_tracks_that_are_too_long_or_too_short() -> None:
    """L-6.1, L-7.1."""
    spaces = [{"space": space, "coin_icon": 0, "wig_icon": 0} for space in range(INFLUENCE)]
    assert len(edited(tables={"influence_track": spaces}).tables["influence_track"]) == INFLUENCE
    assert said({"influence_track": [*spaces, spaces[0] | {"space": INFLUENCE}]}) == [
        'influence_track.csv, row 18, column space: "16" is more than 15; allowed: a whole number from 0 to 15; '
        "nearest: 15"
    ]
    assert "influence_track.csv, column space: has one space only; allowed: at least 2 spaces" in said(
        {"influence_track": spaces[:1]}
    )


def test_a_site_gives_what_the_vocabulary_allows_there_and_nothing_else() -> None:
    """L-13.9, L-15.5: every code, without an argument, with one of its own and with others."""
    rows = inputs(shipped())["public_sites"]
    for code, scope in EFFECTS.items():
        for argument in {None, "any", "store_type", *scope.arguments[-1:]}:
            rows[0] |= {"reward_code": code, "reward_arg": argument, "reward_amount": max(1, scope.least)}
            fits = argument in (scope.arguments or (None,)) and argument != "store_type" and code in PLACE_REWARDS
            if fits:
                assert edited(tables={"public_sites": rows}).tables["public_sites"][0]["reward_arg"] == argument
            else:
                assert problems_with({"public_sites": rows})[0].row == 2


# -------------------------------------------------------------------------------------------- parameters and card log


def test_parameters_of_the_shipped_set() -> None:
    """L-1.4, L-1.5, L-2.2, L-6.5, L-9.2, L-11.5, L-15.1, L-17.3."""
    cards = parameters(shipped(), 4)
    assert (cards.seats, cards.hand_size, cards.office_capacity, cards.treasury_start) == (4, 5, 6, 3)
    assert (cards.hiring, cards.auto_payment, cards.count_coins) == (1, 0, 1)
    assert [cards.coins[9], *cards.space_after[9, :7]] == [6, 9, 8, 7, 5, 3, 2, 0]  # EX-3
    assert cards.influence_cost[1:9].tolist() == [1, 1, 2, 2, 3, 3, 4, 4]
    assert cards.accepted.tolist() == [0b1001, 0b0101, 0b0011]
    assert cards.cube_value.tolist() == [3, 2, 1]
    assert cards.majority.tolist() == [[3, 2, 1], [9, 6, 3], [9, 6, 3], [6, 3, 1]]
    pairs = [(BLOCKS[block], GOODS[good]) for block, good in zip(cards.store_block, cards.store_good, strict=True)]
    assert pairs[:8] == [
        ("A1", "gold"),
        ("A2", "gold"),
        ("A2", "cloth"),
        ("A3", "cloth"),
        ("A3", "books"),
        ("A4", "books"),
        ("A4", "tools"),
        ("A5", "tools"),
    ]
    assert cards.store_tile[:8].tolist() == [0, 0, 1, 1, 2, 2, 3, 4]
    assert [*cards.column_space, *cards.column_wigs] == [0, 1, 2, 3, -1, 0, 0, 0, 0, 2]
    assert [deck.count for deck in (*cards.hand_deck, *cards.display_deck)] == [21, 21, 20, 20]
    assert (cards.cube_deck.count, cards.favor_deck.count, cards.plan_deck.count) == (63, 12, 4)


def test_parameters_follow_the_number_of_seats() -> None:
    """L-2.6, L-17.6, L-18.1, L-18.2, L-18.3."""
    two, three, four = (parameters(shipped(), seats) for seats in (2, 3, 4))
    assert [bin(each.open_blocks).count("1") for each in (two, three, four)] == [20, 25, 25]
    assert [bin(each.open_sites).count("1") for each in (two, three, four)] == [12, 14, 14]
    cubes = [int(each.zone_cubes.sum() + each.site_cubes.sum() + each.pile_cubes) for each in (two, three, four)]
    assert cubes == [56, 63, 63]
    assert [each.yard_size.tolist() for each in (two, three, four)] == [[2, 2], [4, 4], [6, 6]]
    assert four.yard[1, :7].tolist() == [2, 2, 2, 3, 3, 3, 0]
    assert [int(each.removed.sum()) for each in (two, three, four)] == [2, 0, 0]
    assert [each.favors.tolist() for each in (two, three, four)] == [[2] * 3, [3] * 3, [4] * 3]
    assert [each.officials_wigs.tolist() for each in (two, four)] == [[15, 5, 0], [15, 10, 5]]


def test_effects_as_the_kernels_read_them() -> None:
    """L-5.7, L-15.5: what happens at once as code, argument and amount; what lasts as places of a sum."""
    cards = parameters(shipped(), 3)
    rows = shipped().tables["political_cards"]
    place = {row["card_id"]: number for number, row in enumerate(rows)}
    reward, event, lasting = cards.reward, cards.event, cards.lasting
    assert tuple(reward[place["blue_builder_1"]]) == (Effect.GAIN_GOOD, GOODS.index("tools"), 1)
    assert tuple(reward[place["blue_king_3"]]) == (Effect.STATE_ACTION, 5, 1)
    assert tuple(reward[place["purple_marquis_3"]]) == (Effect.PRICE_UP, -3, 1)
    assert tuple(reward[place["blue_treasury_1"]]) == (-1, -1, 0)
    assert tuple(event[place["red_treasury_3"]]) == (Effect.NOBLE_ACTION, 1, 2)
    assert tuple(event[place["blue_builder_1"]]) == (-1, -1, 0)
    sale = Power.SALE_BONUS
    assert tuple(lasting[place["blue_treasury_4"]]) == (sale + 1, sale + 2, 1)
    assert tuple(lasting[place["red_treasury_4"]]) == (sale, sale + 4, 1)
    assert tuple(lasting[place["blue_builder_1"]]) == (0, 0, 0)
    assert tuple(cards.clergy_power[14]) == (Power.VISIT_DISCOUNT + 2, Power.VISIT_DISCOUNT + 3, 2)
    assert tuple(cards.house_power[1, 2]) == (Power.VISIT_REAIS, Power.VISIT_REAIS + 1, 2)
    assert tuple(cards.block_reward[BLOCKS.index("C2")]) == (Effect.GAIN_GOOD, -2, 2)


def test_parameters_do_not_depend_on_the_order_of_fixed_rows() -> None:
    tables = inputs(shipped())
    for table in FIXED_ROWS:
        tables[table].reverse()
    assert parameters(edited(tables=tables), 2).tobytes() == parameters(shipped(), 2).tobytes()


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("source", [shipped, *(lambda seed=seed: random_set(seed) for seed in range(6))])
def test_the_card_log_names_everything_once(source: Callable[[], CardSet], seats: int) -> None:
    logged = log_cards(source(), seats)
    assert len({card.id for card in logged}) == len({card.code for card in logged}) == len(logged)
    assert all(card.id == card.id.lower() and card.label for card in logged)
    for card in logged:
        copies = {other.code // 64 for other in logged if other.type == card.type}
        assert card.tallied == (card.code < 128)
        assert len(copies) == 1
    hands = [card for card in logged if card.in_hand]
    assert [card.code for card in hands] == [128 + number for number in range(len(hands))]


def test_the_card_log_of_two_players_lacks_what_is_closed() -> None:
    """L-18.1."""
    two, four = ({card.id for card in log_cards(shipped(), seats)} for seats in (2, 4))
    ships = {f"ship_{colour}_{copy}" for colour in ("blue", "red", "purple", "brown") for copy in (2, 3)}
    assert four - two == {"decree_dk12", *(f"block_e{column}" for column in range(1, 6)), *ships}
    assert two < four
    labels = {card.id: card.label for card in log_cards(shipped(), 2)}
    assert labels["decree_dk01"] == "DK01: stores gold, 2 wigs each, at most 6"
    assert labels["decree_dk32"] == "DK32: goods total, 1 wigs for each 2, at most 5"
    assert labels["decree_dk05"] == "DK05: stores total, 5 wigs from 5 on"
    assert labels["blue_treasury_4"] == "blue treasury 4: sale bonus cloth 1; state action any 2"


# ------------------------------------------------------------------------------------------------------- random sets


@pytest.fixture(scope="module")
def random_sets() -> list[CardSet]:
    return [random_set(seed) for seed in range(SETS)]


def test_random_sets_are_different_and_the_same_for_a_number(random_sets: list[CardSet]) -> None:
    assert len({card_set.hash for card_set in random_sets}) == SETS
    assert all(random_set(seed) == random_sets[seed] for seed in range(0, SETS, 25))


def test_random_sets_are_playable_with_every_number_of_seats(random_sets: list[CardSet]) -> None:
    """What the docstring of cardset.py guarantees, said in another way."""
    for card_set in random_sets:
        tables, rules = card_set.tables, card_set.scalars
        decks = Counter(row["deck"] for row in tables["political_cards"])
        assert min(decks[deck] for deck in HAND_DECKS) >= 4 * rules["hand_size"] >= 8
        displayed = Counter((row["deck"], row["card_type"]) for row in tables["political_cards"])
        assert all(1 <= displayed[deck, kind] <= 16 for deck in DISPLAY_DECKS for kind in CARD_TYPES)
        assert sum(1 - row["remove_in_2p"] for row in tables["decrees"]) >= rules["decree_display"]
        offered = sum(row["clergy_drawn"] for row in tables["player_setup"])
        assert len(tables["clergy_tiles"]) >= max(10, offered)
        places = [row["cubes_at_setup"] for row in tables["rubble_zones"]]
        places += [row["rubble_cubes"] for row in tables["public_sites"]]
        assert sum(places) <= sum(row["cube_count"] for row in tables["rubble_kinds"]) <= 128
        assert len(tables["public_buildings"]) % 4 == 0


def test_random_sets_show_everything_that_a_designer_may_edit(random_sets: list[CardSet]) -> None:
    """Every effect in every place where it may stand, every switch both ways, short and long tracks, small decks."""

    def codes(table: str, column: str) -> set[str | None]:
        return {row[column] for card_set in random_sets for row in card_set.tables[table]}

    assert codes("political_cards", "reward_code") == {None, *REWARDS, *PENALTIES}
    assert codes("political_cards", "event_code") == {None, *EVENTS}
    assert codes("political_cards", "permanent_code") == {None, *PERMANENT}
    assert codes("clergy_tiles", "permanent_code") == codes("house_groups", "ability_code") == {*PERMANENT}
    assert codes("downtown_blocks", "reward_code") == codes("public_sites", "reward_code") == {None, *PLACE_REWARDS}
    assert codes("decrees", "metric") == {*METRICS}
    assert codes("church_track", "symbol") == {*SYMBOLS}
    for scalar in SCHEMA.scalars:
        values = {card_set.scalars[scalar.name] for card_set in random_sets}
        assert values == set(scalar.choices) or len(values) >= 3
    for table in ("price_track", "treasury_track", "influence_track"):
        lengths = {len(card_set.tables[table]) for card_set in random_sets}
        assert min(lengths) <= 2
        assert max(lengths) == 16
    small = Counter(len(card_set.tables["political_cards"]) < 82 for card_set in random_sets)
    assert min(small.values()) > SETS / 20
    shuffled = [card_set for card_set in random_sets if card_set.tables["goods"][0]["good_id"] != GOODS[0]]
    assert len(shuffled) > SETS / 20
