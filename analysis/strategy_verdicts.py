"""Page one of the strategies in plain sentences: the most important first, each with effect, interval, n and the bots.

As in `analysis.verdicts`: every function here looks at one question and gives a `Verdict` or None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis import ladder_verdicts, meta, stats, verdicts
from analysis.score_verdicts import said
from analysis.stats import Estimate
from analysis.verdicts import PLAIN, UNSURE, Verdict, by_whom, listed, signed, unsigned

if TYPE_CHECKING:
    from analysis.balance import Facts
    from analysis.ladder import Match
    from analysis.skill import Skill
    from analysis.strategy import Profile, Strategy

MOST = 8
SHOWN = 0.05
"""A p-value below this shows that there are cycles."""
NAMED = 2
"""So many cards are named of what sets a strategy apart."""
SMALL = 0.01
"""Cycles that surely are less than this share of the match-ups may be real and do not matter."""
OFTEN = 0.05
"""From this probability on it is said that a bot may belong to the equilibrium."""


def page_one(strategy: Strategy) -> tuple[Verdict, ...]:
    """The sentences of page one, the most important first."""
    return sentences(strategy)[:MOST]


def sentences(strategy: Strategy) -> tuple[Verdict, ...]:
    """All that there is to say, the most important first."""
    ask: list[Callable[[Strategy], Verdict | None]] = [
        unfinished, nothing, best, cycles, equilibrium, counter, luck, differs, length, runaway, kingmaking, meaningful,
    ]  # fmt: skip
    found = [verdict for question in ask if (verdict := question(strategy)) is not None]
    return tuple(sorted(found, key=lambda verdict: -verdict.weight))


def unfinished(strategy: Strategy) -> Verdict | None:
    """Whether the run was finished."""
    return verdicts.unfinished(strategy.balance)


def command(facts: Facts, verb: str = "balance", bots: Sequence[str] = (), more: str = "") -> str:
    """The command that would play this game with these bots (those of the run), as a sentence says it."""
    seats = "" if facts.seats == 2 else f" --seats {facts.seats}"
    named = ",".join(bots or [bot.name for bot in facts.bots])
    return f"`fairdeal {verb} {facts.game}{seats} --bots {named}{more and ' '}{more}`"


def nothing(strategy: Strategy) -> Verdict | None:
    """Why strategies cannot be compared, where they cannot."""
    if strategy.ladder is not None:
        return None
    return Verdict("nothing", "ratings", UNSURE, 90, strategy.lacks("ratings")[0])


# --- who is best -----------------------------------------------------------------------------------------------------


def best(strategy: Strategy) -> Verdict | None:
    """Which strategy is the best, and how sure that is."""
    return ladder_verdicts.top(strategy.ladder) if strategy.ladder else None


def cycles(strategy: Strategy) -> Verdict | None:
    """Whether there is rock-paper-scissors."""
    if strategy.meta is None:
        return None
    found = strategy.meta.intransitivity
    if found is None:
        asked = command(strategy.facts, bots=[*strategy.names, "another"])
        text = f"Whether there is rock-paper-scissors is a question about three bots and more: {asked} asks it."
        return Verdict("cycles", "meta", UNSURE, 36, text)
    if strategy.cycle is not None:
        text = f"There is rock-paper-scissors: {_round(strategy)}.{_how_much(found)}"
        return Verdict("cycles", "meta", PLAIN, 88, text)
    if found.p < SHOWN and not found.share.high < SMALL:
        text = (
            "No three bots surely beat each other in a circle, but one number a bot does not explain who wins."
            f"{_how_much(found)}"
        )
        return Verdict("cycles", "meta", PLAIN, 84, text)
    little = found.share.high < SMALL and not math.isnan(found.p)
    none = "There is no rock-paper-scissors to speak of" if little else "No rock-paper-scissors is seen"
    text = f"{none} between {listed(list(strategy.names))}.{_how_much(found)}"
    return Verdict("cycles", "meta", PLAIN, 84, text)


def _round(strategy: Strategy) -> str:
    """The cycle in words, with the share of each win."""
    assert strategy.ladder is not None
    assert strategy.cycle is not None
    a, b, c = strategy.cycle
    words = []
    for bot, opponent in ((a, b), (b, c), (c, a)):
        match = strategy.ladder.match(bot, opponent)
        assert match is not None
        words.append(f"{bot} beats {opponent} with {_wins(match)}")
    return listed(words)


def _wins(m: Match) -> str:
    share, interval = unsigned(m.share, 100)
    return f"{share} % (interval {interval}; {m.share.games:,} games)"


def _how_much(found: meta.Intransitivity) -> str:
    """How much of the match-ups goes round in cycles, as far as it is known."""
    e = found.share
    if math.isnan(found.p) and found.rare:
        return (
            f" One number a bot explains the match-ups, but {len(found.rare)} of them are so one-sided that cycles "
            f"could not be told ({e.games:,} games)."
        )
    if math.isnan(e.value):
        return " The match-ups show nothing but noise so far."
    clipped = Estimate(max(0.0, e.value), max(0.0, e.low), max(0.0, e.high), e.n, e.games, e.unit)
    share, interval = unsigned(clipped, 100)
    p = "" if math.isnan(found.p) else f", p {'below 0.001' if found.p < 0.001 else f'= {found.p:.3f}'} for no cycles"
    told = f"95 % interval {interval}{p}; {e.games:,} games"
    return f" Of how the match-ups differ, {share} % goes round in cycles ({told})."


def equilibrium(strategy: Strategy) -> Verdict | None:
    """What players would name who may choose among these bots."""
    if strategy.meta is None or strategy.ladder is None:
        return None
    rows = strategy.meta.nash.sort("mass", descending=True).to_dicts()
    named = [row for row in rows if row["mass"] >= meta.INCLUDED]
    others = [row for row in rows if row["mass"] < meta.INCLUDED and row["included"] >= OFTEN]
    games = f"{strategy.facts.games:,} games"
    if len(named) == 1 and not others:
        text = (
            f"The meta is {named[0]['bot']} alone: nobody who may choose among these bots gains by another one, in "
            f"{named[0]['included'] * 100:.0f} % of {stats.RESAMPLES:,} resampled tables of match-ups ({games})."
        )
    else:
        parts = [f"{row['bot']} {_mass(row)}" for row in named]
        text = f"The meta (Nash equilibrium of choosing a bot) is {listed(parts)} ({games})."
        if others:
            maybe = listed([f"{row['bot']} (in {row['included'] * 100:.0f} % of resampled tables)" for row in others])
            text += f" {maybe} may belong to it."
    return Verdict("meta", "meta", PLAIN, 80, text + _ranked(strategy))


def _mass(row: dict[str, Any]) -> str:
    low, high = (f"{row[name] * 100:.0f}" for name in ("low", "high"))
    return f"{row['mass'] * 100:.0f} % (95 % interval {low} to {high})"


def _ranked(strategy: Strategy) -> str:
    """Whom alpha-rank puts on top, where selection is strongest."""
    assert strategy.meta is not None
    last = strategy.meta.alpha_rank.filter(pl.col("alpha") == pl.col("alpha").max())
    top = last.sort("mass", descending=True).row(0, named=True)
    return f" Alpha-rank puts {top['bot']} first, with {_mass(top)}."


def counter(strategy: Strategy) -> Verdict | None:
    """What beats the favourite."""
    if strategy.meta is None:
        return None
    found = next(one for one in strategy.meta.counters if one.bot == strategy.favourite)
    share, interval = unsigned(found.share, 100)
    fair = 1 / strategy.facts.seats
    alone = f"alone against {strategy.facts.seats - 1}" if strategy.facts.seats > 2 else "against it"
    numbers = f"{share} % of the wins {alone} (95 % interval {interval}; {found.share.games:,} games)"
    even = "" if strategy.facts.seats == 2 else f", where {fair * 100:.1f} % would be even"
    if found.beats:
        text = f"{found.bot} has a counter: {found.counter}, with {numbers}{even}."
        return Verdict("counter", "meta", PLAIN, 82, text)
    if found.share.high < fair:
        text = f"Nothing here beats {found.bot}: its best counter, {found.counter}, has {numbers}{even}."
        return Verdict("counter", "meta", PLAIN, 76, text)
    text = (
        f"Whether anything here beats {found.bot} is not sure: {found.counter}, its best counter, has {numbers}{even}."
    )
    return Verdict("counter", "meta", UNSURE, 76, text)


# --- skill and luck --------------------------------------------------------------------------------------------------


def luck(strategy: Strategy) -> Verdict | None:
    """Of what the results of the two strongest bots are made, and how many games tell who is better."""
    found = strategy.skill_of(*strategy.names[:2]) if len(strategy.names) > 1 else None
    if found is None:
        return None
    return Verdict("luck", "luck", PLAIN, 72, luck_of(found, strategy.facts.seats))


def luck_of(found: Skill, seats: int) -> str:
    """The sentence about one pair."""
    first, *others = found.components
    words = []
    for part in (first, *sorted(others, key=lambda part: -part.share.value)):
        if part.shown:
            value, interval = unsigned(part.share, 100)
            words.append(f"{value} % is {PARTS[part.name]} (interval {interval})")
    hidden = [PARTS[part.name] for part in found.components if not part.shown]
    unseen = f" Nothing is surely seen of {listed(hidden)}." if hidden else ""
    within = "" if found.rest_from else " The bots' own dice are within the deal: nothing tells them apart here."
    return (
        f"How much is skill? Of what decides {table(found, seats)}, {listed(words or ['nothing is known'])}; "
        f"{found.edge.games:,} games.{unseen}{within}{_lead(found, seats)}"
    )


def table(found: Skill, seats: int) -> str:
    """Who plays whom, in words."""
    return f"{found.bot} among {seats - 1} {found.opponent}" if seats > 2 else f"{found.bot} against {found.opponent}"


PARTS = {
    "skill": "skill",
    "seat": "going first or later",
    "deal": "the deal",
    "skill x deal": "how the deal suits the one bot",
    "rest": "the bots' own dice",
}
"""The parts of a result in a designer's words."""


