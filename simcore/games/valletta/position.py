"""Valletta: the position in words, as one seat sees it."""

from collections.abc import Iterator, Mapping
from typing import Any

from simcore.cardset import CardSet
from simcore.games.valletta.cardset import GOODS
from simcore.games.valletta.state import NOTHING, Colour, Decision
from simcore.words import called, heap, members, row

ASKED = {
    Decision.SETUP_GOOD: "take an extra good",
    Decision.PLAY_CARD: "play a card of your hand",
    Decision.USE_EFFECT: "use the effect, or not",
    Decision.PICK_GOOD: "choose a good",
    Decision.BUILD_TARGET: "choose a building to build or upgrade",
    Decision.SUBSTITUTE: "say whether you pay other goods instead of one of the cost",
    Decision.SUBSTITUTE_PAY: "choose what you pay for the substituted item",
    Decision.JEAN_MODE: "dismiss a card, hire one, or neither",
    Decision.DISMISS_CARD: "choose a card to dismiss",
    Decision.HIRE_CARD: "choose a card to hire",
    Decision.GIVE_GOOD: "choose a good to give",
}
COLUMNS = 5
COSTS = tuple(f"cost_{good}" for good in GOODS)
PAYMENTS = tuple(f"pay_{good}" for good in GOODS)
DISCOUNTS = tuple(f"discount_{good}" for good in GOODS[1:])


class Positions:
    """Positions of one card set."""

    def __init__(self, card_set: CardSet) -> None:
        characters = card_set.tables["characters"]
        self._setup = {card["players"]: card for card in card_set.tables["setup"]}
        self._buildings = card_set.tables["buildings"]
        self._character = [card["name"] for card in characters]
        self._by_code = {card["code"]: card["name"] for card in characters}
        self._effect = [_effect(card, card_set.scalars) for card in characters]
        self._spaces = len(card_set.tables["barrels"])

    def lines(self, public: Any, me: Any, seat: int, seats: int) -> list[str]:
        """As `simcore.words.Words.position`."""
        game = self._setup[seats]
        phase = "the final phase: no more drawing from new piles" if public.final else "the game goes on"
        return [
            f"{phase}; Jean is on space {int(public.jean)} of {self._spaces}. The last phase begins when he reaches "
            f"the end, at {game['trigger_points']} points, or with somebody's last house.",
            f"To build in the column of the city where Jean stands earns {game['area_bonus']} points at once; "
            f"at the end {game['goods_per_point']} goods are worth a point.",
            "the city (the character that comes with a building in brackets):",
            *self._city(public, seat, seats),
            f"characters to hire: {self._cards(public.pool)}; supply: {heap(public.supply, GOODS)}",
            *(line for other in range(seats) for line in self._seat(public, other, seat)),
            f"played in this turn: {row(self._character[int(code)] for code in public.slot if code != NOTHING)}",
            "your hand:",
            *(
                f"  {int(me.hand[code])} x {self._character[code]}: {self._effect[code]}"
                for code in members(me.held)
            ),
            *self._effect_in_progress(public),
            *([f"you are to {ASKED[Decision(public.decision)]}"] if public.actor == seat else []),
        ]

    def _cards(self, counts: Any) -> str:
        return heap(counts, self._character)

    def _city(self, public: Any, seat: int, seats: int) -> Iterator[str]:
        size = sum(int(self._setup[seats][colour.name.lower()]) for colour in Colour)
        for location in range(size):
            owner = next((who for who in range(seats) if int(public.own[who]) >> location & 1), None)
            card = self._buildings[int(public.building[location])]
            up = int(public.upgraded) >> location & 1
            side = "upgraded" if up else "basic"
            state = "free" if owner is None else f"{called(owner, seat)}, {side}"
            character = self._by_code[card["character_code"]]
            yield (
                f"  loc{location} {card['label']} ({character}), {card['colour']}: {state}; "
                f"costs {heap((card[cost] for cost in COSTS), GOODS)}; {card[f'icons_{side}']} {card['icon_good']}, "
                f"{card[f'points_{side}']} points"
            )

    def _seat(self, public: Any, other: int, seat: int) -> Iterator[str]:
        yield (
            f"{called(other, seat)}: {int(public.standing[other])} points with buildings "
            f"({int(public.points[other])} from play); {heap(public.goods[other], GOODS)}; "
            f"{int(public.houses[other])} houses left; {int(public.hand[other])} cards in hand, "
            f"{int(public.deck[other])} in the draw pile, {int(public.discards[other])} discarded"
        )
        yield f"    owns {self._cards(public.owned[other])}"
        if other != seat and public.known[other].any():
            yield f"    known to hold {self._cards(public.known[other])}"

    def _effect_in_progress(self, public: Any) -> Iterator[str]:
        if public.resolving != NOTHING:
            yield f"now the effect of {self._character[int(public.resolving)]}: {self._effect[int(public.resolving)]}"
        if public.target != NOTHING:
            label = self._buildings[int(public.building[int(public.target)])]["label"]
            yield f"to be paid for the {label}: {heap(public.cost, GOODS)}"


def _effect(card: dict[str, Any], rules: Mapping[str, Any]) -> str:
    """What a character does (sections 8 to 11 of the rules), with the numbers of its card set."""
    good, number, points = card["good"], card["n"], card["points"]
    discounts = heap((card[name] for name in DISCOUNTS), GOODS[1:])
    paid = heap((card[name] for name in PAYMENTS), GOODS)
    texts = {
        "GAIN_FIXED": f"take {number} {good}",
        "GAIN_CHOICE": f"take goods of your choice: {number}",
        "BUILD": "build or upgrade a building" + (f", {discounts} cheaper" if discounts != "nothing" else ""),
        "COPY_PREVIOUS": "use the effect of the card that you have played before it in this turn",
        "JEAN": "Jean moves on, you take the good of the barrel; then dismiss a card or hire one",
        "GAIN_ICONS": f"take {good}, as much as your buildings show",
        "MENDICANT": f"others who have {rules['mendicant_holding']} goods or more choose {number} for you each",
        "TRADER": f"return {rules['trader_pays']} wood, stone or brick for {number} {good}",
        "MERCHANT": f"pay {paid}, take {number} of each material",
        "GAIN_PER_GREEN": f"take {good}, 1 for each green building of yours",
        "NUN": f"choose a good and take {number} of it; each of the others takes {rules['nun_others']}",
        "GAIN_ICONS_CHOICE": "choose a good and take as much of it as your buildings show",
        "HOST": f"others who have {rules['host_holding']} {good} or more give you {number} each",
        "TAX_COLLECTOR": f"of each material, others who have {rules['collector_holding']} or more give you {number}",
        "PAY_CHOICE_FOR_POINTS": f"return {number} of one material for {points} points",
        "PAY_FOR_POINTS": f"pay {paid} for {points} points",
        "POINTS_PER_BLUE": f"{points} points for each blue building of yours",
        "POINTS_PER_GREEN": f"{points} points for each green building of yours",
        "POINTS_PER_UPGRADED": f"{points} points for each upgraded building of yours",
        "POINTS_FIXED": f"{points} points",
    }
    return texts[card["effect"]]
