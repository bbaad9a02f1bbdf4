"""What lies at a path that was given for something else, told from the names in it."""

import pytest

from analysis import ladder_folder, sweep_folder, tune_folder
from simcore import given, runlog, weights
from simcore.cardset.problems import RULES_FILE
from simcore.errors import InputError


def made(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def test_the_marks_are_the_names_of_those_who_write_them():
    assert given.RUN == runlog.MANIFEST
    assert {runlog.SHARDS, runlog.STOPPED} < set(given.OF_A_RUN)
    assert given.RULES == RULES_FILE
    assert given.SWEEP == sweep_folder.FILE
    assert given.TUNING == tune_folder.LOG
    assert set(given.LADDER) == set(ladder_folder.RUNS.values())


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["manifest.json", "cardset/rules.toml"], "It is a run."),
        (["rules.toml", "cards.csv"], "It is a card set."),
        (
            ["sweep.json", "points/000/manifest.json"],
            "It is the folder of a sweep, which `fairdeal report sweep {0}` shows. Runs in it: {0}/points/000.",
        ),
        (["candidates.jsonl"], "It is the folder of a tuning."),
        (
            ["candidates.jsonl", "report/report.md", "finalists/1/run/manifest.json"],
            "It is the folder of a tuning, which {0}/report/report.md tells of. Runs in it: {0}/finalists/1/run.",
        ),
        (
            ["a/manifest.json", "b/manifest.json"],
            "It is the folder of a comparison, which `fairdeal report comparison {0}` shows. Runs in it: {0}/a, {0}/b.",
        ),
        (
            ["quick/manifest.json"],
            "It is the folder of a ladder, which `fairdeal report ladder {0}` shows. Runs in it: {0}/quick.",
        ),
        (["report.md"], "It holds a report."),
        (
            [f"run-{i}/manifest.json" for i in range(8)],
            "Runs in it: " + ", ".join(f"{{0}}/run-{i}" for i in range(6)) + " and 2 more.",
        ),
        (["diary.txt"], ""),
    ],
)
def test_a_folder_is_known_by_the_names_in_it(tmp_path, names, said):
    folder = made(tmp_path / "it", *names)
    assert given.told(folder) == said.format(folder)


def test_a_command_that_is_named_can_be_copied(tmp_path):
    folder = made(tmp_path / "my ladder", "search/manifest.json")
    assert f"`fairdeal report ladder '{folder}'`" in given.told(folder)


def test_the_report_of_a_run_and_the_card_set_in_a_run_are_pointed_at(tmp_path):
    run = made(tmp_path / "run", "manifest.json", "report/report.html")
    assert given.told(run / "report") == f"It holds a report. Its run is {run}."
    assert given.card_set_in(run) == str(run / "cardset")
    assert given.card_set_in(run / "report") == ""


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("my.XLSX", "", "It is a workbook, as a card set may be."),
        ("t.toml", '[a]\nkind = "draws"', "It is a targets file, which --targets names."),
        ("w.toml", "[weights]\na = 1", "It is a weights file, which stands where a bot is named (--bots)."),
        ("r.toml", 'name = "x"\nrounds = 3', "It is a file of a card set, whose folder is named (--cards)."),
        ("broken.toml", "[", ""),
        ("diary.txt", "", ""),
    ],
)
def test_a_file_is_known_by_its_ending_and_its_keys(tmp_path, name, text, said):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert given.told(tmp_path / name) == said


def test_a_file_of_a_folder_is_answered_with_the_folder(tmp_path):
    made(tmp_path, "manifest.json", "rules.toml")
    assert given.told(tmp_path / "manifest.json") == f"It is a file of a run: name the folder, {tmp_path}."
    assert given.told(tmp_path / "rules.toml") == f"It is a file of a card set: name the folder, {tmp_path}."


def test_a_file_of_another_kind_is_refused_by_what_it_is(tmp_path):
    (tmp_path / "t.toml").write_text('[a]\nkind = "draws"\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"t\.toml is no weights file: it is a targets file, which --targets names\."):
        weights.read(tmp_path / "t.toml")
