"""INV-1 to INV-23 of the rules page of Lisboa, on a game that goes on (L-... are ids of the page).

`Invariants` looks at the table of the reference after every decision and event. Where the kernels are compared with it
in every field, it looks at theirs as well.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.reference.lisboa_state import (
    COURT_MODE,
    DISCARDING,
    LAST_CHURCH,
    NOBODY,
    OVER,
    SETUP,
    Event,
    Question,
    Table,
)
from tests.reference.lisboa_tables import (
    ARCHITECTS,
    CHURCH_TREASURY,
    DECKS,
    GOODS,
    GROUPS,
    NOBLES,
    RUBBLE,
    SHIP,
    STATIONS,
    TILES,
    TREASURY,
)

# Decisions within which reais can come in, and those within which they can go (INV-19): of one's own.
MORE_REAIS = {"MAIN", "SELL", "STORE_SITE", "BUILDING_SITE", "PAYMENT", "PERIOD_DISCARD", "PORTFOLIO_ACTION"}
LESS_REAIS = {"MAIN", "PAYMENT", "VISIT_REAIS", "STORE_CUBE"}


@dataclass
class Numbers:
    """What only grows within a game, and what moves for known reasons."""

    growing: dict[str, list[int]]
    treasury: int
    prices: dict[str, int]
    cardinal: int
    ships_built: int
    reais: list[int]
    influence: list[int]
    wigs: list[int]


def numbers_of(table: Table) -> Numbers:
    players = table.players
    in_yard = len(table.shipyard)
    return Numbers(
        growing={
            "period": [table.period],
            "stores": [len(table.stores(seat)) for seat in table.seats],
            "buildings": [len(table.built)],
            "completed plans": [len(player.completed) for player in players],
            "sets": [player.sets for player in players],
            "cubes": [player.cubes.total() for player in players],
            "decrees": [len(player.decrees) for player in players],
            "houses": [player.houses_taken.total() for player in players],
        },
        treasury=table.treasury,
        prices=dict(table.prices),
        cardinal=table.cardinal,
        ships_built=len(table.rules.shipyard(table.period)) - in_yard,
        reais=[player.reais for player in players],
        influence=[player.influence for player in players],
        wigs=[player.wigs for player in players],
    )


class Invariants:
    """Looks at a table before and after each event. Everything here is an assertion."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.numbers = numbers_of(table)
        self.question: Question | None = None
        self.cost = 0  # of the visit or follow that is being paid
        self.draws = 0  # in this period
        self.without_draw = False  # whether the display of this period has run out
        self.turns_of = [0 for _ in table.seats]

    def before(self, event: Event) -> None:
        """The event is about to happen."""
        self.numbers = numbers_of(self.table)
        expected = self.table.expects
        self.question = expected if isinstance(expected, Question) else None
        self.cost = self._cost_of(event)
        self.draws += event.get("decision") == "DRAW"

    def after(self, event: Event) -> None:
        """The event has happened."""
        table = self.table
        if "turn_end" in event:
            self._end_of_turn(event)
        if "period_end" in event or "final_rounds" in event:
            self._end_of_display(event)
        if not isinstance(table.expects, Question) and not table.is_over:
            return
        for check in (*PIECES, *LIMITS):
            check(table)
        self._moves(event)
        if table.is_over:
            self._end_of_game()

    # ---------------------------------------------------------------------------------------------------- the moves

    def _moves(self, event: Event) -> None:
        before, now = self.numbers, numbers_of(self.table)
        for name, values in before.growing.items():  # INV-18
            assert all(a <= b for a, b in zip(values, now.growing[name], strict=True)), name
        if event.get("decision") is not None and self.question is not None:
            self._prices(before, now)
            self._treasury(event, before, now)
            self._money(event, before, now)
            self._payment(before, now)
            if self.question.decision == "MAIN":
                assert self.question.options  # INV-21

    def _prices(self, before: Numbers, now: Numbers) -> None:
        """INV-18: what falls was produced, what rises rose by an effect, and so not both in one step."""
        changes = [now.prices[good] - before.prices[good] for good in GOODS]
        assert all(change >= -1 for change in changes)
        assert not (min(changes) < 0 < max(changes))

    def _treasury(self, event: Event, before: Numbers, now: Numbers) -> None:
        """INV-18: one up for a ship and at the Church Treasury, one down for a treasury card in a portfolio."""
        rules, steps = self.table.rules, now.ships_built - before.ships_built
        if now.growing["period"] != before.growing["period"]:
            return
        moved = (now.cardinal - before.cardinal) % STATIONS
        for step in range(1, moved + 1):
            steps += rules.symbols[(before.cardinal + step) % STATIONS] == CHURCH_TREASURY
        if event["decision"] == "MAIN":
            mode, card = event["action"].split(":")
            steps -= mode == "portfolio" and rules.cards[card].type == TREASURY
        track = rules.treasury_value
        assert now.treasury == max(min(track), min(before.treasury + steps, max(track)))

    def _money(self, event: Event, before: Numbers, now: Numbers) -> None:
        """INV-19."""
        for seat in self.table.seats:
            change = now.reais[seat] - before.reais[seat]
            if change:
                assert event["seat"] == seat
                assert event["decision"] in (MORE_REAIS if change > 0 else LESS_REAIS)

    def _cost_of(self, event: Event) -> int:
        """What must be paid before the next decision (INV-23)."""
        table, decision = self.table, event.get("decision")
        if decision == "VISIT_REAIS":
            followed = table.activities[-1].task == "FOLLOW" and table.activities[-1].left == 0
            return -1 if followed and table.visited == "marquis" else table.cost
        if decision == "FOLLOW" and event["action"] not in ("decline", SHIP):
            assert table.visited is not None
            return table.follow_cost(event["seat"], table.visited)
        if decision == "MAIN":
            mode, card = event["action"].split(":")
            card_type = table.rules.cards[card].type
            if mode == COURT_MODE and card_type != TREASURY:
                return table.visit_cost(event["seat"], card_type)
        return -1

    def _payment(self, before: Numbers, now: Numbers) -> None:
        """INV-23, L-10.3: influence, wigs and reais together."""
        if self.cost < 0 or self.question is None or self.table.cost:
            return
        seat = self.question.seat
        values = ((before.influence, now.influence), (before.wigs, now.wigs), (before.reais, now.reais))
        assert sum(was[seat] - left[seat] for was, left in values) == self.cost

    # ------------------------------------------------------------------------------------------------ turns and game

    def _end_of_turn(self, event: Event) -> None:
        table, rules = self.table, self.table.rules
        self.turns_of[event["turn_end"]] += 1
        if not self.without_draw:
            assert {len(player.hand) for player in table.players} == {rules.numbers["hand_size"]}  # INV-9
        if table.decree_deck:
            assert None not in table.decrees  # INV-11
        for tile in TILES:  # INV-17
            assert table.city_display[tile] == rules.tile_spaces[tile] or not table.city_piles[tile]
        assert table.scoring == NOBODY
        self.without_draw = self.without_draw or table.empty_decks == len(table.decks)

    def _end_of_display(self, event: Event) -> None:
        """INV-20: the decks but for the smallest were drawn, and not yet all of them."""
        if "decks" in (event.get("reason"), event.get("final_rounds")):
            rules, colour = self.table.rules, "red" if "period_end" in event else "brown"
            sizes = sorted(len(rules.of_deck(colour, name)) for name in DECKS)
            emptied = rules.numbers["end_trigger_empty_decks"]
            assert sum(sizes[:emptied]) <= self.draws <= sum(sizes) - (len(sizes) - emptied)
        if "period_end" in event:
            self.draws, self.without_draw = 0, False

    def _end_of_game(self) -> None:
        assert len(set(self.turns_of)) == 1  # INV-20, L-16.6
        assert [sum(parts.values()) for parts in self.table.parts()] == self.table.scores()
        for player in self.table.players:
            assert player.sources.total() == player.wigs


