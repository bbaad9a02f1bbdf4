"""Run folders of a made-up building game whose truth is known: what chance lays on the table, and what it does there.

Types of buildings in two colours, of which chance draws a fixed number each into the city of every deal. A seat's score
is 20 + skill of its bot + luck of the deal and the game + the planted effects of every copy in the city (`presence`, on
all seats alike; `for_first`, on the first bot of the run only). A copy is built with the chance of its type
(`building`), by a seat at random or, with `eager`, rather by the one that is ahead. Characters are tallied.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from simcore import manifest as manifests
from simcore.manifest import CardEntry, Manifest
from simcore.plan import LogLevel
from simcore.runlog import Run
from tests.analysis import fake_run
from tests.analysis.fake_run import FakeBot

COPIES = {"green": {"A": 3, "B": 3, "C": 3}, "blue": {"D": 1, "E": 2, "F": 1, "G": 1, "H": 2, "I": 1}}
DRAWN = {"green": 6, "blue": 5}
CHARACTERS = ("maid", "baker", "bard")
TALLIES = ("played", "hired", "copied")
ENDS = ("houses", "points", "cap")
OFFERED, UPGRADED = 1 << 6, 2 << 6
BUILT, LOST = 1 << 4, 2 << 4
STEP = 2


@dataclass(frozen=True)
class FakeMarket:
    """What to make up. `presence` are points for every seat for each copy in the city, `turns` turns of the game."""

    blocks: int = 1000
    bots: tuple[FakeBot, ...] = (FakeBot("uniform", "random", 0.0), FakeBot("expert", "expert", 6.0))
    line_ups: tuple[tuple[int, ...], ...] = ((0, 0), (0, 1), (1, 1))
    seats: int = 2
    seed: int = 1
    presence: dict[str, float] = field(default_factory=dict)
    for_first: dict[str, float] = field(default_factory=dict)
    turns: dict[str, float] = field(default_factory=dict)
    building: dict[str, float] = field(default_factory=dict)
    played: dict[str, float] = field(default_factory=lambda: {"maid": 2.0, "baker": 0.5, "bard": 0.0})
    eager: bool = False
    luck_sd: float = 4.0
    noise_sd: float = 4.0
    blocks_per_shard: int = 500
    log: LogLevel = "cards"


def buildings() -> list[tuple[str, str]]:
    """(colour, letter) of each copy."""
    return [(colour, letter) for colour, of in COPIES.items() for letter, n in of.items() for _ in range(n)]


def cards() -> list[CardEntry]:
    common: dict[str, Any] = {"in_hand": False, "tallied": False, "side_of": ""}
    people = [
        common | {"id": name, "label": name.capitalize(), "type": name, "group": "people", "tallied": True}
        for name in CHARACTERS
    ]
    sides: list[dict[str, Any]] = [
        common | {"id": f"house_{i}", "label": f"House {letter}", "type": f"house_{letter}", "group": colour}
        for i, (colour, letter) in enumerate(buildings())
    ]
    upgraded = [
        common | {
            "id": f"upgrade_{i}", "label": f"House {letter}, upgraded", "type": f"upgrade_{letter}",
            "group": "upgrades", "side_of": f"house_{letter}",
        }
        for i, (_, letter) in enumerate(buildings())
    ]  # fmt: skip
    return [*people, *sides, *upgraded]  # type: ignore[list-item]


def manifest(fake: FakeMarket) -> Manifest:
    plain = fake_run.manifest(
        fake_run.FakeRun(
            blocks=fake.blocks, bots=fake.bots, line_ups=fake.line_ups, seats=fake.seats, seed=fake.seed,
            blocks_per_shard=fake.blocks_per_shard, log=fake.log,
        )
    )  # fmt: skip
    return {
        **plain,
        "title": "A made-up building game",
        "ends": list(ENDS),
        "endings": ["the last house", "the points", "the cap"],
        "decisions": ["build"],
        "parts": [{"name": "houses", "unit": "points", "text": "what houses are worth"}],
        "counters": [{"name": "houses", "unit": "houses", "text": "houses that were built"}],
        "gains": ["offered", "upgraded"],
        "fates": ["built", "lost"],
        "tallies": list(TALLIES),
        "when_unit": STEP,
        "when": "own turns",
        "cards": cards(),
        "first_player": False,
    }


def write(folder: Path, fake: FakeMarket, shards: int | None = None) -> Run:
    """Write the run folder (only its first shards, where a number is given) and open it."""
    described = manifest(fake)
    cut = manifests.cut(described)

    def frames(number: int) -> dict[str, pl.DataFrame]:
        line_up, first, last = cut.blocks_of(number)
        return shard(fake, line_up, first, last)

    return fake_run.write_frames(folder, described, frames, cut.shards if shards is None else shards)


def city(fake: FakeMarket, deal: int) -> np.ndarray:
    """Which copies chance lays out in a deal."""
    dice = np.random.default_rng([fake.seed, deal])
    colours = np.array([colour for colour, _ in buildings()])
    out = np.zeros(len(colours), dtype=bool)
    for colour, number in DRAWN.items():
        out[dice.permutation(np.flatnonzero(colours == colour))[:number]] = True
    return out


def shard(fake: FakeMarket, line_up: int, first: int, last: int) -> dict[str, pl.DataFrame]:
    """The tables of blocks first to last - 1. Axes of the arrays: block, rotation, seat, copy."""
    B, n, places = last - first, fake.seats, fake.line_ups[line_up]
    own = np.random.default_rng([fake.seed, 77, line_up, first])
    letters = [letter for _, letter in buildings()]
    offered = np.stack([city(fake, deal) for deal in range(first, last)])
    bot = np.array([[places[(s + r) % n] for s in range(n)] for r in range(n)])

    def effect(of: dict[str, float]) -> np.ndarray:
        return np.asarray(offered @ np.array([of.get(letter, 0.0) for letter in letters]))

    luck = np.stack(
        [np.random.default_rng([fake.seed, deal, 5]).normal(0, fake.luck_sd, n) for deal in range(first, last)]
    )
    skill = np.array([b.skill for b in fake.bots])[bot]
    score = 20 + skill + luck[:, None] + own.normal(0, fake.noise_sd, (B, n, n)) + effect(fake.presence)[:, None, None]
    score = np.rint(score + effect(fake.for_first)[:, None, None] * (bot == 0)).astype(np.int32)
    winner = score == score.max(axis=2, keepdims=True)
    share = (winner / winner.sum(axis=2, keepdims=True)).astype(np.float32)
    turns = np.maximum(1, 30 + own.poisson(4.0, (B, n)) + np.rint(effect(fake.turns))[:, None]).astype(np.uint16)

    chance = np.array([fake.building.get(letter, 0.5) for letter in letters])
    is_built = offered[:, None] & (own.random((B, n, len(letters))) < chance)
    ahead = score.argmax(axis=2)[..., None]
    by = own.integers(0, n, is_built.shape)
    if fake.eager:
        by = np.where(own.random(by.shape) < 0.5, ahead, by)
    built = is_built[:, :, None] & (by[:, :, None] == np.arange(n)[:, None])  # block, rotation, seat, copy
    when = own.integers(0, 8, is_built.shape, dtype=np.uint8)[:, :, None]
    stamps = np.where(offered[:, None, None], OFFERED, 0) | np.where(
        built, BUILT | when, np.where(is_built[:, :, None], LOST | when, 0)
    )
    upgrades = np.where(built & (own.random(is_built.shape) < 0.4)[:, :, None], UPGRADED | when, 0)
    times = {
        (name, tally): own.poisson(fake.played.get(name, 0.0) * (1.0, 0.5, 0.0)[k], (B, n, n))
        for name in CHARACTERS
        for k, tally in enumerate(TALLIES)
    }

    games = B * n
    keys = {
        "game": (line_up * fake.blocks * n + first * n + np.arange(games)).astype(np.uint32),
        "line_up": np.full(games, line_up, np.uint16),
        "deal": (first + np.arange(B)).repeat(n).astype(np.uint32),
        "rotation": np.tile(np.arange(n), B).astype(np.uint8),
    }
    seat_keys = {name: values.repeat(n) for name, values in keys.items()}

    def per_seat(dtype: Any, values: Any) -> np.ndarray:
        return np.broadcast_to(values, (B, n, n)).reshape(-1).astype(dtype)

    seat = per_seat(np.uint8, np.arange(n))
    frames = {
        "games": pl.DataFrame(
            keys
            | {
                "turns": turns.reshape(-1),
                "decisions": np.full(games, 40, np.uint32),
                "rounds": np.ones(games, np.uint8),
                "end": own.choice(2, games, p=(0.7, 0.3)).astype(np.uint8),
                "truncated": np.zeros(games, dtype=bool),
                "winners": (winner << np.arange(n)).sum(axis=2).reshape(-1).astype(np.uint16),
                "lead_changes": own.poisson(2.0, games).astype(np.uint16),
                "last_lead_change": np.zeros(games, np.uint16),
                "play_hash": own.integers(0, 2**63, games, dtype=np.uint64),
            }
        ),
        "seats": pl.DataFrame(
            seat_keys
            | {
                "seat": seat,
                "order": seat,
                "bot": per_seat(np.uint8, bot),
                "score": score.reshape(-1),
                "rank": per_seat(np.uint8, (score[..., None, :] > score[..., None]).sum(axis=-1) + 1),
                "win_share": share.reshape(-1),
                "decisions": np.full(games * n, 20, np.uint16),
                "forced": np.full(games * n, 2, np.uint16),
                "options": np.full(games * n, 120, np.uint32),
                "standing_half": np.rint(score / 2).astype(np.int32).reshape(-1),
                "part_houses": score.reshape(-1),
                "count_houses": built.sum(axis=3).reshape(-1).astype(np.uint16),
            }
        ),
    }
    if fake.log == "games":
        return frames
    rows = seat_keys | {
        "seat": seat, "round": np.zeros(games * n, np.uint8), "order": seat, "points": score.reshape(-1),
        "win_share": share.reshape(-1),
    }  # fmt: skip
    rows |= {f"{name}_{tally}": count.reshape(-1).astype(np.uint8) for (name, tally), count in times.items()}
    for side, values in (("house", stamps), ("upgrade", upgrades)):
        flat = values.reshape(-1, len(letters)).astype(np.uint8)
        rows |= {f"{side}_{i}": flat[:, i] for i in range(len(letters))}
    frames["cards"] = pl.DataFrame(rows)
    return frames
