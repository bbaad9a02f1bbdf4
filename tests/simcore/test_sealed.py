import json

import pytest

from simcore.sealed import MismatchError, seal, unseal

CONTENT = {"name": "naïve", "shards": [1, 2], "text": 'it says "checksum": "'}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("key", ["", "run"])
def test_what_is_sealed_is_read_with_its_key_and_with_no_other(indent, key):
    data = seal(CONTENT, key, indent)
    assert unseal(data, key) == unseal(data, key, strict=True) == CONTENT
    assert {**json.loads(data), "checksum": ""} == {**CONTENT, "checksum": ""}
    with pytest.raises(MismatchError, match="does not match its checksum"):
        unseal(data, key + "x")


def test_a_line_is_one_line():
    assert seal(CONTENT).count(b"\n") == 1
    assert seal({}).endswith(b"}\n")
    assert unseal(seal({})) == {}


def test_any_flipped_bit_is_found():
    data = seal(CONTENT, "run")
    for place in range(len(data) - 1):
        for bit in range(8):
            flipped = data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]
            with pytest.raises(ValueError, match=r"."):
                unseal(flipped, "run", strict=True)


def test_a_text_without_a_checksum_is_read_unless_strict():
    assert unseal(b'{"a": 1}') == {"a": 1}
    with pytest.raises(MismatchError):
        unseal(b'{"a": 1}', strict=True)


@pytest.mark.parametrize("data", [b"", b"[]", b"7", b"\xff", b"{"])
def test_what_is_no_object_is_a_value_error(data):
    with pytest.raises(ValueError, match=r"."):
        unseal(data)
