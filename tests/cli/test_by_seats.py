"""`fairdeal balance` and `compare` of a game for several numbers of seats: runs and a report for each, and one page."""

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import fairdeal
from analysis import seats_folder
from analysis.studies import balance as studies
from analysis.studies import compare as compare_studies
from simcore import batch, request
from simcore.batch import Progress
from simcore.errors import InputError
from simcore.runlog import open_run
from tests.cli import GAME, call
from tests.simcore.kills import assert_same_tables

SEVERAL = "vaalbara"
SEATS = (2, 3, 4, 5)
WORDS = ("balance", SEVERAL, "--bots", "uniform", "--games", "60")
MARKDOWN = ("--format", "md")
GAMES = 60 * len(SEATS)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a job that is finished, with its stdout and stderr beside it."""
    folder = tmp_path_factory.mktemp("played") / "out"
    result = call(*WORDS, "--out", folder)
    assert result.exit_code == 0, result.output
    folder.with_name("stdout").write_text(result.stdout, encoding="utf-8")
    folder.with_name("stderr").write_text(result.stderr, encoding="utf-8")
    return folder


@pytest.fixture
def mine(played: Path) -> Path:
    """A copy of it in the test's own folder."""
    shutil.copytree(played, "out")
    return Path("out")


def test_each_number_of_seats_has_its_run_and_report_and_there_is_one_page(played: Path) -> None:
    assert {path.name for path in played.iterdir()} == {"2-seats", "3-seats", "4-seats", "5-seats", "report"}
    for seats in SEATS:
        run = open_run(played / f"{seats}-seats")
        assert run.complete
        assert run.manifest["seats"] == seats
    for folder in (played, *(played / f"{seats}-seats" for seats in SEATS)):
        assert {path.name for path in (folder / "report").iterdir()} == {"report.html", "report.json", "report.md"}
    told = json.loads((played / "report/report.json").read_text(encoding="utf-8"))
    assert [section["seats"] for section in told["sections"]] == list(SEATS)
    for section in told["sections"]:
        full = json.loads((played / "report" / section["report"]).read_text(encoding="utf-8"))
        assert full["facts"]["seats"] == section["seats"]
        assert full["verdicts"] == section["verdicts"]


def test_the_verdicts_are_printed_under_the_number_of_seats(played: Path) -> None:
    *sections, last = played.with_name("stdout").read_text(encoding="utf-8").split("\n\n")
    assert [section.splitlines()[0] for section in sections] == [f"{seats} seats:" for seats in SEATS]
    for seats, section in zip(SEATS, sections, strict=True):
        full = json.loads((played / f"{seats}-seats/report/report.json").read_text(encoding="utf-8"))
        assert section.splitlines()[1:] == [verdict["text"] for verdict in full["verdicts"]]
    assert last == f"Report: {played / 'report' / 'report.html'}\n"
    said = played.with_name("stderr").read_text(encoding="utf-8")
    assert "4 seats: 1 line-up of 60 games\n" in said
    assert f"Played {GAMES} games" in said


def test_one_number_of_seats_is_the_same_run_and_an_ordinary_report(played: Path) -> None:
    result = call(*WORDS, "--seats", "3", "--out", "three")
    assert result.exit_code == 0, result.output
    assert "seats:" not in result.stdout
    assert_same_tables(open_run("three"), open_run(played / "3-seats"))
    for name in ("report.html", "report.json", "report.md"):
        assert (Path("three/report") / name).read_bytes() == (played / "3-seats/report" / name).read_bytes()


def test_a_game_of_one_number_of_seats_has_one_run() -> None:
    assert call("balance", GAME, "--bots", "uniform", "--games", "20", "--out", "out").exit_code == 0
    assert open_run("out").complete
    assert not seats_folder.is_one("out")


# --- the report of what has been played ------------------------------------------------------------------------------


def test_report_balance_makes_the_page_again(mine: Path, played: Path) -> None:
    shutil.rmtree(mine / "report")
    result = call("report", "balance", mine, "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")
    expected = played.with_name("stdout").read_text(encoding="utf-8")
    assert result.stdout.splitlines()[:-1] == expected.splitlines()[:-1]
    for name in ("report.html", "report.json", "report.md"):
        assert (mine / "report" / name).read_bytes() == (played / "report" / name).read_bytes()


def test_report_strategy_makes_a_report_of_each_and_leaves_the_others(mine: Path, played: Path) -> None:
    result = call("report", "strategy", mine, "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")
    *sections, last = result.stdout.split("\n\n")
    assert [section.splitlines()[0] for section in sections] == [f"{seats} seats:" for seats in SEATS]
    assert last == f"Report: {mine / 'strategy' / 'report.html'}\n"
    for folder in (mine, *(mine / f"{seats}-seats" for seats in SEATS)):
        assert {path.name for path in (folder / "strategy").iterdir()} == {"report.html", "report.json", "report.md"}
    told = json.loads((mine / "strategy/report.json").read_text(encoding="utf-8"))
    assert [section["report"] for section in told["sections"]] == [
        f"../{seats}-seats/strategy/report.json" for seats in SEATS
    ]
    assert (mine / "report/report.html").read_bytes() == (played / "report/report.html").read_bytes()
    assert call(*WORDS, "--out", mine, "--resume", "--quiet").exit_code == 0, "the run still goes on"


