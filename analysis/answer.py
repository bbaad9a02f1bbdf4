"""What an edit of the card set did, as a designer is told it: the sentences of page one of a comparison.

`answer(comparison, changes, base, variant)` adds to the numbers of `analysis.comparison` what is said about them: which
line-up page one speaks of, how each change differs with skill, and five to eight sentences, the most important first.
The first one always says what changed between the two card sets.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis import blocks, stats, tiers
from analysis.balance import plain_data
from analysis.blocks import LineUp
from analysis.comparison import IDENTICAL, RELATIVE_MARGIN, Comparison
from analysis.stats import Estimate
from analysis.verdicts import (
    BAD,
    GOOD,
    PLAIN,
    UNSURE,
    Verdict,
    counted,
    decimals,
    listed,
    more_games,
    number,
    short,
    signed,
)
from simcore.manifest import version
from simcore.runlog import Run

FORMAT = "fairdeal-comparison/1"
MOST = 8
NAMED = 3
"""At most so many changes or cards are named in one sentence."""
CARD_MEASURES = (
    "card_effect_points", "card_effect", "card_played", "card_held", "market_built", "market_improved", "tally_times",
)  # fmt: skip
"""The questions about a card that a sentence may rest on, the most telling first: what chance did, then what bots did
with it. `card_win` is an association, so none rests on it.
"""

Row = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """A comparison and what is said about it.

    `changes` are the differences of the two card sets in words (`simcore.cardset.diff`). `line_ups` are those that were
    compared; `headline` is the index of the one that page one speaks of: the bot of the tier that was strongest,
    against itself. `stopped` says why the runs were ended before their plan, None if they were not. `round_is_game`
    says whether a game has one round with both sets, `first_player` whether somebody is first by the rules (else a
    place in turn order is the seat).
    """

    comparison: Comparison
    changes: tuple[str, ...]
    line_ups: tuple[LineUp, ...]
    headline: int
    stopped: str | None
    log: str
    version: str
    round_is_game: bool
    first_player: bool
    verdicts: tuple[Verdict, ...]

    @property
    def first(self) -> str:
        """What the win share of the first place in turn order says, as the subject of a sentence."""
        return "worth of going first" if self.first_player else "win share of seat 0"

    @property
    def main(self) -> LineUp:
        """The line-up that page one speaks of."""
        return next(line_up for line_up in self.line_ups if line_up.index == self.headline)

    def rows(self, *measures: str, line_up: int | None = None) -> list[Row]:
        """The rows of some questions, of the line-up that page one speaks of or another one (index)."""
        index = self.headline if line_up is None else line_up
        return rows_of(self.comparison, *measures).filter(line_up=index).to_dicts()

    def played(self, line_up: int | None = None) -> Row:
        """How alike the games of a line-up were played in both arms (a row of `Comparison.played`)."""
        index = self.headline if line_up is None else line_up
        return self.comparison.played.filter(line_up=index).row(0, named=True)

    def to_dict(self) -> dict[str, Any]:
        """The whole result in plain JSON types."""
        return {"format": FORMAT, **plain_data(self)}


def answer(comparison: Comparison, changes: Sequence[str], base: Run, variant: Run) -> Answer:
    """What is said about a comparison of two runs whose card sets differ by `changes`."""
    there = set(comparison.played["line_up"])
    found = tuple(line_up for line_up in blocks.line_ups(base.manifest) if line_up.index in there)
    tiers_of = comparison.by_tier["line_up"].unique(maintain_order=True).to_list()
    silent = Answer(
        comparison=comparison,
        changes=tuple(changes),
        line_ups=found,
        headline=(tiers_of or [line_up.index for line_up in found])[-1],
        stopped=base.stopped.why if base.stopped and base.stopped == variant.stopped else None,
        log=base.manifest["log"],
        version=version(),
        round_is_game=base.manifest["round_is_game"] and variant.manifest["round_is_game"],
        first_player=base.manifest["first_player"],
        verdicts=(),
    )
    return dataclasses.replace(silent, verdicts=sentences(silent)[:MOST])


# --- rows ------------------------------------------------------------------------------------------------------------


def rows_of(comparison: Comparison, *measures: str) -> pl.DataFrame:
    """The rows of some questions in all line-ups."""
    return comparison.rows.filter(pl.col("measure").is_in(measures))


def estimate(row: Row, what: str = "difference") -> Estimate:
    """The difference of a row, with its 95 % interval."""
    value, low, high = (math.nan if row[k] is None else float(row[k]) for k in (what, "low", "high"))
    return Estimate(value, low, high, row["n"], row["n"], row["unit"])


def scale(unit: str) -> float:
    """Shares are spoken of in per cent."""
    return 100.0 if unit == "share" else 1.0


def arms(row: Row, minus: float = 0.0, sign: str = "") -> tuple[str, str]:
    """The estimates of the two arms as text, with as many digits as the difference deserves: (base, variant)."""
    k = scale(row["unit"])
    d = decimals(estimate(row), k)
    base, variant = (
        "not known" if row[arm] is None else f"{(row[arm] - minus) * k:{sign}.{d}f}" for arm in ("base", "variant")
    )
    return base, variant


# --- tiers -----------------------------------------------------------------------------------------------------------


def by_tier(comparison: Comparison, measure: str, subject: str = "") -> list[Row]:
    """The rows of one question in every tier, weak to strong."""
    return comparison.by_tier.filter(measure=measure, subject=subject).to_dicts()


# --- sentences -------------------------------------------------------------------------------------------------------

WEIGHTS = {
    stats.MATTERS: 80, stats.UNCLEAR: 72, stats.UNKNOWN: 64, stats.NEGLIGIBLE: 52, stats.EQUIVALENT: 48, IDENTICAL: 44,
}  # fmt: skip
"""How much a finding weighs on page one; seats come before scores and so on where findings are equal."""
LEAST = 10
"""The weight of what is said in its own section and not on page one."""
WARNING = "warning"
"""The tone of a sentence that says how little the others can be trusted."""
TONES = {
    stats.MATTERS: BAD, stats.UNCLEAR: UNSURE, stats.UNKNOWN: UNSURE, stats.NEGLIGIBLE: GOOD, stats.EQUIVALENT: GOOD,
    IDENTICAL: GOOD,
}  # fmt: skip
"""Tones of a comparison: "bad" is a change beyond the margin, "good" is none."""


def sentences(a: Answer) -> tuple[Verdict, ...]:
    """All that there is to say, the most important first; what does not fit on page one stands in its section."""
    ask: list[Callable[[Answer], Verdict | None]] = [
        edit, no_reaction, unfinished, going_first, score, parts, spread, length, strategies, cards, skill, pairing,
        ended,
    ]  # fmt: skip
    found = [verdict for question in ask if (verdict := question(a)) is not None]
    return tuple(sorted(found, key=lambda verdict: -verdict.weight))


def edit(a: Answer) -> Verdict:
    """What changed between the two card sets, in words."""
    old, new = a.comparison.base.card_set, a.comparison.variant.card_set
    if not a.changes:
        same = f"{old} and {new} are" if old != new else f"Both sets ({old}) are"
        text = f"{same} the same in all that is played, and each of {a.comparison.games:,} games came out the same."
        return Verdict("edit", "edit", GOOD, 100, text)
    told = _brief(a.changes)
    more = f"; and {len(told) - NAMED} more changes, which the report lists" if len(told) > NAMED else ""
    text = f"What changed from {old} to {new}: {'; '.join(told[:NAMED])}{more}."
    return Verdict("edit", "edit", PLAIN, 100, text)


def _brief(changes: Sequence[str]) -> list[str]:
    """Changes in words, with all rows that were added to a table, or removed from it, told as one."""
    told: dict[tuple[str, ...], list[str]] = {}
    for line in changes:
        found = re.fullmatch(r"(.+?): (.+?) (added|removed)( \(.*\))?", line)
        told.setdefault((found[1], found[3]) if found else (line,), []).append(found[2] if found else line)
    return [
        names[0] if len(key) == 1 else f"{key[0]}: {_some(names)} {key[1]}" for key, names in told.items()
    ]  # fmt: skip


def no_reaction(a: Answer) -> Verdict | None:
    """The warning that no bot reacted to the edit, where they scored differently and played identically."""
    found = a.comparison.played.filter("no_reaction")
    if not len(found):
        return None
    games = f"{found['games'].sum():,} games"
    advice = "Fit or write bots that know of the edit (re-tune) before you believe what it does to strategies."
    if len(found) == len(a.comparison.played):
        text = f"Scored differently, played identically: no bot reacted to the edit in any of {games}. {advice}"
        return Verdict("no reaction", "method", WARNING, 96, text)
    who = [title.removesuffix(" against itself") for title in found["title"]]
    most = listed(who) if len(who) <= NAMED else f"{', '.join(who[:NAMED])} and {len(who) - NAMED} more line-ups"
    text = f"Scored differently, played identically: {most} did not react to the edit in any of {games}. {advice}"
    main = a.played()["no_reaction"]
    return Verdict("no reaction", "method", WARNING, 96 if main else 40, text)


def unfinished(a: Answer) -> Verdict | None:
    """Whether both runs were finished."""
    if a.comparison.base.complete and a.comparison.variant.complete:
        return None
    text = f"Not finished: everything here rests on the {a.comparison.deals:,} deals that both runs have played so far."
    return Verdict("unfinished", "method", UNSURE, 94, text)


def by_whom(a: Answer, row: Row) -> str:
    """On what a change rests: games with each set, and who played."""
    return f"{row['n'] * a.comparison.seats:,} games with each set, {row['title']}"


def interval(row: Row) -> str:
    """The change and its interval: "+1.2 percentage points (95 % interval +0.9 to +1.5"."""
    value, around = signed(estimate(row), scale(row["unit"]))
    unit = "percentage points" if row["unit"] == "share" else row["unit"]
    return f"{value} {unit} (95 % interval {around}"


def margin_of(a: Answer, row: Row) -> str:
    """The margin of a row in words."""
    if row["unit"] == "share":
        return f"your margin of {counted(a.comparison.margin_share * 100, 'percentage points')}"
    if row["unit"] == a.comparison.score_unit:
        return f"your margin of {counted(a.comparison.margin_points, a.comparison.score_unit)}"
    return f"{RELATIVE_MARGIN * 100:g} % of it"


def meaning(a: Answer, row: Row) -> str:
    """What the finding of a row says."""
    margin = margin_of(a, row)
    endings = {
        IDENTICAL: "It is exactly the same.",
        stats.MATTERS: f"That is more than {margin}.",
        stats.UNCLEAR: f"That is real, but whether it is more than {margin} is not clear yet.",
        stats.NEGLIGIBLE: f"That is real, but less than {margin}.",
        stats.EQUIVALENT: f"That is no change beyond {margin}.",
    }
    return endings.get(row["wording"], f"Whether it is more than {margin} is not yet known.{more(a, row)}")


def more(a: Answer, row: Row) -> str:
    """How many more games would tell."""
    if not row["more_deals"]:
        return ""
    return more_games(row["more_deals"], a.comparison.seats, "a line-up with each set")


def _said(a: Answer, topic: str, section: str, row: Row, weight: int, text: str) -> Verdict:
    ending = meaning(a, row)
    base = WEIGHTS[row["wording"]]
    return Verdict(topic, section, TONES[row["wording"]], base + weight, f"{text}. {ending}")


def _value(a: Answer, row: Row, verb: str, minus: float = 0.0, sign: str = "", unit: str | None = None) -> str:
    """A number with both sets: "is worth +1.9 instead of +0.7 percentage points of wins: +1.2 (95 % interval …)"."""
    old, new = arms(row, minus, sign)
    words = unit or ("%" if row["unit"] == "share" else row["unit"])
    if row["wording"] == IDENTICAL:
        return f"{verb} {new} {words} with both sets ({by_whom(a, row)})"
    value, around = signed(estimate(row), scale(row["unit"]))
    return f"{verb} {new} instead of {old} {words}: {value} (95 % interval {around}; {by_whom(a, row)})"


def going_first(a: Answer) -> Verdict | None:
    """What the edit did to turn order: to the first player's wins, or for more seats to the place that moved most."""
    rows = a.rows("order_share")
    if not rows:
        return None
    fair = 1 / a.comparison.seats
    row = rows[0] if a.comparison.seats == 2 else max(rows, key=lambda row: abs(row["difference"] or 0.0))
    if not a.first_player:
        text = _value(a, row, f"Seat {row['subject']} wins")
    elif row is rows[0]:
        text = _value(a, row, "Going first is worth", fair, "+", "percentage points of wins")
    else:
        text = _value(a, row, f"The {row['label'].removeprefix('win share of the ')} wins")
    said = _said(a, "turn order", "seats", row, 6, text)
    # Where the rules treat all seats alike, what moves one of them is chance unless it is plain to see.
    return said if a.first_player or row["wording"] == stats.MATTERS else dataclasses.replace(said, weight=LEAST)


