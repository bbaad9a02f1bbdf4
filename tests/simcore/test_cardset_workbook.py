"""Card sets as workbooks: what spreadsheet programs make of a value, every kind of mistake, files that are none."""

import datetime
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import openpyxl
import openpyxl.utils.datetime
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import PatternFill
from openpyxl.worksheet.formula import ArrayFormula

from simcore.cardset import CardSet, CardSetError, archive, build, export, load, sheet
from simcore.cardset.raw import letters
from simcore.errors import InputError
from tests.simcore.toy_cards import TOY, install, write
from tests.simcore.workbooks import (
    LANDS_ROWS,
    RULES_ROWS,
    UNITS_ROWS,
    Rows,
    cells,
    ods_table,
    save,
    save_ods,
    toy_book,
    with_parts,
    with_sheet_xml,
)


@pytest.fixture(autouse=True)
def toy_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "packages")
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))


@pytest.fixture
def plain(tmp_path: Path) -> CardSet:
    """The toy set, read from a folder."""
    return load(TOY, write(tmp_path / "folder", {}))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "book.xlsx"


def problems_of(path: Path) -> list[str]:
    with pytest.raises(CardSetError) as caught:
        load(TOY, path)
    return [str(problem) for problem in caught.value.problems]


def changed(rows: Rows, row: int, column: int, value: object) -> list[list[object]]:
    copy = [list(cells) for cells in rows]
    copy[row][column] = value
    return copy


# ------------------------------------------------------------------------------------------------------ read rightly


def test_a_workbook_is_read_like_a_folder(path: Path, tmp_path: Path, plain: CardSet) -> None:
    assert load(TOY, save(toy_book(), path)) == plain
    assert load(TOY, save_ods(tmp_path / "book.ods")) == plain
    assert load(TOY, str(path)).hash == plain.hash


def test_the_content_tells_the_kind_not_the_name(tmp_path: Path, plain: CardSet) -> None:
    assert load(TOY, save_ods(tmp_path / "wrong.xlsx")) == plain
    assert load(TOY, save(toy_book(), tmp_path / "right.xlsx").rename(tmp_path / "wrong.ods")) == plain
    assert load(TOY, (tmp_path / "wrong.xlsx").rename(tmp_path / "without")) == plain


@pytest.mark.parametrize("value", [5, 5.0, "5", " 5 ", "+05", "5\u00a0"])
def test_numbers_in_all_their_forms(path: Path, plain: CardSet, value: object) -> None:
    assert load(TOY, save(toy_book({"units": changed(UNITS_ROWS, 1, 1, value)}), path)) == plain


def test_spaces_blank_rows_and_columns_and_sheets(path: Path, plain: CardSet) -> None:
    units = [(), (), *([None, *row, "  "] for row in UNITS_ROWS), (), (" ",)]
    lands = [*LANDS_ROWS[:2], (), LANDS_ROWS[2]]
    book = toy_book({" Units ": units, "LANDS": lands, "units": None, "lands": None})
    book["rules"].insert_cols(1)
    book.create_sheet("Sheet2")
    book.create_sheet("_ideas").append(["anything", 1 / 3])
    assert load(TOY, save(book, path)) == plain


def test_looks_say_nothing(path: Path, plain: CardSet) -> None:
    """Hidden rows, columns and sheets, formatted blank cells up to the last one, comments, filters, macros' ending."""
    book = toy_book()
    units = book["units"]
    units.column_dimensions["B"].hidden = True
    units.row_dimensions[3].hidden = True
    units.auto_filter.ref = "A1:F3"
    units["B2"].comment = Comment("too strong?", "me")
    units["XFD1048576"].fill = PatternFill("solid", fgColor="FF0000")
    units["B2"].number_format = "0.00%"
    book["lands"].sheet_state = "hidden"
    assert load(TOY, save(book, path).rename(path.with_suffix(".xlsm"))) == plain


