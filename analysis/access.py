"""Access: what a card is worth to one player, by taking it away. Card impact in tier (c), intervention, paired.

One player, at place 0 of the line-up, is denied a card (`simcore.game.Intervention`), and the same deals are played
free and denied, each under all rotations of the line-up:

    value of access = y(free) - y(denied),   y the result of that player: its margin, its win share.

With two card sets it is asked what the edit did to that: value with the second set - value with the first, on the same
deals. Errors are those of the block (a deal under all rotations). A block in which the arms do not differ adds exactly
0, so a card that changed nothing is worth exactly 0, and the t law of a card has as many degrees of freedom as blocks
that differ, less one. The false discovery rate is controlled over all cards and kinds that were tried (Benjamini and
Hochberg 1995); cards that changed nothing count as tests with p = 1.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import stats
from analysis.balance import plain_data
from analysis.blocks import LineUp, line_ups
from analysis.cards import FALSE_DISCOVERIES, OUTCOMES, effect_frame
from analysis.comparison import IDENTICAL, NO_REACTION
from analysis.pairs import BASE, DIFFERENCE, VARIANT, PairedMoments
from analysis.stats import Estimate
from analysis.verdicts import (
    BAD,
    GOOD,
    NAMED,
    PLAIN,
    STANDS_OUT,
    UNSURE,
    Verdict,
    counted,
    listed,
    more_games,
    number,
    short,
    signed,
    surely_times,
    unsigned,
)
from simcore.game import Intervention
from simcore.manifest import BotEntry, CardSetEntry, Manifest

Array = NDArray[Any]
Row = dict[str, Any]

FORMAT = "fairdeal-access-report/1"
MOST = 8
"""At most so many sentences stand on page one."""

TABLE = {
    "type": pl.String,
    "label": pl.String,
    "group": pl.String,
    "kind": pl.String,  # "ban" or "blank"
    "outcome": pl.String,  # "margin": own score minus the mean of the others'; "share" of the wins, ties split
    "base": pl.Float64,  # mean result of the denied player; with two card sets the value with the first one
    "variant": pl.Float64,  # mean result of the same player when it is free; with two sets the value with the second
    "value": pl.Float64,  # variant - base
    "se": pl.Float64,  # its standard error over blocks
    "low": pl.Float64,  # 95 % interval
    "high": pl.Float64,
    "p": pl.Float64,  # two-sided, of no effect; 1 where no block differs
    "q": pl.Float64,  # p adjusted over all cards and kinds of the outcome (Benjamini-Hochberg)
    "flagged": pl.Boolean,  # q <= 0.05
    "shrunk": pl.Float64,  # by empirical Bayes, with its interval
    "shrunk_low": pl.Float64,
    "shrunk_high": pl.Float64,
    "wording": pl.String,  # one of the five of analysis.stats, on the unshrunk interval, or "identical"
    "more_deals": pl.Int64,  # deals still needed where it is "not yet known", else 0
    "differed": pl.Float64,  # share of the games that were played differently once the card was denied
    "used": pl.Float64,  # share of the free games in which that player used the card
    "n": pl.Int64,  # deals
}
"""Columns of `Access.table`; `differed` and `used` are those of the second card set where there are two."""

COVERAGE = {
    "group": pl.String,
    "kind": pl.String,  # "ban" or "blank"
    "tried": pl.Int64,  # cards of the group that were denied so
    "left_out": pl.Int64,  # cards of the group that could be denied so, and were not asked for
}
"""Columns of `Access.coverage`."""


@dataclass(frozen=True)
class Piece:
    """What was played on some deals.

    `results` (card sets, arms, outcomes, blocks) are sums over the rotations of a block in the whole units of `units`,
    the free arm first, then an arm for each intervention. `differed` and `used` (interventions) count games of the last
    card set, `games` those of one arm, `reacted` the free games that the two card sets played differently.
    """

    results: NDArray[np.int64]
    differed: NDArray[np.int64]
    used: NDArray[np.int64]
    games: int
    reacted: int

    def pairs(self) -> tuple[Array, Array]:
        """Base and variant, both (outcomes x interventions, blocks): denied and free, or the values of two sets."""
        free, denied = self.results[:, :1], self.results[:, 1:]
        base, variant = (denied[0], free[0] + 0 * denied[0]) if len(free) == 1 else free - denied
        width = self.results.shape[3]
        return tuple(np.swapaxes(arm, 0, 1).reshape(-1, width).astype(float) for arm in (base, variant))


def units(seats: int) -> tuple[int, int]:
    """How many whole units a point of margin and a win have in a block: small enough that sums are whole numbers, so
    that equal play leaves no rounding behind.
    """
    return seats * max(1, seats - 1), seats * math.lcm(*range(1, seats + 1))


class AccessSums:
    """Pieces added up, always in the order of the deals: the same bits for any number of threads."""

    def __init__(self, interventions: int) -> None:
        columns = len(OUTCOMES) * interventions
        self.moments = PairedMoments(columns)
        self.changed = np.zeros(columns, np.int64)
        """Blocks of each column in which the difference is not 0."""
        self.differed, self.used = (np.zeros(interventions, np.int64) for _ in range(2))
        self.games = self.reacted = 0

    def add(self, piece: Piece) -> None:
        """Take the next deals."""
        base, variant = piece.pairs()
        self.moments.add(base, variant)
        self.changed += (variant != base).sum(axis=1)
        self.differed += piece.differed
        self.used += piece.used
        self.games += piece.games
        self.reacted += piece.reacted


@dataclass(frozen=True)
class Access:
    """What every card is worth to one player, or (two card sets) what an edit did to that.

    `table` has a row for each card, kind and outcome (columns: TABLE), those of an outcome sorted by `low`: shrinkage
    takes the true values for a normal law, and of one card that an edit has changed, among many that it has not, that
    leaves too little. `coverage` has a row for each group and kind of denial that there is (columns: COVERAGE).
    `line_up` are the bots; the first is the one who is denied cards. The budget: `games` of each arm on `deals` deals,
    `arms` of them in all. `reacted` is the share of free games that two card sets played differently, NaN for one set.
    `spread` is the estimated standard deviation of the true values by outcome, `changes` what differs between two card
    sets, and `unmatched` the cards that only one of them has, with its name.
    """

    game: str
    title: str
    card_sets: tuple[CardSetEntry, ...]
    changes: tuple[str, ...]
    unmatched: tuple[str, ...]
    seats: int
    bots: tuple[BotEntry, ...]
    line_up: LineUp
    deals: int
    games: int
    arms: int
    seed: int
    score_unit: str
    margin_points: float
    margin_share: float
    version: str
    table: pl.DataFrame
    coverage: pl.DataFrame
    spread: dict[str, float]
    reacted: float
    verdicts: tuple[Verdict, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in plain sentences, the most important first."""
        return tuple(verdict.text for verdict in self.verdicts)

    @property
    def two(self) -> bool:
        """Whether two card sets are compared."""
        return len(self.card_sets) == 2

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of interventions that were played."""
        return tuple(self.table["kind"].unique().sort())

    def rows(self, kind: str | None = None, outcome: str = "margin") -> list[Row]:
        """Rows of the table of one outcome, of one kind or of all."""
        chosen = self.table.filter(outcome=outcome)
        return (chosen if kind is None else chosen.filter(kind=kind)).to_dicts()

    def margin(self, outcome: str = "margin") -> float:
        """The designer's margin for an outcome."""
        return dict(zip(OUTCOMES, (self.margin_points, self.margin_share), strict=True))[outcome]

    def to_dict(self) -> dict[str, Any]:
        """The whole result in plain JSON types."""
        content = plain_data({f.name: getattr(self, f.name) for f in dataclasses.fields(self)})
        return {"format": FORMAT, **content}


