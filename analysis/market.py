"""Cards that lie on the table for everybody: what is built of them, and what their being there does. One pass.

Meant are cards that come by the gain "offered": chance lays some of them out when a game is set up, and whoever takes
one has it by the fate "built". Three questions, each with its own answer:

- *Use*: how often is a type built by anybody, by the winner, when, and how often is it improved (`side_of`)? Counts of
  what players chose.
- *Presence*: what does a copy on the table do to the table? Chance decides what lies there, so this is causal. Outcomes
  of a deal (mean score, spread, length, reasons to end, the margin between different bots) are regressed on the copies
  of all types at once, one observation a deal. Where the rules fix how many cards of a kind are laid out, copies of
  these types always add up to the same number: only differences within such a set can be known, so effects are those
  of a copy in place of an average card of its set (they sum to zero there, weighted by how often each lies there).
- *Being built*: chance does not decide who builds, but it decides whether a card is there to be built. So the copies
  on the table are an instrument for the copies built by anybody: the effect of a copy's being built is the presence
  effect divided by what a copy on the table adds to the copies built (Wald 1940). It is refused where that first stage
  is weak (F below 20), and it rests on a card doing nothing while it lies there unbuilt. Copies are counted, not
  whether one at least was built: of a type with several copies that hardly changes with one more.

What the owner gains is not identified here: presence helps or hurts everybody at the table alike. Only against another
kind of bot does chance tell more: the presence effect on the margin of one bot over the other. The value of owning is
answered by an intervention, playing with the card forbidden to one player (`analysis.studies.access`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import stats
from analysis.blocks import LineUp, in_order, read_part, shards_of
from analysis.cards import (
    DEALS_PER_PARAMETER,
    EFFECTS,
    FALSE_DISCOVERIES,
    CardTypes,
    deals_in_batch,
    effect_frame,
    error_of_cases,
    products,
    ratio,
    share_bounds,
)
from analysis.tiers import TOLERANCE
from simcore.manifest import Manifest
from simcore.runlog import Run

Array = NDArray[Any]

OFFERED = "offered"
"""The gain of what chance lays out for everybody when a game is set up."""
BUILT = "built"
"""The fate of an offered card at the seat that took it."""
LEAST_F = 20.0
"""Below this first-stage F an instrument is too weak to be used."""
SCORE, SPREAD, LENGTH = "score", "spread", "length"
END, MARGIN = "end: ", "margin: "
"""Outcomes of the table: the mean score of its seats, the best minus the lowest score, turns of the game; with these
prefixes, the share of games that end for a reason, and the margin of a bot against the others.
"""
INSTRUMENTED = (SCORE, SPREAD, LENGTH)
LATEST = 15
"""The highest time of a stamp."""


@dataclass(frozen=True)
class Market:
    """What is offered in one line-up. What does not exist is null.

    `types`, a row a type: type, label, group, copies, games (in which it was offered), offered (share of games), lying
    (copies on the table of a game in which it was offered), built (share of the copies offered that anybody built),
    once (share of the games in which it was offered where at least one copy was built), winner (of the copies built,
    the share built by the winner), upgraded (of the copies built, the share improved; null where there is no other
    side), when (mean time of building, from 1, in the turns that the manifest's `when` tells), association (mean margin
    of the seats that built it: confounded), each with _low and _high, and n (deals).

    `by_bot`: type, bot, value (share of the copies offered that a seat of this bot built), low, high, n.

    `presence`: type, outcome and the columns of `analysis.cards.CardImpact.effects` (`alarm` is always false), an
    effect being that of one more copy on the table in place of an average card of its set. `built`: type, outcome,
    first_stage (what a copy on the table adds to the copies built), f, refused, value (effect of a copy's being built),
    low, high, p, q, flagged, n.

    `latest` is the turn from which on all times count as one. `units` and `margins` are those of the outcomes, `fixed`
    the number of sets of cards whose copies always add up to the same number. `presence` and `built` are empty, and
    `why_not` says why, where they cannot be had.
    """

    types: pl.DataFrame
    by_bot: pl.DataFrame
    presence: pl.DataFrame
    built: pl.DataFrame
    latest: int
    units: dict[str, str]
    margins: dict[str, float]
    fixed: int
    why_not: str | None
    n: int


@dataclass(frozen=True)
class MarketTypes:
    """The types that may be offered, with the columns of their cards and of their improved sides in the card log."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    groups: tuple[str, ...]
    copies: tuple[int, ...]
    columns: tuple[tuple[str, ...], ...]
    sides: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, manifest: Manifest) -> MarketTypes:
        """The types that lie on the table: not dealt to hands, and no other side of a card; none without offers."""
        types = CardTypes.of(manifest)
        side_of = {card["type"]: card["side_of"] for card in manifest["cards"]}
        columns = {
            name: types.columns[start : start + copies]
            for name, start, copies in zip(types.names, types.starts, types.copies, strict=True)
        }
        there = OFFERED in manifest["gains"] and BUILT in manifest["fates"] and manifest["round_is_game"]
        kept = [i for i, name in enumerate(types.names) if there and i not in types.hand and not side_of[name]]
        names = [types.names[i] for i in kept]
        sides = {name: tuple(c for side, of in side_of.items() if of == name for c in columns[side]) for name in names}
        return cls(
            tuple(names),
            tuple(types.labels[i] for i in kept),
            tuple(types.groups[i] for i in kept),
            tuple(types.copies[i] for i in kept),
            tuple(columns[name] for name in names),
            tuple(sides[name] for name in names),
        )


