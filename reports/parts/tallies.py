"""Tallied cards: how often things happen with cards that come and go, and how results go with that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis import figures
from analysis.balance import Balance
from analysis.market_verdicts import UNPLAYED
from analysis.tallies import Tallies
from reports.numbers import NONE, amount, effect, estimate
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "tallies"
MOST = 40
"""At most so many types stand in the figure."""

Row = dict[str, Any]


def section(balance: Balance) -> Section:
    """The section on tallied cards."""
    tallies = balance.main.tallies
    assert tallies is not None
    if not tallies.tallies:
        return Section(NAME, _title(tallies), ("Nothing that is tallied happened in these games.",))
    drawn = _figure(balance, tallies)
    tables = [_rates(balance, tallies), _per_turn(balance, tallies)]
    if len(_bots(balance)) > 1:
        tables.append(_by_bot(balance, tallies))
    tables.append(_association(balance, tallies))
    return Section(NAME, _title(tallies), common.sentences(balance, NAME), (drawn,), tuple(tables), _how(balance))


def _title(tallies: Tallies) -> str:
    groups = list(dict.fromkeys(tallies.rates["group"]))
    return f"How often: {', '.join(groups)}"


def _first_bot(balance: Balance) -> str:
    return balance.main.scores.bots[0].bot


def _sorted(balance: Balance, tallies: Tallies) -> list[Row]:
    """The first bot's rates of the first tally, the most frequent on top."""
    found = tallies.rates.filter(tally=tallies.tallies[0], bot=_first_bot(balance))
    return found.sort("value", descending=True, nulls_last=True, maintain_order=True).to_dicts()


def _figure(balance: Balance, tallies: Tallies) -> Figure:
    """How often each is played, and how the margin goes with one time more."""
    tally, unit = tallies.tallies[0], balance.facts.score_unit
    rows = _sorted(balance, tallies)[:MOST]
    slopes = {row["type"]: row for row in tallies.association.filter(tally=tally).iter_rows(named=True)}
    colour = common.tint(balance, balance.main)

    def frame(of: list[Row], tint: str) -> pl.DataFrame:
        return common.rows_frame(
            {"label": row["label"], "colour": tint, "strong": row["share_high"] < UNPLAYED, "gap": False}
            | {key: found[key] for key in ("value", "low", "high")}
            for row, found in zip(rows, of, strict=True)
        )

    often, gains = frame(rows, colour), frame([slopes[row["type"]] for row in rows], figures.MUTED)
    left = max(figures.label_room(row["label"], row["share_high"] < UNPLAYED) for row in rows)
    gap, width = 18.0, 480.0
    height = (len(rows) + 0.4) * figures.THIN_ROW
    each = (width - left - 10 - gap) / 2
    top = 16.0 + (12 if len(rows) > figures.FAR else 0)

    def left_panel(ax: Axes) -> Axes:
        return figures.forest(often, ax, xlabel="times a game and player", heading=tally.capitalize())

    def right_panel(ax: Axes) -> Axes:
        label = f"{unit} ahead for each time more"
        return figures.forest(gains, ax, xlabel=label, hollow=True, labels=False, heading="Association")

    panels = [Panel(left, top, each, height, left_panel), Panel(left + each + gap, top, each, height, right_panel)]
    marks = [common.mark(row["label"], estimate(row, "times"), "") for row in rows]
    alt = f"How often each card is {tally} in a game by a player. {common.in_words(marks)}"
    drawing = Drawing("tallies-often", width, top + height + 34, panels, alt)
    names = [row["label"] for row in rows if row["share_high"] is not None and row["share_high"] < UNPLAYED]
    title = f"Most often {tally}: {rows[0]['label']}, {rows[0]['value']:.1f} times a game and player"
    if names:
        title += f"; {len(names)} hardly ever"
    note = "Rings at the right: an association, confounded with how the game went. Bold: by hardly any player."
    return Figure("tallies-often", f"{title} ({balance.main.title})", drawing, note)