def analyse(
    manifests: Sequence[Manifest],
    interventions: Sequence[Intervention],
    sums: AccessSums,
    changes: Sequence[str] = (),
    margin_points: float = 1.0,
    margin_share: float = 0.01,
    left_out: Sequence[Intervention] = (),
    unmatched: Sequence[str] = (),
) -> Access:
    """What the sums of a study say, within the designer's margins; `manifests` describe the one or two card sets,
    `left_out` are the interventions that were not asked for, and `unmatched` the cards that only one of the sets has.
    """
    first = manifests[0]
    table, spread = tabulate(interventions, sums, first["seats"], margin_points, margin_share)
    silent = Access(
        game=first["game"],
        title=first["title"],
        card_sets=tuple(manifest["card_set"] for manifest in manifests),
        changes=tuple(changes),
        unmatched=tuple(unmatched),
        seats=first["seats"],
        bots=tuple(first["bots"]),
        line_up=line_ups(first)[0],
        deals=sums.moments.n,
        games=sums.games,
        arms=len(manifests) * (1 + len(interventions)),
        seed=first["seed"],
        score_unit=first["score_unit"],
        margin_points=margin_points,
        margin_share=margin_share,
        version=first["version"],
        table=table,
        coverage=_coverage(interventions, left_out),
        spread=spread,
        reacted=sums.reacted / sums.games if len(manifests) == 2 else math.nan,
        verdicts=(),
    )
    return dataclasses.replace(silent, verdicts=sentences(silent)[:MOST])


