"""Page one on what scores are made of, on what the winner leads in, and on counters that are ways to do one thing; as
`analysis.verdicts`. Also what each bot lives from, for the section on strategies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis import stats
from analysis.cards import FALSE_DISCOVERIES
from analysis.scores import BotScores, Named, apart, p_of_zero
from analysis.stats import Estimate
from analysis.verdicts import NAMED, PLAIN, Verdict, by_whom, listed, signed, unsigned

if TYPE_CHECKING:
    from analysis.balance import Balance, LineUpBalance

MAIN_PARTS = 2
"""At most so many parts of a bot's score are named where bots are compared."""
MAIN_SHARE = 0.1
"""A part with less than this share of what the largest part brings is not what a bot lives from."""


def said(name: str) -> str:
    """A declared name as a sentence says it."""
    return name.replace("_", " ")


# --- what scores are made of -----------------------------------------------------------------------------------------


def made_of(balance: Balance) -> Verdict | None:
    """What a score is made of, and which parts bring the winner's lead."""
    r = balance.main
    bot = r.scores.bots[0]
    if len(moving(bot.parts)) < 2:
        return None
    unit = balance.facts.score_unit
    score, _ = unsigned(bot.score)
    text = f"The {score} {unit} of {bot.bot} are made of {_amounts(bot.parts)}"
    if r.scores.lead is not None and r.scores.lead.value != 0:
        lead, interval = unsigned(r.scores.lead)
        text += f"; of the winner's lead of {lead} (interval {interval}), {_come_from(r.scores.part_leads)}"
    text += f" ({by_whom(r)})."
    return Verdict("score parts", "scores", PLAIN, 73, text)


def moving(parts: Sequence[Named]) -> list[Named]:
    """The parts that are not zero in all games."""
    return [part for part in parts if part.mean.value != 0 or part.mean.se > 0]


def largest(named: Sequence[Named]) -> list[Named]:
    """The farthest from zero first."""
    return sorted(named, key=lambda item: -abs(item.mean.value))


def sure(named: Sequence[Named]) -> list[Named]:
    """Those that surely are not zero, false alarms among all of them controlled (Benjamini-Hochberg)."""
    q = stats.benjamini_hochberg([p_of_zero(item.mean) for item in named])
    return [item for item, x in zip(named, q.tolist(), strict=True) if x <= FALSE_DISCOVERIES]


def _amounts(parts: Sequence[Named]) -> str:
    """The largest parts in words: decrees 28.3 (interval 27.9 to 28.7), stores 12.0 (…), and 3 smaller parts."""
    named = largest(moving(parts))
    below = any(part.mean.value < 0 for part in named[:NAMED])
    words = []
    for part in named[:NAMED]:
        value, interval = (signed if below else unsigned)(part.mean)
        around = f"interval {interval}" if part.mean.se > 0 else "in every game"
        words.append(f"{said(part.name)} {value} ({around})")
    rest = len(named) - NAMED
    more = f", and {'one smaller part' if rest == 1 else f'{rest} smaller parts'}" if rest > 0 else ""
    return listed(words) + more


def _come_from(leads: Sequence[Named]) -> str:
    """What brings the winner's lead, in words: +4.0 (interval …) come from sailing and +2.9 (…) from ships."""
    named = largest(sure(leads))[:NAMED]
    if not named:
        return "it is not known yet which part brings it"
    words = []
    for i, part in enumerate(named):
        value, interval = signed(part.mean)
        words.append(f"{value} (interval {interval}) {'come ' if i == 0 else ''}from {said(part.name)}")
    return listed(words)


# --- families of counters --------------------------------------------------------------------------------------------


def families(counters: Sequence[Named]) -> dict[str, list[int]]:
    """Which of the counters (by place) belong together, by family, in the order of their declaration."""
    found: dict[str, list[int]] = {}
    for place, counter in enumerate(counters):
        if counter.family:
            found.setdefault(counter.family, []).append(place)
    return {family: places for family, places in found.items() if len(places) > 1}


