"""Lost Cities: the parameter record that a card set becomes, and the words of its cards."""

from collections import Counter
from itertools import accumulate
from typing import Any

import numpy as np

from simcore import records
from simcore.cardset import CardSet
from simcore.game import LoggedCard
from simcore.games.lost_cities.state import CARD_SET, COLOURS, GAPS, NOBODY, SLOTS
from simcore.random import fill_deck

Row = dict[str, Any]


def parameters(card_set: CardSet, seats: int) -> Any:
    """The parameter record (dtype CARD_SET) of a valid card set."""
    cards = records.zero(CARD_SET)
    scalars = card_set.scalars
    cards.seats = seats
    cards.hand, cards.cost = scalars["hand_size"], scalars["expedition_cost"]
    cards.bonus, cards.bonus_min = scalars["bonus_points"], scalars["bonus_min_cards"]
    cards.rounds, cards.cap = scalars["rounds"], scalars["max_turns"]
    cards.ban_place, cards.blank_place = NOBODY, NOBODY
    columns = by_colour(card_set)
    slots = slots_of(columns)
    cards.count, cards.colours = len(card_set.tables["cards"]), len(columns)
    cards.words, cards.stride = grid(slots)
    fill_deck(cards.deck, ((code, row["id"]) for code, row in coded(card_set)))
    for colour, column in enumerate(columns.values()):
        _colour(cards, colour, column, slots[colour])
    return cards


def by_colour(card_set: CardSet) -> dict[str, list[Row]]:
    """The cards of each colour in the order of their rank: wagers, then numbers upwards, copies side by side."""
    colours: dict[str, list[Row]] = {}
    for row in card_set.tables["cards"]:
        colours.setdefault(row["color"], []).append(row)
    return {name: sorted(rows, key=lambda row: row["value"]) for name, rows in colours.items()}


def slots_of(columns: dict[str, list[Row]]) -> list[list[int]]:
    """The slots of each colour's cards (see state.py), ascending.

    All colours share a slot for each kind, value and copy, so that a card that is taken out leaves a hole and moves no
    other code: on the same deal bots then choose among the same actions in the same order. Only where that would need
    more room do the cards of each colour stand close together.
    """
    close = [list(range(len(column))) for column in columns.values()]
    most: Counter[tuple[int, str]] = Counter()
    for column in columns.values():
        most |= Counter((row["value"], row["kind"]) for row in column)
    start = dict(zip(sorted(most), accumulate((most[kind] for kind in sorted(most)), initial=0), strict=False))
    shared: list[list[int]] = []
    for column in columns.values():
        copies: Counter[tuple[int, str]] = Counter()
        shared.append([])
        for row in column:
            kind = row["value"], row["kind"]
            shared[-1].append(start[kind] + copies[kind])
            copies[kind] += 1
    fits = most.total() <= SLOTS and grid(shared)[0] == grid(close)[0]
    return shared if fits else close


def grid(slots: list[list[int]]) -> tuple[int, int]:
    """How many words the codes need, and the step from a slot to the next (see state.py)."""
    colours, height = len(slots), 1 + max(max(column) for column in slots)
    return (1, colours) if colours * height <= 64 else (2, COLOURS // 2)


def coded(card_set: CardSet) -> list[tuple[int, Row]]:
    """(code, row) of every card of the set."""
    columns = by_colour(card_set)
    slots = slots_of(columns)
    _, stride = grid(slots)
    return [
        (_code(colour, slot, stride), row)
        for colour, column in enumerate(columns.values())
        for slot, row in zip(slots[colour], column, strict=True)
    ]


def _code(colour: int, slot: int, stride: int) -> int:
    return 64 * (colour // stride) + slot * stride + colour % stride


def _colour(cards: Any, colour: int, column: list[Row], slots: list[int]) -> None:
    """Fill what the record holds of one colour's cards."""
    stride = int(cards.stride)
    word = colour // stride
    code = [_code(colour, slot, stride) for slot in slots]
    numbers = [row["value"] for row in column if row["kind"] == "number"]
    floor = min(numbers, default=2) - 1  # wagers on the table count as the value below the lowest number

    def mask(chosen: Any) -> int:
        return sum(1 << (card & 63) for card, row in zip(code, column, strict=True) if chosen(row))

    wagers = mask(lambda row: row["kind"] == "wager")
    cards.of_colour[colour, word] = mask(lambda row: True)
    cards.present[word] |= cards.of_colour[colour, word]
    cards.wagers[word] |= np.uint64(wagers)
    for card, row in zip(code, column, strict=True):
        wager, value = row["kind"] == "wager", row["value"]
        cards.colour[card], cards.value[card], cards.is_wager[card] = colour, value, wager
        same = [other for other, twin in zip(code, column, strict=True) if type_of(twin) == type_of(row)]
        cards.type[card] = same[0]
        cards.copies[card, word] = sum(1 << (other & 63) for other in same)
        if not wager:
            cards.below[card, word] = mask(lambda other, value=value: other["value"] <= value)
        top = floor if wager else value
        for gap in range(GAPS):
            reach = range(top + 1, top + 2 + gap)
            follows = mask(lambda other, reach=reach: other["kind"] == "number" and other["value"] in reach)
            cards.near[gap, card, word] = follows | (wagers if wager else 0)


def type_of(row: Row) -> tuple[str, int]:
    """What tells cards of one colour apart: cards alike in this are copies."""
    return row["kind"], row["value"]


def log_cards(card_set: CardSet, seats: int) -> tuple[LoggedCard, ...]:
    """The columns of the card log, in the order of the card set's table."""
    found = []
    code = {row["id"]: code for code, row in coded(card_set)}
    for row in card_set.tables["cards"]:
        name, kind, rows = row["id"], label(row), (f"cards.{row['id']}",)
        found.append(LoggedCard(code[name], name, kind.replace("-", " "), kind, row["color"], rows=rows))
    return tuple(found)


def label(row: Row) -> str:
    """The word of a card in replays: `<colour>-<number>` or `<colour>-wager`."""
    return f"{row['color']}-wager" if row["kind"] == "wager" else f"{row['color']}-{row['value']}"
