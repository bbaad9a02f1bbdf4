"""Figures and cells of a sweep: how a number responds to one value (a curve), or to two (a map and curves)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from analysis import comparison, figures, stats, sweep_verdicts
from analysis.sweep import AS_IT_IS, DIPS, FALLS, PEAKS, RISES, Sweep, numeric
from analysis.sweep_folder import Value
from analysis.sweep_verdicts import Row, axis_name, change_of, level_of, now, scale, unit_of_change, value_word
from reports import numbers
from reports.page import Cell, Figure, minus
from reports.parts import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDE = 34.0
"""Room at the left of a panel for the numbers of its axis, in points."""
LEVEL, CHANGE, SMALL = 128.0, 112.0, 74.0
"""Heights of the panels for levels and for changes, and of a small panel, in points."""
MOST_CURVES = 6
MOST_PANELS = 8
NEAR = 12.0
"""A small panel shows the even share where its curve comes so near, in per cent."""

WORDINGS = {
    **common.FINDINGS,
    comparison.IDENTICAL: "identical",
    AS_IT_IS: "as it is",
}
"""What a row of a sweep says about a change, as it stands in a table."""


@dataclass(frozen=True)
class Series:
    """A curve: its name, its colour, and its rows of `Sweep.rows`, a row a point."""

    name: str
    colour: str
    rows: list[Row]


def by_bot(sweep: Sweep, measure: str, subject: str | None = None) -> list[Series]:
    """A question in self-play of every bot, the headline bot first; `subject` is the bot where it is None."""
    found = []
    for line_up in sweep.line_ups:
        if line_up.mirror:
            bot = line_up.names[0]
            rows = sweep_verdicts.rows_of(sweep, line_up.index, measure, bot if subject is None else subject)
            if rows:
                found.append(Series(bot, figures.colour(common.bot_index(sweep, bot)), rows))
    strong = {bot.name: bot.strength or 0.0 for bot in sweep.facts.bots}
    main = sweep.main.names[0]
    return sorted(found, key=lambda series: (series.name != main, -strong[series.name]))[:MOST_CURVES]


def by_pair(sweep: Sweep) -> list[tuple[str, Series]]:
    """The share of the better bot of every mixed line-up, with the panel's heading; the largest changes first, and
    those left out that surely stay inside the margin.
    """
    found: list[tuple[str, Series]] = []
    for line_up, rows in sweep_verdicts.pairs(sweep):
        first = line_up.names[0]
        if sweep.facts.seats == 2 and (now(sweep, rows)["value"] or 0.0) < 0.5:
            first = line_up.names[1]
            rows = sweep_verdicts.rows_of(sweep, line_up.index, "bot_share", first)
        if found and all(row["wording"] in (*sweep_verdicts.SETTLED, AS_IT_IS) for row in rows):
            continue  # a curve that surely stays where it is says nothing that the table does not
        others = [name for name in dict.fromkeys(line_up.names) if name != first]
        heading = f"{first} against {', '.join(others)}"
        found.append((heading, Series(first, figures.colour(common.bot_index(sweep, first)), rows)))
    return found[:MOST_PANELS]


# --- places on an axis -----------------------------------------------------------------------------------------------


def _places(sweep: Sweep, axis: int) -> dict[int, float]:
    """Where the points along an axis stand: at their values where these are numbers, else one beside the other."""
    along = sweep.along(axis)
    if not numeric(sweep.axes[axis]):
        return {point: float(i) for i, point in enumerate(along)}
    return {point: float(sweep.points[point].values[axis] or 0) for point in along}


def _ticks(sweep: Sweep, axis: int) -> list[tuple[float, str]]:
    """The values along an axis; of many numbers, a few."""
    ticks = [(x, value_word(sweep.points[point].values[axis])) for point, x in _places(sweep, axis).items()]
    step = -(-len(ticks) // 10) if numeric(sweep.axes[axis]) else 1
    return ticks[::step]


def _frame(sweep: Sweep, axis: int, series: Sequence[Series], what: str) -> pl.DataFrame:
    places = _places(sweep, axis)
    rows = []
    for one in series:
        by_point = {row["point"]: row for row in one.rows}
        base = level_of(now(sweep, one.rows)).value
        for point, x in places.items():
            if point not in by_point:
                continue
            row = by_point[point]
            k = scale(row["unit"])
            e = change_of(row) if what == "change" else level_of(row)
            mark = {"name": one.name, "colour": one.colour, "x": x, "value": e.value * k, "low": e.low * k}
            mark["high"] = e.high * k
            if what == "both":
                near = change_of(row)
                mark |= {"near_low": (base + near.low) * k, "near_high": (base + near.high) * k}
            rows.append(mark)
    return common.rows_frame(rows)


def axis_label(sweep: Sweep, axis: int) -> str:
    """What stands below an axis: the varied value, its unit, and the value as it is."""
    entry = sweep.axes[axis]
    unit = f", {entry['unit']}" if entry["unit"] else ""
    return f"{axis_name(entry)}{unit}; ▲ as it is: {value_word(entry['base'])}"


# --- curves ----------------------------------------------------------------------------------------------------------


def curves(
    sweep: Sweep, name: str, series: Sequence[Series], what: str, line: float | None = None, axis: int = 0
) -> Drawing:
    """The drawing of some curves along an axis: their levels above, their changes from the value as it is below.

    `what` names the number; `line` is an even share, in the number's own unit.
    """
    unit = series[0].rows[0]["unit"]
    k, margin = scale(unit), series[0].rows[0]["margin"] * scale(unit)
    ticks, joined = _ticks(sweep, axis), numeric(sweep.axes[axis])
    base = _places(sweep, axis)[sweep.base]
    width = common.WIDTH - SIDE - figures.LABELS
    levels, changes = (_frame(sweep, axis, series, kind) for kind in ("level", "change"))
    share = unit == "share"
    even = "" if line is None else "; line: even"
    changed = f"change from {value_word(sweep.axes[axis]['base'])}, {unit_of_change(unit)}"

    panels = [
        Panel(
            SIDE, 18, width, LEVEL,
            lambda ax: figures.response(
                levels, ax, ticks=ticks, joined=joined, base=base, line=None if line is None else line * k,
                ylabel=f"{what}, {'per cent' if share else unit}{even}",
            ),
        ),
        Panel(
            SIDE, 18 + LEVEL + 42, width, CHANGE,
            lambda ax: figures.response(
                changes, ax, ticks=ticks, joined=joined, base=base, line=0.0, margin=margin, signed=True,
                ylabel=f"{changed}; grey: your margin of ±{float(f'{margin:.2g}'):g}", xlabel=axis_label(sweep, axis),
            ),
        ),
    ]  # fmt: skip
    return Drawing(name, common.WIDTH, 18 + LEVEL + 42 + CHANGE + 36, panels, alt_text(sweep, axis, series, what))


BANDS = (
    "Above: each value's own level with its interval. Below: the change from the value as it is, on the same deals, "
    "which is known much better."
)
"""How to read `curves`."""


def small_panels(sweep: Sweep, name: str, series: Sequence[tuple[str, Series]], line: float, axis: int = 0) -> Drawing:
    """The drawing of a small panel a curve, two in a row, each with its level, the wide and the narrow band."""
    ticks, joined = _ticks(sweep, axis), numeric(sweep.axes[axis])
    ticks = ticks if len(ticks) <= 6 else [ticks[0], ticks[len(ticks) // 2], ticks[-1]]
    base = _places(sweep, axis)[sweep.base]
    width = (common.WIDTH - 2 * SIDE - 16) / 2
    panels = []
    for i, (heading, one) in enumerate(series):
        frame = _frame(sweep, axis, [one], "both")
        away = (pl.col("value") - line * 100).abs().min()
        even = line * 100 if frame.select(away).item() < NEAR else None

        def paint(ax: Axes, frame: pl.DataFrame = frame, heading: str = heading, even: float | None = even) -> Axes:
            return figures.response(
                frame, ax, ticks=ticks, joined=joined, base=base, line=even, labels=False,
                ylabel=figures.shorten(heading, 38),
            )  # fmt: skip

        left, top = SIDE + (i % 2) * (width + SIDE + 12), 18 + (i // 2) * (SMALL + 44)
        panels.append(Panel(left, top, width, SMALL, paint))
    height = 18 + -(-len(series) // 2) * (SMALL + 44)
    alt = " ".join(alt_text(sweep, axis, [one], f"share of wins of {heading}") for heading, one in series)
    return Drawing(name, common.WIDTH, height, panels, alt)


def alt_text(sweep: Sweep, axis: int, series: Sequence[Series], what: str) -> str:
    """A figure's numbers in words: levels and changes at each value, or at the ends where there are many."""
    along = sweep.along(axis)
    shown = along if len(along) * len(series) <= 30 else [along[0], sweep.base, along[-1]]
    parts = []
    for one in series:
        by_point = {row["point"]: row for row in one.rows}
        said = []
        for point in dict.fromkeys(shown):
            row = by_point[point]
            value, interval = numbers.words(level_of(row))
            change = "" if point == sweep.base else f", change {numbers.words(change_of(row), effect=True)[0]}"
            said.append(f"at {value_word(sweep.points[point].values[axis])} {value} ({interval}){change}")
        parts.append(f"{one.name}: {'; '.join(said)}.")
    return f"{what[0].upper()}{what[1:]} by {axis_name(sweep.axes[axis])}. {' '.join(parts)}"


