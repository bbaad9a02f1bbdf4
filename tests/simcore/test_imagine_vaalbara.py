"""Imagined states of Vaalbara: they fit what the seat knows, and follow the law of the deal (VB-9.1, VB-9.2)."""

from collections import Counter
from itertools import permutations
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from simcore import records
from simcore.cardset import CardSet
from simcore.games.vaalbara.parameters import parameters
from simcore.games.vaalbara.state import STATE, Decision
from simcore.play import Table
from tests.simcore import imagining
from tests.simcore.imagining import even, find, imagined, noise_of, play_on, positions
from tests.simcore.vaalbara_sets import card_sets, edited, inputs, shipped

pytestmark = pytest.mark.engine

GAME = "vaalbara"
SEATS = (2, 3, 4, 5)
DRAWS = 3_000


def table_of(card_set: CardSet, seats: int) -> Table:
    return imagining.table_of(GAME, card_set, seats)


def members(word: int) -> list[int]:
    return [code for code in range(64) if int(word) >> code & 1]


def check_fit(table: Table, seat: int, state) -> None:  # type: ignore[no-untyped-def]
    """What a seat sees is as it is; what it cannot see is all the rest, and as much of it as there is."""
    real, public, cards = table.state, state.public, table.cards
    assert public.tobytes() == real.public.tobytes()
    assert state.private[seat].tobytes() == real.private[seat].tobytes()
    for other in range(table.seats):
        me = state.private[other]
        hand = members(me.hand)
        chosen = [int(me.chosen)] if me.chosen >= 0 else []
        deck = [int(code) for code in state.secret.clan_deck[other][: public.clan_deck[other]]]
        revealed = [int(public.revealed[other])] if public.revealed[other] >= 0 else []
        gone = sorted({*members(public.discard[other]), *revealed})
        assert len(hand) + len(chosen) == public.hand[other]
        assert set(members(public.known[other])) <= {*hand, *chosen}
        assert (me.chosen >= 0) == (real.private[other].chosen >= 0)
        assert sorted([*hand, *chosen, *deck, *gone]) == list(range(int(cards.characters)))
    deck = [int(code) for code in state.secret.land_deck[: public.deck]]
    rows = [int(code) for row in range(2) for code in public.row[row][: public.count[row]]]
    realms = [int(code) for other in range(table.seats) for code in public.realm[other][: public.lands[other]]]
    assert sorted([*deck, *rows, *realms]) == sorted(int(code) for code in cards.land_deck.code[: cards.lands])
    assert public.top in (-1, deck[-1])
    assert public.bottom in (-1, deck[0])


@pytest.mark.parametrize("seats", SEATS)
def test_what_a_seat_knows_is_as_it_is(seats: int) -> None:
    """VB-9.1: memory is perfect; secret choices of others are imagined too (VB-3.1)."""
    table, state = table_of(shipped("default"), seats), records.zero(STATE)
    known = faces = chosen = 0
    for deal in range(3):
        for number in positions(table, deal):
            for seat in range(seats):
                check_fit(table, seat, imagined(table, seat, noise_of(number), state))
            public = table.state.public
            known += sum(len(members(word)) for word in public.known[:seats])
            faces += int(public.top >= 0) + int(public.bottom >= 0)
            chosen += public.decision == Decision.CHARACTER and public.actor > 0
    assert known > 0
    assert faces > 0
    assert chosen > 0


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(card_sets(), st.sampled_from(SEATS), st.integers(0, 1000))
def test_what_a_seat_knows_is_as_it_is_with_edited_sets(card_set: CardSet, seats: int, deal: int) -> None:
    table = table_of(card_set, seats)
    for number in positions(table, deal):
        if number % 5 == 0:
            check_fit(table, number % seats, imagined(table, number % seats, noise_of(number)))


@pytest.mark.parametrize("seats", SEATS)
def test_an_imagined_game_can_be_played_to_its_end(seats: int) -> None:
    """Search does nothing else."""
    table = table_of(shipped("default"), seats)
    for number in positions(table, 4):
        if number % 13 == 0:
            playout = table_of(shipped("default"), seats)
            playout.state = imagined(table, int(table.state.public.actor), noise_of(number))
            play_on(playout)
            public = playout.state.public
            assert public.played_rounds == 9
            assert list(public.lands[:seats]) == [9] * seats


# --- The law ---------------------------------------------------------------------------------------------------------


