"""Are ratings to be believed? Made-up round robins with planted strengths, ties, turn order, and games that hang
together.

    python benchmarks/studies/ratings.py [--replicates 2000]

Each study prints what it found and what is wanted, and the program fails if anything is missed. The tests of
`analysis.ratings` hold smaller versions. Some minutes in all.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections import defaultdict

import numpy as np

from analysis import ratings, stats
from analysis.ratings import Ratings, rate
from benchmarks.studies.analysis_statistics import say
from tests.analysis.fake_games import FakeGames, play

CASES = {
    "four bots, ties, turn order": FakeGames((0, 120, 200, -300), places=(60,), ties=0.3, deals=200),
    "the same, all luck in the deal": FakeGames((0, 120, 200, -300), places=(60,), ties=0.3, deals=200, luck=1.0),
    "the same, no luck in the deal": FakeGames((0, 120, 200, -300), places=(60,), ties=0.3, deals=200, luck=0.0),
    "one bot with 100 deals among 1,000": FakeGames((0, 120, 200), places=(60,), ties=0.1, deals=1000, few=(2, 100)),
    "three seats": FakeGames((0, 120, -100), seats=3, places=(60, 20), deals=100),
    "four seats": FakeGames((0, 150), seats=4, places=(60, 20, 0), deals=100),
}


def planted(fake: FakeGames, found: Ratings) -> list[tuple[str, bool]]:
    """Of each planted number, whether its interval holds it."""
    pairs = [(f"bot{i}", found.of(f"bot{i}").estimate, value) for i, value in enumerate(fake.elo) if i]
    pairs.append(("going first", found.first, fake.places[0] - sum(fake.places[1:]) / (fake.seats - 1)))
    if found.ties:
        pairs.append(("ties", found.ties, fake.ties / (2 + fake.ties)))
    return [(name, e.low <= value <= e.high) for name, e, value in pairs]


def coverage(replicates: int) -> bool:
    """Intervals hold the truth in 93 to 97 % of the round robins."""
    good = True
    for case, fake in CASES.items():
        hits: dict[str, list[bool]] = defaultdict(list)
        for seed in range(replicates):
            for name, hit in planted(fake, rate(play(fake, seed), ["bot0"])):
                hits[name].append(hit)
        for name, found in hits.items():
            share = float(np.mean(found))
            good &= say(
                f"coverage, {case}: {name}, {replicates:,} replicates",
                f"{share:.1%}",
                "93 to 97 %",
                0.93 <= share <= 0.97,
            )
    return good


def places(replicates: int) -> bool:
    """Of equal bots nobody is placed surely above another in 95 % of the round robins; of unequal ones, all sets of
    places hold the true one.
    """
    good = True
    for what, elo in (("five equal bots", (0,) * 5), ("five bots 10 points apart", (0, -10, -20, -30, -40))):
        wrong = 0
        for seed in range(replicates):
            found = rate(play(FakeGames(elo, deals=150), seed), ["bot0"])
            truth = {f"bot{i}": sum(other > value for other in elo) + 1 for i, value in enumerate(elo)}
            last = {f"bot{i}": len(elo) - sum(other < value for other in elo) for i, value in enumerate(elo)}
            wrong += any(r.places[0] > truth[r.name] or r.places[1] < last[r.name] for r in found.bots)
        low, _ = stats.clopper_pearson(wrong, replicates, 0.99)
        good &= say(f"a place is wrong, {what}", f"{wrong / replicates:.1%}", "5 % or less, within error", low <= 0.05)
    return good


def bounds(replicates: int) -> bool:
    """The bound of a bot that lost everything is too low in at most 5 % of the round robins."""
    good = True
    for truth in (-600, -700, -800):
        lost = [rate(play(FakeGames((0, truth), deals=50), seed), ["bot0"]) for seed in range(replicates)]
        found = [r.of("bot1") for r in lost if r.of("bot1").status == ratings.LOST_ALL]
        wrong = sum(rating.estimate.high < truth for rating in found)
        what = f"bound below the truth of {truth}: {len(found):,} of {replicates:,} lost everything"
        good &= say(what, f"{wrong / replicates:.1%}", "at most 5 %", wrong <= 0.05 * replicates)
    return good


def clones(replicates: int) -> bool:
    """Adding a clone moves the ratings of the rest by nothing on average, and less than their error."""
    fake = FakeGames((0, 150, -80), places=(40,), ties=0.1, deals=300)
    twice = dataclasses.replace(fake, elo=(0, 150, -80, 150))
    moved, errors = [], []
    for seed in range(replicates):
        alone, more = (rate(play(one, seed), ["bot0"]) for one in (fake, twice))
        moved.append([more.of(n).estimate.value - alone.of(n).estimate.value for n in ("bot1", "bot2")])
        errors.append([alone.of(n).estimate.se for n in ("bot1", "bot2")])
    mean, sd, error = np.mean(moved, axis=0), np.std(moved, axis=0), np.mean(errors, axis=0)
    far = np.abs(mean) / (sd / np.sqrt(replicates))
    text = "; ".join(f"by {m:+.2f}, spread {s:.1f}, error {e:.1f}" for m, s, e in zip(mean, sd, error, strict=True))
    return say(
        "a clone moves the others",
        text,
        "0 on average, less than the error",
        bool((far < 3).all() and (sd < error).all()),
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=2000)
    count = parser.parse_args().replicates
    results = [coverage(count), places(count // 2), bounds(count // 2), clones(count // 4)]
    sys.exit(0 if all(results) else 1)
