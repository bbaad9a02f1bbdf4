"""What is built of the cards on the table, and what their being there does, on run folders whose truth is known."""

import numpy as np
import polars as pl
import pytest

from analysis import stats
from analysis.blocks import line_ups
from analysis.market import LEAST_F, LENGTH, MARGIN, SCORE, SPREAD, MarketTypes, market
from tests.analysis import fake_run
from tests.analysis.fake_market import DRAWN, FakeBot, FakeMarket, buildings, city, manifest, write

PRESENCE = {"A": 1.0, "E": -2.0}
TURNS = {"B": 2.0}
BUILDING = {"F": 0.0, "A": 0.9}
PLANTED = FakeMarket(
    blocks=2000, presence=PRESENCE, turns=TURNS, building=BUILDING, for_first={"D": 3.0}, eager=True
)  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write(tmp_path_factory.mktemp("market"), PLANTED)


@pytest.fixture(scope="module")
def mirror(run):
    return market(run, line_ups(run.manifest)[2])


@pytest.fixture(scope="module")
def mixed(run):
    return market(run, line_ups(run.manifest)[1])


def rows(frame, **only):
    return {row["type"].removeprefix("house_"): row for row in frame.filter(**only).iter_rows(named=True)}


def relative_truth(planted):
    """Planted effects less the average of their colour, weighted by the copies that lie on the table."""
    letters = [letter for _, letter in buildings()]
    copies = np.mean([city(PLANTED, deal) for deal in range(PLANTED.blocks)], axis=0)
    out = {}
    for colour in DRAWN:
        of = {letter: 0.0 for c, letter in buildings() if c == colour}
        weight = {k: sum(copies[i] for i, letter in enumerate(letters) if letter == k) for k in of}
        average = sum(weight[k] * planted.get(k, 0.0) for k in of) / sum(weight.values())
        out |= {k: planted.get(k, 0.0) - average for k in of}
    return out


# --- the types -------------------------------------------------------------------------------------------------------


def test_the_types_are_those_that_lie_on_the_table():
    types = MarketTypes.of(manifest(PLANTED))
    assert types.names == tuple(f"house_{letter}" for letter in "ABCDEFGHI")
    assert types.columns[0] == ("house_0", "house_1", "house_2")
    assert types.sides[3] == ("upgrade_9",)
    assert types.groups[:4] == ("green", "green", "green", "blue")


def test_a_game_that_offers_nothing_has_no_market(tmp_path):
    run = fake_run.write(tmp_path, fake_run.FakeRun(blocks=20))
    assert MarketTypes.of(run.manifest).names == ()
    assert market(run, line_ups(run.manifest)[0]) is None


def test_no_card_log_no_market(tmp_path):
    run = write(tmp_path, FakeMarket(blocks=20, log="games"))
    assert market(run, line_ups(run.manifest)[0]) is None


# --- use -------------------------------------------------------------------------------------------------------------


def brute_force(run, line_up):
    """Use by type, counted game by game in plain Python."""
    cards = run.scan("cards", line_up=line_up).collect()
    letters = [letter for _, letter in buildings()]
    found = {}
    for _, game in cards.group_by("game"):
        share = game["win_share"].to_list()
        offered, built = dict.fromkeys(letters, 0), dict.fromkeys(letters, 0)
        for i, letter in enumerate(letters):
            sums = found.setdefault(letter, dict.fromkeys(("offered", "built", "winner", "upgraded", "when"), 0.0))
            stamps, sides = game[f"house_{i}"].to_list(), game[f"upgrade_{i}"].to_list()
            offered[letter] += stamps[0] >> 6 == 1
            for stamp, side, won in zip(stamps, sides, share, strict=True):
                if stamp >> 4 & 3 == 1:
                    built[letter] += 1
                    sums["winner"] += won
                    sums["when"] += 2 * (stamp & 15) + 1.5
                sums["upgraded"] += side >> 6 == 2
        for letter in offered:
            sums = found[letter]
            sums["offered"] += offered[letter]
            sums["built"] += built[letter]
            sums["games"] = sums.get("games", 0) + (offered[letter] > 0)
            sums["once"] = sums.get("once", 0) + (built[letter] > 0)
    return found