def members(names: Sequence[str]) -> list[str]:
    """The own words of counters that belong together, without what all names share at their ends: king and builder for
    visits_king and visits_builder, gold and wood for gold_taken and wood_taken.
    """
    words = [name.split("_") for name in names]
    for end in (0, -1):
        while all(len(of) > 1 for of in words) and len({of[end] for of in words}) == 1:
            for of in words:
                of.pop(end)
    return [" ".join(of) for of in words]


def of_families(balance: Balance) -> list[Verdict]:
    """A sentence for each family: what is done most and least, and in what the winner leads. The first one declared
    weighs most.
    """
    r = balance.main
    found = families(r.scores.bots[0].counters)
    return [
        Verdict(f"family {family}", "scores", PLAIN, 61 if i == 0 else 30 - i, _family(r, family, places))
        for i, (family, places) in enumerate(found.items())
    ]


def _family(r: LineUpBalance, family: str, places: Sequence[int]) -> str:
    counters = [r.scores.bots[0].counters[place] for place in places]
    word = dict(zip((counter.name for counter in counters), members([c.name for c in counters]), strict=True))
    ordered = sorted(counters, key=lambda counter: -counter.mean.value)
    (most, most_i), (least, least_i) = unsigned(ordered[0].mean), unsigned(ordered[-1].mean)
    text = (
        f"Of the {family}, {word[ordered[0].name]} is the most frequent with {most} {counters[0].mean.unit} a game and "
        f"player (interval {most_i}), {word[ordered[-1].name]} the rarest with {least} (interval {least_i})"
    )
    if r.scores.counter_leads:
        leads = largest(sure([r.scores.counter_leads[place] for place in places]))
        if leads:
            words = []
            for lead in leads[:NAMED]:
                value, interval = signed(lead.mean)
                words.append(f"{word[lead.name]} {value} (interval {interval})")
            text += f"; the winner has more or fewer than the others (an association): {listed(words)}"
        else:
            text += "; the winner surely has no more and no fewer of any of them than the others"
    return f"{text}; {by_whom(r)}."


# --- strategies ------------------------------------------------------------------------------------------------------


def profiles(balance: Balance) -> tuple[str, ...]:
    """What each bot lives from in self-play, and where it differs most from the one of page one: a sentence a bot."""
    main = balance.main
    shown = [r for r in balance.line_ups if r.mirror]
    if not main.mirror or len(shown) < 2:
        return ()
    return tuple(_profile(r, main) for r in sorted(shown, key=lambda r: r is not main) if moving(_bot(r).parts))


def _bot(r: LineUpBalance) -> BotScores:
    return r.scores.bots[0]


def _profile(r: LineUpBalance, main: LineUpBalance) -> str:
    bot = _bot(r)
    gains = [part for part in largest(moving(bot.parts)) if part.mean.value > 0]
    parts = [part for part in gains if part.mean.value >= MAIN_SHARE * gains[0].mean.value][:MAIN_PARTS]
    words = [f"{said(part.name)} ({_with_interval(part.mean)})" for part in parts]
    text = f"{bot.bot} has most of its score from {listed(words)}" if words else f"{bot.bot} scores from no part"
    if r is not main:
        surely = [item for item in apart(bot, _bot(main)) if item.q <= FALSE_DISCOVERIES]
        if surely:
            first = surely[0]
            difference, interval = signed(first.difference)
            text += (
                f"; it differs from {_bot(main).bot} most in {said(first.name)}: {difference} {first.difference.unit} "
                f"(interval {interval})"
            )
        else:
            text += f"; in no part it surely differs from {_bot(main).bot}"
    return f"{text} ({by_whom(r)})."


def _with_interval(e: Estimate) -> str:
    value, interval = unsigned(e)
    return f"{value}, interval {interval}"
