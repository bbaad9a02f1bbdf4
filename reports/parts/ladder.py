"""The parts of the ladder report: ratings, rungs, match-ups, skill, time per decision, method."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from analysis import figures, ladder_verdicts, tiers
from analysis import ladder as ladders
from analysis.balance import FIRST
from analysis.ladder import Ladder, Match
from analysis.ratings import RATED, WON_ALL, Rating
from analysis.stats import Estimate
from analysis.tiers import ByTier
from reports import numbers
from reports.numbers import NONE, amount, count, effect, percent
from reports.page import Cell, Column, Figure, Section, Table, minus
from reports.parts import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FAR = 400.0
"""A bot that is further below the next one than this (odds of 10 to 1), and than all those above are apart, is beyond
the edge of the figure, so that the others are not squeezed.
"""
FINE = 2.0
"""Ratings whose interval reaches less far to one side have a decimal."""


def sections(ladder: Ladder) -> list[Section]:
    """All sections of the page that have something to show."""
    found = [ratings(ladder), _rungs(ladder), match_ups(ladder), _skill(ladder), _speed(ladder), _method(ladder)]
    return [section for section in found if section is not None]


def key_figures(ladder: Ladder) -> list[Figure]:
    """The figures of page one: the ratings, and who beats whom."""
    return [rating_figure(ladder), match_figure(ladder)]


def _said(ladder: Ladder, section: str) -> tuple[str, ...]:
    """All sentences about a section, the most important first."""
    return tuple(verdict.text for verdict in ladder_verdicts.sentences(ladder) if verdict.section == section)


def budget(ladder: Ladder) -> str:
    """How much was played, in words."""
    words = {"cheap": "a line-up", "dear": "a line-up with a search bot"}
    return " and ".join(f"{games:,} games {words[cost]}" for cost, (games, _) in ladder.budgets.items())


# --- ratings ---------------------------------------------------------------------------------------------------------


def elo(e: Estimate) -> tuple[str, str]:
    """A rating and its interval as text, with signs."""
    if not math.isfinite(e.low):
        return f"{e.value:+,.0f}", "not known"
    digits = 1 if e.high - e.low < 2 * FINE else 0
    value, low, high = (f"{x:+,.{digits}f}" for x in (e.value, e.low, e.high))
    return value, f"{low} to {high}"


def _rating_words(rating: Rating, anchor: str) -> tuple[str, str]:
    """A rating as text, and its interval."""
    e = rating.estimate
    if rating.name == anchor:
        return "0", "the anchor"
    if rating.status == RATED:
        value, interval = elo(e)
        return value, f"{interval}, roughly" if rating.scarce else interval
    bound = e.low if rating.status == WON_ALL else e.high
    return (f"at {'least' if rating.status == WON_ALL else 'most'} {bound:+,.0f}" if math.isfinite(bound) else "–"), ""


def _places(rating: Rating) -> str:
    first, last = rating.places
    return str(first) if first == last else f"{first} to {last}"


def _shown(ladder: Ladder) -> set[str]:
    """The rated bots within the edges of the figure."""
    rated = [rating for rating in ladder.ratings.bots if rating.status == RATED]
    shown = rated[:1]
    for rating in rated[1:]:
        apart = shown[0].estimate.value - shown[-1].estimate.value
        if len(shown) > 1 and shown[-1].estimate.value - rating.estimate.value > max(FAR, apart):
            break
        shown.append(rating)
    return {rating.name for rating in shown}


def rating_figure(ladder: Ladder) -> Figure:
    """A dot and an interval a bot, strong to weak; arrows for those beyond the edge or without a finite rating."""
    shown = _shown(ladder)
    rows, arrows = [], []
    for y, rating in enumerate(ladder.ratings.bots):
        value, interval = _rating_words(rating, ladder.ratings.anchor)
        text = minus(f"{value} ({interval})" if interval else value)
        inside = rating.name in shown
        e = rating.estimate
        rows.append(
            {
                "name": f"{rating.name}, place {_places(rating)}",
                "text": text,
                "colour": figures.colour(common.bot_index(ladder, rating.name)),
                "value": e.value if inside else math.nan,
                "low": e.low if inside else math.nan,
                "high": e.high if inside else math.nan,
            }
        )
        if not inside:
            arrows.append((y, rating.status == WON_ALL, rows[-1]["colour"]))
    frame = common.rows_frame(rows)

    def paint(ax: Axes) -> Axes:
        figures.intervals(frame, ax, xlabel=f"points of the Elo scale above {ladder.ratings.anchor}")
        for y, up, tint in arrows:
            mark = ">" if up else "<"
            ax.plot([0.985 if up else 0.015], [y], mark, ms=6, mfc=tint, mec=tint, transform=ax.get_yaxis_transform())
        return ax

    height = len(rows) * figures.ROW
    panel = Panel(common.EDGE, 4, common.WIDTH - 2 * common.EDGE, height, paint)
    alt = f"Rating of each bot, strong to weak, with its interval. {common.in_words(rows)}"
    note = "400 points are odds of ten to one. Places are those that are possible, all together with 95 % confidence."
    if arrows:
        note += " An arrow points to a bot beyond the edge."
    drawing = Drawing("ratings-figure", common.WIDTH, height + 36, [panel], alt)
    return Figure("ratings-figure", _rating_title(ladder), drawing, note)


def _rating_title(ladder: Ladder) -> str:
    best = ladder.ratings.bots[0]
    if best.places == (1, 1):
        return f"{best.name} is the strongest of {len(ladder.names)} bots"
    many = sum(rating.places[0] == 1 for rating in ladder.ratings.bots)
    return f"{best.name} is rated highest, but any of {many} bots may be the strongest"


def ratings(ladder: Ladder) -> Section:
    """The section on ratings."""
    r = ladder.ratings
    columns = (
        Column("Bot", numeric=False, short=True), Column("Tier", numeric=False, short=True),
        Column("Rating", f"Elo above {r.anchor}", short=True), Column("Place", short=True),
        Column("Above the next", "Elo", interval=True), Column("Games"), Column("Deals"),
    )  # fmt: skip
    rows = []
    for rating in r.bots:
        e = rating.estimate
        value, interval = _rating_words(rating, r.anchor)
        rows.append(
            (
                common.bot_cell(ladder, rating.name),
                Cell(ladder.tier(rating.name)),
                Cell(value, interval, raw=(e.value, e.low, e.high), n=e.n),
                Cell(_places(rating), raw=rating.places),
                NONE if rating.ahead is None else _elo_cell(rating.ahead),
                count(e.games),
                count(e.n),
            )
        )
    note = "Place: all places among these bots that are possible. “Roughly”: rests on fewer than 30 results one way."
    tables = [Table("ratings-table", "Ratings, strong to weak", columns, tuple(rows), note)]
    if ladder.facts.seats > 2:
        tables.append(_orders(ladder))
    return Section("ratings", "Ratings", _said(ladder, "ratings"), (), tuple(tables), _how_ratings(ladder))


def _elo_cell(e: Estimate) -> Cell:
    return Cell(*elo(e), raw=(e.value, e.low, e.high), n=e.n)


def _orders(ladder: Ladder) -> Table:
    columns = (Column("Place in turn order"), Column("Worth", "Elo above the mean of all"))
    rows = tuple(
        (Cell(common.ordinal(i + 1), raw=(i + 1,)), _elo_cell(e) if math.isfinite(e.value) else NONE)
        for i, e in enumerate(ladder.ratings.orders)
    )
    return Table("orders", "What a place in turn order is worth in the ratings", columns, rows)


def _how_ratings(ladder: Ladder) -> str:
    r = ladder.ratings
    if ladder.facts.seats == 2:
        ties = ""
        if r.ties is not None:
            value, interval = numbers.words(r.ties)
            ties = f" Two equal bots tie in {value} % of their games ({interval})."
        model = f"The model of Bradley and Terry with Davidson’s ties and a term for going first.{ties}"
    else:
        model = (
            "The model of Plackett and Luce on the whole final ranking, with a term for each place in turn order; a "
            "shared place counts as the mean over all orders of those who share it."
        )
    return (
        f"{model} 400 points are odds of ten to one of finishing ahead of {r.anchor}, whose rating is 0. It is fitted "
        "to all games of two different bots, each game alike, with errors by deal. A place is left out where some bot "
        "is surely above, or below, all comparisons together with 95 % confidence. A bot that won or lost everything "
        "has no finite rating, only a bound; no results are made up for it. Where match-ups differ from what the "
        "ratings predict, a rating is a mean over opponents, those with most games counting most."
    )


# --- rungs -----------------------------------------------------------------------------------------------------------


def _rungs(ladder: Ladder) -> Section | None:
    if not ladder.rungs:
        return None
    many = ladder.facts.seats > 2
    columns = (
        Column("Upper", numeric=False, short=True), Column("Lower", numeric=False, short=True),
        Column("Upper wins", "%, alone" if many else "%", short=True),
        *([Column("Lower wins", "%, alone", short=True)] if many else []),
        Column("Rung", numeric=False, short=True), Column("Above", "Elo", interval=True),
        Column("Games", short=True), Column("Deals"),
    )  # fmt: skip
    rows = tuple(
        (
            common.bot_cell(ladder, rung.upper),
            common.bot_cell(ladder, rung.lower),
            amount(rung.share),
            *([NONE if rung.back is None else amount(rung.back)] if many else []),
            Cell(rung.wording, strong=rung.wording != ladders.SURE),
            NONE if rung.ahead is None else _elo_cell(rung.ahead),
            count(rung.share.games),
            count(rung.share.n),
        )
        for rung in ladder.rungs
    )
    fair = f"an even share of {100 / ladder.facts.seats:.3g} %"
    alone = " “Alone”: one such bot among bots of the other kind." if many else ""
    how = (
        "A rung is the step from one bot of the list of ratings to the next; it is judged by the games of these two "
        f"alone, not by the ratings. “Surely above”: the whole interval of the upper bot’s share lies above {fair}. "
        f"The intervals of all rungs hold together with 95 % confidence; their unit is the deal.{alone}"
    )
    table = Table("rungs-table", "The rungs, from the top", columns, rows)
    return Section("rungs", "Rungs", _said(ladder, "rungs"), (), (table,), how)


# --- match-ups -------------------------------------------------------------------------------------------------------


def match_figure(ladder: Ladder) -> Figure:
    """The map of shares of wins, strong bots first."""
    names = list(ladder.names)
    rows = []
    for m in (*ladder.matches, *ladder.selves):
        if not m.alone:
            continue
        value, interval = numbers.words(m.share)
        if m.bot == m.opponent:
            value, interval = f"{100 / ladder.facts.seats:.1f}", "against itself"
        rows.append(
            {
                "bot": m.bot,
                "opponent": m.opponent,
                "value": m.share.value,
                "low": m.share.low,
                "high": m.share.high,
                "text": f"{value} %",
                "interval": interval,
                "n": f"{_thousands(m.share.games)} games",
            }
        )
    frame = common.rows_frame(row for row in rows if row["bot"] in names)
    left = 12 + 4.4 * max(len(line) for name in names for line in figures.wrapped(name, 14))
    top = 6 + 10.0 * max(len(figures.wrapped(name, 12)) for name in names)
    width, height = len(names) * figures.CELL_WIDTH, len(names) * figures.CELL_HEIGHT
    fair = 1 / ladder.facts.seats
    panel = Panel(left, top, width, height, lambda ax: figures.heat_map(frame, ax, names=names, fair=fair))
    said = "; ".join(f"{r['bot']} against {r['opponent']}: {r['text']} ({r['interval']}, {r['n']})" for r in rows)
    drawing = Drawing("match-ups", left + width + 4, top + height + 4, [panel], f"Share of wins of each bot. {said}.")
    note = "Row against column. Blue: the row wins more than an even share; orange: less. With interval and games."
    if ladder.facts.seats > 2:
        note += " At a table of more than two, the row’s bot sits alone among bots of the column."
    return Figure("match-ups", _match_title(ladder), drawing, note)


def _match_title(ladder: Ladder) -> str:
    fair = 1 / ladder.facts.seats
    against = [m for m in ladder.matches if m.alone and m.bot == ladder.names[0]]
    best = ladder.names[0]
    if against and all(m.share.low > fair for m in against):
        return f"{best} beats every other bot" if len(against) > 1 else f"{best} beats {against[0].opponent}"
    clear = max((m for m in ladder.matches if m.alone), key=lambda m: m.share.low, default=None)
    if clear is not None and clear.share.low > fair:
        return f"No bot surely beats all others; the clearest result is {clear.bot} against {clear.opponent}"
    return "No bot is surely ahead of another"


def _thousands(n: int) -> str:
    return f"{n / 1000:.0f}k" if n >= 10_000 else f"{n:,}"


def match_ups(ladder: Ladder) -> Section:
    """The section on match-ups."""
    unit = ladder.facts.score_unit
    many = ladder.facts.seats > 2
    columns = (
        Column("Bot", numeric=False, short=True), Column("Against", numeric=False, short=True),
        *([Column("How many of it", short=True)] if many else []),
        Column("Wins", "% each" if many else "%", short=True), Column("Predicted", "%", short=True),
        Column("Ratings fit", numeric=False), Column("Ahead", unit, short=True), Column("Games", short=True),
        Column("Deals"),
    )  # fmt: skip
    at = {name: i for i, name in enumerate(ladder.names)}
    kept = [m for m in ladder.matches if many or at[m.bot] < at[m.opponent]]
    rows = tuple(_match_row(ladder, m, many) for m in sorted(kept, key=lambda m: (at[m.bot], at[m.opponent], m.alone)))
    fitting = ladder_verdicts.misfits(ladder)
    said = (fitting.text,) if fitting else (f"{len(ladder.matches)} shares of wins, {budget(ladder)}.",)
    how = (
        f"Wins: the share over all games of the two. {common.BY_DEALS} Predicted: what the ratings say. They do not "
        "fit where the share is surely further from that than your margin, all pairs together with 95 % confidence."
    )
    note = "The stronger bot by rating stands first." if not many else ""
    table = Table("match-ups-table", "Every two bots", columns, rows, note)
    return Section("pairs", "Match-ups", said, (), (table,), how)


def _match_row(ladder: Ladder, m: Match, many: bool) -> tuple[Cell, ...]:
    fits = "–" if m.predicted is None else "no" if m.misfit else "yes"
    return (
        common.bot_cell(ladder, m.bot),
        common.bot_cell(ladder, m.opponent),
        *([count(m.table.count(m.bot))] if many else []),
        amount(m.share),
        percent(m.predicted),
        Cell(fits, strong=m.misfit),
        effect(m.margin),
        count(m.share.games),
        count(m.share.n),
    )


# --- skill -----------------------------------------------------------------------------------------------------------


def _skill(ladder: Ladder) -> Section | None:
    numbers_ = ladder.labels_all or ladder.labels
    mirrors = ladder.mirrors_all or ladder.mirrors
    if not numbers_:
        return None
    quick = {number.name: number.label for number in ladder.labels}
    both = bool(ladder.labels_all and ladder.labels)
    heads = [Column(name, ladder.tier(name), short=True) for name in mirrors]
    columns = (
        Column("Number", numeric=False, short=True), Column("With skill", numeric=False, short=True),
        *([Column("Search bots too", numeric=False)] if both else []), *heads,
    )  # fmt: skip
    rows = tuple(
        (
            Cell(_named(number)),
            _label(quick.get(number.name, number.label)),
            *([_label(number.label)] if both else []),
            *(effect(e) if number.name in FIRST else amount(e) for _, _, e in number.tiers),
        )
        for number in numbers_
    )
    note = (
        "Weak bots at the left, by rating. “Stable”: no change from the weakest to the strongest of the bots that "
        "decide quickly is shown beyond your margin. “Flips”: surely above zero with one bot and below with another."
    )
    table = Table("labels", "The headline numbers of a balance report, every bot against itself", columns, rows, note)
    drawn = _first_figure(ladder, numbers_, mirrors)
    how = (
        f"Every bot plays itself; {budget(ladder)}. {common.BY_DEALS} The label compares the weakest and the strongest "
        "bot, by rating. It is given for the bots that decide quickly, which play the most games; search bots play "
        "few, so with them less can be shown."
    )
    said = _said(ladder, "skill") or ("Too few bots played themselves to tell what changes with skill.",)
    return Section("skill", "What changes with skill", said, drawn, (table,), how)


def _label(label: str) -> Cell:
    return Cell(label, strong=label not in (tiers.STABLE, tiers.ONE_TIER))


def _named(number: ByTier) -> str:
    unit = number.tiers[0][2].unit
    if unit == "share":
        unit = "percentage points" if number.name in FIRST else "%"
    return number.title if unit in number.title else f"{number.title}, {unit}"


def _first_figure(ladder: Ladder, labels: tuple[ByTier, ...], mirrors: tuple[str, ...]) -> tuple[Figure, ...]:
    """The worth of going first with every bot, where somebody goes first."""
    number = next((n for n in labels if n.name == "first_share"), None)
    if number is None:
        return ()
    rows = [
        common.mark(f"{name} against itself", e, figures.colour(common.bot_index(ladder, name)), effect=True)
        for name, (_, _, e) in zip(mirrors, number.tiers, strict=True)
    ]
    label = next((n.label for n in ladder.labels if n.name == "first_share"), number.label)
    title = f"The worth of going first: {label}" if label != tiers.ONE_TIER else "The worth of going first"
    margin = ladder.facts.margin_share * 100
    drawing = common.intervals(
        "first-by-bot", rows, "percentage points of wins for the first player", margin=margin,
        what="What going first is worth, with every bot against itself, weak to strong.",
    )  # fmt: skip
    return (Figure("first-by-bot", title, drawing, "Weak to strong by rating. The band is your margin."),)


# --- time per decision, method ---------------------------------------------------------------------------------------


def _speed(ladder: Ladder) -> Section | None:
    if not ladder.speed:
        return None
    columns = (
        Column("Bot", numeric=False, short=True), Column("A decision takes", "microseconds", short=True),
        Column("Decisions timed"),
    )  # fmt: skip
    rows = tuple(
        (common.bot_cell(ladder, name), _microseconds(entry["microseconds"]), count(entry["decisions"]))
        for name, entry in ladder.speed.items()
    )
    slowest = max(ladder.speed, key=lambda name: ladder.speed[name]["microseconds"])
    fastest = min(ladder.speed, key=lambda name: ladder.speed[name]["microseconds"])
    slow, fast = (_microseconds(ladder.speed[name]["microseconds"]).text for name in (slowest, fastest))
    said = f"A decision takes {fast} microseconds of {fastest} and {slow} of {slowest}, on the machine that played."
    how = (
        "CPU time of one core in games of the bot against itself, at a table that has played already, the rules of the "
        "game included. It depends on the machine and on the moment: information, not a result that can be repeated."
    )
    table = Table("speed-table", "Time per decision, strong bots first", columns, rows)
    return Section("speed", "Time per decision", (said,), (), (table,), how)


def _microseconds(value: float) -> Cell:
    """Three figures that count."""
    digits = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return Cell(
        f"{round(value, digits):,.{digits}f}" if digits else f"{round(value, -1 if value >= 1000 else 0):,.0f}",
        raw=(value,),
    )


def _method(ladder: Ladder) -> Section:
    f = ladder.facts
    columns = (
        Column("Bot", numeric=False, short=True), Column("Tier", numeric=False, short=True),
        Column("What it does", numeric=False, short=True), Column("Wins against others", "mean %"),
        Column("Version", "hash", numeric=False),
    )  # fmt: skip
    bots = tuple(
        (common.bot_cell(ladder, b.name), Cell(b.tier), Cell(b.text), percent(b.strength), Cell(b.hash[:12]))
        for b in f.bots
    )
    told = {
        "Game": f"{f.title} ({f.game})",
        "Card set": f.card_set,
        "Card set, hash": f.card_set_hash,
        "Seats": str(f.seats),
        "Played": budget(ladder),
        "Games in all": f"{f.games:,}",
        "Seed": str(f.seed),
        "Your margins": f"{common.share_margin(ladder)} of wins, {common.points_margin(ladder)}",
        "Ladder finished": "yes" if f.complete else "no",
        "fairdeal": f.version,
    }
    run = (Column("What", numeric=False), Column("Value", numeric=False))
    tables = (
        Table("bots", "The bots", columns, bots),
        Table("run", "The ladder", run, tuple((Cell(key), Cell(value)) for key, value in told.items())),
    )
    said = _said(ladder, "method") or (f"{f.games:,} games of {len(f.bots)} bots: {budget(ladder)}.",)
    how = (
        f"All line-ups play the same deals, as far as each goes, and each deal with the bots in all {f.seats} seats, "
        "so that luck is shared. A line-up with a search bot plays fewer games, because such a bot thinks a thousand "
        "times longer. Strength is measured among these bots alone: people may play otherwise. The whole result is in "
        "report.json beside this page; the same seed, card set and version give the same games."
    )
    return Section("method", "Method", said, (), tables, how)
