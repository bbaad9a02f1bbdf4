"""Targets files: what they say is understood, and every mistake is one message that says where and what is allowed."""

import math
import tomllib

import pytest

from analysis import targets
from analysis.targets import KINDS, STATED, Target
from simcore import toml
from simcore.errors import InputError
from simcore.game import BUILT_IN, get


def read(folder, text):
    path = folder / "targets.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return targets.read(path)


def refused(folder, text):
    """The message, which names the file; without its name."""
    with pytest.raises(InputError) as error:
        read(folder, text)
    where = f"targets file {folder / 'targets.toml'}"
    assert str(error.value).startswith(where)
    return str(error.value).removeprefix(where).lstrip(", :")


def test_every_kind_and_key_is_understood(tmp_path):
    found = read(
        tmp_path,
        """
        game = "valletta"
        bots = ["greedy", "expert"]
        [seats]
        kind = "seat_share"
        within = 0.05
        bots = "expert"
        [score]
        kind = "score"
        measure = "spread"
        at_least = -5
        at_most = 12.5
        tier = "expert"
        [length]
        kind = "length"
        at_most = 50
        seats = [2, 3]
        [cards]
        kind = "card_impact"
        measure = "wins"
        within = 0.1
        except = "Bank"
        [bots_alike]
        kind = "dominance"
        measure = "field"
        at_most = 0.6
        bots = ["rush", "engine"]
        [dead]
        kind = "dead_cards"
        at_least = 0.02
        cards = ["building_A", "Inn"]
        [cut]
        kind = "cut_offs"
        at_most = 0.001
        [ties]
        kind = "draws"
        at_most = 0.05
        seats = 4
        """,
    )
    inf = math.inf
    assert (found.game, found.bots) == ("valletta", ("greedy", "expert"))
    assert found.targets == (
        Target("seats", "seat_share", "", -0.05, 0.05, bots=("expert",)),
        Target("score", "score", "spread", -5.0, 12.5, tier="expert"),
        Target("length", "length", "median", -inf, 50.0, seats=(2, 3)),
        Target("cards", "card_impact", "wins", -0.1, 0.1, excepted=("Bank",)),
        Target("bots_alike", "dominance", "field", -inf, 0.6, bots=("rush", "engine")),
        Target("dead", "dead_cards", "every", 0.02, inf, cards=("building_A", "Inn")),
        Target("cut", "cut_offs", "", -inf, 0.001),
        Target("ties", "draws", "", -inf, 0.05, seats=(4,)),
    )
    assert {target.kind for target in found.targets} == set(KINDS)
    assert [target.name for target in found.of([4])][-1] == "ties"
    assert "length" not in [target.name for target in found.of([4])]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'[a]\nkind = "\xff"', "is not text in UTF-8."),
        ("[a", "is not TOML: "),
        (f"a = {'9' * 5000}", "is not TOML: "),
        (f"a = {'[' * 5000}", "is not TOML: "),
        ("", "has no target. A target is a table, as in [draws]"),
        ("bot = 'expert'", "unknown entry 'bot'. Did you mean bots? Known: game, bots."),
        ("[bots]\nkind = 'draws'", "bots is no name for a target."),
        ("game = 3\n[a]\nkind = 'draws'\nat_most = 0.1", "game is a name, as in"),
        ("bots = [1]\n[a]\nkind = 'draws'", "bots is a name or a list of names"),
        ('["a\\u0001"]\nkind = "draws"', "'a\\x01' is no name for a target."),
    ],
)
def test_a_file_that_is_none(tmp_path, text, message):
    assert refused(tmp_path, text).startswith(message)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("", 'does not say its kind. Allowed: kind = "seat_share" or "score"'),
        ("kind = 1", "kind is a word, not 1. Allowed: "),
        ("kind = 'draw'", "unknown kind 'draw'. Did you mean draws"),
        ("kind = 'draws'", "has no limit. Allowed for draws: at_most."),
        ("kind = 'draws'\nat_mots = 0.1", "unknown key 'at_mots'. Did you mean at_most"),
        ("kind = 'draws'\nmeasure = 'mean'\nat_most = 0.1", "unknown key 'measure'."),
        ("kind = 'draws'\nat_most = '0.1'", "at_most is a number, not '0.1'."),
        ("kind = 'draws'\nat_most = true", "at_most is a number, not True."),
        ("kind = 'draws'\nat_most = nan", "at_most is a number, not nan."),
        ("kind = 'length'\nat_most = inf", "at_most is a number, not inf."),
        (f"kind = 'length'\nat_most = 1{'0' * 400}", "at_most is a number, not 1000"),
        ("kind = 'draws'\nat_most = -0.1", "at_most is a share from 0 to 1 (0.05 is 5 %), not -0.1."),
        ("kind = 'draws'\nat_most = 5", "at_most is a share from 0 to 1 (0.05 is 5 %), not 5."),
        ("kind = 'draws'\nat_most = 0", "at_most 0 can never be known of games."),
        ("kind = 'seat_share'\nwithin = 0", "within is a margin above 0, not 0."),
        ("kind = 'length'\nat_least = -1", "at_least is at least 0, not -1."),
        ("kind = 'length'\nat_least = 9\nat_most = 8", "at_least 9 is above at_most 8"),
        ("kind = 'length'\nmeasure = 'medain'\nat_most = 8", "unknown measure 'medain'. Did you mean median"),
        ("kind = 'card_impact'\nwithin = 1\nat_most = 2", "within is a limit to both sides. Leave at_most out."),
        ("kind = 'card_impact'\nmeasure = 'wins'\nat_least = -2", "at_least is a share from -1 to 1"),
        ("kind = 'draws'\nat_most = 0.1\nbots = 'a'\ntier = 'expert'", "bots and tier both say whose games"),
        ("kind = 'draws'\nat_most = 0.1\nbots = ['a', 'a']", "bots names one twice: a, a."),
        ("kind = 'draws'\nat_most = 0.1\nbots = ['']", "bots is a name or a list of names"),
        ("kind = 'draws'\nat_most = 0.1\ntier = 'exprt'", "unknown tier 'exprt'. Did you mean expert"),
        ("kind = 'draws'\nat_most = 0.1\nseats = 'two'", "seats is a number of seats or a list"),
        ("kind = 'draws'\nat_most = 0.1\nseats = [true]", "seats is a number of seats or a list"),
        ("kind = 'dominance'\nat_most = 0.6\nbots = 'a'", "bots names those that are compared, so at least two."),
        ("kind = 'dead_cards'\nat_least = 0.1\ncards = 'a'\nexcept = 'b'", "cards says which are judged"),
    ],
)
def test_a_mistake_in_a_target_is_told_with_its_table(tmp_path, table, message):
    told = refused(tmp_path, f"[mine]\n{table}\n")
    assert told.startswith(f"[mine]{' ' if message[:3] in ('doe', 'has') else ': '}{message}")


