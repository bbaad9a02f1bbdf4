"""Groups of cards (decks, colours, rows of a map): how many a player gets, what becomes of them, and how many more the
winner has. One pass over the card log.

A card's group is declared by the game. Of cards with a stamp the *gains* and *fates* are counted, and with "held" those
that came to a seat in any way; of tallied cards what the tallies count. Cards that lie on the table for everybody
("offered") are nobody's gain. From these counts:

- *rates*: cards a game and seat, by bot;
- *leads*: the winner's number minus the mean of the others' (as in `analysis.blocks`), an association: who is ahead for
  other reasons can do more, too;
- *types*: of the single types that are chosen (neither dealt to hands nor offered), the share of their copies that
  anybody takes in a game.

Sums are kept by batches of whole deals, as in `analysis.cards`, so errors are clustered by deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import stats
from analysis.blocks import LineUp, in_order, read_part, shards_of
from analysis.cards import FALSE_DISCOVERIES, OPENING, CardTypes, deals_in_batch, error, products, ratio, share_bounds
from analysis.market import OFFERED
from analysis.tallies import TalliedTypes
from simcore.manifest import Manifest
from simcore.runlog import Run
from simcore.tables import tally_column

Array = NDArray[Any]

HELD = "held"
"""The event of a card's coming to a seat in any way."""
GAIN, FATE, TALLY = "gain", "fate", "tally"
"""The kinds of events; "held" is a gain."""


@dataclass(frozen=True)
class Groups:
    """Groups of cards of one line-up; what never happens in it has no rows. What does not exist is null.

    `rates`, a row a group, event and bot: group, in_hand (whether its cards are dealt to hands), cards (how many the
    group has, a tallied type counting once), kind ("gain", "fate", "tally"), event, bot, value (cards or times a game
    and seat), low, high, n (deals).

    `leads`, a row a group and event: group, kind, event, value (the winner's minus the mean of the others'), low, high,
    p, q (Benjamini-Hochberg over all rows), flagged, n. Empty in a game for one.

    `types`, a row a type that is chosen: type, label, group, copies, value (share of the copies that anybody takes in a
    game), low, high, n.
    """

    rates: pl.DataFrame
    leads: pl.DataFrame
    types: pl.DataFrame
    n: int


@dataclass(frozen=True)
class Event:
    """Something that is counted of a group."""

    group: str
    in_hand: bool
    cards: int
    kind: str
    name: str


@dataclass(frozen=True)
class Stamped:
    """Groups of cards with a stamp: columns of the card log in the order of the groups, where each group starts and
    ends there, and whether its cards are dealt to hands.

    `chosen` are the types that are neither dealt nor offered, as indices of `types`, with the places of their columns.
    """

    names: tuple[str, ...]
    columns: tuple[str, ...]
    bounds: tuple[tuple[int, int], ...]
    in_hand: tuple[bool, ...]
    types: CardTypes
    chosen: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, manifest: Manifest) -> Stamped:
        """The groups of the manifest's cards that have a stamp, in the order of their first card."""
        types = CardTypes.of(manifest)
        found: dict[str, list[int]] = {}
        for i, group in enumerate(types.groups):
            found.setdefault(group, []).append(i)
        columns: list[str] = []
        bounds, place = [], {}
        for of in found.values():
            start = len(columns)
            for i in of:
                own = types.columns[types.starts[i] : types.starts[i] + types.copies[i]]
                place[i] = tuple(range(len(columns), len(columns) + len(own)))
                columns += own
            bounds.append((start, len(columns)))
        chosen = [i for i in range(len(types.names)) if i not in types.hand and OFFERED not in manifest["gains"]]
        return cls(
            names=tuple(found),
            columns=tuple(columns),
            bounds=tuple(bounds),
            in_hand=tuple(any(i in types.hand for i in of) for of in found.values()),
            types=types,
            chosen=tuple(chosen),
            places=tuple(place[i] for i in chosen),
        )


def groups(run: Run, line_up: LineUp, threads: int | None = None) -> Groups | None:
    """The groups of cards of one line-up; None without a card log, or a finished shard of it."""
    shards = shards_of(run, line_up.index) if "cards" in run.tables else []
    reader = GroupReader(run, line_up)
    if not shards or not reader.events:
        return None
    sums = [part for part in in_order(reader.read, shards, threads) if part is not None]
    if not sums:
        return None
    counts, seats = (np.concatenate([getattr(part, name) for part in sums]) for name in ("counts", "seats"))
    deals = sum(part.deals for part in sums)
    names = [bot["name"] for bot in run.manifest["bots"]]
    return Groups(
        rates=_rates(counts, seats, reader, names, deals),
        leads=_leads(counts, seats, reader, deals),
        types=_types(counts, seats, reader, deals),
        n=deals,
    )


