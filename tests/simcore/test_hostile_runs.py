"""Run folders from strangers: what no run has is refused with a message, and nothing outside of the folder is read or
written.
"""

import dataclasses
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from simcore import manifest as manifests
from simcore import runlog, sealed, tables
from simcore.errors import InputError
from simcore.runlog import Run
from tests.analysis.fake_run import FakeRun, write
from tests.simcore import toy


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return toy.play(toy.a_plan(), tmp_path / "run", threads=1)


def edited(run: Run, **changes: Any) -> bytes:
    return json.dumps({**run.manifest, **changes}).encode()


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"seats": 0}, "seats must be from 1 to 16, not 0"),
        ({"seats": 2**70}, "seats must be from 1 to 16"),
        ({"blocks_per_shard": 0}, "at least one block, not 0"),
        ({"games_per_line_up": 2**40}, "at most 4,294,967,296 games"),
        ({"games_per_line_up": -2}, "multiple of the 2 seats, not -2"),
        ({"line_ups": [[0, 9]]}, "names a bot that is not in the list"),
        ({"line_ups": [[0, -1]]}, "names a bot that is not in the list"),
        ({"line_ups": [[0]]}, "each line-up needs 2 places"),
        ({"line_ups": []}, "from 1 to 65536 line-ups, not 0"),
        ({"bots": []}, "from 1 to 256 bots, not 0"),
        ({"title": "a\x1b[2J"}, "a text cannot be printed"),
        ({"title": "a" * 10_001}, "more than 10,000 letters"),
        ({"caveat": "a\u202eb"}, "a text cannot be printed"),
        ({"when_unit": 0}, "when_unit is less than 1"),
        ({"endings": []}, "ends and endings are not of one length"),
        ({"gains": list("abcd")}, "more than 3 gains"),
        ({"log": "all"}, "log: Input should be"),
    ],
)
def test_a_manifest_that_contradicts_itself(run: Run, changes: dict[str, Any], what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        manifests.decode(edited(run, **changes), "manifest.json")
    assert "manifest.json is damaged" in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    "data", [b"[" * 10**5, b'{"format": ' + b"[" * 500 + b"]" * 500 + b"}", b'{"format": "\\ud800"}']
)
def test_a_manifest_that_is_no_plain_data(data: bytes) -> None:
    with pytest.raises(InputError, match=r"manifest\.json is"):
        manifests.decode(data, "manifest.json")


def test_a_run_of_billions_of_shards_is_not_counted_out(run: Run) -> None:
    """As many as the largest plan can have: what is asked of them takes no time and no memory."""
    manifest = edited(run, games_per_line_up=2**30, blocks_per_shard=1, line_ups=[[0, 0]])
    (run.path / runlog.MANIFEST).write_bytes(manifest)
    (run.path / runlog.SHARDS).write_bytes(b"")
    opened = runlog.open_run(run.path)
    assert not opened.complete
    assert opened.blocks == 2**29


def unsealed(run: Run) -> dict[str, Any]:
    """The line of shard 0 without its checksum, which a stranger could make for any line."""
    line = json.loads(run.shards[0].encode(manifests.fingerprint(run.manifest)))
    del line[sealed.CHECKSUM]
    return line


@pytest.mark.parametrize(
    "change",
    [{"shard": True}, {"shard": 0.0}, {"shard": "0"}, {"first": -1}, {"tables": {}}, {"tables": {"../x": 1}}, {"x": 1}],
)
def test_a_line_that_is_no_shard_of_the_run(run: Run, change: dict[str, Any]) -> None:
    line, reader = unsealed(run), runlog.Lines(run.manifest)
    assert reader.decode(json.dumps(line).encode()) == run.shards[0]
    assert reader.decode(json.dumps({**line, **change}).encode()) is None


@pytest.mark.parametrize(
    ("table", "rows"), [("games", 0), ("games", 10**9), ("seats", 3), ("cards", 2**40), ("moves", 2**60)]
)
def test_a_line_with_other_numbers_of_rows_than_games(run: Run, table: str, rows: int) -> None:
    line = unsealed(run)
    line["tables"][table]["rows"] = rows
    assert runlog.Lines(run.manifest).decode(json.dumps(line).encode()) is None


