"""Chance and noise: keyed numbers for deals, a fast sequential generator for the bots' own dice.

`Chance` is the luck of a deal. Every number in it is a function of (run seed; deal, purpose, identity), so deal number
d is the same luck whoever plays it, and an edited card set changes the luck only of the cards that were edited.

`Noise` is a bot's own. Its stream is a function of (run seed; deal, place in the line-up).
"""

import hashlib
from collections.abc import Iterable
from typing import Annotated, Any

import numba
import numpy as np
from numba import njit
from numpy.typing import NDArray

from simcore import records
from simcore.bits import NONE, ONE, lowest


def let_words_wrap() -> None:
    """Plain Python only: unsigned words are meant to wrap around. numpy is told so here alone; each thread must."""
    if numba.config.DISABLE_JIT:
        np.seterr(over="ignore")


let_words_wrap()

CAPACITY = 128  # cards of one shuffled deck
PURPOSES = 16  # purposes 0..15 of one deal; a game numbers its own from 1
SEATS = 8  # the most seats of any game

LOW = np.uint64(0xFFFFFFFF)
WORD = np.uint64(32)


class Deck:
    """Cards to be shuffled: what lies at position i before the shuffle, and who it is."""

    count: int
    code: Annotated[NDArray[np.uint8], CAPACITY]  # the game's code of card i < count
    salt: Annotated[NDArray[np.uint32], CAPACITY]  # the identity of card i, distinct; it survives edits of other cards


class Chance:
    """The luck of one deal. `kept` saves the second rotation of a block from shuffling again."""

    seed: np.uint64
    deal: np.uint64
    place: Annotated[NDArray[np.int64], SEATS]  # seat -> place in the line-up, in this rotation
    kept_deal: Annotated[NDArray[np.uint64], PURPOSES]  # the deal whose order is kept for a purpose, plus 1
    kept: Annotated[NDArray[np.uint8], PURPOSES, CAPACITY]
    key: Annotated[NDArray[np.uint32], CAPACITY]
    rank: Annotated[NDArray[np.uint32], CAPACITY]
    code: Annotated[NDArray[np.uint8], CAPACITY]


class Noise:
    """The state of a bot's own generator."""

    word: np.uint64


CHANCE, NOISE = records.dtype(Chance), records.dtype(Noise)


def fill_deck(deck: Any, cards: Iterable[tuple[int, str]]) -> None:
    """Fill a `Deck` record with (code, id) of its cards. A card is the same in every card set that has its id."""
    count = 0
    for code, card_id in cards:
        identity = salt(card_id)
        while identity in deck.salt[:count]:  # one pair of ids in four thousand million is alike
            identity = (identity + 1) % 2**32
        deck.code[count], deck.salt[count] = code, identity
        count += 1
    deck.count = count


def salt(card_id: str) -> int:
    """The identity of a card in a shuffle: 32 bits of a hash of its id."""
    return int.from_bytes(hashlib.blake2b(card_id.encode(), digest_size=4).digest(), "little")


@njit
def philox(c0, c1, c2, c3, k0, k1):
    """Philox4x32-10 (Salmon et al. 2011): four 32-bit words, held in 64-bit ones, from a counter and a key."""
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c1, c2, c3 = (q >> WORD) ^ c1 ^ k0, q & LOW, (p >> WORD) ^ c3 ^ k1, p & LOW
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & LOW, (k1 + np.uint64(0xBB67AE85)) & LOW
    return c0, c1, c2, c3


@njit
def keyed(chance, purpose, index):
    """Four 32-bit words that depend on (run seed; deal, purpose, index) alone."""
    counter = np.uint64(purpose) << np.uint64(16) | np.uint64(index)
    return philox(
        counter & LOW, counter >> WORD, chance.deal & LOW, chance.deal >> WORD, chance.seed & LOW, chance.seed >> WORD
    )


@njit
def keyed_below(chance, purpose, index, n):
    """A whole number in 0..n-1 of the deal's luck; bias below n / 2**32."""
    word, _, _, _ = keyed(chance, purpose, index)
    return np.int64((word * np.uint64(n)) >> WORD)


@njit
def scramble(x):
    """A bijection of 32-bit words that mixes well ("lowbias32", C. Wellons, hash-prospector, public domain)."""
    x = np.uint32(x ^ (x >> np.uint32(16)))
    x = np.uint32(x * np.uint32(0x7FEB352D))
    x = np.uint32(x ^ (x >> np.uint32(15)))
    x = np.uint32(x * np.uint32(0x846CA68B))
    return np.uint32(x ^ (x >> np.uint32(16)))


