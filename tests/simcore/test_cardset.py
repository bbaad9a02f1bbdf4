"""Card sets of a toy game with two tables: reading, every kind of mistake, export, diff, documentation."""

import errno
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from simcore.cardset import (
    CardSetError,
    Problem,
    Scalar,
    build,
    diff,
    document,
    export,
    load,
    nearest,
)
from simcore.errors import InputError, JobError
from tests.simcore.toy_cards import LANDS, RULES, TOY, UNITS, install, write


@pytest.fixture(autouse=True)
def toy_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "packages")
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "set", {})


def problems_of(folder: Path, **changes: str | bytes | None) -> list[str]:
    """The problems, as text, of the toy set with some files changed (`units="..."` for units.csv)."""
    names = {"rules": "rules.toml", "units": "units.csv", "lands": "lands.csv"}
    for name in folder.iterdir():
        name.unlink()
    write(folder, {names.get(name, name): content for name, content in changes.items()})
    with pytest.raises(CardSetError) as caught:
        load(TOY, folder)
    return [str(problem) for problem in caught.value.problems]


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_load(folder: Path) -> None:
    card_set = load(TOY, folder)
    assert (card_set.name, card_set.game, card_set.notices) == ("mine", "toy", ())
    assert card_set.scalars == {"size": 4, "reading": "strict", "motto": "Play fair"}
    assert card_set.tables["units"][1] == {
        "key": "orc", "power": -2, "side": "dark", "title": "The Orc", "double": -4, "remark": "big, green"
    }  # fmt: skip
    assert card_set.tables["lands"] == [{"number": 1, "owner": "orc"}, {"number": 2, "owner": "elf"}]
    assert pickle.loads(pickle.dumps(card_set)) == card_set
    assert len({card_set, load(TOY, str(folder)), load(TOY, "standard")}) == 2


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(lambda text: text.replace(",", ";").replace("big; green", "big, green"), id="semicolon"),
        pytest.param(lambda text: text.replace(",", "\t").replace("big\t", "big,"), id="tab"),
        pytest.param(lambda text: text.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(lambda text: "\ufeff" + text, id="byte order mark"),
        pytest.param(lambda text: "\n" + text.replace("\n", "\n\n") + ",,,,,\n \n", id="blank rows"),
        pytest.param(lambda text: text.replace("\n", ",,\n"), id="blank columns at the end"),
        pytest.param(lambda text: text.replace("orc,", " orc\u00a0,").replace("-2", " -2 "), id="spaces"),
        pytest.param(lambda text: text.replace(",5,", ",+05,"), id="sign and zero"),
    ],
)
def test_all_forms_of_a_file_mean_the_same(folder: Path, form: Callable[[str], str]) -> None:
    plain = load(TOY, folder)
    rules = form(RULES) if "\r" in form("\n") or form("") == "\ufeff" else RULES
    assert load(TOY, write(folder, {"units.csv": form(UNITS), "rules.toml": rules})) == plain


def test_hash_is_of_what_is_played(folder: Path) -> None:
    plain = load(TOY, folder)
    notes = UNITS.replace("big, green", "small").replace(",double", "").replace(",10,", ",").replace(",-4,", ",")
    renamed = load(TOY, write(folder, {"rules.toml": RULES.replace("mine", "yours"), "units.csv": notes}))
    assert renamed.hash == plain.hash
    assert renamed != plain
    assert diff(plain, renamed) == []
    columns = load(TOY, write(folder, {"lands.csv": "owner,mood,number\norc,good,1\nelf,bad,2\n"}))
    assert columns.hash == plain.hash
    for change in [
        {"rules.toml": RULES.replace("strict", "loose")},
        {"units.csv": UNITS.replace("dark", "light")},
        {"lands.csv": "number,owner\n2,elf\n1,orc\n"},
    ]:
        assert load(TOY, write(folder, change)).hash != plain.hash


def test_decomposed_letters_are_the_same_word(folder: Path) -> None:
    composed = load(TOY, write(folder, {"lands.csv": LANDS.replace("elf", "\u00e9lf")}))
    decomposed = load(TOY, write(folder, {"lands.csv": LANDS.replace("elf", "e\u0301lf")}))
    assert decomposed == composed


# ---------------------------------------------------------------------------------------------------------- mistakes

