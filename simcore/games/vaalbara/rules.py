"""Vaalbara: the rules as kernels, in the order of rules.md."""

from enum import IntEnum

import numpy as np
from numba import njit

from simcore import game
from simcore.bits import NONE, ONE, bit, first, flag, popcount
from simcore.game import Note
from simcore.games.vaalbara.state import (
    CLANS,
    FIRST,
    NOBODY,
    PUBLIC,
    ROW,
    SECOND,
    STATE,
    TYPES,
    UNKNOWN,
    Decision,
    Effect,
    End,
    Reward,
    Type,
)
from simcore.random import shuffle

# Purposes of the deal's luck; the clan deck of seat s is shuffled with DECKS + s.
CLANS_DRAWN, LANDS_SHUFFLED, DECKS = 1, 2, 3


class Event(IntEnum):
    """What a trace hears of (kinds of `game.note`). Codes of characters and of lands differ."""

    DEALT = Note.GAIN  # a character of the starting hand
    DRAWN = Note.GAIN + 1  # a character from the clan deck, a land from the bottom of the Land deck
    TAKEN = Note.GAIN + 2  # a character from the discard pile, a land from the first row
    PLAYED = Note.FATE  # a character
    GIVEN = Note.FATE + 1  # a land, to the Land deck
    # Parts of the score: rewards by the type of the land, then what characters give.
    REWARD = Note.PART
    PIONEER = Note.PART + TYPES
    FIGHTER = Note.PART + TYPES + 1
    BARD = Note.PART + TYPES + 2
    HUNTER = Note.PART + TYPES + 3
    ORACLE = Note.PART + TYPES + 4
    CARPENTER = Note.PART + TYPES + 5
    FALCONER = Note.PART + TYPES + 6
    ROBBED = Note.PART + TYPES + 7
    ARTISAN = Note.PART + TYPES + 8
    BONUS = Note.PART + TYPES + 9
    START = Note.PART + TYPES + 10
    # Counters.
    LANDS = Note.COUNT  # lands taken, by type
    DIFFERENT = Note.COUNT + TYPES
    FARMER = Note.COUNT + TYPES + 1  # VP, which are among the rewards
    HUNTERS = Note.COUNT + TYPES + 2
    HUNTERS_PAID = Note.COUNT + TYPES + 3
    ORACLES = Note.COUNT + TYPES + 4
    CARPENTERS = Note.COUNT + TYPES + 5
    FALCONERS = Note.COUNT + TYPES + 6
    ARTISANS = Note.COUNT + TYPES + 7
    ARTISANS_PAID = Note.COUNT + TYPES + 8
    PIONEERS = Note.COUNT + TYPES + 9
    SHOWN = Note.COUNT + TYPES + 10
    TIES = Note.COUNT + TYPES + 11
    # For replays.
    CLAN = Note.OTHER
    ROW_LAND = Note.OTHER + 1  # seat: the row
    ROW_DEALT = Note.OTHER + 2  # seat: the row
    OMENS = Note.OTHER + 3  # value: the land on top
    TURNED = Note.OTHER + 4  # value: the land that came up
    ROUND_TURN = Note.OTHER + 5  # time: place in the order of the round; value: points
    ROUND_OVER = Note.OTHER + 6  # value: rounds finished


# --- Setup (VB-2) ----------------------------------------------------------------------------------------------------


@njit
def setup(state, cards, chance, trace):
    """VB-2: clans and seats at random (VB-2.8), hands, two rows, the first omens."""
    public, secret = state.public, state.secret
    public.turns, public.rounds, public.played_rounds = 0, 0, 0
    public.end, public.truncated = np.int64(End.ROUNDS), 0
    deal_clans(state, cards, chance, trace)
    for seat in range(cards.seats):
        prepare_seat(state, cards, seat, chance, trace)
    shuffle(chance, LANDS_SHUFFLED, cards.land_deck, secret.land_deck)  # VB-2.1, VB-2.5
    public.deck = cards.lands
    public.bottom = UNKNOWN
    deal_row(state, cards, FIRST, trace)
    deal_row(state, cards, SECOND, trace)
    turn_up(state, cards, trace)
    begin_round(public, cards)


