"""Lost Cities: the exact policies of the rules page (section 11), and the heuristic.

The heuristic is the policy of the speed yardstick's page (benchmarks/yardstick/README.md), rule by rule. Cards are ordered by
rank, wagers lowest, then by colour. A card is useful to a seat that may play it on an expedition it has begun.
"""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, first, lowest
from simcore.bots import Bot
from simcore.game import nth_option
from simcore.games.lost_cities.rules import discard_action, play_action
from simcore.games.lost_cities.sets import is_empty, kth_card, lowest_card, size
from simcore.games.lost_cities.state import DECK, DRAW, DRAW_WORD, Decision
from simcore.random import below

# --- Exact policies of the rules page --------------------------------------------------------------------------------


@njit
def uniform_card_then_deck(public, me, cards, options, noise, mind):
    """A card action at random, every (card, play or discard) alike; always draws from the deck."""
    if public.decision == Decision.DRAW:
        return DRAW + DECK
    return nth_option(options, below(noise, options.count))


@njit
def play_first_then_deck(public, me, cards, options, noise, mind):
    """Any playable card at random, else any discard; always draws from the deck."""
    if public.decision == Decision.DRAW:
        return DRAW + DECK
    low, high = options.mask[0], options.mask[2] if cards.words == 2 else NONE
    plays = size(low, high)
    if plays > 0:
        return play_action(kth_card(low, high, below(noise, plays)))
    return discard_action(kth_card(me.hand[0], me.hand[1], below(noise, cards.hand)))


@njit
def discard_only_then_deck(public, me, cards, options, noise, mind):
    """Discards at random, always draws from the deck: never plays a card, so never loses a point."""
    if public.decision == Decision.DRAW:
        return DRAW + DECK
    return discard_action(kth_card(me.hand[0], me.hand[1], below(noise, cards.hand)))


# --- The heuristic ---------------------------------------------------------------------------------------------------

GAP = 4  # largest gap + 1 that the heuristic looks at
# Words of the mind's memory: what has been taken into account, for one seat, and what follows from it.
SEEN, BEGUN, THEIR_SEEN, THEIR_BEGUN, NEAR = 0, 2, 4, 6, 8


@njit
def heuristic(public, me, cards, options, noise, mind):
    """Continues its expeditions in small steps, begins a colour that it holds enough of, discards what helps least."""
    follow(public, cards, mind.memory)
    if public.decision == Decision.DRAW:
        return heuristic_draw(public, cards, options, mind.memory)
    return heuristic_card(public, me, cards, mind.memory)


@njit
def follow(public, cards, memory):
    """Bring the memory up to date with the cards played since: sets that need no loop over colours when asked for.

    NEAR + 2 * gap + word: the cards useful to the seat that skip at most `gap` values; BEGUN: all cards of the colours
    begun. Cards are taken in ascending order, so a column's last one decides what is near.
    """
    mine, theirs = public.board[public.actor], public.board[1 - public.actor]
    for word in range(cards.words):
        new = mine.played[word] ^ memory[SEEN + word]
        if new != NONE:
            if memory[SEEN + word] & ~mine.played[word] != NONE:  # another round: its table was cleared
                new = forget(memory, mine.played[word], word)
            memory[SEEN + word] = mine.played[word]
            while new != NONE:
                code = 64 * word + lowest(new)
                new ^= first(new)
                colour = cards.of_colour[cards.colour[code], word]
                memory[BEGUN + word] |= colour
                for gap in range(GAP):
                    spot = NEAR + 2 * gap + word
                    memory[spot] = (memory[spot] & ~colour) | cards.near[gap, code, word]
        new = theirs.played[word] ^ memory[THEIR_SEEN + word]
        if new != NONE:
            if memory[THEIR_SEEN + word] & ~theirs.played[word] != NONE:
                memory[THEIR_BEGUN + word] = NONE
                new = theirs.played[word]
            memory[THEIR_SEEN + word] = theirs.played[word]
            while new != NONE:
                code = 64 * word + lowest(new)
                new ^= first(new)
                memory[THEIR_BEGUN + word] |= cards.of_colour[cards.colour[code], word]