CELLS = [
    # column, wrong cell, message
    ("power", "five", '"five" is not a whole number; allowed: a whole number from -3'),
    ("power", "5.0", '"5.0" is not a whole number; allowed: a whole number from -3; nearest: 5'),
    ("power", "5,5", '"5,5" is not a whole number; allowed: a whole number from -3'),
    ("power", "\u0665", '"\u0665" is not a whole number; allowed: a whole number from -3'),
    ("power", "-4", '"-4" is less than -3; allowed: a whole number from -3; nearest: -3'),
    ("power", "", "is blank; allowed: a whole number from -3"),
    ("power", "  ", "holds only spaces; allowed: a whole number from -3"),
    ("side", "Light", '"Light" is not one of the choices; allowed: light, dark; nearest: light'),
    ("side", "drak", '"drak" is not one of the choices; allowed: light, dark; nearest: dark'),
    ("side", "?", '"?" is not one of the choices; allowed: light, dark'),
    (
        "key",
        "white knight",
        '"white knight" is not one plain word; allowed: one word of the letters A-Z and a-z, digits and _; '
        "nearest: white_knight",
    ),
    (
        "key",
        "k" * 70,
        f'"{"k" * 60}..." is 70 letters long, more than 60; allowed: one word of the letters A-Z and a-z, digits and _',
    ),
    ("title", "a\nb", '"a\\nb" holds a line break or another control character; allowed: text in one line'),
    ("double", "twenty", '"twenty" is not a whole number; allowed: a whole number'),
    (
        "double",
        "11",
        '"11" does not follow from the other columns; allowed: what follows from the other columns, or no such column; '
        "nearest: 10",
    ),
]


@pytest.mark.parametrize(("column", "cell", "message"), CELLS)
def test_wrong_cells(folder: Path, column: str, cell: str, message: str) -> None:
    row = {"key": "knight", "power": "5", "side": "light", "title": "The Knight", "double": "10", "remark": ""}
    line = ",".join(f'"{value}"' for value in (row | {column: cell}).values())
    units = UNITS.replace("knight,5,light,The Knight,10,", line)
    assert problems_of(folder, units=units) == [f"units.csv, row 2, column {column}: {message}"]


SIZE = "allowed: a whole number from 1 to 9"
KEYS = "allowed: name, game, size, reading, motto"
SCALARS = [
    ("size = 4", "size = 10", f'line 3, size: "10" is more than 9; {SIZE}; nearest: 9'),
    ("size = 4", "size = true", f'line 3, size: "true" is not a whole number; {SIZE}'),
    ("size = 4", "size = 4.0", f'line 3, size: "4.0" is not a whole number; {SIZE}; nearest: 4'),
    ("size = 4", "size = [4]", f'line 3, size: "a list" is not a whole number; {SIZE}'),
    ("size = 4", f"size = 0x1{'0' * 5000}", f'line 3, size: "a very long number" is more than 9; {SIZE}; nearest: 9'),
    ("size = 4", f"size = 1{'0' * 5000}", "line 6: cannot be read as TOML: Exceeds the limit"),
    ("size = 4", "size = 1", 'line 3, size: "1" is less than the number of units'),
    ("size = 4\n", "", f"size: is missing; {SIZE}"),
    ("size = 4", "sise = 4", f"line 3, sise: is no key of this game; {KEYS}; nearest: size"),
    ("size = 4", "size = 4\nx = 1", f"line 4, x: is no key of this game; {KEYS}"),
    ('"Play fair"', '"Play fair"\n[size_2]', "size_2: is no key of this game"),
    (
        '"strict"',
        '"stric"',
        'line 4, reading: "stric" is not one of the choices; allowed: strict, loose; nearest: strict',
    ),
    ('"strict"', "7", 'line 4, reading: "7" is not text; allowed: strict, loose'),
    ('"Play fair"', '" "', "line 5, motto: holds only spaces; allowed: text in one line"),
    ('name = "mine"', "", "name: is missing; allowed: text in one line"),
    (
        'name = "mine"',
        f'name = "{"n" * 1000}"',
        f'line 1, name: "{"n" * 60}..." is 1,000 letters long, more than 400; allowed: text in one line',
    ),
    ('name = "mine"', 'name = ""', "line 1, name: is blank; allowed: text in one line"),
    ('game = "toy"', "", "game: is missing; allowed: toy"),
    ('game = "toy"', 'game = "toi"', 'line 2, game: "toi" is another game than toy; allowed: toy'),
    ("size = 4", "size = ", "line 3: cannot be read as TOML: Invalid value"),
    ("size = 4", "size = 4\nsize = 5", "line 4: cannot be read as TOML: Cannot overwrite a value"),
    ('"Play fair"\n', '"""Play', "line 5: cannot be read as TOML: Unterminated string"),
]


