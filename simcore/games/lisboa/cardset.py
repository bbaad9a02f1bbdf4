"""Lisboa: the schema of its card sets. L-... are ids of rules.md; checks.py has what a schema cannot say.

The tables of the rules page can be used as they are, with two exceptions: public_buildings and house_groups have no
column whose values are all different, and need one (`building_side`, `house_id`). Not part of a card set are the tables
that only document: components, decision_types, effect_codes, nobles, state_actions, streets, store_sites, and
parameters, whose values are the rules of a card set or follow from its tables.

**Numbers that stand in two tables (L-0.6).** One place is edited; the other is a derived column, or is left out.

| number | edited | follows |
| --- | --- | --- |
| wigs for a set, at the end of period 1 and at the end | endgame_scoring, rubble_sets | `wigs_per_set` |
| wigs for a Royal Favor | endgame_scoring, royal_favors | `end_wigs_per_favor`, `end_wigs_each` |
| reais for a wig | `end_reais_per_wig` | the unit in endgame_scoring |
| start and length of the Treasury track | treasury_track | `treasury_start_step`, `_min_step`, `_max_step` |
| length of the price track | price_track | `price_min_step`, `price_max_step` |
| length and coins of the influence track | influence_track | `influence_max`, `influence_coin_icons` |
| Church slots | church_track | `clergy_display` |
| cubes of a kind on a board | `max_rubble_per_kind` | rubble_kinds, max_per_player |
| cards in a hand | `hand_size` | player_setup, hand_size |
| houses of a player | house_groups, a row a house | player_setup, houses |
| goods that a noble accepts | goods, noble_id | nobles, accepted_good |
| blocks, streets, city tiles of a store | the map, which is fixed | store_sites, streets |

**What every valid card set guarantees**, so that no game can stop or overflow:

- Every track has its steps without a gap, prices and Treasury from 1, influence and Church from 0; one step is the
  start of the Treasury, one station that of the Cardinal; prices and influence start on their tracks.
- Every effect has a code that may stand in its place, the argument that its code asks for, and an amount in its range.
  Blocks and sites give nothing that begins another action or takes money, so a price that could be paid before the
  reward can be paid after it. The bottom of a card holds no Noble action; those come from visits and events.
- The hand decks hold a full hand for four players, each display deck at least one card, all decks together 128. A hand
  has at least two cards: in the last rounds, in which each player has at most two turns, nobody is without one.
- There are enough decrees for the display with two players too, Clergy tiles for the offers of four players and for
  the Church after them, starting plans, goods, city tiles, scoring tiles and rubble cubes for all their places; cubes
  that are left over go to the box.
- A portfolio has room for a card. The officials that start in the Marquis' office fit in it, and are the players' own.
- Each public building has both sides; half of the tiles go to each architect. Plans lie in their pile by the number of
  officials, fewest on top, with the orders 1, 2, 3 ...
- Copies of a decree are alike; Clergy tiles of a kind differ in their back wigs only.
- The names in the card log are all different.
"""

from collections.abc import Sequence

from simcore.cardset import Column, Scalar, Schema, Table
from simcore.games.lisboa.checks import check
from simcore.games.lisboa.state import CLERGY_HELD, DECREE_DISPLAY, HAND, PLANS_HELD, SLOTS
from simcore.games.lisboa.vocabulary import (
    ARCHITECTS,
    BLOCKS,
    BOTTOMS,
    CARD_TYPES,
    CITY_TILES,
    COLUMNS,
    DECKS,
    EFFECTS,
    EVENTS,
    FAVORS,
    GOODS,
    HOUSE_GROUPS,
    METRICS,
    NO,
    NOBLES,
    PENALTIES,
    PERMANENT,
    PLACE_REWARDS,
    REWARDS,
    RUBBLE,
    SCORINGS,
    SHIPS,
    SITES,
    STORE_TYPE,
    SYMBOLS,
    YES,
    ZONES,
)

