"""What lies at a path that was given for something else, as far as a glance tells: for messages.

    raise InputError(f"{path} is not a run folder. {told(path)}")

A folder is known by the names in it, a file by its own, a TOML file by its keys. The files that mark the folders of
sweeps, ladders and tunings are those of `analysis`, which knows what is in them.
"""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simcore import toml
from simcore.errors import FairdealError, InputError
from simcore.places import place

RUN = "manifest.json"
RULES = "rules.toml"
SWEEP = "sweep.json"
TUNING = "candidates.jsonl"
MOST_RUNS = 6  # that a message names
DEEPEST = 3  # folders below that are searched for runs
OF_A_RUN = (RUN, "shards.jsonl", "stopped.json")
REPORTS = ("report.html", "report.md", "report.json")
LADDER = ("quick", "search")


def told(path: str | Path) -> str:
    """A sentence on what lies there ("It is a card set."), and what shows it; empty where a glance does not tell."""
    try:
        where = place(path)
        if where.is_dir():
            return next((said for said in (find(where) for find in FOLDERS) if said), "")
        return _of_file(where) if where.is_file() else ""
    except (OSError, FairdealError):  # a message about this place is on its way already
        return ""


def card_set_in(folder: Path) -> str:
    """The card set that a run or a tuning holds; empty where a folder is neither."""
    names = {RUN: "cardset", TUNING: "card-set"}
    return next((str(folder / name) for mark, name in names.items() if (folder / mark).is_file()), "")


# --- folders ---------------------------------------------------------------------------------------------------------


def _run(folder: Path) -> str:
    return "It is a run." if (folder / RUN).is_file() else ""


def _card_set(folder: Path) -> str:
    return "It is a card set." if (folder / RULES).is_file() else ""


def _sweep(folder: Path) -> str:
    return _shown("sweep", folder) if (folder / SWEEP).is_file() else ""


def _ladder(folder: Path) -> str:
    return _shown("ladder", folder) if any((folder / name / RUN).is_file() for name in LADDER) else ""


def _comparison(folder: Path) -> str:
    runs = folder / "a", folder / "b"
    return _shown("comparison", folder) if all((run / RUN).is_file() for run in runs) else ""


def _shown(job: str, folder: Path) -> str:
    """The sentence on the folder of a job whose report is written anew by naming it."""
    word = shlex.quote(str(folder))
    return f"It is the folder of a {job}, which `fairdeal report {job} {word}` shows.{_runs(folder)}"


def _tuning(folder: Path) -> str:
    if not (folder / TUNING).is_file():
        return ""
    report = folder / "report" / "report.md"
    shows = f", which {report} tells of" if report.is_file() else ""
    return f"It is the folder of a tuning{shows}.{_runs(folder)}"


def _report(folder: Path) -> str:
    if not any((folder / name).is_file() for name in REPORTS):
        return ""
    above = f" Its run is {folder.parent}." if (folder.parent / RUN).is_file() else ""
    return f"It holds a report.{above or _runs(folder)}"


def _others(folder: Path) -> str:
    return _runs(folder).lstrip()


FOLDERS = (_run, _card_set, _sweep, _tuning, _comparison, _ladder, _report, _others)
"""Sentences on what a folder may be, the surest signs first; each is empty where it is something else."""


def _runs(folder: Path) -> str:
    """A sentence on the runs that lie below a folder, none where there are none."""
    found: list[str] = []
    for depth in range(1, DEEPEST + 1):
        found += sorted(str(manifest.parent) for manifest in folder.glob(f"{'*/' * depth}{RUN}"))
    more = f" and {len(found) - MOST_RUNS} more" if len(found) > MOST_RUNS else ""
    return f" Runs in it: {', '.join(found[:MOST_RUNS])}{more}." if found else ""


# --- files -----------------------------------------------------------------------------------------------------------

BY_ENDING = {
    ".xlsx": "It is a workbook, as a card set may be.",
    ".ods": "It is a workbook, as a card set may be.",
    ".csv": "It is a table: of a card set, the folder is named.",
    ".py": "It is a Python file, as of a bot: FILE.py:NAME.",
    ".html": "It is a page, as of a report.",
    ".md": "It is a text, as of a report.",
}


def _of_file(file: Path) -> str:
    if file.name in OF_A_RUN:
        return f"It is a file of a run: name the folder, {file.parent}."
    if file.suffix == ".toml":
        return _of_toml(file)
    return BY_ENDING.get(file.suffix.lower(), "")


def _of_toml(file: Path) -> str:
    if file.name == RULES:
        return f"It is a file of a card set: name the folder, {file.parent}."
    found = KINDS.get(_kind(toml.read(file, "file")), "")
    return f"It is a {found}." if found else ""


KINDS = {
    "weights file": "weights file, which stands where a bot is named (--bots)",
    "targets file": "targets file, which --targets names",
    "file of a card set": "file of a card set, whose folder is named (--cards)",
}


def refuse_other(content: Mapping[str, Any], path: str | Path, wanted: str) -> None:
    """Raise InputError where the content of a TOML file is plainly that of another kind of file than `wanted`."""
    found = _kind(content)
    if found not in ("", wanted):
        raise InputError(f"{path} is no {wanted}: it is a {KINDS[found]}.")


def _kind(content: Mapping[str, Any]) -> str:
    """The kind of file that a content is of, by its keys; empty where they do not tell."""
    tables = {key: value for key, value in content.items() if isinstance(value, dict)}
    if "kind" not in tables.get("weights", {"kind": ""}):
        return "weights file"
    if any("kind" in table for table in tables.values()):
        return "targets file"
    return "file of a card set" if "name" in content and not tables else ""
