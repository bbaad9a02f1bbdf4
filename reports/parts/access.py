"""The parts of the access report: every card of a kind, the farthest of all, and how it was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis import figures, stats
from analysis.access import Access, estimate, left_out, margin_in_words
from analysis.comparison import IDENTICAL
from analysis.verdicts import STANDS_OUT, counted, listed, short
from reports.numbers import effect, percent, plain
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CARDS = 64
"""At most so many cards stand in a figure: those worth most and least."""
KEY_CARDS = 8
"""So many from either end stand in the figure of page one."""
TITLES = {"ban": "Denied", "blank": "Blanked"}
"""The sections by kind."""
MEANT = {
    "ban": "The player is denied all copies of one card, and the others are not.",
    "blank": "What all of the player's own copies of one card print does nothing; those of the others work.",
}
WORDINGS = {**common.FINDINGS, IDENTICAL: "changed nothing"}

Row = dict[str, Any]


def sections(a: Access) -> list[Section]:
    """A section for each kind, then method."""
    return [*(_kind(a, kind) for kind in a.kinds), _method(a)]


def key_figure(a: Access) -> Figure:
    """For page one: the cards of the first kind that are worth most and least."""
    rows = a.rows(a.kinds[0])
    return Figure(
        "key-cards", _title(a, a.kinds[0]), _forest(a, "key-cards", _ends(rows, KEY_CARDS), a.kinds[0]), _reading(a)
    )


def _kind(a: Access, kind: str) -> Section:
    said = tuple(verdict.text for verdict in a.verdicts if verdict.topic.startswith(f"{kind} "))
    name = f"cards-{kind}"
    drawn = Figure(
        f"{name}-forest",
        _title(a, kind),
        _forest(a, f"{name}-forest", _ends(a.rows(kind), MOST_CARDS // 2), kind),
        _reading(a),
    )
    return Section(
        name, f"{TITLES[kind]}, one card at a time", said or (MEANT[kind],), (drawn,), (_table(a, kind),), _how(a, kind)
    )


def _ends(rows: list[Row], each: int) -> list[Row]:
    """The first and the last rows, with a gap between them, or all where there are few."""
    marked = [{**row, "gap": False} for row in rows]
    if len(marked) <= 2 * each:
        return marked
    return [*marked[:each], {**marked[-each], "gap": True}, *marked[len(marked) - each + 1 :]]


def _strong(row: Row) -> bool:
    return bool(row["flagged"]) and row["wording"] == stats.MATTERS


def _title(a: Access, kind: str) -> str:
    """What a figure of a kind shows."""
    names = [short(row["label"]) for row in a.rows(kind) if _strong(row) and row["value"] > 0]
    margin = f"your margin of {margin_in_words(a)}"
    if not names:
        return f"No card surely {'gains' if a.two else 'is worth'} more than {margin}"
    who = listed(names) if len(names) <= 3 else f"{len(names)} cards"
    does = ("gains", "gain") if a.two else ("is worth", "are worth")
    return f"{who} {does[len(names) > 1]} more than {margin}"


def _reading(a: Access) -> str:
    what = "how much more a card is worth than before" if a.two else "what its player loses without the card"
    return f"To the right: {what}. Bold: surely beyond your margin, the grey band."


def _forest(a: Access, name: str, rows: list[Row], kind: str) -> Drawing:
    tint = figures.colour(0) if a.line_up.mirror else figures.INK
    frame = common.rows_frame(
        {"label": row["label"], "colour": tint, "strong": _strong(row), "gap": row["gap"]}
        | {column: row[column] for column in ("value", "low", "high")}
        for row in rows
    )
    longest = max(len(figures.shorten(row["label"], 26)) for row in rows)
    left = 14 + longest * 4.3
    height = (len(rows) + sum(row["gap"] for row in rows) + 0.4) * figures.THIN_ROW
    top = 2.0 + (12 if len(rows) > figures.FAR else 0)
    what = "change in worth" if a.two else "worth to its player"
    xlabel = f"{what}, {a.score_unit}; grey: your margin"

    def paint(ax: Axes) -> Axes:
        return figures.forest(frame, ax, xlabel=xlabel, margin=a.margin_points)

    told = common.in_words(common.mark(row["label"], estimate(row), "", effect=True) for row in rows)
    panel = Panel(left, top, common.WIDTH - left - 10, height, paint)
    alt = f"{what.capitalize()} of each card, in {a.score_unit} ({TITLES[kind].lower()}). {told}"
    return Drawing(name, common.WIDTH, top + height + 34, [panel], alt)


def _table(a: Access, kind: str) -> Table:
    rows = a.rows(kind)
    wins = {row["type"]: row for row in a.rows(kind, "share")}
    grouped = len({row["group"] for row in rows}) > 1
    levels: Sequence[str] = [entry["name"] for entry in a.card_sets] if a.two else ("denied", "free")
    columns = (
        Column("Card", numeric=False, short=True),
        *([Column("Group", numeric=False)] if grouped else []),
        Column("Change in worth" if a.two else "Worth", a.score_unit, short=True),
        Column("shrunk", a.score_unit),
        Column("Change in wins" if a.two else "Wins", "percentage points", short=True),
        Column("False alarm", "q", short=True, name="q"),
        Column("In your margin", numeric=False, short=True),
        Column("Played differently", "% of games", short=True),
        Column("Used when free", "% of games", short=True),
        *(Column(f"Worth with {word}" if a.two else f"Margin when {word}", a.score_unit) for word in levels),
    )
    body = tuple(_cells(row, wins[row["type"]], grouped) for row in rows)
    note = "Sorted by the lower end of the interval."
    return Table(
        f"{kind}-table", f"Every card, {TITLES[kind].lower()} ({a.line_up}, {a.deals:,} deals)", columns, body, note
    )


def _cells(row: Row, wins: Row, grouped: bool) -> tuple[Cell, ...]:
    return (
        Cell(row["label"]),
        *([Cell(row["group"])] if grouped else []),
        effect(estimate(row)),
        effect(estimate(row, "shrunk")),
        effect(estimate(wins)),
        plain(row["q"], 3),
        Cell(WORDINGS[row["wording"]], strong=_strong(row)),
        percent(row["differed"]),
        percent(row["used"]),
        plain(row["base"]),
        plain(row["variant"]),
    )


def _how(a: Access, kind: str) -> str:
    two, alone = "", ""
    if not a.two:
        alone = (
            f" A card stands out where the low end of its interval is more than {STANDS_OUT:g} times the high end of "
            "that of the next one."
        )
    else:
        before, after = (entry["name"] for entry in a.card_sets)
        two = (
            f" This is asked of both card sets, and shown is the worth with {after} minus that with {before}, on the "
            "same deals; what was played differently and what was used is of the second. A card is the same in both "
            "where it stands for the same rows of the card set, else where it has the same name."
        )
    return (
        f"{MEANT[kind]} The same {a.deals:,} deals, each with the bots in all {a.seats} seats, are played with the "
        "card and without it. Worth: the player's own score minus the mean of the others', with the card minus "
        "without; so it counts all that follows from being without, also what is used instead. Intervals of 95 % over "
        "deals; where nothing was played or scored differently the worth is exactly 0. Shrunk: drawn towards zero as "
        "far as noise explains it (empirical Bayes). q: the expected share of false alarms among cards at least as "
        f"clear, over all cards that were tried (Benjamini-Hochberg); up to 0.05 a card is flagged.{two}{alone}"
    )


def _method(a: Access) -> Section:
    columns = (
        Column("Bot", numeric=False, short=True), Column("Tier", numeric=False, short=True),
        Column("What it does", numeric=False, short=True), Column("Version", "hash", numeric=False),
    )  # fmt: skip
    bots = tuple(
        (Cell(bot["name"], bot=i), Cell(bot["tier"]), Cell(bot["text"]), Cell(bot["hash"][:12]))
        for i, bot in enumerate(a.bots)
    )
    without = "; ".join(name for name, _ in left_out(a))
    words = ("Card set",) if not a.two else ("First card set", "Second card set")
    told = {
        "Game": f"{a.title} ({a.game})",
        **{key: f"{entry['name']} ({entry['hash'][:12]})" for key, entry in zip(words, a.card_sets, strict=True)},
        **{f"Edit {i}": change for i, change in enumerate(a.changes, start=1)},
        "Seats": str(a.seats),
        "Line-up, the one who is denied first": ", ".join(a.line_up.names),
        "Deals": f"{a.deals:,}",
        "Games of an arm": f"{a.games:,}",
        **({"Left out, as asked": without} if without else {}),
        "Arms": str(a.arms),
        "Games in all": f"{a.arms * a.games:,}",
        "Seed": str(a.seed),
        "Your margins": f"{counted(a.margin_share * 100, 'percentage points')} of wins, {margin_in_words(a)}",
        "fairdeal": a.version,
    }
    run = (Column("What", numeric=False), Column("Value", numeric=False))
    tables = (
        Table("bots", "The bots", columns, bots),
        Table("run", "The study", run, tuple((Cell(key), Cell(value)) for key, value in told.items())),
    )
    said = tuple(verdict.text for verdict in a.verdicts if verdict.section == "method")
    how = (
        "Games are compared by a hash over all decisions: equal hashes mean that every bot made the same moves. A "
        "number is as good as the bots that made it: it holds for these players, and people may play otherwise. The "
        "whole result is in report.json beside this page; the same seed, card set and version give the same games."
    )
    return Section("method", "Method", said, (), tables, how)
