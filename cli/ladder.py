"""`fairdeal ladder`: who beats whom, by how much, and what of the balance changes with skill."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import options
from cli.job import can_go_on, folder_for, played
from cli.talk import speaker
from cli.verdict import REPORT, write_ladder

if TYPE_CHECKING:
    from analysis.studies.ladder import LadderPlan


@click.command(
    epilog=options.examples(
        "fairdeal ladder lost-cities",
        "fairdeal ladder valletta --seats 3 --bots uniform,greedy,expert~10,expert --games 2_000",
        "fairdeal ladder lost-cities --bots mine.py:cautious,heuristic,expert,search:200 --out my-ladder",
    )
)
@options.all_of(
    options.game,
    options.bots(
        required=False,
        text="Who plays.  [default: a bot of each tier, all simple ones, the expert with 10 % random moves "
        "(expert~10), and search:50]",
    ),
    options.seats,
    options.games_count_of(
        "Games per line-up; with a search bot the hundredth part, but 100 at least (or NUMBER, if that is less)", "10k"
    ),
    options.cards,
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
def ladder(
    ctx: click.Context,
    game: str,
    bots: str | None,
    seats: int | None,
    games: int | None,
    cards: str | None,
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
    """Which bots of GAME are stronger, and what changes with skill?

    Every two bots play each other and each plays itself, on the same deals. The report rates the bots, says which rungs
    of the ladder are sure, and which numbers of a balance report grow, shrink or flip with skill.
    """
    from analysis.ladder_folder import open_ladder
    from analysis.studies import ladder as studies

    plan = studies.plan(game, bots, games, cards, seats, seed)
    folder = folder_for(ctx, plan.first.game, out, resume)
    speaker(quiet)(_summary(plan, folder))
    played(ctx, folder, quiet, lambda progress: studies.play(plan, folder, threads, resume, progress))
    with can_go_on(ctx, folder):
        runs = open_ladder(folder)
        write_ladder(runs, folder / REPORT, formats, margin_points, margin_share, threads, as_json, quiet)


def _summary(made: "LadderPlan", folder: Path) -> str:
    from simcore import bots

    first = made.first
    who = f"{first.game}, card set {first.card_set.name}, bots {', '.join(made.bots)}: seed {first.seed}, into {folder}"
    lines = [*first.card_set.notices, who]
    for cost, plan in made.plans.items():
        kind = "search" if cost == "dear" else "quick"
        count = len(plan.line_ups)
        lines.append(f"{count} {kind} line-up{'s' if count > 1 else ''} of {plan.games_per_line_up:,} games")
    found = [bots.get(first.game, name) for name in made.bots]
    budgets = [f"Playouts of {bot.name} for a decision: at most {bot.playouts:,}" for bot in found if bot.playouts]
    return "\n".join([*lines, *budgets])
