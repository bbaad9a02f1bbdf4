"""The engine plays a game that it does not know: 2 to 5 seats, secret simultaneous choices, decisions by other seats.

The game stands in one folder (toygame), and nothing of simcore names it.
"""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from simcore import batch, bots, replay, runlog
from simcore.cardset import CardSet
from simcore.engine import engine
from simcore.errors import JobError
from simcore.plan import Plan, make_plan
from simcore.play import Table, play_shard
from tests.simcore.retold import rank, result
from tests.simcore.toygame.bots import fraction
from tests.simcore.toygame.state import SEAT, STRIDE, Decision

pytestmark = pytest.mark.engine

SEATS = (2, 3, 4, 5)
NAMES = ("dice", "payer", "greedy")


def plan(bids: CardSet, seats: int, blocks: int = 4, **changes) -> Plan:  # type: ignore[no-untyped-def]
    """The first line-up has one bot of each kind as far as there are seats."""
    line_ups = (tuple(place % 3 for place in range(seats)), (2,) * seats)
    return make_plan("bids", bids, seats, NAMES, line_ups, blocks * seats, seed=12, log=changes.get("log", "moves"))


@pytest.mark.parametrize("seats", SEATS)
def test_every_bot_of_a_line_up_plays_in_every_seat(bids: CardSet, seats: int) -> None:
    """Cyclic: each place keeps the same neighbours."""
    made = plan(bids, seats)
    for shard in made.shards():
        line_up = made.line_ups[shard.line_up]
        for (_, rotation), frame in play_shard(shard)["seats"].group_by("deal", "rotation"):
            assert frame["bot"].to_list() == [line_up[(seat + rotation) % seats] for seat in range(seats)]
            assert sorted(frame["order"]) == list(range(seats))


@pytest.mark.parametrize("seats", SEATS)
def test_a_run_can_be_written_and_replayed(bids: CardSet, seats: int, tmp_path: Path) -> None:
    made = plan(bids, seats, blocks=2)
    run = batch.run(made, tmp_path / "run", threads=2)
    assert runlog.open_run(tmp_path / "run").complete
    names = run.manifest["bots"]
    assert [bot["name"] for bot in names] == list(NAMES)
    for game in range(0, made.games, 3):
        document = replay.document(run, game)
        rows = run.scan("seats").filter(pl.col("game") == game).collect()
        assert document["seats"] == seats
        assert document["result"]["scores"] == rows["score"].to_list()
        assert document["bots"] == [NAMES[bot] for bot in rows["bot"]]
        assert len([event for event in document["events"] if event.get("decision") == "BID"]) % seats == 0
        assert replay.in_words(document).endswith(("wins", "share the win"))


