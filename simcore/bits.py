"""Sets of up to 64 things as one unsigned word. Each function has a plain Python form, which numba replaces by the
processor's own instruction where the host has it, and a portable form where it has not.

Unsigned words are `np.uint64` throughout: mixed with a signed integer numba would turn them into floats.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types, uint64
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload

NONE = np.uint64(0)
ONE = np.uint64(1)

# What numba compiles for, NUMBA_CPU_NAME=generic included. Asked before a kernel is defined: LLVM aborts on an
# instruction that the target lacks.
HAS_PDEP = "+bmi2" in cpu_target.target_context.codegen().magic_tuple()[2]


def popcount(word: Any) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def lowest(word: Any) -> int:
    """The index of the lowest set bit. The word is not 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


def kth(word: Any, k: int) -> int:
    """The index of the k-th set bit, from 0. The word has more than k set bits."""
    word = int(word)
    for _ in range(k):
        word &= word - 1
    return lowest(word)


@njit
def bit(i):
    """The word with only bit i set."""
    return ONE << np.uint64(i)


@njit
def flag(condition):
    """All ones where the condition holds, else 0: a select without a branch."""
    return NONE - np.uint64(condition)


@njit
def first(word):
    """The word with only the lowest set bit of `word`; 0 for 0."""
    return word & (NONE - word)


@intrinsic
def _ctpop(typing, word):
    return types.int64(types.uint64), lambda ctx, b, sig, args: b.ctpop(args[0])


@intrinsic
def _cttz(typing, word):
    return types.int64(types.uint64), lambda ctx, b, sig, args: b.cttz(args[0], ir.Constant(ir.IntType(1), 1))


@intrinsic
def _deposit(typing, bits, mask):
    def generate(ctx, b, sig, args):
        word, name = ir.IntType(64), "llvm.x86.bmi.pdep.64"
        function = b.module.globals.get(name) or ir.Function(b.module, ir.FunctionType(word, [word, word]), name)
        return b.call(function, args)

    return types.uint64(types.uint64, types.uint64), generate


@overload(popcount)
def _popcount(word):
    return lambda word: _ctpop(word)


@overload(lowest)
def _lowest(word):
    return lambda word: _cttz(word)


@overload(kth)
def _kth(word, k):
    if HAS_PDEP:
        return lambda word, k: _cttz(_deposit(uint64(1) << uint64(k), word))

    def portable(word, k):
        for _ in range(k):
            word &= word - uint64(1)
        return _cttz(word)

    return portable
