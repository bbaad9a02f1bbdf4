"""The rows that the loop logs for Lost Cities, counted again by the plain Python reference from the events."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import polars as pl
import pytest

from simcore import game as games
from simcore.cardset import CardSet
from simcore.plan import Plan
from simcore.play import Table, play_shard
from tests.reference.lost_cities import SEATS, Card, Match
from tests.reference.lost_cities import Table as Board
from tests.reference.lost_cities_agreement import GAME, Witness, rules_of
from tests.simcore.games.lost_cities_stacked import edited, shipped

pytestmark = pytest.mark.engine

GAINS, FATES = ("dealt", "drawn", "taken"), ("played", "discarded")
WHEN_UNIT, LATEST = 8, 15
BOTS = ("heuristic", "uniform")
SEED = 77

SETS = [
    shipped("single_round"),
    edited("long", rounds=2),
    edited("base", rounds=3, max_turns=30, bonus_min_cards=3, bonus_points=-5, expedition_cost=7),
    edited("base", ["a-wager", "a-wager", "a-2", "a-2", "a-5", "b-1", "b-3", "b-3", "c-9"] * 2, hand_size=4, rounds=2),
]


@dataclass
class Count:
    """What the log should say of one game."""

    asked: list[int] = field(default_factory=lambda: [0, 0])
    forced: list[int] = field(default_factory=lambda: [0, 0])
    options: list[int] = field(default_factory=lambda: [0, 0])
    counters: list[Counter[str]] = field(default_factory=lambda: [Counter(), Counter()])
    parts: list[Counter[str]] = field(default_factory=lambda: [Counter(), Counter()])
    standings: list[list[int]] = field(default_factory=lambda: [[0, 0]])  # after each turn
    # By seat and round: of each card its first gain, latest fate and the turn of its last event.
    stamps: list[list[dict[Card, tuple[str, str, int]]]] = field(default_factory=lambda: [[], []])
    kept: list[list[Counter[Card]]] = field(default_factory=lambda: [[], []])
    played: list[list[Counter[Card]]] = field(default_factory=lambda: [[], []])


def count(card_set: CardSet, deal: int, rotation: int) -> tuple[Count, Board]:
    witness = Witness(Table(GAME, card_set, 2, BOTS, SEED))
    for _ in witness.follow(deal, rotation):
        pass
    match, found = Match(witness.rules), Count()
    for event in witness.events:
        if "decision" in event:
            _count_decision(found, match, event["seat"], event["action"])
        elif event.get("chance") == "hand":
            found.stamps[event["seat"]].append({})
            for word in event["cards"]:
                _gain(found, match, event["seat"], match.rules.card[word], "dealt")
        elif event.get("chance") == "draw":
            _gain(found, match, event["seat"], match.rules.card[event["card"]], "drawn")
        turns = match.table.turns
        match.apply(event)
        if match.table.turns > turns:
            found.standings.append(match.table.standing())
        if match.table.expects == "round":
            _count_columns(found, match)
    return found, match.table


def _count_decision(found: Count, match: Match, seat: int, action: str) -> None:
    options = match.options().total()
    found.forced[seat] += options == 1
    found.asked[seat] += options > 1
    found.options[seat] += options * (options > 1)
    verb, colon, word = action.partition(":")
    if colon:
        fate = "played" if verb == "play" else "discarded"
        found.counters[seat][fate] += 1
        stamps, card = found.stamps[seat][-1], match.rules.card[word]
        stamps[card] = (stamps[card][0], fate, match.table.round_turns)
    elif action != "deck":
        _gain(found, match, seat, match.table.piles[action][-1], "taken")


def _gain(found: Count, match: Match, seat: int, card: Card, how: str) -> None:
    if how != "dealt":
        found.counters[seat][how] += 1
    stamps = found.stamps[seat][-1]
    first = stamps[card][0] if card in stamps else how
    stamps[card] = (first, "", 0 if how == "dealt" else match.table.round_turns)


def _count_columns(found: Count, match: Match) -> None:
    rules = match.rules
    for seat in SEATS:
        columns = [column for column in match.table.columns[seat].values() if column]
        found.kept[seat].append(Counter(match.hands[seat]))
        found.played[seat].append(Counter(card for column in columns for card in column))
        found.counters[seat]["expeditions"] += len(columns)
        for column in columns:
            times = 1 + sum(card.is_wager for card in column)
            found.parts[seat]["numbers"] += times * sum(card.value for card in column)
            found.parts[seat]["costs"] -= times * rules.expedition_cost
            found.parts[seat]["bonuses"] += rules.bonus_points * (len(column) >= rules.bonus_min_cards)


def leaders(standings: list[list[int]]) -> Iterator[tuple[int, int]]:
    """(turn, seat) wherever the strict leader is another one than the one before."""
    leads = [(turn, points.index(max(points))) for turn, points in enumerate(standings) if points[0] != points[1]]
    yield from (after for before, after in pairwise(leads) if before[1] != after[1])


@pytest.fixture(scope="module", params=SETS, ids=["single_round", "long", "capped", "copies"])
def logged(request: pytest.FixtureRequest) -> tuple[CardSet, dict[str, pl.DataFrame]]:
    card_set: CardSet = request.param
    plan = Plan(GAME, card_set, 2, BOTS, ((0, 1),), 6, blocks_per_shard=3, seed=SEED, log="cards")
    (shard,) = plan.shards()
    return card_set, play_shard(shard)


def test_rows(logged: tuple[CardSet, dict[str, pl.DataFrame]]) -> None:
    """Games, seats and cards of six games. LC-6.1 to LC-6.4 in parts; LC-7.2 and LC-7.3 in the winners."""
    card_set, frames = logged
    game_rows = frames["games"].rows(named=True)
    seat_rows = frames["seats"].rows(named=True)
    for row in game_rows:
        found, table = count(card_set, row["deal"], row["rotation"])
        result = table.result()
        assert row["turns"] == result["turns"]
        assert row["decisions"] == sum(found.asked)
        assert row["rounds"] == card_set.scalars["rounds"]
        assert games.get(GAME).ends[row["end"]] == result["end"]
        assert row["truncated"] == result["truncated"]
        assert row["winners"] == sum(1 << seat for seat in result["winners"])
        changes = list(leaders(found.standings))
        assert row["lead_changes"] == len(changes)
        assert row["last_lead_change"] == (changes[-1][0] if changes else 0)
        for seat in SEATS:
            (mine,) = [other for other in seat_rows if (other["game"], other["seat"]) == (row["game"], seat)]
            assert mine["order"] == int(seat != table.starters[0])
            assert mine["bot"] == (seat + row["rotation"]) % 2
            assert mine["score"] == result["scores"][seat]
            assert mine["win_share"] == result["win_share"][seat]
            assert mine["rank"] == (1 if seat in result["winners"] else 2)
            assert mine["decisions"] == found.asked[seat]
            assert mine["forced"] == found.forced[seat]
            assert mine["options"] == found.options[seat]
            assert mine["standing_half"] == found.standings[result["turns"] // 2][seat]
            for part in ("numbers", "costs", "bonuses"):
                assert mine[f"part_{part}"] == found.parts[seat][part]
            for counter in ("expeditions", "played", "discarded", "drawn", "taken"):
                assert mine[f"count_{counter}"] == found.counters[seat][counter]


def test_card_rows(logged: tuple[CardSet, dict[str, pl.DataFrame]]) -> None:
    """Of a single card everything; of copies how many were kept and how many played."""
    card_set, frames = logged
    rules = rules_of(card_set)
    columns: dict[Card, list[str]] = {}
    for row, card in zip(card_set.tables["cards"], rules.deck, strict=True):
        columns.setdefault(card, []).append(row["id"])
    for (deal, rotation), rows in frames["cards"].group_by(["deal", "rotation"]):
        found, table = count(card_set, int(str(deal)), int(str(rotation)))
        for row in rows.rows(named=True):
            seat, number = row["seat"], row["round"]
            assert row["order"] == int(seat != table.starters[number])
            assert row["points"] == table.scores[number][seat]
            assert row["win_share"] == table.result()["win_share"][seat]
            for card, ids in columns.items():
                stamps = [unpacked(row[name]) for name in ids]
                assert sum(fate == "" and gain != "" for gain, fate, _ in stamps) == found.kept[seat][number][card]
                assert sum(fate == "played" for _, fate, _ in stamps) == found.played[seat][number][card]
                if len(ids) == 1:
                    gain, fate, turn = found.stamps[seat][number].get(card, ("", "", 0))
                    assert stamps == [(gain, fate, min(LATEST, turn // WHEN_UNIT))]


def unpacked(stamp: int) -> tuple[str, str, int]:
    """Gain, fate ("" for none of either) and time of a packed byte."""
    return ("", *GAINS)[stamp >> 6], ("", *FATES)[stamp >> 4 & 3], stamp & 15
