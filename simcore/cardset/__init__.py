"""Card sets: a game declares a `Schema`; from it come loading, checking, export, comparison and documentation.

    card_set = load(SCHEMA, "base")                 # a shipped set by name, a folder or a workbook by path
    export(card_set, "my-set.xlsx", name="mine")    # edit it in a spreadsheet …
    print(diff(card_set, load(SCHEMA, "my-set.xlsx")))

Sources become a `raw.RawSet` (folder.py reads folders, workbook.py workbooks), validate.py checks it by the schema, the
game's own check comes last; all problems of a set are raised together in one `CardSetError`.
"""

from simcore.cardset.core import CardSet, build, diff, export, load
from simcore.cardset.problems import CardSetError, Problem, nearest
from simcore.cardset.schema import Column, Scalar, Schema, Table, Value, document
from simcore.cardset.validate import derived_problems
from simcore.cardset.words import in_words, sizes, summary

__all__ = [
    "CardSet",
    "CardSetError",
    "Column",
    "Problem",
    "Scalar",
    "Schema",
    "Table",
    "Value",
    "build",
    "derived_problems",
    "diff",
    "document",
    "export",
    "in_words",
    "load",
    "nearest",
    "sizes",
    "summary",
]