def test_columns_of_ones_own_are_kept_in_their_places(path: Path) -> None:
    rows = [["art", *row, "weight"] for row in UNITS_ROWS]
    rows[1][0], rows[1][-1] = datetime.date(2026, 5, 1), 2.5
    rows[2][0], rows[2][-1] = True, "=SUM(B1:B2)"
    units = load(TOY, save(toy_book({"units": rows}), path)).tables["units"]
    assert list(units[0]) == ["art", "key", "power", "side", "title", "double", "remark", "weight"]
    assert [(row["art"], row["weight"]) for row in units] == [("2026-05-01", "2.5"), ("TRUE", "=SUM(B1:B2)")]
    assert all(type(row["art"]) is str and type(row["weight"]) is str for row in units)


def test_merged_cells_of_notes(path: Path) -> None:
    book = toy_book({"units": changed(UNITS_ROWS, 1, 5, "both")})
    book["units"].merge_cells("F2:F3")
    assert [row["remark"] for row in load(TOY, save(book, path)).tables["units"]] == ["both", ""]


def test_own_columns_of_the_rules_are_said_to_be_lost(path: Path) -> None:
    rows = [[*row, "why" if number == 0 else "because", None] for number, row in enumerate(RULES_ROWS)]
    rows[3][-1] = "?"
    (notice,) = load(TOY, save(toy_book({"rules": rows}), path)).notices
    assert notice.startswith("book.xlsx, sheet rules: why, column E is not read and not kept")


def test_formulas_have_the_results_that_the_program_has_kept(tmp_path: Path, path: Path, plain: CardSet) -> None:
    xml = (
        f"<sheetData>{cells(1, LANDS_ROWS[0])}"
        '<row r="2"><c r="A2"><f>1*1</f><v>1</v></c><c r="B2" t="str"><f>LOWER("ORC")</f><v>orc</v></c></row>'
        '<row><c><f t="shared" si="0"/><v>2.0</v></c><c t="str"><f>"elf"</f><v>elf</v></c>'
        '<c t="str"><f>IF(1,"","")</f><v></v></c></row></sheetData>'
    )
    assert load(TOY, with_sheet_xml(save(toy_book(), path), tmp_path / "formulas.xlsx", 3, xml)) == plain


def test_rich_text_and_reading_aids(tmp_path: Path, path: Path, plain: CardSet) -> None:
    xml = (
        f'<sheetData>{cells(1, LANDS_ROWS[0])}<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="inlineStr"><is><r><t>o</t>'
        "</r><r><rPr><b/></rPr><t>rc</t></r><rPh><t>OO</t></rPh></is></c></row>"
        f"{cells(3, LANDS_ROWS[2])}</sheetData>"
    )
    assert load(TOY, with_sheet_xml(save(toy_book(), path), tmp_path / "rich.xlsx", 3, xml)) == plain


def test_the_strict_dialect_and_absolute_places(tmp_path: Path, path: Path, plain: CardSet) -> None:
    """As Excel writes a "Strict Open XML Spreadsheet", and as other programs name parts."""
    export(plain, path)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "strict.xlsx", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            data = data.replace(b"http://schemas.openxmlformats.org/spreadsheetml/2006", b"http://purl.oclc.org/ooxml")
            data = data.replace(b"http://schemas.openxmlformats.org/officeDocument/2006", b"http://purl.oclc.org/ooxml")
            data = data.replace(b'Target="worksheets/', b'Target="/xl/worksheets/')
            data = data.replace(b"workbook.xml", b"workbook2.xml")
            new.writestr(name.replace("workbook.xml", "workbook2.xml"), data)
    assert load(TOY, tmp_path / "strict.xlsx") == plain


def test_days_are_counted_from_1900_or_1904(tmp_path: Path, path: Path) -> None:
    for epoch, day in [(openpyxl.utils.datetime.WINDOWS_EPOCH, 44562), (openpyxl.utils.datetime.MAC_EPOCH, 43100)]:
        book = toy_book({"units": changed(UNITS_ROWS, 1, 5, day)})
        book.epoch = epoch
        for form in ("yyyy-mm-dd", '[$-409]d\\ mmm" of "yy;@', "m/d/yy h:mm"):
            book["units"]["F2"].number_format = form
            assert load(TOY, save(book, path)).tables["units"][0]["remark"] == "2022-01-01"
        for form in ("0.00", "General", '0" days"', "[Red]0;[Blue]-0", "0_d"):
            book["units"]["F2"].number_format = form
            assert load(TOY, save(book, path)).tables["units"][0]["remark"] == str(day)


