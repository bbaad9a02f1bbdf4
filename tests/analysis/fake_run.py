"""Run folders whose truth is known, for the tests of `analysis`: made-up games in the exact schemas of a run folder.

`write(folder, FakeRun(...))` writes one; `python -m tests.analysis.fake_run` writes a sample to a temporary folder and
prints its balance as JSON, which is enough to work on a report without any game.

The game that is made up: 60 cards in 5 colours with three wagers each, hands of 8. A seat's score of a round is 20 +
    skill of its bot + luck of its seat in this deal + noise of this game + half the first player's points (or minus
    half)
       + the planted effect of every card in its opening hand,
rounded to whole points.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from simcore import manifest as manifests
from simcore import runlog, tables
from simcore.manifest import CardEntry, Manifest
from simcore.plan import LogLevel
from simcore.runlog import Run

COLOURS = ("yellow", "blue", "white", "green", "red")
HAND = 8
TIERS = ("random", "simple", "expert", "trained", "search")


@dataclass(frozen=True)
class FakeBot:
    name: str
    tier: str
    skill: float = 0.0
    deterministic: bool = False
    turns: float = 48.0


@dataclass(frozen=True)
class FakeRun:
    """What to make up. `effects` are points for each copy in the opening hand, by card type; `first_points` is the
    margin of going first.
    """

    blocks: int = 2000
    bots: tuple[FakeBot, ...] = (FakeBot("uniform", "random", 0.0, turns=140.0), FakeBot("expert", "expert", 12.0))
    line_ups: tuple[tuple[int, ...], ...] = ((0, 0), (0, 1), (1, 1))
    seats: int = 2
    rounds: int = 1
    seed: int = 1
    noise_seed: int = 0  # another one gives the same deals with other noise in the games
    first_points: float = 0.0
    effects: dict[str, float] = field(default_factory=dict)
    luck_sd: float = 10.0
    noise_sd: float = 12.0
    cut_off: float = 0.0
    dead: tuple[str, ...] = ()
    trap: tuple[str, ...] = ()  # types that are played by those who are losing anyway
    undealt: tuple[str, ...] = ()  # types that lie below all others, so that no opening hand has one
    seldom: tuple[str, ...] = ()  # types that do so in all deals but one of two hundred
    blocks_per_shard: int = 1000
    log: LogLevel = "cards"


def cards() -> list[CardEntry]:
    out: list[CardEntry] = []
    for colour in COLOURS:
        letter = colour[0].upper()
        out += [
            {
                "id": f"{letter}W{i}",
                "label": f"{colour} wager",
                "type": f"{colour}-wager",
                "group": colour,
                "in_hand": True,
                "tallied": False,
                "side_of": "",
                "rows": [f"cards.{letter}W{i}"],
            }
            for i in (1, 2, 3)
        ]
        out += [
            {
                "id": f"{letter}{v:02d}",
                "label": f"{colour} {v}",
                "type": f"{colour}-{v}",
                "group": colour,
                "in_hand": True,
                "tallied": False,
                "side_of": "",
                "rows": [f"cards.{letter}{v:02d}"],
            }
            for v in range(2, 11)
        ]
    return out


def manifest(fake: FakeRun) -> Manifest:
    return {
        "format": "fairdeal-run/3",
        "version": "0.1.0",
        "game": "made-up",
        "title": "A made-up game",
        "seats": fake.seats,
        "card_set": {"name": "base", "hash": "0" * 64},
        "bots": [
            {"name": b.name, "tier": b.tier, "hash": f"{i:064x}", "text": f"The made-up bot {b.name}."}
            for i, b in enumerate(fake.bots)
        ],
        "line_ups": [list(line_up) for line_up in fake.line_ups],
        "games_per_line_up": fake.blocks * fake.seats,
        "blocks_per_shard": fake.blocks_per_shard,
        "seed": fake.seed,
        "log": fake.log,
        "ends": ["deck", "cap"],
        "endings": ["deck", "cap"],
        "decisions": ["card", "draw"],
        "parts": [
            {"name": "expeditions", "unit": "points", "text": "what the columns are worth"},
            {"name": "bonus", "unit": "points", "text": "bonus for long columns"},
        ],
        "counters": [{"name": "wagers_played", "unit": "cards", "text": "wagers that were played"}],
        "gains": ["dealt", "drawn", "taken"],
        "fates": ["played", "discarded"],
        "tallies": [],
        "when_unit": 8,
        "when": "turns of the round",
        "standing": "points on the table so far",
        "caveat": "",
        "cards": cards(),
        "score_unit": "points",
        "first_player": True,
        "round_is_game": fake.rounds == 1,
        "plan_hash": "0" * 64,
    }


def write(folder: Path, fake: FakeRun, shards: int | None = None) -> Run:
    """Write the run folder (only its first shards, where a number is given) and open it."""
    described = manifest(fake)
    cut = manifests.cut(described)

    def frames(number: int) -> dict[str, pl.DataFrame]:
        line_up, first, last = cut.blocks_of(number)
        return shard(fake, line_up, first // fake.blocks_per_shard, first, last)

    return write_frames(folder, described, frames, cut.shards if shards is None else shards)


def write_frames(
    folder: Path, described: Manifest, frames: Callable[[int], dict[str, pl.DataFrame]], shards: int
) -> Run:
    """Write a run folder from the tables of each shard, and open it."""
    columns = tables.tables(described)
    (folder / runlog.CARD_SET).mkdir(parents=True, exist_ok=True)
    for table in columns:
        (folder / table).mkdir(exist_ok=True)
    (folder / runlog.MANIFEST).write_bytes(manifests.encode(described))
    lines, fingerprint = [], manifests.fingerprint(described)
    for number in range(shards):
        made, entries = frames(number), {}
        for table, its_columns in columns.items():
            part = tables.encode(table, made[table], its_columns)
            runlog.part_path(folder, table, number).write_bytes(part.data)
            entries[table] = runlog.PartEntry(part.rows, len(part.data), part.sha256)
        entry = runlog.ShardEntry(number, *manifests.cut(described).blocks_of(number), entries)
        lines.append(entry.encode(fingerprint))
    (folder / runlog.SHARDS).write_bytes(b"".join(lines))
    return runlog.open_run(folder)


def edit_manifest(run: Run, **changes: Any) -> Run:
    """Change entries of a run's manifest as if it had been played so, and open it again."""
    told: Any = {**run.manifest, **changes}
    (run.path / runlog.MANIFEST).write_bytes(manifests.encode(told))
    lines = [entry.encode(manifests.fingerprint(told)) for entry in run.shards.values()]
    (run.path / runlog.SHARDS).write_bytes(b"".join(lines))
    return runlog.open_run(run.path, checksums=False)


