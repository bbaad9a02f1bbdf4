"""Paths and values to vary: what is understood, what is refused and how, and what an edited set is."""

import pickle

import pytest

from simcore import cardset
from simcore import game as games
from simcore.cardset import CardSetError, vary
from simcore.cardset.vary import Path, VaryError
from simcore.errors import InputError
from simcore.games.lost_cities.cardset import SCHEMA

COST = Path("rules", "", "expedition_cost")


@pytest.fixture(scope="module")
def base() -> cardset.CardSet:
    return cardset.load(SCHEMA, "base")


@pytest.mark.parametrize(
    ("word", "path", "values"),
    [
        ("rules.expedition_cost=1,2,5", "rules.expedition_cost", ("1", "2", "5")),
        (" rules.expedition_cost = 1, 2 ", "rules.expedition_cost", ("1", "2")),
        ("cards.Y02.value=1:4", "cards.Y02.value", (1, 2, 3, 4)),
        ("rules.x=0:40:10", "rules.x", (0, 10, 20, 30, 40)),
        ("rules.x=0:45:10", "rules.x", (0, 10, 20, 30, 40)),
        ("rules.x=-20:20:20", "rules.x", (-20, 0, 20)),
        ("rules.x=-3", "rules.x", ("-3",)),
        ("rules.x=5:5", "rules.x", (5,)),
        ("rules.x=7,7,9", "rules.x", ("7", "9")),
        ("rules.player_marks=min_players,min_players_alt", "rules.player_marks", ("min_players", "min_players_alt")),
    ],
)
def test_words_are_read(word: str, path: str, values: tuple[object, ...]) -> None:
    found, asked = vary.parse(word)
    assert str(found) == path
    assert asked == values


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("rules.hand_size", ["TABLE.ROW.COLUMN=1,2,5", "rules.NAME"]),
        ("=3", ["TABLE.ROW.COLUMN"]),
        ("hand_size=3", ['"hand_size" is no path', "nearest: rules.hand_size"]),
        ("Rules.rounds=3", ['"Rules.rounds" is no path', "nearest: rules.rounds"]),
        ("cards.value=3", ["TABLE.ROW.COLUMN"]),
        ("a.b.c.d=3", ['"a.b.c.d" is no path']),
        ("rules..x=3", ["is no path"]),
        ("rules.x=30:10", ["empty range: 30 is above 10", "nearest: 10:30"]),
        ("rules.x=30:10:5", ["nearest: 10:30:5"]),
        ("rules.x=1:3:0", ["a step of at least 1"]),
        ("rules.x=1:3:-1", ["a step of at least 1"]),
        ("rules.x=", ["is no list of values"]),
        ("rules.x=1,,2", ["is no list of values"]),
        ("rules.x=a:b", ["is no range of whole numbers"]),
        ("rules.x=1:3,8", ["is no range of whole numbers"]),
        ("rules.x=1:1000", ["holds 1,000 values", "at most 100", "larger step", "nearest: 1:1000:11"]),
        ("rules.x=0:99999999999999999999", ["far too many"]),
    ],
)
def test_words_that_are_none_say_what_is_allowed(word: str, parts: list[str]) -> None:
    with pytest.raises(VaryError) as caught:
        vary.parse(word)
    for part in (word, *parts):
        assert part in str(caught.value)


def test_the_word_rules_alone_is_not_taken_for_a_value_of_the_rules() -> None:
    with pytest.raises(VaryError) as caught:
        vary.parse("rules=1")
    assert "nearest" not in str(caught.value)


def test_the_nearest_range_that_is_offered_is_allowed() -> None:
    assert len(vary.parse("rules.x=1:1000:11")[1]) <= vary.MOST_VALUES


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("rulez.hand_size.x=1", ['"rulez" is no table', "allowed: rules, cards", "nearest: rules"]),
        ("card.Y02.value=1", ['"card" is no table', "nearest: cards"]),
        ("rules.expedition_cst=1:2", ['"expedition_cst"', "nearest: expedition_cost", "hand_size"]),
        ("cards.Y99.value=1", ['"Y99" is no row of cards', "nearest: Y09", "YW1", "R10 (60 rows)"]),
        ("cards.Y02.vale=1", ['"vale" is no column of cards', "allowed: color, kind, value", "nearest: value"]),
        ("cards.y02.valu=1", ["2 problems", "nearest: Y02", "nearest: value"]),
        ("cards.Y02.id=X", ["names the row"]),
        ("cards.Y02.rank=1", ["follows from the other columns"]),
        ("cards.Y02.source=x", ["is a note"]),
    ],
)
def test_paths_that_are_not_there_name_the_nearest(base: cardset.CardSet, word: str, parts: list[str]) -> None:
    with pytest.raises(VaryError) as caught:
        vary.read(base, [word])
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("rules.hand_size=0,8,30", ['"0" is less than 1', '"30" is more than 20', "from 1 to 20", "2 problems"]),
        ("rules.hand_size=few", ['"few" is not a whole number']),
        ("rules.hand_size=6-8", ['"6-8" is not a whole number', "nearest: 6:8"]),
        ("cards.Y02.kind=wagr", ["cards.csv, row 5, column kind", "nearest: wager"]),
        ("rules.hand_size=1:80", ["and 55 more values like these"]),
    ],
)
def test_values_out_of_range_are_all_named(base: cardset.CardSet, word: str, parts: list[str]) -> None:
    with pytest.raises(VaryError) as caught:
        vary.read(base, [word])
    for part in parts:
        assert part in str(caught.value)


