"""What tests of imagined states share, for any game."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import stats

from simcore import game, records
from simcore.cardset import CardSet
from simcore.play import Table
from simcore.random import NOISE, seed_noise
from simcore.traces import EVENTS


def noise_of(number: int) -> Any:
    """A stream of a bot's own, another one for each number."""
    noise = records.zero(NOISE)
    seed_noise(noise, np.uint64(77), np.uint64(number), 0)
    return noise


def table_of(name: str, card_set: CardSet, seats: int) -> Table:
    """A table of players who choose at random."""
    return Table(name, card_set, seats, ("uniform",) * seats, seed=5)


def imagined(table: Table, seat: int, noise: Any, state: Any = None) -> Any:
    """A state that a seat imagines at a table as it stands."""
    state = records.zero(table.game.state) if state is None else state
    game.imagine(state, table.state.public, table.state.private[seat], seat, table.cards, noise)
    return state


def positions(table: Table, deal: int) -> Iterator[int]:
    """The steps of a game, all but the last; yields their number."""
    for number, _ in enumerate(table.steps(deal, 0)):
        if table.state.public.actor >= 0:
            yield number


def find(table: Table, wanted: Callable[[Any], bool]) -> None:
    """Play until a position is as wanted, and leave the table there."""
    for deal in range(200):
        for _ in positions(table, deal):
            if wanted(table.state.public):
                return
    raise AssertionError("no such position")


def play_on(table: Table) -> None:
    """Play a position to its end with the bots of the table."""
    trace, step = records.zero(EVENTS), table.engine.step()
    policies = table.engine.addresses(table.policies)
    for seat in range(table.seats):
        table.chance.place[seat] = seat
    while table.state.public.actor >= 0:
        buffers = (table.state, table.cards, table.options, table.chance, table.noise, table.minds, policies)
        assert step(*buffers, trace, table.out) == 0
        trace.count = 0


def even(found: "Counter[Any]", cases: int) -> None:
    """Each of so many cases comes about equally often."""
    assert len(found) == cases
    assert stats.chisquare(list(found.values())).pvalue > 1e-4
