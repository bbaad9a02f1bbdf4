"""Targets of a card set: what a designer wants it to be, as a TOML file that `analysis.check` holds games against.

    game = "lost-cities"            if you like: the file is refused for any other game
    bots = ["heuristic", "expert"]  if you like: who plays; the strongest of them is judged

    [going_first]                   a target; its name is yours
    kind = "seat_share"             what is judged, see `KINDS`
    within = 0.03                   the limits: these of `Kind.limits`
    bots = "expert"                 whose games are judged, here those of the expert against itself
    seats = [2, 3]                  only with so many seats
    cards = ["yellow 10", "Y09"]    of a kind about cards only these, by label or by the id of a row; or except = […]

A file of targets is data: reading it runs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.tiers import TIERS
from simcore import toml
from simcore.errors import InputError, shown
from simcore.game import unknown
from simcore.given import refuse_other

LARGEST = 1e12
"""No limit is larger than this, to either side; neither nan nor inf lies within."""
STATED = Path(__file__).parent / "stated"
"""The folder of the targets that are stated for the standard set of each game: GAME.toml."""

WITHIN, AT_LEAST, AT_MOST = "within", "at_least", "at_most"
RANGE = (AT_LEAST, AT_MOST)


@dataclass(frozen=True)
class Kind:
    """A kind of target: its name, a sentence, the limits that it may have, and its measures, of which the first is
    meant where none is named. `shares` are the measures whose limits are shares, from 0 to 1; `least` is the lowest
    limit that makes sense, None where limits may be negative. `of_cards` says that it can be narrowed to some cards.
    """

    name: str
    text: str
    limits: tuple[str, ...]
    measures: tuple[str, ...] = ("",)
    shares: tuple[str, ...] = ()
    least: float | None = 0.0
    of_cards: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that a table of this kind may have."""
        extra = [*(["measure"] if len(self.measures) > 1 else []), *(["cards", "except"] if self.of_cards else [])]
        return ("kind", *self.limits, *extra, "bots", "tier", "seats")


POINTS, WINS = "points", "wins"
MEAN, WINNING, LOSING, SPREAD = "mean", "winning", "losing", "spread"
MEDIAN, P95 = "median", "p95"
EACH, FIELD = "each", "field"
EVERY, HELD, OFFERED, CHOSEN, TALLIED = "every", "held", "offered", "chosen", "tallied"

KINDS = {
    kind.name: kind
    for kind in (
        Kind("seat_share", "the share of the wins of each place, around the even one", (WITHIN,), shares=("",)),
        Kind("score", "the score of a seat, its spread, or a game's best or worst", RANGE,
             (MEAN, WINNING, LOSING, SPREAD), least=None),
        Kind("length", "the turns of a game", RANGE, (MEDIAN, P95, MEAN)),
        Kind("card_impact", "what chance's giving a card is worth", (WITHIN, *RANGE), (POINTS, WINS), (WINS,),
             least=None, of_cards=True),
        Kind("dominance", "how much a bot wins against each of the others, or against all", (AT_MOST,), (EACH, FIELD),
             (EACH, FIELD)),
        Kind("dead_cards", "how often a card is used when it could be", (AT_LEAST,),
             (EVERY, HELD, OFFERED, CHOSEN, TALLIED), (EVERY, HELD, OFFERED, CHOSEN, TALLIED), of_cards=True),
        Kind("cut_offs", "the share of games that the length cap cuts off", (AT_MOST,), shares=("",)),
        Kind("draws", "the share of games that end in a tie", (AT_MOST,), shares=("",)),
    )
}  # fmt: skip
"""The kinds of targets by name."""

HEAD = ("game", "bots")


