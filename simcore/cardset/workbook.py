"""Card sets as workbooks (.xlsx or .ods): a sheet `rules` for the scalars, a sheet for each table.

Which of both kinds a file is, its content tells, not its name. Sheets whose names begin with an underscore are the
user's own.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from simcore.cardset import read_ods, read_xlsx
from simcore.cardset.archive import Archive, BadWorkbook
from simcore.cardset.pages import RULES_COLUMNS, pages
from simcore.cardset.problems import OWN, RULES_SHEET, Problem, nearest
from simcore.cardset.raw import Flawed, RawRow, RawSet, RawTable, letters
from simcore.cardset.schema import Schema, Table
from simcore.cardset.sheet import Sheet
from simcore.cardset.values import is_blank
from simcore.errors import InputError
from simcore.files import refusals, write_file

XLSX = ".xlsx"
RULE, VALUE = RULES_COLUMNS[:2]  # the columns that count; the others explain
RULES_NEED = f"a header row ({', '.join(RULES_COLUMNS)}) and a row a rule"
LIKE = 0.5  # how alike a renamed sheet must be


def read(schema: Schema, path: Path) -> RawSet:
    """Read a workbook; what cannot be read is among the problems of the result. Raises OSError."""
    raw = RawSet(rules_file=path.name, rules_sheet=RULES_SHEET)
    try:
        sheets = _sheets(path)
        found: dict[str, Sheet] = {}
        for sheet in sheets:
            if not _is_own(sheet.name):
                if _key(sheet.name) in found:
                    raw.problems.append(_twice(path, found[_key(sheet.name)], sheet))
                found[_key(sheet.name)] = sheet
        wanted = [RULES_SHEET, *(table.name for table in schema.tables)]
        spare = [sheet for key, sheet in found.items() if key not in map(_key, wanted) and sheet.cells]
        for name in wanted:
            if _key(name) not in found:
                raw.problems.append(_missing(path, name, spare))
            elif name == RULES_SHEET:
                _read_rules(found[_key(name)], raw)
            else:
                _read_table(schema, path, name, found[_key(name)], raw)
        raw.problems += [_unknown(schema, path, sheet, wanted) for sheet in spare]
    except BadWorkbook as bad:
        return RawSet(problems=[Problem(bad.what, path.name, allowed=bad.allowed)])
    return raw


def _sheets(path: Path) -> list[Sheet]:
    with Archive(path) as archive:
        part = read_xlsx.workbook_part(archive)
        if part:
            return read_xlsx.read(archive, part, _is_own)
        if read_ods.is_ods(archive):
            return read_ods.read(archive, _is_own)
    raise BadWorkbook("is no workbook of a spreadsheet", "a workbook saved as .xlsx or .ods")


def _is_own(name: str) -> bool:
    return name.strip().startswith(OWN)


def _key(name: str) -> str:
    return name.strip().casefold()


def _twice(path: Path, first: Sheet, second: Sheet) -> Problem:
    what = f"stands in the workbook twice, as {first.name!r} and {second.name!r}"
    return Problem(what, path.name, allowed="each sheet once", sheet=second.name.strip())


def _missing(path: Path, name: str, spare: list[Sheet]) -> Problem:
    near = nearest(name, [sheet.name for sheet in spare], LIKE)
    spare[:] = [sheet for sheet in spare if sheet.name != near]  # one mistake, one message
    return Problem("is missing in the workbook", path.name, sheet=name, nearest=near)


def _unknown(schema: Schema, path: Path, sheet: Sheet, wanted: Sequence[str]) -> Problem:
    what = f"is no table of {schema.game}" + (" (the sheet is hidden)" if sheet.hidden else "")
    allowed = f"{', '.join(wanted)}; a sheet of your own has a name that begins with {OWN}"
    return Problem(what, path.name, allowed=allowed, nearest=nearest(sheet.name, wanted, LIKE), sheet=sheet.name)


def _read_rules(sheet: Sheet, raw: RawSet) -> None:
    """The scalars, by row."""
    rows = _used(sheet)
    if not rows:
        raw.problems.append(Problem("is empty", raw.rules_file, allowed=RULES_NEED, sheet=RULES_SHEET))
        return
    if not _rules_header(*rows[0], raw):
        return
    _say_what_is_lost(rows, raw)
    rules: dict[str, object] = {}
    rule, value = raw.rules_columns
    for number, cells in rows[1:]:
        name, text = cells[rule].strip(), cells[value]
        place = f"{letters(rule)}{number}"
        if name in rules:
            what = f"stands in row {raw.lines[name]} already"
            raw.problems.append(_of_rules(raw, what, number, name, "each rule once", cell=place))
        elif name:
            rules[name] = text if isinstance(text, Flawed) else text.strip()
            raw.lines[name] = number
        elif not is_blank(text):
            allowed = "the name of a rule beside each value"
            raw.problems.append(_of_rules(raw, "is blank beside a value", number, RULE, allowed, cell=place))
    raw.rules = rules


def _used(sheet: Sheet) -> list[tuple[int, list[str]]]:
    return [(number, cells) for number, cells in sheet.rows() if not all(map(is_blank, cells))]


def _of_rules(raw: RawSet, what: str, row: int, name: str, allowed: str, near: str = "", cell: str = "") -> Problem:
    return Problem(what, raw.rules_file, row, name, "", allowed, near, RULES_SHEET, cell)


def _rules_header(number: int, cells: Sequence[str], raw: RawSet) -> bool:
    """Find the columns that count; tells whether both are there once."""
    header = [cell.strip().lower() for cell in cells]
    before = len(raw.problems)
    for column in (RULE, VALUE):
        if column not in header:
            near = nearest(column, [name for name in header if name not in RULES_COLUMNS])
            raw.problems.append(_of_rules(raw, "is missing in the header", number, column, RULES_NEED, near))
        elif header.count(column) > 1:
            place = f"{letters(len(header) - 1 - header[::-1].index(column))}{number}"
            what = "stands in the header twice"
            raw.problems.append(_of_rules(raw, what, number, column, "each column once", cell=place))
    if len(raw.problems) > before:
        return False
    raw.rules_columns = header.index(RULE), header.index(VALUE)
    return True


def _say_what_is_lost(rows: Sequence[tuple[int, Sequence[str]]], raw: RawSet) -> None:
    """Give notice of the user's own columns in the sheet of the scalars: a card set has no place for them."""
    header = [cell.strip() for cell in rows[0][1]]
    own = [
        name or f"column {letters(position)}"
        for position, name in enumerate(header)
        if name.lower() not in RULES_COLUMNS and any(not is_blank(cells[position]) for _, cells in rows)
    ]
    if own:
        raw.notices.append(
            f"{raw.rules_file}, sheet {RULES_SHEET}: {', '.join(own)} is not read and not kept; in the sheets of the "
            "tables, columns of your own are kept."
        )


