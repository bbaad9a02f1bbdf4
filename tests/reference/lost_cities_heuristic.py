"""The heuristic of Lost Cities in plain Python, rule by rule of benchmarks/yardstick/README.md."""

from collections import Counter
from collections.abc import Callable, Iterable

from tests.reference.lost_cities import DECK, Card, Table, may_play
from tests.reference.lost_cities_records import Coding


def action(table: Table, seat: int, hand: Counter[Card]) -> str:
    """The seat's action in the words of a replay."""
    return _Turn(table, seat, hand).card() if table.expects == "CARD" else _Turn(table, seat, hand).draw()


class _Turn:
    def __init__(self, table: Table, seat: int, hand: Counter[Card]) -> None:
        self.table, self.seat, self.other = table, seat, 1 - seat
        self.colours = table.rules.colours
        # A card's rank is its slot: its value, or its place in the colour where colours do not share their slots.
        self.slot = Coding(table.rules).slot
        self.hand = self.in_order(hand)  # of equal cards one

    def in_order(self, cards: Iterable[Card]) -> list[Card]:
        """By rank (wagers first), then by colour."""
        return sorted(cards, key=lambda card: (self.slot[card], self.colours.index(card.colour)))

    def useful(self, card: Card, seat: int) -> bool:
        column = self.table.columns[seat][card.colour]
        return bool(column) and may_play(column, card)

    def gap(self, card: Card) -> int:
        """The values that a useful card skips."""
        if card.is_wager:
            return 0
        lowest = min(other.value for other in self.table.rules.deck if other.colour == card.colour and other.value)
        highest = self.table.columns[self.seat][card.colour][-1].value
        return card.value - max(highest, lowest - 1) - 1

    def card(self) -> str:
        useful = [card for card in self.hand if self.useful(card, self.seat)]
        for limit in range(4):  # rule 1
            near = [card for card in useful if self.gap(card) <= limit]
            if near:
                return f"play:{near[0].word}"
        if self.table.deck_count <= 12 and useful:  # rule 2
            return f"play:{useful[0].word}"
        new = [card for card in self.hand if not self.table.columns[self.seat][card.colour]]
        if self.table.deck_count >= 14:  # rule 3
            sums = {colour: sum(card.value for card in new if card.colour == colour) for colour in self.colours}
            best = max(self.colours, key=lambda colour: sums[colour])  # of equals the first
            if sums[best] >= 16:
                return f"play:{next(card for card in new if card.colour == best).word}"
        classes: tuple[Callable[[Card], bool], ...] = (  # rule 4
            lambda card: not self.playable(card) and not self.useful(card, self.other),
            lambda card: card in new and not self.useful(card, self.other),
            lambda card: card not in useful,
            lambda card: True,
        )
        found = next(cards for cards in (list(filter(test, self.hand)) for test in classes) if cards)
        return f"discard:{found[0].word}"

    def playable(self, card: Card) -> bool:
        return may_play(self.table.columns[self.seat][card.colour], card)

    def draw(self) -> str:
        tops = self.in_order(self.table.piles[colour][-1] for colour in self.table.open_piles())
        useful = [card for card in tops if self.useful(card, self.seat)]
        for limit in range(3):  # rule 5
            near = [card for card in useful if self.gap(card) <= limit]
            if near:
                return near[0].colour
        return DECK
