"""Page one on cards that lie on the table, on tallied cards, and on what ends a game; as `analysis.verdicts`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis import stats
from analysis.market import LENGTH, MARGIN, SCORE
from analysis.stats import Estimate
from analysis.verdicts import (
    BAD,
    GOOD,
    NAMED,
    PLAIN,
    UNSURE,
    Verdict,
    by_whom,
    counted,
    listed,
    number,
    short,
    signed,
    unsigned,
)

if TYPE_CHECKING:
    from analysis.balance import Balance, LineUpBalance

Row = dict[str, Any]

UNBUILT = 0.05
"""A card that is built in surely less than this share of the games in which it lies on the table is called dead."""
UNPLAYED = 0.02
"""A tallied card with which the first of the tallies happens to surely fewer than this share of the seats in a game is
called dead.
"""
MARGINAL = 0.02
"""A reason that surely ends fewer than this share of the games hardly matters."""


def _estimate(row: Row, name: str = "", unit: str = "share") -> Estimate:
    names = (name, f"{name}_low", f"{name}_high") if name else ("value", "low", "high")
    value, low, high = (math.nan if row[key] is None else float(row[key]) for key in names)
    return Estimate(value, low, high, row["n"], row["n"], unit)


def _named(labels: list[str]) -> str:
    return listed(labels) if len(labels) <= NAMED else f"{', '.join(labels[:NAMED])} and {len(labels) - NAMED} more"


def _always(balance: Balance, dead: Callable[[LineUpBalance], set[str] | None]) -> bool:
    """Whether what is dead in the main line-up is so in those of all other tiers, of which there are some."""
    main = balance.main
    others = [dead(r) for r in balance.line_ups if r.tier not in (None, main.tier)]
    known = [other for other in others if other is not None]
    return bool(known) and all((dead(main) or set()) <= other for other in known)


# --- what lies on the table ------------------------------------------------------------------------------------------


def _unbuilt(r: LineUpBalance) -> set[str] | None:
    return None if r.market is None else set(r.market.types.filter(pl.col("once_high") < UNBUILT)["type"])


def unbuilt(balance: Balance) -> Verdict | None:
    """Cards that hardly anybody builds although they lie there."""
    r = balance.main
    if r.market is None or not (dead := _unbuilt(r)):
        return None
    rows = r.market.types.filter(pl.col("type").is_in(dead)).sort("once", maintain_order=True).to_dicts()
    top = rows[-1]
    value, interval = unsigned(_estimate(top, "once"), 100)
    games = "the games in which it lies on the table" if len(rows) == 1 else "the games in which they lie on the table"
    most = "" if len(rows) == 1 else "at most "
    always = ", and so at every skill" if _always(balance, _unbuilt) else ""
    it = "It is dead, or its price is too high." if len(rows) == 1 else "They are dead, or their price is too high."
    text = (
        f"Nobody builds {_named([row['label'] for row in rows])}: built in {most}{value} % of {games} (95 % interval "
        f"{interval}; {by_whom(r)}){always}. {it}"
    )
    return Verdict("unbuilt", "market", BAD, 74, text)


def builds(balance: Balance) -> Verdict | None:
    """What is built most and least often, of the games in which it lies on the table."""
    r = balance.main
    if r.market is None:
        return None
    built = r.market.types.filter(pl.col("once").is_not_null())
    rows = built.sort("once", descending=True, maintain_order=True).to_dicts()
    if len(rows) < 2:
        return None
    (most, most_i), (least, least_i) = (unsigned(_estimate(row, "once"), 100) for row in (rows[0], rows[-1]))
    text = (
        f"Built most often is {rows[0]['label']}, in {most} % of the games in which it lies on the table (interval "
        f"{most_i}), least often {rows[-1]['label']}, in {least} % (interval {least_i})"
    )
    built = sum(row["built"] * row["lying"] * row["games"] for row in rows)
    copies = sum(row["lying"] * row["games"] for row in rows)
    text += f"; of all that lies there {built / copies * 100:.0f} % is built ({by_whom(r)})."
    return Verdict("builds", "market", PLAIN, 46, text)


def _effects(r: LineUpBalance, outcome: str) -> list[Row]:
    """The presence effects on an outcome with the cards' labels, the largest first."""
    if r.market is None:
        return []
    labels = r.market.types.select("type", "label")
    rows = r.market.presence.filter(outcome=outcome).join(labels, on="type", how="left", maintain_order="left")
    return rows.sort(pl.col("value").abs(), descending=True, nulls_last=True).to_dicts()


