"""How a game responds to one or two values of its card set: every number at every value, with two intervals.

The *level* of a number at a value has the block-level interval of any run. Its *change* from the value as it is now is
paired: all points play the same deals, so their common luck cancels and the interval is much narrower
(`analysis.comparison`). `analyse(open_sweep(folder))` gives a `Sweep`: plain frozen records and polars frames.
`Sweep.to_dict()` is the content of report.json.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis import balance, comparison, stats, sweep_verdicts
from analysis.balance import Facts
from analysis.blocks import LineUp, line_ups
from analysis.comparison import Comparison
from analysis.sweep_folder import AxisEntry, SweepRuns, Value
from analysis.verdicts import Verdict

ROWS = {
    "point": pl.Int64,  # index into Sweep.points
    "line_up": pl.Int64,  # index into the manifest's line_ups
    "title": pl.String,  # the line-up as a sentence names it
    "tier": pl.String,  # the tier that all its bots share, or null
    "measure": pl.String,  # as in analysis.comparison
    "subject": pl.String,
    "label": pl.String,
    "unit": pl.String,
    "value": pl.Float64,  # the level at this point, with its block-level interval
    "low": pl.Float64,
    "high": pl.Float64,
    "change": pl.Float64,  # level minus that of the point as it is now, with its paired interval
    "change_low": pl.Float64,
    "change_high": pl.Float64,
    "margin": pl.Float64,  # what counts as a change, in `unit`
    "wording": pl.String,  # one of the five of analysis.stats, or "identical"; "as it is" at the base point
    "more_deals": pl.Int64,  # deals still needed where the wording is "not yet known", else 0
    "variance_ratio": pl.Float64,  # variance of the change with separate deals / with the same deals
    "n": pl.Int64,  # deals
}
"""Columns of `Sweep.rows`."""

RESPONSES = {
    **dict.fromkeys(("line_up",), pl.Int64),
    **dict.fromkeys(("title", "tier", "measure", "subject", "label", "unit"), pl.String),
    **dict.fromkeys(("base", "base_low", "base_high"), pl.Float64),  # the level as it is now
    "point": pl.Int64,  # where the change is largest
    **dict.fromkeys(("change", "change_low", "change_high"), pl.Float64),  # there
    "margin": pl.Float64,
    "wording": pl.String,  # of that change; "matters" wherever some change matters
    "more_deals": pl.Int64,
    "shape": pl.String,  # one of SHAPES
    "matters": pl.Int64,  # points whose change surely passes the margin
    "open": pl.Int64,  # points of which it is not known
}
"""Columns of `Sweep.responses`: a row for each question, what it does over all points."""

CROSSINGS = {
    "axis": pl.Int64,
    **dict.fromkeys(("line_up",), pl.Int64),
    **dict.fromkeys(("title", "measure", "subject", "label"), pl.String),
    "target": pl.Float64,
    "at": pl.Float64,  # the value of the axis at which the level is the target, between two points on a straight line
    "low": pl.Float64,  # values at which the target is inside the interval of the level; null: beyond what was varied
    "high": pl.Float64,
}
"""Columns of `Sweep.crossings`."""

PLAYED = {
    "point": pl.Int64,
    "line_up": pl.Int64,
    "title": pl.String,
    "identical": pl.Float64,  # share of games that were played as at the base point, move by move
    "scored_alike": pl.Float64,  # share in which also every score is the same
    "no_reaction": pl.Boolean,  # all played alike, but not scored alike: no bot reacted to the value
}
"""Columns of `Sweep.played`."""

AS_IT_IS = "as it is"
RISES, FALLS, PEAKS, DIPS, MIXED, FLAT = "rises", "falls", "is highest", "is lowest", "goes up and down", "stays"
SHAPES = (RISES, FALLS, PEAKS, DIPS, MIXED, FLAT)
"""What a number does as the value grows; "is highest" and "is lowest" are meant at the value as it is now."""


@dataclass(frozen=True)
class Point:
    """A point: its value on each axis, its card set, and the folder of its run in that of the sweep."""

    values: tuple[Value, ...]
    card_set: str
    card_set_hash: str
    folder: str


@dataclass(frozen=True)
class Sweep:
    """How a game responds to one or two values.

    `facts` are those of the base point, whose index in `points` is `base`; `headline` is the line-up that page one
    speaks of: the bot of the strongest tier against itself. `asked` counts the points that were asked for, finished or
    not. The frames' columns are described by ROWS, RESPONSES, CROSSINGS and PLAYED.
    """

    facts: Facts
    axes: tuple[AxisEntry, ...]
    points: tuple[Point, ...]
    base: int
    asked: int
    games: int
    line_ups: tuple[LineUp, ...]
    headline: int
    rows: pl.DataFrame
    responses: pl.DataFrame
    crossings: pl.DataFrame
    played: pl.DataFrame
    notes: tuple[str, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def complete(self) -> bool:
        """Whether all points were played."""
        return len(self.points) == self.asked

    @property
    def main(self) -> LineUp:
        """The line-up that page one speaks of."""
        return next(line_up for line_up in self.line_ups if line_up.index == self.headline)

    def along(self, axis: int) -> list[int]:
        """Indices of the points along an axis with the other value as it is now, in the order of the values."""
        fixed = self.points[self.base].values
        order = {value: i for i, value in enumerate(self.axes[axis]["values"])}
        on = [
            i
            for i, point in enumerate(self.points)
            if all(k == axis or value == fixed[k] for k, value in enumerate(point.values))
        ]
        return sorted(on, key=lambda i: order[self.points[i].values[axis]])

    def to_dict(self) -> dict[str, Any]:
        """The whole result in plain JSON types."""
        content = balance.plain_data({f.name: getattr(self, f.name) for f in dataclasses.fields(self)})
        return {"format": "fairdeal-sweep-report/1", **content}


def numeric(axis: AxisEntry) -> bool:
    """Whether the values of an axis are numbers, so that there is something between two of them."""
    return all(isinstance(value, int) for value in axis["values"])


def analyse(
    sweep: SweepRuns, margin_points: float = 1.0, margin_share: float = 0.01, threads: int | None = None
) -> Sweep:
    """Analyse the finished points of a sweep within the designer's margins (points of score; share of the wins).

    Raises InputError where a margin is not positive or a run cannot be read.
    """
    at_base = balance.analyse(sweep.base, margin_points, margin_share, threads)
    numbers = sorted(sweep.runs)
    base = numbers.index(sweep.entry["base"])
    rows, played = [], []
    notes: list[str] = []
    for point, number in enumerate(numbers):
        run = sweep.runs[number]
        compared = comparison.compare(sweep.base, run, margin_share, margin_points, threads=threads)
        rows.append(_rows(point, compared, point == base))
        played.append(compared.played.select(pl.lit(point).alias("point"), *list(PLAYED)[1:]))
        notes += compared.notes
    found = Sweep(
        facts=at_base.facts,
        axes=tuple(sweep.entry["axes"]),
        points=tuple(_point(sweep, number) for number in numbers),
        base=base,
        asked=len(sweep.entry["points"]),
        games=sum(run.games for run in sweep.runs.values()),
        line_ups=line_ups(sweep.base.manifest),
        headline=at_base.main.index,
        rows=pl.concat(rows),
        responses=pl.DataFrame(schema=RESPONSES),
        crossings=pl.DataFrame(schema=CROSSINGS),
        played=pl.concat(played).cast(PLAYED),  # type: ignore[arg-type]  # polars takes types by name
        notes=tuple(dict.fromkeys(notes)),
        verdicts=(),
    )
    found = dataclasses.replace(found, responses=responses(found), crossings=crossings(found))
    return dataclasses.replace(found, verdicts=sweep_verdicts.page_one(found))


def _point(sweep: SweepRuns, number: int) -> Point:
    entry, card_set = sweep.entry["points"][number], sweep.runs[number].manifest["card_set"]
    return Point(tuple(entry["values"]), card_set["name"], card_set["hash"], entry["folder"])


# --- levels and changes ----------------------------------------------------------------------------------------------


def _rows(point: int, compared: Comparison, is_base: bool) -> pl.DataFrame:
    """The rows of one point: the changes that its comparison with the base point has found, and the levels."""
    found = [
        {name: row[name] for name in ("line_up", "title", "tier", "measure", "subject", "label", "unit", "margin", "n")}
        | dict(zip(("value", "low", "high"), level(row), strict=True))
        | {"change": row["difference"], "change_low": row["low"], "change_high": row["high"]}
        | {"wording": AS_IT_IS if is_base else row["wording"], "more_deals": row["more_deals"], "point": point}
        | {"variance_ratio": None if is_base else row["variance_ratio"]}
        for row in compared.rows.iter_rows(named=True)
    ]
    frame = pl.DataFrame([{name: row[name] for name in ROWS} for row in found], schema=ROWS)
    return frame.with_columns(pl.col(pl.Float64).fill_nan(None))


def level(row: dict[str, Any]) -> tuple[float, float, float]:
    """The level of a comparison's row in the variant, with its block-level interval."""
    value, se = (math.nan if row[name] is None else row[name] for name in ("variant", "variant_se"))
    if row["unit"] == "share":
        return value, *stats.share_interval(value, se, row["n"])
    half = stats.z_value() * se
    return value, value - half, value + half