# ---------------------------------------------------------------------------------------------------------- mistakes

NUMBER = "allowed: a whole number from -3"
DATE = "is a date or a time, not what was typed (spreadsheets make dates of words like 1-2)"
NO_RESULT = "is a formula without a result; open the workbook in a spreadsheet program and save it"
CELLS: list[tuple[int, Any, str]] = [
    (1, 5.5, f'cell B2 (power): "5.5" is not a whole number; {NUMBER}'),
    (1, -4, f'cell B2 (power): "-4" is less than -3; {NUMBER}; nearest: -3'),
    (1, "five", f'cell B2 (power): "five" is not a whole number; {NUMBER}'),
    (1, None, f"cell B2 (power): is blank; {NUMBER}"),
    (1, "  ", f"cell B2 (power): holds only spaces; {NUMBER}"),
    (1, True, f'cell B2 (power): "TRUE" is not a whole number; {NUMBER}'),
    (1, 1e300, f'cell B2 (power): "1e+300" is not a whole number; {NUMBER}'),
    (1, "=1+4", f'cell B2 (power): "=1+4" {NO_RESULT}; {NUMBER}'),
    (1, ArrayFormula("B2", "=1+4"), f'cell B2 (power): "=1+4" {NO_RESULT}; {NUMBER}'),
    (1, "#REF!", f'cell B2 (power): "#REF!" is an error of a formula; {NUMBER}'),
    (1, datetime.date(2026, 2, 1), f'cell B2 (power): "2026-02-01" {DATE}; {NUMBER}'),
    (1, datetime.datetime(2026, 2, 1, 6), f'cell B2 (power): "2026-02-01 06:00:00" {DATE}; {NUMBER}'),
    (1, datetime.time(6, 30), f'cell B2 (power): "06:30:00" {DATE}; {NUMBER}'),
    (2, "lihgt", 'cell C2 (side): "lihgt" is not one of the choices; allowed: light, dark; nearest: light'),
    (
        0,
        "white knight",
        'cell A2 (key): "white knight" is not one plain word; allowed: one word of the letters A-Z and a-z, digits and '
        "_; nearest: white_knight",
    ),
    (
        4,
        11,
        'cell E2 (double): "11" does not follow from the other columns; allowed: what follows from the other columns, '
        "or no such column; nearest: 10",
    ),
]


@pytest.mark.parametrize(("column", "value", "message"), CELLS)
def test_wrong_cells(path: Path, column: int, value: object, message: str) -> None:
    book = toy_book({"units": changed(UNITS_ROWS, 1, column, value)})
    assert problems_of(save(book, path)) == [f"book.xlsx, sheet units, {message}"]


def test_merged_cells_hide_values(path: Path) -> None:
    book = toy_book()
    book["units"].merge_cells("C2:C3")
    what = "is hidden in the merged cells C2:C3; split them; allowed: light, dark"
    assert problems_of(save(book, path)) == [f"book.xlsx, sheet units, cell C3 (side): {what}"]


RULES_HEADER = "allowed: a header row (rule, value, unit, meaning, allowed) and a row a rule"
SIZE = "allowed: a whole number from 1 to 9"
KEYS = "allowed: name, game, size, reading, motto"
RULES: list[tuple[int, int, Any, list[str]]] = [
    (3, 1, 10, [f'cell B4 (size): "10" is more than 9; {SIZE}; nearest: 9']),
    (3, 1, 1, ['cell B4 (size): "1" is less than the number of units']),
    (3, 1, None, [f"cell B4 (size): is blank; {SIZE}"]),
    (3, 0, "sise", [f"cell A4 (sise): is no key of this game; {KEYS}; nearest: size"]),
    (3, 0, None, [f"size: is missing; {SIZE}", "cell A4 (rule): is blank beside a value; allowed: the name of a rule "
                  "beside each value"]),
    (4, 0, "size", ["reading: is missing; allowed: strict, loose", "cell A5 (size): stands in row 4 already; allowed: "
                    "each rule once"]),
    (2, 1, "toi", ['cell B3 (game): "toi" is another game than toy; allowed: toy']),
    (0, 2, "value", ["cell C1 (value): stands in the header twice; allowed: each column once"]),
    (0, 1, "valu", [f"row 1, value: is missing in the header; {RULES_HEADER}; nearest: valu"]),
]  # fmt: skip


