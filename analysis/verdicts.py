"""Page one in plain sentences: five to eight, the most important first, each with effect, interval, n and the bots.

Every function here looks at one question and gives a `Verdict` or None; `page_one` asks all of them and keeps the
weightiest. The sentences use only what is in the `Balance`, so they can be tested on made-up ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis import stats, tiers
from analysis.cards import NOT_DEALT
from analysis.stats import Estimate, Finding
from analysis.tempo import HEADLINE_CLOSE

if TYPE_CHECKING:
    from analysis.balance import Balance, LineUpBalance
    from analysis.matchups import Cell
    from analysis.seats import Compensation

MOST = 8
CUT_OFF = 0.001
"""From this share on, games that were cut off are spoken of on page one; from ten times this share on they come
first.
"""
DEAD = 0.02
"""A card that is played in surely less than this share of the times it is held is called dead."""
BREAKS = 0.9
"""A bot that surely wins more than this share against another breaks it."""
NAMED = 3
"""At most so many cards are named in one sentence."""
SPREAD = 0.25
"""Where more than this share of the cards passes the margin, cards differ by design: a note, not a problem."""
STANDS_OUT = 1.25
"""A card stands out where the near end of its interval is more than this many times the far end of the next one's."""

GOOD, BAD, UNSURE, PLAIN = "good", "bad", "unsure", "plain"


@dataclass(frozen=True)
class Verdict:
    """A sentence for page one. `topic` says what it is about, `section` where the figure for it stands ("turn order",
    "scores", "cards", "groups", "market", "tallies", "strategies", "feel", "method"), `tone` is good, bad, unsure or
    plain, and the highest `weight` comes first.
    """

    topic: str
    section: str
    tone: str
    weight: float
    text: str


def page_one(balance: Balance) -> tuple[Verdict, ...]:
    """The sentences of page one, the most important first."""
    return sentences(balance)[:MOST]


def sentences(balance: Balance) -> tuple[Verdict, ...]:
    """All that there is to say, the most important first; what does not fit on page one stands in its section."""
    from analysis import group_verdicts, market_verdicts, score_verdicts  # which speak with the words of this module

    ask: list[Callable[[Balance], Verdict | None]] = [
        unfinished, cut_off, going_first, places, compensation, strong_cards, weak_cards, dead_cards, alarms,
        unknown_cards, bots, skill, length, comeback, precision, score_verdicts.made_of,
    ]  # fmt: skip
    ask += market_verdicts.QUESTIONS
    ask += group_verdicts.QUESTIONS
    found = [verdict for question in ask if (verdict := question(balance)) is not None]
    found += score_verdicts.of_families(balance)
    return tuple(sorted(found, key=lambda verdict: -verdict.weight))


# --- words and numbers -----------------------------------------------------------------------------------------------


def decimals(e: Estimate, scale: float) -> int:
    """As many decimals as the interval deserves: one, or up to three where it is narrow."""
    half = abs(e.high - e.low) / 2 * scale
    # What is known exactly has an interval of rounding errors, which differ between machines.
    return 1 if not half > 1e-9 or half >= 0.1 else min(3, 1 + math.ceil(-math.log10(half * 10)))


def signed(e: Estimate, scale: float = 1.0) -> tuple[str, str]:
    """An effect and its interval with signs: ("+1.2", "+0.9 to +1.5")."""
    return _in_words(e, scale, "+")


def unsigned(e: Estimate, scale: float = 1.0) -> tuple[str, str]:
    """A quantity and its interval: ("61.2", "60.8 to 61.6")."""
    return _in_words(e, scale, "")


def _in_words(e: Estimate, scale: float, sign: str) -> tuple[str, str]:
    d = decimals(e, scale)
    value, low, high = (_no_sign_at_zero(f"{x * scale:{sign}.{d}f}") for x in (e.value, e.low, e.high))
    return value, "not known" if math.isnan(e.low) else f"{low} to {high}"


def _no_sign_at_zero(text: str) -> str:
    return text if text.strip("+-0.") else text.lstrip("+-")


def listed(words: list[str]) -> str:
    """Words as a list in a sentence: a, b and c."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def number(count: int) -> str:
    """A small number as a word that begins a sentence."""
    small = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
    return small[count] if count < len(small) else str(count)


def short(label: str) -> str:
    """A card's label in a sentence: without what follows a colon, which tells what the card does."""
    return label.partition(": ")[0]


