"""Scores: how high, how spread, of what they are made, and what the declared counters say, for each bot of a line-up;
and the account of the winner's lead.

The winner's lead in a quantity is the winner's minus the mean of the others' (`analysis.blocks`). Of the parts of a
score this is arithmetic: the leads in the parts add up to the lead in score. Of a counter it says how much more often
the winner did it: with what winning goes together, not what it comes from.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import special

from analysis import stats
from analysis.blocks import Blocks
from analysis.stats import Estimate
from simcore.manifest import Manifest, MeasureEntry

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Named:
    """A declared score part or counter with its mean per game and seat, and the game's own sentence about it.

    Counters of a `family` are ways to do one thing, to be compared with each other; "" for what is in none.
    """

    name: str
    text: str
    mean: Estimate
    family: str = ""


@dataclass(frozen=True)
class BotScores:
    """What one bot did in one line-up: mean score, its standard deviation over games (interval by the delta method),
    quantiles {probability: score}, parts and counters.
    """

    bot: str
    share: Estimate
    margin: Estimate
    score: Estimate
    sd: Estimate
    quantiles: dict[float, float]
    parts: tuple[Named, ...]
    counters: tuple[Named, ...]


@dataclass(frozen=True)
class Scores:
    """Scores of a line-up.

    `winning` and `losing` are the means of a game's best and worst score, `quantiles` those of both ("winning",
    "losing"). `distribution` has the columns who (a bot's name, or "winning", "losing"), score, count (seats), fraction
    (of that who).

    `lead` is the winner's lead in score, `part_leads` and `counter_leads` those in the parts and counters (a `Named`
    whose mean is the lead); None and empty where the game declares neither, or is for one.
    """

    bots: tuple[BotScores, ...]
    winning: Estimate
    losing: Estimate
    quantiles: dict[str, dict[float, float]]
    distribution: pl.DataFrame
    lead: Estimate | None
    part_leads: tuple[Named, ...]
    counter_leads: tuple[Named, ...]


def scores(blocks: Blocks, manifest: Manifest) -> Scores:
    """Scores of one line-up."""
    unit = manifest["score_unit"]
    names = [bot["name"] for bot in manifest["bots"]]
    counts = {names[b]: blocks.scores[b] for b in blocks.line_up.distinct} | blocks.results
    led = blocks.has("lead.score")
    return Scores(
        bots=tuple(_bot(blocks, b, names[b], manifest) for b in blocks.line_up.distinct),
        winning=blocks.mean("games.winning", unit),
        losing=blocks.mean("games.losing", unit),
        quantiles={who: quantiles(blocks.results[who]) for who in ("winning", "losing")},
        distribution=pl.concat([_distribution(who, counts[who]) for who in counts]),
        lead=blocks.mean("lead.score", unit) if led else None,
        part_leads=tuple(_named(blocks, "lead.part.", part) for part in manifest["parts"] if led),
        counter_leads=tuple(_named(blocks, "lead.count.", counter) for counter in manifest["counters"] if led),
    )


def _bot(blocks: Blocks, b: int, name: str, manifest: Manifest) -> BotScores:
    unit = manifest["score_unit"]
    take = f"bot{b}."
    return BotScores(
        bot=name,
        share=blocks.share(take + "share"),
        margin=blocks.mean(take + "margin", unit),
        score=blocks.mean(take + "score", unit),
        sd=_spread(blocks, take, unit),
        quantiles=quantiles(blocks.scores[b]),
        parts=tuple(_named(blocks, take + "part.", part) for part in manifest["parts"]),
        counters=tuple(_named(blocks, take + "count.", counter) for counter in manifest["counters"]),
    )


def _spread(blocks: Blocks, take: str, unit: str) -> Estimate:
    """sqrt(S - m²) for the mean m of the scores and S of their squares, with slopes -m / sd and 1 / (2 sd)."""
    mean, square = blocks.value(take + "score"), blocks.value(take + "score2")
    sd = math.sqrt(max(0.0, square - mean * mean))
    slopes = {take + "score": -mean / sd, take + "score2": 1 / (2 * sd)} if sd > 0 else {}
    return blocks.delta(sd, slopes, unit)


def _named(blocks: Blocks, prefix: str, declared: MeasureEntry) -> Named:
    mean = blocks.mean(prefix + declared["name"], declared["unit"])
    return Named(declared["name"], declared["text"], mean, declared.get("family", ""))


@dataclass(frozen=True)
class Apart:
    """How far a bot's mean of a score part lies from another bot's; q over all parts (Benjamini-Hochberg)."""

    name: str
    difference: Estimate
    q: float


def apart(bot: BotScores, other: BotScores) -> tuple[Apart, ...]:
    """The score parts of a bot beside those of another one in another line-up, the farthest apart first.

    The errors are joined as if each line-up had deals of its own. They share their deals, so an interval is wider
    rather than narrower than it would have to be.
    """
    differences = []
    for one, two in zip(bot.parts, other.parts, strict=True):
        a, b = one.mean, two.mean
        value, se = a.value - b.value, math.hypot(a.se, b.se)
        half = stats.z_value() * se
        n, games = min(a.n, b.n), min(a.games, b.games)
        differences.append(Estimate(value, value - half, value + half, n, games, a.unit, se))
    q = stats.benjamini_hochberg([p_of_zero(e) for e in differences])
    found = [Apart(part.name, e, float(x)) for part, e, x in zip(bot.parts, differences, q, strict=True)]
    return tuple(sorted(found, key=lambda item: -abs(item.difference.value)))


def p_of_zero(e: Estimate) -> float:
    """Two-sided p-value of an estimate's being zero, by the normal law; NaN where that is no question."""
    if not e.se > 0:
        return math.nan
    return float(2 * special.ndtr(-abs(e.value) / e.se))


def quantiles(counts: dict[int, int]) -> dict[float, float]:
    """Quantiles of counted values {value: count}: the smallest value with at least that share of all at or below it."""
    if not counts:
        return dict.fromkeys(QUANTILES, math.nan)
    values = np.array(sorted(counts))
    below = np.cumsum([counts[v] for v in values.tolist()])
    return {q: float(values[np.searchsorted(below, q * below[-1])]) for q in QUANTILES}


def _distribution(who: str, counts: dict[int, int]) -> pl.DataFrame:
    values = sorted(counts)
    seen = [counts[v] for v in values]
    frame = pl.DataFrame({"score": values, "count": seen}, schema={"score": pl.Int64, "count": pl.Int64})
    return frame.select(pl.lit(who).alias("who"), "score", "count", fraction=pl.col("count") / max(1, sum(seen)))
