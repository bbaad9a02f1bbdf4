"""Imagined states of Lost Cities: they fit what the seat knows, and follow the law of the deal (LC-8.1, LC-8.2)."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numba import njit
from scipy import stats

from simcore import game, records
from simcore.bits import popcount
from simcore.cardset import CardSet
from simcore.games.lost_cities.imagine import imagine
from simcore.games.lost_cities.state import STATE
from simcore.play import Table
from simcore.random import NOISE, seed_noise
from simcore.traces import EVENTS
from tests.reference.lost_cities_agreement import GAME, rules_of
from tests.reference.lost_cities_records import Coding, Kernel
from tests.simcore.games.lost_cities_stacked import edited, shipped
from tests.simcore.lost_cities_sets import card_sets

pytestmark = pytest.mark.engine

COPIES = ["a-1", "a-2", "a-2", "a-wager", "a-wager", "b-1", "b-1", "b-1"]
SETS = [
    shipped("single_round"),
    shipped("long_single_round"),
    edited("base", COPIES * 2, hand_size=3, rounds=1, max_turns=60),
]


def noise_of(number: int):  # type: ignore[no-untyped-def]
    noise = records.zero(NOISE)
    seed_noise(noise, np.uint64(77), np.uint64(number), 0)
    return noise


def table_of(card_set: CardSet, pair: tuple[str, str] = ("uniform", "uniform")) -> Table:
    return Table(GAME, card_set, 2, pair, seed=5)


class Imagined:
    """A state that a seat imagines at a table as it stands, in cards."""

    def __init__(self, table: Table, seat: int, number: int, state=None) -> None:  # type: ignore[no-untyped-def]
        """`state` is a record to fill; it may hold anything."""
        self.state = records.zero(STATE) if state is None else state
        public, me = table.state.public, table.state.private[seat]
        game.imagine(self.state, public, me, seat, table.cards, noise_of(number))
        self.kernel = Kernel(Coding(rules_of(table.card_set)), self.state)

    def hand(self, seat: int) -> Counter[str]:
        cards = self.kernel.cards(self.kernel.hands()[seat])
        return Counter({card.word: number for card, number in cards.items()})

    @property
    def deck(self) -> list[str]:
        return [card.word for card in self.kernel.deck()]


def positions(table: Table, deal: int) -> Iterator[int]:
    """The steps of a game, all but the last; yields their number."""
    for number, _ in enumerate(table.steps(deal, 0)):
        if table.state.public.actor >= 0:
            yield number


def check_fit(table: Table, seat: int, found: Imagined) -> None:
    """What a seat sees is as it is; what it cannot see is all the rest, and as much of it as there is."""
    real, coding = table.state, Coding(rules_of(table.card_set))
    assert found.state.public.tobytes() == real.public.tobytes()
    assert found.state.private[seat].tobytes() == real.private[seat].tobytes()
    other = 1 - seat
    truth = Kernel(coding, real)
    hidden = truth.hands()[other]
    assert found.hand(other).total() == hidden.bit_count()
    assert len(found.deck) == int(real.public["count"][6])
    in_truth = Counter(card.word for card in truth.cards(hidden).elements())
    in_truth.update(card.word for card in truth.deck())
    assert found.hand(other) + Counter(found.deck) == in_truth
    known = sum(int(word) << 64 * i for i, word in enumerate(real.public.board[other].known))
    known_cards = Counter({card.word: number for card, number in truth.cards(known).items()})
    assert known_cards <= found.hand(other)


@pytest.mark.parametrize("card_set", SETS, ids=["base", "long", "copies"])
def test_what_a_seat_knows_is_as_it_is(card_set: CardSet) -> None:
    table = table_of(card_set)
    known = 0
    for number in positions(table, 1):
        if number % 3 < 2:  # both decisions of a turn, as seen by both seats
            for seat in (0, 1):
                check_fit(table, seat, Imagined(table, seat, number))
            known += sum(int(popcount(word)) for board in table.state.public.board for word in board.known)
    assert known > 0


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(card_sets().filter(lambda card_set: card_set.scalars["rounds"] <= 2), st.integers(0, 1000))
def test_what_a_seat_knows_is_as_it_is_with_edited_sets(card_set: CardSet, deal: int) -> None:
    table = Table(GAME, card_set, 2, ("uniform", "heuristic"), seed=5)
    for number in positions(table, deal):
        if number % 7 == 0:
            check_fit(table, number % 2, Imagined(table, number % 2, number))


def test_the_record_that_is_filled_may_hold_another_position() -> None:
    """Search uses one record again and again."""
    table, state = table_of(SETS[1]), records.zero(STATE)
    for number in positions(table, 2):
        if number % 11 == 0:
            fresh = Imagined(table, 0, number)
            used = Imagined(table, 0, number, state)
            assert used.hand(1) == fresh.hand(1)
            assert used.deck == fresh.deck
            check_fit(table, 0, used)


def test_the_table_itself_stays_as_it_is() -> None:
    table = table_of(SETS[0])
    for number in positions(table, 3):
        if number == 20:
            before = table.state.tobytes()
            decks = {tuple(Imagined(table, 0, word).deck) for word in range(20)}
            assert len(decks) == 20
            assert Imagined(table, 0, 7).deck == Imagined(table, 0, 7).deck
            assert table.state.tobytes() == before


# --- The law ---------------------------------------------------------------------------------------------------------


def exact(hidden: list[str], known: list[str], missing: int) -> dict[tuple[tuple[str, ...], tuple[str, ...]], float]:
    """Probability of each (other hand, deck), from all orders of the hidden cards as if all were different."""
    outcomes = Counter((tuple(sorted([*known, *order[:missing]])), order[missing:]) for order in permutations(hidden))
    return {outcome: number / outcomes.total() for outcome, number in outcomes.items()}


def test_every_way_to_share_the_hidden_cards_is_as_likely() -> None:
    """Small cases with copies, complete: hands and decks together, at the start and with known cards."""
    table = table_of(edited("base", COPIES, hand_size=2, rounds=1, max_turns=60))
    samples, cases = 1500, Counter[str]()
    for deal in range(12):
        for _ in positions(table, deal):
            other = Kernel(Coding(rules_of(table.card_set)), table.state)
            for seat in (0, 1):
                known_set = int(table.state.public.board[1 - seat].known[0])
                known = [card.word for card in other.cards(known_set).elements()]
                kind = f"{len(known)} known, {len(other.deck())} in the deck"
                if len(other.deck()) not in (2, 4) or cases[kind] >= 1:
                    continue
                cases[kind] += 1
                hand = Counter(card.word for card in other.cards(other.hands()[1 - seat]).elements())
                unseen = list((hand - Counter(known)).elements()) + [card.word for card in other.deck()]
                law = exact(unseen, known, hand.total() - len(known))
                found = Counter[tuple[tuple[str, ...], tuple[str, ...]]]()
                for number in range(samples):
                    imagined = Imagined(table, seat, 1000 * deal + number)
                    found[tuple(sorted(imagined.hand(1 - seat).elements())), tuple(imagined.deck)] += 1
                assert set(found) <= set(law)
                counts, expected = zip(*((found[o], samples * p) for o, p in law.items()), strict=True)
                assert stats.chisquare(counts, expected).pvalue > 1e-4, kind
    assert {"0 known, 4 in the deck", "1 known, 2 in the deck"} <= set(cases)


@njit
def sample(state, public, me, seat, cards, noise, out):  # type: ignore[no-untyped-def]
    """How many cards of each code are in the other hand, and which type lies where in the deck, over many samples."""
    hands, places = out["hands"][0], out["places"][0]
    for _ in range(out["samples"][0]):
        imagine(state, public, me, seat, cards, noise)
        theirs = state.private[1 - seat]
        for code in range(128):
            copies = cards.copies[code, code >> 6]
            if copies != np.uint64(0) and cards.type[code] == code:
                hands[code, popcount(theirs.hand[code >> 6] & copies)] += 1
        for i in range(state.secret.end[1] + 1):
            places[i, state.secret.deck[i]] += 1


@pytest.mark.jitted
@pytest.mark.parametrize("step", [0, 31, 60], ids=["start", "draw", "later"])
@pytest.mark.parametrize("card_set", SETS[:2], ids=["base", "long"])
def test_each_hidden_card_is_anywhere_alike(card_set: CardSet, step: int) -> None:
    """Copies in the other hand follow the hypergeometric law; each place of the deck holds each type by its copies."""
    table, samples = table_of(card_set), 20_000
    kind = [("samples", np.int64), ("hands", np.int64, (128, 21)), ("places", np.int64, (128, 128))]
    for number in positions(table, 4):
        if number == step:
            break
    seat, coding = 0, Coding(rules_of(card_set))
    truth = Kernel(coding, table.state)
    known = sum(int(word) << 64 * i for i, word in enumerate(table.state.public.board[1].known))
    unseen = truth.cards(truth.hands()[1]) - truth.cards(known) + Counter(truth.deck())
    missing = truth.hands()[1].bit_count() - known.bit_count()
    out = np.zeros(1, np.dtype((np.record, np.dtype(kind, align=True))))
    out["samples"] = samples
    public, me = table.state.public, table.state.private[seat]
    sample(records.zero(STATE), public, me, seat, table.cards, noise_of(step), out)
    p_values = []
    for card, copies in unseen.items():
        code, sure = coding.kind(card), truth.cards(known)[card]
        counts = out["hands"][0, code, sure : sure + copies + 1]
        assert counts.sum() == samples
        law = stats.hypergeom(unseen.total(), copies, missing).pmf(np.arange(copies + 1)) * samples
        likely = law > 5
        p_values.append(stats.chi2.sf((((counts - law) ** 2 / law)[likely]).sum(), max(1, likely.sum() - 1)))
        in_deck = out["places"][0, : int(public["count"][6]), code]
        expected = samples * copies / unseen.total()
        variance = expected * (1 - copies / unseen.total())
        p_values.append(stats.chi2.sf(((in_deck - expected) ** 2 / variance).sum(), len(in_deck)))
    assert min(p_values) > 1e-5
    assert stats.kstest(p_values, "uniform").pvalue > 1e-4


@pytest.mark.jitted
def test_the_truth_is_one_of_the_imagined_states() -> None:
    """Where what the other does tells nothing about its cards, the true hidden cards rank among imagined ones like one
    of them: a test of imagined states, of the deal, and of what is public together."""
    table = table_of(SETS[0], ("discard_only_then_deck", "discard_only_then_deck"))
    coding = Coding(rules_of(SETS[0]))
    worth = {card.word: card.value + 20 * (card.colour == "red") for card in coding.cards.values()}
    others, ranks = 9, {"hand": Counter[int](), "deck": Counter[int]()}
    dice = np.random.default_rng(3)
    for deal in range(300):
        for number in positions(table, deal):
            if number == 2 * (deal % 15) + deal % 2:
                break
        truth = Kernel(coding, table.state)
        hand = sum(worth[card.word] for card in truth.cards(truth.hands()[1]).elements())
        deck = [worth[card.word] for card in truth.deck()]
        states = [Imagined(table, 0, 100 * deal + i) for i in range(others)]
        hands = [sum(worth[word] * n for word, n in state.hand(1).items()) for state in states]
        decks = [worth[state.deck[0]] - worth[state.deck[-1]] for state in states]
        for what, mine, theirs in (("hand", hand, hands), ("deck", deck[0] - deck[-1], decks)):
            low, same = sum(x < mine for x in theirs), sum(x == mine for x in theirs)
            ranks[what][low + int(dice.integers(same + 1))] += 1
    for what, found in ranks.items():
        assert stats.chisquare([found[rank] for rank in range(others + 1)]).pvalue > 1e-3, what


# --- Playing on ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["base", "long"])
def test_an_imagined_state_plays_on_to_the_end(name: str) -> None:
    """Also into the later rounds of a match; every card stays somewhere."""
    card_set = shipped(name)
    table = table_of(card_set)
    rules = rules_of(card_set)
    step, trace = table.engine.step(), records.zero(EVENTS)
    for start in (0, 1, 40):
        for number in positions(table, 6):
            if number == start:
                break
        for seat in (0, 1):
            imagined = Imagined(table, seat, start)
            state, steps = imagined.state, 0
            while state.public.actor >= 0:
                buffers = (table.cards, table.options, table.chance, table.noise, table.minds, table.policies)
                assert step(state, *buffers, trace, table.out) == 0
                trace.count = 0
                steps += 1
                if steps % 25 == 0:
                    check_cards(imagined, rules.deck)
            check_cards(imagined, rules.deck)
            assert state.public.rounds == 3
            assert table.out.points[:2].tolist() == state.public.total.tolist()


def check_cards(imagined: Imagined, deck) -> None:  # type: ignore[no-untyped-def]
    fields = imagined.kernel.public_fields()
    everywhere = imagined.hand(0) + imagined.hand(1) + Counter(imagined.deck)
    for board in fields["board"]:
        everywhere.update(card.word for card in imagined.kernel.cards(board["played"]).elements())
    for pile in fields["pile"]:
        everywhere.update(imagined.kernel.coding.cards[code].word for code in pile)
    assert everywhere == Counter(card.word for card in deck)
