"""Every reader of what may come from a stranger, with valid inputs to begin from and the way in which they are changed.

A reader is given the bytes of one file; all other files of its folder are sound. It must return, or raise a
`FairdealError`; and what it returns must be of use: tables are read and analysed as a report does.
"""

import hashlib
import json
import random
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path

import click
import numpy as np

from analysis import ladder_folder, sweep_folder, targets, tune_folder
from analysis.blocks import line_ups, read_blocks
from analysis.cards import card_impact
from cli.options import Count
from simcore import bots, cardset, request, runlog, weights
from simcore import game as games
from simcore.cardset import vary
from simcore.errors import FairdealError
from strategies import course, lessons, train
from tests.analysis.fake_run import FakeRun, write
from tests.fuzz import mutations
from tests.fuzz.mutations import Mutate

GAMES = ("lost-cities", "vaalbara", "valletta", "lisboa")
PACKAGE = Path(cardset.__file__).parents[2]
RUN = FakeRun(blocks=12, blocks_per_shard=6, rounds=1)


@dataclass(frozen=True)
class Reader:
    """One reader: `read` takes the bytes of an input. `share` is how often it is chosen, `kind` how it is counted."""

    name: str
    kind: str
    share: float
    seeds: Sequence[bytes]
    mutate: Mutate
    read: Callable[[bytes], object] = field(repr=False)

    def made(self, seed: int, number: int) -> bytes:
        """The input of this number."""
        return self.mutate(random.Random((seed << 64) + (zlib.crc32(self.name.encode()) << 32) + number), self.seeds)

    def take(self, data: bytes) -> bool:
        """Read an input; tells whether it was accepted. Raises whatever is no error of a user."""
        try:
            self.read(data)
        except (FairdealError, click.UsageError) as error:
            said = str(error) if isinstance(error, FairdealError) else error.format_message()
            assert said.strip()
            assert len(said) < 2_000_000, "a message without end"
            return False
        return True


