"""The main job in one call: bots of different skill play a card set, and their games are analysed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis import seats_folder
from analysis.balance import Balance, analyse
from simcore import batch, request
from simcore.batch import Progress
from simcore.places import place
from simcore.plan import Plan
from simcore.request import Cards, Names
from simcore.runlog import Run


@dataclass(frozen=True)
class BalanceStudy:
    """A run and its analysis."""

    run: Run
    balance: Balance

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in plain sentences, the most important first."""
        return tuple(verdict.text for verdict in self.balance.verdicts)


def study(
    game: str,
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
) -> BalanceStudy:
    """Play the plan of `simcore.request.balance_plan` into `out`, by default a new folder under fairdeal-runs,
    and analyse the run.

    The margins say up to where a difference does not matter to the designer: points of score, and a share of the wins.
    Raises InputError and JobError as `balance_plan`, `simcore.batch.run` and `analysis.balance.analyse` do.
    """
    plan = request.balance_plan(game, bots, games, cards, seats, seed)
    folder = request.new_run_folder(plan.game) if out is None else out
    run = batch.run(plan, folder, threads=threads, resume=resume, progress=progress)
    return BalanceStudy(run, analyse(run, margin_points, margin_share, threads))


def study_by_seats(
    game: str,
    bots: Names | None = None,
    games: int | None = None,
    cards: Cards | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    margin_points: float = 1.0,
    margin_share: float = 0.01,
) -> tuple[BalanceStudy, ...]:
    """`study` for every number of seats that the game allows, fewest first: the runs lie in OUT/2-seats and so on."""
    plans = request.balance_plans(game, bots, games, cards, None, seed)
    runs = play_by_seats(plans, request.new_run_folder(game) if out is None else out, threads, resume, progress)
    return tuple(BalanceStudy(run, analyse(run, margin_points, margin_share, threads)) for run in runs)


def play_by_seats(
    plans: Sequence[Plan],
    out: str | Path,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Run, ...]:
    """Play what is missing of plans for different numbers of seats into OUT/2-seats and so on; return the runs, which
    then are complete.

    `threads`, `resume` and `progress` (of all runs together) are as in `simcore.batch.run`. Raises InputError and
    JobError as it does, and InputError if `out` holds other things.
    """
    folder = place(out)
    seats_folder.refuse(folder, [plan.seats for plan in plans])
    folders = [folder / seats_folder.name(plan.seats) for plan in plans]
    # Whatever cannot be written or gone on with is refused before anything is played.
    for plan, path in zip(plans, folders, strict=True):
        batch.run(plan, path, resume=resume, blocks=0)
    total = batch.Total(sum(plan.games for plan in plans), progress)
    runs = []
    for plan, path in zip(plans, folders, strict=True):
        runs.append(batch.run(plan, path, threads=threads, resume=True, progress=total.note))
        total.finish(plan.games)
    return tuple(runs)
