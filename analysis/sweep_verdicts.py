"""Page one of a sweep in plain sentences: four to seven, the most important first, each with effect, interval, n and
the bots.

As in `analysis.verdicts`: every function here looks at one question and gives a `Verdict` or None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis import comparison, stats
from analysis.stats import Estimate
from analysis.verdicts import BAD, GOOD, PLAIN, UNSURE, Verdict, counted, listed, more_games, signed, unsigned
from simcore.cardset.vary import BLANK

if TYPE_CHECKING:
    from analysis.blocks import LineUp
    from analysis.sweep import Sweep
    from analysis.sweep_folder import AxisEntry, Value

MOST = 7
SILENT = 0.999
"""Bots that play so many games as before have not reacted."""
NAMED = 3
"""At most so many points or pairs of bots are named in one sentence."""
SETTLED = (stats.NEGLIGIBLE, stats.EQUIVALENT, comparison.IDENTICAL)
"""Wordings of a change that surely stays inside the margin."""

Row = dict[str, Any]


def page_one(sweep: Sweep) -> tuple[Verdict, ...]:
    """The sentences of page one, the most important first."""
    return sentences(sweep)[:MOST]


def sentences(sweep: Sweep) -> tuple[Verdict, ...]:
    """All that there is to say, the most important first."""
    ask: list[Callable[[Sweep], Verdict | None]] = [
        unfinished, nothing, going_first, fair_values, strategies, scores, feel, reaction, skill, precision,
    ]  # fmt: skip
    found = [verdict for question in ask if (verdict := question(sweep)) is not None]
    return tuple(sorted(found, key=lambda verdict: -verdict.weight))


# --- words -----------------------------------------------------------------------------------------------------------


def axis_name(axis: AxisEntry) -> str:
    """A varied value as a sentence names it: expedition_cost, hunter.vp_amount, but setup.2.houses: a number or a
    letter needs its table.
    """
    table, *place = axis["path"].split(".")
    needs_table = len(place) > 1 and (len(place[0]) == 1 or place[0].isdecimal())
    return ".".join([table, *place] if needs_table else place)


def value_word(value: Value) -> str:
    """A value in words; an empty cell is "blank"."""
    return BLANK if value is None else str(value)


def point_name(sweep: Sweep, point: int, short: bool = True) -> str:
    """A point in words: "15" or, with two values, "(20, 7)"; not `short`, with their names: "bonus_points 20, …"."""
    values = sweep.points[point].values
    if short:
        words = ", ".join(value_word(value) for value in values)
        return words if len(values) == 1 else f"({words})"
    return ", ".join(f"{axis_name(axis)} {value_word(value)}" for axis, value in zip(sweep.axes, values, strict=True))


def noun(sweep: Sweep) -> str:
    """What a point is called: a value or, of two axes, a pair."""
    return "value" if len(sweep.axes) == 1 else "pair"


def nouns(sweep: Sweep) -> str:
    """Several points: values or pairs."""
    return f"{noun(sweep)}s"


def varied(sweep: Sweep) -> str:
    """What was varied, in words."""
    return listed([axis_name(axis) for axis in sweep.axes])


def level_of(row: Row) -> Estimate:
    """The level in a row of `Sweep.rows`."""
    return _estimate(row, "value", "low", "high")


def change_of(row: Row) -> Estimate:
    """The change in a row of `Sweep.rows` or `Sweep.responses`."""
    return _estimate(row, "change", "change_low", "change_high")


def _estimate(row: Row, *names: str) -> Estimate:
    value, low, high = (float("nan") if row[name] is None else float(row[name]) for name in names)
    n = row.get("n", 0)
    return Estimate(value, low, high, n, n, row["unit"])


def scale(unit: str) -> float:
    """Shares are spoken of in per cent."""
    return 100.0 if unit == "share" else 1.0


def unit_of_change(unit: str) -> str:
    """The unit of a change: shares change by percentage points."""
    return "percentage points" if unit == "share" else unit


def margin_words(row: Row) -> str:
    """The margin of a row, as words."""
    return counted(float(f"{row['margin'] * scale(row['unit']):.3g}"), unit_of_change(row["unit"]))


def rows_of(sweep: Sweep, line_up: int, measure: str, subject: str | None = None) -> list[Row]:
    """The rows of one question, a row a point, in the order of the points."""
    found = sweep.rows.filter(line_up=line_up, measure=measure)
    return (found if subject is None else found.filter(subject=subject)).to_dicts()


def told(sweep: Sweep, rows: Sequence[Row]) -> list[int]:
    """The points that a sentence tells of: both ends of a numeric axis and a larger change between them, the largest
    changes of words, and of pairs the largest upwards and downwards.
    """
    from analysis.sweep import numeric

    others = [row for row in rows if row["point"] != sweep.base]
    biggest = sorted(others, key=lambda row: -abs(row["change"] or 0.0))
    if len(sweep.axes) == 1 and numeric(sweep.axes[0]):
        along = sweep.along(0)
        chosen = [point for point in dict.fromkeys((along[0], along[-1])) if point != sweep.base]
        if biggest and (surely := change_of(biggest[0])) and (surely.low > 0 or surely.high < 0):
            chosen.append(biggest[0]["point"])
        return sorted(set(chosen), key=along.index)
    if len(sweep.axes) == 1:
        return [row["point"] for row in biggest[:NAMED]]
    ends = [pick(others, key=lambda row: row["change"] or 0.0) for pick in (max, min)] if others else []
    return list(dict.fromkeys(row["point"] for row in sorted(ends, key=lambda row: -abs(row["change"] or 0.0))))


def changes(sweep: Sweep, rows: Sequence[Row]) -> str:
    """The changes in words: "+1.2 percentage points at 10 (interval +0.9 to +1.5) and -0.8 at 30 (…)"."""
    by_point = {row["point"]: row for row in rows}
    said = []
    for point in told(sweep, rows):
        row = by_point[point]
        if row["wording"] == comparison.IDENTICAL:
            said.append(f"exactly the same at {point_name(sweep, point)}")
            continue
        value, interval = signed(change_of(row), scale(row["unit"]))
        unit = f" {unit_of_change(row['unit'])}" if not any("(" in phrase for phrase in said) else ""
        said.append(f"{value}{unit} at {point_name(sweep, point)} (interval {interval})")
    return listed(said)


def judged(sweep: Sweep, rows: Sequence[Row]) -> tuple[str, str]:
    """Tone and sentence on whether the changes pass the margin."""
    others = [row for row in rows if row["point"] != sweep.base]
    words = [row["wording"] for row in others]
    margin = f"your margin of {margin_words(rows[0])}"
    if stats.MATTERS in words:
        where = [point_name(sweep, row["point"]) for row in others if row["wording"] == stats.MATTERS]
        if len(where) == len(others) > 1:
            return PLAIN, f"Every other {noun(sweep)} passes {margin}."
        at = listed(where) if len(where) <= NAMED else f"{len(where)} of {len(others)} other {nouns(sweep)}"
        return PLAIN, f"It passes {margin} at {at}."
    if all(word in SETTLED for word in words):
        return GOOD, f"No {noun(sweep)} changes it by more than {margin}."
    more = max(row["more_deals"] for row in others)
    hint = more_games(more, sweep.facts.seats, f"a line-up at each {noun(sweep)}") if more else ""
    if stats.UNCLEAR in words:
        return UNSURE, f"That is real, but whether it passes {margin} is not clear yet.{hint}"
    return UNSURE, f"Not yet known: whether a {noun(sweep)} changes it by more than {margin}.{hint}"


def now(sweep: Sweep, rows: Sequence[Row]) -> Row:
    """The row of the card set as it is."""
    return next(row for row in rows if row["point"] == sweep.base)


def _as_it_is(sweep: Sweep) -> str:
    return f"{point_name(sweep, sweep.base, short=False)}, as it is"


def _by_whom(sweep: Sweep, line_up: LineUp, rows: Sequence[Row]) -> str:
    games = max(row["n"] for row in rows) * sweep.facts.seats
    return f"{games:,} games at each {noun(sweep)}, {line_up}"


# --- the sweep itself ------------------------------------------------------------------------------------------------


def unfinished(sweep: Sweep) -> Verdict | None:
    """Whether all points were played."""
    if sweep.complete:
        return None
    text = f"This sweep is not finished: {len(sweep.points)} of {sweep.asked} {nouns(sweep)} have been played so far."
    return Verdict("unfinished", "method", UNSURE, 95, text)


def nothing(sweep: Sweep) -> Verdict | None:
    """Whether nothing at all has changed, at any value."""
    others = sweep.played.filter(pl.col("point") != sweep.base)
    if not len(others) or others["scored_alike"].min() != 1.0 or others["identical"].min() != 1.0:
        return None
    text = (
        f"{varied(sweep)} changes nothing here: everywhere all {sweep.games:,} games were played and scored "
        "exactly alike. Either the rules use it rarely, or no bot comes to where it counts."
    )
    return Verdict("nothing", "points", UNSURE, 93, text)


def reaction(sweep: Sweep) -> Verdict | None:
    """Line-ups that were scored differently but played identically, in all or nearly all games."""
    others = sweep.played.filter(pl.col("point") != sweep.base)
    by_line_up = others.group_by("title", maintain_order=True).agg(pl.min("identical"), pl.min("scored_alike"))
    silent = by_line_up.filter((pl.col("identical") >= SILENT) & (pl.col("scored_alike") < 1))
    if not len(silent):
        return None
    titles = silent["title"].to_list()
    least = float(silent["identical"].to_numpy().min())
    who = "No bot" if least == 1 else "Hardly a bot"
    games = "" if least == 1 else f"{math.floor(least * 10_000) / 100:g} % of the games "
    main = str(sweep.main) in titles
    more = len(titles) - NAMED
    shown = listed(titles) if more <= 0 else f"{', '.join(titles[:NAMED])} and {more} more"
    text = (
        f"{who} reacted to {varied(sweep)} in {shown}: scored differently, {games}played identically, move by move. "
        "There the curves show scoring alone; players who adapt may answer otherwise, so try bots that know the value."
    )
    return Verdict("no reaction", "points", UNSURE, 88 if main else 46, text)


def precision(sweep: Sweep) -> Verdict | None:
    """What the same deals at every point were worth."""
    rows = {name: rows_of(sweep, sweep.headline, name) for name in ("score", "order_share")}
    saved = [sorted(row["variance_ratio"] for row in found if row["variance_ratio"]) for found in rows.values()]
    if not all(saved):
        return None
    score, share = (ratios[len(ratios) // 2] for ratios in saved)
    text = (
        f"All {nouns(sweep)} were played on the same {rows['score'][0]['n']:,} deals. With separate deals, changes of "
        f"the score would need {score:.1f} times and changes of win shares {share:.1f} times as many games "
        f"({sweep.main})."
    )
    return Verdict("precision", "method", PLAIN, 20, text)


# --- turn order ------------------------------------------------------------------------------------------------------


def going_first(sweep: Sweep) -> Verdict | None:
    """How the first player's share responds."""
    rows = rows_of(sweep, sweep.headline, "order_share", "0")
    if len(rows) < 2 or not sweep.facts.first_player:
        return None
    value, interval = unsigned(level_of(now(sweep, rows)), 100)
    tone, judgement = judged(sweep, rows)
    text = (
        f"The first player wins {value} % of the games at {_as_it_is(sweep)} (95 % interval {interval}; "
        f"{_by_whom(sweep, sweep.main, rows)}); {changes(sweep, rows)}. {judgement}"
    )
    return Verdict("going first", "turn order", tone, 80 if tone == PLAIN else 70, text)


