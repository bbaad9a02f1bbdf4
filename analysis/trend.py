"""Versions of a card set held against the same targets: what each target came to at each of them, and what changed.

Every version is a run (or one for each number of seats) of one game with the same bots, and is judged as by
`analysis.check`. Between a version and the one before it, each figure has a difference with a 95 % interval:

- *paired* where both runs played the same deals with the same bots and the figure is a mean over deals: its error is
  that of the differences of the deals, so that the luck which both share cancels;
- else from the two figures' own intervals, as if the runs were independent (`stats.difference_interval`); where they
  did play the same deals, that interval is as a rule too wide.

A change is sure where its interval excludes 0; of a target about many cards, bots or places the interval that holds for
all of them together (Sidak).
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis import same_cards, stats
from analysis.balance import plain_data
from analysis.blocks import LineUp, line_ups
from analysis.check import MET, MISSED, UNKNOWN, Check, Figure, Result
from analysis.pairs import DIFFERENCE, LineUpPairs, read_pairs
from analysis.stats import Estimate, Interval
from analysis.targets import LOSING, MEAN, WINNING, Target
from analysis.verdicts import short
from simcore.errors import InputError
from simcore.manifest import Manifest
from simcore.runlog import Run

MOST_TRACKED = 4
"""At most so many figures of a target are followed over the versions: the ones that decide it."""


@dataclass(frozen=True)
class Version:
    """A version of the card set: the name that it goes by, its runs (one for each number of seats), and their check."""

    name: str
    runs: tuple[Run, ...]
    check: Check


@dataclass(frozen=True)
class Change:
    """How a figure changed from one version to the next: new - old, its own 95 % interval, and the one that holds for
    all figures of the target together. `paired` says whether deals were compared with themselves.
    """

    what: str
    difference: Estimate
    together: Interval
    paired: bool

    @property
    def sure(self) -> bool:
        """Whether the interval of all figures together excludes 0."""
        return self.together[0] > 0 or self.together[1] < 0


@dataclass(frozen=True)
class Turn:
    """A verdict that is another than the last one that was known: from which to which, and the version (index)."""

    old: str
    new: str
    version: int


@dataclass(frozen=True)
class Series:
    """One target at every version, with one number of seats. `changes[i]` are those of all figures from version i to
    the next, none where other line-ups were judged (`line_up` of the results).
    """

    results: tuple[Result, ...]
    changes: tuple[tuple[Change, ...], ...]

    @property
    def target(self) -> Target:
        """The target."""
        return self.results[0].target

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.results[0].seats

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Where it turned from met to missed or back; what is not yet known in between changes nothing."""
        found: list[Turn] = []
        last = UNKNOWN
        for i, result in enumerate(self.results):
            if result.verdict != UNKNOWN:
                if last not in (UNKNOWN, result.verdict):
                    found.append(Turn(last, result.verdict, i))
                last = result.verdict
        return tuple(found)

    @property
    def tracked(self) -> tuple[str, ...]:
        """The figures that are followed: of every version, the last one first, the one that decides, then those that
        miss.
        """
        newest_first = self.results[::-1]
        first = [figure.what for result in newest_first for figure in result.decisive[:1]]
        missed = [f.what for result in newest_first if result.verdict == MISSED for f in result.decisive]
        return tuple(dict.fromkeys([*first, *missed]))[:MOST_TRACKED]

    def figure(self, version: int, what: str) -> Figure | None:
        """A figure at a version, None where it has no such."""
        return next((figure for figure in self.results[version].figures if figure.what == what), None)

    def change(self, version: int, what: str) -> Change | None:
        """The change of a figure at a version from the one before, None where there is none."""
        found = self.changes[version - 1] if version else ()
        return next((change for change in found if change.what == what), None)


