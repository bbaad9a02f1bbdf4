"""Reading small TOML files that a person, or a stranger, has written."""

import tomllib
from pathlib import Path
from typing import Any

from simcore.errors import InputError

MOST_BYTES = 1 << 20


def read(path: Path, what: str) -> dict[str, Any]:
    """The content of a file; `what` says in messages what kind of file it is, as in "weights file".

    Raises InputError where there is no such file, or it cannot be read, is larger than MOST_BYTES, or is no TOML.
    """
    where = f"{what} {path}"
    try:
        if not path.is_file():
            raise InputError(f"{where} does not exist, or is no file.")
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{where} is larger than {MOST_BYTES:,} bytes: it is no {what}.")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # some editors begin a file with a mark
    except OSError as error:
        raise InputError(f"{where} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{where} is not text in UTF-8.") from error
    except (ValueError, RecursionError) as error:  # also numbers and nesting that Python refuses
        raise InputError(f"{where} is not TOML: {error}.") from error