def score(a: Answer) -> Verdict | None:
    """What the edit did to the mean score."""
    rows = a.rows("score")
    if not rows:
        return None
    row = max(rows, key=lambda row: abs(row["difference"] or 0.0))
    return _said(a, "score", "scores", row, 5, _value(a, row, f"{row['subject']} scores"))


def parts(a: Answer) -> Verdict | None:
    """Which parts of the score the edit moved beyond the margin."""
    moved = [row for row in a.rows("part") if row["wording"] == stats.MATTERS]
    if not moved:
        return None
    told = []
    for row in sorted(moved, key=lambda row: -abs(row["difference"]))[:NAMED]:
        (old, new), (value, around) = arms(row), signed(estimate(row))
        label = row["label"].removesuffix(f" of {a.main.names[0]}") if a.main.mirror else row["label"]
        told.append(f"{label} {new} instead of {old} {row['unit']} ({value}, interval {around})")
    more = f"; and {len(moved) - NAMED} more parts" if len(moved) > NAMED else ""
    text = (
        f"Scores are made up differently, by more than {margin_of(a, moved[0])}: {listed(told)}{more}, for a seat in a "
        f"game ({by_whom(a, moved[0])})."
    )
    return Verdict("parts", "scores", BAD, WEIGHTS[stats.MATTERS] + 1, text)


