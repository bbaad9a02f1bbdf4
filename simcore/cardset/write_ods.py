"""Writing workbooks of the kind .ods (OpenDocument 1.3, ISO/IEC 26300). Equal card sets give equal bytes.

Of the libraries on offer odfpy is not kept any more and odfdo leaves styles, checks and views to raw XML; a workbook of
a card set needs so little of the format that it is written here.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from simcore.cardset.pages import DIGITS, CellValue, Check, Page
from simcore.cardset.raw import letters
from simcore.errors import InputError

TYPE = "application/vnd.oasis.opendocument.spreadsheet"
LETTER_MM = 2.2  # width of a letter
START = '<?xml version="1.0" encoding="UTF-8"?>\n'
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # a time of its own for each export would make equal exports differ
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # signs that an XML file cannot hold
WHITE = re.compile(r"\t| {2,}|^ | $")

NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in [
        ("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"), ("number", "datastyle"),
        ("fo", "xsl-fo-compatible"), ("config", "config"), ("manifest", "manifest"),
    ]
) + ' xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"'  # fmt: skip

STYLES = """\
<number:number-style style:name="N0"><number:number number:min-integer-digits="1"/></number:number-style>
<number:text-style style:name="N1"><number:text-content/></number:text-style>
<style:style style:name="header" style:family="table-cell" style:data-style-name="N1"><style:table-cell-properties \
fo:background-color="#dce6f1" fo:border-bottom="0.5pt solid #000000"/><style:text-properties fo:font-weight="bold"/>\
</style:style>
<style:style style:name="plain" style:family="table-cell" style:data-style-name="N0"><style:table-cell-properties \
style:vertical-align="top"/></style:style>
<style:style style:name="text" style:family="table-cell" style:data-style-name="N1"><style:table-cell-properties \
style:vertical-align="top"/></style:style>
<style:style style:name="prose" style:family="table-cell" style:data-style-name="N1"><style:table-cell-properties \
fo:wrap-option="wrap" style:vertical-align="top"/><style:text-properties fo:color="#595959"/></style:style>
<style:style style:name="derived" style:family="table-cell" style:data-style-name="N0"><style:table-cell-properties \
fo:background-color="#f2f2f2" style:vertical-align="top"/><style:text-properties fo:color="#7f7f7f"/></style:style>
"""


def encode(pages: Sequence[Page]) -> bytes:
    """The file with these sheets. Raises InputError for signs that the format cannot hold."""
    parts = {"content.xml": "".join(_content(pages)), "settings.xml": "".join(_settings(pages))}
    parts["META-INF/manifest.xml"] = "".join(_manifest(parts))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo("mimetype", FIRST_DAY), TYPE)  # first and unpacked, by the standard
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY), text.encode(), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _manifest(parts: dict[str, str]) -> Iterator[str]:
    yield f'{START}<manifest:manifest {NAMES} manifest:version="1.3">'
    for name, kind in [("/", TYPE), *((part, "text/xml") for part in parts)]:
        yield f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{kind}"/>'
    yield "</manifest:manifest>"


def _settings(pages: Sequence[Page]) -> Iterator[str]:
    """The view: in every sheet the header and the first columns stay in sight."""
    programs = 'xmlns:ooo="http://openoffice.org/2004/office"'  # views are not part of the standard
    yield f'{START}<office:document-settings {NAMES} {programs} office:version="1.3"><office:settings>'
    yield '<config:config-item-set config:name="ooo:view-settings"><config:config-item-map-indexed config:name="Views">'
    yield '<config:config-item-map-entry><config:config-item config:name="ViewId" config:type="string">view1'
    yield '</config:config-item><config:config-item-map-named config:name="Tables">'
    for page in pages:
        yield f"<config:config-item-map-entry config:name={quoteattr(page.name)}>"
        for name, kind, value in [
            ("HorizontalSplitMode", "short", 2), ("VerticalSplitMode", "short", 2),
            ("HorizontalSplitPosition", "int", page.frozen), ("VerticalSplitPosition", "int", 1),
            ("ActiveSplitRange", "short", 3),
            ("PositionLeft", "int", 0), ("PositionRight", "int", page.frozen),
            ("PositionTop", "int", 0), ("PositionBottom", "int", 1),
        ]:  # fmt: skip
            yield f'<config:config-item config:name="{name}" config:type="{kind}">{value}</config:config-item>'
        yield "</config:config-item-map-entry>"
    yield "</config:config-item-map-named></config:config-item-map-entry></config:config-item-map-indexed>"
    yield "</config:config-item-set></office:settings></office:document-settings>"


def _content(pages: Sequence[Page]) -> Iterator[str]:
    widths = sorted({page.width(column) for page in pages for column in range(len(page.header))})
    yield f'{START}<office:document-content {NAMES} office:version="1.3"><office:automatic-styles>\n{STYLES}'
    for width in widths:
        yield f'<style:style style:name="w{width}" style:family="table-column"><style:table-column-properties '
        yield f'style:column-width="{width * LETTER_MM:.1f}mm"/></style:style>\n'
    yield "</office:automatic-styles><office:body><office:spreadsheet><table:content-validations>\n"
    checks = {(page.name, check.first, check.column): check for page in pages for check in page.checks}
    names = {place: f"check{number}" for number, place in enumerate(checks)}
    for place, check in checks.items():
        yield from _validation(names[place], place[0], check)
    yield "</table:content-validations>\n"
    for page in pages:
        yield from _table(page, names)
    yield "</office:spreadsheet></office:body></office:document-content>"


def _validation(name: str, sheet: str, check: Check) -> Iterator[str]:
    field = check.field
    condition = quoteattr(_condition(check)) if _condition(check) else ""
    base = quoteattr(f"${sheet}.{letters(check.column)}{check.first + 1}")
    yield f'<table:content-validation table:name="{name}" table:base-cell-address={base}'
    yield f" table:condition={condition}" if condition else ""
    yield ' table:allow-empty-cell="true" table:display-list="unsorted">'
    unit = f" ({field.unit})" if field.unit else ""
    allowed = f"Allowed: {field.allowed}"
    for kind, text in [("help", f"{field.meaning}{unit}. {allowed}"), ("error", allowed)]:
        stop = ' table:message-type="stop"' if kind == "error" else ""
        yield f'<table:{kind}-message table:title={quoteattr(field.name)} table:display="true"{stop}>'
        yield f"<text:p>{escape(text)}</text:p></table:{kind}-message>"
    yield "</table:content-validation>\n"


def _condition(check: Check) -> str:
    field = check.field
    if field.kind == "choice":
        return f"of:cell-content-is-in-list({';'.join(chr(34) + choice + chr(34) for choice in field.choices)})"
    if field.kind != "int":
        return ""
    if field.minimum is not None and field.maximum is not None:
        limits = f" and cell-content-is-between({field.minimum},{field.maximum})"
    elif field.minimum is not None:
        limits = f" and cell-content()>={field.minimum}"
    else:
        limits = "" if field.maximum is None else f" and cell-content()<={field.maximum}"
    return f"of:cell-content-is-whole-number(){limits}"


def _table(page: Page, names: dict[tuple[str, int, int], str]) -> Iterator[str]:
    styles = [_style(page, column) for column in range(len(page.header))]
    validations = {
        (row, check.column): names[page.name, check.first, check.column]
        for check in page.checks
        for row in range(check.first, check.last + 1)
    }
    yield f"<table:table table:name={quoteattr(page.name)}>"
    for column, style in enumerate(styles):
        yield f'<table:table-column table:style-name="w{page.width(column)}" table:default-cell-style-name="{style}"/>'
    yield "\n<table:table-header-rows><table:table-row>"
    for title in page.header:
        yield from _cell(title, "header", "")
    yield "</table:table-row></table:table-header-rows>\n"
    last = max([len(page.rows), *(check.last for check in page.checks)])
    for number in range(1, last + 1):
        row = page.rows[number - 1] if number <= len(page.rows) else [None] * len(styles)
        yield "<table:table-row>"
        for column, style in enumerate(styles):
            yield from _cell(row[column], style, validations.get((number, column), ""))
        yield "</table:table-row>\n"
    yield "</table:table>\n"


def _style(page: Page, column: int) -> str:
    if column in page.derived:
        return "derived"
    if column in page.wrapped:
        return "prose"
    return "text" if column in page.texts else "plain"


def _cell(value: CellValue, style: str, validation: str) -> Iterator[str]:
    yield f'<table:table-cell table:style-name="{style}"'
    if validation:
        yield f' table:content-validation-name="{validation}"'
    if value is None or value == "":
        yield "/>"
    elif isinstance(value, str):
        exact = f" office:string-value={quoteattr(value)}" if "\r" in value else ""  # white space, for an XML parser
        yield f' office:value-type="string"{exact}>{"".join(_paragraphs(value))}</table:table-cell>'
    else:
        number = f"{value:.{DIGITS}g}"
        yield f' office:value-type="float" office:value="{number}"><text:p>{number}</text:p></table:table-cell>'


def _paragraphs(text: str) -> Iterator[str]:
    """Text as paragraphs, its white space as the elements that keep it."""
    sign = NO_XML.search(text)
    if sign is not None:
        raise InputError(
            f"{text!r} holds the sign {sign[0]!r}, which a file of the kind .ods cannot hold; allowed: a text without "
            "it, or export to a folder or to .xlsx"
        )
    for line in text.split("\n"):
        yield f"<text:p>{WHITE.sub(_white, escape(line))}</text:p>"


def _white(match: re.Match[str]) -> str:
    return "<text:tab/>" if match[0] == "\t" else f'<text:s text:c="{len(match[0])}"/>'
