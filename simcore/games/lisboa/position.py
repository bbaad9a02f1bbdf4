"""Lisboa: the position in words, as one seat sees it."""

from collections.abc import Iterator
from typing import Any

from simcore.cardset import CardSet
from simcore.games.lisboa.parameters import building_ids
from simcore.games.lisboa.state import GROUPS, KINDS, NOTHING, SHIP, SITES, SLOTS, STATIONS, Decision, Phase
from simcore.games.lisboa.vocabulary import ARCHITECTS, BLOCKS, CARD_TYPES, CITY_TILES, HOUSE_GROUPS, NOBLES, RUBBLE
from simcore.games.lisboa.vocabulary import COLUMNS as COLUMN_WORDS
from simcore.games.lisboa.vocabulary import GOODS as GOOD_WORDS
from simcore.games.lisboa.vocabulary import ROWS as ROW_WORDS
from simcore.games.lisboa.vocabulary import SHIPS as SHIP_WORDS
from simcore.games.lisboa.vocabulary import SITES as SITE_WORDS
from simcore.words import called, heap, members, row

Row = dict[str, Any]
ZONE_WORDS = (*(f"row {name}" for name in ROW_WORDS), *(f"column {name}" for name in COLUMN_WORDS))
ASKED = {
    Decision.CLERGY_KEEP: "keep one of the Clergy tiles that you are offered",
    Decision.MAIN: "use a card: for a gold good, in your portfolio, or at the Royal Court",
    Decision.PORTFOLIO_DISCARD: "discard from your portfolio, to make room",
    Decision.PORTFOLIO_ACTION: "sell goods or trade with the nobles",
    Decision.SELL: "sell a good to a ship, or stop",
    Decision.TRADE: "give a good for a State action, or stop",
    Decision.STATE_ACTION_PICK: "choose a State action, or stop",
    Decision.OFFICE: "choose an office for an official",
    Decision.ARCHITECT: "choose the pile that you take a plan from",
    Decision.SHIP_GOOD: "choose a good to pay for the ship",
    Decision.CARDINAL_STEPS: "choose how far the Cardinal moves",
    Decision.CARDINAL_TILE: "take one of the two Clergy tiles beside the Cardinal",
    Decision.CLERGY_OVERFLOW: "give up a Clergy tile",
    Decision.FAVOR_NOBLE: "choose whose favor you take",
    Decision.STORE_SITE: "choose a block and a street for your store",
    Decision.PAYMENT: "choose how many reais you take from your influence",
    Decision.STORE_CUBE: "take a cube of rubble from the row or the column of your store",
    Decision.DECREE_PICK: "take a decree",
    Decision.DECREE_MARKER: "spend a set marker for one more decree, or keep it",
    Decision.BUILDING_PLAN: "choose the plan by which you open a public building",
    Decision.BUILDING_SITE: "choose its site",
    Decision.BUILDING_OFFICIAL: "choose where an official for it comes from",
    Decision.FOLLOW: "give back a favor to follow the visit, or decline",
    Decision.SURRENDER: "surrender a Clergy tile, or stop",
    Decision.DRAW: "draw the card that a deck shows",
    Decision.PERIOD_DISCARD: "discard a card of your hand, or stop",
    Decision.GOOD_PICK: "choose a good to gain",
    Decision.PAY_GOOD: "choose a good to give up",
    Decision.PRICE_PICK: "choose a good whose price rises",
    Decision.RUBBLE_PICK: "take a cube of rubble from the pile",
    Decision.HOUSE_GROUP: "choose the group from which your house comes",
    Decision.VISIT_REAIS: "choose how many reais you pay instead of influence",
}