def spread(a: Answer) -> Verdict | None:
    """What the edit did to the spread of the scores."""
    rows = a.rows("score_spread")
    if not rows:
        return None
    text = _value(a, rows[0], "The spread of the scores (standard deviation) is")
    return Verdict("spread", "scores", TONES[rows[0]["wording"]], 41, f"{text}. {meaning(a, rows[0])}")


def length(a: Answer) -> Verdict | None:
    """What the edit did to the length of a game."""
    rows = a.rows("turns")
    return _said(a, "length", "length", rows[0], 2, _value(a, rows[0], "A game lasts")) if rows else None


def strategies(a: Answer) -> Verdict | None:
    """The match-up that the edit moved most, and how many passed the margin."""
    rows = rows_of(a.comparison, "bot_share").to_dicts()
    if not rows:
        return None
    # With two seats the other bot's share is the same with the other sign.
    seen = {row["line_up"]: row for row in reversed(rows)} if a.comparison.seats == 2 else dict(enumerate(rows))
    moved = [row for row in seen.values() if row["wording"] == stats.MATTERS]
    row = max(moved or seen.values(), key=lambda row: (abs(row["difference"] or 0.0), -row["line_up"]))
    row = gained(a, row)
    many = len({r["line_up"] for r in moved})
    first = f"{number(many)} match-ups moved beyond your margin; most of all, " if many > 1 else ""
    text = first + _value(a, row, f"{_who(a, row)} wins")
    text = text[0].upper() + text[1:]
    said = _said(a, "strategies", "strategies", row, 4, text)
    sure = (stats.MATTERS, stats.UNCLEAR)
    fair = 1 / a.comparison.seats
    for turned in rows:
        if turned["wording"] in sure and turned["base"] < fair < turned["variant"]:
            return dataclasses.replace(
                said, text=f"{said.text} {turned['subject']} now wins more than an even share in {turned['title']}."
            )
    return said