def by_whom(line_up: LineUpBalance) -> str:
    """How much was played, and by whom."""
    different = "different " if line_up.distinct < line_up.games else ""
    return f"{line_up.distinct:,} {different}games, {line_up.title}"


def counted(value: float, unit: str) -> str:
    """A number with its unit, in the singular where it is one: "1 point", "2.5 points"."""
    return f"{value:g} {unit.removesuffix('s') if abs(value) == 1 else unit}"


# --- the run itself --------------------------------------------------------------------------------------------------


def unfinished(balance: Balance) -> Verdict | None:
    """Whether the run was finished."""
    if balance.facts.complete:
        return None
    text = (
        f"This run is not finished: everything here rests on the {balance.facts.games:,} games that were played so far."
    )
    return Verdict("unfinished", "method", UNSURE, 95, text)


def cut_off(balance: Balance) -> Verdict | None:
    """Whether games were cut off by the length cap, in the line-up where it happened most."""
    worst = max(balance.line_ups, key=lambda r: r.tempo.cut_off.value)
    e = worst.tempo.cut_off
    if e.value < CUT_OFF:
        return None
    value, interval = unsigned(e, 100)
    many = e.value >= 10 * CUT_OFF
    text = (
        f"{value} % of the games were cut off at the length cap (95 % interval {interval}; {by_whom(worst)}). "
        f"They count as they stood; {'a game needs a rule that ends it.' if many else 'that is rare.'}"
    )
    return Verdict("cut off", "feel", BAD if many else UNSURE, 100 if many else 45, text)


def precision(balance: Balance) -> Verdict | None:
    """The smallest advantage that this run would have found."""
    r = balance.main
    if math.isnan(r.turn_order.detectable):
        return None
    seen = r.turn_order.detectable * 100
    text = (
        f"How sharp is this? {r.deals:,} deals find an advantage of {seen:.2g} percentage points nine times in ten "
        f"({r.title}); smaller ones may be missed."
    )
    return Verdict("precision", "method", PLAIN, 20, text)


# --- turn order ------------------------------------------------------------------------------------------------------


def going_first(balance: Balance) -> Verdict:
    """What going first is worth in wins, within the designer's margin; without a first player, whether a seat is
    favoured.
    """
    if not balance.facts.first_player:
        return seats_alike(balance)
    r = balance.main
    e, finding = r.turn_order.advantage, r.turn_order.finding
    margin = counted(balance.facts.margin_share * 100, "percentage points")
    if e.high < 0:
        value, interval = unsigned(Estimate(-e.value, -e.high, -e.low, e.n, e.games, e.unit), 100)
        worth = f"costs {value}"
    else:
        value, interval = signed(e, 100)
        worth = f"is worth {value}"
    effect = f"Going first {worth} percentage points of wins (95 % interval {interval}; {by_whom(r)})."
    endings = {
        stats.MATTERS: (BAD, 90, f"{effect} Your margin is {margin}: not fair."),
        stats.UNCLEAR: (
            UNSURE,
            85,
            f"{effect} That is real, but whether it passes your margin of {margin} is not clear yet.",
        ),
        stats.NEGLIGIBLE: (GOOD, 80, f"{effect} That is real, but inside your margin of {margin}: fair."),
        stats.EQUIVALENT: (GOOD, 80, f"{effect} That is no difference within your margin of {margin}: fair."),
    }
    tone, weight, text = endings.get(finding.wording, (UNSURE, 85, _not_known(effect, finding, balance, margin)))
    return Verdict("going first", "turn order", tone, weight, text)


def seats_alike(balance: Balance) -> Verdict:
    """Where the rules treat all seats alike, a seat that wins more than another points at a fault."""
    r = balance.main
    fair = 1 / balance.facts.seats
    best, worst = (pick(r.turn_order.seats, key=lambda place: place.share.value) for pick in (max, min))
    apart = best.share.low > fair or worst.share.high < fair
    (high, high_i), (low, low_i) = unsigned(best.share, 100), unsigned(worst.share, 100)
    seen = (
        f"nobody goes first by the rules; seat {best.place} wins {high} % (interval {high_i}), seat {worst.place} "
        f"{low} % (interval {low_i}), where {fair * 100:.1f} % would be even ({by_whom(r)})."
    )
    margin = balance.facts.margin_share
    if best.share.low > fair + margin or worst.share.high < fair - margin:
        return Verdict("seats", "turn order", BAD, 90, f"A seat is favoured, though {seen}")
    if apart:
        chance = "Chance alone shows as much in one run of twenty: play more games with another seed."
        return Verdict("seats", "turn order", UNSURE, 86, f"A seat may be favoured, though {seen} {chance}")
    by_more = f"favoured by more than your margin of {counted(margin * 100, 'percentage points')}"
    shares = [place.share for place in r.turn_order.seats]
    if all(fair - margin <= share.low and share.high <= fair + margin for share in shares):
        return Verdict("seats", "turn order", GOOD, 42, f"No seat is {by_more}: {seen}")
    text = f"Not yet known: whether a seat is {by_more}. {seen[0].upper()}{seen[1:]}"
    return Verdict("seats", "turn order", UNSURE, 85, text)


