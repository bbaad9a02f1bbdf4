"""Lisboa: final scoring (L-17, L-12.5)."""

import numpy as np
from numba import njit

from simcore.bits import NONE, ONE, lowest, popcount
from simcore.game import Note
from simcore.games.lisboa.rules.denials import printed_ship
from simcore.games.lisboa.rules.events import Event, tell
from simcore.games.lisboa.rules.influence import money
from simcore.games.lisboa.rules.numbers import ZERO
from simcore.games.lisboa.state import (
    CUBES,
    GOODS,
    NOBLES,
    NOBODY,
    NOTHING,
    SEATS,
    SHIP,
    SLOTS,
    WORDS,
    Metric,
    Phase,
)

PLACES = 3  # of a majority


@njit
def end_game(public, cards, news):
    """L-17: the game is over; what the final scoring adds is noted."""
    public.actor, public.legal = NOBODY, NONE
    public.phase = np.int64(Phase.OVER)
    public.rounds = 1
    for seat in range(cards.seats):
        final = public.standing[seat]
        final += note_part(seat, Event.FINAL_SHIPS, ship_wigs(public, cards, seat), news)
        final += note_part(seat, Event.FINAL_SETS, cards.wigs_per_set * public.sets[seat], news)
        final += note_part(seat, Event.FINAL_STORES, store_wigs(public, cards, seat), news)
        final += note_part(seat, Event.FINAL_REAIS, reais_wigs(public, cards, seat), news)
        final += note_part(seat, Event.FINAL_DECREES, decrees_wigs(public, cards, seat), news)
        final += note_part(seat, Event.FINAL_OFFICIALS, official_wigs(public, cards, seat), news)
        final += note_part(seat, Event.FINAL_FAVORS, favor_wigs(public, cards, seat), news)
        note_decrees(public, cards, seat, news)
        tell(news, ZERO, Event.REAIS_LEFT, seat, public.reais[seat])
        tell(news, ZERO, np.int64(Note.ROUND_POINTS), seat, final)


@njit
def note_part(seat, part, wigs, news):
    """A part of the final scoring. Returns its wigs."""
    tell(news, ZERO, part, seat, wigs)
    return wigs


@njit
def final_wigs(public, cards, seat):
    """L-17: the wigs collected, and what the final scoring adds."""
    wigs = public.standing[seat] + ship_wigs(public, cards, seat) + cards.wigs_per_set * public.sets[seat]
    wigs += store_wigs(public, cards, seat) + reais_wigs(public, cards, seat) + decrees_wigs(public, cards, seat)
    return wigs + official_wigs(public, cards, seat) + favor_wigs(public, cards, seat)


@njit
def score(public, privates, cards, out):
    """L-17.1 to L-17.9. Ties: sets, stores, completed plans, money; each fits into a million."""
    for seat in range(cards.seats):
        out.points[seat] = final_wigs(public, cards, seat)
        stores, plans = metric(public, cards, seat, np.int64(Metric.STORES_TOTAL)), popcount(public.completed[seat])
        key = (public.sets[seat] * 256 + stores) * 256 + plans
        out.tie_break[seat] = key * 1_000_000 + money_left(public, cards, seat)


# --- The parts (L-17.1 to L-17.7) ------------------------------------------------------------------------------------


@njit
def hulls(public, cards, seat):
    """The hull sizes of a seat's ships together."""
    total = np.int64(0)
    for slot in range(SLOTS):
        if public.top[seat, slot] >= SHIP:
            total += cards.hull[printed_ship(public, seat, public.top[seat, slot] - SHIP)]
    return total


@njit
def ship_wigs(public, cards, seat):
    """L-17.1."""
    return cards.wigs_per_hull * hulls(public, cards, seat)


@njit
def store_wigs(public, cards, seat):
    """L-17.3."""
    wigs = np.int64(0)
    for good in range(GOODS):
        own, ahead, level = public.stores[seat, good], 0, 0
        for other in range(SEATS):  # seats that do not play have none
            ahead += public.stores[other, good] > own
            level += public.stores[other, good] == own
        if own > 0:
            wigs += share(cards.majority[good], ahead, level)
    return wigs


@njit
def official_wigs(public, cards, seat):
    """L-17.6."""
    own, ahead, level = public.required[seat], 0, 0
    for other in range(SEATS):
        ahead += public.required[other] > own
        level += public.required[other] == own
    return share(cards.officials_wigs, ahead, level) if own > 0 else np.int64(0)


@njit
def share(prizes, ahead, level):
    """L-17.8: of those who are level each gets an equal part of the places that they take together."""
    total = np.int64(0)
    for place in range(ahead, min(ahead + level, PLACES)):
        total += prizes[place]
    return total // level


@njit
def money_left(public, cards, seat):
    """L-17.4."""
    return money(public, cards, seat) if cards.count_coins == 1 else public.reais[seat]


@njit
def reais_wigs(public, cards, seat):
    """L-17.4."""
    return money_left(public, cards, seat) // cards.reais_per_wig


