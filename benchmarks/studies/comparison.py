"""Are the verdicts on two card sets to be believed? Planted changes and none, and tests that look during play.

    python benchmarks/studies/comparison.py

Each study prints what it found and what is wanted, and the program fails if anything is missed. The tests of
`analysis.comparison` and `analysis.sequential` hold smaller versions. Some minutes in all.
"""

from __future__ import annotations

import dataclasses
import math
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from analysis import sequential, stats
from analysis.comparison import Comparison, compare
from analysis.sequential import MarginSequence, Sprt, State
from benchmarks.studies.analysis_statistics import say
from tests.analysis.fake_run import FakeBot, FakeRun, write

LUCK, NOISE, LOUDER = 10.0, 12.0, 13.0
ROUNDING = 1 / 12  # variance that rounding to whole points adds
ONE = FakeRun(bots=(FakeBot("a", "expert"),), line_ups=((0, 0),), luck_sd=LUCK, noise_sd=NOISE, log="games")


def replicates(folder: Path, base: FakeRun, variant: FakeRun, count: int, deals: int) -> Iterator[Comparison]:
    """Comparisons of two made-up sets on so many deals each, a shard for a comparison."""
    runs = [
        write(folder / arm, dataclasses.replace(fake, blocks=count * deals, blocks_per_shard=deals))
        for arm, fake in (("a", base), ("b", variant))
    ]
    for number in runs[0].shards:
        one = [dataclasses.replace(run, shards={number: run.shards[number]}) for run in runs]
        yield compare(*one, threads=1)


def coverage(folder: Path, count: int = 1000, deals: int = 500) -> bool:
    """Planted changes are covered by their intervals in 93 to 97 % of the replicates."""
    sd = math.sqrt(2 * (LUCK**2 + NOISE**2 + ROUNDING))
    points = float(special.ndtri(0.52)) * sd
    first = dataclasses.replace(ONE, first_points=points)
    louder = dataclasses.replace(ONE, noise_sd=LOUDER)
    spread, loud_spread = (math.sqrt(LUCK**2 + noise**2 + ROUNDING) for noise in (NOISE, LOUDER))
    apart, loud = (dataclasses.replace(fake, noise_seed=9) for fake in (first, louder))
    change = loud_spread - spread
    cases = [
        ("going first +2 pp, same deals, same noise", first, "order_share", "0", 0.02),
        ("going first +2 pp, same deals", apart, "order_share", "0", 0.02),
        ("points of going first, same deals", apart, "order_margin", "0", points),
        ("spread of the score, same deals", loud, "score_spread", "a", change),
        ("spread of the margin, same deals", loud, "margin_spread", "a", math.sqrt(2) * change),
    ]
    good = True
    for i, (what, variant, measure, subject, truth) in enumerate(cases):
        hits, ratios = 0, []
        for found in replicates(folder / str(i), ONE, variant, count, deals):
            row = found.rows.filter(measure=measure, subject=subject).row(0, named=True)
            hits += row["low"] <= truth <= row["high"]
            ratios.append(row["variance_ratio"])
        text = f"{hits / count:.1%}; variance ratio {np.median(ratios):.1f}"
        what = f"coverage of {what}, {count:,} replicates of {deals} deals"
        good &= say(what, text, "93 to 97 %", 0.93 <= hits / count <= 0.97)
    return good


def null_cards(folder: Path, count: int = 500, deals: int = 600) -> bool:
    """Two sets that play by the same law on the same deals: how often is any card said to have changed?"""
    base = dataclasses.replace(ONE, log="cards", effects={"yellow-10": 3.0, "blue-2": -3.0})
    flagged: dict[str, int] = {}
    inside = total = 0
    for found in replicates(folder, base, dataclasses.replace(base, noise_seed=9), count, deals):
        cards = found.rows.filter(pl.col("q").is_not_null(), pl.col("p") < 1)
        inside += int(((cards["low"] <= 0) & (cards["high"] >= 0)).sum())
        total += len(cards)
        for (measure,), family in cards.group_by("measure"):
            flagged[str(measure)] = flagged.get(str(measure), 0) + bool((family["q"] <= 0.05).any())
    good = say(
        f"intervals of {total:,} changes of cards that are none",
        f"{inside / total:.1%}",
        "93 to 97 %",
        0.93 <= inside / total <= 0.97,
    )
    for measure, wrong in sorted(flagged.items()):
        good &= errors(f"null comparisons of {deals} deals that find any card by {measure}", wrong, count)
    return good


# --- sequential tests ------------------------------------------------------------------------------------------------

