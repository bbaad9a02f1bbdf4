import numpy as np
import polars as pl
import pytest

from analysis.blocks import line_ups, read_blocks
from analysis.matchups import cells, matrix, variance_ratio
from analysis.scores import QUANTILES, quantiles, scores
from tests.analysis.fake_run import FakeBot, FakeRun, write


@pytest.fixture(scope="module")
def read(two_seats):
    return [read_blocks(two_seats, line_up) for line_up in line_ups(two_seats.manifest)]


def test_scores_are_those_of_the_log(two_seats, read):
    found = scores(read[1], two_seats.manifest)
    log = two_seats.scan("seats").filter(pl.col("line_up") == 1).collect()
    for b, bot in enumerate(found.bots):
        mine = log.filter(pl.col("bot") == b)["score"]
        assert bot.score.value == pytest.approx(mine.mean())
        assert bot.sd.value == pytest.approx(mine.std(ddof=0))
        expected = np.quantile(mine.to_numpy(), QUANTILES, method="inverted_cdf")
        assert list(bot.quantiles.values()) == expected.tolist()
    assert [bot.bot for bot in found.bots] == ["weak", "strong"]
    assert [(part.name, part.mean.unit) for part in found.bots[0].parts] == [
        ("expeditions", "points"),
        ("bonus", "points"),
    ]
    assert found.bots[0].parts[1].mean.value == pytest.approx(3)
    assert found.bots[0].counters[0].text == "wagers that were played"
    assert found.winning.value > found.losing.value


def test_the_distribution_adds_up(two_seats, read):
    found = scores(read[1], two_seats.manifest).distribution
    sums = found.group_by("who").agg(pl.col("count").sum(), pl.col("fraction").sum())
    assert dict(sums.select("who", "count").iter_rows()) == dict.fromkeys(["weak", "strong", "winning", "losing"], 1800)
    assert sums["fraction"].to_list() == pytest.approx([1.0] * 4)


def test_quantiles_of_counts():
    assert quantiles({1: 5, 2: 90, 9: 5}) == {0.05: 1, 0.25: 2, 0.5: 2, 0.75: 2, 0.95: 2}
    assert np.isnan(quantiles({})[0.5])


def test_every_bot_against_every_bot(two_seats, read):
    names = ["weak", "strong"]
    found = {(cell.bot, cell.opponent): cell for cell in matrix(read, names)}
    assert set(found) == {("weak", "weak"), ("weak", "strong"), ("strong", "weak"), ("strong", "strong")}
    a, b = found["weak", "strong"], found["strong", "weak"]
    assert a.share.value + b.share.value == pytest.approx(1)
    assert a.margin.value == pytest.approx(-b.margin.value)
    assert b.margin.low < 9 < b.margin.high
    assert found["weak", "weak"].share.value == pytest.approx(0.5)
    assert found["weak", "weak"].saved_share is None


def test_more_seats_are_a_field(three_seats):
    blocks = read_blocks(three_seats, line_ups(three_seats.manifest)[1])
    strong, weak = cells(blocks, ["weak", "strong"])
    assert (strong.bot, strong.opponent) == ("strong", "weak")
    assert strong.share.value + 2 * weak.share.value == pytest.approx(1)
    assert strong.share.value > 1 / 3
    assert strong.saved_margin is not None
    assert weak.saved_margin is None  # it holds two places


@pytest.mark.parametrize("what", ["share", "margin"])
def test_the_worth_of_mirrored_blocks(two_seats, read, what):
    log = two_seats.scan("seats").filter((pl.col("line_up") == 1) & (pl.col("bot") == 0)).collect()
    other = two_seats.scan("seats").filter((pl.col("line_up") == 1) & (pl.col("bot") == 1)).collect()
    y = log["win_share"].to_numpy().astype(float) if what == "share" else (log["score"] - other["score"]).to_numpy()
    of_game, of_block = y.var(), y.reshape(-1, 2).mean(axis=1).var()
    found = variance_ratio(read[1], 0, what)
    assert found.value == pytest.approx(of_game / 2 / of_block)
    # The same from 300 bootstrap samples of the blocks.
    rng = np.random.default_rng(1)
    pairs = y.reshape(-1, 2)
    samples = (pairs[rng.integers(0, len(pairs), len(pairs))] for _ in range(300))
    ratios = [sample.var() / 2 / sample.mean(axis=1).var() for sample in samples]
    assert found.se == pytest.approx(np.std(ratios), rel=0.2)


def test_mirroring_saves_what_the_deal_explains(tmp_path):
    bots = (FakeBot("a", "simple"), FakeBot("b", "expert"))
    ratios = []
    for i, (luck, noise) in enumerate([(14.0, 7.0), (0.001, 15.0)]):
        fake = FakeRun(blocks=4000, bots=bots, line_ups=((0, 1),), luck_sd=luck, noise_sd=noise, log="games")
        run = write(tmp_path / str(i), fake)
        ratios.append(variance_ratio(read_blocks(run, line_ups(run.manifest)[0]), 0, "margin").value)
    # Luck of the deal has variance 2 * 14², noise 2 * 7²: the block mean keeps only half of the noise.
    assert ratios[0] == pytest.approx((14**2 + 7**2) / 7**2, rel=0.1)
    assert ratios[1] == pytest.approx(1, abs=0.05)


def test_a_result_that_never_varies_has_no_ratio(tmp_path):
    bots = (FakeBot("a", "simple", -1000.0), FakeBot("b", "expert"))
    run = write(tmp_path, FakeRun(blocks=50, bots=bots, line_ups=((0, 1),), log="games"))
    assert variance_ratio(read_blocks(run, line_ups(run.manifest)[0]), 0, "share") is None