@pytest.mark.parametrize(("row", "column", "value", "messages"), RULES)
def test_wrong_rules(path: Path, row: int, column: int, value: object, messages: list[str]) -> None:
    book = toy_book({"rules": changed(RULES_ROWS, row, column, value)})
    assert sorted(problems_of(save(book, path))) == sorted(f"book.xlsx, sheet rules, {text}" for text in messages)


OWN = "a sheet of your own has a name that begins with _"
HEADER = "allowed: a header row (number, owner) and a row a card"
SHEETS: list[tuple[dict[str, Rows | None], list[str]]] = [
    ({"units": None}, ["sheet units: is missing in the workbook"]),
    ({"units": None, "unit": UNITS_ROWS}, ["sheet units: is missing in the workbook; nearest: unit"]),
    ({"rules": None}, ["sheet rules: is missing in the workbook"]),
    ({"land": LANDS_ROWS}, [f"sheet land: is no table of toy; allowed: rules, units, lands; {OWN}; nearest: lands"]),
    (
        {"lands ": LANDS_ROWS},
        ["sheet lands: stands in the workbook twice, as 'lands' and 'lands '; allowed: each sheet once"],
    ),
    ({"lands": []}, [f"sheet lands: is empty; {HEADER}"]),
    ({"lands": LANDS_ROWS[:1]}, ["sheet lands: has no rows; allowed: at least one row below the header"]),
    ({"lands": LANDS_ROWS[1:]}, [f"sheet lands, row 1: is no header: no column has a known name; {HEADER}"]),
    ({"rules": []}, [f"sheet rules: is empty; {RULES_HEADER}"]),
    (
        {"lands": [*LANDS_ROWS, (2, "orc")]},
        ['sheet lands, cell A4 (number): "2" stands in row 3 already; allowed: each number once'],
    ),
    (
        {"lands": [("number", "ownr"), (1, "orc")]},
        ["sheet lands, cell B1 (ownr): looks like a misspelt column; allowed: a note column needs a name that is less "
         "alike; nearest: owner"],
    ),
    ({"lands": [("number", "land"), (1, "orc")]}, ["sheet lands, row 1, column owner: is missing; allowed: one word of "
                                                   "letters, digits and _"]),
    (
        {"lands": [("number", "owner", "number"), (1, "orc", 2)]},
        ["sheet lands, cell C1 (number): stands in the header twice; allowed: each column once"],
    ),
    (
        {"lands": [("number", "owner", None), (1, "orc", 2)]},
        ["sheet lands, cell C1 (number 3): has cells but no name in the header"],
    ),
    (
        {"rules": [("rule", "value"), ("game", "chess")], "units": None, "lands": None},
        ['sheet rules, cell B2 (game): "chess" is another game than toy; allowed: toy'],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "messages"), SHEETS)
def test_wrong_sheets(path: Path, changes: dict[str, Rows | None], messages: list[str]) -> None:
    assert problems_of(save(toy_book(changes), path)) == [f"book.xlsx, {message}" for message in messages]


def test_a_hidden_sheet_is_found_by_its_message(path: Path, tmp_path: Path) -> None:
    book = toy_book({"deck": [("a",)]})
    book["deck"].sheet_state = "veryHidden"
    assert "sheet deck: is no table of toy (the sheet is hidden)" in problems_of(save(book, path))[0]
    style = '<style:style style:name="t"><style:table-properties table:display="false"/></style:style>'
    hidden = ods_table("deck", [("a",)]).replace("<table:table ", '<table:table table:style-name="t" ')
    assert "(the sheet is hidden)" in problems_of(save_ods(tmp_path / "book.ods", extra=hidden, styles=style))[0]


def test_all_problems_at_once_sheet_by_sheet(path: Path) -> None:
    rules = changed(changed(RULES_ROWS, 3, 1, 99), 4, 1, "odd")
    units = changed(changed(UNITS_ROWS, 1, 2, "bright"), 2, 1, "?")
    lands = changed(LANDS_ROWS, 1, 0, 1.5)
    messages = problems_of(save(toy_book({"rules": rules, "units": units, "lands": lands, "extra": [("x",)]}), path))
    assert [message.partition(":")[0] for message in messages] == [
        "book.xlsx, sheet rules, cell B4 (size)",
        "book.xlsx, sheet rules, cell B5 (reading)",
        "book.xlsx, sheet extra",
        "book.xlsx, sheet lands, cell A2 (number)",
        "book.xlsx, sheet units, cell C2 (side)",
        "book.xlsx, sheet units, cell B3 (power)",
    ]