def _coverage(tried: Sequence[Intervention], left_out: Sequence[Intervention]) -> pl.DataFrame:
    """How many cards of each group and kind were denied, and how many were left out; the table of COVERAGE."""
    counts: dict[tuple[str, str], list[int]] = {}
    for column, found in enumerate((tried, left_out)):
        for one in found:
            counts.setdefault((one.group, one.kind), [0, 0])[column] += 1
    return pl.DataFrame([(*key, *count) for key, count in counts.items()], schema=COVERAGE, orient="row")


def tabulate(
    interventions: Sequence[Intervention],
    sums: AccessSums,
    seats: int,
    margin_points: float = 1.0,
    margin_share: float = 0.01,
) -> tuple[pl.DataFrame, dict[str, float]]:
    """The table, and the spread of the true values by outcome."""
    names = [str(i) for i in range(len(interventions))]
    told = pl.DataFrame(
        {
            "number": names,
            **{name: [getattr(one, name) for one in interventions] for name in ("type", "label", "group", "kind")},
            "differed": sums.differed / max(1, sums.games),
            "used": sums.used / max(1, sums.games),
        }
    )
    frames, spread = [], {}
    margins = (margin_points, margin_share)
    for k, (outcome, unit, margin) in enumerate(zip(OUTCOMES, units(seats), margins, strict=True)):
        columns = slice(k * len(names), (k + 1) * len(names))
        mean = sums.moments.mean[:, columns] / unit
        se = np.sqrt(sums.moments.variance[DIFFERENCE, columns] / max(1, sums.moments.n)) / unit
        degrees = np.maximum(1, sums.changed[columns] - 1).astype(float)
        judged, spread[outcome] = effect_frame(names, outcome, mean[DIFFERENCE], se, degrees, margin, sums.moments.n)
        levels = {"type": names, "base": mean[BASE], "variant": mean[VARIANT], "same": ~sums.moments.differs[columns]}
        frames.append(_with_the_unchanged(judged.join(pl.DataFrame(levels), on="type")))
    table = pl.concat(frames).rename({"type": "number"}).join(told, on="number", maintain_order="left")
    return table.select(*TABLE).cast(dict(TABLE.items())), spread


def _with_the_unchanged(judged: pl.DataFrame) -> pl.DataFrame:
    """Judged effects in which a card that changed nothing is a test, too, and known to be worth 0."""
    same = pl.col("same")
    exact = {name: pl.when(same).then(0.0).otherwise(pl.col(name)) for name in ("shrunk_low", "shrunk_high")}
    frame = judged.with_columns(
        **exact,
        p=pl.when(same).then(1.0).otherwise(pl.col("p")),
        wording=pl.when(same).then(pl.lit(IDENTICAL)).otherwise(pl.col("wording")),
        more_deals=pl.when(same).then(0).otherwise(pl.col("more_deals")),
    )
    q = stats.benjamini_hochberg(frame["p"].fill_null(math.nan).to_numpy())
    frame = frame.with_columns(q=pl.Series(q).fill_nan(None), flagged=pl.Series(q <= FALSE_DISCOVERIES))
    return frame.sort("low", "value", descending=True, nulls_last=True, maintain_order=True)


