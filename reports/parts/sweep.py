"""The sections of a sweep report: turn order, strategies, scores, feel, points, method."""

from __future__ import annotations

from analysis import comparison, sweep_verdicts, verdicts
from analysis.sweep import AS_IT_IS, Sweep
from analysis.sweep_verdicts import Row, axis_name, noun, nouns, rows_of, unit_of_change, value_word
from reports import numbers
from reports.numbers import count, percent
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common, responses
from reports.parts.responses import Series, by_bot, change_cell, level_cell, point_cells, wording

FAIRNESS = {verdicts.GOOD: "fair", verdicts.BAD: "not fair", verdicts.UNSURE: "not yet known"}
MOST_COLUMNS = 8
"""So many values stand side by side in a table; of more, those in the middle are left out."""
CHANGES = (
    "A level is the mean over the deals of one value; its interval is that of any run. A change is the mean over deals "
    "of the difference from the value as it is: every value plays the same deals with the bots in all seats, so luck "
    "that both share cancels. All intervals are of 95 %, and their unit is the deal."
)


def sections(sweep: Sweep) -> list[Section]:
    """All sections of the page that have something to show."""
    first = [turn_order(sweep)] if sweep.facts.first_player else []
    return [*first, *strategies(sweep), scores(sweep), feel(sweep), points(sweep), method(sweep)]


def key_figures(sweep: Sweep) -> list[Figure]:
    """The figures of page one: turn order (scores, where nobody goes first), and the bots against each other."""
    main = turn_order_figures(sweep) if sweep.facts.first_player else score_figures(sweep)
    figure = strategy_figure(sweep)
    return [*main[:1], *([] if figure is None else [figure])]


def said(sweep: Sweep, *names: str) -> tuple[str, ...]:
    """All sentences about a section, the most important first."""
    return tuple(verdict.text for verdict in sweep_verdicts.sentences(sweep) if verdict.section in names)


def _axis_columns(sweep: Sweep) -> tuple[Column, ...]:
    return tuple(Column(axis_name(axis), axis["unit"], numeric=i > 0, short=True) for i, axis in enumerate(sweep.axes))


def _at(sweep: Sweep, rows: list[Row], point: int) -> Row | None:
    return next((row for row in rows if row["point"] == point), None)


# --- turn order ------------------------------------------------------------------------------------------------------


def first_share(sweep: Sweep) -> list[Series]:
    """The first player's share in self-play of every bot, the headline bot first."""
    return by_bot(sweep, "order_share", "0")


def turn_order_figures(sweep: Sweep) -> list[Figure]:
    """The first player's share, as the headline line-up has it and the others beside it."""
    series = first_share(sweep)
    if not series:
        return []
    title = responses.title_of(sweep, "the first player's share", series[0]) + f" ({sweep.main})"
    what = "share of the first player"
    return responses.response_figures(sweep, "first-share", series, what, title, 1 / sweep.facts.seats)


def turn_order(sweep: Sweep) -> Section:
    """The section on turn order."""
    rows = rows_of(sweep, sweep.headline, "order_share", "0")
    margins = rows_of(sweep, sweep.headline, "order_margin", "0")
    unit = sweep.facts.score_unit
    columns = (
        *_axis_columns(sweep), Column("First player wins", "%", short=True),
        Column("Turn order", numeric=False, short=True),
        Column("Change", "percentage points", short=True, interval=True),
        Column("Beside your margin", numeric=False, short=True),
        Column("Ahead of the others", unit),
        Column("Change", unit, name="ahead_of_the_others_change", interval=True),
    )  # fmt: skip
    body = []
    for row in rows:
        ahead = _at(sweep, margins, row["point"])
        body.append(
            (
                *point_cells(sweep, row["point"]),
                level_cell(row),
                Cell(FAIRNESS[sweep_verdicts.fairness(sweep, row)]),
                change_cell(row),
                wording(row),
                level_cell(ahead),
                change_cell(ahead),
            )
        )
    tables = [Table("turn-order-points", f"Going first, at every value ({sweep.main})", columns, tuple(body))]
    tables += _crossings(sweep, "order_share", "even-values", "Where going first is worth nothing")
    how = (
        f"{CHANGES} Turn order is fair where the whole interval of the first player's share lies within your margin of "
        f"{common.share_margin(sweep)} around an even share, and not fair where it lies beyond. Between two values a "
        "share is taken to change along a straight line; the interval of an even value holds all values at which an "
        "even share lies inside the interval of the level."
    )
    series = by_bot(sweep, "order_margin", "0")
    drawn = turn_order_figures(sweep)[1:]
    if series:
        title = responses.title_of(sweep, "the first player's lead in points", series[0]) + f" ({sweep.main})"
        what = "points of the first player above the others"
        drawn += responses.response_figures(sweep, "first-margin", series, what, title, 0.0)[:1]
    return Section("turn-order", "Turn order", said(sweep, "turn order"), tuple(drawn), tuple(tables), how)


