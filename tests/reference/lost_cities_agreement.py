"""Plays the kernels of Lost Cities and the plain Python reference side by side and compares them after every move."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from simcore.cardset import CardSet
from simcore.play import Step
from simcore.play import Table as Kernels
from tests.reference.lost_cities import DECK, SEATS, Card, Event, Match, Observer, Rules, visible
from tests.reference.lost_cities_records import DECISIONS, Coding, Kernel, hands, public_fields

GAME = "lost-cities"


class Disagreement(AssertionError):
    """Kernels and reference differ."""


def rules_of(card_set: CardSet) -> Rules:
    return Rules.of(card_set.scalars, card_set.tables["cards"])


@dataclass
class Witness:
    """One game of the kernels, retold to the reference event by event.

    `match`, `observers` and `events` (the words of a replay, chance included) are up to date with the kernels' record
    at each step that `follow` yields.
    """

    kernels: Kernels
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rules = rules_of(self.kernels.card_set)
        self.coding = Coding(self.rules)
        self.kernel = Kernel(self.coding, self.kernels.state)
        self.match = Match(self.rules)
        self.observers = [Observer(self.rules, seat) for seat in SEATS]

    def follow(self, deal: int, rotation: int = 0) -> Iterator[Step]:
        """Play the game; everything has been compared when a step is yielded. Raises Disagreement or BrokenRule."""
        yield from self.retell(self.kernels.steps(deal, rotation))

    def retell(self, steps: Iterator[Step]) -> Iterator[Step]:
        """Follow a game that someone else drives, from its first step on."""
        first = next(steps)
        self._tell({"chance": "starter", "seat": int(self.kernel.public.starter)})
        self._tell_hands()
        self.compare()
        yield first
        deck = self.kernel.deck()
        for step in steps:
            self._tell_decision(step, deck)
            deck = self.kernel.deck()
            self.compare()
            yield step
        self._compare_result()

    def _tell(self, event: Event) -> None:
        self.events.append(event)
        self.match.apply(event)
        for seat, observer in enumerate(self.observers):
            seen = visible(event, seat)
            if seen is not None:
                observer.see(seen)

    def _tell_hands(self) -> None:
        for seat, held in enumerate(self.kernel.hands()):
            words = sorted(card.word for card in self.kernel.cards(held).elements())
            self._tell({"chance": "hand", "seat": seat, "cards": words})
        same("deck", Counter(self.kernel.deck()), self.match.deck)

    def _tell_decision(self, step: Step, deck: list[Card]) -> None:
        options = Counter(map(self.coding.word, step.options))
        same("options", options, self.match.options())
        rounds, totals = len(self.match.table.scores), self.match.table.totals
        seat, action = step.seat, self.coding.word(step.action)
        decision = DECISIONS[step.decision]
        self._tell({"seat": seat, "decision": decision, "options": sorted(options), "action": action})
        if action == DECK:
            card = deck.pop(0 if seat == 0 else -1)  # the deck has an end for each seat
            self._tell({"chance": "draw", "seat": seat, "card": card.word})
        public = self.kernel.public
        if public.rounds > rounds:
            scores = [int(now) - before for now, before in zip(public.total, totals, strict=True)]
            self._tell({"round": rounds + 1, "scores": scores})
            if public.actor >= 0:
                self._tell_hands()
                return
        same("deck", self.kernel.deck(), deck)  # its order stays, so from a round's start on its cards are right

    def compare(self) -> None:
        """Every field of `public`, `private` and `secret`, as known from above and as each seat can know it."""
        public, held = self.kernel.public_fields(), self.kernel.hands()
        same("public", public, public_fields(self.coding, self.match.table))
        same("private", held, hands(self.coding, self.match))
        for seat, observer in enumerate(self.observers):
            # What two tables record is a function of what they hold, so it is written out again only if they differ.
            if vars(observer.table) != vars(self.match.table):
                same(f"the table seen by seat {seat}", public, public_fields(self.coding, observer.table))
            same(f"the hand seen by seat {seat}", held[seat], self.coding.held(observer.hand))

    def _compare_result(self) -> None:
        same("the match is over", True, self.match.table.is_over)
        points = [int(self.kernels.out.points[seat]) for seat in SEATS]
        same("final scores", points, self.match.table.totals)
        tie_break = [int(self.kernels.out.tie_break[seat]) for seat in SEATS]
        same("tie-break", tie_break[0], tie_break[1])  # LC-7.3: equal totals are a draw


def same(what: str, kernel: Any, reference: Any) -> None:
    """Raises Disagreement with the fields that differ."""
    if kernel != reference:
        differences = list(_differences(what, kernel, reference))
        raise Disagreement("\n".join(differences))


def _differences(what: str, kernel: Any, reference: Any) -> Iterator[str]:
    if isinstance(kernel, dict) and isinstance(reference, dict):
        for name in [*kernel, *(name for name in reference if name not in kernel)]:
            yield from _differences(f"{what}.{name}", kernel.get(name), reference.get(name))
    elif isinstance(kernel, list | tuple) and isinstance(reference, list | tuple) and len(kernel) == len(reference):
        for i, pair in enumerate(zip(kernel, reference, strict=True)):
            yield from _differences(f"{what}[{i}]", *pair)
    elif kernel != reference:
        yield f"{what}: {kernel} by the kernels, {reference} by the reference"