SOURCE = Column("source", "text", "where the values are documented", role="note")


def _note(name: str, meaning: str) -> Column:
    return Column(name, "text", meaning, role="note")


def _derived(name: str, meaning: str, unit: str = "") -> Column:
    return Column(name, "int", meaning, unit, 0, role="derived")


def _derived_word(name: str, meaning: str) -> Column:
    return Column(name, "word", meaning, role="derived")


def _flag(name: str, meaning: str) -> Column:
    return Column(name, "int", meaning, "", 0, 1)


def _closed() -> Column:
    return _derived("closed_in_2p", "1 where it is closed with two players: row E (L-18.1)")


def _effect(
    name: str, codes: Sequence[str], what: str, without: str = "", optional: bool = True, explained: bool = False
) -> tuple[Column, ...]:
    """The three columns of an effect, which are blank together; its argument is not the word `without`."""
    words = dict.fromkeys(word for code in codes for word in EFFECTS[code].arguments if word != without)
    meanings = "; ".join(f"{code}: {EFFECTS[code].meaning}" for code in codes)
    return (
        Column(
            f"{name}_code",
            "choice",
            f"{what}. {meanings}" if explained else f"{what}; the effects are those of political_cards",
            choices=tuple(codes),
            optional=optional,
        ),
        Column(
            f"{name}_arg",
            "choice",
            "what the effect is about; blank where it is about nothing of these",
            choices=tuple(words),
            optional=True,
        ),
        Column(f"{name}_amount", "int", "how much, or how many", "", 0, 99, optional=optional),
    )


# --- tracks and goods ------------------------------------------------------------------------------------------------

GOODS_TABLE = Table(
    name="goods",
    key="good_id",
    meaning="The four goods (L-0.5, L-8.1).",
    columns=(
        Column("good_id", "choice", "the good", choices=GOODS),
        Column("token_count", "int", "tokens in the game (L-7.6)", "goods", 1, 99),
        Column(
            "noble_id",
            "choice",
            "the noble who accepts it in a trade; any: every noble does (L-9.2)",
            choices=("any", *NOBLES),
        ),
        Column("price_start", "int", "step of its price at the start (L-2.1)", "step", 1, 16),
        _derived("good_index", "its number, from 0"),
        _derived("street_index", "the number of its street, from 0 (L-1.4)"),
        _note("name", "the English name"),
        _note("colour", "the colour of its tokens and stores"),
        SOURCE,
    ),
)

PRICE_TABLE = Table(
    name="price_track",
    key="step",
    meaning="The price track, from step 1 without a gap: at most 16 steps (L-8.1).",
    columns=(
        Column("step", "int", "the step", "", 1, 16),
        Column("price_reais", "int", "the price of a good there", "reais", 0, 99),
        SOURCE,
    ),
)

TREASURY_TABLE = Table(
    name="treasury_track",
    key="step",
    meaning="The Treasury track, from step 1 without a gap: at most 16 steps (L-7.1).",
    columns=(
        Column("step", "int", "the step", "", 1, 16),
        Column("treasury_value_reais", "int", "the Treasury value (L-7.2)", "reais", 0, 99),
        Column(
            "influence_cost", "int", "what a visit or a follow costs before rivals' officials (L-10.2)", "points", 0, 20
        ),
        _flag("is_start", "1 at the step where the marker starts"),
        SOURCE,
    ),
)

INFLUENCE_TABLE = Table(
    name="influence_track",
    key="space",
    meaning="The influence track, from space 0 without a gap: at most 16 spaces (L-6.1).",
    columns=(
        Column("space", "int", "the space", "", 0, 15),
        _flag("coin_icon", "1 where reaching it from the right produces a real (L-6.5)"),
        _flag("wig_icon", "1 where a gain of influence that ends there brings a wig (L-6.3)"),
        SOURCE,
    ),
)

