"""Fits a bot's weights by play.

    python -m strategies.train lost-cities --bot linear --imitate expert --against heuristic,expert --out weights.json

The weights are improved by CMA-ES: each generation plays all its candidates on the same deals, in every seat, against
the named bots and against the latest of the fit's own earlier states, and the mean margin decides. With more than two
seats a candidate sits alone among equals, and its margin is over their mean. `--imitate` starts
from the weights that best explain another bot's choices (conditional logit), for bots that weigh a game's features;
without it the fit starts from the bot's own weights. The same arguments give the same weights.

`--seats 3` fits weights for that number of seats, `--seats 2,3,5` one set of weights on tables of all these sizes.
"""

import argparse
import json
import sys
from pathlib import Path

import click
import cma
import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import minimize

from simcore import bots as bot_registry
from simcore import cardset, records
from simcore import game as games
from simcore.bits import NONE, first, lowest
from simcore.errors import FairdealError, InputError
from simcore.game import features, legal
from simcore.play import Table
from strategies.linear import linear

Vector = NDArray[np.float64]

HELD_OUT = 1 << 20  # the first deal that is used for judging a result only
EARLIER = 3  # earlier states of the fit among the opponents
EVERY = 6  # generations between two such states
DECISIONS = 20_000  # of another bot, to be imitated
RIDGE = 1e-3  # keeps weights finite that the other bot's choices do not determine
LEAST_STEP = 0.1
ITSELF = "itself"


class Court:
    """Plays candidates for a bot's weights against opponents, on one table each."""

    def __init__(self, game: str, bot: str, card_set: str, seed: int, seats: int) -> None:
        self.game, self.bot, self.seed, self.seats = game, bot, seed, seats
        self.card_set = cardset.load(games.get(game).schema, card_set)
        self._tables: dict[str, Table] = {}

    def margins(self, weights: Vector, opponent: str | Vector, first: int, last: int) -> Vector:
        """The mean margin in each block first..last-1, over a field of a bot or of other weights of the same bot."""
        points = self._points(weights, opponent, first, last)
        game = np.arange(len(points))
        own = points[game, -game % self.seats]  # in rotation r the first of the line-up sits in seat -r
        margin = (self.seats * own - points.sum(axis=1)) / (self.seats - 1)
        return np.asarray(margin.reshape(-1, self.seats).mean(axis=1), np.float64)

    def score(self, weights: Vector, first: int, last: int) -> float:
        """The candidate's mean score against itself."""
        return float(self._points(weights, weights, first, last).mean())

    def _points(self, weights: Vector, opponent: str | Vector, first: int, last: int) -> Vector:
        """(games, seats); the candidate sits in every seat in turn."""
        name = opponent if isinstance(opponent, str) else ITSELF
        if name not in self._tables:
            line_up = (self.bot, *[self.bot if name == ITSELF else name] * (self.seats - 1))
            self._tables[name] = Table(self.game, self.card_set, self.seats, line_up, self.seed)
        table = self._tables[name]
        table.minds[0]["weights"][: len(weights)] = weights
        if not isinstance(opponent, str):
            table.minds["weights"][1 : self.seats, : len(opponent)] = opponent
        rows = [played.rows["seat"]["points"][:, : self.seats] for played in table.play(first, last)]
        return np.concatenate(rows).astype(np.float64)


def improve(
    courts: list[Court], start: Vector, sizes: Vector, against: list[str], options: argparse.Namespace
) -> Vector:
    """CMA-ES from `start`, in steps that are proportional to each weight. Signs may change.

    `sizes` are those of what the weights weigh: a step is at least LEAST_STEP of the mean effect of all weights.
    """
    effects = np.abs(start) * sizes
    scale = np.maximum(effects, LEAST_STEP * effects.mean()) / sizes
    # pycma takes seed 0 for the clock.
    settings = {"popsize": options.population, "seed": options.seed + 1, "verbose": -9}
    search = cma.CMAEvolutionStrategy(np.zeros(len(start)), options.sigma, settings)
    earlier = [start]
    for generation in range(options.generations):
        deals = (generation * options.blocks, (generation + 1) * options.blocks)
        opponents: list[str | Vector] = [*against, *earlier[-EARLIER:]]
        steps = search.ask()
        candidates = [start + scale * step for step in steps]
        values = [-np.mean([mean_margin(courts, x, other, *deals) for other in opponents]) for x in candidates]
        search.tell(steps, values)
        if (generation + 1) % EVERY == 0:
            earlier.append(start + scale * search.mean)
            figures = ", ".join(f"{name} {mean_margin(courts, earlier[-1], name, *deals):+.2f}" for name in against)
            click.echo(f"generation {generation + 1}: {figures}; step {search.sigma:.3f}", err=True)
    return np.asarray(start + scale * search.mean, np.float64)


def mean_margin(courts: list[Court], weights: Vector, opponent: str | Vector, first: int, last: int) -> float:
    """Over all courts, each with the same weight."""
    return float(np.mean([court.margins(weights, opponent, first, last).mean() for court in courts]))


