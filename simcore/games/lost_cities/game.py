"""Lost Cities: the declaration."""

from pathlib import Path

from simcore.game import Game, Measure
from simcore.games.lost_cities import imagine as _imagine  # noqa: F401  # its import registers the kernel
from simcore.games.lost_cities import rules
from simcore.games.lost_cities.cardset import SCHEMA
from simcore.games.lost_cities.features import FEATURES, VALUE_FEATURES  # its import registers the kernels
from simcore.games.lost_cities.interventions import interventions
from simcore.games.lost_cities.parameters import log_cards, parameters
from simcore.games.lost_cities.state import (
    CARD_SET,
    CODES,
    MIND,
    OPTIONS,
    PRIVATE,
    PUBLIC,
    ROUNDS,
    SEATS,
    STATE,
    TURNS,
    Decision,
    End,
)
from simcore.games.lost_cities.words import Words

GAME = Game(
    name="lost-cities",
    title="Lost Cities",
    folder=Path(__file__).parent,
    seats=(SEATS,),
    state=STATE,
    public=PUBLIC,
    private=PRIVATE,
    cards=CARD_SET,
    options=OPTIONS,
    mind=MIND,
    rounds=ROUNDS,
    turns=TURNS,
    most_decisions=2 * TURNS,
    codes=CODES,
    schema=SCHEMA,
    default_card_set="base",
    parameters=parameters,
    log_cards=log_cards,
    rounds_of=lambda card_set: int(card_set.scalars["rounds"]),
    decisions=tuple(decision.name for decision in Decision),
    ends=tuple(end.name.lower() for end in End),
    gains=("dealt", "drawn", "taken"),
    fates=("played", "discarded"),
    parts=(
        Measure("numbers", "points", "Values of the numbers played, times wagers plus one."),
        Measure("costs", "points", "What the expeditions cost, times wagers plus one; not above zero."),
        Measure("bonuses", "points", "Bonuses for long expeditions."),
    ),
    counters=(
        Measure("expeditions", "expeditions", "Expeditions begun."),
        Measure("played", "cards", "Cards played to the own expeditions."),
        Measure("discarded", "cards", "Cards discarded."),
        Measure("drawn", "cards", "Cards drawn from the deck."),
        Measure("taken", "cards", "Cards taken from a discard pile."),
    ),
    counter_kinds=(
        rules.Event.COLUMNS,
        rules.Event.PLAYED,
        rules.Event.DISCARDED,
        rules.Event.DRAWN,
        rules.Event.TAKEN,
    ),
    when_unit=8,
    standing="points of the match so far, this round's expeditions scored as they lie",
    score_unit="points",
    features=FEATURES,
    value_features=VALUE_FEATURES,
    words=Words,
    interventions=interventions,
)
