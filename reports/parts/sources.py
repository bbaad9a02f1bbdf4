"""Where scores come from, and what is done how often: the bots side by side, and the winner's lead beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis import figures
from analysis.balance import Balance
from analysis.score_verdicts import families, largest, members, moving, said, sure
from analysis.scores import BotScores, Named
from analysis.stats import Estimate
from reports import numbers
from reports.numbers import amount, effect
from reports.page import Cell, Column, Figure, Table
from reports.parts import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE = 480.0
GAP = 18.0
LEAD_NOTE = "Rings at the right: how much more the winner has than the mean of the others."
FAMILY_NOTE = f"{LEAD_NOTE} An association: who is ahead for other reasons can do more, too."
EXACT_NOTE = f"{LEAD_NOTE} This is an account: the leads in all parts add up to the lead in score."


@dataclass(frozen=True)
class Shown:
    """A bot of the figure: its heading, its colour, and its scores."""

    head: str
    colour: str
    scores: BotScores


def shown(balance: Balance) -> list[Shown]:
    """The bots side by side, that of page one first: each in self-play; where there is none, those of page one."""
    there = [result for result in balance.line_ups if result.mirror] or [balance.main]
    pairs = [(result, bot) for result in there for bot in result.scores.bots]
    first = balance.main.scores.bots[0]
    pairs.sort(key=lambda pair: (pair[1] is not first, -pair[1].score.value))
    return [
        Shown(
            bot.bot if result.mirror else f"{bot.bot} in {result.title}",
            figures.colour(common.bot_index(balance, bot.bot)),
            bot,
        )
        for result, bot in pairs[: common.MOST_ROWS]
    ]


# --- score parts -----------------------------------------------------------------------------------------------------


def parts_figure(balance: Balance) -> Figure | None:
    """The parts of a score, the largest on top, and the winner's lead in each."""
    bots, leads = shown(balance), balance.main.scores.part_leads
    parts = bots[0].scores.parts
    there = {part.name for bot in bots for part in moving(bot.scores.parts)}
    places = [i for i, part in enumerate(parts) if part.name in there]
    if len(places) < 2:
        return None
    places.sort(key=lambda i: -parts[i].mean.value)
    unit = balance.facts.score_unit
    labels = [said(parts[i].name) for i in places]
    marks = [[(bot.colour, bot.scores.parts[i].mean) for bot in bots] for i in places]
    drawing = _drawing(
        balance, "score-sources", labels, marks, [leads[i].mean for i in places] if leads else None,
        f"{unit} of a player", f"{unit} ahead of the others",
    )  # fmt: skip
    return Figure("score-sources", _parts_title(balance, parts, leads), drawing, EXACT_NOTE if leads else "")


def _parts_title(balance: Balance, parts: Sequence[Named], leads: Sequence[Named]) -> str:
    top = max(parts, key=lambda part: part.mean.value)
    bot = balance.main.scores.bots[0].bot
    title = f"The largest part of the score of {bot} is {said(top.name)}"
    if surely := largest(sure(leads)):
        first = surely[0].name
        title += ", and of the winner’s lead too" if first == top.name else f", of the winner’s lead {said(first)}"
    return f"{title} ({balance.main.title})"


# --- families of counters --------------------------------------------------------------------------------------------


def family_figures(balance: Balance) -> list[Figure]:
    """A figure for each family of counters: how often each of its members, and the winner's lead in it."""
    return [
        _family_figure(balance, family, places)
        for family, places in families(balance.main.scores.bots[0].counters).items()
    ]


def _family_figure(balance: Balance, family: str, places: Sequence[int]) -> Figure:
    bots, leads = shown(balance), balance.main.scores.counter_leads
    counters = bots[0].scores.counters
    ordered = sorted(places, key=lambda i: -counters[i].mean.value)
    unit = counters[ordered[0]].mean.unit
    labels = members([counters[i].name for i in ordered])
    marks = [[(bot.colour, bot.scores.counters[i].mean) for bot in bots] for i in ordered]
    name = "family-" + "".join(c if c.isalnum() else "-" for c in family.lower())
    drawing = _drawing(
        balance, name, labels, marks, [leads[i].mean for i in ordered] if leads else None,
        f"{unit} a game and player", f"{unit} more than the others",
    )  # fmt: skip
    most, least = (numbers.words(counters[i].mean)[0] for i in (ordered[0], ordered[-1]))
    title = (
        f"Of the {family}, {labels[0]} is the most frequent ({most} a game and player), {labels[-1]} the rarest "
        f"({least}; {balance.main.title})"
    )
    return Figure(name, title, drawing, FAMILY_NOTE if leads else "")


