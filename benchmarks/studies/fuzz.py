"""Does a reader crash, hang or show a traceback on hostile input? Millions of changed files, read as users' files are.

    python benchmarks/studies/fuzz.py [--inputs 1M] [--seed 1] [--only "targets"] [--out counts.json]

The readers, and how their inputs are made, are those of tests/fuzz. They work in a process of their own, so that one
that dies is noticed: an input may take SECONDS, and the process BYTES of memory. What is found is said with the reader
and the number of the input, which with the seed is the input again:

    python benchmarks/studies/fuzz.py --seed 1 --only "targets" --number 4711

Exits with 1 where something was found.
"""

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

from cli.options import Count
from simcore.files import write_file
from tests.fuzz.readers import Reader, Readers

SECONDS = 10.0  # for one input; the slowest sound one takes a tenth of a second
PATIENCE = 60.0  # for one that cannot be interrupted
BYTES = 4 << 30
BATCH = 25  # inputs of one reader, one after the other
CHUNK = 500  # inputs between two reports of the process


class Hang(BaseException):
    """An input took too long; no reader catches this."""


def _too_long(number: int, frame: FrameType | None) -> None:
    raise Hang


def drawn(seed: int, number: int, readers: Mapping[str, Reader]) -> str:
    """The name of the reader of an input: that of all inputs of a BATCH."""
    shares = [reader.share for reader in readers.values()]
    return random.Random((seed << 64) + number // BATCH).choices(list(readers), shares)[0]


def chosen(folder: str, only: str) -> dict[str, Reader]:
    """The readers with a word in their names."""
    return {name: reader for name, reader in Readers(Path(folder)).all.items() if only in name}


def work(pipe: Connection, now: Any, seed: int, first: int, last: int, only: str, folder: str) -> None:
    """Read the inputs first to last - 1; `now` is the number of the one that is read, the pipe tells what was found."""
    import resource

    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where Rust says that it panicked
    readers = chosen(folder, only)
    resource.setrlimit(resource.RLIMIT_AS, (_in_use() + BYTES, resource.RLIM_INFINITY))
    signal.signal(signal.SIGALRM, _too_long)
    read: Counter[str] = Counter()
    name = ""
    for number in range(first, last):
        if number % BATCH == 0 or number == first:
            name = drawn(seed, number, readers)
        now.value = number
        if (number - first) % CHUNK == 0:
            pipe.send(("counts", dict(read)))
            read.clear()
        found = look(readers[name], readers[name].made(seed, number))
        read[name] += 1
        read[f"{name}: accepted"] += found == ""
        if found and found != "refused":
            pipe.send(("found", name, number, found))
    pipe.send(("counts", dict(read)))
    pipe.send(("end",))


def _in_use() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def look(reader: Reader, data: bytes) -> str:
    """What reading comes to: "" where it is accepted, "refused", or what is wrong."""
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return "" if reader.take(data) else "refused"
    except Hang:
        return f"takes more than {SECONDS:g} s\n{''.join(traceback.format_exc().splitlines(True)[-12:])}"
    except BaseException:
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Study:
    """Runs the process, again where it dies, and keeps the counts."""

    def __init__(self, seed: int, only: str, out: Path | None) -> None:
        self.seed, self.only, self.out = seed, only, out
        self.counts: Counter[str] = Counter()
        self.findings: dict[str, str] = {}  # by the last lines of each: one of a kind is enough
        self.begin = time.monotonic()

    def run(self, first: int, last: int) -> None:
        """Read the inputs first to last - 1."""
        while first < last:
            first = self._attend(first, last)
            self._keep(first)

    def _attend(self, first: int, last: int) -> int:
        """Let a process read; returns the number of the input after the last that it has read, or died of."""
        context = multiprocessing.get_context("spawn")
        mine, its = context.Pipe(duplex=False)
        now = context.RawValue("q", first)
        with tempfile.TemporaryDirectory() as folder:
            arguments = (its, now, self.seed, first, last, self.only, folder)
            process = context.Process(target=work, args=arguments, daemon=True)
            process.start()
            its.close()
            while True:
                try:
                    told = mine.recv() if mine.poll(PATIENCE) else ("hang",)
                except EOFError:
                    told = ("dead",)
                if told[0] == "counts":
                    self.counts.update(told[1])
                    self._keep(now.value)
                elif told[0] == "found":
                    self._find(*told[1:])
                elif told[0] == "end":
                    process.join()
                    return last
                else:
                    process.kill()
                    process.join()
                    what = f"takes more than {PATIENCE:g} s" if told[0] == "hang" else "ended the process"
                    name = drawn(self.seed, now.value, chosen(f"{folder}/again", self.only))
                    self._find(name, now.value, f"{what} (exit code {process.exitcode})")
                    return int(now.value) + 1

    def _find(self, name: str, number: int, what: str) -> None:
        key = f"{name.split()[-1]}: {' / '.join(what.strip().splitlines()[-3:])[-300:]}"
        if key not in self.findings:
            self.findings[key] = f"{name}, number {number}"
            print(f"--- {name}, number {number}\n{what}", flush=True)

    def _keep(self, reached: int) -> None:
        if self.out is not None:
            told = {"seed": self.seed, "reached": reached, "seconds": round(time.monotonic() - self.begin),
                    "counts": dict(sorted(self.counts.items())), "findings": self.findings}  # fmt: skip
            write_file(self.out, json.dumps(told, indent=1).encode())


def table(counts: Counter[str], folder: Path) -> str:
    """What was read, a line a kind of input."""
    kinds: dict[str, Counter[str]] = {}
    for reader in Readers(folder).all.values():
        kind = kinds.setdefault(reader.kind, Counter())
        kind["read"] += counts[reader.name]
        kind["accepted"] += counts[f"{reader.name}: accepted"]
    lines = ["| inputs | read | accepted |", "| --- | ---: | ---: |"]
    return "\n".join([*lines, *(f"| {kind} | {n['read']:,} | {n['accepted']:,} |" for kind, n in kinds.items())])


def main() -> int:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=lambda word: Count().convert(word, None, None), default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="readers with this in their names")
    parser.add_argument("--number", type=int, help="read this input alone, and show what comes of it")
    parser.add_argument("--out", type=Path, help="counts and findings, as JSON")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if asked.number is not None:
            signal.signal(signal.SIGALRM, _too_long)
            for reader in chosen(folder, asked.only).values():
                data = reader.made(asked.seed, asked.number)
                print(reader.name, data[:2000], look(reader, data) or "accepted", sep="\n")
            return 0
        study = Study(asked.seed, asked.only, asked.out)
        study.run(asked.first, asked.first + asked.inputs)
        print(table(study.counts, Path(folder)))
    print(f"{len(study.findings)} kinds of findings")
    return int(bool(study.findings))


if __name__ == "__main__":
    sys.exit(main())
