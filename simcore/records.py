"""Annotated classes become `np.record` dtypes: mypy reads the class, numba compiles the dtype, plain Python runs it.

class Public:
    actor: int                                      # int64; float is float64; a numpy scalar type is itself
    pile: Annotated[NDArray[np.uint8], 6, 64]       # a nested array
    deck: Deck                                      # a nested record
    board: Annotated[list[Board], 2]                # an array of records
"""

import hashlib
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
from numba.core import types


def _mangling_args(record: types.Record) -> tuple[str, tuple[int]]:
    layout = hashlib.blake2b(record.name.encode(), digest_size=8).digest()
    return "Record", (int.from_bytes(layout, "little"),)


# numba names compiled functions by a number that each record type has in this process only. Code that another process
# left on the disk may then carry the name of a function for another record, and calls end up there. Named by its
# layout, a record has one name everywhere.
types.Record.mangling_args = property(_mangling_args)  # type: ignore[method-assign, assignment]


def dtype(declaration: type) -> np.dtype[Any]:
    """The aligned `np.record` dtype of an annotated class, fields in the order of their declaration.

    Raises ValueError for a field with the name of an attribute that every record has, such as `round`: plain Python
    would find that instead.
    """
    fields: list[tuple[Any, ...]] = []
    for name, hint in get_type_hints(declaration, include_extras=True).items():
        if hasattr(np.record, name):
            raise ValueError(f"{declaration.__name__}.{name}: every record has an attribute of this name")
        if get_origin(hint) is Annotated:
            base, *shape = get_args(hint)
            element = get_args(base)[-1]
            fields.append((name, _scalar(element), tuple(shape)))
        else:
            fields.append((name, _scalar(hint)))
    return np.dtype((np.record, np.dtype(fields, align=True)))


def _scalar(hint: Any) -> np.dtype[Any]:
    element: type = get_args(hint)[0] if get_origin(hint) is np.dtype else hint
    if element in (int, float) or issubclass(element, np.generic):
        return np.dtype(element)
    return dtype(element)


def zero(kind: np.dtype[Any]) -> Any:
    """One record of this dtype, all zero. The caller owns it; kernels only ever borrow it."""
    return np.zeros(1, kind)[0]