@dataclass(frozen=True)
class Target:
    """One target. A figure is within the limits where low <= figure <= high; for `seat_share` and for limits that were
    given by `within`, they are relative to the even share or to 0. An open side is an infinity.

    `bots` are the distinct bots of the line-up that is judged (of `dominance`: those that are compared), `tier` names
    the line-up or the compared ones by tier; both empty: the strongest bot of the file against itself, else the line-up
    that page one of a balance report speaks of.
    `seats` and `cards` (as `analysis.card_names` knows them) are empty for all; `excepted` are the cards that are not
    judged.
    """

    name: str
    kind: str
    measure: str
    low: float
    high: float
    bots: tuple[str, ...] = ()
    tier: str = ""
    seats: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    excepted: tuple[str, ...] = ()

    @property
    def card_names(self) -> tuple[str, ...]:
        """The cards that are named, to be judged or not to be."""
        return self.cards or self.excepted

    def applies(self, seats: int) -> bool:
        """Whether it is about games with so many seats."""
        return not self.seats or seats in self.seats


@dataclass(frozen=True)
class Targets:
    """The content of a targets file: `source` names it in messages; `game` and `bots`, those who play and of whom the
    strongest is judged where nobody says otherwise, are empty where it says nothing of them.
    """

    source: str
    game: str
    bots: tuple[str, ...]
    targets: tuple[Target, ...]

    def of(self, seats: Collection[int]) -> tuple[Target, ...]:
        """The targets for games with any of these numbers of seats."""
        return tuple(target for target in self.targets if any(map(target.applies, seats)))

    def refuse(self, game: str, seats: Collection[int]) -> None:
        """Raise InputError where the targets are for another game, or none of them for so many seats."""
        if self.game not in ("", game):
            raise InputError(f"the targets of {self.source} are for {self.game}, not for {game}.")
        if not self.of(seats):
            raise InputError(f"no target of {self.source} is for games of {' or '.join(map(str, seats))} seats.")


def stated(game: str) -> Targets:
    """The targets that are stated for the standard set of a game. Raises InputError where there are none."""
    path = STATED / f"{game}.toml"
    if not path.is_file():
        raise InputError(f"no targets are stated for {game}: name a file of your own with --targets.")
    return read(path, f"those stated for the standard set of {game}")


def read(path: str | Path, source: str = "") -> Targets:
    """The content of a targets file; `source` is how messages name it, its path by default.

    Raises InputError where the file cannot be read, is not TOML, or says something that no target says: the message
    names the table and the key, what is allowed, and the nearest known word.
    """
    content = toml.read(path, "targets file")
    refuse_other(content, path, "targets file")
    where = f"targets file {path}"
    tables = {key: value for key, value in content.items() if isinstance(value, dict)}
    for key in content:
        if key not in tables and key not in HEAD:
            raise InputError(
                f"{where}: {unknown('entry', key, list(HEAD))} A target is a table, which begins with a line [{key}]."
            )
    for key in HEAD:
        if key in tables:
            raise InputError(f"{where}: {key} is no name for a target. Choose another one than [{key}].")
    if not tables:
        raise InputError(f'{where} has no target. A target is a table, as in [draws], kind = "draws", at_most = 0.05.')
    game = content.get("game", "")
    if not isinstance(game, str):
        raise InputError(f'{where}: game is a name, as in game = "lost-cities".')
    bots = _names(where, "bots", content.get("bots", []))
    targets = tuple(_target(where, name, table) for name, table in tables.items())
    return Targets(source or str(path), game, bots, targets)


# --- one target ------------------------------------------------------------------------------------------------------


def _target(where: str, name: str, table: Mapping[str, Any]) -> Target:
    if not name.strip() or not name.isprintable():
        raise InputError(f"{where}: {shown(name)} is no name for a target. Allowed: letters that can be printed.")
    here = f"{where}, [{name}]"
    kind = _kind(here, table)
    for key in table:
        if key not in kind.keys:
            raise InputError(f"{here}: {unknown('key', key, list(kind.keys))}")
    measure = _choice(here, "measure", table.get("measure", kind.measures[0]), kind.measures)
    low, high = _limits(here, table, kind, measure in kind.shares)
    bots = _names(here, "bots", table.get("bots", []))
    tier = _choice(here, "tier", table["tier"], TIERS) if "tier" in table else ""
    if bots and tier:
        raise InputError(f"{here}: bots and tier both say whose games are judged. Leave one of them out.")
    if kind.name == "dominance" and len(bots) == 1:
        raise InputError(f"{here}: bots names those that are compared, so at least two.")
    cards, excepted = (_names(here, key, table.get(key, [])) for key in ("cards", "except"))
    if cards and excepted:
        raise InputError(f"{here}: cards says which are judged, except which are not. Leave one of them out.")
    seats = _seats(here, table.get("seats", []))
    return Target(name, kind.name, measure, low, high, bots, tier, seats, cards, excepted)


