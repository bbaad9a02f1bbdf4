"""Does the win rate of a played card mislead, and is it said where it does? The wagers of Lost Cities.

    python benchmarks/studies/wagers.py [--games 200000]

Each bot plays itself, a round a game. For each colour's wager two numbers stand side by side: what goes with playing a
copy, and what a copy in the opening hand, which chance dealt, adds; points and win share, relative to the average card,
with 95 % intervals. Exits with 1 where the signs surely differ and no alarm is given, where an alarm is given though
they do not, or where the heuristic's wagers are not alarmed in points.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from analysis.blocks import line_ups
from analysis.cards import OUTCOMES, PLAYED, CardImpact, card_impact
from simcore import batch, cardset
from simcore.games.lost_cities.cardset import SCHEMA
from simcore.plan import make_plan

GAME = "lost-cities"
SEED = 2024
BOTS = ("uniform", "heuristic", "expert", "linear")


def main() -> int:
    """Play, print both numbers of every wager, and the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200_000, help="games of each bot against itself")
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    failed = []
    print(f"{'bot':<12}{'wager':<16}{'outcome':<10}{'played':>24}{'in the opening hand':>28}  alarm")
    with tempfile.TemporaryDirectory() as folder:
        cards = cardset.load(SCHEMA, "single_round")
        plan = make_plan(GAME, cards, 2, BOTS, tuple((b, b) for b in range(len(BOTS))), asked.games, SEED, "cards")
        run = batch.run(plan, Path(folder) / "run", threads=asked.threads)
        for line_up in line_ups(run.manifest):
            found = card_impact(run, line_up, threads=asked.threads)
            assert found is not None
            failed += compared(BOTS[line_up.index], found)
    for failure in failed:
        print("FAILED:", failure)
    return 1 if failed else 0


def compared(bot: str, found: CardImpact) -> Iterator[str]:
    """Print association and effect of every wager; yield alarms that are missing or false."""
    wagers = [kind for kind in found.effects["type"].unique().sort() if "wager" in kind]
    for outcome in OUTCOMES:
        alarms = 0
        for kind in wagers:
            of = found.association.filter(type=kind, category=PLAYED, outcome=outcome).row(0, named=True)
            effect = found.effects.filter(type=kind, outcome=outcome).row(0, named=True)
            played = (of["relative"], of["relative_low"], of["relative_high"])
            caused = (effect["value"], effect["low"], effect["high"])
            texts = ["{:+.3f} ({:+.3f} to {:+.3f})".format(*three) for three in (played, caused)]
            alarm = effect["alarm"]
            said = "disagree" if alarm else ""
            print(f"{bot:<12}{kind:<16}{outcome:<10}{texts[0]:>24}{texts[1]:>28}  {said}", flush=True)
            alarms += alarm
            against = effect["flagged"] and sure(*played[1:]) * sure(*caused[1:]) < 0
            if alarm != against:
                yield f"{bot}, {kind}, {outcome}: the alarm is {'' if alarm else 'not '}given"
        if bot == "heuristic" and outcome == "margin" and alarms < len(wagers):
            yield f"{bot}: {alarms} of {len(wagers)} wagers are alarmed"


def sure(low: float, high: float) -> int:
    """The sign of a number of which its interval leaves no doubt, else 0."""
    return (low > 0) - (high < 0)


if __name__ == "__main__":
    sys.exit(main())
