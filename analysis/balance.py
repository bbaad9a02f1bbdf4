"""The balance of a card set: everything that a balance report shows, computed once from a run folder.

`analyse(run)` gives a `Balance`: plain frozen records and polars frames, each documented in the module that makes it,
with an interval and n beside every number. `Balance.to_dict()` is the content of report.json.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from analysis import convergence, market, matchups, same_cards, scores, seats, stats, tallies, tempo, tiers, verdicts
from analysis.blocks import Blocks, LineUp, line_ups, read_blocks
from analysis.cards import CardImpact, card_impact
from analysis.groups import Groups, groups
from analysis.market import Market
from analysis.matchups import Cell
from analysis.scores import Scores
from analysis.seats import TurnOrder
from analysis.stats import Estimate
from analysis.tallies import Tallies
from analysis.tempo import Tempo
from analysis.tiers import ByTier
from analysis.verdicts import Verdict
from simcore.errors import InputError
from simcore.manifest import Manifest
from simcore.runlog import Run


@dataclass(frozen=True)
class Bot:
    """A bot of the run: name, tier, hash of its weights and code, and its own sentence. `strength` is its mean win
    share against the others.
    """

    name: str
    tier: str
    hash: str
    text: str
    strength: float | None


@dataclass(frozen=True)
class Facts:
    """What was played and by whom; `games` were logged, `distinct` were played differently from the others of their
    deal.

    `margin_share` and `margin_points` are the designer's margins. `complete` says whether the run was finished. Without
    a `first_player` nobody goes first by the rules, and a place in turn order is the seat. `endings` are what ends a
    game, in words (reason: words), and `when` what turns the time of a card counts. `rows` are the rows of the card set
    that each type of card stands for, as "cards.Y10"; none in runs of older versions.
    """

    game: str
    title: str
    card_set: str
    card_set_hash: str
    seats: int
    bots: tuple[Bot, ...]
    games: int
    deals: int
    distinct: int
    seed: int
    log: str
    version: str
    complete: bool
    margin_share: float
    margin_points: float
    score_unit: str
    standing: str
    caveat: str
    round_is_game: bool
    first_player: bool
    endings: dict[str, str]
    when: str
    rows: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class LineUpBalance:
    """Everything about one line-up. `title` is how a sentence names it; `tier` is the tier that all its bots share, or
    None.

    `convergence` is the running advantage of going first (columns: see `analysis.convergence.running`). `cards` is None
    without a card log or cards with a stamp, `groups` without a card log, `market` where no cards lie on the table for
    everybody, `tallies` where none are tallied. `pace` is what bots did per own turn (columns: see
    `analysis.tempo.pace`), None where there is neither of the last two.
    """

    index: int
    title: str
    bots: tuple[str, ...]
    tier: str | None
    mirror: bool
    games: int
    deals: int
    distinct: int
    turn_order: TurnOrder
    scores: Scores
    tempo: Tempo
    convergence: pl.DataFrame
    cards: CardImpact | None
    groups: Groups | None
    market: Market | None
    tallies: Tallies | None
    pace: pl.DataFrame | None


@dataclass(frozen=True)
class Balance:
    """The balance of one run.

    `headline` is the index in `line_ups` of the line-up that page one speaks of: the bot of the tier that was strongest
    in this run, against itself. `by_tier` are the headline numbers in every tier with their labels. `card_tiers` has a
    row per card type and tier: type, outcome, tier, line_up (title), value, low, high, n, label (one label a type and
    outcome). `verdicts` are the sentences of page one.
    """

    facts: Facts
    line_ups: tuple[LineUpBalance, ...]
    headline: int
    matchups: tuple[Cell, ...]
    by_tier: tuple[ByTier, ...]
    card_tiers: pl.DataFrame
    verdicts: tuple[Verdict, ...]

    @property
    def main(self) -> LineUpBalance:
        """The line-up that page one speaks of."""
        return self.line_ups[self.headline]

    def to_dict(self) -> dict[str, Any]:
        """The whole result in plain JSON types: records as objects, frames as lists of rows, what does not exist as
        null.
        """
        return {"format": "fairdeal-balance/1", **plain_data(self)}


def analyse(run: Run, margin_points: float = 1.0, margin_share: float = 0.01, threads: int | None = None) -> Balance:
    """Analyse a run folder within the designer's margins (points of score; share of wins, 0.01 = one percentage point).

    Reads shard by shard: memory does not grow with the number of games but for a few bytes a game. An unfinished run is
    analysed as far as it goes. Raises InputError where nothing is finished, or a margin is not positive.
    """
    if not (0 < margin_points < math.inf and 0 < margin_share < math.inf):
        raise InputError(
            f"A margin must be above 0 and finite, not {margin_points} points, {margin_share} of the wins."
        )
    manifest = run.manifest
    names = [bot["name"] for bot in manifest["bots"]]
    unit = manifest["score_unit"]
    results: list[LineUpBalance] = []
    cells: list[Cell] = []
    for line_up in line_ups(manifest):
        blocks = read_blocks(run, line_up, threads)
        if blocks is None:
            continue
        of_cards = _Cards(
            card_impact(run, line_up, margin_points, margin_share, threads),
            groups(run, line_up, threads),
            market.market(run, line_up, margin_points, margin_share, threads),
            tallies.tallies(run, line_up, threads),
        )
        results.append(_line_up(blocks, of_cards, manifest, margin_share, margin_points))
        cells += matchups.cells(blocks, names, unit)
    if not results:
        raise InputError(f"{run.path} holds no finished games yet. Finish the run with --resume, then analyse it.")
    strength = _strength(cells)
    facts = _facts(run, results, strength, margin_share, margin_points)
    chosen = _tier_line_ups(results, strength)
    balance = Balance(
        facts=facts,
        line_ups=tuple(results),
        headline=results.index(_headline(results, chosen)),
        matchups=tuple(cells),
        by_tier=headline_numbers(chosen, margin_share, margin_points, manifest["first_player"]),
        card_tiers=_card_tiers(chosen, margin_share, margin_points),
        verdicts=(),
    )
    return dataclasses.replace(balance, verdicts=verdicts.page_one(balance))


class _Cards(NamedTuple):
    """What the card log of a line-up says."""

    impact: CardImpact | None
    groups: Groups | None
    market: Market | None
    tallies: Tallies | None


def _line_up(
    blocks: Blocks, cards: _Cards, manifest: Manifest, margin_share: float, margin_points: float
) -> LineUpBalance:
    line_up = blocks.line_up
    return LineUpBalance(
        index=line_up.index,
        title=str(line_up),
        bots=line_up.names,
        tier=_tier(line_up, manifest),
        mirror=line_up.mirror,
        games=blocks.games,
        deals=blocks.blocks,
        distinct=blocks.distinct,
        turn_order=seats.turn_order(blocks, margin_share, margin_points, manifest["score_unit"]),
        scores=scores.scores(blocks, manifest),
        tempo=tempo.tempo(blocks, manifest),
        convergence=convergence.running(blocks.first_share - 1 / blocks.seats, blocks.seats),
        cards=cards.impact,
        groups=cards.groups,
        market=cards.market,
        tallies=cards.tallies,
        pace=tempo.pace(blocks, manifest) if cards.market or cards.tallies else None,
    )


def _tier(line_up: LineUp, manifest: Manifest) -> str | None:
    found = {manifest["bots"][b]["tier"] for b in line_up.bots}
    return str(found.pop()) if len(found) == 1 else None


def _strength(cells: Sequence[Cell]) -> dict[str, float]:
    """Mean win share of every bot over its match-ups with others."""
    shares: dict[str, list[float]] = {}
    for cell in cells:
        if cell.bot != cell.opponent:
            shares.setdefault(cell.bot, []).append(cell.share.value)
    return {bot: math.fsum(values) / len(values) for bot, values in shares.items()}


def _facts(
    run: Run,
    results: Sequence[LineUpBalance],
    strength: Mapping[str, float],
    margin_share: float,
    margin_points: float,
) -> Facts:
    m = run.manifest
    bots = tuple(Bot(b["name"], b["tier"], b["hash"], b["text"], strength.get(b["name"])) for b in m["bots"])
    return Facts(
        game=m["game"],
        title=m["title"],
        card_set=m["card_set"]["name"],
        card_set_hash=m["card_set"]["hash"],
        seats=m["seats"],
        bots=bots,
        games=sum(result.games for result in results),
        deals=max(result.deals for result in results),
        distinct=sum(result.distinct for result in results),
        seed=m["seed"],
        log=m["log"],
        version=m["version"],
        complete=run.complete,
        margin_share=margin_share,
        margin_points=margin_points,
        score_unit=m["score_unit"],
        standing=m["standing"],
        caveat=m["caveat"],
        round_is_game=m["round_is_game"],
        first_player=m["first_player"],
        endings=dict(zip(m["ends"], m["endings"], strict=True)),
        when=m["when"],
        rows={name: tuple(sorted(known.rows)) for name, known in same_cards.of_log(m["cards"]).items() if known.rows},
    )


# --- tiers -----------------------------------------------------------------------------------------------------------


def _tier_line_ups(results: Sequence[LineUpBalance], strength: Mapping[str, float]) -> list[LineUpBalance]:
    """One line-up a tier, weak to strong: self-play of the tier's strongest bot, else any line-up within the tier.

    Weak and strong are what the run has measured; tiers that did not meet stand in the order of `tiers.TIERS`.
    """

    def skill(result: LineUpBalance) -> float:
        return math.fsum(strength.get(bot, 0.0) for bot in result.bots) / len(result.bots)

    def rank(result: LineUpBalance) -> tuple[bool, float, int]:
        return result.mirror, skill(result), result.index

    by_tier = [[result for result in results if result.tier == tier] for tier in tiers.TIERS]
    return sorted((max(found, key=rank) for found in by_tier if found), key=skill)


def _headline(results: Sequence[LineUpBalance], chosen: Sequence[LineUpBalance]) -> LineUpBalance:
    """The strongest tier's line-up; without any, the last one (line-ups are listed from weak to strong)."""
    return chosen[-1] if chosen else results[-1]


