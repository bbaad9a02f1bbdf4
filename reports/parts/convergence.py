"""Convergence: how the headline estimate settled as deals came in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis import figures
from analysis.balance import Balance
from analysis.convergence import FIRST_LOOK
from analysis.stats import Estimate
from reports.numbers import count, effect, estimate, words
from reports.page import Column, Figure, Section, Table
from reports.parts import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "convergence"
LOOKS = 10
"""So many of the looks stand in the table."""


def section(balance: Balance) -> Section:
    """The section on convergence, of the headline line-up."""
    frame = balance.main.convergence
    if len(frame) < 2:
        said = f"{balance.main.deals:,} deals are too few to follow an estimate: the first look is after {FIRST_LOOK}."
        return Section(NAME, "Convergence", (said,), how=_how())
    return Section(NAME, "Convergence", (_sentence(balance),), (_figure(balance),), (_table(balance),), _how())


def _sentence(balance: Balance) -> str:
    last = balance.main.convergence.row(-1, named=True)
    value, interval = words(_look(last), effect=True)
    band = words(_look(last, "anytime_"), effect=True)[1]
    settled = "excludes zero" if last["anytime_low"] > 0 or last["anytime_high"] < 0 else "still includes zero"
    return (
        f"After {last['blocks']:,} deals the worth of going first stands at {value} percentage points of wins "
        f"(interval {interval}; {balance.main.title}); the band that holds for all looks together, {band}, {settled}."
    )


def _look(row: dict[str, float], prefix: str = "") -> Estimate:
    shown = {"value": row["value"], "low": row[f"{prefix}low"], "high": row[f"{prefix}high"], "n": row["blocks"]}
    return estimate(shown, "share")


def _figure(balance: Balance) -> Figure:
    shown = balance.main.convergence.with_columns(pl.col(pl.Float64) * 100)
    margin = balance.facts.margin_share * 100
    colour = common.tint(balance, balance.main)
    last = balance.main.convergence.row(-1, named=True)
    value = words(_look(last), effect=True)[0]

    def paint(ax: Axes) -> Axes:
        return figures.running(
            shown, ax, xlabel="games so far",
            ylabel=f"worth of going first, percentage points; grey: your margin of ±{margin:g}",
            margin=margin, tint=colour,
        )  # fmt: skip

    alt = (
        f"Running estimate of the worth of going first against the number of games, ending at {value} percentage "
        f"points after {last['games']:,} games, with its interval and the wider band for all looks."
    )
    drawing = Drawing("running", common.WIDTH, 220, [Panel(34, 20, common.WIDTH - 56, 164, paint)], alt)
    note = "Line: the estimate so far. Dark band: its interval at one look. Light band: for all looks together."
    settled = last["anytime_low"] > 0 or last["anytime_high"] < 0
    sure = "surely on one side of zero" if settled else "not surely on one side of zero"
    return Figure("running", f"The worth of going first ends at {value}, {sure} ({balance.main.title})", drawing, note)


def _table(balance: Balance) -> Table:
    frame = balance.main.convergence
    step = max(1, (len(frame) - 1) // (LOOKS - 1))
    chosen = frame[::-1][::step][::-1]
    columns = (
        Column("Deals"),
        Column("Games"),
        Column("Estimate", "percentage points, interval at this look"),
        Column("For all looks", "percentage points"),
    )
    rows = tuple(
        (count(row["blocks"]), count(row["games"]), effect(_look(row)), effect(_look(row, "anytime_")))
        for row in chosen.iter_rows(named=True)
    )
    return Table("running-table", f"The estimate as deals came in ({balance.main.title})", columns, rows)


def _how() -> str:
    return (
        "The mean over the deals so far, in the order in which they are numbered. An interval at one look is honest "
        "for that look only; who watches a run and stops when it looks good needs the wider band, which is wrong at "
        "any look in at most 5 % of runs (a normal mixture, tuned to the planned number of deals)."
    )