def _lead(found: Skill, seats: int) -> str:
    """After how many games the better one is ahead."""
    lead = found.lead
    if lead is None or not math.isfinite(lead.value):
        return " No number of games tells which of the two is better, as neither is seen to be."
    low = f"{lead.low:,.0f}"
    about = f"interval {low} to {lead.high:,.0f}" if math.isfinite(lead.high) else f"interval {low} and more"
    who = "the better one" if seats == 2 else found.bot
    count = f"{lead.value:,.0f} game{'s' if lead.value > 1 else ''}"
    return f" After {count} {who} is ahead with 95 % probability ({about})."


# --- what strategies do ----------------------------------------------------------------------------------------------


def differs(strategy: Strategy) -> Verdict | None:
    """What sets the next best apart from the favourite."""
    if not strategy.profiles:
        return None
    return Verdict("differs", "profiles", PLAIN, 60, apart(strategy.profiles[0]))


def apart(profile: Profile) -> str:
    """A sentence on what a bot does otherwise than the favourite: score, cards, time."""
    flagged = profile.differences.filter("flagged")
    n = max(profile.differences["n"].to_list(), default=0)
    whose = "each against itself" if profile.mirrors else "in their games against each other"
    where = f"{n:,} deals, {whose}"
    if not flagged.height:
        return f"{profile.bot} surely does nothing otherwise than {profile.other} ({where})."
    words = [*_scores(flagged), *_uses(flagged), *_times(flagged)] or _counters(flagged)
    return f"What {profile.bot} does otherwise than {profile.other}: {'; '.join(words)} ({where})."


