"""Valletta: the parameter record that a card set becomes, and the columns of its card log."""

from typing import Any

from simcore import records
from simcore.cardset import CardSet
from simcore.game import LoggedCard
from simcore.games.valletta.cardset import COLOURS, DISCOUNTS, GOODS, PAYMENTS, YES
from simcore.games.valletta.rules import UPGRADED_SIDE
from simcore.games.valletta.state import CARD_SET, GOLD, NOBODY, NOTHING, Effect
from simcore.random import fill_deck, salt

Row = dict[str, Any]


def parameters(card_set: CardSet, seats: int) -> Any:
    """The parameter record (dtype CARD_SET) of a valid card set for so many seats."""
    cards = records.zero(CARD_SET)
    cards.seats = seats
    cards.ban_place = NOBODY
    setup = next(row for row in card_set.tables["setup"] if row["players"] == seats)
    _scalars(cards, card_set.scalars)
    _setup(cards, setup)
    _characters(cards, card_set.tables["characters"])
    _buildings(cards, card_set.tables["buildings"], card_set.tables["characters"])
    _city(cards, setup["columns"], len(card_set.tables["barrels"]), card_set.scalars["area_spaces"])
    fill_deck(
        cards.barrel_deck,
        ((GOODS.index(row["good"]), f"barrel {row['tile_id']}") for row in card_set.tables["barrels"]),
    )
    return cards


def _scalars(cards: Any, scalars: Row) -> None:
    cards.rate = scalars["substitution_rate"]
    cards.filling = 2 ** len(GOODS) - 1 - (0 if scalars["gold_fills"] == YES else 1 << GOLD)
    cards.copies_declined = int(scalars["copies_declined"] == YES)
    cards.chain = int(scalars["apprentice_chain"] == YES)
    cards.passing = int(scalars["passing_triggers"] == YES)
    cards.holding = [scalars["mendicant_holding"], scalars["host_holding"], scalars["collector_holding"]]
    cards.nun_others, cards.trader_pays = scalars["nun_others"], scalars["trader_pays"]
    cards.turn_cap = scalars["turn_cap"]


def _setup(cards: Any, row: Row) -> None:
    cards.hand, cards.plays, cards.houses = row["hand_size"], row["plays_per_turn"], row["houses"]
    cards.extra, cards.trigger_points = row["extra_goods"], row["trigger_points"]
    cards.goods_per_point, cards.area_bonus = row["goods_per_point"], row["area_bonus"]
    cards.start = [row[f"start_{good}"] for good in GOODS]
    cards.pieces = [row[f"pieces_{good}"] for good in GOODS]
    cards.drawn = [row[colour] for colour in COLOURS]


def _characters(cards: Any, rows: list[Row]) -> None:
    cards.characters = len(rows)
    for code, row in enumerate(rows):
        cards.effect[code] = Effect[row["effect"]]
        cards.good[code] = GOODS.index(row["good"]) if row["good"] else NOTHING
        cards.amount[code], cards.points[code] = row["n"], row["points"]
        cards.discount[code] = [0, *(row[name] for name in DISCOUNTS)]
        cards.pay[code] = [row[name] for name in PAYMENTS]
        cards.copyable[code] = row["copyable_by_apprentice"]
        cards.starting[code], cards.pool[code] = row["start_copies_per_player"], row["supply_copies"]
        cards.salt[code] = salt(row["code"])
    cards.starting_cards = sum(row["start_copies_per_player"] for row in rows)


def _buildings(cards: Any, rows: list[Row], characters: list[Row]) -> None:
    code_of = {row["code"]: code for code, row in enumerate(characters)}
    for building, row in enumerate(rows):
        cards.cost[building] = [row[f"cost_{good}"] for good in GOODS]
        cards.icon[building] = GOODS.index(row["icon_good"])
        cards.icons[building] = [row["icons_basic"], row["icons_upgraded"]]
        cards.printed[building] = [row["points_basic"], row["points_upgraded"]]
        cards.colour[building] = COLOURS.index(row["colour"])
        cards.character[building] = code_of[row["character_code"]]
    identities = [(building, f"building {row['building_id']}", row["colour"]) for building, row in enumerate(rows)]
    fill_deck(cards.city_deck, ((building, name) for building, name, _ in identities))
    for colour, deck in zip(COLOURS, cards.colour_deck, strict=True):
        fill_deck(deck, ((building, name) for building, name, own in identities if own == colour))


def _city(cards: Any, columns: int, spaces: int, area_spaces: int) -> None:
    """The geometry of the city (VT-2)."""
    cards.locations, cards.spaces = int(sum(cards.drawn)), spaces
    for location in range(cards.locations):
        cards.near[location] = sum(1 << other for other in neighbours(location, columns, cards.locations))
    for space in range(spaces):
        column = space // area_spaces  # VT-2.5, VT-2.6
        cards.area[space] = sum(1 << other for other in range(cards.locations) if other % columns == column)


def neighbours(location: int, columns: int, locations: int) -> list[int]:
    """The adjacent locations in increasing order (VT-2.4), rows lying above and below the street in turn (VT-2.2)."""
    column, beyond = location % columns, 2 * columns
    near = [
        (location - beyond, location >= beyond),
        (location - 1, column > 0),
        (location + 1, column < columns - 1),
        (location + beyond, location + beyond < locations),
    ]
    return [other for other, is_there in near if is_there]


def log_cards(card_set: CardSet, seats: int) -> tuple[LoggedCard, ...]:
    """The columns of the card log: what happened to each character, then to both sides of each building."""
    characters, buildings, upgrades = [], [], []
    for code, row in enumerate(card_set.tables["characters"]):
        name, rows = row["code"].lower(), (f"characters.{row['code']}",)
        characters.append(LoggedCard(code, name, row["name"], name, "characters", False, tallied=True, rows=rows))
    for building, row in enumerate(card_set.tables["buildings"]):
        number, letter, label = row["building_id"], row["letter"], row["label"]
        basic, upgraded = UPGRADED_SIDE + building, 2 * UPGRADED_SIDE + building
        kind, group, rows = f"building_{letter}", f"{row['colour']} buildings", (f"buildings.{letter}",)
        buildings.append(LoggedCard(basic, f"building_{number}", label, kind, group, False, rows=rows))
        name, better, improved = f"upgrade_{number}", f"upgrade_{letter}", f"{label}, upgraded"
        upgrades.append(LoggedCard(upgraded, name, improved, better, "upgrades", False, side_of=kind, rows=rows))
    return (*characters, *buildings, *upgrades)
