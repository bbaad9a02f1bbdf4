"""What may vary in a card set: `rules.expedition_cost=10:30:5` or `characters.hunter.vp_amount=1,2,5` as a path and
values, and the card set with other values at such paths, checked like a file. Where a table has copies of cards, their
common name stands for all of them: `buildings.A.cost_gold=1,2`. `expand` takes `cards.*.value=1:10` apart, all rows at
once.

    axis = read(card_set, ["rules.expedition_cost=10:30:5"])[0]
    edited(card_set, {axis.path: 15})
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simcore.cardset.core import CardSet, build
from simcore.cardset.problems import Problem, nearest, show
from simcore.cardset.schema import Column, Scalar, Table, Value
from simcore.cardset.values import BadValue
from simcore.cardset.values import parse as parse_value
from simcore.errors import InputError

RULES = "rules"
"""The first word of a path to a scalar; other paths begin with a table."""
BLANK = "blank"
"""The word for the value of an empty cell."""
MOST_VALUES = 100
MOST_NAMED = 12  # rows that a message lists
MOST_PROBLEMS = 5  # values that a message lists
FORM = "TABLE.ROW.COLUMN=1,2,5 or =LOW:HIGH or =LOW:HIGH:STEP, and rules.NAME=… for a value of the rules"

_RANGE = re.compile(r"\s*([+-]?\d{1,100})\s*:\s*([+-]?\d{1,100})\s*(?::\s*([+-]?\d{1,100})\s*)?", re.ASCII)
_DASHED = re.compile(r"(\d+)-(\d+)", re.ASCII)  # a range as people write one elsewhere
_ALL = re.compile(r"([^.=]+)\.\s*\*\s*\.([^.=]+)=(.*)")


class VaryError(InputError):
    """Paths or values that a card set does not have or allow; `problems` holds all of them, `where` what was asked."""

    def __init__(self, where: str, problems: Sequence[Problem]) -> None:
        super().__init__(where, tuple(problems))
        self.where = where
        self.problems = tuple(problems)

    def __str__(self) -> str:
        if len(self.problems) == 1:
            return f"{self.where}: {self.problems[0]}"
        return "\n".join([f"{self.where}: {len(self.problems)} problems", *(f"  {line}" for line in self.problems)])


@dataclass(frozen=True)
class Path:
    """Where a value stands in a card set: table, row (its key, or the name of copies) and column, or "rules", "" and
    the name of a scalar.
    """

    table: str
    row: str
    column: str

    def __str__(self) -> str:
        return ".".join(word for word in (self.table, self.row, self.column) if word)


@dataclass(frozen=True)
class Axis:
    """A value of a card set that is varied: its path, the values in order (numbers ascending, words as they were
    given), the value of the card set itself (`base`, one of them; None for an empty cell), and whether that one was
    added to those that were asked for. `unit` and `meaning` are the schema's.
    """

    path: Path
    values: tuple[Value, ...]
    base: Value
    base_added: bool
    unit: str = ""
    meaning: str = ""

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers, so that there is something between two of them."""
        return all(isinstance(value, int) for value in self.values)


# --- words -----------------------------------------------------------------------------------------------------------


def parse(word: str) -> tuple[Path, tuple[int | str, ...]]:
    """The path and the values in `TABLE.ROW.COLUMN=…`, before any card set is asked. Raises VaryError."""
    left, equals, right = word.partition("=")
    if not equals or not left.strip():
        raise VaryError(word, [Problem("is not a path and its values", allowed=FORM)])
    return _path(word, left), _values(word, right)


