"""What the benchmarks share: contestants that take turns, processes of their own, and the table of what was found.

A machine's speed changes from minute to minute, so nothing is judged by a time alone: what is compared runs in turns,
and the ratio of a turn's two times counts. Times are CPU seconds unless a name says otherwise.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

GIB = 2**30
FAIRDEAL = str(Path(sys.executable).with_name("fairdeal"))

Times = list[float]
Measured = TypeVar("Measured")


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of all threads of this process while `work` is done."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def in_turns(contestants: Mapping[str, Callable[[], Measured]], repeats: int) -> dict[str, list[Measured]]:
    """What each contestant measured, turn by turn: each has one turn before any has the next.

    A first round is not counted: it compiles, and it fills caches.
    """
    found: dict[str, list[Measured]] = {name: [] for name in contestants}
    for turn in range(repeats + 1):
        for name, measure in contestants.items():
            measured = measure()
            if turn:
                found[name].append(measured)
    return found


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """The median over the turns of one / other."""
    return median(a / b for a, b in zip(one, other, strict=True))


@dataclass(frozen=True)
class Use:
    """What a process used: seconds by the clock, CPU seconds, and the most memory (bytes); and its result."""

    seconds: float
    cpu: float
    memory: int
    result: Any


def apart(function: Callable[..., Any], *arguments: Any, environment: Mapping[str, str] | None = None) -> Use:
    """What a function of a module uses in a fresh process. Imports are not timed; their memory counts."""
    before = dict(os.environ)
    os.environ.update(environment or {})
    try:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            return pool.submit(_measured, function, arguments).result()
    finally:
        os.environ.clear()
        os.environ.update(before)


def _measured(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Use:
    begin, cpu_begin = time.perf_counter(), time.process_time()
    result = function(*arguments)
    seconds, cpu_seconds = time.perf_counter() - begin, time.process_time() - cpu_begin
    return Use(seconds, cpu_seconds, _peak_memory(), result)


def _peak_memory() -> int:
    """The most memory that this process has held at a time, in bytes. Linux's `ru_maxrss` may be its parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def command(words: Sequence[str], environment: Mapping[str, str] | None = None) -> Use:
    """What a command uses; its result is what it printed on stdout. Raises CalledProcessError where it fails."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    # What the command imports is meant to be compiled to byte code already, whatever this machine's settings.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    merged = {**inherited, **(environment or {})}
    done = subprocess.run(words, env=merged, check=True, stdout=subprocess.PIPE, text=True)
    seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Use(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 0, done.stdout)


@dataclass
class Findings:
    """A table: what was measured, the mark that is wanted, and whether it is met."""

    title: str
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)

    def add(
        self, what: str, found: float, unit: str = "", at_least: float | None = None, at_most: float | None = None
    ) -> None:
        """A row. Without a mark it is for information."""
        mark, met = "", ""
        if at_least is not None:
            mark, met = f">= {at_least:g}", "met" if found >= at_least else "MISSED"
        if at_most is not None:
            mark, met = f"<= {at_most:g}", "met" if found <= at_most else "MISSED"
        digits = 1 if abs(found) >= 10 else 2 if abs(found) >= 1 else 3
        self.rows.append((what, f"{found:.{digits}f} {unit}".rstrip(), mark, met))

    def show(self) -> None:
        """Print the table."""
        head = ("", "found", "wanted", "")
        widths = [max(len(row[i]) for row in (head, *self.rows)) for i in range(4)]
        print(f"\n{self.title}")
        for row in (head, *self.rows):
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            print("  " + "  ".join(cells).rstrip())
        print(flush=True)