def _not_known(effect: str, finding: Finding, balance: Balance, margin: str) -> str:
    return f"Not yet known: whether going first passes your margin of {margin}. {effect}{_more(finding.more, balance)}"


def _more(deals: int, balance: Balance) -> str:
    return more_games(deals, balance.facts.seats) if deals > 0 else ""


def more_games(deals: int, seats: int, each: str = "a line-up") -> str:
    """A sentence on how many more deals would tell, as games, which --games counts, and as deals; a deal is played with
    the bots in all seats.
    """
    more = rounded(deals)
    return f" About {more * seats:,} more games {each} ({more:,} deals) would tell."


def surely_times(first: dict[str, Any], second: dict[str, Any]) -> float:
    """How many times as large as the second effect the first one is at least: the near end of its interval over the far
    end of the other's. Neither interval holds 0.
    """
    near, far = min(abs(first["low"]), abs(first["high"])), max(abs(second["low"]), abs(second["high"]))
    return float(near / far)


def rounded(count: int) -> int:
    """Two significant figures, upwards: a plan needs no more."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return math.ceil(count / step) * step


def places(balance: Balance) -> Verdict | None:
    """For three and more seats: the best and the worst place in turn order."""
    r = balance.main
    orders = r.turn_order.orders
    if len(orders) < 3 or not balance.facts.first_player:
        return None
    best, worst = (pick(orders, key=lambda place: place.share.value) for pick in (max, min))
    fair = 1 / len(orders)
    apart = best.share.low > fair + balance.facts.margin_share or worst.share.high < fair - balance.facts.margin_share
    inside = all(abs(end - fair) <= balance.facts.margin_share for p in orders for end in (p.share.low, p.share.high))
    (high, high_i), (low, low_i) = unsigned(best.share, 100), unsigned(worst.share, 100)
    text = (
        f"Place {best.place + 1} in turn order does best with {high} % of the wins (interval {high_i}), place "
        f"{worst.place + 1} worst with {low} % (interval {low_i}), where {fair * 100:.1f} % would be even "
        f"({by_whom(r)})."
    )
    return Verdict("places", "turn order", BAD if apart else GOOD if inside else UNSURE, 78 if apart else 40, text)


def compensation(balance: Balance) -> Verdict | None:
    """The points that would make up for turn order, where it matters."""
    r = balance.main
    found = r.turn_order.compensation
    if (
        found is None
        or not balance.facts.first_player
        or r.turn_order.finding.wording not in (stats.MATTERS, stats.UNCLEAR)
    ):
        return None
    e = found.points
    to, size = ("second", e.value) if e.value >= 0 else ("first", -e.value)
    low, high = sorted((abs(e.low), abs(e.high))) if e.low * e.high >= 0 else (-abs(e.low), abs(e.high))
    text = (
        f"Give the {to} player {counted(size, balance.facts.score_unit)} to even it out (interval {low:g} to {high:g}; "
        f"{by_whom(r)}).{_checked(found, balance.facts.score_unit)} Players who know of it may play differently."
    )
    return Verdict("compensation", "turn order", PLAIN, 65, text)


def _checked(found: Compensation, unit: str) -> str:
    """The trial of the advice: what half of the deals advise, which may be another number, tried on the other half."""
    if found.checked is None or found.k is None:
        return ""
    given, points = ("second", found.k) if found.k >= 0 else ("first", -found.k)
    share, interval = unsigned(found.checked, 100)
    told = f"the first one then wins {share} % of the other half, which chose nothing (95 % interval {interval})"
    if found.k == found.points.value:
        return f" Checked: half of the deals alone advise as much, and {told}."
    return (
        f" This number is by all deals; checked was that by half of them alone, {counted(points, unit)} for the "
        f"{given} player: {told}."
    )


# --- cards -----------------------------------------------------------------------------------------------------------


def _card_rows(balance: Balance) -> pl.DataFrame | None:
    """Effects in points with the cards' labels, of the main line-up."""
    cards = balance.main.cards
    if cards is None or not len(cards.effects):
        return None
    return cards.effects.filter(outcome="margin").join(cards.types.select("type", "label"), on="type", how="left")