# --- sentences -------------------------------------------------------------------------------------------------------


def sentences(a: Access) -> tuple[Verdict, ...]:
    """All that there is to say, the most important first."""
    ask: list[Callable[[Access], Verdict | None]] = [
        edit, no_reaction, gone_or_new, unmissed, chosen, unknown, precision, caution,
    ]  # fmt: skip
    found = [verdict for question in ask if (verdict := question(a)) is not None]
    for kind in a.kinds:
        far = [moved(a, kind, True), moved(a, kind, False)] if a.two else [costly(a, kind)]
        found += [verdict for verdict in far if verdict is not None] or [within(a, kind)]
        if not a.two and (verdict := harmful(a, kind)) is not None:
            found.append(verdict)
    return tuple(sorted(found, key=lambda verdict: -verdict.weight))


def subject(row: Row) -> str:
    """A row as the subject of a sentence."""
    return f"{'Being denied' if row['kind'] == 'ban' else 'A blank in place of'} the {short(row['label'])}"


def estimate(row: Row, prefix: str = "") -> Estimate:
    """The estimate in a row, or (prefix "shrunk") the shrunk one."""
    names = (prefix, f"{prefix}_low", f"{prefix}_high") if prefix else ("value", "low", "high")
    value, low, high = (math.nan if row[name] is None else row[name] for name in names)
    return Estimate(value, low, high, row["n"], row["n"], "share" if row["outcome"] == "share" else "")


def margin_in_words(a: Access) -> str:
    """The designer's margin of score."""
    return counted(a.margin_points, a.score_unit)


def _by_whom(a: Access) -> str:
    return f"{a.deals:,} deals, {a.line_up}"


def _size(row: Row) -> tuple[str, str]:
    """An effect without its sign, and its interval."""
    e = estimate(row)
    return unsigned(e if e.value >= 0 else Estimate(-e.value, -e.high, -e.low, e.n, e.games, e.unit))


def _some(rows: Sequence[Row]) -> str:
    """A few rows in brief: "Quarry 1.9 (interval 1.5 to 2.3)"."""
    sizes = [(short(row["label"]), *_size(row)) for row in rows[:NAMED]]
    return listed([f"{name} {size} (interval {span})" for name, size, span in sizes])


def _beyond(a: Access, kind: str, up: bool) -> list[Row]:
    """Rows whose value surely lies beyond the margin on one side, the farthest first."""
    rows = [row for row in a.rows(kind) if row["flagged"] and row["wording"] == stats.MATTERS]
    return sorted((row for row in rows if (row["value"] > 0) == up), key=lambda row: -abs(row["value"]))


def _many(others: Sequence[Row], one: str, several: str, beyond: str) -> str:
    """A sentence about the rows after the first, none where there are none."""
    if not others:
        return ""
    count = len(others)
    what = f"more cards {several}" if count > 1 else f"more card {one}"
    first = ", first of all" if count > NAMED else ""
    return f" {number(count)} {what} more than {beyond}{first}: {_some(others)}."


def edit(a: Access) -> Verdict | None:
    """What differs between two card sets."""
    if not a.two:
        return None
    first, second = (entry["name"] for entry in a.card_sets)
    if not a.changes:
        return Verdict("edit", "method", PLAIN, 100, f"The card sets {first} and {second} say the same.")
    more = f"; and {len(a.changes) - NAMED} more changes" if len(a.changes) > NAMED else ""
    text = f"What changed from {first} to {second}: {'; '.join(a.changes[:NAMED])}{more}."
    return Verdict("edit", "method", PLAIN, 100, text)