# ------------------------------------------------------------------------------------------------- pieces are conserved


def is_set_up(table: Table) -> bool:
    return table.phase != SETUP


def goods_are_conserved(table: Table) -> None:
    """INV-1."""
    for good in GOODS:
        held = sum(player.goods[good] for player in table.players)
        aboard = sum(ship.cargo[good] for player in table.players for ship in player.ships)
        assert table.bank[good] + held + aboard == table.rules.tokens[good]
        assert table.bank[good] >= 0


def rubble_is_conserved(table: Table) -> None:
    """INV-2."""
    if not is_set_up(table):
        return
    places = [*table.zones.values(), *table.site_cubes.values(), table.pile, *(p.cubes for p in table.players)]
    for kind in RUBBLE:
        assert min(place[kind] for place in places) >= 0
        assert sum(place[kind] for place in places) + table.out[kind] == table.rules.cube_count[kind]


def officials_are_conserved(table: Table) -> None:
    """INV-3, INV-5."""
    for place, seat in enumerate(table.clockwise(table.starter)):
        player = table.players[seat]
        total = player.officials + table.officials_there(seat) + player.on_buildings
        assert total == table.rules.start[place].officials
        assert min(player.officials, player.courtyard, player.on_buildings) >= 0
    for office in table.offices.values():
        assert min(office) >= 0
        assert sum(office) <= table.rules.numbers["office_capacity"]