def _effect(row: dict[str, Any], unit: str | None) -> str:
    e = Estimate(row["value"], row["low"], row["high"], row["n"], row["n"], "")
    value, interval = signed(e)
    return f"{short(row['label'])} {value}{f' {unit}' if unit else ''} (interval {interval})"


def _apart(balance: Balance, strong: bool) -> Verdict | None:
    rows = _card_rows(balance)
    if rows is None:
        return None
    r, facts = balance.main, balance.facts
    beyond = rows.filter(pl.col("flagged") & (pl.col("wording") == stats.MATTERS))
    side = beyond.filter(pl.col("value") > 0 if strong else pl.col("value") < 0).sort("value", descending=strong)
    margin = f"your margin of {counted(facts.margin_points, facts.score_unit)}"
    versus = "against an average card" if r.cards is not None and r.cards.relative else "against none"
    if not len(side):
        if not strong or len(beyond):
            return None
        top = rows.sort(pl.col("value").abs(), descending=True).row(0, named=True)
        text = (
            f"No card surely passes {margin} when it is in the opening hand; the farthest is "
            f"{_effect(top, facts.score_unit)} {versus} ({by_whom(r)})."
        )
        open_ones = rows["wording"].is_in([stats.UNKNOWN, stats.UNCLEAR]).any()
        return Verdict("strong cards", "cards", UNSURE if open_ones else GOOD, 75, text)
    named = side.head(NAMED).to_dicts()
    count = len(side)
    effects = listed([_effect(row, facts.score_unit if i == 0 else None) for i, row in enumerate(named)])
    first = " first of all" if count > NAMED else ""
    what = "card is" if count == 1 else "cards are"
    text = (
        f"{number(count)} {what} {'stronger' if strong else 'weaker'} than the rest by more than {margin}:{first} in "
        f"the opening hand, {versus}, {effects}; {by_whom(r)}."
    )
    # A card far beyond the next one is news however many others pass the margin.
    alone = count > 1 and surely_times(named[0], named[1]) > STANDS_OUT
    by_design = len(beyond) > SPREAD * len(rows) and not alone
    if by_design and strong:
        text += f" With {len(beyond)} of {len(rows)} cards beyond it, a wider margin would tell more about this game."
    weight = (76 if strong else 70) - (30 if by_design else 0)
    return Verdict("strong cards" if strong else "weak cards", "cards", PLAIN if by_design else BAD, weight, text)


def strong_cards(balance: Balance) -> Verdict | None:
    """Cards whose randomised effect surely passes the margin upwards; or that there are none on either side."""
    return _apart(balance, strong=True)


def weak_cards(balance: Balance) -> Verdict | None:
    """Cards whose randomised effect surely passes the margin downwards."""
    return _apart(balance, strong=False)


def dead_cards(balance: Balance) -> Verdict | None:
    """Cards that nobody plays although they are held."""
    r = balance.main
    if r.cards is None:
        return None
    rows = r.cards.types.filter(pl.col("use_high") < DEAD).sort("use")
    if not len(rows):
        return None
    named = [short(label) for label in rows.head(NAMED)["label"]]
    more = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    who = ", ".join(named) + more if more else listed(named)
    others = [
        set(line_up.cards.types.filter(pl.col("use_high") < DEAD)["type"])
        for line_up in balance.line_ups
        if line_up.cards is not None and line_up.tier not in (None, r.tier)
    ]
    always = bool(others) and all(set(rows["type"]) <= other for other in others)
    use = rows["use"].max()
    upper = rows["use_high"].max()
    assert isinstance(use, float)
    assert isinstance(upper, float)
    it = "It is dead, or its price is too high." if len(rows) == 1 else "They are dead, or their price is too high."
    text = (
        f"Nobody plays {who}: at most {use * 100:.1f} % of the times "
        f"{'it was' if len(rows) == 1 else 'they were'} held (interval up to {upper * 100:.1f} %; {by_whom(r)})"
        f"{', and so at every skill' if always else ''}. {it}"
    )
    return Verdict("dead cards", "cards", BAD, 72, text)


