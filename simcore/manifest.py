"""A run's manifest: everything that analysis and reports need to know about a run besides its tables.

It is one JSON file, written when the run begins and never changed. Game, card set and bots are described in it by what
they declare, so that a reader needs none of them.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Any, NotRequired

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict  # pydantic asks for this one on Python 3.11

from simcore import sealed, strict_json
from simcore.errors import DamagedError, InputError, printable, shown
from simcore.plan import Cut, LogLevel, Plan, plan_problems

if TYPE_CHECKING:
    from simcore.bots import Bot
    from simcore.game import Game, Measure

FORMAT = "fairdeal-run/3"

MOST_BYTES = 1 << 24  # of the file; that of a game of hundreds of cards has about a hundredth
LONGEST_TEXT = 10_000  # letters
MOST_SAID = 8  # line-ups that a message names
# What a run may declare: codes are bytes in its tables, ways of a card to come and to go two bits each.
MOST_CODES, MOST_GAINS, MOST_FATES = 256, 3, 3
MOST_CARDS, MOST_MEASURES = 10_000, 256


class CardSetEntry(TypedDict):
    """The card set: its name, and SHA-256 (hex) over what it says."""

    name: str
    hash: str


class BotEntry(TypedDict):
    """A bot: its name, its strength in a word, a hash of its policy and weights, and a sentence on what it does."""

    name: str
    tier: str
    hash: str
    text: str


class MeasureEntry(TypedDict):
    """A score part or a counter: its name, its unit, a sentence on what it counts, and its family where it has one."""

    name: str
    unit: str
    text: str
    family: NotRequired[str]


class CardEntry(TypedDict):
    """A card of the card log; cards of one type are copies of each other, to be summed. What the fields mean:
    `simcore.game.LoggedCard`. Runs of older versions do not name the rows.
    """

    id: str
    label: str
    type: str
    group: str
    in_hand: bool
    tallied: bool
    side_of: str
    rows: NotRequired[list[str]]


class Manifest(TypedDict):
    """The manifest of a run.

    `line_ups` hold indices into `bots`. Small integers in the tables are indices into `ends`, `decisions`, `gains` and
    `fates`. `when_unit` is the number of turns in a step of a card's time, `when` says what turns these are. `tallies`
    are what is counted of tallied cards. `endings` are the `ends` in words. `standing` says what the game's running
    score means, `caveat` which values of the shipped card sets stand in no source.
    """

    format: str
    version: str
    game: str
    title: str
    seats: int
    card_set: CardSetEntry
    bots: list[BotEntry]
    line_ups: list[list[int]]
    games_per_line_up: int
    blocks_per_shard: int
    seed: int
    log: LogLevel
    ends: list[str]
    endings: list[str]
    decisions: list[str]
    parts: list[MeasureEntry]
    counters: list[MeasureEntry]
    gains: list[str]
    fates: list[str]
    tallies: list[str]
    when_unit: int
    when: str
    standing: str
    caveat: str
    cards: list[CardEntry]
    first_player: bool
    score_unit: str
    round_is_game: bool
    plan_hash: str


_MANIFEST = TypeAdapter(Manifest)


def make_manifest(plan: Plan, game: "Game", bots: Sequence["Bot"]) -> Manifest:
    """The manifest of a plan; `bots` are those that the plan names, in its order."""
    return {
        "format": FORMAT,
        "version": version(),
        "game": plan.game,
        "title": game.title,
        "seats": plan.seats,
        "card_set": {"name": plan.card_set.name, "hash": plan.card_set.hash},
        "bots": [{"name": bot.name, "tier": bot.tier, "hash": bot.hash, "text": bot.text} for bot in bots],
        "line_ups": [list(line_up) for line_up in plan.line_ups],
        "games_per_line_up": plan.games_per_line_up,
        "blocks_per_shard": plan.blocks_per_shard,
        "seed": plan.seed,
        "log": plan.log,
        "ends": list(game.ends),
        "endings": list(game.endings or game.ends),
        "decisions": list(game.decisions),
        "parts": [_measure(part) for part in game.parts],
        "counters": [_measure(counter) for counter in game.counters],
        "gains": list(game.gains),
        "fates": list(game.fates),
        "tallies": list(game.tallies),
        "when_unit": game.when_unit,
        "when": game.when,
        "standing": game.standing,
        "caveat": game.caveat,
        "cards": [
            {
                "id": card.id,
                "label": card.label,
                "type": card.type,
                "group": card.group,
                "in_hand": card.in_hand,
                "tallied": card.tallied,
                "side_of": card.side_of,
                "rows": list(card.rows),
            }
            for card in game.log_cards(plan.card_set, plan.seats)
        ],
        "first_player": game.first_player,
        "score_unit": game.score_unit,
        "round_is_game": game.round_is_game(plan.card_set),
        "plan_hash": plan.hash,
    }


def without_rows(manifest: Manifest) -> Manifest:
    """The manifest as older versions wrote it, which did not name the rows of cards."""
    cards: Any = [{key: value for key, value in card.items() if key != "rows"} for card in manifest["cards"]]
    return {**manifest, "cards": cards}


def _measure(measure: "Measure") -> MeasureEntry:
    entry: MeasureEntry = {"name": measure.name, "unit": measure.unit, "text": measure.text}
    return {**entry, "family": measure.family} if measure.family else entry


def version() -> str:
    """The version of fairdeal that is running."""
    try:
        return metadata.version("fairdeal")
    except metadata.PackageNotFoundError:
        return "not installed"


def cut(manifest: Manifest) -> Cut:
    """How the run is cut into shards."""
    blocks = manifest["games_per_line_up"] // manifest["seats"]
    return Cut(len(manifest["line_ups"]), blocks, manifest["blocks_per_shard"])


def fingerprint(manifest: Manifest) -> str:
    """SHA-256 (hex) over all that the manifest says: what shows that a shard belongs to this very run."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def encode(manifest: Manifest) -> bytes:
    """The manifest as the bytes of its file, with its checksum."""
    return sealed.seal(manifest, indent=1)


