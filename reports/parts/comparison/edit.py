"""The edit: what differs between the two card sets."""

from __future__ import annotations

from analysis.answer import Answer
from reports.page import Cell, Column, Section, Table
from reports.parts.comparison import common

NAME = "edit"


def section(a: Answer) -> Section:
    """The section on what was edited."""
    tables = (_table(a),) if a.changes else ()
    return Section(NAME, "What was edited", common.sentences(a, "edit"), (), tables, _how(a))


def _table(a: Answer) -> Table:
    old, new = a.comparison.base.card_set, a.comparison.variant.card_set
    columns = (Column("Where", numeric=False, short=True), Column("What changed", numeric=False, short=True))
    rows = tuple((Cell(where), Cell(what)) for where, _, what in (line.partition(": ") for line in a.changes))
    count = "one change" if len(rows) == 1 else f"{len(rows)} changes"
    return Table("changes", f"From {old} to {new}: {count}", columns, rows)


def _how(a: Answer) -> str:
    base, variant = a.comparison.base, a.comparison.variant
    return (
        f"The card sets as they were played lie beside the runs, in their folders “cardset”: {base.card_set} (hash "
        f"{base.card_set_hash[:12]}) and {variant.card_set} (hash {variant.card_set_hash[:12]}). Names, notes and what "
        "follows from other values do not count as changes."
    )