@dataclass(frozen=True)
class Trend:
    """Versions of a card set, in order, and the series of each target. `targets` names their source; `notes` are
    sentences on what the reader must know of the runs.
    """

    game: str
    title: str
    caveat: str
    score_unit: str
    bots: tuple[str, ...]
    seats: tuple[int, ...]
    targets: str
    fairdeal: str
    versions: tuple[Version, ...]
    series: tuple[Series, ...]
    notes: tuple[str, ...]

    def name(self, series: Series) -> str:
        """A target's name, with the number of seats where there are several."""
        return f"{series.target.name}, {series.seats} seats" if len(self.seats) > 1 else series.target.name

    def to_dict(self) -> dict[str, Any]:
        """The whole result in plain JSON types; open limits and what does not exist are null."""
        kept = dataclasses.replace(self, versions=(), series=())
        return {
            "format": "fairdeal-trend/1",
            **plain_data(kept),
            "versions": [_version(version) for version in self.versions],
            "series": [_series(self, series) for series in self.series],
        }


def _version(version: Version) -> dict[str, Any]:
    check = version.check
    return {
        "name": version.name,
        "card_set": check.card_set,
        "card_set_hash": check.card_set_hash,
        "seed": check.seed,
        "version": check.version,
        "complete": check.complete,
        "folders": [str(run.path) for run in version.runs],
        "met": len(check.of(MET)),
        "missed": len(check.of(MISSED)),
        "unknown": len(check.of(UNKNOWN)),
    }


def _series(trend: Trend, series: Series) -> dict[str, Any]:
    at = [
        {
            "verdict": result.verdict,
            "line_up": result.line_up,
            "games": result.games,
            "deals": result.deals,
            "figures": [plain_data(figure) | {"verdict": figure.verdict} for figure in result.figures],
        }
        for result in series.results
    ]
    return {
        "name": trend.name(series),
        "target": plain_data(series.target),
        "seats": series.seats,
        "unit": series.results[0].unit,
        "at": at,
        "turns": plain_data(series.turns),
        "changes": [[plain_data(c) | {"sure": c.sure} for c in changes] for changes in series.changes],
    }


def trend(
    checked: Sequence[tuple[tuple[Run, ...], Check]], threads: int | None = None, notes: Sequence[str] = ()
) -> Trend:
    """The trend over versions in this order, each given as its runs and what their check against the same targets came
    to. Raises InputError as `refuse` does.
    """
    refuse([runs for runs, _ in checked])
    names = version_names([runs for runs, _ in checked])
    versions = tuple(Version(name, *one) for name, one in zip(names, checked, strict=True))
    first = versions[0]
    manifest = first.runs[0].manifest
    return Trend(
        game=first.check.game,
        title=first.check.title,
        caveat=manifest["caveat"],
        score_unit=first.check.score_unit,
        bots=first.check.bots,
        seats=tuple(run.manifest["seats"] for run in first.runs),
        targets=first.check.targets,
        fairdeal=first.check.version,
        versions=versions,
        series=tuple(_follow(versions, i, threads) for i in range(len(first.check.results))),
        notes=(*notes, *_notes(versions)),
    )


# --- what can be followed --------------------------------------------------------------------------------------------


def refuse(versions: Sequence[Sequence[Run]]) -> None:
    """Raise InputError for fewer than two versions, one that is named twice, and for versions of different games,
    numbers of seats, bots or line-ups: their figures would differ for other reasons than the cards.
    """
    if len(versions) < 2:
        raise InputError("a trend is over at least two versions: name the folder of a run for each.")
    paths = [runs[0].path.resolve() for runs in versions]
    for path in paths:
        if paths.count(path) > 1:
            raise InputError(f"{path} is named twice. A trend is over different runs, a folder each.")
    for runs in versions[1:]:
        for what, (old, new) in _told(versions[0], runs).items():
            if old != new:
                raise InputError(
                    f"{runs[0].path} has other {what} ({new}) than {versions[0][0].path} ({old}). Allowed are runs of "
                    "one game with the same seats, bots and line-ups: what differs would not come from the cards."
                )