# ------------------------------------------------------------------------------------------------- cells of .ods files

VALUE = "<table:table-cell {}>{}</table:table-cell>"
ODS_CELLS = [
    ('office:value-type="float" office:value="5.0"', "", "5"),
    ('office:value-type="percentage" office:value="0.5"', "<text:p>50 %</text:p>", "0.5"),
    ('office:value-type="boolean" office:boolean-value="true"', "<text:p>TRUE</text:p>", "TRUE"),
    ('office:value-type="date" office:date-value="2026-02-01"', "<text:p>1.2.26</text:p>", "2026-02-01"),
    ('office:value-type="time" office:time-value="PT06H00M00S"', "<text:p>6:00</text:p>", "PT06H00M00S"),
    ('office:value-type="string" office:string-value="exact"', "<text:p>shown</text:p>", "exact"),
    ('table:formula="of:=1+1" office:value-type="float" office:value="2"', "<text:p>2</text:p>", "2"),
    ('table:formula="of:=1+1"', "", "=1+1"),
    ('office:value-type="string" calcext:value-type="error"', "<text:p>#REF!</text:p>", "#REF!"),
    ("", "<text:p>no type</text:p>", "no type"),
    ("", "<text:p>a<text:s text:c='2'/>b<text:tab/><text:span>c</text:span></text:p><text:p>d</text:p>", "a  b\tc\nd"),
    ("", "\n  <text:p>\n  two \n words\n</text:p>\n", "two words"),
    ("", "<text:p>x<text:line-break/>y</text:p>", "x\ny"),
    ("", "<office:annotation><text:p>a comment</text:p></office:annotation><text:p>text</text:p>", "text"),
    ("", "<text:p>text</text:p><office:annotation><text:p>a comment</text:p></office:annotation>", "text"),
]


@pytest.mark.parametrize(("attributes", "content", "text"), ODS_CELLS)
def test_cells_of_ods_files(tmp_path: Path, attributes: str, content: str, text: str) -> None:
    rows = changed(UNITS_ROWS, 1, 5, VALUE.format(attributes, content))
    assert load(TOY, save_ods(tmp_path / "book.ods", {"units": rows})).tables["units"][0]["remark"] == text


@pytest.mark.parametrize(
    ("attributes", "content", "message"),
    [
        ('office:value-type="date" office:date-value="2026-02-01"', "", f'"2026-02-01" {DATE}'),
        ('table:formula="of:=1+1"', "", f'"=1+1" {NO_RESULT}'),
        ('calcext:value-type="error"', "<text:p>#REF!</text:p>", '"#REF!" is an error of a formula'),
    ],
)
def test_wrong_cells_of_ods_files(tmp_path: Path, attributes: str, content: str, message: str) -> None:
    rows = changed(UNITS_ROWS, 1, 1, VALUE.format(attributes, content))
    expected = f"book.ods, sheet units, cell B2 (power): {message}; {NUMBER}"
    assert problems_of(save_ods(tmp_path / "book.ods", {"units": rows})) == [expected]


def test_repeated_and_merged_cells_of_ods_files(tmp_path: Path) -> None:
    rows = changed(
        UNITS_ROWS, 1, 2, '<table:table-cell table:number-rows-spanned="2"><text:p>light</text:p></table:table-cell>'
    )
    rows[2][2] = "<table:covered-table-cell/>"
    message = (
        "book.ods, sheet units, cell C3 (side): is hidden in the merged cells C2:C3; split them; allowed: light, dark"
    )
    assert problems_of(save_ods(tmp_path / "book.ods", {"units": rows})) == [message]
    header, first = (ods_table("lands", [row]) for row in LANDS_ROWS[:2])
    row = first[first.index("<table:table-row>") : first.index("</table:table-row>")]
    thrice = row.replace("<table:table-row", '</table:table-row><table:table-row table:number-rows-repeated="3"')
    repeated = header.replace("</table:table-row>", f"{thrice}</table:table-row>", 1)
    found = problems_of(save_ods(tmp_path / "more.ods", {"lands": None}, extra=repeated))
    assert [text.partition(";")[0] for text in found] == [
        'more.ods, sheet lands, cell A3 (number): "1" stands in row 2 already',
        'more.ods, sheet lands, cell A4 (number): "1" stands in row 2 already',
    ]