def hidden(table: Table, seat: int) -> list[int]:
    """The characters of a seat that are in its hand or clan deck for all that others know."""
    public = table.state.public
    seen = set(members(public.discard[seat])) | set(members(public.known[seat]))
    seen |= {int(public.revealed[seat])}
    return [code for code in range(int(table.cards.characters)) if code not in seen]


def test_hands_and_secret_choices_of_others() -> None:
    """VB-3.1: every hand that fits is alike, and in it every card may be the one that lies face down."""
    table = table_of(shipped("default"), 3)

    def wanted(public) -> bool:  # type: ignore[no-untyped-def]
        choosing = public.decision == Decision.CHARACTER and public.actor == 2 and public.played_rounds == 5
        return bool(choosing and public.known[0] != 0)

    find(table, wanted)
    public, noise, state = table.state.public, noise_of(1), records.zero(STATE)
    known, unknown = len(members(public.known[0])), hidden(table, 0)
    missing = int(public.hand[0]) - known
    hands: Counter[tuple[int, ...]] = Counter()
    choices: Counter[str] = Counter()
    for _ in range(DRAWS):
        imagined(table, 2, noise, state)
        me = state.private[0]
        hands[tuple(sorted({*members(me.hand), int(me.chosen)}))] += 1
        choices["known" if int(public.known[0]) >> int(me.chosen) & 1 else "unknown"] += 1
    even(hands, comb(len(unknown), missing))
    expected = [DRAWS * known / (known + missing), DRAWS * missing / (known + missing)]
    assert stats.chisquare([choices["known"], choices["unknown"]], expected).pvalue > 1e-4


def test_the_own_clan_deck_lies_in_any_order() -> None:
    """Section 9: not even its owner knows the order."""
    table = table_of(shipped("default"), 2)
    find(table, lambda public: public.clan_deck[0] == 3)
    noise, state = noise_of(2), records.zero(STATE)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(DRAWS):
        imagined(table, 0, noise, state)
        orders[tuple(int(code) for code in state.secret.clan_deck[0][:3])] += 1
    even(orders, factorial(3))


def test_unseen_lands_lie_in_any_order_between_what_is_known() -> None:
    """VB-6.7, VB-6.11b, VB-9.2: the back on top tells nothing of its front."""
    table = table_of(shipped("default"), 2)
    find(table, lambda public: public.deck == 5 and public.bottom >= 0 and public.top >= 0)
    noise, state = noise_of(3), records.zero(STATE)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(DRAWS):
        imagined(table, 0, noise, state)
        orders[tuple(int(code) for code in state.secret.land_deck[1:4])] += 1
    even(orders, factorial(3))
    inside = sorted(int(code) for code in table.state.secret.land_deck[1:4])
    assert set(orders) == set(permutations(inside))


@pytest.mark.jitted
def test_real_hands_are_as_often_as_imagined_ones() -> None:
    """Players who choose at random hold each hidden character as often as `imagine` says: h / u for a hand with h of u
    hidden ones. Without Fighters, whose holders give something away by not showing them.
    """
    base = shipped("default")
    characters = [
        {**row, "effect_code": "NONE", "vp_amount": 0} if row["key"] == "fighter" else row
        for row in inputs(base)["characters"]
    ]
    table = table_of(edited(tables={"characters": characters}), 2)
    surplus, variance = np.zeros(12), np.zeros(12)
    for deal in range(150):
        for _ in positions(table, deal):
            public = table.state.public
            if public.decision != Decision.CHARACTER or public.actor != 0 or public.played_rounds == 0:
                continue
            unknown = hidden(table, 1)
            held = int(table.state.private[1].hand)
            p = (int(public.hand[1]) - len(members(public.known[1]))) / len(unknown)
            for code in unknown:
                surplus[code] += (held >> code & 1) - p
                variance[code] += p * (1 - p)
    # Positions of one game go together: the real spread is at most that of rounds that are all alike.
    assert (np.abs(surplus) < 4 * np.sqrt(8 * variance)).all()


def test_parameters_say_who_is_whose_neighbour() -> None:
    """VB-2.7: one neighbour for two, everybody for three."""
    neighbours = {seats: [int(word) for word in parameters(shipped("default"), seats).neighbours] for seats in SEATS}
    assert neighbours[2][:2] == [0b10, 0b01]
    assert neighbours[3][:3] == [0b110, 0b101, 0b011]
    assert neighbours[4][:4] == [0b1010, 0b0101, 0b1010, 0b0101]
    assert neighbours[5] == [0b10010, 0b00101, 0b01010, 0b10100, 0b01001]
