"""Made-up versions of a card set, whose truth is known: ordinary made-up runs under other names and hashes."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from pathlib import Path

from simcore.runlog import Run
from tests.analysis import fake_run
from tests.analysis.fake_run import FakeBot, FakeRun

BOTS = (FakeBot("heuristic", "simple", 6.0), FakeBot("expert", "expert", 8.0))
PLAIN = FakeRun(blocks=2500, bots=BOTS, line_ups=((0, 0), (1, 1), (0, 1)), luck_sd=5.0, noise_sd=6.0)
VERSIONS = (
    ("v1", dataclasses.replace(PLAIN)),
    ("v2", dataclasses.replace(PLAIN, first_points=0.3, effects={"yellow-10": 2.0})),
    ("v3", dataclasses.replace(PLAIN, first_points=3.0, effects={"yellow-10": 6.0})),
)
"""Going first becomes worth 3 points, and a card becomes strong; the deals stay the same."""
TARGETS = """
bots = ["expert"]

[going_first]
kind = "seat_share"
within = 0.06

[no_card_too_strong]
kind = "card_impact"
within = 4

[length]
kind = "length"
at_least = 40
at_most = 60

[scores]
kind = "score"
at_least = 40

[draws]
kind = "draws"
at_most = 0.05
"""


def write(folder: Path, versions: Sequence[tuple[str, FakeRun]] = VERSIONS) -> list[Run]:
    """Write a run folder a version, each under the name of its card set, and open them."""
    return [write_version(folder / f"run-{i}", name, fake) for i, (name, fake) in enumerate(versions)]


def write_version(folder: Path, name: str, fake: FakeRun, digest: str = "") -> Run:
    """Write a version's run, under another name and hash of its card set."""
    run = fake_run.write(folder, fake)
    digest = digest or hashlib.sha256(repr((name, fake)).encode()).hexdigest()
    return fake_run.edit_manifest(run, card_set={"name": name, "hash": digest})


def write_targets(folder: Path, text: str = TARGETS) -> Path:
    """Write a targets file."""
    path = folder / "targets.toml"
    path.write_text(text, encoding="utf-8")
    return path
