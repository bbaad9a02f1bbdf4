"""Files of lessons from strangers: kernels take the arrays as they are, so what does not fit is refused."""

import dataclasses
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore import game as games
from simcore.errors import InputError
from strategies.lessons import Lessons

GAME = games.get("lost-cities")


def lessons() -> Lessons:
    """Two decisions, of two and of three options."""
    options = 5
    return Lessons(
        deal=np.array([1, 2]),
        count=np.array([2, 3]),
        own=np.array([0, 2]),
        kind=np.array([0, 1]),
        position=np.zeros((2, len(GAME.value_features)), np.float32),
        features=np.zeros((options, len(GAME.features)), np.float32),
        estimate=np.zeros(options),
        lead=np.zeros(options, np.float32),
        worlds=np.zeros(options, np.float32),
    )


def test_sound_lessons_are_read(tmp_path: Path) -> None:
    path = tmp_path / "part.npz"
    path.write_bytes(lessons().encode())
    read = Lessons.read(path, GAME)
    for one in dataclasses.fields(Lessons):
        np.testing.assert_array_equal(getattr(read, one.name), getattr(lessons(), one.name))


@pytest.mark.parametrize(
    "change",
    [
        {"kind": np.array([0, 99])},
        {"kind": np.array([0, -1])},
        {"own": np.array([0, 3])},
        {"count": np.array([2, 4])},
        {"count": np.array([2**62, 2**62])},
        {"count": np.array([2.0, 3.0])},
        {"features": np.zeros((5, 1), np.float32)},
        {"features": np.zeros((4, len(GAME.features)), np.float32)},
        {"lead": np.array(["a"] * 5)},
        {"lead": np.array([{}] * 5, dtype=object)},
        {"deal": np.array(1)},
    ],
)
def test_lessons_that_do_not_fit(tmp_path: Path, change: Mapping[str, Any]) -> None:
    path = tmp_path / "part.npz"
    path.write_bytes(dataclasses.replace(lessons(), **change).encode())
    with pytest.raises(InputError, match=r"part\.npz is damaged"):
        Lessons.read(path, GAME)


def test_what_is_no_file_of_lessons(tmp_path: Path) -> None:
    path, sound = tmp_path / "part.npz", lessons().encode()
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("deal.npy", b"\0" * (1 << 28 | 1))
    for data in (b"", b"x", sound[:-30], sound[:200] + b"\0" * 50 + sound[250:], bomb.getvalue()):
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"part\.npz is damaged"):
            Lessons.read(path, GAME)
