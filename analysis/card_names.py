"""Cards as a designer names them: by label or type, or by the id of a row of the card set, which no edit changes.

A row that shares its card with others, as one of three wagers, stands for that card: copies are alike in all that is
said of cards.
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from analysis.same_cards import id_of
from analysis.verdicts import short
from simcore.errors import InputError, shown

MOST_NEAR = 3
"""At most so many names are suggested in place of one that is not known."""
NEAR = 0.6  # how alike they must be, from 0 to 1

Labels = Mapping[str, str]
Rows = Mapping[str, Sequence[str]]
"""The label of each card, and the rows that it stands for, as "cards.Y10"; by its type."""


def find(word: str, labels: Labels, rows: Rows) -> tuple[str, ...]:
    """The types of the cards that a word means: those of this label (with or without what follows its colon), that of
    this type, or the one of this row, "Y10" or with its table "cards.Y10".

    `rows` may be those of more cards. Raises InputError for a word that means none, with the nearest names, and for one
    that means different cards.
    """
    found = meant(word, labels, rows)
    if not found:
        raise InputError(unknown(word, labels, rows))
    if len(found) > 1 and any(_is_row(word, row) for name in found for row in rows.get(name, ())):
        each = [f"{short(labels[name])} ({_sure_name(name, rows)})" for name in found]
        raise InputError(f"card {shown(word)} may be {' or '.join(each)}. Name it as in brackets.")
    return found


def meant(word: str, labels: Labels, rows: Rows) -> tuple[str, ...]:
    """The types of all cards that a word may mean, none where it is unknown."""
    return tuple(
        name
        for name, label in labels.items()
        if word in (name, label, short(label)) or any(_is_row(word, row) for row in rows.get(name, ()))
    )


def _is_row(word: str, row: str) -> bool:
    return word in (row, id_of(row))


def _sure_name(name: str, rows: Rows) -> str:
    """What names a card and no other: a row with its table, or its type."""
    return next(iter(rows.get(name, ())), name)


def unknown(word: str, labels: Labels, rows: Rows) -> str:
    """The message for a word that means no card: the nearest names, and how cards are named. `rows` may be those of
    more cards, of which nothing is told.
    """
    if any(_is_row(word, row) for of_card in rows.values() for row in of_card):
        return f"card {shown(word)} has no figure here: it comes up too rarely, or the target is not about such cards."
    names = [short(label) for label in labels.values()] + [id_of(row) for name in labels for row in rows.get(name, ())]
    by_lower = {name.lower(): name for name in names}
    near = [by_lower[name] for name in get_close_matches(word.lower(), by_lower, MOST_NEAR, NEAR)]
    hint = f" Did you mean {' or '.join([', '.join(near[:-1]), near[-1]] if len(near) > 1 else near)}?" if near else ""
    label, row = _example(labels, rows)
    by_row = f", or by the id of its row in the card set, as in {row}, which stays when it is edited" if row else ""
    return f"unknown card {shown(word)}.{hint} A card is named by its label, as in {label}{by_row}."


def _example(labels: Labels, rows: Rows) -> tuple[str, str]:
    """A card by its label and by the id of its row; without an id where no card has a row of its own."""
    for name, label in labels.items():
        if len(rows.get(name, ())) == 1 and id_of(rows[name][0]) != short(label):
            return short(label), id_of(rows[name][0])
    return short(next(iter(labels.values()))), ""
