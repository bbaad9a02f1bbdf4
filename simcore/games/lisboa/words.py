"""Lisboa in words: the events of replays ("Replay words"), and sentences for people."""

from collections.abc import Callable, Sequence
from typing import Any

from simcore.cardset import CardSet
from simcore.game import Note
from simcore.games.lisboa.parameters import building_ids
from simcore.games.lisboa.position import Positions
from simcore.games.lisboa.rules.events import BOX_LAID, CARD_CODE, PILE_LAID, SITES_LAID, Event
from simcore.games.lisboa.state import (
    ACTION_STOP,
    COURTYARD,
    GOODS,
    LIST_STOP,
    OFFICE_STOP,
    SELL_STOP,
    SLOTS,
    STATIONS,
    TRADE_STOP,
    Decision,
)
from simcore.games.lisboa.vocabulary import (
    ARCHITECTS,
    BLOCKS,
    CARD_TYPES,
    CLOSED,
    COLUMNS,
    HOUSE_GROUPS,
    NOBLE_ACTIONS,
    NOBLES,
    ROWS,
    RUBBLE,
    SITES,
    STATE_ACTIONS,
    STREETS,
)
from simcore.games.lisboa.vocabulary import GOODS as GOOD_WORDS
from simcore.words import Events, Notes
from simcore.words import Words as GameWords

MODES = ("gold", "portfolio", "court")
ENDS = ("sets", "decks")
REASONS = ("a player has sets enough", "decks have run out")
PAIRS = tuple(f"{block}:{good}" for block in BLOCKS for good in STREETS[int(block[1:])])
"""The pairs of block and store, in the order of their numbers."""
STOPS = {
    Decision.SELL: SELL_STOP,
    Decision.TRADE: TRADE_STOP,
    Decision.STATE_ACTION_PICK: ACTION_STOP,
    Decision.OFFICE: OFFICE_STOP,
    Decision.SURRENDER: LIST_STOP,
    Decision.PERIOD_DISCARD: LIST_STOP,
}
LISTS: dict[int, tuple[str, ...]] = {
    Decision.PORTFOLIO_DISCARD: tuple(f"{half}{slot}" for half in ("top", "bottom") for slot in range(SLOTS)),
    Decision.PORTFOLIO_ACTION: ("sell", "trade"),
    Decision.STATE_ACTION_PICK: STATE_ACTIONS,
    Decision.OFFICE: NOBLES,
    Decision.ARCHITECT: ARCHITECTS,
    Decision.SHIP_GOOD: GOOD_WORDS,
    Decision.CARDINAL_STEPS: ("1", "2", "3", "4"),
    Decision.FAVOR_NOBLE: NOBLES,
    Decision.STORE_SITE: PAIRS,
    Decision.PAYMENT: tuple(map(str, range(64))),
    Decision.STORE_CUBE: tuple(f"{zone}:{kind}" for zone in ("row", "column") for kind in RUBBLE),
    Decision.DECREE_MARKER: ("spend", "keep"),
    Decision.BUILDING_SITE: SITES,
    Decision.BUILDING_OFFICIAL: (*NOBLES, "courtyard"),
    Decision.DRAW: CARD_TYPES,
    Decision.GOOD_PICK: GOOD_WORDS,
    Decision.PAY_GOOD: GOOD_WORDS,
    Decision.PRICE_PICK: GOOD_WORDS,
    Decision.RUBBLE_PICK: RUBBLE,
    Decision.HOUSE_GROUP: HOUSE_GROUPS,
    Decision.VISIT_REAIS: tuple(map(str, range(64))),
}
"""The words of decisions whose local index needs nothing else."""
assert len(LISTS[Decision.BUILDING_OFFICIAL]) == COURTYARD + 1