def test_use_is_what_the_log_says(run, mixed):
    truth = brute_force(run, 1)
    for letter, row in rows(mixed.types).items():
        sums = truth[letter]
        assert row["games"] == sums["games"]
        assert row["lying"] == pytest.approx(sums["offered"] / sums["games"])
        assert row["built"] == pytest.approx(sums["built"] / sums["offered"])
        assert row["once"] == pytest.approx(sums["once"] / sums["games"])
        if sums["built"]:
            assert row["winner"] == pytest.approx(sums["winner"] / sums["built"])
            assert row["upgraded"] == pytest.approx(sums["upgraded"] / sums["built"])
            assert row["when"] == pytest.approx(sums["when"] / sums["built"], rel=1e-5)
        assert row["built_low"] <= row["built"] <= row["built_high"]


def test_what_nobody_builds_has_an_upper_bound_by_its_chances(mirror):
    row = rows(mirror.types)["F"]
    assert (row["once"], row["once_low"], row["when"]) == (0.0, 0.0, None)
    # The same cards lie there in both games of a deal, so a deal is one chance.
    assert row["once_high"] == pytest.approx(3 / (row["games"] / 2))


def test_builders_of_a_line_up_add_up(mixed):
    by_bot = rows(mixed.by_bot, bot="uniform"), rows(mixed.by_bot, bot="expert")
    for letter, row in rows(mixed.types).items():
        assert by_bot[0][letter]["value"] + by_bot[1][letter]["value"] == pytest.approx(row["built"])


# --- presence --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("outcome", "planted"), [(SCORE, PRESENCE), (LENGTH, TURNS)])
def test_planted_effects_of_presence_are_found(mirror, outcome, planted):
    truth = relative_truth(planted)
    for letter, row in rows(mirror.presence, outcome=outcome).items():
        assert abs(row["value"] - truth[letter]) <= 4 * row["se"], letter
        assert row["flagged"] or abs(truth[letter]) < 0.5, letter


def test_effects_are_relative_within_what_the_rules_fix(mirror):
    assert mirror.fixed == len(DRAWN)
    lying = {letter: row["lying"] * row["offered"] for letter, row in rows(mirror.types).items()}
    for colour in DRAWN:
        for outcome in (SCORE, SPREAD):
            of = {letter for c, letter in buildings() if c == colour}
            effects = rows(mirror.presence, outcome=outcome)
            assert sum(lying[k] * effects[k]["value"] for k in of) == pytest.approx(0, abs=1e-8)


def test_presence_tells_bots_apart(mixed):
    found = rows(mixed.presence, outcome=MARGIN + "uniform")
    truth = relative_truth({"D": 3.0})
    for letter, row in found.items():
        assert abs(row["value"] - truth[letter]) <= 4 * row["se"], letter
    assert found["D"]["wording"] == stats.MATTERS
    assert not any(name.startswith(MARGIN) for name in mixed.units if name != MARGIN + "uniform")


def test_a_mirror_has_no_margin_between_bots(mirror):
    assert not any(name.startswith(MARGIN) for name in mirror.units)


def test_the_instrument_divides_by_what_a_copy_adds_to_those_built(mirror):
    built, presence = rows(mirror.built, outcome=SCORE), rows(mirror.presence, outcome=SCORE)
    for letter in "AE":
        row = built[letter]
        assert row["value"] == pytest.approx(presence[letter]["value"] / row["first_stage"])
        assert row["f"] > LEAST_F
        assert row["low"] < row["value"] < row["high"]
        assert row["flagged"]
    # A copy of A in place of an average green card: 0.9 more are built than of the cards that are no A.
    others = 1 - rows(mirror.types)["A"]["lying"] * rows(mirror.types)["A"]["offered"] / DRAWN["green"]
    assert built["A"]["first_stage"] == pytest.approx(0.9 * others, abs=0.03)
    assert built["A"]["value"] == pytest.approx(PRESENCE["A"] / 0.9, abs=0.4)


