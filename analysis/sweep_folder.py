"""The folder of a sweep: what was varied, and a run folder for each point of it.

    SWEEP/sweep.json        what is varied (`SweepEntry`); it is there from the start and never changed
    SWEEP/points/000, …     an ordinary run folder each (simcore.runlog): the same plan but for the card set

All points play the same deals, so any two of them can be compared deal by deal.
"""

import itertools
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict  # pydantic asks for this one on Python 3.11

from simcore import given, strict_json
from simcore.errors import InputError, shown
from simcore.files import LOCK, TEMPORARY, read_bytes, refusals, refuse_links, write_file
from simcore.manifest import LONGEST_TEXT, MOST_BYTES, CardSetEntry, Manifest, differences, in_words
from simcore.places import place
from simcore.runlog import Run, only_writer, open_run

FORMAT = "fairdeal-sweep/1"
FILE = "sweep.json"
POINTS = "points"

Value = int | str | None


class AxisEntry(TypedDict):
    """A value of the card set that is varied, as in `simcore.cardset.vary.Axis`: its path, its values in order, and the
    one of the card set itself (null for an empty cell), which may have been added to those that were asked for.
    """

    path: str
    values: list[Value]
    base: Value
    base_added: bool
    unit: str
    meaning: str


class PointEntry(TypedDict):
    """A point: its folder in that of the sweep, its value on each axis, and the hash of what is played there."""

    folder: str
    values: list[Value]
    plan_hash: str


class SweepEntry(TypedDict):
    """What is varied. `card_set` is the one that is edited, and `base` the number of the point where it is not."""

    format: str
    version: str
    game: str
    card_set: CardSetEntry
    axes: list[AxisEntry]
    points: list[PointEntry]
    base: int


_ENTRY = TypeAdapter(SweepEntry)


@dataclass(frozen=True)
class SweepRuns:
    """A sweep's folder that has been opened: what is varied, and the runs of its finished points, by number."""

    path: Path
    entry: SweepEntry
    runs: dict[int, Run]

    @property
    def complete(self) -> bool:
        """Whether all points are finished."""
        return len(self.runs) == len(self.entry["points"])

    @property
    def base(self) -> Run:
        """The run of the card set itself."""
        return self.runs[self.entry["base"]]


def point_folder(number: int) -> str:
    """The folder of a point in that of its sweep, with "/" between the names."""
    return f"{POINTS}/{number:03d}"


def open_sweep(path: str | Path) -> SweepRuns:
    """Open a sweep's folder, finished or not: points that are not finished are left out.

    Raises InputError if the folder is no sweep, is damaged, or the card set's own point (played first) is not finished.
    """
    folder = place(path)
    entry = _read(folder)
    runs = {}
    for number, point in enumerate(entry["points"]):
        refuse_links(folder / POINTS, folder / point["folder"])
        if (folder / point["folder"] / "manifest.json").exists():
            run = open_run(folder / point["folder"])
            if run.manifest["plan_hash"] != point["plan_hash"]:
                raise InputError(f"{run.path} is not the run that {folder / FILE} describes. Restore it from a copy.")
            if run.complete:
                runs[number] = run
    if entry["base"] not in runs:
        raise InputError(f"{folder} holds no finished game yet to compare with. Finish the sweep with --resume.")
    return SweepRuns(folder, entry, runs)