def alarms(balance: Balance) -> Verdict | None:
    """Cards for which the result of playing them points the wrong way."""
    rows = _card_rows(balance)
    r = balance.main
    if rows is None or r.cards is None:
        return None
    wrong = rows.filter("alarm").sort(pl.col("value").abs(), descending=True)
    if not len(wrong):
        return None
    top = wrong.row(0, named=True)
    seen = r.cards.association.filter(type=top["type"], category="played", outcome="margin").row(0, named=True)
    unit = balance.facts.score_unit
    rest = f" The same holds for {len(wrong) - 1} more." if len(wrong) > 1 else ""
    text = (
        f"Do not judge {top['label']} by the games in which it was played: those end {seen['relative']:+.1f} {unit} "
        f"against the average played card (interval {seen['relative_low']:+.1f} to {seen['relative_high']:+.1f}), yet "
        f"being dealt it is worth {top['value']:+.1f} (interval {top['low']:+.1f} to {top['high']:+.1f}; "
        f"{by_whom(r)}).{rest}"
    )
    return Verdict("sign alarm", "cards", UNSURE, 62, text)


def unknown_cards(balance: Balance) -> Verdict | None:
    """Cards of which the run cannot say whether they pass the margin."""
    cards = balance.main.cards
    if balance.main.market is not None and cards is not None and cards.why_not == NOT_DEALT:
        return None  # what lies on the table is told of instead
    if cards is not None and cards.why_not is not None and not len(cards.effects):
        text = f"What single cards are worth is not known. {cards.why_not} ({by_whom(balance.main)}.)"
        return Verdict("unknown cards", "cards", UNSURE, 58, text)
    rows = _card_rows(balance)
    if rows is None:
        return None
    open_ones = rows.filter(pl.col("wording") == stats.UNKNOWN).sort("more_deals", descending=True)
    if not len(open_ones):
        return None
    named = [short(label) for label in open_ones.head(NAMED)["label"]]
    count = len(open_ones)
    who = f"{', '.join(named)} and {counted(count - NAMED, 'more cards')}" if count > NAMED else listed(named)
    text = (
        f"Not yet known: whether {who} "
        f"{'passes' if count == 1 else 'pass'} your margin of "
        f"{counted(balance.facts.margin_points, balance.facts.score_unit)} ({by_whom(balance.main)})."
        f"{_more(int(open_ones['more_deals'][0]), balance)}"
    )
    return Verdict("unknown cards", "cards", UNSURE, 58, text)


# --- strategies ------------------------------------------------------------------------------------------------------


def bots(balance: Balance) -> Verdict | None:
    """Who beats whom: an upset between tiers, a bot that breaks another, or else how the headline bot does."""
    order = {bot.name: _promise(bot.tier) for bot in balance.facts.bots}
    cells = [
        cell for cell in balance.matchups if cell.bot in order and cell.opponent in order and cell.bot != cell.opponent
    ]
    fair = 1 / balance.facts.seats
    upsets = [c for c in cells if order[c.bot] < order[c.opponent] and c.share.low > fair + balance.facts.margin_share]
    if upsets:
        worst = max(upsets, key=lambda c: c.share.value)
        tail = "a plan that simple should not win: either the stronger bot has a hole, or the plan breaks the game."
        return Verdict("upset", "strategies", BAD, 82, f"{_cell(worst, balance, 'beats')}; {tail}")
    broken = [c for c in cells if c.share.low > BREAKS]
    # The closest pair of tiers says most: that anybody breaks a random bot is no news.
    if broken:
        top = max(broken, key=lambda c: (order[c.opponent], order[c.bot], c.share.value))
        near = order[top.opponent] > 0
        tail = "against it no other result counts for much." if near else "balance among such weak bots says little."
        return Verdict(
            "breaks",
            "strategies",
            UNSURE if near else PLAIN,
            60 if near else 42,
            f"{_cell(top, balance, 'breaks')}; {tail}",
        )
    ahead = [c for c in cells if c.share.low > fair]
    if not ahead:
        return None
    top = max(ahead, key=lambda c: (order[c.opponent], order[c.bot], c.share.value))
    return Verdict("match-ups", "strategies", PLAIN, 42, f"{_cell(top, balance, 'beats')}.")


