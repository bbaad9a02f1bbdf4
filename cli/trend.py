"""`fairdeal trend`: versions of a card set against the same targets."""

import click

from cli import options
from cli.talk import speaker
from simcore.places import place


@click.command(
    epilog=options.examples(
        "fairdeal trend run-v1 run-v2 run-v3 --targets targets.toml",
        "fairdeal trend run-* --by-time --format md --out trend",
    )
)
@options.all_of(
    click.argument("runs", metavar="RUN RUN ...", nargs=-1, type=click.Path()),
    options.targets,
    click.option(
        "--by-time", is_flag=True, help="Order the versions by when their runs were begun, not as they are named."
    ),
    options.formats,
    options.report_out,
    options.threads,
    options.as_json,
    options.quiet,
)
def trend(
    runs: tuple[str, ...],
    targets: str | None,
    by_time: bool,
    formats: tuple[str, ...],
    out: str | None,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Do versions of a card set come nearer to their targets?

    Each RUN is a folder of `fairdeal balance` or `fairdeal check`, of a version of a card set of one game, with the
    same seats and bots; the oldest first. The exit status is 0 whatever the targets come to: a trend informs, and
    `fairdeal check` is the test.
    """
    from analysis.studies import trend as studies
    from analysis.trend_verdicts import page_one
    from reports import trend as report
    from simcore import request

    tell = speaker(quiet)
    opened = studies.open_versions(runs, by_time)
    tell(f"Analysing {sum(run.games for version in opened for run in version):,} games of {len(opened)} versions.")
    result = studies.of_versions(opened, targets, threads)
    folder = request.new_run_folder(result.game) if out is None else place(out)
    files = report.write(result, folder, formats or report.FORMATS)
    if as_json:
        click.echo(report.render_json(result), nl=False)
        tell(f"Report: {files[0]}")
        return
    for verdict in page_one(result):
        click.echo(verdict.text)
    click.echo(f"Report: {files[0]}")
