"""Figures: functions that take a frame and an `Axes`, draw on it, and return it.

They draw marks and numbers only; the title, which states the finding, belongs to the page. Every interval is drawn,
zero and the designer's margin are lines, names stand beside what they name. The colours are constants, so that a page
can exchange them for its own (`reports.svg` does, for the dark); a notebook can use them as they are.

Frames are plain: a row a mark, in the order from top to bottom, with `value`, `low`, `high` (null where there is none)
already in the unit of the axis.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#1b1f24"
MUTED = "#666e79"
RULE = "#b4bac4"
BAND = "#e3e7ee"
PAPER = "#fefefe"
GOOD = "#0072b3"
BAD = "#d55e01"
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#b3a300")
"""Okabe and Ito's colours, told apart by the colour-blind too; black is left for the ink, its place taken by a grey,
and yellow is darkened for white paper.
"""

SIZE, SMALL = 9.0, 7.6
"""Sizes of text in points; a page shows figures a little enlarged."""
ROW = 33.0
"""Height of a row of `intervals` in points: a line of text, and the interval under it."""
THIN_ROW = 15.0
"""Height of a row of `forest`, which has its label at the left."""
FAR = 15
"""From so many rows on, `forest` has its numbers at the top too."""
RIDGE = 50.0
"""Height of a row of `ridges`."""


def colour(index: int) -> str:
    """The colour of the bot with this index in the run; after eight bots colours come again."""
    return PALETTE[index % len(PALETTE)]


# --- parts of figures ------------------------------------------------------------------------------------------------


def _bare(ax: Axes, xlabel: str = "") -> None:
    """No frame, no marks but the numbers along the bottom."""
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.tick_params(axis="both", length=0, labelsize=SMALL, labelcolor=MUTED, pad=2)
    ax.set_yticks([])
    ax.set_xlabel(xlabel, fontsize=SMALL, color=MUTED, labelpad=4)
    ax.patch.set_visible(False)


def _numbers(row: dict[str, Any]) -> tuple[float, float, float]:
    """value, low, high of a row; NaN for null."""
    value, low, high = (math.nan if row[name] is None else float(row[name]) for name in ("value", "low", "high"))
    return value, low, high


def _interval(ax: Axes, y: float, row: dict[str, Any], tint: str, hollow: bool = False, size: float = 5.5) -> None:
    value, low, high = _numbers(row)
    if math.isfinite(low) and math.isfinite(high):
        ax.hlines(y, low, high, color=tint, linewidth=2.2)
    if math.isfinite(value):
        ax.plot([value], [y], "o", ms=size, mfc=PAPER if hollow else tint, mec=tint, mew=1.2)


def _limits(frame: pl.DataFrame, extra: Sequence[float], pad: float = 0.06) -> tuple[float, float]:
    """Where the axis begins and ends: all values and intervals and the extra points, with a little room."""
    seen = [x for name in ("value", "low", "high") for x in frame[name].cast(pl.Float64).to_list() if x is not None]
    points = [x for x in [*seen, *extra] if math.isfinite(x)] or [0.0, 1.0]
    low, high = min(points), max(points)
    room = (high - low) * pad or 1.0
    return low - room, high + room


def _without_widest(frame: pl.DataFrame) -> pl.DataFrame:
    """Without rows whose interval is more than five times as wide as the middle one: of them little is known, so they
    may run out of the picture rather than squeeze the others.
    """
    width = pl.col("high").cast(pl.Float64) - pl.col("low").cast(pl.Float64)
    return frame.filter((width <= 5 * width.median()).fill_null(True))


def _guides(ax: Axes, y0: float, y1: float, zero: float | None, margin: float | None) -> None:
    """The designer's margin as a band between two lines, and zero as a line, from y0 to y1."""
    middle = zero or 0.0
    if margin is not None:
        ax.fill_between([middle - margin, middle + margin], y0, y1, color=BAND, linewidth=0, zorder=0)
        ax.vlines([middle - margin, middle + margin], y0, y1, color=RULE, linewidth=0.9, zorder=0.5)
    if zero is not None:
        ax.vlines(zero, y0, y1, color=INK, linewidth=0.9, zorder=0.6)


