"""Length and feel: how long games last, how often the lead changes, how often one comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis import figures, market_verdicts
from analysis.balance import Balance
from analysis.tempo import HEADLINE_CLOSE
from reports import numbers
from reports.numbers import NONE, amount, count, estimate
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "feel"


def section(balance: Balance) -> Section:
    """The section on length and feel."""
    drawn = [_lengths(balance)]
    if (ends := key_figure(balance, "ends")) is not None:
        drawn.append(ends)
    if (back := _comebacks(balance)) is not None:
        drawn.append(back)
    tables = [_length_table(balance), _leads(balance), _choices(balance), _behind(balance), _close(balance)]
    if balance.main.pace is not None and len(balance.main.pace):
        tables.insert(1, _pace(balance))
    return Section(
        NAME, "Length and feel", common.sentences(balance, "feel"), tuple(drawn), tuple(tables), _how(balance)
    )


def key_figure(balance: Balance, name: str = "key-ends") -> Figure | None:
    """What ends the games of each line-up, where the game has words for it."""
    if not market_verdicts.worded(balance):
        return None
    shown = common.main_first(balance)
    most_first = sorted(balance.main.tempo.ends, key=lambda pair: -pair[1].value)
    parts = [balance.facts.endings[end] for end, _ in most_first if _ever(balance, end)]
    rows = [
        {"name": result.title, "part": balance.facts.endings[end], "value": share.value * 100}
        for result in shown
        for end, share in result.tempo.ends
    ]
    frame = common.rows_frame(rows)
    top, height = len(parts) * figures.KEY, len(shown) * figures.BAR
    width = common.WIDTH - 2 * common.EDGE
    panels = [
        Panel(common.EDGE, 2, width, top, lambda ax: figures.key(ax, parts)),
        Panel(common.EDGE, top + 4, width, height, lambda ax: figures.stacked(frame, ax, parts=parts)),
    ]
    told = "; ".join(
        f"{result.title}: "
        + ", ".join(f"{balance.facts.endings[end]} {' ('.join(numbers.words(e))} %)" for end, e in result.tempo.ends)
        for result in shown
    )
    alt = f"What ends the games, in per cent of them. {told}."
    drawing = Drawing(name, common.WIDTH, top + height + 8, panels, alt)
    end, share = max(balance.main.tempo.ends, key=lambda pair: pair[1].value)
    words = balance.facts.endings[end]
    title = f"{words[0].upper()}{words[1:]} ends {numbers.words(share)[0]} % of the games ({balance.main.title})"
    return Figure(name, title, drawing, "Shares of the games of each line-up; the table has their intervals.")


def _ever(balance: Balance, end: str) -> bool:
    return any(share.value > 0 for result in balance.line_ups for name, share in result.tempo.ends if name == end)


def _pace(balance: Balance) -> Table:
    """What bots did per own turn, a column a bot in self-play."""
    shown = [
        (result, bot.bot, result.pace.filter(bot=bot.bot))
        for result in common.self_play(balance)
        for bot in result.scores.bots
        if result.pace is not None
    ][: common.MOST_ROWS]
    columns = (
        Column("What", numeric=False),
        Column("What it counts", numeric=False),
        *(Column(bot if result.mirror else f"{bot} in {result.title}", "per own turn") for result, bot, _ in shown),
    )
    rows = tuple(
        (
            Cell(first["counter"].replace("_", " ")),
            Cell(f"{first['text'].rstrip('.')} ({first['unit']})"),
            *(amount(estimate(frame.row(k, named=True), first["unit"])) for _, _, frame in shown),
        )
        for k, first in enumerate(shown[0][2].iter_rows(named=True))
        if any(frame["value"][k] != 1 for _, _, frame in shown)  # own turns themselves
    )
    note = "A game’s turns are shared evenly among its seats. How often a game stands in the section on scores."
    return Table("pace", "What bots did per turn of their own", columns, rows, note)


def _lengths(balance: Balance) -> Figure:
    rows, shapes = [], []
    for result in sorted(common.self_play(balance), key=lambda r: -r.tempo.length.value)[: common.MOST_ROWS]:
        rows.append(common.mark(result.title, result.tempo.length, common.tint(balance, result)))
        frame = result.tempo.lengths
        shapes.append(
            frame.select(pl.lit(result.title).alias("name"), x=pl.col("turns").cast(pl.Int64), fraction="fraction")
        )
    drawing = common.ridges(
        "lengths",
        pl.concat(shapes),
        rows,
        "turns in a game; dot: mean with interval",
        what="Distributions of the length of games.",
    )
    tempo = balance.main.tempo
    cut = tempo.cut_off.value
    share, n = numbers.words(tempo.cut_off)[0], balance.main.distinct
    ending = f"; {share} % are cut off" if cut > 0 else f"; none of {n:,} was cut off"
    title = f"Half of the games end within {tempo.length_median.value:g} turns{ending} ({balance.main.title})"
    return Figure("lengths", title, drawing)


def _classes(frame: pl.DataFrame) -> list[str]:
    labels = []
    for row in frame.iter_rows(named=True):
        low, high = row["behind_from"], row["behind_to"]
        labels.append(f"{low}+" if high is None else str(low) if low == high else f"{low}–{high}")
    return labels


def _comebacks(balance: Balance) -> Figure | None:
    frame = balance.main.tempo.comebacks
    if not len(frame) or frame["value"].null_count() == len(frame):
        return None
    rows = []
    for label, row in zip(_classes(frame), frame.iter_rows(named=True), strict=True):
        if row["value"] is not None:
            text = f"{row['value'] * 100:.0f}"
            rows.append({"label": label, "text": text, **{k: row[k] * 100 for k in ("value", "low", "high")}})
    drawn = common.rows_frame(rows)
    unit, fair = balance.facts.score_unit, 100 / balance.facts.seats
    colour = common.tint(balance, balance.main)

    def paint(ax: Axes) -> Axes:
        return figures.curve(
            drawn, ax, xlabel=f"{unit} behind at half time",
            ylabel=f"wins of such a seat, per cent; line: {fair:.3g}, an even share", fair=fair, tint=colour,
        )  # fmt: skip

    alt = "Wins of a seat that is behind at half time. " + "; ".join(
        f"behind by {row['label']}: {row['text']} % ({row['low']:.1f} to {row['high']:.1f})" for row in rows
    )
    drawing = Drawing("comebacks", common.WIDTH, 210, [Panel(14, 20, common.WIDTH - 20, 154, paint)], alt + ".")
    back, interval = numbers.words(balance.main.tempo.comeback)
    who = "Whoever is behind" if balance.facts.seats == 2 else "Each player who is behind"
    title = f"{who} at half time still wins {back} % (interval {interval}; {balance.main.title})"
    return Figure("comebacks", title, drawing)


def _length_table(balance: Balance) -> Table:
    rounds = not balance.facts.round_is_game
    columns = (
        Column("Line-up", numeric=False),
        Column("Length", "mean turns"),
        Column("Half end within", "turns"),
        Column("95 % end within", "turns", name="p95"),
        *([Column("Rounds", "a game")] if rounds else []),
        Column("Cut off", "% of games"),
        *(Column(f"Ended by: {balance.facts.endings[name]}", "% of games") for name, _ in balance.main.tempo.ends),
        Column("Games"),
    )
    rows = tuple(
        (
            common.line_up_cell(balance, result),
            amount(result.tempo.length),
            amount(result.tempo.length_median),
            amount(result.tempo.length_p95),
            *([amount(result.tempo.rounds)] if rounds else []),
            amount(result.tempo.cut_off),
            *(amount(share) for _, share in result.tempo.ends),
            count(result.distinct),
        )
        for result in balance.line_ups
    )
    return Table("length-table", "How long games are, and how they end", columns, rows)


def _leads(balance: Balance) -> Table:
    unit = balance.facts.score_unit
    columns = (
        Column("Line-up", numeric=False),
        Column("Lead changes", "a game"),
        Column("Last change", "% of the game"),
        Column("Never changes", "% of games"),
        Column("Wins from behind", "%"),
        Column(f"Won by up to {HEADLINE_CLOSE}", "% of games"),
        Column("Ties", "% of games"),
        Column("Winner’s mean", unit),
        Column("Loser’s mean", unit),
    )
    rows = tuple(
        (
            common.line_up_cell(balance, result),
            amount(result.tempo.lead_changes),
            amount(result.tempo.last_change),
            amount(result.tempo.no_change),
            amount(result.tempo.comeback),
            amount(result.tempo.close),
            amount(result.tempo.ties),
            amount(result.scores.winning),
            amount(result.scores.losing),
        )
        for result in balance.line_ups
    )
    return Table("leads", "How often the lead changes, and how close games are", columns, rows)


def _choices(balance: Balance) -> Table:
    columns = (
        Column("Line-up", numeric=False),
        Column("Bot", numeric=False),
        Column("Options", "a decision"),
        Column("Forced", "% of decisions"),
        Column("Decisions", "a game"),
    )
    rows = tuple(
        (
            common.line_up_cell(balance, result),
            common.bot_cell(balance, choice.bot),
            amount(choice.options),
            amount(choice.forced),
            amount(choice.decisions),
        )
        for result in balance.line_ups
        for choice in result.tempo.choices
    )
    return Table("choices", "How much there is to choose", columns, rows)


def _behind(balance: Balance) -> Table:
    frame = balance.main.tempo.comebacks
    columns = (
        Column("Behind at half time", balance.facts.score_unit),
        Column("Wins", "%", interval=True),
        Column("Such seats"),
    )
    rows = tuple(
        (
            Cell(label, raw=(row["behind_from"],)),
            NONE if row["value"] is None else amount(estimate(row, "share")),
            count(row["cases"]),
        )
        for label, row in zip(_classes(frame), frame.iter_rows(named=True), strict=True)
    )
    return Table("behind", f"Wins from behind ({balance.main.title})", columns, rows)


def _close(balance: Balance) -> Table:
    frame = balance.main.tempo.closeness
    columns = (Column("Won by at most", balance.facts.score_unit), Column("Games", "%"))
    rows = tuple(
        (Cell(str(row["k"]), raw=(row["k"],)), amount(estimate(row, "share")))
        for row in frame.iter_rows(named=True)
    )
    return Table("close", f"How close games are ({balance.main.title})", columns, rows)


def _how(balance: Balance) -> str:
    return (
        f"The running score for leads is: {balance.facts.standing}. A lead change is a change of sign of the "
        "difference in it, ties skipped; the last one is given as a share of the game’s turns, over games that had "
        "one. Half time is after half of the turns. Games that reached a length cap are cut off and counted as they "
        "stood. Options are legal choices at a decision with more than one; a forced decision has one. "
        f"{common.BY_DEALS} Quantiles have intervals by order statistics."
    )
