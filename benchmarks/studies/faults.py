"""Does a run survive what happens to machines? A hundred random faults; after each it is opened, resumed and compared.

    python benchmarks/studies/faults.py [--faults 100] [--seed 1]

Each fault hits a run of its own, while it is played or later: see FAULTS. Then the run must open with right tables or
be refused with one message that names the file or folder; and resuming it must play again what was in flight or
damaged, nothing else, and end with the files of a run that nothing happened to, byte for byte. Exits with 1 where one
does not. The engine is the tests' own, which fills the real tables and starts quickly (`kills.py` kills real games). A
full disk is a small file system in memory, so it takes root on Linux and is left out elsewhere.
"""

import argparse
import faulthandler
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from simcore import manifest as manifests
from simcore import runlog
from simcore.errors import FairdealError, InputError
from simcore.plan import Plan, Shard
from tests.simcore import toy

PATIENCE = 300  # seconds for a run of a few
TABLES = ("games", "seats", "cards", "moves")
IN_MESSAGES = ("Error: ", "Traceback")


def plan() -> Plan:
    """What all runs play."""
    return toy.a_plan(games_per_line_up=2_000, blocks_per_shard=100)  # 30 shards of three line-ups


# --- The process that plays ------------------------------------------------------------------------------------------


def play(out: Path, kill_after: float | None) -> int:
    """Play into a folder, with processes of which one is killed after so many seconds, or with threads."""
    faulthandler.dump_traceback_later(PATIENCE, exit=True)  # it hangs: say where
    try:
        if kill_after is None:
            toy.play(plan(), out, threads=2, resume=True)
        else:
            with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
                threading.Thread(target=_kill_a_worker, args=(out, kill_after), daemon=True).start()
                toy.play(plan(), out, executor=executor, resume=True)
    except FairdealError as error:
        print(f"Error: {error}", file=sys.stderr)
        return error.status
    return 0


def _kill_a_worker(out: Path, after: float) -> None:
    while lines(out) == 0:
        time.sleep(0.01)
    time.sleep(after)
    random.choice(multiprocessing.active_children()).kill()


def lines(out: Path) -> int:
    """How many shards are finished."""
    log = out / runlog.SHARDS
    return log.read_bytes().count(b"\n") if log.exists() else 0


