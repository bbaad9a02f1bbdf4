import pytest

from tests.analysis.fake_run import FakeBot, FakeRun, write

BOTS = (FakeBot("weak", "random", 0.0, turns=90.0), FakeBot("strong", "expert", 9.0, deterministic=True))


@pytest.fixture(scope="session")
def two_seats(tmp_path_factory):
    """Two seats, three line-ups, shards that do not divide the blocks; the strong bot is deterministic."""
    fake = FakeRun(blocks=900, bots=BOTS, blocks_per_shard=400, first_points=3.0, cut_off=0.02)
    return write(tmp_path_factory.mktemp("two"), fake)


@pytest.fixture(scope="session")
def three_seats(tmp_path_factory):
    """Three seats and two rounds; one bot alone in a field of the other."""
    fake = FakeRun(blocks=600, bots=BOTS, line_ups=((0, 0, 0), (1, 0, 0)), seats=3, rounds=2, blocks_per_shard=250)
    return write(tmp_path_factory.mktemp("three"), fake)
