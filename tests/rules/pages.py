"""The rules pages, and the rules that the code and its tests name."""

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NUMBER = r"(?:\d+\.\d+[a-z]?|[A-Z]\d+)"
UNNUMBERED = ("EX", "INV")  # examples and invariants of a page whose own prefix they do not have
RULE = re.compile(rf"\b(?:(?:[A-Z]{{2}}|L)-{NUMBER}|(?:{'|'.join(UNNUMBERED)})-\d+)(?![\d.]*\d)")
RANGES = (
    re.compile(r"\b([A-Z]{2}|L)-(\d+\.|[A-Z])(\d+) to \1-\2(\d+)\b"),
    re.compile(rf"\b({'|'.join(UNNUMBERED)})-()(\d+) to \1-\2(\d+)\b"),
)


@dataclass(frozen=True)
class Page:
    """A rules page: where it is, how its ids begin, and what is known of its rules."""

    game: str
    prefix: str  # L is the one of a single letter
    sections: dict[str, int]  # how many rules each section has, counted by hand
    binding: tuple[str, ...]  # beginnings of the ids whose every rule constrains play, a score or what bots see
    waived: frozenset[str]  # numbered rules that are waived all the same
    carried_out: frozenset[str]  # rules that the kernels and the reference must both name where they carry them out
    unnumbered: tuple[str, ...] = ()  # beginnings of the ids of its examples and invariants, if they have their own

    @property
    def module(self) -> str:
        return self.game.replace("-", "_")

    @cached_property
    def defined(self) -> list[str]:
        """The rules in the order of the page."""
        text = (ROOT / "simcore" / "games" / self.module / "rules.md").read_text(encoding="utf-8")
        rule = rf"{self.prefix}-{NUMBER}" + "".join(rf"|{prefix}-\d+" for prefix in self.unnumbered)
        line = re.compile(rf"^(?:\s*[-*] \*\*|\| (?:\*\*)?|\*\*)({rule})\b")
        return [match[1] for row in text.splitlines() if (match := line.match(row))]

    @cached_property
    def waivers(self) -> dict[str, dict[str, Any]]:
        """The rules that no test shows, with kind and reason."""
        path = Path(__file__).parent / f"{self.module}_waivers.toml"
        return tomllib.loads(path.read_text(encoding="utf-8"))


