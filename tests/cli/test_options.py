"""Counts, and what a shell completes."""

import os
import shutil
import subprocess
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from cli.main import main
from cli.options import Count
from tests.cli import GAME, call, command

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("5000", 5000),
        ("50_000", 50_000),
        ("200k", 200_000),
        ("5M", 5_000_000),
        ("5m", 5_000_000),
        ("1.5M", 1_500_000),
        ("0.25k", 250),
        ("1_000k", 1_000_000),
    ],
)
def test_counts_are_read_as_people_write_them(text: str, number: int) -> None:
    assert Count().convert(text, None, None) == number


@pytest.mark.parametrize("text", ["", "0", "-3", "many", "1.5", "0.0001k", "5G", "1__000", "_1", "1e6", "5 k k", "٣"])
def test_what_is_no_count_is_refused_with_examples_or_the_least(text: str) -> None:
    with pytest.raises(click.BadParameter, match=r"200k|at least 1"):
        Count().convert(text, None, None)


def completions(words: list[str], incomplete: str) -> list[str]:
    completer = BashComplete(main, {}, "fairdeal", "_FAIRDEAL_COMPLETE")
    return [item.value for item in completer.get_completions(words, incomplete)]


def test_commands_and_flags_are_completed() -> None:
    assert completions([], "ba") == ["balance"]
    assert completions(["cards"], "") == ["check", "diff", "export", "schema", "show"]
    assert completions(["simulate", GAME], "--lo") == ["--log"]


@pytest.mark.parametrize("name", ["balance", "simulate"])
def test_games_are_completed(name: str) -> None:
    assert completions([name], "lost") == [GAME]


def test_bots_are_completed_one_after_the_other() -> None:
    assert {"uniform", "heuristic"} <= set(completions(["simulate", GAME, "--bots"], ""))
    assert completions(["simulate", GAME, "--games", "5k", "--bots"], "heur") == ["heuristic"]
    assert completions(["simulate", GAME, "--bots"], "heu") == ["heuristic"]
    assert completions(["simulate", GAME, "--bots"], "uniform,heu") == ["uniform,heuristic"]
    assert completions(["simulate", GAME, "--bots"], "uniform,heuristic,heu") == []
    assert completions(["simulate", "no-such-game", "--bots"], "heu") == []


def test_card_sets_are_completed_by_name_else_as_files() -> None:
    assert completions(["balance", GAME, "--cards"], "lo") == ["long", "long_single_round"]
    assert completions(["cards", "diff", GAME, "base"], "si") == ["single_round"]
    completer = BashComplete(main, {}, "fairdeal", "_FAIRDEAL_COMPLETE")
    (path,) = completer.get_completions(["balance", GAME, "--cards"], "./my")
    assert (path.type, path.value) == ("file", "./my")


def test_cards_to_deny_and_their_groups_are_completed() -> None:
    assert completions(["access", "lisboa", "--only"], "s") == [
        "ships",
        "ship blue",
        "ship red",
        "ship purple",
        "ship brown",
    ]
    assert completions(["access", "no-such-game", "--only"], "s") == []


LINES = {
    "bash": 'eval "$(_FAIRDEAL_COMPLETE=bash_source fairdeal)"',
    "zsh": 'eval "$(_FAIRDEAL_COMPLETE=zsh_source fairdeal)"',
    "fish": "_FAIRDEAL_COMPLETE=fish_source fairdeal | source",
}


@pytest.mark.parametrize("shell", LINES)
def test_each_shell_gets_its_script_by_the_line_of_the_readme(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LINES[shell] in README
    if shell == "bash" and not shutil.which("bash"):
        pytest.skip("no bash here, whose version click asks for")
    monkeypatch.setenv("_FAIRDEAL_COMPLETE", f"{shell}_source")
    result = call()
    assert result.exit_code == 0
    assert "_FAIRDEAL_COMPLETE" in result.stdout


@pytest.mark.parametrize(("shell", "answer"), [("zsh", "plain\nlost-cities\n"), ("fish", "plain,lost-cities")])
def test_other_shells_are_answered_in_their_form(shell: str, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_FAIRDEAL_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", "fairdeal balance lost")
    monkeypatch.setenv("COMP_CWORD", "lost" if shell == "fish" else "2")
    assert answer in call().stdout


@pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason="needs bash")
def test_bash_completes_with_the_line_of_the_readme() -> None:
    (program,) = command()
    script = f"""
        {LINES["bash"]}
        COMP_WORDS=(fairdeal balance lost); COMP_CWORD=2
        _fairdeal_completion fairdeal && echo "${{COMPREPLY[@]}}"
    """
    path = os.pathsep.join([str(Path(program).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script], env={**os.environ, "PATH": path}, capture_output=True, check=False, text=True
    )
    if "older than 4.4" in done.stderr:
        pytest.skip("click needs a newer bash")
    assert done.stdout.strip() == GAME
