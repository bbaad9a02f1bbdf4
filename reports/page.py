"""What a report is made of, whatever its kind: sections with sentences, figures and tables; and how files are written.

A part of a report (`reports.parts`) makes a `Section` from an analysis; `html` puts sections into the page template,
`markdown_table` writes a table for a pull request.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.files import refusals, write_file

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its text, the interval behind it, and the raw numbers that it shows, for sorting.

    `bot` is the index of the bot that it names (it gets the bot's colour), `strong` marks what needs attention.
    """

    text: str
    interval: str = ""
    raw: tuple[float, ...] = ()
    bot: int | None = None
    strong: bool = False

    @property
    def key(self) -> str | None:
        """What a script sorts by, where it is not the text."""
        return repr(float(self.raw[0])) if self.raw and math.isfinite(self.raw[0]) else None


@dataclass(frozen=True)
class Column:
    """A column: its head, and its unit in small letters below. `short`: the Markdown version has it too."""

    head: str
    unit: str = ""
    numeric: bool = True
    short: bool = False


@dataclass(frozen=True)
class Table:
    """A table; the first cell of a row names it. `note` stands below."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure: `title` states its finding, `svg` is the drawing with its alternative text, `note` says how to read
    it.
    """

    name: str
    title: str
    svg: str
    note: str = ""


@dataclass(frozen=True)
class Section:
    """A section: opens with its sentences, shows figures and tables, and ends with how the numbers were made."""

    name: str
    title: str
    sentences: tuple[str, ...]
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    how: str = ""


@functools.cache
def _environment() -> Environment:
    import jinja2

    folder = Path(__file__).parent / "templates"
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["minus"] = minus
    environment.filters["breaks"] = _breaks
    environment.globals["asset"] = lambda name: (folder / name).read_text(encoding="utf-8")
    return environment


def minus(text: str) -> str:
    """A text with a minus sign before negative numbers in place of the hyphen of plain text."""
    return re.sub(r"(?<![\w–])-(?=\d)", "−", text)


def _breaks(text: str) -> str:
    """A text as HTML in which a line may end after an underscore, as in the long name of a bot."""
    return escape(text).replace("_", "_<wbr>")


def html(template: str, **content: Any) -> str:
    """Fill a template; everything is escaped but the drawings."""
    return _environment().get_template(template).render(**content)


def markdown(text: str) -> str:
    """A text as it stands in Markdown: nothing in it is taken for markup, nor breaks a table."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*|\[\]~]|(?<!\w)_|_(?!\w))", r"\\\1", " ".join(escaped.split()))


def markdown_table(table: Table, rows: Sequence[Sequence[Cell]] | None = None) -> list[str]:
    """The lines of a table in Markdown: the columns of the short version, intervals in brackets; some rows or all."""
    kept = [i for i, column in enumerate(table.columns) if column.short]
    columns = [table.columns[i] for i in kept]

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    heads = [markdown(f"{c.head} ({c.unit})" if c.unit else c.head) for c in columns]
    marks = ["---:" if c.numeric else "---" for c in columns]
    shown = [[row[i] for i in kept] for row in (table.rows if rows is None else rows)]
    body = [[markdown(f"{c.text} ({c.interval})" if c.interval else c.text) for c in row] for row in shown]
    return [line(heads), line(marks), *map(line, body)]


def write_files(folder: Path, contents: Mapping[str, str]) -> list[Path]:
    """Write text files into a folder (made if missing): each is complete under its name, or not there at all.

    Raises InputError or JobError where the folder cannot be written.
    """
    with refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name, text in contents.items():
        write_file(folder / name, text.encode())
    return [folder / name for name in contents]