FIRST = ("first_share", "first_points")
"""The headline numbers about going first: effects, which have a sign."""


def headline_numbers(
    chosen: Sequence[LineUpBalance], margin_share: float, margin_points: float, first_player: bool
) -> tuple[ByTier, ...]:
    """The headline numbers in some line-ups of one tier each, given weak to strong, with their labels; without a
    `first_player` those about going first are left out.
    """
    numbers: list[tuple[str, str, float | None, Callable[[LineUpBalance], Estimate]]] = [
        ("first_share", "advantage of going first (win share)", margin_share, lambda r: r.turn_order.advantage),
        ("first_points", "advantage of going first (margin)", margin_points, lambda r: r.turn_order.advantage_points),
        ("score", "score of a seat", margin_points, lambda r: r.scores.bots[0].score),
        ("length", "length of a game", None, lambda r: r.tempo.length),
        ("cut_off", "games cut off by the length cap", margin_share, lambda r: r.tempo.cut_off),
        ("ties", "ties", margin_share, lambda r: r.tempo.ties),
        ("lead_changes", "lead changes in a game", None, lambda r: r.tempo.lead_changes),
        ("last_change", "when the lead changed last (share of the game)", margin_share, lambda r: r.tempo.last_change),
        ("comeback", "wins from behind at half time", margin_share, lambda r: r.tempo.comeback),
        (
            "close",
            f"games won by at most {tempo.HEADLINE_CLOSE}",
            margin_share,
            lambda r: r.tempo.close,
        ),
        ("forced", "forced decisions", margin_share, lambda r: r.tempo.choices[0].forced),
        ("options", "options of a decision", None, lambda r: r.tempo.choices[0].options),
    ]
    return tuple(
        tiers.by_tier(name, title, [(r.tier or "", r.title, get(r)) for r in chosen], margin, effect=name in FIRST)
        for name, title, margin, get in numbers
        if first_player or name not in FIRST
    )


