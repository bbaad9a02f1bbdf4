"""Card sets as folders: rules.toml for the scalars, one CSV file a table.

Reading is generous where nothing can be misunderstood (comma, semicolon or tab; byte order mark; line ends; blank
rows), writing has one form: UTF-8 without mark, commas, line feeds, quotes only where needed.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from simcore import toml
from simcore.cardset.problems import MOST_PROBLEMS, OWN, RULES_FILE, Problem, nearest, show, table_file
from simcore.cardset.raw import RawRow, RawSet, RawTable
from simcore.cardset.schema import Scalar, Schema, Table
from simcore.cardset.sheet import MOST_CELLS, MOST_COLUMNS, MOST_ROWS
from simcore.cardset.values import is_blank
from simcore.errors import InputError
from simcore.files import is_link, read_bytes, refusals, write_file

DELIMITERS = ",;\t"
WORKBOOKS = (".xlsx", ".ods", ".xls")  # saved beside the tables, they look as if they were read
TOML_LINE = re.compile(r"^(.*?)\s*\(at (?:line (\d+), column \d+|end of document)\)$", re.DOTALL)
FORMULA = re.compile(r"'*[=+@-].")
NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
NEEDS_QUOTES = re.compile(r'[",;\t\r\n]|^\s|\s$')
MOST_BYTES = 1 << 22  # of a file; a table of a thousand rows has about a twentieth
NO_FILE = 0.5  # files of another ending (cards.txt, cards.xlsx) are still near


def read(schema: Schema, folder: Path) -> RawSet:
    """Read all files of a card set folder; what cannot be read is among the problems of the result."""
    raw = RawSet()
    present = sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith((".", OWN)))
    wanted = [RULES_FILE, *(table_file(table.name) for table in schema.tables)]
    spare = [name for name in present if name not in wanted]
    workbooks = [name for name in spare if name.lower().endswith(WORKBOOKS)]
    if workbooks and len(spare) == len(present):
        where = str(folder / workbooks[0])
        raw.problems.append(Problem(f"holds no {RULES_FILE}", folder.name, allowed=", ".join(wanted), nearest=where))
        return raw
    _read_rules(schema, folder, spare, raw)
    for table in schema.tables:
        _read_table(table, folder, spare, raw)
    for name in spare[:MOST_PROBLEMS]:
        if name.lower().endswith(".csv"):
            raw.problems.append(
                Problem(
                    f"is no table of {schema.game}",
                    name,
                    allowed=f"{', '.join(wanted[1:])}; a file of your own has a name that begins with {OWN}",
                    nearest=nearest(name, wanted[1:], NO_FILE),
                )
            )
        elif name in workbooks:
            raw.notices.append(f"{name} is not read: in a folder, a card set is {', '.join(wanted)}.")
    return raw


def _read_rules(schema: Schema, folder: Path, spare: list[str], raw: RawSet) -> None:
    text = _text(folder / RULES_FILE, spare, raw)
    if text is None:
        return
    try:
        raw.rules = toml.parse(text)
    except ValueError as error:  # a TOMLDecodeError, or a number of thousands of digits
        what, line = str(error), text.count("\n") + 1
        match = TOML_LINE.match(what)
        if match is not None:
            what, line = match[1], int(match[2] or line)
        raw.problems.append(Problem(f"cannot be read as TOML: {what}", RULES_FILE, line))
        return
    for number, line_of_text in enumerate(text.split("\n"), 1):
        name, equals, _ = line_of_text.partition("=")
        name = name.strip().strip("\"'")
        if equals and name in raw.rules:
            raw.lines.setdefault(name, number)


def _read_table(table: Table, folder: Path, spare: list[str], raw: RawSet) -> None:
    file = table_file(table.name)
    text = _text(folder / file, spare, raw)
    if text is None:
        return
    known = {column.name for column in table.columns}
    records = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text, known), strict=True)
    rows: list[RawRow] = []
    number, left = 0, MOST_CELLS
    try:
        for number, record in enumerate(records, 1):
            cells = [_plain(cell) for cell in record]
            if not all(is_blank(cell) for cell in cells):
                rows.append(RawRow(number, cells))
            left -= len(cells)
            if len(rows) > MOST_ROWS or len(cells) > MOST_COLUMNS or left < 0:
                allowed = f"at most {MOST_ROWS} rows, {MOST_COLUMNS} columns and {MOST_CELLS} cells"
                raw.problems.append(Problem("is larger than any card set", file, number, allowed=allowed))
                return
    except csv.Error as error:
        limit = csv.field_size_limit()
        if "field limit" in str(error):
            what, allowed = "has too long a cell", f"at most {limit:,} letters in a cell; a quote may be open"
        else:
            what, allowed = f"has broken quotes: {error}", ""
        raw.problems.append(Problem(what, file, number + 1, allowed=allowed))
        return
    if not rows:
        raw.problems.append(Problem("is empty", file, allowed=f"a header row ({_header(table)}) and a row a card"))
        return
    raw.tables[table.name] = RawTable(file, rows[0].number, [str(cell).strip() for cell in rows[0].cells], rows[1:])


def _header(table: Table) -> str:
    return ", ".join(column.name for column in table.inputs)


def _text(path: Path, spare: list[str], raw: RawSet) -> str | None:
    """The text of a file; None (and a problem) when it is missing, cannot be read or is not UTF-8."""
    try:
        if is_link(path):
            allowed = "the file itself, as a link could lead anywhere"
            raw.problems.append(Problem("cannot be read: it is a link", path.name, allowed=allowed))
            return None
        if path.is_fifo():
            raw.problems.append(Problem("cannot be read: it is a pipe, not a file", path.name))
            return None
        data = read_bytes(path, MOST_BYTES)
    except InputError:
        what = "is larger than any card set" if path.is_file() else "cannot be read: it is no file"
        raw.problems.append(Problem(what, path.name, allowed=f"at most {MOST_BYTES // 2**20} MiB"))
        return None
    except FileNotFoundError:
        raw.problems.append(Problem("is missing in the folder", path.name, nearest=_similar(path.name, spare)))
        return None
    except OSError as error:
        raw.problems.append(Problem(f"cannot be read: {error.strerror}", path.name))
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raw.problems.append(_not_utf8(path.name, data, error.start))
        return None
    if "\0" in text:  # UTF-16 without a mark is formally UTF-8
        raw.problems.append(_not_utf8(path.name, data, data.index(b"\0")))
        return None
    return text


def _similar(name: str, spare: list[str]) -> str:
    found = nearest(name, spare, NO_FILE)
    if found:
        spare.remove(found)  # one mistake, one message
    return found


def _not_utf8(file: str, data: bytes, place: int) -> Problem:
    what = f"is not UTF-8 text (byte 0x{data[place]:02X})"
    allowed = 'a file saved as "CSV UTF-8"' if file.endswith(".csv") else "a text file saved as UTF-8"
    return Problem(what, file, data.count(b"\n", 0, place) + 1, allowed=allowed)


def _delimiter(text: str, known: set[str]) -> str:
    """The delimiter under which the header row shows most known columns; of equals the one with most columns, then the
    comma.
    """

    def fit(delimiter: str) -> tuple[int, int]:
        records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        try:
            header = next((cells for cells in records if any(cell.strip() for cell in cells)), [])
        except csv.Error:
            return (0, 0)
        return (len(known.intersection(cell.strip() for cell in header)), len(header))

    return max(DELIMITERS, key=fit)  # max keeps the first of equals


def write(
    folder: Path,
    name: str,
    schema: Schema,
    scalars: Mapping[str, object],
    tables: Mapping[str, Sequence[Mapping[str, object]]],
) -> None:
    """Write a card set into a folder that is new or empty; parents are made. Raises InputError (folder), JobError
    (disk).

    Each file gets its name when it is complete; a failure takes away what was written.
    """
    files = {RULES_FILE: _rules_text(name, schema, scalars)}
    for table in schema.tables:
        files[table_file(table.name)] = _csv_text(tables[table.name])
    with refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InputError(f"{folder}: the folder is not empty, and nothing is overwritten; allowed: a new folder")
    try:
        for file, text in files.items():
            write_file(folder / file, text.encode("utf-8"))
    except BaseException:
        for file in files:
            with suppress(OSError):
                (folder / file).unlink(missing_ok=True)
        raise


def _rules_text(name: str, schema: Schema, scalars: Mapping[str, object]) -> str:
    lines = [
        f"# A card set of {schema.title}. Edit the values and the tables beside it, and give it a name of its own.",
        f"name = {_toml(name)}",
        f"game = {_toml(schema.game)}",
    ]
    for scalar in schema.scalars:
        lines += ["", f"# {_comment(scalar)}", f"{scalar.name} = {_toml(scalars[scalar.name])}"]
    return "\n".join(lines) + "\n"


def _comment(scalar: Scalar) -> str:
    unit = f" (in {scalar.unit})" if scalar.unit else ""
    return f"{scalar.meaning}{unit}: {scalar.allowed}"


def _toml(value: object) -> str:
    """A whole number or printable text as TOML; JSON's escapes are TOML's too."""
    return json.dumps(value, ensure_ascii=False)


def _csv_text(rows: Sequence[Mapping[str, object]]) -> str:
    return "".join(f"{','.join(cells)}\n" for cells in _csv_cells(rows))


def _csv_cells(rows: Sequence[Mapping[str, object]]) -> Iterator[list[str]]:
    header = list(rows[0])
    yield [_quoted(column) for column in header]
    for row in rows:
        yield [_quoted(show(row[column])) for column in header]


def _is_formula(cell: str) -> bool:
    """Whether a spreadsheet would take a text for a formula and work it out, or it has a sign against that already."""
    return FORMULA.match(cell) is not None and NUMBER.fullmatch(cell) is None


def _plain(cell: str) -> str:
    """A cell as it was read, without the sign that keeps it from being a formula."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell


def _quoted(cell: str) -> str:
    cell = f"'{cell}" if _is_formula(cell) else cell
    # not csv.writer: which characters it quotes depends on the version of Python
    return '"' + cell.replace('"', '""') + '"' if NEEDS_QUOTES.search(cell) else cell
