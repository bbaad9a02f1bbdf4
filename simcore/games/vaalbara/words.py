"""Vaalbara in words: the events of replays, and sentences for people."""

from typing import Any

from simcore.cardset import CardSet
from simcore.games.vaalbara.cardset import CLANS, RANKS
from simcore.games.vaalbara.parameters import coded, label
from simcore.games.vaalbara.position import Positions
from simcore.games.vaalbara.rules import Event
from simcore.games.vaalbara.state import CHARACTERS, FIRST, ROW, SECOND, Decision
from simcore.words import Events, Notes
from simcore.words import Words as GameWords

ROWS = ("first", "second")
ANSWERS = ("no", "yes")
SENTENCES = {
    Decision.CHARACTER: "seat {seat} chooses {word} in secret",
    Decision.MIDWIFE: "seat {seat} takes {word} back into its hand",
    Decision.TAKE: "seat {seat} takes {word}",
}


class Words(GameWords):
    """The words of one card set."""

    def __init__(self, card_set: CardSet) -> None:
        lands = {row["id"]: row for row in card_set.tables["lands"]}
        backs = {row["id"]: [row[rank] for rank in RANKS] for row in card_set.tables["omens"]}
        self._name = {code: row["key"] for code, row in enumerate(card_set.tables["characters"])}
        self._name |= {code: row["id"] for code, row in coded(card_set)}
        self._back = {code: backs[row["omen_id"]] for code, row in coded(card_set)}
        self._kind = {name: label(row) for name, row in lands.items()}
        self._positions = Positions(card_set)

    def action(self, action: int, public: Any) -> str:
        """The word of an action, given what lies on the table before it."""
        decision, item = divmod(action, 64)
        if decision in (Decision.CHARACTER, Decision.MIDWIFE):
            return self._name[item]
        if decision == Decision.SHOW_FIGHTER:
            return ANSWERS[item]
        if decision == Decision.BARD:
            return f"seat{item}"
        if decision == Decision.PIONEER:
            return self._name[int(public.realm[public.actor, item])]
        row, place = divmod(item, ROW)
        if decision == Decision.TRACKER:
            return f"{ROWS[row]}:{self._land(public, row, place)}"
        if decision == Decision.RIDER:
            return f"{self._land(public, FIRST, row)}:{self._land(public, SECOND, place)}"
        return self._land(public, FIRST, item)

    def _land(self, public: Any, row: int, place: int) -> str:
        return self._name[int(public.row[row, place])]

    def sentence(self, seat: int, decision: int, word: str, public: Any) -> str:
        """What a decision means, for people, given what lies on the table before it."""
        if decision == Decision.SHOW_FIGHTER:
            return f"seat {seat} shows its Fighter" if word == "yes" else f"seat {seat} does not show its Fighter"
        if decision == Decision.TRACKER:
            row, land = word.split(":")
            return f"seat {seat} puts {self._spoken(land)} of the {row} row on top of the Land deck"
        if decision == Decision.RIDER:
            one, other = word.split(":")
            return f"seat {seat} swaps {self._spoken(one)} of the first row with {self._spoken(other)} of the second"
        if decision == Decision.PIONEER:
            return f"seat {seat} puts its {self._spoken(word)} under the Land deck"
        if decision == Decision.BARD:
            return f"seat {seat} lets seat {word.removeprefix('seat')} gain the Bard's gift"
        return SENTENCES[Decision(decision)].format(seat=seat, word=self._spoken(word))

    def _spoken(self, name: str) -> str:
        return f"{name} ({self._kind[name]})" if name in self._kind else name

    def events(self, notes: Notes) -> Events:
        """The chance events, and the ends of rounds, that a set-up or a decision has caused."""
        clans: list[str] = []
        hands: dict[int, list[str]] = {}
        lands: list[str] = []
        turns: list[tuple[int, int]] = []
        for kind, _, seat, value in notes:
            if kind == Event.CLAN:
                clans.append(CLANS[value])
            elif kind == Event.DEALT:
                hands.setdefault(seat, []).append(self._name[value])
            elif kind == Event.ROW_LAND:
                lands.append(self._name[value])
            elif kind == Event.ROW_DEALT:
                if clans:
                    yield from _setup(clans, hands)
                    clans = []
                shown = ", ".join(self._spoken(land) for land in lands) or "nothing"
                yield {"chance": "row", "row": ROWS[seat], "lands": lands, "text": f"the {ROWS[seat]} row: {shown}"}
                lands = []
            elif kind == Event.OMENS:
                ranking = self._back[value]
                yield {"chance": "omens", "ranking": ranking, "text": f"the omens: {', '.join(ranking)}"}
            elif kind == Event.TURNED or (kind == Event.DRAWN and value >= CHARACTERS):
                land = self._name[value]
                yield {"chance": "land", "land": land, "text": f"{self._spoken(land)} comes up"}
            elif kind == Event.DRAWN:
                card = self._name[value]
                yield {"chance": "draw", "seat": seat, "card": card, "text": f"seat {seat} draws {card}"}
            elif kind == Event.ROUND_TURN:
                turns.append((seat, value))
            elif kind == Event.ROUND_OVER:
                yield _round(value, turns)

    def position(self, public: Any, me: Any, seat: int, seats: int) -> list[str]:
        """As one of so many seats sees it."""
        return self._positions.lines(public, me, seat, seats)

    def is_unnoticed(self, decision: int, word: str) -> bool:
        """A Fighter that is not shown: who was asked, holds one."""
        return decision == Decision.SHOW_FIGHTER and word == "no"


def _setup(clans: list[str], hands: dict[int, list[str]]) -> Events:
    who = ", ".join(f"seat {seat} {clan}" for seat, clan in enumerate(clans))
    yield {"chance": "clans", "clans": clans, "text": f"the clans: {who}"}
    for seat, cards in sorted(hands.items()):
        yield {"chance": "hand", "seat": seat, "cards": cards, "text": f"seat {seat} is dealt {', '.join(cards)}"}


def _round(number: int, turns: list[tuple[int, int]]) -> dict[str, Any]:
    points = [value for _, value in sorted(turns)]
    text = f"round {number} ends: {' to '.join(map(str, points))} points"
    return {"round": number, "order": [seat for seat, _ in turns], "points": points, "text": text}
