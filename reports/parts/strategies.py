"""Strategies: who beats whom, and how the headline numbers change with skill."""

from __future__ import annotations

from analysis import figures, score_verdicts, tiers
from analysis.balance import FIRST, Balance
from analysis.matchups import Cell as MatchUp
from analysis.tiers import ByTier
from reports import numbers
from reports.numbers import amount, count, effect
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common
from reports.svg import Drawing, Panel

NAME = "strategies"


def section(balance: Balance) -> Section:
    """The section on match-ups and skill."""
    drawn = (_figure(balance),) if any(cell.bot != cell.opponent for cell in balance.matchups) else ()
    found = [_table(balance), by_tier(balance)]
    said = common.sentences(balance, "strategies") or (_nothing(balance),)
    said = (*said, *score_verdicts.profiles(balance))
    return Section(
        NAME, "Strategies: match-ups and skill", said, drawn, tuple(t for t in found if t is not None), _how()
    )


def _nothing(balance: Balance) -> str:
    if len(balance.facts.bots) == 1:
        return f"Only {balance.facts.bots[0].name} played, against itself: there is nothing to say about strategies."
    return "No bot is surely ahead of another."


def cells(balance: Balance) -> dict[tuple[str, str], MatchUp]:
    """One cell for a pair of bots, the one in which the first is alone against the other where there are two."""
    found: dict[tuple[str, str], MatchUp] = {}
    seats = {result.index: result.bots for result in balance.line_ups}
    names = {bot.name for bot in balance.facts.bots}
    for cell in balance.matchups:
        if cell.opponent in names and (
            (cell.bot, cell.opponent) not in found or seats[cell.line_up].count(cell.bot) == 1
        ):
            found[cell.bot, cell.opponent] = cell
    return found


def strong_first(balance: Balance) -> list[str]:
    """The bots that met another one, the strongest first."""
    known = [bot for bot in balance.facts.bots if bot.strength is not None]
    return [bot.name for bot in sorted(known, key=lambda bot: -(bot.strength or 0))]


def _figure(balance: Balance) -> Figure:
    names = strong_first(balance)
    rows = []
    for (bot, opponent), cell in cells(balance).items():
        value, interval = numbers.words(cell.share)
        rows.append(
            {
                "bot": bot,
                "opponent": opponent,
                "value": cell.share.value,
                "low": cell.share.low,
                "high": cell.share.high,
                "text": f"{value} %",
                "interval": interval if bot != opponent else "against itself",
                "n": f"{_thousands(cell.share.games)} games",
            }
        )
    frame = common.rows_frame(row for row in rows if row["bot"] in names)
    fair = 1 / balance.facts.seats
    left = 12 + 4.4 * max(len(line) for name in names for line in figures.wrapped(name, 14))
    top = 6 + 10.0 * max(len(figures.wrapped(name, 12)) for name in names)
    width, height = len(names) * figures.CELL_WIDTH, len(names) * figures.CELL_HEIGHT
    alt = "Share of wins of each bot against each other. " + "; ".join(
        f"{row['bot']} against {row['opponent']}: {row['text']} ({row['interval']}, {row['n']})" for row in rows
    )
    panel = Panel(left, top, width, height, lambda ax: figures.heat_map(frame, ax, names=names, fair=fair))
    drawing = Drawing("match-ups", left + width + 4, top + height + 4, [panel], alt + ".")
    note = "Row against column. Blue: the row wins more than an even share; orange: less. With interval and games."
    if balance.facts.seats > 2:
        note += " At a table of more than two, the row’s bot sits alone among bots of the column."
    return Figure("match-ups", _title(balance, names), drawing, note)


def _title(balance: Balance, names: list[str]) -> str:
    found = cells(balance)
    top, fair = names[0], 1 / balance.facts.seats
    against = [cell for (bot, opponent), cell in found.items() if bot == top and opponent != top]
    if against and all(cell.share.low > fair for cell in against):
        return f"{top} beats every other bot" if len(against) > 1 else f"{top} beats {against[0].opponent}"
    best = max(found.values(), key=lambda cell: cell.share.low)
    if best.share.low > fair:
        return f"No bot beats all others; the clearest result is {best.bot} against {best.opponent}"
    return "No bot is surely ahead of another"


def _thousands(n: int) -> str:
    return f"{n / 1000:.0f}k" if n >= 10_000 else f"{n:,}"


def _table(balance: Balance) -> Table:
    unit = balance.facts.score_unit
    many = balance.facts.seats > 2
    columns = (
        *([Column("Line-up", numeric=False, short=True)] if many else []),
        Column("Bot", numeric=False, short=True),
        *([] if many else [Column("Against", numeric=False, short=True)]),
        Column("Wins", "% each" if many else "%", short=True),
        Column("Ahead", unit, short=True),
        Column("Saved by swapping seats", "times fewer games", interval=True),
        Column("Games", short=True),
        Column("Deals"),
    )
    line_ups = {result.index: result for result in balance.line_ups}
    rows = tuple(
        (
            *([common.line_up_cell(balance, line_ups[cell.line_up])] if many else []),
            common.bot_cell(balance, cell.bot),
            *([] if many else [common.bot_cell(balance, cell.opponent)]),
            amount(cell.share),
            effect(cell.margin),
            numbers.NONE if cell.saved_share is None else amount(cell.saved_share),
            count(cell.share.games),
            count(cell.share.n),
        )
        for cell in sorted(balance.matchups, key=lambda cell: cell.bot == cell.opponent)
    )
    note = (
        "“Saved by swapping seats”: how many times more games would be needed for the same interval if every game "
        "had a deal of its own, instead of each deal being played with the bots in all seats."
    )
    return Table("match-ups-table", "Every bot against every other", columns, rows, note)


def by_tier(balance: Balance) -> Table | None:
    """The headline numbers, a column a tier of bots."""
    if not balance.by_tier or not balance.by_tier[0].tiers:
        return None
    heads = [Column(tier, title, short=True) for tier, title, _ in balance.by_tier[0].tiers]
    rows = tuple(
        (Cell(_named(number)), Cell(number.label, strong=_changes(number)), *_values(number))
        for number in balance.by_tier
    )
    columns = (Column("Number", numeric=False, short=True), Column("With skill", numeric=False, short=True), *heads)
    note = (
        "Weak bots at the left. “Stable”: no change from the weakest to the strongest tier is shown beyond your "
        "margin. “Flips”: surely above zero in one tier and below in another. Balance among random bots says little."
    )
    return Table("by-tier", "The headline numbers in every tier of bots", columns, rows, note)


def _named(number: ByTier) -> str:
    unit = number.tiers[0][2].unit
    if unit == "share":
        unit = "percentage points" if number.name in FIRST else "%"
    return number.title if unit in number.title else f"{number.title}, {unit}"


def _changes(number: ByTier) -> bool:
    return number.name in FIRST and number.label in (tiers.GROWS, tiers.FLIPS)


def _values(number: ByTier) -> list[Cell]:
    write = effect if number.name in FIRST else amount
    return [write(e) for _, _, e in number.tiers]


def _how() -> str:
    return (
        f"A cell is the share of wins over all games of the two, each deal played with the bots in all seats. "
        f"{common.BY_DEALS} A tier is measured by its strongest bot against itself."
    )
