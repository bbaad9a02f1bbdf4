"""A course for the trained bot: lessons are taken in games of its expert, its net is taught by them, and in games
against that expert it is found out how far ahead an option must be to be taken.

(A second round, in which what the first one taught plays the games, made bots of Lost Cities no stronger.) The same
settings give the same weights, whatever the number of threads and however often a course is stopped: the lessons lie in
a folder, in parts.
"""

import json
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from simcore import bots as bot_registry
from simcore import game as games
from simcore import strict_json
from simcore.bots import Bot
from simcore.cardset import CardSet
from simcore.errors import InputError, shown
from simcore.files import folder_lock, read_bytes, refusals, write_file
from simcore.manifest import MOST_BYTES, version
from strategies.court import Court, Match, Vector, play_all, seed_of
from strategies.lessons import Lessons, School
from strategies.teaching import DOUBTS, STEPS, Taught, teach
from strategies.train import rounded, workers
from strategies.trained import DOUBT, UNTAUGHT, trained

FORMAT = "fairdeal-course/1"
FOLDER = ".lessons"  # the lessons lie beside the weights file, in a folder with this added to its name
SETTINGS = "settings.json"

LESSONS = 60_000
CHOICE = 1000  # deals for each number of seats, by which it is chosen how far ahead an option must be
EXPERT = "expert"  # whose policy the trained bot corrects
PART = 16  # deals in a file of lessons


