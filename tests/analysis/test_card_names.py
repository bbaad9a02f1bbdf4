"""Cards by the names that a designer gives them."""

import pytest

from analysis.card_names import find, meant, unknown
from simcore.errors import InputError

LABELS = {
    "yellow-wager": "yellow wager", "yellow-10": "yellow 10", "blue-10": "blue 10", "decree_1": "DK01: stores gold",
}  # fmt: skip
ROWS = {
    "yellow-wager": ["cards.YW1", "cards.YW2"], "yellow-10": ["cards.Y10"], "blue-10": ["cards.B10"],
    "decree_1": ["decrees.DK01"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("word", "type_"),
    [
        ("yellow 10", "yellow-10"),
        ("yellow-10", "yellow-10"),
        ("Y10", "yellow-10"),
        ("cards.Y10", "yellow-10"),
        ("YW2", "yellow-wager"),
        ("DK01", "decree_1"),
        ("DK01: stores gold", "decree_1"),
    ],
)
def test_a_card_is_found_by_label_type_or_row(word, type_):
    assert find(word, LABELS, ROWS) == (type_,)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("yelow 10", "Did you mean yellow 10 or yellow wager?"),
        ("Blue 10", "Did you mean blue 10"),
        ("y10", "Did you mean Y10"),
        ("Y11", "Did you mean YW1"),
    ],
)
def test_an_unknown_card_is_told_with_the_nearest_names_and_no_others(word, hint):
    assert meant(word, LABELS, ROWS) == ()
    with pytest.raises(InputError) as told:
        find(word, LABELS, ROWS)
    assert f"unknown card '{word}'. {hint}" in str(told.value)
    assert "A card is named by its label, as in yellow 10, or by the id of its row in the card set, as in Y10" in str(
        told.value
    )


def test_where_no_name_is_near_none_is_suggested():
    assert unknown("Quarry", LABELS, ROWS).startswith("unknown card 'Quarry'. A card is named by")
    assert "row" not in unknown("Quarry", LABELS, {})


def test_an_id_of_several_tables_and_a_name_that_is_another_ones_id_are_refused():
    labels = {"a": "Inn", "b": "Ship", "c": "Bank"}
    rows = {"a": ["buildings.A1"], "b": ["ships.A1"], "c": ["buildings.Inn"]}
    with pytest.raises(InputError, match=r"card 'A1' may be Inn \(buildings.A1\) or Ship \(ships.A1\)\. Name it as in"):
        find("A1", labels, rows)
    with pytest.raises(InputError, match=r"card 'Inn' may be Inn \(buildings.A1\) or Bank \(buildings.Inn\)"):
        find("Inn", labels, rows)
    assert find("ships.A1", labels, rows) == ("b",)
    assert find("buildings.Inn", labels, rows) == ("c",)


def test_a_row_whose_card_has_no_figure_is_not_called_unknown():
    with pytest.raises(InputError, match="card 'B10' has no figure here"):
        find("B10", {"yellow-10": "yellow 10"}, ROWS)