@njit
def forget(memory, played, word):
    """Clear what the memory holds of one's own columns; all that is played is new."""
    memory[BEGUN + word] = NONE
    for gap in range(GAP):
        memory[NEAR + 2 * gap + word] = NONE
    return played


@njit
def heuristic_card(public, me, cards, memory):
    """Rules 1 to 4: play a near card, late any useful one, begin a rich colour, else discard."""
    low, high = me.hand[0], me.hand[1]
    for gap in range(GAP):
        a, b = low & memory[NEAR + 2 * gap], high & memory[NEAR + 2 * gap + 1]
        if not is_empty(a, b):
            return play_action(lowest_card(a, b, cards))
    mine, theirs = public.board[public.actor], public.board[1 - public.actor]
    useful_low, useful_high = memory[BEGUN] & ~mine.blocked[0], memory[BEGUN + 1] & ~mine.blocked[1]
    deck = public.count[DECK]
    if deck <= 12 and not is_empty(low & useful_low, high & useful_high):
        return play_action(lowest_card(low & useful_low, high & useful_high, cards))
    new_low, new_high = low & ~memory[BEGUN], high & ~memory[BEGUN + 1]
    if deck >= 14:
        colour = richest(new_low, new_high, cards)
        if colour >= 0:
            mask = cards.of_colour[colour]
            return play_action(lowest_card(new_low & mask[0], new_high & mask[1], cards))
    keep_low = memory[THEIR_BEGUN] & ~theirs.blocked[0]
    keep_high = memory[THEIR_BEGUN + 1] & ~theirs.blocked[1]
    a, b = low & mine.blocked[0] & ~keep_low, high & mine.blocked[1] & ~keep_high
    if is_empty(a, b):
        a, b = new_low & ~keep_low, new_high & ~keep_high
    if is_empty(a, b):
        a, b = low & ~useful_low, high & ~useful_high
    if is_empty(a, b):
        a, b = low, high
    return discard_action(lowest_card(a, b, cards))


@njit
def richest(low, high, cards):
    """The colour with the highest sum of values in a set, the lowest of equals; -1 where none reaches 16."""
    best, most = -1, 15
    for colour in range(cards.colours):
        a, b, total = low & cards.of_colour[colour, 0], high & cards.of_colour[colour, 1], 0
        while a != NONE:
            total += cards.value[lowest(a)]
            a ^= first(a)
        while b != NONE:
            total += cards.value[64 + lowest(b)]
            b ^= first(b)
        if total > most:
            best, most = colour, total
    return best


@njit
def heuristic_draw(public, cards, options, memory):
    """Rule 5: a near card from the top of an open pile, else the deck."""
    low, high = NONE, NONE
    piles = options.mask[DRAW_WORD] & ~bit(DECK)
    while piles != NONE:
        pile = lowest(piles)
        piles ^= first(piles)
        code = np.int64(public.pile[pile, public.count[pile] - 1])
        if code < 64:
            low |= bit(code)
        else:
            high |= bit(code - 64)
    if not is_empty(low, high):
        for gap in range(GAP - 1):
            a, b = low & memory[NEAR + 2 * gap], high & memory[NEAR + 2 * gap + 1]
            if not is_empty(a, b):
                return DRAW + cards.colour[lowest_card(a, b, cards)]
    return DRAW + DECK


GAME = "lost-cities"
BOTS = (
    Bot("heuristic", GAME, "simple", "Continues expeditions in small steps and begins rich colours.", heuristic),
    Bot("uniform_card_then_deck", GAME, "random", "Card action at random, draws from the deck.", uniform_card_then_deck),
    Bot("play_first_then_deck", GAME, "random", "Plays a random card if it can, draws from the deck.", play_first_then_deck),
    Bot("discard_only_then_deck", GAME, "random", "Only discards, draws from the deck.", discard_only_then_deck),
)
