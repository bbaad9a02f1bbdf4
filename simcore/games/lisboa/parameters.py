"""Lisboa: the parameter record that a card set becomes, and the columns of its card log. L-... are ids of rules.md."""

from collections.abc import Iterable, Iterator
from typing import Any

from simcore import records
from simcore.cardset import CardSet
from simcore.game import LoggedCard
from simcore.games.lisboa.checks import logged
from simcore.games.lisboa.rules.denials import BLANK_CARD
from simcore.games.lisboa.rules.events import (
    BLOCK_CODE,
    BUILDING_CODE,
    CARD_CODE,
    CLERGY_CODE,
    PLAN_CODE,
    SHIP_CODE,
    SHIP_COPIES,
)
from simcore.games.lisboa.state import (
    ALL,
    ANY,
    CARD_SET,
    GOODS,
    INFLUENCE,
    NOBLES,
    NOBODY,
    NOTHING,
    STORE_TYPE,
    Bottom,
    Effect,
    Metric,
    Power,
    Symbol,
)
from simcore.games.lisboa.vocabulary import (
    ARCHITECTS,
    BLOCKS,
    CARD_TYPES,
    CITY_TILES,
    CLOSED,
    COLUMN_ZONES,
    COLUMNS,
    DECKS,
    DISPLAY_DECKS,
    FAVORS,
    HAND_DECKS,
    HOUSE_GROUPS,
    NARROW,
    NOBLE_ACTIONS,
    ROW_ZONES,
    RUBBLE,
    RUBBLE_PILE,
    SHIPS,
    SITES,
    STATE_ACTIONS,
    STREETS,
    YES,
)
from simcore.games.lisboa.vocabulary import GOODS as GOOD_WORDS
from simcore.games.lisboa.vocabulary import NOBLES as NOBLE_WORDS
from simcore.random import fill_deck

Row = dict[str, Any]
Rows = list[Row]
Tables = dict[str, Rows]


def parameters(card_set: CardSet, seats: int) -> Any:
    """The parameter record (dtype CARD_SET) of a valid card set for so many seats."""
    cards = records.zero(CARD_SET)
    cards.seats = seats
    cards.ban_place, cards.banned, cards.blanked = NOBODY, NOTHING, NOTHING
    tables = card_set.tables
    _scalars(cards, card_set.scalars)
    _switches(cards, card_set.scalars)
    _players(cards, tables["player_setup"], len(tables["house_groups"]))
    _money(cards, tables)
    _influence(cards, tables["influence_track"])
    _church(cards, tables["church_track"])
    _goods(cards, tables)
    _rubble(cards, tables, card_set.scalars["max_rubble_per_kind"])
    _favors(cards, tables["royal_favors"])
    _places(cards, tables)
    _stores(cards, tables)
    _houses(cards, tables["house_groups"])
    _ships(cards, tables["ships"])
    _plans(cards, tables["plans"])
    _buildings(cards, tables["public_buildings"])
    _political(cards, tables["political_cards"])
    _clergy(cards, tables["clergy_tiles"])
    _decrees(cards, tables["decrees"])
    _scoring(cards, tables["endgame_scoring"])
    return cards


# --- rules and set-up ------------------------------------------------------------------------------------------------


def _scalars(cards: Any, rules: Row) -> None:
    cards.portfolio_base = rules["portfolio_base"]
    cards.top_slots, cards.bottom_slots = rules["portfolio_top_slots"], rules["portfolio_bottom_slots"]
    cards.warehouse_base, cards.set_markers = rules["warehouse_base"], rules["set_markers_per_player"]
    cards.hand_size, cards.decree_display = rules["hand_size"], rules["decree_display"]
    cards.trade_goods, cards.recruit_officials = rules["trade_max_goods"], rules["recruit_max_officials"]
    cards.office_capacity, cards.plan_limit = rules["office_capacity"], rules["plan_limit_per_player"]
    cards.cardinal_steps, cards.clergy_limit = rules["cardinal_max_steps"], rules["clergy_limit_per_player"]
    cards.period_end_sets, cards.game_end_sets = rules["period_1_end_sets"], rules["game_end_sets"]
    cards.empty_decks = rules["end_trigger_empty_decks"]
    cards.set_marker_decrees, cards.markers_per_turn = rules["set_marker_decrees"], rules["decree_markers_per_turn"]
    cards.favor_limit, cards.visit_reais_max = rules["royal_favor_limit_per_noble"], rules["visit_reais_max"]
    cards.reais_per_wig = rules["end_reais_per_wig"]


