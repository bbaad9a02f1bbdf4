"""`fairdeal compare` and `fairdeal report comparison`: what they play, print, leave and refuse, and how they stop."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from analysis import answer
from analysis.studies import compare as studies
from simcore import batch, cardset, request
from simcore import game as games
from simcore.errors import InputError
from simcore.runlog import open_run
from tests.cli import GAME, call
from tests.simcore.kills import assert_same_tables

BOTS = ("--bots", "uniform,heuristic")
JSON = ("--format", "json", "--json")
UNTIL = ("--until-decided", "--budget", "6k", "--margin-share", "0.02", "--question", "seats")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def cheap() -> str:
    """A card set in which expeditions cost 18 instead of 20."""
    cardset.export(request.load_cards(GAME), "cheap", "cheap")
    rules = Path("cheap/rules.toml")
    text = rules.read_text(encoding="utf-8")
    assert "expedition_cost = 20" in text
    rules.write_text(text.replace("expedition_cost = 20", "expedition_cost = 18"), encoding="utf-8")
    return "cheap"


# --- what it does ----------------------------------------------------------------------------------------------------


def test_compare_plays_both_sets_writes_the_report_and_prints_the_verdict(cheap: str) -> None:
    result = call("compare", GAME, "--cards", "base", "--cards", cheap, *BOTS, "--games", "401", "--out", "out")
    assert result.exit_code == 0, result.output
    first, *verdict, last = result.stdout.splitlines()
    assert first == "What changed from base to cheap: rules: expedition_cost 20 -> 18."
    assert 4 <= len(verdict) <= 7
    assert last == f"Report: {Path('out/report/report.html')}"
    assert "card sets base and cheap, bots uniform, heuristic: 3 line-ups of 402 games with each" in result.stderr
    assert "Played 2,412 games" in result.stderr
    runs = [open_run(f"out/{arm}") for arm in studies.ARMS]
    assert [run.manifest["card_set"]["name"] for run in runs] == ["base", "cheap"]
    assert all(run.complete for run in runs)
    assert runs[0].manifest["line_ups"] == runs[1].manifest["line_ups"] == [[0, 0], [1, 1], [0, 1]]
    endings = {path.suffix for path in Path("out/report").iterdir()}
    assert endings == {".html", ".json", ".md"}

    again = call("report", "comparison", "out/a", "out/b", "--format", "md", "--out", "elsewhere", "--quiet")
    assert again.stderr == ""
    assert again.stdout.splitlines() == [first, *verdict, f"Report: {Path('elsewhere/report.md')}"]
    assert {path.suffix for path in Path("elsewhere").iterdir()} == {".md"}
    by_folder = call("report", "comparison", "out", "--format", "md", "--quiet")
    assert by_folder.stdout.splitlines() == [first, *verdict, f"Report: {Path('out/report/report.md')}"]


def test_one_set_is_compared_with_the_games_first(cheap: str) -> None:
    result = call(
        "compare", GAME, "--cards", cheap, "--bots", "uniform", "--games", "40", "--out", "out", "--format", "md"
    )
    assert "What changed from base to cheap" in result.stdout
    assert open_run("out/a").manifest["card_set"]["name"] == "base"


def test_a_set_against_itself_is_identical() -> None:
    words = ("--cards", "base", "--cards", "base", "--bots", "uniform", "--games", "400", "--out", "out", *JSON)
    told = json.loads(call("compare", GAME, *words).stdout)
    rows = told["comparison"]["rows"]
    assert {row["wording"] for row in rows} == {"identical"}
    assert {row["difference"] for row in rows} <= {0.0, None}


def test_json_is_all_that_stands_on_stdout(cheap: str) -> None:
    words = ("compare", GAME, "--cards", cheap, "--bots", "uniform", "--games", "40", "--out", "out", *JSON)
    result = call(*words)
    told = json.loads(result.stdout)
    assert told["format"] == answer.FORMAT
    assert told["changes"] == ["rules: expedition_cost 20 -> 18"]
    assert json.loads(Path("out/report/report.json").read_text(encoding="utf-8")) == told
    assert "Report: " in result.stderr
    again = call("report", "comparison", "out/a", "out/b", *JSON, "--quiet")
    assert again.stdout == result.stdout
    assert again.stderr == ""


def test_the_report_of_two_runs_of_their_own_stays_out_of_their_reports(cheap: str) -> None:
    for name in ("base", cheap):
        call("simulate", GAME, "--bots", "uniform", "--games", "100", "--cards", name, "--out", f"run-{name}")
    result = call("report", "comparison", "run-base", "run-cheap", "--format", "md")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1] == f"Report: {Path('run-cheap/comparison/report.md')}"


def test_a_log_without_cards_is_compared_without_them(cheap: str) -> None:
    words = ("--bots", "uniform", "--games", "40", "--log", "games", "--out", "out", *JSON)
    told = json.loads(call("compare", GAME, "--cards", cheap, *words).stdout)
    assert not any(row["measure"].startswith("card") for row in told["comparison"]["rows"])


# --- until it is decided ---------------------------------------------------------------------------------------------


def test_until_decided_stops_before_the_budget_and_the_runs_are_complete(cheap: str) -> None:
    words = ("compare", GAME, "--cards", cheap, *BOTS, *UNTIL, "--seed", "1", "--log", "games", "--format", "md")
    result = call(*words, "--out", "out", "--threads", "2")
    assert result.exit_code == 0, result.output
    runs = [open_run(f"out/{arm}") for arm in studies.ARMS]
    assert all(run.complete for run in runs)
    stop = runs[0].stopped
    assert stop is not None
    assert stop == runs[1].stopped
    assert 256 <= stop.blocks < 3000
    assert runs[0].scan("games").collect().height == 3 * 2 * stop.blocks
    assert f"after {stop.blocks:,} deals of each line-up" in Path("out/report/report.md").read_text(encoding="utf-8")

    # Neither threads nor an interruption change where it stops.
    assert call(*words, "--out", "one", "--threads", "1").stdout.splitlines()[:-1] == result.stdout.splitlines()[:-1]
    for arm, run in zip(studies.ARMS, runs, strict=True):
        assert_same_tables(open_run(f"one/{arm}"), run)
    shutil.rmtree("one/b")
    for path in ("one/a/stopped.json", "one/report"):
        shutil.rmtree(path) if Path(path).is_dir() else Path(path).unlink()
    again = call(*words, "--out", "one", "--resume")
    assert again.stdout.splitlines()[:-1] == result.stdout.splitlines()[:-1]
    assert open_run("one/b").stopped == stop

    # It is a run like others: it can be reported on, replayed, and asked again, but not played on with another rule.
    assert call("report", "balance", "out/b", "--format", "md").exit_code == 0
    assert call("replay", "out/b", "0").exit_code == 0
    missing = call("replay", "out/b", str(2 * stop.blocks))
    assert missing.exit_code == 2
    assert "was not played: the run was ended after" in missing.stderr
    resumed = call(*words, "--out", "out", "--resume")
    assert resumed.exit_code == 0
    assert "had been played already" in resumed.stderr
    sharper = call(*words, "--margin-share", "0.001", "--out", "out", "--resume")
    assert sharper.exit_code == 2
    assert "complete as it stands" in sharper.stderr


def test_where_the_budget_is_not_enough_all_of_it_is_played(cheap: str) -> None:
    words = (
        "--bots",
        "uniform",
        "--until-decided",
        "--budget",
        "600",
        "--margin-share",
        "0.001",
        "--log",
        "games",
        *JSON,
    )
    result = call("compare", GAME, "--cards", cheap, *words, "--out", "out")
    assert result.exit_code == 0, result.output
    runs = [open_run(f"out/{arm}") for arm in studies.ARMS]
    assert [(run.complete, run.stopped, run.games) for run in runs] == [(True, None, 600)] * 2
    assert "The budget is played, and not every question is decided." in result.stderr


@pytest.mark.parametrize("budget", [600, 6_000, 60_000, 1_000_000])
def test_looks_are_at_whole_shards_and_end_with_the_budget(budget: int) -> None:
    plan, other = request.comparison_plans(GAME, ["base"], "uniform", budget, first_look=256)
    looks = list(studies.looks(plan))
    assert looks == sorted(set(looks))
    assert looks == list(studies.looks(other))
    assert 256 <= looks[0] < 256 + plan.blocks_per_shard
    assert looks[-1] == plan.blocks
    assert all(blocks % plan.blocks_per_shard == 0 for blocks in looks[:-1])
    assert plan.cut.shards_per_line_up <= max(256, plan.blocks // 256)


# --- how it stops ----------------------------------------------------------------------------------------------------


def test_ctrl_c_says_how_to_go_on(cheap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run, calls = batch.run, []

    def stopped(*words: object, **more: object) -> object:
        calls.append(words)
        if len(calls) == 4:  # both runs have begun, and the first one is played
            raise KeyboardInterrupt
        return run(*words, **more)  # type: ignore[arg-type]

    words = ["compare", GAME, "--cards", cheap, "--bots", "uniform", "--games", "40", "--out", "out", "--format", "md"]
    with monkeypatch.context() as patch:
        patch.setattr("simcore.batch.run", stopped)
        result = call(*words)
    assert (result.exit_code, result.stdout) == (130, "")
    assert open_run("out/a").complete
    assert not open_run("out/b").complete
    hint = shlex.split(result.stderr.splitlines()[-1])
    assert hint == ["fairdeal", *words, "--resume"]
    assert call(*hint[1:]).exit_code == 0
    assert open_run("out/b").complete


# --- what it refuses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "A comparison is of two card sets, and none is given"),
        (("--cards", "base", "--cards", "long", "--cards", "base"), "and 3 are given"),
        (("--cards", "bass"), "base"),
        (("--cards", "long", "--games", "0"), "at least 1"),
        (("--cards", "long", "--bots", "expart"), "expert"),
        (("--cards", "long", "--seats", "3"), "cannot be played with 3 seats"),
        (("--cards", "long", "--budget", "5k"), "--budget is for --until-decided"),
        (("--cards", "long", "--until-decided", "--games", "5k"), "give --budget, not --games"),
        (("--cards", "long", "--until-decided", "--budget", "100", "--out", "out"), "budget of 100 games is too small"),
        (("--cards", "long", "--until-decided", "--budget", "1"), "with 2 seats, the first look is after 512 games"),
        (("--cards", "long", "--question", "seats"), "--question is for --until-decided"),
        (("--cards", "long", "--until-decided", "--question", "length"), "'both', 'seats', 'scores'"),
        (("--cards", "long", "--margin-share", "0"), "0<x<=1"),
        (("--cards", "long", "--resume"), "name its folder with --out"),
        (("--cards", "long", "--nonsense"), "No such option"),
    ],
)
def test_mistakes_are_one_message_and_nothing_is_played(words: tuple[str, ...], said: str) -> None:
    result = call("compare", GAME, *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
    assert not list(Path().iterdir())


def test_a_folder_with_other_things_is_refused() -> None:
    words = ("compare", GAME, "--cards", "long", "--bots", "uniform", "--games", "20", "--out", "out", "--format", "md")
    Path("out").mkdir()
    Path("out/notes.txt").write_text("mine", encoding="utf-8")
    result = call(*words)
    assert result.exit_code == 2
    assert "holds other things than a comparison (notes.txt)" in result.stderr
    Path("out/notes.txt").unlink()
    assert call(*words).exit_code == 0
    again = call(*words)
    assert again.exit_code == 2
    assert "already holds a run" in again.stderr
    assert call(*words, "--resume").exit_code == 0


def test_runs_that_cannot_be_compared_are_refused_with_all_reasons() -> None:
    for out, words in (("one", ("--bots", "uniform")), ("other", ("--bots", "heuristic", "--seed", "7"))):
        assert call("simulate", GAME, *words, "--games", "20", "--log", "games", "--out", out).exit_code == 0
    result = call("report", "comparison", "one", "other")
    assert result.exit_code == 2
    assert "bots (uniform and heuristic)" in result.stderr
    assert "the seed (0 and 7)" in result.stderr
    twice = call("report", "comparison", "one", "./one")
    assert (twice.exit_code, twice.stdout) == (2, "")
    assert "one and ./one are the same folder" in twice.stderr
    assert not Path("one/comparison").exists()
    missing = call("report", "comparison", "one", "nowhere")
    assert missing.exit_code == 2
    assert "nowhere is not a run folder" in missing.stderr
    alone = call("report", "comparison", "one")
    assert alone.exit_code == 2
    assert "one is not the folder of a comparison. It is a run. Name one, or two runs." in alone.stderr


def test_a_set_of_another_game_is_refused() -> None:
    others = [name for name in games.names() if name != GAME]
    if not others:
        pytest.skip("there is one game only")
    cardset.export(request.load_cards(others[0]), "other")
    result = call("compare", GAME, "--cards", "other")
    assert result.exit_code == 2
    assert others[0] in result.stderr


def test_a_notebook_compares_the_same(tmp_path: Path, cheap: str) -> None:
    import fairdeal

    study = fairdeal.compare(GAME, cards=["base", cheap], bots="uniform", games=200, out=tmp_path / "study")
    words = ("compare", GAME, "--cards", cheap, "--bots", "uniform", "--games", "200", "--out", "out", "--format", "md")
    assert list(study.sentences) == call(*words).stdout.splitlines()[:-1]
    assert fairdeal.write_comparison(study.answer, tmp_path / "report", ["md"])[0].exists()
    with pytest.raises(InputError, match="two card sets, not 3"):
        fairdeal.compare(GAME, cards=["base", cheap, "long"], bots="uniform")
