"""Lost Cities: the expert.

It asks of every possible action what its hand and table will be worth at the end of the round. A colour's worth is an
estimate: the values on the table, in hand (times the chance that there is still a turn to play them) and unseen (times
the chance to draw them in time), less the price, times the wagers, plus the chance of the bonus. A colour that is not
begun is worth at least nothing. Worth falls as turns run out, so waiting has its price, and skipping a card has its own.

Against that it sets what an action gives the opponent: a discard that fits its columns, the card below a taken one, a turn.
All sizes come from the card set. The numbers in PARAMETERS were found by self-play (strategies/train.py).
"""

from enum import IntEnum
from math import sqrt

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, first, lowest, popcount
from simcore.bots import Bot
from simcore.games.lost_cities.rules import discard_action, play_action
from simcore.games.lost_cities.state import DECK, DRAW, DRAW_WORD, Decision


class P(IntEnum):
    """Places of the parameters in `mind.weights`."""

    PACE = 0  # how many turns per held card make it likely to be played
    SLACK = 1  # cards to be drawn that compete for the turns
    IDLE = 2  # a held card of a colour not begun competes for the turns like this many
    REACH = 3  # chance to draw an unseen number in time, for each share of the cards that are still to be drawn
    REACH_WAGER = 4  # the same for a wager
    RIVAL = 5  # factor on that where the opponent has use for the card
    SPREAD = 6  # uncertainty of the worth of a colour not begun, against its standard deviation
    OPENING = 7  # what leaving a colour open is worth beyond the estimate, in tenths of the price
    GIVE = 8  # what a number that fits the opponent's column gives it, for each point that it scores
    GIVE_NEW = 9  # the same for a number of a colour that it has not begun
    GIVE_WAGER = 10  # a wager that fits its column without numbers, in points
    GIVE_NEW_WAGER = 11  # a wager of a colour that it has not begun, in points
    GIVE_LATE = 12  # turns of the opponent at which such gifts count half
    TOP = 13  # chance to get the top card of a pile
    OWN_DISCARD = 14  # the same for the card that is discarded now
    DENY = 15  # worth of taking away what the opponent can use
    UNCOVER = 16  # cost of uncovering what it can use
    SURPRISE = 17  # a card from the deck is worth this more than the estimate says
    TEMPO = 18  # cost of a turn given to the opponent
    TEMPO_LATE = 19  # the same, near the end
    BONUS_SPREAD = 20


PARAMETERS = {
    P.PACE: 1.71,
    P.SLACK: 2.01,
    P.IDLE: 0.612,
    P.REACH: 0.669,
    P.REACH_WAGER: 0.0646,
    P.RIVAL: 0.637,
    P.SPREAD: 0.0018,
    P.OPENING: 0.303,
    P.GIVE: 0.755,
    P.GIVE_NEW: 0.448,
    P.GIVE_WAGER: 8.79,
    P.GIVE_NEW_WAGER: 1.18,
    P.GIVE_LATE: 2.75,
    P.TOP: 0.44,
    P.OWN_DISCARD: 0.00845,
    P.DENY: 0.125,
    P.UNCOVER: 0.428,
    P.SURPRISE: 2.07,
    P.TEMPO: 0.0023,
    P.TEMPO_LATE: 5.95,
    P.BONUS_SPREAD: 0.138,
}

FREE_TAKES = 20  # takes from piles in a round, both players together, before the expert stops prolonging it

# Words of the mind's memory that carry the unseen cards from one function to the next.
UNSEEN, SHARED = 0, 2


@njit
def expert(public, me, cards, options, noise, mind):
    """The action whose outcome is worth most; ties go to the first."""
    look(public, me, cards, mind.memory)
    if public.decision == Decision.DRAW:
        return choose_draw(public, me, cards, options, mind)
    return choose_card(public, me, cards, options, mind)


# --- What is known ---------------------------------------------------------------------------------------------------


@njit
def look(public, me, cards, memory):
    """The unseen cards into memory: those the opponent has no use for (UNSEEN) and those it has (SHARED)."""
    mine, theirs = public.board[public.actor], public.board[1 - public.actor]
    for word in range(cards.words):
        seen = me.hand[word]
        seen = add(seen, mine.played[word], word, cards)
        seen = add(seen, theirs.played[word], word, cards)
        memory[UNSEEN + word] = add(seen, theirs.known[word], word, cards)
    for pile in range(cards.colours):
        word = 0 if cards.words == 1 else pile // cards.stride
        seen = memory[UNSEEN + word]
        for i in range(public.count[pile]):
            code = np.int64(public.pile[pile, i])
            seen |= first(cards.copies[code, word] & ~seen)
        memory[UNSEEN + word] = seen
    for word in range(cards.words):
        unseen = cards.present[word] & ~memory[UNSEEN + word]
        rival = NONE
        for colour in range(cards.colours):
            if theirs.length[colour] > 0:
                rival |= cards.of_colour[colour, word] & ~theirs.blocked[word]
        memory[UNSEEN + word] = unseen & ~rival
        memory[SHARED + word] = unseen & rival


