"""Replays of Lisboa: the reference follows them, and one is kept as it was."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simcore import replay
from simcore.play import Table
from tests.reference.lisboa import Match, referee
from tests.reference.lisboa_agreement import GAME, rules_of
from tests.simcore.games import lisboa_playthrough as playthrough
from tests.simcore.games.lost_cities_playthrough import text
from tests.simcore.lisboa_sets import random_set, shipped

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("card_set", [shipped(), random_set(1)], ids=lambda card_set: card_set.name)
def test_the_reference_follows_a_replay(card_set: Any, seats: int) -> None:
    """Every option, the notes of each turn, and the scores; the game is over with the last event."""
    table = Table(GAME, card_set, seats, ("uniform",) * seats, 31)
    match = Match(rules_of(card_set, seats))
    names = Counter[str]()
    for event in replay.play(table, 17, rotation=1):
        match.apply(event)
        assert event["text"]
        names[event.get("chance", event.get("decision", next(iter(event))))] += 1
    assert match.table.is_over
    assert match.table.scores() == table.out.points[:seats].tolist()
    assert names["turn_end"] == match.table.turns
    assert names["period_end"] == names["final_rounds"] == 1


def committed() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(playthrough.FILE.read_text(encoding="utf-8"))
    return document


def test_the_playthrough_comes_out_again() -> None:
    """Event by event. See tests/simcore/games/lisboa_playthrough.py for an intended change."""
    seats = playthrough.SEATS
    table = Table(GAME, shipped(), seats, ("uniform",) * seats, playthrough.SEED)
    assert list(replay.play(table, 0, 0)) == committed()["events"]
    assert table.out.points[:seats].tolist() == committed()["result"]["scores"]


@pytest.mark.jitted
def test_the_playthrough_is_what_a_run_shows(tmp_path: Path) -> None:
    """The whole document, from a run's log."""
    document = playthrough.play(tmp_path)
    assert document == committed()
    assert text(document) == playthrough.FILE.read_text(encoding="utf-8")


def test_the_playthrough_keeps_to_the_rules() -> None:
    """Options, events, scores and parts of scores, by the reference."""
    document = committed()
    match = referee(rules_of(shipped(), playthrough.SEATS), document)
    assert match.table.turns == document["result"]["turns"]
    parts = document["result"]["parts"]
    assert [sum(part.values()) for part in parts] == document["result"]["scores"]
