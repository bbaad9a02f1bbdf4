"""From a run to its balance report on disk and its verdict on stdout."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.talk import speaker

if TYPE_CHECKING:
    from simcore.runlog import Run

REPORT = "report"  # the report's folder in that of its run


def write_balance(
    run: "Run",
    folder: Path,
    formats: Sequence[str],
    margin_points: float,
    margin_share: float,
    threads: int | None,
    quiet: bool,
) -> None:
    """Analyse a run, write its report (in all formats if none are named), print the verdict and the report's place."""
    from analysis.balance import analyse
    from reports import balance

    tell = speaker(quiet)
    if not run.complete:
        tell(f"{run.path} is not finished: this is the report of what has been played so far.")
    tell(f"Analysing {run.games:,} games.")
    result = analyse(run, margin_points, margin_share, threads)
    files = balance.write(result, folder, formats or balance.FORMATS)
    for verdict in result.verdicts:
        click.echo(verdict.text)
    click.echo(f"Report: {files[0]}")