def _who(a: Answer, row: Row) -> str:
    """The bot of a row and whom it meets in its line-up, as the subject of a sentence."""
    names = next(line_up.names for line_up in a.line_ups if line_up.index == row["line_up"])
    if len(names) == 2:
        return f"against {next(name for name in names if name != row['subject'])}, {row['subject']}"
    each = "each of " if names.count(row["subject"]) > 1 else ""
    return f"{each}{place_words(names, row['subject'])}"


def place_words(names: Sequence[str], bot: str) -> str:
    """A bot of a line-up for more than two and whom it meets there: "1 expert against 2 heuristic"."""
    counts = Counter(names)
    others = listed([f"{count} {name}" for name, count in counts.items() if name != bot])
    return f"{counts[bot]} {bot} against {others}"


def gained(a: Answer, row: Row) -> Row:
    """Of the two rows of a match-up for two, that of the bot that gained; for more seats the row itself."""
    if a.comparison.seats != 2 or not row["difference"] or row["difference"] > 0:
        return row
    return next(r for r in a.rows("bot_share", line_up=row["line_up"]) if r["subject"] != row["subject"])


# Cards.


def card_rows(a: Answer, measure: str) -> list[Row]:
    """The rows of one question about cards of the line-up that page one speaks of, with the cards' labels and whether
    they come to hands; the surest changes first.
    """
    cards = a.comparison.cards.select("type", "label", "in_hand").rows()
    told = {name: (short(label), dealt) for name, label, dealt in cards}

    def least(row: Row) -> float:
        """How large the change is at least, by its interval."""
        low, high = row["low"], row["high"]
        if low is None or high is None:
            return -math.inf
        return round(float(max(low, -high)), 9)  # equal ones keep their order on every machine

    ordered = sorted(a.rows(measure), key=least, reverse=True)
    return [row | dict(zip(("card", "in_hand"), told[row["subject"]], strict=True)) for row in ordered]


