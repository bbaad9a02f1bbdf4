import errno
import json
import os
import random
import re
import shutil
import subprocess
import sys

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from simcore import manifest as manifests
from simcore import runlog, sealed, tables
from simcore.errors import InputError, JobError
from simcore.files import append_line, folder_lock, write_file
from simcore.game import Measure
from tests.simcore import toy
from tests.simcore.kills import assert_same_tables


@pytest.fixture
def run(tmp_path):
    return toy.play(toy.a_plan(), tmp_path / "run", threads=2)


@pytest.fixture
def part(run):
    """A file of the finished run: the seats of shard 4."""
    return runlog.part_path(run.path, "seats", 4)


def never(shard):
    raise AssertionError(f"{shard} is played again")


def flip_a_byte(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def edit_manifest(run, **changes):
    path = run.path / runlog.MANIFEST
    path.write_bytes(sealed.seal({**sealed.unseal(path.read_bytes()), **changes}))


# What stands in a run folder.


def test_the_folder_holds_what_is_documented_and_nothing_else(run):
    assert sorted(path.name for path in run.path.iterdir()) == [
        "cards",
        "cardset",
        "games",
        "manifest.json",
        "moves",
        "seats",
        "shards.jsonl",
    ]
    for table in run.tables:
        assert sorted(path.name for path in (run.path / table).iterdir()) == [
            f"part-{number:06d}.parquet" for number in range(12)
        ]


def test_a_family_of_counters_stands_in_the_manifest_where_there_is_one(monkeypatch):
    counters = (Measure("visits_king", "times", "Visits.", "visits"), Measure("golds", "cards", "Golds."))
    monkeypatch.setattr(toy.GAME, "counters", counters)
    made = toy.manifest(toy.a_plan())
    assert [counter.get("family") for counter in made["counters"]] == ["visits", None]
    assert manifests.decode(manifests.encode(made), "manifest.json") == made


def test_the_manifest_says_what_was_played(run):
    plan = toy.a_plan()
    assert run.manifest == toy.manifest(plan)
    assert run.manifest["plan_hash"] == plan.hash
    assert run.manifest["line_ups"] == [[0, 0], [0, 1], [1, 1]]
    assert run.manifest["cards"][2] == {
        "id": "B1",
        "label": "B1",
        "type": "B1",
        "group": "B",
        "in_hand": True,
        "tallied": False,
        "side_of": "",
        "rows": [],
    }
    assert run.manifest["endings"] == ["the empty deck", "the cap"]
    assert run.manifest["tallies"] == ["played", "lost"]
    assert [card["id"] for card in run.manifest["cards"] if card["tallied"]] == ["red"]


def test_a_run_leads_back_to_its_plan(run):
    assert run.plan(toy.CARD_SET) == toy.a_plan()
    assert run.plan(toy.CARD_SET).hash == run.manifest["plan_hash"]


def test_an_edited_card_set_does_not_lead_back_to_the_plan(run):
    other = toy.cardset.CardSet("base", "toy", {}, {}, "decaf", toy.SCHEMA)
    with pytest.raises(InputError, match="not the card set that this run was played with"):
        run.plan(other)


@pytest.mark.parametrize(("log", "names"), tables.TABLES_OF_LOG.items())
def test_the_level_of_the_log_decides_the_tables(tmp_path, log, names):
    run = toy.play(toy.a_plan(log=log), tmp_path / "run")
    assert run.tables == names
    assert all((run.path / name).is_dir() for name in names)


def test_the_tables_have_the_documented_types(run):
    for table, columns in run.columns.items():
        assert run.scan(table).collect().schema == tables.schema(columns)
    assert run.columns["seats"][-2:] == (
        tables.Column("part_red", pl.Int32, "points", "score part: points of red cards"),
        tables.Column("count_played", pl.UInt16, "cards", "counter: cards played"),
    )
    assert [column.name for column in run.columns["cards"][-6:]] == [*toy.CARDS, "red_played", "red_lost"]
    assert {column.unit for column in run.columns["cards"][-6:-2]} == {tables.PACKED}
    assert run.columns["cards"][-1] == tables.Column(
        "red_lost",
        pl.UInt8,
        "times",
        "any red card: how often lost by this seat in this round; 255 stands for more too",
    )


def test_every_column_has_a_meaning_and_every_amount_a_unit(run):
    columns = {(table, column.name): column for table, its in run.columns.items() for column in its}
    assert all(column.meaning for column in columns.values())
    assert columns["seats", "score"].unit == "points"
    assert columns["cards", "points"].unit == "points"
    assert columns["games", "turns"].unit == "turns"


def test_a_file_describes_its_own_columns(part):
    described = pl.read_parquet_metadata(part)
    assert described["fairdeal.format"] == "fairdeal-run/3"
    assert json.loads(described["fairdeal.columns"])["score"] == {"unit": "points", "meaning": "final score"}


def test_the_files_are_compressed_with_zstd(part):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.ParquetFile(part).metadata.row_group(0).column(0).compression == "ZSTD"


def test_rows_come_in_the_order_of_the_games(run):
    games = run.scan("games").select("game").collect()["game"].to_list()
    assert games == list(range(120))
    assert run.scan("moves").collect()["game"].is_sorted()


def test_a_line_up_is_read_alone(run):
    rows = run.scan("seats", line_up=1).collect()
    assert rows["line_up"].unique().to_list() == [1]
    assert rows["game"].unique().sort().to_list() == list(range(40, 80))


def test_a_table_that_was_not_logged_is_an_input_error(tmp_path):
    run = toy.play(toy.a_plan(log="games"), tmp_path / "run")
    with pytest.raises(InputError, match="has no table cards: it was logged at level 'games', with games, seats"):
        run.scan("cards")


def test_a_card_named_like_a_column_is_an_input_error():
    manifest = toy.manifest(toy.a_plan())
    manifest["cards"][0]["id"] = "round"
    with pytest.raises(InputError, match=r"round: .* would have this column twice"):
        tables.tables(manifest)


def test_a_card_named_like_a_tally_of_another_is_an_input_error():
    manifest = toy.manifest(toy.a_plan())
    manifest["cards"][0]["id"] = "red_played"
    with pytest.raises(InputError, match=r"red_played: .* would have this column twice"):
        tables.tables(manifest)


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda frame: frame.drop("score"), "score"),
        (lambda frame: frame.cast({"rank": pl.Int64}), "rank"),
        (lambda frame: frame.select(reversed(frame.columns)), "the order of the columns"),
    ],
)
def test_a_table_that_does_not_fit_its_schema_is_refused(spoil, problem):
    plan = toy.a_plan()
    frame = toy.play_shard(plan.shard(0))["seats"]
    with pytest.raises(JobError, match=f"seats does not fit its schema: {problem}"):
        tables.encode("seats", spoil(frame), tables.tables(toy.manifest(plan))["seats"])


