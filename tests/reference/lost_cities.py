"""Lost Cities in plain Python, written from the rules page. LC-... are ids of simcore/games/lost_cities/rules.md.

It is slow and obvious, and it is the judge of the kernels, with which it shares no code. Chance comes from outside: a
match is a sequence of events with the words of a replay (`fairdeal replay --json`):

    {"chance": "starter", "seat": 0}                                    who starts round 1
    {"chance": "hand", "seat": 0, "cards": ["red-7", "red-wager", ...]} both seats, at the start of each round
    {"seat": 0, "decision": "CARD", "action": "play:red-7"}             or "discard:red-7"
    {"seat": 0, "decision": "DRAW", "action": "deck"}                   or the colour of a pile
    {"chance": "draw", "seat": 0, "card": "blue-4"}                     after a draw from the deck
    {"round": 1, "scores": [14, -20]}                                   the end of a round

`Table` is what lies open, `Match` the whole game, `Observer` what one seat knows. An event that the rules do not allow
raises `BrokenRule`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

DECK = "deck"  # the word for drawing from the deck
SEATS = (0, 1)

Event = Mapping[str, Any]


class BrokenRule(Exception):
    """An event that cannot happen in this place."""


def demand(condition: bool, what: str) -> None:
    if not condition:
        raise BrokenRule(what)


class Card(NamedTuple):
    """A card as one sees it: copies are equal (LC-1.2). A wager counts as position 0 (LC-4.2)."""

    colour: str
    value: int

    @property
    def is_wager(self) -> bool:
        return self.value == 0

    @property
    def word(self) -> str:
        return f"{self.colour}-{'wager' if self.is_wager else self.value}"


@dataclass(frozen=True)
class Rules:
    """A card set: all cards with their copies (LC-1.1 to LC-1.5, in the order of the table), and the constants."""

    deck: tuple[Card, ...]
    hand_size: int
    expedition_cost: int
    bonus_min_cards: int
    bonus_points: int
    rounds: int
    max_turns: int

    @classmethod
    def of(cls, scalars: Mapping[str, int], rows: Iterable[Mapping[str, Any]]) -> "Rules":
        """From the values of rules.toml and the rows of cards.csv."""
        deck = tuple(Card(row["color"], 0 if row["kind"] == "wager" else row["value"]) for row in rows)
        names = ("hand_size", "expedition_cost", "bonus_min_cards", "bonus_points", "rounds", "max_turns")
        return cls(deck, **{name: scalars[name] for name in names})

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The colours, each at the place of its first card."""
        return tuple(dict.fromkeys(card.colour for card in self.deck))

    @cached_property
    def card(self) -> dict[str, Card]:
        """The card of a word."""
        return {card.word: card for card in self.deck}


def may_play(column: list[Card], card: Card) -> bool:
    """Whether a card may be added to a column (LC-4.1 to LC-4.3; section 4, "legality in one line")."""
    highest = max((other.value for other in column), default=0)
    if card.is_wager:
        return highest == 0  # LC-4.2: no number yet
    return card.value > highest  # LC-4.1: strictly, gaps are allowed; LC-4.3: any number may begin


def column_score(column: list[Card], rules: Rules) -> int:
    """What one column is worth (LC-6.1 to LC-6.3)."""
    if not column:
        return 0  # LC-6.1
    wagers = sum(card.is_wager for card in column)
    points = (sum(card.value for card in column) - rules.expedition_cost) * (wagers + 1)  # LC-6.2
    if len(column) >= rules.bonus_min_cards:
        points += rules.bonus_points  # LC-6.3
    return points


