"""Balances of made-up runs, each analysed once."""

import itertools
from collections.abc import Callable

import pytest

from analysis.balance import Balance, analyse
from reports.balance import render_html
from tests.analysis.fake_run import FakeBot, FakeRun, write

BOTS = (
    FakeBot("uniform", "random", 0.0, turns=143.0),
    FakeBot("heuristic", "simple", 30.0, deterministic=True, turns=45.0),
    FakeBot("expert", "expert", 42.0, deterministic=True, turns=47.0),
)
EIGHT = tuple(FakeBot(f"bot_{i}", ("random", "simple", "expert", "trained")[i % 4], 5.0 * i) for i in range(8))
TYPICAL = FakeRun(
    blocks=800,
    bots=BOTS,
    line_ups=((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)),
    first_points=6.0,
    effects={"yellow-10": 12.0, "red-wager": 4.5, "blue-2": -12.0},
    dead=("green-2",),
    trap=("red-wager",),
    cut_off=0.02,
    luck_sd=4.0,
)
ODD = {
    "one line-up of one bot": FakeRun(blocks=300, bots=(FakeBot("expert", "expert"),), line_ups=((0, 0),)),
    "no self-play": FakeRun(blocks=300, line_ups=((0, 1),)),
    "no card log": FakeRun(blocks=300, log="games"),
    "four seats and a match of two rounds": FakeRun(
        blocks=100, seats=4, rounds=2, line_ups=((0, 0, 0, 0), (0, 1, 1, 1), (1, 0, 0, 0), (1, 1, 1, 1)),
    ),
    "all games cut off": FakeRun(blocks=40, cut_off=1.0, log="games"),
    "one deal": FakeRun(blocks=1),
    "eight bots": FakeRun(
        blocks=20, bots=EIGHT, log="games",
        line_ups=(*((i, i) for i in range(8)), *itertools.combinations(range(8), 2)),
    ),
    "names like markup": FakeRun(
        blocks=60, log="games", bots=(FakeBot("<b>a|b</b>", "random"), FakeBot("*b*_&amp;`c`", "expert")),
    ),
}  # fmt: skip


@pytest.fixture(scope="session")
def balance_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[FakeRun], Balance]:
    known: dict[str, Balance] = {}

    def make(fake: FakeRun) -> Balance:
        if repr(fake) not in known:
            known[repr(fake)] = analyse(write(tmp_path_factory.mktemp("run"), fake))
        return known[repr(fake)]

    return make


@pytest.fixture(scope="session")
def page_of(balance_of: Callable[[FakeRun], Balance]) -> Callable[[FakeRun], str]:
    """The HTML page of a made-up run, rendered once."""
    known: dict[str, str] = {}

    def make(fake: FakeRun) -> str:
        if repr(fake) not in known:
            known[repr(fake)] = render_html(balance_of(fake))
        return known[repr(fake)]

    return make


@pytest.fixture(scope="session")
def typical(balance_of: Callable[[FakeRun], Balance]) -> Balance:
    return balance_of(TYPICAL)
