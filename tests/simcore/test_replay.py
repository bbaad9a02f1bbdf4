"""Replays of a run: documents of the format fairdeal-replay/1, which agree with the log or are refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from simcore import batch, bots, replay, runlog, tables
from simcore.errors import InputError, JobError
from simcore.plan import Plan, make_plan
from simcore.runlog import Run
from tests.simcore.games.lost_cities_stacked import edited, shipped

pytestmark = pytest.mark.engine

NAMES = ("uniform", "heuristic")
LINE_UPS = ((0, 1), (1, 1))
GAMES = 8  # two line-ups of two deals


def plan(name: str) -> Plan:
    made = make_plan("lost-cities", shipped(name), 2, NAMES, LINE_UPS, games=4, seed=17, log="cards")
    return replace(made, blocks_per_shard=1)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return batch.run(plan("base"), tmp_path_factory.mktemp("run") / "base", threads=1)


@pytest.fixture
def short_run(tmp_path: Path) -> Run:
    """One that a test may damage."""
    return batch.run(plan("single_round"), tmp_path / "run", threads=1)


# --- The document ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(GAMES))
def test_a_document_names_what_was_played(run: Run, number: int) -> None:
    document = replay.document(run, number)
    assert list(document) == [
        *("format", "game", "seats", "card_set", "bots", "run", "game_number", "seed", "events", "result"),
    ]
    row = run.scan("seats").filter(pl.col("game") == number).collect()
    events, result = document.pop("events"), document.pop("result")
    assert document == {
        "format": "fairdeal-replay/1",
        "game": "lost-cities",
        "seats": 2,
        "card_set": {"name": "base", "hash": shipped("base").hash},
        "bots": [NAMES[bot] for bot in row["bot"]],
        "run": run.manifest["plan_hash"],
        "game_number": number,
        "seed": 17,
    }
    assert json.loads(json.dumps([events, result])) == [events, result]


@pytest.mark.parametrize("number", range(GAMES))
def test_the_result_is_that_of_the_log(run: Run, number: int) -> None:
    result = replay.document(run, number)["result"]
    row = run.scan("games").filter(pl.col("game") == number).collect().to_dicts()[0]
    seats = run.scan("seats").filter(pl.col("game") == number).collect()
    assert result == {
        "scores": seats["score"].to_list(),
        "winners": [seat for seat in range(2) if row["winners"] >> seat & 1],
        "win_share": seats["win_share"].to_list(),
        "turns": row["turns"],
        "end": ("deck", "cap")[row["end"]],
        "truncated": row["truncated"],
        "parts": seats.select(
            pl.col("part_numbers").alias("numbers"),
            pl.col("part_costs").alias("costs"),
            pl.col("part_bonuses").alias("bonuses"),
        ).to_dicts(),
    }
    assert [sum(parts.values()) for parts in result["parts"]] == result["scores"]


def kinds(event: dict[str, Any]) -> str:
    return str(event.get("chance") or event.get("decision") or "round")


@pytest.mark.parametrize("number", range(GAMES))
def test_events_stand_in_the_order_in_which_they_happen(run: Run, number: int) -> None:
    """The starter; each round both hands, then turn by turn a card, a draw and what came; the scores of the round."""
    events = replay.document(run, number)["events"]
    follows = {
        "starter": {"hand"},
        "hand": {"hand", "CARD"},
        "CARD": {"DRAW"},
        "DRAW": {"draw", "CARD"},
        "draw": {"CARD", "round"},
        "round": {"hand"},
    }
    assert kinds(events[0]) == "starter"
    assert kinds(events[-1]) == "round"
    for before, after in pairwise(events):
        assert kinds(after) in follows[kinds(before)]
        if kinds(before) == "DRAW":
            assert (kinds(after) == "draw") == (before["action"] == "deck")
            assert after["seat"] == (before["seat"] if kinds(after) == "draw" else 1 - before["seat"])
        if kinds(before) == "CARD":
            assert after["seat"] == before["seat"]
    assert [event["seat"] for event in events if kinds(event) == "hand"] == [0, 1] * 3
    assert [event["round"] for event in events if kinds(event) == "round"] == [1, 2, 3]


FIELDS = {
    "starter": {"chance", "seat"},
    "hand": {"chance", "seat", "cards"},
    "draw": {"chance", "seat", "card"},
    "round": {"round", "scores"},
    "CARD": {"seat", "decision", "options", "action", "forced"},
    "DRAW": {"seat", "decision", "options", "action", "forced"},
}


@pytest.mark.parametrize("number", range(0, GAMES, 3))
def test_every_event_has_its_fields_and_a_sentence(run: Run, number: int) -> None:
    document = replay.document(run, number)
    sums = [0, 0]
    for event in document["events"]:
        assert set(event) == FIELDS[kinds(event)] | {"text"}
        assert event["text"]
        if "decision" in event:
            assert len(set(event["options"])) == len(event["options"])
            assert event["action"] in event["options"]
            assert event["forced"] == (len(event["options"]) == 1)
        elif kinds(event) == "hand":
            assert len(event["cards"]) == 8
        elif kinds(event) == "round":
            sums = [total + points for total, points in zip(sums, event["scores"], strict=True)]
    assert sums == document["result"]["scores"]


def test_turns_are_counted_over_all_rounds(run: Run) -> None:
    document = replay.document(run, 0)
    assert document["result"]["turns"] == sum(kinds(event) == "DRAW" for event in document["events"])


def test_alike_cards_are_one_option(tmp_path: Path) -> None:
    """Three copies in a hand are one word, and the bot was asked all the same."""
    card_set = edited("base", ["a-5"] * 6 + ["b-1"], hand_size=3, rounds=1)
    made = make_plan("lost-cities", card_set, 2, ("uniform",), ((0, 0),), games=2, seed=1)
    events = replay.document(batch.run(made, tmp_path / "run", threads=1), 0)["events"]
    options = [event["options"] for event in events if kinds(event) == "CARD"]
    assert ["play:a-5", "discard:a-5"] in options
    assert all(len(words) <= 4 for words in options)


# --- In words --------------------------------------------------------------------------------------------------------

STORY = """\
lost-cities, card set tiny
game 1, seed 0: seat 0 uniform, seat 1 uniform

  seat 0 starts
  seat 0 is dealt hill 8
  seat 1 is dealt sea 9
