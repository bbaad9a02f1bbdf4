"""What is each card worth to a player? The same deals played free and with one player denied the card, in memory.

A study is played in pieces, ranges of deals. A piece has an arm for each card set without and with each intervention,
and the arms are what threads, or the workers of a cluster, work on. Only sums are kept, so memory does not grow with
the number of games, and pieces are added in the order of the deals: the tables are the same whoever plays.
"""

import math
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis import access, same_cards
from analysis.access import Access, AccessSums, Piece
from analysis.verdicts import short
from simcore import batch, cardset, request
from simcore import bots as bot_registry
from simcore import game as game_registry
from simcore.batch import Progress
from simcore.errors import InputError, shown
from simcore.game import KINDS, Game, Intervention, LoggedCard
from simcore.manifest import Manifest, make_manifest
from simcore.plan import Cost, Plan, make_plan
from simcore.play import Table
from simcore.request import Cards, Names
from simcore.tables import tally_column
from simcore.traces import stamp_columns

Array = NDArray[Any]
Fields = tuple[tuple[str, int], ...]

GAMES: dict[Cost, int] = {"cheap": 20_000, "dear": 500}
"""Games of each arm where none are asked for: a tenth of a balance report's, as there are many arms."""
GAMES_PER_PIECE: dict[Cost, int] = {"cheap": 1024, "dear": 1}
"""Games of an arm that are played in one go: soon over when a study is stopped, and long beside what a call costs."""
TIERS = ("expert", "trained", "simple", "random")
"""Whose play a study rests on where no bot is named: the first of these tiers that there is."""


@dataclass(frozen=True)
class Denial:
    """A card that is denied: the intervention of each card set, in the order of the sets, and the rows of the card sets
    that the card stands for.
    """

    each: tuple[Intervention, ...]
    rows: frozenset[str]

    @property
    def shown(self) -> Intervention:
        """The intervention of the last set, with both names where an edit has renamed the card."""
        first, last = self.each[0], self.each[-1]
        return replace(last, label=same_cards.label(first.label, last.label))

    @property
    def names(self) -> tuple[str, ...]:
        """What the card is called, in any of the sets, and the ids of its rows."""
        called = (name for one in (*self.each, self.shown) for name in names_of(one))
        return (*dict.fromkeys(called), *sorted(map(same_cards.id_of, self.rows)))


@dataclass(frozen=True)
class AccessPlan:
    """What a study plays: an ordinary plan of one line-up for each card set, equal but for that, and the interventions,
    which are about place 0 of the line-up. `kind` is the only kind of them that is played, None for all; `only` are the
    names of the cards and groups that are denied, empty for all. It is played in pieces of `blocks_per_piece`.
    """

    plans: tuple[Plan, ...]
    kind: str | None
    only: tuple[str, ...]
    blocks_per_piece: int

    @cached_property
    def declared(self) -> tuple[Denial, ...]:
        """All cards that all card sets have (`analysis.same_cards`) and let a player be denied, in the order of the
        last one.
        """
        found, *others = (_declared(plan) for plan in self.plans)
        for other in others:
            found = _in_both(found, other)
        return tuple(found.values())

    @cached_property
    def asked(self) -> tuple[Denial, ...]:
        """Those that are played."""
        return tuple(one for one in self.declared if self._asked(one))

    @property
    def interventions(self) -> tuple[Intervention, ...]:
        """Those that are played, as they are shown."""
        return tuple(one.shown for one in self.asked)

    @property
    def left_out(self) -> tuple[Intervention, ...]:
        """Those that could be played and are not asked for."""
        return tuple(one.shown for one in self.declared if not self._asked(one))

    @property
    def unmatched(self) -> tuple[str, ...]:
        """What is asked for and not played, as only one of the card sets has it: "yellow 14 (in mine alone)"."""
        told = [
            f"{short(one.shown.label)} (in {plan.card_set.name} alone)"
            for i, plan in enumerate(self.plans)
            for one in _declared(plan).values()
            if self._asked(one) and one.each[0] not in [both.each[i] for both in self.declared]
        ]
        return tuple(dict.fromkeys(told))

    def _asked(self, one: Denial) -> bool:
        kind = one.each[-1].kind
        return self.kind in (None, kind) and (not self.only or any(_is_named(one, word) for word in self.only))

    @cached_property
    def fields(self) -> tuple[tuple[Fields, ...], ...]:
        """What the parameter record holds in each arm, the free one first, for each card set."""
        return tuple(((), *(one.each[i].fields for one in self.asked)) for i in range(len(self.plans)))

    @property
    def arms(self) -> int:
        """How often each deal is played, under all rotations."""
        return len(self.plans) * (1 + len(self.asked))

    @property
    def games(self) -> int:
        """The number of games of all arms."""
        return self.arms * self.plans[0].games

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        """The description of each card set's plan."""
        game, names = self.plans[0].game, self.plans[0].bots
        bots = [bot_registry.admit(game, name) for name in names]
        return tuple(make_manifest(plan, game_registry.get(game), bots) for plan in self.plans)

    @cached_property
    def pieces(self) -> list[tuple[int, int]]:
        """The pieces: first deal, and the deal after the last. They depend on the plan alone."""
        blocks, size = self.plans[0].blocks, self.blocks_per_piece
        return [(first, min(first + size, blocks)) for first in range(0, blocks, size)]


