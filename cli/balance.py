"""`fairdeal balance`: the main job, from a game to the verdict."""

import click

from cli import options
from cli.job import can_go_on, folder_for, play, played, summary_by_seats
from cli.talk import speaker
from cli.verdict import Kind, write_by_seats, write_run


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
    options.seats_or_each,
    options.seed,
    options.run_out,
    *options.margins,
    options.formats,
    options.resume,
    options.threads,
    options.cluster,
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
    `report`. A game for several numbers of seats is played with each of them, unless --seats says with how many: the
    folder then holds a run for each (`2-seats`, `3-seats` …) with its report, and under `report` one page about all.
    """
    from simcore import request

    plans = request.balance_plans(game, bots, games, cards, seats, seed)
    if len(plans) == 1:
        run = play(ctx, plans[0], out, threads, resume, quiet)
        with can_go_on(ctx, run.path):
            write_run(Kind.BALANCE, run, None, formats, margin_points, margin_share, threads, quiet)
        return
    from analysis.studies import balance as studies

    folder = folder_for(ctx, plans[0].game, out, resume)
    speaker(quiet)(summary_by_seats(plans, folder))
    runs = played(ctx, folder, quiet, lambda progress: studies.play_by_seats(plans, folder, threads, resume, progress))
    with can_go_on(ctx, folder):
        write_by_seats(Kind.BALANCE, runs, folder, None, formats, margin_points, margin_share, threads, quiet)
