"""What the parts of a balance report share: names with their colours, rows of figures, words for findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import polars as pl

from analysis import figures, stats, verdicts
from analysis.balance import Balance, Facts, LineUpBalance
from analysis.stats import Estimate, Finding
from reports.numbers import scale, words
from reports.page import Cell, minus
from reports.svg import Drawing, Panel

WIDTH = 384.0
"""Width of an ordinary figure in points; with text of 9 points it can be read on a phone."""
EDGE = 10.0
"""Room at the left and right of a drawing, for the numbers at the ends of its axis."""
MOST_ROWS = 12
"""At most so many rows stand in a figure; the tables have all."""

Row = dict[str, Any]


class Told(Protocol):
    """A result with the facts of what was played: a balance, a sweep."""

    @property
    def facts(self) -> Facts:
        """What was played and by whom."""


def bot_index(balance: Told, name: str) -> int:
    """The index of a bot in the run, which is the index of its colour."""
    return [bot.name for bot in balance.facts.bots].index(name)


def tint(balance: Balance, result: LineUpBalance) -> str:
    """The colour of a line-up: its bot's in self-play, else ink."""
    return figures.colour(bot_index(balance, result.bots[0])) if result.mirror else figures.INK


def bot_cell(balance: Told, name: str) -> Cell:
    """A cell that names a bot."""
    return Cell(name, bot=bot_index(balance, name))


def line_up_cell(balance: Balance, result: LineUpBalance) -> Cell:
    """A cell that names a line-up, in the bot's colour for self-play."""
    return Cell(result.title, bot=bot_index(balance, result.bots[0]) if result.mirror else None)


def self_play(balance: Balance) -> tuple[LineUpBalance, ...]:
    """The line-ups of one bot against itself; all line-ups where there are none."""
    return tuple(result for result in balance.line_ups if result.mirror) or balance.line_ups


def main_first(balance: Balance) -> list[LineUpBalance]:
    """The line-ups that a figure has room for: self-play before mixed ones."""
    return sorted(balance.line_ups, key=lambda result: not result.mirror)[:MOST_ROWS]


def sentences(balance: Balance, section: str) -> tuple[str, ...]:
    """All sentences about a section, the most important first."""
    return tuple(verdict.text for verdict in verdicts.sentences(balance) if verdict.section == section)


def number_of_games(result: LineUpBalance) -> str:
    """Who played how much, as in a sentence of page one."""
    return f"{result.distinct:,} games, {result.title}"


def mark(name: str, e: Estimate, colour: str, effect: bool = False) -> Row:
    """A row of `analysis.figures.intervals` or `ridges` for an estimate; shares become per cent."""
    value, interval = words(e, effect)
    text = minus(f"{value} ({interval})" if interval else value)
    k = scale(e)
    return {"name": name, "text": text, "colour": colour, "value": e.value * k, "low": e.low * k, "high": e.high * k}


def rows_frame(rows: Iterable[Row]) -> pl.DataFrame:
    """Rows of a figure as a frame; numbers that do not exist are null."""
    return pl.DataFrame(list(rows)).with_columns(pl.col(pl.Float64).fill_nan(None))


def in_words(rows: Iterable[Row]) -> str:
    """Rows of a figure for its alternative text."""
    return "; ".join(f"{row['name']}: {row['text']}" for row in rows) + "."


def intervals(
    name: str, rows: Sequence[Row], xlabel: str, zero: float | None = 0.0, margin: float | None = None, what: str = ""
) -> Drawing:
    """The drawing of `analysis.figures.intervals`."""
    frame = rows_frame(rows)
    height = len(rows) * figures.ROW
    panel = Panel(
        EDGE, 4, WIDTH - 2 * EDGE, height,
        lambda ax: figures.intervals(frame, ax, xlabel=xlabel, zero=zero, margin=margin),
    )  # fmt: skip
    return Drawing(name, WIDTH, height + 36, [panel], f"{what} {in_words(rows)}")


def ridges(
    name: str, shapes: pl.DataFrame, rows: Sequence[Row], xlabel: str, zero: bool = False, what: str = ""
) -> Drawing:
    """The drawing of `analysis.figures.ridges`."""
    frame = rows_frame(rows)
    height = len(rows) * figures.RIDGE
    panel = Panel(
        EDGE, 4, WIDTH - 2 * EDGE, height, lambda ax: figures.ridges(shapes, frame, ax, xlabel=xlabel, zero=zero)
    )  # fmt: skip
    return Drawing(name, WIDTH, height + 36, [panel], f"{what} {in_words(rows)}")


def points_margin(balance: Told) -> str:
    """The designer's margin in points, as words."""
    return verdicts.counted(balance.facts.margin_points, balance.facts.score_unit)


def share_margin(balance: Told) -> str:
    """The designer's margin in win share, as words."""
    return verdicts.counted(balance.facts.margin_share * 100, "percentage points")


def finding_cell(finding: Finding) -> Cell:
    """A cell with what a finding says, in a designer's words."""
    return Cell(FINDINGS[finding.wording], strong=finding.wording == stats.MATTERS)


FINDINGS = {
    stats.MATTERS: "beyond margin",
    stats.UNCLEAR: "real, margin unclear",
    stats.NEGLIGIBLE: "real, inside margin",
    stats.EQUIVALENT: "no difference",
    stats.UNKNOWN: "not yet known",
}
"""The five wordings of `analysis.stats.Finding` as they stand in a table."""


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


BY_DEALS = (
    "A win counts 1 and a tie is split. Every number has a 95 % interval; its unit is the deal, played with the "
    "bots in all seats, because games of one deal are not independent."
)
