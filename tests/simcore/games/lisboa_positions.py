"""Positions of Lisboa with chosen pieces and chosen moves, played by the kernels: how tests reach a position.

A position is the start of a turn. It is put together in the plain Python reference, from a set-up that the reference
has dealt itself, and written into the kernels' records, over a game that they have just dealt. From there a bot that
does as it is told moves for all seats, through the same loop as any other bot, and every step is compared with the
reference.
"""

from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numba import njit

from simcore.bots import Bot
from simcore.cardset import CardSet
from simcore.play import Table as Kernels
from tests.reference.lisboa import Match, play
from tests.reference.lisboa_agreement import GAME, Witness, rules_of
from tests.reference.lisboa_records import PER_SEAT, Coding, private_fields, public_fields, secret_fields
from tests.reference.lisboa_selfplay import next_event
from tests.reference.lisboa_state import DECLINE, KEEP, STOP, Card, Event, Player, Table
from tests.reference.lisboa_tables import GOODS, NOBLES, RUBBLE, Rules
from tests.simcore.lisboa_sets import shipped

IDLE = (STOP, DECLINE, KEEP)  # words that end a choice
DULL_HAND = ("blue_builder_5", "blue_marquis_5", "blue_king_5", "blue_builder_2", "blue_king_2")


@njit
def obey(public, me, cards, options, noise, mind):  # type: ignore[no-untyped-def]  # numba types it
    return np.int64(mind.memory[0])


OBEDIENT = Bot("obedient", GAME, "random", "Does what stands in its memory.", obey)


@lru_cache(maxsize=32)
def dealt(card_set: CardSet, seats: int) -> Table:
    """A table that has been set up at random, with seat 0 as the starting player. Not to be written."""
    match, rng = Match(rules_of(card_set, seats)), Random(seats)
    match.apply({"chance": "start_player", "seat": 0})
    while match.decision != "MAIN":
        match.apply(next_event(match, rng))
    return match.table


