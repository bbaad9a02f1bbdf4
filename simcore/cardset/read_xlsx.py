"""Reading workbooks of the kind .xlsx (Office Open XML, ECMA-376), with the names of both of its dialects."""

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from simcore.cardset.archive import DAMAGED, Archive, BadWorkbook, local
from simcore.cardset.raw import Flawed
from simcore.cardset.sheet import NO_RESULT, Room, Sheet, date_text, error_text, number_text

ROOT = ""
WHOLE = re.compile(r"[0-9]{1,9}")
REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
# Not those of what is no sign: 0, and the halves of a surrogate pair.
ESCAPE = re.compile(r"_x((?!0000|[Dd][89A-Fa-f])[0-9A-Fa-f]{4})_")
# Number formats of dates and times that have a number and no text (ECMA-376, 18.8.30, with those of East Asia).
DATE_FORMATS = frozenset(map(str, [*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)]))
NO_DATE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)  # parts of a format that show no date
LONGEST_FORMAT = 1_000  # letters; spreadsheet programs allow a quarter of it
EPOCH, EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)


def workbook_part(archive: Archive) -> str:
    """The part that lists the sheets, "" where the archive is of another kind. Raises BadWorkbook."""
    if _relations_part(ROOT) not in archive.names:
        return ""
    part = next((part for kind, part in _relations(archive, ROOT).values() if kind == "officeDocument"), "")
    if part.endswith(".bin"):
        raise BadWorkbook("is a binary workbook (.xlsb)", "a workbook saved as .xlsx or .ods")
    return part if posixpath.basename(part).startswith("workbook") else ""


def read(archive: Archive, workbook: str, skipped: Callable[[str], bool]) -> list[Sheet]:
    """The sheets in their order; `workbook` is the part that lists them. Those with a `skipped` name stay empty.

    Raises BadWorkbook.
    """
    related = _relations(archive, workbook)
    parts = {kind: target for kind, target in related.values() if kind in ("sharedStrings", "styles")}
    texts = list(_texts(archive, parts["sharedStrings"])) if "sharedStrings" in parts else []
    dates = _date_styles(archive, parts["styles"]) if "styles" in parts else set()
    epoch, entries = EPOCH, []
    for event in archive.events(workbook):
        if event.kind != "start":
            continue
        if event.local == "sheet":
            entries.append({local(name): value for name, value in event.attributes.items()})
        elif event.local == "workbookPr" and event.attributes.get("date1904") in ("1", "true"):
            epoch = EPOCH_1904
    sheets, room = [], Room()
    for entry in entries:
        kind, part = related.get(entry.get("id", ""), ("", ""))
        if kind == "worksheet":  # others are charts
            sheet = room.sheet(entry.get("name", ""), entry.get("state", "visible") != "visible")
            if not skipped(sheet.name):
                _fill(archive, part, sheet, _Values(texts, dates, epoch))
            sheets.append(sheet)
    return sheets


