"""The main job in one call: bots of different skill play a card set, and their games are analysed."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from analysis.balance import Balance, analyse
from simcore import batch, request
from simcore.batch import Progress
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
