"""From a raw card set to checked values, with everything that is wrong on the way."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from simcore.cardset.problems import FIRST_ROW, MOST_PROBLEMS, RULES_FILE, Problem, nearest, show, table_file
from simcore.cardset.raw import RawRow, RawSet, RawTable
from simcore.cardset.schema import Column, Scalar, Schema, Table, Value
from simcore.cardset.values import BadValue, is_blank, parse

# How alike an unknown column and a known one must be to be taken for a misspelling of it, when the known one is missing
# and when it is there.
LIKE_MISSING = 0.75
LIKE_PRESENT = 0.9

# So many cells of a column that cannot be read are told one by one, and more, unless they are most of its cells.
FEW = 3
MOST_OF_A_COLUMN = 0.5

LONGEST_NUMBER = 256  # bits of a number that is shown as it is; Python refuses to print very long ones

NAME = Scalar("name", "text", "the name of the card set")


@dataclass
class Draft:
    """The values that could be read (None where a value could not) and the problems found."""

    name: str = ""
    scalars: dict[str, Value] = field(default_factory=dict)
    tables: dict[str, list[dict[str, Value]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    broken: bool = False
    """Whether most of a column cannot be read, so that nothing is to be told of what it means."""

    @property
    def full(self) -> bool:
        """Whether there are as many problems as anyone wants to read, so that no more are looked for."""
        return len(self.problems) >= MOST_PROBLEMS


def draft(schema: Schema, raw: RawSet) -> Draft:
    """Check everything that the schema says, value by value. The check of the game comes later, on the result."""
    result = Draft(problems=list(raw.problems))
    if _of_another_game(schema, raw):
        result.problems = [_wrong_game(schema, raw)]
        return result
    _rules(schema, raw, result)
    for table in schema.tables:
        found = table.name in raw.tables and not result.full
        result.tables[table.name] = _rows(table, raw.tables[table.name], result) if found else []
    for name in raw.tables:
        if name not in result.tables:
            known = [table.name for table in schema.tables]
            what = f"is no table of {schema.game}"
            near = nearest(name, known)
            result.problems.append(raw.tables[name].problem(what, allowed=", ".join(known), nearest=near))
    return result


def located(schema: Schema, raw: RawSet, problem: Problem) -> Problem:
    """A problem of a game's check (rows counted from the top of the table) at its place in the source."""
    if problem.file == RULES_FILE:
        return raw.rules_problem(problem.what, problem.column, problem.value, problem.allowed, problem.nearest)
    for name, table in raw.tables.items():
        if problem.file == table_file(name):
            row = None if problem.row is None else table.rows[problem.row - FIRST_ROW].number
            return table.problem(problem.what, row, problem.column, problem.value, problem.allowed, problem.nearest)
    return problem


def _of_another_game(schema: Schema, raw: RawSet) -> bool:
    """Whether the set is clearly meant for another game, so that the schema says nothing about it."""
    rules = raw.rules or {}
    return rules.get("game", schema.game) != schema.game and not raw.tables


def _wrong_game(schema: Schema, raw: RawSet) -> Problem:
    game = show((raw.rules or {}).get("game")).strip()
    what = f"is another game than {schema.game}" if game else "is blank"
    return raw.rules_problem(what, "game", game, schema.game)


def _rules(schema: Schema, raw: RawSet, result: Draft) -> None:
    result.scalars = {scalar.name: None for scalar in schema.scalars}
    if raw.rules is None:
        return
    _keys(schema, raw, raw.rules, result)
    if raw.rules.get("game", schema.game) != schema.game:
        result.problems.append(_wrong_game(schema, raw))
    values = {scalar.name: _scalar(scalar, raw, raw.rules, result) for scalar in (NAME, *schema.scalars)}
    result.name = show(values.pop(NAME.name))
    result.scalars = values


def _keys(schema: Schema, raw: RawSet, rules: Mapping[str, object], result: Draft) -> None:
    """Report unknown and missing keys, but not a missing one for which an unknown one was probably meant."""
    allowed = {NAME.name: NAME.allowed, "game": schema.game} | {
        scalar.name: scalar.allowed for scalar in schema.scalars
    }
    absent = [name for name in allowed if name not in rules]
    for key in rules:
        if key not in allowed:
            near = nearest(key, absent) or nearest(key, allowed)
            what, known = "is no key of this game", ", ".join(allowed)
            result.problems.append(raw.rules_problem(what, key, "", known, near, of_name=True))
            absent = [name for name in absent if name != near]
            if result.full:
                return
    for name in absent:
        result.problems.append(raw.rules_problem("is missing", name, "", allowed[name]))


