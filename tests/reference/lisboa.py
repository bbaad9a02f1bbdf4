"""Lisboa in plain Python, written from the rules page. L-... are ids of simcore/games/lisboa/rules.md.

It is slow and obvious, and it is the judge of the kernels, with which it shares no code. Chance comes from outside: a
game is a sequence of events in the words of a replay ("Replay words" of the rules page), from `start_player` to the
last `turn_end`.

What lies on the table stands in lisboa_state.py, the card set in lisboa_tables.py, what one seat sees in
lisboa_seen.py. Here is the course of a game, written as generators: each `yield` is the place where something must
come from outside, a decision (`Question`) or an event (`Happening`). `Match` is a game that is fed with events; one
that the rules do not allow raises `BrokenRule`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.reference.lisboa_state import (
    CARD,
    CHURCH,
    COURTYARD,
    DECLINE,
    DISCARDING,
    DRAWING,
    EMPTY_DECKS,
    FOLLOWS,
    GOLD_MODE,
    KEEP,
    LAST_CHURCH,
    NOBODY,
    OVER,
    PORTFOLIO_MODE,
    SELL_WORD,
    SETS,
    SPEND,
    STOP,
    TRADE_WORD,
    Activity,
    BrokenRule,
    Card,
    Deck,
    Event,
    Happening,
    Question,
    Steps,
    Table,
    demand,
    goods_of,
)
from tests.reference.lisboa_tables import (
    ARCHITECTS,
    CARDINAL,
    CHURCH_SCORING,
    CHURCH_TREASURY,
    COLUMNS,
    DECKS,
    DECREE,
    FAVOR,
    GOODS,
    GROUPS,
    NOBLE_ACTION_OF,
    NOBLES,
    PLAN,
    PRODUCE,
    RECRUIT,
    RUBBLE,
    SHIP,
    STATE_ACTIONS,
    STATE_ACTIONS_OF,
    STATIONS,
    STORE,
    TREASURY,
    Effect,
    Political,
    Rules,
)

# ------------------------------------------------------------------------------------------------- the course of a game


def game(table: Table) -> Steps[None]:
    """A whole game."""
    yield from set_up(table)
    yield from play(table, table.starter)


def set_up(table: Table) -> Steps[None]:
    """L-2."""
    event = yield Happening("start_player")  # R0
    table.starter = table.active = event["seat"]
    order = table.clockwise(table.starter)
    event = yield Happening("building_stacks")  # R1
    for architect in ARCHITECTS:
        table.stacks[architect] = list(event[architect])
    event = yield Happening("scoring_tiles")  # R2
    table.spaces = list(event["spaces"])
    for place, seat in enumerate(order):
        give_start(table, seat, place)
    yield from choose_clergy(table, order)
    for place, seat in enumerate(order):
        for _ in range(table.rules.start[place].favors):
            event = yield Happening("favor_draw", seat)  # R4
            table.give_back(seat, event["noble"], -1)
    for place, seat in enumerate(order):
        for _ in range(table.rules.start[place].plans):
            event = yield Happening("start_plan", seat)  # R5
            table.players[seat].plans.append(event["plan"])
            table.start_plans.remove(event["plan"])
    table.out["plan"] += len(table.start_plans)
    table.start_plans = set()
    for seat in order:
        event = yield Happening("hand", seat)  # R6
        table.deal(seat, event["cards"])
    table.out["card"] += len(table.rules.of_deck("blue")) - sum(len(player.hand) for player in table.players)
    event = yield Happening("church_tiles")  # R7
    table.slots = list(event["tiles"])
    table.bag -= set(event["tiles"])
    yield from new_display(table, "red")  # R8
    yield from refill_decrees(table)  # R9
    yield from lay_rubble(table)


def give_start(table: Table, seat: int, place: int) -> None:
    """What a player has at the start (L-2.3)."""
    start, player = table.rules.start[place], table.players[seat]
    player.influence, player.reais = start.influence, start.reais
    table.score(seat, start.wigs, "start")
    for good in GOODS:
        table.gain_good(seat, good, start.goods)
    player.officials = start.officials - start.in_marquis_office
    table.offices["marquis"][seat] += start.in_marquis_office


def choose_clergy(table: Table, order: Sequence[int]) -> Steps[None]:
    """R3: all offers are drawn before the first tile is kept (L-2.3)."""
    offers = table.offers
    for place, seat in enumerate(order):
        event = yield Happening("clergy_offer", (seat, table.rules.start[place].offered))
        offers[seat] = list(event["tiles"])
        table.bag -= set(event["tiles"])
    for seat in order:
        tile = yield Question(seat, "CLERGY_KEEP", tuple(tile for tile in offers[seat] if tile is not None))
        table.players[seat].clergy.append(tile)
        offers[seat][offers[seat].index(tile)] = None
    table.bag |= {tile for offer in offers.values() for tile in offer if tile is not None}
    offers.clear()


def new_display(table: Table, colour: str) -> Steps[None]:
    """Four shuffled decks, the top cards face up (L-2.5)."""
    for name in DECKS:
        table.decks[name] = Deck(under=set(table.rules.of_deck(colour, name)))
    for name in DECKS:
        yield from reveal_card(table, name)


def reveal_card(table: Table, name: str) -> Steps[None]:
    """L-4.8."""
    deck = table.decks[name]
    if deck.under:
        event = yield Happening("card_reveal", name)
        deck.face = event["card"]
        deck.under.remove(event["card"])
        table.seen.add(event["card"])


def refill_clergy(table: Table) -> Steps[None]:
    """Lowest slot first (L-4.8, L-19.2)."""
    for slot, tile in enumerate(table.slots):
        if tile is None and table.bag:
            event = yield Happening("clergy_refill", slot)
            table.slots[slot] = event["tile"]
            table.bag.remove(event["tile"])


def refill_decrees(table: Table) -> Steps[None]:
    """Lowest position first (L-4.8, L-19.2); with two players some go to the box (L-18.1)."""
    for position in range(len(table.decrees)):
        while table.decrees[position] is None and table.decree_deck:
            event = yield Happening("decree_reveal", position)
            table.decree_deck.remove(event["card"])
            if table.rules.seats == 2 and table.rules.decrees[event["card"]].not_with_two:
                table.out["decree"] += 1
            else:
                table.decrees[position] = event["card"]


def lay_rubble(table: Table) -> Steps[None]:
    """R10: L-2.6."""
    event = yield Happening("rubble")
    for zone, kinds in (*event["rows"].items(), *event["columns"].items()):
        table.zones[zone] = Counter(kinds)
    for site, kinds in event["sites"].items():
        table.site_cubes[site] = Counter(kinds)
    table.pile = Counter(event["pile"])
    table.out.update(event["box"])


def play(table: Table, seat: int) -> Steps[None]:
    """All turns from one of this seat on, clockwise over both periods (L-4.1)."""
    while table.countdown:
        yield from turn(table, seat)
        if table.period == 1:
            yield from look_at_the_period(table, seat)
        else:
            yield from look_at_the_end(table)
        seat = table.rivals(seat)[0]
    table.is_over = True
    table.phase = OVER


def turn(table: Table, seat: int) -> Steps[None]:
    """L-4.2 to L-4.8."""
    table.active, table.phase = seat, CARD
    for player in table.players:
        player.spent_this_turn = 0
    dock(table, seat)
    yield from play_a_card(table, seat)
    yield from draw(table, seat)
    yield from church_scoring(table, CHURCH)
    if table.drawn is not None:
        yield from reveal_card(table, table.drawn)
    table.drawn = None
    yield from refill_clergy(table)
    yield from refill_decrees(table)
    table.refill_city()
    table.turns += 1
    yield Happening("turn_end", seat)


def dock(table: Table, seat: int) -> None:
    """Phase A (L-4.2)."""
    for ship in table.players[seat].ships:
        if ship.at_sea:
            table.bank += ship.cargo
            ship.cargo, ship.at_sea = Counter(), False


def play_a_card(table: Table, seat: int) -> Steps[None]:
    """Phase B (L-4.3, L-4.4). A hand can be empty only in the last rounds (INV-21)."""
    hand = table.players[seat].hand
    if not hand:
        return
    seen = [card for card in hand if card is not None]
    words = tuple(f"{mode}:{card}" for card in seen for mode in table.modes(seat, card))
    word = yield Question(seat, "MAIN", words if len(seen) == len(hand) else None)
    mode, card_id = word.split(":")
    card = table.rules.cards[card_id]
    table.leave_hand(seat, card_id)
    if mode == PORTFOLIO_MODE:
        yield from tuck(table, seat, card)
        return
    table.out["card"] += 1  # L-4.10
    if mode == GOLD_MODE:
        table.gain_good(seat, "gold")  # L-4.5
    elif card.type == TREASURY:
        yield from sponsor(table, seat, card)
    else:
        yield from visit(table, seat, card.type)


def draw(table: Table, seat: int) -> Steps[None]:
    """Phase C (L-4.7)."""
    table.phase = DRAWING
    there = tuple(name for name in DECKS if table.decks[name].face is not None)
    if there:
        table.drawn = yield Question(seat, "DRAW", there)
        deck = table.decks[table.drawn]
        table.players[seat].hand.append(deck.face)
        deck.face = None


def asking(table: Table, seats: Sequence[int]) -> Iterator[int]:
    """One seat after the other."""
    for number, seat in enumerate(seats):
        table.asked, table.to_ask = seat, len(seats) - number
        yield seat
    table.asked, table.to_ask = NOBODY, 0


def church_scoring(table: Table, phase: str) -> Steps[None]:
    """L-14.6, L-16.8."""
    mover, table.scoring = table.scoring, NOBODY
    if mover == NOBODY:
        return
    table.phase = phase
    for seat in asking(table, table.clockwise(mover)):
        yield from surrender(table, seat)


def surrender(table: Table, seat: int) -> Steps[None]:
    """Any number of Clergy tiles, one by one (L-14.6)."""
    player = table.players[seat]
    while player.clergy:
        tile = yield Question(seat, "SURRENDER", (*player.clergy, STOP))
        if tile == STOP:
            break
        table.score(seat, table.rules.tiles[tile].back_wigs, "surrendered")
        lose_tile(table, seat, tile)
        table.surrendered += 1
        if table.rules.switches["influence_per_tile"]:
            table.gain_influence(seat)
    if table.surrendered and not table.rules.switches["influence_per_tile"]:
        table.gain_influence(seat)
    table.surrendered = 0


def lose_tile(table: Table, seat: int, tile: str) -> None:
    """A Clergy tile leaves the game, and surplus goods leave the warehouse ("Table notes")."""
    table.players[seat].clergy.remove(tile)
    table.out["tile"] += 1
    table.return_surplus(seat)


# -------------------------------------------------------------------------------------------- end of period and of game


def with_sets(table: Table, number: int, seats: Iterable[int]) -> list[int]:
    """Those of these seats that have so many complete sets."""
    return [seat for seat in seats if table.players[seat].sets >= number]


def look_at_the_period(table: Table, seat: int) -> Steps[None]:
    """At the end of a turn of period 1 (L-16.1)."""
    numbers = table.rules.numbers
    triggered = with_sets(table, numbers["period_1_end_sets"], table.clockwise(seat))
    if triggered or table.empty_decks >= numbers["end_trigger_empty_decks"]:
        reason, first = (SETS, triggered[0]) if triggered else (EMPTY_DECKS, seat)
        yield from end_of_period(table, reason, first)


def end_of_period(table: Table, reason: str, first: int) -> Steps[None]:
    """L-16.2 to L-16.5."""
    for seat, player in enumerate(table.players):
        table.score(seat, table.rules.wigs_each["rubble_sets"] * player.sets, "period_sets")  # L-16.3
    yield Happening("period_end", (reason, first))
    table.period = 2
    table.out["card"] += sum(len(deck.under) + (deck.face is not None) for deck in table.decks.values())
    table.decks = {name: Deck() for name in DECKS}
    table.out["ship"] += len(table.shipyard)
    table.shipyard = table.rules.shipyard(2)
    order = table.clockwise(first)
    table.phase, table.first = DISCARDING, first
    for seat in asking(table, order):
        yield from discard_hand(table, seat)
    yield from church_scoring(table, LAST_CHURCH)  # L-16.8
    yield from new_cards(table, order)
    table.first = NOBODY


def discard_hand(table: Table, seat: int) -> Steps[None]:
    """Any cards, and the reward of one of each noble kind (L-16.4)."""
    player, table.rewarded = table.players[seat], set()
    while player.hand:
        seen = [card for card in player.hand if card is not None]
        word = yield Question(seat, "PERIOD_DISCARD", (*seen, STOP) if len(seen) == len(player.hand) else None)
        if word == STOP:
            break
        table.leave_hand(seat, word)
        table.out["card"] += 1
        card = table.rules.cards[word]
        if card.bottom_kind == "reward" and card.bottom is not None and card.type not in table.rewarded:
            table.rewarded.add(card.type)
            yield from resolve(table, seat, card.bottom, "cards")
    table.rewarded = set()


def new_cards(table: Table, order: Sequence[int]) -> Steps[None]:
    """L-16.5."""
    table.unseen |= set(table.rules.of_deck("purple"))
    left = len(table.rules.of_deck("purple"))
    for seat in order:
        missing = table.rules.numbers["hand_size"] - len(table.players[seat].hand)
        if missing > 0:
            event = yield Happening("hand", seat)
            table.deal(seat, event["cards"])
            left -= missing
    table.out["card"] += left
    yield from new_display(table, "brown")
    yield from refill_clergy(table)
    yield from refill_decrees(table)


def look_at_the_end(table: Table) -> Steps[None]:
    """At the end of a turn of period 2 (L-16.6)."""
    if table.countdown > 0:
        table.countdown -= 1
        return
    numbers = table.rules.numbers
    sets = with_sets(table, numbers["game_end_sets"], table.seats)
    if sets or table.empty_decks >= numbers["end_trigger_empty_decks"]:
        table.end = SETS if sets else EMPTY_DECKS
        table.countdown = -table.turns % len(table.seats) + len(table.seats)
        yield Happening("final_rounds", table.end)


# ------------------------------------------------------------------------------------------------------------ portfolio


def tuck(table: Table, seat: int, card: Political) -> Steps[None]:
    """L-4.6."""
    half = "bottom" if card.type == TREASURY else "top"
    with table.doing("TUCK", seat, what=card.id) as activity:
        if card.type == TREASURY:  # L-5.5
            table.players[seat].reais += table.treasury_value + table.bonus(seat, "subsidy_bonus")
            table.move_treasury(-1)  # L-7.4
        else:  # L-5.4
            yield from resolve(table, seat, card.bottom, "cards")
        activity.stage = 1
        place = yield from make_room(table, seat, half)
        if card.type == TREASURY:
            table.players[seat].bottom[place] = card.id
        else:
            table.players[seat].top[place] = Card(card.id)
        activity.stage = 2
        words = ((SELL_WORD, table.sales(seat)), (TRADE_WORD, table.trades(seat)))
        possible = tuple(word for word, ways in words if ways)
        if possible:
            word = yield Question(seat, "PORTFOLIO_ACTION", possible)
            activity.stage = 3
            yield from (sell if word == SELL_WORD else trade)(table, seat)


def make_room(table: Table, seat: int, half: str) -> Steps[int]:
    """The lowest empty slot of this half; first a card must go if there is none or no room (L-5.3)."""
    player = table.players[seat]
    slots: dict[str, list[Any]] = {"top": player.top, "bottom": player.bottom}
    full = all(slots[half])
    used = [f"{name}{place}" for name in slots for place, card in enumerate(slots[name]) if card]
    if full or len(used) >= table.portfolio_capacity(seat):
        words = tuple(word for word in used if word.startswith(half)) if full else tuple(used)
        word = yield Question(seat, "PORTFOLIO_DISCARD", words)
        name, place = word[:-1], int(word[-1])
        drop(table, slots[name][place])
        slots[name][place] = None
        table.return_surplus(seat)
    return slots[half].index(None)


def drop(table: Table, card: Card | str) -> None:
    """A card of a portfolio leaves the game, cargo returns to the bank (L-5.3)."""
    if isinstance(card, Card):
        table.bank += card.cargo
        table.out["ship" if card.ship else "card"] += 1
    else:
        table.out["card"] += 1


# ---------------------------------------------------------------------------------------------------------- Sell, Trade


def sell(table: Table, seat: int) -> Steps[None]:
    """L-8.4."""
    with table.doing("SELL", seat) as activity:
        while words := table.sales(seat):
            word = yield Question(seat, "SELL", (*words, STOP) if activity.left else tuple(words))
            if word == STOP:
                break
            owner, dock_number, good = word.split(":")
            load(table, seat, int(owner.removeprefix("seat")), int(dock_number.removeprefix("dock")), good)
            activity.left += 1
        table.players[seat].reais += table.bonus(seat, "sale_flat")


def load(table: Table, seat: int, owner: int, place: int, good: str) -> None:
    """One good into a dock (L-8.4, L-8.5, L-8.7)."""
    ship = table.players[owner].top[place]
    assert ship is not None
    kind = table.rules.ships[ship.id]
    table.players[seat].goods[good] -= 1
    ship.cargo[good] += 1
    table.players[seat].reais += table.price(good) + kind.modifier + table.bonus(seat, "sale_bonus", good)
    if ship.cargo.total() == kind.hull:
        ship.at_sea = True
        table.score(owner, kind.hull + table.bonus(owner, "sail_wigs"), "sailing")


def trade(table: Table, seat: int) -> Steps[None]:
    """L-9.1."""
    with table.doing("TRADE", seat, left=table.rules.numbers["trade_max_goods"]) as activity:
        while activity.left and (words := table.trades(seat, activity.done)):
            word = yield Question(seat, "TRADE", (*words, STOP) if activity.done else tuple(words))
            if word == STOP:
                break
            action, good = word.split(":")
            table.return_good(seat, good)
            activity.done.append(action)
            activity.stage = 1
            yield from state_action(table, seat, action)
            activity.stage = 0
            activity.left -= 1


# -------------------------------------------------------------------------------------------------------- State actions


def state_action(table: Table, seat: int, action: str) -> Steps[None]:
    """L-9.4 to L-9.10."""
    yield from STATE[action](table, seat)


def recruit(table: Table, seat: int) -> Steps[None]:
    """L-9.4."""
    player, apart = table.players[seat], table.rules.numbers["recruit_max_officials"]
    with table.doing("RECRUIT", seat, left=apart + table.bonus(seat, "recruit_bonus")) as activity:
        placed = 0
        while player.officials and activity.left:
            offices = [noble for noble in NOBLES if placed >= apart or noble not in activity.done]
            word = yield Question(seat, "OFFICE", (*offices, STOP) if placed else tuple(offices))
            if word == STOP:
                break
            place_official(table, seat, word)
            placed += 1
            activity.what = placed
            activity.left -= 1
            activity.done.append(word)


def place_official(table: Table, seat: int, noble: str) -> None:
    """Into an office; from a full one officials move to the courtyard (L-9.5)."""
    office = table.offices[noble]
    if sum(office) >= table.rules.numbers["office_capacity"]:
        most = max(office)
        for other in table.seats:
            if office[other] == most:
                office[other] -= 1
                table.players[other].courtyard += 1
    table.players[seat].officials -= 1
    office[seat] += 1


def take_plan(table: Table, seat: int) -> Steps[None]:
    """L-9.6."""
    with table.doing("PLAN", seat):
        word = yield Question(seat, "ARCHITECT", tuple(name for name in ARCHITECTS if table.piles[name]))
    table.players[seat].plans.append(table.piles[word].pop(0))


def build_ship(table: Table, seat: int) -> Steps[None]:
    """L-9.7."""
    with table.doing("SHIP", seat, left=table.ship_cost(seat)) as activity:
        while activity.left:
            words = tuple(good for good in table.held(seat) if good not in activity.done)
            good = yield Question(seat, "SHIP_GOOD", words)
            table.return_good(seat, good)
            activity.done.append(good)
            activity.left -= 1
        activity.stage = 1
        place = yield from make_room(table, seat, "top")
    table.players[seat].top[place] = Card(table.shipyard.pop(0), ship=True)
    table.move_treasury(1)  # L-7.3
    table.gain_influence(seat)  # L-6.4


def produce(table: Table, seat: int) -> Steps[None]:
    """L-9.8, L-8.2."""
    with table.doing("PRODUCE", seat, left=table.bonus(seat, "produce_bonus")) as activity:
        for block in table.stores(seat):
            good = table.good_of[block]
            if table.gain_good(seat, good):
                activity.done.append(good)
        while activity.left and (words := tuple(good for good in table.makes(seat) if table.can_gain(seat, good))):
            good = yield Question(seat, "GOOD_PICK", words)
            table.gain_good(seat, good)
            activity.done.append(good)
            activity.left -= 1
        if not table.bonus(seat, "price_hold"):
            for good in set(activity.done):
                table.move_price(good, -1)


def meet_cardinal(table: Table, seat: int) -> Steps[None]:
    """L-9.9, L-14.2 to L-14.5."""
    with table.doing("CARDINAL", seat) as activity:
        word = yield Question(seat, "CARDINAL_STEPS", tuple(str(steps) for steps in table.cardinal_steps(seat)))
        for _ in range(int(word)):
            move_cardinal(table, seat)
        activity.stage = 1
        tile = yield Question(seat, "CARDINAL_TILE", tuple(table.tiles_beside(table.cardinal)))
        table.slots[table.slots.index(tile)] = None
        held = table.players[seat].clergy
        held.append(tile)
        activity.stage = 2
        if len(held) > table.rules.numbers["clergy_limit_per_player"]:
            lose_tile(table, seat, (yield Question(seat, "CLERGY_OVERFLOW", tuple(held))))  # L-14.4


def move_cardinal(table: Table, seat: int) -> None:
    """One station on, with what its symbol does (L-14.5)."""
    table.cardinal = (table.cardinal + 1) % STATIONS
    symbol = table.rules.symbols[table.cardinal]
    if symbol == CHURCH_TREASURY:
        table.move_treasury(1)
    elif symbol == CHURCH_SCORING and table.scoring == NOBODY:
        table.scoring = seat


def take_favor(table: Table, seat: int) -> Steps[None]:
    """L-9.10."""
    with table.doing("FAVOR", seat):
        noble = yield Question(seat, "FAVOR_NOBLE", tuple(table.favors_possible(seat)))
    table.give_back(seat, noble, -1)


STATE: dict[str, Callable[[Table, int], Steps[None]]] = {
    RECRUIT: recruit,
    PLAN: take_plan,
    SHIP: build_ship,
    PRODUCE: produce,
    CARDINAL: meet_cardinal,
    FAVOR: take_favor,
}


# -------------------------------------------------------------------------------------------------------- Visit, follow


def visit(table: Table, seat: int, noble: str) -> Steps[None]:
    """L-10.1 to L-10.7."""
    table.visited = noble
    with table.doing("VISIT", seat, what=noble) as activity:
        yield from pay_visit(table, seat, noble, table.visit_cost(seat, noble), table.ways_to_visit(seat, noble))
        activity.stage = 1
        possible = [action for action in STATE_ACTIONS_OF[noble] if table.can_do(seat, action)]
        if possible:
            word = yield Question(seat, "STATE_ACTION_PICK", (*possible, STOP))  # L-10.4
            activity.stage = 2
            if word != STOP:
                yield from state_action(table, seat, word)
        activity.stage = 3
        yield from noble_action(table, seat, NOBLE_ACTION_OF[noble])  # L-10.5
    table.phase = FOLLOWS
    for rival in asking(table, table.rivals(seat)):
        if table.players[rival].favors[noble]:
            yield from follow(table, rival, noble)
    table.visited = None


def pay_visit(table: Table, seat: int, noble: str, cost: int, ways: Sequence[int]) -> Steps[None]:
    """Influence, then wigs, and reais instead of either by the houses (L-10.3, L-10.9, L-6.7)."""
    player, reais = table.players[seat], 0
    if cost and table.bonus(seat, "visit_reais", noble):
        table.cost = cost
        reais = int((yield Question(seat, "VISIT_REAIS", tuple(str(way) for way in ways))))
        table.cost = 0
    player.reais -= reais
    influence = min(player.influence, cost - reais)
    player.influence -= influence
    table.score(seat, -(cost - reais - influence), "spent")


def follow(table: Table, seat: int, noble: str) -> Steps[None]:
    """L-10.7."""
    actions = (*STATE_ACTIONS_OF[noble], NOBLE_ACTION_OF[noble])
    ways = {action: table.ways_to_follow(seat, noble, action) for action in actions}
    possible = [action for action, reais in ways.items() if reais]
    if not possible:
        return
    word = yield Question(seat, "FOLLOW", (*possible, DECLINE))
    if word == DECLINE:
        return
    with table.doing("FOLLOW", seat, what=noble, left=actions.index(word)) as activity:
        yield from pay_visit(table, seat, noble, table.follow_cost(seat, noble), ways[word])
        table.give_back(seat, noble, 1)
        activity.stage = 1
        yield from (state_action if word in STATE_ACTIONS else noble_action)(table, seat, word)


def sponsor(table: Table, seat: int, card: Political) -> Steps[None]:
    """L-15.2 to L-15.4."""
    with table.doing("EVENT", seat, what=card.id) as activity:
        yield from pay(table, seat, table.sponsor_cost(seat))
        activity.stage = 1
        yield from resolve(table, seat, card.event, "cards")


def pay(table: Table, seat: int, cost: int) -> Steps[None]:
    """L-6.6. What nobody could pay is forgiven (L-7.7)."""
    player, coins = table.players[seat], table.coins(seat)
    produced = max(0, cost - player.reais)
    if produced > coins:
        table.produce_reais(seat, coins)
        player.reais = 0
    elif cost:
        most = produced if table.rules.switches["auto_payment"] else min(cost, coins)
        table.cost = cost
        word = yield Question(seat, "PAYMENT", tuple(str(number) for number in range(produced, most + 1)))
        table.cost = 0
        table.produce_reais(seat, int(word))
        player.reais -= cost - int(word)


# -------------------------------------------------------------------------------------------------------- Noble actions


def noble_action(table: Table, seat: int, action: str) -> Steps[None]:
    """What is impossible is lost (L-10.5)."""
    if not table.can_act(seat, action, table.money(seat)):
        return
    if action == DECREE:
        yield from take_decrees(table, seat, 1)
    else:
        yield from (build_store if action == STORE else open_building)(table, seat)


def build_store(table: Table, seat: int) -> Steps[None]:
    """L-11."""
    land = table.treasury_value  # L-7.7
    with table.doing("STORE", seat, price=land) as activity:
        words = tuple(f"{block}:{good}" for block, good in table.store_sites(seat, table.money(seat)))
        activity.place = yield Question(seat, "STORE_SITE", words)
        block, good = activity.place.split(":")
        table.city_display[table.tile_of(block, good)] -= 1
        activity.stage = 1
        yield from resolve(table, seat, table.rules.block_reward[block], "places", good)  # L-11.4
        table.owner[block], table.good_of[block] = seat, good  # L-11.3
        activity.stage = 2
        yield from take_store_cube(table, seat, block, land)
        activity.stage = 3
        yield from pay(table, seat, table.store_cost(seat, land, table.rubble_at(block).elements()))  # L-11.6
        activity.stage = 4
        bonus = table.bonus(seat, "store_wigs")  # L-11.10: the ability of the house works from the next action on
        yield from place_house(table, seat)
    sites = [site for site in table.built if table.serves(site, block)]
    table.score(seat, table.column_value(block[1]) * len(sites), "store_customers")  # L-11.8
    table.score(seat, bonus, "store_bonus")


def take_store_cube(table: Table, seat: int, block: str, land: int) -> Steps[None]:
    """L-11.7."""
    zones = {"row": table.zones[block[0]], "column": table.zones[block[1]]}
    words = []
    for name, zone in zones.items():
        for kind in RUBBLE:
            left = table.rubble_at(block) - Counter([kind])
            if zone[kind] and table.store_cost(seat, land, left.elements()) <= table.money(seat):
                words.append(f"{name}:{kind}")
    if words:
        name, kind = (yield Question(seat, "STORE_CUBE", tuple(words))).split(":")
        table.take_cube(seat, kind, zones[name])


def place_house(table: Table, seat: int) -> Steps[None]:
    """L-11.10."""
    player, groups = table.players[seat], table.rules.house_groups
    words = tuple(group for group in GROUPS if player.houses_taken[group] < len(groups[group]))
    group = yield Question(seat, "HOUSE_GROUP", words)
    player.houses_taken[group] += 1
    player.houses -= 1


def take_decrees(table: Table, seat: int, number: int) -> Steps[None]:
    """L-12.2, L-12.3, L-15.6."""
    player, numbers = table.players[seat], table.rules.numbers
    with table.doing("DECREE", seat, left=number + table.bonus(seat, "decree_bonus")) as activity:
        yield from pick_decrees(table, activity)
        while player.portrait and player.spent_this_turn < numbers["decree_markers_per_turn"] and table.shown_decrees():
            activity.stage = 1
            word = yield Question(seat, "DECREE_MARKER", (SPEND, KEEP))
            if word == KEEP:
                break
            player.portrait -= 1
            player.spent += 1
            player.spent_this_turn += 1
            activity.stage, activity.left = 0, numbers["set_marker_decrees"]
            yield from pick_decrees(table, activity)


def pick_decrees(table: Table, activity: Activity) -> Steps[None]:
    """As far as the display lasts (L-12.2)."""
    while activity.left and table.shown_decrees():
        decree = yield Question(activity.seat, "DECREE_PICK", tuple(table.shown_decrees()))
        table.decrees[table.decrees.index(decree)] = None
        table.players[activity.seat].decrees.append(decree)
        activity.left -= 1
    activity.left = 0


def open_building(table: Table, seat: int) -> Steps[None]:
    """L-13."""
    value = table.treasury_value  # L-7.7
    with table.doing("BUILDING", seat, price=value) as activity:
        plan = yield Question(seat, "BUILDING_PLAN", tuple(table.plans_possible(seat, table.money(seat))))  # L-13.3
        activity.what, activity.stage = plan, 1
        site = yield Question(seat, "BUILDING_SITE", tuple(table.building_sites(seat, plan, table.money(seat))))
        missing = table.missing_officials(seat, plan)  # L-13.11
        activity.left = table.officials_needed(seat, plan) - missing  # L-13.5
        activity.place, activity.hired, activity.stage = site, missing, 2
        for kind in RUBBLE:  # L-13.9
            for _ in range(table.site_cubes[site][kind]):
                table.take_cube(seat, kind, table.site_cubes[site])
        yield from resolve(table, seat, table.rules.site_reward[site], "places")
        yield from place_building(table, seat, plan, site)
        activity.stage = 3
        while activity.left:
            yield from reassign(table, seat)
            activity.left -= 1
        activity.stage = 4
        yield from pay(table, seat, missing * value)
        hire(table, seat, missing)
    for block, owner in table.owner.items():  # L-13.8
        if table.serves(site, block):
            table.score(owner, table.column_value(block[1]), "building_customers")


def hire(table: Table, seat: int, number: int) -> None:
    """From the player board, as far as there are any (L-13.11)."""
    hired = min(number, table.players[seat].officials)
    table.players[seat].officials -= hired
    table.players[seat].on_buildings += hired


def place_building(table: Table, seat: int, plan: str, site: str) -> Steps[None]:
    """L-13.6, L-13.7; the next tile of the stack is visible to all (L-2.1 c)."""
    architect = table.rules.plans[plan].architect
    stack = table.stacks[architect]
    tile = stack.pop(0)
    assert tile is not None
    table.built[site] = (tile, architect)
    table.players[seat].plans.remove(plan)
    table.players[seat].completed.append(plan)
    if len(stack) > 1 and stack[1] is None:
        event = yield Happening("next_building", architect)
        stack[1] = event["building"]


def reassign(table: Table, seat: int) -> Steps[None]:
    """One official from an office or the courtyard to the building (L-13.5)."""
    player = table.players[seat]
    places = [noble for noble in NOBLES if table.offices[noble][seat]] + [COURTYARD] * (player.courtyard > 0)
    word = yield Question(seat, "BUILDING_OFFICIAL", tuple(places))
    if word == COURTYARD:
        player.courtyard -= 1
    else:
        table.offices[word][seat] -= 1
    player.on_buildings += 1


# -------------------------------------------------------------------------------------------------------------- effects


def resolve(table: Table, seat: int, effect: Effect | None, source: str, store_type: str = "") -> Steps[None]:
    """An instant effect, completely (L-19.1); what cannot be performed of it is skipped (L-15.5)."""
    if effect is not None:
        yield from EFFECTS[effect.code](table, seat, effect, source, store_type)


def reais_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """As far as you can (L-5.4)."""
    player = table.players[seat]
    player.reais = max(0, player.reais + (effect.amount if effect.code == "gain_reais" else -effect.amount))
    yield from ()


def wigs_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """L-5.4, L-6.8."""
    if effect.code == "gain_wigs":
        table.score(seat, effect.amount, source)
    else:
        table.score(seat, -effect.amount, "spent")
    yield from ()


def gain_good_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """L-15.5, L-11.4."""
    if effect.arg != "any":
        table.gain_good(seat, store_type if effect.arg == "store_type" else effect.arg, effect.amount)
        return
    with table.doing("GAIN_GOODS", seat, left=effect.amount) as activity:
        while activity.left and (words := tuple(good for good in GOODS if table.can_gain(seat, good))):
            table.gain_good(seat, (yield Question(seat, "GOOD_PICK", words)))
            activity.left -= 1


def pay_good_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """L-15.5, L-5.4."""
    with table.doing("PAY_GOODS", seat, left=effect.amount) as activity:
        while activity.left and (words := tuple(table.held(seat))):
            table.return_good(seat, (yield Question(seat, "PAY_GOOD", words)))
            activity.left -= 1


def gain_influence_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """L-6.2."""
    for _ in range(effect.amount):
        table.gain_influence(seat)
    yield from ()


def influence_points_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """L-6.3."""
    table.raise_influence(seat, effect.amount)
    yield from ()


def state_action_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """Without giving a good (L-9.3)."""
    if table.can_do(seat, effect.arg):
        yield from state_action(table, seat, effect.arg)


def any_state_actions_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """Different ones (L-15.5)."""
    with table.doing("ACTIONS", seat, left=effect.amount) as activity:
        while activity.left:
            actions = [action for action in STATE_ACTIONS if action not in activity.done]
            possible = [action for action in actions if table.can_do(seat, action)]
            if not possible:
                break
            word = yield Question(seat, "STATE_ACTION_PICK", (*possible, STOP))
            if word == STOP:
                break
            activity.done.append(word)
            activity.stage = 1
            yield from state_action(table, seat, word)
            activity.stage = 0
            activity.left -= 1


def noble_action_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """L-15.3, L-15.6."""
    if effect.arg == DECREE:
        if table.shown_decrees():
            yield from take_decrees(table, seat, effect.amount)
        return
    noble = next(noble for noble in NOBLES if NOBLE_ACTION_OF[noble] == effect.arg)
    with table.doing("REPEAT", seat, what=noble, left=effect.amount) as activity:
        while activity.left:
            yield from noble_action(table, seat, effect.arg)
            activity.left -= 1


def gain_rubble_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """L-15.5."""
    with table.doing("GAIN_RUBBLE", seat, left=effect.amount) as activity:
        while activity.left and (words := tuple(kind for kind in RUBBLE if table.pile[kind])):
            table.take_cube(seat, (yield Question(seat, "RUBBLE_PICK", words)), table.pile)
            activity.left -= 1


def price_up_effect(table: Table, seat: int, effect: Effect, source: str, store_type: str) -> Steps[None]:
    """One good takes all steps of `any` (L-15.5)."""
    goods = goods_of(effect)
    if effect.arg == "any":
        words = tuple(good for good in goods if table.can_rise(good))
        with table.doing("RAISE_PRICE", seat, left=effect.amount):
            goods = [(yield Question(seat, "PRICE_PICK", words))] if words else []
    for good in goods:
        table.move_price(good, effect.amount)


EFFECTS: dict[str, Callable[[Table, int, Effect, str, str], Steps[None]]] = {
    "gain_reais": reais_effect,
    "pay_reais": reais_effect,
    "gain_wigs": wigs_effect,
    "pay_wigs": wigs_effect,
    "gain_good": gain_good_effect,
    "pay_good": pay_good_effect,
    "gain_influence": gain_influence_effect,
    "gain_influence_points": influence_points_effect,
    "state_action": state_action_effect,
    "state_action_any": any_state_actions_effect,
    "noble_action": noble_action_effect,
    "gain_rubble": gain_rubble_effect,
    "price_up": price_up_effect,
}


# -------------------------------------------------------------------------------------------------------------- a match


class Match:
    """A game that goes on event by event."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.table = Table(rules)
        self.follow(game(self.table))

    def follow(self, steps: Steps[None]) -> None:
        """Go on with this course of the game."""
        self._steps = steps
        self._go_on(None)

    def _go_on(self, answer: Any) -> None:
        try:
            self.table.expects = self._steps.send(answer)
        except StopIteration:
            self.table.expects = None

    @property
    def question(self) -> Question | None:
        """The decision that comes next; None before an event, and at the end."""
        expected = self.table.expects
        return expected if isinstance(expected, Question) else None

    @property
    def actor(self) -> int:
        """The seat to decide, -1 when there is nothing to decide."""
        return self.question.seat if self.question else NOBODY

    @property
    def decision(self) -> str:
        """What it has to decide, empty when there is nothing to decide."""
        return self.question.decision if self.question else ""

    def options(self) -> tuple[str, ...] | None:
        """The legal words in the order of the page's local indices; None where they depend on a hand not seen."""
        return self.question.options if self.question else ()

    def apply(self, event: Event) -> None:
        """The next event. What it says besides is checked: options, wigs. Raises BrokenRule."""
        expected = self.table.expects
        demand(expected is not None, "the game is over")
        if isinstance(expected, Question):
            self._check_decision(expected, event)
            self._go_on(event["action"])
        elif isinstance(expected, Happening):
            CHECKS[expected.name](self.table, expected.of, event)
            self._go_on(event)

    def _check_decision(self, question: Question, event: Event) -> None:
        demand("decision" in event, f"seat {question.seat} decides now ({question.decision})")
        demand(event["seat"] == question.seat, f"it is seat {question.seat} that decides")
        demand(event["decision"] == question.decision, f"the decision is {question.decision}")
        options, action = question.options, event["action"]
        if options is None:
            demand(self._could_be(question, action), f"{action} is not legal whatever this hand is")
            return
        if "options" in event:
            demand(sorted(event["options"]) == sorted(options), f"the legal options are {options}")
        if "forced" in event:
            demand(event["forced"] == (len(options) == 1), f"there are {len(options)} options")
        demand(action in options, f"{action} is not legal")

    def _could_be(self, question: Question, action: str) -> bool:
        """Whether an action can come from a hand that is not seen."""
        if question.decision == "PERIOD_DISCARD":
            return action == STOP or self.table.may_hold(question.seat, action)
        mode, card = action.split(":")
        return self.table.may_hold(question.seat, card) and mode in self.table.modes(question.seat, card)


