"""Seats and turn order, scores, length, and strategies: what the edit did to each."""

from __future__ import annotations

from collections.abc import Sequence

from analysis import answer
from analysis.answer import Answer, Row, rows_of
from analysis.comparison import RELATIVE_MARGIN
from reports import numbers
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common as any_report
from reports.parts.comparison import common

SEATS, SCORES, LENGTH, STRATEGIES = "seats", "scores", "length", "strategies"
FEEL = ("turns", "rounds", "decisions", "cut_off", "end", "tie", "lead_changes")


# --- figures ---------------------------------------------------------------------------------------------------------


def _in_self_play(a: Answer, measure: str, subject: str | None = None) -> list[Row]:
    """A row of each line-up that a figure shows."""
    found = []
    for line_up in common.shown(a):
        rows = [row for row in a.rows(measure, line_up=line_up.index) if subject in (None, row["subject"])]
        found += rows if subject is None and not line_up.mirror else rows[:1]
    return found[: any_report.MOST_ROWS]


def _names(a: Answer, rows: list[Row]) -> list[str]:
    """What a row of a figure is called: its line-up, and the bot where the line-up has several."""
    return [
        row["title"]
        if common.line_up_of(a, row).mirror or not row["subject"]
        else f"{row['subject']} in {row['title']}"
        for row in rows
    ]


def seats_figure(a: Answer, name: str = "seats-changes") -> Figure | None:
    """The change of the first player's wins in every self-play line-up."""
    rows = _in_self_play(a, "order_share", "0")
    if not rows:
        return None
    title = common.title(a, rows[0], a.first)
    names = [row["title"] for row in rows]
    return common.changes_figure(a, name, rows, names, title, a.first, a.comparison.margin_share * 100)


def scores_figure(a: Answer, name: str = "score-changes") -> Figure | None:
    """The change of the mean score in every self-play line-up."""
    rows = _in_self_play(a, "score")
    if not rows:
        return None
    title = common.title(a, rows[0], "mean score")
    return common.changes_figure(a, name, rows, _names(a, rows), title, "mean score", a.comparison.margin_points)


def length_figure(a: Answer, name: str = "length-changes") -> Figure | None:
    """The change of the length of a game in every self-play line-up."""
    rows = _in_self_play(a, "turns")
    if not rows:
        return None
    title = common.title(a, rows[0], "length of a game")
    figure = common.changes_figure(
        a, name, rows, [row["title"] for row in rows], title, "length of a game", rows[0]["margin"]
    )
    of = f"{RELATIVE_MARGIN * 100:g} % of the length of {rows[0]['title']}"
    note = f"The margin is {of}, {numbers.plain(rows[0]['margin']).text} turns."
    return Figure(figure.name, figure.title, figure.drawing, note)


def strategies_figure(a: Answer, name: str = "match-up-changes") -> Figure | None:
    """The change of a bot's wins in every match-up; for two, those of the one that gained."""
    rows = _match_ups(a)[: any_report.MOST_ROWS]
    if not rows:
        return None
    top = answer.gained(a, max(rows, key=lambda row: abs(row["difference"] or 0.0)))
    title = common.title(a, top, f"share of wins of {top['subject']}")
    rows = [answer.gained(a, row) for row in rows]
    line_ups = [common.line_up_of(a, row).names for row in rows]
    if a.comparison.seats == 2:
        names = [_pair(line_up, row["subject"]) for line_up, row in zip(line_ups, rows, strict=True)]
        what = "first-named bot’s share of wins"
    else:
        names = [answer.place_words(line_up, row["subject"]) for line_up, row in zip(line_ups, rows, strict=True)]
        what = "share of wins"
    return common.changes_figure(a, name, rows, names, title, what, a.comparison.margin_share * 100)


def _pair(names: Sequence[str], bot: str) -> str:
    """A bot of a line-up for two, and the other one."""
    return f"{bot} against {next(name for name in names if name != bot)}"


def _match_ups(a: Answer) -> list[Row]:
    """A row a match-up: of its first bot for two seats (the other's is the same with the other sign), else of all."""
    rows = rows_of(a.comparison, "bot_share").to_dicts()
    if a.comparison.seats > 2:
        return rows
    return list({row["line_up"]: row for row in reversed(rows)}.values())[::-1]


# --- sections --------------------------------------------------------------------------------------------------------


def _drawn(*figures: Figure | None) -> tuple[Figure, ...]:
    return tuple(figure for figure in figures if figure is not None)