# -------------------------------------------------------------------------------------------------- files that are none

SAVED = "allowed: a workbook saved as .xlsx or .ods"
OLE = bytes.fromhex("D0CF11E0A1B11AE1")
TEXT = f"is a text file (a CSV file?), not a workbook; {SAVED}, or a folder with CSV files"
NONE = [
    (b"", f"is empty; {SAVED}"),
    (b"key,power\nknight,5\n", TEXT),
    ("\ufeffkey;power\nbär;5\n".encode(), TEXT),
    (b"<html><table>", f"is a page of HTML or XML, not a workbook; {SAVED}"),
    (OLE + bytes(600), f"is a workbook of the old kind (.xls); {SAVED}"),
    (OLE + bytes(60) + "EncryptedPackage".encode("utf-16-le"), "is protected by a password; allowed: a workbook saved "
     "without a password"),
    (b"\x89PNG\r\n\x1a\n\0\0\xff", f"is no workbook; {SAVED}"),
    (b"PK\x03\x04 and then nothing", f"is damaged (File is not a zip file); allowed: {archive.DAMAGED}"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), NONE)
def test_what_is_no_workbook(path: Path, data: bytes, message: str) -> None:
    path.write_bytes(data)
    assert problems_of(path) == [f"book.xlsx: {message}"]


