"""The parts of the trend report: a figure a target, the verdicts, the changes, and how it was made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis import figures
from analysis.check import MISSED, Figure
from analysis.check_verdicts import allowed
from analysis.trend import MOST_TRACKED, Change, Series, Trend
from analysis.trend_verdicts import INDEPENDENT, PAIRED, amount, course, is_effect, said, unit
from reports import numbers, page
from reports.page import Cell, Column, Section, Table
from reports.parts import common
from reports.parts.common import Row
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 120.0
"""Height of the panel of a target in points."""
LEFT, RIGHT = 34.0, 14.0
"""Room at the left for the numbers of the axis, and at the right of a lone figure, in points."""


def sections(trend: Trend) -> list[Section]:
    """The sections on targets, changes and method."""
    return [_targets(trend), _changes(trend), _method(trend)]


# --- targets ---------------------------------------------------------------------------------------------------------


def _targets(trend: Trend) -> Section:
    names = [version.name for version in trend.versions]
    columns = (Column("Target", numeric=False, short=True), *(Column(n, numeric=False, short=True) for n in names))
    rows = tuple(
        (Cell(trend.name(s)), *(Cell(r.verdict, strong=r.verdict == MISSED) for r in s.results)) for s in trend.series
    )
    drawn = (_figure(trend, s, f"target-{i}") for i, s in enumerate(trend.series))
    why_not = [f"{trend.name(s)}: {r.why_not}" for s in trend.series for r in s.results[-1:] if not r.figures]
    how = (
        "A target is met where the 95 % intervals lie inside the limits, missed where one lies outside (of many "
        "cards, bots or places the interval that holds for all of them together), else not yet known. It has turned "
        "where what is known is another than what was known before. Of a target about many, the figures that decide "
        f"it at some version are drawn, at most {MOST_TRACKED}."
    )
    tables = (Table("verdicts", "Every target at every version", columns, rows), _levels(trend))
    return Section("targets", "Targets", (said(trend), *why_not), tuple(f for f in drawn if f), tables, how)


def _figure(trend: Trend, series: Series, name: str) -> page.Figure | None:
    """The drawing of a target, its title what became of it; None where it has no figures."""
    whose = trend.name(series)
    found = [
        (what, i, figure)
        for what in series.tracked
        for i in range(len(trend.versions))
        if (figure := series.figure(i, what)) is not None
    ]
    if not found:
        return None
    marks = [
        common.mark(what, figure.estimate, figures.colour(series.tracked.index(what)), is_effect(series))
        | {"x": float(i), "version": trend.versions[i].name}
        for what, i, figure in found
    ]
    told = common.in_words({**mark, "name": f"{mark['name']} at {mark['version']}"} for mark in marks)
    alt = f"{whose}, allowed: {_allowed(series)}. {told}"
    drawn = _drawn(trend, series, name, [{**mark, "name": _short(mark["name"])} for mark in marks], found[0][2], alt)
    return page.Figure(name, f"{whose} {course(trend, series)}", drawn, f"Allowed, grey: {_allowed(series)}.")


def _drawn(trend: Trend, series: Series, name: str, marks: Sequence[Row], limits: Figure, alt: str) -> Drawing:
    """The drawing of the marks; `limits` is a figure that has the limits."""
    k = numbers.scale(limits.estimate)
    of = "%" if k > 1 and not is_effect(series) else unit(series)
    several = len(series.tracked) > 1
    longest = max(len(figures.shorten(mark["name"], 20)) for mark in marks)
    right = 24 + 4.3 * longest if several else RIGHT
    frame = common.rows_frame(marks)

    def paint(ax: Axes) -> Axes:
        return figures.over_versions(
            frame,
            ax,
            ticks=_ticks(trend),
            low=limits.low * k,
            high=limits.high * k,
            ylabel=of if several else figures.shorten(f"{marks[0]['name']}, {of}", 70),
        )

    panel = Panel(LEFT, 20, common.WIDTH - LEFT - right, HEIGHT, paint)
    return Drawing(name, common.WIDTH, HEIGHT + 42, [panel], alt)


def _ticks(trend: Trend) -> list[str]:
    """The names of the versions, as far as there is room; their numbers, where names would look alike."""
    each = max(6, 72 // len(trend.versions))
    names = [figures.shorten(version.name, each) for version in trend.versions]
    return names if len(set(names)) == len(names) else [str(i) for i in range(1, len(names) + 1)]


def _short(what: str) -> str:
    """What a figure is of, as it stands beside a mark: under the target's title, "place 1" is clear."""
    return what.removesuffix(" in turn order")


