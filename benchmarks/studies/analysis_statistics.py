"""Are the statistics to be believed? Planted effects and none, in made-up runs, through the whole analysis.

    python benchmarks/studies/analysis_statistics.py

Each study prints what it found and what is wanted, and the program fails if anything is missed. The tests of `analysis`
hold smaller versions of all of them. A few minutes in all.
"""

from __future__ import annotations

import dataclasses
import math
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl
from scipy import special

from analysis import cards, stats
from analysis.blocks import line_ups, read_blocks
from analysis.cards import CardImpact, card_impact
from analysis.seats import turn_order
from simcore.runlog import Run
from tests.analysis.fake_run import FakeBot, FakeRun, shard, write

ONE = (FakeBot("a", "expert"),)
SELF = ((0, 0),)


def say(what: str, found: str, wanted: str, good: bool) -> bool:
    """Print a result beside what is wanted."""
    print(f"{'ok  ' if good else 'MISS'} {what}: {found} (wanted: {wanted})", flush=True)
    return good


def coverage(folder: Path, replicates: int = 1000, deals: int = 500) -> bool:
    """A planted advantage of +2 percentage points is covered by its intervals in 93 to 97 % of the replicates."""
    luck, noise = 10.0, 12.0
    sd = math.sqrt(2 * (luck**2 + noise**2 + 1 / 12))
    points = float(special.ndtri(0.52)) * sd
    fake = FakeRun(
        blocks=replicates * deals, blocks_per_shard=deals, bots=ONE, line_ups=SELF, first_points=points, log="games",
        luck_sd=luck, noise_sd=noise,
    )  # fmt: skip
    run = write(folder, fake)
    line_up = line_ups(run.manifest)[0]
    hits = {"win share": 0, "margin in points": 0, "compensation": 0}
    for number, entry in run.shards.items():
        blocks = read_blocks(dataclasses.replace(run, shards={number: entry}), line_up, threads=1)
        assert blocks is not None
        found = turn_order(blocks, 0.01, 1.0)
        assert found.compensation is not None
        k = found.compensation.points
        hits["win share"] += found.advantage.low <= 0.02 <= found.advantage.high
        hits["margin in points"] += found.advantage_points.low <= points <= found.advantage_points.high
        # Margins are whole points: the median of the law is the planted one, rounded.
        hits["compensation"] += k.low <= round(points) <= k.high
    good = True
    for what, count in hits.items():
        share = count / replicates
        upper = 1.0 if what == "compensation" else 0.97
        wanted = "93 to 97 %" if upper < 1 else "at least 93 %; ranks of whole points cover more"
        good &= say(
            f"coverage of {what}, {replicates} replicates of {deals} deals",
            f"{share:.1%}",
            wanted,
            0.93 <= share <= upper,
        )
    return good


@contextmanager
def card_log(frame: pl.DataFrame) -> Iterator[None]:
    """Let the analysis read this card log."""
    real = cards.read_part
    cards.read_part = lambda *_: frame
    try:
        yield
    finally:
        cards.read_part = real


def impact(run: Run, frame: pl.DataFrame) -> CardImpact:
    """Card impact of a card log in memory."""
    with card_log(frame):
        found = card_impact(dataclasses.replace(run, shards={0: run.shards[0]}), line_ups(run.manifest)[0], threads=1)
    assert found is not None
    return found


def null_cards(folder: Path, runs: int = 1000, deals: int = 1000) -> bool:
    """Outcomes permuted over deals: the share of runs that flag any card has a 99 % interval that reaches down to 5
    %.
    """
    fake = FakeRun(blocks=deals, bots=ONE, line_ups=SELF, effects={"yellow-10": 3.0, "blue-2": -3.0})
    run = write(folder, fake)
    whole = run.scan("cards").collect()
    rng = np.random.default_rng(1)
    flagged = dict.fromkeys(cards.OUTCOMES, 0)
    inside = total = 0
    for _ in range(runs):
        order = (rng.permutation(deals)[:, None] * 4 + np.arange(4)).ravel()
        found = impact(run, whole.with_columns(whole[order].select("points", "win_share"))).effects
        for outcome in cards.OUTCOMES:
            flagged[outcome] += bool(found.filter(outcome=outcome)["flagged"].any())
        inside += int(((found["low"] <= 0) & (found["high"] >= 0)).sum())
        total += len(found)
    good = say(
        f"intervals of {total:,} card effects that are none",
        f"{inside / total:.1%}",
        "93 to 97 %",
        0.93 <= inside / total <= 0.97,
    )
    for outcome, count in flagged.items():
        low, high = stats.clopper_pearson(count, runs, 0.99)
        text = f"{count / runs:.1%} (99 % interval {low:.1%} to {high:.1%})"
        good &= say(
            f"null runs of {deals} deals that flag any card by {outcome}", text, "interval down to 5 %", low <= 0.05
        )
    return good


