"""What the records of simcore/games/valletta/state.py must hold, as plain values, from what a seat knows.

It follows the description in state.py and no kernel. A set is one number, with a bit for each member; what belongs to
seats that do not play is left out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.reference.valletta import (
    ALL_GOODS,
    BUILD_TARGET,
    COLOURS,
    DISMISS,
    DISMISS_CARD,
    GIVE_GOOD,
    GOODS,
    HIRE,
    HIRE_CARD,
    JEAN_MODE,
    NO,
    NOBODY,
    PICK_GOOD,
    PLAY_CARD,
    SETUP_GOOD,
    SUBSTITUTE,
    SUBSTITUTE_PAY,
    USE_EFFECT,
    YES,
    Character,
    Match,
    Rules,
    Table,
)

DECISIONS = (
    *(SETUP_GOOD, PLAY_CARD, USE_EFFECT, PICK_GOOD, BUILD_TARGET, SUBSTITUTE, SUBSTITUTE_PAY, JEAN_MODE),
    *(DISMISS_CARD, HIRE_CARD, GIVE_GOOD),
)
ENDS = ("jean", "points", "houses", "cap")
ACTIONS = 64  # codes of a decision
DECLINE = 63  # the item of "no", but for USE_EFFECT; characters have items up to here
CHARACTERS, LOCATIONS, SLOTS = 64, 40, 5  # room in the records
PER_SEAT = (
    *("order", "standing", "points", "goods", "houses", "own", "icons", "colours", "upgrades", "hand", "deck"),
    *("discards", "discard", "discarded", "owned", "known", "reshuffles", "banned", "blanked", "bare"),
)


class Coding:
    """The codes of a card set: characters and buildings by their place in the tables."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.place = {character.code: place for place, character in enumerate(rules.characters)}
        self.building = {building.id: place for place, building in enumerate(rules.buildings)}

    def counts(self, cards: Counter[str]) -> list[int]:
        """How many of each character."""
        found = [0] * CHARACTERS
        for code, number in cards.items():
            found[self.place[code]] = number
        return found

    def characters(self, cards: Counter[str]) -> int:
        """The set of them."""
        return sum(1 << self.place[code] for code, number in cards.items() if number)

    def of(self, character: Character | None) -> int:
        return NOBODY if character is None else self.place[character.code]

    def word(self, action: int) -> str:
        """An action in the words of a replay."""
        decision, item = divmod(action, ACTIONS)
        name = DECISIONS[decision]
        if name == USE_EFFECT:
            return (NO, YES)[item]
        if name in (PLAY_CARD, DISMISS_CARD, HIRE_CARD):
            return self.rules.characters[item].code
        if item == DECLINE:
            return NO
        if name == BUILD_TARGET:
            return f"loc{item}"
        return (DISMISS, HIRE)[item] if name == JEAN_MODE else GOODS[item]

    def action(self, decision: str, word: str) -> int:
        """The action of a word."""
        return ACTIONS * DECISIONS.index(decision) + self._item(decision, word)

    def _item(self, decision: str, word: str) -> int:
        if decision == USE_EFFECT:
            return int(word == YES)
        if decision in (PLAY_CARD, DISMISS_CARD, HIRE_CARD):
            return self.place[word]
        if word == NO:
            return DECLINE
        if decision == BUILD_TARGET:
            return int(word.removeprefix("loc"))
        return (DISMISS, HIRE).index(word) if decision == JEAN_MODE else GOODS.index(word)


def bits(members: Iterable[int]) -> int:
    return sum(1 << member for member in members)


def filled(values: Sequence[int], room: int, rest: int) -> list[int]:
    return [*values, *[rest] * (room - len(values))]


