"""The three forms of a check: equal in what they tell, and JUnit XML as readers of it expect."""

import dataclasses
import json
import math
from xml.etree import ElementTree

import pytest

from analysis.check import Check, Figure, Result
from analysis.check_verdicts import sentence
from analysis.stats import Estimate
from analysis.targets import Target
from reports.check import render, render_json, render_junit, render_text


def result(name, value, seats=2, why_not=None):
    """A target of at most 10 % that is met at 5 %, missed at 20 % and open at 10 %."""
    e = Estimate(value, value - 0.01, value + 0.01, 1000, 2000, "share")
    figures = () if why_not else (Figure("ties", e, (e.low, e.high), -math.inf, 0.1),)
    target = Target(name, "draws", "", -math.inf, 0.1)
    return Result(target, seats, "a against itself", 2000, 1000, "share", "", figures, why_not)


@pytest.fixture
def check():
    results = (result("good", 0.05), result("bad", 0.2), result("open", 0.095), result("few", 0, why_not="Too few."))
    return Check(
        "toy", "Toy", "base \x01<&>", "0" * 64, ("a", "b"), 7, "0.1.0", True, "mine.toml", "points", results, ("other",)
    )


def test_text_is_a_line_a_target(check):
    lines = render_text(check).splitlines()
    assert lines[0] == (
        "met: good: ties 5.0 % (95 % interval 4.0 to 6.0); allowed: at most 10 % (2,000 games of 1,000 deals, "
        "a against itself, 2 seats)."
    )
    assert lines[1].startswith("missed: bad: ties 20.0 %")
    assert lines[2].startswith("not yet known: open: ties 9.5 %")
    assert lines[2].endswith("About 6,000 more games a line-up (3,000 deals) would tell.")
    assert lines[3].startswith("not yet known: few: nothing to judge: Too few.")
    assert lines[4] == "For other numbers of seats, and not judged: other."
    assert lines[5] == "Failed: 1 of 4 targets met, 1 missed, 2 not yet known. Targets: mine.toml."
    assert len(lines) == 6


def test_text_names_the_seats_where_there_are_several_and_what_is_unfinished(check):
    several = dataclasses.replace(
        check, results=(result("good", 0.05), result("good", 0.05, seats=3)), left_out=(), complete=False
    )
    lines = render_text(several).splitlines()
    assert [line.partition(": ties")[0] for line in lines[:2]] == ["met: good, 2 seats", "met: good, 3 seats"]
    assert lines[2] == "Not all games of this run are played: judged is what there is."
    assert lines[3].startswith("Passed: 2 of 2 targets met.")


def test_json_says_the_same_and_whether_it_passes(check):
    told = json.loads(render_json(check))
    assert [entry["verdict"] for entry in told["results"]] == ["met", "missed", "not yet known", "not yet known"]
    assert [entry["text"] for entry in told["results"]] == [sentence(r) for r in check.results]
    assert (told["passed"], told["strict"]) == (False, False)
    assert told["results"][2]["more_games"] == 6000


@pytest.mark.parametrize(("strict", "failures", "skipped"), [(False, 1, 2), (True, 3, 0)])
def test_junit(check, strict, failures, skipped):
    text = render_junit(check, strict)
    root = ElementTree.fromstring(text.encode())
    (suite,) = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    for element in (root, suite):
        counts = [element.get(name) for name in ("tests", "failures", "errors", "skipped")]
        assert counts == ["4", str(failures), "0", str(skipped)]
    assert suite.get("name") == "toy, card set base ?<&>"
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == ["good", "bad", "open", "few"]
    assert {case.get("classname") for case in cases} == {"fairdeal.toy.2-seats"}
    assert len(suite.findall("testcase/failure")) == failures
    assert len(suite.findall("testcase/skipped")) == skipped
    failure = cases[1].find("failure")
    assert failure is not None
    assert failure.get("message") == sentence(check.results[1])
    assert failure.text == "ties 20.0 % (95 % interval 19.0 to 21.0)\nallowed: at most 10 %"
    facts = {entry.get("name"): entry.get("value") for entry in suite.findall("properties/property")}
    assert facts["seed"] == "7"
    assert facts["card set hash"] == "0" * 64


def test_forms_are_chosen_by_name(check):
    assert render(check, "text") == render_text(check)
    assert render(check, "json", strict=True) == render_json(check, strict=True)
    assert render(check, "junit") == render_junit(check)


def test_json_and_junit_warn_where_others_played_than_the_targets_name(check):
    assert json.loads(render_json(check))["warnings"] == []
    assert "system-err" not in render_junit(check)
    other = dataclasses.replace(check, named=("c",))
    (warning,) = json.loads(render_json(other))["warnings"]
    assert warning.startswith("The targets name c, which did not play; a and b did. Not judged by")
    suite = ElementTree.fromstring(render_junit(other))[0]
    assert suite.findtext("system-err") == f"Warning: {warning}"
