"""Valletta in plain Python, written from the rules page. VT-... are ids of simcore/games/valletta/rules.md.

It is slow and obvious, and it is the judge of the kernels, with which it shares no code. Chance comes from outside: a
game is a sequence of events with the words of a replay (`fairdeal replay --json`), characters by code, goods by name:

    {"chance": "city", "buildings": [12, 3, ...]}                      ids, location 0 first; always first
    {"chance": "hand", "seat": 0, "cards": ["MAID", ...]}              of seat 0, 1, ...
    {"seat": 1, "decision": "SETUP_GOOD", "action": "stone"}           from the last seat down to 0
    {"seat": 0, "decision": "PLAY_CARD", "action": "BUILDER"}          DISMISS_CARD and HIRE_CARD likewise
    {"seat": 0, "decision": "BUILD_TARGET", "action": "loc7"}          or "no"
    {"seat": 0, "decision": "SUBSTITUTE", "action": "gold"}            or "no": done; PICK_GOOD likewise
    {"seat": 0, "decision": "SUBSTITUTE_PAY", "action": "wood"}        GIVE_GOOD likewise
    {"seat": 0, "decision": "USE_EFFECT", "action": "yes"}             or "no"
    {"seat": 0, "decision": "JEAN_MODE", "action": "hire"}             or "dismiss" or "no"
    {"chance": "barrel", "space": 1, "good": "brick"}
    {"chance": "draw", "seat": 0, "card": "MAID"}                      at the end of a turn, card by card
    {"final_phase": 0}                                                 the moment in which that seat triggers it
    {"turn_end": 0, "points": [3, 0]}                                  with the points from play of each seat

`Table` is what lies open, with the hands that the one who looks can see; `Match` is a game that is fed with events.
What one seat sees and knows stands in valletta_seen.py. An event that the rules do not allow raises `BrokenRule`.
The course of a game is written as generators: each `yield` is the place where something must come from outside, a
decision (`Question`) or an event (`Happening`).
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

GOODS = ("gold", "wood", "stone", "brick")
GOLD, WOOD, STONE, BRICK = range(4)
ALL_GOODS = range(4)
MATERIALS = range(WOOD, BRICK + 1)
COLOURS = ("green", "blue", "yellow")
BASIC, UPGRADED = 0, 1
NOBODY = -1
YES, NO = "yes", "no"
DISMISS, HIRE = "dismiss", "hire"

SETUP_GOOD, PLAY_CARD, USE_EFFECT, PICK_GOOD = "SETUP_GOOD", "PLAY_CARD", "USE_EFFECT", "PICK_GOOD"
BUILD_TARGET, SUBSTITUTE, SUBSTITUTE_PAY = "BUILD_TARGET", "SUBSTITUTE", "SUBSTITUTE_PAY"
JEAN_MODE, DISMISS_CARD, HIRE_CARD, GIVE_GOOD = "JEAN_MODE", "DISMISS_CARD", "HIRE_CARD", "GIVE_GOOD"
CITY, HAND, BARREL, DRAW, FINAL_PHASE, TURN_END = "city", "hand", "barrel", "draw", "final_phase", "turn_end"

# Where points come from, in the order in which results list them.
PARTS = (*COLOURS, "upgrades", "area", "paid", "counted", "fixed", "goods")

Event = Mapping[str, Any]
Goods = tuple[int, int, int, int]  # how many of each


class BrokenRule(Exception):
    """An event that cannot happen in this place."""


def demand(condition: bool, what: str) -> None:
    if not condition:
        raise BrokenRule(what)


class Question(NamedTuple):
    """A decision that must come next. Options None: the characters in the hand of the seat, which others do not see."""

    seat: int
    decision: str
    options: tuple[str, ...] | None


class Happening(NamedTuple):
    """An event that must come next, and whom it concerns (0 for the city and a barrel)."""

    name: str
    seat: int = 0


Answer = TypeVar("Answer")
Expected = Question | Happening
# A part of a game: it is sent the word of each decision, and the content of each event.
Steps = Generator[Expected, Any, Answer]


class Character(NamedTuple):
    """A character of the table: what its effect is and with which numbers (sections 8 to 11)."""

    code: str
    effect: str
    good: int
    n: int
    discount: Goods
    pay: Goods
    points: int
    copyable: bool
    start_copies: int
    supply_copies: int


class Building(NamedTuple):
    """A building of the table; pairs hold the basic and the upgraded side (VT-1.2)."""

    id: int
    colour: str
    cost: Goods
    icon: int
    icons: tuple[int, int]
    points: tuple[int, int]
    character: str


@dataclass(frozen=True)
class Rules:
    """A card set for a number of seats."""

    seats: int
    characters: tuple[Character, ...]
    buildings: tuple[Building, ...]
    barrels: tuple[int, ...]  # the good of each
    drawn: Mapping[str, int]  # buildings of each colour in the city
    columns: int
    hand_size: int
    plays: int
    houses: int
    start: Goods
    extra_good: bool
    pieces: Goods
    trigger_points: int
    goods_per_point: int
    area_bonus: int
    area_spaces: int
    turn_cap: int
    rate: int
    gold_fills: bool
    copies_declined: bool
    chain: bool
    passing: bool
    mendicant_holding: int
    host_holding: int
    collector_holding: int
    nun_others: int
    trader_pays: int

    @classmethod
    def of(cls, scalars: Mapping[str, Any], tables: Mapping[str, Iterable[Mapping[str, Any]]], seats: int) -> "Rules":
        """From the values of rules.toml and the rows of the four tables."""
        row = next(row for row in tables["setup"] if row["players"] == seats)
        names = ("mendicant_holding", "host_holding", "collector_holding", "nun_others", "trader_pays")
        return cls(
            seats,
            tuple(_character(character) for character in tables["characters"]),
            tuple(_building(building) for building in tables["buildings"]),
            tuple(GOODS.index(barrel["good"]) for barrel in tables["barrels"]),
            drawn={colour: row[colour] for colour in COLOURS},
            columns=row["columns"],
            hand_size=row["hand_size"],
            plays=row["plays_per_turn"],
            houses=row["houses"],
            start=_goods(row, "start"),
            extra_good=row["extra_goods"] > 0,
            pieces=_goods(row, "pieces"),
            trigger_points=row["trigger_points"],
            goods_per_point=row["goods_per_point"],
            area_bonus=row["area_bonus"],
            area_spaces=scalars["area_spaces"],
            turn_cap=scalars["turn_cap"],
            rate=scalars["substitution_rate"],
            gold_fills=scalars["gold_fills"] == "yes",
            copies_declined=scalars["copies_declined"] == "yes",
            chain=scalars["apprentice_chain"] == "yes",
            passing=scalars["passing_triggers"] == "yes",
            **{name: scalars[name] for name in names},
        )

    @cached_property
    def character(self) -> dict[str, Character]:
        return {character.code: character for character in self.characters}

    @cached_property
    def building(self) -> dict[int, Building]:
        return {building.id: building for building in self.buildings}

    @cached_property
    def starting_set(self) -> Counter[str]:
        """The cards of each seat at the start (VT-3.5)."""
        return +Counter({character.code: character.start_copies for character in self.characters})

    @cached_property
    def locations(self) -> range:
        """VT-2.2, VT-2.3."""
        return range(sum(self.drawn.values()))

    @cached_property
    def adjacent(self) -> list[list[int]]:
        """The locations beside each: same side of the street, same row or same column (VT-2.1, VT-2.2, VT-2.4)."""
        return [[j for j in self.locations if self._distance(i, j) == 1] for i in self.locations]

    def _distance(self, i: int, j: int) -> int:
        """Steps between two locations of one side of the street; far if they are on different sides."""
        (row, column), (other_row, other_column) = divmod(i, self.columns), divmod(j, self.columns)
        if row % 2 != other_row % 2:
            return len(self.locations)
        return abs(row // 2 - other_row // 2) + abs(column - other_column)

    def in_area(self, place: int, space: int) -> bool:
        """Whether a location lies in the area of a space of the street; the tower, 0, has none (VT-2.5, VT-2.6)."""
        return space >= 1 and (space - 1) // self.area_spaces == place % self.columns

    def in_order(self, codes: Iterable[str]) -> tuple[str, ...]:
        """Characters, each once, as they stand in the table."""
        present = set(codes)
        return tuple(character.code for character in self.characters if character.code in present)

    def may_fill(self, good: int) -> bool:
        """Whether a good may be paid for a substituted item of another kind (VT-7.11)."""
        return good != GOLD or self.gold_fills

    def payable(self, cost: Sequence[int], held: Sequence[int], substituted: Sequence[int]) -> bool:
        """Whether a payment with these substitutions is legal (VT-7.12)."""
        if any(held[good] < cost[good] - substituted[good] for good in ALL_GOODS):
            return False
        spare = sum(held[good] - cost[good] for good in ALL_GOODS if not substituted[good] and self.may_fill(good))
        return spare >= self.rate * sum(substituted)


def _character(row: Mapping[str, Any]) -> Character:
    return Character(
        row["code"],
        row["effect"],
        GOODS.index(row["good"]) if row["good"] else NOBODY,
        row["n"],
        (0, row["discount_wood"], row["discount_stone"], row["discount_brick"]),
        _goods(row, "pay"),
        row["points"],
        bool(row["copyable_by_apprentice"]),
        row["start_copies_per_player"],
        row["supply_copies"],
    )


def _building(row: Mapping[str, Any]) -> Building:
    return Building(
        row["building_id"],
        row["colour"],
        _goods(row, "cost"),
        GOODS.index(row["icon_good"]),
        (row["icons_basic"], row["icons_upgraded"]),
        (row["points_basic"], row["points_upgraded"]),
        row["character_code"],
    )


def _goods(row: Mapping[str, Any], what: str) -> Goods:
    gold, wood, stone, brick = (row[f"{what}_{good}"] for good in GOODS)
    return gold, wood, stone, brick


class Table:
    """Everything that all players see, and of the hands what the one sees whose table this is.

    `hands` holds a hand by seat, None where it is hidden; nothing else here is hidden from anybody (VT-15.1, VT-6.7).
    `known` are cards that everybody can tell to be in a hand: taken into it in the open, or all that a player owns and
    that lies nowhere else when the draw pile is empty (VT-15.2). `expects` is what must come next, None at the end.
    What stands from `resolving` on belongs to the effect that is carried out and is as here between two effects.
    """

    def __init__(self, rules: Rules, sees: Iterable[int]) -> None:
        seen = set(sees)
        self.rules = rules
        self.seats = range(rules.seats)
        self.expects: Expected | None = None
        self.hands: list[Counter[str] | None] = [Counter() if seat in seen else None for seat in self.seats]
        self.city: list[Building] = []  # by location
        self.owner: list[int] = []  # by location
        self.upgraded: list[bool] = []  # by location
        self.goods = [[0, 0, 0, 0] for _ in self.seats]
        self.supply = list(rules.pieces)
        self.aside: set[int] = set()  # of these goods one in the supply is set aside (VT-3.11)
        self.points = [0 for _ in self.seats]  # from play (VT-3.7)
        self.gained = [Counter[str]() for _ in self.seats]  # the same, by part
        self.houses = [rules.houses for _ in self.seats]  # VT-3.7
        self.jean = 0  # VT-3.9
        self.turned = [0, 0, 0, 0]  # barrels of each good
        self.owned = [Counter(rules.starting_set) for _ in self.seats]  # wherever they are
        self.hand_sizes = [0 for _ in self.seats]
        self.deck_sizes = [rules.starting_set.total() for _ in self.seats]
        self.discard = [Counter[str]() for _ in self.seats]
        self.known = [Counter[str]() for _ in self.seats]
        self.piles = [1 for _ in self.seats]  # draw piles formed
        self.pool = +Counter({character.code: character.supply_copies for character in rules.characters})  # VT-3.6
        self.turns = 0
        self.active = NOBODY
        self.slots: list[str] = []
        self.previous: Character | None = None  # what an Apprentice would copy
        self.triggered = NOBODY
        self.end = ""
        self.final = False
        self.is_over = False
        self._settle()

    def _settle(self) -> None:
        self.resolving: Character | None = None
        self.picks = 0
        self.victims: list[int] = []
        self.gifts = 0
        self.extra = False
        self.targets: list[int] = []
        self.target = NOBODY
        self.cost: Goods = (0, 0, 0, 0)
        self.substituted = [0, 0, 0, 0]
        self.last = GOLD
        self.fillers = 0

    def resolve(self, card: Character | None) -> None:
        """The effect of a card begins, or one is over."""
        self._settle()
        self.resolving = card

    # ------------------------------------------------------------------------------------------------------- looking

    def others(self, seat: int) -> list[int]:
        """All other seats, clockwise from the left neighbour (VT-10.1, VT-10.9)."""
        return [(seat + step) % len(self.seats) for step in range(1, len(self.seats))]

    def own(self, seat: int) -> list[int]:
        """The locations with a house of the seat."""
        return [place for place, owner in enumerate(self.owner) if owner == seat]

    def coloured(self, seat: int, colour: str) -> int:
        """Own buildings of a colour, upgraded or not."""
        return sum(self.city[place].colour == colour for place in self.own(seat))

    def icons(self, seat: int, good: int) -> int:
        """Icons of a good on the sides of the own buildings that are up, of every colour (VT-9.1)."""
        buildings = ((self.city[place], self.upgraded[place]) for place in self.own(seat))
        return sum(building.icons[side] for building, side in buildings if building.icon == good)

    def printed(self, seat: int) -> int:
        """Printed points of the own buildings, of the sides that are up (VT-14.1)."""
        return sum(self.city[place].points[self.upgraded[place]] for place in self.own(seat))

    def unseen(self, seat: int) -> Counter[str]:
        """Hand and draw pile of a seat together: what it owns and what does not lie open (VT-15.2)."""
        rest = self.owned[seat] - self.discard[seat]
        return rest - Counter(self.slots) if seat == self.active else rest

    def deck(self, seat: int) -> Counter[str]:
        """The draw pile of a seat whose hand is seen (VT-5.5)."""
        return self.unseen(seat) - (self.hands[seat] or Counter())

    def reduced_cost(self, seat: int, place: int, discount: Goods) -> Goods:
        """What it costs to build at a location, or to upgrade there; reductions come first (VT-7.3, VT-7.5, VT-7.8)."""
        cost = self.city[place].cost
        materials = [max(0, cost[good] - discount[good]) for good in MATERIALS]  # VT-7.7
        if self.owner[place] == seat:
            return (0, *materials)  # type: ignore[return-value]  # three materials
        houses = sum(self.owner[near] == seat for near in self.rules.adjacent[place])
        return (max(0, cost[GOLD] - houses), *materials)  # type: ignore[return-value]  # VT-7.6

    def affordable(self, seat: int, cost: Goods) -> bool:
        """VT-7.13."""
        return self.rules.payable(cost, self.goods[seat], self.missing(seat, cost))

    def missing(self, seat: int, cost: Goods) -> list[int]:
        """The substitutions that nobody can avoid."""
        return [max(0, cost[good] - self.goods[seat][good]) for good in ALL_GOODS]

    def eligible(self, seat: int, place: int) -> bool:
        """Whether the seat may build or upgrade there, if it can pay (VT-7.2, VT-7.4, VT-7.17)."""
        if self.owner[place] == NOBODY:
            return self.houses[seat] > 0
        return self.owner[place] == seat and not self.upgraded[place]

    # --------------------------------------------------------------------------------------------------------- goods

    def take(self, seat: int, good: int, number: int) -> None:
        """From the supply; what is not there is lost (VT-6.1, VT-6.4)."""
        taken = min(number, self.supply[good])
        self.supply[good] -= taken
        self.goods[seat][good] += taken

    def pay(self, seat: int, good: int, number: int) -> None:
        """To the supply (VT-6.1, VT-7.9)."""
        self.goods[seat][good] -= number
        self.supply[good] += number

    def give(self, giver: int, receiver: int, good: int, number: int) -> None:
        """From one player to another."""
        self.goods[giver][good] -= number
        self.goods[receiver][good] += number

    # --------------------------------------------------------------------------------------------------------- cards

    def hand_over(self, seat: int, code: str) -> None:
        """A card that all see comes into a hand at once (VT-4.7)."""
        self.hand_sizes[seat] += 1
        self.owned[seat][code] += 1
        self.known[seat][code] += 1
        self._to_hand(seat, code)

    def leave_hand(self, seat: int, code: str) -> None:
        """A card leaves a hand, open to all."""
        self.hand_sizes[seat] -= 1
        if self.known[seat][code]:
            self.known[seat] -= Counter([code])
        hand = self.hands[seat]
        if hand is not None:
            self.hands[seat] = hand - Counter([code])

    def draw(self, seat: int, codes: Sequence[str | None]) -> None:
        """Cards from the draw pile; None stands for one that the one who looks does not see."""
        self.hand_sizes[seat] += len(codes)
        self.deck_sizes[seat] -= len(codes)
        for code in codes:
            if code is not None:
                self._to_hand(seat, code)

    def _to_hand(self, seat: int, code: str) -> None:
        hand = self.hands[seat]
        if hand is not None:
            hand[code] += 1

    def learn(self, seat: int) -> None:
        """With an empty draw pile all that does not lie open is in the hand."""
        if not self.deck_sizes[seat]:
            self.known[seat] = self.unseen(seat)

    # --------------------------------------------------------------------------------------------------------- result

    def parts(self, seat: int) -> dict[str, int]:
        """The points of a seat at the end, by where they come from (VT-14.1 to VT-14.3)."""
        found = dict.fromkeys(PARTS, 0) | self.gained[seat]
        for place in self.own(seat):
            building = self.city[place]
            found[building.colour] += building.points[BASIC]
            found["upgrades"] += building.points[self.upgraded[place]] - building.points[BASIC]
        found["goods"] = sum(self.goods[seat]) // self.rules.goods_per_point
        return found

    def scores(self) -> list[int]:
        """VT-14.3."""
        goods = [sum(held) // self.rules.goods_per_point for held in self.goods]  # VT-14.2
        return [self.points[seat] + self.printed(seat) + goods[seat] for seat in self.seats]

    def winners(self) -> list[int]:
        """By the score, then by the houses built; then they share (VT-14.4)."""
        rank = [(score, len(self.own(seat))) for seat, score in enumerate(self.scores())]
        return [seat for seat in self.seats if rank[seat] == max(rank)]

    def result(self) -> dict[str, Any]:
        winners = self.winners()
        return {
            "scores": self.scores(),
            "winners": winners,
            "win_share": [(seat in winners) / len(winners) for seat in self.seats],
            "turns": self.turns,
            "end": self.end,
            "truncated": self.end == "cap",
            "parts": [self.parts(seat) for seat in self.seats],
        }


# ------------------------------------------------------------------------------------------------- the course of a game


def game(table: Table) -> Steps[None]:
    """A whole game. Seat 0 begins (VT-3.10)."""
    yield from set_up(table)
    yield from play(table, 0)


def set_up(table: Table) -> Steps[None]:
    """Section 3. The barrels lie face down (VT-3.1)."""
    rules = table.rules
    event = yield Happening(CITY)
    table.city = [rules.building[number] for number in event["buildings"]]  # VT-3.3
    table.owner = [NOBODY for _ in table.city]
    table.upgraded = [False for _ in table.city]
    for seat in table.seats:
        event = yield Happening(HAND, seat)
        table.draw(seat, event.get("cards", [None] * opening(table)))  # VT-3.5
        table.learn(seat)
        for good in ALL_GOODS:
            table.take(seat, good, rules.start[good])  # VT-3.8
    if rules.extra_good:
        table.aside = set(ALL_GOODS)
        for seat in reversed(table.seats):  # VT-3.11; with the hands dealt: VT-3.12
            word = yield Question(seat, SETUP_GOOD, words_of(sorted(table.aside)))
            good = GOODS.index(word)
            table.aside.remove(good)
            table.take(seat, good, 1)
        table.aside = set()


def opening(table: Table) -> int:
    """Cards of a first hand."""
    return min(table.rules.hand_size, table.rules.starting_set.total())


def play(table: Table, seat: int) -> Steps[None]:
    """All turns from one of this seat on (VT-4.1, VT-13.10)."""
    while any(table.hand_sizes):
        if table.hand_sizes[seat]:  # VT-13.8
            yield from turn(table, seat)
            if not table.final:
                yield from look_at_the_end(table, seat)
        seat = table.others(seat)[0]
    table.is_over = True


def turn(table: Table, seat: int) -> Steps[None]:
    """VT-4.2 to VT-4.9, and the pseudo-code of section 15.6."""
    table.active = seat
    while len(table.slots) < table.rules.plays and table.hand_sizes[seat]:  # VT-4.2; VT-4.6, VT-13.7
        code = yield Question(seat, PLAY_CARD, None)
        table.leave_hand(seat, code)
        table.slots.append(code)  # VT-4.3
        yield from resolve(table, seat, table.rules.character[code])
    table.discard[seat].update(table.slots)  # VT-4.8, before cards are drawn: VT-5.2
    table.slots = []
    table.previous = None
    yield from draw(table, seat)
    table.turns += 1
    yield Happening(TURN_END, seat)


def draw(table: Table, seat: int) -> Steps[None]:
    """Up to the size of a hand (VT-4.8, VT-4.9)."""
    while table.hand_sizes[seat] < table.rules.hand_size:
        if not table.deck_sizes[seat]:
            if table.final or not table.discard[seat]:  # VT-5.4, VT-13.5; VT-5.3, VT-8.26
                break
            table.learn(seat)
            form_draw_pile(table, seat)  # VT-5.1
        event = yield Happening(DRAW, seat)
        table.draw(seat, [event.get("card")])
    table.learn(seat)


def form_draw_pile(table: Table, seat: int) -> None:
    """The discard pile and what is left of the draw pile are shuffled together."""
    table.deck_sizes[seat] += table.discard[seat].total()
    table.discard[seat] = Counter()
    table.piles[seat] += 1


def look_at_the_end(table: Table, seat: int) -> Steps[None]:
    """After a turn of the normal phase (VT-4.10)."""
    if table.triggered == NOBODY and table.turns == table.rules.turn_cap * len(table.seats):  # VT-13.11
        yield from trigger(table, seat, "cap")
    if table.triggered != NOBODY:  # VT-13.3
        table.final = True
        for other in table.seats:
            form_draw_pile(table, other)  # VT-13.4


def trigger(table: Table, seat: int, how: str) -> Steps[None]:
    """The final phase is triggered; later triggers have no effect (VT-13.1, VT-13.9)."""
    if table.triggered == NOBODY:
        table.triggered, table.end = seat, how
        yield Happening(FINAL_PHASE, seat)


def score(table: Table, seat: int, points: int, part: str) -> Steps[None]:
    """Points from play, at once (VT-12.1 to VT-12.4)."""
    table.points[seat] += points
    table.gained[seat][part] += points
    total, aim = table.points[seat], table.rules.trigger_points
    if points and (total >= aim if table.rules.passing else total == aim):  # VT-13.2
        yield from trigger(table, seat, "points")


def resolve(table: Table, seat: int, card: Character) -> Steps[None]:
    """The effect of the card that has just been played, and what an Apprentice after it would copy (VT-8.13)."""
    rules, previous = table.rules, table.previous
    if card.effect == "COPY_PREVIOUS":
        carried_out = previous  # VT-8.7, VT-8.8
        copied_next = previous if rules.chain else None  # VT-8.12
    else:
        carried_out = card
        copied_next = card if card.copyable else None
    declined = False
    if carried_out is not None:
        table.resolve(carried_out)
        declined = yield from EFFECTS[carried_out.effect](table, seat, carried_out)
        table.resolve(None)
    table.previous = None if declined and not rules.copies_declined else copied_next  # VT-8.9


# ------------------------------------------------------------------------------------------------------------ questions


def words_of(goods: Iterable[int]) -> tuple[str, ...]:
    return tuple(GOODS[good] for good in goods)


def wanted(seat: int) -> Steps[bool]:
    """Whether an effect is used, in full (VT-4.4, VT-4.5, VT-15.5)."""
    word = yield Question(seat, USE_EFFECT, (NO, YES))
    return bool(word == YES)


def pick(table: Table, seat: int, goods: Iterable[int], optional: bool = True) -> Steps[int | None]:
    """One of these goods, None for a declined effect (VT-15.5)."""
    word = yield Question(seat, PICK_GOOD, (*words_of(goods), NO) if optional else words_of(goods))
    return None if word == NO else GOODS.index(word)


def picks(table: Table, seat: int, number: int, kinds: Iterable[int]) -> Steps[bool]:
    """So many goods of these kinds from the supply, one by one. Only the first can be declined: whether it was."""
    for left in range(number, 0, -1):
        there = [good for good in kinds if table.supply[good]]  # VT-6.5
        if not there:
            break
        table.picks = left
        good = yield from pick(table, seat, there, optional=left == number)
        if good is None:
            return True
        table.take(seat, good, 1)
    return False


# -------------------------------------------------------------------------------------------------------------- effects
# Each is a part of a game that returns whether the player declined the effect. An effect that can change nothing is
# skipped without a question (VT-15.4), which is no declining.


def gain(table: Table, seat: int, good: int, number: int) -> Steps[bool]:
    """A fixed good from the supply."""
    if not min(number, table.supply[good]):
        return False
    if not (yield from wanted(seat)):
        return True
    table.take(seat, good, number)
    return False


def gain_fixed(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Shopkeeper, Lumberjack, Stone Sculptor, Brick Worker (VT-8.1 to VT-8.4)."""
    return (yield from gain(table, seat, card.good, card.n))