def _switches(cards: Any, rules: Row) -> None:
    cards.count_coins = int(rules["end_count_influence_coins"] == YES)
    cards.auto_payment = int(rules["auto_payment"] == YES)
    cards.north_site_colours = int(rules["north_site_colours"] == YES)
    cards.hiring = int(rules["hiring"] == YES)
    cards.influence_per_tile = int(rules["influence_per_tile"] == YES)
    cards.free_follows = int(rules["free_follows"] == YES)


def _players(cards: Any, rows: Rows, houses: int) -> None:
    """By place in turn order (L-2.3)."""
    for row in rows:
        place = row["seat"] - 1
        cards.influence_start[place], cards.wigs_start[place] = row["influence_start"], row["wigs_start"]
        cards.reais_start[place], cards.goods_start[place] = row["reais_start"], row["goods_each_type_start"]
        cards.houses[place], cards.officials[place] = houses, row["officials"]
        cards.officials_in_office[place], cards.offered[place] = row["officials_in_marquis_office"], row["clergy_drawn"]
        cards.favors_start[place], cards.plans_start[place] = row["royal_favors_start"], row["starting_plans"]


# --- tracks ----------------------------------------------------------------------------------------------------------


def _money(cards: Any, tables: Tables) -> None:
    prices, treasury = tables["price_track"], tables["treasury_track"]
    cards.price_first, cards.price_last = 1, len(prices)
    for row in prices:
        cards.price[row["step"]] = row["price_reais"]
    cards.treasury_first, cards.treasury_last = 1, len(treasury)
    for row in treasury:
        cards.treasury_value[row["step"]] = row["treasury_value_reais"]
        cards.influence_cost[row["step"]] = row["influence_cost"]
        if row["is_start"]:
            cards.treasury_start = row["step"]


def _influence(cards: Any, rows: Rows) -> None:
    cards.influence_max = len(rows) - 1
    coins = sorted((row["space"] for row in rows if row["coin_icon"]), reverse=True)
    for row in rows:
        space = row["space"]
        below = [coin for coin in coins if coin < space]
        cards.coins[space] = len(below)
        cards.space_after[space] = [space, *below, *[0] * (INFLUENCE - 1 - len(below))]
        cards.space_wigs[space] = row["wig_icon"]


def _church(cards: Any, rows: Rows) -> None:
    for row in rows:
        cards.symbol[row["station"]] = Symbol[row["symbol"].upper()]
        if row["is_start"]:
            cards.cardinal_start = row["station"]


# --- goods, rubble, favors -------------------------------------------------------------------------------------------


def _goods(cards: Any, tables: Tables) -> None:
    for row in tables["goods"]:
        good = GOOD_WORDS.index(row["good_id"])
        cards.tokens[good], cards.price_start[good] = row["token_count"], row["price_start"]
        for noble in range(NOBLES):
            if row["noble_id"] in ("any", NOBLE_WORDS[noble]):
                cards.accepted[noble] |= 1 << good
    for row in tables["store_majority"]:
        places = [row[f"{place}_wigs"] for place in ("first", "second", "third")]
        cards.majority[GOOD_WORDS.index(row["good_id"])] = places


