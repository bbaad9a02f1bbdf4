"""Reading workbooks of the kind .ods (OpenDocument, ISO/IEC 26300-3)."""

import re
from collections.abc import Callable, Mapping

from simcore.cardset.archive import Archive, BadWorkbook, Event, locked
from simcore.cardset.raw import Flawed
from simcore.cardset.sheet import LONGEST_TEXT, NO_RESULT, Room, Sheet, date_text, error_text, number_text

CONTENT = "content.xml"
MIMETYPE = "mimetype"
MANIFEST = "META-INF/manifest.xml"
TYPE = "application/vnd.oasis.opendocument.spreadsheet"
ENCRYPTED = "encrypted-package"

OFFICE, TABLE, TEXT, STYLE = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("office", "table", "text", "style")
)
CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
# Signs in a paragraph that are elements there, in place of which stand signs that no XML file has.
SPACE, TAB, BREAK = "\0", "\1", "\2"
SIGNS = {f"{TEXT}s": SPACE, f"{TEXT}tab": TAB, f"{TEXT}line-break": BREAK}
MEANING = str.maketrans({SPACE: " ", TAB: "\t", BREAK: "\n"})
# White space as it stands is one space, and none where the file was indented.
BLANKS = " \t\r\n"
WHITE = re.compile(f"[{BLANKS}]+")


def is_ods(archive: Archive) -> bool:
    """Whether an archive is of this kind. Raises BadWorkbook for one that is encrypted."""
    if ENCRYPTED in archive.names:
        raise locked()
    if MIMETYPE not in archive.names or not b"".join(archive.chunks(MIMETYPE)).startswith(TYPE.encode()):
        return False
    if MANIFEST in archive.names and any(event.local == "encryption-data" for event in archive.events(MANIFEST)):
        raise locked()
    return True


def read(archive: Archive, skipped: Callable[[str], bool]) -> list[Sheet]:
    """The sheets in their order; those with a `skipped` name stay empty. Raises BadWorkbook."""
    reader = _Reader(skipped)
    for event in archive.events(CONTENT):
        reader.take(event)
    return reader.sheets


class _Reader:
    """Goes through the content of a workbook and fills sheets."""

    def __init__(self, skipped: Callable[[str], bool]) -> None:
        self.sheets: list[Sheet] = []
        self._room = Room()
        self._skipped = skipped
        self._hidden: set[str] = set()
        self._style = ""
        self._tables = 0  # how deep in tables; a table in a cell is none of ours
        self._row = self._column = 0
        self._repeat = 1  # of the row
        self._cells: list[tuple[int, int, str]] = []  # of the row: first column, number of columns, text
        self._cell: Mapping[str, str] | None = None
        self._depth = 0  # how deep in the cell
        self._paragraphs: list[list[str]] = []
        self._in_paragraph = False
        self._length = 0

    def take(self, event: Event) -> None:
        """Go a step."""
        if self._cell is not None:
            self._within_cell(event, self._cell)
        elif event.name == f"{TABLE}table":
            self._table(event)
        elif event.name == f"{STYLE}style":
            self._style = event.attributes.get(f"{STYLE}name", self._style)
        elif event.name == f"{STYLE}table-properties" and event.attributes.get(f"{TABLE}display") == "false":
            self._hidden.add(self._style)
        elif self._tables == 1 and not self._skipped(self.sheets[-1].name):
            self._row_or_cell(event)

    def _table(self, event: Event) -> None:
        self._tables += 1 if event.kind == "start" else -1
        if event.kind == "start" and self._tables == 1:
            hidden = event.attributes.get(f"{TABLE}style-name") in self._hidden
            self.sheets.append(self._room.sheet(event.attributes.get(f"{TABLE}name", ""), hidden))
            self._row = 0

    def _row_or_cell(self, event: Event) -> None:
        if event.name == f"{TABLE}table-row":
            if event.kind == "start":
                self._repeat = _number(event.attributes, f"{TABLE}number-rows-repeated")
                self._column = 0
                self._cells = []
            else:
                self._end_row()
        elif event.name in CELLS and event.kind == "start":
            self._cell, self._depth, self._paragraphs, self._length = event.attributes, 0, [], 0

    def _end_row(self) -> None:
        if self._cells:
            for row in range(self._row, self._row + self._repeat):
                for first, count, text in self._cells:
                    for column in range(first, first + count):
                        self.sheets[-1].put(row, column, text)
        self._row += self._repeat

    def _within_cell(self, event: Event, cell: Mapping[str, str]) -> None:
        if event.kind == "text":
            if self._in_paragraph:
                self._add(event.text)
        elif event.kind == "end" and self._depth == 0:
            self._end_cell(cell)
        elif event.kind == "end":
            self._depth -= 1
            self._in_paragraph = self._in_paragraph and self._depth > 0
        else:
            self._depth += 1
            if self._depth == 1:  # deeper paragraphs are those of comments and pictures
                self._in_paragraph = event.name == f"{TEXT}p"
                if self._in_paragraph:
                    self._paragraphs.append([])
            elif self._in_paragraph and event.name in SIGNS:
                self._add(SIGNS[event.name], _number(event.attributes, f"{TEXT}c"))

    def _add(self, text: str, times: int = 1) -> None:
        self._length += len(text) * times
        if self._length > LONGEST_TEXT:
            what = f"has a cell with too much text in the sheet {self.sheets[-1].name}"
            raise BadWorkbook(what, f"at most {LONGEST_TEXT} letters")
        self._paragraphs[-1].append(text * times)

    def _end_cell(self, cell: Mapping[str, str]) -> None:
        count = _number(cell, f"{TABLE}number-columns-repeated")
        text = _text(cell, "\n".join(_plain("".join(pieces)) for pieces in self._paragraphs))
        if text:
            self._cells.append((self._column, count, text))
        rows = _number(cell, f"{TABLE}number-rows-spanned")
        columns = _number(cell, f"{TABLE}number-columns-spanned")
        if rows > 1 or columns > 1:
            self.sheets[-1].merge(self._row, self._column, self._row + rows - 1, self._column + columns - 1)
        self._column += count
        self._cell = None


def _number(attributes: Mapping[str, str], name: str) -> int:
    """A count in an attribute, 1 where there is none."""
    text = attributes.get(name, "")
    return max(1, int(text[:9])) if text.isascii() and text.isdigit() else 1


def _plain(paragraph: str) -> str:
    text = paragraph.strip(BLANKS)
    end = paragraph[len(paragraph.rstrip(BLANKS)) :]
    if text and "\n" not in end and "\r" not in end:
        text += end
    return WHITE.sub(" ", text).translate(MEANING)


def _text(cell: Mapping[str, str], shown: str) -> str:
    """The text of a cell with these attributes (19.385, office:value-type), that shows this text."""
    kind = cell.get(f"{OFFICE}value-type")
    if cell.get(f"{CALC}value-type") == "error":
        return error_text(shown)
    if kind is None:
        formula = cell.get(f"{TABLE}formula")
        return Flawed(formula.removeprefix("of:"), NO_RESULT) if formula and not shown else shown
    if kind in ("float", "percentage", "currency"):
        return number_text(cell.get(f"{OFFICE}value", shown))
    if kind == "boolean":
        return "TRUE" if cell.get(f"{OFFICE}boolean-value") == "true" else "FALSE"
    if kind in ("date", "time"):
        return date_text(cell.get(f"{OFFICE}{kind}-value", shown))
    return cell.get(f"{OFFICE}string-value", shown)