SENTENCES = {
    Decision.CLERGY_KEEP: "seat {seat} keeps {word}",
    Decision.PORTFOLIO_DISCARD: "seat {seat} discards from its portfolio: {word}",
    Decision.PORTFOLIO_ACTION: "seat {seat} is going to {word}",
    Decision.SELL: "seat {seat} sells {parts[2]} to a ship: {parts[0]}, {parts[1]}",
    Decision.TRADE: "seat {seat} gives {parts[1]} for the State action {parts[0]}",
    Decision.STATE_ACTION_PICK: "seat {seat} takes the State action {word}",
    Decision.OFFICE: "seat {seat} places an official in the office of the {word}",
    Decision.ARCHITECT: "seat {seat} takes a {word} plan",
    Decision.SHIP_GOOD: "seat {seat} pays {word} for a ship",
    Decision.CARDINAL_STEPS: "seat {seat} moves the Cardinal {word} on",
    Decision.CARDINAL_TILE: "seat {seat} takes {word}",
    Decision.CLERGY_OVERFLOW: "seat {seat} gives up {word}",
    Decision.FAVOR_NOBLE: "seat {seat} takes a favor of the {word}",
    Decision.STORE_SITE: "seat {seat} builds a {parts[1]} store on {parts[0]}",
    Decision.PAYMENT: "seat {seat} takes {word} reais of the cost from influence",
    Decision.STORE_CUBE: "seat {seat} takes a cube from the {parts[0]}: {parts[1]}",
    Decision.DECREE_PICK: "seat {seat} takes {word}",
    Decision.DECREE_MARKER: "seat {seat} is asked for a set marker: {word}",
    Decision.BUILDING_PLAN: "seat {seat} opens a public building by {word}",
    Decision.BUILDING_SITE: "seat {seat} opens it on {word}",
    Decision.BUILDING_OFFICIAL: "seat {seat} reassigns an official: {word}",
    Decision.FOLLOW: "seat {seat} follows: {word}",
    Decision.SURRENDER: "seat {seat} surrenders {word}",
    Decision.DRAW: "seat {seat} draws from the {word} deck",
    Decision.PERIOD_DISCARD: "seat {seat} discards {word}",
    Decision.GOOD_PICK: "seat {seat} gains {word}",
    Decision.PAY_GOOD: "seat {seat} gives up {word}",
    Decision.PRICE_PICK: "seat {seat} raises the price of {word}",
    Decision.RUBBLE_PICK: "seat {seat} takes a cube from the pile: {word}",
    Decision.HOUSE_GROUP: "seat {seat} takes the house from its group {word}",
    Decision.VISIT_REAIS: "seat {seat} pays {word} reais instead of influence",
}


PLAYS = {
    "gold": "seat {seat} discards {card} for a gold good",
    "portfolio": "seat {seat} plays {card} into its portfolio",
    "court": "seat {seat} plays {card} to the Royal Court",
}


