"""How a report writes numbers: as many digits as the interval deserves, shares in per cent, minus as a sign."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from analysis.stats import Estimate
from analysis.verdicts import signed, unsigned
from reports.page import Cell

NONE = Cell("–")


def estimate(row: Mapping[str, Any], unit: str, prefix: str = "") -> Estimate:
    """The estimate in a row of a frame: columns value, low, high, or (with a prefix p) p, p_low, p_high."""
    names = (prefix, f"{prefix}_low", f"{prefix}_high") if prefix else ("value", "low", "high")
    value, low, high = (math.nan if row[name] is None else float(row[name]) for name in names)
    return Estimate(value, low, high, row["n"], row["n"], unit)


def scale(e: Estimate) -> float:
    """Shares are shown in per cent."""
    return 100.0 if e.unit == "share" else 1.0


def words(e: Estimate, effect: bool = False) -> tuple[str, str]:
    """An estimate and its interval as text: ("52.6", "52.1 to 53.2"), with signs for an effect; "–" for what does not
    exist.
    """
    if not math.isfinite(e.value):
        return "–", ""
    if not (math.isfinite(e.low) and math.isfinite(e.high)):
        return f"{e.value * scale(e):{'+' if effect else ''}.1f}", ""
    value, interval = (signed if effect else unsigned)(e, scale(e))
    return value, interval


def amount(e: Estimate) -> Cell:
    """A cell with a quantity and its interval; shares in per cent."""
    value, interval = words(e)
    return Cell(value, interval, raw=(e.value, e.low, e.high), n=e.n or None)


def effect(e: Estimate) -> Cell:
    """A cell with an effect, with its sign, and its interval; shares in percentage points."""
    value, interval = words(e, effect=True)
    return Cell(value, interval, raw=(e.value, e.low, e.high), n=e.n or None)


def count(n: int) -> Cell:
    """A cell with a whole number."""
    return Cell(f"{n:,}", raw=(n,))


def plain(value: float | None, digits: int = 1) -> Cell:
    """A cell with a number that has no interval."""
    return NONE if value is None or not math.isfinite(value) else Cell(f"{value:.{digits}f}", raw=(float(value),))


def percent(value: float | None, digits: int = 1) -> Cell:
    """A cell with a share without interval, in per cent."""
    return NONE if value is None or not math.isfinite(value) else Cell(f"{value * 100:.{digits}f}", raw=(float(value),))


def listed(items: list[str]) -> str:
    """Words as a list in a sentence: a, b and c."""
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]
