"""Valletta: the declaration."""

from pathlib import Path

from simcore.game import Game, Measure
from simcore.games.valletta import imagine as _imagine  # noqa: F401  # its import registers the kernel
from simcore.games.valletta.cardset import COLOURS, GOODS, SCHEMA
from simcore.games.valletta.features import FEATURES, VALUE_FEATURES
from simcore.games.valletta.interventions import interventions
from simcore.games.valletta.parameters import log_cards, parameters
from simcore.games.valletta.rules import Event
from simcore.games.valletta.state import (
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
from simcore.games.valletta.words import Words

CODES = 192  # characters, buildings and their upgraded sides, a word each
MOST_BUILDS = 80  # each location once, and its upgrade
MOST_PER_BUILD = 220  # decisions: items substituted, and the goods that fill in
MOST_PER_PLAY = 40  # other decisions of a card
MOST_PLAYS = 2_200

COUNTERS = (
    (Event.HOUSES, Measure("houses", "houses", "Buildings built.")),
    (Event.UPGRADE, Measure("upgraded", "buildings", "Buildings upgraded.")),
    (Event.TURNS, Measure("turns", "turns", "Own turns.")),
    (Event.FINAL_TURNS, Measure("final_turns", "turns", "Own turns in the final phase.")),
    (Event.TRIGGER_TURN, Measure("trigger_turn", "turns", "Turns of each seat when the final phase was triggered.")),
    (Event.TRIGGERED, Measure("triggered", "games", "Final phases that this seat triggered.")),
    (Event.JEAN_STEPS, Measure("jean_steps", "spaces", "Spaces that this seat moved Jean.")),
    (Event.JEAN_SPACE, Measure("jean_space", "spaces", "Jean's space at the end, whoever moved him.")),
    (Event.AREA_BONUSES, Measure("area_bonuses", "times", "Buildings and upgrades in Jean's area.")),
    (Event.HIRES, Measure("hires", "cards", "Cards hired from the general supply.")),
    (Event.DISMISSALS, Measure("dismissals", "cards", "Cards dismissed.")),
    (Event.COPIES, Measure("copies", "times", "Effects that an Apprentice copied.")),
    (Event.CARDS, Measure("cards", "cards", "Cards owned at the end.")),
    (Event.DECLINED, Measure("declined", "times", "Effects that were not used.")),
    (Event.SUBSTITUTED, Measure("substituted", "items", "Items of costs paid with other goods.")),
    (Event.RECEIVED, Measure("received", "goods", "Goods given by other players.")),
    (Event.SHORT, Measure("short", "goods", "Goods that the supply could not give.")),
    *(
        (
            Event.TAKEN + number,
            Measure(f"{good}_taken", "goods", f"{good.capitalize()} taken from the supply.", "goods taken"),
        )
        for number, good in enumerate(GOODS)
    ),
)

GAME = Game(
    name="valletta",
    title="Valletta",
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
    most_decisions=MOST_PLAYS * MOST_PER_PLAY + MOST_BUILDS * MOST_PER_BUILD,
    codes=CODES,
    schema=SCHEMA,
    default_card_set="standard",
    parameters=parameters,
    log_cards=log_cards,
    rounds_of=lambda card_set: 1,
    decisions=tuple(decision.name for decision in Decision),
    ends=tuple(end.name.lower() for end in End),
    endings=("Jean on the last space", "reaching the points", "placing the last house", "the cap on turns"),
    gains=("offered", "upgraded"),
    fates=("built", "lost"),
    tallies=("played", "copied", "taken", "hired", "dismissed"),
    parts=(
        *(Measure(colour, "points", f"Printed points of {colour} buildings, basic sides.") for colour in COLOURS),
        Measure("upgrades", "points", "What upgraded sides print beyond the basic ones."),
        Measure("area", "points", "Jean's bonus for buildings and upgrades in his area."),
        Measure("paid", "points", "Bought with goods by a character."),
        Measure("counted", "points", "For buildings that a character counts."),
        Measure("fixed", "points", "Given by a character outright."),
        Measure("goods", "points", "For goods left over."),
    ),
    counters=tuple(measure for _, measure in COUNTERS),
    counter_kinds=tuple(int(kind) for kind, _ in COUNTERS),
    when_unit=2,
    when="own turns",
    standing="points from play and printed points of the own buildings, without goods left over",
    caveat="What the buildings cost, show and count, how often each occurs, and the barrels stand in no source: the "
    "tables of the shipped card set are reconstructed. What is said of single buildings and characters holds for these "
    "tables, not for the published game; what is said of its mechanisms is safer.",
    score_unit="points",
    features=FEATURES,
    value_features=VALUE_FEATURES,
    words=Words,
    interventions=interventions,
)
