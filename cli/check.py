"""`fairdeal check`: balance as a test, which a set of cards passes or fails."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from cli import options
from cli.job import can_go_on, folder_for, played, summary_by_seats
from cli.talk import say, speaker
from simcore.places import SIGN, place

if TYPE_CHECKING:
    from analysis.check import Check

OF_PLAYING = ("games", "cards", "bots", "seats", "seed", "out", "resume")
"""Flags that say what is played, and mean nothing for games that have been played."""


@click.command(
    epilog=options.examples(
        "fairdeal check lost-cities",
        "fairdeal check lost-cities --cards my-set --targets targets.toml --games 20k",
        "fairdeal check my-run --targets targets.toml --strict",
        "fairdeal check lost-cities --targets targets.toml --format junit --to check.xml",
    )
)
@options.all_of(
    click.argument("game", metavar="GAME|RUN", shell_complete=options.complete_game),
    options.targets,
    options.games_count,
    options.cards,
    options.bots(required=False, text="Who plays.  [default: the bots of the targets file, else one of each tier]"),
    options.seats_or_each,
    options.seed,
    options.run_out,
    click.option("--strict", is_flag=True, help="Count as missed also what is not yet known."),
    click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json", "junit"]),
        default="text",
        show_default=True,
        help="For people, for programs, or JUnit XML for what shows the results of tests.",
    ),
    click.option(
        "--to",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Write it there, and print the sentences for people.  [default: print it]",
    ),
    options.resume,
    options.threads,
    options.cluster,
    options.quiet,
)
@click.pass_context
def check(
    ctx: click.Context,
    game: str,
    targets: str | None,
    games: int | None,
    cards: str | None,
    bots: str | None,
    seats: int | None,
    seed: int,
    out: str | None,
    strict: bool,
    form: str,
    to: str | None,
    resume: bool,
    threads: int | None,
    quiet: bool,
) -> int:
    """Does a card set meet its targets? Exit status 0 if so, 1 where one is missed.

    GAME is played as by `fairdeal balance`, and then judged; the run stays in its folder, so that
    `fairdeal report balance` can tell why. RUN is a folder that holds games already, of one or several numbers of
    seats. A target is met or missed where the intervals are sure of it, else it is not yet known.
    """
    from analysis.studies import check as studies
    from simcore import game as registry

    if to is not None:
        _refuse_file(ctx, to)
    if game not in registry.names():
        _refuse_flags_of_playing(ctx, game, list(registry.names()))
        runs = studies.open_runs(game)
        found = studies.of_runs(runs, studies.load_targets(runs[0].manifest["game"], targets), threads)
        return _tell(found, form, to, strict)
    wanted = studies.load_targets(game, targets)
    plans = studies.plans(game, wanted, bots, games, cards, seats, seed)
    folder = folder_for(ctx, game, out, resume)
    speaker(quiet)(summary_by_seats(plans, folder))
    runs = played(ctx, folder, quiet, lambda progress: studies.play(plans, folder, threads, resume, progress))
    with can_go_on(ctx, folder):
        speaker(quiet)(f"Analysing {sum(run.games for run in runs):,} games.")
        return _tell(studies.of_runs(runs, wanted, threads), form, to, strict)


def _refuse_flags_of_playing(ctx: click.Context, word: str, games: list[str]) -> None:
    """Raise UsageError where a word is neither a game nor a folder, or a run is given flags of playing."""
    from simcore.game import unknown
    from simcore.given import told

    if not place(word).is_dir():
        found = told(word) or "Nor is there a run folder of this name."
        raise click.UsageError(f"{unknown('game', word, games)} {found}", ctx)
    for name in OF_PLAYING:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is for playing a game; {word} is a run that has been played.", ctx)


def _refuse_file(ctx: click.Context, to: str) -> None:
    """Raise UsageError where a file cannot be written, before anything is played for it."""
    if SIGN in to or not Path(to).name or not Path(to).parent.is_dir():
        raise click.UsageError(f"--to {to!r} cannot be written. Allowed: a file in a folder that is there.", ctx)


def _tell(found: "Check", form: str, to: str | None, strict: bool) -> int:
    """Print the check, or write it and print its sentences, and warn on stderr, quiet or not; the exit status."""
    from analysis.check_verdicts import warnings
    from reports import check as reports
    from simcore.files import write_file

    for warning in warnings(found):
        say(f"Warning: {warning}")
    if to is None:
        click.echo(reports.render(found, form, strict), nl=False)
    else:
        write_file(Path(to), reports.render(found, form, strict).encode())
        click.echo(reports.render(found, "text", strict), nl=False)
    return 0 if found.passed(strict) else 1
