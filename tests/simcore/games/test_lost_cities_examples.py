"""The worked examples of the rules page of Lost Cities, and its rules one by one, on positions reached by play.

Every move of every game here is also compared with the plain Python reference (see lost_cities_stacked.py).
"""

from collections import Counter
from collections.abc import Sequence

import pytest

from simcore.cardset import CardSet
from simcore.errors import JobError
from tests.reference.lost_cities import Card, Rules, column_score, may_play
from tests.reference.lost_cities_agreement import rules_of
from tests.simcore.games.lost_cities_stacked import Luck, Stacked, cards, edited, shipped

pytestmark = pytest.mark.engine

COLOURS = ["yellow", "blue", "white", "green", "red"]
SINGLE, BASE, LONG = shipped("single_round"), shipped("base"), shipped("long")


def column(faces: str) -> list[Card]:
    return [Card("red", 0 if face == "W" else int(face)) for face in faces.split()]


def hand_of(game: Stacked, seat: int) -> Counter[str]:
    held = game.witness.kernel.cards(game.witness.kernel.hands()[seat])
    return Counter({card.word: copies for card, copies in held.items()})


def play_round(first: Sequence[str], second: Sequence[str] = (), card_set: CardSet = SINGLE) -> Stacked:
    """A round in which each seat plays just these cards, in this order; the rest is discarded."""
    game = Stacked(card_set, Luck.in_order(first, second, card_set.scalars["hand_size"]))
    game.play_out(first, second)
    return game


# ------------------------------------------------------------------------------------------------------------ scoring


@pytest.mark.parametrize(
    ("faces", "points"),
    [
        pytest.param("W 3 5 6 9", 6, id="LC-E1"),
        pytest.param("W W", -60, id="LC-E2, two wagers"),
        pytest.param("", 0, id="LC-E2, no cards"),
        pytest.param("W W W", -80, id="LC-E2, three wagers"),
        pytest.param("W W 2 4 5 7 8 10", 68, id="LC-E3"),
        pytest.param("W W W 2 3 4 5 6", 20, id="LC-E4"),
        pytest.param("W 2 3 4", -22, id="LC-E5"),
        pytest.param("W W W 10", -40, id="LC-E5, three wagers"),
        pytest.param("W W W 2 3 4 5 6 7 8 9 10", 156, id="LC-E6"),
        pytest.param("2 3 4 5 6 7 8", 15, id="LC-E7, 7 cards"),
        pytest.param("2 3 4 5 6 7 8 9", 44, id="LC-E7, 8 cards"),
        pytest.param("5 7 8", 0, id="LC-E7, even"),
    ],
)
@pytest.mark.parametrize(
    "card_set", [shipped("single_round"), shipped("long_single_round")], ids=lambda each: each.name
)
def test_the_score_of_a_column(card_set: CardSet, faces: str, points: int) -> None:
    """LC-6.1, LC-6.2, LC-6.3."""
    assert column_score(column(faces), rules_of(card_set)) == points
    colour = card_set.tables["cards"][-1]["color"]
    game = play_round(cards(colour, faces), (), card_set)
    assert game.standing == game.kernels.out.points[:2].tolist() == [points, 0]
    game = play_round((), cards(colour, faces), card_set)
    assert game.standing == [0, points]


def test_the_score_of_a_round() -> None:
    """LC-E8; LC-6.4: the sum over the colours; LC-4.6: green is not begun; LC-5.2: hands and piles count nothing."""
    columns = {"yellow": "W 4 6 8 9", "blue": "10", "white": "2 3 5 6 7 8 9 10", "red": "W W 7 8"}
    game = play_round([word for colour, faces in columns.items() for word in cards(colour, faces)])
    assert game.standing == [39, 0]
    board = game.public.board[0]
    assert board.length[:5].tolist() == [5, 1, 8, 0, 4]
    assert board.wagers[:5].tolist() == [1, 0, 0, 0, 2]


