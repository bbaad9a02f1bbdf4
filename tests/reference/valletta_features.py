"""The features of Valletta in plain Python, from the descriptions in simcore/games/valletta/{features,seen}.py."""

from collections import Counter

from tests.reference.valletta import (
    ALL_GOODS,
    BUILD_TARGET,
    COLOURS,
    DISMISS,
    DISMISS_CARD,
    GOODS,
    HIRE,
    HIRE_CARD,
    JEAN_MODE,
    MATERIALS,
    NO,
    NOBODY,
    PICK_GOOD,
    PLAY_CARD,
    SETUP_GOOD,
    SUBSTITUTE,
    USE_EFFECT,
    Character,
    Match,
)

Features = dict[str, float]
NOTHING_OFF = (0, 0, 0, 0)
VICTIMS = ("MENDICANT", "HOST", "TAX_COLLECTOR")
COUNTED = {"POINTS_PER_BLUE": "blue", "POINTS_PER_GREEN": "green", "POINTS_PER_UPGRADED": "upgraded"}
PICKED = ("GAIN_CHOICE", "NUN", "GAIN_ICONS_CHOICE", "TRADER", "PAY_CHOICE_FOR_POINTS")
SHARED = ("use", "goods", "points", "ends", "ending")  # what a pick can bring
TARGETS_WANTED = 2.0


