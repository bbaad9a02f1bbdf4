"""Search bots, for any game: they imagine what their seat cannot see, play on from there, and keep what ends best.

Both kinds see what their seat sees and no more: hidden cards and hidden choices of others come from the game's
`imagine`, anew in each playout. All options are tried in the same imagined worlds with the same dice, and the field is
halved again and again (sequential halving; Karnin, Koren, Somekh 2013). An option that is surely behind the policy's
own is given up at once, and the search ends when nothing is left to find out: the budget is the most that a decision
may cost. Another option than the policy's own is taken only where it is ahead by more than the error of its lead.

- `flat`: *determinized flat Monte Carlo*. After the option the game's best quick policy (the verb `rollout`) plays all
  seats to the end.
- `tree`: *information-set Monte Carlo tree search* with one tree for the seat that decides (Cowling, Powley, Whitehouse
  2012), below each option: only options of the imagined world are considered, and each player maximises its own reward
  (UCT). The children of a node are widened progressively, the policy's own choice first, and below the leaf the policy
  plays on. What others choose without seeing each other's choice is left to the policy, so nobody in the tree reacts to
  what it cannot know.

Everything lies in the bot's room (`simcore.rooms`): no decision allocates anything.
"""

from enum import IntEnum
from math import exp, log, sqrt

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, first, lowest
from simcore.bots import Bot
from simcore.game import (
    apply,
    imagine,
    is_legal,
    legal,
    nth_option,
    rollout,
    score,
)
from simcore.random import PURPOSES, below, draw_word
from simcore.rooms import DEPTH, NODES, room_of
from strategies.trained import BOTS as trained_bots

ROOT = 0
NOBODY = -1


class Reward(IntEnum):
    """What a search maximises."""

    POINTS = 0  # the margin: own points less the mean of the others'
    WINS = 1  # the share of wins, smoothed: a narrow win is worth less than a clear one


SOFT = 12.0  # points; the smoothed share of wins is 73 % with such a lead
CURIOSITY = 0.7  # weight of what is little known in a tree, in standard deviations of the reward
WIDTH = 0.3  # a node with n visits has at most 1 + WIDTH * sqrt(n) children
FEWEST_WORLDS = 6  # with fewer the policy's own choice stands
DOUBT = 1.0  # standard errors by which an option must be ahead of the policy's own
SURE = 3.0  # standard errors by which it is surely behind, or ahead; asked after each world
SURE_WORLDS = 10  # before so many nothing is sure: what an option brings may be rare and large


# --- Playouts --------------------------------------------------------------------------------------------------------


@njit
def begin_playout(room, word, number):
    """Dice for playout `number` of a decision: the same `word` and number give the same ones."""
    chance = room.chance
    chance.seed, chance.deal = word, np.uint64(number)
    for purpose in range(PURPOSES):
        chance.kept_deal[purpose] = NONE
    room.noise.word = word ^ (np.uint64(number + 1) * np.uint64(0x9E3779B97F4A7C15))
    draw_word(room.noise)
    for seat in range(room.minds.shape[0]):
        memory = room.minds[seat].memory
        for i in range(memory.shape[0]):
            memory[i] = NONE


@njit
def play_out(room, state, cards):
    """Play a state to its end with the policy in all seats, then say what each seat got."""
    public, options = state.public, room.options
    while public.actor >= 0:
        seat = np.uint64(public.actor)
        me = state.private[seat]
        legal(public, me, cards, options)
        if options.count == 1:
            action = nth_option(options, 0)
        else:
            action = rollout(public, me, cards, options, room.noise, room.minds[seat])
        apply(state, cards, action, room.chance, room.silent)
    score(public, state.private, cards, room.out)
    reward(room, cards)


@njit
def reward(room, cards):
    """What each seat got, into `gain`."""
    points, ties, gain, seats = room.out.points, room.out.tie_break, room.gain, cards.seats
    for seat in range(seats):
        others, best, above = 0, np.int64(-(1 << 40)), 0
        for other in range(seats):
            if other != seat:
                others += points[other]
                best = max(best, points[other])
                above += points[other] == points[seat] and ties[other] > ties[seat]
        if room.reward == Reward.POINTS:
            gain[seat] = points[seat] - others / max(1, seats - 1)
        else:
            lead = points[seat] - best - (0.5 if above > 0 else 0.0)
            gain[seat] = 1.0 / (1.0 + exp(-lead / SOFT))


# --- The search of a decision ----------------------------------------------------------------------------------------


@njit
def search_flat(public, me, cards, options, noise, mind):
    """The option that ends best on average over imagined worlds; the policy's own choice in doubt."""
    return search(public, me, cards, options, noise, mind, False)


@njit
def search_tree(public, me, cards, options, noise, mind):
    """The same, where in playouts all players also try other options than the policy's, and come back to good ones."""
    return search(public, me, cards, options, noise, mind, True)


