"""`fairdeal tune`: a planted card is repaired by an edit of that card; what is left, refused, and gone on with."""

import json
import shlex
from pathlib import Path

import pytest

import fairdeal
from analysis.studies import tune as studies
from simcore import batch
from simcore.cardset import vary
from simcore.errors import InputError
from simcore.runlog import open_run
from tests.cli import GAME, call
from tests.cli.test_input import fails

TARGETS = """
game = "lost-cities"
bots = "expert"

[cards]
kind = "card_impact"
within = 8

[length]
kind = "length"
at_most = 160
"""
QUICK = '[points]\nkind = "score"\nat_least = 20\nbots = "heuristic"\n'
VARY = ("--vary", "cards.B10.value=5:15", "--vary", "cards.Y10.value=5:15", "--vary", "cards.G08.value=3:13")
TUNE = ("tune", GAME, "--cards", "broken", *VARY, "--targets", "targets.toml", "--games", "2k")
COST = ("--vary", "rules.expedition_cost=10:30:5", "--targets", "quick.toml", "--bots", "heuristic")
SMALL = ("tune", GAME, *COST, "--cards", "single_round", "--games", "400", "--out", "t")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("targets.toml").write_text(TARGETS, encoding="utf-8")
    Path("quick.toml").write_text(QUICK, encoding="utf-8")


def break_a_card() -> None:
    """The yellow 10 is worth 15."""
    fairdeal.export_cards(fairdeal.load_cards(GAME), "broken", "plus five")
    table = Path("broken/cards.csv")
    table.write_text(table.read_text(encoding="utf-8").replace("Y10,yellow,number,10", "Y10,yellow,number,15"))


@pytest.mark.slow
def test_a_planted_card_is_repaired_by_an_edit_of_that_card_and_the_same_on_any_threads() -> None:
    break_a_card()
    result = call(*TUNE, "--out", "one", "--threads", "1")
    assert result.exit_code == 0, result.output
    first, verdict, *each = result.stdout.splitlines()
    assert first.startswith("Change 1 thing: cards Y10: value 15 -> ")
    assert verdict.startswith("Passed: 2 of 2 targets met. This is from 10,000 fresh games a line-up")
    assert "Bots: expert, as they were made" in verdict
    assert [line.split(":")[0] for line in each[:2]] == ["met", "met"]
    assert "The search promised a miss of" in each[2]
    assert "optimism" in each[2]
    assert "A miss is how far the ends of the figures' intervals lie beyond the limits" in each[2]
    told = json.loads(Path("one/report/report.json").read_text(encoding="utf-8"))
    assert told["passed"]
    assert told["given_up"] > 0
    assert told["optimism"]["n"] == studies.FOLDS

    found = fairdeal.load_cards(GAME, "one/card-set")
    assert fairdeal.diff_cards(fairdeal.load_cards(GAME, "broken"), found) == told["finalists"][0]["edits"]
    winner = Path("one") / told["finalists"][0]["folder"]
    proof, choice = open_run(winner / "proof"), open_run(winner / "run")
    assert proof.manifest["card_set"]["hash"] == found.hash
    assert len({proof.manifest["seed"], choice.manifest["seed"], 0}) == 3, "fresh deals each time"
    judged = call("check", winner / "proof", "--targets", "targets.toml", "--strict")
    assert judged.exit_code == 0

    other = call(*TUNE, "--out", "two", "--threads", "2", "--quiet")
    assert other.stdout == result.stdout
    for name in ("candidates.jsonl", "report/report.json", "report/report.md", "card-set/cards.csv"):
        assert (Path("one") / name).read_bytes() == (Path("two") / name).read_bytes(), name


