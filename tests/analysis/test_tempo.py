"""Each definition on three hand-made games, and against a brute-force recomputation from the log."""

import math

import numpy as np
import polars as pl
import pytest

from analysis.blocks import line_ups, read_blocks
from analysis.tempo import tempo
from simcore import tables
from tests.analysis.fake_run import FakeBot, FakeRun, manifest, write_frames


def hand_made(folder, games, seats):
    """A run of three deals in which both rotations went alike: `games` has a value a deal, `seats` two."""
    described = manifest(FakeRun(blocks=3, bots=(FakeBot("a", "expert"),), line_ups=((0, 0),), log="games"))
    columns = tables.tables(described)
    deal = np.repeat(np.arange(3), 2)
    keys = {"game": np.arange(6), "line_up": 0, "deal": deal, "rotation": np.tile([0, 1], 3)}
    game_rows = {name: np.repeat(values, 2) for name, values in games.items()}
    seat_rows = {name: np.tile(np.reshape(values, (3, 1, 2)), (1, 2, 1)).ravel() for name, values in seats.items()}
    frames = {}
    for table, rows, height in (("games", keys | game_rows, 6), ("seats", seat_rows, 12)):
        if table == "seats":
            rows |= {name: np.repeat(np.broadcast_to(values, 6), 2) for name, values in keys.items()}
            rows |= {"seat": np.tile([0, 1], 6)}
        empty = {column.name: 0 for column in columns[table]}
        frames[table] = pl.DataFrame(
            {name: np.broadcast_to(rows.get(name, empty[name]), height) for name in empty},
            schema=tables.schema(columns[table]),
        )
    run = write_frames(folder, described, lambda _: frames, 1)
    return tempo(read_blocks(run, line_ups(described)[0]), described)


@pytest.fixture
def found(tmp_path):
    """The three games.

    1. 40 turns: seat 0 is behind 5:8 at half time, takes the lead for good in turn 30, wins 20:15.
    2. 50 turns: seat 1 leads 12:0 at half time; the lead never changes; it wins 30:2.
    3. 60 turns, cut off at the cap: 7:7 at half time; leads change in turns 12, 40 and 54; a tie at 9:9.
    """
    games = {
        "turns": [40, 50, 60],
        "rounds": [1, 1, 1],
        "end": [0, 0, 1],
        "truncated": [False, False, True],
        "winners": [0b01, 0b10, 0b11],
        "lead_changes": [1, 0, 3],
        "last_lead_change": [30, 0, 54],
        "play_hash": [1, 2, 3],
    }
    seats = {
        "seat": [[0, 1]] * 3,
        "order": [[0, 1], [1, 0], [0, 1]],
        "score": [[20, 15], [2, 30], [9, 9]],
        "win_share": [[1, 0], [0, 1], [0.5, 0.5]],
        "standing_half": [[5, 8], [0, 12], [7, 7]],
        "decisions": [[20, 20], [25, 25], [30, 30]],
        "forced": [[0, 0], [5, 5], [10, 10]],
        "options": [[100, 100], [100, 100], [100, 100]],
    }
    return hand_made(tmp_path, games, seats)


def test_length(found):
    assert found.length.value == pytest.approx(50)
    assert found.length_median.value == 50
    assert (found.length_median.low, found.length_median.high) == (40, 60)
    assert found.lengths.rows() == [
        (40, 2, pytest.approx(1 / 3)),
        (50, 2, pytest.approx(1 / 3)),
        (60, 2, pytest.approx(1 / 3)),
    ]


def test_games_that_were_cut_off_are_counted(found):
    assert found.cut_off.value == pytest.approx(1 / 3)
    assert [(name, e.value) for name, e in found.ends] == [
        ("deck", pytest.approx(2 / 3)),
        ("cap", pytest.approx(1 / 3)),
    ]
    assert 0 < found.cut_off.low < 1 / 3 < found.cut_off.high < 1  # exact, as the event is rare


def test_lead_changes(found):
    assert found.lead_changes.value == pytest.approx(4 / 3)
    assert found.no_change.value == pytest.approx(1 / 3)
    # Over the games in which the lead changed: turn 30 of 40, turn 54 of 60.
    assert found.last_change.value == pytest.approx((0.75 + 0.9) / 2)


