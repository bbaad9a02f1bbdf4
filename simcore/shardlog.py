"""The log of a run's finished shards: lines of JSON, a line a shard, in the order of finishing.

On a disk that is one file to which lines are appended. A store cannot append, so there the lines lie in segments,
RUN/shards/000000.jsonl and so on. The last segment is written again with each line, until it is full; then the next
one begins. So a line costs no more in a long run than in a short one, and is safe as soon as it is written. Who goes on
with a run begins a segment of his own, and none is begun over another: two writers cannot lose each other's lines.
"""

from contextlib import suppress
from pathlib import Path

from simcore.files import append_line, read_bytes, refusals, refuse_links, write_file
from simcore.places import address

SHARDS = "shards.jsonl"
SEGMENTS = "shards"
MOST_BYTES = 1 << 30  # of the lines of a run
FULL = 1 << 17  # bytes of a segment: some 300 shards, so a million shards are some 3,000 files to read


class ShardLog:
    """The log of the run in a folder. A run that was copied from a disk to a store, or back, may have both forms."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / SHARDS
        self._segments = folder / SEGMENTS
        self._store = address(self._segments)
        self._number: int | None = None  # of the segment that is being written
        self._content = b""

    def begin(self) -> None:
        """Begin an empty log."""
        if self._store is None:
            write_file(self._file, b"")

    def has_lines(self) -> bool:
        """Whether there is any line. Raises InputError for a link."""
        refuse_links(self._file)
        sizes = [] if self._store is None else list(self._store.sizes().values())
        with suppress(FileNotFoundError):
            sizes.append(self._file.stat().st_size)
        return any(sizes)

    def read(self, most: int) -> bytes:
        """All lines. Raises FileNotFoundError where there is no log (in a store, that is an empty one), InputError
        where it is larger than `most` bytes.
        """
        segments = b"".join(self._contents().values())
        try:
            return read_bytes(self._file, most) + segments
        except FileNotFoundError:
            if self._store is None and not segments:
                raise
            return segments

    def _contents(self) -> dict[Path, bytes]:
        """The segments with their content, in order."""
        if self._store is not None:
            found = self._store.read_all([name for name in self._store.sizes() if name.endswith(".jsonl")])
            return {self._segments / name: found[name] for name in sorted(found)}
        return {path: path.read_bytes() for path in sorted(self._segments.glob("*.jsonl"))}

    def append(self, lines: bytes) -> None:
        """Add lines, each with its line end. Raises InputError or JobError where the system refuses."""
        if self._store is None:
            append_line(self._file, lines)
            return
        content = self._content + lines
        with refusals(self._segments):
            if self._number is None or len(content) > FULL:
                self._begin_segment(lines)
            else:
                (self._store / _name(self._number)).write_bytes(content)
                self._content = content

    def _begin_segment(self, lines: bytes) -> None:
        """Write the first lines of a segment, of the first number that is free."""
        assert self._store is not None
        if self._number is None:
            names = [name for name in self._store.sizes() if name.endswith(".jsonl")]
            number = max((int(name.partition(".")[0]) for name in names), default=-1) + 1
        else:
            number = self._number + 1
        while True:
            with suppress(FileExistsError):
                (self._store / _name(number)).create(lines)
                self._number, self._content = number, lines
                return
            number += 1

    def keep(self, lines: bytes) -> None:
        """Let the log hold just these lines. Raises InputError or JobError where the system refuses."""
        kept = lines.splitlines(keepends=True)
        wanted = set(kept)
        with refusals(self._segments):
            whole = self.read(MOST_BYTES)
        if self._store is None and not self._contents():
            if sorted(whole.splitlines(keepends=True)) != sorted(kept):  # they stand in the order of finishing
                write_file(self._file, lines)
            return
        there = set(whole.splitlines(keepends=True))
        if new := b"".join(line for line in kept if line not in there):  # first, so that nothing is ever missing
            self.append(new)
        with refusals(self._segments):
            contents = self._contents()
            if self._file.exists():
                contents[self._file] = self._file.read_bytes()
        for path, content in contents.items():
            rest = b"".join(line for line in content.splitlines(keepends=True) if line in wanted)
            if rest != content:
                write_file(path, rest)


def _name(number: int) -> str:
    return f"{number:06d}.jsonl"
