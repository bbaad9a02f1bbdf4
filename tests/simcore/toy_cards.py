"""A toy game with two tables, for the tests of card sets; no cards are played with it."""

from collections.abc import Sequence
from pathlib import Path

from simcore.cardset import CardSet, Column, Problem, Scalar, Schema, Table, derived_problems

RULES = """\
name = "mine"
game = "toy"
size = 4
reading = "strict"
motto = "Play fair"
"""
UNITS = """\
key,power,side,title,double,remark
knight,5,light,The Knight,10,
orc,-2,dark,The Orc,-4,"big, green"
"""
LANDS = """\
number,owner
1,orc
2,elf
"""


def check_toy(card_set: CardSet) -> Sequence[Problem]:
    units = card_set.tables["units"]
    problems = []
    if card_set.scalars["size"] is not None and card_set.scalars["size"] < len(units):
        problems.append(Problem.of_scalar("size", card_set.scalars["size"], "is less than the number of units"))
    if all(row["power"] is not None for row in units):
        problems += derived_problems("units", units, {"double": [2 * row["power"] for row in units]})
    return problems


TOY = Schema(
    game="toy",
    title="A Toy",
    package="toy_game",
    scalars=(
        Scalar("size", "int", "Size of the table", "units", 1, 9),
        Scalar("reading", "choice", "How the marks are read", choices=("strict", "loose")),
        Scalar("motto", "text", "What stands on the box"),
    ),
    tables=(
        Table(
            "units",
            "key",
            "The units.",
            (
                Column("key", "id", "name"),
                Column("power", "int", "strength", "points", -3),
                Column("side", "choice", "side", choices=("light", "dark")),
                Column("title", "text", "what people read"),
                Column("double", "int", "twice the power", role="derived"),
                Column("remark", "text", "anything", role="note"),
            ),
        ),
        Table("lands", "number", "The lands.", (Column("number", "int", "number"), Column("owner", "word", "owner"))),
    ),
    check=check_toy,
)


def write(folder: Path, changes: dict[str, str | bytes | None]) -> Path:
    """A folder with the toy set, some files changed or (None) left out."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, str | bytes | None] = {"rules.toml": RULES, "units.csv": UNITS, "lands.csv": LANDS, **changes}
    for name, content in files.items():
        if content is not None:
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def install(packages: Path) -> None:
    """The toy game's package with its shipped card set, in a folder that is to be imported from."""
    package = packages / "toy_game"
    write(package / "cardsets" / "standard", {"rules.toml": RULES.replace("mine", "standard").replace("4", "5")})
    (package / "__init__.py").touch()