def _relations_part(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _relations(archive: Archive, part: str) -> dict[str, tuple[str, str]]:
    """Kind and part of everything that a part refers to, by id."""
    found = {}
    for event in archive.events(_relations_part(part)):
        if event.kind == "start" and event.local == "Relationship":
            target = posixpath.join("/", posixpath.dirname(part), event.attributes.get("Target", ""))
            kind = event.attributes.get("Type", "").rpartition("/")[2]
            found[event.attributes.get("Id", "")] = (kind, posixpath.normpath(target).lstrip("/"))
    return found


@dataclass(frozen=True)
class _Values:
    """What cells refer to (shared texts, styles that show dates, the day 0), and how their text is made of it."""

    texts: Sequence[str]
    dates: set[str]
    epoch: datetime

    def text(self, kind: str, style: str, value: str, formula: str | None) -> str:
        """The text of a cell; `kind` is its type (18.18.11)."""
        if formula is not None and value == "" and kind != "str":  # a formula whose result is no letters has kind str
            return Flawed(f"={formula}", NO_RESULT)
        if kind == "s":
            if not WHOLE.fullmatch(value) or int(value) >= len(self.texts):
                raise BadWorkbook("is damaged (a cell refers to a text that is not there)", DAMAGED)
            return self.texts[int(value)]
        if kind in ("str", "inlineStr"):
            return _unescaped(value)
        if kind == "e":
            return error_text(value)
        if kind == "b":
            return "TRUE" if value in ("1", "true") else "FALSE"
        if kind == "d":
            return date_text(value)
        if value == "":
            return ""
        return self._date(value) if style in self.dates else number_text(value)

    def _date(self, value: str) -> str:
        try:
            days = float(value)
            moment = self.epoch + timedelta(days=days)
        except (ValueError, OverflowError):
            return date_text(value)
        if abs(days) < 1:
            return date_text(f"{moment:%H:%M:%S}")
        return date_text(f"{moment:%Y-%m-%d}" if days.is_integer() else f"{moment:%Y-%m-%d %H:%M:%S}")


def _unescaped(text: str) -> str:
    """Text with its control characters, which the file writes as in _x000D_ (18.18.93, ST_Xstring)."""
    return ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _texts(archive: Archive, part: str) -> Iterator[str]:
    """The shared texts in their order, without what tells how they are read aloud."""
    pieces: list[str] = []
    aloud = within = False
    for event in archive.events(part):
        if event.kind == "text":
            if within and not aloud:
                pieces.append(event.text)
        elif event.local == "t":
            within = event.kind == "start"
        elif event.local == "rPh":
            aloud = event.kind == "start"
        elif event.local == "si":
            if event.kind == "end":
                yield _unescaped("".join(pieces))
            pieces.clear()


def _date_styles(archive: Archive, part: str) -> set[str]:
    """The numbers of the cell styles that show a number as a date or a time."""
    codes: dict[str, str] = {}
    styles: set[str] = set()
    count, within = 0, False
    for event in archive.events(part):
        if event.local == "cellXfs":
            within = event.kind == "start"
        if event.kind != "start":
            continue
        if event.local == "numFmt":
            codes[event.attributes.get("numFmtId", "")] = event.attributes.get("formatCode", "")
        elif within and event.local == "xf":
            form = event.attributes.get("numFmtId", "0")
            if _shows_date(codes[form]) if form in codes else form in DATE_FORMATS:
                styles.add(str(count))
            count += 1
    return styles


def _shows_date(code: str) -> bool:
    positive = NO_DATE.sub("", code[:LONGEST_FORMAT]).partition(";")[0]
    return "general" not in positive.lower() and any(letter in "dmyhs" for letter in positive.lower())


def _fill(archive: Archive, part: str, sheet: Sheet, values: _Values) -> None:
    """Read a sheet's part (18.3). Rows and cells may leave out where they stand: then they follow the one before."""
    row = column = -1
    kind = style = ""
    value: list[str] = []
    formula: list[str] | None = None
    taking: list[str] | None = None
    aloud = False
    for event in archive.events(part):
        name = event.local
        if event.kind == "text":
            if taking is not None and not aloud:
                taking.append(event.text)
        elif name == "row" and event.kind == "start":
            number = event.attributes.get("r", "")
            row, column = (int(number) - 1 if WHOLE.fullmatch(number) else row + 1), -1
        elif name == "c" and event.kind == "start":
            row, column = _place(event.attributes.get("r", ""), row, column + 1)
            kind, style = event.attributes.get("t", "n"), event.attributes.get("s", "0")
            value, formula = [], None
        elif name == "c":
            made = values.text(kind, style, "".join(value), None if formula is None else "".join(formula))
            sheet.put(row, column, made)
        elif name in ("v", "t"):
            taking = value if event.kind == "start" else None
        elif name == "f":
            taking = formula = [] if event.kind == "start" else formula
            if event.kind == "end":
                taking = None
        elif name == "rPh":
            aloud = event.kind == "start"
        elif name == "mergeCell" and event.kind == "start":
            first, _, last = event.attributes.get("ref", "").partition(":")
            sheet.merge(*_place(first, 0, 0), *_place(last or first, 0, 0))


def _place(reference: str, row: int, column: int) -> tuple[int, int]:
    """Row and column, from 0, of a reference like D7; those given where there is none."""
    match = REFERENCE.fullmatch(reference)
    if match is None:
        return max(row, 0), max(column, 0)
    number = 0
    for letter in match[1]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, number - 1
