"""Weights files: the weights of a bot as TOML, with where they come from. `--bots weights.toml` plays them.

    game = "lost-cities"
    bot = "linear"            whose policy plays with these weights; linear where nothing is said

    [weights]                 every parameter of that bot, by its name
    play = -0.81
    net_play = [0.2, -0.1]    short for the parameters net_play.0 and net_play.1

    [seats.3]                 if you like: other weights at a table of 3, again all of them
    play = -0.75

    [fitted]                  how they were found and how strong they are, for people

A weights file is data: reading it runs nothing.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simcore import toml
from simcore.errors import InputError, shown
from simcore.files import write_file
from simcore.game import unknown
from simcore.given import refuse_other

SUFFIX = ".toml"
DEFAULT_BOT = "linear"
TABLES = ("weights", "seats", "fitted")
KEYS = ("game", "bot", *TABLES)
LARGEST = 1e100
"""No weight is larger than this, to either side: sums of products stay finite. Neither nan nor inf lies within."""
HEAD = "# Weights of a bot for fairdeal. Name this file where a bot is named: fairdeal balance {game} --bots {name}\n"

Named = Mapping[str, float]


@dataclass(frozen=True)
class Weights:
    """The content of a weights file: weights by the name of the parameter, in the order of the file.

    `seats` are those for a number of seats, where it has its own. `fitted` is the provenance, plain TOML data.
    """

    game: str
    bot: str
    weights: Named
    seats: Mapping[int, Named] = field(default_factory=dict)
    fitted: Mapping[str, Any] = field(default_factory=dict)


def read(path: str | Path) -> Weights:
    """The content of a weights file; which parameters the bot has is checked by `in_order`.

    Raises InputError where the file cannot be read, is not TOML, or says something else than a weights file says.
    """
    content = toml.read(path, "weights file")
    refuse_other(content, path, "weights file")
    for key in content:
        if key not in KEYS:
            raise InputError(f"weights file {path}: {unknown('entry', key, list(KEYS))}")
    for key in ("game", "bot"):
        if not isinstance(content.get(key, ""), str):
            raise InputError(f"weights file {path}: {key} is a name, as in {key} = {_example(key)}.")
    for key in TABLES:
        if not isinstance(content.get(key, {}), dict):
            raise InputError(f"weights file {path}: {key} is a table, which begins with a line [{key}].")
    if not content.get("game"):
        raise InputError(f'weights file {path} does not say for which game it is, as in game = "lost-cities".')
    if "weights" not in content:
        raise InputError(f"weights file {path} has no table [weights].")
    seats = {
        _seats(path, key): _numbers(path, f"seats.{key}", table) for key, table in content.get("seats", {}).items()
    }
    return Weights(
        game=content["game"],
        bot=content.get("bot", DEFAULT_BOT),
        weights=_numbers(path, "weights", content["weights"]),
        seats=seats,
        fitted=content.get("fitted", {}),
    )


def _example(key: str) -> str:
    return '"lost-cities"' if key == "game" else f'"{DEFAULT_BOT}"'


def _seats(path: str | Path, key: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", key):
        raise InputError(f"weights file {path}: [seats.{key[:60]}] is not for a number of seats, as [seats.3] is.")
    return int(key)


def _numbers(path: str | Path, where: str, table: Any) -> Named:
    if not isinstance(table, dict):
        raise InputError(f"weights file {path}: {where} is a table, which begins with a line [{where}].")
    found = dict(_spread(table))
    for name, value in found.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
            raise InputError(
                f"weights file {path}, [{where}]: {name} is a number, not {shown(value)} (at most {LARGEST:g})."
            )
    return {name: float(value) for name, value in found.items()}


def _spread(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each parameter of a table with its value, those of lists one by one."""
    for name, value in table.items():
        if isinstance(value, list):
            yield from ((f"{name}.{number}", one) for number, one in enumerate(value))
        else:
            yield name, value


def _gathered(weights: Named) -> Mapping[str, Any]:
    """The table in which parameters with numbers (net_play.0, net_play.1) are lists: what `_spread` takes apart."""
    table: dict[str, Any] = {}
    for name, value in weights.items():
        stem, _, number = name.rpartition(".")
        if stem and number == str(len(table.get(stem, ()))):
            table.setdefault(stem, []).append(value)
        else:
            table[name] = value
    return table


def in_order(path: str | Path, where: str, weights: Named, parameters: tuple[str, ...]) -> tuple[float, ...]:
    """The values of the table `where` in the order of the bot's parameters.

    Raises InputError for a name that is no parameter of the bot, with the nearest, and for a parameter without a value.
    """
    for name in weights:
        if name not in parameters:
            raise InputError(f"weights file {path}, [{where}]: {unknown('parameter', name, list(parameters))}")
    missing = [name for name in parameters if name not in weights]
    if missing:
        raise InputError(f"weights file {path}, [{where}]: there is no value for {', '.join(missing)}.")
    return tuple(weights[name] for name in parameters)


# --- Writing ---------------------------------------------------------------------------------------------------------


def write(path: str | Path, weights: Weights) -> None:
    """Write a weights file, whole or not at all. Raises InputError or JobError where the system refuses."""
    write_file(Path(path), encode(weights, Path(path).name).encode())


def encode(weights: Weights, name: str = "weights.toml") -> str:
    """The text of a weights file; `name` is what its first line calls it."""
    lines = [HEAD.format(game=weights.game, name=name)]
    lines += [f"game = {_value(weights.game)}\n", f"bot = {_value(weights.bot)}\n"]
    lines += _table("weights", _gathered(weights.weights))
    for seats, table in sorted(weights.seats.items()):
        lines += _table(f"seats.{seats}", _gathered(table))
    if weights.fitted:
        lines += _table("fitted", weights.fitted)
    return "".join(lines)


def _table(name: str, table: Mapping[str, Any]) -> list[str]:
    """A table; tables in it, and lists of tables, follow its plain values."""
    inner = {key: value for key, value in table.items() if _is_table(value) or _is_tables(value)}
    lines = [f"\n[{name}]\n", *_entries({key: value for key, value in table.items() if key not in inner})]
    for key, value in inner.items():
        if _is_table(value):
            lines += _table(f"{name}.{_key(key)}", value)
        else:
            for one in value:
                lines += [f"\n[[{name}.{_key(key)}]]\n", *_entries(one)]
    return lines


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(_is_table(one) for one in value)


def _entries(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}\n" for key, value in table.items()]


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def _value(value: Any) -> str:
    """A plain value; a string of TOML may be written as one of JSON, but for the sign DEL."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)
