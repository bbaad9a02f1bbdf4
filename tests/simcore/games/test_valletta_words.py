"""Replays of Valletta: the words of every decision and event, for every number of seats."""

import re
from functools import lru_cache
from typing import Any

import pytest

from simcore import replay
from simcore.play import Table
from tests.reference.valletta_agreement import GAME, coding_of
from tests.simcore.valletta_sets import edited, random_set, shipped

pytestmark = pytest.mark.engine

SEATS = (2, 3, 4)
GOOD = "gold|wood|stone|brick"
CODE = r"[A-Z_]+"
# Section 19: the forms of words, and how many options there can be.
WORDS = {
    "SETUP_GOOD": (GOOD, 4),
    "PLAY_CARD": (CODE, 5),
    "USE_EFFECT": ("yes|no", 2),
    "PICK_GOOD": (f"{GOOD}|no", 5),
    "BUILD_TARGET": (r"loc[0-9]{1,2}|no", 31),
    "SUBSTITUTE": (f"{GOOD}|no", 5),
    "SUBSTITUTE_PAY": (GOOD, 3),
    "JEAN_MODE": ("no|dismiss|hire", 3),
    "DISMISS_CARD": (CODE, 4),
    "HIRE_CARD": (CODE, 30),
    "GIVE_GOOD": (GOOD, 4),
}


@lru_cache
def played(seats: int) -> list[dict[str, Any]]:
    table = Table(GAME, shipped(), seats, ("uniform",) * seats, seed=3)
    return list(replay.play(table, 0, 0))


@pytest.mark.parametrize("seats", SEATS)
def test_the_words_of_decisions(seats: int) -> None:
    """As many options as the table of section 19 says, and words of one form; VT-15.3: forced ones are listed."""
    seen = set()
    for event in played(seats):
        if "decision" not in event:
            continue
        form, most = WORDS[event["decision"]]
        options = event["options"]
        seen.add(event["decision"])
        assert event["action"] in options
        assert event["forced"] == (len(options) == 1)
        assert 1 <= len(options) == len(set(options)) <= most
        assert all(re.fullmatch(form, word) for word in options)
        assert options != ["no"] or event["decision"] == "SUBSTITUTE"  # otherwise it is not even asked
        assert event["text"].startswith(f"seat {event['seat']} ")
    assert seen >= set(WORDS) - {"GIVE_GOOD"}


@pytest.mark.parametrize("seats", SEATS)
def test_the_order_of_events(seats: int) -> None:
    """VT-3.12: the city, the hands, the extra goods from the last seat on; a turn ends with its draws."""
    events = played(seats)
    names = [event.get("chance") or event.get("decision") or next(iter(event)) for event in events]
    assert names[: 1 + 2 * seats] == ["city", *["hand"] * seats, *["SETUP_GOOD"] * seats]
    assert [event["seat"] for event in events[1 : 1 + seats]] == list(range(seats))
    assert [event["seat"] for event in events[1 + seats : 1 + 2 * seats]] == list(reversed(range(seats)))
    for i, name in enumerate(names):
        if name == "draw":
            assert names[i + 1] in ("draw", "turn_end")
        elif name == "SUBSTITUTE":
            assert names[i - 1] in ("BUILD_TARGET", "SUBSTITUTE")
        elif name == "BUILD_TARGET" and events[i]["action"] != "no":
            assert names[i + 1] == "SUBSTITUTE"  # at least once, even if only `no` is left
        elif name == "barrel":
            assert events[i - 1]["action"] == "JEAN"
        elif name == "final_phase" and names[i - 1] == "barrel":
            assert events[i - 1]["space"] == 25


def test_words_and_actions() -> None:
    """Of every character, good and location; of an edited set with all the room used."""
    for card_set in (shipped(), random_set(3), random_set(4)):
        table = Table(GAME, card_set, 2, ("uniform",) * 2, seed=3)
        next(table.steps(0, 0))
        coding, public = coding_of(table), table.state.public
        for decision, (_, _) in enumerate(WORDS.values()):
            for item in items(decision, len(coding.rules.characters)):
                action = 64 * decision + item
                word = coding.word(action)
                assert table.words.action(action, public) == word
                assert coding.action([*WORDS][decision], word) == action


def items(decision: int, characters: int) -> list[int]:
    """What can be chosen."""
    name = [*WORDS][decision]
    if name in ("PLAY_CARD", "DISMISS_CARD", "HIRE_CARD"):
        return [*range(characters)]
    if name == "BUILD_TARGET":
        return [*range(20), 63]
    if name in ("USE_EFFECT", "JEAN_MODE"):
        return [0, 1, 63] if name == "JEAN_MODE" else [0, 1]
    return [*range(4), 63] if name in ("PICK_GOOD", "SUBSTITUTE") else [*range(4)]


def test_the_end_in_events() -> None:
    """VT-13.11: at the cap the trigger follows the end of the turn; otherwise it comes within it."""
    table = Table(GAME, edited(turn_cap=1), 3, ("uniform",) * 3, seed=3)
    events = list(replay.play(table, 0, 0))
    trigger = next(i for i, event in enumerate(events) if "final_phase" in event)
    assert events[trigger - 1]["turn_end"] == events[trigger]["final_phase"] == 2
    assert "turn_end" in events[-1]
    assert table.game.ends[int(table.state.public.end)] == "cap"