def test_marginal_values() -> None:
    """LC-E15, LC-I10: what one more card adds to a column."""
    game = Stacked(SINGLE, Luck((cards("red", "W 6 9 2"), ()), (cards("blue", "W 2 3 4 5 6 7 10"), ())))
    gains = {}
    for word in [*cards("red", "W 6 9"), *cards("blue", "W 2 3 4 5 6 7 10")]:
        before = game.standing[0]
        game.turn(f"play:{word}")
        gains[word] = game.standing[0] - before
        if word == "red-6":
            assert game.standing == [-28, 0]
        if word == "red-9":
            assert game.standing == [-10, 0]
        if word == "blue-7":
            assert game.standing == [-10 + 14, 0]
        game.turn()
    assert game.standing == [-10 + 54, 0]
    assert (gains["red-9"], gains["blue-10"]) == (18, 40)
    assert (gains["red-wager"], gains["red-6"]) == (-40, 12)


@pytest.mark.parametrize(
    ("scalars", "faces", "points"),
    [
        ({"expedition_cost": 0}, "W 3", 6),
        ({"expedition_cost": 33}, "W W 3 10", -60),
        ({"bonus_min_cards": 3}, "W W W", -60),
        ({"bonus_min_cards": 1, "bonus_points": -7}, "5", -22),
        ({"bonus_min_cards": 20}, "W W W 2 3 4 5 6 7 8 9 10", 136),
    ],
)
def test_edited_constants(scalars: dict[str, int], faces: str, points: int) -> None:
    """LC-6.2 and LC-6.3 with other constants."""
    assert play_round(cards("white", faces), (), edited("single_round", **scalars)).standing == [points, 0]


# ----------------------------------------------------------------------------------------------------------- legality


@pytest.mark.parametrize(
    ("faces", "illegal", "legal"),
    [
        ("", "", "W 2 3 4 5 6 7 8 9 10"),
        ("W", "", "W 2 5 10"),
        ("W W", "", "W 2"),
        ("W 4", "W 3", "5 6 10"),
        ("7", "W 2 6", "8 9 10"),
        ("W 10", "W 2 9", ""),
    ],
)
def test_what_a_column_allows(faces: str, illegal: str, legal: str) -> None:
    """LC-E9; LC-4.1: strictly increasing, with gaps; LC-4.2: wagers only before numbers; LC-4.3: any card may begin."""
    for face in column(illegal):
        assert not may_play(column(faces), face)
    for face in column(legal):
        assert may_play(column(faces), face)
    played, others = cards("green", faces), cards("green", f"{illegal} {legal}")
    room = 8 - len(played)
    for start in range(0, len(others), room):  # as many at a time as a hand holds
        held = others[start : start + room]
        game = Stacked(SINGLE, Luck(([*played, *held], ())))
        for word in played:
            game.turn(f"play:{word}")
            game.turn()
        options = game.do(f"discard:{held[0]}")
        for word in held:
            assert f"discard:{word}" in options  # LC-3.2
            assert (f"play:{word}" in options) == (word in cards("green", legal))


@pytest.mark.parametrize(
    "word", ["play:green-wager", "play:green-3", "play:green-4", "play:green-9", "discard:red-5", "deck"]
)
def test_the_kernels_refuse_what_is_illegal(word: str) -> None:
    """LC-4.1, LC-4.2, LC-3.1 (only a card of the own hand), LC-3.9: no draw instead of a card action."""
    luck = Luck((cards("green", "W W 3 4 5"), ("red-5", "green-9")), (cards("blue", "2 3"), ()))
    game = Stacked(SINGLE, luck)
    for played in ("green-wager", "green-4"):
        game.turn(f"play:{played}")
        game.turn()
    with pytest.raises(JobError, match="not legal"):
        game.do(word)


def test_equal_wagers_are_options_of_their_own() -> None:
    """Section 8 of the page: merging wagers would change a uniform policy. LC-1.2: they are identical."""
    game = Stacked(SINGLE, Luck((cards("red", "W W W 2"), ())))
    options = game.do("play:red-wager")
    assert options["play:red-wager"] == options["discard:red-wager"] == 3
    assert options["play:red-2"] == 1
    game.do("deck")
    game.turn()
    options = game.do("discard:red-wager")
    assert options["play:red-wager"] == options["discard:red-wager"] == 2