def market(
    run: Run,
    line_up: LineUp,
    margin_points: float = 1.0,
    margin_share: float = 0.01,
    threads: int | None = None,
) -> Market | None:
    """The market of one line-up; None where the run has no card log, offers nothing, or has no finished shard of it.

    A game of several rounds is not looked at: its rounds would each have a market.
    """
    shards = shards_of(run, line_up.index) if "cards" in run.tables else []
    reader = MarketReader(run, line_up)
    if not shards or not reader.types.names:
        return None
    sums = [part for part in in_order(reader.read, shards, threads) if part is not None]
    if not sums:
        return None
    counts = np.concatenate([part.counts for part in sums])
    deals = sum(part.deals for part in sums)
    xx, xy = np.concatenate([part.xx for part in sums]), np.concatenate([part.xy for part in sums])
    units, margins = reader.scales(xx, xy, margin_points, margin_share)
    presence, built, fixed, why_not = _effects(xx, xy, reader, margins, deals)
    names = [bot["name"] for bot in run.manifest["bots"]]
    return Market(
        types=_types(counts, reader, deals),
        by_bot=_by_bot(counts, reader, names, deals),
        presence=presence,
        built=built,
        latest=LATEST * reader.step + 1,
        units=units,
        margins=margins,
        fixed=fixed,
        why_not=why_not,
        n=deals,
    )


# --- the pass --------------------------------------------------------------------------------------------------------


@dataclass
class MarketSums:
    """Sums of one shard by batch of whole deals: `counts` (batches, quantities, types), and X'X and X'y of one row a
    deal: `xx` (batches, 1 + types, 1 + types), `xy` (batches, 1 + types, outcomes + types).
    """

    counts: Array
    xx: Array
    xy: Array
    deals: int


COUNTS = ("games", "offered", "built", "once", "winner", "upgraded", "when", "margin")
"""Quantities in `MarketSums.counts`, by type, added up over games; then those of each bot: copies built, and copies
offered to its seats. `when` is the sum of times, `margin` that of the builders' margins, over the copies built.
"""