# --- Imitation -------------------------------------------------------------------------------------------------------


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
    court: Court, model: str, decisions: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """A bot's decisions against itself.

    Returns the features of all options, a row each; the number of options of each decision; the row of the option it
    took.
    """
    game = games.get(court.game)
    table = Table(court.game, court.card_set, court.seats, (model,) * court.seats, court.seed)
    state, mind = table.state, records.zero(game.mind)
    room = np.zeros((64 * len(table.options.mask), len(game.features)))
    rows: list[NDArray[np.float64]] = []
    counts: list[int] = []
    taken: list[int] = []
    height, deal = 0, HELD_OUT // 2
    while len(taken) < decisions:
        pending = None
        for step in table.steps(deal, 0):
            if pending is not None and len(pending) > 1:
                rows.append(pending)
                counts.append(len(pending))
                taken.append(height + step.options.index(step.action))
                height += len(pending)
            if state.public.actor >= 0:
                pending = room[: describe(state, table.cards, table.options, mind, room)].copy()
        deal += 1
    return np.concatenate(rows), np.array(counts), np.array(taken)


def imitate(courts: list[Court], model: str) -> tuple[Vector, Vector]:
    """The weights that make a bot's choices most likely where an option's odds are exp(weights . features).

    Returns them and the features' sizes (root mean squares; 1 for a feature that never showed).
    """
    observed = [observe(court, model, DECISIONS // len(courts)) for court in courts]
    rows = np.concatenate([part for part, _, _ in observed])
    counts = np.concatenate([part for _, part, _ in observed])
    above = np.cumsum([0, *(len(part) for part, _, _ in observed)])
    taken = np.concatenate([part + height for (_, _, part), height in zip(observed, above, strict=False)])
    starts = np.cumsum(counts) - counts
    sizes = np.sqrt((rows**2).mean(axis=0))
    sizes[sizes == 0] = 1.0
    rows = rows / sizes

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
    click.echo(f"takes the option of {model} in {(score == best)[taken].mean():.3f} of its decisions", err=True)
    return found / sizes, sizes


# --- The command -----------------------------------------------------------------------------------------------------


def main() -> int:
    """Fit, judge on deals that the fit has not seen, write the weights."""
    options = arguments()
    try:
        game = games.get(options.game)
        numbers = options.seats or [min(game.seats)]
        if not set(numbers) <= set(game.seats):
            allowed = ", ".join(map(str, game.seats))
            raise InputError(f"--seats {','.join(map(str, numbers))}: {game.title} is for {allowed} seats")
        courts = [Court(game.name, options.bot, options.cards, options.seed, seats) for seats in numbers]
        bot = bot_registry.get(game.name, options.bot)
        start = np.array(bot.weights_for(numbers[0]))
        sizes = np.ones(len(start))
        if options.imitate:
            start, sizes = imitate(courts, options.imitate)
        weights = improve(courts, start, sizes, options.against, options)
        judged = {
            name if len(courts) == 1 else f"{name}, {court.seats} seats": judge(court, weights, name, options.judge)
            for court in courts
            for name in (*options.against, ITSELF)
        }
    except FairdealError as error:
        click.echo(f"error: {error}", err=True)
        return error.status
    names = game.features if bot.policy is linear else tuple(map(str, range(len(weights))))
    document = {
        "game": game.name,
        **({"seats": numbers[0]} if len(numbers) == 1 < len(game.seats) else {}),
        "weights": {name: float(f"{weight:.4g}") for name, weight in zip(names, weights, strict=True)},
        "fitted": {"command": " ".join(["python -m strategies.train", *sys.argv[1:]]), "results": judged},
    }
    text = json.dumps(document, indent=2) + "\n"
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    else:
        click.echo(text, nl=False)
    return 0


def judge(court: Court, weights: Vector, opponent: str, blocks: int) -> str:
    """A sentence: the mean margin a game over a field of a bot, or the mean score against itself, over deals kept for
    this.
    """
    last, games_played = HELD_OUT + blocks, court.seats * blocks
    if opponent == ITSELF:
        return f"{court.score(weights, HELD_OUT, last):.2f} points a game, {games_played} games"
    margin = court.margins(weights, opponent, HELD_OUT, last)
    error = margin.std() / np.sqrt(len(margin))
    where = "both seats" if court.seats == 2 else f"all {court.seats} seats"
    return f"{margin.mean():+.2f} points a game, standard error {error:.2f}, {games_played} games in {where}"


def seat_numbers(text: str) -> list[int]:
    """Of the option --seats."""
    return [int(word) for word in text.split(",")]


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--bot", default="linear", help="the bot whose weights are fitted")
    parser.add_argument("--seats", type=seat_numbers, help="numbers of seats, with commas; the smallest if not given")
    parser.add_argument("--cards", default="single_round", help="a card set's name or folder")
    parser.add_argument("--imitate", help="start from the weights that explain this bot's choices best")
    parser.add_argument("--against", default="heuristic", type=lambda text: text.split(","), help="bots, with commas")
    parser.add_argument("--generations", default=120, type=int)
    parser.add_argument("--population", default=16, type=int, help="candidates a generation")
    parser.add_argument("--blocks", default=400, type=int, help="deals a generation and opponent, in every seat")
    parser.add_argument("--sigma", default=0.2, type=float, help="the first step, as a share of each weight's size")
    parser.add_argument("--judge", default=20_000, type=int, help="deals for judging the result")
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--out", type=Path, help="the file for the weights, instead of standard output")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
