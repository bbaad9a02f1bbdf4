"""Lost Cities with chosen luck and chosen moves, played by the kernels: how tests reach a position.

The kernels deal as always. Then the starter, the hands and the deck in their records are overwritten, and a bot that
does as it is told moves for both seats, through the same loop as any other bot. Every step is compared with the plain
Python reference.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from simcore import cardset
from simcore.bots import Bot
from simcore.cardset import CardSet
from simcore.games.lost_cities.cardset import SCHEMA
from simcore.play import Step, Table
from tests.reference.lost_cities import DECK, SEATS, Card
from tests.reference.lost_cities_agreement import GAME, Witness


@njit
def obey(public, me, cards, options, noise, mind):  # type: ignore[no-untyped-def]  # numba types it
    return np.int64(mind.memory[0])


OBEDIENT = Bot("obedient", GAME, "random", "Does what stands in its memory.", obey)


def shipped(name: str) -> CardSet:
    return cardset.load(SCHEMA, name)


def edited(name: str, cards: Sequence[str] | None = None, **scalars: int) -> CardSet:
    """A shipped set with other scalars and, if given, other cards: words like red-7."""
    base = cardset.load(SCHEMA, name)
    rows = base.tables["cards"] if cards is None else [_row(i, word) for i, word in enumerate(cards)]
    return cardset.build(SCHEMA, "edited", base.scalars | scalars, {"cards": rows})


def _row(number: int, word: str) -> dict[str, object]:
    colour, _, face = word.rpartition("-")
    wager = face == "wager"
    return {
        "id": f"c{number}",
        "color": colour,
        "kind": "wager" if wager else "number",
        "value": 0 if wager else int(face),
    }


def cards(colour: str, faces: str) -> list[str]:
    """`cards("red", "W 3 5")` is red-wager, red-3, red-5."""
    return [f"{colour}-{'wager' if face == 'W' else face}" for face in faces.split()]


@dataclass(frozen=True)
class Luck:
    """The luck of a round, by seat, in words: what is dealt, and what is then drawn from the deck. Both may be short:
    cards that stand nowhere fill them up."""

    hands: tuple[Sequence[str], Sequence[str]] = ((), ())
    draws: tuple[Sequence[str], Sequence[str]] = ((), ())

    @classmethod
    def in_order(cls, first: Sequence[str], second: Sequence[str], hand_size: int) -> "Luck":
        """The luck with which each seat can play these cards in this order and always draw from the deck."""
        return cls((first[:hand_size], second[:hand_size]), (first[hand_size:], second[hand_size:]))


class Stacked:
    """A game in progress."""

    def __init__(self, card_set: CardSet, *luck: Luck, starter: int = 0) -> None:
        """`luck` is that of round 1, 2 …; later rounds are dealt as the kernels like."""
        self.luck = luck
        self.starter = starter
        self.kernels = Table(GAME, card_set, 2, ("uniform", "uniform"), seed=0)
        self.kernels.policies = self.kernels.engine.policies((OBEDIENT, OBEDIENT))
        self.public = self.kernels.state.public
        self.witness = Witness(self.kernels)
        self._moves = self.witness.retell(self._stacked())
        next(self._moves)

    @property
    def actor(self) -> int:
        """-1 when the match is over."""
        return int(self.public.actor)

    @property
    def standing(self) -> list[int]:
        points: list[int] = self.public.standing.tolist()
        return points

    @property
    def deck(self) -> int:
        """The number of cards in the deck."""
        return int(self.public["count"][6])

    def do(self, *words: str) -> Counter[str]:
        """Decisions, one after the other, of whoever has to decide. Returns the legal options of the last one in words,
        as the kernels list them, with the number of equal cards. Raises JobError for an illegal one."""
        for word in words:
            self.kernels.minds[self.actor]["memory"][0] = self.witness.coding.action(word)
            step = next(self._moves)
            assert self.witness.coding.word(step.action) == word
        return Counter(map(self.witness.coding.word, step.options))

    def turn(self, card_action: str = "", draw: str = DECK) -> None:
        """A whole turn; as it comes, a discard."""
        self.do(card_action or self._any_discard(), draw)

    def play_out(self, *columns: Sequence[str]) -> None:
        """To the end of this round: each seat plays its cards in this order, then discards; all draw from the deck."""
        left, rounds = [list(column) for column in columns], int(self.public.rounds)
        while self.actor >= 0 and self.public.rounds == rounds:
            mine = left[self.actor] if self.actor < len(left) else []
            self.turn(f"play:{mine.pop(0)}" if mine else "")
        assert not any(left)
        if self.actor < 0:
            assert next(self._moves, None) is None  # only now the result has been compared

    def _any_discard(self) -> str:
        return min(word for word in self.witness.match.options() if word.startswith("discard:"))

    def _stacked(self) -> Iterator[Step]:
        public = self.public
        for step in self.kernels.steps(0, 0):
            if step.decision < 0:
                public.starter = public.actor = self.starter
                public.order[:] = [self.starter, 1 - self.starter]
            if step.decision != 0 and public.actor >= 0 and public.round_turns == 0 and public.rounds < len(self.luck):
                self._stack(self.luck[public.rounds])
            yield step

    def _stack(self, luck: Luck) -> None:
        """Overwrite hands and deck. Seat 0 draws from the low end of what is left, seat 1 from the high end."""
        coding, state, size = self.witness.coding, self.kernels.state, self.witness.rules.hand_size
        card = self.witness.rules.card
        hands, draws = ([[card[word] for word in words] for words in group] for group in (luck.hands, luck.draws))
        spare = Counter(self.witness.rules.deck)
        spare.subtract(Counter(card for group in (hands, draws) for cards in group for card in cards))
        assert min(spare.values()) >= 0, "this luck needs more copies than there are"
        filler = list(spare.elements())
        for hand in hands:
            while len(hand) < size:
                hand.append(filler.pop())
        for seat in SEATS:
            assert len(hands[seat]) == size
            held = coding.held(Counter(hands[seat]))
            state.private[seat].hand[:] = [held & (1 << 64) - 1, held >> 64]
        low, high = state.secret.end.tolist()
        codes = {card: list(codes) for card, codes in coding.codes.items()}
        for left in (hands[0], hands[1]):
            for held_card in left:
                codes[held_card].pop()
        order: list[Card] = draws[0] + filler + draws[1][::-1]
        state.secret.deck[low : high + 1] = [codes[card].pop() for card in order]
