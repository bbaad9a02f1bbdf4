"""What the commands that fit weights share: their flags, and their progress."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import options
from cli.talk import duration, now_and_then
from simcore.places import on_disk

if TYPE_CHECKING:
    from strategies.train import Progress

# Those of strategies.train, which is not imported for --help.
GENERATIONS, POPULATION, DEALS, STEP = 60, 16, 200, 0.2


search = (
    click.option(
        "--generations",
        type=options.Count(),
        help=f"How many steps the search makes.  [default: {GENERATIONS}, or with --minutes as many as fit]",
    ),
    click.option(
        "--minutes",
        type=options.Margin(0, min_open=True),
        metavar="MINUTES",
        help="Begin no generation that would not end in time. What follows (measuring the result) is not counted. The "
        "number of generations that is told at the end, with --generations, repeats the result.",
    ),
    click.option(
        "--population", type=options.Count(), default=POPULATION, show_default=True, help="Candidates a generation."
    ),
    click.option(
        "--deals",
        type=options.Count(),
        default=DEALS,
        show_default=True,
        help="Deals that the first generation plays against each opponent, in every seat; later ones play more where "
        "luck hides the differences.",
    ),
    click.option(
        "--step",
        type=options.Margin(0, min_open=True),
        default=STEP,
        show_default=True,
        metavar="SHARE",
        help="How far the first candidates are from the start, as a share of each weight.",
    ),
)


def seats(default: str) -> Callable[..., Any]:
    """The flag --seats of a command that makes weights for one number of seats or several."""
    return click.option(
        "--seats",
        type=int,
        multiple=True,
        metavar="NUMBER",
        help=f"How many play{default} Given several times: one set of weights for tables of all these sizes.",
    )


weights_out = click.option(
    "--out",
    "weights",
    type=click.Path(dir_okay=False),
    help="The weights file, new; its name ends with .toml.  [default: fairdeal-runs/GAME-TIME/weights.toml]",
)
resume = click.option("--resume", is_flag=True, help="Go on with the fit that writes --out, where it was stopped.")


def generations_of(generations: int | None, minutes: float | None) -> int | None:
    """How many generations at most: without a word those of the default, or where the clock rules any number."""
    return GENERATIONS if generations is None and minutes is None else generations


@contextmanager
def showing_progress(quiet: bool) -> Iterator[Callable[["Progress"], None]]:
    """A function to call with a fit's progress: a bar on a terminal, plain lines now and then elsewhere."""
    if quiet:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with bar() as update:

            def show(progress: "Progress") -> None:
                total, done = progress.generations, float(progress.generation)
                if total is None and progress.seconds_left is not None:  # the clock rules
                    total, done = round(progress.seconds + progress.seconds_left), progress.seconds
                update(total, done, in_words(progress))

            yield show
    else:
        yield now_and_then(in_words, lambda progress: progress.generation)


def in_words(progress: "Progress") -> str:
    """How far a fit is, how well it does, at what speed, and what is left."""
    of = "" if progress.generations is None else f" of {progress.generations:,}"
    words = [f"generation {progress.generation:,}{of}"]
    if progress.margins:
        words.append(", ".join(f"{margin:+.2f} over {name}" for name, margin in progress.margins.items()))
    words.append(f"step {progress.step:.3f}, {progress.deals:,} deals")
    if progress.seconds_left is not None:
        words.append(f"{progress.rate:,.0f} games/s, {duration(progress.seconds_left)} left")
    return "; ".join(words)


@contextmanager
def bar() -> Iterator[Callable[[float | None, float, str], None]]:
    """A bar on the terminal; to be told the total, what is done of it, and what to say."""
    from rich import progress as rich_progress
    from rich.console import Console

    columns = (rich_progress.BarColumn(), rich_progress.TextColumn("{task.description}"))
    with rich_progress.Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("getting ready (the first start on a machine compiles the game)", total=None)
        yield lambda total, done, words: shown.update(task, total=total, completed=done, description=words)


def file_for(ctx: click.Context, game: str, weights: str | None, resume: bool) -> Path:
    """The weights file that --out names, or a new one under fairdeal-runs; to go on, it must be named."""
    from simcore import request

    if resume and weights is None:
        raise click.UsageError("--resume goes on with a fit that is there: name its weights file with --out.", ctx)
    return on_disk(weights, "a weights file") if weights is not None else request.new_run_folder(game) / "weights.toml"
