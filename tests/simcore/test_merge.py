"""Parts of a plan that several machines play, and the one run that is made of them."""

import dataclasses
import errno
import json
import os
import shutil
from types import SimpleNamespace

import pytest

from simcore import cardset, files, game, runlog
from simcore.errors import InputError, JobError
from simcore.merge import merge, missing
from simcore.plan import Cut
from tests.simcore import toy
from tests.simcore.kills import assert_same_tables
from tests.simcore.stores import a_bucket

SCHEMA = dataclasses.replace(toy.SCHEMA, package="tests.simcore.toygame")  # where card sets are shipped


@pytest.fixture(autouse=True)
def toy_is_a_game(monkeypatch):
    monkeypatch.setattr(game, "get", lambda name: SimpleNamespace(schema=SCHEMA))


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cards") / "base"
    cardset.export(toy.CARD_SET, folder)
    return toy.a_plan(card_set=cardset.load(SCHEMA, folder))


@pytest.fixture(scope="module")
def whole(plan, tmp_path_factory):
    return toy.play(plan, tmp_path_factory.mktemp("whole") / "run", threads=1)


@pytest.fixture(scope="module")
def parts(plan, tmp_path_factory):
    home = tmp_path_factory.mktemp("parts")
    return [toy.play(plan, home / f"part-{i}", threads=2, part=(i, 3)) for i in (1, 2, 3)]


def contents(run):
    """Every file of a run with its bytes, the lines of shards.jsonl sorted."""
    found = {path.relative_to(run.path): path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    return {path: sorted(data.splitlines()) if path.name == runlog.SHARDS else data for path, data in found.items()}


def paths(runs):
    return [run.path for run in runs]


# Parts.


@pytest.mark.parametrize("parts", range(1, 8))
def test_the_parts_of_a_plan_are_disjoint_ranges_of_deals_and_together_all_of_it(parts):
    cut = Cut(line_ups=3, blocks=80, blocks_per_shard=12)
    shards = [cut.shards_of_part((number, parts)) for number in range(1, parts + 1)]
    assert sorted(number for part in shards for number in part) == list(range(cut.shards))
    deals = [{cut.blocks_of(number)[1:] for number in part} for part in shards]
    assert [min(part) for part in deals] == sorted(min(part) for part in deals)
    assert max(len(part) for part in shards) - min(len(part) for part in shards) <= cut.line_ups


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ((0, 3), "there is no part 0 of 3: parts are numbered from 1 to 3"),
        ((4, 3), "there is no part 4 of 3"),
        ((1, 0), "there is no part 1 of 0"),
        ((1, 5), "cannot be played in 5 parts: its deals are cut into 4 shards. Choose at most 4 parts"),
    ],
)
def test_a_part_that_there_is_not_is_an_input_error(plan, tmp_path, part, message):
    with pytest.raises(InputError, match=message):
        toy.play(plan, tmp_path / "run", part=part)
    assert not (tmp_path / "run").exists()


def test_a_part_is_an_unfinished_run_of_the_plan(parts, whole):
    assert [sorted(run.shards) for run in parts] == [[0, 4, 8], [1, 5, 9], [2, 3, 6, 7, 10, 11]]
    assert not any(run.complete for run in parts)
    assert {run.manifest["plan_hash"] for run in parts} == {whole.manifest["plan_hash"]}


def test_progress_of_a_part_counts_its_own_games(plan, tmp_path):
    reports = []
    toy.play(plan, tmp_path / "run", part=(1, 3), progress=reports.append)
    assert (reports[0].played, reports[-1].played, reports[-1].games) == (0, 36, 36)


def test_one_folder_can_play_part_after_part_and_then_the_rest(plan, tmp_path, whole):
    out = tmp_path / "run"
    toy.play(plan, out, part=(3, 4))
    assert sorted(toy.play(plan, out, part=(1, 4), resume=True).shards) == [0, 2, 4, 6, 8, 10]
    assert_same_tables(toy.play(plan, out, resume=True), whole)


# Merging.


