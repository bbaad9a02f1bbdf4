"""Names that make variants of bots, and bots from files of the user."""

from collections.abc import Iterator
from math import sqrt
from pathlib import Path

import pytest

from simcore import bots, request
from simcore.errors import InputError
from simcore.play import Table

GAME = "lost-cities"
FILE = '''
from fairdeal import bot
from simcore.game import nth_option


@bot("Takes the first option.", weights=(1.0, 2.0))
def first(public, me, cards, options, noise, mind):
    return nth_option(options, 0)


@bot("For another game.", game="vaalbara")
def other(public, me, cards, options, noise, mind):
    return nth_option(options, 0)
'''


@pytest.fixture(autouse=True)
def admitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test admits is forgotten."""
    monkeypatch.setattr(bots, "_admitted", {})


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_variants_say_what_they_are() -> None:
    noisy = bots.get(GAME, "expert~2.5")
    assert (noisy.tier, noisy.tremble, noisy.name) == ("noisy", 0.025, "expert~2.5")
    assert noisy.text.endswith("2.5 % of its decisions are random.")
    quick = bots.get(GAME, "search:50~10")
    assert (quick.playouts, quick.tremble, quick.tier) == (50, 0.1, "noisy")
    hashes = {bots.get(GAME, name).hash for name in ("expert", "expert~1", "expert~2", "search", "search:50")}
    assert len(hashes) == 5


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("expert~0", "percentage above 0, 100 at most, not 0"),
        ("expert~101", "percentage above 0"),
        ("expert~1.2.3", "percentage above 0"),
        ("expert:50", "expert does not search"),
        ("search:0", "1 to 1,000,000 playouts a decision, not 0"),
        ("search:2000000", "not 2,000,000"),
        ("exprt~10", "unknown bot 'exprt'. Did you mean expert"),
        ("", "unknown bot ''"),
        ("~10", "unknown bot"),
        (":10", "unknown bot"),
        ("expert~", "unknown bot 'expert~'"),
    ],
)
def test_variants_that_make_no_sense(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(").replace(".", r"\.")):
        bots.get(GAME, name)


def shares(table: Table, deals: int) -> Iterator[tuple[bool, int]]:
    """For each decision that seat 0 was asked: whether it took another than the first option, and the options."""
    for deal in range(deals):
        for step in table.steps(deal, 0):
            if step.seat == 0 and len(step.options) > 1:
                yield step.action != step.options[0], len(step.options)


@pytest.mark.engine
def test_so_many_decisions_are_random(mine: Path) -> None:
    """A random decision takes the first of k options with probability 1 / k."""
    name = f"{mine}:first~40"
    bots.admit(GAME, name)
    table = Table(GAME, request.load_cards(GAME, "single_round"), 2, (name, "uniform"), seed=3)
    found = list(shares(table, 4))
    wanted = [0.4 * (1 - 1 / options) for _, options in found]
    error = sqrt(sum(p * (1 - p) for p in wanted))
    assert len(found) > 100
    assert abs(sum(other for other, _ in found) - sum(wanted)) < 5 * error


def test_a_file_is_run_only_for_a_name_that_the_user_gave(mine: Path) -> None:
    name = f"{mine}:first"
    with pytest.raises(InputError, match="run only if you name the bot yourself"):
        bots.get(GAME, name)
    admitted = bots.admit(GAME, name)
    assert bots.get(GAME, name) == admitted
    assert (admitted.name, admitted.tier, admitted.weights) == (name, "simple", (1.0, 2.0))


def test_an_edited_file_is_another_bot(mine: Path) -> None:
    before = bots.admit(GAME, f"{mine}:first")
    mine.write_text(FILE.replace("nth_option(options, 0)", "nth_option(options, options.count - 1)"), encoding="utf-8")
    assert bots.admit(GAME, f"{mine}:first").hash != before.hash


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("mine.py:second", FILE, "unknown bot 'second'.*Known: first, other"),
        ("mine.py:other", FILE, "plays vaalbara, not lost-cities"),
        ("mine.py:first", "x = 1\n", "holds no bot. Decorate a function with fairdeal.bot"),
        ("mine.py:first", "x = \n", "cannot be run as Python: SyntaxError"),
        ("mine.py:first", "import nothing_like_it\n", "cannot be run as Python: ModuleNotFoundError"),
        ("mine.py:first", "from fairdeal import bot\nbot('x', tier='best')\n", "ValueError: the tier of a bot"),
        ("mine.py:first", None, "cannot be read"),
    ],
)
def test_files_that_do_not_serve(
    name: str, text: str | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        bots.admit(GAME, name)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("expert~1~2", "a budget and a percentage stand there once each"),
        ("search:5:6", "a budget and a percentage stand there once each"),
        ("expert" + "~1" * 2_000, "a budget and a percentage stand there once each"),
        ("search:" + "9" * 5_000, "is no name of a bot"),
        ("search:1__0", "unknown bot"),
        ("search:" + "9" * 4_000, "unknown bot"),
        ("a\nb", "is no name of a bot"),
        ("\x1b[2J", "is no name of a bot"),
        ("a\0.toml", "is no name of a bot"),
        ("x" * 100_000, "is no name of a bot"),
    ],
)
def test_names_that_nobody_would_type(name: str, what: str) -> None:
    for find in (bots.get, bots.admit):
        with pytest.raises(InputError, match=what) as caught:
            find(GAME, name)
        assert len(str(caught.value)) < 6_000
