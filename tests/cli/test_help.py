"""Every command and flag explains itself, and the README knows them."""

import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import click
import pytest

from cli import options
from cli.main import main
from simcore.plan import LogLevel
from tests.cli import call

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def walk(
    command: click.Command, path: tuple[str, ...] = ("fairdeal",)
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from walk(below, (*path, name))


TREE = dict(walk(main))
COMMANDS = {path: command for path, command in TREE.items() if not isinstance(command, click.Group)}


def named(path: tuple[str, ...]) -> str:
    return " ".join(path)


@pytest.mark.parametrize("path", TREE, ids=named)
def test_help_says_what_a_command_does_and_gives_examples(path: tuple[str, ...]) -> None:
    result = call(*path[1:], "--help")
    assert result.exit_code == 0
    assert TREE[path].help
    examples = [line.strip() for line in result.stdout.partition("Examples:\n")[2].splitlines()]
    assert examples
    for example in examples:
        assert example.startswith(named(path))


@pytest.mark.parametrize("path", COMMANDS, ids=named)
def test_examples_can_be_parsed(path: tuple[str, ...]) -> None:
    epilog = COMMANDS[path].epilog
    assert epilog
    for line in epilog.splitlines()[2:]:
        words = shlex.split(line.partition(">")[0])[len(path) :]
        COMMANDS[path].make_context(path[-1], words)


@pytest.mark.parametrize("path", COMMANDS, ids=named)
def test_the_readme_shows_every_command(path: tuple[str, ...]) -> None:
    assert named(path) + " " in README


@pytest.mark.parametrize("path", TREE, ids=named)
def test_every_flag_is_explained(path: tuple[str, ...]) -> None:
    for parameter in TREE[path].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


def test_a_flag_means_the_same_in_every_command() -> None:
    meanings = defaultdict(set)
    for command in COMMANDS.values():
        for parameter in command.params:
            meanings[parameter.name].add((*parameter.opts, type(parameter.type)))
    assert {name: found for name, found in meanings.items() if len(found) > 1} == {}


def test_the_log_levels_are_those_of_plans() -> None:
    assert get_args(LogLevel) == options.LOG_LEVELS


def test_help_imports_nothing_heavy() -> None:
    heavy = "{'numba', 'numpy', 'polars', 'pydantic', 'matplotlib', 'scipy', 'rich'}"
    code = f"import sys, cli.main; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"


def test_without_a_command_the_help_is_shown() -> None:
    result = call()
    assert result.exit_code == 2
    assert "Usage: fairdeal" in result.stderr


def test_the_version_is_told() -> None:
    result = call("--version")
    assert result.stdout.startswith("fairdeal, version ") or result.stdout.startswith("fairdeal 0.")
