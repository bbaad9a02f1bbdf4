"""The tables of a run: every column with its type, its unit and its meaning. This is the one place that documents them.

A table's rows are in the order of the game, then of the seat and the round, or of the decision. Keys are repeated in
the tables so that each can be read alone. The columns' units and meanings are also written into each file's metadata.
"""

import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from simcore.errors import InputError, JobError
from simcore.manifest import FORMAT, CardEntry, Manifest

# polars imports numpy when it is first given an array, and two threads that are the first together break that: its
# stand-in for numpy comes upon numpy's module `_globals` under a name that it uses itself. So it is done here, once.
pl.Series(np.empty(0))

TABLES_OF_LOG = {
    "games": ("games", "seats"),
    "cards": ("games", "seats", "cards"),
    "moves": ("games", "seats", "cards", "moves"),
}


@dataclass(frozen=True)
class Column:
    """A column of a table. `unit` is empty for a name, a code or a plain number."""

    name: str
    dtype: type[pl.DataType]
    unit: str
    meaning: str


KEYS = (
    Column("game", pl.UInt32, "", "number in the run: line_up * games_per_line_up + deal * seats + rotation"),
    Column("line_up", pl.UInt16, "", "index into the manifest's line_ups"),
    Column("deal", pl.UInt32, "", "number of the deal, which is that of the block: the same luck in every line-up"),
    Column("rotation", pl.UInt8, "", "seat s is played by place (s + rotation) % seats of the line-up"),
)

GAMES = (
    *KEYS,
    Column("turns", pl.UInt16, "turns", "turns of all seats together"),
    Column("decisions", pl.UInt32, "decisions", "decisions that were put to a bot, of all seats"),
    Column("rounds", pl.UInt8, "rounds", "rounds that were played"),
    Column("end", pl.UInt8, "", "why the game ended: index into the manifest's ends"),
    Column("truncated", pl.Boolean, "", "whether a cap on the length cut the game off"),
    Column("winners", pl.UInt16, "", "bit s is set if seat s won or shared the win"),
    Column("lead_changes", pl.UInt16, "changes", "how often another seat took the lead in the running score"),
    Column("last_lead_change", pl.UInt16, "turns", "turn of the last change of the lead, 0 if there was none"),
    Column("play_hash", pl.UInt64, "", "hash over all decisions: equal in games that were played identically"),
)

SEATS = (
    *KEYS,
    Column("seat", pl.UInt8, "", "place at the table, from 0"),
    Column("order", pl.UInt8, "", "place in the turn order of the first round: 0 begins"),
    Column("bot", pl.UInt8, "", "who played: index into the manifest's bots"),
    Column("score", pl.Int32, "{score}", "final score"),
    Column("rank", pl.UInt8, "", "place in the final ranking: 1 is best, ties share the better place"),
    Column("win_share", pl.Float32, "games", "1 for a win alone, 1/k for a win shared by k seats, 0 otherwise"),
    Column("decisions", pl.UInt16, "decisions", "decisions that were put to this seat's bot"),
    Column("forced", pl.UInt16, "decisions", "decisions with one legal option, which are not put to a bot"),
    Column("options", pl.UInt32, "options", "sum of the numbers of legal options over the decisions put to the bot"),
    Column("standing_half", pl.Int32, "{score}", "own running score (manifest: standing) after turns // 2 turns"),
)

CARDS = (
    *KEYS,
    Column("seat", pl.UInt8, "", "place at the table, from 0"),
    Column("round", pl.UInt8, "", "number of the round, from 0"),
    Column("order", pl.UInt8, "", "place in the turn order of this round: 0 begins"),
    Column("points", pl.Int32, "{score}", "the seat's score of this round"),
    Column("win_share", pl.Float32, "games", "share of the win of the whole game, as in seats"),
)

KEY_NAMES = frozenset(column.name for column in KEYS) | {"seat", "order", "round"}
"""The columns that tell whose a row is."""