# Damage, and what a crash leaves.


def test_a_sound_run_passes_verification(run):
    run.verify()


def test_a_missing_file_is_found_when_the_run_is_opened(run, part):
    part.unlink()
    with pytest.raises(InputError, match=r"part-000004.parquet is missing.*--resume"):
        runlog.open_run(run.path)


def test_a_short_file_is_found_when_the_run_is_opened(run, part):
    part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(InputError, match=r"part-000004.parquet has \d+ bytes instead of \d+"):
        runlog.open_run(run.path)


def test_a_flipped_bit_is_found_by_verification(run, part):
    flip_a_byte(part)
    opened = runlog.open_run(run.path, checksums=False)
    for find in (opened.verify, lambda: runlog.open_run(run.path), lambda: runlog.read_parts(opened, 4)):
        with pytest.raises(InputError, match=r"seats.part-000004.parquet does not match its checksum.*--resume"):
            find()


def test_many_damaged_files_make_a_short_message(run):
    for number in range(12):
        runlog.part_path(run.path, "games", number).unlink()
    with pytest.raises(InputError, match=r"and 7 more.*the 12 damaged") as error:
        runlog.open_run(run.path)
    assert str(error.value).count("is missing") == 5


def resume(folder):
    """The resumed run, found sound, and the numbers of the shards that were played for it."""
    played = []

    def play(shard):
        played.append(shard.number)
        return toy.play_shard(shard)

    run = toy.play(toy.a_plan(), folder, resume=True, play=play)
    run.verify()
    return run, played