@pytest.mark.parametrize(("old", "new", "message"), SCALARS)
def test_wrong_rules(folder: Path, old: str, new: str, message: str) -> None:
    (problem,) = problems_of(folder, rules=RULES.replace(old, new))
    whole = not message.endswith(("size_2: is no key of this game", "a value", "Unterminated string", "the limit"))
    assert problem == f"rules.toml, {message}" if whole else problem.startswith(f"rules.toml, {message}")


LESS_ALIKE = "allowed: a note column needs a name that is less alike; nearest: "
HEADERS = [
    ("power", "powre", f"row 1, column powre: looks like a misspelt column; {LESS_ALIKE}power"),
    ("double", "Doubel", f"row 1, column Doubel: looks like a misspelt column; {LESS_ALIKE}double"),
    ("remark", "doubles", f"row 1, column doubles: looks like a misspelt column; {LESS_ALIKE}double"),
    ("power", "strength", "row 1, column power: is missing; allowed: a whole number from -3"),
    ("remark", "side", "row 1, column side: stands in the header twice; allowed: each column once"),
    ("remark", "", "row 1, column number 6: has cells but no name in the header"),
    ("remark", '"re\nmark"', "row 1, column re\\nmark: has a line break or another control character in its name"),
]


@pytest.mark.parametrize(("old", "new", "message"), HEADERS)
def test_wrong_headers(folder: Path, old: str, new: str, message: str) -> None:
    assert problems_of(folder, units=UNITS.replace(old, new, 1)) == [f"units.csv, {message}"]


CELLS_OF_ROW = "allowed: as many cells as the header"
SAVED = 'allowed: a file saved as "CSV UTF-8"'
FILES: list[tuple[dict[str, str | bytes | None], list[str]]] = [
    ({"units": None}, ["units.csv: is missing in the folder"]),
    ({"units": None, "units.tsv": UNITS}, ["units.csv: is missing in the folder; nearest: units.tsv"]),
    ({"units": None, "unit.csv": UNITS}, ["units.csv: is missing in the folder; nearest: unit.csv"]),
    ({"rules": None, "Rules.TOML": RULES}, ["rules.toml: is missing in the folder; nearest: Rules.TOML"]),
    (
        {"unis.csv": UNITS, "_own.csv": "anything"},
        [
            "unis.csv: is no table of toy; allowed: units.csv, lands.csv; a file of your own has a name that begins "
            "with _; nearest: units.csv"
        ],
    ),
    ({"units": ""}, ["units.csv: is empty; allowed: a header row (key, power, side, title) and a row a card"]),
    ({"lands": "number,owner\n"}, ["lands.csv: has no rows; allowed: at least one row below the header"]),
    (
        {"lands": LANDS + "2,orc\n"},
        ['lands.csv, row 4, column number: "2" stands in row 3 already; allowed: each number once'],
    ),
    ({"lands": LANDS + "\n3\n"}, [f"lands.csv, row 5: has 1 cell, the header has 2; {CELLS_OF_ROW}"]),
    ({"lands": LANDS + "3,a,b\n"}, [f"lands.csv, row 4: has 3 cells, the header has 2; {CELLS_OF_ROW}"]),
    ({"lands": LANDS + '3,"a\n'}, ["lands.csv, row 4: has broken quotes: unexpected end of data"]),
    ({"lands": LANDS + '3,"a"b\n'}, ["lands.csv, row 4: has broken quotes: ',' expected after '\"'"]),
    (
        {"lands": LANDS + f"3,{'a' * 140_000}\n"},
        ["lands.csv, row 4: has too long a cell; allowed: at most 131,072 letters in a cell; a quote may be open"],
    ),
    ({"lands": LANDS.encode() + b"3,\xe9lf\n"}, [f"lands.csv, row 4: is not UTF-8 text (byte 0xE9); {SAVED}"]),
    ({"lands": LANDS.encode("utf-16")}, [f"lands.csv, row 1: is not UTF-8 text (byte 0xFF); {SAVED}"]),
    ({"lands": LANDS.encode("utf-16-le")}, [f"lands.csv, row 1: is not UTF-8 text (byte 0x00); {SAVED}"]),
    (
        {"rules": 'game = "chess"', "units": None, "lands": None},
        ['rules.toml, line 1, game: "chess" is another game than toy; allowed: toy'],
    ),
]


@pytest.mark.parametrize(("changes", "messages"), FILES)
def test_wrong_files(folder: Path, changes: dict[str, str | bytes | None], messages: list[str]) -> None:
    assert problems_of(folder, **changes) == messages


def test_a_file_that_cannot_be_read(folder: Path) -> None:
    (folder / "units.csv").unlink()
    (folder / "units.csv").mkdir()
    with pytest.raises(CardSetError, match=r"units\.csv: cannot be read: Is a directory"):
        load(TOY, folder)