@njit
def deal_clans(state, cards, chance, trace):
    """VB-2.2, VB-2.8: each seat has a clan of its own."""
    public, order = state.public, state.secret.land_deck  # its room is not used yet
    shuffle(chance, CLANS_DRAWN, cards.clans, order)
    for seat in range(cards.seats):
        public.clan[seat] = order[seat]
        game.note(trace, 0, Event.CLAN, seat, public.clan[seat])


@njit
def prepare_seat(state, cards, seat, chance, trace):
    """VB-2.3, VB-2.4: an empty Realm, the first VP, a shuffled clan deck and a hand from it."""
    public, me = state.public, state.private[seat]
    public.order[seat] = seat
    public.standing[seat] = 0
    gain(public, seat, cards.start, Event.START, trace)
    public.lands[seat], public.hand[seat], public.clan_deck[seat] = 0, 0, cards.characters
    public.recovered[seat] = 0
    public.discard[seat], public.known[seat] = NONE, NONE
    for kind in range(TYPES):
        public.have[seat, kind] = 0
    is_denied = flag(chance.place[seat] == cards.ban_place)
    public.banned[seat], public.blanked[seat] = cards.banned & is_denied, cards.blanked & is_denied
    public.banned_types[seat] = cards.banned_types & is_denied
    me.hand, me.chosen = NONE, NOBODY
    game.note(trace, 0, Note.ROUND_ORDER, seat, seat)
    shuffle(chance, DECKS + seat, cards.clan_deck, state.secret.clan_deck[seat])
    draw_up(state, cards, seat, Event.DEALT, trace)


@njit
def draw_up(state, cards, seat, event, trace):
    """VB-2.4, VB-3.9: up to a full hand, or until the clan deck is empty."""
    public, me, deck = state.public, state.private[seat], state.secret.clan_deck[seat]
    left = public.clan_deck[seat]
    missing = min(cards.hand - public.hand[seat], left)
    for _ in range(missing):
        left -= 1
        character = np.int64(deck[np.uint64(left)])
        me.hand |= bit(character)
        game.note(trace, public.turns, event, seat, character)
    public.hand[seat] += max(missing, 0)
    public.clan_deck[seat] = left


@njit
def deal_row(state, cards, row, trace):
    """VB-2.5, VB-3.7: a land a seat from the top of the Land deck; one always stays there (VB-3.8)."""
    public, deck = state.public, state.secret.land_deck
    dealt = min(cards.seats, public.deck - 1)
    for i in range(dealt):
        code = deck[np.uint64(public.deck - 1 - i)]
        public.row[row, i] = code
        game.note(trace, public.turns, Event.ROW_LAND, row, np.int64(code))
    public.count[row] = dealt
    public.deck -= dealt
    if dealt > 0:
        public.top = public.bottom if public.deck == 1 else UNKNOWN
    game.note(trace, public.turns, Event.ROW_DEALT, row, dealt)


@njit
def turn_up(state, cards, trace):
    """VB-2.6, VB-4.3, VB-4.4: the omens are those on the back of the top card, for the rest of this round too."""
    public = state.public
    top = np.uint64(state.secret.land_deck[np.uint64(public.deck - 1)])
    for clan in range(CLANS):
        place = cards.place[top, clan]
        public.omens[clan] = place
        if cards.tracker_reorders:
            public.ranking[clan] = place
    game.note(trace, public.turns, Event.OMENS, 0, np.int64(top))


# --- Assignment (VB-3.1) ---------------------------------------------------------------------------------------------


@njit
def begin_round(public, cards):
    """All choose in secret: they are asked one after another, and nobody sees what the others chose."""
    for seat in range(cards.seats):
        public.revealed[seat] = NOBODY
    for clan in range(CLANS):
        public.ranking[clan] = public.omens[clan]
    public.acted = NONE
    public.active = NOBODY
    public.barred = NONE
    public.actor, public.decision = 0, np.int64(Decision.CHARACTER)


