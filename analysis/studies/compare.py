"""Two card sets in one call: the same bots play both on the same deals, and what the edit did is analysed.

A comparison's folder holds two ordinary runs, `a` (the first card set) and `b` (the second one).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from analysis import answer, comparison, seats_folder, stats
from analysis.answer import Answer
from analysis.blocks import LineUp, line_ups
from analysis.pairs import DIFFERENCE, LineUpPairs, read_pairs
from analysis.sequential import FIRST_LOOK, MarginSequence, State, next_look
from analysis.verdicts import counted, signed
from simcore import batch, cardset, request, runlog
from simcore import game as games
from simcore.batch import Progress
from simcore.cardset import CardSet
from simcore.errors import InputError
from simcore.manifest import Manifest
from simcore.places import place
from simcore.plan import LogLevel, Plan
from simcore.request import Cards, Names
from simcore.runlog import Run, Stop

ARMS = ("a", "b")
_OTHERS = {*ARMS, "report"}  # what a comparison's folder may hold
BUDGET = 10
"""So many times the usual number of games is the budget of a comparison that goes on until it is decided, where none
is given.
"""
GROWTH = 1.5
"""So many times as many deals stand behind a look as behind the one before."""

Question = Literal["both", "seats", "scores"]


@dataclass(frozen=True)
class ComparisonStudy:
    """The two runs and their analysis."""

    base: Run
    variant: Run
    answer: Answer

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in plain sentences, the most important first."""
        return tuple(verdict.text for verdict in self.answer.verdicts)


def study(
    game: str,
    cards: Sequence[Cards],
    bots: Names | None = None,
    games: int | None = None,
    seats: int | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    margin_points: float = 1.0,
    margin_share: float = 0.01,
    until_decided: bool = False,
    question: Question = "both",
) -> ComparisonStudy:
    """Compare two card sets, as in cards=["base", "my-set"], on the same deals, played into `out`, by default a new
    folder under fairdeal-runs. One set alone, as in cards=["my-set"], is compared with the game's first.

    `games` counts per line-up and card set. With `until_decided` it is the budget: play stops as soon as `question` is
    answered for every bot against itself. The margins say up to where a difference does not matter to the designer:
    points of score, and a share of the wins. Raises InputError and JobError as `simcore.request.comparison_plans`,
    `simcore.batch.run` and `analysis.comparison.compare` do.
    """
    plans = plan(game, cards, bots, games, seats, seed, until_decided=until_decided)
    folder = request.new_run_folder(game) if out is None else place(out)
    rule = Rule(question, margin_points, margin_share) if until_decided else None
    base, variant = play(plans, folder, threads, resume, progress, rule)
    return ComparisonStudy(base, variant, between(base, variant, margin_points, margin_share, threads))


@dataclass(frozen=True)
class Rule:
    """When a comparison stops: as soon as it is known of each bot against itself whether the worth of a place in turn
    order ("seats"), the mean score ("scores"), or both moved by more than the designer's margins.
    """

    question: Question
    margin_points: float
    margin_share: float


def study_by_seats(
    game: str,
    cards: Sequence[Cards],
    bots: Names | None = None,
    games: int | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    margin_points: float = 1.0,
    margin_share: float = 0.01,
    until_decided: bool = False,
    question: Question = "both",
) -> tuple[ComparisonStudy, ...]:
    """`study` for every number of seats that the game allows, fewest first: the runs lie in OUT/2-seats and so on."""
    plans = plans_by_seats(game, cards, bots, games, None, seed, until_decided=until_decided)
    folder = request.new_run_folder(game) if out is None else place(out)
    rule = Rule(question, margin_points, margin_share) if until_decided else None
    played = play_by_seats(plans, folder, threads, resume, progress, rule)
    return tuple(
        ComparisonStudy(base, variant, between(base, variant, margin_points, margin_share, threads))
        for base, variant in played
    )


