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
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis import stats
from analysis.blocks import BEHIND, Array, Blocks, LineUp, read_part, shards_of
from analysis.pieces import Piece, Source, pieces
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
    moments = stats.Moments(2)
    counts = np.zeros((2, n, 2**n))  # winners of each of the two in each rotation, over the cases
    for piece in pieces([Source(run, line_up.index) for line_up in (one, other)]):
        winners = np.stack([_winners(piece, number, run) for number in range(2)])  # line-up, deal, rotation
        seat = (places[0] - np.arange(n)) % n  # in rotation r, seat s is played by place (s + r) % n
        lost = ((winners >> seat) & 1 == 0).all(axis=0)
        moments.add(_of_cases(lost & (winners[0] != winners[1]), lost))
        rotation = np.nonzero(lost)[1]
        for i in range(2):
            np.add.at(counts[i], (rotation, winners[i][lost]), 1)
    if not moments.n:
        return None
    same = (counts[0] * counts[1]).sum(axis=1) / np.maximum(1, counts[0].sum(axis=1))
    unrelated = 1 - float(same.sum() / counts[0].sum())
    return Kingmaking(one.names[places[0]], other.names[places[0]], _over_cases(moments), unrelated)


def _winners(piece: Piece, number: int, run: Run) -> Array:
    """The seats that won each game, as a set of bits (deals, rotations)."""
    winners = piece.rows(number, run, "games", ["winners"])["winners"].to_numpy().astype(np.int64)
    return np.asarray(winners.reshape(piece.deals, -1))


def _of_cases(marked: Array, cases: Array) -> Array:
    """How many of the games of each deal are marked, and how many are cases (deals, 2); only of deals with cases."""
    rows = np.column_stack([marked.sum(axis=1), cases.sum(axis=1)]).astype(float)
    return np.asarray(rows[rows[:, 1] > 0])


def _over_cases(moments: stats.Moments) -> Estimate:
    """The share of cases that are marked, of sums by deal (marked, cases), with the error of a ratio; where few
    deals have a case, their number decides how sure it is. The estimate's `games` are the cases.
    """
    cases = round(float(moments.mean[1]) * moments.n)
    value, gradient = stats.ratio_gradient(2, [0], [1], moments.mean)
    se = moments.delta(gradient)
    low, high = stats.share_interval(value, se, moments.n)
    return Estimate(value, low, high, moments.n, cases, "share", se)


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
    names = [bot["name"] for bot in run.manifest["bots"]]
    counts = {b: np.zeros(1, dtype=np.int64) for b in line_up.distinct}  # of decisions by their options
    forced = {b: stats.Moments(2) for b in line_up.distinct}
    for moves in _moves(run, line_up):
        for b, found in counts.items():
            mine = moves.filter(pl.col("bot") == b)
            more = np.bincount(mine.filter(~pl.col("forced"))["options"].to_numpy(), minlength=len(found))
            more[: len(found)] += found
            counts[b] = more
            forced[b].add(_by_deal(mine, pl.col("forced")))
    middles = {b: _middle(found) for b, found in counts.items() if found.any()}
    below = {b: stats.Moments(2) for b in middles}
    games = dict.fromkeys(middles, 0)
    for moves in _moves(run, line_up) if middles else ():
        for b, middle in middles.items():
            asked = moves.filter(pl.col("bot") == b, ~pl.col("forced"))
            half = (pl.col("options") < middle).cast(pl.Float64) + 0.5 * (pl.col("options") == middle)
            below[b].add(_by_deal(asked, half))
            games[b] += asked["game"].n_unique()
    return tuple(
        Choices(names[b], _median(counts[b], below.get(b), games.get(b, 0)), _over_cases(forced[b]))
        for b in counts
        if forced[b].n
    )


def _by_deal(rows: pl.DataFrame, marked: pl.Expr) -> Array:
    """The sum of an expression over the rows of each deal, and how many rows these are (deals, 2)."""
    sums = rows.group_by("deal", maintain_order=True).agg(marked=marked.cast(pl.Float64).sum(), cases=pl.len())
    return sums.select("marked", pl.col("cases").cast(pl.Float64)).to_numpy()


def _middle(counts: Array) -> int:
    """The smallest number that half of what is counted does not exceed."""
    return int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))


def _median(counts: Array, below: stats.Moments | None, games: int) -> Estimate:
    """The smallest number of options that half of the decisions do not exceed, with the interval of Woodruff (1952): of
    the numbers at which the distribution passes 1/2 ± z times its error by deals.
    """
    if below is None:
        return Estimate(math.nan, math.nan, math.nan, 0, 0, "options")
    share = _over_cases(below)
    error = stats.z_value() * share.se
    known = not math.isnan(error)
    reached = np.cumsum(counts) / counts.sum()
    last = int(np.flatnonzero(counts)[-1])
    ends = np.clip([0.5 - error, 0.5 + error], 0, 1) if known else np.full(2, np.nan)
    low, high = (min(int(np.searchsorted(reached, end)), last) if known else math.nan for end in ends)
    return Estimate(_middle(counts), low, high, share.n, games, "options")


def meaningful(run: Run, line_up: LineUp) -> Estimate | None:
    """The share of decisions at which two bots of a line-up choose differently, of those that both were put.

    Its `games` are such decisions. None where there are none, as in self-play. Raises InputError where the run has no
    log of moves.
    """
    moments = stats.Moments(2)
    for moves in _moves(run, line_up):
        told = moves.select("deal", "rotation", "number", "bot", "action", "forced")
        turned = [told.filter(pl.col("rotation") == r).drop("rotation") for r in range(run.manifest["seats"])]
        pairs = [_compared(one, other) for one, other in itertools.combinations(turned, 2)]
        if pairs:
            moments.add(_by_deal(pl.concat(pairs).sort("deal", maintain_order=True), pl.col("differs")))
    return _over_cases(moments) if moments.n else None


def _compared(one: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    """The decisions that other bots were put in two games of each deal up to where these part: deal, differs."""
    both = one.join(other, on=["deal", "number"], suffix="_other", maintain_order="left").sort("deal", "number")
    differs = pl.col("action") != pl.col("action_other")
    parted = differs.cast(pl.Int64).cum_sum().over("deal") - differs.cast(pl.Int64)
    asked = ~pl.col("forced") & (pl.col("bot") != pl.col("bot_other"))
    return (
        both.with_columns(differs=differs, parted=parted).filter(asked, pl.col("parted") == 0).select("deal", "differs")
    )


def _moves(run: Run, line_up: LineUp) -> Iterator[pl.DataFrame]:
    """The decisions of a line-up, shard by shard: game, number, options, action, forced, deal, rotation, bot."""
    if "moves" not in run.tables:
        raise InputError(f"{run.path} has no log of moves. Play it with --log moves.")
    for shard in shards_of(run, line_up.index):
        seats = read_part(run, "seats", shard, ["game", "seat", "deal", "rotation", "bot"])
        moves = read_part(run, "moves", shard, ["game", "number", "seat", "options", "action", "forced"])
        yield moves.join(seats, on=["game", "seat"]).sort("game", "number")
