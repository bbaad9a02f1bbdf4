"""After an edit, does a bot that is trained anew beat the old one on the new set, and how long does that take?

    python benchmarks/studies/retraining.py [--bot trained] [--minutes 6] [--games 40k]

The price of an expedition in Lost Cities goes from 20 to 10 points. A bot (`trained` is taught, `linear` fitted) begins
with its shipped weights, which were made for the old price, and has so many minutes; then both play the edited set on
deals that it has not seen. The new one must beat the old one, with an interval, within ten minutes. Exits with 1 at a
miss.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from analysis.studies import teach, train
from cli import fit
from cli import teach as cli_teach
from cli.options import Count
from simcore import cardset, request
from simcore.cardset import CardSet
from strategies import course
from strategies.train import Progress

GAME = "lost-cities"
BEFORE, AFTER = "expedition_cost = 20", "expedition_cost = 10"
MOST_MINUTES = 10


def edited(folder: Path) -> CardSet:
    """The base set with the new price, by way of files as a designer edits them."""
    cardset.export(request.load_cards(GAME), folder, "cheap")
    rules = folder / "rules.toml"
    text = rules.read_text(encoding="utf-8")
    assert BEFORE in text
    rules.write_text(text.replace(BEFORE, AFTER), encoding="utf-8")
    return request.load_cards(GAME, str(folder))


def _lines() -> Callable[[Progress], None]:
    """A line of progress for each generation."""
    told = 0

    def show(now: Progress) -> None:
        nonlocal told
        if now.generation > told:
            told = now.generation
            print(f"  {fit.in_words(now)}", file=sys.stderr, flush=True)

    return show


def _say(now: course.Progress) -> None:
    print(f"  {cli_teach.in_words(now)}", file=sys.stderr, end="\r", flush=True)


def main() -> int:
    """Edit, train, measure, print; returns 1 at a miss."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", choices=["trained", "linear"], default="trained")
    parser.add_argument("--minutes", type=float, default=6)
    parser.add_argument("--games", type=partial(Count().convert, param=None, ctx=None), default=40_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cards = edited(Path(folder) / "cheap")
        begin = time.perf_counter()
        words = {"cards": cards, "minutes": options.minutes, "games": options.games, "seed": options.seed}
        words["out"] = Path(folder) / "mine.toml"
        if options.bot == "trained":
            found = teach.study(GAME, **words, progress=_say)
        else:
            found = train.study(GAME, **words, generations=None, progress=_lines())
        minutes = (time.perf_counter() - begin) / 60
    print(f"{BEFORE} -> {AFTER}; {minutes:.1f} minutes from the start to the last figure:")
    for sentence in found.sentences:
        print(f"  {sentence}")
    (start,) = (one for one in found.strengths if one.role == train.START)
    misses = int(start.margin.low <= 0) + int(minutes > MOST_MINUTES)
    print(f"{misses} misses")
    return int(misses > 0)


if __name__ == "__main__":
    sys.exit(main())
