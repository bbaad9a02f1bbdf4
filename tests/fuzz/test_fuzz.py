"""Every reader takes what is sound, and refuses hundreds of hostile inputs with a message. The long run, with millions
of them in a process of its own, is benchmarks/studies/fuzz.py.
"""

import dataclasses
from pathlib import Path

import pytest

from tests.fuzz.readers import Readers

SEED = 7
INPUTS = 12  # of each reader
NOT_WHOLE = {"bot of weights", "sweep", "--bots"}  # their seeds tell of other games, or of files that are not there


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Readers:
    return Readers(tmp_path_factory.mktemp("fuzz"))


def test_what_is_sound_is_accepted(readers: Readers) -> None:
    for name, reader in readers.all.items():
        assert any(map(reader.take, reader.seeds)) or name == "sweep", name
        assert name in NOT_WHOLE or all(map(reader.take, reader.seeds)), name


def test_what_is_changed_is_accepted_or_refused_with_a_message(readers: Readers) -> None:
    for name, reader in readers.all.items():
        for number in range(INPUTS):
            try:
                reader.take(reader.made(SEED, number))
            except Exception as error:
                raise AssertionError(f"{name}, number {number}: {reader.made(SEED, number)[:500]!r}") from error


def test_an_input_is_known_by_its_number(readers: Readers) -> None:
    for reader in readers.all.values():
        assert reader.made(SEED, 3) == reader.made(SEED, 3)
        assert len({reader.made(SEED, number) for number in range(8)}) > 1


def test_the_study_finds_what_crashes_and_what_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzz = pytest.importorskip("benchmarks.studies.fuzz")
    monkeypatch.setattr(fuzz, "SECONDS", 0.05)
    fuzz.signal.signal(fuzz.signal.SIGALRM, fuzz._too_long)
    reader = Readers(tmp_path / "readers").all["--games"]

    def crash(data: bytes) -> object:
        raise KeyError("a")

    def hang(data: bytes) -> object:
        while True:
            pass

    assert fuzz.look(reader, b"200k") == ""
    assert fuzz.look(reader, b"many") == "refused"
    assert "KeyError" in fuzz.look(dataclasses.replace(reader, read=crash), b"1")
    assert "takes more than 0.05 s" in fuzz.look(dataclasses.replace(reader, read=hang), b"1")