def of_chance(event: Event, name: str) -> None:
    demand(event.get("chance") == name, f"{name} comes now")


def check_start_player(table: Table, of: None, event: Event) -> None:
    """R0."""
    of_chance(event, "start_player")
    demand(event["seat"] in table.seats, "there is no such seat")


def check_building_stacks(table: Table, of: None, event: Event) -> None:
    """R1: each tile once; who cannot see a tile has None."""
    of_chance(event, "building_stacks")
    tiles = [tile for architect in ARCHITECTS for tile in event[architect]]
    seen = [tile for tile in tiles if tile is not None]
    demand(len(tiles) == len(table.rules.buildings), "a building is missing")
    demand(len(event["blue"]) == len(event["green"]), "half of the buildings are blue")
    demand(len(set(seen)) == len(seen) and set(seen) <= set(table.rules.buildings), "each building is there once")


def check_scoring_tiles(table: Table, of: None, event: Event) -> None:
    """R2."""
    of_chance(event, "scoring_tiles")
    demand(sorted(event["spaces"]) == sorted(table.rules.scoring_tiles), "each scoring tile lies on one space")


def check_clergy_offer(table: Table, of: tuple[int, int], event: Event) -> None:
    """R3."""
    seat, number = of
    of_chance(event, "clergy_offer")
    demand(event["seat"] == seat, f"seat {seat} is offered tiles now")
    demand(len(event["tiles"]) == len(set(event["tiles"])) == number, f"{number} tiles are offered")
    demand(set(event["tiles"]) <= table.bag, "these tiles are not in the bag")


