"""Which edits of a card set to try next, of many values that may vary, where few edits are wanted.

A search that changes all values at a time, as CMA-ES does, finds an edit of one value among twenty late, and hides it
among nineteen others that only cost. So the search goes from few edits to many:

1. each value alone, moved by the same share of its range up and down: which of them move the targets, and how fast;
2. the values that helped most, each alone, further and back in steps that are halved when none is better: else the
   first edit that meets the targets would stand in the way of a smaller one of another value;
3. pattern search (Hooke and Jeeves 1961) from the best: the same with those values one after the other, on top of the
   edits that are there, or back to what they were; it ends where no single step is better;
4. only where a target is still missed, CMA-ES (Hansen 2016) with its handling of whole numbers, over the values that
   helped most, for edits that only help together;
5. pattern search again from the best, which takes back what is not needed.

A candidate whose price alone is as high as the cost of the best is never played, once each value has been tried: it
cannot be better. So once the targets are met by one edit, no pair of edits is played any more. Everything follows from
the costs and the seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence

import numpy as np

Point = tuple[int, ...]
"""A candidate: the index of its value in each range."""
Asking = Generator[Point, float, None]
"""Yields candidates that are to be played, and is sent what each costs."""

FIRST_STEP = 4  # the first step of pattern search is a range divided by this
TOGETHER = 6  # values that helped most, with which the steps after the first are made
WORST = 1e9  # what CMA-ES is told of card sets that cannot be played


class Search:
    """The search. `sizes` are the numbers of values of each range, `base` the card set as it is; `price` is the part of
    a candidate's cost that is known without playing. `run()` proposes, and `best` is the best that was played.
    """

    def __init__(self, sizes: Sequence[int], base: Point, price: Callable[[Point], float], seed: int) -> None:
        self.sizes = tuple(sizes)
        self.base = base
        self.best = base
        self.price = price
        self.costs: dict[Point, float] = {}
        self._noise = np.random.Generator(np.random.PCG64(seed))
        self._helped = [math.inf] * len(self.sizes)  # the least cost of each value edited alone

    @property
    def cost(self) -> float:
        """The cost of the best."""
        return self.costs.get(self.best, math.inf)

    @property
    def met(self) -> bool:
        """Whether the best costs no more than its edits."""
        return self.cost <= self.price(self.best)

    def run(self) -> Asking:
        """All proposals, the card set as it is first. Ends where no step from the best is better."""
        yield from self._ask(self.base)
        yield from self._screen()
        yield from self._alone()
        yield from self._descend()
        if not self.met and len(self.sizes) > 1:  # one value has been searched to the end
            yield from self._evolve()
            yield from self._descend()

    def _ask(self, point: Point) -> Asking:
        """Have a candidate played, unless its cost is known or it cannot be better than the best."""
        if point in self.costs or self.price(point) >= self.cost:
            return
        yield from self._play(point)

    def _play(self, point: Point) -> Asking:
        self.costs[point] = yield point
        if self.costs[point] < self.cost:
            self.best = point

    def _screen(self) -> Asking:
        """Try each value alone, whatever its price: what is to be known is how fast it helps."""
        if self.met:
            return
        for axis, size in enumerate(self.sizes):
            here, step = self.base[axis], self._first_step(axis)
            for there in dict.fromkeys((max(here - step, 0), min(here + step, size - 1))):
                point = _moved(self.base, axis, there)
                if point not in self.costs:
                    yield from self._play(point)
                    self._helped[axis] = min(self._helped[axis], self.costs[point])

    def _first_step(self, axis: int) -> int:
        return max(1, round(self.sizes[axis] / FIRST_STEP))

    def _alone(self) -> Asking:
        """Take each of the values that helped most to its own best, with all others as they are."""
        for axis in self._useful():
            known = [point for point in self.costs if point == _moved(self.base, axis, point[axis])]
            here, step = min(known, key=self.costs.__getitem__), self._first_step(axis)
            while step:
                before = here
                for there in (here[axis] + step, here[axis] - step):
                    point = _moved(self.base, axis, there)
                    if 0 <= there < self.sizes[axis]:
                        yield from self._ask(point)
                        here = min(here, point, key=lambda one: self.costs.get(one, math.inf))
                if here == before:
                    step //= 2

    def _useful(self) -> list[int]:
        """The values that are edited in the best, then those that helped most."""
        order = sorted(range(len(self.sizes)), key=lambda axis: (self._helped[axis], axis))
        edited = [axis for axis in order if self.best[axis] != self.base[axis]]
        others = [axis for axis in order if axis not in edited]
        return (edited + others)[: max(TOGETHER, len(edited))]

    def _descend(self) -> Asking:
        share = 1.0 / FIRST_STEP
        while True:
            before = self.cost
            for axis in self._useful():
                step = max(1, round(share * self.sizes[axis]))
                here = self.best[axis]
                for there in (self.base[axis], here + step, here - step):
                    if 0 <= there < self.sizes[axis]:
                        yield from self._ask(_moved(self.best, axis, there))
            if self.cost < before:
                continue
            if share * max(self.sizes) <= 1:
                return
            share /= 2

    def _evolve(self) -> Asking:
        """CMA-ES from the best until it ends of itself, or a candidate meets the targets."""
        import cma  # it takes half a second, and few searches come here

        axes = self._useful()[: max(2, TOGETHER)]
        sizes = [self.sizes[axis] for axis in axes]
        start = self.best
        options = {
            "seed": np.nan,  # the search takes its chances from us, so that nobody else's use of numpy changes them
            "randn": lambda *shape: self._noise.standard_normal(shape),
            "verbose": -9,
            "integer_variables": list(range(len(axes))),
            "bounds": [[-0.5] * len(axes), [size - 0.5 for size in sizes]],
            "CMA_stds": [max(1.0, size / FIRST_STEP) for size in sizes],
        }
        search = cma.CMAEvolutionStrategy([float(start[axis]) for axis in axes], 1.0, options)
        while not search.stop() and not self.met:
            asked = search.ask()
            costs = []
            for one in asked:
                point = start
                for axis, place, size in zip(axes, one, sizes, strict=True):
                    point = _moved(point, axis, int(min(max(round(float(place)), 0), size - 1)))
                yield from self._ask(point)
                costs.append(min(self.costs.get(point, self.price(point)), WORST))
            search.tell(asked, costs)


def _moved(point: Point, axis: int, there: int) -> Point:
    return (*point[:axis], there, *point[axis + 1 :])
