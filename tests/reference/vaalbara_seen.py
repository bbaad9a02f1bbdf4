"""What a seat of Vaalbara gets to see of a game and what it then knows. VB-... are ids of the rules page.

`View` is what it sees of the events, `Observer` what it knows. Together with vaalbara.py this is the judge of what the
kernels show to bots.
"""

from collections.abc import Iterable, Iterator

from tests.reference.vaalbara import (
    CHARACTER,
    SHOW_FIGHTER,
    Character,
    Event,
    Match,
    Rules,
    Table,
    open_decision,
    open_event,
)

SEEN_BY_ALL = ("seat", "decision", "action", "shows")  # of a decision that others make


class View:
    """What a seat gets to see of the events of a game, given one after another as `Match.apply` returns them.

    Of another seat it does not see the hand, the cards that it draws, its choice of a character before all are
    revealed, nor that it was asked for a Fighter that it did not show; and of no other seat's decision the
    alternatives. Two kinds of events are added: {"reveal": [keys by seat]}, and {"decides": seat, "decision": name}
    before a decision, so that a seat knows when it is asked, and that the time to show Fighters is over.
    """

    def __init__(self, rules: Rules, seat: int) -> None:
        self.rules = rules
        self.seat = seat
        self._choices: list[str] = []

    def decides(self, seat: int, decision: str) -> list[Event]:
        """Who is to decide, and what."""
        hidden = decision == SHOW_FIGHTER and seat != self.seat
        return [] if hidden else [{"decides": seat, "decision": decision}]

    def of(self, event: Event) -> list[Event]:
        """The events that the seat sees when this one happens."""
        if "decision" in event:
            return [*self.decides(event["seat"], event["decision"]), *self._decision(event)]
        if event.get("chance") in ("hand", "draw") and event["seat"] != self.seat:
            return [{key: event[key] for key in ("chance", "seat")}]
        return [event]

    def _decision(self, event: Event) -> list[Event]:
        mine = event["seat"] == self.seat
        if event["decision"] == CHARACTER:
            self._choices.append(event["action"])
            seen: list[Event] = [event if mine else {key: event[key] for key in ("seat", "decision")}]
            if len(self._choices) == self.rules.seats:
                seen.append({"reveal": self._choices})
                self._choices = []
            return seen
        if event["decision"] == SHOW_FIGHTER and event["action"] == "no" and not mine:
            return []
        return [event] if mine else [{key: event[key] for key in SEEN_BY_ALL if key in event}]


class Observer:
    """What one seat knows: the table, its own hand and choice. It is fed with what its `View` shows."""

    def __init__(self, rules: Rules, seat: int) -> None:
        self.rules = rules
        self.seat = seat
        self.table = Table(rules)
        self.hand: set[Character] = set()
        self.choice: Character | None = None

    def see(self, event: Event) -> None:
        if "decides" in event:
            self._asked(event["decides"], event["decision"])
        elif "reveal" in event:
            characters = [self.rules.character[word] for word in event["reveal"]]
            self.hand.remove(characters[self.seat])
            self.choice = None
            self.table.reveal(characters)
        elif "decision" in event:
            self._decision(event)
        elif event.get("chance") == "hand":
            self.hand.update(self.rules.character[word] for word in event.get("cards", []))
            self.table.hand_dealt(event["seat"], self.table.to_draw(event["seat"]))
        elif event.get("chance") == "draw":
            if event["seat"] == self.seat:
                self.hand.add(self.rules.character[event["card"]])
            self.table.card_drawn(event["seat"])
        else:
            open_event(self.table, event)

    def _asked(self, seat: int, decision: str) -> None:
        if decision == SHOW_FIGHTER:
            self.table.asked = seat
        elif self.table.expects == SHOW_FIGHTER:
            self.table.fighters_shown()

    def _decision(self, event: Event) -> None:
        seat, decision = event["seat"], event["decision"]
        if decision == CHARACTER:
            if seat == self.seat:
                self.choice = self.rules.character[event["action"]]
            self.table.choose(seat)
        elif decision == SHOW_FIGHTER:
            self.table.asked = -1
            if event["action"] == "yes":
                self.table.show_fighter(seat, self.rules.character[event["shows"]])
        else:
            if decision == "MIDWIFE" and seat == self.seat:
                self.hand.add(self.rules.character[event["action"]])
            open_decision(self.table, decision, event["action"])


def views(rules: Rules, events: Iterable[Event], seat: int) -> Iterator[Event]:
    """What a seat gets to see of the events of a replay."""
    match, view = Match(rules), View(rules, seat)
    for event in events:
        yield from view.of(match.apply(event))


def observe(rules: Rules, events: Iterable[Event], seat: int) -> Observer:
    """What a seat knows after these events, of which it is shown only what it may see."""
    observer = Observer(rules, seat)
    for event in views(rules, events, seat):
        observer.see(event)
    return observer
