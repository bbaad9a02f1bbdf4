"""Made-up inputs: valid ones that are changed at random, as a careless or hostile hand would change them.

The same seed and number give the same input. Texts are changed by signs, words, lines and spans; JSON also by its
nodes, workbooks by the text of their parts, and Parquet files by what a table may hold.
"""

import copy
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

MOST = 4  # changes of one input
LONG = 70_000  # letters of what is made long

# What readers stumble over: numbers at and beyond limits, signs with a meaning, words of the formats, signs of no text.
WORDS = [
    *("", "0", "-0", "1", "-1", "2", "00", "1_0", "1__0", "+1", "0x" + "f" * 400, "1e999", "-1e999", "1e-999", "nan"),
    *("inf", "-inf", "NaN", "Infinity", "null", "true", "false", "None", "9" * 400, "9" * 5000, "-" + "9" * 400),
    *(str(2**31), str(2**32), str(2**63), str(2**64), str(-(2**63) - 1), "1.5", "1,5", "1.0", ".5", "5."),
    *("1e5", "٣", "²", "=", "==", "[", "]", "[[", "]]", "{", "}", '"', "'", '"""', "'''", ",", ";", "\t", ":", "."),
    *("..", "#", "\\", "~"),
    *("\0", "\x01", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u202e", "\ufeff", "\ufffe", "\U0001f0a1", "é", "e\u0301"),
    *("\r", "\n", "\r\n", "\\u0000", "\\ud800", "\\U0010ffff", "\\x00", "<script>alert(1)</script>", "&amp;", "]]>"),
    *("../../x", "/etc/passwd", "C:\\x", "NUL", "CON.csv", "a/b", "mine.py:bot", "x.toml", "=cmd|' /C calc'!A0"),
    "@x",
    *("search:999999999999", "search:0", "expert~0", "expert~101", "search:1_0~5", "a~b~c", "1:2:0", "9:1"),
    "1:1000000",
    *("name", "game", "kind", "bots", "seats", "weights", "format", "blank", "*", "rules", "[" * 500, "{" * 500),
    "a." * 90,
    *("2000-01-01", "12:00:00", "0b1", "0o7", "_", "__", "-", " ", "\u00a0"),
]
TOKEN = re.compile(rb"[A-Za-z_]+|[-+]?[0-9][0-9.]*|[^A-Za-z0-9\s]")

Mutate = Callable[[random.Random, Sequence[bytes]], bytes]


def text(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """One of the texts with a few changes."""
    data = chance.choice(seeds)
    for _ in range(chance.randint(1, MOST)):
        data = chance.choice(CHANGES)(chance, data, seeds)
    return data


def _flip(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    if not data:
        return data
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :]


def _span(chance: random.Random, data: bytes, most: int = 64) -> tuple[int, int]:
    begin = chance.randint(0, len(data))
    return begin, min(len(data), begin + chance.randint(0, most))


def _insert(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    place, _ = _span(chance, data)
    return data[:place] + _word(chance) + data[place:]


def _word(chance: random.Random) -> bytes:
    word = chance.choice(WORDS).encode("utf-8", "surrogatepass")
    return word * (LONG // max(len(word), 4)) if chance.random() < 0.01 else word


def _drop(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    begin, end = _span(chance, data)
    return data[:begin] + data[end:]


def _again(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    begin, end = _span(chance, data)
    return data[:end] + data[begin:end] * chance.choice((1, 1, 2, 20)) + data[end:]


def _splice(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    other = chance.choice(seeds)
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


def _cut(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    return data[: chance.randint(0, len(data))]


def _token(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Another word in place of a word, a number or a sign, near a place that is drawn."""
    match = TOKEN.search(data, chance.randint(0, len(data)))
    if match is None:
        return data + _word(chance)
    return data[: match.start()] + _word(chance) + data[match.end() :]


def _line(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """A line twice, away, or in another place."""
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(3)
    if kind == 0:
        lines.insert(other, lines[one])
    elif kind == 1:
        del lines[one]
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


CHANGES = (_flip, _insert, _drop, _again, _splice, _cut, _token, _token, _token, _line)


# --- JSON ------------------------------------------------------------------------------------------------------------

SCALARS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 1.0, 0.5, 2**31, 2**63, 2**64, 10**300, -(10**300), float("inf"), float("nan")),
    *("", "a", "\0", "\x1b[2J", "\ud800", "\u202e", "../../x", "a" * 20_000, "<b>", [], {}, [[]], [0], {"": 0}),
)


def json_document(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A document with another node somewhere, or changed as a text."""
    data = chance.choice(seeds)
    if chance.random() < 0.5:
        return text(chance, seeds)
    content = json.loads(data)
    for _ in range(chance.randint(1, MOST)):
        content = _other(chance, content)
    return json.dumps(content).encode()


def _other(chance: random.Random, content: Any) -> Any:
    if not isinstance(content, dict | list) or not content or chance.random() < 0.1:
        return copy.deepcopy(chance.choice(SCALARS))
    key = chance.choice(list(content) if isinstance(content, dict) else range(len(content)))
    kind = chance.randrange(8)
    if kind == 0:
        del content[key]
    elif kind == 1 and isinstance(content, list):
        content.insert(key, copy.deepcopy(chance.choice((content[key], *SCALARS[:8]))))
    elif kind == 1:
        content[chance.choice(("", "x", "folder", "path"))] = copy.deepcopy(content[key])
    elif kind == 2 and isinstance(content[key], int):
        content[key] += chance.choice((-1, 1, 2, 100, 10**6))
    else:
        content[key] = _other(chance, content[key])
    return content


# --- Workbooks -------------------------------------------------------------------------------------------------------

XML = [
    *('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>', '<!DOCTYPE x SYSTEM "file:///etc/passwd">', "&b;"),
    *("<?xml version='1.0' encoding='utf-16'?>", "<?xml version='1.0' encoding='x'?>", "&#0;", "&#x110000;"),
    "<![CDATA[",
    *('r="ZZZ9999999"', 'r="A1"', 'r="XFD1048576"', 'ref="A1:XFD1048576"', 't="s"', 't="e"', 't="d"', 't="b"'),
    "<f>1</f>",
    *('number-rows-repeated="999999999"', 'number-columns-repeated="999999999"', 'c="999999999"', "<v>1e999</v>"),
    "<x>",
    *("<a>" * 100, "</row>", "<row>", '<row r="0">', '<row r="99999999999">', 'numFmtId="14"', 's="1"', "_x0000_"),
    "_xD800_",
    *("_x000D_", 'xmlns=""', 'xmlns:a="b"', "<si/>", 'state="hidden"', "<rPh>", 'Target="../../x"', 'Target=""'),
    *("<!--", "-->"),
]


def archive(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A workbook or another archive with a few changes: in the bytes of the file, or in the text of a part."""
    data = chance.choice(seeds)
    if chance.random() < 0.4:
        for _ in range(chance.randint(1, MOST)):
            change = chance.choice((_flip, _flip, _drop, _again, _splice, _cut))
            data = change(chance, data, seeds)
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    for _ in range(chance.randint(1, MOST)):
        name = chance.choice(list(parts))
        kind = chance.randrange(10)
        if kind == 0:
            del parts[name]
        elif kind == 1:
            parts[chance.choice(list(parts) or [name])] = parts.get(name, b"")
        elif kind < 5:
            place, end = _span(chance, parts[name], 16)
            parts[name] = parts[name][:place] + chance.choice(XML).encode() + parts[name][end:]
        else:
            parts[name] = chance.choice(CHANGES)(chance, parts[name], list(parts.values()))
        if not parts:
            break
    file = io.BytesIO()
    with zipfile.ZipFile(
        file, "w", chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)), compresslevel=1
    ) as book:
        for name, content in parts.items():
            book.writestr(zipfile.ZipInfo(name), content)
    return file.getvalue()


# --- Parquet files ---------------------------------------------------------------------------------------------------

CASTS = (pl.Int8, pl.UInt8, pl.Int64, pl.UInt32, pl.Float32, pl.Float64, pl.String, pl.Binary)


def parquet(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A Parquet file with a few changes: in its bytes, above all those that describe it, or in what the table holds."""
    data = chance.choice(seeds)
    if chance.random() < 0.7:
        for _ in range(chance.randint(1, MOST)):
            data = _in_footer(chance, data) if chance.random() < 0.5 else chance.choice(BYTES)(chance, data, seeds)
        return data
    frame = pl.read_parquet(data)
    for _ in range(chance.randint(1, MOST)):
        frame = _other_table(chance, frame)
    file = io.BytesIO()
    frame.write_parquet(file, compression=chance.choice(("zstd", "snappy", "uncompressed")))
    return file.getvalue()


BYTES = (_flip, _flip, _flip, _drop, _again, _splice, _cut)


def _in_footer(chance: random.Random, data: bytes) -> bytes:
    """A byte of the description at the end, or of the head of a page at the beginning."""
    if len(data) < 12:
        return data
    length = min(int.from_bytes(data[-8:-4], "little") + 8, len(data))
    place = chance.choice((len(data) - 1 - chance.randrange(length), chance.randrange(min(64, len(data)))))
    return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]


def _other_table(chance: random.Random, frame: pl.DataFrame) -> pl.DataFrame:
    if not frame.width:
        return frame
    name = chance.choice(frame.columns)
    kind = chance.randrange(7)
    if kind == 0:
        return frame.drop(name)
    if kind == 1:
        return frame.rename({name: f"{name}_{chance.choice(('', 'x'))}"})
    if kind == 2:
        return frame.with_columns(pl.lit(None, frame.schema[name]).alias(name))
    if kind == 3:
        values = [None if value is None else str(value) for value in frame[name]]
        return frame.with_columns(pl.Series(name, values, pl.String).cast(chance.choice(CASTS), strict=False))
    if kind == 4:
        return pl.concat([frame] * chance.choice((2, 3, 50))).head(5_000)
    if kind == 5:
        return frame.head(chance.randint(0, max(frame.height, 1)))
    value = chance.choice((0, 1, 2, 7, 255, 65_535, 2**31 - 1, -1, -(2**31)))
    wanted = frame.schema[name]
    other = pl.lit(value).cast(wanted, strict=False) if wanted in CASTS else pl.lit(value)
    return frame.with_columns(other.alias(name))
