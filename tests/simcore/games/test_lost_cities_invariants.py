"""LC-I1 to LC-I13 of the rules page, read off the kernels' record at every move of a few dozen games.

Nothing here asks the reference for an answer: a position is what the record says, cards by their words, and a seat's
columns are also kept move by move, since the record does not tell in which order cards were played.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import mean, stdev

import pytest

from simcore.cardset import CardSet
from simcore.play import Table
from tests.reference.lost_cities import Card, Rules, column_score
from tests.reference.lost_cities_agreement import GAME, rules_of
from tests.reference.lost_cities_records import Coding, Kernel
from tests.simcore.games.lost_cities_stacked import Luck, Stacked, edited, shipped

pytestmark = pytest.mark.engine


@dataclass(frozen=True)
class Position:
    """What lies where after a step, and the step: `options` and `action` in words, "" for the set-up."""

    rules: Rules
    game: int
    seat: int
    action: str
    options: tuple[str, ...]
    actor: int
    rounds: int
    turns: int  # of this round
    starter: int
    standing: tuple[int, ...]
    total: tuple[int, ...]
    hands: tuple[Counter[Card], ...]
    columns: tuple[dict[str, tuple[Card, ...]], ...]  # in the order of play
    played: tuple[Counter[Card], ...]
    piles: dict[str, tuple[Card, ...]]
    deck: tuple[Card, ...]
    new_round: bool  # the step ended a round and this position is the start of the next

    @property
    def initial(self) -> int:
        """Cards in the deck when both hands are dealt."""
        return len(self.rules.deck) - 2 * self.rules.hand_size


def record(card_set: CardSet, pair: tuple[str, str], deal: int, game: int) -> Iterator[Position]:
    table = Table(GAME, card_set, 2, pair, seed=99)
    rules = rules_of(card_set)
    coding = Coding(rules)
    kernel, public = Kernel(coding, table.state), table.state.public
    rounds = -1
    for step in table.steps(deal, 0):
        action = coding.word(step.action) if step.decision >= 0 else ""
        new_round = public.actor >= 0 and public.rounds != rounds
        if new_round:
            rounds = int(public.rounds)
            columns: tuple[dict[str, tuple[Card, ...]], ...] = ({}, {})
        elif action.startswith("play:"):
            card = rules.card[action[5:]]
            mine = columns[step.seat]
            grown = mine | {card.colour: (*mine.get(card.colour, ()), card)}
            columns = (grown, columns[1]) if step.seat == 0 else (columns[0], grown)
        fields = kernel.public_fields()
        yield Position(
            rules,
            game,
            step.seat,
            action,
            tuple(map(coding.word, step.options)),
            fields["actor"],
            fields["rounds"],
            fields["round_turns"],
            fields["starter"],
            tuple(fields["standing"]),
            tuple(fields["total"]),
            tuple(map(kernel.cards, kernel.hands())),
            columns,
            tuple(kernel.cards(board["played"]) for board in fields["board"]),
            {
                colour: tuple(coding.cards[code] for code in fields["pile"][coding.place[colour]])
                for colour in rules.colours
            },
            tuple(kernel.deck()),
            bool(new_round),
        )


GAMES = [
    ("base", ("uniform", "uniform")),
    ("base", ("heuristic", "uniform")),
    ("single_round", ("heuristic", "heuristic")),
    ("single_round", ("uniform_card_then_deck", "play_first_then_deck")),
    ("long", ("heuristic", "heuristic")),
    ("long_single_round", ("uniform", "play_first_then_deck")),
]


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    """Of games with the shipped sets, to which all of LC-I1 to LC-I12 apply as they stand."""
    return [
        position
        for game, (name, pair) in enumerate(GAMES)
        for position in record(shipped(name), pair, deal=game, game=game)
    ]


def games(positions: list[Position]) -> Iterator[list[Position]]:
    for _, group in groupby(positions, key=lambda position: position.game):
        yield list(group)


def moves(positions: list[Position]) -> Iterator[tuple[Position, Position]]:
    """(before, after) of each step within a round."""
    for game in games(positions):
        for before, after in pairwise(game):
            if not after.new_round:
                yield before, after


def test_every_card_is_somewhere_exactly_once(positions: list[Position]) -> None:
    """LC-I1."""
    for position in positions:
        piles = (card for pile in position.piles.values() for card in pile)
        everywhere = sum((*position.hands, *position.played), Counter(position.deck)) + Counter(piles)
        assert everywhere == Counter(position.rules.deck)
        assert everywhere.total() in (60, 72)


def test_cards_at_the_end_of_a_round(positions: list[Position]) -> None:
    """LC-I2, LC-5.1: only the last position of a match still shows its round's end."""
    for game in games(positions):
        last = game[-1]
        assert last.actor == -1
        assert sum(hand.total() for hand in last.hands) == 16
        lying = sum(played.total() for played in last.played) + sum(map(len, last.piles.values()))
        assert lying == last.initial == len(last.rules.deck) - 16
        assert not last.deck


