"""Replays of Valletta: the reference follows them, and one is kept as it was."""

import json
from pathlib import Path
from typing import Any

import pytest

from simcore import replay
from simcore.play import Table
from tests.reference.valletta import Match, referee
from tests.reference.valletta_agreement import GAME, rules_of
from tests.simcore.games import valletta_playthrough as playthrough
from tests.simcore.games.lost_cities_playthrough import text
from tests.simcore.valletta_sets import edited, random_set, shipped

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("card_set", [edited(turn_cap=8), random_set(1)], ids=lambda card_set: card_set.name)
def test_the_reference_follows_a_replay(card_set: Any, seats: int) -> None:
    """Every option, the points of each turn, and the scores; the game is over with the last event."""
    table = Table(GAME, card_set, seats, ("uniform",) * seats, 31)
    match = Match(rules_of(card_set, seats))
    for event in replay.play(table, 17, rotation=1):
        match.apply(event)
        assert event["text"]
    assert match.table.is_over
    assert match.table.scores() == table.out.points[:seats].tolist()


def committed() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(playthrough.FILE.read_text(encoding="utf-8"))
    return document


def test_the_playthrough_comes_out_again() -> None:
    """Event by event. See tests/simcore/games/valletta_playthrough.py for an intended change."""
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