def test_what_is_left_and_said() -> None:
    result = call(*SMALL, "--workbook")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Change 1 thing: rules: expedition_cost 20 -> ")
    assert "1 value may vary, each candidate plays 1 line-up of 400 games, seed 0, into t" in result.stderr
    assert sorted(entry.name for entry in Path("t").iterdir()) == [
        "candidates.jsonl", "card-set", "card-set.xlsx", "finalists", "report",
    ]  # fmt: skip
    one, other = (fairdeal.load_cards(GAME, f"t/{name}") for name in ("card-set", "card-set.xlsx"))
    assert one.hash == other.hash
    assert one.name == "single_round tuned"
    page = Path("t/report/report.md").read_text(encoding="utf-8")
    assert "## The finalists, the winner first" in page
    assert "| rules.expedition\\_cost | 10 to 30 | 20 |" in page or "| rules.expedition_cost | 10 to 30 | 20 |" in page


def test_a_card_set_that_meets_its_targets_stays_and_one_that_cannot_fails() -> None:
    Path("quick.toml").write_text(QUICK.replace("20", "-500"), encoding="utf-8")
    result = call(*SMALL)
    assert result.exit_code == 0
    assert result.stdout.startswith("Nothing needs to change: single_round meets its targets as it is.")
    assert "1 candidate of 1 value that may vary" in result.stdout
    Path("quick.toml").write_text(QUICK.replace("20", "500"), encoding="utf-8")
    result = call(*SMALL[:-1], "u", "--candidates", "2", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert (told["passed"], told["candidates"], told["format"]) == (False, 2, "fairdeal-tuning/1")


def test_what_was_stopped_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = batch.run, []

    def stops(*words: object, **more: object) -> object:
        calls.append(words)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return real(*words, **more)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(batch, "run", stops)
        stopped = call(*SMALL)
    assert stopped.exit_code == 130
    assert shlex.split(stopped.stderr.splitlines()[-1]) == ["fairdeal", *SMALL, "--resume"]
    log = Path("t/candidates.jsonl").read_bytes()
    with Path("t/candidates.jsonl").open("ab") as file:
        file.write(b'{"values": [1')  # a kill may cut a line off
    done = call(*SMALL, "--resume")
    assert done.exit_code == 0, done.output
    assert Path("t/candidates.jsonl").read_bytes().startswith(log)
    whole = call(*SMALL[:-1], "u")
    assert whole.stdout == done.stdout
    assert Path("u/candidates.jsonl").read_bytes() == Path("t/candidates.jsonl").read_bytes()
    assert call(*SMALL, "--resume").stdout == done.stdout

    fails(call(*SMALL), 2, "already holds a tuning", "--resume")
    fails(
        call(*SMALL, "--resume", "--seed", "3"),
        2,
        "another tuning",
        "differs: the seed (the folder has 0, you ask for 3). Ask",
    )
    Path("diary").mkdir()
    Path("diary/mine.txt").touch()
    fails(call(*SMALL[:-1], "diary"), 2, "not empty", "mine.txt")


def test_the_clock_ends_the_search_and_the_count_repeats_it() -> None:
    Path("quick.toml").write_text(QUICK.replace("20", "500"), encoding="utf-8")
    result = call(*SMALL, "--minutes", "0.000001")
    assert "The time was up; --candidates 1 in its place repeats the result." in result.stdout
    again = call(*SMALL[:-1], "u", "--candidates", "1")
    assert again.stdout == result.stdout.replace(
        " The time was up; --candidates 1 in its place repeats the result.", ""
    )


@pytest.mark.slow  # the fit compiles kernels of its own
def test_a_trained_bot_is_re_trained_on_the_finalists_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "GENERATIONS", 1)
    monkeypatch.setattr(studies, "MEASURED", 20)
    Path("quick.toml").write_text(QUICK.replace("heuristic", "linear"), encoding="utf-8")
    words = ["linear" if word == "heuristic" else word for word in SMALL]
    result = call(*words, "--candidates", "2")
    assert "Bots: linear, re-trained on the cards of each finalist." in result.stdout
    told = json.loads(Path("t/report/report.json").read_text(encoding="utf-8"))
    assert told["retrained"] == ["linear"]
    for finalist in told["finalists"]:
        (name,) = finalist["bots"]
        assert name == str(Path("t") / finalist["folder"] / "bot-0.toml")
        run = open_run(Path("t") / finalist["folder"] / "run")
        assert f'card_set_hash = "{run.manifest["card_set"]["hash"]}"' in Path(name).read_text(encoding="utf-8")
    plain = call(*words[:-1], "u", "--candidates", "1", "--no-retrain")
    assert "Bots: linear, as they were made" in plain.stdout


