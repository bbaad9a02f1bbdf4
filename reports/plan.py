"""What a pilot says of the games that an effect needs: a table for people, or JSON."""

from __future__ import annotations

from collections.abc import Sequence

from analysis import stats
from analysis.planning import SHARE, Need, Planning
from analysis.planning_verdicts import plain_rates, sentences
from analysis.verdicts import counted, number
from reports import page

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
    for arms in (2, 1):
        asked = [need for need in planning.needs if need.question.arms == arms]
        if asked:
            lines += [*_table(planning, asked, arms), ""]
    return "\n".join([*lines, *_how(planning)]) + "\n"


def _table(planning: Planning, needs: Sequence[Need], arms: int) -> list[str]:
    each = "Games a line-up and card set" if arms == 2 else "Games a line-up"
    heads = ["", "effect", "games", "interval", "time", "apart" if arms == 2 else "unpaired", "saved"]
    heads += [] if planning.asked is None else [f"{planning.asked:,} games find"]
    rows: list[list[str]] = [heads]
    title = ""
    for need in needs:
        if need.question.line_up != title:
            title = need.question.line_up
            rows.append([title])
        rows.append([f"  {need.question.what}", *_cells(need, planning.asked is not None)])
    return [f"{each}, with power {planning.power * 100:g} %:", *_aligned(rows)]


def _cells(need: Need, asked: bool) -> list[str]:
    if need.games is None or need.games_low is None or need.games_high is None:
        return [_short(need, need.effect), "-", "it never varied in the pilot"]
    found = [
        _short(need, need.effect),
        f"{need.games:,}",
        f"{_rough(need.games_low):,} to {_rough(need.games_high, up=True):,}",
        _duration(need.seconds),
        "-" if need.unpaired is None else f"{need.unpaired:,}",
        "-" if need.saved is None else f"{need.saved:.2f} times",
    ]
    if not asked or need.detectable is None or need.detectable_low is None or need.detectable_high is None:
        return found
    ends = f"{_size(need, need.detectable_low)} to {_size(need, need.detectable_high)}"
    return [*found, f"{_short(need, need.detectable)} ({ends})"]


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


def _duration(seconds: float | None) -> str:
    """A time that the pilot's rate suggests, in its largest unit."""
    if seconds is None:
        return "-"
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
