"""The linear bot, for any game: an action's score is the weighted sum of its features, and the best score wins.

The weights of a game are in weights/<game>.json, or for each number of seats in weights/<game>-<seats>.json, fitted by
strategies/train.py, with how they were found.
"""

import json
from pathlib import Path
from typing import Any

from numba import njit

from simcore.bits import NONE, first, lowest
from simcore.bots import Bot
from simcore.game import features

WEIGHTS = Path(__file__).parent / "weights"


@njit
def linear(public, me, cards, options, noise, mind):
    """The option of the highest score; of equals, the first."""
    best, chosen = 0.0, -1
    for word in range(options.start, options.stop):
        mask = options.mask[word]
        while mask != NONE:
            action = 64 * word + lowest(mask)
            mask ^= first(mask)
            features(public, me, cards, action, mind)
            points = 0.0
            for i in range(mind.features.shape[0]):
                points += mind.weights[i] * mind.features[i]
            if chosen < 0 or points > best:
                best, chosen = points, action
    return chosen


def load(path: Path) -> dict[str, Any]:
    """A file of weights: `game`, `weights` (by name, in the order of the game's features), `fitted` (how).

    `seats` is there where the weights are for one number of seats.
    """
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def shipped() -> tuple[Bot, ...]:
    """The bot of every game that has weights."""
    files = [load(path) for path in sorted(WEIGHTS.glob("*.json"))]
    return tuple(_bot(game, [file for file in files if file["game"] == game]) for game in _games(files))


def _games(files: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(file["game"] for file in files))


def _bot(game: str, files: list[dict[str, Any]]) -> Bot:
    """The bot of a game, of one file for all numbers of seats or of one for each."""
    text = "Scores every action by a weighted sum of what it means; the weights were fitted by play."
    common: tuple[float, ...] = ()
    of_seats: dict[int, tuple[float, ...]] = {}
    for file in files:
        weights = tuple(file["weights"].values())
        if "seats" in file:
            of_seats[file["seats"]] = weights
        else:
            common = weights
    return Bot("linear", game, "trained", text, linear, common, seat_weights=of_seats)


BOTS = shipped()