CHURCH_TABLE = Table(
    name="church_track",
    key="station",
    meaning="The six stations of the Church track; slot i lies between the stations i and i + 1 (L-14.1).",
    columns=(
        Column("station", "int", "the station", "", 0, 5),
        Column("symbol", "choice", "what happens when the Cardinal lands on it or passes it (L-14.5)", choices=SYMBOLS),
        _flag("is_start", "1 where the Cardinal starts"),
        _derived("clergy_slot_left", "the slot behind the station"),
        _derived("clergy_slot_right", "the slot ahead of it"),
        SOURCE,
    ),
)

# --- the map ---------------------------------------------------------------------------------------------------------

BLOCK_TABLE = Table(
    name="downtown_blocks",
    key="block_id",
    meaning="The 25 blocks of the map and what a store there brings (L-1.3, L-11.4).",
    columns=(
        Column("block_id", "choice", "the block: its row and its column", choices=BLOCKS),
        _derived_word("row", "the row"),
        _derived("column", "the column"),
        _derived_word("street_1", "a street that the block faces (L-1.4)"),
        _derived_word("street_2", "the other one, where there are two"),
        _derived_word("tile_size", "the size of its city tile"),
        *_effect("reward", PLACE_REWARDS, "the reward of a store there"),
        _derived("block_index", "its number, row by row from 0"),
        _closed(),
        _note("topology_source", "where its place is documented"),
        _note("source", "where the reward is documented"),
    ),
)

SITE_TABLE = Table(
    name="public_sites",
    key="site_id",
    meaning="The 14 sites of public buildings and what a building there brings (L-1.3, L-13.9).",
    columns=(
        Column("site_id", "choice", "the site: its side, and its row or its street from 1", choices=SITES),
        _derived_word("side", "W, N or E"),
        _derived_word("row", "its row; blank on the north side"),
        _derived_word("street_id", "its street, on the north side"),
        Column("rubble_cubes", "int", "cubes there at the start (L-2.6)", "cubes", 0, 9),
        *_effect("reward", PLACE_REWARDS, "the reward of a building there", without=STORE_TYPE),
        _derived("site_index", "its number, from 0"),
        _closed(),
        _note("topology_source", "where its place is documented"),
        _note("source", "where the reward is documented"),
    ),
)

ZONE_TABLE = Table(
    name="rubble_zones",
    key="zone_id",
    meaning="Where rubble lies at the start, but for the sites (L-2.6).",
    columns=(
        Column("zone_id", "choice", "a row, a column, or the pile", choices=ZONES),
        Column("cubes_at_setup", "int", "cubes there", "cubes", 0, 9),
        _derived("zone_index", "its number, from 0"),
        _derived_word("zone_kind", "row, column or pile"),
        _derived_word("label", "the row or the column"),
        _closed(),
        SOURCE,
    ),
)

RUBBLE_TABLE = Table(
    name="rubble_kinds",
    key="rubble_id",
    meaning="The three kinds of rubble (L-1.2, L-11.5). Cubes for which there is no place go to the box.",
    columns=(
        Column("rubble_id", "choice", "the kind", choices=RUBBLE),
        Column("cost_reais", "int", "what a cube that remains adds to the cost of a store", "reais", 0, 20),
        Column("cube_count", "int", "cubes in the game, all kinds together at most 128", "cubes", 0, 128),
        _derived("max_per_player", "cubes that a player can hold: max_rubble_per_kind (L-5.5)", "cubes"),
        _derived("rubble_index", "its number, from 0"),
        _note("colour", "the colour of the cubes"),
        SOURCE,
    ),
)

CITY_TILE_TABLE = Table(
    name="city_tiles",
    key="city_tile_id",
    meaning="The five kinds of city tiles (L-2.1, L-11.2).",
    columns=(
        Column("city_tile_id", "choice", "the kind", choices=CITY_TILES),
        Column("count", "int", "tiles of the kind", "tiles", 1, 25),
        Column("display_spaces", "int", "of these on the display at the start", "tiles", 1, 9),
        _derived_word("good_id", "the good and the street of its stores"),
        _derived_word("tile_size", "large, or small for column 5"),
        _derived("city_tile_index", "its number, from 0"),
        SOURCE,
    ),
)

