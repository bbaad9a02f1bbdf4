"""Sittings: the same games as at full speed, whoever decides; undo; and what a seat is told and shows."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from simcore import game as games
from simcore import request
from simcore.errors import InputError
from simcore.games.lost_cities.state import DECK
from simcore.play import Table
from simcore.sitting import Sitting
from tests.simcore import lisboa_sets, vaalbara_sets, valletta_sets
from tests.simcore.games.lost_cities_stacked import shipped

GAME = "lost-cities"
NAMES = ("uniform", "heuristic")
SEED = 31
PLACES = {"lost-cities": 2, "vaalbara": 3, "valletta": 2, "lisboa": 2}
engine = pytest.mark.engine


def sitting_of(bots: tuple[str, ...] = NAMES, card_set: str = "single_round") -> Sitting:
    return Sitting(GAME, shipped(card_set), bots, SEED)


def play_out(sitting: Sitting) -> list[int]:
    """With the bots of the table; the actions."""
    found = []
    while sitting.actor >= 0:
        found.append(sitting.let_bot_decide())
    return found


def bytes_of(sitting: Sitting) -> bytes:
    """Everything that the rest of a game depends on."""
    saved = sitting.save()
    return b"".join(part.tobytes() for part in (saved.state, saved.chance, saved.noise, saved.minds))


# --- The same games --------------------------------------------------------------------------------------------------


@engine
@pytest.mark.parametrize("rotation", [0, 1])
def test_bots_play_the_games_of_a_run(rotation: int) -> None:
    table = Table(GAME, shipped("single_round"), 2, NAMES, SEED)
    steps = [step.action for step in table.steps(4, rotation)][1:]
    sitting = sitting_of((NAMES[rotation], NAMES[1 - rotation]))
    sitting.begin(4, rotation)
    assert play_out(sitting) == steps
    assert sitting.points == tuple(table.out.points[:2])
    assert sitting.winners == tuple(seat for seat in (0, 1) if sitting.points[seat] == max(sitting.points))


@engine
def test_decisions_from_outside_are_those_of_bots() -> None:
    table = Table(GAME, shipped("single_round"), 2, NAMES, SEED)
    sitting = sitting_of()
    sitting.begin(2)
    for step in list(table.steps(2, 0))[1:]:
        assert sitting.actor == step.seat
        assert sitting.options() == step.options
        sitting.act(step.action)
    assert sitting.actor == -1
    assert sitting.options() == ()
    assert sitting.points == tuple(table.out.points[:2])


@engine
def test_another_seed_is_another_deal() -> None:
    sitting, other = sitting_of(), Sitting(GAME, shipped("single_round"), NAMES, SEED + 1)
    sitting.begin(1)
    first = bytes_of(sitting)
    sitting.begin(1, seed=SEED + 1)
    other.begin(1)
    assert bytes_of(sitting) == bytes_of(other) != first
    sitting.begin(1, seed=SEED)
    assert sitting.save().state.tobytes() in first


@engine
def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    sitting = sitting_of()
    sitting.begin()
    before = bytes_of(sitting)
    with pytest.raises(InputError, match="action 262 is not one of the options"):
        sitting.act(256 + DECK)  # a card must be played first
    with pytest.raises(InputError):
        sitting.act(-1)
    assert bytes_of(sitting) == before


# --- Undo and advice -------------------------------------------------------------------------------------------------


@engine
def test_going_back() -> None:
    sitting = sitting_of()
    sitting.begin(5)
    for _ in range(7):
        sitting.let_bot_decide()
    saved, before, told = sitting.save(), bytes_of(sitting), sitting.told(0)
    first = play_out(sitting), sitting.points
    sitting.restore(saved)
    assert bytes_of(sitting) == before
    assert sitting.told(0) == told
    assert sitting.options()
    assert (play_out(sitting), sitting.points) == first


@engine
def test_advice_is_what_the_bot_would_do_and_changes_nothing() -> None:
    sitting = sitting_of()
    sitting.begin(3)
    for _ in range(12):
        before, told = bytes_of(sitting), sitting.told(0)
        advice = sitting.advice()
        assert bytes_of(sitting) == before
        assert sitting.told(0) == told
        assert sitting.let_bot_decide() == advice


# --- What a seat is told ---------------------------------------------------------------------------------------------


def moments(game: str) -> Iterator[Sitting]:
    """A table of players who choose at random, at every decision of a game and at its end."""
    sitting = Sitting(game, request.load_cards(game), ("uniform",) * PLACES[game], SEED)
    sitting.begin()
    while sitting.actor >= 0:
        yield sitting
        sitting.let_bot_decide()
    yield sitting


def private_events(sitting: Sitting, seat: int) -> list[str]:
    """Sentences about what only this seat sees, from all that has happened."""
    words = sitting.game.words(sitting._table.card_set)
    events = [event for _, _, notes in sitting._told for event in words.events(notes)]
    return [event["text"] for event in events if event.get("chance") in words.private and event["seat"] == seat]


@pytest.mark.jitted
@pytest.mark.parametrize("game", games.BUILT_IN)
def test_a_seat_is_told_its_own_cards_and_nobody_elses(game: str) -> None:
    *_, end = moments(game)
    for seat, other in product(range(end.seats), repeat=2):
        own, told = private_events(end, other), end.told(seat)
        assert own
        if seat == other:
            assert set(own) <= set(told)
        else:
            assert not set(own) & set(told)


@pytest.mark.jitted
def test_secret_choices_of_vaalbara_are_told_when_all_have_chosen() -> None:
    told_of = "reveals"
    for sitting in moments("vaalbara"):
        finished = int(sitting.public.played_rounds)
        is_open = sitting.actor < 0 or bool((sitting.public.revealed[: sitting.seats] >= 0).all())
        for seat in range(sitting.seats):
            lines = sitting.told(seat)
            rounds = finished + (is_open and sitting.actor >= 0)
            assert sum(told_of in line for line in lines) == rounds * (sitting.seats - 1)
            assert not any("does not show" in line and not line.startswith(f"seat {seat} ") for line in lines)


@pytest.mark.jitted
def test_hidden_buildings_of_lisboa_are_not_told() -> None:
    sitting = next(moments("lisboa"))
    for seat in range(sitting.seats):
        assert not any("public buildings" in line for line in sitting.told(seat))


# --- Positions in words ----------------------------------------------------------------------------------------------


@pytest.mark.jitted
@pytest.mark.parametrize("game", games.BUILT_IN)
def test_every_position_and_option_has_words(game: str) -> None:
    for number, sitting in enumerate(moments(game)):
        if sitting.actor >= 0:
            assert set(sitting.sentences()) == set(sitting.options())
            assert all(text.startswith(f"seat {sitting.actor} ") for text in sitting.sentences().values())
        if number % 7 and sitting.actor >= 0:
            continue
        for seat in range(sitting.seats):
            lines = sitting.position(seat)
            assert not any("\n" in line for line in lines)
            assert any(line.startswith("you are to ") for line in lines) == (sitting.actor == seat)
            text = "\n".join(lines)
            for other in range(sitting.seats):
                assert str(int(sitting.public.standing[other])) in text


@engine
@pytest.mark.parametrize("make", [vaalbara_sets, valletta_sets, lisboa_sets], ids=["vaalbara", "valletta", "lisboa"])
def test_positions_of_edited_card_sets(make: Any) -> None:
    """A user's set has the columns that are asked for and no others."""
    for seed in (1, 2):
        card_set = make.random_set(seed)
        game = games.get(card_set.game)
        sitting = Sitting(game.name, card_set, ("uniform",) * game.seats[0], SEED)
        sitting.begin()
        for _ in range(25):
            if sitting.actor >= 0:
                assert len(sitting.position(sitting.actor)) > 5
                assert sitting.sentences()
                sitting.let_bot_decide()


