"""`fairdeal sweep`: how the game responds to one or two values of a card set."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import options
from cli.job import can_go_on, folder_for, played
from cli.talk import speaker
from cli.verdict import REPORT, write_sweep

if TYPE_CHECKING:
    from analysis.studies.sweep import SweepPlan


@click.command(
    epilog=options.examples(
        "fairdeal sweep lost-cities --vary rules.expedition_cost=10:30:5",
        "fairdeal sweep lost-cities --vary rules.bonus_points=0,20,40 --vary rules.bonus_min_cards=7:9 --out my-sweep",
    )
)
@options.all_of(
    options.game,
    click.option(
        "--vary",
        "words",
        required=True,
        multiple=True,
        metavar="PATH=VALUES",
        help="What is varied: TABLE.ROW.COLUMN=1,2,5 or =LOW:HIGH or =LOW:HIGH:STEP; a value of the rules is "
        "rules.NAME. Can be given twice. See `fairdeal cards schema`.",
    ),
    options.cards,
    options.bots(required=False, text="Who plays.  [default: one bot of each tier, from random to trained]"),
    options.seats,
    options.games_count_of("Games per line-up and value", "20k, or 500 where a search bot plays"),
    options.seed,
    options.run_out,
    *options.margins,
    options.formats,
    options.resume,
    options.threads,
    options.cluster,
    options.as_json,
    options.quiet,
)
@click.pass_context
def sweep(
    ctx: click.Context,
    game: str,
    words: tuple[str, ...],
    cards: str | None,
    bots: str | None,
    seats: int | None,
    games: int | None,
    seed: int,
    out: str | None,
    margin_points: float,
    margin_share: float,
    formats: tuple[str, ...],
    resume: bool,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """How does GAME respond to one or two values of its card set?

    Every value is played by the same bots on the same deals, so differences are sharp. The card set's own value is
    always among them. The report shows a curve with its bands for each answer.
    """
    from analysis.studies import sweep as studies
    from analysis.sweep_folder import open_sweep

    plan = studies.plan(game, words, bots, games, cards, seats, seed)
    folder = folder_for(ctx, plan.card_set.game, out, resume)
    speaker(quiet)(_summary(plan, folder))
    played(ctx, folder, quiet, lambda progress: studies.play(plan, folder, threads, resume, progress))
    with can_go_on(ctx, folder):
        write_sweep(open_sweep(folder), folder / REPORT, formats, margin_points, margin_share, threads, as_json, quiet)


def _summary(sweep: "SweepPlan", folder: Path) -> str:
    first = sweep.plans[0]
    who = f"{first.game}, card set {sweep.card_set.name}, bots {', '.join(first.bots)}"
    ups = f"{len(first.line_ups)} line-up{'s' if len(first.line_ups) > 1 else ''} of {first.games_per_line_up:,} games"
    count = len(sweep.points)
    what = f"{count} point{'s' if count > 1 else ''}, at each {ups}, seed {first.seed}"
    return "\n".join([*sweep.card_set.notices, *sweep.notes, f"{who}: {what}, into {folder}"])
