"""Scores: how high, how spread, of what they are made, and what the declared counters say, for each bot of a
line-up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.blocks import Blocks
from analysis.stats import Estimate
from simcore.manifest import Manifest, MeasureEntry

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Named:
    """A declared score part or counter with its mean per game and seat, and the game's own sentence about it."""

    name: str
    text: str
    mean: Estimate


@dataclass(frozen=True)
class BotScores:
    """What one bot did in one line-up: mean score, its standard deviation over games, quantiles {probability: score},
    parts and counters.
    """

    bot: str
    share: Estimate
    margin: Estimate
    score: Estimate
    sd: float
    quantiles: dict[float, float]
    parts: tuple[Named, ...]
    counters: tuple[Named, ...]


@dataclass(frozen=True)
class Scores:
    """Scores of a line-up.

    `winning` and `losing` are the means of a game's best and worst score, `quantiles` those of both ("winning",
    "losing"). `distribution` has the columns who (a bot's name, or "winning", "losing"), score, count (seats), fraction
    (of that who).
    """

    bots: tuple[BotScores, ...]
    winning: Estimate
    losing: Estimate
    quantiles: dict[str, dict[float, float]]
    distribution: pl.DataFrame


def scores(blocks: Blocks, manifest: Manifest) -> Scores:
    """Scores of one line-up."""
    unit = manifest["score_unit"]
    names = [bot["name"] for bot in manifest["bots"]]
    counts = {names[b]: blocks.scores[b] for b in blocks.line_up.distinct} | blocks.results
    return Scores(
        bots=tuple(_bot(blocks, b, names[b], manifest) for b in blocks.line_up.distinct),
        winning=blocks.mean("games.winning", unit),
        losing=blocks.mean("games.losing", unit),
        quantiles={who: quantiles(blocks.results[who]) for who in ("winning", "losing")},
        distribution=pl.concat([_distribution(who, counts[who]) for who in counts]),
    )


def _bot(blocks: Blocks, b: int, name: str, manifest: Manifest) -> BotScores:
    unit = manifest["score_unit"]
    take = f"bot{b}."
    mean, square = blocks.value(take + "score"), blocks.value(take + "score2")
    return BotScores(
        bot=name,
        share=blocks.share(take + "share"),
        margin=blocks.mean(take + "margin", unit),
        score=blocks.mean(take + "score", unit),
        sd=math.sqrt(max(0.0, square - mean * mean)),
        quantiles=quantiles(blocks.scores[b]),
        parts=tuple(_named(blocks, take + "part.", part) for part in manifest["parts"]),
        counters=tuple(_named(blocks, take + "count.", counter) for counter in manifest["counters"]),
    )


def _named(blocks: Blocks, prefix: str, declared: MeasureEntry) -> Named:
    return Named(declared["name"], declared["text"], blocks.mean(prefix + declared["name"], declared["unit"]))


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