class Words(GameWords):
    """The words of one card set.

    What a card of a hand is called cannot be told from what lies on the table, so the hands are learnt from the notes
    of the game that is being told, from its set-up on.
    """

    secret = ("building_stacks",)  # below the second one of a stack (L-2.1 c); a position shows the first two

    def __init__(self, card_set: CardSet) -> None:
        tables = card_set.tables
        self._positions = Positions(card_set)
        self._card = [row["card_id"] for row in tables["political_cards"]]
        self._tile = [row["clergy_tile_id"] for row in tables["clergy_tiles"]]
        self._decree = [row["decree_id"] for row in tables["decrees"]]
        self._plan = [row["plan_id"] for row in tables["plans"]]
        self._building = building_ids(tables["public_buildings"])
        self._space = [row["scoring_tile_id"] for row in tables["scoring_tiles"]]
        self._hands: dict[int, list[int]] = {}
        self._closed: tuple[str, ...] = ()  # what is not in this game
        self._others: dict[int, Callable[[int, Any], str]] = {
            Decision.CLERGY_KEEP: lambda item, public: self._tile[int(public.offer[public.actor, item])],
            Decision.MAIN: lambda item, public: f"{MODES[item % 3]}:{self._in_hand(public, item // 3)}",
            Decision.SELL: self._sale,
            Decision.TRADE: lambda item, _: f"{STATE_ACTIONS[item // GOODS]}:{GOOD_WORDS[item % GOODS]}",
            Decision.CARDINAL_TILE: self._church_tile,
            Decision.CLERGY_OVERFLOW: self._own_tile,
            Decision.DECREE_PICK: lambda item, public: self._decree[int(public.decree[item])],
            Decision.BUILDING_PLAN: lambda item, public: self._plan[int(public.plan[public.actor, item])],
            Decision.FOLLOW: self._follow,
            Decision.SURRENDER: self._own_tile,
            Decision.PERIOD_DISCARD: lambda item, public: self._in_hand(public, item),
        }

    def action(self, action: int, public: Any) -> str:
        """The word of an action, given what lies on the table before it."""
        decision, item = divmod(action, 64)
        if item == STOPS.get(Decision(decision)):
            return "stop"
        return LISTS[decision][item] if decision in LISTS else self._others[decision](item, public)

    def _in_hand(self, public: Any, slot: int) -> str:
        return self._card[self._hands[int(public.actor)][slot]]

    def _sale(self, item: int, public: Any) -> str:
        offset, spot = divmod(item, SLOTS * GOODS)
        seats = int(max(public.order)) + 1
        owner = (int(public.actor) + offset) % seats
        return f"seat{owner}:dock{spot // GOODS}:{GOOD_WORDS[spot % GOODS]}"

    def _church_tile(self, item: int, public: Any) -> str:
        return self._tile[int(public.slot[(int(public.cardinal) + STATIONS - 1 + item) % STATIONS])]

    def _own_tile(self, item: int, public: Any) -> str:
        return self._tile[int(public.clergy[public.actor, item])]

    def _follow(self, item: int, public: Any) -> str:
        noble = int(public.visited)
        return (*STATE_ACTIONS[2 * noble : 2 * noble + 2], NOBLE_ACTIONS[noble], "decline")[item]

    def sentence(self, seat: int, decision: int, word: str, public: Any) -> str:
        """What a decision means, for people."""
        if word == "stop":
            return f"seat {seat} stops"
        if word == "decline":
            return f"seat {seat} does not follow"
        parts = word.split(":")
        if decision == Decision.MAIN:
            return PLAYS[parts[0]].format(seat=seat, card=parts[1])
        return SENTENCES[Decision(decision)].format(seat=seat, word=word, parts=parts)

    def position(self, public: Any, me: Any, seat: int, seats: int) -> list[str]:
        """As one of so many seats sees it."""
        return self._positions.lines(public, me, seat, seats)

    # --- Events ------------------------------------------------------------------------------------------------------

    def events(self, notes: Notes) -> Events:
        """The chance events, and the ends of turns, that a set-up or a decision has caused."""
        told = Telling(self._closed)
        for position, (kind, time, seat, value) in enumerate(notes):
            self._follow_hand(kind, seat, value)
            following = notes[position + 1][0] if position + 1 < len(notes) else None
            if kind in GATHERED:
                told.gather(kind, time, seat, self._word(kind, value))
                is_last = following != kind or (kind in BY_SEAT and notes[position + 1][2] != seat)
                if is_last:
                    yield from told.gathered(kind, seat)
            elif kind in SHOWN:
                told.shown.setdefault(SHOWN[kind], []).append(value)
            elif kind in SINGLE:
                yield SINGLE[kind](time, seat, self._word(kind, value))
            elif kind == Event.TURN_END:
                yield told.turn_end(seat)
            elif kind == Event.PERIOD_END:
                yield told.period_end(seat, value)
            elif kind == Event.FINAL_ROUNDS:
                yield {
                    "final_rounds": ENDS[value],
                    "text": f"{REASONS[value]}: this round is finished, and one more is played",
                }

    def _follow_hand(self, kind: int, seat: int, value: int) -> None:
        if kind == Note.START:
            self._hands, self._closed = {}, CLOSED
        elif kind == Note.ROUND_ORDER and seat == 2:
            self._closed = ()  # L-18.1: with two players only
        elif kind in (Event.DEALT, Event.DRAWN):
            self._hands.setdefault(seat, []).append(value - CARD_CODE)
        elif kind in (Event.PORTFOLIO, Event.COURT, Event.GOLD):
            self._hands[seat].remove(value - CARD_CODE)
        elif kind == Event.CARD_DISCARDED:
            self._hands[seat].remove(value)

    def _word(self, kind: int, value: int) -> str:
        if kind == Event.DEALT:
            return self._card[value - CARD_CODE]
        if kind == Event.CARD_REVEALED:
            return self._card[value]
        if kind in (Event.OFFERED, Event.CHURCH_TILE, Event.TILE_REFILLED):
            return self._tile[value]
        names: dict[int, Sequence[str]] = {
            Event.STACKED: self._building,
            Event.SPACE: self._space,
            Event.PLAN_DRAWN: self._plan,
            Event.DECREE_REVEALED: self._decree,
            Event.FAVOR_DRAWN: NOBLES,
            Event.RUBBLE_LAID: RUBBLE,
        }
        return names[kind][value] if kind in names else ""