def test_turns_are_deck_draws_and_pile_draws(positions: list[Position]) -> None:
    """LC-I3."""
    for game in games(positions):
        from_deck = turns = 0
        for position in game:
            if position.new_round:
                assert position.action in ("", "deck")
                from_deck = turns = 0
            elif position.action and ":" not in position.action:
                turns += 1
                from_deck += position.action == "deck"
            assert position.turns == turns
            assert len(position.deck) == position.initial - from_deck


def test_columns_are_wagers_then_rising_numbers(positions: list[Position]) -> None:
    """LC-I4, LC-4.1, LC-4.2: in the order in which the cards were played."""
    for position in positions:
        for columns, played in zip(position.columns, position.played, strict=True):
            assert Counter(card for column in columns.values() for card in column) == played
            for column in columns.values():
                values = [card.value for card in column]
                assert len(values) <= 12
                assert values.count(0) <= 3
                numbers = [value for value in values if value]
                assert values == [0] * values.count(0) + numbers
                assert all(low < high for low, high in pairwise(numbers))


def test_no_card_is_in_two_columns(positions: list[Position]) -> None:
    """LC-I5."""
    for position in positions:
        both = position.played[0] + position.played[1]
        assert both <= Counter(position.rules.deck)
        for colour in position.rules.colours:
            assert sum(len(columns.get(colour, ())) for columns in position.columns) <= 12


def test_scores_keep_their_bounds(positions: list[Position]) -> None:
    """LC-I6, LC-I7, LC-I8, LC-I9."""
    best = [0, -10, -1, 7, 14, 28, 42, 60, 100, 120, 136, 148, 156]
    for position in positions:
        low, high = (-400, 592) if len(position.rules.colours) == 5 else (-480, 752)
        for seat, columns in enumerate(position.columns):
            points = position.standing[seat] - position.total[seat]
            if position.actor >= 0:
                assert low <= points <= high
                assert points == sum(column_score(list(column), position.rules) for column in columns.values())
            for column in columns.values():
                worth = column_score(list(column), position.rules)
                assert -80 <= worth <= best[len(column)]
                assert len(column) < 8 or worth >= 20


def test_scores_change_only_by_playing(positions: list[Position]) -> None:
    """LC-I10: of the seat that plays; opening with number v gives v - 20, with a wager -40."""
    openings = 0
    for before, after in moves(positions):
        change = [now - then for now, then in zip(after.standing, before.standing, strict=True)]
        if not after.action.startswith("play:"):
            assert change == [0, 0]
            continue
        assert change[1 - after.seat] == 0
        card = after.rules.card[after.action[5:]]
        if not before.columns[after.seat].get(card.colour):
            openings += 1
            assert change[after.seat] == (-40 if card.is_wager else card.value - 20)
    assert openings > 50


