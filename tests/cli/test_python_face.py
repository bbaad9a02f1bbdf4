"""`import fairdeal`: the README's example runs, and the names are those that it promises."""

import re
from pathlib import Path

import pytest

import fairdeal

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_example_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (example,) = (text for text in examples if text.startswith("import fairdeal"))
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out
    assert {path.suffix for path in (tmp_path / "my-run" / "report").iterdir()} == {".html", ".json", ".md"}


def test_the_bot_of_the_readme_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (text,) = re.findall(r"```python\n(from fairdeal import bot.*?)```", README, re.DOTALL)
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    run = fairdeal.simulate("lost-cities", bots="mine.py:cautious,heuristic", games=20, out="a-match")
    assert run.manifest["bots"][0]["text"] == "Takes the first of the legal options."


def test_every_promised_name_is_there_with_a_docstring() -> None:
    for name in fairdeal.__all__:
        assert getattr(fairdeal, name).__doc__, name


def test_a_notebook_and_the_command_line_play_the_same(tmp_path: Path) -> None:
    from tests.cli import GAME, call

    run = fairdeal.simulate(GAME, bots=["uniform", "heuristic"], games=40, out=tmp_path / "a")
    assert (
        call("simulate", GAME, "--bots", "uniform,heuristic", "--games", "40", "--out", tmp_path / "b").exit_code == 0
    )
    other = fairdeal.open_run(tmp_path / "b")
    assert other.manifest == run.manifest
    for table in run.tables:
        assert other.scan(table).collect().equals(run.scan(table).collect())


def test_mistakes_are_fairdeal_errors() -> None:
    with pytest.raises(fairdeal.FairdealError, match="Did you mean lost-cities"):
        fairdeal.simulate("lost-city", bots="uniform")