def _told(base: Sequence[Run], other: Sequence[Run]) -> dict[str, tuple[str, str]]:
    """What must be equal, in words."""

    def of(get: Callable[[Manifest], str]) -> tuple[str, str]:
        old, new = ("; ".join(dict.fromkeys(get(run.manifest) for run in runs)) for runs in (base, other))
        return old, new

    return {
        "rules, those of another game": of(lambda m: m["game"]),
        "numbers of seats": of(lambda m: str(m["seats"])),
        "bots": of(lambda m: ", ".join(bot["name"] for bot in m["bots"])),
        "line-ups": of(lambda m: ", ".join(map(str, line_ups(m)))),
    }


def version_names(versions: Sequence[Sequence[Run]]) -> list[str]:
    """What each version is called: the name of its card set; where several have one name, with the beginning of its
    hash, or where that is the same too, with the name of its folder.
    """
    sets = [runs[0].manifest["card_set"] for runs in versions]
    hashed = [(one["name"], one["hash"]) for one in sets]
    found = []
    for runs, one in zip(versions, sets, strict=True):
        if sum(other["name"] == one["name"] for other in sets) == 1:
            found.append(one["name"])
        elif hashed.count((one["name"], one["hash"])) == 1:
            found.append(f"{one['name']} {one['hash'][:6]}")
        else:
            several = len(runs) > 1
            found.append(f"{one['name']} ({(runs[0].path.parent if several else runs[0].path).resolve().name})")
    return found


def _notes(versions: Sequence[Version]) -> list[str]:
    """What the page must say about the runs themselves."""
    found = []
    for old, new in itertools.pairwise(versions):
        before, after = (
            {bot["name"]: bot["hash"] for bot in version.runs[0].manifest["bots"]} for version in (old, new)
        )
        if others := [name for name in after if after[name] != before[name]]:
            found.append(
                f"From {old.name} to {new.name} also the code or the weights of {', '.join(others)} changed: a "
                "difference may come from that."
            )
        if old.check.version != new.check.version:
            found.append(
                f"{old.name} and {new.name} were played by different versions of fairdeal ({old.check.version} and "
                f"{new.check.version}): a difference may come from that."
            )
    unfinished = [version.name for version in versions if not version.check.complete]
    if unfinished:
        found.append(f"Not finished, and judged as far as they are played: {', '.join(unfinished)}.")
    return found


# --- changes ---------------------------------------------------------------------------------------------------------


def _follow(versions: Sequence[Version], index: int, threads: int | None) -> Series:
    """The series of the result with this index in the check of every version."""
    seats = versions[0].check.results[index].seats
    runs = [next(run for run in version.runs if run.manifest["seats"] == seats) for version in versions]
    results = _with_one_name([version.check.results[index] for version in versions], runs)
    changes = tuple(
        _changes((runs[i], runs[i + 1]), (results[i], results[i + 1]), threads) for i in range(len(results) - 1)
    )
    return Series(results, changes)


def _with_one_name(results: Sequence[Result], runs: Sequence[Run]) -> tuple[Result, ...]:
    """The results with each card under one name at all versions, whatever an edit has made of it: "yellow 10 (now 14)"
    (`analysis.same_cards`).
    """
    sets = [same_cards.of_log(run.manifest["cards"]) for run in runs]
    called: list[dict[str, list[str]]] = []  # what each card was called up to this version, by its type there
    for i, cards in enumerate(sets):
        before = {new: called[-1][old] for old, new in same_cards.same(sets[i - 1], cards).items()} if i else {}
        called.append({name: before.get(name, []) for name in cards})
        for name, known in cards.items():
            called[-1][name].append(short(known.label))
    return tuple(
        dataclasses.replace(result, figures=tuple(_renamed(figure, cards, names) for figure in result.figures))
        for result, cards, names in zip(results, sets, called, strict=True)
    )