def _promise(tier: str) -> int:
    """How much skill a tier promises. Experts, trained bots and searchers all may be the best of their game."""
    return min(tiers.TIERS.index(tier), tiers.TIERS.index("expert")) if tier in tiers.TIERS else -1


def _cell(cell: Cell, balance: Balance, verb: str) -> str:
    share, interval = unsigned(cell.share, 100)
    points, points_interval = signed(cell.margin)
    bots = next(result.bots for result in balance.line_ups if result.index == cell.line_up)
    alone = bots.count(cell.bot)
    table = f" ({alone} against {len(bots) - alone})" if len(bots) > 2 else ""
    each = " each" if alone > 1 else ""
    return (
        f"{cell.bot} {verb} {cell.opponent}{table} with {share} % of the wins{each} (95 % interval {interval}) and "
        f"{points} {balance.facts.score_unit} (interval {points_interval}; {cell.share.games:,} games)"
    )


def skill(balance: Balance) -> Verdict | None:
    """Whether the verdict on turn order changes with skill; without a first player, whether scores do."""
    name, what, unit = "first_share", "The worth of going first", "percentage points"
    if not balance.facts.first_player:
        name, what, unit = "score", "The score of a seat", balance.facts.score_unit
    found = next((number for number in balance.by_tier if number.name == name), None)
    if found is None or not found.tiers:
        text = "All tables mixed tiers of bots, so how balance changes with skill is not known: take it as a hint."
        return Verdict("skill", "method", UNSURE, 50, text)
    parts = []
    for tier, title, e in found.tiers:
        value, interval = signed(e, 100) if name == "first_share" else unsigned(e)
        parts.append(f"{value} (interval {interval}) with {title.removesuffix(' against itself')} ({tier})")
    by_tier = "; ".join(parts)
    say = {
        tiers.STABLE: (PLAIN, 48, f"{what} shows no steady change with skill"),
        tiers.GROWS: (UNSURE, 56, f"{what} grows with skill"),
        tiers.SHRINKS: (UNSURE, 56, f"{what} shrinks with skill"),
        tiers.FLIPS: (UNSURE, 66, f"{what} flips with skill"),
    }
    if found.label not in say:
        text = f"Measured with one tier of bots only ({found.tiers[0][0]}): treat it as a hint."
        weak = " Balance among random bots says little." if found.tiers[0][0] == tiers.TIERS[0] else ""
        return Verdict("skill", "method", UNSURE, 56, text + weak)
    tone, weight, start = say[found.label]
    if not balance.facts.first_player:
        tone = PLAIN  # that better players score more is no fault of the game
    return Verdict("skill", "method", tone, weight, f"{start}, in {unit}: {by_tier}.")


# --- feel ------------------------------------------------------------------------------------------------------------


def length(balance: Balance) -> Verdict:
    """How long a game is and how often the lead changes."""
    r = balance.main
    t = r.tempo
    changes, interval = unsigned(t.lead_changes)
    median = t.length_median
    lasts = (
        f"Half of the games last up to {median.value:g} turns (interval {median.low:g} to {median.high:g}), 95 % up to "
        f"{t.length_p95.value:g}"
    )
    if t.length.low == t.length.high:
        lasts = f"Every game lasts {median.value:g} turns"
    text = f"{lasts}; the lead changes {changes} times (interval {interval})"
    if not math.isnan(t.last_change.value):
        last, last_i = unsigned(t.last_change, 100)
        text += f", the last time after {last} % of the game (interval {last_i})"
    return Verdict("length", "feel", PLAIN, 40, f"{text}; {by_whom(r)}.")


def comeback(balance: Balance) -> Verdict | None:
    """How often the one behind at half time still wins, and how often a game is close."""
    r = balance.main
    t = r.tempo
    if math.isnan(t.comeback.value):
        return None
    (back, back_i), (close, close_i) = unsigned(t.comeback, 100), unsigned(t.close, 100)
    who = "Whoever is behind" if balance.facts.seats == 2 else "Each player who is behind"
    text = (
        f"{who} at half time still wins {back} % (95 % interval {back_i}), and {close} % of the games "
        f"are decided by at most {HEADLINE_CLOSE} {balance.facts.score_unit} (interval {close_i}; {by_whom(r)})."
    )
    return Verdict("comeback", "feel", PLAIN, 38, text)
