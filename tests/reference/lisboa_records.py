"""What the records of simcore/games/lisboa/state.py must hold, as plain values, from what a seat knows.

It follows the description in state.py and no kernel. A set is one number, or a list of words, with a bit for each
member; what belongs to seats that do not play is left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.reference.lisboa import Match
from tests.reference.lisboa_state import (
    COURTYARD,
    DECISIONS,
    DECLINE,
    KEEP,
    MODES,
    NOBODY,
    OF_THE_HAND,
    SELL_WORD,
    SETS,
    SETUP,
    SPEND,
    STOP,
    TRADE_WORD,
    Activity,
    Card,
    Player,
    Table,
)
from tests.reference.lisboa_tables import (
    ARCHITECTS,
    BLOCKS,
    COLUMNS,
    DECKS,
    GOODS,
    GROUPS,
    NOBLE_ACTION_OF,
    NOBLES,
    ROWS,
    RUBBLE,
    SITES,
    STATE_ACTIONS,
    STATE_ACTIONS_OF,
    STORE_SITES,
    TILES,
    ZONES,
    Rules,
)

ACTIONS = 64  # codes of a decision
NOTHING = -1
CARDS, SHIPS = 128, ("ship_blue", "ship_red", "ship_purple", "ship_brown")  # ship k in a top slot is CARDS + k
HAND, SLOTS, PLANS_HELD, CLERGY_HELD, OFFER, DECREE_DISPLAY, DEPTH = 8, 3, 8, 9, 4, 8, 8  # room in the records
STOPS = {"SELL": 48, "TRADE": 24, "STATE_ACTION_PICK": 6, "OFFICE": 3, "SURRENDER": 8, "PERIOD_DISCARD": 8}
PHASES = ("SETUP", "CARD", "FOLLOW", "DRAW", "CHURCH", "DISCARD", "LAST_CHURCH", "OVER")
TASKS = (
    *("NONE", "TUCK", "VISIT", "FOLLOW", "EVENT", "GAIN_GOODS", "PAY_GOODS", "RAISE_PRICE", "GAIN_RUBBLE", "ACTIONS"),
    *("REPEAT", "SELL", "TRADE", "RECRUIT", "PLAN", "SHIP", "PRODUCE", "CARDINAL", "FAVOR", "STORE", "DECREE"),
    "BUILDING",
)
POWERS = (
    *((code, "any") for code in ("land_discount", "rubble_discount", "sponsor_discount")),
    *(("sale_bonus", good) for good in GOODS),
    *((code, "any") for code in ("sale_flat", "warehouse_bonus", "subsidy_bonus")),
    *(("visit_discount", noble) for noble in NOBLES),
    *((code, "any") for code in ("ignore_rival_officials", "officials_discount", "recruit_bonus")),
    *((code, "any") for code in ("ship_goods_discount", "price_hold", "cardinal_extra_step", "trade_wild")),
    *((code, "any") for code in ("influence_bonus", "store_wigs", "sail_wigs", "decree_bonus")),
    *((code, "any") for code in ("visit_reais", "produce_bonus")),
)
# Words that stand for a number of their own, by decision.
PLACES: Mapping[str, Sequence[str]] = {
    "PORTFOLIO_DISCARD": ("top0", "top1", "top2", "bottom0", "bottom1", "bottom2"),
    "PORTFOLIO_ACTION": (SELL_WORD, TRADE_WORD),
    "STATE_ACTION_PICK": STATE_ACTIONS,
    "OFFICE": NOBLES,
    "ARCHITECT": ARCHITECTS,
    "SHIP_GOOD": GOODS,
    "CARDINAL_STEPS": ("1", "2", "3", "4"),
    "FAVOR_NOBLE": NOBLES,
    "STORE_SITE": [f"{block}:{good}" for block, good in STORE_SITES],
    "PAYMENT": [str(number) for number in range(ACTIONS)],
    "STORE_CUBE": [f"{zone}:{kind}" for zone in ("row", "column") for kind in RUBBLE],
    "DECREE_MARKER": (SPEND, KEEP),
    "BUILDING_SITE": SITES,
    "BUILDING_OFFICIAL": (*NOBLES, COURTYARD),
    "DRAW": DECKS,
    "GOOD_PICK": GOODS,
    "PAY_GOOD": GOODS,
    "PRICE_PICK": GOODS,
    "RUBBLE_PICK": RUBBLE,
    "HOUSE_GROUP": GROUPS,
    "VISIT_REAIS": [str(number) for number in range(ACTIONS)],
}


class Coding:
    """The codes of a card set: cards, decrees, tiles, plans and buildings by their place in the tables."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.card = places(rules.cards)
        self.decree = places(rules.decrees)
        self.tile = places(rules.tiles)
        self.plan = places(rules.plans)
        self.building = places(rules.buildings)

    def action(self, table: Table, seat: int, decision: str, word: str) -> int:
        """The code of a legal word."""
        return ACTIONS * DECISIONS.index(decision) + self.item(table, seat, decision, word)

    def item(self, table: Table, seat: int, decision: str, word: str) -> int:
        """The local index of the page's "Decision model"."""
        player = table.players[seat]
        if word == STOP:
            return STOPS[decision]
        if decision == "MAIN":
            mode, card = word.split(":")
            return 3 * player.hand.index(card) + MODES.index(mode)
        if decision == "SELL":
            owner, dock, good = word.split(":")
            offset = (int(owner.removeprefix("seat")) - seat) % len(table.seats)
            return 12 * offset + 4 * int(dock.removeprefix("dock")) + GOODS.index(good)
        if decision == "TRADE":
            action, good = word.split(":")
            return 4 * STATE_ACTIONS.index(action) + GOODS.index(good)
        if decision == "FOLLOW":
            return self._follows(table).index(word)
        if decision in PLACES:
            return PLACES[decision].index(word)
        return self._list(table, seat, decision).index(word)

    def _follows(self, table: Table) -> tuple[str, ...]:
        assert table.visited is not None
        return (*STATE_ACTIONS_OF[table.visited], NOBLE_ACTION_OF[table.visited], DECLINE)

    def _list(self, table: Table, seat: int, decision: str) -> Sequence[str | None]:
        """The list of which the decision takes a position."""
        player = table.players[seat]
        lists: dict[str, Sequence[str | None]] = {
            "CLERGY_KEEP": table.offers.get(seat, ()),
            "CARDINAL_TILE": (table.slots[(table.cardinal - 1) % len(table.slots)], table.slots[table.cardinal]),
            "CLERGY_OVERFLOW": player.clergy,
            "DECREE_PICK": table.decrees,
            "BUILDING_PLAN": player.plans,
            "SURRENDER": player.clergy,
            "PERIOD_DISCARD": player.hand,
        }
        return lists[decision]

    def top(self, card: Card | None) -> int:
        if card is None:
            return NOTHING
        return CARDS + SHIPS.index(card.id) if card.ship else self.card[card.id]

    def frame(self, activity: Activity) -> tuple[int, ...]:
        """A `Frame`."""
        return (
            TASKS.index(activity.task),
            activity.seat,
            activity.stage,
            self._what(activity),
            self._place(activity),
            activity.left,
            activity.price,
            activity.hired,
            self._done(activity),
        )

    def _what(self, activity: Activity) -> int:
        what = activity.what
        if isinstance(what, int):
            return what
        if what in NOBLES:
            return NOBLES.index(what)
        return self.card[what] if what in self.card else self.plan[what]

    def _place(self, activity: Activity) -> int:
        if not activity.place:
            return 0
        return (PLACES["STORE_SITE"] if activity.task == "STORE" else SITES).index(activity.place)

    def _done(self, activity: Activity) -> int:
        names = {"RECRUIT": NOBLES, "ACTIONS": STATE_ACTIONS, "TRADE": STATE_ACTIONS}.get(activity.task, GOODS)
        return bits(names.index(word) for word in set(activity.done))