@dataclass(frozen=True)
class Settings:
    """Everything that decides what a course makes of a bot, unless the clock ends it.

    `seats` are numbers of seats: the weights are for tables of all these sizes, and each has its share of the
    `lessons`. The weights of the expert in the bot are left as they are, or are those of the bot `expert`, which has
    the same policy.
    """

    game: str
    bot: str
    card_set: CardSet
    seats: tuple[int, ...]
    lessons: int = LESSONS
    expert: str | None = None
    seed: int = 0

    def entries(self) -> dict[str, Any]:
        """The settings as plain data, card set and bots with a hash of their content."""
        expert = None if self.expert is None else bot_registry.get(self.game, self.expert)
        return {
            "format": FORMAT,
            "version": version(),
            "game": self.game,
            "bot": self.bot,
            "bot_hash": bot_registry.get(self.game, self.bot).hash,
            "expert": "" if expert is None else expert.name,
            "expert_hash": "" if expert is None else expert.hash,
            "card_set": self.card_set.name,
            "card_set_hash": self.card_set.hash,
            "seats": list(self.seats),
            "lessons": self.lessons,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Progress:
    """How far a course is: there are so many `lessons` after `seconds` of this call, in which `rate` are taken a
    second; then so many `steps` of at most `most_steps` of the teaching are done.
    """

    lessons: int
    of: int
    steps: int
    seconds: float
    rate: float

    @property
    def most_steps(self) -> int:
        """Steps of the teaching."""
        return STEPS


@dataclass(frozen=True)
class Course:
    """The result: `weights` and `start` (rounded as in a file), how far ahead an option must be (`doubt`, in points;
    UNTAUGHT where the net made the bot no stronger), and what was taught.
    """

    settings: Settings
    weights: Vector
    start: Vector
    doubt: float
    taught: Taught


def check(settings: Settings) -> Bot:
    """The bot that is taught. Raises InputError for settings that cannot be."""
    game = games.get(settings.game)
    bot = bot_registry.get(game.name, settings.bot)
    if bot.policy is not trained:
        raise InputError(
            f"bot {bot.name} has no net that could be taught: trained has one, and a weights file of it. "
            f"The weights of other bots are fitted by fairdeal train."
        )
    if settings.expert is not None:
        expert = bot_registry.get(game.name, settings.expert)
        if expert.policy is not bot_registry.get(game.name, EXPERT).policy:
            raise InputError(
                f"bot {expert.name} is no {EXPERT} with other weights, so it cannot be the one that is taught."
            )
    if not set(settings.seats) <= set(game.seats):
        wrong, allowed = (", ".join(map(str, sorted(some))) for some in (set(settings.seats), game.seats))
        raise InputError(f"{game.title} cannot be played with {wrong} seats. Allowed: {allowed}.")
    return bot


def folder_of(weights: Path) -> Path:
    """Where the lessons lie of the course that writes this weights file."""
    return weights.with_name(weights.name + FOLDER)


def take(
    settings: Settings,
    minutes: float | None = None,
    folder: Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Course:
    """Take a course.

    With `minutes` the lessons of each number of seats end with its share of that time. The lessons are kept in
    `folder`, where there is one, and a course that was stopped goes on from them (`resume`). Raises InputError for
    settings that cannot be, for a folder of another course, and for damaged lessons.
    """
    bot = check(settings)
    if folder is not None:
        _open(folder, settings, resume)
    with nullcontext() if folder is None else folder_lock(folder), workers(threads) as pool:
        try:
            return _take(pool, bot, settings, minutes, folder, progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _open(folder: Path, settings: Settings, resume: bool) -> None:
    """Make the folder, or see that it is of this course."""
    path = folder / SETTINGS
    if not path.exists():
        with refusals(folder):
            folder.mkdir(parents=True, exist_ok=True)
        write_file(path, (json.dumps(settings.entries(), indent=1) + "\n").encode())
        return
    if not resume:
        raise InputError(f"{folder} is there already: the lessons of another course. Go on (--resume), or remove it.")
    try:
        kept = strict_json.loads(read_bytes(path, MOST_BYTES))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is damaged ({error}). Remove {folder} to begin anew.") from error
    for key, want in settings.entries().items():
        have = kept.get(key) if isinstance(kept, dict) else None
        if have != want:
            raise InputError(f"{folder} is of another course: its {key} is {shown(have)}, not {want!r}.")


def _take(
    pool: Executor,
    bot: Bot,
    settings: Settings,
    minutes: float | None,
    folder: Path | None,
    progress: Callable[[Progress], None],
) -> Course:
    seats = settings.seats[0]
    start = np.array(bot.weights_for(seats), np.float64)
    parameters = bot.parameters.index("doubt")  # of the expert, which come first
    before = start.copy()
    if settings.expert is not None:
        before[:parameters] = bot_registry.get(settings.game, settings.expert).weights_for(seats)
    before[parameters + DOUBT] = UNTAUGHT
    gathering = _Gathering(settings, _with(bot, before), minutes, folder, progress)
    lessons = gathering.all_seats(pool)
    kinds = len(games.get(settings.game).decisions)
    taught = teach(pool, lessons, kinds, seed_of("net", settings.seed) >> 1, gathering.show)
    weights = rounded(np.concatenate([before[:parameters], [UNTAUGHT, taught.reach], taught.net]))
    weights[parameters + DOUBT] = doubt = _doubt(pool, settings, weights, parameters)
    return Course(settings, weights, rounded(start), doubt, taught)


def _doubt(pool: Executor, settings: Settings, weights: Vector, parameters: int) -> float:
    """The one of DOUBTS with which the bot has the best margin over its expert, on deals of their own; UNTAUGHT where
    none is above 0.
    """
    rows = [weights.copy() for _ in DOUBTS]
    for row, doubt in zip(rows, DOUBTS, strict=True):
        row[parameters + DOUBT] = doubt
    seed = seed_of("choose", settings.seed)
    courts = [Court(settings.game, settings.bot, settings.card_set, seats, seed) for seats in settings.seats]
    for court in courts:
        court.warm_up([weights])
    outcomes = play_all(pool, [Match(court, row, weights, 0, CHOICE) for row in rows for court in courts])
    margins = np.array([outcome.margin.mean() for outcome in outcomes]).reshape(len(rows), len(courts)).mean(axis=1)
    best = int(margins.argmax())
    return DOUBTS[best] if margins[best] > 0 else UNTAUGHT


def _with(bot: Bot, weights: Vector) -> Bot:
    """The bot with these weights at every table."""
    return replace(bot, weights=tuple(float(weight) for weight in weights), seat_weights={})


@dataclass
class _Gathering:
    """The lessons of a course."""

    settings: Settings
    bot: Bot
    minutes: float | None
    folder: Path | None
    progress: Callable[[Progress], None]
    begin: float = field(default_factory=time.perf_counter)
    lessons: int = 0
    new: int = 0
    play_seconds: float = 0.0

    def all_seats(self, pool: Executor) -> Lessons:
        """Of every number of seats its share."""
        return Lessons.joined([self._of(pool, seats, place) for place, seats in enumerate(self.settings.seats)])

    def _of(self, pool: Executor, seats: int, place: int) -> Lessons:
        settings, parts = self.settings, list[Lessons]()
        share = -(-settings.lessons // len(settings.seats))
        seed = seed_of(f"lessons at {seats} seats", settings.seed)
        school = School(self.bot, settings.card_set, seats, seed)
        while sum(len(part.count) for part in parts) < share and not (parts and self._is_late(place)):
            part = self._part(pool, school, len(parts))
            parts.append(part)
            self.lessons += len(part.count)
            self.show()
        return Lessons.joined(parts)

    def _is_late(self, place: int) -> bool:
        """Whether the share of the time is over that this number of seats has."""
        if self.minutes is None:
            return False
        seconds = 60 * self.minutes * (place + 1) / len(self.settings.seats)
        return time.perf_counter() - self.begin > seconds

    def _part(self, pool: Executor, school: School, number: int) -> Lessons:
        path = None
        if self.folder is not None:
            path = self.folder / f"seats-{school.seats}-part-{number:05}.npz"
            if path.exists():
                return Lessons.read(path, games.get(self.settings.game))
        begin = time.perf_counter()
        part = school.deals(pool, number * PART, (number + 1) * PART)
        self.play_seconds += time.perf_counter() - begin
        self.new += len(part.count)
        # A deal of one number of seats must not be taken for one of another, where some are kept apart.
        part = replace(part, deal=part.deal * 16 + school.seats)
        if path is not None:
            write_file(path, part.encode())
        return part

    def show(self, steps: int = 0) -> None:
        """Say how far the course is."""
        rate = self.new / self.play_seconds if self.play_seconds else 0.0
        seconds = time.perf_counter() - self.begin
        self.progress(Progress(self.lessons, self.settings.lessons, steps, seconds, rate))
