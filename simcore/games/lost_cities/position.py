"""Lost Cities: the position in words, as one seat sees it."""

from collections.abc import Iterator
from typing import Any

from simcore.cardset import CardSet
from simcore.games.lost_cities.parameters import by_colour, coded, label
from simcore.games.lost_cities.state import DECK, Decision
from simcore.words import called, members, row

ASKED = {
    Decision.CARD: "play a card on your expedition of its colour, above its last card, or discard one",
    Decision.DRAW: "draw a card, from the deck or the top of a discard pile",
}


class Positions:
    """Positions of one card set."""

    def __init__(self, card_set: CardSet) -> None:
        self._rules = card_set.scalars
        self._colours = list(by_colour(card_set))
        rows = sorted(coded(card_set), key=lambda pair: (self._colours.index(pair[1]["color"]), pair[1]["value"]))
        self._order = [code for code, _ in rows]
        self._colour = {code: card["color"] for code, card in rows}
        self._worth = {code: card["value"] for code, card in rows}
        self._rank = {code: "wager" if card["kind"] == "wager" else str(card["value"]) for code, card in rows}
        self._name = {code: label(card).replace("-", " ") for code, card in rows}

    def lines(self, public: Any, me: Any, seat: int, seats: int) -> list[str]:
        """As `simcore.words.Words.position`."""
        return [
            *self._rounds(public, seat),
            *self._table(public, seat),
            f"your hand: {row(self._name[code] for code in self._in_order(me.hand))}",
            *self._known(public, seat),
            *([f"you are to {ASKED[Decision(public.decision)]}"] if public.actor == seat else []),
        ]

    def _in_order(self, cards: Any) -> list[int]:
        held = set(members(cards))
        return [code for code in self._order if code in held]

    def _rounds(self, public: Any, seat: int) -> Iterator[str]:
        rounds, left = int(self._rules["rounds"]), int(public["count"][DECK])
        if rounds > 1:
            finished = ", ".join(f"{called(other, seat)} {int(public.total[other])}" for other in (seat, 1 - seat))
            number = min(int(public.rounds) + 1, rounds)
            yield f"round {number} of {rounds}; points of the rounds before: {finished}"
        yield f"{left} cards in the deck; the round ends when the last one is drawn"
        rules = self._rules
        yield (
            f"an expedition that is begun is worth (its numbers - {rules['expedition_cost']}) x (1 + its wagers), "
            f"and {rules['bonus_points']} more with {rules['bonus_min_cards']} cards or more"
        )

    def _table(self, public: Any, seat: int) -> Iterator[str]:
        width = max(map(len, self._colours))
        for pile, colour in enumerate(self._colours):
            own, theirs = (self._expedition(public.board[other], colour) for other in (seat, 1 - seat))
            yield f"  {colour:<{width}}  you: {own}; seat {1 - seat}: {theirs}; discarded: {self._pile(public, pile)}"
        scores = ", ".join(f"{called(other, seat)} {int(public.standing[other])}" for other in (seat, 1 - seat))
        yield f"points as it lies: {scores}"

    def _expedition(self, board: Any, colour: str) -> str:
        cards = [code for code in self._in_order(board.played) if self._colour[code] == colour]
        if not cards:
            return "-"
        wagers = sum(self._rank[code] == "wager" for code in cards)
        points = (sum(self._worth[code] for code in cards) - self._rules["expedition_cost"]) * (1 + wagers)
        points += self._rules["bonus_points"] * (len(cards) >= self._rules["bonus_min_cards"])
        return f"{' '.join(self._rank[code] for code in cards)} ({points})"

    def _pile(self, public: Any, pile: int) -> str:
        count = int(public["count"][pile])
        if not count:
            return "-"
        top = self._rank[int(public.pile[pile, count - 1])]
        return f"{top} on top of {count - 1}" if count > 1 else top

    def _known(self, public: Any, seat: int) -> Iterator[str]:
        known = [self._name[code] for code in self._in_order(public.board[1 - seat].known)]
        if known:
            yield f"seat {1 - seat} holds, taken from discard piles: {row(known)}"
