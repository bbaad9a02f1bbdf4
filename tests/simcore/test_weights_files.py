"""Weights files: what is written is read again, a bot of a file plays, and every mistake has a message."""

from pathlib import Path

import numpy as np
import pytest

from simcore import bots, toml, weights
from simcore.errors import InputError
from simcore.weights import Weights

GAME = "lost-cities"
LINEAR = bots.get(GAME, "linear")
NAMED = dict(zip(LINEAR.parameters, LINEAR.weights, strict=True))


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def text(**changes: str) -> str:
    """A good file's text, pieces of it replaced."""
    good = weights.encode(Weights(GAME, "linear", NAMED))
    for old, new in changes.items():
        assert old in good
        good = good.replace(old, new)
    return good


def test_what_is_written_is_read_again() -> None:
    fitted = {
        "version": "0.1.0",
        "seed": 3,
        "step": 1e-07,
        "earlier": True,
        "against": ["heuristic", 'a "quoted" name\n\x7f'],
        "results": {"who ever": "well"},
        "measured": [{"opponent": "heuristic", "margin": 1.25}, {"opponent": "expert", "margin": -2.0}],
    }
    written = Weights(GAME, "linear", NAMED | {"play": 1e-12, "points": -3.0}, {2: NAMED}, fitted)
    weights.write("mine.toml", written)
    assert weights.read("mine.toml") == written


def test_a_bot_of_a_file() -> None:
    weights.write("mine.toml", Weights(GAME, "linear", NAMED | {"play": 5.0}, {2: NAMED}))
    bot = bots.admit(GAME, "mine.toml")
    assert (bot.name, bot.tier, bot.game) == ("mine.toml", "trained", GAME)
    assert "mine.toml" in bot.text
    assert bot.weights[0] == 5.0
    assert bot.weights_for(2) == LINEAR.weights
    assert bot.hash != LINEAR.hash
    assert bots.get(GAME, "mine.toml~10").tremble == 0.1
    assert bots.get(GAME, "mine.toml~10").weights == bot.weights


def test_the_order_in_the_file_and_its_path_do_not_matter() -> None:
    weights.write("one.toml", Weights(GAME, "linear", NAMED))
    Path("folder").mkdir()
    weights.write("folder/two.toml", Weights(GAME, "linear", dict(reversed(NAMED.items()))))
    one, two = (bots.get(GAME, str(name)) for name in ("one.toml", Path("folder/two.toml")))
    assert one.weights == two.weights == LINEAR.weights
    assert one.hash == two.hash == LINEAR.hash


def test_a_file_is_read_again_when_the_user_names_it_again() -> None:
    weights.write("mine.toml", Weights(GAME, "linear", NAMED))
    before = bots.get(GAME, "mine.toml")  # no user need have named it: it is data
    weights.write("mine.toml", Weights(GAME, "linear", NAMED | {"play": 2.0}))
    assert bots.get(GAME, "mine.toml") == before
    assert bots.admit(GAME, "mine.toml").weights[0] == bots.get(GAME, "mine.toml").weights[0] == 2.0


@pytest.mark.parametrize("game", ["lost-cities", "vaalbara", "valletta", "lisboa"])
def test_every_shipped_bot_with_weights_names_them(game: str) -> None:
    for bot in bots.available(game):
        if bot.weights:
            assert len(bot.parameters) == len(set(bot.parameters)) == len(bot.weights), bot.name


def test_experts_can_be_played_with_other_parameters() -> None:
    expert = bots.get(GAME, "expert")
    named = dict(zip(expert.parameters, expert.weights, strict=True))
    weights.write("timid.toml", Weights(GAME, "expert", named | {"doubt": 0.5}))
    bot = bots.admit(GAME, "timid.toml")
    assert bot.policy is expert.policy
    assert bot.weights[expert.parameters.index("doubt")] == 0.5


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (text(**{"\nplay = ": "\nplya = "}), r"\[weights\]: unknown parameter 'plya'\. Did you mean play"),
        (text(**{"\nplay = -0.8119": ""}), r"\[weights\]: there is no value for play\."),
        (text(**{"-0.8119": '"much"'}), r"\[weights\]: play is a number, not 'much'"),
        (text(**{"-0.8119": "true"}), "play is a number, not True"),
        (text(**{"-0.8119": "nan"}), "play is a number, not nan"),
        (text(**{'"lost-cities"': '"vaalbara"'}), "is for vaalbara, not for lost-cities"),
        (text(**{'game = "lost-cities"': ""}), "does not say for which game it is"),
        (text(**{'"lost-cities"': "3"}), "game is a name"),
        (text(**{'"linear"': '"linaer"'}), "unknown bot 'linaer'. Did you mean linear"),
        (text(**{'"linear"': '"uniform"'}), "the bot uniform has no weights"),
        (text(**{'"linear"': '"mine.toml"'}), "not another file"),
        (text(**{'"linear"': '"evil.py:bot"'}), "is run only if you name the bot yourself"),
        (text(**{"[weights]": "[wieghts]"}), "unknown entry 'wieghts'. Did you mean weights"),
        (text() + "[seats.few]\nplay = 1.0\n", r"\[seats.few\] is not for a number of seats"),
        (text() + "[seats]\n3 = 1.0\n", "seats.3 is a table"),
        (text() + "[seats.3]\nplay = 1.0\n", r"\[seats.3\]: there is no value for points, "),
        ('game = "lost-cities"\n', r"has no table \[weights\]"),
        ('game = "lost-cities"\nweights = 3\n', "weights is a table"),
        ("game = \n", "is not TOML: "),
    ],
)
def test_mistakes_have_messages(content: str, message: str) -> None:
    Path("mine.toml").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        bots.admit(GAME, "mine.toml")


def test_what_is_no_file_of_text_has_a_message() -> None:
    with pytest.raises(InputError, match="does not exist, or is no file"):
        bots.admit(GAME, "none.toml")
    Path("mine.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="is not text in UTF-8"):
        bots.admit(GAME, "mine.toml")
    Path("mine.toml").write_bytes(b" " * (toml.MOST_BYTES + 1))
    with pytest.raises(InputError, match="is larger than"):
        bots.admit(GAME, "mine.toml")
    for hostile in ("a = " + "[" * 5000, "a = " + "9" * 5000):
        Path("mine.toml").write_text(hostile, encoding="utf-8")
        with pytest.raises(InputError, match="is not TOML"):
            bots.admit(GAME, "mine.toml")
    Path("folder.toml").mkdir()
    with pytest.raises(InputError, match=r"weights file folder\.toml is a folder"):
        bots.admit(GAME, "folder.toml")


def test_weights_are_as_exact_as_they_were_written() -> None:
    values = {name: float(value) for name, value in zip(NAMED, np.random.default_rng(1).normal(size=31), strict=True)}
    weights.write("mine.toml", Weights(GAME, "linear", values))
    assert bots.admit(GAME, "mine.toml").weights == tuple(values.values())
    assert [path.name for path in Path().iterdir()] == ["mine.toml"]