def shorten(text: str, most: int) -> str:
    """A text of at most so many characters, cut at a colon (what a card is called stands before it) or with an
    ellipsis.
    """
    if len(text) <= most:
        return text
    name, colon, _ = text.partition(": ")
    return name if colon and len(name) <= most else text[: most - 1].rstrip() + "…"


# --- figures ---------------------------------------------------------------------------------------------------------


def intervals(
    frame: pl.DataFrame,
    ax: Axes,
    *,
    xlabel: str,
    zero: float | None = 0.0,
    margin: float | None = None,
    names: bool = True,
) -> Axes:
    """One dot and interval a row, its name above it at the left and the number at the right.

    Frame: name, text (the number as it is printed), colour, value, low, high. `zero` is the line of no effect and
    `margin` the designer's margin around it, both in the unit of the axis. `names=False` leaves the names out, for a
    second panel beside a first one.
    """
    count = len(frame)
    _bare(ax, xlabel)
    extra = [
        x
        for x in (zero, *(((zero or 0) - margin, (zero or 0) + margin) if margin is not None else ()))
        if x is not None
    ]
    ax.set_xlim(*_limits(frame, extra))
    ax.set_ylim(count - 0.28, -0.72)
    across = ax.get_yaxis_transform()  # x in parts of the axes, y in rows
    for y, row in enumerate(frame.iter_rows(named=True)):
        _guides(ax, y - 0.24, y + 0.24, zero, margin)
        _interval(ax, y, row, row["colour"])
        if names:
            ax.text(0, y - 0.3, shorten(row["name"], 44), transform=across, fontsize=SIZE, color=INK, va="bottom")
        ax.text(
            1, y - 0.3, row["text"], transform=across, fontsize=SMALL, color=MUTED, va="bottom", ha="right"
        )  # fmt: skip
    return ax


def forest(
    frame: pl.DataFrame,
    ax: Axes,
    *,
    xlabel: str,
    margin: float | None = None,
    hollow: bool = False,
    labels: bool = True,
    heading: str = "",
) -> Axes:
    """A dot and an interval a row, labels at the left: many rows in little room.

    Frame: label, colour, strong (whether the label is emphasised), gap (whether a gap stands above the row), value,
    low, high. `hollow` draws rings instead of dots, for what is only an association.
    """
    _bare(ax, xlabel)
    y = np.arange(len(frame)) + np.cumsum(frame["gap"].to_numpy().astype(float))
    bottom = float(y[-1]) + 0.7 if len(y) else 0.5
    ax.set_ylim(bottom, -0.7)
    ax.set_xlim(*_limits(_without_widest(frame), [0.0, *((-margin, margin) if margin is not None else ())]))
    _guides(ax, -0.7, bottom, 0.0, margin)
    for place, row in zip(y.tolist(), frame.iter_rows(named=True), strict=True):
        _interval(ax, place, row, row["colour"], hollow, 4.2)
    if labels:
        ax.set_yticks(y, [shorten(label, 26) for label in frame["label"]])
        ax.tick_params(axis="y", labelsize=SMALL, pad=5, labelcolor=INK)
        for text, strong in zip(ax.get_yticklabels(), frame["strong"], strict=True):
            text.set_fontweight("bold" if strong else "normal")
    if twice := len(frame) > FAR:
        ax.tick_params(axis="x", labeltop=True)
    if heading:
        ax.annotate(
            heading, (0, 1), (0, 14 if twice else 3), xycoords="axes fraction", textcoords="offset points",
            fontsize=SMALL, color=INK, fontweight="bold",
        )  # fmt: skip
    return ax


SIDE = 6.0
"""Height in points that each mark of a row of `side_by_side` takes."""


