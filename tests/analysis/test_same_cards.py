"""Which cards of two sets are the same: by their rows first, then by type."""

import pytest

from analysis.same_cards import Known, label, moved, of_log, same


def cards(**rows):
    """A card set, each type with the ids of its rows: cards(ten="Y10")."""
    return {name: Known(name, frozenset(f"cards.{row}" for row in ids.split())) for name, ids in rows.items()}


@pytest.mark.parametrize(
    ("base", "variant", "joined", "rows"),
    [
        # A row is edited: it is the same card, whatever it is called.
        ({"ten": "Y10", "two": "Y02"}, {"ten": "Y10", "three": "Y02"}, {"ten": "ten", "two": "three"}, []),
        # Two of a colour move up: each is the card of its row, not that of the number it now has.
        ({"nine": "Y09", "ten": "Y10"}, {"ten": "Y09", "more": "Y10"}, {"nine": "ten", "ten": "more"}, []),
        # All copies are edited alike.
        ({"wager": "W1 W2 W3"}, {"ten": "W1 W2 W3"}, {"wager": "ten"}, []),
        # One of three is edited: the others are the same card still, and it is a new one.
        ({"wager": "W1 W2 W3"}, {"wager": "W1 W2", "ten": "W3"}, {"wager": "wager"}, ["W3 (wager, now ten)"]),
        # One of three is edited into a card that there is.
        (
            {"wager": "W1 W2 W3", "ten": "Y10"},
            {"wager": "W1 W2", "ten": "Y10 W3"},
            {"wager": "wager", "ten": "ten"},
            ["W3 (wager, now ten)"],
        ),
        # All are edited, in two ways: none of the new cards is the old one.
        ({"wager": "W1 W2"}, {"ten": "W1", "two": "W2"}, {}, ["W1 (wager, now ten)", "W2 (wager, now two)"]),
        # A card becomes another one that there is.
        ({"nine": "Y09", "ten": "Y10"}, {"ten": "Y09 Y10"}, {"ten": "ten"}, ["Y09 (nine, now ten)"]),
        # Rows are taken out or added: no row has moved.
        ({"wager": "W1 W2 W3"}, {"wager": "W1"}, {"wager": "wager"}, []),
        ({"nine": "Y09"}, {"nine": "Y09 Y19", "ten": "Y10"}, {"nine": "nine"}, []),
        # Rows have other ids: what is called the same is the same.
        ({"nine": "Y09", "ten": "Y10"}, {"nine": "a", "ten": "b"}, {"nine": "nine", "ten": "ten"}, []),
        # Nothing is known of rows, in one of the sets or in both.
        ({"nine": "", "ten": ""}, {"nine": "Y09", "more": "Y10"}, {"nine": "nine"}, []),
        ({"nine": "", "ten": ""}, {"nine": "", "more": ""}, {"nine": "nine"}, []),
    ],
)
def test_cards_are_joined_by_their_rows_then_by_type(base, variant, joined, rows):
    assert same(cards(**base), cards(**variant)) == joined
    assert moved(cards(**base), cards(**variant)) == rows


def test_a_row_of_two_cards_of_a_set_tells_neither():
    assert same(cards(card="A", tile="A"), cards(card="A", other="A")) == {"card": "card"}


def test_the_other_side_of_a_card_has_no_rows_of_its_own():
    common = {"group": "", "in_hand": False, "tallied": False, "rows": ["buildings.A"]}
    log = [
        {"id": "b1", "label": "Bank", "type": "bank", "side_of": "", **common},
        {"id": "b2", "label": "Bank", "type": "bank", "side_of": "", **common},
        {"id": "u1", "label": "Bank, upgraded", "type": "better_bank", "side_of": "bank", **common},
    ]
    assert of_log(log) == {
        "bank": Known("Bank", frozenset({"buildings.A"})),
        "better_bank": Known("Bank, upgraded", frozenset()),
    }


def test_copies_with_different_labels_go_by_their_type():
    common = {"type": "inn", "group": "", "in_hand": False, "tallied": False, "side_of": ""}
    log = [{"id": "1", "label": "Inn 1", **common}, {"id": "2", "label": "Inn 2", **common}]
    assert of_log(log) == {"inn": Known("inn")}


@pytest.mark.parametrize(
    ("before", "after", "both"),
    [
        ("yellow 10", "yellow 10", "yellow 10"),
        ("yellow 10", "yellow 14", "yellow 10 (now 14)"),
        ("yellow wager", "yellow 14", "yellow wager (now 14)"),
        ("yellow 10", "red 10", "yellow 10 (now red 10)"),
        ("forest 2", "forest", "forest 2 (now forest)"),
        ("forest", "forest 2", "forest (now forest 2)"),
        ("Bank", "Inn", "Bank (now Inn)"),
        ("block A1: gain tools 1", "block A1: gain gold 2", "block A1: gain tools 1 (now gold 2)"),
        ("Alpha: gold 1", "Beta: gold 2", "Alpha (now Beta): gold 1 (now 2)"),
        ("DK01: gold", "DK01", "DK01: gold (now nothing)"),
        ("DK01", "DK01: gold", "DK01: nothing (now gold)"),
    ],
)
def test_a_label_has_both_names(before, after, both):
    assert label(before, after) == both
