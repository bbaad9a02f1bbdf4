"""What is said on stderr while a command works; data goes to stdout with `click.echo`."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

import click

from simcore.errors import printable

if TYPE_CHECKING:
    from simcore.batch import Progress

FIRST_LINE = 5.0  # seconds until the first plain line of progress …
NEXT_LINES = 15.0  # … and between the others


class Timed(Protocol):
    """Progress of any work: it knows the seconds since the beginning."""

    @property
    def seconds(self) -> float: ...  # noqa: D102


T = TypeVar("T", bound=Timed)


def say(message: str) -> None:
    """Say a sentence on stderr. Names in it may be anybody's, so no sign in it steers the terminal."""
    click.echo("\n".join(map(printable, message.split("\n"))), err=True)


def speaker(quiet: bool) -> Callable[[str], None]:
    """`say`, or with --quiet a function that says nothing."""
    return (lambda message: None) if quiet else say


def duration(seconds: float) -> str:
    """A time in words, with the two largest units: "9 s", "2 min 30 s", "1 h 5 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def speed(progress: "Progress") -> str:
    """Rate and time left, or what is going on before the first shard is finished."""
    if progress.seconds_left is None:
        return "getting ready (the first start on a machine compiles the game)"
    return f"{progress.rate:,.0f} games/s, {duration(progress.seconds_left)} left"


def done(progress: "Progress") -> str:
    """How far a run is, in numbers."""
    return f"{progress.played:,} of {progress.games:,} games"


@contextmanager
def showing_progress(quiet: bool) -> Iterator[Callable[["Progress"], None]]:
    """A function to call with a run's progress: a bar on a terminal, plain lines now and then elsewhere."""
    if quiet:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with _bar() as show:
            yield show
    else:
        yield now_and_then(lambda progress: f"{done(progress)}: {speed(progress)}", lambda progress: progress.seconds)


def now_and_then(in_words: Callable[[T], str], step: Callable[[T], object]) -> Callable[[T], None]:
    """A function to call with progress: plain lines now and then, none where its `step` is that of the last one."""
    due, told = float(FIRST_LINE), None

    def show(progress: T) -> None:
        nonlocal due, told
        if progress.seconds >= due and step(progress) != told:
            due, told = progress.seconds + NEXT_LINES, step(progress)
            say(in_words(progress))

    return show


@contextmanager
def _bar() -> Iterator[Callable[["Progress"], None]]:
    from rich import progress as rich_progress
    from rich.console import Console

    columns = (
        rich_progress.BarColumn(),
        rich_progress.TextColumn("{task.fields[done]}: {task.fields[speed]}"),
    )
    with rich_progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, done="", speed="")

        def show(progress: "Progress") -> None:
            bar.update(
                task, total=progress.games, completed=progress.played, done=done(progress), speed=speed(progress)
            )

        yield show