def plan(
    game: str,
    cards: Sequence[Cards],
    bots: Names | None = None,
    games: int | None = None,
    seats: int | None = None,
    seed: int = 0,
    log: LogLevel = "cards",
    until_decided: bool = False,
) -> tuple[Plan, Plan]:
    """The plans of the two runs. `games` counts per line-up; with `until_decided` it is the budget, by default ten
    times that of other comparisons. Raises InputError as `simcore.request.comparison_plans` does.
    """
    plans = request.comparison_plans(game, cards, bots, games, seats, seed, log, FIRST_LOOK if until_decided else None)
    if until_decided and games is None:
        budget = BUDGET * plans[0].games_per_line_up
        sets = [one.card_set for one in plans]
        plans = request.comparison_plans(game, sets, bots, budget, seats, seed, log, FIRST_LOOK)
    if until_decided and plans[0].blocks < FIRST_LOOK:
        seats, budget = plans[0].seats, games or plans[0].games_per_line_up
        raise InputError(
            f"A budget of {counted(budget, 'games')} is too small: with {seats} seats, the first look is after "
            f"{FIRST_LOOK * seats:,} games of each line-up ({FIRST_LOOK:,} deals). Allowed: at least that many."
        )
    return plans


def play(
    plans: tuple[Plan, Plan],
    out: str | Path,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    rule: Rule | None = None,
) -> tuple[Run, Run]:
    """Play what is missing of both plans into OUT/a and OUT/b, and return the runs, which then are complete.

    With a rule, both are looked at after more and more deals (`looks`), and end at the first look at which all
    questions are answered, at the last deal of the plans at the latest. A look sees the deals up to it and nothing
    else, so threads and interruptions change nothing. Raises InputError and JobError as `simcore.batch.run` does.
    """
    runs = _begin(plans, place(out), resume)
    folders = [run.path for run in runs]
    total = batch.Total(0, progress)
    questions = None if rule is None else _Questions(rule, runs[0].manifest)
    for blocks in (plans[0].blocks,) if questions is None else looks(plans[0]):
        games = len(plans[0].line_ups) * blocks * plans[0].seats
        total.go_on(2 * games)
        for arm, one in enumerate(plans):
            limit = None if questions is None else blocks
            runs[arm] = batch.run(one, folders[arm], threads=threads, resume=True, progress=total.note, blocks=limit)
            total.finish(games)
        if questions is not None and questions.look(runs[0], runs[1], blocks, threads):
            stop = Stop(blocks, questions.said)
            return runlog.end(folders[0], stop), runlog.end(folders[1], stop)
    return runs[0], runs[1]


def _begin(plans: tuple[Plan, Plan], folder: Path, resume: bool) -> list[Run]:
    """The runs in the folder, made if missing: what cannot be written or gone on with is refused before play."""
    _refuse(folder)
    return [batch.run(one, folder / arm, resume=resume, blocks=0) for one, arm in zip(plans, ARMS, strict=True)]


def plans_by_seats(
    game: str,
    cards: Sequence[Cards],
    bots: Names | None = None,
    games: int | None = None,
    seats: int | None = None,
    seed: int = 0,
    log: LogLevel = "cards",
    until_decided: bool = False,
) -> tuple[tuple[Plan, Plan], ...]:
    """`plan` for every number of seats that the game allows, or for `seats` alone."""
    sets = [request.load_cards(game, one) for one in cards]
    counts = request.seat_counts(game, seats)
    return tuple(plan(game, sets, bots, games, count, seed, log, until_decided) for count in counts)


def play_by_seats(
    plans: Sequence[tuple[Plan, Plan]],
    out: str | Path,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    rule: Rule | None = None,
) -> tuple[tuple[Run, Run], ...]:
    """`play` comparisons with different numbers of seats, into OUT/2-seats and so on; `progress` is of all together."""
    folder = place(out)
    seats_folder.refuse(folder, [base.seats for base, _ in plans])
    folders = [folder / seats_folder.name(base.seats) for base, _ in plans]
    for pair, path in zip(plans, folders, strict=True):
        _begin(pair, path, resume)
    total = batch.Total(sum(one.games for pair in plans for one in pair), progress)
    played = []
    for pair, path in zip(plans, folders, strict=True):
        runs = play(pair, path, threads, True, total.note, rule)
        games = sum(run.games for run in runs)
        total.games += games - sum(one.games for one in pair)  # fewer where a rule has ended them
        total.finish(games)
        played.append(runs)
    return tuple(played)


