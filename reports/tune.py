"""The report of a tuning: the edit, what fresh deals say of it, and the finalists. JSON and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.tune import Tuning
from analysis.tune_verdicts import in_words, sentences
from reports import page
from reports.page import Cell, Column, Table

FORMATS = ("json", "md")


def write(tuning: Tuning, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write report.json and report.md (or one of them) into a folder and return their paths.

    Each file is there complete or not at all. Raises InputError for an unknown format or a folder that cannot be
    written, JobError where writing fails.
    """
    return page.write_report(tuning, {"json": render_json, "md": render_markdown}, folder, formats)


def render_json(tuning: Tuning) -> str:
    """`Tuning.to_dict()` as text, with the sentences of the page."""
    return page.json_text(tuning.to_dict() | {"sentences": list(sentences(tuning))})


def render_markdown(tuning: Tuning) -> str:
    """The sentences, the finalists and what was varied."""
    lines = [f"# {page.markdown(f'{tuning.check.title}: {tuning.card_set} tuned to its targets')}", ""]
    lines += [f"- {page.markdown(sentence)}" for sentence in sentences(tuning)]
    for table in tables(tuning):
        lines += page.headed_table(table)
    return "\n".join(lines) + "\n"


def tables(tuning: Tuning) -> tuple[Table, ...]:
    """The finalists and what was varied."""
    return _finalists(tuning), _ranges(tuning)


def _finalists(tuning: Tuning) -> Table:
    rows = tuple(
        (
            Cell(in_words(one)),
            Cell("yes" if one.passed else "not known"),
            *(_number(value) for value in (one.price, one.searched, one.fresh, one.cost)),
            Cell(one.folder),
        )
        for one in tuning.finalists
    )
    columns = (
        Column("Edit", numeric=False, short=True),
        Column("Targets met", numeric=False, short=True),
        Column("Price", "margins", short=True),
        Column("Miss in the search", "margins", short=True),
        Column("Miss on fresh deals", "margins", short=True),
        Column("Cost there", "margins", short=True),
        Column("Folder", numeric=False, short=True),
    )
    return Table("finalists", "The finalists, the winner first", columns, rows)


def _number(value: float) -> Cell:
    return Cell(f"{value:.3f}", raw=(value,))


def _ranges(tuning: Tuning) -> Table:
    rows = tuple(
        (
            Cell(one.path),
            Cell(f"{one.values[0]} to {one.values[-1]}", raw=(one.values[0], one.values[-1])),
            Cell(str(one.base), raw=(one.base,)),
            Cell(str(value), raw=(value,)),
        )
        for one, value in zip(tuning.ranges, tuning.winner.values, strict=True)
    )
    columns = (
        Column("Value", numeric=False, short=True),
        Column("May be", short=True),
        Column("As it was", short=True),
        Column("Found", short=True),
    )
    return Table("ranges", "What may vary", columns, rows)