@engine
def test_a_position_of_lost_cities() -> None:
    sitting = sitting_of(card_set="base")
    sitting.begin(3)
    seat = sitting.actor
    lines = sitting.position(seat)
    (hand,) = [line for line in lines if line.startswith("your hand: ")]
    (dealt,) = [line for line in sitting.told(seat) if "is dealt" in line]
    held = dealt.removeprefix(f"seat {seat} is dealt ").split(", ")
    assert sorted(hand.removeprefix("your hand: ").split(", ")) == sorted(held)
    assert "44 cards in the deck; the round ends when the last one is drawn" in lines
    assert "round 1 of 3; points of the rounds before: you 0, seat 1 0".replace("1 0", f"{1 - seat} 0") in lines
    (wager,) = {card for card in held if "wager" in card and "green" in card} or {""}
    action = {text: action for action, text in sitting.sentences().items()}
    card = wager or held[0]
    sitting.act(action[f"seat {seat} plays {card}"])
    colour, rank = card.split(" ")
    (line,) = [line for line in sitting.position(seat) if line.startswith(f"  {colour} ")]
    assert f"you: {rank} (" in line


@engine
def test_a_game_without_words_for_positions_says_so() -> None:
    sitting = sitting_of()
    sitting.game = replace(sitting.game, words=lambda card_set: None)
    sitting.begin()
    for ask in (lambda: sitting.told(0), lambda: sitting.position(0), sitting.sentences):
        with pytest.raises(InputError, match="no words for positions"):
            ask()
