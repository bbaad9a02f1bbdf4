"""Groups of cards, against counts in plain Python, and planted leads and none."""

import dataclasses

import numpy as np
import polars as pl
import pytest

from analysis import group_verdicts
from analysis.balance import analyse
from analysis.blocks import line_ups
from analysis.groups import HELD, GroupReader, Stamped, groups
from simcore import manifest as manifests
from tests.analysis import fake_market, fake_run
from tests.analysis.fake_market import FakeMarket
from tests.analysis.fake_run import COLOURS, FakeBot, FakeRun, write, write_frames

EXPERT = FakeBot("expert", "expert")
BLOCKS = {f"block_{row}{column}": f"row {row}" for row in "AB" for column in (1, 2, 3)}
NEVER = "block_B3"
DECREES = ("d1", "d2")


def city(folder, eager=0.0, tallied=True, **fake):
    """A made-up run with blocks that are chosen: each is taken by one of the seats in half of the games, NEVER in none.
    With the chance `eager` a block of row A is taken by the winner. Decrees are tallied, without any tie to winning.
    """
    plain = FakeRun(**({"blocks": 800, "bots": (EXPERT,), "line_ups": ((0, 0),)} | fake))
    described = fake_run.manifest(plain)
    common = {"in_hand": False, "side_of": ""}
    described["cards"] = [
        *described["cards"][:12],
        *(common | {"id": b, "label": f"{b.replace('_', ' ')}: gold", "type": b, "group": g, "tallied": False}
          for b, g in BLOCKS.items()),
        *(common | {"id": d, "label": d, "type": d, "group": "decree", "tallied": True} for d in DECREES if tallied),
    ]  # fmt: skip
    described["tallies"] = ["signed", "paid"] if tallied else []

    def frames(number):
        line_up, first, last = manifests.cut(described).blocks_of(number)
        made = fake_run.shard(plain, line_up, first // plain.blocks_per_shard, first, last)
        rows, n = made["cards"], plain.seats
        dice = np.random.default_rng([plain.seed, 6, number])
        games = len(rows) // n
        winner = rows["win_share"].to_numpy().reshape(games, n).argmax(axis=1)
        stamps = {}
        for block, group in BLOCKS.items():
            by = np.where((dice.random(games) < eager) & (group == "row A"), winner, dice.integers(0, n, games))
            taken = (dice.random(games) < 0.5) & (block != NEVER)
            mine = taken[:, None] & (by[:, None] == np.arange(n))
            stamps[block] = np.where(mine, 3 << 6, 0).reshape(-1).astype(np.uint8)
        times = {
            f"{d}_{tally}": dice.poisson(mean, len(rows)).astype(np.uint8)
            for d, mean in zip(DECREES, (1.5, 0.2), strict=True)
            for tally in described["tallies"]
        }
        kept = [name for name in rows.columns if name not in {card["id"] for card in fake_run.cards()[12:]}]
        made["cards"] = rows.select(kept).with_columns(**{k: pl.Series(v) for k, v in (stamps | times).items()})
        return made

    return write_frames(folder, described, frames, manifests.cut(described).shards)


def row(frame, **only):
    found = frame.filter(**only)
    assert len(found) == 1
    return found.row(0, named=True)


def test_groups_are_the_manifest_s_and_the_columns_stand_by_group():
    described = fake_run.manifest(FakeRun())
    described["cards"] = described["cards"][::-1]  # the colours come the other way round
    stamped = Stamped.of(described)
    assert stamped.names == COLOURS[::-1]
    assert stamped.in_hand == (True,) * 5
    assert stamped.chosen == ()
    for (start, end), colour in zip(stamped.bounds, stamped.names, strict=True):
        assert end - start == 12
        assert {column[0] for column in stamped.columns[start:end]} == {colour[0].upper()}


@pytest.mark.parametrize("run_name", ["two_seats", "three_seats"])
def test_counts_are_those_of_the_log(run_name, request):
    run = request.getfixturevalue(run_name)
    n = run.manifest["seats"]
    found = groups(run, line_ups(run.manifest)[1])
    log = run.scan("cards").filter(pl.col("line_up") == 1).collect()
    codes = log.select([card["id"] for card in fake_run.cards() if card["group"] == "green"]).to_numpy()
    places = np.array(run.manifest["line_ups"][1])
    bot = places[(log["seat"].to_numpy().astype(int) + log["rotation"].to_numpy()) % n]
    counts = {
        (HELD, "gain"): codes >> 6 > 0, ("dealt", "gain"): codes >> 6 == 1, ("taken", "gain"): codes >> 6 == 3,
        ("played", "fate"): codes >> 4 & 3 == 1, ("discarded", "fate"): codes >> 4 & 3 == 2,
    }  # fmt: skip
    for (event, kind), mask in counts.items():
        by_seat = log.select("game", "deal", "seat", "win_share", bot=pl.Series(bot), x=pl.Series(mask.sum(axis=1)))
        of_game = by_seat.group_by("game", "deal", "seat").agg(
            pl.col("x").sum().cast(pl.Float64), pl.col("win_share").first().cast(pl.Float64), pl.col("bot").first()
        )
        for b, name in enumerate(("weak", "strong")):
            mean = of_game.filter(bot=b)["x"].mean()
            assert row(found.rates, group="green", event=event, bot=name)["value"] == pytest.approx(mean, rel=1e-6)
        mine = (pl.col("x") * pl.col("win_share")).sum()
        leads = of_game.group_by("game", "deal").agg(lead=mine - (pl.col("x").sum() - mine) / (n - 1))
        by_deal = leads.group_by("deal").agg(pl.col("lead").mean())["lead"]
        lead = row(found.leads, group="green", event=event)
        assert lead["kind"] == kind
        assert lead["value"] == pytest.approx(by_deal.mean(), abs=1e-5)
        half = 1.96 * by_deal.std() / len(by_deal) ** 0.5
        assert (lead["high"] - lead["low"]) / 2 == pytest.approx(half, rel=1e-3)


def test_threads_and_batches_change_nothing(two_seats):
    line_up = line_ups(two_seats.manifest)[1]
    one, many = groups(two_seats, line_up, threads=1), groups(two_seats, line_up, threads=3)
    assert one.rates.equals(many.rates)
    assert one.leads.equals(many.leads)


def test_a_planted_lead_is_found_and_no_other(tmp_path):
    found = groups(run := city(tmp_path, eager=0.4), line_ups(run.manifest)[0])
    leads = {(r["group"], r["event"]): r for r in found.leads.iter_rows(named=True)}
    # Three blocks, taken in half of the games, of which the winner takes 0.4 more; ties split that.
    assert leads["row A", HELD]["low"] < 0.6 < leads["row A", HELD]["high"] + 0.03
    assert leads["row A", HELD]["flagged"]
    for other in (("row B", HELD), ("decree", "signed"), ("decree", "paid")):
        assert not leads[other]["flagged"]
    assert set(found.rates["group"]) == {"yellow", "row A", "row B", "decree"}
    assert row(found.rates, group="row A", event=HELD)["value"] == pytest.approx(0.75, abs=0.05)
    assert row(found.rates, group="decree", event="signed")["value"] == pytest.approx(1.7, abs=0.1)
    assert row(found.rates, group="decree", event="signed")["cards"] == 2


def test_without_a_planted_lead_none_is_found(tmp_path):
    found = groups(run := city(tmp_path), line_ups(run.manifest)[0])
    chosen = found.leads.filter(pl.col("group") != "yellow")  # of hands, the fates go with the luck of the game
    assert not chosen["flagged"].any()


def test_types_that_are_chosen_have_their_share(tmp_path):
    found = groups(run := city(tmp_path), line_ups(run.manifest)[0])
    assert set(found.types["type"]) == set(BLOCKS)
    shares = dict(found.types.select("type", "value").iter_rows())
    assert shares[NEVER] == 0
    assert row(found.types, type=NEVER)["high"] == pytest.approx(3 / 800)
    for block in set(BLOCKS) - {NEVER}:
        one = row(found.types, type=block)
        assert one["low"] < 0.5 < one["high"] or one["value"] == pytest.approx(0.5, abs=0.05)


def test_cards_that_lie_there_for_all_are_nobody_s_gain_and_not_chosen(tmp_path):
    run = fake_market.write(tmp_path, FakeMarket(blocks=100))
    found = groups(run, line_ups(run.manifest)[0])
    assert set(found.rates["event"]) == {HELD, "upgraded", "built", "lost", "played", "hired"}
    assert len(found.types) == 0
    tallied = found.rates.filter(kind="tally")
    assert set(tallied["group"]) == {"people"}


def test_no_card_log_no_groups(tmp_path):
    run = write(tmp_path, FakeRun(blocks=20, log="games"))
    assert groups(run, line_ups(run.manifest)[0]) is None


def test_a_game_for_one_has_no_leads(tmp_path):
    run = write(tmp_path, FakeRun(blocks=60, seats=1, line_ups=((0,),), bots=(EXPERT,)))
    found = groups(run, line_ups(run.manifest)[0])
    assert len(found.leads) == 0
    assert len(found.rates)


def test_a_large_group_is_counted_beyond_a_byte():
    described = fake_run.manifest(FakeRun())
    cards = [dict(described["cards"][0], id=f"c{i}", type=f"t{i}", group="all") for i in range(300)]
    run = dataclasses.make_dataclass("R", ["manifest", "blocks"])(described | {"cards": cards}, 10)
    reader = GroupReader(run, line_ups(described)[0])
    frame = pl.DataFrame({f"c{i}": np.full(4, 1 << 6, np.uint8) for i in range(300)})
    assert reader._stamped(frame)[0].tolist() == [300] * 4


# --- sentences -------------------------------------------------------------------------------------------------------


def said(run):
    balance = analyse(run)
    return {v.topic: v.text for q in group_verdicts.QUESTIONS if (v := q(balance)) is not None}


def test_the_page_says_what_carries_the_game_and_what_nobody_takes(tmp_path):
    texts = said(city(tmp_path, eager=0.6))
    assert "row A +0.8" in texts["groups"] or "row A +0.9" in texts["groups"]
    assert "row B" not in texts["groups"]
    assert texts["unused"].startswith("Hardly anybody takes block B3: 0.0 % of the copies in a game")
    assert texts["chosen"].startswith("Six kinds of cards are there to be chosen. Taken most is block ")
    assert "least block B3: 0.0 %" in texts["chosen"]


def test_a_game_without_chosen_cards_says_nothing_of_them(tmp_path):
    texts = said(write(tmp_path, FakeRun(blocks=300, bots=(EXPERT,), line_ups=((0, 0),))))
    assert set(texts) == {"groups"}