class Readers:
    """All readers; their files are in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    @cached_property
    def all(self) -> dict[str, Reader]:
        """The readers by name."""
        found = [*self._card_sets(), *self._texts(), *self._run(), *self._folders(), *self._fits(), *self._words()]
        return {reader.name: reader for reader in found}

    # --- card sets

    def _card_sets(self) -> list[Reader]:
        found = []
        for name in GAMES:
            schema = games.get(name).schema
            sets = [path for path in sorted(schema.card_sets.iterdir()) if path.is_dir()]
            for file in ("rules.toml", *(f"{table.name}.csv" for table in schema.tables)):
                seeds = [path.joinpath(file).read_bytes() for path in sets]
                share = 10 if name == "lost-cities" else 0.3
                read = self._in_folder(schema, sets[0], file)
                found.append(Reader(f"{name} {file}", "card sets", share, seeds, mutations.text, read))
            books = [self._book(schema, name, ending) for ending in (".xlsx", ".ods")]
            share = 6 if name == "lost-cities" else 0.5
            read = self._one_file(f"{name}.book", lambda path, schema=schema: cardset.load(schema, path))
            found.append(Reader(f"{name} workbook", "workbooks", share, books, mutations.archive, read))
        return found

    def _in_folder(self, schema: cardset.Schema, sound: Path, file: str) -> Callable[[bytes], object]:
        folder = self.folder / schema.game / file
        folder.mkdir(parents=True)
        for path in sound.iterdir():
            if path.is_file():
                folder.joinpath(path.name).write_bytes(path.read_bytes())

        def read(data: bytes) -> object:
            folder.joinpath(file).write_bytes(data)
            found = cardset.load(schema, folder)
            return cardset.in_words(found) if len(data) % 16 == 0 else found

        return read

    def _book(self, schema: cardset.Schema, name: str, ending: str) -> bytes:
        """A workbook of the game's default set, packed without loss of time."""
        path = self.folder / f"{name}-seed{ending}"
        cardset.export(cardset.load(schema, games.get(name).default_card_set), path, "mine")
        return path.read_bytes()

    def _one_file(self, name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
        path = self.folder / name

        def read_bytes(data: bytes) -> object:
            path.write_bytes(data)
            return read(path)

        return read_bytes

    # --- files of their own

    def _texts(self) -> list[Reader]:
        stated = [path.read_bytes() for path in sorted((PACKAGE / "analysis/stated").glob("*.toml"))]
        linear = [path.read_bytes() for path in sorted((PACKAGE / "strategies/weights").glob("*.toml"))]
        small = [b'game = "lost-cities"\nbot = "linear"\n[weights]\nplay = -0.5\nnet_play = [0.2, -0.1]\n[seats.3]\n'
                 b'play = 1\n[fitted]\nseed = 1\n[[fitted.strength]]\nagainst = "x"\n']  # fmt: skip

        def bot(path: Path) -> object:
            bots._admitted.clear()
            return bots.admit("lost-cities", str(path))

        return [
            Reader("targets", "targets", 60, stated, mutations.text, self._one_file("t.toml", targets.read)),
            Reader(
                "weights", "weights", 20, [*small, *linear], mutations.text, self._one_file("w.toml", weights.read)
            ),
            Reader("bot of weights", "weights", 5, linear, mutations.text, self._one_file("b.toml", bot)),
        ]

    # --- a run folder

    def _run(self) -> list[Reader]:
        run = write(self.folder / "run", RUN)
        described = run.path.joinpath(runlog.MANIFEST).read_bytes()
        lines = run.path.joinpath(runlog.SHARDS).read_bytes()
        stops = [b'{"blocks": 6, "why": "the answer is known"}\n']
        found = [
            Reader(
                "manifest", "run folders", 20, [described], mutations.json_document, self._run_file("manifest.json")
            ),
            Reader(
                "line of shards",
                "run folders",
                300,
                lines.splitlines(),
                mutations.json_document,
                runlog.Lines(run.manifest).decode,
            ),
            Reader("shards", "run folders", 10, [lines], mutations.text, self._run_file(runlog.SHARDS)),
            Reader("stopped", "run folders", 60, stops, mutations.json_document, self._run_file(runlog.STOPPED)),
        ]
        for table in run.tables:
            seeds = [runlog.part_path(run.path, table, 0).read_bytes()]
            read = self._part(table)
            found.append(Reader(f"part of {table}", "Parquet files", 6, seeds, mutations.parquet, read))
        return found

    def _run_file(self, name: str) -> Callable[[bytes], object]:
        run = write(self.folder / f"run-{name}", RUN)

        def read(data: bytes) -> object:
            run.path.joinpath(name).write_bytes(data)
            opened = runlog.open_run(run.path)
            return opened.complete, opened.games, opened.blocks, opened.columns, line_ups(opened.manifest)

        return read

    def _part(self, table: str) -> Callable[[bytes], object]:
        """Reads a part whose size and checksum are right, and analyses what it holds as a report does."""
        run = write(self.folder / f"run-of-{table}", RUN)
        path = runlog.part_path(run.path, table, 0)
        line_up = line_ups(run.manifest)[0]

        def read(data: bytes) -> object:
            path.write_bytes(data)
            part = replace(run.shards[0].tables[table], bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
            shard = replace(run.shards[0], tables={**run.shards[0].tables, table: part})
            told = replace(run, shards={**run.shards, 0: shard})
            told.read_part(table, 0, [column.name for column in run.columns[table]])
            if table == "cards":
                return card_impact(told, line_up, threads=1)
            return read_blocks(told, line_up, 1)

        return read

    # --- folders of several runs

    def _folders(self) -> list[Reader]:
        sweep = {
            "format": sweep_folder.FORMAT,
            "version": "0.1.0",
            "game": "made-up",
            "card_set": {"name": "base", "hash": "0" * 64},
            "axes": [
                {"path": "rules.x", "values": [1, 2], "base": 1, "base_added": False, "unit": "", "meaning": "x"},
                {
                    "path": "cards.a.y",
                    "values": ["p", None],
                    "base": "p",
                    "base_added": True,
                    "unit": "",
                    "meaning": "",
                },
            ],
            "points": [
                {"folder": sweep_folder.point_folder(number), "values": list(values), "plan_hash": "0" * 64}
                for number, values in enumerate([(1, "p"), (1, None), (2, "p"), (2, None)])
            ],
            "base": 0,
        }
        speed = {"format": ladder_folder.FORMAT, "bots": {"expert": {"microseconds": 1.5, "decisions": 100}}}
        log = b'{"format": "%b", "seed": 1}\n' % tune_folder.FORMAT.encode()
        log += b'{"values": [1, 2], "price": 0.1, "miss": 2.5, "part": 1.0, "on_the_way": [3.0]}\n'
        log += b'{"values": [3, 2], "price": 0.1, "miss": Infinity, "part": 0.0, "on_the_way": []}\n'

        def tuned(path: Path) -> object:
            return tune_folder._read(path, {"format": tune_folder.FORMAT, "seed": 1})

        made = json.dumps(sweep).encode()
        return [
            Reader("sweep", "other folders", 100, [made], mutations.json_document,
                   self._one_file("sweep.json", lambda path: sweep_folder.open_sweep(path.parent))),
            Reader("speed", "other folders", 100, [json.dumps(speed).encode()], mutations.json_document,
                   self._one_file("speed.json", lambda path: ladder_folder.read_speed(path.parent))),
            Reader("tuning", "other folders", 40, [log], mutations.text, self._one_file("candidates.jsonl", tuned)),
        ]  # fmt: skip

    # --- what a fit or a course of lessons keeps, to go on from

    def _fits(self) -> list[Reader]:
        game, cards = games.get("lost-cities"), cardset.load(games.get("lost-cities").schema, "base")
        fit = train.Settings("lost-cities", "linear", cards, (2,), ("heuristic",))
        generation: train.Generation = {
            "generation": 1, "costs": [0.5, -0.25], "next_deals": 20, "mark": "", "margins": {"heuristic": 1.5},
            "wins": {"heuristic": 0.5},
        }  # fmt: skip
        log = b"".join(json.dumps(line).encode() + b"\n" for line in (fit.entries(), generation))
        settings = course.Settings("lost-cities", "trained", cards, (2,))
        blank = lessons._blank(len(game.value_features), len(game.features))
        some = {one.name: np.zeros((2, *getattr(blank, one.name).shape[1:]), getattr(blank, one.name).dtype)
                for one in fields(lessons.Lessons)}  # fmt: skip
        some["count"][:] = 1
        return [
            Reader("log of a fit", "fits and lessons", 40, [log], mutations.text,
                   self._one_file("fit.jsonl", lambda path: train.open_log(path, fit, resume=True))),
            Reader("settings of a course", "fits and lessons", 40, [json.dumps(settings.entries()).encode()],
                   mutations.json_document,
                   self._one_file(course.SETTINGS, lambda path: course._open(path.parent, settings, resume=True))),
            Reader("lessons", "files of lessons", 3, [lessons.Lessons(**some).encode()], mutations.archive,
                   self._one_file("lessons.npz", lambda path: lessons.Lessons.read(path, game))),
        ]  # fmt: skip

    # --- words of the command line

    def _words(self) -> list[Reader]:
        base = cardset.load(games.get("lost-cities").schema, "base")
        counts = [b"5000", b"50_000", b"200k", b"5M", b"1.5M"]
        paths = [
            b"rules.expedition_cost=10:30:5",
            b"cards.*.value=0:15",
            b"cards.Y02.value=1,2",
            b"rules.hand_size=8",
        ]
        names = [
            b"uniform,expert",
            b"search:200",
            b"expert~10",
            b"search-tree:1_000~5",
            b"mine.py:cautious",
            b"x.toml",
        ]

        def of_count(data: bytes) -> object:
            return Count().convert(_word(data), None, None)

        def of_bots(data: bytes) -> object:
            return [bots.get("lost-cities", name) for name in request.split_names(_word(data))]

        return [
            Reader("--games", "words", 300, counts, mutations.text, of_count),
            Reader("--vary", "words", 100, paths, mutations.text, lambda data: _axes(base, _word(data))),
            Reader("--bots", "words", 200, names, mutations.text, of_bots),
        ]


def _word(data: bytes) -> str:
    """A word as Python gets it from the command line, where no zero can stand."""
    return data.replace(b"\0", b"").decode("utf-8", "surrogateescape")


def _axes(card_set: cardset.CardSet, word: str) -> object:
    axes = vary.read(card_set, vary.expand(card_set, [word])[:3])
    return [vary.edited(card_set, {axis.path: axis.values[0]}) for axis in axes[:1]]


def sound(readers: Mapping[str, Reader]) -> dict[str, int]:
    """How many of the seeds of each reader it does not accept: none, if all is well."""
    return {name: sum(not reader.take(seed) for seed in reader.seeds) for name, reader in readers.items()}
