"""What the parts of a comparison report share: rows as cells and marks, words for findings, tables and figures of
changes.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis import answer, figures, stats
from analysis.answer import Answer, Row, estimate
from analysis.blocks import LineUp
from analysis.comparison import IDENTICAL
from analysis.verdicts import counted, rounded
from reports import numbers
from reports.numbers import NONE
from reports.page import Cell, Column, Figure, Table
from reports.parts import common

FINDINGS = {**common.FINDINGS, IDENTICAL: "identical"}
"""The wordings of a comparison as they stand in a table."""


def bot_index(a: Answer, name: str) -> int:
    """The index of a bot in the runs, which is the index of its colour."""
    return [bot for bot, _, _ in a.comparison.bots].index(name)


def tint(a: Answer, line_up: LineUp) -> str:
    """The colour of a line-up: its bot's in self-play, else ink."""
    return figures.colour(bot_index(a, line_up.names[0])) if line_up.mirror else figures.INK


def line_up_of(a: Answer, row: Row) -> LineUp:
    """The line-up of a row."""
    return next(line_up for line_up in a.line_ups if line_up.index == row["line_up"])


def line_up_cell(a: Answer, line_up: LineUp) -> Cell:
    """A cell that names a line-up, in the bot's colour for self-play."""
    return Cell(str(line_up), bot=bot_index(a, line_up.names[0]) if line_up.mirror else None)


def bot_cell(a: Answer, name: str) -> Cell:
    """A cell that names a bot."""
    return Cell(name, bot=bot_index(a, name))


def strong_first(a: Answer) -> list[LineUp]:
    """The line-ups: that of page one, the other tiers' down to the weakest one, and the rest."""
    tiers = a.comparison.by_tier["line_up"].unique(maintain_order=True).to_list()
    rank = {index: place for place, index in enumerate([a.headline, *reversed(tiers)][::-1])}
    return sorted(a.line_ups, key=lambda line_up: (-rank.get(line_up.index, -1), not line_up.mirror, line_up.index))


def shown(a: Answer) -> list[LineUp]:
    """The line-ups that a figure shows: self-play, or all where there is none; that of page one first."""
    found = [line_up for line_up in strong_first(a) if line_up.mirror] or strong_first(a)
    return found[: common.MOST_ROWS]


def sentences(a: Answer, section: str) -> tuple[str, ...]:
    """All sentences about a section, the most important first."""
    return tuple(verdict.text for verdict in answer.sentences(a) if verdict.section == section)


def change(row: Row | None) -> Cell:
    """A cell with the change and its interval."""
    return NONE if row is None else numbers.effect(estimate(row))


def arm_cells(row: Row) -> tuple[Cell, Cell]:
    """Cells with the number before and after the edit."""
    base, variant = (
        NONE if row[arm] is None else Cell(text, raw=(row[arm],))
        for arm, text in zip(("base", "variant"), answer.arms(row), strict=True)
    )
    return base, variant


def finding(row: Row) -> Cell:
    """A cell with what the row says about the margin."""
    return Cell(FINDINGS[row["wording"]], strong=row["wording"] == stats.MATTERS)


def more_games(a: Answer, row: Row) -> Cell:
    """A cell with the games that would tell, where it is not yet known."""
    deals = row["more_deals"]
    return NONE if not deals else Cell(f"{rounded(deals * a.comparison.seats):,}", raw=(deals * a.comparison.seats,))


def saved(row: Row) -> Cell:
    """A cell with the variance ratio."""
    return numbers.plain(row["variance_ratio"])


def unit_of(row: Row, effect: bool) -> str:
    """The unit of a row's numbers: shares in per cent, their changes in percentage points."""
    if row["unit"] == "share":
        return "percentage points" if effect else "%"
    return str(row["unit"])


