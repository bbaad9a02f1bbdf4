"""A card set held against targets in one call: bots play it, their games are analysed and judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis import card_names, seats_folder
from analysis import targets as targets_files
from analysis.balance import analyse
from analysis.check import Check, judge
from analysis.check_verdicts import sentence, warnings
from analysis.studies.balance import play_by_seats
from analysis.targets import Target, Targets
from simcore import batch, request
from simcore import bots as bot_registry
from simcore import game as game_registry
from simcore.batch import Progress
from simcore.cardset import CardSet
from simcore.errors import InputError
from simcore.game import unknown
from simcore.plan import Plan
from simcore.request import Cards, Names
from simcore.runlog import Run, open_run


@dataclass(frozen=True)
class CheckStudy:
    """Runs, one for each number of seats, and what their check came to."""

    runs: tuple[Run, ...]
    check: Check

    @property
    def sentences(self) -> tuple[str, ...]:
        """What each target came to, in the order of `check.results`."""
        return tuple(sentence(result) for result in self.check.results)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to know where others played than the targets file names."""
        return warnings(self.check)


def study(
    game: str,
    targets: str | Path | None = None,
    bots: Names | None = None,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> CheckStudy:
    """Play `plans` into `out`, by default a new folder under fairdeal-runs, and judge the games by the targets file
    `targets`, by default what is stated for the game's standard set.

    Raises InputError and JobError as `analysis.targets.read`, `plans`, `play` and `analysis.check.judge` do.
    """
    of = load_targets(game, targets)
    found = plans(game, of, bots, games, cards, seats, seed)
    runs = play(found, request.new_run_folder(game) if out is None else out, threads, resume, progress)
    return CheckStudy(runs, of_runs(runs, of, threads))


def study_runs(path: str | Path, targets: str | Path | None = None, threads: int | None = None) -> CheckStudy:
    """Judge a run that has been played, or a folder with a run for each number of seats; as far as they are played.

    Raises InputError as `simcore.runlog.open_run`, `analysis.targets.read` and `analysis.check.judge` do.
    """
    runs = open_runs(path)
    return CheckStudy(runs, of_runs(runs, load_targets(runs[0].manifest["game"], targets), threads))


def load_targets(game: str, targets: str | Path | None) -> Targets:
    """A targets file, or what is stated for the game. Raises InputError as `analysis.targets.read` does."""
    return targets_files.stated(game) if targets is None else targets_files.read(targets)


def plans(
    game: str,
    targets: Targets,
    bots: Names | None = None,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
) -> tuple[Plan, ...]:
    """The plans of a balance report (`simcore.request.balance_plans`), for the numbers of seats that a target is about.

    Without `bots` those play that the targets file names at its top, else those of a balance report; and each that a
    target names. Raises InputError as `balance_plans` does, for targets of another game or of other numbers of seats,
    and for a target that names a bot which does not play or a card that the card set does not have.
    """
    counts = request.seat_counts(game, seats)
    targets.refuse(game, counts)
    judged = targets.of(counts)
    named = dict.fromkeys(bot for target in judged for bot in target.bots)
    if bots is None:
        players = tuple(dict.fromkeys([*(targets.bots or request.default_bots(game)), *named]))
        for bot in players:  # a targets file is data: it runs no Python file, which only a person may name
            try:
                bot_registry.get(game, bot)
            except InputError as error:
                raise InputError(f"who plays by {targets.source}: {error}") from error
    else:
        players = request.split_names(bots)
        _refuse(judged, players)
    card_set = request.load_cards(game, cards)
    wanted = [count for count in counts if targets.of([count])]
    for count in wanted:
        _refuse_cards(targets.of([count]), card_set, count)
    return tuple(request.balance_plan(game, players, games, card_set, count, seed) for count in wanted)


def _refuse(targets: Sequence[Target], players: Sequence[str]) -> None:
    """Raise InputError, before anything is played, where a target needs bots that do not play."""
    for target in targets:
        for bot in target.bots:
            if bot not in players:
                raise InputError(f"target {target.name}: {unknown('bot', bot, list(players))} Only these play.")
        if target.kind == "dominance" and len(set(players)) < 2:
            raise InputError(f"target {target.name} compares bots, and only {players[0]} plays. Name another one.")


def _refuse_cards(targets: Sequence[Target], card_set: CardSet, seats: int) -> None:
    """Raise InputError, before anything is played, where a target names a card that the card set does not have."""
    labels, rows = cards_of(card_set, seats)
    for target in targets:
        for name in target.card_names:
            if not card_names.meant(name, labels, rows):
                raise InputError(f"target {target.name}: {card_names.unknown(name, labels, rows)}")


def cards_of(card_set: CardSet, seats: int) -> tuple[card_names.Labels, card_names.Rows]:
    """The cards of a card set that targets may name, with so many seats."""
    logged = [card for card in game_registry.get(card_set.game).log_cards(card_set, seats) if not card.side_of]
    rows: dict[str, list[str]] = {}
    for card in logged:
        rows.setdefault(card.type, []).extend(card.rows)
    return {card.type: card.label for card in logged}, rows


def play(
    plans: Sequence[Plan],
    out: str | Path,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Run, ...]:
    """Play one plan into the folder `out`, several for different numbers of seats into OUT/2-seats and so on.

    The rest is as in `simcore.batch.run` and `analysis.studies.balance.play_by_seats`.
    """
    if len(plans) > 1:
        return play_by_seats(plans, out, threads, resume, progress)
    return (batch.run(plans[0], out, threads=threads, resume=resume, progress=progress),)


def open_runs(path: str | Path) -> tuple[Run, ...]:
    """A run, or those of a folder with one for each number of seats. Raises InputError as `open_run` does, and where no
    game of one of them is finished: nothing would be known of it.
    """
    runs = seats_folder.open_runs(path) if seats_folder.is_one(path) else (open_run(path),)
    for run in runs:
        if not run.games:
            raise InputError(f"{run.path} holds no finished games yet. Finish the run with --resume, then check it.")
    return runs


def of_runs(runs: Sequence[Run], targets: Targets, threads: int | None = None) -> Check:
    """Analyse runs of one card set, and judge them. Raises InputError as `analysis.check.judge` does."""
    targets.refuse(runs[0].manifest["game"], [run.manifest["seats"] for run in runs])
    return judge([analyse(run, threads=threads) for run in runs], targets)
