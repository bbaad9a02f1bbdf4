"""Every text that is no plain data is one ValueError."""

import math

import pytest

from simcore import strict_json


def test_plain_data_is_read() -> None:
    assert strict_json.loads('{"a": [1, 2.5, null, true, "é\\u00e9"]}'.encode()) == {"a": [1, 2.5, None, True, "éé"]}


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "Expecting value"),
        (b"\xff", "utf-8"),
        (b"[" * 100_000, "without end"),
        (b'{"a":' * 100_000, "without end"),
        (b"[NaN]", "NaN is no number"),
        (b"[-Infinity]", "-Infinity is no number"),
        (b"[" + b"9" * 5000 + b"]", "4300 digits"),
        (b'["\\ud800"]', "surrogates"),
        (b'{"a": 1, "a": 2}', "'a' stands twice"),
        (b"\xef\xbb\xbf[]", "BOM"),
    ],
)
def test_what_is_none_is_refused(data: bytes, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        strict_json.loads(data)


def test_infinity_only_where_a_log_has_it() -> None:
    assert strict_json.loads(b"[Infinity]", infinity=True) == [math.inf]
    with pytest.raises(ValueError, match="NaN"):
        strict_json.loads(b"[NaN]", infinity=True)


def test_texts_that_can_be_printed() -> None:
    assert strict_json.is_plain({"a": ["b", 1, None]}, 5)
    for content in ({"a\n": 1}, ["\x1b[31m"], ["\u202e"], {"a": {"b": "too long"}}):
        assert not strict_json.is_plain(content, 5)