def before_and_after(a: Answer, unit: str = "") -> tuple[Column, Column]:
    """The heads of the two arms, with the names of the card sets."""
    added = f", {unit}" if unit else ""
    old, new = a.comparison.base.card_set, a.comparison.variant.card_set
    return Column("Before", old + added, short=True), Column("After", new + added, short=True)


def changes_table(a: Answer, name: str, caption: str, rows: Sequence[Row], note: str = "") -> Table:
    """A table of rows of a comparison, a row each: line-up, what, before, after, change, finding, games needed."""
    order = {line_up.index: place for place, line_up in enumerate(strong_first(a))}
    columns = (
        Column("Line-up", numeric=False, short=True),
        Column("What", numeric=False, short=True),
        Column("Unit", numeric=False, short=True),
        *before_and_after(a),
        Column("Change", "with interval", short=True, interval=True),
        Column("Beside your margin", numeric=False, short=True),
        Column("More games needed", "with each set", whole=True),
        Column("Saved by the same deals", "times fewer games"),
    )
    body = tuple(
        (
            line_up_cell(a, line_up_of(a, row)),
            Cell(label(a, row)),
            Cell(unit_of(row, effect=False)),
            *arm_cells(row),
            change(row),
            finding(row),
            more_games(a, row),
            saved(row),
        )
        for row in sorted(rows, key=lambda row: order[row["line_up"]])
    )
    return Table(name, caption, columns, body, note)


def label(a: Answer, row: Row) -> str:
    """The question of a row in words; where nobody is first by the rules, places are seats."""
    if a.first_player or row["measure"] not in ("order_share", "order_margin"):
        return str(row["label"])
    what = "win share" if row["measure"] == "order_share" else "points above the others"
    return f"{what} of seat {row['subject']}"


def mark(a: Answer, row: Row, name: str) -> common.Row:
    """A row of a figure for a change."""
    return common.mark(name, estimate(row), tint(a, line_up_of(a, row)), effect=True)


def changes_figure(
    a: Answer, name: str, rows: Sequence[Row], names: Sequence[str], title: str, what: str, margin: float | None
) -> Figure:
    """A figure of changes, one a row, with zero and the margin (in the unit of the axis). `what` says of what."""
    unit = unit_of(rows[0], effect=True)
    marks = [mark(a, row, shown) for row, shown in zip(rows, names, strict=True)]
    grey = f"; grey: your margin of ±{float(f'{margin:.2g}'):g}" if margin is not None else ""
    drawn = common.intervals(
        name, marks, f"change of the {what}, {unit}{grey}", margin=margin, what=f"Change of the {what} in {unit}."
    )
    return Figure(name, title, drawn)


def title(a: Answer, row: Row, what: str) -> str:
    """What a row says about a change of something, as the title of a figure."""
    value, _ = numbers.words(estimate(row), effect=True)
    by = f"by {value} {unit_of(row, effect=True)}"
    than = answer.margin_of(a, row)
    found = {
        IDENTICAL: f"The {what} is exactly the same with both sets",
        stats.MATTERS: f"The edit moves the {what} {by}, more than {than}",
        stats.UNCLEAR: f"The edit moves the {what} {by}, perhaps more than {than}",
        stats.NEGLIGIBLE: f"The edit moves the {what} {by}, less than {than}",
        stats.EQUIVALENT: f"The {what} is the same with both sets, within {than}",
    }
    unknown = f"Whether the {what} moves by more than {than} is not known yet"
    return f"{found.get(row['wording'], unknown)} ({row['title']})"


def share_margin(a: Answer) -> str:
    """The designer's margin in win share, as words."""
    return counted(a.comparison.margin_share * 100, "percentage points")


def points_margin(a: Answer) -> str:
    """The designer's margin in points, as words."""
    return counted(a.comparison.margin_points, a.comparison.score_unit)


HOW = (
    "A change is the mean over deals of the result with the second card set minus that with the first, on the same "
    "deals and in the same seats; its 95 % interval comes from the differences of the deals, so luck that both sets "
    "share cancels."
)
