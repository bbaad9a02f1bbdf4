"""Balance as a test: holds the balance of a card set against targets (`analysis.targets`).

Each target is about one figure or a family of them (places in turn order, cards, bots). What a target comes to:

- *missed*: a figure's interval lies wholly outside the limits. Of a family it is the interval that holds for all its
  members together (Sidak), so that among many cards none is outside by chance more often than in one run of twenty;
- *met*: the 95 % interval of every figure lies wholly inside. Here each member's own interval is enough: a set with one
  figure outside would be let pass no more often than that figure alone;
- else *not yet known*, with about how many games would tell.

The figures are those of `analysis.balance`; nothing is computed again. Their unit is the deal.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from analysis import card_names, stats
from analysis.balance import Balance, LineUpBalance, plain_data
from analysis.cards import NOT_DEALT
from analysis.market import SCORE
from analysis.matchups import Cell
from analysis.stats import Estimate, Interval
from analysis.targets import (
    CHOSEN,
    EVERY,
    FIELD,
    HELD,
    LOSING,
    MEAN,
    MEDIAN,
    OFFERED,
    P95,
    POINTS,
    SPREAD,
    TALLIED,
    WINNING,
    Target,
    Targets,
)
from analysis.verdicts import rounded, short
from simcore.errors import InputError
from simcore.game import unknown

MET, MISSED, UNKNOWN = "met", "missed", "not yet known"


@dataclass(frozen=True)
class Figure:
    """One figure of a target: what it is of, its estimate with its own 95 % interval, the interval that holds for all
    figures of the target together, and the limits. `card` is the type of the card that it is of, if it is of one.
    """

    what: str
    estimate: Estimate
    together: Interval
    low: float
    high: float
    card: str = ""

    @property
    def verdict(self) -> str:
        """Where the intervals lie: see the top of this module. Few deals (`stats.FEWEST`) tell nothing."""
        if self.estimate.n < stats.FEWEST:
            return UNKNOWN
        if self.together[0] > self.high or self.together[1] < self.low:
            return MISSED
        return MET if self.low <= self.estimate.low and self.estimate.high <= self.high else UNKNOWN

    @property
    def outside(self) -> bool:
        """Whether the estimate itself, surely or not, is beyond a limit."""
        return not self.low <= self.estimate.value <= self.high

    @property
    def room(self) -> float:
        """From the estimate to the nearest limit, negative outside."""
        return min(self.estimate.value - self.low, self.high - self.estimate.value)

    @property
    def deals_to_decide(self) -> float:
        """Deals after which the interval ends at the limit, if the estimate stays; infinite where it is the limit.

        Widths shrink by the root of the deals, those of what was never (or always) seen with the deals.
        """
        e = self.estimate
        if self.outside:  # the end of the joint interval that is nearer to the limit has to pass it
            above = e.value > self.high
            half = e.value - self.together[0] if above else self.together[1] - e.value
            ratio = half / -self.room
        elif self.room > 0:
            ratio = max((e.high - e.value) / (self.high - e.value), (e.value - e.low) / (e.value - self.low))
        else:
            return math.inf
        power = 1 if e.unit == "share" and e.value in (0, 1) else 2
        return max(float(stats.FEWEST), e.n * ratio**power)


@dataclass(frozen=True)
class Result:
    """What a target came to in the games of one line-up.

    `line_up` names it; `basis` says in words what the figures are, where the game decides that. Without `figures`,
    `why_not` says why there are none. `more_games` is about how many more games a line-up would decide what is not yet
    known; None where it is known, or no number can be told. `games` were played differently from each other, in `deals`
    deals.
    """

    target: Target
    seats: int
    line_up: str
    games: int
    deals: int
    unit: str
    basis: str
    figures: tuple[Figure, ...]
    why_not: str | None = None

    @property
    def by_default(self) -> bool:
        """Whether the games are those of page one of a balance report, as neither the target nor any bot at the top of
        its file that played says whose are meant.
        """
        return not (self.target.bots or self.target.tier)

    @property
    def verdict(self) -> str:
        """`MET`, `MISSED` or `UNKNOWN`."""
        verdicts = {figure.verdict for figure in self.figures}
        if MISSED in verdicts:
            return MISSED
        return MET if verdicts == {MET} else UNKNOWN

    @property
    def decisive(self) -> tuple[Figure, ...]:
        """The figures that the verdict rests on: those that miss, or that are not yet known, or else all; the farthest
        out, or with the least room, first.
        """
        found = [figure for figure in self.figures if figure.verdict == self.verdict]
        return tuple(sorted(found, key=lambda figure: figure.room))

    @property
    def more_games(self) -> int | None:
        """The games a line-up of `more_deals`."""
        return None if self.more_deals is None else self.more_deals * self.seats

    @property
    def more_deals(self) -> int | None:
        """About how many more deals would tell: the first surely outside, or all surely inside."""
        if self.verdict != UNKNOWN:
            return None
        of_miss = [figure.deals_to_decide for figure in self.decisive if figure.outside]
        deals = min(of_miss) if of_miss else max((figure.deals_to_decide for figure in self.decisive), default=math.inf)
        more = deals - self.deals
        return rounded(math.ceil(more)) if 0 < more < math.inf else None


@dataclass(frozen=True)
class Check:
    """All results, in the order of the targets and the numbers of seats.

    `left_out` are the targets for other numbers of seats than were played, `targets` names their source, and `named`
    are the bots at the top of that. `complete` says whether all games of the runs were finished.
    """

    game: str
    title: str
    card_set: str
    card_set_hash: str
    bots: tuple[str, ...]
    seed: int
    version: str
    complete: bool
    targets: str
    score_unit: str
    results: tuple[Result, ...]
    left_out: tuple[str, ...] = field(default=())
    named: tuple[str, ...] = field(default=())

    def of(self, verdict: str) -> tuple[Result, ...]:
        """The results with this verdict."""
        return tuple(result for result in self.results if result.verdict == verdict)

    def passed(self, strict: bool = False) -> bool:
        """Whether no target is missed; if `strict`, whether all are known to be met."""
        return all(result.verdict == MET if strict else result.verdict != MISSED for result in self.results)

    def to_dict(self) -> dict[str, Any]:
        """The whole result in plain JSON types; open limits and what does not exist are null."""
        return {
            "format": "fairdeal-check/1",
            **plain_data(dataclasses.replace(self, results=())),
            "results": [_plain(result) for result in self.results],
        }


def _plain(result: Result) -> dict[str, Any]:
    told = plain_data(result)
    for figure, entry in zip(result.figures, told["figures"], strict=True):
        entry["verdict"] = figure.verdict
    return {"verdict": result.verdict, "more_games": result.more_games, "more_deals": result.more_deals, **told}


def judge(balances: Sequence[Balance], targets: Targets) -> Check:
    """Hold the balance of a card set, with each number of seats, against its targets.

    Raises InputError where a target names a bot, a tier or a card that there is not, or asks for what these runs cannot
    have: the games of a line-up that was not played, cards without a card log, chance where no card comes by chance.
    """
    first = balances[0].facts
    played = [balance.facts.seats for balance in balances]
    targets.refuse(first.game, played)
    return Check(
        game=first.game,
        title=first.title,
        card_set=first.card_set,
        card_set_hash=first.card_set_hash,
        bots=tuple(bot.name for bot in first.bots),
        seed=first.seed,
        version=first.version,
        complete=all(balance.facts.complete for balance in balances),
        targets=targets.source,
        score_unit=first.score_unit,
        results=tuple(
            _result(balance, _among(balance, target, targets.bots))
            for target in targets.targets
            for balance in balances
            if target.applies(balance.facts.seats)
        ),
        left_out=tuple(target.name for target in targets.targets if target not in targets.of(played)),
        named=targets.bots,
    )


@dataclass(frozen=True)
class _Found:
    """The figures of a target, without limits: what each is of, and its estimate; or why there are none.

    `cards` are the types of the cards that they are of, if they are of cards. `shares` says that the interval of all
    together is one of shares; `line_up` and `games` are who played and how many different games, where that is not the
    one line-up.
    """

    of: Sequence[tuple[str, Estimate]]
    cards: Sequence[str] = ()
    basis: str = ""
    unit: str = "share"
    shares: bool = False
    why_not: str | None = None
    line_up: str = ""
    games: int = 0


def _result(balance: Balance, target: Target) -> Result:
    r = _line_up(balance, target)
    found = JUDGES[target.kind](balance, r, target)
    even = 1 / balance.facts.seats if target.kind == "seat_share" else 0.0
    low, high = target.low + even, target.high + even
    together = [stats.of_many(e.value, (e.low, e.high), len(found.of), found.shares) for _, e in found.of]
    if target.kind == "seat_share":  # whose intervals hold for all places already
        together = [(e.low, e.high) for _, e in found.of]
    return Result(
        target=target,
        seats=balance.facts.seats,
        line_up=found.line_up or r.title,
        games=found.games or r.distinct,
        deals=r.deals,
        unit=found.unit,
        basis=found.basis,
        figures=tuple(
            Figure(what, e, of_all, low, high, card)
            for (what, e), of_all, card in zip(found.of, together, found.cards or [""] * len(found.of), strict=True)
        ),
        why_not=found.why_not,
    )


# --- whose games -----------------------------------------------------------------------------------------------------


def _among(balance: Balance, target: Target, players: Sequence[str]) -> Target:
    """The target with the bots that it is judged by where it names none: of the `players` of the targets file those
    that played, all to be compared, or else the strongest against itself. Other bots may have played besides.
    """
    if target.bots or target.tier:
        return target
    strength = {bot.name: bot.strength or 0.0 for bot in balance.facts.bots}
    known = tuple(bot for bot in players if bot in strength)
    if target.kind == "dominance":
        return dataclasses.replace(target, bots=known) if len(known) > 1 else target
    themselves = [bot for bot in known if any(set(r.bots) == {bot} for r in balance.line_ups)]
    return dataclasses.replace(target, bots=(max(themselves, key=strength.__getitem__),)) if themselves else target


def _line_up(balance: Balance, target: Target) -> LineUpBalance:
    """The line-up that a target speaks of."""
    _admit(balance, target)
    if target.kind == "dominance" or not (target.bots or target.tier):
        return balance.main
    of_tier = {tier: title for tier, title, _ in balance.by_tier[0].tiers}
    for r in balance.line_ups:
        distinct = tuple(dict.fromkeys(r.bots))
        either = len(r.bots) == 2 and distinct[::-1] == target.bots
        if r.title == of_tier.get(target.tier) or distinct == target.bots or either:
            return r
    wanted = " against ".join(target.bots if len(target.bots) > 1 else (*target.bots, "itself"))
    there = "; ".join(r.title for r in balance.line_ups)
    raise InputError(f"target {target.name}: {wanted} was not played. There is: {there}.")


def _admit(balance: Balance, target: Target) -> None:
    """Raise InputError for a bot or a tier that did not play."""
    names = [bot.name for bot in balance.facts.bots]
    for bot in target.bots:
        if bot not in names:
            raise InputError(f"target {target.name}: {unknown('bot', bot, names)} Only these played.")
    tiers = [tier for tier, _, _ in balance.by_tier[0].tiers]
    if target.tier and target.tier not in tiers:
        there = f"Those that did: {', '.join(tiers)}." if tiers else "No tier did."
        raise InputError(f"target {target.name}: no bots of tier {target.tier} met each other. {there}")


# --- the kinds -------------------------------------------------------------------------------------------------------


def seat_share(balance: Balance, r: LineUpBalance, target: Target) -> _Found:
    """The places in turn order; without a first player, the seats."""
    first = balance.facts.first_player
    places = r.turn_order.orders if first else r.turn_order.seats
    what = "place {} in turn order" if first else "seat {}"
    return _Found([(what.format(p.place + first), p.share) for p in places], shares=True)


def score(balance: Balance, r: LineUpBalance, target: Target) -> _Found:
    """The mean score of the line-up's first bot, its standard deviation over games, or a game's best or worst score."""
    bot = r.scores.bots[0]
    what, e = {
        MEAN: (f"the mean score of {bot.bot}", bot.score),
        WINNING: ("the mean of the best scores", r.scores.winning),
        LOSING: ("the mean of the lowest scores", r.scores.losing),
        SPREAD: (f"the spread (standard deviation) of the scores of {bot.bot}", bot.sd),
    }[target.measure]
    return _Found([(what, e)], unit=e.unit)


def length(balance: Balance, r: LineUpBalance, target: Target) -> _Found:
    """The turns of a game."""
    what, e = {
        MEDIAN: ("the median length", r.tempo.length_median),
        P95: ("the length that 95 % of the games do not pass", r.tempo.length_p95),
        MEAN: ("the mean length", r.tempo.length),
    }[target.measure]
    return _Found([(what, e)], unit=e.unit)


def cut_offs(balance: Balance, r: LineUpBalance, target: Target) -> _Found:
    """The share of games that were cut off."""
    return _Found([("games cut off by the length cap", r.tempo.cut_off)], shares=True)


def draws(balance: Balance, r: LineUpBalance, target: Target) -> _Found:
    """The share of ties."""
    return _Found([("games that end in a tie", r.tempo.ties)], shares=True)


def card_impact(balance: Balance, r: LineUpBalance, target: Target) -> _Found:
    """What chance's dealing a card to an opening hand is worth; in games that deal none, what its lying on the table
    does to everybody's score.
    """
    _need_cards(r, target)
    points = target.measure == POINTS
    unit = balance.facts.score_unit if points else "share"
    if r.cards is not None and r.cards.why_not != NOT_DEALT:
        relative = "against an average card" if r.cards.relative else "against none"
        rows = r.cards.effects.filter(outcome="margin" if points else "share")
        labels = r.cards.types.select("type", "label")
        basis, why_not = f"in the opening hand, {relative}", r.cards.why_not
    elif r.market is not None and points:
        rows, labels = r.market.presence, r.market.types.select("type", "label")
        rows = rows.filter(outcome=SCORE)
        place = " in place of an average card of its kind" if r.market.fixed else ""
        basis, why_not = f"on the table{place}, for everybody's score", r.market.why_not
    else:
        instead = 'Use measure = "points", or leave' if r.market is not None else "Leave"
        raise InputError(f"target {target.name}: {NOT_DEALT} {instead} this target out.")
    named = rows.join(labels, on="type", how="left", maintain_order="left")
    chosen = _chosen(balance, named, target)
    of = [(short(row["label"]), _estimate(row, unit)) for row in chosen.iter_rows(named=True)]
    return _Found(of, chosen["type"].to_list(), basis, unit, why_not=why_not if not of else None)


def dominance(balance: Balance, r: LineUpBalance, target: Target) -> _Found:
    """The share of each bot, alone at the table, against the one that it wins least against, or against all."""
    compared = _compared_bots(balance, target)
    line_ups = {r.index: r for r in balance.line_ups}
    cells: dict[str, list[Cell]] = {}
    used: dict[int, LineUpBalance] = {}
    for cell in balance.matchups:
        of = line_ups[cell.line_up]
        alone = of.bots.count(cell.bot) == 1
        if alone and cell.bot in compared and cell.opponent in compared and cell.opponent != cell.bot:
            cells.setdefault(cell.bot, []).append(cell)
            used[of.index] = of
    missing = [bot for bot in compared if len(cells.get(bot, ())) < len(compared) - 1]
    if len(compared) < 2 or missing:
        raise InputError(
            f"target {target.name}: dominance is told from games of every two bots, each alone against the other, and "
            f"these were not played by {', '.join(missing or compared)}."
        )
    each = _field if target.measure == FIELD else _hardest
    return _Found(
        [each(bot, cells[bot]) for bot in compared],
        basis="on average" if target.measure == FIELD else "where it wins least",
        shares=True,
        line_up=f"{', '.join(compared)} against each other",
        games=sum(of.distinct for of in used.values()),
    )


def _compared_bots(balance: Balance, target: Target) -> tuple[str, ...]:
    if target.bots:
        return target.bots
    return tuple(bot.name for bot in balance.facts.bots if target.tier in ("", bot.tier))


def _hardest(bot: str, cells: Sequence[Cell]) -> tuple[str, Estimate]:
    cell = min(cells, key=lambda cell: cell.share.value)
    return f"{bot} against {cell.opponent}", cell.share


def _field(bot: str, cells: Sequence[Cell]) -> tuple[str, Estimate]:
    """The mean over the others. Line-ups share their deals, so errors are added up as if all moved together."""
    shares = [cell.share for cell in cells]
    value, se = (math.fsum(values) / len(shares) for values in ([s.value for s in shares], [s.se for s in shares]))
    n = min(s.n for s in shares)
    low, high = stats.share_interval(value, se, n)
    return f"{bot} against the others", Estimate(value, low, high, n, sum(s.games for s in shares), "share", se)


def dead_cards(balance: Balance, r: LineUpBalance, target: Target) -> _Found:
    """How often each card is used of the times that it could be, by what the game counts of it."""
    _need_cards(r, target)
    found = {name: rows for name, rows in _uses(r).items() if target.measure in (EVERY, name) and len(rows)}
    if not found:
        which = "" if target.measure == EVERY else f" that are {target.measure}"
        raise InputError(f"target {target.name}: this game logs no cards{which}, or nothing of them. Leave it out.")
    rows = _chosen(balance, pl.concat(found.values()), target)
    of = [(f"{short(row['label'])} ({row['use']})", _estimate(row, "share")) for row in rows.iter_rows(named=True)]
    return _Found(of, rows["type"].to_list(), shares=True)


def _uses(r: LineUpBalance) -> dict[str, pl.DataFrame]:
    """What a game counts of its cards' use, by measure: type, label, use (in words), value, low, high, n."""
    found = {}
    if r.cards is not None:
        found[HELD] = _use(r.cards.types, "use", "played of the times held")
    if r.market is not None:
        found[OFFERED] = _use(r.market.types, "once", "built in games where it lies on the table")
    if r.groups is not None:
        found[CHOSEN] = _use(r.groups.types, "value", "copies taken in a game")
    if r.tallies is not None and r.tallies.tallies:
        tally = r.tallies.tallies[0]
        rows = r.tallies.rates.filter(tally=tally).sort("share").unique("type", keep="last", maintain_order=True)
        found[TALLIED] = _use(rows, "share", f"{tally} at least once, by a seat of {', '.join(dict.fromkeys(r.bots))}")
    return found


