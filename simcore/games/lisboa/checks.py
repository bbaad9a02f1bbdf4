"""Lisboa: what its card sets are checked for beyond the schema. L-... are ids of rules.md.

A value that could not be read is None here, and passed over: the schema has told of it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from simcore.cardset import CardSet, Problem, Value, derived_problems, nearest
from simcore.cardset.problems import show, table_file
from simcore.games.lisboa.state import (
    BUILDINGS,
    CARDS,
    CLERGY,
    CLERGY_KINDS,
    DECREE_KINDS,
    DECREES,
    DISPLAY,
    GROUPS,
    LEVELS,
    PILE,
    PLANS,
    SEATS,
    SPACES,
    STATIONS,
)
from simcore.games.lisboa.vocabulary import (
    ARCHITECTS,
    BLOCKS,
    CARD_TYPES,
    CITY_TILES,
    CLOSED,
    COLUMNS,
    DECKS,
    DISPLAY_DECKS,
    EFFECTS,
    FAVORS,
    GOODS,
    HAND_DECKS,
    HOUSE_GROUPS,
    NARROW,
    NOBLES,
    NORTH,
    PENALTIES,
    REWARDS,
    ROW_ZONES,
    RUBBLE,
    RUBBLE_PILE,
    SCORINGS,
    SHIPS,
    SITES,
    STREETS,
    TREASURY,
    ZONES,
)
from simcore.random import CAPACITY

MOST_SHIPS = 16  # of a kind
KEPT = 1  # Clergy tiles of each player at the start (L-2.3)

Row = Mapping[str, Value]
Rows = Sequence[Row]
Tables = Mapping[str, Rows]


def check(card_set: CardSet) -> list[Problem]:
    """What the schema cannot say; where all that is right, derived columns."""
    tables, rules = card_set.tables, card_set.scalars
    problems = [
        *_check_sizes(tables),
        *_check_fixed_rows(tables),
        *_check_tracks(tables),
        *_check_starts(tables, rules),
        *_check_effects(tables),
        *_check_political(tables["political_cards"], rules),
        *_check_decrees(tables["decrees"], rules),
        *_check_clergy(tables["clergy_tiles"], tables["player_setup"]),
        *_check_plans(tables["plans"], tables["player_setup"]),
        *_check_buildings(tables["public_buildings"]),
        *_check_houses(tables["house_groups"]),
        *_check_rubble(tables),
        *_check_city_tiles(tables["city_tiles"]),
        *_check_columns(tables["store_columns"]),
        *_check_scoring(tables["endgame_scoring"]),
        *_check_names(tables),
    ]
    return problems or [*_check_derived(tables, rules)]


# --- rows ------------------------------------------------------------------------------------------------------------

SIZES = {
    "political_cards": ("card_id", CARDS),
    "decrees": ("decree_id", DECREES),
    "clergy_tiles": ("clergy_tile_id", CLERGY),
    "plans": ("plan_id", PLANS),
    "public_buildings": ("building_side", 2 * BUILDINGS),
    "house_groups": ("house_id", GROUPS * LEVELS),
    "scoring_tiles": ("scoring_tile_id", SPACES),
}
"""The key and the most rows of each table whose rows are free."""

FIXED_ROWS: dict[str, tuple[str, Sequence[Value]]] = {
    "downtown_blocks": ("block_id", BLOCKS),
    "public_sites": ("site_id", SITES),
    "goods": ("good_id", GOODS),
    "city_tiles": ("city_tile_id", CITY_TILES),
    "rubble_kinds": ("rubble_id", RUBBLE),
    "rubble_zones": ("zone_id", ZONES),
    "store_columns": ("column", COLUMNS),
    "ships": ("ship_id", SHIPS),
    "church_track": ("station", range(STATIONS)),
    "royal_favors": ("favor_id", FAVORS),
    "player_setup": ("seat", range(1, SEATS + 1)),
    "store_majority": ("good_id", GOODS),
    "endgame_scoring": ("scoring_id", SCORINGS),
}
"""The key of each other table, and the rows that it must have."""


def _check_sizes(tables: Tables) -> Iterator[Problem]:
    for table, (key, most) in SIZES.items():
        rows = tables[table]
        if len(rows) > most:
            what = f"is row number {most + 1} of {len(rows)}"
            yield Problem.of_cell(table, most, key, rows[most][key], what, f"at most {most} rows")
    tiles = tables["scoring_tiles"]
    if 0 < len(tiles) < SPACES:
        what = f"has {len(tiles)} rows, and there are {SPACES} spaces"
        yield Problem(what, "scoring_tiles.csv", allowed=f"{SPACES} scoring tiles")


def _check_fixed_rows(tables: Tables) -> Iterator[Problem]:
    for table, (key, wanted) in FIXED_ROWS.items():
        present = _read(tables[table], key)
        missing = [show(value) for value in wanted if present and value not in present]
        if missing:
            what = f"has no row for {_listed(missing)}"
            yield Problem(what, table_file(table), column=key, allowed=f"a row for each of {_listed(wanted)}")


def _read(rows: Rows, key: str) -> list[Value]:
    """The values of a column; none where one of them could not be read or stands there twice."""
    values = [row[key] for row in rows]
    return [] if None in values or len(set(values)) < len(values) else values


def _listed(values: Iterable[Value]) -> str:
    return ", ".join(map(show, values))


# --- tracks ----------------------------------------------------------------------------------------------------------

TRACKS = {"price_track": ("step", 1), "treasury_track": ("step", 1), "influence_track": ("space", 0)}
"""The key of each track and where it begins."""


def _check_tracks(tables: Tables) -> Iterator[Problem]:
    for table, (key, first) in TRACKS.items():
        present = _read(tables[table], key)
        missing = [step for step in range(first, first + len(present)) if step not in present]
        if missing:
            what = f"has no {key} {missing[0]}, though it goes on to {max(map(_number, present))}"
            allowed = f"each {key} from {first} on, without a gap"
            yield Problem(what, table_file(table), column=key, allowed=allowed)
    if len(_read(tables["influence_track"], "space")) == 1:
        what, allowed = "has one space only", "at least 2 spaces"
        yield Problem(what, "influence_track.csv", column="space", allowed=allowed)
    for table, key in (("treasury_track", "step"), ("church_track", "station")):
        yield from _check_one_start(table, key, tables[table])


def _check_one_start(table: str, key: str, rows: Rows) -> Iterator[Problem]:
    if any(row["is_start"] is None for row in rows):
        return
    starts = [position for position, row in enumerate(rows) if row["is_start"] == 1]
    if rows and not starts:
        yield Problem("is 1 in no row", table_file(table), column="is_start", allowed="1 in exactly one row")
    for position in starts[1:]:
        what = f"is a second start beside {key} {rows[starts[0]][key]}"
        yield Problem.of_cell(table, position, "is_start", 1, what, "1 in exactly one row", "0")


# --- what the game starts with ---------------------------------------------------------------------------------------


def _check_starts(tables: Tables, rules: Row) -> Iterator[Problem]:
    """Prices, influence, goods and officials at the start are where they can be (L-2.1, L-2.3)."""
    players, goods = tables["player_setup"], tables["goods"]
    top_price = max(map(_number, _read(tables["price_track"], "step")), default=None)
    top_influence = max(map(_number, _read(tables["influence_track"], "space")), default=None)
    yield from _check_at_most("goods", goods, "price_start", top_price, "the last step of price_track.csv")
    yield from _check_at_most(
        "player_setup", players, "influence_start", top_influence, "the last space of influence_track.csv"
    )
    yield from _check_at_most(
        "player_setup", players, "goods_each_type_start", rules["warehouse_base"], "warehouse_base, the room for a type"
    )
    yield from _check_tokens(goods, players)
    yield from _check_officials(players, rules["office_capacity"])


def _check_at_most(table: str, rows: Rows, column: str, most: Value, what: str) -> Iterator[Problem]:
    for position, row in enumerate(rows):
        value = row[column]
        if isinstance(value, int) and isinstance(most, int) and value > most:
            yield Problem.of_cell(
                table, position, column, value, f"is more than {most}, {what}", f"at most {most}", str(most)
            )


def _check_tokens(goods: Rows, players: Rows) -> Iterator[Problem]:
    needed = _total(row["goods_each_type_start"] for row in players)
    for position, row in enumerate(goods):
        tokens = row["token_count"]
        if needed is not None and isinstance(tokens, int) and tokens < needed:
            what = f"is too few: the players start with {needed} in all"
            yield Problem.of_cell("goods", position, "token_count", tokens, what, f"at least {needed}", str(needed))


def _check_officials(players: Rows, capacity: Value) -> Iterator[Problem]:
    inside = [row["officials_in_marquis_office"] for row in players]
    for position, row in enumerate(players):
        own, placed = row["officials"], inside[position]
        if isinstance(own, int) and isinstance(placed, int) and placed > own:
            what = f"is more than the {own} officials of the player"
            yield Problem.of_cell(
                "player_setup", position, "officials_in_marquis_office", placed, what, f"at most {own}", str(own)
            )
    total = _total(inside)
    if total is not None and isinstance(capacity, int) and total > capacity:
        what = f"is less than the {total} officials that start in the Marquis' office"
        yield Problem.of_scalar("office_capacity", capacity, what, f"at least {total}", str(total))


# --- effects ---------------------------------------------------------------------------------------------------------

EFFECT_COLUMNS = {
    "political_cards": ("reward", "permanent", "event"),
    "clergy_tiles": ("permanent",),
    "house_groups": ("ability",),
    "downtown_blocks": ("reward",),
    "public_sites": ("reward",),
}


def _check_effects(tables: Tables) -> Iterator[Problem]:
    """Each effect has what its code asks for (L-5.7, L-15.5)."""
    for table, names in EFFECT_COLUMNS.items():
        for position, row in enumerate(tables[table]):
            for name in names:
                yield from _check_effect(table, position, name, row)


def _check_effect(table: str, position: int, name: str, row: Row) -> Iterator[Problem]:
    code, argument, amount = (row[f"{name}_{part}"] for part in ("code", "arg", "amount"))
    if code is None:
        part = "arg" if argument is not None else "amount"
        if row[f"{name}_{part}"] is not None:
            what = f"is blank, but {name}_{part} is {row[f'{name}_{part}']}"
            yield Problem.of_cell(table, position, f"{name}_code", code, what, "the code of an effect, or all blank")
        return
    yield from _check_argument(table, position, f"{name}_arg", str(code), argument)
    scope = EFFECTS[str(code)]
    if amount is None:
        what = f"is blank, but {code} has an amount"
        allowed = _from_to(scope.least, scope.most)
        yield Problem.of_cell(table, position, f"{name}_amount", amount, what, allowed, str(scope.least))
    elif not scope.least <= _number(amount) <= scope.most:
        what = f"is {'less' if _number(amount) < scope.least else 'more'} than {code} allows"
        near = min(max(_number(amount), scope.least), scope.most)
        allowed = _from_to(scope.least, scope.most)
        yield Problem.of_cell(table, position, f"{name}_amount", amount, what, allowed, str(near))


def _check_argument(table: str, position: int, column: str, code: str, argument: Value) -> Iterator[Problem]:
    words = EFFECTS[code].arguments
    if argument is None and words:
        near = words[0] if len(words) == 1 else ""
        what = f"is blank, but {code} needs an argument"
        yield Problem.of_cell(table, position, column, argument, what, ", ".join(words), near)
    elif argument is not None and not words:
        what = f"cannot stand with {code}, which has no argument"
        yield Problem.of_cell(table, position, column, argument, what, "blank")
    elif argument is not None and argument not in words:
        near = words[0] if len(words) == 1 else nearest(str(argument), words)
        what = f"cannot stand with {code}"
        yield Problem.of_cell(table, position, column, argument, what, ", ".join(words), near)


def _from_to(least: int, most: int) -> str:
    if most - least <= 1:
        return str(least) if least == most else f"{least} or {most}"
    return f"a whole number from {least} to {most}"


# --- cards and tiles -------------------------------------------------------------------------------------------------


def _check_political(rows: Rows, rules: Row) -> Iterator[Problem]:
    for position, row in enumerate(rows):
        if row["card_type"] == TREASURY:
            yield from _check_treasury_card(position, row)
        elif row["card_type"] is not None:
            yield from _check_noble_card(position, row)
    if not any(None in (row["deck"], row["card_type"]) for row in rows):
        yield from _check_decks(rows, rules["hand_size"])


def _check_treasury_card(position: int, row: Row) -> Iterator[Problem]:
    if row["influence"] not in (0, None):
        what = "is the influence of a treasury card, which counts nowhere"
        yield Problem.of_cell("political_cards", position, "influence", row["influence"], what, "0", "0")
    if row["bottom_kind"] not in ("none", None):
        what = "is the bottom of a treasury card, which has none"
        yield Problem.of_cell("political_cards", position, "bottom_kind", row["bottom_kind"], what, "none", "none")
    yield from _check_blank(position, row, "reward", "a treasury card has no bottom")
    for name, where in (("permanent", "in the portfolio"), ("event", "at the Royal Court")):
        yield from _check_given(position, row, name, f"a treasury card has one {where}")


def _check_noble_card(position: int, row: Row) -> Iterator[Problem]:
    kind, code = row["bottom_kind"], row["reward_code"]
    if kind == "none":
        yield from _check_blank(position, row, "reward", "the bottom_kind is none")
    elif kind is not None:
        yield from _check_given(position, row, "reward", f"the bottom_kind is {kind}")
        codes = PENALTIES if kind == "penalty" else REWARDS
        if code is not None and code not in codes:
            what = f"is no {kind}"
            near = nearest(str(code), codes)
            yield Problem.of_cell("political_cards", position, "reward_code", code, what, ", ".join(codes), near)
    for name in ("permanent", "event"):
        yield from _check_blank(position, row, name, "only treasury cards have one")


def _check_blank(position: int, row: Row, name: str, why: str) -> Iterator[Problem]:
    code = row[f"{name}_code"]
    if code is not None:
        yield Problem.of_cell("political_cards", position, f"{name}_code", code, f"must not be there: {why}", "blank")


def _check_given(position: int, row: Row, name: str, why: str) -> Iterator[Problem]:
    if all(row[f"{name}_{part}"] is None for part in ("code", "arg", "amount")):
        what, allowed = f"is blank, but {why}", "the code of an effect"
        yield Problem.of_cell("political_cards", position, f"{name}_code", None, what, allowed)


def _check_decks(rows: Rows, hand: Value) -> Iterator[Problem]:
    """Full hands for four players (L-2.3, L-16.5), and something on each display deck (L-2.5)."""
    have = Counter(row["deck"] for row in rows)
    for deck in HAND_DECKS:
        if rows and isinstance(hand, int) and have[deck] < SEATS * hand:
            what = f"has {have[deck]} {deck} cards, and {SEATS} players are dealt {hand} each"
            allowed = f"at least {SEATS * hand} {deck} cards, or a smaller hand_size"
            yield Problem(what, "political_cards.csv", column="deck", allowed=allowed)
    displayed = Counter((row["deck"], row["card_type"]) for row in rows)
    for deck in DISPLAY_DECKS:
        for card_type in CARD_TYPES:
            count = displayed[deck, card_type]
            if rows and not 0 < count <= DISPLAY:
                what = f"has {count} {deck} cards of the type {card_type}"
                yield Problem(what, "political_cards.csv", column="card_type", allowed=f"1 to {DISPLAY} of them")


def _check_decrees(rows: Rows, rules: Row) -> Iterator[Problem]:
    """A full display with two players too (L-2.5, L-18.1), and not too many kinds for the card log."""
    yield from _check_kinds("decrees", rows, "decree_kind", DECREE_KINDS)
    display, left = rules["decree_display"], sum(row["remove_in_2p"] == 0 for row in rows)
    if any(row["remove_in_2p"] is None for row in rows) or not isinstance(display, int) or not rows:
        return
    if left < display:
        what = f"has {left} decrees for two players, and {display} are on display"
        allowed = f"at least {display} of them, or a smaller decree_display"
        yield Problem(what, "decrees.csv", column="remove_in_2p", allowed=allowed)


def _check_kinds(table: str, rows: Rows, column: str, most: int) -> Iterator[Problem]:
    kinds: dict[Value, int] = {}
    for position, row in enumerate(rows):
        if row[column] is not None:
            kinds.setdefault(row[column], position)
    if len(kinds) > most:
        kind, position = [*kinds.items()][most]
        what = f"is kind number {most + 1} of {len(kinds)}"
        yield Problem.of_cell(table, position, column, kind, what, f"at most {most} kinds")


def _check_clergy(rows: Rows, players: Rows) -> Iterator[Problem]:
    """Tiles of a kind do the same; there are enough for the offers, and for the Church after them (L-2.3, L-2.4)."""
    yield from _check_kinds("clergy_tiles", rows, "clergy_kind", CLERGY_KINDS)
    first: dict[Value, int] = {}
    for position, row in enumerate(rows):
        example = first.setdefault(row["clergy_kind"], position)
        if row["clergy_kind"] is not None:
            yield from _check_alike(position, row, example, rows[example])
    offered = _total(row["clergy_drawn"] for row in players)
    least = max(offered or 0, SEATS * KEPT + STATIONS)
    if 0 < len(rows) < least:
        what = f"has {len(rows)} tiles, too few for the offers to {SEATS} players and the Church after them"
        yield Problem(what, "clergy_tiles.csv", allowed=f"at least {least} tiles")


def _check_alike(position: int, row: Row, example: int, other: Row) -> Iterator[Problem]:
    for column in ("permanent_code", "permanent_arg", "permanent_amount"):
        if row[column] != other[column] and None not in (row[column], other[column]):
            kind = row["clergy_kind"]
            what = f"differs from {other['clergy_tile_id']}, a tile of the same kind ({kind})"
            allowed = f"the same value in all rows with clergy_kind {kind}"
            yield Problem.of_cell("clergy_tiles", position, column, row[column], what, allowed, show(other[column]))


def _check_plans(rows: Rows, players: Rows) -> Iterator[Problem]:
    """Starting plans for four players (L-2.3); piles with the orders 1, 2, 3 ..., fewest officials on top (L-2.1)."""
    needed = _total(row["starting_plans"] for row in players)
    if any(None in (row["is_starting"], row["pile_order"], row["architect"]) for row in rows):
        return
    starting = sum(row["is_starting"] == 1 for row in rows)
    if rows and needed is not None and starting < needed:
        what = f"has {starting} starting plans, and {needed} players get one"
        yield Problem(what, "plans.csv", column="is_starting", allowed=f"at least {needed} starting plans")
    for position, row in enumerate(rows):
        if row["is_starting"] and row["pile_order"]:
            what = "is the place of a starting plan, which lies in no pile"
            yield Problem.of_cell("plans", position, "pile_order", row["pile_order"], what, "0", "0")
    for architect in ARCHITECTS:
        pile = [place for place, row in enumerate(rows) if row["architect"] == architect and not row["is_starting"]]
        yield from _check_pile(rows, sorted(pile, key=lambda place: _number(rows[place]["pile_order"])))


def _check_pile(rows: Rows, pile: Sequence[int]) -> Iterator[Problem]:
    if len(pile) > PILE:
        last = pile[PILE]
        what = f"is place {PILE + 1} of {len(pile)} in the {rows[last]['architect']} pile"
        allowed = f"at most {PILE} plans in a pile"
        yield Problem.of_cell("plans", last, "pile_order", rows[last]["pile_order"], what, allowed)
        return
    for order, place in enumerate(pile, 1):
        if rows[place]["pile_order"] != order:
            what = f"is place {order} of the {rows[place]['architect']} pile, counted from the top"
            allowed = "1, 2, 3 ... in each pile, each once"
            yield Problem.of_cell("plans", place, "pile_order", rows[place]["pile_order"], what, allowed, str(order))
            return
    for upper, lower in pairwise(pile):
        above, below = rows[upper]["officials_required"], rows[lower]["officials_required"]
        if isinstance(above, int) and isinstance(below, int) and below < above:
            what = f"is less than the {above} of {rows[upper]['plan_id']}, which lies above it"
            allowed = f"at least {above}, or another pile_order: fewest officials on top"
            yield Problem.of_cell("plans", lower, "officials_required", below, what, allowed, str(above))


def _check_buildings(rows: Rows) -> Iterator[Problem]:
    """Both sides of each tile (L-13.3), and as many tiles for either stack (L-2.1)."""
    if any(None in (row["public_building_id"], row["side"]) for row in rows):
        return
    first: dict[tuple[Value, Value], int] = {}
    for position, row in enumerate(rows):
        example = first.setdefault((row["public_building_id"], row["side"]), position)
        if example != position:
            what = f"is the {row['side']} side of {row['public_building_id']} again"
            allowed, near = "each side of a tile once", _other_side(str(row["side"]))
            yield Problem.of_cell("public_buildings", position, "side", row["side"], what, allowed, near)
    tiles = [*dict.fromkeys(tile for tile, _ in first)]
    for (tile, side), position in first.items():
        other = _other_side(str(side))
        if (tile, other) not in first and len(first) == len(rows):
            what, allowed = f"has no row for its {other} side", "a blue and a green side for each tile"
            yield Problem.of_cell("public_buildings", position, "public_building_id", tile, what, allowed)
    if len(tiles) % 2:
        what = f"has {len(tiles)} tiles, which two stacks cannot share"
        yield Problem(what, "public_buildings.csv", column="public_building_id", allowed="an even number of tiles")


def _other_side(side: str) -> str:
    return ARCHITECTS[1 - ARCHITECTS.index(side)]


def _check_houses(rows: Rows) -> Iterator[Problem]:
    """The levels of each group are 1, 2, 3 ... (L-11.10)."""
    if any(None in (row["group_id"], row["level"]) for row in rows):
        return
    for group in HOUSE_GROUPS:
        own = [position for position, row in enumerate(rows) if row["group_id"] == group]
        for level, position in enumerate(sorted(own, key=lambda place: _number(rows[place]["level"])), 1):
            if rows[position]["level"] != level:
                what = f"is house number {level} of the group {group}, by level"
                allowed = "1, 2, 3 ... in each group, each once"
                yield Problem.of_cell(
                    "house_groups", position, "level", rows[position]["level"], what, allowed, str(level)
                )
                break


# --- the map and the scoring -----------------------------------------------------------------------------------------


def _check_rubble(tables: Tables) -> Iterator[Problem]:
    """Enough cubes for all places (L-2.6), and not more than can be shuffled."""
    cubes = _total(row["cube_count"] for row in tables["rubble_kinds"])
    zones = _total(row["cubes_at_setup"] for row in tables["rubble_zones"])
    sites = _total(row["rubble_cubes"] for row in tables["public_sites"])
    if cubes is None or zones is None or sites is None:
        return
    if cubes < zones + sites:
        what = f"is {cubes} for all kinds together, and the map takes {zones} + {sites} cubes"
        allowed = f"at least {zones + sites} cubes, or fewer of them in rubble_zones.csv or public_sites.csv"
        yield Problem(what, "rubble_kinds.csv", column="cube_count", allowed=allowed)
    elif cubes > CAPACITY:
        what, allowed = f"is {cubes} for all kinds together", f"at most {CAPACITY} cubes"
        yield Problem(what, "rubble_kinds.csv", column="cube_count", allowed=allowed)


def _check_city_tiles(rows: Rows) -> Iterator[Problem]:
    for position, row in enumerate(rows):
        spaces, count = row["display_spaces"], row["count"]
        if isinstance(spaces, int) and isinstance(count, int) and spaces > count:
            what = f"is more than the {count} tiles of the kind"
            yield Problem.of_cell(
                "city_tiles", position, "display_spaces", spaces, what, f"at most {count}", str(count)
            )


def _check_columns(rows: Rows) -> Iterator[Problem]:
    """The narrow column alone has a printed value (L-1.5)."""
    for position, row in enumerate(rows):
        column, value = row["column"], row["fixed_wigs"]
        if column == NARROW and value is None:
            what = f"is blank, but column {NARROW} has no scoring tile"
            yield Problem.of_cell("store_columns", position, "fixed_wigs", value, what, "a whole number from 0 to 20")
        elif column not in (NARROW, None) and value is not None:
            what = f"stands in column {column}, whose value lies on its scoring tile"
            yield Problem.of_cell("store_columns", position, "fixed_wigs", value, what, "blank")


PLACES = ("first_wigs", "second_wigs", "third_wigs", "first_wigs_2p", "second_wigs_2p")
SCORED_BY: dict[Value, tuple[str, ...]] = {
    "ships": ("wigs_per_unit",),
    "rubble_sets": ("wigs_per_unit",),
    "reais": ("wigs_per_unit",),
    "royal_favors": ("wigs_per_unit",),
    "officials_majority": PLACES,
    "store_majority": (),
    "decrees": (),
}
"""The columns of endgame_scoring.csv that each part of the scoring reads."""


def _check_scoring(rows: Rows) -> Iterator[Problem]:
    """Each part has the values that it reads; money is scored by `end_reais_per_wig` (L-17.4)."""
    for position, row in enumerate(rows):
        if row["scoring_id"] == "reais" and row["wigs_per_unit"] not in (1, None):
            what, allowed = "is not 1, the wig for so many reais", "1, with another end_reais_per_wig in the rules"
            yield Problem.of_cell(
                "endgame_scoring", position, "wigs_per_unit", row["wigs_per_unit"], what, allowed, "1"
            )
        used = SCORED_BY.get(row["scoring_id"])
        if used is None:
            continue
        for column in ("wigs_per_unit", *PLACES):
            value = row[column]
            if column in used and value is None:
                what, allowed = f"is blank, but {row['scoring_id']} has it", "a number of wigs"
                yield Problem.of_cell("endgame_scoring", position, column, value, what, allowed)
            elif column not in used and value is not None:
                what = f"cannot stand with {row['scoring_id']}, which does not use it"
                yield Problem.of_cell("endgame_scoring", position, column, value, what, "blank")


# --- names in the card log -------------------------------------------------------------------------------------------

LOGGED: dict[str, tuple[str, str]] = {
    "decrees": ("decree_kind", "decree_{}"),
    "clergy_tiles": ("clergy_kind", "clergy_{}"),
    "political_cards": ("card_id", "{}"),
    "downtown_blocks": ("block_id", "block_{}"),
    "public_buildings": ("public_building_id", "building_{}"),
    "ships": ("ship_id", "{}"),
    "plans": ("plan_id", "{}"),
}
"""The column that names what the card log follows, and its name there."""


def logged(table: str, value: Value) -> str:
    """What the card log calls a card, a tile, a plan ...: small letters only."""
    return LOGGED[table][1].format(value).lower()


def _check_names(tables: Tables) -> Iterator[Problem]:
    """Names in the card log differ, also in small letters; copies of a ship are numbered there."""
    owner: dict[str, tuple[str, Value]] = {
        f"{ship}_{copy}": ("ships", ship) for ship in SHIPS for copy in range(1, MOST_SHIPS + 1)
    }
    for table, (column, _) in LOGGED.items():
        for position, row in enumerate(tables[table]):
            value = row[column]
            if value is None:
                continue
            other_table, other = owner.setdefault(logged(table, value), (table, value))
            if (other_table, other) != (table, value):
                where = "" if other_table == table else f" of {table_file(other_table)}"
                what = f"has the same name in the card log as {other}{where} ({logged(table, value)})"
                yield Problem.of_cell(table, position, column, value, what, f"a {column} of its own", f"{value}_2")


# --- derived columns -------------------------------------------------------------------------------------------------


def _check_derived(tables: Tables, rules: Row) -> Iterator[Problem]:
    """The derived columns, where the columns that they follow from could be read and every key stands there once."""
    if None in rules.values() or not all(_was_read(tables[table], names) for table, names in FOLLOWED.items()):
        return
    if not all(_read(tables[table], key) for table, (key, _) in FIXED_ROWS.items()):
        return
    for table, derive in DERIVED.items():
        rows = tables[table]
        columns = [derive(row, tables, rules) for row in rows]
        yield from derived_problems(table, rows, {name: [each[name] for each in columns] for name in columns[0]})


def _of_good(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    number = GOODS.index(str(row["good_id"]))
    return {"good_index": number, "street_index": number}


def _of_station(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    station = _number(row["station"])
    return {"clergy_slot_left": (station - 1) % STATIONS, "clergy_slot_right": station}


def _of_block(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    letter, digit = str(row["block_id"])[0], str(row["block_id"])[1]
    streets = STREETS[int(digit)]
    return {
        "row": letter,
        "column": int(digit),
        "street_1": streets[0],
        "street_2": streets[1] if len(streets) > 1 else None,
        "tile_size": "small" if int(digit) == NARROW else "large",
        "block_index": BLOCKS.index(str(row["block_id"])),
        "closed_in_2p": int(row["block_id"] in CLOSED),
    }


def _of_site(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    side, place = str(row["site_id"])[0], str(row["site_id"])[1]
    north = side == NORTH
    return {
        "side": side,
        "row": None if north else place,
        "street_id": GOODS[int(place) - 1] if north else None,
        "site_index": SITES.index(str(row["site_id"])),
        "closed_in_2p": int(row["site_id"] in CLOSED),
    }


def _of_zone(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    zone = str(row["zone_id"])
    kind = RUBBLE_PILE if zone == RUBBLE_PILE else "row" if zone in ROW_ZONES else "column"
    return {
        "zone_index": ZONES.index(zone),
        "zone_kind": kind,
        "label": None if zone == RUBBLE_PILE else zone[-1],
        "closed_in_2p": int(zone in CLOSED),
    }


def _of_rubble(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    return {"rubble_index": RUBBLE.index(str(row["rubble_id"])), "max_per_player": rules["max_rubble_per_kind"]}


def _of_city_tile(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    number = CITY_TILES.index(str(row["city_tile_id"]))
    small = number == len(GOODS)
    return {
        "city_tile_index": number,
        "good_id": GOODS[-1] if small else GOODS[number],
        "tile_size": "small" if small else "large",
    }


def _of_column(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    number = _number(row["column"]) - 1
    return {"column_index": number, "scoring_space": None if row["column"] == NARROW else number}


def _of_ship(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    period, below = divmod(SHIPS.index(str(row["ship_id"])), 2)
    copies = max(_number(row[f"copies_{seats}p"]) for seats in (2, 3, 4))
    return {"copies_total": copies, "period": period + 1, "stack_order": below + 1}


def _of_house(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    return {"group_index": HOUSE_GROUPS.index(str(row["group_id"]))}


def _of_political(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    deck = str(row["deck"])
    return {"period": 1 + DECKS.index(deck) // 2, "role": "hand" if deck in HAND_DECKS else "display"}


def _of_player(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    return {
        "houses": len(tables["house_groups"]),
        "clergy_kept": KEPT,
        "hand_size": rules["hand_size"],
    }


def _of_favor(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    wigs = next(each["wigs_per_unit"] for each in tables["endgame_scoring"] if each["scoring_id"] == "royal_favors")
    return {"noble_id": NOBLES[FAVORS.index(str(row["favor_id"]))], "end_wigs_each": wigs}


def _of_scoring(row: Row, tables: Tables, rules: Row) -> dict[str, Value]:
    return {"order": SCORINGS.index(str(row["scoring_id"])) + 1}


DERIVED: dict[str, Callable[[Row, Tables, Row], dict[str, Value]]] = {
    "goods": _of_good,
    "church_track": _of_station,
    "downtown_blocks": _of_block,
    "public_sites": _of_site,
    "rubble_zones": _of_zone,
    "rubble_kinds": _of_rubble,
    "city_tiles": _of_city_tile,
    "store_columns": _of_column,
    "ships": _of_ship,
    "house_groups": _of_house,
    "political_cards": _of_political,
    "player_setup": _of_player,
    "royal_favors": _of_favor,
    "endgame_scoring": _of_scoring,
}
"""How the derived columns of a row follow, for each table that has any."""

FOLLOWED: dict[str, tuple[str, ...]] = {
    **{table: (key,) for table, (key, _) in FIXED_ROWS.items()},
    "ships": ("ship_id", "copies_2p", "copies_3p", "copies_4p"),
    "house_groups": ("group_id",),
    "political_cards": ("deck",),
}
"""The columns that they follow from, beside the rules."""


def _was_read(rows: Rows, names: Sequence[str]) -> bool:
    return bool(rows) and all(row[name] is not None for row in rows for name in names)


# --- small help ------------------------------------------------------------------------------------------------------


def _number(value: Value) -> int:
    """A value that is known to be one."""
    return int(value or 0)


def _total(values: Iterable[Value]) -> int | None:
    """The sum; None where one of the values could not be read."""
    found = [*values]
    numbers = [value for value in found if isinstance(value, int)]
    return sum(numbers) if len(numbers) == len(found) and found else None