def _beyond(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["flagged"] and row["wording"] == stats.MATTERS]


def _told(rows: list[Row], unit: str) -> str:
    """The first effects in words: "Bank +1.2 points (interval +0.9 to +1.5) and Inn -1.1 (…)"."""
    said = []
    for i, row in enumerate(rows[:NAMED]):
        scale = 100 if unit == "percentage points" else 1
        value, interval = signed(_estimate(row), scale)
        said.append(f"{row['label']} {value}{f' {unit}' if i == 0 else ''} (interval {interval})")
    return listed(said)


def presence(balance: Balance) -> Verdict | None:
    """Cards whose lying on the table moves the scores of all by surely more than the margin."""
    r = balance.main
    rows = _effects(r, SCORE)
    if r.market is None or not rows:
        return None
    unit = balance.facts.score_unit
    margin = f"your margin of {counted(balance.facts.margin_points, unit)}"
    place = " in place of an average card of its kind" if r.market.fixed else ""
    beyond = _beyond(rows)
    if not beyond:
        open_ones = any(row["wording"] in (stats.UNKNOWN, stats.UNCLEAR) for row in rows)
        start = "Of no card is it sure" if open_ones else "No card on the table moves"
        tail = "that lying on the table it moves the scores of all" if open_ones else "the scores of all"
        text = f"{start} {tail} by more than {margin}; the farthest is {_told(rows[:1], unit)}{place} ({by_whom(r)})."
        return Verdict("presence", "market", UNSURE if open_ones else GOOD, 52, text)
    count = len(beyond)
    text = (
        f"{number(count)} {'card' if count == 1 else 'cards'}, when on the table{place}, "
        f"{'moves' if count == 1 else 'move'} everybody's score by more than {margin}: {_told(beyond, unit)}"
        f"{' first of all' if count > NAMED else ''}; {by_whom(r)}. Chance decides what lies there, so this is an "
        "effect; it is the same for all seats."
    )
    return Verdict("presence", "market", PLAIN, 60, text)


def presence_length(balance: Balance) -> Verdict | None:
    """Cards whose lying on the table changes how long games are by surely more than the margin."""
    r = balance.main
    beyond = _beyond(_effects(r, LENGTH))
    if r.market is None or not beyond:
        return None
    place = " in place of an average card of its kind" if r.market.fixed else ""
    text = (
        f"Games are shorter or longer by more than {r.market.margins[LENGTH]:.1f} turns where these lie on the table"
        f"{place}: {_told(beyond, 'turns')}; {by_whom(r)}."
    )
    return Verdict("presence length", "market", PLAIN, 45, text)


def presence_by_bot(balance: Balance) -> Verdict | None:
    """Cards whose lying on the table helps one kind of bot against another by surely more than the margin."""
    strength = {bot.name: bot.strength or 0.0 for bot in balance.facts.bots}
    best = None
    for r in balance.line_ups:
        if r.mirror or r.market is None:
            continue
        for outcome in r.market.units:
            if outcome.startswith(MARGIN) and (beyond := _beyond(_effects(r, outcome))):
                # Of strong bots it says most.
                rank = min(strength[bot] for bot in r.bots), abs(beyond[0]["value"])
                if best is None or rank > best[0]:
                    best = rank, r, outcome.removeprefix(MARGIN), beyond
    if best is None:
        return None
    _, r, bot, beyond = best
    unit = balance.facts.score_unit
    text = (
        f"Some cards on the table favour one way of playing: {bot} does better or worse with {_told(beyond, unit)} of "
        f"margin, in place of an average card ({by_whom(r)})."
    )
    return Verdict("presence by bot", "market", PLAIN, 44, text)


