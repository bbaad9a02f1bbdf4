"""Lisboa: the ways to deny a player a card, for studies of access (`public.banned`)."""

from simcore.cardset import CardSet
from simcore.game import Intervention
from simcore.games.lisboa.parameters import log_cards
from simcore.games.lisboa.state import DECREE_KINDS


def interventions(card_set: CardSet, seats: int) -> tuple[Intervention, ...]:
    """A ban on taking each kind of decree."""
    decrees = (card for card in log_cards(card_set, seats) if card.tallied and card.code < DECREE_KINDS)
    return tuple(
        Intervention("ban", card.type, card.label, card.group, "taken", (("ban_place", 0), ("banned", 1 << card.code)))
        for card in decrees
    )
