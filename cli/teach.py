"""`fairdeal teach`: teach the trained bot a card set by search."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import fit, options
from cli.job import can_go_on
from cli.talk import duration, now_and_then, speaker

if TYPE_CHECKING:
    from strategies.course import Progress, Settings

# As in strategies.course, which is not imported for --help.
LESSONS = 60_000


@click.command(
    epilog=options.examples(
        "fairdeal teach lost-cities --cards my-set --out mine.toml",
        "fairdeal teach vaalbara --seats 3 --minutes 10",
        "fairdeal teach lost-cities --lessons 200_000 --out mine.toml --resume",
    )
)
@options.all_of(
    options.game,
    click.option(
        "--bot",
        default="trained",
        show_default=True,
        shell_complete=options.complete_bots,
        help="Who is taught: the trained bot, or a weights file of it to start from.",
    ),
    click.option(
        "--expert",
        metavar="NAME",
        shell_complete=options.complete_bots,
        help="The weights file of an expert that was fitted (fairdeal train --bot expert).  [default: that in the bot]",
    ),
    options.cards,
    fit.seats("; by default each number that the game allows."),
    click.option(
        "--lessons",
        type=options.Count(),
        default=LESSONS,
        show_default=True,
        help="Decisions of which search tries all options.",
    ),
    click.option(
        "--minutes",
        type=options.Margin(0, min_open=True),
        metavar="MINUTES",
        help="Take no more lessons when this time is up. Teaching and measuring are not counted.",
    ),
    options.games_count_of("Games against each opponent by which the result is measured", "10k"),
    options.seed,
    fit.weights_out,
    click.option("--resume", is_flag=True, help="Go on with the course that writes --out, where it was stopped."),
    options.threads,
    options.quiet,
)
@click.pass_context
def teach(
    ctx: click.Context,
    game: str,
    bot: str,
    expert: str | None,
    cards: str | None,
    seats: tuple[int, ...],
    lessons: int,
    minutes: float | None,
    games: int | None,
    seed: int,
    weights: str | None,
    resume: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Teach the trained bot of GAME a card set.

    The trained bot is the expert with a small net that says when another option is better. Here the net learns that for
    a card set: the bot plays itself, and at some decisions search tries all options in imagined games. In the end it
    says how strong the bot has become on deals that it has not seen. The weights file that it writes can be named
    wherever a bot is named. All is played on this machine. Ctrl-C stops it without loss (--resume).
    """
    from analysis.studies import teach as studies

    settings = studies.plan(game, bot, seats or None, cards, lessons, expert, seed)
    path = fit.file_for(ctx, settings.game, weights, resume)
    speaker(quiet)(_summary(settings, path))
    with can_go_on(ctx, path), _showing_progress(quiet) as show:
        found = studies.result(settings, minutes, games or studies.GAMES, path, resume, threads, show)
    for sentence in found.sentences:
        click.echo(sentence)
    click.echo(f"Weights: {path}")


def _summary(settings: "Settings", path: Path) -> str:
    seats = ", ".join(map(str, settings.seats))
    who = f"{settings.game}, card set {settings.card_set.name}, {seats} seats"
    what = f"teaching {settings.bot}, {settings.lessons:,} lessons, seed {settings.seed}"
    return "\n".join([*settings.card_set.notices, f"{who}: {what}, into {path}"])


def in_words(progress: "Progress") -> str:
    """How far a course is, at what speed, and what is left."""
    words = [f"{progress.lessons:,} of {progress.of:,} lessons"]
    if progress.steps:
        words.append(f"teaching, step {progress.steps} of about {progress.most_steps}")
    elif progress.rate:
        left = max(0, progress.of - progress.lessons) / progress.rate
        words.append(f"{progress.rate:,.0f} lessons/s, {duration(left)} left")
    return "; ".join(words)


@contextmanager
def _showing_progress(quiet: bool) -> Iterator[Callable[["Progress"], None]]:
    """A function to call with a course's progress: a bar on a terminal, plain lines now and then elsewhere."""
    if quiet:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with fit.bar() as update:
            yield lambda progress: update(progress.of, min(progress.lessons, progress.of), in_words(progress))
    else:
        yield now_and_then(in_words, lambda progress: progress.seconds)
