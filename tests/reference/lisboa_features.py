"""The features of Lisboa in plain Python, from the descriptions in simcore/games/lisboa/{features,seen}.py."""

from tests.reference.lisboa import Match
from tests.reference.lisboa_state import (
    COURTYARD,
    DECLINE,
    DISCARDING,
    GOLD_MODE,
    KEEP,
    LAST_CHURCH,
    PORTFOLIO_MODE,
    SELL_WORD,
    STOP,
    majority,
    reais_of,
)
from tests.reference.lisboa_tables import (
    CHURCH_SCORING,
    CHURCH_TREASURY,
    DECREE,
    FAVOR,
    GOODS,
    NOBLE_ACTION_OF,
    NOBLE_OF,
    NOBLES,
    NORTH_SITES,
    PLAN,
    PRODUCE,
    RECRUIT,
    RUBBLE,
    SHIP,
    STATE_ACTIONS,
    STATE_ACTIONS_OF,
    STATIONS,
    STORE,
    STORE_SITES,
    TREASURY,
    Effect,
)

FULL_WAY = 12.0
CARDS_LEFT, TURNS_PER_CUBE, LAST_TURNS = 1.5, 1.3, 1.5
TIMES_WAY = (
    *("officials", "plans", "required", "icons", "hulls", "build_power", "visit_power", "sale_power", "other_power"),
    *("tiles", "favors", "decrees", "stores", "prospects", "deters"),
)
POWERS = {
    "build_power": ("land_discount", "rubble_discount", "sponsor_discount", "officials_discount"),
    "visit_power": ("visit_discount", "ignore_rival_officials", "visit_reais"),
    "sale_power": ("sale_bonus", "sale_flat", "subsidy_bonus"),
}
WIDE = {"sale_bonus": len(GOODS), "visit_discount": len(NOBLES)}  # places of an effect without an argument
ASKS = {NOBLE_ACTION_OF[noble]: noble for noble in NOBLES}


class Features(dict[str, float]):
    """By name; what is not there is 0."""

    def __missing__(self, name: str) -> float:
        return 0.0


