"""`fairdeal play`: what is shown and asked, undo, hints, and a clean end however the input ends."""

import re

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from cli.play import addressed
from simcore.games.lisboa import words as lisboa
from simcore.games.vaalbara import words as vaalbara
from simcore.games.valletta import words as valletta
from tests.cli import GAME


def play(typed: str, *words: str, cards: str = "single_round", deal: str = "3") -> Result:
    line = ["play", GAME, "--cards", cards, "--deal", deal, "--against", "heuristic", *words]
    return CliRunner().invoke(main, line, input=typed)


def menu(output: str) -> dict[int, str]:
    """The options that were shown last."""
    lines = output.rsplit("you are to ", 1)[-1].splitlines()
    return {int(found[1]): found[2] for line in lines if (found := re.fullmatch(r" *(\d+)  (.+)", line))}


def test_at_the_end_of_the_input_it_ends_cleanly() -> None:
    result = play("")
    assert result.exit_code == 0
    assert "Lost Cities, card set single_round. You are seat 0; the others:\n  seat 1: heuristic" in result.stdout
    assert "--seed 0 --deal 3" in result.stdout
    assert "- you are dealt" in result.stdout
    assert "seat 1 is dealt" not in result.stdout
    assert result.stdout.endswith("You leave the game here.\n")


def test_a_whole_game() -> None:
    result = play("1\n" * 400, "--seat", "1")
    assert result.exit_code == 0
    assert "You are seat 1; the others:\n  seat 0: heuristic" in result.stdout
    assert "- seat 0 plays" in result.stdout
    assert "- you play" in result.stdout
    assert "- seat 0 gets" not in result.stdout
    found = re.search(r"The game is over. Points: seat 0 \(heuristic\) (-?\d+), you (-?\d+)\.\n(.*)\n$", result.stdout)
    assert found
    theirs, own = int(found[1]), int(found[2])
    expected = "You win." if own > theirs else "Seat 0 (heuristic) wins." if theirs > own else "share the win."
    assert found[3].endswith(expected)


def test_the_same_deal_is_the_same_game() -> None:
    assert play("1\n2\n1\n").stdout == play("1\n2\n1\n").stdout != play("1\n2\n1\n", deal="4").stdout


def test_without_a_deal_one_is_drawn_and_told() -> None:
    result = CliRunner().invoke(main, ["play", GAME, "--against", "uniform"], input="q\n")
    found = re.search(r"--seed 0 --deal (\d+)", result.stdout)
    assert found
    again = CliRunner().invoke(main, ["play", GAME, "--against", "uniform", "--deal", found[1]], input="q\n")
    assert again.stdout == result.stdout


def test_undo_takes_back_the_bots_moves_too() -> None:
    start = menu(play("").stdout)
    for typed in ("1\nu\n", "1\n1\n1\nu\nu\nu\n"):
        result = play(typed)
        assert "Back to your decision before" in result.stdout
        assert menu(result.stdout) == start
    # And the game goes on from there as if nothing had been.
    played, undone = play("2\n1\n" * 3).stdout, play("1\n2\nu\nu\n" + "2\n1\n" * 3).stdout
    assert menu(played) == menu(undone)
    assert played.rsplit("\n\n", 1)[1] == undone.rsplit("\n\n", 1)[1]


def test_there_is_nothing_to_undo_at_first() -> None:
    assert "This is your first decision: there is nothing to undo." in play("u\n").stdout


def test_a_hint_is_one_of_the_options() -> None:
    output = play("h\n").stdout
    found = re.search(r"expert advises: (.+) \((\d+)\)\n", output)
    assert found
    assert menu(output)[int(found[2])] == found[1]


def test_help_and_the_position_once_more() -> None:
    output = play("?\np\n").stdout
    assert "undo: back to your decision before this one" in output
    assert f"fairdeal cards show {GAME}" in output
    assert output.count("your hand: ") == 2


@pytest.mark.parametrize("typed", ["0", "99", "", "play", "-1", "1.5"])
def test_what_is_not_understood_is_asked_again(typed: str) -> None:
    result = play(f"{typed}\n")
    assert result.exit_code == 0
    assert "is not understood: a number from 1 to" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seat", "2"], "the seats of this table are 0 to 1"),
        (["--seats", "3"], "cannot be played with 3 seats"),
        (["--against", "nobody"], "unknown bot 'nobody'"),
        (["--against", "uniform,expert"], "2 bots are named against you. Allowed: one bot."),
        (["--deal", "-1"], "deals are counted from 0"),
    ],
)
def test_mistakes(words: list[str], message: str) -> None:
    result = play("", *words)
    assert result.exit_code == 2
    assert message in result.stderr


# --- Addressing the person -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seat 0 draws from the deck", "you draw from the deck"),
        ("seat 0 is dealt red 2", "you are dealt red 2"),
        ("seat 0 does not show its Fighter", "you do not show your Fighter"),
        ("seat 0 neither dismisses nor hires", "you neither dismiss nor hire"),
        ("seat 0 dismisses Maid", "you dismiss Maid"),
        ("seat 0 stops", "you stop"),
        ("seat 1 lets seat 0 gain the Bard's gift", "seat 1 lets you gain the Bard's gift"),
        ("seat 1 shows its Fighter", "seat 1 shows its Fighter"),
        ("the turn of seat 0 ends: 3 to 4 points from play", "your turn ends: 3 to 4 points from play"),
    ],
)
def test_sentences_are_addressed(text: str, expected: str) -> None:
    assert addressed(text, 0) == expected


@pytest.mark.parametrize("words", [lisboa, vaalbara, valletta])
def test_no_verb_of_a_decision_keeps_its_ending(words: object) -> None:
    for sentence in getattr(words, "SENTENCES").values():  # noqa: B009 # it stands in some of the modules
        verb = addressed(sentence.replace("{seat}", "0"), 0).split(" ")[1]
        assert not verb.endswith("s") or verb in ("dismiss", "discuss")
