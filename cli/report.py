"""`fairdeal report`: reports of runs that have been played."""

from pathlib import Path

import click

from cli import options
from cli.verdict import REPORT, write_balance


@click.group(epilog=options.examples("fairdeal report balance my-run"))
def report() -> None:
    """Write reports of runs that have been played."""


@report.command(
    epilog=options.examples(
        "fairdeal report balance my-run", "fairdeal report balance my-run --format md --out my-report"
    )
)
@options.all_of(
    options.run,
    *options.margins,
    options.formats,
    click.option("--out", type=click.Path(file_okay=False), help="The report's folder.  [default: RUN/report]"),
    options.threads,
    options.quiet,
)
def balance(
    run: str,
    margin_points: float,
    margin_share: float,
    formats: tuple[str, ...],
    out: str | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Write the balance report of the run in folder RUN, and print its verdict."""
    from simcore import runlog

    opened = runlog.open_run(run)
    folder = opened.path / REPORT if out is None else Path(out)
    write_balance(opened, folder, formats, margin_points, margin_share, threads, quiet)