def houses_are_conserved(table: Table) -> None:
    """INV-4."""
    building = [activity for activity in table.activities if activity.task == "STORE" and activity.stage >= 2]
    for seat, player in enumerate(table.players):
        between = sum(activity.seat == seat for activity in building)
        assert player.houses + len(table.stores(seat)) - between == table.rules.houses
        assert player.houses_taken.total() == len(table.stores(seat)) - between
        for group in GROUPS:
            assert player.houses_taken[group] <= len(table.rules.house_groups[group])
    assert set(table.owner) <= set(table.rules.blocks)
    assert set(table.owner) == set(table.good_of)


def favors_are_conserved(table: Table) -> None:
    """INV-6."""
    for noble in NOBLES:
        held = [player.favors[noble] for player in table.players]
        assert table.favors[noble] + sum(held) == table.rules.favors_each[noble] * table.rules.seats
        assert min(held) >= 0
        assert max(held) <= table.rules.numbers["royal_favor_limit_per_noble"]


def clergy_tiles_are_conserved(table: Table) -> None:
    """INV-7."""
    slots = [tile for tile in table.slots if tile is not None]
    offered = [tile for offer in table.offers.values() for tile in offer if tile is not None]
    held = [tile for player in table.players for tile in player.clergy]
    there = [*table.bag, *slots, *offered, *held]
    assert len(set(there)) == len(there)
    assert len(there) + table.out["tile"] == len(table.rules.tiles)
    overflow = table.expects.seat if is_asked(table, "CLERGY_OVERFLOW") else None  # type: ignore[union-attr]
    for seat, player in enumerate(table.players):
        assert len(player.clergy) <= table.rules.numbers["clergy_limit_per_player"] + (seat == overflow)


def is_asked(table: Table, decision: str) -> bool:
    return isinstance(table.expects, Question) and table.expects.decision == decision


def plans_and_buildings_are_conserved(table: Table) -> None:
    """INV-8."""
    rules = table.rules
    completed = [plan for player in table.players for plan in player.completed]
    plans = [*table.piles["blue"], *table.piles["green"], *table.start_plans, *completed]
    plans += [plan for player in table.players for plan in player.plans]
    assert len(set(plans)) == len(plans)
    assert len(plans) + table.out["plan"] == len(rules.plans)
    assert sum(len(stack) for stack in table.stacks.values()) + len(table.built) == len(rules.buildings)
    for architect in ARCHITECTS:
        placed = [side for _, side in table.built.values()].count(architect)
        assert placed == sum(rules.plans[plan].architect == architect for plan in completed)
    assert set(table.built) <= set(rules.sites)
    assert not any(table.site_cubes[site].total() for site in table.built)


def cards_are_conserved(table: Table) -> None:
    """INV-9."""
    rules = table.rules
    in_portfolios = sum(
        sum(card is not None and not card.ship for card in player.top) + sum(card is not None for card in player.bottom)
        for player in table.players
    )
    on_display = sum(len(deck.under) + (deck.face is not None) for deck in table.decks.values())
    undealt = [*(["purple", "brown"] if table.period == 1 or table.phase in (DISCARDING, LAST_CHURCH) else [])]
    undealt += ["blue", "red"] if table.phase == SETUP else []
    between = sum(activity.task == "TUCK" and activity.stage < 2 for activity in table.activities)
    total = sum(len(player.hand) for player in table.players) + in_portfolios + on_display + between + table.out["card"]
    assert total + sum(len(rules.of_deck(deck)) for deck in undealt) == len(rules.cards)


def ships_are_conserved(table: Table) -> None:
    """INV-10."""
    built = sum(len(player.ships) for player in table.players)
    in_play = sum(len(table.rules.shipyard(period)) for period in range(1, table.period + 1))
    assert built + len(table.shipyard) + table.out["ship"] == in_play


