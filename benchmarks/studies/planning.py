"""Do planned runs keep their word? Pilots of made-up games plan runs, in which effects are planted, or none.

    python benchmarks/studies/planning.py [--replicates 400]

Each study prints what it found and what is wanted, and the program fails if anything is missed. The tests of
`analysis.planning` hold smaller versions. A few minutes in all.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy import special

from analysis import stats
from analysis.blocks import BlockReader, line_ups, read_blocks
from analysis.cards import FALSE_DISCOVERIES, card_impact
from analysis.pairs import DIFFERENCE, read_pairs
from analysis.planning import CARD, FIRST, SCORE, SHARE, Need, Planning, Wish, planning
from benchmarks.studies.analysis_statistics import say
from simcore.runlog import Run
from tests.analysis.fake_run import FakeBot, FakeRun, write

POWER = 0.9
PILOT = 2000
LUCK, NOISE = 4.0, 6.0
PLAIN = FakeRun(
    blocks=PILOT, blocks_per_shard=PILOT, bots=(FakeBot("a", "expert"),), line_ups=((0, 0),), luck_sd=LUCK,
    noise_sd=NOISE, log="games",
)  # fmt: skip
POINTS = 1.0
"""The planted advantage of going first, in points of the margin."""


def share_of(points: float) -> float:
    """What an advantage in points is worth in wins: P(margin > 0) - 1/2 of a normal margin that is rounded."""
    return float(special.ndtr(points / math.sqrt(2 * (LUCK**2 + NOISE**2 + 1 / 12)))) - 0.5


def need(found: Planning, topic: str, unit: str, arms: int = 1) -> Need:
    """The need of a question."""
    (one,) = (
        n for n in found.needs
        if (n.question.topic, n.question.unit, n.question.arms) == (topic, unit, arms) and n.games is not None
    )  # fmt: skip
    return one


def planned(folder: Path, fake: FakeRun, effects: dict[str, float], other: FakeRun | None = None) -> Planning:
    """What a pilot of the game without the effect says, of one set or of two."""
    runs = [write(folder / f"pilot-{i}", one) for i, one in enumerate((fake, other)) if one is not None]
    return planning(runs, 1000.0, 1, Wish(effects, POWER))


def shards(folder: Path, fake: FakeRun, deals: int, replicates: int) -> list[Run]:
    """So many independent runs of so many deals: the shards of one large run."""
    run = write(folder, dataclasses.replace(fake, blocks=deals * replicates, blocks_per_shard=deals))
    return [dataclasses.replace(run, shards={number: entry}) for number, entry in run.shards.items()]


def keeps(what: str, found: int, of: int, wanted: float) -> bool:
    """Print a share beside the promised one: its 99 % interval must reach it."""
    low, high = stats.clopper_pearson(found, of, 0.99)
    text = f"{found / of:.1%} (99 % interval {low:.1%} to {high:.1%})"
    return say(what, text, f"{wanted:.0%}", low <= wanted <= high)


def going_first(folder: Path, replicates: int) -> bool:
    """A planted advantage is found in the planned number of deals with the power, and none in 5 % of the runs."""
    found = planned(folder, PLAIN, {SHARE: share_of(POINTS)})
    deals = (need(found, FIRST, SHARE).games or 0) // 2
    good = True
    for points, wanted in ((POINTS, POWER), (0.0, 0.05)):
        fake = dataclasses.replace(PLAIN, first_points=points, seed=2)
        hits = 0
        for run in shards(folder / f"first-{points}", fake, deals, replicates):
            blocks = read_blocks(run, line_ups(run.manifest)[0], threads=1)
            assert blocks is not None
            estimate = blocks.mean("order0.share", SHARE, minus=0.5)
            hits += not estimate.low <= 0 <= estimate.high
        good &= keeps(f"going first, {points:g} points planted, {deals:,} deals each", hits, replicates, wanted)
    return good


def two_card_sets(folder: Path, replicates: int) -> bool:
    """A change of the score between two sets on the same deals is found with the power, and none in 5 % of the runs."""
    other = dataclasses.replace(PLAIN, noise_seed=1)
    effect = 0.2
    found = planned(folder, PLAIN, {"points": effect}, other)
    asked = need(found, SCORE, "points", arms=2)
    deals = (asked.games or 0) // 2
    good = say("what the same deals save", f"{asked.saved:.2f} times", "more than 1", (asked.saved or 0) > 1)
    # The score of a seat is 20 + ..., so a bot of so much more skill scores so much more, but for whole points.
    for skill, wanted in ((effect, POWER), (0.0, 0.05)):
        bots = (FakeBot("a", "expert", skill),)
        arms = [
            shards(folder / f"set-{skill}-{i}", dataclasses.replace(fake, seed=3), deals, replicates)
            for i, fake in enumerate((PLAIN, dataclasses.replace(other, bots=bots)))
        ]
        hits = 0
        for base, variant in zip(*arms, strict=True):
            pairs = read_pairs(base, variant, line_ups(base.manifest)[0], threads=1)
            assert pairs is not None
            i, moments = pairs.column("bot0.score"), pairs.moments
            value, se = moments.mean[DIFFERENCE, i], math.sqrt(moments.variance[DIFFERENCE, i] / moments.n)
            hits += abs(value) > stats.z_value() * se
        good &= keeps(f"two card sets, {skill:g} points planted, {deals:,} deals each", hits, replicates, wanted)
    return good


def a_card(folder: Path, replicates: int) -> bool:
    """A card of a planted effect is flagged among all with the power; others hardly ever are."""
    cards = dataclasses.replace(PLAIN, log="cards")
    effect = 1.5
    found = planned(folder, cards, {"points": effect})
    deals = (need(found, CARD, "points").games or 0) // 2
    # Effects are told against the average card, which the planted one is a part of.
    planted = effect / (1 - 1 / 60)
    hits = false = 0
    fake = dataclasses.replace(cards, effects={"yellow-5": planted}, blocks=deals, blocks_per_shard=deals)
    for replicate in range(replicates):  # a run each: the errors of cards rest on batches, which a run's size decides
        run = write(folder / f"card-{replicate}", dataclasses.replace(fake, seed=10 + replicate))
        impact = card_impact(run, line_ups(run.manifest)[0], threads=1)
        assert impact is not None
        flagged = impact.effects.filter(outcome="margin").filter("flagged")["type"].to_list()
        hits += "yellow-5" in flagged
        false += any(card != "yellow-5" for card in flagged)
        shutil.rmtree(run.path)
    low, high = stats.clopper_pearson(hits, replicates, 0.99)
    return say(
        f"a card of {effect:g} points among 50, {deals:,} deals each",
        f"{hits / replicates:.1%} (99 % interval {low:.1%} to {high:.1%}); another one flagged in "
        f"{false / replicates:.1%}",
        f"about {POWER:.0%}; others in at most {2 * FALSE_DISCOVERIES:.0%}",
        low <= POWER + 0.04 and high >= POWER - 0.04 and false / replicates <= 2 * FALSE_DISCOVERIES,
    )


def intervals(folder: Path, replicates: int) -> bool:
    """The interval of the number of games covers the number that a very large pilot tells in 93 to 97 % of pilots."""
    replicates *= 5  # pilots are small
    run = write(folder / "large", dataclasses.replace(PLAIN, blocks=500 * replicates, blocks_per_shard=500, seed=5))
    reader = BlockReader(run, line_ups(run.manifest)[0])
    rows = [reader.arrays(number)[1] for number in run.shards]
    good = True
    for topic, column in ((FIRST, "win_share"), ("lead", "margin")):
        deals = np.stack([((table["order"] == 0) * table[column]).sum(axis=2).mean(axis=1) for table in rows])
        truth = deals.std()
        hits = 0
        for values in deals:
            low, high = stats.sd_interval(float(values.std(ddof=1)), stats.variance_degrees(values))
            hits += low <= truth <= high
        share = hits / replicates
        good &= say(f"intervals of games, {topic}, pilots of 500 deals", f"{share:.1%}", "93 to 97 %",
                    0.93 <= share <= 0.97)  # fmt: skip
    return good


def main() -> None:
    """Run all studies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replicates", type=int, default=400)
    replicates = parser.parse_args().replicates
    good = True
    for study in (intervals, going_first, two_card_sets, a_card):
        with tempfile.TemporaryDirectory() as name:
            good &= study(Path(name), replicates)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
