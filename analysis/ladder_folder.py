"""The folder of a ladder: run folders by what their bots cost, and how long decisions took.

    LADDER/quick        a run folder (simcore.runlog): bots that decide quickly, against each other and themselves
    LADDER/search       another: the line-ups in which a search bot plays, with fewer games
    LADDER/speed.json   how long a decision of each bot took on the machine that played; no part of what is repeatable
    LADDER/report       the page

Both runs play the same deals from the first on, as far as each goes. One of them may be missing.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict  # pydantic asks for this one on Python 3.11

from simcore import strict_json
from simcore.errors import InputError, shown
from simcore.files import read_bytes, refuse_links, write_file
from simcore.given import told
from simcore.manifest import LONGEST_TEXT, MOST_BYTES, in_words
from simcore.places import place
from simcore.plan import Cost
from simcore.runlog import MANIFEST, Run, open_run

RUNS: dict[Cost, str] = {"cheap": "quick", "dear": "search"}
"""The run folders, by the cost of the dearest bot in their line-ups."""
SPEED = "speed.json"
REPORT = "report"
FORMAT = "fairdeal-speed/1"
LONGEST_TIME = 1e15


class SpeedEntry(TypedDict):
    """The time of a decision of a bot in self-play, rules of the game included: CPU time in microseconds, over so many
    decisions.
    """

    microseconds: float
    decisions: int


class _SpeedFile(TypedDict):
    format: str
    bots: dict[str, SpeedEntry]


_SPEED = TypeAdapter(_SpeedFile)


@dataclass(frozen=True)
class LadderRuns:
    """A ladder's folder that has been opened: its runs by cost, finished or not, and the speed of bots by name."""

    path: Path
    runs: dict[Cost, Run]
    speed: dict[str, SpeedEntry]

    @property
    def complete(self) -> bool:
        """Whether all runs are finished."""
        return all(run.complete for run in self.runs.values())

    @property
    def games(self) -> int:
        """The number of games in finished shards."""
        return sum(run.games for run in self.runs.values())


def open_ladder(path: str | Path) -> LadderRuns:
    """Open a ladder's folder. Raises InputError if it is none, or if its runs do not belong together."""
    folder = place(path)
    there: list[tuple[Cost, str]] = [(cost, name) for cost, name in RUNS.items() if (folder / name / MANIFEST).exists()]
    if not there:
        what = f"it has no run {' or '.join(RUNS.values())}" if folder.is_dir() else "there is no such folder"
        hint = told(folder) or "Name one that `fairdeal ladder` made."
        raise InputError(f"{folder} is not the folder of a ladder: {what}. {hint}")
    refuse_links(*(folder / name for _, name in there))
    runs = {cost: open_run(folder / name) for cost, name in there}
    played = {
        (m["game"], m["card_set"]["hash"], m["seats"], m["seed"]) for m in (run.manifest for run in runs.values())
    }
    if len(played) > 1:
        raise InputError(
            f"{folder} holds runs of different games, card sets, seats or seeds, so they are no ladder. Restore it "
            "from a copy, or play the ladder in another folder."
        )
    return LadderRuns(folder, runs, read_speed(folder))


def refuse(folder: Path, costs: Mapping[Cost, object]) -> None:
    """Raise InputError where a folder holds other things than a ladder with runs of these costs."""
    if not folder.is_dir():
        return
    names = {RUNS[cost] for cost in costs}
    others = sorted({path.name for path in folder.iterdir()} - {SPEED, REPORT, *names})
    if others:
        raise InputError(
            f"{folder} holds other things than a ladder of these bots ({', '.join(others[:5])}). Choose a new or empty "
            "folder."
        )


def read_speed(folder: Path) -> dict[str, SpeedEntry]:
    """The speed of bots, as far as it has been measured. Raises InputError for a damaged file."""
    path = folder / SPEED
    hint = "Delete it: it only says how long decisions took."
    try:
        content: Any = strict_json.loads(read_bytes(path, MOST_BYTES))
        found = _SPEED.validate_python(content, strict=True)
        if found["format"] != FORMAT:
            raise ValueError(f"its format is {shown(found['format'])}, not {FORMAT!r}")
        if not strict_json.is_plain(found, LONGEST_TEXT) or not all(map(_is_time, found["bots"].values())):
            raise ValueError("a name or a number is none of a ladder's")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        raise InputError(f"{path} is damaged ({in_words(error)}). {hint}") from error
    except ValueError as error:
        raise InputError(f"{path} is damaged ({error}). {hint}") from error
    return found["bots"]


def _is_time(entry: SpeedEntry) -> bool:
    return 0 < entry["microseconds"] < LONGEST_TIME and 0 < entry["decisions"] < LONGEST_TIME


def write_speed(folder: Path, bots: Mapping[str, SpeedEntry]) -> None:
    """Write the speed of bots. Raises InputError or JobError where the folder cannot be written."""
    content: _SpeedFile = {"format": FORMAT, "bots": dict(bots)}
    write_file(folder / SPEED, (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode())
