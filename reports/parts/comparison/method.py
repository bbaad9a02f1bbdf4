"""Method: what was played, how alike the games of the two sets are, and what that was worth."""

from __future__ import annotations

from dataclasses import replace

from analysis.answer import Answer, endings
from reports import numbers
from reports.numbers import NONE, count, percent
from reports.page import Cell, Column, Section, Table
from reports.parts.comparison import common

NAME = "method"


def section(a: Answer) -> Section:
    """The section on method."""
    said = (*common.sentences(a, "method"), *a.comparison.notes)
    tables = (_pairing(a), *_ended(a), _bots(a), _run(a))
    return Section(NAME, "Method", said, (), tables, _how(a))


def _pairing(a: Answer) -> Table:
    first = "First player’s wins" if a.first_player else "Wins of seat 0"
    columns = (
        Column("Line-up", numeric=False, short=True),
        Column("Games with each set"),
        Column("Played identically", "% of games", short=True),
        Column("Scored alike", "% of games"),
        Column("Score: correlation", short=True),
        Column("Score: saved", "times fewer games", short=True),
        Column(f"{first}: correlation", name="wins_correlation"),
        Column(f"{first}: saved", "times fewer games", name="wins_saved"),
    )
    rows = []
    for line_up in a.line_ups:
        played = a.played(line_up.index)
        cells = []
        for measure in ("score", "order_share"):
            found = next(iter(a.rows(measure, line_up=line_up.index)), None)
            cells += [NONE, NONE] if found is None else [numbers.plain(found["correlation"], 2), common.saved(found)]
        identical = percent(played["identical"], 2)
        rows.append(
            (
                common.line_up_cell(a, line_up),
                count(played["games"]),
                replace(identical, strong=played["no_reaction"]),
                percent(played["scored_alike"], 2),
                *cells,
            )
        )
    note = (
        "“Played identically”: every decision of the game was the same with both sets (bold where no bot reacted to "
        "the edit although scores differ). “Saved”: how many times more games would be needed for the same interval if "
        "each set had deals of its own (variance ratio)."
    )
    return Table(
        "pairing", "How alike the games of the two sets are, and what that was worth", columns, tuple(rows), note
    )


def _ended(a: Answer) -> tuple[Table, ...]:
    """What play went on for, where it was ended as soon as that was known."""
    if a.stopped is None:
        return ()
    columns = (Column("Question", numeric=False), Column("Answer", numeric=False))
    rows = tuple((Cell(asked), Cell(told)) for asked, told in endings(a))
    note = "These intervals may be looked at after every deal: they hold at all looks together."
    return (Table("ended", f"Why play ended after {a.comparison.deals:,} deals", columns, rows, note),)


def _bots(a: Answer) -> Table:
    columns = (
        Column("Bot", numeric=False, short=True),
        Column("Tier", numeric=False, short=True),
        Column("What it does", numeric=False, short=True),
    )
    rows = tuple((common.bot_cell(a, name), Cell(tier), Cell(text)) for name, tier, text in a.comparison.bots)
    caption = "The bots; tiers from weak to strong are random, simple, expert, trained, search"
    return Table("bots", caption, columns, rows)


def _run(a: Answer) -> Table:
    c = a.comparison
    said = {
        "Game": f"{c.title} ({c.game})",
        "Card set before": c.base.card_set,
        "Card set before, hash": c.base.card_set_hash,
        "Card set after": c.variant.card_set,
        "Card set after, hash": c.variant.card_set_hash,
        "Seats": str(c.seats),
        "Line-ups": str(len(a.line_ups)),
        "Games with each set": f"{c.games:,}",
        "Deals of each line-up": f"{c.deals:,}",
        "Seed": str(c.seed),
        "Log level": a.log,
        "Your margins": f"{common.share_margin(a)} of wins, {common.points_margin(a)}",
        "Runs finished": "yes" if c.base.complete and c.variant.complete else "no",
        "fairdeal": a.version,
    }
    columns = (Column("What", numeric=False), Column("Value", numeric=False))
    return Table("run", "The two runs", columns, tuple((Cell(key), Cell(value)) for key, value in said.items()))


def _how(a: Answer) -> str:
    return (
        "A deal is one realisation of all chance. Shuffles are keyed by the card, so that both sets are dealt alike as "
        f"far as their cards are the same, and each deal is played with the bots in all {a.comparison.seats} seats. "
        f"{common.HOW} A number is as good as the bots that made it: they do not learn from an edit unless they are "
        "trained again, and people may play otherwise. The whole result is in report.json beside this page; the same "
        "seed, card sets and version give the same games."
    )
