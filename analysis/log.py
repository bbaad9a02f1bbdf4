"""What a run has logged, ready to be asked: `analysis.load(run)` gives polars lazy frames with names in place of codes.

    log = analysis.load("my-run")
    log.seats.filter(self_play=False).group_by("bot", "against").agg(pl.col("win_share").mean()).collect()

A lazy frame reads nothing before `collect()`, and then only the columns that are asked for. `log.columns` documents
every column. The tables as they stand in the files, with codes and cards packed into bytes, are those of
`log.run.scan(table)` (`simcore.tables`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from analysis.blocks import line_ups
from simcore import tables
from simcore.errors import InputError
from simcore.manifest import CardEntry, Manifest
from simcore.places import place
from simcore.runlog import MANIFEST, Run, open_run

KEPT = "kept"
"""How a card left that did not."""

MEANINGS = {
    "line_up": ("", "who played, in words"),
    "self_play": ("", "whether all seats were played by one bot"),
    "bot": ("", "who played this seat"),
    "against": ("", "who played the other seats, by their places in the line-up"),
    "end": ("", "why the game ended"),
    "decision": ("", "what kind of decision it was"),
    "id": ("", "the card; copies of one card have one type, and which of them it was means nothing"),
    "card": ("", "the card in words"),
    "type": ("", "the type of the card"),
    "group": ("", "the group of the card, such as its colour"),
    "came": ("", "how the card came to this seat in this round"),
    "left": ("", "how it left, or kept to the end of the round"),
    "turn": ("{when}", "when the last of this happened, in steps: from this turn on"),
    "tally": ("", "what this seat did with the card in this round"),
    "times": ("times", f"how often; {tables.MOST_TIMES} stands for more too"),
}
"""Unit and meaning of the columns that the files do not have, or have as codes."""


def load(run: Run | str | Path) -> Log:
    """The log of a run, by its folder or as it has been opened; finished or not, also while it is being played.

    Raises InputError if the folder is no run or is damaged.
    """
    if isinstance(run, Run):
        return Log(run)
    folder = place(run)
    inside = sorted(path.parent.name for path in folder.glob(f"*/{MANIFEST}"))
    if inside and not (folder / MANIFEST).exists():
        raise InputError(f"{folder} is not the folder of a run, but there are runs in it: load {', '.join(inside)}.")
    return Log(open_run(folder))


@dataclass(frozen=True, repr=False)
class Log:
    """The tables of a run as lazy frames, and what a reader needs to know of it.

    A table that was not logged raises InputError, which says how to play the run again.
    """

    run: Run

    def __repr__(self) -> str:
        told, run = self.manifest, self.run
        bots = ", ".join(bot["name"] for bot in told["bots"])
        finished = "" if run.complete else ", not finished"
        return (
            f"{told['title']}, card set {told['card_set']['name']}: {run.games:,} games of {told['seats']} seats"
            f"{finished}; bots {bots}; tables {', '.join(self._tables)}"
        )

    @property
    def manifest(self) -> Manifest:
        """Everything that the run says of itself: game, card set, bots, line-ups, seed, score parts, cards …"""
        return self.run.manifest

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.manifest["game"]

    @property
    def bots(self) -> pl.DataFrame:
        """The bots: bot, tier, text (what it does) and hash."""
        return pl.DataFrame(self.manifest["bots"]).select(pl.col("name").alias("bot"), "tier", "text", "hash")

    @property
    def line_ups(self) -> pl.DataFrame:
        """The line-ups: line_up (in words), self_play, and bots by place (a list)."""
        found = line_ups(self.manifest)
        return pl.DataFrame(
            {
                "line_up": [str(one) for one in found],
                "self_play": [one.mirror for one in found],
                "bots": [list(one.names) for one in found],
            }
        )

    @property
    def games(self) -> pl.LazyFrame:
        """A row a game."""
        return self._with_line_up(self.run.scan("games")).with_columns(_word("end", self.manifest["ends"]))

    @property
    def seats(self) -> pl.LazyFrame:
        """A row a game and seat: score, its parts, win share, counters."""
        return self._with_bot(self.run.scan("seats"))

    @property
    def cards(self) -> pl.LazyFrame:
        """A row a card that a seat had in a round, in no certain order: how it came and left, and when.

        Cards that are only counted are in `tallies`.
        """
        told = self.manifest
        held = self._by_card([(card, card["id"]) for card in told["cards"] if not card["tallied"]], "packed")
        packed = pl.col("packed")
        return held.filter(packed >= 1 << 6).select(
            pl.exclude("packed"),
            _word(packed // 64 - 1, told["gains"]).alias("came"),
            _word(packed // 16 % 4, [KEPT, *told["fates"]]).alias("left"),
            turn=packed.cast(pl.Int64) % 16 * told["when_unit"],
        )

    @property
    def tallies(self) -> pl.LazyFrame:
        """A row a card, seat, round and tally of the cards that are only counted, in no certain order: how often this
        was done with it.
        """
        counted = [card for card in self.manifest["cards"] if card["tallied"]]
        frames = [
            self._by_card([(card, tables.tally_column(card["id"], tally)) for card in counted], "times").with_columns(
                tally=pl.lit(tally)
            )
            for tally in self.manifest["tallies"]
        ]
        return pl.concat(frames) if frames else self._by_card([], "times").with_columns(tally=pl.lit(""))

    @property
    def moves(self) -> pl.LazyFrame:
        """A row a decision."""
        told = self.manifest
        in_line_up = pl.col("game") % told["games_per_line_up"]
        keys = self.run.scan("moves").with_columns(
            line_up=pl.col("game") // told["games_per_line_up"],
            deal=in_line_up // told["seats"],
            rotation=in_line_up % told["seats"],
        )
        return self._with_bot(keys).with_columns(_word("decision", told["decisions"]))

    @property
    def columns(self) -> pl.DataFrame:
        """What every column of the lazy frames is: table, column, type, unit, meaning."""
        words = {name: (unit.format(**self.manifest), text) for name, (unit, text) in MEANINGS.items()}
        rows = []
        for table in self._tables:
            columns = self.run.columns["cards" if table == "tallies" else table]
            known = {column.name: (column.unit, column.meaning) for column in columns} | words
            schema = getattr(self, table).collect_schema()
            rows += [(table, name, str(dtype), *known[name]) for name, dtype in schema.items()]
        return pl.DataFrame(rows, schema=["table", "column", "type", "unit", "meaning"], orient="row")

    @property
    def _tables(self) -> list[str]:
        """The names of the lazy frames that there are."""
        counted = any(card["tallied"] for card in self.manifest["cards"])
        return [
            name
            for table in self.run.tables
            for name in ((table, "tallies") if table == "cards" and counted else (table,))
        ]

    def _with_line_up(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """A table with the line-up in words, and whether it is self-play."""
        found = line_ups(self.manifest)
        line_up = pl.col("line_up")
        return frame.with_columns(
            _word(line_up, [str(one) for one in found]),
            line_up.replace_strict(range(len(found)), [one.mirror for one in found]).alias("self_play"),
        )

    def _with_bot(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """A table with a row a seat or decision, with the line-up and the bots in words."""
        seats, found = self.manifest["seats"], line_ups(self.manifest)
        at = (pl.col("seat").cast(pl.UInt32) + pl.col("rotation")) % seats + seats * pl.col("line_up").cast(pl.UInt32)
        bots = [name for one in found for name in one.names]
        against = [", ".join((*one.names[:i], *one.names[i + 1 :])) for one in found for i in range(seats)]
        named = frame.with_columns(_word(at, bots).alias("bot"), _word(at, against).alias("against"))
        return self._with_line_up(named)

    def _by_card(self, columns: Sequence[tuple[CardEntry, str]], value: str) -> pl.LazyFrame:
        """The table `cards` with a row for each of some columns, which belong to a card each."""
        keys = [column.name for column in tables.CARDS]
        wide = self.run.scan("cards")
        if columns:
            long = wide.unpivot([name for _, name in columns], index=keys, variable_name="column", value_name=value)
        else:
            long = wide.select(*keys, pl.lit("").alias("column"), pl.lit(0, pl.UInt8).alias(value)).clear()
        words = pl.DataFrame(
            [(name, card["id"], card["label"], card["type"], card["group"]) for card, name in columns],
            schema=dict.fromkeys(("column", "id", "card", "type", "group"), pl.String),
            orient="row",
        )
        named = long.join(words.lazy(), on="column", how="left", maintain_order="left").select(
            *keys, "id", "card", "type", "group", value
        )
        return self._with_bot(named)


def _word(code: str | pl.Expr, words: Sequence[str]) -> pl.Expr:
    """A column of codes as words."""
    column = pl.col(code) if isinstance(code, str) else code
    return column.replace_strict(range(len(words)), words, return_dtype=pl.String)