def cited(text: str) -> set[str]:
    """The rules that a text names; "LC-6.1 to LC-6.3" are three."""
    spans = {
        f"{prefix}-{section}{number}"
        for form in RANGES
        for prefix, section, first, last in form.findall(text)
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


@cache
def rules_shown() -> frozenset[str]:
    """The rules that some test names."""
    return frozenset(
        rule
        for path in (ROOT / "tests").rglob("test_*.py")
        if path.parent != Path(__file__).parent
        for _, text in cases_of(path)
        for rule in cited(text)
    )


LOST_CITIES = Page(
    game="lost-cities",
    prefix="LC",
    sections={"1": 5, "2": 6, "3": 9, "4": 6, "5": 5, "6": 4, "7": 4, "8": 2, "D": 2, "I": 13, "E": 15, "S": 12},
    binding=("LC-3.", "LC-4.", "LC-5.", "LC-6.", "LC-8.", "LC-D", "LC-I", "LC-E"),
    waived=frozenset({"LC-1.4", "LC-2.2", "LC-7.4"}),
    carried_out=frozenset(
        {
            *(f"LC-2.{i}" for i in (1, 3, 4, 5, 6)),
            *(f"LC-3.{i}" for i in range(1, 5)),
            *("LC-4.1", "LC-4.2", "LC-5.1", "LC-5.4", "LC-6.2", "LC-6.3", "LC-7.2", "LC-7.3"),
        }
    ),
)
VAALBARA = Page(
    game="vaalbara",
    prefix="VB",
    sections={"1": 8, "2": 9, "3": 11, "4": 6, "5": 9, "6": 28, "7": 6, "9": 2, "D": 8, "I": 14, "E": 18},
    binding=("VB-2.", "VB-3.", "VB-4.", "VB-5.", "VB-6.", "VB-9.", "VB-D", "VB-I", "VB-E"),
    waived=frozenset(),
    carried_out=frozenset(
        {
            *(f"VB-2.{i}" for i in range(1, 9)),
            *("VB-3.1", "VB-3.3", "VB-3.4", "VB-3.5", "VB-3.6", "VB-3.7", "VB-3.8", "VB-3.9", "VB-3.10"),
            *("VB-4.1", "VB-4.2", "VB-4.3", "VB-4.4"),
            *(f"VB-5.{i}" for i in range(1, 9)),
            *("VB-6.1", "VB-6.1a", "VB-6.1b", "VB-6.1c", "VB-6.1d", "VB-6.6a", "VB-6.7a", "VB-6.8a", "VB-6.11a"),
            *(f"VB-6.{i}" for i in range(1, 13)),
            *("VB-7.1", "VB-7.2", "VB-7.4"),
        }
    ),
)
VALLETTA = Page(
    game="valletta",
    prefix="VT",
    sections={
        "1": 10,
        "2": 6,
        "3": 13,
        "4": 10,
        "5": 5,
        "6": 7,
        "7": 18,
        "8": 21,
        "9": 3,
        "10": 15,
        "11": 9,
        "12": 4,
        "13": 11,
        "14": 4,
        "15": 5,
        "16": 18,
        "18": 18,
        "19": 7,
    },
    binding=(*(f"VT-{section}." for section in (*range(2, 17), 18)), "VT-19.1", "VT-19.2"),
    waived=frozenset({"VT-19.3", "VT-19.4", "VT-19.5", "VT-19.6"}),
    carried_out=frozenset(
        {
            *("VT-2.4", "VT-2.5", "VT-2.6"),
            *(f"VT-3.{i}" for i in (2, 3, 5, 6, 8, 11)),
            *(f"VT-4.{i}" for i in (2, 3, 6, 8)),
            *("VT-5.1", "VT-5.3", "VT-5.4", "VT-6.3", "VT-6.4", "VT-6.5"),
            *(f"VT-7.{i}" for i in (2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)),
            *("VT-8.7", "VT-8.9", "VT-8.12", "VT-8.13", *(f"VT-8.{i}" for i in range(21, 25)), "VT-8.27"),
            *("VT-9.1", "VT-9.2"),
            *(f"VT-10.{i}" for i in (1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 15)),
            *(f"VT-11.{i}" for i in range(1, 9)),
            *(f"VT-13.{i}" for i in (1, 2, 3, 4, 5, 8, 9, 11)),
            *("VT-14.1", "VT-14.2", "VT-14.3", "VT-14.4", "VT-15.4", "VT-15.5"),
        }
    ),
)
LISBOA = Page(
    game="lisboa",
    prefix="L",
    unnumbered=UNNUMBERED,
    sections={
        "0": 6,
        "1": 5,
        "2": 6,
        "3": 1,
        "4": 10,
        "5": 7,
        "6": 8,
        "7": 7,
        "8": 7,
        "9": 10,
        "10": 9,
        "11": 10,
        "12": 5,
        "13": 11,
        "14": 8,
        "15": 7,
        "16": 8,
        "17": 10,
        "18": 3,
        "19": 7,
        "EX-": 20,
        "INV-": 23,
    },
    binding=(*(f"L-{section}." for section in range(1, 20)), "EX-", "INV-"),
    waived=frozenset({"L-0.1", "L-0.2", "L-0.3", "L-0.4"}),
    carried_out=frozenset(
        {
            *("L-1.5", "L-2.3", "L-2.5", "L-4.10", "L-18.1"),
            *(f"L-4.{i}" for i in range(2, 9)),
            *(f"L-5.{i}" for i in range(1, 8)),
            *(f"L-6.{i}" for i in (1, 2, 3, 5, 6, 7, 8)),
            *("L-7.3", "L-7.6", "L-7.7", "L-8.2", "L-8.4", "L-8.5"),
            *(f"L-9.{i}" for i in range(1, 11)),
            *(f"L-10.{i}" for i in (1, 2, 3, 4, 5, 7, 9)),
            *(f"L-11.{i}" for i in (1, 2, 3, 4, 5, 6, 7, 8, 10)),
            *(f"L-12.{i}" for i in (1, 2, 3, 5)),
            *(f"L-13.{i}" for i in (1, 3, 4, 5, 6, 7, 8, 9, 11)),
            *(f"L-14.{i}" for i in range(1, 7)),
            *("L-15.2", "L-15.5", "L-15.6", "L-15.7"),
            *(f"L-16.{i}" for i in range(1, 7)),
            *(f"L-17.{i}" for i in range(1, 10)),
        }
    ),
)
PAGES = (LOST_CITIES, VAALBARA, VALLETTA, LISBOA)