def rewritten(run: Run, table: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Run:
    """The run with another file for a table of shard 0, whose size and checksum are right."""
    path = runlog.part_path(run.path, table, 0)
    change(pl.read_parquet(path)).write_parquet(path)
    return with_part(run, table, path.read_bytes())


def with_part(run: Run, table: str, data: bytes) -> Run:
    """The run with these bytes as the file for a table of shard 0, whose size and checksum are right."""
    runlog.part_path(run.path, table, 0).write_bytes(data)
    shard = run.shards[0]
    part = dataclasses.replace(shard.tables[table], bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    told = dataclasses.replace(shard, tables={**shard.tables, table: part})
    return dataclasses.replace(run, shards={**run.shards, 0: told})


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda frame: frame.drop("bot"), "columns are not those of the table"),
        (lambda frame: frame.with_columns(pl.col("score").cast(pl.Int64)), "columns are not those of the table"),
        (lambda frame: pl.concat([frame] * 100), "rows, not"),
        (lambda frame: frame.with_columns(score=pl.lit(None, pl.Int32)), "the values of score are not of this run"),
        (lambda frame: frame.with_columns(score=pl.lit(2**31 - 1, pl.Int32)), "the values of score"),
        (lambda frame: frame.with_columns(bot=pl.lit(9, pl.UInt8)), "the values of bot"),
        (lambda frame: frame.with_columns(seat=pl.lit(0, pl.UInt8)), "its rows are not those of its games"),
        (lambda frame: frame.with_columns(order=pl.lit(0, pl.UInt8)), "its rows are not those of its games"),
        (lambda frame: frame.reverse(), "its rows are not those of its games"),
        (lambda frame: frame.with_columns(win_share=pl.lit(float("nan"), pl.Float32)), "the values of win_share"),
        (lambda frame: frame.with_columns(deal=pl.lit(2**31, pl.UInt32)), "its rows are not those of its games"),
    ],
)
def test_a_part_that_no_run_has(tmp_path: Path, change: Callable[[pl.DataFrame], pl.DataFrame], what: str) -> None:
    run = write(tmp_path / "run", FakeRun(blocks=8))
    columns = [column.name for column in run.columns["seats"]]
    assert run.read_part("seats", 0, columns).height == run.shards[0].tables["seats"].rows
    with pytest.raises(InputError, match=rf"part-000000\.parquet cannot be read: .*{what}"):
        rewritten(run, "seats", change).read_part("seats", 0, columns)


@pytest.mark.parametrize("read", [lambda run: run.read_part("seats", 0, ["deal"]), lambda run: run.scan("seats")])
def test_a_page_that_would_end_the_process_of_polars(tmp_path: Path, read: Callable[[Run], object]) -> None:
    """The head of a page says that it holds -1 values (in Thrift's compact protocol 1, as 2n stands for n)."""
    run = write(tmp_path / "run", FakeRun(blocks=8))
    rows = run.shards[0].tables["seats"].rows
    assert rows == 32
    data = runlog.part_path(run.path, "seats", 0).read_bytes()
    assert data.count(b"\x2c\x15\x40") >= 1  # of a page of data the first field: so many values
    with pytest.raises(InputError, match=r"part-000000\.parquet cannot be read: .*negative number of values"):
        read(with_part(run, "seats", data.replace(b"\x2c\x15\x40", b"\x2c\x15\x01", 1)))


def test_a_part_that_has_changed_by_a_bit(run: Run) -> None:
    path = runlog.part_path(run.path, "seats", 0)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    for read in (lambda told: told.read_part("seats", 0, ["score"]), lambda told: told.scan("seats")):
        with pytest.raises(InputError, match="does not match its checksum"):
            read(runlog.open_run(run.path))


@pytest.mark.parametrize("name", ["manifest.json", "shards.jsonl", "cardset", "games", "seats/part-000000.parquet"])
def test_a_link_in_a_run_is_not_read(run: Run, name: str) -> None:
    path = run.path / name
    elsewhere = run.path.parent / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    with pytest.raises(InputError, match="is a link"):
        runlog.open_run(run.path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files")
@pytest.mark.parametrize("name", ["manifest.json", "shards.jsonl", "stopped.json", "seats/part-000000.parquet"])
def test_a_pipe_in_a_run_is_not_waited_for(run: Run, name: str) -> None:
    (run.path / name).unlink(missing_ok=True)
    os.mkfifo(run.path / name)
    with pytest.raises(InputError, match="no file"):
        runlog.open_run(run.path)


@pytest.mark.parametrize("name", ["games", "cardset", "cardset.tmp", "lock", "shards.jsonl"])
def test_who_goes_on_with_a_run_writes_nowhere_else(run: Run, tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    if name in ("lock", "shards.jsonl"):
        (run.path / name).unlink(missing_ok=True)
        elsewhere.write_bytes(b"")
    else:
        if (run.path / name).exists():
            (run.path / name).rename(tmp_path / "old")
        elsewhere.mkdir()
        elsewhere.joinpath("note.tmp").write_text("mine")
    (run.path / name).symlink_to(elsewhere)
    with pytest.raises(InputError, match="is a link"):
        toy.play(toy.a_plan(), run.path, resume=True)
    if elsewhere.is_file():
        assert elsewhere.read_bytes() == b""
    else:
        assert [entry.name for entry in elsewhere.iterdir()] == ["note.tmp"]


def test_a_stop_beyond_the_plan(run: Run) -> None:
    (run.path / runlog.STOPPED).write_text('{"blocks": 1000000, "why": "so"}')
    with pytest.raises(InputError, match=r"stopped\.json is damaged: .*1000000"):
        runlog.open_run(run.path)


def test_the_most_rows_of_a_table_are_known() -> None:
    for log in tables.TABLES_OF_LOG.values():
        assert all(tables.can_have(table, 8 * (2 if table in ("seats", "cards") else 1), 8, 2) for table in log)
