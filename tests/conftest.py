"""What all tests share."""

import pytest

from simcore.game import BUILT_IN


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that name a game run in one process (`pytest --dist loadgroup`), so that two do not compile it at once."""
    names = [name.replace("-", "_") for name in BUILT_IN]
    for item in items:
        for name in names:
            if name in item.nodeid.replace("-", "_"):
                item.add_marker(pytest.mark.xdist_group(name))
                break