class Table:
    """Everything that both players see. It needs no hidden card, and no card in it is hidden.

    `expects` is what must come next: "deal", "CARD", "DRAW", "draw" (the deck's card), "round" or nothing ("").
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.expects = "deal"
        self.turns = 0
        self.totals = [0, 0]  # of finished rounds
        self.starters: list[int] = []  # of each round begun
        self.scores: list[list[int]] = []  # of each finished round
        self.ends: list[str] = []  # of each finished round: "deck" or "cap"
        self._clear()

    def _clear(self) -> None:
        self.actor = -1
        self.round_turns = 0
        self.columns: list[dict[str, list[Card]]] = [{colour: [] for colour in self.rules.colours} for _ in SEATS]
        self.piles: dict[str, list[Card]] = {colour: [] for colour in self.rules.colours}
        self.known: list[Counter[Card]] = [Counter(), Counter()]
        self.deck_count = len(self.rules.deck)
        self.closed = ""  # the pile just discarded on (LC-3.4)

    def begin(self, first_starter: int) -> None:
        """Both hands are dealt: a round begins. `first_starter` starts round 1 (LC-2.4)."""
        self._clear()  # LC-2.3
        self.starters.append(self.next_starter(first_starter))
        self.actor = self.starters[-1]
        self.deck_count -= len(SEATS) * self.rules.hand_size  # LC-2.1
        self.expects = "CARD"

    def next_starter(self, first_starter: int) -> int:
        if not self.starters:
            return first_starter  # LC-2.4
        if self.totals[0] != self.totals[1]:
            return self.totals.index(max(self.totals))  # LC-2.5: the running totals
        return 1 - self.starters[-1]  # LC-2.6

    def play(self, seat: int, card: Card) -> None:
        column = self.columns[seat][card.colour]  # LC-4.5: the own column only
        demand(may_play(column, card), f"{card.word} does not fit the column")
        column.append(card)  # LC-4.4: nothing ever takes it away
        self._left_hand(seat, card)

    def discard(self, seat: int, card: Card) -> None:
        self.piles[card.colour].append(card)  # LC-3.1; always allowed, LC-3.2
        self.closed = card.colour  # LC-3.4
        self._left_hand(seat, card)

    def _left_hand(self, seat: int, card: Card) -> None:
        """Copies look alike: of two known ones and one that left, one is still known (LC-8.1, LC-8.2)."""
        if self.known[seat][card]:
            self.known[seat][card] -= 1
        self.expects = "DRAW"  # LC-3: the second of two compulsory steps

    def open_piles(self) -> list[str]:
        """The piles that may be drawn from (LC-3.3 to LC-3.6)."""
        return [colour for colour, pile in self.piles.items() if pile and colour != self.closed]

    def draw_from_pile(self, seat: int, colour: str) -> Card:
        demand(colour in self.open_piles(), f"the pile {colour} cannot be drawn from")
        card = self.piles[colour].pop()
        self.known[seat][card] += 1
        self._end_turn()
        return card

    def draw_from_deck(self) -> None:
        """Its card comes next, as an event."""
        demand(self.deck_count > 0, "the deck is empty")  # never happens: LC-3.7
        self.expects = "draw"

    def deck_card_drawn(self) -> None:
        self.deck_count -= 1
        self._end_turn()

    def _end_turn(self) -> None:
        self.closed = ""  # LC-3.5: open again on later turns
        self.turns += 1
        self.round_turns += 1
        if self.deck_count == 0:
            self._end_round("deck")  # LC-5.1: at once; the opponent gets no further turn
        elif self.round_turns == self.rules.max_turns:
            self._end_round("cap")  # LC-5.4
        else:
            self.actor = 1 - self.actor  # section 3: players alternate
            self.expects = "CARD"

    def _end_round(self, end: str) -> None:
        self.actor = -1
        self.expects = "round"
        self.ends.append(end)
        self.scores.append(self.column_scores())
        self.totals = [total + points for total, points in zip(self.totals, self.scores[-1], strict=True)]  # LC-7.2

    def column_scores(self) -> list[int]:
        """What the columns are worth as they lie, by seat (LC-6.4). Hands and piles count nothing (LC-5.2)."""
        return [sum(column_score(column, self.rules) for column in self.columns[seat].values()) for seat in SEATS]

    def standing(self) -> list[int]:
        """Points of the match so far, the columns of an unfinished round as they lie."""
        if len(self.scores) == len(self.starters):
            return list(self.totals)
        return [total + points for total, points in zip(self.totals, self.column_scores(), strict=True)]

    def round_is_over(self, event: Event) -> None:
        """The event that reports it must agree with the points counted here."""
        demand(self.expects == "round", "no round has just ended")
        demand(event["round"] == len(self.scores), f"round {len(self.scores)} has ended, not {event['round']}")
        demand(list(event["scores"]) == self.scores[-1], f"the scores are {self.scores[-1]}")
        self.expects = "" if len(self.scores) == self.rules.rounds else "deal"  # LC-7.1

    @property
    def is_over(self) -> bool:
        return not self.expects

    @property
    def truncated(self) -> bool:
        """Whether any round reached the cap (LC-5.4)."""
        return "cap" in self.ends

    def winners(self) -> list[int]:
        """LC-7.2; equal totals are a draw (LC-7.3)."""
        return [seat for seat in SEATS if self.totals[seat] == max(self.totals)]

    def result(self) -> dict[str, Any]:
        winners = self.winners()
        return {
            "scores": list(self.totals),
            "winners": winners,
            "win_share": [1 / len(winners) if seat in winners else 0.0 for seat in SEATS],
            "turns": self.turns,
            "end": self.ends[-1],
            "truncated": self.truncated,
        }


class Match:
    """A whole match, seen from above: the table, both hands and the deck, whose order comes with the draws."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.table = Table(rules)
        self.hands: list[Counter[Card]] = [Counter(), Counter()]
        self.deck: Counter[Card] = Counter()
        self._first_starter: int | None = None
        self._dealt: set[int] = set()

    def options(self) -> Counter[str]:
        """The legal actions of the seat to decide in words, each with the number of equal cards that it stands for.

        A discard is always among the card actions (LC-3.2) and the deck among the draws (LC-3.7), so no list is ever
        empty (LC-I11), and passing does not exist (LC-3.9).
        """
        seat, found = self.table.actor, Counter[str]()
        if self.table.expects == "CARD":  # LC-D1
            for card, copies in self.hands[seat].items():
                if may_play(self.table.columns[seat][card.colour], card):
                    found[f"play:{card.word}"] = copies
                found[f"discard:{card.word}"] = copies
        elif self.table.expects == "DRAW":  # LC-D2
            found[DECK] = 1
            found.update(self.table.open_piles())
        return found

    def apply(self, event: Event) -> None:
        """The next event. Its options are checked where it lists them. Raises BrokenRule."""
        if "decision" in event:
            self._decide(event)
        elif "round" in event:
            self.table.round_is_over(event)
        elif event["chance"] == "starter":
            demand(self._first_starter is None, "the starter of round 1 is known")
            self._first_starter = event["seat"]
            self._begin_if_dealt()
        elif event["chance"] == "hand":
            self._deal(event["seat"], [self._card(word) for word in event["cards"]])
        elif event["chance"] == "draw":
            self._draw(event["seat"], self._card(event["card"]))
        else:
            raise BrokenRule(f"unknown event {event}")

    def _card(self, word: str) -> Card:
        demand(word in self.rules.card, f"there is no card {word}")
        return self.rules.card[word]

    def _deal(self, seat: int, cards: list[Card]) -> None:
        """LC-2.1. The order in which they were dealt has no meaning (LC-2.2)."""
        demand(self.table.expects == "deal" and seat not in self._dealt, f"seat {seat} is not dealt to now")
        if not self._dealt:
            self.deck = Counter(self.rules.deck)  # LC-I1: all cards are shuffled together
        demand(len(cards) == self.rules.hand_size, f"a hand has {self.rules.hand_size} cards")
        demand(Counter(cards) <= self.deck, "a card is dealt that the deck no longer holds")
        self.deck -= Counter(cards)
        self.hands[seat] = Counter(cards)
        self._dealt.add(seat)
        self._begin_if_dealt()

    def _begin_if_dealt(self) -> None:
        if self._first_starter is not None and len(self._dealt) == len(SEATS):
            self._dealt.clear()
            self.table.begin(self._first_starter)

    def _decide(self, event: Event) -> None:
        seat, action, options = event["seat"], event["action"], self.options()
        demand(seat == self.table.actor, f"it is not the turn of seat {seat}")
        demand(event["decision"] == self.table.expects, f"the decision is {self.table.expects}")
        if "options" in event:
            demand(sorted(event["options"]) == sorted(options), f"the legal options are {sorted(options)}")
        if "forced" in event:
            demand(event["forced"] == (len(options) == 1), f"there are {len(options)} options")
        demand(action in options, f"{action} is not legal")
        if event["decision"] == "CARD":
            verb, word = action.split(":")
            card = self._card(word)
            self._remove(seat, card)  # LC-3.1: one card of the own hand
            if verb == "play":
                self.table.play(seat, card)
            else:
                self.table.discard(seat, card)
        elif action == DECK:
            self.table.draw_from_deck()
        else:
            self.hands[seat][self.table.draw_from_pile(seat, action)] += 1

    def _remove(self, seat: int, card: Card) -> None:
        self.hands[seat][card] -= 1
        self.hands[seat] += Counter()  # drops what is no longer there

    def _draw(self, seat: int, card: Card) -> None:
        demand(self.table.expects == "draw" and seat == self.table.actor, f"seat {seat} does not draw now")
        demand(self.deck[card] > 0, f"the deck no longer holds {card.word}")
        self.deck[card] -= 1
        self.deck += Counter()
        self.hands[seat][card] += 1  # LC-5.1: also the last card of the deck stays in hand
        self.table.deck_card_drawn()


