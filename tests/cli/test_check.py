"""`fairdeal check`: a planted card fails, the standard set passes; exit statuses, forms and refusals."""

import json
import re
import shlex
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

import fairdeal
from analysis.studies import check as studies
from analysis.targets import KINDS
from cli.check import check
from simcore import batch, request
from simcore.errors import InputError
from simcore.runlog import open_run
from tests.cli import GAME, call

TARGETS = """
game = "lost-cities"
bots = "expert"

[cards]
kind = "card_impact"
within = 6.5

[length]
kind = "length"
at_most = 160

[draws]
kind = "draws"
at_most = 0.03
"""
OPEN = '[open]\nkind = "score"\nat_least = {}\n'


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("targets.toml").write_text(TARGETS, encoding="utf-8")


@pytest.fixture(scope="module")
def standard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the standard set that is large enough for its targets."""
    folder = tmp_path_factory.mktemp("standard") / "run"
    fairdeal.simulate(GAME, "expert", 6_000, out=folder)
    return folder


def test_the_standard_set_passes(standard: Path) -> None:
    result = call("check", standard, "--targets", "targets.toml")
    assert result.exit_code == 0, result.output
    assert re.findall("^(.*?): ", result.stdout, re.MULTILINE)[:3] == ["met"] * 3
    assert result.stdout.endswith("Passed: 3 of 3 targets met. Targets: targets.toml.\n")


def test_a_run_of_other_bots_than_the_targets_name_is_judged_with_a_warning(standard: Path) -> None:
    Path("targets.toml").write_text(TARGETS.replace('"expert"', '"heuristic"'), encoding="utf-8")
    result = call("check", standard, "--targets", "targets.toml", "--quiet")
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("Warning: The targets name heuristic, which did not play; expert did.")
    assert "Warning" not in result.stdout


def test_a_planted_card_fails() -> None:
    fairdeal.export_cards(fairdeal.load_cards(GAME), "my-set", "plus five")
    table = Path("my-set/cards.csv")
    table.write_text(table.read_text(encoding="utf-8").replace("Y10,yellow,number,10", "Y10,yellow,number,15"))
    words = ("check", GAME, "--cards", "my-set", "--targets", "targets.toml", "--games", "4k", "--out", "run")
    result = call(*words, "--format", "junit", "--to", "check.xml")
    assert result.exit_code == 1, result.output
    missed, *others = result.stdout.splitlines()
    assert missed.startswith("missed: cards: 1 of 50 surely outside: yellow 15 +")
    assert [line.partition(":")[0] for line in others] == ["met", "met", "Failed"]
    suite = ElementTree.parse("check.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    assert "card set plus five, bots expert: seed 0, into run" in result.stderr
    assert open_run("run").complete
    assert call("check", "run", "--targets", "targets.toml", "--quiet").stdout == result.stdout
    again = call(*words, "--resume", "--quiet")
    assert (again.exit_code, again.stdout) == (1, result.stdout)


def test_a_target_names_a_card_by_its_row_which_an_edit_does_not_rename() -> None:
    fairdeal.export_cards(fairdeal.load_cards(GAME), "my-set", "plus five")
    table = Path("my-set/cards.csv")
    table.write_text(table.read_text(encoding="utf-8").replace("Y10,yellow,number,10", "Y10,yellow,number,15"))
    Path("one.toml").write_text('bots = "uniform"\n[one]\nkind = "card_impact"\nwithin = 90\ncards = "Y10"\n')
    for cards, label in (("base", "yellow 10"), ("my-set", "yellow 15")):
        words = ("--cards", cards, "--targets", "one.toml", "--games", "600", "--out", f"of-{cards}")
        result = call("check", GAME, *words)
        assert result.exit_code == 0, result.output
        assert f"{label} " in result.stdout


@pytest.mark.parametrize("name", ["yelow 10", "Y1O", "cards.Y11"])
def test_a_card_that_the_set_does_not_have_is_refused_before_anything_is_played(name: str) -> None:
    Path("one.toml").write_text(f'bots = "uniform"\n[one]\nkind = "card_impact"\nwithin = 90\nexcept = "{name}"\n')
    result = call("check", GAME, "--targets", "one.toml", "--games", "600", "--out", "run")
    assert result.exit_code == 2
    assert f"target one: unknown card '{name}'." in result.stderr
    assert "blue 7" not in result.stderr
    assert "or by the id of its row in the card set, as in Y02" in " ".join(result.stderr.split())
    assert not Path("run").exists()


def test_what_is_not_yet_known_fails_only_if_strict(standard: Path) -> None:
    mean = fairdeal.analyse(open_run(standard)).main.scores.bots[0].score.value
    Path("open.toml").write_text(OPEN.format(round(mean + 0.1, 2)), encoding="utf-8")
    result = call("check", standard, "--targets", "open.toml")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("not yet known: open: the mean score of expert")
    assert re.search(r"About [\d,]+ more games a line-up \([\d,]+ deals\) would tell\.$", result.stdout, re.MULTILINE)
    assert "Passed: 0 of 1 target met, 1 not yet known." in result.stdout
    strict = call("check", standard, "--targets", "open.toml", "--strict", "--format", "json")
    assert strict.exit_code == 1
    told = json.loads(strict.stdout)
    assert (told["passed"], told["strict"], told["results"][0]["verdict"]) == (False, True, "not yet known")


def test_without_targets_those_stated_for_the_game_hold() -> None:
    result = call("check", GAME, "--games", "200", "--out", "run")
    assert result.exit_code in (0, 1), result.output
    assert "bots heuristic, expert: seed 0" in result.stderr
    assert "Targets: those stated for the standard set of lost-cities.\n" in result.stdout


def test_a_game_for_several_numbers_of_seats() -> None:
    Path("targets.toml").write_text(
        'bots = "uniform"\n[ends]\nkind = "length"\nat_most = 60\n[two]\nkind = "draws"\nat_most = 1\nseats = 2\n'
        '[ten]\nkind = "draws"\nat_most = 1\nseats = 10\n',
        encoding="utf-8",
    )
    result = call("check", "vaalbara", "--targets", "targets.toml", "--games", "60", "--out", "out")
    names = re.findall("^(?:met|not yet known): (.*?):", result.stdout, re.MULTILINE)
    assert names == ["ends, 2 seats", "ends, 3 seats", "ends, 4 seats", "ends, 5 seats", "two, 2 seats"]
    assert "For other numbers of seats, and not judged: ten." in result.stdout
    assert call("check", "out", "--targets", "targets.toml").stdout == result.stdout
    one = call("check", "out/3-seats", "--targets", "targets.toml")
    assert "not judged: two, ten." in one.stdout


def test_only_seats_that_a_target_is_about_are_played() -> None:
    Path("targets.toml").write_text('[a]\nkind = "draws"\nat_most = 1\nseats = [3, 9]\n', encoding="utf-8")
    targets = studies.load_targets("vaalbara", "targets.toml")
    assert [plan.seats for plan in studies.plans("vaalbara", targets, games=60)] == [3]
    with pytest.raises(InputError, match=r"no target of targets\.toml is for games of 2 seats"):
        studies.plans("vaalbara", targets, games=60, seats=2)


def test_who_plays() -> None:
    def players(text: str, bots: str | None = None) -> tuple[str, ...]:
        Path("targets.toml").write_text(f"{text}\nkind = 'draws'\nat_most = 0.1\n", encoding="utf-8")
        (plan,) = studies.plans(GAME, studies.load_targets(GAME, "targets.toml"), bots, 20)
        return plan.bots

    assert players("[a]") == ("uniform", "heuristic", "expert", "trained")
    assert players("bots = 'heuristic'\n[a]\nbots = 'expert'") == ("heuristic", "expert")
    assert players("bots = 'heuristic'\n[a]\nbots = 'expert'", "expert,uniform") == ("expert", "uniform")
    with pytest.raises(InputError, match=r"target a: unknown bot 'expert'.*Only these play\."):
        players("[a]\nbots = 'expert'", "heuristic")
    with pytest.raises(InputError, match=r"who plays by targets\.toml: unknown bot 'greedy'\."):
        players("bots = 'greedy'\n[a]")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("lost-city",), "unknown game 'lost-city'. Did you mean lost-cities"),
        ((GAME, "--targets", "none.toml"), "targets file none.toml does not exist"),
        ((GAME, "--bots", "expert"), "target luck compares bots, and only expert plays"),
        ((GAME, "--to", ""), "--to '' cannot be written. Allowed: a file in a folder that is there."),
        ((GAME, "--to", "none/check.xml"), "--to 'none/check.xml' cannot be written."),
        ((GAME, "--resume"), "--resume goes on with a run that is there"),
        (("RUN", "--seed", "3"), "--seed is for playing a game"),
        (("RUN", "--cards", "long"), "--cards is for playing a game"),
        (("RUN",), "target luck: dominance is told from games of every two bots"),
        ((".",), "manifest.json"),
    ],
)
def test_mistakes_are_told_with_exit_status_2(standard: Path, words: tuple[str, ...], message: str) -> None:
    result = call("check", *(standard if word == "RUN" else word for word in words))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr


def test_a_run_of_which_nothing_is_played_is_refused() -> None:
    for seats, blocks in ((2, None), (3, 0)):
        batch.run(request.balance_plan("vaalbara", "uniform", 60, seats=seats), f"out/{seats}-seats", blocks=blocks)
    result = call("check", "out")
    assert result.exit_code == 2
    assert f"{Path('out/3-seats')} holds no finished games yet" in result.stderr


def test_targets_for_another_game_are_refused_before_anything_is_played() -> None:
    result = call("check", "vaalbara", "--targets", "targets.toml", "--out", "run")
    assert result.exit_code == 2
    assert "the targets of targets.toml are for lost-cities, not for vaalbara" in result.stderr
    assert not Path("run").exists()


def test_from_python(standard: Path) -> None:
    made = fairdeal.check_runs(standard, "targets.toml")
    assert made.check.passed()
    assert len(made.sentences) == 3
    assert fairdeal.render_check(made.check, "text") == call("check", standard, "--targets", "targets.toml").stdout
    played = fairdeal.check(GAME, "targets.toml", games=20, out="run")
    assert played.runs[0].manifest["games_per_line_up"] == 20
    assert not played.check.passed(strict=True)


# --- what is ready to copy -------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[2]


def test_the_targets_of_the_readme_are_understood() -> None:
    (text,) = re.findall(
        r"```toml\n(# targets\.toml.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    Path("targets.toml").write_text(text, encoding="utf-8")
    targets = studies.load_targets(GAME, "targets.toml")
    assert [target.kind for target in targets.targets] == ["seat_share", "length", "card_impact", "draws"]


def test_the_readme_tells_every_kind_and_its_limits() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for kind in KINDS.values():
        (row,) = re.findall(rf"^\| `{kind.name}` \|.*$", readme, re.MULTILINE)
        _, _, limits, measures = (re.findall("`(.*?)`", cell) for cell in row.strip("|").split("|"))
        assert tuple(limits) == kind.limits
        assert tuple(measures) == tuple(filter(None, kind.measures))


def test_the_workflow_can_be_copied() -> None:
    folder = ROOT / "examples" / "ci"
    shutil.copy(folder / "targets.toml", "targets.toml")
    studies.load_targets(GAME, "targets.toml").refuse(GAME, [2])
    commands = re.findall(r"run: fairdeal (.*)$", (folder / "balance.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["cards", "check", "report"]
    (words,) = (shlex.split(command)[1:] for command in commands if command.startswith("check "))
    check.make_context("check", words)
