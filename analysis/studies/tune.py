"""A card set tuned in one call: search over some of its values for a set that meets its targets with few edits.

Every candidate plays the same deals (`analysis.tune_search` says which are tried, `analysis.tune` what one costs). A
candidate that on a part of them costs clearly more than the best did on the same part is given up: most of their luck
is common (the idea is that of successive halving, Jamieson and Talwalkar 2016; it is no test, as what a miss sums up
has no standard error of its own). The best few are played again on fresh deals, by bots that were re-trained on their
cards where a trained bot plays; the best there is judged by `analysis.check` on deals that chose nothing. The same
settings give the same result, whatever the number of threads and however often a tuning is stopped; only where the
clock ends the search, it decides.
"""

import dataclasses
import math
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis import card_names, same_cards, seats_folder, tune, tune_folder
from analysis.check import Check
from analysis.stats import Estimate
from analysis.studies import check as checks
from analysis.studies import teach, train
from analysis.targets import Target, Targets
from analysis.tune import Finalist, Range, Trial, Tuning
from analysis.tune_folder import REST, Log
from analysis.tune_search import Point, Search
from analysis.tune_verdicts import sentences
from simcore import batch, cardset, request, weights
from simcore import bots as bot_registry
from simcore import game as games
from simcore.cardset import CardSet, CardSetError, vary
from simcore.cardset.vary import Axis
from simcore.errors import InputError, shown
from simcore.manifest import version
from simcore.places import on_disk
from simcore.plan import Cost, Plan
from simcore.request import Cards, Names
from simcore.runlog import Run
from strategies.court import seed_of
from strategies.trained import trained

GAMES: dict[Cost, int] = {"cheap": 4_000, "dear": 200}
"""Games per line-up and candidate where none are asked for."""
CANDIDATES = 200
"""Candidates that are played at most where neither their number nor a time is given."""
FRESH = 5
"""So many times as many games are played by a finalist, and again by the winner."""
RESERVE = 2.0
"""So many times as wide as the proof's intervals are those that must lie inside the limits before: then the proof finds
them inside in 92 % of cases, where the finalist's estimate and its own have equal errors.
"""
REACH = RESERVE * FRESH**-0.5
"""The same by the width of the search's intervals."""
FINALISTS = 3
FOLDS = 5
"""Fresh games, each time as many as in the search, by which its optimism is told."""
PARTS = (0.25, 1.0)
"""Parts of the deals; after each but the last the hopeless are given up."""
HOPELESS = 0.25
"""Margins by which a candidate costs more than the best on the same part of the deals when it is given up."""

HASH = 12  # letters of a card set's hash in the name of a finalist's folder

TRAINED = "trained"
"""The tier whose bots are re-trained where nobody says otherwise."""
LESSONS = 6_000
"""Lessons of a bot with a net that is re-trained: a tenth of those of `fairdeal teach` …"""
GENERATIONS = 10
"""… and steps of the fit of another one. No clock ends either, so that a tuning can be repeated."""
MEASURED = 1_000
"""Games by which the strength of a re-trained bot is measured, for its weights file."""


@dataclass(frozen=True)
class Progress:
    """How far a tuning is after `seconds`: `candidates` of at most `of` (None: until the time is up) are played, the
    best so far has this `miss` in margins with so many `edits`; `stage` says in words what is going on.
    """

    stage: str
    candidates: int
    of: int | None
    miss: float
    edits: int
    seconds: float


@dataclass(frozen=True)
class TunePlan:
    """What a tuning plays: the plans of the search, one for each number of seats, with the card set as it is.

    `retrained` are the bots that are re-trained for the finalists.
    """

    card_set: CardSet
    axes: tuple[Axis, ...]
    targets: Targets
    plans: tuple[Plan, ...]
    retrained: tuple[str, ...]

    @property
    def bots(self) -> tuple[str, ...]:
        """Who plays."""
        return self.plans[0].bots

    @property
    def games(self) -> int:
        """Games per line-up and candidate, at the fewest seats."""
        return self.plans[0].games_per_line_up

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The values that may vary."""
        return tuple(_range(axis) for axis in self.axes)

    def entries(self) -> dict[str, Any]:
        """Everything that decides what is found, but for the number of candidates, as plain data."""
        return {
            "version": version(),
            "game": self.card_set.game,
            "card set": self.card_set.hash,
            "what is varied": [[one.path, list(one.values)] for one in self.ranges],
            "the targets": repr(self.targets),
            "the bots": {name: bot_registry.get(self.card_set.game, name).hash for name in self.bots},
            "which bots are re-trained": list(self.retrained),
            "the seats": [plan.seats for plan in self.plans],
            "games a line-up": self.games,
            "the seed": self.plans[0].seed,
            REST: [plan.hash for plan in self.plans],
        }


def _range(axis: Axis) -> Range:
    """The range of an axis of numbers."""
    assert isinstance(axis.base, int)
    return Range(str(axis.path), tuple(value for value in axis.values if isinstance(value, int)), axis.base)


@dataclass(frozen=True)
class TuneStudy:
    """A tuning's folder, the card set that it found, and what is known of it."""

    folder: Path
    card_set: CardSet
    tuning: Tuning

    @property
    def sentences(self) -> tuple[str, ...]:
        """The result in plain sentences, the most important first."""
        return sentences(self.tuning)


