"""Any card set comes back unchanged from every form that it is exported to."""

import string
import tempfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from simcore.cardset import CardSet, build, diff, export, load
from tests.simcore.toy_cards import LANDS, RULES, TOY, UNITS, install, write

# What a file of each kind can hold: any sign but NUL in a folder and in .xlsx; no other control characters in .ods.
SIGNS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
XML_SIGNS = st.characters(exclude_categories=["Cs"], exclude_characters="".join(map(chr, [*range(32), 0xFFFE, 0xFFFF])))
WHITE = st.sampled_from([" ", "\t", "\n", "\r", "\u00a0", "\r\n", "  ", "\u2003"])
# What a spreadsheet likes to take for something else.
TRAPS = st.sampled_from([
    "1-2", "1/2", "3.0", "007", "+5", "1e5", "1E-7", "TRUE", "nan", "inf", "-0", "0.1", "0.30000000000000004", "5 %",
    "12345678901234567", "=1+1", "+1", "@SUM(A1)", "'quoted", "#REF!", "_x0041_", "_x000D_", "_x0000_", "_xD800_", "_",
    ";", ",", '"', "<b>&amp;</b>", "2026-02-01", "10:30", "]]>", "\u22125", "Ωμέγα", "🂡", "a, b; c", "$A$1",
])  # fmt: skip
NUMBERS = st.one_of(st.integers().map(str), st.floats(allow_nan=False, allow_infinity=False).map(repr))
NOTES = st.one_of(st.text(SIGNS, max_size=20), st.lists(st.one_of(TRAPS, WHITE), max_size=4).map("".join), NUMBERS)
XML_NOTES = st.one_of(
    st.text(XML_SIGNS, max_size=20), st.lists(st.one_of(TRAPS, WHITE), max_size=4).map("".join), NUMBERS
)
WORDS = st.text("äöß" + string.ascii_letters + string.digits + "_", min_size=1, max_size=8)
IDS = st.text(string.ascii_letters + string.digits + "_", min_size=1, max_size=8)
# Their own columns: names that are like no column of the toy.
COLUMNS = st.sampled_from(["art", "7", "Zeichen Ω", "=x", "price, in €", "_x0041_", "printed?", '"', "A;B"])


@st.composite
def card_sets(draw: st.DrawFn, notes: st.SearchStrategy[str]) -> CardSet:
    """A toy set with any words, numbers and notes, and with columns of its own in any places."""
    keys = draw(st.lists(IDS, min_size=1, max_size=5, unique=True))
    extra = draw(st.lists(COLUMNS, max_size=3, unique=True))
    order = draw(st.permutations(["key", "power", "side", "title", "double", "remark", *extra]))
    title = st.one_of(TRAPS, WORDS)
    units = []
    for key in keys:
        power = draw(st.integers(-3, 10**17))
        row: dict[str, object] = {"key": key, "power": power, "side": draw(st.sampled_from(["light", "dark"]))}
        row |= {"title": draw(title), "double": draw(st.sampled_from([None, 2 * power])), "remark": draw(notes)}
        row |= {name: draw(notes) for name in extra}
        units.append({name: row[name] for name in order})
    numbers = draw(st.lists(st.integers(-(10**18) + 1, 10**18 - 1), min_size=1, max_size=4, unique=True))
    lands = [{"number": number, "owner": draw(WORDS)} for number in numbers]
    scalars = {"size": draw(st.integers(len(units), 9)), "reading": "loose", "motto": draw(title)}
    return build(TOY, draw(title), scalars, {"units": units, "lands": lands})


@pytest.fixture(autouse=True, scope="module")
def toy_game(tmp_path_factory: pytest.TempPathFactory) -> "pytest.MonkeyPatch":
    packages = tmp_path_factory.mktemp("packages")
    install(packages)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(packages))
        yield patch


def bytes_of(path: Path) -> dict[str, bytes]:
    files = path.iterdir() if path.is_dir() else [path]
    return {file.name.replace(path.stem, ""): file.read_bytes() for file in files}


def check_round_trip(card_set: CardSet, ending: str) -> None:
    """Out and in again, twice, and once more by way of a folder: the same set, the same bytes."""
    with tempfile.TemporaryDirectory() as name:
        first, second, folder = (Path(name) / f"{stem}{ending}" for stem in ("first", "second", "third"))
        export(card_set, first)
        again = load(TOY, first)
        assert again == card_set
        assert [list(row) for row in again.tables["units"]] == [list(row) for row in card_set.tables["units"]]
        assert diff(again, card_set) == []
        export(again, second)
        assert bytes_of(first) == bytes_of(second)
        export(again, folder.with_suffix(""))
        assert load(TOY, folder.with_suffix("")) == card_set


TRIES = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@TRIES
@given(card_sets(NOTES))
def test_folders(card_set: CardSet) -> None:
    check_round_trip(card_set, "")


@TRIES
@given(card_sets(NOTES))
def test_xlsx(card_set: CardSet) -> None:
    check_round_trip(card_set, ".xlsx")


@TRIES
@given(card_sets(XML_NOTES))
def test_ods(card_set: CardSet) -> None:
    check_round_trip(card_set, ".ods")


@TRIES
@given(card_sets(st.text(XML_SIGNS, max_size=20)))
def test_another_program_opens_and_saves_it(card_set: CardSet) -> None:
    assume("_x" not in str(card_set))  # openpyxl reads these escapes, and does not write them
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "set.xlsx"
        export(card_set, path)
        book = openpyxl.load_workbook(path)
        for sheet in book:
            for row in sheet:
                for cell in row:
                    if cell.data_type == "f":  # openpyxl takes text that looks like a formula for one when it writes
                        cell.data_type = "s"
        book.save(path)
        assert load(TOY, path) == card_set


def csv_forms(text: str) -> list[bytes]:
    return [
        text.replace(",", delimiter).replace("\n", end).encode(encoding)
        for delimiter in ",;\t"
        for end in ("\n", "\r\n")
        for encoding in ("utf-8", "utf-8-sig")
    ]


def test_all_forms_of_csv_give_the_bytes_of_one(tmp_path: Path) -> None:
    plain = UNITS.replace('"big, green"', "big")
    export(load(TOY, write(tmp_path / "plain", {"units.csv": plain})), tmp_path / "expected")
    for number, (units, lands, rules) in enumerate(
        zip(csv_forms(plain), csv_forms(LANDS), csv_forms(RULES)[:4] * 3, strict=True)
    ):
        folder = write(tmp_path / f"form{number}", {"units.csv": units, "lands.csv": lands, "rules.toml": rules})
        export(load(TOY, folder), tmp_path / f"again{number}")
        assert bytes_of(tmp_path / f"again{number}") == bytes_of(tmp_path / "expected")