def test_a_report_elsewhere_has_its_full_reports_below_it(played: Path) -> None:
    result = call("report", "balance", played, *MARKDOWN, "--out", "there", "--quiet")
    assert result.stdout.splitlines()[-1] == f"Report: {Path('there/report.md')}"
    page = Path("there/report.md").read_text(encoding="utf-8")
    for seats in SEATS:
        assert f"]({seats}-seats/report.md)" in page
        assert Path(f"there/{seats}-seats/report.md").is_file()


def test_a_report_on_the_way_says_what_is_missing(mine: Path) -> None:
    for seats in (4, 5):
        shutil.rmtree(mine / f"{seats}-seats")
        plan = request.balance_plan(SEVERAL, "uniform", 60, seats=seats)
        batch.run(plan, mine / f"{seats}-seats", blocks=0)
    result = call("report", "balance", mine, *MARKDOWN)
    assert result.exit_code == 0
    assert f"{mine / '4-seats'} is not finished: it has no finished game yet." in result.stderr
    assert "5 seats:" not in result.stdout
    assert "No game with 4 and 5 seats is finished yet." in (mine / "report/report.md").read_text(encoding="utf-8")


def test_a_report_of_nothing_is_refused() -> None:
    batch.run(request.balance_plan(SEVERAL, "uniform", 60, seats=2), "out/2-seats", blocks=0)
    result = call("report", "balance", "out")
    assert result.exit_code == 2
    assert "out holds no finished games yet" in result.stderr


def test_a_report_of_runs_that_do_not_belong_together_is_refused(mine: Path) -> None:
    shutil.rmtree(mine / "4-seats")
    batch.run(request.balance_plan(SEVERAL, "uniform", 60, seats=4, seed=1), mine / "4-seats")
    result = call("report", "balance", mine)
    assert result.exit_code == 2
    assert "different games, card sets or seeds" in result.stderr


# --- going on --------------------------------------------------------------------------------------------------------


def test_resume_plays_what_is_missing(mine: Path, played: Path) -> None:
    shutil.rmtree(mine / "4-seats")
    next((mine / "5-seats/games").glob("*.parquet")).unlink()
    refused = call(*WORDS, "--out", mine)
    assert refused.exit_code == 2
    assert "2-seats already holds a run. Resume it (--resume)" in refused.stderr
    result = call(*WORDS, "--out", mine, "--resume", *MARKDOWN)
    assert result.exit_code == 0, result.output
    assert "Played 120 games" in result.stderr
    for seats in SEATS:
        assert_same_tables(open_run(mine / f"{seats}-seats"), open_run(played / f"{seats}-seats"))
    assert "already" in call(*WORDS, "--out", mine, "--resume", *MARKDOWN).stderr


def test_ctrl_c_leaves_what_can_be_resumed(monkeypatch: pytest.MonkeyPatch, played: Path) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(batch, "run", _stopped_in(batch.run, seats=4))
        result = call(*WORDS, *MARKDOWN)
    assert result.exit_code == 130
    assert result.stdout == ""
    hint = shlex.split(result.stderr.splitlines()[-1])
    assert hint[:2] == ["fairdeal", "balance"]
    assert hint[-1] == "--resume"
    finished = call(*hint[1:])
    assert finished.exit_code == 0, finished.output
    assert "Played 120 games" in finished.stderr
    folder = Path(hint[hint.index("--out") + 1])
    assert_same_tables(open_run(folder / "4-seats"), open_run(played / "4-seats"))


def _stopped_in(run: Callable[..., object], seats: int) -> Callable[..., object]:
    """`batch.run`, stopped as by Ctrl-C where it begins to play with so many seats."""

    def until(plan, *arguments, **named):  # type: ignore[no-untyped-def]
        if plan.seats == seats and named.get("blocks") is None:
            raise KeyboardInterrupt
        return run(plan, *arguments, **named)

    return until


def test_progress_shows_the_whole() -> None:
    seen: list[Progress] = []
    plans = request.balance_plans(SEVERAL, "uniform", 60)
    runs = studies.play_by_seats(plans, "out", progress=seen.append)
    assert [run.manifest["seats"] for run in runs] == list(SEATS)
    assert {progress.games for progress in seen} == {GAMES}
    assert [progress.played for progress in seen] == sorted(progress.played for progress in seen)
    assert (seen[-1].played, seen[-1].new) == (GAMES, GAMES)


# --- refusals --------------------------------------------------------------------------------------------------------


def test_a_folder_with_other_things_is_refused() -> None:
    Path("out").mkdir()
    Path("out/notes.txt").write_text("mine", encoding="utf-8")
    result = call(*WORDS, "--out", "out")
    assert result.exit_code == 2
    assert "out holds other things than runs for 2, 3, 4, 5 seats (notes.txt)" in result.stderr
    assert [path.name for path in Path("out").iterdir()] == ["notes.txt"]


