"""Playing a plan from a command: the folder, progress, and what to do when it is stopped."""

import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

import click

from cli.talk import duration, showing_progress, speaker
from simcore.errors import FairdealError, JobError
from simcore.places import place

if TYPE_CHECKING:
    from simcore.batch import Progress
    from simcore.plan import Plan, PlanPart
    from simcore.runlog import Run

T = TypeVar("T")


class Stopped(FairdealError):
    """Ctrl-C; the message says how to go on."""

    status = 130


def play(
    ctx: click.Context,
    plan: "Plan",
    out: str | None,
    threads: int | None,
    resume: bool,
    quiet: bool,
    part: "PlanPart | None" = None,
) -> "Run":
    """Play a plan, or a part of it, into a run folder, with progress on stderr.

    Raises Stopped or JobError that say how to go on.
    """
    from simcore import batch

    folder = folder_for(ctx, plan.game, out, resume)
    speaker(quiet)(_summary(plan, folder))
    return played(
        ctx,
        folder,
        quiet,
        lambda progress: batch.run(plan, folder, threads=threads, resume=resume, progress=progress, part=part),
    )


def folder_for(ctx: click.Context, game: str, out: str | None, resume: bool) -> Path:
    """The folder that --out names, or a new one under fairdeal-runs; to go on, it must be named."""
    from simcore import request

    if resume and out is None:
        raise click.UsageError("--resume goes on with a run that is there: name its folder with --out.", ctx)
    return place(out) if out is not None else request.new_run_folder(game)


def played(ctx: click.Context, folder: Path, quiet: bool, work: Callable[[Callable[["Progress"], None]], T]) -> T:
    """Do what plays into a folder, with its progress on stderr. Raises Stopped or JobError that say how to go on."""
    last: list[Progress] = []
    with can_go_on(ctx, folder), showing_progress(quiet) as progress:

        def note(now: "Progress") -> None:
            last[:] = [now]
            progress(now)

        result = work(note)
    tell = speaker(quiet)
    if last:
        tell(f"Played {last[0].new:,} games in {duration(last[0].seconds)}.")
    else:
        tell("All games of this run had been played already.")
    return result


def _summary(plan: "Plan", folder: Path) -> str:
    who = f"{plan.game}, card set {plan.card_set.name}, bots {', '.join(plan.bots)}"
    from simcore.cardset import summary

    count = len(plan.line_ups)
    what = f"{count} line-up{'s' if count > 1 else ''} of {plan.games_per_line_up:,} games, seed {plan.seed}"
    return "\n".join([*plan.card_set.notices, f"{who}: {what}, into {folder}", f"Rules: {summary(plan.card_set)}"])


def summary_by_seats(plans: "Sequence[Plan]", folder: Path) -> str:
    """What is played into a folder with each number of seats, in words."""
    from simcore.cardset import summary

    first = plans[0]
    who = f"{first.game}, card set {first.card_set.name}, bots {', '.join(first.bots)}"
    what = [
        f"{plan.seats} seats: {len(plan.line_ups)} line-up{'s' if len(plan.line_ups) > 1 else ''} of "
        f"{plan.games_per_line_up:,} games"
        for plan in plans
    ]
    return "\n".join(
        [
            *first.card_set.notices,
            f"{who}: seed {first.seed}, into {folder}",
            *what,
            f"Rules: {summary(first.card_set)}",
        ]
    )


@contextmanager
def can_go_on(ctx: click.Context, folder: Path) -> Iterator[None]:
    """Where work on a run folder is stopped or fails, say with which command it goes on: raises Stopped or JobError."""
    command = _command_to_go_on(ctx, folder)
    with patient_ctrl_c():
        try:
            yield
        except KeyboardInterrupt as stop:
            raise Stopped(f"Stopped. What was finished is kept; go on with:\n  {command}") from stop
        except JobError as error:
            kept = "What was finished is kept; when" if folder.exists() else "When"
            raise JobError(f"{error}\n{kept} the cause is gone, go on with:\n  {command}") from error


def _command_to_go_on(ctx: click.Context, folder: Path) -> str:
    """The command line as it was typed, with --resume and the folder added where they were missing."""
    words = ["fairdeal", *ctx.obj]
    if ctx.params.get("out") is None and ctx.params.get("weights") is None:  # --out is a folder, or a weights file
        words += ["--out", str(folder)]
    if not ctx.params["resume"]:
        words.append("--resume")
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


@contextmanager
def patient_ctrl_c() -> Iterator[None]:
    """The first Ctrl-C lets the shards in flight end; a second one does not wait, which loses only those."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is given signals
        return

    def first(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(Stopped.status))
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
