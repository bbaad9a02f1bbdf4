"""Vaalbara: the position in words, as one seat sees it."""

from collections.abc import Iterator, Mapping
from typing import Any

from simcore.cardset import CardSet
from simcore.games.vaalbara.cardset import CLANS
from simcore.games.vaalbara.parameters import coded, label
from simcore.games.vaalbara.state import FIRST, SECOND, UNKNOWN, Decision
from simcore.words import called, members, row

ASKED = {
    Decision.CHARACTER: "choose a character in secret; low initiative acts first",
    Decision.SHOW_FIGHTER: "show your Fighter for points, or not",
    Decision.BARD: "choose who gains the Bard's gift",
    Decision.TRACKER: "choose a land to swap with the top of the Land deck",
    Decision.MIDWIFE: "take a character back into your hand",
    Decision.RIDER: "choose a land of each row; they are swapped",
    Decision.PIONEER: "choose a land of your Realm to swap with the bottom of the Land deck",
    Decision.TAKE: "take a land of the first row into your Realm",
}


class Positions:
    """Positions of one card set."""

    def __init__(self, card_set: CardSet) -> None:
        self._rounds = card_set.scalars["rounds"]
        self._land = {code: f"{card['id']} ({label(card)})" for code, card in coded(card_set)}
        self._kind = {code: label(card) for code, card in coded(card_set)}
        self._character = [card["key"] for card in card_set.tables["characters"]]
        self._initiative = [card["initiative"] for card in card_set.tables["characters"]]
        self._effect = [_effect(card, card_set.scalars) for card in card_set.tables["characters"]]
        self._types = [(card["key"], _pays(card, card_set.scalars)) for card in card_set.tables["land_types"]]

    def lines(self, public: Any, me: Any, seat: int, seats: int) -> list[str]:
        """As `simcore.words.Words.position`."""
        number = min(int(public.played_rounds) + 1, self._rounds)
        omens = sorted(range(seats), key=lambda other: int(public.omens[public.clan[other]]))
        return [
            f"round {number} of {self._rounds}; the omens, best first: "
            + row(f"{called(other, seat)} ({CLANS[int(public.clan[other])]})" for other in omens),
            f"first row, to take from: {self._row(public, FIRST)}",
            f"second row: {self._row(public, SECOND)}",
            *self._deck(public),
            *(f"  {kind}: {text}" for kind, text in self._types),
            *(line for other in range(seats) for line in self._realm(public, other, seat)),
            *self._turns(public, seat, seats),
            "your hand:",
            *(
                f"  {self._character[code]} (initiative {self._initiative[code]}): {self._effect[code]}"
                for code in members(me.hand)
            ),
            *([f"you have chosen {self._character[int(me.chosen)]}"] if me.chosen >= 0 else []),
            *([f"you are to {ASKED[Decision(public.decision)]}"] if public.actor == seat else []),
        ]

    def _row(self, public: Any, which: int) -> str:
        return row(self._land[int(code)] for code in public.row[which, : public["count"][which]])

    def _deck(self, public: Any) -> Iterator[str]:
        ends = (("on top", int(public.top)), ("at the bottom", int(public.bottom)))
        known = [f"{where} {self._land[code]}" for where, code in ends if code != UNKNOWN]
        yield f"Land deck: {int(public.deck)} lands" + (f"; {', '.join(known)}" if known else "")

    def _realm(self, public: Any, other: int, seat: int) -> Iterator[str]:
        lands = row(self._kind[int(code)] for code in public.realm[other, : public.lands[other]])
        yield (
            f"{called(other, seat)}: {int(public.standing[other])} points; Realm: {lands}; "
            f"{int(public.hand[other])} cards in hand, {int(public.clan_deck[other])} in the clan deck"
        )
        discarded = members(public.discard[other])
        if discarded:
            yield f"    discarded: {row(self._character[code] for code in discarded)}"
        if other != seat and members(public.known[other]):
            yield f"    known to hold: {row(self._character[code] for code in members(public.known[other]))}"

    def _turns(self, public: Any, seat: int, seats: int) -> Iterator[str]:
        shown = [other for other in range(seats) if public.revealed[other] >= 0]
        if shown:
            yield "characters of this round: " + row(self._shown(public, other, seat) for other in shown)

    def _shown(self, public: Any, other: int, seat: int) -> str:
        code = int(public.revealed[other])
        done = ", has acted" if int(public.acted) >> other & 1 else ""
        return f"{called(other, seat)} {self._character[code]} ({self._initiative[code]}{done})"


def _effect(card: dict[str, Any], rules: Mapping[str, Any]) -> str:
    """What a character does (VB-6), with the numbers of its card set."""
    points = f"{card['vp_amount']} points"
    texts = {
        "NONE": "nothing",
        "OTHERS_REVEAL_FIGHTER": f"each other player may show a Fighter of its hand for {points}",
        "GIVE_OTHER": f"{points} for another player of your choice",
        "BEFORE_NEIGHBOURS": f"{points} if no neighbour has acted yet",
        "ODD_NEIGHBOURS": f"{points} for each neighbour with an odd initiative in this round",
        "PER_FOREST": f"{points} for each of your Forests, before you take a land",
        "STEAL_PREVIOUS": f"take {points} from who has acted directly before you",
        "SWAP_ROW_DECKTOP": "swap a land of the rows with the top of the Land deck, unseen; the old one sets new omens",
        "RECOVER_CHARACTER": "take a character of your discard pile back, but no Midwife",
        "SWAP_ROWS": "swap a land of the first row with one of the second",
        "AFTER_NEIGHBOURS": f"{points} if all neighbours have acted",
        "SWAP_REALM_DECKBOTTOM": "swap a land of your Realm with the bottom of the Land deck; the new one pays at once",
        "DOUBLE_LAND": f"the land that you take in this turn pays {rules['farmer_factor']} times",
    }
    return texts[card["effect_code"]]


def _pays(card: dict[str, Any], rules: Mapping[str, Any]) -> str:
    """What a type of land pays when it is taken (VB-5), with the numbers of its card set."""
    unit = card["vp_per_unit"]
    texts = {
        "PER_MEADOW_SELF_AND_NEIGHBOURS": f"{unit} for each Meadow of yours and of your neighbours, this one included",
        "PER_FIELD": f"{unit} for each of your Fields, this one included",
        "PRINTED": "the value beside its name",
        "PER_DISTINCT_TYPE": f"{unit} for each type of land in your Realm",
        "MILESTONE_2_4": f"{rules['mountain_second']} as your second one, {rules['mountain_fourth']} as your fourth",
        "INITIATIVE_TIMES_RIVERS": (
            f"{unit} for each of your Rivers, times the initiative of your character (at most {rules['river_cap']})"
        ),
    }
    return texts[card["reward_code"]]
