"""Cards: what the edit did to each, by chance (opening hands) and by choice (what bots play)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis import answer, figures, stats
from analysis.answer import CARD_MEASURES, Answer, Row, card_rows, estimate
from analysis.comparison import IDENTICAL
from reports import numbers
from reports.numbers import NONE, plain
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common as any_report
from reports.parts.comparison import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "cards"
MOST_CARDS = 60
"""At most so many cards stand in the forest plot: those whose change is the surest."""
KEY_CARDS = 10
"""So many stand in the figure of page one."""
HEADINGS = {
    "card_effect_points": "Worth in the opening hand",
    "card_effect": "Worth in the opening hand",
    "card_played": "Played when held",
    "card_held": "Held at all",
    "market_built": "Built",
    "market_improved": "Improved once built",
    "tally_times": "How often",
}
WORDS = {
    "card_effect_points": "worth of the card in an opening hand",
    "card_effect": "worth of the card in an opening hand",
    "card_played": "share played when held",
    "card_held": "share of the chances that it is held",
    "market_built": "share of games in which it is built",
    "market_improved": "share improved of those built",
    "tally_times": "number of times a game and player",
}
MAIN = ("card_effect_points", "card_played", "market_built", "tally_times")
"""The questions of which a table shows both arms and the finding; of the others the change."""


def _asked(a: Answer) -> list[str]:
    """The questions that the forest plot shows, at most two: what chance did, and what bots did with it."""
    there = [measure for measure in CARD_MEASURES if a.rows(measure) and measure != "tally_times"]
    if "card_effect_points" in there:
        there = [measure for measure in there if measure != "card_effect"]
    return there[:2]


def key_figure(a: Answer) -> Figure | None:
    """For page one: the cards whose change is the surest."""
    asked = _asked(a)
    if not asked:
        return None
    measure = next((m for m in asked if _beyond(a, m)), asked[0])
    rows = card_rows(a, measure)[:KEY_CARDS]
    return Figure("key-cards", _title(a, measure), _forest(a, "key-cards", [row["subject"] for row in rows], [measure]))


def section(a: Answer) -> Section:
    """The section on cards; without anything to say about them it tells why."""
    said = common.sentences(a, NAME)
    asked = _asked(a)
    if not asked:
        why = (
            "These runs kept no card log (log level “games”), so nothing can be said about single cards: play them "
            "with the log level “cards”."
            if a.log == "games"
            else "Nothing can be said about single cards here: 0 are in both sets, or too few deals were played."
        )
        there = (_table(a),) if len(a.comparison.cards) else ()
        return Section(NAME, "Cards", (*said, why), (), there, _how(a))
    ranked = _ranked(a)
    names = ranked[:MOST_CARDS]
    measure = next((m for m in asked if _beyond(a, m)), asked[0])
    note = "Bold: surely beyond your margin, false alarms among all cards controlled."
    if len(ranked) > len(names):
        note += f" Shown are {len(names)} of {len(ranked)} cards, the surest changes; the table has all."
    figure = Figure("cards-forest", _title(a, measure), _forest(a, "cards-forest", names, asked), note)
    figures_, tables = [figure], [_table(a)]
    if tallied := card_rows(a, "tally_times")[:MOST_CARDS]:
        drawing = _forest(a, "tallies-forest", [row["subject"] for row in tallied], ["tally_times"])
        figures_.append(Figure("tallies-forest", _title(a, "tally_times"), drawing, note))
        tables.append(_tallied(a))
    return Section(NAME, "Cards", said, tuple(figures_), tuple(tables), _how(a))


def _ranked(a: Answer) -> list[str]:
    """The card types of both sets: those that surely changed in any question first, the surest changes on top."""
    asked = _asked(a)
    if not asked:
        return []
    strong = {row["subject"] for measure in asked for row in _beyond(a, measure)}
    # Not every question is asked of every card: what is chosen has no worth in an opening hand.
    names = dict.fromkeys(row["subject"] for measure in asked for row in card_rows(a, measure))
    return sorted(names, key=lambda name: name not in strong)


def _beyond(a: Answer, measure: str) -> list[Row]:
    return [row for row in card_rows(a, measure) if row["wording"] == stats.MATTERS]


def _title(a: Answer, measure: str) -> str:
    rows, beyond = card_rows(a, measure), _beyond(a, measure)
    margin = answer.margin_of(a, rows[0])
    if all(row["wording"] == IDENTICAL for row in rows):
        return f"The {WORDS[measure]} is exactly the same with both sets, for every card"
    if not beyond:
        return f"Of no card is it sure that the {WORDS[measure]} changes by more than {margin}"
    if len(beyond) == 1:
        return f"The {WORDS[measure]} changes by more than {margin} for {beyond[0]['card']} alone"
    return f"The {WORDS[measure]} changes by more than {margin} for {len(beyond)} of {len(rows)} cards"


def _forest(a: Answer, name: str, names: list[str], asked: list[str]) -> Drawing:
    """Changes of some cards, a panel a question."""
    by_card = {measure: {row["subject"]: row for row in card_rows(a, measure)} for measure in asked}
    labels = dict(a.comparison.cards.select("type", "label").iter_rows())
    strong = {n for measure in asked for n, row in by_card[measure].items() if row["wording"] == stats.MATTERS}
    colour = common.tint(a, a.main)
    left = max(figures.label_room(labels[n], n in strong) for n in names)
    height = (len(names) + 0.4) * figures.THIN_ROW
    width = any_report.WIDTH if len(asked) == 1 else 480.0
    gap = 18
    each = (width - left - 10 - gap * (len(asked) - 1)) / len(asked)
    top = (16.0 if len(asked) > 1 else 2.0) + (12 if len(names) > figures.FAR else 0)

    def panel(i: int, measure: str) -> Panel:
        found = by_card[measure]
        k = answer.scale(next(iter(found.values()))["unit"])
        unit = common.unit_of(next(iter(found.values())), effect=True)
        # Where the margin is a part of each number there is not one for all.
        margin = None if measure == "tally_times" else next(iter(found.values()))["margin"] * k
        frame = any_report.rows_frame(
            {"label": labels[n], "colour": colour, "strong": n in strong, "gap": False}
            | {x: None if n not in found or found[n][y] is None else found[n][y] * k for x, y in VALUES}
            for n in names
        )

        def paint(ax: Axes) -> Axes:
            what = HEADINGS[measure] if len(asked) > 1 else ""
            label = f"change of the {WORDS[measure]}, {unit}" if not what else f"change, {unit}"
            if margin is None:
                label = "change, times a game and player"
            grey = "" if margin is None else f"; grey: ±{margin:g}"
            return figures.forest(
                frame, ax, xlabel=label + grey, margin=margin, labels=i == 0, heading=what, hollow=False
            )  # fmt: skip

        return Panel(left + i * (each + gap), top, each, height, paint)

    told = []
    for measure in asked:
        marks = [
            any_report.mark(labels[n], estimate(by_card[measure][n]), colour, effect=True)
            for n in names
            if n in by_card[measure]
        ]
        told.append(f"Change of the {WORDS[measure]}. {any_report.in_words(marks)}")
    return Drawing(name, width, top + height + 34, [panel(i, m) for i, m in enumerate(asked)], " ".join(told))


VALUES = (("value", "difference"), ("low", "low"), ("high", "high"))
"""Columns of a figure and those of a comparison that they show."""


def _table(a: Answer) -> Table:
    """Every card but the tallied ones; all of them where nothing is asked of the others."""
    asked = [measure for measure in (*CARD_MEASURES, "card_win") if a.rows(measure) and measure != "tally_times"]
    tallied = {row["subject"] for row in a.rows("tally_times")} if asked else set()
    caption = f"Every card ({a.main}, {a.comparison.deals:,} deals)"
    return _rows_of(a, "cards-table", caption, asked, a.comparison.cards.filter(~pl.col("type").is_in(tallied)))


def _tallied(a: Answer) -> Table:
    """The tallied cards."""
    rows = a.rows("tally_times")
    cards = a.comparison.cards.filter(pl.col("type").is_in({row["subject"] for row in rows}))
    what = rows[0]["label"].rpartition(" ")[2]
    return _rows_of(a, "tallies-table", f"How often a card is {what} ({a.main})", ["tally_times"], cards)


def _rows_of(a: Answer, name: str, caption: str, asked: list[str], cards: pl.DataFrame) -> Table:
    """A table of some cards, a row each, and the changes in the questions asked."""
    by_card = {measure: {row["subject"]: row for row in a.rows(measure)} for measure in asked}
    grouped = any(row["group"] not in row["label"] for row in cards.iter_rows(named=True))
    columns = [
        Column("Card", numeric=False, short=True),
        *([Column("Group", numeric=False)] if grouped else []),
        Column("Copies", "before", short=not asked, name="copies_before"),
        Column("Copies", "after", short=not asked, name="copies_after"),
    ]
    for measure in asked:
        effect = "percentage points" if by_card_unit(by_card[measure]) == "share" else by_card_unit(by_card[measure])
        level = "%" if by_card_unit(by_card[measure]) == "share" and measure != "card_effect" else effect
        main = measure in MAIN
        if main:
            arms = ("before", "after")
            columns += [Column(HEADS[measure], f"{arm}, {level}", name=f"{measure}_{arm}") for arm in arms]
        columns += [Column(HEADS[measure], f"change, {effect}", short=main, name=f"{measure}_change", interval=True)]
        if main:
            columns += [Column("False alarm", "q", name=f"{measure}_q")]
            columns += [Column("Beside your margin", numeric=False, short=True, name=f"{measure}_beside_your_margin")]
    order = {kind: place for place, kind in enumerate(_order(a, asked))}
    frame = sorted(
        cards.iter_rows(named=True),
        key=lambda row: (row["change"] == "both", order.get(row["type"], len(order))),
    )
    body = []
    for card in frame:
        cells = [
            Cell(card["label"], strong=card["change"] != "both"),
            *([Cell(card["group"])] if grouped else []),
            numbers.count(card["base"]) if card["base"] else Cell("new", strong=True),
            numbers.count(card["variant"]) if card["variant"] else Cell("gone", strong=True),
        ]
        for measure in asked:
            cells += _cells(by_card[measure].get(card["type"]), measure in MAIN)
        body.append(tuple(cells))
    note = f"Cards that are new or gone come first, then the surest changes. Numbers are those of {a.main}."
    return Table(name, caption, tuple(columns), tuple(body), note)


def _order(a: Answer, asked: list[str]) -> list[str]:
    return [row["subject"] for row in card_rows(a, "tally_times")] if asked == ["tally_times"] else _ranked(a)


HEADS = {
    "card_effect_points": "Worth in the opening hand",
    "card_effect": "Worth in the opening hand",
    "card_played": "Played when held",
    "card_held": "Held",
    "card_win": "Wins when played: association",
    "market_built": "Built when on the table",
    "market_improved": "Improved once built",
    "tally_times": "A game and player",
}


def by_card_unit(rows: dict[str, Row]) -> str:
    """The unit of one question about cards."""
    return str(next(iter(rows.values()))["unit"])


def _cells(row: Row | None, main: bool) -> list[Cell]:
    if row is None:
        return [NONE] * (5 if main else 1)
    if not main:
        return [common.change(row)]
    return [*common.arm_cells(row), common.change(row), plain(row["q"], 3), common.finding(row)]


def _how(a: Answer) -> str:
    alarms = (
        "q: the expected share of false alarms among cards at least as clear (Benjamini-Hochberg over all cards of a "
        "question); only up to 0.05 a card is said to have changed."
    )
    if a.rows("market_built", "tally_times"):
        return (
            f"{common.HOW} What is built and played is the bots’ choice. Built: of the games in which a card lies on "
            f"the table, those in which anybody built it. {alarms}"
        )
    return (
        f"{common.HOW} The worth of a card in the opening hand is what chance shows: the result regressed on the cards "
        "that were dealt, for all at once, relative to the average card of those in both sets. What is played is the "
        f"bots’ choice. {alarms} “Wins when played” is confounded with how the game went: it describes, it does not "
        "explain."
    )
