"""Workbooks for tests, made without fairdeal: by openpyxl, or from XML that no library writes."""

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import openpyxl

from tests.simcore.toy_cards import LANDS, UNITS

Rows = Sequence[Sequence[object]]

RULES_ROWS: Rows = [
    ("rule", "value", "meaning"),
    ("name", "mine", ""),
    ("game", "toy", ""),
    ("size", 4, "Size of the table"),
    ("reading", "strict", ""),
    ("motto", "Play fair", ""),
]
UNITS_ROWS: Rows = [
    ("key", "power", "side", "title", "double", "remark"),
    ("knight", 5, "light", "The Knight", 10, None),
    ("orc", -2, "dark", "The Orc", -4, "big, green"),
]
LANDS_ROWS: Rows = [("number", "owner"), (1, "orc"), (2, "elf")]
SHEETS: dict[str, Rows] = {"rules": RULES_ROWS, "units": UNITS_ROWS, "lands": LANDS_ROWS}
assert UNITS.count("\n") == len(UNITS_ROWS)
assert LANDS.count("\n") == len(LANDS_ROWS)


def toy_book(changes: Mapping[str, Rows | None] | None = None) -> openpyxl.Workbook:
    """The toy set as an openpyxl workbook, with some sheets changed, added or (None) left out."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in ({**SHEETS, **(changes or {})}).items():
        if rows is not None:
            sheet = book.create_sheet(name)
            for row in rows:
                sheet.append(list(row))
    return book


def save(book: openpyxl.Workbook, path: Path) -> Path:
    book.save(path)
    return path


SHEET = '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'


def with_sheet_xml(source: Path, target: Path, sheet: int, xml: str) -> Path:
    """A copy of a workbook (.xlsx) of which one sheet (from 1, in the order of the file) has this content instead."""
    return with_parts(source, target, {f"xl/worksheets/sheet{sheet}.xml": f"{SHEET}{xml}</worksheet>".encode()})


def with_parts(source: Path, target: Path, parts: Mapping[str, bytes | None]) -> Path:
    """A copy of a zip archive with some parts changed, added or (None) left out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, data in parts.items():
            if data is not None:
                new.writestr(name, data)
    return target


def cells(row: int, values: Sequence[object]) -> str:
    """A row of a sheet's XML, texts inline."""
    made = [
        f'<c t="n"><v>{value}</v></c>' if isinstance(value, int) else f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        for value in values
    ]
    return f'<row r="{row}">{"".join(made)}</row>'


ODS = "application/vnd.oasis.opendocument.spreadsheet"
ODS_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text", "style")
)
CALC = 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'


def ods_cell(value: object) -> str:
    """A cell of an .ods file; text that begins with < is taken for a whole cell."""
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, int):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    text = str(value)
    if text.startswith("<"):
        return text
    return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def ods_table(name: str, rows: Rows) -> str:
    """A sheet of an .ods file, with the endless blank rows and columns that spreadsheet programs write."""
    lines = [
        f'<table:table-row>{"".join(map(ods_cell, row))}<table:table-cell table:number-columns-repeated="16000"/>'
        "</table:table-row>"
        for row in rows
    ]
    blank = '<table:table-cell table:number-columns-repeated="16384"/>'
    rest = f'<table:table-row table:number-rows-repeated="1048000">{blank}</table:table-row>'
    return f'<table:table table:name="{name}">{"".join(lines)}{rest}</table:table>'


def save_ods(path: Path, changes: Mapping[str, Rows | None] | None = None, extra: str = "", styles: str = "") -> Path:
    """The toy set as .ods, with some sheets changed, added or (None) left out, and any other XML."""
    sheets = {**SHEETS, **(changes or {})}
    tables = "".join(ods_table(name, rows) for name, rows in sheets.items() if rows is not None)
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {ODS_NAMES} {CALC}>'
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{tables}{extra}</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", ODS)
        archive.writestr("content.xml", content, zipfile.ZIP_DEFLATED)
    return path
