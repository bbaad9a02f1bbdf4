"""Replays of Vaalbara: the words of every decision and event, for every number of seats."""

import re
from typing import Any

import pytest

from simcore import replay
from simcore.play import Table
from tests.simcore.vaalbara_sets import edited, shipped

pytestmark = pytest.mark.engine

SEATS = (2, 3, 4, 5)
LAND = r"L\d\d"
WORDS = {  # VB-D1 to VB-D8
    "CHARACTER": r"[a-z]+",
    "SHOW_FIGHTER": r"yes|no",
    "BARD": r"seat[0-4]",
    "TRACKER": rf"(first|second):{LAND}",
    "MIDWIFE": r"[a-z]+",
    "RIDER": rf"{LAND}:{LAND}",
    "PIONEER": LAND,
    "TAKE": LAND,
}


def played(seats: int, deals: int = 6) -> list[list[dict[str, Any]]]:
    table = Table("vaalbara", shipped("default"), seats, ("uniform",) * seats, seed=3)
    return [list(replay.play(table, deal, 0)) for deal in range(deals)]


@pytest.mark.parametrize("seats", SEATS)
def test_the_words_of_decisions(seats: int) -> None:
    """VB-D1 to VB-D8: as many options as section 9 allows, and words of one form."""
    most = {"CHARACTER": 5, "SHOW_FIGHTER": 2, "BARD": seats - 1, "TRACKER": 2 * seats, "MIDWIFE": 8}
    most |= {"RIDER": seats**2, "PIONEER": 8, "TAKE": seats}
    seen = set()
    for events in played(seats):
        for event in events:
            if "decision" not in event:
                continue
            options = event["options"]
            seen.add(event["decision"])
            assert event["action"] in options
            assert event["forced"] == (len(options) == 1)
            assert 1 <= len(options) <= most[event["decision"]]
            assert all(re.fullmatch(WORDS[event["decision"]], word) for word in options)
            assert event["text"].startswith(f"seat {event['seat']} ")
    assert seen == set(WORDS)


@pytest.mark.parametrize("seats", SEATS)
def test_the_order_of_events(seats: int) -> None:
    """`clans` first, the first `omens` last in the set-up; a new `omens` follows the row that uncovered it."""
    for events in played(seats, 2):
        names = [event.get("chance", event.get("decision", "round")) for event in events]
        assert names[: seats + 4] == ["clans", *["hand"] * seats, "row", "row", "omens"]
        rounds = [i for i, name in enumerate(names) if name == "round"]
        assert [events[i]["round"] for i in rounds] == list(range(1, 10))
        for i in rounds[:-1]:
            assert names[i + 1 : i + 3] == ["row", "omens"]
            assert events[i + 1]["row"] == "second"
            assert sorted(events[i]["order"]) == list(range(seats))
        assert rounds[-1] == len(events) - 1
        choices = [event["seat"] for event in events if event.get("decision") == "CHARACTER"]
        assert choices == [*range(seats)] * 9  # in seat order, hidden from each other
        for i, name in enumerate(names):
            if name in ("TRACKER", "PIONEER"):
                assert names[i + 1] == "land"
            if name == "TRACKER":
                assert names[i + 2] == "omens"


def test_a_row_that_stays_empty_is_shown_empty() -> None:
    """VB-3.8: a short deck leaves the second row short."""
    lands = [{**row, "min_players": 2} for row in shipped("default").tables["lands"][:19]]
    inputs = ("id", "type", "forest_value", "min_players", "min_players_alt", "omen_id")
    table = Table("vaalbara", _few(lands, inputs), 2, ("uniform",) * 2, seed=3)
    rows = [event for event in replay.play(table, 0, 0) if event.get("chance") == "row"]
    assert rows[-1]["lands"] == []
    assert rows[-1]["text"] == "the second row: nothing"


def _few(lands: list[dict[str, Any]], inputs: tuple[str, ...]) -> Any:
    rest = [{**row, "min_players": 3} for row in shipped("default").tables["lands"][19:]]
    rows = [{name: row[name] for name in inputs} for row in [*lands, *rest]]
    return edited(tables={"lands": rows})
