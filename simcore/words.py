"""What the words of a game offer, so that replays can tell it and a person can play it (`Game.words`)."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

Notes = Sequence[tuple[int, int, int, int]]
Events = Iterator[dict[str, Any]]


class Words(ABC):
    """The words of one card set. What is learnt from notes on the way belongs to one telling of one game."""

    private: ClassVar[tuple[str, ...]] = ("hand", "draw")
    """Chance events that only their `seat` sees."""
    secret: ClassVar[tuple[str, ...]] = ()
    """Chance events that nobody sees."""

    @abstractmethod
    def action(self, action: int, public: Any) -> str:
        """The word of an action, given what lies on the table before it."""

    @abstractmethod
    def sentence(self, seat: int, decision: int, word: str, public: Any) -> str:
        """What a decision means, for people, given what lies on the table before it. It begins with the seat."""

    @abstractmethod
    def events(self, notes: Notes) -> Events:
        """The chance events, and the ends of turns and rounds, that a set-up or a decision has caused."""

    @abstractmethod
    def position(self, public: Any, me: Any, seat: int, seats: int) -> list[str]:
        """The position as one of so many seats sees it, a line each, for somebody who knows the rules but not the
        cards: what is on the table, the own hand, the scores, how much is left.
        """

    def revealed(self, seat: int, word: str) -> str:
        """What the others are told of a secret choice once it is shown."""
        return f"seat {seat} reveals {word}"

    def is_unnoticed(self, decision: int, word: str) -> bool:
        """Whether the others do not see that a seat was asked and decided so."""
        return False


# --- For positions ---------------------------------------------------------------------------------------------------


def called(seat: int, me: int) -> str:
    """How a seat is called by the one who looks."""
    return "you" if seat == me else f"seat {seat}"


def members(words: Any) -> list[int]:
    """The numbers in a set that is a word of 64 bits or a row of such words, ascending."""
    numbers = [int(word) for word in (words if hasattr(words, "__len__") else [words])]
    return [64 * place + bit for place, number in enumerate(numbers) for bit in range(64) if number >> bit & 1]


def heap(counts: Any, names: Sequence[str]) -> str:
    """How many there are of each, those that there are: "2 gold, 1 wood", "nothing"."""
    return ", ".join(f"{int(count)} {name}" for count, name in zip(counts, names, strict=False) if count) or "nothing"


def row(words: Any) -> str:
    """Words with commas between them, or "nothing"."""
    return ", ".join(words) or "nothing"
