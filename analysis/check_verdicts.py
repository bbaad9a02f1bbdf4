"""What a check says of each target, in a sentence, and of all of them; as `analysis.verdicts`."""

from __future__ import annotations

import math

from analysis.check import MET, MISSED, UNKNOWN, Check, Figure, Result
from analysis.targets import KINDS
from analysis.verdicts import NAMED, counted, listed, more_games, signed, unsigned


def sentence(result: Result) -> str:
    """What a target came to: the decisive figures with their intervals, what is allowed, and who played."""
    if not result.figures:
        return f"nothing to judge: {result.why_not} ({_by_whom(result)})."
    told = listed([_said(figure, result) for figure in result.decisive[:NAMED]])
    count, all_of = len(result.decisive), len(result.figures)
    more = f", and {count - NAMED} more" if count > NAMED else ""
    if all_of == 1:
        start = told
    elif result.verdict == MET:
        everything = "both" if all_of == 2 else f"all {all_of}"
        start = f"{everything} inside, nearest to a limit: {_said(result.decisive[0], result)}"
    else:
        where = "surely outside" if result.verdict == MISSED else "not surely inside or outside"
        start = f"{count} of {all_of} {where}: {told}{more}"
    basis = f", {result.basis}" if result.basis else ""
    would = more_games(result.more_deals, result.seats) if result.more_deals else ""
    return f"{start}{basis}; allowed: {allowed(result)} ({_by_whom(result)}).{would}"


def figures(result: Result) -> list[str]:
    """Each figure that the verdict rests on, with its interval, and last what is allowed."""
    if not result.figures:
        return []
    return [*(_said(figure, result) for figure in result.decisive), f"allowed: {allowed(result)}"]


def _by_whom(result: Result) -> str:
    different = "different " if result.games < result.deals * result.seats else ""
    return f"{result.games:,} {different}games of {result.deals:,} deals, {result.line_up}, {result.seats} seats"


def _said(figure: Figure, result: Result) -> str:
    """A figure with the interval that its verdict rests on."""
    e, together = figure.estimate, figure.verdict == MISSED and len(result.figures) > 1
    scale = 100 if e.unit == "share" else 1
    value, interval = (signed if _of_effects(result) else unsigned)(e, scale)
    if together:
        low, high = figure.together
        sign = "+" if _of_effects(result) else ""
        interval = f"{low * scale:{sign}.1f} to {high * scale:{sign}.1f}, for all {len(result.figures)} together"
    return f"{figure.what} {value} {_unit(result)} (95 % interval {interval})"


def _of_effects(result: Result) -> bool:
    return KINDS[result.target.kind].name == "card_impact"


def _unit(result: Result) -> str:
    if result.unit != "share":
        return result.unit
    return "percentage points" if _of_effects(result) else "%"


def allowed(result: Result) -> str:
    """The limits in words: "45 to 55 %", "at most 1 %", "-5 to 5 points"."""
    figure = result.figures[0]
    low, high, unit = _limit(figure.low, result), _limit(figure.high, result), _unit(result)
    if math.isinf(figure.low):
        return f"at most {high} {unit}"
    if math.isinf(figure.high):
        return f"at least {low} {unit}"
    return f"{low} to {high} {unit}" if low != high else f"{low} {unit}"


def _limit(limit: float, result: Result) -> str:
    """A limit as it was given; an even share of three seats has no end, so two decimals of a large one are enough."""
    number = limit * (100 if result.unit == "share" else 1)
    return f"{round(number, 2):.12g}" if abs(number) >= 1 else f"{number:.6g}"


def warnings(check: Check) -> tuple[str, ...]:
    """What to know where the bots at the top of the targets file did not play, or not against themselves."""
    missing = [bot for bot in check.named if bot not in check.bots]
    others = [result for result in check.results if check.named and result.by_default]
    if not missing and not others:
        return ()
    parts = []
    if missing:
        parts.append(f"The targets name {listed(missing)}, which did not play; {listed(list(check.bots))} did.")
    if others:
        names = listed(list(dict.fromkeys(result.target.name for result in others)))
        games = listed(list(dict.fromkeys(result.line_up for result in others)))
        parts.append(f"Not judged by the bots that the targets mean, but by {games}: {names}.")
    else:
        parts.append("Only those of the named bots that did play were judged.")
    parts.append(f"Play {', '.join(check.named)} (--bots), or name in the targets file those that are to be judged.")
    return (" ".join(parts),)


def summary(check: Check, strict: bool = False) -> str:
    """How many targets are met, missed and open, and what that means."""
    missed, unknown = len(check.of(MISSED)), len(check.of(UNKNOWN))
    parts = [f"{len(check.of(MET))} of {counted(len(check.results), 'targets')} met"]
    parts += [f"{missed} missed"] if missed else []
    parts += [f"{unknown} not yet known{', which counts as missed' if strict else ''}"] if unknown else []
    return f"{'Passed' if check.passed(strict) else 'Failed'}: {', '.join(parts)}."