def test_the_merged_run_is_the_one_that_was_played_at_once_byte_for_byte(parts, whole, tmp_path):
    before = [contents(run) for run in parts]
    merged = merge(paths(reversed(parts)), tmp_path / "merged")
    assert contents(merged) == contents(whole)
    merged.verify()
    assert_same_tables(merged, whole)
    lines = (merged.path / runlog.SHARDS).read_text().splitlines()
    assert [json.loads(line)["shard"] for line in lines] == list(range(12))
    assert [contents(run) for run in parts] == before


def test_a_run_with_gaps_is_merged_and_can_be_finished(plan, parts, whole, tmp_path):
    merged = merge(paths([parts[2], parts[0]]), tmp_path / "merged")
    assert not merged.complete
    assert missing(merged) == "shards 1, 5 and 9"
    assert missing(whole) == ""
    finished = toy.play(plan, merged.path, resume=True)
    assert contents(finished) == contents(whole)


def test_parts_can_be_added_one_after_the_other(parts, whole, tmp_path):
    merge(paths(parts[:1]), tmp_path / "merged")
    with pytest.raises(InputError, match=r"already holds a run. Resume it"):
        merge(paths(parts[1:]), tmp_path / "merged")
    assert contents(merge(paths(parts[1:]), tmp_path / "merged", resume=True)) == contents(whole)


def test_progress_counts_the_games_of_the_parts(parts, tmp_path):
    reports = []
    merge(paths(parts), tmp_path / "merged", progress=reports.append)
    assert [(report.played, report.games) for report in (reports[0], reports[-1])] == [(0, 120), (120, 120)]
    merge(paths(parts), tmp_path / "merged", resume=True, progress=reports.append)
    assert (reports[-1].played, reports[-1].new) == (120, 0)


def test_a_merge_that_the_disk_stops_goes_on(parts, whole, tmp_path, monkeypatch):
    room = 30

    def fsync(descriptor):
        nonlocal room
        room -= 1
        if room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", fsync)
    with pytest.raises(JobError, match=r"merged.* cannot be written: No space left on device. Make room"):
        merge(paths(parts), tmp_path / "merged")
    monkeypatch.undo()
    assert 0 < len(runlog.open_run(tmp_path / "merged").shards) < 12
    monkeypatch.setattr(game, "get", lambda name: SimpleNamespace(schema=SCHEMA))
    assert contents(merge(paths(parts), tmp_path / "merged", resume=True)) == contents(whole)


def test_killed_and_running_parts_are_merged_as_far_as_they_are(parts, tmp_path):
    torn = shutil.copytree(parts[0].path, tmp_path / "torn")
    with (torn / runlog.SHARDS).open("ab") as file:
        file.write(b'{"shard": 1, "line_')
    with files.folder_lock(torn):
        merged = merge([torn], tmp_path / "merged")
    assert sorted(merged.shards) == [0, 4, 8]