def test_the_opponents_columns_do_not_matter() -> None:
    """LC-4.5, LC-I5."""
    game = Stacked(SINGLE, Luck((["red-9"], ["red-2", "red-wager"])))
    game.turn("play:red-9")
    assert {"play:red-2", "play:red-wager"} <= set(game.do("play:red-wager"))


def test_numbers_may_have_copies() -> None:
    """LC-4.1 in an edited deck: a second 5 does not follow a 5."""
    copies = edited("single_round", ["red-5"] * 5 + ["red-6", "red-wager"], hand_size=2)
    game = Stacked(copies, Luck((["red-5", "red-5"], ["red-6", "red-wager"])))
    options = game.do("play:red-5")
    assert options == {"play:red-5": 2, "discard:red-5": 2}
    game.do("deck")
    game.turn("play:red-wager")
    assert game.do("discard:red-5") == {"discard:red-5": 2}


# -------------------------------------------------------------------------------------------------------------- draws


def test_what_may_be_drawn() -> None:
    """LC-E10; LC-3.3: the deck or any non-empty pile; LC-3.4 and LC-3.5: the own discard is closed in this turn only;
    LC-3.6: nothing is closed after playing a card."""
    luck = Luck((["red-2", "blue-9"], ["green-7", "green-9", "white-10"]))
    game = Stacked(SINGLE, luck, starter=1)
    game.turn("discard:green-7")
    game.turn("discard:red-2")
    game.do("discard:green-9")
    assert game.do("deck") == Counter(["deck", "red"])
    game.turn("play:blue-9")
    game.do("play:white-10")
    assert game.do("green") == Counter(["deck", "green", "red"])
    assert "green-9" in hand_of(game, 1)

    game = Stacked(SINGLE, luck, starter=1)
    game.turn("discard:green-7")
    game.turn("discard:red-2")
    game.do("play:white-10")
    assert game.do("green") == Counter(["deck", "green", "red"])
    assert "green-7" in hand_of(game, 1)


def test_a_closed_pile_is_refused() -> None:
    """LC-3.4."""
    game = Stacked(SINGLE, Luck((["green-7"], ())))
    game.turn("discard:green-7")
    game.do("play:" + next(iter(hand_of(game, 1))))
    game.do("green")  # a pile that the opponent discarded on is open
    game = Stacked(SINGLE, Luck((["green-7", "red-2"], ["green-8"])))
    game.turn("discard:red-2")
    game.turn("discard:green-8")
    game.do("discard:green-7")
    with pytest.raises(JobError, match="not legal"):
        game.do("green")


def test_a_pile_gives_its_top_card() -> None:
    """LC-3.3: the last card that was discarded comes back first."""
    game = Stacked(SINGLE, Luck((["green-7", "green-2", "red-3"], ["green-5", "white-6"])))
    for word in ("green-7", "green-5", "green-2"):
        game.turn(f"discard:{word}")
    game.turn("play:white-6", "green")
    assert "green-2" in hand_of(game, 1)
    game.turn("play:red-3", "green")
    assert "green-5" in hand_of(game, 0)


# --------------------------------------------------------------------------------------------------- lengths and ends


def deck_of_one() -> Stacked:
    """Seat 1 is to move, with red 8 in hand and one card in the deck."""
    game = Stacked(SINGLE, Luck(((), ["red-8"])))
    for turn in range(43):
        seat = game.actor
        held = sorted(word for word in hand_of(game, seat) if word != "red-8")
        assert seat == turn % 2
        game.turn(f"discard:{held[0]}")
    assert (game.actor, game.deck) == (1, 1)
    return game


def test_the_last_card() -> None:
    """LC-E11; LC-5.1: the round is over when the last card has been drawn, its drawer keeps it; LC-3.7."""
    game = deck_of_one()
    game.do("play:red-8")
    options = game.do(next(colour for colour in COLOURS if colour in game.witness.match.options()))
    assert "deck" in options
    assert (game.actor, game.deck) == (0, 1)  # the round goes on
    game.turn()
    assert (game.actor, game.deck, game.public.end) == (-1, 0, 0)
    game = deck_of_one()
    game.turn("play:red-8")
    assert (game.actor, game.deck, game.public.rounds) == (-1, 0, 1)
    assert hand_of(game, 1).total() == 8
    assert game.standing == [0, -12]