def _read_table(schema: Schema, path: Path, name: str, sheet: Sheet, raw: RawSet) -> None:
    rows = _used(sheet)
    if not rows:
        table = next(table for table in schema.tables if table.name == name)
        raw.problems.append(Problem("is empty", path.name, allowed=_needs(table), sheet=name))
        return
    number, header = rows[0]
    cards = [RawRow(number, cells) for number, cells in rows[1:]]
    raw.tables[name] = RawTable(path.name, number, [cell.strip() for cell in header], cards, name)


def _needs(table: Table) -> str:
    return f"a header row ({', '.join(column.name for column in table.inputs)}) and a row a card"


def write(
    path: Path,
    name: str,
    schema: Schema,
    scalars: Mapping[str, object],
    tables: Mapping[str, Sequence[Mapping[str, object]]],
) -> None:
    """Write a card set as a new workbook, of the kind that its ending names; parent folders are made.

    Raises InputError (the file is there, or a text that a workbook cannot hold), JobError (disk).
    """
    if path.exists() or path.is_symlink():  # also one that leads nowhere
        raise InputError(f"{path}: the file is there, and nothing is overwritten; allowed: a new file")
    made = pages(name, schema, scalars, tables)
    if path.suffix.lower() == XLSX:
        from simcore.cardset import write_xlsx  # its library is slow to import, and reading needs none

        data = write_xlsx.encode(made)
    else:
        from simcore.cardset import write_ods

        data = write_ods.encode(made)
    with refusals(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, data)
