"""What a run plays, as plain data: the plan, and the shards that it is cut into.

A deal is one realisation of all chance. A block is one deal under all rotations of a line-up: n games for n seats.
Every line-up of a plan plays the same deals, 0 to blocks - 1, so line-ups can be compared deal by deal.

A shard is a range of blocks of one line-up, the unit of work and of the log. The cut depends on the plan alone, never
on threads or executors; this is why the same plan gives the same tables however it is played.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

from simcore.cardset import CardSet
from simcore.errors import InputError

PlanPart = tuple[int, int]  # (2, 5): the second of five ranges of deals, that several machines may play one plan
LogLevel = Literal["games", "cards", "moves"]
Cost = Literal["cheap", "dear"]  # the costs of simcore.bots

MOST_SEATS = 16  # the winners of a game are a mask of 16 bits in the log
MOST_BOTS = 2**8  # and these three are how wide the numbers of bots, line-ups and games are there
MOST_LINE_UPS = 2**16
MOST_GAMES = 2**32
SEEDS = 2**64

# Games in a shard, so that it lasts 0.1 to 1 s on one core: with bots of some 10 microseconds a game, with search bots.
GAMES_PER_SHARD: dict[Cost, int] = {"cheap": 16384, "dear": 32}
# A small run is cut finer, so that all threads have work and progress shows, until the files' overhead would tell.
FEWEST_SHARDS = 8
FINEST_CUT = 64


class Cut(NamedTuple):
    """How line-ups of equally many blocks are cut into shards, numbered from 0, line-up by line-up."""

    line_ups: int
    blocks: int
    blocks_per_shard: int

    @property
    def shards_per_line_up(self) -> int:
        """The number of shards of each line-up; the last one may be short."""
        return -(-self.blocks // self.blocks_per_shard)

    @property
    def shards(self) -> int:
        """The number of shards of the run."""
        return self.line_ups * self.shards_per_line_up

    def blocks_of(self, shard: int) -> tuple[int, int, int]:
        """The line-up of a shard (index), its first block, and the block after its last."""
        line_up, part = divmod(shard, self.shards_per_line_up)
        first = part * self.blocks_per_shard
        return line_up, first, min(first + self.blocks_per_shard, self.blocks)

    def first_shards(self, blocks: int) -> tuple[int, ...]:
        """The numbers of the shards that hold the first so many blocks of each line-up."""
        parts = self.parts(blocks)
        return tuple(u * self.shards_per_line_up + part for u in range(self.line_ups) for part in range(parts))

    def parts(self, blocks: int) -> int:
        """The number of shards that hold the first so many blocks of a line-up."""
        return min(self.shards_per_line_up, -(-blocks // self.blocks_per_shard))

    def shards_of_part(self, part: PlanPart) -> frozenset[int]:
        """The numbers of the shards in a part of the plan: one of so many ranges of deals, the same for all line-ups.

        Raises InputError where there is no such part, or a range would hold no shard.
        """
        number, parts = part
        each = self.shards_per_line_up
        if not 1 <= number <= parts:
            raise InputError(f"there is no part {number} of {parts}: parts are numbered from 1 to {max(parts, 1)}.")
        if parts > each:
            raise InputError(
                f"this plan cannot be played in {parts} parts: its deals are cut into {each} shard{'s'[: each > 1]}. "
                f"Choose at most {each} parts, or more games."
            )
        ranged = range((number - 1) * each // parts, number * each // parts)
        return frozenset(u * each + place for u in range(self.line_ups) for place in ranged)


def plan_problems(
    seats: int,
    bots: Sequence[str],
    line_ups: Sequence[tuple[int, ...]],
    games_per_line_up: int,
    blocks_per_shard: int,
    seed: int,
    log: str,
) -> list[str]:
    """What is wrong with the numbers and names of a plan, a phrase each; the arguments are the fields of `Plan`."""
    levels = get_args(LogLevel)
    places = {place for line_up in line_ups for place in line_up}
    games = len(line_ups) * games_per_line_up
    checks = [
        (f"seats must be from 1 to {MOST_SEATS}, not {seats}", not 1 <= seats <= MOST_SEATS),
        (f"there must be from 1 to {MOST_BOTS} bots, not {len(bots)}", not 1 <= len(bots) <= MOST_BOTS),
        ("a bot is named twice", len(set(bots)) < len(bots)),
        ("the name of a bot cannot be printed", not all(name.isprintable() for name in bots)),
        (
            f"there must be from 1 to {MOST_LINE_UPS} line-ups, not {len(line_ups)}",
            not 1 <= len(line_ups) <= MOST_LINE_UPS,
        ),
        ("a line-up is listed twice", len(set(line_ups)) < len(line_ups)),
        (f"each line-up needs {seats} places, one for each seat", any(len(line_up) != seats for line_up in line_ups)),
        ("a line-up names a bot that is not in the list", any(not 0 <= place < len(bots) for place in places)),
        (
            f"games per line-up must be a multiple of the {seats} seats, not {games_per_line_up}",
            games_per_line_up < 1 or games_per_line_up % max(seats, 1) != 0,
        ),
        (f"a run holds at most {MOST_GAMES:,} games, not {games:,}", games > MOST_GAMES),
        (f"a shard needs at least one block, not {blocks_per_shard}", blocks_per_shard < 1),
        (f"the seed must be from 0 to 2**64 - 1, not {seed}", not 0 <= seed < SEEDS),
        (f"the log must be one of {', '.join(levels)}, not {log}", log not in levels),
    ]
    return [problem for problem, found in checks if found]


@dataclass(frozen=True)
class Plan:
    """Everything that decides what is played and logged: two equal plans give equal tables, row for row.

    `line_ups` are tuples of indices into `bots`, one for each place. In rotation r, seat s is played by place
    (s + r) % seats. `games_per_line_up` is a multiple of `seats`. `make_plan` chooses `blocks_per_shard`.
    Raises InputError, with all that is wrong, for a plan that cannot be.
    """

    game: str
    card_set: CardSet
    seats: int
    bots: tuple[str, ...]
    line_ups: tuple[tuple[int, ...], ...]
    games_per_line_up: int
    blocks_per_shard: int
    seed: int = 0
    log: LogLevel = "cards"

    def __post_init__(self) -> None:
        problems = plan_problems(
            self.seats, self.bots, self.line_ups, self.games_per_line_up, self.blocks_per_shard, self.seed, self.log
        )
        if problems:
            raise InputError("this plan cannot be played: " + "; ".join(problems) + ".")

    @property
    def games(self) -> int:
        """The number of games of the whole run."""
        return len(self.line_ups) * self.games_per_line_up

    @property
    def blocks(self) -> int:
        """The number of blocks of each line-up, which is the number of deals."""
        return self.games_per_line_up // self.seats

    @property
    def cut(self) -> Cut:
        """How the plan is cut into shards."""
        return Cut(len(self.line_ups), self.blocks, self.blocks_per_shard)

    def shard(self, number: int) -> "Shard":
        """The shard with this number, from 0 to cut.shards - 1."""
        return Shard(self, number, *self.cut.blocks_of(number))

    def shards(self) -> tuple["Shard", ...]:
        """All shards in the order of their number, which is the order of the games."""
        return tuple(self.shard(number) for number in range(self.cut.shards))

    def locate(self, game: int) -> tuple[int, int, int]:
        """The line-up (index), the deal and the rotation of a game of the run. Raises InputError for no such game."""
        if not 0 <= game < self.games:
            raise InputError(f"this run has no game {game}: its games are numbered from 0 to {self.games - 1}.")
        line_up, rest = divmod(game, self.games_per_line_up)
        deal, rotation = divmod(rest, self.seats)
        return line_up, deal, rotation

    def entries(self) -> dict[str, Any]:
        """The plan as plain JSON data, the card set by the hash of its content."""
        return {
            "game": self.game,
            "card_set": self.card_set.hash,
            "seats": self.seats,
            "bots": list(self.bots),
            "line_ups": [list(line_up) for line_up in self.line_ups],
            "games_per_line_up": self.games_per_line_up,
            "blocks_per_shard": self.blocks_per_shard,
            "seed": self.seed,
            "log": self.log,
        }

    @cached_property
    def hash(self) -> str:
        """SHA-256 (hex) over `entries`: equal for equal plans."""
        return hashlib.sha256(json.dumps(self.entries(), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Shard:
    """The blocks first to last - 1 of one line-up (index) of a plan. Plain data, to be sent to a worker."""

    plan: Plan
    number: int
    line_up: int
    first: int
    last: int

    @property
    def games(self) -> int:
        """The number of games in the shard."""
        return (self.last - self.first) * self.plan.seats

    @property
    def first_game(self) -> int:
        """The number in the run of the shard's first game; the others follow without a gap."""
        return self.line_up * self.plan.games_per_line_up + self.first * self.plan.seats

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots in the line-up, one for each place."""
        return tuple(self.plan.bots[place] for place in self.plan.line_ups[self.line_up])

    def __str__(self) -> str:
        deals = f"deals {self.first} to {self.last - 1}"
        return f"shard {self.number} ({', '.join(self.names)}; {deals}; seed {self.plan.seed})"


def make_plan(
    game: str,
    card_set: CardSet,
    seats: int,
    bots: tuple[str, ...],
    line_ups: tuple[tuple[int, ...], ...],
    games: int,
    seed: int = 0,
    log: LogLevel = "cards",
    cost: Cost = "cheap",
) -> Plan:
    """A plan of at least `games` games per line-up (rounded up to whole blocks); `cost` is that of its dearest bot.

    Raises InputError for a plan that cannot be.
    """
    if games < 1:
        raise InputError(f"the number of games must be at least 1, not {games}.")
    blocks = -(-games // max(seats, 1))
    size = blocks_per_shard(seats, len(line_ups) * blocks, cost)
    return Plan(game, card_set, seats, bots, line_ups, blocks * seats, size, seed, log)


def blocks_per_shard(seats: int, blocks: int, cost: Cost = "cheap") -> int:
    """The size of a shard for a run of so many blocks in all line-ups together."""
    usual = max(1, GAMES_PER_SHARD[cost] // max(seats, 1))
    finest = max(1, usual // FINEST_CUT)
    return min(usual, max(finest, -(-blocks // FEWEST_SHARDS)))
