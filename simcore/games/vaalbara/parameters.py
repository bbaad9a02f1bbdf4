"""Vaalbara: the parameter record that a card set becomes, and the words of its cards."""

from itertools import groupby
from typing import Any

from simcore import records
from simcore.cardset import CardSet
from simcore.game import LoggedCard
from simcore.games.vaalbara.cardset import CLANS, RANKS, TYPES, YES
from simcore.games.vaalbara.state import CARD_SET, CHARACTERS, CODES, NOBODY, Effect, Reward
from simcore.random import fill_deck

Row = dict[str, Any]
WORD = 64


def parameters(card_set: CardSet, seats: int) -> Any:
    """The parameter record (dtype CARD_SET) of a valid card set for so many seats."""
    cards, scalars = records.zero(CARD_SET), card_set.scalars
    cards.seats, cards.ban_place = seats, NOBODY
    cards.rounds, cards.start, cards.hand = scalars["rounds"], scalars["start_vp"], scalars["hand_size"]
    cards.second, cards.fourth = scalars["mountain_second"], scalars["mountain_fourth"]
    cards.river_cap, cards.farmer_factor = scalars["river_cap"], scalars["farmer_factor"]
    cards.five_types, cards.six_types = scalars["five_types_bonus"], scalars["six_types_bonus"]
    cards.tracker_reorders = int(scalars["tracker_reorders"] == YES)
    cards.fighter_pays_owner = int(scalars["fighter_pays_owner"] == YES)
    for seat in range(seats):
        cards.neighbours[seat] = sum(1 << other for other in {(seat - 1) % seats, (seat + 1) % seats})  # VB-2.7
    _characters(cards, card_set.tables["characters"])
    _lands(cards, card_set, seats)
    fill_deck(cards.clans, enumerate(CLANS))
    return cards


def _characters(cards: Any, rows: list[Row]) -> None:
    cards.characters = len(rows)
    effects = [Effect[row["effect_code"]] for row in rows]
    cards.everyone = (1 << len(rows)) - 1
    cards.fighters = _set_of(effects, Effect.OTHERS_REVEAL_FIGHTER)
    cards.midwives = _set_of(effects, Effect.RECOVER_CHARACTER)
    for code, (row, effect) in enumerate(zip(rows, effects, strict=True)):
        cards.initiative[code], cards.effect[code], cards.amount[code] = row["initiative"], effect, row["vp_amount"]
        cards.mean_river += min(row["initiative"], cards.river_cap) / len(rows)
    fill_deck(cards.clan_deck, enumerate(row["key"] for row in rows))


def _set_of(effects: list[Effect], wanted: Effect) -> int:
    return sum(1 << code for code, effect in enumerate(effects) if effect == wanted)


def _lands(cards: Any, card_set: CardSet, seats: int) -> None:
    for row in card_set.tables["land_types"]:
        kind = TYPES.index(row["key"])
        cards.reward[kind], cards.unit[kind] = Reward[row["reward_code"]], row["vp_per_unit"]
    back = {row["id"]: row for row in card_set.tables["omens"]}
    for code, row in coded(card_set):
        cards.type[code], cards.printed[code] = TYPES.index(row["type"]), row["forest_value"] or 0
        for place, rank in enumerate(RANKS):
            cards.place[code, CLANS.index(back[row["omen_id"]][rank])] = place
    in_play = kept(card_set, seats)
    for code, _ in in_play:
        cards.kept[cards.type[code]] += 1
        cards.mean_printed[cards.type[code]] += cards.printed[code]
    cards.mean_printed /= cards.kept.clip(min=1)
    cards.lands = len(in_play)
    fill_deck(cards.land_deck, ((code, row["id"]) for code, row in in_play))


def coded(card_set: CardSet) -> list[tuple[int, Row]]:
    """(code, row) of every land of the set, in the order of the table.

    Lands of one kind stand side by side in one word of 64 codes, as the card log asks for; the largest kinds are placed
    first. Whatever 80 lands a set has, they fit the two words.
    """
    rows = sorted(card_set.tables["lands"], key=label)
    kinds = sorted(([*group] for _, group in groupby(rows, key=label)), key=len, reverse=True)
    free = [range(CHARACTERS, WORD), range(WORD, CODES)]
    code: dict[str, int] = {}
    for kind in kinds:
        word = max(word for word in range(len(free)) if len(free[word]) >= len(kind))
        code.update(zip((row["id"] for row in kind), free[word], strict=False))
        free[word] = free[word][len(kind) :]
    return [(code[row["id"]], row) for row in card_set.tables["lands"]]


def kept(card_set: CardSet, seats: int) -> list[tuple[int, Row]]:
    """(code, row) of the lands that so many players use (VB-2.1)."""
    marks = card_set.scalars["player_marks"]
    return [(code, row) for code, row in coded(card_set) if row[marks] <= seats]


def label(row: Row) -> str:
    """The kind of a land in words: its type, with what it prints."""
    return row["type"] if row["forest_value"] is None else f"{row['type']} {row['forest_value']}"


def log_cards(card_set: CardSet, seats: int) -> tuple[LoggedCard, ...]:
    """The columns of the card log: characters, then the lands in play, in the order of their tables."""
    characters = [
        LoggedCard(code, row["key"], row["key"], row["key"], "characters", rows=(f"characters.{row['key']}",))
        for code, row in enumerate(card_set.tables["characters"])
    ]
    lands = []
    for code, row in kept(card_set, seats):
        kind, rows = label(row).replace(" ", "-"), (f"lands.{row['id']}",)
        lands.append(LoggedCard(code, row["id"], label(row), kind, "lands", in_hand=False, rows=rows))
    return (*characters, *lands)
