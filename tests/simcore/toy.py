"""A toy engine for tests of the run folder: the real columns, filled with numbers that depend on the plan alone.

As a program it plays `a_plan()` into a folder: python -m tests.simcore.toy OUT THREADS
"""

import sys
import time
from types import SimpleNamespace
from zlib import crc32

import numpy as np
import polars as pl

from simcore import batch, cardset, tables
from simcore.game import LoggedCard, Measure
from simcore.manifest import make_manifest
from simcore.plan import Plan

SCHEMA = cardset.Schema(
    game="toy",
    title="Toy",
    package="tests",
    scalars=(cardset.Scalar("hand", "int", "cards in a hand", "cards", 1, 9),),
    tables=(cardset.Table("cards", "card", "the deck", (cardset.Column("card", "id", "the card"),)),),
)
CARDS = ("R1", "R2", "B1", "B2")
CARD_SET = cardset.CardSet("base", "toy", {"hand": 2}, {"cards": [{"card": card} for card in CARDS]}, "c0ffee", SCHEMA)

GAME = SimpleNamespace(
    title="Toy",
    ends=("deck", "cap"),
    endings=("the empty deck", "the cap"),
    decisions=("play", "draw"),
    parts=(Measure(name="red", unit="points", text="points of red cards"),),
    counters=(Measure(name="played", unit="cards", text="cards played"),),
    gains=("dealt", "drawn"),
    fates=("played",),
    when_unit=8,
    when="turns of the round",
    standing="points on the table",
    caveat="",
    score_unit="points",
    log_cards=lambda card_set, seats: (
        *(
            LoggedCard(code, row["card"], row["card"], row["card"], row["card"][0])
            for code, row in enumerate(card_set.tables["cards"])
        ),
        LoggedCard(0, "red", "any red card", "red", "colours", tallied=True),
    ),
    tallies=("played", "lost"),
    round_is_game=lambda card_set: True,
    first_player=True,
)
ROUNDS, DECISIONS = 3, 6


def a_plan(**changes):
    """Three line-ups of two bots, 20 blocks in shards of 6: four shards a line-up, the last one short."""
    entries = {
        "game": "toy",
        "card_set": CARD_SET,
        "seats": 2,
        "bots": ("ann", "bob"),
        "line_ups": ((0, 0), (0, 1), (1, 1)),
        "games_per_line_up": 40,
        "blocks_per_shard": 6,
        "seed": 7,
        "log": "moves",
    }
    return Plan(**{**entries, **changes})


def manifest(plan, bot_hash="1234"):
    bots = [SimpleNamespace(name=name, tier="simple", hash=bot_hash, text=f"{name} plays") for name in plan.bots]
    return make_manifest(plan, GAME, bots)


def play_shard(shard):
    """The tables of a shard."""
    plan = shard.plan
    rows = {"games": 1, "seats": plan.seats, "cards": plan.seats * ROUNDS, "moves": DECISIONS}
    return {
        table: pl.DataFrame([_column(shard, column, rows[table]) for column in columns])
        for table, columns in tables.tables(manifest(plan)).items()
    }


def play_slowly(shard):
    """The same, in a time that depends on the shard: shards finish in another order than they begin."""
    time.sleep(0.02 + 0.1 * (shard.number * 7 % 5) / 5)
    return play_shard(shard)


def _column(shard, column, rows_of_a_game):
    plan = shard.plan
    game = np.repeat(np.arange(shard.first_game, shard.first_game + shard.games, dtype=np.uint64), rows_of_a_game)
    row = np.tile(np.arange(rows_of_a_game, dtype=np.uint64), shard.games)
    block = game % plan.games_per_line_up
    known = {
        "game": game,
        "line_up": np.full_like(game, shard.line_up),
        "deal": block // plan.seats,
        "rotation": block % plan.seats,
    }
    noise = _mixed(game * np.uint64(1000) + row + np.uint64(crc32(f"{plan.seed} {column.name}".encode()) << 32))
    values = known.get(column.name, noise % np.uint64(2 if column.dtype is pl.Boolean else 200))
    return pl.Series(column.name, values).cast(column.dtype)


def _mixed(word):
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


def play(plan, out, **arguments):
    """`batch.run` with this engine."""
    return batch.run(plan, out, **{"play": play_shard, "manifest": manifest(plan), **arguments})


if __name__ == "__main__":
    play(a_plan(), sys.argv[1], threads=int(sys.argv[2]), resume=True, play=play_slowly)
