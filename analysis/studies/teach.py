"""Teach the trained bot a card set by search, and measure what came of it on deals that it has not seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.studies.train import GAMES as GAMES
from analysis.studies.train import KNOWN, Strength, strengths_of, weights_place
from simcore import bots as bot_registry
from simcore import game as game_registry
from simcore import request, weights
from simcore.places import on_disk
from simcore.request import Cards
from simcore.weights import Weights
from strategies import course
from strategies.course import Course, Progress, Settings
from strategies.trained import UNTAUGHT

OPPONENTS = ("simple", "expert")
"""Tiers whose first bots the result is measured against."""


@dataclass(frozen=True)
class Teaching:
    """A taught bot: the course, how strong it is, and the content of its weights file."""

    course: Course
    strengths: tuple[Strength, ...]
    file: Weights

    @property
    def sentences(self) -> tuple[str, ...]:
        """The result in plain sentences."""
        return (self._learned, *(strength.sentence for strength in self.strengths))

    @property
    def _learned(self) -> str:
        taught, doubt = self.course.taught, self.course.doubt
        begin = f"Taught by {taught.lessons:,} lessons. "
        if doubt == UNTAUGHT:
            return f"{begin}The net made the bot no stronger, so it plays as its expert. More lessons may help."
        gain = taught.gains[doubt]
        return (
            f"{begin}An option is taken from {doubt:g} points ahead of the expert's choice. On deals kept apart that "
            f"is in {gain.changed:.1%} of decisions, and brings {gain.points:+.3f} points a decision (standard error "
            f"{gain.error:.3f}). Measured on deals that it has not seen:"
        )


def plan(
    game: str,
    bot: str = "trained",
    seats: int | Sequence[int] | None = None,
    cards: Cards | None = None,
    lessons: int = course.LESSONS,
    expert: str | None = None,
    seed: int = 0,
) -> Settings:
    """The settings of `study`. Raises InputError for anything that the game does not know or allow."""
    declared = game_registry.get(game)
    for name in (bot, *([] if expert is None else [expert])):
        bot_registry.admit(declared.name, name)
    if seats is None:
        numbers = declared.seats
    else:
        numbers = (request.seats_of(declared, seats),) if isinstance(seats, int) else tuple(seats)
    settings = Settings(declared.name, bot, request.load_cards(game, cards), numbers, lessons, expert, seed)
    course.check(settings)
    return settings


def study(
    game: str,
    bot: str = "trained",
    seats: int | Sequence[int] | None = None,
    cards: Cards | None = None,
    lessons: int = course.LESSONS,
    expert: str | None = None,
    minutes: float | None = None,
    games: int = GAMES,
    seed: int = 0,
    out: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Teaching:
    """Teach the trained bot a card set, and measure what came of it.

    The bot's expert plays itself, search tries all options of some of its decisions until there are so many `lessons`
    (or the `minutes` are up), and a net is taught by them when to leave the expert's choice. `seats` is a number of
    seats or several (all that the game allows by default), for which one set of weights is then made. The expert has
    its weights in the bot, or those of the bot `expert` (a weights file of one that was fitted). After that the bot
    plays `games` against the game's first simple bot and expert, and against its start. Into `out` goes the weights
    file; the lessons lie beside it, from which a course that was stopped goes on (`resume`).

    Raises InputError for anything that the game does not know or allow and as `strategies.course.take` does.
    """
    return result(plan(game, bot, seats, cards, lessons, expert, seed), minutes, games, out, resume, threads, progress)


def result(
    settings: Settings,
    minutes: float | None = None,
    games: int = GAMES,
    out: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Teaching:
    """`study` of settings that are made."""
    path = None if out is None else on_disk(out, "a weights file")
    folder = None if path is None else course.folder_of(weights_place(path, resume))
    taken = course.take(settings, minutes, folder, resume, threads, progress)
    first = {one.tier: one.name for one in reversed(bot_registry.available(settings.game)) if one.cost == "cheap"}
    named = [(first[tier], KNOWN) for tier in OPPONENTS if tier in first]
    strengths = tuple(strengths_of(settings, taken.weights, taken.start, named, games, threads))
    teaching = Teaching(taken, strengths, _file(taken, strengths))
    if path is not None:
        weights.write(path, teaching.file)
    return teaching


def _file(taken: Course, strengths: Sequence[Strength]) -> Weights:
    """The weights file of a course, with where its numbers come from."""
    settings = taken.settings
    bot = bot_registry.get(settings.game, settings.bot)
    fitted = {key: value for key, value in settings.entries().items() if key not in ("format", "game")} | {
        "learned_from": taken.taught.lessons,
        "measured": [strength.to_dict() for strength in strengths],
    }
    values = {name: float(value) for name, value in zip(bot.parameter_names, taken.weights, strict=True)}
    return Weights(settings.game, "trained", values, {}, fitted)
