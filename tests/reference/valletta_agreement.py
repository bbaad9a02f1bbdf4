"""Plays the kernels of Valletta and the plain Python reference side by side and compares them after every move."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from simcore import replay
from simcore.cardset import CardSet
from simcore.play import Step
from simcore.play import Table as Kernels
from tests.reference.lost_cities_agreement import Disagreement, same
from tests.reference.valletta import Event, Match, Rules
from tests.reference.valletta_records import ACTIONS, DECISIONS, Coding, Kernel, private_fields, public_fields
from tests.reference.valletta_seen import Observer, View

__all__ = ["GAME", "Disagreement", "Witness", "coding_of", "rules_of", "same"]

GAME = "valletta"


def rules_of(card_set: CardSet, seats: int) -> Rules:
    return Rules.of(card_set.scalars, card_set.tables, seats)


def coding_of(kernels: Kernels) -> Coding:
    return Coding(rules_of(kernels.card_set, kernels.seats))


@dataclass
class Witness:
    """One game of the kernels, retold to the reference event by event.

    `match`, `observers` and `events` (those of a replay) are up to date with the kernels' record at each step that
    `follow` yields.
    """

    kernels: Kernels
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.coding = coding_of(self.kernels)
        self.rules = self.coding.rules
        self.kernel = Kernel(self.coding, self.kernels.state)
        self.match = Match(self.rules)
        self.views = [View(seat) for seat in self.match.table.seats]
        self.observers = [Observer(self.rules, seat) for seat in self.match.table.seats]

    def follow(self, deal: int, rotation: int = 0) -> Iterator[Step]:
        """Play the game; everything has been compared when a step is yielded. Raises Disagreement or BrokenRule."""
        yield from self.retell(self.kernels.steps(deal, rotation))

    def retell(self, steps: Iterator[Step]) -> Iterator[Step]:
        """Follow a game that someone else drives, from its first step on."""
        for step in steps:
            action = self._check_decision(step) if step.seat >= 0 else None
            for event in replay.in_events(self.kernels, (step,)):
                if "decision" in event:
                    same("the action in words", event["action"], action)
                self.tell(event)
            self.compare()
            yield step
        self._compare_result()

    def _check_decision(self, step: Step) -> str:
        """Whose decision it is, which, and its options, in their order; the action in words."""
        same("the decision", (step.seat, DECISIONS[step.decision]), (self.match.actor, self.match.decision))
        same("codes of this decision", {action // ACTIONS for action in step.options}, {step.decision})
        words = {action: self.coding.word(action) for action in step.options}
        same("options", tuple(words.values()), self.match.options())
        return words[step.action]

    def tell(self, event: Event) -> None:
        """The next event, to the match and, as far as they may see it, to the observers."""
        self.events.append(event)
        self.match.apply(event)
        for view, observer in zip(self.views, self.observers, strict=True):
            observer.see(view.of(event))

    def compare(self) -> None:
        """Every field of `public` and `private`; between turns those of `secret`, and the table as each seat knows it.

        Draw piles change between turns only, and nothing that a seat knows of the table ever goes away.
        """
        public = self.kernel.public_fields()
        same("public", public, public_fields(self.coding, self.match))
        for observer, private in zip(self.observers, self.kernel.privates(), strict=True):
            same(f"hand of seat {observer.seat}", private, private_fields(self.coding, observer.hand))
        if not self.match.table.slots:
            self._compare_secret()
            for observer in self.observers:
                self._compare_observer(observer, public)

    def _compare_secret(self) -> None:
        """What lies in the draw piles (in any order) and under the street, as far as it was turned up and in all."""
        table, barrels = self.match.table, self.kernel.barrels()
        same("draw piles", self.kernel.decks(), [table.deck(seat) for seat in table.seats])
        turned = Counter(barrels[: table.jean])
        same("barrels turned up", [turned[good] for good in range(4)], table.turned)
        same("barrels", Counter(barrels), Counter(self.rules.barrels))

    def _compare_observer(self, observer: Observer, public: dict[str, Any]) -> None:
        """What a table records is a function of what it holds, so it is written out again only if that differs."""
        seat = observer.seat
        same("hand as known from above", observer.hand, self.match.table.hands[seat])
        if open_to_all(observer.match) != open_to_all(self.match):
            same(f"the table seen by seat {seat}", public, public_fields(self.coding, observer.match))

    def _compare_result(self) -> None:
        same("the game is over", True, self.match.table.is_over)
        out, table = self.kernels.out, self.match.table
        scores = [int(out.points[seat]) for seat in table.seats]
        same("final scores", scores, table.scores())
        rank = [(scores[seat], int(out.tie_break[seat])) for seat in table.seats]
        same("winners", [seat for seat in table.seats if rank[seat] == max(rank)], table.winners())


def open_to_all(match: Match) -> dict[str, Any]:
    """The table without the hands."""
    return {name: value for name, value in vars(match.table).items() if name != "hands"}