def looks(plan: Plan) -> Iterator[int]:
    """After how many blocks of each line-up a comparison is looked at: whole shards, more from look to look, and all of
    them at the end.
    """
    size, blocks = plan.blocks_per_shard, 0
    while blocks < plan.blocks:
        blocks = min(plan.blocks, -(-next_look(blocks, plan.blocks, GROWTH) // size) * size)
        yield blocks


class _Questions:
    """The questions that a comparison goes on for, and what is known of each."""

    def __init__(self, rule: Rule, manifest: Manifest) -> None:
        self.unit = manifest["score_unit"]
        self.line_ups = [line_up for line_up in line_ups(manifest) if line_up.mirror]
        seats = manifest["seats"]
        budget = manifest["games_per_line_up"] // seats
        self.asked: dict[tuple[LineUp, str], MarginSequence] = {}
        for line_up in self.line_ups:
            if rule.question != "scores":
                for place in range(seats if seats > 2 else seats - 1):  # of two, one says all
                    sequence = MarginSequence(budget, margin=rule.margin_share, rare=1)
                    self.asked[line_up, f"order{place}.share"] = sequence
            if rule.question != "seats":
                column = f"bot{line_up.bots[0]}.score"
                self.asked[line_up, column] = MarginSequence(budget, margin=rule.margin_points)

    def look(self, base: Run, variant: Run, blocks: int, threads: int | None) -> bool:
        """Look at the first so many blocks; whether all questions are answered."""
        for line_up in self.line_ups:
            pairs = read_pairs(base, variant, line_up, blocks, threads)
            for (whose, column), sequence in self.asked.items():
                if whose == line_up and pairs is not None:
                    _look(pairs, column, sequence)
        return all(sequence.state in (State.H0, State.H1) for sequence in self.asked.values())

    @property
    def said(self) -> str:
        """What is known of each question, in words."""
        return "; ".join(self._said(line_up, column) for line_up, column in self.asked)

    def _said(self, line_up: LineUp, column: str) -> str:
        sequence = self.asked[line_up, column]
        share = column.endswith("share")
        what = f"wins of place {int(column[5:-6]) + 1} in turn order" if share else "mean score"
        (low, high), k = sequence.interval, 100 if share else 1
        middle = stats.Estimate((low + high) / 2, low, high, sequence.n, sequence.n, "")
        unit = "percentage points" if share else self.unit
        return (
            f"{what} of {line_up}: {sequence.wording} beside {counted(sequence.margin * k, unit)}, "
            f"{signed(middle, k)[1]} at {sequence.n:,} deals"
        )


def _look(pairs: LineUpPairs, column: str, sequence: MarginSequence) -> None:
    i, moments = pairs.column(column), pairs.moments
    sequence.look(moments.n, float(moments.mean[DIFFERENCE, i]), float(moments.variance[DIFFERENCE, i]))


def _refuse(folder: Path) -> None:
    """Raise InputError where a comparison's folder holds other things."""
    if folder.is_dir() and (others := sorted({path.name for path in folder.iterdir()} - _OTHERS)):
        raise InputError(
            f"{folder} holds other things than a comparison ({', '.join(others[:5])}). Choose a new or empty folder."
        )


def between(
    base: Run, variant: Run, margin_points: float = 1.0, margin_share: float = 0.01, threads: int | None = None
) -> Answer:
    """Analyse two runs of the same plan but for the card set: what changed between the sets, and what that did.

    Raises InputError as `analysis.comparison.compare` does, and where the cards that a run was played with have been
    edited in its folder.
    """
    found = comparison.compare(base, variant, margin_share, margin_points, threads=threads)
    old, new = (_card_set(run) for run in (base, variant))
    return answer.answer(found, cardset.diff(old, new), base, variant)


def _card_set(run: Run) -> CardSet:
    with run.card_set_folder as folder:
        card_set = cardset.load(games.get(run.manifest["game"]).schema, folder)
    run.plan(card_set)  # raises InputError if it is not the one that was played
    return card_set