@njit
def search(public, me, cards, options, noise, mind, has_tree):
    """Let the options compete, the best of them longest, and choose."""
    room, seat = room_of(public, mind), np.int64(public.actor)
    own = rollout(public, me, cards, options, noise, room.minds[seat])
    arms = enlist(room, options, own)
    if has_tree:
        plant(room, arms, seat)
    word = draw_word(noise) << np.uint64(32) | draw_word(noise)
    left, worlds = room.playouts, 0
    rounds = _rounds(arms)
    for number in range(rounds):
        tries = min(left // arms, max(1, left // (arms * (rounds - number))))
        for _ in range(tries):
            try_all(room, public, me, cards, seat, word, worlds, arms, has_tree)
            worlds += 1
            left -= arms
            arms = give_up(room, worlds, arms)
            if _is_settled(room, worlds, arms):
                return _choose(room, worlds, arms)
        arms = max(_halve(room, arms), min(arms, 2))
    return _choose(room, worlds, arms)


@njit
def enlist(room, options, own):
    """All options as arms, the policy's own first; returns their number, at most the budget."""
    room.action[0] = own
    arms = 1
    for word in range(options.start, options.stop):
        mask = options.mask[word]
        while mask != NONE and arms < room.playouts:
            action = 64 * word + lowest(mask)
            mask ^= first(mask)
            if action != own:
                room.action[arms] = action
                arms += 1
    for arm in range(arms):
        room.ahead[arm] = room.square[arm] = 0.0
    return arms


@njit
def _rounds(arms):
    """How often the field plays: it is halved after each time, until one challenger of the policy's own choice is left
    for the last.
    """
    count = 1
    while arms > 2:
        arms = (arms + 1) // 2
        count += 1
    return count


@njit
def try_all(room, public, me, cards, seat, word, number, arms, has_tree):
    """Each arm once in the same world, with the same dice."""
    begin_playout(room, word, number)
    imagine(room.world, public, me, seat, cards, room.noise)
    own = 0.0
    for arm in range(arms):
        begin_playout(room, word, number)
        room.trial = room.world
        apply(room.trial, cards, np.int64(room.action[arm]), room.chance, room.silent)
        if has_tree:
            play_in_tree(room, cards, seat, room.top[arm])
        else:
            play_out(room, room.trial, cards)
        gain = room.gain[seat]
        if arm == 0:
            own = gain
        room.ahead[arm] += gain - own
        room.square[arm] += (gain - own) * (gain - own)
    room.played += arms


@njit
def _lead(room, arm, worlds):
    """By how much an arm is ahead of the policy's own on average, and the error of that.

    With few worlds the error itself is uncertain, as in Student's distribution, so it is made larger.
    """
    lead = room.ahead[arm] / worlds
    error = sqrt(max(0.0, room.square[arm] / worlds - lead * lead) / (worlds - 1))
    return lead, (1.0 + 4.0 / worlds) * error


@njit
def give_up(room, worlds, arms):
    """Give up the arms that are surely behind the policy's own; returns how many are left."""
    if worlds < SURE_WORLDS:
        return arms
    arm = 1
    while arm < arms:
        lead, error = _lead(room, arm, worlds)
        if lead < -SURE * error:
            arms -= 1
            _swap(room, arm, arms)
        else:
            arm += 1
    return arms


@njit
def _is_settled(room, worlds, arms):
    """Whether no challenger is left, or only one that is surely ahead."""
    if worlds < SURE_WORLDS or arms != 2:
        return arms == 1
    lead, error = _lead(room, 1, worlds)
    return lead > SURE * error


@njit
def _halve(room, arms):
    """Keep the better half, and the policy's own; returns how many are left."""
    kept = (arms + 1) // 2
    bring_best(room, arms, kept)
    return kept


@njit
def bring_best(room, arms, kept):
    """Let the best arms come first, after the policy's own; so many in all are in their places then."""
    for place in range(1, kept):
        best = place
        for arm in range(place + 1, arms):
            if room.ahead[arm] > room.ahead[best]:
                best = arm
        _swap(room, place, best)


@njit
def _swap(room, one, other):
    room.action[one], room.action[other] = room.action[other], room.action[one]
    room.top[one], room.top[other] = room.top[other], room.top[one]
    room.ahead[one], room.ahead[other] = room.ahead[other], room.ahead[one]
    room.square[one], room.square[other] = room.square[other], room.square[one]


@njit
def _choose(room, worlds, arms):
    """The challenger where it is ahead by more than the error of its lead, else the policy's own choice."""
    if arms < 2 or worlds < FEWEST_WORLDS:
        return np.int64(room.action[0])
    lead, error = _lead(room, 1, worlds)
    return np.int64(room.action[1 if lead > DOUBT * error else 0])


# --- The tree --------------------------------------------------------------------------------------------------------


@njit
def plant(room, arms, seat):
    """A new tree: a root, and a child of it for each option."""
    room.nodes = 0
    room.average = room.variance = 0.0
    _add_node(room, ROOT, 0, NOBODY)
    for arm in range(arms):
        room.top[arm] = _add_node(room, ROOT, room.action[arm], seat)


@njit
def play_in_tree(room, cards, seat, top):
    """Play the trial to its end, first by the tree below the child `top` of the root, then by the policy."""
    room.path[0] = top
    depth = 1 if room.visits[top] == 0 else _descend(room, cards, seat, top)
    play_out(room, room.trial, cards)
    _learn(room, depth, seat)


@njit
def _descend(room, cards, seat, top):
    """From an option of the root to a new leaf, by the players' choices; returns the number of nodes on the path."""
    state, options, node, depth = room.trial, room.options, top, 1
    public = state.public
    while public.actor >= 0 and depth < DEPTH:
        mover = np.uint64(public.actor)
        me = state.private[mover]
        legal(public, me, cards, options)
        is_hidden = np.int64(mover) != seat and (room.hidden >> np.int64(public.decision)) & 1 != 0
        if options.count == 1:
            apply(state, cards, nth_option(options, 0), room.chance, room.silent)
        elif is_hidden:
            action = rollout(public, me, cards, options, room.noise, room.minds[mover])
            apply(state, cards, action, room.chance, room.silent)
        else:
            node = _next_node(room, node, public, me, cards)
            if node == ROOT:
                return depth
            room.path[depth] = node
            depth += 1
            apply(state, cards, np.int64(room.action_of[node]), room.chance, room.silent)
            if room.visits[node] == 0:
                return depth
    return depth


@njit
def _next_node(room, node, public, me, cards):
    """The child of a node by which to go on: the best one, or a new one where it is time to widen, the policy's choice
    first. ROOT where there is none and no room for any.
    """
    options, mover = room.options, np.int64(public.actor)
    known, best = _best_child(room, node, mover)
    if known == options.count or known >= 1 + WIDTH * sqrt(room.visits[node]) or room.nodes == NODES:
        return best
    if known == 0:
        action = rollout(public, me, cards, options, room.noise, room.minds[np.uint64(mover)])
    else:
        action = _untried(room, node, mover)
    return _add_node(room, node, action, mover)


@njit
def _add_node(room, parent, action, mover):
    node = room.nodes
    room.nodes += 1
    room.action_of[node], room.mover[node] = action, mover
    room.child[node] = room.visits[node] = 0
    room.offered[node] = 1
    room.worth[node] = 0.0
    if node != ROOT:
        room.sibling[node] = room.child[parent]
        room.child[parent] = node
    return node


@njit
def _best_child(room, node, mover):
    """How many of the options are children of a node, and the best of these by UCT: each of them was on offer."""
    known, best, chosen = 0, 0.0, np.int64(ROOT)
    scale = CURIOSITY * sqrt(room.variance)
    child = np.int64(room.child[node])
    while child != 0:
        if room.mover[child] == mover and is_legal(room.options, np.int64(room.action_of[child])):
            visits = room.visits[child]
            bound = room.worth[child] / visits + scale * sqrt(log(room.offered[child]) / visits)
            room.offered[child] += 1
            if known == 0 or bound > best:
                best, chosen = bound, child
            known += 1
        child = np.int64(room.sibling[child])
    return known, chosen


@njit
def _untried(room, node, mover):
    """One of the options that are no children of a node yet, all alike."""
    options = room.options
    child = np.int64(room.child[node])
    while child != 0:
        action = np.int64(room.action_of[child])
        if room.mover[child] == mover and is_legal(options, action):
            options.mask[action >> 6] ^= bit(action & 63)
            options.count -= 1
        child = np.int64(room.sibling[child])
    return nth_option(options, below(room.noise, options.count))


@njit
def _learn(room, depth, seat):
    """Tell the nodes of the path what their movers got, and how much results differ (Welford's running variance)."""
    for i in range(depth):
        node = room.path[i]
        room.visits[node] += 1
        room.worth[node] += room.gain[room.mover[node]]
    room.visits[ROOT] += 1
    step = room.gain[seat] - room.average
    room.average += step / room.visits[ROOT]
    room.variance += (step * (room.gain[seat] - room.average) - room.variance) / room.visits[ROOT]


# --- The bots --------------------------------------------------------------------------------------------------------


PLAYOUTS = 1000


def _of_game(model: Bot) -> tuple[Bot, ...]:
    """The search bots of a game, on top of its trained bot."""
    told = f"in playouts by the {model.name} bot of what its seat cannot see; at most {PLAYOUTS:,} playouts a decision"
    kinds = (
        ("search", f"Flat search: the option that ends best {told}.", search_flat),
        ("search-tree", f"Tree search: the option that ends best if all then seek their best, {told}.", search_tree),
    )
    return tuple(
        Bot(
            name,
            model.game,
            "search",
            text,
            policy,
            model.weights,
            "dear",
            model.seat_weights,
            PLAYOUTS,
            Reward.POINTS,
            parameters=model.parameters,
        )
        for name, text, policy in kinds
    )


BOTS = tuple(bot for model in trained_bots for bot in _of_game(model))