def _renamed(figure: Figure, cards: same_cards.Cards, called: Mapping[str, Sequence[str]]) -> Figure:
    """A figure of a card with the name that the card has at all versions."""
    if figure.card not in cards:
        return figure
    return dataclasses.replace(
        figure, what=figure.what.replace(short(cards[figure.card].label), _name(called[figure.card]), 1)
    )


def _name(labels: Sequence[str]) -> str:
    """What a card is called that had these labels at the versions."""
    first, last = labels[0], labels[-1]
    others = [label for label in labels if label != first]
    return f"{first} ({others[0]} for a time)" if others and first == last else same_cards.label(first, last)


def _changes(runs: tuple[Run, Run], results: tuple[Result, Result], threads: int | None) -> tuple[Change, ...]:
    old, new = results
    if old.line_up != new.line_up:
        return ()
    before = {figure.what: figure for figure in old.figures}
    both = [(before[figure.what], figure) for figure in new.figures if figure.what in before]
    paired = _paired(runs, new, threads)
    count = len(both)
    if new.target.kind == "seat_share" and (not paired or new.seats == 2):
        count = 1  # the intervals of places hold for all of them already; of two, one says all
    return tuple(_change(a, b, paired, count, new.deals) for a, b in both)


def _change(a: Figure, b: Figure, paired: Mapping[str, Interval], count: int, deals: int) -> Change:
    """The change of a figure, one of so many; `paired` has the value and the error of those that are paired."""
    if b.what in paired:
        value, se = paired[b.what]
        low, high = stats.normal_interval(value, se)
        n = deals
    else:
        value, se, n = b.estimate.value - a.estimate.value, math.nan, min(a.estimate.n, b.estimate.n)
        low, high = stats.difference_interval(a.estimate, b.estimate)
    difference = Estimate(value, low, high, n, n, b.estimate.unit, se)
    together = stats.of_many(value, (low, high), count)
    return Change(b.what, difference, together, b.what in paired)


def _paired(runs: tuple[Run, Run], result: Result, threads: int | None) -> dict[str, Interval]:
    """The differences, value and error, of figures that are means over the deals of both runs; none where the runs did
    not play the same deals, or the figures are no such means.
    """
    old, new = (run.manifest for run in runs)
    same = all(a["hash"] == b["hash"] for a, b in zip(old["bots"], new["bots"], strict=True))
    line_up = next((one for one in line_ups(new) if str(one) == result.line_up), None)
    if old["seed"] != new["seed"] or not same or line_up is None or not all(run.complete for run in runs):
        return {}
    if runs[0].blocks != runs[1].blocks:
        return {}
    columns = _columns(result, line_up, new)
    pairs = read_pairs(*runs, line_up, threads=threads) if columns else None
    return {} if pairs is None else {what: _difference(pairs, column) for what, column in columns.items()}


def _difference(pairs: LineUpPairs, column: str) -> Interval:
    i, moments = pairs.column(column), pairs.moments
    return float(moments.mean[DIFFERENCE, i]), math.sqrt(float(moments.variance[DIFFERENCE, i]) / moments.n)


def _columns(result: Result, line_up: LineUp, manifest: Manifest) -> dict[str, str]:
    """The column of a pass over the blocks (`analysis.blocks`) that each figure is the mean of, by what it is of."""
    target, figures = result.target, result.figures
    if target.kind == "seat_share":
        kind = "order" if manifest["first_player"] else "seat"
        return {figure.what: f"{kind}{i}.share" for i, figure in enumerate(figures)}
    named = {
        ("score", MEAN): f"bot{line_up.bots[0]}.score",
        ("score", WINNING): "games.winning",
        ("score", LOSING): "games.losing",
        ("length", MEAN): "games.turns",
        ("draws", ""): "games.tie",
        ("cut_offs", ""): "games.cut_off",
    }
    column = named.get((target.kind, target.measure))
    return {} if column is None else {figure.what: column for figure in figures}
