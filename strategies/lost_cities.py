"""Lost Cities: the exact policies of the rules page (section 11), and the heuristic.

The heuristic is the policy of the speed yardstick's page (benchmarks/yardstick/README.md), rule by rule. Cards are
ordered by rank, wagers lowest, then by colour. A card is useful to a seat that may play it on an expedition it began.
"""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit, first, flag, lowest
from simcore.bots import Bot
from simcore.game import nth_option
from simcore.games.lost_cities.rules import discard_action, play_action
from simcore.games.lost_cities.seen import idle
from simcore.games.lost_cities.sets import is_empty, kth_card, lowest_card, size
from simcore.games.lost_cities.state import COLOURS, DECK, DRAW, DRAW_WORD, GAPS, Decision
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

# Words of the mind's memory, for each seat: the complement of the played cards that have been taken into account (a new
# memory is empty, and no complement is), the colours begun (all their cards) and the useful cards; for mine, those that
# would begin a colour; then, a set a gap, the cards useful to me that skip at most so many values.
SEEN, BEGUN, USEFUL, FRESH, THEIR_SEEN, THEIR_BEGUN, THEIR_USEFUL, NEAR = 0, 2, 4, 6, 8, 10, 12, 14


@njit
def heuristic(public, me, cards, options, noise, mind):
    """Continues its expeditions in small steps, begins a colour that it holds enough of, discards what helps least."""
    seat = np.uint64(public.actor)
    mine, theirs = public.board[seat], public.board[seat ^ ONE]
    follow(mine, theirs, cards, mind, 0)
    if cards.words == 2:
        follow(mine, theirs, cards, mind, 1)
    if public.decision == Decision.DRAW:
        return heuristic_draw(public, cards, options, mind)
    return heuristic_card(public, me, cards, mind)


@njit(forceinline=True)
def follow(mine, theirs, cards, mind, word):
    """Bring the memory up to date with the cards played since: it spares a loop over the colours at every decision."""
    if ~mine.played[word] != mind.memory[SEEN + word]:
        remember_mine(mine, cards, mind, word)
    if ~theirs.played[word] != mind.memory[THEIR_SEEN + word]:
        remember_theirs(theirs, cards, mind, word)


@njit
def remember_mine(mine, cards, mind, word):
    """Cards are taken in ascending order, so that a column's last one decides what is near. Denied cards never are."""
    memory, played, denied = mind.memory, mine.played[word], mine.banned[word] | mine.blanked[word]
    seen = ~memory[SEEN + word]
    if seen & ~played != NONE:  # another round: the table was cleared
        seen = NONE
        memory[BEGUN + word] = NONE
        for gap in range(GAPS):
            memory[NEAR + 2 * gap + word] = NONE
    memory[SEEN + word] = ~played
    new = played ^ seen
    while new != NONE:
        code = 64 * word + lowest(new)
        new ^= first(new)
        colour = cards.of_colour[cards.colour[code], word]
        memory[BEGUN + word] |= colour
        for gap in range(GAPS):
            spot = NEAR + 2 * gap + word
            memory[spot] = (memory[spot] & ~colour) | (cards.near[gap, code, word] & ~denied)
    begun, fits = memory[BEGUN + word], ~idle(mine, word)
    memory[USEFUL + word], memory[FRESH + word] = fits & begun, fits & ~begun


@njit
def remember_theirs(theirs, cards, mind, word):
    """The colours that the opponent has begun, and the cards that it could add to them."""
    memory, played = mind.memory, theirs.played[word]
    seen = ~memory[THEIR_SEEN + word]
    if seen & ~played != NONE:
        seen = NONE
        memory[THEIR_BEGUN + word] = NONE
    memory[THEIR_SEEN + word] = ~played
    new = played ^ seen
    while new != NONE:
        code = 64 * word + lowest(new)
        new ^= first(new)
        memory[THEIR_BEGUN + word] |= cards.of_colour[cards.colour[code], word]
    memory[THEIR_USEFUL + word] = memory[THEIR_BEGUN + word] & ~idle(theirs, word)