def fairness(sweep: Sweep, row: Row) -> str:
    """What a row of the first player's share says beside the even share: GOOD inside the margin, BAD beyond, UNSURE."""
    fair, margin = 1 / sweep.facts.seats, sweep.facts.margin_share
    if row["low"] is None:
        return UNSURE
    if fair - margin <= row["low"] and row["high"] <= fair + margin:
        return GOOD
    return BAD if row["low"] > fair + margin or row["high"] < fair - margin else UNSURE


def fair_values(sweep: Sweep) -> Verdict | None:
    """At which values turn order is fair, and where it would be exactly even."""
    rows = rows_of(sweep, sweep.headline, "order_share", "0")
    if len(rows) < 2 or not sweep.facts.first_player:
        return None
    found = {row["point"]: fairness(sweep, row) for row in rows}
    margin = counted(sweep.facts.margin_share * 100, "percentage points")
    good, bad = ([p for p, tone in found.items() if tone == wanted] for wanted in (GOOD, BAD))
    unsure = len(found) - len(good) - len(bad)
    even = _even(sweep)
    if len(good) == len(found):
        tone, text = GOOD, f"Turn order is fair at every {noun(sweep)}, within your margin of {margin} ({sweep.main})."
    elif good:
        tone = BAD if found[sweep.base] == BAD else PLAIN
        text = f"Turn order is fair within your margin of {margin} at {_points(sweep, good)}"
        text += f", surely not at {_points(sweep, bad)}" if bad else ""
        text += f"; {unsure} more not yet known" if unsure else ""
        text += f" ({sweep.main})."
    elif bad and not unsure:
        tone, text = BAD, f"Turn order is fair at no {noun(sweep)} within your margin of {margin} ({sweep.main})."
    else:
        tone = UNSURE
        known = f"not yet known to be fair at any of the {unsure} {nouns(sweep)}"
        if bad:
            others = "1 other" if unsure == 1 else f"{unsure} others"
            known = f"surely not fair at {_points(sweep, bad)} and not yet known to be at {others}"
        text = f"Within your margin of {margin}, turn order is {known} ({sweep.main})."
    return Verdict("fair values", "turn order", tone, 82 if tone in (BAD, PLAIN) else 72, f"{text}{even}")


