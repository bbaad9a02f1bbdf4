import subprocess
import sys
from typing import Annotated

import numba
import numpy as np
import pytest
from numba import njit
from numba.core.itanium_mangler import mangle
from numpy.typing import NDArray

from simcore import records

pytestmark = pytest.mark.engine


class Inner:
    lit: np.uint8
    amount: int


class Outer:
    small: np.uint8
    word: np.uint64
    share: float
    row: Annotated[NDArray[np.int16], 3]
    grid: Annotated[NDArray[np.uint8], 2, 5]
    one: Inner
    many: Annotated[list[Inner], 4]


KIND = records.dtype(Outer)


def test_fields_are_declared_by_annotations() -> None:
    assert KIND.names == ("small", "word", "share", "row", "grid", "one", "many")
    assert [KIND[name].base for name in ("small", "word", "share", "row", "grid")] == [
        np.dtype(kind) for kind in (np.uint8, np.uint64, np.float64, np.int16, np.uint8)
    ]
    assert [KIND[name].shape for name in KIND.names] == [(), (), (), (3,), (2, 5), (), (4,)]
    assert KIND["one"] == KIND["many"].base == records.dtype(Inner)
    assert KIND["one"]["amount"] == np.int64


def test_records_are_aligned_and_of_record_type_down_to_the_last() -> None:
    """numba reads fields of np.record alone by attribute, and numpy at an odd place copies."""
    for kind in (KIND, KIND["one"], KIND["many"].base):
        assert kind.type is np.record
        assert kind.isalignedstruct
        assert kind.fields is not None
        assert all(offset % part.alignment == 0 for part, offset, *_ in kind.fields.values())


def test_a_record_is_zero_at_first_and_its_parts_are_views() -> None:
    record = records.zero(KIND)
    assert not any(record.tobytes())
    record.many[2].amount = 7
    record.one.lit = 3
    record.grid[1, 4] = 9
    assert record["many"]["amount"].tolist() == [0, 0, 7, 0]
    assert (record["one"]["lit"], record["grid"].sum()) == (3, 9)
    assert not any(records.zero(KIND).tobytes())


def test_equal_declarations_make_equal_types() -> None:
    assert records.dtype(Outer) == KIND
    assert records.dtype(Inner) != KIND


@njit
def fill(record):  # type: ignore[no-untyped-def]
    record.small = np.uint8(250)
    record.word = np.uint64(1) << np.uint64(63)
    record.share = record.word * 0.5
    for i in range(3):
        record.row[i] = -i
    for i in range(4):
        inner = record.many[i]
        inner.amount = i * i
        inner.lit = np.uint8(i)
    record.one = record.many[3]


def test_kernels_write_what_python_reads() -> None:
    record = records.zero(KIND)
    fill(record)
    assert (int(record.small), int(record.word), float(record.share)) == (250, 2**63, 2.0**62)
    assert record.row.tolist() == [0, -1, -2]
    assert record["many"]["amount"].tolist() == [0, 1, 4, 9]
    assert (int(record.one.amount), int(record.one.lit)) == (9, 3)
    record.many[3].amount = 1  # a copy has been made, not a second name
    assert int(record.one.amount) == 9


def test_compiled_functions_are_named_by_the_layout_of_a_record() -> None:
    """Not by the number that numba gives a type in this process: names on the disk must mean the same everywhere."""
    one, other = (numba.from_dtype(np.dtype([("a", kind)])) for kind in (np.int64, np.float64))
    names = [mangle("f", (record,)) for record in (one, other)]
    assert names[0] != names[1]
    words = "import numba, numpy as np; numba.from_dtype(np.dtype([('x', 'i1')])); from simcore import records; "
    words += "from numba.core.itanium_mangler import mangle; "
    words += "print(mangle('f', (numba.from_dtype(np.dtype([('a', np.int64)])),)))"
    elsewhere = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout
    assert elsewhere.strip() == names[0]