def decrees_are_conserved(table: Table) -> None:
    """INV-11."""
    held = [decree for player in table.players for decree in player.decrees]
    there = [*table.decree_deck, *table.shown_decrees(), *held]
    assert len(set(there)) == len(there)
    assert len(there) + table.out["decree"] == len(table.rules.decrees)


def city_tiles_are_conserved(table: Table) -> None:
    """INV-17: small tiles only in column 5."""
    placed = Counter(table.tile_of(block, good) for block, good in table.good_of.items())
    for activity in table.activities:
        if activity.task == "STORE" and activity.stage == 1:
            block, good = activity.place.split(":")
            placed[table.tile_of(block, good)] += 1
    for tile in TILES:
        assert table.city_display[tile] + table.city_piles[tile] + placed[tile] == table.rules.tile_count[tile]
        assert 0 <= table.city_display[tile] <= table.rules.tile_spaces[tile]


PIECES = (
    goods_are_conserved,
    rubble_is_conserved,
    officials_are_conserved,
    houses_are_conserved,
    favors_are_conserved,
    clergy_tiles_are_conserved,
    plans_and_buildings_are_conserved,
    cards_are_conserved,
    ships_are_conserved,
    decrees_are_conserved,
    city_tiles_are_conserved,
)


# ------------------------------------------------------------------------------------------------------------- limits


def sets_and_markers(table: Table) -> None:
    """INV-12."""
    numbers = table.rules.numbers
    for player in table.players:
        assert player.sets == min(player.cubes[kind] for kind in RUBBLE)
        assert player.portrait + player.spent + player.markers == numbers["set_markers_per_player"]
        assert player.portrait + player.spent == min(player.sets, numbers["set_markers_per_player"])
        assert 0 <= player.spent_this_turn <= numbers["decree_markers_per_turn"]
        assert max(player.cubes.values(), default=0) <= numbers["max_rubble_per_kind"]


def portfolios(table: Table) -> None:
    """INV-13."""
    rules = table.rules
    for seat, player in enumerate(table.players):
        top = [card for card in player.top if card is not None]
        bottom = [card for card in player.bottom if card is not None]
        assert len(player.top) == rules.numbers["portfolio_top_slots"]
        assert len(player.bottom) == rules.numbers["portfolio_bottom_slots"]
        assert len(top) + len(bottom) <= table.portfolio_capacity(seat)
        assert all(rules.cards[card].type == TREASURY for card in bottom)
        assert all(card.ship or rules.cards[card.id].type in NOBLES for card in top)


def warehouses(table: Table) -> None:
    """INV-14."""
    for seat, player in enumerate(table.players):
        assert all(0 <= player.goods[good] <= table.warehouse_capacity(seat) for good in GOODS)


def tracks(table: Table) -> None:
    """INV-15."""
    for player in table.players:
        assert 0 <= player.influence <= table.rules.influence_max
        assert min(player.wigs, player.reais) >= 0
    assert table.treasury in table.rules.treasury_value
    assert set(table.prices.values()) <= set(table.rules.prices)


def ships_at_sea(table: Table) -> None:
    """INV-16, L-4.2: none of one's own after Phase A."""
    for player in table.players:
        for ship in player.ships:
            hull = table.rules.ships[ship.id].hull
            assert (ship.cargo.total() == hull) == ship.at_sea
            assert ship.cargo.total() <= hull
    if is_asked(table, "MAIN"):
        assert not any(ship.at_sea for ship in table.players[table.active].ships)


def customers(table: Table) -> None:
    """INV-22."""
    if any(activity.task in ("STORE", "BUILDING") for activity in table.activities):
        return
    wigs = [0 for _ in table.seats]
    for block, owner in table.owner.items():
        for site in table.built:
            wigs[owner] += table.column_value(block[1]) * table.serves(site, block)
    sources = [player.sources for player in table.players]
    assert [source["store_customers"] + source["building_customers"] for source in sources] == wigs


LIMITS = (sets_and_markers, portfolios, warehouses, tracks, ships_at_sea, customers)


def checked(steps: Iterator[tuple[Any, Event]]) -> Iterator[tuple[Any, Event]]:
    """The games of `lisboa_selfplay.play_game`, with every event checked."""
    invariants: Invariants | None = None
    last: Event | None = None
    for match, event in steps:
        if invariants is None:
            invariants = Invariants(match.table)
        if last is not None:
            invariants.after(last)
        invariants.before(event)
        last = event
        yield match, event
    if invariants is not None and last is not None:
        invariants.after(last)
        assert invariants.table.phase == OVER