def _scalar(scalar: Scalar, raw: RawSet, rules: Mapping[str, object], result: Draft) -> Value:
    if scalar.name not in rules:
        return None
    value = rules[scalar.name]
    try:
        return parse(scalar, value)
    except BadValue as bad:
        result.problems.append(raw.rules_problem(bad.what, scalar.name, _short(value), scalar.allowed, bad.nearest))
        return None


def _short(value: object) -> str:
    """A TOML value for a message; a section, a list or an endless number only as what it is."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
        return "a very long number"
    if isinstance(value, Mapping):
        return "a section"
    return "a list" if isinstance(value, list) else show(value).strip()


def _rows(table: Table, raw: RawTable, result: Draft) -> list[dict[str, Value]]:
    """The rows of a table, a dict a row in the order of the columns of the source; notes stay as they are."""
    places = _header(table, raw, result)
    if not raw.rows:
        result.problems.append(raw.problem("has no rows", allowed="at least one row below the header"))
    columns = {column.name: column for column in table.columns}
    rows = []
    unread = _Unread()
    for row in raw.rows:
        rows.append(_row(columns, places, raw, row, result, unread))
        if result.full:
            return rows
    _tell_unread(columns, places, raw, unread, result)
    _unique(table, raw, rows, result)
    if table.copies:
        _alike(table, raw, rows, result)
    return rows


def _header(table: Table, raw: RawTable, result: Draft) -> dict[str, int]:
    """The position of each named column in the cells of a row; problems with the header go into the result."""

    def report(what: str, column: str, allowed: str = "", near: str = "", position: int | None = None) -> None:
        result.problems.append(raw.problem(what, raw.header_row, column, "", allowed, near, position))

    places: dict[str, int] = {}
    for position, name in enumerate(raw.header):
        if name == "":
            if any(len(row.cells) > position and not is_blank(row.cells[position]) for row in raw.rows):
                report("has cells but no name in the header", f"number {position + 1}", position=position)
        elif name in places:
            report("stands in the header twice", name, "each column once", position=position)
        elif not name.isprintable():
            what = "has a line break or another control character in its name"
            report(what, name.encode("unicode_escape").decode(), position=position)
        else:
            places[name] = position
    known = [column.name for column in table.columns]
    absent = [name for name in known if name not in places]
    if places and not any(nearest(name, known) for name in places):
        allowed = f"a header row ({', '.join(column.name for column in table.inputs)}) and a row a card"
        result.problems.append(raw.problem("is no header: no column has a known name", raw.header_row, allowed=allowed))
        return places
    for name in places:
        if name not in known:
            near = nearest(name, absent, LIKE_MISSING) or nearest(name, known, LIKE_PRESENT)
            if near:
                report("looks like a misspelt column", name, "a note column needs a name that is less alike", near)
                absent = [other for other in absent if other != near]
    for column in table.inputs:
        if column.name in absent:
            report("is missing", column.name, column.allowed)
    return places


@dataclass
class _Unread:
    """The cells that could not be read, by column: their problems (MOST_PROBLEMS at most are kept), and how many."""

    problems: dict[str, list[Problem]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, column: str, problem: Problem) -> None:
        kept = self.problems.setdefault(column, [])
        if len(kept) < MOST_PROBLEMS:
            kept.append(problem)
        self.counts[column] += 1


def _tell_unread(
    columns: Mapping[str, Column], places: Mapping[str, int], raw: RawTable, unread: _Unread, result: Draft
) -> None:
    """Report cells that could not be read one by one; of a column with hardly any other ones the first alone, since
    what is wrong there is the column.
    """
    whole = [name for name, count in unread.counts.items() if count > FEW and count > MOST_OF_A_COLUMN * len(raw.rows)]
    for name, found in unread.problems.items():
        if name not in whole:
            result.problems += found[: MOST_PROBLEMS - len(result.problems)]
            continue
        fits = [other for other in whole if other != name and _fits(columns[other], raw, places[name])]
        swapped = f"; all of it would fit under {fits[0]}: are the two names swapped?" if fits else ""
        what = f"{found[0].what} (and so on in {unread.counts[name] - 1} more rows of this column{swapped})"
        result.problems.append(replace(found[0], what=what))
    result.broken = result.broken or bool(whole)


def _fits(column: Column, raw: RawTable, position: int) -> bool:
    """Whether all cells at a position can be read as those of a column."""
    try:
        for row in raw.rows:
            parse(column, row.cells[position])
    except (BadValue, IndexError):
        return False
    return True


def _row(
    columns: Mapping[str, Column],
    places: Mapping[str, int],
    raw: RawTable,
    row: RawRow,
    result: Draft,
    unread: _Unread,
) -> dict[str, Value]:
    values: dict[str, Value] = dict.fromkeys([*places, *(name for name in columns if columns[name].role == "input")])
    spare = row.cells[len(raw.header) :]
    if len(row.cells) < len(raw.header) or not all(is_blank(cell) for cell in spare):
        count = len(row.cells)
        what = f"has {count} cell{'' if count == 1 else 's'}, the header has {len(raw.header)}"
        result.problems.append(raw.problem(what, row.number, allowed="as many cells as the header"))
        return values
    for name, position in places.items():
        column, cell = columns.get(name), row.cells[position]
        if column is None or column.role == "note":
            values[name] = show(cell)
        elif not is_blank(cell) or (column.role == "input" and not column.optional):
            try:
                values[name] = parse(column, cell)
            except BadValue as bad:
                shown = show(cell).strip()
                unread.add(name, raw.problem(bad.what, row.number, name, shown, column.allowed, bad.nearest))
    return values


def _unique(table: Table, raw: RawTable, rows: Sequence[Mapping[str, Value]], result: Draft) -> None:
    first: dict[Value, int] = {}
    for row, source in zip(rows, raw.rows, strict=True):
        key = row[table.key]
        if key in first:
            what = f"stands in row {first[key]} already"
            allowed = f"each {table.key} once"
            result.problems.append(raw.problem(what, source.number, table.key, show(key), allowed))
        elif key is not None:
            first[key] = source.number


def _alike(table: Table, raw: RawTable, rows: Sequence[Mapping[str, Value]], result: Draft) -> None:
    """Report cells in which a row differs from most copies of its card, and copies with the name of a row."""
    numbers = {show(row[table.key]): source.number for row, source in zip(rows, raw.rows, strict=True)}
    copies: dict[Value, list[int]] = {}
    for place, row in enumerate(rows):
        if row[table.copies] is not None:
            copies.setdefault(row[table.copies], []).append(place)
    for name, places in copies.items():
        if show(name) in numbers:
            what, number = f"is the {table.key} of row {numbers[show(name)]}", raw.rows[places[0]].number
            allowed = f"a {table.copies} that is no {table.key}"
            result.problems.append(raw.problem(what, number, table.copies, show(name), allowed))
        for column in table.inputs:
            if column.name not in (table.key, table.copies):
                _alike_in(column, raw, {place: rows[place] for place in places}, f"{table.copies} {name}", result)


def _alike_in(
    column: Column, raw: RawTable, copies: Mapping[int, Mapping[str, Value]], card: str, result: Draft
) -> None:
    """The copies of one card in one column; a value that could not be read is passed over."""
    values = {
        place: row[column.name] for place, row in copies.items() if column.optional or row[column.name] is not None
    }
    for usual, _ in Counter(values.values()).most_common(1):  # of equals the first
        example = next(raw.rows[place].number for place, value in values.items() if value == usual)
        for place, value in values.items():
            if value != usual:
                what = f"differs from row {example}, a copy of the same card ({card})"
                allowed = f"the same value in all rows with {card}"
                number, shown = raw.rows[place].number, show(value)
                result.problems.append(raw.problem(what, number, column.name, shown, allowed, show(usual)))


def derived_problems(
    table: str, rows: Sequence[Mapping[str, Value]], expected: Mapping[str, Sequence[Value]]
) -> list[Problem]:
    """Compare the derived columns of a table, where they are there, with what follows from the other columns.

    `expected` has a value a row for each derived column. One problem a column, at its first wrong cell: when a card is
    removed or moved, many cells are out of date at once, and the cure is one for all of them.
    """
    problems = []
    for name, values in expected.items():
        wrong = [
            position for position, row in enumerate(rows) if row.get(name) is not None and row[name] != values[position]
        ]
        if wrong:
            first = wrong[0]
            what = "does not follow from the other columns"
            if len(wrong) > 1:
                what += f" ({len(wrong)} wrong cells in this column)"
            allowed = "what follows from the other columns, or no such column"
            value = rows[first][name]
            problems.append(Problem.of_cell(table, first, name, value, what, allowed, show(values[first])))
    return problems
