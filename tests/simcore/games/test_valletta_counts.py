"""The rows that the loop logs for Valletta, counted again by the plain Python reference from the events."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import polars as pl
import pytest

from simcore import game as games
from simcore.cardset import CardSet
from simcore.plan import Plan
from simcore.play import Table as Kernels
from simcore.play import play_shard
from tests.reference import valletta
from tests.reference.valletta import GOODS, HAND, NO, Event, Happening, Match, Table
from tests.reference.valletta_agreement import GAME, Witness
from tests.simcore.valletta_sets import edited, random_set, shipped

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

SEED = 77
SETS = {
    "shipped, 2": (shipped(), 2),
    "shipped, 3": (shipped(), 3),
    "shipped, 4": (edited(turn_cap=12), 4),
    "random": (random_set(5), 3),
}


@dataclass
class Count:
    """What the log should say of one game, by seat."""

    match: Match
    decisions: list[Counter[bool]]  # asked or not
    options: list[int]
    counters: list[Counter[str]]
    standings: list[list[int]] = field(default_factory=list)  # after each turn


class Counting(Table):
    """The reference's table, which also counts goods on their way."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.counters = [Counter[str]() for _ in self.seats]

    def take(self, seat: int, good: int, number: int) -> None:
        before = self.supply[good]
        super().take(seat, good, number)
        if self.expects not in [Happening(HAND, each) for each in self.seats]:  # what all start with is no gain
            self.counters[seat][f"{GOODS[good]}_taken"] += before - self.supply[good]
            self.counters[seat]["short"] += number - before + self.supply[good]

    def give(self, giver: int, receiver: int, good: int, number: int) -> None:
        super().give(giver, receiver, good, number)
        self.counters[receiver]["received"] += number


def count(card_set: CardSet, seats: int, deal: int, rotation: int, monkeypatch: pytest.MonkeyPatch) -> Count:
    monkeypatch.setattr(valletta, "Table", Counting)
    witness = Witness(Kernels(GAME, card_set, seats, ("uniform",) * seats, SEED))
    for _ in witness.follow(deal, rotation):
        pass
    match = Match(witness.rules)
    table = match.table
    assert isinstance(table, Counting)
    found = Count(match, [Counter() for _ in table.seats], [0 for _ in table.seats], table.counters)
    found.standings.append([0 for _ in table.seats])
    for event in witness.events:
        if "decision" in event:
            count_decision(found, match, event)
        elif event.get("chance") == "barrel":
            table.counters[table.active]["jean_steps"] += 1
        elif "final_phase" in event:
            table.counters[event["final_phase"]]["triggered"] += 1
            for counters in table.counters:
                counters["trigger_turn"] = -(-(table.turns + (table.end != "cap")) // len(table.seats))
        elif "turn_end" in event:
            table.counters[event["turn_end"]]["turns"] += 1
            table.counters[event["turn_end"]]["final_turns"] += table.final
        turns = table.turns
        match.apply(event)
        if table.turns > turns:
            found.standings.append([table.points[seat] + table.printed(seat) for seat in table.seats])
    return found


def count_decision(found: Count, match: Match, event: Event) -> None:
    table, seat, action, options = match.table, event["seat"], event["action"], event["options"]
    found.decisions[seat][len(options) > 1] += 1
    found.options[seat] += len(options) * (len(options) > 1)
    counters = found.counters[seat]
    if event["decision"] == "HIRE_CARD":
        counters["hires"] += 1
    elif event["decision"] == "DISMISS_CARD":
        counters["dismissals"] += 1
    elif event["decision"] in ("USE_EFFECT", "PICK_GOOD", "BUILD_TARGET"):
        counters["declined"] += action == NO
    elif event["decision"] == "SUBSTITUTE" and action == NO:
        counters["substituted"] += sum(table.substituted)
        counters["upgraded" if table.owner[table.target] == seat else "houses"] += 1
        counters["area_bonuses"] += match.rules.in_area(table.target, table.jean)
    elif event["decision"] == "PLAY_CARD" and match.rules.character[action].effect == "COPY_PREVIOUS":
        counters["copies"] += table.previous is not None


@pytest.mark.parametrize("name", SETS)
def test_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """VT-14.1 to VT-14.4 in parts, scores and winners; counters of what happened."""
    card_set, seats = SETS[name]
    plan = Plan(GAME, card_set, seats, ("uniform",), ((0,) * seats,), seats, 1, SEED, "games")
    (shard,) = plan.shards()
    frames = play_shard(shard)
    row = frames["games"].row(0, named=True)
    found = count(card_set, seats, row["deal"], row["rotation"], monkeypatch)
    table, result = found.match.table, found.match.table.result()
    assert row["turns"] == result["turns"]
    assert row["decisions"] == sum(asked[True] for asked in found.decisions)
    assert games.get(GAME).ends[row["end"]] == result["end"]
    assert row["truncated"] == result["truncated"]
    assert row["winners"] == sum(1 << seat for seat in result["winners"])
    for seat in table.seats:
        mine = frames["seats"].filter(pl.col("game") == row["game"], pl.col("seat") == seat).row(0, named=True)
        assert mine["score"] == result["scores"][seat]
        assert mine["win_share"] == pytest.approx(result["win_share"][seat])
        assert mine["decisions"] == found.decisions[seat][True]
        assert mine["forced"] == found.decisions[seat][False]
        assert mine["options"] == found.options[seat]
        assert mine["standing_half"] == found.standings[result["turns"] // 2][seat]
        parts = result["parts"][seat]
        assert {name: mine[f"part_{name}"] for name in parts} == parts
        counters = found.counters[seat]
        counters["jean_space"] = table.jean
        counters["cards"] = table.owned[seat].total()
        logged = {name.removeprefix("count_"): value for name, value in mine.items() if name.startswith("count_")}
        assert logged == {name: counters[name] for name in logged}
