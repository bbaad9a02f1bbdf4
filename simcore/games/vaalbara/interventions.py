"""Vaalbara: the ways to deny a player a card, for studies of access (`public.banned` and its neighbours).

A blank character keeps its initiative: turn order, the pay of Rivers and what others' effects see in it stay. Its text
is empty for the denied player's own copy, played or in hand:

- it gives its player nothing, takes from nobody and asks for no choice: no land, character or omens change;
- what its text gives to others does not happen either: nobody gains by a blank Bard, nor shows a Fighter for a blank
  Fighter;
- a blank Fighter in hand cannot be shown for the Fighters of others; a blank Farmer doubles nothing.

Others' characters work on the denied player as ever. So a blank measures the text alone, and where that helps others
(Bard, Fighter) its worth is below 0. What a character is worth as a whole, with its initiative, a ban tells: the player
chooses it only where its hand holds nothing else, so it lies there as a dead card.

A ban on a type of land, all its copies whatever they print: the player takes such a land only where the first row has
no other, as it must take one (VB-3.5). A land that it takes for that reason, or that a Pioneer brings it, pays it
nothing; it lies in the Realm and counts there as a land and a type of land, for its player and for the neighbours.
"""

from simcore.cardset import CardSet
from simcore.game import Intervention, LoggedCard
from simcore.games.vaalbara.cardset import TYPES
from simcore.games.vaalbara.parameters import kept, log_cards

DENIED = ("ban_place", 0)


def interventions(card_set: CardSet, seats: int) -> tuple[Intervention, ...]:
    """A ban on each type of land, and a ban and a blank for each character."""
    cards = log_cards(card_set, seats)
    characters = [card for card in cards if card.in_hand]
    return (
        *_bans_of_lands(card_set, seats, {card.id: card for card in cards}),
        *(_of_character("ban", "banned", card) for card in characters),
        *(_of_character("blank", "blanked", card) for card in characters),
    )


def _of_character(kind: str, field: str, card: LoggedCard) -> Intervention:
    return Intervention(kind, card.type, card.label, card.group, ("played",), (DENIED, (field, 1 << card.code)))


def _bans_of_lands(card_set: CardSet, seats: int, logged: dict[str, LoggedCard]) -> tuple[Intervention, ...]:
    lands = [row for _, row in kept(card_set, seats)]
    found = []
    for number, kind in enumerate(TYPES):
        types = tuple(dict.fromkeys(logged[row["id"]].type for row in lands if row["type"] == kind))
        if types:
            fields = (DENIED, ("banned_types", 1 << number))
            found.append(Intervention("ban", kind, kind, "lands", ("taken",), fields, types))
    return tuple(found)
