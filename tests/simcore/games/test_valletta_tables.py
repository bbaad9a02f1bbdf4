"""The shipped card set of Valletta and the games dealt from it, against the tables of the rules page.

Sources: tests/data/valletta, the page's tables as they are published (section 0.2 of rules.md).
"""

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simcore import game as games
from simcore.play import Table
from tests.reference.valletta import COLOURS, GOODS
from tests.reference.valletta_agreement import GAME, rules_of
from tests.simcore.valletta_sets import shipped

pytestmark = pytest.mark.engine

DATA = Path(__file__).parents[2] / "data" / "valletta"
SEATS = (2, 3, 4)


def rows_of(name: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def as_text(value: Any) -> str:
    return "" if value is None else str(value)


@pytest.mark.parametrize("table", ["characters", "buildings", "barrels", "setup"])
def test_the_tables_are_those_of_the_page(table: str) -> None:
    """VT-1.1 to VT-1.5, VT-3.2: every column of every row that the page has."""
    rows, page = shipped().tables[table], rows_of(table)
    found = [{column: as_text(value) for column, value in row.items() if column in page[0]} for row in rows]
    assert len(found) == len(page)
    given = [{column: row[column] for column in found[0] if column not in ("source", "note")} for row in page]
    assert [{column: row[column] for column in given[0]} for row in found] == given


def test_what_is_in_the_box() -> None:
    """VT-1.1 to VT-1.6, VT-3.5, VT-3.6: counts."""
    rules, rows = rules_of(shipped(), 4), shipped().tables["characters"]
    assert len(rules.barrels) == 25
    assert Counter(building.colour for building in rules.buildings) == {"green": 12, "blue": 15, "yellow": 10}
    assert rules.starting_set.total() == 8
    assert sum(row["supply_copies"] for row in rows) == 4
    cards = sum(int(row["total_copies"]) for row in rows_of("characters"))
    assert 4 * 8 + 4 + len(rules.buildings) == cards == 73
    assert rules.pieces == (42, 30, 30, 30)
    assert (rules.houses, rules.plays) == (8, 3)
    assert sum(row["effect"] == "JEAN" for row in rows) == 1


def test_letters_pair_buildings_and_characters() -> None:
    """VT-1.8, VT-1.9, VT-1.10: one character a letter, copies alike, one colour; letter A is the Banker's."""
    tables = shipped().tables
    colours = {row["code"]: row["colour"] for row in tables["characters"]}
    printed: dict[str, set[tuple[Any, ...]]] = {}
    for row in tables["buildings"]:
        values = [row[name] for name in row if name.startswith(("cost", "icon", "points", "colour", "character"))]
        printed.setdefault(row["letter"], set()).add(tuple(values))
        assert colours[row["character_code"]] == row["colour"]
    assert all(len(values) == 1 for values in printed.values())
    pairs = {(row["letter"], row["character_code"]) for row in tables["buildings"]}
    assert len(pairs) == len(printed) == 23
    assert ("A", "BANKER") in pairs


def test_characters_that_can_be_copied() -> None:
    """VT-8.7: red and green ones (section 0.4)."""
    for row in shipped().tables["characters"]:
        assert row["copyable_by_apprentice"] == (row["colour"] in ("red", "green"))


def test_building_values_of_the_worked_examples() -> None:
    """VT-16.1, VT-16.2, VT-16.4, VT-16.10."""
    costs = {building.cost for building in rules_of(shipped(), 4).buildings}
    assert {(2, 1, 1, 1), (4, 3, 1, 1)} <= costs
    assert any(cost[1:] == (0, 1, 3) for cost in costs)
    points = {number for building in rules_of(shipped(), 4).buildings for number in building.points}
    assert {1, 2, 3, 4, 8} <= points


@pytest.mark.parametrize("row", rows_of("setup"), ids=lambda row: f"{row['players']} players")
def test_the_set_up_is_that_of_the_page(row: dict[str, str]) -> None:
    """VT-2.3, VT-3.2, VT-3.5 to VT-3.9, VT-1.4, VT-13.1, VT-14.2, VT-7.16: sizes at the start, numbers of the rules."""
    seats = int(row["players"])
    table, rules = Table(GAME, shipped(), seats, ("uniform",) * seats, seed=2), rules_of(shipped(), seats)
    public = table.state.public
    next(table.steps(0, 0))
    buildings = [rules.buildings[code] for code in public.building[: len(rules.locations)].tolist()]
    assert len(rules.locations) == int(row["buildings"])
    assert Counter(building.colour for building in buildings) == {colour: int(row[colour]) for colour in COLOURS}
    assert len(rules.locations) / rules.columns == int(row["rows"]) == int(row["rows_above"]) + int(row["rows_below"])
    assert public.hand[:seats].tolist() == [int(row["hand_size"])] * seats
    assert (public.hand + public.deck)[:seats].tolist() == [int(row["deck_size"])] * seats
    assert public.houses[:seats].tolist() == [int(row["houses"])] * seats
    assert public.goods[:seats].tolist() == [[int(row[f"start_{good}"]) for good in GOODS]] * seats
    whole = (public.supply + public.goods[:seats].sum(axis=0)).tolist()
    assert whole == [int(row[f"pieces_{good}"]) for good in GOODS]
    assert public.pool.sum() == int(row["supply_builders"])
    assert len(rules.barrels) == int(row["barrels"])
    numbers = (rules.plays, rules.trigger_points, rules.goods_per_point, rules.area_bonus)
    assert numbers == tuple(
        int(row[name]) for name in ("plays_per_turn", "trigger_points", "goods_per_point", "area_bonus")
    )
    assert public.aside == 0b1111


def test_the_card_log_has_all_cards() -> None:
    """A column for each building, for its upgraded side and for each character, with copies of one type."""
    for seats in SEATS:
        cards = games.get(GAME).log_cards(shipped(), seats)
        kinds = Counter(card.code // 64 for card in cards)  # characters, buildings, upgraded sides
        assert kinds == {0: 31, 1: 37, 2: 37}
        assert len({card.type for card in cards if card.code // 64 == 1}) == 23