def no_reaction(a: Access) -> Verdict | None:
    """Whether no bot reacted to an edit."""
    if not a.two or a.reacted > 0 or not a.changes:
        return None
    text = (
        f"{NO_REACTION} in all {a.games:,} free games. What is shown is the edit's effect on players who do not adapt: "
        "try bots that know what was edited, or train them again, before believing it."
    )
    return Verdict("reaction", "method", UNSURE, 95, text)


def gone_or_new(a: Access) -> Verdict | None:
    """Which cards are not compared, as only one of two card sets has them."""
    if not a.unmatched:
        return None
    more = [f"{len(a.unmatched) - NAMED} more"] if len(a.unmatched) > NAMED else []
    text = (
        f"Not compared: {listed([*a.unmatched[:NAMED], *more])}. Only what both card sets have is: cards that stand "
        "for the same rows, else cards of the same name."
    )
    return Verdict("unmatched", "method", PLAIN, 75, text)


def costly(a: Access, kind: str) -> Verdict | None:
    """The cards that surely are worth more than the margin to their player."""
    rows = _beyond(a, kind, up=True)
    if not rows:
        return None
    first, *others = rows
    size, span = _size(first)
    text = f"{subject(first)} costs {size} {a.score_unit} (95 % interval {span}; {_by_whom(a)})."
    text += _many(others, "costs", "cost", f"your margin of {margin_in_words(a)}")
    text += stands_out(first, others[0]) if others else ""
    return Verdict(f"{kind} costs", "cards", PLAIN, 90, text)


def stands_out(first: Row, second: Row) -> str:
    """A sentence where the first card surely is worth far more than the second (`STANDS_OUT`), with a factor that is
    rounded down, so that it holds; else nothing.
    """
    times = surely_times(first, second)
    if times <= STANDS_OUT:
        return ""
    least = f"{math.floor(10 * times) / 10:g}"
    return f" The {short(first['label'])} stands out: surely worth more than {least} times the next."


def harmful(a: Access, kind: str) -> Verdict | None:
    """The cards without which their player surely does better."""
    rows = [row for row in a.rows(kind) if row["flagged"] and row["value"] < 0]
    if not rows:
        return None
    first, *others = sorted(rows, key=lambda row: row["value"])
    size, span = _size(first)
    text = f"{subject(first)} gains {size} {a.score_unit} (95 % interval {span}; {_by_whom(a)})."
    text += _many(others, "gains", "gain", "nothing")
    text += f" {_why_harmful(a)}"
    bad = any(row["wording"] == stats.MATTERS for row in rows)
    return Verdict(f"{kind} gains", "cards", BAD if bad else UNSURE, 80, text)


def _why_harmful(a: Access) -> str:
    """What a loss by having a card can come from, which its size does not tell."""
    helps = ", or it helps the others more than its player, as one does that gives to them by its rules"
    return (
        f"Such a card is too dear, or these bots play it badly{helps if a.seats > 1 else ''}: the numbers cannot tell "
        "which."
    )


def moved(a: Access, kind: str, up: bool) -> Verdict | None:
    """The cards whose value surely changed by more than the margin from one card set to the other."""
    rows = _beyond(a, kind, up)
    if not rows:
        return None
    first, *others = rows
    (size, span), (before, after) = _size(first), (entry["name"] for entry in a.card_sets)
    way, verb = ("more", "rise") if up else ("less", "fall")
    text = (
        f"{subject(first)} costs {size} {a.score_unit} {way} than before (95 % interval {span}; "
        f"{first['variant']:.1f} with {after}, {first['base']:.1f} with {before}; {_by_whom(a)})."
    )
    text += _many(others, f"{verb}s in worth by", f"{verb} in worth by", f"your margin of {margin_in_words(a)}")
    return Verdict(f"{kind} {way}", "cards", PLAIN, 90 if up else 85, text)