def check_favor_draw(table: Table, seat: int, event: Event) -> None:
    """R4."""
    of_chance(event, "favor_draw")
    demand(event["seat"] == seat, f"seat {seat} draws a Royal Favor now")
    demand(table.favors[event["noble"]] > 0, "there is no such favor left")


def check_start_plan(table: Table, seat: int, event: Event) -> None:
    """R5."""
    of_chance(event, "start_plan")
    demand(event["seat"] == seat, f"seat {seat} gets its plan now")
    demand(event["plan"] in table.start_plans, "this plan is not there")


def check_hand(table: Table, seat: int, event: Event) -> None:
    """R6, L-16.5."""
    of_chance(event, "hand")
    demand(event["seat"] == seat, f"seat {seat} gets cards now")
    missing = table.rules.numbers["hand_size"] - len(table.players[seat].hand)
    demand(len(event["cards"]) == missing, f"{missing} cards are missing")
    seen = [card for card in event["cards"] if card is not None]
    colour = "blue" if table.period == 1 else "purple"
    demand(len(set(seen)) == len(seen), "a card is there twice")
    demand(set(seen) <= table.unseen & set(table.rules.of_deck(colour)), "these cards are not in the deck")


def check_church_tiles(table: Table, of: None, event: Event) -> None:
    """R7."""
    of_chance(event, "church_tiles")
    demand(len(event["tiles"]) == len(set(event["tiles"])) == STATIONS, "one tile for each slot")
    demand(set(event["tiles"]) <= table.bag, "these tiles are not in the bag")


