"""What the records of simcore/games/vaalbara/state.py must hold, as plain values, from what a seat knows.

It follows the description in state.py and no kernel. A set is one number, with a bit for each member; what belongs to
seats that do not play, and slots above a count, are left out.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from tests.reference.vaalbara import CLANS, FIRST, ROWS, SECOND, TYPES, Character, Land, Match, Rules, Table

DECISIONS = ("CHARACTER", "SHOW_FIGHTER", "BARD", "TRACKER", "MIDWIFE", "RIDER", "PIONEER", "TAKE")
ACTIONS = 64  # codes of a decision
DENIED = ("banned", "blanked", "banned_types")  # what a study of access denies a seat; the rules know no such thing
PLACES = 8  # of a row, in the actions of Tracker and Rider


class Coding:
    """The codes of a card set: characters by their place in the table, lands as the game declares them."""

    def __init__(self, rules: Rules, land_codes: dict[str, int]) -> None:
        self.rules = rules
        self.place = {character: place for place, character in enumerate(rules.characters)}
        self.land = {land: land_codes[land.id] for land in rules.lands}

    def characters(self, held: Iterable[Character]) -> int:
        return sum(1 << self.place[character] for character in held)

    def lands(self, lands: Iterable[Land]) -> list[int]:
        return [self.land[land] for land in lands]

    def face(self, land: Land | None) -> int:
        """-1 for a face that not everybody knows."""
        return -1 if land is None else self.land[land]

    def word(self, table: Table, action: int) -> str:
        """An action in the words of a replay, as the table lies before it."""
        decision, item = divmod(action, ACTIONS)
        first, second = table.rows[FIRST], table.rows[SECOND]
        name, high, low = DECISIONS[decision], *divmod(item, PLACES)
        if name in ("CHARACTER", "MIDWIFE"):
            return self.rules.characters[item].key
        if name == "SHOW_FIGHTER":
            return ("no", "yes")[item]
        if name == "BARD":
            return f"seat{item}"
        if name == "TRACKER":
            return f"{ROWS[high]}:{table.rows[ROWS[high]][low].id}"
        if name == "RIDER":
            return f"{first[high].id}:{second[low].id}"
        return (table.realms[table.actor] if name == "PIONEER" else first)[item].id

    def action(self, table: Table, decision: str, word: str) -> int:
        """The action of a word, as the table lies."""
        return ACTIONS * DECISIONS.index(decision) + self._item(table, decision, word)

    def _item(self, table: Table, decision: str, word: str) -> int:
        rules, (one, _, other) = self.rules, word.partition(":")
        first, second = table.rows[FIRST], table.rows[SECOND]
        if decision in ("CHARACTER", "MIDWIFE"):
            return self.place[rules.character[word]]
        if decision == "SHOW_FIGHTER":
            return int(word == "yes")
        if decision == "BARD":
            return int(word.removeprefix("seat"))
        if decision == "TRACKER":
            return PLACES * ROWS.index(one) + table.rows[one].index(rules.land[other])
        if decision == "RIDER":
            return PLACES * first.index(rules.land[one]) + second.index(rules.land[other])
        return (table.realms[table.actor] if decision == "PIONEER" else first).index(rules.land[word])


def places(ranking: Sequence[str]) -> list[int]:
    """The place of each clan in the omens."""
    return [ranking.index(clan) for clan in CLANS]


def public_fields(coding: Coding, table: Table, actor: int) -> dict[str, Any]:
    """`State.public`. At the end of a game there is no decision, and the last round lies as it ended."""
    revealed = [coding.place[character] for character in table.revealed] or [-1 for _ in table.seats]
    return {
        "actor": actor,
        "decision": DECISIONS.index(table.expects) if actor >= 0 else None,
        "turns": table.turns,
        "rounds": int(table.is_over),
        "end": 0,
        "truncated": 0,
        "order": list(table.seats),
        "standing": table.vp,
        "clan": [CLANS.index(clan) for clan in table.clans],
        "played_rounds": table.rounds,
        "omens": places(table.omens),
        "ranking": places(table.ranking),
        "deck": len(table.deck),
        "top": coding.face(table.deck[0]),
        "bottom": coding.face(table.deck[-1]),
        "row": [coding.lands(table.rows[row]) for row in ROWS],
        "realm": [coding.lands(realm) for realm in table.realms],
        "have": [[sum(land.type == kind for land in realm) for kind in TYPES] for realm in table.realms],
        "hand": table.hand_sizes,
        "clan_deck": table.deck_sizes,
        "discard": [coding.characters(pile) for pile in table.discards],
        "known": [coding.characters(known) for known in table.known],
        "recovered": table.recovered,
        **{name: [0 for _ in table.seats] for name in DENIED},
        "barred": 0,
        "revealed": revealed,
        "active": table.acted[-1] if table.is_over else table.actor if table.revealed else -1,
        "acted": sum(1 << seat for seat in table.acted),
        "sequence": table.acted,
    }


def private_fields(coding: Coding, hand: set[Character], choice: Character | None) -> dict[str, int]:
    """`State.private` of a seat. `hand` has the secret choice in it."""
    return {
        "hand": coding.characters(hand - {choice}),
        "chosen": -1 if choice is None else coding.place[choice],
    }


def privates(coding: Coding, match: Match) -> list[dict[str, int]]:
    return [private_fields(coding, *each) for each in zip(match.hands, match.choices, strict=True)]


class Kernel:
    """The same values read from a record of the kernels. The memory stays theirs: each read sees what it holds now."""

    def __init__(self, coding: Coding, state: Any) -> None:
        self.coding = coding
        self.seats = range(coding.rules.seats)
        self.public, self.secret = state.public, state.secret
        self._private = [state.private[seat] for seat in self.seats]
        per_seat = (
            "order",
            "standing",
            "clan",
            "have",
            "hand",
            "clan_deck",
            "discard",
            "known",
            "recovered",
            "revealed",
            *DENIED,
        )
        self._lists = {name: self.public[name][: len(self.seats)] for name in per_seat}
        self._lists |= {name: self.public[name] for name in ("omens", "ranking")}
        self._counted = {"row": self.public["count"], "realm": self.public["lands"][: len(self.seats)]}

    def public_fields(self) -> dict[str, Any]:
        public, actor = self.public, int(self.public.actor)
        numbers = ("turns", "rounds", "end", "truncated", "played_rounds", "deck", "top", "bottom", "active", "acted")
        numbers += ("barred",)
        acted = int(public.acted).bit_count()
        return {
            "actor": actor,
            "decision": int(public.decision) if actor >= 0 else None,
            **{name: int(public[name]) for name in numbers},
            **{name: values.tolist() for name, values in self._lists.items()},
            **{
                name: [public[name][i, :count].tolist() for i, count in enumerate(counts.tolist())]
                for name, counts in self._counted.items()
            },
            "sequence": public["sequence"][:acted].tolist(),
        }

    def privates(self) -> list[dict[str, int]]:
        return [{"hand": int(private.hand), "chosen": int(private.chosen)} for private in self._private]

    def clan_decks(self) -> list[int]:
        """What is left of each clan deck, as a set."""
        sizes = self._lists["clan_deck"].tolist()
        decks = [self.secret.clan_deck[seat, : sizes[seat]].tolist() for seat in self.seats]
        return [sum(1 << place for place in deck) for deck in decks]

    def land_deck(self) -> list[int]:
        """The codes from top to bottom."""
        codes: list[int] = self.secret.land_deck[: int(self.public.deck)].tolist()
        return codes[::-1]