class Looker:
    """A seat to decide, and the table as it sees it."""

    def __init__(self, match: Match) -> None:
        self.table, self.rules, self.decision = match.table, match.table.rules, match.decision
        self.seat = match.actor
        self.player = self.table.players[self.seat]
        self.way = min(self.turns_left() / FULL_WAY, 1.0)

    # --- Time ---

    def turns_left(self) -> float:
        table, numbers, seats = self.table, self.rules.numbers, len(self.table.seats)
        if table.is_over:
            return 0.0
        if table.countdown > 0:
            return (table.countdown - 1) / seats
        if table.period == 2:
            return self.to_trigger(numbers["game_end_sets"]) + LAST_TURNS
        second = (len(self.rules.of_deck("brown")) - self.kept_back) / seats
        further = max(0, numbers["game_end_sets"] - numbers["period_1_end_sets"]) * len(RUBBLE) * TURNS_PER_CUBE
        return self.to_trigger(numbers["period_1_end_sets"]) + min(second, further) + LAST_TURNS

    @property
    def kept_back(self) -> float:
        return CARDS_LEFT * (len(self.table.decks) - self.rules.numbers["end_trigger_empty_decks"])

    def to_trigger(self, sets: int) -> float:
        table, seats = self.table, len(self.table.seats)
        cards = sum((deck.face is not None) + len(deck.under) for deck in table.decks.values())
        by_decks = max(0.0, cards - self.kept_back) / seats
        if table.phase in (DISCARDING, LAST_CHURCH):
            by_decks = len(self.rules.of_deck("brown")) / seats
        missing = [sum(max(0, sets - player.cubes[kind]) for kind in RUBBLE) for player in table.players]
        return min(by_decks, TURNS_PER_CUBE * min(missing))

    # --- An action ---

    def action(self, word: str) -> Features:
        """The features of the action with this word."""
        found = self.told(word)
        for name in ("reais", "influence", "goods"):
            found[f"{name}_later"] = self.way * found[name]
        for name in TIMES_WAY:
            found[name] *= self.way
        return found

    def told(self, word: str) -> Features:
        """Without what is told twice, and WAY."""
        if word in (STOP, DECLINE, KEEP):
            return Features(stop=1)
        features: Features = getattr(self, self.decision.lower())(word)
        return features

    def main(self, word: str) -> Features:
        mode, name = word.split(":")
        card, found = self.rules.cards[name], Features()
        if mode == GOLD_MODE:
            return sum_of(Features(gold=1), self.goods(GOODS[0], 1))
        if mode == PORTFOLIO_MODE:
            return sum_of(self.tucked(name), self.sale(), self.trade_count())
        if card.type == TREASURY:
            assert card.event is not None
            found = Features(event=1, reais=-self.table.sponsor_cost(self.seat))
            if card.event.code == "noble_action":
                return sum_of(found, self.noble(ASKS[card.event.arg]))
            return sum_of(found, self.effect(card.event))
        acts = any(self.table.can_do(self.seat, action) for action in STATE_ACTIONS_OF[card.type])
        cost = self.table.visit_cost(self.seat, card.type)
        return sum_of(self.paid(cost), self.noble(card.type), Features(trades=int(acts)))

    def portfolio_action(self, word: str) -> Features:
        if word == SELL_WORD:
            return sum_of(Features(sell=1), self.sale())
        return sum_of(Features(trade=1), self.trade_count())

    def portfolio_discard(self, word: str) -> Features:
        place = int(word[-1])
        if word.startswith("bottom"):
            card = self.player.bottom[place]
            assert card is not None
            return self.placed(card, False, -1)
        held = self.player.top[place]
        assert held is not None
        return self.placed(held.id, held.ship, -1)

    def draw(self, word: str) -> Features:
        face = self.table.decks[word].face
        assert face is not None
        found = self.tucked(face)
        found["tuck"] = 0
        hand = [self.rules.cards[card].type for card in self.player.hand if card is not None]
        return sum_of(found, Features(card_kind=int(word == TREASURY), same=hand.count(word)))

    def period_discard(self, word: str) -> Features:
        card = self.rules.cards[word]
        found = Features(discard=1, icons=-card.influence)
        if card.bottom_kind == "reward" and card.type not in self.table.rewarded:
            assert card.bottom is not None
            found = sum_of(found, self.effect(card.bottom))
        return found

    def follow(self, word: str) -> Features:
        noble = self.table.visited
        assert noble is not None
        acts = self.state_action(word) if word in STATE_ACTIONS else self.noble(noble)
        cost = self.table.follow_cost(self.seat, noble)
        return sum_of(Features(follow=1), acts, self.favor(-1), self.paid(cost))

    def sell(self, word: str) -> Features:
        owner, dock, good = int(word.split(":")[0][4:]), int(word.split(":")[1][4:]), word.split(":")[2]
        card = self.table.players[owner].top[dock]
        assert card is not None
        ship, price = self.rules.ships[card.id], self.table.price(good)
        earned = price + ship.modifier + self.table.bonus(self.seat, "sale_bonus", good)
        found = Features(sell=1, reais=earned, goods=-1, prices=-price)
        aboard = card.cargo.total() + 1
        if aboard == ship.hull:
            found["wigs" if owner == self.seat else "rivals"] += aboard + self.table.bonus(owner, "sail_wigs")
            found["sail"] = int(owner == self.seat)
        return found

    def trade(self, word: str) -> Features:
        action, good = word.split(":")
        return sum_of(self.goods(good, -1), self.state_action(action))

    def state_action_pick(self, word: str) -> Features:
        return self.state_action(word)

    # --- Decisions within an action ---

    def store_site(self, word: str) -> Features:
        block, good = word.split(":")
        found = Features(wigs=self.customers(block, good) + self.table.bonus(self.seat, "store_wigs"), stores=1)
        found["final"] = self.store_final(block, good)
        found["prospects"] = self.table.column_value(block[1]) * self.free_beside(block, good)
        reward = self.rules.block_reward[block]
        cost = Features(reais=-self.least_cost(block, self.price))
        return sum_of(found, cost, self.effect(reward, good) if reward else Features())

    def store_cube(self, word: str) -> Features:
        kind = word.split(":")[1]
        return sum_of(self.cube(kind, 1), Features(reais=self.rules.rubble_cost[kind]))

    def payment(self, word: str) -> Features:
        now, coins = self.player.influence, int(word)
        below = sorted((space for space in self.rules.coins if space < now), reverse=True)
        return Features(reais=coins, influence=below[coins - 1] - now if coins else 0)

    def visit_reais(self, word: str) -> Features:
        return sum_of(Features(reais=-int(word)), self.paid(self.table.cost - int(word)))

    def house_group(self, word: str) -> Features:
        return self.lasting(self.rules.house_groups[word][self.player.houses_taken[word]], 1)

    def decree_pick(self, word: str) -> Features:
        return Features(final=self.promise(word), decrees=self.rules.decrees[word].max_wigs)

    def decree_marker(self, word: str) -> Features:
        return Features(decree_wigs=self.best_decree())

    def building_plan(self, word: str) -> Features:
        plan = self.rules.plans[word]
        hired = self.table.missing_officials(self.seat, word)
        found = Features(plans=-1, required=-plan.officials, final=self.completion_final(word))
        found["reais"] = -hired * self.price
        found["officials"] = hired - self.table.officials_needed(self.seat, word)
        return found

    def building_site(self, word: str) -> Features:
        activity = self.table.activities[-1]
        architect = self.rules.plans[str(activity.what)].architect
        own, others = self.served(word, architect)
        reward = self.rules.site_reward[word]
        cubes = [self.cube(kind, number) for kind, number in self.table.site_cubes[word].items() if number]
        found = sum_of(Features(wigs=own, rivals=others), self.effect(reward) if reward else Features())
        return sum_of(found, *cubes)

    def building_official(self, word: str) -> Features:
        return self.official(word, -1)

    def office(self, word: str) -> Features:
        return self.official(word, 1)

    def good_pick(self, word: str) -> Features:
        return self.goods(word, 1)

    def pay_good(self, word: str) -> Features:
        return self.goods(word, -1)

    def ship_good(self, word: str) -> Features:
        return self.goods(word, -1)

    def rubble_pick(self, word: str) -> Features:
        return self.cube(word, 1)

    def price_pick(self, word: str) -> Features:
        return Features(prices=self.player.goods[word] + self.count_stores(word))

    def cardinal_steps(self, word: str) -> Features:
        steps, found = int(word), Features(cardinal=1)
        for step in range(1, steps + 1):
            symbol = self.rules.symbols[(self.table.cardinal + step) % STATIONS]
            found["treasury"] += symbol == CHURCH_TREASURY
            if symbol == CHURCH_SCORING:
                found["scoring"] = len(self.player.clergy)
        near = self.table.tiles_beside((self.table.cardinal + steps) % STATIONS)
        found["tiles"] = max(self.rules.tiles[tile].back_wigs for tile in near)
        return found

    def cardinal_tile(self, word: str) -> Features:
        return self.tile(word, 1)

    def clergy_keep(self, word: str) -> Features:
        return self.tile(word, 1)

    def clergy_overflow(self, word: str) -> Features:
        return self.tile(word, -1)

    def surrender(self, word: str) -> Features:
        found = sum_of(self.tile(word, -1), Features(wigs=self.rules.tiles[word].back_wigs))
        if not self.table.surrendered or self.rules.switches["influence_per_tile"]:
            found = sum_of(found, self.influence(self.table.influence_shown(self.seat)))
        return found

    def favor_noble(self, word: str) -> Features:
        return self.favor(1)

    def architect(self, word: str) -> Features:
        plan = self.rules.plans[self.table.piles[word][0]]
        return Features(plans=1, required=plan.officials, final=self.decrees("plans_held", 1))

    # --- What comes and goes ---

    @property
    def price(self) -> int:
        return self.table.activities[-1].price

    def goods(self, good: str, number: int) -> Features:
        if number > 0:
            room = self.table.warehouse_capacity(self.seat) - self.player.goods[good]
            number = max(0, min(number, room, self.table.bank[good]))
        return Features(goods=number, prices=number * self.table.price(good))

    def influence(self, points: int) -> Features:
        if points <= 0:
            return Features()
        space = min(self.player.influence + points, self.rules.influence_max)
        return Features(influence=space - self.player.influence, wigs=int(space in self.rules.wig_spaces))

    def paid(self, cost: int) -> Features:
        points = min(cost, self.player.influence)
        return Features(influence=-points, wigs=points - cost)

    def cube(self, kind: str, number: int) -> Features:
        cubes = self.player.cubes
        number = min(number, self.rules.numbers["max_rubble_per_kind"] - cubes[kind])
        if number <= 0:
            return Features()
        found = Features(cubes=number, final=self.decrees("rubble_cubes", number))
        if cubes[kind] == self.player.sets:
            found["needed"] = 1
            if [cubes[other] for other in RUBBLE].count(self.player.sets) == 1:
                found["sets"] = 1
                found["final"] += self.rules.wigs_each["rubble_sets"] + self.decrees("rubble_sets", 1)
        return found

    def lasting(self, effect: Effect, sign: int) -> Features:
        named = [name for name, codes in POWERS.items() if effect.code in codes]
        places = WIDE.get(effect.code, 1) if effect.arg in ("", "any") else 1
        return Features({named[0] if named else "other_power": sign * places * effect.amount})

    def tile(self, tile: str, sign: int) -> Features:
        found = Features(tiles=sign * self.rules.tiles[tile].back_wigs, final=self.decrees("clergy_tiles", sign))
        return sum_of(found, self.lasting(self.rules.tiles[tile].permanent, sign))

    def favor(self, sign: int) -> Features:
        worth = sign * self.rules.wigs_each["royal_favors"] + self.decrees("royal_favors", sign)
        return Features(favors=sign, final=worth)

    def official(self, place: str, sign: int) -> Features:
        if place == COURTYARD:
            return Features(officials=sign, final=self.decrees("officials_in_courtyard", sign))
        rivals = sum(self.table.offices[place]) - self.table.offices[place][self.seat]
        return Features(officials=sign, final=self.decrees("officials_in_offices", sign), deters=sign * rivals)

    # --- Decrees, majorities ---

    def decrees(self, metric: str, more: int) -> float:
        """What so many more of a metric bring through the decrees held, at the rate of the next one."""
        held = [self.rules.decrees[decree] for decree in self.player.decrees]
        total, counted = 0.0, self.table.metric(self.seat, metric)
        for decree in held:
            if decree.metric != metric:
                continue
            if decree.mode == "threshold":
                if counted < decree.unit:
                    total += min(decree.wigs, decree.max_wigs) / (decree.unit - counted)
            else:
                left = max(0, decree.max_wigs - decree.wigs * (counted // decree.unit))
                total += min(decree.wigs, left) / decree.unit
        return more * total

    def promise(self, name: str) -> float:
        decree = self.rules.decrees[name]
        part = self.table.metric(self.seat, decree.metric) / decree.unit
        if decree.mode == "threshold":
            return float(min(part, 1.0) ** 3 * min(decree.wigs, decree.max_wigs))
        return float(min(decree.wigs * part, decree.max_wigs))

    def best_decree(self) -> float:
        return max((self.promise(decree) for decree in self.table.shown_decrees()), default=0.0)

    def count_stores(self, good: str) -> int:
        return self.table.metric(self.seat, f"stores_{good}")

    def more_of(self, numbers: list[int], places: tuple[int, ...], more: int) -> int:
        """What a majority grows by with so many more."""
        after = [number + more * (seat == self.seat) for seat, number in enumerate(numbers)]
        return majority(after, places)[self.seat] - majority(numbers, places)[self.seat]

    # --- Stores and public buildings ---

    def customers(self, block: str, good: str) -> int:
        table = self.table
        table.good_of[block] = good
        relevant = sum(table.serves(site, block) for site in table.built)
        del table.good_of[block]
        return relevant * table.column_value(block[1])

    def free_beside(self, block: str, good: str) -> int:
        beside = [
            site
            for site in self.rules.sites
            if (NORTH_SITES[site] == good if site in NORTH_SITES else site[1] == block[0])
        ]
        return sum(site not in self.table.built for site in beside)

    def least_cost(self, block: str, land: int) -> int:
        cubes = sorted(self.table.rubble_at(block).elements(), key=lambda kind: self.rules.rubble_cost[kind])
        return self.table.store_cost(self.seat, land, cubes[:-1])

    def store_final(self, block: str, good: str) -> float:
        numbers = [self.table.metric(seat, f"stores_{good}") for seat in self.table.seats]
        total = self.more_of(numbers, self.rules.store_places[good], 1) + self.decrees(f"stores_{good}", 1)
        total += self.decrees("stores_total", 1) + self.decrees(f"stores_row_{block[0]}", 1)
        return total + (self.decrees("store_types", 1) if not numbers[self.seat] else 0.0)

    def best_store(self) -> float:
        table = self.table
        pairs = [
            (block, good)
            for block, good in STORE_SITES
            if block in self.rules.blocks
            and block not in table.owner
            and table.city_display[table.tile_of(block, good)]
        ]
        per_wig = self.rules.numbers["end_reais_per_wig"]
        wigs = []
        for block, good in pairs:
            cost = self.least_cost(block, table.treasury_value) - reais_of(self.rules.block_reward[block])
            wigs.append(self.customers(block, good) + self.store_final(block, good) - cost / per_wig)
        return max(wigs, default=0.0)

    def completion_final(self, plan: str) -> float:
        officials, architect = self.rules.plans[plan].officials, self.rules.plans[plan].architect
        numbers = [self.table.officials_counted(seat) for seat in self.table.seats]
        total = float(self.more_of(numbers, self.rules.official_places, officials))
        total += self.decrees("officials_in_buildings", officials) + self.decrees("buildings_total", 1)
        return total + self.decrees(f"buildings_{architect}", 1)

    def served(self, site: str, architect: str) -> tuple[int, int]:
        """What the current building of an architect would bring on a site, to the seat and to the others."""
        table, wigs = self.table, [0, 0]
        tile = table.stacks[architect][0]
        assert tile is not None
        table.built[site] = (tile, architect)
        for block, owner in table.owner.items():
            wigs[owner != self.seat] += table.serves(site, block) * table.column_value(block[1])
        del table.built[site]
        return wigs[0], wigs[1]

    def best_building(self) -> float:
        table, best = self.table, 0.0
        for architect, stack in table.stacks.items():
            plans = [plan for plan in self.player.plans if self.rules.plans[plan].architect == architect]
            most = max((self.completion_final(plan) for plan in plans if self.pays(plan)), default=0.0)
            if stack and most > 0:
                free = [site for site in self.rules.sites if site not in table.built]
                best = max(best, most + max((self.served(site, architect)[0] for site in free), default=0))
        return best

    def pays(self, plan: str) -> bool:
        """Whether the officials that a plan lacks can be hired without a site's help."""
        missing = self.table.missing_officials(self.seat, plan)
        if missing and not self.rules.switches["hiring"]:
            return False
        return missing * self.table.treasury_value <= self.table.money(self.seat)

    def noble(self, noble: str) -> Features:
        found = Features({noble: 1})
        action = NOBLE_ACTION_OF[noble]
        if action == STORE:
            found["store_wigs"] = self.best_store()
        elif action == DECREE:
            found["decree_wigs"] = self.best_decree()
        else:
            found["building_wigs"] = self.best_building()
        return found

    # --- State actions, cards, effects ---

    def state_action(self, action: str) -> Features:
        found = Features({action: 1})
        if action == RECRUIT:
            most = self.rules.numbers["recruit_max_officials"] + self.table.bonus(self.seat, "recruit_bonus")
            found["officials"] = min(most, self.player.officials)
        elif action == PLAN:
            found["plans"] = 1
        elif action == SHIP:
            ship = self.rules.ships[self.table.shipyard[0]]
            found["full"], found["treasury"] = self.is_full(True), 1
            gained = self.influence(self.table.influence_shown(self.seat) + ship.influence)
            paid = Features(goods=-self.table.ship_cost(self.seat))
            return sum_of(found, paid, self.placed(ship.id, True, 1), gained)
        elif action == PRODUCE:
            goods = [self.goods(good, self.count_stores(good)) for good in GOODS]
            extra = self.table.bonus(self.seat, "produce_bonus") if self.table.can_do(self.seat, PRODUCE) else 0
            return sum_of(found, *goods, Features(goods=extra))
        elif action == FAVOR:
            found["favors"] = 1
            found["final"] = self.decrees("royal_favors", 1)
        return found

    def placed(self, card: str, is_ship: bool, sign: int) -> Features:
        if is_ship:
            ship = self.rules.ships[card]
            final = float(sign * self.rules.wigs_each["ships"] * ship.hull)
            final += self.decrees("ship_hull_total", sign * ship.hull) + self.decrees("ships_in_portfolio", sign)
            return Features(icons=sign * ship.influence, hulls=sign * ship.hull, final=final)
        printed = self.rules.cards[card]
        final = self.decrees(f"{printed.type}_cards_in_portfolio", sign)
        found = Features(icons=sign * printed.influence, final=final)
        return sum_of(found, self.lasting(printed.permanent, sign)) if printed.permanent else found

    def is_full(self, is_top: bool) -> bool:
        half = self.player.top if is_top else self.player.bottom
        tucked = sum(card is not None for card in (*self.player.top, *self.player.bottom))
        return None not in half or tucked >= self.table.portfolio_capacity(self.seat)

    def tucked(self, name: str) -> Features:
        card = self.rules.cards[name]
        found = Features(tuck=1, full=int(self.is_full(card.type != TREASURY)))
        found = sum_of(found, self.placed(name, False, 1))
        if card.type == TREASURY:
            earned = self.table.treasury_value + self.table.bonus(self.seat, "subsidy_bonus")
            return sum_of(found, Features(reais=earned, treasury=-1))
        return sum_of(found, self.effect(card.bottom)) if card.bottom else found

    def sale(self) -> Features:
        if not self.table.sales(self.seat):
            return Features()
        fetched = [
            self.table.price(good) + self.table.bonus(self.seat, "sale_bonus", good)
            for good in self.table.held(self.seat)
        ]
        return Features(sales=sum(fetched))

    def trade_count(self) -> Features:
        held = self.table.held(self.seat)
        possible = [
            action
            for action in STATE_ACTIONS
            if self.table.bonus(self.seat, "trade_wild")
            or any(self.table.accepts(self.seat, NOBLE_OF[action], good) for good in held)
            if self.table.can_do(self.seat, action)
        ]
        return Features(trades=min(len(possible), self.rules.numbers["trade_max_goods"], len(held)))

    def effect(self, effect: Effect, store_good: str = "") -> Features:
        code, amount = effect.code, effect.amount
        table, player = self.table, self.player
        if code == "gain_reais":
            return Features(reais=amount)
        if code == "pay_reais":
            return Features(reais=-min(amount, player.reais))
        if code == "gain_wigs":
            return Features(wigs=amount)
        if code == "pay_wigs":
            return Features(wigs=-min(amount, player.wigs))
        if code == "gain_good":
            if effect.arg == "any":
                prices = [table.price(good) for good in GOODS if table.can_gain(self.seat, good)]
                return Features(goods=amount, prices=amount * max(prices)) if prices else Features()
            return self.goods(store_good if effect.arg == "store_type" else effect.arg, amount)
        if code == "pay_good":
            prices = [table.price(good) for good in table.held(self.seat)]
            return Features(goods=-amount, prices=-amount * min(prices)) if prices else Features()
        if code == "gain_influence":
            return sum_of(*[self.influence(table.influence_shown(self.seat)) for _ in range(amount)])
        if code == "gain_influence_points":
            return self.influence(amount)
        if code == "state_action":
            return self.state_action(effect.arg) if table.can_do(self.seat, effect.arg) else Features()
        if code == "state_action_any":
            return Features(trades=amount)
        if code == "gain_rubble":
            return Features(cubes=amount)
        assert code == "price_up"
        counted = {good: amount * (player.goods[good] + self.count_stores(good)) for good in GOODS}
        if effect.arg == "any":
            return Features(prices=max(counted.values()))
        return Features(prices=sum(counted.values()) if effect.arg == "all" else counted[effect.arg])

    # --- A position ---

    def position(self) -> dict[str, float]:
        """The features of the position."""
        scores, seat = self.table.scores(), self.seat
        others = [score for other, score in enumerate(scores) if other != seat]
        found = {
            "lead": scores[seat] - sum(others) / len(others),
            "behind_best": max(others) - scores[seat],
            "left": self.way,
            "period": self.table.period - 1,
        }
        for name, value in self.has(seat).items():
            found[name] = value
            theirs = [self.has(other)[name] for other in self.table.rivals(seat)]
            found[f"their_{name}"] = sum(theirs) / len(theirs)
        return found

    def has(self, seat: int) -> dict[str, float]:
        """What a seat has."""
        player, metric = self.table.players[seat], self.table.metric
        printed = self.table.influence_shown(seat) - self.table.bonus(seat, "influence_bonus")
        return {
            "reais": player.reais,
            "influence": player.influence,
            "goods": metric(seat, "goods_total"),
            "cubes": metric(seat, "rubble_cubes"),
            "sets": player.sets,
            "officials": self.table.officials_there(seat),
            "plans": len(player.plans),
            "icons": printed,
            "stores": metric(seat, "stores_total"),
            "tiles": len(player.clergy),
            "favors": metric(seat, "royal_favors"),
            "markers": player.portrait,
            "decrees": len(player.decrees),
        }


def sum_of(*parts: Features) -> Features:
    """Feature by feature, with those below 0."""
    total = Features()
    for part in parts:
        for name, value in part.items():
            total[name] += value
    return total
