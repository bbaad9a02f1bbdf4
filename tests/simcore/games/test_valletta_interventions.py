"""Valletta's interventions: a banned player never builds the type, blanks do nothing for their player."""

import numpy as np
import pytest

from simcore import cardset, game
from simcore.game import Intervention
from simcore.games.valletta.rules import UPGRADED_SIDE, Event
from simcore.games.valletta.state import Decision, Effect
from simcore.play import Table

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

GAME = game.get("valletta")
STANDARD = cardset.load(GAME.schema, "standard")
SEATS = 3
KEPT = ("goods", "points", "houses", "own", "upgraded", "supply", "jean", "icons", "pool")
"""What a card that does nothing leaves as it was."""


def table(one: Intervention | None = None) -> Table:
    made = Table("valletta", STANDARD, SEATS, ("uniform",) * SEATS, seed=3)
    if one is not None:
        made.intervene(one.fields)
    return made


def denials(kind: str, seats: int = SEATS) -> dict[str, Intervention]:
    return {one.label: one for one in GAME.interventions(STANDARD, seats) if one.kind == kind}


def used(one: Intervention, deals: int) -> tuple[int, int]:
    """How many buildings of the type place 0 and all others have built or upgraded."""
    banned = dict(one.fields)["banned"]
    own = others = 0
    for deal in range(deals):
        for rotation in range(SEATS):
            seat = -rotation % SEATS
            for step in table(one).steps(deal, rotation):
                for kind, _, who, code in step.events:
                    if kind in (Event.BUILT, Event.UPGRADED) and banned >> (code % UPGRADED_SIDE) & 1:
                        own += who == seat
                        others += who != seat
    return own, others


@pytest.mark.parametrize("label", ["Bank", "Sawmill", "Joinery"])
def test_a_banned_player_never_builds_or_upgrades_the_type_and_the_others_do(label: str) -> None:
    own, others = used(denials("ban")[label], deals=2)
    assert own == 0
    assert others > 0


def test_bans_of_all_types_together_leave_nothing_to_build() -> None:
    everything = sum(dict(one.fields)["banned"] for one in denials("ban").values())
    one = Intervention("ban", "", "", "", (), (("ban_place", 0), ("banned", everything)))
    own, others = used(one, deals=1)
    assert own == 0
    assert others > 10


@pytest.mark.parametrize("label", ["Bank", "Sawmill", "Joinery"])
def test_a_bare_building_has_no_icons_and_no_points_for_its_player_alone(label: str) -> None:
    """Points and icons of all add up to those of everything but the bare buildings of its player, on either side."""
    one, stand = denials("blank")[label], {True: 0, False: 0}
    bare = dict(one.fields)["bare"]
    for deal in range(4):
        for rotation in range(SEATS):
            made = table(one)
            for step in made.steps(deal, rotation):
                if step.decision in BUILDS:
                    for seat in range(SEATS):
                        is_denied = seat == -rotation % SEATS
                        stand[is_denied] += shown(made, seat, bare if is_denied else 0, bare)
    assert all(stand.values())


BUILDS = (Decision.SUBSTITUTE, Decision.SUBSTITUTE_PAY)


def shown(made: Table, seat: int, bare: int, watched: int) -> int:
    """Check what the buildings of a seat show when some are bare. Returns how many of those watched there are."""
    public, cards, there = made.state.public, made.cards, 0
    points, icons, colours = 0, np.zeros_like(public.icons[seat]), np.zeros_like(public.colours[seat])
    for location in range(int(cards.locations)):
        building = int(public.building[location])
        if int(public.own[seat]) >> location & 1:
            there += watched >> building & 1
            colours[cards.colour[building]] += 1
            if not bare >> building & 1:
                side = int(public.upgraded) >> location & 1
                points += cards.printed[building, side]
                icons[cards.icon[building]] += cards.icons[building, side]
    assert public.standing[seat] - public.points[seat] == points
    assert np.array_equal(public.icons[seat], icons)
    assert np.array_equal(public.colours[seat], colours)
    assert public.houses[seat] == cards.houses - colours.sum()
    return there


