"""The command line, in this process (`call`) or as a process of its own (`command`)."""

import shutil
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from cli.main import main

GAME = "lost-cities"


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def command(*words: str | Path) -> list[str]:
    """The arguments that start fairdeal as a process, as it is installed beside this Python."""
    program = shutil.which("fairdeal", path=str(Path(sys.executable).parent))
    assert program, "fairdeal is not installed in this environment"
    return [program, *map(str, words)]
