"""The folder of a tuning: its log, by which it goes on, its finalists, and the card set that it found.

TUNING/candidates.jsonl        a line of settings, then one for each candidate that was played
TUNING/finalists/HASH/run      a finalist's run on fresh deals, beside it the weights of bots that were re-trained
TUNING/finalists/HASH/proof    the winner's run on deals that chose nothing
TUNING/card-set                the card set that was found, as CSV tables; as card-set.xlsx, too, where asked for
TUNING/report                  what was found
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from analysis.tune import Trial
from simcore import strict_json
from simcore.errors import InputError
from simcore.files import LOCK, append_line, folder_lock, read_bytes, refusals, write_file

FORMAT = "fairdeal-tuning-log/1"
LOG = "candidates.jsonl"
CANDIDATE = "candidate"  # the run of the candidate that is being played
FINALISTS = "finalists"
RUN = "run"
PROOF = "proof"
CARD_SET = "card-set"
WORKBOOK = "card-set.xlsx"
REPORT = "report"
MOST_BYTES = 1 << 28  # of the log
REST = "who plays whom"
"""The setting that speaks for all that is played, and is named only where no other one differs."""

_TRIAL = TypeAdapter(Trial)


class Log:
    """The candidates that were played, in their order. See `writing`."""

    def __init__(self, path: Path, trials: list[Trial]) -> None:
        self.path = path
        self.trials = trials

    def add(self, trial: Trial) -> None:
        """Add a candidate; it is on the disk when this returns."""
        append_line(self.path, _line(asdict(trial)))


def _line(entries: Mapping[str, Any]) -> bytes:
    return (json.dumps(entries, ensure_ascii=False) + "\n").encode()


@contextmanager
def writing(folder: Path, settings: Mapping[str, Any], resume: bool) -> Iterator[Log]:
    """Begin a tuning of these settings (plain JSON data) in a new or empty folder, or go on with an equal one.

    The folder is locked for other processes meanwhile. Raises InputError if it holds other things, a tuning although
    `resume` is not set, or one of other settings, or if it may not be written to; JobError for a full disk.
    """
    _refuse(folder, resume)
    with refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with folder_lock(folder):
        path = folder / LOG
        if not path.exists():
            write_file(path, _line({"format": FORMAT, **settings}))
        yield _read(path, {"format": FORMAT, **settings})


def _refuse(folder: Path, resume: bool) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is a file. Choose a folder for the tuning.")
    if (folder / LOG).exists():
        if not resume:
            raise InputError(f"{folder} already holds a tuning. Resume it (--resume), or choose another folder.")
        return
    others = sorted(entry.name for entry in folder.iterdir() if entry.name != LOCK)
    if others:
        raise InputError(
            f"{folder} is not empty and holds no tuning ({', '.join(others[:5])}). Choose a new or empty folder."
        )


def _read(path: Path, settings: Mapping[str, Any]) -> Log:
    """The log of a tuning with these settings. A last line that a kill cut off is dropped, there as here."""
    with refusals(path):
        whole = read_bytes(path, MOST_BYTES)
    kept = whole[: whole.rfind(b"\n") + 1]
    if kept != whole:
        write_file(path, kept)
    try:
        first, *lines = [strict_json.loads(line, infinity=True) for line in kept.splitlines()]
        trials = [_trial(line) for line in lines]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error}). Choose another folder to begin anew.") from error
    asked = json.loads(json.dumps(settings))
    have = first if isinstance(first, dict) else {}
    differ = [key for key in asked if have.get(key) != asked[key]]
    if differ:
        told = "; ".join(
            _difference(key, have.get(key), asked[key]) for key in differ if key != REST or differ == [REST]
        )
        raise InputError(
            f"{path.parent} holds another tuning, so it cannot be resumed with this one. What differs: {told}. Ask for "
            "what that tuning has to go on with it, or choose another folder (--out)."
        )
    return Log(path, trials)


def _difference(key: str, have: Any, want: Any) -> str:
    """What differs, with both values where these are plain: a number, or names."""
    old, new = (list(value) if isinstance(value, dict) else value for value in (have, want))
    if old == new or not isinstance(old, int | list) or not all(isinstance(one, int | str) for one in _all(old)):
        return key
    return f"{key} (the folder has {_said(old)}, you ask for {_said(new)})"


def _all(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _said(value: Any) -> str:
    return ", ".join(str(one) for one in _all(value)) or "none"


def _trial(line: Mapping[str, Any]) -> Trial:
    """The candidate of a line. Raises ValueError where it is none."""
    return _TRIAL.validate_json(json.dumps(line), strict=True)
