"""A card set as it was read, before anything is checked: what every kind of source (a folder, a workbook, Python data)
becomes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from simcore.cardset.problems import FIRST_ROW, RULES_FILE, Problem, table_file
from simcore.cardset.schema import Schema

ALPHABET = 26


class Flawed(str):
    """The text of a cell of a workbook that is no value as it stands (a date, a formula without a result, …); a note
    may hold it. `what` says what is wrong with it.
    """

    __slots__ = ("what",)
    what: str

    def __new__(cls, text: str, what: str) -> Self:
        """A cell that shows `text`."""
        cell = super().__new__(cls, text)
        cell.what = what
        return cell


def letters(position: int) -> str:
    """The name of a column in a spreadsheet, by its position from 0: A … Z, AA …"""
    name = ""
    number = position + 1
    while number:
        number, letter = divmod(number - 1, ALPHABET)
        name = chr(ord("A") + letter) + name
    return name


@dataclass(frozen=True)
class RawRow:
    """One row of a table: the row that a spreadsheet shows, and its cells as they stand."""

    number: int
    cells: Sequence[object]


@dataclass(frozen=True)
class RawTable:
    """One table: the file (and the sheet, in a workbook) that it came from, the names of the columns, the rows that are
    not blank.
    """

    file: str
    header_row: int
    header: Sequence[str]
    rows: Sequence[RawRow]
    sheet: str = ""

    def problem(
        self,
        what: str,
        row: int | None = None,
        column: str = "",
        value: str = "",
        allowed: str = "",
        nearest: str = "",
        position: int | None = None,
    ) -> Problem:
        """A problem at a place of the table; `position` is that of the column, needed where its name does not tell."""
        if position is None and column in self.header:
            position = self.header.index(column)
        cell = f"{letters(position)}{row}" if self.sheet and row is not None and position is not None else ""
        return Problem(what, self.file, row, column, value, allowed, nearest, self.sheet, cell)


@dataclass
class RawSet:
    """What was read. `rules` is None where the scalars could not be read at all; a table that could not be read is
    missing. The reader's own findings (missing files, text that is no UTF-8, broken quotes) are in `problems`;
    `notices` are sentences for the user.

    The scalars come from `rules_file`, in a workbook from its sheet `rules_sheet`: there `rules_columns` are the
    positions of the columns with the names and the values.
    """

    rules: Mapping[str, object] | None = None
    lines: dict[str, int] = field(default_factory=dict)  # line (or row) of each scalar in its file, where there is one
    tables: dict[str, RawTable] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    rules_file: str = RULES_FILE
    rules_sheet: str = ""
    rules_columns: tuple[int, int] = (0, 0)

    def rules_problem(
        self, what: str, name: str, value: str = "", allowed: str = "", nearest: str = "", of_name: bool = False
    ) -> Problem:
        """A problem of one scalar: of its value, or (`of_name`) of its name."""
        row = self.lines.get(name)
        position = self.rules_columns[0 if of_name else 1]
        cell = f"{letters(position)}{row}" if self.rules_sheet and row is not None else ""
        return Problem(what, self.rules_file, row, name, value, allowed, nearest, self.rules_sheet, cell)


def from_data(
    schema: Schema, name: str, scalars: Mapping[str, object], tables: Mapping[str, Sequence[Mapping[str, object]]]
) -> RawSet:
    """Python data in the form of a source, with the files and rows that an export would have."""
    raw = RawSet(rules={"name": name, "game": schema.game, **scalars})
    raw.problems += [
        Problem("is missing", table_file(table.name)) for table in schema.tables if table.name not in tables
    ]
    for table, rows in tables.items():
        header = list(dict.fromkeys(column for row in rows for column in row))
        raw.tables[table] = RawTable(
            file=table_file(table),
            header_row=FIRST_ROW - 1,
            header=header,
            rows=[
                RawRow(FIRST_ROW + position, [row.get(column) for column in header])
                for position, row in enumerate(rows)
            ],
        )
    return raw