def _path(word: str, text: str) -> Path:
    names = [name.strip() for name in text.split(".")]
    if all(names):
        if len(names) == 2 and names[0] == RULES:
            return Path(RULES, "", names[1])
        if len(names) == 3 and names[0] != RULES:
            return Path(*names)
    allowed = "TABLE.ROW.COLUMN, or rules.NAME for a value of the rules"
    near = f"{RULES}.{names[0]}" if len(names) == 1 and names[0] != RULES else ""
    if len(names) == 2 and names[1] and nearest(names[0], [RULES]):
        near = f"{RULES}.{names[1]}"
    raise VaryError(word, [Problem("is no path", value=text.strip(), allowed=allowed, nearest=near)])


def _values(word: str, text: str) -> tuple[int | str, ...]:
    match = _RANGE.fullmatch(text)
    if match is not None:
        return _range(word, *(None if part is None else int(part) for part in match.groups()))
    values = tuple(value.strip() for value in text.split(","))
    if ":" in text or not all(values):
        what = "is no list of values" if ":" not in text else "is no range of whole numbers"
        raise VaryError(word, [Problem(what, value=text.strip(), allowed="1,2,5 or LOW:HIGH or LOW:HIGH:STEP")])
    return tuple(dict.fromkeys(values))


def _range(word: str, low: int | None, high: int | None, step: int | None) -> tuple[int, ...]:
    assert low is not None
    assert high is not None
    by = 1 if step is None else step
    if by < 1:
        raise VaryError(word, [Problem("is no step", value=str(by), allowed="a step of at least 1")])
    if low > high:
        what, near = f"is an empty range: {low} is above {high}", f"{high}:{low}" + ("" if step is None else f":{step}")
        raise VaryError(word, [Problem(what, allowed="LOW:HIGH", nearest=near)])
    count = (high - low) // by + 1
    if count > MOST_VALUES:
        what = f"holds {count:,} values" if count < 10**9 else "holds far too many values"
        near = f"{low}:{high}:{-(-(high - low) // (MOST_VALUES - 1))}"
        raise VaryError(word, [Problem(what, allowed=f"at most {MOST_VALUES}, with a larger step", nearest=near)])
    return tuple(range(low, high + 1, by))


# --- a card set's paths ----------------------------------------------------------------------------------------------


def read(card_set: CardSet, words: Sequence[str]) -> tuple[Axis, ...]:
    """The axes of `--vary` words in this card set: paths that it has, and values that its schema allows, with its own
    value among them.

    Raises VaryError, with everything that is wrong with all words.
    """
    axes, problems = [], []
    for word in words:
        try:
            axes.append(_axis(card_set, word))
        except VaryError as error:
            problems.append(error)
    if len(problems) == 1:
        raise problems[0]
    if problems:
        raise InputError("\n".join(str(error) for error in problems))
    cells = [_cells(card_set, axis.path) for axis in axes]
    for i, axis in enumerate(axes):
        if cells[i] in cells[:i]:
            raise VaryError(words[i], [Problem("varies what is varied already", value=str(axis.path))])
    return tuple(axes)


def _cells(card_set: CardSet, path: Path) -> tuple[str, str, tuple[int, ...]]:
    """Table, column and rows: the same for all paths to the same cells."""
    return path.table, path.column, () if path.table == RULES else _positions(card_set, path)


def _axis(card_set: CardSet, word: str) -> Axis:
    path, asked = parse(word)
    field = field_of(card_set, path)
    base = value_of(card_set, path)
    values: list[Value] = []
    problems = []
    for value in asked:
        if value == BLANK and isinstance(field, Column) and field.optional:
            values.append(None)
            continue
        try:
            values.append(parse_value(field, value))
        except BadValue as bad:
            problems.append(_bad_value(card_set, path, value, field, bad))
    if problems:
        raise VaryError(word, _shortened(problems))
    if len(set(values)) > MOST_VALUES:
        raise VaryError(word, [Problem(f"names {len(set(values))} values", allowed=f"at most {MOST_VALUES}")])
    added = base not in values
    distinct = dict.fromkeys([base, *values] if added else values)
    ordered = sorted(distinct, key=lambda value: value if isinstance(value, int) else -1)
    chosen = ordered if all(isinstance(value, int) for value in distinct) else list(distinct)
    return Axis(path, tuple(chosen), base, added, field.unit, field.meaning)