# --- the pass --------------------------------------------------------------------------------------------------------


@dataclass
class GroupSums:
    """Sums of one shard by batch of whole deals: `counts` (batches, events and chosen types, bots + 1) of cards, the
    last column being the sum over games of the winner's lead; `seats` (batches, bots + 1), the last column being games.
    """

    counts: Array
    seats: Array
    deals: int


class GroupReader:
    """Turns shards of the card log into sums by batch. Arrays of cards are (cards, rows)."""

    def __init__(self, run: Run, line_up: LineUp) -> None:
        manifest = run.manifest
        self.run = run
        self.line_up = line_up
        self.seats = manifest["seats"]
        self.batch = deals_in_batch(run)
        self.stamped = Stamped.of(manifest)
        # A code's two highest bits are 1 + the index of the gain.
        self.gains = [(i + 1, gain) for i, gain in enumerate(manifest["gains"]) if gain != OFFERED]
        self.fates = [(i + 1, fate) for i, fate in enumerate(manifest["fates"])]
        self.tallies = list(manifest["tallies"])
        tallied = TalliedTypes.of(manifest)
        self.tallied: dict[str, list[str]] = {}
        for group, ids in zip(tallied.groups, tallied.ids, strict=True):
            self.tallied.setdefault(group, []).extend(ids)
        self.events = self._events()

    def _events(self) -> list[Event]:
        """What is counted, in the order of `counts`; chosen types follow."""
        found = []
        kinds = [(GAIN, HELD), *((GAIN, gain) for _, gain in self.gains), *((FATE, fate) for _, fate in self.fates)]
        for name, (start, end), in_hand in zip(
            self.stamped.names, self.stamped.bounds, self.stamped.in_hand, strict=True
        ):
            found += [Event(name, in_hand, end - start, kind, event) for kind, event in kinds]
        for name, ids in self.tallied.items():
            found += [Event(name, False, len(ids), TALLY, tally) for tally in self.tallies]
        return found

    def read(self, shard: int) -> GroupSums | None:
        """One shard's sums."""
        tallied = [tally_column(card, tally) for ids in self.tallied.values() for card in ids for tally in self.tallies]
        keys = ("deal", "rotation", "seat", "round", "win_share")
        frame = read_part(self.run, "cards", shard, [*keys, *self.stamped.columns, *tallied])
        return self.sums(frame) if len(frame) else None

    def sums(self, frame: pl.DataFrame) -> GroupSums:
        """The sums of whole deals, at least one."""
        deal, seat = frame["deal"].to_numpy(), frame["seat"].to_numpy()
        deals = np.flatnonzero(np.diff(deal, prepend=np.int64(-1)))
        cuts = np.append(deals[:: self.batch], len(deal))
        weights = self._weights(frame, seat)
        rows = np.stack([*self._stamped(frame), *self._tallied(frame), *self._chosen(frame)]).astype(np.float32)
        counts = products(rows, weights, cuts)
        first = frame["round"].to_numpy() == 0
        there = np.vstack([weights[:-1] * first, (first & (seat == 0))[None]])
        seats = np.add.reduceat(there, cuts[:-1], axis=1, dtype=float).T
        return GroupSums(counts, seats, len(deals))

    def _weights(self, frame: pl.DataFrame, seat: Array) -> Array:
        """(bots + 1, rows): whether the row is the bot's, and the weight of its seat in the winner's lead."""
        n = self.seats
        # In rotation r, seat s is played by place (s + r) % n.
        bot = np.array(self.line_up.bots)[(seat.astype(np.int64) + frame["rotation"].to_numpy()) % n]
        share = frame["win_share"].to_numpy().astype(np.float32)
        lead = (n * share - 1) / (n - 1) if n > 1 else np.zeros_like(share)
        return np.vstack([*(bot == b for b in self.line_up.distinct), lead]).astype(np.float32)

    def _stamped(self, frame: pl.DataFrame) -> list[Array]:
        """Cards by row for each event of the groups with a stamp."""
        if not self.stamped.columns:
            return []
        codes = frame.select(self.stamped.columns).to_numpy(order="fortran").T
        gained, left = codes & 0xC0, codes & 0x30
        masks = [gained == i << 6 for i, _ in self.gains]
        fates = [left == i << 4 for i, _ in self.fates]
        found = []
        for start, end in self.stamped.bounds:
            by_gain = [_added(mask[start:end]) for mask in masks]
            held = by_gain[0].copy() if by_gain else np.zeros(len(frame), dtype=np.uint16)
            for more in by_gain[1:]:
                held += more
            found += [held, *by_gain, *(_added(mask[start:end]) for mask in fates)]
        return found

    def _tallied(self, frame: pl.DataFrame) -> list[Array]:
        """Times by row for each tally of the groups of tallied cards."""
        return [
            np.sum([frame[tally_column(card, tally)].to_numpy().astype(np.uint16) for card in ids], axis=0)
            for ids in self.tallied.values()
            for tally in self.tallies
        ]

    def _chosen(self, frame: pl.DataFrame) -> list[Array]:
        """Copies by row that came to the seat otherwise than by the deal, for each chosen type."""
        ways = [i << 6 for i, gain in self.gains if gain != OPENING]
        found = []
        for places in self.stamped.places:
            codes = np.stack([frame[self.stamped.columns[place]].to_numpy() for place in places]) & 0xC0
            found.append(_added(np.isin(codes, ways)))
        return found