def names_of(one: Intervention) -> tuple[str, ...]:
    """What a card is called: in short (its label up to a colon), its label, its type in the log."""
    return short(one.label), one.label, one.type


def _is_named(one: Denial, word: str) -> bool:
    """Whether a word means a card or its group. Upper and lower case are equal, and * stands for any letters."""
    pattern = re.compile(".*".join(map(re.escape, word.strip().split("*"))), re.IGNORECASE)
    return any(pattern.fullmatch(name) for name in (one.shown.group, *one.names))


Denials = dict[tuple[str, str], Denial]
"""By kind and type."""


def _declared(plan: Plan) -> Denials:
    """All cards that one card set has and lets a player be denied."""
    game = game_registry.get(plan.game)
    logged = [card for card in game.log_cards(plan.card_set, plan.seats) if not card.side_of]
    return {
        (one.kind, one.type): Denial(
            (one,), frozenset(row for card in logged if card.type in (one.types or (one.type,)) for row in card.rows)
        )
        for one in game.interventions(plan.card_set, plan.seats)
    }


def _in_both(base: Denials, variant: Denials) -> Denials:
    """The cards of both sets, as `analysis.same_cards` joins them: by kind and type of the second one."""
    before: Denials = {}
    for kind in KINDS:
        joined = same_cards.same(_known(base, kind), _known(variant, kind))
        before |= {(kind, new): base[kind, old] for old, new in joined.items()}
    return {
        key: Denial((*before[key].each, *one.each), before[key].rows | one.rows)
        for key, one in variant.items()
        if key in before
    }


def _known(found: Denials, kind: str) -> dict[str, same_cards.Known]:
    return {name: same_cards.Known(one.shown.label, one.rows) for (of, name), one in found.items() if of == kind}


class Tables(threading.local):
    """A table for each card set of a study, made once in each thread that asks for them."""

    def __init__(self, made: AccessPlan) -> None:
        self.tables = [
            Table(plan.game, plan.card_set, plan.seats, tuple(plan.bots[i] for i in plan.line_ups[0]), plan.seed)
            for plan in made.plans
        ]


