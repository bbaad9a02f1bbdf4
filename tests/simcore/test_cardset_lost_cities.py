"""Card sets of Lost Cities: the shipped sets against the rules page, capacities, mistakes, random sets."""

import csv
import io
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcore import tables
from simcore.cardset import CardSet, CardSetError, Problem, build, diff, export, load
from simcore.games.lost_cities import state
from simcore.games.lost_cities.cardset import (
    LOG_COLUMNS,
    MAX_CARDS_PER_COLOR,
    MAX_COLORS,
    MAX_TURNS_OF_MATCH,
    SCHEMA,
    SEATS,
)
from tests.simcore.lost_cities_sets import card_sets

DATA = Path(__file__).parents[1] / "data" / "lost_cities"
SHIPPED = ("base", "long", "long_single_round", "single_round")


def rows_of(file: str) -> list[dict[str, str]]:
    with (DATA / file).open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def problems_of(name: str = "mine", scalars: dict[str, Any] | None = None, cards: Any = None) -> list[str]:
    base = load(SCHEMA, "base")
    with pytest.raises(CardSetError) as caught:
        build(SCHEMA, name, base.scalars | (scalars or {}), {"cards": base.tables["cards"] if cards is None else cards})
    return [str(problem) for problem in caught.value.problems]


def card(number: int, color: str = "yellow", kind: str = "number", value: int = 1) -> dict[str, Any]:
    return {"id": f"c{number}", "color": color, "kind": kind, "value": value}


# ------------------------------------------------------------------------------------------------------ shipped sets


