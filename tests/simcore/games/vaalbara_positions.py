"""Positions of Vaalbara with chosen luck and chosen moves, played by the kernels: how tests reach a position.

A position is put together in the plain Python reference at the start of a round and written into the kernels' records,
over a game that they have just dealt. From there a bot that does as it is told moves for all seats, through the same
loop as any other bot, and every step is compared with the reference.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import njit

from simcore.bots import Bot
from simcore.cardset import CardSet
from simcore.play import Table
from tests.reference.vaalbara import (
    CHARACTER,
    CLANS,
    FIGHTER,
    FIRST,
    SECOND,
    SHOW_FIGHTER,
    TAKE,
    Character,
    Land,
    Match,
)
from tests.reference.vaalbara_agreement import GAME, Witness, rules_of
from tests.reference.vaalbara_records import privates, public_fields
from tests.simcore.vaalbara_sets import edited, inputs, shipped

RESTING = "oracle"  # a character of which nobody gains as long as all play it


@njit
def obey(public, me, cards, options, noise, mind):  # type: ignore[no-untyped-def]  # numba types it
    return np.int64(mind.memory[0])


OBEDIENT = Bot("obedient", GAME, "random", "Does what stands in its memory.", obey)


@dataclass(frozen=True)
class Luck:
    """A position at the start of a round, and what lies in the decks. Lists go by seat and may be short or left out.

    Lands are words: a type, a value after it where it prints one, a back after an @ (initials of the clans, best
    first) where it matters: `forest5`, `meadow@gbrpy`. Lands that stand nowhere lie in the middle of the deck.
    """

    seats: int
    clans: Sequence[str] = CLANS
    rounds: int = 1  # finished ones
    vp: Sequence[int] = ()
    realms: Sequence[Sequence[str]] = ()
    hands: Sequence[Sequence[str]] = ()  # filled up to the size of a hand
    discards: Sequence[Sequence[str]] = ()
    draws: Sequence[Sequence[str]] = ()  # the next cards of the clan decks
    first: Sequence[str] = ()  # filled up with first Forests of value 3
    second: Sequence[str] | None = None  # None: as many; otherwise as it stands
    top: Sequence[str] = ()  # of the Land deck, from the top
    bottom: Sequence[str] = ()  # of the Land deck, up to the bottom
    middle: bool = True  # whether other lands lie between them
    scalars: dict[str, Any] = field(default_factory=dict)
    characters: dict[str, dict[str, Any]] = field(default_factory=dict)  # edits, by key


class Lands:
    """The lands of a position: rows of the shipped table turned into those that the words want."""

    def __init__(self) -> None:
        self.tables = inputs(shipped("default"))
        self._used = 0

    def make(self, words: Sequence[str]) -> list[str]:
        """The ids of lands made for these words."""
        return [self._make(word) for word in words]

    def _make(self, word: str) -> str:
        face, _, back = word.partition("@")
        kind = face.rstrip("0123456789")
        row = self.tables["lands"][self._used]
        self._used += 1
        value = int(face.removeprefix(kind) or 3) if kind == "forest" else None
        row.update(type=kind, forest_value=value, min_players=2, min_players_alt=2)
        if back:
            clans = [next(clan for clan in CLANS if clan.startswith(initial)) for initial in back]
            omens = next(omens for omens in self.tables["omens"] if omens["id"] == row["omen_id"])
            omens.update({f"rank{place}": clan for place, clan in enumerate(clans, 1)})
        found: str = row["id"]
        return found


def at(lists: Sequence[Sequence[str]], seat: int) -> Sequence[str]:
    return lists[seat] if seat < len(lists) else ()


class Position:
    """A game in progress, from the position of a `Luck` on."""

    def __init__(self, luck: Luck) -> None:
        self.luck = luck
        self._deal()
        self.kernels = Table(GAME, self.card_set, luck.seats, ("uniform",) * luck.seats, seed=0)
        self.kernels.policies = self.kernels.engine.policies((OBEDIENT,) * luck.seats)
        steps = self.kernels.steps(0, 0)
        next(steps)
        self.witness = Witness(self.kernels)
        self.match = self.witness.match = self._match()
        self.table = self.match.table
        self._plant()
        for observer in self.witness.observers:
            observer.table = deepcopy(self.table)
            observer.hand = set(self.match.hands[observer.seat])
        self.witness.compare()
        self._moves = self.witness.retell(steps)

    def _deal(self) -> None:
        luck, lands = self.luck, Lands()
        self.realms = [lands.make(at(luck.realms, seat)) for seat in range(luck.seats)]
        self.first = lands.make([*luck.first, *["forest3"] * (luck.seats - len(luck.first))])
        self.second = lands.make(["forest3"] * luck.seats if luck.second is None else luck.second)
        top, bottom = lands.make(luck.top), lands.make(luck.bottom)
        tables = lands.tables
        for row in tables["characters"]:
            row.update(luck.characters.get(row["key"], {}))
        self.card_set: CardSet = edited(tables=tables, **luck.scalars)
        self.rules = rules_of(self.card_set, luck.seats)
        placed = {*self.first, *self.second, *top, *bottom, *(land for realm in self.realms for land in realm)}
        middle = [land.id for land in self.rules.lands if land.id not in placed] if luck.middle else []
        self.deck = [*top, *middle, *bottom]

    def _match(self) -> Match:
        """The reference in this position."""
        luck, rules = self.luck, self.rules
        match = Match(rules)
        table = match.table
        table.clans = tuple(luck.clans[: luck.seats])
        table.rounds, table.turns = luck.rounds, luck.rounds * luck.seats
        table.vp[: len(luck.vp)] = luck.vp
        table.realms = [self._lands(realm) for realm in self.realms]
        table.rows = {FIRST: self._lands(self.first), SECOND: self._lands(self.second)}
        table.deck = [None for _ in self.deck]
        table.unseen = set(self._lands(self.deck))
        table.omens = rules.land[self.deck[0]].omens
        table.discards = [[rules.character[key] for key in at(luck.discards, seat)] for seat in table.seats]
        self.clan_decks = [self._clan(match, seat) for seat in table.seats]
        table.hand_sizes = [len(hand) for hand in match.hands]
        table.deck_sizes = [len(deck) for deck in self.clan_decks]
        table.begin_round()
        return match

    def _lands(self, ids: Sequence[str]) -> list[Land]:
        return [self.rules.land[name] for name in ids]

    def _clan(self, match: Match, seat: int) -> list[Character]:
        """Deals a hand; returns the clan deck, the next card first."""
        rules, luck = self.rules, self.luck
        hand, draws = ([rules.character[key] for key in at(cards, seat)] for cards in (luck.hands, luck.draws))
        used = {*hand, *draws, *match.table.discards[seat]}
        spare = [character for character in rules.characters if character not in used]
        # Fighters last: a hand holds one only where the position says so.
        spare.sort(key=lambda character: (character.key != RESTING, character.effect == FIGHTER))
        missing = max(0, rules.hand_size - len(hand))
        match.hands[seat] = {*hand, *spare[:missing]}
        deck = [*draws, *spare[missing:]]
        match.decks[seat] = set(deck)
        return deck

    def _plant(self) -> None:
        """The reference's position, written into the kernels' records."""
        coding, state = self.witness.coding, self.kernels.state
        public, secret = state.public, state.secret
        for name, value in public_fields(coding, self.table, self.match.actor).items():
            if name in ("row", "realm"):
                for i, lands in enumerate(value):
                    public["count" if name == "row" else "lands"][i] = len(lands)
                    public[name][i, : len(lands)] = lands
            elif isinstance(value, list):
                public[name][: len(value)] = value
            else:
                public[name] = value
        for seat, fields in enumerate(privates(coding, self.match)):
            state.private[seat].hand, state.private[seat].chosen = fields["hand"], fields["chosen"]
        for seat, deck in enumerate(self.clan_decks):
            secret.clan_deck[seat, : len(deck)] = [coding.place[character] for character in reversed(deck)]
        secret.land_deck[: len(self.deck)] = coding.lands(self._lands(self.deck))[::-1]

    # ------------------------------------------------------------------------------------------------------- playing

    @property
    def decision(self) -> str:
        """The decision that comes next."""
        return self.table.expects

    @property
    def actor(self) -> int:
        """-1 when the game is over."""
        return int(self.kernels.state.public.actor)

    @property
    def options(self) -> list[str]:
        return self.match.options()

    @property
    def standing(self) -> list[int]:
        points: list[int] = self.kernels.state.public.standing[: self.luck.seats].tolist()
        return points

    @property
    def scores(self) -> list[int]:
        """The final ones."""
        points: list[int] = self.kernels.out.points[: self.luck.seats].tolist()
        return points

    def do(self, *words: str) -> None:
        """Decisions, one after the other, of whoever has to decide. Raises JobError for an illegal one."""
        for word in words:
            self.do_action(self.witness.coding.action(self.table, self.decision, word))
        if self.actor < 0:
            assert next(self._moves, None) is None  # only now the result has been compared

    def do_action(self, action: int) -> None:
        """A decision by its code."""
        self.kernels.minds[self.actor]["memory"][0] = action
        next(self._moves)

    def choose(self, *keys: str) -> None:
        """The choices of all seats."""
        assert self.decision == CHARACTER
        self.do(*keys)

    def rest(self, seat: int, key: str) -> list[str]:
        """Choices for `choose`: this seat plays the key, all others something that changes nothing."""
        return [key if other == seat else RESTING for other in range(self.luck.seats)]

    def take(self, kind: str = "") -> None:
        """Whoever is to decide takes the first land of this type, or the first of all."""
        assert self.decision == TAKE
        row = self.table.rows[FIRST]
        self.do(next(land.id for land in row if land.type.startswith(kind)))

    def land(self, row: str, kind: str) -> str:
        """The id of the first land of this type in a row."""
        return next(land.id for land in self.table.rows[row] if land.type == kind)

    def finish_round(self) -> None:
        """The rest of a round: whatever comes first, Fighters shown."""
        rounds = self.table.rounds
        while self.table.rounds == rounds:
            self.do("yes" if self.decision == SHOW_FIGHTER else self.options[0])

    def gains(self, seat: int) -> dict[str, int]:
        """Points of a seat since the position, by source; see `Table.gains`."""
        found: dict[str, int] = {}
        for who, source, amount in self.table.gains:
            if who == seat:
                found[source] = found.get(source, 0) + amount
        return found