def test_a_workbook_in_the_folder_is_not_taken_for_the_set(folder: Path) -> None:
    (folder / "units.xlsx").touch()
    expected = "units.xlsx is not read: in a folder, a card set is rules.toml, units.csv, lands.csv."
    assert load(TOY, folder).notices == (expected,)
    messages = problems_of(folder, rules=None, units=None, lands=None, **{"my set.ods": ""})
    assert messages == [
        f"set: holds no rules.toml; allowed: rules.toml, units.csv, lands.csv; nearest: {folder / 'my set.ods'}"
    ]


def test_all_problems_at_once_in_the_order_of_the_files(folder: Path) -> None:
    messages = problems_of(
        folder,
        rules=RULES.replace("size = 4", "sise = 4").replace("strict", "odd"),
        units=UNITS.replace("-2", "?").replace("light", "bright"),
        lands=None,
    )
    assert [message.partition(": ")[0] for message in messages] == [
        "rules.toml, line 3, sise",
        "rules.toml, line 4, reading",
        "lands.csv",
        "units.csv, row 2, column side",
        "units.csv, row 3, column power",
    ]


def test_the_check_of_the_game_names_the_place_in_the_file(folder: Path) -> None:
    messages = problems_of(folder, units="\n" + UNITS.replace("-4", "4").replace("\n", "\n\n"))
    assert [message.partition(": ")[0] for message in messages] == ["units.csv, row 6, column double"]


def test_the_error_is_for_people_and_for_programs(folder: Path) -> None:
    write(folder, {"lands.csv": LANDS.replace("1", "one")})
    with pytest.raises(CardSetError) as caught:
        load(TOY, folder)
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.status == 2
    assert str(error).splitlines() == [
        f"card set {folder}: 1 problem",
        '  lands.csv, row 2, column number: "one" is not a whole number; allowed: a whole number',
    ]
    assert error.problems == (Problem("is not a whole number", "lands.csv", 2, "number", "one", "a whole number"),)


def test_where_there_is_no_card_set(folder: Path) -> None:
    with pytest.raises(
        CardSetError,
        match=r"no such file or folder .* of toy; allowed: a folder, a workbook, or one of standard; nearest: standard",
    ):
        load(TOY, "standart")
    with pytest.raises(CardSetError, match=r"is one file of a card set; allowed: its folder, with rules\.toml"):
        load(TOY, folder / "rules.toml")


# -------------------------------------------------------------------------------------------- shipped sets and names


def test_shipped_names_win_over_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "here" / "standard", {"rules.toml": RULES.replace("4", "9")})
    monkeypatch.chdir(tmp_path / "here")
    assert TOY.shipped == ("standard",)
    assert load(TOY, "standard").scalars["size"] == 5
    assert load(TOY, "./standard").scalars["size"] == 9
    assert load(TOY, Path("standard")).scalars["size"] == 9


def test_an_edited_set_does_not_go_by_the_name_of_the_original(tmp_path: Path) -> None:
    standard = load(TOY, "standard")
    export(standard, tmp_path / "copy")
    assert load(TOY, tmp_path / "copy") == standard
    edited = build(TOY, "standard", {**standard.scalars, "size": 6}, standard.tables)
    assert edited.name == "standard (edited)"
    assert edited.notices == (
        'The card set is called "standard" but differs from the shipped set of this name, so it is shown as '
        '"standard (edited)". Give it a name of its own.',
    )
    export(edited, tmp_path / "edited")
    again = load(TOY, tmp_path / "edited")
    assert (again, again.notices) == (edited, ())
    assert build(TOY, "mine", edited.scalars, edited.tables).notices == ()


# ---------------------------------------------------------------------------------------------------- export and diff


def test_export_is_stable(folder: Path, tmp_path: Path) -> None:
    units = (
        'mood;key;power;side;title;remark\n'
        '"a;b";knight;5;light;The ""Knight"";" x "\n'
        ';orc;-2;dark;Orc, big;"two\r\nlines"\n'
    )  # fmt: skip
    card_set = load(TOY, write(folder, {"units.csv": units.replace('The ""Knight""', '"The ""Knight"""')}))
    export(card_set, tmp_path / "a" / "b")
    assert load(TOY, tmp_path / "a" / "b") == card_set
    export(load(TOY, tmp_path / "a" / "b"), tmp_path / "c")
    assert files_of(tmp_path / "a" / "b") == files_of(tmp_path / "c")
    assert (tmp_path / "c" / "units.csv").read_bytes().decode() == (
        "mood,key,power,side,title,remark\n"
        '"a;b",knight,5,light,"The ""Knight"""," x "\n'
        ',orc,-2,dark,"Orc, big","two\r\nlines"\n'
    )
    assert (tmp_path / "c" / "rules.toml").read_bytes().decode() == (
        "# A card set of A Toy. Edit the values and the tables beside it, and give it a name of its own.\n"
        'name = "mine"\ngame = "toy"\n\n'
        "# Size of the table (in units): a whole number from 1 to 9\nsize = 4\n\n"
        '# How the marks are read: strict, loose\nreading = "strict"\n\n'
        '# What stands on the box: text in one line\nmotto = "Play fair"\n'
    )