def _read(folder: Path) -> SweepEntry:
    path = folder / FILE
    try:
        content: Any = strict_json.loads(read_bytes(path, MOST_BYTES))
    except (FileNotFoundError, NotADirectoryError) as error:
        what = f"it has no {FILE}" if folder.is_dir() else "there is no such folder"
        hint = given.told(folder) or "Name one that `fairdeal sweep` made."
        raise InputError(f"{folder} is not the folder of a sweep: {what}. {hint}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"{path} is damaged: it is not JSON ({error}). Restore it from a copy.") from error
    found = content.get("format") if isinstance(content, dict) else None
    if found != FORMAT:
        raise InputError(f"{path} cannot be read by this version: its format is {shown(found)}, not {FORMAT!r}.")
    try:
        entry = _ENTRY.validate_python(content, strict=True)
    except ValidationError as error:
        raise InputError(f"{path} is damaged: {in_words(error)}. Restore it from a copy.") from error
    problems = list(_contradictions(entry))
    if problems:
        raise InputError(f"{path} is damaged: {'; '.join(problems)}. Restore it from a copy.")
    return entry


def _contradictions(entry: SweepEntry) -> Iterator[str]:
    """What no sweep says, though its entries are of the right types: no point is in a folder elsewhere."""
    points, axes = entry["points"], entry["axes"]
    values = [tuple(point["values"]) for point in points]
    checks = (
        ("a text cannot be printed", not strict_json.is_plain(entry, LONGEST_TEXT)),
        ("one or two values are varied", not 1 <= len(axes) <= 2),
        ("the base is no point", not 0 <= entry["base"] < len(points)),
        ("the folder of a point is not its own", any(p["folder"] != point_folder(i) for i, p in enumerate(points))),
        ("the points are not the values that are varied", not _is_product(values, axes)),
        ("a value is not in its list", any(axis["base"] not in axis["values"] for axis in axes)),
    )
    yield from (problem for problem, found in checks if found)


def _is_product(values: list[tuple[Value, ...]], axes: list[AxisEntry]) -> bool:
    lists = [axis["values"] for axis in axes]
    return len(values) == math.prod(map(len, lists)) and values == list(itertools.product(*lists))


@contextmanager
def writing(folder: Path, entry: SweepEntry, resume: bool, base: Manifest | None = None) -> Iterator[None]:
    """Begin a sweep in a new or empty folder, or go on with an equal one that is there (`resume`). The manifest of the
    card set's own point, `base`, lets a message say what of that differs.

    The folder is locked for other processes meanwhile. Raises InputError if it holds other things, a sweep although
    `resume` is not set, or another sweep, or if it may not be written to; JobError for a full disk.
    """
    _refuse(folder, entry, resume, base)  # before anything is written, and again when nobody else can write there
    with refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with only_writer(folder):
        _refuse(folder, entry, resume, base)
        if not (folder / FILE).exists():
            write_file(folder / FILE, (json.dumps(entry, indent=1, ensure_ascii=False) + "\n").encode())
        yield


def _refuse(folder: Path, entry: SweepEntry, resume: bool, base: Manifest | None) -> None:
    """Raise InputError if no sweep can begin or go on in the folder."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is a file. Choose a folder for the sweep.")
    if (folder / FILE).exists():
        if not resume:
            raise InputError(f"{folder} already holds a sweep. Resume it (--resume), or choose another folder.")
        have = _read(folder)
        found = _differences(have, entry) or _of_plans(folder, have, entry, base)
        if found:
            raise InputError(
                f"{folder} holds another sweep, so it cannot be resumed with this one. What differs: "
                f"{'; '.join(found)}. Ask for what that sweep has to go on with it, or choose another folder "
                "(--out)."
            )
        return
    with refusals(folder):
        others = sorted(e.name for e in folder.iterdir() if e.name != LOCK and not e.name.endswith(TEMPORARY))
    if others:
        names = ", ".join(others)
        raise InputError(f"{folder} is not empty and holds no sweep ({names}). Choose a new or empty folder.")


def _differences(have: SweepEntry, want: SweepEntry) -> list[str]:
    found = [
        f"{what} (the folder has {old}, you ask for {new})"
        for what, old, new in (
            ("the version", have["version"], want["version"]),
            ("the game", have["game"], want["game"]),
            ("the card set", have["card_set"]["name"], want["card_set"]["name"]),
            ("what is varied", _said(have), _said(want)),
        )
        if old != new
    ]
    if not found and have["card_set"]["hash"] != want["card_set"]["hash"]:
        found = ["the content of the card set"]
    return found


def _of_plans(folder: Path, have: SweepEntry, want: SweepEntry, base: Manifest | None) -> list[str]:
    """What differs where only the plans of the points do, by the run of the card set's own point if there is one."""
    if have["points"] == want["points"]:
        return []
    found = []
    if base is not None:
        with suppress(InputError):  # not begun, or damaged
            run = open_run(folder / have["points"][have["base"]]["folder"], checksums=False)
            found = differences(run.manifest, base, ("the folder", "this sweep"))
    return found or ["who plays, how many games, or the seed"]


def _said(entry: SweepEntry) -> str:
    return " and ".join(f"{axis['path']}={','.join(map(str, axis['values']))}" for axis in entry["axes"])