class MarketReader:
    """Turns shards of the card log and the games into sums by batch. Arrays are (types, games) or (types, games,
    seats).
    """

    def __init__(self, run: Run, line_up: LineUp, batch: int | None = None) -> None:
        """`batch` is the number of deals in a batch, where it is to be the same in several runs."""
        manifest = run.manifest
        self.run = run
        self.types = MarketTypes.of(manifest)
        self.seats = manifest["seats"]
        self.line_up = line_up
        self.gains, self.fates = list(manifest["gains"]), list(manifest["fates"])
        self.step = manifest["when_unit"]
        self.ends = list(manifest["ends"])
        self.unit = manifest["score_unit"]
        self.batch = batch or deals_in_batch(run)
        # Of all bots but one the margins tell everything: a table's margins sum to zero.
        self.bots = line_up.distinct[:-1]
        names = [bot["name"] for bot in manifest["bots"]]
        self.outcomes = (
            *INSTRUMENTED,
            *(END + end for end in self.ends),
            *(MARGIN + names[b] for b in self.bots),
        )

    def read(self, shard: int) -> MarketSums | None:
        """One shard's sums."""
        frame, games = self.frames(shard)
        return self.sums(frame, games) if len(games) else None

    def frames(self, shard: int) -> tuple[pl.DataFrame, pl.DataFrame]:
        """One shard's card log and games."""
        cards = [name for of in (*self.types.columns, *self.types.sides) for name in of]
        keys = ["deal", "rotation", "seat", "points", "win_share"]
        return (
            read_part(self.run, "cards", shard, [*keys, *cards]),
            read_part(self.run, "games", shard, ["deal", "turns", "end"]),
        )

    def sums(self, frame: pl.DataFrame, games: pl.DataFrame) -> MarketSums:
        """The sums of whole deals, at least one."""
        n = self.seats
        points = frame["points"].to_numpy().reshape(-1, n).astype(float)
        share = frame["win_share"].to_numpy().reshape(-1, n).astype(float)
        margin = (points * n - points.sum(axis=1, keepdims=True)) / max(1, n - 1)
        rotation = frame["rotation"].to_numpy().reshape(-1, n)[:, 0]
        # In rotation r, seat s is played by place (s + r) % n.
        bot = np.array(self.line_up.bots)[(np.arange(n) + rotation[:, None]) % n]
        deal = games["deal"].to_numpy()
        deals = np.flatnonzero(np.diff(deal, prepend=np.int64(-1)))
        cuts = np.append(np.arange(len(deals))[:: self.batch], len(deals))
        counts, offered, built = self._count(frame, share, margin, bot)
        by_batch = np.add.reduceat(counts, deals[:: self.batch], axis=2)
        outcomes = self._outcomes(points, margin, bot, games)
        per_deal = np.diff(np.append(deals, len(deal)))
        rows = [np.add.reduceat(values, deals, axis=1) / per_deal for values in (offered, built, outcomes)]
        x = np.vstack([np.ones(len(deals)), rows[0]])
        y = np.vstack([rows[2], rows[1]])
        return MarketSums(
            by_batch.transpose(2, 0, 1), products(x, x, cuts, float), products(x, y, cuts, float), len(deals)
        )

    def _count(self, frame: pl.DataFrame, share: Array, margin: Array, bot: Array) -> tuple[Array, Array, Array]:
        """(quantities, types, games), and (types, games): copies offered, and copies built."""
        kinds, games = len(self.types.names), len(share)
        bots = self.line_up.distinct
        out = np.zeros((len(COUNTS) + 2 * len(bots), kinds, games), dtype=np.float32)
        offered_mask = np.uint8((self.gains.index(OFFERED) + 1) << 6)
        built_mask = np.uint8((self.fates.index(BUILT) + 1) << 4)
        mine = [bot == b for b in bots]
        for t, (columns, sides) in enumerate(zip(self.types.columns, self.types.sides, strict=True)):
            offered = np.zeros(games, dtype=np.float32)
            built = np.zeros(share.shape, dtype=np.float32)
            when = np.zeros(games, dtype=np.float32)
            for name in columns:
                stamps = frame[name].to_numpy().reshape(share.shape)
                offered += (stamps[:, 0] & 0xC0) == offered_mask
                of_copy = (stamps & 0x30) == built_mask
                built += of_copy
                # A time, from 0, is known up to a step: its middle is meant, from 1.
                when += ((stamps & LATEST) * self.step + (self.step + 1) / 2).sum(axis=1, where=of_copy)
            improved = np.zeros(games, dtype=np.float32)
            for name in sides:
                improved += (frame[name].to_numpy().reshape(share.shape) & 0xC0).astype(bool).sum(axis=1)
            anybody = built.sum(axis=1)
            out[: len(COUNTS), t] = (
                offered > 0, offered, anybody, anybody > 0, (built * share).sum(axis=1), improved, when,
                (built * margin).sum(axis=1),
            )  # fmt: skip
            for b, is_mine in enumerate(mine):
                out[len(COUNTS) + 2 * b, t] = (built * is_mine).sum(axis=1)
                out[len(COUNTS) + 2 * b + 1, t] = offered * is_mine.sum(axis=1)
        return out, out[COUNTS.index("offered")], out[COUNTS.index("built")]

    def _outcomes(self, points: Array, margin: Array, bot: Array, games: pl.DataFrame) -> Array:
        """(outcomes, games)."""
        end = games["end"].to_numpy()
        return np.vstack(
            [
                points.mean(axis=1),
                points.max(axis=1) - points.min(axis=1),
                games["turns"].to_numpy(),
                *(end == i for i in range(len(self.ends))),
                *((margin * (bot == b)).sum(axis=1) / self.line_up.bots.count(b) for b in self.bots),
            ]
        )

    def scales(
        self, xx: Array, xy: Array, margin_points: float, margin_share: float
    ) -> tuple[dict[str, str], dict[str, float]]:
        """Units and margins of the outcomes; for lengths a change counts from a part of the mean on."""
        units, margins = {}, {}
        mean = xy[:, 0].sum(axis=0) / xx[:, 0, 0].sum()
        for k, outcome in enumerate(self.outcomes):
            if outcome == LENGTH:
                units[outcome], margins[outcome] = "turns", TOLERANCE * float(mean[k])
            elif outcome.startswith(END):
                units[outcome], margins[outcome] = "share", margin_share
            else:
                units[outcome], margins[outcome] = self.unit, margin_points
        return units, margins