def planted_card(folder: Path, replicates: int = 200, deals: int = 2000) -> bool:
    """A card worth +3 points of win share is found, judged on planted minus standard on the same deals; no other is."""
    luck, noise = 10.0, 12.0
    points = float(special.ndtri(0.53)) * math.sqrt(2 * (luck**2 + noise**2 + 1 / 12))
    base = FakeRun(blocks=deals, blocks_per_shard=deals, bots=ONE, line_ups=SELF, luck_sd=luck, noise_sd=noise)
    run = write(folder, base)
    found = alone = others = covered = 0
    for seed in range(replicates):
        standard = dataclasses.replace(base, seed=1000 + seed)
        a = shard(standard, 0, 0, 0, deals)["cards"]
        b = shard(dataclasses.replace(standard, effects={"yellow-10": points}), 0, 0, 0, deals)["cards"]
        change = b.with_columns(points=b["points"] - a["points"], win_share=b["win_share"] - a["win_share"] + 0.5)
        effects = impact(run, change).effects.filter(outcome="share")
        card = effects.filter(type="yellow-10").row(0, named=True)
        found += card["flagged"]
        covered += card["low"] <= 0.03 * 59 / 60 <= card["high"]
        # The planted card moves the average, so each other card moves by -3 points / 60: that is no finding about it.
        rest = effects.filter(pl.col("type") != "yellow-10")
        others += bool(((rest["value"] + 0.03 / 60).abs() / rest["se"] > stats.z_value(1 - 0.05 / len(rest))).any())
        single = impact(run, b).effects.filter(outcome="share", type="yellow-10")
        alone += bool(single["flagged"][0])
    low, high = stats.clopper_pearson(others, replicates, 0.99)
    text = f"{others / replicates:.1%} (99 % interval {low:.1%} to {high:.1%})"
    share = {"power": found / replicates, "covered": covered / replicates, "alone": alone / replicates}
    what = f"power for a card of +3 points of wins, {deals:,} deals, planted minus standard"
    good = say(what, f"{share['power']:.1%}", "at least 90 %", share["power"] >= 0.9)
    what = f"its intervals over {replicates} replicates"
    good &= say(what, f"{share['covered']:.1%}", "at least 90 %", share["covered"] >= 0.9)
    what = "replicates with a false finding among the others (Bonferroni 5 %)"
    good &= say(what, text, "interval down to 5 %", low <= 0.05)
    return good & say("the same power without the pairing", f"{share['alone']:.1%}", "less, to compare", True)


def two_names(folder: Path, replicates: int = 200, deals: int = 2000) -> bool:
    """Two cards that are worth the same get effects that are equal within error."""
    names = dict.fromkeys(("yellow-10", "blue-10"), 3.0)
    fake = FakeRun(blocks=deals, blocks_per_shard=deals, bots=ONE, line_ups=SELF, effects=names)
    run = write(folder, fake)
    equal = dict.fromkeys(cards.OUTCOMES, 0)
    for seed in range(replicates):
        effects = impact(run, shard(dataclasses.replace(fake, seed=2000 + seed), 0, 0, 0, deals)["cards"]).effects
        for outcome in cards.OUTCOMES:
            a, b = (effects.filter(outcome=outcome, type=kind).row(0, named=True) for kind in names)
            equal[outcome] += abs(a["value"] - b["value"]) <= stats.z_value() * math.hypot(a["se"], b["se"])
    good = True
    for outcome, count in equal.items():
        low, high = stats.clopper_pearson(count, replicates, 0.99)
        text = f"{count / replicates:.1%} (99 % interval {low:.1%} to {high:.1%})"
        what = f"two names for one card, equal by {outcome} within 95 %"
        good &= say(what, text, "interval up to 95 %", high >= 0.95)
    return good


def together(folder: Path, replicates: int = 1000, deals: int = 300) -> bool:
    """The intervals of all places in turn order hold together in 93 to 97 % of the replicates."""
    good = True
    for seats in (3, 4):
        total, line = replicates * deals, ((0,) * seats,)
        fake = FakeRun(blocks=total, blocks_per_shard=deals, bots=ONE, line_ups=line, seats=seats, log="games")
        run = write(folder / str(seats), fake)
        line_up, hits = line_ups(run.manifest)[0], 0
        for number, entry in run.shards.items():
            blocks = read_blocks(dataclasses.replace(run, shards={number: entry}), line_up, threads=1)
            assert blocks is not None
            orders = turn_order(blocks, 0.01, 1.0).orders
            hits += all(place.share.low <= 1 / seats <= place.share.high for place in orders)
        share = hits / replicates
        what = f"the shares of all {seats} places together, {replicates} replicates of {deals} deals"
        good &= say(what, f"{share:.1%}", "93 to 97 %", 0.93 <= share <= 0.97)
    return good


def watching(runs: int = 2000, planned: int = 100_000) -> bool:
    """No effect, a look every 1,000 deals: at most 5 % of runs ever exclude the truth."""
    rng = np.random.default_rng(1)
    looks = np.arange(1000, planned + 1, 1000)
    anytime = plain = 0
    for _ in range(runs):
        x = rng.standard_normal(planned)
        mean = np.cumsum(x)[looks - 1] / looks
        sd = np.sqrt(np.cumsum(x * x)[looks - 1] / looks - mean**2)
        anytime += bool((np.abs(mean) > stats.anytime_radius(sd, looks, planned)).any())
        plain += bool((np.abs(mean) > stats.z_value() * sd / np.sqrt(looks)).any())
    text = f"{anytime / runs:.1%}, plain interval {plain / runs:.1%}"
    return say(f"runs of {planned:,} deals that ever exclude the truth", text, "at most 5 %", anytime <= 0.05 * runs)


def main() -> int:
    """Run all studies; 1 if anything was missed."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        results = [
            watching(), coverage(home / "a"), planted_card(home / "b"), null_cards(home / "c"), two_names(home / "d"),
            together(home / "e"),
        ]  # fmt: skip
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
