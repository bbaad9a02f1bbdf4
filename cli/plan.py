"""`fairdeal plan`: how many games an effect needs, from a pilot."""

from typing import TYPE_CHECKING

import click

from cli import options
from cli.job import patient_ctrl_c
from cli.talk import duration, showing_progress, speaker

if TYPE_CHECKING:
    from simcore.batch import Progress
    from simcore.plan import Plan


@click.command(
    epilog=options.examples(
        "fairdeal plan lost-cities",
        "fairdeal plan lost-cities --bots expert --effect 0.5pp --effect '2 points' --power 0.8",
        "fairdeal plan lost-cities --cards base --cards my-set --games 50k",
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
        help="The card set: a shipped one's name, a workbook or a folder. Given twice: also what comparing the two on "
        "the same deals takes.  [default: the game's first, see `fairdeal games`]",
    ),
    options.bots(required=False, text="Who plays.  [default: one bot of each tier, from random to trained]"),
    options.seats,
    click.option(
        "--effect",
        "effects",
        multiple=True,
        metavar="SIZE",
        help="The effect to be found: 1pp (percentage points of the wins) or '0.5 points'; can be given once in each "
        "unit.  [default: 1pp and 1 point]",
    ),
    click.option(
        "--power",
        type=options.Margin(0.5, 1, max_open=True),
        default=0.9,
        show_default=True,
        help="How surely it is to be found: in this share of such runs.",
    ),
    options.games_count_of("Tell also what so many games per line-up find", "only what the effect takes"),
    click.option(
        "--pilot",
        type=options.Count(),
        metavar="DEALS",
        help="Deals of the pilot.  [default: 2,000, or 100 where a search bot plays]",
    ),
    options.seed,
    click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="For people, or for programs.",
    ),
    options.threads,
    options.quiet,
)
def plan(
    game: str,
    card_sets: tuple[str, ...],
    bots: str | None,
    seats: int | None,
    effects: tuple[str, ...],
    power: float,
    games: int | None,
    pilot: int | None,
    seed: int,
    form: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """How many games of GAME does it take to find an effect?

    A pilot is played, and its deals tell how much chance there is: how many games an effect on turn order, scores,
    strategies and cards takes, how sure that number is, how long it takes here, and what the pairing of deals saves.
    The pilot is played on this machine.
    """
    from analysis.studies import plan as studies
    from reports import plan as report

    wish = studies.wish_of(game, effects, power, games)
    made = studies.plans(game, card_sets or None, bots, seats, pilot, seed)
    tell = speaker(quiet)
    tell(_summary(made))
    last: list[Progress] = []
    with patient_ctrl_c(), showing_progress(quiet) as show:

        def note(now: "Progress") -> None:
            last[:] = [now]
            show(now)

        result = studies.result(made, wish, threads, note)
    tell(f"Played {last[0].new:,} games in {duration(last[0].seconds)}.")
    click.echo(report.render(result, form), nl=False)


def _summary(made: "tuple[Plan, ...]") -> str:
    first = made[0]
    notices = dict.fromkeys(notice for one in made for notice in one.card_set.notices)
    sets = " and ".join(one.card_set.name for one in made)
    who = f"{first.game}, card set{'s' if len(made) > 1 else ''} {sets}, bots {', '.join(first.bots)}"
    what = f"a pilot of {first.blocks:,} deals with {first.seats} seats, seed {first.seed}"
    return "\n".join([*notices, f"{who}: {what}"])