@njit
def add(seen, more, word, cards):
    """The sum of two sets that hold the lowest copies of each type."""
    twice = seen & more
    seen |= more
    while twice != NONE:
        code = 64 * word + lowest(twice)
        twice ^= first(twice)
        seen |= first(cards.copies[code, word] & ~seen)
    return seen


# --- What a colour is worth ------------------------------------------------------------------------------------------


@njit
def outlook(public, me, cards, turns, draws, weights):
    """The chances of the estimate, for so many own turns and draws still to come: (held card is played, unseen number is
    drawn in time, unseen wager is)."""
    begun, idle = 0, 0
    board = public.board[public.actor]
    for colour in range(cards.colours):
        word = 0 if cards.words == 1 else colour // cards.stride
        held = popcount(me.hand[word] & cards.of_colour[colour, word] & ~board.blocked[word])
        if board.length[colour] > 0:
            begun += held
        else:
            idle += held
    if turns <= 0:
        return 0.0, 0.0, 0.0
    pace = weights[P.PACE] * turns / (begun + weights[P.IDLE] * idle + weights[P.SLACK])
    play = pace / sqrt(1.0 + pace * pace)
    hidden = public.count[DECK] + cards.hand
    share = draws / hidden * play
    return play, min(1.0, weights[P.REACH] * share), min(1.0, weights[P.REACH_WAGER] * share)


