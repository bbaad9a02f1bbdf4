"""What all tests share."""

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from simcore.game import BUILT_IN

# Every run of the suite tries the same examples, so that its result is that of the code. To try new ones:
# `pytest --hypothesis-profile default`, or benchmarks/studies/reference_agreement.py and fuzz.py, which try thousands.
settings.register_profile("same", derandomize=True)
settings.load_profile("same")

GAMES = tuple(name.replace("-", "_") for name in BUILT_IN)


class ByGame(LoadScopeScheduling):
    """Tests that name a game run in one process, so that two do not compile it at once; the others run anywhere."""

    def _split_scope(self, nodeid: str) -> str:
        name = nodeid.replace("-", "_")
        return next((game for game in GAMES if game in name), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByGame:
    """Of `pytest -n`."""
    return ByGame(config, log)
