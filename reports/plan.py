"""What a pilot says of the games that an effect needs: a table for people, or JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analysis import stats
from analysis.planning import SHARE, Need, Planning
from analysis.planning_verdicts import plain_rates, sentences
from analysis.verdicts import counted, number
from reports import page
from reports.page import Cell, Column, Table

FORMATS = ("text", "json")


def render(planning: Planning, form: str) -> str:
    """The result as text or JSON (`FORMATS`)."""
    return {"text": render_text, "json": render_json}[form](planning)


def render_json(planning: Planning) -> str:
    """`Planning.to_dict()` as text, with the sentences of the text form."""
    return page.json_text(planning.to_dict() | {"sentences": list(sentences(planning))})


def render_text(planning: Planning) -> str:
    """The sentences, a table of what each question needs, line-up by line-up, and how it was made."""
    lines = [*sentences(planning), ""]
    for table in tables(planning):
        lines += [f"{table.caption}:", *_in_text(table), ""]
    return "\n".join([*lines, *_how(planning)]) + "\n"


def tables(planning: Planning) -> tuple[Table, ...]:
    """What each question needs: a table of what is asked of two card sets, and one of what is asked of one, if any."""
    asked = {arms: [need for need in planning.needs if need.question.arms == arms] for arms in (2, 1)}
    return tuple(_table(planning, needs, arms) for arms, needs in asked.items() if needs)


def _table(planning: Planning, needs: Sequence[Need], arms: int) -> Table:
    each = "Games a line-up and card set" if arms == 2 else "Games a line-up"
    columns = (
        Column("line-up", numeric=False),
        Column("question", numeric=False),
        Column("effect"),
        Column("games"),
        Column("time", "seconds", name="seconds"),
        Column("apart" if arms == 2 else "unpaired"),
        Column("saved", "times as many games"),
        *([] if planning.asked is None else [Column(f"{planning.asked:,} games find", name="detectable")]),
    )
    rows = tuple(_cells(need, planning.asked is not None) for need in needs)
    name = "needs-of-changes" if arms == 2 else "needs"
    return Table(name, f"{each}, with power {planning.power * 100:g} %", columns, rows)


def _cells(need: Need, asked: bool) -> tuple[Cell, ...]:
    effect = Cell(_short(need, need.effect), raw=(need.effect,))
    named = (Cell(need.question.line_up), Cell(need.question.what), effect)
    rest = (Cell(""),) * (4 if asked else 3)
    if need.games is None or need.games_low is None or need.games_high is None:
        return (*named, Cell("-", "it never varied in the pilot"), *rest)
    interval = f"{_rough(need.games_low):,} to {_rough(need.games_high, up=True):,}"
    found = (
        *named,
        Cell(f"{need.games:,}", interval, raw=(need.games, need.games_low, need.games_high)),
        _cell(need.seconds, _duration),
        _cell(need.unpaired, "{:,}".format),
        _cell(need.saved, "{:.2f} times".format),
    )
    if not asked:
        return found
    if need.detectable is None or need.detectable_low is None or need.detectable_high is None:
        return (*found, Cell(""))
    raw = (need.detectable, need.detectable_low, need.detectable_high)
    ends = f"{_size(need, need.detectable_low)} to {_size(need, need.detectable_high)}"
    return (*found, Cell(f"{_short(need, need.detectable)} ({ends})", raw=raw))


def _cell(value: float | None, text: Callable[[float], str]) -> Cell:
    return Cell("-") if value is None else Cell(text(value), raw=(value,))


def _in_text(table: Table) -> list[str]:
    """The lines of a table: a line-up as a heading above its rows, an interval in a column of its own."""
    rows: list[list[str]] = [["", "effect", "games", "interval", *(column.head for column in table.columns[4:])]]
    title = ""
    for line_up, question, effect, games, *rest in table.rows:
        if line_up.text != title:
            title = line_up.text
            rows.append([title])
        rows.append([f"  {question.text}", effect.text, games.text, games.interval, *(cell.text for cell in rest)])
    return _aligned(rows)


def _rough(games: int, up: bool = False) -> int:
    """The end of an interval with three significant figures, outwards."""
    step: int = 10 ** max(0, len(str(games)) - 3)
    return (-(-games // step) if up else games // step) * step


def _short(need: Need, value: float) -> str:
    if need.question.unit == SHARE:
        return f"{_size(need, value)} pp"
    return counted(float(_size(need, value)), need.question.unit)


def _size(need: Need, value: float) -> str:
    return f"{value * (100 if need.question.unit == SHARE else 1):.3g}"


def _duration(seconds: float) -> str:
    """A time that the pilot's rate suggests, in its largest unit."""
    for size, unit in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{max(1, round(seconds))} s"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: the first column to the left, all others to the right; a row of one cell is a heading."""
    table = [row for row in rows if len(row) > 1]
    columns = max(len(row) for row in table)
    widths = [max((len(row[i]) for row in table if i < len(row)), default=0) for i in range(columns)]

    def line(row: Sequence[str]) -> str:
        first, *rest = row
        return "  ".join([first.ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(rest, widths[1:], strict=False))])

    return [row[0] if len(row) == 1 else line(row).rstrip() for row in rows]


def _how(planning: Planning) -> list[str]:
    sets = " and ".join(planning.card_sets)
    cores = f"{number(planning.threads).lower()} {'core' if planning.threads == 1 else 'cores'}"
    alpha = f"{(1 - stats.CONFIDENCE) * 100:.0f} %"
    lines = [
        f"Pilot: {planning.title}, {planning.seats} seats, card set {sets}, {planning.deals:,} deals a line-up, "
        f"{planning.games:,} games, {planning.rate:,.0f} games/s on {cores}. Time: all {planning.line_ups} line-ups "
        f"playing so many games{', with both sets' if len(planning.card_sets) > 1 else ''}, without the analysis.",
        f"An effect of that size is found (95 % interval without 0) {planning.power * 100:g} % of the time, a false "
        f"one in {alpha}; of cards, as the only one of all that are flagged. The interval is that of the pilot: it "
        "knows how much deals vary only so well.",
        "Unpaired: every game a deal of its own. Apart: either card set on deals of its own. Saved: how many times as "
        "many games that would take; below 1, pairing costs games, as those of a deal go much the same way.",
    ]
    if planning.plain:
        lines.append(
            f"One rate against {100 / planning.seats:.3g} % without pairing, by the binomial law: "
            f"{plain_rates(planning.plain)} games."
        )
    return lines
