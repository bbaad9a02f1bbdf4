"""What all tests share."""

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from simcore.game import BUILT_IN

GAMES = tuple(name.replace("-", "_") for name in BUILT_IN)


class ByGame(LoadScopeScheduling):
    """Tests that name a game run in one process, so that two do not compile it at once; the others run anywhere."""

    def _split_scope(self, nodeid: str) -> str:
        name = nodeid.replace("-", "_")
        return next((game for game in GAMES if game in name), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByGame:
    """Of `pytest -n`."""
    return ByGame(config, log)
