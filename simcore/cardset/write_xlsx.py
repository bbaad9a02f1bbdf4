"""Writing workbooks of the kind .xlsx, with XlsxWriter. Equal card sets give equal bytes."""

import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import xlsxwriter

from simcore.cardset.pages import Check, Page
from simcore.cardset.raw import letters

# What Excel allows in a list of choices, in the title and in the text of a message beside a cell.
LONGEST_LIST, LONGEST_TITLE, LONGEST_MESSAGE = 255, 32, 255
CHOICES_SHEET = "_choices"
CREATED = datetime(2000, 1, 1)  # a time of its own for each export would make equal exports differ
HEADER: dict[str, object] = {"bold": True, "bottom": 1, "bg_color": "#DCE6F1", "valign": "top", "num_format": "@"}
DERIVED: dict[str, object] = {"font_color": "#7F7F7F", "bg_color": "#F2F2F2"}
TEXT: dict[str, object] = {"num_format": "@"}
PROSE: dict[str, object] = {"text_wrap": True, "valign": "top", "font_color": "#595959"}
TOP: dict[str, object] = {"valign": "top"}


def encode(pages: Sequence[Page]) -> bytes:
    """The file with these sheets."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"created": CREATED})
        writer = _Writer(book)
        for page in pages:
            writer.write(page)
        writer.write_choices()
    return file.getvalue()


class _Writer:
    def __init__(self, book: Any) -> None:
        self._book = book
        self._choices: list[tuple[str, ...]] = []  # lists that are too long to stand beside a cell

    def write(self, page: Page) -> None:
        sheet = self._book.add_worksheet(page.name)
        header = self._book.add_format(HEADER)
        for column, title in enumerate(page.header):
            form = self._format(page, column)
            sheet.set_column(column, column, page.width(column), form)
            sheet.write_string(0, column, title, header)
            for row, cells in enumerate(page.rows, 1):
                value = cells[column]
                if isinstance(value, str):
                    sheet.write_string(row, column, value, form)
                elif value is not None:
                    sheet.write_number(row, column, value, form)
            if column in page.helps:
                help_text = {"input_title": title, "input_message": page.helps[column]}
                sheet.data_validation(0, column, 0, column, {"validate": "any"} | _shortened(help_text))
        sheet.freeze_panes(1, page.frozen)
        last = letters(len(page.header) - 1)
        sheet.ignore_errors({"number_stored_as_text": f"A1:{last}{len(page.rows) + 1}"})
        for check in page.checks:
            rule = self._rule(check)
            if rule:
                sheet.data_validation(check.first, check.column, check.last, check.column, rule | _messages(check))

    def _format(self, page: Page, column: int) -> Any:
        form: dict[str, object] = dict(TOP) if page.wrapped else {}
        if column in page.wrapped:
            form = form | PROSE
        if column in page.texts:
            form = form | TEXT
        if column in page.derived:
            form = form | DERIVED
        return self._book.add_format(form)

    def _rule(self, check: Check) -> dict[str, object]:
        field = check.field
        if field.kind == "choice":
            if len(",".join(field.choices)) <= LONGEST_LIST:
                return {"validate": "list", "source": list(field.choices)}
            if field.choices not in self._choices:
                self._choices.append(field.choices)
            column = letters(self._choices.index(field.choices))
            return {"validate": "list", "source": f"={CHOICES_SHEET}!${column}$1:${column}${len(field.choices)}"}
        if field.kind != "int" or (field.minimum is None and field.maximum is None):
            return {}
        if field.minimum is None:
            return {"validate": "integer", "criteria": "<=", "value": field.maximum}
        if field.maximum is None:
            return {"validate": "integer", "criteria": ">=", "value": field.minimum}
        return {"validate": "integer", "criteria": "between", "minimum": field.minimum, "maximum": field.maximum}

    def write_choices(self) -> None:
        """The hidden sheet with the long lists, a column each; its name says that it is no table."""
        if not self._choices:
            return
        sheet = self._book.add_worksheet(CHOICES_SHEET)
        for column, choices in enumerate(self._choices):
            for row, choice in enumerate(choices):
                sheet.write_string(row, column, choice)
        sheet.hide()


def _messages(check: Check) -> dict[str, str]:
    field = check.field
    unit = f" ({field.unit})" if field.unit else ""
    return _shortened(
        {
            "input_title": field.name,
            "input_message": f"{field.meaning}{unit}\nAllowed: {field.allowed}",
            "error_title": f"{field.name} cannot be this",
            "error_message": f"Allowed: {field.allowed}",
        }
    )


def _shortened(messages: dict[str, str]) -> dict[str, str]:
    most = {"title": LONGEST_TITLE, "message": LONGEST_MESSAGE}
    return {name: text[: most[name.partition("_")[2]]] for name, text in messages.items()}