def _use(frame: pl.DataFrame, name: str, use: str) -> pl.DataFrame:
    low, high = ("low", "high") if name == "value" else (f"{name}_low", f"{name}_high")
    return frame.filter(pl.col(name).is_not_null()).select(
        "type", "label", pl.lit(use).alias("use"), value=name, low=low, high=high, n="n"
    )


def _need_cards(r: LineUpBalance, target: Target) -> None:
    if r.cards is None and r.market is None and r.groups is None and r.tallies is None:
        raise InputError(f"target {target.name}: the run has no log of cards. Play it with --log cards.")


def _chosen(balance: Balance, rows: pl.DataFrame, target: Target) -> pl.DataFrame:
    """The rows of the cards that the target does not leave out. Raises InputError as `card_names.find` does."""
    labels = dict(rows.select("type", "label").iter_rows())
    try:
        found = [card_names.find(name, labels, balance.facts.rows) for name in target.card_names if labels]
    except InputError as error:
        raise InputError(f"target {target.name}: {error}") from error
    named = pl.col("type").is_in([name for names in found for name in names])
    return rows.filter(named if target.cards else ~named)


def _estimate(row: dict[str, Any], unit: str) -> Estimate:
    value, low, high = (math.nan if row[key] is None else float(row[key]) for key in ("value", "low", "high"))
    return Estimate(value, low, high, row["n"], row["n"], unit)


JUDGES: dict[str, Callable[[Balance, LineUpBalance, Target], _Found]] = {
    "seat_share": seat_share,
    "score": score,
    "length": length,
    "card_impact": card_impact,
    "dominance": dominance,
    "dead_cards": dead_cards,
    "cut_offs": cut_offs,
    "draws": draws,
}
"""What finds the figures of each kind of target, of one line-up (`dominance`: of all)."""