def check_card_reveal(table: Table, name: str, event: Event) -> None:
    of_chance(event, "card_reveal")
    demand(event["deck"] == name, f"the card of the {name} deck is turned up now")
    demand(event["card"] in table.decks[name].under, "this card is not in the deck")


def check_clergy_refill(table: Table, slot: int, event: Event) -> None:
    of_chance(event, "clergy_refill")
    demand(event["slot"] == slot, f"slot {slot} is filled now")
    demand(event["tile"] in table.bag, "this tile is not in the bag")


def check_decree_reveal(table: Table, position: int, event: Event) -> None:
    of_chance(event, "decree_reveal")
    demand(event["position"] == position, f"position {position} is filled now")
    demand(event["card"] in table.decree_deck, "this decree is not in the deck")


def check_rubble(table: Table, of: None, event: Event) -> None:
    """R10: all cubes, so many on each place (L-2.6); places without cubes may be left out."""
    of_chance(event, "rubble")
    rules = table.rules
    places = {**event["rows"], **event["columns"], **event["sites"]}
    demand(set(event["rows"]) <= set(rules.rows), f"the rows are {rules.rows}")
    demand(set(event["columns"]) <= set(COLUMNS), f"the columns are {COLUMNS}")
    demand(set(event["sites"]) <= set(rules.sites), f"the sites are {rules.sites}")
    for place in (*rules.zones, *rules.sites):
        number = rules.site_cubes[place] if place in rules.sites else rules.zone_cubes[place]
        demand(len(places.get(place, [])) == number, f"{place} has {number} cubes")
    in_pile = rules.zone_cubes["pile"]
    demand(len(event["pile"]) == in_pile, f"the pile has {in_pile} cubes")
    cubes = [kind for kinds in (*places.values(), event["pile"], event["box"]) for kind in kinds]
    demand(Counter(cubes) == rules.rubble, f"the cubes are {dict(rules.rubble)}")


