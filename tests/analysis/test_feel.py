"""Each definition on three hand-made games, and against a brute-force recomputation from the log."""

import math
import statistics

import numpy as np
import polars as pl
import pytest

from analysis import feel
from analysis.blocks import line_ups, read_blocks
from simcore import tables
from simcore.errors import InputError
from tests.analysis.fake_run import FakeBot, FakeRun, manifest, write, write_frames

A, B = FakeBot("a", "expert"), FakeBot("b", "simple")


def written(folder, fake, made):
    """A run of made-up tables {name: rows}, one shard a line-up; columns that are not given are 0."""
    described = manifest(fake)
    columns = tables.tables(described)

    def frames(line_up):
        out = {}
        for table, its_columns in columns.items():
            rows = [row for row in made.get(table, []) if row["line_up"] == line_up]
            full = [{column.name: row.get(column.name, 0) for column in its_columns} for row in rows]
            out[table] = pl.DataFrame(full, schema=tables.schema(its_columns))
        return out

    return write_frames(folder, described, frames, len(fake.line_ups))


def played(fake, games):
    """Rows of games and seats from {(line_up, deal): {"score": …, "standing_half": …}}, all rotations played alike."""
    n, out = fake.seats, {"games": [], "seats": []}
    for (line_up, deal), game in sorted(games.items()):
        best = max(game["score"])
        winners = [score == best for score in game["score"]]
        for rotation in range(n):
            number = line_up * fake.blocks * n + deal * n + rotation
            keys = {"game": number, "line_up": line_up, "deal": deal, "rotation": rotation}
            out["games"].append(keys | {"turns": 9, "winners": sum(w << s for s, w in enumerate(winners))})
            for seat in range(n):
                out["seats"].append(
                    keys
                    | {
                        "seat": seat,
                        "order": seat,
                        "bot": fake.line_ups[line_up][(seat + rotation) % n],
                        "score": game["score"][seat],
                        "standing_half": game["standing_half"][seat],
                        "win_share": winners[seat] / sum(winners),
                    }
                )
    return out


THREE = FakeRun(blocks=3, bots=(A, B), line_ups=((0, 0, 0), (1, 0, 0)), seats=3, log="games", blocks_per_shard=3)


@pytest.fixture
def hand_made(tmp_path):
    """Three games of three seats: a leader by 4 wins, a leader by 8 loses, two share the lead.

    With b instead of a in one seat: the same winner; another winner; a tie instead of a win.
    """
    games = {
        (0, 0): {"standing_half": [10, 6, 2], "score": [30, 18, 12]},
        (0, 1): {"standing_half": [1, 9, 1], "score": [20, 10, 3]},
        (0, 2): {"standing_half": [5, 5, 2], "score": [9, 12, 12]},
        (1, 0): {"standing_half": [10, 6, 2], "score": [25, 18, 12]},
        (1, 1): {"standing_half": [1, 9, 1], "score": [20, 25, 3]},
        (1, 2): {"standing_half": [5, 5, 2], "score": [9, 12, 11]},
    }
    return written(tmp_path, THREE, played(THREE, games))


@pytest.fixture
def blocks(hand_made):
    return read_blocks(hand_made, line_ups(hand_made.manifest)[0])


def test_spread(blocks):
    found = feel.spread(blocks)
    assert found.winning.value == pytest.approx(statistics.pstdev([30, 20, 12]))
    assert found.losing.value == pytest.approx(statistics.pstdev([12, 3, 9]))


def test_runaway_leader(blocks):
    found = feel.runaway(blocks)
    assert found.leads.value == pytest.approx(2 / 3)
    assert found.wins.value == pytest.approx(1 / 2)
    # Ahead of the mean of the others: by 6 and 8 at half time, by 15 and -1.5 in the end.
    assert found.growth.value == pytest.approx((15 - 1.5) / (6 + 8))
    table = {row["ahead_from"]: row for row in found.by_lead.to_dicts()}
    assert (table[3]["value"], table[3]["cases"], table[3]["ahead_to"]) == (1.0, 3, 5)
    assert (table[6]["value"], table[6]["cases"], table[6]["ahead_to"]) == (0.0, 3, 10)
    assert (table[1]["value"], table[1]["cases"]) == (None, 0)
    assert table[81]["ahead_to"] is None


def test_kingmaking(hand_made):
    one, other = line_ups(hand_made.manifest)
    found = feel.kingmaking(hand_made, other, one)
    assert (found.bot, found.instead) == ("b", "a")
    # The seat of b is 0, 2, 1 in the three rotations. Deal 0: seat 0 wins twice, so with b in seats 2 and 1 nothing
    # changes. Deal 1: seat 0 wins, then seat 1, so b in seat 2 alone wins in neither: changed. Deal 2: seats 1 and 2
    # win, then seat 1: b in seat 0 alone: changed.
    assert found.changed.value == pytest.approx(2 / 4)
    assert found.changed.games == 4


