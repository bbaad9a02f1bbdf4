"""Lisboa: visits of nobles, follows, sponsored events (L-10, L-15.2)."""

import numpy as np
from numba import njit

from simcore.bits import NONE
from simcore.games.lisboa.rules.effects import begin_effect, can_happen
from simcore.games.lisboa.rules.events import Event, tell
from simcore.games.lisboa.rules.frames import ASKED, GOES_ON, ask, begin, clockwise, finish
from simcore.games.lisboa.rules.influence import ask_payment, lose_wigs, money
from simcore.games.lisboa.rules.noble_actions import begin_noble_action, money_needed, treasury_value
from simcore.games.lisboa.rules.numbers import MINUS, SINGLE, ZERO
from simcore.games.lisboa.rules.state_actions import actions_of, begin_action
from simcore.games.lisboa.state import (
    ACTION_STOP,
    DECLINE,
    NOBLE_ACTION,
    NOBODY,
    NOTHING,
    SEATS,
    Decision,
    Phase,
    Power,
    Task,
)

PAYMENT, CHOICE, STATE_ACTION, LAST = range(4)  # stages of Task.VISIT
MAY_STOP, MAY_DECLINE = np.uint64(1 << ACTION_STOP), np.uint64(1 << DECLINE)
TOWARDS_NOBLE_ACTION = np.bool_(True)
CHOSEN = 1  # stage of Task.FOLLOW and Task.EVENT
UNPAYABLE = np.int64(-1)


# --- The cost (L-10.2, L-10.3, L-10.9) -------------------------------------------------------------------------------


@njit
def visit_cost(public, cards, seat, noble):
    """L-10.2."""
    cost = cards.influence_cost[public.treasury] - public.power[seat, Power.VISIT_DISCOUNT + noble]
    if public.power[seat, Power.IGNORE_RIVAL_OFFICIALS] == 0:
        for rival in range(SEATS):  # so many that the loop is unrolled; seats that do not play have none
            cost += public.office[noble, rival]
        cost -= public.office[noble, seat]
    return max(cost, 0)


@njit
def most_reais(public, cards, seat, cost):
    """L-10.9: how many points of a cost can be paid in reais."""
    most = min(public.power[seat, Power.VISIT_REAIS], cards.visit_reais_max)
    return min(min(cost, most), public.reais[seat])


@njit
def money_after(public, cards, seat, cost, reais):
    """L-10.3: the money left after a cost of which so many points are paid in reais; UNPAYABLE where wigs fail."""
    rest = cost - reais
    points = min(rest, public.influence[seat])
    if rest - points > public.standing[seat]:
        return UNPAYABLE
    return public.reais[seat] - reais + cards.coins[public.influence[seat] - points]


@njit
def ways_to_pay(public, cards, seat, cost, needed):
    """L-10.9: the numbers of points paid in reais with which the cost can be paid, and so much money is left."""
    ways = NONE
    for reais in range(most_reais(public, cards, seat, cost) + 1):
        ways |= np.uint64(money_after(public, cards, seat, cost, reais) >= needed) << np.uint64(reais)
    return ways


@njit
def most_money_after(public, cards, seat, cost):
    """L-10.3, L-10.9: the most money that can be left after a cost; UNPAYABLE where it cannot be paid."""
    most = UNPAYABLE
    for reais in range(most_reais(public, cards, seat, cost) + 1):
        most = max(most, money_after(public, cards, seat, cost, reais))
    return most


@njit
def pay_visit(public, cards, seat, cost, reais, news):
    """L-10.3, L-6.7, L-10.9: reais, then influence, then wigs."""
    public.reais[seat] -= reais
    points = min(cost - reais, public.influence[seat])
    public.influence[seat] -= points
    wigs = cost - reais - points
    if wigs > 0:
        lose_wigs(public, cards, seat, wigs, news)
    public.cost = 0
    tell(news, ZERO, Event.VISIT_INFLUENCE, seat, points)
    tell(news, ZERO, Event.VISIT_REAIS, seat, reais)
    tell(news, ZERO, Event.VISIT_WIGS, seat, wigs)


