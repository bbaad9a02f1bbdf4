"""Replays of Lost Cities: their words are the reference's, the reference follows them, and one is kept as it was."""

import json
from pathlib import Path
from typing import Any

import pytest

from simcore import replay
from simcore.cardset import CardSet
from simcore.play import Table
from tests.reference.lost_cities import Match, referee
from tests.reference.lost_cities_agreement import GAME, rules_of
from tests.reference.lost_cities_records import Coding
from tests.simcore.games import lost_cities_playthrough as playthrough
from tests.simcore.games.lost_cities_stacked import edited, shipped

pytestmark = pytest.mark.engine

SETS = [
    *(shipped(name) for name in ("base", "long", "single_round", "long_single_round")),
    edited("base", ["b-3", "a-wager", "b-1", "a-7", "b-3", "a-wager", "c-99"] * 2, hand_size=3, max_turns=9),
]


@pytest.mark.parametrize("card_set", SETS, ids=lambda card_set: card_set.name)
def test_words_of_actions(card_set: CardSet) -> None:
    """Of every card and pile; LC-D1 and LC-D2."""
    coding = Coding(rules_of(card_set))
    words = Table(GAME, card_set, 2, ("uniform", "uniform"), 0).game.words(card_set)
    for code, card in coding.cards.items():
        play = 128 * (code // 64) + code % 64
        assert words.action(play, None) == coding.word(play) == f"play:{card.word}"
        assert words.action(play + 64, None) == coding.word(play + 64) == f"discard:{card.word}"
    for pile, colour in enumerate(coding.rules.colours):
        assert words.action(256 + pile, None) == coding.word(256 + pile) == colour
    assert words.action(256 + 6, None) == coding.word(256 + 6) == "deck"


@pytest.mark.parametrize("card_set", SETS, ids=lambda card_set: card_set.name)
def test_the_reference_follows_a_replay(card_set: CardSet) -> None:
    """Every option, score and length in it; the match is over with the last event."""
    table = Table(GAME, card_set, 2, ("heuristic", "uniform"), 31)
    for rotation in (0, 1):
        match = Match(rules_of(card_set))
        for event in replay.play(table, 17, rotation):
            match.apply(event)
            assert event["text"]
        assert match.table.is_over
        assert match.table.totals == table.out.points[:2].tolist()


def committed() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(playthrough.FILE.read_text(encoding="utf-8"))
    return document


def test_the_playthrough_comes_out_again() -> None:
    """Card by card. See tests/simcore/games/lost_cities_playthrough.py for an intended change."""
    table = Table(GAME, shipped("single_round"), 2, ("uniform", "uniform"), playthrough.SEED)
    assert list(replay.play(table, 0, 0)) == committed()["events"]
    assert table.out.points[:2].tolist() == committed()["result"]["scores"]


@pytest.mark.jitted
def test_the_playthrough_is_what_a_run_shows(tmp_path: Path) -> None:
    """The whole document, from a run's log."""
    document = playthrough.play(tmp_path)
    assert document == committed()
    assert playthrough.text(document) == playthrough.FILE.read_text(encoding="utf-8")


def test_the_playthrough_keeps_to_the_rules() -> None:
    document = committed()
    match = referee(rules_of(shipped("single_round")), document)
    assert match.table.turns == document["result"]["turns"]
    parts = document["result"]["parts"]
    assert [sum(part.values()) for part in parts] == document["result"]["scores"]