@pytest.mark.parametrize("damage", [flip_a_byte, lambda part: part.unlink(), lambda part: part.write_bytes(b"")])
def test_resume_plays_a_damaged_shard_again(run, part, tmp_path, damage):
    damage(part)
    resumed, played = resume(run.path)
    assert played == [4]
    assert_same_tables(resumed, toy.play(toy.a_plan(), tmp_path / "fresh"))


def test_a_run_of_an_older_version_which_names_no_rows_is_read_and_gone_on_with(run, part):
    old = manifests.without_rows(run.manifest)
    (run.path / "manifest.json").write_bytes(manifests.encode(old))
    lines = [entry.encode(manifests.fingerprint(old)) for entry in run.shards.values()]
    (run.path / runlog.SHARDS).write_bytes(b"".join(lines))
    assert runlog.open_run(run.path).manifest == old
    part.unlink()
    resumed, played = resume(run.path)
    assert played == [4]
    assert (resumed.complete, resumed.manifest) == (True, old)


def test_a_torn_last_line_does_not_count(run):
    log = run.path / runlog.SHARDS
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    opened = runlog.open_run(run.path)
    assert len(opened.shards) == 11
    assert not opened.complete
    assert opened.games == 120 - toy.a_plan().shard(json.loads(lines[-1])["shard"]).games


def test_resume_repairs_a_torn_last_line(run):
    log = run.path / runlog.SHARDS
    log.write_bytes(log.read_bytes()[:-20])
    assert toy.play(toy.a_plan(), run.path, resume=True).complete
    assert sorted(json.loads(line)["shard"] for line in log.read_bytes().splitlines()) == list(range(12))


def test_any_flipped_bit_of_a_line_is_found(run):
    log = run.path / runlog.SHARDS
    sound = log.read_bytes()
    end = sound.index(b"\n")
    for place in range(end + 1):
        log.write_bytes(sound[:place] + bytes([sound[place] ^ 1 << place % 8]) + sound[place + 1 :])
        with pytest.raises(InputError, match=r"shards.jsonl is damaged in line 1.*--resume"):
            runlog.open_run(run.path, checksums=False)


def test_a_line_of_another_run_does_not_count(run, tmp_path):
    other = toy.play(toy.a_plan(seed=8), tmp_path / "other")
    shutil.copyfile(other.path / runlog.SHARDS, run.path / runlog.SHARDS)
    with pytest.raises(InputError, match=r"shards.jsonl is damaged in line 1"):
        runlog.open_run(run.path)


@pytest.mark.parametrize("line", [b"not JSON", b"[]", b'{"shard": 99}', b'{"shard": 0, "tables": {}}', b"\0\0\0"])
def test_a_damaged_line_is_found_and_repaired(run, line):
    log = run.path / runlog.SHARDS
    lines = log.read_bytes().splitlines()
    lines[3] = line
    log.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(InputError, match=r"shards.jsonl is damaged in line 4.*--resume"):
        runlog.open_run(run.path)
    toy.play(toy.a_plan(), run.path, resume=True).verify()
    assert runlog.open_run(run.path).complete


def test_resume_removes_temporary_files_and_no_others(run):
    leftovers = [run.path / "seats" / "part-000099.parquet.tmp", run.path / "shards.jsonl.tmp"]
    for leftover in leftovers:
        leftover.write_bytes(b"half")
    report = run.path / "report.html"
    report.write_text("a report")
    toy.play(toy.a_plan(), run.path, resume=True)
    assert not any(leftover.exists() for leftover in leftovers)
    assert report.exists()


def test_a_part_without_a_line_is_written_again(run, part):
    log = run.path / runlog.SHARDS
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(line for line in lines if json.loads(line)["shard"] != 4))
    part.write_bytes(b"from another age")
    assert len(runlog.open_run(run.path).shards) == 11
    toy.play(toy.a_plan(), run.path, resume=True).verify()


def test_a_missing_card_set_is_found_and_written_again(run):
    for file in (run.path / "cardset").iterdir():
        file.unlink()
    (run.path / "cardset").rmdir()
    with pytest.raises(InputError, match="cardset is missing"):
        runlog.open_run(run.path)
    toy.play(toy.a_plan(), run.path, resume=True)
    assert (run.path / "cardset" / "cards.csv").exists()


