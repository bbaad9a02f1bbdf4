"""Page one on groups of cards, and on cards that are chosen rather than dealt; as `analysis.verdicts`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis.groups import HELD, TALLY
from analysis.stats import Estimate
from analysis.verdicts import BAD, NAMED, PLAIN, Verdict, by_whom, listed, number, short, signed, unsigned

if TYPE_CHECKING:
    from analysis.balance import Balance, LineUpBalance

UNUSED = 0.05
"""A card that is there to be chosen and of whose copies surely less than this share is taken in a game is called
dead.
"""

Row = dict[str, Any]


def event_words(row: Row) -> str:
    """A group and what happened to its cards, in words: "ships taken", "block row A", "decree scored"."""
    return row["group"] if row["event"] == HELD else f"{row['group']} {row['event']}"


def telling(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of `Groups.rates` or `Groups.leads` that say most of a group, one event once: of cards that are dealt,
    what becomes of them; of others, how many come to a player; of tallied ones, every tally.
    """
    dealt = (pl.col("kind") == "fate").any().over("group")
    fates = (pl.col("kind") == "fate") & dealt
    held = (pl.col("event") == HELD) & ~dealt
    return frame.filter(fates | held | (pl.col("kind") == TALLY))


def carries(balance: Balance) -> Verdict | None:
    """Of which groups of cards the winner has surely more than the others."""
    r = balance.main
    if r.groups is None:
        return None
    rows = telling(r.groups.leads)
    if rows["group"].n_unique() < 2:
        return None
    sure = rows.filter("flagged").sort(pl.col("value").abs(), descending=True).to_dicts()
    if not sure:
        text = f"Of no group of cards has the winner surely more than the others ({by_whom(r)})."
        return Verdict("groups", "groups", PLAIN, 32, text)
    said = []
    for row in sure[:NAMED]:
        value, interval = signed(_estimate(row))
        said.append(f"{event_words(row)} {value} (interval {interval})")
    text = (
        f"Of the groups of cards, the winner differs most from the others in {listed(said)}, cards or times in a game "
        f"({by_whom(r)}). That goes together with winning and need not be why."
    )
    # Where all cards are dealt to hands, what is told of single cards says more.
    weight = 47 if r.groups.rates["in_hand"].all() else 59
    return Verdict("groups", "groups", PLAIN, weight, text)


def unused(balance: Balance) -> Verdict | None:
    """Cards that are there to be chosen and that hardly anybody takes."""
    r = balance.main
    if not (dead := _unused(r)):
        return None
    assert r.groups is not None
    rows = r.groups.types.filter(pl.col("type").is_in(dead)).sort("value").to_dicts()
    names = [short(row["label"]) for row in rows]
    named = listed(names) if len(names) <= NAMED else f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"
    value, interval = unsigned(_estimate(rows[-1]), 100)
    others = [of for o in balance.line_ups if o.tier not in (None, r.tier) and (of := _unused(o)) is not None]
    always = ", and so at every skill" if others and all(dead <= of for of in others) else ""
    most = "" if len(rows) == 1 else "at most "
    text = (
        f"Hardly anybody takes {named}: {most}{value} % of the copies in a game (95 % interval {interval}; "
        f"{by_whom(r)}){always}."
    )
    return Verdict("unused", "groups", BAD, 69, text)


def _unused(r: LineUpBalance) -> set[str] | None:
    return None if r.groups is None else set(r.groups.types.filter(pl.col("high") < UNUSED)["type"])


def chosen(balance: Balance) -> Verdict | None:
    """Which of the cards that are chosen are taken most and least, in the group with the most of them."""
    r = balance.main
    if r.groups is None or len(r.groups.types) < 2:
        return None
    frame = r.groups.types.filter(pl.col("value").is_not_null()).sort("value", descending=True)
    rows = frame.to_dicts()
    if len(rows) < 2:
        return None
    (most, most_i), (least, least_i) = unsigned(_estimate(rows[0]), 100), unsigned(_estimate(rows[-1]), 100)
    text = (
        f"{number(len(rows))} kinds of cards are there to be chosen. Taken most is {short(rows[0]['label'])}: {most} % "
        f"of its copies in a game (interval {most_i}); least {short(rows[-1]['label'])}: {least} % (interval "
        f"{least_i}; {by_whom(r)})."
    )
    return Verdict("chosen", "groups", PLAIN, 34, text)


def _estimate(row: Row) -> Estimate:
    return Estimate(row["value"], row["low"], row["high"], row["n"], row["n"], "")


QUESTIONS: list[Callable[[Balance], Verdict | None]] = [carries, unused, chosen]
