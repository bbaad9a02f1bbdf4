"""The verbs that every game implements, what a game declares, and the registry of games.

A verb is resolved by the type of its first record: at compile time in jitted code, by dtype in plain Python. So the
play loop, search and replays are written once, and a game's kernels are inlined into them.
"""

import difflib
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba import njit
from numba.extending import overload

from simcore.bits import kth, popcount
from simcore.errors import InputError, shown
from simcore.given import told

if TYPE_CHECKING:
    from simcore.cardset import CardSet, Schema

VERBS: dict[str, Callable[..., Any]] = {}
_KERNELS: dict[tuple[str, Any], Callable[..., Any]] = {}


def verb(name: str, arguments: str, purpose: str) -> Callable[..., Any]:
    """A new verb: a function that stands for the kernel registered for the type of its first argument."""

    def call(*args: Any) -> Any:
        return _KERNELS[name, args[0].dtype](*args)

    call.__name__ = name
    call.__doc__ = f"{arguments}: {purpose}"
    VERBS[name] = call
    return call


setup = verb("setup", "(state, cards, chance, trace)", "deal a game")
legal = verb("legal", "(public, me, cards, options)", "the legal actions of the one to decide")
apply = verb("apply", "(state, cards, action, chance, trace)", "one decision; public.actor is -1 when the game is over")
score = verb("score", "(public, privates, cards, out)", "final points and tie-break keys per seat")
features = verb("features", "(public, me, cards, action, mind)", "what an action means, into mind.features")
value_features = verb("value_features", "(public, me, cards, mind)", "what a position means to the one who looks")
imagine = verb("imagine", "(state, public, me, seat, cards, noise)", "a full state that fits what the seat knows")
rollout = verb("rollout", "(public, me, cards, options, noise, mind)", "what playouts of a search choose, as a policy")
heard_note = verb("heard_note", "(trace, time, kind, seat, value)", "take a note")


@njit
def note(trace, time, kind, seat, value):
    """Tell the trace what happened. Numbers become int64, so that a trace is compiled once and not for each enum."""
    heard_note(trace, np.int64(time), np.int64(kind), np.int64(seat), np.int64(value))


def implement(**kernels: tuple[np.dtype[Any], Callable[..., Any]]) -> None:
    """Register a kernel per verb as (dtype of the first argument, kernel), for compiled code and for plain Python.

    Raises ValueError where that verb already has a kernel for the dtype: two games may not share a record layout.
    """
    for name, (dtype, kernel) in kernels.items():
        if (name, dtype) in _KERNELS:
            raise ValueError(f"the verb {name} already has a kernel for this record type")
        _KERNELS[name, dtype] = kernel
        if not numba.config.DISABLE_JIT:
            _resolve(VERBS[name], numba.from_dtype(dtype), kernel)


def _resolve(name: Callable[..., Any], record: Any, kernel: Callable[..., Any]) -> None:
    @overload(name, strict=False)
    def choose(*args):
        return (lambda *args: kernel(*args)) if args[0] == record else None


class Note(IntEnum):
    """The kinds of `note`. What a game adds: gains and fates of cards, then amounts that are summed per seat.

    `time` is the turn of the round; for the notes of a round it is the number of the round, from 0.
    """

    START = 0  # a game begins
    GAIN = 1  # 1..3: a card comes to a seat; value is the card's code
    FATE = 4  # 4..6: a card leaves the seat's hand; value is the card's code
    PART = 8  # 8..31: points of a score part
    COUNT = 32  # 32..87: a counter goes up by value
    ROUND_ORDER = 88  # a round begins; value is the seat's place in its turn order
    ROUND_POINTS = 89  # a round ends; value is the seat's points of that round
    TALLY = 90  # 90..95: once more of what a tally counts; value is the card's code
    OTHER = 96  # from here on: events that only a replay shows


MOST_PARTS = Note.COUNT - Note.PART
MOST_COUNTERS = Note.ROUND_ORDER - Note.COUNT
MOST_TALLIES = Note.OTHER - Note.TALLY


