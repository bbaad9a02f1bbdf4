"""`fairdeal simulate`: play games and keep their log."""

from typing import TYPE_CHECKING

import click

from cli import options
from cli.job import play
from cli.talk import speaker

if TYPE_CHECKING:
    from simcore.plan import LogLevel


@click.command(
    epilog=options.examples(
        "fairdeal simulate lost-cities --bots expert,heuristic --games 50_000 --out my-run",
        "fairdeal simulate lost-cities --bots expert,expert --games 1M --log games --seed 7",
        "fairdeal simulate lost-cities --bots expert --games 100M --part 2/5 --out part-2",
    )
)
@options.all_of(
    options.game,
    options.bots(
        required=True, text="Who plays: a,b against each other; a,a or a against itself; of more, every pair."
    ),
    options.games_count,
    options.cards,
    options.seats,
    options.log,
    options.seed,
    options.part,
    options.run_out,
    options.resume,
    options.threads,
    options.cluster,
    options.quiet,
)
@click.pass_context
def simulate(
    ctx: click.Context,
    game: str,
    bots: str,
    games: int | None,
    cards: str | None,
    seats: int | None,
    log: "LogLevel",
    seed: int,
    part: str | None,
    out: str | None,
    resume: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Let bots play GAME and keep the log.

    The log is a folder of Parquet files, for `fairdeal report` or your own analysis. Every line-up plays
    the same deals, each in all rotations of the seats. The folder's name is printed on stdout.
    """
    from simcore import request

    its_part = None if part is None else request.plan_part(part)
    plan = request.simulation_plan(game, bots, games, cards, seats, seed, log)
    run = play(ctx, plan, out, threads, resume, quiet, its_part)
    if not run.complete:
        speaker(quiet)(f"This is part {part} of the plan. `fairdeal merge` makes one run of the parts.")
    click.echo(run.path)