def _allowed(series: Series) -> str:
    return allowed(next(result for result in series.results if result.figures))


def _levels(trend: Trend) -> Table:
    names = [version.name for version in trend.versions]
    columns = (
        Column("Figure", numeric=False, short=True), Column("Target", numeric=False, short=True),
        Column("Allowed", numeric=False, short=True), *(Column(name, short=True) for name in names),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(what),
            Cell(trend.name(series)),
            Cell(_allowed(series)),
            *(_level(series, series.figure(i, what)) for i in range(len(names))),
        )
        for series in trend.series
        for what in series.tracked
    )
    return Table("figures", "The figures that decide, with 95 % intervals; bold: surely outside", columns, rows)


def _level(series: Series, figure: Figure | None) -> Cell:
    if figure is None:
        return numbers.NONE
    e = figure.estimate
    value, interval = numbers.words(e, is_effect(series))
    return Cell(value, interval, raw=(e.value, e.low, e.high), n=e.n, strong=figure.verdict == MISSED)


# --- changes ---------------------------------------------------------------------------------------------------------


def _changes(trend: Trend) -> Section:
    columns = (
        Column("Figure", numeric=False, short=True), Column("Target", numeric=False, short=True),
        Column("From", numeric=False, short=True), Column("To", numeric=False, short=True),
        Column("Change", short=True), Column("Unit", numeric=False, short=True),
        Column("Sure", numeric=False, short=True), Column("Interval", numeric=False),
    )  # fmt: skip
    shown = [
        (series, i, change)
        for series in trend.series
        for i, changes in enumerate(series.changes, start=1)
        for change in changes
        if change.sure or change.what in series.tracked
    ]
    rows = tuple(_row(trend, series, i, change) for series, i, change in shown)
    every = [change for series in trend.series for changes in series.changes for change in changes]
    sure = sum(change.sure for change in every)
    lead = f"{sure} of {len(every)} changes of figures from one version to the next are sure."
    how = (
        "A change is that of a figure from a version to the next, with its 95 % interval; it is sure where the "
        "interval that holds for all figures of the target together excludes 0. On the same deals: both runs have the "
        "same seed, deals and bots, and the interval is that of the differences of the deals. Of independent runs: "
        "from the two figures' own intervals (Zou and Donner 2008); where the deals are the same after all, as of "
        "cards and medians, it is as a rule wider than it had to be. Of twenty targets that did not move, one is said "
        "to have changed by chance. `fairdeal compare` tells more of two versions."
    )
    table = Table("changes-table", "Figures that decide, and all that surely changed", columns, rows)
    return Section("changes", "What changed", (lead,), (), (table,), how)


def _row(trend: Trend, series: Series, version: int, change: Change) -> tuple[Cell, ...]:
    value, interval = amount(change) if math.isfinite(change.difference.value) else ("–", "")
    d = change.difference
    return (
        Cell(change.what),
        Cell(trend.name(series)),
        Cell(trend.versions[version - 1].name),
        Cell(trend.versions[version].name),
        Cell(value, interval, raw=(d.value, d.low, d.high), n=d.n),
        Cell(unit(series)),
        Cell("yes" if change.sure else "no", strong=change.sure),
        Cell(PAIRED if change.paired else INDEPENDENT),
    )


# --- method ----------------------------------------------------------------------------------------------------------


def _method(trend: Trend) -> Section:
    columns = (
        Column("Version", numeric=False, short=True), Column("Card set", numeric=False, short=True),
        Column("Hash", numeric=False, short=True), Column("Games", short=True), Column("Seed"),
        Column("fairdeal", numeric=False), Column("Folder", numeric=False),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(version.name),
            Cell(version.check.card_set),
            Cell(version.check.card_set_hash[:12]),
            numbers.count(sum(run.games for run in version.runs)),
            Cell(str(version.check.seed), raw=(version.check.seed,)),
            Cell(version.check.version),
            Cell(str(version.runs[0].path.parent if len(version.runs) > 1 else version.runs[0].path)),
        )
        for version in trend.versions
    )
    how = (
        f"Each version is judged as by `fairdeal check`, by the targets of {trend.targets}. The unit of all errors is "
        "the deal. A number is as good as the bots that made it: a bot that does not know the new cards plays them "
        "badly, and `fairdeal teach` makes one that does. The whole result is in report.json beside this page."
    )
    lead = (f"{len(trend.versions)} versions of {trend.title} are compared, in the order of the table.", *trend.notes)
    return Section("method", "Method", lead, (), (Table("versions", "The versions", columns, rows),), how)