def test_a_run_of_one_number_of_seats_is_not_gone_on_with() -> None:
    batch.run(request.balance_plan(SEVERAL, "uniform", 60, seats=3), "out", blocks=0)
    result = call(*WORDS, "--out", "out", "--resume")
    assert result.exit_code == 2
    assert "out holds a run of one number of seats" in result.stderr
    assert "(--seats)" in result.stderr


def test_another_job_is_not_gone_on_with(mine: Path) -> None:
    result = call(*WORDS, "--seed", "1", "--out", mine, "--resume")
    assert result.exit_code == 2
    assert "holds the run of another plan" in result.stderr


def test_a_number_of_seats_that_the_game_does_not_allow() -> None:
    result = call(*WORDS, "--seats", "6")
    assert result.exit_code == 2
    assert "Vaalbara cannot be played with 6 seats. Allowed: 2" in result.stderr


# --- Python ----------------------------------------------------------------------------------------------------------


def test_from_python(played: Path) -> None:
    made = fairdeal.balance_by_seats(SEVERAL, "uniform", 60, out="out")
    assert [study.balance.facts.seats for study in made] == list(SEATS)
    page = fairdeal.BySeats(tuple(study.balance for study in made))
    (file,) = fairdeal.write_by_seats(page, "out/report", ["html"])
    assert file.read_bytes() == (played / "report/report.html").read_bytes()
    assert Path("out/3-seats/report/report.html").is_file()
    with pytest.raises(InputError, match="say how many seats"):
        fairdeal.balance(SEVERAL, "uniform", 60)


# --- compare ---------------------------------------------------------------------------------------------------------

COMPARE = ("compare", SEVERAL, "--cards", "alt_no_5plus", "--bots", "uniform", "--games", "60")


def test_compare_without_seats_is_a_comparison_for_each(played: Path) -> None:
    result = call(*COMPARE, "--out", "out")
    assert result.exit_code == 0, result.output
    assert {path.name for path in Path("out").iterdir()} == {"2-seats", "3-seats", "4-seats", "5-seats", "report"}
    *sections, last = result.stdout.split("\n\n")
    assert last == f"Report: {Path('out/report/report.html')}\n"
    told = json.loads(Path("out/report/report.json").read_text(encoding="utf-8"))
    assert told["card_sets"] == ["default", "alt_no_5plus"]
    for seats, printed, section in zip(SEATS, sections, told["sections"], strict=True):
        full = json.loads((Path("out/report") / section["report"]).read_text(encoding="utf-8"))
        assert full["comparison"]["seats"] == section["seats"] == seats
        assert printed.splitlines() == [f"{seats} seats:", *(verdict["text"] for verdict in full["verdicts"])]
        assert_same_tables(open_run(f"out/{seats}-seats/a"), open_run(played / f"{seats}-seats"))
    assert "4 seats: 1 line-up of 60 games with each\n" in result.stderr
    assert f"Played {2 * GAMES} games" in result.stderr

    shutil.rmtree("out/4-seats/b")
    refused = call(*COMPARE, "--out", "out")
    assert refused.exit_code == 2
    assert "Resume it (--resume)" in refused.stderr
    again = call(*COMPARE, "--out", "out", "--resume", "--format", "json", "--json", "--quiet")
    assert (again.exit_code, again.stderr) == (0, "")
    assert json.loads(again.stdout) == told


def test_compare_with_seats_is_one_comparison() -> None:
    result = call(*COMPARE, "--seats", "2", *MARKDOWN, "--out", "out")
    assert result.exit_code == 0, result.output
    assert {path.name for path in Path("out").iterdir()} == {"a", "b", "report"}
    assert "1 line-up of 60 games with each, seed 0, into out" in result.stderr


def test_a_comparison_for_each_that_is_decided_plays_no_more() -> None:
    plans = compare_studies.plans_by_seats(SEVERAL, ["default", "default"], "uniform", 6_000, until_decided=True)
    rule = compare_studies.Rule("seats", margin_points=1, margin_share=0.05)
    seen: list[Progress] = []
    pairs = compare_studies.play_by_seats(plans, "out", progress=seen.append, rule=rule)
    games = sum(run.games for pair in pairs for run in pair)
    assert games < sum(plan.games for pair in plans for plan in pair)
    assert all(run.stopped is not None and run.complete for pair in pairs for run in pair)
    assert seen[-1].new == games
    again = compare_studies.play_by_seats(plans, "out", resume=True, rule=rule)
    assert [run.games for pair in again for run in pair] == [run.games for pair in pairs for run in pair]


def test_comparisons_from_python() -> None:
    made = fairdeal.compare_by_seats(SEVERAL, ["alt_no_5plus"], "uniform", 60, out="out")
    assert [study.answer.comparison.seats for study in made] == list(SEATS)
    (file,) = fairdeal.write_by_seats(fairdeal.BySeats(tuple(study.answer for study in made)), "out/report", ["md"])
    text = file.read_text(encoding="utf-8")
    assert "Card sets default and alt_no_5plus" in text
    assert Path("out/5-seats/report/report.md").is_file()