NO_CARD = {
    "card_effect_points": "No card's worth in the opening hand surely changed",
    "card_effect": "No card's worth in the opening hand surely changed",
    "card_played": "No card is surely played more or less often when held,",
    "card_held": "No card surely comes to the players more or less often,",
    "market_built": "No card on the table is surely built in more or fewer games,",
    "market_improved": "No card that is built is surely improved more or less often,",
    "tally_times": "Nothing surely happens with a card more or less often,",
}


def cards(a: Answer) -> Verdict | None:
    """Which cards changed: their worth in an opening hand, else what bots do with them."""
    frame = a.comparison.cards
    gone, come = (frame.filter(change=change)["label"].to_list() for change in ("removed", "added"))
    moved = "; ".join(
        f"{_some(names)} {'is' if len(names) == 1 else 'are'} {word}"
        for names, word in ((gone, "gone"), (come, "new"))
        if names
    )
    start = (f"Cards: {moved}. " if moved else "") + _became(a.comparison.moved)
    asked = [(measure, rows) for measure in CARD_MEASURES if (rows := card_rows(a, measure))]
    if not asked:
        return Verdict("cards", "cards", PLAIN, 50, start.rstrip()) if start else None
    parts: list[str] = []
    for measure, rows in asked:
        beyond = [row for row in rows if row["wording"] == stats.MATTERS]
        if beyond and not (measure == "card_effect" and parts):
            parts.append(_beyond(a, measure, beyond, len(rows)))
    if parts:
        return Verdict("cards", "cards", BAD, WEIGHTS[stats.MATTERS] + 3, start + " ".join(parts[:2]))
    measure, rows = asked[0]
    top = max(rows, key=lambda row: abs(row["difference"] or 0.0))
    wording = stats.UNKNOWN if any(row["wording"] == stats.UNKNOWN for row in rows) else stats.EQUIVALENT
    if all(row["wording"] == IDENTICAL for row in rows):
        return Verdict("cards", "cards", GOOD, WEIGHTS[IDENTICAL] + 3, f"{start}No card's numbers changed at all.")
    text = (
        f"{start}{NO_CARD[measure]} by more than {margin_of(a, top)}; the largest change is that of {top['card']}, "
        f"{interval(top)}; {by_whom(a, top)})."
    )
    return Verdict("cards", "cards", TONES[wording], WEIGHTS[wording] + 3 - 10, text)


def _became(rows: Sequence[str]) -> str:
    """That rows of the card set have become other cards than they were."""
    if not rows:
        return ""
    if len(rows) == 1:
        what = f"The row {rows[0]} has become another card, which is not compared with the old one"
    else:
        what = f"The rows {_some(rows)} have become other cards, which are not compared with the old ones"
    return f"{what}, as the two do not stand for the same rows. "


def _beyond(a: Answer, measure: str, rows: Sequence[Row], of: int) -> str:
    """Cards whose change surely passes the margin in one question."""
    named = [f"{row['card']} {' (interval '.join(signed(estimate(row), scale(row['unit'])))})" for row in rows[:NAMED]]
    unit = "percentage points" if rows[0]["unit"] == "share" else rows[0]["unit"]
    how_many = f"{len(rows)} of {of} cards" if len(rows) > 1 else "One card"
    first = "most of all " if len(rows) > NAMED else ""
    up = sum(row["difference"] > 0 for row in rows)
    change = "more" if up == len(rows) else "less" if up == 0 else "more or less"
    be = "is" if len(rows) == 1 else "are"
    what = {
        "card_effect_points": f"{be} worth {change} in an opening hand",
        "card_effect": f"{be} worth {change} in an opening hand",
        "card_played": f"{be} played {change} often when held",
        "card_held": _held(rows, change),
        "market_built": f"{be} built {change} often when on the table",
        "market_improved": f"{be} improved {change} often once built",
        "tally_times": f"{be} {rows[0]['label'].rpartition(' ')[2]} {change} often",
    }[measure]
    return (
        f"{how_many} {what} than before, surely by more than {margin_of(a, rows[0])}: {first}{listed(named)}, "
        f"in {unit} ({by_whom(a, rows[0])})."
    )