def side_by_side(
    frame: pl.DataFrame,
    ax: Axes,
    *,
    xlabel: str,
    hollow: bool = False,
    labels: bool = True,
    heading: str = "",
) -> Axes:
    """A few dots and intervals a row, one under the other, labels at the left: what several bots do, part by part.

    Frame: label, colour, value, low, high; a row of the frame a mark, those of a label in the same order for every one.
    For each label the axis has `row_height` points. `hollow` draws rings.
    """
    _bare(ax, xlabel)
    names = list(dict.fromkeys(frame["label"]))
    rows = [frame.filter(label=name) for name in names]
    most = max(len(of) for of in rows)
    step = SIDE / row_height(most)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlim(*_limits(_without_widest(frame), [0.0]))
    for y in range(1, len(names)):
        ax.axhline(y - 0.5, color=BAND, linewidth=0.9, zorder=0)
    _guides(ax, -0.6, len(names) - 0.4, 0.0, None)
    for y, of in enumerate(rows):
        for i, row in enumerate(of.iter_rows(named=True)):
            _interval(ax, y + (i - (len(of) - 1) / 2) * step, row, row["colour"], hollow, 4.2)
    if labels:
        ax.set_yticks(range(len(names)), [shorten(name, 26) for name in names])
        ax.tick_params(axis="y", labelsize=SMALL, pad=5, labelcolor=INK)
    if twice := len(names) > FAR:
        ax.tick_params(axis="x", labeltop=True)
    if heading:
        ax.annotate(
            heading, (0, 1), (0, 14 if twice else 3), xycoords="axes fraction", textcoords="offset points",
            fontsize=SMALL, color=INK, fontweight="bold",
        )  # fmt: skip
    return ax


def row_height(marks: int) -> float:
    """Height in points of a row of `side_by_side` with so many marks."""
    return max(THIN_ROW, SIDE * marks + 5)


