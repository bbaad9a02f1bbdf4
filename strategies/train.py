"""Fits a bot's weights by play: CMA-ES (Hansen 2016) on common deals, against a league.

A generation plays all its candidates on the same deals, in every seat, alone in a field of each opponent: the named
bots, and earlier states of the fit, its start among them. What is compared is the mean reward on the same deals. An
opponent counts the more the more even its games are: else all effort would go into humiliating the weak. The deals of a
generation are played in parts, and after each a candidate that is surely not among the better half is out:
the search asks for ranks only. Where luck hides the differences between the better ones, the next generation plays more
deals. In the end the best of the last states is taken, on deals of their own.

The same settings give the same weights, whatever the number of threads, and however often a fit is stopped: a log keeps
of each generation what the search was told, and to go on it is told so again.
"""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import cma
import numpy as np
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict  # pydantic asks for this one on Python 3.11

from simcore import batch, strict_json
from simcore import bots as bot_registry
from simcore import game as games
from simcore.bots import Bot
from simcore.cardset import CardSet
from simcore.errors import InputError, shown
from simcore.files import append_line, file_lock, read_bytes, write_file
from simcore.manifest import version
from strategies.court import Court, Goal, Match, Opponent, Reward, Vector, play_all, seed_of
from strategies.imitation import GLANCE, imitate, observe, sizes
from strategies.trained import trained

FORMAT = "fairdeal-fit/1"
MOST_BYTES = 1 << 28  # of a log
MOST_DEALS = 1 << 32
LOG = ".fit"  # the log of a fit is beside its weights file, with this added to the name

GENERATIONS = 60
POPULATION = 16
DEALS = 200  # a generation; they grow where luck hides the differences
STEP = 0.2
LEAST_STEP = 0.1  # of the mean effect of all weights

PARTS = (0.25, 0.5, 1.0)  # of a generation's deals; after each but the last the hopeless are out
SURE = 3.0  # standard errors by which a candidate is behind the last of the better half when it is out
CLEAR = 0.5  # the part of the differences between the better candidates that should not be luck
MORE, MOST = 1.25, 16.0  # the growth of the deals where it is less, and the most of them, in first generations' deals

EVERY = 5  # generations between two states that are kept
EARLIER = 3  # earlier states in the league
LAST = 4  # states that can be the result, besides the start
FEWEST = 1000  # deals by which the result is chosen
DIGITS = 4  # of a weight in a file
LEAST_WORTH = 0.05  # of an opponent in the league that never wins, or always; 1 where games are even


