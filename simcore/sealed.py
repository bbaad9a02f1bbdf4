"""JSON objects that end with a checksum over their own text, so that a flipped bit in them is found.

    {"shard": 3, "line_up": 0, "checksum": "0b54b6b1f3c0d2aa"}

The checksum is the first 16 digits of SHA-256 (hex) over a key and all that stands before the word "checksum". Who
reads with another key than was written with takes the object for damaged: it belongs to something else.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from simcore import strict_json

CHECKSUM = "checksum"
_MARK = f'"{CHECKSUM}": "'.encode()


class MismatchError(ValueError):
    """A text that does not match its checksum."""


def seal(content: Mapping[str, Any], key: str = "", indent: int | None = None) -> bytes:
    """The content as JSON with its checksum and a line end; one line without `indent`."""
    text = json.dumps({**content, CHECKSUM: ""}, indent=indent, ensure_ascii=False).encode()
    head, mark, tail = text.rpartition(_MARK)
    return head + mark + _checksum(head, key) + tail + b"\n"


def unseal(data: bytes, key: str = "", strict: bool = False) -> dict[str, Any]:
    """The content of a sealed text. Raises ValueError if it is no JSON object, MismatchError for another checksum.

    A text without a checksum, as earlier versions wrote them, is taken as it is unless `strict`.
    """
    content: Any = strict_json.loads(data)
    if not isinstance(content, dict):
        raise ValueError("it is no JSON object")
    found = content.pop(CHECKSUM, None)
    if found is None and not strict:
        return content
    if found != _checksum(data.rpartition(_MARK)[0], key).decode():
        raise MismatchError("it does not match its checksum")
    return content


def _checksum(head: bytes, key: str) -> bytes:
    return hashlib.sha256(key.encode() + head).hexdigest()[:16].encode()
