"""A sweep in one call: bots play a card set with one or two of its values varied, on the same deals at every point."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis import sweep_folder
from analysis.sweep import Sweep, analyse
from analysis.sweep_folder import SweepEntry, open_sweep
from analysis.sweep_verdicts import value_word
from simcore import batch, request
from simcore import bots as bot_registry
from simcore.batch import Progress
from simcore.cardset import CardSet, CardSetError, Value, vary
from simcore.cardset.vary import Axis
from simcore.errors import InputError
from simcore.manifest import version
from simcore.places import place
from simcore.plan import Cost, Plan
from simcore.request import Cards, Names

MOST_AXES = 2
MOST_POINTS = 100
GAMES: dict[Cost, int] = {"cheap": 20_000, "dear": 500}
"""Games per line-up and point where none are asked for: a tenth of a balance report's, as there are many points."""


@dataclass(frozen=True)
class SweepPlan:
    """What a sweep plays: a plan for every combination of the values of its axes, the first axis slowest. `base` is the
    number of the point at which the card set is as it was.
    """

    card_set: CardSet
    axes: tuple[Axis, ...]
    points: tuple[tuple[Value, ...], ...]
    plans: tuple[Plan, ...]
    base: int

    @property
    def games(self) -> int:
        """The number of games of all points."""
        return sum(plan.games for plan in self.plans)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user about values that were added."""
        return tuple(
            f"{axis.path} is {value_word(axis.base)} in the card set {self.card_set.name}: this value is played too, "
            "and all others are compared with it."
            for axis in self.axes
            if axis.base_added
        )

    def entry(self) -> SweepEntry:
        """The content of sweep.json."""
        return {
            "format": sweep_folder.FORMAT,
            "version": version(),
            "game": self.card_set.game,
            "card_set": {"name": self.card_set.name, "hash": self.card_set.hash},
            "axes": [
                {
                    "path": str(axis.path),
                    "values": list(axis.values),
                    "base": axis.base,
                    "base_added": axis.base_added,
                    "unit": axis.unit,
                    "meaning": axis.meaning,
                }
                for axis in self.axes
            ],
            "points": [
                {"folder": sweep_folder.point_folder(number), "values": list(values), "plan_hash": plan.hash}
                for number, (values, plan) in enumerate(zip(self.points, self.plans, strict=True))
            ],
            "base": self.base,
        }


def plan(
    game: str,
    vary_words: str | Sequence[str],
    bots: Names | None = None,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
) -> SweepPlan:
    """What a sweep plays; line-ups as in `simcore.request.balance_plan`.

    `vary_words` are one or two of TABLE.ROW.COLUMN=1,2,5 or =LOW:HIGH[:STEP], rules.NAME for a scalar. The card set's
    own value is always among those that are played. `games` counts per line-up and point; without it they are 20,000,
    or 500 where a search bot plays. Raises InputError with all that is wrong with paths, values and edited card sets.
    """
    words = [vary_words] if isinstance(vary_words, str) else list(vary_words)
    if not 1 <= len(words) <= MOST_AXES:
        raise InputError(
            f"A sweep varies one or two values, not {len(words)}: with more there is no curve or map to look at, and "
            "too much to play. Vary two of them, then the others from the best point."
        )
    card_set = request.load_cards(game, cards)
    axes = vary.read(card_set, words)
    points = tuple(itertools.product(*(axis.values for axis in axes)))
    if len(points) == 1:
        said = " and ".join(words)
        raise InputError(f"{said} is how the card set {card_set.name} is already. Name another value, too.")
    if len(points) > MOST_POINTS:
        counts = " x ".join(str(len(axis.values)) for axis in axes)
        allowed = f"at most {MOST_POINTS}; take larger steps"
        raise InputError(f"{counts} values are {len(points):,} points. Allowed: {allowed}.")
    names = request.default_bots(game) if bots is None else request.split_names(bots)
    count = _games(game, names) if games is None else games
    plans = tuple(
        request.balance_plan(game, names, count, edited, seats, seed, log="games")
        for edited in _edited(card_set, axes, points)
    )
    return SweepPlan(card_set, axes, points, plans, points.index(tuple(axis.base for axis in axes)))


def _games(game: str, names: Sequence[str]) -> int:
    dear = any(bot_registry.admit(game, name).cost == "dear" for name in names)
    return GAMES["dear" if dear else "cheap"]


def _edited(card_set: CardSet, axes: Sequence[Axis], points: Sequence[tuple[Value, ...]]) -> list[CardSet]:
    """The card set of every point. Raises InputError with the problems of all of them."""
    paths = [axis.path for axis in axes]
    sets, problems = [], []
    for values in points:
        try:
            sets.append(vary.edited(card_set, dict(zip(paths, values, strict=True))))
        except CardSetError as error:
            problems.append(error)
    if problems:
        raise InputError("\n".join(str(error) for error in problems))
    return sets


def play(
    sweep: SweepPlan,
    out: str | Path,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Path:
    """Play what is missing of a sweep into the folder `out` and return it. The card set's own point comes first, so
    that a sweep that was stopped can be looked at.

    `threads`, `resume` and `progress` (of the whole sweep) are as in `simcore.batch.run`. Raises InputError and
    JobError as it does.
    """
    folder = place(out)
    total = batch.Total(sweep.games, progress)
    with sweep_folder.writing(folder, sweep.entry(), resume, batch.declared(sweep.plans[sweep.base])):
        for number in sorted(range(len(sweep.plans)), key=lambda number: number != sweep.base):
            point = sweep.plans[number]
            path = folder / sweep_folder.point_folder(number)
            batch.run(point, path, threads=threads, resume=True, progress=total.note)
            total.finish(point.games)
    return folder


@dataclass(frozen=True)
class SweepStudy:
    """A sweep's folder and its analysis."""

    folder: Path
    sweep: Sweep

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in plain sentences, the most important first."""
        return tuple(verdict.text for verdict in self.sweep.verdicts)


def study(
    game: str,
    vary: str | Sequence[str],
    bots: Names | None = None,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    margin_points: float = 1.0,
    margin_share: float = 0.01,
) -> SweepStudy:
    """Vary one or two values of a card set, as in vary="rules.expedition_cost=10:30:5": play every value on the same
    deals into `out`, by default a new folder under fairdeal-runs, and analyse how the game responds.

    Arguments as for `plan` and `play`; the margins say up to where a difference does not matter to the designer: points
    of score, and a share of the wins. Raises InputError and JobError as these do.
    """
    sweep = plan(game, vary, bots, games, cards, seats, seed)
    folder = play(sweep, request.new_run_folder(game) if out is None else out, threads, resume, progress)
    return SweepStudy(folder, analyse(open_sweep(folder), margin_points, margin_share, threads))
