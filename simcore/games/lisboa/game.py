"""Lisboa: the declaration."""

from pathlib import Path

from simcore.game import Game, Measure
from simcore.games.lisboa import imagine as _imagine  # noqa: F401  # its import registers the kernel
from simcore.games.lisboa import rules as _rules  # noqa: F401  # likewise
from simcore.games.lisboa.cardset import SCHEMA
from simcore.games.lisboa.features import FEATURES, VALUE_FEATURES
from simcore.games.lisboa.interventions import interventions
from simcore.games.lisboa.parameters import log_cards, parameters
from simcore.games.lisboa.rules.events import CODES, Event
from simcore.games.lisboa.state import (
    CARD_SET,
    MIND,
    OPTIONS,
    PRIVATE,
    PUBLIC,
    SEATS,
    STATE,
    TURNS,
    Decision,
    End,
)
from simcore.games.lisboa.vocabulary import NOBLES, STATE_ACTIONS
from simcore.games.lisboa.words import Words

MOST_PER_TURN = 250  # decisions; the page's trial games needed at most 42

PARTS = (
    (Event.START, "start", "Wigs of the set-up."),
    (Event.STORE_CUSTOMERS, "store_customers", "Customers of own stores when they were built."),
    (Event.BUILDING_CUSTOMERS, "building_customers", "Customers of own stores when a public building was opened."),
    (Event.STORE_BONUS, "store_bonus", "What tiles and cards give for building a store."),
    (Event.PLACES, "places", "Rewards of blocks and sites."),
    (Event.CARDS, "cards", "Rewards and events of cards."),
    (Event.SAILING, "sailing", "Own ships that set sail."),
    (Event.SURRENDERED, "surrendered", "Clergy tiles surrendered in Church Scorings."),
    (Event.PERIOD_SETS, "period_sets", "Rubble sets at the end of the first period."),
    (Event.INFLUENCE, "influence", "Influence that ended on the space with the wig."),
    (Event.SPENT, "spent", "Wigs paid for visits and penalties, as a negative number."),
    (Event.FINAL_SHIPS, "ships", "Hulls of own ships, at the end."),
    (Event.FINAL_SETS, "rubble_sets", "Rubble sets, at the end."),
    (Event.FINAL_STORES, "store_majority", "Most stores of a type, at the end."),
    (Event.FINAL_REAIS, "reais", "Money left, at the end."),
    (Event.FINAL_DECREES, "decrees", "Decrees, at the end."),
    (Event.FINAL_OFFICIALS, "officials_majority", "Most officials required by completed plans, at the end."),
    (Event.FINAL_FAVORS, "royal_favors", "Royal Favors, at the end."),
)

