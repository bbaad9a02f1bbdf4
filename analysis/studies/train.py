"""Fit a bot's weights and measure what came of it, on deals that the fit has not seen, against an opponent that it has
not met.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis import stats
from analysis.stats import Estimate
from simcore import bots as bot_registry
from simcore import game as game_registry
from simcore import request, weights
from simcore.bots import Bot
from simcore.errors import InputError
from simcore.places import on_disk
from simcore.request import Cards, Names
from simcore.weights import Weights
from strategies import course, train
from strategies.court import Court, Goal, Match, Opponent, Outcome, Vector, play_all, seed_of
from strategies.train import Fit, Progress, Settings

GAMES = 10_000
"""Games against each opponent by which a result is measured."""
LEAGUE = ("simple", "expert", "trained")
"""Tiers of which the first bots are opponents where none are named, from weak to strong."""

IN_LEAGUE, HELD_OUT, KNOWN, START = "league", "held out", "known", "start"


@dataclass(frozen=True)
class Strength:
    """How strong the fitted bot is at one number of seats, alone in a field of an opponent, in every seat.

    `role`: the opponent was in the league of the fit, held out, known to it in another way, or is the bot's start.
    `margin` in points, `wins` a win share; `gain` is how much the margin is above that of the start, on the same deals.
    """

    opponent: str
    role: str
    seats: int
    margin: Estimate
    wins: Estimate
    gain: Estimate

    @property
    def sentence(self) -> str:
        """What a person reads."""
        fair = f"a fair share is {1 / self.seats:.1%}"
        margin = (
            f"{self.margin.value:+.2f} points a game (95 % interval {self.margin.low:+.2f} to {self.margin.high:+.2f})"
        )
        wins = f"wins {self.wins.value:.1%} ({self.wins.low:.1%} to {self.wins.high:.1%}; {fair})"
        text = f"{self._who}: {margin}, {wins}; {self.margin.games:,} games"
        if self.role == START:
            return f"{text}."
        gain = f"{self.gain.value:+.2f} points (95 % interval {self.gain.low:+.2f} to {self.gain.high:+.2f})"
        return f"{text}. The fit brought {gain}."

    @property
    def _who(self) -> str:
        if self.role == START:
            return f"Over its start at {self.seats} seats"
        met = {HELD_OUT: ", which the fit never met,", IN_LEAGUE: ", of the league,"}.get(self.role, "")
        return f"Over {self.opponent}{met} at {self.seats} seats"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for a weights file."""
        return {
            "opponent": self.opponent,
            "role": self.role,
            "seats": self.seats,
            "games": self.margin.games,
            **_numbers("margin", self.margin),
            **_numbers("wins", self.wins),
            **_numbers("gain", self.gain),
        }


