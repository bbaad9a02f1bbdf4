"""Bids: the declaration."""

from pathlib import Path
from zlib import crc32

from simcore import cardset, records
from simcore.game import Game, Intervention, LoggedCard, Measure, Note
from tests.simcore.toygame import rules
from tests.simcore.toygame.state import (
    CARD_SET,
    CODES,
    MIND,
    OPTIONS,
    PAY,
    PRIVATE,
    PUBLIC,
    ROUNDS,
    SEAT,
    SEATS,
    STATE,
    STRIDE,
    TURNS,
    Decision,
    End,
)

SCHEMA = cardset.Schema(
    game="bids",
    title="Bids",
    package="tests.simcore.toygame",
    scalars=(
        cardset.Scalar("hand", "int", "Cards in a hand", "cards", 1, 9),
        cardset.Scalar("rounds", "int", "Rounds of a game", "rounds", 1, ROUNDS),
        cardset.Scalar("cap", "int", "Most tricks of a round", "tricks", 1, 20),
    ),
    tables=(
        cardset.Table(
            name="cards",
            key="id",
            meaning="The deck.",
            columns=(
                cardset.Column("id", "id", "name of the card"),
                cardset.Column("value", "int", "rows of one value are copies", "points", 0, 99),
            ),
        ),
    ),
)


def parameters(card_set, seats):
    cards, scalars = records.zero(CARD_SET), card_set.scalars
    cards.seats, cards.hand, cards.rounds, cards.cap = seats, scalars["hand"], scalars["rounds"], scalars["cap"]
    cards.count = cards.deck.count = len(card_set.tables["cards"])
    for code, row in enumerate(card_set.tables["cards"]):
        cards.value[code] = row["value"]
        cards.deck.code[code], cards.deck.salt[code] = code, crc32(row["id"].encode())
    return cards


def log_cards(card_set, seats):
    rows = card_set.tables["cards"]
    values = sorted({row["value"] for row in rows})
    return (
        *(
            LoggedCard(code, row["id"], f"a {row['value']}", f"value-{row['value']}", "cards")
            for code, row in enumerate(rows)
        ),
        *(LoggedCard(value, f"any{value}", f"any {value}", f"any-{value}", "values", tallied=True) for value in values),
    )


def interventions(card_set, seats):
    copies = {}
    for code, row in enumerate(card_set.tables["cards"]):
        copies[row["value"]] = copies.get(row["value"], 0) | 1 << code
    return tuple(
        Intervention(kind, f"value-{value}", f"a {value}", "cards", ("shown",), (("ban_place", 0), (field, cards)))
        for kind, field in (("ban", "banned"), ("blank", "blanked"))
        for value, cards in sorted(copies.items())
    )


class Words:
    def __init__(self, card_set):
        self._card = [f"value-{row['value']}" for row in card_set.tables["cards"]]

    def action(self, action, public):
        if action < SEAT:
            return self._card[action // STRIDE]
        return f"seat{action - SEAT}" if action < PAY else "pay" if action == PAY else "refuse"

    def sentence(self, seat, decision, word, public):
        return f"seat {seat} {('bids', 'names', 'will')[decision]} {word}"

    def events(self, notes):
        for kind, time, seat, value in notes:
            if kind in (rules.Event.DEALT, rules.Event.DRAWN):
                card = self._card[value]
                yield {"chance": "draw", "seat": seat, "card": card, "text": f"seat {seat} gets {card}"}
            elif kind == Note.ROUND_POINTS:
                yield {"round": time + 1, "seat": seat, "points": value, "text": f"seat {seat} makes {value} points"}


GAME = Game(
    name="bids",
    title="Bids",
    folder=Path(__file__).parent,
    seats=(2, 3, 4, 5),
    state=STATE,
    public=PUBLIC,
    private=PRIVATE,
    cards=CARD_SET,
    options=OPTIONS,
    mind=MIND,
    rounds=ROUNDS,
    turns=TURNS,
    most_decisions=ROUNDS * 20 * (SEATS + 2),
    codes=CODES,
    schema=SCHEMA,
    default_card_set="standard",
    parameters=parameters,
    log_cards=log_cards,
    rounds_of=lambda card_set: int(card_set.scalars["rounds"]),
    decisions=tuple(decision.name for decision in Decision),
    ends=tuple(end.name.lower() for end in End),
    gains=("dealt", "drawn"),
    fates=("shown",),
    parts=(
        Measure("tricks", "points", "Values of the tricks won."),
        Measure("fines", "points", "Points paid to the seat or by it."),
    ),
    counters=(Measure("won", "tricks", "Tricks won."), Measure("paid", "times", "Fines paid.")),
    counter_kinds=(rules.Event.WON, rules.Event.PAID),
    when_unit=2,
    standing="points so far",
    score_unit="points",
    features=(),
    value_features=(),
    words=Words,
    tallies=("shown", "best"),
    interventions=interventions,
)
