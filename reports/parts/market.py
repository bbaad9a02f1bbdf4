"""What lies on the table for everybody: what is built of it, and what chance shows that its lying there does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis import figures, stats
from analysis.balance import Balance, LineUpBalance
from analysis.market import END, INSTRUMENTED, LENGTH, MARGIN, SCORE, SPREAD, Market
from analysis.market_verdicts import UNBUILT
from analysis.verdicts import counted
from reports.numbers import NONE, amount, count, effect, estimate, listed, percent, plain
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "market"
MOST = 40
"""At most so many types stand in a figure."""
OUTCOMES = {SCORE: "Everybody’s score", SPREAD: "Best minus lowest score", LENGTH: "Length of the game"}

Row = dict[str, Any]


def key_figure(balance: Balance) -> Figure | None:
    """For page one: how often what lies there is built."""
    market = balance.main.market
    if market is None or market.types["once"].null_count() == len(market.types):
        return None
    return Figure("key-market", _use_title(balance), _use(balance, market, "key-market"), USE_NOTE)


def section(balance: Balance) -> Section:
    """The section on what lies on the table."""
    market = balance.main.market
    assert market is not None
    said = common.sentences(balance, NAME)
    drawn = []
    if market.types["once"].null_count() < len(market.types):
        drawn.append(Figure("market-use", _use_title(balance), _use(balance, market, "market-use"), USE_NOTE))
    tables = [_use_table(balance, market), _by_line_up(balance)]
    if len(market.presence):
        note = f"Bold: surely beyond your margin. {PRESENCE_NOTE if market.fixed else ''}".strip()
        drawn.append(Figure("market-presence", _presence_title(balance), _presence(balance, market), note))
        tables += [_presence_table(balance, market), _ends_table(balance, market), _built_table(balance, market)]
    elif market.why_not:
        said = (*said, f"What lying on the table does is not known. {market.why_not}")
    if (apart := _by_bot(balance)) is not None:
        tables.append(apart)
    return Section(NAME, "On the table: what is built", said, tuple(drawn), tuple(tables), _how(balance, market))


USE_NOTE = "Bold: surely built in less than one game in twenty of those in which it lies on the table."
PRESENCE_NOTE = "Against an average card of its kind, as the rules fix how many of a kind lie there."


# --- use -------------------------------------------------------------------------------------------------------------


def _by_use(market: Market) -> pl.DataFrame:
    """All types, those that are built most often first; equal ones in the order of the game."""
    return market.types.sort("once", descending=True, nulls_last=True, maintain_order=True)


def _use_title(balance: Balance) -> str:
    market = balance.main.market
    assert market is not None
    rows = _by_use(market).filter(pl.col("once").is_not_null())
    dead = rows.reverse().filter(pl.col("once_high") < UNBUILT)["label"].to_list()
    if dead:
        who = listed(dead) if len(dead) <= 3 else f"{len(dead)} cards"
        return f"{who} {'is' if len(dead) == 1 else 'are'} hardly ever built ({balance.main.title})"
    high, low = rows.row(0, named=True), rows.row(-1, named=True)
    return (
        f"From {low['once'] * 100:.0f} % ({low['label']}) to {high['once'] * 100:.0f} % ({high['label']}) of the "
        f"games in which a card lies there it is built ({balance.main.title})"
    )


def _use(balance: Balance, market: Market, name: str) -> Drawing:
    """How often each type is built, and improved once built; the most built on top."""
    rows = _by_use(market).filter(pl.col("once").is_not_null()).head(MOST).to_dicts()
    improved = any(row["upgraded"] is not None for row in rows)
    colour = common.tint(balance, balance.main)

    def frame(of: str) -> pl.DataFrame:
        return common.rows_frame(
            {"label": row["label"], "colour": colour, "strong": row["once_high"] < UNBUILT, "gap": False}
            | {
                key: None if row[column] is None else row[column] * 100
                for key, column in (("value", of), ("low", f"{of}_low"), ("high", f"{of}_high"))
            }
            for row in rows
        )

    asked = [("once", "% of the games in which it lies there", "Built by anybody")]
    if improved:
        asked.append(("upgraded", "% of those built", "Improved"))
    told = [common.mark(row["label"], estimate(row, "share", "once"), "") for row in rows]
    alt = (
        f"Share of the games in which a card is built, of those in which it lies on the table. {common.in_words(told)}"
    )
    return _panels(name, rows, [(frame(of), label, head, None) for of, label, head in asked], alt)


def _panels(
    name: str, rows: list[Row], panels: Sequence[tuple[pl.DataFrame, str, str, float | None]], alt: str
) -> Drawing:
    """Forest plots side by side, the labels at the left: frame, what stands below, heading, margin of each."""
    strong = set(panels[0][0].filter("strong")["label"])
    left, gap = max(figures.label_room(row["label"], row["label"] in strong) for row in rows), 18.0
    height = (len(rows) + 0.4) * figures.THIN_ROW
    width = 480.0 if len(panels) > 1 else common.WIDTH
    each = (width - left - 10 - gap * (len(panels) - 1)) / len(panels)
    top = 16.0 + (12 if len(rows) > figures.FAR else 0)

    def panel(i: int, frame: pl.DataFrame, label: str, head: str, margin: float | None) -> Panel:
        def paint(ax: Axes) -> Axes:
            return figures.forest(frame, ax, xlabel=label, margin=margin, labels=i == 0, heading=head)

        return Panel(left + i * (each + gap), top, each, height, paint)

    return Drawing(name, width, top + height + 34, [panel(i, *one) for i, one in enumerate(panels)], alt)


def _use_table(balance: Balance, market: Market) -> Table:
    unit = balance.facts.score_unit
    improved = market.types["upgraded"].null_count() < len(market.types)
    columns = (
        Column("Card", numeric=False, short=True),
        Column("Group", numeric=False),
        Column("Copies"),
        Column("On the table", "% of games", short=True),
        Column("Copies there", "when on the table"),
        Column("Built", "% of games when on the table", short=True),
        Column("Copies built", "% of those on the table"),
        *([Column("Improved", "% of those built", short=True)] if improved else []),
        Column("Built on", f"mean, {balance.facts.when}", short=True),
        Column("By the winner", "% of those built"),
        Column("Builder ahead by: association", unit),
        Column("Games"),
    )
    rows = tuple(
        (
            Cell(row["label"]),
            Cell(row["group"]),
            count(row["copies"]),
            percent(row["offered"], 0),
            plain(row["lying"], 2),
            _share(row, "once", strong=row["once_high"] is not None and row["once_high"] < UNBUILT),
            _share(row, "built"),
            *([_share(row, "upgraded")] if improved else []),
            NONE if row["when"] is None else amount(estimate(row, "turns", "when")),
            _share(row, "winner"),
            NONE if row["association"] is None else effect(estimate(row, unit, "association")),
            count(row["games"]),
        )
        for row in _by_use(market).iter_rows(named=True)
    )
    note = (
        f"“Built on” is known in steps, so it is a mean of their middles; later than {market.latest} counts as about "
        f"that. “By the winner”: {100 / balance.facts.seats:.0f} % would be even. The winner’s share and how far "
        "builders are ahead are associations: who is ahead can build more."
    )
    return Table("market-use", f"What is built ({balance.main.title}, {market.n:,} deals)", columns, rows, note)


def _share(row: Row, name: str, strong: bool = False) -> Cell:
    if row[name] is None:
        return NONE
    found = amount(estimate(row, "share", name))
    return replace(found, strong=strong)


def _by_line_up(balance: Balance) -> Table:
    """How often each type is built, a column a line-up."""
    shown = _shown(balance)
    columns = (
        Column("Card", numeric=False),
        *(Column(result.title, "% of games when on the table") for result in shown),
    )
    by_type = [
        {row["type"]: row for row in result.market.types.iter_rows(named=True)} for result in shown if result.market
    ]
    market = balance.main.market
    assert market is not None
    rows = tuple(
        (Cell(row["label"]), *(_share(of[row["type"]], "once") for of in by_type))
        for row in _by_use(market).iter_rows(named=True)
    )
    return Table("market-line-ups", "How often each is built, by who plays", columns, rows)


def _shown(balance: Balance) -> list[LineUpBalance]:
    return [result for result in common.main_first(balance) if result.market is not None]


# --- presence --------------------------------------------------------------------------------------------------------


def _rows(market: Market, outcome: str) -> list[Row]:
    labels = market.types.select("type", "label")
    return (
        market.presence.filter(outcome=outcome)
        .join(labels, on="type", how="left", maintain_order="left")
        .sort("value", descending=True, nulls_last=True, maintain_order=True)
        .to_dicts()
    )


def _strong(row: Row) -> bool:
    return bool(row["flagged"] and row["wording"] == stats.MATTERS)


def _presence_title(balance: Balance) -> str:
    market = balance.main.market
    assert market is not None
    beyond = [row["label"] for row in _rows(market, SCORE) if _strong(row)]
    margin = common.points_margin(balance)
    if not beyond:
        return f"Of no card is it sure that its lying there moves the scores of all by more than {margin}"
    who = listed(beyond) if len(beyond) <= 3 else f"{len(beyond)} cards"
    moves = "moves" if len(beyond) == 1 else "move"
    return f"Lying on the table, {who} {moves} everybody’s score by more than {margin} ({balance.main.title})"


def _presence(balance: Balance, market: Market) -> Drawing:
    """Effects on the score and on the length, side by side; in the order of those on the score."""
    rows = _rows(market, SCORE)
    if len(rows) > MOST:
        half = MOST // 2
        rows = rows[:half] + rows[-half:]
    colour = common.tint(balance, balance.main)
    panels, told = [], []
    for outcome in (SCORE, LENGTH):
        by_type = {row["type"]: row for row in _rows(market, outcome)}
        frame = common.rows_frame(
            {"label": row["label"], "colour": colour, "gap": False}
            | {"strong": any(_strong(found) for found in (row, by_type[row["type"]]))}
            | {key: by_type[row["type"]][key] for key in ("value", "low", "high")}
            for row in rows
        )
        unit, margin = market.units[outcome], market.margins[outcome]
        grey = "grey: your margin" if outcome == SCORE else f"grey: ±{margin:.1f}, one part in twenty"
        panels.append((frame, f"{unit}; {grey}", OUTCOMES[outcome], margin))
        marks = [common.mark(row["label"], estimate(by_type[row["type"]], unit), "", effect=True) for row in rows]
        told.append(f"What a card’s lying on the table does to: {OUTCOMES[outcome]}, {unit}. {common.in_words(marks)}")
    return _panels("market-presence", rows, panels, " ".join(told))


def _presence_table(balance: Balance, market: Market) -> Table:
    of = {outcome: {row["type"]: row for row in _rows(market, outcome)} for outcome in OUTCOMES}
    columns = (
        Column("Card", numeric=False, short=True),
        *(Column(title, market.units[outcome], short=outcome != SPREAD) for outcome, title in OUTCOMES.items()),
        Column("Score, shrunk", market.units[SCORE]),
        Column("False alarm", "q of the score", name="q"),
        Column("Score: in your margin", numeric=False, short=True),
    )
    rows = tuple(
        (
            Cell(row["label"]),
            *(effect(estimate(of[outcome][row["type"]], market.units[outcome])) for outcome in OUTCOMES),
            effect(estimate(row, market.units[SCORE], "shrunk")),
            plain(row["q"], 3),
            Cell(common.FINDINGS[row["wording"]], strong=_strong(row)),
        )
        for row in of[SCORE].values()
    )
    against = "in place of an average card of its kind" if market.fixed else "against none"
    caption = f"What one more copy on the table does, {against} ({balance.main.title}, {market.n:,} deals)"
    note = "Chance decides what lies on the table: these are effects on all seats alike, not on the one who builds."
    return Table("market-presence", caption, columns, rows, note)


def _ends_table(balance: Balance, market: Market) -> Table:
    ends = [outcome for outcome in market.units if outcome.startswith(END)]
    ever = dict(balance.main.tempo.ends)
    ends = [outcome for outcome in ends if ever[outcome.removeprefix(END)].value > 0]
    of = {outcome: {row["type"]: row for row in _rows(market, outcome)} for outcome in ends}
    words = balance.facts.endings
    columns = (
        Column("Card", numeric=False),
        *(Column(f"Ended by: {words[outcome.removeprefix(END)]}", "percentage points") for outcome in ends),
    )
    rows = tuple(
        (Cell(row["label"]), *(_flagged(of[outcome][row["type"]]) for outcome in ends)) for row in _rows(market, SCORE)
    )
    return Table("market-ends", "What one more copy on the table does to how games end", columns, rows)


def _flagged(row: Row) -> Cell:
    found = effect(estimate(row, "share"))
    return replace(found, strong=_strong(row))


def _built_table(balance: Balance, market: Market) -> Table:
    """The effect of being built, by presence as the instrument."""
    labels = dict(market.types.select("type", "label").iter_rows())
    of = {o: {row["type"]: row for row in market.built.filter(outcome=o).iter_rows(named=True)} for o in INSTRUMENTED}
    columns = (
        Column("Card", numeric=False),
        Column("A copy there adds", "copies built"),
        Column("Strength", "F, at least 20"),
        *(Column(OUTCOMES[outcome], market.units[outcome]) for outcome in INSTRUMENTED),
    )
    rows = tuple(
        (
            Cell(labels[name]),
            plain(row["first_stage"], 2),
            plain(row["f"], 0),
            *(
                Cell("too weak") if of[o][name]["refused"] else effect(estimate(of[o][name], market.units[o]))
                for o in INSTRUMENTED
            ),
        )
        for name, row in sorted(of[SCORE].items(), key=lambda item: -(item[1]["value"] or -1e9))
    )
    note = (
        "The presence effect divided by the copies built that a copy on the table adds: what it does to the table that "
        "somebody, whoever it is, builds one, provided that a card does nothing while it lies there unbuilt."
    )
    return Table(
        "market-built", "What a copy’s being built does to the table (instrument: chance)", columns, rows, note
    )


def _by_bot(balance: Balance) -> Table | None:
    """Whom the cards on the table favour: presence effects on the margin between bots, a column a line-up and bot."""
    asked = [
        (result, outcome)
        for result in _shown(balance)
        for outcome in (result.market.units if result.market else {})
        if outcome.startswith(MARGIN) and result.market is not None and len(result.market.presence)
    ]
    if not asked:
        return None
    unit = balance.facts.score_unit
    of = [{row["type"]: row for row in _rows(result.market, outcome)} for result, outcome in asked if result.market]
    columns = (
        Column("Card", numeric=False),
        *(Column(f"{outcome.removeprefix(MARGIN)} ahead", f"{unit}, {result.title}") for result, outcome in asked),
    )
    market = balance.main.market
    assert market is not None
    rows = tuple(
        (Cell(row["label"]), *(_ahead(found.get(row["type"]), unit) for found in of))
        for row in market.types.iter_rows(named=True)
    )
    note = f"In bold: surely by more than {counted(balance.facts.margin_points, unit)}. Between equal bots it is 0."
    return Table("market-bots", "Whom a card on the table favours", columns, rows, note)


def _ahead(row: Row | None, unit: str) -> Cell:
    if row is None:
        return NONE
    found = effect(estimate(row, unit))
    return replace(found, strong=_strong(row))


def _how(balance: Balance, market: Market) -> str:
    against = (
        " The rules fix how many cards of a kind lie there, so only differences within a kind can be known: effects "
        "are those of a card in place of an average one of its kind."
        if market.fixed
        else ""
    )
    return (
        "A card is built if anybody at the table built a copy. Presence: results of a deal (means over its games) are "
        "regressed on the copies of all cards on the table at once, one observation a deal; errors by deal."
        f"{against} Only chance decides what lies there, so this is an effect, on the table as a whole. What the one "
        "who builds a card gains over the others is not identified by it, since presence is the same for all seats; "
        "only between different bots does it show whom a card favours. The owner’s gain is what fairdeal access "
        "measures: it plays with the card forbidden to one player. False alarms (q, Benjamini-Hochberg) are controlled "
        "over all cards of a question; up to 0.05 a card is flagged."
    )
