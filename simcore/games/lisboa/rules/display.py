"""Lisboa: hands, displays, and what is turned up (L-2.3 to L-2.5, L-4.7, L-4.8, L-16.5)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit, popcount
from simcore.games.lisboa.rules.events import CARD_CODE, Event, tell
from simcore.games.lisboa.rules.frames import ask
from simcore.games.lisboa.rules.numbers import ZERO
from simcore.games.lisboa.state import KINDS, NOTHING, STATIONS, TILES, Decision
from simcore.random import shuffle

# Purposes of the deal's luck, by period.
HANDS, DISPLAYS = 10, 12


# --- Hands -----------------------------------------------------------------------------------------------------------


@njit
def deal_hand(state, cards, seat, chance, news):
    """R6, L-16.5: up to a full hand, from a part of the deck that is the seat's own."""
    public, me, order = state.public, state.private[seat], state.secret.room
    deck = cards.hand_deck[public.period]
    shuffle(chance, HANDS + public.period, deck, order)
    start = public.order[seat] * cards.hand_size
    for i in range(start, min(start + cards.hand_size - public.hand[seat], deck.count)):
        card = np.int64(order[i])
        me.hand[public.hand[seat]] = card
        public.hand[seat] += 1
        public.dealt[seat, public.period] += 1
        tell(news, public.turns, Event.DEALT, seat, CARD_CODE + card)


@njit
def leave_hand(state, cards, seat, slot):
    """A card leaves a hand in the open. Returns the card."""
    public, hand = state.public, state.private[seat].hand
    card = hand[slot]
    public.hand[seat] -= 1
    for i in range(slot, public.hand[seat]):
        hand[i] = hand[i + 1]
    hand[public.hand[seat]] = 0
    origin = cards.origin[card]
    if origin % 2 == 0:
        public.dealt[seat, origin // 2] -= 1
    else:
        forget_open(public, seat, card)
    public.seen[card // 64] |= bit(card % 64)
    return card


@njit
def forget_open(public, seat, card):
    """A card drawn in the open is no longer in the hand."""
    i = 0
    while public.open[seat, i] != card:
        i += 1
    public.opened[seat] -= 1
    for later in range(i, public.opened[seat]):
        public.open[seat, later] = public.open[seat, later + 1]
    public.open[seat, public.opened[seat]] = 0


# --- The display of political cards ----------------------------------------------------------------------------------


@njit
def lay_display(state, cards, chance, news):
    """R8, L-16.5: the four decks of a period. They are shuffled together, which shuffles each of them."""
    public, order = state.public, state.secret.room
    deck = cards.display_deck[public.period]
    shuffle(chance, DISPLAYS + public.period, deck, order)
    for kind in range(KINDS):
        public.deck[kind] = 0
    for i in range(deck.count):
        kind = cards.kind[order[i]]
        state.secret.deck[kind, public.deck[kind]] = order[i]
        public.deck[kind] += 1
    for kind in range(KINDS):
        reveal_card(state, kind, news)


@njit
def reveal_card(state, kind, news):
    """L-4.8 (2): the next card of a deck, if it has one."""
    public = state.public
    public.face[kind] = NOTHING
    if public.deck[kind] > 0:
        card = np.int64(state.secret.deck[kind, public.deck[kind] - 1])
        public.face[kind] = card
        public.seen[card // 64] |= bit(card % 64)
        tell(news, kind, Event.CARD_REVEALED, ZERO, card)


@njit
def ask_draw(public):
    """L-4.7: skipped when all decks are empty."""
    decks = NONE
    for kind in range(KINDS):
        decks |= np.uint64(public.deck[kind] > 0) << np.uint64(kind)
    return ask(public, public.active, Decision.DRAW, decks)


@njit
def draw_card(state, cards, kind, news):
    """DRAW: the card face up becomes the last of the hand."""
    public, seat = state.public, state.public.active
    card = public.face[kind]
    state.private[seat].hand[public.hand[seat]] = card
    public.hand[seat] += 1
    public.open[seat, public.opened[seat]] = card
    public.opened[seat] += 1
    public.face[kind], public.drawn = NOTHING, kind
    public.deck[kind] -= 1
    tell(news, public.turns, Event.DRAWN, seat, CARD_CODE + card)


# --- Church, decrees, city tiles -------------------------------------------------------------------------------------


@njit
def refill_church(state, event, news):
    """R7, L-4.8 (4)."""
    public = state.public
    left = popcount(public.bag)
    for slot in range(STATIONS):
        if public.slot[slot] == NOTHING and left > 0:
            left -= 1
            tile = np.int64(state.secret.bag[left])
            public.slot[slot] = tile
            public.bag &= ~bit(tile)
            tell(news, slot, event, ZERO, tile)


@njit
def refill_decrees(state, cards, news):
    """R9, L-4.8 (5), L-18.1: with two players some decrees go to the box when they turn up."""
    public = state.public
    for position in range(cards.decree_display):
        while public.decree[position] == NOTHING and public.decree_deck > 0:
            public.decree_deck -= 1
            decree = np.int64(state.secret.decree[public.decree_deck])
            public.decrees_left[decree // 64] &= ~bit(decree % 64)
            tell(news, position, Event.DECREE_REVEALED, ZERO, decree)
            if cards.removed[decree] == 0:
                public.decree[position] = decree


@njit
def refill_tiles(public, cards):
    """L-4.8 (6): each empty space takes a tile of its kind."""
    for kind in range(TILES):
        missing = min(cards.tile_spaces[kind] - public.tiles[kind], public.tile_pile[kind])
        public.tiles[kind] += missing
        public.tile_pile[kind] -= missing