@njit
def choose(state, cards, character, trace):
    """VB-3.1: a card leaves the hand face down; after the last seat's all are revealed."""
    public = state.public
    me = state.private[np.uint64(public.actor)]
    me.chosen = character
    me.hand ^= bit(character)
    public.actor += 1
    if public.actor == cards.seats:
        reveal(state, cards, trace)


@njit
def reveal(state, cards, trace):
    """VB-3.1, VB-4.6: all choices are turned up together; then the first seat takes its turn."""
    public = state.public
    for seat in range(cards.seats):
        me = state.private[seat]
        character = me.chosen
        me.chosen = NOBODY
        public.revealed[seat] = character
        public.hand[seat] -= 1
        public.known[seat] &= ~bit(character)
        game.note(trace, public.turns, Event.PLAYED, seat, character)
    count_tie(public, cards, trace)
    begin_turn(state, cards, trace)


@njit
def count_tie(public, cards, trace):
    """For statistics: the first tie of a round counts for the seat that the omens put first."""
    best, winner = np.int64(1) << 62, NOBODY
    for seat in range(cards.seats):
        for other in range(cards.seats):
            alike = cards.initiative[public.revealed[seat]] == cards.initiative[public.revealed[other]]
            if seat != other and alike and turn_key(public, cards, seat) < best:
                best, winner = turn_key(public, cards, seat), seat
    if winner != NOBODY:
        game.note(trace, public.turns, Event.TIES, winner, 1)


# --- Turn order (VB-4) -----------------------------------------------------------------------------------------------


@njit(forceinline=True)
def turn_key(public, cards, seat):
    """VB-4.1, VB-4.2: the seat with the lowest acts first: by initiative, then by the clan's place in the omens."""
    initiative = cards.initiative[np.uint64(public.revealed[np.uint64(seat)])]
    return initiative * 8 + public.ranking[np.uint64(public.clan[np.uint64(seat)])]


@njit
def begin_turn(state, cards, trace):
    """VB-4.3: who is next is found afresh after every turn, by the omens as they are then."""
    public = state.public
    best, active = np.int64(1) << 62, NOBODY
    for seat in range(cards.seats):
        key = turn_key(public, cards, seat)
        sooner = (public.acted & bit(seat) == NONE) & (key < best)
        best = key if sooner else best
        active = seat if sooner else active
    public.active = active
    public.actor = active
    if not begin_effect(state, cards, trace):
        end_effect(public, cards)


# --- What a study of access denies -----------------------------------------------------------------------------------


@njit(forceinline=True)
def effect_of(public, cards, seat, character):
    """What a character does for a seat: nothing where it is blanked."""
    is_blank = (public.blanked[seat] >> np.uint64(character)) & ONE
    return cards.effect[character] & (np.int64(is_blank) - 1)


@njit(forceinline=True)
def showable(public, cards, seat):
    """VB-6.1: the Fighters that a seat can show. A blanked one is none."""
    return cards.fighters & ~public.blanked[seat]


@njit
def playable(public, seat, hand):
    """VB-3.1: the characters of a hand that a seat may choose: banned ones only where it has no other."""
    free = hand & ~public.banned[seat]
    return free if free != NONE else hand


@njit(forceinline=True)
def is_open(public, seat, kind):
    """1 where lands of a type pay a seat, 0 where they are banned."""
    return np.int64(~(public.banned_types[seat] >> np.uint64(kind)) & ONE)


@njit
def barred(public, cards, seat):
    """VB-3.5: the places of the first row that a seat may not take from: banned types, if there is any other."""
    closed, count = NONE, public.count[FIRST]
    for place in range(count):
        if not is_open(public, seat, cards.type[public.row[FIRST, place]]):
            closed |= bit(place)
    return closed if popcount(closed) < count else NONE


# --- Characters (VB-6) -----------------------------------------------------------------------------------------------


@njit
def gain(public, seat, points, event, trace):
    """VP from the supply, which never runs out (VB-1.6)."""
    public.standing[np.uint64(seat)] += points
    game.note(trace, public.turns, event, np.int64(seat), points)


