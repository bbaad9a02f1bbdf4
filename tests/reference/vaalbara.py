"""Vaalbara in plain Python, written from the rules page. VB-... are ids of simcore/games/vaalbara/rules.md.

It is slow and obvious, and it is the judge of the kernels, with which it shares no code. Chance comes from outside: a
game is a sequence of events with the words of a replay (`fairdeal replay --json`), characters by key, lands by id:

    {"chance": "clans", "clans": ["red", "blue"]}                     the clan of each seat; always first
    {"chance": "hand", "seat": 0, "cards": ["fighter", ...]}
    {"chance": "row", "row": "first", "lands": ["L07", "L01"]}        both at the start, `second` at each end of a round
    {"chance": "omens", "ranking": ["green", ...]}                    at the start and whenever the top card changes
    {"seat": 0, "decision": "CHARACTER", "action": "hunter"}          in seat order, hidden until all have chosen
    {"seat": 1, "decision": "SHOW_FIGHTER", "action": "yes"}          or "no"
    {"seat": 0, "decision": "BARD", "action": "seat1"}
    {"seat": 0, "decision": "TRACKER", "action": "second:L12"}        then {"chance": "land", "land": "L31"} and omens
    {"seat": 0, "decision": "MIDWIFE", "action": "hunter"}
    {"seat": 0, "decision": "RIDER", "action": "L07:L12"}             first row : second row
    {"seat": 0, "decision": "PIONEER", "action": "L07"}               then {"chance": "land", "land": "L31"}
    {"seat": 0, "decision": "TAKE", "action": "L01"}
    {"chance": "draw", "seat": 0, "card": "oracle"}                   at the end of a round, card by card
    {"round": 1, "order": [1, 0], "points": [4, 9]}                   the end of a round, before any final bonus

`Table` is what lies open, `Match` the whole game; what one seat sees and knows stands in vaalbara_seen.py. An event
that the rules do not allow raises `BrokenRule`. Characters and rewards are data: an edited card set may give any effect
and amount to any character, and any reward to any type of land.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

TYPES = ("meadow", "field", "forest", "village", "mountain", "river")
CLANS = ("yellow", "red", "blue", "purple", "green")
FIRST, SECOND = ROWS = ("first", "second")

FIGHTER = "OTHERS_REVEAL_FIGHTER"
MIDWIFE = "RECOVER_CHARACTER"

CHARACTER, SHOW_FIGHTER, TAKE = "CHARACTER", "SHOW_FIGHTER", "TAKE"
# The effects that ask the active player for something, and the names of the decisions (VB-D3 to VB-D7).
ASKS = {
    "GIVE_OTHER": "BARD",
    "SWAP_ROW_DECKTOP": "TRACKER",
    MIDWIFE: "MIDWIFE",
    "SWAP_ROWS": "RIDER",
    "SWAP_REALM_DECKBOTTOM": "PIONEER",
}
SET_UP, END_OF_ROUND, CHANCE, OVER = "set-up", "end of round", "chance", ""

Event = Mapping[str, Any]


class BrokenRule(Exception):
    """An event that cannot happen in this place."""


def demand(condition: bool, what: str) -> None:
    if not condition:
        raise BrokenRule(what)


class Character(NamedTuple):
    """A character of the table; each clan has one of each (VB-1.4). Initiatives may be equal in an edited set."""

    key: str
    initiative: int
    effect: str
    amount: int


class Land(NamedTuple):
    """A land: its face, and the ranking of the clans on its back, best first (VB-1.2, VB-1.3, VB-1.8)."""

    id: str
    type: str
    value: int
    omens: tuple[str, ...]


class Reward(NamedTuple):
    """How a type of land pays."""

    code: str
    unit: int


@dataclass(frozen=True)
class Rules:
    """A card set for a number of seats. `lands` are those that are kept (VB-2.1), in the order of the table."""

    seats: int
    characters: tuple[Character, ...]
    lands: tuple[Land, ...]
    rewards: Mapping[str, Reward]
    rounds: int
    start_vp: int
    hand_size: int
    mountain_second: int
    mountain_fourth: int
    river_cap: int
    five_types_bonus: int
    six_types_bonus: int
    farmer_factor: int
    tracker_reorders: bool
    fighter_pays_owner: bool

    @classmethod
    def of(cls, scalars: Mapping[str, Any], tables: Mapping[str, Iterable[Mapping[str, Any]]], seats: int) -> "Rules":
        """From the values of rules.toml and the rows of the four tables."""
        characters = tuple(
            Character(row["key"], row["initiative"], row["effect_code"], row["vp_amount"])
            for row in tables["characters"]
        )
        omens = {row["id"]: tuple(row[f"rank{place}"] for place in range(1, 6)) for row in tables["omens"]}
        lands = tuple(
            Land(row["id"], row["type"], row["forest_value"] or 0, omens[row["omen_id"]])
            for row in tables["lands"]
            if row[scalars["player_marks"]] <= seats  # VB-2.1; which column decides: section 13, no. 2
        )
        rewards = {row["key"]: Reward(row["reward_code"], row["vp_per_unit"]) for row in tables["land_types"]}
        names = (
            *("rounds", "start_vp", "hand_size", "mountain_second", "mountain_fourth", "river_cap"),
            *("five_types_bonus", "six_types_bonus", "farmer_factor"),
        )
        switches = {name: scalars[name] == "yes" for name in ("tracker_reorders", "fighter_pays_owner")}
        return cls(seats, characters, lands, rewards, **{name: scalars[name] for name in names}, **switches)

    @cached_property
    def character(self) -> dict[str, Character]:
        return {character.key: character for character in self.characters}

    @cached_property
    def land(self) -> dict[str, Land]:
        return {land.id: land for land in self.lands}

    def neighbours(self, seat: int) -> set[int]:
        """The one or two seats beside a seat of the ring (VB-2.7)."""
        return {(seat - 1) % self.seats, (seat + 1) % self.seats}

    def bonus(self, realm: Sequence[Land]) -> int:
        """The final bonus (VB-7.2): the higher one only."""
        types = len({land.type for land in realm})
        return {5: self.five_types_bonus, 6: self.six_types_bonus}.get(types, 0)


def reward(rules: Rules, land: Land, realm: Sequence[Land], neighbours: Sequence[Land], initiative: int) -> int:
    """What a land pays that has just entered a Realm and is counted in it (VB-3.5, section 5).

    `neighbours` are the lands in the Realms of all neighbours as they lie now (VB-5.8), `initiative` that of the
    character played this round (VB-5.6, VB-5.7).
    """
    code, unit = rules.rewards[land.type]
    own = count(realm, land.type)
    if code == "PER_MEADOW_SELF_AND_NEIGHBOURS":
        return unit * (own + count(neighbours, land.type))  # VB-5.1
    if code == "PER_FIELD":
        return unit * own  # VB-5.2
    if code == "PRINTED":
        return land.value  # VB-5.3
    if code == "PER_DISTINCT_TYPE":
        return unit * len({other.type for other in realm})  # VB-5.4
    if code == "MILESTONE_2_4":
        return {2: rules.mountain_second, 4: rules.mountain_fourth}.get(own, 0)  # VB-5.5, VB-5.5a
    if code == "INITIATIVE_TIMES_RIVERS":
        return unit * min(initiative, rules.river_cap) * own  # VB-5.6
    raise ValueError(f"unknown reward {code}")


def count(lands: Iterable[Land], kind: str) -> int:
    return sum(land.type == kind for land in lands)


class Arrival(NamedTuple):
    """A card on its way from the Land deck: the face that everybody knows or None, the back if it was seen."""

    face: Land | None
    back: tuple[str, ...] | None


class Table:
    """Everything that all players see. It needs no hidden card, and no card in it is hidden.

    `expects` is what must come next: "set-up", a decision, "chance" (events in `pending`), "end of round" (the same) or
    nothing (""). `deck` is the Land deck from top to bottom, with the faces that everybody knows (VB-9.2) and None for
    the others, which are the lands in `unseen`. `known` are the characters of a seat's hand that everyone knows to be
    there: recovered or shown, and not yet played. `gains` lists all points since the start: (seat, source, amount),
    where the source is a key of a character, a type of land, or "pioneer:" and a type.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.seats = range(rules.seats)
        self.expects = SET_UP
        self.actor = -1  # the seat to decide; while Fighters may be shown, the one whose character is resolved
        self.asked = -1  # the seat that is asked to show a Fighter
        self.rounds = 0  # finished
        self.turns = 0  # of the game
        self.clans: tuple[str, ...] = ()
        self.omens: tuple[str, ...] = ()
        self.rows: dict[str, list[Land]] = {FIRST: [], SECOND: []}
        self.deck: list[Land | None] = [None] * len(rules.lands)
        self.unseen = set(rules.lands)
        self.realms: list[list[Land]] = [[] for _ in self.seats]
        self.discards: list[list[Character]] = [[] for _ in self.seats]
        self.hand_sizes = [0 for _ in self.seats]
        self.deck_sizes = [len(rules.characters) for _ in self.seats]  # of the clan decks
        self.known: list[set[Character]] = [set() for _ in self.seats]
        self.vp = [rules.start_vp for _ in self.seats]  # VB-2.3, VB-1.6
        self.gains: list[tuple[int, str, int]] = []
        self.chosen = [False for _ in self.seats]  # has chosen a character this round
        self.revealed: list[Character] = []  # by seat, from the reveal to the end of the round (VB-4.6)
        self.acted: list[int] = []  # seats that have finished their turn this round, in order
        self.ranking: tuple[str, ...] = ()  # the omens that decide ties in this round
        self.recovered = [0 for _ in self.seats]  # characters taken back
        self.pending = Counter[str]()
        self._arrival = Arrival(None, None)
        self._slot: tuple[str, int] = (FIRST, 0)
        self._place = 0

    # ------------------------------------------------------------------------------------------------------- set-up

    def begin(self, clans: Sequence[str]) -> None:
        """The clans come first (VB-2.2, VB-2.8); what else the set-up needs is then pending, the omens last."""
        demand(self.expects == SET_UP and not self.clans, "the clans are known")
        demand(len(clans) == len(set(clans)) == len(self.seats), f"{len(self.seats)} different clans are needed")
        demand(set(clans) <= set(CLANS), f"the clans are {CLANS}")
        self.clans = tuple(clans)
        self.pending = Counter({"row first", "row second", "omens", *(f"hand {seat}" for seat in self.seats)})

    def hand_dealt(self, seat: int, cards: int) -> None:
        """VB-2.4."""
        self._happens(f"hand {seat}", SET_UP)
        demand(cards == self.to_draw(seat), f"seat {seat} is dealt {self.to_draw(seat)} characters")
        self._draw(seat, cards)
        self._go_on()

    def to_draw(self, seat: int) -> int:
        """How many characters a seat draws now: up to the size of a hand, or until its deck is empty (VB-3.9)."""
        return min(self.rules.hand_size - self.hand_sizes[seat], self.deck_sizes[seat])

    def _draw(self, seat: int, cards: int) -> None:
        self.hand_sizes[seat] += cards
        self.deck_sizes[seat] -= cards

    def lay_row(self, row: str, lands: Sequence[Land]) -> None:
        """A row is dealt (VB-2.5, VB-3.7), top card first and leftmost."""
        self._happens(f"row {row}", SET_UP, END_OF_ROUND)
        if self.expects == END_OF_ROUND:
            self.rows[FIRST] = self.rows[SECOND]
            demand(len(lands) == self.to_deal(), f"{self.to_deal()} lands are dealt")
            if lands:
                self.pending["omens"] = 1  # VB-4.4
        else:
            size = len(self.seats)
            available = len(self.rules.lands) - 1 - (size if row == SECOND else 0)
            demand(len(lands) == min(size, available), f"{min(size, available)} lands are dealt")
        for land in lands:
            self._leaves_deck(land, Arrival(self.deck[0], self.omens or None))
            del self.deck[0]
            self.omens = ()  # until they are seen again, see `see_omens`
        self.rows[row] = list(lands)
        self._go_on()

    def to_deal(self) -> int:
        """Lands for the second row: one card stays in the deck (VB-3.8)."""
        return min(len(self.seats), len(self.deck) - 1)

    def _leaves_deck(self, land: Land, arrival: Arrival) -> None:
        """A card of the deck is turned up: the one that was known to lie there, or one that nobody has seen."""
        if arrival.face is not None:
            demand(land == arrival.face, f"{arrival.face.id} lay there")
        else:
            demand(land in self.unseen, f"{land.id} does not lie in the deck unseen")
            demand(arrival.back in (None, land.omens), f"the back of {land.id} is another one")
            self.unseen.remove(land)

    def see_omens(self, ranking: Sequence[str]) -> None:
        """The back of the top card (VB-2.6)."""
        self._happens("omens", SET_UP, CHANCE, END_OF_ROUND)
        if self.expects == SET_UP:
            demand(not self.pending, "the omens come last")
        demand("row second" not in self.pending, "the omens follow the row")
        possible = self.unseen if self.deck[0] is None else {self.deck[0]}
        demand(any(land.omens == tuple(ranking) for land in possible), "no card that may lie on top has this back")
        self.omens = tuple(ranking)
        if self.rules.tracker_reorders:
            self.ranking = self.omens
        self._go_on()

    def _happens(self, what: str, *phases: str) -> None:
        demand(self.expects in phases and self.pending[what] > 0, f"{what} does not come now")
        self.pending[what] -= 1
        self.pending += Counter()

    def _go_on(self) -> None:
        """After an event of chance: when nothing is pending any more, the game goes on."""
        if self.pending:
            return
        if self.expects == CHANCE:
            self._end_effect()
        elif self.rounds == self.rules.rounds:
            self.expects = OVER  # VB-7.1
        else:
            self.begin_round()

    # ---------------------------------------------------------------------------------------------------- assignment

    def begin_round(self) -> None:
        """All choose a character (VB-3.1)."""
        self.expects = CHARACTER
        self.actor = 0
        self.chosen = [False for _ in self.seats]
        self.revealed = []
        self.acted = []
        self.ranking = self.omens

    def choose(self, seat: int) -> None:
        """A seat has put down a character, unseen. In seat order, which has no meaning in play."""
        demand(self.expects == CHARACTER and seat == self.actor, f"seat {seat} does not choose now")
        self.chosen[seat] = True
        self.actor = seat + 1 if seat + 1 < len(self.seats) else -1

    def reveal(self, characters: Sequence[Character]) -> None:
        """All characters are turned up together (VB-3.1)."""
        demand(all(self.chosen) and self.expects == CHARACTER, "not all have chosen")
        self.revealed = list(characters)
        for seat, character in enumerate(characters):
            demand(character not in self.discards[seat], f"{character.key} lies on the discard pile")
            self.hand_sizes[seat] -= 1
            self.known[seat].discard(character)
        self._next_turn()

    def precedence(self, seat: int) -> tuple[int, int]:
        """Who acts earlier has less: initiative (VB-4.1), then the clan's place in the omens (VB-4.2)."""
        return self.revealed[seat].initiative, self.ranking.index(self.clans[seat])

    def _next_turn(self) -> None:
        """VB-4.3: determined afresh after every turn, with the omens of the reveal only if the card set says so."""
        waiting = [seat for seat in self.seats if seat not in self.acted]
        self.actor = min(waiting, key=self.precedence)
        self._begin_effect()

    # ------------------------------------------------------------------------------------------------------- effects

    def _begin_effect(self) -> None:
        """VB-3.2, VB-3.3. An effect without a legal object does nothing (VB-3.4)."""
        seat, character = self.actor, self.revealed[self.actor]
        if character.effect == FIGHTER:
            if self.rules.fighter_pays_owner:  # VB-6.1a
                self.gain(seat, character.key, character.amount)
            self.expects = SHOW_FIGHTER
        elif character.effect in ASKS and self.objects(character.effect):
            self.expects = ASKS[character.effect]
        else:
            self._apply_simple(seat, character)
            self._end_effect()

    def objects(self, effect: str) -> list[str]:
        """What the effect of the active player may be applied to, in words."""
        seat, first, second = self.actor, self.rows[FIRST], self.rows[SECOND]
        if effect == "GIVE_OTHER":
            return [f"seat{other}" for other in self.seats if other != seat]  # VB-6.2
        if effect == "SWAP_ROW_DECKTOP":
            return [f"{row}:{land.id}" for row in ROWS for land in self.rows[row]]  # VB-6.7
        if effect == MIDWIFE:  # VB-6.8; VB-6.8a: the one just played does not lie there yet
            return [character.key for character in self.discards[seat] if character.effect != MIDWIFE]
        if effect == "SWAP_ROWS":
            return [f"{near.id}:{far.id}" for near in first for far in second]  # VB-6.9
        return [land.id for land in self.realms[seat]]  # VB-6.11, VB-6.11c

    def _apply_simple(self, seat: int, character: Character) -> None:
        """The effects that ask nothing. Hunter, Oracle and Artisan look at the turns as they are (VB-4.5, VB-4.6)."""
        neighbours, amount = self.rules.neighbours(seat), character.amount
        if character.effect == "BEFORE_NEIGHBOURS" and not neighbours & set(self.acted):  # VB-6.3
            self.gain(seat, character.key, amount)
        elif character.effect == "ODD_NEIGHBOURS":  # VB-6.4
            odd = sum(self.revealed[neighbour].initiative % 2 for neighbour in neighbours)
            self.gain(seat, character.key, amount * odd)
        elif character.effect == "PER_FOREST":  # VB-6.5
            self.gain(seat, character.key, amount * count(self.realms[seat], "forest"))
        elif character.effect == "STEAL_PREVIOUS" and self.acted:  # VB-6.6, VB-6.6b
            victim = self.acted[-1]
            taken = min(amount, self.vp[victim])  # VB-6.6a
            self.gain(victim, character.key, -taken)
            self.gain(seat, character.key, taken)
        elif character.effect == "AFTER_NEIGHBOURS" and neighbours <= set(self.acted):  # VB-6.10
            self.gain(seat, character.key, amount)

    def gain(self, seat: int, source: str, amount: int) -> None:
        self.vp[seat] += amount
        if amount:
            self.gains.append((seat, source, amount))

    def show_fighter(self, seat: int, fighter: Character) -> None:
        """A holder shows a Fighter and keeps it (VB-6.1, VB-6.1d)."""
        demand(self.expects == SHOW_FIGHTER and seat != self.actor, "no Fighter is shown now")
        self.known[seat].add(fighter)
        shown_for = self.revealed[self.actor]
        self.gain(seat, shown_for.key, shown_for.amount)
        self.asked = -1

    def fighters_shown(self) -> None:
        """All who hold a Fighter have answered."""
        self.asked = -1
        self._end_effect()

    def give(self, receiver: int) -> None:
        """Bard (VB-6.2)."""
        self.gain(receiver, self.revealed[self.actor].key, self.revealed[self.actor].amount)
        self._end_effect()

    def track(self, row: str, land: Land) -> None:
        """Tracker: the land becomes the top card; the one that lay there comes up next (VB-6.7)."""
        self._slot = row, self.rows[row].index(land)
        self._arrival = Arrival(self.deck[0], self.omens)
        self.deck[0] = land
        self._wait_for("land", "omens")  # VB-4.4, VB-6.7a

    def pioneer(self, land: Land) -> None:
        """Pioneer: the land becomes the bottom card; the one that lay there comes next (VB-6.11, VB-6.11b)."""
        only_card = len(self.deck) == 1
        self._place = self.realms[self.actor].index(land)
        del self.realms[self.actor][self._place]
        self._arrival = Arrival(self.deck[-1], self.omens if only_card else None)
        self.deck[-1] = land
        self._wait_for("land", *(["omens"] if only_card else []))  # VB-4.4

    def _wait_for(self, *events: str) -> None:
        self.expects = CHANCE
        self.pending = Counter(events)

    def land_comes(self, land: Land) -> None:
        """The card that Tracker or Pioneer brought from the deck."""
        self._happens("land", CHANCE)
        self._leaves_deck(land, self._arrival)
        if self.revealed[self.actor].effect == "SWAP_ROW_DECKTOP":
            row, slot = self._slot
            self.rows[row][slot] = land  # VB-6.7: into the same slot
        else:
            self.realms[self.actor].insert(self._place, land)
            self._earn(land, "pioneer:", 1)  # VB-6.11a
        self._go_on()

    def recover(self, character: Character) -> None:
        """Midwife (VB-6.8)."""
        self.discards[self.actor].remove(character)
        self.hand_sizes[self.actor] += 1
        self.known[self.actor].add(character)
        self.recovered[self.actor] += 1
        self._end_effect()

    def ride(self, near: Land, far: Land) -> None:
        """Rider (VB-6.9)."""
        first, second = self.rows[FIRST], self.rows[SECOND]
        i, j = first.index(near), second.index(far)
        first[i], second[j] = far, near
        self._end_effect()

    def _end_effect(self) -> None:
        self.discards[self.actor].append(self.revealed[self.actor])  # VB-3.3
        self.expects = TAKE

    # --------------------------------------------------------------------------------------------------- land action

    def take(self, land: Land) -> None:
        """VB-3.5, VB-3.6."""
        seat = self.actor
        self.rows[FIRST].remove(land)
        doubled = self.revealed[seat].effect == "DOUBLE_LAND"  # VB-6.12, VB-6.12a
        self.realms[seat].append(land)
        self._earn(land, "", self.rules.farmer_factor if doubled else 1)
        self.acted.append(seat)
        self.turns += 1
        if len(self.acted) < len(self.seats):
            self._next_turn()
        else:
            self._end_round()

    def _earn(self, land: Land, source: str, factor: int) -> None:
        """The reward of a land that has just entered the Realm; it is never paid again or taken back (section 5)."""
        seat = self.actor
        beside = [other for neighbour in self.rules.neighbours(seat) for other in self.realms[neighbour]]
        points = reward(self.rules, land, self.realms[seat], beside, self.revealed[seat].initiative)
        self.gain(seat, source + land.type, factor * points)

    # -------------------------------------------------------------------------------------------------------- the end

    def _end_round(self) -> None:
        """What must happen now, in any order: the report, and before another round lands and characters."""
        self.expects = END_OF_ROUND
        self.actor = -1
        self.rounds += 1
        self.pending = Counter(["round"])
        if self.rounds < self.rules.rounds:  # VB-3.10
            self.pending["row second"] = 1
            self.pending += Counter({f"draw {seat}": self.to_draw(seat) for seat in self.seats})

    def card_drawn(self, seat: int) -> None:
        """VB-3.9."""
        self._happens(f"draw {seat}", END_OF_ROUND)
        self._draw(seat, 1)
        self._go_on()

    def round_is_over(self, event: Event) -> None:
        """The event that reports it must agree with the points counted here."""
        self._happens("round", END_OF_ROUND)
        demand(event["round"] == self.rounds, f"round {self.rounds} has ended")
        demand(list(event["order"]) == self.acted, f"the turn order was {self.acted}")
        demand(list(event["points"]) == self.vp, f"the points are {self.vp}")
        self._go_on()

    @property
    def is_over(self) -> bool:
        return not self.expects

    def scores(self) -> list[int]:
        """Points with the bonus (VB-7.2). Characters left over count nothing (VB-7.6)."""
        return [points + self.rules.bonus(realm) for points, realm in zip(self.vp, self.realms, strict=True)]

    def places(self) -> list[int]:
        """Seats from first to last: by points, then by the omens now on top of the deck (VB-7.3 to VB-7.5)."""
        scores = self.scores()
        return sorted(self.seats, key=lambda seat: (-scores[seat], self.omens.index(self.clans[seat])))

    def result(self) -> dict[str, Any]:
        winner = self.places()[0]
        return {
            "scores": self.scores(),
            "winners": [winner],
            "win_share": [float(seat == winner) for seat in self.seats],
            "turns": self.turns,
            "end": "rounds",
            "truncated": False,
        }


