"""What a trend says, in sentences: which target turned, at which version, and what changed; as `analysis.verdicts`."""

from __future__ import annotations

from analysis.check import MET, MISSED, UNKNOWN
from analysis.check_verdicts import sentence
from analysis.targets import KINDS
from analysis.trend import Change, Series, Trend
from analysis.verdicts import BAD, GOOD, MOST, NAMED, UNSURE, Verdict, listed, number, signed

TONES = {MET: GOOD, MISSED: BAD, UNKNOWN: UNSURE}
PAIRED, INDEPENDENT = "on the same deals", "of independent runs"


def page_one(trend: Trend) -> tuple[Verdict, ...]:
    """The sentences of page one: where the latest version stands, then target by target, the most important first."""
    found = [_latest(trend), *(_of_runs(note) for note in trend.notes), *(of_series(trend, s) for s in trend.series)]
    return tuple(sorted(found, key=lambda verdict: -verdict.weight))[:MOST]


def _latest(trend: Trend) -> Verdict:
    """How many targets the latest version meets, and how many have turned."""
    latest = [series.results[-1].verdict for series in trend.series]
    parts = [f"{latest.count(MET)} of {len(latest)} targets met"]
    parts += [f"{latest.count(verdict)} {verdict}" for verdict in (MISSED, UNKNOWN) if verdict in latest]
    turned = []
    for old, new in ((MET, MISSED), (MISSED, MET)):
        last = [(trend.name(s), s.turns[-1]) for s in trend.series if s.turns]
        if names := [name for name, turn in last if (turn.old, turn.new) == (old, new)]:
            turned.append(f"{number(len(names)).lower()} turned from {old} to {new} ({', '.join(names)})")
    since = f" Since {trend.versions[0].name}, {listed(turned)}." if turned else " No target has turned."
    tone = BAD if MISSED in latest else UNSURE if UNKNOWN in latest else GOOD
    return Verdict("latest", "targets", tone, 100, f"{trend.versions[-1].name}: {listed(parts)}.{since}")


def _of_runs(note: str) -> Verdict:
    return Verdict("runs", "method", UNSURE, 85, note)


def of_series(trend: Trend, series: Series) -> Verdict:
    """What a target came to over the versions, with its figures at the latest, and how they changed on the way."""
    name, latest = trend.name(series), series.results[-1]
    text = f"{name} {course(trend, series)}. {trend.versions[-1].name}: {sentence(latest)}"
    if change := _said(trend, series):
        text += f" {change}"
    turned = bool(series.turns)
    weight = {MISSED: 90 if turned else 80, UNKNOWN: 65 if turned else 60, MET: 70 if turned else 40}[latest.verdict]
    return Verdict(name, "targets", TONES[latest.verdict], weight, text)


def course(trend: Trend, series: Series) -> str:
    """What became of a target: "turned from met to missed at v3", "is met at every version"."""
    names = [version.name for version in trend.versions]
    verdicts = [result.verdict for result in series.results]
    if series.turns:
        return "turned " + listed([f"from {turn.old} to {turn.new} at {names[turn.version]}" for turn in series.turns])
    if len(set(verdicts)) == 1:
        return f"is {verdicts[0]} at {'any' if verdicts[0] == UNKNOWN else 'every'} version"
    told = []
    for verdict in dict.fromkeys(verdicts):
        at = [name for name, v in zip(names, verdicts, strict=True) if v == verdict]
        told.append(f"{verdict} at {listed(at) if len(at) <= NAMED else f'{len(at)} of {len(names)} versions'}")
    return f"is {listed(told)}"


def _said(trend: Trend, series: Series) -> str:
    """The change of the figure that decides, where the target turned last, else at the latest version."""
    at = series.turns[-1].version if series.turns else len(trend.versions) - 1
    old, new = (trend.versions[i].name for i in (at - 1, at))
    before, after = (series.results[i].line_up for i in (at - 1, at))
    if before != after:
        return (
            f"From {old} to {new} other bots are judged, as others are the strongest ({before}, then {after}), so no "
            "change is told."
        )
    change = next((c for what in series.tracked if (c := series.change(at, what)) is not None), None)
    if change is None:
        return ""
    d = change.difference
    if d.value == d.low == d.high == 0:
        return f"From {old} to {new}, {change.what} stayed the same."
    sure = "that is sure" if change.sure else "which may be chance"
    how = PAIRED if change.paired else INDEPENDENT
    value, interval = amount(change)
    return f"From {old} to {new}, {change.what}: {value} {unit(series)} ({interval}; {how}), {sure}."


def amount(change: Change) -> tuple[str, str]:
    """A change and its own interval, with signs; shares in percentage points."""
    return signed(change.difference, 100 if change.difference.unit == "share" else 1)


def unit(series: Series) -> str:
    """The unit of a change."""
    of = series.results[0].unit
    return "percentage points" if of == "share" else of


def is_effect(series: Series) -> bool:
    """Whether the figures have signs: effects of cards."""
    return KINDS[series.target.kind].name == "card_impact"


def said(trend: Trend) -> str:
    """What was followed, in a sentence."""
    seats = " and ".join(map(str, trend.seats))
    return (
        f"{len(trend.series)} targets at {len(trend.versions)} versions, games of {seats} seats, bots "
        f"{', '.join(trend.bots)}."
    )