@njit(forceinline=True)
def nearest(low, high, gaps, mind):
    """The cards of a set that are useful and skip the fewest values, fewer than `gaps`; none where there are none.

    The sets grow with the gap, so walking from the widest to the narrowest needs no branch.
    """
    best_low, best_high = low & mind.memory[NEAR + 2 * (gaps - 1)], high & mind.memory[NEAR + 2 * (gaps - 1) + 1]
    for gap in range(gaps - 2, -1, -1):
        a, b = low & mind.memory[NEAR + 2 * gap], high & mind.memory[NEAR + 2 * gap + 1]
        some = flag(not is_empty(a, b))
        best_low, best_high = (a & some) | (best_low & ~some), (b & some) | (best_high & ~some)
    return best_low, best_high


@njit(forceinline=True)
def heuristic_card(public, me, cards, mind):
    """Rules 1 to 4: play a near card, late any useful one, begin a rich colour, else discard."""
    memory, low, high = mind.memory, me.hand[0], me.hand[1]
    a, b = nearest(low, high, GAPS, mind)
    if not is_empty(a, b):
        return play_action(lowest_card(a, b, cards))
    useful_low, useful_high = low & memory[USEFUL], high & memory[USEFUL + 1]
    deck = public.count[DECK]
    if deck <= 12 and not is_empty(useful_low, useful_high):
        return play_action(lowest_card(useful_low, useful_high, cards))
    new_low, new_high = low & memory[FRESH], high & memory[FRESH + 1]
    if deck >= 14:
        colour = richest(new_low, new_high, cards, mind)
        if colour >= 0:
            mask = cards.of_colour[colour]
            return play_action(lowest_card(new_low & mask[0], new_high & mask[1], cards))
    keep_low, keep_high = memory[THEIR_USEFUL], memory[THEIR_USEFUL + 1]
    a, b = low & ~useful_low & ~new_low & ~keep_low, high & ~useful_high & ~new_high & ~keep_high
    if is_empty(a, b):
        a, b = new_low & ~keep_low, new_high & ~keep_high
    if is_empty(a, b):
        a, b = low & ~useful_low, high & ~useful_high
    if is_empty(a, b):
        a, b = low, high
    return discard_action(lowest_card(a, b, cards))


@njit(forceinline=True)
def richest(low, high, cards, mind):
    """The colour with the highest sum of values in a set, the lowest of equals; -1 where none reaches 16."""
    total = mind.scratch
    for colour in range(COLOURS):
        total[colour] = 0
    while low != NONE:
        code = np.uint64(lowest(low))
        total[np.uint64(cards.colour[code])] += cards.value[code]
        low ^= first(low)
    while high != NONE:
        code = np.uint64(64 + lowest(high))
        total[np.uint64(cards.colour[code])] += cards.value[code]
        high ^= first(high)
    best, most = -1, 15
    for colour in range(COLOURS):
        more = total[colour] > most
        best = colour if more else best
        most = total[colour] if more else most
    return best


@njit(forceinline=True)
def heuristic_draw(public, cards, options, mind):
    """Rule 5: a near card from the top of an open pile, else the deck."""
    low, high = NONE, NONE
    for pile in range(COLOURS):
        code = np.int64(public.pile[pile, np.uint64(max(public.count[pile] - 1, 0))])
        there = flag(options.mask[DRAW_WORD] & bit(pile) != NONE)
        low |= bit(code & 63) & there & flag(code < 64)
        high |= bit(code & 63) & there & flag(code >= 64)
    a, b = nearest(low, high, GAPS - 1, mind)
    if is_empty(a, b):
        return DRAW + DECK
    return DRAW + cards.colour[lowest_card(a, b, cards)]


GAME = "lost-cities"
BOTS = (
    Bot("heuristic", GAME, "simple", "Continues expeditions in small steps and begins rich colours.", heuristic),
    Bot(
        "uniform_card_then_deck", GAME, "random", "Card action at random, draws from the deck.", uniform_card_then_deck
    ),
    Bot(
        "play_first_then_deck",
        GAME,
        "random",
        "Plays a random card if it can, draws from the deck.",
        play_first_then_deck,
    ),
    Bot("discard_only_then_deck", GAME, "random", "Only discards, draws from the deck.", discard_only_then_deck),
)
