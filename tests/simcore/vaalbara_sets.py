"""Random valid card sets of Vaalbara, each from a number: edits of the shipped sets, from small ones to wild ones."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from simcore import cardset
from simcore.cardset import CardSet, build
from simcore.games.vaalbara.cardset import CLANS, MARKS, MOST_POINTS, SCHEMA, SEATS, TYPES, WITHOUT_AMOUNT, WITHOUT_UNIT
from simcore.games.vaalbara.state import CHARACTERS, LANDS, Effect, Reward

FEWEST_CHARACTERS = 9
EFFECTS = [effect.name for effect in Effect]
REWARDS = [reward.name for reward in Reward]
RANKS = [f"rank{place}" for place in range(1, 6)]

Rows = list[dict[str, Any]]


def shipped(name: str) -> CardSet:
    return cardset.load(SCHEMA, name)


def edited(name: str = "default", /, tables: dict[str, Rows] | None = None, **scalars: Any) -> CardSet:
    """A shipped set with other scalars and, if given, other tables."""
    base = shipped(name)
    return build(SCHEMA, "edited", base.scalars | scalars, inputs(base) | (tables or {}))


def inputs(card_set: CardSet) -> dict[str, Rows]:
    """The tables without what follows from them."""
    return {
        table.name: [{column.name: row[column.name] for column in table.inputs} for row in card_set.tables[table.name]]
        for table in SCHEMA.tables
    }


def random_set(seed: int) -> CardSet:
    """The valid edited set of this number."""
    rng = Random(seed)
    base = shipped(rng.choice(SCHEMA.shipped))
    scalars, tables = dict(base.scalars), inputs(base)
    edits = (_scalars, _characters, _types, _lands, _omens)
    for edit in [edit for edit in edits if rng.random() < 0.7] or edits:
        edit(rng, scalars, tables)
    _make_playable(rng, scalars, tables)
    return build(SCHEMA, f"random_{seed}", scalars, tables)


def card_sets() -> st.SearchStrategy[CardSet]:
    """For hypothesis."""
    return st.integers(0, 2**32).map(random_set)


def _scalars(rng: Random, scalars: dict[str, Any], tables: dict[str, Rows]) -> None:
    for scalar in SCHEMA.scalars:
        if rng.random() < 0.5:
            if scalar.choices:
                scalars[scalar.name] = rng.choice(scalar.choices)
            else:
                scalars[scalar.name] = rng.randint(scalar.minimum or 0, scalar.maximum or 0)


def _characters(rng: Random, scalars: dict[str, Any], tables: dict[str, Rows]) -> None:
    """Other numbers of characters; effects permuted or drawn with repetition, Fighters and Midwives more often."""
    rows = tables["characters"]
    rng.shuffle(rows)
    if rng.random() < 0.5:
        size = rng.randint(FEWEST_CHARACTERS, CHARACTERS)
        rows = rows[:size] + [rows[0] | {"key": f"new{number}"} for number in range(len(rows), size)]
        tables["characters"] = rows
    effects = [row["effect_code"] for row in rows]
    if rng.random() < 0.5:
        favourites = ["OTHERS_REVEAL_FIGHTER", "RECOVER_CHARACTER", "SWAP_ROW_DECKTOP", "SWAP_REALM_DECKBOTTOM"]
        effects = [rng.choice(EFFECTS + favourites) for _ in rows]
    rng.shuffle(effects)
    numbers = rng.choice([range(1, 21), range(1, 4)])  # the second gives ties in most rounds
    for row, effect in zip(rows, effects, strict=True):
        row["effect_code"] = effect
        row["vp_amount"] = 0 if effect in WITHOUT_AMOUNT else rng.randint(0, MOST_POINTS)
        if rng.random() < 0.5:
            row["initiative"] = rng.choice(numbers)


def _types(rng: Random, scalars: dict[str, Any], tables: dict[str, Rows]) -> None:
    """Rewards permuted among the types, or drawn with repetition; the rows in another order."""
    rows = tables["land_types"]
    rng.shuffle(rows)
    codes = [rng.choice(REWARDS) for _ in rows] if rng.random() < 0.5 else rng.sample(REWARDS, len(rows))
    for row, code in zip(rows, codes, strict=True):
        row["reward_code"] = code
        row["vp_per_unit"] = 0 if code in WITHOUT_UNIT else rng.randint(0, MOST_POINTS)


def _lands(rng: Random, scalars: dict[str, Any], tables: dict[str, Rows]) -> None:
    """Lands removed, added and moved, other types and marks."""
    rows = tables["lands"]
    rng.shuffle(rows)
    del rows[rng.randint(20, len(rows)) :]
    for row in rows:
        if rng.random() < 0.3:
            row["type"] = rng.choice(TYPES)
        for mark in MARKS:
            if rng.random() < 0.3:
                row[mark] = rng.choice(SEATS)
    for _ in range(rng.randint(0, LANDS - len(rows))):
        _add_land(rng, tables)


def _add_land(rng: Random, tables: dict[str, Rows]) -> None:
    rows = tables["lands"]
    number = len(rows) + len(tables["omens"])  # both only grow from here on
    marks = {mark: rng.choice(SEATS) for mark in MARKS}
    rows.append({"id": f"X{number}", "type": rng.choice(TYPES), "forest_value": None, "omen_id": f"B{number}", **marks})
    tables["omens"].append({"id": f"B{number}"} | _ranking(rng))


def _ranking(rng: Random) -> dict[str, str]:
    return dict(zip(RANKS, rng.sample(CLANS, len(CLANS)), strict=True))


def _omens(rng: Random, scalars: dict[str, Any], tables: dict[str, Rows]) -> None:
    """Other backs; some of them alike."""
    few = [_ranking(rng) for _ in range(rng.choice([1, 3, 200]))]
    for row in tables["omens"]:
        row.update(rng.choice(few))


def _make_playable(rng: Random, scalars: dict[str, Any], tables: dict[str, Rows]) -> None:
    """Enough characters and lands for the rounds, and printed values just where they are paid."""
    scalars["rounds"] = min(scalars["rounds"], len(tables["characters"]))
    mark, rows = scalars["player_marks"], tables["lands"]
    while len(rows) < scalars["rounds"] * max(SEATS) + 1:
        _add_land(rng, tables)
    for seats in SEATS:
        short = scalars["rounds"] * seats + 1 - sum(row[mark] <= seats for row in rows)
        if short > 0:
            for row in rng.sample([row for row in rows if row[mark] > seats], short):
                row[mark] = seats
    printed = {row["key"] for row in tables["land_types"] if row["reward_code"] == Reward.PRINTED.name}
    for row in rows:
        if row["type"] not in printed:
            row["forest_value"] = None
        elif row["forest_value"] is None:
            row["forest_value"] = rng.randint(0, MOST_POINTS)