class Match:
    """A whole game, seen from above: the table, hands, clan decks, and the choices before they are revealed."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.table = Table(rules)
        seats = self.table.seats
        self.hands: list[set[Character]] = [set() for _ in seats]
        self.decks: list[set[Character]] = [set(rules.characters) for _ in seats]  # VB-2.4; VB-I5
        self.choices: list[Character | None] = [None for _ in seats]
        self._to_ask: list[int] = []

    @property
    def actor(self) -> int:
        """The seat to decide, -1 when there is nothing to decide."""
        if self.table.expects in (SET_UP, CHANCE, END_OF_ROUND, OVER):
            return -1
        return self.table.asked if self.table.expects == SHOW_FIGHTER else self.table.actor

    def options(self) -> list[str]:
        """The legal actions of the seat to decide in words, all different."""
        table = self.table
        if table.expects == CHARACTER:
            held = self.hands[self.actor]
            return [character.key for character in self.rules.characters if character in held]  # VB-D1
        if table.expects == SHOW_FIGHTER:
            return ["yes", "no"]  # VB-D2
        if table.expects == TAKE:
            return [land.id for land in table.rows[FIRST]]  # VB-D8
        if table.expects in ASKS.values():
            return table.objects(table.revealed[table.actor].effect)  # VB-D3 to VB-D7
        return []

    def apply(self, event: Event) -> Event:
        """The next event. Its options are checked where it lists them. Raises BrokenRule.

        Returns it as it happens at the table: where a Fighter is shown, "shows" is its key.
        """
        if "decision" in event:
            self._decide(event)
            if event["decision"] == SHOW_FIGHTER and event["action"] == "yes":
                return {**event, "shows": self._fighter(event["seat"]).key}
        elif event.get("chance") == "hand":
            cards = [self._character(word) for word in event["cards"]]
            demand(len(set(cards)) == len(cards), "there is one of each character")
            self.table.hand_dealt(event["seat"], len(cards))
            for character in cards:
                self._draw(event["seat"], character)
        elif event.get("chance") == "draw":
            self._draw(event["seat"], self._character(event["card"]))
            self.table.card_drawn(event["seat"])
        else:
            open_event(self.table, event)
        return event

    def _character(self, word: str) -> Character:
        demand(word in self.rules.character, f"there is no character {word}")
        return self.rules.character[word]

    def _draw(self, seat: int, character: Character) -> None:
        demand(character in self.decks[seat], f"the clan deck of seat {seat} does not hold {character.key}")
        self.decks[seat].remove(character)
        self.hands[seat].add(character)

    def _decide(self, event: Event) -> None:
        seat, action, options = event["seat"], event["action"], self.options()
        demand(seat == self.actor, f"it is seat {self.actor} that decides")
        demand(event["decision"] == self.table.expects, f"the decision is {self.table.expects}")
        if "options" in event:
            demand(sorted(event["options"]) == sorted(options), f"the legal options are {sorted(options)}")
        if "forced" in event:
            demand(event["forced"] == (len(options) == 1), f"there are {len(options)} options")
        demand(action in options, f"{action} is not legal")
        if event["decision"] == CHARACTER:
            self._choose(seat, self.rules.character[action])
        elif event["decision"] == SHOW_FIGHTER:
            self._answer(seat, action == "yes")
        else:
            if event["decision"] == "MIDWIFE":
                self.hands[seat].add(self.rules.character[action])
            open_decision(self.table, event["decision"], action)
        self._ask_holders()

    def _choose(self, seat: int, character: Character) -> None:
        """VB-3.1: in secret; the character leaves the hand when all are revealed."""
        self.choices[seat] = character
        self.table.choose(seat)
        revealed = [choice for choice in self.choices if choice is not None]
        if len(revealed) == len(self.choices):
            self.choices = [None for _ in self.choices]
            for other, choice in enumerate(revealed):
                self.hands[other].remove(choice)
            self.table.reveal(revealed)

    def _fighter(self, seat: int) -> Character:
        """The Fighter that a holder shows: of several in an edited set the first of the table."""
        held = [character for character in self.rules.characters if character in self.hands[seat]]
        return next(character for character in held if character.effect == FIGHTER)

    def _answer(self, seat: int, shows: bool) -> None:
        del self._to_ask[0]
        if shows:
            self.table.show_fighter(seat, self._fighter(seat))
        if not self._to_ask:
            self.table.fighters_shown()

    def _ask_holders(self) -> None:
        """Each Fighter triggers by itself (VB-6.1c); holders are asked clockwise from the player's left (VB-6.1d).

        One played this round is in no hand (VB-6.1a, VB-6.1b). Where nobody holds one, the turn goes on.
        """
        table = self.table
        while table.expects == SHOW_FIGHTER:
            if not self._to_ask:
                ring = [(table.actor + step) % len(table.seats) for step in range(1, len(table.seats))]
                self._to_ask = [seat for seat in ring if any(card.effect == FIGHTER for card in self.hands[seat])]
            if self._to_ask:
                table.asked = self._to_ask[0]
                return
            table.fighters_shown()


def open_event(table: Table, event: Event) -> None:
    """An event that everybody sees and that is no decision. Raises BrokenRule."""
    lands = table.rules.land
    if "round" in event:
        table.round_is_over(event)
    elif event["chance"] == "clans":
        table.begin(event["clans"])
    elif event["chance"] == "row":
        demand(set(event["lands"]) <= set(lands), "a land is dealt that is not in the game")
        demand(event["row"] in ROWS, f"the rows are {ROWS}")
        table.lay_row(event["row"], [lands[word] for word in event["lands"]])
    elif event["chance"] == "omens":
        table.see_omens(event["ranking"])
    elif event["chance"] == "land":
        demand(event["land"] in lands, "the land is not in the game")
        table.land_comes(lands[event["land"]])
    else:
        raise BrokenRule(f"unknown event {event}")


def open_decision(table: Table, decision: str, action: str) -> None:
    """A decision that everybody sees."""
    rules, (one, _, other) = table.rules, action.partition(":")
    if decision == "BARD":
        table.give(int(action.removeprefix("seat")))
    elif decision == "TRACKER":
        table.track(one, rules.land[other])
    elif decision == "MIDWIFE":
        table.recover(rules.character[action])
    elif decision == "RIDER":
        table.ride(rules.land[one], rules.land[other])
    elif decision == "PIONEER":
        table.pioneer(rules.land[action])
    else:
        table.take(rules.land[action])


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
