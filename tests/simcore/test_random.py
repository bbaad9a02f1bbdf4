import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray
from scipy import stats

from simcore import random, records
from simcore.random import CAPACITY, CHANCE, LOW, NOISE, PURPOSES, Deck
from tests.simcore.deal_laws import checks, places

pytestmark = pytest.mark.engine

DECK = records.dtype(Deck)
WORD32 = st.integers(0, 2**32 - 1)
SEEDS = (0, 1, 2**32, 2**64 - 1)


def chance(seed: int = 7, deal: int = 0):  # type: ignore[no-untyped-def]
    made = records.zero(CHANCE)
    made.seed, made.deal = seed, deal
    return made


def deck_of(salts):  # type: ignore[no-untyped-def]
    deck = records.zero(DECK)
    deck.count = len(salts)
    deck.code[: len(salts)] = np.arange(len(salts))
    deck.salt[: len(salts)] = salts
    return deck


def shuffled(luck, deck, purpose: int = 0) -> list[int]:  # type: ignore[no-untyped-def]
    out = np.zeros(CAPACITY, np.uint8)
    random.shuffle(luck, purpose, deck, out)
    return out[: deck.count].tolist()  # type: ignore[no-any-return]


# --- Philox ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ([0] * 4, [0] * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_philox_gives_the_published_vectors(counter: list[int], key: list[int], expected: str) -> None:
    """Random123 1.14, tests/kat_vectors, philox4x32 with 10 rounds."""
    words = random.philox(*(np.uint64(word) for word in (*counter, *key)))
    assert " ".join(f"{int(word):08x}" for word in words) == expected


def test_keyed_words_are_philox_of_deal_purpose_and_index() -> None:
    luck = chance(seed=0x0123456789ABCDEF, deal=0xFEDCBA9876543210)
    counter = (3 << 16 | 5, 0, 0x76543210, 0xFEDCBA98)
    expected = random.philox(*(np.uint64(word) for word in (*counter, 0x89ABCDEF, 0x01234567)))
    assert random.keyed(luck, 3, 5) == expected


def test_every_seed_deal_purpose_and_index_has_words_of_its_own() -> None:
    found = [
        random.keyed(chance(seed, deal), purpose, index)
        for seed in SEEDS
        for deal in (0, 1, 2**32, 2**64 - 1)
        for purpose in range(PURPOSES)
        for index in (0, 1, 255, 65535)
    ]
    assert len({word for words in found for word in words}) > 0.999 * 4 * len(found)
    assert len(set(found)) == len(found)


def test_keyed_below_is_the_high_part() -> None:
    """Every value of a range alike, by chi-square over deals."""
    luck = chance()
    values = []
    for deal in range(3000):
        luck.deal = np.uint64(deal)
        values.append(int(random.keyed_below(luck, 15, 0, 5)))
    counts = np.bincount(values, minlength=5)
    assert len(counts) == 5
    assert stats.chisquare(counts).pvalue > 1e-3


# --- Shuffles --------------------------------------------------------------------------------------------------------


def unscramble(word: int) -> int:
    """The inverse, step by step backwards."""
    mask = 2**32 - 1
    word ^= word >> 16
    word = word * pow(0x846CA68B, -1, 2**32) & mask
    word ^= word >> 15 ^ word >> 30
    word = word * pow(0x7FEB352D, -1, 2**32) & mask
    return word ^ word >> 16


@given(WORD32)
def test_scramble_has_an_inverse(word: int) -> None:
    """So it is a bijection, and the keys of distinct cards are distinct."""
    assert unscramble(int(random.scramble(np.uint32(word)))) == word


def test_scramble_mixes() -> None:
    """A bit of the input that changes, changes each bit of the result about half of the time."""
    words = np.random.default_rng(1).integers(0, 2**32, 400, dtype=np.uint32)
    mixed = [int(random.scramble(word)) for word in words]
    for bit in range(32):
        flipped = [int(random.scramble(np.uint32(word ^ np.uint32(1 << bit)))) for word in words]
        changes = np.array([[(a ^ b) >> i & 1 for i in range(32)] for a, b in zip(mixed, flipped, strict=True)])
        assert changes.mean(axis=0).min() > 0.35
        assert changes.mean(axis=0).max() < 0.65


decks = st.lists(WORD32, min_size=1, max_size=CAPACITY, unique=True)


@settings(max_examples=50, deadline=None)
@given(decks, st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 2), st.integers(0, PURPOSES - 1))
def test_a_shuffle_is_a_permutation(salts: list[int], seed: int, deal: int, purpose: int) -> None:
    assert sorted(shuffled(chance(seed, deal), deck_of(salts), purpose)) == list(range(len(salts)))