def test_feel_of_two_seats(two_seats):
    one, other, _ = line_ups(two_seats.manifest)
    assert feel.runaway(read_blocks(two_seats, one)) is None
    assert feel.kingmaking(two_seats, one, other) is None


def test_line_ups_that_differ_in_one_place(hand_made):
    one, _ = line_ups(hand_made.manifest)
    with pytest.raises(ValueError, match="0 places"):
        feel.kingmaking(hand_made, one, one)


# --- brute force -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line_up", [0, 1])
def test_spread_and_leaders_by_brute_force(three_seats, line_up):
    blocks = read_blocks(three_seats, line_ups(three_seats.manifest)[line_up])
    seats = three_seats.scan("seats").filter(line_up=line_up).collect()
    best, worst, leaders = [], [], []
    for _, game in seats.group_by("game", maintain_order=True):
        score, half, share = (game[name].to_list() for name in ("score", "standing_half", "win_share"))
        best.append(max(score))
        worst.append(min(score))
        top = sorted(half)[-1]
        if half.count(top) == 1:
            seat, others = half.index(top), [s for s in range(3) if half[s] != top]
            lead = top - sorted(half)[-2]
            gap = [x[seat] - sum(x[s] for s in others) / 2 for x in (half, score)]
            leaders.append((lead, share[seat], *gap))
    found = feel.spread(blocks)
    assert found.winning.value == pytest.approx(statistics.pstdev(best))
    assert found.losing.value == pytest.approx(statistics.pstdev(worst))
    rows = np.array(leaders)
    run = feel.runaway(blocks)
    assert run.leads.value == pytest.approx(len(rows) / len(best))
    assert run.wins.value == pytest.approx(rows[:, 1].mean())
    assert run.growth.value == pytest.approx(rows[:, 3].sum() / rows[:, 2].sum())
    for row in run.by_lead.to_dicts():
        inside = (rows[:, 0] >= row["ahead_from"]) & (rows[:, 0] <= (row["ahead_to"] or math.inf))
        assert row["cases"] == inside.sum()
        if inside.any():
            assert row["value"] == pytest.approx(rows[inside, 1].mean())


def test_the_error_of_a_spread_by_bootstrap(three_seats):
    blocks = read_blocks(three_seats, line_ups(three_seats.manifest)[0])
    seats = three_seats.scan("seats").filter(line_up=0).collect()
    best = seats.group_by("game", maintain_order=True).agg(pl.col("score").max())["score"].to_numpy().reshape(-1, 3)
    drawn = [best[rows].std() for rows in np.random.default_rng(1).integers(0, len(best), (500, len(best)))]
    assert feel.spread(blocks).winning.se == pytest.approx(np.std(drawn), rel=0.15)


def test_kingmaking_by_brute_force(three_seats):
    field, alone = line_ups(three_seats.manifest)
    found = feel.kingmaking(three_seats, alone, field)
    won = {
        (row["line_up"], row["deal"], row["rotation"]): row["winners"]
        for row in three_seats.scan("games").collect().iter_rows(named=True)
    }
    cases = []
    for (line_up, deal, rotation), winners in won.items():
        seat = (0 - rotation) % 3
        if line_up == 1 and not (winners >> seat & 1) and not (won[0, deal, rotation] >> seat & 1):
            cases.append((rotation, winners, won[0, deal, rotation]))
    assert found.changed.games == len(cases)
    assert found.changed.value == pytest.approx(np.mean([x != y for _, x, y in cases]))
    apart = [x != y for r in range(3) for s, x, _ in cases if s == r for t, _, y in cases if t == r]
    size = {r: sum(s == r for s, _, _ in cases) for r in range(3)}
    weights = [1 / size[r] for r in range(3) for s, _, _ in cases if s == r for t, _, _ in cases if t == r]
    assert found.unrelated == pytest.approx(np.dot(apart, weights) / len(cases))


def test_games_that_share_nothing_but_the_law_are_unrelated(tmp_path):
    line = ((0, 0, 0), (1, 0, 0))
    fake = FakeRun(blocks=4000, bots=(A, B), line_ups=line, seats=3, luck_sd=0.001, log="games")
    run = write(tmp_path, fake)
    found = feel.kingmaking(run, *reversed(line_ups(run.manifest)))
    assert found.changed.low < found.unrelated < found.changed.high
    assert found.unrelated == pytest.approx(1 / 2, abs=0.06)  # one of two others, or both


def test_a_lead_without_feedback_is_kept(tmp_path):
    """Halves of a game that have nothing to do with each other: the multiple is 1."""
    rng = np.random.default_rng(2)
    fake = FakeRun(blocks=1500, bots=(A,), line_ups=((0, 0, 0),), seats=3, log="games", blocks_per_shard=1500)
    halves = rng.integers(0, 40, (1500, 2, 3))
    games = {
        (0, deal): {"standing_half": first.tolist(), "score": (first + second).tolist()}
        for deal, (first, second) in enumerate(halves)
    }
    run = written(tmp_path, fake, played(fake, games))
    found = feel.runaway(read_blocks(run, line_ups(run.manifest)[0]))
    assert found.growth.low < 1 < found.growth.high
    assert found.wins.low > 1 / 3