# --- maps ------------------------------------------------------------------------------------------------------------

FAINT = 4.0
"""A change of so many margins is a full tint; less is fainter, so that noise does not look like news."""
UNDECIDED = "?"
"""The sign of a cell of which it is not known whether its change passes the margin."""


def heat_map(sweep: Sweep, name: str, series: Series, what: str, line: float | None = None) -> Drawing:
    """The drawing of a number for each pair of values: the level, below it the change from the pair as it is."""
    first, second = sweep.axes
    xs, ys = ([value_word(value) for value in axis["values"]] for axis in (first, second))
    rows = []
    for row in series.rows:
        x, y = (axis["values"].index(value) for axis, value in zip(sweep.axes, _values(sweep, row), strict=True))
        k = scale(row["unit"])
        is_base = row["point"] == sweep.base
        rows.append(
            {
                "x": x,
                "y": y,
                "value": None if row["value"] is None else row["value"] * k,
                "low": None,
                "high": None,
                "text": numbers.words(level_of(row))[0],
                "below": "as it is" if is_base else minus(numbers.words(change_of(row), effect=True)[0]),
                "mark": UNDECIDED if row["wording"] in (stats.UNKNOWN, stats.UNCLEAR) else "",
                "base": is_base,
            }
        )
    frame = pl.DataFrame(rows)
    unit = series.rows[0]["unit"]
    k = scale(unit)
    middle = (now(sweep, series.rows)["value"] or 0.0) * k if line is None else line * k
    least = FAINT * series.rows[0]["margin"] * k
    left = 14 + 4.4 * max(len(y) for y in ys)
    width = max(common.WIDTH - left - 4, 34.0 * len(xs))
    height = figures.GRID_HEIGHT * len(ys)
    xlabel, ylabel = axis_name(first), f"{axis_name(second)} (upwards)"
    panel = Panel(
        left, 18, width, height,
        lambda ax: figures.grid(frame, ax, xs=xs, ys=ys, xlabel=xlabel, ylabel=ylabel, middle=middle, least=least),
    )  # fmt: skip
    said = "; ".join(
        f"{sweep_verdicts.point_name(sweep, row['point'])}: {cell['text']}"
        + (f", change {cell['below']}{' (undecided)' if cell['mark'] else ''}" if not cell["base"] else " (as it is)")
        for row, cell in zip(series.rows, rows, strict=True)
    )
    return Drawing(name, left + width + 4, height + 54, [panel], f"{what[0].upper()}{what[1:]}, {series.name}. {said}.")


