"""The folder of one job for several numbers of seats: 2-seats, 3-seats … in it are run folders (simcore.runlog), and
beside them lie `report` and `strategy`, the pages about all of them.
"""

from collections.abc import Collection
from pathlib import Path

from simcore.errors import InputError
from simcore.files import refuse_links
from simcore.places import place
from simcore.runlog import MANIFEST, Run, open_run

REPORT, STRATEGY = "report", "strategy"
_PATTERN = "*-seats"


def name(seats: int) -> str:
    """The name of the run folder for so many seats."""
    return f"{seats}-seats"


def is_one(path: str | Path) -> bool:
    """Whether a folder holds runs by number of seats, not a run itself."""
    folder = place(path)
    return not (folder / MANIFEST).exists() and any(folder.glob(f"{_PATTERN}/{MANIFEST}"))


def open_runs(path: str | Path) -> tuple[Run, ...]:
    """The runs of such a folder, by number of seats, finished or not.

    Raises InputError as `simcore.runlog.open_run` does, and where the runs are not of one job.
    """
    folder = place(path)
    found = [manifest.parent for manifest in folder.glob(f"{_PATTERN}/{MANIFEST}")]
    refuse_links(*found)
    runs = [open_run(each) for each in found]
    played = {(run.manifest["game"], run.manifest["card_set"]["hash"], run.manifest["seed"]) for run in runs}
    if len(played) > 1:
        names = ", ".join(sorted(run.path.name for run in runs))
        raise InputError(
            f"{folder} holds runs of different games, card sets or seeds ({names}), so there is no report of all of "
            "them. Name one of these folders."
        )
    return tuple(sorted(runs, key=lambda run: run.manifest["seats"]))


def refuse(folder: Path, seats: Collection[int]) -> None:
    """Raise InputError where a folder holds other things than runs for these numbers of seats and their report."""
    if not folder.is_dir():
        return
    if (folder / MANIFEST).exists():
        raise InputError(
            f"{folder} holds a run of one number of seats. To go on with it, say how many (--seats); else choose "
            "another folder."
        )
    others = sorted({path.name for path in folder.iterdir()} - {REPORT, STRATEGY, *map(name, seats)})
    if others:
        raise InputError(
            f"{folder} holds other things than runs for {', '.join(map(str, sorted(seats)))} seats "
            f"({', '.join(others[:5])}). Choose a new or empty folder."
        )