def study(
    game: str,
    cards: Cards | Sequence[Cards] | None = None,
    bots: Names | None = None,
    games: int | None = None,
    seats: int | None = None,
    seed: int = 0,
    kind: str | None = None,
    only: str | Sequence[str] = (),
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    margin_points: float = 1.0,
    margin_share: float = 0.01,
) -> Access:
    """What each card of a set is worth to a player, as in access("valletta", seats=4): played in memory.

    With cards=[A, B] what the edit from A to B does to that, on the same deals. `games` counts per arm. `bots` is one
    name, in self-play, or two: the first is denied cards, in a field of the second. `kind`: "ban" or "blank" alone.
    `only`: the cards and groups of cards that are denied, as in only=["ships", "CK01", "block row *"]; false alarms are
    then counted over these alone. The margins say up to where a difference does not matter to the designer: points of
    score, and a share of the wins. Raises InputError as `plan` does.
    """
    made = plan(game, cards, bots, games, seats, seed, kind, only)
    return result(made, threads, progress, margin_points, margin_share)


def result(
    made: AccessPlan,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    margin_points: float = 1.0,
    margin_share: float = 0.01,
) -> Access:
    """Play a plan, and what it says within the designer's margins. Raises InputError for a margin that is not positive,
    JobError as `play` does.
    """
    if not (0 < margin_share < math.inf and 0 < margin_points < math.inf):
        raise InputError(
            f"A margin must be above 0 and finite, not {margin_points} points, {margin_share} of the wins."
        )
    sums = play(made, threads, progress)
    sets = [one.card_set for one in made.plans]
    changes = cardset.diff(*sets) if len(sets) == 2 else ()
    return access.analyse(
        made.manifests, made.interventions, sums, changes, margin_points, margin_share, made.left_out, made.unmatched
    )


