"""Lost Cities: the ways to deny a player a card, for studies of access (`board.banned`, `board.blanked`).

A banned card may not be played; it may be held and discarded. A blank card may be played too, on a column that it fits
(and then shuts out what is too low beside it), but adds nothing there: no value, no wager, no card towards the bonus; a
column of nothing else is not begun and costs nothing. So a blank is a ban but for one thing: its player can be rid of
the card without giving it to the opponent.
"""

from simcore.cardset import CardSet
from simcore.game import Intervention, LoggedCard
from simcore.games.lost_cities.parameters import log_cards


def interventions(card_set: CardSet, seats: int) -> tuple[Intervention, ...]:
    """A ban on playing each kind of card, all its copies, and a blank in place of it."""
    first = {card.type: card for card in reversed(log_cards(card_set, seats))}
    cards = [*reversed(first.values())]
    return (*(_of(card, "ban") for card in cards), *(_of(card, "blank") for card in cards))


def _of(card: LoggedCard, kind: str) -> Intervention:
    fields = ((f"{kind}_place", 0), (f"{kind}_code", card.code))
    return Intervention(kind, card.type, card.label, card.group, ("played",), fields)