COLUMN_TABLE = Table(
    name="store_columns",
    key="column",
    meaning="What a store counts when a public building serves it: by its column (L-1.5).",
    columns=(
        Column("column", "int", "the column", "", min(COLUMNS), max(COLUMNS)),
        Column(
            "fixed_wigs", "int", "the printed value, in the column without a scoring tile", "wigs", 0, 20, optional=True
        ),
        _derived("scoring_space", "the space of its scoring tile"),
        _derived("column_index", "its number, from 0"),
        SOURCE,
    ),
)

SCORING_TILE_TABLE = Table(
    name="scoring_tiles",
    key="scoring_tile_id",
    meaning="The four scoring tiles, shuffled onto the spaces of columns 1 to 4 (L-2.1).",
    columns=(
        Column("scoring_tile_id", "id", "name of the tile in replays"),
        Column("wigs_per_store", "int", "what a store of its column counts", "wigs", 0, 20),
        SOURCE,
    ),
)

BUILDING_TABLE = Table(
    name="public_buildings",
    key="building_side",
    meaning="The public buildings, two rows a tile: its blue and its green side (L-13.3). An even number of tiles, at "
    "most 32; half of them lie blue side up.",
    columns=(
        Column("building_side", "id", "name of the row"),
        Column("public_building_id", "id", "the tile, which both of its sides share"),
        Column("side", "choice", "the side", choices=ARCHITECTS),
        *(_flag(f"serves_{good}", f"1 where it serves {good} stores in its row (L-13.8)") for good in GOODS),
        SOURCE,
    ),
)

# --- cards and tiles -------------------------------------------------------------------------------------------------

SHIP_TABLE = Table(
    name="ships",
    key="ship_id",
    meaning="The four kinds of ships (L-8.3): blue above red in period 1, purple above brown in period 2.",
    columns=(
        Column("ship_id", "choice", "the kind", choices=SHIPS),
        Column("hull_size", "int", "goods that it holds, and wigs at the end (L-8.5, L-17.1)", "goods", 1, 9),
        Column("goods_cost_types", "int", "goods of different types that it costs (L-9.7)", "goods", 0, 4),
        Column("influence", "int", "its influence number (L-6.2)", "points", 0, 9),
        Column("price_modifier_reais", "int", "added to the price of every good that it takes (L-8.4)", "reais", 0, 20),
        *(
            Column(f"copies_{seats}p", "int", f"ships with {seats} players (L-18.1, L-18.2)", "ships", 0, 16)
            for seats in (2, 3, 4)
        ),
        _derived("copies_total", "ships of the kind: the most that are used", "ships"),
        _derived("period", "the period in which it can be built"),
        _derived("stack_order", "1 on top of the shipyard, 2 below"),
        _note("colour", "its colour"),
        _note("hull_source", "where the hull is documented"),
        SOURCE,
    ),
)

PLAN_TABLE = Table(
    name="plans",
    key="plan_id",
    meaning="The plans (L-9.6, L-13.3): at most 32, of which at most 16 lie in each pile, and enough starting plans.",
    columns=(
        Column("plan_id", "id", "name of the plan in logs and replays"),
        Column("architect", "choice", "whose buildings it builds", choices=ARCHITECTS),
        _flag("is_starting", "1 for a plan that a player may start with (L-2.3)"),
        Column("pile_order", "int", "place in its pile, 1 on top; 0 for starting plans", "", 0, 32),
        Column("officials_required", "int", "officials that it needs and counts (L-13.5, L-17.6)", "officials", 1, 8),
        SOURCE,
    ),
)

