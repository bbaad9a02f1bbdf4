"""Valletta in words: the events of replays, and sentences for people."""

from typing import Any

from simcore.cardset import CardSet
from simcore.games.valletta.cardset import GOODS
from simcore.games.valletta.position import Positions
from simcore.games.valletta.rules import Event
from simcore.games.valletta.state import DISMISS, NO, Decision, End
from simcore.words import Events, Notes
from simcore.words import Words as GameWords

OF_CHARACTERS = (Decision.PLAY_CARD, Decision.DISMISS_CARD, Decision.HIRE_CARD)
ANSWERS = ("no", "yes")
MODES = ("dismiss", "hire")
ENDS = {
    End.JEAN: "Jean has reached the last space",
    End.POINTS: "the points have reached the goal",
    End.HOUSES: "the last house is placed",
    End.CAP: "the game has lasted as long as it may",
}
SENTENCES = {
    Decision.SETUP_GOOD: "seat {seat} takes {word} as its extra good",
    Decision.PLAY_CARD: "seat {seat} plays {word}",
    Decision.PICK_GOOD: "seat {seat} chooses {word}",
    Decision.SUBSTITUTE: "seat {seat} substitutes one {word} of the cost",
    Decision.SUBSTITUTE_PAY: "seat {seat} pays {word} for a substituted item",
    Decision.DISMISS_CARD: "seat {seat} dismisses {word}",
    Decision.HIRE_CARD: "seat {seat} hires {word}",
    Decision.GIVE_GOOD: "seat {seat} gives {word}",
}
REFUSALS = {
    Decision.PICK_GOOD: "seat {seat} declines",
    Decision.BUILD_TARGET: "seat {seat} builds nothing",
    Decision.SUBSTITUTE: "seat {seat} substitutes no more and pays",
    Decision.JEAN_MODE: "seat {seat} neither dismisses nor hires",
    Decision.USE_EFFECT: "seat {seat} does not use the effect",
}


class Words(GameWords):
    """The words of one card set."""

    def __init__(self, card_set: CardSet) -> None:
        self._code = [row["code"] for row in card_set.tables["characters"]]
        self._name = {row["code"]: row["name"] for row in card_set.tables["characters"]}
        self._building = [row["building_id"] for row in card_set.tables["buildings"]]
        self._label = [row["label"] for row in card_set.tables["buildings"]]
        self._positions = Positions(card_set)

    def action(self, action: int, public: Any) -> str:
        """The word of an action; what lies on the table does not matter."""
        decision, item = divmod(action, 64)
        if decision == Decision.USE_EFFECT:
            return ANSWERS[item]
        if item == NO and decision not in OF_CHARACTERS:
            return "no"
        if decision == Decision.JEAN_MODE:
            return MODES[item - DISMISS]
        if decision == Decision.BUILD_TARGET:
            return f"loc{item}"
        return self._code[item] if decision in OF_CHARACTERS else GOODS[item]

    def sentence(self, seat: int, decision: int, word: str, public: Any) -> str:
        """What a decision means, for people, given what lies on the table before it."""
        if word == "no":
            return REFUSALS[Decision(decision)].format(seat=seat)
        if decision == Decision.BUILD_TARGET:
            location = int(word.removeprefix("loc"))
            verb = "builds" if int(public.free) >> location & 1 else "upgrades"
            return f"seat {seat} {verb} the {self._label[int(public.building[location])]} at {word}"
        if decision == Decision.USE_EFFECT:
            return f"seat {seat} uses the effect"
        if decision == Decision.JEAN_MODE:
            return f"seat {seat} is to {word} a card"
        return SENTENCES[Decision(decision)].format(seat=seat, word=self._name.get(word, word))

    def events(self, notes: Notes) -> Events:
        """The chance events, and the ends of turns, that a set-up or a decision has caused."""
        city: list[int] = []
        hands: dict[int, list[str]] = {}
        points: list[int] = []
        for kind, time, seat, value in notes:
            if kind == Event.LOCATION:
                city.append(value)
            elif kind == Event.DEALT:
                hands.setdefault(seat, []).append(self._code[value])
            elif kind == Event.DRAWN:
                card = self._code[value]
                text = f"seat {seat} draws {self._name[card]}"
                yield {"chance": "draw", "seat": seat, "card": card, "text": text}
            elif kind == Event.BARREL:
                good = GOODS[value]
                text = f"Jean moves to space {time}: a barrel with {good}"
                yield {"chance": "barrel", "space": time, "good": good, "text": text}
            elif kind == Event.TURN_POINTS:
                points.append(value)
            elif kind == Event.TURN_END:
                text = f"the turn of seat {seat} ends: {' to '.join(map(str, points))} points from play"
                yield {"turn_end": seat, "points": points, "text": text}
                points = []
            elif kind == Event.FINAL_PHASE:
                yield {"final_phase": seat, "text": f"seat {seat} triggers the final phase: {ENDS[End(value)]}"}
        if city:
            yield from self._setup(city, hands)

    def _setup(self, city: list[int], hands: dict[int, list[str]]) -> Events:
        laid = ", ".join(f"loc{location} {self._label[building]}" for location, building in enumerate(city))
        yield {
            "chance": "city",
            "buildings": [self._building[building] for building in city],
            "text": f"the city: {laid}",
        }
        for seat, cards in sorted(hands.items()):
            named = ", ".join(self._name[card] for card in cards)
            yield {"chance": "hand", "seat": seat, "cards": cards, "text": f"seat {seat} is dealt {named}"}

    def position(self, public: Any, me: Any, seat: int, seats: int) -> list[str]:
        """As one of so many seats sees it."""
        return self._positions.lines(public, me, seat, seats)
