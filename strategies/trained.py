"""The trained bot, for any game: the expert's choice, or another option where a small net finds that it ends better.

The net says by how much an option ends ahead of another. It was taught by search (`strategies.lessons`): what it has
learned is where the expert's estimates go wrong. It is given the features of the option, how far the expert's estimate
of it is behind that of the expert's choice, the kind of the decision and the features of the position; one layer of
UNITS rectified units, and a direct way beside it. Only options within REACH of the expert's choice are asked about.

Weights: those of the expert, DOUBT, REACH, then the net: for each input what it adds to every unit, and directly; in
the end what each unit adds to the result.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from simcore import weights as weights_files
from simcore.bits import NONE, first, lowest
from simcore.bots import Bot
from simcore.game import features, implement, value_features, verb
from simcore.games.lisboa import features as lisboa
from simcore.games.lisboa.state import PUBLIC as LISBOA
from simcore.games.lisboa.state import Decision as LisboaDecision
from simcore.games.lost_cities import features as lost_cities
from simcore.games.lost_cities.state import PUBLIC as LOST_CITIES
from simcore.games.lost_cities.state import Decision as LostCitiesDecision
from simcore.games.vaalbara import features as vaalbara
from simcore.games.vaalbara.state import PUBLIC as VAALBARA
from simcore.games.vaalbara.state import Decision as VaalbaraDecision
from simcore.games.valletta import features as valletta
from simcore.games.valletta.state import PUBLIC as VALLETTA
from simcore.games.valletta.state import Decision as VallettaDecision
from strategies import lisboa_expert, lost_cities_expert, vaalbara_expert, valletta_expert

UNITS = 16
WIDTH = UNITS + 1  # what an input adds to: the units, then the result directly
UNKNOWN = -1e30  # an estimate that the expert has not made

# Inputs beside the features of the option, which come first; then a flag for each kind of decision, the features of the
# position, and a constant 1.
BEHIND, KNOWN, OWN = range(3)
EXTRAS = 3

UNTAUGHT = 1e6  # a doubt so large that there is no need to ask the net

DOUBT, REACH = range(2)  # after the weights of the expert
HEAD = 2

WEIGHTS = Path(__file__).parent / "weights" / "trained"

expert = verb(
    "expert", "(public, me, cards, options, noise, mind)", "what the expert chooses; it tells mind.estimates why"
)
sizes = verb("sizes", "(public)", "how many weights the expert has, features an action, kinds, features a position")


# --- The net ---------------------------------------------------------------------------------------------------------


@njit
def add_input(weights, net, place, value, units):
    """Add input number `place`, of this value, to the sums of the units and the direct one."""
    at = np.uint64(net + place * WIDTH)
    for unit in range(np.uint64(WIDTH)):
        units[unit] += value * weights[at + unit]


@njit
def add_inputs(weights, net, place, values, count, units):
    """Add the inputs from number `place` on, of so many values; most of them are 0."""
    for i in range(count):
        if values[i] != 0.0:
            add_input(weights, net, place + i, values[i], units)


@njit
def add_position(weights, net, actions, kinds, kind, values, count, units):
    """Add what all options of a decision share: its kind, the features of the position, the constant."""
    place = actions + EXTRAS
    add_input(weights, net, place + kind, 1.0, units)
    add_inputs(weights, net, place + kinds, values, count, units)
    add_input(weights, net, place + kinds + count, 1.0, units)


@njit
def result(weights, out, units):
    """What the net says, from the sums of its units and the direct one; `out` is where the units' weights begin."""
    total = units[UNITS]
    for unit in range(np.uint64(UNITS)):
        total += weights[np.uint64(out) + unit] * max(0.0, units[unit])
    return total


# --- The policy ------------------------------------------------------------------------------------------------------


@njit
def forget(options, mind):
    """No option has an estimate yet."""
    for word in range(options.start, options.stop):
        mask = options.mask[word]
        while mask != NONE:
            mind.estimates[64 * word + lowest(mask)] = UNKNOWN
            mask ^= first(mask)


