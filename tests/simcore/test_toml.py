"""TOML files of strangers: what is too large, too deep or no TOML is one message."""

from pathlib import Path

import pytest

from simcore import toml, weights
from simcore.errors import InputError

DEEP = "a." * 300_000 + "a = 1"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (DEEP, r"a key in too many parts \(at line 1"),
        (f"x = 1\n[{DEEP.removesuffix(' = 1')}]", r"a key in too many parts \(at line 2"),
        ("a = " + "[" * 100_000, "without end"),
        ("a = " + "{a=" * 100_000, "without end"),
        ("a = " + "9" * 5000, "4300"),
        ("a = 1\na = 2", "overwrite"),
        ("a = \0", "Invalid"),
    ],
)
def test_what_cannot_be_read(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        toml.parse(text)


def test_points_in_values_and_comments_are_no_parts_of_a_key() -> None:
    assert toml.parse(f'a = "{"." * 500}"  # {"." * 500}\n# {"." * 500}\n') == {"a": "." * 500}


@pytest.mark.parametrize(
    "value", ["0x" + "f" * 50_000, "9" * 400, "1e999", "nan", "1e101", "[[[]]]", "2000-01-01", '"1"']
)
def test_a_weight_that_is_no_number_that_can_be_reckoned_with(value: str, tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_text(f'game = "lost-cities"\n[weights]\nplay = {value}\n')
    with pytest.raises(InputError, match=r"play.* is a number, not ") as caught:
        weights.read(path)
    assert len(str(caught.value)) < 300
