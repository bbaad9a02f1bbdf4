"""Line-ups, rotations and deals of Lost Cities, and that the tables depend on the plan alone."""

import random
from dataclasses import replace
from itertools import count, pairwise, product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

from simcore import batch, records
from simcore.cardset import build
from simcore.game import Note
from simcore.games.lost_cities.cardset import SCHEMA
from simcore.plan import Plan, make_plan
from simcore.play import Table, play_shard
from simcore.random import NOISE, draw_word, salt, seed_noise
from simcore.runlog import Run
from tests.simcore.games.lost_cities_stacked import shipped

pytestmark = pytest.mark.engine

NAMES = ("uniform", "heuristic")
LINE_UPS = ((0, 0), (0, 1), (1, 1))
SEED = 31


def plan(games: int = 12, log: str = "moves", card_set: str = "single_round") -> Plan:
    return make_plan("lost-cities", shipped(card_set), 2, NAMES, LINE_UPS, games, SEED, log)  # type: ignore[arg-type]


def tables(made: Plan) -> dict[str, pl.DataFrame]:
    """All rows of a plan, played shard by shard."""
    parts = [play_shard(shard) for shard in made.shards()]
    return {name: pl.concat([part[name] for part in parts]) for name in parts[0]}


def read(run: Run) -> dict[str, pl.DataFrame]:
    return {name: run.scan(name).collect() for name in run.tables}


def same(found: dict[str, pl.DataFrame], expected: dict[str, pl.DataFrame]) -> None:
    assert list(found) == list(expected)
    for name in expected:
        assert_frame_equal(found[name], expected[name])


# --- The same plan, the same tables ----------------------------------------------------------------------------------


@pytest.mark.jitted
@pytest.mark.parametrize("log", ["games", "moves"])
def test_threads_and_shards_change_nothing(log: str, tmp_path: Path) -> None:
    whole = replace(plan(log=log), blocks_per_shard=6)
    expected = tables(whole)
    assert expected["games"]["game"].to_list() == list(range(36))
    for blocks, threads in product((1, 4, 6), (1, 2, 8)):
        run = batch.run(replace(whole, blocks_per_shard=blocks), tmp_path / f"{blocks}-{threads}", threads=threads)
        same(read(run), expected)


def test_shards_change_nothing() -> None:
    made = replace(plan(games=8), line_ups=((0, 1),))
    same(tables(replace(made, blocks_per_shard=1)), tables(replace(made, blocks_per_shard=4)))


@pytest.mark.jitted
def test_many_games_on_threads(tmp_path: Path) -> None:
    made = plan(games=6000, log="cards")
    assert made.cut.shards > 8
    expected = read(batch.run(made, tmp_path / "1", threads=1))
    same(read(batch.run(made, tmp_path / "8", threads=8)), expected)
    same(read(batch.run(replace(made, blocks_per_shard=3000), tmp_path / "2", threads=2)), expected)


@pytest.mark.jitted
def test_a_full_buffer_of_moves_does_not_show() -> None:
    """A shard with more decisions than the buffer holds is played in pieces."""
    big = replace(plan(games=16_000), line_ups=((0, 0),), blocks_per_shard=8000)
    whole = play_shard(big.shard(0))
    assert len(whole["moves"]) > 2**20
    same(tables(replace(big, blocks_per_shard=1000)), whole)


def test_the_global_generators_play_no_part() -> None:
    made = plan(games=4)
    np.random.seed(1)  # noqa: NPY002  # this is what shall not matter
    random.seed(1)
    expected = tables(made)
    np.random.seed(2)  # noqa: NPY002
    np.random.random(100)  # noqa: NPY002
    random.seed(2)
    same(tables(made), expected)