def _points(sweep: Sweep, points: Sequence[int]) -> str:
    if len(points) > 2 * NAMED:
        return f"{len(points)} of {len(sweep.points)} {nouns(sweep)}"
    return listed([point_name(sweep, point) for point in points])


def _even(sweep: Sweep) -> str:
    """Where going first is worth nothing, in a sentence."""
    rows = sweep.crossings.filter(line_up=sweep.headline, measure="order_share").to_dicts()
    if rows and all(row["low"] is None and row["high"] is None for row in rows):
        return " Where going first is worth nothing is not known at all yet: it may be anywhere in the range."
    said = [crossing_words(sweep, row) for row in rows]
    return f" Going first is worth nothing at {listed(said)}." if said else ""


def crossing_words(sweep: Sweep, row: Row) -> str:
    """A row of `Sweep.crossings` in words: "expedition_cost 27.3 (interval 24.1 to beyond 30)"."""
    axis = sweep.axes[row["axis"]]
    numbers = [value for value in axis["values"] if isinstance(value, int)]
    low = f"below {min(numbers)}" if row["low"] is None else f"{row['low']:.3g}"
    high = f"beyond {max(numbers)}" if row["high"] is None else f"{row['high']:.3g}"
    return f"{axis_name(axis)} {row['at']:.3g} (interval {low} to {high})"