HOUSE_TABLE = Table(
    name="house_groups",
    key="house_id",
    meaning="The houses of each player, one row a house (L-11.10): at most 8 in a group.",
    columns=(
        Column("house_id", "id", "name of the house"),
        Column("group_id", "choice", "its group on the player board", choices=HOUSE_GROUPS),
        Column("level", "int", "1 for the first of its group that is built, 2 for the second ...", "", 1, 8),
        *_effect("ability", [*PERMANENT], "what it adds from then on", optional=False),
        _derived("group_index", "the number of the group, from 0"),
        SOURCE,
    ),
)

POLITICAL_TABLE = Table(
    name="political_cards",
    key="card_id",
    meaning="The political cards (L-15.1): at most 128. Noble cards have influence and a bottom, treasury cards a "
    "permanent effect and an event; what a card does not have is blank.",
    columns=(
        Column("card_id", "id", "name of the card in logs and replays"),
        Column(
            "deck", "choice", "its deck: blue and purple are dealt to hands, red and brown displayed", choices=DECKS
        ),
        Column("card_type", "choice", "the noble whom it visits, or treasury", choices=CARD_TYPES),
        Column(
            "influence", "int", "its influence number in the portfolio (L-6.2); 0 for treasury cards", "points", 0, 9
        ),
        Column(
            "bottom_kind",
            "choice",
            "what a noble card brings when it is tucked (L-5.4): a penalty is not paid at the end of period 1 (L-16.4)",
            choices=BOTTOMS,
        ),
        *_effect("reward", (*REWARDS, *PENALTIES), "the bottom of a noble card", without=STORE_TYPE, explained=True),
        *_effect("permanent", [*PERMANENT], "a treasury card in the portfolio (L-5.5)", explained=True),
        *_effect("event", EVENTS, "a treasury card at the Royal Court (L-15.2)", without=STORE_TYPE, explained=True),
        _derived("period", "the period in which it is played"),
        _derived_word("role", "hand or display"),
        _note("years", "the years that it shows"),
        _note("number", "its number in its deck"),
        SOURCE,
    ),
)

CLERGY_TABLE = Table(
    name="clergy_tiles",
    key="clergy_tile_id",
    meaning="The Clergy tiles (L-14.8): at most 64. Tiles of a kind differ in their back wigs only.",
    columns=(
        Column("clergy_tile_id", "id", "name of the tile in replays"),
        Column("clergy_kind", "id", "the kind, which the card log counts"),
        *_effect("permanent", [*PERMANENT], "what it does for its owner (L-14.3)", optional=False),
        Column("back_wigs", "int", "wigs for surrendering it (L-14.6)", "wigs", 0, 50),
        SOURCE,
    ),
)

DECREE_TABLE = Table(
    name="decrees",
    key="decree_id",
    meaning="The decrees (L-12.5): at most 128, of at most 64 kinds.",
    columns=(
        Column("decree_id", "id", "name of the card in replays"),
        Column("decree_kind", "id", "the kind, which its copies share and the card log counts"),
        Column("metric", "choice", "what it counts at the end", choices=METRICS),
        Column(
            "mode",
            "choice",
            "threshold: wigs once, from so many on; per: wigs for each so many",
            choices=("threshold", "per"),
        ),
        Column("unit_or_threshold", "int", "how many of what it counts", "of the metric", 1, 99),
        Column("wigs", "int", "wigs", "wigs", 0, 50),
        Column("max_wigs", "int", "the most that it brings", "wigs", 0, 99),
        _flag("remove_in_2p", "1 where it goes to the box with two players (L-18.1)"),
        SOURCE,
    ),
    copies="decree_kind",
)

# --- set-up and scoring ----------------------------------------------------------------------------------------------

