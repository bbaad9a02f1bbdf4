"""What a report is made of, whatever its kind: sections with sentences, figures and tables; and how files are written.

A part of a report (`reports.parts`) makes a `Section` from an analysis; `html` puts sections into the page template,
`markdown_table` writes a table for a pull request.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from analysis import verdicts
from reports.svg import Drawing
from simcore.errors import InputError
from simcore.files import refusals, refuse_links, write_file
from simcore.places import place

if TYPE_CHECKING:
    from jinja2 import Environment


T = TypeVar("T")

FORMATS = ("html", "json", "md")
TONES = {
    verdicts.BAD: ("✕", "Problem"),
    verdicts.GOOD: ("✓", "Fine"),
    verdicts.UNSURE: ("?", "Open"),
    verdicts.PLAIN: ("·", "Note"),
}
"""Sign and word for the tone of a verdict."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its text, the interval behind it, and the raw numbers that it shows, for sorting and for data
    frames (`reports.tables`). These are unrounded: the number alone, or it and the ends of its interval, or two ends
    alone; whole numbers are ints. The interval rests on `n` deals.

    `bot` is the index of the bot that it names (it gets the bot's colour), `strong` marks what needs attention.
    """

    text: str
    interval: str = ""
    raw: tuple[float, ...] = ()
    n: int | None = None
    bot: int | None = None
    strong: bool = False

    @property
    def key(self) -> str | None:
        """What a script sorts by, where it is not the text."""
        return repr(float(self.raw[0])) if self.raw and math.isfinite(self.raw[0]) else None


@dataclass(frozen=True)
class Column:
    """A column: its head, and its unit in small letters below. `short`: the Markdown version has it too.

    In a data frame it is called `name`, where that is not to be its head. What numbers it holds is seen from its cells;
    where all of them may be unknown, `interval` and `whole` tell.
    """

    head: str
    unit: str = ""
    numeric: bool = True
    short: bool = False
    name: str = ""
    interval: bool = False
    whole: bool = False


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
    """A figure: `title` states its finding, `drawing` is the drawing with its alternative text, `note` says how to read
    it.
    """

    name: str
    title: str
    drawing: Drawing
    note: str = ""

    @property
    def svg(self) -> str:
        """The drawing as an `<svg>` element."""
        return self.drawing.svg


def renamed(figure: Figure, prefix: str) -> Figure:
    """A figure with a prefix before its name and all ids in its drawing, as a page holds each id once."""
    drawing = replace(figure.drawing, name=prefix + figure.drawing.name)
    return replace(figure, name=prefix + figure.name, drawing=drawing)


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


def markdown_caveat(text: str) -> list[str]:
    """The lines of what a reader must know of the card set's values; none where there is nothing to say."""
    return [markdown(text), ""] if text else []


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


def headed_table(
    table: Table | None, rows: Sequence[Sequence[Cell]] | None = None, more: str = "", level: int = 2
) -> list[str]:
    """The lines of a table in Markdown under a heading, or none where there is no table."""
    if table is None:
        return []
    return ["", f"{'#' * level} {markdown(table.caption + more)}", "", *markdown_table(table, rows)]


def table_of(section: Section, name: str) -> Table | None:
    """A table of a section by its name."""
    return next((table for table in section.tables if table.name == name), None)


def json_text(value: Any) -> str:
    """Plain data as JSON, indented as far as it helps a reader: what holds only plain values stands on one line."""
    return _json(value, "") + "\n"


def _json(value: Any, indent: str) -> str:
    items = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if not any(isinstance(item, dict | list) for item in items):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    deeper = indent + " "
    if isinstance(value, dict):
        body = [f"{json.dumps(key, ensure_ascii=False)}: {_json(item, deeper)}" for key, item in value.items()]
        return "{\n" + ",\n".join(deeper + line for line in body) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + _json(item, deeper) for item in value) + f"\n{indent}]"


def write_report(
    result: T, render: Mapping[str, Callable[[T], str]], folder: str | Path, formats: Sequence[str]
) -> list[Path]:
    """Write a result into a folder as report.html, report.json … (a name of `render` each) and return their paths.

    Each file is there complete or not at all. Raises InputError for an unknown format or a folder that cannot be
    written, JobError where writing fails.
    """
    unknown = [name for name in formats if name not in render]
    if unknown:
        raise InputError(f"There is no report format {unknown[0]!r}. Allowed: {', '.join(render)}.")
    return write_files(place(folder), {f"report.{name}": render[name](result) for name in formats})


def write_files(folder: Path, contents: Mapping[str, str]) -> list[Path]:
    """Write text files into a folder (made if missing): each is complete under its name, or not there at all.

    Raises InputError or JobError where the folder cannot be written.
    """
    refuse_links(folder)  # a run folder from a stranger could lead its report anywhere
    with refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name, text in contents.items():
        write_file(folder / name, text.encode())
    return [folder / name for name in contents]