def _rubble(cards: Any, tables: Tables, most: int) -> None:
    cubes = []
    kinds = {row["rubble_id"]: row for row in tables["rubble_kinds"]}
    for kind, row in enumerate(kinds[name] for name in RUBBLE):
        cards.cube_value[kind], cards.most_cubes[kind] = row["cost_reais"], most
        cubes += [(kind, f"cube {row['rubble_id']} {number}") for number in range(row["cube_count"])]
    fill_deck(cards.cube_deck, cubes)
    lying = {row["zone_id"]: row["cubes_at_setup"] for row in tables["rubble_zones"]}
    for number, zone in enumerate((*ROW_ZONES, *COLUMN_ZONES)):
        cards.zone_cubes[number] = 0 if _is_closed(cards, zone) else lying[zone]
    cards.pile_cubes = lying[RUBBLE_PILE]


def _is_closed(cards: Any, place: str) -> bool:
    """Whether a zone, a block or a site is closed for so many seats."""
    return bool(cards.seats == 2) and place in CLOSED


def _favors(cards: Any, rows: Rows) -> None:
    tiles = []
    each = {row["favor_id"]: row["count_in_play_per_player"] for row in rows}
    for noble, name in enumerate(FAVORS):
        cards.favors[noble] = cards.seats * each[name]
        tiles += [(noble, f"favor {name} {number}") for number in range(cards.favors[noble])]
    fill_deck(cards.favor_deck, tiles)


# --- the map ---------------------------------------------------------------------------------------------------------


def _places(cards: Any, tables: Tables) -> None:
    """Which blocks and sites are in the game, and what they bring."""
    for row in tables["downtown_blocks"]:
        block = BLOCKS.index(row["block_id"])
        _instant(cards.block_reward[block], row, "reward")
        cards.open_blocks |= int(not _is_closed(cards, row["block_id"])) << block
    for row in tables["public_sites"]:
        site = SITES.index(row["site_id"])
        _instant(cards.site_reward[site], row, "reward")
        closed = _is_closed(cards, row["site_id"])
        cards.open_sites |= int(not closed) << site
        cards.site_cubes[site] = 0 if closed else row["rubble_cubes"]


def _stores(cards: Any, tables: Tables) -> None:
    """The pairs of block and store (L-1.4), their tiles, and what they count (L-1.5)."""
    pairs = [(block, street) for block in BLOCKS for street in STREETS[int(block[1])]]
    for number, (block, good) in enumerate(pairs):
        tile = CITY_TILES[-1] if int(block[1]) == NARROW else CITY_TILES[GOOD_WORDS.index(good)]
        cards.store_block[number], cards.store_good[number] = BLOCKS.index(block), GOOD_WORDS.index(good)
        cards.store_tile[number] = CITY_TILES.index(tile)
    for row in tables["city_tiles"]:
        kind = CITY_TILES.index(row["city_tile_id"])
        cards.tile_count[kind], cards.tile_spaces[kind] = row["count"], row["display_spaces"]
    for row in tables["store_columns"]:
        column = COLUMNS.index(row["column"])
        cards.column_space[column] = NOTHING if row["column"] == NARROW else column
        cards.column_wigs[column] = row["fixed_wigs"] or 0
    tiles = tables["scoring_tiles"]
    cards.tile_wigs = [row["wigs_per_store"] for row in tiles]
    _fill(cards.scoring_deck, "scoring tile", enumerate(row["scoring_tile_id"] for row in tiles))


def _houses(cards: Any, rows: Rows) -> None:
    for row in rows:
        group = HOUSE_GROUPS.index(row["group_id"])
        cards.group_size[group] += 1
        _lasting(cards.house_power[group, row["level"] - 1], row, "ability")


# --- ships, plans, buildings -----------------------------------------------------------------------------------------


def _ships(cards: Any, rows: Rows) -> None:
    copies = [0] * len(SHIPS)
    for row in rows:
        kind = SHIPS.index(row["ship_id"])
        cards.hull[kind], cards.ship_goods[kind] = row["hull_size"], row["goods_cost_types"]
        cards.ship_influence[kind], cards.modifier[kind] = row["influence"], row["price_modifier_reais"]
        copies[kind] = row[f"copies_{cards.seats}p"]
    for period, kinds in enumerate([(0, 1), (2, 3)]):
        yard = [kind for kind in kinds for _ in range(copies[kind])]
        cards.yard[period, : len(yard)], cards.yard_size[period] = yard, len(yard)