def _values(sweep: Sweep, row: Row) -> tuple[Value, ...]:
    return sweep.points[row["point"]].values


def response_figures(
    sweep: Sweep, name: str, series: Sequence[Series], what: str, title: str, line: float | None = None
) -> list[Figure]:
    """Everything that shows how a number responds: one figure of curves, or a map and the curves along both axes."""
    if not series or len(sweep.points) < 2:
        return []
    if len(sweep.axes) == 1:
        return [Figure(name, title, curves(sweep, name, series, what, line), BANDS)]
    note = (
        f"Large: the level; below: the change from the pair as it is (framed). {UNDECIDED}: not yet known whether it "
        "passes your margin. Blue: above "
        + ("an even share" if line is not None else "the pair as it is")
        + "; orange: below."
    )
    found = [Figure(name, title, heat_map(sweep, name, series[0], what, line), note)]
    for axis in range(2):
        if len(sweep.along(axis)) > 1:
            other = sweep.axes[1 - axis]
            heading = f"{axis_title(sweep, series[0], axis)} ({axis_name(other)} as it is: {value_word(other['base'])})"
            drawn = curves(sweep, f"{name}-{axis}", series, what, line, axis)
            found.append(Figure(f"{name}-{axis}", heading, drawn, BANDS))
    return found


