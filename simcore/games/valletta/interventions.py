"""Valletta: the ways to deny a player a card, for studies of access (`public.banned`, `public.blanked`, `public.bare`).

- A ban on building and upgrading each type of building, on which its character lies: so both are denied.
- A blank for each type of building has no icons and no points, on either side. What is no matter of its print is left:
  its cost, its colour, the house on it, its place (what is built beside it is cheaper, Jean's bonus), and the character
  that comes with it (VT-7.14).
- A blank for each character does nothing when it is played or copied, whichever way its cards come to the player.

Bans and blanks of a building and the blank of its character together tell which half of the pair it is that counts.

Characters have no ban. Three cards of the hand must be played in a turn, and in the final phase all (VT-4.2, VT-13.10):
a player who may not play a card would have no legal move with a hand of them, and until then a hand that is smaller by
a dead card, which is worse than never to own it. Not to gain the character of a building is the ban of that building.
"""

from simcore.cardset import CardSet
from simcore.game import Intervention, LoggedCard
from simcore.games.valletta.parameters import log_cards
from simcore.games.valletta.rules import UPGRADED_SIDE


def interventions(card_set: CardSet, seats: int) -> tuple[Intervention, ...]:
    """A ban and a blank for each type of building, all its copies, and a blank for each character."""
    cards = [card for card in log_cards(card_set, seats) if not card.side_of]
    copies: dict[str, int] = {}
    for card in cards:
        if not card.tallied:
            copies[card.type] = copies.get(card.type, 0) | 1 << card.code - UPGRADED_SIDE
    first = {card.type: card for card in reversed(cards)}
    characters = (card for card in cards if card.tallied)
    return (
        *(_denial("ban", first[kind], "built", "banned", buildings) for kind, buildings in copies.items()),
        *(_denial("blank", first[kind], "built", "bare", buildings) for kind, buildings in copies.items()),
        *(_denial("blank", card, "played", "blanked", 1 << card.code) for card in characters),
    )


def _denial(kind: str, card: LoggedCard, use: str, field: str, denied: int) -> Intervention:
    return Intervention(kind, card.type, card.label, card.group, (use,), (("ban_place", 0), (field, denied)))
