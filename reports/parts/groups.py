"""Groups of cards: how many of each a player gets, what becomes of them, and how many more the winner has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analysis import figures
from analysis.balance import Balance
from analysis.group_verdicts import UNUSED, event_words, telling
from analysis.groups import Groups
from analysis.verdicts import short
from reports.numbers import NONE, amount, count, effect, estimate
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "groups"
MOST = 40
"""At most so many rows stand in a figure."""

Row = dict[str, Any]


def section(balance: Balance) -> Section:
    """The section on groups of cards."""
    groups = balance.main.groups
    assert groups is not None
    drawn = (_figure(balance, groups), _types_figure(balance, groups))
    tables = [_table(balance, groups)]
    if len(_bots(balance)) > 1:
        tables.append(_by_bot(balance, groups))
    if len(groups.types):
        tables.append(_types(balance, groups))
    said = common.sentences(balance, NAME) or (_counted(balance, groups),)
    shown = tuple(figure for figure in drawn if figure is not None)
    return Section(NAME, "Groups of cards: which carry the game", said, shown, tuple(tables), _how(balance))


def _counted(balance: Balance, groups: Groups) -> str:
    names = list(dict.fromkeys(groups.rates["group"]))
    return f"Cards were counted in {groups.n:,} deals ({balance.main.title}): {', '.join(names)}."


def _first_bot(balance: Balance) -> str:
    return balance.main.scores.bots[0].bot


def _key(row: Row) -> tuple[str, str, str]:
    return row["group"], row["kind"], row["event"]


def _figure(balance: Balance, groups: Groups) -> Figure | None:
    """What says most of each group, and the winner's lead in it."""
    rows = telling(groups.rates.filter(bot=_first_bot(balance))).to_dicts()[:MOST]
    leads = {_key(row): row for row in groups.leads.iter_rows(named=True)}
    if len({row["group"] for row in rows}) < 2 or not leads:
        return None
    sure = {_key(row) for row in leads.values() if row["flagged"]}
    colour = common.tint(balance, balance.main)

    def frame(of: list[Row], tint: str) -> Any:
        return common.rows_frame(
            {"label": event_words(row), "colour": tint, "strong": _key(row) in sure, "gap": False}
            | {key: row[key] for key in ("value", "low", "high")}
            for row in of
        )

    often, ahead = frame(rows, colour), frame([leads[_key(row)] for row in rows], figures.MUTED)
    left = max(figures.label_room(event_words(row), _key(row) in sure) for row in rows)
    gap, width = 18.0, 480.0
    height = (len(rows) + 0.4) * figures.THIN_ROW
    each = (width - left - 10 - gap) / 2
    top = 16.0 + (12 if len(rows) > figures.FAR else 0)

    def left_panel(ax: Axes) -> Axes:
        return figures.forest(often, ax, xlabel="cards or times a game and player", heading="On average")

    def right_panel(ax: Axes) -> Axes:
        return figures.forest(
            ahead,
            ax,
            xlabel="more than the others",
            hollow=True,
            labels=False,
            heading="The winner’s lead: association",
        )

    panels = [Panel(left, top, each, height, left_panel), Panel(left + each + gap, top, each, height, right_panel)]
    marks = [common.mark(event_words(row), estimate(leads[_key(row)], ""), "", effect=True) for row in rows]
    alt = f"The winner’s lead in each group of cards. {common.in_words(marks)}"
    drawing = Drawing("groups-leads", width, top + height + 34, panels, alt)
    first = max(
        leads.values(), key=lambda row: abs(row["value"] or 0.0) if _key(row) in sure and _shown(row, rows) else -1
    )
    if _key(first) in sure:
        value = f"{first['value']:+.2f}"
        title = f"The winner is farthest from the others in {event_words(first)} ({value} a game, {balance.main.title})"
    else:
        title = f"Of no group the winner has surely more cards: all are within chance ({balance.main.title})"
    note = (
        "Bold: the winner surely has more or fewer, false alarms among all rows controlled. Rings: an association, "
        "confounded with how the game went."
    )
    return Figure("groups-leads", title, drawing, note)


def _shown(row: Row, rows: list[Row]) -> bool:
    return _key(row) in {_key(other) for other in rows}


