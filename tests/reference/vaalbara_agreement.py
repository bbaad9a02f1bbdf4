"""Plays the kernels of Vaalbara and the plain Python reference side by side and compares them after every move."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from simcore import replay
from simcore.cardset import CardSet
from simcore.play import Step
from simcore.play import Table as Kernels
from tests.reference.lost_cities_agreement import Disagreement, same
from tests.reference.vaalbara import SHOW_FIGHTER, Event, Match, Rules
from tests.reference.vaalbara_records import ACTIONS, DECISIONS, Coding, Kernel, private_fields, privates, public_fields
from tests.reference.vaalbara_seen import Observer, View

__all__ = ["GAME", "Disagreement", "Witness", "coding_of", "rules_of", "same"]

GAME = "vaalbara"


def rules_of(card_set: CardSet, seats: int) -> Rules:
    return Rules.of(card_set.scalars, card_set.tables, seats)


def coding_of(kernels: Kernels) -> Coding:
    """With the codes of the lands as the game declares them for its card log."""
    codes = {card.id: card.code for card in kernels.game.log_cards(kernels.card_set, kernels.seats)}
    return Coding(rules_of(kernels.card_set, kernels.seats), codes)


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
        self.views = [View(self.rules, seat) for seat in self.match.table.seats]
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
                self._tell(event)
            self.compare()
            yield step
        self._compare_result()

    def _check_decision(self, step: Step) -> str:
        """Whose decision it is, which, and its options, as the codes say; the action in words."""
        same("the decision", (step.seat, DECISIONS[step.decision]), (self.match.actor, self.match.table.expects))
        same("codes of this decision", {action // ACTIONS for action in step.options}, {step.decision})
        words = {action: self.coding.word(self.match.table, action) for action in step.options}
        same("options", sorted(words.values()), sorted(self.match.options()))
        return words[step.action]

    def _tell(self, event: Event) -> None:
        self.events.append(event)
        happened = self.match.apply(event)
        for view, observer in zip(self.views, self.observers, strict=True):
            for seen in view.of(happened):
                observer.see(seen)

    def compare(self) -> None:
        """Every field of `public`, `private` and `secret`, as known from above and as each seat can know it."""
        actor, table = self.match.actor, self.match.table
        public, private = self.kernel.public_fields(), self.kernel.privates()
        same("public", public, public_fields(self.coding, table, actor))
        same("private", private, privates(self.coding, self.match))
        self._compare_decks()
        for seat, observer in enumerate(self.observers):
            self._compare_observer(seat, observer, public, private[seat])

    def _compare_decks(self) -> None:
        """What lies where in the decks as far as faces are known, and what lies there at all."""
        coding, match, table = self.coding, self.match, self.match.table
        same("clan decks", self.kernel.clan_decks(), [coding.characters(deck) for deck in match.decks])
        deck = self.kernel.land_deck()
        known = [coding.face(land) for land in table.deck]
        covered = [code if face >= 0 else -1 for code, face in zip(deck, known, strict=True)]
        same("known lands of the deck", covered, known)
        unseen = {code for code, face in zip(deck, known, strict=True) if face < 0}
        same("other lands of the deck", unseen, set(coding.lands(table.unseen)))

    def _compare_observer(self, seat: int, observer: Observer, public: dict[str, Any], private: dict[str, int]) -> None:
        """A seat looks at the table when it decides, and when a public thing is to be decided.

        Where another seat is asked to show a Fighter, it does not even know that, so nothing is asked of it then.
        """
        actor, table = self.match.actor, self.match.table
        for seen in self.views[seat].decides(actor, table.expects) if actor >= 0 else ():
            observer.see(seen)
        looks = table.expects != SHOW_FIGHTER or actor == seat
        # What two tables record is a function of what they hold, so it is written out again only if they differ.
        if looks and vars(observer.table) != vars(table):
            same(f"the table seen by seat {seat}", public, public_fields(self.coding, observer.table, actor))
        own = private_fields(self.coding, observer.hand, observer.choice)
        same(f"what seat {seat} has", private, own)

    def _compare_result(self) -> None:
        same("the game is over", True, self.match.table.is_over)
        out, table, seats = self.kernels.out, self.match.table, self.match.table.seats
        same("final scores", [int(out.points[seat]) for seat in seats], table.scores())
        places = sorted(seats, key=lambda seat: (int(out.points[seat]), int(out.tie_break[seat])), reverse=True)
        same("places", places, table.places())
        same("different tie-breaks", len({int(out.tie_break[seat]) for seat in seats}), len(seats))  # VB-7.4