def check_next_building(table: Table, architect: str, event: Event) -> None:
    """For those who do not see the stacks."""
    of_chance(event, "next_building")
    demand(event["architect"] == architect, f"it is the {architect} stack")
    shown = {tile for tile, _ in table.built.values()} | {tile for stack in table.stacks.values() for tile in stack}
    demand(event["building"] in set(table.rules.buildings) - shown, "this building cannot come now")


def check_turn_end(table: Table, seat: int, event: Event) -> None:
    demand(event.get("turn_end") == seat, f"the turn of seat {seat} ends now")
    for name in ("wigs", "influence", "reais"):
        values = [getattr(player, name) for player in table.players]
        demand(list(event[name]) == values, f"the {name} are {values}")


def check_period_end(table: Table, of: tuple[str, int], event: Event) -> None:
    """After L-16.3."""
    demand(event.get("period_end") == 1, "period 1 ends now")
    demand((event["reason"], event["seat"]) == of, f"reason and seat are {of}")
    wigs = [player.wigs for player in table.players]
    demand(list(event["wigs"]) == wigs, f"the wigs are {wigs}")


def check_final_rounds(table: Table, reason: str, event: Event) -> None:
    demand(event.get("final_rounds") == reason, f"the last rounds begin now, because of {reason}")


CHECKS: dict[str, Callable[[Table, Any, Event], None]] = {
    "start_player": check_start_player,
    "building_stacks": check_building_stacks,
    "scoring_tiles": check_scoring_tiles,
    "clergy_offer": check_clergy_offer,
    "favor_draw": check_favor_draw,
    "start_plan": check_start_plan,
    "hand": check_hand,
    "church_tiles": check_church_tiles,
    "card_reveal": check_card_reveal,
    "clergy_refill": check_clergy_refill,
    "decree_reveal": check_decree_reveal,
    "rubble": check_rubble,
    "next_building": check_next_building,
    "turn_end": check_turn_end,
    "period_end": check_period_end,
    "final_rounds": check_final_rounds,
}


def referee(rules: Rules, replay: Mapping[str, Any]) -> Match:
    """Follow a whole replay and check everything in it that the rules determine. Raises BrokenRule."""
    match = Match(rules)
    for number, event in enumerate(replay["events"]):
        try:
            match.apply(event)
        except BrokenRule as broken:
            raise BrokenRule(f"event {number}, {dict(event)}: {broken}") from broken
    demand(match.table.is_over, "the game is not over")
    for name, value in match.table.result().items():
        demand(replay["result"][name] == value, f"the result's {name} is {value}")
    return match