@njit(forceinline=True)
def nth_option(options, k):
    """The action of the k-th legal option: bit b of mask word w is action 64 * w + b.

    No branch depends on k: a mispredicted one costs as much as the rest of a decision. How many words there are goes
    with the kind of the decision and is foreseeable.
    """
    start = options.start
    words = options.stop - start
    if words == 1:
        return start * 64 + kth(options.mask[np.uint64(start)], k)
    if words == 2:
        passed = popcount(options.mask[np.uint64(start)])
        beyond = np.int64(k >= passed)
        word = start + beyond
        return word * 64 + kth(options.mask[np.uint64(word)], k - (passed & -beyond))
    return _nth_of_many(options, k)


@njit
def _nth_of_many(options, k):
    word, passed, left = options.start, 0, k
    for w in range(options.start, options.stop - 1):
        passed += popcount(options.mask[np.uint64(w)])
        beyond = np.int64(k >= passed)
        word += beyond
        left += (k - passed - left) & -beyond
    return word * 64 + kth(options.mask[np.uint64(word)], left)


@njit(forceinline=True)
def is_legal(options, action):
    """Whether the action is one of the options."""
    word = action >> 6
    if word < options.start or word >= options.stop:
        return False
    return (options.mask[np.uint64(word)] >> np.uint64(action & 63)) & np.uint64(1) != np.uint64(0)


@dataclass(frozen=True)
class Measure:
    """A score part or a counter: its name, its unit and a sentence that says what it counts.

    Counters of one `family`, a word or two in the plural ("visits"), are ways to do one thing: reports compare them.
    """

    name: str
    unit: str
    text: str
    family: str = ""


@dataclass(frozen=True)
class LoggedCard:
    """A card of the card log. Cards of one type are copies: alike in play and in every statistic.

    `in_hand` says that the card is dealt to hands and played from them; others (lands that are taken from a row) are
    used by being held. A card has a column, its stamp: how it came, how it left, and when. A `tallied` card comes and
    goes too often for that: it has a column for each of the game's tallies instead, with how often that happened. Where
    a card is the improved side of another one, `side_of` is the type of that one. `rows` are the rows of the card set
    that describe it, as "cards.Y10": table and key, or the name that copies share.
    """

    code: int
    id: str
    label: str
    type: str
    group: str
    in_hand: bool = True
    tallied: bool = False
    side_of: str = ""
    rows: tuple[str, ...] = ()


KINDS = ("ban", "blank")


@dataclass(frozen=True)
class Intervention:
    """A way to deny one player a card, all copies of it: what a study of access plays on the same deals.

    `kind`: a "ban" keeps the player from using it, a "blank" leaves it a card that does nothing for it. `type`,
    `label` and `group` are those of the card log, `uses` are the tallies there (of a tallied card), or the gains and
    fates, that say that a seat has used it. `fields` are what the parameter record holds instead, by name; they are
    about place 0 of the line-up. Where cards of several types of the log are denied as one (all Forests, whatever they
    print), `types` are those, and `type` and `label` are words for all of them.
    """

    kind: str
    type: str
    label: str
    group: str
    uses: tuple[str, ...]
    fields: tuple[tuple[str, int], ...]
    types: tuple[str, ...] = ()


def _none(card_set: "CardSet", seats: int) -> tuple[Intervention, ...]:
    """No way to deny a card."""
    return ()


