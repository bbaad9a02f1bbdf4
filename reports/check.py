"""A check in three forms: sentences for people, JSON, and JUnit XML for what shows the results of tests."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from analysis.check import MET, MISSED, UNKNOWN, Check, Result
from analysis.check_verdicts import allowed, figures, sentence, summary, warnings
from reports import page
from reports.numbers import amount, count
from reports.page import Cell, Column, Table

FORMATS = ("text", "json", "junit")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(check: Check, form: str, strict: bool = False) -> str:
    """The check as text, JSON or JUnit XML (`FORMATS`); `strict` counts what is not yet known as missed."""
    return {"text": render_text, "json": render_json, "junit": render_junit}[form](check, strict)


def render_text(check: Check, strict: bool = False) -> str:
    """A line a target, with its verdict first, and a last line about all."""
    lines = [f"{result.verdict}: {_name(check, result)}: {sentence(result)}" for result in check.results]
    if check.left_out:
        lines.append(f"For other numbers of seats, and not judged: {', '.join(check.left_out)}.")
    if not check.complete:
        lines.append("Not all games of this run are played: judged is what there is.")
    return "\n".join([*lines, f"{summary(check, strict)} Targets: {check.targets}."]) + "\n"


def render_json(check: Check, strict: bool = False) -> str:
    """`Check.to_dict()` as text, with the sentences of the text form, its warnings, and whether all of it passes."""
    told = check.to_dict()
    for result, entry in zip(check.results, told["results"], strict=True):
        entry["text"] = sentence(result)
    return page.json_text(told | {"warnings": list(warnings(check)), "strict": strict, "passed": check.passed(strict)})


def tables(check: Check) -> tuple[Table, ...]:
    """Every figure of every target with its limits: what the sentences tell of, in full."""
    columns = (
        Column("Target", numeric=False), Column("Verdict", numeric=False), Column("Line-up", numeric=False),
        Column("Seats"), Column("Figure", numeric=False), Column("Value"), Column("Together", "interval of all"),
        Column("Allowed"), Column("Unit", numeric=False), Column("Games"),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(result.target.name),
            Cell(figure.verdict),
            Cell(result.line_up),
            count(result.seats),
            Cell(figure.what),
            amount(figure.estimate),
            Cell("", raw=figure.together),
            Cell(allowed(result), raw=(figure.low, figure.high)),
            Cell(figure.estimate.unit),
            count(result.games),
        )
        for result in check.results
        for figure in result.figures
    )
    return (Table("targets", "The figures of each target, and what is allowed", columns, rows),)


def render_junit(check: Check, strict: bool = False) -> str:
    """A test suite with a test case a target. What is not yet known is skipped, or a failure where it counts so; a
    warning is written to the suite's `system-err`.
    """
    unknown = len(check.of(UNKNOWN))
    counts = {
        "tests": len(check.results),
        "failures": len(check.of(MISSED)) + (unknown if strict else 0),
        "errors": 0,
        "skipped": 0 if strict else unknown,
    }
    of_all = {name: str(count) for name, count in counts.items()}
    root = ElementTree.Element("testsuites", {"name": "fairdeal check", **of_all})
    suite = ElementTree.SubElement(
        root, "testsuite", {"name": _xml(f"{check.game}, card set {check.card_set}"), **of_all}
    )
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in _facts(check).items():
        ElementTree.SubElement(properties, "property", {"name": name, "value": _xml(value)})
    for result in check.results:
        _case(suite, check, result, strict)
    for warning in warnings(check):
        ElementTree.SubElement(suite, "system-err").text = _xml(f"Warning: {warning}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _facts(check: Check) -> dict[str, str]:
    return {
        "card set": check.card_set,
        "card set hash": check.card_set_hash,
        "bots": ", ".join(check.bots),
        "seed": str(check.seed),
        "targets": check.targets,
        "fairdeal": check.version,
    }


def _case(suite: ElementTree.Element, check: Check, result: Result, strict: bool) -> None:
    place = f"fairdeal.{check.game}.{result.seats}-seats"
    case = ElementTree.SubElement(suite, "testcase", {"classname": _xml(place), "name": _xml(result.target.name)})
    text = _xml(sentence(result))
    if result.verdict == MET:
        ElementTree.SubElement(case, "system-out").text = text
    elif result.verdict == UNKNOWN and not strict:
        ElementTree.SubElement(case, "skipped", {"message": f"{UNKNOWN}: {text}"})
    else:
        failure = ElementTree.SubElement(case, "failure", {"type": result.verdict, "message": text})
        failure.text = _xml("\n".join(figures(result)))


def _name(check: Check, result: Result) -> str:
    """A target's name, with the number of seats where there are several."""
    several = len({other.seats for other in check.results}) > 1
    return f"{result.target.name}, {result.seats} seats" if several else result.target.name


def _xml(text: str) -> str:
    """Text without the signs that XML cannot hold."""
    return _NOT_XML.sub("?", text)
