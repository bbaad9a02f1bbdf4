import json
import os
import subprocess
import sys
import tempfile
import types
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba import njit

from simcore import bots, engine
from simcore import game as games
from simcore.bots import Bot
from simcore.cardset import CardSet
from simcore.play import Table
from simcore.traces import SILENT
from tests.simcore import tiny_plug_in
from tests.simcore.toygame.game import GAME as BIDS

pytestmark = pytest.mark.jitted

ROOT = Path(__file__).parents[2]
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only there a variable names the user's cache")


@pytest.fixture
def plug_in(tmp_path: Path) -> Path:
    folder = tmp_path / "plug_in"
    tiny_plug_in.write(folder)
    return folder


def play(plug_in: Path, cache: Path, **environment: str) -> dict[str, Any]:
    """What a new process makes of the plug-in."""
    command = [sys.executable, "-m", "tests.simcore.tiny_plug_in", str(plug_in)]
    own = {
        name: value for name, value in os.environ.items() if name not in ("NUMBA_BOUNDSCHECK", "NUMBA_CACHE_DIR")
    } | {"XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run(command, env=own, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def edit(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), encoding="utf-8")


@pytest.mark.slow
@on_linux
def test_an_edited_callee_is_seen_by_the_next_process(plug_in: Path, tmp_path: Path) -> None:
    """Compiled code is kept, and never used where a function that it calls has changed in another file."""
    cache = tmp_path / "cache"
    first = play(plug_in, cache)
    assert (first["points"], first["hits"]) == ([11, 11], 0)
    assert Path(first["folder"]).is_relative_to(cache)
    again = play(plug_in, cache)
    assert again == {**first, "hits": first["misses"], "misses": 0}

    edit(plug_in / "tiny" / "worth.py", "10 + action", "20 + action")
    edited = play(plug_in, cache)
    assert edited["points"] == [21, 21]
    assert edited["folder"] != first["folder"]

    edit(plug_in / "taste.py", "return 1", "return 0")  # beside a bot that stands in a module of its own
    assert play(plug_in, cache)["points"] == [20, 20]

    edit(plug_in / "taste.py", "return 0", "return 1")
    back = play(plug_in, cache)
    assert (back["points"], back["misses"]) == ([21, 21], 0)

    checked = play(plug_in, cache, NUMBA_BOUNDSCHECK="1")
    assert checked["points"] == [21, 21]
    assert checked["hits"] == 0
    assert checked["folder"] not in (first["folder"], edited["folder"])
    assert not list(plug_in.rglob("__pycache__")), "nothing is written beside the sources"


@pytest.mark.slow
@on_linux
def test_without_a_cache_everything_compiles_anew(plug_in: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for _ in range(2):
        found = play(plug_in, file)
        assert (found["points"], found["hits"], found["folder"]) == ([11, 11], 0, "")
    assert not list(plug_in.rglob("__pycache__"))


# --- The folder ------------------------------------------------------------------------------------------------------


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's cache, and a memory of folders that is of this test alone."""
    monkeypatch.setattr(engine, "user_cache_path", lambda name: tmp_path / name)
    engine.cache_folder.cache_clear()
    yield tmp_path / "fairdeal"
    engine.cache_folder.cache_clear()


LOST_CITIES = games.get("lost-cities")


def test_each_game_has_a_folder_named_by_its_sources(root: Path) -> None:
    folder = engine.cache_folder(LOST_CITIES)
    assert folder == root / "lost-cities" / engine.source_hash(LOST_CITIES)[:16]
    assert folder.is_dir()
    assert not list(folder.iterdir())


def test_old_folders_are_removed_and_the_one_in_use_stays(root: Path) -> None:
    olds = [root / "lost-cities" / f"old-{age}" for age in range(10)]
    for age, old in enumerate(olds):
        old.mkdir(parents=True)
        (old / "code.nbc").touch()
        os.utime(old, (1000 - age, 1000 - age))
    other = root / "bids" / "old"
    other.mkdir(parents=True)
    folder = engine.cache_folder(LOST_CITIES)
    assert folder is not None
    assert set((root / "lost-cities").iterdir()) == {folder, *olds[: engine.KEPT_FOLDERS - 1]}
    assert other.exists()


def test_a_folder_in_use_again_stays_whatever_the_clock_tells(root: Path) -> None:
    folder = root / "lost-cities" / engine.source_hash(LOST_CITIES)[:16]
    folder.mkdir(parents=True)
    os.utime(folder, (1, 1))
    for number in range(engine.KEPT_FOLDERS + 2):
        other = root / "lost-cities" / str(number)
        other.mkdir()
        os.utime(other, (2**33, 2**33))  # newer than the one in use, as a clock may tell
    assert engine.cache_folder(LOST_CITIES) == folder
    assert folder.stat().st_mtime > 1  # it is there, and new to other versions


@pytest.mark.parametrize("refused", ["folder", "file"])
def test_a_cache_that_cannot_be_written_to_is_not_used(
    root: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    """A folder may be there and take no files: numba would then write beside the sources."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    if refused == "folder":
        monkeypatch.setattr(Path, "mkdir", refuse)
    else:
        monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert engine.cache_folder(LOST_CITIES) is None


def test_the_hash_is_that_of_every_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep").mkdir()
    game = replace(LOST_CITIES, folder=tmp_path)
    hashes = [engine.source_hash(game)]
    for name, text in (("a.py", "1"), ("a.py", "2"), ("deep/b.py", "1"), ("notes.md", "1")):
        (tmp_path / name).write_text(text)
        hashes.append(engine.source_hash(game))
    assert len(set(hashes)) == 4
    assert hashes[-1] == hashes[-2]  # notes are no source
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1 if not numba.config.BOUNDSCHECK else None)
    assert engine.source_hash(game) != hashes[-1]


def test_the_hash_covers_the_packages_of_all_bots(bids: CardSet) -> None:
    hashed = {file for bot in bots.available("bids") for file in engine._sources(bot.policy.__module__)}
    assert ROOT / "strategies" / "uniform.py" in hashed
    assert ROOT / "tests" / "simcore" / "toygame" / "bots.py" in hashed


# --- Functions -------------------------------------------------------------------------------------------------------


def test_a_function_is_compiled_once_and_for_pointers_only(bids: CardSet) -> None:
    compiled = engine.engine("bids")
    assert compiled is engine.engine("bids")
    one, two = compiled.policies([bots.get("bids", "dice")]), compiled.policies([bots.get("bids", "payer")])
    assert len(one) == BIDS.most_seats
    assert len({id(policy) for policy in (*one, *two)}) == 1
    loop = compiled.loop(SILENT)
    for names in (("dice", "greedy"), ("greedy", "dice", "payer", "greedy", "dice")):
        list(Table("bids", bids, len(names), names, 1).play(0, 1))
    assert compiled.loop(SILENT) is loop
    assert len(loop.signatures) == 1


PROMPT = """
def typed_in(public, me, cards, options, noise, mind):
    return nth_option(options, 0)
"""


def test_a_bot_may_be_typed_in_at_a_prompt(bids: CardSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code has no file: it is compiled for this process alone."""
    prompt = types.ModuleType("prompt")
    monkeypatch.setitem(sys.modules, "prompt", prompt)
    prompt.__dict__["nth_option"] = games.nth_option
    exec(compile(PROMPT, "<stdin>", "exec"), prompt.__dict__)
    bot = Bot("typed-in", "bids", "random", "Takes the first option.", njit(prompt.__dict__["typed_in"]))
    monkeypatch.setattr(bots, "_bots", {**bots._bots, ("bids", "typed-in"): bot})
    table = Table("bids", bids, 2, ("typed-in", "typed-in"), 1)
    assert all(step.action == step.options[0] for step in table.steps(0, 0) if step.seat >= 0)
    assert engine._sources("prompt") == set()


@njit
def small(public, me, cards, options, noise, mind):  # type: ignore[no-untyped-def]
    return np.int32(games.nth_option(options, 0))


@njit
def unsigned(public, me, cards, options, noise, mind):  # type: ignore[no-untyped-def]
    return np.uint64(games.nth_option(options, 0))


@njit
def true(public, me, cards, options, noise, mind):  # type: ignore[no-untyped-def]
    return options.count > 1


@pytest.mark.parametrize("policy", [small, unsigned])
def test_any_integer_is_an_action(bids: CardSet, policy: Any) -> None:
    table = Table("bids", bids, 2, ("dice", "dice"), 1)
    odd = Bot("odd", "bids", "random", "", policy)
    table.policies = table.engine.policies((odd, bots.get("bids", "greedy")))
    steps = [step for step in table.steps(0, 0) if step.seat == 0]
    assert all(step.action == step.options[0] for step in steps)


def test_a_truth_value_is_not_an_action(bids: CardSet) -> None:
    with pytest.raises(ValueError, match="a policy returns an integer action, this one returns bool"):
        engine.engine("bids").policies([Bot("odd", "bids", "random", "", true)])
