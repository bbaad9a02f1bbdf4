"""Do the exact policies and the heuristic of Lost Cities meet their published figures at a million rounds?

Each figure may be off by four standard errors of the difference of the two samples. What is published, by whom, and why
the yardstick's heuristic is met with numbered wagers: tests/strategies/baselines.py. Exits with 1 at a miss.

    python benchmarks/studies/baselines.py --rounds 1000000
"""

import argparse
import sys

from tests.strategies.baselines import YARDSTICK, Baseline, Comparison, compare, published

SEED = 2024


def show(baseline: Baseline, comparisons: list[Comparison]) -> int:
    """Print a table; returns the number of misses."""
    print(f"\n{baseline.name}, published for {baseline.rounds:,} rounds")
    print(f"{'figure':16}{'published':>12}{'measured':>12}{'difference':>12}{'in errors':>11}")
    for row in comparisons:
        errors = f"{row.difference / row.error:+11.2f}" if row.error else f"{'exact':>11}"
        miss = "" if row.is_met else "  MISS"
        print(f"{row.figure:16}{row.published:>12}{row.measured:12.4f}{row.difference:+12.4f}{errors}{miss}")
    return sum(not row.is_met for row in comparisons)


def main() -> int:
    """Compare everything, then show the heuristic with equal wagers, for which nothing is published."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    misses = 0
    for baseline in published():
        misses += show(baseline, compare(baseline, options.rounds, options.seed))
    alike = Baseline(YARDSTICK.card_set, YARDSTICK.bots, YARDSTICK.rounds, YARDSTICK.figures)
    show(alike, compare(alike, options.rounds, options.seed))
    print("(For comparison only: the published figures are those of numbered wagers.)")
    print(f"\n{misses} misses")
    return int(misses > 0)


if __name__ == "__main__":
    sys.exit(main())