MISTAKES = {
    "no path": (["--vary", "cards.Y10.value"], ["TABLE.ROW.COLUMN=1,2,5"]),
    "a row": (["--vary", "cards.Y99.value=1:5"], ["nearest: Y09"]),
    "a table for all rows": (["--vary", "card.*.value=1:5"], ["nearest: cards"]),
    "a column for all rows": (["--vary", "cards.*.valu=1:5"], ["nearest: value"]),
    "words": (["--vary", "cards.Y02.color=yellow,blue"], ["cards.Y02.color is not a number", "LOW:HIGH"]),
    "nothing to vary": (["--vary", "cards.Y02.value=2:2"], ["already", "wider range"]),
    "one path twice": (["--vary", "cards.*.value=0:9", "--vary", "cards.Y02.value=1:3"], ["varied already"]),
    "no targets": (["--vary", "cards.Y02.value=1:3", "--targets", "none.toml"], ["none.toml does not exist"]),
    "nobody to train": (["--vary", "rules.rounds=1:3", "--targets", "targets.toml", "--retrain"], ["No trained bot"]),
    "no way to go on": (["--vary", "cards.Y02.value=1:3", "--resume"], ["--resume", "--out"]),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case: str) -> None:
    words, parts = MISTAKES[case]
    fails(call("tune", GAME, *words), 2, *parts)
    assert sorted(Path().iterdir()) == [Path("quick.toml"), Path("targets.toml")], "nothing is written or played"


def test_a_card_whose_value_varies_is_named_by_its_row() -> None:
    text = '[one]\nkind = "card_impact"\nwithin = 80\nbots = "heuristic"\n{} = "{}"\n'
    for key in ("cards", "except"):
        Path("named.toml").write_text(text.format(key, "yellow 10"), encoding="utf-8")
        with pytest.raises(InputError, match=r"target one: card 'yellow 10' has another name where cards\.Y10\.value"):
            studies.plan(GAME, "cards.*.value=0:15", "named.toml")
        assert studies.plan(GAME, "cards.Y09.value=0:10", "named.toml").games
        Path("named.toml").write_text(text.format(key, "Y10"), encoding="utf-8")
        assert studies.plan(GAME, "cards.*.value=0:15", "named.toml").games
    words = ("--vary", "cards.Y10.value=14,15", "--targets", "named.toml", "--games", "200", "--candidates", "2")
    Path("named.toml").write_text(text.format("cards", "Y10"), encoding="utf-8")
    result = call("tune", GAME, *words, "--out", "t")
    assert result.exit_code in (0, 1), result.output


def test_all_rows_at_once() -> None:
    base = fairdeal.load_cards(GAME)
    words = vary.expand(base, ["cards.*.value=0:9", "rules.hand_size=7,8"])
    assert len(words) == len(base.tables["cards"]) + 1
    assert words[3] == "cards.Y02.value=0:9"
    assert words[-1] == "rules.hand_size=7,8"
    letters = vary.expand(fairdeal.load_cards("valletta"), ["buildings.*.cost_gold=0:9"])
    assert len(letters) == len(set(letters)), "copies are one card"


def test_from_python() -> None:
    study = fairdeal.tune(
        GAME, "rules.expedition_cost=10:30:10", "quick.toml", bots="heuristic", cards="single_round", games=400, out="t"
    )
    assert study.card_set.scalars["expedition_cost"] == study.tuning.winner.values[0]
    assert study.sentences
    assert [path.name for path in fairdeal.write_tune(study.tuning, "elsewhere")] == ["report.json", "report.md"]
