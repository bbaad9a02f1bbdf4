"""Names with markup in them, wherever a stranger can put one: no page gets an element, an attribute or an address that
is not there with harmless names, and no table of a Markdown page another cell.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis import answer
from analysis.balance import analyse
from analysis.comparison import compare
from analysis.exploit import analyse as analyse_exploit
from analysis.ladder import analyse as analyse_ladder
from analysis.ladder_folder import open_ladder
from analysis.strategy import analyse as analyse_strategy
from analysis.studies.trend import study as study_trend
from analysis.sweep import analyse as analyse_sweep
from analysis.sweep_folder import open_sweep
from reports import access, balance, by_seats, check, comparison, exploit, ladder, strategy, sweep, trend
from reports.by_seats import BySeats
from simcore.runlog import Run, open_run
from tests.analysis import fake_ladder, fake_sweep
from tests.analysis.fake_access import FakeAccess
from tests.analysis.fake_run import FakeBot, FakeRun, edit_manifest, write
from tests.analysis.fake_trend import write_targets
from tests.reports.reading import Element, read

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=a>\"'&amp;|`$x^{$ ]]> --> [a](javascript:a) font-family:x 🂡 id=\"x\""
)
HARMLESS = re.sub(r"[^\w\s]", "x", HOSTILE)
RUN = FakeRun(blocks=60, bots=(FakeBot("uniform", "random"), FakeBot("expert", "expert", 12.0)))
# What a manifest tells people. The others are names of columns, or words of a fixed list.
WORDS = {"title", "text", "label", "group", "unit", "score_unit", "standing", "caveat", "when", "endings", "decisions"}


def spoilt(content: Any, mark: str, key: str = "") -> Any:
    """A manifest, or the description of a sweep, with a mark in every text that is shown."""
    if isinstance(content, dict):
        return {name: spoilt(value, mark, name) for name, value in content.items()}
    if isinstance(content, list):
        return [spoilt(value, mark, key) for value in content]
    return content + mark if isinstance(content, str) and key in WORDS else content


def spoil(folder: Path, mark: str) -> Path:
    """Put a mark into all names in a folder of runs."""
    for path in folder.rglob("manifest.json"):
        run = open_run(path.parent)
        content = spoilt(run.manifest, mark)
        content["card_set"]["name"] += mark
        for bot in content["bots"]:
            bot["name"] += mark
        edit_manifest(run, **content)
    for path in [*folder.rglob("sweep.json"), *folder.rglob("speed.json")]:
        content = spoilt(json.loads(path.read_text()), mark)
        if path.name == "speed.json":
            content["bots"] = {name + mark: value for name, value in content["bots"].items()}
        else:
            content["card_set"]["name"] += mark
        path.write_text(json.dumps(content))
    return folder


def run_of(folder: Path, mark: str, fake: FakeRun = RUN) -> Run:
    write(folder, fake)
    return open_run(spoil(folder, mark))


def _balance(folder: Path, mark: str) -> Iterator[str]:
    made = analyse(run_of(folder / "two", mark))
    yield from (balance.render_html(made), balance.render_markdown(made))
    four = FakeRun(blocks=12, seats=4, rounds=2, line_ups=((0, 0, 0, 0), (0, 1, 1, 1)))
    both = BySeats((made, analyse(run_of(folder / "four", mark, four))))
    yield from (by_seats.render_html(both), by_seats.render_markdown(both))


def _strategy(folder: Path, mark: str) -> Iterator[str]:
    made = analyse_strategy(run_of(folder, mark))
    yield from (strategy.render_html(made), strategy.render_markdown(made))


def _comparison(folder: Path, mark: str) -> Iterator[str]:
    runs = [run_of(folder / arm, mark) for arm in "ab"]
    made = answer.answer(compare(*runs), (f"cards Y10: label a{mark} -> b{mark}",), *runs)
    yield from (comparison.render_html(made), comparison.render_markdown(made))


def _sweep(folder: Path, mark: str) -> Iterator[str]:
    values = [f"few{mark}", f"many{mark}"]
    axes = [fake_sweep.axis(f"cards.{mark}.value", values, values[0])]
    fake_sweep.write(folder, axes, {(value,): FakeRun(blocks=20, first_points=3.0, log="games") for value in values})
    made = analyse_sweep(open_sweep(spoil(folder, mark)))
    yield from (sweep.render_html(made), sweep.render_markdown(made))


def _ladder(folder: Path, mark: str) -> Iterator[str]:
    fake_ladder.write(folder, fake_ladder.FakeLadder(blocks=40, few=20))
    made = analyse_ladder(open_ladder(spoil(folder, mark)))
    yield from (ladder.render_html(made), ladder.render_markdown(made))


def _trend(folder: Path, mark: str) -> Iterator[str]:
    paths = [run_of(folder / version, mark).path for version in ("v1", "v2")]
    name = json.dumps(f"t{mark}", ensure_ascii=False)
    lines = f'[{name}]\nkind = "seat_share"\nwithin = 0.01\n[d]\nkind = "draws"\nat_most = 0.5\nbots = '
    targets = write_targets(folder, lines + json.dumps(f"expert{mark}", ensure_ascii=False) + "\n")
    made = study_trend(paths, targets)
    yield from (trend.render_html(made), trend.render_markdown(made))
    yield check.render_junit(made.versions[0].check)


def _access(folder: Path, mark: str) -> Iterator[str]:
    names = (f"Bank{mark}", f"Inn{mark}")
    made = FakeAccess(names=names, worth=({names[0]: 3.0},), bots=((f"expert{mark}", "expert"),), blocks=60).made()
    yield from (access.render_html(made), access.render_markdown(made))


def _exploit(folder: Path, mark: str) -> Iterator[str]:
    fake = FakeRun(blocks=40, bots=RUN.bots, line_ups=((0, 1), (1, 1)), effects={"red-10": 5.0})
    made = analyse_exploit(run_of(folder, mark, fake))
    yield from (exploit.render_html(made), exploit.render_markdown(made))


PAGES: dict[str, Callable[[Path, str], Iterator[str]]] = {
    "balance": _balance,
    "strategy": _strategy,
    "comparison": _comparison,
    "sweep": _sweep,
    "ladder": _ladder,
    "trend": _trend,
    "access": _access,
    "exploit": _exploit,
}


def shape(element: Element) -> list[tuple[str, tuple[str, ...]]]:
    """All elements of a page in their order, each with the names of its attributes."""
    below = [entry for child in element.children for entry in shape(child)]
    return [(element.tag, tuple(sorted(element.attributes))), *below]


def addresses(element: Element) -> list[str]:
    own = [value for name, value in element.attributes.items() if name in ("href", "src", "xlink:href")]
    return own + [address for child in element.children for address in addresses(child)]


def cells(text: str) -> list[int]:
    """The number of cells in each line of a table of Markdown."""
    return [len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("|")]


@pytest.mark.parametrize("page", PAGES)
def test_names_are_text_and_nothing_else(page: str, tmp_path: Path) -> None:
    plain, hostile = (list(PAGES[page](tmp_path / name, mark)) for name, mark in (("p", HARMLESS), ("h", HOSTILE)))
    for expected, made in zip(plain, hostile, strict=True):
        assert "alert(1)" in made, "the names are not shown"
        if made.startswith("<"):
            tree = read(made)
            assert shape(tree) == shape(read(expected))
            assert all(address.startswith(("#", "data:")) or address.endswith(".html") for address in addresses(tree))
        else:
            assert cells(made) == cells(expected)
            assert not re.search(r"<(script|img)|(?<!\\)\[a\]", made)
