"""Positions of Lost Cities out of games between bots, with the plain Python reference beside the records."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simcore.cardset import CardSet
from simcore.play import Table
from tests.reference.lost_cities import Card
from tests.reference.lost_cities import Table as Reference
from tests.reference.lost_cities_agreement import GAME, Witness
from tests.reference.lost_cities_records import Coding


@dataclass(frozen=True)
class Position:
    """A seat is to decide. `table` and `hand` change when the next position is asked for."""

    kernels: Table
    coding: Coding
    table: Reference
    hand: Counter[Card]

    @property
    def seat(self) -> int:
        return self.table.actor

    @property
    def public(self) -> Any:
        return self.kernels.state.public

    @property
    def me(self) -> Any:
        return self.kernels.state.private[self.seat]


def positions(card_set: CardSet, bots: tuple[str, str], deal: int, seed: int = 11) -> Iterator[tuple[Position, Any]]:
    """Every position of a game, with a list that holds the action taken there once the next one has been asked for."""
    witness = Witness(Table(GAME, card_set, 2, bots, seed))
    taken: list[int] = []
    for step in witness.follow(deal):
        taken.append(step.action)
        if witness.match.table.is_over:
            return
        taken = []
        table = witness.match.table
        yield Position(witness.kernels, witness.coding, table, witness.match.hands[table.actor]), taken
