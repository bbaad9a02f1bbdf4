"""Every rule of the Lost Cities page is shown by a test or waived with a reason, and all rules that are cited exist."""

import ast
import io
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "simcore" / "games" / "lost_cities" / "rules.md"
WAIVERS = tomllib.loads((Path(__file__).parent / "lost_cities_waivers.toml").read_text(encoding="utf-8"))

RULE = re.compile(r"\bLC-(?:\d+\.\d+|[A-Z]\d+)\b")
DEFINED = re.compile(r"^(?:- \*\*|\| (?:\*\*)?)(LC-(?:\d+\.\d+|[A-Z]\d+))\b")
RANGE = re.compile(r"\bLC-(\d+\.|[A-Z])(\d+) to LC-\1(\d+)\b")

WAIVABLE = {"components", "no effect", "not specified", "statistics of real play", "published bots"}
# Sections whose every rule constrains play, a score or what bots see.
BINDING = ("LC-3.", "LC-4.", "LC-5.", "LC-6.", "LC-8.", "LC-D", "LC-I", "LC-E")


def defined() -> list[str]:
    """The rules in the order of the page."""
    found = [match[1] for line in PAGE.read_text(encoding="utf-8").splitlines() if (match := DEFINED.match(line))]
    assert len(found) == len(set(found)), "a rule stands twice on the page"
    return found


def cited(text: str) -> set[str]:
    """The rules that a text names; "LC-6.1 to LC-6.3" are three."""
    spans = {
        f"LC-{section}{number}"
        for section, first, last in RANGE.findall(text)
        for number in range(int(first), int(last) + 1)
    }
    return spans | set(RULE.findall(text))


def cases_of(path: Path) -> Iterator[tuple[str, str]]:
    """(name, text) of the tests of a file: docstrings, comments, and the names of parametrised cases."""
    source = path.read_text(encoding="utf-8")
    words = [
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type in (tokenize.COMMENT, tokenize.STRING)
    ]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield node.name, "\n".join(text for line, text in words if first <= line <= (node.end_lineno or first))


def rules_shown() -> set[str]:
    return {
        rule
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__)
        for _, text in cases_of(path)
        for rule in cited(text)
    }


def test_the_page_is_read_whole() -> None:
    """How many rules each section has, counted by hand."""
    sections = Counter(rule.removeprefix("LC-").split(".")[0].rstrip("0123456789") or rule[3] for rule in defined())
    numbered = {"1": 5, "2": 6, "3": 9, "4": 6, "5": 5, "6": 4, "7": 4, "8": 2}
    assert sections == numbered | {"D": 2, "I": 13, "E": 15, "S": 12}


def test_every_rule_is_shown_by_a_test_or_waived() -> None:
    missing = set(defined()) - rules_shown() - set(WAIVERS)
    assert not missing, f"no test cites {sorted(missing)}"


def test_waivers_are_needed_and_have_reasons() -> None:
    assert set(WAIVERS) <= set(defined())
    for rule, waiver in WAIVERS.items():
        assert set(waiver) == {"kind", "reason"}, rule
        assert waiver["kind"] in WAIVABLE, rule
        assert waiver["reason"].endswith("."), rule


def test_no_rule_that_constrains_play_is_waived() -> None:
    assert not [rule for rule in WAIVERS if rule.startswith(BINDING)]
    assert {rule for rule in WAIVERS if re.match(r"LC-\d", rule)} == {"LC-1.4", "LC-2.2", "LC-7.4"}


@pytest.mark.parametrize("folder", ["simcore", "strategies", "tests", "benchmarks"])
def test_cited_rules_exist(folder: str) -> None:
    known = set(defined())
    for path in [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.toml")]:
        unknown = cited(path.read_text(encoding="utf-8")) - known
        assert not unknown, f"{path} cites {sorted(unknown)}"


def test_kernels_and_reference_cite_what_they_do() -> None:
    """Each binding rule of sections 2 to 7 stands where the kernels carry it out, and where the reference does."""
    must = {
        "LC-2.1",
        "LC-2.3",
        "LC-2.4",
        "LC-2.5",
        "LC-2.6",
        "LC-3.1",
        "LC-3.2",
        "LC-3.3",
        "LC-3.4",
        "LC-4.1",
        "LC-4.2",
    }
    must |= {"LC-5.1", "LC-5.4", "LC-6.2", "LC-6.3", "LC-7.2", "LC-7.3"}
    for path in ("simcore/games/lost_cities/rules.py", "tests/reference/lost_cities.py"):
        assert must <= cited((ROOT / path).read_text(encoding="utf-8")), path