def _held(rows: Sequence[Row], change: str) -> str:
    """That cards are held more or less often: what comes to hands reaches the players, the rest they take."""
    one = len(rows) == 1
    if all(row["in_hand"] for row in rows):
        return f"{'reaches' if one else 'reach'} the players {change} often"
    if any(row["in_hand"] for row in rows):
        return f"come to the players {change} often"
    return f"{'is' if one else 'are'} taken by the players {change} often"


def _some(names: Sequence[str]) -> str:
    return listed(list(names)) if len(names) <= NAMED else f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"


# Skill and method.


def skill(a: Answer) -> Verdict | None:
    """Whether what the edit does changes with skill."""
    said = {
        word: rows
        for word, measure, subject in ((a.first, "order_share", "0"), ("score", "score", ""))
        if (rows := by_tier(a.comparison, measure, subject))
    }
    if not said:
        text = "All tables mixed tiers of bots, so how the change differs with skill is not known: take it as a hint."
        return Verdict("skill", "method", UNSURE, 50, text)
    first = next(iter(said.values()))
    if len(first) == 1:
        text = f"Measured with one tier of bots only ({first[0]['tier']}): treat it as a hint."
        weak = " What an edit does among random bots says little." if first[0]["tier"] == tiers.TIERS[0] else ""
        return Verdict("skill", "method", UNSURE, 56, text + weak)
    parts = []
    for word, rows in said.items():
        values = [f"{_short(row)} with {row['title'].removesuffix(' against itself')}" for row in rows]
        unit = "percentage points" if rows[0]["unit"] == "share" else rows[0]["unit"]
        parts.append(f"the change of the {word} {LABELS[rows[0]['skill']]}: {', '.join(values)} ({unit})")
    loud = any(rows[0]["skill"] in (tiers.GROWS, tiers.FLIPS, tiers.SHRINKS) for rows in said.values())
    text = f"From weak bots to strong ones ({listed([row['tier'] for row in first])}), {'; '.join(parts)}."
    return Verdict("skill", "method", PLAIN, 58 if loud else 45, text)


def _short(row: Row) -> str:
    """A change and half the width of its interval: "+1.2 ± 0.3"."""
    e, k = estimate(row), scale(row["unit"])
    value, _ = signed(e, k)
    return value if math.isnan(e.low) else f"{value} ± {(e.high - e.low) / 2 * k:.{decimals(e, k)}f}"


LABELS = {
    tiers.STABLE: "is stable", tiers.GROWS: "grows with skill", tiers.SHRINKS: "shrinks with skill",
    tiers.FLIPS: "flips with skill", tiers.ONE_TIER: "is known for one tier only",
}  # fmt: skip


def pairing(a: Answer) -> Verdict | None:
    """What playing both sets on the same deals was worth."""
    found = []
    for measure, word in (("score", "the score"), ("order_share", f"the {a.first}")):
        rows = [row for row in a.rows(measure) if row["variance_ratio"] is not None]
        if rows and rows[0]["correlation"] is not None:
            found.append((word, rows[0]))
    if not found:
        return None
    word, row = found[0]
    text = (
        f"How sharp is this? Both sets were played on the same {row['n']:,} deals: with deals of their own, {word} "
        f"would need {row['variance_ratio']:.1f} times as many for the same interval "
        f"(correlation {row['correlation']:.2f}"
    )
    for word, row in found[1:]:
        text += f"; {word} {row['variance_ratio']:.1f} times, {row['correlation']:.2f}"
    return Verdict("pairing", "method", PLAIN, 42, f"{text}; {row['title']}).")


def ended(a: Answer) -> Verdict | None:
    """Where the runs were ended as soon as their question was answered."""
    if a.stopped is None:
        return None
    count = len(endings(a))
    asked = "question" if count == 1 else f"{number(count).lower()} questions"
    text = (
        f"Play ended after {a.comparison.deals:,} deals of each line-up, as soon as the {asked} that it went on for "
        f"{'was' if count == 1 else 'were'} answered; it did not wait for the others on this page."
    )
    return Verdict("ended", "method", PLAIN, 47, text)


def endings(a: Answer) -> list[tuple[str, str]]:
    """The questions that play went on for, and their answers."""
    found = [line.partition(": ") for line in (a.stopped or "").split("; ") if line]
    return [(asked, told) for asked, _, told in found]
