"""Is the game of choosing a bot to be believed? Made-up match-ups with planted cycles, mixtures and counters, and none.

    python benchmarks/studies/meta.py [--replicates 1000]

Each study prints what it found and what is wanted, and the program fails if anything is missed. The tests of
`analysis.meta` hold smaller versions. Ten minutes or so in all, most of them for the equilibria.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np

from analysis import stats
from analysis.meta import alpha_rank, counters, cyclic, edges, intransitivity, meta, nash
from benchmarks.studies.analysis_statistics import say
from tests.analysis.fake_field import from_log_odds, from_strengths, made

CYCLE = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / 5
WEIGHTED = np.array([[0, -1, 2], [1, 0, -3], [-2, 3, 0]]) * 0.3


def grown(game: np.ndarray, like: int) -> np.ndarray:
    """A game with another bot of the same play at the end."""
    again = [*range(len(game)), like]
    return game[np.ix_(again, again)]


def no_cycles(replicates: int) -> bool:
    """Ladders are called cyclic in 5 % of the cases by the test, and by the interval in no more."""
    good = True
    ladders = {3: [0.5, 0.0, -0.5], 6: [0.8, 0.5, 0.2, 0.0, -0.4, -1.2]}
    for bots, strengths in ladders.items():
        for seats in (2, 3):
            shares = from_strengths(strengths, seats)
            found = [intransitivity(made(shares, 500, seed, seats), 200) for seed in range(replicates)]
            wrong = sum(one.p < 0.05 for one in found)
            low, high = stats.clopper_pearson(wrong, replicates, 0.99)
            what = f"ladder of {bots}, {seats} seats"
            good &= say(f"called cyclic, {what}", f"{wrong / replicates:.1%}", "5 %", low <= 0.05 <= high)
            above = sum(one.share.low > 0 for one in found)
            good &= say(
                f"interval above 0, {what}",
                f"{above / replicates:.1%}",
                "at most 5 %",
                stats.clopper_pearson(above, replicates, 0.99)[0] <= 0.05,
            )
            mean = float(np.mean([one.share.value for one in found]))
            good &= say(f"mean intransitive share, {what}", f"{mean:+.4f}", "0", abs(mean) < 0.005)
    return good


def some_cycles(replicates: int) -> bool:
    """Intervals hold a planted intransitive share in 92 to 98 % of the cases."""
    good = True
    ladder = np.subtract.outer([0.5, 0.2, 0, -0.4], [0.5, 0.2, 0, -0.4])
    for size in (0.5, 1.0, 2.0, 4.0):
        odds = ladder.copy()
        odds[:3, :3] += CYCLE * size
        truth = float((cyclic(odds) ** 2).sum() / (odds**2).sum())
        found = [intransitivity(made(from_log_odds(odds), 1000, seed), 300).share for seed in range(replicates)]
        held = float(np.mean([one.low <= truth <= one.high for one in found]))
        what = f"coverage of an intransitive share of {truth:.3f} (mean {np.mean([one.value for one in found]):.3f})"
        good &= say(what, f"{held:.1%}", "92 to 98 %", 0.92 <= held <= 0.98)
    return good


def mixtures(replicates: int) -> bool:
    """Intervals of Nash masses hold a planted mixture of three bots in 92 to 98 % of the cases."""
    truth = nash(edges(from_log_odds(WEIGHTED)))
    held = np.zeros(3)
    for seed in range(replicates):
        table = meta(made(from_log_odds(WEIGHTED), 2000, seed), samples=200, alphas=[1.0]).nash
        held += (table["low"].to_numpy() <= truth) & (truth <= table["high"].to_numpy())
    text = ", ".join(f"{x:.1%}" for x in held / replicates)
    good = bool(((held / replicates >= 0.92) & (held / replicates <= 0.98)).all())
    return say(f"coverage of Nash masses {np.round(truth, 3)}, {replicates} replicates", text, "92 to 98 %", good)


def doubles(replicates: int) -> bool:
    """A second bot of the same play, with luck of its own: the Nash mass of the two is that of the one."""
    one, two = [], []
    for seed in range(replicates):
        for shares, sums in ((WEIGHTED, one), (grown(WEIGHTED, 0), two)):
            mass = nash(edges(made(from_log_odds(shares), 2000, seed).shares()))
            sums.append(mass[0] + mass[3:].sum())
    apart = float(np.mean(two) - np.mean(one))
    error = float(np.std(np.subtract(two, one)) / np.sqrt(replicates))
    good = say(
        "Nash mass of two bots of the same play less that of one",
        f"{apart:+.4f} (error {error:.4f})",
        "0, within 0.02",
        abs(apart) < 0.02,
    )
    more = alpha_rank(edges(from_log_odds(grown(CYCLE, 0))), 1e4)
    print(f"     alpha-rank of rock, paper, scissors and a second rock: {np.round(more, 3)}")
    return good


def best_counters(replicates: int) -> bool:
    """The interval of the best of several counters holds that counter's true share in 95 % of the cases or more."""
    good = True
    cases: dict[str, Callable[[], np.ndarray]] = {
        "six equal bots": lambda: from_strengths([0.0] * 6),
        "a ladder of six": lambda: from_strengths([0.3, 0.2, 0.1, 0.0, -0.1, -0.2]),
    }
    for what, shares in cases.items():
        truth, missed, beats, n = shares(), 0, 0, 0
        for seed in range(replicates):
            for counter in counters(made(truth, 500, seed), 10):
                real = truth[int(counter.counter[3:]), int(counter.bot[3:])]
                missed += not counter.share.low <= real <= counter.share.high
                beats += counter.beats and real <= 0.5
                n += 1
        good &= say(
            f"best counter outside its interval, {what}", f"{missed / n:.1%}", "at most 5 %", missed <= 0.055 * n
        )
        good &= say(f"wrongly said to beat, {what}", f"{beats / n:.1%}", "at most 5 %", beats <= 0.055 * n)
    return good


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=1000)
    count = parser.parse_args().replicates
    results = [
        no_cycles(count), some_cycles(count), best_counters(count // 2), doubles(count // 2), mixtures(count // 2),
    ]  # fmt: skip
    sys.exit(0 if all(results) else 1)
