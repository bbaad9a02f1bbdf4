"""The file of a workbook: a zip archive with XML parts, read with bounds on everything that a file can make large.

Both kinds of workbook are read by own code (read_xlsx.py, read_ods.py), because the libraries take a file's word for
its size: with python-calamine 0.9 two far cells in a file of 1.4 kB end the process (it allocates the rectangle between
them), and openpyxl 3.1 does not come to an end with one merged range of the whole sheet. Nor do they tell all that a
message needs: python-calamine hides formulas, openpyxl hides merged cells or results; and odfpy is not kept any more.
"""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import ParseError, XMLParser

from simcore.errors import InputError
from simcore.files import read_bytes

MOST_BYTES = 16 * 2**20  # of all parts that are read, unpacked; a card set of a thousand rows has about a fiftieth
DEEPEST = 64  # elements in elements; spreadsheet programs write about ten
PICTURES = 4  # times as large may the file be, for what is in it and not read
MOST_PARTS = 10_000  # of the archive, pictures and all
CHUNK = 2**16

DAMAGED = "a workbook that a spreadsheet program opens"
SMALL = "a workbook with nothing but the card set"
# What zipfile and the unpackers raise of a damaged file.
DAMAGES = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError, struct.error,
           OverflowError)  # fmt: skip
ZIP = b"PK"
OLD_OFFICE = bytes.fromhex("D0CF11E0A1B11AE1")
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


class BadWorkbook(Exception):
    """A file that cannot be read as a workbook; the message ends the sentence "this file …"."""

    def __init__(self, what: str, allowed: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.allowed = allowed


class Event(NamedTuple):
    """A step through an XML part: `kind` is start, end or text; `name` is the element's (its namespace in braces),
    `local` the same without the namespace.
    """

    kind: str
    name: str
    local: str
    attributes: Mapping[str, str]
    text: str


def local(name: str) -> str:
    """The name of an element or attribute without its namespace."""
    return name.rpartition("}")[2]


class _Listener:
    """What an XML parser calls: collects the steps, and refuses the declarations that can make a small file large."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._locals: dict[str, str] = {}
        self._ends: dict[str, Event] = {}
        self._depth = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name not in self._locals:
            self._locals[name] = local(name)
            self._ends[name] = Event("end", name, local(name), {}, "")
        self._depth += 1
        if self._depth > DEEPEST:
            raise BadWorkbook("is damaged (elements in elements without end)", DAMAGED)
        self.events.append(Event("start", name, self._locals[name], attributes, ""))

    def end(self, name: str) -> None:
        self._depth -= 1
        self.events.append(self._ends[name])

    def data(self, text: str) -> None:
        self.events.append(Event("text", "", "", {}, text))

    def doctype(self, name: str, public: str | None, system: str | None) -> None:
        raise BadWorkbook("declares a document type, which no spreadsheet program writes")

    def close(self) -> None:
        pass


class Archive:
    """The parts of a workbook file; as a context manager it is closed at the end. Raises BadWorkbook in every method,
    OSError for what the operating system refuses.
    """

    def __init__(self, path: Path) -> None:
        try:
            data = read_bytes(path, PICTURES * MOST_BYTES, links=True)
        except InputError as error:
            raise too_large() from error
        start = data[: len(OLD_OFFICE)]
        if not start.startswith(ZIP):
            raise _no_zip(start, data[len(start) :])
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            self.names = frozenset(self._zip.namelist())
        except DAMAGES as error:
            raise BadWorkbook(f"is damaged ({error})", DAMAGED) from error
        if len(self.names) > MOST_PARTS:
            raise BadWorkbook(f"has more than {MOST_PARTS:,} parts", SMALL)
        self._left = MOST_BYTES

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *error: object) -> None:
        self._zip.close()

    def events(self, part: str) -> Iterator[Event]:
        """The steps through an XML part, as it is read."""
        listener = _Listener()
        parser = XMLParser(target=listener)
        try:
            for chunk in self.chunks(part):
                parser.feed(chunk)
                yield from listener.events
                listener.events.clear()
            parser.close()
        except (ParseError, LookupError, ValueError) as error:  # the last two: of encodings that Python does not read
            raise BadWorkbook(f"is damaged ({part}: {error})", DAMAGED) from error
        yield from listener.events

    def chunks(self, part: str) -> Iterator[bytes]:
        """The bytes of a part, unpacked."""
        if part not in self.names:
            raise BadWorkbook(f"is damaged (it has no {part})", DAMAGED)
        try:
            with self._zip.open(part) as file:
                while chunk := file.read(CHUNK):
                    self._left -= len(chunk)
                    if self._left < 0:
                        raise too_large()
                    yield chunk
        except DAMAGES as error:
            if "password" in str(error):  # zipfile has no error of its own for this
                raise locked() from error
            raise BadWorkbook(f"is damaged ({part}: {error})", DAMAGED) from error


def too_large() -> BadWorkbook:
    """What is said of a file that is larger than all card sets, or becomes so."""
    return BadWorkbook(f"is too large: more than {MOST_BYTES // 2**20} MiB, unpacked", SMALL)


def locked() -> BadWorkbook:
    """What is said of a file with a password."""
    return BadWorkbook("is protected by a password", "a workbook saved without a password")


def _no_zip(start: bytes, more: bytes) -> BadWorkbook:
    """What is said of a file that is no zip archive, by how it begins."""
    allowed = "a workbook saved as .xlsx or .ods"
    if start == OLD_OFFICE:
        return locked() if ENCRYPTED in more else BadWorkbook("is a workbook of the old kind (.xls)", allowed)
    if not start:
        return BadWorkbook("is empty", allowed)
    try:
        text = (start + more[: CHUNK - 4]).decode("utf-8-sig", errors="strict" if len(more) < CHUNK else "ignore")
    except UnicodeDecodeError:
        text = "\0"
    if text.lstrip()[:1] == "<":
        return BadWorkbook("is a page of HTML or XML, not a workbook", allowed)
    if "\0" not in text:
        return BadWorkbook("is a text file (a CSV file?), not a workbook", f"{allowed}, or a folder with CSV files")
    return BadWorkbook("is no workbook", allowed)