def test_a_bare_building_brings_its_character() -> None:
    one, gained = denials("blank")["Bank"], 0
    bare = dict(one.fields)["bare"]
    for deal in range(4):
        for rotation in range(SEATS):
            made, seat = table(one), -rotation % SEATS
            for step in made.steps(deal, rotation):
                for kind, _, who, code in step.events:
                    if kind == Event.BUILT and who == seat and bare >> (code % UPGRADED_SIDE) & 1:
                        character = int(made.cards.character[code % UPGRADED_SIDE])
                        assert made.state.public.owned[seat, character] > step.public.owned[seat, character]
                        gained += 1
    assert gained > 0


def test_the_expert_knows_of_a_bare_building() -> None:
    """It builds it less often than the others do."""
    own = others = 0
    for one in list(denials("blank").values())[:23:3]:
        bare, made = dict(one.fields)["bare"], Table("valletta", STANDARD, SEATS, ("expert",) * SEATS, seed=3)
        made.intervene(one.fields)
        for deal in range(4):
            for rotation in range(SEATS):
                for step in made.steps(deal, rotation):
                    for kind, _, who, code in step.events:
                        if kind == Event.BUILT and bare >> (code % UPGRADED_SIDE) & 1:
                            own += who == -rotation % SEATS
                            others += who != -rotation % SEATS
    assert own < 0.7 * others / (SEATS - 1)


@pytest.mark.parametrize("label", ["Maid", "Builder", "Jean Parisot de Valette", "Banker", "Apprentice"])
def test_a_blanked_character_does_nothing_for_its_player(label: str) -> None:
    one = denials("blank")[label]
    code = int(dict(one.fields)["blanked"]).bit_length() - 1
    plays = 0
    for deal in range(2):
        for rotation in range(SEATS):
            made, seat = table(one), -rotation % SEATS
            public = made.state.public
            for step in made.steps(deal, rotation):
                assert public.actor != seat or public.resolving != code, "not even a copy of it asks anything"
                if step.decision == Decision.PLAY_CARD and step.seat == seat and step.action % 64 == code:
                    plays += 1
                    for name in KEPT:
                        assert np.array_equal(step.public[name], public[name]), name
    assert plays > 5


def test_the_others_keep_the_effect() -> None:
    one = denials("blank")["Builder"]
    code = int(dict(one.fields)["blanked"]).bit_length() - 1
    assert made_use_of(one, code)[0] == 0
    assert made_use_of(one, code)[1] > 0


def made_use_of(one: Intervention, code: int) -> tuple[int, int]:
    """How often a Builder led place 0 and the others to a choice of what to build."""
    own = others = 0
    for rotation in range(SEATS):
        made = table(one)
        for step in made.steps(0, rotation):
            if step.decision == Decision.BUILD_TARGET and step.public.resolving == code:
                own += step.seat == -rotation % SEATS
                others += step.seat != -rotation % SEATS
    return own, others


def test_every_character_can_be_blanked_and_every_type_be_banned() -> None:
    """With each denial a game comes to its end."""
    for one in GAME.interventions(STANDARD, SEATS):
        made = table(one)
        (done,) = made.play(0, 1, "games")
        assert len(done.rows) == SEATS
        assert (done.rows["status"] == 0).all()


def test_a_blank_apprentice_copies_nothing() -> None:
    one = denials("blank")["Apprentice"]
    code = int(dict(one.fields)["blanked"]).bit_length() - 1
    made = table(one)
    assert made.cards.effect[code] == Effect.COPY_PREVIOUS
    copied = [event for step in made.steps(0, 0) for event in step.events if event[0] == Event.COPIED]
    assert {seat for _, _, seat, _ in copied} == {1, 2}


@pytest.mark.parametrize("seats", GAME.seats)
def test_where_nobody_is_denied_the_game_is_as_it_was(seats: int) -> None:
    names = ("uniform",) * seats
    plain, cleared = (Table("valletta", STANDARD, seats, names, seed=5) for _ in range(2))
    for one in denials("ban", seats).values():
        cleared.intervene(one.fields)
    cleared.intervene()
    (before,), (after,) = plain.play(0, 3, "games"), cleared.play(0, 3, "games")
    assert np.array_equal(before.rows, after.rows)