@njit
def trained(public, me, cards, options, noise, mind):
    """The expert's choice, unless the net finds another option better by more than DOUBT."""
    forget(options, mind)
    own = expert(public, me, cards, options, noise, mind)
    weights = mind.weights
    parameters, actions, kinds, positions = sizes(public)
    if weights[parameters + DOUBT] >= UNTAUGHT:
        return own
    net = parameters + HEAD
    out = net + (actions + EXTRAS + kinds + positions + 1) * WIDTH
    shared = mind.shared
    value_features(public, me, cards, mind)
    shared[:] = 0.0
    add_position(weights, net, actions, kinds, np.int64(public.decision), mind.features, positions, shared)
    target = mind.estimates[own]
    best, chosen = appraise(public, me, cards, own, own, mind, net, out, actions) + weights[parameters + DOUBT], own
    for word in range(options.start, options.stop):
        mask = options.mask[word]
        while mask != NONE:
            action = 64 * word + lowest(mask)
            mask ^= first(mask)
            estimate = mind.estimates[action]
            is_known = target != UNKNOWN and estimate != UNKNOWN
            if action == own or (is_known and target - estimate > weights[parameters + REACH]):
                continue
            points = appraise(public, me, cards, action, own, mind, net, out, actions)
            if points > best:
                best, chosen = points, action
    return chosen


@njit
def appraise(public, me, cards, action, own, mind, net, out, actions):
    """What the net says of an option; `own` is the expert's choice."""
    weights, units, estimates = mind.weights, mind.units, mind.estimates
    for unit in range(WIDTH):
        units[unit] = mind.shared[unit]
    features(public, me, cards, action, mind)
    add_inputs(weights, net, 0, mind.features, actions, units)
    if action == own:
        add_input(weights, net, actions + OWN, 1.0, units)
    if estimates[own] != UNKNOWN and estimates[action] != UNKNOWN:
        add_input(weights, net, actions + KNOWN, 1.0, units)
        add_input(weights, net, actions + BEHIND, estimates[own] - estimates[action], units)
    return result(weights, out, units)


# --- The bots --------------------------------------------------------------------------------------------------------

_INPUTS = ("behind", "known", "own")


def names_of(base: Bot, features: Any, kinds: Any, positions: Any) -> tuple[str, ...]:
    """The names of a trained bot's weights, in their order."""
    inputs = [
        *(feature.name.lower() for feature in features),
        *_INPUTS,
        *(f"kind_{kind.name.lower()}" for kind in kinds),
        *(f"position_{feature.name.lower()}" for feature in positions),
        "one",
    ]
    head = [*(f"expert_{name}" for name in base.parameters), "doubt", "reach"]
    net = [f"net_{name}.{i}" for name in inputs for i in range(WIDTH)]
    return (*head, *net, *(f"net_out.{i}" for i in range(UNITS)))


def _of_game(public: np.dtype[Any], base: Bot, features: Any, kinds: Any, positions: Any) -> Bot:
    """The trained bot of a game, on its expert `base`; without weights that are shipped it plays as the expert."""
    counts = len(base.parameters), len(features), len(kinds), len(positions)
    implement(sizes=(public, njit(lambda public: counts)), expert=(public, base.policy), rollout=(public, trained))
    names = names_of(base, features, kinds, positions)
    weights, seats = (*base.weights, UNTAUGHT, 0.0, *(0.0,) * (len(names) - counts[0] - HEAD)), {}
    path = WEIGHTS / f"{base.game}{weights_files.SUFFIX}"
    if path.is_file():
        file = weights_files.read(path)
        weights = weights_files.in_order(path, "weights", file.weights, names)
        seats = {
            count: weights_files.in_order(path, f"seats.{count}", found, names) for count, found in file.seats.items()
        }
    text = "The expert, corrected where a small net that search has taught finds another option better."
    return Bot("trained", base.game, "trained", text, trained, weights, seat_weights=seats, parameters=names)


BOTS = (
    _of_game(LOST_CITIES, lost_cities_expert.BOTS[0], lost_cities.F, LostCitiesDecision, lost_cities.V),
    _of_game(VAALBARA, vaalbara_expert.BOTS[0], vaalbara.F, VaalbaraDecision, vaalbara.V),
    _of_game(VALLETTA, valletta_expert.BOTS[0], valletta.F, VallettaDecision, valletta.V),
    _of_game(LISBOA, lisboa_expert.BOTS[0], lisboa.F, LisboaDecision, lisboa.V),
)