def _crossings(sweep: Sweep, measure: str, name: str, caption: str) -> list[Table]:
    found = sweep.crossings.filter(measure=measure).to_dicts()
    if not found:
        return []
    columns = (Column("Line-up", numeric=False), Column("Varied", numeric=False), Column("Even at"), Column("Interval"))
    rows = tuple(
        (
            _line_up_cell(sweep, row["line_up"]),
            Cell(axis_name(sweep.axes[row["axis"]])),
            Cell(f"{row['at']:.3g}", raw=(row["at"],)),
            Cell(sweep_verdicts.crossing_words(sweep, row).partition("(interval ")[2].rstrip(")")),
        )
        for row in found
    )
    return [Table(name, caption, columns, rows)]


def _line_up_cell(sweep: Sweep, index: int) -> Cell:
    line_up = next(each for each in sweep.line_ups if each.index == index)
    return Cell(str(line_up), bot=common.bot_index(sweep, line_up.names[0]) if line_up.mirror else None)


# --- strategies ------------------------------------------------------------------------------------------------------


def strategy_figure(sweep: Sweep) -> Figure | None:
    """The bots' shares against each other: a small panel a pairing, or a map of the one that changes most."""
    found = responses.by_pair(sweep)
    if not found or len(sweep.points) < 2:
        return None
    heading, top = found[0]
    fair = 1 / sweep.facts.seats
    title = responses.title_of(sweep, f"the share of {heading}", top)
    if len(sweep.axes) == 1:
        note = "Light band: the interval of the level. Dark band: that of the change from the value as it is (▲)."
        return Figure("pairings", title, responses.small_panels(sweep, "pairings", found, fair), note)
    (drawn, *_) = responses.response_figures(sweep, "pairings", [top], f"share of {heading}", title, fair)
    return drawn


def strategies(sweep: Sweep) -> list[Section]:
    """The section on strategies; none where no two bots met."""
    found = sweep_verdicts.pairs(sweep)
    if not found:
        return []
    shown = _columns_of(sweep)
    values = [sweep_verdicts.point_name(sweep, point) for point in shown]
    columns = (
        Column("Bot", numeric=False, short=True), Column("Against", numeric=False, short=True),
        *(Column(at, "wins, %", short=True, name=f"wins at {at}") for at in values),
        Column("Largest change", "percentage points", short=True, interval=True), Column("At", short=True),
        Column("Beside your margin", numeric=False, short=True),
    )  # fmt: skip
    body = []
    for line_up, rows in found:
        others = [name for name in dict.fromkeys(line_up.names) if name != line_up.names[0]]
        top = sweep.responses.filter(line_up=line_up.index, measure="bot_share", subject=line_up.names[0]).to_dicts()
        if not top:
            continue
        body.append(
            (
                common.bot_cell(sweep, line_up.names[0]),
                Cell(", ".join(others)),
                *(level_cell(_at(sweep, rows, point)) for point in shown),
                change_cell(top[0]),
                _where(sweep, top[0]),
                wording(top[0]),
            )
        )
    name = ", ".join(axis_name(axis) for axis in sweep.axes)
    name = f"({name}) as in the columns" if len(sweep.axes) > 1 else f"{name} as in the columns"
    tables = [Table("pairings-table", f"The bots against each other, {name}", columns, tuple(body))]
    tables += _crossings(sweep, "bot_share", "even-pairings", "Where two bots are even")
    how = (
        f"{CHANGES} A bot's share is its part of the wins in its line-up, a tie split. Trained bots were trained on "
        "one card set: they may do better at other values when trained again."
    )
    heads = said(sweep, "strategies") or ("No two bots met.",)
    return [Section("strategies", "Strategies", heads, (), tuple(tables), how)]


def _where(sweep: Sweep, row: Row) -> Cell:
    """The point of a largest change; nothing where nothing changes."""
    if row["wording"] == comparison.IDENTICAL:
        return numbers.NONE
    values = sweep.points[row["point"]].values
    lone = values[0] if len(values) == 1 and isinstance(values[0], int) else None
    return Cell(sweep_verdicts.point_name(sweep, row["point"]), raw=() if lone is None else (int(lone),))


def _columns_of(sweep: Sweep) -> list[int]:
    """The points that stand side by side in a table: all, or the ends, the middle and the value as it is."""
    if len(sweep.axes) > 1:
        ends = [point for axis in range(2) for point in (sweep.along(axis)[0], sweep.along(axis)[-1])]
        return sorted({sweep.base, *ends})
    along = sweep.along(0)
    if len(along) <= MOST_COLUMNS:
        return along
    step = (len(along) - 1) / (MOST_COLUMNS - 2)
    chosen = {along[round(i * step)] for i in range(MOST_COLUMNS - 1)} | {sweep.base}
    return [point for point in along if point in chosen]