# --- tables ----------------------------------------------------------------------------------------------------------


def use_of(counts: Array) -> dict[str, tuple[Array, Array]]:
    """The ratios about use: numerator and denominator (batches, types) of each."""
    of = {name: counts[:, i].astype(float) for i, name in enumerate(COUNTS)}
    return {
        "built": (of["built"], of["offered"]),
        "once": (of["once"], of["games"]),
        "winner": (of["winner"], of["built"]),
        "upgraded": (of["upgraded"], of["built"]),
        "when": (of["when"], of["built"]),
        "association": (of["margin"], of["built"]),
    }


SHARES = ("built", "once", "winner", "upgraded")


def _types(counts: Array, reader: MarketReader, deals: int) -> pl.DataFrame:
    types = reader.types
    games = counts[:, COUNTS.index("games")].sum(axis=0, dtype=float)
    total = reader.seats * deals
    offered = counts[:, COUNTS.index("offered")].sum(axis=0, dtype=float)
    columns: dict[str, Any] = {
        "type": list(types.names),
        "label": list(types.labels),
        "group": list(types.groups),
        "copies": list(types.copies),
        "games": games.round().astype(np.int64),
        "offered": games / total,
        "lying": np.divide(offered, games, out=np.full(len(games), np.nan), where=games > 0),
    }
    for name, (over, under) in use_of(counts).items():
        values, influence = ratio(over, under)
        low, high = _bounds(name, values, influence, under, reader.seats, deals)
        if name == "upgraded":
            alone = [not sides for sides in types.sides]
            values[alone], low[alone], high[alone] = np.nan, np.nan, np.nan
        columns |= {name: values, f"{name}_low": low, f"{name}_high": high}
    return pl.DataFrame(columns | {"n": [deals] * len(types.names)}).with_columns(pl.col(pl.Float64).fill_nan(None))


def _bounds(
    name: str, values: Array, influence: Array, under: Array, seats: int, deals: int
) -> tuple[Array, Array]:
    se, free = error_of_cases(influence, (under > 0).sum(axis=0))
    if name not in SHARES:
        half = stats.t_value(free) * se
        return values - half, values + half
    wide = stats.t_value(free) / stats.z_value() * se
    return share_bounds(values, wide, stats.independent(under.sum(axis=0), seats, deals))


def _by_bot(counts: Array, reader: MarketReader, names: Sequence[str], deals: int) -> pl.DataFrame:
    frames = []
    for i, b in enumerate(reader.line_up.distinct):
        built, offered = (counts[:, len(COUNTS) + 2 * i + k].astype(float) for k in (0, 1))
        values, influence = ratio(built, offered)
        low, high = _bounds("built", values, influence, offered, reader.seats, deals)
        columns = {"type": list(reader.types.names), "bot": names[b], "value": values, "low": low, "high": high}
        frames.append(pl.DataFrame(columns | {"n": deals}).with_columns(pl.col("n").cast(pl.Int64)))
    return pl.concat(frames).with_columns(pl.col(pl.Float64).fill_nan(None))


BY_INSTRUMENT = {
    **dict.fromkeys(("type", "outcome"), pl.String),
    **dict.fromkeys(("first_stage", "f"), pl.Float64),
    "refused": pl.Boolean,
    **dict.fromkeys(("value", "low", "high", "p", "q"), pl.Float64),
    "flagged": pl.Boolean,
    "n": pl.Int64,
}