# What follows for each card of the manifest, in its order: a column, or for a tallied card one for each tally.
PACKED = "packed"  # the unit of those columns, other than of tallies
PACKED_MEANING = (
    "what happened to this card at this seat in this round: bits 7-6 how it came there (0 = never held, else 1 + index "
    "into the manifest's gains), bits 5-4 how it left (0 = kept to the end of the round, else 1 + index into fates), "
    "bits 3-0 when its last event was: min(15, turn of the round // when_unit). Cards of one type are copies: how many "
    "of them have a property is exact, which of them means nothing"
)

TIMES = "times"
MOST_TIMES = 255

MOVES = (
    Column("game", pl.UInt32, "", "number of the game in the run"),
    Column("number", pl.UInt16, "", "number of the decision in the game, from 0, forced ones included"),
    Column("seat", pl.UInt8, "", "who decided"),
    Column("decision", pl.UInt8, "", "what kind of decision: index into the manifest's decisions"),
    Column("options", pl.UInt16, "options", "number of legal options"),
    Column("action", pl.UInt16, "", "the option that was chosen, in the game's own code"),
    Column("forced", pl.Boolean, "", "whether there was one legal option only"),
)


MOST_POINTS = 1_000_000
"""No score, nor a part of one, is larger than this, to either side."""


def can_have(table: str, rows: int, games: int, seats: int) -> bool:
    """Whether a table of so many games can have so many rows."""
    least, most = {
        "games": (1, 1),
        "seats": (seats, seats),
        "cards": (0, seats * 2**8),  # rounds are counted in a byte,
        "moves": (0, 2**16),  # and decisions in two
    }[table]
    return games * least <= rows <= games * most


def impossible(frame: pl.DataFrame, manifest: Manifest) -> list[str]:
    """The names of columns (of any table) with values that no run with this manifest has: what is read of a file from a
    stranger may be used as an index.
    """
    most = {
        "line_up": len(manifest["line_ups"]) - 1,
        "deal": manifest["games_per_line_up"] // manifest["seats"] - 1,
        "bot": len(manifest["bots"]) - 1,
        "end": len(manifest["ends"]) - 1,
        "decision": len(manifest["decisions"]) - 1,
        "winners": 2 ** manifest["seats"] - 1,
        "rank": manifest["seats"],
        "win_share": 1,
        **dict.fromkeys(("rotation", "seat", "order"), manifest["seats"] - 1),
    }
    found = []
    for column in frame.iter_columns():
        high = most.get(column.name, MOST_POINTS if column.dtype == pl.Int32 else None)
        low = -MOST_POINTS if column.dtype == pl.Int32 else 0
        fits = column.null_count() == 0 and (high is None or column.is_between(low, high).all())
        if not fits:
            found.append(column.name)
    return found