_CARD_TIERS = {
    **dict.fromkeys(("type", "outcome", "tier", "line_up"), pl.String),
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
    "n": pl.Int64,
    "label": pl.String,
}


def _card_tiers(chosen: Sequence[LineUpBalance], margin_share: float, margin_points: float) -> pl.DataFrame:
    found: dict[tuple[str, str], list[tuple[LineUpBalance, dict[str, Any]]]] = {}
    for result in chosen:
        if result.cards is not None:
            for row in result.cards.effects.iter_rows(named=True):
                found.setdefault((row["type"], row["outcome"]), []).append((result, row))
    rows = []
    for (_, outcome), cases in found.items():
        estimates = [Estimate(r["value"], r["low"], r["high"], r["n"], r["n"], "", r["se"]) for _, r in cases]
        label = tiers.label(estimates, margin_points if outcome == "margin" else margin_share)
        for result, row in cases:
            kept = {name: row[name] for name in ("type", "outcome", "value", "low", "high", "n")}
            rows.append(kept | {"tier": result.tier, "line_up": result.title, "label": label})
    return pl.DataFrame(rows, schema=_CARD_TIERS)


# --- JSON ------------------------------------------------------------------------------------------------------------


def plain_data(value: Any) -> Any:
    """Plain JSON types from records, frames and containers."""
    if isinstance(value, Estimate | stats.Finding):
        return value.to_dict()
    if isinstance(value, pl.DataFrame):
        return [plain_data(row) for row in value.to_dicts()]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain_data(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain_data(item) for item in value]
    return stats.plain(value) if isinstance(value, float) else value
