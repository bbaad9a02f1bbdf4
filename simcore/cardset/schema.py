"""The schema of a game's card sets: what a game declares once, and what it means in words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from simcore.cardset.problems import RULES_FILE, RULES_SHEET, Problem, table_file

if TYPE_CHECKING:
    from simcore.cardset.core import CardSet

Value = int | str | None
Kind = Literal["id", "word", "text", "int", "choice"]
Role = Literal["input", "derived", "note"]

KIND_WORDS = {
    "id": "one word of the letters A-Z and a-z, digits and _",
    "word": "one word of letters, digits and _",
    "text": "text in one line",
}


@dataclass(frozen=True)
class Scalar:
    """One single value of a card set: a size, a cost, a threshold, a named switch.

    kind: `int` (a whole number from `minimum` to `maximum`), `choice` (one of `choices`), `id` (an ASCII word), `word`
    (a word in any alphabet), `text` (one line, not blank). `unit` and `meaning` are for people.
    """

    name: str
    kind: Kind
    meaning: str
    unit: str = ""
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """What may stand here, in words."""
        if self.kind == "choice":
            return ", ".join(self.choices)
        if self.kind != "int":
            return KIND_WORDS[self.kind]
        if self.minimum is None and self.maximum is None:
            return "a whole number"
        if self.maximum is None:
            return f"a whole number from {self.minimum}"
        if self.minimum is None:
            return f"a whole number up to {self.maximum}"
        return f"a whole number from {self.minimum} to {self.maximum}"


@dataclass(frozen=True)
class Column(Scalar):
    """One column of a table.

    role: `input` columns are the content and must be there; `derived` columns follow from the others, may be missing or
    blank, and are checked by the game when they are there; `note` columns are documentation, kept as they are.
    A cell of an `optional` input column may be blank, where the rows that need it are known to the game's check only.
    """

    role: Role = "input"
    optional: bool = False

    @property
    def allowed(self) -> str:
        """What may stand here, in words."""
        return f"{super().allowed}, or blank" if self.optional else super().allowed


@dataclass(frozen=True)
class Table:
    """One table of a card set; `key` is the column whose values name the rows and must all be different.

    Rows with the same value in the column `copies`, if one is named, are copies of one card: alike in all input columns
    but the key. That value names all of them, and is no key.
    """

    name: str
    key: str
    meaning: str
    columns: tuple[Column, ...]
    copies: str = ""

    @property
    def inputs(self) -> tuple[Column, ...]:
        """The columns that are the content of the table."""
        return tuple(column for column in self.columns if column.role == "input")


def no_check(card_set: "CardSet") -> Sequence[Problem]:
    """The check of a game that has nothing to add to its schema."""
    return ()


@dataclass(frozen=True)
class Schema:
    """Everything that a game declares about its card sets.

    `package` is the package whose folder `cardsets` holds the shipped sets, a folder each. `check` finds what only the
    game knows. It is also given sets that have other problems, so that all are reported at once: a value that could not
    be read is None there, and the check passes over it. It must be a function of a module (plans, which are pickled,
    refer to it).
    """

    game: str
    title: str
    package: str
    scalars: tuple[Scalar, ...]
    tables: tuple[Table, ...]
    check: Callable[["CardSet"], Sequence[Problem]] = no_check

    @property
    def card_sets(self) -> Path:
        """The folder of the shipped card sets."""
        return Path(str(resources.files(self.package))) / "cardsets"

    @property
    def shipped(self) -> tuple[str, ...]:
        """The names of the shipped card sets, sorted."""
        return tuple(sorted(entry.name for entry in self.card_sets.iterdir() if (entry / RULES_FILE).is_file()))


def document(schema: Schema) -> str:
    """The schema as a page of Markdown: the files of a card set, what stands in them and what is allowed."""
    return "\n".join(_lines(schema)) + "\n"


def _lines(schema: Schema) -> Iterator[str]:
    tables = ", ".join(table_file(table.name) for table in schema.tables)
    yield f"# Card sets of {schema.title}"
    yield ""
    yield f"A card set is a folder with the files {RULES_FILE} and {tables} (comma, semicolon or tab between cells), or"
    yield f"one workbook (.xlsx or .ods) with a sheet `{RULES_SHEET}` and a sheet for each table, named like its file"
    yield "without the ending. Sheets and tables of your own need names that begin with _."
    yield ""
    yield f"Shipped sets: {', '.join(schema.shipped)}."
    yield ""
    yield f"## {RULES_FILE}, or the sheet `{RULES_SHEET}`"
    yield ""
    yield f'`name` is the name of the set, `game` is "{schema.game}". The other values, all required:'
    yield ""
    yield "| value | allowed | unit | meaning |"
    yield "| --- | --- | --- | --- |"
    for scalar in schema.scalars:
        yield f"| {scalar.name} | {scalar.allowed} | {scalar.unit} | {scalar.meaning} |"
    for table in schema.tables:
        yield ""
        yield f"## {table_file(table.name)}, or the sheet `{table.name}`"
        yield ""
        yield f"{table.meaning} The column `{table.key}` names the row. Columns of your own are kept as notes."
        if table.copies:
            yield f"Rows with the same `{table.copies}` are copies of one card, and alike in the other input columns:"
            yield f"`--vary {table.name}.{table.copies.upper()}.COLUMN=…` changes all of them."
        yield ""
        yield "| column | role | allowed | unit | meaning |"
        yield "| --- | --- | --- | --- | --- |"
        for column in table.columns:
            yield f"| {column.name} | {column.role} | {column.allowed} | {column.unit} | {column.meaning} |"
    yield ""
    yield "Roles: `input` columns are the content and required; `derived` columns follow from the others, may be"
    yield "missing, and are checked when they are there; `note` columns are for you."
