"""How many games does an effect need? Told from a pilot: how much the results of its deals vary.

An effect d is found with power 1 - b by a test at level a where the deals are n = ((z(1-a/2) + z(1-b)) s / d)², s being
the standard deviation of a deal's result over deals (`stats.units_needed`), and with n deals the smallest effect that
is found so is (z(1-a/2) + z(1-b)) s / sqrt(n). s is itself known from the pilot only, up to its chi-square interval
(`stats.variance_degrees`), and so is n.

A deal is played under all rotations of a line-up. *Without pairing* every game would be a deal of its own, and s the
standard deviation of a game's result; or, of two card sets, either would be played on deals of its own. What pairing
saves is measured in the pilot, and may be nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from analysis import stats
from analysis.balance import plain_data
from analysis.blocks import BlockReader, LineUp, line_ups, shards_of
from analysis.cards import FALSE_DISCOVERIES, card_impact
from simcore.manifest import Manifest
from simcore.runlog import Run

Array = NDArray[Any]

SHARE = "share"
FIRST, LEAD, SCORE, STRATEGY, AHEAD, CARD = "first", "lead", "score", "strategy", "ahead", "card"
CHANGED = "change of the "
"""What the name of a question about two card sets begins with."""
PLAIN_EFFECTS = (0.05, 0.02, 0.01, 0.005)
"""Effects that are told of one rate against an even one without pairing: 5, 2, 1 and 0.5 percentage points."""


@dataclass(frozen=True)
class Question:
    """Something that a run is asked, and how much its deals vary in that.

    `topic` is one of the constants above, `what` says it in words. `unit` is "share" or the unit of the score. `sd` is
    the standard deviation of a deal's result over deals, within `sd_low` to `sd_high`; `apart_sd` that without pairing
    over units that hold `apart_games` games each, None where it was not measured. It is asked at the level 1 -
    `confidence` of either of `arms` runs.
    """

    line_up: str
    topic: str
    what: str
    unit: str
    sd: float
    sd_low: float
    sd_high: float
    apart_sd: float | None
    apart_games: int
    arms: int = 1
    confidence: float = stats.CONFIDENCE


@dataclass(frozen=True)
class Need:
    """What a question needs for an effect to be found: games a line-up (and card set), with their interval, those
    without pairing, and the seconds that all line-ups (of both card sets) then take. `detectable` is the effect that is
    found with the games that were asked about, with its interval. None: the pilot does not tell.
    """

    question: Question
    effect: float
    games: int | None
    games_low: int | None
    games_high: int | None
    unpaired: int | None
    seconds: float | None
    detectable: float | None
    detectable_low: float | None
    detectable_high: float | None

    @property
    def saved(self) -> float | None:
        """How many times as many games it would take without pairing."""
        return None if self.unpaired is None or not self.games else self.unpaired / self.games


@dataclass(frozen=True)
class Planning:
    """A pilot and what it says. `card_sets` are one name, or two that are compared. `deals` were played a line-up and
    card set, `games` in all, `rate` games a second on so many `threads`. `asked` are the games a line-up whose
    detectable effects are told, None for none. `plain` is (effect, games) of one rate against an even one without
    pairing, in games of the same number of seats. `notes` are sentences on what could not be told.
    """

    game: str
    title: str
    card_sets: tuple[str, ...]
    bots: tuple[str, ...]
    seats: int
    line_ups: int
    seed: int
    score_unit: str
    power: float
    deals: int
    games: int
    rate: float
    threads: int
    asked: int | None
    needs: tuple[Need, ...]
    plain: tuple[tuple[float, int], ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The whole result in plain JSON types; what does not exist is null."""
        told = plain_data(self)
        for need, entry in zip(self.needs, told["needs"], strict=True):
            entry["saved"] = need.saved
        return {"format": "fairdeal-plan/1", **told}


@dataclass(frozen=True)
class Wish:
    """What is asked: the effects by unit ("share", and the unit of the score), the power, and the games a line-up whose
    detectable effects are told.
    """

    effects: dict[str, float]
    power: float
    games: int | None = None