@njit
def ask_reais(public, cards, seat, noble, cost, is_noble_action, news):
    """L-10.9: ask how many reais replace influence, or pay at once where no house allows it. A Noble action must be
    possible afterwards.
    """
    if cost > 0 and public.power[seat, Power.VISIT_REAIS] > 0:
        needed = money_needed(public, cards, seat, noble, ZERO) if is_noble_action else ZERO
        public.cost = cost
        return ask(public, seat, Decision.VISIT_REAIS, ways_to_pay(public, cards, seat, cost, needed))
    pay_visit(public, cards, seat, cost, ZERO, news)
    return GOES_ON


# --- Visit (L-10.1 to L-10.5) ----------------------------------------------------------------------------------------


@njit
def can_visit(public, cards, seat, noble):
    """L-10.1."""
    left = most_money_after(public, cards, seat, visit_cost(public, cards, seat, noble))
    return left >= 0 and money_needed(public, cards, seat, noble, left) <= left


@njit
def visit(public, cards, seat, card, news):
    """L-10.1: a noble card to the Royal Court."""
    noble = cards.kind[card]
    tell(news, ZERO, Event.VISITS + noble, seat, SINGLE)
    public.visited = noble
    begin(public, Task.VISIT, seat, noble, ZERO)


@njit
def step_visit(public, cards, frame, news):
    """L-10.1, L-10.4, L-10.5: payment, a State action, the Noble action."""
    seat, noble = frame.seat, frame.what
    if frame.stage == PAYMENT:
        cost = visit_cost(public, cards, seat, noble)
        if ask_reais(public, cards, seat, noble, cost, TOWARDS_NOBLE_ACTION, news):
            return ASKED
        frame.stage = CHOICE
    if frame.stage == CHOICE:
        actions = actions_of(public, cards, seat, noble)
        if actions != NONE:
            return ask(public, seat, Decision.STATE_ACTION_PICK, actions | MAY_STOP)
        frame.stage = STATE_ACTION
    if frame.stage == STATE_ACTION:
        frame.stage = LAST
        purse = money(public, cards, seat)
        if money_needed(public, cards, seat, noble, purse) <= purse:
            begin_noble_action(public, cards, seat, noble, SINGLE)
        else:
            tell(news, ZERO, Event.NOBLE_ACTIONS_LOST, seat, SINGLE)
        return GOES_ON
    finish(public)
    return GOES_ON


@njit
def pay_in_reais(public, cards, frame, reais, news):
    """VISIT_REAIS, of a visit or a follow."""
    pay_visit(public, cards, frame.seat, public.cost, reais, news)
    frame.stage += 1
    if frame.task == Task.FOLLOW:
        begin_follow(public, cards, frame, news)


@njit
def pick_action(public, cards, frame, action, news):
    """STATE_ACTION_PICK in a visit."""
    frame.stage = STATE_ACTION
    if action != ACTION_STOP:
        begin_action(public, cards, frame.seat, action, news)


# --- Follow (L-10.7) -------------------------------------------------------------------------------------------------


@njit
def begin_follows(public, cards):
    """L-10.7: rivals are asked clockwise from the visitor."""
    public.phase = np.int64(Phase.FOLLOW)
    public.asked = clockwise(cards, public.active, SINGLE)
    public.to_ask = cards.seats - 1


@njit
def ask_follow(public, cards):
    """L-10.7: ask the next rival who can follow. Returns whether one is asked."""
    while public.to_ask > 0:
        seat = public.asked
        if public.favor[seat, public.visited] > 0:
            options = follows(public, cards, seat)
            if options != NONE:
                return ask(public, seat, Decision.FOLLOW, options | MAY_DECLINE)
        ask_next_rival(public, cards)
    public.asked, public.visited = NOBODY, NOTHING
    return GOES_ON