def _types_figure(balance: Balance, groups: Groups) -> Figure | None:
    """How often each card that is chosen is taken, the most taken on top."""
    rows = groups.types.sort("value", descending=True, nulls_last=True).to_dicts()
    if len(rows) < 2:
        return None
    if len(rows) > MOST:
        half = MOST // 2
        rows = [*rows[:half], {**rows[-half], "gap": True}, *rows[-half + 1 :]]
    colour = common.tint(balance, balance.main)
    frame = common.rows_frame(
        {"label": row["label"], "colour": colour, "strong": row["high"] < UNUSED, "gap": row.get("gap", False)}
        | {key: row[key] * 100 for key in ("value", "low", "high")}
        for row in rows
    )
    left = max(figures.label_room(row["label"], row["high"] < UNUSED) for row in rows)
    height = (len(rows) + 1.4) * figures.THIN_ROW
    top = 2.0 + (12 if len(rows) > figures.FAR else 0)
    panel = Panel(
        left, top, common.WIDTH - left - 10, height,
        lambda ax: figures.forest(frame, ax, xlabel="% of the copies that anybody takes in a game"),
    )  # fmt: skip
    marks = [common.mark(short(row["label"]), estimate(row, "share"), "") for row in rows]
    alt = f"Share taken. {common.in_words(marks)}"
    drawing = Drawing("groups-types", common.WIDTH, top + height + 34, [panel], alt)
    most, least = rows[0], rows[-1]
    title = (
        f"Of what is there to be chosen, {short(most['label'])} is taken most ({most['value'] * 100:.0f} %), "
        f"{short(least['label'])} least ({least['value'] * 100:.0f} %; {balance.main.title})"
    )
    note = f"Bold: surely less than {UNUSED * 100:.0f} % of the copies are taken in a game."
    return Figure("groups-types", title, drawing, note)


def _table(balance: Balance, groups: Groups) -> Table:
    leads = {_key(row): row for row in groups.leads.iter_rows(named=True)}
    columns = (
        Column("Group", numeric=False, short=True),
        Column("Cards"),
        Column("What happened", numeric=False, short=True),
        Column("How often", "cards or times a game and player", short=True),
        *([Column("The winner’s lead: association", "more than the others", short=True)] if leads else []),
    )
    rows = tuple(
        (
            Cell(row["group"]),
            count(row["cards"]),
            Cell(row["event"]),
            amount(estimate(row, "cards")),
            *([_lead(leads[_key(row)])] if leads else []),
        )
        for row in groups.rates.filter(bot=_first_bot(balance)).iter_rows(named=True)
    )
    note = "“Held”: came to the player in any way. In bold: surely not zero, false alarms among all rows controlled."
    return Table(
        "groups-table", f"Every group of cards ({balance.main.title}, {groups.n:,} deals)", columns, rows, note
    )


def _lead(row: Row) -> Cell:
    found = effect(estimate(row, "cards"))
    return replace(found, strong=bool(row["flagged"]))


def _bots(balance: Balance) -> list[tuple[str, str, Groups]]:
    """(head, bot, groups) of every bot in self-play, or in all line-ups where there is none."""
    return [
        (bot.bot if result.mirror else f"{bot.bot} in {result.title}", bot.bot, result.groups)
        for result in common.self_play(balance)
        for bot in result.scores.bots
        if result.groups is not None
    ][: common.MOST_ROWS]


def _by_bot(balance: Balance, groups: Groups) -> Table:
    shown = [
        (head, {_key(row): row for row in of.rates.filter(bot=bot).iter_rows(named=True)})
        for head, bot, of in _bots(balance)
    ]
    columns = (
        Column("Group", numeric=False),
        Column("What happened", numeric=False),
        *(Column(head, "a game and player") for head, _ in shown),
    )
    rows = tuple(
        (
            Cell(row["group"]),
            Cell(row["event"]),
            *(amount(estimate(of[_key(row)], "cards")) if _key(row) in of else NONE for _, of in shown),
        )
        for row in telling(groups.rates.filter(bot=_first_bot(balance))).iter_rows(named=True)
    )
    return Table("groups-bots", "Groups of cards, by who plays", columns, rows)


def _types(balance: Balance, groups: Groups) -> Table:
    columns = (
        Column("Card", numeric=False),
        Column("Group", numeric=False),
        Column("Copies"),
        Column("Taken", "% of its copies in a game"),
    )
    rows = tuple(
        (
            Cell(row["label"]),
            Cell(row["group"]),
            count(row["copies"]),
            _taken(row),
        )
        for row in groups.types.sort("value", descending=True, nulls_last=True).iter_rows(named=True)
    )
    return Table("groups-types-table", f"Cards that are chosen, not dealt ({balance.main.title})", columns, rows)


def _taken(row: Row) -> Cell:
    if row["value"] is None:
        return NONE
    found = amount(estimate(row, "share"))
    return replace(found, strong=row["high"] < UNUSED)


def _how(balance: Balance) -> str:
    return (
        "Counted a game and player, from the card log. The winner’s lead is the winner’s number minus the mean of the "
        "others’. What players choose is confounded with how the game went: a lead goes together with winning, and may "
        f"come from being ahead. {common.BY_DEALS}"
    )