# --- moves -----------------------------------------------------------------------------------------------------------

TWO = FakeRun(blocks=3, bots=(A, B), line_ups=((0, 1),), log="moves", blocks_per_shard=3)


def with_moves(folder, fake, moves):
    """A run from {(deal, rotation): [(seat, options, action), …]}."""
    games = {(0, deal): {"score": [1, 0], "standing_half": [0, 0]} for deal in range(fake.blocks)}
    made = played(fake, games) | {"moves": []}
    for (deal, rotation), decisions in sorted(moves.items()):
        for number, (seat, options, action) in enumerate(decisions):
            row = {"line_up": 0, "game": deal * 2 + rotation, "number": number, "seat": seat, "options": options}
            made["moves"].append(row | {"action": action, "forced": options == 1})
    return written(folder, fake, made)


def test_decisions_of_three_games(tmp_path):
    moves = {
        # They part at the first decision.
        (0, 0): [(0, 3, 7), (1, 2, 0)],
        (0, 1): [(0, 3, 5), (1, 4, 0)],
        # They part at the fourth: two before it were put to both, one was forced.
        (1, 0): [(0, 2, 1), (1, 1, 0), (0, 5, 3), (1, 6, 2), (0, 2, 0)],
        (1, 1): [(0, 2, 1), (1, 1, 0), (0, 5, 3), (1, 6, 4), (0, 2, 0)],
        # They never part.
        (2, 0): [(0, 2, 1), (1, 2, 1)],
        (2, 1): [(0, 2, 1), (1, 2, 1)],
    }
    run = with_moves(tmp_path, TWO, moves)
    (line_up,) = line_ups(run.manifest)
    found = feel.meaningful(run, line_up)
    assert found.games == 1 + 3 + 2
    assert found.value == pytest.approx(2 / 6)
    a, b = feel.choices(run, line_up)
    # a holds seat 0 in rotation 0 and seat 1 in rotation 1.
    assert a.options.value == statistics.median_low([3, 4, 2, 5, 2, 6, 2, 2])
    assert a.forced.value == pytest.approx(1 / 9)
    assert b.options.value == statistics.median_low([2, 3, 6, 2, 5, 2, 2, 2])
    assert b.forced.value == pytest.approx(1 / 9)


def test_decisions_by_brute_force(tmp_path):
    rng = np.random.default_rng(1)
    fake = FakeRun(blocks=200, bots=(A, B), line_ups=((0, 1),), log="moves", blocks_per_shard=200)
    moves = {}
    for deal in range(200):
        shared = [(int(rng.integers(0, 2)), int(rng.integers(1, 9)), 0) for _ in range(rng.integers(1, 12))]
        for rotation in (0, 1):
            moves[deal, rotation] = [(s, n, int(n > 1 and rng.random() < 0.2)) for s, n, _ in shared]
    run = with_moves(tmp_path, fake, moves)
    (line_up,) = line_ups(run.manifest)
    same, options, forced = [], {0: [], 1: []}, {0: [], 1: []}
    for (_, rotation), decisions in moves.items():
        for seat, count, _ in decisions:
            bot = (seat + rotation) % 2
            forced[bot].append(count == 1)
            options[bot] += [count] if count > 1 else []
    for deal in range(200):
        for one, other in zip(moves[deal, 0], moves[deal, 1], strict=True):
            same += [one[2] != other[2]] if one[1] > 1 else []
            if one[2] != other[2]:
                break
    found = feel.meaningful(run, line_up)
    assert (found.value, found.games) == (pytest.approx(np.mean(same)), len(same))
    assert found.low < 2 * 0.2 * 0.8 < found.high
    for bot, choice in enumerate(feel.choices(run, line_up)):
        assert choice.options.value == statistics.median_low(options[bot])
        assert choice.options.low <= choice.options.value <= choice.options.high
        assert choice.options.high - choice.options.low <= 2
        assert choice.forced.value == pytest.approx(np.mean(forced[bot]))


def test_self_play_puts_no_question_to_two_bots(tmp_path):
    fake = FakeRun(blocks=1, bots=(A,), line_ups=((0, 0),), log="moves", blocks_per_shard=1)
    run = with_moves(tmp_path, fake, {(0, 0): [(0, 2, 1)], (0, 1): [(0, 2, 0)]})
    assert feel.meaningful(run, line_ups(run.manifest)[0]) is None


def test_without_a_log_of_moves_there_are_no_decisions(two_seats):
    with pytest.raises(InputError, match="--log moves"):
        feel.choices(two_seats, line_ups(two_seats.manifest)[0])
