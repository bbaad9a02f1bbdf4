"""From runs to their report on disk and its verdict on stdout."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.talk import speaker
from simcore.errors import InputError

if TYPE_CHECKING:
    from types import ModuleType

    from analysis.ladder_folder import LadderRuns
    from analysis.sweep_folder import SweepRuns
    from analysis.verdicts import Verdict
    from simcore.runlog import Run

REPORT = "report"  # the report's folder in that of its run


class Kind(StrEnum):
    """The reports about the games of one run. The value is the report's folder in that of the run: a strategy report
    leaves a balance report where it is.
    """

    BALANCE = REPORT
    STRATEGY = "strategy"


def _maker(kind: Kind) -> "tuple[Callable[..., Any], ModuleType]":
    """What analyses a run for such a report, and the module that writes it."""
    if kind is Kind.BALANCE:
        from analysis.balance import analyse as analyse_balance
        from reports import balance

        return analyse_balance, balance
    from analysis.strategy import analyse as analyse_strategies
    from reports import strategy

    return analyse_strategies, strategy


def write_run(
    kind: Kind,
    run: "Run",
    out: str | None,
    formats: Sequence[str],
    margin_points: float,
    margin_share: float,
    threads: int | None,
    quiet: bool,
) -> None:
    """Analyse a run, write its report (in all formats if none are named) into `out` or the run's folder, print the
    verdict and the report's place.
    """
    analyse, report = _maker(kind)
    tell = speaker(quiet)
    if not run.complete:
        tell(f"{run.path} is not finished: this is the report of what has been played so far.")
    tell(f"Analysing {run.games:,} games.")
    result = analyse(run, margin_points, margin_share, threads)
    files = report.write(result, run.path / kind if out is None else out, formats or report.FORMATS)
    for verdict in result.verdicts:
        click.echo(verdict.text)
    click.echo(f"Report: {files[0]}")


def write_by_seats(
    kind: Kind,
    runs: "Sequence[Run]",
    folder: Path,
    out: str | None,
    formats: Sequence[str],
    margin_points: float,
    margin_share: float,
    threads: int | None,
    quiet: bool,
) -> None:
    """Analyse the runs of a folder, one for each number of seats; write a report of each and a page about all; print
    the verdicts and the page's place. The page lies in the folder, and each report in that of its run, or all in `out`.
    """
    from reports import by_seats

    analyse, _ = _maker(kind)
    beside = by_seats.BESIDE if kind is Kind.BALANCE else by_seats.STRATEGIES_BESIDE
    begun = _begun(runs, folder, quiet)
    page = by_seats.BySeats(
        tuple(analyse(run, margin_points, margin_share, threads) for run in begun),
        unplayed=tuple(run.manifest["seats"] for run in runs if not run.games),
        full=beside if out is None else by_seats.BELOW,
    )
    files = by_seats.write(page, folder / kind if out is None else out, formats or by_seats.FORMATS)
    _tell([(run.manifest["seats"], result.verdicts) for run, result in zip(begun, page.results, strict=True)], files[0])


def _begun(runs: "Sequence[Run]", folder: Path, quiet: bool) -> "list[Run]":
    """The runs of which games are finished, after telling which are not. Raises InputError where there are none."""
    tell = speaker(quiet)
    for run in runs:
        if not run.complete:
            so_far = "this is the report of what has been played so far" if run.games else "it has no finished game yet"
            tell(f"{run.path} is not finished: {so_far}.")
    begun = [run for run in runs if run.games]
    if not begun:
        raise InputError(f"{folder} holds no finished games yet. Finish the runs with --resume, then analyse them.")
    tell(f"Analysing {sum(run.games for run in begun):,} games.")
    return begun


def _tell(verdicts: "Sequence[tuple[int, Sequence[Verdict]]]", file: Path) -> None:
    """Print verdicts under their number of seats, and the place of the page about all."""
    for seats, found in verdicts:
        click.echo(f"{seats} seats:")
        for verdict in found:
            click.echo(verdict.text)
        click.echo()
    click.echo(f"Report: {file}")


def write_comparison(
    base: "Run",
    variant: "Run",
    folder: Path,
    formats: Sequence[str],
    margin_points: float,
    margin_share: float,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Analyse two runs, write the report of their comparison (in all formats if none are named), and print the verdict
    and the report's place, or the whole result as JSON.
    """
    from analysis.studies import compare as studies
    from reports import comparison

    tell = speaker(quiet)
    for run in (base, variant):
        if not run.complete:
            tell(f"{run.path} is not finished: compared is what both runs have played so far.")
    tell(f"Comparing {base.games:,} games with {variant.games:,}.")
    result = studies.between(base, variant, margin_points, margin_share, threads)
    files = comparison.write(result, folder, formats or comparison.FORMATS)
    if as_json:
        click.echo(comparison.render_json(result), nl=False)
        tell(f"Report: {files[0]}")
        return
    for verdict in result.verdicts:
        click.echo(verdict.text)
    click.echo(f"Report: {files[0]}")


