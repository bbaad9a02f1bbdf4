"""Which cards of two card sets are the same card, and what it is called where an edit has renamed it.

A card of the log goes by a type, which may follow from what the card prints: a yellow 10 whose value becomes 14 is of
another type then, though the designer has edited one and the same row. A card of one set is a card of the other

1. where both stand for exactly the same rows of the card set, whatever they are called: deals know a card by its row;
2. of the cards that are left, where both are of the same type: of three yellow wagers one may have been taken out.

All others are gone or new. So a card that stands for a part of another's rows, or for more than them, is not that card:
where one of three wagers becomes a yellow 14, the yellow 14 is new. `moved` names such rows. The other side of a card
has no rows of its own, and manifests of older versions name no rows: there the types decide alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from simcore.manifest import CardEntry


@dataclass(frozen=True)
class Known:
    """A card as a card set knows it: its label, and the rows that it stands for, as "cards.Y10"."""

    label: str
    rows: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The label without what follows a colon, which tells what the card does."""
        return self.label.partition(": ")[0]


Cards = Mapping[str, Known]
"""The cards of a set by type."""


def of_log(cards: Sequence[CardEntry]) -> dict[str, Known]:
    """The cards of a manifest."""
    found: dict[str, list[CardEntry]] = {}
    for card in cards:
        found.setdefault(card["type"], []).append(card)
    return {name: _known(name, copies) for name, copies in found.items()}


def _known(name: str, copies: Sequence[CardEntry]) -> Known:
    alike = len({card["label"] for card in copies}) == 1
    rows = frozenset(row for card in copies if not card["side_of"] for row in card.get("rows", ()))
    return Known(copies[0]["label"] if alike else name, rows)


def same(base: Cards, variant: Cards) -> dict[str, str]:
    """The cards of both sets: the type of each in the base set, and in the variant."""
    there, back = _by_rows(base), _by_rows(variant)
    found = {name: back[rows] for rows, name in there.items() if rows in back}
    left = variant.keys() - set(found.values())
    return {name: found.get(name, name) for name in base if name in found or name in left}


def _by_rows(cards: Cards) -> dict[frozenset[str], str]:
    """Types by their rows, where these are the rows of one card alone."""
    times = Counter(known.rows for known in cards.values())
    return {known.rows: name for name, known in cards.items() if known.rows and times[known.rows] == 1}


def moved(base: Cards, variant: Cards) -> list[str]:
    """The rows that have gone from one card to another which is not the same, as "YW3 (yellow wager, now 14)"."""
    joined = same(base, variant)
    now = {row: name for name, known in variant.items() for row in known.rows}
    return [
        f"{id_of(row)} ({base[old].name}, now {_news(base[old].name, variant[now[row]].name)})"
        for old in base
        for row in sorted(base[old].rows)
        if row in now and joined.get(old) != now[row]
    ]


def id_of(row: str) -> str:
    """The id of a row without its table: "Y10" of "cards.Y10"."""
    return row.partition(".")[2]


def label(before: str, after: str) -> str:
    """What a card of both sets is called: "yellow 10 (now 14)" where an edit has renamed it. What a label says after a
    colon is told apart, so that the name before it can stand alone.
    """
    (name, _, does), (new_name, _, new_does) = before.partition(": "), after.partition(": ")
    tail = f": {_both(does or NOTHING, new_does or NOTHING)}" if does or new_does else ""
    return f"{_both(name, new_name)}{tail}"


NOTHING = "nothing"
"""What a card does whose label does not say."""


def _both(before: str, after: str) -> str:
    return before if before == after else f"{before} (now {_news(before, after)})"


def _news(before: str, after: str) -> str:
    """The new words without those that it begins with as before: "14" of "yellow 10" and "yellow 14"."""
    old, new = before.split(" "), after.split(" ")
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    return " ".join(new[alike:] if alike < min(len(old), len(new)) else new)