def places(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


def bits(members: Iterable[int]) -> int:
    return sum(1 << member for member in members)


def words_of(members: Iterable[int]) -> list[int]:
    """A set of two words."""
    whole = bits(members)
    return [whole & (1 << 64) - 1, whole >> 64]


def filled(values: Sequence[Any], room: int, rest: Any) -> list[Any]:
    return [*values, *[rest] * (room - len(values))]


def counts(counter: Mapping[str, int], names: Sequence[str]) -> list[int]:
    return [counter.get(name, 0) for name in names]


def index(names: Sequence[str], name: str | None) -> int:
    return NOTHING if name is None else names.index(name)


def codes(coding: Mapping[str, int], names: Iterable[str | None]) -> list[int]:
    return [NOTHING if name is None else coding[name] for name in names]


def public_fields(coding: Coding, match: Match) -> dict[str, Any]:
    """`State.public`. At the end of a game there is no decision."""
    table = match.table
    return {
        **turn_fields(coding, match),
        **track_fields(table),
        **card_fields(coding, table),
        **portfolio_fields(coding, table),
        **official_fields(table),
        **building_fields(coding, table),
        **store_fields(table),
        **rubble_fields(table),
        **church_fields(coding, table),
        **decree_fields(coding, table),
    }


def turn_fields(coding: Coding, match: Match) -> dict[str, Any]:
    table, question = match.table, match.question
    order = table.clockwise(table.starter)
    frames = [coding.frame(activity) for activity in table.activities]
    return {
        "actor": match.actor,
        "decision": DECISIONS.index(match.decision) if question else None,
        "legal": legal(coding, match),
        "turns": table.turns,
        "rounds": int(table.is_over),
        "end": int(table.end not in ("", SETS)),
        "truncated": 0,
        "order": [order.index(seat) for seat in table.seats],
        "standing": [player.wigs for player in table.players],
        "period": table.period - 1,
        "phase": PHASES.index(table.phase),
        "active": table.active,
        "starter": table.starter,
        "countdown": table.countdown,
        "visited": index(NOBLES, table.visited),
        "asked": table.asked,
        "first": table.first,
        "to_ask": table.to_ask,
        "surrendered": table.surrendered,
        "rewarded": bits(NOBLES.index(noble) for noble in table.rewarded),
        "drawn": index(DECKS, table.drawn),
        "scoring": table.scoring,
        "cost": table.cost,
        "depth": len(frames),
        "frame": filled(frames, DEPTH, (0,) * 9),
    }


def legal(coding: Coding, match: Match) -> int:
    """The set of local indices, none where they depend on a hand."""
    question = match.question
    if question is None or question.decision in OF_THE_HAND:
        return 0
    assert question.options is not None
    return bits(coding.item(match.table, question.seat, question.decision, word) for word in question.options)


def track_fields(table: Table) -> dict[str, Any]:
    players = table.players
    return {
        "treasury": table.treasury,
        "price": counts(table.prices, GOODS),
        "influence": [player.influence for player in players],
        "reais": [player.reais for player in players],
        "bank": counts(table.bank, GOODS),
        "goods": [counts(player.goods, GOODS) for player in players],
    }


def card_fields(coding: Coding, table: Table) -> dict[str, Any]:
    players, decks = table.players, [table.decks[name] for name in DECKS]
    drawn = [drawn_openly(table, player) for player in players]
    return {
        "face": codes(coding.card, (deck.face for deck in decks)),
        "deck": [len(deck.under) + (deck.face is not None) for deck in decks],
        "hand": [len(player.hand) for player in players],
        "dealt": [counts(player.dealt, ("blue", "purple")) for player in players],
        "open": [filled(codes(coding.card, cards), HAND, 0) for cards in drawn],
        "opened": [len(cards) for cards in drawn],
        "seen": words_of(coding.card[card] for card in table.seen),
    }


def drawn_openly(table: Table, player: Player) -> list[str]:
    """The cards in a hand that came from the display."""
    return [card for card in player.hand if card is not None and table.rules.cards[card].deck in ("red", "brown")]


def portfolio_fields(coding: Coding, table: Table) -> dict[str, Any]:
    players, seats = table.players, table.seats
    takes = {(seat, dock) for seat in seats for dock, card in enumerate(players[seat].top) if takes_goods(table, card)}
    return {
        "top": [filled([coding.top(card) for card in player.top], SLOTS, NOTHING) for player in players],
        "bottom": [filled(codes(coding.card, player.bottom), SLOTS, NOTHING) for player in players],
        "cargo": [filled([cargo(card) for card in player.top], SLOTS, [0] * len(GOODS)) for player in players],
        "at_sea": [filled([int(card is not None and card.at_sea) for card in p.top], SLOTS, 0) for p in players],
        "docks": bits(3 * seat + dock for seat, dock in takes),
        "tucked": [sum(card is not None for card in (*player.top, *player.bottom)) for player in players],
        "icons": [table.influence_shown(seat) - table.bonus(seat, "influence_bonus") for seat in seats],
        "power": [[table.bonus(seat, code, what) for code, what in POWERS] for seat in seats],
        "shipyard": len(table.shipyard),
    }


def takes_goods(table: Table, card: Card | None) -> bool:
    """Whether it is a ship that takes goods (L-8.4)."""
    return card is not None and card.ship and not card.at_sea and card.cargo.total() < table.rules.ships[card.id].hull


def cargo(card: Card | None) -> list[int]:
    return counts(card.cargo if card is not None else {}, GOODS)


def official_fields(table: Table) -> dict[str, Any]:
    players = table.players
    return {
        "board": [player.officials for player in players],
        "office": [table.offices[noble] for noble in NOBLES],
        "courtyard": [player.courtyard for player in players],
        "serving": [player.on_buildings for player in players],
    }


def building_fields(coding: Coding, table: Table) -> dict[str, Any]:
    players, rules = table.players, table.rules
    architects = [[rules.plans[plan].architect for plan in player.completed] for player in players]
    built = [table.built.get(site, (None, None)) for site in SITES]
    return {
        "pile": [len(table.piles[architect]) for architect in ARCHITECTS],
        "plan": [filled(codes(coding.plan, player.plans), PLANS_HELD, 0) for player in players],
        "plans": [len(player.plans) for player in players],
        "completed": [bits(codes(coding.plan, player.completed)) for player in players],
        "completions": [[sides.count(architect) for architect in ARCHITECTS] for sides in architects],
        "required": [table.officials_counted(seat) for seat in table.seats],
        "stack": [len(table.stacks[architect]) for architect in ARCHITECTS],
        "building": [filled(codes(coding.building, table.stacks[a][:2]), 2, NOTHING) for a in ARCHITECTS],
        "site_building": codes(coding.building, (tile for tile, _ in built)),
        "site_side": [index(ARCHITECTS, side) for _, side in built],
        "free_sites": bits(SITES.index(site) for site in rules.sites if site not in table.built),
    }


def store_fields(table: Table) -> dict[str, Any]:
    players, seats = table.players, table.seats
    return {
        "block_owner": [table.owner.get(block, NOBODY) for block in BLOCKS],
        "block_good": [index(GOODS, table.good_of.get(block)) for block in BLOCKS],
        "free_blocks": bits(BLOCKS.index(block) for block in table.rules.blocks if block not in table.owner),
        "stores": [[table.metric(seat, f"stores_{good}") for good in GOODS] for seat in seats],
        "row_stores": [[table.metric(seat, f"stores_row_{row}") for row in ROWS] for seat in seats],
        "tiles": counts(table.city_display, TILES),
        "tile_pile": counts(table.city_piles, TILES),
        "column_value": [table.column_value(column) for column in COLUMNS],
        "houses": [player.houses for player in players],
        "group": [counts(player.houses_taken, GROUPS) for player in players],
    }


def rubble_fields(table: Table) -> dict[str, Any]:
    players, cost = table.players, table.rules.rubble_cost
    values = [[cost[kind] for kind in table.zones[zone].elements()] for zone in ZONES]
    return {
        "zone": [counts(table.zones[zone], RUBBLE) for zone in ZONES],
        "zone_value": [sum(cubes) for cubes in values],
        "zone_dearest": [max(cubes, default=0) for cubes in values],
        "site_cubes": [counts(table.site_cubes.get(site, {}), RUBBLE) for site in SITES],
        "cube_pile": counts(table.pile, RUBBLE),
        "lost": counts(table.out, RUBBLE),
        "cubes": [counts(player.cubes, RUBBLE) for player in players],
        "sets": [player.sets for player in players],
        "markers": [player.portrait for player in players],
        "markers_spent": [player.spent_this_turn for player in players],
        "favors": counts(table.favors, NOBLES),
        "favor": [counts(player.favors, NOBLES) for player in players],
    }


def church_fields(coding: Coding, table: Table) -> dict[str, Any]:
    players = table.players
    return {
        "cardinal": table.cardinal,
        "slot": codes(coding.tile, table.slots),
        "offer": [filled(codes(coding.tile, table.offers.get(seat, ())), OFFER, NOTHING) for seat in table.seats],
        "clergy": [filled(codes(coding.tile, player.clergy), CLERGY_HELD, 0) for player in players],
        "tiles_held": [len(player.clergy) for player in players],
        "bag": bits(codes(coding.tile, table.bag)),
    }


def decree_fields(coding: Coding, table: Table) -> dict[str, Any]:
    deck = set[str]() if table.phase == SETUP else table.decree_deck
    return {
        "decree": filled(codes(coding.decree, table.decrees), DECREE_DISPLAY, NOTHING),
        "decree_deck": len(deck),
        "decrees_left": words_of(codes(coding.decree, deck)),
        "decrees": [words_of(codes(coding.decree, player.decrees)) for player in table.players],
        "banned": [NOTHING for _ in table.seats],
        "closed": [0 for _ in table.seats],
        "blanked": [NOTHING for _ in table.seats],
    }


def private_fields(coding: Coding, hand: Sequence[str | None]) -> dict[str, Any]:
    """`State.private` of a seat."""
    return {"hand": filled(codes(coding.card, hand), HAND, 0)}


class Kernel:
    """The same values read from a record of the kernels. The memory stays theirs: each read sees what it holds now."""

    def __init__(self, coding: Coding, state: Any) -> None:
        self.coding = coding
        self.seats = range(coding.rules.seats)
        self.public, self.secret = state.public, state.secret
        self._public = views(self.public)
        self._private = [views(state.private[seat]) for seat in self.seats]

    def public_fields(self) -> dict[str, Any]:
        found = {name: values.tolist() for name, values in self._public.items()}
        for name in PER_SEAT:
            found[name] = found[name][: len(self.seats)]
        found["office"] = [office[: len(self.seats)] for office in found["office"]]
        if found["actor"] < 0:
            found["decision"] = None
        return found

    def privates(self) -> list[dict[str, Any]]:
        return [{name: values.tolist() for name, values in private.items()} for private in self._private]

    def secrets(self) -> dict[str, Any]:
        """What nobody sees, as far as it can still come: decks in any order, stacks from the top."""
        public, secret, coding = self.public, self.secret, self.coding
        tiles = int(public.bag).bit_count()
        return {
            "decks": [sorted(secret.deck[k, : public.deck[k]].tolist()) for k in range(len(DECKS))],
            "bag": sorted(secret.bag[:tiles].tolist()),
            "decrees": sorted(secret.decree[: public.decree_deck].tolist()),
            "stacks": [secret.stack[a, : public.stack[a]][::-1].tolist() for a in range(len(ARCHITECTS))],
            "faces": [int(secret.deck[k, public.deck[k] - 1]) for k in range(len(DECKS)) if public.face[k] >= 0],
            "cards": len(coding.card),
        }


def secret_fields(coding: Coding, table: Table) -> dict[str, Any]:
    """The same from the reference."""
    decks = [table.decks[name] for name in DECKS]
    faces = [[deck.face] if deck.face is not None else [] for deck in decks]
    return {
        "decks": [sorted(codes(coding.card, [*deck.under, *face])) for deck, face in zip(decks, faces, strict=True)],
        "bag": sorted(codes(coding.tile, table.bag)),
        "decrees": sorted(codes(coding.decree, table.decree_deck)),
        "stacks": [codes(coding.building, table.stacks[architect]) for architect in ARCHITECTS],
        "faces": [coding.card[card] for face in faces for card in face],
        "cards": len(coding.card),
    }


PER_SEAT = (
    *("order", "standing", "influence", "reais", "goods", "hand", "dealt", "open", "opened", "top", "bottom", "cargo"),
    *("at_sea", "tucked", "icons", "power", "board", "courtyard", "serving", "plan", "plans", "completed"),
    *("completions", "required", "stores", "row_stores", "houses", "group", "cubes", "sets", "markers"),
    *("markers_spent", "favor", "offer", "clergy", "tiles_held", "decrees", "banned", "closed", "blanked"),
)


def views(record: Any) -> dict[str, NDArray[Any]]:
    """The fields of a record as arrays over its memory."""
    whole: NDArray[Any] = np.ndarray((), record.dtype, buffer=record)
    return {name: whole[name] for name in record.dtype.names}
