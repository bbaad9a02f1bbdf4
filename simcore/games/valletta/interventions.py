"""Valletta: the ways to deny a player a card, for studies of access (`public.banned`, `public.blanked`)."""

from simcore.cardset import CardSet
from simcore.game import Intervention
from simcore.games.valletta.parameters import log_cards
from simcore.games.valletta.rules import UPGRADED_SIDE

DENIED = ("ban_place", 0)


def interventions(card_set: CardSet, seats: int) -> tuple[Intervention, ...]:
    """A ban on building and upgrading each type of building, and a blank for each character, whichever way its cards
    come to the player.
    """
    cards = [card for card in log_cards(card_set, seats) if not card.side_of]
    copies: dict[str, int] = {}
    for card in cards:
        if not card.tallied:
            copies[card.type] = copies.get(card.type, 0) | 1 << card.code - UPGRADED_SIDE
    first = {card.type: card for card in reversed(cards)}
    bans = (
        Intervention("ban", kind, first[kind].label, first[kind].group, ("built",), (DENIED, ("banned", buildings)))
        for kind, buildings in copies.items()
    )
    blanks = (
        Intervention("blank", card.type, card.label, card.group, ("played",), (DENIED, ("blanked", 1 << card.code)))
        for card in cards
        if card.tallied
    )
    return (*bans, *blanks)
