"""What a seat of Lisboa gets to see of a game and what it then knows. L-... are ids of the rules page.

`View` is what it sees of the events, `Observer` what it knows. Together with lisboa.py this is the judge of what the
kernels show to bots.
"""

from collections.abc import Iterable, Mapping, Sequence

from tests.reference.lisboa import Match
from tests.reference.lisboa_state import OF_THE_HAND, Event, Happening
from tests.reference.lisboa_tables import ARCHITECTS, Rules

SEEN_BY_ALL = ("seat", "decision", "action")  # of a decision in which a hand shows
VISIBLE = 2  # public buildings of a stack: the current and the next one (L-2.1)


class View:
    """What a seat gets to see of the events of a game, given one after another.

    Hidden are the hands of others, with the cards that are dealt into them, and the public buildings below the next one
    of each stack (L-3.1, L-2.1); these reach the seat as they become the next ones.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._below: dict[str, list[str | None]] = {}  # what will be seen of each stack

    def of(self, event: Event) -> Event:
        """The event as the seat sees it."""
        if event.get("chance") == "building_stacks":
            self.turn_up({architect: event[architect] for architect in ARCHITECTS})
            hidden = {name: [*event[name][:VISIBLE], *[None] * len(self._below[name])] for name in ARCHITECTS}
            return {**event, **hidden}
        if event.get("seat", self.seat) == self.seat:
            return event
        if event.get("decision") in OF_THE_HAND:
            return {key: event[key] for key in SEEN_BY_ALL}
        if event.get("chance") == "hand":
            return {**event, "cards": [None] * len(event["cards"])}
        return event

    def turn_up(self, stacks: Mapping[str, Sequence[str | None]]) -> None:
        """These stacks are there; of each the first two tiles are seen."""
        self._below = {architect: list(stack[VISIBLE:]) for architect, stack in stacks.items()}

    def next_building(self, architect: str) -> Event:
        """The tile that comes to lie below the current one of a stack."""
        return {"chance": "next_building", "architect": architect, "building": self._below[architect].pop(0)}


class Observer:
    """What one seat knows. It is fed with what its `View` shows."""

    def __init__(self, rules: Rules, seat: int) -> None:
        self.seat = seat
        self.match = Match(rules)
        self.view = View(seat)

    def see(self, event: Event) -> None:
        """An event of the game. Raises BrokenRule where the seat can tell that this cannot be."""
        self.match.apply(self.view.of(event))
        expected = self.match.table.expects
        if isinstance(expected, Happening) and expected.name == "next_building":
            self.match.apply(self.view.next_building(expected.of))

    @property
    def hand(self) -> list[str | None]:
        """Its own hand."""
        return self.match.table.players[self.seat].hand


def observe(rules: Rules, events: Iterable[Event], seat: int) -> Observer:
    """What a seat knows after these events, of which it is shown only what it may see."""
    observer = Observer(rules, seat)
    for event in events:
        observer.see(event)
    return observer