def test_the_shipped_sets() -> None:
    assert SCHEMA.shipped == SHIPPED
    hashes = {load(SCHEMA, name).hash for name in SHIPPED}
    assert len(hashes) == len(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_set_is_what_the_rules_page_says(name: str) -> None:
    card_set = load(SCHEMA, name)
    setup = next(row for row in rows_of("setup.csv") if row["variant"] == name.replace("long_single_round", "long"))
    rounds = 1 if name == "long_single_round" else int(setup["rounds_per_match"])
    assert card_set.name == name
    assert card_set.scalars == {
        "hand_size": int(setup["hand_size"]),
        "expedition_cost": int(setup["expedition_cost"]),
        "bonus_min_cards": int(setup["bonus_min_cards"]),
        "bonus_points": int(setup["bonus_points"]),
        "rounds": rounds,
        "max_turns": 1000,  # LC-5.4
    }
    cards = card_set.tables["cards"]
    pages = rows_of("cards.csv") + (rows_of("cards_long_game.csv") if "long" in name else [])
    assert [{key: str(value) for key, value in row.items()} for row in cards] == [
        {key: row[key] for key in ("id", "color", "kind", "value", "source")} for row in pages
    ]
    assert len(cards) == int(setup["cards"])
    assert len(cards) - SEATS * card_set.scalars["hand_size"] == int(setup["deck_after_deal"])
    assert len({row["color"] for row in cards}) == int(setup["colors"]) == int(setup["discard_piles"])


@pytest.mark.parametrize(("name", "long"), [("base", False), ("long", True)])
def test_the_tables_of_the_rules_page_are_card_sets(tmp_path: Path, name: str, long: bool) -> None:
    """With their derived columns, which agree with what follows from the others."""
    pages = rows_of("cards.csv") + (rows_of("cards_long_game.csv") if long else [])
    shipped = load(SCHEMA, name)
    card_set = build(SCHEMA, name, shipped.scalars, {"cards": pages})
    assert (card_set.name, card_set.hash) == (name, shipped.hash)
    assert card_set.tables["cards"][-1]["index"] == len(pages) - 1
    export(card_set, tmp_path / "set")
    assert load(SCHEMA, tmp_path / "set") == card_set


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_set_is_written_as_export_writes_it(tmp_path: Path, name: str) -> None:
    export(load(SCHEMA, name), tmp_path / "set")
    for file in ("rules.toml", "cards.csv"):
        shipped = (SCHEMA.card_sets / name / file).read_bytes().replace(b"\r\n", b"\n")  # git on Windows
        assert (tmp_path / "set" / file).read_bytes() == shipped


def test_hashes_stay_what_they_are() -> None:
    """Runs refer to card sets by their hash, so a change here is a change of the format."""
    assert load(SCHEMA, "base").hash == "8397dc3bf77e25a967da0d7130b677040c0c26c6744dd4f0d775173074452430"
    assert load(SCHEMA, "long_single_round").hash == "32e24243a57ccf8195cb37f20b0b6692e7e8a77022ff2bf4c6fa6d4b081b235e"


def test_capacities_are_those_of_the_engine() -> None:
    assert (MAX_COLORS, MAX_CARDS_PER_COLOR) == (state.COLOURS, state.SLOTS)
    assert (MAX_TURNS_OF_MATCH, SEATS) == (state.TURNS, state.SEATS)
    rounds = next(scalar for scalar in SCHEMA.scalars if scalar.name == "rounds")
    assert rounds.maximum == state.ROUNDS
    assert {column.name for column in tables.CARDS} == LOG_COLUMNS


# ---------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize("rows", [6 * 20, 3])
def test_the_largest_and_the_smallest_deck(rows: int) -> None:
    base = load(SCHEMA, "base")
    cards = [card(number, f"colour{number // 20}") for number in range(rows)]
    assert len(build(SCHEMA, "x", base.scalars | {"hand_size": 1}, {"cards": cards}).tables["cards"]) == rows


def test_beyond_capacity() -> None:
    cards = [card(number, f"color{number // 21}") for number in range(7 * 21)]
    assert problems_of(cards=cards) == [
        *(
            f'cards.csv, row {22 + 21 * color}, column color: "color{color}" has 21 cards; '
            "allowed: at most 20 cards in a colour, copies counted"
            for color in range(6)
        ),
        'cards.csv, row 128, column color: "color6" is colour number 7; allowed: at most 6 colours '
        "(color0, color1, color2, color3, color4, color5); nearest: color5",
        'cards.csv, row 148, column color: "color6" has 21 cards; '
        "allowed: at most 20 cards in a colour, copies counted",
    ]


@pytest.mark.parametrize(
    ("scalars", "cards", "message"),
    [
        (
            {},
            [card(number) for number in range(16)],
            'rules.toml, hand_size: "8" is too many for a deck of 16 cards: after both hands are dealt the deck must '
            "hold a card; allowed: a deck of at least 17 cards, or hands of at most 7; nearest: 7",
        ),
        (
            {"hand_size": 1},
            [card(1), card(2)],
            'rules.toml, hand_size: "1" is too many for a deck of 2 cards: after both hands are dealt the deck must '
            "hold a card; allowed: a deck of at least 3 cards",
        ),
        (
            {"rounds": 9, "max_turns": 1821},
            None,
            'rules.toml, max_turns: "1821" is too many for 9 rounds; allowed: rounds * max_turns at most '
            "16384; nearest: 1820",
        ),
        (
            {"hand_size": 1},
            [card(1), card(2), card(3, kind="wager")],
            'cards.csv, row 4, column value: "1" cannot be the value of a wager; allowed: 0; nearest: 0',
        ),
        (
            {"hand_size": 1},
            [card(1, kind="wager", value=0), card(2), card(3, value=0)],
            'cards.csv, row 4, column value: "0" cannot be the value of a number card; allowed: a whole number from 1 '
            "to 99; nearest: 1",
        ),
        (
            {"hand_size": 1},
            [card(1), card(2), card(3, color="deck")],
            'cards.csv, row 4, column color: "deck" is the word for the draw pile and cannot be a colour; '
            "nearest: deck_",
        ),
        (
            {"hand_size": 1},
            [card(1), card(2), card(3) | {"id": "seat"}],
            'cards.csv, row 4, column id: "seat" is a column of the card log and cannot name a card; nearest: seat_',
        ),
        (
            {"hand_size": 1},
            [card(1), card(2), card(3, color="Yelow")],
            'cards.csv, row 4, column color: "Yelow" is a colour of one card, and looks like a misspelling of yellow; '
            "allowed: a colour of its own needs a name that is less alike; nearest: yellow",
        ),
    ],
)
def test_what_only_the_game_knows(scalars: dict[str, int], cards: Any, message: str) -> None:
    assert problems_of("mine", scalars, cards) == [message]


def test_outdated_derived_columns_are_one_problem_each() -> None:
    pages = [row for row in rows_of("cards.csv") if row["id"] not in ("YW1", "Y05")]
    follow = "allowed: what follows from the other columns, or no such column"
    assert problems_of(cards=pages) == [
        'cards.csv, row 2, column index: "1" does not follow from the other columns (58 wrong cells in this column); '
        f"{follow}; nearest: 0",
        'cards.csv, row 2, column copy: "2" does not follow from the other columns (2 wrong cells in this column); '
        f"{follow}; nearest: 1",
    ]


def test_ten_mistakes_give_ten_messages(tmp_path: Path) -> None:
    export(load(SCHEMA, "base"), tmp_path / "set")
    edit(
        tmp_path / "set" / "rules.toml",
        ('game = "lost-cities"', 'game = "lost cities"'),
        ("hand_size = 8", "hand_sise = 8"),
        ("bonus_points = 20", 'bonus_points = "twenty"'),
        ("rounds = 3", "rounds = 10"),
    )
    edit(
        tmp_path / "set" / "cards.csv",
        ("id,color,kind,value,source", "id,color,kind,value,sorce"),
        ("YW1,yellow,wager,0", "YW1,yellow,wager,-1"),
        ("Y02,yellow,number,2", "Y02,yellow,numbre,2"),
        ("B02,blue,number,2,seed", "B02,blue,number,2"),
        ("B03,", "B04,"),
        ("R10,red,number,10", "R10,red,number,ten"),
    )
    with pytest.raises(CardSetError) as caught:
        load(SCHEMA, tmp_path / "set")
    keys = "name, game, hand_size, expedition_cost, bonus_min_cards, bonus_points, rounds, max_turns"
    assert [str(problem) for problem in caught.value.problems] == [
        'rules.toml, line 3, game: "lost cities" is another game than lost-cities; allowed: lost-cities',
        f"rules.toml, line 6, hand_sise: is no key of this game; allowed: {keys}; nearest: hand_size",
        'rules.toml, line 15, bonus_points: "twenty" is not a whole number; allowed: a whole number from -200 to 500',
        'rules.toml, line 18, rounds: "10" is more than 9; allowed: a whole number from 1 to 9; nearest: 9',
        "cards.csv, row 1, column sorce: looks like a misspelt column; allowed: a note column needs a name that is "
        "less alike; nearest: source",
        'cards.csv, row 2, column value: "-1" is less than 0; allowed: a whole number from 0 to 99; nearest: 0',
        'cards.csv, row 5, column kind: "numbre" is not one of the choices; allowed: wager, number; nearest: number',
        "cards.csv, row 17: has 4 cells, the header has 5; allowed: as many cells as the header",
        'cards.csv, row 19, column id: "B04" stands in row 18 already; allowed: each id once',
        'cards.csv, row 61, column value: "ten" is not a whole number; allowed: a whole number from 0 to 99',
    ]


def test_a_column_that_is_wrong_as_a_whole_is_one_mistake(tmp_path: Path) -> None:
    export(load(SCHEMA, "base"), tmp_path / "set")
    file = tmp_path / "set" / "cards.csv"
    text = file.read_text(encoding="utf-8")

    def told(changed: str) -> list[str]:
        file.write_text(changed, encoding="utf-8")
        with pytest.raises(CardSetError) as caught:
            load(SCHEMA, tmp_path / "set")
        return [str(problem) for problem in caught.value.problems]

    assert told(text.replace("kind,value", "value,kind")) == [
        'cards.csv, row 2, column value: "wager" is not a whole number (and so on in 59 more rows of this column; all '
        "of it would fit under kind: are the two names swapped?); allowed: a whole number from 0 to 99",
        'cards.csv, row 2, column kind: "0" is not one of the choices (and so on in 59 more rows of this column; all '
        "of it would fit under value: are the two names swapped?); allowed: wager, number",
    ]
    assert told(text.replace(",number,", ",nr,")) == [
        'cards.csv, row 5, column kind: "nr" is not one of the choices (and so on in 44 more rows of this column); '
        "allowed: wager, number"
    ]
    few = told(text.replace(",wager,", ",wg,"))  # a quarter of the rows: each is named
    assert [problem.partition(", column")[0] for problem in few[:3]] == [f"cards.csv, row {row}" for row in (2, 3, 4)]
    assert len(few) == 15


def edit(file: Path, *changes: tuple[str, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def test_an_edited_base_set_says_so(tmp_path: Path) -> None:
    export(load(SCHEMA, "base"), tmp_path / "set")
    edit(tmp_path / "set" / "rules.toml", ("expedition_cost = 20", "expedition_cost = 18"))
    edit(
        tmp_path / "set" / "cards.csv",
        ("Y02,yellow,number,2,seed\n", ""),
        ("Y05,yellow,number,5", "Y05,yellow,number,6"),
    )
    edited = load(SCHEMA, tmp_path / "set")
    assert edited.name == "base (edited)"
    assert diff(load(SCHEMA, "base"), edited) == [
        "rules: expedition_cost 20 -> 18",
        "cards: Y02 removed",
        "cards Y05: value 5 -> 6",
    ]


# -------------------------------------------------------------------------------------------------------- properties


@given(card_sets())
@settings(max_examples=60, deadline=None)
def test_export_and_load_give_the_same_set(card_set: CardSet) -> None:
    with tempfile.TemporaryDirectory() as name:
        first, second = Path(name, "1"), Path(name, "2")
        export(card_set, first)
        again = load(SCHEMA, first)
        assert again == card_set
        assert again.hash == card_set.hash
        assert [list(row) for row in again.tables["cards"]] == [list(row) for row in card_set.tables["cards"]]
        export(again, second)
        for file in ("rules.toml", "cards.csv"):
            assert (first / file).read_bytes() == (second / file).read_bytes()


@given(
    card_sets(),
    st.sampled_from(",;\t"),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
)
@settings(max_examples=60, deadline=None)
def test_what_a_spreadsheet_saves_is_the_same_set(
    card_set: CardSet, delimiter: str, end: str, encoding: str, quoting: Any
) -> None:
    with tempfile.TemporaryDirectory() as name:
        export(card_set, Path(name, "set"))
        rows = card_set.tables["cards"]
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator=end, quoting=quoting)
        writer.writeheader()
        writer.writerows(rows)
        Path(name, "set", "cards.csv").write_bytes(text.getvalue().encode(encoding))
        assert load(SCHEMA, Path(name, "set")) == card_set


@given(card_sets(), card_sets())
@settings(max_examples=40, deadline=None)
def test_there_is_a_difference_exactly_where_the_hash_differs(a: CardSet, b: CardSet) -> None:
    assert diff(a, a) == []
    assert (diff(a, b) == []) == (a.hash == b.hash)
    assert (diff(b, a) == []) == (a.hash == b.hash)


@given(card_sets(), st.data())
@settings(max_examples=60, deadline=None)
def test_one_edit_is_one_line(card_set: CardSet, data: st.DataObject) -> None:
    rows = [dict(row) for row in card_set.tables["cards"]]
    scalars = dict(card_set.scalars)
    at = data.draw(st.integers(0, len(rows) - 1))
    row = rows[at]
    match data.draw(st.sampled_from(["cost", "value", "remove", "add", "move"])):
        case "cost":
            scalars["expedition_cost"] = cost = (scalars["expedition_cost"] + 1) % 201
            line = f"rules: expedition_cost {card_set.scalars['expedition_cost']} -> {cost}"
        case "value" if row["kind"] == "number":
            old, row["value"] = row["value"], row["value"] % 99 + 1
            line = f"cards {row['id']}: value {old} -> {row['value']}"
        case "remove" if len(rows) > SEATS * scalars["hand_size"] + 1:
            line = f"cards: {rows.pop(at)['id']} removed"
        case "move" if at:
            rows[at - 1], rows[at] = rows[at], rows[at - 1]
            line = "cards: the order of the rows differs"
        case _:
            rows[at] = row | {"id": "other"}
            line = f"cards: other added (color {row['color']}, kind {row['kind']}, value {row['value']})"
    edited = build(SCHEMA, "edited", scalars, {"cards": rows})
    assert line in diff(card_set, edited)
    assert len(diff(card_set, edited)) == (2 if "added" in line else 1)
    assert edited.hash != card_set.hash


@given(st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_whatever_is_broken_gives_a_card_set_or_its_problems(seed: int) -> None:
    """Random damage to the bytes of both files: never another error, and every problem says where it is."""
    luck = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        for file in ("rules.toml", "cards.csv"):
            data = bytearray((SCHEMA.card_sets / "base" / file).read_bytes())
            for _ in range(luck.randrange(4)):
                start = luck.randrange(len(data))
                data[start : start + luck.randrange(8)] = luck.choice(
                    [
                        b"",
                        b",",
                        b";",
                        b'"',
                        b"\n",
                        b"\r",
                        b"\0",
                        b"\xff",
                        b"9",
                        b"=",
                        b"[",
                        b"\xc3\xa9",
                        luck.randbytes(4),
                    ]
                )
            Path(name, file).write_bytes(data)
        for problem in problems_in(name):
            assert problem.file
            assert len(str(problem).splitlines()) == 1


def problems_in(folder: str) -> tuple[Problem, ...]:
    try:
        load(SCHEMA, folder)
    except CardSetError as error:
        return error.problems or (Problem("an error without a problem"),)
    return ()