def test_a_weak_instrument_is_refused(mirror):
    row = rows(mirror.built, outcome=SCORE)["F"]
    assert row["refused"]
    assert row["value"] is None
    assert not row["flagged"]


def test_too_few_deals_say_so(tmp_path):
    run = write(tmp_path, FakeMarket(blocks=30))
    found = market(run, line_ups(run.manifest)[2])
    assert len(found.presence) == 0
    assert found.why_not == "Too few deals: 30. At least 50 are needed."


def test_a_city_that_never_changes_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.analysis.fake_market.DRAWN", {"green": 9, "blue": 8})
    run = write(tmp_path, FakeMarket(blocks=100))
    found = market(run, line_ups(run.manifest)[2])
    assert found.why_not.startswith("The same cards lie on the table in every game")
    assert found.types["once"].min() > 0.4


def test_shards_threads_and_batches_change_nothing(run, mixed, tmp_path):
    line_up = line_ups(run.manifest)[1]
    one = market(run, line_up, threads=1)
    assert one.presence.equals(mixed.presence)
    assert one.types.equals(mixed.types)
    few = write(tmp_path, FakeMarket(**{**vars(PLANTED), "blocks_per_shard": 2000}))
    other = market(few, line_up)
    assert other.types["games"].sum() == mixed.types["games"].sum()


def test_the_null_flags_hardly_ever(tmp_path):
    """200 runs without any effect: the share in which any type is flagged has an interval that reaches down to 5 %."""
    flagged = 0
    for seed in range(200):
        fake = FakeMarket(blocks=150, seed=100 + seed, line_ups=((1, 1),), blocks_per_shard=150, noise_sd=3.0)
        run = write(tmp_path / str(seed), fake)
        found = market(run, line_ups(run.manifest)[0], threads=1)
        flagged += bool(found.presence.filter(pl.col("outcome") == SCORE)["flagged"].any())
    assert stats.wilson(flagged, 200, 0.99)[0] <= 0.05


def test_the_intervals_cover(tmp_path):
    """Over 60 runs the 95 % intervals of planted effects cover the truth: of lying there, and of being built."""
    covered = total = built_covered = judged = 0
    # A copy of a type is built with a half, and lies there in place of an average card of its colour.
    stage = {letter: 0.5 * relative_truth({letter: 1.0})[letter] for _, letter in buildings()}
    for seed in range(60):
        fake = FakeMarket(blocks=200, seed=500 + seed, line_ups=((1, 1),), presence=PRESENCE, blocks_per_shard=200)
        run = write(tmp_path / str(seed), fake)
        found = market(run, line_ups(run.manifest)[0], threads=1)
        truth = relative_truth(PRESENCE)
        for letter, row in rows(found.presence, outcome=SCORE).items():
            covered += row["low"] - 0.05 <= truth[letter] <= row["high"] + 0.05
            total += 1
        for letter, row in rows(found.built.filter(~pl.col("refused")), outcome=SCORE).items():
            built_covered += row["low"] <= truth[letter] / stage[letter] <= row["high"]
            judged += 1
    assert covered / total > 0.92
    assert judged > 500
    assert built_covered / judged > 0.92


def test_bots_of_more_seats(tmp_path):
    bots = (FakeBot("uniform", "random", 0.0), FakeBot("expert", "expert", 3.0))
    fake = FakeMarket(blocks=300, seats=3, bots=bots, line_ups=((0, 1, 1), (1, 1, 1)), for_first={"D": 4.0})
    run = write(tmp_path, fake)
    found = market(run, line_ups(run.manifest)[0])
    row = rows(found.presence, outcome=MARGIN + "uniform")["D"]
    assert abs(row["value"] - relative_truth({"D": 4.0})["D"]) <= 4 * row["se"]
    assert set(found.by_bot["bot"]) == {"uniform", "expert"}