@njit
def favor_wigs(public, cards, seat):
    """L-17.7."""
    wigs = np.int64(0)
    for noble in range(NOBLES):
        wigs += cards.favor_wigs[noble] * public.favor[seat, noble]
    return wigs


# --- Decrees (L-12.5, L-17.5) ----------------------------------------------------------------------------------------


@njit
def decrees_wigs(public, cards, seat):
    """L-17.5."""
    wigs = np.int64(0)
    for word in range(WORDS):
        held = public.decrees[seat, word]
        while held != NONE:
            wigs += decree_wigs(public, cards, seat, cards.decree_kind[64 * word + lowest(held)])
            held &= held - ONE
    return wigs


@njit
def note_decrees(public, cards, seat, news):
    """A decree that gives wigs counts as scored."""
    for word in range(WORDS):
        held = public.decrees[seat, word]
        while held != NONE:
            kind = cards.decree_kind[64 * word + lowest(held)]
            held &= held - ONE
            if decree_wigs(public, cards, seat, kind) > 0:
                tell(news, ZERO, Event.KIND_SCORED, seat, kind)


@njit
def decree_wigs(public, cards, seat, kind):
    """L-12.5: what a decree of a kind would give a seat now."""
    if public.blanked[seat] == kind:
        return np.int64(0)
    counted, unit = metric(public, cards, seat, cards.metric[kind]), cards.unit[kind]
    times = np.int64(counted >= unit) if cards.is_threshold[kind] == 1 else counted // unit
    return min(times * cards.decree_wigs[kind], cards.decree_most[kind])


@njit
def metric(public, cards, seat, which):
    """What a decree counts ("Table notes")."""
    if which < Metric.STORES_TOTAL:
        return public.stores[seat, which]
    if which >= Metric.STORES_ROW_A and which <= Metric.STORES_ROW_E:
        return public.row_stores[seat, which - Metric.STORES_ROW_A]
    if which <= Metric.STORE_TYPES:
        return store_metric(public, seat, which)
    if which <= Metric.OFFICIALS_IN_COURTYARD:
        return building_metric(public, seat, which)
    if which <= Metric.TREASURY_CARDS_IN_PORTFOLIO:
        return portfolio_metric(public, cards, seat, which)
    return other_metric(public, seat, which)


@njit
def store_metric(public, seat, which):
    """Stores, or their types."""
    total, types = np.int64(0), np.int64(0)
    for good in range(GOODS):
        total += public.stores[seat, good]
        types += public.stores[seat, good] > 0
    return total if which == Metric.STORES_TOTAL else types


@njit
def building_metric(public, seat, which):
    """Public buildings and officials."""
    if which == Metric.BUILDINGS_TOTAL:
        return popcount(public.completed[seat])
    if which < Metric.BUILDINGS_TOTAL:
        return public.completions[seat, which - Metric.BUILDINGS_BLUE]
    if which == Metric.OFFICIALS_IN_BUILDINGS:
        return public.required[seat]
    if which == Metric.OFFICIALS_IN_COURTYARD:
        return public.courtyard[seat]
    officials = np.int64(0)
    for noble in range(NOBLES):
        officials += public.office[noble, seat]
    return officials


@njit
def portfolio_metric(public, cards, seat, which):
    """Ships and cards in the portfolio."""
    if which == Metric.SHIP_HULL_TOTAL:
        return hulls(public, cards, seat)
    counted = np.int64(0)
    for slot in range(SLOTS):
        card = public.top[seat, slot]
        if which == Metric.SHIPS_IN_PORTFOLIO:
            counted += card >= SHIP
        elif which == Metric.TREASURY_CARDS_IN_PORTFOLIO:
            counted += public.bottom[seat, slot] != NOTHING
        elif card != NOTHING and card < SHIP:
            counted += cards.kind[card] == which - Metric.BUILDER_CARDS_IN_PORTFOLIO
    return counted


@njit
def other_metric(public, seat, which):
    """Tiles, rubble, goods, money and influence."""
    counted = np.int64(0)
    if which == Metric.CLERGY_TILES:
        counted = public.tiles_held[seat]
    elif which == Metric.ROYAL_FAVORS:
        for noble in range(NOBLES):
            counted += public.favor[seat, noble]
    elif which == Metric.PLANS_HELD:
        counted = public.plans[seat]
    elif which == Metric.RUBBLE_SETS:
        counted = public.sets[seat]
    elif which == Metric.RUBBLE_CUBES:
        for kind in range(CUBES):
            counted += public.cubes[seat, kind]
    elif which == Metric.GOODS_TOTAL:
        for good in range(GOODS):
            counted += public.goods[seat, good]
    elif which == Metric.GOODS_FULL_SETS:
        counted = public.goods[seat, 0]
        for good in range(1, GOODS):
            counted = min(counted, public.goods[seat, good])
    elif which == Metric.REAIS:
        counted = public.reais[seat]
    else:
        counted = public.influence[seat]
    return counted