@njit
def begin_effect(state, cards, trace):
    """VB-3.3, VB-3.4: the effect of the revealed character, as far as it needs no decision.

    Returns whether somebody has to decide first; `public.actor` and `public.decision` say who and what.
    """
    public = state.public
    seat = np.uint64(public.active)
    character = np.uint64(public.revealed[seat])
    effect, amount = effect_of(public, cards, seat, character), cards.amount[character]
    if effect == Effect.OTHERS_REVEAL_FIGHTER:  # VB-6.1
        if cards.fighter_pays_owner:
            gain(public, seat, amount, Event.FIGHTER, trace)
        return ask_holder(state, cards, public.active)
    if effect == Effect.GIVE_OTHER:  # VB-6.2
        return ask(public, Decision.BARD)
    if effect == Effect.BEFORE_NEIGHBOURS:  # VB-6.3
        before = public.acted & cards.neighbours[seat] == NONE
        pay_timing(public, seat, amount, before, Event.HUNTER, Event.HUNTERS, Event.HUNTERS_PAID, trace)
    elif effect == Effect.ODD_NEIGHBOURS:  # VB-6.4
        gain(public, seat, amount * odd_neighbours(public, cards, seat), Event.ORACLE, trace)
        game.note(trace, public.turns, Event.ORACLES, np.int64(seat), 1)
    elif effect == Effect.PER_FOREST:  # VB-6.5
        gain(public, seat, amount * public.have[seat, np.uint64(Type.FOREST)], Event.CARPENTER, trace)
        game.note(trace, public.turns, Event.CARPENTERS, np.int64(seat), 1)
    elif effect == Effect.STEAL_PREVIOUS:
        steal(public, seat, amount, trace)
    elif effect == Effect.SWAP_ROW_DECKTOP:  # VB-6.7
        return ask(public, Decision.TRACKER)
    elif effect == Effect.RECOVER_CHARACTER:  # VB-6.8
        return recoverable(public, cards, seat) != NONE and ask(public, Decision.MIDWIFE)
    elif effect == Effect.SWAP_ROWS:  # VB-6.9
        return public.count[SECOND] > 0 and ask(public, Decision.RIDER)
    elif effect == Effect.AFTER_NEIGHBOURS:  # VB-6.10
        after = public.acted & cards.neighbours[seat] == cards.neighbours[seat]
        pay_timing(public, seat, amount, after, Event.ARTISAN, Event.ARTISANS, Event.ARTISANS_PAID, trace)
    elif effect == Effect.SWAP_REALM_DECKBOTTOM:  # VB-6.11
        game.note(trace, public.turns, Event.PIONEERS, np.int64(seat), 1)
        return public.lands[seat] > 0 and ask(public, Decision.PIONEER)
    return False  # VB-6.12 comes with the land action


@njit(forceinline=True)
def ask(public, decision):
    """The active player has to decide."""
    public.decision = np.int64(decision)
    return True


@njit
def end_effect(public, cards):
    """VB-3.3, VB-6.8a: the character goes to the discard pile; now the land action."""
    seat = np.uint64(public.active)
    public.discard[seat] |= bit(public.revealed[seat])
    public.barred = NONE if public.banned_types[seat] == NONE else barred(public, cards, seat)
    public.actor, public.decision = public.active, np.int64(Decision.TAKE)


@njit
def ask_holder(state, cards, seat):
    """VB-6.1, VB-6.1d: the next holder of a Fighter, clockwise after `seat`; False when all have been asked.

    A Fighter that was just played is in no hand (VB-6.1a, VB-6.1b).
    """
    public = state.public
    other = (seat + 1) % cards.seats
    while other != public.active:
        if state.private[other].hand & showable(public, cards, other) != NONE:
            public.actor, public.decision = other, np.int64(Decision.SHOW_FIGHTER)
            return True
        other = (other + 1) % cards.seats
    return False


@njit
def show_fighter(state, cards, shows, trace):
    """VB-6.1, VB-6.1c, VB-6.1d: who shows one gains VP, and all know the card; a refusal leaves no trace."""
    public = state.public
    holder = public.actor
    if shows:
        shown = first(state.private[holder].hand & showable(public, cards, holder))
        public.known[holder] |= shown
        gain(public, holder, cards.amount[public.revealed[public.active]], Event.FIGHTER, trace)
        game.note(trace, public.turns, Event.SHOWN, holder, 1)
    if not ask_holder(state, cards, holder):
        end_effect(public, cards)


