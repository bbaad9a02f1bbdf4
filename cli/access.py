"""`fairdeal access`: what each card is worth to a player who is denied it."""

from typing import TYPE_CHECKING, Literal

import click

from cli import options
from cli.job import patient_ctrl_c
from cli.talk import duration, showing_progress, speaker
from simcore.errors import InputError
from simcore.places import place

if TYPE_CHECKING:
    from analysis.studies.access import AccessPlan
    from simcore.batch import Progress


@click.command(
    epilog=options.examples(
        "fairdeal access valletta --seats 4",
        "fairdeal access valletta --seats 3 --kind ban --games 50_000 --out my-access",
        "fairdeal access valletta --seats 2 --cards standard --cards my-set",
        "fairdeal access lisboa --seats 3 --only ships --only 'block row *' --only CK01",
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
        help="The card set: a shipped one's name, a workbook or a folder. Given twice: what the edit from the first to "
        "the second does to the worth of each card.  [default: the game's first, see `fairdeal games`]",
    ),
    options.bots(
        required=False,
        text="Who plays: one bot, in self-play; or two, the first being denied cards in a field of the second.  "
        "[default: the expert, else the strongest that there is]",
    ),
    options.seats,
    options.games_count_of("Games of each arm: free, and without each card", "20k, or 500 where a search bot plays"),
    click.option(
        "--kind",
        type=click.Choice(["ban", "blank"]),
        help="How a card is denied: it must not be used, or it does nothing.  [default: whatever the game knows]",
    ),
    click.option(
        "--only",
        multiple=True,
        metavar="NAME",
        shell_complete=options.complete_denied,
        help="Try this card alone, by its name or the id of its row, or the cards of this group; can be given several "
        "times, and * stands for any letters. A wrong name lists what there is.  [default: every card]",
    ),
    options.seed,
    options.report_out,
    *options.margins,
    options.formats,
    options.threads,
    options.cluster_of("It needs no folder in common: all is played in memory."),
    options.as_json,
    options.quiet,
)
def access(
    game: str,
    card_sets: tuple[str, ...],
    bots: str | None,
    seats: int | None,
    games: int | None,
    kind: Literal["ban", "blank"] | None,
    only: tuple[str, ...],
    seed: int,
    out: str | None,
    margin_points: float,
    margin_share: float,
    formats: tuple[str, ...],
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """What is each card of GAME worth to a player?

    The same deals are played with the card and with one player denied it, one card after the other, so that luck
    cancels: this is what having access to a card does, and no mere association. All is played in memory; what is kept
    is the report.
    """
    from analysis.studies import access as studies
    from reports import access as report
    from simcore import request

    made = studies.plan(game, card_sets or None, bots, games, seats, seed, kind, only)
    folder = request.new_run_folder(made.plans[0].game) if out is None else place(out)
    if there := [name for name in report.FORMATS if (folder / f"report.{name}").exists()]:
        raise InputError(f"{folder} holds a report already (report.{there[0]}). Choose another folder.")
    tell = speaker(quiet)
    tell(_summary(made))
    last: list[Progress] = []
    with patient_ctrl_c(), showing_progress(quiet) as show:

        def note(now: "Progress") -> None:
            last[:] = [now]
            show(now)

        result = studies.result(made, threads, note, margin_points, margin_share)
    tell(f"Played {last[0].new:,} games in {duration(last[0].seconds)}.")
    files = report.write(result, folder, formats or report.FORMATS)
    if as_json:
        click.echo(report.render_json(result), nl=False)
        tell(f"Report: {files[0]}")
        return
    for verdict in result.verdicts:
        click.echo(verdict.text)
    click.echo(f"Report: {files[0]}")


def _summary(made: "AccessPlan") -> str:
    plan = made.plans[0]
    notices = dict.fromkeys(notice for one in made.plans for notice in one.card_set.notices)
    sets = " and ".join(one.card_set.name for one in made.plans)
    who = f"{plan.game}, card set{'s' if len(made.plans) > 1 else ''} {sets}, bots {', '.join(plan.bots)}"
    what = f"{made.arms} arms of {plan.games:,} games with {plan.seats} seats, seed {plan.seed}"
    return "\n".join([*notices, f"{who}: {what}"])