def names_of(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Which colour is whose: a dot and a name each, in lines that `name_lines` has broken.

    Frame: name, colour, line, left (in parts of the width).
    """
    _bare(ax)
    ax.set_xticks([])
    ax.set_xlim(0, 1)
    ax.set_ylim(max(frame["line"]) + 0.5, -0.5)
    for row in frame.iter_rows(named=True):
        ax.plot([row["left"]], [row["line"]], "o", ms=5.0, mfc=row["colour"], mec=row["colour"], clip_on=False)
        ax.text(row["left"] + 0.016, row["line"], row["name"], fontsize=SMALL, color=INK, va="center")
    return ax


def name_lines(names: Sequence[str], colours: Sequence[str], width: float) -> pl.DataFrame:
    """The frame of `names_of` for an axis of so many points, as many names in a line as there is room for."""
    rows, line, left = [], 0, 4.0
    for name, tint in zip(names, colours, strict=True):
        room = 22 + 4.3 * len(name)
        if left > 4.0 and left + room > width:
            line, left = line + 1, 4.0
        rows.append({"name": name, "colour": tint, "line": line, "left": left / width})
        left += room
    return pl.DataFrame(rows)


def label_room(label: str, strong: bool = False) -> float:
    """The room in points that a label of `forest` takes at the left; bold letters are wider, which long labels feel."""
    length = len(shorten(label, 26))
    return 14 + (4.9 if strong and length > 16 else 4.3) * length


def ridges(shapes: pl.DataFrame, frame: pl.DataFrame, ax: Axes, *, xlabel: str, zero: bool = False) -> Axes:
    """One distribution a row, its name above it at the left, with its mean and interval as a dot on the base line.

    `shapes`: name, x (whole numbers), fraction. `frame`: name, text, colour, value, low, high: one row a name, in
    order. The hills are equally high; the tails beyond 0.1 % on either side of all are not shown.
    """
    _bare(ax, xlabel)
    low, high = _spread(shapes)
    width = max(1, math.ceil((high - low) / 120))
    ax.set_xlim(low - 2 * width, high + 2 * width)
    ax.set_ylim(len(frame) - 0.82, -0.95)
    across = ax.get_yaxis_transform()
    for y, row in enumerate(frame.iter_rows(named=True)):
        x, heights = _binned(shapes.filter(name=row["name"]), low, high, width)
        top = y - 0.58 * heights / max(1e-300, float(heights.max(initial=0)))
        ax.fill_between(x, y, top, step="mid", color=row["colour"], alpha=0.28, linewidth=0)
        ax.step(x, top, where="mid", color=row["colour"], linewidth=1)
        ax.hlines(y, x[0], x[-1], color=RULE, linewidth=0.9)
        if zero and low < 0 < high:
            ax.vlines(0, y - 0.58, y, color=INK, linewidth=0.9)
        _interval(ax, y, row, row["colour"])
        ax.text(0, y - 0.64, shorten(row["name"], 44), transform=across, fontsize=SIZE, color=INK, va="bottom")
        ax.text(1, y - 0.64, row["text"], transform=across, fontsize=SMALL, color=MUTED, va="bottom", ha="right")
    return ax


def _spread(shapes: pl.DataFrame) -> tuple[int, int]:
    """The range that holds all but 0.1 % at either end of each distribution."""
    ends = []
    for _, shape in shapes.sort("x").group_by("name"):
        below, x = shape["fraction"].cum_sum(), shape["x"]
        ends += [int(x.filter(below > 0.001)[0]), int(x.filter(below >= min(0.999, below[-1]))[0])]
    return (min(ends), max(ends)) if ends else (0, 1)


def _binned(shape: pl.DataFrame, low: int, high: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Middles of the bins from low to high and the fraction in each."""
    x, fraction = shape["x"].to_numpy(), shape["fraction"].to_numpy()
    first, last = math.floor(low / width) - 1, math.floor(high / width) + 1
    bins = np.floor_divide(x, width)
    inside = (bins >= first) & (bins <= last)
    heights = np.bincount(bins[inside] - first, weights=fraction[inside], minlength=last - first + 1)
    return np.arange(first, last + 1) * width + (width - 1) / 2, heights


CELL_WIDTH, CELL_HEIGHT = 70.0, 46.0
"""Size of a cell of `heat_map` in points."""


def heat_map(frame: pl.DataFrame, ax: Axes, *, names: Sequence[str], fair: float) -> Axes:
    """Win shares of the bots at the left against those at the top, with interval and n in every cell.

    Frame: bot, opponent, value, low, high (parts of 1), text, interval, n (as they are printed). A cell is the bluer
    the more is won and the more orange the less; against itself (fair by construction) it has no colour.
    """
    _bare(ax)
    count = len(names)
    ax.set_xlim(-0.5, count - 0.5)
    ax.set_ylim(count - 0.5, -0.5)
    ax.set_xticks([])
    for row in frame.iter_rows(named=True):
        x, y = names.index(row["opponent"]), names.index(row["bot"])
        away = (row["value"] - fair) / ((1 - fair) if row["value"] > fair else fair)
        tint = GOOD if away > 0 else BAD
        mirror = x == y
        ax.fill_between(
            [x - 0.48, x + 0.48], y - 0.47, y + 0.47, linewidth=0,
            color=BAND if mirror else tint, alpha=0.5 if mirror else 0.06 + 0.44 * abs(away),
        )  # fmt: skip
        ax.text(
            x,
            y - 0.2,
            row["text"],
            ha="center",
            va="center",
            fontsize=SIZE,
            color=INK,
            fontweight="normal" if mirror else "bold",
        )
        ax.text(x, y + 0.08, row["interval"], ha="center", va="center", fontsize=6.4, color=INK)
        ax.text(x, y + 0.29, row["n"], ha="center", va="center", fontsize=6.4, color=INK)
    for i, name in enumerate(names):
        ax.text(-0.56, i, "\n".join(wrapped(name, 14)), ha="right", va="center", fontsize=SMALL, color=INK)
        ax.text(i, -0.56, "\n".join(wrapped(name, 12)), ha="center", va="bottom", fontsize=SMALL, color=INK)
    return ax


def wrapped(name: str, width: int) -> list[str]:
    """A name in at most three lines of about `width` characters, broken after _, - or a space."""
    lines = [""]
    for part in re.findall(r"[^-_ ]*[-_ ]?", name):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return [shorten(line.strip(), width + 4) for line in lines[:3]]


def running(frame: pl.DataFrame, ax: Axes, *, xlabel: str, ylabel: str, margin: float | None, tint: str = INK) -> Axes:
    """The running estimate with its interval at each look and the wider band that may be watched; games on a log scale.

    Frame: games, value, low, high, anytime_low, anytime_high, in the unit of the axis. Zero and the margin are lines.
    """
    _bare(ax, xlabel)
    games = frame["games"].to_numpy()
    ax.set_xscale("log")
    first, last = float(games[0]), float(games[-1])
    right = max(last, first * 1.01)
    ax.set_xlim(first, right)
    ends = [abs(x) for x in (*frame["low"], *frame["high"], margin or 0.0) if x is not None and math.isfinite(x)]
    most = 1.35 * max(ends, default=1.0) or 1.0
    ax.set_ylim(-most, most)
    if margin is not None:
        ax.fill_between([first, right], -margin, margin, color=BAND, linewidth=0, zorder=0)
        ax.hlines([-margin, margin], first, right, color=RULE, linewidth=0.9, zorder=0.5)
    ax.hlines(0, first, right, color=INK, linewidth=0.9, zorder=0.6)
    ax.fill_between(games, frame["anytime_low"], frame["anytime_high"], color=tint, alpha=0.14, linewidth=0)
    ax.fill_between(games, frame["low"], frame["high"], color=tint, alpha=0.3, linewidth=0)
    ax.plot(games, frame["value"], color=tint, linewidth=1.6)
    ax.set_yticks(_round_ticks(most), [_mark(x, signed=True) for x in _round_ticks(most)])
    ax.minorticks_off()
    ticks = _decades(first, right)
    ax.set_xticks(ticks, [f"{x:,}" for x in ticks])
    ax.set_title(ylabel, fontsize=SMALL, color=MUTED, loc="left", pad=5)
    return ax


def _round_ticks(most: float) -> list[float]:
    step = 10 ** math.floor(math.log10(most))
    step = next(s for s in (step / 5, step / 2, step, 2 * step, 5 * step) if most / s <= 4)
    reach = math.floor(most / step)
    return [round(i * step, 10) for i in range(-reach, reach + 1)]


def _decades(low: float, high: float) -> list[int]:
    """1, 3 or 1 of every power of ten within the limits; the ends if there is none."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    fine = [m * 10**p for p in powers for m in (1, 3) if low <= m * 10**p <= high]
    coarse = [x for x in fine if str(x)[0] == "1"]
    chosen = coarse if len(coarse) > 2 else fine
    return chosen or [round(low)]


def curve(
    frame: pl.DataFrame, ax: Axes, *, xlabel: str, ylabel: str, fair: float | None = None, tint: str = INK
) -> Axes:
    """A share in each of a few classes, upright, with its interval and number; `fair` is a line.

    Frame: label (of the class), text, value, low, high, in the unit of the axis (per cent).
    """
    _bare(ax, xlabel)
    ax.set_xlim(-0.6, max(0.5, len(frame) - 0.4))
    top = max([x for x in (*frame["high"], fair) if x is not None], default=1.0)
    ax.set_ylim(-0.14 * top, 1.16 * top)
    ax.hlines(0, -0.6, len(frame) - 0.4, color=RULE, linewidth=0.9)
    if fair is not None:
        ax.hlines(fair, -0.6, len(frame) - 0.4, color=INK, linewidth=0.9, zorder=0.6)
    for x, row in enumerate(frame.iter_rows(named=True)):
        value, low, high = _numbers(row)
        if not math.isfinite(value):
            continue
        if math.isfinite(low):
            ax.vlines(x, low, high, color=tint, linewidth=2.2)
        ax.plot([x], [value], "o", ms=5.5, mfc=tint, mec=tint, clip_on=False)
        below = fair is not None and value < fair  # the number stands on the side away from the line
        end = value if not math.isfinite(low) else low if below else high
        ax.annotate(
            row["text"], (x, end), (0, -5 if below else 5), textcoords="offset points",
            ha="center", va="top" if below else "bottom", fontsize=SMALL, color=INK,
        )  # fmt: skip
    ax.set_xticks(range(len(frame)), list(frame["label"]))
    ax.set_title(ylabel, fontsize=SMALL, color=MUTED, loc="left", pad=5)
    return ax


SHADES = (0.62, 0.34, 0.16, 0.48, 0.24, 0.09)
"""How dark the parts of `stacked` are, neighbours well apart."""
BAR = 31.0
"""Height of a row of `stacked` in points."""
KEY = 14.0
"""Room for its key at the top, a line of it, in points."""


def stacked(frame: pl.DataFrame, ax: Axes, *, parts: Sequence[str]) -> Axes:
    """A bar a row that is cut into shares, its name above it at the left, each share's number in its part.

    Frame: name (of the row), part, value (per cent), a row a name and part. The parts' names stand above the bars with
    the shade of each, as they would not fit into narrow parts.
    """
    names = list(dict.fromkeys(frame["name"]))
    _bare(ax)
    ax.set_xticks([])
    ax.set_xlim(0, 100)
    ax.set_ylim(len(names) - 0.5, -0.62)
    for y, name in enumerate(names):
        shares = dict(frame.filter(name=name).select("part", "value").iter_rows())
        left = 0.0
        for shade, part in zip(SHADES, parts, strict=False):
            width = float(shares.get(part) or 0.0)
            ax.barh(y, width, left=left, height=0.46, color=INK, alpha=shade, linewidth=0)
            if width >= 6:
                dark = shade > 0.4
                ax.text(
                    left + width / 2, y, f"{width:.0f} %", ha="center", va="center", fontsize=SMALL,
                    color=PAPER if dark else INK,
                )  # fmt: skip
            left += width
        ax.text(0, y - 0.28, shorten(name, 60), fontsize=SIZE, color=INK, va="bottom")
    return ax


def key(ax: Axes, parts: Sequence[str]) -> Axes:
    """The key of `stacked`: a square in the shade of each part, its name beside it, a line each."""
    _bare(ax)
    ax.set_xticks([])
    ax.set_xlim(0, 100)
    ax.set_ylim(len(parts) - 0.5, -0.5)
    for y, (shade, part) in enumerate(zip(SHADES, parts, strict=False)):
        ax.barh(y, 2.4, left=0, height=0.6, color=INK, alpha=shade, linewidth=0)
        ax.text(3.6, y, shorten(part, 60), fontsize=SMALL, color=INK, va="center")
    return ax


# --- responses to a varied value -------------------------------------------------------------------------------------

LABEL_GAP = 0.085
"""Least distance of two labels at the end of curves, in parts of the height."""
LABELS = 84.0
"""Room for them at the right of a panel, in points."""


def response(
    frame: pl.DataFrame,
    ax: Axes,
    *,
    ticks: Sequence[tuple[float, str]],
    joined: bool,
    ylabel: str,
    xlabel: str = "",
    base: float | None = None,
    line: float | None = None,
    margin: float | None = None,
    signed: bool = False,
    labels: bool = True,
) -> Axes:
    """How some numbers respond to a value: a curve with a dot and a band at each value, its name at its right end.

    Frame: name, colour, x (place on the axis), value, low, high, rows of a name in order of x; with near_low and
    near_high a second, narrower band is drawn. `ticks` are the values (place, word) along the bottom; `joined` draws
    curves and bands, else an interval stands at every value, as there is nothing between two words. `base` is the place
    of the value as it is now, `line` a level that matters (zero, an even share), `margin` the designer's around it.
    `signed` writes plus signs at the side.
    """
    _bare(ax, xlabel)
    names = list(dict.fromkeys(frame["name"]))
    places = [x for x, _ in ticks]
    left, right = min(places), max(places)
    room = 0.04 * ((right - left) or 1.0) if joined else 0.5
    ax.set_xlim(left - room, right + room)
    guides = [] if line is None else [line] if margin is None else [line - margin, line + margin]
    low, high = _limits(frame, guides, 0.08)
    ax.set_ylim(low, high)
    if line is not None:
        if margin is not None:
            ax.axhspan(line - margin, line + margin, color=BAND, linewidth=0, zorder=0)
            ax.hlines(guides, left - room, right + room, color=RULE, linewidth=0.9, zorder=0.5)
        ax.hlines(line, left - room, right + room, color=INK, linewidth=0.9, zorder=0.6)
    if base is not None:
        ax.vlines(base, low, high, color=RULE, linewidth=0.9, zorder=0.5)
        ax.plot([base], [0.05], "^", ms=4.5, mfc=MUTED, mec=MUTED, zorder=3, transform=ax.get_xaxis_transform())
    for i, name in enumerate(names):
        _curve(ax, frame.filter(name=name), joined, 0.0 if joined else 0.09 * (i - (len(names) - 1) / 2))
    ax.set_xticks(places, [word for _, word in ticks])
    marks = _round_marks(low, high)
    ax.set_yticks(marks, [_mark(x, signed) for x in marks])
    ax.set_title(ylabel, fontsize=SMALL, color=MUTED, loc="left", pad=5)
    if labels:
        _labels(ax, frame, names, low, high)
    return ax


def _curve(ax: Axes, rows: pl.DataFrame, joined: bool, shift: float) -> None:
    tint = rows["colour"][0]
    x = rows["x"].to_numpy() + shift
    wanted = [name for name in ("value", "low", "high", "near_low", "near_high") if name in rows.columns]
    value, *bands = (rows[name].cast(pl.Float64).fill_null(math.nan).to_numpy() for name in wanted)
    if joined and len(x) > 1:
        for i in range(0, len(bands), 2):
            ax.fill_between(x, bands[i], bands[i + 1], color=tint, alpha=0.22, linewidth=0)
        ax.plot(x, value, color=tint, linewidth=1.6)
    ax.vlines(x, bands[-2], bands[-1], color=tint, linewidth=1.0 if joined else 2.2)
    ax.plot(x, value, "o", ms=3.4 if joined else 5.0, mfc=tint, mec=tint, linestyle="none")


def _labels(ax: Axes, frame: pl.DataFrame, names: Sequence[str], low: float, high: float) -> None:
    """The name of each curve at its right end, apart from each other, each with a thin line to its end."""
    ends = {name: frame.filter(name=name)["value"].drop_nulls() for name in names}
    known = sorted(((float(ends[name][-1]), name) for name in names if len(ends[name])), key=lambda pair: pair[0])
    wanted = [(value - low) / (high - low) for value, _ in known]
    across = ax.get_yaxis_transform()
    for i, (at, placed, (_, name)) in enumerate(zip(wanted, spread_out(wanted, LABEL_GAP), known, strict=True)):
        y = low + max(placed, i * LABEL_GAP) * (high - low)  # none below the axis, where its numbers stand
        tint = frame.filter(name=name)["colour"][0]
        ax.plot([1.005, 1.03], [low + at * (high - low), y], color=tint, linewidth=0.8, transform=across, clip_on=False)
        ax.text(1.04, y, shorten(name, 20), transform=across, fontsize=SMALL, color=INK, va="center")


def spread_out(places: Sequence[float], gap: float) -> list[float]:
    """Sorted places moved as little as needed so that neighbours are at least `gap` apart, around their middles."""
    groups: list[list[float]] = []
    for place in places:
        groups.append([place])
        while len(groups) > 1 and _start(groups[-1], gap) < _start(groups[-2], gap) + gap * len(groups[-2]):
            groups[-2:] = [groups[-2] + groups[-1]]
    return [_start(group, gap) + gap * i for group in groups for i in range(len(group))]


def _start(group: Sequence[float], gap: float) -> float:
    """Where a row of equally spaced places around the middle of a group begins."""
    return math.fsum(group) / len(group) - gap * (len(group) - 1) / 2


def _mark(x: float, signed: bool = False) -> str:
    """A number at an axis, with a minus sign and, where it is `signed`, a plus sign; 0 has none."""
    return (f"{x:+g}" if signed and x else f"{x:g}").replace("-", "−")


def _round_marks(low: float, high: float) -> list[float]:
    """Three to six round numbers from low to high."""
    step = 10 ** math.floor(math.log10((high - low) or 1.0))
    step = next(s for s in (5 * step, 2 * step, step, step / 2, step / 5) if (high - low) / s >= 3)
    return [round(i * step, 10) for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def over_versions(
    frame: pl.DataFrame,
    ax: Axes,
    *,
    ticks: Sequence[str],
    low: float,
    high: float,
    ylabel: str,
) -> Axes:
    """Figures of a target at each version of a card set: dots with intervals, the limits as lines, what is allowed as a
    band, and the name of each figure at its right end.

    Frame: name, colour, x (the version, from 0), value, low, high, rows of a name in order of x. `ticks` are the names
    of the versions; `low` and `high` the limits, an infinity where that side is open.
    """
    _bare(ax)
    limits = [limit for limit in (low, high) if math.isfinite(limit)]
    bottom, top = _limits(frame, limits, 0.12)
    left, right = -0.5, len(ticks) - 0.5
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    ax.axhspan(max(low, bottom), min(high, top), color=BAND, linewidth=0, zorder=0)
    ax.hlines(limits, left, right, color=INK, linewidth=0.9, zorder=0.6)
    names = list(dict.fromkeys(frame["name"]))
    for i, name in enumerate(names):
        _curve(ax, frame.filter(name=name), False, 0.12 * (i - (len(names) - 1) / 2))
    ax.set_xticks(range(len(ticks)), list(ticks))
    marks = _round_marks(bottom, top)
    ax.set_yticks(marks, [_mark(x) for x in marks])
    ax.set_title(ylabel, fontsize=SMALL, color=MUTED, loc="left", pad=5)
    if len(names) > 1:
        _labels(ax, frame, names, bottom, top)
    return ax


GRID_HEIGHT = 34.0
"""Height of a cell of `grid` in points."""


def grid(
    frame: pl.DataFrame,
    ax: Axes,
    *,
    xs: Sequence[str],
    ys: Sequence[str],
    xlabel: str,
    ylabel: str,
    middle: float,
    least: float = 0.0,
) -> Axes:
    """A number for each pair of two values, with what is known about it: a map of tinted cells.

    Frame: x, y (places in `xs` and `ys`), value, text, below (a second line: the interval or difference), mark (a sign
    before the number, or ""), base (whether it is the pair as it is now, which is framed). Cells are the bluer the more
    they lie above `middle` and the more orange the more below; a distance of `least` or the widest is a full tint.
    """
    _bare(ax, xlabel)
    ax.set_xlim(-0.5, len(xs) - 0.5)
    ax.set_ylim(-0.5, len(ys) - 0.5)
    away = (frame["value"].cast(pl.Float64) - middle).fill_null(0.0)
    widest = max([abs(x) for x in away if math.isfinite(x)], default=0.0)
    widest = max(widest, least) or 1.0
    for row, far in zip(frame.iter_rows(named=True), away, strict=True):
        x, y = row["x"], row["y"]
        tint = GOOD if far > 0 else BAD
        ax.fill_between(
            [x - 0.48, x + 0.48], y - 0.46, y + 0.46, color=tint, alpha=0.05 + 0.45 * abs(far) / widest, linewidth=0
        )
        if row["base"]:
            ax.plot(
                [x - 0.48, x + 0.48, x + 0.48, x - 0.48, x - 0.48], [y - 0.46, y - 0.46, y + 0.46, y + 0.46, y - 0.46],
                color=INK, linewidth=1.2,
            )  # fmt: skip
        said = f"{row['mark']} {row['text']}".strip()
        ax.text(x, y + 0.16, said, ha="center", va="center", fontsize=SIZE - 0.6, color=INK)
        ax.text(x, y - 0.24, row["below"], ha="center", va="center", fontsize=6.2, color=INK)
    ax.set_xticks(range(len(xs)), list(xs))
    ax.set_yticks(range(len(ys)), list(ys))
    ax.set_title(ylabel, fontsize=SMALL, color=MUTED, loc="left", pad=5)
    return ax
