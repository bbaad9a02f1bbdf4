"""The linear bot, for any game: an action's score is the weighted sum of its features, and the best score wins.

The weights of a game are in weights/<game>.toml, those for a number of seats that has its own in
weights/<game>-<seats>.toml, as `fairdeal train` writes them, with how they were found.
"""

from pathlib import Path

from numba import njit

from simcore import weights as weights_files
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


def shipped() -> tuple[Bot, ...]:
    """The bot of every game that has weights."""
    return tuple(_bot(path) for path in sorted(WEIGHTS.glob("*.toml")) if not _seats_of(path))


def _seats_of(path: Path) -> int:
    """The number of seats that a file is for, by its name; 0 where it is for all that have no file of their own."""
    _, _, last = path.stem.rpartition("-")
    return int(last) if last.isdigit() else 0


def _bot(path: Path) -> Bot:
    """The bot of a game: of its file, and of those for a number of seats beside it."""
    file = weights_files.read(path)
    names = tuple(file.weights)
    of_seats = {
        _seats_of(other): weights_files.in_order(other, "weights", weights_files.read(other).weights, names)
        for other in WEIGHTS.glob(f"{path.stem}-*{weights_files.SUFFIX}")
        if _seats_of(other)
    }
    text = "Scores every action by a weighted sum of what it means; the weights were fitted by play."
    weights = weights_files.in_order(path, "weights", file.weights, names)
    return Bot("linear", file.game, "trained", text, linear, weights, seat_weights=of_seats, parameters=names)


BOTS = shipped()