def test_what_was_edited_in_a_runs_card_set_is_replaced(run):
    file = run.path / "cardset" / "cards.csv"
    played = file.read_bytes()
    file.write_bytes(played + b"edited,later\n")
    (run.path / "cardset" / "extra.csv").write_bytes(b"id\n")
    toy.play(toy.a_plan(), run.path, resume=True)
    assert file.read_bytes() == played
    assert not (run.path / "cardset" / "extra.csv").exists()


def test_a_missing_list_of_shards_is_found_and_everything_played_again(run):
    (run.path / runlog.SHARDS).unlink()
    with pytest.raises(InputError, match=r"shards.jsonl is missing.*--resume"):
        runlog.open_run(run.path)
    assert toy.play(toy.a_plan(), run.path, resume=True) == run


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is damaged: it is not JSON"),
        ('{"format": "fairdeal-run/3"', "is damaged: it is not JSON"),
        ("\xff", "is damaged: it is not JSON"),
        ("[]", "is damaged: it is not JSON"),
        ('{"format": "fairdeal-run/3"}', "is damaged: version: Field required"),
    ],
)
def test_a_damaged_manifest_is_found_and_written_again(run, text, message):
    sound = (run.path / runlog.MANIFEST).read_bytes()
    (run.path / runlog.MANIFEST).write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"manifest.json .*" + message + r".*--resume"):
        runlog.open_run(run.path)
    assert toy.play(toy.a_plan(), run.path, resume=True, play=never) == run
    assert (run.path / runlog.MANIFEST).read_bytes() == sound


def test_any_flipped_bit_of_a_manifest_is_found(run):
    path = run.path / runlog.MANIFEST
    sound = path.read_bytes()
    for place in random.Random(5).sample(range(len(sound)), 40):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 1 << place % 8]) + sound[place + 1 :])
        with pytest.raises(InputError, match=r"manifest.json is damaged.*--resume"):
            runlog.open_run(run.path, checksums=False)


def test_a_missing_manifest_is_found_and_written_again(run):
    (run.path / runlog.MANIFEST).unlink()
    with pytest.raises(InputError, match=r"manifest.json is missing.*--resume"):
        runlog.open_run(run.path)
    with pytest.raises(InputError, match="is not empty and holds no run"):
        toy.play(toy.a_plan(), run.path)
    assert toy.play(toy.a_plan(), run.path, resume=True, play=never) == run


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_text("{")])
def test_without_a_manifest_the_shards_tell_whose_they_are(run, damage):
    damage(run.path / runlog.MANIFEST)
    before = (run.path / runlog.SHARDS).read_bytes()
    with pytest.raises(InputError, match=r"manifest.json is .* This plan is not the one of the run's shards"):
        toy.play(toy.a_plan(seed=8), run.path, resume=True)
    assert (run.path / runlog.SHARDS).read_bytes() == before


@pytest.mark.parametrize("version", ["fairdeal-run/2", "fairdeal-run/9"])
def test_a_run_of_another_format_is_refused_in_words(run, version):
    edit_manifest(run, format=version, version="7.7")
    message = rf"written by fairdeal 7.7 in the format '{version}', and fairdeal .* reads 'fairdeal-run/3'"
    for attempt in (runlog.open_run, lambda path: toy.play(toy.a_plan(), path, resume=True)):
        with pytest.raises(InputError, match=message):
            attempt(run.path)


def test_a_run_without_checksums_of_its_notes_is_read_and_gone_on_with(run):
    for path in (run.path / runlog.MANIFEST, run.path / runlog.SHARDS):
        path.write_text(re.sub(r',\s*"checksum": "\w+"', "", path.read_text()))
    assert runlog.open_run(run.path) == run
    with (run.path / runlog.SHARDS).open("a") as log:
        log.write('{"shard": 3, "li')  # and it was killed
    assert toy.play(toy.a_plan(), run.path, resume=True, play=never) == run
    assert (run.path / runlog.SHARDS).read_text().count('"checksum"') == 12
    assert runlog.open_run(run.path) == run


def test_a_manifest_of_wrong_types_is_an_input_error(run):
    edit_manifest(run, seats="two")
    with pytest.raises(InputError, match=r"manifest.json is damaged: seats: "):
        runlog.open_run(run.path)