def visible(event: Event, seat: int) -> Event | None:
    """What a seat gets to know of an event; None is nothing at all.

    Of the opponent it sees decisions, but not the alternatives, which would tell its hand; and that it draws from the
    deck, but not what (section 8, "hidden").
    """
    if event.get("seat", seat) == seat or event.get("chance") == "starter":
        return event
    if "decision" in event:
        return {key: event[key] for key in ("seat", "decision", "action")}
    if event["chance"] == "draw":
        return {"chance": "draw", "seat": event["seat"]}
    return None  # the hand that it is dealt


class Observer:
    """What one seat knows: the table, and its own hand. It is fed with what is `visible` to the seat."""

    def __init__(self, rules: Rules, seat: int) -> None:
        self.rules = rules
        self.seat = seat
        self.table = Table(rules)
        self.hand: Counter[Card] = Counter()
        self._first_starter = -1
        self._dealt = False

    def see(self, event: Event) -> None:
        if event.get("chance") == "starter":
            self._first_starter = event["seat"]
        elif event.get("chance") == "hand":
            self.hand = Counter(self.rules.card[word] for word in event["cards"])
            self._dealt = True
        elif event.get("chance") == "draw":
            if event["seat"] == self.seat:
                self.hand[self.rules.card[event["card"]]] += 1
            self.table.deck_card_drawn()
        elif "round" in event:
            self.table.round_is_over(event)
        else:
            self._decision(event["seat"], event["decision"], event["action"])
        if self._dealt and self._first_starter >= 0:
            self._dealt = False
            self.table.begin(self._first_starter)

    def _decision(self, seat: int, decision: str, action: str) -> None:
        if decision == "CARD":
            verb, word = action.split(":")
            card = self.rules.card[word]
            if verb == "play":
                self.table.play(seat, card)
            else:
                self.table.discard(seat, card)
            if seat == self.seat:
                self.hand[card] -= 1
        elif action == DECK:
            self.table.draw_from_deck()
        else:
            card = self.table.draw_from_pile(seat, action)
            if seat == self.seat:
                self.hand[card] += 1

    def unseen(self) -> Counter[Card]:
        """The cards that may lie in the deck or among the unknown ones of the opponent's hand (LC-8.2)."""
        left = Counter(self.rules.deck)
        left.subtract(self.hand)
        left.subtract(self.table.known[1 - self.seat])
        for columns in self.table.columns:
            for column in columns.values():
                left.subtract(column)
        for pile in self.table.piles.values():
            left.subtract(pile)
        return +left


def observe(rules: Rules, events: Iterable[Event], seat: int) -> Observer:
    """What a seat knows after these events, of which it is shown only what it may see."""
    observer = Observer(rules, seat)
    for event in events:
        seen = visible(event, seat)
        if seen is not None:
            observer.see(seen)
    return observer


def referee(rules: Rules, replay: Mapping[str, Any]) -> Match:
    """Follow a whole replay and check everything in it that the rules determine. Raises BrokenRule."""
    match = Match(rules)
    for number, event in enumerate(replay["events"]):
        try:
            match.apply(event)
        except BrokenRule as broken:
            raise BrokenRule(f"event {number}, {dict(event)}: {broken}") from broken
    demand(match.table.is_over, "the match is not over")
    for name, value in match.table.result().items():
        demand(replay["result"][name] == value, f"the result's {name} is {value}")
    return match