def test_overlapping_runs_are_refused_and_the_shards_are_named(plan, parts, tmp_path):
    other = toy.play(plan, tmp_path / "other", part=(2, 2))
    message = (
        r"part-3 and .*other both hold shards 2 to 3, 6 to 7 and 10 to 11, so they are not different parts of one "
        r"plan. The first is shard 2 \(ann, ann; deals 12 to 17; seed 7\)"
    )
    with pytest.raises(InputError, match=message):
        merge([*paths(parts), other.path], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"seed": 8}, r"seed \(.*part-1 has 7, .*other 8\)"),
        ({"bots": ("ann", "eve")}, r"bots \(.*part-1 has ann and bob, .*other ann and eve\)"),
        ({"games_per_line_up": 80}, r"games a line-up \(.*part-1 has 40, .*other 80\)"),
        ({"blocks_per_shard": 5}, r"deals a shard \(.*part-1 has 6, .*other 5\)"),
    ],
)
def test_runs_of_other_plans_are_refused_and_what_differs_is_named(plan, parts, tmp_path, changes, difference):
    entries = {name: getattr(plan, name) for name in ("card_set", *changes)} | changes
    other = toy.play(toy.a_plan(**entries), tmp_path / "other", part=(2, 3))
    with pytest.raises(InputError, match=r"are not of one plan, so they cannot be merged. What differs: " + difference):
        merge([parts[0].path, other.path], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_a_part_of_another_version_of_a_bot_is_refused(plan, parts, tmp_path):
    other = toy.play(plan, tmp_path / "other", part=(2, 3), manifest=toy.manifest(plan, bot_hash="5678"))
    with pytest.raises(InputError, match=r"What differs: bots \(the code or the weights of ann, bob changed\)"):
        merge([parts[0].path, other.path], tmp_path / "merged")


def test_a_run_that_was_ended_before_its_plan_is_refused(plan, parts, tmp_path):
    ended = toy.play(plan, tmp_path / "ended", blocks=6)
    runlog.end(ended.path, runlog.Stop(6, "enough"))
    with pytest.raises(InputError, match=r"ended was ended after 6 deals of each line-up \(enough\).* Leave it out"):
        merge([parts[1].path, ended.path], tmp_path / "merged")


def test_a_damaged_part_is_named_and_the_merge_goes_on_when_it_is_repaired(plan, parts, whole, tmp_path):
    part = shutil.copytree(parts[1].path, tmp_path / "part")
    file = runlog.part_path(part, "seats", 5)
    data = bytearray(file.read_bytes())
    data[100] ^= 4
    file.write_bytes(data)
    runs = [parts[0].path, part, parts[2].path]
    with pytest.raises(InputError, match=r"part/seats/part-000005.parquet does not match its checksum.*--resume"):
        merge(runs, tmp_path / "merged")
    assert sorted(runlog.open_run(tmp_path / "merged").shards) == [0, 1, 2, 3, 4]
    toy.play(plan, part, part=(2, 3), resume=True)
    assert contents(merge(runs, tmp_path / "merged", resume=True)) == contents(whole)


def test_an_edited_card_set_is_refused(parts, tmp_path):
    part = shutil.copytree(parts[0].path, tmp_path / "part")
    rules = part / runlog.CARD_SET / "rules.toml"
    rules.write_text(rules.read_text().replace("hand = 2", "hand = 3"))
    with pytest.raises(InputError, match="is not the card set that this run was played with"):
        merge([part], tmp_path / "merged")


def test_parts_are_merged_from_a_store_and_into_one(plan, parts, whole, tmp_path):
    with a_bucket() as bucket:
        far = toy.play(plan, f"{bucket}/part-2", part=(2, 3))
        both = merge([parts[0].path, f"{bucket}/part-2"], f"{bucket}/merged")
        assert sorted(both.shards) == [0, 1, 4, 5, 8, 9]
        assert contents(merge([f"{bucket}/merged", parts[2].path], tmp_path / "merged")) == contents(whole)
        with pytest.raises(InputError, match="part-2 is named twice"):
            merge([str(far.path), f"{bucket}/part-2/"], tmp_path / "other")


def test_odd_names_are_refused(parts, tmp_path):
    with pytest.raises(InputError, match="name the runs that are to be merged"):
        merge([], tmp_path / "merged")
    with pytest.raises(InputError, match=r"part-1 is named twice"):
        merge([parts[0].path, parts[0].path / ".." / "part-1"], tmp_path / "merged")
    with pytest.raises(InputError, match=r"part-1 cannot be merged into itself"):
        merge(paths(parts), parts[0].path, resume=True)
    with pytest.raises(InputError, match="is not a run folder: there is no such folder"):
        merge([tmp_path / "nowhere"], tmp_path / "merged")


def test_a_merge_does_not_go_on_in_a_run_of_another_plan(plan, parts, tmp_path):
    other = toy.play(toy.a_plan(card_set=plan.card_set, seed=8), tmp_path / "other")
    with pytest.raises(InputError, match=r"other holds the run of another plan.*seed \(the run has 8, the plan 7\)"):
        merge(paths(parts), other.path, resume=True)