def test_a_folder_that_is_no_run_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match=r"is not a run folder: it has no manifest.json"):
        runlog.open_run(tmp_path)
    with pytest.raises(InputError, match="is not a run folder: there is no such folder"):
        runlog.open_run(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is not a run folder: there is no such folder"):
        runlog.open_run(tmp_path / "file")


def test_a_run_without_finished_shards_can_be_read(tmp_path):
    plan = toy.a_plan()
    with runlog.writing(tmp_path / "run", plan, toy.manifest(plan), resume=False):
        pass
    run = runlog.open_run(tmp_path / "run")
    assert not run.complete
    assert run.scan("seats").collect().schema == tables.schema(run.columns["seats"])


# Where a run may be written.


def test_a_run_is_not_overwritten(run):
    with pytest.raises(InputError, match=r"already holds a run. Resume it"):
        toy.play(toy.a_plan(), run.path)


@pytest.mark.parametrize("resume", [False, True])
def test_a_folder_with_other_files_is_left_alone(tmp_path, resume):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match=r"is not empty and holds no run \(letter.txt\)"):
        toy.play(toy.a_plan(), tmp_path, resume=resume)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("resume", [False, True])
def test_a_run_begins_in_an_empty_folder_and_after_a_false_start(tmp_path, resume):
    (tmp_path / "lock").write_text("process 1 on nowhere")
    (tmp_path / "shards.jsonl").write_text("")
    (tmp_path / "manifest.json.tmp").write_text("{")
    assert toy.play(toy.a_plan(), tmp_path, resume=resume).complete


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file is a file. Choose a folder"):
        toy.play(toy.a_plan(), tmp_path / "file")
    with pytest.raises(InputError, match="Choose another folder"):
        toy.play(toy.a_plan(), tmp_path / "file" / "run")


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"seed": 8}, r"seed \(the run has 7, the plan 8\)"),
        ({"bots": ("ann", "eve")}, r"bots \(the run has ann and bob, the plan ann and eve\)\. Ask"),
        (
            {"bots": ("ann", "eve"), "line_ups": ((0, 1),)},
            r"differs: bots \(the run has .*, the plan ann and eve\)\. Ask",
        ),
        (
            {"line_ups": ((0, 1),)},
            r"who plays whom \(the run has ann against itself and ann against bob and bob against itself, the plan ann "
            r"against bob\)\. Ask",
        ),
        (
            {"games_per_line_up": 80, "log": "games", "blocks_per_shard": 5},
            r"games a line-up \(the run has \d+, the plan 80\); log level \(the run has moves, the plan games\)\. Ask",
        ),
        (
            {"blocks_per_shard": 5},
            r"deals a shard \(the run has \d+, the plan 5\), though all that was asked for is equal",
        ),
    ],
)
def test_resume_with_another_plan_says_what_differs(run, changes, difference):
    before = sorted((path, path.stat().st_mtime_ns) for path in run.path.rglob("*") if path.is_file())
    with pytest.raises(InputError, match="holds the run of another plan.*" + difference):
        toy.play(toy.a_plan(**changes), run.path, resume=True)
    assert sorted((path, path.stat().st_mtime_ns) for path in run.path.rglob("*") if path.is_file()) == before


def test_resume_notices_a_changed_bot_of_the_same_name(run):
    plan = toy.a_plan()
    with pytest.raises(InputError, match=r"bots \(the code or the weights of ann, bob changed\)"):
        toy.play(plan, run.path, resume=True, manifest=toy.manifest(plan, bot_hash="5678"))


def test_resume_notices_an_edited_card_set(run):
    other = toy.cardset.CardSet("base", "toy", {"hand": 3}, toy.CARD_SET.tables, "decaf", toy.SCHEMA)
    with pytest.raises(InputError, match=r"card set \(the content of base has changed\)"):
        toy.play(toy.a_plan(card_set=other), run.path, resume=True)


# The disk and the lock.


@pytest.mark.parametrize(
    ("code", "kind"),
    [(errno.ENOSPC, JobError), (errno.EIO, JobError), (errno.EACCES, InputError), (errno.EROFS, InputError)],
)
@pytest.mark.parametrize("write", [write_file, append_line])
def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch, write, code, kind):
    path = tmp_path / "file"
    path.write_bytes(b"old\n")

    def refuse(descriptor):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(kind, match=f"file cannot be written: {os.strerror(code)}"):
        write(path, b"new\n")
    assert path.read_bytes() == b"old\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_an_input_error(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="run cannot be written: Permission denied"):
        toy.play(toy.a_plan(), tmp_path / "run")


