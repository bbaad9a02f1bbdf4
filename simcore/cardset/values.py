"""One value of a card set: from what stands in a cell to a checked value."""

import re
import unicodedata

from simcore.cardset.problems import nearest, show
from simcore.cardset.raw import Flawed
from simcore.cardset.schema import Scalar

MAX_DIGITS = 18  # longer numbers are out of any range, and need not be converted
WHOLE_NUMBER = re.compile(r"([+-]?)([0-9]+)")
WHOLE_WITH_ZEROS = re.compile(r"([+-]?[0-9]+)[.,]0*")
LONGEST = {"id": 60, "word": 60, "text": 400}  # letters
WORDS = {"id": re.compile(r"[A-Za-z0-9_]+"), "word": re.compile(r"\w+")}


class BadValue(Exception):
    """A value that its field does not allow: what is wrong, and the nearest allowed value ("" when there is none)."""

    def __init__(self, what: str, nearest_value: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.nearest = nearest_value


def is_blank(raw: object) -> bool:
    """Whether a cell holds nothing."""
    return raw is None or (isinstance(raw, str) and not raw.strip())


def parse(field: Scalar, raw: object) -> int | str:
    """The value of a cell (text from a CSV file or a workbook, or a value from TOML or Python); raises BadValue.

    Text is freed from spaces around it and brought into one Unicode form, so that words that look equal are equal.
    """
    if isinstance(raw, Flawed):
        raise BadValue(raw.what)
    if is_blank(raw):
        raise BadValue("is blank" if raw is None or raw == "" else "holds only spaces")
    if field.kind == "int":
        return _in_range(field, _whole_number(raw))
    if not isinstance(raw, str):
        raise BadValue("is not text")
    text = unicodedata.normalize("NFC", raw.strip())
    if field.kind == "choice":
        if text not in field.choices:
            raise BadValue("is not one of the choices", nearest(text, field.choices))
    elif field.kind == "text":
        if not text.isprintable():
            raise BadValue("holds a line break or another control character")
    elif not WORDS[field.kind].fullmatch(text):
        raise BadValue("is not one plain word", _plain_word(field, text))
    if len(text) > LONGEST.get(field.kind, len(text)):
        raise BadValue(f"is {len(text):,} letters long, more than {LONGEST[field.kind]}")
    return text


def _plain_word(field: Scalar, text: str) -> str:
    """The word that is left when everything that is not allowed becomes an underscore."""
    return "_".join(WORDS[field.kind].findall(text))


def _whole_number(raw: object) -> int:
    # bool is a kind of int in Python, and `true` is no number in a card set
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    text = show(raw).strip()
    match = WHOLE_NUMBER.fullmatch(text)
    if match is None:
        zeros = WHOLE_WITH_ZEROS.fullmatch(text)
        raise BadValue("is not a whole number", zeros[1] if zeros else "")
    sign, digits = match.groups()
    return int(sign + digits) if len(digits) <= MAX_DIGITS else int(sign + "1" + "0" * MAX_DIGITS)


def _in_range(field: Scalar, number: int) -> int:
    if field.minimum is not None and number < field.minimum:
        raise BadValue(f"is less than {field.minimum}", str(field.minimum))
    if field.maximum is not None and number > field.maximum:
        raise BadValue(f"is more than {field.maximum}", str(field.maximum))
    return number
