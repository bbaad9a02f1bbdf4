"""A ladder of bots: who beats whom, ratings, the rungs from bot to bot, and what of the balance changes with skill.

`analyse(open_ladder(folder))` gives a `Ladder`: plain frozen records; `Ladder.to_dict()` is the content of report.json.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from analysis import balance, ladder_verdicts, matchups, ratings, stats
from analysis.balance import Bot, Facts, LineUpBalance
from analysis.blocks import LineUp, line_ups, read_part, shards_of
from analysis.cards import MOST_BATCHES
from analysis.ladder_folder import LadderRuns, SpeedEntry
from analysis.ratings import Ratings, Results
from analysis.stats import Estimate
from analysis.tiers import ByTier
from analysis.verdicts import Verdict
from simcore.errors import InputError
from simcore.plan import Cost
from simcore.runlog import Run

SURE, NOT_SHOWN, LOSES, DEPENDS = "surely above", "not shown", "loses to it", "depends on the table"
ANCHORS = ("expert", "trained", "simple", "noisy", "search", "random")
"""The anchor of the ratings is the first bot of the first of these tiers that has a finite rating."""


@dataclass(frozen=True)
class Match:
    """How `bot` did in a line-up of two bots, `table` by place, against `opponent`: `alone` says that no other place of
    it is held by the same bot. `predicted` is the share of wins by the ratings, None where one of the two has none.
    `misfit`: the share is surely another than that, by more than the designer's margin; all misfits together are wrong
    in 5 % of ladders.
    """

    bot: str
    opponent: str
    table: tuple[str, ...]
    alone: bool
    share: Estimate
    margin: Estimate
    predicted: float | None
    misfit: bool


@dataclass(frozen=True)
class Rung:
    """The step from one bot to the next stronger one by rating.

    `share` is the share of wins of the upper, alone against the lower; with more than two seats `back` is that of the
    lower, alone against the upper. All intervals of rungs hold together with 95 % confidence. `ahead` is the lead of
    the rating. `wording`: "surely above", "not shown", "loses to it" (the upper to the lower, directly), or "depends on
    the table" (who is alone wins, or loses, either way).
    """

    upper: str
    lower: str
    share: Estimate
    back: Estimate | None
    ahead: Estimate | None
    wording: str


@dataclass(frozen=True)
class Ladder:
    """A ladder. `facts` are those of all runs together; `budgets` the games and deals of a line-up by cost.

    `names` are the bots from strong to weak. `labels` are the headline numbers of a balance report in self-play of each
    quick bot, weak to strong, with their labels; `labels_all` the same with the search bots, empty where there are
    none: these play few games, so less is sure of them. `mirrors` names the bots of `labels`, `mirrors_all` those of
    `labels_all`. `speed` is how long decisions took on the machine that played: information, not part of what can be
    repeated.
    """

    facts: Facts
    budgets: dict[Cost, tuple[int, int]]
    names: tuple[str, ...]
    ratings: Ratings
    matches: tuple[Match, ...]
    selves: tuple[Match, ...]
    rungs: tuple[Rung, ...]
    mirrors: tuple[str, ...]
    labels: tuple[ByTier, ...]
    mirrors_all: tuple[str, ...]
    labels_all: tuple[ByTier, ...]
    speed: dict[str, SpeedEntry]
    verdicts: tuple[Verdict, ...]

    def tier(self, name: str) -> str:
        """The tier of a bot."""
        return next(bot.tier for bot in self.facts.bots if bot.name == name)

    def match(self, bot: str, opponent: str) -> Match | None:
        """The match of a bot alone against another."""
        return next((m for m in self.matches if (m.bot, m.opponent, m.alone) == (bot, opponent, True)), None)

    def to_dict(self) -> dict[str, Any]:
        """The whole result in plain JSON types."""
        content = balance.plain_data({f.name: getattr(self, f.name) for f in dataclasses.fields(self)})
        return {"format": "fairdeal-ladder-report/1", **content}


def analyse(
    ladder: LadderRuns, margin_points: float = 1.0, margin_share: float = 0.01, threads: int | None = None
) -> Ladder:
    """Analyse a ladder within the designer's margins (points of score; share of the wins), as far as it is played.

    Raises InputError where nothing is finished or too little to compare all bots, or a margin is not positive.
    """
    begun = {cost: run for cost, run in ladder.runs.items() if run.games}
    if not begun:
        raise InputError(f"{ladder.path} holds no finished games yet. Finish the ladder with --resume.")
    parts = {cost: balance.analyse(run, margin_points, margin_share, threads) for cost, run in begun.items()}
    return of_balances(ladder, parts)


def of_balances(ladder: LadderRuns, parts: Mapping[Cost, balance.Balance]) -> Ladder:
    """The ladder of runs whose balances are known, those of which some games are finished.

    Raises InputError where no two bots have met, or nothing compares all of them.
    """
    begun = {cost: ladder.runs[cost] for cost in parts}
    told = next(iter(parts.values())).facts
    margin_points, margin_share = told.margin_points, told.margin_share
    tiers = {bot["name"]: bot["tier"] for run in ladder.runs.values() for bot in run.manifest["bots"]}
    rated = _rated(ladder, list(begun.values()), tiers)
    names = tuple(rating.name for rating in rated.bots)
    played = [result for part in parts.values() for result in part.line_ups]
    matches, selves = _matches(parts, rated, margin_share)
    mirrors = {result.bots[0]: result for result in played if result.mirror}
    slow = [name for name in mirrors if any(mirrors[name] in part.line_ups for c, part in parts.items() if c == "dear")]
    upwards = [name for name in reversed(names) if name in mirrors]
    quick = [name for name in upwards if name not in slow]
    facts = _facts(ladder, parts, matches, tiers)
    every = tuple(upwards) if slow else ()

    def labels(bots: Sequence[str]) -> tuple[ByTier, ...]:
        chosen = [mirrors[name] for name in bots]
        return balance.headline_numbers(chosen, margin_share, margin_points, facts.first_player) if chosen else ()

    found = Ladder(
        facts=facts,
        budgets={cost: (part.line_ups[0].games, part.line_ups[0].deals) for cost, part in parts.items()},
        names=names,
        ratings=rated,
        matches=matches,
        selves=selves,
        rungs=_rungs(names, rated, matches, facts.seats),
        mirrors=tuple(quick),
        labels=labels(quick),
        mirrors_all=every,
        labels_all=labels(every),
        speed={name: ladder.speed[name] for name in names if name in ladder.speed},
        verdicts=(),
    )
    return dataclasses.replace(found, verdicts=ladder_verdicts.page_one(found))


# --- ratings ---------------------------------------------------------------------------------------------------------


def _rated(ladder: LadderRuns, runs: Sequence[Run], tiers: Mapping[str, str]) -> Ratings:
    names = tuple(tiers)
    anchors = [name for tier in ANCHORS for name in names if tiers[name] == tier]
    batch = max(1, math.ceil(max(run.blocks for run in runs) / MOST_BATCHES))
    mixed = [(run, line_up) for run in runs for line_up in line_ups(run.manifest) if not line_up.mirror]
    parts = [_results(run, line_up, names, batch) for run, line_up in mixed]
    found = [part for part in parts if part is not None]
    if not found:
        raise InputError(f"{ladder.path} holds no finished games of two bots yet. Finish the ladder with --resume.")
    try:
        return ratings.rate(ratings.join(found), anchors)
    except InputError as error:
        hint = "" if ladder.complete else " The ladder is not finished: go on with --resume."
        raise InputError(f"{ladder.path}: {error}{hint}") from error


def _results(run: Run, line_up: LineUp, names: Sequence[str], batch: int) -> Results | None:
    """The results of a line-up by batches of so many deals; None where nothing of it is finished."""
    n = run.manifest["seats"]
    index = np.array([names.index(bot["name"]) for bot in run.manifest["bots"]], dtype=np.int16)
    parts = [_alike(run, shard, n, batch) for shard in shards_of(run, line_up.index)]
    if not parts:
        return None
    # A batch may lie in two shards.
    rows = pl.concat(parts).group_by(pl.exclude("games", "deals"), maintain_order=True).agg(pl.col("games").sum())
    played = pl.concat([part.group_by("unit").agg(pl.col("deals").first()) for part in parts])
    rows = rows.join(played.group_by("unit").agg(pl.col("deals").sum()), on="unit", maintain_order="left")
    bots, ranks = (rows.select(f"{what}{place}" for place in range(n)).to_numpy() for what in ("bot", "rank"))
    return Results(tuple(names), index[bots], ranks, *(rows[name].to_numpy() for name in ("unit", "games", "deals")))


def _alike(run: Run, shard: int, n: int, batch: int) -> pl.DataFrame:
    """A row for all games of a batch of deals in which the same bots came in at the same places: unit, the bots and
    their ranks by place in turn order, games, and deals (of the batch, in this shard).
    """
    frame = read_part(run, "seats", shard, ["deal", "order", "bot", "rank"])
    seats = {name: frame[name].to_numpy().reshape(-1, n) for name in ("order", "bot", "rank")}
    place = seats["order"].argsort(axis=1)
    columns = {
        f"{what}{i}": np.take_along_axis(seats[what], place, 1)[:, i] for what in ("bot", "rank") for i in range(n)
    }
    rows = pl.DataFrame({"unit": frame["deal"].gather_every(n).to_numpy() // batch} | columns)
    deals = frame.group_by(unit=pl.col("deal") // batch).agg(deals=pl.col("deal").n_unique())
    alike = rows.group_by(pl.all(), maintain_order=True).agg(games=pl.len())
    return alike.join(deals, on="unit", maintain_order="left")


# --- matches and rungs -----------------------------------------------------------------------------------------------


def _matches(
    parts: Mapping[Cost, balance.Balance], rated: Ratings, margin_share: float
) -> tuple[tuple[Match, ...], tuple[Match, ...]]:
    """All matches of two bots, and those of bots against themselves."""
    cells = [
        (cell, next(result for result in part.line_ups if result.index == cell.line_up))
        for part in parts.values()
        for cell in part.matchups
    ]
    together = stats.sidak(stats.CONFIDENCE, sum(not result.mirror for _, result in cells))
    found = [_match(cell, result, rated, margin_share, together) for cell, result in cells]
    return tuple(m for m in found if m.bot != m.opponent), tuple(m for m in found if m.bot == m.opponent)


def _match(cell: matchups.Cell, result: LineUpBalance, rated: Ratings, margin_share: float, together: float) -> Match:
    predicted = rated.predicted(result.bots, cell.bot)
    low, high = stats.share_interval(cell.share.value, cell.share.se, cell.share.n, together)
    misfit = predicted is not None and (low > predicted + margin_share or high < predicted - margin_share)
    return Match(
        bot=cell.bot,
        opponent=cell.opponent,
        table=result.bots,
        alone=result.bots.count(cell.bot) == 1 or result.mirror,
        share=cell.share,
        margin=cell.margin,
        predicted=predicted,
        misfit=misfit,
    )


def _rungs(names: Sequence[str], rated: Ratings, matches: Sequence[Match], seats: int) -> tuple[Rung, ...]:
    """The rungs from the top; a pair that has not played (yet) has none."""
    alone = {(m.bot, m.opponent): m.share for m in matches if m.alone}
    pairs = [pair for pair in itertools.pairwise(names) if pair in alone]
    together = stats.sidak(stats.CONFIDENCE, len(pairs) * (2 if seats > 2 else 1))
    rungs = []
    for upper, lower in pairs:
        share = _at(alone[upper, lower], together)
        back = _at(alone[lower, upper], together) if seats > 2 and (lower, upper) in alone else None
        wording = rung_wording(share, back, 1 / seats)
        rungs.append(Rung(upper, lower, share, back, rated.of(upper).ahead, wording))
    return tuple(rungs)


def _at(e: Estimate, confidence: float) -> Estimate:
    """A share with the interval of another confidence."""
    low, high = stats.share_interval(e.value, e.se, e.n, confidence)
    return dataclasses.replace(e, low=low, high=high)


def rung_wording(share: Estimate, back: Estimate | None, fair: float) -> str:
    """What the shares of a rung say: of the upper alone against the lower, and of the lower alone against the upper."""
    above = share.low > fair or (back is not None and back.high < fair)
    below = share.high < fair or (back is not None and back.low > fair)
    if above and below:
        return DEPENDS
    return SURE if above else LOSES if below else NOT_SHOWN


# --- facts -----------------------------------------------------------------------------------------------------------


def _facts(
    ladder: LadderRuns, parts: Mapping[Cost, balance.Balance], matches: Sequence[Match], tiers: Mapping[str, str]
) -> Facts:
    """The facts of all runs as one."""
    every = [part.facts for part in parts.values()]
    known = {bot.name: bot for facts in every for bot in facts.bots}
    bots = tuple(_bot(known[name], matches) for name in tiers if name in known)
    return dataclasses.replace(
        every[0],
        bots=bots,
        games=sum(facts.games for facts in every),
        deals=max(facts.deals for facts in every),
        distinct=sum(facts.distinct for facts in every),
        complete=ladder.complete,
    )


def _bot(bot: Bot, matches: Sequence[Match]) -> Bot:
    shares = [m.share.value for m in matches if m.bot == bot.name and m.alone]
    return dataclasses.replace(bot, strength=math.fsum(shares) / len(shares) if shares else None)