def test_one_process_cannot_write_twice_in_a_folder(run):
    with folder_lock(run.path), pytest.raises(InputError, match="this process is already writing in"):
        toy.play(toy.a_plan(), run.path, resume=True)
    assert toy.play(toy.a_plan(), run.path, resume=True).complete


HOLD = """
import sys, pathlib, simcore.files as files
with files.folder_lock(pathlib.Path(sys.argv[1])):
    print('held', flush=True)
    sys.stdin.read()
"""


def holder(folder):
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline().strip() == b"held"
    return process


def test_two_processes_cannot_write_in_one_folder(run):
    with holder(run.path) as process:
        with pytest.raises(InputError, match=rf"another process \(process {process.pid} on .*\) is writing"):
            toy.play(toy.a_plan(), run.path, resume=True)
        process.communicate()
    assert not (run.path / "lock").exists()
    assert toy.play(toy.a_plan(), run.path, resume=True).complete


def test_the_lock_of_a_dead_process_is_taken_over(run):
    with holder(run.path) as process:
        process.kill()
    assert (run.path / "lock").exists()
    assert toy.play(toy.a_plan(), run.path, resume=True).complete
    assert not (run.path / "lock").exists()


def test_reading_a_run_needs_no_lock(run):
    with folder_lock(run.path):
        assert runlog.open_run(run.path).complete


# A run that was ended before its plan.


def test_a_run_that_was_ended_is_complete_with_its_first_blocks(tmp_path):
    out = tmp_path / "run"
    part = toy.play(toy.a_plan(), out, blocks=12)
    assert not part.complete
    assert sorted(part.shards) == [0, 1, 4, 5, 8, 9]
    ended = runlog.end(out, runlog.Stop(12, "the question was answered"))
    assert ended.complete
    assert (part.blocks, ended.blocks) == (20, 12)
    assert ended == runlog.open_run(out) == runlog.end(out, runlog.Stop(12, "the question was answered"))
    whole = toy.play(toy.a_plan(), tmp_path / "whole")
    assert_frame_equal(ended.scan("seats").collect(), whole.scan("seats").filter(pl.col("deal") < 12).collect())


def test_a_run_that_was_ended_is_repaired_but_not_played_on(tmp_path):
    out = tmp_path / "run"
    toy.play(toy.a_plan(), out, blocks=6)
    ended = runlog.end(out, runlog.Stop(6, "enough"))
    flip_a_byte(runlog.part_path(out, "seats", 4))
    assert toy.play(toy.a_plan(), out, resume=True) == ended
    ended.verify()
    assert toy.play(toy.a_plan(), out, resume=True, blocks=6) == ended
    with pytest.raises(InputError, match=r"was ended after 6 deals of each line-up \(enough\)"):
        toy.play(toy.a_plan(), out, resume=True, blocks=12)


def test_a_run_cannot_be_ended_where_its_shards_do_not(tmp_path):
    out = tmp_path / "run"
    toy.play(toy.a_plan(), out, blocks=12)
    for blocks in (6, 18):
        with pytest.raises(
            InputError,
            match=r"cannot be ended after \d+ deals .* other margins: ask for the same ones, or choose another folder",
        ):
            runlog.end(out, runlog.Stop(blocks, "enough"))
    runlog.end(out, runlog.Stop(12, "enough"))
    with pytest.raises(
        InputError,
        match=r"cannot be ended after \d+ deals .* other margins: ask for the same ones, or choose another folder",
    ):
        runlog.end(out, runlog.Stop(12, "for another reason"))


@pytest.mark.parametrize("text", ["", "[]", '{"blocks": 6}', '{"blocks": 0, "why": "so"}', '{"blocks": 6, "why": 7}'])
def test_a_damaged_note_of_the_end_is_found_and_the_run_goes_on_to_its_plan(run, text):
    (run.path / runlog.STOPPED).write_text(text)
    with pytest.raises(InputError, match=r"stopped\.json is damaged.*--resume"):
        runlog.open_run(run.path)
    assert toy.play(toy.a_plan(), run.path, resume=True, play=never) == run
    assert not (run.path / runlog.STOPPED).exists()