def _added(mask: Array) -> Array:
    """How many of the cards (cards, rows) are marked, by row. Adding row by row is faster than a sum over columns."""
    total: Array = np.zeros(mask.shape[1], dtype=np.uint8 if len(mask) < 256 else np.uint16)
    for row in mask:
        np.add(total, row, out=total)
    return total.astype(np.uint16)


# --- tables ----------------------------------------------------------------------------------------------------------

LEADS = {
    **dict.fromkeys(("group", "kind", "event"), pl.String),
    **dict.fromkeys(("value", "low", "high", "p", "q"), pl.Float64),
    "flagged": pl.Boolean,
    "n": pl.Int64,
}


def _happened(counts: Array, reader: GroupReader) -> list[int]:
    """The events that happened at all; "held" only where cards come in several ways."""
    total = counts[:, : len(reader.events), :-1].sum(axis=(0, 2))
    return [i for i in range(len(reader.events)) if total[i] > 0]


def _rates(counts: Array, seats: Array, reader: GroupReader, names: Sequence[str], deals: int) -> pl.DataFrame:
    z = stats.z_value()
    kept = _happened(counts, reader)
    events = [reader.events[i] for i in kept]
    frames = []
    for k, b in enumerate(reader.line_up.distinct):
        value, influence = ratio(counts[:, kept, k], seats[:, k, None])
        half = z * error(influence)
        columns = {
            "group": [event.group for event in events],
            "in_hand": [event.in_hand for event in events],
            "cards": [event.cards for event in events],
            "kind": [event.kind for event in events],
            "event": [event.name for event in events],
            "bot": [names[b]] * len(events),
            "value": value,
            "low": value - half,
            "high": value + half,
            "n": [deals] * len(events),
        }
        frames.append(pl.DataFrame(columns).with_columns(pl.col("n", "cards").cast(pl.Int64)))
    return pl.concat(frames).with_columns(pl.col(pl.Float64).fill_nan(None))


def _leads(counts: Array, seats: Array, reader: GroupReader, deals: int) -> pl.DataFrame:
    kept = _happened(counts, reader) if reader.seats > 1 else []
    if not kept:
        return pl.DataFrame(schema=LEADS)
    value, influence = ratio(counts[:, kept, -1], seats[:, -1:])
    se = error(influence)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = stats.two_sided_p(value / se, float(max(1, len(counts) - 1)))
    q = stats.benjamini_hochberg(p)
    half = stats.z_value() * se
    columns = {
        "group": [reader.events[i].group for i in kept],
        "kind": [reader.events[i].kind for i in kept],
        "event": [reader.events[i].name for i in kept],
        "value": value,
        "low": value - half,
        "high": value + half,
        "p": p,
        "q": q,
        "flagged": q <= FALSE_DISCOVERIES,
        "n": [deals] * len(kept),
    }
    return pl.DataFrame(columns, schema=LEADS).with_columns(pl.col(pl.Float64).fill_nan(None))


def _types(counts: Array, seats: Array, reader: GroupReader, deals: int) -> pl.DataFrame:
    types, chosen = reader.stamped.types, reader.stamped.chosen
    copies = np.array([types.copies[i] for i in chosen], dtype=float)
    taken = counts[:, len(reader.events) :, :-1].sum(axis=2)
    games = seats[:, -1:] * copies
    value, influence = ratio(taken, games)
    # Of what is never taken the deals tell, as a deal's games may be alike.
    low, high = share_bounds(value, error(influence), np.full(len(chosen), deals)) if len(chosen) else (value, value)
    columns = {
        "type": [types.names[i] for i in chosen],
        "label": [types.labels[i] for i in chosen],
        "group": [types.groups[i] for i in chosen],
        "copies": copies.astype(np.int64),
        "value": value,
        "low": low,
        "high": high,
        "n": [deals] * len(chosen),
    }
    schema = {
        **dict.fromkeys(("type", "label", "group"), pl.String), "copies": pl.Int64,
        **dict.fromkeys(("value", "low", "high"), pl.Float64), "n": pl.Int64,
    }  # fmt: skip
    return pl.DataFrame(columns, schema=schema).with_columns(pl.col(pl.Float64).fill_nan(None))