class Position:
    """A game in progress. `table` can be changed until `begin`; pieces are not counted: anybody may hold any.

    Unless something else is said, nobody has Clergy tiles, plans or favors, the active player has a dull hand, and all
    the rest is as after a random set-up.
    """

    def __init__(self, seats: int = 2, active: int = 0, card_set: CardSet | None = None) -> None:
        self.card_set = card_set or shipped()
        self.seats, self.active = seats, active
        self.rules: Rules = rules_of(self.card_set, seats)
        before = dealt(self.card_set, seats)
        self.table = deepcopy(before, {id(before.rules): self.rules})
        self.table.turns = active
        self.match = Match(self.rules)
        self.match.table = self.table
        self.table.favors = dict.fromkeys(NOBLES, seats)
        for player in self.table.players:
            player.clergy, player.plans, player.hand = [], [], []
            player.favors.clear()
        self.hand(active, *DULL_HAND)

    # ---------------------------------------------------------------------------------------------- putting together

    def player(self, seat: int = 0) -> Player:
        return self.table.players[seat]

    def hand(self, seat: int, *cards: str) -> None:
        """These cards in the hand, and no others."""
        player = self.player(seat)
        player.hand = list(cards)
        player.dealt = Counter(self.rules.cards[card].deck for card in cards)

    def goods(self, seat: int, **goods: int) -> None:
        """So many of each type, none where nothing is said."""
        self.player(seat).goods = Counter({good: goods.get(good, 0) for good in GOODS})

    def money(self, seat: int, reais: int, influence: int = 0, wigs: int = 5) -> None:
        player = self.player(seat)
        player.reais, player.influence, player.wigs = reais, influence, wigs
        player.sources = Counter(start=wigs)

    def clergy(self, seat: int, *tiles: str) -> None:
        self.player(seat).clergy = list(tiles)

    def top(self, seat: int, *cards: str) -> None:
        """Noble cards and empty ships in the top slots."""
        slots = [Card(card, ship=card in self.rules.ships) for card in cards]
        self.player(seat).top = [*slots, *[None] * (self.rules.numbers["portfolio_top_slots"] - len(cards))]

    def bottom(self, seat: int, *cards: str) -> None:
        self.player(seat).bottom = [*cards, *[None] * (self.rules.numbers["portfolio_bottom_slots"] - len(cards))]

    def load(self, seat: int, dock: int, good: str, number: int = 1) -> None:
        """Goods aboard a ship that stays."""
        ship = self.player(seat).top[dock]
        assert ship is not None
        ship.cargo[good] += number
        ship.at_sea = ship.cargo.total() == self.rules.ships[ship.id].hull

    def store(self, seat: int, block: str, good: str) -> None:
        """A store that has always been there; its house comes from no group."""
        self.table.owner[block], self.table.good_of[block] = seat, good
        self.player(seat).houses -= 1

    def house(self, seat: int, group: str, number: int = 1) -> None:
        """Houses taken from a group."""
        self.player(seat).houses_taken[group] += number

    def building(self, site: str, tile: str, side: str) -> None:
        """A public building that has always been there."""
        self.table.built[site] = (tile, side)
        self.table.site_cubes[site] = Counter()
        for stack in self.table.stacks.values():
            if tile in stack:
                stack.remove(tile)

    def on_top(self, architect: str, tile: str) -> None:
        """The current building of a stack."""
        for stack in self.table.stacks.values():
            if tile in stack:
                stack.remove(tile)
        self.table.stacks[architect].insert(0, tile)

    def cubes(self, seat: int, earthquake: int = 0, fire: int = 0, tsunami: int = 0) -> None:
        """Cubes on the board; the markers of their sets are on the portrait."""
        player = self.player(seat)
        player.cubes = Counter(dict(zip(RUBBLE, (earthquake, fire, tsunami), strict=True)))
        player.markers -= player.sets
        player.portrait += player.sets

    def rubble(self, zone: str, *kinds: str) -> None:
        """The cubes of a row, a column or a site."""
        zones = self.table.zones if zone in self.table.zones else self.table.site_cubes
        zones[zone] = Counter(kinds)

    def offices(self, **officials: Iterable[int]) -> None:
        """The officials in each office, by seat."""
        for noble, numbers in officials.items():
            self.table.offices[noble] = list(numbers)

    def column_values(self, *wigs: int) -> None:
        """Of the columns 1 to 4."""
        tile = {value: name for name, value in self.rules.scoring_tiles.items()}
        self.table.spaces = [tile[value] for value in wigs]

    def display(self, **cards: str) -> None:
        """The card face up on a deck."""
        for name, card in cards.items():
            self.table.decks[name].face = card
            self.table.decks[name].under.discard(card)

    # --------------------------------------------------------------------------------------------------------- playing

    def begin(self) -> "Position":
        """From here on everything is played."""
        self._deal_the_rest()
        self.kernels = Kernels(GAME, self.card_set, self.seats, ("uniform",) * self.seats, seed=0)
        self.kernels.policies = self.kernels.engine.policies((OBEDIENT,) * self.seats)
        steps = self.kernels.steps(0, 0)
        next(steps)
        self.witness = Witness(self.kernels)
        self.witness.match = self.match
        self.coding = self.witness.coding
        self.match.follow(play(self.table, self.active))
        for observer in self.witness.observers:
            copy_for(observer.match, self.table, observer.seat)
            observer.match.follow(play(observer.match.table, self.active))
            observer.view.turn_up(self.table.stacks)
        plant(self.coding, self.match, self.kernels.state)
        for seat, player in enumerate(self.table.players):  # the words follow hands from the deal on
            self.kernels.words._hands[seat] = [self.coding.card[card] for card in player.hand if card is not None]
        self.witness.compare()
        self._moves = self.witness.retell(steps)
        return self

    def _deal_the_rest(self) -> None:
        """Hands for those who have none, of cards that nobody has."""
        held = {card for player in self.table.players for card in player.hand}
        left = [card for deck in ("blue", "purple") for card in self.rules.of_deck(deck) if card not in held]
        for seat, player in enumerate(self.table.players):
            if not player.hand:
                self.hand(seat, *(left.pop(0) for _ in DULL_HAND))

    @property
    def actor(self) -> int:
        """-1 when the game is over."""
        return self.match.actor

    @property
    def decision(self) -> str:
        """The decision that comes next."""
        return self.match.decision

    @property
    def options(self) -> list[str]:
        return list(self.match.options() or ())

    @property
    def events(self) -> list[Event]:
        """What has happened since the position."""
        return self.witness.events

    def do(self, *words: str) -> "Position":
        """Decisions, one after the other, of whoever has to decide; forced ones may be left out."""
        for word in words:
            while len(self.options) == 1 and word not in self.options:
                self._step(self.options[0])
            assert word in self.options, (self.actor, self.decision, self.options, word)
            self._step(word)
        return self

    def _step(self, word: str) -> None:
        """A decision. At the end of the game the result is compared."""
        actor = self.actor
        action = self.coding.action(self.table, actor, self.decision, word)
        self.kernels.minds[actor]["memory"][0] = action
        next(self._moves)
        if self.actor < 0:
            assert next(self._moves, None) is None

    def force(self) -> "Position":
        """All decisions with one option that come next."""
        while len(self.options) == 1:
            self.do(*self.options)
        return self

    def end_turn(self) -> "Position":
        """The rest of this turn, by the first option or the one that ends a choice, and no further."""
        turns = self.table.turns
        while self.table.turns == turns and self.actor >= 0:
            self.do(next((word for word in IDLE if word in self.options), self.options[0]))
        return self

    def finish(self) -> "Position":
        """The rest of the game."""
        while self.actor >= 0:
            self.end_turn()
        return self

    def asked(self) -> tuple[int, str, list[str]]:
        """Who decides what, and the options."""
        return self.actor, self.decision, self.options

    def of_kind(self, name: str) -> list[Event]:
        """Events and decisions of this name since the position."""
        return [event for event in self.events if name in (event.get("decision"), event.get("chance")) or name in event]


