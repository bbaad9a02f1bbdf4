"""Lisboa: effects of cards, blocks and sites that happen at once (L-15)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, bit
from simcore.games.lisboa.rules.frames import GOES_ON, ask, begin, finish
from simcore.games.lisboa.rules.goods import gain_goods, gainable, held, return_good
from simcore.games.lisboa.rules.influence import (
    gain_influence,
    gain_wigs,
    influence_gained,
    lose_wigs,
    raise_influence,
)
from simcore.games.lisboa.rules.noble_actions import begin_noble_action, money_needed
from simcore.games.lisboa.rules.numbers import SINGLE, ZERO
from simcore.games.lisboa.rules.portfolio import gain_cube
from simcore.games.lisboa.rules.state_actions import IN_PROGRESS, all_actions, begin_action, can_act
from simcore.games.lisboa.state import (
    ACTION_STOP,
    ALL,
    ANY,
    CUBES,
    GOODS,
    MARQUIS,
    NOTHING,
    STORE_TYPE,
    Decision,
    Effect,
    Task,
)

MAY_STOP = np.uint64(1 << ACTION_STOP)


@njit
def can_happen(public, cards, seat, effect, purse):
    """L-15.7: whether an effect can be performed with so much money."""
    code, arg = effect.code, effect.arg
    if code == Effect.GAIN_INFLUENCE:
        return influence_gained(public, seat) > 0
    if code == Effect.GAIN_GOOD:
        goods = gainable(public, cards, seat)
        return (goods if arg < 0 else goods & bit(arg)) != NONE
    if code == Effect.STATE_ACTION:
        return can_act(public, cards, seat, arg)
    if code == Effect.STATE_ACTION_ANY:
        return all_actions(public, cards, seat) != NONE
    if code == Effect.NOBLE_ACTION:
        return money_needed(public, cards, seat, arg, purse) <= purse
    if code == Effect.GAIN_RUBBLE:
        return pile_kinds(public) != NONE
    if code == Effect.PRICE_UP:
        goods = raisable(public, cards)
        return (goods if arg < 0 else goods & bit(arg)) != NONE
    return code != NOTHING  # a blank's cannot


@njit
def begin_effect(public, cards, seat, effect, store_type, part, news):
    """An effect happens, or begins where something is to be decided; what cannot be performed is skipped (L-15.5).

    `store_type` is the good of the store that is being built, `part` what wigs count as.
    """
    code, arg, amount = effect.code, effect.arg, effect.amount
    if code == Effect.GAIN_REAIS:
        public.reais[seat] += amount
    elif code == Effect.PAY_REAIS:
        public.reais[seat] -= min(amount, public.reais[seat])
    elif code == Effect.GAIN_WIGS:
        gain_wigs(public, cards, seat, amount, part, news)
    elif code == Effect.PAY_WIGS:
        lose_wigs(public, cards, seat, amount, news)
    elif code == Effect.GAIN_GOOD:
        if arg == ANY:
            begin(public, Task.GAIN_GOODS, seat, ZERO, amount)
        else:
            gain_goods(public, cards, seat, store_type if arg == STORE_TYPE else arg, amount)
    elif code == Effect.PAY_GOOD:
        begin(public, Task.PAY_GOODS, seat, ZERO, amount)
    elif code == Effect.GAIN_INFLUENCE:
        for _ in range(amount):
            gain_influence(public, cards, seat, news)
    elif code == Effect.GAIN_INFLUENCE_POINTS:
        raise_influence(public, cards, seat, amount, news)
    elif code == Effect.STATE_ACTION:
        if can_act(public, cards, seat, arg):
            begin_action(public, cards, seat, arg, news)
    elif code == Effect.STATE_ACTION_ANY:
        begin(public, Task.ACTIONS, seat, ZERO, amount)
    elif code == Effect.NOBLE_ACTION:
        if arg == MARQUIS:  # L-15.6
            begin_noble_action(public, cards, seat, arg, amount)
        else:
            begin(public, Task.REPEAT, seat, arg, amount + 1)
    elif code == Effect.GAIN_RUBBLE:
        begin(public, Task.GAIN_RUBBLE, seat, ZERO, amount)
    elif code == Effect.PRICE_UP:
        if arg == ANY:
            begin(public, Task.RAISE_PRICE, seat, ZERO, amount)
        else:
            raise_prices(public, cards, arg, amount)


# --- Goods -----------------------------------------------------------------------------------------------------------


@njit
def step_gain_goods(public, cards, frame):
    """L-15.5: a type with room and stock, good by good."""
    goods = gainable(public, cards, frame.seat)
    if frame.left == 0 or goods == NONE:
        finish(public)
        return GOES_ON
    return ask(public, frame.seat, Decision.GOOD_PICK, goods)


@njit
def pick_good(public, cards, frame, good):
    """GOOD_PICK of `gain_good any`."""
    frame.left -= 1
    gain_goods(public, cards, frame.seat, good, SINGLE)


@njit
def step_pay_goods(public, frame):
    """L-15.5, L-5.4: a type held, good by good; the rest is forgiven."""
    goods = held(public, frame.seat)
    if frame.left == 0 or goods == NONE:
        finish(public)
        return GOES_ON
    return ask(public, frame.seat, Decision.PAY_GOOD, goods)


@njit
def pay_good(public, frame, good):
    """PAY_GOOD."""
    frame.left -= 1
    return_good(public, frame.seat, good)


# --- Prices (L-8.2) --------------------------------------------------------------------------------------------------


@njit
def raisable(public, cards):
    """The set of the goods below the top step."""
    goods = NONE
    for good in range(GOODS):
        goods |= np.uint64(public.price[good] < cards.price_last) << np.uint64(good)
    return goods


@njit
def raise_prices(public, cards, which, steps):
    """One good or ALL."""
    for good in range(GOODS):
        if which == ALL or which == good:
            public.price[good] = min(public.price[good] + steps, cards.price_last)


@njit
def step_raise_price(public, cards, frame):
    """L-15.5: one good takes all steps."""
    goods = raisable(public, cards)
    if frame.left == 0 or goods == NONE:
        finish(public)
        return GOES_ON
    return ask(public, frame.seat, Decision.PRICE_PICK, goods)


@njit
def pick_price(public, cards, frame, good):
    """PRICE_PICK."""
    raise_prices(public, cards, good, frame.left)
    finish(public)


# --- Rubble ----------------------------------------------------------------------------------------------------------


@njit
def pile_kinds(public):
    """The set of the kinds in the rubble pile."""
    kinds = NONE
    for kind in range(CUBES):
        kinds |= np.uint64(public.cube_pile[kind] > 0) << np.uint64(kind)
    return kinds


@njit
def step_gain_rubble(public, frame):
    """L-15.5: a kind in the pile, cube by cube."""
    kinds = pile_kinds(public)
    if frame.left == 0 or kinds == NONE:
        finish(public)
        return GOES_ON
    return ask(public, frame.seat, Decision.RUBBLE_PICK, kinds)


@njit
def pick_cube(public, cards, frame, kind, news):
    """RUBBLE_PICK."""
    frame.left -= 1
    public.cube_pile[kind] -= 1
    gain_cube(public, cards, frame.seat, kind, news)


# --- Actions ---------------------------------------------------------------------------------------------------------


@njit
def step_actions(public, cards, frame):
    """L-15.5: different State actions, one after the other, or `stop`."""
    frame.left -= frame.stage  # the action in progress is complete
    frame.stage = 0
    actions = NONE
    if frame.left > 0:
        actions = all_actions(public, cards, frame.seat) & ~frame.done
    if actions == NONE:
        finish(public)
        return GOES_ON
    return ask(public, frame.seat, Decision.STATE_ACTION_PICK, actions | MAY_STOP)


@njit
def pick_any_action(public, cards, frame, action, news):
    """STATE_ACTION_PICK of `state_action_any`."""
    if action == ACTION_STOP:
        finish(public)
        return
    frame.done |= bit(action)
    frame.stage = IN_PROGRESS
    begin_action(public, cards, frame.seat, action, news)


@njit
def step_repeat(public, cards, frame, purse):
    """L-15.6: Build a Store or Open a Public Building once more, as often as it is possible."""
    frame.left -= 1
    seat, noble = frame.seat, frame.what
    if frame.left == 0 or money_needed(public, cards, seat, noble, purse) > purse:
        finish(public)
    else:
        begin_noble_action(public, cards, seat, noble, ZERO)
    return GOES_ON
