"""Lost Cities: the ways to deny a player a card, for studies of access (`board.banned`)."""

from simcore.cardset import CardSet
from simcore.game import Intervention
from simcore.games.lost_cities.parameters import log_cards


def interventions(card_set: CardSet, seats: int) -> tuple[Intervention, ...]:
    """A ban on playing each kind of card, all its copies. The player may still discard it, so it is a blank as well."""
    first = {card.type: card for card in reversed(log_cards(card_set, seats))}
    return tuple(
        Intervention("ban", card.type, card.label, card.group, ("played",), (("ban_place", 0), ("ban_code", card.code)))
        for card in reversed(first.values())
    )
