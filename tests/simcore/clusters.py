"""A Dask cluster of the tests' own: worker processes of this machine."""

from contextlib import contextmanager

import pytest


@contextmanager
def local_cluster(**arguments):
    """Two workers of one thread each, or as the arguments say."""
    distributed = pytest.importorskip("distributed", reason="the extra cluster is not installed")
    usual = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": "CRITICAL"}
    with distributed.LocalCluster(**{**usual, **arguments}) as found:
        yield found