def test_there_is_always_an_option(positions: list[Position]) -> None:
    """LC-I11, LC-D1, LC-D2, LC-3.7: and never more than the page says."""
    for game in games(positions):
        for before, after in pairwise(game):
            assert before.actor == after.seat
            colours = len(after.rules.colours)
            verbs = Counter(word.partition(":")[0] for word in after.options)
            if ":" in after.action:
                assert verbs["discard"] == 8
                assert set(verbs) <= {"play", "discard"}
                assert 8 <= len(after.options) <= 16
            else:
                assert verbs["deck"] == 1
                assert set(verbs) <= {"deck", *after.rules.colours}
                assert 1 <= len(after.options) <= colours + (not before.action.startswith("discard"))


def test_the_leader_starts(positions: list[Position]) -> None:
    """LC-I12, LC-2.5, LC-2.6."""
    seen = 0
    for game in games(positions):
        starters = [position for position in game if position.new_round]
        for before, after in pairwise(starters):
            seen += 1
            if after.total[0] == after.total[1]:
                assert after.starter == 1 - before.starter
            else:
                assert after.total[after.starter] == max(after.total)
            assert after.actor == after.starter
    assert seen == 2 * sum(name in ("base", "long") for name, _ in GAMES)


def test_edited_sets_keep_the_same_laws() -> None:
    """LC-I1 and LC-I4 with copies of numbers and other sizes."""
    copies = edited(
        "base", ["a-wager", "a-2", "a-2", "a-3", "a-3", "a-3", "b-wager", "b-1", "b-1"] * 3, hand_size=5, rounds=2
    )
    for position in record(copies, ("uniform", "heuristic"), 4, 0):
        piles = (card for pile in position.piles.values() for card in pile)
        everywhere = sum((*position.hands, *position.played), Counter(position.deck)) + Counter(piles)
        assert everywhere == Counter(position.rules.deck)
        for columns in position.columns:
            for column in columns.values():
                numbers = [card.value for card in column if card.value]
                assert list(column[: len(column) - len(numbers)]) == [Card(column[0].colour, 0)] * (
                    len(column) - len(numbers)
                )
                assert all(low < high for low, high in pairwise(numbers))


# ------------------------------------------------------------------------------------------------------------- LC-I13


def test_permuting_colours_changes_nothing() -> None:
    """LC-I13: a game with the colours renamed among each other, same luck and same moves, has the same course."""
    card_set = shipped("single_round")
    played = list(record(card_set, ("heuristic", "heuristic"), deal=8, game=0))
    colours = list(rules_of(card_set).colours)
    renamed = dict(zip(colours, colours[2:] + colours[:2], strict=True))

    def rename(word: str) -> str:
        verb, colon, card = word.rpartition(":")
        colour, dash, face = card.partition("-")
        return f"{verb}{colon}{renamed.get(colour, colour)}{dash}{face}"

    first = played[0]
    hands = tuple([rename(card.word) for card in hand.elements()] for hand in first.hands)
    draws: tuple[list[str], list[str]] = ([], [])
    deck = list(first.deck)
    for position in played:
        if position.action == "deck":
            draws[position.seat].append(rename(deck.pop(0 if position.seat == 0 else -1).word))
    game = Stacked(card_set, Luck((hands[0], hands[1]), draws), starter=first.starter)
    for position in played[1:]:
        options = game.do(rename(position.action))
        assert options == Counter(map(rename, position.options))
        assert tuple(game.standing) == position.standing
    assert game.actor == -1


@pytest.mark.jitted
def test_seats_are_alike() -> None:
    """LC-I13: with equal bots and a random starter both seats expect the same; within 4 standard errors."""
    table = Table(GAME, shipped("single_round"), 2, ("uniform", "uniform"), seed=5)
    rows = [played.rows for played in table.play(0, 5000)]
    for points in ([row["points"] for row in rows[0]["seat"][rotation::2, :2]] for rotation in (0, 1)):
        margins = [int(first) - int(second) for first, second in points]
        assert abs(mean(margins)) < 4 * stdev(margins) / len(margins) ** 0.5