def axis_title(sweep: Sweep, series: Series, axis: int) -> str:
    """What a curve along one of two axes shows, in a title."""
    along = sweep.along(axis)
    rows = [row for row in series.rows if row["point"] in along]
    top = max(rows, key=lambda row: (row["wording"] == stats.MATTERS, abs(row["change"] or 0.0)))
    name = axis_name(sweep.axes[axis])
    if top["wording"] != stats.MATTERS:
        known = all(row["wording"] in (*sweep_verdicts.SETTLED, AS_IT_IS) for row in rows)
        return f"Alone, {name} makes no difference beyond your margin" if known else f"What {name} does alone is open"
    value = numbers.words(change_of(top), effect=True)[0]
    where = value_word(sweep.points[top["point"]].values[axis])
    return f"Alone, {name} makes a difference of {value} {unit_of_change(top['unit'])} at {where}"


# --- titles and cells ------------------------------------------------------------------------------------------------


def title_of(sweep: Sweep, what: str, series: Series) -> str:
    """A title that states what a number does: "The first player's share falls by 1.3 percentage points … at 30"."""
    found = sweep.responses.filter(
        line_up=series.rows[0]["line_up"], measure=series.rows[0]["measure"], subject=series.rows[0]["subject"]
    ).to_dicts()
    what = what[0].upper() + what[1:]
    if not found:
        return f"{what}: nothing to compare with yet"
    row = found[0]
    if row["wording"] == comparison.IDENTICAL and not row["open"]:
        return f"{what} is the same at every {sweep_verdicts.noun(sweep)}"
    where = sweep_verdicts.point_name(sweep, row["point"])
    value = numbers.words(change_of(row), effect=True)[0]
    amount = f"{value} {unit_of_change(row['unit'])} at {where}"
    if row["wording"] == stats.MATTERS:
        size = f"{value} {unit_of_change(row['unit'])}"
        return f"{what} {_moves(sweep, row['shape'])} by more than your margin, most at {where}: {size}"
    if row["open"]:
        return f"{what} may change by more than your margin: {amount} is the most that was seen"
    return f"{what} stays inside your margin at every {sweep_verdicts.noun(sweep)}; {amount} is the most"


def _moves(sweep: Sweep, shape: str) -> str:
    """What a number does as the value grows, as the verb of a sentence."""
    name = axis_name(sweep.axes[0])
    here = value_word(sweep.axes[0]["base"])
    return {
        RISES: f"rises as {name} grows,",
        FALLS: f"falls as {name} grows,",
        PEAKS: f"is highest near {here}, as it is; it falls away",
        DIPS: f"is lowest near {here}, as it is; it rises away from there",
    }.get(shape, "changes")


def wording(row: Row) -> Cell:
    """A cell with what is known about a change."""
    return Cell(WORDINGS[row["wording"]], strong=row["wording"] == stats.MATTERS)


def point_cells(sweep: Sweep, point: int) -> list[Cell]:
    """A point's value on each axis, a cell each."""
    return [
        Cell(value_word(value), raw=(int(value),) if isinstance(value, int) else (), strong=point == sweep.base)
        for value in sweep.points[point].values
    ]


def level_cell(row: Row | None) -> Cell:
    """A level with its interval."""
    return numbers.NONE if row is None else numbers.amount(level_of(row))


def change_cell(row: Row | None) -> Cell:
    """A change with its paired interval; nothing where it is what is compared with."""
    if row is None or row["wording"] == AS_IT_IS:
        return numbers.NONE
    if row["wording"] == comparison.IDENTICAL:
        return Cell("0", raw=(0.0, 0.0, 0.0), n=change_of(row).n or None)
    return numbers.effect(change_of(row))
