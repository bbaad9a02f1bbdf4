"""What lies on the table in a game of Lisboa, for the plain Python reference (see lisboa.py): the pieces, what follows
from them, and what can be done. L-... are ids of the rules page.

`Table` is what lies open, with the hands that the one who looks can see. The course of a game stands in lisboa.py, the
card set in lisboa_tables.py.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from tests.reference.lisboa_tables import (
    ARCHITECTS,
    CARDINAL,
    COLUMNS,
    DECKS,
    DECREE,
    GOODS,
    GROUPS,
    MOST_STEPS,
    NARROW_COLUMN,
    NOBLE_ACTION_OF,
    NOBLE_OF,
    NOBLES,
    NORTH_SITES,
    PLAN,
    PRODUCE,
    RECRUIT,
    ROWS,
    RUBBLE,
    SHIP,
    SMALL_TILE,
    STATE_ACTIONS,
    STATIONS,
    STORE,
    STORE_SITES,
    TILE_OF_GOOD,
    TILES,
    TREASURY,
    ZONES,
    Effect,
    Political,
    Rules,
)

NOBODY = -1
STOP, DECLINE = "stop", "decline"
GOLD_MODE, PORTFOLIO_MODE, COURT_MODE = "gold", "portfolio", "court"
MODES = (GOLD_MODE, PORTFOLIO_MODE, COURT_MODE)
SELL_WORD, TRADE_WORD = "sell", "trade"
SPEND, KEEP = "spend", "keep"
COURTYARD = "courtyard"
SETS, EMPTY_DECKS = "sets", "decks"

# Decisions, in the order of decision_types.csv
DECISIONS = (
    *("CLERGY_KEEP", "MAIN", "PORTFOLIO_DISCARD", "PORTFOLIO_ACTION", "SELL", "TRADE", "STATE_ACTION_PICK", "OFFICE"),
    *("ARCHITECT", "SHIP_GOOD", "CARDINAL_STEPS", "CARDINAL_TILE", "CLERGY_OVERFLOW", "FAVOR_NOBLE", "STORE_SITE"),
    *("PAYMENT", "STORE_CUBE", "DECREE_PICK", "DECREE_MARKER", "BUILDING_PLAN", "BUILDING_SITE", "BUILDING_OFFICIAL"),
    *("FOLLOW", "SURRENDER", "DRAW", "PERIOD_DISCARD", "GOOD_PICK", "PAY_GOOD", "PRICE_PICK", "RUBBLE_PICK"),
    *("HOUSE_GROUP", "VISIT_REAIS"),
)
# Where wigs come from before the final scoring, in the order in which results list them.
SOURCES = (
    *("start", "store_customers", "building_customers", "store_bonus", "places", "cards", "sailing", "surrendered"),
    *("period_sets", "influence", "spent"),
)
OF_THE_HAND = ("MAIN", "PERIOD_DISCARD")  # decisions whose options show a hand

Event = Mapping[str, Any]


class BrokenRule(Exception):
    """An event that cannot happen in this place."""


def demand(condition: bool, what: str) -> None:
    if not condition:
        raise BrokenRule(what)


class Question(NamedTuple):
    """A decision that must come next. Options None: they depend on cards in a hand that is not seen."""

    seat: int
    decision: str
    options: tuple[str, ...] | None


class Happening(NamedTuple):
    """An event that must come next, with what is fixed of it: a seat, a deck, a slot, a position."""

    name: str
    of: Any = None


# Where a turn is, as state.py has it.
SETUP, CARD, FOLLOWS, DRAWING, CHURCH, DISCARDING, LAST_CHURCH, OVER = (
    *("SETUP", "CARD", "FOLLOW", "DRAW", "CHURCH", "DISCARD", "LAST_CHURCH", "OVER"),
)


@dataclass
class Activity:
    """A part of a turn that is going on: what state.py calls a frame, by the names of its tasks and in words."""

    task: str
    seat: int
    stage: int = 0
    what: str | int = 0
    place: str = ""
    left: int = 0
    price: int = 0
    hired: int = 0
    done: list[str] = field(default_factory=list)


Answer = TypeVar("Answer")
Expected = Question | Happening
# A part of a game: it is sent the word of each decision, and the content of each event.
Steps = Generator[Expected, Any, Answer]


# ----------------------------------------------------------------------------------------------------------- the state


@dataclass
class Card:
    """What stands in a top slot: a noble card or a ship (L-5.1)."""

    id: str
    ship: bool = False
    cargo: Counter[str] = field(default_factory=Counter)
    at_sea: bool = False


@dataclass
class Player:
    """What lies in front of a player, and the hand: None stands for a card that the one who looks does not see."""

    hand: list[str | None] = field(default_factory=list)
    dealt: Counter[str] = field(default_factory=Counter)  # cards in the hand from the blue, the purple deck
    wigs: int = 0
    influence: int = 0
    reais: int = 0
    goods: Counter[str] = field(default_factory=Counter)
    top: list[Card | None] = field(default_factory=list)
    bottom: list[str | None] = field(default_factory=list)
    officials: int = 0  # on the player board
    courtyard: int = 0
    on_buildings: int = 0
    houses_taken: Counter[str] = field(default_factory=Counter)  # by group
    houses: int = 0  # left
    cubes: Counter[str] = field(default_factory=Counter)
    markers: int = 0  # set markers on the player board
    portrait: int = 0  # set markers on the Marquis portrait
    spent: int = 0  # set markers spent
    spent_this_turn: int = 0
    plans: list[str] = field(default_factory=list)  # held, the oldest first
    completed: list[str] = field(default_factory=list)
    favors: Counter[str] = field(default_factory=Counter)
    clergy: list[str] = field(default_factory=list)  # held, the oldest first
    decrees: list[str] = field(default_factory=list)
    sources: Counter[str] = field(default_factory=Counter)  # of the wigs so far

    @property
    def sets(self) -> int:
        """Complete rubble sets (L-5.6)."""
        return min(self.cubes[kind] for kind in RUBBLE)

    @property
    def ships(self) -> list[Card]:
        return [card for card in self.top if card is not None and card.ship]


@dataclass
class Deck:
    """A deck of the display: the card that lies face up, and what lies under it, in any order."""

    face: str | None = None
    under: set[str] = field(default_factory=set)

    @property
    def is_empty(self) -> bool:
        return self.face is None and not self.under


class Table:
    """Everything that all players see, and of the hands and the building stacks what the one sees whose table this is.

    What lies in the Clergy bag, in the decree deck and under the display decks is known to all, the order to nobody.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.seats = range(rules.seats)
        self.expects: Expected | None = None
        self.is_over = False
        self.period = 1
        self.starter = NOBODY
        self.active = NOBODY
        self.turns = 0
        self.countdown = -1
        self.end = ""
        self.scoring = NOBODY  # the mover, while a Church Scoring is pending (L-14.5)
        self.phase = SETUP
        self.activities: list[Activity] = []
        self.visited: str | None = None  # a noble, up to the last follow
        self.asked = NOBODY  # within rounds of questions: of follows, surrenders, discards
        self.first = NOBODY  # who discards first at the end of the period
        self.to_ask = 0  # seats of such a round, the one asked included
        self.surrendered = 0  # tiles, by the seat asked
        self.rewarded = set[str]()  # nobles whose card was discarded by the seat asked
        self.drawn: str | None = None  # the deck, to the end of the turn
        self.cost = 0  # what is being paid
        self.seen = set[str]()  # cards that have been face up
        self.players = [self._player() for _ in self.seats]
        self.prices = dict(rules.price_start)  # L-2.1 a
        self.treasury = rules.treasury_start  # L-2.1 b
        self.cardinal = rules.cardinal_start
        self.slots: list[str | None] = [None] * STATIONS
        self.bag = set(rules.tiles)  # L-2.2
        self.out = Counter[str]()  # what has left the game, by kind of piece
        self.decks = {name: Deck() for name in DECKS}
        self.unseen = set(rules.of_deck("blue"))  # cards for hands that the one who looks has not seen
        self.shipyard = rules.shipyard(1)  # L-2.5
        self.decrees: list[str | None] = [None] * rules.numbers["decree_display"]
        self.decree_deck = set(rules.decrees)
        self.piles = {architect: rules.pile(architect) for architect in ARCHITECTS}  # L-2.1 d
        self.stacks: dict[str, list[str | None]] = {architect: [] for architect in ARCHITECTS}
        self.start_plans = {plan.id for plan in rules.plans.values() if plan.starting}
        self.favors = {noble: rules.favors_each[noble] * rules.seats for noble in NOBLES}  # L-2.2, L-18.3
        self.offices = {noble: [0 for _ in self.seats] for noble in NOBLES}
        self.owner: dict[str, int] = {}  # of the blocks with a store
        self.good_of: dict[str, str] = {}  # what those stores make
        self.built: dict[str, tuple[str, str]] = {}  # tile and side on each site
        self.zones = {zone: Counter[str]() for zone in ZONES}
        self.site_cubes = {site: Counter[str]() for site in rules.sites}
        self.pile = Counter[str]()
        self.bank = Counter(rules.tokens)
        self.city_display = dict.fromkeys(TILES, 0)
        self.city_piles = dict(rules.tile_count)
        self.spaces: list[str] = []  # scoring tiles
        self.offers: dict[int, list[str | None]] = {}  # Clergy tiles among which seats choose at the start
        self.refill_city()  # L-2.1 f

    def _player(self) -> Player:
        numbers = self.rules.numbers
        return Player(
            top=[None] * numbers["portfolio_top_slots"],
            bottom=[None] * numbers["portfolio_bottom_slots"],
            houses=self.rules.houses,
            markers=numbers["set_markers_per_player"],
        )

    @contextmanager
    def doing(self, task: str, seat: int, **more: Any) -> Iterator[Activity]:
        """While this activity goes on."""
        activity = Activity(task, seat, **more)
        self.activities.append(activity)
        yield activity
        self.activities.pop()

    # -------------------------------------------------------------------------------------------------------- the seats

    def clockwise(self, seat: int) -> list[int]:
        """All seats, starting with this one."""
        return [(seat + step) % len(self.seats) for step in self.seats]

    def rivals(self, seat: int) -> list[int]:
        """All other seats, clockwise (L-0.4)."""
        return self.clockwise(seat)[1:]

    # ---------------------------------------------------------------------------------------------- permanent effects

    def permanents(self, seat: int) -> list[Effect]:
        """Of bottom cards, Clergy tiles and houses taken (L-5.7)."""
        player, rules = self.players[seat], self.rules
        cards = [rules.cards[card].permanent for card in player.bottom if card is not None]
        tiles = [rules.tiles[tile].permanent for tile in player.clergy]
        levels = [rules.house_groups[group][: player.houses_taken[group]] for group in GROUPS]
        return [effect for effect in (*cards, *tiles, *(effect for group in levels for effect in group)) if effect]

    def bonus(self, seat: int, code: str, what: str = "any") -> int:
        """The amounts of a permanent effect together, as far as they concern a good or noble (L-5.7)."""
        return sum(effect.amount for effect in self.permanents(seat) if effect.code == code and effect.fits(what))

    # ----------------------------------------------------------------------------------------------- room and what fits

    def portfolio_capacity(self, seat: int) -> int:
        """L-5.1."""
        player = self.players[seat]
        return min(self.rules.numbers["portfolio_base"] + player.sets, len(player.top) + len(player.bottom))

    def warehouse_capacity(self, seat: int) -> int:
        """Of each type (L-5.2)."""
        base = self.rules.numbers["warehouse_base"] + self.players[seat].sets
        return base + self.bonus(seat, "warehouse_bonus")

    def can_gain(self, seat: int, good: str) -> bool:
        """Room in the warehouse and stock in the bank (L-5.2, L-7.6)."""
        return self.players[seat].goods[good] < self.warehouse_capacity(seat) and self.bank[good] > 0

    def gain_good(self, seat: int, good: str, number: int = 1) -> int:
        """As many as fit and as the bank has; how many those are."""
        gained = 0
        while gained < number and self.can_gain(seat, good):
            self.bank[good] -= 1
            self.players[seat].goods[good] += 1
            gained += 1
        return gained

    def return_good(self, seat: int, good: str, number: int = 1) -> None:
        """From the warehouse to the bank."""
        self.players[seat].goods[good] -= number
        self.bank[good] += number

    def return_surplus(self, seat: int) -> None:
        """What does not fit any more (L-5.2)."""
        for good in GOODS:
            surplus = self.players[seat].goods[good] - self.warehouse_capacity(seat)
            if surplus > 0:
                self.return_good(seat, good, surplus)

    def held(self, seat: int) -> list[str]:
        """The types of goods in the warehouse."""
        return [good for good in GOODS if self.players[seat].goods[good]]

    # ----------------------------------------------------------------------------------------------- wigs and influence

    def score(self, seat: int, wigs: int, source: str) -> None:
        """Gain wigs, or lose them: never below 0 (L-6.8)."""
        wigs = max(wigs, -self.players[seat].wigs)
        self.players[seat].wigs += wigs
        self.players[seat].sources[source] += wigs

    def influence_shown(self, seat: int) -> int:
        """What a Gain Influence brings (L-6.2)."""
        cards = [card for card in self.players[seat].top if card is not None]
        printed = [
            self.rules.ships[card.id].influence if card.ship else self.rules.cards[card.id].influence for card in cards
        ]
        return sum(printed) + self.bonus(seat, "influence_bonus")

    def raise_influence(self, seat: int, points: int) -> None:
        """L-6.1, L-6.3."""
        if points <= 0:
            return
        player = self.players[seat]
        player.influence = min(player.influence + points, self.rules.influence_max)
        if player.influence in self.rules.wig_spaces:
            self.score(seat, 1, "influence")

    def gain_influence(self, seat: int) -> None:
        """L-6.2."""
        self.raise_influence(seat, self.influence_shown(seat))

    def coins(self, seat: int) -> int:
        """Reais that influence can still produce (L-6.5)."""
        return self.coins_below(self.players[seat].influence)

    def coins_below(self, influence: int) -> int:
        return sum(space < influence for space in self.rules.coins)

    def money(self, seat: int) -> int:
        """L-6.6."""
        return self.players[seat].reais + self.coins(seat)

    def produce_reais(self, seat: int, number: int) -> None:
        """So many, each by moving the marker left to the next coin (L-6.5)."""
        player = self.players[seat]
        for _ in range(number):
            player.influence = max(space for space in self.rules.coins if space < player.influence)

    # -------------------------------------------------------------------------------------------------------- the board

    @property
    def treasury_value(self) -> int:
        """In reais (L-7.1)."""
        return self.rules.treasury_value[self.treasury]

    def move_treasury(self, steps: int) -> None:
        """L-7.1: not beyond an end."""
        track = self.rules.treasury_value
        self.treasury = max(min(track), min(self.treasury + steps, max(track)))

    def price(self, good: str) -> int:
        """In reais (L-8.1)."""
        return self.rules.prices[self.prices[good]]

    def can_rise(self, good: str) -> bool:
        return self.prices[good] < max(self.rules.prices)

    def move_price(self, good: str, steps: int) -> None:
        """L-8.1, L-8.2."""
        track = self.rules.prices
        self.prices[good] = max(min(track), min(self.prices[good] + steps, max(track)))

    def tiles_beside(self, station: int) -> list[str]:
        """The Clergy tiles next to a station, the one behind it first (L-14.1)."""
        tiles = (self.slots[(station - 1) % STATIONS], self.slots[station])
        return [tile for tile in tiles if tile is not None]

    def shown_decrees(self) -> list[str]:
        return [card for card in self.decrees if card is not None]

    @property
    def empty_decks(self) -> int:
        return sum(deck.is_empty for deck in self.decks.values())

    def refill_city(self) -> None:
        """L-2.1 f, L-4.8."""
        for tile in TILES:
            while self.city_display[tile] < self.rules.tile_spaces[tile] and self.city_piles[tile]:
                self.city_display[tile] += 1
                self.city_piles[tile] -= 1

    # ------------------------------------------------------------------------------------------------ stores, buildings

    def column_value(self, column: str) -> int:
        """L-1.5."""
        if column == NARROW_COLUMN:
            return self.rules.printed_value
        return self.rules.scoring_tiles[self.spaces[COLUMNS.index(column)]]

    def stores(self, seat: int) -> list[str]:
        """The blocks with a store of the seat."""
        return [block for block, owner in self.owner.items() if owner == seat]

    def makes(self, seat: int) -> list[str]:
        """The types of goods that the stores of the seat make."""
        return [good for good in GOODS if any(self.good_of[block] == good for block in self.stores(seat))]

    def serves(self, site: str, block: str) -> bool:
        """Whether the building of a site brings customers to a store (L-11.8, L-13.8)."""
        good = self.good_of[block]
        shown = good in self.rules.serves[self.built[site]]
        if site in NORTH_SITES:
            return NORTH_SITES[site] == good and (shown or not self.rules.switches["north_site_colours"])
        return site[1] == block[0] and shown

    def rubble_at(self, block: str) -> Counter[str]:
        """The cubes of a block's row and column (L-11.5)."""
        return self.zones[block[0]] + self.zones[block[1]]

    def store_cost(self, seat: int, land: int, cubes: Iterable[str]) -> int:
        """For these cubes in row and column (L-11.5)."""
        rubble = sum(self.rules.rubble_cost[kind] for kind in cubes)
        return max(0, land - self.bonus(seat, "land_discount")) + max(0, rubble - self.bonus(seat, "rubble_discount"))

    def least_store_cost(self, seat: int, block: str) -> int:
        """With the dearest cube taken away (L-11.2)."""
        cubes = sorted(self.rubble_at(block).elements(), key=lambda kind: self.rules.rubble_cost[kind])
        return self.store_cost(seat, self.treasury_value, cubes[:-1])

    def tile_of(self, block: str, good: str) -> str:
        """The kind of city tile (L-11.2)."""
        return SMALL_TILE if block[1] == NARROW_COLUMN else TILE_OF_GOOD[good]

    def store_sites(self, seat: int, money: int) -> list[tuple[str, str]]:
        """Where the seat can build with so much money, and what (L-11.1, L-11.2)."""
        if not self.players[seat].houses:
            return []
        return [
            (block, good)
            for block, good in STORE_SITES
            if block in self.rules.blocks
            and block not in self.owner
            and self.city_display[self.tile_of(block, good)]
            and money + reais_of(self.rules.block_reward[block]) >= self.least_store_cost(seat, block)
        ]

    def officials_needed(self, seat: int, plan: str) -> int:
        """L-13.5."""
        return max(1, self.rules.plans[plan].officials - self.bonus(seat, "officials_discount"))

    def officials_there(self, seat: int) -> int:
        """In offices and courtyard (L-13.5)."""
        return sum(office[seat] for office in self.offices.values()) + self.players[seat].courtyard

    def missing_officials(self, seat: int, plan: str) -> int:
        """Those to be hired (L-13.11)."""
        return max(0, self.officials_needed(seat, plan) - self.officials_there(seat))

    def building_sites(self, seat: int, plan: str, money: int) -> list[str]:
        """Where the seat can complete a plan that it holds, with so much money (L-13.1, L-13.4, L-13.11)."""
        missing = self.missing_officials(seat, plan)
        if missing and not self.rules.switches["hiring"]:
            return []
        return [
            site
            for site in self.rules.sites
            if site not in self.built
            and missing * self.treasury_value <= money + reais_of(self.rules.site_reward[site])
        ]

    def plans_possible(self, seat: int, money: int) -> list[str]:
        """L-13.1."""
        return [
            plan
            for plan in self.players[seat].plans
            if self.stacks[self.rules.plans[plan].architect] and self.building_sites(seat, plan, money)
        ]

    # ------------------------------------------------------------------------------------------------ what can be done

    def sales(self, seat: int) -> list[str]:
        """The words of SELL, in the order of their index (L-8.4, L-8.6)."""
        return [
            f"seat{owner}:dock{dock}:{good}"
            for owner in self.clockwise(seat)
            for dock, card in enumerate(self.players[owner].top)
            if card is not None
            and card.ship
            and not card.at_sea
            and card.cargo.total() < self.rules.ships[card.id].hull
            for good in self.held(seat)
        ]

    def accepts(self, seat: int, noble: str, good: str) -> bool:
        """L-9.2."""
        return good in self.rules.accepted[noble] or self.bonus(seat, "trade_wild") > 0

    def trades(self, seat: int, done: Iterable[str] = ()) -> list[str]:
        """The words of TRADE without `stop` (L-9.1 to L-9.3)."""
        return [
            f"{action}:{good}"
            for action in STATE_ACTIONS
            if action not in done
            for good in self.held(seat)
            if self.accepts(seat, NOBLE_OF[action], good) and self.can_after_paying(seat, action, good)
        ]

    def can_after_paying(self, seat: int, action: str, good: str) -> bool:
        """L-9.3."""
        self.return_good(seat, good)
        possible = self.can_do(seat, action)
        self.return_good(seat, good, -1)
        return possible

    def can_do(self, seat: int, action: str) -> bool:
        """Whether a State action can be performed (L-9.4 to L-9.10)."""
        player, numbers = self.players[seat], self.rules.numbers
        if action == RECRUIT:
            return player.officials > 0
        if action == PLAN:
            return any(self.piles.values()) and len(player.plans) < numbers["plan_limit_per_player"]
        if action == SHIP:
            return bool(self.shipyard) and len(self.held(seat)) >= self.ship_cost(seat)
        if action == PRODUCE:
            return any(self.can_gain(seat, good) for good in self.makes(seat))
        if action == CARDINAL:
            return bool(self.cardinal_steps(seat))
        return bool(self.favors_possible(seat))

    def ship_cost(self, seat: int) -> int:
        """Different goods for the top ship of the shipyard (L-9.7)."""
        return max(0, self.rules.ships[self.shipyard[0]].cost - self.bonus(seat, "ship_goods_discount"))

    def cardinal_steps(self, seat: int) -> list[int]:
        """L-9.9."""
        most = self.rules.numbers["cardinal_max_steps"] + self.bonus(seat, "cardinal_extra_step")
        steps = range(1, min(most, MOST_STEPS) + 1)
        return [number for number in steps if self.tiles_beside((self.cardinal + number) % STATIONS)]

    def favors_possible(self, seat: int) -> list[str]:
        """L-9.10."""
        limit = self.rules.numbers["royal_favor_limit_per_noble"]
        return [noble for noble in NOBLES if self.favors[noble] and self.players[seat].favors[noble] < limit]

    def can_act(self, seat: int, action: str, money: int) -> bool:
        """Whether a Noble action can be performed with so much money (L-11.1, L-12.1, L-13.1)."""
        if action == STORE:
            return bool(self.store_sites(seat, money))
        if action == DECREE:
            return bool(self.shown_decrees())
        return bool(self.plans_possible(seat, money))

    def can_happen(self, seat: int, effect: Effect, money: int) -> bool:
        """Whether an effect can be performed at least in part (L-15.7)."""
        if effect.code == "gain_influence":
            return self.influence_shown(seat) >= 1
        if effect.code == "gain_good":
            return any(self.can_gain(seat, good) for good in GOODS if effect.fits(good))
        if effect.code == "state_action":
            return self.can_do(seat, effect.arg)
        if effect.code == "state_action_any":
            return any(self.can_do(seat, action) for action in STATE_ACTIONS)
        if effect.code == "noble_action":
            return self.can_act(seat, effect.arg, money)
        if effect.code == "gain_rubble":
            return self.pile.total() > 0
        if effect.code == "price_up":
            return any(self.can_rise(good) for good in goods_of(effect))
        return True

    def visit_cost(self, seat: int, noble: str) -> int:
        """L-10.2."""
        rivals = sum(self.offices[noble]) - self.offices[noble][seat]
        if self.bonus(seat, "ignore_rival_officials", noble):
            rivals = 0
        return max(0, self.rules.influence_cost[self.treasury] + rivals - self.bonus(seat, "visit_discount", noble))

    def ways_to_pay(self, seat: int, noble: str, cost: int, possible: Callable[[int], bool]) -> list[int]:
        """Reais that can be paid instead of influence, so that what must be done after it is possible (L-10.9).

        `possible` says whether it is, with so much money.
        """
        player = self.players[seat]
        replaceable = self.bonus(seat, "visit_reais", noble)
        most = min(cost, replaceable, player.reais, self.rules.numbers["visit_reais_max"])
        return [
            reais
            for reais in range(most + 1)
            if cost - reais <= player.influence + player.wigs  # L-10.3
            and possible(player.reais - reais + self.coins_below(max(0, player.influence - (cost - reais))))
        ]

    def ways_to_visit(self, seat: int, noble: str) -> list[int]:
        """L-10.1."""
        action = NOBLE_ACTION_OF[noble]
        return self.ways_to_pay(
            seat, noble, self.visit_cost(seat, noble), lambda money: self.can_act(seat, action, money)
        )

    def ways_to_follow(self, seat: int, noble: str, action: str) -> list[int]:
        """L-10.7: as if the tile were back on its stack."""
        cost = self.follow_cost(seat, noble)

        def possible(money: int) -> bool:
            return self.can_do(seat, action) if action in STATE_ACTIONS else self.can_act(seat, action, money)

        with self.given_back(seat, noble):
            return self.ways_to_pay(seat, noble, cost, possible)

    def follow_cost(self, seat: int, noble: str) -> int:
        """L-10.7."""
        return 0 if self.rules.switches["free_follows"] else self.visit_cost(seat, noble)

    @contextmanager
    def given_back(self, seat: int, noble: str) -> Iterator[None]:
        """As if a Royal Favor were back on its stack."""
        self.give_back(seat, noble, 1)
        yield
        self.give_back(seat, noble, -1)

    def give_back(self, seat: int, noble: str, number: int) -> None:
        self.players[seat].favors[noble] -= number
        self.favors[noble] += number

    def sponsor_cost(self, seat: int) -> int:
        """L-15.2."""
        return max(0, self.treasury_value - self.bonus(seat, "sponsor_discount"))

    def can_sponsor(self, seat: int, card: Political) -> bool:
        """L-15.2."""
        left = self.money(seat) - self.sponsor_cost(seat)
        return left >= 0 and card.event is not None and self.can_happen(seat, card.event, left)

    def modes(self, seat: int, card_id: str) -> list[str]:
        """How a hand card can be played (L-4.4)."""
        card = self.rules.cards[card_id]
        found = [GOLD_MODE]  # L-4.5
        if self.sales(seat) or self.trades(seat) or (card.bottom is not None and card.bottom.code == "gain_good"):
            found.append(PORTFOLIO_MODE)
        if self.can_sponsor(seat, card) if card.type == TREASURY else self.ways_to_visit(seat, card.type):
            found.append(COURT_MODE)
        return found

    # ------------------------------------------------------------------------------------------------------------ cubes

    def take_cube(self, seat: int, kind: str, zone: Counter[str]) -> None:
        """From a zone, a site or the pile; what has no place goes to the box (L-5.5, L-5.6)."""
        player = self.players[seat]
        before = player.sets
        zone[kind] -= 1
        if player.cubes[kind] < self.rules.numbers["max_rubble_per_kind"]:
            player.cubes[kind] += 1
        else:
            self.out[kind] += 1
        if player.sets > before and player.markers:
            player.markers -= 1
            player.portrait += 1

    # ------------------------------------------------------------------------------------------------------------ hands

    def deal(self, seat: int, cards: Sequence[str | None]) -> None:
        self.players[seat].hand.extend(cards)
        self.players[seat].dealt["blue" if self.period == 1 else "purple"] += len(cards)
        self.unseen -= {card for card in cards if card is not None}

    def leave_hand(self, seat: int, card: str) -> None:
        """Open to all: a card that was not seen before is seen now."""
        hand = self.players[seat].hand
        hand.remove(card if card in hand else None)
        if self.rules.cards[card].deck in ("blue", "purple"):
            self.players[seat].dealt[self.rules.cards[card].deck] -= 1
        self.unseen.discard(card)
        self.seen.add(card)

    def may_hold(self, seat: int, card: str) -> bool:
        hand = self.players[seat].hand
        return card in hand or (None in hand and card in self.unseen)

    # ----------------------------------------------------------------------------------------------------------- result

    def metric(self, seat: int, name: str) -> int:
        """What a decree counts ("Table notes")."""
        player, rules = self.players[seat], self.rules
        stores = self.stores(seat)
        types = [self.good_of[block] for block in stores]
        completed = [rules.plans[plan] for plan in player.completed]
        cards = [rules.cards[card.id].type for card in player.top if card is not None and not card.ship]
        found = {
            **{f"stores_{good}": types.count(good) for good in GOODS},
            "stores_total": len(stores),
            "store_types": len(set(types)),
            **{f"stores_row_{row}": sum(block[0] == row for block in stores) for row in ROWS},
            **{f"buildings_{a}": sum(plan.architect == a for plan in completed) for a in ARCHITECTS},
            "buildings_total": len(completed),
            "officials_in_buildings": self.officials_counted(seat),
            "officials_in_offices": sum(office[seat] for office in self.offices.values()),
            "officials_in_courtyard": player.courtyard,
            "ships_in_portfolio": len(player.ships),
            "ship_hull_total": self.hull(seat),
            **{f"{noble}_cards_in_portfolio": cards.count(noble) for noble in NOBLES},
            "treasury_cards_in_portfolio": sum(card is not None for card in player.bottom),
            "clergy_tiles": len(player.clergy),
            "royal_favors": player.favors.total(),
            "plans_held": len(player.plans),
            "rubble_sets": player.sets,
            "rubble_cubes": player.cubes.total(),
            "goods_total": player.goods.total(),
            "goods_full_sets": min(player.goods[good] for good in GOODS),
            "reais": player.reais,
            "influence": player.influence,
        }
        return found[name]

    def officials_counted(self, seat: int) -> int:
        """L-17.6."""
        return sum(self.rules.plans[plan].officials for plan in self.players[seat].completed)

    def hull(self, seat: int) -> int:
        return sum(self.rules.ships[card.id].hull for card in self.players[seat].ships)

    def decree_wigs(self, seat: int, decree: str) -> int:
        """L-12.5."""
        card = self.rules.decrees[decree]
        value = self.metric(seat, card.metric)
        wigs = value // card.unit * card.wigs if card.mode == "per" else card.wigs * (value >= card.unit)
        return min(wigs, card.max_wigs)

    def final_money(self, seat: int) -> int:
        """L-17.4."""
        coins = self.coins(seat) if self.rules.switches["end_count_influence_coins"] else 0
        return self.players[seat].reais + coins

    def final_parts(self) -> list[dict[str, int]]:
        """The seven parts of L-17.1 to L-17.7, by seat."""
        rules, each = self.rules, self.rules.wigs_each
        majorities = [0 for _ in self.seats]
        for good in GOODS:
            stores = [self.metric(seat, f"stores_{good}") for seat in self.seats]
            for seat, wigs in enumerate(majority(stores, rules.store_places[good])):  # L-17.3
                majorities[seat] += wigs
        officials = majority([self.officials_counted(seat) for seat in self.seats], rules.official_places)  # L-17.6
        return [
            {
                "ships": each["ships"] * self.hull(seat),  # L-17.1
                "rubble_sets": each["rubble_sets"] * player.sets,  # L-17.2
                "store_majority": majorities[seat],
                "reais": each["reais"] * (self.final_money(seat) // rules.numbers["end_reais_per_wig"]),
                "decrees": sum(self.decree_wigs(seat, decree) for decree in player.decrees),  # L-17.5
                "officials_majority": officials[seat],
                "royal_favors": each["royal_favors"] * player.favors.total(),  # L-17.7
            }
            for seat, player in enumerate(self.players)
        ]

    def parts(self) -> list[dict[str, int]]:
        """By seat as the page has them; `track` are the wigs before the final scoring."""
        return [{"track": player.wigs} | final for player, final in zip(self.players, self.final_parts(), strict=True)]

    def scores(self) -> list[int]:
        return [sum(parts.values()) for parts in self.parts()]

    def tie_break(self, seat: int) -> tuple[int, ...]:
        """L-17.9."""
        player = self.players[seat]
        return player.sets, len(self.stores(seat)), len(player.completed), self.final_money(seat)

    def winners(self) -> list[int]:
        """L-17.9."""
        rank = [(score, *self.tie_break(seat)) for seat, score in enumerate(self.scores())]
        return [seat for seat in self.seats if rank[seat] == max(rank)]

    def result(self) -> dict[str, Any]:
        winners = self.winners()
        return {
            "scores": self.scores(),
            "winners": winners,
            "win_share": [(seat in winners) / len(winners) for seat in self.seats],
            "turns": self.turns,
            "end": self.end,
            "truncated": False,
            "parts": [
                {name: player.sources[name] for name in SOURCES} | final
                for player, final in zip(self.players, self.final_parts(), strict=True)
            ],
        }


def majority(numbers: Sequence[int], places: Sequence[int]) -> list[int]:
    """The wigs of each seat: those with the same number share the places that they take together (L-17.8).

    Who has none has no place (L-17.3, L-17.6).
    """
    wigs, taken = [0 for _ in numbers], 0
    for number in sorted({number for number in numbers if number}, reverse=True):
        tied = [seat for seat, other in enumerate(numbers) if other == number]
        for seat in tied:
            wigs[seat] = sum(places[taken : taken + len(tied)]) // len(tied)
        taken += len(tied)
    return wigs


def reais_of(reward: Effect | None) -> int:
    """What a reward helps to pay (L-11.2, L-13.1)."""
    return reward.amount if reward is not None and reward.code == "gain_reais" else 0


def goods_of(effect: Effect) -> list[str]:
    """The goods of a `price_up`."""
    return [good for good in GOODS if effect.arg in ("any", "all", good)]
