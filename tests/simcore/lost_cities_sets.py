"""Random valid card sets of Lost Cities, for hypothesis."""

from typing import Any

from hypothesis import strategies as st

from simcore.cardset import CardSet, build
from simcore.games.lost_cities.cardset import (
    MAX_CARDS_PER_COLOR,
    MAX_COLORS,
    MAX_TURNS_OF_MATCH,
    MAX_VALUE,
    SCHEMA,
    SEATS,
)

NOTES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)


@st.composite
def contents(draw: st.DrawFn) -> tuple[dict[str, int], list[dict[str, Any]]]:
    """Scalars and rows of a valid set: 1 to 6 colours, 1 to 20 cards in each, copies among them, in any order."""
    names = draw(
        st.lists(st.from_regex(r"[a-z]{3,6}[0-9]", fullmatch=True), min_size=1, max_size=MAX_COLORS, unique=True)
    )
    cards = st.one_of(st.just(("wager", 0)), st.tuples(st.just("number"), st.integers(1, MAX_VALUE)))
    least = 3  # the least deck for hands of one card
    deck = [
        {"color": color, "kind": kind, "value": value}
        for color in names
        for kind, value in draw(st.lists(cards, min_size=least, max_size=MAX_CARDS_PER_COLOR))
    ]
    if draw(st.booleans()):
        deck = draw(st.permutations(deck))
    rows = [{"id": f"c{number}", **card} for number, card in enumerate(deck)]
    rounds = draw(st.integers(1, 9))
    scalars = {
        "hand_size": draw(st.integers(1, min(20, (len(deck) - 1) // SEATS))),
        "expedition_cost": draw(st.integers(0, 200)),
        "bonus_min_cards": draw(st.integers(1, 20)),
        "bonus_points": draw(st.integers(-200, 500)),
        "rounds": rounds,
        "max_turns": draw(st.integers(1, min(16000, MAX_TURNS_OF_MATCH // rounds))),
    }
    return scalars, rows


@st.composite
def card_sets(draw: st.DrawFn) -> CardSet:
    """A valid card set, some with notes of the designer's own."""
    scalars, rows = draw(contents())
    if draw(st.booleans()):
        rows = [{"my note": draw(NOTES), **row} for row in rows]
    return build(SCHEMA, "random", scalars, {"cards": rows})
