"""Card sets: load, build, export, compare."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simcore import given
from simcore.cardset import folder as folders
from simcore.cardset.problems import RULES_FILE, CardSetError, Problem, nearest, show
from simcore.cardset.raw import RawSet, from_data
from simcore.cardset.schema import Schema, Table, Value
from simcore.cardset.validate import NAME, draft, located
from simcore.cardset.values import BadValue, parse
from simcore.errors import InputError
from simcore.places import on_disk

HASHED_FORM = "fairdeal-cardset/1"
PARTS_OF_FOLDERS = (".toml", ".csv")
WORKBOOKS = (".xlsx", ".ods")
OTHER_ENDINGS = (*PARTS_OF_FOLDERS, ".tsv", ".txt", ".json", ".xls", ".xlsm", ".xlsb", ".fods", ".numbers")
FORMS = "a folder, or a workbook (.xlsx or .ods)"
EDITED = " (edited)"


@dataclass(frozen=True)
class CardSet:
    """A checked card set: plain data that can be pickled. Made by `load` or `build`, not to be changed.

    `tables` holds a dict a row, with all columns of the source in their order: ints and text for input and derived
    columns (None for a blank derived cell), text as it stands for notes. `hash` is the sha256 (hex) of the effective
    content: scalars and input columns in the order of the rows; not the name, not notes, not derived columns. `notices`
    are sentences for the user about how the set was read.
    """

    name: str
    game: str
    scalars: dict[str, Any]
    tables: dict[str, list[dict[str, Any]]]
    hash: str
    schema: Schema = field(repr=False, compare=False)
    notices: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def __hash__(self) -> int:
        return hash((self.name, self.hash))


def load(schema: Schema, where: str | os.PathLike[str]) -> CardSet:
    """Load and check a card set: a shipped one by its name, a folder or a workbook by its path (./base is a folder,
    base is shipped).

    A set that carries the name of a shipped set but plays differently is loaded under that name with " (edited)" added,
    and a notice says so: results of an edited set never stand under the name of the original. Raises CardSetError with
    all problems of the set, InputError for an address.
    """
    shipped = schema.shipped
    if where in shipped:
        path = schema.card_sets / where
        return _finish(schema, folders.read(schema, path), str(where))
    if not os.fspath(where).strip():  # as a path, it would be the folder where one is
        problem = Problem("is blank", allowed=f"{FORMS}, or one of {', '.join(shipped)}")
        raise CardSetError(repr(where), [problem])
    path = on_disk(where, "a card set")
    try:
        raw = _read(schema, path)
    except OSError as error:
        raise CardSetError(str(where), [Problem(f"cannot be read: {error.strerror}")]) from error
    return _named(_finish(schema, raw, str(where)))


def _read(schema: Schema, path: Path) -> RawSet:
    """What a path holds, unchecked. Raises CardSetError where it can hold no card set, and OSError."""
    if path.is_dir():
        if not (path / RULES_FILE).exists() and (found := given.told(path)):
            raise CardSetError(str(path), [_other(found, given.card_set_in(path))])
        return folders.read(schema, path)
    if path.is_file() and path.suffix.lower() not in PARTS_OF_FOLDERS:
        from simcore.cardset import workbook  # what plays a shipped set need not wait for it

        return workbook.read(schema, path)
    raise CardSetError(str(path), [_not_found(schema, path)])


def build(
    schema: Schema,
    name: str,
    scalars: Mapping[str, object],
    tables: Mapping[str, Sequence[Mapping[str, object]]],
) -> CardSet:
    """Make a card set from Python data, checked like a loaded one (and named like one). Raises CardSetError with all
    problems.

    To edit a set, give the changed copies: `build(SCHEMA, "cheap", {**base.scalars, "expedition_cost": 15},
    base.tables)`.
    """
    return _named(_finish(schema, from_data(schema, name, scalars, tables), repr(name)))


def _not_found(schema: Schema, path: Path) -> Problem:
    shipped = schema.shipped
    near = nearest(str(path), shipped)
    if path.is_file():
        if path.name != RULES_FILE and path.suffix.lower() != ".csv" and (found := given.told(path)):
            return _other(found, "")
        allowed = f"its folder, with {RULES_FILE} and the tables"
        return Problem("is one file of a card set", allowed=allowed, nearest=near)
    if path.exists():
        return Problem("is neither a file nor a folder", allowed=FORMS, nearest=near)
    what = f"there is no such file or folder and no such card set of {schema.game}"
    return Problem(what, allowed=f"a folder, a workbook, or one of {', '.join(shipped)}", nearest=near)


def _other(found: str, held: str) -> Problem:
    """The problem of a path at which something else lies: `found` says what, `held` is the card set that lies in it."""
    return Problem(f"is no card set. {found.rstrip('.')}", allowed=FORMS, nearest=held)


def _finish(schema: Schema, raw: RawSet, where: str) -> CardSet:
    """Check a raw set by its schema and its game."""
    checked = draft(schema, raw)
    problems = checked.problems
    if checked.tables and not checked.full and not checked.broken:
        unfinished = CardSet(checked.name, schema.game, checked.scalars, checked.tables, "", schema)
        # A cell that could not be read looks blank to the game's check.
        told = {_place(problem) for problem in problems}
        found = [located(schema, raw, problem) for problem in schema.check(unfinished)]
        problems += [problem for problem in found if _place(problem) not in told]
    if problems:
        raise CardSetError(where, _in_order(problems))
    digest = _digest(schema, checked.scalars, checked.tables)
    return CardSet(checked.name, schema.game, checked.scalars, checked.tables, digest, schema, tuple(raw.notices))


def _place(problem: Problem) -> tuple[str, str, int | None, str]:
    return problem.file, problem.sheet, problem.row, problem.column


def _in_order(problems: Sequence[Problem]) -> list[Problem]:
    """Problems file by file, and in a file from top to bottom."""
    return sorted(problems, key=lambda problem: (not problem.of_rules, problem.file, problem.sheet, problem.row or 0))


def _digest(schema: Schema, scalars: Mapping[str, Value], tables: Mapping[str, Sequence[Mapping[str, Value]]]) -> str:
    """The hash of the effective content: sha256 of a JSON text that depends on nothing else."""
    content = {
        "format": HASHED_FORM,
        "game": schema.game,
        "scalars": {scalar.name: scalars[scalar.name] for scalar in schema.scalars},
        "tables": {
            table.name: [{column.name: row[column.name] for column in table.inputs} for row in tables[table.name]]
            for table in schema.tables
        },
    }
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _named(card_set: CardSet) -> CardSet:
    """The set under its effective name: see `load`."""
    schema, name = card_set.schema, card_set.name
    if name not in schema.shipped or load(schema, name).hash == card_set.hash:
        return card_set
    effective = name + EDITED
    notice = (
        f'The card set is called "{name}" but differs from the shipped set of this name, so it is shown as '
        f'"{effective}". Give it a name of its own.'
    )
    return CardSet(
        effective, card_set.game, card_set.scalars, card_set.tables, card_set.hash, schema, (*card_set.notices, notice)
    )


def export(card_set: CardSet, where: str | os.PathLike[str], name: str | None = None) -> None:
    """Write a card set as a folder, or as a workbook (where the path ends in .xlsx or .ods), that `load` reads back as
    the same set, under a new name if one is given.

    Exporting, loading and exporting again gives the same bytes. The folder must be new or empty, the workbook new.
    Comments in rules.toml come from the schema; comments of the user's own are not kept (note columns are), nor are a
    workbook's own looks. Raises InputError for the path, JobError for the disk.
    """
    try:
        new_name = str(parse(NAME, card_set.name if name is None else name))
    except BadValue as bad:
        raise InputError(f"the name {name!r} {bad.what}; allowed: {NAME.allowed}") from bad
    if not os.fspath(where).strip():
        raise InputError(f"no card set can be written to {where!r}; allowed: {FORMS}")
    path = on_disk(where, "a card set")
    ending = path.suffix.lower()
    if ending in OTHER_ENDINGS:
        raise InputError(f"{path}: a card set is not written as {ending}; allowed: {FORMS}")
    if ending in WORKBOOKS:
        from simcore.cardset import workbook

        workbook.write(path, new_name, card_set.schema, card_set.scalars, card_set.tables)
    else:
        folders.write(path, new_name, card_set.schema, card_set.scalars, card_set.tables)


def diff(a: CardSet, b: CardSet) -> list[str]:
    """What changes from a to b, in words, a line a change; empty exactly when both have the same hash.

    Names, notes and derived columns do not count. A row whose key changes is one removed and one added. Copies of one
    card change together. Raises InputError for sets of different games.
    """
    if a.game != b.game:
        raise InputError(f"card sets of {a.game} and {b.game} cannot be compared; allowed: two sets of one game")
    lines = [
        f"rules: {name} {show(old)} -> {show(b.scalars[name])}"
        for name, old in a.scalars.items()
        if old != b.scalars[name]
    ]
    for table in a.schema.tables:
        lines += _table_diff(table, a.tables[table.name], b.tables[table.name])
    return lines


def _table_diff(table: Table, a: Sequence[Mapping[str, Value]], b: Sequence[Mapping[str, Value]]) -> Iterator[str]:
    inputs = [column.name for column in table.inputs]
    others = [name for name in inputs if name != table.key]
    old = {row[table.key]: row for row in a}
    new = {row[table.key]: row for row in b}
    told = set()
    for key, row in old.items():
        if key not in new:
            yield f"{table.name}: {key} removed"
            continue
        changes = [
            f"{name} {show(row[name])} -> {show(new[key][name])}" for name in others if row[name] != new[key][name]
        ]
        copies = row[table.copies] if table.copies and row[table.copies] == new[key][table.copies] else None
        if changes and (copies is None or copies not in told):
            told.add(copies)
            yield f"{table.name} {key if copies is None else copies}: {', '.join(changes)}"
    for key, row in new.items():
        if key not in old:
            yield f"{table.name}: {key} added ({', '.join(f'{name} {show(row[name])}' for name in others)})"
    if [key for key in old if key in new] != [key for key in new if key in old]:
        yield f"{table.name}: the order of the rows differs"
