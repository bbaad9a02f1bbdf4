"""Lisboa: decisions, and what goes on between them ("Decision model")."""

import numpy as np
from numba import njit

from simcore.bits import popcount
from simcore.games.lisboa.rules.building import choose_plan, choose_site, reassign, step_building
from simcore.games.lisboa.rules.church import (
    give_up_tile,
    move_cardinal,
    step_cardinal,
    surrender,
    take_tile,
)
from simcore.games.lisboa.rules.decree import answer_marker, step_decree, take_decree
from simcore.games.lisboa.rules.display import draw_card
from simcore.games.lisboa.rules.effects import (
    pay_good,
    pick_any_action,
    pick_cube,
    pick_good,
    pick_price,
    step_actions,
    step_gain_goods,
    step_gain_rubble,
    step_pay_goods,
    step_raise_price,
    step_repeat,
)
from simcore.games.lisboa.rules.events import pass_on
from simcore.games.lisboa.rules.frames import ask, finish
from simcore.games.lisboa.rules.influence import money, pay
from simcore.games.lisboa.rules.market import sell, step_sell
from simcore.games.lisboa.rules.periods import discard, discard_options
from simcore.games.lisboa.rules.portfolio import discard_slot
from simcore.games.lisboa.rules.setup import keep_tile
from simcore.games.lisboa.rules.state_actions import (
    architects,
    favors,
    pay_ship_good,
    produce_extra,
    recruit,
    step_produce,
    step_recruit,
    step_ship,
    step_trade,
    take_favor,
    take_plan,
    trade,
)
from simcore.games.lisboa.rules.store import choose_store, step_store, take_cube, take_house
from simcore.games.lisboa.rules.tucking import choose_sell_or_trade, step_tuck
from simcore.games.lisboa.rules.turn import main_options, play_card, step_phase
from simcore.games.lisboa.rules.visits import (
    begin_event,
    follow,
    pay_in_reais,
    pick_action,
    step_event,
    step_follow,
    step_visit,
)
from simcore.games.lisboa.state import Decision, Task


@njit
def legal(public, me, cards, options):
    """What was found legal when the question was asked, but for those about a hand."""
    decision = public.decision
    mask = public.legal
    if decision == Decision.MAIN:
        mask = main_options(public, me, cards)
    elif decision == Decision.PERIOD_DISCARD:
        mask = discard_options(public)
    options.mask[np.uint64(decision)] = mask
    options.count = popcount(mask)
    options.start, options.stop = decision, decision + 1


@njit
def apply(state, cards, action, chance, trace):
    """One decision, then activities and phases until somebody has to decide, or the game is over."""
    news, asked = state.secret.news, False
    decide(state, cards, action >> 6, action & 63, news)
    while not asked:
        if state.public.depth == 0:
            asked = step_phase(state, cards, chance, news)
        else:
            asked = step_task(state, cards, news)
    pass_on(news, trace)


@njit
def step_task(state, cards, news):
    """The next step of the innermost activity. Returns whether somebody has to decide."""
    public = state.public
    frame = public.frame[public.depth - 1]
    task = frame.task
    if task == Task.SELL:
        return step_sell(public, cards, frame, news)
    if task == Task.TUCK:
        return step_tuck(public, cards, frame, news)
    if task == Task.TRADE:
        return step_trade(public, cards, frame)
    if task == Task.VISIT:
        return step_visit(public, cards, frame, news)
    if task == Task.STORE:
        return step_store(public, cards, frame, news)
    if task == Task.DECREE:
        return step_decree(public, cards, frame)
    if task == Task.BUILDING:
        return step_building(state, cards, frame, news)
    if task == Task.CARDINAL:
        return step_cardinal(public, cards, frame)
    if task == Task.RECRUIT:
        return step_recruit(public, cards, frame)
    if task == Task.PLAN:
        return ask(public, frame.seat, Decision.ARCHITECT, architects(public))
    if task == Task.SHIP:
        return step_ship(public, cards, frame, news)
    if task == Task.PRODUCE:
        return step_produce(public, cards, frame)
    if task == Task.FAVOR:
        return ask(public, frame.seat, Decision.FAVOR_NOBLE, favors(public, cards, frame.seat))
    if task == Task.FOLLOW:
        return step_follow(public, cards, frame, news)
    if task == Task.EVENT:
        return step_event(public, cards, frame, news)
    if task == Task.GAIN_GOODS:
        return step_gain_goods(public, cards, frame)
    if task == Task.PAY_GOODS:
        return step_pay_goods(public, frame)
    if task == Task.RAISE_PRICE:
        return step_raise_price(public, cards, frame)
    if task == Task.GAIN_RUBBLE:
        return step_gain_rubble(public, frame)
    if task == Task.ACTIONS:
        return step_actions(public, cards, frame)
    return step_repeat(public, cards, frame, money(public, cards, frame.seat))