def test_a_table_can_be_used_again() -> None:
    """Games before, and a game that was left in the middle, leave nothing behind."""
    table = Table("lost-cities", shipped("base"), 2, NAMES, SEED)
    fresh = Table("lost-cities", shipped("base"), 2, NAMES, SEED)
    for _, step in zip(range(30), table.steps(5, 1), strict=False):
        assert step.seat < 2
    used = next(iter(table.play(3, 5, "moves")))
    new = next(iter(fresh.play(3, 5, "moves")))
    assert used.rows.tobytes() == new.rows.tobytes()
    assert used.stamps.tobytes() == new.stamps.tobytes()
    assert used.moves is not None
    assert new.moves is not None
    assert used.moves.tobytes() == new.moves.tobytes()


def test_a_silent_run_plays_the_same_games() -> None:
    table = Table("lost-cities", shipped("base"), 2, NAMES, SEED)
    silent, logged = (next(iter(table.play(0, 4, log))).rows for log in (None, "cards"))
    for name in ("turns", "rounds", "end", "truncated", "winners"):
        assert silent[name].tolist() == logged[name].tolist()
    for name in ("points", "order", "rank"):
        assert silent["seat"][name].tolist() == logged["seat"][name].tolist()


def test_another_seed_gives_other_games() -> None:
    made = plan(games=4)
    other = tables(replace(made, seed=SEED + 1))
    assert set(other["games"]["play_hash"]).isdisjoint(tables(made)["games"]["play_hash"])


# --- Line-ups, rotations, seats and turn order -----------------------------------------------------------------------


def test_every_bot_sits_in_every_seat_of_a_deal() -> None:
    seats = tables(plan())["seats"]
    for row in seats.iter_rows(named=True):
        assert row["bot"] == LINE_UPS[row["line_up"]][(row["seat"] + row["rotation"]) % 2]
    met = seats.filter(pl.col("line_up") == 1).group_by("deal").agg(pl.col("bot").sort())
    assert met["bot"].to_list() == [[0, 0, 1, 1]] * 6


def test_order_is_turn_order_and_has_nothing_to_do_with_the_seat() -> None:
    found = tables(plan(games=16))
    orders = found["seats"].group_by("game").agg(pl.col("order").sort())["order"].to_list()
    assert orders == [[0, 1]] * 48
    first = found["moves"].filter(pl.col("number") == 0).select("game", "seat")
    starters = found["seats"].filter(pl.col("order") == 0).select("game", "seat")
    assert_frame_equal(first, starters)
    assert set(starters["seat"]) == {0, 1}


@pytest.mark.jitted
def test_the_starter_is_a_fair_coin_and_forgets() -> None:
    """One draw a deal: over deals even, and independent of the deal before."""
    table = Table("lost-cities", shipped("single_round"), 2, NAMES, SEED)
    rows = np.concatenate([played.rows for played in table.play(0, 20_000)])
    starter = rows["seat"]["order"][::2, 0].astype(int)
    assert stats.binomtest(int(starter.sum()), len(starter)).pvalue > 1e-3
    after = np.bincount(2 * starter[:-1] + starter[1:], minlength=4)
    assert stats.chisquare(after).pvalue > 1e-3


def deal(table: Table, number: int, rotation: int) -> list[tuple[int, int, int, int]]:
    return [event for event in next(table.steps(number, rotation)).events if event[0] != Note.START]


@pytest.mark.parametrize("card_set", ["single_round", "long"])
def test_a_deal_is_the_same_for_all(card_set: str) -> None:
    """Starter and hands by seat, whoever plays and in whatever rotation (common random numbers)."""
    line_ups = [Table("lost-cities", shipped(card_set), 2, pair, SEED) for pair in product(NAMES, repeat=2)]
    for number in range(10):
        deals = [deal(table, number, rotation) for table in line_ups for rotation in (0, 1)]
        assert all(other == deals[0] for other in deals)
        assert len(deals[0]) == 1 + 2 + 16
    assert deal(line_ups[0], 1, 0) != deal(line_ups[0], 2, 0)


def draws(table: Table, number: int, rotation: int) -> list[list[int]]:
    """The cards that each seat draws from the deck, in turn, and the deck's end is its own."""
    found: list[list[int]] = [[], []]
    for step in table.steps(number, rotation):
        for kind, _, seat, card in step.events:
            if kind == Note.GAIN + 1:
                found[seat].append(card)
    return found


