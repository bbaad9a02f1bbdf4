"""What a tuning says in plain sentences, the most important first; as `analysis.verdicts`."""

from __future__ import annotations

from analysis import check_verdicts
from analysis.tune import Finalist, Tuning
from analysis.verdicts import counted, listed

MISS = (
    "A miss is how far the ends of the figures' intervals lie beyond the limits, not the figures themselves, in "
    "margins (half the width of the limits), with intervals twice as wide as those above."
)


def sentences(tuning: Tuning) -> tuple[str, ...]:
    """The edit, what fresh deals say of it and by whom, each target, the optimism, and how it was found."""
    each = [
        f"{result.verdict}: {result.target.name}: {check_verdicts.sentence(result)}" for result in tuning.check.results
    ]
    return (edit(tuning), verdict(tuning), *each, optimism(tuning), found(tuning))


def edit(tuning: Tuning) -> str:
    """What to change."""
    winner = tuning.winner
    if winner.edits:
        return f"Change {counted(len(winner.edits), 'things')}: {in_words(winner)}."
    if tuning.passed:
        return f"Nothing needs to change: {tuning.card_set} meets its targets as it is."
    return f"No edit that was tried is better than {tuning.card_set} as it is."


def in_words(finalist: Finalist) -> str:
    """The edits of a finalist."""
    return "; ".join(finalist.edits) or "nothing"


def verdict(tuning: Tuning) -> str:
    """How many targets are met on deals that chose nothing, and in whose games."""
    games = f"{tuning.fresh_games:,} fresh games a line-up, which chose nothing"
    return f"{check_verdicts.summary(tuning.check, strict=True)} This is from {games}. {players(tuning)}"


def players(tuning: Tuning) -> str:
    """Who judged."""
    others = [name for name in tuning.bots if name not in tuning.retrained]
    if not tuning.retrained:
        return f"Bots: {listed(others)}, as they were made, not for the edited cards."
    again = f"{listed(list(tuning.retrained))}, re-trained on the cards of each finalist"
    return f"Bots: {again}{f'; {listed(others)}, as they were made' if others else ''}."


def optimism(tuning: Tuning) -> str:
    """How much the search promised too much."""
    e, searched = tuning.optimism, tuning.winner.searched
    interval = f"95 % interval {e.low:+.3f} to {e.high:+.3f}; {e.games:,} games a line-up"
    return (
        f"The search promised a miss of {searched:.3f} margins; in as many fresh games it is {searched + e.value:.3f}: "
        f"optimism {e.value:+.3f} ({interval}). As it was, the card set missed by {tuning.base.miss:.3f}. {MISS}"
    )


def found(tuning: Tuning) -> str:
    """How the edit was found, and how it is found again."""
    varied = counted(len(tuning.ranges), "values")
    text = (
        f"{counted(tuning.candidates, 'candidates')} of {varied} that may vary, all on the same deals, "
        f"{tuning.games:,} games a line-up; {tuning.given_up} given up early"
    )
    text += f"; {tuning.refused} more card sets cannot be played" if tuning.refused else ""
    late = f" The time was up; --candidates {tuning.candidates} in its place repeats the result."
    return f"{text}; seed {tuning.seed}.{late if tuning.out_of_time else ''}"