def test_export_under_a_new_name(folder: Path, tmp_path: Path) -> None:
    card_set = load(TOY, folder)
    export(card_set, tmp_path / "out", name='Bär "1\\2"')
    assert load(TOY, tmp_path / "out") == replace(card_set, name='Bär "1\\2"')
    with pytest.raises(InputError, match=r"the name 'a\\nb' holds a line break"):
        export(card_set, tmp_path / "other", name="a\nb")
    assert not (tmp_path / "other").exists()


def test_export_overwrites_nothing(folder: Path, tmp_path: Path) -> None:
    card_set, before = load(TOY, folder), files_of(folder)
    with pytest.raises(InputError, match="is not empty, and nothing is overwritten"):
        export(card_set, folder)
    assert files_of(folder) == before
    with pytest.raises(InputError, match=r"a card set is not written as \.toml; allowed: a folder, or a workbook"):
        export(card_set, folder / "rules.toml")
    with pytest.raises(InputError, match="no card set can be written to ''; allowed: a folder, or a workbook"):
        export(card_set, "")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="File exists"):
        export(card_set, tmp_path / "file")
    (tmp_path / "empty").mkdir()
    export(card_set, tmp_path / "empty")
    assert load(TOY, tmp_path / "empty") == card_set


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right of their own")
def test_export_replaces_no_link_that_leads_nowhere(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.xlsx"
    link.symlink_to(tmp_path / "nowhere.xlsx")
    with pytest.raises(InputError, match="the file is there, and nothing is overwritten"):
        export(load(TOY, folder), link)
    assert link.is_symlink()


def test_a_failed_export_leaves_nothing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card_set = load(TOY, folder)
    real = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name == "lands.csv":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(JobError, match="No space left on device"):
        export(card_set, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_diff_in_words(folder: Path) -> None:
    old = load(TOY, folder)
    units = [dict(row) for row in old.tables["units"]]
    units[0].update(power=6, side="dark", double=12)
    units[1] = {**units[1], "key": "troll"}
    lands = [{"number": 2, "owner": "elf"}, {"number": 1, "owner": "orc"}]
    new = build(TOY, "new", {**old.scalars, "size": 3, "reading": "loose"}, {"units": units, "lands": lands})
    assert diff(old, new) == [
        "rules: size 4 -> 3",
        "rules: reading strict -> loose",
        "units knight: power 5 -> 6, side light -> dark",
        "units: orc removed",
        "units: troll added (power -2, side dark, title The Orc)",
        "lands: the order of the rows differs",
    ]
    with pytest.raises(InputError, match="card sets of toy and chess cannot be compared"):
        diff(old, replace(new, game="chess"))


def test_build_reports_like_load(folder: Path) -> None:
    old = load(TOY, folder)
    with pytest.raises(CardSetError) as caught:
        build(TOY, "new", {"size": 4, "reading": "odd", "motto": "x"}, {"units": old.tables["units"], "land": [{}]})
    assert [str(problem) for problem in caught.value.problems] == [
        'rules.toml, reading: "odd" is not one of the choices; allowed: strict, loose',
        "land.csv: is no table of toy; allowed: units, lands; nearest: lands",
        "lands.csv: is missing",
    ]


def test_document_has_everything() -> None:
    page = document(TOY)
    assert "| size | a whole number from 1 to 9 | units | Size of the table |" in page
    assert "| double | derived | a whole number |  | twice the power |" in page
    assert "| side | input | light, dark |  | side |" in page
    assert "Shipped sets: standard." in page


@pytest.mark.parametrize(
    ("scalar", "words"),
    [
        (Scalar("x", "int", "", maximum=3), "a whole number up to 3"),
        (Scalar("x", "word", ""), "one word of letters, digits and _"),
    ],
)
def test_what_is_allowed_in_words(scalar: Scalar, words: str) -> None:
    assert scalar.allowed == words


def test_nearest() -> None:
    assert nearest("HAND_SISE", ["hand_size", "rounds"]) == "hand_size"
    assert nearest("nothing", ["hand_size", "rounds"]) == ""