def write_comparison_by_seats(
    pairs: "Sequence[tuple[Run, Run]]",
    folder: Path,
    formats: Sequence[str],
    margin_points: float,
    margin_share: float,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Analyse two finished runs for each number of seats; write a report of each comparison and, into the folder, a
    page about all; print the verdicts and the page's place, or the page as JSON.
    """
    from analysis.studies import compare as studies
    from reports import by_seats

    tell = speaker(quiet)
    tell(f"Comparing {sum(a.games for a, _ in pairs):,} games with {sum(b.games for _, b in pairs):,}.")
    results = tuple(studies.between(a, b, margin_points, margin_share, threads) for a, b in pairs)
    page = by_seats.BySeats(results)
    files = by_seats.write(page, folder, formats or by_seats.FORMATS)
    if as_json:
        click.echo(by_seats.render_json(page), nl=False)
        tell(f"Report: {files[0]}")
        return
    _tell([(result.comparison.seats, result.verdicts) for result in results], files[0])


def write_sweep(
    runs: "SweepRuns",
    folder: Path,
    formats: Sequence[str],
    margin_points: float,
    margin_share: float,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Analyse a sweep, write its report (in all formats if none are named), and print the verdict and the report's
    place, or the whole result as JSON.
    """
    from analysis.sweep import analyse
    from reports import sweep

    tell = speaker(quiet)
    if not runs.complete:
        points = f"{len(runs.runs)} of {len(runs.entry['points'])} points"
        tell(f"{runs.path} is not finished: this is the report of {points}.")
    tell(f"Analysing {sum(run.games for run in runs.runs.values()):,} games.")
    result = analyse(runs, margin_points, margin_share, threads)
    files = sweep.write(result, folder, formats or sweep.FORMATS)
    if as_json:
        click.echo(sweep.render_json(result), nl=False)
        tell(f"Report: {files[0]}")
        return
    for verdict in result.verdicts:
        click.echo(verdict.text)
    click.echo(f"Report: {files[0]}")


def write_ladder(
    runs: "LadderRuns",
    folder: Path,
    formats: Sequence[str],
    margin_points: float,
    margin_share: float,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Analyse a ladder, write its report (in all formats if none are named), and print the verdict and the report's
    place, or the whole result as JSON.
    """
    from analysis.ladder import analyse
    from reports import ladder

    tell = speaker(quiet)
    if not runs.complete:
        tell(f"{runs.path} is not finished: this is the report of what has been played so far.")
    tell(f"Analysing {runs.games:,} games.")
    result = analyse(runs, margin_points, margin_share, threads)
    files = ladder.write(result, folder, formats or ladder.FORMATS)
    if as_json:
        click.echo(ladder.render_json(result), nl=False)
        tell(f"Report: {files[0]}")
        return
    for verdict in result.verdicts:
        click.echo(verdict.text)
    click.echo(f"Report: {files[0]}")