def playing(out: Path, *words: str) -> subprocess.Popen[str]:
    """A process that plays."""
    command = [sys.executable, "-m", "benchmarks.studies.faults", "--play", str(out), *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def wait_for_shards(process: subprocess.Popen[str], out: Path, more: float) -> None:
    """Wait until a process has finished a shard, and so many seconds more; no longer than it lives."""
    while lines(out) == 0 and process.poll() is None:
        time.sleep(0.01)
    with suppress(subprocess.TimeoutExpired):
        process.wait(more)


# --- Faults ----------------------------------------------------------------------------------------------------------


@dataclass
class Trial:
    """One fault: where, what is left to chance, and a run that nothing happened to, with how long it takes."""

    out: Path
    chance: random.Random
    whole: runlog.Run
    seconds: float

    @property
    def fingerprint(self) -> str:
        """What ties lines to the run."""
        return manifests.fingerprint(self.whole.manifest)

    def moment(self) -> float:
        """A random time in the life of a run, in seconds after its first shard."""
        return self.chance.uniform(0, self.seconds)

    def finished(self) -> set[int]:
        """The shards whose lines are there and whole."""
        sound = set((self.whole.path / runlog.SHARDS).read_bytes().splitlines())
        log = self.out / runlog.SHARDS
        there = log.read_bytes().split(b"\n")[:-1] if log.exists() else []
        numbers = {entry.encode(self.fingerprint).rstrip(): number for number, entry in self.whole.shards.items()}
        return {numbers[line] for line in there if line in sound}

    def copy(self) -> None:
        """A finished run, or one that was stopped on the way."""
        shutil.copytree(self.whole.path, self.out)
        log = self.out / runlog.SHARDS
        kept = log.read_bytes().splitlines(keepends=True)
        log.write_bytes(b"".join(kept[: self.chance.choice([len(kept), self.chance.randrange(1, len(kept))])]))

    def file(self) -> Path:
        """A random file of the run: a part half of the time."""
        notes = [self.out / runlog.SHARDS, self.out / runlog.MANIFEST, *(self.out / runlog.CARD_SET).iterdir()]
        number = self.chance.choice(sorted(self.finished()))
        part = runlog.part_path(self.out, self.chance.choice(TABLES), number)
        return part if self.chance.random() < 0.5 else self.chance.choice(notes)


def kill(trial: Trial) -> None:
    """Kill -9 at a random moment, the start included."""
    with playing(trial.out) as process:
        if trial.chance.random() < 0.8:
            wait_for_shards(process, trial.out, trial.moment())
        else:
            time.sleep(trial.chance.uniform(0.5, 3))
        process.kill()


def lose_a_worker(trial: Trial) -> None:
    """A worker process is killed by the system, as when memory runs out."""
    with playing(trial.out, "--kill-after", str(trial.moment() / 2)) as process:
        message(process)


def fill_the_disk(trial: Trial) -> None:
    """The disk is full at a random byte; then there is room again."""
    size = sum(file.stat().st_size for file in trial.whole.path.rglob("*") if file.is_file())
    trial.out.mkdir()
    kilobytes = trial.chance.randrange(40, size // 1024)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", trial.out], check=True)
    with playing(trial.out) as process:
        assert "Make room on the disk" in message(process)
    subprocess.run(["mount", "-o", f"remount,size={100 * size}", trial.out], check=True)


def forbid(trial: Trial) -> None:
    """The folder of a table can no longer be written to; then it can again."""
    folder = trial.out / trial.chance.choice(TABLES)
    root = os.geteuid() == 0  # permissions do not bind root
    with playing(trial.out) as process:
        wait_for_shards(process, trial.out, trial.moment() / 2)
        subprocess.run(["chattr", "+i", folder] if root else ["chmod", "500", folder], check=True)
        said = message(process)
    subprocess.run(["chattr", "-i", folder] if root else ["chmod", "700", folder], check=True)
    assert not said or "its permissions have changed" in said


def take_a_folder_away(trial: Trial) -> None:
    """The folder of a table is removed while it is written to."""
    folder = trial.out / trial.chance.choice(TABLES)
    with playing(trial.out) as process:
        wait_for_shards(process, trial.out, trial.moment() / 2)
        folder.rename(folder.with_name("away"))
        shutil.rmtree(folder.with_name("away"))
        said = message(process)
    assert not said or "files were removed" in said


def flip_a_bit(trial: Trial) -> None:
    """One bit of one file is flipped."""
    trial.copy()
    file = trial.file()
    data = bytearray(file.read_bytes())
    data[trial.chance.randrange(len(data))] ^= 1 << trial.chance.randrange(8)
    file.write_bytes(data)


def cut_a_file(trial: Trial) -> None:
    """One file ends too early."""
    trial.copy()
    file = trial.file()
    os.truncate(file, trial.chance.randrange(file.stat().st_size))


def remove_a_file(trial: Trial) -> None:
    """One file is gone."""
    trial.copy()
    trial.file().unlink()


FAULTS = (kill, lose_a_worker, fill_the_disk, forbid, take_a_folder_away, flip_a_bit, cut_a_file, remove_a_file)


def message(process: subprocess.Popen[str]) -> str:
    """What a process said that came to its end: one error and no traceback, or nothing."""
    _, said = process.communicate()
    assert process.returncode in (0, 1, 2), f"it ended with {process.returncode}: {said}"
    assert [said.count(word) for word in IN_MESSAGES] == [int(process.returncode > 0), 0], said
    return said


# --- What must be so afterwards --------------------------------------------------------------------------------------


def refused(trial: Trial) -> bool:
    """Open the run. It tells nothing wrong, or it is refused with a message about a file or folder."""
    try:
        run = runlog.open_run(trial.out)
    except InputError as error:
        if str(trial.out) not in str(error):
            raise AssertionError("the message names no file") from error
        return True
    for number, entry in run.shards.items():
        assert entry == trial.whole.shards[number], f"shard {number} is told wrongly"
        assert runlog.read_parts(run, number) == runlog.read_parts(trial.whole, number), f"shard {number} is wrong"
    assert run.manifest == trial.whole.manifest, "the manifest is wrong"
    return False


def sound(trial: Trial) -> set[int]:
    """The finished shards that nothing has happened to, told without the code under test."""
    return {
        number
        for number in trial.finished()
        if all(
            _same(runlog.part_path(trial.out, table, number), runlog.part_path(trial.whole.path, table, number))
            for table in TABLES
        )
    }


def _same(one: Path, other: Path) -> bool:
    return one.is_file() and one.read_bytes() == other.read_bytes()


def resumed(trial: Trial) -> int:
    """Resume the run. What was sound is not played again, and all files become those of the undisturbed run."""
    kept, begun = sound(trial), set()

    def note(shard: Shard) -> dict[str, object]:
        begun.add(shard.number)
        return toy.play_shard(shard)

    run = toy.play(plan(), trial.out, threads=2, resume=True, play=note)
    assert not begun & kept, f"finished shards were played again: {sorted(begun & kept)}"
    assert run.complete
    have, want = contents(run.path), contents(trial.whole.path)
    differ = sorted(name for name in have.keys() | want if have.get(name) != want.get(name))
    assert not differ, f"files differ: {differ}"
    return len(begun)


def contents(folder: Path) -> dict[str, object]:
    """Every file with its bytes, shards.jsonl as a set of lines."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: sorted(data.splitlines()) if name == runlog.SHARDS else data for name, data in found.items()}


@contextmanager
def cleared(out: Path) -> Iterator[None]:
    """A folder that is not there before, nor afterwards."""
    try:
        yield
    finally:
        if out.is_mount():
            subprocess.run(["umount", out], check=True)
        shutil.rmtree(out, ignore_errors=True)


def hit(fault: Callable[[Trial], None], trial: Trial, counts: Counter[str]) -> bool:
    """Let it happen and see. Whether all was as it must be."""
    with cleared(trial.out):
        try:
            fault(trial)
            was_refused = refused(trial)
            again = resumed(trial)
        except Exception:
            print(f"MISS: {fault.__name__} in {trial.out}\n{traceback.format_exc()}", flush=True)
            return False
    counts["refused when opened"] += was_refused
    counts["shards left to play"] += again
    return True


def main() -> int:
    """Inject, open, resume, compare. The number of misses."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--kill-after", type=float, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.play:
        return play(arguments.play, arguments.kill_after)
    possible = [fault for fault in FAULTS if fault is not fill_the_disk or os.geteuid() == 0]
    misses = 0
    done: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        whole = toy.play(plan(), Path(folder) / "whole", threads=2)
        seconds = time.perf_counter() - begin
        print(f"{whole.games:,} games in {len(whole.shards)} shards, {seconds:.1f} s undisturbed", flush=True)
        for number in range(arguments.faults):
            fault = possible[number % len(possible)]
            trial = Trial(Path(folder) / f"run-{number}", random.Random(f"{arguments.seed} {number}"), whole, seconds)
            misses += not hit(fault, trial, counts)
            done[fault.__name__] += 1
            print(f"{number + 1} {fault.__name__}: so far {told(counts)}", flush=True)
    print(f"{told(done)}: {misses} misses")
    return misses


def told(counts: Counter[str]) -> str:
    """Counts in words."""
    return ", ".join(f"{count} {what}" for what, count in counts.items())


if __name__ == "__main__":
    sys.exit(main() and 1)
