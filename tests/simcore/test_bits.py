import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit

from simcore import bits

pytestmark = pytest.mark.engine

ONES = 2**64 - 1
RANDOM = random.Random(5)
# One bit, runs of ones from either end, holes, patterns, and words of any density.
WORDS = sorted(
    {1 << i for i in range(64)}
    | {(1 << i) - 1 for i in range(65)}
    | {ONES ^ ((1 << i) - 1) for i in range(64)}
    | {ONES ^ (1 << i) for i in range(64)}
    | {0x5555555555555555, 0xAAAAAAAAAAAAAAAA, 0x00FF00FF00FF00FF, 0x8000000000000001, 0x0000000180000000}
    | {RANDOM.getrandbits(64) for _ in range(50)}
    | {RANDOM.getrandbits(64) & RANDOM.getrandbits(64) & RANDOM.getrandbits(64) for _ in range(50)}
)


def members(word: int) -> list[int]:
    return [i for i in range(64) if word >> i & 1]


@njit
def popcount(word):  # type: ignore[no-untyped-def]
    return bits.popcount(word)


@njit
def lowest(word):  # type: ignore[no-untyped-def]
    return bits.lowest(word)


@njit
def kth(word, k):  # type: ignore[no-untyped-def]
    return bits.kth(word, k)


BOTH: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "popcount": (bits.popcount, popcount),
    "lowest": (bits.lowest, lowest),
    "kth": (bits.kth, kth),
}
forms = pytest.mark.parametrize("form", [0, 1], ids=["plain", "compiled"])


@forms
def test_popcount(form: int) -> None:
    for word in WORDS:
        assert BOTH["popcount"][form](np.uint64(word)) == len(members(word))


@forms
def test_lowest(form: int) -> None:
    for word in filter(None, WORDS):
        assert BOTH["lowest"][form](np.uint64(word)) == members(word)[0]


@forms
def test_kth(form: int) -> None:
    for word in WORDS:
        for k, place in enumerate(members(word)):
            assert BOTH["kth"][form](np.uint64(word), k) == place


@pytest.mark.jitted
def test_kth_on_a_processor_that_has_no_instruction_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "HAS_PDEP", False)
    portable = njit(bits._kth(None, None))
    for word in WORDS:
        for k, place in enumerate(members(word)):
            assert portable(np.uint64(word), k) == place


@pytest.mark.jitted
def test_the_processor_is_asked_before_its_instruction_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "HAS_PDEP", True)
    with_instruction = bits._kth(None, None)
    monkeypatch.setattr(bits, "HAS_PDEP", False)
    assert bits._kth(None, None).__code__ != with_instruction.__code__


@pytest.mark.jitted
def test_results_are_signed_so_that_they_can_be_reckoned_with() -> None:
    assert {type(function(*arguments)) for function, arguments in compiled_calls()} == {int}
    for function, _ in compiled_calls():
        assert [str(signature.return_type) for signature in function.nopython_signatures] == ["int64"]


def compiled_calls() -> list[tuple[Any, tuple[Any, ...]]]:
    word = np.uint64(12)
    return [(popcount, (word,)), (lowest, (word,)), (kth, (word, 1))]


def test_bit_flag_first() -> None:
    for i in range(64):
        assert int(bits.bit(i)) == 1 << i
    assert int(bits.flag(True)) == ONES
    assert int(bits.flag(False)) == 0
    for word in WORDS:
        assert int(bits.first(np.uint64(word))) == word & -word
