"""Positions of Valletta with chosen luck and chosen moves, played by the kernels: how tests reach a position.

A position is put together in the plain Python reference at the start of a turn and written into the kernels' records,
over a game that they have just dealt. From there a bot that does as it is told moves for all seats, through the same
loop as any other bot, and every step is compared with the reference.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import njit

from simcore.bots import Bot
from simcore.cardset import CardSet
from simcore.play import Table
from tests.reference.valletta import (
    GOODS,
    NOBODY,
    Building,
    Event,
    Goods,
    Match,
    play,
)
from tests.reference.valletta import Table as Reference
from tests.reference.valletta_agreement import GAME, Witness, rules_of
from tests.reference.valletta_records import private_fields, public_fields
from tests.simcore.valletta_sets import edited, inputs, shipped

RESTING = "APPRENTICE"  # with no other cards in a hand, it never does anything


@njit
def obey(public, me, cards, options, noise, mind):  # type: ignore[no-untyped-def]  # numba types it
    return np.int64(mind.memory[0])


OBEDIENT = Bot("obedient", GAME, "random", "Does what stands in its memory.", obey)


@dataclass(frozen=True)
class Luck:
    """A position at the start of a turn, and what chance brings. Lists go by seat and may be short or left out.

    Hands and draw piles that are left out hold cards that do nothing. Cards are not counted: anybody may hold any.
    """

    seats: int = 2
    active: int = 0
    hands: Sequence[Sequence[str]] = ()
    decks: Sequence[Sequence[str] | None] = ()  # the next card first
    discards: Sequence[Sequence[str]] = ()
    goods: Sequence[Goods] = ()
    supply: Goods | None = None  # None: all other pieces
    city: Mapping[int, str] = field(default_factory=dict)  # letters at locations; others as they come
    own: Sequence[Sequence[int]] = ()  # locations
    upgraded: Sequence[int] = ()  # locations
    houses: Sequence[int] = ()  # left; where it is left out: all that do not stand on a building
    points: Sequence[int] = ()
    jean: int = 0
    barrels: Sequence[str] = ()  # the next goods under the street
    pool: Sequence[str] | None = None
    turns: int = 0
    trigger: str = ""  # what triggered the final phase, if that goes on; by the seat that played last
    characters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # edits, by code
    buildings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # edits, by letter
    setup: Mapping[str, int] = field(default_factory=dict)  # edits
    scalars: Mapping[str, Any] = field(default_factory=dict)


_card_sets: dict[str, CardSet] = {}


def card_set_of(luck: Luck) -> CardSet:
    """The shipped set with the edits of a position; built once for all positions with the same ones."""
    edits = repr((luck.characters, luck.buildings, luck.setup, luck.scalars))
    if edits not in _card_sets:
        tables = inputs(shipped())
        for row in tables["characters"]:
            row.update(luck.characters.get(row["code"], {}))
        for row in tables["buildings"]:
            row.update(luck.buildings.get(row["letter"], {}))
        for row in tables["setup"]:
            row.update(luck.setup)
        _card_sets[edits] = edited(tables=tables, **luck.scalars)
    return _card_sets[edits]


def at(lists: Sequence[Any], seat: int, otherwise: Any) -> Any:
    return lists[seat] if seat < len(lists) else otherwise


class Position:
    """A game in progress, from the position of a `Luck` on."""

    def __init__(self, luck: Luck) -> None:
        self.luck = luck
        self.kernels = self._kernels()
        self.kernels.policies = self.kernels.engine.policies((OBEDIENT,) * luck.seats)
        steps = self.kernels.steps(0, 0)
        next(steps)
        self.rules = rules_of(self.kernels.card_set, luck.seats)
        self.witness = Witness(self.kernels)
        self.match = self.witness.match
        self.table = self.match.table
        self.decks = [list(self._deck(seat)) for seat in self.table.seats]
        self._put_together()
        self.match.follow(play(self.table, luck.active))
        for observer in self.witness.observers:
            copy_for(observer.match, self.table, observer.seat)
            observer.table = observer.match.table
            observer.match.follow(play(observer.table, luck.active))
        self._plant()
        self.witness.compare()
        self._moves = self.witness.retell(steps)

    def _kernels(self) -> Table:
        return Table(GAME, card_set_of(self.luck), self.luck.seats, ("uniform",) * self.luck.seats, seed=0)

    def _deck(self, seat: int) -> Sequence[str]:
        given: Sequence[str] | None = at(self.luck.decks, seat, None)
        return [RESTING] * 12 if given is None else given

    def _put_together(self) -> None:
        """The reference in this position."""
        luck, table, rules = self.luck, self.table, self.rules
        table.city = self._city()
        owners = {place: seat for seat, places in enumerate(luck.own) for place in places}
        table.owner = [owners.get(place, NOBODY) for place in rules.locations]
        table.upgraded = [place in luck.upgraded for place in rules.locations]
        for seat in table.seats:
            hand = Counter(at(luck.hands, seat, [RESTING] * 5))
            table.hands[seat], table.hand_sizes[seat] = hand, hand.total()
            table.deck_sizes[seat] = len(self.decks[seat])
            table.discard[seat] = Counter(at(luck.discards, seat, []))
            table.owned[seat] = hand + Counter(self.decks[seat]) + table.discard[seat]
            table.goods[seat] = list(at(luck.goods, seat, (0, 0, 0, 0)))
            table.houses[seat] = at(luck.houses, seat, rules.houses - len(at(luck.own, seat, [])))
            table.points[seat] = at(luck.points, seat, 0)
            table.gained[seat] = Counter(fixed=table.points[seat])
            table.learn(seat)
        table.jean = luck.jean
        under = self._barrels()
        table.turned = [under[: luck.jean].count(good) for good in range(4)]
        if luck.pool is not None:
            table.pool = Counter(luck.pool)
        table.supply = [
            rules.pieces[good] + table.turned[good] - sum(held[good] for held in table.goods) for good in range(4)
        ]
        if luck.supply is not None:
            table.supply = list(luck.supply)
        table.turns = luck.turns
        table.active = (luck.active - 1) % luck.seats if luck.turns else NOBODY
        if luck.trigger:
            table.final, table.end, table.triggered = True, luck.trigger, table.active

    def _city(self) -> list[Building]:
        """Buildings with the wanted letters at the wanted locations; the others in the order of the table."""
        letter = {row["building_id"]: row["letter"] for row in self.kernels.card_set.tables["buildings"]}
        spare = list(self.rules.buildings)
        wanted: dict[int, Building] = {}
        for place, name in self.luck.city.items():
            wanted[place] = next(building for building in spare if letter[building.id] == name)
            spare.remove(wanted[place])
        missing = Counter(self.rules.drawn) - Counter(building.colour for building in wanted.values())
        rest = []
        for building in spare:
            if missing[building.colour]:
                missing[building.colour] -= 1
                rest.append(building)
        rest.reverse()
        return [wanted.get(place) or rest.pop() for place in self.rules.locations]

    def _barrels(self) -> list[int]:
        """The goods under the street: the next ones as wanted, the others in the order of the table."""
        wanted = [GOODS.index(word) for word in self.luck.barrels]
        spare = list(self.rules.barrels)
        for good in wanted:
            spare.remove(good)
        return [*spare[: self.luck.jean], *wanted, *spare[self.luck.jean :]]

    def _plant(self) -> None:
        """The reference's position, written into the kernels' records."""
        coding, state = self.witness.coding, self.kernels.state
        for name, value in public_fields(coding, self.match).items():
            write(state.public, name, value)
        for seat in self.table.seats:
            for name, value in private_fields(coding, self.table.hands[seat] or Counter()).items():
                write(state.private[seat], name, value)
            codes = [coding.place[code] for code in reversed(self.decks[seat])]
            state.secret.deck[seat, : len(codes)] = codes
        state.secret.barrel[: len(self.rules.barrels)] = self._barrels()

    # ------------------------------------------------------------------------------------------------------- playing

    @property
    def actor(self) -> int:
        """-1 when the game is over."""
        return int(self.kernels.state.public.actor)

    @property
    def decision(self) -> str:
        """The decision that comes next."""
        return self.match.decision

    @property
    def options(self) -> list[str]:
        return list(self.match.options() or ())

    @property
    def events(self) -> list[Event]:
        """What has happened since the position."""
        return self.witness.events

    def do(self, *words: str) -> None:
        """Decisions, one after the other, of whoever has to decide; forced ones may be left out.

        Raises JobError for an illegal one.
        """
        for word in words:
            while len(self.options) == 1 and word not in self.options:
                self.do_action(self._coded(self.options[0]))
            assert self.actor >= 0
            self.do_action(self._coded(word))

    def _coded(self, word: str) -> int:
        return self.witness.coding.action(self.decision, word)

    def do_action(self, action: int) -> None:
        """A decision by its code. At the end of the game the result is compared."""
        self.kernels.minds[self.actor]["memory"][0] = action
        next(self._moves)
        if self.actor < 0:
            assert next(self._moves, None) is None

    def force(self) -> None:
        """All decisions with one option that come next."""
        while self.actor >= 0 and len(self.options) == 1:
            self.do(*self.options)

    def end_turn(self) -> None:
        """The rest of this turn, by the first option (`no` where it is one), and no further."""
        turns = self.table.turns
        while self.table.turns == turns and self.actor >= 0:
            self.do("no" if "no" in self.options else self.options[0])

    def finish(self) -> None:
        """The rest of the game."""
        while self.actor >= 0:
            self.end_turn()

    # ------------------------------------------------------------------------------------------------------- looking

    def goods(self, seat: int = 0) -> list[int]:
        held: list[int] = self.kernels.state.public.goods[seat].tolist()
        return held

    @property
    def supply(self) -> list[int]:
        left: list[int] = self.kernels.state.public.supply.tolist()
        return left

    def points(self, seat: int = 0) -> int:
        """From play."""
        return int(self.kernels.state.public.points[seat])

    def houses(self, seat: int = 0) -> int:
        return int(self.kernels.state.public.houses[seat])

    def hand(self, seat: int = 0) -> list[str]:
        """The codes, in the order of the table."""
        counts = self.kernels.state.private[seat].hand.tolist()
        return [
            character.code
            for character, count in zip(self.rules.characters, counts, strict=False)
            for _ in range(count)
        ]

    @property
    def scores(self) -> list[int]:
        """The final ones."""
        points: list[int] = self.kernels.out.points[: self.luck.seats].tolist()
        return points

    def of_kind(self, name: str) -> list[Event]:
        """Events and decisions of this name since the position."""
        return [event for event in self.events if name in (event.get("decision"), event.get("chance")) or name in event]


def write(record: Any, name: str, value: Any) -> None:
    if isinstance(value, list):
        record[name][: len(value)] = value
    else:
        record[name] = value


def copy_for(match: Match, table: Reference, seat: int) -> None:
    """Give a seat's own match this table, with its own hand only."""
    match.table = deepcopy(table, {id(table.rules): table.rules})
    match.table.hands = [hand if other == seat else None for other, hand in enumerate(match.table.hands)]