# --- scores and feel -------------------------------------------------------------------------------------------------


def score_figures(sweep: Sweep) -> list[Figure]:
    """The mean score in self-play of every bot."""
    series = by_bot(sweep, "score")
    title = responses.title_of(sweep, f"the score of {series[0].name}", series[0]) if series else ""
    return responses.response_figures(sweep, "score", series, "mean score of a seat", title)


def scores(sweep: Sweep) -> Section:
    """The section on scores."""
    bot, unit = sweep.main.names[0], sweep.facts.score_unit
    drawn = score_figures(sweep)
    if not sweep.facts.first_player:
        drawn = drawn[1:]  # the first stands on page one
    parts = [
        rows_of(sweep, sweep.headline, "part", subject)
        for subject in sweep.rows.filter(line_up=sweep.headline, measure="part")["subject"].unique(maintain_order=True)
    ]
    own = rows_of(sweep, sweep.headline, "score", bot)
    spread = rows_of(sweep, sweep.headline, "score_spread", bot)
    columns = (
        *_axis_columns(sweep), Column("Mean score", unit, short=True),
        Column("Change", unit, short=True, interval=True),
        Column("Beside your margin", numeric=False, short=True), Column("Spread of the score", "standard deviation"),
        *(Column(_part_name(rows[0]), rows[0]["unit"]) for rows in parts),
    )  # fmt: skip
    body = tuple(
        (
            *point_cells(sweep, row["point"]),
            level_cell(row),
            change_cell(row),
            wording(row),
            level_cell(_at(sweep, spread, row["point"])),
            *(level_cell(_at(sweep, rows, row["point"])) for rows in parts),
        )
        for row in own
    )
    table = Table("score-points", f"Scores and their parts, at every value ({sweep.main})", columns, body)
    return Section("scores", "Scores", said(sweep, "scores"), tuple(drawn), (table,), f"{CHANGES} Scores are a seat's.")


def _part_name(row: Row) -> str:
    return str(row["subject"]).partition(": ")[2].replace("_", " ")


FEEL = (
    ("turns", "Length"),
    ("margin_spread", "Spread of the margin"),
    ("lead_changes", "Lead changes"),
    ("tie", "Ties"),
    ("cut_off", "Cut off"),
)


def feel(sweep: Sweep) -> Section:
    """The section on feel: length, spread, changes of the lead."""
    own = {measure: rows_of(sweep, sweep.headline, measure)[: len(sweep.points)] for measure, _ in FEEL}
    shown = [(measure, head) for measure, head in FEEL if any(row["value"] for row in own[measure])]
    drawn = []
    for measure, what in (("turns", "length of a game"), ("margin_spread", "spread of the margin")):
        series = by_bot(sweep, measure, "" if measure == "turns" else None)
        if series:
            title = responses.title_of(sweep, f"the {what}", series[0]) + f" ({sweep.main})"
            drawn += responses.response_figures(sweep, f"feel-{measure}", series, what, title)[:1]
    columns: list[Column] = [*_axis_columns(sweep)]
    for measure, head in shown:
        unit = own[measure][0]["unit"]
        columns += [
            Column(head, "%" if unit == "share" else unit, name=measure),
            Column("Change", unit_of_change(unit), name=f"{measure}_change", interval=True),
        ]
    body = tuple(
        (
            *point_cells(sweep, point),
            *(
                cell
                for measure, _ in shown
                for cell in (
                    level_cell(_at(sweep, own[measure], point)),
                    change_cell(_at(sweep, own[measure], point)),
                )
            ),
        )
        for point in range(len(sweep.points))
    )
    table = Table("feel-points", f"How a game feels, at every value ({sweep.main})", tuple(columns), body)
    how = (
        f"{CHANGES} The spread is the standard deviation over games of a seat's score minus the mean of the others', "
        "its interval by bootstrap over deals. Where your margins have no unit for a number, a change counts from 5 % "
        "of it on."
    )
    return Section("feel", "Feel", said(sweep, "feel"), tuple(drawn), (table,), how)


# --- points and method -----------------------------------------------------------------------------------------------