class Positions:
    """Positions of one card set."""

    def __init__(self, card_set: CardSet) -> None:
        tables = card_set.tables
        self._card = tables["political_cards"]
        self._clergy = tables["clergy_tiles"]
        self._decree = tables["decrees"]
        self._plan = tables["plans"]
        self._buildings = building_ids(tables["public_buildings"])
        self._serves = {
            (card["public_building_id"], card["side"]): row(good for good in GOOD_WORDS if card[f"serves_{good}"])
            for card in tables["public_buildings"]
        }
        self._blocks = {card["block_id"]: _effect(card, "reward") for card in tables["downtown_blocks"]}
        self._sites = {card["site_id"]: _effect(card, "reward") for card in tables["public_sites"]}
        self._ships = [card for name in SHIP_WORDS for card in tables["ships"] if card["ship_id"] == name]
        self._treasury = {card["step"]: card for card in tables["treasury_track"]}
        self._price = {card["step"]: card["price_reais"] for card in tables["price_track"]}

    def lines(self, public: Any, me: Any, seat: int, seats: int) -> list[str]:
        """As `simcore.words.Words.position`."""
        return [
            *self._time(public),
            *self._market(public, seat, seats),
            *([] if public.phase == Phase.SETUP else self._displays(public)),
            *self._town(public, seat),
            *(line for other in range(seats) for line in self._seat(public, other, seat)),
            *self._hand(public, me, seat),
            *([f"you are to {ASKED[Decision(public.decision)]}"] if public.actor == seat else []),
        ]

    def _time(self, public: Any) -> Iterator[str]:
        left = f"; {int(public.countdown)} turns are left" if public.countdown >= 0 else ""
        yield f"period {int(public.period) + 1} of 2; cards left to draw: {heap(public.deck, CARD_TYPES)}{left}"
        if public.cost:
            yield f"to be paid now: {int(public.cost)}"

    def _market(self, public: Any, seat: int, seats: int) -> Iterator[str]:
        step = self._treasury[int(public.treasury)]
        yield (
            f"Treasury: {step['treasury_value_reais']} reais; a visit costs {step['influence_cost']} influence "
            "and 1 for each official of others in that office"
        )
        prices = (f"{good} {self._price[int(step)]}" for good, step in zip(GOOD_WORDS, public.price, strict=True))
        yield f"prices: {row(prices)}; goods in the bank: {heap(public.bank, GOOD_WORDS)}"
        for noble, name in enumerate(NOBLES):
            placed = row(
                f"{called(other, seat)} {int(public.office[noble, other])}"
                for other in range(seats)
                if public.office[noble, other]
            )
            yield f"  office of the {name}: {placed}; favors left: {int(public.favors[noble])}"
        yield f"rubble pile: {heap(public.cube_pile, RUBBLE)}; ships in the shipyard: {int(public.shipyard)}"

    def _displays(self, public: Any) -> Iterator[str]:
        yield "cards to draw:"
        for kind in range(KINDS):
            if public.face[kind] != NOTHING:
                yield f"  {self._political(int(public.face[kind]))}"
        yield "decrees to take:"
        for code in public.decree:
            if code != NOTHING:
                yield f"  {self._decreed(int(code))}"
        tiles = row(
            f"slot {slot} {self._tile(int(public.slot[slot]))}"
            for slot in range(STATIONS)
            if public.slot[slot] != NOTHING
        )
        yield f"Church: the Cardinal is on station {int(public.cardinal)}, between slots {_beside(public)}; {tiles}"
        yield f"plans left: {heap(public.pile, ARCHITECTS)}"

    def _town(self, public: Any, seat: int) -> Iterator[str]:
        yield f"city tiles to build with: {heap(public.tiles, CITY_TILES)}"
        values = row(f"column {column + 1} {int(value)}" for column, value in enumerate(public.column_value))
        yield f"wigs of a store for each customer: {values}"
        free = (f"{BLOCKS[block]} ({self._blocks[BLOCKS[block]]})" for block in members(public.free_blocks))
        yield f"free blocks: {row(free)}"
        owners = [(BLOCKS[i], int(public.block_owner[i]), int(public.block_good[i])) for i in range(len(BLOCKS))]
        built = (f"{block} {called(owner, seat)} ({GOOD_WORDS[good]})" for block, owner, good in owners if owner >= 0)
        yield f"stores: {row(built)}"
        piles = [(name, heap(cubes, RUBBLE)) for name, cubes in zip(ZONE_WORDS, public.zone, strict=True)]
        yield f"rubble, which makes a store dearer: {'; '.join(f'{name} {cubes}' for name, cubes in piles)}"
        for architect, name in enumerate(ARCHITECTS):
            shown = [self._buildings[int(code)] for code in public.building[architect] if code != NOTHING]
            told = (f"{code} for {self._serves[code, name]}" for code in shown)
            yield f"{name} public buildings, the next one first: {row(told)}; {int(public.stack[architect])} left"
        sites = (f"{SITE_WORDS[site]} ({self._sites[SITE_WORDS[site]]})" for site in members(public.free_sites))
        yield f"free sites: {row(sites)}"
        opened = (self._opened(public, site) for site in range(SITES) if public.site_building[site] != NOTHING)
        yield f"opened: {row(opened)}"

    def _opened(self, public: Any, site: int) -> str:
        code = self._buildings[int(public.site_building[site])]
        return f"{SITE_WORDS[site]} {code} for {self._serves[code, ARCHITECTS[int(public.site_side[site])]]}"

    def _seat(self, public: Any, other: int, seat: int) -> Iterator[str]:
        yield (
            f"{called(other, seat)}: {int(public.standing[other])} wigs, {int(public.influence[other])} influence, "
            f"{int(public.reais[other])} reais; goods: {heap(public.goods[other], GOOD_WORDS)}; "
            f"rubble: {heap(public.cubes[other], RUBBLE)} ({int(public.sets[other])} sets); "
            f"{int(public.houses[other])} houses left; {int(public.markers[other])} set markers"
        )
        houses = heap(public.group[other, :GROUPS], HOUSE_GROUPS)
        favors = heap(public.favor[other], NOBLES)
        yield (
            f"    officials: {int(public.board[other])} at home, {int(public.courtyard[other])} in the courtyard, "
            f"{int(public.serving[other])} in buildings; favors: {favors}; houses taken: {houses}"
        )
        yield f"    portfolio: {row(self._portfolio(public, other))}; influence there: {int(public.icons[other])}"
        yield f"    Clergy: {row(self._tile(int(code)) for code in public.clergy[other, : public.tiles_held[other]])}"
        plans = (self._plan[int(code)] for code in public.plan[other, : public.plans[other]])
        yield f"    plans: {row(_planned(plan) for plan in plans)}; completed: {int(public.completions[other].sum())}"
        yield f"    decrees: {row(self._decreed(code) for code in members(public.decrees[other]))}"
        if other != seat and public.opened[other]:
            known = (self._card[int(code)]["card_id"] for code in public.open[other, : public.opened[other]])
            yield f"    {int(public.hand[other])} cards in hand, among them {row(known)}"

    def _portfolio(self, public: Any, other: int) -> Iterator[str]:
        for slot in range(SLOTS):
            code = int(public.top[other, slot])
            if code >= SHIP:
                ship = self._ships[code - SHIP]
                where = "at sea" if public.at_sea[other, slot] else "docked"
                cargo = heap(public.cargo[other, slot], GOOD_WORDS)
                yield f"{ship['ship_id']} (dock {slot}, {where}, room for {ship['hull_size']}, holds {cargo})"
            elif code != NOTHING:
                yield self._card[code]["card_id"]
        for code in public.bottom[other]:
            if code != NOTHING:
                yield f"{self._card[int(code)]['card_id']} ({_effect(self._card[int(code)], 'permanent')})"

    def _hand(self, public: Any, me: Any, seat: int) -> Iterator[str]:
        offered = [int(code) for code in public.offer[seat] if code != NOTHING] if public.phase == Phase.SETUP else []
        if offered:
            yield f"you are offered: {row(self._tile(code) for code in offered)}"
        if public.hand[seat]:
            yield "your hand:"
            for code in me.hand[: public.hand[seat]]:
                yield f"  {self._political(int(code))}"

    def _political(self, code: int) -> str:
        card = self._card[code]
        if card["permanent_code"]:
            return f"{card['card_id']}: in the portfolio {_effect(card, 'permanent')}; event {_effect(card, 'event')}"
        bottom = "" if card["bottom_kind"] == "none" else f"; {card['bottom_kind']} {_effect(card, 'reward')}"
        return f"{card['card_id']}: visits the {card['card_type']}; influence {card['influence']}{bottom}"

    def _tile(self, code: int) -> str:
        card = self._clergy[code]
        return f"{card['clergy_tile_id']} ({_effect(card, 'permanent')}; {card['back_wigs']} wigs)"

    def _decreed(self, code: int) -> str:
        card = self._decree[code]
        metric, unit = card["metric"].replace("_", " "), card["unit_or_threshold"]
        if card["mode"] == "per":
            return f"{card['decree_id']}: {card['wigs']} wigs for each {unit} {metric}, at most {card['max_wigs']}"
        return f"{card['decree_id']}: {card['wigs']} wigs for at least {unit} {metric}"


def _beside(public: Any) -> str:
    station = int(public.cardinal)
    return f"{(station - 1) % STATIONS} and {station}"


def _planned(plan: Row) -> str:
    return f"{plan['plan_id']} ({plan['architect']}, {plan['officials_required']} officials)"


def _effect(card: Row, part: str) -> str:
    """An effect of a card in words: `gain good any 1`."""
    words = (card[f"{part}_code"], card[f"{part}_arg"], card[f"{part}_amount"])
    return " ".join(str(word).replace("_", " ") for word in words if word not in (None, "")) or "nothing"