@njit
def shuffle(chance, purpose, deck, out):
    """The cards of a deck in the order of their keys, into out[0..count-1] (uint8).

    A card's key is a function of (run seed; deal, purpose) and its own salt, so the other cards keep their order when
    one is removed. Keys never tie, because a deal scrambles salts by a bijection.
    """
    if chance.kept_deal[purpose] != chance.deal + np.uint64(1):
        if deck.count <= 64:
            _order(chance, np.int64(purpose), deck, 64)
        else:
            _order(chance, np.int64(purpose), deck, CAPACITY)
        chance.kept_deal[purpose] = chance.deal + np.uint64(1)
    kept = chance.kept[purpose]
    for i in range(deck.count):
        out[i] = kept[i]


@njit(forceinline=True)
def _order(chance, purpose, deck, lanes):
    """A card's place is the number of smaller keys. With a constant number of lanes all three loops vectorise."""
    key, rank = chance.key, chance.rank
    a, b, _, _ = keyed(chance, purpose, np.int64(0))
    first, second = np.uint32(a), np.uint32(b)
    for i in range(lanes):
        key[i] = scramble(np.uint32(scramble(np.uint32(deck.salt[i] ^ first)) ^ second))
        rank[i] = np.uint32(0)
    for j in range(deck.count):
        other = key[j]
        for i in range(lanes):
            rank[i] = np.uint32(rank[i] + np.uint32(other < key[i]))
    kept = chance.kept[purpose]
    for i in range(deck.count):
        kept[np.int64(rank[i])] = deck.code[i]


@njit
def shuffle_pile(chance, purpose, index, counts, present, salt, out):
    """The cards of a pile that is given as counts, in the order of their keys, into out[0..] (uint8).

    `counts[c]` is the number of cards of code c, `present` the set of the codes with any, `salt[c]` (uint32) the
    identity of code c. A card's key is a function of (run seed; deal, purpose, index), of its code's salt and of its
    number among its copies, so the other cards keep their order when one is removed. At most CAPACITY cards.
    """
    a, b, _, _ = keyed(chance, purpose, index)
    first_word, second_word = np.uint32(a), np.uint32(b)
    key, code = chance.key, chance.code
    count = 0
    while present != NONE:
        c = np.uint64(lowest(present))
        present &= present - ONE
        for copy in range(counts[c]):
            identity = np.uint32(salt[c] + np.uint32(0x9E3779B9) * np.uint32(copy))
            key[count] = scramble(np.uint32(scramble(np.uint32(identity ^ first_word)) ^ second_word))
            code[count] = c
            count += 1
    for i in range(count):
        place = 0
        for j in range(count):  # of equal keys, which are rare, the first comes first
            place += np.int64(key[j] < key[i]) + (np.int64(key[j] == key[i]) & np.int64(j < i))
        out[np.uint64(place)] = code[i]


@njit
def mix(z):
    """The finaliser of splitmix64 (Steele, Lea, Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit
def seed_noise(noise, seed, deal, place):
    """Start the stream of (run seed; deal, place in the line-up): two equal bots at one table do not play in step."""
    start = mix(seed + np.uint64(0x9E3779B97F4A7C15) * np.uint64(place + 1))
    noise.word = mix(start + deal * np.uint64(0xD1342543DE82EF95))


@njit(forceinline=True)
def draw_word(noise):
    """32 random bits in a 64-bit word (PCG32, variant XSH-RS; O'Neill 2014)."""
    word = noise.word
    noise.word = word * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return ((word ^ (word >> np.uint64(22))) >> ((word >> np.uint64(61)) + np.uint64(22))) & LOW


@njit(forceinline=True)
def below(noise, n):
    """A whole number in 0..n-1, unbiased (Lemire 2019); 0 < n < 2**32."""
    product = draw_word(noise) * np.uint64(n)
    if product & LOW < np.uint64(n):  # rare: only here can a value be one of those that occur too often
        product = _accepted(noise, product, np.uint64(n))
    return np.int64(product >> WORD)


@njit
def _accepted(noise, product, n):
    threshold = (np.uint64(1) << WORD) % n
    while product & LOW < threshold:
        product = draw_word(noise) * n
    return product