def planning(runs: Sequence[Run], rate: float, threads: int, wish: Wish) -> Planning:
    """What a pilot says: one finished run, or two of the same plan but for the card set; played at `rate` games a
    second on so many threads.
    """
    manifest = runs[0].manifest
    played = line_ups(manifest)
    notes: list[str] = []
    found = [one for line_up in played for one in _questions(runs[0], line_up, threads, notes)]
    if len(runs) == 2:
        found += [one for line_up in played for one in _changes(runs[0], runs[1], line_up)]
    even = 1 / manifest["seats"]
    return Planning(
        game=manifest["game"],
        title=manifest["title"],
        card_sets=tuple(run.manifest["card_set"]["name"] for run in runs),
        bots=tuple(bot["name"] for bot in manifest["bots"]),
        seats=manifest["seats"],
        line_ups=len(played),
        seed=manifest["seed"],
        score_unit=manifest["score_unit"],
        power=wish.power,
        deals=runs[0].blocks,
        games=sum(run.games for run in runs),
        rate=rate,
        threads=threads,
        asked=wish.games,
        needs=tuple(
            need(one, wish, manifest["seats"], rate / len(played)) for one in found if one.unit in wish.effects
        ),
        plain=tuple(
            (effect, stats.units_needed(effect, math.sqrt(even * (1 - even)), power=wish.power))
            for effect in PLAIN_EFFECTS
        )
        if manifest["seats"] > 1
        else (),
        notes=tuple(dict.fromkeys(notes)),
    )


