"""What is wrong with a card set, and where: `Problem`, the error that carries all of them, and the search for the
nearest word.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from simcore.errors import InputError, printable

RULES_FILE = "rules.toml"
RULES_SHEET = "rules"
OWN = "_"  # how the names of a user's own tables begin, which are read over
FIRST_ROW = 2  # row of the first card in a spreadsheet: row 1 is the header

LONGEST_SHOWN = 60  # letters of a wrong value in a message,
LONGEST_NAME = 200  # of a name of a file, a sheet or a column,
LONGEST_SENTENCE = 20_000  # and of what is wrong, or allowed
MOST_PROBLEMS = 1_000  # that are looked for: who has more of them cures the first, and looks again


def table_file(table: str) -> str:
    """The file of a table in a card set folder."""
    return f"{table}.csv"


@dataclass(frozen=True)
class Problem:
    """One mistake in a card set.

    `row` is the row that a spreadsheet shows (the line in a TOML file), None for a whole file; `column` is a column or
    the key of a scalar; `value` is what stands there, as text. In a workbook, `sheet` is the sheet and `cell` the cell
    as the spreadsheet names it (D7). `str(problem)` is one line for people.
    """

    what: str
    file: str = ""
    row: int | None = None
    column: str = ""
    value: str = ""
    allowed: str = ""
    nearest: str = ""
    sheet: str = ""
    cell: str = ""

    @classmethod
    def of_cell(
        cls, table: str, position: int, column: str, value: object, what: str, allowed: str = "", nearest: str = ""
    ) -> "Problem":
        """A problem of one cell; `position` counts the rows of the table from 0. For the `check` of a game."""
        return cls(what, table_file(table), position + FIRST_ROW, column, show(value), allowed, nearest)

    @classmethod
    def of_scalar(cls, name: str, value: object, what: str, allowed: str = "", nearest: str = "") -> "Problem":
        """A problem of one scalar. For the `check` of a game."""
        return cls(what, RULES_FILE, None, name, show(value), allowed, nearest)

    @property
    def of_rules(self) -> bool:
        """Whether it is a problem of the scalars, not of a table."""
        return self.sheet == RULES_SHEET if self.sheet else self.file == RULES_FILE

    def _place(self) -> Iterator[str]:
        scalar = self.of_rules and self.column
        if self.file:
            yield _short(self.file, LONGEST_NAME)
        if self.sheet:
            yield f"sheet {_short(self.sheet, LONGEST_NAME)}"
        column = _short(self.column, LONGEST_NAME)
        if self.cell:
            yield f"cell {self.cell}" + (f" ({column})" if column else "")
            return
        if self.row is not None:
            yield f"{'line' if self.of_rules and not self.sheet else 'row'} {self.row}"
        if column:
            yield column if scalar else f"column {column}"

    def __str__(self) -> str:
        place = ", ".join(self._place())
        words = [f"{place}: " if place else "", f"{_quoted(self.value)} " if self.value else "", _short(self.what)]
        if self.allowed:
            words.append(f"; allowed: {_short(self.allowed)}")
        if self.nearest:
            words.append(f"; nearest: {_short(self.nearest, LONGEST_NAME)}")
        return "".join(words)


class CardSetError(InputError):
    """A card set that cannot be used; `problems` holds everything that is wrong with it, `where` names the set."""

    def __init__(self, where: str, problems: Sequence[Problem]) -> None:
        super().__init__(where, tuple(problems))
        self.where = where
        self.problems = tuple(problems)

    def __str__(self) -> str:
        count = len(self.problems)
        head = f"card set {self.where}: {count} problem{'' if count == 1 else 's'}"
        return "\n".join([printable(head), *(f"  {problem}" for problem in self.problems)])


def _quoted(value: str) -> str:
    """A value in quotes on one line, shortened where it is very long."""
    return f'"{_short(value, LONGEST_SHOWN)}"'


def _short(text: str, most: int = LONGEST_SENTENCE) -> str:
    """A text from a file as it is shown: on one line, without signs that steer a terminal, shortened."""
    return printable(text) if len(text) <= most else f"{printable(text[:most])}..."


def show(value: object) -> str:
    """A value as it would stand in a cell; nothing for None."""
    return "" if value is None else str(value)


def nearest(word: str, words: Iterable[str], cutoff: float = 0.6) -> str:
    """The one of `words` that is most like `word` (upper and lower case count as equal), or "" when none is near.

    `cutoff` is the least similarity, 2 * matching letters / all letters of both words, 1 for equal words.
    """
    by_lower = {candidate.lower(): candidate for candidate in words}
    found = get_close_matches(word.strip().lower(), by_lower, n=1, cutoff=cutoff)
    return by_lower[found[0]] if found else ""
