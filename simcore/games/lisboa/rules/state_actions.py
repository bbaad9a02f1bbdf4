"""Lisboa: Trade and the six State actions (L-9; the Cardinal is in church.py)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, bit, popcount
from simcore.games.lisboa.rules.church import cardinal_steps
from simcore.games.lisboa.rules.events import PLAN_CODE, SHIP_CODE, SHIP_COPIES, Event, tell
from simcore.games.lisboa.rules.frames import ASKED, GOES_ON, ask, begin, finish
from simcore.games.lisboa.rules.goods import gain_goods, gainable, held, own_types, return_good
from simcore.games.lisboa.rules.influence import gain_influence
from simcore.games.lisboa.rules.numbers import SINGLE, TOP, ZERO
from simcore.games.lisboa.rules.portfolio import ask_room, place_top
from simcore.games.lisboa.state import (
    ACTIONS,
    ARCHITECTS,
    GOODS,
    NOBLES,
    OFFICE_STOP,
    SEATS,
    SHIP,
    TRADE_STOP,
    Decision,
    Power,
    StateAction,
    Task,
)

GOODS_PAID, ROOM = range(2)  # stages of Task.SHIP
IN_PROGRESS = 1  # stage of Task.TRADE and Task.ACTIONS

ALL_GOODS = np.uint64((1 << GOODS) - 1)
ALL_NOBLES = np.uint64((1 << NOBLES) - 1)


# --- Trade (L-9.1, L-9.2) --------------------------------------------------------------------------------------------


@njit
def tradable(public, cards, seat, done):
    """L-9.1: the options of TRADE without `stop`, State actions already done left out."""
    goods = held(public, seat)
    options = NONE
    if goods == NONE:
        return options
    is_wild = public.power[seat, Power.TRADE_WILD] > 0
    for action in range(ACTIONS):
        accepted = goods if is_wild else goods & cards.accepted[action // 2]
        if accepted != NONE and done & bit(action) == NONE:
            options |= payable(public, cards, seat, action, accepted) << np.uint64(GOODS * action)
    return options


@njit
def payable(public, cards, seat, action, accepted):
    """L-9.3: those of the goods accepted after whose payment the State action can be performed."""
    if action == StateAction.SHIP:
        # A good of which there is only one is missing afterwards.
        missing, types = ship_goods_missing(public, cards, seat), NONE
        for good in range(GOODS):
            types |= np.uint64(public.goods[seat, good] > 1) << np.uint64(good)
        if missing > 0:
            return NONE
        return accepted if missing < 0 else accepted & types
    if action == StateAction.PRODUCE:
        # A good of an own type can be produced again once it is paid: there are room and stock for it.
        own = own_types(public, seat)
        return accepted if gainable(public, cards, seat) & own != NONE else accepted & own
    return accepted if can_act(public, cards, seat, action) else NONE


@njit
def step_trade(public, cards, frame):
    """L-9.1: a second good, unless only `stop` remains."""
    frame.left -= frame.stage  # the action in progress is complete
    frame.stage = 0
    options = NONE
    if frame.left > 0:
        options = tradable(public, cards, frame.seat, frame.done)
    if options == NONE:
        finish(public)
        return GOES_ON
    return ask(public, frame.seat, Decision.TRADE, options | (np.uint64(frame.done != NONE) << np.uint64(TRADE_STOP)))


@njit
def trade(public, cards, frame, choice, news):
    """TRADE: a good for a State action, or `stop`."""
    if choice == TRADE_STOP:
        finish(public)
        return
    action, good = choice // GOODS, choice % GOODS
    return_good(public, frame.seat, good)
    frame.done |= bit(action)
    frame.stage = IN_PROGRESS
    begin_action(public, cards, frame.seat, action, news)


# --- Any State action (L-9.3) ----------------------------------------------------------------------------------------


@njit
def can_act(public, cards, seat, action):
    """L-9.3: whether a State action can be performed, no good to be paid."""
    if action == StateAction.RECRUIT:
        return public.board[seat] > 0
    if action == StateAction.PLAN:
        return architects(public) != NONE and public.plans[seat] < cards.plan_limit
    if action == StateAction.SHIP:
        return ship_goods_missing(public, cards, seat) <= 0
    if action == StateAction.PRODUCE:
        return gainable(public, cards, seat) & own_types(public, seat) != NONE
    if action == StateAction.CARDINAL:
        return cardinal_steps(public, cards, seat) != NONE
    return favors(public, cards, seat) != NONE


@njit
def actions_of(public, cards, seat, noble):
    """L-10.4: those of a noble's two State actions that can be performed."""
    first = can_act(public, cards, seat, 2 * noble)
    second = can_act(public, cards, seat, 2 * noble + 1)
    return (np.uint64(first) | np.uint64(second) << ONE) << np.uint64(2 * noble)