def points(sweep: Sweep) -> Section:
    """The section on the points: what was played where, who reacted, and every number at its largest change."""
    own = {row["point"]: row for row in sweep.played.filter(line_up=sweep.headline).iter_rows(named=True)}
    silent = [len(sweep.played.filter(point=point, no_reaction=True)) for point in range(len(sweep.points))]
    columns = (
        *_axis_columns(sweep), Column("Played as now", f"% of games, {sweep.main}"),
        Column("Played and scored as now", "%"), Column("Line-ups without reaction"), Column("Folder", numeric=False),
        Column("Card set", "hash", numeric=False),
    )  # fmt: skip
    body = tuple(
        (
            *point_cells(sweep, i),
            percent(own[i]["identical"]) if i in own else numbers.NONE,
            percent(own[i]["scored_alike"]) if i in own else numbers.NONE,
            count(silent[i]),
            Cell(point.folder),
            Cell(point.card_set_hash[:12]),
        )
        for i, point in enumerate(sweep.points)
    )
    tables = (Table("points-table", f"The {nouns(sweep)} that were played", columns, body), _responses(sweep))
    others = [100 * own[i]["identical"] for i in range(len(sweep.points)) if i in own and i != sweep.base] or [100.0]
    played = " to ".join(dict.fromkeys(f"{share:.1f}" for share in (min(others), max(others))))
    lead = (
        f"{len(sweep.points)} {nouns(sweep)} were played. Away from the card set as it is, "
        f"{played} % of the games were played move by move as there ({sweep.main}).",
        *said(sweep, "points"),
    )
    how = (
        "Games are compared by a hash over all decisions: equal hashes mean that every bot made the same moves. Each "
        f"{noun(sweep)} is an ordinary run folder: `fairdeal report balance` and `fairdeal replay` read it."
    )
    return Section("points", "What was played", lead, (), tables, how)


def _responses(sweep: Sweep) -> Table:
    columns = (
        Column("Number", numeric=False), Column("Line-up", numeric=False), Column("Unit", numeric=False),
        Column("As it is", interval=True), Column("Largest change", interval=True),
        Column("At"), Column("Beside the margin", numeric=False),
        Column("With a growing value", numeric=False),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(row["label"]),
            _line_up_cell(sweep, row["line_up"]),
            Cell("%" if row["unit"] == "share" else row["unit"]),
            level_cell({**row, "value": row["base"], "low": row["base_low"], "high": row["base_high"]}),
            change_cell(row),
            _where(sweep, row),
            wording(row),
            Cell(row["shape"]),
        )
        for row in sweep.responses.iter_rows(named=True)
    )
    return Table("responses", "Every number: as it is, and where it changes most", columns, rows)


def method(sweep: Sweep) -> Section:
    """The section on method."""
    f = sweep.facts
    columns = (
        Column("Bot", numeric=False, short=True), Column("Tier", numeric=False, short=True),
        Column("What it does", numeric=False, short=True), Column("Wins against others as it is", "mean %"),
        Column("Version", "hash", numeric=False),
    )  # fmt: skip
    bots = tuple(
        (common.bot_cell(sweep, b.name), Cell(b.tier), Cell(b.text), percent(b.strength), Cell(b.hash[:12]))
        for b in f.bots
    )
    told = {
        "Game": f"{f.title} ({f.game})",
        "Card set": f.card_set,
        "Card set, hash": f.card_set_hash,
        **{f"Varied: {axis['path']}": _values(sweep, i) for i, axis in enumerate(sweep.axes)},
        nouns(sweep).capitalize(): f"{len(sweep.points)} of {sweep.asked}",
        "Seats": str(f.seats),
        "Line-ups": str(len(sweep.line_ups)),
        "Games": f"{sweep.games:,}",
        f"Deals of a line-up and {noun(sweep)}": f"{f.deals:,}",
        "Seed": str(f.seed),
        "Your margins": f"{common.share_margin(sweep)} of wins, {common.points_margin(sweep)}",
        "fairdeal": f.version,
    }
    run = (Column("What", numeric=False), Column("Value", numeric=False))
    tables = (
        Table("bots", "The bots; tiers from weak to strong are random, simple, expert, trained, search", columns, bots),
        Table("run", "The sweep", run, tuple((Cell(key), Cell(value)) for key, value in told.items())),
    )
    how = (
        f"{CHANGES} A number is as good as the bots that made it. Many numbers at many values were looked at: the best "
        "value of this page is partly luck, so before you believe it, play it once more with another --seed. The whole "
        "result is in report.json beside this page; the same seed, card set and version give the same games."
    )
    lead = said(sweep, "method") or (f"{sweep.games:,} games were played.",)
    return Section("method", "Method", (*lead, *sweep.notes), (), tables, how)


def _values(sweep: Sweep, axis: int) -> str:
    entry = sweep.axes[axis]
    values = ", ".join(value_word(value) for value in entry["values"])
    added = " (added)" if entry["base_added"] else ""
    return f"{values}; {AS_IT_IS}: {value_word(entry['base'])}{added}"
