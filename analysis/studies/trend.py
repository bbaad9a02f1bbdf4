"""Runs of several versions of a card set held against the same targets, in one call."""

from collections.abc import Sequence
from pathlib import Path

from analysis.check_verdicts import warnings
from analysis.studies.check import load_targets, of_runs, open_runs
from analysis.trend import Trend, refuse, trend
from simcore.runlog import MANIFEST, Run


def study(
    paths: Sequence[str | Path],
    targets: str | Path | None = None,
    by_time: bool = False,
    threads: int | None = None,
) -> Trend:
    """The trend over runs that have been played, each of a version of a card set of one game (or a folder with a run
    for each number of seats), in the order that is given, or `by_time` in that in which they were begun.

    `targets` is a targets file, by default what is stated for the game's standard set. Raises InputError as
    `analysis.studies.check.open_runs`, `analysis.targets.read`, `analysis.trend.refuse` and `analysis.check.judge` do.
    """
    return of_versions(open_versions(paths, by_time), targets, threads)


def of_versions(
    versions: Sequence[tuple[Run, ...]], targets: str | Path | None = None, threads: int | None = None
) -> Trend:
    """Judge the runs of each version, in order, by a targets file or what is stated for the game; raises as `study`."""
    wanted = load_targets(versions[0][0].manifest["game"], targets)
    checked = [(runs, of_runs(runs, wanted, threads)) for runs in versions]
    return trend(checked, threads, warnings(checked[0][1]))


def open_versions(paths: Sequence[str | Path], by_time: bool = False) -> list[tuple[Run, ...]]:
    """The runs of each version, in order. Raises InputError as `analysis.trend.refuse` does."""
    versions = [open_runs(path) for path in paths]
    if by_time:
        versions.sort(key=lambda runs: min(_begun(run) for run in runs))
    refuse(versions)
    return versions


def _begun(run: Run) -> float:
    """When a run was begun: its manifest is written then, and never again."""
    return (run.path / MANIFEST).stat().st_mtime