def plan(
    game: str,
    vary_words: str | Sequence[str],
    targets: str | Path | None = None,
    bots: Names | None = None,
    games: int | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
    retrain: bool | None = None,
) -> TunePlan:
    """What a tuning plays; who plays and how is as in `analysis.studies.check.plans`.

    `vary_words` are TABLE.ROW.COLUMN=LOW:HIGH[:STEP] or =1,2,5, with * as a row for all of them, and rules.NAME for a
    scalar; numbers only. `games` counts per line-up and candidate; without it they are 4,000, or 200 where a search bot
    plays. `retrain` says whether trained bots are re-trained for the finalists; by default they are. Raises InputError
    with all that is wrong with paths and values, and as `check.plans` does.
    """
    of = checks.load_targets(game, targets)
    card_set = request.load_cards(game, cards)
    words = [vary_words] if isinstance(vary_words, str) else list(vary_words)
    axes = _axes(card_set, words)
    count = games
    if count is None:
        usual = checks.plans(game, of, bots, 1, card_set, seats, seed)
        count = GAMES["dear" if any(_is_dear(game, name) for name in usual[0].bots) else "cheap"]
    plans = tuple(checks.plans(game, of, bots, count, card_set, seats, seed))
    for one in plans:
        _refuse_names(of.of([one.seats]), axes, one)
    return TunePlan(card_set, axes, of, plans, _retrained(game, plans[0].bots, retrain))


def _refuse_names(targets: Sequence[Target], axes: Sequence[Axis], plan: Plan) -> None:
    """Raise InputError where a target names a card by what its edits change: of a candidate nothing could be told."""
    labels, rows = checks.cards_of(plan.card_set, plan.seats)
    for target in targets:
        for name in target.card_names:
            of_card = [row for found in card_names.meant(name, labels, rows) for row in rows[found]]
            for axis in axes:
                if vary.row_names(plan.card_set, axis.path) & set(of_card) and _is_renamed(name, axis, plan):
                    instead = " or ".join(same_cards.id_of(row) for row in of_card)
                    raise InputError(
                        f"target {target.name}: card {shown(name)} has another name where {axis.path} varies. Name it "
                        f"by its row: {instead}."
                    )


def _is_renamed(name: str, axis: Axis, plan: Plan) -> bool:
    """Whether some value of an axis leaves no card of this name."""
    for value in axis.values:
        try:
            edited = vary.edited(plan.card_set, {axis.path: value})
        except InputError:  # a card set that the game refuses is passed over by the search, too
            continue
        if not card_names.meant(name, *checks.cards_of(edited, plan.seats)):
            return True
    return False


def _axes(card_set: CardSet, words: Sequence[str]) -> tuple[Axis, ...]:
    if not words:
        raise InputError("A tuning needs a value that may vary: --vary TABLE.ROW.COLUMN=LOW:HIGH.")
    axes = vary.read(card_set, vary.expand(card_set, words))
    for axis in axes:
        if not axis.numeric:
            raise InputError(
                f"{axis.path} is not a number everywhere, and a tuning varies numbers: --vary PATH=LOW:HIGH."
            )
    free = tuple(axis for axis in axes if len(axis.values) > 1)
    if not free:
        raise InputError(f"{' and '.join(words)} is how the card set {card_set.name} is already. Name a wider range.")
    return free


def _is_dear(game: str, name: str) -> bool:
    return bot_registry.admit(game, name).cost == "dear"


def _retrained(game: str, names: Sequence[str], retrain: bool | None) -> tuple[str, ...]:
    found = tuple(name for name in names if bot_registry.get(game, name).tier == TRAINED)
    if retrain and not found:
        raise InputError(f"No trained bot plays that could be re-trained, only {', '.join(names)}.")
    return () if retrain is False else found


