"""What a workbook of a card set shows, for both kinds of file: the sheets with their columns, values and helps."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from simcore.cardset.problems import RULES_SHEET, show
from simcore.cardset.schema import Column, Scalar, Schema, Table
from simcore.cardset.sheet import EXACT_WHOLE, number_text
from simcore.cardset.validate import NAME
from simcore.errors import InputError

RULES_COLUMNS = ("rule", "value", "unit", "meaning", "allowed")
SPARE_ROWS = 200  # below a table, where new cards are typed: they have the drop-down lists too
LONGEST_TEXT = 32_767  # letters that a cell of a spreadsheet holds
NARROW, WIDE = 6, 48  # least and greatest width of a column, in letters
MOST_FROZEN = 3  # columns
DIGITS = 15  # that a spreadsheet keeps of a number
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?", re.ASCII)

CellValue = int | float | str | None


@dataclass(frozen=True)
class Check:
    """What a spreadsheet program allows in some cells of a column (rows from `first` to `last`, 0 is the header)."""

    first: int
    last: int
    column: int
    field: Scalar


@dataclass(frozen=True)
class Page:
    """A sheet: a header and rows below it.

    Columns by position: `texts` hold text whatever it looks like, `derived` follow from others, `wrapped` hold prose.
    `helps` explain the columns. The first `frozen` columns stay in sight, as the header does.
    """

    name: str
    header: Sequence[str]
    rows: Sequence[Sequence[CellValue]]
    texts: frozenset[int] = frozenset()
    derived: frozenset[int] = frozenset()
    wrapped: frozenset[int] = frozenset()
    checks: Sequence[Check] = ()
    helps: Mapping[int, str] = field(default_factory=dict)
    frozen: int = 1

    def width(self, column: int) -> int:
        """A good width of a column, in letters."""
        longest = max(len(show(row[column])) for row in [self.header, *self.rows])
        return min(max(longest + 2, NARROW), WIDE)


def pages(
    name: str, schema: Schema, scalars: Mapping[str, object], tables: Mapping[str, Sequence[Mapping[str, object]]]
) -> list[Page]:
    """The sheets of a card set. Raises InputError for text that is too long for a cell."""
    made = [_rules(name, schema, scalars)]
    made += [_table(table, tables[table.name]) for table in schema.tables]
    for page in made:
        for number, row in enumerate(page.rows, 2):
            for title, value in zip(page.header, row, strict=True):
                if len(show(value)) > LONGEST_TEXT:
                    raise InputError(
                        f"{page.name}, row {number}, column {title}: the text has {len(show(value))} letters, and a "
                        f"cell of a workbook holds {LONGEST_TEXT}; allowed: a shorter text, or export to a folder"
                    )
    return made


def _rules(name: str, schema: Schema, scalars: Mapping[str, object]) -> Page:
    game = Scalar("game", "choice", "the game that the card set is for", choices=(schema.game,))
    fields = (NAME, game, *schema.scalars)
    values = {NAME.name: name, game.name: schema.game, **scalars}
    return Page(
        RULES_SHEET,
        RULES_COLUMNS,
        [[each.name, _value(each, values[each.name]), each.unit, each.meaning, each.allowed] for each in fields],
        frozenset({0, 2, 3, 4}),
        wrapped=frozenset({3, 4}),
        checks=[Check(row, row, 1, each) for row, each in enumerate(fields, 1)],
    )


def _table(table: Table, rows: Sequence[Mapping[str, object]]) -> Page:
    header = list(rows[0])
    known = {column.name: column for column in table.columns}
    columns = [known.get(name, Column(name, "text", "a column of your own", role="note")) for name in header]
    places = list(enumerate(columns))
    return Page(
        table.name,
        header,
        [[_value(column, row[column.name]) for column in columns] for row in rows],
        frozenset(place for place, column in places if column.role != "note" and column.kind != "int"),
        frozenset(place for place, column in places if column.role == "derived"),
        checks=[Check(1, len(rows) + SPARE_ROWS, place, column) for place, column in places if column.role == "input"],
        helps={place: "\n".join(_help(column)) for place, column in places},
        frozen=min(header.index(table.key) + 1, MOST_FROZEN),
    )


def _value(column: Scalar, value: object) -> CellValue:
    """A value as a cell holds it; a note that is a number becomes one, if it reads the same again."""
    if value is None or (isinstance(value, int) and abs(value) < EXACT_WHOLE):
        return value
    text = show(value)
    if isinstance(column, Column) and column.role == "note" and NUMBER.fullmatch(text):
        kept = f"{float(text):.{DIGITS}g}"
        if number_text(kept) == text:
            return float(kept)
    return text


def _help(column: Column) -> Iterator[str]:
    yield column.meaning + (f" ({column.unit})" if column.unit else "")
    if column.role == "input":
        yield f"Allowed: {column.allowed}"
    elif column.role == "derived":
        yield "Follows from the other columns; may be left out."