@njit
def pay_timing(public, seat, amount, pays, part, played, paid, trace):
    """VB-6.3, VB-6.10, VB-4.5: Hunter and Artisan pay by when they act."""
    gain(public, seat, amount * np.int64(pays), part, trace)
    game.note(trace, public.turns, played, np.int64(seat), 1)
    game.note(trace, public.turns, paid, np.int64(seat), np.int64(pays))


@njit
def odd_neighbours(public, cards, seat):
    """VB-6.4: neighbours who played an odd initiative, whether or not they have acted (VB-4.6)."""
    found = 0
    for other in range(cards.seats):
        is_neighbour = np.int64((cards.neighbours[seat] >> np.uint64(other)) & np.uint64(1))
        found += is_neighbour & cards.initiative[np.uint64(public.revealed[np.uint64(other)])]
    return found


@njit
def steal(public, seat, amount, trace):
    """VB-6.6, VB-6.6a, VB-6.6b: from whoever acted just before, at most what is there."""
    game.note(trace, public.turns, Event.FALCONERS, np.int64(seat), 1)
    if public.acted != NONE:
        victim = public.sequence[np.uint64(popcount(public.acted) - 1)]
        points = min(amount, public.standing[victim])
        gain(public, victim, -points, Event.ROBBED, trace)
        gain(public, seat, points, Event.FALCONER, trace)


@njit
def track(state, cards, row, place, trace):
    """VB-6.7, VB-6.7a: a land of a row and the top card of the Land deck change places; new omens."""
    public, deck = state.public, state.secret.land_deck
    top = np.uint64(public.deck - 1)
    old, new = public.row[row, place], deck[top]
    public.row[row, place], deck[top] = new, old
    game.note(trace, public.turns, Event.TURNED, public.actor, np.int64(new))
    public.top = np.int64(old)
    if public.deck == 1:
        public.bottom = public.top
    turn_up(state, cards, trace)
    end_effect(public, cards)


@njit(forceinline=True)
def recoverable(public, cards, seat):
    """VB-6.8: what a Midwife can bring back."""
    return public.discard[seat] & ~cards.midwives


@njit
def recover(state, cards, character, trace):
    """VB-6.8, VB-6.8a: a character comes back from the own discard pile, and all know it."""
    public = state.public
    seat = np.uint64(public.actor)
    public.discard[seat] ^= bit(character)
    public.known[seat] |= bit(character)
    state.private[seat].hand |= bit(character)
    public.hand[seat] += 1
    public.recovered[seat] += 1
    game.note(trace, public.turns, Event.TAKEN, np.int64(seat), character)
    end_effect(public, cards)


@njit
def ride(public, cards, place, other):
    """VB-6.9: a land of the first row and one of the second change places."""
    land = public.row[FIRST, place]
    public.row[FIRST, place] = public.row[SECOND, other]
    public.row[SECOND, other] = land
    end_effect(public, cards)


@njit
def settle(state, cards, place, trace):
    """VB-6.11: a land of the own Realm and the bottom card of the Land deck change places; the new one pays."""
    public, deck = state.public, state.secret.land_deck
    seat = np.uint64(public.actor)
    old, new = public.realm[seat, place], deck[0]
    public.have[seat, cards.type[np.uint64(old)]] -= 1
    game.note(trace, public.turns, Event.GIVEN, np.int64(seat), np.int64(old))
    public.realm[seat, place], deck[0] = new, old
    game.note(trace, public.turns, Event.DRAWN, np.int64(seat), np.int64(new))
    points = enter(public, cards, seat, np.uint64(new))  # VB-6.11a
    gain(public, seat, points, Event.PIONEER, trace)
    public.bottom = np.int64(old)  # VB-6.11b
    if public.deck == 1:  # VB-4.4: the bottom card is the top card
        public.top = public.bottom
        turn_up(state, cards, trace)
    end_effect(public, cards)


# --- The land action (VB-3.5, VB-5) ----------------------------------------------------------------------------------


