"""Reading JSON that may come from a stranger: every way in which a text is no plain data is one ValueError.

Python's own reader lets pass what no JSON is or what cannot be written again (nan, halves of signs), and of a key that
stands twice it takes the last.
"""

import json
import math
from collections.abc import Sequence
from typing import Any, NoReturn

from simcore.errors import shown


def loads(data: bytes, infinity: bool = False) -> Any:
    """The content of a JSON document in UTF-8, with Infinity or without. Raises ValueError that says what is wrong."""
    text = data.decode("utf-8")
    constant = _or_infinity if infinity else _no_number
    try:
        content = json.loads(text, object_pairs_hook=_object, parse_constant=constant)
        if "\\u" in text:  # only so can half a sign come in
            json.dumps(content, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("lists or objects in each other without end") from error
    return content


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {shown(key)} stands twice in an object")
        found[key] = value
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _or_infinity(word: str) -> float:
    return math.inf if word == "Infinity" else _no_number(word)


def is_plain(content: Any, longest: int) -> bool:
    """Whether all texts in plain data can be printed on one line, and are of at most so many letters."""
    if isinstance(content, str):
        return len(content) <= longest and content.isprintable()
    if isinstance(content, dict):
        return all(is_plain(key, longest) and is_plain(value, longest) for key, value in content.items())
    return not isinstance(content, list) or all(is_plain(value, longest) for value in content)
