"""Nothing is allocated while games are played: neither by the rules nor by the bots."""

from collections.abc import Iterator

import pytest
from numba.core.runtime import _nrt_python, rtsys

from simcore import bots as bot_registry
from simcore import cardset
from simcore import game as games
from simcore.play import Table

pytestmark = pytest.mark.jitted


@pytest.fixture(autouse=True)
def counted() -> Iterator[None]:
    """numba counts its allocations."""
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


def allocations(table: Table, blocks: int, log: str | None) -> int:
    """What playing so many blocks allocates; the arrays that a call is given count too."""
    before = rtsys.get_allocation_stats().mi_alloc
    for _ in table.play(0, blocks, log):
        pass
    return int(rtsys.get_allocation_stats().mi_alloc - before)


@pytest.mark.parametrize("name", games.BUILT_IN)
@pytest.mark.parametrize("log", [None, "moves"])
def test_play_allocates_nothing(name: str, log: str | None) -> None:
    game = games.get(name)
    card_set = cardset.load(game.schema, game.default_card_set)
    cheap = [bot.name for bot in bot_registry.available(name) if bot.cost == "cheap"]
    for first in range(0, len(cheap), 2):
        seats = cheap[first : first + 2] if len(cheap[first : first + 2]) == 2 else [cheap[first]] * 2
        table = Table(name, card_set, 2, tuple(seats), seed=1)
        assert allocations(table, 1, log) == allocations(table, 20, log)