def test_what_a_seat_draws_does_not_depend_on_the_other() -> None:
    """Each draws from an end of the deck; only where they meet does it matter who has drawn more."""
    one, other = (Table("lost-cities", shipped("single_round"), 2, pair, SEED) for pair in (NAMES, NAMES[::-1]))
    for number in range(5):
        for mine, theirs in zip(draws(one, number, 0), draws(other, number, 0), strict=True):
            least = min(len(mine), len(theirs))
            assert mine[:least] == theirs[:least]
            assert least > 0


def test_rounds_of_a_match_have_their_own_decks() -> None:
    table = Table("lost-cities", shipped("base"), 2, ("uniform", "uniform"), SEED)
    hands: dict[int, list[int]] = {}
    number = 0
    for step in table.steps(0, 0):
        for kind, time, seat, card in step.events:
            if kind == Note.ROUND_ORDER:
                number = time
            elif kind == Note.GAIN and seat == 0:
                hands.setdefault(number, []).append(card)
    assert len(hands) == 3
    assert all(set(a) != set(b) for a, b in pairwise(hands.values()))


def test_cards_whose_ids_have_one_hash_are_both_dealt() -> None:
    """A card's place in a shuffle follows from 32 bits of a hash of its id; equal ones would lie in one place."""
    by_salt: dict[int, str] = {}
    for number in count():
        first = by_salt.setdefault(salt(f"c{number}"), f"c{number}")
        if first != f"c{number}":
            break
    base = shipped("single_round")
    rows = [{name: row[name] for name in ("id", "color", "kind", "value")} for row in base.tables["cards"]]
    rows[3]["id"], rows[40]["id"] = first, f"c{number}"
    card_set = build(SCHEMA, "alike", base.scalars, {"cards": rows})
    table = Table("lost-cities", card_set, 2, ("uniform", "uniform"), SEED)
    salts = table.cards.deck.salt[:60].tolist()
    assert salts[40] == salts[3] + 1
    assert len(set(salts)) == 60
    next(table.steps(0, 0))
    assert len(set(table.state.secret.deck[:60].tolist())) == 60


# --- Noise -----------------------------------------------------------------------------------------------------------


def test_noise_belongs_to_the_place_and_not_to_the_opponent() -> None:
    """A bot's stream starts from (seed; deal, place) in both seats, and moves by its own decisions alone."""
    for pair, rotation in product(product(("uniform",), NAMES), (0, 1)):
        table = Table("lost-cities", shipped("single_round"), 2, pair, SEED)
        seat = (0 - rotation) % 2  # of place 0
        noise = records.zero(NOISE)
        seed_noise(noise, np.uint64(SEED), np.uint64(4), 0)
        steps = table.steps(4, rotation)
        next(steps)
        assert table.noise[seat]["word"] == noise.word
        asked = sum(step.seat == seat and len(step.options) > 1 for step in steps)
        for _ in range(asked):
            draw_word(noise)
        assert table.noise[seat]["word"] == noise.word


def test_equal_bots_do_not_play_in_step() -> None:
    table = Table("lost-cities", shipped("single_round"), 2, ("uniform", "uniform"), SEED)
    for number in range(5):
        next(table.steps(number, 0))
        assert table.noise["word"][0] != table.noise["word"][1]
        rotated = table.noise["word"].copy()
        next(table.steps(number, 1))
        assert table.noise["word"].tolist() == rotated[::-1].tolist()


def test_deterministic_bots_play_one_game_in_both_rotations() -> None:
    """Found by the play hash."""
    games = tables(plan())["games"]
    hashes = games.group_by("line_up", "deal").agg(pl.col("play_hash").n_unique()).sort("line_up", "deal")
    assert set(hashes.filter(pl.col("line_up") == 2)["play_hash"]) == {1}
    assert set(hashes.filter(pl.col("line_up") == 0)["play_hash"]) == {2}