def plant(coding: Coding, match: Match, state: Any) -> None:
    """The reference's position, written into the kernels' records."""
    table = match.table
    for name, value in public_fields(coding, match).items():
        write(state.public, name, value)
    for seat in table.seats:
        write(state.private[seat], "hand", private_fields(coding, table.players[seat].hand)["hand"])
    hidden = secret_fields(coding, table)
    for number, (deck, face) in enumerate(zip(hidden["decks"], state.public.face.tolist(), strict=True)):
        below = [card for card in deck if card != face]
        state.secret.deck[number, : len(deck)] = [*below, *([face] if face >= 0 else [])]
    for name, pile in (("bag", "bag"), ("decree", "decrees")):
        state.secret[name][: len(hidden[pile])] = hidden[pile]
    for number, stack in enumerate(hidden["stacks"]):
        state.secret.stack[number, : len(stack)] = stack[::-1]


def write(record: Any, name: str, value: Any) -> None:
    if name in PER_SEAT or isinstance(value, list):
        if name == "office":
            for noble, numbers in enumerate(value):
                record[name][noble, : len(numbers)] = numbers
        else:
            record[name][: len(value)] = value
    else:
        record[name] = value


def copy_for(match: Match, table: Table, seat: int) -> None:
    """Give a seat's own match this table, with what the seat does not see hidden."""
    match.table = deepcopy(table, {id(table.rules): table.rules})
    for other, player in enumerate(match.table.players):
        if other != seat:
            hidden = [card for card in player.hand if table.rules.cards[card or ""].deck in ("blue", "purple")]
            match.table.unseen |= {card for card in hidden if card is not None}
            player.hand = [None if card in hidden else card for card in player.hand]
    for stack in match.table.stacks.values():
        stack[2:] = [None] * len(stack[2:])