def test_mistakes_of_all_words_are_told_at_once(base: cardset.CardSet) -> None:
    with pytest.raises(InputError) as caught:
        vary.read(base, ["rules.hand_sice=7", "cards.Y02.valu=3"])
    assert "hand_sice" in str(caught.value)
    assert "valu" in str(caught.value)


def test_one_path_cannot_be_varied_twice(base: cardset.CardSet) -> None:
    with pytest.raises(VaryError, match="varies what is varied already"):
        vary.read(base, ["rules.hand_size=7", "rules.hand_size=9"])


def test_the_own_value_is_always_among_the_values(base: cardset.CardSet) -> None:
    (axis,) = vary.read(base, ["rules.expedition_cost=30,10"])
    assert (axis.values, axis.base, axis.base_added, axis.unit) == ((10, 20, 30), 20, True, "points")
    (axis,) = vary.read(base, ["rules.expedition_cost=10:30:5"])
    assert (axis.values, axis.base_added, axis.numeric) == ((10, 15, 20, 25, 30), False, True)
    (axis,) = vary.read(base, ["cards.Y02.kind=wager"])
    assert (axis.values, axis.base, axis.numeric) == (("number", "wager"), "number", False)


def test_an_edit_equals_the_same_edit_of_the_files(base: cardset.CardSet, tmp_path) -> None:
    edited = vary.edited(base, {COST: 15, Path("cards", "Y02", "value"): 3})
    cardset.export(base, tmp_path / "mine")
    for file, old, new in (
        ("rules.toml", "expedition_cost = 20", "expedition_cost = 15"),
        ("cards.csv", "Y02,yellow,number,2,", "Y02,yellow,number,3,"),
    ):
        path = tmp_path / "mine" / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
    assert edited.hash == cardset.load(SCHEMA, tmp_path / "mine").hash
    assert edited.name == "base, rules.expedition_cost=15, cards.Y02.value=3"
    assert base.scalars["expedition_cost"] == 20
    assert cardset.diff(base, edited) == ["rules: expedition_cost 20 -> 15", "cards Y02: value 2 -> 3"]


def test_a_stale_derived_value_does_not_refuse_an_edit(tmp_path) -> None:
    long = cardset.load(SCHEMA, "long")
    rows = [{**row, "rank": int(row["value"])} for row in long.tables["cards"]]
    derived = cardset.build(SCHEMA, "with ranks", long.scalars, {"cards": rows})
    edited = vary.edited(derived, {Path("cards", "Y02", "value"): 7})
    assert "rank" not in edited.tables["cards"][0]
    cardset.export(edited, tmp_path / "mine")
    assert cardset.load(SCHEMA, tmp_path / "mine").hash == edited.hash


def test_no_change_is_the_set_itself(base: cardset.CardSet) -> None:
    assert vary.edited(base, {COST: 20}) is base


def test_an_edited_set_is_checked_like_a_file(base: cardset.CardSet) -> None:
    with pytest.raises(CardSetError) as caught:
        vary.edited(base, {Path("rules", "", "rounds"): 9, Path("rules", "", "max_turns"): 16000})
    assert "base, rules.rounds=9" in str(caught.value)
    assert "rounds * max_turns at most 16384" in str(caught.value)
    with pytest.raises(CardSetError, match="is more than 200"):
        vary.edited(base, {COST: 500})


def test_errors_survive_pickling(base: cardset.CardSet) -> None:
    with pytest.raises(VaryError) as caught:
        vary.read(base, ["rules.x=1"])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_the_word_blank_is_an_empty_cell_where_a_cell_may_be_empty() -> None:
    from simcore.games.vaalbara.cardset import SCHEMA as VAALBARA

    lands = cardset.load(VAALBARA, "default")
    meadow, forest = (vary.read(lands, [f"lands.{row}.forest_value=blank,3"])[0] for row in ("L01", "L08"))
    assert (meadow.values, meadow.base, meadow.base_added) == ((None, 3), None, False)
    assert set(forest.values) == {None, 3}
    with pytest.raises(cardset.CardSetError, match="is blank, but a forest pays what it prints"):
        vary.edited(lands, {forest.path: None})
    with pytest.raises(VaryError, match='"blank" is not a whole number'):
        vary.read(lands, ["lands.L01.min_players=blank"])


# ------------------------------------------------------------------------------------ numbers as names, copies of cards


@pytest.fixture(scope="module")
def copies() -> cardset.CardSet:
    from simcore.games.valletta.cardset import SCHEMA as VALLETTA

    return cardset.load(VALLETTA, "standard")


