"""How a number changes with skill: the same number for every tier of bots, and one of five labels for it.

A tier is measured by the line-ups in which every bot is of that tier; self-play of its strongest bot where it exists.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis import stats
from analysis.stats import Estimate

TIERS = ("random", "simple", "noisy", "expert", "trained", "search")
"""From weak to strong, as the words promise; what a run has measured goes before."""

STABLE = "stable"
GROWS = "grows with skill"
SHRINKS = "shrinks with skill"
FLIPS = "flips"
ONE_TIER = "one tier only"

TOLERANCE = 0.05
"""Where the designer has no margin for a number, a change of less than this part of the larger value is no change."""


@dataclass(frozen=True)
class ByTier:
    """One headline number in every tier that was played, weak to strong: (tier, line-up as said in a sentence,
    estimate), and the label.

    "flips": the number is surely positive in one tier and surely negative in another. "grows" and "shrinks with skill":
    its size surely differs between the weakest and the strongest tier, by more than the margin. "stable": no such
    change is shown. "one tier only": a hint.
    """

    name: str
    title: str
    label: str
    tiers: tuple[tuple[str, str, Estimate], ...]


def label(estimates: Sequence[Estimate], margin: float | None = None, effect: bool = True) -> str:
    """The label of one number, given in the order of the tiers, weak to strong.

    `margin` is the smallest change that counts. An `effect` has 0 for "none", so its size is compared and its sign may
    flip; any other number (a score, a length) is compared as it is.
    """
    known = [e for e in estimates if not math.isnan(e.value)]
    if len(known) < 2:
        return ONE_TIER
    if effect and any(e.low > 0 for e in known) and any(e.high < 0 for e in known):
        return FLIPS
    weak, strong = known[0], known[-1]
    change = abs(strong.value) - abs(weak.value) if effect else strong.value - weak.value
    least = margin if margin is not None else TOLERANCE * max(abs(strong.value), abs(weak.value))
    half = math.hypot(_half(weak), _half(strong))
    if abs(change) <= max(least, half) or math.isnan(half):
        return STABLE
    return GROWS if change > 0 else SHRINKS


def _half(e: Estimate) -> float:
    """Half width of the interval; both tiers play the same deals, so taking them as independent errs on the careful
    side. Where nothing (or all) was seen there is no error, but an interval to one side.
    """
    return stats.z_value() * e.se if e.se > 0 else max(e.high - e.value, e.value - e.low)


def by_tier(
    name: str,
    title: str,
    tiers: Sequence[tuple[str, str, Estimate]],
    margin: float | None = None,
    effect: bool = True,
) -> ByTier:
    """A headline number of all tiers with its label."""
    return ByTier(name, title, label([estimate for _, _, estimate in tiers], margin, effect), tuple(tiers))
