"""Teaching a net what lessons say: least squares on the leads of options over the expert's choice.

A lesson counts by how sure it is: the variance of a mean of n worlds falls with n, and what the net cannot know from
its inputs counts as much as the error of MANY worlds. Minimised by L-BFGS with a ridge that falls with the number of
lessons. A share of the deals is kept apart, to measure what the net is worth. The same lessons give the same weights,
whatever the number of threads.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import minimize

from strategies.lessons import MANY, Lessons
from strategies.trained import (
    BEHIND,
    EXTRAS,
    KNOWN,
    OWN,
    UNITS,
    UNKNOWN,
    WIDTH,
    add_input,
    add_inputs,
    add_position,
    result,
)

Vector = NDArray[np.float64]

APART = 0.15  # the share of the deals that are kept apart
RIDGE = 100.0  # for each lesson
STEPS = 300  # of the minimisation
REACH = 10.0  # points by which the expert's estimate of an option may be behind
DOUBTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0)  # points by which an option must be ahead
PORTION = 2048  # decisions in one go


@dataclass(frozen=True)
class Gain:
    """What a decision gains by a net on deals kept apart: points, with their standard error, and the share of decisions
    in which the net does not follow the expert.
    """

    points: float
    error: float
    changed: float


@dataclass(frozen=True)
class Taught:
    """A net as `strategies.trained` lays it out. `gains` is what it is worth by how far ahead an option must be (each
    of DOUBTS), `lessons` how many it has learned from.
    """

    net: Vector
    reach: float
    gains: Mapping[float, Gain]
    lessons: int


# --- What the net says of lessons ------------------------------------------------------------------------------------


@njit
def add_option(weights, features, behind, is_known, is_own, units):
    """Add the inputs of one option to the sums of the units, as `strategies.trained.appraise` does."""
    actions = features.shape[0]
    add_inputs(weights, 0, 0, features, actions, units)
    if is_own:
        add_input(weights, 0, actions + OWN, 1.0, units)
    if is_known:
        add_input(weights, 0, actions + KNOWN, 1.0, units)
        add_input(weights, 0, actions + BEHIND, behind, units)


@njit(nogil=True)
def appraise_all(weights, kinds, start, count, own, kind, position, features, behind, known, points, sums):
    """What the net says of all options, into `points`; the sums of the units, of each option a row, into `sums`."""
    actions, positions = features.shape[1], position.shape[1]
    out = (actions + EXTRAS + kinds + positions + 1) * WIDTH
    shared = np.empty(WIDTH)
    for d in range(len(count)):
        shared[:] = 0.0
        add_position(weights, 0, actions, kinds, kind[d], position[d], positions, shared)
        for i in range(start[d], start[d] + count[d]):
            sums[i] = shared
            add_option(weights, features[i], behind[i], known[i], i == start[d] + own[d], sums[i])
            points[i] = result(weights, out, sums[i])


@njit
def push(slope, place, value, pull):
    """The derivative by what input number `place` adds, where `pull` is that by the sums."""
    for unit in range(WIDTH):
        slope[place * WIDTH + unit] += value * pull[unit]


@njit(nogil=True)
def error_of(weights, kinds, start, count, own, kind, position, features, behind, known, lead, worth, slope):
    """The sum of squared errors, each times its `worth`; its derivative by the weights into `slope`."""
    actions, positions = features.shape[1], position.shape[1]
    inputs = actions + EXTRAS + kinds + positions + 1
    rows = start[-1] + count[-1] - start[0]
    points, sums = np.empty(rows), np.empty((rows, WIDTH))
    first = start[0]
    appraise_all(weights, kinds, start - first, count, own, kind, position, features, behind, known, points, sums)
    pull, shared, total = np.empty(WIDTH), np.empty(WIDTH), 0.0
    for d in range(len(count)):
        begin = start[d] - first
        mine, back = begin + own[d], 0.0
        shared[:] = 0.0
        for turn in range(count[d]):
            i = begin + (own[d] + 1 + turn) % count[d]  # the own choice comes last
            if i == mine:
                push_by = -back
            else:
                wrong = points[i] - points[mine] - lead[i]
                total += worth[i] * wrong * wrong
                push_by = 2.0 * worth[i] * wrong
                back += push_by
            if push_by == 0.0:
                continue
            pull[UNITS] = push_by
            for unit in range(UNITS):
                is_on = sums[i, unit] > 0.0
                pull[unit] = push_by * weights[inputs * WIDTH + unit] if is_on else 0.0
                slope[inputs * WIDTH + unit] += push_by * sums[i, unit] if is_on else 0.0
            for unit in range(WIDTH):
                shared[unit] += pull[unit]
            for feature in range(actions):
                if features[i, feature] != 0.0:
                    push(slope, feature, features[i, feature], pull)
            if i == mine:
                push(slope, actions + OWN, 1.0, pull)
            if known[i]:
                push(slope, actions + KNOWN, 1.0, pull)
                push(slope, actions + BEHIND, behind[i], pull)
        place = actions + EXTRAS
        push(slope, place + kind[d], 1.0, shared)
        for feature in range(positions):
            if position[d, feature] != 0.0:
                push(slope, place + kinds + feature, position[d, feature], shared)
        push(slope, place + kinds + positions, 1.0, shared)
    return total


# --- Lessons in the units of the net ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Book:
    """Lessons in which every input has a mean square of 1, and every lead, without options out of reach.

    `size` is what each input was divided by, `unit` what the leads were.
    """

    deal: Any
    start: Any
    count: Any
    own: Any
    kind: Any
    position: Any
    features: Any
    behind: Any
    known: Any
    lead: Any
    worth: Any
    kinds: int
    size: Vector
    unit: float

    def decisions(self, chosen: Any) -> "list[tuple[Any, ...]]":
        """The arguments of `error_of` for the chosen decisions, in portions."""
        places = np.flatnonzero(chosen)
        edges = [*range(0, len(places), PORTION), len(places)]
        return [self._portion(places[a:b]) for a, b in pairwise(edges) if a < b]

    def _portion(self, places: Any) -> tuple[Any, ...]:
        count = self.count[places]
        rows = np.concatenate([np.arange(a, a + n) for a, n in zip(self.start[places], count, strict=True)])
        decision = (np.cumsum(count) - count, count, self.own[places], self.kind[places], self.position[places])
        options = (self.features[rows], self.behind[rows], self.known[rows], self.lead[rows], self.worth[rows])
        return (self.kinds, *decision, *options)


def _root_mean_square(values: Any) -> Vector:
    found = np.sqrt((np.asarray(values, np.float64) ** 2).mean(axis=0))
    return np.where(found == 0, 1.0, found)


def _book(lessons: Lessons, kinds: int) -> _Book:
    start = np.cumsum(lessons.count) - lessons.count
    mine = np.repeat(start + lessons.own, lessons.count)
    behind = lessons.estimate[mine] - lessons.estimate
    known = (lessons.estimate != UNKNOWN) & (lessons.estimate[mine] != UNKNOWN)
    behind = np.where(known, behind, 0.0)
    is_own = np.arange(len(mine)) == mine
    kept = is_own | (behind <= REACH)
    decision = np.repeat(np.arange(len(start)), lessons.count)
    count = np.bincount(decision[kept], minlength=len(start))
    own = lessons.own - np.bincount(decision[~kept & (np.arange(len(mine)) < mine)], minlength=len(start))
    features, position, lead = lessons.features[kept], lessons.position, lessons.lead[kept].astype(np.float64)
    behind, known, is_own = behind[kept], known[kept], is_own[kept]
    worth = np.where(is_own, 0.0, 1.0 / (1.0 / lessons.worlds[kept] + 1.0 / MANY))
    worth /= worth.sum()
    unit = float(np.sqrt((worth * lead**2).sum())) or 1.0
    sizes = [_root_mean_square(features), _root_mean_square(behind[:, None]), np.ones(EXTRAS - 1 + kinds)]
    size = np.concatenate([*sizes, _root_mean_square(position), [1.0]])
    actions = features.shape[1]
    return _Book(
        deal=lessons.deal,
        start=np.cumsum(count) - count,
        count=count,
        own=own,
        kind=lessons.kind,
        position=(position / size[actions + EXTRAS + kinds : -1]).astype(np.float32),
        features=(features / size[:actions]).astype(np.float32),
        behind=behind / size[actions],
        known=known,
        lead=lead / unit,
        worth=worth,
        kinds=kinds,
        size=size,
        unit=unit,
    )


# --- Teaching --------------------------------------------------------------------------------------------------------


def teach(pool: Executor, lessons: Lessons, kinds: int, seed: int, progress: Callable[[int], None]) -> Taught:
    """A net for a game with so many kinds of decisions; `progress` is told after every step."""
    book = _book(lessons, kinds)
    order = np.unique(book.deal)
    apart = np.isin(book.deal, order[len(order) - max(1, round(APART * len(order))) :])
    portions = book.decisions(~apart)
    inputs = len(book.size)
    noise = np.random.Generator(np.random.PCG64(seed))
    weights = np.zeros(inputs * WIDTH + UNITS)
    units = weights[: inputs * WIDTH].reshape(inputs, WIDTH)
    units[:, :UNITS] = noise.standard_normal((inputs, UNITS)) * 0.5 / np.sqrt(inputs)
    weights[inputs * WIDTH :] = noise.standard_normal(UNITS) * 0.1
    ridge = RIDGE / max(1, len(book.count))
    steps = [0]

    def loss(weights: Vector) -> tuple[float, Vector]:
        slopes = [np.zeros(len(weights)) for _ in portions]
        totals = list(pool.map(lambda part, slope: error_of(weights, *part, slope), portions, slopes))
        steps[0] += 1
        progress(steps[0])
        slope = np.sum(slopes, axis=0) + 2 * ridge * weights
        return float(np.sum(totals) + ridge * weights @ weights), slope

    found = minimize(loss, weights, jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "maxcor": 20}).x
    net = found.copy()
    net[: inputs * WIDTH] = (found[: inputs * WIDTH].reshape(inputs, WIDTH) / book.size[:, None]).ravel()
    net[: inputs * WIDTH].reshape(inputs, WIDTH)[:, UNITS] *= book.unit
    net[inputs * WIDTH :] *= book.unit
    return Taught(net, REACH, _gains(book, book.decisions(apart), found), int((~apart).sum()))


def _gains(book: _Book, portions: list[tuple[Any, ...]], weights: Vector) -> dict[float, Gain]:
    """What decisions gain, for each of DOUBTS."""
    gains: dict[float, list[Vector]] = {doubt: [] for doubt in DOUBTS}
    for part in portions:
        kinds, start, count, own, kind, position, features, behind, known, lead, _ = part
        points, sums = np.empty(len(lead)), np.empty((len(lead), WIDTH))
        appraise_all(weights, kinds, start, count, own, kind, position, features, behind, known, points, sums)
        mine = start + own
        for doubt, found in gains.items():
            judged = points.copy()
            judged[mine] += doubt / book.unit
            best = np.array([a + judged[a : a + n].argmax() for a, n in zip(start, count, strict=True)])
            found.append(lead[best] * book.unit)
    return {doubt: _gain(np.concatenate(found)) for doubt, found in gains.items()}


def _gain(points: Vector) -> Gain:
    error = float(points.std(ddof=1) / np.sqrt(len(points))) if len(points) > 1 else np.nan
    return Gain(float(points.mean()), error, float((points != 0).mean()))
