"""Lost Cities in words: the events of replays, and sentences for people."""

from typing import Any

from simcore.cardset import CardSet
from simcore.game import Note
from simcore.games.lost_cities.parameters import by_colour, coded, label
from simcore.games.lost_cities.position import Positions
from simcore.games.lost_cities.rules import Event, card_of
from simcore.games.lost_cities.state import DECK, DISCARD, DRAW, Decision
from simcore.words import Events, Notes
from simcore.words import Words as GameWords


class Words(GameWords):
    """The words of one card set."""

    def __init__(self, card_set: CardSet) -> None:
        self._card = {code: label(row) for code, row in coded(card_set)}
        self._colours = list(by_colour(card_set))
        self._positions = Positions(card_set)

    def action(self, action: int, public: Any) -> str:
        """The word of an action: `play:CARD`, `discard:CARD`, `deck`, or the colour of a pile."""
        if action == DRAW + DECK:
            return "deck"
        if action >= DRAW:
            return self._colours[action - DRAW]
        return f"{'discard' if action & DISCARD else 'play'}:{self._card[card_of(action)]}"

    def sentence(self, seat: int, decision: int, word: str, public: Any) -> str:
        """What a decision means, for people, given what lies on the table before it."""
        if decision == Decision.CARD:
            verb, card = word.split(":")
            return f"seat {seat} {verb}s {_spaced(card)}"
        if word == "deck":
            return f"seat {seat} draws from the deck"
        return f"seat {seat} takes the top card of the {word} pile"

    def events(self, notes: Notes) -> Events:
        """The chance events, and the ends of rounds, that a set-up or a decision has caused."""
        hands: dict[int, list[str]] = {}
        points: dict[int, int] = {}
        for kind, time, seat, value in notes:
            if kind == Event.STARTS:
                yield {"chance": "starter", "seat": seat, "text": f"seat {seat} starts"}
            elif kind == Event.DEALT:
                hands.setdefault(seat, []).append(self._card[value])
            elif kind == Event.DRAWN:
                card = self._card[value]
                yield {"chance": "draw", "seat": seat, "card": card, "text": f"seat {seat} gets {_spaced(card)}"}
            elif kind == Note.ROUND_POINTS:
                points[seat] = value
                if len(points) == 2:
                    scores = [points[0], points[1]]
                    text = f"round {time + 1} ends: {scores[0]} to {scores[1]} points"
                    yield {"round": time + 1, "scores": scores, "text": text}
        for seat, cards in sorted(hands.items()):
            held = ", ".join(_spaced(card) for card in cards)
            yield {"chance": "hand", "seat": seat, "cards": cards, "text": f"seat {seat} is dealt {held}"}

    def position(self, public: Any, me: Any, seat: int, seats: int) -> list[str]:
        """As one of so many seats sees it."""
        return self._positions.lines(public, me, seat, seats)


def _spaced(card: str) -> str:
    return card.replace("-", " ")