def test_the_last_card_must_be_drawn_when_nothing_else_is_open() -> None:
    """LC-E11: all open piles are empty. With one option nobody is asked."""
    tiny = edited("single_round", ["red-8", "blue-3", "blue-4"], hand_size=1)
    game = Stacked(tiny, Luck((["red-8"], ["blue-3"])))
    game.do("play:red-8")
    assert game.do("deck") == Counter(["deck"])
    assert game.actor == -1
    game = Stacked(tiny, Luck((["red-8"], ["blue-3"])))
    game.do("discard:red-8")  # the pile is not empty, but closed
    assert game.do("deck") == Counter(["deck"])


@pytest.mark.parametrize("name", ["single_round", "long_single_round"])
@pytest.mark.parametrize("pile_draw_at", [None, 1, 2, 7, 30])
@pytest.mark.parametrize("starter", [0, 1])
def test_the_length_of_a_round(name: str, pile_draw_at: int | None, starter: int) -> None:
    """LC-E12, LC-I3, LC-5.3: without pile draws the turns are the cards of the deck, and each pile draw adds one."""
    game = Stacked(shipped(name), Luck(), starter=starter)
    cards_of_deck = game.deck
    turns, last = [0, 0], -1
    while game.actor >= 0:
        last, number = game.actor, sum(turns)
        turns[last] += 1
        if number == pile_draw_at:
            game.do(next(word for word in game.witness.match.options() if word.startswith("play:")))
            game.do(next(word for word in game.witness.match.options() if word != "deck"))
        else:
            game.turn()
    assert cards_of_deck == {"single_round": 44, "long_single_round": 56}[name]
    assert sum(turns) == game.public.turns == cards_of_deck + (pile_draw_at is not None)
    half = cards_of_deck // 2
    if pile_draw_at is None:
        assert (turns[starter], turns[1 - starter], last) == (half, half, 1 - starter)
    else:
        assert (turns[starter], turns[1 - starter], last) == (half + 1, half, starter)


def test_a_round_that_reaches_its_cap() -> None:
    """LC-5.4: scored as it stands, with a flag; the match goes on and keeps the flag."""
    short = edited("base", max_turns=3, rounds=2)
    game = Stacked(short, Luck((["red-5", "red-wager"], ())))
    game.turn("play:red-wager")
    game.turn()
    assert (game.public.rounds, game.public.truncated) == (0, 0)
    game.turn("play:red-5")
    assert (game.public.rounds, game.public.truncated, game.public.end) == (1, 1, 1)
    assert game.standing == [-30, 0]
    assert game.actor == 1
    game.play_out()
    assert (game.actor, game.public.rounds, game.public.turns) == (-1, 2, 6)


def test_a_cap_is_remembered() -> None:
    """LC-5.4: round 1 is cut off because of one pile draw, round 2 ends by its deck."""
    game = Stacked(edited("base", max_turns=44, rounds=2), Luck((["red-5"], ["blue-5"])))
    game.turn("discard:red-5")
    game.turn("play:blue-5", "red")
    game.play_out()
    assert (game.public.rounds, game.public.end, game.public.truncated) == (1, 1, 1)
    game.play_out()
    assert (game.actor, game.public.rounds, game.public.turns) == (-1, 2, 88)
    assert (game.public.end, game.public.truncated) == (0, 1)


def test_the_deck_ends_a_round_that_would_reach_its_cap() -> None:
    """LC-5.1 before LC-5.4: nothing was cut off."""
    exact = edited("single_round", max_turns=44)
    game = Stacked(exact, Luck())
    game.play_out()
    assert (game.public.turns, game.public.end, game.public.truncated) == (44, 0, 0)
    game = Stacked(edited("single_round", max_turns=43), Luck())
    game.play_out()
    assert (game.public.turns, game.public.end, game.public.truncated) == (43, 1, 1)


# -------------------------------------------------------------------------------------------------------------- setup