# --- the drawing -----------------------------------------------------------------------------------------------------


def _drawing(
    balance: Balance,
    name: str,
    labels: Sequence[str],
    marks: Sequence[Sequence[tuple[str, Estimate]]],
    leads: Sequence[Estimate] | None,
    xlabel: str,
    lead_label: str,
) -> Drawing:
    """A row a label: at the left a mark a bot, at the right the winner's lead of the line-up of page one."""
    bots = shown(balance)
    left_frame = common.rows_frame(
        {"label": label, "colour": colour} | _numbers(e)
        for label, of in zip(labels, marks, strict=True)
        for colour, e in of
    )
    key = figures.name_lines([bot.head for bot in bots], [bot.colour for bot in bots], WIDE - 20)
    key_height = 14.0 * (max(key["line"]) + 1) if len(bots) > 1 else 0.0
    left = max(figures.label_room(label) for label in labels)
    each = (WIDE - left - 10 - (GAP if leads else 0)) / (2 if leads else 1)
    height = (len(labels) + 0.2) * figures.row_height(len(bots))
    top = 18.0 + key_height + (12 if len(labels) > figures.FAR else 0)

    def bots_panel(ax: Axes) -> Axes:
        heading = bots[0].head if len(bots) == 1 else "On average"
        return figures.side_by_side(left_frame, ax, xlabel=xlabel, heading=heading)

    panels = [Panel(left, top, each, height, bots_panel)]
    told = [f"{label}: {numbers.words(of[0][1])[0]}" for label, of in zip(labels, marks, strict=True)]
    alt = f"{xlabel.capitalize()}, {bots[0].head}. {'; '.join(told)}."
    if leads:
        tint = common.tint(balance, balance.main)
        lead_frame = common.rows_frame(
            {"label": label, "colour": tint} | _numbers(e) for label, e in zip(labels, leads, strict=True)
        )

        def lead_panel(ax: Axes) -> Axes:
            return figures.side_by_side(
                lead_frame, ax, xlabel=lead_label, hollow=True, labels=False, heading="The winner’s lead"
            )

        panels.append(Panel(left + each + GAP, top, each, height, lead_panel))
        rows = [common.mark(label, e, "", effect=True) for label, e in zip(labels, leads, strict=True)]
        alt += f" The winner’s lead. {common.in_words(rows)}"
    if len(bots) > 1:
        panels.append(Panel(10, 0, WIDE - 20, key_height, lambda ax: figures.names_of(key, ax)))
    return Drawing(name, WIDE, top + height + 34, panels, alt)


def _numbers(e: Estimate) -> dict[str, float]:
    return {"value": e.value, "low": e.low, "high": e.high}


# --- the table -------------------------------------------------------------------------------------------------------


def table(balance: Balance) -> Table | None:
    """Score parts and counters, a column a bot in self-play, and the winner's lead in the line-up of page one."""
    bots, scores = shown(balance), balance.main.scores
    # By place, not by name: a part and a counter may have the same one.
    by_place = [[*bot.scores.parts, *bot.scores.counters] for bot in bots]
    leads = [*scores.part_leads, *scores.counter_leads]
    if not by_place[0]:
        return None
    rows = tuple(
        (
            Cell(said(item.name)),
            Cell(f"{item.text.rstrip('.')} ({item.mean.unit})"),
            *(amount(of_bot[k].mean) for of_bot in by_place),
            *([effect(leads[k].mean)] if leads else []),
        )
        for k, item in enumerate(by_place[0])
    )
    columns = (
        Column("Part", numeric=False),
        Column("What it counts", numeric=False),
        *(Column(bot.head, "a seat and game") for bot in bots),
        *([Column("The winner’s lead", f"over the others, {balance.main.title}")] if leads else []),
    )
    note = ""
    if leads:
        note = (
            "The winner’s lead is the winner’s number minus the mean of the others’. In the parts of the score it is "
            "an account: the leads add up to the lead in score. In what bots did it is an association: it goes "
            "together with winning, and may come from being ahead."
        )
    return Table("score-parts", "What scores are made of, and what bots did", columns, rows, note)