def need(question: Question, wish: Wish, seats: int, rate: float) -> Need:
    """What a question needs; `rate` is in games of each line-up a second. Nothing is told of what never varied."""
    effect = wish.effects[question.unit]
    if not question.sd > 0:
        return Need(question, effect, *[None] * 8)

    def games(sd: float, of: int) -> int:
        deals = stats.units_needed(effect, sd, question.confidence, wish.power)
        return max(stats.FEWEST, deals) * of

    def detectable(sd: float) -> float | None:
        if wish.games is None:
            return None
        return stats.minimal_detectable_effect(sd, -(-wish.games // seats), question.confidence, wish.power)

    wanted = games(question.sd, seats)
    return Need(
        question,
        effect,
        wanted,
        games(question.sd_low, seats),
        games(question.sd_high, seats),
        None if question.apart_sd is None else games(question.apart_sd, question.apart_games),
        wanted * question.arms / rate if rate > 0 else None,
        detectable(question.sd),
        detectable(question.sd_low),
        detectable(question.sd_high),
    )


# --- one card set ----------------------------------------------------------------------------------------------------


def measured(line_up: str, topic: str, what: str, unit: str, values: Array) -> Question:
    """A question from a result of every game, (deals, games of a deal): deals against games that are all deals of their
    own.
    """
    deals = values.mean(axis=1)
    sd = float(deals.std(ddof=1)) if len(deals) > 1 else math.nan
    low, high = stats.sd_interval(sd, stats.variance_degrees(deals)) if sd > 0 else (sd, sd)
    return Question(line_up, topic, what, unit, sd, low, high, float(values.std()), 1)


def _asked(manifest: Manifest, line_up: LineUp) -> dict[str, tuple[str, str]]:
    """What is asked of the results of a line-up's games, by topic: in words, and its unit."""
    unit, bot = manifest["score_unit"], line_up.names[0]
    if not line_up.mirror:
        return {STRATEGY: (f"win share of {bot}", SHARE), AHEAD: (f"lead of {bot}", unit)}
    score = {SCORE: ("mean score of a seat", unit)}
    if manifest["seats"] == 1:
        return score
    who = "the first in turn order" if manifest["first_player"] else "seat 0"
    return {FIRST: (f"win share of {who}", SHARE), LEAD: (f"lead of {who}", unit), **score}


def _questions(run: Run, line_up: LineUp, threads: int, notes: list[str]) -> Iterator[Question]:
    values = game_values(run, line_up)
    for topic, (what, unit) in _asked(run.manifest, line_up).items():
        yield measured(str(line_up), topic, what, unit, values[topic])
    if line_up.mirror:
        yield from _cards(run, line_up, threads, notes)


def game_values(run: Run, line_up: LineUp) -> dict[str, Array]:
    """Results of all games, (deals, games of a deal) each: of self-play the share and the lead of who is first in turn
    order and the mean score; of others the share and the lead of the first bot, a mean over its seats.
    """
    reader = BlockReader(run, line_up)
    tables = [reader.arrays(shard)[1] for shard in shards_of(run, line_up.index)]
    share, margin, score, order = (
        np.concatenate([table[name] for table in tables]).astype(float)
        for name in ("win_share", "margin", "score", "order")
    )
    if line_up.mirror:
        first = order == 0
        return {
            FIRST: (share * first).sum(axis=2), LEAD: (margin * first).sum(axis=2), SCORE: score.mean(axis=2),
        }  # fmt: skip
    seats = reader.seats
    own = np.zeros((seats, seats))
    own[tuple(zip(*reader.cells[line_up.bots[0]], strict=True))] = 1 / line_up.bots.count(line_up.bots[0])
    return {STRATEGY: (share * own).sum(axis=2), AHEAD: (margin * own).sum(axis=2)}


def _cards(run: Run, line_up: LineUp, threads: int, notes: list[str]) -> Iterator[Question]:
    """A card in the opening hand: the card in the middle by how well its effect is known, found as the only one of all
    (the first step of Benjamini and Hochberg is a test at the level of false discoveries / cards).
    """
    found = card_impact(run, line_up, threads=threads)
    if found is None or not len(found.effects):
        why = "Its cards are not logged." if found is None else found.why_not
        notes.append(f"No games are told for a card in the opening hand. {why or ''}".strip())
        return
    for outcome, unit in (("margin", run.manifest["score_unit"]), (SHARE, SHARE)):
        rows = found.effects.filter(outcome=outcome).drop_nulls("se").sort("se")
        row = rows.row(len(rows) // 2, named=True)
        sd = row["se"] * math.sqrt(found.n)
        # The degrees of the t law that the interval of the effect was made with.
        degrees = float(special.stdtridf(0.5 + stats.CONFIDENCE / 2, (row["high"] - row["value"]) / row["se"]))
        low, high = stats.sd_interval(sd, min(degrees, found.n - 1.0)) if sd > 0 else (sd, sd)
        confidence = 1 - FALSE_DISCOVERIES / len(rows)
        what = f"a card in the opening hand, of {len(rows)}"
        yield Question(str(line_up), CARD, what, unit, sd, low, high, None, 0, confidence=confidence)


# --- two card sets ---------------------------------------------------------------------------------------------------


def changed(line_up: str, topic: str, what: str, unit: str, old: Array, new: Array) -> Question:
    """What two card sets are asked, from a result of every game of either, (deals, games of a deal) on the same deals:
    their difference, against arms on deals of their own, whose variances add up.
    """
    deals = (new - old).mean(axis=1)
    sd = float(deals.std(ddof=1)) if len(deals) > 1 else math.nan
    low, high = stats.sd_interval(sd, stats.variance_degrees(deals)) if sd > 0 else (sd, sd)
    apart = math.hypot(*(float(arm.mean(axis=1).std(ddof=1)) for arm in (old, new)))
    return Question(line_up, topic, CHANGED + what, unit, sd, low, high, apart, old.shape[1], arms=2)


def _changes(base: Run, variant: Run, line_up: LineUp) -> Iterator[Question]:
    old, new = (game_values(run, line_up) for run in (base, variant))
    asked = _asked(base.manifest, line_up)
    for topic, (what, unit) in asked.items():
        yield changed(str(line_up), topic, what, unit, old[topic], new[topic])
