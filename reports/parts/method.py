"""Method: what was played, by whom, and how far it can be trusted."""

from __future__ import annotations

from analysis.balance import Balance
from reports.numbers import count, percent
from reports.page import Cell, Column, Section, Table
from reports.parts import common

NAME = "method"


def section(balance: Balance) -> Section:
    """The section on method."""
    tables = (_bots(balance), _line_ups(balance), _run(balance))
    return Section(NAME, "Method", common.sentences(balance, "method"), (), tables, _how(balance))


def _bots(balance: Balance) -> Table:
    columns = (
        Column("Bot", numeric=False, short=True),
        Column("Tier", numeric=False, short=True),
        Column("What it does", numeric=False, short=True),
        Column("Wins against others", "mean %"),
        Column("Version", "hash", numeric=False),
    )
    rows = tuple(
        (common.bot_cell(balance, b.name), Cell(b.tier), Cell(b.text), percent(b.strength), Cell(b.hash[:12]))
        for b in balance.facts.bots
    )
    return Table(
        "bots", "The bots; tiers from weak to strong are random, simple, expert, trained, search", columns, rows
    )


def _line_ups(balance: Balance) -> Table:
    columns = (
        Column("Line-up", numeric=False),
        Column("Tier", numeric=False),
        Column("Games"),
        Column("Played differently"),
        Column("Deals"),
        Column("Advantage found 9 times in 10", "percentage points"),
    )
    rows = tuple(
        (
            common.line_up_cell(balance, result),
            Cell(result.tier or "mixed"),
            count(result.games),
            count(result.distinct),
            count(result.deals),
            percent(result.turn_order.detectable, 2),
        )
        for result in balance.line_ups
    )
    return Table("line-ups", "What was played", columns, rows)


def _run(balance: Balance) -> Table:
    f = balance.facts
    said = {
        "Game": f"{f.title} ({f.game})",
        "Card set": f.card_set,
        "Card set, hash": f.card_set_hash,
        "Seats": str(f.seats),
        "Games": f"{f.games:,}",
        "Deals": f"{f.deals:,}",
        "Seed": str(f.seed),
        "Log level": f.log,
        "Your margins": f"{common.share_margin(balance)} of wins, {common.points_margin(balance)}",
        "Run finished": "yes" if f.complete else "no",
        "fairdeal": f.version,
    }
    columns = (Column("What", numeric=False), Column("Value", numeric=False))
    return Table("run", "The run", columns, tuple((Cell(key), Cell(value)) for key, value in said.items()))


def _how(balance: Balance) -> str:
    return (
        "A deal is one realisation of all chance: cards, starter, draws. All line-ups play the same deals, and each "
        f"deal with the bots in all {balance.facts.seats} seats, so that luck is shared and comparisons are sharp. A "
        "number is as good as the bots that made it: it holds for these players, and people may play otherwise. The "
        "whole result is in report.json beside this page; the same seed, card set and version give the same games."
    )