@njit
def take(state, cards, place, trace):
    """VB-3.5, VB-3.6: a land of the first row comes to the Realm and pays; the turn is over."""
    public = state.public
    seat = np.uint64(public.actor)
    code = np.uint64(public.row[FIRST, place])
    left = public.count[FIRST] - 1
    for i in range(place, left):
        public.row[FIRST, i] = public.row[FIRST, i + 1]
    public.count[FIRST] = left
    public.realm[seat, np.uint64(public.lands[seat])] = code
    public.lands[seat] += 1
    game.note(trace, public.turns, Event.TAKEN, np.int64(seat), np.int64(code))
    pay_land(public, cards, seat, code, trace)
    public.sequence[np.uint64(popcount(public.acted))] = public.actor
    public.acted |= bit(seat)
    public.turns += 1
    if left_to_act(public, cards):
        begin_turn(state, cards, trace)
    else:
        end_round(state, cards, trace)


@njit
def pay_land(public, cards, seat, code, trace):
    """VB-3.5, VB-6.12: the reward of the land that was taken, doubled for a Farmer."""
    kind = cards.type[code]
    points = enter(public, cards, seat, code)
    if effect_of(public, cards, seat, np.uint64(public.revealed[seat])) == Effect.DOUBLE_LAND:
        game.note(trace, public.turns, Event.FARMER, np.int64(seat), points * (cards.farmer_factor - 1))
        points *= cards.farmer_factor
    gain(public, seat, points, Event.REWARD + kind, trace)
    game.note(trace, public.turns, Event.LANDS + kind, np.int64(seat), 1)


@njit(forceinline=True)
def left_to_act(public, cards):
    """Whether some seat has not acted in this round."""
    return popcount(public.acted) < cards.seats


@njit
def enter(public, cards, seat, code):
    """A land enters a Realm. Returns its reward, counted with the land in it (VB-3.5, VB-5.8)."""
    kind = np.uint64(cards.type[code])
    public.have[seat, kind] += 1
    return reward(public, cards, seat, kind, cards.printed[code]) * is_open(public, seat, kind)


@njit
def reward(public, cards, seat, kind, printed):
    """VB-5: what a land of this type pays a seat, by the numbers of lands as they are now."""
    own, unit, rule = public.have[seat, kind], cards.unit[kind], cards.reward[kind]
    if rule == Reward.PER_FIELD:  # VB-5.2
        return unit * own
    if rule == Reward.PRINTED:  # VB-5.3
        return printed
    if rule == Reward.MILESTONE_2_4:  # VB-5.5, VB-5.5a
        return cards.second * np.int64(own == 2) + cards.fourth * np.int64(own == 4)
    if rule == Reward.PER_MEADOW_SELF_AND_NEIGHBOURS:  # VB-5.1
        return unit * (own + neighbours_have(public, cards, seat, kind))
    if rule == Reward.PER_DISTINCT_TYPE:  # VB-5.4
        return unit * different(public, seat)
    initiative = cards.initiative[np.uint64(public.revealed[seat])]  # VB-5.6, VB-5.7
    return unit * min(initiative, cards.river_cap) * own


@njit
def neighbours_have(public, cards, seat, kind):
    """VB-5.1, VB-2.7: lands of a type in the Realms of the neighbours."""
    found = 0
    for other in range(cards.seats):
        is_neighbour = np.int64((cards.neighbours[seat] >> np.uint64(other)) & np.uint64(1))
        found += is_neighbour * public.have[np.uint64(other), kind]
    return found


@njit
def different(public, seat):
    """VB-5.4, VB-7.2: how many types a Realm has."""
    found = 0
    for kind in range(TYPES):
        found += np.int64(public.have[seat, kind] > 0)
    return found


# --- End of a round, end of the game (VB-3.7 to VB-3.10, VB-7) --------------------------------------------------------