RUNS, BUDGET, MARGIN = 2000, 200_000, 0.01
VALUES = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])  # differences of a win share between the arms of a block
LOOKS: list[int] = []
while not LOOKS or LOOKS[-1] < BUDGET:
    LOOKS.append(sequential.next_look(LOOKS[-1] if LOOKS else 0, BUDGET, 1.05))


def streams(mean: float) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Means and variances at all looks of RUNS tests in which the arms differ by `mean`."""
    rng = np.random.default_rng(1)
    law = np.array([0.02, 0.08 - mean, 0.8, 0.08 + mean, 0.02])
    n = np.array(LOOKS)
    for _ in range(RUNS):
        counts = np.array([rng.multinomial(k, law) for k in np.diff(n, prepend=0)]).cumsum(axis=0)
        means = counts @ VALUES / n
        yield means, counts @ VALUES**2 / n - means**2


def ends(make: Callable[[], Sprt | MarginSequence], mean: float) -> tuple[list[State], float]:
    """How the tests end, and the mean number of deals that they take."""
    states, deals = [], 0
    for means, variances in streams(mean):
        test = make()
        for look in zip(LOOKS, means.tolist(), variances.tolist(), strict=True):
            if test.look(*look).final:
                break
        states.append(test.state)
        deals += test.n
    return states, deals / RUNS


def errors(what: str, wrong: int, of: int) -> bool:
    """Whether the 99 % interval of an error rate reaches down to 5 %."""
    low, high = stats.clopper_pearson(wrong, of, 0.99)
    text = f"{wrong / of:.2%} (99 % interval {low:.1%} to {high:.1%})"
    return say(what, text, "interval down to 5 %", low <= 0.05)


def sprt() -> bool:
    """Error rates of the SPRT of "1 pp more" against "no difference", at both."""
    good = True
    for mean, wrong in ((0.0, State.H1), (MARGIN, State.H0)):
        states, deals = ends(lambda: Sprt(BUDGET, s0=0.0, s1=MARGIN), mean)
        left = states.count(State.UNDECIDED)
        what = f"SPRT 0 or +1 pp, truth {mean * 100:+.1f} pp: wrong ({deals:,.0f} deals on average, {left} undecided)"
        good &= errors(what, states.count(wrong), RUNS)
    return good


def normalised() -> bool:
    """Error rates of the normalised SPRT on pairs of games, nElo [0, 20], at both."""
    good = True
    t = [sequential.normalised(elo) for elo in (0.0, 20.0)]
    sd = math.sqrt(float(np.array([0.02, 0.08, 0.8, 0.08, 0.02]) @ (VALUES / 2) ** 2))  # of a pair's mean result
    for i, wrong in ((0, State.H1), (1, State.H0)):
        rng = np.random.default_rng(2)
        mean = 0.5 + t[i] * sd
        law = np.array([0.02, 0.08, 0.8, 0.08, 0.02]) + (mean - 0.5) * np.array([0, -2, 0, 2, 0])
        mistakes = 0
        for _ in range(RUNS):
            test, counts = Sprt(BUDGET, s0=t[0], s1=t[1], by_sd=True), np.zeros(5)
            for k in np.diff(LOOKS, prepend=0):
                counts += rng.multinomial(k, law)
                n, mu, variance = sequential.pentanomial(counts)
                if test.look(round(n), mu, variance).final:
                    break
            mistakes += test.state is wrong
        good &= errors(f"SPRT nElo 0 or 20, truth {20 * i}: wrong", mistakes, RUNS)
    return good


def margin() -> bool:
    """Error rates of "within ±1 pp or beyond it?", and what the answer costs beside a test of a fixed size."""
    good = True
    variance = float(np.array([0.02, 0.08, 0.8, 0.08, 0.02]) @ VALUES**2)
    for mean, wrong in (
        (0.0, (State.H1,)), (MARGIN / 2, (State.H1,)), (MARGIN, (State.H0, State.H1)), (2 * MARGIN, (State.H0,)),
    ):  # fmt: skip
        states, deals = ends(lambda: MarginSequence(BUDGET, margin=MARGIN, rare=1.0), mean)
        decided = RUNS - states.count(State.UNDECIDED)
        gap = abs(abs(mean) - MARGIN)
        fixed = f"; fixed size {((1.645 + 1.645) / gap) ** 2 * variance:,.0f}" if gap else ""
        cost = f"{deals:,.0f} deals on average{fixed}; {decided / RUNS:.1%} decided"
        what = f"within ±1 pp?, truth {mean * 100:+.1f} pp: wrong ({cost})"
        good &= errors(what, sum(states.count(state) for state in wrong), RUNS)
    return good


def main() -> int:
    """Run all studies; 1 if anything was missed."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        results = [sprt(), normalised(), margin(), coverage(home / "a"), null_cards(home / "b")]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