def _effects(
    xx: Array, xy: Array, reader: MarketReader, margins: Mapping[str, float], deals: int
) -> tuple[pl.DataFrame, pl.DataFrame, int, str | None]:
    """The tables `presence` and `built`, the number of fixed sets, and why there are none."""
    nothing = pl.DataFrame(schema=EFFECTS), pl.DataFrame(schema=BY_INSTRUMENT)
    total = xx.sum(axis=0)
    mean = total[0, 1:] / total[0, 0]
    spread = np.diagonal(total)[1:] / total[0, 0] - mean**2
    kept = np.flatnonzero(spread > 1e-9)
    if not len(kept):
        return *nothing, 0, "The same cards lie on the table in every game, so chance shows nothing about them."
    needed = DEALS_PER_PARAMETER * (1 + len(kept))
    if deals < needed:
        return *nothing, 0, f"Too few deals: {deals}. At least {needed} are needed."
    sets = _fixed_sets(total, mean, kept)
    chosen = np.concatenate([[0], 1 + kept])
    outcomes = len(reader.outcomes)
    wanted = np.concatenate([np.arange(outcomes), outcomes + kept])
    weights = np.hstack([np.zeros((len(sets), 1)), sets]) if len(sets) else None
    fit = stats.clustered_ols(xx[:, chosen][:, :, chosen], xy[:, chosen][:, :, wanted], weights)
    if fit is None:
        return *nothing, len(sets), "The cards on the table always come in the same company, so none can be told apart."
    names = [reader.types.names[i] for i in kept]
    found = [
        effect_frame(
            names, outcome, fit.coefficients[1:, k], fit.se()[1:, k], fit.degrees[1:], margins[outcome], deals
        )[0]
        for k, outcome in enumerate(reader.outcomes)
    ]
    return pl.concat(found), _by_instrument(fit, names, reader, deals), len(sets), None


def _fixed_sets(total: Array, mean: Array, kept: Array) -> Array:
    """Weights (sets, types) of the types whose copies always add up to the same number, one row a set.

    Such a set is a direction in which the copies never vary: a null vector of their covariance. To say what effects are
    relative to, a type weighs as much as it lies on the table.
    """
    covariance = (total[1:, 1:] / total[0, 0] - np.outer(mean, mean))[np.ix_(kept, kept)]
    values, vectors = np.linalg.eigh(covariance)
    still = vectors[:, values < 1e-9 * values[-1]]
    return np.asarray(still.T * mean[kept])


def _by_instrument(fit: stats.Fit, names: Sequence[str], reader: MarketReader, deals: int) -> pl.DataFrame:
    """The effect of a copy's being built, by presence as the instrument."""
    outcomes, places = len(reader.outcomes), np.arange(len(names))
    scale = np.sqrt(fit.correction)
    # What a copy of a type on the table adds to those built: outcome `outcomes + t`, coefficient 1 + t.
    stage = fit.coefficients[1 + places, outcomes + places]
    stage_influence = scale * fit.influence[outcomes + places, :, 1 + places]  # (types, clusters)
    with np.errstate(invalid="ignore", divide="ignore"):
        f = stage**2 / (stage_influence**2).sum(axis=1)
    refused = ~(f >= LEAST_F) | (stage <= 0)
    half = stats.t_value(fit.degrees[1:])
    frames = []
    for k, outcome in enumerate(reader.outcomes):
        if outcome not in INSTRUMENTED:
            continue
        effect, influence = fit.coefficients[1:, k], scale * fit.influence[k][:, 1:].T
        with np.errstate(invalid="ignore", divide="ignore"):
            value = effect / stage
            se = np.sqrt((((influence - value[:, None] * stage_influence) / stage[:, None]) ** 2).sum(axis=1))
            p = stats.two_sided_p(value / se, fit.degrees[1:])
        for of in (value, se, p):
            of[refused] = np.nan
        q = stats.benjamini_hochberg(p)
        columns = {
            "type": list(names), "outcome": outcome, "first_stage": stage, "f": f, "refused": refused,
            "value": value, "low": value - half * se, "high": value + half * se, "p": p, "q": q,
            "flagged": q <= FALSE_DISCOVERIES, "n": deals,
        }  # fmt: skip
        frames.append(pl.DataFrame(columns).cast(BY_INSTRUMENT))  # type: ignore[arg-type]
    return pl.concat(frames).with_columns(pl.col(pl.Float64).fill_nan(None))