def _plans(cards: Any, rows: Rows) -> None:
    for plan, row in enumerate(rows):
        architect = ARCHITECTS.index(row["architect"])
        cards.plan_officials[plan], cards.plan_architect[plan] = row["officials_required"], architect
        if not row["is_starting"]:
            cards.pile[architect, row["pile_order"] - 1] = plan
            cards.pile_size[architect] += 1
    starting = [(plan, row["plan_id"]) for plan, row in enumerate(rows) if row["is_starting"]]
    _fill(cards.plan_deck, "plan", starting)


def building_ids(rows: Rows) -> list[str]:
    """The public buildings in the order of their first rows, which is that of their numbers."""
    return [*dict.fromkeys(row["public_building_id"] for row in rows)]


def _buildings(cards: Any, rows: Rows) -> None:
    numbers = {name: number for number, name in enumerate(building_ids(rows))}
    for row in rows:
        shown = sum(1 << good for good in range(GOODS) if row[f"serves_{GOOD_WORDS[good]}"])
        cards.serves[numbers[row["public_building_id"]], ARCHITECTS.index(row["side"])] = shown
    _fill(cards.building_deck, "building", ((number, name) for name, number in numbers.items()))


# --- cards and tiles -------------------------------------------------------------------------------------------------


def _political(cards: Any, rows: Rows) -> None:
    for card, row in enumerate(rows):
        cards.kind[card], cards.origin[card] = CARD_TYPES.index(row["card_type"]), DECKS.index(row["deck"])
        cards.influence[card], cards.bottom[card] = row["influence"], Bottom[row["bottom_kind"].upper()]
        _instant(cards.reward[card], row, "reward")
        _instant(cards.event[card], row, "event")
        _lasting(cards.lasting[card], row, "permanent")
    cards.reward[BLANK_CARD].code, cards.event[BLANK_CARD].code = NOTHING, NOTHING
    for decks, names in ((cards.hand_deck, HAND_DECKS), (cards.display_deck, DISPLAY_DECKS)):
        for period, name in enumerate(names):
            own = [(card, row["card_id"]) for card, row in enumerate(rows) if row["deck"] == name]
            _fill(decks[period], "card", own)


def _clergy(cards: Any, rows: Rows) -> None:
    kinds = _kinds(rows, "clergy_kind")
    for tile, row in enumerate(rows):
        _lasting(cards.clergy_power[tile], row, "permanent")
        cards.back_wigs[tile], cards.clergy_kind[tile] = row["back_wigs"], kinds[row["clergy_kind"]]
    _fill(cards.clergy_deck, "tile", enumerate(row["clergy_tile_id"] for row in rows))


def _decrees(cards: Any, rows: Rows) -> None:
    kinds = _kinds(rows, "decree_kind")
    for decree, row in enumerate(rows):
        kind = kinds[row["decree_kind"]]
        cards.decree_kind[decree] = kind
        cards.metric[kind], cards.is_threshold[kind] = Metric[row["metric"].upper()], row["mode"] == "threshold"
        cards.unit[kind], cards.decree_wigs[kind] = row["unit_or_threshold"], row["wigs"]
        cards.decree_most[kind] = row["max_wigs"]
        cards.removed[decree] = _is_removed(row, cards.seats)
    _fill(cards.decree_deck, "decree", enumerate(row["decree_id"] for row in rows))


def _is_removed(row: Row, seats: int) -> int:
    """1 for a decree that goes to the box with so many seats (L-18.1)."""
    return int(seats == 2 and row["remove_in_2p"])


def _kinds(rows: Rows, column: str) -> dict[str, int]:
    """The number of each kind, in the order of first appearance."""
    return {kind: number for number, kind in enumerate(dict.fromkeys(row[column] for row in rows))}


def _fill(deck: Any, what: str, things: Iterable[tuple[int, str]]) -> None:
    """A deck of things with names, which they keep in every card set."""
    fill_deck(deck, ((number, f"{what} {name}") for number, name in things))