GATHERED = (Event.STACKED, Event.SPACE, Event.OFFERED, Event.DEALT, Event.CHURCH_TILE, Event.RUBBLE_LAID)
"""Notes of which several make one event."""
BY_SEAT = (Event.OFFERED, Event.DEALT)
"""Those that make an event a seat."""
SHOWN: dict[int, str] = {Event.SHOWN_WIGS: "wigs", Event.SHOWN_INFLUENCE: "influence", Event.SHOWN_REAIS: "reais"}
SINGLE: dict[int, Callable[[int, int, str], dict[str, Any]]] = {
    Event.START_PLAYER: lambda _, seat, word: {
        "chance": "start_player",
        "seat": seat,
        "text": f"seat {seat} is the starting player",
    },
    Event.FAVOR_DRAWN: lambda _, seat, word: {
        "chance": "favor_draw",
        "seat": seat,
        "noble": word,
        "text": f"seat {seat} begins with a favor of the {word}",
    },
    Event.PLAN_DRAWN: lambda _, seat, word: {
        "chance": "start_plan",
        "seat": seat,
        "plan": word,
        "text": f"seat {seat} begins with {word}",
    },
    Event.CARD_REVEALED: lambda deck, _, word: {
        "chance": "card_reveal",
        "deck": CARD_TYPES[deck],
        "card": word,
        "text": f"the {CARD_TYPES[deck]} deck shows {word}",
    },
    Event.DECREE_REVEALED: lambda position, _, word: {
        "chance": "decree_reveal",
        "position": position,
        "card": word,
        "text": f"{word} turns up at place {position}",
    },
    Event.TILE_REFILLED: lambda slot, _, word: {
        "chance": "clergy_refill",
        "slot": slot,
        "tile": word,
        "text": f"slot {slot} of the Church holds {word}",
    },
}


class Telling:
    """What the notes of one step have told so far of events that several of them make."""

    def __init__(self, closed: tuple[str, ...]) -> None:
        self.closed = closed
        self.words: list[str] = []
        self.places: list[int] = []
        self.shown: dict[str, list[int]] = {}

    def gather(self, kind: int, time: int, seat: int, word: str) -> None:
        """One more note of an event."""
        self.words.append(word)
        self.places.append(time)

    def gathered(self, kind: int, seat: int) -> Events:
        """The event that the notes gathered make."""
        words, places = self.words, self.places
        self.words, self.places = [], []
        listed = ", ".join(words)
        if kind == Event.STACKED:
            stacks = {
                architect: [word for word, place in zip(words, places, strict=True) if place == number]
                for number, architect in enumerate(ARCHITECTS)
            }
            yield {"chance": "building_stacks", **stacks, "text": f"public buildings, blue ones first: {listed}"}
        elif kind == Event.SPACE:
            yield {"chance": "scoring_tiles", "spaces": words, "text": f"scoring tiles from west to east: {listed}"}
        elif kind == Event.OFFERED:
            yield {"chance": "clergy_offer", "seat": seat, "tiles": words, "text": f"seat {seat} is offered {listed}"}
        elif kind == Event.DEALT:
            yield {"chance": "hand", "seat": seat, "cards": words, "text": f"seat {seat} is dealt {listed}"}
        elif kind == Event.CHURCH_TILE:
            yield {"chance": "church_tiles", "tiles": words, "text": f"the Church holds {listed}"}
        else:
            yield _rubble(words, places, self.closed)

    def turn_end(self, seat: int) -> dict[str, Any]:
        """The note at the end of a turn."""
        shown, self.shown = self.shown, {}
        lists = "; ".join(f"{what} {', '.join(map(str, numbers))}" for what, numbers in shown.items())
        return {"turn_end": seat, **shown, "text": f"the turn of seat {seat} ends: {lists}"}

    def period_end(self, seat: int, reason: int) -> dict[str, Any]:
        """The note at the end of the first period."""
        shown, self.shown = self.shown, {}
        text = f"the first period ends, {REASONS[reason]}; seat {seat} discards first"
        return {"period_end": 1, "reason": ENDS[reason], "seat": seat, **shown, "text": text}


def _rubble(kinds: list[str], places: list[int], closed: tuple[str, ...]) -> dict[str, Any]:
    """The event of laying the rubble; what is closed is left out."""
    where: dict[int, list[str]] = {}
    for kind, place in zip(kinds, places, strict=True):
        where.setdefault(place, []).append(kind)
    rows = {row: where.get(i, []) for i, row in enumerate(ROWS) if f"row_{row}" not in closed}
    columns = {str(column): where.get(len(ROWS) + i, []) for i, column in enumerate(COLUMNS)}
    sites = {site: where.get(SITES_LAID + i, []) for i, site in enumerate(SITES) if site not in closed}
    laid = {"rows": rows, "columns": columns, "sites": sites}
    pile, box = where.get(PILE_LAID, []), where.get(BOX_LAID, [])
    return {"chance": "rubble", **laid, "pile": pile, "box": box, "text": f"{len(kinds)} cubes of rubble are laid"}
