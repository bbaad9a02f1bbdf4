"""What the records of simcore/games/lost_cities/state.py must hold, as plain values, from what a seat knows.

It follows the description in state.py and no kernel. A set of cards is one number here: word 0 of a record's field in
bits 0..63, word 1 in bits 64..127.
"""

from collections import Counter
from typing import Any

from tests.reference.lost_cities import DECK, SEATS, Card, Match, Rules, Table

PILES = 8
DECK_PILE = 6
DECISIONS = ("CARD", "DRAW")
ENDS = ("deck", "cap")


class Coding:
    """The codes of a card set: in a colour by rank, copies side by side; colours interleaved in a word, or in two."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        suits = [
            sorted((card for card in rules.deck if card.colour == colour), key=lambda card: card.value)
            for colour in rules.colours
        ]
        slots = self._slots(suits)
        fits = len(suits) * (1 + max(slot for places in slots for slot in places)) <= 64
        self.cards: dict[int, Card] = {}
        for place, suit in enumerate(suits):
            for slot, card in zip(slots[place], suit, strict=True):
                code = slot * len(suits) + place if fits else 64 * (place // 3) + slot * 3 + place % 3
                self.cards[code] = card
        self.slot = {card: slots[place][suit.index(card)] for place, suit in enumerate(suits) for card in suit}
        self.codes: dict[Card, list[int]] = {card: [] for card in rules.card.values()}
        for code in sorted(self.cards):
            self.codes[self.cards[code]].append(code)
        self.place = {colour: place for place, colour in enumerate(rules.colours)}
        # Of each card: the lowest n copies as a set.
        self._lowest = {
            card: [sum(1 << code for code in codes[:n]) for n in range(len(codes) + 1)]
            for card, codes in self.codes.items()
        }
        self._too_low: dict[tuple[str, int], int] = {}

    @staticmethod
    def _slots(suits: list[list[Card]]) -> list[list[int]]:
        """Slots that all colours share, one for each value and copy in rank order, holes where a colour lacks a card;
        close together where shared ones would take more than 20, or a second word."""
        close = [list(range(len(suit))) for suit in suits]
        values = sorted({card.value for suit in suits for card in suit})
        room = {value: max(sum(card.value == value for card in suit) for suit in suits) for value in values}
        height = sum(room.values())
        longest = max(len(suit) for suit in suits)
        if height > 20 or (len(suits) * height > 64 and len(suits) * longest <= 64):
            return close
        shared = []
        for suit in suits:
            below = [sum(room[lower] for lower in values if lower < card.value) for card in suit]
            before = [sum(other.value == card.value for other in suit[:i]) for i, card in enumerate(suit)]
            shared.append([slot + copy for slot, copy in zip(below, before, strict=True)])
        return shared

    def held(self, cards: Counter[Card]) -> int:
        """Cards as a set: of copies always the lowest."""
        return sum(self._lowest[card][copies] for card, copies in cards.items())

    def kind(self, card: Card) -> int:
        """The code that stands for a card and all its copies."""
        return self.codes[card][0]

    def too_low(self, columns: dict[str, list[Card]]) -> int:
        """The cards that a seat's columns rule out: with a number in a column, wagers and numbers up to its highest
        (LC-4.1, LC-4.2)."""
        return sum(
            self._too_low_for(colour, column[-1].value)
            for colour, column in columns.items()
            if column and not column[-1].is_wager
        )

    def _too_low_for(self, colour: str, highest: int) -> int:
        key = (colour, highest)
        if key not in self._too_low:
            low = [code for code, card in self.cards.items() if card.colour == colour and card.value <= highest]
            self._too_low[key] = sum(1 << code for code in low)
        return self._too_low[key]

    def word(self, action: int) -> str:
        """An action in the words of a replay. Codes: play code (+64 in word 1), discard 64 more, draw 256 + pile."""
        if action >= 256:
            return DECK if action == 256 + DECK_PILE else self.rules.colours[action - 256]
        word, rest = divmod(action, 128)
        verb, code = divmod(rest, 64)
        return f"{('play', 'discard')[verb]}:{self.cards[64 * word + code].word}"

    def action(self, word: str) -> int:
        """The action of a word; of equal cards the lowest."""
        if word == DECK:
            return 256 + DECK_PILE
        if word in self.place:
            return 256 + self.place[word]
        verb, _, name = word.partition(":")
        code = self.kind(self.rules.card[name])
        return 128 * (code // 64) + 64 * (verb == "discard") + code % 64


def public_fields(coding: Coding, table: Table) -> dict[str, Any]:
    """`State.public`. At the end of a match there is no decision, and the last round lies as it ended."""
    place = coding.place
    counts, piles = [0] * PILES, [b""] * PILES
    for colour, pile in table.piles.items():
        counts[place[colour]] = len(pile)
        piles[place[colour]] = bytes(coding.kind(card) for card in pile)
    counts[DECK_PILE] = table.deck_count
    return {
        "actor": table.actor,
        "decision": DECISIONS.index(table.expects) if table.actor >= 0 else None,
        "turns": table.turns,
        "round_turns": table.round_turns,
        "rounds": len(table.scores),
        "starter": table.starters[-1],
        "end": ENDS.index(table.ends[-1]) if table.ends else 0,
        "truncated": int(table.truncated),
        "order": [int(seat != table.starters[0]) for seat in SEATS],
        "standing": table.standing(),
        "total": table.totals,
        "closed": 1 << place[table.closed] if table.closed else 0,
        "open": sum(1 << pile for pile, count in enumerate(counts) if count),
        "count": counts,
        "pile": piles,
        "board": [_board_fields(coding, table, seat) for seat in SEATS],
    }


def _board_fields(coding: Coding, table: Table, seat: int) -> dict[str, Any]:
    columns = table.columns[seat]
    lengths, wagers = [0] * PILES, [0] * PILES
    for colour, column in columns.items():
        lengths[coding.place[colour]] = len(column)
        wagers[coding.place[colour]] = sum(card.is_wager for card in column)
    return {
        "played": coding.held(Counter(card for column in columns.values() for card in column)),
        "blocked": coding.too_low(columns),
        "banned": 0,
        "blanked": 0,
        "known": coding.held(table.known[seat]),
        "length": lengths,
        "wagers": wagers,
    }


def hands(coding: Coding, match: Match) -> list[int]:
    return [coding.held(hand) for hand in match.hands]


class Kernel:
    """The same values read from a record of the kernels. The memory stays theirs: each read sees what it holds now."""

    def __init__(self, coding: Coding, state: Any) -> None:
        self.coding = coding
        self.public, self.secret = state.public, state.secret
        self._lists = {name: self.public[name] for name in ("order", "standing", "total", "count")}
        self._pile = self.public["pile"]
        self._boards = [self.public["board"][seat] for seat in SEATS]
        self._hands = [state.private[seat]["hand"] for seat in SEATS]

    def public_fields(self) -> dict[str, Any]:
        public, actor = self.public, int(self.public.actor)
        numbers = ("turns", "round_turns", "rounds", "starter", "end", "truncated", "closed", "open")
        lists = {name: values.tolist() for name, values in self._lists.items()}
        return {
            "actor": actor,
            "decision": int(public.decision) if actor >= 0 else None,
            **{name: int(public[name]) for name in numbers},
            **lists,
            # Bytes at and above the count mean nothing; the deck is no pile that lies open.
            "pile": [
                self._pile[pile, :count].tobytes() if pile != DECK_PILE else b""
                for pile, count in enumerate(lists["count"])
            ],
            "board": [
                {
                    **{name: one_number(board[name]) for name in ("played", "blocked", "banned", "blanked", "known")},
                    **{name: board[name].tolist() for name in ("length", "wagers")},
                }
                for board in self._boards
            ],
        }

    def hands(self) -> list[int]:
        return [one_number(hand) for hand in self._hands]

    def cards(self, held: int) -> Counter[Card]:
        """The cards of a set."""
        return Counter(card for code, card in self.coding.cards.items() if held >> code & 1)

    def deck(self) -> list[Card]:
        """What is left of the deck, from seat 0's end to seat 1's."""
        low, high = self.secret.end.tolist()
        return [self.coding.cards[code] for code in self.secret.deck[low : high + 1].tolist()]


def one_number(words: Any) -> int:
    low, high = words.tolist()
    return int(low | high << 64)
