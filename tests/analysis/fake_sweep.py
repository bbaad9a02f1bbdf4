"""Folders of sweeps whose truth is known: a made-up run (tests.analysis.fake_run) at every point."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analysis import sweep_folder
from analysis.sweep_folder import SweepRuns, Value, open_sweep
from tests.analysis.fake_run import FakeRun
from tests.analysis.fake_run import write as write_run


def axis(path: str, values: list[Value], base: Value, unit: str = "points") -> dict[str, Any]:
    """An axis of sweep.json."""
    return {"path": path, "values": values, "base": base, "base_added": False, "unit": unit, "meaning": "made up"}


def write(
    folder: Path, axes: list[dict[str, Any]], runs: Mapping[tuple[Value, ...], FakeRun], unplayed: int = 0
) -> SweepRuns:
    """Write a sweep with the given runs, by their values, the last `unplayed` of them missing; and open it."""
    points = list(runs)
    base = points.index(tuple(each["base"] for each in axes))
    for number, fake in enumerate(runs.values()):
        if number < len(points) - unplayed:
            write_run(folder / sweep_folder.point_folder(number), fake)
    entry = {
        "format": sweep_folder.FORMAT,
        "version": "0.1.0",
        "game": "made-up",
        "card_set": {"name": "base", "hash": "0" * 64},
        "axes": axes,
        "points": [
            {"folder": sweep_folder.point_folder(i), "values": list(values), "plan_hash": "0" * 64}
            for i, values in enumerate(points)
        ],
        "base": base,
    }
    (folder / sweep_folder.FILE).write_text(json.dumps(entry), encoding="utf-8")
    return open_sweep(folder)
