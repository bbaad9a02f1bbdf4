"""Lost Cities: the schema of its card sets, and what it checks beyond the schema.

LC-... are ids of rules.md. "Colour" in prose is `color` in the files, as on the rules page.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from simcore.cardset import CardSet, Column, Problem, Scalar, Schema, Table, Value, derived_problems, nearest

SEATS = 2
MAX_COLORS = 6
MAX_CARDS_PER_COLOR = 20  # copies counted
MAX_VALUE = 99
MAX_TURNS_OF_MATCH = 16384
WAGER = "wager"
NUMBER = "number"

# In replays a colour is also the word for drawing from its pile; this is the word for the other thing to draw from.
DECK_WORD = "deck"
# Card ids become columns of the card log, beside these.
LOG_COLUMNS = frozenset({"game", "line_up", "deal", "rotation", "seat", "round", "order", "points", "win_share"})
LIKE_A_COLOR = 0.8  # similarity from which a colour of a single card is taken for a misspelling of another colour


def check(card_set: CardSet) -> list[Problem]:
    """What the schema cannot say: capacities, wagers and their values, a deck that can be dealt, derived columns."""
    rows = card_set.tables["cards"]
    return [
        *_check_words(rows),
        *_check_values(rows),
        *_check_colors(rows),
        *_check_sizes(card_set.scalars, len(rows)),
        *_check_derived(rows),
    ]


def _check_words(rows: Sequence[Mapping[str, Value]]) -> Iterator[Problem]:
    for position, row in enumerate(rows):
        if row["id"] in LOG_COLUMNS:
            what = "is a column of the card log and cannot name a card"
            yield Problem.of_cell("cards", position, "id", row["id"], what, nearest=f"{row['id']}_")
        if row["color"] == DECK_WORD:
            what = "is the word for the draw pile and cannot be a colour"
            yield Problem.of_cell("cards", position, "color", row["color"], what, nearest=f"{DECK_WORD}_")


def _check_values(rows: Sequence[Mapping[str, Value]]) -> Iterator[Problem]:
    for position, row in enumerate(rows):
        value = row["value"]
        if row["kind"] == WAGER and value not in (0, None):
            yield Problem.of_cell("cards", position, "value", value, "cannot be the value of a wager", "0", "0")
        elif row["kind"] == NUMBER and value == 0:
            what, allowed = "cannot be the value of a number card", f"a whole number from 1 to {MAX_VALUE}"
            yield Problem.of_cell("cards", position, "value", value, what, allowed, "1")


def _check_colors(rows: Sequence[Mapping[str, Value]]) -> Iterator[Problem]:
    places: dict[str, list[int]] = {}
    for position, row in enumerate(rows):
        if row["color"] is not None:
            places.setdefault(str(row["color"]), []).append(position)
    known = list(places)[:MAX_COLORS]
    for number, (color, positions) in enumerate(places.items(), 1):
        meant = _misspelt(color, places)
        if meant:
            what = f"is a colour of one card, and looks like a misspelling of {meant}"
            allowed = "a colour of its own needs a name that is less alike"
            yield Problem.of_cell("cards", positions[0], "color", color, what, allowed, meant)
        elif number > MAX_COLORS:
            what = f"is colour number {number}"
            allowed = f"at most {MAX_COLORS} colours ({', '.join(known)})"
            yield Problem.of_cell("cards", positions[0], "color", color, what, allowed, nearest(color, known))
        if len(positions) > MAX_CARDS_PER_COLOR:
            what = f"has {len(positions)} cards"
            allowed = f"at most {MAX_CARDS_PER_COLOR} cards in a colour, copies counted"
            yield Problem.of_cell("cards", positions[MAX_CARDS_PER_COLOR], "color", color, what, allowed)


def _misspelt(color: str, places: Mapping[str, Sequence[int]]) -> str:
    """The colour that was probably meant, or "": `color` has one card, the other more; no digit tells them apart."""
    if len(places[color]) > 1 or any(character.isdigit() for character in color):
        return ""
    return nearest(color, [other for other in places if len(places[other]) > 1], LIKE_A_COLOR)


def _check_sizes(scalars: Mapping[str, Value], deck: int) -> Iterator[Problem]:
    hand = scalars["hand_size"]
    if isinstance(hand, int) and 0 < deck <= SEATS * hand:
        what = f"is too many for a deck of {deck} cards: after both hands are dealt the deck must hold a card"
        largest = (deck - 1) // SEATS
        allowed = f"a deck of at least {SEATS * hand + 1} cards"
        if largest:
            allowed += f", or hands of at most {largest}"
        yield Problem.of_scalar("hand_size", hand, what, allowed, str(largest or ""))
    rounds, turns = scalars["rounds"], scalars["max_turns"]
    if isinstance(rounds, int) and isinstance(turns, int) and rounds * turns > MAX_TURNS_OF_MATCH:
        most = MAX_TURNS_OF_MATCH // rounds
        what = f"is too many for {rounds} rounds"
        allowed = f"rounds * max_turns at most {MAX_TURNS_OF_MATCH}"
        yield Problem.of_scalar("max_turns", turns, what, allowed, str(most))


def _check_derived(rows: Sequence[Mapping[str, Value]]) -> Sequence[Problem]:
    inputs = [column.name for column in TABLE.inputs]
    if any(row[name] is None for row in rows for name in inputs):
        return []  # what should follow is not known before the other problems are solved
    return derived_problems("cards", rows, _derived(rows))


def _derived(rows: Sequence[Mapping[str, Value]]) -> dict[str, list[int]]:
    """The derived columns, a value a row (section 13 of rules.md, generalised to edited decks)."""
    order: dict[Value, int] = {}
    copies: Counter[tuple[Value, Value, Value]] = Counter()
    columns: dict[str, list[int]] = {"index": [], "color_index": [], "copy": [], "rank": []}
    for position, row in enumerate(rows):
        kind = (row["color"], row["kind"], row["value"])
        copies[kind] += 1
        columns["index"].append(position)
        columns["color_index"].append(order.setdefault(row["color"], len(order)))
        columns["copy"].append(copies[kind])
        columns["rank"].append(int(row["value"] or 0))
    return columns


TABLE = Table(
    name="cards",
    key="id",
    meaning=f"The deck, one row a card (LC-1.1 to LC-1.5): at most {MAX_COLORS} colours, at most {MAX_CARDS_PER_COLOR} "
    "cards in a colour. Rows of one colour, kind and value are copies of one card.",
    columns=(
        Column("id", "id", "name of the card in logs and reports"),
        Column("color", "word", "colour of the expedition; colours keep the order of their first rows"),
        Column("kind", "choice", "wagers multiply, numbers count", choices=(WAGER, NUMBER)),
        Column("value", "int", "number on the card; 0 for a wager", "points", 0, MAX_VALUE),
        Column("index", "int", "place in the table, from 0", minimum=0, role="derived"),
        Column("color_index", "int", "place of the colour, from 0", minimum=0, role="derived"),
        Column("copy", "int", "number of the copy, from 1", minimum=1, role="derived"),
        Column("rank", "int", "order in the colour: the value, 0 for wagers", minimum=0, role="derived"),
        Column("source", "text", "where the card is documented", role="note"),
    ),
)

SCHEMA = Schema(
    game="lost-cities",
    title="Lost Cities",
    package="simcore.games.lost_cities",
    scalars=(
        Scalar("hand_size", "int", "Size of a hand, LC-2.1", "cards", 1, 20),
        Scalar("expedition_cost", "int", "Points taken off an expedition that was started, LC-6.2", "points", 0, 200),
        Scalar("bonus_min_cards", "int", "Length (with wagers) that earns the bonus, LC-6.3", "cards", 1, 20),
        Scalar("bonus_points", "int", "The bonus of a long expedition, not multiplied, LC-6.3", "points", -200, 500),
        Scalar("rounds", "int", "Length of a match, LC-7.1", "rounds", 1, 9),
        Scalar(
            "max_turns",
            "int",
            f"Safety cap of a round, both players together, LC-5.4; rounds * max_turns is at most {MAX_TURNS_OF_MATCH}",
            "turns",
            1,
            16000,
        ),
    ),
    tables=(TABLE,),
    check=check,
)