def decode(data: bytes, where: str) -> Manifest:
    """The manifest from the bytes of the file `where`. Raises DamagedError if it is damaged, InputError if it is of
    another format.
    """
    restore = "Resume the run (--resume), which writes it again, or restore the file from a copy."
    try:
        content = sealed.unseal(data)
    except sealed.MismatchError as error:
        raise DamagedError(f"{where} is damaged: {error}. {restore}") from error
    except ValueError as error:
        raise DamagedError(f"{where} is damaged: it is not JSON ({error}). {restore}") from error
    found = content.get("format")
    if found != FORMAT:
        by = f" by fairdeal {printable(str(content['version'])[:40])}" if "version" in content else ""
        raise InputError(
            f"{where} is not a manifest that this version can read: it was written{by} in the format {shown(found)}, "
            f"and fairdeal {version()} reads {FORMAT!r}. Read it with the version that wrote it, or play the run again."
        )
    try:
        manifest = _MANIFEST.validate_python(content, strict=True)
    except ValidationError as error:
        raise DamagedError(f"{where} is damaged: {in_words(error)}. {restore}") from error
    problems = list(_contradictions(manifest))
    if problems:
        raise DamagedError(f"{where} is damaged: {'; '.join(problems)}. {restore}")
    return manifest


def in_words(error: ValidationError) -> str:
    """The first of what a file has wrong by its schema, with the place of each."""
    told = [(".".join(map(str, each["loc"])), each["msg"]) for each in error.errors(include_input=False)[:5]]
    return "; ".join(f"{place[:200]}: {message[:200]}" for place, message in told)


