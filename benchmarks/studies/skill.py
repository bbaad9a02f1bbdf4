"""Are skill and luck told apart? Made-up results of planted parts, and of none, and what the assumption costs that the
rest is that of self-play.

    python benchmarks/studies/skill.py [--replicates 1000]

Each study prints what it found and what is wanted, and the program fails if anything is missed. The tests of
`analysis.skill` hold smaller versions. Two minutes or so in all.
"""

from __future__ import annotations

import argparse
import math
import sys

import numpy as np
from scipy import special

from analysis import stats
from analysis.skill import AGAIN, COMPONENTS, SELF_PLAY, games_to_lead, skill
from benchmarks.studies.analysis_statistics import say
from tests.analysis.fake_pair import FakePair, make, pair

CASES = {
    "two seats": FakePair(),
    "two seats, repeated": FakePair(repeats=2),
    "three seats": FakePair(places=(3.0, 0.0, -3.0)),
    "four seats, repeated": FakePair(edge=1.5, places=(1.0, 0.0, 1.0, -2.0), skill_deal=4.0, repeats=3),
    "two seats, few deals": FakePair(deals=100),
}
NONE = FakePair(edge=0.0, places=(0.0, 0.0), deal=0.0, skill_deal=0.0)


def coverage(replicates: int) -> bool:
    """Intervals hold planted shares in 92 to 97.5 % of the replicates (90 % with a hundred deals), and shares are right
    in the mean, within 0.005 (ratios are a little off where deals are few).
    """
    good = True
    for case, fake in CASES.items():
        found = [skill(make(fake, seed)) for seed in range(replicates)]
        for name, truth in fake.truth.items():
            parts = [one.of(name).share for one in found]
            held = float(np.mean([part.low <= truth <= part.high for part in parts]))
            values = np.array([part.value for part in parts])
            least, near = (0.92, 0.005) if fake.deals >= 1000 else (0.90, 0.02)
            good &= say(
                f"{case}: {name} {truth:.3f} (mean {values.mean():.3f})",
                f"{held:.1%}",
                f"{least:.0%} to 97.5 %, mean within {near}",
                least <= held <= 0.975 and abs(values.mean() - truth) < near,
            )
    return good


def nothing(replicates: int) -> bool:
    """What does not exist is shown in at most 5 % of the replicates."""
    good = True
    found = [skill(make(NONE, seed)) for seed in range(replicates)]
    for name in COMPONENTS[:-1]:
        shown = sum(one.of(name).shown for one in found)
        low, _ = stats.clopper_pearson(shown, replicates, 0.99)
        good &= say(f"shown though there is none: {name}", f"{shown / replicates:.1%}", "at most 5 %", low <= 0.05)
    return good


def assumption(deals: int = 400_000) -> bool:
    """Of a win by the sign of skill + luck of the deal + dice, shares with the rest of self-play beside the true ones.

    Bots of like strength: within 0.02. For unequal ones it is printed what the assumption costs.
    """
    good = True
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(deals, 1, 2)) * [[[1, 0]]]
    luck = np.concatenate([luck[..., :1], -luck[..., :1]], axis=2)

    def wins(edge: float, repeats: int) -> np.ndarray:
        return (edge + luck + rng.normal(size=(deals, repeats, 2)) > 0) - 0.5

    for p in (0.5, 0.55, 0.65, 0.8, 0.9):
        edge = float(special.ndtri(p)) * math.sqrt(2)
        again = wins(edge, 2)
        told = again.var(axis=1, ddof=1).mean(axis=1)
        selves = wins(0.0, 2).var(axis=1, ddof=1).mean(axis=1)
        true = skill(pair(again, told, AGAIN), samples=2)
        taken = skill(pair(again[:, :1], selves, SELF_PLAY), samples=2)
        rows = {name: (true.of(name).share.value, taken.of(name).share.value) for name in COMPONENTS}
        text = ", ".join(f"{name} {a:+.3f}/{b:+.3f}" for name, (a, b) in rows.items())
        off = max(abs(a - b) for a, b in rows.values())
        wanted = "within 0.02" if p <= 0.55 else "printed only"
        good &= say(f"true/by self-play for a win share of {p}", text, wanted, p > 0.55 or off < 0.02)
    return good


def leads() -> bool:
    """A bot is ahead after the games that it is said to need in 95 % of the cases, and not after fewer."""
    good = True
    for p in (0.51, 0.55, 0.7):
        n = int(games_to_lead(p))
        ahead, before = (1 - float(special.bdtr(k // 2, k, p)) for k in (n, n - 2))
        text = f"{n:,} games: {ahead:.2%}, with two fewer {before:.2%}"
        good &= say(f"ahead with a share of {p}", text, "95 %, less", ahead >= 0.95 > before)
    rng = np.random.default_rng(1)
    for seats, p in ((3, 0.4), (3, 0.36), (4, 0.3)):
        n = int(games_to_lead(p, seats))
        ahead = float((rng.binomial(n, p, 200_000) > n / seats).mean())
        good &= say(
            f"ahead at a table of {seats} with {p}", f"{n:,} games: {ahead:.1%}", "94 to 96.5 %", 0.94 < ahead < 0.965
        )
    return good


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=1000)
    count = parser.parse_args().replicates
    results = [leads(), assumption(), nothing(count), coverage(count)]
    sys.exit(0 if all(results) else 1)