def _bad_value(card_set: CardSet, path: Path, value: int | str, field: Scalar, bad: BadValue) -> Problem:
    near = _DASHED.sub(r"\1:\2", value) if isinstance(value, str) and _DASHED.fullmatch(value) else bad.nearest
    if path.table == RULES:
        return Problem.of_scalar(path.column, value, bad.what, field.allowed, near)
    position = _positions(card_set, path)[0]
    return Problem.of_cell(path.table, position, path.column, value, bad.what, field.allowed, near)


def _shortened(problems: list[Problem]) -> list[Problem]:
    """As many problems as can be read at a glance: most values of a range may lie outside of what is allowed."""
    more = len(problems) - MOST_PROBLEMS
    return problems if more <= 0 else [*problems[:MOST_PROBLEMS], Problem(f"and {more} more values like these")]


def field_of(card_set: CardSet, path: Path) -> Scalar:
    """What the schema says about the value at a path. Raises VaryError with the nearest path where there is none."""
    schema = card_set.schema
    if path.table == RULES:
        scalars = {scalar.name: scalar for scalar in schema.scalars}
        if path.column in scalars:
            return scalars[path.column]
        near = nearest(path.column, scalars)
        problem = Problem("is no value of the rules", value=path.column, allowed=", ".join(scalars), nearest=near)
        raise VaryError(str(path), [problem])
    tables = {table.name: table for table in schema.tables}
    if path.table not in tables:
        near = nearest(path.table, [RULES, *tables])
        allowed = ", ".join([RULES, *tables])
        raise VaryError(str(path), [Problem("is no table", value=path.table, allowed=allowed, nearest=near)])
    table = tables[path.table]
    problems = [*_row_problems(card_set, table, path.row), *_column_problems(table, path.column)]
    if problems:
        raise VaryError(str(path), problems)
    return next(column for column in table.columns if column.name == path.column)


def _row_problems(card_set: CardSet, table: Table, row: str) -> Iterator[Problem]:
    rows = card_set.tables[table.name]
    keys = [show(each[table.key]) for each in rows]
    names = [show(name) for name in dict.fromkeys(each[table.copies] for each in rows)] if table.copies else []
    if row in names:
        return
    if row not in keys:
        if table.copies:
            allowed = f"the {table.copies} of a card: {_listed(names, 'cards')}; or the {table.key} of a row"
        else:
            allowed = f"the {table.key} of a row: {_listed(keys, 'rows')}"
        yield Problem(f"is no row of {table.name}", value=row, allowed=allowed, nearest=nearest(row, names + keys))
    elif table.copies:
        name = show(rows[keys.index(row)][table.copies])
        copies = [key for key, each in zip(keys, rows, strict=True) if show(each[table.copies]) == name]
        if len(copies) > 1:
            what = f"is one of {len(copies)} copies ({', '.join(copies)}), which can only be varied together"
            yield Problem(what, value=row, allowed=f"their {table.copies}, {name}, for all of them", nearest=name)


def _listed(names: Sequence[str], things: str) -> str:
    more = f" … {names[-1]} ({len(names)} {things})" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def _column_problems(table: Table, name: str) -> Iterator[Problem]:
    columns: dict[str, Column] = {column.name: column for column in table.columns}
    varied = [column.name for column in table.inputs if column.name not in (table.key, table.copies)]
    if name in varied:
        return
    what = f"is no column of {table.name}"
    if name == table.key:
        what = "names the row and cannot be varied"
    elif name == table.copies:
        what = "names the copies of a card and cannot be varied"
    elif name in columns:
        says = "follows from the other columns" if columns[name].role == "derived" else "is a note, without effect"
        what = f"{says}, and cannot be varied"
    near = nearest(name, varied) if name not in columns else ""
    yield Problem(what, value=name, allowed=", ".join(varied), nearest=near)


