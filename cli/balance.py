"""`fairdeal balance`: the main job, from a game to the verdict."""

import click

from cli import options
from cli.job import can_go_on, play
from cli.verdict import REPORT, write_balance


@click.command(
    epilog=options.examples(
        "fairdeal balance lost-cities", "fairdeal balance lost-cities --cards my-set --games 50_000 --out my-run"
    )
)
@options.all_of(
    options.game,
    options.games_count,
    options.cards,
    options.bots(required=False, text="Who plays.  [default: one bot of each tier, from random to trained]"),
    options.seats,
    options.seed,
    options.run_out,
    *options.margins,
    options.formats,
    options.resume,
    options.threads,
    options.quiet,
)
@click.pass_context
def balance(
    ctx: click.Context,
    game: str,
    games: int | None,
    cards: str | None,
    bots: str | None,
    seats: int | None,
    seed: int,
    out: str | None,
    margin_points: float,
    margin_share: float,
    formats: tuple[str, ...],
    resume: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Is GAME fair? Play, analyse, write a report, print its verdict.

    Each bot plays itself and every other one, on the same deals. The report lies in the run's folder under
    `report`.
    """
    from simcore import request

    run = play(ctx, request.balance_plan(game, bots, games, cards, seats, seed), out, threads, resume, quiet)
    with can_go_on(ctx, run.path):
        write_balance(run, run.path / REPORT, formats, margin_points, margin_share, threads, quiet)