def _scoring(cards: Any, rows: Rows) -> None:
    parts = {row["scoring_id"]: row for row in rows}
    cards.wigs_per_hull = parts["ships"]["wigs_per_unit"]
    cards.wigs_per_set = cards.period_wigs_per_set = parts["rubble_sets"]["wigs_per_unit"]
    cards.favor_wigs = [parts["royal_favors"]["wigs_per_unit"]] * NOBLES
    officials = parts["officials_majority"]
    if cards.seats == 2:
        cards.officials_wigs = [officials["first_wigs_2p"], officials["second_wigs_2p"], 0]
    else:
        cards.officials_wigs = [officials[f"{place}_wigs"] for place in ("first", "second", "third")]


# --- effects ---------------------------------------------------------------------------------------------------------

WORDS_OF_ARGUMENTS = {
    Effect.STATE_ACTION: STATE_ACTIONS,
    Effect.NOBLE_ACTION: NOBLE_ACTIONS,
    Effect.VISIT_DISCOUNT: NOBLE_WORDS,
}
"""The arguments of effects that are not about a good, in the order of their numbers."""
NUMBERED = {None: ANY, "any": ANY, "all": ALL, "store_type": STORE_TYPE}
SPREAD = {Effect.SALE_BONUS: GOODS, Effect.VISIT_DISCOUNT: NOBLES}
"""Lasting effects with a place in `Public.power` for each good or noble."""


def _argument(effect: Effect, word: str | None) -> int:
    """The number of an argument: of a good, a State action, a noble or his action, or ANY, ALL, STORE_TYPE."""
    return NUMBERED[word] if word in NUMBERED else WORDS_OF_ARGUMENTS.get(effect, GOOD_WORDS).index(str(word))


def _instant(instant: Any, row: Row, name: str) -> None:
    instant.code, instant.arg, instant.amount = NOTHING, ANY, 0
    if row[f"{name}_code"] is not None:
        effect = Effect[row[f"{name}_code"].upper()]
        instant.code, instant.arg = effect, _argument(effect, row[f"{name}_arg"])
        instant.amount = row[f"{name}_amount"]


def _lasting(lasting: Any, row: Row, name: str) -> None:
    """The places in `Public.power` that an effect raises; none without one."""
    if row[f"{name}_code"] is None:
        return
    effect = Effect[row[f"{name}_code"].upper()]
    first, argument = Power[effect.name], _argument(effect, row[f"{name}_arg"])
    if argument == ANY:
        lasting.first, lasting.last = first, first + SPREAD.get(effect, 1)
    else:
        lasting.first, lasting.last = first + argument, first + argument + 1
    lasting.amount = row[f"{name}_amount"]


# --- the card log ----------------------------------------------------------------------------------------------------

BUILDINGS, PLANS, SHIP_GROUP = "public buildings", "plans", "ships"


def log_cards(card_set: CardSet, seats: int) -> tuple[LoggedCard, ...]:
    """The columns of the card log: kinds of decrees and of Clergy tiles, political cards, blocks, plans, public
    buildings, ships; without what is not in the game for so many seats.
    """
    tables = card_set.tables
    return (
        *_logged_decrees(tables["decrees"], seats),
        *_logged_clergy(tables["clergy_tiles"]),
        *_logged_political(tables["political_cards"]),
        *_logged_blocks(tables["downtown_blocks"], seats),
        *_logged_plans(tables["plans"]),
        *_logged_buildings(tables["public_buildings"]),
        *_logged_ships(tables["ships"], seats),
    )


def _logged_decrees(rows: Rows, seats: int) -> Iterator[LoggedCard]:
    first = {row["decree_kind"]: row for row in reversed(rows)}
    for kind, code in _kinds(rows, "decree_kind").items():
        row, name = first[kind], logged("decrees", kind)
        if not _is_removed(row, seats):
            label = f"{kind}: {_metric_words(row)}"
            yield LoggedCard(code, name, label, name, "decree", False, tallied=True, rows=(f"decrees.{kind}",))