def value_of(card_set: CardSet, path: Path) -> Value:
    """The value at a path that `field_of` knows; None for an empty cell."""
    if path.table == RULES:
        value: Value = card_set.scalars[path.column]
        return value
    row: Mapping[str, Value] = card_set.tables[path.table][_positions(card_set, path)[0]]
    return row[path.column]


def _positions(card_set: CardSet, path: Path) -> tuple[int, ...]:
    """The rows that a path names: one, or all copies of a card."""
    table = next(table for table in card_set.schema.tables if table.name == path.table)
    names = [name for name in (table.key, table.copies) if name]
    rows = card_set.tables[path.table]
    return tuple(i for i, row in enumerate(rows) if path.row in [show(row[name]) for name in names])


def row_names(card_set: CardSet, path: Path) -> set[str]:
    """What the rows that a path names are called, as "cards.Y10": by their keys, and by what copies share."""
    if path.table == RULES:
        return set()
    table = next(table for table in card_set.schema.tables if table.name == path.table)
    rows = [card_set.tables[path.table][position] for position in _positions(card_set, path)]
    return {f"{path.table}.{show(row[name])}" for row in rows for name in (table.key, table.copies) if name}


# --- edits -----------------------------------------------------------------------------------------------------------


def edited(card_set: CardSet, changes: Mapping[Path, Value]) -> CardSet:
    """The card set with other values at some paths, checked like one that was read from files; itself where nothing
    changes. Copies of a card change together. Its name says what was changed: "base, rules.expedition_cost=15".

    Derived columns are left out, as they would no longer follow from the others. Raises VaryError for a path that is
    not there, CardSetError with all problems of the changed set.
    """
    for path in changes:
        field_of(card_set, path)
    new = {path: value for path, value in changes.items() if value != value_of(card_set, path)}
    if not new:
        return card_set
    scalars: dict[str, Any] = dict(card_set.scalars)
    tables = {table.name: _without_derived(table, card_set.tables[table.name]) for table in card_set.schema.tables}
    for path, value in new.items():
        if path.table == RULES:
            scalars[path.column] = value
        else:
            for position in _positions(card_set, path):
                tables[path.table][position][path.column] = value
    said = ", ".join(f"{path}={show(value) or BLANK}" for path, value in new.items())
    return build(card_set.schema, f"{card_set.name}, {said}", scalars, tables)


def _without_derived(table: Table, rows: Sequence[Mapping[str, Value]]) -> list[dict[str, Value]]:
    derived = {column.name for column in table.columns if column.role == "derived"}
    return [{name: value for name, value in row.items() if name not in derived} for row in rows]


# --- all rows at once ------------------------------------------------------------------------------------------------


def expand(card_set: CardSet, words: Sequence[str]) -> list[str]:
    """The words with `TABLE.*.COLUMN=…` taken apart: a word for each row, or for each card where there are copies,
    whose cell is not blank. Raises VaryError for a table or column that the card set does not have.
    """
    return [one for word in words for one in (_each(card_set, word) if _ALL.match(word) else [word])]


def _each(card_set: CardSet, word: str) -> list[str]:
    match = _ALL.match(word)
    assert match is not None
    name, column, rest = match[1].strip(), match[2].strip(), match[3]
    tables = {table.name: table for table in card_set.schema.tables}
    if name not in tables:
        near = nearest(name, tables)
        raise VaryError(word, [Problem("is no table", value=name, allowed=", ".join(tables), nearest=near)])
    table = tables[name]
    problems = list(_column_problems(table, column))
    if problems:
        raise VaryError(word, problems)
    rows = card_set.tables[name]
    keys = dict.fromkeys(show(row[table.copies or table.key]) for row in rows if row[column] is not None)
    return [f"{name}.{key}.{column}={rest}" for key in keys]
