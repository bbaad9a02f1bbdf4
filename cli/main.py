"""The command `fairdeal`: its commands, and the one place where errors become a message and an exit status.

Command modules import what is heavy (numba, polars, matplotlib) inside their commands, so `--help` answers at once.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Any

import click

from cli import options
from cli.access import access
from cli.balance import balance
from cli.cards import cards
from cli.check import check
from cli.compare import compare
from cli.exploit import exploit
from cli.games import games
from cli.job import Stopped
from cli.ladder import ladder
from cli.merge import merge
from cli.plan import plan
from cli.play import play
from cli.replay import replay
from cli.report import report
from cli.simulate import simulate
from cli.sweep import sweep
from cli.talk import say
from cli.teach import teach
from cli.train import train
from cli.trend import trend
from cli.tune import tune
from simcore.errors import FairdealError

PROGRAM = "fairdeal"
EXTRA = "Got unexpected extra argument"
HINTS = {"--bots": "--bots NAME,NAME", "--cards": "--cards SET"}
"""How names are given that are easily taken for arguments."""


class Program(click.Group):
    """A group whose errors are one message on stderr, with exit status 2 for usage and input, 1 for a failed job."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which they were added, not of the alphabet."""
        return list(self.commands)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line `args` (that of the process by default) and exit."""
        words = tuple(sys.argv[1:] if args is None else args)
        _open_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):  # a terminal or pipe that cannot show a sign shows a question mark
                stream.reconfigure(errors="replace")
        # `obj` are the words as they were typed, from which a stopped job says how to go on.
        status = _status_of(lambda: super(Program, self).main(words, PROGRAM, complete_var, False, obj=words))
        sys.exit(status)


def _status_of(run: Callable[[], Any]) -> int:
    """Run and tell the exit status; what went wrong is said on stderr."""
    try:
        result = run()
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else PROGRAM
        say(f"Error: {error.format_message()}{_hint(error)} See '{command} --help'.")
        return error.exit_code
    except click.ClickException as error:
        say(f"Error: {error.format_message()}")
        return error.exit_code
    except click.Abort:
        say("Stopped.")
        return Stopped.status
    except Stopped as stop:
        say(str(stop))
        return stop.status
    except FairdealError as error:
        say(f"Error: {error}")
        return error.status
    except OSError as error:
        say(f"Error: {error.filename or 'standard output'}: {error.strerror or error}.")
        _let_go_of_stdout()
        return click.UsageError.exit_code if error.errno == errno.ENAMETOOLONG else 1


def _hint(error: click.UsageError) -> str:
    """Where a word too many was probably the name of a bot or a card set: the flag that it belongs to."""
    if error.ctx is None or not error.message.startswith(EXTRA):
        return ""
    known = {word for param in error.ctx.command.params for word in param.opts}
    flags = [hint for flag, hint in HINTS.items() if flag in known]
    return f". Names belong to flags: {', '.join(flags)}." if flags else "."


def _open_closed_streams() -> None:
    """Where the process was started without stdout or stderr (`>&-`), let what is said there go nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123,SIM115 # until the process ends


def _let_go_of_stdout() -> None:
    """Where stdout cannot be written, keep Python from trying (and complaining) once more when it exits."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog=options.examples(
        "fairdeal games                   what can be played",
        "fairdeal balance lost-cities     the main job: play, analyse, write a report",
    ),
)
@click.version_option(package_name=PROGRAM, message="%(prog)s %(version)s")
def main() -> None:
    """Tell whether a card game is fair, and which cards and strategies break it."""


COMMANDS = (
    *(games, plan, balance, check, trend, compare, sweep, tune, access, ladder, train, teach, exploit),
    *(simulate, merge, report, cards, replay, play),
)
for command in COMMANDS:
    main.add_command(command)