class Looker:
    """A seat to decide, its hand, and the open table."""

    def __init__(self, match: Match) -> None:
        self.match, self.table, self.rules = match, match.table, match.rules
        self.seat = match.actor
        self.hand = self.table.hands[self.seat] or Counter()
        self.goods = self.table.goods[self.seat]
        self.way = self._way()

    def _way(self) -> float:
        """The part of the way to the nearest trigger that is left."""
        table, rules = self.table, self.rules
        if table.triggered != NOBODY:
            return 0.0
        houses = [1 - left / rules.houses for left in table.houses]
        points = [points / rules.trigger_points for points in table.points]
        return max(0.0, 1 - max(table.jean / len(rules.barrels), *houses, *points))

    # --- What a seat has, and what things are to it ---

    def totals(self) -> list[int]:
        """Points as they are, goods left over included."""
        return self.table.scores()

    def lead(self) -> int:
        totals = self.totals()
        return totals[self.seat] - max(totals[other] for other in self.table.others(self.seat))

    def wanted(self, seat: int, good: int) -> float:
        targets = [place for place in range(len(self.table.city)) if self.table.eligible(seat, place)]
        if not targets:
            return 0.0
        costs = [self.table.reduced_cost(seat, place, NOTHING_OFF)[good] for place in targets]
        return TARGETS_WANTED * sum(costs) / len(costs)

    def use(self, seat: int, good: int, held: int) -> float:
        wanted = self.wanted(seat, good)
        return wanted * held / (wanted + held) if held and wanted else 0.0

    def owned(self, seat: int, *effects: str) -> int:
        """Own cards with one of these effects."""
        return sum(number for code, number in self.table.owned[seat].items() if self.card(code).effect in effects)

    def card(self, code: str) -> Character:
        return self.rules.character[code]

    def number_of(self, seat: int, what: str) -> int:
        """Own buildings of a colour, or upgraded ones."""
        if what in COLOURS:
            return self.table.coloured(seat, what)
        return sum(self.table.upgraded[place] for place in self.table.own(seat))

    def points_given(self, seat: int, card: Character) -> int:
        return card.points * (self.number_of(seat, COUNTED[card.effect]) if card.effect in COUNTED else 1)

    def goods_given(self, seat: int, card: Character) -> int:
        icons = [self.table.icons(seat, good) for good in ALL_GOODS]
        match card.effect:
            case "GAIN_FIXED" | "GAIN_CHOICE" | "NUN":
                return card.n
            case "GAIN_ICONS":
                return icons[card.good]
            case "GAIN_ICONS_CHOICE":
                return max(icons)
            case "GAIN_PER_GREEN":
                return self.table.coloured(seat, "green")
            case "TRADER":
                return card.n - self.rules.trader_pays
            case "MERCHANT":
                return 3 * card.n - sum(card.pay)
            case "JEAN":
                return 1
            case "MENDICANT" | "HOST" | "TAX_COLLECTOR":
                return card.n * max(2, self.rules.seats - 1)
            case "PAY_CHOICE_FOR_POINTS":
                return -card.n
            case "PAY_FOR_POINTS":
                return -sum(card.pay)
        return 0

    # --- What an action brings at once ---

    def change(self, goods: dict[int, int]) -> Features:
        """So many of some goods come or go."""
        held = self.goods
        use = [
            self.use(self.seat, good, held[good] + n) - self.use(self.seat, good, held[good])
            for good, n in goods.items()
        ]
        return {"use": sum(use), "goods": sum(goods.values())}

    def ending(self) -> Features:
        return {"ends": self.lead(), "ending": 1} if self.table.triggered == NOBODY else {}

    def score(self, points: int) -> Features:
        before, goal = self.table.points[self.seat], self.rules.trigger_points
        return {"points": points} | (self.ending() if before < goal <= before + points else {})

    def gives(self, card: Character) -> Features:
        """An effect without a choice."""
        if card.effect == "JEAN":
            return {"goods": 1}
        if card.effect in VICTIMS:
            victims = sum(self.is_victim(other, card) for other in self.table.others(self.seat))
            return {"goods": card.n * (victims + (self.rules.seats == 2))}
        if card.effect in ("MERCHANT", "PAY_FOR_POINTS"):
            return self.exchange(card)
        if card.effect in COUNTED or card.effect == "POINTS_FIXED":
            return self.score(self.points_given(self.seat, card))
        if card.effect in ("GAIN_FIXED", "GAIN_ICONS", "GAIN_PER_GREEN"):
            taken = min(self.goods_given(self.seat, card), self.table.supply[card.good])
            return self.change({card.good: taken})
        return {}

    def is_victim(self, other: int, card: Character) -> bool:
        held = self.table.goods[other]
        if card.effect == "MENDICANT":
            return sum(held) >= self.rules.mendicant_holding
        if card.effect == "HOST":
            return held[card.good] >= self.rules.host_holding
        return any(held[good] >= self.rules.collector_holding for good in MATERIALS)

    def exchange(self, card: Character) -> Features:
        if any(self.goods[good] < card.pay[good] for good in ALL_GOODS):
            return {}
        change = {good: -card.pay[good] for good in ALL_GOODS}
        if card.effect == "PAY_FOR_POINTS":
            return self.change(change) | self.score(card.points)
        for good in MATERIALS:
            change[good] += min(card.n, self.table.supply[good] + card.pay[good])
        return self.change(change)

    def pick(self, card: Character, good: int) -> Features:
        """Picking a good with a character."""
        if card.effect == "TRADER":
            paid, taken = self.change({good: -self.rules.trader_pays}), self.change({card.good: card.n})
            return {name: paid[name] + taken[name] for name in paid}
        if card.effect == "PAY_CHOICE_FOR_POINTS":
            return self.change({good: -card.n}) | self.score(card.points)
        taken = {"NUN": card.n, "GAIN_ICONS_CHOICE": self.table.icons(self.seat, good)}.get(card.effect, 1)
        return self.change({good: min(taken, self.table.supply[good])})

    def best_pick(self, card: Character) -> Features:
        if card.effect in ("TRADER", "PAY_CHOICE_FOR_POINTS"):
            price = self.rules.trader_pays if card.effect == "TRADER" else card.n
            goods = [good for good in MATERIALS if self.goods[good] >= price]
        else:
            goods = [good for good in ALL_GOODS if self.table.supply[good] > 0]
        found = [self.pick(card, good) for good in goods]
        best = dict(max(found, key=lambda features: features["use"], default={}))
        if best and card.effect == "GAIN_CHOICE":
            best |= {"use": best["use"] * card.n, "goods": best["goods"] * card.n}
        return best

    # --- Actions ---

    def action(self, word: str) -> Features:
        """The features F of an action of the one to decide, in the words of a replay."""
        decision = self.match.decision
        if decision == PLAY_CARD:
            return self.play(self.card(word))
        if word == NO:
            return {} if decision == SUBSTITUTE else {"decline": 1}
        resolving = self.table.resolving
        if decision == USE_EFFECT:
            assert resolving is not None
            return self.gives(resolving)
        if decision == PICK_GOOD:
            assert resolving is not None
            return self.pick(resolving, GOODS.index(word))
        if decision == BUILD_TARGET:
            return self.build(int(word.removeprefix("loc")))
        if decision == SUBSTITUTE:
            return {"substitute": 1}
        if decision == JEAN_MODE:
            return self.mode(word)
        if decision in (DISMISS_CARD, HIRE_CARD):
            sign = 1 if decision == HIRE_CARD else -1
            return {name: sign * value for name, value in self.comes(self.card(word)).items()}
        return self.change({GOODS.index(word): 1 if decision == SETUP_GOOD else -1})

    def play(self, card: Character) -> Features:
        found: Features = {}
        resolved = card
        if card.effect == "COPY_PREVIOUS":
            if self.table.previous is None:
                return {"play_idle_copy": 1}
            resolved = self.table.previous
        if card.effect == "JEAN":
            found |= {"play_jean": 1, "play_jean_left": self.way}
            if self.table.jean + 1 == len(self.rules.barrels):
                found |= self.ending()
        follows = self.rules.plays - len(self.table.slots) > 1 and self.hand.total() > 1
        if resolved.effect == "BUILD":
            found |= self.best_build(resolved) | {"play_early": int(follows)}
        elif resolved.effect in PICKED:
            found |= self.best_pick(resolved)
        else:
            found |= self.gives(resolved)
        copier = any(self.card(code).effect == "COPY_PREVIOUS" for code, number in self.hand.items() if number)
        if follows and card.copyable and copier:
            found |= {"play_copied": found.get("use", 0), "play_build_copied": found.get("play_build", 0)}
        return found

    def best_build(self, card: Character) -> Features:
        table, seat = self.table, self.seat
        targets = [
            place
            for place in range(len(table.city))
            if table.eligible(seat, place) and table.affordable(seat, table.reduced_cost(seat, place, card.discount))
        ]
        return {
            "play_build": max([0, *(self.printed_gain(place) + self.area_gain(place) for place in targets)]),
            "play_new": int(any(table.owner[place] == NOBODY for place in targets)),
            "play_idle_build": int(not targets),
        }

    def printed_gain(self, place: int) -> int:
        basic, upgraded = self.table.city[place].points
        return basic if self.table.owner[place] == NOBODY else upgraded - basic

    def area_gain(self, place: int) -> int:
        jean = self.table.jean
        return self.rules.area_bonus if jean and self.rules.in_area(place, jean) else 0

    def build(self, place: int) -> Features:
        table, seat, building, card = self.table, self.seat, self.table.city[place], self.table.resolving
        assert card is not None
        cost = table.reduced_cost(seat, place, card.discount)
        paid = {good: -min(cost[good], self.goods[good]) for good in ALL_GOODS}
        found = self.change(paid) | self.score(self.area_gain(place))
        found["goods"] -= self.rules.rate * sum(table.missing(seat, cost))
        found["points"] += self.printed_gain(place)
        icon_cards = self.owned(seat, "GAIN_ICONS_CHOICE") + sum(
            number
            for code, number in table.owned[seat].items()
            if self.card(code).effect == "GAIN_ICONS" and self.card(code).good == building.icon
        )
        if table.owner[place] == seat:
            grown = building.icons[1] - building.icons[0]
            points = self.points_of(seat, "POINTS_PER_UPGRADED")
            return found | {"grow_points": self.way * points, "grow_goods": self.way * grown * icon_cards}
        if table.houses[seat] == 1:
            found |= self.ending()
        green = building.colour == "green"
        goods = building.icons[0] * icon_cards + (self.owned(seat, "GAIN_PER_GREEN") if green else 0)
        counts = {"green": "POINTS_PER_GREEN", "blue": "POINTS_PER_BLUE"}.get(building.colour, "none")
        free = sum(table.owner[near] == NOBODY for near in self.rules.adjacent[place])
        return (
            found
            | {"new": 1, "new_left": self.way, "upgrade_later": self.way * (building.points[1] - building.points[0])}
            | {"near": self.way * free, building.colour: self.way}
            | {"grow_goods": self.way * goods, "grow_points": self.way * self.points_of(seat, counts)}
            | self.comes(self.card(building.character))
        )

    def points_of(self, seat: int, effect: str) -> int:
        """The points of the own cards with an effect."""
        return sum(
            number * self.card(code).points
            for code, number in self.table.owned[seat].items()
            if self.card(code).effect == effect
        )

    def comes(self, card: Character) -> Features:
        points = self.points_given(self.seat, card)
        found = {"card": self.way, "card_goods": self.way * self.goods_given(self.seat, card)}
        found |= {"card_points": self.way * points, "card_once": points}
        if card.effect == "BUILD":
            found |= {"card_build": self.way, "card_discount": self.way * sum(card.discount)}
        if card.effect == "COPY_PREVIOUS":
            found["card_copy"] = self.way
        return found

    def mode(self, word: str) -> Features:
        if word == DISMISS:
            more = self.table.owned[self.seat].total() - self.rules.starting_set.total()
            return {"dismiss": 1, "dismiss_left": self.way, "dismiss_cards": self.way * more}
        assert word == HIRE
        builders = any(self.card(code).effect == "BUILD" for code, number in self.table.pool.items() if number)
        return {"hire": 1, "hire_left": self.way, "hire_build": self.way * builders}

    # --- The position ---

    def position(self) -> Features:
        """The features V of the position to the one to decide."""
        totals, others = self.totals(), self.table.others(self.seat)
        found = {
            "lead": totals[self.seat] - sum(totals[other] for other in others) / len(others),
            "behind_best": -self.lead(),
            "left": self.way,
            "final": int(self.table.triggered != NOBODY),
        }
        found |= self.of_seat(self.seat)
        theirs = [self.of_seat(other) for other in others]
        return found | {f"their_{name}": sum(one[name] for one in theirs) / len(theirs) for name in theirs[0]}

    def of_seat(self, seat: int) -> Features:
        table, goods = self.table, self.table.goods[seat]
        owned = [(self.card(code), number) for code, number in table.owned[seat].items()]
        cards = table.owned[seat].total()
        basic = [place for place in table.own(seat) if not table.upgraded[place]]
        return {
            "goods": sum(goods),
            "use": sum(self.use(seat, good, goods[good]) for good in ALL_GOODS),
            "houses": len(table.own(seat)),
            "basic": sum(self.printed_gain(place) for place in basic),
            "cards": cards,
            "builders": self.owned(seat, "BUILD"),
            "card_goods": self.way * sum(n * self.goods_given(seat, card) for card, n in owned) / max(cards, 1),
            "card_points": self.way * sum(n * self.points_given(seat, card) for card, n in owned) / max(cards, 1),
            "to_play": table.hand_sizes[seat] + table.deck_sizes[seat] if table.final else 0,
        }