seat 0 discards hill 8 (one of 2)
seat 0 draws from the deck (forced)
  seat 0 gets hill 3
seat 1 plays sea 9 (one of 2)
seat 1 draws from the deck (one of 2)
  seat 1 gets sea 2
seat 0 plays hill 3 (one of 2)
seat 0 takes the top card of the hill pile (one of 2)
seat 1 discards sea 2 (forced)
seat 1 draws from the deck (forced)
  seat 1 gets hill wager
  round 1 ends: -17 to -11 points

-17 to -11 after 4 turns (end: deck): seat 1 wins
"""


def test_a_replay_in_words(tmp_path: Path) -> None:
    """A whole game, to be read. After an intended change of games or words: read the new one and keep it."""
    base = edited("base", ["sea-2", "sea-9", "hill-wager", "hill-8", "hill-3"], hand_size=1, rounds=1)
    made = make_plan("lost-cities", replace(base, name="tiny"), 2, ("uniform",), ((0, 0),), games=2, seed=0)
    story = replay.in_words(replay.document(batch.run(made, tmp_path / "run", threads=1), 1))
    assert story + "\n" == STORY


# --- What is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [-1, GAMES, 2**40])
def test_a_number_that_is_no_game(run: Run, number: int) -> None:
    with pytest.raises(
        InputError, match=f"this run has no game {number}: its games are numbered from 0 to {GAMES - 1}"
    ):
        replay.document(run, number)


def test_a_game_that_is_not_played_yet(short_run: Run) -> None:
    path = short_run.path / "shards.jsonl"
    first, *_ = path.read_text().splitlines(keepends=True)
    path.write_text(first)
    unfinished = runlog.open_run(short_run.path)
    assert not unfinished.complete
    assert replay.document(unfinished, 1)["game_number"] == 1
    with pytest.raises(InputError, match=r"game 2 of the run .* has not been played yet; finish the run with --resume"):
        replay.document(unfinished, 2)


def test_a_bot_that_has_changed(short_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    bots.available("lost-cities")
    key = ("lost-cities", "heuristic")
    changed = replace(bots._bots[key], weights=(1.0,))
    monkeypatch.setattr(bots, "_bots", {**bots._bots, key: changed})
    with pytest.raises(InputError, match=r"the bot heuristic has changed since the run .* was made"):
        replay.document(short_run, 0)


def test_a_bot_that_is_gone(short_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    bots.available("lost-cities")
    monkeypatch.setattr(bots, "_bots", {key: bot for key, bot in bots._bots.items() if bot.name != "heuristic"})
    with pytest.raises(InputError, match="unknown bot 'heuristic'"):
        replay.document(short_run, 0)


def test_a_card_set_that_was_edited(short_run: Run) -> None:
    rules = short_run.path / "cardset" / "rules.toml"
    rules.write_text(rules.read_text().replace("expedition_cost = 20", "expedition_cost = 19"))
    with pytest.raises(InputError, match="is not the card set that this run was played with: it has been edited"):
        replay.document(short_run, 0)


def rewritten(run: Run, table: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Run:
    """The run with other rows in a table, which its shards tell of."""
    shards = {}
    for number, shard in run.shards.items():
        path = runlog.part_path(run.path, table, number)
        part = tables.encode(table, change(pl.read_parquet(path)), run.columns[table])
        path.write_bytes(part.data)
        entry = runlog.PartEntry(part.rows, len(part.data), part.sha256)
        shards[number] = replace(shard, tables={**shard.tables, table: entry})
    return replace(run, shards=shards)


@pytest.mark.parametrize(
    ("table", "column"),
    [("seats", "score"), ("games", "play_hash")],
)
def test_a_log_that_tells_of_another_game(short_run: Run, table: str, column: str) -> None:
    told = rewritten(short_run, table, lambda frame: frame.with_columns((pl.col(column) ^ 1).alias(column)))
    with pytest.raises(
        JobError, match=r"game 0 does not come out as it was logged \(.*\): the run was made by another version"
    ):
        replay.document(told, 0)


def test_a_damaged_log_is_named(short_run: Run) -> None:
    path = runlog.part_path(short_run.path, "seats", 0)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="this run is damaged"):
        replay.document(runlog.open_run(short_run.path), 0)
