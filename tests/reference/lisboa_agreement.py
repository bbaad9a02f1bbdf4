"""Plays the kernels of Lisboa and the plain Python reference side by side and compares them after every move."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from simcore import replay
from simcore.cardset import CardSet
from simcore.play import Step
from simcore.play import Table as Kernels
from tests.reference.lisboa import Match
from tests.reference.lisboa_records import Coding, Kernel, private_fields, public_fields, secret_fields
from tests.reference.lisboa_seen import Observer
from tests.reference.lisboa_state import DECISIONS, Event
from tests.reference.lisboa_tables import Rules
from tests.reference.lost_cities_agreement import Disagreement, same

__all__ = ["GAME", "Disagreement", "Witness", "coding_of", "rules_of", "same"]

GAME = "lisboa"


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
        match = self.match
        same("the decision", (step.seat, DECISIONS[step.decision]), (match.actor, match.decision))
        words = {
            self.coding.action(match.table, step.seat, match.decision, word): word for word in match.options() or ()
        }
        same("options", list(step.options), list(words))
        return words[step.action]

    def tell(self, event: Event) -> None:
        """The next event, to the match and, as far as they may see it, to the observers."""
        self.events.append(event)
        self.match.apply(event)
        for observer in self.observers:
            observer.see(event)

    def compare(self) -> None:
        """Every field of `public` and `private`; before a turn `secret` and the table as each seat knows it."""
        public = self.kernel.public_fields()
        same("public", public, public_fields(self.coding, self.match))
        for observer, private in zip(self.observers, self.kernel.privates(), strict=True):
            same(f"hand of seat {observer.seat}", private, private_fields(self.coding, observer.hand))
        if self.match.decision in ("MAIN", ""):
            same("secret", self.kernel.secrets(), secret_fields(self.coding, self.match.table))
            for observer in self.observers:
                self._compare_observer(observer, public)

    def _compare_observer(self, observer: Observer, public: dict[str, Any]) -> None:
        seat = observer.seat
        same("hand as known from above", observer.hand, self.match.table.players[seat].hand)
        same(f"the table seen by seat {seat}", public, public_fields(self.coding, observer.match))

    def _compare_result(self) -> None:
        same("the game is over", True, self.match.table.is_over)
        out, table = self.kernels.out, self.match.table
        scores = [int(out.points[seat]) for seat in table.seats]
        same("final scores", scores, table.scores())
        rank = [(scores[seat], int(out.tie_break[seat])) for seat in table.seats]
        same("winners", [seat for seat in table.seats if rank[seat] == max(rank)], table.winners())
