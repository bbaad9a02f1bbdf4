"""A card set as it was read, before anything is checked. Every kind of source (a folder, Python data, later a workbook)
becomes this.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from simcore.cardset.problems import FIRST_ROW, Problem, table_file
from simcore.cardset.schema import Schema


@dataclass(frozen=True)
class RawRow:
    """One row of a table: the row that a spreadsheet shows, and its cells as they stand."""

    number: int
    cells: Sequence[object]


@dataclass(frozen=True)
class RawTable:
    """One table: the file (or sheet) that it came from, the names of the columns, the rows that are not blank."""

    file: str
    header_row: int
    header: Sequence[str]
    rows: Sequence[RawRow]


@dataclass
class RawSet:
    """What was read. `rules` is None where the scalars could not be read at all; a table that could not be read is
    missing. The reader's own findings (missing files, text that is no UTF-8, broken quotes) are in `problems`.
    """

    rules: Mapping[str, object] | None = None
    lines: dict[str, int] = field(default_factory=dict)  # line of each scalar in its file, where there is one
    tables: dict[str, RawTable] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


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