def test_archives_of_other_kinds(path: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(path, "w") as text:
        text.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        text.writestr("content.xml", "<a/>")
    assert problems_of(path) == [f"book.xlsx: is no workbook of a spreadsheet; {SAVED}"]
    save(toy_book(), path)
    relations = b"<Relationships><Relationship Type='a/officeDocument' Target='xl/workbook.bin'/></Relationships>"
    binary = with_parts(path, tmp_path / "book.xlsb", {"_rels/.rels": relations})
    assert problems_of(binary) == [f"book.xlsb: is a binary workbook (.xlsb); {SAVED}"]


def test_encrypted_ods_files(tmp_path: Path) -> None:
    plain = save_ods(tmp_path / "plain.ods")
    manifest = b"<manifest><file-entry><encryption-data/></file-entry></manifest>"
    for parts in ({"META-INF/manifest.xml": manifest, "content.xml": b"\xff"}, {"encrypted-package": b"\xff"}):
        secret = with_parts(plain, tmp_path / "secret.ods", parts)
        assert problems_of(secret) == [
            "secret.ods: is protected by a password; allowed: a workbook saved without a password"
        ]


def test_damaged_files(path: Path, tmp_path: Path, plain: CardSet) -> None:
    export(plain, path)
    data = path.read_bytes()
    for size in (10, len(data) // 2, len(data) - 10):
        path.write_bytes(data[:size])
        assert "book.xlsx: is damaged (" in problems_of(path)[0]
    path.write_bytes(data)
    for part, content in [
        ("xl/worksheets/sheet2.xml", None),
        ("xl/worksheets/sheet2.xml", b"<worksheet><sheetData>"),
        ("xl/worksheets/sheet2.xml", b'<w><row><c t="s"><v>' + b"9" * 5000 + b"</v></c></row></w>"),
        ("xl/sharedStrings.xml", b"<sst/>"),
        ("xl/workbook.xml", b"\xff\xfe"),
        ("xl/workbook.xml", b"<?xml version='1.0' encoding='UTF-9'?><workbook/>"),
        ("xl/workbook.xml", b"<?xml version='1.0' encoding='UTF-32'?><workbook/>"),
    ]:
        broken = with_parts(path, tmp_path / "broken.xlsx", {part: content})
        assert "broken.xlsx: is damaged (" in problems_of(broken)[0]


@pytest.mark.parametrize("end", range(0, 9000, 450))
def test_a_flipped_byte_never_ends_in_another_error(path: Path, end: int, plain: CardSet) -> None:
    data = bytearray(save(toy_book(), path).read_bytes())
    data[end % len(data)] ^= 0x55
    path.write_bytes(data)
    with suppress(CardSetError):
        assert load(TOY, path) == plain  # where the byte says nothing about the values


# ------------------------------------------------------------------------------------------------------------- bombs


def test_xml_bombs(path: Path, tmp_path: Path) -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><worksheet>&c;</worksheet>'
    save(toy_book(), path)
    armed = with_parts(path, tmp_path / "bomb.xlsx", {"xl/worksheets/sheet1.xml": bomb.encode()})
    assert "bomb.xlsx: declares a document type, which no spreadsheet program writes" in problems_of(armed)[0]
    deep = with_sheet_xml(path, tmp_path / "deep.xlsx", 1, "<a>" * 10_000)
    assert "deep.xlsx: is damaged (elements in elements without end)" in problems_of(deep)[0]
    ods = with_parts(save_ods(tmp_path / "a.ods"), tmp_path / "bomb.ods", {"content.xml": bomb.encode()})
    assert "bomb.ods: declares a document type" in problems_of(ods)[0]


def test_zip_bombs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 2**20)
    save(toy_book(), path)
    bomb = with_sheet_xml(path, tmp_path / "bomb.xlsx", 1, "<sheetData/>" + " " * 2**20)
    assert bomb.stat().st_size < 20_000
    assert "bomb.xlsx: is too large: more than 1 MiB, unpacked" in problems_of(bomb)[0]
    pictures = with_parts(path, tmp_path / "pictures.xlsx", {"xl/media/art.png": bytes(2**21)})
    assert load(TOY, pictures).name == "mine"  # what is not read may be large


FAR: list[tuple[str, str]] = [
    (
        '<sheetData><row><c><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData>',
        "has a value in cell XFD1048576 of the sheet lands, far from a table; allowed: at most 10000 rows and 200 "
        "columns",
    ),
    (
        f"<sheetData>{cells(1, LANDS_ROWS[0])}</sheetData>"
        '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>',
        "sheet lands: has no rows; allowed: at least one row below the header",
    ),
    (
        f"<sheetData>{cells(1, LANDS_ROWS[0])}{cells(2, LANDS_ROWS[1])}</sheetData><mergeCells>"
        + '<mergeCell ref="A1:XFD1048576"/>' * 30
        + "</mergeCells>",
        "has too many merged cells in the sheet lands; allowed: cells that are not merged",
    ),
]


@pytest.mark.parametrize(("xml", "message"), FAR)
def test_far_cells_and_endless_ranges(path: Path, tmp_path: Path, xml: str, message: str) -> None:
    far = with_sheet_xml(save(toy_book(), path), tmp_path / "far.xlsx", 3, xml)
    (problem,) = problems_of(far)
    assert problem.endswith(message)


def test_endless_repetitions_of_ods_files(tmp_path: Path) -> None:
    for change in ('table:number-columns-repeated="16384"', 'table:number-columns-repeated="999999999999"'):
        rows = changed(LANDS_ROWS, 1, 1, f"<table:table-cell {change}><text:p>orc</text:p></table:table-cell>")
        assert (
            "has a value in cell GS2 of the sheet lands"
            in problems_of(save_ods(tmp_path / "a.ods", {"lands": rows}))[0]
        )
    endless = ods_table("lands", LANDS_ROWS).replace(
        "<table:table-row>", '<table:table-row table:number-rows-repeated="1048576">'
    )
    assert "far from a table" in problems_of(save_ods(tmp_path / "b.ods", {"lands": None}, extra=endless))[0]
    text = '<table:table-cell><text:p><text:s text:c="999999999"/></text:p></table:table-cell>'
    rows = changed(LANDS_ROWS, 1, 1, text)
    assert "has a cell with too much text" in problems_of(save_ods(tmp_path / "c.ods", {"lands": rows}))[0]


def test_the_number_of_cells_is_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet, "MOST_CELLS", 5)
    assert "has too many cells in the sheet rules; allowed: at most 5 cells" in problems_of(save(toy_book(), path))[0]


# ------------------------------------------------------------------------------------------------------------ export


