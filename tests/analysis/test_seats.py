import numpy as np
import pytest

from analysis import stats
from analysis.blocks import line_ups, read_blocks
from analysis.seats import TRIED, share_after, turn_order
from tests.analysis.fake_run import FakeBot, FakeRun, write

ONE = (FakeBot("a", "expert"),)


def analyse(folder, line_up=0, **planted):
    fake = FakeRun(bots=ONE, line_ups=((0, 0),), log="games", **planted)
    run = write(folder, fake)
    blocks = read_blocks(run, line_ups(run.manifest)[line_up])
    return blocks, turn_order(blocks, 0.01, 1.0)


def test_a_planted_advantage_is_found(tmp_path):
    blocks, found = analyse(tmp_path, blocks=8000, first_points=4.0)
    assert found.finding.wording == found.finding_points.wording == stats.MATTERS
    assert found.advantage_points.low < 4.0 < found.advantage_points.high
    assert found.advantage.value == pytest.approx(blocks.value("order0.share") - 0.5)
    # Undoing it takes the planted points.
    k = found.compensation.points
    assert k.low <= 4.0 <= k.high
    assert k.high - k.low <= 3
    assert dict(found.compensation.tried)[4.0] == pytest.approx(0.5, abs=0.02)


def test_without_an_advantage_the_game_is_called_fair(tmp_path):
    _, found = analyse(tmp_path, blocks=20_000)
    assert found.finding.wording in (stats.EQUIVALENT, stats.NEGLIGIBLE)
    assert found.compensation.points.low <= 0 <= found.compensation.points.high


def test_few_deals_leave_it_unknown(tmp_path):
    _, found = analyse(tmp_path, blocks=200)
    assert found.finding.wording == stats.UNKNOWN
    assert found.finding.more > 0


def test_intervals_cover_the_truth_at_the_level_of_blocks(tmp_path):
    # A seat's luck belongs to the deal, so both games of a block share it: intervals over games would be too narrow.
    hits = {"share": [], "points": [], "compensation": []}
    per = 200
    blocks, _ = analyse(tmp_path, blocks=400 * per, luck_sd=14.0, noise_sd=3.0, blocks_per_shard=400 * per)
    for i in range(400):
        part = slice(i * per, (i + 1) * per)
        share, se = stats.block_means(blocks.first_share[part, None])
        hits["share"].append(abs(share - 0.5) <= stats.z_value() * se)
        mean, se = stats.block_means(blocks.first_margin[part])
        hits["points"].append(abs(mean) <= stats.z_value() * se)
        _, low, high = stats.quantile_interval(blocks.first_margin[part])
        hits["compensation"].append(low <= 0 <= high)
    # 400 replicates: the coverage itself is known to ±2.1 points. Ranks of whole points err on the careful side.
    assert 0.92 <= np.mean(hits["share"]) <= 0.98
    assert 0.92 <= np.mean(hits["points"]) <= 0.98
    assert np.mean(hits["compensation"]) >= 0.93


def test_duplicates_are_counted_once(two_seats):
    found = turn_order(read_blocks(two_seats, line_ups(two_seats.manifest)[2]), 0.01, 1.0)
    assert found.duplicates == 900
    assert found.advantage.games == found.advantage.n == 900


def test_the_compensation_moves_the_first_players_share(two_seats):
    blocks = read_blocks(two_seats, line_ups(two_seats.manifest)[0])
    found = turn_order(blocks, 0.01, 1.0)
    assert share_after(blocks, 0) == pytest.approx(found.advantage.value + 0.5)
    shares = [share for _, share in found.compensation.tried]
    assert shares == sorted(shares, reverse=True)
    assert len(shares) == 4 * TRIED + 1
    assert shares[0] > 0.5 > shares[-1]


def test_the_compensation_is_checked_on_fresh_deals(two_seats):
    blocks = read_blocks(two_seats, line_ups(two_seats.manifest)[0])
    found = turn_order(blocks, 0.01, 1.0).compensation
    half = -(-blocks.blocks // 2)
    assert found.k == np.median(blocks.first_margin[:half])
    fresh = blocks.first_margin[half:]
    assert found.checked.value == pytest.approx((fresh > found.k).mean() + (fresh == found.k).mean() / 2)
    assert found.checked.n == blocks.blocks - half
    assert found.checked.value == pytest.approx(0.5, abs=4 * found.checked.se + 0.02)  # whole points: not exactly even


def test_two_different_bots_have_no_compensation(two_seats):
    blocks = read_blocks(two_seats, line_ups(two_seats.manifest)[1])
    assert turn_order(blocks, 0.01, 1.0).compensation is None


def test_three_seats_have_sidak_intervals_and_no_compensation(three_seats):
    blocks = read_blocks(three_seats, line_ups(three_seats.manifest)[0])
    found = turn_order(blocks, 0.01, 1.0)
    assert found.compensation is None
    assert sum(place.share.value for place in found.orders) == pytest.approx(1)
    share = found.orders[1].share
    assert (share.high - share.low) / 2 == pytest.approx(stats.z_value(0.95 ** (1 / 3)) * share.se)
    assert found.advantage.value == pytest.approx(found.orders[0].share.value - 1 / 3)


def test_whether_the_starter_is_drawn_is_seen_in_the_log(two_seats):
    assert not read_blocks(two_seats, line_ups(two_seats.manifest)[0]).order_is_seat


def test_what_the_run_could_have_seen(two_seats):
    blocks = read_blocks(two_seats, line_ups(two_seats.manifest)[0])
    found = turn_order(blocks, 0.01, 1.0)
    assert found.detectable == pytest.approx((1.95996 + 1.28155) * found.advantage.se, rel=1e-4)