def skill(sweep: Sweep) -> Verdict | None:
    """Whether weaker and stronger bots agree on turn order, or on scores in a game without a first player."""
    first = sweep.facts.first_player
    mirrors = {line_up.index for line_up in sweep.line_ups if line_up.mirror}
    measure, what = ("order_share", "the first player's share") if first else ("score", "the mean score")
    found = sweep.responses.filter(pl.col("line_up").is_in(mirrors), measure=measure).to_dicts()
    found = [row for row in found if row["subject"] == "0" or not first]
    if len(found) < 2:
        if len(sweep.facts.bots) > 1:
            return None
        text = f"Measured with one bot only ({sweep.facts.bots[0].name}): treat it as a hint."
        return Verdict("skill", "method", UNSURE, 50, text)
    passing = [row["title"].removesuffix(" against itself") for row in found if row["matters"]]
    parts = []
    for row in found:
        value, interval = signed(change_of(row), scale(row["unit"]))
        parts.append(f"{value} with {row['title'].removesuffix(' against itself')} (interval {interval})")
    agree = len(passing) in (0, len(found))
    moves = f"a {noun(sweep)} moves {what} by surely more than your margin"
    if not agree:
        text = f"Skill matters here: with {listed(passing)} {moves}."
    elif passing:
        text = f"Bots of every skill agree: {moves}."
    elif any(row["open"] for row in found):
        text = f"With no bot it is known yet that {moves}."
    else:
        text = f"Bots of every skill agree: no {moves.removeprefix('a ')}."
    text += f" The largest changes, in {unit_of_change(found[0]['unit'])}: {'; '.join(parts)}."
    return Verdict("skill", "turn order" if first else "scores", PLAIN if agree else UNSURE, 40 if agree else 56, text)


# --- strategies, scores, feel ----------------------------------------------------------------------------------------


def pairs(sweep: Sweep) -> list[tuple[LineUp, list[Row]]]:
    """The share of the first bot of every mixed line-up; the largest sure changes first."""
    found = []
    for line_up in sweep.line_ups:
        if not line_up.mirror:
            rows = rows_of(sweep, line_up.index, "bot_share", line_up.names[0])
            if len(rows) > 1:
                found.append((line_up, rows))

    def size(pair: tuple[LineUp, list[Row]]) -> tuple[bool, float]:
        return max((row["wording"] == stats.MATTERS, abs(row["change"] or 0.0)) for row in pair[1])

    return sorted(found, key=size, reverse=True)