def seats(a: Answer) -> Section:
    """The section on seats and turn order."""
    rows = rows_of(a.comparison, "order_share", "order_margin").to_dicts()
    if a.comparison.seats == 2:  # the second one's wins are the first one's with the other sign
        rows = [row for row in rows if row["subject"] == "0"]
    said = common.sentences(a, "seats") or ("Only 1 plays, so there is no turn order.",)
    first = "First is first in turn order." if a.first_player else "Nobody is first by the rules."
    how = (
        f"{common.HOW} {first} Beyond margin: the whole interval lies beyond "
        f"{common.share_margin(a)} of wins or {common.points_margin(a)}; no difference: the 90 % interval lies inside."
    )
    heading = "Turn order" if a.first_player else "Seats"
    tables = (common.changes_table(a, "seats-table", f"{heading}, in every line-up", rows),) if rows else ()
    return Section(
        SEATS, "Seats and turn order" if a.first_player else "Seats", said, _drawn(seats_figure(a)), tables, how
    )


def scores(a: Answer) -> Section:
    """The section on scores, their spread, and what they are made of."""
    rows = rows_of(a.comparison, "score", "score_spread", "margin_spread", "winning", "losing").to_dicts()
    made = [row for line_up in common.shown(a) for row in a.rows("part", "counter", line_up=line_up.index)]
    tables = [common.changes_table(a, "scores-table", "Scores and their spread, in every line-up", rows)]
    if made:
        note = f"Counts have no margin of yours: a change of {RELATIVE_MARGIN * 100:g} % of the larger number counts."
        tables.append(common.changes_table(a, "made-of", "What scores are made of, and what bots did", made, note))
    how = f"{common.HOW} The spread is the standard deviation over games; its interval is a bootstrap over deals."
    return Section(
        SCORES, "Scores", common.sentences(a, "scores"), _drawn(scores_figure(a)), tuple(tables), how
    )  # fmt: skip


def length(a: Answer) -> Section:
    """The section on the length and the course of a game."""
    # Of a game of one round nothing is to be said about rounds; a game may call something else so.
    rows = rows_of(a.comparison, *(m for m in FEEL if m != "rounds" or not a.round_is_game)).to_dicts()
    how = (
        f"{common.HOW} Turns, rounds, decisions and changes of the lead have no margin of yours: there a change of "
        f"{RELATIVE_MARGIN * 100:g} % of the larger number counts."
    )
    table = common.changes_table(a, "length-table", "Length, ends, ties and changes of the lead", rows)
    return Section(
        LENGTH, "Length and course of a game", common.sentences(a, "length"), _drawn(length_figure(a)), (table,), how
    )


def strategies(a: Answer) -> Section:
    """The section on match-ups, and on how the changes differ with skill."""
    names = [bot for bot, _, _ in a.comparison.bots]
    nothing = f"Only 1 bot played ({names[0]}), against itself: there is nothing to say about match-ups."
    said = common.sentences(a, "strategies") or (nothing,)
    tables = []
    if rows := rows_of(a.comparison, "bot_share").to_dicts():
        tables.append(common.changes_table(a, "match-ups", "Every bot against every other", rows))
    if (by_tier := _by_tier(a)) is not None:
        tables.append(by_tier)
    how = f"{common.HOW} A bot’s share is that of its wins over all games of the match-up, ties split."
    return Section(
        STRATEGIES, "Strategies: match-ups and skill", said, _drawn(strategies_figure(a)), tuple(tables), how
    )


TIER_NUMBERS = {
    ("order_share", "0"): "",
    ("score", ""): "mean score",
    ("score_spread", ""): "spread of the scores",
    ("turns", ""): "length of a game",
    ("tie", ""): "ties",
    ("lead_changes", ""): "changes of the lead",
}
"""The numbers whose change is shown in every tier: measure and subject, and their name (`Answer.first` where it is
empty).
"""


def _by_tier(a: Answer) -> Table | None:
    found = {name or a.first: answer.by_tier(a.comparison, *key) for key, name in TIER_NUMBERS.items()}
    found = {name: rows for name, rows in found.items() if rows}
    if not found:
        return None
    first = next(iter(found.values()))
    columns = (
        Column("Change of", numeric=False, short=True),
        Column("Unit", numeric=False, short=True),
        Column("With skill", numeric=False, short=True),
        *(Column(row["tier"], row["title"], short=True) for row in first),
    )
    body = tuple(
        (
            Cell(name),
            Cell(common.unit_of(rows[0], effect=True)),
            Cell(rows[0]["skill"], strong=rows[0]["skill"].startswith(("grows", "flips"))),
            *(common.change(next((r for r in rows if r["tier"] == row["tier"]), None)) for row in first),
        )
        for name, rows in found.items()
    )
    note = "Weak bots at the left. “Stable”: no difference between the weakest and the strongest tier is shown."
    return Table("by-tier", "The changes in every tier of bots", columns, body, note)