# --- what a question does over all points ----------------------------------------------------------------------------

_QUESTION = ("line_up", "measure", "subject")


def questions(rows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The rows of each question (line-up, measure, subject), one frame each, in their order."""
    for _, group in rows.group_by(_QUESTION, maintain_order=True):
        yield group


def responses(sweep: Sweep) -> pl.DataFrame:
    """A row for each question: its level now, its largest change, its shape."""
    found = []
    for group in questions(sweep.rows):
        (now,) = group.filter(point=sweep.base).to_dicts()
        others = [row for row in group.iter_rows(named=True) if row["point"] != sweep.base]
        if not others:
            continue
        # A change that surely matters goes before a larger one of which little is known.
        top = max(others, key=lambda row: (row["wording"] == stats.MATTERS, abs(row["change"] or 0.0)))
        words = [row["wording"] for row in others]
        found.append(
            {name: now[name] for name in ("line_up", "title", "tier", "measure", "subject", "label", "unit", "margin")}
            | {"base": now["value"], "base_low": now["low"], "base_high": now["high"]}
            | {name: top[name] for name in ("point", "change", "change_low", "change_high", "wording")}
            | {"more_deals": max(row["more_deals"] for row in others), "shape": _shape(sweep, group)}
            | {"matters": words.count(stats.MATTERS), "open": words.count(stats.UNKNOWN) + words.count(stats.UNCLEAR)}
        )
    return pl.DataFrame([{name: row[name] for name in RESPONSES} for row in found], schema=RESPONSES)


def _shape(sweep: Sweep, group: pl.DataFrame) -> str:
    """What a number does along the axis: by the changes whose interval excludes zero."""
    sure = {
        row["point"]: math.copysign(1.0, row["change"])
        for row in group.iter_rows(named=True)
        if row["change_low"] is not None and (row["change_low"] > 0 or row["change_high"] < 0)
    }
    if not sure:
        return FLAT
    if len(sweep.axes) > 1 or not numeric(sweep.axes[0]):
        return MIXED
    along = sweep.along(0)
    here = along.index(sweep.base)
    below, above = ({sure[p] for p in side if p in sure} for side in (along[:here], along[here + 1 :]))
    if below <= {-1.0} and above <= {1.0}:
        return RISES
    if below <= {1.0} and above <= {-1.0}:
        return FALLS
    if below == above and len(below) == 1:
        return PEAKS if below == {-1.0} else DIPS
    return MIXED


# --- where a target is met -------------------------------------------------------------------------------------------


def crossings(sweep: Sweep) -> pl.DataFrame:
    """Where shares meet the even share: of the first player, and of a bot in a mixed line-up. Numeric axes only, each
    with the other value as it is now.
    """
    fair = 1 / sweep.facts.seats
    mirrors = {line_up.index for line_up in sweep.line_ups if line_up.mirror}
    first_bots = {line_up.index: line_up.names[0] for line_up in sweep.line_ups}
    found = []
    for axis in (i for i, entry in enumerate(sweep.axes) if numeric(entry)):
        along = sweep.along(axis)
        x = [float(sweep.points[p].values[axis] or 0) for p in along]
        for group in questions(sweep.rows):
            head = group.row(0, named=True)
            mirror = head["line_up"] in mirrors
            going_first = head["measure"] == "order_share" and head["subject"] == FIRST and sweep.facts.first_player
            wanted = (going_first and mirror) or (
                head["measure"] == "bot_share" and not mirror and head["subject"] == first_bots[head["line_up"]]
            )
            if not wanted:
                continue
            by_point = {row["point"]: row for row in group.iter_rows(named=True)}
            value, low, high = ([by_point[p][name] for p in along] for name in ("value", "low", "high"))
            if None in value or None in low or None in high:
                continue
            for at, start, end in meets(x, value, low, high, fair):
                kept = {name: head[name] for name in ("line_up", "title", "measure", "subject", "label")}
                found.append(kept | {"axis": axis, "target": fair, "at": at, "low": start, "high": end})
    return pl.DataFrame([{name: row[name] for name in CROSSINGS} for row in found], schema=CROSSINGS)


FIRST = "0"
"""The subject of the first in turn order."""


def meets(
    x: Sequence[float], value: Sequence[float], low: Sequence[float], high: Sequence[float], target: float
) -> list[tuple[float, float | None, float | None]]:
    """Where a curve through the points (x, value) meets a target, with the x around it at which the target lies inside
    the band from `low` to `high`; all are straight between two points. None: the band holds it up to the end.

    Inverting a band point by point gives an interval of its confidence (Fieller 1954) where the curve is straight
    between the points; between two of them the band is a little too wide, which errs on the careful side.
    """
    found = []
    for i, (a, b) in enumerate(itertools.pairwise(value)):
        if (a - target) * (b - target) < 0 or (a == target and (i == 0 or value[i - 1] != target)):
            at = x[i] if a == target else x[i] + (x[i + 1] - x[i]) * (target - a) / (b - a)
            found.append((at, _edge(x, low, high, target, at, -1), _edge(x, low, high, target, at, 1)))
    if len(value) > 1 and value[-1] == target and value[-2] != target:
        found.append((x[-1], _edge(x, low, high, target, x[-1], -1), None))
    return found


def _edge(
    x: Sequence[float], low: Sequence[float], high: Sequence[float], target: float, at: float, way: int
) -> float | None:
    """The first x from `at` in the direction `way` at which the band no longer holds the target."""
    steps = [(x[i], low[i], high[i]) for i in range(len(x)) if (x[i] - at) * way > 0]
    here = (at, _between(x, low, at), _between(x, high, at))
    for there in steps if way > 0 else reversed(steps):
        if not there[1] <= target <= there[2]:
            k = 1 if there[1] > target else 2
            part = (target - here[k]) / (there[k] - here[k]) if there[k] != here[k] else 0.0
            return here[0] + (there[0] - here[0]) * min(1.0, max(0.0, part))
        here = there
    return None


def _between(x: Sequence[float], y: Sequence[float], at: float) -> float:
    """The height at `at` of straight lines through the points."""
    for (x0, y0), (x1, y1) in itertools.pairwise(zip(x, y, strict=True)):
        if x0 <= at <= x1:
            return y0 + (y1 - y0) * ((at - x0) / (x1 - x0) if x1 > x0 else 0.0)
    return y[0] if at < x[0] else y[-1]
