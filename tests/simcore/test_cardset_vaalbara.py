"""Vaalbara's card sets: one mistake gives one message, also where derived columns stand in the tables."""

import shutil
from pathlib import Path

import pytest

from simcore import cardset
from simcore.cardset import CardSetError
from simcore.games.vaalbara.cardset import SCHEMA

DATA = Path(__file__).parents[1] / "data" / "vaalbara"  # the page's tables, with derived columns
TABLES = ("characters", "lands", "omens", "land_types")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    cardset.export(cardset.load(SCHEMA, "default"), folder, "mine")
    for table in TABLES:
        shutil.copy(DATA / f"{table}.csv", folder)
    cardset.load(SCHEMA, folder)
    return folder


def problems_of(folder: Path) -> list[str]:
    with pytest.raises(CardSetError) as caught:
        cardset.load(SCHEMA, folder)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("table", TABLES)
def test_a_table_that_is_missing_is_all_that_is_told(folder: Path, table: str) -> None:
    (folder / f"{table}.csv").unlink()
    assert problems_of(folder) == [f"{table}.csv: is missing in the folder"]


@pytest.mark.parametrize(
    ("table", "old", "new", "message"),
    [
        ("lands", ",meadow,", ",medow,", 'row 2, column type: "medow" is not one of the choices'),
        ("lands", ",O01,", ",,", "row 2, column omen_id: is blank"),
        ("lands", ",O01,", ",O99,", 'row 2, column omen_id: "O99" is no id of the table omens'),
        ("lands", ",forest,3,", ",forest,few,", 'row 9, column forest_value: "few" is not a whole number'),
        ("characters", "OTHERS_REVEAL_FIGHTER", "x", 'row 2, column effect_code: "x" is not one of the choices'),
    ],
)
def test_a_cell_that_cannot_be_read_makes_no_derived_column_wrong(
    folder: Path, table: str, old: str, new: str, message: str
) -> None:
    file = folder / f"{table}.csv"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    first, *others = problems_of(folder)
    assert first.startswith(f"{table}.csv, {message}")
    assert others == []
