"""Vaalbara: the declaration."""

from pathlib import Path

from simcore.game import Game, Measure
from simcore.games.vaalbara import imagine as _imagine  # noqa: F401  # its import registers the kernel
from simcore.games.vaalbara import rules
from simcore.games.vaalbara.cardset import SCHEMA, TYPES
from simcore.games.vaalbara.features import FEATURES, VALUE_FEATURES
from simcore.games.vaalbara.interventions import interventions
from simcore.games.vaalbara.parameters import log_cards, parameters
from simcore.games.vaalbara.state import (
    CARD_SET,
    CODES,
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
from simcore.games.vaalbara.words import Words

PLURALS = {"meadow": "meadows", "field": "fields", "forest": "forests", "village": "villages"}
PLURALS |= {"mountain": "mountains", "river": "rivers"}
COUNTERS = (
    *(
        (
            rules.Event.LANDS + kind,
            Measure(PLURALS[name], "lands", f"{PLURALS[name].capitalize()} taken from the row.", "lands taken"),
        )
        for kind, name in enumerate(TYPES)
    ),
    (rules.Event.DIFFERENT, Measure("types", "types", "Different types of land in the Realm at the end.")),
    (rules.Event.FARMER, Measure("farmer", "VP", "What Farmers added to the rewards of lands.")),
    (rules.Event.HUNTERS, Measure("hunters", "turns", "Hunters played.")),
    (rules.Event.HUNTERS_PAID, Measure("hunters_paid", "turns", "Hunters that acted before all neighbours.")),
    (rules.Event.ORACLES, Measure("oracles", "turns", "Oracles played.")),
    (rules.Event.CARPENTERS, Measure("carpenters", "turns", "Carpenters played.")),
    (rules.Event.FALCONERS, Measure("falconers", "turns", "Falconers played.")),
    (rules.Event.ARTISANS, Measure("artisans", "turns", "Artisans played.")),
    (rules.Event.ARTISANS_PAID, Measure("artisans_paid", "turns", "Artisans that acted after all neighbours.")),
    (rules.Event.PIONEERS, Measure("pioneers", "turns", "Pioneers played.")),
    (rules.Event.SHOWN, Measure("fighters_shown", "times", "Fighters shown from the hand.")),
    (
        rules.Event.TIES,
        Measure("ties", "rounds", "Rounds whose first tie of initiatives the omens decided for this seat."),
    ),
)

GAME = Game(
    name="vaalbara",
    title="Vaalbara",
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
    most_decisions=8 * TURNS,
    codes=CODES,
    schema=SCHEMA,
    default_card_set="default",
    parameters=parameters,
    log_cards=log_cards,
    rounds_of=lambda card_set: 1,
    decisions=tuple(decision.name for decision in Decision),
    ends=tuple(end.name.lower() for end in End),
    gains=("dealt", "drawn", "taken"),
    fates=("played", "given"),
    parts=(
        *(
            Measure(PLURALS[name], "VP", f"Rewards of {PLURALS[name]} taken from the row, a Farmer's doubled.")
            for name in TYPES
        ),
        Measure("pioneer", "VP", "Rewards of lands that came from the bottom of the Land deck."),
        Measure("fighter", "VP", "Gained by showing a Fighter."),
        Measure("bard", "VP", "Given by other players' Bards."),
        Measure("hunter", "VP", "Hunters that acted before all neighbours."),
        Measure("oracle", "VP", "Odd initiatives of neighbours."),
        Measure("carpenter", "VP", "Forests in the Realm when the Carpenter came."),
        Measure("falconer", "VP", "Taken by the own Falconers."),
        Measure("robbed", "VP", "Taken away by others' Falconers; not above zero."),
        Measure("artisan", "VP", "Artisans that acted after all neighbours."),
        Measure("bonus", "VP", "The bonus for five or six types of land."),
        Measure("start", "VP", "What everybody starts with."),
    ),
    counters=tuple(measure for _, measure in COUNTERS),
    counter_kinds=tuple(int(kind) for kind, _ in COUNTERS),
    when_unit=3,
    standing="victory points so far, without the bonus for types of land",
    caveat="Which lands there are, and the ranks of the clans on their backs, stand in no source: the tables of the "
    "shipped card sets are reconstructed. What is said of single lands holds for these tables, not for the published "
    "game.",
    score_unit="VP",
    features=FEATURES,
    value_features=VALUE_FEATURES,
    words=Words,
    first_player=False,
    interventions=interventions,
    hidden=("CHARACTER",),
)