def plan(
    game: str,
    cards: Cards | Sequence[Cards] | None = None,
    bots: Names | None = None,
    games: int | None = None,
    seats: int | None = None,
    seed: int = 0,
    kind: str | None = None,
    only: str | Sequence[str] = (),
) -> AccessPlan:
    """The plan of `study`.

    Raises InputError for anything that the game does not know or allow, for a game or card set that has no
    interventions, and for a name in `only` that fits none of them.
    """
    declared = game_registry.get(game)
    if kind not in (None, *KINDS):
        raise InputError(f"there is no kind {kind!r} of denying a card. Allowed: {', '.join(KINDS)}.")
    chosen = list(cards) if isinstance(cards, Sequence) and not isinstance(cards, str) else [cards]
    if not 1 <= len(chosen) <= 2:
        raise InputError(f"a study of access is about one card set or two, not {len(chosen)}.")
    sets = [request.load_cards(game, one) for one in chosen]
    places = request.seats_of(declared, seats)
    names = _line_up(game, bots, places)
    distinct = tuple(dict.fromkeys(names))
    dear = any(bot_registry.admit(game, name).cost == "dear" for name in distinct)
    cost: Cost = "dear" if dear else "cheap"
    first = make_plan(
        game=declared.name,
        card_set=sets[0],
        seats=places,
        bots=distinct,
        line_ups=(tuple(distinct.index(name) for name in names),),
        games=GAMES[cost] if games is None else games,
        seed=seed,
        cost=cost,
    )
    made = AccessPlan(
        plans=tuple(replace(first, card_set=one) for one in sets),
        kind=kind,
        only=(only,) if isinstance(only, str) else tuple(only),
        blocks_per_piece=max(1, GAMES_PER_PIECE[cost] // places),
    )
    of_kind = [one for one in made.declared if kind in (None, one.shown.kind)]
    if not of_kind:
        raise InputError(_nothing_to_deny(declared, made))
    for word in made.only:
        if not any(_is_named(one, word) for one in of_kind):
            raise InputError(_no_such_card(made, word, of_kind))
    return made


def _no_such_card(made: AccessPlan, word: str, of_kind: Sequence[Denial]) -> str:
    """The message for a name that fits no card or group of those that can be denied: `of_kind`."""
    groups = dict.fromkeys(one.shown.group for one in of_kind)
    known = dict.fromkeys((*groups, *(names_of(one.shown)[0] for one in of_kind)))
    if any(_is_named(one, word) for one in made.declared):
        return f"there is no {made.kind} of {shown(word)}. Known: {', '.join(known)}."
    text = game_registry.unknown("card or group", word, [*known])
    return f"{text} Only what both card sets have is compared." if len(made.plans) > 1 else text


def _line_up(game: str, bots: Names | None, seats: int) -> tuple[str, ...]:
    """Who plays, by place: the one who is denied cards first."""
    if bots is None:
        by_tier = {bot_registry.admit(game, name).tier: name for name in request.default_bots(game)}
        names: tuple[str, ...] = (next(by_tier[tier] for tier in TIERS if tier in by_tier),)
    else:
        names = request.split_names(bots)
    if len(names) > 2:
        raise InputError(
            f"a study of access is about one bot, in self-play or in a field of a second one; {len(names)} are named."
        )
    for name in names:
        bot_registry.admit(game, name)  # raises InputError for an unknown one
    return names[:1] + names[-1:] * (seats - 1)


def _nothing_to_deny(game: Game, made: AccessPlan) -> str:
    sets = " and ".join(plan.card_set.name for plan in made.plans)
    if not any(game.interventions(plan.card_set, plan.seats) for plan in made.plans):
        able = [
            name for name in game_registry.names() if game_registry.get(name).interventions is not Game.interventions
        ]
        known = f" Games that have: {', '.join(able)}." if able else ""
        return f"{game.title} declares no way to deny a player a card, so access cannot be studied.{known}"
    return f"{game.title} has no card to {made.kind or 'deny'} in the card set {sets}."


def play(
    made: AccessPlan, threads: int | None = None, progress: Callable[[Progress], None] | None = None
) -> AccessSums:
    """Play all arms and add them up. `progress` is called at the start and after each arm of a piece; an exception from
    it, like Ctrl-C, ends the study. Raises JobError as `simcore.batch.in_order` does, as for an illegal move of a bot.
    """
    sums = AccessSums(len(made.asked))
    for piece in pieces(made, threads, progress):
        sums.add(piece)
    return sums


def pieces(
    made: AccessPlan, threads: int | None = None, progress: Callable[[Progress], None] | None = None
) -> Iterator[Piece]:
    """The pieces of a study in the order of their deals, played as `play` does."""
    begin, played = time.perf_counter(), 0
    show = progress or (lambda now: None)
    show(Progress(0, made.games, 0, 0.0))
    arms: list[Arm] = []
    for arm in batch.in_order(_Playing(made), made.arms * len(made.pieces), threads):
        played += arm.hashes.size
        show(Progress(played, made.games, played, time.perf_counter() - begin))
        arms.append(arm)
        if len(arms) == made.arms:
            yield _joined(arms, len(made.plans))
            arms = []


@dataclass(frozen=True)
class _ArmPiece:
    """An arm (index) of a card set (index) on the deals first to last - 1."""

    number: int
    first: int
    last: int
    card_set: int
    arm: int

    def __str__(self) -> str:
        return f"arm {self.arm}, deals {self.first} to {self.last - 1}"


@dataclass(frozen=True)
class _Playing:
    """The task (simcore.batch) of playing a study: piece by piece, and of each all arms, card set by card set."""

    made: AccessPlan
    folder: None = None  # nothing is written

    @property
    def game(self) -> str:
        """The game that is played."""
        return self.made.plans[0].game

    @property
    def bots(self) -> tuple[str, ...]:
        """Who plays."""
        return self.made.plans[0].bots

    def with_bots(self, bots: tuple[str, ...]) -> "_Playing":
        """The same study where the bots' files have other names."""
        return _Playing(replace(self.made, plans=tuple(replace(plan, bots=bots) for plan in self.made.plans)))

    def piece(self, number: int) -> _ArmPiece:
        """An arm of a piece by its number."""
        piece, place = divmod(number, self.made.arms)
        return _ArmPiece(number, *self.made.pieces[piece], *divmod(place, 1 + len(self.made.asked)))

    def done(self, piece: _ArmPiece) -> "Arm":
        """Play it."""
        return _play_arm(self.made, self._tables, piece)

    @cached_property
    def _tables(self) -> Tables:
        return Tables(self.made)


@dataclass(frozen=True)
class Arm:
    """What one arm gave on the deals of a piece: results (outcomes, blocks) of the player of place 0, play hashes
    (blocks, rotations), and, of a free arm, in how many games that player used the card of each intervention.
    """

    results: Array
    hashes: Array
    used: Array | None


def _joined(arms: Sequence[Arm], sets: int) -> Piece:
    """The piece of all arms on the same deals, card set by card set, free arms first."""
    count = len(arms) // sets
    first, last = arms[0], arms[-count]
    assert last.used is not None
    results = np.stack([arm.results for arm in arms])
    return Piece(
        results=results.reshape(sets, count, *results.shape[1:]),
        differed=np.array([(arm.hashes != last.hashes).sum() for arm in arms[len(arms) - count + 1 :]], np.int64),
        used=last.used,
        games=last.hashes.size,
        reacted=int((first.hashes != last.hashes).sum()),
    )


def _play_arm(made: AccessPlan, at: Tables, piece: _ArmPiece) -> Arm:
    """Play an arm on the deals of a piece."""
    table, fields = at.tables[piece.card_set], made.fields[piece.card_set][piece.arm]
    table.intervene(fields)
    # All arms are played by the loop that fills the log, as other commands have compiled it already.
    played = list(table.play(piece.first, piece.last, "games" if fields else "cards"))
    rows = np.concatenate([part.rows for part in played]).reshape(piece.last - piece.first, table.seats)
    used = None if fields else _used(made, piece.card_set, table, np.concatenate([part.stamps for part in played]))
    return Arm(_results(rows, table.seats), rows["play_hash"].copy(), used)


def _own(values: Array, seats: int) -> Array:
    """Of values (blocks, rotations, seats, …) those of the player of place 0: in rotation r, seat -r mod seats."""
    rotation = np.arange(seats)
    return values[:, rotation, -rotation % seats]


def _results(rows: Array, seats: int) -> Array:
    """(outcomes, blocks) of the player of place 0, in the whole units of `access.units`."""
    points = rows["seat"]["points"][:, :, :seats].astype(np.int64)
    margins = _own(points, seats) * seats - points.sum(axis=2)  # (seats - 1) times the margin
    if seats == 1:
        margins = _own(points, seats)
    won = (rows["winners"][:, :, None].astype(np.int64) >> np.arange(seats)) & 1
    shares = _own(won, seats) * (access.units(seats)[1] // seats) // won.sum(axis=2)
    return np.stack([margins.sum(axis=1), shares.sum(axis=1)])


def _used(made: AccessPlan, card_set: int, table: Table, stamps: Array) -> Array:
    """In how many games of a card set's log the player of place 0 used the card of each intervention."""
    seats, game = table.seats, table.game
    rounds = game.rounds_of(table.card_set)
    logged = game.log_cards(table.card_set, seats)
    spots = dict(stamp_columns(game, logged))
    own = _own(stamps.reshape(-1, seats, seats, rounds, stamps.shape[1]), seats)
    return np.array([_uses(one.each[card_set], game, logged, spots, own) for one in made.asked], np.int64)


def _uses(one: Intervention, game: Game, logged: Sequence[LoggedCard], spots: dict[str, int], own: Array) -> int:
    types = one.types or (one.type,)
    seen = np.zeros(own.shape[:2], bool)
    for card in logged:
        if card.type in types:
            for use in one.uses:
                seen |= _shows(card, use, game, spots, own).any(axis=2)
    return int(seen.sum())


def _shows(card: LoggedCard, use: str, game: Game, spots: dict[str, int], own: Array) -> Array:
    """Where stamps tell that a card was used: a tally, a fate or a gain (`stamp_columns`)."""
    if card.tallied:
        return np.asarray(own[..., spots[tally_column(card.id, use)]] > 0)
    stamps = own[..., spots[card.id]]
    if use in game.fates:
        return np.asarray(stamps >> 4 & 3 == game.fates.index(use) + 1)
    return np.asarray(stamps >> 6 == game.gains.index(use) + 1)