COUNTERS = (
    (Event.TURNS, Measure("turns", "turns", "Own turns.")),
    (Event.FIRST_TURNS, Measure("first_turns", "turns", "Own turns in the first period.")),
    (Event.PERIOD_BY_SETS, Measure("period_by_sets", "games", "First periods that rubble sets ended.")),
    (Event.PERIOD_BY_DECKS, Measure("period_by_decks", "games", "First periods that empty decks ended.")),
    (Event.END_BY_SETS, Measure("end_by_sets", "games", "Games of which rubble sets triggered the end.")),
    (Event.END_BY_DECKS, Measure("end_by_decks", "games", "Games of which empty decks triggered the end.")),
    (Event.TUCKED, Measure("tucked", "cards", "Cards played into the portfolio.")),
    (Event.GOLDS, Measure("golds", "cards", "Cards discarded for a gold good.")),
    (Event.EVENTS, Measure("events", "times", "Events sponsored.")),
    *(
        (Event.VISITS + i, Measure(f"visits_{noble}", "times", f"Visits of the {noble.capitalize()}.", "visits"))
        for i, noble in enumerate(NOBLES)
    ),
    *(
        (
            Event.FOLLOWS + i,
            Measure(f"follows_{noble}", "times", f"Visits of the {noble.capitalize()} followed.", "visits followed"),
        )
        for i, noble in enumerate(NOBLES)
    ),
    *(
        (Event.STATE_ACTIONS + i, Measure(f"action_{action}", "times", f"State actions: {action}.", "State actions"))
        for i, action in enumerate(STATE_ACTIONS)
    ),
    (Event.SALES, Measure("sales", "times", "Sell Goods actions.")),
    (Event.GOODS_SOLD, Measure("goods_sold", "goods", "Goods sold.")),
    (Event.REAIS_EARNED, Measure("reais_earned", "reais", "Earned by selling goods.")),
    (Event.GOODS_PRODUCED, Measure("goods_produced", "goods", "Goods gained by producing.")),
    (Event.SHIPS_SAILED, Measure("ships_sailed", "times", "Own ships that set sail.")),
    (Event.STORES, Measure("stores", "stores", "Stores built.")),
    (Event.DECREES, Measure("decrees_taken", "cards", "Decrees taken.")),
    (Event.BUILDINGS, Measure("buildings", "buildings", "Public buildings opened.")),
    (
        Event.NOBLE_ACTIONS_LOST,
        Measure("noble_actions_lost", "times", "Noble actions that the State action of the visit made impossible."),
    ),
    (Event.OFFICIALS_PLACED, Measure("officials_placed", "officials", "Officials placed in offices.")),
    (Event.OFFICIALS_HIRED, Measure("officials_hired", "officials", "Officials hired for public buildings.")),
    (Event.CARDINAL_STEPS, Measure("cardinal_steps", "stations", "Stations that this seat moved the Cardinal.")),
    (Event.TILES_SURRENDERED, Measure("tiles_surrendered", "tiles", "Clergy tiles surrendered.")),
    (Event.SETS, Measure("sets", "sets", "Rubble sets completed.")),
    (Event.MARKERS_SPENT, Measure("markers_spent", "markers", "Set markers spent for decrees.")),
    (Event.VISIT_INFLUENCE, Measure("visit_influence", "points", "Influence paid for visits and follows.")),
    (Event.VISIT_WIGS, Measure("visit_wigs", "wigs", "Wigs paid for visits and follows.")),
    (Event.VISIT_REAIS, Measure("visit_reais", "reais", "Reais paid for visits and follows.")),
    (Event.COINS_PRODUCED, Measure("influence_reais", "reais", "Reais produced from influence.")),
    (Event.REAIS_LEFT, Measure("reais_left", "reais", "Reais in hand at the end.")),
    (Event.DISCARDED, Measure("discarded", "cards", "Cards discarded at the end of the first period.")),
)

GAME = Game(
    name="lisboa",
    title="Lisboa",
    folder=Path(__file__).parent,
    seats=tuple(range(2, SEATS + 1)),
    state=STATE,
    public=PUBLIC,
    private=PRIVATE,
    cards=CARD_SET,
    options=OPTIONS,
    mind=MIND,
    rounds=1,
    turns=TURNS,
    most_decisions=TURNS * MOST_PER_TURN,
    codes=CODES,
    schema=SCHEMA,
    default_card_set="standard",
    parameters=parameters,
    log_cards=log_cards,
    rounds_of=lambda card_set: 1,
    decisions=tuple(decision.name for decision in Decision),
    ends=tuple(end.name.lower() for end in End),
    endings=("completing rubble sets", "emptying the decks"),
    gains=("dealt", "drawn", "taken"),
    fates=("portfolio", "court", "gold"),
    tallies=("taken", "scored"),
    parts=tuple(Measure(name, "wigs", text) for _, name, text in PARTS),
    counters=tuple(measure for _, measure in COUNTERS),
    counter_kinds=tuple(int(kind) for kind, _ in COUNTERS),
    when_unit=3,
    when="turns of all players",
    standing="wigs, without the final scoring",
    caveat="The procedures follow the published rules, but what is printed on cards, tiles, blocks, sites, tracks and "
    "player boards stands in no source that could be had: the tables of the shipped card set are reconstructed. What "
    "is said of single cards and tiles holds for these tables, not for the published game; what is said of its "
    "mechanisms is safer.",
    score_unit="wigs",
    features=FEATURES,
    value_features=VALUE_FEATURES,
    words=Words,
    interventions=interventions,
)