def public_fields(coding: Coding, match: Match) -> dict[str, Any]:
    """`State.public`. At the end of a game there is no decision."""
    table = match.table
    seats = table.seats
    own = [table.own(seat) for seat in seats]
    return {
        "actor": match.actor,
        "decision": DECISIONS.index(match.decision) if match.question else None,
        "turns": table.turns,
        "rounds": int(table.is_over),
        "end": ENDS.index(table.end) if table.end else 0,
        "truncated": int(table.end == "cap"),
        "order": list(seats),
        "standing": [table.points[seat] + table.printed(seat) for seat in seats],
        "points": table.points,
        "goods": table.goods,
        "supply": table.supply,
        "aside": bits(table.aside),
        "houses": table.houses,
        "building": filled([coding.building[building.id] for building in table.city], LOCATIONS, 0),
        "free": bits(place for place, owner in enumerate(table.owner) if owner == NOBODY),
        "own": [bits(places) for places in own],
        "upgraded": bits(place for place, upgraded in enumerate(table.upgraded) if upgraded),
        "icons": [icons(table, places) for places in own],
        "colours": [colours(table, places) for places in own],
        "upgrades": [sum(table.upgraded[place] for place in places) for places in own],
        "jean": table.jean,
        "turned": table.turned,
        "hand": table.hand_sizes,
        "deck": table.deck_sizes,
        "discards": [pile.total() for pile in table.discard],
        "discard": [coding.counts(pile) for pile in table.discard],
        "discarded": [coding.characters(pile) for pile in table.discard],
        "owned": [coding.counts(cards) for cards in table.owned],
        "known": [coding.counts(cards) for cards in table.known],
        "pool": coding.counts(table.pool),
        "pooled": coding.characters(table.pool),
        "reshuffles": table.piles,
        "active": table.active,
        "plays": len(table.slots),
        "slot": filled([coding.place[code] for code in table.slots], SLOTS, NOBODY),
        "previous": coding.of(table.previous),
        "final": int(table.final),
        "triggered": table.triggered,
        "banned": [0 for _ in seats],
        "blanked": [0 for _ in seats],
        "bare": [0 for _ in seats],
        "resolving": coding.of(table.resolving),
        "picks": table.picks,
        "victims": bits(table.victims),
        "gifts": table.gifts,
        "extra": int(table.extra),
        "targets": bits(table.targets),
        "target": table.target,
        "cost": list(table.cost),
        "substituted": table.substituted,
        "last": table.last,
        "fillers": table.fillers,
    }


def icons(table: Table, places: Iterable[int]) -> list[int]:
    """Icons of each good on the sides that are up."""
    found = [0 for _ in ALL_GOODS]
    for place in places:
        building = table.city[place]
        found[building.icon] += building.icons[table.upgraded[place]]
    return found


def colours(table: Table, places: Iterable[int]) -> list[int]:
    """Buildings of each colour."""
    found = Counter(table.city[place].colour for place in places)
    return [found[colour] for colour in COLOURS]


def private_fields(coding: Coding, hand: Counter[str]) -> dict[str, Any]:
    """`State.private` of a seat."""
    return {"hand": coding.counts(hand), "held": coding.characters(hand)}


class Kernel:
    """The same values read from a record of the kernels. The memory stays theirs: each read sees what it holds now."""

    def __init__(self, coding: Coding, state: Any) -> None:
        self.coding = coding
        self.seats = range(coding.rules.seats)
        self.public, self.secret = state.public, state.secret
        self._public = {
            name: values[: len(self.seats)] if name in PER_SEAT else values
            for name, values in views(self.public).items()
            if name not in ("actor", "decision")
        }
        self._private = [views(state.private[seat]) for seat in self.seats]

    def public_fields(self) -> dict[str, Any]:
        actor = int(self.public.actor)
        return {
            "actor": actor,
            "decision": int(self.public.decision) if actor >= 0 else None,
            **{name: values.tolist() for name, values in self._public.items()},
        }

    def privates(self) -> list[dict[str, Any]]:
        return [{name: values.tolist() for name, values in private.items()} for private in self._private]

    def decks(self) -> list[Counter[str]]:
        """What lies in each draw pile."""
        sizes = self._public["deck"].tolist()
        characters = self.coding.rules.characters
        codes = [self.secret.deck[seat, : sizes[seat]].tolist() for seat in self.seats]
        return [Counter(characters[place].code for place in pile) for pile in codes]

    def barrels(self) -> list[int]:
        """The good under each space, those that were turned up included."""
        goods: list[int] = self.secret.barrel[: len(self.coding.rules.barrels)].tolist()
        return goods


def views(record: Any) -> dict[str, NDArray[Any]]:
    """The fields of a record as arrays over its memory."""
    whole: NDArray[Any] = np.ndarray((), record.dtype, buffer=record)
    return {name: whole[name] for name in record.dtype.names}
