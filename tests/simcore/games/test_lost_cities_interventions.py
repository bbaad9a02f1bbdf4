"""Lost Cities' interventions: a banned player never plays the card, in no round; the other one does."""

import pytest

from simcore import cardset, game
from simcore.game import Intervention
from simcore.games.lost_cities.rules import Event
from simcore.play import Table

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

GAME = game.get("lost-cities")
SEATS = 2


def table(name: str, one: Intervention | None = None) -> Table:
    made = Table("lost-cities", cardset.load(GAME.schema, name), SEATS, ("uniform",) * SEATS, seed=3)
    if one is not None:
        made.intervene(one.fields)
    return made


def denials(name: str) -> dict[str, Intervention]:
    return {one.label: one for one in GAME.interventions(cardset.load(GAME.schema, name), SEATS)}


def fates(name: str, one: Intervention, kind: Event, deals: int) -> list[int]:
    """How many copies of the card place 0 and place 1 have played or discarded."""
    found, code = [0, 0], dict(one.fields)["ban_code"]
    for deal in range(deals):
        for rotation in range(SEATS):
            made = table(name, one)
            copies = made.cards.type == made.cards.type[code]
            for step in made.steps(deal, rotation):
                for event, _, seat, card in step.events:
                    if event == kind and copies[card]:
                        found[(seat + rotation) % SEATS] += 1
    return found


@pytest.mark.parametrize(("name", "label"), [("base", "yellow 5"), ("base", "red wager"), ("long", "purple 10")])
def test_a_banned_player_never_plays_the_card_and_the_other_does(name: str, label: str) -> None:
    one = denials(name)[label]
    own, other = fates(name, one, Event.PLAYED, deals=6)
    assert own == 0
    assert other > 0
    assert fates(name, one, Event.DISCARDED, deals=2)[0] > 0


@pytest.mark.parametrize("deal", [0, 3, 5])  # in which place 0 holds the card late
def test_a_ban_on_a_card_that_is_not_held_changes_nothing(deal: int) -> None:
    """The same deal with and without a ban is one game until the player holds the card."""
    one = denials("single_round")["yellow 5"]
    code, alike = dict(one.fields)["ban_code"], 0
    for step, same in zip(
        table("single_round").steps(deal, 0), table("single_round", one).steps(deal, 0), strict=False
    ):
        assert (step.action, step.options) == (same.action, same.options)
        if any(seat == 0 and card == code for _, _, seat, card in step.events):
            break
        alike += 1
    assert alike > 30


def test_every_kind_of_card_can_be_banned() -> None:
    standard = cardset.load(GAME.schema, "base")
    types = {card.type for card in GAME.log_cards(standard, SEATS)}
    assert {one.type for one in GAME.interventions(standard, SEATS)} == types
    assert len(types) == 50  # of each of five colours nine numbers, and the wagers as one