@dataclass(frozen=True)
class Settings:
    """Everything that decides what a fit finds, but for the number of its generations.

    `seats` are numbers of seats: the weights are fitted for tables of all these sizes. `against` are the named bots of
    the league; `earlier` says that states of the fit itself belong to it. The start are the bot's own weights, or with
    `imitate` those that explain that bot's choices best. `deals` a generation, `step` the first step as a share of each
    weight.
    """

    game: str
    bot: str
    card_set: CardSet
    seats: tuple[int, ...]
    against: tuple[str, ...]
    earlier: bool = True
    imitate: str | None = None
    goal: Goal = "points"
    population: int = POPULATION
    deals: int = DEALS
    step: float = STEP
    seed: int = 0

    def entries(self) -> dict[str, Any]:
        """The settings as plain data, card set and bots with a hash of their content."""
        named = [self.bot, *self.against, *([self.imitate] if self.imitate else [])]
        return {
            "format": FORMAT,
            "version": version(),
            "game": self.game,
            "bot": self.bot,
            "bots": {name: bot_registry.get(self.game, name).hash for name in named},
            "card_set": {"name": self.card_set.name, "hash": self.card_set.hash},
            "seats": list(self.seats),
            "against": list(self.against),
            "earlier": self.earlier,
            "imitate": self.imitate or "",
            "goal": self.goal,
            "population": self.population,
            "deals": self.deals,
            "step": self.step,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Progress:
    """How far a fit is: `generation` of its `generations` (None: until the time is up) are finished.

    `margins` are the mean margins of the better candidates of the last generation over each opponent. `games` have been
    played in this call, which began `seconds` ago; `seconds_left` is None before anything is known.
    """

    generation: int
    generations: int | None
    games: int
    seconds: float
    seconds_left: float | None
    step: float
    deals: int
    margins: dict[str, float]

    @property
    def rate(self) -> float:
        """Games per second in this call."""
        return self.games / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class Fit:
    """The result: `weights` (rounded as in a file), the state after `chosen` of `generations`; 0 is the start.

    `start` are the weights at the start. `out_of_time` says that not the number of generations but the clock ended it.
    `explained` is the share of decisions in which the start takes the imitated bot's option, NaN without.
    """

    settings: Settings
    weights: Vector
    start: Vector
    chosen: int
    generations: int
    out_of_time: bool
    explained: float


@dataclass
class Tally:
    """Games that were played, and since when."""

    games: int = 0
    begin: float = field(default_factory=time.perf_counter)
    generation_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.perf_counter() - self.begin


# --- The search ------------------------------------------------------------------------------------------------------


class Search:
    """CMA-ES from `start`, in steps that are proportional to each weight. Signs may change.

    `size` are those of what the weights weigh: a step is at least LEAST_STEP of the mean effect of all weights.
    """

    def __init__(self, start: Vector, size: Vector, settings: Settings) -> None:
        effects = np.abs(start) * size
        mean = effects.mean() or 1.0
        self.scale = np.maximum(effects, LEAST_STEP * mean) / size
        self.start = start
        noise = np.random.Generator(np.random.PCG64(seed_of("search", settings.seed)))
        options = {
            "popsize": settings.population,
            "seed": np.nan,  # the search takes its chances from us, so that nobody else's use of numpy changes them
            "randn": lambda *shape: noise.standard_normal(shape),
            "verbose": -9,
        }
        self._search = cma.CMAEvolutionStrategy(np.zeros(len(start)), settings.step, options)
        self._steps: list[Vector] = []
        self.generation = 0
        self.states = {0: start}  # that are kept, by the number of generations before

    def ask(self) -> list[Vector]:
        """The candidates of the next generation."""
        self._steps = self._search.ask()
        return [self.start + self.scale * step for step in self._steps]

    def tell(self, costs: Sequence[float]) -> None:
        """What they cost, the less the better; only the order counts."""
        self._search.tell(self._steps, list(costs))
        self.generation += 1
        if self.generation % EVERY == 0:
            self.states[self.generation] = self.mean

    @property
    def mean(self) -> Vector:
        """The middle of the next candidates: the state of the fit."""
        return np.asarray(self.start + self.scale * self._search.mean, np.float64)

    @property
    def step(self) -> float:
        """How wide candidates are spread, as a share of each weight (at the beginning the first step)."""
        return float(self._search.sigma)

    def earlier(self) -> list[int]:
        """The earlier states of the league: the start, one half-way, the latest that is kept."""
        kept = list(self.states)
        return sorted({kept[0], kept[len(kept) // 2], kept[-1]})[:EARLIER]

    @property
    def mark(self) -> str:
        """A short hash of the state."""
        return hashlib.sha256(self.mean.tobytes()).hexdigest()[:16]


# --- A generation ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Race:
    """What a generation found: `costs` for the search, and whether luck hid the order of the better candidates.

    `margins` and `wins` are the better candidates' mean margin and win share over each opponent, `games` how many were
    played.
    """

    costs: list[float]
    clear: bool
    margins: dict[str, float]
    wins: dict[str, float]
    games: int


def race(
    pool: Executor,
    courts: Sequence[Court],
    candidates: Sequence[Vector],
    opponents: dict[str, Opponent],
    worth: dict[str, float],
    reward: Reward,
    first: int,
    deals: int,
    watch: Callable[[int], None] = lambda games: None,
) -> Race:
    """Play the candidates on deals first..first+deals-1, and let those go early that are surely behind.

    `worth` is the weight of an opponent in the reward (1 without an entry). `watch` is told after each part how many
    games it had.
    """
    good = len(candidates) // 2
    alive = list(range(len(candidates)))
    rewards = np.zeros((len(candidates), 0))
    margins, wins = np.zeros((2, len(opponents), len(candidates)))
    weights = np.array([worth.get(name, 1.0) for name in opponents])
    out: list[int] = []  # in the order of their leaving
    edges = [first, *(first + max(1, round(part * deals)) for part in PARTS)]
    games, done = 0, 0
    for a, b in pairwise(edges):
        if a >= b:
            continue
        fields = [(court, who) for court in courts for who in opponents.values()]
        matches = [Match(court, candidates[i], who, a, b) for i in alive for court, who in fields]
        outcomes = play_all(pool, matches)
        new = np.full((len(candidates), b - a), np.nan)
        for place, i in enumerate(alive):
            mine = outcomes[place * len(fields) : (place + 1) * len(fields)]
            shape = (len(courts), len(opponents), b - a)
            each = np.array([reward.of(outcome) for outcome in mine]).reshape(shape)
            new[i] = weights @ each.mean(axis=0) / weights.sum()
            margins[:, i] += np.array([outcome.margin for outcome in mine]).reshape(shape).mean(axis=0).sum(axis=1)
            wins[:, i] += np.array([outcome.wins for outcome in mine]).reshape(shape).mean(axis=0).sum(axis=1)
        rewards = np.concatenate([rewards, new], axis=1)
        played = sum(outcome.own.size for outcome in outcomes)
        games, done = games + played, b - first
        watch(played)
        if b < edges[-1]:
            leaving = _hopeless(rewards, alive, good)
            out += leaving
            alive = [i for i in alive if i not in leaving]
    return Race(
        _costs(rewards, alive, out),
        _is_clear(rewards[alive]),
        {name: float(margins[k, alive].mean() / done) for k, name in enumerate(opponents)},
        {name: float(wins[k, alive].mean() / done) for k, name in enumerate(opponents)},
        games,
    )


def evenness(wins: float, seats: Sequence[int]) -> float:
    """The worth of an opponent over which the win share is `wins`: 1 where that is fair, little where it is sure."""
    others = float(np.mean(seats)) - 1
    odds = wins * others / (wins * others + 1 - wins)  # the share at a table of two with the same odds
    return max(LEAST_WORTH, 4 * odds * (1 - odds))


def _hopeless(rewards: Vector, alive: Sequence[int], good: int) -> list[int]:
    """Who is surely behind the last of the better half, from the worst on. `rewards` (candidates, deals)."""
    ranked = sorted(alive, key=lambda i: (-rewards[i].mean(), i))
    if len(ranked) <= good or rewards.shape[1] < 2:
        return []
    last = rewards[ranked[good - 1]]
    behind = []
    for i in reversed(ranked[good:]):
        difference = last - rewards[i]
        error = difference.std(ddof=1) / np.sqrt(len(difference))
        if difference.mean() > SURE * error:
            behind.append(i)
    return behind


def _costs(rewards: Vector, alive: Sequence[int], out: Sequence[int]) -> list[float]:
    """Costs whose order is that of the rewards; those who left follow, the earlier the worse."""
    costs = np.zeros(len(rewards))
    costs[list(alive)] = -rewards[list(alive)].mean(axis=1)
    worst = costs[list(alive)].max()
    for place, i in enumerate(reversed(out)):
        costs[i] = worst + 1 + place
    return [float(cost) for cost in costs]


def _is_clear(rewards: Vector) -> bool:
    """Whether the means of these candidates differ more than by luck: (candidates, deals), all on the same deals."""
    count, deals = rewards.shape
    if count < 2 or deals < 2:
        return True
    means = rewards.mean(axis=1)
    rest = rewards - means[:, None] - rewards.mean(axis=0) + rewards.mean()
    luck = (rest**2).sum() / ((count - 1) * (deals - 1)) / deals
    return bool(luck <= (1 - CLEAR) * means.var(ddof=1))


# --- The log ---------------------------------------------------------------------------------------------------------


class Generation(TypedDict):
    """A line of the log: what the search was told, and what it goes on with."""

    generation: int
    costs: list[float]
    next_deals: int
    mark: str
    margins: dict[str, float]
    wins: dict[str, float]


_GENERATION = TypeAdapter(Generation)


class Log:
    """The log of a fit: a line of settings, then one for each finished generation. See `open_log`."""

    def __init__(self, path: Path | None, lines: list[dict[str, Any]]) -> None:
        self.path = path
        self.lines = lines

    def add(self, **entries: Any) -> None:
        """Add a generation; it is on the disk when this returns."""
        if self.path is not None:
            append_line(self.path, _line(entries))


def _line(entries: dict[str, Any]) -> bytes:
    return (json.dumps(entries, ensure_ascii=False) + "\n").encode()


def log_path(weights: Path) -> Path:
    """Where the log of the fit is that writes this weights file."""
    return weights.with_name(weights.name + LOG)


def open_log(path: Path | None, settings: Settings, resume: bool) -> Log:
    """The log of a fit, new or to be gone on with; without a path nothing is kept.

    Raises InputError where there is a log and nobody wants to go on with it, or it is one of other settings.
    """
    if path is None:
        return Log(None, [])
    if not path.exists() or (resume and not read_bytes(path, MOST_BYTES).strip()):
        write_file(path, _line(settings.entries()))
        return Log(path, [])
    if not resume:
        raise InputError(f"{path} is there already: the log of another fit. Go on with it (--resume), or remove it.")
    lines = _whole_lines(path)
    for key, want in settings.entries().items():
        have = lines[0].get(key)
        if have != want:
            raise InputError(
                f"{path} is of another fit: its {key} is {shown(have)}, not {want!r}. Choose another file."
            )
    write_file(path, b"".join(_line(line) for line in lines))  # a line that a kill has cut short is dropped
    return Log(path, lines[1:])


def _whole_lines(path: Path) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    for number, text in enumerate(read_bytes(path, MOST_BYTES).split(b"\n")[:-1]):
        try:
            line = strict_json.loads(text)
        except ValueError as error:
            raise InputError(f"{path} is damaged in line {number + 1}: {error}. Remove it to begin anew.") from error
        if not isinstance(line, dict) or (number and not _is_generation(line, number)):
            raise InputError(f"{path} is damaged: line {number + 1} is not of generation {number}.")
        lines.append(line)
    if not lines:
        raise InputError(f"{path} is no log of a fit. Remove it to begin anew.")
    return lines


def _is_generation(line: dict[str, Any], number: int) -> bool:
    try:
        found = _GENERATION.validate_python(line, strict=True)
    except ValidationError:
        return False
    return found["generation"] == number and 1 <= found["next_deals"] <= MOST_DEALS


# --- The fit ---------------------------------------------------------------------------------------------------------


def fit(
    settings: Settings,
    generations: int | None = GENERATIONS,
    minutes: float | None = None,
    log: Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Fit:
    """Fit a bot's weights.

    It ends after so many `generations`, or at the end of the last one that fits into so many `minutes` of this call.
    `log` keeps what is needed to `resume` it. Raises InputError for settings that cannot be, and as `open_log` does;
    JobError for an illegal move of a bot.
    """
    with file_lock(log) if log is not None else nullcontext():
        return _fit(settings, generations, minutes, log, resume, threads, progress)


def _fit(
    settings: Settings,
    generations: int | None,
    minutes: float | None,
    log: Path | None,
    resume: bool,
    threads: int | None,
    progress: Callable[[Progress], None],
) -> Fit:
    bot = check(settings)
    kept = open_log(log, settings, resume)
    tally = Tally()
    start, size, explained = _start(bot, settings)
    search = Search(start, size, settings)
    courts = [_court(settings, seats, "train") for seats in settings.seats]
    for court in courts:
        court.warm_up([*settings.against, start])
    with workers(threads) as pool:
        try:
            tally.begin = time.perf_counter()  # what compiles is behind us
            reward = _reward(pool, courts, start, settings)
            run = _Run(settings, search, courts, reward, kept, generations, minutes, tally, progress)
            run.replay()
            run.play(pool)
            weights, chosen = _choice(pool, search, settings, reward, run.deals)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return Fit(settings, weights, rounded(start), chosen, search.generation, run.out_of_time, explained)


def workers(threads: int | None) -> ThreadPoolExecutor:
    """Threads that play, by default one a processor. Raises InputError for fewer than one."""
    if threads is not None and threads < 1:
        raise InputError(f"the number of threads must be at least 1, not {threads}")
    return ThreadPoolExecutor(threads or batch.processors(), thread_name_prefix="fit")


def check(settings: Settings) -> Bot:
    """The bot that is fitted. Raises InputError for settings that cannot be."""
    game = games.get(settings.game)
    bot = bot_registry.get(game.name, settings.bot)
    if not bot.weights:
        able = [one.name for one in bot_registry.available(game.name) if one.weights and not is_beyond(one)]
        raise InputError(f"bot {bot.name} has no weights that could be fitted. Bots with weights: {', '.join(able)}.")
    if bot.policy is trained:
        raise InputError(
            f"bot {bot.name} is taught by search: fairdeal teach. What can be fitted are the weights of its expert "
            "(--bot expert)."
        )
    if bot.playouts:
        raise InputError(f"bot {bot.name} searches: fit the bot that plays in its playouts.")
    if not set(settings.seats) <= set(game.seats):
        wrong, allowed = (", ".join(map(str, sorted(some))) for some in (set(settings.seats), game.seats))
        raise InputError(f"{game.title} cannot be played with {wrong} seats. Allowed: {allowed}.")
    for name in settings.against:
        bot_registry.get(game.name, name)
    if not settings.against and not settings.earlier:
        raise InputError("a fit needs somebody to play against.")
    if settings.imitate is not None:
        bot_registry.get(game.name, settings.imitate)
        if bot.parameters != game.features:
            raise InputError(f"bot {bot.name} does not weigh the features of {game.title}, so it cannot imitate.")
    if settings.population < 4 or settings.deals < 4 or not settings.step > 0:
        raise InputError("a fit needs at least 4 candidates, 4 deals and a step above 0.")
    return bot


def is_beyond(bot: Bot) -> bool:
    """Whether a bot's weights are not for a fit: it searches, or search has taught it."""
    return bool(bot.playouts) or bot.policy is trained


def _court(settings: Settings, seats: int, purpose: str) -> Court:
    return Court(settings.game, settings.bot, settings.card_set, seats, seed_of(purpose, settings.seed))


def _start(bot: Bot, settings: Settings) -> tuple[Vector, Vector, float]:
    """The weights to start from, the sizes of what they weigh, and the share of choices that they explain."""
    seed = seed_of("look", settings.seed)
    if settings.imitate is not None:
        return imitate(settings.game, settings.card_set, settings.seats, settings.imitate, seed)
    start = np.array(bot.weights_for(settings.seats[0]), np.float64)
    if bot.parameters != games.get(settings.game).features:
        return start, np.ones(len(start)), np.nan
    rows, _, _ = observe(settings.game, settings.card_set, settings.seats[0], settings.bot, seed, GLANCE)
    return start, sizes(rows), np.nan


def _reward(pool: Executor, courts: Sequence[Court], start: Vector, settings: Settings) -> Reward:
    """The reward of the goal. The scale of leads is half their standard deviation at the start."""
    if settings.goal == "points":
        return Reward("points")
    field: list[Opponent] = [*settings.against, *([start] if settings.earlier else [])]
    outcomes = play_all(pool, [Match(court, start, who, 0, settings.deals) for court in courts for who in field])
    scale = float(np.mean([outcome.lead.std() for outcome in outcomes])) / 2
    return Reward("wins", scale or 1.0)


def rounded(weights: Vector) -> Vector:
    """As they are written into a file."""
    return np.array([float(f"{weight:.{DIGITS}g}") for weight in weights], np.float64)


def _choice(pool: Executor, search: Search, settings: Settings, reward: Reward, deals: int) -> tuple[Vector, int]:
    """The best of the start, the last states that were kept and the final one, on deals of their own; and which it is.

    They play the named bots and, where the league has them, the start and the final state.
    """
    states = dict(list(search.states.items())[-LAST:]) | {0: search.start, search.generation: search.mean}
    rows = [rounded(state) for state in states.values()]
    opponents: list[Opponent] = list(settings.against)
    if settings.earlier:
        opponents += [search.start, search.mean]
    fields = [(_court(settings, seats, "choose"), who) for seats in settings.seats for who in opponents]
    for court, who in fields:
        court.warm_up([who])
    deals = max(FEWEST, 4 * deals)
    outcomes = play_all(pool, [Match(court, row, who, 0, deals) for row in rows for court, who in fields])
    rewards = np.array([reward.of(outcome).mean() for outcome in outcomes]).reshape(len(rows), len(fields))
    wins = np.array([outcome.wins.mean() for outcome in outcomes]).reshape(len(rows), len(fields)).mean(axis=0)
    worth = [evenness(share, [court.seats]) for share, (court, _) in zip(wins, fields, strict=True)]
    found = np.average(rewards, axis=1, weights=worth)
    best = int(found.argmax())
    return rows[best], list(states)[best]


@dataclass
class _Run:
    """The generations of a fit."""

    settings: Settings
    search: Search
    courts: Sequence[Court]
    reward: Reward
    log: Log
    generations: int | None
    minutes: float | None
    tally: Tally
    progress: Callable[[Progress], None]
    first: int = 0
    deals: int = 0
    out_of_time: bool = False
    margins: dict[str, float] = field(default_factory=dict)
    wins: dict[str, float] = field(default_factory=dict)

    def replay(self) -> None:
        """Tell the search what the log says that it was told.

        Raises InputError where the search comes to another state: on another machine, arithmetic may differ.
        """
        self.deals = self.settings.deals
        for line in self.log.lines:
            if self._is_over():
                return
            if len(self.search.ask()) != len(line["costs"]):
                raise InputError(f"{self.log.path} is damaged: a generation has another number of costs. Begin anew.")
            self.search.tell(line["costs"])
            if self.search.mark != line["mark"]:
                raise InputError(
                    f"{self.log.path} was written where arithmetic is not the same (another machine or version), so "
                    "the fit cannot go on here as it would have gone on there. Begin anew."
                )
            self.first += self.deals
            self.deals, self.margins, self.wins = line["next_deals"], line["margins"], line["wins"]

    def _is_over(self) -> bool:
        return self.generations is not None and self.search.generation >= self.generations

    def _is_late(self) -> bool:
        """Whether the next generation would not end in time; the first of a call is always played."""
        if self.minutes is None or not self.tally.generation_seconds:
            return False
        return self.tally.seconds + self.tally.generation_seconds > 60 * self.minutes

    def play(self, pool: Executor) -> None:
        """Play generations until enough have been played or the time is up."""
        self._show()
        while not self._is_over():
            if self._is_late():
                self.out_of_time = True
                return
            begin = time.perf_counter()
            self._generation(pool)
            self.tally.generation_seconds = time.perf_counter() - begin
            self._show()

    def _generation(self, pool: Executor) -> None:
        search, settings = self.search, self.settings
        opponents: dict[str, Opponent] = {name: name for name in settings.against}
        if settings.earlier:
            opponents |= {state_name(number): search.states[number] for number in search.earlier()}
        candidates = search.ask()
        worth = {name: evenness(share, settings.seats) for name, share in self.wins.items()}
        found = race(pool, self.courts, candidates, opponents, worth, self.reward, self.first, self.deals, self._played)
        search.tell(found.costs)
        self.first += self.deals
        if not found.clear:
            self.deals = min(round(MORE * self.deals), round(MOST * settings.deals))
        self.margins, self.wins = found.margins, found.wins
        self.log.add(
            generation=search.generation,
            costs=found.costs,
            next_deals=self.deals,
            mark=search.mark,
            margins=found.margins,
            wins=found.wins,
            games=found.games,
        )

    def _played(self, games: int) -> None:
        self.tally.games += games
        self._show()

    def _show(self) -> None:
        done, tally = self.search.generation, self.tally
        left = None
        if tally.generation_seconds and self.generations is not None:
            left = (self.generations - done) * tally.generation_seconds
        if self.minutes is not None:
            budget = max(0.0, 60 * self.minutes - tally.seconds)
            left = budget if left is None else min(left, budget)
        self.progress(
            Progress(
                done, self.generations, tally.games, tally.seconds, left, self.search.step, self.deals, self.margins
            )
        )


def state_name(generation: int) -> str:
    """What an earlier state of a fit is called."""
    return f"its state after generation {generation}" if generation else "its start"