@njit
def ask_next_rival(public, cards):
    """The rival asked is done."""
    public.asked = clockwise(cards, public.asked, SINGLE)
    public.to_ask -= 1


@njit
def follow_cost(public, cards, seat, noble):
    """L-10.7."""
    return np.int64(0) if cards.free_follows == 1 else visit_cost(public, cards, seat, noble)


@njit
def follows(public, cards, seat):
    """L-10.7: the actions that the rival can pay for and perform, all tests as if his tile were back on its stack."""
    noble = public.visited
    left = most_money_after(public, cards, seat, follow_cost(public, cards, seat, noble))
    if left < 0:
        return NONE
    return_favor(public, seat, noble)
    options = actions_of(public, cards, seat, noble) >> np.uint64(2 * noble)
    public.favors[noble] -= 1
    public.favor[seat, noble] += 1
    is_possible = money_needed(public, cards, seat, noble, left) <= left
    return options | np.uint64(is_possible) << np.uint64(NOBLE_ACTION)


@njit
def return_favor(public, seat, noble):
    """A tile goes back to its stack."""
    public.favors[noble] += 1
    public.favor[seat, noble] -= 1


@njit
def follow(public, cards, choice):
    """FOLLOW: an action, or `decline`."""
    if choice == DECLINE:
        ask_next_rival(public, cards)
    else:
        begin(public, Task.FOLLOW, public.asked, public.visited, choice)


@njit
def step_follow(public, cards, frame, news):
    """L-10.7: payment, the tile, the action."""
    seat, noble = frame.seat, frame.what
    if frame.stage == PAYMENT:
        cost = follow_cost(public, cards, seat, noble)
        if ask_reais(public, cards, seat, noble, cost, frame.left == NOBLE_ACTION, news):
            return ASKED
        frame.stage = CHOSEN
        begin_follow(public, cards, frame, news)
        return GOES_ON
    finish(public)
    ask_next_rival(public, cards)
    return GOES_ON


@njit
def begin_follow(public, cards, frame, news):
    """L-10.7: the tile goes back, and the action begins."""
    seat, noble, choice = frame.seat, frame.what, frame.left
    return_favor(public, seat, noble)
    tell(news, ZERO, Event.FOLLOWS + noble, seat, SINGLE)
    if choice == NOBLE_ACTION:
        begin_noble_action(public, cards, seat, noble, SINGLE)
    else:
        begin_action(public, cards, seat, 2 * noble + choice, news)


# --- Sponsor an Event (L-15.2) ---------------------------------------------------------------------------------------


@njit
def sponsor_cost(public, cards, seat):
    """L-15.2."""
    return max(treasury_value(public, cards) - public.power[seat, Power.SPONSOR_DISCOUNT], 0)


@njit
def can_sponsor(public, cards, seat, row):
    """L-15.2, of a treasury card by its row (`printed_card`)."""
    left = money(public, cards, seat) - sponsor_cost(public, cards, seat)
    return left >= 0 and can_happen(public, cards, seat, cards.event[row], left)


@njit
def sponsor(public, cards, seat, card, news):
    """L-15.2: a treasury card to the Royal Court."""
    tell(news, ZERO, Event.EVENTS, seat, SINGLE)
    begin(public, Task.EVENT, seat, card, ZERO)


@njit
def step_event(public, cards, frame, news):
    """L-15.2: payment, then the event."""
    seat = frame.seat
    if frame.stage == PAYMENT:
        if ask_payment(public, cards, seat, sponsor_cost(public, cards, seat), news):
            return ASKED
        begin_event(public, cards, frame, news)
    else:
        finish(public)
    return GOES_ON


@njit
def begin_event(public, cards, frame, news):
    """L-15.2: the event, once it is paid."""
    frame.stage = CHOSEN
    begin_effect(public, cards, frame.seat, cards.event[frame.what], MINUS, Event.CARDS, news)