@njit
def end_round(state, cards, trace):
    """VB-3.7, VB-3.9: the second row moves up, a new one is dealt, all draw. Not after the last round (VB-3.10)."""
    public = state.public
    public.played_rounds += 1
    for i in range(cards.seats):
        seat = public.sequence[i]
        game.note(trace, i, Event.ROUND_TURN, seat, public.standing[seat])
    game.note(trace, public.turns, Event.ROUND_OVER, 0, public.played_rounds)
    if public.played_rounds == cards.rounds:
        end_game(public, cards, trace)
        return
    public.count[FIRST] = public.count[SECOND]
    for i in range(ROW):
        public.row[FIRST, i] = public.row[SECOND, i]
    deal_row(state, cards, SECOND, trace)
    if public.count[SECOND] > 0:
        turn_up(state, cards, trace)
    for seat in range(cards.seats):
        draw_up(state, cards, seat, Event.DRAWN, trace)
    begin_round(public, cards)


@njit
def end_game(public, cards, trace):
    """VB-7.1: the game ends with its last round."""
    public.actor = NOBODY
    public.rounds = 1
    for seat in range(cards.seats):
        game.note(trace, public.turns, Event.BONUS, seat, bonus(public, cards, seat))
        game.note(trace, public.turns, Event.DIFFERENT, seat, different(public, seat))
        game.note(trace, 0, Note.ROUND_POINTS, seat, public.standing[seat] + bonus(public, cards, seat))


@njit
def bonus(public, cards, seat):
    """VB-7.2: for five, and for six different types."""
    types = different(public, seat)
    return cards.five_types if types == 5 else cards.six_types if types == 6 else 0


@njit
def score(public, privates, cards, out):
    """VB-7.2 to VB-7.5: VP with the bonus; between equals the clan that stands better in the omens."""
    for seat in range(cards.seats):
        out.points[seat] = public.standing[seat] + bonus(public, cards, seat)
        out.tie_break[seat] = -public.omens[public.clan[seat]]


# --- Decisions (section 9) -------------------------------------------------------------------------------------------


@njit(forceinline=True)
def several(count):
    """The set of the places 0..count-1."""
    return bit(count) - np.uint64(1)


@njit
def legal(public, me, cards, options):
    """VB-D1 to VB-D8."""
    decision = public.decision
    seat = np.uint64(public.actor)
    if decision == Decision.CHARACTER:
        mask = playable(public, seat, me.hand)
    elif decision == Decision.TAKE:
        mask = several(public.count[FIRST]) & ~public.barred
    elif decision == Decision.SHOW_FIGHTER:
        mask = several(2)
    elif decision == Decision.BARD:
        mask = several(cards.seats) ^ bit(seat)
    elif decision == Decision.TRACKER:
        mask = several(public.count[FIRST]) | several(public.count[SECOND]) << np.uint64(ROW)
    elif decision == Decision.MIDWIFE:
        mask = recoverable(public, cards, seat)
    elif decision == Decision.RIDER:
        mask = NONE
        for i in range(public.count[FIRST]):
            mask |= several(public.count[SECOND]) << np.uint64(ROW * i)
    else:
        mask = several(public.lands[seat])
    options.mask[np.uint64(decision)] = mask
    options.count = popcount(mask)
    options.start, options.stop = decision, decision + 1


@njit
def apply(state, cards, action, chance, trace):
    """One decision; its actions are the codes 64 * decision + item."""
    decision, item = action >> 6, action & 63
    if decision == Decision.CHARACTER:
        choose(state, cards, item, trace)
    elif decision == Decision.TAKE:
        take(state, cards, item, trace)
    elif decision == Decision.SHOW_FIGHTER:
        show_fighter(state, cards, item, trace)
    elif decision == Decision.BARD:
        gain(state.public, item, cards.amount[state.public.revealed[state.public.actor]], Event.BARD, trace)
        end_effect(state.public, cards)
    elif decision == Decision.TRACKER:
        track(state, cards, item // ROW, item % ROW, trace)
    elif decision == Decision.MIDWIFE:
        recover(state, cards, item, trace)
    elif decision == Decision.RIDER:
        ride(state.public, cards, item // ROW, item % ROW)
    else:
        settle(state, cards, item, trace)


game.implement(setup=(STATE, setup), legal=(PUBLIC, legal), apply=(STATE, apply), score=(PUBLIC, score))