def _largest(rows: pl.DataFrame, kind: str) -> list[dict[str, Any]]:
    return rows.filter(kind=kind).sort(pl.col("value").abs(), descending=True).to_dicts()


def _change(row: dict[str, Any], unit: str) -> str:
    value, interval = signed(Estimate(row["value"], row["low"], row["high"], row["n"], row["n"], ""))
    return f"{value} {unit} (interval {interval})"


def _scores(rows: pl.DataFrame) -> list[str]:
    return [f"{_change(row, row['unit'])} from {said(row['what'])}" for row in _largest(rows, "score")[:1]]


def _counters(rows: pl.DataFrame) -> list[str]:
    return [f"{said(row['what'])} {_change(row, row['unit'])}" for row in _largest(rows, "counter")[:NAMED]]


def _uses(rows: pl.DataFrame) -> list[str]:
    return [
        f"{verdicts.short(row['label'])} is {row['event']} {'more' if row['value'] > 0 else 'less'} often, "
        f"{_change(row, 'times a game')}"
        for row in _of_different_cards(_largest(rows, "card"))[:NAMED]
    ]


def _of_different_cards(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first row of each card: who plays a card more often mostly keeps it less often, which is the same news."""
    first: dict[str, dict[str, Any]] = {}
    for row in rows:
        first.setdefault(row["what"], row)
    return list(first.values())


def _times(rows: pl.DataFrame) -> list[str]:
    return [
        f"{verdicts.short(row['label'])} is {row['event']} {'later' if row['value'] > 0 else 'earlier'}, "
        f"{_change(row, row['unit'])}"
        for row in _largest(rows, "time")[:1]
    ]


# --- feel ------------------------------------------------------------------------------------------------------------


def length(strategy: Strategy) -> Verdict:
    """How long a game is and how often the lead changes."""
    return verdicts.length(strategy.balance)


def runaway(strategy: Strategy) -> Verdict | None:
    """Whether who leads at half time runs away, for three and more."""
    title = strategy.balance.main.title
    found = next((one.runaway for one in strategy.feels if one.title == title), None)
    if found is None or math.isnan(found.wins.value):
        return None
    (wins, wins_i), (growth, growth_i) = unsigned(found.wins, 100), unsigned(found.growth)
    text = (
        f"Who leads alone at half time wins {wins} % of the games (95 % interval {wins_i}) and ends {growth} times as "
        f"far ahead (interval {growth_i}; {by_whom(strategy.balance.main)})."
    )
    return Verdict("runaway", "feel", PLAIN, 38, text)


def kingmaking(strategy: Strategy) -> Verdict | None:
    """How often one who does not win decides who does."""
    if not strategy.kingmaking:
        return None
    most = max(strategy.kingmaking, key=lambda one: one.changed.value)
    share, interval = unsigned(most.changed, 100)
    text = (
        f"One who does not win still decides who does: with {most.bot} instead of {most.instead} in one seat, another "
        f"of the others wins in {share} % of the games in which this seat does not (95 % interval {interval}; "
        f"{most.changed.games:,} pairs of games of one deal; with unrelated games it would be "
        f"{most.unrelated * 100:.0f} %)."
    )
    return Verdict("kingmaking", "feel", PLAIN, 34, text)


def meaningful(strategy: Strategy) -> Verdict | None:
    """At how many decisions two bots choose differently."""
    known = [(one.title, one.meaningful) for one in strategy.feels if one.meaningful is not None]
    if not known:
        return None
    # The two strongest differ the least by blunders.
    names = strategy.names[:2]
    title, e = next(((title, e) for title, e in known if all(name in title for name in names)), known[-1])
    share, interval = unsigned(e, 100)
    text = (
        f"In {title} the two choose differently at {share} % of the decisions that both were put (95 % interval "
        f"{interval}; {e.games:,} decisions)."
    )
    return Verdict("meaningful", "feel", PLAIN, 37, text)