@pytest.mark.parametrize(
    ("name", "colours", "deck"),
    [("base", 5, 44), ("single_round", 5, 44), ("long", 6, 56), ("long_single_round", 6, 56)],
)
def test_the_setup(name: str, colours: int, deck: int) -> None:
    """LC-1.1, LC-1.2, LC-1.3, LC-1.5, LC-2.1, LC-2.3, LC-5.5."""
    rules = rules_of(shipped(name))
    assert len(rules.deck) == 12 * colours
    assert rules.colours == (*COLOURS, "purple")[:colours]
    for colour in rules.colours:
        faces = [card.value for card in rules.deck if card.colour == colour]
        assert sorted(faces) == [0, 0, 0, *range(2, 11)]
        assert sum(faces) == 54
    wagers = sum(card.is_wager for card in rules.deck)
    assert (len(rules.deck) - wagers, wagers) == (9 * colours, 3 * colours)
    game = Stacked(shipped(name))
    assert [hand_of(game, seat).total() for seat in (0, 1)] == [8, 8]
    assert game.deck == deck
    assert game.public["count"][:6].tolist() == [0] * 6
    assert game.public["board"]["played"].tolist() == [[0, 0], [0, 0]]
    assert game.standing == [0, 0]


def test_hands_stay_as_they_are() -> None:
    """LC-3.8: 8 cards before and after a turn, 7 between its steps; LC-3.9: both steps are compulsory."""
    game = Stacked(SINGLE, Luck())
    for _ in range(44):
        seat = game.actor
        assert hand_of(game, seat).total() == 8
        game.do(min(game.witness.match.options()))
        assert (game.actor, hand_of(game, seat).total()) == (seat, 7)
        game.do("deck")
        assert hand_of(game, seat).total() == 8
    assert game.actor == -1


def test_a_discard_is_always_allowed() -> None:
    """LC-3.1, LC-3.2: also of a card that could be played; it lies open on the pile of its colour."""
    game = Stacked(SINGLE, Luck((cards("red", "2 3 4 5 6 7 8 9"), ())))
    options = game.do("discard:red-9")
    assert options == Counter(
        f"{verb}:{word}" for verb in ("play", "discard") for word in cards("red", "2 3 4 5 6 7 8 9")
    )
    assert game.public["count"].tolist() == [0, 0, 0, 0, 1, 0, 44, 0]
    assert game.standing == [0, 0]


# -------------------------------------------------------------------------------------------------------------- match


def words(columns: dict[str, str]) -> list[str]:
    return [word for colour, faces in columns.items() for word in cards(colour, faces)]


SCORES = {  # what a seat may play for this score of a round
    35: words({"yellow": "7 8 9 10", "blue": "6 7 8 9 10", "white": "2 9 10"}),
    20: words({"green": "6 7 8 9 10"}),
    -12: words({"red": "3 5"}),
    30: words({"yellow": "7 8 9 10", "blue": "3 6 8 9 10"}),
    40: words({"yellow": "6 7 8 9 10", "blue": "6 7 8 9 10"}),
    13: words({"green": "6 8 9 10"}),
    18: words({"white": "4 7 8 9 10"}),
    -18: words({"yellow": "2"}),
}


def play_match(card_set: CardSet, rounds: list[tuple[list[str], list[str]]], starter: int) -> tuple[Stacked, list[int]]:
    """The match, and who started each round."""
    game = Stacked(card_set, *(Luck.in_order(first, second, 8) for first, second in rounds), starter=starter)
    starters = []
    for columns in rounds:
        starters.append(int(game.public.starter))
        assert game.actor == starters[-1]
        game.play_out(*columns)
    return game, starters


@pytest.mark.parametrize("a", [0, 1])
def test_a_match(a: int) -> None:
    """LC-E13; LC-2.5: the leader of the match so far starts; LC-7.1, LC-7.2, LC-7.3; LC-I12."""
    rounds = [(35, 20), (-12, 30), (40, 13)]
    columns = [
        (SCORES[first], SCORES[second]) if a == 0 else (SCORES[second], SCORES[first]) for first, second in rounds
    ]
    game, starters = play_match(BASE, columns, starter=a)
    assert starters == [a, a, 1 - a]
    assert game.actor == -1
    assert game.kernels.out.points[:2].tolist() == [63, 63]
    assert [score[a] for score in game.witness.match.table.scores] == [35, -12, 40]
    assert game.kernels.out.tie_break[:2].tolist() == [0, 0]


