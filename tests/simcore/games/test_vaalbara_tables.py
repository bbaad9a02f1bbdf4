"""The shipped card sets of Vaalbara and the games dealt from them, against the tables of the rules page.

Sources: tests/data/vaalbara, the page's tables as they are published (section 14 of rules.md).
"""

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simcore import game as games
from simcore.play import Table
from tests.reference.vaalbara import CLANS, TYPES
from tests.reference.vaalbara_agreement import GAME, rules_of
from tests.simcore.vaalbara_sets import inputs, shipped

pytestmark = pytest.mark.engine

DATA = Path(__file__).parents[2] / "data" / "vaalbara"
SHIPPED = ("default", "alt_no_5plus")


def rows_of(name: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def as_text(value: Any) -> str:
    return "" if value is None else str(value)


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("table", ["characters", "lands", "omens", "land_types"])
def test_the_tables_are_those_of_the_page(name: str, table: str) -> None:
    """VB-1.1 to VB-1.5, VB-1.8: every input column of every row."""
    found = [{column: as_text(value) for column, value in row.items()} for row in inputs(shipped(name))[table]]
    assert found == [{column: row[column] for column in found[0]} for row in rows_of(table)]


def test_the_clans_are_those_of_the_page() -> None:
    """VB-1.7."""
    assert tuple(row["key"] for row in rows_of("clans")) == CLANS


@pytest.mark.parametrize("row", rows_of("setup"), ids=lambda row: f"{row['variant']}, {row['players']} players")
def test_the_set_up_is_that_of_the_page(row: dict[str, str]) -> None:
    """VB-2.1 to VB-2.5, VB-2.7, VB-3.9, VB-I4: sizes at the start and in the last round."""
    seats, card_set = int(row["players"]), shipped(row["variant"])
    table, rules = Table(GAME, card_set, seats, ("uniform",) * seats, seed=2), rules_of(card_set, seats)
    public = table.state.public
    steps = table.steps(0, 0)
    next(steps)
    assert len(rules.lands) == int(row["land_cards"])
    assert public["count"].tolist() == [int(row["row_size"])] * int(row["land_rows"])
    assert public.deck == int(row["land_deck_after_setup"])
    assert public.standing[:seats].tolist() == [int(row["start_vp"])] * seats
    assert public.hand[:seats].tolist() == [int(row["start_hand"])] * seats == [int(row["hand_limit"])] * seats
    assert (public.hand + public.clan_deck)[:seats].tolist() == [int(row["clan_deck"])] * seats
    assert {len(rules.neighbours(seat)) for seat in range(seats)} == {int(row["neighbours"])}
    kinds = Counter(land.type for land in rules.lands)
    assert [kinds[kind] for kind in TYPES] == [int(row[f"n_{kind}"]) for kind in TYPES]
    for _ in steps:
        if public.played_rounds == int(row["rounds"]) - 1:
            assert public.deck == int(row["land_deck_in_round9"])
    assert public.played_rounds == int(row["rounds"])
    assert public.lands[:seats].sum() == int(row["lands_taken_total"])


def test_the_card_log_has_the_lands_in_play() -> None:
    """VB-2.1: a land that so many players do not use has no column, and is no copy of another."""
    for seats, lands in ((2, 21), (3, 31), (4, 41), (5, 51)):
        cards = games.get(GAME).log_cards(shipped("default"), seats)
        assert sum(card.group == "lands" for card in cards) == lands
        assert sum(card.group == "characters" for card in cards) == 12
