"""The rows that the loop logs for Lisboa, counted again by the plain Python reference from the events."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl
import pytest

from simcore import game as games
from simcore.cardset import CardSet
from simcore.plan import Plan
from simcore.play import Table as Kernels
from simcore.play import play_shard
from tests.reference import lisboa
from tests.reference.lisboa import Match
from tests.reference.lisboa_agreement import GAME, Witness
from tests.reference.lisboa_state import DECLINE, STOP, Event, Steps, Table
from tests.simcore.lisboa_sets import random_set, shipped

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

SEED = 77
SETS = {
    "shipped, 2": (shipped(), 2),
    "shipped, 3": (shipped(), 3),
    "shipped, 4": (shipped(), 4),
    "random": (random_set(5), 3),
    "another random": (random_set(9), 4),
}
# Counters that are the number of decisions of a kind in which something was done.
OF_DECISIONS = {
    "SELL": "goods_sold",
    "OFFICE": "officials_placed",
    "DECREE_PICK": "decrees_taken",
    "HOUSE_GROUP": "stores",
    "SURRENDER": "tiles_surrendered",
    "PERIOD_DISCARD": "discarded",
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
    """The reference's table, which also counts what happens."""

    def __init__(self, *arguments: Any) -> None:
        self.counters = [Counter[str]() for _ in range(arguments[0].seats)]
        super().__init__(*arguments)

    def score(self, seat: int, wigs: int, source: str) -> None:
        super().score(seat, wigs, source)
        self.counters[seat]["ships_sailed"] += source == "sailing"

    def gain_good(self, seat: int, good: str, number: int = 1) -> int:
        gained = super().gain_good(seat, good, number)
        if self.activities and self.activities[-1].task == "PRODUCE":
            self.counters[seat]["goods_produced"] += gained
        return gained

    def produce_reais(self, seat: int, number: int) -> None:
        super().produce_reais(seat, number)
        self.counters[seat]["influence_reais"] += number


def counting_state_action(table: Counting, seat: int, action: str) -> Steps[None]:
    table.counters[seat][f"action_{action}"] += 1
    yield from lisboa.STATE[action](table, seat)


def counting_noble_action(table: Counting, seat: int, action: str) -> Steps[None]:
    if table.activities[-1].task == "VISIT":
        table.counters[seat]["noble_actions_lost"] += not table.can_act(seat, action, table.money(seat))
    yield from NOBLE_ACTION(table, seat, action)


def counting_payment(table: Counting, seat: int, noble: str, cost: int, ways: Sequence[int]) -> Steps[None]:
    names = ("influence", "wigs", "reais")
    before = [getattr(table.players[seat], name) for name in names]
    yield from PAY_VISIT(table, seat, noble, cost, ways)
    for name, was in zip(names, before, strict=True):
        table.counters[seat][f"visit_{name}"] += was - getattr(table.players[seat], name)


def counting_hire(table: Counting, seat: int, number: int) -> None:
    table.counters[seat]["officials_hired"] += number
    HIRE(table, seat, number)


NOBLE_ACTION, PAY_VISIT, HIRE = lisboa.noble_action, lisboa.pay_visit, lisboa.hire


def count(card_set: CardSet, seats: int, deal: int, rotation: int, monkeypatch: pytest.MonkeyPatch) -> Count:
    witness = Witness(Kernels(GAME, card_set, seats, ("uniform",) * seats, SEED))
    for _ in witness.follow(deal, rotation):
        pass
    monkeypatch.setattr(lisboa, "Table", Counting)
    monkeypatch.setattr(lisboa, "state_action", counting_state_action)
    monkeypatch.setattr(lisboa, "noble_action", counting_noble_action)
    monkeypatch.setattr(lisboa, "pay_visit", counting_payment)
    monkeypatch.setattr(lisboa, "hire", counting_hire)
    match = Match(witness.rules)
    table = match.table
    assert isinstance(table, Counting)
    found = Count(match, [Counter() for _ in table.seats], [0 for _ in table.seats], table.counters)
    for event in witness.events:
        before = [player.reais for player in table.players]
        if "decision" in event:
            count_decision(found, match, event)
        count_note(found, table, event)
        turns = table.turns
        match.apply(event)
        if event.get("decision") == "SELL":
            table.counters[event["seat"]]["reais_earned"] += table.players[event["seat"]].reais - before[event["seat"]]
        if table.turns > turns or not found.standings:
            found.standings.append([player.wigs for player in table.players])
    return found


def count_note(found: Count, table: Counting, event: Event) -> None:
    if "turn_end" in event:
        counters = found.counters[event["turn_end"]]
        counters["turns"] += 1
        counters["first_turns"] += table.period == 1
    for counters in found.counters:
        if "period_end" in event:
            counters[f"period_by_{event['reason']}"] += 1
        if "final_rounds" in event:
            counters[f"end_by_{event['final_rounds']}"] += 1


def count_decision(found: Count, match: Match, event: Event) -> None:
    table, seat, decision, action, options = (
        match.table,
        event["seat"],
        event["decision"],
        event["action"],
        event["options"],
    )
    found.decisions[seat][len(options) > 1] += 1
    found.options[seat] += len(options) * (len(options) > 1)
    counters = found.counters[seat]
    if decision in OF_DECISIONS and action != STOP:
        counters[OF_DECISIONS[decision]] += 1
    elif decision == "MAIN":
        count_card(match, counters, action)
    elif decision == "FOLLOW" and action != DECLINE:
        counters[f"follows_{table.visited}"] += 1
    elif decision == "PORTFOLIO_ACTION":
        counters["sales"] += action == "sell"
    elif decision == "CARDINAL_STEPS":
        counters["cardinal_steps"] += int(action)


def count_card(match: Match, counters: Counter[str], action: str) -> None:
    mode, card = action.split(":")
    card_type = match.rules.cards[card].type
    court = "events" if card_type == "treasury" else f"visits_{card_type}"
    counters[{"gold": "golds", "portfolio": "tucked", "court": court}[mode]] += 1


@pytest.mark.parametrize("name", SETS)
def test_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """L-17.1 to L-17.9 in parts, scores and winners; counters of what happened."""
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
    for seat, player in enumerate(table.players):
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
        counters.update(sets=player.sets, markers_spent=player.spent, reais_left=player.reais)
        counters.update(buildings=len(player.completed))
        logged = {name.removeprefix("count_"): value for name, value in mine.items() if name.startswith("count_")}
        assert logged == {name: counters[name] for name in logged}
