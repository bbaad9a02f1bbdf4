"""Do the exact policies of the rules pages meet their published figures at a million games?

Each figure may be off by four standard errors of the difference of the two samples; Vaalbara's checks that do not
depend on the reconstructed lands by 0.005. What is published, by whom, and why the heuristic of Lost Cities is met with
numbered wagers: tests/strategies/baselines.py and vaalbara_baselines.py. For Valletta nothing is published: its bots
must win the shares that were measured when they were fitted, tests/strategies/valletta_baselines.py, those of Lisboa
likewise. Exits with 1 at a miss.

    python benchmarks/studies/baselines.py [--game vaalbara] --games 1000000
"""

import argparse
import sys

from tests.strategies import lisboa_baselines, vaalbara_baselines, valletta_baselines
from tests.strategies.baselines import YARDSTICK, Baseline, Comparison, compare, published

SEED = 2024


def show(title: str, comparisons: list[Comparison]) -> int:
    """Print a table; returns the number of misses."""
    print(f"\n{title}")
    print(f"{'figure':26}{'published':>12}{'measured':>12}{'difference':>12}{'in errors':>11}")
    for row in comparisons:
        errors = f"{row.difference / row.error:+11.2f}" if row.error else f"{'exact':>11}"
        miss = "" if row.is_met else "  MISS"
        print(f"{row.figure:26}{row.published:>12}{row.measured:12.4f}{row.difference:+12.4f}{errors}{miss}")
    return sum(not row.is_met for row in comparisons)


def lost_cities(games: int, seed: int) -> int:
    """Compare everything, then show the heuristic with equal wagers, for which nothing is published."""
    misses = sum(
        show(f"{baseline.name}, published for {baseline.rounds:,} rounds", compare(baseline, games, seed))
        for baseline in published()
    )
    alike = Baseline(YARDSTICK.card_set, YARDSTICK.bots, YARDSTICK.rounds, YARDSTICK.figures)
    show(alike.name, compare(alike, games, seed))
    print("(For comparison only: the published figures are those of numbered wagers.)")
    return misses


def vaalbara(games: int, seed: int) -> int:
    """Compare every row of the file, then the checks that do not depend on the lands."""
    misses = 0
    for row in vaalbara_baselines.published():
        name = f"{row['variant']}, {row['players']} players: {row['policy']}, published for {int(row['games']):,} games"
        misses += show(name, vaalbara_baselines.compare(row, games, seed))
    for seats in (2, 3, 4, 5):
        misses += show(
            f"{seats} players: not from the lands", vaalbara_baselines.check_without_data(seats, games, seed)
        )
    return misses


def valletta(games: int, seed: int) -> int:
    """Compare every share."""
    measured = valletta_baselines.MEASURED
    return show("Shares of wins", [valletta_baselines.compare(figure, games, seed) for figure in measured])


def lisboa(games: int, seed: int) -> int:
    """Compare every share."""
    measured = lisboa_baselines.MEASURED
    return show("Shares of wins", [lisboa_baselines.compare(figure, games, seed) for figure in measured])


GAMES = {"lost-cities": lost_cities, "vaalbara": vaalbara, "valletta": valletta, "lisboa": lisboa}


def main() -> int:
    """Print a table for each published row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, help="all games where none is named")
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    chosen = [options.game] if options.game else [*GAMES]
    misses = sum(GAMES[game](options.games, options.seed) for game in chosen)
    print(f"\n{misses} misses")
    return int(misses > 0)


if __name__ == "__main__":
    sys.exit(main())