@njit
def all_actions(public, cards, seat):
    """L-15.5: all State actions that can be performed."""
    actions = NONE
    for noble in range(NOBLES):
        actions |= actions_of(public, cards, seat, noble)
    return actions


@njit
def begin_action(public, cards, seat, action, news):
    """A State action that can be performed begins."""
    tell(news, ZERO, Event.STATE_ACTIONS + action, seat, SINGLE)
    if action == StateAction.RECRUIT:
        most = cards.recruit_officials + public.power[seat, Power.RECRUIT_BONUS]
        begin(public, Task.RECRUIT, seat, ZERO, most)
    elif action == StateAction.PLAN:
        begin(public, Task.PLAN, seat, ZERO, ZERO)
    elif action == StateAction.SHIP:
        begin(public, Task.SHIP, seat, ZERO, ship_cost(public, cards, seat))
    elif action == StateAction.PRODUCE:
        produce(public, cards, seat, news)
    elif action == StateAction.CARDINAL:
        begin(public, Task.CARDINAL, seat, ZERO, ZERO)
    else:
        begin(public, Task.FAVOR, seat, ZERO, ZERO)


# --- Recruit (L-9.4, L-9.5) ------------------------------------------------------------------------------------------


@njit
def step_recruit(public, cards, frame):
    """L-9.4: different offices first; those of the bonus go anywhere."""
    seat, placed = frame.seat, frame.what
    if frame.left == 0 or public.board[seat] == 0:
        finish(public)
        return GOES_ON
    offices = ALL_NOBLES
    if placed < cards.recruit_officials:
        offices &= ~frame.done
    return ask(public, seat, Decision.OFFICE, offices | (np.uint64(placed > 0) << np.uint64(OFFICE_STOP)))


@njit
def recruit(public, cards, frame, choice, news):
    """OFFICE: an official into an office, or `stop`."""
    if choice == OFFICE_STOP:
        finish(public)
        return
    seat = frame.seat
    frame.left -= 1
    frame.what += 1
    frame.done |= bit(choice)
    make_space(public, cards, choice)
    public.board[seat] -= 1
    public.office[choice, seat] += 1
    tell(news, ZERO, Event.OFFICIALS_PLACED, seat, SINGLE)


@njit
def make_space(public, cards, noble):
    """L-9.5: in a full office all who have most officials there move one to the courtyard."""
    total, most = np.int64(0), np.int64(0)
    for seat in range(SEATS):  # seats that do not play have none there
        there = public.office[noble, seat]
        total += there
        most = max(most, there)
    if total < cards.office_capacity:
        return
    for seat in range(SEATS):
        if public.office[noble, seat] == most:
            public.office[noble, seat] -= 1
            public.courtyard[seat] += 1


# --- Plan (L-9.6) ----------------------------------------------------------------------------------------------------


@njit
def architects(public):
    """The set of the architects with a plan in their pile."""
    there = NONE
    for architect in range(ARCHITECTS):
        there |= np.uint64(public.pile[architect] > 0) << np.uint64(architect)
    return there


@njit
def take_plan(public, cards, frame, architect, news):
    """ARCHITECT: the top plan."""
    plan = cards.pile[architect, cards.pile_size[architect] - public.pile[architect]]
    public.pile[architect] -= 1
    hold_plan(public, cards, frame.seat, plan, news)
    finish(public)


