"""Page one of a ladder in plain sentences: the most important first, each with effect, interval, n and the bots.

As in `analysis.verdicts`: every function here looks at one question and gives a `Verdict` or None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from analysis import balance, ratings, tiers
from analysis.verdicts import BAD, GOOD, PLAIN, UNSURE, Verdict, listed, signed, unsigned

if TYPE_CHECKING:
    from analysis.ladder import Ladder, Match, Rung
    from analysis.tiers import ByTier

MOST = 8
NAMED = 3
"""At most so many rungs, bots or numbers are named in one sentence."""
SKILL = {"random": 0, "simple": 1, "expert": 2, "trained": 2, "search": 2}
"""How much skill a tier promises; a noisy bot promises nothing, as that depends on the noise."""


def page_one(ladder: Ladder) -> tuple[Verdict, ...]:
    """The sentences of page one, the most important first."""
    return sentences(ladder)[:MOST]


def sentences(ladder: Ladder) -> tuple[Verdict, ...]:
    """All that there is to say, the most important first."""
    ask: list[Callable[[Ladder], Verdict | None]] = [
        unfinished, top, rungs, against_the_order, upsets, going_first, skill, with_search, unrated, misfits, first_elo,
    ]  # fmt: skip
    found = [verdict for question in ask if (verdict := question(ladder)) is not None]
    return tuple(sorted(found, key=lambda verdict: -verdict.weight))


def unfinished(ladder: Ladder) -> Verdict | None:
    """Whether all games were played."""
    if ladder.facts.complete:
        return None
    text = f"This ladder is not finished: all rests on the {ladder.facts.games:,} games that were played so far."
    return Verdict("unfinished", "method", UNSURE, 95, text)


# --- who is stronger -------------------------------------------------------------------------------------------------


def top(ladder: Ladder) -> Verdict:
    """Who is the strongest, and whether that is sure."""
    best, second = ladder.ratings.bots[:2]
    count = len(ladder.names)
    rivals = [bot.name for bot in ladder.ratings.bots if bot.places[0] == 1]
    direct = ladder.match(best.name, second.name)
    shown = (
        f" {_share(direct, 'It beats' if direct.share.low > 1 / ladder.facts.seats else 'Against')}." if direct else ""
    )
    if len(rivals) == 1:
        text = f"By the results of all, {best.name} is the strongest of {count} bots.{shown}"
        return Verdict("top", "ratings", PLAIN, 90, text)
    names = listed(rivals[:NAMED]) + (f" and {len(rivals) - NAMED} more" if len(rivals) > NAMED else "")
    text = f"Who is the strongest of {count} bots is not sure: {names} may be. {best.name} is rated highest.{shown}"
    return Verdict("top", "ratings", UNSURE, 90, text)


def _share(m: Match, start: str) -> str:
    share, interval = unsigned(m.share, 100)
    verb = "with" if start == "It beats" else "it has"
    among = f"{len(m.table) - 1} {m.opponent}" if len(m.table) > 2 else m.opponent
    even = f", where {100 / len(m.table):.1f} % would be even" if len(m.table) > 2 else ""
    return f"{start} {among} {verb} {share} % of the wins (95 % interval {interval}; {m.share.games:,} games){even}"


def rungs(ladder: Ladder) -> Verdict | None:
    """Which rungs are sure, and which are not."""
    from analysis.ladder import SURE

    every = ladder.rungs
    if not every:
        return None
    sure = [rung for rung in every if rung.wording == SURE]
    open_ = [rung for rung in every if rung.wording != SURE]
    if not open_:
        narrow = min(every, key=lambda rung: rung.share.value)
        text = (
            f"Every rung of the ladder is sure: each bot beats the next one below it. The narrowest is {_rung(narrow)}."
            if len(every) > 1
            else f"The one rung of the ladder is sure: {_rung(narrow)}."
        )
        return Verdict("rungs", "rungs", GOOD, 85, text)
    said = "; ".join(f"{_rung(rung)}: {rung.wording}" for rung in open_[:NAMED])
    more = f"; and {len(open_) - NAMED} more" if len(open_) > NAMED else ""
    text = f"{len(sure)} of {len(every)} rungs are sure by direct play. The others: {said}{more}."
    return Verdict("rungs", "rungs", UNSURE, 85, text)


def _rung(rung: Rung) -> str:
    share, interval = unsigned(rung.share, 100)
    text = f"{rung.upper} over {rung.lower} with {share} % of the wins (interval {interval}; {rung.share.games:,} games"
    if rung.back is None:
        return text + ")"
    back, its = unsigned(rung.back, 100)
    return f"{text}), and {rung.lower} alone against {rung.upper} with {back} % (interval {its})"


def against_the_order(ladder: Ladder) -> Verdict | None:
    """Pairs in which the bot that is rated surely lower wins directly."""
    fair = 1 / ladder.facts.seats
    found = [
        m for m in ladder.matches if m.alone and (m.opponent, m.bot) in ladder.ratings.above and m.share.low > fair
    ]
    if not found:
        return None
    worst = max(found, key=lambda m: m.share.low)
    share, interval = unsigned(worst.share, 100)
    text = (
        f"One number a bot does not tell all: {worst.bot} is rated below {worst.opponent} and yet wins {share} % "
        f"against it (95 % interval {interval}; {worst.share.games:,} games)."
    )
    return Verdict("against the order", "ratings", UNSURE, 70, text)


def upsets(ladder: Ladder) -> Verdict | None:
    """A bot of a tier that promises less and is surely above one that promises more."""
    found = [
        (upper, lower)
        for upper, lower in ladder.ratings.above
        if SKILL.get(ladder.tier(upper), 9) < SKILL.get(ladder.tier(lower), -1)
    ]
    if not found:
        return None
    upper, lower = found[0]
    text = (
        f"{upper} ({ladder.tier(upper)}) stands surely above {lower} ({ladder.tier(lower)}): either the better bot "
        "has a hole, or a plan that simple breaks the game."
    )
    return Verdict("upset", "ratings", BAD, 82, text)


def unrated(ladder: Ladder) -> Verdict | None:
    """Bots without a finite rating, and the bound on it."""
    said: list[str] = []
    for rating in ladder.ratings.bots:
        if rating.status == ratings.RATED:
            continue
        won = rating.status == ratings.WON_ALL
        bound = rating.estimate.low if won else rating.estimate.high
        known = f", so its rating is {'at least' if won else 'at most'} {bound:+,.0f}" if math.isfinite(bound) else ""
        said.append(f"{rating.name} {rating.status} against {'them' if said else 'the rated ones'}{known}")
    if not said:
        return None
    zero = f"on the Elo scale, {ladder.ratings.anchor} being 0; 95 % confidence"
    return Verdict("unrated", "ratings", PLAIN, 40, f"No finite rating for all: {'; '.join(said)} ({zero}).")


def misfits(ladder: Ladder) -> Verdict | None:
    """How well the ratings predict the shares of each pair."""
    known = [m for m in ladder.matches if m.alone and m.predicted is not None]
    if not known:
        return None
    wrong = [m for m in known if m.misfit]
    if not wrong:
        text = "The ratings predict the wins of every pair, as far as its games can tell: one number a bot is enough."
        return Verdict("fit", "ratings", PLAIN, 22, text)
    worst = max(wrong, key=lambda m: abs(m.share.value - (m.predicted or 0.0)))
    assert worst.predicted is not None
    share, interval = unsigned(worst.share, 100)
    text = (
        f"The ratings do not predict {len(wrong)} of {len(known)} match-ups to within your margin. Furthest off: "
        f"{worst.bot} against {worst.opponent}, predicted {worst.predicted * 100:.1f} %, played {share} % (95 % "
        f"interval {interval}; {worst.share.games:,} games). Read the match-ups, not only the ratings."
    )
    return Verdict("fit", "ratings", PLAIN, 38, text)


def first_elo(ladder: Ladder) -> Verdict | None:
    """What going first is worth in all match-ups together, beside the rungs."""
    e = ladder.ratings.first
    if not ladder.facts.first_player or math.isnan(e.value):
        return None
    value, interval = signed(e)
    text = (
        f"Going first is worth {value} points of the Elo scale in all match-ups together (95 % interval {interval}; "
        f"{e.games:,} games): the term for it in the ratings."
    )
    return Verdict("first", "ratings", PLAIN, 24, text)


# --- what changes with skill -----------------------------------------------------------------------------------------


def _named(numbers: Sequence[ByTier], name: str) -> ByTier | None:
    return next((number for number in numbers if number.name == name), None)


def going_first(ladder: Ladder) -> Verdict | None:
    """Whether the worth of going first changes with skill, among the quick bots."""
    number = _named(ladder.labels, "first_share")
    if number is None or number.label == tiers.ONE_TIER:
        return None
    parts = [
        f"{value} with {bot} ({interval})"
        for bot, (_, _, e) in zip(ladder.mirrors, number.tiers, strict=True)
        for value, interval in [signed(e, 100)]
    ]
    starts = {
        tiers.STABLE: (PLAIN, "shows no steady change with skill"),
        tiers.GROWS: (UNSURE, "grows with skill"),
        tiers.SHRINKS: (UNSURE, "shrinks with skill"),
        tiers.FLIPS: (UNSURE, "flips with skill"),
    }
    tone, start = starts[number.label]
    games = number.tiers[0][2].games
    text = (
        f"The worth of going first {start}, in percentage points of wins from weak to strong play: {'; '.join(parts)}; "
        f"intervals of 95 %, up to {games:,} games each, every bot against itself."
    )
    return Verdict("going first", "skill", tone, 75, text)


def skill(ladder: Ladder) -> Verdict | None:
    """Which other headline numbers change with skill."""
    numbers = [n for n in ladder.labels if n.name not in balance.FIRST and n.label != tiers.ONE_TIER]
    if not numbers:
        if len(ladder.mirrors) + len(ladder.mirrors_all) == 0:
            return None
        text = "How the headline numbers change with skill is not known: fewer than two quick bots played themselves."
        return Verdict("skill", "skill", UNSURE, 60, text)
    changed = [n for n in numbers if n.label != tiers.STABLE]
    weak, strong = ladder.mirrors[0], ladder.mirrors[-1]
    if not changed:
        text = f"No other headline number of a balance report changes from {weak} to {strong}, of {len(numbers)}."
        return Verdict("skill", "skill", PLAIN, 60, text)
    said = "; ".join(f"{n.title}: {n.label.split()[0]}, {_ends(n)}" for n in changed[:NAMED])
    more = f"; and {len(changed) - NAMED} more (see the table)" if len(changed) > NAMED else ""
    text = (
        f"{len(changed)} of {len(numbers)} other headline numbers change from {weak} to {strong}, so a balance report "
        f"depends on who plays: {said}{more}."
    )
    return Verdict("skill", "skill", PLAIN, 60, text)


def _ends(number: ByTier) -> str:
    (_, _, weak), *_, (_, _, strong) = number.tiers
    scale, unit = (100, " %") if weak.unit == "share" else (1, f" {weak.unit}" if weak.unit else "")
    (a, its), (b, other) = (unsigned(e, scale) for e in (weak, strong))
    return f"{a} to {b}{unit} (intervals {its} and {other})"


def with_search(ladder: Ladder) -> Verdict | None:
    """Whether the search bots say something else about skill than the quick ones."""
    if not ladder.labels_all or not ladder.labels:
        return None
    slow = [name for name in ladder.mirrors_all if name not in ladder.mirrors]
    known = {n.name: n.label for n in ladder.labels}
    other = [
        n
        for n in ladder.labels_all
        if n.label != known.get(n.name) and tiers.ONE_TIER not in (n.label, known.get(n.name))
    ]
    games = ladder.budgets["dear"][0]
    start = f"With {listed(slow)} too ({games:,} games a line-up)"
    if not other:
        return Verdict("search", "skill", PLAIN, 30, f"{start} all of these labels stay as they are.")
    said = "; ".join(f"{n.title}: {n.label}" for n in other[:NAMED])
    more = f"; and {len(other) - NAMED} more" if len(other) > NAMED else ""
    changes = "label changes" if len(other) == 1 else "labels change"
    text = f"{start} {len(other)} {changes} (of {len(ladder.labels_all)}): {said}{more}. Few games show less."
    return Verdict("search", "skill", UNSURE, 35, text)
