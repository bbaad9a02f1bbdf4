"""Made-up results of a pair of bots, of parts that are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.pieces import UnitSums
from analysis.skill import AGAIN, COMPONENTS, PLACES, SELF_PLAY, Pair, What, rows


@dataclass(frozen=True)
class FakePair:
    """What to make up, in points: the edge of the bot, what each place is worth, and the standard deviations of the
    other parts. With one repeat the rest is told by self-play.
    """

    edge: float = 3.0
    places: tuple[float, ...] = (2.0, -2.0)
    deal: float = 6.0
    skill_deal: float = 2.0
    rest: float = 8.0
    deals: int = 1000
    repeats: int = 1

    @property
    def truth(self) -> dict[str, float]:
        """The share of each part."""
        parts = [self.edge**2, np.mean(np.square(self.places)), self.deal**2, self.skill_deal**2, self.rest**2]
        return dict(zip(COMPONENTS, (np.array(parts) / sum(parts)).tolist(), strict=True))


def results(fake: FakePair, seed: int) -> tuple[np.ndarray, np.ndarray, str]:
    """Results (deals, repeats, places), the rest by deal, and where it was measured."""
    rng = np.random.default_rng(seed)
    n, shape = len(fake.places), (fake.deals, fake.repeats, len(fake.places))
    luck = rng.normal(size=(fake.deals, 1, n))
    luck = (luck - luck.mean(axis=2, keepdims=True)) * fake.deal * np.sqrt(n / (n - 1))
    y = fake.edge + np.array(fake.places) + luck
    y = y + rng.normal(0, fake.skill_deal, (fake.deals, 1, 1)) + rng.normal(0, fake.rest, shape)
    if fake.repeats > 1:
        rest, rest_from = y.var(axis=1, ddof=1).mean(axis=1), AGAIN
    else:
        selves = rng.normal(0, fake.rest, (2, fake.deals, n, n)).var(axis=2, ddof=1).mean(axis=2)
        rest, rest_from = (selves[0] + (n - 1) * selves[1]) / n, SELF_PLAY
    return y, rest, rest_from


def make(fake: FakePair, seed: int) -> Pair:
    return pair(*results(fake, seed), "margin")


def pair(results: np.ndarray, rest: np.ndarray | None, rest_from: str | None, what: What = "share") -> Pair:
    deals, repeats, places = results.shape
    sums = UnitSums(deals, PLACES + places)
    sums.add(rows(results, rest))
    return Pair("a", "b", what, "share" if what == "share" else "points", sums, repeats, rest_from, 0.0)
