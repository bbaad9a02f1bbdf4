"""Lisboa: the ways to deny a player a card, for studies of access (`public.banned`, `public.blanked`).

Each is the one that asks about the card alone and leaves every move that the rules demand:

- A ban on taking a kind of decree, and on building on a block. Others are there to choose. Where a player could take
  or build nothing else, the Noble action is impossible for it, as it is by L-11.1 and L-12.1, and no card is lost by
  that: any card may be played for a gold good (L-4.5).
- A blank for a kind of decree gives no wigs at the end. As wigs are all that a decree gives, bots that know of it leave
  it alone, and it costs them what the ban does; bots that take decrees at random pay for the wasted choice, too.
- A blank for a kind of Clergy tile has no effect and no wigs on its back. It can be kept, held, driven out and
  surrendered as any tile, and a player who surrenders it gains influence (L-14.6), as that is no matter of the tile.
  A ban would leave no choice where all tiles on offer are of the kind (L-2.3).
- A blank for a political card has no influence number, no reward or penalty, no permanent effect, and no event: so it
  cannot be played as one (L-15.2). What any card of its kind does is left: a gold good, a visit of its noble, the
  subsidy of a treasury card, a sale or trade from the portfolio, its part in what decrees count. A ban would make the
  hand smaller by a card that has come by chance.
- A blank for a kind of ship brings its owner no influence number, no wigs when it sails and none at the end. Its dock
  is there for everybody (L-8.4), so that stays. A ban would keep the player from the ships below it as well.

Plans and public buildings have no denial. They lie on stacks of which only the top one can be taken, so a ban would
keep the player from all below it, and a blank asks nothing: all that a plan says is how many officials it takes, which
is what it counts for (L-17.6), and a public building serves the stores of all players alike (L-13.8).
"""

from collections.abc import Sequence

from simcore.cardset import CardSet
from simcore.game import Intervention, LoggedCard
from simcore.games.lisboa.parameters import log_cards
from simcore.games.lisboa.rules.events import BLOCK_CODE, CARD_CODE, CLERGY_CODE, PLAN_CODE, SHIP_CODE
from simcore.games.lisboa.state import DECREE_KINDS, TREASURY
from simcore.games.lisboa.vocabulary import CARD_TYPES

EVENTFUL = CARD_TYPES[TREASURY]


def interventions(card_set: CardSet, seats: int) -> tuple[Intervention, ...]:
    """Bans on kinds of decrees and on blocks; blanks for kinds of decrees and of Clergy tiles, for political cards and
    for kinds of ships.
    """
    cards = [*{card.type: card for card in reversed(log_cards(card_set, seats))}.values()][::-1]
    decrees, blocks = _between(cards, 0, DECREE_KINDS), _between(cards, BLOCK_CODE, PLAN_CODE)
    tiles, political = _between(cards, CLERGY_CODE, CARD_CODE), _between(cards, CARD_CODE, BLOCK_CODE)
    ships = [card for card in cards if card.code >= SHIP_CODE]
    return (
        *(_denial("ban", card, "taken") for card in (*decrees, *blocks)),
        *(_denial("blank", card, "scored") for card in decrees),
        *(_denial("blank", card, "taken") for card in tiles),
        *(_denial("blank", card, "portfolio", *(["court"] if card.group == EVENTFUL else [])) for card in political),
        *(_denial("blank", card, "taken") for card in ships),
    )


def _between(cards: Sequence[LoggedCard], first: int, last: int) -> list[LoggedCard]:
    return [card for card in cards if first <= card.code < last]


def _denial(kind: str, card: LoggedCard, *uses: str) -> Intervention:
    field = "banned" if kind == "ban" else "blanked"
    return Intervention(kind, card.type, card.label, card.group, uses, (("ban_place", 0), (field, card.code)))