@njit
def worth(colour, length, wagers, total, held, unseen, shared, top, chance, cards, weights):
    """The estimated points of one colour at the end of the round.

    The column has `length` cards, `wagers` of them wagers, and values that sum to `total`. `held`, `unseen`, `shared` are
    the sets of cards that may still be played on it; `top` is the chance to get the one of `held` that lies on its pile.
    """
    play, reach, reach_wager = chance
    base = 0 if cards.words == 1 else 64 * (colour // cards.stride)
    mean, more_wagers, more, variance, doubt = float(total), float(wagers), float(length), 0.0, 0.0
    while held != NONE:
        code = base + lowest(held)
        held ^= first(held)
        value = cards.value[code]
        mean += play * value
        more_wagers += play * cards.is_wager[code]
        more += play
        doubt += play * (1.0 - play)
        variance += play * (1.0 - play) * value * value
    rival = weights[P.RIVAL]
    both = unseen | shared
    while both != NONE:
        low = first(both)
        code = base + lowest(both)
        both ^= low
        value = cards.value[code]
        p = reach_wager if cards.is_wager[code] else reach
        if low & shared != NONE:
            p *= rival
        mean += p * value
        more_wagers += p * cards.is_wager[code]
        more += p
        doubt += p * (1.0 - p)
        variance += p * (1.0 - p) * value * value
    if top >= 0:
        value = cards.value[top]
        p = play * weights[P.TOP]
        mean += p * value
        more_wagers += p * cards.is_wager[top]
        more += p
        doubt += p * (1.0 - p)
        variance += p * (1.0 - p) * value * value
    factor = 1.0 + more_wagers
    points = (mean - cards.cost) * factor
    ahead = more - cards.bonus_min + 0.5
    points += cards.bonus * (0.5 + 0.5 * ahead / sqrt(ahead * ahead + weights[P.BONUS_SPREAD] * doubt + 1e-9))
    if length == 0:
        spread = weights[P.SPREAD] * factor
        points += weights[P.OPENING] * 0.1 * cards.cost * play
        points = 0.5 * (points + sqrt(points * points + spread * spread * variance))
    return points


@njit
def column(public, cards, seat, colour):
    """(cards, wagers, sum of values) of a seat's column."""
    board = public.board[seat]
    word = 0 if cards.words == 1 else colour // cards.stride
    played = board.played[word] & cards.of_colour[colour, word]
    total = 0
    while played != NONE:
        total += cards.value[64 * word + lowest(played)]
        played ^= first(played)
    return board.length[colour], board.wagers[colour], total


@njit
def top_of(public, cards, colour, blocked):
    """The top card of a pile where it may be played, else -1."""
    count = public.count[colour]
    if count == 0:
        return -1
    code = np.int64(public.pile[colour, count - 1])
    return code if bit(code & 63) & blocked == NONE else -1


# --- What an action gives the opponent -------------------------------------------------------------------------------


@njit
def gift(code, public, cards, turns, weights):
    """Points that a card on top of a pile gives the opponent, who has so many turns left."""
    theirs = public.board[1 - public.actor]
    colour, word = cards.colour[code], code >> 6
    if turns <= 0 or theirs.blocked[word] & bit(code & 63) != NONE:
        return 0.0
    late = turns / (turns + weights[P.GIVE_LATE])
    if cards.is_wager[code]:
        return late * (weights[P.GIVE_WAGER] if theirs.length[colour] > 0 else weights[P.GIVE_NEW_WAGER])
    if theirs.length[colour] > 0:
        return late * weights[P.GIVE] * cards.value[code] * (1 + theirs.wagers[colour])
    return late * weights[P.GIVE_NEW] * cards.value[code]


# --- The decisions ---------------------------------------------------------------------------------------------------


@njit
def turns_left(public, cards, deck):
    """(own turns after this one, the opponent's) when this turn leaves so many cards in the deck and all draw from it."""
    rest = min(deck, cards.cap - public.round_turns - 1)
    return rest // 2, (rest + 1) // 2


@njit
def choose_card(public, me, cards, options, mind):
    """Every card, played or discarded: what its colour is worth then, less what it is worth now and what it gives away."""
    weights, memory = mind.weights, mind.memory
    mine = public.board[public.actor]
    deck = public.count[DECK]
    own, other = turns_left(public, cards, deck - 1)
    chance = outlook(public, me, cards, own, own + 1, weights)
    best, action = -1e300, -1
    for colour in range(cards.colours):
        word = 0 if cards.words == 1 else colour // cards.stride
        base = 64 * word
        members = cards.of_colour[colour, word]
        hand = me.hand[word] & members
        if hand == NONE:
            continue
        blocked = mine.blocked[word]
        length, wagers, total = column(public, cards, public.actor, colour)
        unseen, shared = memory[UNSEEN + word] & members, memory[SHARED + word] & members
        top = top_of(public, cards, colour, blocked)
        now = worth(
            colour, length, wagers, total, hand & ~blocked, unseen & ~blocked, shared & ~blocked, top, chance, cards, weights
        )
        rest = hand
        while rest != NONE:
            code = base + lowest(rest)
            rest &= ~cards.copies[code, word]
            copies = hand & cards.copies[code, word]
            left = hand ^ (copies & ~(copies >> np.uint64(cards.stride)))
            is_playable = bit(code & 63) & blocked == NONE
            if is_playable:
                after = blocked | cards.below[code, word]
                free = ~after
                next_top = top_of(public, cards, colour, after)
                value = worth(
                    colour,
                    length + 1,
                    wagers + cards.is_wager[code],
                    total + cards.value[code],
                    left & free,
                    unseen & free,
                    shared & free,
                    next_top,
                    chance,
                    cards,
                    weights,
                )
                if value - now > best:
                    best, action = value - now, play_action(code)
            free = ~blocked
            value = worth(
                colour, length, wagers, total, left & free, unseen & free, shared & free, -1, chance, cards, weights
            )
            value -= gift(code, public, cards, other, weights)
            if is_playable:
                value += weights[P.OWN_DISCARD] * (now - value)
            if value - now > best:
                best, action = value - now, discard_action(code)
    return action


@njit
def choose_draw(public, me, cards, options, mind):
    """The deck or the top of a pile: what the hand is worth with it and with the turns it leaves."""
    weights, memory = mind.weights, mind.memory
    mine = public.board[public.actor]
    deck = public.count[DECK]
    takes = public.round_turns - (cards.count - 2 * cards.hand - deck)
    if takes > 2 * FREE_TAKES:
        return DRAW + DECK
    own, other = turns_left(public, cards, deck - 1)
    chance = outlook(public, me, cards, own, own + 1, weights)
    own_later, other_later = turns_left(public, cards, deck)
    chance_later = outlook(public, me, cards, own_later, own_later, weights)
    piles = options.mask[DRAW_WORD] & ~bit(DECK)
    value_deck, value_pile = weights[P.SURPRISE], 0.0
    best, action = -1e300, -1
    for colour in range(cards.colours):
        word = 0 if cards.words == 1 else colour // cards.stride
        free = cards.of_colour[colour, word] & ~mine.blocked[word]
        hand, unseen, shared = me.hand[word] & free, memory[UNSEEN + word] & free, memory[SHARED + word] & free
        length, wagers, total = column(public, cards, public.actor, colour)
        top = top_of(public, cards, colour, mine.blocked[word])
        value_deck += worth(colour, length, wagers, total, hand, unseen, shared, top, chance, cards, weights)
        value = worth(colour, length, wagers, total, hand, unseen, shared, top, chance_later, cards, weights)
        value_pile += value
        if piles & bit(colour) == NONE:
            continue
        count = public.count[colour]
        code = np.int64(public.pile[colour, count - 1])
        gain = weights[P.DENY] * gift(code, public, cards, other_later, weights)
        if top >= 0:
            taken = hand | first(cards.copies[code, word] & ~hand)
            gain += (
                worth(colour, length, wagers, total, taken, unseen, shared, -1, chance_later, cards, weights) - value
            )
        if count > 1:
            under = np.int64(public.pile[colour, count - 2])
            gain -= weights[P.UNCOVER] * gift(under, public, cards, other_later, weights)
        if gain > best:
            best, action = gain, DRAW + colour
    if action < 0:
        return DRAW + DECK
    gain = best + value_pile - value_deck
    gain -= weights[P.TEMPO] * (other_later - other) * (1.0 + weights[P.TEMPO_LATE] / (1.0 + other_later))
    gain -= max(0, takes - FREE_TAKES)
    return action if gain > 0.0 else DRAW + DECK


BOTS = (
    Bot(
        "expert",
        "lost-cities",
        "expert",
        "Weighs every action by what its colours will be worth at the end and by what it gives the opponent.",
        expert,
        tuple(PARAMETERS.values()),
    ),
)