def test_a_mark_at_the_beginning_of_the_file_does_no_harm(tmp_path):
    assert len(read(tmp_path, b"\xef\xbb\xbf[a]\nkind = 'draws'\nat_most = 0.1").targets) == 1


def test_a_file_that_is_missing_or_too_large(tmp_path):
    with pytest.raises(InputError, match="does not exist, or is no file"):
        targets.read(tmp_path / "none.toml")
    with pytest.raises(InputError, match="it is no targets file"):
        read(tmp_path, b"#" * (toml.MOST_BYTES + 1))


def test_targets_of_another_game_or_other_seats_are_refused(tmp_path):
    found = read(tmp_path, "game = 'lisboa'\n[a]\nkind = 'draws'\nat_most = 0.1\nseats = 3")
    found.refuse("lisboa", [2, 3])
    with pytest.raises(InputError, match="are for lisboa, not for valletta"):
        found.refuse("valletta", [3])
    with pytest.raises(InputError, match="is for games of 2 or 4 seats"):
        found.refuse("lisboa", [2, 4])


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_has_stated_targets_for_each_number_of_seats(game):
    found = targets.stated(game)
    assert found.game == game
    for seats in get(game).seats:
        kinds = {target.kind for target in found.of([seats])}
        assert kinds >= set(KINDS) - {"dominance"}


def test_stated_targets_are_those_of_games_only():
    assert {path.stem for path in STATED.iterdir()} == set(BUILT_IN)
    for path in STATED.iterdir():
        tomllib.loads(path.read_text(encoding="utf-8"))
    with pytest.raises(InputError, match="no targets are stated for solitaire"):
        targets.stated("solitaire")