FAVOR_TABLE = Table(
    name="royal_favors",
    key="favor_id",
    meaning="The Royal Favors (L-2.2).",
    columns=(
        Column("favor_id", "choice", "the kind", choices=FAVORS),
        Column("count_in_play_per_player", "int", "tiles in the game for each player (L-18.3)", "tiles", 1, 3),
        _derived_word("noble_id", "the noble"),
        _derived("end_wigs_each", "wigs at the end: endgame_scoring (L-17.7)", "wigs"),
        _note("count_total", "tiles in the box"),
        SOURCE,
    ),
)

PLAYER_TABLE = Table(
    name="player_setup",
    key="seat",
    meaning="What the players start with, by their place in turn order (L-2.3).",
    columns=(
        Column("seat", "int", "place in turn order, 1 starts", "", 1, 4),
        Column("influence_start", "int", "influence", "points", 0, 15),
        Column("wigs_start", "int", "wigs", "wigs", 0, 99),
        Column("reais_start", "int", "money", "reais", 0, 99),
        Column("goods_each_type_start", "int", "goods of each type, at most warehouse_base", "goods", 0, 9),
        Column("officials", "int", "officials, on the board and in the Marquis' office", "officials", 1, 8),
        Column("officials_in_marquis_office", "int", "of these, in the Marquis' office", "officials", 0, 8),
        Column("clergy_drawn", "int", "Clergy tiles on offer, one of which is kept", "tiles", 1, 4),
        Column("royal_favors_start", "int", "Royal Favors", "tiles", 0, 1),
        Column("starting_plans", "int", "starting plans", "plans", 0, 1),
        _derived("houses", "houses: the rows of house_groups", "houses"),
        _derived("clergy_kept", "Clergy tiles kept", "tiles"),
        _derived("hand_size", "cards: the rule hand_size", "cards"),
        SOURCE,
    ),
)

MAJORITY_TABLE = Table(
    name="store_majority",
    key="good_id",
    meaning="The wigs for most, second most and third most stores of a type at the end (L-17.3).",
    columns=(
        Column("good_id", "choice", "the type", choices=GOODS),
        *(
            Column(f"{place}_wigs", "int", f"the {place} place", "wigs", 0, 50)
            for place in ("first", "second", "third")
        ),
        SOURCE,
    ),
)

ENDGAME_TABLE = Table(
    name="endgame_scoring",
    key="scoring_id",
    meaning="The final scoring (L-17.1 to L-17.7). Ships, sets, reais and favors have wigs a unit, the majority of "
    "officials has places; the values of the others stand in tables of their own.",
    columns=(
        Column("scoring_id", "choice", "what is scored", choices=SCORINGS),
        Column(
            "wigs_per_unit",
            "int",
            "wigs for a point of hull, a set (at the end of period 1 too, L-16.3), a favor; 1 for the reais of "
            "end_reais_per_wig",
            "wigs",
            0,
            20,
            optional=True,
        ),
        *(
            Column(f"{place}_wigs", "int", f"the {place} place (L-17.6)", "wigs", 0, 99, optional=True)
            for place in ("first", "second", "third")
        ),
        *(
            Column(f"{place}_wigs_2p", "int", f"the {place} place with two players", "wigs", 0, 99, optional=True)
            for place in ("first", "second")
        ),
        _derived("order", "place in the order of scoring, from 1"),
        _note("kind", "how it is scored"),
        _note("unit", "what has wigs_per_unit"),
        _note("note", "more about it"),
        SOURCE,
    ),
)


def _number(name: str, meaning: str, unit: str, least: int, most: int) -> Scalar:
    return Scalar(name, "int", meaning, unit, least, most)


def _switch(name: str, meaning: str) -> Scalar:
    return Scalar(name, "choice", f"Whether {meaning}", choices=(YES, NO))