@pytest.mark.parametrize("ending", ["xlsx", "ods", "XLSX"])
def test_export_is_stable(tmp_path: Path, plain: CardSet, ending: str) -> None:
    export(plain, tmp_path / "a" / f"b.{ending}")
    again = load(TOY, tmp_path / "a" / f"b.{ending}")
    assert (again, again.notices) == (plain, ())
    export(again, tmp_path / f"c.{ending}")
    assert (tmp_path / "a" / f"b.{ending}").read_bytes() == (tmp_path / f"c.{ending}").read_bytes()
    with pytest.raises(InputError, match="the file is there, and nothing is overwritten; allowed: a new file"):
        export(plain, tmp_path / f"c.{ending}")


def test_an_export_looks_well(path: Path, plain: CardSet) -> None:
    export(plain, path, name="pretty")
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["rules", "units", "lands"]
    rules, units = book["rules"], book["units"]
    assert [cell.value for cell in rules[1]] == ["rule", "value", "unit", "meaning", "allowed"]
    assert [cell.value for cell in rules[4]] == ["size", 4, "units", "Size of the table", "a whole number from 1 to 9"]
    assert rules["B2"].value == "pretty"
    assert all(sheet.freeze_panes == "B2" and sheet["A1"].font.bold for sheet in book)
    assert units.column_dimensions["D"].width > units.column_dimensions["B"].width
    grey = units["E2"].fill.fgColor.rgb
    assert grey != units["B2"].fill.fgColor.rgb
    assert [units[f"{column}2"].number_format for column in "AB"] == ["@", "General"]
    checks = {str(check.sqref): check for check in units.data_validations.dataValidation}
    assert checks["C2:C203"].formula1 == '"light,dark"'
    assert (checks["B2:B203"].type, checks["B2:B203"].operator, checks["B2:B203"].formula1) == (
        "whole", "greaterThanOrEqual", "-3"
    )  # fmt: skip
    assert checks["B1"].prompt == "strength (points)\nAllowed: a whole number from -3"


def test_long_lists_of_choices_stand_in_a_sheet_of_their_own(
    path: Path, monkeypatch: pytest.MonkeyPatch, plain: CardSet
) -> None:
    from simcore.cardset import write_xlsx

    monkeypatch.setattr(write_xlsx, "LONGEST_LIST", 5)
    export(plain, path)
    book = openpyxl.load_workbook(path)
    checks = {str(check.sqref): check.formula1 for check in book["units"].data_validations.dataValidation}
    assert checks["C2:C203"] == "_choices!$B$1:$B$2"
    assert [row[1] for row in book["_choices"].values] == ["light", "dark"]
    assert book["_choices"].sheet_state == "hidden"
    assert load(TOY, path) == plain


def test_formulas_in_notes_stay_text(path: Path, plain: CardSet) -> None:
    """What a card set brings is never run by the spreadsheet that it is exported to."""
    units = [{**row, "remark": '=HYPERLINK("http://example.org")'} for row in plain.tables["units"]]
    export(build(TOY, "mine", plain.scalars, {**plain.tables, "units": units}), path)
    assert openpyxl.load_workbook(path)["units"]["F2"].data_type == "s"


def test_what_a_workbook_cannot_hold(path: Path, plain: CardSet) -> None:
    def with_remark(text: str) -> CardSet:
        units = [{**row, "remark": text} for row in plain.tables["units"]]
        return build(TOY, "mine", plain.scalars, {**plain.tables, "units": units})

    with pytest.raises(InputError, match=r"units, row 2, column remark: the text has 40000 letters, .* holds 32767"):
        export(with_remark("x" * 40_000), path)
    with pytest.raises(InputError, match=r"holds the sign '\\x07', which a file of the kind .ods cannot hold"):
        export(with_remark("bell \x07"), path.with_suffix(".ods"))
    assert not path.exists()
    assert not path.with_suffix(".ods").exists()
    export(with_remark("bell \x07"), path)
    assert load(TOY, path).tables["units"][0]["remark"] == "bell \x07"


def test_names_of_columns() -> None:
    assert [letters(position) for position in (0, 25, 26, 701, 702, 16383)] == ["A", "Z", "AA", "ZZ", "AAA", "XFD"]
