"""What a seat of Valletta gets to see of a game and what it then knows. VT-... are ids of the rules page.

`View` is what it sees of the events, `Observer` what it knows. Together with valletta.py this is the judge of what the
kernels show to bots.
"""

from collections import Counter
from collections.abc import Iterable

from tests.reference.valletta import Event, Match, Rules

SEEN_BY_ALL = ("seat", "decision", "action")  # of a decision that others make
SECRET = ("cards", "card")  # of a chance event that concerns another seat


class View:
    """What a seat gets to see of the events of a game, given one after another.

    Of another seat it sees what it plays, chooses, builds, hires and dismisses, but neither its hand nor the cards that
    it draws (VT-15.1), and so not the cards among which it chose. The deal and the barrels under the street reach it
    as they are turned up.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def of(self, event: Event) -> Event:
        """The event as the seat sees it."""
        if event.get("seat", self.seat) == self.seat:
            return event
        if "decision" in event:
            return {key: event[key] for key in SEEN_BY_ALL}
        return {key: value for key, value in event.items() if key not in SECRET}


class Observer:
    """What one seat knows. It is fed with what its `View` shows."""

    def __init__(self, rules: Rules, seat: int) -> None:
        self.seat = seat
        self.match = Match(rules, [seat])
        self.table = self.match.table

    def see(self, event: Event) -> None:
        """Raises BrokenRule where the seat can tell that this cannot be."""
        self.match.apply(event)

    @property
    def hand(self) -> Counter[str]:
        """Its own hand."""
        return self.table.hands[self.seat] or Counter()


def observe(rules: Rules, events: Iterable[Event], seat: int) -> Observer:
    """What a seat knows after these events, of which it is shown only what it may see."""
    observer, view = Observer(rules, seat), View(seat)
    for event in events:
        observer.see(view.of(event))
    return observer