def _rates(balance: Balance, tallies: Tallies) -> Table:
    bot = _first_bot(balance)
    of = {t: _by_type(tallies.rates.filter(tally=t, bot=bot)) for t in tallies.tallies}
    first = tallies.tallies[0]
    columns = (
        Column("Card", numeric=False, short=True),
        *(Column(tally.capitalize(), "a game and player", short=True) for tally in tallies.tallies),
        Column(f"Ever {first}", "% of players in a game", short=True),
    )
    rows = tuple(
        (
            Cell(row["label"]),
            *(_amount(of[tally][row["type"]], "times") for tally in tallies.tallies),
            _share(of[first][row["type"]]),
        )
        for row in _sorted(balance, tallies)
    )
    caption = f"How often, in a game and by a player ({balance.main.title}, {tallies.n:,} deals)"
    return Table("tallies-rates", caption, columns, rows)


def _per_turn(balance: Balance, tallies: Tallies) -> Table:
    bot = _first_bot(balance)
    of = {t: _by_type(tallies.rates.filter(tally=t, bot=bot)) for t in tallies.tallies}
    columns = (
        Column("Card", numeric=False),
        *(Column(tally.capitalize(), "in 100 own turns") for tally in tallies.tallies),
    )
    rows = tuple(
        (Cell(row["label"]), *(_hundredfold(of[tally][row["type"]]) for tally in tallies.tallies))
        for row in _sorted(balance, tallies)
    )
    return Table("tallies-turns", f"How often, in a hundred turns of a player ({balance.main.title})", columns, rows)


def _by_type(frame: pl.DataFrame) -> dict[str, Row]:
    return {row["type"]: row for row in frame.iter_rows(named=True)}


def _amount(row: Row, unit: str) -> Cell:
    return NONE if row["value"] is None else amount(estimate(row, unit))


def _share(row: Row) -> Cell:
    found = amount(estimate(row, "share", "share"))
    return replace(found, strong=row["share_high"] < UNPLAYED)


def _hundredfold(row: Row) -> Cell:
    # A share is written a hundredfold too.
    return NONE if row["turn"] is None else amount(estimate(row, "share", "turn"))


def _bots(balance: Balance) -> list[tuple[str, str, Tallies]]:
    """(head, bot, tallies) of every bot in self-play, or in all line-ups where there is none."""
    return [
        (bot.bot if result.mirror else f"{bot.bot} in {result.title}", bot.bot, result.tallies)
        for result in common.self_play(balance)
        for bot in result.scores.bots
        if result.tallies is not None
    ][: common.MOST_ROWS]


def _by_bot(balance: Balance, tallies: Tallies) -> Table:
    first = tallies.tallies[0]
    shown = [(head, _by_type(of.rates.filter(tally=first, bot=bot))) for head, bot, of in _bots(balance)]
    columns = (
        Column("Card", numeric=False),
        *(Column(head, "a game and player") for head, _ in shown),
    )
    rows = tuple(
        (Cell(row["label"]), *(_amount(of[row["type"]], "times") for _, of in shown))
        for row in _sorted(balance, tallies)
    )
    return Table("tallies-bots", f"How often {first}, by who plays", columns, rows)


def _association(balance: Balance, tallies: Tallies) -> Table:
    unit = balance.facts.score_unit
    of = {t: _by_type(tallies.association.filter(tally=t)) for t in tallies.tallies}
    columns = (
        Column("Card", numeric=False),
        *(Column(f"{tally.capitalize()}: association", f"{unit} for one time more") for tally in tallies.tallies),
    )
    rows = tuple(
        (Cell(row["label"]), *(_slope(of[tally][row["type"]], unit) for tally in tallies.tallies))
        for row in _sorted(balance, tallies)
    )
    note = (
        "Confounded: who is ahead can do more, and long plans pay off late. These numbers say with what doing "
        "something goes together, not what it does. In bold: surely not zero, false alarms among all cards controlled."
    )
    caption = f"How far ahead who did it one time more than the others is ({balance.main.title})"
    return Table("tallies-association", caption, columns, rows, note)


def _slope(row: Row, unit: str) -> Cell:
    if row["value"] is None:
        return NONE
    found = effect(estimate(row, unit))
    return replace(found, strong=bool(row["flagged"]))


def _how(balance: Balance) -> str:
    return (
        "Counted a game and player; a game’s turns are shared evenly among its players. The association is the slope "
        f"of the margin in {balance.facts.score_unit} on how much more often a player did something than the others at "
        "the table. What players choose is confounded with how the game went; what a card is worth is what fairdeal "
        f"access measures: it plays with the card forbidden to one player. {common.BY_DEALS}"
    )
