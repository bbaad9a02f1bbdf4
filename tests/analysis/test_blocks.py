"""The pass over games and seats against a brute-force recomputation from the log, written with plain polars."""

import math

import numpy as np
import polars as pl
import pytest

from analysis import blocks as block_module
from analysis.blocks import line_ups, read_blocks
from simcore import runlog
from simcore.errors import InputError
from tests.analysis.conftest import BOTS
from tests.analysis.fake_run import FakeRun, write, write_frames


def brute(run, line_up, table):
    return run.scan(table).filter(pl.col("line_up") == line_up).collect()


def by_block(frame, value):
    """Mean and standard error of the block means of an expression."""
    means = frame.group_by("deal").agg(value.mean().alias("x"))["x"]
    return means.mean(), means.std() / math.sqrt(len(means))


@pytest.fixture(params=["two_seats", "three_seats"])
def run(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(params=[0, 1])
def case(run, request):
    line_up = line_ups(run.manifest)[request.param]
    seats = brute(run, line_up.index, "seats")
    others = (pl.col("score").sum().over("game") - pl.col("score")) / (run.manifest["seats"] - 1)
    return (
        read_blocks(run, line_up),
        brute(run, line_up.index, "games"),
        seats.with_columns(margin=pl.col("score") - others),
    )


def check(estimate, expected):
    assert (estimate.value, estimate.se) == pytest.approx(expected, rel=1e-6)


def test_every_place_and_bot(case):
    blocks, _, seats = case
    n = blocks.seats
    for column, what in (("win_share", "share"), ("margin", "margin"), ("score", "score")):
        for i in range(n):
            check(blocks.mean(f"order{i}.{what}", ""), by_block(seats.filter(pl.col("order") == i), pl.col(column)))
            check(blocks.mean(f"seat{i}.{what}", ""), by_block(seats.filter(pl.col("seat") == i), pl.col(column)))
        for b in blocks.line_up.distinct:
            check(blocks.mean(f"bot{b}.{what}", ""), by_block(seats.filter(pl.col("bot") == b), pl.col(column)))


def test_every_column_of_a_bot(case):
    blocks, _, seats = case
    for b in blocks.line_up.distinct:
        mine = seats.filter(pl.col("bot") == b)
        for name, column in {
            "decisions": "decisions",
            "options": "options",
            "forced": "forced",
            "part.expeditions": "part_expeditions",
            "part.bonus": "part_bonus",
            "count.wagers_played": "count_wagers_played",
        }.items():
            check(blocks.mean(f"bot{b}.{name}", ""), by_block(mine, pl.col(column)))
        for name, column in {"score2": "score", "share2": "win_share", "margin2": "margin"}.items():
            check(blocks.mean(f"bot{b}.{name}", ""), by_block(mine, pl.col(column).cast(pl.Float64) ** 2))
        assert blocks.scores[b] == dict(mine["score"].value_counts().iter_rows())


def test_every_column_of_a_game(case):
    blocks, games, seats = case
    game = seats.group_by("game", maintain_order=True).agg(
        winning=pl.col("score").max(), losing=pl.col("score").min(), gap=pl.col("score").top_k(2).sort().diff().last()
    )
    games = games.join(game, on="game")
    changed = pl.col("last_lead_change") > 0
    expected = {
        "turns": pl.col("turns"),
        "rounds": pl.col("rounds"),
        "cut_off": pl.col("truncated"),
        "end1": pl.col("end") == 1,
        "lead_changes": pl.col("lead_changes"),
        "changed": changed,
        "last_change": pl.when(changed).then(pl.col("last_lead_change") / pl.col("turns")).otherwise(0),
        "tie": pl.col("winners").bitwise_count_ones() > 1,
        "winning": pl.col("winning"),
        "losing": pl.col("losing"),
        "close10": pl.col("gap") <= 10,
        "close0": pl.col("gap") <= 0,
    }
    for name, value in expected.items():
        check(blocks.mean(f"games.{name}", ""), by_block(games, value.cast(pl.Float64)))
    assert blocks.results["losing"] == dict(game["losing"].value_counts().iter_rows())


def test_comebacks_count_the_seats_that_are_behind(case):
    blocks, _, seats = case
    half = "standing_half"
    leader = pl.concat_list(pl.col(half).filter(pl.col("seat") == s).first().over("game") for s in range(blocks.seats))
    rows = seats.with_columns(all=leader).with_columns(
        behind=pl.col("all").list.max() - pl.col(half)
    )  # the leader's own lead does not matter here
    rows = rows.filter(pl.col("behind").is_between(3, 5))
    found = blocks.ratio(["games.behind1.share"], ["games.behind1.seats"], "share")
    assert found.value == pytest.approx(rows["win_share"].mean(), rel=1e-6)
    assert blocks.value("games.behind1.seats") * blocks.games == pytest.approx(len(rows))


def test_what_is_kept_game_by_game(case):
    blocks, games, seats = case
    first = seats.filter(pl.col("order") == 0)
    assert (blocks.turns.ravel() == games["turns"].to_numpy()).all()
    assert blocks.first_margin.ravel() == pytest.approx(first["margin"].to_numpy(), rel=1e-6)
    shares = first.group_by("deal", maintain_order=True).agg(pl.col("win_share").mean())["win_share"]
    assert blocks.first_share == pytest.approx(shares.to_numpy())


def test_identical_games_of_a_deal_are_counted_once(two_seats):
    weak, mixed, strong = (read_blocks(two_seats, line_up) for line_up in line_ups(two_seats.manifest))
    assert weak.distinct == weak.games == mixed.distinct == 1800
    assert strong.games == 1800
    assert strong.distinct == 900
    # And they do not make anything look surer than one game a deal does.
    assert strong.mean("order0.share", "").se == pytest.approx(0.5 / math.sqrt(900), rel=0.03)


def test_what_never_happens_is_as_sure_as_the_deals_in_which_it_could(tmp_path):
    # Both legs of a deal are one game played twice, so the 3/n of "zero of n seen" counts each case once.
    run = write(tmp_path, FakeRun(blocks=300, bots=BOTS, line_ups=((1, 1),), log="games"))
    blocks = read_blocks(run, line_ups(run.manifest)[0])
    assert blocks.distinct == blocks.blocks == 300
    behind = [f"games.behind{i}.seats" for i in range(3)]
    cases = round(sum(blocks.value(name) for name in behind) * blocks.games)
    assert 0 < cases / 2 < 300
    found = blocks.share_of(["games.cut_off"], behind)
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(3 / (cases / 2))


def test_three_plays_of_a_deal_are_counted_by_what_differs():
    hashes = np.array([[1, 1, 1], [1, 2, 1], [1, 2, 2], [1, 2, 3]])
    assert [block_module._distinct(hashes[i : i + 1]) for i in range(4)] == [1, 2, 2, 3]


def test_threads_change_nothing(two_seats):
    line_up = line_ups(two_seats.manifest)[1]
    one, four = (read_blocks(two_seats, line_up, threads) for threads in (1, 4))
    assert (one.moments.mean == four.moments.mean).all()
    assert (one.moments.covariance == four.moments.covariance).all()
    assert one.scores == four.scores


def test_shards_change_nothing_but_rounding(two_seats, tmp_path):
    # The made-up deals depend on the shards, so the same rows are read in one piece by hand.
    line_up = line_ups(two_seats.manifest)[1]
    pieces = read_blocks(two_seats, line_up)
    frames = {table: brute(two_seats, 1, table) for table in two_seats.tables}
    whole_manifest = two_seats.manifest | {"blocks_per_shard": 900, "line_ups": [[0, 1]]}
    zero = {
        table: frame.with_columns(pl.lit(0, pl.UInt16).alias("line_up"), pl.col("game") - pl.col("game").min())
        for table, frame in frames.items()
    }
    whole = read_blocks(write_frames(tmp_path, whole_manifest, lambda _: zero, 1), line_ups(whole_manifest)[0])
    assert whole.moments.mean == pytest.approx(pieces.moments.mean)
    assert whole.moments.covariance == pytest.approx(pieces.moments.covariance, rel=1e-9, abs=1e-9)


def test_a_line_up_without_finished_shards_is_none(tmp_path):
    run = write(tmp_path, FakeRun(blocks=100, bots=BOTS, blocks_per_shard=50), shards=1)
    first, second, _ = line_ups(run.manifest)
    assert read_blocks(run, first).blocks == 50
    assert read_blocks(run, second) is None


def test_a_damaged_file_is_named(tmp_path):
    run = write(tmp_path, FakeRun(blocks=100, bots=BOTS))
    path = runlog.part_path(run.path, "seats", 0)
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(InputError, match=r"seats.*part-000000.*--resume"):
        read_blocks(run, line_ups(run.manifest)[0])


def test_line_ups_are_named_as_in_a_sentence(three_seats):
    assert [str(line_up) for line_up in line_ups(three_seats.manifest)] == [
        "weak against itself",
        "1 strong against 2 weak",
    ]
