"""Reading small TOML files that a person, or a stranger, has written."""

import re
import tomllib
from pathlib import Path
from typing import Any

from simcore.errors import InputError
from simcore.files import read_bytes
from simcore.places import on_disk

MOST_BYTES = 1 << 20
DEEPEST_KEY = 64  # tables in tables that one key names; tomllib takes the square of it in time

_KEY = re.compile(r"^[^=#\n]*", re.MULTILINE)  # what stands before a value, or in a line of its own


def read(name: str | Path, what: str) -> dict[str, Any]:
    """The content of a file; `what` says in messages what kind of file it is, as in "weights file".

    Raises InputError where there is no such file, or it cannot be read, is larger than MOST_BYTES, or is no TOML.
    """
    path = on_disk(name, f"a {what}")
    where = f"{what} {path}"
    try:
        if not path.is_file():
            raise InputError(f"{where} {'is a folder' if path.is_dir() else 'does not exist, or is no file'}.")
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{where} is larger than {MOST_BYTES:,} bytes: it is no {what}.")
        return parse(read_bytes(path, MOST_BYTES, links=True).decode("utf-8-sig"))  # some editors begin with a mark
    except OSError as error:
        raise InputError(f"{where} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{where} is not text in UTF-8.") from error
    except ValueError as error:
        raise InputError(f"{where} is not TOML: {error}.") from error


def parse(text: str) -> dict[str, Any]:
    """The content of a text. Raises ValueError, with the line where it is known, for all that cannot be read."""
    for key in _KEY.finditer(text):
        if key[0].count(".") > DEEPEST_KEY:
            raise ValueError(f"a key in too many parts (at line {text.count(chr(10), 0, key.start()) + 1}, column 1)")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("lists or tables in each other without end") from error