def study(
    game: str,
    vary: str | Sequence[str],
    targets: str | Path | None = None,
    bots: Names | None = None,
    games: int | None = None,
    candidates: int | None = None,
    minutes: float | None = None,
    cards: Cards | None = None,
    seats: int | None = None,
    seed: int = 0,
    retrain: bool | None = None,
    workbook: bool = False,
    out: str | Path | None = None,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> TuneStudy:
    """Tune a card set, as in vary=["cards.Y10.value=5:15"], to the targets file `targets`, by default what is stated
    for the game's standard set, into `out`, by default a new folder under fairdeal-runs.

    Arguments as for `plan` and `result`. Raises InputError and JobError as these do.
    """
    made = plan(game, vary, targets, bots, games, cards, seats, seed, retrain)
    folder = request.new_run_folder(made.card_set.game) if out is None else on_disk(out, "a tuning")
    return result(made, folder, candidates, minutes, workbook, threads, resume, progress)


def result(
    made: TunePlan,
    folder: Path,
    candidates: int | None = None,
    minutes: float | None = None,
    workbook: bool = False,
    threads: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> TuneStudy:
    """`study` of a plan that is made, in a folder.

    The search ends after so many `candidates` (200 where neither is given) or `minutes`, or where no step is better.
    With `workbook` the card set that was found is written as a workbook, too. Raises InputError for a folder that holds
    other things, and where a candidate's figures cannot be judged; JobError as `simcore.batch.run` does.
    """
    most = CANDIDATES if candidates is None and minutes is None else candidates
    with tune_folder.writing(folder, made.entries(), resume) as log:
        tuner = _Tuner(made, folder, log, threads, most, minutes, progress)
        tuner.search_all()
        finalists = tuner.finalists()
        tuning = tuner.proof(finalists)
        card_set = tuner.edited(tuning.winner.values)
        _export(made.card_set, card_set, folder, workbook)
    return TuneStudy(folder, card_set, tuning)


def _export(base: CardSet, card_set: CardSet, folder: Path, workbook: bool) -> None:
    """Write the card set that was found, in place of one that a shorter search has left."""
    shutil.rmtree(folder / tune_folder.CARD_SET, ignore_errors=True)
    (folder / tune_folder.WORKBOOK).unlink(missing_ok=True)
    for name in (tune_folder.CARD_SET, *([tune_folder.WORKBOOK] if workbook else [])):
        cardset.export(card_set, folder / name, f"{base.name} tuned")


class _Tuner:
    """A tuning under way."""

    def __init__(
        self,
        made: TunePlan,
        folder: Path,
        log: Log,
        threads: int | None,
        most: int | None,
        minutes: float | None,
        progress: Callable[[Progress], None],
    ) -> None:
        self.made, self.folder, self.log, self.threads = made, folder, log, threads
        self.most, self.minutes, self.progress = most, minutes, progress
        self.ranges = made.ranges
        self.seed = made.plans[0].seed
        self.begin = time.perf_counter()
        self.trials: list[Trial] = []
        self.bystanders = frozenset[str]()
        self.best: Trial | None = None
        self.out_of_time = False
        base = tuple(one.values.index(one.base) for one in self.ranges)
        self.search = Search(
            [len(one.values) for one in self.ranges], base, self._price, seed_of("tune, search", self.seed)
        )

    def edited(self, values: Sequence[int]) -> CardSet:
        """The card set with these values. Raises CardSetError where the game refuses it."""
        paths = [axis.path for axis in self.made.axes]
        return vary.edited(self.made.card_set, dict(zip(paths, values, strict=True)))

    def _values(self, point: Point) -> tuple[int, ...]:
        return tuple(one.values[index] for one, index in zip(self.ranges, point, strict=True))

    def _price(self, point: Point) -> float:
        return tune.price(self.ranges, self._values(point), self.bystanders)

    def _bystanders(self, base: Trial) -> frozenset[str]:
        """The paths to rows that no target names which the card set as it is misses, where one names another's row."""
        named = self._rows(base.named)
        paths, card_set = [axis.path for axis in self.made.axes], self.made.card_set
        others = [str(path) for path in paths if not named & vary.row_names(card_set, path)]
        return frozenset(others if len(others) < len(paths) else ())

    def _rows(self, types: Sequence[str]) -> set[str]:
        """The rows that describe the cards of some types."""
        card_set = self.made.card_set
        logs = [games.get(card_set.game).log_cards(card_set, plan.seats) for plan in self.made.plans]
        return {row for log in logs for card in log if card.type in types for row in card.rows}

    # --- the search --------------------------------------------------------------------------------------------------

    def search_all(self) -> None:
        """Play candidates until the search ends, enough have been played or the time is up."""
        logged = {trial.values: trial for trial in self.log.trials}
        asking = self.search.run()
        point = next(asking)
        try:
            while not self._is_over():
                trial = logged.get(self._values(point))
                if trial is None:
                    if self._is_late():
                        self.out_of_time = True
                        return
                    trial = self._trial(point)
                    self.log.add(trial)
                self.trials.append(trial)
                if len(self.trials) == 1:
                    self.bystanders = self._bystanders(trial)
                if self.best is None or trial.cost < self.best.cost:
                    self.best = trial
                point = asking.send(trial.cost)
                self._show("searching")
        except StopIteration:
            return

    def _is_over(self) -> bool:
        return self.most is not None and len(self._played()) >= self.most

    def _played(self) -> list[Trial]:
        return [trial for trial in self.trials if trial.part]

    def _is_late(self) -> bool:
        """Whether the time is up; the card set as it is is always played."""
        return self.minutes is not None and bool(self.trials) and self._seconds > 60 * self.minutes

    @property
    def _seconds(self) -> float:
        return time.perf_counter() - self.begin

    def _show(self, stage: str) -> None:
        best = self.search.best
        edits = sum(a != b for a, b in zip(best, self.search.base, strict=True))
        miss = self.search.cost - self._price(best)
        self.progress(Progress(stage, len(self._played()), self.most, miss, edits, self._seconds))

    def _trial(self, point: Point) -> Trial:
        """Play a candidate on the deals of the search, or a part of them where it will hardly be the best."""
        values, price = self._values(point), self._price(point)
        try:
            card_set = self.edited(values)
        except CardSetError:
            return Trial(values, price, math.inf, 0.0)
        plans = [dataclasses.replace(plan, card_set=card_set) for plan in self.made.plans]
        found: list[float] = []
        with self._scratch() as place:
            for number, part in enumerate(PARTS):
                check = self._check(plans, self.made.targets, place, part)
                found.append(tune.miss(check, REACH * math.sqrt(part)))  # intervals as wide as the proof's will be
                if part < 1 and self.best is not None:
                    more = found[-1] + price - self.best.on_the_way[number] - self.best.price
                    if more > HOPELESS:
                        return Trial(values, price, self.best.cost + more - price, part, tuple(found[:-1]))
        return Trial(values, price, found[-1], 1.0, tuple(found[:-1]), tune.named(check))

    @contextmanager
    def _scratch(self) -> Iterator[Path]:
        """A folder for runs that are not kept; what a kill may have left there is removed."""
        place = self.folder / tune_folder.CANDIDATE
        shutil.rmtree(place, ignore_errors=True)
        # A name of its own: on a cluster somebody may still write what nobody waits for, of the candidate before.
        yield place / secrets.token_hex(4)
        shutil.rmtree(place, ignore_errors=True)

    def _check(self, plans: Sequence[Plan], targets: Targets, place: Path, part: float = 1.0) -> Check:
        """The check of a part of the deals of plans of one card set, played into a folder where others of them lie."""
        runs = [
            batch.run(
                plan,
                place / seats_folder.name(plan.seats),
                threads=self.threads,
                resume=True,
                blocks=math.ceil(part * plan.blocks),
            )
            for plan in plans
        ]
        return self._judged(runs, targets)

    def _judged(self, runs: Sequence[Run], targets: Targets) -> Check:
        try:
            return checks.of_runs(runs, targets, self.threads)
        except InputError as error:  # such as a target for a card by a name that an edit has changed
            raise InputError(f"card set {runs[0].manifest['card_set']['name']}: {error}") from error

    # --- fresh deals -------------------------------------------------------------------------------------------------

    def finalists(self) -> list["_Contender"]:
        """The best of the search, played on fresh deals, in the order of their rank there."""
        whole = sorted((trial for trial in self.trials if trial.whole), key=lambda trial: trial.cost)
        found = [self._contender(trial) for trial in whole[:FINALISTS]]
        return sorted(found, key=lambda one: one.finalist.rank)

    def _contender(self, trial: Trial) -> "_Contender":
        card_set = self.edited(trial.values)
        name = f"{tune_folder.FINALISTS}/{card_set.hash[:HASH]}"
        bots = self._retrain(card_set, self.folder / name)
        targets = _renamed(self.made.targets, bots)
        self._show("playing the finalists on fresh deals")
        plans = self._plans(card_set, targets, bots, "finalists", FRESH * self.made.games)
        runs = checks.play(plans, self.folder / name / tune_folder.RUN, self.threads, resume=True)
        check = self._judged(runs, targets)
        finalist = Finalist(
            values=trial.values,
            edits=tuple(cardset.diff(self.made.card_set, card_set)),
            price=trial.price,
            searched=trial.miss,
            fresh=tune.miss(check, RESERVE),
            bots=plans[0].bots,
            folder=name,
            passed=check.passed(strict=True),
        )
        return _Contender(finalist, card_set, targets, bots)

    def _plans(
        self, card_set: CardSet, targets: Targets, bots: Mapping[str, str], purpose: str, games: int
    ) -> tuple[Plan, ...]:
        """What a finalist plays on deals of their own; `bots` are those that play in place of others."""
        names = [bots.get(name, name) for name in self.made.bots]
        seats = self.made.plans[0].seats if len(self.made.plans) == 1 else None
        return checks.plans(
            card_set.game, targets, names, games, card_set, seats, seed_of(f"tune, {purpose}", self.seed)
        )

    def _retrain(self, card_set: CardSet, folder: Path) -> dict[str, str]:
        """Weights files of bots that are re-trained on a card set, by the bot's name."""
        game, seats = card_set.game, [plan.seats for plan in self.made.plans]
        found = {}
        for number, name in enumerate(self.made.retrained):
            self._show(f"re-training {name} on a finalist")
            path = folder / f"bot-{number}{weights.SUFFIX}"
            found[name] = str(path)
            if path.exists():
                continue
            words: dict[str, Any] = {"seats": seats, "cards": card_set, "games": MEASURED, "seed": self.seed}
            words |= {"out": path, "resume": True, "threads": self.threads}
            if bot_registry.get(game, name).policy is trained:
                teach.study(game, name, lessons=LESSONS, **words)
            else:
                train.study(game, name, generations=GENERATIONS, **words)
        return found

    def proof(self, contenders: Sequence["_Contender"]) -> Tuning:
        """The result: the best finalist, judged on deals that chose nothing."""
        made, winner = self.made, contenders[0]
        self._show("proving the best on fresh deals")
        plans = self._plans(winner.card_set, winner.targets, winner.bots, "proof", FRESH * made.games)
        folder = self.folder / winner.finalist.folder / tune_folder.PROOF
        check = self._judged(checks.play(plans, folder, self.threads, resume=True), winner.targets)
        return Tuning(
            game=made.card_set.game,
            card_set=made.card_set.name,
            card_set_hash=made.card_set.hash,
            ranges=self.ranges,
            seed=self.seed,
            games=made.games,
            fresh_games=plans[0].games_per_line_up,
            candidates=len(self._played()),
            given_up=sum(0 < trial.part < 1 for trial in self.trials),
            refused=sum(trial.part == 0 for trial in self.trials),
            out_of_time=self.out_of_time,
            bots=made.bots,
            retrained=made.retrained,
            base=self.trials[0],
            finalists=tuple(one.finalist for one in contenders),
            optimism=self._optimism(winner),
            check=check,
        )

    def _optimism(self, winner: "_Contender") -> Estimate:
        found = []
        for fold in range(FOLDS):
            plans = self._plans(winner.card_set, winner.targets, winner.bots, f"fold {fold}", self.made.games)
            with self._scratch() as place:
                found.append(tune.miss(self._check(plans, winner.targets, place), REACH))
        return tune.optimism(winner.finalist.searched, found, FOLDS * self.made.games)


@dataclass(frozen=True)
class _Contender:
    """A finalist with what its games need: the card set, the targets, and who plays in place of whom."""

    finalist: Finalist
    card_set: CardSet
    targets: Targets
    bots: Mapping[str, str]


def _renamed(targets: Targets, bots: Mapping[str, str]) -> Targets:
    """The targets with other bots in place of some."""

    def names(old: Sequence[str]) -> tuple[str, ...]:
        return tuple(bots.get(name, name) for name in old)

    each = tuple(dataclasses.replace(target, bots=names(target.bots)) for target in targets.targets)
    return dataclasses.replace(targets, bots=names(targets.bots), targets=each)