@njit
def hold_plan(public, cards, seat, plan, news):
    """A plan comes to a seat."""
    public.plan[seat, public.plans[seat]] = plan
    public.plans[seat] += 1
    tell(news, public.turns, Event.TAKEN, seat, PLAN_CODE + plan)


# --- Ship (L-9.7) ----------------------------------------------------------------------------------------------------


@njit
def next_ship(public, cards):
    """The kind on top of the shipyard, which is not empty."""
    return cards.yard[public.period, cards.yard_size[public.period] - public.shipyard]


@njit
def ship_cost(public, cards, seat):
    """The types of goods that the next ship costs."""
    return max(cards.ship_goods[next_ship(public, cards)] - public.power[seat, Power.SHIP_GOODS_DISCOUNT], 0)


@njit
def ship_goods_missing(public, cards, seat):
    """How many types are missing for the next ship; below 0: so many more than it costs are there."""
    if public.shipyard == 0:
        return np.int64(GOODS + 1)
    return ship_cost(public, cards, seat) - popcount(held(public, seat))


@njit
def step_ship(public, cards, frame, news):
    """L-9.7: the goods, then room, then the ship."""
    seat = frame.seat
    if frame.stage == GOODS_PAID and frame.left > 0:
        return ask(public, seat, Decision.SHIP_GOOD, held(public, seat) & ~frame.done)
    frame.stage = ROOM
    if ask_room(public, cards, seat, TOP):
        return ASKED
    ship = next_ship(public, cards)
    public.shipyard -= 1
    place_top(public, cards, seat, SHIP + ship)
    public.treasury = min(public.treasury + 1, cards.treasury_last)  # L-7.3
    tell(news, public.turns, Event.TAKEN, seat, SHIP_CODE + SHIP_COPIES * ship)
    gain_influence(public, cards, seat, news)
    finish(public)
    return GOES_ON


@njit
def pay_ship_good(public, frame, good):
    """SHIP_GOOD."""
    return_good(public, frame.seat, good)
    frame.done |= bit(good)
    frame.left -= 1


# --- Produce (L-9.8) -------------------------------------------------------------------------------------------------


@njit
def produce(public, cards, seat, news):
    """L-9.8: first the own stores."""
    begin(public, Task.PRODUCE, seat, ZERO, public.power[seat, Power.PRODUCE_BONUS])
    for good in range(GOODS):
        gained = gain_goods(public, cards, seat, good, public.stores[seat, good])
        public.frame[public.depth - 1].done |= np.uint64(gained > 0) << np.uint64(good)
        tell(news, ZERO, Event.GOODS_PRODUCED, seat, gained)


@njit
def step_produce(public, cards, frame):
    """L-9.8: then the extra goods; last the prices fall."""
    seat = frame.seat
    goods = gainable(public, cards, seat) & own_types(public, seat)
    if frame.left > 0 and goods != NONE:
        return ask(public, seat, Decision.GOOD_PICK, goods)
    if public.power[seat, Power.PRICE_HOLD] == 0:
        for good in range(GOODS):  # L-8.2
            if frame.done & bit(good) != NONE:
                public.price[good] = max(public.price[good] - 1, cards.price_first)
    finish(public)
    return GOES_ON


@njit
def produce_extra(public, cards, frame, good, news):
    """GOOD_PICK of an extra good."""
    frame.left -= 1
    frame.done |= bit(good)
    gain_goods(public, cards, frame.seat, good, SINGLE)
    tell(news, ZERO, Event.GOODS_PRODUCED, frame.seat, SINGLE)


# --- Favor (L-9.10) --------------------------------------------------------------------------------------------------


@njit
def favors(public, cards, seat):
    """L-9.10: the nobles of whom the seat may take a favor."""
    nobles = NONE
    for noble in range(NOBLES):
        is_free = public.favors[noble] > 0 and public.favor[seat, noble] < cards.favor_limit
        nobles |= np.uint64(is_free) << np.uint64(noble)
    return nobles


@njit
def take_favor(public, seat, noble):
    """A tile of the stack comes to a seat."""
    public.favors[noble] -= 1
    public.favor[seat, noble] += 1