def edit_cards(run: Run, **names: str) -> Run:
    """Call the cards of some ids otherwise, as an edit of their rows does: edit_cards(run, Y10="yellow 14")."""
    new = {id_: {"label": name, "type": name.replace(" ", "-")} for id_, name in names.items()}
    told = [{**card, **new.get(card["id"], {})} for card in run.manifest["cards"]]
    return edit_manifest(run, cards=told)


def forget_rows(run: Run) -> Run:
    """Make it a run of an older version, whose manifest does not say which rows its cards stand for."""
    return edit_manifest(run, cards=manifests.without_rows(run.manifest)["cards"])


def shard(fake: FakeRun, line_up: int, part: int, first: int, last: int) -> dict[str, pl.DataFrame]:
    """The tables of blocks first to last - 1. Axes of the arrays: block, rotation, seat, round, card."""
    B, n, R, C = last - first, fake.seats, fake.rounds, 60
    deal = np.random.default_rng([fake.seed, part])  # the same for every line-up
    own = np.random.default_rng([fake.seed, part, 1 + line_up, fake.noise_seed])
    places = fake.line_ups[line_up]
    # In rotation r, seat s is played by place (s + r) % n.
    bot = np.array([[places[(s + r) % n] for s in range(n)] for r in range(n)])
    same = len(set(places)) == 1 and fake.bots[places[0]].deterministic
    rotations = 1 if same else n

    # The deal: hands, draws, seat order.
    types = [card["type"] for card in cards()]
    below = np.broadcast_to([t in fake.undealt for t in types], (B, R, C))
    if fake.seldom:
        often = np.random.default_rng([fake.seed, part, 99]).random((B, R, C)) < 0.995
        below = below | (often & [t in fake.seldom for t in types])
    position = (deal.random((B, R, C), dtype=np.float32) + below).argsort(axis=2).argsort(axis=2)
    starter = deal.integers(0, n, (B, R))
    order = (np.arange(n) - starter[:, :, None]) % n  # block, round, seat
    luck = deal.normal(0, fake.luck_sd, (B, R, n))
    noise = own.normal(0, fake.noise_sd, (B, rotations, R, n)).repeat(n // rotations, axis=1)
    dealt = (position[:, :, None, :] // HAND) == np.arange(n)[:, None]  # block, round, seat, card
    rest = position - HAND * n
    # A quarter of the deck is never drawn, so that "never seen" is not empty for any number of seats.
    drawn = (rest[:, :, None, :] >= 0) & (rest[:, :, None, :] < (C - HAND * n) * 3 // 4)
    drawn = drawn & (rest[:, :, None, :] % n == np.arange(n)[:, None])
    effect = np.array([fake.effects.get(t, 0.0) for t in types])
    skill = np.array([b.skill for b in fake.bots])[bot]  # rotation, seat
    going_first = np.where(order == 0, fake.first_points / 2, -fake.first_points / 2 / max(1, n - 1))
    per_round = 20 + luck + going_first + dealt @ effect  # block, round, seat
    points = np.rint(per_round[:, None] + noise + skill[None, :, None, :]).astype(
        np.int32
    )  # block, rotation, round, seat

    score = points.sum(axis=2, dtype=np.int32)  # block, rotation, seat
    best = score.max(axis=2, keepdims=True)
    winner = score == best
    share = (winner / winner.sum(axis=2, keepdims=True)).astype(np.float32)
    games = B * n
    g0 = line_up * fake.blocks * n + first * n
    game = (g0 + np.arange(games)).astype(np.uint32)
    turns = (
        np.mean([fake.bots[p].turns for p in places])
        + own.poisson(4.0, (B, rotations)).repeat(n // rotations, axis=1)
        - 4
    )
    turns = turns.astype(np.uint16)
    cut = (own.random((B, rotations)) < fake.cut_off).repeat(n // rotations, axis=1)
    changes = own.poisson(2.0, (B, rotations)).repeat(n // rotations, axis=1).astype(np.uint16)
    last_change = np.where(changes > 0, np.ceil(turns * own.random((B, rotations)).repeat(n // rotations, axis=1)), 0)
    play = own.integers(0, 2**63, (B, rotations), dtype=np.uint64).repeat(n // rotations, axis=1)
    half = np.rint(score / 2 + own.normal(0, 6, (B, rotations, n)).repeat(n // rotations, axis=1)).astype(np.int32)
    asked = np.full((B, n, n), 20, dtype=np.uint16)
    forced = own.poisson(2.0, (B, rotations, n)).repeat(n // rotations, axis=1).astype(np.uint16)

    def per_game(dtype: Any, values: Any) -> np.ndarray:
        return np.broadcast_to(values, (B, n)).reshape(-1).astype(dtype)

    def per_seat(dtype: Any, values: Any) -> np.ndarray:
        return np.broadcast_to(values, (B, n, n)).reshape(-1).astype(dtype)

    deals = (first + np.arange(B))[:, None]
    keys = {
        "game": game,
        "line_up": per_game(np.uint16, line_up),
        "deal": per_game(np.uint32, deals),
        "rotation": per_game(np.uint8, np.arange(n)),
    }
    seat_keys = {name: values.repeat(n) for name, values in keys.items()}
    frames = {
        "games": pl.DataFrame(
            keys
            | {
                "turns": turns.reshape(-1),
                "decisions": per_game(np.uint32, 20 * n),
                "rounds": per_game(np.uint8, R),
                "end": per_game(np.uint8, cut),
                "truncated": cut.reshape(-1),
                "winners": per_game(np.uint16, (winner << np.arange(n)).sum(axis=2)),
                "lead_changes": changes.reshape(-1),
                "last_lead_change": last_change.reshape(-1).astype(np.uint16),
                "play_hash": play.reshape(-1),
            }
        ),
        "seats": pl.DataFrame(
            seat_keys
            | {
                "seat": per_seat(np.uint8, np.arange(n)),
                "order": per_seat(np.uint8, order[:, 0][:, None]),
                "bot": per_seat(np.uint8, bot),
                "score": score.reshape(-1),
                "rank": per_seat(np.uint8, (score[..., None, :] > score[..., None]).sum(axis=-1) + 1),
                "win_share": share.reshape(-1),
                "decisions": asked.reshape(-1),
                "forced": forced.reshape(-1),
                "options": per_seat(np.uint32, 20 * 6),
                "standing_half": half.reshape(-1),
                "part_expeditions": per_seat(np.int32, score - 3),
                "part_bonus": per_seat(np.int32, 3),
                "count_wagers_played": own.poisson(1.0, games * n).astype(np.uint16),
            }
        ),
    }
    if fake.log == "games":
        return frames

    # Fates: in good games more is played, so that "played" is confounded; trap cards the other way round.
    shape = (B, rotations, n, R, C)
    rank = np.array([-1.0 if t in fake.trap else 1.0 for t in types], dtype=np.float32)
    chance = 0.6 + 0.012 * rank * noise[:, :rotations].transpose(0, 1, 3, 2)[..., None].astype(np.float32)
    chance[..., [t in fake.dead for t in types]] = 0.001
    draw = own.random(shape, dtype=np.float32)
    held_d = dealt.transpose(0, 2, 1, 3)[:, None]
    held_r = drawn.transpose(0, 2, 1, 3)[:, None]
    held = held_d | held_r
    played = held & (draw < chance)
    discarded = held & ~played & (draw < 0.9)
    # Some discards are taken by the next seat.
    taken = np.roll(discarded & (own.random(shape, dtype=np.float32) < 0.2), 1, axis=2) & ~held
    gain = np.where(held_d, 1, np.where(held_r, 2, np.where(taken, 3, 0)))
    fate = np.where(played | (taken & (draw < 0.8 * chance)), 1, np.where(discarded, 2, 0))
    when = own.integers(0, 6, shape, dtype=np.uint8)
    code = ((gain << 6) | (fate << 4) | np.where(gain > 0, when, 0)).astype(np.uint8)
    code = code.repeat(n // rotations, axis=1).reshape(-1, C)
    rows = {name: values.repeat(R) for name, values in seat_keys.items()}
    rows |= {
        "seat": np.broadcast_to(np.arange(n)[:, None], (B, n, n, R)).reshape(-1).astype(np.uint8),
        "round": np.broadcast_to(np.arange(R), (B, n, n, R)).reshape(-1).astype(np.uint8),
        "order": np.broadcast_to(order.transpose(0, 2, 1)[:, None], (B, n, n, R)).reshape(-1).astype(np.uint8),
        "points": points.transpose(0, 1, 3, 2).reshape(-1),
        "win_share": np.broadcast_to(share[..., None], (B, n, n, R)).reshape(-1),
    }
    frames["cards"] = pl.DataFrame(rows | {card["id"]: code[:, i] for i, card in enumerate(cards())})
    return frames


def sample() -> FakeRun:
    """A run with something to say: going first helps, one card is strong, one is dead, some games are cut off."""
    bots = (
        FakeBot("uniform", "random", 0.0, turns=143.0),
        FakeBot("heuristic", "simple", 30.0, deterministic=True, turns=45.0),
        FakeBot("expert", "expert", 42.0, deterministic=True, turns=47.0),
    )
    return FakeRun(
        blocks=20_000,
        bots=bots,
        line_ups=((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)),
        first_points=1.5,
        effects={"yellow-10": 4.0, "red-wager": 2.5, "blue-2": -3.0},
        dead=("green-2",),
        trap=("red-wager",),
        cut_off=0.002,
    )


if __name__ == "__main__":
    from analysis.balance import analyse

    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="fake-run-"))
    balance = analyse(write(target, sample()))
    sys.stderr.write(f"run folder: {target}\n")
    sys.stdout.write(json.dumps(balance.to_dict(), indent=1) + "\n")
