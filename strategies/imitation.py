"""Learning from a bot's choices: how large features are in its games, and the weights that explain what it does."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import minimize

from simcore import records
from simcore.bits import NONE, first, lowest
from simcore.cardset import CardSet
from simcore.game import features, legal
from simcore.play import Table

Vector = NDArray[np.float64]

DECISIONS = 20_000  # of another bot, to be imitated
GLANCE = 2_000  # decisions that show how large features are
RIDGE = 1e-3  # keeps weights finite that the other bot's choices do not determine


@njit
def describe(state, cards, options, mind, rows):
    """The features of every option of the one to decide, a row each, in ascending order; returns their number."""
    public = state.public
    me = state.private[public.actor]
    legal(public, me, cards, options)
    row = 0
    for word in range(options.start, options.stop):
        mask = options.mask[word]
        while mask != NONE:
            features(public, me, cards, 64 * word + lowest(mask), mind)
            mask ^= first(mask)
            for i in range(rows.shape[1]):
                rows[row, i] = mind.features[i]
            row += 1
    return row


def observe(
    game: str, card_set: CardSet, seats: int, model: str, seed: int, decisions: int
) -> tuple[Vector, NDArray[np.int64], NDArray[np.int64]]:
    """A bot's decisions against itself.

    Returns the features of all options, a row each; the number of options of each decision; the row of the option it
    took.
    """
    table = Table(game, card_set, seats, (model,) * seats, seed)
    state, mind = table.state, records.zero(table.game.mind)
    kernel = table.engine.describer(describe)
    room = np.zeros((64 * len(table.options.mask), len(table.game.features)))
    rows: list[Vector] = []
    counts: list[int] = []
    taken: list[int] = []
    height, deal = 0, 0
    while len(taken) < decisions:
        pending: Any = None
        for step in table.steps(deal, 0):
            if pending is not None and len(pending) > 1:
                rows.append(pending)
                counts.append(len(pending))
                taken.append(height + step.options.index(step.action))
                height += len(pending)
            if state.public.actor >= 0:
                pending = room[: kernel(state, table.cards, table.options, mind, room)].copy()
        deal += 1
    return np.concatenate(rows), np.array(counts), np.array(taken)


def sizes(rows: Vector) -> Vector:
    """The root mean square of each feature (column); 1 for one that never showed."""
    found = np.sqrt((rows**2).mean(axis=0))
    found[found == 0] = 1.0
    return np.asarray(found, np.float64)


def imitate(
    game: str, card_set: CardSet, seats: Sequence[int], model: str, seed: int, decisions: int = DECISIONS
) -> tuple[Vector, Vector, float]:
    """The weights that make a bot's choices most likely where an option's odds are exp(weights . features): conditional
    logit (McFadden 1974) with a small ridge.

    Returns them, the features' sizes, and the share of decisions in which they take the bot's option.
    """
    observed = [observe(game, card_set, count, model, seed, decisions // len(seats)) for count in seats]
    rows = np.concatenate([part for part, _, _ in observed])
    counts = np.concatenate([part for _, part, _ in observed])
    above = np.cumsum([0, *(len(part) for part, _, _ in observed)])
    taken = np.concatenate([part + height for (_, _, part), height in zip(observed, above, strict=False)])
    starts = np.cumsum(counts) - counts
    size = sizes(rows)
    rows = rows / size

    def loss(weights: Vector) -> tuple[float, Vector]:
        score = rows @ weights
        score -= np.repeat(np.maximum.reduceat(score, starts), counts)
        odds = np.exp(score)
        total = np.add.reduceat(odds, starts)
        share = odds / np.repeat(total, counts)
        value = (np.log(total) - score[taken]).mean() + RIDGE * weights @ weights
        slope = (share @ rows - rows[taken].sum(axis=0)) / len(taken) + 2 * RIDGE * weights
        return float(value), slope

    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x
    score = rows @ found
    best = np.repeat(np.maximum.reduceat(score, starts), counts)
    return found / size, size, float((score == best)[taken].mean())