@njit
def decide(state, cards, decision, choice, news):
    """What is chosen, without what follows."""
    public = state.public
    frame = public.frame[max(public.depth - 1, 0)]
    if decision == Decision.MAIN:
        play_card(state, cards, choice, news)
    elif decision == Decision.DRAW:
        draw_card(state, cards, choice, news)
    elif decision == Decision.SELL:
        sell(public, cards, frame, choice, news)
    elif decision == Decision.TRADE:
        trade(public, cards, frame, choice, news)
    elif decision == Decision.PORTFOLIO_ACTION:
        choose_sell_or_trade(public, cards, frame, choice)
    elif decision == Decision.PORTFOLIO_DISCARD:
        discard_slot(public, cards, public.actor, choice)
    elif decision == Decision.STATE_ACTION_PICK:
        if frame.task == Task.VISIT:
            pick_action(public, cards, frame, choice, news)
        else:
            pick_any_action(public, cards, frame, choice, news)
    elif decision == Decision.OFFICE:
        recruit(public, cards, frame, choice, news)
    elif decision == Decision.ARCHITECT:
        take_plan(public, cards, frame, choice, news)
    elif decision == Decision.SHIP_GOOD:
        pay_ship_good(public, frame, choice)
    elif decision == Decision.CARDINAL_STEPS:
        move_cardinal(public, cards, frame, choice + 1, news)
    elif decision == Decision.CARDINAL_TILE:
        take_tile(public, cards, frame, choice, news)
    elif decision == Decision.CLERGY_OVERFLOW:
        give_up_tile(public, cards, public.actor, choice)
    elif decision == Decision.FAVOR_NOBLE:
        take_favor(public, public.actor, choice)
        finish(public)
    elif decision == Decision.STORE_SITE:
        choose_store(public, cards, frame, choice, news)
    elif decision == Decision.PAYMENT:
        pay(public, cards, public.actor, public.cost, choice, news)
        if frame.task == Task.EVENT:
            begin_event(public, cards, frame, news)
    elif decision == Decision.STORE_CUBE:
        take_cube(public, cards, frame, choice, news)
    elif decision == Decision.HOUSE_GROUP:
        take_house(public, cards, frame, choice, news)
    elif decision == Decision.DECREE_PICK:
        take_decree(public, cards, frame, choice, news)
    elif decision == Decision.DECREE_MARKER:
        answer_marker(public, cards, frame, choice, news)
    elif decision == Decision.BUILDING_PLAN:
        choose_plan(public, frame, choice)
    elif decision == Decision.BUILDING_SITE:
        choose_site(public, cards, frame, choice, news)
    elif decision == Decision.BUILDING_OFFICIAL:
        reassign(public, frame, choice)
    elif decision == Decision.FOLLOW:
        follow(public, cards, choice)
    elif decision == Decision.SURRENDER:
        surrender(public, cards, choice, news)
    elif decision == Decision.PERIOD_DISCARD:
        discard(state, cards, choice, news)
    elif decision == Decision.GOOD_PICK:
        if frame.task == Task.PRODUCE:
            produce_extra(public, cards, frame, choice, news)
        else:
            pick_good(public, cards, frame, choice)
    elif decision == Decision.PAY_GOOD:
        pay_good(public, frame, choice)
    elif decision == Decision.PRICE_PICK:
        pick_price(public, cards, frame, choice)
    elif decision == Decision.RUBBLE_PICK:
        pick_cube(public, cards, frame, choice, news)
    elif decision == Decision.VISIT_REAIS:
        pay_in_reais(public, cards, frame, choice, news)
    else:
        keep_tile(public, cards, choice, news)
