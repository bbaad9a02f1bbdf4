"""`fairdeal compare`: two card sets on the same deals."""

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from cli import options
from cli.job import can_go_on, folder_for, played
from cli.talk import speaker
from cli.verdict import REPORT, write_comparison, write_comparison_by_seats

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from analysis.studies.compare import Question
    from simcore.plan import LogLevel, Plan


@click.command(
    epilog=options.examples(
        "fairdeal compare lost-cities --cards my-set",
        "fairdeal compare lost-cities --cards base --cards my-set --games 50_000 --out my-comparison",
        "fairdeal compare lost-cities --cards my-set --until-decided --budget 1M --question seats",
    )
)
@options.all_of(
    options.game,
    click.option(
        "--cards",
        "card_sets",
        multiple=True,
        metavar="SET",
        shell_complete=options.complete_cards,
        help="A card set: a shipped one's name or a file or folder of your own. Given twice: what changes from the "
        "first to the second. Given once: what changes from the game's first set to this one.",
    ),
    options.bots(required=False, text="Who plays.  [default: one bot of each tier, from random to trained]"),
    options.seats_or_each,
    options.games_count_of("Games per line-up and card set", "200k, or 2k where a search bot plays"),
    click.option(
        "--until-decided", is_flag=True, help="Play more and more deals, and stop as soon as the question is answered."
    ),
    click.option(
        "--budget",
        type=options.Count(),
        help="With --until-decided: at most so many games per line-up and card set.  "
        "[default: ten times that of --games]",
    ),
    click.option(
        "--question",
        type=click.Choice(["both", "seats", "scores"]),
        default="both",
        show_default=True,
        help="With --until-decided: what must be known of each bot against itself, whether the worth of going first, "
        "the mean score, or both moved by more than your margins.",
    ),
    options.log,
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
def compare(
    ctx: click.Context,
    game: str,
    card_sets: tuple[str, ...],
    bots: str | None,
    seats: int | None,
    games: int | None,
    until_decided: bool,
    budget: int | None,
    question: "Question",
    log: "LogLevel",
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
    """What does an edit of the cards of GAME change?

    The same bots play two card sets on the same deals, so that luck cancels and small changes show. The folder holds
    two runs, `a` and `b`, and the report. A game for several numbers of seats is played with each of them, unless
    --seats says with how many: the folder then holds such a folder for each (`2-seats`, `3-seats` …), and under
    `report` one page about all.
    """
    from analysis.studies import compare as studies

    _check(ctx, card_sets, games, until_decided, budget)
    by_seats = studies.plans_by_seats(game, card_sets, bots, budget or games, seats, seed, log, until_decided)
    plans = by_seats[0]
    rule = studies.Rule(question, margin_points, margin_share) if until_decided else None
    folder = folder_for(ctx, plans[0].game, out, resume)
    tell = speaker(quiet)
    tell(_summary(by_seats, folder, until_decided))
    if len(by_seats) > 1:
        pairs = played(
            ctx, folder, quiet, lambda show: studies.play_by_seats(by_seats, folder, threads, resume, show, rule)
        )
        for base, _ in pairs:
            if until_decided and base.stopped is None:
                tell(f"The budget for {base.manifest['seats']} seats is played, and not every question is decided.")
        with can_go_on(ctx, folder):
            write_comparison_by_seats(
                pairs, folder / REPORT, formats, margin_points, margin_share, threads, as_json, quiet
            )
        return
    base, variant = played(
        ctx, folder, quiet, lambda progress: studies.play(plans, folder, threads, resume, progress, rule)
    )
    if until_decided and base.stopped is None:
        tell("The budget is played, and not every question is decided.")
    with can_go_on(ctx, folder):
        write_comparison(base, variant, folder / REPORT, formats, margin_points, margin_share, threads, as_json, quiet)


def _check(
    ctx: click.Context, card_sets: tuple[str, ...], games: int | None, until_decided: bool, budget: int | None
) -> None:
    """Raise UsageError for flags that do not go together."""
    if not 1 <= len(card_sets) <= 2:
        given = "none is given" if not card_sets else f"{len(card_sets)} are given"
        raise click.UsageError(
            f"A comparison is of two card sets, and {given}: --cards A --cards B, or --cards B to compare it with the "
            "game's first.", ctx,
        )  # fmt: skip
    if until_decided and games is not None:
        raise click.UsageError("--until-decided finds out how many games it takes: give --budget, not --games.", ctx)
    if budget is not None and not until_decided:
        raise click.UsageError("--budget is for --until-decided; without it, --games says how many are played.", ctx)
    if not until_decided and ctx.get_parameter_source("question") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--question is for --until-decided; without it, all questions are answered.", ctx)


def _summary(by_seats: "Sequence[tuple[Plan, Plan]]", folder: "Path", until_decided: bool) -> str:
    base, variant = by_seats[0]
    notices = dict.fromkeys([*base.card_set.notices, *variant.card_set.notices])
    who = f"{base.game}, card sets {base.card_set.name} and {variant.card_set.name}, bots {', '.join(base.bots)}"
    if len(by_seats) == 1:
        return "\n".join([*notices, f"{who}: {_what(base, until_decided)}, seed {base.seed}, into {folder}"])
    what = [f"{plan.seats} seats: {_what(plan, until_decided)}" for plan, _ in by_seats]
    return "\n".join([*notices, f"{who}: seed {base.seed}, into {folder}", *what])


def _what(plan: "Plan", until_decided: bool) -> str:
    count = len(plan.line_ups)
    most = "at most " if until_decided else ""
    return f"{count} line-up{'s' if count > 1 else ''} of {most}{plan.games_per_line_up:,} games with each"
