"""The features of Lost Cities in plain Python, from the descriptions in simcore/games/lost_cities/features.py."""

from collections import Counter
from collections.abc import Iterable

from tests.reference.lost_cities import DECK, Card, Table, may_play


class Looker:
    """A seat to decide, its hand, and the open table."""

    def __init__(self, table: Table, seat: int, hand: Counter[Card]) -> None:
        self.table, self.seat, self.other, self.hand, self.rules = table, seat, 1 - seat, hand, table.rules
        piled = Counter(card for pile in table.piles.values() for card in pile)
        columns = Counter(card for own in table.columns for column in own.values() for card in column)
        self.unseen = Counter(self.rules.deck) - piled - columns - hand - table.known[self.other]

    def column(self, colour: str, seat: int | None = None) -> list[Card]:
        return self.table.columns[self.seat if seat is None else seat][colour]

    def fits(self, card: Card, seat: int | None = None) -> bool:
        return may_play(self.column(card.colour, seat), card)

    def times(self, colour: str, seat: int | None = None) -> int:
        return 1 + sum(card.is_wager for card in self.column(colour, seat))

    def of(self, cards: Counter[Card], colour: str, seat: int | None = None) -> list[Card]:
        """The cards of a colour that fit a seat."""
        return [card for card in cards.elements() if card.colour == colour and self.fits(card, seat)]

    def on_begun(self, card: Card, seat: int) -> int:
        if not self.column(card.colour, seat) or not self.fits(card, seat):
            return 0
        return card.value * self.times(card.colour, seat)

    def turns(self, deck: int) -> tuple[int, int]:
        """Own turns after this one, the opponent's, if so many cards are left in the deck then."""
        own = other = 0
        turn, mine = self.table.round_turns + 1, False
        while deck > 0 and turn < self.rules.max_turns:
            own, other = own + mine, other + (not mine)
            deck, turn, mine = deck - 1, turn + 1, not mine
        return own, other

    def fitting_begun(self) -> list[Card]:
        return [card for colour in self.rules.colours if self.column(colour) for card in self.of(self.hand, colour)]

    # --- Actions ---

    def action(self, word: str) -> dict[str, float]:
        """The features of an action that are not 0, by name."""
        if word == DECK:
            found = self._deck()
        elif word.startswith("play:"):
            found = self._play(self.rules.card[word.removeprefix("play:")])
        elif word.startswith("discard:"):
            found = self._discard(self.rules.card[word.removeprefix("discard:")])
        else:
            found = self._take(word)
        return {name: value for name, value in found.items() if value}

    def _play(self, card: Card) -> dict[str, float]:
        column, cost = self.column(card.colour), self.rules.expedition_cost
        times = self.times(card.colour) + card.is_wager
        hand = self.hand - Counter([card])
        held, hidden = self.of(hand, card.colour), self.of(self.unseen, card.colour)
        stays = [other for other in held if may_play([*column, card], other)]
        hidden_stays = [other for other in hidden if may_play([*column, card], other)]
        turns = 1 + self.turns(self.table.deck_count - 1)[0]
        found: dict[str, float] = {
            "play": 1,
            "skipped_held": (values(held) - values(stays)) * times,
            "skipped_unseen": (values(hidden) - values(hidden_stays)) * times,
            "skipped_wagers": wagers(held) - wagers(stays),
        }
        if column:
            bonus = self.rules.bonus_points if len(column) + 1 == self.rules.bonus_min_cards else 0
            points = card.value * times - cost * card.is_wager + bonus
            found |= {"points": points, "hurry": points * len(self.fitting_begun()) / turns}
        else:
            found |= {
                "open": 1,
                "open_held": (values(stays) + card.value - cost) * times,
                "open_unseen": values(hidden_stays) * times,
                "open_late": cost * times / turns,
            }
        if card.is_wager:
            found |= {"wager": 1, "wager_held": values(held) - cost, "wager_late": cost / turns}
        return found

    def _discard(self, card: Card) -> dict[str, float]:
        found: dict[str, float] = {}
        if not self.fits(card):
            found["dead"] = 1
        elif card.is_wager:
            found["lost_wager"] = 1
        elif self.column(card.colour):
            found["lost"] = self.on_begun(card, self.seat)
        else:
            found["lost_new"] = card.value
            found["lost_new_held"] = values(self.of(self.hand, card.colour)) - card.value
        if self.fits(card, self.other):
            if card.is_wager:
                found["gift_wager"] = 1
            elif self.column(card.colour, self.other):
                found["gift"] = self.on_begun(card, self.other)
            else:
                found["gift_new"] = card.value
        return found

    def _deck(self) -> dict[str, float]:
        turns = self.turns(self.table.deck_count - 1)[0]
        return {"deck": 1, "deck_behind": len(self.fitting_begun()) - turns, "deck_late": 1 / (1 + turns)}

    def _take(self, colour: str) -> dict[str, float]:
        pile = self.table.piles[colour]
        card = pile[-1]
        found: dict[str, float] = {"deny": self.on_begun(card, self.other)}
        if len(pile) > 1:
            found["uncover"] = self.on_begun(pile[-2], self.other)
        if not self.fits(card):
            found["take_dead"] = 1
        elif card.is_wager:
            found["take_wager"] = 1
        elif self.column(colour):
            found["take"] = self.on_begun(card, self.seat)
        else:
            found |= {"take_new": card.value, "take_new_held": values(self.of(self.hand, colour))}
        return found

    # --- Positions ---

    def position(self) -> dict[str, float]:
        """The features of the position that are not 0, by name."""
        standing = self.table.standing()
        own_turns, their_turns = self.turns(self.table.deck_count - 1)
        mine = [colour for colour in self.rules.colours if self.column(colour)]
        theirs = [colour for colour in self.rules.colours if self.column(colour, self.other)]
        new = {colour: values(self.of(self.hand, colour)) for colour in self.rules.colours if colour not in mine}
        lacking = {colour: self.rules.bonus_min_cards - len(self.column(colour)) for colour in mine}
        found: dict[str, float] = {
            "lead": standing[self.seat] - standing[self.other],
            "turns": own_turns + 1,
            "their_turns": their_turns,
            "columns": len(mine),
            "their_columns": len(theirs),
            "held": sum(self.on_begun(card, self.seat) for card in self.hand.elements()),
            "held_cards": len(self.fitting_begun()),
            "held_new": sum(new.values()),
            "held_new_best": max(new.values(), default=0),
            "held_wagers": wagers(card for card in self.hand.elements() if self.fits(card)),
            "unseen": sum(self.on_begun(card, self.seat) for card in self.unseen.elements()),
            "their_unseen": sum(self.on_begun(card, self.other) for card in self.unseen.elements()),
            "their_known": sum(self.on_begun(card, self.other) for card in self.table.known[self.other].elements()),
            "bonuses": sum(lack <= 0 for lack in lacking.values()),
            "near_bonuses": sum(0 < lack <= len(self.of(self.hand, colour)) for colour, lack in lacking.items()),
        }
        return {name: value for name, value in found.items() if value}


def values(cards: Iterable[Card]) -> int:
    return sum(card.value for card in cards)


def wagers(cards: Iterable[Card]) -> int:
    return sum(card.is_wager for card in cards)