@settings(max_examples=50, deadline=None)
@given(decks, st.integers(0, 2**64 - 1), st.integers(0, 1000), st.data())
def test_the_others_keep_their_order_when_cards_are_removed(
    salts: list[int], seed: int, deal: int, data: st.DataObject
) -> None:
    """Also where a deck of more than 64 cards becomes one of fewer, and in any order of the table."""
    left = data.draw(st.lists(st.sampled_from(range(len(salts))), min_size=1, unique=True))
    whole = shuffled(chance(seed, deal), deck_of(salts))
    part = shuffled(chance(seed, deal), deck_of([salts[card] for card in left]))
    assert [left[card] for card in part] == [card for card in whole if card in set(left)]


def test_an_order_is_kept_for_its_deal_and_purpose_only() -> None:
    deck, luck = deck_of(range(100, 160)), chance(deal=3)
    first, other = shuffled(luck, deck, 0), shuffled(luck, deck, 1)
    assert first != other
    assert shuffled(luck, deck, 0) == first
    luck.deal = 4
    assert shuffled(luck, deck, 0) not in (first, other)
    luck.deal = 3
    assert (shuffled(luck, deck, 0), shuffled(luck, deck, 1)) == (first, other)
    assert shuffled(chance(seed=8, deal=3), deck, 0) != first


def test_the_first_deal_of_all_is_not_taken_for_a_kept_one() -> None:
    assert sorted(shuffled(chance(deal=0), deck_of([5, 3, 9]))) == [0, 1, 2]


@pytest.mark.jitted
@pytest.mark.parametrize(("card_set", "purpose"), [("base", 0), ("base", 2), ("long", 0)])
def test_shuffles_follow_the_law(card_set: str, purpose: int) -> None:
    """Fixed seeds: a p-value of a sound shuffle is below 1e-4 once in a thousand such tests."""
    for check in checks(places(card_set, seed=11, deals=100_000, purpose=purpose)):
        assert check.p > 1e-4, check
        assert check.p < 1 - 1e-6, check  # too even is wrong too


# --- Piles that are given as counts ----------------------------------------------------------------------------------


def pile(luck, counts: dict[int, int], index: int = 0) -> list[int]:  # type: ignore[no-untyped-def]
    """The shuffled pile of so many cards of each code."""
    table, out = np.zeros(64, np.uint8), np.zeros(CAPACITY, np.uint8)
    for code, count in counts.items():
        table[code] = count
    present = np.uint64(sum(1 << code for code, count in counts.items() if count))
    salts = (np.arange(64) * 2_654_435_761 % 2**32).astype(np.uint32)
    random.shuffle_pile(luck, 6, index, table, present, salts, out)
    return out[: sum(counts.values())].tolist()  # type: ignore[no-any-return]


@given(st.dictionaries(st.integers(0, 63), st.integers(0, 4), max_size=20), st.integers(0, 1000))
@settings(deadline=None)
def test_a_shuffled_pile_holds_its_cards(counts: dict[int, int], index: int) -> None:
    assert sorted(pile(chance(), counts, index)) == sorted(code for code, n in counts.items() for _ in range(n))


@given(
    st.dictionaries(st.integers(0, 63), st.integers(1, 3), min_size=2, max_size=20),
    st.integers(0, 1000),
    st.integers(0, 19),
)
@settings(deadline=None)
def test_the_others_keep_their_order_when_a_code_leaves_a_pile(counts: dict[int, int], index: int, which: int) -> None:
    gone = list(counts)[which % len(counts)]
    rest = {code: count for code, count in counts.items() if code != gone}
    assert pile(chance(), rest, index) == [code for code in pile(chance(), counts, index) if code != gone]


@given(st.integers(0, 1000))
@settings(deadline=None)
def test_a_copy_that_leaves_a_pile_leaves_the_others_in_order(index: int) -> None:
    fewer, more = pile(chance(), {3: 1, 9: 2, 20: 1}, index), pile(chance(), {3: 1, 9: 3, 20: 1}, index)
    assert any(more[:spot] + more[spot + 1 :] == fewer for spot, code in enumerate(more) if code == 9)


def test_piles_follow_the_law() -> None:
    """Every order of four cards, and of two alike among them, is equally frequent; successive piles are independent."""
    luck, cards = chance(), {0: 1, 5: 1, 9: 2}
    orders = [tuple(pile(luck, cards, index)) for index in range(12_000)]
    names = sorted(set(orders))
    assert len(names) == 12
    counts = np.bincount([names.index(order) for order in orders])
    assert stats.chisquare(counts).pvalue > 1e-4
    table = np.zeros((12, 12))
    for one, other in zip(orders[::2], orders[1::2], strict=True):
        table[names.index(one), names.index(other)] += 1
    assert stats.chi2_contingency(table).pvalue > 1e-4