@dataclass(frozen=True)
class Game:
    """Everything that a game declares. Engine, analysis and reports read this and know no game by name.

    Records (dtypes): `state` has the fields public, private, secret; `public` has at least actor, decision, turns,
    rounds, end, truncated, order[seat], standing[seat]; `cards` has seats; `options` has count, start, stop, mask;
    `mind` has weights, features, memory, tremble, room. `rounds` and `turns` are the most that a game can last. Where a
    card can come back to the seat that it left, `fates` ends with the ways of leaving from which it does. `tallies` are
    what is counted a seat and round for each tallied card, in the order of their kinds of `note`. Where `first_player`
    is False nobody is first by the rules, and `order` is the seat. `when` says what the time of a note about a card
    counts, and `endings` what ends a game, in words for each of `ends` ("the last house"); where it is empty, the names
    are used.
    `caveat` says, in sentences for readers of reports, which values of the shipped card sets stand in no source.
    `interventions` are the ways to deny a player a card of a card set, for so many seats. `hidden` are the decisions
    (names) that the others do not see before they have made their own.
    """

    name: str
    title: str
    folder: Path
    seats: tuple[int, ...]
    state: np.dtype[Any]
    public: np.dtype[Any]
    private: np.dtype[Any]
    cards: np.dtype[Any]
    options: np.dtype[Any]
    mind: np.dtype[Any]
    rounds: int
    turns: int
    most_decisions: int
    codes: int
    schema: "Schema"
    default_card_set: str
    parameters: "Callable[[CardSet, int], Any]"
    log_cards: "Callable[[CardSet, int], tuple[LoggedCard, ...]]"
    rounds_of: "Callable[[CardSet], int]"
    decisions: tuple[str, ...]
    ends: tuple[str, ...]
    gains: tuple[str, ...]
    fates: tuple[str, ...]
    parts: tuple[Measure, ...]
    counters: tuple[Measure, ...]
    counter_kinds: tuple[int, ...]
    when_unit: int
    standing: str
    score_unit: str
    features: tuple[str, ...]
    value_features: tuple[str, ...]
    words: "Callable[[CardSet], Any]"
    first_player: bool = True
    tallies: tuple[str, ...] = ()
    when: str = "turns of the round"
    endings: tuple[str, ...] = ()
    caveat: str = ""
    interventions: "Callable[[CardSet, int], tuple[Intervention, ...]]" = _none
    hidden: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError where more is declared than the kinds of `note` can tell apart."""
        if len(self.parts) > MOST_PARTS or len(self.counters) > MOST_COUNTERS:
            raise ValueError(f"{self.name}: at most {MOST_PARTS} score parts and {MOST_COUNTERS} counters")
        if len(self.tallies) > MOST_TALLIES or len(set(self.tallies)) < len(self.tallies):
            raise ValueError(f"{self.name}: at most {MOST_TALLIES} tallies, each with a name of its own")
        if self.endings and len(self.endings) != len(self.ends):
            raise ValueError(f"{self.name}: {len(self.ends)} reasons to end, and words for {len(self.endings)}")

    @property
    def most_seats(self) -> int:
        """The seats that records are sized for."""
        return max(self.seats)

    def round_is_game(self, card_set: "CardSet") -> bool:
        """Whether a game of this card set is a single round."""
        return self.rounds_of(card_set) == 1


BUILT_IN: Mapping[str, str] = {
    "lost-cities": "simcore.games.lost_cities.game",
    "vaalbara": "simcore.games.vaalbara.game",
    "valletta": "simcore.games.valletta.game",
    "lisboa": "simcore.games.lisboa.game",
}
_games: dict[str, Game] = {}


def names() -> tuple[str, ...]:
    """The names of all games: the built-in ones, then plug-ins (entry points `fairdeal.games`) and those added."""
    plugged_in = {point.name for point in entry_points(group="fairdeal.games")}
    return (*BUILT_IN, *sorted((plugged_in | set(_games)) - set(BUILT_IN)))


def add(game: Game) -> None:
    """Make a game known in this process, as a plug-in's entry point does. Raises ValueError for a taken name."""
    if game.name in names():
        raise ValueError(f"there already is a game {game.name}")
    _games[game.name] = game


def get(name: str) -> Game:
    """The game of this name. A game's module is imported when it is first asked for.

    Raises InputError for an unknown name, with the nearest known ones.
    """
    if name not in _games:
        if name in BUILT_IN:
            _games[name] = importlib.import_module(BUILT_IN[name]).GAME
        else:
            for point in entry_points(group="fairdeal.games", name=name):
                _games[name] = point.load()
    if name not in _games:
        raise InputError(f"{unknown('game', name, list(names()))} {told(name)}".rstrip())
    return _games[name]


def unknown(what: str, word: str, known: list[str]) -> str:
    """The message for a word that is not one of the known ones, nearest first."""
    near = difflib.get_close_matches(word, known, n=2, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"unknown {what} {shown(word)}.{hint} Known: {', '.join(known)}."
