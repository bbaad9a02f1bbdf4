"""INV-1 to INV-23 of the rules page of Lisboa, after every decision of random games.

The checks stand in tests/reference/lisboa_invariants.py. They look at the reference's table; in games of the kernels
this table has been compared with their record in every field.
"""

from collections.abc import Callable
from random import Random

import pytest

from simcore.cardset import CardSet
from simcore.play import Table as Kernels
from tests.reference.lisboa_agreement import GAME, Witness, rules_of
from tests.reference.lisboa_invariants import LIMITS, PIECES, Invariants, checked
from tests.reference.lisboa_selfplay import play_game
from tests.reference.lisboa_state import Event, Table
from tests.simcore.games.lisboa_positions import dealt
from tests.simcore.lisboa_sets import random_set, shipped

SEATS = (2, 3, 4)


class Watched(Witness):
    """A game of the kernels whose every event is checked."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.invariants = Invariants(self.match.table)

    def tell(self, event: Event) -> None:
        self.invariants.before(event)
        super().tell(event)
        self.invariants.after(event)


def play_watched(card_set: CardSet, seats: int, deal: int) -> Table:
    witness = Watched(Kernels(GAME, card_set, seats, ("uniform",) * seats, seed=17))
    for _ in witness.follow(deal):
        pass
    return witness.match.table


@pytest.mark.engine
@pytest.mark.jitted  # whole games: minutes in plain Python
@pytest.mark.parametrize("seats", SEATS)
def test_games_of_the_kernels(seats: int) -> None:
    """INV-1 to INV-23. With the delivered decks, INV-20: at most 19 turns a period, then 2n - 1 more."""
    for deal in range(4):
        table = play_watched(shipped(), seats, deal)
        assert table.turns % seats == 0
        assert table.turns <= 19 + 19 + 2 * seats - 1


@pytest.mark.engine
@pytest.mark.jitted
@pytest.mark.parametrize("seed", range(8))
def test_edited_games_of_the_kernels(seed: int) -> None:
    """INV-1 to INV-23."""
    play_watched(random_set(seed), 2 + seed % 3, seed)


@pytest.mark.parametrize("seats", SEATS)
def test_games_of_the_reference(seats: int) -> None:
    """INV-1 to INV-23."""
    for number, card_set in enumerate([shipped(), *map(random_set, range(20, 23))]):
        for _ in checked(play_game(rules_of(card_set, seats), Random(number))):
            pass


# ------------------------------------------------------------------------------------------ the checks are no pushovers


def more_goods(table: Table) -> None:
    table.bank["cloth"] += 1


def more_rubble(table: Table) -> None:
    table.pile["fire"] += 1


def more_officials(table: Table) -> None:
    table.players[1].courtyard += 1


def more_houses(table: Table) -> None:
    table.players[1].houses -= 1


def more_favors(table: Table) -> None:
    table.favors["king"] -= 1


def more_tiles(table: Table) -> None:
    table.bag.pop()


def more_plans(table: Table) -> None:
    table.piles["blue"].pop()


def more_cards(table: Table) -> None:
    table.players[0].hand.pop()


def more_ships(table: Table) -> None:
    table.shipyard.pop()


def more_decrees(table: Table) -> None:
    table.decree_deck.pop()


def more_city_tiles(table: Table) -> None:
    table.city_display["pink"] -= 1


def more_sets(table: Table) -> None:
    table.players[0].cubes.update(["fire", "tsunami", "earthquake"])


def more_in_a_portfolio(table: Table) -> None:
    table.players[0].bottom[:] = ["blue_treasury_1", "blue_treasury_2", "blue_treasury_3"]


def more_in_a_warehouse(table: Table) -> None:
    table.players[0].goods["gold"] = 9


def more_influence(table: Table) -> None:
    table.players[0].influence = 11


def more_wigs_of_customers(table: Table) -> None:
    table.players[0].sources["store_customers"] += 1


SPOILED: dict[str, Callable[[Table], None]] = {
    spoil.__name__: spoil
    for spoil in (
        *(more_goods, more_rubble, more_officials, more_houses, more_favors, more_tiles, more_plans, more_cards),
        *(more_ships, more_decrees, more_city_tiles, more_sets, more_in_a_portfolio, more_in_a_warehouse),
        *(more_influence, more_wigs_of_customers),
    )
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_wrong_is_found(name: str) -> None:
    """INV-1 to INV-15, INV-17, INV-22: a piece too many or too few."""
    table = dealt.__wrapped__(shipped(), 3)
    check_all(table)
    SPOILED[name](table)
    with pytest.raises(AssertionError):
        check_all(table)


def check_all(table: Table) -> None:
    for check in (*PIECES, *LIMITS):
        check(table)
