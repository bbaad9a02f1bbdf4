"""A sheet of a workbook as it was read: text by cell, whatever kind of file it came from."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from simcore.cardset.archive import BadWorkbook
from simcore.cardset.raw import Flawed, letters

MOST_ROWS = 10_000
MOST_COLUMNS = 200
MOST_CELLS = 200_000
MOST_SHEETS = 256
MOST_LETTERS = 1 << 23
LONGEST_TEXT = 2**16  # letters of a cell; spreadsheet programs allow half of it

EXACT_WHOLE = 1e15  # spreadsheets keep fifteen digits
NO_RESULT = "is a formula without a result; open the workbook in a spreadsheet program and save it"


@dataclass
class Room:
    """What a workbook may still hold, all sheets together: a text that cells share counts for each of them."""

    sheets: int = field(default_factory=lambda: MOST_SHEETS)
    cells: int = field(default_factory=lambda: MOST_CELLS)
    letters: int = field(default_factory=lambda: MOST_LETTERS)

    def sheet(self, name: str, hidden: bool) -> "Sheet":
        """Another sheet of the workbook. Raises BadWorkbook where it has more of them than any card set."""
        self.sheets -= 1
        if self.sheets < 0:
            raise BadWorkbook("has too many sheets", f"at most {MOST_SHEETS}")
        return Sheet(name, hidden, room=self)


@dataclass
class Sheet:
    """The cells of a sheet that hold something, by row and column from 0; `merged` are ranges of cells (first row,
    first column, last row, last column) that the sheet shows as one.

    Text of plain values is `str`; what is no value as it stands is `Flawed`.
    """

    name: str
    hidden: bool = False
    cells: dict[tuple[int, int], str] = field(default_factory=dict)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    room: Room = field(default_factory=Room)

    def put(self, row: int, column: int, text: str) -> None:
        """Fill a cell; raises BadWorkbook where no card set has one."""
        if text == "":
            return
        if row >= MOST_ROWS or column >= MOST_COLUMNS:
            raise BadWorkbook(
                f"has a value in cell {letters(column)}{row + 1} of the sheet {self.name}, far from a table",
                f"at most {MOST_ROWS} rows and {MOST_COLUMNS} columns",
            )
        self.room.cells -= 1
        self.room.letters -= len(text)
        if self.room.cells < 0:
            raise BadWorkbook(f"has too many cells in the sheet {self.name}", f"at most {MOST_CELLS} cells with values")
        if len(text) > LONGEST_TEXT or self.room.letters < 0:
            what = f"has a cell with too much text in the sheet {self.name}, or too much in all"
            raise BadWorkbook(what, f"at most {LONGEST_TEXT} letters in a cell")
        self.cells[row, column] = text

    def merge(self, row: int, column: int, last_row: int, last_column: int) -> None:
        """Note a range of cells that is shown as one; of the size of a card set or less."""
        last_row, last_column = min(last_row, MOST_ROWS - 1), min(last_column, MOST_COLUMNS - 1)
        self.merged.append((row, column, last_row, last_column))

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The rows that hold something: their number as a spreadsheet shows it, and a cell for each column up to the
        last one in use. Blank cells that are hidden by a merged one are Flawed.
        """
        width = max((column for _, column in self.cells), default=-1) + 1
        by_row: dict[int, list[str]] = {}
        for row, column in self.cells:
            by_row.setdefault(row, [""] * width)[column] = self.cells[row, column]
        left = MOST_CELLS
        for top, first, bottom, last in self.merged:
            what = f"is hidden in the merged cells {letters(first)}{top + 1}:{letters(last)}{bottom + 1}; split them"
            for row in range(top, bottom + 1):
                cells = by_row.get(row, [])
                left -= 1 + max(0, min(last + 1, width) - first)
                if left < 0:
                    what = f"has too many merged cells in the sheet {self.name}"
                    raise BadWorkbook(what, "cells that are not merged")
                for column in range(first, min(last + 1, len(cells))):
                    if cells[column] == "" and (row, column) != (top, first):
                        cells[column] = Flawed("", what)
        for row in sorted(by_row):
            yield row + 1, by_row[row]


def number_text(text: str) -> str:
    """The text of a number as a person would write it: 3 for 3.0."""
    try:
        number = float(text)
    except ValueError:
        return Flawed(text, "is no number, though the file says so")
    return str(int(number)) if number.is_integer() and abs(number) < EXACT_WHOLE else repr(number)


def date_text(iso: str) -> Flawed:
    """A cell with a date or a time, in the form of ISO 8601."""
    return Flawed(iso, "is a date or a time, not what was typed (spreadsheets make dates of words like 1-2)")


def error_text(text: str) -> Flawed:
    """A cell with the error of a formula."""
    return Flawed(text, "is an error of a formula")