@pytest.mark.parametrize("starter", [0, 1])
def test_equal_totals(starter: int) -> None:
    """LC-E14, LC-2.6: the one who did not start the previous round starts, again and again."""
    eighteen = (SCORES[18], [word.replace("white", "green") for word in SCORES[18]])
    game, starters = play_match(BASE, [eighteen] * 3, starter)
    assert starters == [starter, 1 - starter, starter]
    assert game.kernels.out.points[:2].tolist() == [54, 54]


def test_the_starter_of_round_3_goes_by_totals() -> None:
    """LC-2.5: not by the last round alone, which seat 1 wins here."""
    _, starters = play_match(BASE, [(SCORES[40], []), ([], SCORES[20]), ([], [])], starter=1)
    assert starters == [1, 0, 0]


def test_the_starter_of_round_1_is_drawn() -> None:
    """LC-2.4: by the deal, so both rotations of a block have the same."""
    game = Stacked(SINGLE)
    starters = []
    for deal in range(200):
        found = []
        for rotation in (0, 1):
            next(game.kernels.steps(deal, rotation))
            found.append(int(game.public.starter))
            assert game.public.order[found[-1]] == 0
        assert found[0] == found[1]
        starters.append(found[0])
    assert 70 < sum(starters) < 130  # 4 standard deviations around 100 are 72 to 128


# ---------------------------------------------------------------------------------------------------------- knowledge


def known(game: Stacked, seat: int) -> set[str]:
    observer = game.witness.observers[1 - seat]
    return {card.word for card in (+observer.table.known[seat]).elements()}


def test_what_is_known_of_a_hand() -> None:
    """LC-8.1, LC-8.2: cards taken from a pile are known until they are played or discarded."""
    game = Stacked(SINGLE, Luck((["red-wager", "red-wager", "blue-5"], ["red-wager", "green-2"])))
    game.turn("discard:blue-5")
    game.turn("play:green-2", "blue")
    assert known(game, 1) == {"blue-5"}
    assert game.witness.observers[0].unseen().total() == game.deck + 8 - 1
    game.turn("discard:red-wager")
    game.turn("discard:blue-5", "red")
    assert known(game, 1) == {"red-wager"}
    game.turn()
    game.turn("play:red-wager")  # of its two wagers it may be the known one
    assert known(game, 1) == set()
    assert hand_of(game, 1)["red-wager"] == 1
    assert game.public["board"]["known"].tolist() == [[0, 0], [0, 0]]


def test_played_cards_do_not_move() -> None:
    """LC-4.4: in a whole game a seat's columns only grow."""
    game = Stacked(SINGLE, Luck.in_order(SCORES[35], SCORES[20], 8))
    for seat in (0, 1):
        assert game.public["board"]["played"][seat].tolist() == [0, 0]
    left, seen = [list(SCORES[35]), list(SCORES[20])], [0, 0]
    while game.actor >= 0:
        seat = game.actor
        game.turn(f"play:{left[seat].pop(0)}" if left[seat] else "")
        now = [int(word[0]) for word in game.public["board"]["played"]]
        assert all(before & after == before for before, after in zip(seen, now, strict=True))
        seen = now
    assert [seen[0].bit_count(), seen[1].bit_count()] == [12, 5]


def test_the_reference_judges_best_columns() -> None:
    """LC-I6, LC-I7, LC-I8: over all 2048 columns of a colour."""
    rules: Rules = rules_of(BASE)
    best, all_scores = [-(10**6)] * 13, set()
    for wagers in range(4):
        for chosen in range(2**9):
            numbers = [value for value in range(2, 11) if chosen >> (value - 2) & 1]
            points = column_score([Card("red", value) for value in [0] * wagers + numbers], rules)
            length = wagers + len(numbers)
            best[length] = max(best[length], points)
            all_scores.add(points)
            assert length < 8 or points >= 20
    assert best == [0, -10, -1, 7, 14, 28, 42, 60, 100, 120, 136, 148, 156]
    assert (min(all_scores), max(all_scores)) == (-80, 156)