def within(a: Access, kind: str) -> Verdict:
    """That no card of a kind surely passes the margin."""
    rows = a.rows(kind)
    top = max(rows, key=lambda row: abs(row["value"]))
    value, span = signed(estimate(top))
    each = {"ban": "Denied", "blank": "Blanked"}[kind]
    what = "surely changes in worth by" if a.two else "surely is worth"
    text = (
        f"{each} one at a time, no card {what} more than your margin of {margin_in_words(a)}; the farthest is "
        f"{short(top['label'])} {value} (95 % interval {span}; {_by_whom(a)})."
    )
    is_open = any(row["wording"] in (stats.UNKNOWN, stats.UNCLEAR) for row in rows)
    return Verdict(f"{kind} none", "cards", UNSURE if is_open else GOOD, 85, text)


def unmissed(a: Access) -> Verdict | None:
    """Cards that were never used, and whose loss changed no game."""
    names = list(dict.fromkeys(short(row["label"]) for row in a.rows() if row["differed"] == 0 and row["used"] == 0))
    if not names or a.two:
        return None
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    text = (
        f"Nobody would miss {listed(names[:NAMED] + more)}: never used in {a.games:,} free games, and being denied "
        f"changed nothing ({a.line_up}). Too dear, or never to be had?"
    )
    return Verdict("unmissed", "cards", BAD, 70, text)


def chosen(a: Access) -> Verdict | None:
    """That only some of the cards were asked about, and which were left out."""
    missing = sum(a.coverage["left_out"])
    if not missing:
        return None
    tried = sum(a.coverage["tried"])
    groups = sorted(left_out(a), key=lambda each: -each[1])
    more = f", and {len(groups) - NAMED} more groups" if len(groups) > NAMED else ""
    text = (
        f"As asked, {tried} of {tried + missing} ways to deny a card were tried. Nothing is said of the other "
        f"{missing}: {', '.join(name for name, _ in groups[:NAMED])}{more}."
    )
    return Verdict("chosen", "method", PLAIN, 65, text)


def left_out(a: Access) -> list[tuple[str, int]]:
    """The groups of which cards were left out, in words with their number and kind, and that number."""
    rows = a.coverage.filter(pl.col("left_out") > 0).iter_rows(named=True)
    return [(f"{row['group']} ({row['left_out']} by {row['kind']})", row["left_out"]) for row in rows]


def unknown(a: Access) -> Verdict | None:
    """How many cards are not decided, and what it would take."""
    rows = [row for row in a.rows() if row["wording"] == stats.UNKNOWN]
    if not rows:
        return None
    last = max(rows, key=lambda row: row["more_deals"])
    who = short(last["label"]) if len(rows) == 1 else f"each of {len(rows)} cards"
    changed = "has changed in worth by" if a.two else "is worth"
    text = (
        f"Not yet known: whether {who} {changed} more than your margin of {margin_in_words(a)}."
        f"{more_games(last['more_deals'], a.seats, 'of each arm')}"
    )
    return Verdict("unknown", "cards", UNSURE, 50, text)


def precision(a: Access) -> Verdict | None:
    """The smallest value that would have been found."""
    errors = [row["se"] for row in a.rows() if row["se"]]
    if not errors:
        return None
    tests = len(a.rows())
    least = stats.minimal_detectable_effect(float(np.median(errors)), 1, 1 - FALSE_DISCOVERIES / tests, 0.9)
    what = "a change of" if a.two else "a card worth"
    text = (
        f"How sharp is this? With {counted(tests, 'denials')} tried, {what} {least:.2g} {a.score_unit} is found nine "
        f"times in ten ({_by_whom(a)}, {a.arms * a.games:,} games in all); less may be missed."
    )
    return Verdict("precision", "method", PLAIN, 20, text)


def caution(a: Access) -> Verdict:
    """Whose play the numbers rest on."""
    names = listed([bot["name"] for bot in a.bots])
    if {bot["tier"] for bot in a.bots} & {"random", "simple"}:
        text = f"This is what cards are worth in the simple play of {names}: a hint about people, no more."
        return Verdict("caution", "method", UNSURE, 60, text)
    text = f"This is what cards are worth to {names}: players who make more of a card lose more without it."
    return Verdict("caution", "method", PLAIN, 15, text)