# --- tallied cards ---------------------------------------------------------------------------------------------------


def _first(r: LineUpBalance) -> str | None:
    """The first tally that the game declares, of those that happened: what a card is there for."""
    return r.tallies.tallies[0] if r.tallies is not None and r.tallies.tallies else None


def _unplayed(r: LineUpBalance) -> set[str] | None:
    tally = _first(r)
    if r.tallies is None or tally is None:
        return None
    rows = r.tallies.rates.filter(tally=tally).group_by("type").agg(pl.col("share_high").max())
    return set(rows.filter(pl.col("share_high") < UNPLAYED)["type"])


def unplayed(balance: Balance) -> Verdict | None:
    """Tallied cards that hardly anybody plays, or takes, or whatever the game counts first."""
    r = balance.main
    if r.tallies is None or not (dead := _unplayed(r)):
        return None
    rows = r.tallies.rates.filter(pl.col("type").is_in(dead), tally=_first(r)).sort("share").to_dicts()
    labels = list(dict.fromkeys(short(row["label"]) for row in rows))
    value, interval = unsigned(_estimate(rows[-1], "share"), 100)
    always = ", and so at every skill" if _always(balance, _unplayed) else ""
    be, most = ("is", "") if len(labels) == 1 else ("are", "at most ")
    text = (
        f"{_named(labels)} {be} hardly ever {_first(r)}: by {most}{value} % of the players of a game (95 % interval "
        f"{interval}; {by_whom(r)}){always}."
    )
    return Verdict("unplayed", "tallies", BAD, 71, text[0].upper() + text[1:])


def plays(balance: Balance) -> Verdict | None:
    """The tallied cards that are played most, or taken, or whatever the game counts first."""
    r = balance.main
    tally = _first(r)
    if r.tallies is None or tally is None:
        return None
    rows = r.tallies.rates.filter(tally=tally).sort("value", descending=True).to_dicts()[:NAMED]
    said = []
    for row in rows:
        value, interval = unsigned(_estimate(row))
        said.append(f"{short(row['label'])} {value} times (interval {interval})")
    text = f"{tally.capitalize()} most in a game by a player: {listed(said)}; {by_whom(r)}."
    return Verdict("plays", "tallies", PLAIN, 35, text)


# --- endings ---------------------------------------------------------------------------------------------------------


def endings(balance: Balance) -> Verdict | None:
    """What ends the games, where the game says so in words."""
    r = balance.main
    if not worded(balance):
        return None
    found = sorted(r.tempo.ends, key=lambda end: -end[1].value)
    said: list[str] = []
    rare: list[str] = []
    for name, share in found:
        words = balance.facts.endings[name]
        if share.value == 0 or share.high < MARGINAL:
            rare.append(words)
            continue
        value, interval = unsigned(share, 100)
        ends = f"{words} {value} %" if said else f"{words} ends {value} % of the games"
        said.append(f"{ends} (interval {interval})")
    hardly = f" Hardly ever: {listed(rare)}." if rare else ""
    text = f"{', '.join(said)}; {by_whom(r)}.{hardly}"
    return Verdict("endings", "feel", PLAIN, 64, text[0].upper() + text[1:])


def worded(balance: Balance) -> bool:
    """Whether the game has words for what ends it, and so several things to tell apart."""
    return any(name != words for name, words in balance.facts.endings.items())


QUESTIONS: list[Callable[[Balance], Verdict | None]] = [
    unbuilt, builds, presence, presence_length, presence_by_bot, unplayed, plays, endings,
]  # fmt: skip