@pytest.mark.parametrize(
    ("word", "values", "base"),
    [
        ("setup.2.houses=7", (7, 8), 8),
        ("setup.4.columns=5,10", (5, 10), 5),
        ("rules.substitution_rate=2:4", (2, 3, 4), 3),
        ("rules.gold_fills=no", ("yes", "no"), "yes"),
        ("characters.NUN.n=2", (2, 3), 3),
        ("characters.BANKER.good=wood,blank", ("gold", "wood", None), "gold"),
        ("barrels.0.good=brick", ("gold", "brick"), "gold"),
        ("buildings.E.points_basic=1:3", (1, 2, 3), 3),
        ("buildings.12.points_basic=1:3", (1, 2, 3), 3),
        ("buildings.A.cost_gold=1,2", (1, 2), 2),
    ],
)
def test_numbers_and_common_names_of_copies_name_rows(
    copies: cardset.CardSet, word: str, values: tuple[object, ...], base: object
) -> None:
    (axis,) = vary.read(copies, [word])
    assert (axis.values, axis.base, str(axis.path)) == (values, base, word.split("=")[0])


def test_copies_vary_together(copies: cardset.CardSet) -> None:
    edited = vary.edited(copies, {Path("buildings", "A", "cost_gold"): 1, Path("setup", "2", "houses"): 7})
    assert [row["cost_gold"] for row in edited.tables["buildings"]][:4] == [1, 1, 1, 2]
    assert cardset.diff(copies, edited) == ["buildings A: cost_gold 2 -> 1", "setup 2: houses 8 -> 7"]
    assert edited.name == "standard, buildings.A.cost_gold=1, setup.2.houses=7"
    assert vary.edited(copies, {Path("buildings", "A", "cost_gold"): 2}) is copies


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (
            "buildings.0.cost_gold=1,2",
            'buildings.0.cost_gold: "0" is one of 3 copies (0, 1, 2), which can only be varied together; '
            "allowed: their letter, A, for all of them; nearest: A",
        ),
        (
            "buildings.Z.cost_gold=1,2",
            'buildings.Z.cost_gold: "Z" is no row of buildings; allowed: the letter of a card: '
            "A, B, C, D, E, F, G, H, I, J, K, L … W (23 cards); or the building_id of a row",
        ),
        (
            "setup.5.houses=7",
            'setup.5.houses: "5" is no row of setup; allowed: the players of a row: 2, 3, 4',
        ),
        (
            "buildings.A.cost_gold=10",
            'buildings.A.cost_gold=10: buildings.csv, row 2, column cost_gold: "10" is more than 9; '
            "allowed: a whole number from 0 to 9; nearest: 9",
        ),
    ],
)
def test_single_copies_and_unknown_cards_say_what_to_name(copies: cardset.CardSet, word: str, message: str) -> None:
    with pytest.raises(VaryError) as caught:
        vary.read(copies, [word])
    assert str(caught.value) == message


def test_the_common_name_of_copies_cannot_be_varied(copies: cardset.CardSet) -> None:
    with pytest.raises(VaryError, match='"letter" names the copies of a card and cannot be varied'):
        vary.read(copies, ["buildings.A.letter=X"])


def test_a_card_cannot_be_varied_under_two_names(copies: cardset.CardSet) -> None:
    with pytest.raises(VaryError, match=r'"buildings\.E\.cost_gold" varies what is varied already'):
        vary.read(copies, ["buildings.12.cost_gold=1,2", "buildings.E.cost_gold=4"])
    assert len(vary.read(copies, ["buildings.A.cost_gold=1,2", "buildings.A.cost_wood=2"])) == 2


@pytest.mark.parametrize("name", ["lost-cities", "vaalbara", "valletta", "lisboa"])
def test_every_card_of_the_log_names_the_rows_that_may_be_varied(name: str) -> None:
    game = games.get(name)
    card_set = cardset.load(game.schema, game.default_card_set)
    paths = [
        Path(table.name, str(row[key]), "")
        for table in game.schema.tables
        for row in card_set.tables[table.name]
        for key in (table.key, table.copies)
        if key
    ]
    names = set[str]().union(*(vary.row_names(card_set, path) for path in paths))
    for seats in game.seats:
        for card in game.log_cards(card_set, seats):
            assert card.rows
            assert set(card.rows) <= names, card


def test_rows_are_named_by_their_keys_and_by_what_copies_share(base: cardset.CardSet) -> None:
    assert vary.row_names(base, Path("cards", "Y10", "value")) == {"cards.Y10"}
    assert vary.row_names(base, Path("rules", "", "hand_size")) == set()
    valletta = games.get("valletta")
    card_set = cardset.load(valletta.schema, valletta.default_card_set)
    found = vary.row_names(card_set, Path("buildings", "A", "cost_gold"))
    assert "buildings.A" in found
    assert len(found) == 1 + sum(row["letter"] == "A" for row in card_set.tables["buildings"])