def _metric_words(row: Row) -> str:
    """What a decree brings: "stores gold, 2 wigs each, at most 6"."""
    what, number, wigs = row["metric"].replace("_", " "), row["unit_or_threshold"], row["wigs"]
    if row["mode"] == "threshold":
        return f"{what}, {min(wigs, row['max_wigs'])} wigs from {number} on"
    each = "each" if number == 1 else f"for each {number}"
    return f"{what}, {wigs} wigs {each}, at most {row['max_wigs']}"


def _logged_clergy(rows: Rows) -> Iterator[LoggedCard]:
    first = {row["clergy_kind"]: row for row in reversed(rows)}
    for kind, code in _kinds(rows, "clergy_kind").items():
        label, name = f"{kind}: {_effect_words(first[kind], 'permanent')}", logged("clergy_tiles", kind)
        tiles = tuple(f"clergy_tiles.{row['clergy_tile_id']}" for row in rows if row["clergy_kind"] == kind)
        yield LoggedCard(CLERGY_CODE + code, name, label, name, "clergy", False, tallied=True, rows=tiles)


def _logged_political(rows: Rows) -> Iterator[LoggedCard]:
    for card, row in enumerate(rows):
        name = logged("political_cards", row["card_id"])
        effects = [_effect_words(row, effect) for effect in ("reward", "permanent", "event")]
        said = "; ".join(words for words in effects if words)
        label = row["card_id"].replace("_", " ") + (f": {said}" if said else "")
        own = (f"political_cards.{row['card_id']}",)
        yield LoggedCard(CARD_CODE + card, name, label, name, row["card_type"], rows=own)


def _logged_blocks(rows: Rows, seats: int) -> Iterator[LoggedCard]:
    for row in rows:
        block, name = row["block_id"], logged("downtown_blocks", row["block_id"])
        label = f"block {block}: {_effect_words(row, 'reward') or 'no reward'}"
        if seats > 2 or block not in CLOSED:
            code = BLOCK_CODE + BLOCKS.index(block)
            group, own = f"block row {block[0]}", (f"downtown_blocks.{block}",)
            yield LoggedCard(code, name, label, name, group, in_hand=False, rows=own)


def _logged_plans(rows: Rows) -> Iterator[LoggedCard]:
    for plan, row in enumerate(rows):
        name, officials = logged("plans", row["plan_id"]), row["officials_required"]
        label = f"{row['plan_id'].replace('_', ' ')}: {row['architect']}, {officials} officials"
        yield LoggedCard(PLAN_CODE + plan, name, label, name, PLANS, in_hand=False, rows=(f"plans.{row['plan_id']}",))


def _logged_buildings(rows: Rows) -> Iterator[LoggedCard]:
    for number, building in enumerate(building_ids(rows)):
        name, label = logged("public_buildings", building), f"public building {building}"
        sides = (row["building_side"] for row in rows if row["public_building_id"] == building)
        of_sides = tuple(f"public_buildings.{side}" for side in sides)
        yield LoggedCard(BUILDING_CODE + number, name, label, name, BUILDINGS, in_hand=False, rows=of_sides)


def _logged_ships(rows: Rows, seats: int) -> Iterator[LoggedCard]:
    """Copies of a kind have a column each, and are alike."""
    for row in rows:
        kind, name = SHIPS.index(row["ship_id"]), logged("ships", row["ship_id"])
        label = f"{name.replace('_', ' ')}: hull {row['hull_size']}"
        for copy in range(row[f"copies_{seats}p"]):
            code = SHIP_CODE + SHIP_COPIES * kind + copy
            own = (f"ships.{row['ship_id']}",)
            yield LoggedCard(code, f"{name}_{copy + 1}", label, name, SHIP_GROUP, in_hand=False, rows=own)


def _effect_words(row: Row, name: str) -> str:
    """An effect in words: "gain good tools 1"; nothing without one."""
    if row[f"{name}_code"] is None:
        return ""
    parts = [row[f"{name}_code"], row[f"{name}_arg"] or "", str(row[f"{name}_amount"])]
    return " ".join(part.replace("_", " ") for part in parts if part)
