"""A card set in words: what is played, for people."""

import re
from collections.abc import Iterator, Mapping, Sequence

from simcore.cardset.core import CardSet
from simcore.cardset.problems import show
from simcore.cardset.schema import Table, Value

SHOWN_HASH = 12  # letters of a hash that are shown where it need not be exact


def summary(card_set: CardSet) -> str:
    """What is played, in a line: every rule, the sizes of the tables, the beginning of the hash."""
    rules = ", ".join(f"{name} {show(value)}" for name, value in card_set.scalars.items())
    return f"{rules}; {sizes(card_set)} (hash {card_set.hash[:SHOWN_HASH]})"


def sizes(card_set: CardSet) -> str:
    """The number of rows of each table: "51 rows in lands, 12 rows in characters"."""
    return ", ".join(f"{len(rows)} rows in {name}" for name, rows in card_set.tables.items())


def in_words(card_set: CardSet) -> str:
    """Everything that is played, as a page of Markdown: the rules, then the input columns of every table.

    It is what the hash is made of, without the names and the notes of a card set's files.
    """
    return "\n".join(_lines(card_set)) + "\n"


def _lines(card_set: CardSet) -> Iterator[str]:
    schema = card_set.schema
    yield f"# {_escaped(card_set.name)}, a card set of {schema.title}"
    yield ""
    yield f"Hash: {card_set.hash}"
    yield ""
    yield "## rules"
    yield ""
    scalars = [[each.name, show(card_set.scalars[each.name]), each.unit, each.meaning] for each in schema.scalars]
    yield from _grid([["rule", "value", "unit", "meaning"], *scalars])
    for table in schema.tables:
        yield ""
        yield f"## {table.name}"
        yield ""
        yield from _grid(_rows(table, card_set.tables[table.name]))


def _rows(table: Table, rows: Sequence[Mapping[str, Value]]) -> list[list[str]]:
    names = [column.name for column in table.inputs]
    return [names, *([show(row[name]) for name in names] for row in rows)]


def _escaped(text: str) -> str:
    """A text in which nothing is taken for a mark of Markdown or HTML that could lead astray."""
    return re.sub(r"([\\|<`\[])", r"\\\1", text)


def _grid(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table of Markdown whose columns stand one below the other also as plain text."""
    cells = [[_escaped(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    for number, row in enumerate(cells):
        yield f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |"
        if number == 0:
            yield f"| {' | '.join('-' * width for width in widths)} |"
