"""The commands that work: what they print where, what they leave, and how they stop."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli import job, start, talk
from simcore.batch import Progress
from simcore.runlog import open_run
from tests.cli import GAME, call, command


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_games_in_a_pipe_is_a_plain_table() -> None:
    header, row, *others = (line.split("\t") for line in call("games").stdout.splitlines())
    assert header == ["game", "title", "seats", "card sets", "bots"]
    name, title, seats, card_sets, bots = row
    assert (name, title, seats) == (GAME, "Lost Cities", "2")
    assert card_sets.split(",") == ["base", "long", "long_single_round", "single_round"]
    assert {"uniform", "heuristic"} <= set(bots.split(","))
    assert [other[:4] for other in others] == [
        ["vaalbara", "Vaalbara", "2,3,4,5", "default,alt_no_5plus"],
        ["valletta", "Valletta", "2,3,4", "standard"],
        ["lisboa", "Lisboa", "2,3,4", "standard"],
    ]


def test_games_as_json_says_what_bots_do() -> None:
    game, *others = json.loads(call("games", "--format", "json").stdout)
    assert [other["seats"] for other in others] == [[2, 3, 4, 5], [2, 3, 4], [2, 3, 4]]
    assert game["seats"] == [2]
    assert game["card_sets"][0] == "base"
    uniform = next(bot for bot in game["bots"] if bot["name"] == "uniform")
    assert uniform["tier"] == "random"
    assert uniform["text"]


def test_simulate_prints_the_folder_and_talks_on_stderr() -> None:
    result = call("simulate", GAME, "--bots", "uniform,heuristic", "--games", "101", "--out", "run", "--log", "games")
    assert result.exit_code == 0
    assert result.stdout == "run\n"
    assert "uniform, heuristic: 1 line-up of 102 games" in result.stderr
    assert "Played 102 games" in result.stderr
    run = open_run("run")
    assert run.complete
    assert run.tables == ("games", "seats")
    assert run.manifest["line_ups"] == [[0, 1]]


def test_quiet_says_only_the_result() -> None:
    result = call("simulate", GAME, "--bots", "uniform", "--games", "20", "--quiet")
    assert result.stderr == ""
    folder = Path(result.stdout.strip())
    assert folder.parent == Path("fairdeal-runs")
    assert folder.name.startswith(GAME)
    assert open_run(folder).manifest["line_ups"] == [[0, 0]]


def test_equal_flags_give_equal_games_and_the_seed_changes_them() -> None:
    def played(out: str, *words: str) -> list[int]:
        assert call("simulate", GAME, "--bots", "uniform", "--games", "50", "--out", out, *words).exit_code == 0
        return open_run(out).scan("games").collect()["play_hash"].to_list()

    first = played("a")
    assert played("b", "--threads", "3", "--log", "moves") == first
    assert played("c", "--seed", "1") != first


def test_the_notice_of_an_edited_card_set_is_shown() -> None:
    call("cards", "export", GAME, "base", "mine")
    rules = Path("mine/rules.toml")
    rules.write_text(rules.read_text(encoding="utf-8").replace("hand_size = 8", "hand_size = 7"), encoding="utf-8")
    result = call("simulate", GAME, "--bots", "uniform", "--games", "10", "--cards", "mine", "--out", "run")
    assert "base (edited)" in result.stderr
    assert open_run("run").manifest["card_set"]["name"] == "base (edited)"


def test_cards_export_check_diff_and_schema() -> None:
    assert call("cards", "export", GAME, "long", "mine", "--name", "my long one").stdout == "mine\n"
    check = call("cards", "check", GAME, "mine")
    assert (check.exit_code, check.stderr) == (0, "")
    assert check.stdout == "my long one is a card set of lost-cities (72 rows in cards).\n"
    same = call("cards", "diff", GAME, "long", "mine")
    assert (same.exit_code, same.stdout, same.stderr) == (0, "", "No difference.\n")
    other = call("cards", "diff", GAME, "base", "mine", "--quiet")
    assert "cards: P10 added" in other.stdout
    assert call("cards", "export", GAME, "long", "mine").exit_code == 2
    assert call("cards", "schema", GAME).stdout.startswith("# Card sets of Lost Cities")


def test_balance_writes_the_report_and_prints_the_verdict() -> None:
    result = call("balance", GAME, "--bots", "uniform,heuristic", "--games", "400", "--out", "run")
    assert result.exit_code == 0, result.output
    *verdict, last = result.stdout.splitlines()
    assert verdict
    assert last == f"Report: {Path('run/report/report.html')}"
    assert open_run("run").manifest["line_ups"] == [[0, 0], [1, 1], [0, 1]]
    endings = {path.suffix for path in Path("run/report").iterdir()}
    assert endings == {".html", ".json", ".md"}

    again = call("report", "balance", "run", "--format", "md", "--out", "elsewhere", "--quiet")
    assert again.stderr == ""
    assert again.stdout.splitlines() == [*verdict, f"Report: {Path('elsewhere/report.md')}"]
    assert {path.suffix for path in Path("elsewhere").iterdir()} == {".md"}


def test_replay_says_which_games_are_whose() -> None:
    made = call("simulate", "lost-cities", "--bots", "heuristic,uniform,expert", "--games", "10", "--out", "whose")
    assert made.exit_code == 0
    told = call("replay", "whose").stdout.splitlines()
    assert "0 to 9: heuristic against uniform" in told
    for line in told:
        first, _, rest = line.partition(" to ")
        last, _, title = rest.partition(": ")
        for number in (first, last):
            words = call("replay", "whose", number).stdout.splitlines()[1]
            assert all(f" {name}" in words for name in title.split(" against "))


def test_replay_in_words_and_as_json() -> None:
    call("simulate", GAME, "--bots", "uniform,heuristic", "--games", "20", "--out", "run", "--log", "games")
    words = call("replay", "run", "7")
    assert words.exit_code == 0, words.output
    assert words.stdout
    document = json.loads(call("replay", "run", "7", "--json").stdout)
    assert document["format"] == "fairdeal-replay/1"
    assert document["game_number"] == 7
    missing = call("replay", "run", "20")
    assert missing.exit_code == 2
    assert "0 to 19" in missing.stderr


# --- Progress --------------------------------------------------------------------------------------------------------


def test_elsewhere_than_on_a_terminal_progress_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with talk.showing_progress(quiet=False) as show:
        for tenths in range(300):
            show(Progress(played=1000 + 10 * tenths, games=4000, new=10 * tenths, seconds=tenths / 10))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "1,500 of 4,000 games: 100 games/s, 25 s left",
        "3,000 of 4,000 games: 100 games/s, 10 s left",
    ]


def test_before_the_first_shard_is_finished_no_rate_is_made_up() -> None:
    assert "compiles" in talk.speed(Progress(played=0, games=10, new=0, seconds=3.0))


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (150, "2 min 30 s"), (3900, "1 h 5 min")]
)
def test_durations_in_words(seconds: float, words: str) -> None:
    assert talk.duration(seconds) == words


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_progress_is_a_bar_and_games_a_table() -> None:
    bar = on_a_terminal("simulate", GAME, "--bots", "uniform", "--games", "40k", "--out", "run")
    assert "40,000 games" in bar
    assert "\x1b[" in bar
    table = on_a_terminal("games")
    assert "what it does" in table
    assert "Lost Cities" in table


def on_a_terminal(*words: str) -> str:
    """What the command shows on a terminal."""
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "110"}
    process = subprocess.Popen(command(*words), stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    try:
        while block := os.read(ours, 65536):
            shown += block
    except OSError:  # Linux says so when the last writer has gone
        pass
    os.close(ours)
    assert process.wait(timeout=600) == 0
    return shown.decode()


# --- Ctrl-C ----------------------------------------------------------------------------------------------------------


def test_ctrl_c_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("simcore.batch.run", stopped)
        result = call("simulate", GAME, "--bots", "uniform", "--games", "20")
    assert result.exit_code == 130
    assert result.stdout == ""
    hint = shlex.split(result.stderr.splitlines()[-1])
    assert hint[:6] == ["fairdeal", "simulate", GAME, "--bots", "uniform", "--games"]
    assert hint[-1] == "--resume"
    assert call(*hint[1:]).exit_code == 0


def test_ctrl_c_while_a_balance_is_analysed_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    words = ["balance", GAME, "--bots", "uniform", "--games", "20", "--out", "run"]
    monkeypatch.setattr("analysis.balance.analyse", stopped)
    result = call(*words)
    assert result.exit_code == 130
    assert shlex.split(result.stderr.splitlines()[-1]) == ["fairdeal", *words, "--resume"]


def test_ctrl_c_outside_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("simcore.request.describe_games", stopped)
    result = call("games")
    assert (result.exit_code, result.stderr.strip()) == (130, "Stopped.")


def test_ctrl_c_while_the_program_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "cli.main", Interrupted())
    with pytest.raises(SystemExit) as stop:
        start.main()
    assert stop.value.code == 130


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be sent Ctrl-C alone")
def test_a_run_that_ctrl_c_has_stopped_is_finished_by_what_it_says() -> None:
    words = f"simulate {GAME} --bots heuristic --games 100k --log games --threads 1 --out run".split()
    process = subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    shards = Path("run/shards.jsonl")
    while not (shards.exists() and shards.read_bytes().count(b"\n") > 1):  # a line being written would be taken back
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    stopped = open_run("run")
    assert 0 < stopped.games < 100_000
    hint = shlex.split(err.splitlines()[-1])
    assert hint == ["fairdeal", *words, "--resume"]
    done = subprocess.run(command(*hint[1:], "--threads", "2"), capture_output=True, check=True, text=True)
    assert done.stdout == "run\n"
    finished = open_run("run")
    assert finished.complete
    assert finished.scan("games").collect()["game"].to_list() == list(range(100_000))
    for number in stopped.shards:
        assert finished.shards[number] == stopped.shards[number]


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be sent Ctrl-C alone")
def test_a_second_ctrl_c_does_not_wait() -> None:
    code = (
        "import signal, time\n"
        "from cli.job import patient_ctrl_c\n"
        "with patient_ctrl_c():\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "        time.sleep(60)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=600).returncode == job.Stopped.status
