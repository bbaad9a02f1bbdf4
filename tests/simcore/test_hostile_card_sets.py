"""Card sets from strangers: sizes have bounds, links are not followed, no cell is a formula, no message steers a
terminal.
"""

import time
import zipfile
from pathlib import Path

import pytest

from simcore import cardset
from simcore.cardset import CardSetError, archive, folder, problems, read_ods, read_xlsx, sheet
from simcore.cardset.sheet import Room, Sheet
from simcore.games.lost_cities.cardset import SCHEMA

WRITTEN = ["=1+1", "'=1+1", "''=1", "@sum", "+a", "-a", "'-a", "'-5", "-5", "+5", "-", "'", "=", "a=b", "'a", "-0,5"]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder with a sound set."""
    cardset.export(cardset.load(SCHEMA, "base"), tmp_path / "set", "mine")
    return tmp_path / "set"


def problems_of(path: Path) -> list[str]:
    with pytest.raises(CardSetError) as caught:
        cardset.load(SCHEMA, path)
    return [str(problem) for problem in caught.value.problems]


def table_of(path: Path) -> Path:
    return min(path.glob("*.csv"))


def test_a_link_in_a_folder_is_not_read(mine: Path) -> None:
    table = table_of(mine)
    table.rename(mine.parent / "secret")
    table.symlink_to(mine.parent / "secret")
    assert f"{table.name}: cannot be read: it is a link" in problems_of(mine)[0]


def test_a_table_larger_than_any_card_set(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(mine)
    head, row = table.read_text().splitlines()[:2]
    table.write_text("\n".join([head, *[row] * 10_001]))
    assert f"{table.name}, row 10001: is larger than any card set" in problems_of(mine)[0]
    table.write_text(head + "," * 300)
    assert "is larger than any card set" in problems_of(mine)[0]
    monkeypatch.setattr(folder, "MOST_BYTES", 100)
    assert "is larger than any card set" in problems_of(mine)[0]


def test_no_more_problems_are_looked_for_than_anyone_reads(mine: Path) -> None:
    table = table_of(mine)
    head = table.read_text().splitlines()[0]
    columns = len(head.split(","))
    wrong = ",".join(["\x1b[31m?"] * columns)
    table.write_text("\n".join([head, *[wrong] * 5_000]))
    found = problems_of(mine)
    assert len(found) <= columns
    assert all(line.isprintable() for line in found)
    table.write_text("\n".join([head, *[f"{wrong},?"] * 5_000]))
    found = problems_of(mine)
    assert problems.MOST_PROBLEMS <= len(found) < problems.MOST_PROBLEMS + 20
    assert all(line.isprintable() for line in found)


def test_a_text_of_rules_that_asks_for_patience(mine: Path) -> None:
    """Keys in thousands of parts, tables in tables, and thousands of unknown keys end soon, and in a message."""
    for text in ("a." * 300_000 + "a = 1", "a = " + "[" * 90_000, "\n".join(f"k{i} = 1" for i in range(90_000))):
        begin = time.process_time()
        (mine / "rules.toml").write_text(text)
        assert problems_of(mine)
        assert time.process_time() - begin < 60  # the square of the size would take hours


def test_a_cell_that_a_spreadsheet_would_work_out_is_marked_and_reads_the_same(mine: Path) -> None:
    table = table_of(mine)
    lines = table.read_text().splitlines()
    assert len(lines) > 3
    for text in WRITTEN:
        assert folder._plain(folder._quoted(text).strip('"')) == text
    marked = ["=1+1", "'=1+1", "''=1", "@sum", "+a", "-a", "'-a", "'-5"]
    assert [text for text in WRITTEN if folder._quoted(text) == f"'{text}"] == marked
    noted = [f"{line},{text}" for line, text in zip(lines, ["=note", *["'=1+1"] * (len(lines) - 1)], strict=True)]
    table.write_text("\n".join(noted) + "\n")
    first = cardset.load(SCHEMA, mine)
    cardset.export(first, mine.parent / "again")
    assert "'=1+1" in (mine.parent / "again" / table.name).read_text()
    assert cardset.load(SCHEMA, mine.parent / "again").tables == first.tables
    assert first.tables[table.stem][0]["=note"] == "=1+1"


def test_all_sheets_of_a_workbook_share_one_room() -> None:
    room = Room(sheets=2, cells=3, letters=100)
    one, other = (room.sheet(name, hidden=False) for name in "ab")
    with pytest.raises(archive.BadWorkbook, match="has too many sheets"):
        room.sheet("c", hidden=False)
    one.put(0, 0, "x")
    other.put(0, 0, "y")
    with pytest.raises(archive.BadWorkbook, match="too much text in the sheet b"):
        other.put(0, 1, "z" * 99)
    with pytest.raises(archive.BadWorkbook, match="too many cells in the sheet a"):
        one.put(1, 0, "x")
    with pytest.raises(archive.BadWorkbook, match="too much text"):
        Sheet("c").put(0, 0, "x" * (sheet.LONGEST_TEXT + 1))


def test_texts_that_ask_for_patience_are_read_in_one_go() -> None:
    assert read_ods._plain("x" + "\n" * 60_000 + "y") == "x y"
    assert read_ods._plain("\n x \n") == "x"
    assert read_ods._plain(" x  ") == "x "
    assert not read_xlsx._shows_date("[" * 10**6)


def test_a_zip_of_very_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_PARTS", 3)
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as book:
        for number in range(5):
            book.writestr(f"{number}.xml", "")
    assert "has more than 3 parts" in problems_of(tmp_path / "a.xlsx")[0]
    monkeypatch.setattr(archive, "MOST_BYTES", 10)
    assert "is too large" in problems_of(tmp_path / "a.xlsx")[0]


def test_a_card_set_in_words_has_no_marks_of_its_names(mine: Path) -> None:
    rules = mine / "rules.toml"
    rules.write_text(rules.read_text().replace('name = "mine"', "name = '<script>|[a](b)`\\'"))
    assert cardset.in_words(cardset.load(SCHEMA, mine)).startswith("# \\<script>\\|\\[a](b)\\`\\\\, a card set of")
