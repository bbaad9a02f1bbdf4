"""What a pilot says of the games that an effect needs, in sentences; as `analysis.verdicts`."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.planning import CARD, FIRST, SHARE, STRATEGY, Need, Planning
from analysis.verdicts import counted, rounded

ALIKE = 0.05
"""Pairing is said to save, or to cost, games from this part of them on."""


def sentences(planning: Planning) -> tuple[str, ...]:
    """What the main questions need, the dearest line-up of each, and what cannot be told."""
    told = [_dearest(planning, topic, arms) for arms in (2, 1) for topic in (FIRST, STRATEGY, CARD)]
    return (*(text for text in told if text), *planning.notes)


def _dearest(planning: Planning, topic: str, arms: int) -> str:
    """A sentence about the need for the most games of a topic, shares before points; "" where there is none."""
    found = [n for n in planning.needs if n.question.topic == topic and n.question.arms == arms and n.games]
    of_shares = [n for n in found if n.question.unit == SHARE] or found
    if not of_shares:
        return ""
    most = max(of_shares, key=lambda need: need.games or 0)
    what = f"{most.question.what}, {most.question.line_up}"
    each = "line-up and card set" if arms == 2 else "line-up"
    deals = rounded(-(-(most.games or 0) // planning.seats))
    return (
        f"{what[0].upper()}{what[1:]}: an effect of {effect(most, most.effect)} takes {deals * planning.seats:,} games "
        f"a {each} ({deals:,} deals){paired(most)}."
    )


def effect(need: Need, value: float) -> str:
    """An effect with its unit: "1 percentage point", "0.5 points"."""
    if need.question.unit == SHARE:
        return counted(round(value * 100, 3), "percentage points")
    return counted(round(value, 3), need.question.unit)


def paired(need: Need) -> str:
    """What pairing saves or costs, as the end of a sentence; "" where it was not measured."""
    saved = need.saved
    if saved is None or need.unpaired is None:
        return ""
    many = f"{rounded(need.unpaired):,}"
    apart = "on different deals" if need.question.arms == 2 else "without pairing"
    if abs(saved - 1) < ALIKE:
        return f", and as many {apart}"
    return f"; {apart} {many}, {saved:.1f} times as many" if saved > 1 else f"; {apart} only {many}"


def plain_rates(plain: Sequence[tuple[float, int]]) -> str:
    """Games for effects on one rate without pairing: "5 pp 785, 2 pp 4,906"."""
    return ", ".join(f"{value * 100:g} pp {games:,}" for value, games in plain)
