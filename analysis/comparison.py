"""What did an edit of the card set change? Two runs on the same deals, every number with its difference and interval.

`compare(base, variant)` joins two run folders by (line-up, deal, rotation, seat). A difference is a mean over deals of
variant - base; its error comes from the differences of the blocks (one deal under all rotations), so whatever luck the
two arms share cancels.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from simcore.runlog import Run

IDENTICAL = "identical"
"""Wording beside those of `analysis.stats`: every deal gave exactly the same in both arms."""

ROWS = {
    "line_up": pl.Int64,  # index into the manifest's line_ups
    "title": pl.String,  # the line-up as a sentence names it: "expert against itself"
    "tier": pl.String,  # the tier that all its bots share, or null
    "measure": pl.String,  # a key of MEASURES
    "subject": pl.String,  # place in turn order, bot, "bot: part", card type; "" for the line-up as a whole
    "label": pl.String,  # the question in words, without the line-up: "score of uniform"
    "unit": pl.String,  # "share" (0.01 = one percentage point), the score unit, "turns", ...
    "base": pl.Float64,  # estimates of the arms
    "variant": pl.Float64,
    "difference": pl.Float64,  # variant - base
    "se": pl.Float64,  # its standard error; null where there is none
    "low": pl.Float64,  # 95 % interval of the difference
    "high": pl.Float64,
    "low90": pl.Float64,  # 90 % interval
    "high90": pl.Float64,
    "margin": pl.Float64,  # what counts as a change, in `unit`
    "wording": pl.String,  # one of the five of analysis.stats, or "identical"
    "verdict": pl.String,  # the wording as it is printed, with the deals still needed
    "more_deals": pl.Int64,  # deals still needed where the wording is "not yet known", else 0
    "p": pl.Float64,  # two-sided p of "no difference"; null for "identical"
    "q": pl.Float64,  # cards only: p adjusted over all cards of this measure and line-up (Benjamini-Hochberg)
    "correlation": pl.Float64,  # of the arms, over deals; null where an arm does not vary
    "variance_ratio": pl.Float64,  # variance with independent arms / variance of the paired difference
    "n": pl.Int64,  # deals
}
"""Columns of `Comparison.rows`."""

PLAYED = {
    "line_up": pl.Int64,
    "title": pl.String,
    "tier": pl.String,
    "games": pl.Int64,  # games of each arm that were compared
    "identical": pl.Float64,  # share of games with the same play_hash in both arms
    "scored_alike": pl.Float64,  # share of games in which every seat has the same score in both arms
    "all_identical": pl.Boolean,
    "no_reaction": pl.Boolean,  # all played identically, not all scored alike: no bot reacted to the edit
    "text": pl.String,  # a sentence for the page
}
"""Columns of `Comparison.played`."""

CARDS = {
    "type": pl.String,
    "label": pl.String,
    "group": pl.String,
    "base": pl.Int64,  # copies in the base set, 0 if it has none
    "variant": pl.Int64,
    "change": pl.String,  # "both", "added", "removed"
}
"""Columns of `Comparison.cards`."""


@dataclass(frozen=True)
class Arm:
    """One of the two runs: its card set, its deals per line-up, whether it is finished, and where it is."""

    card_set: str
    card_set_hash: str
    deals: int
    complete: bool
    folder: str


@dataclass(frozen=True)
class Comparison:
    """What differs between two runs on the same deals.

    `rows` has a row for each question (columns: ROWS), `played` one for each line-up (PLAYED), `cards` one for each
    card type of either set (CARDS). `bots` are (name, tier, sentence). `deals` and `games` count what was compared, of
    each arm. `notes` are sentences that the page must show: what was left out, and why.
    """

    game: str
    title: str
    seats: int
    seed: int
    score_unit: str
    bots: tuple[tuple[str, str, str], ...]
    base: Arm
    variant: Arm
    deals: int
    games: int
    margin_share: float
    margin_points: float
    rows: pl.DataFrame
    played: pl.DataFrame
    cards: pl.DataFrame
    notes: tuple[str, ...]


def compare(
    base: Run,
    variant: Run,
    margin_share: float = 0.01,
    margin_points: float = 1.0,
    blocks: int | None = None,
    threads: int | None = None,
) -> Comparison:
    """Compare two runs of the same plan but for the card set, within the designer's margins."""
    raise NotImplementedError