def gain_choice(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Maid (VT-8.5), Seamstress (VT-10.10)."""
    return (yield from picks(table, seat, card.n, ALL_GOODS))


def gain_icons(table: Table, seat: int, card: Character) -> Steps[bool]:
    """The green characters (VT-9.2, VT-9.3); icons as they are now, also for a copy (VT-8.11)."""
    return (yield from gain(table, seat, card.good, table.icons(seat, card.good)))


def gain_per_green(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Treasurer (VT-10.8)."""
    return (yield from gain(table, seat, card.good, table.coloured(seat, "green")))


def gain_icons_choice(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Foreman (VT-10.11). He may choose a good that no own building shows."""
    there = [good for good in ALL_GOODS if table.supply[good]]
    if not any(table.icons(seat, good) for good in there):
        return False
    table.picks = 1
    good = yield from pick(table, seat, there)
    if good is None:
        return True
    table.take(seat, good, table.icons(seat, good))
    return False


def nun(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Nun (VT-10.9)."""
    there = [good for good in ALL_GOODS if table.supply[good]]
    if not there or not (card.n or table.rules.nun_others):
        return False
    table.picks = 1
    good = yield from pick(table, seat, there)
    if good is None:
        return True
    table.take(seat, good, card.n)
    for other in table.others(seat):
        table.take(other, good, table.rules.nun_others)
    return False


def trader(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Trader (VT-10.6). He is asked even when nothing is left to take, since he pays."""
    price = table.rules.trader_pays
    payable = [good for good in MATERIALS if table.goods[seat][good] >= price]
    if not payable:
        return False
    table.picks = 1
    good = yield from pick(table, seat, payable)
    if good is None:
        return True
    table.pay(seat, good, price)  # before he takes: VT-10.15
    table.take(seat, card.good, card.n)
    return False


def merchant(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Merchant (VT-10.7)."""
    takes = card.n and any(table.supply[good] for good in MATERIALS)
    if not (any(card.pay) or takes) or not can_pay(table, seat, card):
        return False
    if not (yield from wanted(seat)):
        return True
    pay_exactly(table, seat, card)
    for good in MATERIALS:
        table.take(seat, good, card.n)  # VT-10.15
    return False


def can_pay(table: Table, seat: int, card: Character) -> bool:
    """Exactly, without substitution (VT-11.8)."""
    return all(table.goods[seat][good] >= card.pay[good] for good in ALL_GOODS)


def pay_exactly(table: Table, seat: int, card: Character) -> None:
    for good in ALL_GOODS:
        table.pay(seat, good, card.pay[good])


def mendicant(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Mendicant (VT-10.1, VT-10.2, VT-10.14)."""
    holding = table.rules.mendicant_holding
    victims = [other for other in table.others(seat) if sum(table.goods[other]) >= holding] if card.n else []
    if victims:
        table.victims = victims
        if not (yield from wanted(seat)):
            return True
        while table.victims:
            yield from give_goods(table, table.victims[0], seat, card.n)
            table.victims = table.victims[1:]
    return (yield from extra(table, picks(table, seat, card.n, ALL_GOODS)))


def give_goods(table: Table, giver: int, receiver: int, number: int) -> Steps[None]:
    """Goods of the giver's choice, one by one."""
    for left in range(number, 0, -1):
        held = [good for good in ALL_GOODS if table.goods[giver][good]]
        if not held:
            break
        table.gifts = left
        word = yield Question(giver, GIVE_GOOD, words_of(held))
        table.give(giver, receiver, GOODS.index(word), 1)
    table.gifts = 0


def extra(table: Table, part: Steps[bool]) -> Steps[bool]:
    """What two players may do besides (VT-10.2, VT-10.12, VT-10.13). Declining it does not decline the card."""
    if len(table.seats) == 2:
        table.extra = True
        yield from part
    return False


def host(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Host (VT-10.12)."""
    holding, good = table.rules.host_holding, card.good
    victims = [other for other in table.others(seat) if table.goods[other][good] >= holding] if card.n else []
    if victims:
        table.victims = victims
        if not (yield from wanted(seat)):
            return True
        for other in victims:
            table.give(other, seat, good, min(card.n, table.goods[other][good]))
        table.victims = []
    return (yield from extra(table, gain(table, seat, good, card.n)))


def tax_collector(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Tax Collector (VT-10.13), each material separately."""
    holding = table.rules.collector_holding
    pairs = [(other, good) for other in table.others(seat) for good in MATERIALS]
    dues = [(other, good) for other, good in pairs if table.goods[other][good] >= holding] if card.n else []
    if dues:
        table.victims = [other for other in table.others(seat) if other in dict(dues)]
        if not (yield from wanted(seat)):
            return True
        for other, good in dues:
            table.give(other, seat, good, min(card.n, table.goods[other][good]))
        table.victims = []
    return (yield from extra(table, picks(table, seat, card.n, MATERIALS)))


def pay_choice_for_points(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Laparelli (VT-11.1)."""
    payable = [good for good in MATERIALS if table.goods[seat][good] >= card.n]
    if not payable or not (card.n or card.points):
        return False
    table.picks = 1
    good = yield from pick(table, seat, payable)
    if good is None:
        return True
    table.pay(seat, good, card.n)
    yield from score(table, seat, card.points, "paid")
    return False


def pay_for_points(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Grand Bailiff (VT-11.2), Del Monte (VT-11.3)."""
    if not (any(card.pay) or card.points) or not can_pay(table, seat, card):
        return False
    if not (yield from wanted(seat)):
        return True
    pay_exactly(table, seat, card)
    yield from score(table, seat, card.points, "paid")
    return False


def points_for(table: Table, seat: int, points: int, part: str) -> Steps[bool]:
    if not points:
        return False
    if not (yield from wanted(seat)):
        return True
    yield from score(table, seat, points, part)
    return False


def points_per_blue(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Karl V (VT-11.4)."""
    return (yield from points_for(table, seat, card.points * table.coloured(seat, "blue"), "counted"))


def points_per_green(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Philip II (VT-11.5)."""
    return (yield from points_for(table, seat, card.points * table.coloured(seat, "green"), "counted"))


def points_per_upgraded(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Pius V (VT-11.6)."""
    upgraded = sum(table.upgraded[place] for place in table.own(seat))
    return (yield from points_for(table, seat, card.points * upgraded, "counted"))


def points_fixed(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Rekuk (VT-11.7)."""
    return (yield from points_for(table, seat, card.points, "fixed"))


def jean(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Jean (VT-8.20): first his step, then the choice. He is never declined, since he always moves (VT-4.4)."""
    if table.jean < len(table.rules.barrels):  # VT-8.21
        table.jean += 1
        event = yield Happening(BARREL)
        good = GOODS.index(event["good"])
        table.turned[good] += 1
        table.supply[good] += 1  # VT-6.2, VT-6.3
        if table.jean == len(table.rules.barrels):
            yield from trigger(table, seat, "jean")  # VT-8.27
        table.take(seat, good, 1)
    choices = (*([DISMISS] if table.hand_sizes[seat] else []), *([HIRE] if table.pool else []))
    mode = (yield Question(seat, JEAN_MODE, (*choices, NO))) if choices else NO  # VT-8.22
    if mode == DISMISS:  # VT-8.23
        code = yield Question(seat, DISMISS_CARD, None)
        table.leave_hand(seat, code)
        table.owned[seat] -= Counter([code])
        table.pool[code] += 1
    elif mode == HIRE:  # VT-8.24
        code = yield Question(seat, HIRE_CARD, table.rules.in_order(table.pool))
        table.pool -= Counter([code])
        table.hand_over(seat, code)
    return False


def build(table: Table, seat: int, card: Character) -> Steps[bool]:
    """Builder (VT-8.6, VT-8.10), Bricklayer, Stone Mason, Carpenter (VT-10.3 to VT-10.5): section 7."""
    targets = [
        place
        for place in table.rules.locations
        if table.eligible(seat, place) and table.affordable(seat, table.reduced_cost(seat, place, card.discount))
    ]
    if not targets:
        return False
    table.targets = targets
    word = yield Question(seat, BUILD_TARGET, (*(f"loc{place}" for place in targets), NO))  # VT-7.1
    table.targets = []
    if word == NO:
        return True
    place = int(word.removeprefix("loc"))
    table.target, table.cost = place, table.reduced_cost(seat, place, card.discount)
    yield from choose_substitutions(table, seat)
    yield from pay_for_it(table, seat)
    if table.owner[place] == NOBODY:
        table.hand_over(seat, table.city[place].character)  # VT-7.14; VT-3.4: the card lay on the building
        table.owner[place] = seat  # VT-7.18
        table.houses[seat] -= 1
        if not table.houses[seat]:
            yield from trigger(table, seat, "houses")  # VT-7.17
    else:
        table.upgraded[place] = True  # VT-7.15
    if table.rules.in_area(place, table.jean):
        yield from score(table, seat, table.rules.area_bonus, "area")  # VT-7.16
    return False


def choose_substitutions(table: Table, seat: int) -> Steps[None]:
    """Items that are not paid themselves (VT-7.10, VT-7.12, and the first loop of section 15.7)."""
    cost, held = table.cost, table.goods[seat]
    table.substituted = table.missing(seat, cost)
    while True:
        more = [good for good in range(table.last, len(GOODS)) if table.substituted[good] < cost[good]]
        legal = [good for good in more if table.rules.payable(cost, held, plus_one(table.substituted, good))]
        word = yield Question(seat, SUBSTITUTE, (*words_of(legal), NO))
        if word == NO:
            return
        table.last = GOODS.index(word)
        table.substituted = plus_one(table.substituted, table.last)


def plus_one(numbers: Sequence[int], place: int) -> list[int]:
    return [number + (i == place) for i, number in enumerate(numbers)]


def pay_for_it(table: Table, seat: int) -> Steps[None]:
    """What is paid directly, then the goods for substituted items (VT-7.9 to VT-7.11, the second loop of 15.7)."""
    held, substituted = table.goods[seat], table.substituted
    for good in ALL_GOODS:
        table.pay(seat, good, table.cost[good] - substituted[good])
    table.fillers = table.rules.rate * sum(substituted)
    table.last = GOLD
    allowed = [good for good in ALL_GOODS if not substituted[good] and table.rules.may_fill(good)]
    while table.fillers:
        rest = [good for good in allowed if good >= table.last]
        # A later good has fewer goods after it, so that the rest could not be paid any more.
        enough = [good for good in rest if held[good] and sum(held[o] for o in rest if o >= good) >= table.fillers]
        word = yield Question(seat, SUBSTITUTE_PAY, words_of(enough))
        table.last = GOODS.index(word)
        table.pay(seat, table.last, 1)
        table.fillers -= 1


EFFECTS: dict[str, Callable[[Table, int, Character], Steps[bool]]] = {
    "GAIN_FIXED": gain_fixed,
    "GAIN_CHOICE": gain_choice,
    "BUILD": build,
    "JEAN": jean,
    "GAIN_ICONS": gain_icons,
    "MENDICANT": mendicant,
    "TRADER": trader,
    "MERCHANT": merchant,
    "GAIN_PER_GREEN": gain_per_green,
    "NUN": nun,
    "GAIN_ICONS_CHOICE": gain_icons_choice,
    "HOST": host,
    "TAX_COLLECTOR": tax_collector,
    "PAY_CHOICE_FOR_POINTS": pay_choice_for_points,
    "PAY_FOR_POINTS": pay_for_points,
    "POINTS_PER_BLUE": points_per_blue,
    "POINTS_PER_GREEN": points_per_green,
    "POINTS_PER_UPGRADED": points_per_upgraded,
    "POINTS_FIXED": points_fixed,
}


# -------------------------------------------------------------------------------------------------------------- a match


class Match:
    """A game that goes on event by event. `sees` are the seats whose hands are seen, all of them unless told."""

    def __init__(self, rules: Rules, sees: Iterable[int] | None = None) -> None:
        self.rules = rules
        self.table = Table(rules, range(rules.seats) if sees is None else sees)
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
        """The legal actions of the seat to decide in words, all different; None where its hand is not seen.

        Goods, locations and characters in the order of the tables, `no` before `yes` and after everything else.
        """
        question = self.question
        if question is None:
            return ()
        if question.options is not None:
            return question.options
        hand = self.table.hands[question.seat]
        return None if hand is None else self.rules.in_order(hand)

    def apply(self, event: Event) -> None:
        """The next event. What it says besides is checked: options, points. Raises BrokenRule."""
        expected = self.table.expects
        demand(expected is not None, "the game is over")
        if isinstance(expected, Question):
            self._check_decision(expected, event)
            self._go_on(event["action"])
        elif isinstance(expected, Happening):
            CHECKS[expected.name](self.table, expected.seat, event)
            self._go_on(event)

    def _check_decision(self, question: Question, event: Event) -> None:
        demand("decision" in event, f"seat {question.seat} decides now ({question.decision})")
        demand(event["seat"] == question.seat, f"it is seat {question.seat} that decides")
        demand(event["decision"] == question.decision, f"the decision is {question.decision}")
        options = self.options()
        if options is None:
            demand(self.table.unseen(question.seat)[event["action"]] > 0, "no such card can be in this hand")
            return
        if "options" in event:
            demand(sorted(event["options"]) == sorted(options), f"the legal options are {options}")
        if "forced" in event:
            demand(event["forced"] == (len(options) == 1), f"there are {len(options)} options")
        demand(event["action"] in options, f"{event['action']} is not legal")


def check_city(table: Table, seat: int, event: Event) -> None:
    """So many buildings of each colour, each of them once (VT-3.2)."""
    demand(event.get("chance") == CITY, "the city comes first")
    numbers = event["buildings"]
    demand(set(numbers) <= set(table.rules.building), "a building is dealt that is not in the game")
    demand(len(set(numbers)) == len(numbers), "a building is dealt twice")
    found = Counter(table.rules.building[number].colour for number in numbers)
    demand(found == Counter(table.rules.drawn), f"of each colour the city has {table.rules.drawn}")


def check_hand(table: Table, seat: int, event: Event) -> None:
    demand(event.get("chance") == HAND and event["seat"] == seat, f"seat {seat} is dealt its hand now")
    if table.hands[seat] is not None:
        demand(len(event["cards"]) == opening(table), f"a hand has {opening(table)} cards")
        demand(Counter(event["cards"]) <= table.rules.starting_set, "these cards are not in the starting set")


def check_barrel(table: Table, seat: int, event: Event) -> None:
    """The barrel of Jean's space, one of those that have not been turned up (VT-1.1)."""
    demand(event.get("chance") == BARREL and event["space"] == table.jean, f"barrel {table.jean} is turned up now")
    demand(event["good"] in GOODS, f"the goods are {GOODS}")
    good = GOODS.index(event["good"])
    demand(table.rules.barrels.count(good) > table.turned[good], f"no barrel shows {event['good']} any more")


def check_draw(table: Table, seat: int, event: Event) -> None:
    demand(event.get("chance") == DRAW and event["seat"] == seat, f"seat {seat} draws now")
    if table.hands[seat] is not None:
        demand(table.deck(seat)[event["card"]] > 0, f"the draw pile of seat {seat} does not hold {event['card']}")


def check_final_phase(table: Table, seat: int, event: Event) -> None:
    demand(event.get(FINAL_PHASE) == seat, f"seat {seat} triggers the final phase now")


def check_turn_end(table: Table, seat: int, event: Event) -> None:
    demand(event.get(TURN_END) == seat, f"the turn of seat {seat} ends now")
    demand(list(event["points"]) == table.points, f"the points are {table.points}")


CHECKS: dict[str, Callable[[Table, int, Event], None]] = {
    CITY: check_city,
    HAND: check_hand,
    BARREL: check_barrel,
    DRAW: check_draw,
    FINAL_PHASE: check_final_phase,
    TURN_END: check_turn_end,
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