SCHEMA = Schema(
    game="lisboa",
    title="Lisboa",
    package="simcore.games.lisboa",
    scalars=(
        _number("portfolio_base", "Cards in a portfolio without rubble sets, L-5.1", "cards", 1, 6),
        _number("portfolio_top_slots", "Docks of a portfolio, for noble cards and ships, L-5.1", "slots", 1, SLOTS),
        _number("portfolio_bottom_slots", "Slots of a portfolio for treasury cards, L-5.1", "slots", 1, SLOTS),
        _number("warehouse_base", "Goods of a type in a warehouse without rubble sets, L-5.2", "goods", 0, 9),
        _number("max_rubble_per_kind", "Cubes of a kind on a player board, and so the most sets, L-5.5", "cubes", 1, 9),
        _number("set_markers_per_player", "Rubble sets that bring a set marker, L-5.6", "markers", 0, 9),
        _number("hand_size", "Cards in a hand at the start of each period, L-2.3, L-16.5", "cards", 2, HAND - 1),
        _number("decree_display", "Decrees on display, L-2.5", "cards", 1, DECREE_DISPLAY),
        _number("trade_max_goods", "Goods traded with the nobles in a turn, L-9.1", "goods", 1, 6),
        _number(
            "recruit_max_officials", "Officials recruited at a time, each in another office, L-9.4", "officials", 1, 3
        ),
        _number("office_capacity", "Spaces of each office, L-9.5", "officials", 1, 32),
        _number("plan_limit_per_player", "Plans held, without the completed ones, L-9.6", "plans", 1, PLANS_HELD),
        _number("cardinal_max_steps", "Stations that the Cardinal may move, L-9.9", "stations", 1, 4),
        _number("clergy_limit_per_player", "Clergy tiles held, L-14.4", "tiles", 1, CLERGY_HELD),
        _number("royal_favor_limit_per_noble", "Royal Favors of a noble held, L-9.10", "tiles", 1, 3),
        _number("period_1_end_sets", "Rubble sets of a player that end period 1, L-16.1", "sets", 1, 9),
        _number("game_end_sets", "Rubble sets of a player that end the game, L-16.6", "sets", 1, 9),
        _number("end_trigger_empty_decks", "Empty display decks that end period 1 and the game, L-16.1", "decks", 1, 4),
        _number("end_reais_per_wig", "Reais that count together at the end, L-17.4", "reais", 1, 99),
        _number("set_marker_decrees", "Decrees for a set marker, L-12.3", "decrees", 1, 8),
        _number("decree_markers_per_turn", "Set markers spent in a turn, L-12.3", "markers", 0, 9),
        _number("visit_reais_max", "Points of a visit's cost that can be paid in reais, L-10.9", "points", 0, 15),
        _switch("end_count_influence_coins", "the coins below the influence marker count as reais at the end, L-17.4"),
        _switch("auto_payment", "cash is paid before influence without asking, L-6.6 (a doubtful ruling)"),
        _switch("north_site_colours", "a building on a north site serves its colours only, L-13.8 (a doubtful ruling)"),
        _switch("hiring", "missing officials for a public building can be hired, L-13.11 (a doubtful ruling)"),
        _switch(
            "influence_per_tile",
            "each Clergy tile surrendered brings influence, not only the first, L-14.6 (a doubtful ruling)",
        ),
        _switch("free_follows", "a follow costs the favor tile only, L-10.7 (a doubtful ruling)"),
    ),
    tables=(
        POLITICAL_TABLE,
        DECREE_TABLE,
        CLERGY_TABLE,
        PLAN_TABLE,
        BUILDING_TABLE,
        SHIP_TABLE,
        HOUSE_TABLE,
        BLOCK_TABLE,
        SITE_TABLE,
        GOODS_TABLE,
        CITY_TILE_TABLE,
        RUBBLE_TABLE,
        ZONE_TABLE,
        COLUMN_TABLE,
        SCORING_TILE_TABLE,
        PRICE_TABLE,
        TREASURY_TABLE,
        INFLUENCE_TABLE,
        CHURCH_TABLE,
        FAVOR_TABLE,
        PLAYER_TABLE,
        MAJORITY_TABLE,
        ENDGAME_TABLE,
    ),
    check=check,
)
