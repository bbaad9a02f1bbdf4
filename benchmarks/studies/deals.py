"""Are a million deals what the law of a well-shuffled deck says?

The chi-square tests of tests/simcore/deal_laws.py. Exits with 1 if a test fails. Whether deals survive an edit of the
card set is asked by benchmarks/studies/pairing.py.

    python benchmarks/studies/deals.py --deals 1000000
"""

import argparse
import sys
from collections.abc import Iterator

from tests.simcore.deal_laws import checks, places

SEED = 2024
LEAST_P = 1e-4  # of some thirty tests
DECKS = (("base", 0), ("base", 1), ("long", 0))


def main() -> int:
    """Print every test; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1_000_000, help="deals of each deck that is tested")
    asked = parser.parse_args()
    failed = [*law(asked.deals)]
    for failure in failed:
        print("FAILED:", failure)
    return 1 if failed else 0


def law(deals: int) -> Iterator[str]:
    """Print every test of every deck; yield those that fail."""
    print(f"{'deck':<8}{'round':>6}  {'what':<40}{'chi-square':>12}{'freedom':>9}{'p':>10}   ({deals:,} deals)")
    for name, purpose in DECKS:
        for check in checks(places(name, SEED, deals, purpose)):
            print(
                f"{name:<8}{purpose + 1:>6}  {check.name:<40}{check.statistic:>12.1f}{check.freedom:>9}{check.p:>10.4f}"
            )
            if check.p <= LEAST_P:
                yield f"{check.name} of the deck {name}: p = {check.p:.2g}, at least {LEAST_P} is asked"


if __name__ == "__main__":
    sys.exit(main())
