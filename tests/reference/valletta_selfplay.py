"""Games of Valletta that the plain Python reference plays with itself: chance and choices are drawn at random."""

from random import Random

from tests.reference.valletta import (
    BARREL,
    CITY,
    COLOURS,
    DRAW,
    FINAL_PHASE,
    GOODS,
    HAND,
    TURN_END,
    Event,
    Happening,
    Match,
    opening,
)


def next_event(match: Match, rng: Random) -> Event:
    """A legal next event: a random one of the legal choices, or what chance brings."""
    expected = match.table.expects
    if isinstance(expected, Happening):
        return chance(match, expected, rng)
    options = match.options()
    if expected is None or options is None:
        raise ValueError("nothing is to be decided here")
    return {
        "seat": expected.seat,
        "decision": expected.decision,
        "options": list(options),
        "action": rng.choice(options),
        "forced": len(options) == 1,
    }


def chance(match: Match, expected: Happening, rng: Random) -> Event:
    """What happens without anybody's choice."""
    table, rules, seat = match.table, match.rules, expected.seat
    if expected.name == CITY:
        return {"chance": CITY, "buildings": city(match, rng)}
    if expected.name == HAND:
        cards = rng.sample(sorted(rules.starting_set.elements()), opening(table))
        return {"chance": HAND, "seat": seat, "cards": cards}
    if expected.name == DRAW:
        return {"chance": DRAW, "seat": seat, "card": rng.choice(sorted(table.deck(seat).elements()))}
    if expected.name == BARREL:
        left = [good for good in range(4) for _ in range(rules.barrels.count(good) - table.turned[good])]
        return {"chance": BARREL, "space": table.jean, "good": GOODS[rng.choice(left)]}
    if expected.name == FINAL_PHASE:
        return {FINAL_PHASE: seat}
    return {TURN_END: seat, "points": list(table.points)}


def city(match: Match, rng: Random) -> list[int]:
    """Some buildings of each colour, mixed (VT-3.2, VT-3.3)."""
    rules = match.rules
    found = []
    for colour in COLOURS:
        of_colour = [building.id for building in rules.buildings if building.colour == colour]
        found += rng.sample(of_colour, rules.drawn[colour])
    rng.shuffle(found)
    return found
