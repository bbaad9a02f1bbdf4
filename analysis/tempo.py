"""How a game feels in numbers: length, ends, lead changes, comebacks, closeness, choice.

Definitions (shown on the page beside each number):

- length: turns of a game; cut off: a length cap was reached (such games are counted and shown, never dropped);
- lead changes: changes of sign of the difference in `standing`, the game's own running score, ties skipped;
- last lead change: the turn of it divided by the game's turns, over the games that had one;
- comeback(d): win share of a seat that is behind by d at half time (after half the turns), in `standing`;
- closeness(k): share of games whose best score is at most k ahead of the second best;
- options: legal options per decision that was asked; forced: share of all decisions that had one option only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis import stats
from analysis.blocks import BEHIND, CLOSE, Blocks
from analysis.stats import Estimate
from simcore.manifest import Manifest

HEADLINE_CLOSE = 10
"""The k of the one closeness that is quoted; all of them are in `Tempo.closeness`."""


@dataclass(frozen=True)
class Choice:
    """Choices of one bot: mean legal options of a decision that was asked, share of forced decisions, decisions asked
    per game.
    """

    bot: str
    options: Estimate
    forced: Estimate
    decisions: Estimate


@dataclass(frozen=True)
class Tempo:
    """Length, leads and choices of one line-up.

    `lengths`: turns, count, fraction. `closeness`: k, value, low, high, n. `comebacks`: behind_from, behind_to (None =
    and more), value (win share), low, high, cases (seats that were so far behind), n. `ends` are (end reason, share of
    games). `no_change` is the share of games without a lead change.
    """

    length: Estimate
    length_median: Estimate
    length_p95: Estimate
    lengths: pl.DataFrame
    rounds: Estimate
    cut_off: Estimate
    ends: tuple[tuple[str, Estimate], ...]
    ties: Estimate
    lead_changes: Estimate
    no_change: Estimate
    last_change: Estimate
    comeback: Estimate
    comebacks: pl.DataFrame
    close: Estimate
    closeness: pl.DataFrame
    choices: tuple[Choice, ...]


def tempo(blocks: Blocks, manifest: Manifest) -> Tempo:
    """Tempo of one line-up."""
    names = [bot["name"] for bot in manifest["bots"]]
    seats = [f"games.behind{i}.seats" for i in range(len(BEHIND))]
    wins = [f"games.behind{i}.share" for i in range(len(BEHIND))]
    changed = blocks.share("games.changed")
    return Tempo(
        length=blocks.mean("games.turns", "turns"),
        length_median=_quantile(blocks, 0.5),
        length_p95=_quantile(blocks, 0.95),
        lengths=_lengths(blocks),
        rounds=blocks.mean("games.rounds", "rounds"),
        cut_off=blocks.share("games.cut_off"),
        ends=tuple((name, blocks.share(f"games.end{i}")) for i, name in enumerate(manifest["ends"])),
        ties=blocks.share("games.tie"),
        lead_changes=blocks.mean("games.lead_changes", "changes"),
        no_change=Estimate(
            1 - changed.value, 1 - changed.high, 1 - changed.low, changed.n, changed.games, "share", changed.se
        ),
        last_change=blocks.ratio(["games.last_change"], ["games.changed"], "share"),
        comeback=blocks.share_of(wins, seats),
        comebacks=_comebacks(blocks),
        close=blocks.share(f"games.close{HEADLINE_CLOSE}"),
        closeness=_closeness(blocks),
        choices=tuple(_choice(blocks, b, names[b]) for b in blocks.line_up.distinct),
    )


PACE = {
    **dict.fromkeys(("bot", "counter", "unit", "text"), pl.String),
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
    "n": pl.Int64,
}


def pace(blocks: Blocks, manifest: Manifest) -> pl.DataFrame:
    """What each bot of a line-up did per own turn: bot, counter, unit, text (the game's own sentence), value, low,
    high, n. The turns of a game are shared evenly among its seats.
    """
    names = [bot["name"] for bot in manifest["bots"]]
    rows = []
    for b in blocks.line_up.distinct:
        for counter in manifest["counters"]:
            found = blocks.ratio([f"bot{b}.count.{counter['name']}"], ["games.turns"], counter["unit"])
            told = {"bot": names[b], "counter": counter["name"], "unit": counter["unit"], "text": counter["text"]}
            of = {key: _number(getattr(found, key) * blocks.seats) for key in ("value", "low", "high")}
            rows.append(told | of | {"n": found.n})
    return pl.DataFrame(rows, schema=PACE)


def _quantile(blocks: Blocks, q: float) -> Estimate:
    value, low, high = stats.quantile_interval(blocks.turns, q)
    return Estimate(value, low, high, blocks.blocks, blocks.distinct, "turns")


def _lengths(blocks: Blocks) -> pl.DataFrame:
    counts = np.bincount(blocks.turns.ravel())
    seen = np.flatnonzero(counts)
    return pl.DataFrame({"turns": seen, "count": counts[seen], "fraction": counts[seen] / max(1, blocks.turns.size)})


def _closeness(blocks: Blocks) -> pl.DataFrame:
    rows = []
    for k in CLOSE:
        share = blocks.share(f"games.close{k}")
        rows.append({"k": k, "value": share.value, "low": share.low, "high": share.high, "n": share.n})
    return pl.DataFrame(rows)


def _comebacks(blocks: Blocks) -> pl.DataFrame:
    rows = []
    for i, low in enumerate(BEHIND):
        seats = f"games.behind{i}.seats"
        found = blocks.share_of([f"games.behind{i}.share"], [seats])
        rows.append(
            {
                "behind_from": low,
                "behind_to": BEHIND[i + 1] - 1 if i + 1 < len(BEHIND) else None,
                "value": _number(found.value),
                "low": _number(found.low),
                "high": _number(found.high),
                "cases": round(blocks.value(seats) * blocks.games),
                "n": found.n,
            }
        )
    schema = {"behind_from": pl.Int64, "behind_to": pl.Int64, "value": pl.Float64, "low": pl.Float64}
    return pl.DataFrame(rows, schema=schema | {"high": pl.Float64, "cases": pl.Int64, "n": pl.Int64})


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _choice(blocks: Blocks, b: int, name: str) -> Choice:
    take = f"bot{b}."
    return Choice(
        bot=name,
        options=blocks.ratio([take + "options"], [take + "decisions"], "options"),
        forced=blocks.ratio([take + "forced"], [take + "forced", take + "decisions"], "share"),
        decisions=blocks.mean(take + "decisions", "decisions"),
    )
