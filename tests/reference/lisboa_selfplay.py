"""Games of Lisboa that the plain Python reference plays with itself: chance and choices are drawn at random."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.reference.lisboa import Match
from tests.reference.lisboa_state import Event, Happening, Table
from tests.reference.lisboa_tables import COLUMNS, NOBLES, STATIONS, Rules


def play_game(rules: Rules, rng: Random) -> Iterator[tuple[Match, Event]]:
    """A random game: the match, and each event before the match is told."""
    match = Match(rules)
    while not match.table.is_over:
        event = next_event(match, rng)
        yield match, event
        match.apply(event)


def next_event(match: Match, rng: Random) -> Event:
    """A legal next event: a random one of the legal choices, or what chance brings."""
    expected = match.table.expects
    if isinstance(expected, Happening):
        return CHANCE[expected.name](match.table, expected.of, rng)
    options = match.options()
    if expected is None or not options:
        raise ValueError("nothing is to be decided here")
    return {
        "seat": expected.seat,
        "decision": expected.decision,
        "options": list(options),
        "action": rng.choice(options),
        "forced": len(options) == 1,
    }


def start_player(table: Table, of: None, rng: Random) -> Event:
    return {"chance": "start_player", "seat": rng.choice(table.seats)}


def building_stacks(table: Table, of: None, rng: Random) -> Event:
    tiles = shuffled(table.rules.buildings, rng)
    half = len(tiles) // 2
    return {"chance": "building_stacks", "blue": tiles[:half], "green": tiles[half:]}


def scoring_tiles(table: Table, of: None, rng: Random) -> Event:
    return {"chance": "scoring_tiles", "spaces": shuffled(table.rules.scoring_tiles, rng)}


def clergy_offer(table: Table, of: tuple[int, int], rng: Random) -> Event:
    seat, number = of
    tiles = rng.sample(sorted(table.bag), number)
    return {"chance": "clergy_offer", "seat": seat, "tiles": tiles}


def favor_draw(table: Table, seat: int, rng: Random) -> Event:
    pool = [noble for noble in NOBLES for _ in range(table.favors[noble])]
    return {"chance": "favor_draw", "seat": seat, "noble": rng.choice(pool)}


def start_plan(table: Table, seat: int, rng: Random) -> Event:
    return {"chance": "start_plan", "seat": seat, "plan": rng.choice(sorted(table.start_plans))}


def hand(table: Table, seat: int, rng: Random) -> Event:
    colour = "blue" if table.period == 1 else "purple"
    deck = sorted(table.unseen & set(table.rules.of_deck(colour)))
    missing = table.rules.numbers["hand_size"] - len(table.players[seat].hand)
    return {"chance": "hand", "seat": seat, "cards": rng.sample(deck, missing)}


def church_tiles(table: Table, of: None, rng: Random) -> Event:
    return {"chance": "church_tiles", "tiles": rng.sample(sorted(table.bag), STATIONS)}


def card_reveal(table: Table, name: str, rng: Random) -> Event:
    return {"chance": "card_reveal", "deck": name, "card": rng.choice(sorted(table.decks[name].under))}


def clergy_refill(table: Table, slot: int, rng: Random) -> Event:
    return {"chance": "clergy_refill", "slot": slot, "tile": rng.choice(sorted(table.bag))}


def decree_reveal(table: Table, position: int, rng: Random) -> Event:
    return {"chance": "decree_reveal", "position": position, "card": rng.choice(sorted(table.decree_deck))}


def rubble(table: Table, of: None, rng: Random) -> Event:
    rules = table.rules
    cubes = shuffled(rules.rubble.elements(), rng)

    def some(number: int) -> list[str]:
        return [cubes.pop() for _ in range(number)]

    return {
        "chance": "rubble",
        "rows": {row: some(rules.zone_cubes[row]) for row in rules.rows},
        "columns": {column: some(rules.zone_cubes[column]) for column in COLUMNS},
        "sites": {site: some(rules.site_cubes[site]) for site in rules.sites},
        "pile": some(rules.zone_cubes["pile"]),
        "box": cubes,
    }


def turn_end(table: Table, seat: int, rng: Random) -> Event:
    values = {name: [getattr(player, name) for player in table.players] for name in ("wigs", "influence", "reais")}
    return {"turn_end": seat, **values}


def period_end(table: Table, of: tuple[str, int], rng: Random) -> Event:
    reason, seat = of
    return {"period_end": 1, "reason": reason, "seat": seat, "wigs": [player.wigs for player in table.players]}


def final_rounds(table: Table, reason: str, rng: Random) -> Event:
    return {"final_rounds": reason}


CHANCE: dict[str, Callable[[Table, Any, Random], Event]] = {
    "start_player": start_player,
    "building_stacks": building_stacks,
    "scoring_tiles": scoring_tiles,
    "clergy_offer": clergy_offer,
    "favor_draw": favor_draw,
    "start_plan": start_plan,
    "hand": hand,
    "church_tiles": church_tiles,
    "card_reveal": card_reveal,
    "clergy_refill": clergy_refill,
    "decree_reveal": decree_reveal,
    "rubble": rubble,
    "turn_end": turn_end,
    "period_end": period_end,
    "final_rounds": final_rounds,
}


def shuffled(things: Any, rng: Random) -> list[Any]:
    found = list(things)
    rng.shuffle(found)
    return found
