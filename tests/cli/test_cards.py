"""`fairdeal cards` and `--cards` with workbooks: mistakes, what is shown, what a run keeps."""

from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

import fairdeal
from simcore import cardset
from simcore.games.vaalbara.cardset import SCHEMA
from tests.cli import GAME, call


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def export(*words: str) -> None:
    result = call("cards", "export", GAME, *words)
    assert result.exit_code == 0, result.stderr


def edit(path: str, change: Callable[[openpyxl.Workbook], None]) -> None:
    """Open a workbook in another program than fairdeal, change it, save it."""
    book = openpyxl.load_workbook(path)
    change(book)
    book.save(path)


def test_ten_mistakes_in_one_workbook_give_ten_messages_and_nothing_is_played() -> None:
    def make_mistakes(book: openpyxl.Workbook) -> None:
        rules, cards = book["rules"], book["cards"]
        rules["B4"] = 21  # hand_size
        rules["A5"] = "expedition_costs"
        rules["B8"] = "three"  # rounds
        cards["E1"] = "sorce"
        cards["A3"] = cards["A2"].value
        cards["B5"] = None
        cards["C7"] = "nubmer"
        cards["D9"] = 2.5
        cards["D10"] = "=7*7"
        book.create_sheet("carts").append(["id", "color"])

    export("mine.xlsx")
    edit("mine.xlsx", make_mistakes)
    expected = [
        'mine.xlsx, sheet rules, cell B4 (hand_size): "21" is more than 20; allowed: a whole number from 1 to 20; '
        "nearest: 20",
        "mine.xlsx, sheet rules, cell A5 (expedition_costs): is no key of this game; allowed: name, game, hand_size, "
        "expedition_cost, bonus_min_cards, bonus_points, rounds, max_turns; nearest: expedition_cost",
        'mine.xlsx, sheet rules, cell B8 (rounds): "three" is not a whole number; allowed: a whole number from 1 to 9',
        "mine.xlsx, sheet cards, cell E1 (sorce): looks like a misspelt column; allowed: a note column needs a name "
        "that is less alike; nearest: source",
        'mine.xlsx, sheet cards, cell A3 (id): "YW1" stands in row 2 already; allowed: each id once',
        "mine.xlsx, sheet cards, cell B5 (color): is blank; allowed: one word of letters, digits and _",
        'mine.xlsx, sheet cards, cell C7 (kind): "nubmer" is not one of the choices; allowed: wager, number; nearest: '
        "number",
        'mine.xlsx, sheet cards, cell D9 (value): "2.5" is not a whole number; allowed: a whole number from 0 to 99',
        'mine.xlsx, sheet cards, cell D10 (value): "=7*7" is a formula without a result; open the workbook in a '
        "spreadsheet program and save it; allowed: a whole number from 0 to 99",
        "mine.xlsx, sheet carts: is no table of lost-cities; allowed: rules, cards; a sheet of your own has a name "
        "that begins with _; nearest: cards",
    ]
    for words in (
        ["cards", "check", GAME, "mine.xlsx"],
        ["simulate", GAME, "--bots", "uniform", "--cards", "mine.xlsx", "--out", "run"],
        ["balance", GAME, "--cards", "mine.xlsx", "--out", "run"],
    ):
        result = call(*words)
        assert (result.exit_code, result.stdout) == (2, "")
        head, *messages = result.stderr.splitlines()
        assert head == "Error: card set mine.xlsx: 10 problems"
        assert sorted(messages) == sorted(f"  {message}" for message in expected)
    assert not Path("run").exists()


@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_a_workbook_of_another_game(ending: str) -> None:
    cardset.export(cardset.load(SCHEMA, "default"), f"other.{ending}")
    result = call("cards", "check", GAME, f"other.{ending}")
    assert result.exit_code == 2
    assert '(game): "vaalbara" is another game than lost-cities; allowed: lost-cities' in result.stderr
    assert len(result.stderr.splitlines()) == 2


def test_export_check_diff_and_show_a_workbook() -> None:
    export("mine.xlsx", "--name", "mine")
    export("base", "mine.ods")
    edit("mine.xlsx", lambda book: book["rules"].__setitem__("B5", 15))
    check = call("cards", "check", GAME, "mine.xlsx")
    assert (check.exit_code, check.stdout) == (0, "mine is a card set of lost-cities (60 rows in cards).\n")
    assert call("cards", "diff", GAME, "mine.ods", "mine.xlsx").stdout == "rules: expedition_cost 20 -> 15\n"
    assert call("cards", "diff", GAME, "base", "mine.ods").stderr == "No difference.\n"
    shown = call("cards", "show", GAME, "mine.xlsx").stdout
    assert shown.startswith(f"# mine, a card set of Lost Cities\n\nHash: {fairdeal.load_cards(GAME, 'mine.xlsx').hash}")
    assert "| expedition_cost | 15    | points | " in shown
    assert "| YW1 | yellow | wager  | 0     |" in shown
    assert call("cards", "show", GAME).stdout == fairdeal.cards_in_words(fairdeal.load_cards(GAME, "base"))
    assert call("cards", "export", GAME, "mine.xlsx", "mine.ods").exit_code == 2


def test_a_run_says_and_keeps_what_was_played() -> None:
    """The rules are said, the set is kept with its notes, and its hash stands in the manifest."""

    def change(book: openpyxl.Workbook) -> None:
        book["rules"]["B2"], book["rules"]["B5"] = "mine", 15
        cards = book["cards"]
        cards["F1"], cards["F2"], cards["F4"] = "my note", "art is missing", 2.50
        cards["E3"] = "own idea"

    export("mine.xlsx")
    edit("mine.xlsx", change)
    result = call("simulate", GAME, "--bots", "uniform", "--games", "10", "--cards", "mine.xlsx", "--out", "run")
    assert result.exit_code == 0, result.stderr
    played = fairdeal.load_cards(GAME, "mine.xlsx")
    assert "expedition_cost 15, bonus_min_cards 8, bonus_points 20" in result.stderr
    assert f"60 rows in cards (hash {played.hash[:12]})" in result.stderr
    kept = fairdeal.load_cards(GAME, "run/cardset")
    assert kept == played
    assert [row["my note"] for row in kept.tables["cards"][:3]] == ["art is missing", "", "2.5"]
    assert kept.tables["cards"][1]["source"] == "own idea"
    manifest = fairdeal.open_run("run").manifest["card_set"]
    assert (manifest["name"], manifest["hash"]) == ("mine", played.hash)
    again = call(
        "simulate", GAME, "--bots", "uniform", "--games", "10", "--cards", "mine.xlsx", "--out", "run", "--resume"
    )
    assert again.exit_code == 0


def test_from_python() -> None:
    base = fairdeal.load_cards(GAME)
    fairdeal.export_cards(base, "a.xlsx")
    fairdeal.export_cards(fairdeal.load_cards(GAME, Path("a.xlsx")), "b.ods")
    assert fairdeal.load_cards(GAME, "b.ods") == base
    assert fairdeal.diff_cards(base, fairdeal.load_cards(GAME, "b.ods")) == []