def _kind(here: str, table: Mapping[str, Any]) -> Kind:
    if "kind" not in table:
        raise InputError(f"{here} does not say its kind. Allowed: kind = {' or '.join(map(_quoted, KINDS))}.")
    return KINDS[_choice(here, "kind", table["kind"], tuple(KINDS))]


def _choice(here: str, key: str, value: Any, allowed: tuple[str, ...]) -> str:
    if not isinstance(value, str):
        raise InputError(f"{here}: {key} is a word, not {shown(value)}. Allowed: {', '.join(map(_quoted, allowed))}.")
    if value not in allowed:
        raise InputError(f"{here}: {unknown(key, value, list(allowed))}")
    return value


def _quoted(word: str) -> str:
    return f'"{word}"'


def _names(here: str, key: str, value: Any) -> tuple[str, ...]:
    """One name, or a list of different ones."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) and name.strip() for name in names):
        raise InputError(
            f'{here}: {key} is a name or a list of names, as in {key} = ["one", "other"], not {shown(value)}.'
        )
    if len(set(names)) < len(names):
        raise InputError(f"{here}: {key} names one twice: {', '.join(names)}.")
    return tuple(names)


def _seats(here: str, value: Any) -> tuple[int, ...]:
    numbers = [value] if isinstance(value, int) else value
    if not isinstance(numbers, list) or not all(type(n) is int and n >= 1 for n in numbers):
        raise InputError(
            f"{here}: seats is a number of seats or a list of such, as in seats = [2, 3], not {shown(value)}."
        )
    return tuple(numbers)


def _limits(here: str, table: Mapping[str, Any], kind: Kind, share: bool) -> tuple[float, float]:
    """The limits of a target, lowest and highest allowed figure."""
    given = [key for key in kind.limits if key in table]
    if not given:
        raise InputError(f"{here} has no limit. Allowed for {kind.name}: {', '.join(kind.limits)}.")
    limits = {key: _number(here, key, table[key], kind, share) for key in given}
    if WITHIN in limits:
        if len(given) > 1:
            raise InputError(f"{here}: within is a limit to both sides. Leave {' and '.join(given[1:])} out.")
        if limits[WITHIN] <= 0:
            raise InputError(f"{here}: within is a margin above 0, not {shown(table[WITHIN])}.")
        return -limits[WITHIN], limits[WITHIN]
    low, high = limits.get(AT_LEAST, -math.inf), limits.get(AT_MOST, math.inf)
    if low > high:
        raise InputError(f"{here}: at_least {low:g} is above at_most {high:g}, so nothing could meet it.")
    if share and high == 0:
        raise InputError(f"{here}: at_most 0 can never be known of games. Allowed: above 0, as in at_most = 0.001.")
    return low, high


def _number(here: str, key: str, value: Any, kind: Kind, share: bool) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
        raise InputError(f"{here}: {key} is a number, not {shown(value)}.")
    if share and not 0 <= value <= 1 and (kind.least is not None or not -1 <= value <= 1):
        least = "0" if kind.least is not None else "-1"
        raise InputError(f"{here}: {key} is a share from {least} to 1 (0.05 is 5 %), not {shown(value)}.")
    if kind.least is not None and value < kind.least:
        raise InputError(f"{here}: {key} is at least {kind.least:g}, not {shown(value)}.")
    return float(value)