def keys_fit(table: str, keys: pl.DataFrame, manifest: Manifest, line_up: int, first: int, last: int) -> bool:
    """Whether the key columns of a part are those of its blocks, first to last - 1 of a line-up (index): every game,
    seat and round once and in order. Analysis takes rows by their places.
    """
    seats, base = manifest["seats"], line_up * manifest["games_per_line_up"]
    game, games = keys["game"], (last - first) * seats
    if game.null_count() or not game.is_sorted():
        return False
    if not game.is_between(base + first * seats, base + last * seats - 1).all():
        return False
    if table == "moves" or (table == "cards" and keys.is_empty()):
        return True
    number = pl.col("game").cast(pl.Int64) - base
    key = (pl.col("line_up") == line_up) & (pl.col("deal") == number // seats) & (pl.col("rotation") == number % seats)
    if game.n_unique() != games or not keys.select(key.all()).item():
        return False
    if table == "games":
        return True
    places = pl.int_range(pl.len()) % seats
    if table == "seats" and not keys.select((pl.col("seat") == places).all()).item():
        return False
    most = pl.max_horizontal(pl.col("seat").max(), pl.col("order").max())
    by = ["game", "round"] if table == "cards" else ["game"]
    rounds = keys.group_by(by).agg(pl.len(), pl.col("seat", "order").n_unique(), most=most)
    whole = (pl.col("len") == seats) & (pl.col("seat") == seats) & (pl.col("order") == seats) & (pl.col("most") < seats)
    return bool(rounds.select(whole.all()).item())


def tally_column(card: str, tally: str) -> str:
    """The name of the column with a tally of a card (id)."""
    return f"{card}_{tally}"


def _card_columns(manifest: Manifest, card: CardEntry) -> Iterator[Column]:
    """The columns of a card in the table `cards`."""
    if not card["tallied"]:
        yield Column(card["id"], pl.UInt8, PACKED, card["label"])
        return
    for tally in manifest["tallies"]:
        meaning = f"{card['label']}: how often {tally} by this seat in this round; {MOST_TIMES} stands for more too"
        yield Column(tally_column(card["id"], tally), pl.UInt8, TIMES, meaning)


def tables(manifest: Manifest) -> dict[str, tuple[Column, ...]]:
    """The tables that a run with this manifest logs, each with its columns in their order.

    Raises InputError if a card is named like another column.
    """
    parts = (
        Column(f"part_{part['name']}", pl.Int32, part["unit"], f"score part: {part['text']}")
        for part in manifest["parts"]
    )
    counters = (
        Column(f"count_{counter['name']}", pl.UInt16, counter["unit"], f"counter: {counter['text']}")
        for counter in manifest["counters"]
    )
    cards = (column for card in manifest["cards"] for column in _card_columns(manifest, card))
    columns = {"games": GAMES, "seats": (*SEATS, *parts, *counters), "cards": (*CARDS, *cards), "moves": MOVES}
    for table, its_columns in columns.items():
        counts = Counter(column.name for column in its_columns)
        twice = sorted(name for name, count in counts.items() if count > 1)
        if twice:
            raise InputError(
                f"{', '.join(twice)}: the log's table {table} would have this column twice. Give the card another id."
            )
    return {
        table: tuple(_with_unit(column, manifest["score_unit"]) for column in columns[table])
        for table in TABLES_OF_LOG[manifest["log"]]
    }


def _with_unit(column: Column, score_unit: str) -> Column:
    return Column(column.name, column.dtype, column.unit.replace("{score}", score_unit), column.meaning)


def schema(columns: Sequence[Column]) -> pl.Schema:
    """The polars schema of a table."""
    return pl.Schema({column.name: column.dtype for column in columns})


class Part(NamedTuple):
    """One table of one shard, encoded: the bytes of its Parquet file, its rows, and SHA-256 (hex) of the bytes."""

    data: bytes
    rows: int
    sha256: str


def encode(table: str, frame: pl.DataFrame, columns: Sequence[Column]) -> Part:
    """Encode a table of a shard as a Parquet file.

    Raises JobError if the frame has not exactly the columns of the table: an engine was changed without its log.
    """
    wanted = schema(columns)
    if frame.schema != wanted:
        odd = sorted({name for name, _ in set(frame.schema.items()) ^ set(wanted.items())})
        raise JobError(
            f"the engine's table {table} does not fit its schema: {', '.join(odd) or 'the order of the columns'}"
        )
    file = io.BytesIO()
    # The lowest level of zstd packs these small integers as well as its usual one, in 0.9 of the time. Minima and
    # maxima cost another quarter and help no reader: what can be skipped, whole shards, it knows from shards.jsonl.
    frame.write_parquet(file, compression="zstd", compression_level=1, statistics=False, metadata=_metadata(columns))
    data = file.getvalue()
    return Part(data, frame.height, hashlib.sha256(data).hexdigest())


def _metadata(columns: Sequence[Column]) -> dict[str, str]:
    """A file's own description: its format, and the unit and the meaning of its columns as JSON."""
    described = {column.name: {"unit": column.unit, "meaning": column.meaning} for column in columns}
    entries = {"fairdeal.format": FORMAT, "fairdeal.columns": json.dumps(described, ensure_ascii=False)}
    if any(column.unit == PACKED for column in columns):
        entries["fairdeal.packed"] = PACKED_MEANING
    return entries
