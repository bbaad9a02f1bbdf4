"""`fairdeal report`: reports of runs that have been played."""

from pathlib import Path

import click

from cli import options
from cli.verdict import REPORT, Kind, write_by_seats, write_comparison, write_ladder, write_run, write_sweep
from simcore.errors import InputError
from simcore.places import place


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
    click.option("--out", type=options.Folder(), help="The report's folder.  [default: RUN/report]"),
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
    """Write the balance report of the run in folder RUN, and print its verdict.

    A folder of `fairdeal balance` with a run for each number of seats gets the report of each and the page about all.
    """
    _write(Kind.BALANCE, run, out, formats, margin_points, margin_share, threads, quiet)


@report.command(
    epilog=options.examples(
        "fairdeal report strategy my-run", "fairdeal report strategy my-run --format md --out my-report"
    )
)
@options.all_of(
    options.run,
    *options.margins,
    options.formats,
    click.option("--out", type=options.Folder(), help="The report's folder.  [default: RUN/strategy]"),
    options.threads,
    options.quiet,
)
def strategy(
    run: str,
    margin_points: float,
    margin_share: float,
    formats: tuple[str, ...],
    out: str | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Write the strategy report of the run in folder RUN, and print its verdict.

    Which bot is best, what beats what, what each does, how much is skill. The run should have each of its bots play
    every other one and itself, as `fairdeal balance` does. A folder with a run for each number of seats gets the report
    of each and the page about all.
    """
    _write(Kind.STRATEGY, run, out, formats, margin_points, margin_share, threads, quiet)


def _write(
    kind: Kind,
    path: str,
    out: str | None,
    formats: tuple[str, ...],
    margin_points: float,
    margin_share: float,
    threads: int | None,
    quiet: bool,
) -> None:
    """Write the report of a run, or of a folder with a run for each number of seats."""
    from analysis import seats_folder
    from simcore import runlog

    if seats_folder.is_one(path):
        runs = seats_folder.open_runs(path)
        write_by_seats(kind, runs, place(path), out, formats, margin_points, margin_share, threads, quiet)
    else:
        write_run(kind, runlog.open_run(path), out, formats, margin_points, margin_share, threads, quiet)


@report.command(
    epilog=options.examples(
        "fairdeal report comparison my-comparison",
        "fairdeal report comparison my-run my-other-run --format md --out my-report",
    )
)
@options.all_of(
    click.argument("base", metavar="COMPARISON|RUN_A", type=click.Path()),
    click.argument("variant", metavar="[RUN_B]", type=click.Path(), required=False),
    *options.margins,
    options.formats,
    click.option(
        "--out",
        type=options.Folder(),
        help="The report's folder.  [default: that of `fairdeal compare` for its runs, else RUN_B/comparison]",
    ),
    options.threads,
    options.as_json,
    options.quiet,
)
def comparison(
    base: str,
    variant: str | None,
    margin_points: float,
    margin_share: float,
    formats: tuple[str, ...],
    out: str | None,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write the report of what changed from RUN_A to RUN_B, and print its verdict.

    COMPARISON is a folder of `fairdeal compare`, which holds both. Other runs must have been played by the same bots on
    the same deals, as it does.
    """
    from simcore import runlog

    first, second = _arms(base) if variant is None else (base, variant)
    runs = runlog.open_run(first), runlog.open_run(second)
    if runs[0].path.resolve() == runs[1].path.resolve():
        raise InputError(
            f"{base} and {variant} are the same folder. A comparison is of two runs: name another one, too."
        )
    folder = _comparison_folder(*(run.path for run in runs)) if out is None else place(out)
    write_comparison(*runs, folder, formats, margin_points, margin_share, threads, as_json, quiet)


def _arms(folder: str) -> tuple[str, str]:
    """The folders of the two runs of a comparison. Raises InputError where a folder is none."""
    from analysis.studies.compare import ARMS
    from simcore.given import told
    from simcore.runlog import MANIFEST

    first, second = (place(folder) / arm for arm in ARMS)
    if not ((first / MANIFEST).is_file() and (second / MANIFEST).is_file()):
        hint = told(folder) or f"It has no runs {' and '.join(ARMS)}."
        raise InputError(f"{folder} is not the folder of a comparison. {hint} Name one, or two runs.")
    return str(first), str(second)


def _comparison_folder(base: Path, variant: Path) -> Path:
    """Where a comparison's report goes: beside the runs `a` and `b` of one comparison, else into the second run."""
    from analysis.studies.compare import ARMS

    together = base.resolve().parent == variant.resolve().parent and (base.name, variant.name) == ARMS
    return variant.parent / REPORT if together else variant / "comparison"


@report.command(
    epilog=options.examples(
        "fairdeal report sweep my-sweep", "fairdeal report sweep my-sweep --margin-points 3 --format html"
    )
)
@options.all_of(
    click.argument("folder", metavar="SWEEP", type=click.Path()),
    *options.margins,
    options.formats,
    click.option("--out", type=options.Folder(), help="The report's folder.  [default: SWEEP/report]"),
    options.threads,
    options.as_json,
    options.quiet,
)
def sweep(
    folder: str,
    margin_points: float,
    margin_share: float,
    formats: tuple[str, ...],
    out: str | None,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write the report of the sweep in folder SWEEP, and print its verdict."""
    from analysis.sweep_folder import open_sweep

    runs = open_sweep(folder)
    target = runs.path / REPORT if out is None else place(out)
    write_sweep(runs, target, formats, margin_points, margin_share, threads, as_json, quiet)


@report.command(
    epilog=options.examples("fairdeal report ladder my-ladder", "fairdeal report ladder my-ladder --format html")
)
@options.all_of(
    click.argument("folder", metavar="LADDER", type=click.Path()),
    *options.margins,
    options.formats,
    click.option("--out", type=options.Folder(), help="The report's folder.  [default: LADDER/report]"),
    options.threads,
    options.as_json,
    options.quiet,
)
def ladder(
    folder: str,
    margin_points: float,
    margin_share: float,
    formats: tuple[str, ...],
    out: str | None,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write the report of the ladder in folder LADDER, and print its verdict."""
    from analysis.ladder_folder import open_ladder

    runs = open_ladder(folder)
    target = runs.path / REPORT if out is None else place(out)
    write_ladder(runs, target, formats, margin_points, margin_share, threads, as_json, quiet)