def test_cards_whose_keys_are_alike_both_stay_in_the_pile() -> None:
    table, out = np.zeros(64, np.uint8), np.zeros(CAPACITY, np.uint8)
    table[[1, 2]] = 1
    random.shuffle_pile(chance(), 6, 0, table, np.uint64(6), np.zeros(64, np.uint32), out)
    assert out[:2].tolist() == [1, 2]


@pytest.mark.jitted
def test_two_purposes_of_a_deal_are_independent() -> None:
    a, b = (places("base", seed=11, deals=100_000, purpose=purpose)[:, 0] // 10 for purpose in (0, 1))
    table = np.bincount(6 * a.astype(int) + b, minlength=36).reshape(6, 6)
    assert stats.chi2_contingency(table).pvalue > 1e-3


# --- Noise -----------------------------------------------------------------------------------------------------------


def noise_of(seed: int, deal: int, place: int):  # type: ignore[no-untyped-def]
    noise = records.zero(NOISE)
    random.seed_noise(noise, np.uint64(seed), np.uint64(deal), place)
    return noise


def test_streams_of_all_seeds_deals_and_places_differ() -> None:
    starts = {}
    for seed in SEEDS:
        for deal in (*range(50), 2**32, 2**64 - 1):
            for place in range(random.SEATS):
                noise = noise_of(seed, deal, place)
                starts[seed, deal, place] = tuple(int(random.draw_word(noise)) for _ in range(3))
    assert len(set(starts.values())) == len(starts)


@njit
def first_words(seed, deals, places, out):  # type: ignore[no-untyped-def]
    noise = out["noise"][0]
    for deal in range(deals):
        for place in range(places):
            random.seed_noise(noise, np.uint64(seed), np.uint64(deal), place)
            out["word"][0, deal, place] = random.draw_word(noise)


def test_streams_are_not_correlated() -> None:
    """The first words of places in a deal, and of successive deals at a place."""
    deals = 2000
    kind = np.dtype((np.record, np.dtype([("noise", NOISE), ("word", np.uint64, (deals, 2))], align=True)))
    out = np.zeros(1, kind)
    first_words(3, deals, 2, out)
    top: NDArray[np.int64] = (out["word"][0] >> np.uint64(29)).astype(int)
    for a, b in ((top[:, 0], top[:, 1]), (top[:-1, 0], top[1:, 0])):
        table = np.bincount(8 * a + b, minlength=64).reshape(8, 8)
        assert stats.chi2_contingency(table).pvalue > 1e-3


def noise_that_draws(word: int):  # type: ignore[no-untyped-def]
    """A state whose next word is this one: with three zero bits on top, the output is x ^ x >> 22 for state x << 22."""
    noise = records.zero(NOISE)
    noise.word = np.uint64((word ^ word >> 22) << 22)
    copy = noise.copy()
    assert int(random.draw_word(copy)) == word
    return noise


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 52, 60, 1000, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_below_is_exactly_even(n: int) -> None:
    """Each value comes from floor(2**32 / n) words; the others are drawn again. Checked at the ends of the ranges."""
    threshold = 2**32 % n
    for value in (value for value in {0, 1, 2, n // 2, n - 2, n - 1} if 0 <= value < n):
        accepted = range(-(-(value * 2**32 + threshold) // n), -(-(value + 1) * 2**32 // n))
        assert len(accepted) == 2**32 // n
        for word in (accepted[0], accepted[-1]):
            assert random.below(noise_that_draws(word), n) == value
        for word in (word for word in (accepted[0] - 1, accepted[-1] + 1) if 0 <= word < 2**32):
            noise = noise_that_draws(word)
            after_one_word = noise.copy()
            random.draw_word(after_one_word)
            found = random.below(noise, n)
            if word * n % 2**32 < threshold:  # belongs to no value
                assert noise.word != after_one_word.word
            else:
                assert found == word * n >> 32
                assert noise.word == after_one_word.word


def test_below_by_chi_square() -> None:
    noise = noise_of(1, 2, 0)
    for n, draws in ((2, 2000), (7, 2000), (60, 6000)):
        values = [int(random.below(noise, n)) for _ in range(draws)]
        assert min(values) >= 0
        assert stats.chisquare(np.bincount(values, minlength=n)).pvalue > 1e-3
        assert len(np.bincount(values)) == n


def test_below_by_chi_square_where_a_third_of_the_words_is_refused() -> None:
    noise, n = noise_of(1, 3, 1), 3 * 2**30 + 1
    thirds = [int(random.below(noise, n)) * 12 // n for _ in range(4000)]
    assert stats.chisquare(np.bincount(thirds, minlength=12)).pvalue > 1e-3


def test_words_are_of_32_bits() -> None:
    noise = noise_of(5, 6, 1)
    words = [int(random.draw_word(noise)) for _ in range(3000)]
    assert max(words) <= int(LOW)
    for bit in range(32):
        ones = sum(word >> bit & 1 for word in words)
        assert stats.binomtest(ones, len(words)).pvalue > 1e-4