def _contradictions(manifest: Manifest) -> Iterator[str]:
    """What no run's manifest says, though its entries are of the right types."""
    if not strict_json.is_plain(manifest, LONGEST_TEXT):
        yield f"a text cannot be printed, or is of more than {LONGEST_TEXT:,} letters"
    yield from plan_problems(
        manifest["seats"],
        [bot["name"] for bot in manifest["bots"]],
        [tuple(line_up) for line_up in manifest["line_ups"]],
        manifest["games_per_line_up"],
        manifest["blocks_per_shard"],
        manifest["seed"],
        manifest["log"],
    )
    ids = [card["id"] for card in manifest["cards"]]
    most = {"ends": MOST_CODES, "decisions": MOST_CODES, "gains": MOST_GAINS, "fates": MOST_FATES, "cards": MOST_CARDS,
            "parts": MOST_MEASURES, "counters": MOST_MEASURES, "tallies": MOST_CODES}  # fmt: skip
    for key, count in most.items():
        if len(manifest[key]) > count:  # type: ignore[literal-required]  # they are its keys
            yield f"there are more than {count} {key}"
    checks = (
        ("when_unit is less than 1", manifest["when_unit"] < 1),
        ("ends and endings are not of one length", len(manifest["ends"]) != len(manifest["endings"])),
        ("a card stands there twice", len(set(ids)) < len(ids)),
    )
    yield from (problem for problem, found in checks if found)


ASKED = {
    "format": "format",
    "version": "version of fairdeal",
    "game": "game",
    "seats": "seats",
    "card_set": "card set",
    "bots": "bots",
    "line_ups": "who plays whom",
    "games_per_line_up": "games a line-up",
    "seed": "seed",
    "log": "log level",
}
"""What a user asks for, in words; all else in a manifest follows from it and from the code."""


def differences(one: Manifest, other: Manifest, names: tuple[str, str] = ("the run", "the plan")) -> list[str]:
    """What differs between two manifests, a phrase each in a user's words: by default those of a run and of the plan
    that wants to go on with it. What follows from an entry that differs, as the line-ups from the bots, is left out.
    """
    asked = [key for key in ASKED if one[key] != other[key]]  # type: ignore[literal-required]  # they are its keys
    if "bots" in asked and one["line_ups"] != other["line_ups"] and _names(one) != _names(other):
        asked.remove("line_ups")
    if asked:
        return [f"{ASKED[key]} ({_difference(key, one, other, names)})" for key in asked]
    if one["blocks_per_shard"] != other["blocks_per_shard"]:
        have, want = one["blocks_per_shard"], other["blocks_per_shard"]
        return [f"deals a shard ({names[0]} has {have:,}, {names[1]} {want:,}), though all that was asked for is equal"]
    declared = [key for key in one if key != "plan_hash" and one[key] != other[key]]  # type: ignore[literal-required]
    return [f"the code of the game, which declares other {', '.join(declared)}"] if declared else []


def _difference(key: str, one: Manifest, other: Manifest, names: tuple[str, str]) -> str:
    """What differs between two entries, in a few words: the names where they differ, else which of them has changed."""
    have, want = _said(key, one), _said(key, other)
    if have != want:
        return f"{names[0]} has {have}, {names[1]} {want}"
    if key == "card_set":
        return f"the content of {have} has changed"
    changed = [old["name"] for old, new in zip(one["bots"], other["bots"], strict=True) if old != new]
    return f"the code or the weights of {', '.join(changed)} changed"


def _said(key: str, manifest: Manifest) -> str:
    """An entry of a manifest in a few words."""
    if key == "bots":
        return " and ".join(_names(manifest))
    if key == "line_ups":
        ups = [_line_up([_names(manifest)[bot] for bot in line_up]) for line_up in manifest["line_ups"]]
        more = [f"{len(ups) - MOST_SAID} more"] if len(ups) > MOST_SAID else []
        return " and ".join([*ups[:MOST_SAID], *more])
    value = manifest[key]  # type: ignore[literal-required]  # it is its key
    if key == "card_set":
        return str(value["name"])
    return f"{value:,}" if key == "games_per_line_up" else str(value)


def _names(manifest: Manifest) -> list[str]:
    return [bot["name"] for bot in manifest["bots"]]


def _line_up(bots: list[str]) -> str:
    return f"{bots[0]} against itself" if len(set(bots)) == 1 else " against ".join(bots)
