"""Lost Cities: sets of cards as two words (low, high). A set of one-word codes has 0 as its high word."""

from numba import njit

from simcore.bits import NONE, kth, lowest, popcount


@njit(forceinline=True)
def size(low, high):
    """The number of cards of a set."""
    return popcount(low) + popcount(high)


@njit(forceinline=True)
def kth_card(low, high, k):
    """The code of the k-th card of a set, from 0; the set has more than k cards."""
    n = popcount(low)
    return kth(low, k) if k < n else 64 + kth(high, k - n)


@njit(forceinline=True)
def lowest_card(low, high, cards):
    """The code of the lowest card of a set that is not empty: by rank, then by colour."""
    if high == NONE:
        return lowest(low)
    if low == NONE or lowest(high) // cards.stride < lowest(low) // cards.stride:
        return 64 + lowest(high)
    return lowest(low)


@njit(forceinline=True)
def is_empty(low, high):
    """Whether a set has no cards."""
    return low | high == NONE
