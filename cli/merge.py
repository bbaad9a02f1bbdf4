"""`fairdeal merge`: one run of the parts that several machines have played."""

import click

from cli import options
from cli.job import can_go_on
from cli.talk import showing_progress, speaker
from simcore.places import place


@click.command(
    epilog=options.examples(
        "fairdeal merge part-1 part-2 part-3 --out my-run",
        "fairdeal merge part-4 --out my-run --resume",
    )
)
@options.all_of(
    click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path()),
    click.option("--out", type=options.Folder(), required=True, help="The merged run's folder, new or empty."),
    click.option("--resume", is_flag=True, help="Go on with the run that --out holds; what is there stays."),
    options.quiet,
)
@click.pass_context
def merge(ctx: click.Context, runs: tuple[str, ...], out: str, resume: bool, quiet: bool) -> None:
    """Make one run of several that hold different parts of one plan.

    They are parts that `fairdeal simulate --part` has played. What is merged is the run that one machine would have
    played. The parts stay as they are. The folder's name is printed on stdout.
    """
    from simcore import merge as merging

    with can_go_on(ctx, place(out)), showing_progress(quiet) as progress:
        run = merging.merge(runs, out, resume, progress)
    tell = speaker(quiet)
    tell(f"{out} holds {run.games:,} games in {len(run.shards):,} shards.")
    if not run.complete:
        tell(
            f"It is not finished: of the plan, {merging.missing(run)} are missing. Merge the part that has them with "
            f"--resume, or play them: the command of the parts, without --part and with --out {out} --resume."
        )
    click.echo(run.path)
