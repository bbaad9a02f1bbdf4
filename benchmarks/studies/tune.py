"""Is a planted card found and repaired among many that may vary, seed after seed?

    python benchmarks/studies/tune.py [--seeds 5] [--games 4k] [--candidates 100]

The yellow 10 of the base game is worth 15, which breaks a target for the worth of a card; the values of all number
cards of yellow and blue may vary. For each seed the edit must be of that card alone, and meet the targets on fresh
deals. Printed beside it: candidates, how many were given up early, the seconds, and the optimism with its interval,
whose mean over the seeds tells whether the search promises too much. Exits with 1 at a miss.
"""

import argparse
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from analysis.studies import tune
from cli.options import Count
from simcore import request
from simcore.cardset import CardSet, vary
from simcore.cardset.vary import Path as Place

GAME = "lost-cities"
BROKEN = Place("cards", "Y10", "value")
VALUE = 15
COLOURS = "YB"
TARGETS = """
bots = "expert"

[cards]
kind = "card_impact"
within = 8

[length]
kind = "length"
at_most = 160
"""


def broken() -> CardSet:
    """The base game with one card that is worth five more."""
    return vary.edited(request.load_cards(GAME), {BROKEN: VALUE})


def main() -> int:
    """Tune with each seed, print; returns 1 at a miss."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    count = partial(Count().convert, param=None, ctx=None)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--games", type=count, default=tune.GAMES["cheap"])
    parser.add_argument("--candidates", type=count, default=100)
    options = parser.parse_args()
    words = [f"cards.{colour}{value:02}.value=1:15" for colour in COLOURS for value in range(2, 11)]
    misses, optimism = 0, []
    with tempfile.TemporaryDirectory() as folder:
        targets = Path(folder) / "targets.toml"
        targets.write_text(TARGETS, encoding="utf-8")
        for seed in range(options.seeds):
            begin = time.perf_counter()
            play = partial(tune.study, GAME, words, targets, cards=broken(), games=options.games, seed=seed)
            found = play(candidates=options.candidates, out=Path(folder) / str(seed)).tuning
            e = found.optimism
            good = found.passed and [edit.split(":")[0] for edit in found.winner.edits] == ["cards Y10"]
            misses += not good
            optimism.append(e.value)
            print(
                f"seed {seed}: {'; '.join(found.winner.edits)}; {'passed' if found.passed else 'FAILED'}; "
                f"{found.candidates} candidates, {found.given_up} given up, {time.perf_counter() - begin:.0f} s; "
                f"optimism {e.value:+.3f} ({e.low:+.3f} to {e.high:+.3f})",
                flush=True,
            )
    print(f"\nmean optimism {sum(optimism) / len(optimism):+.3f} margins\n{misses} misses")
    return int(misses > 0)


if __name__ == "__main__":
    sys.exit(main())