def test_comebacks(found):
    # Behind by 3 and won; behind by 12 and lost; level in the third game, so nobody is behind.
    assert found.comeback.value == pytest.approx(0.5)
    table = {row["behind_from"]: row for row in found.comebacks.to_dicts()}
    assert (table[3]["value"], table[3]["cases"], table[3]["behind_to"]) == (1.0, 2, 5)
    assert (table[11]["value"], table[11]["cases"]) == (0.0, 2)
    assert table[1]["value"] is None
    assert table[1]["cases"] == 0
    assert table[81]["behind_to"] is None


def test_closeness(found):
    # Margins 5, 28 and 0.
    shares = dict(found.closeness.select("k", "value").iter_rows())
    assert shares == {
        k: pytest.approx(share / 3) for k, share in {0: 1, 1: 1, 2: 1, 5: 2, 10: 2, 20: 2, 40: 3, 80: 3}.items()
    }
    assert found.ties.value == pytest.approx(1 / 3)


def test_choice(found):
    (choice,) = found.choices
    assert choice.options.value == pytest.approx(300 / 75)
    assert choice.forced.value == pytest.approx(15 / 90)
    assert choice.decisions.value == pytest.approx(25)


@pytest.mark.parametrize("run_name", ["two_seats", "three_seats"])
def test_tempo_by_brute_force(run_name, request):
    """Every number once more, game by game in plain Python from the rows of the log."""
    run = request.getfixturevalue(run_name)
    line_up = line_ups(run.manifest)[1]
    found = tempo(read_blocks(run, line_up), run.manifest)
    games = run.scan("games", line_up.index).collect().to_dicts()
    seats = run.scan("seats", line_up.index).collect().partition_by("game", as_dict=True)
    turns, gaps, last, behind = sorted(game["turns"] for game in games), [], [], []
    for game in games:
        rows = seats[game["game"],].to_dicts()
        best, second = sorted((row["score"] for row in rows), reverse=True)[:2]
        gaps.append(best - second)
        if game["lead_changes"]:
            last.append(game["last_lead_change"] / game["turns"])
        for row in rows:
            ahead = max(other["standing_half"] for other in rows if other["seat"] != row["seat"])
            behind.append((ahead - row["standing_half"], row["win_share"]))
    assert found.length.value == pytest.approx(np.mean(turns))
    assert found.length_median.value == pytest.approx(np.median(turns))
    assert found.length_p95.value == pytest.approx(np.quantile(turns, 0.95, method="median_unbiased"))
    assert found.cut_off.value == pytest.approx(np.mean([game["truncated"] for game in games]))
    assert found.lead_changes.value == pytest.approx(np.mean([game["lead_changes"] for game in games]))
    assert found.no_change.value == pytest.approx(np.mean([game["lead_changes"] == 0 for game in games]))
    assert found.last_change.value == pytest.approx(np.mean(last))
    for row in found.closeness.to_dicts():
        assert row["value"] == pytest.approx(np.mean([gap <= row["k"] for gap in gaps]))
        assert row["low"] <= row["value"] <= row["high"]
    assert found.comeback.value == pytest.approx(np.mean([share for d, share in behind if d > 0]), rel=1e-6)
    for row in found.comebacks.to_dicts():
        won = [share for d, share in behind if row["behind_from"] <= d <= (row["behind_to"] or math.inf)]
        assert row["cases"] == len(won)
        assert row["value"] == (pytest.approx(np.mean(won), rel=1e-6) if won else None)
    for choice in found.choices:
        index = [bot["name"] for bot in run.manifest["bots"]].index(choice.bot)
        mine = [row for rows in seats.values() for row in rows.to_dicts() if row["bot"] == index]
        asked, forced, options = (sum(row[name] for row in mine) for name in ("decisions", "forced", "options"))
        assert choice.options.value == pytest.approx(options / asked)
        assert choice.forced.value == pytest.approx(forced / (forced + asked))


def test_without_lead_changes_there_is_no_last_one(tmp_path):
    games = {"turns": [9, 9, 9], "winners": [1, 1, 1], "play_hash": [1, 2, 3]}
    seats = {"order": [[0, 1]] * 3, "score": [[3, 1]] * 3, "win_share": [[1, 0]] * 3, "decisions": [[4, 4]] * 3}
    found = hand_made(tmp_path, games, seats)
    assert found.no_change.value == 1
    assert math.isnan(found.last_change.value)
    assert math.isnan(found.comeback.value)
    assert (found.cut_off.value, found.cut_off.high) == (0, 1)  # zero of three deals: at most 3/3
