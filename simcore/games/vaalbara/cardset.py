"""Vaalbara: the schema of its card sets, and what it checks beyond the schema. VB-... are ids of rules.md.

The tables of the rules page can be used as they are; `setup.csv` and `clans.csv` only repeat what stands elsewhere (the
scalars, the lands, the columns of omens.csv) and are no part of a card set.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from simcore.cardset import CardSet, Column, Problem, Scalar, Schema, Table, Value, derived_problems, nearest
from simcore.games.vaalbara.state import CHARACTERS, LANDS, ROUNDS, Effect, Reward, Type

SEATS = (2, 3, 4, 5)
CLANS = ("yellow", "red", "blue", "purple", "green")
RANKS = tuple(f"rank{place}" for place in range(1, len(CLANS) + 1))
MARKS = ("min_players", "min_players_alt")
TYPES = tuple(kind.name.lower() for kind in Type)
YES, NO = "yes", "no"
MOST_POINTS = 20
WITHOUT_AMOUNT = frozenset(
    {
        Effect.NONE.name,
        Effect.SWAP_ROW_DECKTOP.name,
        Effect.RECOVER_CHARACTER.name,
        Effect.SWAP_ROWS.name,
        Effect.SWAP_REALM_DECKBOTTOM.name,
        Effect.DOUBLE_LAND.name,
    }
)
WITHOUT_UNIT = frozenset({Reward.PRINTED.name, Reward.MILESTONE_2_4.name})
# Keys of characters and ids of lands become columns of the card log, beside these.
LOG_COLUMNS = frozenset({"game", "line_up", "deal", "rotation", "seat", "round", "order", "points", "win_share"})

Rows = Sequence[Mapping[str, Value]]


def check(card_set: CardSet) -> list[Problem]:
    """What the schema cannot say: names, amounts, omens, lands enough for every number of players, derived columns."""
    scalars, tables = card_set.scalars, card_set.tables
    characters, lands, types = tables["characters"], tables["lands"], tables["land_types"]
    return [
        *_check_names(characters, lands),
        *_check_characters(scalars, characters),
        *_check_types(types),
        *_check_lands(lands, types, tables["omens"]),
        *_check_omens(tables["omens"]),
        *_check_enough(scalars, lands),
        *_check_derived(scalars, tables),
    ]


def _check_names(characters: Rows, lands: Rows) -> Iterator[Problem]:
    keys = {row["key"] for row in characters}
    for position, row in enumerate(characters):
        if row["key"] in LOG_COLUMNS:
            what = "is a column of the card log and cannot name a character"
            yield Problem.of_cell("characters", position, "key", row["key"], what, nearest=f"{row['key']}_")
    for position, row in enumerate(lands):
        if row["id"] in LOG_COLUMNS or (row["id"] is not None and row["id"] in keys):
            what = "is the name of a character" if row["id"] in keys else "is a column of the card log"
            yield Problem.of_cell("lands", position, "id", row["id"], what, "a name of its own", f"{row['id']}_")


def _check_characters(scalars: Mapping[str, Value], rows: Rows) -> Iterator[Problem]:
    rounds = scalars["rounds"]
    if len(rows) > CHARACTERS:
        what = f"is character number {CHARACTERS + 1} of {len(rows)}"
        yield Problem.of_cell("characters", CHARACTERS, "key", rows[CHARACTERS]["key"], what, f"at most {CHARACTERS}")
    if isinstance(rounds, int) and rows and len(rows) < rounds:
        what = f"is too many for {len(rows)} characters: each player plays one a round"
        yield Problem.of_scalar("rounds", rounds, what, f"at most {len(rows)}, or more characters", str(len(rows)))
    for position, row in enumerate(rows):
        effect, amount = row["effect_code"], row["vp_amount"]
        if effect in WITHOUT_AMOUNT and amount not in (0, None):
            what = f"cannot be the amount of {effect}, which has none"
            yield Problem.of_cell("characters", position, "vp_amount", amount, what, "0", "0")


def _check_types(rows: Rows) -> Iterator[Problem]:
    present = {row["key"] for row in rows}
    missing = [key for key in TYPES if key not in present]
    if missing and rows and None not in present:
        what = f"has no row for {', '.join(missing)}"
        yield Problem(what, "land_types.csv", allowed=f"a row for each of {', '.join(TYPES)}")
    for position, row in enumerate(rows):
        if row["reward_code"] in WITHOUT_UNIT and row["vp_per_unit"] not in (0, None):
            what = f"cannot stand with {row['reward_code']}, which has no amount a unit"
            yield Problem.of_cell("land_types", position, "vp_per_unit", row["vp_per_unit"], what, "0", "0")


def _check_lands(rows: Rows, types: Rows, omens: Rows) -> Iterator[Problem]:
    prints = {row["key"]: row["reward_code"] == Reward.PRINTED.name for row in types if row["reward_code"] is not None}
    backs = [str(row["id"]) for row in omens if row["id"] is not None]
    used: dict[Value, Value] = {}
    if len(rows) > LANDS:
        what = f"is land number {LANDS + 1} of {len(rows)}"
        yield Problem.of_cell("lands", LANDS, "id", rows[LANDS]["id"], what, f"at most {LANDS}")
    for position, row in enumerate(rows):
        value, back, needed = row["forest_value"], row["omen_id"], prints.get(row["type"])
        if needed and value is None:
            what, allowed = (
                f"is blank, but a {row['type']} pays what it prints",
                f"a whole number from 0 to {MOST_POINTS}",
            )
            yield Problem.of_cell("lands", position, "forest_value", value, what, allowed)
        elif needed is False and value is not None:
            what = f"cannot stand on a {row['type']}, which does not pay what it prints"
            yield Problem.of_cell("lands", position, "forest_value", value, what, "blank")
        if back is not None and backs and back not in backs:  # without a table of omens, that is what is wrong
            what, near = "is no id of the table omens", nearest(str(back), backs)
            yield Problem.of_cell("lands", position, "omen_id", back, what, "an id of the table omens", near)
        elif back in used:
            what = f"is the back of {used[back]} already"
            yield Problem.of_cell("lands", position, "omen_id", back, what, "omens of its own for each land")
        elif back is not None:
            used[back] = row["id"]


def _check_omens(rows: Rows) -> Iterator[Problem]:
    for position, row in enumerate(rows):
        seen: set[Value] = set()
        for rank in RANKS:
            if row[rank] is not None and row[rank] in seen:
                missing = [clan for clan in CLANS if clan not in {row[other] for other in RANKS}]
                what, near = "stands on this back twice", missing[0] if len(missing) == 1 else ""
                allowed = "each clan once in rank1 to rank5"
                yield Problem.of_cell("omens", position, rank, row[rank], what, allowed, near)
            seen.add(row[rank])


def _check_enough(scalars: Mapping[str, Value], rows: Rows) -> Iterator[Problem]:
    """Fewer than rounds * seats + 1 lands make a game unplayable (section 14 of rules.md)."""
    marks, rounds = scalars["player_marks"], scalars["rounds"]
    if not isinstance(rounds, int) or marks is None or any(row[str(marks)] is None for row in rows) or not rows:
        return
    for seats in SEATS:
        kept = sum(int(row[str(marks)] or 0) <= seats for row in rows)
        if kept < rounds * seats + 1:
            what = f"keeps {kept} lands for {seats} players, too few to play {rounds} rounds"
            allowed = f"at least {rounds * seats + 1} lands with a mark of at most {seats} in {marks}"
            yield Problem(what, "lands.csv", column=str(marks), allowed=allowed)


def _check_derived(scalars: Mapping[str, Value], tables: Mapping[str, Rows]) -> Iterator[Problem]:
    """The derived columns of each table, where all that they follow from could be read."""
    read = {table.name for table in SCHEMA.tables if _was_read(table, tables[table.name])}
    if not {row["omen_id"] for row in tables["lands"]} <= {row["id"] for row in tables["omens"]}:
        read.discard("omens")
    for table in SCHEMA.tables:
        if table.name in read and (table in (CHARACTER_TABLE, LAND_TABLE) or LAND_TABLE.name in read):
            yield from derived_problems(table.name, tables[table.name], _derived(table.name, scalars, tables))


def _was_read(table: Table, rows: Rows) -> bool:
    required = [column.name for column in table.inputs if not column.optional]
    return bool(rows) and all(row[name] is not None for row in rows for name in required)


def _derived(table: str, scalars: Mapping[str, Value], tables: Mapping[str, Rows]) -> dict[str, list[Value]]:
    """The derived columns of a table, a value a row (section 14 of rules.md)."""
    rows = tables[table]
    if table == "characters":
        initiative = [int(row["initiative"] or 0) for row in rows]
        derived: dict[str, list[Value]] = {
            "id": [*initiative],
            "is_odd": [number % 2 for number in initiative],
            "copies_per_clan": [1] * len(rows),
            "copies_total": [len(CLANS)] * len(rows),
        }
        if isinstance(scalars["river_cap"], int):
            derived["river_factor"] = [min(number, scalars["river_cap"]) for number in initiative]
        return derived
    if table == "lands":
        return {"index": [*range(len(rows))]}
    if table == "omens":
        owner = {row["omen_id"]: row["id"] for row in tables["lands"]}
        places = [{row[rank]: place for place, rank in enumerate(RANKS, 1)} for row in rows]
        return {
            "land_id": [owner.get(row["id"]) for row in rows],
            **{f"pos_{clan}": [place.get(clan) for place in places] for clan in CLANS},
        }
    marked = [Counter(row["type"] for row in tables["lands"] if _kept(row, seats)) for seats in SEATS]
    return {
        "id": [TYPES.index(str(row["key"])) for row in rows],
        **{f"count_{seats}p": [count[row["key"]] for row in rows] for seats, count in zip(SEATS, marked, strict=True)},
    }


def _kept(row: Mapping[str, Value], seats: int) -> bool:
    """Whether a land stays in the game by the first reading of the marks, which the counts of land_types.csv follow."""
    return int(row["min_players"] or 0) <= seats


def _note(name: str, meaning: str) -> Column:
    return Column(name, "text", meaning, role="note")


CHARACTER_TABLE = Table(
    name="characters",
    key="key",
    meaning=f"The characters of every clan, one row each (VB-1.4, VB-6): at most {CHARACTERS}, at least one a round.",
    columns=(
        Column("key", "id", "name of the character in logs, reports and replays"),
        _note("name_en", "the English name"),
        _note("name_es", "the Spanish name"),
        Column("initiative", "int", "lower acts earlier (VB-4.1)", "", 1, 20),
        Column("effect_code", "choice", "what it does (VB-6)", choices=tuple(effect.name for effect in Effect)),
        Column("vp_amount", "int", "the amount of the effect; 0 where it has none", "VP", 0, MOST_POINTS),
        Column("id", "int", "the initiative", minimum=0, role="derived"),
        Column("is_odd", "int", "1 for an odd initiative (VB-6.4)", minimum=0, role="derived"),
        Column("river_factor", "int", "initiative, at most river_cap (VB-5.6)", minimum=0, role="derived"),
        Column("copies_per_clan", "int", "always 1 (VB-1.4)", "cards", 0, role="derived"),
        Column("copies_total", "int", "always 5 (VB-1.4)", "cards", 0, role="derived"),
        _note("choice", "what its player chooses"),
        _note("max_options", "the most options of that choice"),
        _note("effect_source", "where the effect is documented"),
        _note("initiative_source", "where the initiative is documented"),
        _note("source", "where the card is documented"),
        _note("summary", "the effect in words"),
    ),
)

LAND_TABLE = Table(
    name="lands",
    key="id",
    meaning=f"The lands, one row a card (VB-1.1, VB-1.2): at most {LANDS}, and for every number of players at least "
    "rounds * players + 1.",
    columns=(
        Column("id", "id", "name of the land in logs and replays"),
        Column("type", "choice", "type of the land", choices=TYPES),
        Column(
            "forest_value",
            "int",
            "what it pays, where its type pays what is printed (VB-5.3)",
            "VP",
            0,
            MOST_POINTS,
            optional=True,
        ),
        Column("min_players", "int", "its player-count mark (VB-2.1)", "players", min(SEATS), max(SEATS)),
        Column("min_players_alt", "int", "its mark by the other reading (section 13)", "players", 2, 5),
        Column("omen_id", "word", "its back, a row of the table omens"),
        Column("index", "int", "place in the table, from 0", minimum=0, role="derived"),
        _note("source", "where the card is documented"),
    ),
)

OMEN_TABLE = Table(
    name="omens",
    key="id",
    meaning="The backs of the lands, one row a back (VB-1.3): the five clans from best to worst.",
    columns=(
        Column("id", "word", "name of the back"),
        *(Column(rank, "choice", f"the clan in place {rank[-1]}", choices=CLANS) for rank in RANKS),
        Column("land_id", "word", "the land with this back", role="derived"),
        *(Column(f"pos_{clan}", "int", f"place of {clan}, 1 the best", minimum=1, role="derived") for clan in CLANS),
        _note("source", "where the back is documented"),
    ),
)

TYPE_TABLE = Table(
    name="land_types",
    key="key",
    meaning="What the six types of land pay, one row a type (VB-5).",
    columns=(
        Column("key", "choice", "the type", choices=TYPES),
        _note("name_en", "the English name"),
        _note("name_es", "the Spanish name"),
        Column("reward_code", "choice", "how it pays (VB-5)", choices=tuple(reward.name for reward in Reward)),
        Column(
            "vp_per_unit", "int", "VP for each unit that the reward counts; 0 where it has none", "VP", 0, MOST_POINTS
        ),
        Column("id", "int", "number of the type, from 0", minimum=0, role="derived"),
        *(
            Column(
                f"count_{seats}p",
                "int",
                f"lands with a mark of at most {seats} in min_players",
                "cards",
                0,
                role="derived",
            )
            for seats in SEATS
        ),
        _note("reward_source", "where the reward is documented"),
        _note("count_source", "where the counts are documented"),
        _note("source", "where the type is documented"),
        _note("summary", "the reward in words"),
    ),
)

SCHEMA = Schema(
    game="vaalbara",
    title="Vaalbara",
    package="simcore.games.vaalbara",
    scalars=(
        Scalar("rounds", "int", "Length of a game; each player gains a land a round, VB-7.1", "rounds", 1, ROUNDS),
        Scalar("start_vp", "int", "Victory points at the start, VB-2.3", "VP", 0, 50),
        Scalar("hand_size", "int", "Size of a hand, VB-2.4, VB-3.9", "cards", 1, 12),
        Scalar("mountain_second", "int", "What the second Mountain of a Realm pays, VB-5.5", "VP", 0, 100),
        Scalar("mountain_fourth", "int", "What the fourth Mountain of a Realm pays, VB-5.5, VB-5.5a", "VP", 0, 100),
        Scalar("river_cap", "int", "The most that a River counts of the initiative, VB-5.6", "", 1, 20),
        Scalar("five_types_bonus", "int", "Bonus at the end for five types of land, VB-7.2", "VP", 0, 100),
        Scalar("six_types_bonus", "int", "Bonus at the end for six types of land, VB-7.2", "VP", 0, 100),
        Scalar("farmer_factor", "int", "What a land's reward is multiplied by for the Farmer, VB-6.12", "", 1, 10),
        Scalar(
            "player_marks",
            "choice",
            "The column of the table lands that says from how many players on a land is used, VB-2.1, section 13",
            choices=MARKS,
        ),
        Scalar(
            "tracker_reorders",
            "choice",
            "Whether new omens decide ties of the same round, VB-4.3 (a doubtful ruling)",
            choices=(YES, NO),
        ),
        Scalar(
            "fighter_pays_owner",
            "choice",
            "Whether who plays a Fighter gains too, against VB-6.1a (a doubtful ruling)",
            choices=(NO, YES),
        ),
    ),
    tables=(CHARACTER_TABLE, LAND_TABLE, OMEN_TABLE, TYPE_TABLE),
    check=check,
)