def _numbers(name: str, estimate: Estimate) -> dict[str, float]:
    found = {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
    return {key: round(value, 4) for key, value in found.items() if math.isfinite(value)}


@dataclass(frozen=True)
class Training:
    """A fitted bot: what the fit found, how strong it is, and the content of its weights file."""

    fit: Fit
    held_out: str | None
    strengths: tuple[Strength, ...]
    file: Weights

    @property
    def sentences(self) -> tuple[str, ...]:
        """The result in plain sentences."""
        return (self._ended, *(strength.sentence for strength in self.strengths), *self._warnings)

    @property
    def _ended(self) -> str:
        fit = self.fit
        why = "The time was up after" if fit.out_of_time else "Played"
        if fit.chosen == 0:
            taken = "None of its states is better than the start, which is kept"
        elif fit.chosen == fit.generations:
            taken = "The last state is taken"
        else:
            taken = f"The state after generation {fit.chosen} is taken, the best of the last ones"
        return f"{why} {fit.generations} generations. {taken}. Measured on deals that the fit has not seen:"

    @property
    def _warnings(self) -> tuple[str, ...]:
        if self.held_out is None:
            return ("No opponent was held out, so whether the fit holds beyond its league is not known.",)
        return tuple(
            f"The fit gained on its league but not on {strength.opponent} at {strength.seats} seats: it may have "
            "learned its league by heart."
            for strength in self.strengths
            if strength.role == HELD_OUT
            and strength.gain.high < 0
            and any(one.gain.low > 0 for one in self.strengths if one.role == IN_LEAGUE and one.seats == strength.seats)
        )


@dataclass(frozen=True)
class TrainingPlan:
    """What a training plays: the settings of the fit, who is held out, and the games by which each is measured."""

    settings: Settings
    held_out: str | None
    games: int


def plan(
    game: str,
    bot: str = "linear",
    seats: int | Sequence[int] | None = None,
    cards: Cards | None = None,
    against: Names | None = None,
    held_out: str | None = None,
    goal: Goal = "points",
    imitate: str | None = None,
    population: int = train.POPULATION,
    deals: int = train.DEALS,
    step: float = train.STEP,
    games: int = GAMES,
    seed: int = 0,
) -> TrainingPlan:
    """The plan of `study`. Raises InputError for anything that the game does not know or allow."""
    declared = game_registry.get(game)
    fitted = bot_registry.admit(declared.name, bot)
    numbers = (request.seats_of(declared, seats),) if seats is None or isinstance(seats, int) else tuple(seats)
    league, apart = _opponents(declared.name, fitted, against, held_out)
    if imitate is not None:
        bot_registry.admit(declared.name, imitate)
    settings = Settings(
        game=declared.name,
        bot=bot,
        card_set=request.load_cards(game, cards),
        seats=numbers,
        against=league,
        imitate=imitate,
        goal=goal,
        population=population,
        deals=deals,
        step=step,
        seed=seed,
    )
    train.check(settings)
    return TrainingPlan(settings, apart, games)


def _opponents(game: str, bot: Bot, against: Names | None, held_out: str | None) -> tuple[tuple[str, ...], str | None]:
    """The named bots of the league, and the one that is held out (None where there is nobody left).

    By default they are the first bots of the tiers LEAGUE without the fitted one, the weakest held out: strong
    opponents teach more, and how a bot fares against one of another kind shows whether it learned them by heart.
    """
    league = None if against is None else tuple(dict.fromkeys(request.split_names(against)))
    for name in (*(league or ()), *([held_out] if held_out else [])):
        bot_registry.admit(game, name)
    if held_out and held_out in (league or ()):
        raise InputError(f"{held_out} cannot be in the league and held out. Name another bot for one of the two.")
    first = {one.tier: one for one in reversed(bot_registry.available(game)) if one.cost == "cheap"}
    known = [first[tier].name for tier in LEAGUE if tier in first and first[tier].policy is not bot.policy]
    if league is None:
        others = [name for name in known if name != held_out]
        if held_out is None and len(others) > 1:
            held_out = others.pop(0)
        return tuple(others), held_out
    left = [name for name in known if name not in league]
    return league, held_out or (left[0] if left else None)


def study(
    game: str,
    bot: str = "linear",
    seats: int | Sequence[int] | None = None,
    cards: Cards | None = None,
    against: Names | None = None,
    held_out: str | None = None,
    goal: Goal = "points",
    imitate: str | None = None,
    generations: int | None = train.GENERATIONS,
    minutes: float | None = None,
    population: int = train.POPULATION,
    deals: int = train.DEALS,
    step: float = train.STEP,
    games: int = GAMES,
    seed: int = 0,
    out: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Training:
    """Fit the weights of `bot` to a card set by self-play in a league, and measure what came of it.

    The league: the bots `against` (by default the first `simple`, `expert` and `trained` ones but the weakest), earlier
    states of the fit, and its start. `held_out` never plays in it; against it the result is measured besides. `seats`
    is a number of seats or several, which one set of weights is then fitted for. The fit starts from the bot's own
    weights, or from those that explain the choices of the bot `imitate` best. It raises the margin, or with the `goal`
    "wins" the share of wins. It ends after so many `generations`, or at the end of the last one that fits into so many
    `minutes`; then `games` are played against each opponent to measure it. Into `out` goes the weights file, which can
    be named where a bot is named; beside it is a log, with which a fit that was stopped goes on (`resume`).

    Raises InputError for anything that the game does not know or allow and as `strategies.train.fit` does.
    """
    made = plan(game, bot, seats, cards, against, held_out, goal, imitate, population, deals, step, games, seed)
    return result(made, generations, minutes, out, resume, threads, progress)


def result(
    made: TrainingPlan,
    generations: int | None = train.GENERATIONS,
    minutes: float | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Training:
    """`study` of a plan that is made."""
    path = None if out is None else on_disk(out, "a weights file")
    log = None if path is None else log_of(path, resume)
    fit = train.fit(made.settings, generations, minutes, log, resume, threads, progress)
    named = [(name, IN_LEAGUE) for name in made.settings.against]
    named += [(made.held_out, HELD_OUT)] if made.held_out else []
    strengths = tuple(strengths_of(made.settings, fit.weights, fit.start, named, made.games, threads))
    plain = file_of(fit)
    measured = {"held_out": made.held_out or "", "measured": [strength.to_dict() for strength in strengths]}
    training = Training(fit, made.held_out, strengths, replace(plain, fitted={**plain.fitted, **measured}))
    if path is not None:
        weights.write(path, training.file)
    return training


def log_of(path: Path, resume: bool) -> Path:
    """The place of the log of the fit that writes a weights file; raises InputError as `weights_place` does."""
    return train.log_path(weights_place(path, resume))


def weights_place(path: Path, resume: bool) -> Path:
    """The path itself, where a weights file can be written; its folder is made.

    Raises InputError where the weights file is there or cannot be.
    """
    if path.suffix != weights.SUFFIX:
        raise InputError(f"the name of a weights file ends with {weights.SUFFIX}, as in weights.toml; not {path}.")
    if path.exists() and not resume:
        raise InputError(f"{path} is there already. Choose another name, or remove it.")
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a weights file.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}. Choose another folder.") from error
    return path


# --- Measuring -------------------------------------------------------------------------------------------------------


def _mean(values: Vector, seats: int, unit: str) -> Estimate:
    """The mean of a value of each block."""
    value, se = stats.block_means(values[:, None])
    return Estimate(value, *stats.normal_interval(value, se), len(values), seats * len(values), unit, se)


def _share(values: Vector, seats: int) -> Estimate:
    """The mean of a share of each block."""
    value, se = stats.block_means(values[:, None])
    low, high = stats.share_interval(value, se, len(values))
    return Estimate(value, low, high, len(values), seats * len(values), "share", se)


def strengths_of(
    settings: Settings | course.Settings,
    weights: Vector,
    start: Vector,
    named: Sequence[tuple[str, str]],
    games: int,
    threads: int | None,
) -> list[Strength]:
    """How strong a bot is with these weights against each named bot (name, role) and its start, at each number of
    seats of the fit, in so many games; the start plays the same deals.
    """
    found = []
    for seats in settings.seats:
        blocks = -(-games // seats)
        opponents: list[Opponent] = [name for name, _ in named]
        court = Court(settings.game, settings.bot, settings.card_set, seats, seed_of("measure", settings.seed))
        court.warm_up([*opponents, start])
        matches = [Match(court, weights, who, 0, blocks) for who in [*opponents, start]]
        matches += [Match(court, start, who, 0, blocks) for who in [*opponents, start]]
        with train.workers(threads) as pool:
            outcomes = play_all(pool, matches)
        half = len(matches) // 2
        for (name, role), mine, before in zip([*named, ("", START)], outcomes[:half], outcomes[half:], strict=True):
            found.append(_strength(name or settings.bot, role, seats, mine, before))
    return found


def _strength(name: str, role: str, seats: int, mine: Outcome, before: Outcome) -> Strength:
    gain = _mean(mine.margin - before.margin, seats, "points")
    return Strength(name, role, seats, _mean(mine.margin, seats, "points"), _share(mine.wins, seats), gain)


def file_of(fit: Fit) -> Weights:
    """The weights file of a fit, with where its numbers come from."""
    settings = fit.settings
    bot = bot_registry.get(settings.game, settings.bot)
    policy = weights.read(settings.bot).bot if settings.bot.endswith(weights.SUFFIX) else settings.bot
    entries = settings.entries()
    kept = ("version", "goal", "against", "earlier", "population", "deals", "step", "seed")
    fitted = {key: entries[key] for key in kept} | {
        "card_set": settings.card_set.name,
        "card_set_hash": settings.card_set.hash,
        "seats": list(settings.seats),
        "start": f"imitation of {settings.imitate}" if settings.imitate else settings.bot,
        "start_hash": bot.hash,
        "generations": fit.generations,
        "taken_after_generation": fit.chosen,
    }
    values = {name: float(value) for name, value in zip(bot.parameter_names, fit.weights, strict=True)}
    return Weights(settings.game, policy, values, {}, fitted)
