"""The features of Vaalbara in plain Python, from the descriptions in simcore/games/vaalbara/{features,seen}.py."""

from collections.abc import Iterable
from math import prod
from statistics import fmean

from tests.reference.vaalbara import FIRST, SECOND, TYPES, Character, Land, Table, count, reward

EFFECTS = {
    "OTHERS_REVEAL_FIGHTER": "fighter",
    "GIVE_OTHER": "bard",
    "BEFORE_NEIGHBOURS": "hunter",
    "ODD_NEIGHBOURS": "oracle",
    "PER_FOREST": "carpenter",
    "STEAL_PREVIOUS": "falconer",
    "SWAP_ROW_DECKTOP": "tracker",
    "RECOVER_CHARACTER": "midwife",
    "SWAP_ROWS": "rider",
    "AFTER_NEIGHBOURS": "artisan",
    "SWAP_REALM_DECKBOTTOM": "pioneer",
    "DOUBLE_LAND": "farmer",
    "NONE": "none",
}


class Looker:
    """A seat to decide, its hand, and the open table."""

    def __init__(self, table: Table, seat: int, hand: set[Character]) -> None:
        self.table, self.seat, self.hand, self.rules = table, seat, hand, table.rules
        self.others = [other for other in table.seats if other != seat]
        self.left = self.rules.rounds - table.rounds - 1
        self.falls = self._falls()

    def _falls(self) -> dict[str, float]:
        """Lands of each type that fall to a seat in the rounds left."""
        gone = [land for realm in self.table.realms for land in realm] + self.table.rows[FIRST]
        coming = set(self.rules.lands) - set(gone)
        return {kind: count(coming, kind) * self.left / max(len(coming), 1) for kind in TYPES}

    # --- What a seat has, and what a land is to it ---

    def realm(self, seat: int) -> list[Land]:
        return self.table.realms[seat]

    def types(self, seat: int) -> int:
        return len({land.type for land in self.realm(seat)})

    def beside(self, seat: int) -> list[Land]:
        return [land for neighbour in self.rules.neighbours(seat) for land in self.realm(neighbour)]

    def unplayed(self, seat: int, effect: str) -> list[Character]:
        gone = self.table.discards[seat] + self.table.revealed[seat : seat + 1]
        return [
            character for character in self.rules.characters if character not in gone and character.effect == effect
        ]

    def carpenters(self, seat: int) -> int:
        return sum(character.amount for character in self.unplayed(seat, "PER_FOREST"))

    @property
    def mean_river(self) -> float:
        return fmean(min(character.initiative, self.rules.river_cap) for character in self.rules.characters)

    def initiative(self, seat: int) -> int:
        return self.table.revealed[seat].initiative if self.table.revealed else int(self.mean_river + 0.5)

    def pays(self, seat: int, land: Land, initiative: int) -> int:
        return reward(self.rules, land, [*self.realm(seat), land], self.beside(seat), initiative)

    def village_growth(self) -> float:
        return sum(
            unit * self.falls[kind] for kind, (code, unit) in self.rules.rewards.items() if code == "PER_DISTINCT_TYPE"
        )

    def growth(self, kind: str, own: int, *, known: bool) -> float:
        code, unit = self.rules.rewards[kind]
        points = 0.0
        if code in ("PER_FIELD", "PER_MEADOW_SELF_AND_NEIGHBOURS"):
            points = unit * self.falls[kind]
        elif code == "INITIATIVE_TIMES_RIVERS":
            points = unit * self.falls[kind] * self.mean_river
        elif code == "MILESTONE_2_4" and own in (0, 1, 2):
            prize, missing = {
                0: (self.rules.mountain_second, 1),
                1: (self.rules.mountain_fourth, 2),
                2: (self.rules.mountain_fourth, 1),
            }[own]
            points = prize * min(1.0, self.falls[kind] / missing) ** missing
        return points if known else points + self.village_growth()

    def promise(self, seat: int, land: Land, initiative: int | None = None) -> float:
        own = count(self.realm(seat), land.type)
        pays = self.pays(seat, land, self.initiative(seat) if initiative is None else initiative)
        return pays + self.growth(land.type, own, known=own > 0)

    def others_promise(self, land: Land) -> float:
        return fmean(self.promise(other, land) for other in self.others)

    def pays_unseen(self, kind: str, given: Land | None) -> float:
        """A land of a type with the mean print, after another has left the own Realm."""
        if self.rules.rewards[kind].code == "PRINTED":
            printed = [land.value for land in self.rules.lands if land.type == kind]
            return fmean(printed) if printed else 0.0
        land = Land("", kind, 0, ())
        realm = self.realm(self.seat).copy()
        if given is not None:
            realm.remove(given)
        return reward(self.rules, land, [*realm, land], self.beside(self.seat), self.initiative(self.seat))

    def unseen_pays(self, given: Land | None = None) -> float:
        weights = {kind: fall + 1e-6 for kind, fall in self.falls.items()}
        total = sum(weight * self.pays_unseen(kind, given) for kind, weight in weights.items())
        return total / sum(weights.values())

    # --- What the others may hold ---

    def held(self, seat: int, character: Character) -> float:
        known = self.table.known[seat]
        gone = set(self.table.discards[seat]) | set(self.table.revealed[seat : seat + 1])
        hidden = set(self.rules.characters) - known - gone
        if character in hidden:
            return (self.table.hand_sizes[seat] - len(known)) / len(hidden)
        return float(character in known)

    def plays(self, seat: int, some: Iterable[Character]) -> float:
        """The chance that a seat plays one of some characters."""
        return sum(self.held(seat, character) for character in some) / max(self.table.hand_sizes[seat], 1)

    def before(self, seat: int, character: Character) -> float:
        """The chance that a seat acts before the own character."""
        place = self.table.ranking.index
        own = character.initiative, place(self.table.clans[self.seat])
        clan = self.table.clans[seat]
        return self.plays(seat, [other for other in self.rules.characters if (other.initiative, place(clan)) < own])

    # --- Actions ---

    def action(self, word: str) -> dict[str, float]:
        """The features of an action in the words of a replay, those that are not 0, by name."""
        expects = self.table.expects
        if expects == "CHARACTER":
            found = self._character(self.rules.character[word])
        elif expects == "MIDWIFE":
            kept = self._keep(self.rules.character[word], len(self.hand))
            found = {name: -value for name, value in kept.items()}
        elif expects == "TAKE":
            found = self._take(self.rules.land[word])
        elif expects == "SHOW_FIGHTER":
            found = {"show": self.table.revealed[self.table.actor].amount if word == "yes" else 0}
        elif expects == "BARD":
            mean = fmean(self.table.vp[other] for other in self.others)
            found = {"give": self.table.vp[int(word.removeprefix("seat"))] - mean}
        elif expects == "TRACKER":
            row, _, land = word.partition(":")
            found = self._track(row, self.rules.land[land])
        elif expects == "RIDER":
            near, _, far = word.partition(":")
            found = self._ride(self.rules.land[near], self.rules.land[far])
        else:
            found = self._settle(self.rules.land[word])
        return {name: float(value) for name, value in found.items() if value}

    def _character(self, character: Character) -> dict[str, float]:
        row, second = self.table.rows[FIRST], self.table.rows[SECOND]
        initiative, amount, effect = character.initiative, character.amount, character.effect
        promises = [self.promise(self.seat, land, initiative) for land in row]
        pays = [self.pays(self.seat, land, initiative) for land in row]
        before = fmean(self.before(other, character) for other in self.others)
        neighbours = sorted(self.rules.neighbours(self.seat))
        found: dict[str, float] = {
            "before": before,
            "land": max(promises),
            "land_spread": before * (max(promises) - fmean(promises)),
        }
        odd = [other for other in self.rules.characters if other.initiative % 2]
        if effect == "DOUBLE_LAND":
            more = self.rules.farmer_factor - 1
            found |= {"farmer": more * max(pays), "farmer_spread": more * before * (max(pays) - fmean(pays))}
        elif effect == "OTHERS_REVEAL_FIGHTER":
            fighters = [other for other in self.rules.characters if other.effect == effect]
            held = sum(self.held(seat, fighter) for seat in self.others for fighter in fighters)
            found |= {
                "fighter": amount * held / len(self.others),
                "fighter_paid": amount * self.rules.fighter_pays_owner,
            }
        elif effect == "GIVE_OTHER":
            found["bard"] = amount
        elif effect == "BEFORE_NEIGHBOURS":
            found["hunter"] = amount * prod(1 - self.before(other, character) for other in neighbours)
        elif effect == "ODD_NEIGHBOURS":
            found["oracle"] = amount * sum(self.plays(other, odd) for other in neighbours)
        elif effect == "PER_FOREST":
            found["carpenter"] = amount * count(self.realm(self.seat), "forest")
        elif effect == "STEAL_PREVIOUS":
            found["falconer"] = amount * (1 - prod(1 - self.before(other, character) for other in self.others))
        elif effect == "SWAP_ROW_DECKTOP":
            found["tracker"] = 1
        elif effect == "RECOVER_CHARACTER":
            found["midwife"] = any(other.effect != effect for other in self.table.discards[self.seat])
        elif effect == "SWAP_ROWS":
            far = [self.promise(self.seat, land, initiative) for land in second]
            found["rider"] = max(max(far, default=0) - max(promises), 0)
        elif effect == "AFTER_NEIGHBOURS":
            found["artisan"] = amount * prod(self.before(other, character) for other in neighbours)
        elif effect == "SWAP_REALM_DECKBOTTOM" and self.realm(self.seat):
            found["pioneer"] = self.unseen_pays()
        return found | self._keep(character, len(self.hand) - 1)

    def _keep(self, character: Character, others: int) -> dict[str, float]:
        """What is given up by playing a character, with so many other cards in hand."""
        chance = min(1.0, self.left / max(others + self.table.deck_sizes[self.seat], 1))
        later = [other for other in self.rules.characters if other.initiative > character.initiative]
        sight = self.table.rows[FIRST] + self.table.rows[SECOND]
        best = max((self.pays(self.seat, land, self.initiative(self.seat)) for land in sight), default=0)
        name = EFFECTS[character.effect]
        size: float = {
            "none": 0,
            "oracle": character.amount * len(self.rules.neighbours(self.seat)),
            "carpenter": character.amount * count(self.realm(self.seat), "forest"),
            "pioneer": self.unseen_pays(),
            "farmer": (self.rules.farmer_factor - 1) * best,
        }.get(name, 1 if name in ("fighter", "tracker", "midwife", "rider") else character.amount)
        found = {
            "keep_early": chance * len(later) / (len(self.rules.characters) - 1),
            f"keep_{name}": chance * size,
        }
        if name == "carpenter":
            found["keep_forests"] = chance * character.amount * self.falls["forest"]
        if name == "farmer":
            found["keep_farmer_later"] = chance * self.left
        return found

    def _take(self, land: Land) -> dict[str, float]:
        own, kind = count(self.realm(self.seat), land.type), land.type
        character = self.table.revealed[self.seat]
        pays = self.pays(self.seat, land, character.initiative)
        later = self.growth(kind, own, known=True)
        waiting = [other for other in self.others if other not in self.table.acted]
        found: dict[str, float] = {
            "pays": pays,
            "doubled": (self.rules.farmer_factor - 1) * pays if character.effect == "DOUBLE_LAND" else 0,
            "deny": sum(self.promise(other, land) for other in waiting) / len(self.others),
            "forest": self.carpenters(self.seat) if kind == "forest" and self.left else 0,
        }
        code = self.rules.rewards[kind].code
        if code == "PER_FIELD":
            found["field"] = later
        elif code == "PER_MEADOW_SELF_AND_NEIGHBOURS":
            found |= {
                "meadow": later,
                "deny_meadow": later * len(self.rules.neighbours(self.seat)) / len(self.others),
            }
        elif code == "INITIATIVE_TIMES_RIVERS":
            found["river"] = later
        elif code == "MILESTONE_2_4" and own < 3:
            found[("mountain_first", "mountain_second", "mountain_third")[own]] = later
        if own == 0:
            types = self.types(self.seat) + 1
            bonuses = {5: self.rules.five_types_bonus, 6: self.rules.six_types_bonus}
            spare = max(self.left - (6 - types), 0)
            found |= {
                "new_type": self.village_growth(),
                "new_type_bonus": bonuses.get(types, 0) - bonuses.get(types - 1, 0),
                "new_type_way": self.rules.six_types_bonus * spare / self.rules.rounds,
            }
        return found

    def _best_of(self, lands: Iterable[Land]) -> float:
        return max((self.promise(self.seat, land) for land in lands), default=0.0)

    def _track(self, row: str, land: Land) -> dict[str, float]:
        own, others = self.promise(self.seat, land), self.others_promise(land)
        if row == SECOND:
            return {"track_next": own - others}
        rest = self._best_of(other for other in self.table.rows[FIRST] if other != land)
        return {"track_row": 1, "track_own": own, "track_best": max(own - rest, 0), "track_others": others}

    def _ride(self, near: Land, far: Land) -> dict[str, float]:
        row = [other for other in self.table.rows[FIRST] if other != near]
        return {
            "ride_best": self._best_of([*row, far]),
            "ride_next": self.promise(self.seat, near) - self.others_promise(near),
            "ride_taken": self.promise(self.seat, far) - self.others_promise(far),
        }

    def _settle(self, land: Land) -> dict[str, float]:
        own = count(self.realm(self.seat), land.type) - 1
        bottom = self.table.deck[-1]
        pays = self.unseen_pays(land)
        if bottom is not None:
            realm = [other for other in self.realm(self.seat) if other != land]
            pays = reward(self.rules, bottom, [*realm, bottom], self.beside(self.seat), self.initiative(self.seat))
        return {
            "settle_pays": pays,
            "settle_loss": self.growth(land.type, own, known=own > 0),
            "settle_forest": self.carpenters(self.seat) if land.type == "forest" else 0,
            "settle_last": own == 0,
        }

    # --- Positions ---

    def position(self) -> dict[str, float]:
        """The features of the position that are not 0, by name."""
        totals = [self.table.vp[seat] + self.rules.bonus(self.realm(seat)) for seat in self.table.seats]
        own, others = self._realm(self.seat), [self._realm(other) for other in self.others]
        means = {name: fmean(other[name] for other in others) for name in own}
        found: dict[str, float] = {
            "lead": totals[self.seat] - fmean(totals[other] for other in self.others),
            "behind_best": max(totals[other] for other in self.others) - totals[self.seat],
            "rounds": self.left,
            "best_now": own["to_act"] * self._best_of(self.table.rows[FIRST]),
            "best_next": self._best_of(self.table.rows[SECOND]),
        }
        found |= own | {f"their_{name}": value for name, value in means.items()}
        return {name: float(value) for name, value in found.items() if value}

    def _realm(self, seat: int) -> dict[str, float]:
        growing, mountains = 0.0, 0.0
        for kind in TYPES:
            own = count(self.realm(seat), kind)
            if self.rules.rewards[kind].code != "MILESTONE_2_4":
                growing += own * self.growth(kind, own, known=True)
            elif own:
                mountains += self.growth(kind, own - 1, known=True)
        return {
            "to_act": seat not in self.table.acted,
            "types": self.types(seat),
            "villages": self.types(seat) * self.village_growth(),
            "growth": growing,
            "mountains": mountains,
            "forests": count(self.realm(seat), "forest") * self.carpenters(seat),
            "farmers": len(self.unplayed(seat, "DOUBLE_LAND")),
            "cards": self.table.hand_sizes[seat] + self.table.deck_sizes[seat],
        }
