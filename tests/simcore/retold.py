"""What the log must say of a game, counted in plain Python from its steps, for any game that the engine plays."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import polars as pl

from simcore.game import Note
from simcore.plan import Plan
from simcore.play import Step, Table, play_shard

WORD = 2**64 - 1
LATEST = 15  # the highest time of a stamp
MOST_TIMES = 255  # the highest tally

Event = tuple[int, int, int]  # kind, time, code


@dataclass
class Retold:
    """One game. Lists are by seat; `cards` by (seat, round): its turn order there, its points, what its cards did."""

    seats: int
    moves: list[tuple[int, ...]] = field(default_factory=list)
    standings: list[list[int]] = field(default_factory=list)  # after each turn
    looks: list[int] = field(default_factory=list)  # the turns that ended last, where several ended at once
    totals: list[Counter[int]] = field(default_factory=list)
    order: dict[tuple[int, int], int] = field(default_factory=dict)
    points: dict[tuple[int, int], int] = field(default_factory=dict)
    events: dict[tuple[int, int], list[Event]] = field(default_factory=dict)
    tallies: dict[tuple[int, int], Counter[tuple[int, int]]] = field(default_factory=dict)  # by (tally, code)

    @property
    def play_hash(self) -> int:
        """splitmix64's finaliser over the sum of the hash so far and the action plus 1."""
        word = 0
        for *_, action, _ in self.moves:
            word = mixed((word + action + 1) & WORD)
        return word

    @property
    def leaders(self) -> list[tuple[int, int]]:
        """(turn, seat) of the turns after which one seat alone was ahead."""
        found = []
        for turn in self.looks:
            now = self.standings[turn]
            if now.count(max(now)) == 1:
                found.append((turn, now.index(max(now))))
        return found

    @property
    def lead_changes(self) -> list[int]:
        return [turn for (_, before), (turn, now) in pairwise(self.leaders) if now != before]


