"""What more a log tells of how a game feels: spread of scores, runaway leaders, kingmaking, and decisions that matter.

Beside `analysis.tempo`, which has length, leads, comebacks and closeness. Definitions:

- spread: the standard deviation over games of the best and of the worst score;
- runaway leader (three and more): the win share of a seat that leads alone by d at half time (after half the turns, in
  `standing`), and its margin over the mean of the others in the end, in scores, as a multiple of that at half time.
  Without feedback and lasting luck a lead is kept, the multiple is 1; a runaway leader has more, a table that gangs up
  on the leader less. This is about self-play: where bots differ, the better one leads and gains more anyway;
- kingmaking (three and more): two games of one deal in which only the bot of one seat is another, and that seat wins in
  neither: the share in which the winners differ. So the loser's way of playing decides who of the others wins;
- median options: of the decisions that were put to a bot;
- meaningful: of the decisions at which two bots were put the same question (one deal, the same moves up to there), the
  share in which they chose differently. Of each pair of games only what comes before they part can be compared, so it
  is about the beginning of games more than about the end.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis import stats
from analysis.blocks import BEHIND, Blocks, LineUp
from analysis.stats import Estimate
from simcore.errors import InputError
from simcore.runlog import Run

# --- from the sums over blocks ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spread:
    """Standard deviations over games of the best and of the worst score."""

    winning: Estimate
    losing: Estimate


def spread(blocks: Blocks, unit: str = "points") -> Spread:
    """The spread of winning and losing scores."""
    return Spread(_sd(blocks, "games.winning", unit), _sd(blocks, "games.losing", unit))


def _sd(blocks: Blocks, column: str, unit: str) -> Estimate:
    mean = blocks.value(column)
    sd = math.sqrt(max(0.0, blocks.value(column + "2") - mean * mean))
    slope = 1 / (2 * sd) if sd > 0 else 0.0
    return blocks.delta(sd, {column: -2 * mean * slope, column + "2": slope}, unit)


@dataclass(frozen=True)
class Runaway:
    """What a lead at half time is worth.

    `leads` is the share of games in which a seat leads alone at half time, `wins` the win share of that seat, `growth`
    its margin over the mean of the others in the end as a multiple of that at half time. `by_lead` has the columns
    ahead_from, ahead_to (None = and more), value (win share), low, high, cases (such games), n.
    """

    leads: Estimate
    wins: Estimate
    growth: Estimate
    by_lead: pl.DataFrame


def runaway(blocks: Blocks) -> Runaway | None:
    """Whether who leads at half time runs away; None for fewer than three seats, where `tempo` says it by comebacks."""
    if blocks.seats < 3:
        return None
    seats, wins = ([f"games.ahead{i}.{what}" for i in range(len(BEHIND))] for what in ("seats", "share"))
    leads = blocks.combine(dict.fromkeys(seats, 1.0), "share")
    low, high = stats.share_interval(leads.value, leads.se, leads.n)
    rows = []
    for i, (start, end) in enumerate(itertools.pairwise((*BEHIND, None))):
        found = blocks.share_of([wins[i]], [seats[i]])
        told = {key: None if math.isnan(x) else x for key in ("value", "low", "high") for x in [getattr(found, key)]}
        cases = round(blocks.value(seats[i]) * blocks.games)
        rows.append({"ahead_from": start, "ahead_to": end and end - 1, **told, "cases": cases, "n": found.n})
    schema = dict.fromkeys(("ahead_from", "ahead_to", "cases", "n"), pl.Int64)
    return Runaway(
        leads=Estimate(leads.value, low, high, leads.n, leads.games, "share", leads.se),
        wins=blocks.share_of(wins, seats),
        growth=blocks.ratio(["games.ahead.final"], ["games.ahead.half"], "times"),
        by_lead=pl.DataFrame(rows, schema_overrides=schema | dict.fromkeys(("value", "low", "high"), pl.Float64)),
    )


# --- from games of the same deal -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kingmaking:
    """How often a seat that does not win decides who does.

    One seat is held by `bot` in the one game and by `instead` in the other. `changed` is the share of pairs of games
    with different winners, of those in which that seat wins in neither; `unrelated` is what it would be if the winners
    of the one game had nothing to do with those of the other.
    """

    bot: str
    instead: str
    changed: Estimate
    unrelated: float


def kingmaking(run: Run, one: LineUp, other: LineUp) -> Kingmaking | None:
    """Kingmaking from two line-ups that differ in one place, as 1 a against 2 b and b against itself.

    None for fewer than three seats, or where no pair of games is played in which that seat wins in neither. Raises
    ValueError for line-ups that differ in more than one place, or in none.
    """
    n = run.manifest["seats"]
    places = [place for place, bots in enumerate(zip(one.bots, other.bots, strict=True)) if bots[0] != bots[1]]
    if len(places) != 1:
        raise ValueError(f"line-ups that differ in {len(places)} places, not in one")
    if n < 3:
        return None
    games = [
        run.scan("games", line_up.index).select("deal", "rotation", winners=pl.col("winners").cast(pl.Int64))
        for line_up in (one, other)
    ]
    # In rotation r, seat s is played by place (s + r) % n.
    seat = (places[0] + n - pl.col("rotation").cast(pl.Int64)) % n
    # The seat as a bit of the winners.
    bit = pl.lit(2, dtype=pl.Int64).pow(seat)
    both = (
        games[0]
        .join(games[1], on=["deal", "rotation"], suffix="_other")
        .filter((pl.col("winners") & bit) == 0, (pl.col("winners_other") & bit) == 0)
        .with_columns(changed=pl.col("winners") != pl.col("winners_other"))
        .sort("deal", "rotation")
        .collect()
    )
    if not both.height:
        return None
    changed = _by_deal(both, "changed", "share")
    found = [
        both.group_by("rotation", winners=pl.col(name))
        .len()
        .with_columns(p=pl.col("len") / pl.col("len").sum().over("rotation"))
        for name in ("winners", "winners_other")
    ]
    same = found[0].join(found[1], on=["rotation", "winners"], suffix="_other")
    by_rotation = same.group_by("rotation").agg(same=(pl.col("p") * pl.col("p_other")).sum())
    weights = both.group_by("rotation").len().join(by_rotation, on="rotation", how="left").fill_null(0.0)
    unrelated = 1 - float((weights["len"] * weights["same"]).sum() / both.height)
    return Kingmaking(one.names[places[0]], other.names[places[0]], changed, unrelated)


def _by_deal(rows: pl.DataFrame, column: str, unit: str) -> Estimate:
    """The mean of a column over rows, with the error of a ratio of sums by deal; as a share where rows are few."""
    sums = rows.group_by("deal", maintain_order=True).agg(pl.col(column).cast(pl.Float64).sum(), cases=pl.len())
    moments = stats.Moments(2)
    moments.add(sums.select(column, pl.col("cases").cast(pl.Float64)).to_numpy())
    value, gradient = stats.ratio_gradient(2, [0], [1], moments.mean)
    se = moments.delta(gradient)
    low, high = stats.share_interval(value, se, moments.n)
    return Estimate(value, low, high, moments.n, rows.height, unit, se)


# --- from moves ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choices:
    """Decisions of one bot: the median of the legal options of those that were put to it, and the share of those with
    one option, which are forced, among all.
    """

    bot: str
    options: Estimate
    forced: Estimate


def choices(run: Run, line_up: LineUp) -> tuple[Choices, ...]:
    """The choices of each bot of a line-up, from the log of moves. Raises InputError where the run has none."""
    moves = _moves(run, line_up)
    names = [bot["name"] for bot in run.manifest["bots"]]
    out = []
    for b in line_up.distinct:
        mine = moves.filter(pl.col("bot") == b)
        if mine.height:
            out.append(Choices(names[b], _median(mine.filter(~pl.col("forced"))), _by_deal(mine, "forced", "share")))
    return tuple(out)


def _median(asked: pl.DataFrame) -> Estimate:
    """The smallest number of options that half of the decisions do not exceed, with the interval of Woodruff (1952): of
    the numbers at which the distribution passes 1/2 ± z times its error by deals.
    """
    if not asked.height:
        return Estimate(math.nan, math.nan, math.nan, 0, 0, "options")
    counts = asked["options"].value_counts().sort("options")
    values = counts["options"].to_numpy()
    below = np.cumsum(counts["count"].to_numpy()) / asked.height
    middle = int(values[np.searchsorted(below, 0.5)])
    half = (pl.col("options") < middle).cast(pl.Float64) + 0.5 * (pl.col("options") == middle)
    share = _by_deal(asked.with_columns(half=half), "half", "share")
    error = stats.z_value() * share.se
    ends = np.clip([0.5 - error, 0.5 + error], 0, 1)
    low, high = (float(x) for x in values[np.minimum(np.searchsorted(below, ends), len(values) - 1)])
    known = not math.isnan(error)
    return Estimate(
        middle, low if known else math.nan, high if known else math.nan, share.n, asked["game"].n_unique(), "options"
    )


def meaningful(run: Run, line_up: LineUp) -> Estimate | None:
    """The share of decisions at which two bots of a line-up choose differently, of those that both were put.

    Its `games` are such decisions. None where there are none, as in self-play. Raises InputError where the run has no
    log of moves.
    """
    moves = _moves(run, line_up).select("deal", "rotation", "number", "bot", "action", "forced")
    turned = [moves.filter(pl.col("rotation") == r).drop("rotation") for r in range(run.manifest["seats"])]
    pairs = [_compared(one, other) for one, other in itertools.combinations(turned, 2)]
    found = pl.concat(pairs) if pairs else None
    return _by_deal(found, "differs", "share") if found is not None and found.height else None


def _compared(one: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    """The decisions that other bots were put in two games of each deal up to where these part: deal, differs."""
    both = one.join(other, on=["deal", "number"], suffix="_other", maintain_order="left").sort("deal", "number")
    differs = pl.col("action") != pl.col("action_other")
    parted = differs.cast(pl.Int64).cum_sum().over("deal") - differs.cast(pl.Int64)
    asked = ~pl.col("forced") & (pl.col("bot") != pl.col("bot_other"))
    return (
        both.with_columns(differs=differs, parted=parted).filter(asked, pl.col("parted") == 0).select("deal", "differs")
    )


def _moves(run: Run, line_up: LineUp) -> pl.DataFrame:
    """The decisions of a line-up: game, number, options, action, forced, deal, rotation, bot."""
    if "moves" not in run.tables:
        raise InputError(f"{run.path} has no log of moves. Play it with --log moves.")
    seats = run.scan("seats", line_up.index).select("game", "seat", "deal", "rotation", "bot")
    moves = run.scan("moves", line_up.index).select("game", "number", "seat", "options", "action", "forced")
    return moves.join(seats, on=["game", "seat"]).sort("game", "number").collect()