@pytest.mark.parametrize("seats", SEATS)
def test_choices_are_secret_until_all_have_chosen(bids: CardSet, seats: int) -> None:
    table = Table("bids", bids, seats, ("dice",) * seats, 3)
    public, waiting = table.state.public, []
    shown: list[int] = []
    for step in table.steps(0, 1):
        if step.decision == Decision.BID:
            waiting.append((step.seat, step.action // STRIDE))
            if len(waiting) < seats:
                assert public.actor == (step.seat + 1) % seats
                assert [int(table.state.private[seat].bid) for seat, _ in waiting] == [card for _, card in waiting]
                assert public.shown[:seats].tolist() == shown
                assert not step.events
            else:
                assert [card for _, card in sorted(waiting)] == public.shown[:seats].tolist()
                assert {int(table.state.private[seat].bid) for seat in range(seats)} == {-1}
                waiting = []
        shown = public.shown[:seats].tolist()


@pytest.mark.parametrize("seats", SEATS)
def test_any_seat_may_be_asked_next(bids: CardSet, seats: int) -> None:
    """The named seat answers, out of turn; options may lie in any word of the mask."""
    table = Table("bids", bids, seats, ("dice",) * seats, 4)
    words = set()
    for deal in range(3):
        named = -1
        for step in table.steps(deal, 0):
            words |= {action // 64 for action in step.options}
            if step.decision == Decision.NAME:
                assert set(step.options) == {SEAT + seat for seat in range(seats) if seat != step.seat}
                named = step.action - SEAT
            elif step.decision == Decision.ANSWER:
                assert step.seat == named
    assert words == {*range(-(-len(bids.tables["cards"]) * STRIDE // 64)), SEAT // 64}


@pytest.mark.jitted
def test_ties_are_broken_by_the_key_then_shared(bids: CardSet) -> None:
    """More tricks win between equal points."""
    table = Table("bids", bids, 2, ("dice", "dice"), 5)
    outcomes = set()
    for played in table.play(0, 400, "games"):
        for row in played.rows:
            points, places = row["seat"]["points"][:2], row["seat"]["rank"][:2]
            tricks = row["seat"]["counter"][:2, 0]
            if points[0] != points[1]:
                outcomes.add("points")
                assert places[np.argmax(points)] == 1
            elif tricks[0] != tricks[1]:
                outcomes.add("key")
                assert sorted(places) == [1, 2]
                assert places[np.argmax(tricks)] == 1
                assert row["winners"] == 1 << np.argmax(tricks)
            else:
                outcomes.add("shared")
                assert list(places) == [1, 1]
                assert row["winners"] == 3
    assert {"points", "key"} <= outcomes


def test_places_skip_those_that_a_tie_takes(bids: CardSet) -> None:
    table = Table("bids", bids, 5, ("greedy",) * 5, 6)
    for deal in range(10):
        for _ in table.steps(deal, 0):
            pass
        places = [rank(table, seat) for seat in range(5)]
        order = sorted((result(table, seat) for seat in range(5)), reverse=True)
        assert places == [order.index(result(table, seat)) + 1 for seat in range(5)]


@pytest.mark.parametrize("seats", [2, 5])
def test_a_forced_decision_is_not_put_to_the_bot(bids: CardSet, seats: int) -> None:
    """`dice` counts what it is asked in its memory, which is empty when a game begins."""
    table = Table("bids", bids, seats, ("dice",) * seats, 7)
    for deal in range(3):
        asked = [0] * seats
        forced = 0
        for step in table.steps(deal, 1):
            if step.seat < 0:
                assert not table.minds["memory"].any()
            elif len(step.options) > 1:
                asked[(step.seat + 1) % seats] += 1
            else:
                forced += 1
        assert table.minds["memory"][:seats, 0].tolist() == asked
        assert forced or seats > 2  # which seat is named leaves no choice between two
    for played in table.play(0, 3, "games"):
        last = played.rows[-1]  # rotation seats - 1: place p sits in seat p + 1
        decisions = [int(last["seat"]["decisions"][(place + 1) % seats]) for place in range(seats)]
        assert table.minds["memory"][:seats, 0].tolist() == decisions


def test_weights_belong_to_the_place(bids: CardSet) -> None:
    """`payer` is `dice` with another weight: one policy, two bots."""
    table = Table("bids", bids, 3, ("dice", "payer", "dice"), 8)
    paid = np.zeros(3, int)
    for played in table.play(0, 20, "games"):
        for game, row in enumerate(played.rows):
            for seat in range(3):
                paid[(seat + game % 3) % 3] += row["seat"]["counter"][seat, 1]
    assert paid[1] > 0
    assert paid[0] == paid[2] == 0


# --- Bots that break the rules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "action", "where"),
    [
        ("negative", -1, "seed 9, deal 4, rotation 0"),
        ("huge", 2**32 - 1, "seed 9, deal 4, rotation 0"),
        ("absent", None, "seed 9, deal 4, rotation 0"),
    ],
)
def test_an_illegal_action_ends_the_job_with_seed_and_deal(
    bids: CardSet, bot: str, action: int | None, where: str
) -> None:
    table = Table("bids", bids, 3, ("greedy", bot, "greedy"), 9)
    what = rf"chose action {'[0-9]+' if action is None else action}, which is not legal \({where}\)"
    with pytest.raises(JobError, match=f"a bot of the line-up greedy, {bot}, greedy {what}"):
        list(table.play(4, 6, "games"))
    with pytest.raises(JobError, match=f"a bot of the line-up greedy, {bot}, greedy {what}"):
        list(table.play(4, 6))
    with pytest.raises(JobError, match=f"bot {bot} {what}"):
        list(table.steps(4, 0))


def test_an_illegal_action_is_not_carried_out(bids: CardSet) -> None:
    table = Table("bids", bids, 2, ("absent", "greedy"), 9)
    states = []

    def play() -> None:
        states.extend(table.state.tobytes() for _ in table.steps(0, 0))

    with pytest.raises(JobError):
        play()
    assert len(states) > 10
    assert table.state.tobytes() == states[-1]


def test_a_run_with_such_a_bot_fails_and_says_where(bids: CardSet, tmp_path: Path) -> None:
    made = make_plan("bids", bids, 2, ("greedy", "absent"), ((0, 1),), 4, seed=9)
    with pytest.raises(JobError, match=r"chose action [0-9]+, which is not legal \(seed 9, deal [0-9]+, rotation 0\)"):
        batch.run(made, tmp_path / "run", threads=1)


@pytest.mark.jitted
def test_a_policy_that_returns_a_fraction_is_refused(bids: CardSet) -> None:
    what = "bot fraction: a policy returns an integer action, this one returns float64"
    for _ in range(2):  # also when it comes from the disk
        with pytest.raises(ValueError, match=what):
            Table("bids", bids, 2, ("fraction", "dice"), 9)
        engine("bids")._functions.pop((fraction.py_func, None))


def test_bots_of_every_game_play_it(bids: CardSet) -> None:
    assert "uniform" in [bot.name for bot in bots.available("bids")]
    table = Table("bids", bids, 4, ("uniform",) * 4, 10)
    assert sum(len(played.rows) for played in table.play(0, 3)) == 12