def mixed(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def retell(table: Table, steps: Iterable[Step]) -> Retold:
    """`steps` are those of `table`, read one by one."""
    public, told = table.state.public, Retold(table.seats)
    told.totals = [Counter() for _ in range(table.seats)]
    number = 0
    for step in steps:
        if step.seat >= 0:
            assert step.action in step.options
            forced = len(step.options) == 1
            told.moves.append((len(told.moves), step.seat, step.decision, len(step.options), step.action, forced))
        for kind, time, seat, value in step.events:
            if kind == Note.ROUND_ORDER:
                number = time
                told.order[seat, number], told.events[seat, number] = value, []
                told.tallies[seat, number] = Counter()
            elif kind == Note.ROUND_POINTS:
                told.points[seat, time] = value
            elif Note.GAIN <= kind < Note.PART:
                told.totals[seat][kind] += 1
                told.events[seat, number].append((kind, time, value))
            elif Note.PART <= kind < Note.ROUND_ORDER:
                told.totals[seat][kind] += value
            elif Note.TALLY <= kind < Note.OTHER:
                told.tallies[seat, number][kind - Note.TALLY, value] += 1
        if len(told.standings) <= int(public.turns):
            if public.turns:
                told.looks.append(int(public.turns))
            while len(told.standings) <= int(public.turns):
                told.standings.append(public.standing[: table.seats].tolist())
    return told


def check(plan: Plan) -> None:
    """Every row of every table of a plan, against its games' steps."""
    for shard in plan.shards():
        table = Table(plan.game, plan.card_set, plan.seats, shard.names, plan.seed)
        tables = {name: frame.partition_by("game", as_dict=True) for name, frame in play_shard(shard).items()}
        for game in range(shard.first_game, shard.first_game + shard.games):
            line_up, deal, rotation = plan.locate(game)
            told = retell(table, table.steps(deal, rotation))
            keys = {"game": game, "line_up": line_up, "deal": deal, "rotation": rotation}
            check_game(table, told, tables["games"][game,].to_dicts()[0], keys)
            check_seats(plan, table, told, tables["seats"][game,].to_dicts(), keys)
            if plan.log != "games":
                check_cards(table, told, tables["cards"][game,], tables["seats"][game,]["win_share"].to_list(), keys)
            if plan.log == "moves":
                assert [row[1:] for row in tables["moves"][game,].rows()] == told.moves


def check_game(table: Table, told: Retold, row: dict[str, Any], keys: dict[str, int]) -> None:
    public, changes = table.state.public, told.lead_changes
    assert row == {
        **keys,
        "turns": int(public.turns),
        "decisions": sum(not move[-1] for move in told.moves),
        "rounds": table.game.rounds_of(table.card_set),
        "end": int(public.end),
        "truncated": bool(public.truncated),
        "winners": sum(1 << seat for seat in range(table.seats) if rank(table, seat) == 1),
        "lead_changes": len(changes),
        "last_lead_change": changes[-1] if changes else 0,
        "play_hash": told.play_hash,
    }


def result(table: Table, seat: int) -> tuple[int, int]:
    return int(table.out.points[seat]), int(table.out.tie_break[seat])


def rank(table: Table, seat: int) -> int:
    return 1 + sum(result(table, other) > result(table, seat) for other in range(table.seats))


def check_seats(plan: Plan, table: Table, told: Retold, rows: list[dict[str, Any]], keys: dict[str, int]) -> None:
    game, places = table.game, plan.line_ups[keys["line_up"]]
    winners = sum(rank(table, seat) == 1 for seat in range(table.seats))
    assert len(rows) == table.seats
    for seat, row in enumerate(rows):
        mine, total = [move for move in told.moves if move[1] == seat], told.totals[seat]
        share = 1 / winners if rank(table, seat) == 1 else 0.0
        assert abs(row.pop("win_share") - share) < 1e-6
        assert row == {
            **keys,
            "seat": seat,
            "order": told.order[seat, 0],
            "bot": places[(seat + keys["rotation"]) % table.seats],
            "score": int(table.out.points[seat]),
            "rank": rank(table, seat),
            "decisions": sum(not move[-1] for move in mine),
            "forced": sum(move[-1] for move in mine),
            "options": sum(move[3] for move in mine if not move[-1]),
            "standing_half": told.standings[(len(told.standings) - 1) // 2][seat],
            **{f"part_{part.name}": total[Note.PART + i] for i, part in enumerate(game.parts)},
            **{f"count_{m.name}": total[kind] for m, kind in zip(game.counters, game.counter_kinds, strict=True)},
        }
        assert sum(total[Note.PART + i] for i in range(len(game.parts))) == row["score"]


def check_cards(table: Table, told: Retold, frame: pl.DataFrame, shares: list[float], keys: dict[str, int]) -> None:
    rows = frame.to_dicts()
    rounds = table.game.rounds_of(table.card_set)
    assert [(row["seat"], row["round"]) for row in rows] == [(s, r) for s in range(table.seats) for r in range(rounds)]
    for row in rows:
        where = row["seat"], row["round"]
        assert {name: row[name] for name in keys} == keys
        assert (row["order"], row["points"]) == (told.order[where], told.points[where])
        assert row["win_share"] == shares[row["seat"]]
        for codes, stamps in types(table, row):
            events = [event for event in told.events[where] if event[2] in codes]
            check_stamps(table, events, stamps)
        for card in table.game.log_cards(table.card_set, table.seats):
            for i, tally in enumerate(table.game.tallies if card.tallied else ()):
                assert row[f"{card.id}_{tally}"] == min(MOST_TIMES, told.tallies[where][i, card.code])


def types(table: Table, row: dict[str, Any]) -> Iterator[tuple[list[int], list[int]]]:
    """For each type of card, the codes of its copies and their stamps."""
    cards = [card for card in table.game.log_cards(table.card_set, table.seats) if not card.tallied]
    for kind in dict.fromkeys(card.type for card in cards):
        copies = [card for card in cards if card.type == kind]
        yield [card.code for card in copies], [row[card.id] for card in copies]


def check_stamps(table: Table, events: list[Event], stamps: list[int]) -> None:
    """The stamps of the copies of a card, given all that happened to it at a seat in a round."""
    gains = [event for event in events if event[0] < Note.FATE]
    fates = [event for event in events if event[0] >= Note.FATE]
    if len(stamps) == 1:
        assert stamps == [stamp_of(table, events)]
        return
    held = [stamp for stamp in stamps if stamp >> 6]
    assert not any(stamp for stamp in stamps if not stamp >> 6)
    # How many were ever held, are kept, have left: events decide it, whichever copy they are given to.
    assert len(held) == min(len(stamps), len(gains))
    assert sum(not stamp >> 4 & 3 for stamp in held) == len(gains) - len(fates)
    assert Counter(stamp >> 6 for stamp in held) == Counter(kind for kind, *_ in gains[: len(held)])
    came_back = len(gains) > len(held)
    final = Counter(kind - Note.FATE + 1 for kind, *_ in fates)
    for fate in range(1, len(table.game.fates) + 1):
        count = sum(stamp >> 4 & 3 == fate for stamp in held)
        if came_back and fate == len(table.game.fates):
            assert count == final[fate] - (len(gains) - len(held))
        else:
            assert count == final[fate]
    if not came_back:
        times = sorted(min(LATEST, time // table.game.when_unit) for _, time, _ in fates)
        assert sorted(stamp & 15 for stamp in held if stamp >> 4 & 3) == times


def stamp_of(table: Table, events: list[Event]) -> int:
    """The stamp of a card that has no copies."""
    if not events:
        return 0
    first, last = events[0], events[-1]
    fate = last[0] - Note.FATE + 1 if last[0] >= Note.FATE else 0
    return first[0] << 6 | fate << 4 | min(LATEST, last[1] // table.game.when_unit)