def strategies(sweep: Sweep) -> Verdict | None:
    """How the shares of the bots against each other respond."""
    found = pairs(sweep)
    if not found:
        return None
    line_up, rows = found[0]
    matter = [pair for pair in found if any(row["wording"] == stats.MATTERS for row in pair[1])]
    value, interval = unsigned(level_of(now(sweep, rows)), 100)
    tones = {judged(sweep, pair_rows)[0] for _, pair_rows in found}
    tone = PLAIN if matter else UNSURE if UNSURE in tones else GOOD
    fair = "" if sweep.facts.seats == 2 else f", where {100 / sweep.facts.seats:.1f} % would be even"
    if len(found) > 1:
        moved = f"{len(matter) or 'none'} change{'s' if len(matter) == 1 else ''}"
        text = f"Of {len(found)} pairings of bots, {moved} by surely more than your margin. Most of all {line_up}: "
    else:
        moved = "surely changes" if matter else "does not surely change"
        text = f"The one pairing of bots {moved} by more than your margin. {line_up}: "
    text += (
        f"{line_up.names[0]} wins {value} % at {_as_it_is(sweep)}{fair} "
        f"(interval {interval}; {_by_whom(sweep, line_up, rows)}); {changes(sweep, rows)}."
    )
    if tone == UNSURE:
        text += f"{' For some pairings it' if len(found) > 1 else ' Whether it does'} is not yet known."
    trained = [bot.name for bot in sweep.facts.bots if bot.tier == "trained" and bot.name in line_up.names]
    if matter and trained:
        text += f" {trained[0]} was trained on one card set; trained again it may answer better."
    even = sweep.crossings.filter(measure="bot_share").to_dicts()[:NAMED]
    if even:
        at = "; ".join(f"{row['title']} at {crossing_words(sweep, row)}" for row in even)
        text += f" Even: {at}."
    return Verdict("strategies", "strategies", tone, 76 if matter else 58, text)


def scores(sweep: Sweep) -> Verdict | None:
    """How the mean score responds, and of what that is made."""
    rows = rows_of(sweep, sweep.headline, "score", sweep.main.names[0])
    if len(rows) < 2:
        return None
    value, interval = unsigned(level_of(now(sweep, rows)))
    tone, judgement = judged(sweep, rows)
    text = (
        f"Scores: {sweep.main.names[0]} has {value} {sweep.facts.score_unit} at {_as_it_is(sweep)} (interval "
        f"{interval}; {_by_whom(sweep, sweep.main, rows)}); {changes(sweep, rows)}. {judgement}"
    )
    return Verdict("scores", "scores", tone, 68 if tone == PLAIN else 54, text)


FEEL = ("turns", "margin_spread", "lead_changes", "tie", "cut_off")
"""What page one says about feel: measures of the headline line-up, the first bot's where there is one."""


def feel(sweep: Sweep) -> Verdict | None:
    """Length, spread, changes of the lead: those that pass their margin, or that none does."""
    found = []
    for measure in FEEL:
        rows = rows_of(sweep, sweep.headline, measure)[: len(sweep.points)]
        if len(rows) > 1:
            found.append(rows)
    if not found:
        return None
    moved = [rows for rows in found if any(row["wording"] == stats.MATTERS for row in rows)]
    games = _by_whom(sweep, sweep.main, found[0])
    if not moved:
        # A phrase each: the labels of a comparison are written for the middle of a sentence.
        names = listed([rows[0]["label"].removesuffix(f" of {sweep.main.names[0]}") for rows in found])
        text = f"No {noun(sweep)} surely changes how the game feels by more than the margins: {names} ({games})."
        return Verdict("feel", "feel", GOOD, 45, text)
    said = []
    for rows in moved[:NAMED]:
        row = now(sweep, rows)
        value, _ = unsigned(level_of(row), scale(row["unit"]))
        unit = " %" if row["unit"] == "share" else "" if row["label"].startswith(row["unit"]) else f" {row['unit']}"
        said.append(f"{row['label']}, {value}{unit} as it is: {changes(sweep, rows)}")
    text = f"The game feels different. {'. '.join(phrase[0].upper() + phrase[1:] for phrase in said)} ({games})."
    return Verdict("feel", "feel", PLAIN, 52, text)
